"""Portland's result at the end, and before it what the players' plans promise."""
from libc.math cimport exp

from wattman.engine.abi cimport VALUES, GameC
from wattman.engine.games._portland_plan cimport points_to_come, turns_left
from wattman.engine.games._portland_policy cimport USUAL
from wattman.engine.games._portland_scoring cimport Result, final_result
from wattman.engine.games._portland_state cimport OVER, SEATS, Data, State

cdef double CLOSE = 6   # points that decide little at the end; one more for each turn before it


cdef void values(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef Result result
    cdef double score[SEATS]
    cdef double best, most = -1e9, total = 0, spread = CLOSE + turns_left(d, s)
    cdef int p, q, winners = 0
    if s.phase == OVER:
        final_result(d, s, &result)
        for p in range(d.players):
            score[p] = result.score[p]
            winners += result.rank[p] == 0
    else:
        for p in range(d.players):
            score[p] = s.score[p] + points_to_come(d, s, p, &USUAL)
            most = max(most, score[p])
        for p in range(d.players):
            total += exp((score[p] - most) / spread)
    for p in range(d.players):
        best = -1e9
        for q in range(d.players):
            if q != p:
                best = max(best, score[q])
        if s.phase == OVER:
            out[VALUES * p] = 1.0 / winners if result.rank[p] == 0 else 0
        else:
            out[VALUES * p] = exp((score[p] - most) / spread) / total
        out[VALUES * p + 1] = score[p] - best
        out[VALUES * p + 2] = score[p]
