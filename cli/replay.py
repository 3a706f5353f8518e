"""`wattman replay`."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from wattman.cli.common import AsJson, GameNumber, console, drawn, number, print_json, seat_name
from wattman.cli.files import contents, moment, write_new
from wattman.engine import positions, records
from wattman.engine.game import State
from wattman.engine.records import Record
from wattman.engine.session import Session

HELP = """Show a recorded game: step by step on a terminal, as a list of its events in a pipe, or its table at one ply.

A record holds all hands. With --view P you see what player P saw, and nothing else; events are then numbered by what he saw. The whole
record is verified before anything is shown.
"""


def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file of records or of a match (JSON Lines); - for standard input.", show_default=False)
    ],
    game: GameNumber = None,
    view: Annotated[int | None, typer.Option(metavar="P", help="Show only what this player saw.")] = None,
    ply: Annotated[int | None, typer.Option(metavar="N", help="Show the table after N events, with --view of those that he saw.")] = None,
    position: Annotated[
        Path | None,
        typer.Option(metavar="OUT.toml", help="Write what a player (--view, else the mover) knows at --ply as a position; - for stdout."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    try:
        record = contents(file, game)
    except positions.PositionError:
        raise ValueError(f"{file}: this file does not hold games; they are JSON, each on one line") from None
    if not isinstance(record, Record):
        raise ValueError(f"{file}: this is a position, no game; wattman analyze {file} looks into it")
    end = records.final(record)
    if view is not None and not 0 <= view < len(record.players):
        raise ValueError(f"--view {view}: players are 0 to {len(record.players) - 1}")
    if position is not None:
        text = positions.dumps(moment(record, ply, view).info_state(view))
        if str(position) == "-":
            typer.echo(text, nl=False)
        else:
            write_new(position, text)
            console(stderr=True).print(Text(f"wrote {position}"), soft_wrap=True)
        return
    if ply is not None:
        show_ply(record, moment(record, ply, view), ply, len(end.events(view)), view, as_json)
    elif as_json:
        print_json(records.view(record, view) if view is not None else plain(record, end))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        step(record, view)
    else:
        listing(console(), record, view)


def plain(record: Record, end: State) -> dict:
    """A record with the maker of each event, for programs."""
    events = [{"player": who, "event": text} for (who, _), text in zip(end.full_history(), end.events(), strict=True)]
    return {
        "game": record.game,
        "options": record.options,
        "players": record.players,
        "events": events,
        "scores": record.scores,
        "returns": record.returns,
    }


def show_ply(record: Record, state: State, ply: int, plies: int, view: int | None, as_json: bool) -> None:
    """The table at one of so many plies."""
    table = state.to_dict(view)
    if as_json:
        mover = state.current_player()
        legal = [state.action_to_string(action) for action in state.legal_actions()] if view in (None, mover) else None
        print_json({"game": record.game, "ply": ply, "view": view, "to_move": mover, "legal": legal, "table": table})
        return
    out = console()
    out.print(title(record, view), soft_wrap=True)
    out.print(drawn(state.game, table))
    out.print(Text(f"ply {ply} of {plies} · {whose(record, state)}"), soft_wrap=True)


def title(record: Record, view: int | None) -> Text:
    seats = " · ".join(f"player {seat}: {name}" for seat, name in enumerate(record.players))
    eyes = "all hands open" if view is None else f"as player {view} saw it"
    return Text(f"{record.game} · {seats} · {eyes}", style="bold")


def whose(record: Record, state: State) -> str:
    if state.is_terminal():
        return "the game is over: " + " : ".join(number(score) for score in state.scores())
    who = state.current_player()
    return "a chance event is next" if who < 0 else f"{seat_name(who, record.players)} to move"


def line(record: Record, index: int, who: int, text: str) -> Text:
    """One event of a listing."""
    name = seat_name(who, record.players) if who >= 0 else "chance"
    return Text.assemble((f"{index:>5}  ", "dim"), f"{name}: ", (text, "bold" if who >= 0 else ""))


def listing(out: Console, record: Record, view: int | None) -> None:
    """All events, and the table at the end."""
    session = Session.from_record(record, 0, settle=False)
    out.print(title(record, view), soft_wrap=True)
    # Plies count what is seen: a gap would tell that something happened there.
    for index, (event, text) in enumerate(session.seen(view)):
        out.print(line(record, index, event.player, text), soft_wrap=True)
    out.print(drawn(session.game, session.state.to_dict(view)))
    out.print(Text(whose(record, session.state)), soft_wrap=True)


def step(record: Record, view: int | None) -> None:
    """Decision by decision, forward and back."""
    out = console()
    seen = Session.from_record(record, 0, settle=False).seen(view)
    stops: list[tuple[int, State]] = []  # number of events seen so far, and the table then
    for _, state in records.replay(record):
        count = len(state.events(view))
        if (state.current_player() >= 0 or state.is_terminal()) and (not stops or stops[-1][0] < count):
            stops.append((count, state))
    place, shown = 0, 0
    out.print(title(record, view), soft_wrap=True)
    while True:
        count, state = stops[place]
        out.print()
        for index in range(shown, count):
            out.print(line(record, index, seen[index][0].player, seen[index][1]), soft_wrap=True)
        out.print(drawn(state.game, state.to_dict(view)))
        out.print(Text(f"ply {count} of {len(seen)} · {whose(record, state)}"), soft_wrap=True)
        try:
            answer = input("[Enter: next, b: back, a ply, q: quit] > ").strip().lower()
        except EOFError:
            return
        shown = count
        if answer.isdecimal():
            place = next((i for i, (other, _) in enumerate(stops) if other >= int(answer[:9])), len(stops) - 1)
            shown = min(shown, stops[place][0])
        elif answer.startswith("b"):
            place = max(place - 1, 0)
        elif answer.startswith("q") or (not answer and place == len(stops) - 1):
            return
        elif not answer:
            place += 1
        else:
            out.print(Text(f"{answer!r}: press Enter for the next decision, or type b, a number or q"), soft_wrap=True)
