"""`wattman analyze`."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer

from wattman.cli.common import AsJson, GameNumber, Seed, console, drawn, print_json, progress
from wattman.cli.files import contents, moment
from wattman.cli.report import SHOWN, show
from wattman.engine.game import Game, InfoState
from wattman.engine.records import Record
from wattman.search.agents import load_agent, read_spec, write_spec

HELP = """Find the best move in a position of which one player's knowledge is given.

FILE is a position (TOML; `wattman new position GAME` prints one to fill in), or holds records or a match (JSON Lines). Whatever is hidden
from the player stays hidden from the search, in a record too. Ctrl-C shows what has been found so far.
"""
DEFAULT_TIME = 5.0


def analyze(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A position, or records or a match; - for standard input.", show_default=False)
    ],
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help=f"Think so long; {DEFAULT_TIME:g} unless --simulations is given.")
    ] = None,
    simulations: Annotated[int | None, typer.Option(metavar="N", help="Think so many simulations.")] = None,
    threads: Annotated[int | None, typer.Option(metavar="N", help="Use so many threads.")] = None,
    agent: Annotated[str, typer.Option(metavar="SPEC", help="Who thinks; `wattman agents` lists the parameters.")] = "ismcts",
    seed: Seed = None,
    game: GameNumber = None,
    ply: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="After so many events of a record, with --player of those that he saw; by default at the last decision.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[int | None, typer.Option(metavar="P", help="Whose view of a record; by default who is to move.")] = None,
    all_moves: Annotated[bool, typer.Option("--all", help=f"Show all moves, not only the best {SHOWN}.")] = False,
    as_json: AsJson = False,
) -> None:
    info = knowledge(file, game, ply, player)
    searcher = load_agent(spec(agent, info.game, time, simulations, threads), info.game, random.getrandbits(32) if seed is None else seed)
    if info.current_player() != info.player:
        who = info.current_player()
        raise ValueError(f"{file}: player {info.player} is not to move here" + (f", player {who} is" if who >= 0 else ""))
    if not searcher.searches:
        raise ValueError(f"--agent {agent}: it does not search, so there is nothing to report; take one that does, e.g. ismcts:time=1")
    if not as_json:
        out = console()
        out.print(drawn(info.game, info.to_dict()))
        out.print()
    parameters = getattr(searcher, "parameters", {})
    with progress(getattr(searcher, "seconds", None), parameters.get("simulations"), "thinking") as report:
        analysis = searcher.analyze(info, progress=report)
    if as_json:
        print_json(analysis.to_json())
        return
    show(out, info, analysis, None if all_moves else SHOWN)


def knowledge(file: Path, game: int | None, ply: int | None, player: int | None) -> InfoState:
    """What is to be analyzed."""
    found = contents(file, game)
    if isinstance(found, Record):
        return moment(found, ply, player).info_state(player)
    for name, value in (("--ply", ply), ("--player", player)):
        if value is not None:
            raise ValueError(f"{file}: {name} is for records, and this is a position")
    return found


def spec(agent: str, game: Game, time: float | None, simulations: int | None, threads: int | None) -> str:
    """The agent's text with the command line's parameters added."""
    kind, given = read_spec(agent, game)
    more = {"time": time, "simulations": simulations, "threads": threads}
    for name, value in more.items():
        if value is not None and name in given:
            raise ValueError(f"--{name}: given twice, --agent {agent} has it already")
    given.update((name, f"{value:g}" if name == "time" else str(value)) for name, value in more.items() if value is not None)
    timed = any(parameter.name == "time" for parameter in kind.parameters)
    if timed and not given.keys() & {"time", "simulations"}:
        given["time"] = f"{DEFAULT_TIME:g}"
    return write_spec(kind, given)
