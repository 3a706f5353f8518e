"""Lisbon states for tests of what people see: games in which something happens, and positions from a few words."""

import random
from functools import cache

from wattman import load_game
from wattman.engine import positions

BUSY = ("claim", "bonus", "pay", "board", "ring", "ring3", "free", "shunt", "keep", "swap")


def played(seed, limit=10**9, **options):
    """The states of one game, one after the other; its players rather do something than walk about."""
    rng = random.Random(seed)
    state = load_game("lisbon", **options).new_initial_state()
    for _ in range(limit):
        yield state
        if state.is_terminal():
            return
        state = state.clone()
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng.random))
            continue
        moves = {action: state.action_to_string(action) for action in state.legal_actions()}
        busy = [action for action, text in moves.items() if text.split()[0] in BUSY]
        idle = [action for action, text in moves.items() if text != "end"]
        state.apply_action(rng.choice(busy if busy and rng.random() < 0.8 else idle or list(moves)))


@cache
def example(name):
    """What the player of an example knows."""
    return positions.load(f"examples/lisbon-{name}.toml")
