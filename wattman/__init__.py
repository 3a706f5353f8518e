"""Wattman: a fair AI opponent and solver for tram board games with hidden hands."""
from typing import TYPE_CHECKING

from wattman.search.guides import register

if TYPE_CHECKING:
    from wattman.engine.games import load_game
    from wattman.search.agents import load_agent

register("wattman.models.weights:find")
__version__ = "0.1.0"
__all__ = ["__version__", "load_agent", "load_game"]


def __getattr__(name: str) -> object:
    """`load_game` and `load_agent`, imported when asked for, so that the command line is there to answer Ctrl-C before they are."""
    if name == "load_game":
        from wattman.engine.games import load_game

        return load_game
    if name == "load_agent":
        from wattman.search.agents import load_agent

        return load_agent
    raise AttributeError(f"module 'wattman' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
