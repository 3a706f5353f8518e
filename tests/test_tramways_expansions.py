"""Tramways: the tile expansions, worked examples asked of the reference and of the engine.

The letters are those of the research that the rules rest on: P Park, AV airports, F Funfair, S Station, X Stock Exchange, N no icon.
"""

from collections import Counter

import pytest
from tramways_tables import SIDES, position


@pytest.fixture(params=SIDES)
def side(request):
    """One of the two sides; ``side(position(...))`` is a table."""
    return request.param


# ---------------------------------------------------------------------------------------------------- the Park

OWN_LEISURE = {"owner": {"A1": 0}, "built": {"A1": ["L", 1]}}
GREEN_LINKS = [("Aa-K", 1, "4.3 4.4 3.4"), ("Ba-K", 1, "2.5")]
IN_THE_PARK = {"tiles": "K", **OWN_LEISURE, "passengers": {"Aa": 1}, "order": [1, 0]}


def test_p1_p2_two_links_to_the_park_in_a_double_action(side):
    table = side(position(tiles="K", **OWN_LEISURE, hands=["A2 B1 t13 s2"], turn=(0, 1, 2)))
    table.build("Aa-K", "2.3", "A2 t13")  # one rail, one R
    assert table.numbers() == (0, 3, 0, 1)
    assert table.link("Aa-K") == "2.3"
    table.build("A1-K", "1.4", "B1 s2")  # one rail, one L
    assert table.numbers() == (0, 3, 0, 0)
    assert (table.link("A1-K"), table.hand(), table.facts()["rails"][0]) == ("1.4", "", 22)


def test_p2_needs_a_second_worker(side):
    table = side(position(tiles="K", **OWN_LEISURE, hands=["A2 B1 t13 s2"], workers=[1], turn=(0, 1, 2)))
    table.build("Aa-K", "2.3", "A2 t13")
    assert "build" not in table.legal()


def test_p3_three_tiles_to_the_park(side):
    table = side(position(tiles="K", hands=["", "A2 d1"], order=[1, 0]))
    table.play("build", "from Aa")
    assert table.paid("d1", "to K", "lay 4.3", "lay 4.4", "lay 3.4", "join").numbers(1) == (0, 3, 1, 1)  # r3 and R of one card
    assert table.link("Aa-K", 1) == "3.4 4.3 4.4"
    table = side(position(tiles="K", hands=["", "t13 s1 B1"], order=[1, 0]))
    table.build("Aa-K", "4.3 4.4 3.4", "B1 s1 t13")
    assert table.numbers(1) == (0, 3, 0, 1)


def test_p4_an_industry_that_nobody_owns(side):
    table = side(position(tiles="K", hands=["", "B1 t13"], order=[1, 0])).build("Ba-K", "2.5", "B1 t13")
    assert (table.numbers(1), table.link("Ba-K", 1)) == ((0, 3, 0, 1), "2.5")


@pytest.mark.parametrize(("before", "after"), [(2, 2), (1, 1), (0, 1), (12, 12)])  # P5, and P5b: first the Park, then the Industry
def test_p5_through_the_park_to_an_industry(side, before, after):
    table = side(position(**IN_THE_PARK, links=GREEN_LINKS, hands=["", "A2 t13"], coins=[3, 0], stress=[0, before]))
    table.move("Aa", "K1 Ba1", "A2 t13")
    assert table.numbers(1) == (2, 4, after, 3)
    assert table.facts()["passengers"] == {}


def test_p6_changing_to_anothers_link_in_the_park(side):
    links = [*GREEN_LINKS, ("A1-K", 0, "1.4")]
    table = side(position(**IN_THE_PARK, links=links, hands=["", "A2 s2"], coins=[3, 6], stress=[0, 1]))
    table.move("Aa", "K1 A10", "A2 s2")
    assert table.has("buy") == "0 1 2"  # with the 6 coins from before the trip, at 3 each
    table.play("buy 2")
    assert table.numbers(1) == (1 + 2, 6 - 6 + 3 - 1, 0, 2)
    assert table.numbers(0) == (1, 3 + 1, 0, 2)


def test_p6_without_coins(side):
    links = [*GREEN_LINKS, ("A1-K", 0, "1.4")]
    table = side(position(**IN_THE_PARK, links=links, hands=["", "A2 s2"], coins=[3, 0])).move("Aa", "K1 A10", "A2 s2")
    assert table.numbers(1) == (1, 2, 0, 2)  # nothing to be decided: without coins nothing can be bought


# ---------------------------------------------------------------------------------------------------- airports

FLIGHT = {"tiles": "VW", "links": [("Aa-V", 1, "3.2"), ("Da-W", 2, "7.6")], "passengers": {"Aa": 1}}


def test_av1_a_flight(side):
    table = side(position(3, **FLIGHT, hands=["A2 t13"], coins=[1])).move("Aa", "V1 Da2", "A2 t13")
    assert table.numbers() == (0, 1 - 1 + 5 - 1, 1, 3)
    assert (table.numbers(1), table.numbers(2)) == ((1, 4, 0, 2), (1, 4, 0, 2))


def test_av1b_the_first_link_falls_due_before_the_flight_pays(side):
    assert side(position(3, **FLIGHT, hands=["A2 t13"], coins=[0])).kinds().split().count("move") == 0


def test_av2_from_the_other_airport_only(side):
    links = [("Aa-V", 0, "3.2"), ("Ab-V", 0, "4.1"), ("Da-W", 0, "7.6"), ("Db-W", 0, "8.7")]
    table = side(position(tiles="VW", links=links, passengers={"Aa": 1}, hands=["A2 t13 s3"]))
    table.act("move", "at Aa", "ride V 0")
    assert table.has("ride") == "Da 0 Db 0"  # Commerce Ab would be a fine destination, but from here nothing leads there
    assert table.has("stop") == ""


def test_an_airport_cannot_be_flown_to_twice(side):
    links = [("Aa-V", 0, "3.2"), ("Ab-V", 0, "4.1"), ("Da-W", 0, "7.6"), ("Db-W", 0, "8.7")]
    table = side(position(tiles="VW", links=links, passengers={"Aa": 1}, hands=["A2 t1"]))  # R or C: Db, or Ab if one could fly back
    table.act("move", "at Aa", "ride V 0")
    table.paid("A2 t1", "ride Db 0", "stop")
    assert table.facts()["passengers"] == {}
    assert table.numbers() == (2, 3 + 1 + 5 + 1, 0, 2)


# ---------------------------------------------------------------------------------------------------- the Funfair

AT_THE_FUNFAIR = {"tiles": "F", "links": [("Aa-F", 0, "4.3")], "passengers": {"Aa": 1}}


@pytest.mark.parametrize(("coins", "most", "left"), [(10, 5, 0), (7, 3, 1), (1, 0, 1), (50, 20, 10)])  # F1, F1b, and the limit
def test_f1_happiness_at_the_funfair(side, coins, most, left):
    table = side(position(**AT_THE_FUNFAIR, hands=["A2 s2 s3"], coins=[coins])).move("Aa", "F0", "A2 s2 s3")
    if most:
        assert table.has("buy").split() == sorted(map(str, range(most + 1)))
        table.play(f"buy {most}")
    assert table.numbers() == (1 + most, left + 1, 0, 2)


def test_f1_a_delivery_takes_a_strip_and_two_icons(side):
    table = side(position(**AT_THE_FUNFAIR, hands=["A2 s2 s3"]))
    assert table.payments("move", "at Aa", "ride F 0", "stop") == {"A2 s2 s3", "A2 s3", "s2 s3", "s3"}
    assert "move" not in side(position(**AT_THE_FUNFAIR, hands=["A2 A1 s2"])).legal()  # one icon only
    table = side(position(**AT_THE_FUNFAIR, hands=["A2 bF"])).move("Aa", "F0", "A2 bF")
    assert table.numbers()[2] == 0
    assert side(position(**AT_THE_FUNFAIR, hands=["bF"])).move("Aa", "F0", "bF").numbers()[2] == 1


@pytest.mark.parametrize(
    ("hand", "pay", "stress"),
    [("A2 d3 s3", "A2 d3 s3", 0), ("A2 s1 s3", "A2 s1 s3", 0), ("A2 t6", "A2 t6", 1)],  # F2: C and C, R and I, L and I of one card
)
def test_f2_a_link_to_the_funfair_takes_two_icons(side, hand, pay, stress):
    table = side(position(tiles="F", hands=[hand])).build("Aa-F", "4.3", pay)
    assert table.numbers() == (0, 3, stress, 1)
    assert table.link("Aa-F") == "4.3"


def test_f2_one_icon_is_not_enough(side):
    assert "build" in side(position(tiles="F", hands=["A2 A1 s1"])).legal()  # an R link
    assert side(position(tiles="F", hands=["A2 A1 s1"])).act("build", "from Aa").has("to").count("F") == 0


def test_f3_the_icon_of_the_funfair(side):
    table = side(position(tiles="F", hands=["A2 bF"]))
    assert table.payments("build", "from Aa", "to F", "lay 4.3", "join") == {"A2 bF", "bF"}
    assert table.build("Aa-F", "4.3", "A2 bF").numbers() == (0, 3, 0, 1)


# ---------------------------------------------------------------------------------------------------- the Station


def test_s1_the_first_link_takes_the_icon_of_the_other_end(side):
    assert "S" not in side(position(tiles="S", hands=["t8 A2"])).act("build", "from Aa").has("to")  # C, and rails enough
    table = side(position(tiles="S", hands=["A1 A2 t13"])).build("Aa-S", "3.4 3.5", "A1 A2 t13")
    assert (table.numbers(), table.hand()) == ((0, 3, 0, 1), "bS")
    assert table.facts()["stock"]["bS"] == 1


def test_s1_the_card_is_there_for_the_next_action(side):
    table = side(position(tiles="S", hands=["A1 A2 t13"], turn=(0, 1, 2), passengers={"Aa": 1}, supply=31))
    table.build("Aa-S", "3.4 3.5", "A1 A2 t13").move("Aa", "S0", "bS")
    assert table.numbers() == (1, 5, 1, 1)


def test_s1_no_card_is_left(side):
    parts = {"tiles": "S", "hands": ["A1 A2 t13", "t21 B1"], "links": [("Ba-S", 1, "2.7"), ("Bb-S", 2, "1.8 2.8")]}
    table = side(position(3, **parts, stock=Counter())).build("Aa-S", "3.4 3.5", "A1 A2 t13")
    assert table.hand() == ""


def test_s2_later_links_may_use_s_and_bring_no_card(side):
    links = [("Ba-S", 0, "2.7")]
    table = side(position(tiles="S", links=links, hands=["A1 A2 bS t13"]))
    payments = table.payments("build", "from Aa", "to S", "lay 3.4", "lay 3.5", "join")
    assert payments == {"A1 A2 bS", "A1 A2 t13", "bS", "bS t13"}
    table.build("Aa-S", "3.4 3.5", "bS t13")
    assert (table.hand(), table.numbers()) == ("A1 A2", (0, 3, 0, 1))
    assert table.facts()["stock"]["bS"] == 2


@pytest.mark.parametrize(("before", "after", "supply"), [(2, 2, 1), (1, 2, 0), (0, 1, 0)])
def test_s3_a_passenger_stays_at_the_station(side, before, after, supply):
    table = side(
        position(tiles="S", links=[("Aa-S", 0, "3.4 3.5")], passengers={"Aa": 1, "S": before}, supply=31 - before, hands=["A2 bS"])
    )
    table.move("Aa", "S0", "A2 bS")
    assert table.facts()["passengers"] == {"S": after}
    assert table.facts()["supply"] == 31 - before + supply
    assert table.numbers() == (1, 5, 0, 2)  # no bonus


@pytest.mark.parametrize("before", [0, 1, 2])
def test_s4_two_passengers_at_the_station_in_every_round(side, before):
    table = side(position(tiles="S", passengers={"S": before}, turn=(1, 1, 1), arrivals=list("RCLIR")))
    table.play("pass")
    while table.facts()["round"] == 1:
        table.play("done")
    assert table.facts()["round"] == 2
    assert table.facts()["passengers"]["S"] == 2


@pytest.mark.parametrize(("players", "cards"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 4)])
def test_s5_station_cards(side, players, cards):
    assert side(position(players, tiles="S")).facts()["stock"]["bS"] == cards
    assert "bS" not in side(position(players)).facts()["stock"]


# ---------------------------------------------------------------------------------------------------- the Stock Exchange


def test_x1_a_link_to_the_exchange_takes_the_icon_of_the_other_end(side):
    assert "build" not in side(position(tiles="X", hands=["A1 A2"], owner={})).legal()
    table = side(position(tiles="X", hands=["A1 A2 t1"]))
    assert table.copy().act("build", "from Aa").has("to").split().count("X") == 1
    table.build("Aa-X", "2.3 1.3", "A1 A2 t1")
    assert table.numbers() == (0, 3, 0, 1)
    table = side(position(tiles="X", hands=["A2 t3 d2"], links=[("Aa-X", 0, "1.3 2.3")]))
    assert table.payments("upgrade", "from Aa", "to X") == {"d2 t3", "t3"}
    assert "upgrade" not in side(position(tiles="X", hands=["A2 d2 t9"], links=[("Aa-X", 0, "1.3 2.3")])).legal()  # L is on both


EXCHANGE_OWN = [("Aa-X", 0, "2.3 1.3"), ("Ab-X", 0, "2.1 2.0 3.0")]
EXCHANGE_RIVAL = [("Aa-X", 1, "2.3 1.3"), ("Ab-X", 0, "2.1 2.0 3.0")]


def test_x2_through_the_exchange(side):
    table = side(position(tiles="X", links=EXCHANGE_OWN, passengers={"Aa": 1}, hands=["A2 s3"], coins=[0])).move("Aa", "X0 Ab0", "A2 s3")
    assert table.numbers() == (2, 10, 0, 2)


def test_x3_what_is_due_before_the_exchange(side):
    parts = {"tiles": "X", "links": EXCHANGE_RIVAL, "passengers": {"Aa": 1}, "hands": ["A2 s3"]}
    assert "move" not in side(position(**parts, coins=[1])).legal()
    table = side(position(**parts, coins=[2])).move("Aa", "X1 Ab0", "A2 s3")
    assert (table.numbers(), table.numbers(1)) == ((1, 8, 0, 2), (1, 5, 0, 2))


def test_x4_the_dividend_buys_nothing_on_its_trip(side):
    parts = {
        "owner": {"A1": 1},
        "built": {"A1": ["L", 1]},
        "links": [("Aa-X", 0, "2.3 1.3"), ("A1-X", 0, "0.2 0.3")],
        "passengers": {"Aa": 1},
    }
    table = side(position(tiles="X", **parts, hands=["A2 s2"], coins=[2])).move("Aa", "X0 A10", "A2 s2")
    assert table.numbers() == (2, 2 + 2 + 5 + 2, 0, 2)  # not even asked
    table = side(position(tiles="X", **parts, hands=["A2 s2"], coins=[3])).move("Aa", "X0 A10", "A2 s2")
    assert table.has("buy") == "0 1"


def test_what_is_bought_must_leave_enough_for_the_way(side):
    parts = {"owner": {"A1": 1}, "built": {"A1": ["L", 1]}, "links": [("A1-Aa", 1, "1.4 2.4 3.4")], "passengers": {"Aa": 1}}
    table = side(position(**parts, hands=["A2 s2"], coins=[6])).move("Aa", "A11", "A2 s2")
    assert table.has("buy") == "0 1"  # 3 are for the owner of the link
    table.play("buy 1")
    assert (table.numbers(), table.numbers(1)) == ((1, 0, 0, 2), (1, 6, 0, 2))


# ---------------------------------------------------------------------------------------------------- places without an icon

MANY = "A1 A2 t7 t8 t9 t10"  # rails of all kinds, and R, C, L and I


def test_n1_no_link_between_two_places_without_an_icon(side):
    table = side(position(tiles="XKVW", hands=[MANY])).play("build")
    assert "from Aa" in table.legal()
    assert not {"from X", "from K", "from V"} & table.legal()


def test_n2_the_station_and_a_place_without_an_icon(side):
    table = side(position(tiles="SXKVW", hands=[MANY])).play("build")
    assert "from Aa" in table.legal()
    assert "from S" not in table.legal()
    table = side(position(tiles="SXKVW", hands=[f"{MANY} bS"])).play("build", "from S")
    assert {"X", "K", "V"} <= set(table.has("to").split())


@pytest.mark.parametrize("hand", [MANY, "A1 A2 t25 d1 bF"])
def test_n3_the_funfair_and_a_place_without_an_icon(side, hand):
    table = side(position(tiles="XKFVW", hands=[hand])).play("build")
    assert {"from X", "from K"} <= table.legal()  # in the order of places only F comes behind them that a link can lead to
    assert "V" in table.copy("from F").has("to").split()


def test_n3_one_icon_is_not_enough(side):
    table = side(position(tiles="XKFVW", hands=["A1 A2 B1 C1 D1 d1"])).play("build")  # R
    assert "from Aa" in table.legal()
    assert not {"from X", "from K", "from F"} & table.legal()


def test_two_owners_between_the_same_ends(side):
    links = [("Aa-K", 0, "2.3"), ("Aa-K", 1, "3.4"), ("Ba-K", 0, "2.5")]
    table = side(position(tiles="K", links=links, passengers={"Aa": 1}, hands=["A2 t13"], coins=[1])).act("move", "at Aa")
    assert table.has("ride") == "K 0 K 1"
    table.paid("A2 t13", "ride K 1", "ride Ba 0", "stop")
    assert (table.numbers(), table.numbers(1)) == ((1, 1, 1, 3), (1, 4, 0, 2))
