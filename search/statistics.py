"""Intervals for results of matches, taken over deals.

The games of one deal share its luck, so they are no independent samples. Everything here works on one number per deal: the mean over its
games. That is also why duplicate deals pay: what the cards decide cancels within a deal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_Z = 1.959963984540054  # of the normal distribution, two-sided 5 %
_FEW = (math.inf, 12.706204736, 4.302652730, 3.182446305, 2.776445105)  # of Student's distribution with 0 .. 4 degrees of freedom


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval.

    Attributes
    ----------
    mean, low, high : float
        `low` and `high` are infinite where nothing can be said yet.
    """

    mean: float
    low: float
    high: float


def t_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution, to three decimals (Abramowitz and Stegun, 26.7.5)."""
    if freedom < len(_FEW):
        return _FEW[max(freedom, 0)]
    z, v = _Z, float(freedom)
    return (
        z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2) + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def mean_of(values: Sequence[float] | np.ndarray) -> Estimate:
    """The mean of one number per deal, with Student's interval. For points, which have no bounds."""
    values = np.asarray(values, float)
    n = len(values)
    if n == 0:
        raise ValueError("mean_of: no values")
    mean = float(values.mean())
    if n == 1:
        return Estimate(mean, -math.inf, math.inf)
    half = t_quantile(n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return Estimate(mean, mean - half, mean + half)


def share_of(values: Sequence[float] | np.ndarray, games: int = 1) -> Estimate:
    """The mean of one share of the win in [0, 1] per deal, with an interval that stays inside [0, 1].

    Wilson's score interval, with the number of deals divided by the design effect: the variance between deals, relative to what deals of
    one game each, won or lost, would have (Korn and Graubard, "Confidence intervals for proportions with small expected number of positive
    counts estimated from survey data", Survey Methodology 24, 1998). Student's quantile instead of the normal one, and one more deal, of
    independent games, is counted in, so that a few equal results do not claim certainty.

    Parameters
    ----------
    values : sequence of float
        Per deal, the mean over its games.
    games : int
        Games a deal.

    Returns
    -------
    Estimate
    """
    values = np.asarray(values, float)
    n = len(values)
    if n == 0:
        raise ValueError("share_of: no values")
    p = float(values.mean())
    if n == 1:
        return Estimate(p, 0.0, 1.0)
    most = p * (1 - p)
    spread = n / games if most < 1e-12 else float(((values - p) ** 2).sum()) / most  # all won or all lost: as with independent games
    effect = (spread + 1 / games) / n
    samples, z = n / effect, t_quantile(n - 1)
    centre = (p + z * z / (2 * samples)) / (1 + z * z / samples)
    half = z * math.sqrt(max(most, 0.0) / samples + (z / (2 * samples)) ** 2) / (1 + z * z / samples)
    return Estimate(p, min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half)))


def elo(share: float, parties: int = 2) -> float:
    """The difference in Elo that a share of the win means; infinite for 0 and 1.

    Parameters
    ----------
    share : float
        In [0, 1].
    parties : int
        How many share the win. With more than two it is the difference to the others if they are all equal: the share of a party of
        strength r among m parties is r / (r + m - 1) (Luce's choice rule), and 400 points of Elo are a factor of ten.
    """
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share * (parties - 1) / (1 - share))


def share(elo: float) -> float:
    """The share of the win between two that a difference in Elo means."""
    return 1 / (1 + 10 ** (-elo / 400))
