# What a player of Portland knows, brought forward; see _portland_admit.pyx.
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC

cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil
