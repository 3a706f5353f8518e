# The rules of Trambahn; see _trambahn_rules.pyx.
from libc.stdint cimport int32_t, uint8_t

from wattman.engine.abi cimport GameC, Stream
from wattman.engine.rng cimport Rng


cdef struct Data:
    uint8_t halve_on_need


cdef void init(const GameC* game, void* state, void* memory) noexcept nogil
cdef int to_move(const GameC* game, const void* state) noexcept nogil
cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil
cdef void apply(const GameC* game, void* state, void* notes, int32_t event) noexcept nogil
cdef int chance(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil
cdef int32_t sample(const GameC* game, const void* state, Rng* rng) noexcept nogil
cdef void stream(const GameC* game, const void* state, const void* notes, Stream* out) noexcept nogil
cdef int32_t seen(const GameC* game, const void* state, int32_t event, int observer) noexcept nogil
cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil
cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil
cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil
cdef bint idle(const GameC* game, const void* state) noexcept nogil
