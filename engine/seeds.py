"""Seeds: what everything random takes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def seed_of(rng: int | Callable[[], float]) -> int:
    """A seed of 64 bits from any integer, or from a callable that returns numbers in [0, 1) (OpenSpiel's convention).

    Raises
    ------
    ValueError
        If `rng` is neither.
    """
    if callable(rng):
        return int(float(rng()) * 2.0**53) & 0xFFFFFFFFFFFFFFFF
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer):
        raise ValueError(f"rng: {rng!r} is neither a seed (an integer) nor a callable that returns numbers in [0, 1)")
    return int(rng) & 0xFFFFFFFFFFFFFFFF
