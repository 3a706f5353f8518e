"""Long measurements, which may be stopped and go on: the evidence in docs/evidence.md.

    python benchmarks/evidence.py rules portland --games 400 --jobs 2
    python benchmarks/evidence.py strength --jobs 2
    python benchmarks/evidence.py solo tramways ismcts:simulations=1000 greedy --games 50

What is done is kept under build/evidence/, apart for every state of what it depends on, so a changed engine or search begins anew. Each
command prints a table in Markdown; with --write it goes into docs/evidence.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import shlex
import sys
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tqdm import tqdm

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))  # here, not under main: the worker processes need it too

import evidence_rules  # noqa: E402
import evidence_solo  # noqa: E402

from wattman import load_game  # noqa: E402
from wattman.search.jobs import unordered  # noqa: E402
from wattman.search.match import MatchResult, run_match  # noqa: E402
from wattman.search.matchgame import Match  # noqa: E402
from wattman.search.seatings import seatings  # noqa: E402

PAGE = ROOT / "docs" / "evidence.md"
CHUNK = 50  # games between two notes of progress
RULES = ("engine/abi.pxd", "engine/calls.pyx", "engine/deal.pyx", "engine/game.pyx", "tests/lockstep.py", "benchmarks/evidence_rules.py")


def sources(*patterns: str) -> str:
    """Changes with the files that a measurement depends on."""
    found = sorted({path for pattern in patterns for path in ROOT.glob(pattern)})
    digest = hashlib.sha256()
    for path in found:
        if path.suffix in (".py", ".pyx", ".pxd", ".toml"):
            digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def behaviour(game: str) -> str:
    """Changes with what a game's agents do: a digest of some of their games. (Their sources change more often than their moves.)"""
    digest = hashlib.sha256()
    for spec in ("ismcts:simulations=256", "random"):
        for played in Match(load_game(game), (spec, "greedy"), 1).play(0):
            digest.update(json.dumps([played.actions, played.scores]).encode())
    return digest.hexdigest()[:12]


def place(name: str, mark: str) -> Path:
    """Where the progress of a measurement is kept."""
    folder = ROOT / "build" / "evidence" / f"{name}-{mark}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


# --- the rules: engine and reference side by side ---


@dataclass(frozen=True)
class Chunk:
    """Some games of one row, by their seeds."""

    game: str
    policy: str
    variant: str
    first: int
    games: int


def play(chunk: Chunk) -> dict:
    """Play a chunk; the numbers of games, steps compared and rare events, and what differed."""
    steps, counts, mismatches = 0, Counter(), []
    for seed in range(chunk.first, chunk.first + chunk.games):
        try:
            more, rare = evidence_rules.one(chunk.game, chunk.policy, chunk.variant, seed)
            steps += more
            counts.update(rare)
        except Exception as error:  # whatever it is, the other games are still worth playing
            mismatches.append(f"seed {seed}: {type(error).__name__}: {error}")
    return {**vars(chunk), "steps": steps, "counts": dict(counts), "mismatches": mismatches}


def rules(game: str, games: int, jobs: int) -> tuple[str, int]:
    """The table of `games` games for every policy and variant, and the exit status."""
    beside = evidence_rules.GAMES[game]
    mark = sources(*RULES, *beside.sources)
    path = place(f"rules-{game}", mark) / "progress.jsonl"
    data = path.read_bytes() if path.exists() else b""
    path.write_bytes(data[: data.rfind(b"\n") + 1])  # without half a line
    done = {}
    for line in path.read_text().splitlines():
        note = json.loads(line)
        done[Chunk(game, note["policy"], note["variant"], note["first"], note["games"])] = note
    rows = [(policy, variant) for policy in evidence_rules.policies(game) for variant in beside.variants]
    wanted = [Chunk(game, *row, first, min(CHUNK, games - first)) for first in range(0, games, CHUNK) for row in rows]
    missing = [chunk for chunk in wanted if chunk not in done]
    status = 0
    with open(path, "a") as file, tqdm(total=sum(c.games for c in wanted), unit=" games", smoothing=0.05, disable=None) as bar:
        bar.update(sum(chunk.games for chunk in wanted) - sum(chunk.games for chunk in missing))
        try:
            with closing(unordered(play, missing, jobs)) as notes:
                for note in notes:
                    file.write(json.dumps(note) + "\n")
                    file.flush()
                    done[Chunk(game, note["policy"], note["variant"], note["first"], note["games"])] = note
                    bar.update(note["games"])
        except KeyboardInterrupt:
            status = 130
    sums, counts = defaultdict(lambda: [0, 0, 0]), Counter()
    for note in (done[chunk] for chunk in wanted if chunk in done):
        counts.update(note["counts"])
        for key in ((note["policy"], note["variant"]), ("all", "")):
            total = sums[key]
            total[0], total[1], total[2] = total[0] + note["games"], total[1] + note["steps"], total[2] + len(note["mismatches"])
        for message in note["mismatches"]:
            print(f"{note['policy']}, {note['variant']}: {message}", file=sys.stderr)
            status = status or 1
    lines = [f"| policy | {beside.variant} | games | steps compared | mismatches |", "| --- | --- | ---: | ---: | ---: |"]
    lines += [f"| {' | '.join(row)} | {sums[row][0]:,} | {sums[row][1]:,} | {sums[row][2]} |" for row in rows if row in sums]
    total = sums["all", ""]
    lines.append(f"| **all** | | **{total[0]:,}** | **{total[1]:,}** | **{total[2]}** |")
    if counts:
        lines += ["", "Among them: " + "; ".join(f"{name} {counts[name]:,}" for name in beside.counts) + "."]
    return "\n".join([*lines, "", f"`python benchmarks/evidence.py rules {game} --games {games}` (sources {mark}, {date.today()})"]), status


# --- strength: matches ---


@dataclass(frozen=True)
class Pairing:
    """One match. Simulations as budgets, so that everyone gets the same games."""

    game: str
    agent: str
    against: str  # in all other seats
    games: int
    players: int = 2
    seed: int = 1

    @property
    def specs(self) -> list[str]:
        """The agents, as many as players."""
        return [self.agent, *[self.against] * (self.players - 1)]

    def command(self, games: int) -> str:
        """What plays it at a terminal."""
        players = f" --players {self.players}" if self.players > 2 else ""
        return f"wattman match {self.game}{players} {shlex.join(self.specs)} --games {games} --seed {self.seed}"


MATCHES = (
    Pairing("trambahn", "greedy", "random", 2000),
    Pairing("trambahn", "ismcts:simulations=4096", "greedy", 800),
    Pairing("trambahn", "ismcts:simulations=4096", "pimc:simulations=4096", 64),
    Pairing("trambahn", "ismcts:simulations=256", "ismcts:simulations=64", 300),
    Pairing("trambahn", "ismcts:simulations=1024", "ismcts:simulations=256", 400),
    Pairing("trambahn", "ismcts:simulations=4096", "ismcts:simulations=1024", 900),
    Pairing("lisbon", "greedy", "random", 200),
    Pairing("lisbon", "ismcts:simulations=1000", "greedy", 60),
    Pairing("lisbon", "ismcts:simulations=1000", "greedy", 40, players=4),
    Pairing("lisbon", "ismcts:simulations=1000", "ismcts:simulations=250", 80),
    Pairing("portland", "planner", "racer", 400),
    Pairing("portland", "greedy", "planner", 400),
    Pairing("portland", "ismcts:simulations=4000", "planner", 240),
    Pairing("portland", "ismcts:simulations=2000", "racer", 200),
    Pairing("portland", "ismcts:simulations=1000", "planner", 60, players=4),
    Pairing("portland", "ismcts:simulations=1000", "racer", 40, players=4),
    Pairing("portland", "ismcts:simulations=1000", "ismcts:simulations=250", 200),
    Pairing("portland", "ismcts:simulations=4000", "ismcts:simulations=1000", 120),
    Pairing("tramways", "ismcts:simulations=200", "greedy", 40),
    Pairing("tramways", "ismcts:simulations=200", "greedy", 24, players=4),
)


def strength(scale: float, jobs: int, only: list[int]) -> tuple[str, int]:
    """The table of the matches, and the exit status."""
    marks = {game: behaviour(game) for game in sorted({pairing.game for i, pairing in enumerate(MATCHES) if not only or i in only})}
    lines = ["| game | players | agent | against | games | wins | ties | win rate, 95 % | Elo, 95 % | margin in points |",
             "| --- | ---: | --- | --- | ---: | ---: | ---: | --- | --- | --- |"]  # fmt: skip
    commands, status = [], 0
    for number, pairing in enumerate(MATCHES):
        if only and number not in only:
            continue
        game = load_game(pairing.game, players=pairing.players)
        deal = len(seatings(pairing.players, pairing.players))  # games of one deal
        games = max(deal, deal * round(pairing.games * scale / deal))
        with tqdm(total=games // deal, desc=f"{pairing.agent} - {pairing.against}", unit=" deals", smoothing=0.05, disable=None) as bar:

            def report(done: int, total: int, result, bar: tqdm = bar) -> None:
                bar.update(done - bar.n)

            name = re.sub("[^a-z0-9=]+", "-", f"{pairing.agent}-{pairing.against}-{pairing.players}-{pairing.seed}")
            result = run_match(
                game,
                pairing.specs,
                games,
                seed=pairing.seed,
                jobs=jobs,
                out=place(f"strength-{pairing.game}", marks[pairing.game]) / f"{name}.jsonl",
                resume=True,
                progress=report,
            )
        if result.deals:
            lines.append(row(pairing, result))
            commands.append(pairing.command(result.games))
        if any(result.faults):
            print(f"{pairing.agent} - {pairing.against}: faults {result.faults}: {result.fault_reports[0]['message']}", file=sys.stderr)
            status = 1
        if result.interrupted:
            status = 130
            break
    text = ["\n".join(lines), "The rows again, one by one:", "\n".join(["```", *commands, "```"])]
    share = "" if scale == 1 else f" --scale {scale:g}"
    share += f" --only {' '.join(map(str, only))}" if only else ""
    agents = ", ".join(f"{game} {mark}" for game, mark in marks.items())
    return "\n\n".join([*text, f"`python benchmarks/evidence.py strength{share}` (agents: {agents}; {date.today()})"]), status


def row(pairing: Pairing, result: MatchResult) -> str:
    """A match as a row of the table."""

    def text(value: float, layout: str) -> str:
        return format(value, layout) if math.isfinite(value) else "∞" if value > 0 else "-∞"

    def interval(value: float, ends: tuple[float, float], layout: str, scale: float = 1) -> str:
        return f"{text(scale * value, layout)} ({text(scale * ends[0], layout)} to {text(scale * ends[1], layout)})"

    cells = [pairing.game, str(pairing.players), f"`{pairing.agent}`", f"`{pairing.against}`"]
    cells += [f"{result.games:,}", f"{result.wins[0]:,}", f"{result.ties[0]:,}"]
    cells.append(interval(result.win_rate[0], result.ci95[0], ".1f", 100) + " %")
    cells.append(interval(result.elo[0], result.elo_ci95[0], "+.0f"))
    cells.append(interval(result.margins[0], result.margins_ci95[0], "+.1f") if result.margins[0] is not None else "-")
    return "| " + " | ".join(cells) + " |"


# --- alone at the table: points ---


def solo(game: str, agents: list[str], games: int, seed: int, jobs: int) -> tuple[str, int]:
    """The table of the agents' points in the same games, and the exit status."""
    mark = behaviour(game)
    path, status = place(f"solo-{game}", mark) / f"{seed}.jsonl", 0
    with tqdm(total=games * len(agents), unit=" games", smoothing=0.05, disable=None) as bar:
        done: dict = {}
        try:
            for done in evidence_solo.results(game, agents, games, seed, jobs, path):
                bar.update(sum(agent in agents and number < games for agent, number in done) - bar.n)
        except KeyboardInterrupt:
            status = 130
    text = evidence_solo.table(agents, {key: note for key, note in done.items() if key[1] < games})
    command = f"python benchmarks/evidence.py solo {game} {shlex.join(agents)} --games {games} --seed {seed}"
    return f"{text}\n\n`{command}` (agents: {game} {mark}; {date.today()})", status


# --- the command ---


def write(name: str, table: str) -> None:
    """Put a table into the page, between its marks."""
    page = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: begin, written by benchmarks/evidence.py -->", f"<!-- {name}: end -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{PAGE}: it lacks the marks {begin} and {end}")
    PAGE.write_text(f"{before}{begin}\n{table}\n{end}{after}", encoding="utf-8")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    part = commands.add_parser("rules", help="the engine against an independent reference of the rules, move by move")
    part.add_argument("game", choices=list(evidence_rules.GAMES), help="the game")
    part.add_argument("--games", type=int, default=1000, metavar="N", help="games for each policy and variant (default 1000)")
    other = commands.add_parser("strength", help="matches between agents, with fixed numbers of simulations")
    other.add_argument("--scale", type=float, default=1.0, metavar="X", help="of the numbers of games (default 1)")
    other.add_argument("--only", type=int, nargs="*", default=[], metavar="ROW", help="rows to play, from 0 (default all)")
    alone = commands.add_parser("solo", help="agents alone at the table, each in the same games, by their points")
    alone.add_argument("game", help="the game")
    alone.add_argument("agents", nargs="+", metavar="SPEC", help="the agents; each is compared with the last one")
    alone.add_argument("--games", type=int, default=50, metavar="N", help="games for each agent (default 50)")
    alone.add_argument("--seed", type=int, default=1, metavar="N", help="decides the games (default 1)")
    for each in (part, other, alone):
        each.add_argument("--jobs", type=int, default=1, metavar="J", help="processes (default 1)")
        each.add_argument("--write", action="store_true", help="put the table into docs/evidence.md")
    arguments = parser.parse_args()
    if arguments.command == "rules":
        table, status = rules(arguments.game, arguments.games, arguments.jobs)
    elif arguments.command == "solo":
        table, status = solo(arguments.game, arguments.agents, arguments.games, arguments.seed, arguments.jobs)
    else:
        table, status = strength(arguments.scale, arguments.jobs, arguments.only)
    print(table)
    if arguments.write and status == 0:
        write("strength" if arguments.command == "strength" else f"{arguments.command} {arguments.game}", table)
    sys.exit(status)


if __name__ == "__main__":
    main()
