from libc.stdint cimport uint64_t

from wattman.engine.games.tramways.bits cimport Squares
from wattman.engine.games.tramways.state cimport Data, State

cdef uint64_t from_options(const Data* d, const State* s, bint one) noexcept nogil
cdef uint64_t to_options(const Data* d, const State* s) noexcept nogil
cdef uint64_t lay_options(const Data* d, const State* s) noexcept nogil
cdef void lay_costs(const Data* d, const State* s, int* out) noexcept nogil
cdef void lay_candidates(const Data* d, const State* s, Squares* out) noexcept nogil
cdef uint64_t upgrade_options(const Data* d, const State* s, int a, bint one) noexcept nogil
