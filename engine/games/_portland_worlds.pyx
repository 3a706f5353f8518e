"""Dealing full states of Portland from what one player knows.

*Cards.* Every assignment of the unseen physical cards to the hidden places that agrees with the facts is equally likely. As long as any
unseen card can be anywhere, that is a deal from a shuffled pile. Otherwise a *try* is made and weighted: first the lots are chosen from
which cards spent long ago came, each in proportion to how likely a random card of that hand is from it and of that type; then the lots
are dealt, those that cannot be everything first. Each step's weight is the share of the possibilities that it left; a try is taken in
proportion to its weight. With two players, and wherever one player's lots alone are restricted, all weights are equal.

Tickets are dealt in `_portland_ticket_worlds.pyx`.
"""
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_knowledge cimport CARDS, RELAXED, Info, Share
from wattman.engine.games._portland_memory cimport LOTS, NO_BOUND, PILES, SPENT, Guard, Hand, Limit, Memory, Spent
from wattman.engine.games._portland_state cimport SEATS, TYPES, Data, State, low_bit
from wattman.engine.games._portland_ticket_worlds cimport fill_tickets, follow
from wattman.engine.rng cimport Rng, rng_below, rng_seed, rng_uniform

cdef enum:
    PILOTS = 64         # tries that gauge the weights
    MOST_PILOTS = 2000
    TRIES = 20000
    APART = PILES       # a guard's part of its pile


cdef struct Draft:
    # One try.
    uint8_t cards[PILES + 1][CARDS]         # boards have at most 240, so there is room for `list_cards`
    int left[PILES + 1]
    uint8_t count[PILES + 1][TYPES]
    uint8_t size[SEATS][LOTS]               # cards of a lot without those spent
    uint8_t got[SEATS][LOTS][TYPES]         # what was dealt
    uint8_t spent[SEATS][SPENT][LOTS]       # how many of what was spent came from the lot


# --- cards ---

cdef double choose_lots(const Data* d, const Info* k, Rng* rng, Draft* t) noexcept nogil:
    """From which lots the cards spent came. Returns the weight, 0: they cannot have."""
    cdef const Memory* m = &k.memory
    cdef const Hand* h
    cdef const Spent* spent
    cdef const float* ease
    cdef float chance[LOTS]
    cdef float total, pick
    cdef double weight = 1
    cdef int p, i, j, n, last, pile, lots
    for p in range(d.players):
        if p == m.observer - 1:
            continue
        h = &m.hand[p]
        ease = k.ease[p]
        for i in range(h.n_spent):
            spent = &h.spent[i]
            for n in range(spent.n):
                total = 0
                last = -1
                lots = spent.lots
                while lots:
                    j = low_bit(lots)
                    lots &= lots - 1
                    pile = h.lots[j].pile
                    if t.size[p][j] and t.count[pile][spent.type]:
                        # The fewer cards a lot can be, the less likely it is that one of it is left.
                        chance[j] = t.size[p][j] * t.count[pile][spent.type] / (t.left[pile] * ease[j])
                        total += chance[j]
                        last = j
                    else:
                        chance[j] = 0
                if last < 0:
                    return 0
                pick = total * <float>rng_uniform(rng)
                lots = spent.lots
                while True:
                    j = low_bit(lots)
                    pick -= chance[j]
                    if j == last or (pick < 0 and chance[j] > 0):
                        break
                    lots &= lots - 1
                pile = h.lots[j].pile
                weight *= total * ease[j]
                t.size[p][j] -= 1
                t.count[pile][spent.type] -= 1
                t.left[pile] -= 1
                t.spent[p][i][j] += 1
    return weight


cdef inline void list_cards(const Data* d, Draft* t, int pile) noexcept nogil:
    """The counts of a pile as a list."""
    cdef uint8_t* cards = t.cards[pile]
    cdef int kind, n = 0, i
    cdef uint64_t eight
    for kind in range(d.types):
        eight = <uint64_t>0x0101010101010101 * kind
        for i in range(0, t.count[pile][kind], 8):  # what is too much is written over by the next type
            memcpy(cards + n + i, &eight, 8)
        n += t.count[pile][kind]


cdef double set_apart(const Data* d, const Info* k, const Guard* guard, Rng* rng, Draft* t) noexcept nogil:
    """Divides a guard's pile: the cards that were in it then, so many of them no passes as the guard says, and the others."""
    cdef const Memory* m = &k.memory
    cdef double chance[CARDS]
    cdef double all_ways = 0, ways = 0, term, pick
    cdef int p, i, j, n, region = 0, gone = 0, pile = guard.pile, passes, normal, low, high, least, most
    cdef uint8_t* from_pile = t.cards[pile]
    if pile == m.n_piles - 1:
        region = k.state.n_deck
    for p in range(d.players):
        for i in range(m.hand[p].n_lots if p != m.observer - 1 else 0):
            if guard.lots[p] >> i & 1:
                region += t.size[p][i]
                for j in range(m.hand[p].n_spent):
                    if m.hand[p].spent[j].type != d.wild:
                        gone += t.spent[p][j][i]
    gone += guard.own[m.observer - 1]
    passes = t.count[pile][d.wild]
    normal = t.left[pile] - passes
    low = max(0, region - passes)
    high = min(region, normal)
    least = max(low, <int>guard.least - gone)
    most = high if guard.most == NO_BOUND else min(high, <int>guard.most - gone)
    if most < least:
        return 0
    # Of `low` .. `high` cards that are no passes, each number with its ways relative to the first.
    term = 1
    for n in range(low, high + 1):
        chance[n - low] = term if least <= n <= most else 0
        all_ways += term
        ways += chance[n - low]
        term *= <double>(normal - n) / (n + 1) * (region - n) / (passes - region + n + 1)
    pick = ways * rng_uniform(rng)
    n = least
    while n < most and pick >= chance[n - low]:
        pick -= chance[n - low]
        n += 1
    # Passes are the last in the list. Any n of the others, and any passes.
    t.left[APART] = region
    memset(t.count[APART], 0, TYPES)
    for i in range(n):
        j = rng_below(rng, normal - i)
        t.cards[APART][i] = from_pile[j]
        t.count[APART][from_pile[j]] += 1
        t.count[pile][from_pile[j]] -= 1
        from_pile[j] = from_pile[normal - i - 1]
    memset(&t.cards[APART][n], d.wild, region - n)
    t.count[APART][d.wild] = region - n
    t.count[pile][d.wild] -= region - n
    t.left[pile] -= region
    memset(&from_pile[normal - n], d.wild, t.left[pile] - (normal - n))
    return ways / all_ways


cdef double deal_share(const Data* d, Rng* rng, Draft* t, const Share* share, int pile) noexcept nogil:
    """Deals a lot. Returns the weight, 0: there are not enough cards that it can be."""
    cdef uint8_t* cards = t.cards[pile]
    cdef uint8_t* got = t.got[share.player][share.lot]
    cdef int i, j, card, n = t.size[share.player][share.lot], left = t.left[pile], never = share.never, barred = 0
    cdef double weight = 1
    memset(got, 0, TYPES)
    if never:
        for i in range(d.types):
            barred += t.count[pile][i] if never >> i & 1 else 0
        if left - barred < n:
            return 0
    for i in range(n):
        j = rng_below(rng, left)
        if barred:
            weight *= <double>(left - barred) / left
            while never >> cards[j] & 1:
                j = rng_below(rng, left)
        card = cards[j]
        left -= 1
        cards[j] = cards[left]
        got[card] += 1
        t.count[pile][card] -= 1
    t.left[pile] = left
    return weight


cdef bint within(const Data* d, const Info* k, const Draft* t, int player, const Limit* limit) noexcept nogil:
    """Whether a player who had to skip could really not pay."""
    cdef const Hand* h = &k.memory.hand[player]
    cdef int count[TYPES]
    cdef int i, j, kind
    for kind in range(d.types):
        count[kind] = limit.base[kind]
    for i in range(h.n_lots):
        if limit.lots >> i & 1:
            for kind in range(d.types):
                count[kind] += t.got[player][i][kind]
            for j in range(limit.spent, h.n_spent):
                count[h.spent[j].type] += t.spent[player][j][i]
    for kind in range(d.wild):
        if limit.most[kind] != NO_BOUND and count[kind] + count[d.wild] > limit.most[kind]:
            return False
    return True


cdef bint holds(const Data* d, const Info* k, const Draft* t, const Guard* guard) noexcept nogil:
    """Whether a guard is right about a finished draft."""
    cdef const Memory* m = &k.memory
    cdef int p, i, j, kind, normal = guard.own[m.observer - 1]
    if guard.pile == m.n_piles - 1:
        for kind in range(d.wild):
            normal += t.count[guard.pile][kind] + t.count[APART][kind]
    for p in range(d.players):
        for i in range(m.hand[p].n_lots if p != m.observer - 1 else 0):
            if guard.lots[p] >> i & 1:
                for kind in range(d.wild):
                    normal += t.got[p][i][kind]
                for j in range(m.hand[p].n_spent):
                    if m.hand[p].spent[j].type != d.wild:
                        normal += t.spent[p][j][i]
    return normal >= guard.least and (guard.most == NO_BOUND or normal <= guard.most)


cdef double attempt(const Data* d, const Info* k, Rng* rng, Draft* t, double floor) noexcept nogil:
    """One try. Returns its weight, 0: it contradicts what is known, or weighs no more than `floor`."""
    cdef const Memory* m = &k.memory
    cdef const Share* share
    cdef const Guard* guard = NULL
    cdef int p, i, pile
    cdef double weight = 1
    memcpy(t.count, k.pool, sizeof(k.pool))
    memset(t.count[APART], 0, TYPES)
    t.left[APART] = 0
    for i in range(m.n_piles):
        t.left[i] = k.n_pool[i]
    for p in range(d.players):
        for i in range(m.hand[p].n_lots):
            t.size[p][i] = m.hand[p].lots[i].n
        if m.hand[p].n_spent:
            memset(t.spent[p], 0, sizeof(t.spent[p]))
    weight = choose_lots(d, k, rng, t)
    if weight <= floor:
        return 0
    for i in range(m.n_piles):
        list_cards(d, t, i)
    if m.n_guards and k.relaxed < RELAXED:
        guard = &m.guards[m.n_guards - 1]
        weight *= set_apart(d, k, guard, rng, t)
        if weight <= floor:
            return 0
    for i in range(k.n_shares):
        share = &k.shares[i]
        pile = APART if guard != NULL and guard.lots[share.player] >> share.lot & 1 else share.pile
        weight *= deal_share(d, rng, t, share, pile)
        if weight <= floor:  # the weights of what is still to come are 1 at most
            return 0
    if k.relaxed == RELAXED:
        return weight
    for i in range(m.n_guards - 1):
        if not holds(d, k, t, &m.guards[i]):
            return 0
    for p in range(d.players):
        for i in range(m.hand[p].n_limits if p != m.observer - 1 else 0):
            if not within(d, k, t, p, &m.hand[p].limits[i]):
                return 0
    return weight


cdef bint alike(const Info* k) noexcept nogil:
    """Whether all tries have the same weight: one player's lots alone are restricted, and by nothing but what they cannot be."""
    cdef const Memory* m = &k.memory
    cdef int i, p, restricted = -1
    if m.n_piles > 1 or m.n_guards:
        return False
    for i in range(k.n_shares):
        if k.shares[i].never:
            if restricted >= 0 and restricted != k.shares[i].player:
                return False
            restricted = k.shares[i].player
    for p in range(m.players):
        if p != m.observer - 1 and (m.hand[p].n_spent or m.hand[p].n_limits):
            return False
    return True


cdef bint gauge(const Data* d, Info* k) noexcept nogil:
    """Sets `bound`; false if no world that agrees with what is known is found, or hardly any."""
    cdef Draft t
    cdef Rng rng
    cdef State s
    cdef int i, found = 0
    cdef double weight
    rng_seed(&rng, 1)
    k.bound = 0
    if k.memory.tickets[k.memory.observer - 1].n_log:
        memcpy(&s, &k.state, sizeof(State))
        if not follow(d, k, &rng, &s):
            return False
    if k.plain:
        return True
    if alike(k):
        return attempt(d, k, &rng, &t, 0) > 0
    for i in range(PILOTS):
        weight = attempt(d, k, &rng, &t, 0)
        found += weight > 0
        k.bound = max(k.bound, weight)
    while found < 2 and i < MOST_PILOTS:
        weight = attempt(d, k, &rng, &t, 0)
        found += weight > 0
        k.bound = max(k.bound, weight)
        i += 1
    return found > 0


cdef void fill_plain(const Data* d, const Info* k, Rng* rng, State* s) noexcept nogil:
    """Every unseen card is as likely in one place as in another."""
    cdef uint8_t cards[CARDS]
    cdef const Share* share
    cdef uint8_t* hand
    cdef int i, j, n, card, left = k.n_pool[0]
    memcpy(cards, k.cards, CARDS if left > 128 else 128)
    memcpy(s.deck, k.pool[0], TYPES)
    for i in range(k.n_shares):
        share = &k.shares[i]
        hand = s.hand[share.player]
        n = share.n
        if i == k.n_shares - 1 and s.n_deck < n:  # the pile is the smaller part: deal that
            for j in range(left):
                hand[cards[j]] += 1
            memset(s.deck, 0, TYPES)
            for n in range(s.n_deck):
                j = rng_below(rng, left)
                card = cards[j]
                left -= 1
                cards[j] = cards[left]
                hand[card] -= 1
                s.deck[card] += 1
            return
        for n in range(n):
            j = rng_below(rng, left)
            card = cards[j]
            left -= 1
            cards[j] = cards[left]
            hand[card] += 1
            s.deck[card] -= 1


cdef void fill_tried(const Data* d, const Info* k, Rng* rng, State* s, Memory* m) noexcept nogil:
    cdef Draft t
    cdef const Hand* h
    cdef int i, j, p, kind, last = k.memory.n_piles - 1
    for i in range(TRIES):
        if attempt(d, k, rng, &t, k.bound * rng_uniform(rng)) > 0:
            break
    if last >= 0 and s.n_deck:
        for kind in range(TYPES):
            s.deck[kind] = t.count[last][kind] + t.count[APART][kind]
    for i in range(k.n_shares):
        p = k.shares[i].player
        for kind in range(TYPES):
            s.hand[p][kind] += t.got[p][k.shares[i].lot][kind]
    if m == NULL:
        return
    for p in range(d.players):
        if p == k.memory.observer - 1:
            continue
        h = &k.memory.hand[p]
        for i in range(h.n_lots):
            for kind in range(d.types):
                m.own[p][h.lots[i].pile][kind] += t.got[p][i][kind]
            for j in range(h.n_spent):
                m.own[p][h.lots[i].pile][h.spent[j].type] += t.spent[p][j][i]
        for i in range(m.n_guards):
            for j in range(h.n_lots):
                if m.guards[i].lots[p] >> j & 1:
                    m.guards[i].own[p] += drawn(d, k, &t, p, j)


cdef int drawn(const Data* d, const Info* k, const Draft* t, int player, int lot) noexcept nogil:
    """Cards of a lot that were no passes."""
    cdef const Hand* h = &k.memory.hand[player]
    cdef int i, n = 0
    for i in range(d.wild):
        n += t.got[player][lot][i]
    for i in range(h.n_spent):
        if h.spent[i].type != d.wild:
            n += t.spent[player][i][lot]
    return n


# --- fill ---

cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const Info* k = <const Info*>info
    cdef State* s = <State*>state
    cdef Memory* m = <Memory*>memory
    cdef int p, kind
    memcpy(s, &k.state, sizeof(State))
    if m != NULL:
        memcpy(m, &k.memory, sizeof(Memory))
        m.observer = 0
    if k.plain:
        if k.memory.n_piles:
            fill_plain(d, k, rng, s)
            if m != NULL:
                for p in range(d.players):
                    if p != k.memory.observer - 1:
                        for kind in range(d.types):
                            m.own[p][0][kind] = s.hand[p][kind] - k.state.hand[p][kind]
    else:
        fill_tried(d, k, rng, s, m)
    if k.memory.tickets[k.memory.observer - 1].n_log:
        follow(d, k, rng, s)
    else:
        fill_tickets(d, k, rng, s)
    if m != NULL:
        memcpy(m.start, s.deck, TYPES)
