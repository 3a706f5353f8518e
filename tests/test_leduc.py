"""Leduc poker: its rules against a plain tree walk, its known game value, and its hidden card."""

import itertools
import pickle
from collections import Counter

import pytest

from wattman import load_game
from wattman.engine.game import Deal

GAME = load_game("leduc")


def play(*events):
    state = GAME.new_initial_state()
    for event in events:
        state.apply_action(state.string_to_action(event))
    return state


def legal(state):
    return [state.action_to_string(action) for action in state.legal_actions()]


def test_betting():
    state = play("deal J", "deal Q")
    assert legal(state) == ["call", "raise"]
    state = play("deal J", "deal Q", "raise")
    assert (state.current_player(), legal(state)) == (1, ["fold", "call", "raise"])
    state = play("deal J", "deal Q", "raise", "raise")
    assert legal(state) == ["fold", "call"]
    state = play("deal J", "deal Q", "call", "call")
    assert state.is_chance_node()


@pytest.mark.parametrize(
    ("events", "returns"),
    [
        ("deal J; deal Q; raise; fold", [1, -1]),
        ("deal J; deal Q; raise; raise; fold", [-3, 3]),
        ("deal J; deal Q; call; call; flop K; call; call", [-1, 1]),
        ("deal J; deal Q; call; call; flop J; call; call", [1, -1]),
        ("deal Q; deal Q; call; call; flop J; raise; raise; call", [0, 0]),
        ("deal K; deal Q; raise; raise; call; flop J; raise; raise; call", [13, -13]),
        ("deal K; deal Q; call; raise; call; flop Q; call; raise; call", [-7, 7]),
    ],
)
def test_results(events, returns):
    state = play(*events.split("; "))
    assert state.is_terminal()
    assert state.returns() == returns == state.scores()


def test_chance_is_uniform_over_what_is_left():
    state = play("deal J", "deal J", "call", "call")
    assert {state.action_to_string(a): p for a, p in state.chance_outcomes()} == {"flop Q": 0.5, "flop K": 0.5}
    state = play("deal J")
    assert {state.action_to_string(a): p for a, p in state.chance_outcomes()} == {"deal J": 0.2, "deal Q": 0.4, "deal K": 0.4}


def states():
    """Every state of the game, with its probability under uniformly random play."""
    stack = [(GAME.new_initial_state(), 1.0)]
    while stack:
        state, p = stack.pop()
        yield state, p
        if not state.is_terminal():
            legal = state.legal_actions()
            outcomes = state.chance_outcomes() if state.is_chance_node() else [(action, 1 / len(legal)) for action in legal]
            for action, q in outcomes:
                child = state.clone()
                child.apply_action(action)
                stack.append((child, p * q))


def test_size_and_value_under_random_play():
    # 288 information sets are the game's known size when the two copies of a card are not told apart (Southey et al. 2005).
    infosets, value, ends = set(), 0.0, 0.0
    for state, p in states():
        if state.is_terminal():
            value += p * state.returns()[0]
            ends += p
        elif not state.is_chance_node():
            infosets.add((state.current_player(), state.information_state_string()))
    assert ends == pytest.approx(1)
    assert Counter(player for player, _ in infosets) == {0: 144, 1: 144}
    assert value == pytest.approx(-0.078125)


def test_every_sample_agrees_and_every_truth_is_sampled_with_its_probability():
    for state, _ in states():
        for player in (0, 1):
            info = state.info_state(player)
            other = state.to_dict()["cards"][1 - player]
            if state.to_dict(player)["cards"][1 - player] != "?":
                assert info.sample(1) == state or state.is_terminal() or other == ""
                continue
            known = [card for card in (state.to_dict()["cards"][player], state.to_dict()["public"]) if card]
            left = Counter("JJQQKK") - Counter(known)
            n = 200
            drawn = Counter()
            for seed in range(n):
                world = info.sample(seed)
                assert world.info_state(player) == info
                assert world.information_state_string(player) == state.information_state_string(player)
                drawn[world.to_dict()["cards"][1 - player]] += 1
            assert set(drawn) == set(left)
            for card, copies in left.items():
                p = copies / left.total()
                assert abs(drawn[card] / n - p) < 5 * (p * (1 - p) / n) ** 0.5
        if len(state.history()) > 5:
            break


def test_admit_follows_the_game():
    for state, _ in itertools.islice(states(), 2000):
        for player in (0, 1):
            info = GAME.new_initial_state().info_state(player)
            for event in state.events(player):
                info.admit(event)
            assert info == state.info_state(player)


@pytest.mark.parametrize(
    ("before", "event", "why"),
    [
        ("deal J", "deal K", "a player sees his own card and no other"),
        ("deal J; deal ?; call; call", "deal ?", "it is not possible here"),
        ("deal J; deal ?", "fold", "it is not possible here"),
        ("deal J; deal ?; call; call", "flop ?", "is no event"),
        ("deal J; deal ?; call; call; flop J; call", "call, shown J", "it is not possible here"),
        ("deal J; deal ?; raise; fold", "call", "the game is over"),
    ],
)
def test_admit_refuses(before, event, why):
    info = GAME.new_initial_state().info_state(0)
    for text in before.split("; "):
        info.admit(text)
    known = info.clone()
    with pytest.raises(ValueError, match=why):
        info.admit(event)
    assert info == known
    assert info.events() == known.events()


def test_showdown_shows_the_hands_and_a_fold_does_not():
    state = play("deal J", "deal Q", "call", "call", "flop K", "call", "call")
    assert state.events(0)[-1] == "call, shown Q"
    assert state.to_dict(0)["cards"] == ["J", "Q"]
    state = play("deal J", "deal Q", "raise", "fold")
    assert state.to_dict(0)["cards"] == ["J", "?"]


def test_deals_share_luck_and_are_fair():
    first, flops = Counter(), Counter()
    n = 6000
    for seed in range(n):
        a, b = GAME.new_initial_state(), GAME.new_initial_state()
        deal = Deal(seed)
        for state, moves in ((a, ["call", "call"]), (b, ["raise", "raise", "call"])):
            state.apply_action(deal.choose(state))
            state.apply_action(deal.choose(state))
            for move in moves:
                state.apply_action(state.string_to_action(move))
            state.apply_action(deal.choose(state))
        chance = [event for event in a.events() if event.split()[0] in ("deal", "flop")]
        assert chance == [event for event in b.events() if event.split()[0] in ("deal", "flop")]
        first[tuple(chance[:2])] += 1
        flops[tuple(chance)] += 1
    # 120 orders of three physical cards, so a hand of three distinct kinds has 8 of 120.
    for cards, count in flops.items():
        kinds = [card[-1] for card in cards]
        p = (8 if len(set(kinds)) == 3 else 4) / 120
        assert abs(count / n - p) < 5 * (p * (1 - p) / n) ** 0.5
    assert len(flops) == 6 + 18


def test_deals_are_fair_in_dealt_worlds():
    info = play("deal J", "deal J", "call", "call").info_state(0)
    n, flops = 4000, Counter()
    for seed in range(n):
        world = info.sample(seed)
        flops[world.action_to_string(Deal(seed + n).choose(world))] += 1
    for kind, p in {"flop J": 0.2, "flop Q": 0.4, "flop K": 0.4}.items():
        assert abs(flops[kind] / n - p) < 5 * (p * (1 - p) / n) ** 0.5


def test_pickle_and_copies():
    state = play("deal J", "deal Q", "raise")
    for other in (pickle.loads(pickle.dumps(state)), state.clone()):
        assert other == state
        assert hash(other) == hash(state)
        assert other.history() == state.history()
        assert other.information_state_string(0) == state.information_state_string(0)
    info = state.info_state(1)
    other = pickle.loads(pickle.dumps(info))
    assert (other, other.events(), hash(other)) == (info, info.events(), hash(info))


def test_refusals_name_the_action_and_what_is_legal():
    state = play("deal J", "deal Q")
    with pytest.raises(ValueError, match=r"action 'fold' \(id 0\) is not possible here; legal for player 0: call, raise"):
        state.apply_action(0)
    with pytest.raises(ValueError, match="id 99 is not possible here"):
        state.apply_action(99)
    with pytest.raises(ValueError, match="'check' is no event of Leduc poker; events: fold, call"):
        state.string_to_action("check")
    with pytest.raises(ValueError, match="no chance event is next"):
        state.chance_outcomes()
    assert state.history() == play("deal J", "deal Q").history()


def test_what_is_printed():
    state = play("deal J", "deal Q", "call")
    assert str(GAME.new_initial_state()) == "leduc: start"
    assert str(state) == "leduc: deal J; deal Q; call"
    world = state.info_state(1).sample(1)
    assert str(world) == "leduc: dealt world"
    world.apply_action(world.string_to_action("raise"))
    assert str(world) == "leduc: dealt world; raise"
