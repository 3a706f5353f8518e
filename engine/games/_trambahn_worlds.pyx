"""Trambahn after a reshuffle: dealing worlds. What a try is and why it is right is told in _trambahn_recycled.pyx."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from wattman.engine.games._trambahn_knowledge cimport COPIES, Info, Kind, Leaving, Split
from wattman.engine.games._trambahn_memory cimport EPOCHS, Recall
from wattman.engine.games._trambahn_state cimport CARDS, DECK, HAND, State
from wattman.engine.rng cimport Rng, rng_below, rng_next, rng_uniform

cdef uint32_t CHOOSE[DECK + 1][HAND + 1]   # n over j


cdef void set_choose() noexcept:
    cdef int n, j
    for n in range(DECK + 1):
        CHOOSE[n][0] = 1
        for j in range(1, HAND + 1):
            CHOOSE[n][j] = CHOOSE[n - 1][j - 1] + CHOOSE[n - 1][j] if n else 0


set_choose()


cdef double choose_path(const Info* k, Rng* rng, Draft* d) noexcept nogil:
    """Fresh or old, known or mixed: d.cap, d.fresh, d.mixed. Returns the try's weight, 0 if it contradicts what is known."""
    cdef const Leaving* leaving
    cdef const Kind* kind
    cdef int f = 0, i, fresh, m, sum_fresh = 0, sum_mixed = 0, epoch = k.memory.epoch
    cdef uint64_t bits = rng_next(rng)
    cdef uint32_t pick = <uint32_t>(bits >> 33)
    cdef double w = 1
    memcpy(d.cap, k.cap, k.n_places)
    memset(d.fresh, 0, CARDS + 1)
    while f < k.n_hand and k.fresh_now[f] <= pick:
        f += 1
    memset(d.cap, epoch, f)
    f -= k.draws_after
    for i in range(k.n_leaving - 1, -1, -1):
        leaving = &k.leaving[i]
        if f < 0:
            return 0
        if i & 1:
            bits = rng_next(rng) >> 1  # serves two
        # Without a branch on what is drawn, which no processor could predict. What does not apply goes to the entry behind the last.
        fresh = (<uint32_t>bits & 0x7FFFFFFF) < leaving.fresh[f]
        bits >>= 32
        d.fresh[leaving.kind] += fresh
        d.cap[leaving.place] = epoch - 1 + fresh
        f += fresh - <int>leaving.draws
    if f != 0:
        return 0
    for i in range(k.n_kinds):
        kind = &k.kinds[i]
        fresh = d.fresh[i]
        w *= kind.weight[fresh]
        m = kind.drawn + fresh
        if m and kind.known:
            m = choose_mixed(k, kind, rng, m, kind.others - kind.shown + fresh)
        d.mixed[i] = m
        sum_fresh += fresh
        sum_mixed += m
    return w * k.by_fresh[sum_fresh] * k.by_mixed[sum_mixed] * k.by_others[sum_mixed + k.n_shown - sum_fresh]


cdef inline int choose_mixed(const Info* k, const Kind* kind, Rng* rng, int a, int v) noexcept nogil:
    """Of `a` cards of a kind seen to come from the draw pile, how many are of the v others."""
    cdef double w[COPIES + 1]
    cdef double total = 0
    cdef int m, low = max(0, a - <int>kind.known), high = min(a, v)
    if low >= high:
        return low
    if a == 1:
        total = v * k.tilt
        return rng_uniform(rng) * (kind.known + total) < total
    for m in range(low, high + 1):
        w[m] = ways(kind, a, kind.others - v, m, k.tilt)
        total += w[m]
    total *= rng_uniform(rng)
    m = low
    while m < high and total >= w[m]:
        total -= w[m]
        m += 1
    return m


cdef void gather(const Info* k, Draft* d) noexcept nogil:
    """The cards that are still unseen, after choose_path: d.known, d.others, d.seen."""
    cdef const Kind* kind
    cdef uint64_t eight
    cdef int i, n_known = k.n_idle_known, n_others = k.n_idle_others, n_seen = 0
    memcpy(d.known, k.idle_known, n_known)
    memcpy(d.others, k.idle_others, n_others)
    for i in range(k.n_kinds):
        kind = &k.kinds[i]
        # Eight are always written, the next kind writes over those too many: no branch on a number of cards that changes with every try.
        eight = kind.card * <uint64_t>0x0101010101010101
        memcpy(&d.known[n_known], &eight, 8)
        n_known += kind.known - kind.drawn - d.fresh[i] + d.mixed[i]
        memcpy(&d.others[n_others], &eight, 8)
        n_others += kind.others - d.mixed[i] - kind.shown + d.fresh[i]
        memcpy(&d.seen[n_seen], &eight, 8)
        n_seen += d.mixed[i]
    d.n_known, d.n_others, d.n_seen, d.n_loose = n_known, n_others, n_seen, 0


cdef double deal_splits(const Info* k, Rng* rng, Draft* d, State* s) noexcept nogil:
    """Deals the places of split steps (to `s`, if it is given) and chooses which cards were the higher ones of these steps: some of those
    seen, the others go to d.loose. Returns the factor of the try's weight; see set_lean for what it is measured against."""
    cdef const Split* split
    cdef uint8_t* base = <uint8_t*>s
    cdef uint8_t picked[HAND]
    cdef double terms[HAND + 1]
    cdef double weight = 1, u, h, all_ways
    cdef uint64_t running[DECK]
    cdef uint64_t total, pick
    cdef int g, i, j, q, x, n, top, card, lost, count, above, equal, alike, left = 0
    for i in range(EPOCHS):
        left += k.memory.recall[k.memory.observer - 1].mixed[i]
    left -= d.n_seen  # unknown cards of the draw pile that have not been seen
    for g in range(k.n_splits):
        split = &k.splits[g]
        lost, count, n = split.lost, split.count, d.n_others
        if n < count:
            return 0
        # The highest of the places: the top-th of the other cards. The rest of the places are any of those before it.
        total = 0
        for i in range(count - 1, n):
            total += split.lean[d.others[i]] * <uint64_t>CHOOSE[i][count - 1]
            running[i] = total
        pick = <uint64_t>(total * rng_uniform(rng))
        top = count - 1
        while running[top] <= pick:
            top += 1
        card = d.others[top]
        # How many of the higher ones have been seen?
        above = equal = 0
        for i in range(d.n_seen):
            above += d.seen[i] >= card
            equal += d.seen[i] == card
        h = 0
        for x in range(lost + 1):
            terms[x] = 0
            if x <= above and lost - x <= n - 1 - top and lost - x <= left:
                terms[x] = <double>CHOOSE[above][x] * CHOOSE[n - 1 - top][lost - x]
                for i in range(lost - x):
                    terms[x] *= <double>(left - i) / (n - count - i)
            h += terms[x]
        if h <= 0:
            return 0
        all_ways = split.lean[card]
        for i in range(count):
            all_ways *= n - i
        weight *= h * total / all_ways
        u = h * rng_uniform(rng)
        x = 0
        while x < lost and u >= terms[x]:
            u -= terms[x]
            x += 1
        while terms[x] == 0:  # rounding
            x -= 1
        # The other places: any count - 1 of the first `top` (Floyd's way).
        picked[count - 1] = top
        for i in range(count - 1):
            j = top - (count - 1) + i
            picked[i] = rng_below(rng, j + 1)
            for q in range(i):
                if picked[q] == picked[i]:
                    picked[i] = j
                    break
        alike = 0
        for i in range(count):
            alike += d.others[picked[i]] == card
        # The higher ones that have not been seen: any behind `top`.
        q = alike
        left -= lost - x
        for i in range(lost - x):
            j = top + 1 + rng_below(rng, d.n_others - top - 1)
            q += d.others[j] == card
            d.loose[d.n_loose] = d.others[j]
            d.n_loose += 1
            d.n_others -= 1
            memmove(&d.others[j], &d.others[j + 1], d.n_others - j)
        # And those that have.
        equal = 0
        for i in range(x):
            j = -1
            for n in range(rng_below(rng, above - i) + 1):
                j += 1
                while d.seen[j] < card:
                    j += 1
            equal += d.seen[j] == card
            d.n_seen -= 1
            d.seen[j] = d.seen[d.n_seen]
        # Which of equal cards lies higher is a matter of chance: that those seen do.
        if equal:
            weight *= <double>CHOOSE[q][alike] / CHOOSE[q + equal][alike]
        sort_cards(picked, count)
        for i in range(count - 1, -1, -1):
            j = picked[i]
            if s != NULL:
                base[k.offset[split.first + i]] = d.others[j]
            d.n_others -= 1
            memmove(&d.others[j], &d.others[j + 1], d.n_others - j)
    return weight


cdef bint fill_recycled(const Info* k, Rng* rng, State* s, int tries) noexcept nogil:
    """Deals all hidden cards. False: no try succeeded."""
    cdef Draft d
    cdef double w
    cdef int attempt
    cdef bint split = k.n_splits and k.memory.epoch == 1
    for attempt in range(tries):
        w = choose_path(k, rng, &d)
        if w <= 0:
            continue
        if split:
            gather(k, &d)
            w *= deal_splits(k, rng, &d, s)
            if w <= 0:
                continue
        if w < k.bound and rng_uniform(rng) * k.bound >= w:
            continue
        if not split:
            gather(k, &d)
        if place_others(k, rng, s, &d) if k.memory.epoch == 1 else place_classes(k, rng, s, &d):
            return place_fresh(k, rng, s, &d)
    return False


cdef bint place_others(const Info* k, Rng* rng, State* s, Draft* d) noexcept nogil:
    """Deals d.others to the places that are not fresh; what remains goes to d.loose."""
    cdef uint16_t places[DECK + 1]
    cdef int i, n = 0
    for i in range(k.n_places):
        places[n] = k.offset[i]
        n += d.cap[i] == 0
    if n > d.n_others:
        return False
    deal(rng, d.others, d.n_others, <uint8_t*>s, places, n)
    memcpy(&d.loose[d.n_loose], &d.others[n], d.n_others - n)
    d.n_loose += d.n_others - n
    return True


cdef bint place_fresh(const Info* k, Rng* rng, State* s, Draft* d) noexcept nogil:
    """Deals d.known and d.loose to the fresh places and the draw pile."""
    cdef uint16_t places[DECK + 1]
    cdef int i, n = 0, epoch = k.memory.epoch, cards = d.n_known + d.n_loose
    for i in range(k.n_places):
        places[n] = k.offset[i]
        n += d.cap[i] == epoch
    if cards != n + k.state.n_deck:
        return False
    memcpy(&d.known[d.n_known], d.loose, d.n_loose)
    deal(rng, d.known, cards, <uint8_t*>s, places, n)
    memcpy(s.deck, &d.known[n], k.state.n_deck)
    return True


# --- after two reshuffles or more ---

cdef bint place_classes(const Info* k, Rng* rng, State* s, Draft* d) noexcept nogil:
    """As place_others, where cards known from earlier reshuffles cannot lie everywhere. False: there is no room for them."""
    cdef const Recall* recall = &k.memory.recall[k.memory.observer - 1]
    cdef uint8_t* base = <uint8_t*>s
    cdef uint8_t of_class[EPOCHS][DECK]
    cdef int n_class[EPOCHS]
    cdef int left[EPOCHS]
    cdef uint8_t slot[DECK]         # a place, or DECK: in the draw pile or fresh
    cdef uint8_t slot_cap[DECK]
    cdef uint8_t card_there[DECK]
    cdef uint8_t class_there[DECK]
    cdef uint8_t pool[DECK]
    cdef const Kind* kind
    cdef int i, j, c, n, gone, used, end, n_slots = 0, n_pool = 0, epoch = k.memory.epoch
    # Of each kind: which classes were those seen again? Any of the cards alike.
    memset(n_class, 0, sizeof(n_class))
    for i in range(k.n_kinds):
        kind = &k.kinds[i]
        n = left[0] = kind.others
        for c in range(1, epoch):
            left[c] = recall.recycled[c][kind.card]
            left[0] -= left[c]
        if left[0] < 0:
            return False
        for gone in range(d.mixed[i] + kind.shown - d.fresh[i]):
            j = rng_below(rng, n)
            n -= 1
            c = 0
            while j >= left[c]:
                j -= left[c]
                c += 1
            left[c] -= 1
        for c in range(epoch):
            memset(&of_class[c][n_class[c]], kind.card, left[c])
            n_class[c] += left[c]
    # The slots: places that are not fresh, and so many unknown cards of the draw pile.
    for i in range(k.n_places):
        if d.cap[i] != epoch:
            slot[n_slots] = i
            slot_cap[n_slots] = d.cap[i]
            n_slots += 1
    for c in range(EPOCHS):
        memset(&pool[n_pool], c, recall.mixed[c])
        n_pool += recall.mixed[c]
    if not n_slots <= d.n_others <= n_slots + n_pool:
        return False
    while n_slots < d.n_others:
        j = rng_below(rng, n_pool)
        slot[n_slots] = DECK
        slot_cap[n_slots] = min(<int>pool[j], epoch - 1)
        n_slots += 1
        n_pool -= 1
        pool[j] = pool[n_pool]
    # Highest class first: slots [used, end) can hold it.
    used = 0
    for c in range(epoch - 1, -1, -1):
        end = used
        for i in range(used, n_slots):
            if slot_cap[i] >= c:
                swap(&slot[i], &slot[end])
                swap(&slot_cap[i], &slot_cap[end])
                end += 1
        if end - used < n_class[c]:
            return False
        for i in range(n_class[c]):
            j = used + rng_below(rng, end - used)
            swap(&slot[j], &slot[used])
            swap(&slot_cap[j], &slot_cap[used])
            card_there[used] = of_class[c][i]
            class_there[used] = c
            used += 1
    for i in range(n_slots):
        if slot[i] < DECK:
            base[k.offset[slot[i]]] = card_there[i]
    lower_splits(k, rng, base, slot, slot_cap, card_there, class_there, n_slots)
    for i in range(n_slots):
        if slot[i] == DECK:
            d.loose[d.n_loose] = card_there[i]
            d.n_loose += 1
    return True


cdef void lower_splits(
    const Info* k, Rng* rng, uint8_t* base, const uint8_t* slot, const uint8_t* cap, uint8_t* cards, uint8_t* classes, int n
) noexcept nogil:
    """What is left of a split step is the lowest of it: the higher cards may be any unseen ones that could have gone with it."""
    cdef const Split* split
    cdef int g, i, j, gone, highest, limit
    for g in range(k.n_splits):
        split = &k.splits[g]
        limit = k.cap[split.first]
        for gone in range(split.lost):
            j = rng_below(rng, n)
            if slot[j] < DECK or cap[j] < limit or classes[j] > limit:
                continue  # that one has been seen, or has gone another way
            highest = split.first
            for i in range(split.first + 1, split.first + split.count):
                if base[k.offset[i]] > base[k.offset[highest]]:
                    highest = i
            if base[k.offset[highest]] > cards[j]:
                swap(&base[k.offset[highest]], &cards[j])
                classes[j] = limit


cdef inline void swap(uint8_t* a, uint8_t* b) noexcept nogil:
    cdef uint8_t was = a[0]
    a[0] = b[0]
    b[0] = was
