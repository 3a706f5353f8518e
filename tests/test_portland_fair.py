"""Stop Requested: Portland: what the players know, and the worlds that are dealt from it, followed beside the reference.

What holds of every game (knowledge, samples, agents under swapped truths) is in test_knowledge_walk.py and test_swap_hidden.py.
WATTMAN_GAMES scales the number of games (default 60).
"""

import random
from collections import Counter

import numpy as np
import pytest
from knowledge import GAMES
from lockstep import FACTS, POLICIES
from portland_reference import Board, Reference
from portland_tables import SMALL

from wattman import load_agent, load_game

BOARDS = {"portland": Board(), "small": Board(SMALL)}
PATHS = {"portland": "portland", "small": SMALL}
PUBLIC = ["step", "on_turn", "market", "draw_pile", "discards", "reshuffles", "tickets_left", "turns_left", "skips", "resets", "claiming"]
OPEN = ["trains", "score", "routes", "cards", "tickets_held"]  # of each player


class Watch:
    """The truth on both sides, and what everybody could have noted down by hand.

    Attributes
    ----------
    known : list of Counter
        By player, cards taken face up and not paid since. With two players, at a reshuffle, all cards.
    returner : list of int
        Who returned each ticket of the reference's `returned`.
    skipped : dict of int to Reference
        The table as it was when a player skipped, until he does something else.
    """

    def __init__(self, board, players, payment, seed, policy):
        self.game = load_game("portland", players=players, board=PATHS[board], payment=payment)
        self.state = self.game.new_initial_state()
        self.reference = Reference(players, BOARDS[board], payment)
        self.known = [Counter() for _ in range(players)]
        self.returner = []
        self.skipped = {}
        self.rng = random.Random(seed)
        self.policy = POLICIES["portland"][policy]

    def moments(self):
        """Play on; yields the text of each event after it."""
        while self.reference.current_player() != -4:
            chance = self.reference.chance()
            texts = sorted(chance or self.reference.legal())
            weights = [chance[text] if chance else self.policy(text, self.reference) for text in texts]
            text = self.rng.choices(texts, weights)[0]
            self.apply(text)
            yield text

    def apply(self, text):
        before = self.reference.copy()
        self.state.apply_action(self.state.string_to_action(text))
        truth = self.reference
        truth.apply(text)
        verb, _, what = text.partition(" ")
        player = before.player
        if verb == "take":
            self.known[player][what] += 1
        if len(truth.owner) > len(before.owner):
            self.known[player] -= before.hands[player] - truth.hands[player]
        if verb == "ticket" and not before.never:
            self.returner.pop(0)
        self.returner += [player] * (len(truth.returned) - len(self.returner))
        if truth.reshuffles > before.reshuffles and truth.n == 2:
            self.known = [Counter(hand) for hand in truth.hands]
        if before.current_player() >= 0:
            self.skipped.pop(player, None)
        if verb == "skip":
            self.skipped[player] = before


def games(board, share, first):
    """Watched games: all numbers of players, payments and styles in turn."""
    names = list(POLICIES["portland"])
    for i in range(max(1, GAMES // share)):
        yield Watch(board, 2 + i % 4, ("shortfall", "free")[i // 4 % 2], first + i, names[i % len(names)])


def check_world(watch, observer, world):
    """What portland.md asks of every world that is dealt to an observer."""
    truth, board = watch.reference, watch.reference.board
    table, told = world.to_dict(), watch.state.to_dict()
    facts, true = FACTS["portland"](table), FACTS["portland"](told)
    # every card and every ticket is in one place
    cards = Counter(facts["pile"] + facts["market"] + facts["discards"])
    for hand in facts["hands"]:
        cards.update(hand)
    assert cards == +board.cards
    pending = [ticket for player in table["players"] for ticket in player["offered"] if not player["chosen"]]
    tickets = [ticket for held in facts["tickets"] for ticket in held] + facts["never"] + facts["returned"] + table["offer"] + pending
    assert sorted(tickets) == sorted(board.tickets)
    # the public part is the true one
    if truth.step == "pay" and truth.player != observer:  # the others see a claim with its payment only
        told |= {"step": "turn", "claiming": ""}
    assert {key: table[key] for key in PUBLIC} == {key: told[key] for key in PUBLIC}
    for player, there in zip(table["players"], told["players"], strict=True):
        assert {key: player[key] for key in OPEN} == {key: there[key] for key in OPEN}
        assert len(player["offered"]) == len(there["offered"])
    assert len(table["offer"]) == len(told["offer"])
    assert world.scores() == watch.state.scores() or truth.current_player() == -4
    # the observer's own part is the true one
    assert facts["hands"][observer] == true["hands"][observer]
    assert facts["tickets"][observer] == true["tickets"][observer]
    assert table["players"][observer]["offered"] == told["players"][observer]["offered"]
    if truth.player == observer:
        assert table["offer"] == told["offer"]
    # hands hold what is known of them
    unknown = 0
    for player in range(truth.n):
        hand = Counter(facts["hands"][player])
        assert watch.known[player] <= hand
        unknown += (hand - (watch.known[player] if player != observer else hand)).total()
    pool = board.cards - Counter(facts["market"]) - Counter(facts["discards"]) - truth.hands[observer]
    for player in range(truth.n):
        if player != observer:
            pool -= watch.known[player]
    assert pool.total() == table["draw_pile"] + unknown
    # the ticket deck: those never offered, then returned ones of owners in a known order, one's own in their places
    assert len(facts["never"]) == len(truth.never)
    if truth.step != "start":  # else nobody knows yet how many the others have kept
        assert len(facts["returned"]) == len(truth.returned) == len(watch.returner)
        assert all(
            mine == true for mine, true, owner in zip(facts["returned"], truth.returned, watch.returner, strict=True) if owner == observer
        )
    # what the market and a skip show
    others = board.cards.total() - board.cards["pass"] - sum(len(hand) - hand.count("pass") for hand in facts["hands"])
    need = 3
    full = len(truth.market) == board.face_up or not (truth.pile.total() + truth.discards.total())
    true_others = board.cards.total() - board.cards["pass"] - sum(hand.total() - hand["pass"] for hand in truth.hands)
    if full and truth.market.count("pass") >= board.pass_limit and truth.step in ("turn", "second") and true_others < need:
        assert others < need
    for player, before in watch.skipped.items():
        if player != observer:
            there = before.copy()
            there.hands[player] = Counter(facts["hands"][player])
            assert not any(there.claimable(route) for route in board.routes)


@pytest.mark.parametrize("board", BOARDS)
def test_every_sampled_world(board):
    checked = 0
    for watch in games(board, 3 if board == "small" else 12, 300):
        for _ in watch.moments():
            if watch.rng.random() < (0.25 if board == "small" else 0.06):
                observer = watch.rng.randrange(watch.reference.n)
                info = watch.state.info_state(observer)
                for seed in range(3):
                    world = info.sample(seed)
                    check_world(watch, observer, world)
                    assert world.info_state(observer) == info
                    checked += 1
    assert checked > GAMES


def test_a_wrong_world_is_noticed():
    """The checks above can fail: the truth's own world with a hand or a ticket swapped does not pass."""
    watch = Watch("portland", 2, "shortfall", 1, "planner")
    for i, _ in enumerate(watch.moments()):
        if i == 60:
            break
    check_world(watch, 0, watch.state)
    watch.known[1]["tram"] += 2  # there is but one
    with pytest.raises(AssertionError):
        check_world(watch, 0, watch.state)
    watch.known[1].clear()
    watch.reference.hands[0]["teal"] += 1
    with pytest.raises(AssertionError):
        check_world(watch, 0, watch.state)


def test_two_players_know_all_at_a_reshuffle():
    """The pile is empty then, so what is not seen is in the other's hand."""
    found = 0
    for seed in range(max(3, GAMES // 10)):
        watch = Watch("small", 2, "shortfall", 500 + seed, "uniform")
        for _ in watch.moments():
            if watch.reference.pile.total() == 0 and watch.reference.step in ("turn", "second"):
                for observer in (0, 1):
                    info = watch.state.info_state(observer)
                    other = watch.reference.hands[1 - observer]
                    assert all(Counter(info.sample(i).to_dict()["players"][1 - observer]["hand"]) == other for i in range(3))
                    found += 1
    assert found > 0


# ---------------------------------------------------------------------------------------------------- what is seen


def expected_label(before, after, text, observer):
    """What an observer may see of an event, from the rules' words on who sees what; None: nothing yet."""
    verb, _, _ = text.partition(" ")
    player = before.player
    mine = player == observer
    if verb == "card" and before.step in ("deal", "blind"):
        return text if mine else "card ?"
    if verb == "ticket":
        return text if mine else "ticket ?"
    if verb == "keep" and before.step == "start":
        if after.step == "start":
            return text if mine else "keep ?"
        return None  # the last choice shows how many all have kept: see below
    if verb == "keep" and not mine:
        return f"keep {text.count('>')}"
    if verb in ("claim", "pay") and not mine:
        if after.step == "pay":
            return None
        route = next(route for route in after.owner if route not in before.owner)
        return f"claim {route}, {payment(before, after)}"
    return text


def payment(before, after):
    """How the cards that were paid are written."""
    paid = before.hands[before.player] - after.hands[before.player]
    kinds = [kind for kind in paid if kind != "pass"]
    return f"pay {kinds[0]}+{paid['pass']}" if kinds else "pay pass"


def first_choices(after, observer, last):
    """Whether a text tells what it may of the last first choice: how many all have kept, and no ticket of another player."""
    counts = [len(kept) for kept in after.tickets]

    def fits(text):
        named = any(ticket in text for ticket in after.board.tickets)
        others = [count for player, count in enumerate(counts) if player not in (observer, last)]
        return not (named and observer != last) and all(str(count) in text for count in others)

    return fits


@pytest.mark.parametrize("board", BOARDS)
def test_what_the_players_see(board):
    told = 0
    for watch in games(board, 6 if board == "small" else 20, 700):
        n = watch.reference.n
        expected = [[] for _ in range(n)]  # (text or test of a text, whether the market was reset)
        before = watch.reference.copy()
        for text in watch.moments():
            after = watch.reference
            for observer in range(n):
                if text.startswith("keep") and before.step == "start" != after.step:
                    expected[observer].append((first_choices(after, observer, before.player), False))
                elif (label := expected_label(before, after, text, observer)) is not None:
                    expected[observer].append((label, after.all_resets > before.all_resets))
            before = after.copy()
        for observer in range(n):
            for text, (label, reset) in zip(watch.state.events(observer), expected[observer], strict=True):
                base = text.removesuffix(", reset").removesuffix(", left")
                assert label(text) if callable(label) else base == label, (text, observer)
                if base != text:  # the check of the market depended on hidden cards
                    assert text.endswith("reset") == reset
                    told += 1
    assert told > 0 or board == "portland"


def hidden_draws(game, history, observer):
    """The places in a game's history of cards and tickets that the observer has not seen come."""
    state, places = game.new_initial_state(), []
    for place, event in enumerate(history):
        table = state.to_dict()
        blind = table["step"] in ("deal", "draw", "draw second", "deal tickets", "offer")
        if blind and table["on_turn"] != observer:
            places.append(place)
        state.apply_action(event)
    return places


def twins(watch, observer, rng, tries):
    """Other games that look the same to the observer: something hidden changed places with another, or was another card."""
    history = watch.state.history()
    places, seen = hidden_draws(watch.game, history, observer), watch.state.events(observer)
    cards = [watch.game.string_to_event(f"card {kind}") for kind in watch.reference.board.cards]
    for _ in range(tries if len(places) > 1 else 0):
        other, (i, j) = list(history), rng.sample(places, 2)
        if rng.random() < 0.3 and other[i] in cards:
            other[i] = rng.choice(cards)
        else:
            other[i], other[j] = other[j], other[i]
        state = watch.game.new_initial_state()
        for event in other:
            if event not in state.legal_actions():
                break
            state.apply_action(event)
        else:
            if other != history and state.events(observer) == seen:
                yield state


def test_views_hold_nothing_hidden():
    """Dictionaries, texts and tensors of a player are the same whatever he does not know.

    The other truths are dealt worlds, and games made without the engine: what the player has not seen is swapped in the history.
    """
    rng = random.Random(5)
    different, made = 0, 0
    for watch in games("portland", 20, 800):
        for _ in watch.moments():
            if rng.random() < 0.02:
                observer = rng.randrange(watch.reference.n)
                info = watch.state.info_state(observer)
                view = info.to_dict()
                seats = [seat for seat in range(watch.reference.n) if seat != observer]
                hidden = [Counter(view["players"][seat]["hand"]) for seat in seats]
                assert all(shown <= watch.reference.hands[seat] for shown, seat in zip(hidden, seats, strict=True))
                if watch.reference.n == 2 or watch.reference.reshuffles == 0:  # else more can follow: who had the last cards of a pile
                    assert all(shown <= watch.known[seat] for shown, seat in zip(hidden, seats, strict=True))
                assert "deck" not in view
                assert "fresh" not in view
                world = info.sample(7)
                different += world.to_dict() != watch.state.to_dict()
                assert world.to_dict(observer) == watch.state.to_dict(observer) == view
                for twin in twins(watch, observer, rng, 15):
                    made += 1
                    assert twin.info_state(observer) == info
                    assert twin.to_dict(observer) == view
                    assert np.array_equal(twin.observation_tensor(observer), watch.state.observation_tensor(observer))
    assert different > 0
    assert made > GAMES


@pytest.mark.parametrize("spec", ["greedy", "ismcts:simulations=60"])
def test_swapped_tickets_do_not_change_a_seeded_move(spec):
    """The same seed and knowledge give the same move, whichever tickets the others hold and whichever are left."""
    swapped = 0
    for watch in games("portland", 30, 900):
        for _ in watch.moments():
            truth = watch.reference
            if truth.step in ("turn", "keep") and watch.rng.random() < 0.05:
                info = watch.state.info_state(truth.player)
                worlds = [watch.state, *(info.sample(i) for i in range(2))]
                tickets = [tuple(map(tuple, FACTS["portland"](world.to_dict())["tickets"])) for world in worlds]
                swapped += len(set(tickets)) > 1
                moves = {load_agent(spec, watch.game, seed=3).choose(world.info_state(truth.player)) for world in worlds}
                assert len(moves) == 1
    assert swapped > 0
