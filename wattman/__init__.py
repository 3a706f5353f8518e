"""Wattman: a fair AI opponent and solver for tram board games with hidden hands."""
from wattman.engine.games import load_game
from wattman.search.agents import load_agent

__version__ = "0.1.0"
__all__ = ["__version__", "load_agent", "load_game"]
