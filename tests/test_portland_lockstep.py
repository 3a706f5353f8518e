"""Stop Requested: Portland: the engine against the reference, move by move, in whole games; longest paths by brute force.

WATTMAN_GAMES scales the number of games (default 60).
"""

import itertools
import os
import random

import pytest
from lockstep import POLICIES, Mismatch, lockstep
from portland_reference import Board, Reference, longest_trail
from portland_tables import SMALL

from wattman import load_game
from wattman.engine import tomlfile
from wattman.engine.games._portland_trail import longest_path

GAMES = int(os.environ.get("WATTMAN_GAMES", "60"))
NAMES = list(POLICIES["portland"])
BOARDS = {"portland": Board(), "small": Board(SMALL)}
PAYMENTS = ["shortfall", "free"]
each_board = pytest.mark.parametrize("board", BOARDS)
LONG = {"hoarder", "passes", "tickets"}  # styles that play long games on the large board


def one(board, players, payment, policy, seed, make=Reference):
    """One game in lock step."""
    reference = make(players, BOARDS[board], payment)
    path = SMALL if board == "small" else board
    options = {"players": players, "board": path, "payment": payment}
    sides = lockstep("portland", reference, policy, seed, conserved=seed % 4 == 0, **options)
    assert len(sides.actions) <= sides.state.game.max_game_length()
    return reference


def cases(share, seed):
    """Numbers of players, payments and seeds: all of them in turn."""
    every = itertools.cycle((players, payment) for players in (2, 3, 4, 5) for payment in PAYMENTS)
    return [(*next(every), 100 * seed + i) for i in range(max(1, GAMES // share))]


@pytest.mark.parametrize("policy", NAMES)
def test_whole_games(policy):
    for players, payment, seed in cases(30 if policy in LONG else 15, NAMES.index(policy)):
        one("portland", players, payment, policy, seed)


@pytest.mark.parametrize("policy", NAMES)
def test_whole_games_on_the_small_board(policy):
    for players, payment, seed in cases(4, NAMES.index(policy)):
        one("small", players, payment, policy, seed)


@each_board
def test_players_of_different_kinds(board):
    for players, payment, seed in cases(15 if board == "portland" else 4, 50):
        mixed = [POLICIES["portland"][name] for name in random.Random(seed).choices(NAMES, k=players)]
        one(board, players, payment, mixed, seed)


# ---------------------------------------------------------------------------------------------------- is the net fine enough?


class TakesASecondPass(Reference):
    """Wrong: a face-up pass may be the second card."""

    def legal(self):
        return super().legal() | ({"take pass"} if self.step == "second" and "pass" in self.market else set())


class EagerShuffle(Reference):
    """Wrong: the discards become the pile as soon as it is empty."""

    def _one_step(self):
        if not self.pile.total() and self.discards.total():
            self.pile, self.discards = self.discards, self.pile
        return super()._one_step()


class NoGuard(Reference):
    """Wrong: three passes are replaced whatever other cards there are, up to ten times."""

    def _market_settled(self):
        if len(self.market) < self.board.face_up or self.market.count("pass") < 3 or self.resets == 10:
            return super()._market_settled()
        self.discards.update(self.market)
        self.market = []
        self.resets += 1
        return False


class ChecksTooEarly(Reference):
    """Wrong: three passes are replaced before the market is full."""

    def _market_settled(self):
        if self.market.count("pass") == 3 and len(self.market) < self.board.face_up and self.resets < 10:
            self.discards.update(self.market)
            self.market = []
            self.resets += 1
            return False
        return super()._market_settled()


class RefillsOnlyAfterTakes(Reference):
    """Wrong: a market that is short stays so until somebody takes a card from it."""

    def _one_step(self):
        if self.step == "end" and self.market:
            self._end_turn()
            return True
        return super()._one_step()


class OneTurnMore(Reference):
    """Wrong: the last round has a turn too many."""

    def _end_turn(self):
        before = self.left
        super()._end_turn()
        if before is None and self.left is not None:
            self.left += 1


class ReturnsReversed(Reference):
    """Wrong: returned tickets go below the deck in reversed order."""

    def _keep(self, kept):
        self.offer.reverse()
        super()._keep(kept)


class BothOfADouble(Reference):
    """Wrong: one player may have both routes of a double."""

    def is_open(self, route):
        return super().is_open(route) or (route not in self.owner and self.n > 3)


class ClosesDoublesAlways(Reference):
    """Wrong: doubles close with four players too."""

    def is_open(self, route):
        return super().is_open(route) and self.board.other.get(route) not in self.owner


class PassesWhereCardsSuffice(Reference):
    """Wrong: by default passes may be spent in place of cards."""

    def ways(self, route):
        self.payment, payment = "free", self.payment
        try:
            return super().ways(route)
        finally:
            self.payment = payment


class NobodyGetsTheTie(Reference):
    """Wrong: of equal longest paths only the first one scores."""

    def scores(self):
        scores = super().scores()
        if self.step == "over":
            trails = self.trails()
            first = trails.index(max(trails))
            return [score - self.board.longest_path * (p != first and trails[p] == max(trails)) for p, score in enumerate(scores)]
        return scores


class SkipsAtWill(Reference):
    """Wrong: one may skip in place of drawing tickets."""

    def legal(self):
        legal = super().legal()
        return legal | {"skip"} if legal == {"tickets"} else legal


WRONG = [
    (TakesASecondPass, "small", "uniform"),
    (EagerShuffle, "small", "uniform"),
    (NoGuard, "small", "hoarder"),
    (ChecksTooEarly, "small", "uniform"),
    (RefillsOnlyAfterTakes, "small", "hoarder"),
    (OneTurnMore, "small", "claimer"),
    (ReturnsReversed, "small", "tickets"),
    (BothOfADouble, "small", "claimer"),
    (ClosesDoublesAlways, "small", "claimer"),
    (PassesWhereCardsSuffice, "small", "claimer"),
    (NobodyGetsTheTie, "small", "uniform"),
    (SkipsAtWill, "small", "hoarder"),
]


@pytest.mark.parametrize(("wrong", "board", "policy"), WRONG, ids=[wrong.__name__ for wrong, _, _ in WRONG])
def test_a_wrong_reference_is_noticed(wrong, board, policy):
    def many():
        for seed in range(40):
            one(board, (2, 4)[seed % 2], "shortfall", policy, seed, make=wrong)

    with pytest.raises((Mismatch, AssertionError)) as caught:
        many()
    assert isinstance(caught.value, Mismatch) or wrong is ClosesDoublesAlways, caught.value


def test_a_wrong_option_is_noticed():
    def many():
        for seed in range(20):
            reference = Reference(2, BOARDS["small"], "free")
            lockstep("portland", reference, "claimer", seed, players=2, board=SMALL, payment="shortfall")

    with pytest.raises(Mismatch):
        many()


def test_invariants_can_fail():
    game = Reference()
    game.hands[0]["blue"] += 1
    with pytest.raises(AssertionError, match="every card is in exactly one place"):
        game.conserved()
    game.pile["blue"] -= 1
    game.tickets[0].append(game.never[0])
    with pytest.raises(AssertionError, match="every ticket is in exactly one place"):
        game.conserved()


def test_unknown_options():
    with pytest.raises(ValueError, match="payment"):
        load_game("portland", payment="credit")
    with pytest.raises(ValueError, match="usa"):
        load_game("portland", board="usa")
    with pytest.raises(ValueError, match="6"):
        load_game("portland", players=6)


# ---------------------------------------------------------------------------------------------------- longest paths


def brute_force(edges):
    """Length of the longest trail: every one is walked."""

    def walk(station, left):
        best = 0
        for i, (a, b, length) in enumerate(left):
            if station in (a, b):
                best = max(best, length + walk(b if station == a else a, left[:i] + left[i + 1 :]))
        return best

    return max((walk(station, edges) for edge in edges for station in edge[:2]), default=0)


def random_network(rng):
    stations = rng.randint(2, 6)
    edges = [(*rng.sample(range(stations), 2), rng.randint(1, 6)) for _ in range(rng.randint(0, 8))]
    pairs = {}
    return [edge for edge in edges if pairs.setdefault(frozenset(edge[:2]), edge) is edge]


def test_longest_trails_of_the_reference():
    for seed in range(1000):
        edges = random_network(random.Random(seed))
        assert longest_trail(edges) == brute_force(edges), edges


def test_longest_trails_by_search_and_by_sweep():
    """A thousand small networks by brute force; larger ones, on which the search alone would take minutes, by both ways of the engine."""
    for seed in range(1000):
        edges = random_network(random.Random(seed))
        assert longest_path(edges) == longest_path(edges, patience=-1) == brute_force(edges), edges
    for seed in range(100):
        rng = random.Random(seed)
        pairs = list(itertools.combinations(range(rng.randint(4, 9)), 2))
        edges = [(a, b, rng.randint(1, 6)) for a, b in rng.sample(pairs, min(len(pairs), rng.randint(6, 12)))]
        assert longest_path(edges) == longest_path(edges, patience=-1) == longest_trail(edges), edges
    board = load_game("portland").notation.board
    for seed in range(40):
        edges = crowded([(route.a, route.b, route.length) for route in board.routes], random.Random(seed), 32)
        assert longest_path(edges) == longest_path(edges, patience=-1) == longest_path(edges, patience=3000), edges


def test_longest_trails_of_crowded_networks():
    """The largest that there can be: a chessboard of routes of one space. All of it but what makes two ends of its 24 odd stations."""
    chess = [(i, i + 1, 1) for i in range(64) if i % 8 < 7] + [(i, i + 8, 1) for i in range(56)]
    assert longest_path(chess) == longest_path(chess, patience=-1) == 112 - 11
    with pytest.raises(ValueError, match="edge 1"):
        longest_path([(0, 1, 1), (0, 64, 1)])


def crowded(edges, rng, trains):
    """A connected network of so many trains, with circles wherever it can have some."""
    own, met = [], set()
    while True:
        possible = [edge for edge in edges if edge not in own and edge[2] <= trains and (not met or met & set(edge[:2]))]
        if not possible:
            return own
        inside = [edge for edge in possible if met >= set(edge[:2])]
        edge = rng.choice(inside or possible)
        own.append(edge)
        met |= set(edge[:2])
        trains -= edge[2]


def ruler(folder, number, edges):
    """Path of a board with these edges between stations N0, N1, .. and beside them a line of spaces of length 1 to measure them with."""
    size = max(station for edge in edges for station in edge[:2]) + 1
    length = sum(edge[2] for edge in edges) + 2
    names = [f"N{i}" for i in range(size)] + [f"M{i}" for i in range(length + 1)]
    routes = [{"a": f"N{a}", "b": f"N{b}", "type": "red", "length": spaces} for a, b, spaces in edges]
    # Whatever is needed for all to be reached stays unclaimed.
    routes += [{"a": f"N{i}", "b": "M0", "type": "red", "length": 1} for i in range(size)]
    routes += [{"a": f"M{i}", "b": f"M{i + 1}", "type": "red", "length": 1} for i in range(length)]
    data = {
        "game": "portland",
        "parts": ["rules"],
        "trains": {"players": {"2": 99}, "last_round": 2, "one_of_a_double": 1},
        "scoring": {"routes": [0] * 6, "longest_path": 10},
        "cards": {
            "wild": {"label": "Wild", "count": 0, "colour": "#ffffff"},
            "types": [{"id": "red", "label": "Red", "count": 99, "colour": "#ff0000"}],
        },
        "stations": {"list": [{"name": name, "xy": [i, i % 3]} for i, name in enumerate(names)]},
        "routes": {"list": routes},
        "tickets": {"list": [{"a": "M0", "b": name, "points": 1} for name in names if name != "M0"][:40]},
    }
    path = folder / f"ruler{number}.toml"
    path.write_text(tomlfile.dumps(data), encoding="utf-8")
    return str(path)


def over(game, claimed):
    """The final scores of a game with these routes and no tickets."""
    side = {"trains": 0, "score": 0, "cards": 0, "hand": {}, "tickets_held": 0, "tickets": [], "offered": [], "chosen": []}
    players = [{key: value for key, value in side.items() if key not in ("trains", "score")} | {"routes": routes} for routes in claimed]
    data = {
        **{"game": "portland", "options": dict(game.options), "player": 0, "to_move": -4, "step": "over", "on_turn": 0, "after": ""},
        **{"claiming": "", "resets": 0, "skips": 0, "turns_left": 0, "market": {"red": 5}, "draw_pile": 94, "discards": {}},
        **{"reshuffles": 0, "tickets_left": len(game.notation.tickets), "returned": [], "offer": []},
        "players": players,
    }
    return list(game.info_from_dict(data).sample(0).scores())


def test_longest_trails_of_the_engine(tmp_path):
    """A thousand networks measured against lines: who has the longer path gets the bonus, both if they are equal."""
    measured = 0
    for number in range(max(4, 20 * GAMES // 60)):
        rng = random.Random(number)
        stations = rng.randint(3, 7)
        pairs = list(itertools.combinations(range(stations), 2))
        edges = [(a, b, rng.randint(1, 6)) for a, b in rng.sample(pairs, min(len(pairs), rng.randint(4, 11)))]
        edges = edges[: next((i for i in range(len(edges), 0, -1) if sum(edge[2] for edge in edges[:i]) <= 40 and i <= 12), 1)]
        game = load_game("portland", board=ruler(tmp_path, number, edges))
        names = [route.text for route in game.notation.board.routes]
        line = [name for name in names if name.startswith("M")]
        for _ in range(50):
            chosen = rng.sample(range(len(edges)), rng.randint(0, min(9, len(edges))))
            length = brute_force([edges[i] for i in chosen])
            network = [names[i] for i in chosen]
            assert over(game, [network, line[:length]]) == [10, 10]
            assert over(game, [network, line[: length + 1]]) == [0, 10]
            if length:
                assert over(game, [line[: length - 1], network]) == [0, 10]
            measured += 1
    assert measured >= 200
