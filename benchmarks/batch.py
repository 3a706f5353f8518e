"""Steps a second of `BatchEnv` beside the PettingZoo environment, for every game, with uniformly random legal actions.

    pip install -e '.[pettingzoo]'
    python benchmarks/batch.py [--count N] [--seconds S] [--repeats N] [--json]

A step is one decision, with what comes with it in both: the chance events after it, observation, mask and rewards, and the choice of a
legal action. Both run in one thread and take turns; times are processor time, a figure is the median of the repeats. `env` is the
PettingZoo environment with its checks, `raw_env` the one without.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from wattman import load_game
from wattman.engine.batch import BatchEnv
from wattman.engine.game import Game
from wattman.engine.games import game_class, names
from wattman.engine.interop import pettingzoo


def batch_steps(game: Game, count: int) -> Iterator[int]:
    """Steps of a batch; gives how many were made."""
    env = BatchEnv(game, count, seed=1)
    while True:
        env.step(env.sample())
        yield count


def zoo_steps(env: Any) -> Iterator[int]:
    """Steps of a PettingZoo environment, one by one."""
    generator = np.random.default_rng(1)
    env.reset(seed=1)
    while True:
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[generator.integers(len(legal))]))
            yield 1
        env.reset()


def rate(steps: Iterator[int], seconds: float) -> float:
    """Steps a second of processor time."""
    start, done = time.process_time(), 0
    while (spent := time.process_time() - start) < seconds:
        done += sum(next(steps) for _ in range(20))
    return done / spent


def measure(game: Game, count: int, seconds: float, repeats: int) -> dict[str, Any]:
    """The figures of one game."""
    kinds: dict[str, Callable[[], Iterator[int]]] = {
        "batch": lambda: batch_steps(game, count),
        "raw_env": lambda: zoo_steps(pettingzoo.raw_env(game)),
        "env": lambda: zoo_steps(pettingzoo.env(game)),
    }
    running = {name: make() for name, make in kinds.items()}
    rates: dict[str, list[float]] = {name: [] for name in kinds}
    for steps in running.values():
        rate(steps, seconds / 10)
    for _ in range(repeats):
        for name, steps in running.items():
            rates[name].append(rate(steps, seconds))
    ratios = [fast / slow for fast, slow in zip(rates["batch"], rates["raw_env"], strict=True)]
    figures = {name: statistics.median(values) for name, values in rates.items()}
    return {"game": game.name, "players": game.num_players(), **figures, "ratio": statistics.median(ratios), "least_ratio": min(ratios)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=256, help="games in a batch")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each measurement")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = []
    for name in names():
        for players in game_class(name).OPTIONS["players"].choices:
            rows.append(measure(load_game(name, players=players), given.count, given.seconds, given.repeats))
    if given.json:
        print(json.dumps({"count": given.count, "rows": rows}, indent=2))
        return
    print("| game | players | BatchEnv, steps/s | raw_env, steps/s | env, steps/s | BatchEnv : raw_env (least) |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        figures = " | ".join(f"{row[name]:,.0f}" for name in ("batch", "raw_env", "env"))
        print(f"| {row['game']} | {row['players']} | {figures} | {row['ratio']:.0f} ({row['least_ratio']:.0f}) |")


if __name__ == "__main__":
    main()
