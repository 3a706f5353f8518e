"""What a network's policy is told of each legal action: its terms (`action_terms` in engine/abi.pxd), and the game's own weight of it."""
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC
from wattman.engine.game cimport Game, State

import numpy as np


def policy_terms(Game game) -> int:
    """How many terms there are: the width of a network's policy."""
    return game.c.terms


def has_terms(Game game) -> bool:
    """Whether the game describes its actions by terms; otherwise each id is one."""
    return game.c.action_terms != NULL


def describe(State state) -> dict[str, np.ndarray]:
    """The legal decisions of the player to move, ids ascending.

    Returns
    -------
    dict of arrays
        `legal` (n,) int32: ids. `weights` (n,) float32: the game's own weights as shares of their sum.
        `term_counts` (n,) int32; `terms` int32 and `factors` float32 (all): action by action.

    Raises
    ------
    ValueError
        If nobody is to decide.
    """
    cdef const GameC* game = &state.game.c
    cdef int i, n
    if game.to_move(game, state.state) < 0:
        raise ValueError("describe: nobody is to decide here")
    legal = np.zeros(game.max_legal, np.int32)
    cdef int32_t[::1] ids = legal
    cdef int32_t[::1] found = np.zeros(game.most_terms, np.int32)
    cdef float[::1] factor = np.zeros(game.most_terms, np.float32)
    n = game.legal(game, state.state, &ids[0])
    legal = legal[:n]
    legal.sort()
    cdef float[::1] weights = np.zeros(n, np.float32)
    game.weights(game, state.state, &ids[0], n, &weights[0])
    counts, terms, factors = [], [], []
    for i in range(n):
        counts.append(terms_of(game, state.state, ids[i], &found[0], &factor[0]))
        terms.append(np.array(found[: counts[i]]))
        factors.append(np.array(factor[: counts[i]]))
    return {
        "legal": legal, "weights": np.asarray(weights) / np.sum(weights), "term_counts": np.array(counts, np.int32),
        "terms": np.concatenate(terms), "factors": np.concatenate(factors),
    }
