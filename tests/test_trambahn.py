"""Trambahn's data file against the compiled rules: deck, points, trams and prices are what the file says."""

from collections import Counter

import pytest

from wattman import load_game
from wattman.engine import boards, positions

DATA = boards.load("trambahn")
GAME = load_game("trambahn")


def dealt(seed=3):
    """A game at its first decision."""
    state = GAME.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.sample_chance(seed))
        seed += 1
    return state


def play(state, *events):
    for event in events:
        state.apply_action(state.string_to_action(event))
    return state


def test_every_entry_has_its_basis():
    tables = [table for value in DATA.values() for table in (value if isinstance(value, list) else [value])]
    assert all(table["basis"] in ("fact", "inferred", "reconstruction") for table in tables)


def test_deck():
    deck = Counter(GAME.new_initial_state().to_dict()["deck"])
    for colour in DATA["stations"]["colours"]:
        for value, copies in enumerate(DATA["stations"]["copies"], 1):
            assert deck.pop(f"{colour}{value}") == copies
    assert deck == {"C": DATA["conductors"]["copies"]}


def test_setup():
    table = dealt().to_dict()
    assert [len(player["money"]) for player in table["players"]] == DATA["setup"]["start_money"]
    assert [len(player["hand"]) for player in table["players"]] == [DATA["setup"]["hand"]] * 2
    left = {tram["multiplier"]: tram["copies"] for tram in DATA["trams"]}
    for multiplier in table["supply"]:
        left[multiplier] -= 1
    assert len(table["supply"]) == DATA["setup"]["open_trams"]
    assert table["stack"] == list(left.values())


def column_of(value, tram, money, bought):
    """A position: the red row has three, the player to move one red column with this card; the other has the first `bought` trams."""
    taken = [kind["multiplier"] for kind in DATA["trams"] for _ in range(kind["copies"])][:bought]
    others = ", ".join(f'"{"BGY"[i % 3]} {1 + i // 3} x{kind}"' for i, kind in enumerate(taken))
    return positions.loads(f"""
        game = "trambahn"
        player = 0
        to_move = 0
        step = "{"passengers" if tram else "trams"}"
        scorings = 2
        draw_pile = 30
        reshuffles = 1
        rows = {{ R = ["R2", "R3", "R4"] }}
        you = {{ hand = ["R5", "B9"], money = {money}, columns = ["R {value}{f' x{tram}' if tram else ''}"], score = 0 }}
        opponent = {{ hand = 6, money = 0, columns = [{others}], score = 0 }}
    """).sample(1)


def test_points_and_multipliers():
    bought = 0
    for tram in DATA["trams"]:
        for value, points in enumerate(DATA["stations"]["points"], 1):
            if value != 5:  # that one is the passenger
                state = play(column_of(value, tram["multiplier"], 5, bought), "board R5")
                assert state.scores() == [points * tram["multiplier"], 0]
        bought += tram["copies"]


def test_prices():
    bought = 0
    for tram in DATA["trams"]:
        for money in (tram["cost"], tram["cost"] + 4):
            state = play(column_of(1, 0, money, bought), f"buy {tram['multiplier']}>0")
            assert len(state.to_dict()["players"][0]["money"]) == money - tram["cost"]
        with pytest.raises(positions.PositionError, match="needs an own column without a tram and the money for an open one"):
            column_of(1, 0, tram["cost"] - 1, bought)
        bought += tram["copies"]
