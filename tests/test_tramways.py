"""Tramways on the engine's side alone: options, texts, results, and what is known of hands. The rules: test_tramways_*.py."""

import random
from collections import Counter
from importlib import resources

import pytest

from wattman import load_game
from wattman.engine.game import Deal


def end_of(game, seed):
    rng, deal, state = random.Random(seed), Deal(seed), game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(deal.choose(state) if state.is_chance_node() else rng.choice(state.legal_actions()))
    return state


def until(game, seed, wanted):
    """The first state of a random game in which `wanted(state)` holds; the next seeds' games are tried too."""
    while True:
        rng, deal, state = random.Random(seed), Deal(seed), game.new_initial_state()
        while not state.is_terminal():
            if wanted(state):
                return state
            state.apply_action(deal.choose(state) if state.is_chance_node() else rng.choice(state.legal_actions()))
        seed += 1000


@pytest.mark.parametrize(
    ("text", "normal", "tiles"),
    [
        ("full", "full", "SXKFVW"),
        ("base", "base", ""),
        ("park+station", "station+park", "SK"),
        ("airports+funfair+park+stock_exchange+station", "full", "SXKFVW"),
    ],
)
def test_expansions(text, normal, tiles):
    game = load_game("tramways", expansions=text)
    assert game.options["expansions"] == normal
    found = {name for seed in range(4) for name in end_of(game, seed).to_dict()["places"] if len(name) == 1}
    assert found == set(tiles)


def test_wrong_expansions_name_what_is_allowed():
    with pytest.raises(ValueError, match="option expansions: 'tunnel' is not allowed; allowed: full, base, or some of station, stock_exch"):
        load_game("tramways", expansions="park+tunnel")


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_results(players):
    for seed in range(3):
        end = end_of(load_game("tramways", players=players), seed)
        table = end.to_dict()
        if players == 1:
            assert end.returns() == end.scores()
            continue
        assert sorted(end.returns()) == pytest.approx([2 * i / (players - 1) - 1 for i in range(players)])
        order = sorted(range(players), key=lambda p: -end.returns()[p])
        told = [(end.scores()[p], -table["players"][p]["stress"], table["players"][p]["money"]) for p in order]
        assert told == sorted(told, reverse=True)


def test_the_first_hands_are_known_to_all():
    state = load_game("tramways").new_initial_state()
    deal = Deal(1)
    while state.is_chance_node():
        state.apply_action(deal.choose(state))
    assert [player["hand"] for player in state.to_dict(0)["players"]] == [player["hand"] for player in state.to_dict()["players"]]
    assert state.info_state(0).sample(1) == state


def test_draws_are_seen_by_their_owner_only():
    game = load_game("tramways")
    state = until(game, 3, lambda state: state.events() and state.events()[-1].startswith("draw "))
    owners = [p for p in range(2) if state.events(p)[-1] != "draw ?"]
    assert len(owners) == 1
    hand = state.to_dict(1 - owners[0])["players"][owners[0]]
    assert "?" in hand["hand"]
    assert hand["deck"] + hand["hand"].count("?") == len(hand["unseen"])


def test_hidden_hands_are_uniform():
    """Each choice of hidden cards is as likely as any other; cards of which all know are always in the hand."""
    game = load_game("tramways")

    def wanted(state):
        table = state.to_dict(0)
        hand = table["players"][1]["hand"]
        return state.current_player() == 0 and 2 <= hand.count("?") <= 3 and 2 <= table["players"][1]["deck"] <= 4

    state = until(game, 5, wanted)
    info = state.info_state(0)
    known = info.to_dict()["players"][1]
    sure, unseen = Counter(known["hand"]), Counter(known["unseen"])
    hidden = sure.pop("?")
    found = Counter()
    n = 6000
    for seed in range(n):
        hand = Counter(info.sample(seed).to_dict()["players"][1]["hand"])
        assert not sure - hand
        found.update(list((hand - sure).elements()))
        assert not (hand - sure) - unseen
    for kind, copies in unseen.items():
        assert found[kind] / n == pytest.approx(copies * hidden / len(known["unseen"]), abs=0.03)


def test_what_follows_by_itself_is_told_to_all():
    """A decision with one answer is no event of the game, but all see it; another player's with his number."""
    game = load_game("tramways")
    state = until(game, 7, lambda state: any(text == "1: fold" for text in state.events(0)))
    assert "1: fold" in state.events(1)
    assert all(":" not in text for text in state.events())
    assert len(state.events(0)) > len(state.events())


def test_numbers_of_players_change_sizes_only():
    sizes = {tuple(load_game("tramways", players=players).observation_tensor_shape()) for players in (1, 2, 3, 4, 5)}
    assert len(sizes) == 1


def test_texts_that_are_none():
    game = load_game("tramways")
    reasons = {"fly": "events begin with", "lay 9.99": "expected e.g. 'lay 0.0'", "fold 3": "expected fold alone", "": "events begin with"}
    for text, reason in reasons.items():
        with pytest.raises(ValueError, match=reason):
            game.string_to_event(text)


def test_too_large_data_are_refused(tmp_path):
    text = resources.files("wattman.engine").joinpath("data/tramways/tramways.toml").read_text(encoding="utf-8")
    file = tmp_path / "long.toml"
    file.write_text(text.replace("actions = [1, 2]", "actions = [3, 3]"))
    with pytest.raises(ValueError, match=r"\[course\]\.actions: 5 players could build 120 links; at most 108"):
        load_game("tramways", players=5, data=file)
    assert load_game("tramways", players=2, data=file)
