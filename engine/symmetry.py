"""Renamings under which a position and its moves mean the same: a network learns from all of them at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Symmetry(NamedTuple):
    """One renaming.

    Attributes
    ----------
    observation, hidden : int array
        Where each number of the renamed observation (hidden targets) stood before.
    actions : int array
        The new id of each action; -1 where what follows it is not quite the same (it takes part in an order that is not renamed).
    """

    observation: np.ndarray
    hidden: np.ndarray
    actions: np.ndarray
