from libc.stdint cimport int32_t, uint8_t

from wattman.engine.abi cimport GameC, Stream
from wattman.engine.games.tramways.memory cimport Memory
from wattman.engine.games.tramways.state cimport Data, State
from wattman.engine.rng cimport Rng

cdef void init(const GameC* game, void* state, void* memory) noexcept nogil
cdef int to_move(const GameC* game, const void* state) noexcept nogil
cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil
cdef void apply(const GameC* game, void* state, void* memory, int32_t event) noexcept nogil
cdef int chance(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil
cdef int32_t sample(const GameC* game, const void* state, Rng* rng) noexcept nogil
cdef void stream(const GameC* game, const void* state, const void* memory, Stream* out) noexcept nogil
cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil
cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil
cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil
cdef void rank(const Data* d, const State* s, int* out) noexcept nogil
# For knowledge, which goes step by step.
cdef void step(const Data* d, State* s, Memory* m, int32_t event) noexcept nogil
cdef void find_options(const Data* d, State* s) noexcept nogil
cdef int list_outcomes(const Data* d, const State* s, int32_t* ids, int* counts) noexcept nogil
cdef void next_draw(const Data* d, State* s, Memory* m) noexcept nogil
cdef void settle(const Data* d, State* s, Memory* m, int who) noexcept nogil
cdef int list_options(const Data* d, const State* s, int32_t* ids) noexcept nogil
cdef inline bint is_decision(int phase) noexcept nogil:
    return 6 < phase < 20
