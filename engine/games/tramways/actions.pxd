from wattman.engine.games.tramways.memory cimport Memory
from wattman.engine.games.tramways.state cimport Data, State

cdef void collect(const Data* d, State* s, Memory* m) noexcept nogil
cdef bint can_buy_card(const Data* d, const State* s) noexcept nogil
cdef void finish_payment(const Data* d, State* s, Memory* m) noexcept nogil
