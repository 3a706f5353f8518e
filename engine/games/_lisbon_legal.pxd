# The legal decisions of Lisbon Tram 28; see _lisbon_legal.pyx.
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC

cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil
