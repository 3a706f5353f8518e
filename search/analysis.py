"""What a search found out, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class MoveReport:
    """One legal move.

    Attributes
    ----------
    action : str
        Its notation.
    visits : int
        Simulations that began with it.
    win : float or None
        The observer's share of the win in them, in [0, 1]. None if there were none.
    win_stderr : float or None
        Standard error of `win`, from the spread over independent searches.
    margin : float or None
        Mean score margin in points.
    prior : float
        The game's own opinion before the search, as a probability.
    pv : list of str
        The line that the search expects, this move first, as the observer would see it; it ends where he learns what chance decides.
    """

    action: str
    visits: int
    win: float | None
    win_stderr: float | None
    margin: float | None
    prior: float
    pv: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "action": self.action,
            "visits": self.visits,
            "win": self.win,
            "win_stderr": self.win_stderr,
            "margin": self.margin,
            "prior": self.prior,
            "pv": list(self.pv),
        }


@dataclass(frozen=True)
class Analysis:
    """All legal moves of one decision, the most visited first.

    Attributes
    ----------
    game : str
        Name of the game.
    to_move : int
        The player who decides; wins and margins are his.
    simulations : int
    seconds : float
    worlds : int
        Deals of what he cannot see.
    moves : list of MoveReport
    interrupted : bool
        Whether Ctrl-C ended it before its budget.
    proved : list of str
        Moves that the solver proved to be the best (`prove` of `ismcts`); they stand before all others. Empty if it proved nothing.
    """

    game: str
    to_move: int
    simulations: int
    seconds: float
    worlds: int
    moves: list[MoveReport]
    interrupted: bool = False
    proved: list[str] = field(default_factory=list)

    @property
    def best(self) -> MoveReport:
        """The move to make."""
        return self.moves[0]

    def with_proof(self, best: list[str]) -> Analysis:
        """The same with moves that are proved the best, which then stand first."""
        return replace(self, proved=best, moves=sorted(self.moves, key=lambda move: move.action not in best))

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": self.game,
            "to_move": self.to_move,
            "simulations": self.simulations,
            "seconds": round(self.seconds, 3),
            "worlds": self.worlds,
            "proved": list(self.proved),
            "moves": [move.to_json() for move in self.moves],
        }
