# The rules of Lisbon Tram 28 as functions of the contract (engine/abi.pxd); see _lisbon_rules.pyx.
from libc.stdint cimport int32_t, uint8_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_memory cimport Memory
from wattman.engine.games._lisbon_state cimport Data, State


cdef void init(const GameC* game, void* state, void* memory) noexcept nogil
cdef int to_move(const GameC* game, const void* state) noexcept nogil
cdef void apply(const GameC* game, void* state, void* memory, int32_t event) noexcept nogil
cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil

# For what builds on the rules.
cdef void start_paying(const Data* d, State* s, Memory* m, int purpose) noexcept nogil
cdef void stop_paying(State* s) noexcept nogil
cdef void take_payment(const Data* d, State* s, Memory* m, const uint8_t* tickets) noexcept nogil
cdef void go_on(const Data* d, State* s, Memory* m) noexcept nogil
cdef void end_action(const Data* d, State* s, Memory* m) noexcept nogil
