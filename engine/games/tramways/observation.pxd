from wattman.engine.abi cimport GameC

cdef enum:
    OBSERVATION = 3017
    HIDDEN = 384

cdef void observe(const GameC* game, const void* state, int player, float* out) noexcept nogil
cdef void hidden_targets(const GameC* game, const void* state, int player, float* out) noexcept nogil
