"""Position files of Trambahn for the tests: one to change, those of the examples, games that they are written from."""

import random
from pathlib import Path

import pytest

from wattman import load_game
from wattman.engine import positions
from wattman.engine.positions import PositionError

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("trambahn-*.toml"))

BASE = """\
game = "trambahn"
player = 0
step = "passengers"
scorings = 2
draw_pile = 52
[rows]
B = ["B2", "C"]
G = ["G4"]
Y = ["Y9", "Y1"]
[you]
hand = ["B6", "B9", "R2", "G8", "G10", "C"]
money = 5
columns = ["B 2 4 5 x2", "G 3 6 x2"]
score = 4
[opponent]
money = 8
columns = ["R 1 3 4 x2", "Y 5 7 x2"]
score = 6
"""

HAND = 'hand = ["B6", "B9", "R2", "G8", "G10", "C"]'
COLUMNS = 'columns = ["B 2 4 5 x2", "G 3 6 x2"]'


def changed(*edits):
    """`BASE` with some of its texts replaced; each must be there once."""
    text = BASE
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def refusal(text, source="my.toml"):
    """What the error about `text` says behind the file's name."""
    with pytest.raises(PositionError) as caught:
        positions.loads(text, source)
    message = str(caught.value)
    assert message.startswith(f"{source}: ")
    assert message.isprintable()
    assert len(message) < 700
    return message.removeprefix(f"{source}: ")


def played(seed, halving="on_empty", greedy=True):
    """A random game's states, one after the other."""
    rng = random.Random(seed)
    state = load_game("trambahn", halving=halving).new_initial_state()
    while True:
        yield state
        if state.is_terminal():
            return
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng.random))
        elif greedy:
            weights = state.info_state().weights()
            state.apply_action(rng.choices(list(weights), list(weights.values()))[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
