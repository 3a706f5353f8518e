"""How long one decision takes until the list of the next legal ones is there: applying it, and everything that follows, by percentiles.

    python benchmarks/decisions.py tramways --players 2

Half of the games are random, half by the rule of thumb. Each decision is carried out three times on copies, and the fastest counts; the
call from Python, about a microsecond, is in it.
"""

from __future__ import annotations

import argparse
import random
import time

import numpy as np
from tqdm import tqdm

from wattman import load_game
from wattman.engine.game import Deal, Game


def times(game: Game, seed: int) -> list[int]:
    """Nanoseconds of the decisions of one game."""
    state, deal, rng, found = game.new_initial_state(), Deal(seed), random.Random(seed), []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(deal.choose(state))
            continue
        weights = state.info_state().weights()
        action = rng.choice(list(weights)) if seed % 2 else max(weights, key=weights.get)
        tries = []
        for _ in range(3):
            copy = state.clone()
            start = time.perf_counter_ns()
            copy.apply_action(action)
            if not copy.is_terminal() and not copy.is_chance_node():
                copy.legal_actions()
            tries.append(time.perf_counter_ns() - start)
        found.append(min(tries))
        state.apply_action(action)
    return found


def main() -> None:
    """Prints the percentiles."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="number of players (default 2)")
    parser.add_argument("--games", type=int, default=30, metavar="N", help="games (default 30)")
    arguments = parser.parse_args()
    game = load_game(arguments.game, players=arguments.players)
    found = [each for seed in tqdm(range(arguments.games), unit=" games", disable=None) for each in times(game, seed)]
    median, high, most = np.percentile(found, [50, 99, 100]) / 1000
    what = f"{arguments.game}, {arguments.players} players, {len(found):,} decisions"
    print(f"{what}: median {median:.1f} us, 99 % {high:.1f} us, most {most:.1f} us")


if __name__ == "__main__":
    main()
