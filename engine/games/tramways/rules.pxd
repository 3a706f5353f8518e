from libc.stdint cimport int32_t, uint8_t

from wattman.engine.abi cimport GameC
from wattman.engine.games.tramways.memory cimport Memory
from wattman.engine.games.tramways.state cimport DRAW, OVER, Data, State

cdef void init(const GameC* game, void* state, void* memory) noexcept nogil
cdef int to_move(const GameC* game, const void* state) noexcept nogil
cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil
cdef void apply(const GameC* game, void* state, void* memory, int32_t event) noexcept nogil
cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil
cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil
cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil
cdef void rank(const Data* d, const State* s, int* out) noexcept nogil
cdef void settle(const Data* d, State* s, Memory* m, int who) noexcept nogil


cdef inline bint is_decision(int phase) noexcept nogil:
    return DRAW < phase < OVER
