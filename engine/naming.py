"""Names for numbers: what those of an observation tensor, and the terms of actions, are called (`Game.observation_names`)."""

from __future__ import annotations

from collections.abc import Sequence


def padded(names: Sequence[str], size: int) -> list[str]:
    """Names of the things there are, and of the room behind them: ``#7``, ``#8``, .. for what this board or file does not have."""
    return [*names, *(f"#{i}" for i in range(len(names), size))]
