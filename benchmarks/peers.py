"""Wattman beside OpenSpiel, in one run on one machine: search, random playouts, copies of states; and Wattman's threads.

    pip install -e '.[peers]'
    python benchmarks/peers.py [--repeats N] [--scale X] [--seed N] [--only PART] [--json]

The systems take turns, in an order that turns round from one repeat to the next, so that whatever else slows the machine down meets all of
them. Times are processor time (for the threads also wall time); a figure is the median of the repeats, a ratio the median of the repeats'
ratios, with the range in parentheses. What is compared and what is not: docs/peers.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
from peers_tables import markdown

import wattman
from wattman.engine.game import Deal, State
from wattman.search.agents import load_agent
from wattman.search.bench import midgame
from wattman.search.ismcts import Search
from wattman.search.measure import clones, playouts
from wattman.search.options import SEARCH, for_game
from wattman.search.root import RootSearch

try:
    import pyspiel
except ImportError:
    pyspiel = None

# Leduc decisions, in Wattman's notation. Player 0 holds a queen, player 1 a king; the searcher knows his own card only.
DECISIONS = {
    "first decision": "deal Q, deal K",
    "facing a raise": "deal Q, deal K, raise",
    "after the flop": "deal Q, deal K, call, call, flop J",
    "last raise": "deal Q, deal K, raise, call, flop J, raise",
}
BUDGETS = (1_000, 10_000)
UCT_C = 5.0  # in chips; Leduc is won or lost by at most 13
CHIPS = 26
MEMORY = 64 * 2**20
SHARES = 100_000  # simulations after which the root's visits are compared
COUNTED = 10_000  # simulations of the searches in which nodes and steps are counted

Rates = dict[str, list[float]]


def alternate(works: dict[str, Callable[[], float]], repeats: int, clock: Callable[[], float] = time.process_time) -> Rates:
    """Run each work once to warm up, then all of them in turns.

    Parameters
    ----------
    works : dict
        By name: what does the work and returns how much it was.
    repeats : int
    clock : callable
        Seconds.

    Returns
    -------
    dict
        By name, the work done a second in each repeat.
    """
    names = list(works)
    for name in names:
        works[name]()
    rates: Rates = {name: [] for name in names}
    for i in range(repeats):
        for name in names if i % 2 == 0 else reversed(names):
            start = clock()
            amount = works[name]()
            rates[name].append(amount / (clock() - start))
    return rates


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, least and most."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def ratio(rates: Rates, above: str, below: str) -> dict[str, float]:
    """`spread` of the ratios of two systems' rates, repeat by repeat."""
    return spread([a / b for a, b in zip(rates[above], rates[below], strict=True)])


# --- the same position in both ---


def wattman_leduc(text: str) -> State:
    """The state after events in notation."""
    game = wattman.load_game("leduc")
    state = game.new_initial_state()
    for event in text.split(", "):
        state.apply_action(game.string_to_event(event))
    return state


def openspiel_leduc(text: str) -> Any:
    """The same state in OpenSpiel, which numbers six cards: of two equal ones, the first that is left."""
    state = pyspiel.load_game("leduc_poker").new_initial_state()
    for event in text.split(", "):
        if state.is_chance_node():
            rank = "JQK".index(event[-1])
            action = next(a for a in state.legal_actions() if a // 2 == rank)
        else:
            action = state.string_to_action(event.capitalize())
        state.apply_action(action)
    return state


def same_decision(ours: State, theirs: Any) -> None:
    """RuntimeError unless the player to move and his legal moves agree."""
    mine = (ours.current_player(), [ours.action_to_string(action) for action in ours.legal_actions()])
    other = (theirs.current_player(), [theirs.action_to_string(action).lower() for action in theirs.legal_actions()])
    if mine != other:
        raise RuntimeError(f"peers: the positions differ: {mine} here, {other} in OpenSpiel")


# --- search ---


def openspiel_bot(simulations: int, seed: int, policy: str = "MAX_VISIT_COUNT") -> Any:
    """OpenSpiel's C++ ISMCTS with one random playout a simulation and a world of its own for each."""
    return pyspiel.ISMCTSBot(
        seed, pyspiel.RandomRolloutEvaluator(1, seed), UCT_C, simulations, -1, getattr(pyspiel.ISMCTSFinalPolicyType, policy)
    )


def openspiel_search(state: Any, simulations: int, decisions: int, seed: int) -> Callable[[], float]:
    """So many decisions of OpenSpiel's search, each from an empty tree."""
    bot = openspiel_bot(simulations, seed)

    def work() -> float:
        for _ in range(decisions):
            bot.step(state)
        return simulations * decisions

    return work


def search_options(**changes: Any) -> dict[str, Any]:
    """The defaults, with random playouts to the end, and with changes."""
    return {parameter.name: parameter.default for parameter in SEARCH} | {"playout": "random", "cutoff": 0} | changes


def ucb_options() -> dict[str, Any]:
    """OpenSpiel's rule of selection: upper confidence bounds without a prior, with the same weight of exploration."""
    return search_options(select="bias", strength=0.0, uniform=1.0, c=UCT_C / CHIPS)


def wattman_search(state: State, options: dict[str, Any], simulations: int, decisions: int, seed: int) -> Callable[[], float]:
    """So many decisions of Wattman's search, each from an empty tree."""
    options = for_game(state.info_state().game, options)

    def work() -> float:
        for i in range(decisions):
            search = Search(state.info_state(), options, seed + i, MEMORY)
            search.run(simulations)
            max(search.root(), key=lambda row: row[1])
        return simulations * decisions

    return work


def wattman_agent(state: State, simulations: int, decisions: int, seed: int) -> Callable[[], float]:
    """The same through an agent, with its clock and its slices."""
    agent = load_agent(f"ismcts:simulations={simulations},playout=random", state.info_state().game, seed)

    def work() -> float:
        for i in range(decisions):
            agent.new_game(seed + i)
            agent.choose(state.info_state())
        return simulations * decisions

    return work


def root_shares(ours: State, theirs: Any, seed: int) -> dict[str, list[Any]]:
    """How both spread their visits over the root's moves under the same rule."""
    policy, _ = openspiel_bot(SHARES, seed, "NORMALIZED_VISIT_COUNT").step_with_policy(theirs)
    search = Search(ours.info_state(), for_game(ours.info_state().game, ucb_options()), seed, MEMORY)
    search.run(SHARES)
    return {
        "moves": [ours.action_to_string(action) for action in ours.legal_actions()],
        "openspiel": [round(share, 3) for _, share in sorted(policy)],
        "wattman": [round(row[1] / SHARES, 3) for row in sorted(search.root())],
    }


def search_work(ours: State, theirs: Any, seed: int) -> dict[str, dict[str, float]]:
    """Nodes after `COUNTED` simulations, and decisions and chance events a simulation: means of several searches.

    OpenSpiel's are counted in its Python bot, which is the same algorithm: the C++ one does not show them.
    """
    result = {"openspiel": [openspiel_work(theirs, seed + i) for i in range(4)]}
    for name, options in (("wattman_ucb", ucb_options()), ("wattman", search_options())):
        searches = [Search(ours.info_state(), for_game(ours.info_state().game, options), seed + i, MEMORY) for i in range(40)]
        for search in searches:
            search.run(COUNTED)
        result[name] = [(search.nodes, search.events / COUNTED) for search in searches]
    return {
        name: {"nodes": statistics.mean(nodes for nodes, _ in pairs), "steps": statistics.mean(steps for _, steps in pairs)}
        for name, pairs in result.items()
    }


def openspiel_work(state: Any, seed: int) -> tuple[int, float]:
    """Nodes and steps a simulation of one search."""
    from open_spiel.python.algorithms.ismcts import ChildSelectionPolicy, ISMCTSBot, ISMCTSFinalPolicyType

    generator = random.Random(seed)
    steps = 0

    class Evaluator:
        def evaluate(self, state: Any) -> Any:
            nonlocal steps
            world, played = random_playout(state, generator)
            steps += played
            return world.returns()

        def prior(self, state: Any) -> list[tuple[int, float]]:
            return [(action, 1.0) for action in state.legal_actions()]  # asked for, but not used by this rule

    class Bot(ISMCTSBot):
        def run_simulation(self, state: Any) -> Any:
            nonlocal steps
            steps += 1  # also at the root, which is no step
            return super().run_simulation(state)

    bot = Bot(
        state.get_game(),
        Evaluator(),
        UCT_C,
        COUNTED,
        random_state=np.random.RandomState(seed),
        final_policy_type=ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        child_selection_policy=ChildSelectionPolicy.UCT,
    )
    bot.step(state)
    return len(bot._nodes), (steps - COUNTED) / COUNTED


def measure_search(repeats: int, scale: float, seed: int) -> list[dict[str, Any]]:
    """Simulations a second on Leduc, one row a decision."""
    rows = []
    for label, text in DECISIONS.items():
        ours, theirs = wattman_leduc(text), openspiel_leduc(text)
        same_decision(ours, theirs)
        budgets = []
        for simulations in BUDGETS:
            few = max(1, round(60_000 * scale / simulations))
            many = 3 * few
            rates = alternate(
                {
                    "openspiel": openspiel_search(theirs, simulations, few, seed),
                    "wattman_ucb": wattman_search(ours, ucb_options(), simulations, many, seed),
                    "wattman": wattman_search(ours, search_options(), simulations, many, seed),
                    "wattman_agent": wattman_agent(ours, simulations, many, seed),
                },
                repeats,
            )
            budgets.append(
                {
                    "simulations": simulations,
                    "simulations_per_s": {name: spread(values) for name, values in rates.items()},
                    "same_rule": ratio(rates, "wattman_ucb", "openspiel"),
                    "own_rule": ratio(rates, "wattman", "openspiel"),
                }
            )
        rows.append(
            {
                "decision": label,
                "history": text,
                "budgets": budgets,
                "root_shares": root_shares(ours, theirs, seed),
                "shares_after": SHARES,
                "work": search_work(ours, theirs, seed),
                "counted": COUNTED,
            }
        )
    return rows


# --- playouts and copies ---


def openspiel_dealt(name: str, seed: int) -> Any:
    """The first decision of a game."""
    generator = random.Random(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        ids, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(generator.choices(ids, weights)[0])
    return state


def wattman_dealt(name: str, seed: int) -> State:
    """The first decision of a game."""
    state, deal = wattman.load_game(name).new_initial_state(), Deal(seed)
    while state.is_chance_node():
        state.apply_action(deal.choose(state))
    return state


def random_playout(state: Any, generator: random.Random) -> tuple[Any, int]:
    """A copy of an OpenSpiel state played to its end uniformly at random, and the decisions and chance events that took."""
    world, steps = state.clone(), 0
    while not world.is_terminal():
        if world.is_chance_node():
            ids, weights = zip(*world.chance_outcomes(), strict=True)
            world.apply_action(generator.choices(ids, weights)[0])
        else:
            world.apply_action(generator.choice(world.legal_actions()))
        steps += 1
    return world, steps


def openspiel_playouts(state: Any, count: int, seed: int) -> Callable[[], float]:
    """So many uniformly random playouts in C++: one simulation of a search whose evaluator makes all of them from the root."""
    bot = pyspiel.MCTSBot(state.get_game(), pyspiel.RandomRolloutEvaluator(count, seed), 1.0, 1, 64, False, seed, False)

    def work() -> float:
        bot.mcts_search(state)
        return count

    return work


def wattman_playouts(state: State, count: int, seed: int) -> Callable[[], float]:
    """So many uniformly random playouts."""

    def work() -> float:
        playouts(state, count, seed)
        return count

    return work


PLAYOUTS = (  # system, game, playouts timed, playouts whose steps are counted in Python (Wattman counts all of its own)
    ("openspiel", "leduc_poker", 200_000, 10_000),
    ("openspiel", "euchre", 40_000, 2_000),
    ("openspiel", "hearts", 12_000, 100),
    ("wattman", "leduc", 1_000_000, 0),
    ("wattman", "trambahn", 4_000, 0),
)


def measure_playouts(repeats: int, scale: float, seed: int) -> dict[str, Any]:
    """Uniformly random playouts from the first decision of each game."""
    works, steps = {}, {}
    for system, name, count, counted in PLAYOUTS:
        count = max(10, round(count * scale))
        if system == "openspiel":
            state = openspiel_dealt(name, seed)
            works[name] = openspiel_playouts(state, count, seed)
            generator = random.Random(seed)
            steps[name] = sum(random_playout(state, generator)[1] for _ in range(counted)) / counted
        else:
            state = wattman_dealt(name, seed)
            works[name] = wattman_playouts(state, count, seed)
            steps[name] = playouts(state, count, seed)[0] / count
    rates = alternate(works, repeats)
    per_step = {name: [rate * steps[name] for rate in values] for name, values in rates.items()}
    return {
        "games": [
            {
                "system": system,
                "game": name,
                "steps_per_playout": steps[name],
                "playouts_per_s": spread(rates[name]),
                "steps_per_s": spread(per_step[name]),
                "ns_per_step": spread([1e9 / rate for rate in per_step[name]]),
            }
            for system, name, *_ in PLAYOUTS
        ],
        "ratios": [
            {"above": above, "below": below, "steps_per_s": ratio(per_step, above, below)}
            for above, below in (("leduc", "leduc_poker"), ("trambahn", "euchre"), ("trambahn", "hearts"))
        ],
    }


def python_clones(state: Any, count: int) -> Callable[[], float]:
    """So many calls of `clone` from Python."""

    def work() -> float:
        clone = state.clone
        for _ in repeat(None, count):
            clone()
        return count

    return work


def compiled_clones(state: State, count: int) -> Callable[[], float]:
    """So many copies inside Wattman, as its search makes them."""

    def work() -> float:
        clones(state, count // 2)
        return count // 2 * 2

    return work


def measure_clones(repeats: int, scale: float, seed: int) -> list[dict[str, Any]]:
    """Copies of states a second: from Python at the first decision, and inside Wattman."""
    few, many = max(100, round(150_000 * scale)), max(100, round(5_000_000 * scale))
    theirs = [name for system, name, *_ in PLAYOUTS if system == "openspiel"]
    ours = {name: wattman_dealt(name, seed) for system, name, *_ in PLAYOUTS if system == "wattman"}
    works = {f"openspiel {name}, from Python": python_clones(openspiel_dealt(name, seed), few) for name in theirs}
    works |= {f"wattman {name}, from Python": python_clones(state, few) for name, state in ours.items()}
    works |= {f"wattman {name}, compiled": compiled_clones(state, many) for name, state in ours.items()}
    rates = alternate(works, repeats)
    return [{"what": name, "clones_per_s": spread(values), "ns": spread([1e9 / rate for rate in values])} for name, values in rates.items()]


# --- threads ---


def starved() -> float | None:
    """Seconds this thread has waited for a core so far, though it could have run. Linux knows."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return None


class Watched:
    """A search of a `RootSearch`, with the seconds that its thread was at work on it or blocked, but not waiting for a core."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._began: tuple[float, float | None] | None = None
        self.seconds: float | None = None

    @property
    def simulations(self) -> int:
        return self._search.simulations

    def run(self, n: int, budget: int = 0) -> bool:
        if self._began is None:
            self._began = time.perf_counter(), starved()
        settled = self._search.run(n, budget)
        waited = starved()
        if waited is not None and self._began[1] is not None:
            self.seconds = time.perf_counter() - self._began[0] - (waited - self._began[1])
        return settled


def measure_threads(repeats: int, scale: float, seed: int) -> dict[str, Any]:
    """Two threads against one on a Trambahn midgame, with default options and as many simulations a thread.

    `ratio` is of wall times and needs idle cores. `ratio_with_cores` leaves out the time in which a thread could have run but had no core;
    what it waits for the other thread counts. None where the system does not tell.
    """
    info = midgame(wattman.load_game("trambahn"), seed).info_state()
    each = max(100, round(20_000 * scale))
    defaults = {parameter.name: parameter.default for parameter in SEARCH}
    processor: dict[str, list[float]] = {"1": [], "2": []}
    with_cores: dict[str, list[float]] = {"1": [], "2": []}

    def search(threads: int) -> Callable[[], float]:
        def work() -> float:
            root = RootSearch(info, defaults, seed, roots=threads, threads=threads)
            watched = root.searches = [Watched(search) for search in root.searches]
            start = time.process_time()
            root.run(threads * each)
            processor[str(threads)].append((time.process_time() - start) / root.simulations)
            if all(each.seconds is not None for each in watched):
                with_cores[str(threads)].append(root.simulations / max(each.seconds for each in watched))
            return root.simulations

        return work

    before = os.getloadavg()[0]
    rates = alternate({"1": search(1), "2": search(2)}, repeats, time.perf_counter)
    with_cores = {threads: values[1:] for threads, values in with_cores.items()}  # the first was to warm up
    known = all(with_cores.values())
    return {
        "simulations_per_s": {threads: spread(values) for threads, values in rates.items()},
        "ratio": ratio(rates, "2", "1"),
        "simulations_per_s_with_cores": {threads: spread(values) for threads, values in with_cores.items()} if known else None,
        "ratio_with_cores": ratio(with_cores, "2", "1") if known else None,
        "processor_time_per_simulation": statistics.median(processor["2"][1:]) / statistics.median(processor["1"][1:]),
        "load_before": before,
        "load_after": os.getloadavg()[0],
    }


# --- all of it ---


def machine() -> dict[str, Any]:
    """Where and with what this ran."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        model = next((line.split(":")[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")), model)
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "wattman": wattman.__version__,
        "open_spiel": metadata.version("open_spiel"),
    }


PARTS: dict[str, Callable[[int, float, int], Any]] = {
    "search": measure_search,
    "playouts": measure_playouts,
    "clones": measure_clones,
    "threads": measure_threads,
}


def measure(repeats: int, scale: float, seed: int, parts: Sequence[str]) -> dict[str, Any]:
    """Some of the parts, in one run."""
    before = os.getloadavg()[0]
    result = {"machine": machine(), "repeats": repeats, "scale": scale, "seed": seed}
    result |= {part: PARTS[part](repeats, scale, seed) for part in parts}
    return result | {"load": [before, os.getloadavg()[0]]}


def main() -> int:
    parser = argparse.ArgumentParser(description="Wattman beside OpenSpiel, in one run.")
    parser.add_argument("--repeats", type=int, default=7, metavar="N")
    parser.add_argument("--scale", type=float, default=1.0, metavar="X", help="of the amount of work; 1 takes two minutes")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--only", choices=PARTS, help="one part instead of all")
    parser.add_argument("--json", action="store_true", help="JSON instead of Markdown tables")
    arguments = parser.parse_args()
    if arguments.repeats < 1 or arguments.scale <= 0:
        parser.error("--repeats must be at least 1, --scale more than 0")
    if pyspiel is None:
        print("peers: open_spiel is not installed; get it with: pip install 'wattman[peers]'", file=sys.stderr)
        return 2
    result = measure(arguments.repeats, arguments.scale, arguments.seed, [arguments.only] if arguments.only else list(PARTS))
    print(json.dumps(result, indent=2) if arguments.json else markdown(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
