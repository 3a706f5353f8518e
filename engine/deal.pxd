from libc.stdint cimport uint64_t

from wattman.engine.abi cimport GameC


cdef class Deal:
    cdef readonly uint64_t seed
    # The outcome of a chance node.
    cdef int next_card(self, const GameC* game, const void* state, const void* memory) except -1
