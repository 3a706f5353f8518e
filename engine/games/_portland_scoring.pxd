# Portland's final scoring; see _portland_scoring.pyx.
from libc.stdint cimport uint8_t, uint64_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_state cimport SEATS, STATIONS, Data, State


cdef struct Result:
    int score[SEATS]
    int completed[SEATS]    # tickets
    int longest[SEATS]      # has the longest path, alone or with others
    int rank[SEATS]         # players who are better


cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil
cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil
cdef void final_result(const Data* d, const State* s, Result* result) noexcept nogil
cdef void connect(const Data* d, const uint64_t* routes, uint8_t* part) noexcept nogil
cdef int longest_trail(const Data* d, const uint64_t* routes) noexcept nogil
