# Dealing full states from what a player of Portland knows; see _portland_worlds.pyx.
from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_knowledge cimport Info
from wattman.engine.games._portland_state cimport Data
from wattman.engine.rng cimport Rng

cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil
cdef bint gauge(const Data* d, Info* k) noexcept nogil
