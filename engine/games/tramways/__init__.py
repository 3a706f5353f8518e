"""Tramways; `tramways.pyx` has the class and says what the game is. A table of the modules stands there too."""

from wattman.engine.games.tramways.tramways import Tramways

__all__ = ["Tramways"]
