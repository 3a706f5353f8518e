"""How often the search finds the best move of an ending that the solver has solved.

    python benchmarks/endings.py leduc tramways portland --games 60 --agent ismcts:simulations=2000

Endings come from games of the rule of thumb with one move in six at random. Of each game one decision is taken: a random one of those that
the solver solves within its limit, for the player to move, over a sample of worlds that agree with what he knows, and where not all moves
are equally good. Counted is whether the search's move has the highest value there (of what the search maximizes), and what it lost.
"""

import argparse
import random

from wattman import load_agent, load_game
from wattman.engine.game import Deal
from wattman.search.solving import SAME, solve

WORLDS = 30
BACK = 4  # decisions with a choice before the end


def decisions(game, rng):
    """What the player to move knew at each decision of one game where he had a choice."""
    state, deal, greedy, found = game.new_initial_state(), Deal(rng.getrandbits(30)), load_agent("greedy", game, rng.getrandbits(30)), []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(deal.choose(state))
            continue
        legal, info = state.legal_actions(), state.info_state()
        if len(legal) > 1:
            found = [*found[1 - BACK :], info]
        state.apply_action(rng.choice(legal) if rng.random() < 1 / 6 else greedy.choose(info))
    return found


def ending(game, rng, nodes):
    """One ending: what is known there, and the value of each move; None if the game has none."""
    solved = []
    for info in reversed(decisions(game, rng)):
        found = solve(info, "reward", seconds=20, worlds=WORLDS, seed=1, nodes=nodes)
        if not found.exact:
            break  # what comes before is larger
        values = {move.action: move.low for move in found.moves}
        if max(values.values()) > min(values.values()) + SAME:
            solved.append((info, values))
    return rng.choice(solved) if solved else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="+")
    parser.add_argument("--games", type=int, default=40, help="endings of each game")
    parser.add_argument("--nodes", type=int, default=5_000, help="positions that the solver may look at for each move")
    parser.add_argument("--agent", action="append", help="repeatable; all get the same endings")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    agents = given.agent or ["ismcts:simulations=2000"]
    total = dict.fromkeys(agents, 0)
    for name in given.game:
        game, rng = load_game(name), random.Random(given.seed)
        best, lost, found = dict.fromkeys(agents, 0), dict.fromkeys(agents, 0.0), 0
        while found < given.games:
            if (one := ending(game, rng, given.nodes)) is None:
                continue
            info, values = one
            found += 1
            for agent in agents:
                chosen = values[info.action_to_string(load_agent(agent, game, given.seed).choose(info))]
                best[agent] += chosen >= max(values.values()) - SAME
                lost[agent] += max(values.values()) - chosen
        for agent in agents:
            total[agent] += best[agent]
            print(f"{name:10} {agent:40} best {best[agent]} of {found}, mean loss of reward {lost[agent] / found:.4f}", flush=True)
    for agent in agents:
        print(f"{'all':10} {agent:40} best {total[agent]} of {given.games * len(given.game)}")


if __name__ == "__main__":
    main()
