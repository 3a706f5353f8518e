# What a trained network is to the search: two functions, and nothing of how they work.
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC

cdef struct Guide:
    const void* data     # the network; read only, so that several searches may share it. NULL: there is none
    size_t room          # bytes that a call needs to work in; each search has its own
    # Probabilities of the legal decisions of the player who is to move, from what he sees. [n]  NULL: it has values only
    void (*policy)(const void* data, const GameC* game, const void* state, int player, const int32_t* ids, int n, void* room, float* out) noexcept nogil
    # As the game's `values` (win shares, margins and scores of all players), estimated from what `player` sees. [players * VALUES]
    void (*values)(const void* data, const GameC* game, const void* state, int player, void* room, double* out) noexcept nogil


cdef class Evaluator:
    cdef Guide guide
    cdef readonly dict search    # search parameters that go with it, unless others are asked for
