"""A sequential test between two differences in Elo: the match may stop as soon as the answer is clear."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wattman.search.statistics import share

MOST = 0.75  # of the wealth at stake on one deal, so that no single deal can ruin it
WORSE, BETTER = "H0", "H1"


@dataclass
class Sprt:
    """Is the first of two agents `elo0` better than the other (H0), or `elo1` (H1)?

    The generalized sequential probability ratio test that is usual in matches replaces the unknown distribution of a deal's score by the
    one observed. That is right for many deals only; after few, or with nearly equal scores, it errs too often. This is its form with a
    guarantee: for each hypothesis a gambler, who bets on every deal that it is false, at odds that are fair if it is true. Whatever the
    distribution of the scores, his wealth reaches 1/alpha with probability at most alpha if it is true (Ville's inequality; Waudby-Smith
    and Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86, 2024). With stakes of d / (variance + d * d), d the
    difference of the hypotheses, the logarithm of the wealth is to second order the usual log-likelihood ratio, so it stops about as early.

    Parameters
    ----------
    elo0, elo1 : float
        `elo0` is the smaller one.
    alpha : float
        The most that the probability of deciding for H1 may be if the difference is `elo0` or less.
    beta : float
        Likewise of deciding for H0 if it is `elo1` or more.

    Attributes
    ----------
    deals : int
        Scores so far, up to the decision.
    against0, against1 : float
        Logarithm of the wealth of the gambler against each hypothesis.
    decision : str or None
        "H0", "H1", or None while the test goes on. It is kept once it is there.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    deals: int = 0
    against0: float = 0.0
    against1: float = 0.0
    decision: str | None = None
    _sum: float = 0.0
    _squares: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"sprt: {self.elo0:g} and {self.elo1:g}: expected two numbers, the smaller one first, e.g. 0 and 20")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1):
            raise ValueError(f"sprt: alpha {self.alpha:g} and beta {self.beta:g} must lie between 0 and 1")

    @property
    def bounds(self) -> tuple[float, float]:
        """The values of `against0` and `against1` that decide."""
        return -math.log(self.alpha), -math.log(self.beta)

    def add(self, score: float) -> str | None:
        """Count one deal.

        Parameters
        ----------
        score : float
            The first agent's mean share of the win over the deal's games, in [0, 1]. After the decision it is not counted any more.

        Returns
        -------
        str or None
            The decision, if there is one by now.
        """
        if not -1e-9 <= score <= 1 + 1e-9:
            raise ValueError(f"sprt: score {score!r} of a deal is not between 0 and 1")
        if self.decision is not None:
            return self.decision
        low, high = share(self.elo0), share(self.elo1)
        # The stake may depend on the deals before this one only, or the odds would not be fair. The variance counts one deal of the
        # greatest variance possible in advance.
        mean = self._sum / self.deals if self.deals else 0.5
        variance = (0.25 + max(self._squares - self.deals * mean * mean, 0.0)) / (self.deals + 1)
        step = high - low
        stake = step / (variance + step * step)
        self.against0 += math.log1p(min(stake, MOST / low) * (score - low))
        self.against1 += math.log1p(min(stake, MOST / (1 - high)) * (high - score))
        self.deals += 1
        self._sum += score
        self._squares += score * score
        bound0, bound1 = self.bounds
        if self.against0 >= bound0:
            self.decision = BETTER
        elif self.against1 >= bound1:
            self.decision = WORSE
        return self.decision

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "alpha": self.alpha,
            "beta": self.beta,
            "deals": self.deals,
            "against0": self.against0,
            "against1": self.against1,
            "bounds": list(self.bounds),
            "decision": self.decision,
        }
