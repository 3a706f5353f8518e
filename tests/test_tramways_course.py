"""Tramways: set-up, auction, the end of a round and of the game; worked examples asked of the reference and of the engine."""

from collections import Counter
from itertools import groupby

import pytest
from tramways_city import FILE
from tramways_tables import SIDES, position, variant


@pytest.fixture(params=SIDES)
def side(request):
    """One of the two sides; ``side(position(...))`` is a table, ``side.start()`` the beginning."""
    return request.param


# ---------------------------------------------------------------------------------------------------- set-up


@pytest.mark.parametrize(("players", "boards", "parcels"), [(1, 4, 4), (2, 4, 8), (3, 6, 12), (5, 10, 20)])
def test_order_of_the_setup(side, players, boards, parcels):
    table = side.start(players, "full", FILE)
    happened = []
    while table.player() == -1:
        happened.append(min(table.chance()).split()[0])
        table.draw(1)
    tiles = happened.count("place")
    assert [(word, len(list(times))) for word, times in groupby(happened)] == [
        ("board", boards),
        *([("place", tiles)] if tiles else []),
        ("parcel", parcels),
        *([("order", players - 1)] if players > 1 else []),
        ("arrivals", 5),
        ("reveal", max(2, players)),
    ]
    facts = table.facts()
    assert [len(hand) for hand in facts["hands"]] == [7] * players
    assert (facts["coins"], facts["workers"], facts["rails"]) == ([3] * players, [2] * players, [24] * players)


def test_probabilities_of_the_setup(side):
    table = side.start(2, "station", FILE)
    assert table.chance() == pytest.approx({f"board {letter}.{turns}": 1 / 48 for letter in "ABCDEFGHIJKL" for turns in range(4)})
    table.play("board L.1")
    assert table.chance() == pytest.approx({f"board {letter}.{turns}": 1 / 44 for letter in "ABCDEFGHIJK" for turns in range(4)})
    table.play("board A.0", "board B.0", "board C.0")
    places = table.chance()
    assert all(probability == pytest.approx(1 / len(places)) for probability in places.values())
    table.draw(1)
    assert table.chance() == pytest.approx({f"parcel {parcel}": 1 / 9 for parcel in ("A1", "A2", "B1", "B2", "C1", "C2", "L1", "L2", "L3")})
    table.draw(8)
    assert table.chance() == pytest.approx({"order 0": 1 / 2, "order 1": 1 / 2})
    table.play("order 1")
    assert table.facts()["order"] == [1, 0]
    table.play("arrivals R")
    assert table.chance() == pytest.approx({"arrivals R": 4 / 19, "arrivals C": 5 / 19, "arrivals L": 5 / 19, "arrivals I": 5 / 19})
    table.draw(4)
    assert table.chance() == pytest.approx({f"reveal t{number}": 1 / 25 for number in range(1, 26)})


def test_boards_are_turned_clockwise(side):
    """Board A of the shipped file after a quarter turn, and where the Stock Exchange may lie on it: on no building, not beside a parcel::

    . . . 1 ^
    ^ ~ ^ . ~
    ~ ~ . a .
    . 2 . a .
    ~ ^ b . .
    """
    table = side.start(2, "stock_exchange", FILE).play("board A.1", "board K.0", "board C.0", "board I.0")
    across = {f"place {row}.{column}" for row in range(5) for column in range(4)}
    down = {f"place {row}.{column}v" for row in range(4) for column in range(5)}
    assert set(table.chance()) & (across | down) == {
        *("place 0.0", "place 1.0", "place 1.1", "place 4.3"),
        *("place 0.0v", "place 0.1v", "place 1.0v", "place 1.2v", "place 1.4v", "place 2.4v", "place 3.4v"),
    }


def test_where_the_station_may_lie(side):
    """Two squares, not on water, not beside a parcel; mountains and printed buildings beside it are all right."""
    table = side.start(2, "station").play("board A.0", "board B.0", "board C.0", "board D.0")
    places = set(table.chance())
    assert {"place 3.6", "place 2.4", "place 2.3", "place 4.5", "place 3.6v"} <= places  # the last two on a mountain
    assert not {"place 0.1", "place 1.4", "place 1.0", "place 0.0v"} & places  # beside A1 or A2, or on one
    assert not {"place 4.7", "place 3.8v", "place 6.1", "place 5.2v"} & places  # water
    assert not {"place 3.3", "place 3.2", "place 2.3v"} & places  # Aa lies there


def test_the_park_keeps_its_neighbours_empty(side):
    table = side.start(2, "park+funfair").play("board A.0", "board B.0", "board C.0", "board D.0")
    places = set(table.chance())
    assert {"place 2.2", "place 4.4"} <= places
    assert not {"place 0.2", "place 1.0", "place 2.3", "place 9.5"} & places  # the edge; A2 beside; Aa beside
    table.play("place 2.1")
    assert not {"place 2.2", "place 1.1", "place 3.0", "place 2.0", "place 3.1v"} & set(table.chance())


def test_the_funfair_and_the_station_are_on_different_boards(side):
    table = side.start(2, "station+funfair").play("board A.0", "board B.0", "board C.0", "board D.0", "place 2.4")  # on A and B
    for text in table.chance():
        row, column = text.removeprefix("place ").removesuffix("v").split(".")
        assert int(row) >= 5, text
        assert column


def test_airports_on_boards_without_a_common_edge(side):
    table = side.start(2, "airports").play("board A.0", "board B.0", "board C.0", "board D.0")
    assert all("v" not in text for text in table.chance())  # one square
    table.play("place 3.1")  # on A, so the other lies on D
    assert table.chance()
    for text in table.chance():
        row, column = text.removeprefix("place ").removesuffix("v").split(".")
        assert int(row) >= 5, text
        assert int(column) >= 5, text


def test_an_expansion_without_a_place_is_left_out(side):
    """One board: no two airports; the Park finds a place."""
    solo = '1 = {layout = [%s], buildings = 1, stations = 1, offer = 2, development = 1, basis = "reconstruction"}'
    table = side.start(1, "airports+park", variant(solo % "2, 2", solo % "1, 1")).play("board A.0", "place 2.2")
    assert set(table.facts()["tiles"]) == {"K"}
    assert next(iter(table.chance())).startswith("parcel")


def test_passengers_at_the_start(side):
    """One on each square of a printed building, two at the Station, whose two come on top of the 30."""
    table = side.start(2, "station", FILE).play("board A.0", "board C.0", "board E.0", "board L.0").draw(1)
    facts = table.facts()
    assert facts["passengers"] == {"Aa": 2, "Ab": 1, "Ca": 1, "Cb": 2, "Ea": 1, "Eb": 2, "La": 2, "Lb": 1, "S": 2}
    assert facts["supply"] == 30 + 2 - 14
    few = side.start(2, "base", variant("passengers = 30", "passengers = 5")).play("board D.0", "board C.0", "board B.0", "board A.0")
    assert few.facts()["passengers"] == {"Aa": 1, "Ab": 1, "Ba": 1, "Bb": 1, "Ca": 1}


# ---------------------------------------------------------------------------------------------------- auction


def auction(side, players=3, **more):
    """A table at the first auction: order 0 1 2.., everybody with 3 coins, a parcel card of 1 and s2 of 1."""
    return side.start(players, **more).draw()


def test_bids_and_places(side):
    table = auction(side)
    assert table.facts()["order"] == [0, 1, 2]
    assert table.legal() == {"bid 1", "bid 2", "bid 3", "bid 4", "bid 5", "fold"}
    table.play("bid 2")
    assert (table.player(), table.facts()["coins"]) == (1, [1, 3, 3])
    assert table.legal() == {"bid 3", "bid 4", "bid 5", "fold"}
    table.play("fold")  # the last place
    table.play("bid 4")
    parcel = table.hand(2).split()[0]
    assert table.legal() == {f"pay {parcel}", "pay s2"}
    table.play("pay s2")
    facts = table.facts()
    assert (facts["coins"], facts["pools"][2]) == ([1, 3, 0], ["s2"])
    assert facts["order"] == [2, 0, 1]  # player 0 has 3 in all and cannot bid more than 4
    assert facts["stress"] == [0, 0, 1]
    assert table.player() == 2  # and takes


def test_a_second_bid_is_paid_as_well(side):
    table = auction(side, 2, data=variant("money = 3", "money = 9"))
    table.play("bid 1", "bid 2", "bid 4", "bid 5")
    assert table.facts()["coins"] == [9 - 1 - 4, 9 - 2 - 5]
    table.play("fold")
    assert (table.facts()["order"], table.facts()["stress"]) == ([1, 0], [0, 1])


def test_nobody_bids(side):
    table = auction(side).play("fold", "fold")
    assert table.player() == 2
    assert "bid 1" in table.legal()  # he may still bid, and would be first
    assert table.copy("bid 1").facts()["order"] == [2, 1, 0]
    table.play("fold")
    assert (table.facts()["order"], table.facts()["stress"]) == ([0, 1, 2], [1, 0, 0])


def test_cards_for_a_bid_none_too_many(side):
    worth_three = variant('s2 = {copies = 5, icons = ["con", "L", "m1"]}', 's2 = {copies = 5, icons = ["con", "L", "m3"]}')
    table = auction(side, 2, data=worth_three)
    assert "bid 7" in table.legal()
    assert "bid 8" not in table.legal()
    parcel = table.hand().split()[0]
    assert table.payments("bid 4") == {parcel, "s2"}
    assert table.payments("bid 5") == {"s2"}
    assert table.payments("bid 7") == {f"{parcel} s2"}
    assert table.play("bid 5").facts()["coins"] == [0, 3]  # the change is lost


def test_the_highest_bid(side):
    table = auction(side, 2, data=variant("money = 3", "money = 50"))
    assert "bid 30" in table.legal()
    assert "bid 31" not in table.legal()
    table.play("bid 30")  # nobody can bid more
    assert table.facts()["order"] == [0, 1]


def test_cards_are_taken_in_the_new_order(side):
    table = auction(side)
    offer = table.facts()["offer"]
    table.play("fold", "fold", "bid 1")
    assert (table.player(), table.legal()) == (2, {f"take {card}" for card in offer})
    table.play(f"take {offer[1]}")
    assert (table.player(), table.legal()) == (1, {f"take {offer[0]}", f"take {offer[2]}"})
    table.play(f"take {offer[0]}")
    facts = table.facts()
    assert offer[2] in facts["hands"][0]
    assert (facts["offer"], table.player()) == ([], 2)
    assert "pass" in table.legal()


def test_first_one_action_each_then_two(side):
    table = auction(side).play("fold", "fold", "bid 1").act(*[f"take {card}" for card in auction(side).facts()["offer"]] * 2)
    turns = []
    while table.player() >= 0 and "pass" in table.legal():
        turns.append(table.player())
        table.play("pass")
    assert turns == [2, 1, 0, 2, 2, 1, 1, 0, 0]


def last_action(players=2, **parts):
    """A position in which the last player of the order has the last action of the round."""
    order = parts.get("order", list(range(players)))
    return position(players, turn=(order[-1], 1, 1), **parts)


def discard_nothing(table):
    while table.has("done"):
        table.play("done")
    return table


def test_the_last_round_has_no_cards_and_more_stress(side):
    table = side(last_action(round=5, hands=["A1 A2", "B1 s2"])).play("pass")
    discard_nothing(table)
    assert (table.facts()["round"], table.player()) == (6, 0)
    table.play("bid 1")
    assert table.facts()["stress"] == [0, 0]
    table.play("bid 2").act("fold")
    assert (table.facts()["order"], table.facts()["stress"]) == ([1, 0], [0, 2])
    assert (table.player(), "pass" in table.legal()) == (1, True)  # nothing to be taken


# ---------------------------------------------------------------------------------------------------- the end of a round


def test_discards(side):
    table = side(last_action(hands=["s1 s1 d1", "D1"], pools=["A1 s3"], coins=[1])).play("pass")
    assert (table.player(), table.legal()) == (0, {"trash s1", "trash d1", "purge A1", "purge s3", "done"})
    assert table.copy("trash d1").legal() == {"purge A1", "purge s3", "done"}  # s1 comes before d1
    table.play("trash s1")
    assert (table.facts()["coins"][0], table.legal()) == (1, {"trash s1", "trash d1", "purge A1", "purge s3", "done"})
    table.play("purge A1")
    assert table.facts()["coins"][0] == 0
    assert table.facts()["out"] == ["A1", "s1"]
    assert table.player() == 1  # no coin for a third


def test_at_most_three_discards(side):
    table = side(last_action(hands=["s1 s1 d1 d2", "D1"], coins=[9])).play("pass", "trash s1", "trash s1", "trash d1")
    assert (table.player(), table.facts()["coins"][0]) == (1, 7)


def test_hands_are_filled_after_all_discards(side):
    table = side(last_action(hands=["A1 A2 B1 s1 s2", "C1 D1 s1 s2 s3 d1"], decks=["d1 d1 d2", "d3 d4"], order=[1, 0]))
    table.play("pass", "done", "done")
    assert table.chance() == pytest.approx({"draw d3": 1 / 2, "draw d4": 1 / 2})  # player 1 first; one card to seven
    table.play("draw d4")
    assert table.chance() == pytest.approx({"draw d1": 2 / 3, "draw d2": 1 / 3})
    table.play("draw d1")
    assert table.chance() == pytest.approx({"draw d1": 1 / 2, "draw d2": 1 / 2})
    table.play("draw d2")
    assert next(iter(table.chance())).startswith("reveal")
    facts = table.facts()
    assert facts["hands"] == [sorted(["A1", "A2", "B1", "s1", "s2", "d1", "d2"]), sorted(["C1", "D1", "s1", "s2", "s3", "d1", "d4"])]
    assert facts["decks"] == [["d1"], ["d3"]]


def test_the_pool_becomes_the_deck_when_a_card_is_due(side):
    table = side(last_action(hands=["A1 A2 B1 s1", "C1 D1 s1 s2 s3 d1 d1"], decks=["d2", ""], pools=["d3 d4 d4", "s1"]))
    table.play("pass", "done", "done")
    table.play("draw d2")
    assert table.facts()["pools"][0] == []
    assert table.chance() == pytest.approx({"draw d3": 1 / 3, "draw d4": 2 / 3})
    table.play("draw d4", "draw d4")
    facts = table.facts()
    assert facts["decks"] == [["d3"], []]
    assert facts["pools"] == [[], ["s1"]]  # nothing is due for player 1, who has seven


def test_a_deck_that_runs_out_leaves_a_small_hand(side):
    table = side(last_action(hands=["A1", "B1"], decks=["d1"])).play("pass", "done", "done", "draw d1")
    assert table.facts()["hands"] == [["A1", "d1"], ["B1"]]


def test_more_than_seven_cards_are_kept(side):
    hand = "A1 A2 B1 C1 s1 s2 s3 d1"
    table = side(last_action(hands=[hand, "D1"], decks=["d1", "d2"])).play("pass", "done", "done")
    assert table.chance() == {"draw d2": 1}
    assert table.hand() == " ".join(sorted(hand.split()))


def test_arrivals(side):
    """The Station first, then the buildings of the round's type in the order of the places, while the supply lasts."""
    parts = {"tiles": "S", "owner": {"A1": 0}, "built": {"A1": ["C", 2]}, "arrivals": list("RCLIR"), "round": 2, "hands": ["A2", "D1"]}
    table = side(last_action(**parts, passengers={"Ca": 0, "S": 1, "Ba": 1})).play("pass").play("done", "done")
    assert table.facts()["passengers"] == {"S": 2, "Ab": 1, "A1": 2, "Ba": 1, "Ca": 1}
    few = variant("passengers = 30", "passengers = 3")
    table = side(last_action(**parts, data=few, passengers={"S": 1, "Ba": 1})).play("pass")
    assert table.facts()["passengers"] == {"S": 2, "Ab": 1, "A1": 1, "Ba": 1}
    assert table.facts()["supply"] == 0


def test_high_stress_costs_happiness(side):
    table = side(last_action(3, hp=[5, 5, 0], stress=[9, 10, 12], hands=["A1", "A2", "B1"])).play("pass")
    assert table.facts()["hp"] == [5, 4, 0]


# ---------------------------------------------------------------------------------------------------- the end


def end(side, players=3, **parts):
    return side(last_action(players, round=6, hands=["A1", "A2", "B1", "C1", "D1"][:players], **parts)).play("pass")


@pytest.mark.parametrize(("stress", "penalty"), list(enumerate([0, 0, 1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 24])))
def test_stress_costs_happiness_at_the_end(side, stress, penalty):
    table = end(side, 2, hp=[30, 30], stress=[stress, 0])
    assert table.player() == -4
    assert table.scores() == [30 - penalty - (stress >= 10), 30]
    assert table.returns() == ([-1, 1] if stress else [1, -1])  # with equal scores less stress, then the order


def test_ranking(side):
    table = end(side, 5, hp=[10, 20, 5, 30, 7])
    assert table.scores() == [10, 20, 5, 30, 7]
    assert table.returns() == pytest.approx([0, 0.5, -1, 1, -0.5])


def test_ties_less_stress_then_more_money_then_the_earlier(side):
    # 10 each: player 1 has less stress than the others; 0 more money than 2 and 3; 3 is earlier in the order than 2
    table = end(side, 4, hp=[11, 10, 11, 11], stress=[2, 1, 2, 2], coins=[5, 0, 4, 4], order=[3, 2, 0, 1])
    assert table.scores() == [10] * 4
    assert table.returns() == pytest.approx([1 / 3, 1, -1, -1 / 3])


def test_scores_on_the_way_are_without_penalty(side):
    assert side(last_action(2, round=6, hp=[7, 3], stress=[12, 0], hands=["A1", "A2"])).scores() == [7, 3]


# ---------------------------------------------------------------------------------------------------- solo


def test_solo_takes_one_of_two_cards_and_the_other_is_gone(side):
    table = side.start(1).draw()
    offer = table.facts()["offer"]
    assert (len(offer), table.player()) == (2, 0)
    assert table.legal() == {f"take {card}" for card in offer}
    assert table.facts()["stress"] == [1]
    table.play(f"take {offer[1]}")
    assert table.facts()["out"] == [offer[0]]
    assert offer[1] in table.facts()["hands"][0]


def test_solo_has_three_actions_a_round(side):
    table = side.start(1).draw()
    table.play(f"take {table.facts()['offer'][0]}").play("pass", "pass", "pass")
    assert "trash s1" in table.legal()


def test_solo_result_is_the_score(side):
    table = side(last_action(1, round=6, hp=[12], stress=[4], hands=["A1"])).play("pass")
    assert (table.scores(), table.returns()) == ([9], [9])


def test_solo_the_last_round_has_no_cards(side):
    table = side(last_action(1, round=5, hands=["A1 A2"])).play("pass")
    discard_nothing(table)
    assert (table.facts()["round"], table.facts()["stress"], table.player()) == (6, [2], 0)
    assert "pass" in table.legal()


def test_a_round_later_the_offer_is_new(side):
    table = side(last_action(2, hands=["A1", "A2"], reserve=Counter(["t1", "t2", "t3"]))).play("pass", "done", "done")
    assert table.chance() == pytest.approx({"reveal t1": 1 / 3, "reveal t2": 1 / 3, "reveal t3": 1 / 3})
    table.play("reveal t2", "reveal t3")
    assert table.facts()["offer"] == ["t2", "t3"]
