"""`wattman tune`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wattman.cli.common import AsJson, GameName, GameOptions, Players, Seed, chosen_seed, console, game_from, print_json
from wattman.cli.jobs import Jobs, bar
from wattman.cli.stopping import EXIT_INTERRUPT, stop_like_ctrl_c
from wattman.search import tune as search
from wattman.search.tune import Candidate, TuneResult

HELP = """Search for better parameters of an agent.

Candidates are drawn at random and play the same deals; after each round the better half goes on. The one that is left plays the agent \
as it is on fresh deals, and that result alone says whether it is better: the best of many always looks better than it is.

wattman tune trambahn --parameters c,sharpness=0.2..1.5 --games 2000 --jobs 2 --out tune.jsonl --resume
"""
LOOK = 0.5  # seconds between two looks at the result for the progress bar


def tune(
    game: GameName,
    agent: Annotated[str, typer.Option(metavar="SPEC", help="Whose parameters are searched.")] = "ismcts",
    against: Annotated[
        str | None, typer.Option(metavar="SPEC", help="The opponent of all candidates; by default the agent as it is.", show_default=False)
    ] = None,
    parameters: Annotated[
        str, typer.Option(metavar="NAMES", help="What is searched, with commas in between: c or, with a range, c=0.1..1.")
    ] = ",".join(search.PARAMETERS),
    option: GameOptions = None,
    players: Players = None,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Games to play, a third of them in the check.")] = search.GAMES,
    candidates: Annotated[int, typer.Option(metavar="N", min=1, help="How many sets of parameters are tried.")] = search.CANDIDATES,
    simulations: Annotated[
        int, typer.Option(metavar="N", min=1, help="Simulations a decision, for agents that are given no budget.")
    ] = search.SIMULATIONS,
    jobs: Jobs = 1,
    seed: Seed = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write every deal to this file, one line of JSON each. Nothing that is finished gets lost."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the search in the file, if it is there.")] = False,
    as_json: AsJson = False,
) -> None:
    seed = chosen_seed(seed, resume, out)
    loaded = game_from(game, option, players)
    names = [name.strip() for name in parameters.split(",") if name.strip()]
    plan = search.plan(loaded, agent, against, names, games, candidates, simulations, seed)
    stop_like_ctrl_c()
    with bar("deals") as progress:
        last = 0.0

        def report(done: int, total: int, so_far: Callable[[], TuneResult]) -> None:
            nonlocal last
            if progress.disable:
                return
            progress.total, progress.n = total, done
            now = time.monotonic()
            if now - last > LOOK:
                last = now
                progress.set_postfix_str(standing(so_far()), refresh=False)
            progress.update(0)

        result = search.tune(plan, jobs=jobs, out=out, resume=resume, progress=report)
    if as_json:
        print_json(result.to_json())
    else:
        show(console(), loaded.TITLE or loaded.name, result)
    if result.interrupted:
        hint = "; the same command with --resume goes on" if out else ""
        console(stderr=True).print(Text(f"wattman: interrupted after {result.games:,} games{hint}"), soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPT)


def standing(result: TuneResult) -> str:
    """Where a search stands, in a few words."""
    if result.check is not None:
        return f"check of {_values(result.check)}: {_rate(result.check)}"
    return f"round {min(result.rounds + 1, result.of)} of {result.of}, {_values(result.candidates[0])}: {_rate(result.candidates[0])}"


def show(out: Console, title: str, result: TuneResult) -> None:
    """The result for people."""
    out.print(Text(f"{title} · {result.agent} against {result.against} · {result.games:,} games · seed {result.seed}"), soft_wrap=True)
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 1))
    table.add_column("candidate", overflow="fold")
    for heading in ("rounds", "games", "win rate, 95 %", "margin"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in result.candidates:
        margin = "-" if row.margin is None else f"{row.margin:+.1f}"
        table.add_row(Text(_values(row), style="bold" if row == result.best else ""), str(row.rounds), str(row.games), _rate(row), margin)
    out.print(table)
    for line in verdict(result):
        out.print(Text(" " + line), soft_wrap=True)


def verdict(result: TuneResult) -> list[str]:
    """What the search found, in words."""
    if result.rounds < result.of:
        return [f"{result.rounds} of {result.of} rounds are over"]
    if result.best is None:
        return ["no candidate did better than the agent as it is"]
    if result.check is None:
        return [f"left over: {_values(result.best)}; not checked yet"]
    found = "that is not the end" if result.interrupted else "it is better" if result.better else "that does not show that it is better"
    games = f"{_rate(result.check)} of {result.check.games:,} games"
    return [
        f"check on fresh deals: {_values(result.check)} against the agent as it is: {games}; {found}",
        "(the win rates at the top of the table are those of the best of many, and too high)",
    ]


def _values(row: Candidate) -> str:
    if not row.parameters:
        return "as it is"
    return " ".join(f"{name}={('no', 'yes')[value] if isinstance(value, bool) else value}" for name, value in row.parameters.items())


def _rate(row: Candidate) -> str:
    if row.win_rate is None or row.ci95 is None:
        return "-"
    return f"{100 * row.win_rate:.1f} % ({100 * row.ci95[0]:.1f} to {100 * row.ci95[1]:.1f})"
