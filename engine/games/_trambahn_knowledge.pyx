"""Trambahn's hidden information: what one player knows (`hide`, `admit`), and dealing full states from it (`fill`).

Before the first reshuffle every unseen card is as likely in one hidden place as in another, and `fill` is exact. After a reshuffle two
things are hidden besides: which of the cards that left the other player's hand were drawn since (fresh) and which he held before (old); and
whether a card that came out of the draw pile was one of those known to be in it or another of its kind. `fill` samples both.

*Fresh or old.* The number of fresh cards in the other's hand is a hidden Markov chain: a draw adds one; a card that leaves the hand is a
uniformly random one of it. A shown card weighs the two cases by how likely an old or a fresh card was of that kind. `prepare` runs the
chain forward once, `fill` samples it backward (Rabiner 1989, section III), so that the samples have the chain's exact distribution. The
weights use expected counts, which is the one approximation; the docs page of the game has the measured distance to enumeration.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._trambahn_memory cimport EPOCHS, OTHER_BANK, OTHER_DRAW, OWN_DRAW, Memory, Recall
from wattman.engine.games._trambahn_state cimport (
    BANK,
    BANK_UNSEEN,
    BOARD,
    BOARD_CONDUCTOR,
    BUILD,
    BUY,
    CARDS,
    COLOURS,
    CONDUCTOR,
    DEAL,
    DEAL_UNSEEN,
    DEALING,
    DEALS,
    DECK,
    DONE,
    DRAW,
    DRAW_UNSEEN,
    DRAWING,
    EVENTS,
    HAND,
    INCOME,
    MAX_COLUMNS,
    MAX_LEGAL,
    OPEN,
    OPEN_CONDUCTOR,
    OTHER_MONEY,
    OVER,
    PASSENGERS,
    PLAYERS,
    PURCHASE,
    ROW,
    START_MONEY,
    STATIONS,
    UNKNOWN,
    Column,
    State,
)
from wattman.engine.rng cimport Rng, rng_below, rng_next, rng_uniform


cdef inline int copies(int card) noexcept nogil:
    """How many cards of a kind there are."""
    if card == CONDUCTOR:
        return 8
    return 2 if card % 10 == 0 or card % 10 == 9 else 3


# --- hide ---

cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil:
    cdef Info* k = <Info*>info
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int other = 1 - observer, p, i
    memset(k, 0, sizeof(Info))
    memcpy(s, state, sizeof(State))
    memcpy(m, memory, sizeof(Memory))
    m.observer = 1 + observer
    memset(m.start, 0, sizeof(m.start))
    memset(&m.recall[other], 0, sizeof(Recall))
    memset(s.hand[other], UNKNOWN, s.n_hand[other])
    for p in range(PLAYERS):
        for i in range(s.n_pile[p]):
            if not m.tag[p][i] >> observer & 1:
                s.pile[p][i] = UNKNOWN
    for i in range(s.n_discard):
        if not m.discard_tag[i] >> observer & 1:
            s.discard[i] = UNKNOWN
    # The other player's `done` in the stations and income steps is not seen: he may still be where the last thing seen was done.
    if s.player == other and s.n_hand[other] and (s.phase == STATIONS or s.phase == INCOME or s.phase == PURCHASE):
        if m.turn_bought == 0:
            s.phase = INCOME if m.turn_banked else STATIONS
            s.column = m.turn_column
            s.opened = m.turn_opened
            s.banked = 1 if m.turn_banked else 0
    prepare(k)


cdef void prepare(Info* k) noexcept nogil:
    """Everything in an Info that follows from its State and Memory."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int observer = m.observer - 1, other = 2 - m.observer
    cdef int p, i, j, card, n
    # What lies behind the ends of the arrays has no meaning: zero, so that equal knowledge is equal bytes.
    memset(s.deck, UNKNOWN, s.n_deck)
    memset(s.deck + s.n_deck, 0, DECK - s.n_deck)
    memset(s.discard + s.n_discard, 0, DECK - s.n_discard)
    for p in range(PLAYERS):
        memset(s.pile[p] + s.n_pile[p], 0, DECK - s.n_pile[p])
        memset(s.hand[p] + s.n_hand[p], 0, HAND - s.n_hand[p])
        memset(m.tag[p] + s.n_pile[p], 0, DECK - s.n_pile[p])
        memset(m.group[p] + s.n_pile[p], 0, DECK - s.n_pile[p])
    if s.player != other or not (s.phase == STATIONS or s.phase == INCOME or s.phase == PURCHASE):
        m.turn_banked = m.turn_column = m.turn_opened = m.turn_bought = 0
    memset(<uint8_t*>k + sizeof(State) + sizeof(Memory), 0, sizeof(Info) - sizeof(State) - sizeof(Memory))
    count_unseen(k)
    list_places(k, other)
    k.n_unseen = 0
    for card in range(CARDS):
        for i in range(k.counts[card]):
            k.unseen[k.n_unseen] = card
            k.n_unseen += 1
    if k.n_unseen != k.n_places + s.n_deck:
        k.impossible = 1
    if m.epoch and not k.impossible:
        follow_hand(k, observer)


cdef void count_unseen(Info* k) noexcept nogil:
    """counts: how many cards of each kind the observer does not see."""
    cdef State* s = &k.state
    cdef int left[UNKNOWN + 1]
    cdef int p, i, j, value
    cdef const Column* column
    memset(left, 0, sizeof(left))
    for p in range(PLAYERS):
        for i in range(s.n_hand[p]):
            left[s.hand[p][i]] -= 1
        for i in range(s.n_pile[p]):
            left[s.pile[p][i]] -= 1
        for i in range(s.n_columns[p]):
            column = &s.columns[p][i]
            left[CONDUCTOR] -= column.n_conductors
            for value in range(1, 11):
                left[column.colour * 10 + value - 1] -= column.values >> value & 1
    for i in range(COLOURS):
        for j in range(s.n_row[i]):
            left[s.row[i][j]] -= 1
    for i in range(s.n_discard):
        left[s.discard[i]] -= 1
    for i in range(CARDS):
        left[i] += copies(i)
        if left[i] < 0:
            k.impossible = 1
            left[i] = 0
        k.counts[i] = left[i]


cdef inline void add_place(Info* k, uint8_t* where, int tag) noexcept nogil:
    cdef int epoch = k.memory.epoch
    k.offset[k.n_places] = <uint16_t>(where - <uint8_t*>&k.state)
    # Only a card that `follow_hand` finds to be fresh can be of this epoch's class.
    k.cap[k.n_places] = min(tag >> 2, epoch - 1) if epoch else 0
    k.n_places += 1


cdef void list_places(Info* k, int other) noexcept nogil:
    """The hidden places: the other player's hand, his income by steps (within a step in card order), the rest."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int p, i, group, first
    for i in range(s.n_hand[other]):
        if s.hand[other][i] == UNKNOWN:
            add_place(k, &s.hand[other][i], m.epoch << 2)
    k.n_hand = k.n_places
    for group in range(1, m.groups + 1):
        first = k.n_places
        for i in range(s.n_pile[other]):
            if m.group[other][i] == group and s.pile[other][i] == UNKNOWN:
                add_place(k, &s.pile[other][i], m.tag[other][i])
        # Payments take from the top: what lies deeper among the discards was higher on the pile.
        for i in range(s.n_discard - 1, -1, -1):
            if m.discard_group[i] == group and s.discard[i] == UNKNOWN:
                add_place(k, &s.discard[i], m.discard_tag[i])
        if k.n_places - first > 1 and k.n_sorted < 64:
            k.sorted_from[k.n_sorted] = first
            k.sorted_count[k.n_sorted] = k.n_places - first
            k.n_sorted += 1
    for p in range(PLAYERS):
        for i in range(s.n_pile[p]):
            if s.pile[p][i] == UNKNOWN and (p != other or m.group[p][i] == 0):
                add_place(k, &s.pile[p][i], m.tag[p][i])
    for i in range(s.n_discard):
        if s.discard[i] == UNKNOWN and m.discard_group[i] == 0:
            add_place(k, &s.discard[i], m.discard_tag[i])


cdef int next_banked(Info* k, int place, int other) noexcept nogil:
    """The first place after `place` that holds income of this epoch, or DECK."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int i, tag, group
    for place in range(place + 1, k.n_places):
        i = k.offset[place] - <int>(<uint8_t*>s.pile[other] - <uint8_t*>s)
        if 0 <= i < DECK:
            tag = m.tag[other][i]
            group = m.group[other][i]
        else:
            i = k.offset[place] - <int>(<uint8_t*>s.discard - <uint8_t*>s)
            if not 0 <= i < DECK:
                continue
            tag = m.discard_tag[i]
            group = m.discard_group[i]
        if group and tag >> 2 == m.epoch:
            return place
    return DECK


cdef void follow_hand(Info* k, int observer) noexcept nogil:
    """The chain of the module's docstring, run forward over what happened since the last reshuffle."""
    cdef Memory* m = &k.memory
    cdef Recall* recall = &m.recall[observer]
    cdef Leaving* leaving
    cdef float r[CARDS]
    cdef float v[CARDS]
    cdef float before[HAND + 2]
    cdef float alpha[HAND + 2]
    cdef float n_r = 0, n_v = 0, u, p_fresh, p_old, from_fresh, from_old, total, w_fresh, w_old, share
    cdef int i, f, card, entry, hand = recall.hand, draws = 0, place = k.n_hand - 1
    for i in range(recall.n_log):
        entry = recall.log[i]
        if OWN_DRAW <= entry < OTHER_DRAW:
            k.own_draws[entry - OWN_DRAW] += 1
    for i in range(EPOCHS):
        k.mixed += recall.mixed[i]
    u = k.mixed
    for card in range(CARDS):
        r[card] = recall.recycled[m.epoch][card]
        v[card] = <float>k.counts[card] + k.own_draws[card] - r[card]
        n_r += r[card]
    for i in range(recall.n_log):
        if recall.log[i] < CARDS:
            v[recall.log[i]] += 1
    for card in range(CARDS):
        if v[card] < 0:
            k.impossible = 1
            return
        n_v += v[card]
    memset(alpha, 0, sizeof(alpha))
    alpha[0] = 1
    for i in range(recall.n_log):
        entry = recall.log[i]
        if entry == OTHER_DRAW:
            for f in range(HAND, 0, -1):
                alpha[f] = alpha[f - 1]
            alpha[0] = 0
            hand += 1
            draws += 1
            continue
        card = entry - OWN_DRAW if OWN_DRAW <= entry < OTHER_DRAW else entry
        w_fresh, w_old = 1, 0
        if card < CARDS:
            share = v[card] * u / n_v if n_v > 0 else 0
            p_fresh = (r[card] + share) / (n_r + u) if n_r + u > 0 else 0
            p_old = v[card] / n_v if n_v > 0 else 0
            share = r[card] / (r[card] + share) if r[card] + share > 0 else 0
        else:
            p_fresh = p_old = 1
        if entry < CARDS or entry == OTHER_BANK:
            if hand <= 0:
                k.impossible = 1
                return
            memcpy(before, alpha, sizeof(alpha))
            leaving = &k.leaving[k.n_leaving]
            k.n_leaving += 1
            leaving.draws = draws
            draws = 0
            leaving.card = CARDS if entry == OTHER_BANK else card
            leaving.place = DECK
            if entry == OTHER_BANK:
                place = next_banked(k, place, observer ^ 1)
                leaving.place = place
            total = w_fresh = 0
            for f in range(HAND + 1):
                # f fresh cards are left: either there were f + 1 and one of them went, or an old one went.
                from_old = before[f] * max(hand - f, 0) * p_old
                from_fresh = before[f + 1] * (f + 1) * p_fresh
                alpha[f] = from_old + from_fresh
                leaving.fresh[f] = <uint32_t>(4294967295.0 * (from_fresh / alpha[f])) if alpha[f] > 0 else 0
                total += alpha[f]
                w_fresh += from_fresh
            if total <= 0:
                k.impossible = 1
                return
            for f in range(HAND + 1):
                alpha[f] /= total
            w_fresh /= total
            w_old = 1 - w_fresh
            hand -= 1
        if card < CARDS:
            r[card] = max(r[card] - w_fresh * share, 0)
            n_r = max(n_r - w_fresh * share, 0)
            u = max(u - w_fresh * (1 - share), 0)
            v[card] = max(v[card] - w_old - w_fresh * (1 - share), 0)
            n_v = max(n_v - w_old - w_fresh * (1 - share), 0)
    k.draws_after = draws
    total = 0
    for f in range(HAND + 1):
        total += alpha[f]
        k.fresh_now[f] = total


# --- fill ---

cdef inline void sort_cards(uint8_t* cards, int n) noexcept nogil:
    cdef int i, j
    cdef uint8_t card
    for i in range(1, n):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card


cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil:
    cdef const Info* k = <const Info*>info
    cdef State* s = <State*>state
    cdef Memory* m
    cdef uint8_t* base = <uint8_t*>state
    cdef int other = 2 - k.memory.observer, i, attempt
    for attempt in range(64):
        memcpy(s, &k.state, sizeof(State))
        if k.memory.epoch == 0 or k.impossible or not fill_recycled(k, rng, s):
            fill_alike(k, rng, s)
        sort_steps(k, base)
        sort_cards(s.hand[other], s.n_hand[other])
        if s.player != other or s.n_hand[other] == 0 or choose_step(game, k, rng, s):
            break
    if memory != NULL:
        m = <Memory*>memory
        memcpy(m, &k.memory, sizeof(Memory))
        m.observer = 0
        for i in range(s.n_deck):
            m.start[s.deck[i]] += 1
        # What the other player remembers of the last reshuffle is not known: in this world he has forgotten it.
        m.recall[other].hand = s.n_hand[1 - other]
        m.recall[other].mixed[0] = s.n_deck


cdef void fill_alike(const Info* k, Rng* rng, State* s) noexcept nogil:
    """Every unseen card is as likely in every hidden place."""
    cdef uint8_t cards[DECK]
    cdef uint8_t* base = <uint8_t*>s
    cdef int i, j, n = k.n_unseen, places = min(<int>k.n_places, n)
    cdef uint64_t bits
    memcpy(cards, k.unseen, n)
    for i in range(0, places, 2):
        bits = rng_next(rng)  # serves two cards
        j = i + <int>(((bits >> 32) * <uint64_t>(n - i)) >> 32)
        base[k.offset[i]] = cards[j]
        cards[j] = cards[i]
        if i + 1 < places:
            j = i + 1 + <int>((<uint64_t><uint32_t>bits * <uint64_t>(n - i - 1)) >> 32)
            base[k.offset[i + 1]] = cards[j]
            cards[j] = cards[i + 1]
    memcpy(s.deck, cards + places, min(<int>s.n_deck, n - places))


cdef bint fill_recycled(const Info* k, Rng* rng, State* s) noexcept nogil:
    """After a reshuffle. False: no agreeing world was found (never seen where the knowledge is sound)."""
    cdef uint8_t cap[DECK + 1]
    cdef uint8_t known[DECK]     # cards known to have gone into the draw pile, not seen since
    cdef uint8_t others[DECK]    # the other unseen cards
    cdef uint8_t newest[CARDS]   # of `others`, how many of each kind were seen since the reshuffle
    cdef int n_known, n_others, n_fresh, i, attempt
    for attempt in range(64):
        n_fresh = choose_fresh(k, rng, cap, newest, known, others, &n_known, &n_others)
        if n_fresh >= 0:
            place_cards(k, rng, s, cap, newest, known, n_known, others, n_others, n_fresh)
            return True
    return False


cdef int choose_fresh(
    const Info* k, Rng* rng, uint8_t* cap, uint8_t* gone, uint8_t* known, uint8_t* others, int* n_known, int* n_others
) noexcept nogil:
    """Which hidden cards are fresh (marked in `cap` by this epoch), and which unseen cards are known to come from the last reshuffle.

    Returns how many places are fresh, the hand included (its first places are the fresh ones), or -1 if the choice contradicts itself.
    """
    cdef const Memory* m = &k.memory
    cdef const Recall* recall = &m.recall[m.observer - 1]
    cdef const Leaving* leaving
    cdef uint8_t fresh_seen[CARDS + 1]
    cdef uint8_t old_seen[CARDS + 1]
    cdef int f = 0, i, j, card, n_fresh, fresh, mixed = k.mixed, unknown, r, v, s, low, high, taken
    cdef double weight[DECK]
    cdef double u = rng_uniform(rng), w, total
    memcpy(cap, k.cap, k.n_places)
    memcpy(fresh_seen, k.own_draws, CARDS)
    memset(old_seen, 0, CARDS + 1)
    while f < HAND and k.fresh_now[f] <= u:
        f += 1
    f = min(f, <int>k.n_hand)
    for i in range(f):
        cap[i] = m.epoch
    n_fresh = f
    f -= k.draws_after
    for i in range(k.n_leaving - 1, -1, -1):
        leaving = &k.leaving[i]
        if f < 0:
            return -1
        # Without a branch on what is drawn, which no processor could predict. What does not apply goes to the entry behind the last.
        fresh = <uint32_t>(rng_next(rng) >> 32) < leaving.fresh[f]
        fresh_seen[leaving.card] += fresh
        old_seen[leaving.card] += 1 - fresh
        cap[leaving.place] = m.epoch - 1 + fresh
        f += fresh - <int>leaving.draws
    if f != 0:
        return -1
    for i in range(k.n_hand, k.n_places):
        n_fresh += cap[i] == m.epoch
    # Of the cards that were seen to come out of the draw pile: how many of each kind were known to be in it?
    unknown = 0
    for card in range(CARDS):
        unknown += k.counts[card] + fresh_seen[card] + old_seen[card] - recall.recycled[m.epoch][card]
    n_known[0] = n_others[0] = 0
    for card in range(CARDS):
        s = fresh_seen[card]
        r = recall.recycled[m.epoch][card]
        v = k.counts[card] + s - r  # after the old ones that were seen
        if v < 0:
            return -1
        low = max(0, max(s - v, s - mixed))
        high = min(s, r)
        if low > high:
            return -1
        taken = high
        if low < high:
            # Weights of taking one more of the others each time: each is in the draw pile with probability mixed / unknown.
            weight[0] = total = 1
            for j in range(high - low):
                i = s - high + j  # others taken before this one
                weight[j + 1] = weight[j] * ((high - j) * (v - i) * (mixed - i)) / ((i + 1) * (r - high + j + 1) * (unknown - i))
                total += weight[j + 1]
            w = rng_uniform(rng) * total - 1
            while taken > low and w >= 0:
                taken -= 1
                w -= weight[high - taken]
        mixed -= s - taken
        unknown -= s - taken + old_seen[card]
        gone[card] = s - taken + old_seen[card]
        for i in range(r - taken):
            known[n_known[0]] = card
            n_known[0] += 1
        for i in range(v - (s - taken)):
            others[n_others[0]] = card
            n_others[0] += 1
    # All that went into the draw pile and was not seen is there or in a fresh place.
    if n_known[0] + mixed != n_fresh + k.state.n_deck:
        return -1
    return n_fresh


cdef void place_cards(
    const Info* k, Rng* rng, State* s, const uint8_t* cap, const uint8_t* gone, uint8_t* known, int n_known, uint8_t* others,
    int n_others, int n_fresh
) noexcept nogil:
    """Deals the cards known to be recycled over the fresh places and the draw pile, and the others over what is left."""
    cdef const Memory* m = &k.memory
    cdef uint8_t* base = <uint8_t*>s
    cdef uint8_t* slot[DECK]      # places for the others, those in the draw pile last
    cdef uint8_t slot_cap[DECK]
    cdef uint8_t pool[DECK]       # caps of the unknown cards in the draw pile when the epoch began
    cdef int i, j, c, n_slots = 0, n_pool = 0, pile = n_fresh + s.n_deck, epoch = m.epoch
    # Fresh places and the draw pile are alike: `pile` places for the known cards and some of the others.
    for i in range(k.n_places):
        if cap[i] == epoch and rng_below(rng, pile) < <uint32_t>n_known:
            j = rng_below(rng, n_known)
            base[k.offset[i]] = known[j]
            n_known -= 1
            known[j] = known[n_known]
        else:
            slot[n_slots] = base + k.offset[i]
            slot_cap[n_slots] = cap[i]
            n_slots += 1
        pile -= cap[i] == epoch
    memcpy(s.deck, known, n_known)
    if epoch == 1:
        for i in range(n_slots):
            j = rng_below(rng, n_others)
            slot[i][0] = others[j]
            n_others -= 1
            others[j] = others[n_others]
        memcpy(s.deck + n_known, others, n_others)
        return
    for i in range(n_known, s.n_deck):
        slot[n_slots] = &s.deck[i]
        slot_cap[n_slots] = epoch
        n_slots += 1
    for c in range(EPOCHS):
        for i in range(m.recall[m.observer - 1].mixed[c]):
            pool[n_pool] = c
            n_pool += 1
    for i in range(n_slots):
        if slot_cap[i] == epoch:  # one of the unknown cards that the draw pile began with
            slot_cap[i] = epoch - 1
            if n_pool:
                j = rng_below(rng, n_pool)
                slot_cap[i] = pool[j]
                n_pool -= 1
                pool[j] = pool[n_pool]
    n_others = place_old_classes(k, rng, gone, slot, slot_cap, n_slots, others, n_others)
    for i in range(n_others):
        j = rng_below(rng, n_others - i)
        slot[i][0] = others[j]
        others[j] = others[n_others - i - 1]


cdef int place_old_classes(
    const Info* k, Rng* rng, const uint8_t* gone, uint8_t** slot, uint8_t* slot_cap, int n_slots, uint8_t* others, int n_others
) noexcept nogil:
    """Deals the cards of earlier reshuffles' classes, highest first, to slots that can hold them. Returns how many others are left; the
    slots left are moved to the front."""
    cdef const Memory* m = &k.memory
    cdef const Recall* recall = &m.recall[m.observer - 1]
    cdef uint8_t seen[CARDS]
    cdef int c, card, i, j, n, used = 0, end
    cdef uint8_t* place
    memcpy(seen, gone, CARDS)
    for c in range(m.epoch - 1, 0, -1):
        # slots [used, end) can hold class c
        end = used
        for i in range(used, n_slots):
            if slot_cap[i] >= c:
                place, j = slot[i], slot_cap[i]
                slot[i], slot_cap[i] = slot[end], slot_cap[end]
                slot[end], slot_cap[end] = place, j
                end += 1
        for card in range(CARDS):
            n = recall.recycled[c][card]
            i = min(n, <int>seen[card])  # a card seen counts as one of the highest class: that leaves more open
            seen[card] -= i
            for i in range(n - i):
                if used == end:
                    continue  # dealt with the rest
                for j in range(n_others):
                    if others[j] == card:
                        break
                else:
                    break
                n_others -= 1
                others[j] = others[n_others]
                j = used + rng_below(rng, end - used)
                slot[j][0] = card
                slot[j], slot_cap[j] = slot[used], slot_cap[used]
                used += 1
    for i in range(used, n_slots):
        slot[i - used] = slot[i]
    return n_others


cdef void sort_steps(const Info* k, uint8_t* base) noexcept nogil:
    """Within one income step the cards went down in card order."""
    cdef int g, i, j, first
    cdef uint8_t card, a, b
    for g in range(k.n_sorted):
        first = k.sorted_from[g]
        if k.sorted_count[g] == 2:  # the usual case, without a branch
            a, b = base[k.offset[first]], base[k.offset[first + 1]]
            base[k.offset[first]] = min(a, b)
            base[k.offset[first + 1]] = max(a, b)
            continue
        for i in range(first + 1, first + k.sorted_count[g]):
            card = base[k.offset[i]]
            j = i
            while j > first and base[k.offset[j - 1]] > card:
                base[k.offset[j]] = base[k.offset[j - 1]]
                j -= 1
            base[k.offset[j]] = card


cdef bint choose_step(const GameC* game, const Info* k, Rng* rng, State* s) noexcept nogil:
    """Where in his turn the other player may be, as far as it is hidden: each possible step is equally likely. False: nowhere."""
    cdef int32_t ids[MAX_LEGAL]
    cdef int possible[3]
    cdef int phase, column = s.column, opened = s.opened, n = 0
    if s.phase != STATIONS and s.phase != INCOME:
        return True
    for phase in range(s.phase, PURCHASE + 1):
        set_step(s, phase, column, opened)
        if game.legal(game, s, ids) > 1:
            possible[n] = phase
            n += 1
    if n == 0:
        return False
    set_step(s, possible[rng_below(rng, n)], column, opened)
    return True


cdef void set_step(State* s, int phase, int column, int opened) noexcept nogil:
    s.phase = phase
    s.column = column if phase != PURCHASE else 0
    s.opened = opened if phase != PURCHASE else 0
    if phase == INCOME and s.banked:
        s.banked = 1 + s.pile[s.player][s.n_pile[s.player] - 1]
    elif phase == PURCHASE:
        s.banked = 0


# --- admit ---

cdef enum:
    GAME_OVER = 1
    NOT_NOW = 2
    NO_SUCH_CARD = 3
    NOT_SEEN = 4
    TRAMS_OPEN = 5
    NOT_AFTER_RESHUFFLE = 6
    NO_EVENT = 7


cdef int card_of(int label) noexcept nogil:
    """The hand card that a board or build shows, or UNKNOWN."""
    if label < BUILD:
        return min(label - BOARD, <int>CONDUCTOR)
    if label < OPEN:
        return (label - BUILD) // MAX_COLUMNS
    if label < BANK:
        return min(label - OPEN, <int>CONDUCTOR)
    return UNKNOWN


cdef bint is_legal(const GameC* game, const State* s, int label) noexcept nogil:
    cdef int32_t ids[MAX_LEGAL]
    cdef int i
    for i in range(game.legal(game, s, ids)):
        if ids[i] == label:
            return True
    return False


cdef bint could_buy(const GameC* game, const State* s) noexcept nogil:
    """Whether the player on turn, his income step behind him, could buy a tram."""
    cdef int32_t ids[MAX_LEGAL]
    cdef State at = s[0]
    if at.phase != PURCHASE:
        set_step(&at, PURCHASE, 0, 0)
    return game.legal(game, &at, ids) > 1


cdef int end_other_turn(const GameC* game, Info* k) noexcept nogil:
    """The other player's turn went on to its clean-up unseen."""
    if could_buy(game, &k.state):
        return TRAMS_OPEN
    cdef int other = k.state.player
    while k.state.player == other and (k.state.phase == STATIONS or k.state.phase == INCOME or k.state.phase == PURCHASE):
        game.apply(game, &k.state, &k.memory, DONE)
    return 0


cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil:
    cdef Info trial = (<Info*>info)[0]
    cdef int code = admit_to(game, &trial, label)
    if code == 0:
        prepare(&trial)
        if trial.impossible:
            return NOT_AFTER_RESHUFFLE
        (<Info*>info)[0] = trial
    return code


cdef int admit_to(const GameC* game, Info* k, int32_t label) noexcept nogil:
    cdef State* s = &k.state
    cdef int observer = k.memory.observer - 1, other = 1 - observer, code, hidden
    cdef bint turns = s.player == other and s.n_hand[other] and (s.phase == STATIONS or s.phase == INCOME or s.phase == PURCHASE)
    if not 0 <= label < EVENTS:
        return NO_EVENT
    if s.phase == OVER:
        return GAME_OVER
    if DEAL <= label < DRAW or label == DEAL_UNSEEN:
        if s.phase != DEALING:
            return NOT_NOW
        hidden = s.dealt < START_MONEY + OTHER_MONEY or s.player == other
    elif DRAW <= label <= DRAW_UNSEEN:
        if turns:
            code = end_other_turn(game, k)
            if code:
                return code
        if s.phase != DRAWING:
            return NOT_NOW
        hidden = s.player == other
    else:
        if s.phase == DEALING or s.phase == DRAWING:
            return NOT_NOW
        if turns and s.phase != PASSENGERS and label < BUILD:
            # A board now can only be the observer's: the other's hand was full, he drew nothing.
            code = end_other_turn(game, k)
            if code:
                return code
        if s.player == observer:
            if not is_legal(game, s, label):
                return NOT_NOW
        else:
            code = admit_other(game, k, label)
            if code:
                return code
        game.apply(game, s, &k.memory, label)
        return 0
    # a chance event
    if hidden != (label >= DEAL_UNSEEN):
        return NOT_SEEN
    if not hidden and k.counts[label - (DEAL if label < DRAW else DRAW)] == 0:
        return NO_SUCH_CARD
    game.apply(game, s, &k.memory, label)
    return 0


cdef int admit_other(const GameC* game, Info* k, int32_t label) noexcept nogil:
    """Whether the other player can have done what is seen as `label`."""
    cdef State shown = k.state
    cdef uint8_t* hand = shown.hand[shown.player]
    cdef int i, n = shown.n_hand[shown.player], card = card_of(label)
    if card < CARDS:
        for i in range(n):
            if hand[i] == card or hand[i] == UNKNOWN:
                break
        else:
            return NO_SUCH_CARD
        if hand[i] == UNKNOWN and k.counts[card] == 0:
            return NO_SUCH_CARD
        hand[0] = card  # what is legal with this card does not depend on the others
        shown.n_hand[shown.player] = 1
        return 0 if is_legal(game, &shown, label) else NOT_NOW
    if label == BANK_UNSEEN:
        return 0 if n and (shown.phase == STATIONS or shown.phase == INCOME) else NOT_NOW
    if label == DONE:
        if shown.phase == PASSENGERS:
            return 0 if shown.boarded else NOT_NOW
        return 0 if could_buy(game, &shown) else NOT_SEEN
    if BUY <= label < DONE:
        if shown.phase == PASSENGERS:
            return NOT_NOW
        if shown.phase != PURCHASE:
            set_step(&shown, PURCHASE, 0, 0)
        return 0 if is_legal(game, &shown, label) else NOT_NOW
    return NOT_SEEN
