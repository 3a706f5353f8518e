# Trambahn's table as numbers, as one player sees it; see _trambahn_observation.pyx.
from wattman.engine.abi cimport GameC

cdef enum:
    OBSERVATION = 409

cdef void observe(const GameC* game, const void* state, int player, float* out) noexcept nogil
cdef void hidden_targets(const GameC* game, const void* state, int player, float* out) noexcept nogil
