# The world of one simulation: dealt from what the observer knows, at the root.
from libc.math cimport exp
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from wattman.engine.abi cimport GameC
from wattman.engine.rng cimport rng_uniform
from wattman.search.context cimport Context
from wattman.search.sight cimport Sight, look_at_own


cdef inline void take_one(Context* c, uint8_t* state) noexcept nogil:
    """Instead of the world dealt, one of `belief` worlds, in proportion to how well it fits what the others have done (sampling and
    resampling; Rubin 1987)."""
    cdef const GameC* game = c.game
    cdef double weight = game.fit(game, state, c.observer), most = weight, total = 1
    cdef int i
    for i in range(c.belief - 1):
        game.fill(game, c.info, &c.chance, c.other, NULL)
        weight = game.fit(game, c.other, c.observer)
        if weight > most:
            total *= exp(most - weight)
            most = weight
        weight = exp(weight - most)
        total += weight
        if rng_uniform(&c.chance) * total < weight:
            memcpy(state, c.other, game.state_size)


cdef inline void deal_root(Context* c, uint8_t* state, Sight* sight) noexcept nogil:
    """A world at the root, and what the players see there."""
    if c.world != NULL:
        memcpy(state, c.world, c.game.state_size)
    else:
        c.game.fill(c.game, c.info, &c.chance, state, c.memory)
        if c.belief > 1:
            take_one(c, state)
    sight[0] = c.sight
    if c.apart:
        look_at_own(c.game, state, c.memory, c.view, c.observer, sight)
