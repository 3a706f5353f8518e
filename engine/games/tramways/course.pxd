from wattman.engine.games.tramways.memory cimport Memory
from wattman.engine.games.tramways.state cimport Data, State


cdef inline void bring(State* s, int t, int n) noexcept nogil:
    """Fills a terminal up to `n` passengers, while the supply lasts."""
    cdef int more = min(n - s.waiting[t], <int>s.supply)
    if more > 0:
        s.waiting[t] += more
        s.supply -= more


cdef void people_the_city(const Data* d, State* s, Memory* m) noexcept nogil
cdef void start_order(const Data* d, State* s, Memory* m) noexcept nogil
cdef void start_types(const Data* d, State* s, Memory* m) noexcept nogil
cdef void start_auction(const Data* d, State* s, Memory* m) noexcept nogil
cdef void next_bidder(const Data* d, State* s, Memory* m) noexcept nogil
cdef void start_actions(const Data* d, State* s) noexcept nogil
cdef void clear_action(State* s) noexcept nogil
cdef void end_action(const Data* d, State* s, Memory* m) noexcept nogil
cdef void go_on_discarding(const Data* d, State* s, Memory* m) noexcept nogil
cdef void next_draw(const Data* d, State* s, Memory* m) noexcept nogil
