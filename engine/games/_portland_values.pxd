# Portland's result or an estimate of it; see _portland_values.pyx.
from wattman.engine.abi cimport GameC

cdef void values(const GameC* game, const void* state, double* out) noexcept nogil
