"""`wattman match`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wattman.cli.common import AsJson, GameName, GameOptions, Players, Seed, chosen_seed, console, game_from, print_json
from wattman.cli.jobs import Ray, Workers, bar
from wattman.cli.stopping import EXIT_INTERRUPT, stop_like_ctrl_c
from wattman.search.match import MatchResult, run_match

HELP = """Let agents play against each other, and say how sure the result is.

Every deal is played several times with the same cards, so that each agent holds the cards of every seat: twice with two agents in a \
game for two. That takes luck out. The 95 % intervals are taken over deals. `wattman agents` lists the agents.

wattman match trambahn greedy random --games 200

wattman match trambahn ismcts:simulations=256 ismcts:simulations=64 --games 400 --jobs 2 --out match.jsonl --resume
"""
SHOWN = 5  # faults
NAME = 24  # width that the names of agents have at least, if they need it
LOOK = 0.5  # seconds between two looks at the result for the progress bar


def match(
    game: GameName,
    agents: Annotated[
        list[str], typer.Argument(metavar="SPEC SPEC...", help="The agents, e.g. greedy ismcts:time=0.5.", show_default=False)
    ],
    option: GameOptions = None,
    players: Players = None,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Games to play; rounded up to whole deals.")] = 100,
    jobs: Workers = None,
    ray: Ray = None,
    seed: Seed = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write every game to this file, one line of JSON each. Nothing that is finished gets lost."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the match in the file, if it is there.")] = False,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="ELO0 ELO1",
            help="Is the first agent better by ELO0 at most, or by ELO1 at least? Stop as soon as that is clear (5 % error each way).",
            show_default=False,
        ),
    ] = None,
    ratings: Annotated[bool, typer.Option("--ratings", help="Rate three or more agents on one scale; needs wattman\\[ratings].")] = False,
    as_json: AsJson = False,
) -> None:
    seed = chosen_seed(seed, resume, out)
    loaded = game_from(game, option, players)
    stop_like_ctrl_c()
    with bar("deals") as progress:
        last = 0.0

        def report(done: int, total: int, so_far: Callable[[], MatchResult]) -> None:
            nonlocal last
            if progress.disable:
                return
            progress.total, progress.n = total, done
            now = time.monotonic()
            if now - last > LOOK and done:
                last = now
                progress.set_postfix_str(f"{_name(agents[0], 30)}: {_rate(so_far(), 0)} %", refresh=False)
            progress.update(0)

        result = run_match(
            loaded, agents, games, seed=seed, jobs=jobs, ray=ray, out=out, resume=resume, sprt=sprt, rated=ratings, progress=report
        )
    if as_json:
        print_json(result.to_json())
    else:
        show(console(), loaded.TITLE or loaded.name, result)
    if result.interrupted:
        hint = "; the same command with --resume goes on" if out else ""
        console(stderr=True).print(Text(f"wattman: interrupted after {_count(result.deals, 'deal')}{hint}"), soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPT)


def show(out: Console, title: str, result: MatchResult) -> None:
    """The result for people."""
    out.print(Text(f"{title} · {_count(result.deals, 'deal')}, {_count(result.games, 'game')} · seed {result.seed}"))
    if not result.deals:
        return
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 1))
    table.add_column("agent", overflow="fold", min_width=min(NAME, max(len(name) for name in result.agents)))
    rated = result.ratings
    for heading in ("wins", "ties", "win rate, 95 %", "rating, 95 %" if rated else "Elo, 95 %", "points", "margin", "s/move"):
        table.add_column(heading, justify="right", no_wrap=True)
    for agent, name in enumerate(result.agents):
        cells = [str(result.wins[agent]), str(result.ties[agent])]
        cells.append(f"{_rate(result, agent)} % {_between(result.ci95[agent], 100, '.1f')}")
        strength, interval = (rated.elo[agent], rated.ci95[agent]) if rated else (result.elo[agent], result.elo_ci95[agent])
        cells.append(f"{_number(strength, '+.0f')} {_between(interval, 1, '+.0f')}")
        cells += [_number(result.mean_scores[agent], ".1f"), _number(result.margins[agent], "+.1f")]
        cells.append(_number(result.seconds_per_decision[agent], ".3f"))
        table.add_row(Text(name), *cells)
    out.print(table)
    if result.sprt is not None:
        out.print(Text(" " + verdict(result)), soft_wrap=True)
    if any(result.faults):
        out.print(Text(f" {_count(sum(result.faults), 'game')} lost by a fault:"), soft_wrap=True)
        for report in result.fault_reports[:SHOWN]:
            name = result.agents[report["agent"]]
            message = " ".join(report["message"].split())
            out.print(Text(f"   deal {report['deal']}, game {report['number']}: {name}: {report['kind']}: {message}"), soft_wrap=True)
        if sum(result.faults) > SHOWN:
            out.print(Text(f"   and {sum(result.faults) - SHOWN} more"))


def verdict(result: MatchResult) -> str:
    """What the sequential test found, in words."""
    test = result.sprt
    if test is None:
        return ""
    first = result.agents[0]
    if test.decision is None:
        return f"test of {test.elo0:g} against {test.elo1:g} Elo: no answer after {_count(test.deals, 'deal')}"
    found = f"more than {test.elo0:g}" if test.decision == "H1" else f"less than {test.elo1:g}"
    kind = "accepted" if test.decision == "H1" else "rejected"
    text = f"test {kind} after {_count(test.deals, 'deal')}: {first} is better by {found} Elo"
    return f"{text} (wrong in 5 % of tests at most; the intervals above are biased by the early stop)"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _name(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def _rate(result: MatchResult, agent: int) -> str:
    rate = result.win_rate[agent]
    return "-" if rate is None else f"{100 * rate:.1f}"


def _number(value: float | None, layout: str) -> str:
    if value is None:
        return "-"
    return format(value, layout) if math.isfinite(value) else "∞" if value > 0 else "-∞"


def _between(interval: tuple[float, float] | None, scale: float, layout: str) -> str:
    return "" if interval is None else f"({_number(scale * interval[0], layout)} to {_number(scale * interval[1], layout)})"
