# Points and ranks of Lisbon Tram 28; see _lisbon_scoring.pyx.
from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_state cimport State

cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil
cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil
cdef int standing(const State* s, int player) noexcept nogil
