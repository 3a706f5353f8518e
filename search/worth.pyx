"""What a position is worth if all play on by the game's policy: the mean result of playouts to the very end, of the truth or of dealt worlds.

It is no best play, and not meant as one: it is one and the same measure from the first card to the last, so that differences of it add up.
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport CHANCE, VALUES, GameC
from wattman.engine.game cimport Game, InfoState, State
from wattman.engine.rng cimport Rng, mix64, rng_seed
from wattman.search.playout cimport play_out

import numpy as np


def results(position, n: int, seed: int, moves=()):
    """The results of so many playouts by the game's policy.

    Parameters
    ----------
    position : State or InfoState
        The truth; or what one player knows, of which each playout gets a world of its own.
    n : int
    seed : int
        The same seed gives the same playouts. Positions of one game that are compared should get the same one: their i-th playouts share
        some luck then, and with the same `position` the whole world.
    moves : sequence of int
        Decisions that come first in every world, as far as they are legal there; after the first that is not, all is the policy's.

    Returns
    -------
    ndarray
        Shape (n, players, 3): share of the win, margin in points, own points.
    """
    cdef State state = position if isinstance(position, State) else None
    cdef InfoState info = position if state is None else None
    cdef Game owner = info.game if state is None else state.game
    cdef const GameC* game = &owner.c
    cdef const uint8_t* start = info.info if state is None else state.state
    cdef bint hidden = state is None
    cdef uint64_t i, count = n, base = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef int k, j, m, first = len(moves), size = game.players * VALUES
    cdef Rng chance, policy
    cdef uint8_t* room
    cdef uint8_t* scratch
    cdef int32_t* ids
    cdef int32_t[::1] forced = np.array([*moves, 0], np.int32)
    cdef double[:, ::1] out
    if n < 1:
        raise ValueError(f"worth: {n} playouts; at least one is needed")
    found = np.empty((n, size))
    out = found
    room = <uint8_t*>calloc(1, game.state_size)
    scratch = <uint8_t*>calloc(1, game.scratch_size + 1)
    ids = <int32_t*>malloc(game.max_legal * sizeof(int32_t))
    if room == NULL or scratch == NULL or ids == NULL:
        free(room)
        free(scratch)
        free(ids)
        raise MemoryError()
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
            for k in range(first):
                if game.to_move(game, room) < 0:
                    break
                m = game.legal(game, room, ids)
                j = 0
                while j < m and ids[j] != forced[k]:
                    j += 1
                if j == m:
                    break
                game.apply(game, room, NULL, forced[k])
            play_out(game, room, scratch, ids, &chance, &policy, False, game.max_events, 0, CHANCE)
            game.values(game, room, &out[i, 0])
    free(room)
    free(scratch)
    free(ids)
    return found.reshape(n, -1, VALUES)


def worth(position, n: int, seed: int):
    """The mean of `results`.

    Returns
    -------
    (ndarray, ndarray)
        Means and their standard errors, both of shape (players, 3).
    """
    found = results(position, n, seed)
    return found.mean(0), found.std(0) / np.sqrt(max(n - 1, 1))
