"""How often the search finds the best move of an ending that the solver has solved.

    python benchmarks/endings.py leduc tramways trambahn --games 50

Endings come from games of the rule of thumb with one move in six at random, in which nobody ends the game while another move does not, so
that there are decisions close to a certain end. Of each game one decision is taken: a random one of those that the solver solves within
its limit, for the player to move, over all worlds that agree with what he knows or over a sample of them, and where not all moves are
equally good. Counted is whether the search's move has the highest value there (of what the search maximizes), and what it lost.
"""

import argparse
import random

from wattman import load_agent, load_game
from wattman.engine.game import Deal
from wattman.search.agents import AGENTS
from wattman.search.options import complete, for_game
from wattman.search.solver import Solver
from wattman.search.solving import SAME, measure, solve

BACK = 16  # decisions with a choice before the end
SECONDS = 60  # no limit: that of positions comes first
MANY = 10  # times the positions, where a world has been found small enough


def ends(state, action):
    """Whether the game is over at once."""
    after = state.clone()
    after.apply_action(action)
    return after.is_terminal()


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
        action = rng.choice(legal) if rng.random() < 1 / 6 else greedy.choose(info)
        if ends(state, action):
            action = rng.choice([other for other in legal if not ends(state, other)] or [action])
        state.apply_action(action)
    return found


def ending(game, rng, weights, worlds, nodes):
    """One ending: what is known there, and the value of each move; None if the game has none.

    Before all worlds are solved, one is: most decisions show there that they are too large, or that all their moves are equal.
    """
    solver, solved = Solver(game, *measure(game, "reward", weights)), []
    for info in reversed(decisions(game, rng)):
        world = [info.sample(1)]
        if not solver.moves(world, [1.0], info.player, nodes, info.legal_actions()):
            break  # what comes before is larger
        values = [low for _, low, _ in solver.moves(world, [1.0], info.player, MANY * nodes)]
        if max(values) < min(values) + SAME:
            continue
        found = solve(info, "reward", SECONDS, worlds, seed=1, nodes=MANY * nodes * worlds, weights=weights)
        if not found.exact:
            break
        values = {move.action: move.low for move in found.moves}
        if max(values.values()) > min(values.values()) + SAME:
            solved.append((info, values))
    return rng.choice(solved) if solved else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="+")
    parser.add_argument("--games", type=int, default=40, help="endings of each game")
    parser.add_argument("--worlds", type=int, default=100, help="sampled where they cannot be enumerated")
    parser.add_argument("--nodes", type=int, default=2_000, help="positions of one world; endings with more are left out")
    parser.add_argument("--agent", action="append", help="repeatable; all get the same endings")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    agents = given.agent or ["ismcts:simulations=2000"]
    total = dict.fromkeys(agents, 0)
    for name in given.game:
        game, rng = load_game(name), random.Random(given.seed)
        options = for_game(game, complete(AGENTS["ismcts"].parameters, {}, game))
        weights = (options["win"], options["margin"], options["score"])
        best, lost, found = dict.fromkeys(agents, 0), dict.fromkeys(agents, 0.0), 0
        while found < given.games:
            if (one := ending(game, rng, weights, given.worlds, given.nodes)) is None:
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
