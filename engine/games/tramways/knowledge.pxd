from libc.stdint cimport int32_t, uint8_t

from wattman.engine.abi cimport GameC
from wattman.engine.games.tramways.memory cimport Memory
from wattman.engine.games.tramways.state cimport Data, State
from wattman.engine.rng cimport Rng


cdef struct Info:
    # In the State a rival's hand holds the cards of which all know and NONE for each other one; his `deck` holds all cards of which it is
    # not known whether they are there or in the hand: n_deck of them are in the deck.
    State state
    Memory memory
    uint8_t observer


cdef int32_t seen(const GameC* game, const void* state, int32_t event, int observer) noexcept nogil
cdef int more(const GameC* game, const void* state, int32_t* labels) noexcept nogil
cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil
cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil
cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil
cdef void prepare(const Data* d, Info* k) noexcept nogil
