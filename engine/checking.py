"""Checking files that people write or keep: boards, positions and records. What kind a file is, tells its content."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path

from wattman.engine import boards, positions, records, tomlfile
from wattman.engine.games import game_class, names


@dataclass
class FileReport:
    """What a check of a file found.

    Attributes
    ----------
    file : str
    kind : str
        ``"board"``, ``"position"`` or ``"record"``; ``""`` if it is none of them.
    game : str
        Name as in `load_game`; ``""`` if the file does not say.
    summary : str
        What the file holds, in one line; empty if it has faults.
    faults, remarks : list of str
        What makes it unusable, and what is allowed but seldom meant. Each is one line that begins with the key or the line.
    """

    file: str
    kind: str = ""
    game: str = ""
    summary: str = ""
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def check_file(path: str | PathLike) -> FileReport:
    """Everything that is wrong with a file.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    report = FileReport(fspath(path))
    if records.is_record(path):
        _check_records(path, report)
        return report
    try:
        data = tomlfile.parse(tomlfile.read_text(path))
        report.game = tomlfile.Section(data).word("game", sorted({*names(), *boards.games()}))
    except ValueError as error:
        report.faults.append(str(error))
        return report
    if boards.is_board(data):
        report.kind = "board"
        _check_board(path, report)
    else:
        report.kind = "position"
        _check_position(path, report)
    return report


def _check_board(path: str | PathLike, report: FileReport) -> None:
    try:
        data, _ = boards.read(report.game, str(Path(path).absolute()))  # absolute: a path always, never the name of a shipped board
    except ValueError as error:
        report.faults.append(_without(path, error))
        return
    rules = boards.rules(report.game)
    found = rules.check(data)
    report.faults = found.faults
    if not found.faults:  # beside faults, most remarks would only be about what the faults have left out
        report.remarks = found.remarks
        report.summary = rules.summary(data)


def _check_position(path: str | PathLike, report: FileReport) -> None:
    try:
        info = positions.load(path)
        report.remarks = positions.remarks(path)
    except positions.PositionError as error:
        report.faults.append(_without(path, error))
        return
    mover = info.current_player()
    whose = "the game is over" if mover == -4 else "a chance event is next" if mover < 0 else f"player {mover} is to move"
    report.summary = f"{_title(report.game)}: what player {info.player} knows; {whose}"


def _check_records(path: str | PathLike, report: FileReport) -> None:
    report.kind = "record"
    games: Counter[str] = Counter()
    try:
        for record in records.read(path):
            games[record.game] += 1
            try:
                records.final(record)
            except ValueError as error:
                report.faults.append(_without(path, error))
    except ValueError as error:  # a line that is no record: what follows it cannot be trusted
        report.faults.append(_without(path, error))
    report.game = next(iter(games), "")
    if not report.faults:
        report.summary = ", ".join(f"{count} game{'s' * (count > 1)} of {_title(name)}" for name, count in games.items()) or "no games"


def _without(path: str | PathLike, error: ValueError) -> str:
    """An error's text without the file's name in front."""
    text = str(error)
    for name in (tomlfile.one_line(Path(path).absolute(), 200), tomlfile.one_line(path, 200), fspath(path)):
        text = text.removeprefix(f"{name}: ")
    return text


def _title(game: str) -> str:
    return game_class(game).TITLE or game
