"""Portland's chance events: which are possible, one of them, and the piles of physical cards behind them."""
from libc.stdint cimport int32_t, uint64_t

from wattman.engine.abi cimport GameC, Stream
from wattman.engine.games._portland_memory cimport Memory
from wattman.engine.games._portland_state cimport DEAL_TICKETS, OFFER, TICKETS, Data, State, has, low_bit
from wattman.engine.rng cimport Rng, rng_below


cdef inline bint of_cards(const State* s) noexcept nogil:
    return s.phase != DEAL_TICKETS and s.phase != OFFER


cdef int chance(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int i, n = 0
    if of_cards(s):
        for i in range(d.types):
            if s.deck[i]:
                ids[n] = d.card + i
                probabilities[n] = <double>s.deck[i] / s.n_deck
                n += 1
        return n
    for i in range(d.tickets):
        if has(s.fresh, i):
            ids[n] = d.ticket + i
            probabilities[n] = 1.0 / s.n_fresh
            n += 1
    if n == 0:
        ids[0] = d.ticket + s.queue[0]
        probabilities[0] = 1
        n = 1
    return n


cdef int32_t sample(const GameC* game, const void* state, Rng* rng) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int pick, i = 0
    cdef uint64_t left
    if of_cards(s):
        pick = rng_below(rng, s.n_deck)
        while pick >= s.deck[i]:
            pick -= s.deck[i]
            i += 1
        return d.card + i
    if s.n_fresh == 0:
        return d.ticket + s.queue[0]
    pick = rng_below(rng, s.n_fresh)
    left = s.fresh[0]
    i = 0
    while True:
        while left:
            if pick == 0:
                return d.ticket + i + low_bit(left)
            pick -= 1
            left &= left - 1
        i = 64
        left = s.fresh[1]


cdef void stream(const GameC* game, const void* state, const void* notes, Stream* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef const Memory* memory = <const Memory*>notes
    cdef double p[TICKETS]
    cdef int i
    out.n = chance(game, state, out.ids, p)
    if of_cards(s):
        out.stream = 0
        out.epoch = memory.reshuffles
        for i in range(out.n):
            out.kind[i] = out.ids[i] - d.card
            out.start[i] = memory.start[out.kind[i]]
            out.left[i] = s.deck[out.kind[i]]
        return
    out.stream = 1
    out.epoch = 0
    for i in range(out.n):
        out.kind[i] = out.ids[i] - d.ticket
        out.start[i] = out.left[i] = 1
