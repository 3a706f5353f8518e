"""Stop Requested: Portland: which worlds are dealt to a player, and how often, against the list of all worlds (portland_posterior.py).

On tiny boards, so that the list is short. WATTMAN_GAMES scales the numbers of scripts and samples (default 60).
"""

import math
import random
from collections import Counter, defaultdict

import pytest
from knowledge import GAMES
from lockstep import FACTS, POLICIES
from portland_posterior import Posterior, TooMany, packed
from portland_reference import Board, Reference
from portland_tables import SMALL, triangle, variant

from wattman import load_game

SAMPLES = 20 * GAMES
ALLOWED = 0.03  # total variation after a reshuffle, beyond what so many exact samples would show
STYLES = ["uniform", "hoarder", "claimer", "passes"]


@pytest.fixture(scope="module")
def boards(tmp_path_factory):
    """Paths of tiny boards by name."""
    folder = tmp_path_factory.mktemp("boards")

    def few(players, face_up=3, limit=3, **counts):
        """The small board with fewer cards."""

        def change(data):
            data["trains"]["players"] = {str(players): 9}
            data["deal"].update(hand=2, face_up=face_up, pass_limit=limit)
            data["cards"]["wild"]["count"] = counts["passes"]
            for kind in data["cards"]["types"]:
                kind["count"] = counts.get(kind["id"], 1)

        return variant(folder, change)

    def few_tickets(data):
        data["tickets"]["list"] = data["tickets"]["list"][:8]
        data["trains"]["players"] = {"2": 9}

    return {
        "two": few(2, red=4, blue=3, green=2, passes=4),
        "resets": few(2, 4, 2, red=3, blue=3, green=1, passes=6),
        "stuck": triangle(folder, 2, ("red", "blue", "red"), length=3, face_up=2, red=3, blue=3, green=3, passes=1),
        "three": few(3, red=5, blue=4, green=2, passes=3),
        "tickets": variant(folder, few_tickets),
    }


class Script:
    """A random game on both sides, watched by one player who lists all worlds of the cards, or of the tickets."""

    def __init__(self, path, players, payment, seed, what="cards"):
        self.rng = random.Random(seed)
        game = load_game("portland", players=players, board=path, payment=payment)
        self.state = game.new_initial_state()
        self.observer = self.rng.randrange(players)
        self.posterior = Posterior(Reference(players, Board(path), payment), self.observer, what)
        self.styles = [POLICIES["portland"][self.rng.choice(STYLES)] for _ in range(players)]

    @property
    def truth(self):
        return self.posterior.truth

    def moments(self):
        """Play on; yields what the observer knows at each decision outside the set-up (and outside another's payment)."""
        while self.truth.current_player() != -4:
            chance = self.truth.chance()
            texts = sorted(chance or self.truth.legal())
            policy = self.styles[self.truth.player % len(self.styles)]
            weights = [chance[text] if chance else policy(text, self.truth) for text in texts]
            text = self.rng.choices(texts, weights)[0]
            self.state.apply_action(self.state.string_to_action(text))
            self.posterior.play(text)
            if self.truth.step in ("turn", "second"):
                yield self.state.info_state(self.observer)


def world_of(state):
    facts = FACTS["portland"](state.to_dict())
    cards = tuple(packed(Counter(hand)) for hand in facts["hands"]), packed(Counter(facts["pile"]))
    tickets = tuple(map(frozenset, facts["tickets"])), frozenset(facts["never"]), tuple(facts["returned"])
    return cards, tickets


def marginals(worlds):
    """Distributions of every hidden part: each hand and the pile, or each player's tickets and every place of the deck."""
    result = defaultdict(Counter)
    for (owned, rest, *more), p in worlds.items():
        for player, hand in enumerate(owned):
            result["owned", player][hand] += p
        result["rest"][rest] += p
        for place, ticket in enumerate(more[0] if more else ()):
            result["returned", place][ticket] += p
    return result


def agrees(samples, worlds, allowed=0.0):
    """Whether samples come as the list of worlds says."""
    n = sum(samples.values())
    assert not [world for world in samples if world not in worlds]
    exact = marginals(worlds)
    found = marginals({world: count / n for world, count in samples.items()})
    for key, expected in exact.items():
        variation = sum(abs(expected[value] - found[key][value]) for value in expected | found[key]) / 2
        noise = sum(math.sqrt(2 * p * max(0, 1 - p) / (math.pi * n)) for p in expected.values()) / 2
        assert variation < allowed + noise + 1.2 / math.sqrt(n), (key, variation, noise)
        assert not [value for value, p in expected.items() if p * n > 20 and not found[key][value]]


def compare(info, script, what, allowed):
    samples = Counter(world_of(info.sample(i))[what] for i in range(SAMPLES))
    agrees(samples, (script.posterior.hands, script.posterior.held)[what](), allowed)


CASES = [("two", 2), ("resets", 2), ("stuck", 2), ("three", 3)]
LATER = [(*case, later) for case in CASES for later in (False, True) if case[0] != "stuck" or not later]


@pytest.mark.parametrize(("board", "players"), CASES, ids=[name for name, _ in CASES])
def test_every_world_is_possible_and_the_truth_among_them(boards, board, players):
    met = Counter()
    for seed in range(max(3, GAMES // 6)):
        script = Script(boards[board], players, ("shortfall", "free")[seed % 2], 1000 + seed)
        try:
            for info in script.moments():
                worlds = script.posterior.hands()
                assert script.posterior.true_hands() in worlds
                for i in range(2):
                    assert world_of(info.sample(i))[0] in worlds
                met[script.truth.reshuffles > 0, len(worlds) > 1] += 1
        except TooMany:
            continue
    assert met[False, True] > 0
    assert met[True, True] > 0 or board == "stuck"


@pytest.mark.parametrize(
    ("board", "players", "later"), LATER, ids=[f"{name}, {'after' if later else 'before'} a reshuffle" for name, _, later in LATER]
)
def test_cards_come_as_often_as_they_should(boards, board, players, later):
    compared = 0
    for seed in range(400):
        script = Script(boards[board], players, ("shortfall", "free")[seed % 2], 2000 + seed)
        try:
            for info in script.moments():
                fit = (script.truth.reshuffles > 0) == later and len(script.posterior.cards) >= (4 if later else 6)
                if fit and script.rng.random() < 0.3:
                    compare(info, script, 0, ALLOWED if later else 0.0)
                    compared += 1
                    break
        except TooMany:
            continue
        if compared >= max(1, GAMES // 15):
            return
    raise AssertionError(f"only {compared} moments found")


def test_tickets_come_as_often_as_they_should(boards):
    compared = Counter()
    for seed in range(200):
        script = Script(boards["tickets"], 2, "shortfall", 3000 + seed, "tickets")
        script.styles = [POLICIES["portland"]["tickets"]] * 2
        try:
            for info in script.moments():
                assert world_of(info.sample(1))[1] in script.posterior.held()
                kind = not script.truth.never
                if len(script.posterior.tickets) >= 4 and compared[kind] < max(1, GAMES // 15) and script.rng.random() < 0.3:
                    compare(info, script, 1, 0.0)
                    compared[kind] += 1
        except TooMany:
            continue
        if compared[False] and compared[True] >= max(1, GAMES // 15):
            return
    raise AssertionError(f"only {compared} moments found")


def test_a_wrong_distribution_is_noticed(boards):
    """The comparison can fail: samples of the moment before do not agree with the list of now."""
    noticed = 0
    for seed in range(6):
        script = Script(boards["two"], 2, "shortfall", 4000 + seed)
        before = None
        for i, info in enumerate(script.moments()):
            if i == 4:
                samples = Counter(world_of(before.sample(k))[0] for k in range(SAMPLES // 4))
                try:
                    agrees(samples, script.posterior.hands())
                except AssertionError:
                    noticed += 1
                break
            before = info
    assert noticed >= 4


def test_too_many_worlds_are_not_listed():
    def play():
        script = Script(SMALL, 5, "free", 1)
        script.posterior.limit = 300
        for _ in script.moments():
            pass

    with pytest.raises(TooMany):
        play()
