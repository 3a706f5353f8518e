"""Ratings of more than two agents on one scale, by the library choix (the extra `ratings`)."""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

RESAMPLES = 200
PRIOR = 0.1  # strength of the library's regularization, without which an agent that won or lost every game would have no rating
_ELO = 400 / math.log(10)  # points for a factor e of strength


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo, their mean 0.

    Attributes
    ----------
    elo : list of float
        Per agent.
    ci95 : list of (float, float)
        95 % intervals, by drawing deals anew.
    """

    elo: list[float]
    ci95: list[tuple[float, float]]

    @staticmethod
    def check(agents: int) -> None:
        """ValueError if ratings cannot be had for so many agents, or the library is not there."""
        if agents < 3:
            raise ValueError("ratings: they are for three or more agents; the Elo of two says all there is")
        _library()

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"elo": list(self.elo), "ci95": [list(interval) for interval in self.ci95]}


def _library() -> Any:
    try:
        return importlib.import_module("choix")
    except ImportError:
        raise ValueError("ratings: they need the library choix, which is not installed: pip install 'wattman[ratings]'") from None


def ratings(beaten: np.ndarray, seed: int) -> Ratings:
    """Fit the model of Plackett and Luce, in which an agent wins with a probability proportional to its strength.

    Of a game only who won counts: the winner is taken as preferred to each of the others, which estimates the model consistently
    (Azari Soufiani et al., "Generalized method-of-moments for rank aggregation", NIPS 2013). For two players it is the model of Bradley
    and Terry.

    Parameters
    ----------
    beaten : array (deals, agents, agents)
        [d, i, j]: i's shares of the win in the games of deal d that it played with j.
    seed : int
        Of the intervals.

    Returns
    -------
    Ratings
    """
    fit = _library().ilsr_pairwise_dense
    deals = len(beaten)
    rng = np.random.default_rng(seed & 0xFFFFFFFFFFFFFFFF)

    def rated(table: np.ndarray) -> np.ndarray:
        strength = fit(table, alpha=PRIOR)
        return _ELO * (strength - strength.mean())

    found = rated(beaten.sum(0))
    again = np.array([rated(beaten[rng.integers(0, deals, deals)].sum(0)) for _ in range(RESAMPLES)])
    low, high = np.percentile(again, [2.5, 97.5], axis=0)
    return Ratings([float(x) for x in found], [(float(a), float(b)) for a, b in zip(low, high, strict=True)])
