# What one player of Lisbon Tram 28 knows; see _lisbon_knowledge.pyx, and _lisbon_worlds.pyx for dealing full states from it.
from libc.stdint cimport int32_t, uint8_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_memory cimport Memory
from wattman.engine.games._lisbon_state cimport COLOURS, Data, State


cdef struct Info:
    State state                 # with UNKNOWN where the observer does not know, other hands and the ticket pile as numbers alone
    Memory memory               # his own recall only
    # The rest follows from these two (`prepare`).
    uint8_t impossible          # no world agrees with them
    uint8_t unseen[COLOURS]     # tickets that the observer does not see: in the other hands and the pile


cdef int32_t seen(const GameC* game, const void* state, int32_t event, int observer) noexcept nogil
cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil
cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil
cdef void rewind(const Data* d, State* s, int observer) noexcept nogil
cdef void prepare(const Data* d, Info* info) noexcept nogil
cdef bint may_be_paid(const uint8_t* need, const uint8_t* tickets) noexcept nogil
