"""Many games of one kind stepped at once in C, without the GIL: experience for learning.

Every step plays one decision in each game, and the chance events after it. A game that ends begins anew at once.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from wattman.engine.abi cimport CHANCE, MAX_PLAYERS, TERMINAL, GameC
from wattman.engine.game cimport Game
from wattman.engine.rng cimport Rng, mix64, rng_below, rng_seed

import numpy as np

from wattman.engine.seeds import seed_of


cdef class BatchEnv:
    """`count` games of one kind, each at a decision.

    Parameters
    ----------
    game : Game
    count : int
        How many, at least 1.
    seed : int
        Decides chance and `sample`. Game k's luck depends on it and on k alone, not on how many there are.

    Attributes
    ----------
    game : Game
    count : int
    players : array (count,) of int32
        Who is to move in each game.
    observations : array (count, observation size) of float32
        What he sees: `State.observation_tensor`.
    masks : array (count, actions) of bool
        Which actions are legal for him.
    rewards : array (count, players) of float32
        Per seat the results of the games that the last step ended (`State.returns`), else 0.
    ended : array (count,) of bool
        Which those are. Their rows in `players`, `observations` and `masks` are of the next game already.
    games : array (count,) of int64
        How many games have ended there.

    Notes
    -----
    Each step overwrites the arrays: copy what is to be kept. For the same seed and actions they are the same. Other threads run while a step
    runs, so several of these can be stepped at the same time; one of them by one thread at a time only.
    """

    cdef readonly Game game
    cdef readonly int count
    cdef readonly object players, observations, masks, rewards, ended, games
    cdef uint8_t* _states      # [count * state_size]
    cdef Rng* _luck            # [count]
    cdef Rng* _picks           # [count]: for `sample`
    cdef int32_t* _legal       # [count * max_legal]
    cdef int32_t* _legals      # [count]
    cdef int32_t* _actions     # [count]
    cdef int32_t* _player
    cdef float* _seen
    cdef uint8_t* _mask
    cdef float* _reward
    cdef uint8_t* _end
    cdef int64_t* _played
    cdef bint _busy

    def __init__(self, Game game not None, int count, seed=0):
        if self._states != NULL:
            raise TypeError("a BatchEnv is begun anew by reset()")
        if count < 1:
            raise ValueError(f"count: {count}: must be at least 1")
        start = seed_of(seed)
        self.game = game
        self.count = count
        self._states = <uint8_t*>calloc(count, game.c.state_size)
        self._luck = <Rng*>calloc(count, sizeof(Rng))
        self._picks = <Rng*>calloc(count, sizeof(Rng))
        self._legal = <int32_t*>calloc(<size_t>count * game.c.max_legal, sizeof(int32_t))
        self._legals = <int32_t*>calloc(count, sizeof(int32_t))
        self._actions = <int32_t*>calloc(count, sizeof(int32_t))
        if not (self._states and self._luck and self._picks and self._legal and self._legals and self._actions):
            raise MemoryError()
        cdef int32_t[::1] players = np.zeros(count, np.int32)
        cdef float[:, ::1] observations = np.zeros((count, max(1, game.c.observation_size)), np.float32)
        cdef uint8_t[:, ::1] masks = np.zeros((count, game.c.actions), np.uint8)
        cdef float[:, ::1] rewards = np.zeros((count, game.c.players), np.float32)
        cdef uint8_t[::1] ended = np.zeros(count, np.uint8)
        cdef int64_t[::1] games = np.zeros(count, np.int64)
        self._player, self._seen, self._mask = &players[0], &observations[0, 0], &masks[0, 0]
        self._reward, self._end, self._played = &rewards[0, 0], &ended[0], &games[0]
        self.players, self.rewards, self.games = np.asarray(players), np.asarray(rewards), np.asarray(games)
        self.observations = np.asarray(observations)[:, :game.c.observation_size]
        self.masks, self.ended = np.asarray(masks).view(np.bool_), np.asarray(ended).view(np.bool_)
        self.reset(start)

    def __dealloc__(self):
        free(self._states)
        free(self._luck)
        free(self._picks)
        free(self._legal)
        free(self._legals)
        free(self._actions)

    def reset(self, seed=None) -> None:
        """Begin every game anew; without a seed the luck goes on where it was."""
        cdef uint64_t start
        cdef int i
        self._enter()
        try:
            if seed is not None:
                start = seed_of(seed)
                for i in range(self.count):
                    rng_seed(&self._luck[i], mix64(start) ^ mix64(2 * <uint64_t>i))
                    rng_seed(&self._picks[i], mix64(start) ^ mix64(2 * <uint64_t>i + 1))
            self.rewards[:] = 0
            self.ended[:] = False
            self.games[:] = 0
            with nogil:
                for i in range(self.count):
                    self._begin(i)
                    self._show(i)
        finally:
            self._busy = False

    def step(self, actions) -> None:
        """Play one action in each game, and write the arrays anew.

        Parameters
        ----------
        actions : array (count,) of int
            Ids, each legal in its game.

        Raises
        ------
        ValueError
            If one is not, or the array does not fit; nothing has changed then.
        """
        cdef int i, wrong = -1
        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions: an array of {self.count} whole numbers is wanted, not {given.dtype} of shape {given.shape}")
        cdef int64_t[::1] ids = np.ascontiguousarray(given, np.int64)
        self._enter()
        try:
            with nogil:
                for i in range(self.count):
                    if not self._allowed(i, ids[i]):
                        wrong = i
                        break
                    self._actions[i] = <int32_t>ids[i]
                if wrong < 0:
                    for i in range(self.count):
                        self._advance(i)
                        self._show(i)
            if wrong >= 0:
                raise ValueError(self._refusal(wrong, int(ids[wrong])))
        finally:
            self._busy = False

    def sample(self):
        """A uniformly random legal action for each game. Array (count,) of int32."""
        cdef int i
        cdef int32_t[::1] out = np.empty(self.count, np.int32)
        self._enter()
        with nogil:
            for i in range(self.count):
                out[i] = self._legal[<size_t>i * self.game.c.max_legal + rng_below(&self._picks[i], self._legals[i])]
        self._busy = False
        return np.asarray(out)

    def observations_of(self, int player):
        """What one seat sees in each game, to move or not. Array (count, observation size) of float32."""
        cdef int i, size = self.game.c.observation_size
        if not 0 <= player < self.game.c.players:
            raise ValueError(f"player {player}: players are 0 to {self.game.c.players - 1}")
        cdef float[:, ::1] out = np.zeros((self.count, max(1, size)), np.float32)
        self._enter()
        with nogil:
            for i in range(self.count):
                self.game.c.observe(&self.game.c, self._states + i * self.game.c.state_size, player, &out[i, 0])
        self._busy = False
        return np.asarray(out)[:, :size]

    def __len__(self):
        return self.count

    def __reduce__(self):
        raise TypeError("a BatchEnv cannot be pickled; make another one with the same seed")

    def __repr__(self):
        return f"<BatchEnv of {self.count} games of {self.game!r}>"

    cdef int _enter(self) except -1:
        if self._busy:
            raise RuntimeError("this BatchEnv is at work in another thread")
        self._busy = True
        return 0

    def _refusal(self, int i, action) -> str:
        legal = sorted([self._legal[<size_t>i * self.game.c.max_legal + k] for k in range(self._legals[i])])
        texts = ", ".join(f"{event} ({self.game.event_to_string(event)})" for event in legal)
        return f"game {i} of the batch: action {action} is not legal for player {self._player[i]}; legal: {texts}"

    # --- one game ---

    cdef bint _allowed(self, int i, int64_t action) noexcept nogil:
        cdef const int32_t* ids = self._legal + <size_t>i * self.game.c.max_legal
        cdef int k
        for k in range(self._legals[i]):
            if ids[k] == action:
                return True
        return False

    cdef void _begin(self, int i) noexcept nogil:
        cdef const GameC* c = &self.game.c
        c.init(c, self._states + i * c.state_size, NULL)
        self._chance(i)

    cdef void _chance(self, int i) noexcept nogil:
        """Play the chance events that come next."""
        cdef const GameC* c = &self.game.c
        cdef uint8_t* state = self._states + i * c.state_size
        while c.to_move(c, state) == CHANCE:
            c.apply(c, state, NULL, c.sample(c, state, &self._luck[i]))

    cdef void _advance(self, int i) noexcept nogil:
        cdef const GameC* c = &self.game.c
        cdef uint8_t* state = self._states + i * c.state_size
        cdef double out[MAX_PLAYERS]
        cdef int p
        c.apply(c, state, NULL, self._actions[i])
        self._chance(i)
        self._end[i] = c.to_move(c, state) == TERMINAL
        for p in range(c.players):
            self._reward[i * c.players + p] = 0
        if self._end[i]:
            c.returns(c, state, out)
            for p in range(c.players):
                self._reward[i * c.players + p] = <float>out[p]
            self._played[i] += 1
            self._begin(i)

    cdef void _show(self, int i) noexcept nogil:
        """Who is to move, what he sees and what he may do."""
        cdef const GameC* c = &self.game.c
        cdef uint8_t* state = self._states + i * c.state_size
        cdef int32_t* ids = self._legal + <size_t>i * c.max_legal
        cdef uint8_t* mask = self._mask + <size_t>i * c.actions
        cdef float* seen = self._seen + <size_t>i * max(1, c.observation_size)
        cdef int k
        for k in range(self._legals[i]):
            mask[ids[k]] = 0
        self._player[i] = c.to_move(c, state)
        self._legals[i] = c.legal(c, state, ids)
        for k in range(self._legals[i]):
            mask[ids[k]] = 1
        memset(seen, 0, c.observation_size * sizeof(float))
        c.observe(c, state, self._player[i], seen)
