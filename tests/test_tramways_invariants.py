"""Tramways: what holds in every game of the engine: nothing is lost, nothing is owed, each trip brings what its links say.

WATTMAN_GAMES sets the number of games (default 60).
"""

import random
from collections import Counter

import pytest
from knowledge import share

from wattman import load_game
from wattman.engine.games._tramways_board import load_data

DATA = load_data()
KINDS = ("build", "upgrade", "construct", "extend", "move", "add", "money", "worker", "calm", "pass")
WITHIN = {"from", "to", "lay", "join", "at", "type", "ride", "stop", "pay", "done", "buy", "market"}


def cards(table):
    """All cards of the game, wherever they are; the building cards of houses that stand are with their players."""
    found = Counter(table["offer"]) + Counter(table["reserve"]) + Counter(table["stock"])
    for player in table["players"]:
        found += Counter(player["hand"]) + Counter(player["unseen"]) + Counter(player["pool"])
    return found + Counter(table["action"]["named"]) + Counter(table["out"])


def actions(state, rng):
    """Plays a random game; yields each action: its kind, who acted, the events, the tables before and behind it."""
    begun = None
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng.getrandbits(60)))
            continue
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        player = state.current_player()
        weights = [{"pass": 0.05, "bid": 0.2, "move": 8, "build": 5}.get(text.split()[0], 1) for text in texts]
        text = rng.choices(texts, weights)[0]
        if text in KINDS:
            begun = (text, player, len(state.events(player)), state.to_dict())
        state.apply_action(state.string_to_action(text))
        following = [state.action_to_string(action).split()[0] for action in state.legal_actions()]
        if begun and (state.current_player() != player or not WITHIN.issuperset(following)):
            kind, player, seen, before = begun
            yield kind, player, state.events(player)[seen:], before, state.to_dict()
            begun = None


def alone(events, behind):
    """Whether nothing followed by itself upon an action: no other one, no end of a round."""
    return sum(event in KINDS for event in events) == 1 and behind["step"] == "kind"


def test_trips():
    """Points, coins, passengers, stress and workers of each trip against the links that its steps name."""
    trips, flights, whole = 0, 0, Counter()
    for seed in range(16 * share(load_game("tramways"), 20)):
        state = load_game("tramways", players=1 + seed % 4).new_initial_state()
        for kind, mover, events, before, behind in actions(state, random.Random(seed)):
            if kind != "move" or not alone(events, behind):
                continue
            trips += 1
            steps = [event.split() for event in events]
            here = next(step[1] for step in steps if step[0] == "at")
            hp, coins = Counter(), Counter()
            left = here
            for _, there, owner in [step for step in steps if step[0] == "ride"]:
                owner = int(owner)
                link = next(link for link in before["links"] if {link["from"], link["to"]} == {here, there} and link["owner"] == owner)
                hp[owner] += 2 if link["upgraded"] else 1
                coins[mover] += len(link["path"]) * (1 if owner == mover else -1)
                if owner != mover:
                    coins[owner] += len(link["path"])
                coins[mover] += 5 if there in "XVW" else 0
                flights += there in "VW"
                whole["park"] += there == "K"
                here = {"V": "W", "W": "V"}.get(there, there)
            bought = sum(int(step[1]) for step in steps if step[0] == "buy")
            market = [step[1] for step in steps if step[0] == "market"]
            place = before["places"][here]
            hp[mover] += bought
            coins[mover] -= bought * (2 if here == "F" else 3) + 3 * len(market)
            assert bought == 0 or here == "F" or place["type"] == "L"
            assert not market or place["type"] == "C"
            for seat, (was, now) in enumerate(zip(before["players"], behind["players"], strict=True)):
                assert now["hp"] - was["hp"] == hp[seat], events
                assert now["money"] - was["money"] == coins[seat], events
                assert now["workers"] - was["workers"] == (seat == mover and place["type"] == "I"), events
                assert seat == mover or now["stress"] == was["stress"]
            stays = here == "S" and before["places"]["S"]["passengers"] - (left == "S") < 2
            for name in before["places"]:
                more = behind["places"][name]["passengers"] - before["places"][name]["passengers"]
                assert more == stays * (name == "S") - (name == left), events
            assert behind["supply"] == before["supply"] + (not stays)
            whole[place["type"] or here] += 1
    assert trips > 100
    assert flights
    assert all(whole[place] for place in "RCLISF"), whole
    assert whole["park"]


def test_links_and_stress():
    """A link takes one worker and its tiles; stress is no more than the icons used beyond one a card."""
    links = 0
    for seed in range(8 * share(load_game("tramways"), 20)):
        state = load_game("tramways", players=1 + seed % 5).new_initial_state()
        for kind, mover, events, before, behind in actions(state, random.Random(seed)):
            if not alone(events, behind):
                continue
            was, now = before["players"][mover], behind["players"][mover]
            paid = [event.split()[1] for event in events if event.startswith("pay ")]
            if kind == "build":
                tiles = sum(event.startswith("lay ") for event in events)
                assert (was["workers"] - now["workers"], was["rails"] - now["rails"]) == (1, tiles)
                assert len(behind["links"]) == len(before["links"]) + 1
                links += 1
            if kind in ("build", "upgrade", "construct", "extend", "add"):
                icons = sum(len(DATA.kinds[DATA.kind_numbers[card]].icons) + 1 for card in paid)  # and the strip
                assert 0 <= now["stress"] - was["stress"] <= icons - len(paid)
                assert Counter(now["pool"]) - Counter(was["pool"]) == Counter(paid)
            if kind in ("money", "worker"):
                assert now["stress"] == was["stress"]
    assert links > 20


@pytest.mark.parametrize("expansions", ["full", "base", "station+park"])
@pytest.mark.parametrize("players", [1, 2, 5])
def test_nothing_is_lost(players, expansions):
    for seed in range(share(load_game("tramways"), 30)):
        state, rng = load_game("tramways", players=players, expansions=expansions).new_initial_state(), random.Random(seed)
        known, rounds = None, 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance(rng.getrandbits(60)))
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            table = state.to_dict()
            if table["round"] == 0:
                continue
            known = known or cards(table)
            assert cards(table) == known
            waiting = sum(place["passengers"] for place in table["places"].values())
            assert waiting + table["supply"] == 30 + 2 * ("S" in table["places"])
            assert all(0 <= place["passengers"] <= place["room"] for place in table["places"].values())
            for seat, player in enumerate(table["players"]):
                laid = sum(len(link["path"]) for link in table["links"] if link["owner"] == seat)
                planned = len(table["action"]["path"]) * (seat == table["on_turn"])
                assert player["rails"] + laid + planned == 24
                assert min(player["money"], player["workers"], player["hp"]) >= 0
                assert 0 <= player["stress"] <= 12
            squares = [square for link in table["links"] for square in link["path"]]
            assert len(squares) == len(set(squares))
            if table["step"] == "reveal" and table["round"] > rounds and "S" in table["places"]:
                rounds = table["round"]
                assert table["places"]["S"]["passengers"] == 2
        assert rounds == 5 or ("station" not in expansions and expansions != "full")
