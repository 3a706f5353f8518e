"""Trambahn after a reshuffle: dealing worlds. What a try is and why it is right is told in _trambahn_recycled.pyx."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from wattman.engine.games._trambahn_knowledge cimport COPIES, GAP, Case, Info, Kind, Leaving, Split
from wattman.engine.games._trambahn_memory cimport EPOCHS, Recall
from wattman.engine.games._trambahn_state cimport CARDS, CONDUCTOR, DECK, HAND, State
from wattman.engine.rng cimport Rng, rng_below, rng_next, rng_uniform

cdef uint32_t CHOOSE[HAND + 1][DECK + 1]   # [j][n]: n over j
cdef double INVERSE[DECK + 1]              # 1 / n


cdef void set_tables() noexcept:
    cdef int n, j
    for n in range(DECK + 1):
        INVERSE[n] = 1.0 / n if n else 0
        CHOOSE[0][n] = 1
        for j in range(1, HAND + 1):
            CHOOSE[j][n] = CHOOSE[j - 1][n - 1] + CHOOSE[j][n - 1] if n else 0


set_tables()


cdef bint choose_fresh(const Info* k, Rng* rng, Draft* d) noexcept nogil:
    """Which cards of the other player are fresh: d.fresh, d.old, d.new, d.cap. False: the try contradicts what is known."""
    cdef const Leaving* leaving
    cdef int f = 0, i, fresh, n_old, n_new, epoch = k.memory.epoch
    cdef Rng own = rng[0]  # see deal
    cdef uint64_t bits = rng_next(&own)
    cdef uint32_t pick = <uint32_t>(bits >> 33)
    memset(d.fresh, 0, CARDS + 1)
    while f < k.n_hand and k.fresh_now[f] <= pick:
        f += 1
    # His hand are the first places; one fresh card in it is as good as another.
    memcpy(d.new, k.offset, HAND * sizeof(uint16_t))
    memcpy(d.old, k.offset + f, HAND * sizeof(uint16_t))
    n_new, n_old = f, k.n_hand - f
    if epoch > 1:
        memcpy(d.cap, k.cap, DECK)
        memset(d.cap, epoch, f)
    f -= k.draws_after
    for i in range(k.n_leaving - 1, -1, -1):
        leaving = &k.leaving[i]
        if f < 0:
            break
        if i & 1:
            bits = rng_next(&own) >> 1  # serves two
        # Without a branch on what is drawn, which no processor could predict. What does not apply is written over, or behind the last.
        fresh = (<uint32_t>bits & 0x7FFFFFFF) < leaving.fresh[f]
        bits >>= 32
        d.fresh[leaving.kind] += fresh
        d.cap[leaving.place] = epoch - 1 + fresh
        d.new[n_new] = leaving.offset
        n_new += fresh & leaving.banked
        d.old[n_old] = leaving.offset
        n_old += ~fresh & leaving.banked
        f += fresh - <int>leaving.draws
    d.n_old, d.n_new = n_old, n_new
    rng[0] = own
    return f == 0


cdef double choose_cards(const Info* k, Rng* rng, Draft* d) noexcept nogil:
    """Known or mixed: d.mixed, d.seen, d.cards. Returns the try's weight, 0 if it contradicts what is known."""
    cdef const Kind* kind
    cdef const Case* case
    cdef Rng own = rng[0]  # see deal
    cdef uint64_t alike, bits = rng_next(&own)
    cdef uint32_t four, pick = <uint32_t>(bits >> 33)
    cdef int i, j, f, m = 0, n_seen = k.n_idle_seen, sum_fresh = 0, last = k.n_kinds - 1
    cdef int first = MIDDLE, end = MIDDLE + k.n_idle_known
    cdef const uint8_t* idle = &k.idle_others[GAP + k.n_idle_others]
    cdef double w = 1
    memcpy(&d.cards[MIDDLE], k.idle_known, DECK)
    if n_seen:
        memcpy(d.seen, k.idle_seen, DECK)
    # More cards are written than count, the next ones write over those: no branch on a number that changes with every try.
    memcpy(&d.cards[first - GAP], idle - GAP, GAP)
    first -= k.last_gap
    idle -= k.last_gap
    if last >= 0 and k.kinds[last].card == CONDUCTOR:
        f = d.fresh[last]
        for j in range(COPIES):
            m += pick >= k.crowd.limit[f][j]
        alike = CONDUCTOR * <uint64_t>0x0101010101010101
        memcpy(&d.cards[first - 8], &alike, 8)
        first -= k.crowd.others[f] - m
        memcpy(&d.cards[end], &alike, 8)
        end += k.crowd.known[f] + m
        memcpy(&d.seen[n_seen], &alike, 8)
        n_seen += m
        w = k.crowd.weight[f]
        d.mixed[last] = m
        sum_fresh = f
        memcpy(&d.cards[first - GAP], idle - GAP, GAP)
        first -= k.kinds[last].gap
        idle -= k.kinds[last].gap
        last -= 1
    for i in range(last, -1, -1):
        if i & 1:
            bits = rng_next(&own) >> 1  # serves two
        kind = &k.kinds[i]
        f = d.fresh[i]
        case = &kind.cases[f]
        pick = <uint32_t>bits & 0x7FFFFFFF
        bits >>= 32
        m = (pick >= case.limit[0]) + (pick >= case.limit[1]) + (pick >= case.limit[2])
        w *= case.weight
        four = kind.card * <uint32_t>0x01010101
        memcpy(&d.cards[first - 4], &four, 4)
        first -= case.others - m
        memcpy(&d.cards[end], &four, 4)
        end += case.known + m
        memcpy(&d.seen[n_seen], &four, 4)
        n_seen += m
        d.mixed[i] = m
        sum_fresh += f
        memcpy(&d.cards[first - GAP], idle - GAP, GAP)
        first -= kind.gap
        idle -= kind.gap
    d.first, d.end, d.n_seen = first, end, n_seen
    rng[0] = own
    return w * k.by_fresh[sum_fresh] * k.by_mixed[n_seen] * k.by_others[n_seen + k.n_shown - sum_fresh]


cdef double deal_splits(const Info* k, Rng* rng, Draft* d, State* s) noexcept nogil:
    """Deals the places of split steps (to `s`, if it is given) and chooses which cards were the higher ones of these steps: some of those
    seen, the others are in the draw pile or fresh. Returns the factor of the try's weight."""
    cdef double weight = 1
    cdef int g, left = k.n_mixed - d.n_seen  # unknown cards of the draw pile that have not been seen
    for g in range(k.n_splits):
        weight *= deal_split(k, &k.splits[g], rng, d, s, &left)
        if weight <= 0:
            break
    return weight


cdef double deal_split(const Info* k, const Split* split, Rng* rng, Draft* d, State* s, int* left) noexcept nogil:
    cdef uint8_t* others = &d.cards[d.first]
    cdef uint8_t picked[HAND]
    cdef double gone[HAND + 1]
    cdef double terms[HAND + 1]
    cdef double weight, u, h = 0
    cdef uint64_t running[DECK]
    cdef uint64_t pick, total = 0
    cdef int i, j, x, top, card, start, behind, above = 0, here = 0, higher = 0, seen = 0
    cdef int lost = split.lost, count = split.count, n = MIDDLE - d.first
    if n < count:
        return 0
    # The highest card of the places; `running` sums up how many sets of places it can be the highest of.
    for i in range(count - 1, n):
        total += split.lean[others[i]] * <uint64_t>CHOOSE[count - 1][i]
        running[i] = total
    pick = <uint64_t>(total * rng_uniform(rng))
    top = count - 1
    while running[top] <= pick:
        top += 1
    card = others[top]
    behind = n - 1 - top
    weight = total / (split.lean[card] * <double>CHOOSE[count][n])
    # How many of the lost ones have been seen? In how many ways are j of them behind `top` and in the draw pile?
    gone[0] = 1
    for j in range(lost):
        gone[j + 1] = gone[j] * ((behind - j) * (left[0] - j)) * (INVERSE[j + 1] * INVERSE[n - count - j]) if n - count > j else 0
    for i in range(d.n_seen):
        above += d.seen[i] >= card
    for x in range(lost + 1):
        terms[x] = CHOOSE[x][above] * gone[lost - x]
        h += terms[x]
    if h <= 0:
        return 0
    weight *= h
    u = h * rng_uniform(rng)
    x = 0
    while x < lost and u >= terms[x]:
        u -= terms[x]
        x += 1
    while terms[x] == 0:  # rounding
        x -= 1
    # The cards of the other places: any of the first `top` (Floyd's way).
    picked[count - 1] = top
    for i in range(count - 1):
        j = top - (count - 1) + i
        picked[i] = rng_below(rng, j + 1)
        for start in range(i):
            if picked[start] == picked[i]:
                picked[i] = j
                break
    for i in range(count):
        here += others[picked[i]] == card
    # The lost ones that have been seen: any of those above.
    for i in range(x):
        j = -1
        for start in range(rng_below(rng, above - i) + 1):
            j += 1
            while d.seen[j] < card:
                j += 1
        seen += d.seen[j] == card
        d.n_seen -= 1
        d.seen[j] = d.seen[d.n_seen]
    # The lost ones that have not: any of those behind `top`. They come to lie just behind it.
    left[0] -= lost - x
    for i in range(top + 1, top + 1 + lost - x):
        j = i + rng_below(rng, n - i)
        higher += others[j] == card
        d.cards[d.end] = others[j]
        d.end += 1
        memmove(&others[i + 1], &others[i], j - i)
    # Which of equal cards lies higher is a matter of chance: that those seen do.
    if seen:
        weight *= <double>CHOOSE[here][here + higher] / CHOOSE[here][here + higher + seen]
    # Out of `others` with all of them: what is left before each moves up.
    sort_cards(picked, count)
    j = top + 1 + lost - x
    for i in range(count - 1, -1, -1):
        if s != NULL:
            (<uint8_t*>s)[k.offset[split.first + i]] = others[picked[i]]
        start = picked[i - 1] + 1 if i else 0
        j -= picked[i] - start
        memmove(&others[j], &others[start], picked[i] - start)
    d.first += j
    return weight


cdef bint fill_recycled(const Info* k, Rng* rng, State* s, int tries) noexcept nogil:
    """Deals all hidden cards. False: no try succeeded."""
    cdef Draft d
    cdef double w
    cdef int attempt
    cdef bint split = k.n_splits and k.memory.epoch == 1
    for attempt in range(tries):
        if not choose_fresh(k, rng, &d):
            continue
        w = choose_cards(k, rng, &d)
        if w > 0 and split:
            w *= deal_splits(k, rng, &d, s)
        if w <= 0 or w < k.bound and rng_uniform(rng) * k.bound >= w:
            continue
        if place_others(k, rng, s, &d) if k.memory.epoch == 1 else place_classes(k, rng, s, &d):
            return place_fresh(k, rng, s, &d)
    return False


cdef bint place_others(const Info* k, Rng* rng, State* s, Draft* d) noexcept nogil:
    """Deals cards not known to be in the draw pile to the places that are not fresh."""
    if k.n_fixed + d.n_old > MIDDLE - d.first:
        return False
    deal(rng, &d.cards[d.first], MIDDLE - d.first, <uint8_t*>s, k.fixed, k.n_fixed)
    d.first += k.n_fixed
    deal(rng, &d.cards[d.first], MIDDLE - d.first, <uint8_t*>s, d.old, d.n_old)
    d.first += d.n_old
    return True


cdef bint place_fresh(const Info* k, Rng* rng, State* s, Draft* d) noexcept nogil:
    """Deals what is left to the fresh places and the draw pile."""
    if d.end - d.first != d.n_new + k.state.n_deck:
        return False
    deal(rng, &d.cards[d.first], d.end - d.first, <uint8_t*>s, d.new, d.n_new)
    memcpy(s.deck, &d.cards[d.first + d.n_new], d.end - d.first - d.n_new)
    return True


# --- after two reshuffles or more ---

cdef struct Slot:
    # Where one of the others may lie: a place, or the draw pile and the fresh places.
    uint16_t offset         # of a place, as byte in State
    uint8_t in_pile         # 1: no place
    uint8_t cap
    uint8_t card
    uint8_t of_class        # that card's class


cdef bint place_classes(const Info* k, Rng* rng, State* s, Draft* d) noexcept nogil:
    """As place_others, where cards known from earlier reshuffles cannot lie everywhere. False: there is no room for them."""
    cdef const Recall* recall = &k.memory.recall[k.memory.observer - 1]
    cdef uint8_t* base = <uint8_t*>s
    cdef uint8_t of_class[EPOCHS][DECK + 8]
    cdef int n_class[EPOCHS]
    cdef int left[EPOCHS]
    cdef Slot slots[DECK]
    cdef Slot was
    cdef uint8_t pool[DECK]
    cdef const Kind* kind
    cdef uint64_t alike
    cdef int i, j, c, n, again, gone, used, end, caps = 0, n_slots = 0, n_pool = 0, epoch = k.memory.epoch
    # Of each kind: which classes were those seen again? Any of the cards alike.
    memset(n_class, 0, sizeof(n_class))
    for i in range(k.n_kinds):
        kind = &k.kinds[i]
        alike = kind.card * <uint64_t>0x0101010101010101  # eight are written, the next kind writes over those too many
        again = d.mixed[i] + kind.shown - d.fresh[i]
        c = kind.only
        if c < EPOCHS:
            memcpy(&of_class[c][n_class[c]], &alike, 8)
            n_class[c] += kind.others - again
            continue
        n = left[0] = kind.others
        for c in range(1, epoch):
            left[c] = recall.recycled[c][kind.card]
            left[0] -= left[c]
        if left[0] < 0:
            return False
        for gone in range(again):
            j = rng_below(rng, n)
            n -= 1
            c = 0
            while j >= left[c]:
                j -= left[c]
                c += 1
            left[c] -= 1
        for c in range(epoch):
            memcpy(&of_class[c][n_class[c]], &alike, 8)
            n_class[c] += left[c]
    # The slots: places that are not fresh, and so many unknown cards of the draw pile.
    for i in range(k.n_places):
        slots[n_slots].offset = k.offset[i]
        slots[n_slots].in_pile = 0
        slots[n_slots].cap = d.cap[i]
        n_slots += d.cap[i] != epoch
    for c in range(EPOCHS):
        memset(&pool[n_pool], c, recall.mixed[c])
        n_pool += recall.mixed[c]
        caps += recall.mixed[c] > 0
    if not n_slots <= MIDDLE - d.first <= n_slots + n_pool:
        return False
    while n_slots < MIDDLE - d.first:
        j = rng_below(rng, n_pool) if caps > 1 else 0
        slots[n_slots].offset = <uint16_t>(<uint8_t*>&s.deck - base)  # filled later: what is written there does not count
        slots[n_slots].in_pile = 1
        slots[n_slots].cap = min(<int>pool[j], epoch - 1)
        n_slots += 1
        n_pool -= 1
        pool[j] = pool[n_pool]
    # Highest class first: slots [used, end) can hold it.
    used = 0
    for c in range(epoch - 1, -1, -1):
        end = used if c else n_slots
        for i in range(end, n_slots):  # without a branch
            was = slots[i]
            slots[i] = slots[end]
            slots[end] = was
            end += was.cap >= c
        if end - used < n_class[c]:
            return False
        for i in range(n_class[c]):
            j = used + rng_below(rng, end - used)
            was = slots[j]
            slots[j] = slots[used]
            was.card = of_class[c][i]
            was.of_class = c
            slots[used] = was
            used += 1
    for i in range(n_slots):
        base[slots[i].offset] = slots[i].card
    if k.n_splits:
        lower_splits(k, rng, base, slots, n_slots)
    d.first = MIDDLE
    for i in range(n_slots):
        d.cards[d.end] = slots[i].card
        d.end += slots[i].in_pile
    return True


cdef void lower_splits(const Info* k, Rng* rng, uint8_t* base, Slot* slots, int n) noexcept nogil:
    """What is left of a split step is the lowest of it: the higher cards may be any unseen ones that could have gone with it."""
    cdef const Split* split
    cdef Slot* slot
    cdef uint8_t* place
    cdef uint8_t was
    cdef int g, i, gone, limit
    for g in range(k.n_splits):
        split = &k.splits[g]
        limit = k.cap[split.first]
        for gone in range(split.lost):
            slot = &slots[rng_below(rng, n)]
            if not slot.in_pile or slot.cap < limit or slot.of_class > limit:
                continue  # that one has been seen, or has gone another way
            place = &base[k.offset[split.first]]
            for i in range(split.first + 1, split.first + split.count):
                if base[k.offset[i]] > place[0]:
                    place = &base[k.offset[i]]
            if place[0] > slot.card:
                was = place[0]
                place[0] = slot.card
                slot.card = was
                slot.of_class = limit
