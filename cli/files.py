"""Which files the commands read and write."""
from __future__ import annotations

import io
import sys
from bisect import bisect_right
from pathlib import Path

from rich.text import Text

from wattman.cli.common import console
from wattman.engine import positions, records, tomlfile
from wattman.engine.game import InfoState, State
from wattman.engine.records import Record, RecordError


def contents(path: Path, number: int | None = None) -> Record | InfoState:
    """What a file holds: a game of records or of a match (that of this number, or the last one), or a position. - is standard input.

    What in a position is hardly meant is noted on stderr.
    """
    stream = open(sys.stdin.fileno(), "rb", closefd=False) if str(path) == "-" else open(path, "rb")  # noqa: SIM115 - see below
    name = "standard input" if str(path) == "-" else path
    with stream as file:  # opened once only, for pipes
        if records.is_record(name, file):
            return records.pick(name, number, file)
        text = file.read(tomlfile.LIMIT + 1)
    info = positions.load(name, io.BytesIO(text))
    if number is not None:
        raise ValueError(f"{name}: --game is for records, and this is a position")
    for remark in positions.remarks(name, io.BytesIO(text)):
        console(stderr=True).print(Text(f"note: {remark}"), soft_wrap=True)
    return info


def moment(record: Record, ply: int | None, view: int | None = None) -> State:
    """The state at a ply of a record, by default at its last decision (that of the player `view`); the whole record is verified.

    A ply is a number of events before: of all, or of those that the player `view` saw.
    """
    states = [state for _, state in records.replay(record)]
    if ply is None:
        decisions = [state for state in states if state.current_player() >= 0 and view in (None, state.current_player())]
        return decisions[-1] if decisions else states[-1]

    def seen(state: State) -> int:
        return len(state.events(view))

    if not 0 <= ply <= seen(states[-1]):
        place = f"{record.source}: " if record.source else ""
        whose = "the game has" if view is None else f"player {view} saw"
        raise RecordError(f"{place}ply {ply}: {whose} plies 0 to {seen(states[-1])}")
    return states[bisect_right(states, ply, key=seen) - 1]


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet; ValueError if it is."""
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ValueError(f"{path}: there is such a file already; it is left as it is") from None
