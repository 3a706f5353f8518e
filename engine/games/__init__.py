"""The games. A module here whose name has no leading underscore is one game: its class derives from `wattman.engine.game.Game`."""
from __future__ import annotations

import importlib
import pkgutil

from wattman.engine.game import Game


def names() -> list[str]:
    """Names of the games that are there, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


def game_class(name: str) -> type[Game]:
    """The class of a game; ValueError listing what exists if there is none of that name."""
    if name not in names():
        raise ValueError(f"no game {name!r}; games are: {', '.join(names())}")
    module = importlib.import_module(f"{__name__}.{name}")
    return next(kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Game) and kind.NAME == name)


def load_game(name: str, **options: object) -> Game:
    """A game by name, with its options as Python values or as text."""
    return game_class(name)(**options)
