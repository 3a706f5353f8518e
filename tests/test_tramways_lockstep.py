"""Tramways: the engine against the reference, move by move, in whole games.

WATTMAN_GAMES sets the number of games of each test (default 1; a game takes one second or two).
"""

import os
import random
from collections import Counter

import pytest
from lockstep import Mismatch, Sides, alone, lockstep
from tramways_policies import POLICIES
from tramways_reference import Reference
from tramways_tables import SMALL, loaded

GAMES = int(os.environ.get("WATTMAN_GAMES", "1"))
PARTS = ["station", "stock_exchange+park", "funfair+airports", "park+airports", "station+funfair"]
NAMES = list(POLICIES)


def side_by_side(policy, seed, **chosen):
    """One whole game; what the reference needs to know of the game is in `chosen`."""
    given = {"players": chosen["players"], "expansions": chosen["expansions"]} | ({"data": SMALL} if "data" in chosen else {})
    sides = lockstep("tramways", Reference(**given), policy, seed, **chosen)
    assert len(sides.actions) <= sides.state.game.max_game_length()
    return sides


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_whole_games_with_all_tiles(players):
    for seed in range(GAMES):
        side_by_side(NAMES[(players + seed) % len(NAMES)], 100 * players + seed, players=players, expansions="full")


@pytest.mark.parametrize("policy", NAMES)
def test_whole_games_in_every_way(policy):
    for seed in range(GAMES):
        side_by_side(policy, seed, players=2, expansions=["full", "base"][seed % 2])


@pytest.mark.parametrize("expansions", ["base", *PARTS])
def test_whole_games_with_some_tiles(expansions):
    for seed in range(GAMES):
        side_by_side("mover", 50 + seed, players=1 + (len(expansions) + seed) % 3, expansions=expansions)


@pytest.mark.parametrize("players", [2, 4])
def test_whole_games_with_a_file_of_ones_own(players):
    for seed in range(GAMES):
        side_by_side(NAMES[seed % len(NAMES)], seed, players=players, expansions="full", data=str(SMALL))


def test_reference_alone_keeps_the_rules_of_conservation():
    """And counts what the random games have come to: tests of what never happens would test nothing."""
    events = Counter()
    for seed in range(max(4, GAMES)):
        game = Reference(2 + seed % 3)
        alone(game, POLICIES[["far trips", "builder", "bidder", "thinner"][seed % 4]], seed)
        events += game.events
        if game.players > 1:
            assert sorted(game.returns()) == sorted(1 - 2 * place / (game.players - 1) for place in range(game.players))
    for what in ("build", "upgrade", "construct", "move", "money", "bid", "bid with cards", "discard", "stress"):
        assert events[what], (what, events)


def test_a_mistake_of_the_engine_would_be_found():
    """A reference that counts otherwise is told from the engine within a game."""

    class Wrong(Reference):
        def _settle(self, terminal, most):
            super()._settle(terminal, max(0, most - 1) if len(self.links) > 2 else most)

    def until_found():
        for seed in range(20):
            lockstep("tramways", Wrong(2), "builder", seed, players=2)

    with pytest.raises(Mismatch, match="passengers"):
        until_found()


def test_what_each_player_sees():
    """All of every event, except another's draw, of which only that there is one."""
    for players in (1, 3):
        state, rng = loaded(players=players).new_initial_state(), random.Random(players)
        draws = 0
        while not state.is_terminal():
            owner = state.to_dict()["on_turn"]
            ids = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            action = rng.choice(ids)
            text = state.action_to_string(action)
            for player in range(players):
                hidden = text.startswith("draw ") and player != owner
                draws += hidden
                assert state.game.event_to_string(state.seen(action, player)) == ("draw ?" if hidden else text)
            state.apply_action(action)
        assert draws or players == 1


def test_random_decisions_find_no_dead_end():
    """Whole games of the engine alone, every legal action possible; benchmarks/dead_ends.py plays a million decisions."""
    decisions = 0
    for seed in range(4 * GAMES):
        sides = Sides(loaded(players=1 + seed % 5).new_initial_state(), None, f"seed {seed}")
        rng, state = random.Random(seed), sides.state
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance(rng.getrandbits(60)))
                continue
            legal = state.legal_actions()
            assert len(legal) > 1, state.to_dict()
            state.apply_action(rng.choice(legal))
            decisions += 1
    assert decisions > 300
