from libc.stdint cimport int32_t, uint8_t

from wattman.engine.abi cimport GameC
from wattman.engine.games.tramways.trips cimport Plan
from wattman.engine.rng cimport Rng


cdef struct Scratch:
    # The trip that a player is about to make; his until the action is over.
    uint8_t planned
    uint8_t player
    Plan plan


cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil
cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil
cdef void values(const GameC* game, const void* state, double* out) noexcept nogil
