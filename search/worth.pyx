"""What a position is worth if all play on by the game's policy: the mean result of playouts to the very end, of the truth or of dealt worlds.

It is no best play, and not meant as one: it is one and the same measure from the first card to the last, so that differences of it add up.
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport CHANCE, MAX_PLAYERS, VALUES, GameC
from wattman.engine.game cimport Game, InfoState, State
from wattman.engine.rng cimport Rng, mix64, rng_seed
from wattman.search.playout cimport play_out

import numpy as np


def worth(position, n: int, seed: int):
    """The mean result of so many playouts by the game's policy.

    Parameters
    ----------
    position : State or InfoState
        The truth; or what one player knows, of which each playout gets a world of its own.
    n : int
    seed : int
        The same seed gives the same playouts. Positions of one game that are compared should get the same one: they share some luck then.

    Returns
    -------
    (ndarray, ndarray)
        Means and their standard errors, both of shape (players, 3): share of the win, margin in points, own points.
    """
    cdef State state = position if isinstance(position, State) else None
    cdef InfoState info = position if state is None else None
    cdef Game owner = info.game if state is None else state.game
    cdef const GameC* game = &owner.c
    cdef const uint8_t* start = info.info if state is None else state.state
    cdef bint hidden = state is None
    cdef double values[MAX_PLAYERS * VALUES]
    cdef double total[MAX_PLAYERS * VALUES]
    cdef double squares[MAX_PLAYERS * VALUES]
    cdef uint64_t i, count = n, base = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef int k, size = game.players * VALUES
    cdef Rng chance, policy
    cdef uint8_t* room = <uint8_t*>calloc(1, game.state_size)
    cdef uint8_t* scratch = <uint8_t*>calloc(1, game.scratch_size + 1)
    cdef int32_t* ids = <int32_t*>malloc(game.max_legal * sizeof(int32_t))
    if n < 1:
        raise ValueError(f"worth: {n} playouts; at least one is needed")
    if room == NULL or scratch == NULL or ids == NULL:
        free(room)
        free(scratch)
        free(ids)
        raise MemoryError()
    memset(total, 0, sizeof(total))
    memset(squares, 0, sizeof(squares))
    with nogil:
        for i in range(count):
            rng_seed(&chance, mix64(base + i))
            rng_seed(&policy, ~mix64(base + i))
            if hidden:
                game.fill(game, start, &chance, room, NULL)
            else:
                memcpy(room, start, game.state_size)
            if game.scratch_size:
                memset(scratch, 0, game.scratch_size)
            play_out(game, room, scratch, ids, &chance, &policy, False, game.max_events, 0, CHANCE)
            game.values(game, room, values)
            for k in range(size):
                total[k] += values[k]
                squares[k] += values[k] * values[k]
    free(room)
    free(scratch)
    free(ids)
    means = np.array([total[k] / count for k in range(size)]).reshape(-1, VALUES)
    spread = np.array([max(squares[k] / count - (total[k] / count) ** 2, 0.0) for k in range(size)]).reshape(-1, VALUES)
    return means, np.sqrt(spread / max(count - 1, 1))
