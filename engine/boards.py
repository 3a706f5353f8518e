"""Boards, decks and price tables: the one place where data files are read, those under `engine/data` and a user's own.

A game with one board has one file, ``data/GAME.toml`` (`load`). A game that can be played on several has a folder ``data/GAME`` with one
file a board; its option `board` is the name of one of them or the path of a user's file (`read`). A board file says `game = "GAME"` and
may take tables that it shares with others from `parts`; a table of its own replaces the part's table of that name.

Such a game has a module ``games/_GAME_board.py`` with

- ``TABLES``: names of the tables that a board file can have
- ``check(data) -> Report``: all that is wrong with a board's tables, and what is odd about them
- ``summary(data) -> str``: what the board is, in one line, of data without faults
"""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from wattman.engine import tomlfile


def load(name: str) -> dict:
    """A data file that comes with the package, parsed.

    Parameters
    ----------
    name : str
        Its path below `engine/data` without the ending, e.g. ``trambahn`` or ``lisbon/cards``.

    Raises
    ------
    ValueError
        If there is no such file, or it is no TOML.
    """
    file = resources.files("wattman.engine").joinpath("data", *f"{name}.toml".split("/"))
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"data file {name}.toml: not found among the package's data") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"data file {name}.toml: {error}") from None


# --- boards ---


def shipped(game: str) -> list[str]:
    """Names of the boards that come with the package for a game, sorted."""
    return sorted(name for name, whole in _files(game).items() if whole)


def read(game: str, board: str) -> tuple[dict, str]:
    """The tables of a board, those of its parts included.

    Parameters
    ----------
    game : str
        The game that the board is wanted for.
    board : str
        The name of a board that comes with the package, or the path of a file: it ends in ``.toml`` or has a ``/``.

    Returns
    -------
    data : dict
        The tables, without `parts`.
    source : str
        What errors call the board: the path, or the name.

    Raises
    ------
    ValueError
        One line that begins with `source`, if there is no such board, it is no TOML or for another game, or a part is not there.
    """
    source = tomlfile.one_line(board, 200)
    try:
        if is_path(board):
            data = tomlfile.parse(tomlfile.read_text(board))
        elif board in (names := shipped(game)):
            data = load(f"{game}/{board}")
        else:
            raise ValueError(f"no such board; expected {', '.join(names)} or the path of a file that ends in .toml")
        top = tomlfile.Section(data)
        top.word("game", [game])
        return _joined(top, game, Path(board).parent), source
    except ValueError as error:
        raise ValueError(f"{source}: {tomlfile.one_line(error)}") from None


def is_path(board: str) -> bool:
    """Whether a board is given by its path rather than by its name."""
    return board.endswith(".toml") or "/" in board or "\\" in board


def _files(game: str) -> dict[str, bool]:
    """Names of a game's files in the package, and whether each is a board; else it is a part of boards."""
    folder = resources.files("wattman.engine").joinpath("data", game)
    files = [file for file in folder.iterdir() if file.name.endswith(".toml")] if folder.is_dir() else []
    # Boards say of which game they are. Looking for that is much quicker than parsing them all.
    return {file.name[:-5]: re.search(r"(?m)^game\s*=", file.read_text(encoding="utf-8")) is not None for file in files}


def _joined(top: tomlfile.Section, game: str, folder: Path) -> dict:
    """The tables of a board file over those of its parts."""
    own = {key: value for key, value in top.data.items() if key != "parts"}
    shared = sorted(name for name, whole in _files(game).items() if not whole)
    expected = f"names of shared tables ({', '.join(shared) or 'none'}) or of .toml files beside this one"
    data: dict = {}
    for part in top.texts("parts", expected, []):
        try:
            if is_path(part):
                more = tomlfile.parse(tomlfile.read_text(folder / part))
            elif part in shared:
                more = load(f"{game}/{part}")
            else:
                raise ValueError(f"no such part; expected {expected}")
            twice = [key for key in more if key in data]
            if twice:
                raise ValueError(f"[{twice[0]}] is in a part named before already")
        except ValueError as error:
            raise top.error("parts", f"{tomlfile.show(part)}: {error}") from None
        data |= more
    return data | own


# --- checking ---


@dataclass
class Report:
    """What a check of a file found. `faults` make it unusable; `remarks` are allowed, but seldom meant.

    Each is one line that begins with the place, as `tomlfile.Section` writes it.
    """

    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def get(self, read: Callable, *arguments, default=None, **more):
        """``read(*arguments)``; if it raises a ValueError, that is noted as a fault and `default` is given."""
        try:
            return read(*arguments, **more)
        except ValueError as error:
            self.faults.append(str(error))
            return default

    def section(self, data: dict, path: str, keys: Iterable[str]) -> tomlfile.Section:
        """A table as a Section; every key that is not allowed is noted as a fault."""
        keys = list(keys)
        for key, value in data.items():
            self.get(tomlfile.Section, {key: value}, path, keys)
        return tomlfile.Section(data, path)

    def fault(self, place: str, problem: str) -> None:
        self.faults.append(f"{place}: {problem}")

    def remark(self, place: str, problem: str) -> None:
        self.remarks.append(f"{place}: {problem}")

    def insist(self, source: str) -> None:
        """ValueError of one line if there are faults: the first, and how many more there are."""
        if self.faults:
            others = len(self.faults) - 1
            more = f" (and {others} more; `wattman check` lists them)" if others else ""
            raise ValueError(f"{source}: {tomlfile.one_line(self.faults[0])}{more}")


def games() -> list[str]:
    """Names of the games that can be played on several boards and whose boards can be checked, sorted."""
    folder = resources.files("wattman.engine").joinpath("data")
    return sorted(e.name for e in folder.iterdir() if e.is_dir() and shipped(e.name) and hasattr(rules(e.name), "check"))


def rules(game: str):
    """The module that says what a board file of a game may hold (see the top of this page)."""
    return importlib.import_module(f"wattman.engine.games._{game}_board")


def is_board(data: dict) -> bool:
    """Whether a parsed file that names its game is meant as a board of it, rather than as a position."""
    game = data.get("game")
    return game in games() and "you" not in data and any(key in data for key in ("parts", *rules(game).TABLES))
