"""Wattman: a fair AI opponent and solver for tram board games with hidden hands."""
from wattman.engine.games import load_game

__version__ = "0.1.0"
__all__ = ["__version__", "load_game"]
