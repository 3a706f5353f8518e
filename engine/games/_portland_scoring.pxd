# Portland's final scoring; see _portland_scoring.pyx.
from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_state cimport SEATS, Data, State


cdef struct Result:
    int score[SEATS]
    int completed[SEATS]    # tickets
    int longest[SEATS]      # has the longest path, alone or with others
    int rank[SEATS]         # players who are better


cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil
cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil
cdef void final_result(const Data* d, const State* s, Result* result) noexcept nogil
