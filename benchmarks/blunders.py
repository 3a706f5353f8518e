"""Whether a review finds the one blunder in an otherwise strong game.

    python benchmarks/blunders.py trambahn --games 20

A strong search plays a game against itself. At one decision, at a random moment of it, the worst move is made instead; it must lose at
least 10 % of the chance to win by a comparison of all moves that gives each equally many playouts. Then the search plays on. The whole
game is reviewed with other random numbers, both players. Counted is how often the turn of the blunder is the first in the list of
mistakes. Some games without a blunder show what the review says of strong play.
"""

import argparse
import random
import time

from wattman import load_agent, load_game
from wattman.engine.game import Deal
from wattman.engine.records import Record
from wattman.search.agents import AGENTS
from wattman.search.options import complete, for_game
from wattman.search.review import Reviewer
from wattman.search.root import RootSearch

LOSS = 0.10  # of the chance to win, at least
VISITS = 150  # of each move, to tell the worst
MOST = 12  # moves that are compared


def worst(info, seed):
    """The worst of a dozen moves and what it loses against the best one; None if that is too little."""
    rng = random.Random(seed)
    legal = info.legal_actions()
    moves = sorted(rng.sample(legal, min(MOST, len(legal))))
    options = for_game(info.game, complete(AGENTS["ismcts"].parameters, {}, info.game))
    root = RootSearch(info, options, seed, only=moves)
    root.run(VISITS * len(moves))
    wins = {move.action: move.wins / move.fresh for move in root.moves()}
    action = min(wins, key=lambda each: wins[each])
    loss = max(wins.values()) - wins[action]
    return action if loss >= LOSS + 0.04 else None  # 0.04: its error, about


def play(game, seed, agent, blunder):
    """A game of an agent against itself; with `blunder` also the ply of it (None if there was no chance to make one)."""
    rng, deal = random.Random(seed), Deal(seed)
    agents = [load_agent(agent, game, seed + seat) for seat in range(game.num_players())]
    state, place, wait = game.new_initial_state(), None, rng.randrange(5, 60)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(deal.choose(state))
            continue
        info = state.info_state()
        action = agents[info.player].choose(info)
        wait -= 1
        if blunder and place is None and wait < 0 and len(state.legal_actions()) > 1 and (bad := worst(info, seed)) is not None:
            place, action = len(state.history()), bad
        state.apply_action(action)
    return Record.from_state(state, [agent.spec for agent in agents]), place


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="+")
    parser.add_argument("--games", type=int, default=5, help="of each game, with a blunder")
    parser.add_argument("--plain", type=int, default=2, help="of each game, without one")
    parser.add_argument("--agent", default="ismcts:simulations=1000,prove=yes", help="who plays")
    parser.add_argument("--simulations", type=int, default=500, help="of the review's first look")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    first = total = 0
    for name in given.game:
        game, seed, found = load_game(name), given.seed, 0
        while found < given.games:
            record, place = play(game, seed, given.agent, True)
            seed += 1
            if place is None:
                continue
            found += 1
            start = time.perf_counter()
            review = Reviewer(record, simulations=given.simulations, playouts=1, seed=1000 + seed).run()
            rank = next((k for k, turn in enumerate(review.mistakes, 1) if turn.ply <= place < turn.end), None)
            first, total = first + (rank == 1), total + 1
            turn = next(turn for turn in review.turns if turn.ply <= place < turn.end)
            others = [other.loss for other in review.mistakes if other is not turn]
            print(
                f"{name:9} seed {seed - 1}: blunder {record.actions[place]!r} at ply {place}: rank {rank}, lost {100 * turn.loss:.1f} %, "
                f"the next {100 * max(others, default=0):.1f} %; {time.perf_counter() - start:.0f} s",
                flush=True,
            )
        lost, turns = 0.0, 0
        for number in range(given.plain):
            record, _ = play(game, 500 + number, given.agent, False)
            review = Reviewer(record, simulations=given.simulations, playouts=1, seed=2000 + number).run()
            lost += sum(turn.loss for turn in review.turns)
            turns += sum(bool(turn.decisions) for turn in review.turns)
        if turns:
            print(f"{name:9} without a blunder: {100 * lost / turns:.2f} % lost a turn on average of {turns} turns", flush=True)
    print(f"ranked first: {first} of {total}")


if __name__ == "__main__":
    main()
