"""A match between two programs that speak the protocol of `wattman serve --stdio` (docs/protocol.md); a third one holds the cards.

It needs nothing but Python, and stands for a client in any language: each player is a process of its own, and is told only what it saw.

    python examples/two_programs.py leduc greedy ismcts:simulations=300 --games 4 --seed 1
"""

import argparse
import json
import random
import subprocess
import sys

SERVER = [sys.executable, "-m", "wattman", "serve", "--stdio"]


class Program:
    """A process that answers requests."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.count = 0

    def ask(self, method, **fields):
        """The result of a request; an error ends the match."""
        self.count += 1
        print(json.dumps({"id": self.count, "method": method, **fields}), file=self.process.stdin, flush=True)
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer["id"] == self.count and "progress" not in answer:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']['field']}: {answer['error']['message']}")
                return answer["result"]
        sys.exit(f"{method}: the program ended without an answer")

    def close(self):
        self.ask("quit")
        self.process.wait()


def play(name, table, players, agents, seed):
    """One game; returns the results by seat."""
    rng = random.Random(seed)
    options = {"players": len(players)}
    actions, seen = [], [[] for _ in players]
    while True:
        now = table.ask("table", game=name, options=options, actions=actions, since=max(len(actions) - 1, 0))
        if actions:  # everybody is told what he saw of the last event
            for knows, news in zip(seen, now["seen"], strict=True):
                knows += news
        if now["returns"] is not None:
            return now["returns"]
        mover = now["to_move"]
        if mover < 0:
            texts, chances = zip(*now["outcomes"], strict=True)
            actions.append(rng.choices(texts, chances)[0])
        else:
            answer = players[mover].ask(
                "choose", game=name, options=options, player=mover, events=seen[mover], agent=agents[mover], seed=rng.getrandbits(32)
            )
            actions.append(answer["action"])


def main():
    parser = argparse.ArgumentParser(description="A match between programs, each in a process of its own.")
    parser.add_argument("game")
    parser.add_argument("agents", nargs="+", help="one for each seat; they change seats from game to game")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    table, programs = Program(SERVER), [Program(SERVER) for _ in args.agents]
    total = [0.0] * len(programs)
    for number in range(args.games):
        order = [(seat + number) % len(programs) for seat in range(len(programs))]  # which program sits where
        results = play(
            args.game, table, [programs[i] for i in order], [args.agents[i] for i in order], args.seed + number // len(programs)
        )
        for program, result in zip(order, results, strict=True):
            total[program] += result
        print(f"game {number + 1}: " + ", ".join(f"{args.agents[i]} {result:+g}" for i, result in zip(order, results, strict=True)))
    print("in all: " + ", ".join(f"{agent} {result:+g}" for agent, result in zip(args.agents, total, strict=True)))
    for program in [table, *programs]:
        program.close()


if __name__ == "__main__":
    main()
