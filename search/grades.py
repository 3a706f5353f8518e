"""How bad a loss is, in words."""

from __future__ import annotations

from wattman.engine.game import Game
from wattman.search.ismcts import game_defaults, game_scale

GRADES = ("best", "good", "doubtful", "bad", "very bad")
LIMITS = (0.005, 0.02, 0.05, 0.10)
"""A loss below the first is graded "best", below the second "good", and so on. Shares of the win, or of what counts instead of it."""
CLEAR = 2.0  # a loss of less than so many of its standard errors is no worse than "good"


def counts(game: Game) -> str:
    """What losses are graded by: "win", the chance to win; "points" where the search of a game counts nothing but points."""
    return "win" if game_defaults(game)[0][0] > 0 else "points"


def share_of_points(game: Game, points: float) -> float:
    """Points as a share like one of the win: what they change in the search's reward, whose scale of points reaches to both sides."""
    return points / (2 * game_scale(game))


def grade(loss: float, stderr: float | None) -> str:
    """The grade of a loss, in shares."""
    place = sum(loss >= limit for limit in LIMITS)
    if stderr is not None and loss < CLEAR * stderr:
        place = min(place, 1)
    return GRADES[place]
