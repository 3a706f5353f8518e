"""Boards, decks and price tables: the one place where the files under `engine/data` are read."""
from __future__ import annotations

import tomllib
from importlib import resources


def load(name: str) -> dict:
    """A data file that comes with the package, parsed.

    Parameters
    ----------
    name : str
        Its path below `engine/data` without the ending, e.g. ``trambahn`` or ``lisbon/board``.

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
