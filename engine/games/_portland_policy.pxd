# Portland's cheap policy and estimates; see _portland_policy.pyx.
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC
from wattman.engine.rng cimport Rng

cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil
cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil
cdef void values(const GameC* game, const void* state, double* out) noexcept nogil
