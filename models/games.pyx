"""Many games without search, fast: by the game's playout policy or by a network's. They teach a network what positions are worth."""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from wattman.engine.abi cimport CHANCE, MAX_PLAYERS, TERMINAL, VALUES, GameC
from wattman.engine.game cimport Game
from wattman.engine.rng cimport Rng, mix64, rng_below, rng_seed, rng_uniform
from wattman.models.evaluator cimport NetEvaluator
from wattman.search.evaluator cimport Guide

import numpy as np

cdef enum:
    MOST = 256      # decisions noted of one game
    STRAY = 8       # decisions in which players stray


cdef struct Room:
    uint8_t* state
    uint8_t* scratch
    int32_t* ids
    float* chances
    void* net
    float* seen         # [MOST][players][observation]
    float* hidden       # [MOST][players][hidden]


cdef void free_room(Room* room) noexcept nogil:
    free(room.state)
    free(room.scratch)
    free(room.ids)
    free(room.chances)
    free(room.net)
    free(room.seen)
    free(room.hidden)


cdef int note(const GameC* game, Room* room, int noted) noexcept nogil:
    """Notes a position as every player sees it; returns how many are noted then."""
    cdef int player
    cdef size_t i
    if noted == MOST:
        return noted
    for player in range(game.players):
        i = noted * game.players + player
        game.observe(game, room.state, player, room.seen + i * game.observation_size)
        game.hidden_targets(game, room.state, player, room.hidden + i * game.hidden_size)
    return noted + 1


cdef int play(const GameC* game, const Guide* guide, Rng* rng, double share, int start, Room* room, double* result) noexcept nogil:
    """One game; returns how many positions of it were noted.

    They are those from decision `start` on (with a choice): that one, and a share of the later ones and of the positions in which chance
    comes after a decision. If it is not the first one, the STRAY decisions before it are uniformly random half of the time. So the network
    also sees what a search tries and nobody would play, and what comes after is always played well.
    """
    cdef int who, n, i, noted = 0, decision = 0
    cdef int32_t event
    cdef double dice
    cdef bint stray, decided = False
    game.init(game, room.state, NULL)
    if game.scratch_size:
        memset(room.scratch, 0, game.scratch_size)
    while True:
        who = game.to_move(game, room.state)
        if who == TERMINAL:
            break
        if who == CHANCE:
            if decided and decision > start and rng_uniform(rng) < share:
                noted = note(game, room, noted)
            decided = False
            game.apply(game, room.state, NULL, game.sample(game, room.state, rng))
            continue
        decided = True
        n = game.legal(game, room.state, room.ids)
        event = room.ids[0]
        if n > 1:
            stray = start - STRAY <= decision < start and rng_uniform(rng) < 0.5
            if decision == start or (decision > start and rng_uniform(rng) < share):
                noted = note(game, room, noted)
            decision += 1
            if stray:
                event = room.ids[rng_below(rng, n)]
            elif guide.data == NULL:
                event = game.playout(game, room.state, room.scratch, rng)
            else:
                guide.policy(guide.data, game, room.state, who, room.ids, n, room.net, room.chances)
                dice = rng_uniform(rng)
                for i in range(n):
                    event = room.ids[i]
                    dice -= room.chances[i]
                    if dice < 0:
                        break
        game.apply(game, room.state, NULL, event)
    game.values(game, room.state, result)
    return noted


def play_games(Game game, n: int, seed: int, share: float, NetEvaluator net=None, length: int = 0) -> dict[str, np.ndarray]:
    """Plays n games and notes a share of their decisions, each as every player sees it.

    Parameters
    ----------
    game : Game
    n, seed : int
        The same seed gives the same games.
    share : float
        Of the decisions with a choice.
    net : NetEvaluator, optional
        Its policy moves; without it the game's playout policy.
    length : int
        What is noted begins at a decision drawn from so many, see `play`; 0: at the first one.

    Returns
    -------
    dict of arrays
        `observation` (rows, observation) float16; `value` (rows, 3 x players) float32: win shares, then margins, then scores in points, by
        seat from the viewer on; `hidden` (rows, hidden) float16.
    """
    cdef const GameC* c = &game.c
    cdef Guide guide
    cdef Room room
    cdef Rng rng
    cdef double result[MAX_PLAYERS * VALUES]
    cdef int noted, rows, i, player, start = 0, most = length
    cdef double part = share
    cdef uint64_t number, base = seed & 0xFFFFFFFFFFFFFFFF
    memset(&guide, 0, sizeof(guide))
    if net is not None:
        if net.game != game:
            raise ValueError("play_games: the network is for another game")
        if net.guide.policy == NULL:
            raise ValueError("play_games: the network has no policy")
        guide = net.guide
    room.state = <uint8_t*>calloc(1, c.state_size)
    room.scratch = <uint8_t*>calloc(1, c.scratch_size + 1)
    room.ids = <int32_t*>calloc(c.max_legal, sizeof(int32_t))
    room.chances = <float*>calloc(c.max_legal, sizeof(float))
    room.net = calloc(1, guide.room + 1)
    room.seen = <float*>calloc(MOST * c.players, c.observation_size * sizeof(float))
    room.hidden = <float*>calloc(MOST * c.players, c.hidden_size * sizeof(float) + 1)
    if room.state == NULL or room.scratch == NULL or room.ids == NULL or room.chances == NULL or room.net == NULL or room.seen == NULL or room.hidden == NULL:
        free_room(&room)
        raise MemoryError()
    observations, values, hiddens = [], [], []
    try:
        for number in range(n):
            rng_seed(&rng, mix64(base ^ mix64(number + 1)))
            if most:
                start = rng_below(&rng, most)
            with nogil:
                noted = play(c, &guide, &rng, part, start, &room, result)
            rows = noted * c.players
            if rows == 0:
                continue
            observations.append(np.asarray(<float[:rows, :c.observation_size]>room.seen).astype(np.float16))
            if c.hidden_size:
                hiddens.append(np.asarray(<float[:rows, :c.hidden_size]>room.hidden).astype(np.float16))
            # by seat from each viewer on, the same for all decisions of the game
            ends = np.array([result[i] for i in range(c.players * VALUES)]).reshape(c.players, VALUES)
            views = np.stack([np.roll(ends, -player, axis=0).T.reshape(-1) for player in range(c.players)])
            values.append(np.tile(views, (noted, 1)).astype(np.float32))
    finally:
        free_room(&room)
    return {
        "observation": np.concatenate(observations) if observations else np.zeros((0, c.observation_size), np.float16),
        "value": np.concatenate(values) if values else np.zeros((0, c.players * VALUES), np.float32),
        "hidden": np.concatenate(hiddens) if hiddens else np.zeros((sum(map(len, observations)), c.hidden_size), np.float16),
    }
