# Portland's rules; see _portland_rules.pyx.
from libc.stdint cimport int32_t, uint8_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_memory cimport Memory
from wattman.engine.games._portland_state cimport Data, State

# The contract.
cdef void init(const GameC* game, void* state, void* memory) noexcept nogil
cdef int to_move(const GameC* game, const void* state) noexcept nogil
cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil
cdef void apply(const GameC* game, void* state, void* notes, int32_t event) noexcept nogil
cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil

# Parts of it, for what an observer sees of the others' events.
cdef int payments(const Data* d, const State* s, int route, int32_t* ids) noexcept nogil
cdef int32_t keep_event(const Data* d, const uint8_t* tickets, int n) noexcept nogil
cdef int kept_tickets(const Data* d, int32_t event, uint8_t* tickets) noexcept nogil
cdef void fill_market(const Data* d, State* s, Memory* memory) noexcept nogil
cdef void paid(const Data* d, State* s, Memory* memory, int route, int kind, int passes) noexcept nogil
