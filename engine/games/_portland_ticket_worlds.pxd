# Dealing tickets from what a player of Portland knows; see _portland_ticket_worlds.pyx.
from wattman.engine.games._portland_knowledge cimport Info
from wattman.engine.games._portland_state cimport Data, State
from wattman.engine.rng cimport Rng

cdef void fill_tickets(const Data* d, const Info* k, Rng* rng, State* s) noexcept nogil
cdef bint follow(const Data* d, const Info* k, Rng* rng, State* s) noexcept nogil
