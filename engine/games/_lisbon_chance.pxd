# The chance events of Lisbon Tram 28; see _lisbon_chance.pyx.
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC, Stream
from wattman.engine.games._lisbon_state cimport Data, State
from wattman.engine.rng cimport Rng

cdef int chance(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil
cdef int32_t sample(const GameC* game, const void* state, Rng* rng) noexcept nogil
cdef void stream(const GameC* game, const void* state, const void* memory, Stream* out) noexcept nogil
cdef int drawer(const Data* d, const State* s) noexcept nogil
