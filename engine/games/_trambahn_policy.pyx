"""A cheap goal-directed policy for Trambahn and an estimate of a position's result."""
from libc.math cimport exp
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._trambahn_state cimport MAX_LEGAL, OVER, PLAYERS, State
from wattman.engine.rng cimport Rng, rng_below


cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef int i
    for i in range(n):
        out[i] = 1


cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil:
    cdef int32_t ids[MAX_LEGAL]
    return ids[rng_below(rng, game.legal(game, state, ids))]


cdef void values(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int player
    cdef double margin = s.regular[0] + s.extra[0] - s.regular[1] - s.extra[1]
    cdef double share = 1 / (1 + exp(-margin / 25))
    if s.phase == OVER:
        share = margin if margin else s.n_pile[0] - s.n_pile[1]
        share = 0.5 if share == 0 else <double>(share > 0)
    for player in range(PLAYERS):
        out[3 * player] = share
        out[3 * player + 1] = margin
        out[3 * player + 2] = s.regular[player] + s.extra[player]
        share = 1 - share
        margin = -margin
