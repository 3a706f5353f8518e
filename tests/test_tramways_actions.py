"""Tramways: actions and payments, worked examples asked of the reference and of the engine."""

from collections import Counter

import pytest
from tramways_tables import SIDES, position, variant


@pytest.fixture(params=SIDES)
def side(request):
    """One of the two sides; ``side(position(...))`` is a table."""
    return request.param


# ---------------------------------------------------------------------------------------------------- payments and stress


def test_the_first_icon_of_a_card_is_free_and_each_further_one_is_stress(side):
    """Rails 2 and R, from s1 (r2 R), A1 A2 (r1 each) and t13 (R)."""
    table = side(position(tiles="K", hands=["A1 A2 s1 t13"]))
    steps = ["build", "from Aa", "to K", "lay 3.4"]
    assert table.payments(*steps, "join") == {"A1 t13", "A1 s1", "A2 t13", "A2 s1", "s1 t13", "s1"}
    for pay, stress in (("A1 t13", 0), ("s1 t13", 0), ("s1", 1)):
        assert table.copy().paid(pay, *steps, "join").numbers() == (0, 3, stress, 1)


def test_a_card_too_many_is_refused(side):
    """With A1 beside s1, which has the rails of the link twice over, there would be a card more and no less stress."""
    table = side(position(tiles="K", hands=["A1 s1 s2"], links=[("Ba-K", 1, "2.5")]))
    assert table.payments("build", "from Aa", "to K", "lay 3.4", "join") == {"A1 s1", "s1"}
    assert "A1 s1 s2" not in table.payments("build", "from Aa", "to K", "lay 3.4", "join")


def test_three_icons_of_one_card_are_two_stress(side):
    """t10 has the rails, the I and more; s3 the C and the I."""
    table = side(position(tiles="F", hands=["s3"], links=[]))
    assert table.payments("build", "from Aa", "to F", "lay 4.3", "join") == {"s3"}
    assert table.build("Aa-F", "4.3", "s3").numbers() == (0, 3, 2, 1)


@pytest.mark.parametrize(("stress", "payments"), [(12, {"A1 t13"}), (11, {"A1 t13", "t1"}), (0, {"A1 t13", "t1"})])
def test_stress_goes_up_to_twelve(side, stress, payments):
    table = side(position(tiles="K", hands=["A1 t13 t1"], stress=[stress]))
    found = table.payments("build", "from Aa", "to K", "lay 3.4", "join")
    assert found == payments | {"A1 t1", "t1 t13"}


def test_with_full_stress_only_what_needs_no_second_icon(side):
    parts = {"tiles": "K", "hands": ["t1"]}
    assert "build" in side(position(**parts, stress=[11])).legal()
    assert "build" not in side(position(**parts, stress=[12])).legal()


def test_cards_are_named_in_order(side):
    table = side(position(tiles="K", hands=["A1 A2 s1 t13"])).act("build", "from Aa", "to K", "lay 3.4", "join")
    assert table.legal() == {"pay A1", "pay A2", "pay s1"}
    assert table.copy("pay A1").legal() == {"pay s1", "pay t13"}
    table.play("pay s1")
    assert table.legal() == {"pay t13", "done"}  # s1 alone is enough, with stress


def test_equal_cards_are_one_choice(side):
    table = side(position(hands=["s1 s1 d1 d1"], tiles="K")).act("build", "from Aa", "to K", "lay 3.4", "join")
    assert table.legal() == {"pay s1", "pay d1"}
    assert table.payments() == {"s1", "s1 s1", "d1 s1", "d1", "d1 d1"}


# ---------------------------------------------------------------------------------------------------- building links


def test_a_mountain_takes_two_rails(side):
    """From Ba to Da straight down it is 5 squares; 4.6 is a mountain."""
    steps = ["build", "from Ba", "to Da", "lay 3.6"]
    table = side(position(hands=["A1 A2 t8 t13"])).paid("A1 A2 t13 t8", *steps)  # 5 rails and I
    assert table.link("Ba-Da") == "3.5 3.6 4.5 5.5 6.5"
    table = side(position(hands=["A1 A2 B1 t8 t13"])).act(*steps)  # 6
    assert table.has("lay") == "3.5 4.6"
    table.paid("A1 A2 B1 t13 t8", "lay 4.6", "lay 5.6", "lay 5.5", "lay 6.5", "join")
    assert table.link("Ba-Da") == "3.6 4.6 5.5 5.6 6.5"


def test_water_takes_two_rails(side):
    """From Bb straight down to the parcel B1: 1.8, 2.8, 3.8 and the water 4.8, as the other sides of B1 are taken."""
    parts = {"owner": {"B1": 0}, "links": [("Db-B1", 1, "5.9 6.9 7.9 8.9 8.8 8.7"), ("Bb-B1", 1, "0.9 1.9 2.9 3.9")]}
    assert "B1" not in side(position(**parts, hands=["A2 t8 s2"])).act("build", "from Bb").has("to").split()  # 4 rails
    table = side(position(**parts, hands=["s1 t8 s2"])).build("Bb-B1", "1.8 2.8 3.8 4.8", "s1 s2 t8")  # 5 rails and L
    assert (table.link("Bb-B1"), table.numbers()) == ("1.8 2.8 3.8 4.8", (0, 3, 0, 1))


def test_the_way_is_chosen_square_by_square(side):
    table = side(position(tiles="K", hands=["A1 A2 s1 t13"])).act("build", "from Aa", "to K")
    assert table.has("lay") == "2.3 3.2 3.4 4.3"
    table.play("lay 2.3")
    assert table.has("join") == "join"
    assert table.has("lay") == "1.3"  # 4 squares: 2.3 1.3 1.4
    assert table.paid("A1 t13", "join").link("Aa-K") == "2.3"


def test_no_square_twice_and_none_of_another_link(side):
    """From 2.3 on, 1.4 being taken, there is one way round to 3.4."""
    table = side(position(tiles="K", hands=["A1 A2 s1 d1 t13"], links=[("Ba-K", 1, "1.4")])).act("build", "from Aa", "to K", "lay 2.3")
    assert table.legal() == {"join", "lay 2.2"}
    table.paid("A1 A2 d1 s1 t13", "lay 2.2")
    assert table.link("Aa-K") == "2.2 2.3 3.2 3.4 4.2 4.3 4.4"


def test_a_link_needs_a_worker(side):
    parts = {"tiles": "K", "hands": ["A1 A2 s1 t13"]}
    assert "build" in side(position(**parts)).legal()
    assert "build" not in side(position(**parts, workers=[0])).legal()


def test_a_link_needs_tiles(side):
    parts = {"tiles": "K", "hands": ["A1 A2 s1 t13"], "data": variant("rails = 24", "rails = 1")}
    table = side(position(**parts)).play("build", "from Aa", "lay 2.3")  # no other end is so near
    assert table.payments() == {"A1 t13", "A1 s1", "A2 t13", "A2 s1", "s1", "s1 t13"}
    assert "build" not in side(position(**parts, links=[("Ba-K", 0, "2.5")])).legal()


def test_one_link_between_two_ends(side):
    table = side(position(tiles="K", hands=["A1 A2 s1 t13"], links=[("Aa-K", 0, "2.3")]))
    assert "K" not in table.act("build", "from Aa").has("to").split()
    other = side(position(tiles="K", hands=["A1 A2 s1 t13"], links=[("Aa-K", 1, "2.3")]))
    assert other.build("Aa-K", "3.4", "A1 t13").link("Aa-K") == "3.4"


def test_own_parcels_are_ends_others_are_not(side):
    hand = "A1 A2 s1 t13 d1"
    mine = side(position(hands=[hand], owner={"A1": 0, "B1": 1}))
    ends = mine.copy().play("build").has("from").split()
    assert "A1" in ends
    assert "B1" not in ends
    assert not any("B1" in mine.copy("build").act(f"from {end}").has("to").split() for end in ends)


def test_the_lot_of_a_parcel_pays_for_its_link(side):
    """A link between Aa and A1 takes R or the lot of A1, which is on the card of A1 alone; t8 has three rails and C."""
    table = side(position(owner={"A1": 0}, hands=["A1 t8"])).build("Aa-A1", "3.4 2.4 1.4", "A1 t8")
    assert (table.link("Aa-A1"), table.numbers()) == ("1.4 2.4 3.4", (0, 3, 0, 1))
    table = side(position(owner={"A1": 0, "A2": 0}, hands=["A2 t8 t25"])).play("build")
    assert "A1" not in table.copy().act("from Aa").has("to").split()
    assert "A2" in table.copy().act("from Aa").has("to").split()


def test_between_two_own_parcels_either_lot(side):
    parts = {"owner": {"A1": 0, "A2": 0}}
    path = "0.1 0.2 0.3"
    for lot in ("A1", "A2"):
        table = side(position(**parts, hands=[f"{lot} t25"])).build("A1-A2", path, f"{lot} t25")
        assert table.link("A1-A2") == path


def test_an_end_with_a_building_takes_its_type_and_no_lot(side):
    table = side(position(owner={"A1": 0}, built={"A1": ["L", 1]}, hands=["A1 t25"]))
    assert "build" not in table.legal()
    assert "build" in side(position(owner={"A1": 0}, built={"A1": ["L", 1]}, hands=["s2 t25"])).legal()


def test_a_building_on_anothers_parcel_is_an_end(side):
    table = side(position(owner={"A1": 1}, built={"A1": ["L", 1]}, hands=["s2 t25"])).build("Aa-A1", "3.4 2.4 1.4", "s2 t25")
    assert table.link("Aa-A1") == "1.4 2.4 3.4"


# ---------------------------------------------------------------------------------------------------- upgrading


def test_an_upgraded_link_is_worth_two(side):
    parts = {"tiles": "K", "links": [("Aa-K", 0, "2.3"), ("Ba-K", 0, "2.5")], "passengers": {"Aa": 1}, "turn": (0, 1, 2)}
    table = side(position(**parts, hands=["A2 t3 t13 d2"])).upgrade("Aa-K", "d2 t3")
    assert table.link("Aa-K") == "2.3 +"
    assert table.numbers() == (0, 3, 0, 2)  # no worker
    table.move("Aa", "K0 Ba0", "A2 t13")
    assert table.numbers() == (2 + 1, 5, 1, 3)


def test_only_own_links_and_only_once(side):
    links = [("Aa-K", 0, "2.3", True), ("Ba-K", 1, "2.5")]
    assert "upgrade" not in side(position(tiles="K", links=links, hands=["d2 t3 t13"])).legal()
    links = [("Aa-K", 0, "2.3"), ("Ba-K", 1, "2.5")]
    assert "upgrade" in side(position(tiles="K", links=links, hands=["d2 t3 t13"])).legal()


def test_upgrading_at_the_funfair_takes_two_icons(side):
    parts = {"tiles": "F", "links": [("Aa-F", 0, "4.3")]}
    assert side(position(**parts, hands=["A1 d2 s3"])).payments("upgrade", "from Aa", "to F") == {"d2 s3"}
    assert "upgrade" not in side(position(**parts, hands=["A1 t11"], stress=[11])).legal()  # three icons of one card
    assert "upgrade" in side(position(**parts, hands=["A1 t11"], stress=[10])).legal()


# ---------------------------------------------------------------------------------------------------- buildings

PARCEL = {"owner": {"A1": 0, "B1": 1}}


def test_construct(side):
    table = side(position(**PARCEL, hands=["A1 d3 t13"], passengers={"Aa": 1}))
    table.paid("A1 d3 t13", "construct", "at A1", "type R")
    assert table.facts()["built"] == {"A1": ["R", 1]}
    assert (table.hand(), table.numbers()) == ("bR", (2, 3, 0, 2))
    assert table.facts()["passengers"] == {"A1": 1, "Aa": 1}
    assert table.facts()["stock"]["bR"] == 1


def test_construct_takes_the_lot_of_that_very_parcel(side):
    assert "construct" not in side(position(**PARCEL, hands=["B1 d3 t13"])).legal()
    assert "construct" not in side(position(owner={"A1": 1}, hands=["A1 d3 t13"])).legal()
    assert "construct" not in side(position(**PARCEL, built={"A1": ["C", 1]}, hands=["A1 d3 t13"])).legal()


def test_construct_types_that_are_payable_and_left(side):
    hand = "A1 d3 t13"  # con C, R I
    table = side(position(**PARCEL, hands=[hand])).act("construct")
    assert table.has("type") == "C I R"
    stock = Counter({"bR": 0, "bC": 2, "bL": 2, "bI": 1})
    assert side(position(**PARCEL, hands=[hand], stock=stock)).act("construct").has("type") == "C I"


def test_construct_without_passengers_in_the_supply(side):
    few = variant("passengers = 30", "passengers = 1")
    table = side(position(**PARCEL, hands=["A1 d3 t13"], passengers={"Aa": 1}, data=few))
    table.paid("A1 d3 t13", "construct", "at A1", "type R")
    assert (table.facts()["passengers"], table.facts()["built"]) == ({"Aa": 1}, {"A1": ["R", 1]})


def test_extend_takes_upgrade_or_construct(side):
    parts = {"owner": {"A1": 0}, "built": {"A1": ["R", 1]}}
    table = side(position(**parts, hands=["A2 s1 d2 d3"]))
    assert table.payments("extend", "at A1") == {"d2 s1", "d3 s1"}
    table.paid("d2 s1", "extend", "at A1")
    assert table.facts()["built"] == {"A1": ["R", 2]}
    assert (table.numbers(), table.facts()["passengers"]) == ((1, 3, 0, 2), {})


def test_extend_only_ones_own_building_and_once(side):
    hand = "A2 s1 d2 d3"
    assert "extend" not in side(position(owner={"A1": 1}, built={"A1": ["R", 1]}, hands=[hand])).legal()
    assert "extend" not in side(position(owner={"A1": 0}, built={"A1": ["R", 2]}, hands=[hand])).legal()
    assert "extend" not in side(position(hands=[hand])).legal()  # a printed one


# ---------------------------------------------------------------------------------------------------- passengers


def test_add_a_passenger(side):
    parts = {"tiles": "S", "passengers": {"S": 1, "Aa": 1}, "owner": {"A1": 1, "B1": 1}, "built": {"A1": ["R", 2]}}
    table = side(position(**parts, hands=["A2 t2 t25"]))
    assert table.copy().act("add").has("at") == "A1 Ab Ba Bb Ca Cb Da Db S"
    table.paid("t2", "add", "at A1")
    assert table.facts()["passengers"] == {"A1": 1, "Aa": 1, "S": 1}
    assert table.numbers() == (0, 3, 0, 2)


def test_add_with_an_empty_supply(side):
    few = variant("passengers = 30", "passengers = 2")
    assert "add" in side(position(hands=["A2 t2"], passengers={"Aa": 1}, data=few)).legal()
    assert "add" not in side(position(hands=["A2 t2"], passengers={"Aa": 1, "Ba": 1}, data=few)).legal()


# ---------------------------------------------------------------------------------------------------- trips

LINE = [("A1-Aa", 0, "1.4 2.4 3.4"), ("A1-Bb", 1, "0.5 0.6 0.7"), ("Ba-Bb", 0, "1.7 2.7")]
LINE_TOWN = {"owner": {"A1": 0}, "built": {"A1": ["C", 1]}, "links": LINE, "passengers": {"Aa": 1}}


def test_through_buildings_to_the_end(side):
    table = side(position(**LINE_TOWN, hands=["A2 t13"], coins=[0])).move("Aa", "A10 Bb1 Ba0", "A2 t13")
    assert table.numbers() == (2, 3 - 3 + 2, 1, 3)
    assert table.numbers(1) == (1, 6, 0, 2)


def test_a_trip_may_end_at_any_building_of_a_payable_type(side):
    table = side(position(**LINE_TOWN, hands=["A2 s3 t6"])).act("move", "at Aa", "ride A1 0")
    assert table.legal() == {"ride Bb 1", "stop"}  # C here; L and I further on
    table.play("ride Bb 1")
    assert table.legal() == {"ride Ba 0", "stop"}


def test_an_empty_parcel_is_no_place_for_passengers(side):
    parts = LINE_TOWN | {"built": {}}
    assert "move" not in side(position(**parts, hands=["A2 t13 t6 s3"])).legal()


def test_from_another_place_of_the_same_type(side):
    links = [("Ba-Da", 0, "3.6 3.5 4.5 5.5 6.5")]
    table = side(position(links=links, passengers={"Da": 1}, hands=["A2 t13"])).move("Da", "Ba0", "A2 t13")
    assert table.numbers() == (1, 8, 1, 3)


def test_residence_calms(side):
    links = [("Aa-Ba", 0, "2.3 2.4 2.5")]
    for before, after in ((3, 2), (0, 0)):
        table = side(position(links=links, passengers={"Ba": 1}, hands=["A2 s1"], stress=[before])).move("Ba", "Aa0", "A2 s1")
        assert table.numbers() == (1, 6, after, 2)


def test_leisure_sells_at_most_four(side):
    links = [("Aa-Bb", 0, "2.3 2.4 1.4")]
    table = side(position(links=links, passengers={"Aa": 1}, hands=["A2 s2"], coins=[20])).move("Aa", "Bb0", "A2 s2")
    assert table.has("buy") == "0 1 2 3 4"
    assert table.play("buy 4").numbers() == (5, 20 - 12 + 3, 0, 2)


COMMERCE = {"links": [("Aa-Ab", 0, "4.3 4.2 4.1")], "passengers": {"Aa": 1}}


def test_commerce_sells_development_cards(side):
    table = side(position(**COMMERCE, hands=["A2 s3"], coins=[7])).move("Aa", "Ab0", "A2 s3")
    assert table.legal() == {"market d1", "market d2", "market d3", "market d4", "done"}
    table.play("market d2")
    assert table.legal() == {"market d2", "market d3", "market d4", "done"}
    table.play("market d4")
    assert (table.hand(), table.numbers()) == ("d2 d4", (1, 7 - 6 + 3, 0, 2))
    assert table.facts()["stock"]["d4"] == 1


def test_commerce_one_card_is_enough(side):
    table = side(position(**COMMERCE, hands=["A2 s3"], coins=[7])).move("Aa", "Ab0", "A2 s3").play("market d1", "done")
    assert (table.hand(), table.numbers()) == ("d1", (1, 7, 0, 2))


def test_commerce_with_few_coins_and_few_cards(side):
    stock = Counter({"d1": 1, "d4": 1})
    table = side(position(**COMMERCE, hands=["A2 s3"], coins=[5], stock=stock)).move("Aa", "Ab0", "A2 s3")
    assert table.legal() == {"market d1", "market d4", "done"}
    assert table.play("market d1").numbers() == (1, 5 - 3 + 3, 0, 2)  # the second would cost more than is there
    table = side(position(**COMMERCE, hands=["A2 s3"], coins=[2])).move("Aa", "Ab0", "A2 s3")
    assert (table.hand(), table.numbers()) == ("", (1, 5, 0, 2))


# ---------------------------------------------------------------------------------------------------- money, worker, calm


def test_money(side):
    table = side(position(hands=["A1 s2 t7 s1"])).play("money")
    assert table.legal() == {"pay A1", "pay s2", "pay t7"}
    table.play("pay A1")
    assert table.legal() == {"pay s2", "pay t7", "done"}
    assert table.play("pay t7").numbers() == (0, 3 + 1 + 3, 0, 2)
    assert table.hand() == "s1 s2"


def test_workers(side):
    table = side(position(hands=["d3 d3 t7 s1"])).play("worker", "pay d3")
    assert table.legal() == {"pay d3", "pay t7", "done"}
    assert table.play("pay d3", "pay t7").numbers() == (0, 3, 0, 5)


def test_calm_takes_no_more_cards_than_there_is_stress(side):
    hand = "d4 t6 t8 s1"
    assert "calm" not in side(position(hands=[hand])).legal()
    table = side(position(hands=[hand], stress=[2])).play("calm", "pay d4")
    assert table.legal() == {"pay t6", "pay t8", "done"}
    assert table.play("pay t8").numbers() == (0, 3, 0, 2)
    assert side(position(hands=[hand], stress=[3])).play("calm", "pay d4", "pay t6", "pay t8").numbers() == (0, 3, 0, 2)


def test_pass_is_always_possible_and_nobody_is_asked_who_can_only_pass(side):
    table = side(position(3, hands=["A1", "s1", "A2"]))
    assert (table.player(), "pass" in table.legal()) == (0, True)
    table.play("pass")
    assert table.player() == 2  # s1 alone does nothing without money or links: rails 2 and R, no place near enough
