# The longest path of Portland; see _portland_trail.pyx.
from libc.stdint cimport uint8_t, uint64_t

from wattman.engine.games._portland_state cimport Data

cdef void connect(const Data* d, const uint64_t* routes, uint8_t* part) noexcept nogil
cdef int longest_trail(const Data* d, const uint64_t* routes) noexcept nogil
