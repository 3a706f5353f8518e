# The world of one simulation: dealt from what the observer knows, at the root.
from libc.math cimport exp
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from wattman.engine.rng cimport Rng, mix64, rng_seed, rng_uniform
from wattman.search.context cimport Context
from wattman.search.sight cimport Sight, look_at_own


cdef inline void deal_numbered(Context* c, int number, uint8_t* state) noexcept nogil:
    """A world of the belief's pool: the same number deals the same one."""
    cdef Rng rng
    rng_seed(&rng, mix64(c.seed ^ mix64(number + 1)))
    c.game.fill(c.game, c.info, &rng, state, NULL)


cdef inline void weigh_pool(Context* c) noexcept nogil:
    """Deals the `belief` worlds of the pool and rates how well each fits what the others have done; `pool` gets the sums of their weights."""
    cdef double most, total = 0
    cdef int i
    for i in range(c.belief):
        deal_numbered(c, i, c.state)
        c.pool[i] = c.game.fit(c.game, c.state, c.observer)
        most = c.pool[i] if i == 0 else max(most, c.pool[i])
    for i in range(c.belief):
        total += exp(c.pool[i] - most)
        c.pool[i] = total
    c.weighed = True


cdef inline void deal_believed(Context* c, uint8_t* state) noexcept nogil:
    """One of the pool's worlds, in proportion to its weight (sampling and resampling; Rubin 1987)."""
    cdef double dice
    cdef int low = 0, high = c.belief - 1, middle
    if not c.weighed:
        weigh_pool(c)
    dice = rng_uniform(&c.chance) * c.pool[high]
    while low < high:
        middle = (low + high) >> 1
        if c.pool[middle] > dice:
            high = middle
        else:
            low = middle + 1
    deal_numbered(c, low, state)


cdef inline void deal_root(Context* c, uint8_t* state, Sight* sight) noexcept nogil:
    """A world at the root, and what the players see there."""
    if c.world != NULL:
        memcpy(state, c.world, c.game.state_size)
    elif c.belief > 1:
        deal_believed(c, state)
    else:
        c.game.fill(c.game, c.info, &c.chance, state, c.memory)
    sight[0] = c.sight
    if c.apart:
        look_at_own(c.game, state, c.memory, c.view, c.observer, sight)
