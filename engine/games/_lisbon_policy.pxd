from libc.stdint cimport int32_t, uint8_t

from wattman.engine.abi cimport GameC
from wattman.engine.rng cimport Rng


cdef struct Scratch:
    # Of a playout: where a player wants to go with the move action that he has begun.
    uint8_t player
    uint8_t going       # 1 + the place, 0: nowhere yet


cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil
cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil
cdef void values(const GameC* game, const void* state, double* out) noexcept nogil
