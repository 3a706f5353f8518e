# Actions of Portland as terms for a network's policy; see _portland_terms.pyx.
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_state cimport Data

cdef enum:
    MOST_TERMS = 16     # of one action

cdef int terms_size(const Data* d) noexcept
cdef int action_terms(const GameC* game, const void* state, int32_t id, int32_t* terms, float* factors) noexcept nogil
