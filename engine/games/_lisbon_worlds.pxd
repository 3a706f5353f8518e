from wattman.engine.abi cimport GameC
from wattman.engine.rng cimport Rng


cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil
