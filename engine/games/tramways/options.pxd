from libc.stdint cimport int32_t

from wattman.engine.games.tramways.state cimport Data, State

cdef void find_options(const Data* d, State* s) noexcept nogil
cdef int list_options(const Data* d, const State* s, int32_t* ids) noexcept nogil
