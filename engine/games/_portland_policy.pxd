# Portland's policies; see _portland_policy.pyx.
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_plan cimport Plan, Style
from wattman.engine.games._portland_state cimport SEATS
from wattman.engine.rng cimport Rng

cdef Style USUAL


cdef struct Scratch:
    Plan plan[SEATS]


cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil
cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil
cdef int32_t planner(const GameC* game, const void* state) noexcept nogil
cdef int32_t racer(const GameC* game, const void* state) noexcept nogil
