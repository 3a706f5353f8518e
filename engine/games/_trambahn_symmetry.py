"""Trambahn's four colours mean the same: each has the same cards, and nothing but a colour's own cards refers to it.

Within a turn new columns are opened, and cards banked, in card order, so that each turn is reached in one way only. That order is not
renamed, so decisions of these two steps are left alone: passengers and trams remain.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from wattman.engine.symmetry import Symmetry

COLOURS, VALUES, KINDS = 4, 10, 41  # as in _trambahn_state.pxd; KINDS: of cards, the conductor last
CARDS_AT = (0, 41)  # in the observation: numbers for each kind of card
COLOURS_AT = (82, 111, 115, *(121 + 12 * column for column in range(24)))  # numbers for each colour
BOARDING = KINDS + COLOURS - 1  # ids: 40 stations, and conductors into four rows
BUYING = 3 * 21 + 1  # ids, the last ones: trams for columns, and to be done


def symmetries(observation: int, actions: int) -> list[Symmetry]:
    """All renamings of the colours, the one that changes nothing first. `observation`, `actions`: how many there are."""
    return [_renaming(new, observation, actions) for new in permutations(range(COLOURS))]


def _renaming(new: tuple[int, ...], observation: int, actions: int) -> Symmetry:
    """Colour c becomes new[c]."""
    cards = np.arange(KINDS)
    for c in range(COLOURS):
        cards[VALUES * c : VALUES * (c + 1)] = np.arange(VALUES) + VALUES * new[c]
    before = np.argsort(cards)
    seen = np.arange(observation)
    for at in CARDS_AT:
        seen[at : at + KINDS] = at + before
    for at in COLOURS_AT:
        seen[at : at + COLOURS] = at + np.argsort(new)
    ids = np.full(actions, -1)
    ids[: KINDS - 1] = cards[:-1]
    ids[KINDS - 1 : BOARDING] = KINDS - 1 + np.array(new)
    ids[-BUYING:] = np.arange(actions - BUYING, actions)
    return Symmetry(seen, before, ids)
