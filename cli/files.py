"""Which files the commands read and write."""
from __future__ import annotations

from pathlib import Path

from wattman.engine.game import State
from wattman.engine.records import Record, RecordError, replay


def moment(record: Record, ply: int | None) -> State:
    """The state after `ply` events of a record, or at its last decision; the whole record is verified."""
    states = [state for _, state in replay(record)]
    if ply is None:
        decisions = [state for state in states if state.current_player() >= 0]
        return decisions[-1] if decisions else states[-1]
    if not 0 <= ply < len(states):
        place = f"{record.source}: " if record.source else ""
        raise RecordError(f"{place}ply {ply}: the game has plies 0 to {len(states) - 1}")
    return states[ply]


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet; ValueError if it is."""
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ValueError(f"{path}: there is such a file already; it is left as it is") from None
