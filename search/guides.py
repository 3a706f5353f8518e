"""Where the search gets its networks from: whoever has some registers here. The search itself knows none."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wattman.engine.game import Game
    from wattman.search.evaluator import Evaluator

_LOADER: list[str] = []  # where the loader is, "module:function"; imported when a network is asked for


def register(loader: str) -> None:
    """Let `loader` ("module:function") answer to `net=`: it takes the game and the parameter's text and returns an Evaluator or None."""
    _LOADER[:] = [loader]


def evaluator(game: Game, net: str) -> Evaluator | None:
    """The network that `net=` asks for, None for an unguided search; ValueError if it is not there or does not fit."""
    if net == "none" or not _LOADER:
        if net not in ("none", "auto"):
            raise ValueError(f"net={net}: nothing here can load a network")
        return None
    module, _, name = _LOADER[0].partition(":")
    load: Callable[[Game, str], Evaluator | None] = getattr(import_module(module), name)
    return load(game, net)
