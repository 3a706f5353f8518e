"""Trambahn: the engine against the reference, move by move, in whole games and from positions.

WATTMAN_GAMES sets the number of games of each test (default 60).
"""

import os
import random

import pytest
import trambahn_reference
from lockstep import POLICIES, Mismatch, Sides, alone, lockstep, play, uniform
from trambahn_reference import Column, Reference, value
from trambahn_tables import engine_state, random_position

from wattman import load_game

GAMES = int(os.environ.get("WATTMAN_GAMES", "60"))
NAMES = list(POLICIES["trambahn"])
HALVINGS = ["on_empty", "on_need"]
each_halving = pytest.mark.parametrize("halving", HALVINGS)


def share(parts):
    """Seeds for one of `parts` equal parts of a test."""
    return range(-(-GAMES // parts))


@each_halving
@pytest.mark.parametrize("policy", NAMES)
def test_whole_games(policy, halving):
    longest = load_game("trambahn", halving=halving).max_game_length()
    for seed in share(2 * len(NAMES)):
        sides = lockstep("trambahn", Reference(halving), policy, seed, halving=halving)
        assert len(sides.actions) <= longest


@each_halving
def test_players_of_different_kinds(halving):
    for seed in share(2):
        pair = [POLICIES["trambahn"][name] for name in random.Random(seed).sample(NAMES, 2)]
        lockstep("trambahn", Reference(halving), pair, seed, halving=halving)


@each_halving
def test_from_a_position_in_mid_game(halving):
    """Any decision of a game, written as a position file with all cards known, goes on like the game itself."""
    for seed in share(2):
        rng = random.Random(seed)
        policy = POLICIES["trambahn"][rng.choice(NAMES)]
        length = len(alone(Reference(halving), policy, seed))
        reference = Reference(halving)
        alone(reference, policy, seed, until=rng.randrange(length))
        if reference.current_player() == -4:
            continue
        # within a turn only the mover knows which step it has come to
        observer = rng.randrange(2) if reference.step == "passengers" else reference.turn
        sides = Sides(engine_state(reference, observer), reference, f"position, seed {seed}, {halving}")
        play(sides, policy, rng)


def test_from_a_position_as_the_other_player_sees_it():
    """The other player cannot tell how far a turn has come; the true step is one of those dealt to him."""
    checked = set()
    for seed in range(40):
        reference = Reference()
        alone(reference, uniform, seed, until=60 + 3 * seed)
        if reference.step not in ("stations", "income", "trams"):
            continue
        dealt = {engine_state(reference, 1 - reference.turn, seed=number).to_dict()["step"] for number in range(60)}
        assert reference.step in dealt
        assert dealt <= {"stations", "income", "trams"}
        checked.add(reference.step)
    assert checked == {"stations", "income", "trams"}


@each_halving
def test_from_contrived_positions(halving):
    """Tiny piles, empty hands, odd columns: the corners that games do not reach."""
    for seed in share(1):
        rng = random.Random(seed)
        reference = random_position(rng, halving)
        if reference.current_player() < 0:
            continue
        sides = Sides(engine_state(reference, player=rng.randrange(2)), reference, f"contrived position, seed {seed}, {halving}")
        play(sides, POLICIES["trambahn"][rng.choice(NAMES)], rng)


# ---------------------------------------------------------------------------------------------------- is the net fine enough?


def many(name, make, policy, **options):
    for seed in range(60):
        lockstep(name, make(), policy, seed, **options)


class EqualValues(Reference):
    """Wrong: a card of equal value fits."""

    def _builds(self):
        texts = super()._builds()
        for number, column in enumerate(self.columns[self.turn]):
            if number >= self.lowest and column.stations() and value(column.stations()[-1]) < 10:
                texts |= {f"build {card}>{number}" for card in self.hands[self.turn] if card == column.stations()[-1]}
        return texts


class AnyColumnOrder(Reference):
    """Wrong: after a build one may go back to a lower column."""

    def _build(self, card, where):
        super()._build(card, where)
        self.lowest = 0


class RoundsUp(Reference):
    """Wrong: of an odd pile the larger half is lost."""

    def _halve_and_reshuffle(self):
        for pile in self.money:
            if len(pile) % 2:
                self.discard.append(pile.pop())
        super()._halve_and_reshuffle()


class HalvesFromTheBottom(Reference):
    """Wrong: halving takes the oldest notes."""

    def _halve_and_reshuffle(self):
        for pile in self.money:
            pile.reverse()
        super()._halve_and_reshuffle()
        for pile in self.money:
            pile.reverse()


class PaysFromTheBottom(Reference):
    """Wrong: payments take the oldest notes."""

    def _buy(self, tram, number):
        self.money[self.turn].reverse()
        super()._buy(tram, number)
        self.money[self.turn].reverse()


class ColumnsUnderTheIncome(Reference):
    """Wrong: an abandoned column goes to the bottom of the money pile."""

    def _next_step(self):
        before = self.money[self.turn]
        if self.step == "trams":
            self.money[self.turn] = []
        super()._next_step()
        if self.step == "draw":
            self.money[self.turn] += before


class TourAtNine(Reference):
    """Wrong: the ninth card makes an Extra Tour too."""

    def _build(self, card, where):
        super()._build(card, where)
        if len(self.columns[self.turn][self.lowest].cards) == 9:
            self.points[self.turn] += self.columns[self.turn][self.lowest].score()


class NoTieBreak(Reference):
    """Wrong: equal points are a draw."""

    def returns(self):
        return [0.0, 0.0] if self.points[0] == self.points[1] else super().returns()


class RefillsBeforeDrawing(Reference):
    """Wrong: the supply is refilled before the draws."""

    def _next_step(self):
        super()._next_step()
        while self.step == "draw" and len(self.open) < 3 and self.stack:
            self.open.append(self.stack.pop(0))


class ShowsEveryDone(Reference):
    """Wrong: an income step with nothing to bank is shown."""

    def _pass_over(self):
        if self.step == "income" and self.legal() == {"done"} and self.banked:
            return
        super()._pass_over()


@pytest.mark.parametrize(
    ("wrong", "policy"),
    [
        (EqualValues, "uniform"),
        (AnyColumnOrder, "uniform"),
        (RoundsUp, "banker"),
        (HalvesFromTheBottom, "banker"),
        (PaysFromTheBottom, "spender"),
        (ColumnsUnderTheIncome, "opener"),
        (TourAtNine, "columns"),
        (NoTieBreak, "banker"),
        (RefillsBeforeDrawing, "spender"),
        (ShowsEveryDone, "uniform"),
    ],
)
def test_a_wrong_reference_is_noticed(wrong, policy):
    with pytest.raises(Mismatch):
        many("trambahn", wrong, policy)


def test_a_wrong_table_of_points_is_noticed(monkeypatch):
    monkeypatch.setitem(trambahn_reference.POINTS, 9, 3)
    with pytest.raises(Mismatch, match="scores"):
        many("trambahn", Reference, "columns")


def test_a_wrong_option_is_noticed():
    with pytest.raises(Mismatch):
        many("trambahn", lambda: Reference("on_need"), "spender", halving="on_empty")


def test_invariants_can_fail():
    reference = Reference()
    alone(reference, POLICIES["trambahn"]["uniform"], 1, until=39)
    reference.columns[1].append(Column("B", ["B1"]))
    with pytest.raises(AssertionError, match="120 cards"):
        reference.conserved()
    reference.draw["B1"] -= 1
    with pytest.raises(AssertionError, match="other player's columns"):
        reference.conserved()


def test_unknown_option_value():
    with pytest.raises(ValueError, match="halving"):
        load_game("trambahn", halving="sometimes")
