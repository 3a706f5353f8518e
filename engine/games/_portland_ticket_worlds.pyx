"""Dealing tickets from what one player of Portland knows.

Unseen ones lie anywhere. Once an offer to another player contained tickets that the observer knew, it is played through which of them
were kept (each possible choice is equally likely), until it agrees with what he saw later.
"""
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.games._portland_knowledge cimport Info
from wattman.engine.games._portland_memory cimport Offered, Tickets
from wattman.engine.games._portland_state cimport (
    CHOOSE,
    DEAL_TICKETS,
    OFFERED,
    SEATS,
    TICKETS,
    UNKNOWN,
    Data,
    State,
    bits_of,
    drop,
    has,
    low_bit,
    put,
)
from wattman.engine.rng cimport Rng, rng_below

cdef enum:
    SYMBOL = 128        # a ticket that is not known yet, in `follow`
    REPLAYS = 20000


cdef inline int pick_ticket(Rng* rng, uint8_t* tickets, int* left) noexcept nogil:
    cdef int j = rng_below(rng, left[0])
    cdef int ticket = tickets[j]
    left[0] -= 1
    tickets[j] = tickets[left[0]]
    return ticket


cdef void fill_tickets(const Data* d, const Info* k, Rng* rng, State* s) noexcept nogil:
    """Every unseen ticket is as likely in one place as in another."""
    cdef uint8_t tickets[TICKETS]
    cdef int p, i, ticket, left = k.n_unseen
    memcpy(tickets, k.unseen, TICKETS)
    memcpy(s.fresh, k.unseen_set, sizeof(s.fresh))
    for p in range(d.players):
        for i in range(k.n_hidden[p]):
            ticket = pick_ticket(rng, tickets, &left)
            put(s.held[p], ticket)
            drop(s.fresh, ticket)
    for i in range(s.n_queue):
        if s.queue[i] == UNKNOWN:
            s.queue[i] = pick_ticket(rng, tickets, &left)
            drop(s.fresh, s.queue[i])
    for i in range(s.n_offer):
        if s.offer[i] == UNKNOWN:
            s.offer[i] = pick_ticket(rng, tickets, &left)
            drop(s.fresh, s.offer[i])
    if s.phase == CHOOSE or s.phase == DEAL_TICKETS:
        for p in range(d.players):
            for i in range(d.start_offered):
                if s.first[p][i] == UNKNOWN:
                    s.first[p][i] = pick_ticket(rng, tickets, &left)
                    drop(s.fresh, s.first[p][i])
            if s.chosen[p] == UNKNOWN:
                s.chosen[p] = any_choice(rng, d.start_offered, d.start_keep)


cdef int any_choice(Rng* rng, int n, int least) noexcept nogil:
    """Some of n tickets, at least so many; each choice is equally likely."""
    cdef int mask
    while True:
        mask = rng_below(rng, 1 << n)
        if mask and bits_of(mask) >= least:
            return mask


cdef inline int any_places(Rng* rng, int n, int count) noexcept nogil:
    """`count` of n places, at most three, as bits."""
    cdef int all = (1 << n) - 1
    if count == n:
        return all
    if count == 1:
        return 1 << rng_below(rng, n)
    return all ^ (1 << rng_below(rng, n))  # two of three


cdef struct Trail:
    # Where tickets go while the log is followed. Tickets that are not known yet are SYMBOL + a number.
    uint8_t queue[3 * TICKETS]
    int head
    int tail
    int fresh
    int symbols
    uint8_t meaning[128]      # of the symbols, UNKNOWN: none yet
    uint8_t got[SEATS][TICKETS]
    int n_got[SEATS]
    uint64_t free[2]          # tickets that a symbol can still mean


cdef inline int next_ticket(Trail* t) noexcept nogil:
    if t.fresh:
        t.fresh -= 1
        t.symbols += 1
        return SYMBOL + t.symbols - 1
    t.head += 1
    return t.queue[t.head - 1]


cdef inline bint turns_out(Trail* t, int ticket, int known) noexcept nogil:
    """A ticket is seen; whether it can be that one."""
    if ticket < SYMBOL:
        return ticket == known
    if t.meaning[ticket - SYMBOL] != UNKNOWN:
        return t.meaning[ticket - SYMBOL] == known
    if not has(t.free, known):
        return False
    drop(t.free, known)
    t.meaning[ticket - SYMBOL] = known
    return True


cdef bint follow_once(const Data* d, const Info* k, Rng* rng, State* s, Trail* t) noexcept nogil:
    cdef int observer = k.memory.observer - 1
    cdef const Tickets* known = &k.memory.tickets[observer]
    cdef const Offered* offer
    cdef int i, j, mask
    cdef uint8_t tickets[OFFERED]
    t.head = t.symbols = 0
    t.tail = known.n_queue
    t.fresh = known.n_fresh
    memset(t.meaning, UNKNOWN, sizeof(t.meaning))
    memset(t.n_got, 0, sizeof(t.n_got))
    memcpy(t.free, k.unseen_set, sizeof(t.free))
    for i in range(known.n_queue):
        t.queue[i] = known.queue[i]
        if known.queue[i] == UNKNOWN:
            t.queue[i] = SYMBOL + t.symbols
            t.symbols += 1
    for i in range(known.n_log):
        offer = &known.log[i]
        for j in range(offer.n):
            tickets[j] = next_ticket(t)
        if offer.player == observer:
            for j in range(offer.n):
                if not turns_out(t, tickets[j], offer.tickets[j]):
                    return False
                if not offer.kept >> j & 1:
                    t.queue[t.tail] = tickets[j]
                    t.tail += 1
            continue
        mask = any_places(rng, offer.n, offer.kept)
        for j in range(offer.n):
            if mask >> j & 1:
                t.got[offer.player][t.n_got[offer.player]] = tickets[j]
                t.n_got[offer.player] += 1
            else:
                t.queue[t.tail] = tickets[j]
                t.tail += 1
    for j in range(s.n_offer):
        tickets[j] = next_ticket(t)
        if k.state.offer[j] == UNKNOWN:
            s.offer[j] = tickets[j]
        elif not turns_out(t, tickets[j], k.state.offer[j]):
            return False
    return True


cdef bint follow(const Data* d, const Info* k, Rng* rng, State* s) noexcept nogil:
    """The log played through: tickets of the others, of the queue and of the offer. False: nothing agrees with what was seen."""
    cdef Trail t
    cdef uint8_t tickets[TICKETS]
    cdef int i, p, word, left = 0, ticket
    cdef uint64_t free
    for i in range(REPLAYS):
        if follow_once(d, k, rng, s, &t):
            break
    else:
        return False
    for word in range(2):
        free = t.free[word]
        while free:
            tickets[left] = 64 * word + low_bit(free)
            free &= free - 1
            left += 1
    for i in range(t.symbols):
        if t.meaning[i] == UNKNOWN:
            if left == 0:
                return False
            t.meaning[i] = pick_ticket(rng, tickets, &left)
    for p in range(d.players):
        if p == k.memory.observer - 1:
            continue
        for i in range(t.n_got[p]):
            ticket = t.got[p][i]
            put(s.held[p], t.meaning[ticket - SYMBOL] if ticket >= SYMBOL else ticket)
        for i in range(k.n_hidden[p] - t.n_got[p]):
            if left == 0:
                return False
            put(s.held[p], pick_ticket(rng, tickets, &left))
    for i in range(s.n_queue):
        ticket = t.queue[t.head + i]
        s.queue[i] = t.meaning[ticket - SYMBOL] if ticket >= SYMBOL else ticket
    for i in range(s.n_offer):
        if s.offer[i] >= SYMBOL:
            s.offer[i] = t.meaning[s.offer[i] - SYMBOL]
    return left == 0
