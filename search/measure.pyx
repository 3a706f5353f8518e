"""Loops that measure the engine and the search, without Python inside. `wattman.search.bench` puts them together."""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport CHANCE, MAX_PLAYERS, GameC
from wattman.engine.game cimport Game, InfoState, State
from wattman.engine.rng cimport Rng, mix64, rng_seed
from wattman.search.playout cimport play_out


cdef struct Room:
    uint8_t* state
    uint8_t* scratch
    int32_t* ids


cdef int make_room(const GameC* game, Room* room) except -1:
    room.state = <uint8_t*>calloc(1, game.state_size)
    room.scratch = <uint8_t*>calloc(1, game.scratch_size + 1)
    room.ids = <int32_t*>malloc(game.max_legal * sizeof(int32_t))
    if room.state == NULL or room.scratch == NULL or room.ids == NULL:
        free_room(room)
        raise MemoryError()
    return 0


cdef void free_room(Room* room) noexcept nogil:
    free(room.state)
    free(room.scratch)
    free(room.ids)


def playouts(State start, n: int, seed: int, uniform: bool = True) -> tuple[int, int]:
    """Plays `start` to its end so many times, uniformly at random or by the game's policy.

    Returns
    -------
    (int, int)
        The steps taken, and a hash of all final scores.
    """
    cdef const GameC* game = &start.game.c
    cdef Room room
    cdef Rng rng
    cdef double scores[MAX_PLAYERS]
    cdef uint64_t i, count = n, steps = 0, h = 0
    cdef int player
    cdef bint blind = uniform
    make_room(game, &room)
    rng_seed(&rng, <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF))
    with nogil:
        for i in range(count):
            memcpy(room.state, start.state, game.state_size)
            if game.scratch_size:
                memset(room.scratch, 0, game.scratch_size)
            steps += play_out(game, room.state, room.scratch, room.ids, &rng, &rng, blind, game.max_events, 0, CHANCE)
            game.scores(game, room.state, scores)
            for player in range(game.players):
                h = mix64(h ^ <uint64_t><int32_t>(scores[player] * 16))
    free_room(&room)
    return steps, h


def dealt_playouts(InfoState info, n: int, seed: int) -> tuple[int, int]:
    """Deals so many worlds and plays each to its end, uniformly at random.

    Returns
    -------
    (int, int)
        The steps taken, and a hash of all final scores.
    """
    cdef const GameC* game = &info.game.c
    cdef Room room
    cdef Rng rng
    cdef double scores[MAX_PLAYERS]
    cdef uint64_t i, count = n, steps = 0, h = 0
    cdef int player
    make_room(game, &room)
    rng_seed(&rng, <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF))
    with nogil:
        for i in range(count):
            game.fill(game, info.info, &rng, room.state, NULL)
            steps += play_out(game, room.state, room.scratch, room.ids, &rng, &rng, True, game.max_events, 0, CHANCE)
            game.scores(game, room.state, scores)
            for player in range(game.players):
                h = mix64(h ^ <uint64_t><int32_t>(scores[player] * 16))
    free_room(&room)
    return steps, h


def clones(State start, n: int) -> int:
    """Copies a state so many times to and fro, 2 * n copies in all; returns a number that depends on them."""
    cdef const GameC* game = &start.game.c
    cdef Room room
    cdef size_t last = game.state_size - 1
    cdef uint64_t i, count = n, total = 0
    cdef uint8_t* other = <uint8_t*>malloc(game.state_size)
    if other == NULL:
        raise MemoryError()
    try:
        make_room(game, &room)
    except MemoryError:
        free(other)
        raise
    memcpy(other, start.state, game.state_size)
    with nogil:
        for i in range(count):
            # The bytes read and written keep the compiler from leaving a copy out.
            memcpy(room.state, other, game.state_size)
            room.state[0] ^= 1
            memcpy(other, room.state, game.state_size)
            total += other[last]
    free_room(&room)
    free(other)
    return total


def fills(InfoState info, n: int, seed: int) -> int:
    """Deals so many worlds; returns a hash of them."""
    cdef const GameC* game = &info.game.c
    cdef Room room
    cdef Rng rng
    cdef uint64_t i, count = n, h = 0
    cdef uint64_t last = 0
    cdef size_t width = min(sizeof(last), game.state_size), places = max(<size_t>1, game.state_size - width)
    make_room(game, &room)
    rng_seed(&rng, <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF))
    with nogil:
        for i in range(count):
            game.fill(game, info.info, &rng, room.state, NULL)
            memcpy(&last, room.state + (i * 8) % places, width)
            h = mix64(h ^ last)
    free_room(&room)
    return h
