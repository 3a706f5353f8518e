"""Trambahn's colours: a position whose colours change places is seen, and may be played, as the renaming says."""

import json
import re

import numpy as np
import pytest

from wattman import load_game
from wattman.engine.game import Deal

TRAMBAHN = load_game("trambahn")
RENAMINGS = TRAMBAHN.symmetries()


def renamed(info, new):
    """What a player knows, with other letters for the colours (in the early game: no card has come back yet)."""
    letters = dict(zip("BRGY", new, strict=True))
    text = json.dumps(info.to_dict())
    text = re.sub(r'(?<=")([+C]?)([BRGY])(?=\d*")', lambda match: match[1] + letters[match[2]], text)
    data = json.loads(text)
    for player in data["players"]:
        player["hand"].sort(key=lambda card: ("BRGYC?".index(card[0]), int(card[1:] or 0)))
    return TRAMBAHN.info_from_dict(data)


def test_the_first_changes_nothing():
    assert len(RENAMINGS) == 24
    for where in (RENAMINGS[0].observation, RENAMINGS[0].hidden):
        assert np.array_equal(where, np.arange(len(where)))
    for number, symmetry in enumerate(RENAMINGS):
        kept = symmetry.actions[symmetry.actions >= 0]
        assert len(set(kept)) == len(kept)
        assert set(kept) == {action for action in range(len(symmetry.actions)) if RENAMINGS[0].actions[action] >= 0}, number


@pytest.mark.parametrize("number", [1, 9, 17, 23])
def test_a_renamed_position(number):
    symmetry = RENAMINGS[number]
    new = ["BRGY"[symmetry.actions[40 + colour] - 40] for colour in range(4)]
    seen = {"passengers": 0, "trams": 0}
    for seed in range(6):
        state, deal, rng = TRAMBAHN.new_initial_state(), Deal(seed), np.random.default_rng(seed)
        while not state.is_terminal() and len(state.history()) < 140:
            if state.is_chance_node():
                state.apply_action(deal.choose(state))
                continue
            legal = state.legal_actions()
            moved = symmetry.actions[legal]
            if (moved >= 0).all() and len(legal) > 1:
                info = state.info_state()
                other = renamed(info, new)
                assert np.array_equal(other.observation_tensor(), info.observation_tensor()[symmetry.observation])
                assert sorted(moved) == other.legal_actions()
                weights, found = info.weights(), other.weights()
                assert [found[action] for action in moved] == pytest.approx([weights[action] for action in legal], rel=1e-4)
                seen["passengers" if min(legal) < 44 else "trams"] += 1
            state.apply_action(int(rng.choice(legal)))
    assert min(seen.values()) > 5, seen
