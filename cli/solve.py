"""`wattman solve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wattman.cli.common import AsJson, GameNumber, Seed, chosen_seed, console, drawn, print_json
from wattman.cli.files import contents, moment
from wattman.cli.report import percent
from wattman.engine.game import InfoState, State
from wattman.engine.records import Record
from wattman.search.solving import BY, WORLDS, Solution, solve

HELP = """Solve an ending exactly: what each move is worth if all play best.

With hidden cards one plan is made for the rest of your turn over all worlds that agree with what you know (or over a sample of them, as the
output says); behind it each world is played with open cards. Where a limit is reached, proved bounds are given.
"""
SHOWN = 12


def solve_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A position, or records; - for standard input.", show_default=False)],
    time: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="At most so long.")] = 10.0,
    by: Annotated[str, typer.Option(metavar="WHAT", help=f"What counts: {', '.join(BY)} (what the search maximizes).")] = "win",
    worlds: Annotated[int, typer.Option(metavar="N", help="Deal so many worlds where they cannot be enumerated.")] = WORLDS,
    opened: Annotated[bool, typer.Option("--open", help="Of a record: with the cards that really lay there, open to all.")] = False,
    seed: Seed = None,
    game: GameNumber = None,
    ply: Annotated[
        int | None, typer.Option(metavar="N", help="After so many events of a record; by default at its last decision.", show_default=False)
    ] = None,
    player: Annotated[int | None, typer.Option(metavar="P", help="Whose view of a record; by default who is to move.")] = None,
    every: Annotated[bool, typer.Option("--all", help=f"Show all moves, not only the best {SHOWN}.")] = False,
    as_json: AsJson = False,
) -> None:
    start = position(file, game, ply, player, opened)
    found = solve(start, by, time, worlds, chosen_seed(seed))
    if as_json:
        print_json(found.to_json())
        return
    out = console()
    out.print(drawn(start.game, start.to_dict() if isinstance(start, InfoState) else start.to_dict(start.current_player())))
    out.print()
    show(out, found, len(found.moves) if every else SHOWN)


def position(file: Path, game: int | None, ply: int | None, player: int | None, opened: bool) -> InfoState | State:
    """What is to be solved."""
    found = contents(file, game)
    if isinstance(found, Record):
        state = moment(found, ply, None if opened else player)
        if player is None and state.current_player() < 0:
            raise ValueError(f"{file}: there is nothing to decide here; --ply N says where")
        return state if opened else state.info_state(player)
    for name, value in (("--ply", ply), ("--player", player), ("--open", opened or None)):
        if value is not None:
            raise ValueError(f"{file}: {name} is for records, and this is a position")
    return found


def show(out: Console, found: Solution, shown: int) -> None:
    """The moves with their values."""
    over = {
        "open": "all cards known",
        "all": f"over all {found.worlds} possible worlds",
        "sample": f"over a sample of {found.worlds} possible worlds",
    }[found.method]
    state = "solved" if found.exact else "not solved within the limit; proved bounds"
    head = f" player {found.to_move} to move · {state} · {over} · {found.nodes:,} positions in {found.seconds:.1f} s"
    out.print(Text(head), soft_wrap=True)
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 1))
    table.add_column("#", justify="right")
    table.add_column("move", no_wrap=True)
    table.add_column({"win": "win %", "margin": "margin", "reward": "reward"}[found.by], justify="right")
    shown_as = {"win": percent, "margin": "{:+.1f}".format, "reward": "{:.3f}".format}
    for place, move in enumerate(found.moves[:shown], 1):
        low, high = (shown_as[found.by](bound) for bound in (move.low, move.high))
        value = (low if move.exact else f"{low} to {high}") + (f" ± {percent(move.stderr)}" if move.stderr else "")
        table.add_row(str(place), Text(move.action, style="bold" if move.action in found.best else ""), value)
    out.print(table)
    if len(found.moves) > shown:
        out.print(f"   and {len(found.moves) - shown} more", style="dim")
    if found.line:
        whose = "best play" if found.worlds == 1 else "best turn"
        out.print(Text(f" {whose}: {'; '.join(found.line)}"), soft_wrap=True)
