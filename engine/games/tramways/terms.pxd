# Actions of Tramways as terms for a network's policy; see terms.pyx.
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC

cdef enum:
    TERMS = 566
    MOST_TERMS = 32     # of one action

cdef int action_terms(const GameC* game, const void* state, int32_t id, int32_t* terms, float* factors) noexcept nogil
