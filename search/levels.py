"""Levels of play from 1, for beginners, to 5, the best there is. This is their one definition; docs/search.md has what was measured.

A level is an agent's text. The lower ones search little and choose among the moves that this little search finds about equally good: the
higher the temperature, the more evenly, and never a move that it finds worse by more than `loss`. So they play plausible moves that lack a
plan, and no nonsense.
"""

from __future__ import annotations

MOST = 5
DEFAULT = 3

LEVELS = (
    "flat:simulations=100,temperature=1.3,loss=0.07",
    "flat:simulations=100,temperature=0.9,loss=0.05",
    "flat:simulations=100,temperature=0.55,loss=0.03",
    "ismcts:simulations=100",
    "ismcts:time=2",
)
"""What the levels are in general."""

GAMES: dict[str, dict[int, str]] = {
    "leduc": {
        1: "flat:simulations=100,temperature=2.5,loss=0.35",
        2: "flat:simulations=100,temperature=1.4,loss=0.18",
        3: "flat:simulations=100,temperature=0.9,loss=0.08",
    },
    "lisbon": {4: "ismcts:simulations=100,net=none"},  # with the network it wins 95 % against level 3
}
"""Levels that are something else in a game, where the general ones do not lie far enough apart."""


def level(game: str, number: int) -> str:
    """The text of the agent that plays a level.

    Parameters
    ----------
    game : str
        Name of the game.
    number : int
        1 to 5.
    """
    return GAMES.get(game, {}).get(number, LEVELS[number - 1])
