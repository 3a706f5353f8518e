"""Lisbon Tram 28: the cheap policy (`weights`, `playout`) and the estimate of the result (`values`)."""
from libc.math cimport exp
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_rules cimport standing
from wattman.engine.games._lisbon_state cimport BOARD, BONUS, END, HALT, OVER, RING3, Data, State, passengers
from wattman.engine.rng cimport Rng, rng_uniform


cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef int i
    for i in range(n):
        if ids[i] == END or ids[i] == HALT:
            out[i] = 0.1
        elif d.claim <= ids[i] < d.shunt:
            out[i] = 100
        elif BOARD <= ids[i] <= BONUS:
            out[i] = 10
        else:
            out[i] = 1


cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil:
    cdef int32_t ids[512]
    cdef float w[512]
    cdef float pick = 0
    cdef int i, n = game.legal(game, state, ids)
    weights(game, state, ids, n, w)
    for i in range(n):
        pick += w[i]
    pick *= <float>rng_uniform(rng)
    for i in range(n - 1):
        pick -= w[i]
        if pick < 0:
            return ids[i]
    return ids[n - 1]


cdef void values(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int p, q
    cdef double own, best, sum = 0
    for p in range(game.players):
        own = s.vp[p] + s.links[p]
        best = -1
        for q in range(game.players):
            if q != p:
                best = max(best, <double>(s.vp[q] + s.links[q]))
        out[3 * p + 1] = own - best
        out[3 * p + 2] = own
        if s.phase == OVER:
            out[3 * p] = 1
            for q in range(game.players):
                if standing(s, q) > standing(s, p):
                    out[3 * p] = 0
        else:
            out[3 * p] = exp(0.3 * own + 0.05 * passengers(s.aboard[p]))
        sum += out[3 * p]
    for p in range(game.players):
        out[3 * p] /= sum
