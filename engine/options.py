"""Options of games: what is allowed, and reading them from Python values or text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath


@dataclass(frozen=True)
class Option:
    """One option of a game.

    Attributes
    ----------
    default : object
        Used where the option is not given.
    choices : tuple, optional
        The values allowed, e.g. ``(2, 3, 4)`` players. None: any word, number or path; the game's `_load` says what it makes of it.
    help : str
        One line for people.
    """

    default: object
    choices: tuple | None = None
    help: str = ""

    def parse(self, name: str, value: object) -> object:
        """`value` (a Python value or its text) as an allowed value; ValueError naming the option otherwise."""
        if self.choices is None:
            if isinstance(value, bool) or not isinstance(value, str | int | float | PathLike):
                raise ValueError(f"option {name}: {str(value)!r} is not allowed; expected a word, a number or a file's name")
            return str(fspath(value)) if isinstance(value, PathLike) else str(value)
        for choice in self.choices:
            if not isinstance(value, bool) and (value == choice or str(value).strip() == str(choice)):
                return choice
        allowed = ", ".join(str(choice) for choice in self.choices)
        raise ValueError(f"option {name}: {str(value)!r} is not allowed; allowed: {allowed}")


def parse_options(game: str, known: Mapping[str, Option], given: Mapping[str, object]) -> dict[str, object]:
    """Every option of a game with its value, defaults filled in; ValueError for an unknown option or a value that is not allowed."""
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ValueError(f"{game}: unknown option {unknown[0]!r}; options are: {', '.join(known)}")
    return {name: option.parse(name, given.get(name, option.default)) for name, option in known.items()}
