"""Portland's policy for playouts and its estimates. For now every legal decision is alike, and a cut-off counts as the end."""
from libc.stdint cimport int32_t, uint8_t, uint64_t

from wattman.engine.abi cimport VALUES, GameC
from wattman.engine.games._portland_scoring cimport Result, final_result
from wattman.engine.games._portland_state cimport OVER, Data, State
from wattman.engine.rng cimport Rng, rng_below

cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil:
    cdef int32_t ids[400]
    return ids[rng_below(rng, game.legal(game, state, ids))]

cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef int i
    for i in range(n):
        out[i] = 1

cdef void values(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef Result result
    cdef int p, q, best, equal
    final_result(d, s, &result)
    for p in range(d.players):
        equal = 0
        best = -10000
        for q in range(d.players):
            equal += result.rank[q] == 0
            if q != p:
                best = max(best, result.score[q])
        out[VALUES * p] = 1.0 / equal if result.rank[p] == 0 else 0
        out[VALUES * p + 1] = result.score[p] - best
        out[VALUES * p + 2] = result.score[p]
