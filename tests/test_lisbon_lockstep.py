"""Lisbon Tram 28: the engine against the reference, move by move, in whole games and from positions.

WATTMAN_GAMES sets the number of games of each test (default 12; a game takes about 0.2 s).
"""

import os
import random

import pytest
from lisbon_boards import random_board
from lisbon_policies import POLICIES
from lisbon_reference import Reference
from lisbon_tables import any_engine_state, options
from lockstep import Mismatch, Sides, alone, lockstep, play

from wattman import load_game

GAMES = int(os.environ.get("WATTMAN_GAMES", "12"))
NAMES = list(POLICIES)
RULES = ["english", "german"]
PLAYERS = [2, 3, 4]
MODELS = ["always", "slot", "monument"]
each_rules = pytest.mark.parametrize("rules", RULES)
each_players = pytest.mark.parametrize("players", PLAYERS)


def share(parts):
    """Seeds for one of `parts` equal parts of a test."""
    return range(-(-GAMES // parts))


def side_by_side(policy, seed, **chosen):
    """One whole game; what the reference needs to know of the game is in `chosen`."""
    sides = lockstep("lisbon", Reference(**chosen), policy, seed, conserved=seed % 8 == 0, **chosen)
    assert len(sides.actions) <= sides.state.game.max_game_length()
    return sides


@each_players
@each_rules
@pytest.mark.parametrize("policy", ["bonuses", "pusher", "ringer"])
def test_whole_games(policy, rules, players):
    for seed in share(12):
        side_by_side(policy, seed, players=players, rules=rules, refill_model=MODELS[(seed + players) % 3])


@pytest.mark.parametrize("policy", ["uniform", "saver", "hoarder"])
def test_games_without_haste(policy):
    """Long games, hands that grow until no ticket is left, games in which nothing happens."""
    for seed in share(12):
        rng = random.Random(seed)
        players = rng.choice(PLAYERS)
        side_by_side(policy, seed, players=players, rules=rng.choice(RULES), stall_rounds=rng.choice([1, 10, 30]))


@each_rules
def test_players_of_different_kinds(rules):
    for seed in share(6):
        rng = random.Random(seed)
        players = rng.choice(PLAYERS)
        side_by_side([POLICIES[rng.choice(NAMES)] for _ in range(players)], seed, players=players, rules=rules)


@each_players
def test_boards_with_18_monuments(players):
    for seed in share(12):
        board = "side_4_18" if players == 4 else "side_23_18"
        side_by_side("busy", seed, players=players, board=board, rules=RULES[(seed + players) % 2])


@each_players
@each_rules
def test_boards_that_nobody_printed(tmp_path, rules, players):
    """Tangled rails, few tickets, small wishes."""
    for seed in share(6):
        rng = random.Random(f"{seed} {rules} {players}")
        board = random_board(rng, tmp_path / f"{rules}{players}{seed}.toml", players)
        policy, model = rng.choice(["pusher", "busy", "ringer", "bonuses", "uniform"]), rng.choice(MODELS)
        side_by_side(policy, seed, players=players, rules=rules, board=board, refill_model=model, stall_rounds=20)


@each_rules
def test_from_a_position_in_mid_game(rules):
    """Any decision of a turn, set up from what its player knows, goes on like the game itself."""
    for seed in share(4):
        rng = random.Random(seed)
        chosen = {"players": rng.choice(PLAYERS), "rules": rules, "refill_model": rng.choice(MODELS)}
        policy = rng.choice(["busy", "pusher", "ringer", "bonuses"])
        reference = Reference(**chosen)
        alone(reference, POLICIES[policy], seed, until=rng.randrange(80, 700))
        while reference.current_player() != -4 and "end" not in reference.legal():
            reference.apply(rng.choice(sorted(reference.chance() or reference.legal())))
        if reference.current_player() != -4:
            sides = Sides(any_engine_state(reference, seed), reference, f"position, seed {seed}, {chosen}")
            play(sides, POLICIES[policy], rng, stop=200)


def crowded(rng, players, rules, board=None):
    """A position with most stops emptied, the trams near each other in somebody's way, and tickets to push with."""
    reference = Reference(players, board=board)
    rails = reference.rails
    trams = [rails.rossio] * players
    for player in range(players):
        near = [place for tram in trams[:player] for place in rails.next_to[tram] if place not in trams]
        trams[player] = rng.choice(near or list(rails.kind)) if rng.random() < 0.8 else rng.choice([*rails.kind])
        if trams.count(trams[player]) > 1:
            trams[player] = rails.rossio
    waiting = {stop: "".join(rng.choices("RYGB", k=rng.randint(1, 2))) for stop in rails.stops if rng.random() < 0.35}
    hands = ["".join(rng.choices("RYGB", k=rng.randint(3, 5))) for _ in range(players)]
    bonuses = [["free_move"] if rng.random() < 0.5 else [] for _ in range(players)]
    turn = rng.randrange(players)
    parts = {} if board is None else {"board": board}
    try:
        return Reference.from_parts(players, hands=hands, waiting=waiting, trams=trams, bonuses=bonuses, turn=turn, rules=rules, **parts)
    except ValueError:  # more of a colour than there are
        return None


@each_rules
@pytest.mark.parametrize("players", [3, 4])
def test_crowds_on_emptied_rails(tmp_path, rules, players):
    """Pushes of several trams along lines that run through many stops; half of them on boards that nobody printed."""
    longest = 0
    for seed in range(max(12, GAMES)):
        rng = random.Random(f"crowd {seed} {rules} {players}")
        board = random_board(rng, tmp_path / f"{rules}{players}{seed}.toml", players) if seed % 2 else None
        reference = crowded(rng, players, rules, board)
        if reference is None or reference.current_player() == -4:
            continue
        traffic = reference.traffic()
        paths = traffic.paths(reference.turn)
        longest = max([longest, *(len(traffic.met([None, *path])[0]) for path in paths)])
        sides = Sides(any_engine_state(reference, seed), reference, f"crowd, seed {seed}, {options(reference)}")
        play(sides, POLICIES["pusher"], rng, stop=40)
    assert longest >= 2  # trams are met on the mover's own path, before the landing place


# ---------------------------------------------------------------------------------------------------- is the net fine enough?


def many(make, policy, **options):
    for seed in range(24):
        lockstep("lisbon", make(), policy, seed, conserved=False, **options)


class AnyTurn(Reference):
    """Wrong: rails meet everywhere."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.rails.no_turn.clear()


class PaysWithNewTickets(Reference):
    """Wrong: tickets drawn for a push pay for later steps of the move."""

    def _step(self, path):
        before = self.hands[self.turn].copy()
        yield from super()._step(path)
        if self.usable is not None:
            self.usable.update(self.hands[self.turn] - before)


class FreeForAll(Reference):
    """Wrong: everybody may draw for every push."""

    def _step(self, path):
        self.drew.clear()
        yield from super()._step(path)


class NobodyChooses(Reference):
    """Wrong: of several ways a pushed tram takes the first."""

    def _way_on(self, traffic, line, met, placed):
        return traffic.ways(line, met, placed)[0]
        yield


class BoardsOnlyWhoFit(Reference):
    """Wrong: only those who find a seat are paid for."""

    def _pay(self, price, rung=False):
        if self.rails.kind[self.trams[self.turn]] == "stop":
            price = {colour: min(price[colour], self.seats(self.turn) - self.aboard[self.turn][colour]) for colour in price}
        return super()._pay(price, rung)


class NoRefill(Reference):
    """Wrong: no new passengers after a claim."""

    def _refill(self):
        return
        yield


class LeftNeighbour(Reference):
    """Wrong: the left neighbour places the passengers."""

    def _right_neighbour(self):
        return (self.turn + 1) % self.players


class AnySwapOrder(Reference):
    """Wrong: swaps in any order."""

    def _swaps(self, due, reserved, last):
        return super()._swaps(due, reserved, 0)


class PaysByItself(Reference):
    """Wrong: after a ring a payment without a choice of swaps is automatic."""

    def _pay(self, price, rung=False):
        return super()._pay(price, False)


class WrongEdges(Reference):
    """Wrong: left edges are compared with left edges."""

    def connections(self, player):
        row = [self.rails.cards[card] for card in self.rows[player]]
        return sum(len(row[i].left & row[i + 1].left) for i in range(len(row) - 1))


class FirstIsBetter(Reference):
    """Wrong: the last tie-break favours the earlier player."""

    def ranking(self):
        return sorted(super().ranking(), key=lambda p: (-self.scores()[p], -self.connections(p), -self.aboard[p].total(), p))


class EndsAtOnce(Reference):
    """Wrong: the game ends with the turn in which the last face-up card is placed."""

    def _rest_of_turn(self):
        yield from super()._rest_of_turn()
        if self.last_round:
            self.turn = self.players - 1


class FourthSeat(Reference):
    """Wrong: the seat bonus gives one seat only."""

    def seats(self, player):
        return 2 + ("seats" in self.bonuses[player])


class FreeTwice(Reference):
    """Wrong: a free move in every action, too."""

    def _move(self, colour):
        yield from super()._move(colour)
        self.free_used = False


class LastCardUnseen(Reference):
    """Wrong: after the last face-up card the next one becomes visible all the same."""

    def _claim(self, card, side="R"):
        yield from super()._claim(card, side)
        if self.last_round and not self.upcoming and self.unseen:
            self.upcoming = yield from self._draw_card()


@pytest.mark.parametrize(
    ("wrong", "policy", "players", "rules"),
    [
        (AnyTurn, "uniform", 2, "english"),
        (PaysWithNewTickets, "pusher", 3, "english"),
        (FreeForAll, "pusher", 2, "english"),
        (NobodyChooses, "pusher", 2, "english"),
        (NobodyChooses, "pusher", 4, "german"),
        (BoardsOnlyWhoFit, "busy", 2, "english"),
        (NoRefill, "busy", 2, "english"),
        (LeftNeighbour, "busy", 3, "english"),
        (AnySwapOrder, "saver", 2, "english"),
        (PaysByItself, "ringer", 2, "english"),
        (WrongEdges, "busy", 2, "english"),
        (FirstIsBetter, "hoarder", 2, "english"),
        (EndsAtOnce, "busy", 3, "english"),
        (FourthSeat, "bonuses", 2, "english"),
        (FreeTwice, "bonuses", 2, "english"),
        (LastCardUnseen, "busy", 3, "english"),
    ],
)
def test_a_wrong_reference_is_noticed(wrong, policy, players, rules):
    with pytest.raises(Mismatch):
        many(lambda: wrong(players, rules), policy, players=players, rules=rules)


@pytest.mark.parametrize(
    ("option", "other"),
    [({"refill_model": "always"}, {"refill_model": "monument"}), ({"rules": "english"}, {"rules": "german"}), ({}, {"stall_rounds": 9})],
)
def test_a_wrong_option_is_noticed(option, other):
    policy = "hoarder" if "stall_rounds" in other else "bonuses"
    with pytest.raises(Mismatch):
        many(lambda: Reference(2, **option), policy, **other)


def test_invariants_can_fail():
    reference = Reference()
    alone(reference, POLICIES["busy"], 1, until=60)
    reference.hands[0]["R"] += 1
    with pytest.raises(AssertionError, match="all tickets"):
        reference.conserved()
    reference.hands[0]["R"] -= 1
    reference.bag["G"] += 1
    with pytest.raises(AssertionError, match="all passengers"):
        reference.conserved()
    reference.bag["G"] -= 1
    reference.unseen.pop()
    with pytest.raises(AssertionError, match="all cards"):
        reference.conserved()


@pytest.mark.parametrize("options", [{"rules": "french"}, {"players": 5}, {"players": 1}, {"refill_model": "never"}, {"stall_rounds": 0}])
def test_unknown_option_values(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        load_game("lisbon", **options)
