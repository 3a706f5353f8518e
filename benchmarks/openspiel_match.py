"""Wattman's search against OpenSpiel's ISMCTS in Python, at equal simulations and at equal time, and the simulations a second of both.

    pip install -e '.[openspiel]'
    python benchmarks/openspiel_match.py [--game trambahn] [--games N] [--simulations N] [--seconds S] [--only PART] [--seed N] [--json]

OpenSpiel's search plays the game as `wattman.engine.interop.openspiel` registers it: the same knowledge, worlds dealt by the same code,
one uniformly random playout a simulation, UCT with c = 1.4, the most visited action. Wattman's is the default of `ismcts`. Both get their
budget per decision (simulations) or per turn (seconds, one thread). Duplicate deals; intervals are taken over deals.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot, ISMCTSFinalPolicyType
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from wattman import load_agent, load_game
from wattman.engine.game import Game, InfoState
from wattman.engine.interop.openspiel import PREFIX
from wattman.search.agents import TurnClock
from wattman.search.bench import midgame
from wattman.search.match import MatchResult, run_match

UCT_C = 1.4  # results are +1 and -1
FEWEST = 2  # simulations: after one the root has no visits yet


class Bot(ISMCTSBot):
    """OpenSpiel's search with a budget of simulations or of time. `simulations` counts those of the last search."""

    def search(self, state: Any, simulations: float, seconds: float) -> int:
        self.reset()
        legal = state.legal_actions()
        self.simulations = 0
        if len(legal) == 1:
            return legal[0]
        self._root_node = self.create_new_node(state)
        end = time.perf_counter() + seconds
        while self.simulations < FEWEST or (self.simulations < simulations and time.perf_counter() < end):
            self.run_simulation(self.sample_root_state(state))
            self.simulations += 1
        actions, shares = zip(*self.get_final_policy(state, self._root_node), strict=True)
        return int(self._random_state.choice(actions, p=shares))


class OpenSpielPlayer:
    """An agent for Wattman's matches: knows the InfoState that it is asked about, and nothing else."""

    def __init__(self, game: Game, seed: int, simulations: float, seconds: float) -> None:
        self.game = pyspiel.load_game(PREFIX + game.name, dict(game.options))
        self.random = np.random.RandomState(seed & 0xFFFFFFFF)
        evaluator = RandomRolloutEvaluator(1, self.random)
        policy = ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        self.bot = Bot(self.game, evaluator, UCT_C, FEWEST, random_state=self.random, final_policy_type=policy)
        self.simulations, self.seconds, self.clock = simulations, seconds, TurnClock()

    def choose(self, info: InfoState) -> int:
        start = time.perf_counter()
        left = self.clock.start(info, self.seconds)
        state = self.game.new_initial_state()
        state.engine = info.sample(int(self.random.randint(2**31)))  # any world will do: the search deals its own from what is known in it
        action = self.bot.search(state, self.simulations, math.inf if left is None else left)
        self.clock.stop(info, action, time.perf_counter() - start)
        return action


@dataclass(frozen=True)
class OpenSpiel:
    """Makes `OpenSpielPlayer`s."""

    simulations: float = math.inf
    seconds: float = math.inf

    def __call__(self, game: Game, seed: int) -> OpenSpielPlayer:
        return OpenSpielPlayer(game, seed, self.simulations, self.seconds)

    def __str__(self) -> str:
        return f"openspiel:simulations={self.simulations}" if self.simulations < math.inf else f"openspiel:time={self.seconds:g}"


def speed(game: Game, seed: int) -> dict[str, float]:
    """Simulations a second from one midgame position, processor time."""
    info = midgame(game).info_state()
    player = OpenSpielPlayer(game, seed, 40, math.inf)
    ours = load_agent("ismcts:simulations=20000", game, seed)
    rates = {}
    start = time.process_time()
    player.choose(info)
    rates["openspiel"] = player.bot.simulations / (time.process_time() - start)
    start = time.process_time()
    rates["wattman"] = ours.analyze(info).simulations / (time.process_time() - start)
    return rates


def row(part: str, result: MatchResult) -> str:
    """A line of the table."""
    low, high = result.ci95[0]
    names = " | ".join(f"`{name}`" for name in result.agents)
    points = " : ".join(f"{score:.1f}" for score in result.mean_scores)
    return f"| {part} | {names} | {result.games} | {100 * result.win_rate[0]:.1f} % ({100 * low:.1f} to {100 * high:.1f}) | {points} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="trambahn")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--simulations", type=int, default=10, help="a decision")
    parser.add_argument("--seconds", type=float, default=0.1, help="a turn")
    parser.add_argument("--only", choices=("speed", "simulations", "time"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    game = load_game(given.game)
    parts = [given.only] if given.only else ["speed", "simulations", "time"]
    found: dict[str, Any] = {}
    if "speed" in parts:
        found["speed"] = speed(game, given.seed)
    if "simulations" in parts:
        pair = (f"ismcts:simulations={given.simulations}", OpenSpiel(simulations=given.simulations))
        found["simulations"] = run_match(game, pair, given.games, seed=given.seed)
    if "time" in parts:
        pair = (f"ismcts:time={given.seconds:g}", OpenSpiel(seconds=given.seconds))
        found["time"] = run_match(game, pair, given.games, seed=given.seed)
    if given.json:
        print(json.dumps({name: part if name == "speed" else part.to_json() for name, part in found.items()}, indent=2))
        return
    if rates := found.get("speed"):
        print(f"Simulations a second, midgame of {game.name}: {rates['wattman']:,.0f} here, {rates['openspiel']:,.0f} in OpenSpiel\n")
    if len(found) > ("speed" in found):
        print("| equal | Wattman | OpenSpiel | games | Wattman's win rate, 95 % | points |\n| --- | --- | --- | ---: | --- | ---: |")
        for part in ("simulations", "time"):
            if part in found:
                print(row(part, found[part]))


if __name__ == "__main__":
    main()
