"""Fair play in Lisbon Tram 28: what a player knows of the others' tickets, and that nothing tells him more.

WATTMAN_GAMES scales the numbers of games and samples (default 12).
"""

import math
import os
import random
from collections import Counter
from pathlib import Path

import pytest
from commands import run
from lisbon_boards import random_board
from lisbon_policies import POLICIES
from lisbon_posterior import Posterior, TooMany
from lisbon_reference import Reference, letters

from wattman import load_game
from wattman.engine.records import Record

GAMES = int(os.environ.get("WATTMAN_GAMES", "12"))
SAMPLES = 100 * GAMES
ALLOWED = 0.03  # total variation after a reshuffle, beyond what so many exact samples would show


# ---------------------------------------------------------------------------------------------------- games


class Game:
    """The engine and the reference in one game, played by the reference's policies, with an observer who lists worlds."""

    def __init__(self, policy, seed, observer=None, limit=20_000, **options):
        self.rng = random.Random(seed)
        self.policy = policy
        self.reference = Reference(**options)
        self.state = load_game("lisbon", **options).new_initial_state()
        self.observer = self.rng.randrange(self.reference.players) if observer is None else observer
        self.posterior = Posterior(self.reference, self.observer, limit)

    def choose(self):
        game = self.reference
        chance = game.chance()
        texts = sorted(chance or game.legal())
        weights = [chance[text] if chance else self.policy(text, game) for text in texts]
        return self.rng.choices(texts, weights)[0] if any(weights) else self.rng.choice(texts)

    def play(self, text=None):
        text = text or self.choose()
        self.state.apply_action(self.state.string_to_action(text))
        self.posterior.apply(text)
        return text

    def decisions(self):
        """Play to the end; stops at each decision."""
        while self.reference.current_player() != -4:
            if self.reference.current_player() >= 0:
                yield self.state.info_state(self.observer)
            self.play()

    def truth(self):
        return tuple(letters(hand) for player, hand in enumerate(self.reference.hands) if player != self.observer)


def hands_of(state, observer):
    return tuple(player["hand"] for number, player in enumerate(state.to_dict()["players"]) if number != observer)


# ---------------------------------------------------------------------------------------------------- worlds


def variation(p, q):
    return sum(abs(p.get(key, 0) - q.get(key, 0)) for key in p.keys() | q.keys()) / 2


def noise(p, n):
    """Total variation to be expected of n exact samples."""
    return sum(math.sqrt(2 * x * max(0, 1 - x) / (math.pi * n)) for x in p.values()) / 2


def colours(worlds):
    """For each of the others and each colour, how many tickets of it he has: a distribution each."""
    result = {}
    for hands, p in worlds.items():
        for player, hand in enumerate(hands):
            for colour in "RYGB":
                numbers = result.setdefault((player, colour), Counter())
                numbers[hand.count(colour)] += p
    return result


class Comparison:
    """Samples of what is known beside all worlds with their probabilities.

    Attributes
    ----------
    excess : float
        Largest total variation of a marginal beyond the noise.
    z : float
        Chi-square of the whole worlds in standard deviations from its mean; 0 if there is only one.
    """

    def __init__(self, info, worlds, n, seed):
        found = Counter(hands_of(info.sample(seed * 10_000_019 + i), info.player) for i in range(n))
        self.n = n
        self.impossible = [hands for hands in found if hands not in worlds]
        shares = {hands: count / n for hands, count in found.items()}
        exact, seen = colours(worlds), colours(shares)
        self.excess = max(variation(exact[key], seen[key]) - noise(exact[key], n) for key in exact)
        self.missing = [hands for hands, p in worlds.items() if p * n > 20 and hands not in found]
        bins = [(p, shares.get(hands, 0)) for hands, p in worlds.items() if p * n >= 5]
        rest = 1 - sum(p for p, _ in bins)
        if rest * n >= 5:
            bins.append((rest, 1 - sum(q for _, q in bins)))
        chi, free = sum((q - p) ** 2 * n / p for p, q in bins), len(bins) - 1
        self.z = (chi - free) / math.sqrt(2 * free) if free > 0 else 0.0

    def agrees(self, allowed=0.0):
        assert not self.impossible, self.impossible[:3]
        assert not self.missing, self.missing[:3]
        assert self.excess < allowed + 1.2 / math.sqrt(self.n), self.excess


def compared(make, reshuffles, wanted, only=lambda game: True, least_worlds=8, odds=0.05):
    """Comparisons at random moments of games, after so many reshuffles (2: or more)."""
    result = []
    for seed in range(40 * wanted):
        game = make(seed)
        try:
            for info in game.decisions():
                now = min(game.posterior.reshuffles, 2)
                if now > reshuffles:
                    break
                if now == reshuffles and game.rng.random() < odds and only(game):
                    worlds = game.posterior.worlds()
                    if len(worlds) >= least_worlds:
                        assert game.truth() in worlds
                        result.append(Comparison(info, worlds, SAMPLES, seed))
                        break
        except TooMany:
            continue
        if len(result) == wanted:
            return result
    raise AssertionError(f"only {len(result)} moments found")


def whole_worlds(results):
    """Over several games the whole worlds come as often as they should: a far more sensitive test than each for itself."""
    zs = [comparison.z for comparison in results]
    assert max(zs) < 7, zs
    assert sum(zs) / len(zs) < 4 / math.sqrt(len(zs)), zs


def two_players(seed):
    return Game(POLICIES[["busy", "ringer", "saver"][seed % 3]], seed, players=2, rules=["english", "german"][seed % 2])


def small_boards(tmp_path, players):
    """Games in which few tickets go round."""

    def make(seed):
        board = random_board(random.Random(seed), tmp_path / f"{players}{seed}.toml", players, tickets=7 + seed % 3)
        return Game(POLICIES[["ringer", "pusher"][seed % 2]], seed, limit=1000, players=players, board=board, stall_rounds=20)

    return make


def test_before_a_reshuffle():
    results = compared(two_players, 0, max(4, GAMES // 4))
    for comparison in results:
        comparison.agrees()
    whole_worlds(results)


def test_after_a_reshuffle():
    results = compared(two_players, 1, max(4, GAMES // 4))
    for comparison in results:
        comparison.agrees(ALLOWED)


def ringer(seed):
    return Game(POLICIES["ringer"], seed, players=2, rules=["english", "german"][seed % 2])


def rung(game):
    """The other has rung, and that rules out a good deal."""
    return variation(game.posterior.worlds(), game.posterior.worlds(rings=False)) > 0.3


def test_who_rings_could_pay():
    """The worlds in which he could not have rung are left out."""
    results = compared(ringer, 0, max(3, GAMES // 4), only=rung, least_worlds=4, odds=0.5)
    for comparison in results:
        comparison.agrees()
    whole_worlds(results)


def test_without_the_rings_it_would_be_noticed():
    """The comparison is fine enough to tell worlds dealt with and without that fact."""
    game = ringer(0)
    info = next(info for info in game.decisions() if rung(game))
    comparison = Comparison(info, game.posterior.worlds(rings=False), SAMPLES, 0)
    assert comparison.z > 7
    with pytest.raises(AssertionError):
        comparison.agrees()


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("reshuffles", [0, 1, 2])
def test_few_tickets(tmp_path, players, reshuffles):
    results = compared(small_boards(tmp_path, players), reshuffles, max(2, GAMES // 6), least_worlds=4)
    for comparison in results:
        comparison.agrees(ALLOWED if reshuffles else 0)
    if not reshuffles:
        whole_worlds(results)


# ---------------------------------------------------------------------------------------------------- what others see


def at_random(policy, seeds, **options):
    """(state, reference) at every event of some games; the state is the same object all the time."""
    for seed in seeds:
        game = Game(POLICIES[policy], seed, **options)
        game.posterior = game.reference
        while game.reference.current_player() != -4:
            yield game.state, game.reference, game.rng
            game.play()


def new_events(state, observer, texts):
    """What `observer` sees when `texts` are played on a copy of `state`; and the copy."""
    after = state.clone()
    for text in texts:
        after.apply_action(after.string_to_action(text))
    return after.events(observer)[len(state.events(observer)) :], after


def same_to(observer, states):
    """Whether the observer cannot tell these states apart, by anything that he is shown."""
    first = states[0]
    for other in states[1:]:
        assert other.events(observer) == first.events(observer)
        assert other.info_state(observer) == first.info_state(observer)
        assert other.info_state(observer).events() == first.info_state(observer).events()
        assert other.information_state_string(observer) == first.information_state_string(observer)
        assert other.to_dict(observer) == first.to_dict(observer)


def failing_and_declining(state, observer, text, seed):
    """Worlds that `observer` cannot tell apart, after a ring that failed there: [(whether it was declined, state)]."""
    result, info = [], state.info_state(observer)
    for number in range(12):
        after = info.sample(seed + number)
        legal = [after.action_to_string(action) for action in after.legal_actions()]
        if text not in legal:
            continue
        mover = after.current_player()
        after.apply_action(after.string_to_action(text))
        while after.action_to_string(after.legal_actions()[0]).startswith("bag"):  # the same passengers in all
            after.apply_action(after.legal_actions()[0])
        if any(after.action_to_string(action).startswith("keep") for action in after.legal_actions()):
            after.apply_action(after.legal_actions()[0])
        options = {after.action_to_string(action) for action in after.legal_actions()} if after.current_player() == mover else set()
        if "decline" in options:
            after.apply_action(after.string_to_action("decline"))
        result.append(("decline" in options, after))
    return result


@pytest.mark.parametrize("players", [2, 3])
def test_declining_looks_like_failing(players):
    checked = 0
    for state, reference, rng in at_random("ringer", range(10 * GAMES), players=players):
        rings = [text for text in reference.legal() if text in ("ring", "ring3")]
        if not rings:
            continue
        mover = reference.current_player()
        observer = rng.choice([player for player in range(players) if player != mover])
        outcomes = failing_and_declining(state, observer, rng.choice(rings), rng.randrange(2**40))
        if {declined for declined, _ in outcomes} == {True, False}:
            same_to(observer, [after for _, after in outcomes])
            checked += 1
            for _, after in outcomes:  # and what comes next looks the same, too
                if after.current_player() == mover:
                    after.apply_action(after.string_to_action("end"))
            same_to(observer, [after for _, after in outcomes])
        if checked > GAMES // 2:
            return
    raise AssertionError(f"only {checked} rings")


@pytest.mark.parametrize("rules", ["english", "german"])
def test_nobody_sees_whether_a_halt_was_a_choice(rules):
    checked = 0
    for state, reference, rng in at_random("busy", range(10 * GAMES), players=2, rules=rules):
        if "halt" not in reference.legal():
            continue
        mover, observer = reference.current_player(), 1 - reference.current_player()
        info, ended = state.info_state(observer), []
        for _ in range(8):
            world = info.sample(rng.randrange(2**60))
            legal = [world.action_to_string(action) for action in world.legal_actions()] if world.current_player() == mover else []
            after = world.clone()
            if "halt" in legal:
                seen, after = new_events(world, observer, ["halt"])
                assert seen == []
            if after.current_player() == mover and "end" in {after.action_to_string(action) for action in after.legal_actions()}:
                after.apply_action(after.string_to_action("end"))
                ended.append(("halt" in legal, after))
        if {halted for halted, _ in ended} == {True, False}:
            same_to(observer, [after for _, after in ended])
            checked += 1
        if checked > GAMES // 2:
            return
    raise AssertionError(f"only {checked} halts")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_sees_another_ones_tickets(players):
    """Of the tickets drawn each player sees his own, and of the others' that they were drawn; the truth is in nobody's table."""
    game = Game(POLICIES["pusher"], players, players=players)
    game.posterior = game.reference
    drawn = []  # (player, text)
    while game.reference.current_player() != -4 and len(drawn) < 300:
        before = [hand.total() for hand in game.reference.hands]
        text = game.play()
        if text.startswith("ticket"):
            drawn.append(next((player, text) for player, n in enumerate(before) if game.reference.hands[player].total() > n))
        if game.rng.random() < 0.1:
            for player in range(players):
                table = game.state.to_dict(player)
                for other, part in enumerate(table["players"]):
                    hand = letters(game.reference.hands[other])
                    assert part["hand"] == (hand if other == player else "?" * len(hand))
                assert isinstance(table["ticket_pile"], int)
                assert "deck" not in table
    for player in range(players):
        seen = [text for text in game.state.events(player) if text.startswith("ticket")]
        assert seen == [text if who == player else "ticket ?" for who, text in drawn]


def paid_as_seen(events):
    """The tickets paid according to what somebody else saw, in order; a later step of a move pays its colour or three of another."""
    result, colour = [], ""
    for text in events:
        words = text.split()
        if text.startswith("first step") or (words[0] == "step" and "for" in words):
            colour = words[-1]
            result.append(colour)
        elif words[0] == "step":
            result.append(3 * words[2] if len(words) > 2 else colour)
        elif words[0] in ("board", "bonus", "paid"):
            result.append(words[-1])
        assert words[0] not in ("move", "halt", "swap", "pay", "decline"), text
    return result


@pytest.mark.parametrize("rules", ["english", "german"])
def test_others_see_steps_and_payments_and_no_more(rules):
    for seed in range(max(2, GAMES // 8)):
        game = Game(POLICIES["ringer"], seed, observer=0, players=2, rules=rules)
        game.posterior = game.reference
        paid = []
        while game.reference.current_player() != -4:
            before = game.reference.hands[1].copy()
            game.play()
            if lost := before - game.reference.hands[1]:
                paid.append(letters(lost))
        theirs = paid_as_seen([text for who, text in told(game.state, 0) if who == 1])
        assert theirs == paid


def told(state, observer):
    """What `observer` saw, and who did it: (player, text); -1 for chance."""
    game, result, before = state.game, [], state.game.new_initial_state()
    for who, event in state.full_history():
        had = len(before.events(observer))
        before.apply_action(event)
        result += [(who, text) for text in before.events(observer)[had:]]
    assert [text for _, text in result] == state.events(observer)
    assert game.name == "lisbon"
    return result


VIEWS = [
    ["replay", "game.jsonl", "--view", "PLAYER"],
    ["replay", "game.jsonl", "--view", "PLAYER", "--json"],
    ["replay", "game.jsonl", "--view", "PLAYER", "--ply", "LAST"],
    ["replay", "game.jsonl", "--view", "PLAYER", "--ply", "LAST", "--position", "-"],
    ["show", "game.jsonl", "--player", "PLAYER", "--ply", "LAST"],
    ["show", "game.jsonl", "--player", "PLAYER", "--ply", "LAST", "--json"],
    ["show", "game.jsonl", "--player", "PLAYER", "--ply", "LAST", "--svg", "-"],
]


@pytest.mark.parametrize("words", VIEWS, ids=" ".join)
def test_screens_and_files_show_no_other_hand(tmp_path, monkeypatch, words):
    """Two games that differ only in the tickets that player 1 drew last look the same to player 0, in everything that is printed."""
    monkeypatch.chdir(tmp_path)
    game = Game(POLICIES["busy"], 5, observer=0, players=2)
    game.posterior = game.reference
    while not (len(game.state.history()) > 150 and game.reference.turn == 0 and game.reference.current_player() == 0):
        game.play()
    texts = game.state.events()
    assert all(text.startswith("ticket") for text in texts[-4:])
    other = [*texts[:-4], *["ticket B" if texts[-4:] != ["ticket B"] * 4 else "ticket R"] * 4]
    printed = {0: [], 1: []}
    for events in (texts, other):
        state = load_game("lisbon", players=2).new_initial_state()
        for text in events:
            state.apply_action(state.string_to_action(text))
        Path("game.jsonl").write_text(Record.from_state(state, ["a", "b"]).to_json() + "\n")
        for player in (0, 1):
            filled = [{"PLAYER": player, "LAST": len(state.events(player))}.get(word, word) for word in words]
            printed[player].append(run(*filled).output)
    assert printed[0][0] == printed[0][1]
    assert printed[1][0] != printed[1][1]  # player 1 sees what he has drawn
