# Writing down the terms of an action (`action_terms` in abi.pxd), for games that describe their actions by them.
from libc.stdint cimport int32_t

cdef struct Terms:
    int n
    int32_t* ids
    float* factors


cdef inline void add(Terms* out, int id, float factor) noexcept nogil:
    if factor != 0:
        out.ids[out.n] = id
        out.factors[out.n] = factor
        out.n += 1
