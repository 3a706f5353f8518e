from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC, Stream
from wattman.engine.games.tramways.state cimport Data, State
from wattman.engine.rng cimport Rng

cdef int list_outcomes(const Data* d, const State* s, int32_t* ids, int* counts) noexcept nogil
cdef int chance(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil
cdef int32_t sample(const GameC* game, const void* state, Rng* rng) noexcept nogil
cdef void stream(const GameC* game, const void* state, const void* memory, Stream* out) noexcept nogil
