"""Search parameters that a game has its own default for. This is the one place for them.

What stands here was found by `wattman tune`, or by matches, and confirmed on fresh deals; docs/search.md has the figures. It holds for all
agents that have the parameter. The weights of the reward (`win`, `margin`, `score`) are given by the game itself where nothing stands here.
"""

from __future__ import annotations

from typing import Any

GAMES: dict[str, dict[str, Any]] = {
    # prove: where an ending's worth does not hang on bluffing (as in Leduc poker) and the solver is fast (in Portland it is not).
    "lisbon": {"prove": True},
    # Portland: wins are too noisy, and margins half as much; estimates in mid-game miss what plans are worth at the end; a node that merges
    # other draws chooses worse than the policy, which looks at its cards, so nodes are slow to grow.
    "portland": {"trees": "own", "win": 0.0, "margin": 0.3, "score": 0.7, "cutoff": 0, "c": 0.4, "expand": 1000},
    "trambahn": {"trees": "own", "prove": True},
    # Playouts of about three rounds with two players: better than the estimate after one or two. The less exploration goes with rewards
    # that are spread over more points. With trees=all four players' trees are too thin to be of use.
    "tramways": {"trees": "own", "cutoff": 160, "c": 0.25, "prove": True},
}
"""Per game: the parameter's name, and its default there. In all other games the one of `wattman.search.options` holds."""


def own_defaults(game: str) -> dict[str, Any]:
    """The game's own defaults; none for most games."""
    return dict(GAMES.get(game, {}))
