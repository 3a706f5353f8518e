# What a network's policy is told of an action; see terms.pyx.
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC


cdef inline int terms_of(const GameC* game, const void* state, int32_t id, int32_t* terms, float* factors) noexcept nogil:
    """The terms of a legal decision, with their factors; returns how many."""
    if game.action_terms != NULL:
        return game.action_terms(game, state, id, terms, factors)
    terms[0] = id
    factors[0] = 1
    return 1
