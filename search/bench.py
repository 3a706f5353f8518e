"""How fast the engine and the search are on one core, and a signature of the work done.

Fixed numbers of playouts and simulations from fixed seeds, each timed several times; the median counts. The signature hashes the results:
it changes when the rules, the random numbers or the search do, and only then.
"""

from __future__ import annotations

import hashlib
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from wattman.engine.game import Deal, Game, State
from wattman.search.agents import load_agent
from wattman.search.ismcts import Search
from wattman.search.measure import clones, dealt_playouts, fills, playouts
from wattman.search.options import SEARCH, complete, for_game
from wattman.search.play import decide

MEASURES = 6  # that take time
REPEATS = 5  # of each


def midgame(game: Game, seed: int = 1) -> State:
    """A decision with a choice halfway through a greedy game dealt by `seed`."""
    length = len(_greedy(game, seed, None).history())
    return _greedy(game, seed, length // 2)


def opening(game: Game, seed: int = 1) -> State:
    """The first decision of a game dealt by `seed`."""
    state, deal = game.new_initial_state(), Deal(seed)
    while state.is_chance_node():
        state.apply_action(deal.choose(state))
    return state


def _greedy(game: Game, seed: int, events: int | None) -> State:
    """A greedy game to its end, or to the first decision with a choice after so many events."""
    state = game.new_initial_state()
    agent = load_agent("greedy", game, seed)
    deal = Deal(seed)
    last = None
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(deal.choose(state))
            continue
        if len(state.legal_actions()) > 1:
            if events is not None and len(state.history()) >= events:
                return state
            last = state.clone() if events is not None else None
        state.apply_action(decide(agent, state))
    return state if last is None else last


def _timed(work: Callable[[], Any], progress: Callable[[float], None] | None = None) -> tuple[float, Any]:
    """Median seconds of processor time (what else the machine does must not count), and what the work returns (the same every time)."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
        if progress is not None:
            progress(1 / (MEASURES * REPEATS))
    return statistics.median(times), result


def bench(game: Game, seed: int = 1, scale: float = 1.0, progress: Callable[[float], None] | None = None) -> dict[str, Any]:
    """Measure a game and the search on it.

    Parameters
    ----------
    game : Game
    seed : int
    scale : float
        Of the amount of work; 1 takes about ten seconds. It is part of the signature.
    progress : callable, optional
        Called now and then with the share of the work that was done since; the sum is 1.

    Returns
    -------
    dict
        ``ns_per_step``, ``steps_per_playout``, ``playouts_per_s``: uniformly random playouts from the start of the game, a step being one
        decision or chance event; ``dealt_playouts_per_s``: the same from the game's first decision, each with hidden things dealt anew;
        ``simulations_per_s``: the search as agents use it, from a midgame position (see `midgame`);
        ``simulations_per_s_random``: the same with random playouts to the end; ``clone_ns``, ``fill_ns``: copying a state, dealing a world;
        ``signature``: text.
    """
    start = game.new_initial_state()
    middle = midgame(game, seed)
    info = middle.info_state()
    signature: list[Any] = [game.name, game.options, seed, scale]

    steps, _ = playouts(start, 100, seed)
    n = max(10, int(scale * 6_000_000 * 100 / max(steps, 1)))  # about 6 million steps
    seconds, (steps, scores) = _timed(lambda: playouts(start, n, seed), progress)
    signature += [n, steps, scores]
    result: dict[str, Any] = {
        "ns_per_step": seconds / steps * 1e9,
        "steps_per_playout": steps / n,
        "playouts_per_s": n / seconds,
    }

    first = opening(game, seed).info_state()
    seconds, _ = _timed(lambda: dealt_playouts(first, n, seed), progress)
    result["dealt_playouts_per_s"] = n / seconds

    for key, options, simulations in (
        ("simulations_per_s", {}, int(20_000 * scale)),
        ("simulations_per_s_random", {"playout": "random", "cutoff": 0}, int(40_000 * scale)),
    ):

        def search(options: dict[str, Any] = options, simulations: int = max(100, simulations)) -> Search:
            search = Search(info, for_game(game, complete(SEARCH, options, game)), seed, 256 * 2**20)
            search.run(simulations)
            return search

        seconds, done = _timed(search, progress)
        result[key] = done.simulations / seconds
        signature.append([done.events, [[row.action, row.visits, round(row.total, 6)] for row in done.root()]])

    n = max(1000, int(5_000_000 * scale))
    seconds, _ = _timed(lambda: clones(middle, n), progress)
    result["clone_ns"] = seconds / (2 * n) * 1e9
    n = max(1000, int(400_000 * scale))
    seconds, worlds = _timed(lambda: fills(info, n, seed), progress)
    result["fill_ns"] = seconds / n * 1e9
    signature.append(worlds)
    result["signature"] = hashlib.sha256(json.dumps(signature).encode()).hexdigest()[:16]
    return result
