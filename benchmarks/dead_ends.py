"""Tramways: no compound action gets stuck. Random games in which every step of every action is a random legal one, counted.

    python benchmarks/dead_ends.py --decisions 1000000

An action is a chain of decisions: what to do, where, with which cards. Of each it is checked that there was a legal decision at every
step, that it came to its end, and that it then had its effect: the link lies, the passenger has left, the card is in the pool. The games
have one to five players in turn, all tiles, none, or some. What is done is kept under build/evidence/, so the command can be stopped and
goes on. It prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from datetime import date
from functools import cache
from pathlib import Path

from tqdm import tqdm

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

from evidence import place, sources  # noqa: E402

from wattman import load_game  # noqa: E402
from wattman.engine.game import Game  # noqa: E402

KINDS = ("build", "upgrade", "construct", "extend", "move", "add", "money", "worker", "calm")
WITHIN = {"from", "to", "lay", "join", "at", "type", "ride", "stop", "pay", "done", "buy", "market"}
SOME = ("station", "stock_exchange+park", "funfair+airports", "park+airports", "station+funfair")
SOURCES = (  # what the result depends on; not how the games are drawn or played well
    *("engine/game.pyx", "engine/games/tramways/*.p[xy][dx]", "engine/games/_tramways*", "engine/data/tramways/*"),
    "benchmarks/dead_ends.py",
)
# Decisions that the random players take more seldom (or, in every second game, more often), so that cities get dense.
SELDOM = {"pass": 0.05, "bid": 0.1}
KEEN = SELDOM | {"build": 6, "construct": 6, "extend": 6, "upgrade": 6, "move": 6, "add": 2}


class Stuck(AssertionError):
    """An action that did not go as it must."""


def options(number: int) -> dict:
    """Of a game, by its number."""
    tiles = ("full", "base", SOME[number // 15 % len(SOME)])[number // 5 % 3]
    return {"players": 1 + number % 5, "expansions": tiles}


def parts(table: dict) -> Counter:
    """What actions change, counted."""
    places = table["places"].values()
    seen = Counter(
        build=len(table["links"]),
        upgrade=sum(link["upgraded"] for link in table["links"]),
        construct=sum(place["owner"] is not None and place["room"] > 0 for place in places),
        extend=sum(place["room"] for place in places if place["owner"] is not None),
        add=sum(place["passengers"] for place in places),
    )
    for player in table["players"]:
        seen.update({"pool": len(player["pool"]), "money": player["money"], "worker": player["workers"], "calm": -player["stress"]})
    return seen


def check(kind: str, steps: list[str], before: dict, after: dict) -> None:
    """Whether an action had its effect, as far as that can be told without knowing the rules."""
    was, now = parts(before), parts(after)
    if now["pool"] <= was["pool"]:
        raise Stuck(f"{'; '.join(steps)}: nothing was paid")
    if kind == "move":
        origin = next((step.removeprefix("at ") for step in steps if step.startswith("at ")), None)
        left = [name for name, place in before["places"].items() if place["passengers"] > after["places"][name]["passengers"]]
        if left != [origin] and (origin is not None or len(left) != 1):
            raise Stuck(f"{'; '.join(steps)}: passengers left {left}")
    elif now[kind] <= was[kind]:
        raise Stuck(f"{'; '.join(steps)}: no effect")


@cache
def loaded(players: int, expansions: str) -> Game:
    return load_game("tramways", players=players, expansions=expansions)


class Random:
    """One random game; `found`: what was counted in it."""

    def __init__(self, number: int):
        self.number, self.rng = number, random.Random(number)
        self.weights = KEEN if number // 2 % 2 else SELDOM
        self.state = loaded(**options(number)).new_initial_state()
        self.found: Counter = Counter(games=1)
        self.longest, self.fewest = 0, 1 << 30
        self.begun: tuple[str, int, int, dict] | None = None  # the kind of action, whose it is, events that he saw and the table before

    def play(self) -> dict:
        """To the end. Raises Stuck."""
        state = self.state
        while not state.is_terminal():
            if state.is_chance_node():
                self._ended()
                state.apply_action(state.sample_chance(self.rng.getrandbits(60)))
                continue
            legal, player = state.legal_actions(), state.current_player()
            if not legal:
                raise Stuck(f"game {self.number}: nothing is legal after {'; '.join(state.events(player)[-20:])}")
            words = [state.action_to_string(action).partition(" ")[0] for action in legal]
            if self.begun and (player != self.begun[1] or not WITHIN.issuperset(words)):
                self._ended()
            choice = self.rng.choices(range(len(legal)), [self.weights.get(word, 1) for word in words])[0]
            if words[choice] in KINDS:
                self.begun = (words[choice], player, len(state.events(player)), state.to_dict())
            state.apply_action(legal[choice])
            self.found["decisions"] += 1
            self.fewest = min(self.fewest, len(legal))
        self._ended()
        return {**self.found, "longest": self.longest, "fewest": self.fewest}

    def _ended(self) -> None:
        """The action that had begun, if one had, is over."""
        if not self.begun:
            return
        (kind, player, seen, before), self.begun = self.begun, None
        steps, table = self.state.events(player)[seen:], self.state.to_dict()
        # The effect can be told where nothing followed by itself: no other action, no end of the round with its arrivals.
        if sum(step in KINDS or step == "pass" for step in steps) == 1 and table["step"] == "kind" and table["round"] == before["round"]:
            check(kind, steps, before, table)
            self.found["checked"] += 1
        self.found["actions"] += 1
        self.found[kind] += 1
        self.longest = max(self.longest, len(steps))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=1_000_000, metavar="N", help="random decisions (default 1,000,000)")
    wanted = parser.parse_args().decisions
    mark = sources(*SOURCES)
    path = place("dead-ends", mark) / "progress.jsonl"
    notes = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")] if path.exists() else []
    path.write_text("".join(json.dumps(note) + "\n" for note in notes))
    done = sum(note["counts"]["decisions"] for note in notes)
    status, number = 0, sum(note["counts"]["games"] for note in notes)
    rows: dict[tuple, Counter] = defaultdict(Counter)
    ends: dict[tuple, list[int]] = defaultdict(lambda: [0, 1 << 30])
    with open(path, "a") as file, tqdm(total=wanted, initial=done, unit=" decisions", smoothing=0.05, disable=None) as bar:
        try:
            while done < wanted:
                counts = Random(number).play()
                note = {"row": [options(number)["players"], ("full", "base", "some")[number // 5 % 3]], "counts": counts}
                notes.append(note)
                file.write(json.dumps(note) + "\n")
                number, done = number + 1, done + counts["decisions"]
                bar.update(counts["decisions"])
        except Stuck as error:
            print(f"stuck: {error}", file=sys.stderr)
            status = 1
        except KeyboardInterrupt:
            status = 130
    for note in notes:
        for key in (tuple(note["row"]), ("all", "")):
            counts = dict(note["counts"])
            ends[key] = [max(ends[key][0], counts.pop("longest")), min(ends[key][1], counts.pop("fewest"))]
            rows[key].update(counts)
    print("| players | tiles | games | decisions | actions | effects checked | longest action | fewest legal decisions |")
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for key in [*sorted(key for key in rows if key[0] != "all"), ("all", "")]:
        row = rows[key]
        cells = [str(key[0]), key[1], *(f"{row[name]:,}" for name in ("games", "decisions", "actions", "checked")), *map(str, ends[key])]
        print("| " + " | ".join(cells) + " |")
    counted = ", ".join(f"{kind} {rows['all', ''][kind]:,}" for kind in KINDS)
    print(f"\nStuck: {'one, see above' if status == 1 else 'none'}. Actions: {counted}.")
    print(f"\n`python benchmarks/dead_ends.py --decisions {wanted}` (sources {mark}, {date.today()})")
    sys.exit(status)


if __name__ == "__main__":
    main()
