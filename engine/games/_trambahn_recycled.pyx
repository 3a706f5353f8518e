"""Trambahn after a reshuffle: what went into the draw pile, where it has gone since, and dealing worlds that agree with it.

Before the first reshuffle every unseen card is as likely in one hidden place as in another. Afterwards the draw pile consists of cards known
to have gone into it and of unknown ones (`mixed`), and four things are hidden besides:

*Fresh or old.* A card that leaves the other player's hand is a uniformly random one of it: drawn since the reshuffle (fresh) or held before
(old). The number of fresh cards in his hand is a hidden Markov chain; a shown card weighs the two cases by how likely a fresh or an old card
is of its kind. `follow_hand` runs the chain forward, a try samples it backward (Rabiner 1989, section III).

*Known or mixed.* A card seen to come out of the draw pile is one of those known to be in it or another of its kind.

*Split income steps.* Of the cards that went onto a money pile in one step, in card order, the higher ones may be paid or halved away and
reshuffled. So those left are the lowest of their step, and some that came out of the draw pile may be the others.

*Which is where.* All the rest is a uniform deal.

The first three depend on each other through the numbers of cards. A try samples them one after the other with expected numbers; its weight
(true probability over probability of being tried) decides whether it is taken. `bound` is the highest weight to be reckoned with: found by
going through all cases where they are few, else by trying. After the first reshuffle this is exact but for weights above the bound. After a
second one the cards known from earlier reshuffles are dealt where they can lie, each such deal equally likely.
"""
from libc.math cimport sqrt
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from wattman.engine.games._trambahn_knowledge cimport COPIES, GAP, Case, Info, Kind, Leaving, Split
from wattman.engine.games._trambahn_memory cimport EPOCHS, LOG, OTHER_BANK, OTHER_DRAW, OWN_DRAW, Memory, Recall
from wattman.engine.games._trambahn_state cimport CARDS, CONDUCTOR, DECK, HAND, State, copies
from wattman.engine.games._trambahn_worlds cimport SPLIT, TRIES, Draft, choose_cards, choose_fresh, deal_splits, fill_recycled, ways
from wattman.engine.rng cimport Rng, rng_seed

cdef enum:
    PASSES = 4          # of the chain over its expected numbers
    PILOTS = 48         # tries that look for the highest weight
    CASES = 256         # most cases to go through instead

# --- what happened since the reshuffle ---

cdef int next_banked(const Info* k, int place, int other) noexcept nogil:
    """The first place after `place` that holds income of this epoch, or DECK."""
    cdef const State* s = &k.state
    cdef const Memory* m = &k.memory
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


cdef bint read_log(Info* k, const Recall* recall, int* hands, int* numbers) noexcept nogil:
    """Fills kinds (all of them), leaving, draws_after; hands: his cards before each leaving. numbers: known, others, drawn. False: impossible."""
    cdef int i, card, entry, n, other = 2 - k.memory.observer, hand = recall.hand, draws = 0, others_draws = 0, place = k.n_hand - 1
    cdef Leaving* leaving
    cdef Kind* kind
    for card in range(CARDS):
        kind = &k.kinds[card]
        kind.card = card
        kind.known = recall.recycled[k.memory.epoch][card]
    for i in range(recall.n_log):
        entry = recall.log[i]
        if entry == OTHER_DRAW:
            hand += 1
            draws += 1
            others_draws += 1
            if hand > HAND:
                return False
        elif OWN_DRAW <= entry < OTHER_DRAW:
            k.kinds[entry - OWN_DRAW].drawn += 1
            numbers[2] += 1
        else:
            if hand == 0:
                return False
            leaving = &k.leaving[k.n_leaving]
            hands[k.n_leaving] = hand
            k.n_leaving += 1
            hand -= 1
            leaving.draws = draws
            draws = 0
            leaving.kind = CARDS
            leaving.place = DECK
            if entry == OTHER_BANK:
                place = next_banked(k, place, other)
                if place == DECK:
                    return False
                leaving.place = place
                leaving.banked = 1
                leaving.offset = k.offset[place]
            else:
                leaving.kind = entry
                k.kinds[entry].shown += 1
                k.n_shown += 1
    k.draws_after = draws
    if hand != k.n_hand:
        return False
    for card in range(CARDS):
        kind = &k.kinds[card]
        n = k.counts[card] + kind.drawn + kind.shown
        if n > copies(card) or n < kind.known:
            return False
        kind.others = n - kind.known
        numbers[0] += kind.known
        numbers[1] += kind.others
    # What went into the draw pile is there or has been drawn.
    n = numbers[0] - k.state.n_deck - others_draws - numbers[2]
    for i in range(EPOCHS):
        n += recall.mixed[i]
    return n == 0


cdef bint agrees(const Info* k, const Recall* recall, int mixed) noexcept nogil:
    """Whether the cards seen can have come from where they must: exact but for split steps."""
    cdef uint8_t fresh[LOG]
    cdef uint8_t must[CARDS]     # of a kind: cards shown that are more than were held before
    cdef uint8_t free[CARDS]     # and as many again as could be some known to be in the draw pile
    cdef int i, j, want = k.n_leaving - recall.hand
    cdef const Kind* kind
    memset(fresh, 0, k.n_leaving)
    for i in range(CARDS):
        kind = &k.kinds[i]
        must[i] = max(0, <int>kind.shown - kind.others)
        free[i] = max(0, min(<int>kind.shown - must[i], <int>kind.known - kind.drawn - must[i]))
        mixed -= max(0, <int>kind.drawn + must[i] - kind.known)
    # The last ones of a kind are the fresh ones: that is possible whenever others are.
    for i in range(k.n_leaving - 1, -1, -1):
        j = k.leaving[i].kind
        if j < CARDS and must[j]:
            must[j] -= 1
            fresh[i] = 1
            want -= 1
    if mixed < 0 or not in_time(k, fresh):
        return False
    # He held no more than so many old cards: some more must be fresh, best those that cost no unknown card of the draw pile.
    for j in range(2):
        for i in range(k.n_leaving - 1, -1, -1):
            if want <= 0:
                return True
            if fresh[i]:
                continue
            if k.leaving[i].kind < CARDS:
                if j == 0 and free[k.leaving[i].kind] == 0 or j and mixed == 0:
                    continue
            fresh[i] = 1
            if not in_time(k, fresh):
                fresh[i] = 0
                continue
            want -= 1
            if k.leaving[i].kind < CARDS:
                if j:
                    mixed -= 1
                else:
                    free[k.leaving[i].kind] -= 1
    return want <= 0


cdef bint in_time(const Info* k, const uint8_t* fresh) noexcept nogil:
    """Whether no more fresh cards leave than have been drawn."""
    cdef int i, there = 0
    for i in range(k.n_leaving):
        there += <int>k.leaving[i].draws - fresh[i]
        if there < 0:
            return False
    return True


# --- the chain ---

cdef void follow_hand(Info* k, int observer) noexcept nogil:
    """Everything that tries need; sets `impossible` if no world agrees."""
    cdef const Recall* recall = &k.memory.recall[observer]
    cdef int hands[LOG]
    cdef int numbers[3]
    cdef int i, mixed = 0
    cdef Rng rng
    cdef State trial
    memset(numbers, 0, sizeof(numbers))
    for i in range(EPOCHS):
        mixed += recall.mixed[i]
    k.n_mixed = min(mixed, <int>DECK)
    if mixed > DECK or not read_log(k, recall, hands, numbers) or not agrees(k, recall, mixed):
        k.impossible = 1
        return
    run_chain(k, hands, numbers, mixed)
    drop_idle(k)
    list_fixed(k)
    find_bound(k)
    rng_seed(&rng, 1)
    memcpy(&trial, &k.state, sizeof(State))
    if not fill_recycled(k, &rng, &trial, TRIES):
        k.impossible = 1


cdef void run_chain(Info* k, const int* hands, const int* numbers, int mixed) noexcept nogil:
    """The chain of the module's docstring, over expected numbers that it finds in several passes; and the factors of a try's weight."""
    cdef double fresh[CARDS]       # expected number of the cards shown of a kind that were fresh
    cdef double apart[CARDS]       # expected number of cards seen to come from the draw pile, but not known to be in it
    cdef double by_fresh[CARDS + 1]  # how likely a fresh card is of a kind; of a card put on the money pile nothing is seen
    cdef double by_old[CARDS + 1]
    cdef double n_draw = numbers[0] + mixed, n_others = numbers[1], from_draw, from_mixed, old, tilt = 0, share, left_known, left_others, x
    cdef int i, p
    cdef Kind* kind
    for i in range(CARDS):
        kind = &k.kinds[i]
        fresh[i] = 0.5 * kind.shown
        apart[i] = max(0.0, kind.drawn + fresh[i] - kind.known)
    by_fresh[CARDS] = by_old[CARDS] = 1
    for p in range(PASSES):
        from_draw = from_mixed = old = 0
        for i in range(CARDS):
            from_draw += k.kinds[i].drawn + fresh[i]
            from_mixed += apart[i]
            old += k.kinds[i].shown - fresh[i]
        tilt = max(mixed - from_mixed, 0.3 if mixed else 0.0) / max(n_others - from_mixed - old, 0.5)
        for i in range(CARDS):
            kind = &k.kinds[i]
            x = kind.drawn + fresh[i]
            if kind.shown:
                # What is left of the kind without the one card in question.
                share = <double>(kind.shown - 1) / kind.shown
                left_others = kind.others - (kind.shown - fresh[i]) * share - (apart[i] * (kind.drawn + fresh[i] * share) / x if x > 0 else 0)
                left_known = kind.known - (x - apart[i]) * (kind.drawn + fresh[i] * share) / x if x > 0 else kind.known
                left_others = max(left_others, 0.1 if kind.others else 0.0)
                left_known = max(left_known, 0.1 if kind.known else 0.0)
                by_old[i] = left_others / max(n_others - from_mixed - old + 1, 0.5)
                by_fresh[i] = (left_known + left_others * tilt) / max(n_draw - from_draw + 1, 0.5)
                if by_fresh[i] + by_old[i] <= 0:
                    by_old[i] = 1
                x = by_fresh[i] + by_old[i]
                by_fresh[i] /= x
                by_old[i] /= x
        smooth(k, hands, by_fresh, by_old, fresh, p == PASSES - 1)
        for i in range(CARDS):
            kind = &k.kinds[i]
            x = kind.drawn + fresh[i]
            left_others = max(kind.others - (kind.shown - fresh[i]), 0.0)
            if x > 0 and kind.known + left_others * tilt > 0:
                x *= left_others * tilt / (kind.known + left_others * tilt)
            apart[i] = max(kind.drawn + fresh[i] - kind.known, min(x, left_others))
    k.tilt = tilt
    set_cases(k, by_fresh, by_old)
    from_draw = from_mixed = old = 0
    for i in range(CARDS):
        from_draw += fresh[i]
        from_mixed += apart[i]
        old += k.kinds[i].shown - fresh[i]
    # Falling factorials, each 1 where it is expected to be looked up.
    falling(k.by_mixed, mixed, <int>(from_mixed + 0.5), tilt, False)
    falling(k.by_others, numbers[1], <int>(from_mixed + old + 0.5), 1, True)
    falling(k.by_fresh, numbers[0] + mixed - numbers[2], <int>(from_draw + 0.5), 1, True)
    for i in range(k.n_splits):
        set_lean(k, &k.splits[i], apart, fresh)


cdef void falling(double* out, int n, int one, double by, bint inverse) noexcept nogil:
    """out[j] = n (n - 1) .. (n - j + 1) / by ** j, or the inverse of that, times a constant that makes out[one] 1; 0 beyond n."""
    cdef int j
    cdef double step
    memset(out, 0, (DECK + 1) * sizeof(double))
    n = min(n, <int>DECK)
    one = min(one, n)
    out[one] = 1
    for j in range(one, n):
        step = (n - j) / by if by > 0 else 0
        out[j + 1] = out[j] / step if inverse else out[j] * step
    for j in range(one - 1, -1, -1):
        step = (n - j) / by if by > 0 else 1
        out[j] = out[j + 1] * step if inverse else out[j + 1] / step


cdef void smooth(
    Info* k, const int* hands, const double* by_fresh, const double* by_old, double* fresh, bint last
) noexcept nogil:
    """The chain forward and back: `fresh`, and after the last pass the probabilities that tries use."""
    cdef double before[LOG][HAND + 2]   # [i][f]: f fresh cards are in the hand before leaving i, up to a factor
    cdef double alpha[HAND + 2]
    cdef double beta[HAND + 2]
    cdef double back[HAND + 2]
    cdef double a, b, total, sum_fresh
    cdef int i, j, f
    cdef Leaving* leaving
    memset(alpha, 0, sizeof(alpha))
    alpha[0] = 1
    for i in range(k.n_leaving):
        leaving = &k.leaving[i]
        for j in range(leaving.draws):
            for f in range(HAND, 0, -1):
                alpha[f] = alpha[f - 1]
            alpha[0] = 0
        memcpy(before[i], alpha, sizeof(alpha))
        total = 0
        for f in range(HAND + 1):
            # f fresh cards are left: either there were f + 1 and one of them went, or an old one went.
            a = before[i][f + 1] * (f + 1) * by_fresh[leaving.kind]
            b = before[i][f] * max(hands[i] - f, 0) * by_old[leaving.kind]
            alpha[f] = a + b
            total += a + b
            if last:
                leaving.fresh[f] = <uint32_t>(2147483648.0 * (a / (a + b)) + 0.5) if a + b > 0 else 0
        for f in range(HAND + 1):
            alpha[f] = alpha[f] / total if total > 0 else 0
        alpha[HAND + 1] = 0
    for j in range(k.draws_after):
        for f in range(HAND, 0, -1):
            alpha[f] = alpha[f - 1]
        alpha[0] = 0
    if last:
        total = b = 0
        for f in range(HAND + 1):
            total += alpha[f]
        for f in range(HAND + 1):
            b += alpha[f]
            k.fresh_now[f] = <uint32_t>(2147483648.0 * (b / total)) if total > 0 and f < HAND else 2147483648U
    memset(fresh, 0, CARDS * sizeof(double))
    for f in range(HAND + 2):
        beta[f] = 1
    j = k.draws_after
    for i in range(k.n_leaving - 1, -1, -1):
        # `beta` belongs to after the j draws that follow this leaving.
        leaving = &k.leaving[i]
        total = sum_fresh = 0
        for f in range(HAND + 1):
            b = max(hands[i] - f, 0) * by_old[leaving.kind] * (beta[f + j] if f + j <= HAND else 0)
            a = f * by_fresh[leaving.kind] * (beta[f - 1 + j] if 0 < f and f - 1 + j <= HAND else 0)
            back[f] = a + b
            total += before[i][f] * (a + b)
            sum_fresh += before[i][f] * a
        if leaving.kind < CARDS and total > 0:
            fresh[leaving.kind] += sum_fresh / total
        b = 0
        for f in range(HAND + 1):
            b = max(b, back[f])
        for f in range(HAND + 1):
            beta[f] = back[f] / b if b > 0 else 0
        j = leaving.draws


cdef void set_cases(Info* k, const double* by_fresh, const double* by_old) noexcept nogil:
    """kinds.cases and crowd: how many are mixed, and the weight of a number of fresh ones: its true share over the chain's."""
    cdef int i, f, low, high, m, a, b, j
    cdef double weight[COPIES + 1]
    cdef uint32_t limit[COPIES + 1]
    cdef double w[COPIES + 1]
    cdef double total, running, chain, top
    cdef Kind* kind
    cdef Case* case
    for i in range(CARDS):
        kind = &k.kinds[i]
        top = 0
        for f in range(kind.shown + 1):
            a, b = kind.drawn + f, kind.shown - f
            low, high = max(0, a - <int>kind.known), min(a, <int>kind.others - b)
            total = running = 0
            for m in range(low, high + 1):
                w[m] = ways(kind, a, b, m, k.tilt)
                total += w[m]
            for m in range(COPIES):
                if low <= m < high:
                    running += w[m]
                limit[m] = 0 if m < low else 2147483648U if m >= high or total <= 0 else <uint32_t>(2147483648.0 * (running / total) + 0.5)
            chain = 1
            for j in range(f):
                chain *= by_fresh[i]
            for j in range(b):
                chain *= by_old[i]
            weight[f] = total / chain if chain > 0 else 0
            top = max(top, weight[f])
            if low > high:  # cannot be; such a try is dropped for its weight
                memset(limit, 255, sizeof(limit))
                a, b = kind.known, kind.others
            if i < CONDUCTOR:
                case = &kind.cases[f]
                memcpy(case.limit, limit, sizeof(case.limit))
                case.known = kind.known - a
                case.others = kind.others - b
            else:
                memcpy(k.crowd.limit[f], limit, sizeof(k.crowd.limit[f]))
                k.crowd.known[f] = kind.known - a
                k.crowd.others[f] = kind.others - b
        for f in range(kind.shown + 1):
            if i < CONDUCTOR:
                kind.cases[f].weight = <float>(weight[f] / top) if top > 0 else 0
            else:
                k.crowd.weight[f] = <float>(weight[f] / top) if top > 0 else 0


cdef void set_lean(const Info* k, Split* split, const double* apart, const double* fresh) noexcept nogil:
    """split.lean, with expected numbers for those that `deal_split` will find."""
    cdef double lean[CARDS]
    cdef double seen = 0, others = 0, left = k.n_mixed, above, w, term, n = 0
    cdef int card, x, j
    cdef const Kind* kind
    for card in range(CARDS):
        n += k.kinds[card].others - apart[card] - (k.kinds[card].shown - fresh[card])
        left -= apart[card]
    n = max(n, split.count + 1.0)
    left = max(left, 0.5)
    for card in range(CARDS - 1, -1, -1):
        kind = &k.kinds[card]
        others += max(0.0, 0.5 * (kind.others - apart[card] - (kind.shown - fresh[card])))
        seen += 0.75 * apart[card]
        w = 0
        for x in range(split.lost + 1):
            term = 1
            for j in range(x):
                term *= max(seen - j, 0.02) / (j + 1)
            for j in range(split.lost - x):
                above = max(others - j, 0.02) / (j + 1)
                term *= above * max(left - j, 0.05) / max(n - split.count - j, 1.0)
            w += term
        lean[card] = w
        others += max(0.0, 0.5 * (kind.others - apart[card] - (kind.shown - fresh[card])))
        seen += 0.25 * apart[card]
    for card in range(CARDS):
        split.lean[card] = <uint16_t>(1 + 65000 * lean[card] / lean[0])


cdef void drop_idle(Info* k) noexcept nogil:
    """Kinds of which all is certain need no look: their cards go into lists, unless classes matter."""
    cdef uint8_t index[CARDS + 1]
    cdef int i, mixed, known, others, gap = 0, n = 0
    cdef Kind* kind
    index[CARDS] = CARDS
    for i in range(CARDS):
        kind = &k.kinds[i]
        mixed = max(0, <int>kind.drawn - kind.known)
        known, others = kind.known - kind.drawn + mixed, kind.others - mixed
        if k.memory.epoch == 1 and kind.shown == 0 and mixed == min(kind.drawn, kind.others) and gap + others <= GAP:
            memset(&k.idle_seen[k.n_idle_seen], i, mixed)
            k.n_idle_seen += mixed
            memset(&k.idle_known[k.n_idle_known], i, known)
            k.n_idle_known += known
            memset(&k.idle_others[GAP + k.n_idle_others], i, others)
            k.n_idle_others += others
            gap += others
        elif kind.known or kind.others:
            index[i] = n
            if n < i:
                k.kinds[n] = kind[0]
            k.kinds[n].gap = gap
            k.kinds[n].only = only_class(k, &k.kinds[n])
            gap = 0
            n += 1
    k.last_gap = gap
    k.n_kinds = n
    memset(&k.kinds[n], 0, (CARDS - n) * sizeof(Kind))
    for i in range(k.n_leaving):
        k.leaving[i].kind = index[k.leaving[i].kind]


cdef int only_class(const Info* k, const Kind* kind) noexcept nogil:
    """The class of all of kind.others, EPOCHS if they are of several."""
    cdef const Recall* recall = &k.memory.recall[k.memory.observer - 1]
    cdef int c, only = 0, left = kind.others
    for c in range(1, k.memory.epoch):
        if recall.recycled[c][kind.card]:
            only = c if recall.recycled[c][kind.card] == kind.others else EPOCHS
        left -= recall.recycled[c][kind.card]
    return only if left == (kind.others if only == 0 else 0) else EPOCHS


cdef void list_fixed(Info* k) noexcept nogil:
    """The places where nothing can be fresh. After the first reshuffle any card that was there before may lie in them."""
    cdef uint8_t new[DECK + 1]
    cdef int i
    memset(new, 0, DECK + 1)
    for i in range(k.n_leaving):
        new[k.leaving[i].place] = 1
    for i in range(k.n_hand, k.n_places):
        if not new[i] and k.cap[i] != SPLIT:
            k.fixed[k.n_fixed] = k.offset[i]
            k.n_fixed += 1


cdef void find_bound(Info* k) noexcept nogil:
    """The highest weight a try can have, or the highest that came up."""
    cdef uint8_t f[CARDS]
    cdef Draft d
    cdef Rng rng
    cdef double w, total = 0, squares = 0, highest = 0, exact = 0, spread
    cdef int i, m, low, high, fresh, tried = 0, n = 0, cases = 1
    cdef const Kind* kind
    rng_seed(&rng, 2)
    for i in range(TRIES):
        if tried == PILOTS:
            break
        w = choose_cards(k, &rng, &d) if choose_fresh(k, &rng, &d) else 0
        if w > 0 and k.n_splits and k.memory.epoch == 1:
            w *= deal_splits(k, &rng, &d, NULL)
        tried += w > 0
        total += w
        squares += w * w
        highest = max(highest, w)
        n += 1
    if total == 0:
        return
    spread = sqrt(max(0.0, squares * n / (total * total) - 1))
    for i in range(k.n_kinds):
        cases = min(cases * (k.kinds[i].shown + 1), CASES + 1)
    if cases > CASES or k.n_splits:
        # With a small spread what lies above this bound is less than one in a hundred of all.
        k.bound = total / n * (1 + 1.5 * spread) if spread < 0.2 else highest * (1 + spread)
        return
    memset(f, 0, k.n_kinds)
    while True:
        w = 1
        fresh = 0
        low = high = k.n_idle_seen
        for i in range(k.n_kinds):
            kind = &k.kinds[i]
            w *= kind.cases[f[i]].weight if kind.card < CONDUCTOR else k.crowd.weight[f[i]]
            fresh += f[i]
            low += max(0, kind.drawn + <int>f[i] - kind.known)
            high += min(kind.drawn + <int>f[i], <int>kind.others - kind.shown + f[i])
        if w > 0:
            for m in range(low, high + 1):
                exact = max(exact, w * k.by_fresh[fresh] * k.by_mixed[m] * k.by_others[m + k.n_shown - fresh])
        i = 0
        while i < k.n_kinds and f[i] == k.kinds[i].shown:
            f[i] = 0
            i += 1
        if i == k.n_kinds:
            break
        f[i] += 1
    k.bound = max(highest, min(exact, highest * (1 + 4 * spread)))


