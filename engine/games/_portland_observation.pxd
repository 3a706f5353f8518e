# Portland's table as numbers; see _portland_observation.pyx.
from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_state cimport Data

cdef int observation_size(const Data* d) noexcept
cdef int hidden_size(const Data* d) noexcept
cdef void observe(const GameC* game, const void* state, int player, float* out) noexcept nogil
cdef void hidden_targets(const GameC* game, const void* state, int player, float* out) noexcept nogil
