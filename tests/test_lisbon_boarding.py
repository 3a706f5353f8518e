"""Lisbon Tram 28: passengers, the bell, swaps and bonuses, worked examples asked of the reference and of the engine."""

import pytest
from lisbon_tables import SIDES, position


@pytest.fixture(params=SIDES)
def side(request):
    """One of the two sides; ``side(position(...))`` is a table."""
    return request.param


def at_chiado(hand, group, **parts):
    """Player 0 on turn at Chiado, where `group` is waiting."""
    parts = {"trams": ["chiado", "rossio"]} | parts
    return position(hands=[hand], waiting={"chiado": group}, **parts)


# ---------------------------------------------------------------------------------------------------- boarding


def test_whole_group_for_tickets_of_its_colours(side):
    table = side(at_chiado("RYGG", "RYG")).play("board")
    assert (table.aboard(0), table.waiting("chiado"), table.hand(0)) == ("RYG", "", "G")
    assert table.facts()["discard"] == "RYG"  # paid without a decision
    assert table.legal() == {"move G", "end"}


@pytest.mark.parametrize("hand", ["RY", "RYYY", "RRYY", "GGRR", ""])
def test_no_boarding_without_the_tickets(side, hand):
    table = side(at_chiado(hand, "RYG"))
    assert table.has("board") == table.has("ring") == set()
    assert table.refuses("board", "ring", "ring3")


def test_no_boarding_where_nobody_waits(side):
    assert side(at_chiado("RYG", "")).refuses("board", "ring")
    for place in ("carmo", "bica", "rossio"):
        assert side(at_chiado("RYG", "RYG", trams=[place, "rossio"])).refuses("board", "ring")


def test_paid_for_everyone_although_some_find_no_seat(side):
    table = side(at_chiado("RRRGY", "RRRG", aboard=["R", ""])).play("board")
    assert (table.aboard(0), table.waiting("chiado"), table.hand(0)) == ("RRG", "RR", "Y")
    assert table.refuses("board")
    table.play("move Y")
    assert {"conceicao", "bica", "carmo"} == table.has("step")


def test_those_left_behind_keep_the_stop_open(side):
    table = side(position(hands=["RRRB"], trams=["chiado", "rossio"], waiting={"chiado": "RRR"})).play("board", "move B", "step carmo")
    table.end_turn().play("end").draw(4)
    assert table.waiting("chiado") == "R"
    assert "move R" in table.legal()
    table.play("move R")
    assert "chiado" in table.has("step")


def test_not_offered_if_nobody_finds_a_seat(side):
    assert side(at_chiado("RRRR", "RR", aboard=["RRYY", ""])).refuses("board", "ring")
    assert "board" in side(at_chiado("RRG", "RRG", aboard=["RRYY", ""])).legal()


def test_four_seats_with_the_bonus(side):
    table = side(at_chiado("RRRRR", "RRRRR", aboard=["", ""], bonuses=[["seats"], []])).play("board")
    assert (table.aboard(0), table.waiting("chiado")) == ("RRRR", "R")


# ---------------------------------------------------------------------------------------------------- swaps


def test_three_of_one_colour_for_one_of_another(side):
    table = side(at_chiado("RYYYGGG", "RB"))
    assert "board" in table.legal()
    table.play("board")
    assert table.legal() == {"swap R<Y", "swap R<G", "swap B<Y", "swap B<G"}
    table.play("swap B<G")
    assert table.player() == 0
    assert (table.hand(0), table.aboard(0), table.facts()["discard"]) == ("YYY", "RB", "RGGG")


def test_no_swap_where_nothing_can_be_swapped(side):
    table = side(at_chiado("RRYY", "RY")).play("board")
    assert table.hand(0) == "RY"


def test_an_unneeded_swap_is_a_choice(side):
    table = side(at_chiado("RYYYB", "R")).play("board")
    assert table.legal() == {"swap R<Y", "pay"}
    assert table.hand(0) == "RYYYB"  # nothing leaves the hand before the payment
    table.play("swap R<Y")
    assert (table.hand(0), table.aboard(0)) == ("RB", "R")


def test_pay_where_swaps_are_possible(side):
    table = side(at_chiado("RYYYB", "R")).play("board", "pay")
    assert (table.hand(0), table.aboard(0)) == ("YYYB", "R")


def test_swaps_come_in_order(side):
    table = side(at_chiado("GGGBBB", "RY")).play("board")
    assert table.legal() == {"swap R<G", "swap R<B"}  # yellow first would leave red unpaid: its swaps are earlier
    table.play("swap R<B")
    assert table.legal() == {"swap Y<G"}
    assert table.hand(0) == "GGGBBB"
    table.play("swap Y<G")
    assert (table.hand(0), table.aboard(0)) == ("", "RY")


def test_several_swaps_for_one_colour(side):
    table = side(at_chiado("YYYYYYYGGG", "RR")).play("board")
    assert table.legal() == {"swap R<Y"}  # green first would leave only yellow, which is earlier, for the other
    table.play("swap R<Y")
    assert table.legal() == {"swap R<Y", "swap R<G"}
    table.play("swap R<Y")
    assert (table.hand(0), table.aboard(0)) == ("YGGG", "RR")


def test_swaps_for_those_who_find_no_seat(side):
    table = side(at_chiado("YYYYYYYGGG", "RRB", aboard=["RR", ""])).play("board", "swap R<Y")
    assert table.legal() == {"swap R<Y", "swap R<G"}
    table.play("swap R<G")
    assert table.legal() == {"swap B<Y"}
    table.play("swap B<Y")
    assert (table.hand(0), table.aboard(0), table.waiting("chiado")) == ("Y", "RRB", "RR")


def test_earlier_swaps_are_closed(side):
    table = side(at_chiado("RYYYYGGGG", "RYG")).play("board")
    assert table.legal() == {"swap R<Y", "swap R<G", "swap Y<G", "swap G<Y", "pay"}
    table.play("swap Y<G")
    # three of the four green ones are reserved; red is earlier in the order
    assert table.legal() == {"swap G<Y", "pay"}
    table.play("pay")
    assert table.hand(0) == "YYYY"


def test_a_swap_must_leave_the_rest_payable(side):
    table = side(at_chiado("RYYY", "RY")).play("board")
    assert (table.hand(0), table.aboard(0)) == ("YY", "RY")  # three yellow for red would leave none for the yellow passenger


def test_tickets_reserved_for_a_swap_do_not_pay_twice(side):
    assert "board" not in side(at_chiado("YYYY", "RYY")).legal()
    table = side(at_chiado("YYYYY", "RYY")).play("board")
    assert table.legal() == {"swap R<Y"}
    table.play("swap R<Y")
    assert (table.hand(0), table.aboard(0)) == ("", "RYY")


# ---------------------------------------------------------------------------------------------------- the bell


def test_ring(side):
    table = side(at_chiado("RYGB", "RYG")).play("ring")
    assert set(table.chance()) == {"bag R", "bag Y", "bag G", "bag B"}
    bag = len(table.facts()["bag"])
    table.play("bag B")
    assert (len(table.facts()["bag"]), table.waiting("chiado")) == (bag - 1, "RYGB")
    assert table.legal() == {"pay", "decline"}  # payment is not automatic after a ring
    table.play("pay")
    assert (table.aboard(0), table.hand(0), table.waiting("chiado")) == ("RYGB", "", "")


def test_ring_that_cannot_be_paid(side):
    table = side(at_chiado("RYGG", "RYG")).play("ring", "bag B")
    assert table.player() == 0
    assert (table.aboard(0), table.hand(0), table.waiting("chiado")) == ("", "RYGG", "RYGB")
    assert table.legal() == {"move R", "move Y", "move G", "end"}
    table.play("move R", "step carmo")
    assert table.player() == -1  # the failed boarding was an action


def test_ring_paid_with_a_swap(side):
    table = side(at_chiado("RYGGGG", "RYG")).play("ring", "bag B")
    assert table.legal() == {"swap B<G", "decline"}
    table.play("swap B<G")
    assert table.legal() == {"pay", "decline"}
    table.play("pay")
    assert (table.aboard(0), table.hand(0)) == ("RYGB", "")


@pytest.mark.parametrize("way", [["decline"], ["swap B<G", "decline"]])
def test_declining_looks_like_failing(side, way):
    table = side(at_chiado("RYGGGG", "RYG")).play("ring", "bag B", *way)
    assert (table.aboard(0), table.hand(0), table.waiting("chiado")) == ("", "RYGGGG", "RYGB")
    assert table.facts()["discard"] == ""
    assert {"board", "ring"} <= table.legal()  # the next action may try again
    table.play("move Y", "step carmo", "halt")
    assert table.player() == -1


def test_no_ring_for_a_group_that_cannot_be_paid(side):
    assert side(at_chiado("RY", "RYG")).refuses("ring")


def test_ring_again_in_the_next_action(side):
    table = side(at_chiado("RRRRRGG", "R", bag="RRRRRR")).play("ring", "bag R", "decline")
    assert table.waiting("chiado") == "RR"
    table.play("ring", "bag R", "pay")
    assert (table.aboard(0), table.waiting("chiado"), table.hand(0)) == ("RR", "R", "RRGG")


def test_ring_with_an_empty_bag(side):
    table = side(at_chiado("RYGB", "R", bag="", others="")).play("ring")
    assert table.chance() == pytest.approx({"bag R": 14 / 59, "bag Y": 15 / 59, "bag G": 15 / 59, "bag B": 15 / 59})
    assert table.facts()["gone"] == ""
    table.play("bag Y", "pay")
    assert table.aboard(0) == "RY"


def test_no_ring_without_any_passenger_to_draw(side):
    everyone = dict.fromkeys(("graca", "rato", "santos", "belem"), "RRRYYYGGGBBB") | {"chiado": "RRRYYYGGGBB", "alcantara": "B"}
    table = side(position(hands=["B"], trams=["alcantara", "rossio"], waiting=everyone, others="", bonuses=[["bell"], []]))
    assert "board" in table.legal()
    assert table.refuses("ring", "ring3")


def test_bell_bonus_draws_three_and_keeps_one(side):
    table = side(at_chiado("RYGB", "RYG", bonuses=[["bell"], []]))
    assert {"board", "ring", "ring3"} <= table.legal()
    table.play("ring3", "bag R")
    assert table.waiting("chiado") == "RYG"
    table.play("bag B", "bag R")
    assert (table.player(), table.legal()) == (0, {"keep R", "keep B"})
    bag = table.facts()["bag"]
    table.play("keep B")
    assert table.waiting("chiado") == "RYGB"
    assert len(table.facts()["bag"]) == len(bag) + 2
    table.play("pay")
    assert table.aboard(0) == "RYGB"


def test_one_of_them_must_be_kept(side):
    table = side(at_chiado("RYG", "RYG", bonuses=[["bell"], []])).play("ring3", "bag B", "bag B", "bag B")
    assert table.legal() == {"keep B"}
    table.play("keep B")
    assert (table.player(), table.waiting("chiado"), table.hand(0)) == (0, "RYGB", "RYG")
    assert "pay" not in table.legal()


def test_bell_bonus_once_a_turn(side):
    table = side(at_chiado("RRRRRR", "R", bonuses=[["bell"], []], bag="RRRRRRR"))
    table.play("ring3", "bag R", "bag R", "bag R", "keep R", "decline")
    assert {"board", "ring"} <= table.legal()
    assert table.refuses("ring3")
    table.play("ring", "bag R", "pay").draw(4).end_turn()
    assert "ring3" not in table.legal()  # both seats are taken
    fresh = side(at_chiado("RRRRRR", "R", bonuses=[["bell"], []], bag="RRRRRRR"))
    fresh.play("ring3", "bag R", "bag R", "bag R", "keep R", "decline").end_turn().end_turn()
    assert "ring3" in fresh.legal()


def test_plain_ring_leaves_the_bell_bonus(side):
    table = side(at_chiado("RRRRRR", "R", bonuses=[["bell"], []], bag="RRRRRRR")).play("ring", "bag R", "decline")
    assert "ring3" in table.legal()


def test_bell_bonus_needs_the_bonus(side):
    assert side(at_chiado("RYGB", "RYG", bonuses=[["seats", "action", "free_move"], ["bell"]])).refuses("ring3")


def test_bag_is_refilled_between_the_three(side):
    table = side(at_chiado("RYG", "RYG", bag="R", bonuses=[["bell"], []])).play("ring3")
    assert table.chance() == {"bag R": 1}
    table.play("bag R")
    assert table.chance() == pytest.approx({"bag R": 13 / 46, "bag Y": 14 / 46, "bag G": 14 / 46, "bag B": 5 / 46})
    table.play("bag Y", "bag Y", "keep Y")
    assert table.facts()["gone"] == ""
    assert len(table.facts()["bag"]) == 46


def test_fewer_than_three_to_draw(side):
    everyone = dict.fromkeys(("graca", "rato", "santos", "belem"), "RRRYYYGGGBBB") | {"chiado": "RRRYYYGGG", "alcantara": "B"}
    table = side(position(hands=["BB"], trams=["alcantara", "rossio"], waiting=everyone, others="", bonuses=[["bell"], []]))
    table.play("ring3", "bag B")
    assert table.chance() == {"bag B": 1}
    table.play("bag B")
    assert table.legal() == {"keep B"}
    table.play("keep B", "pay")
    assert (table.aboard(0), table.facts()["bag"]) == ("BB", "B")


# ---------------------------------------------------------------------------------------------------- bonuses


@pytest.mark.parametrize(
    ("player", "bonuses"),
    [
        (0, {"santa_justa": "action", "gloria": "free_move", "bica": "seats", "lavra": "bell"}),
        (1, {"santa_justa": "seats", "gloria": "action", "bica": "bell", "lavra": "free_move"}),
        (2, {"santa_justa": "bell", "gloria": "seats", "bica": "free_move", "lavra": "action"}),
        (3, {"santa_justa": "free_move", "gloria": "bell", "bica": "action", "lavra": "seats"}),
    ],
)
def test_each_player_has_pairings_of_his_own(side, player, bonuses):
    for place, bonus in bonuses.items():
        trams = ["rossio"] * 4
        trams[player] = place
        colour = {"santa_justa": "R", "gloria": "B", "bica": "Y", "lavra": "G"}[place]
        hands = [""] * 4
        hands[player] = colour * 4
        table = side(position(4, hands, trams=trams, turn=player)).play("bonus")
        assert table.facts()["bonuses"][player] == [bonus]
        assert table.hand(player) == colour
        assert table.facts()["discard"] == colour * 3
        assert table.refuses("bonus")


def test_bonus_needs_its_stop_and_three_tickets(side):
    def table(hand, place):
        return side(position(hands=[hand], trams=[place, "rossio"]))

    assert table("RRYYYGGBB", "santa_justa").legal() >= {"bonus"}
    assert table("RRYYGGBB", "santa_justa").refuses("bonus")
    assert table("RRRYYYGGGBBB", "rossio").refuses("bonus")
    assert table("RRRYYYGGGBBB", "carmo").refuses("bonus")
    assert table("BBB", "santa_justa").refuses("bonus")


def test_bonus_paid_with_swaps(side):
    table = side(position(hands=["RRYYYGGG"], trams=["santa_justa", "rossio"])).play("bonus")
    assert table.legal() == {"swap R<Y", "swap R<G"}
    assert table.refuses("decline", "pay")
    table.play("swap R<G")
    assert (table.hand(0), table.facts()["bonuses"][0]) == ("YYY", ["action"])


def test_bonus_paid_with_nine_others(side):
    table = side(position(hands=["YYYYYYYYY"], trams=["santa_justa", "rossio"])).play("bonus", "swap R<Y", "swap R<Y", "swap R<Y")
    assert (table.hand(0), table.facts()["bonuses"][0]) == ("", ["action"])


def test_bonus_stop_is_for_everybody(side):
    table = side(position(hands=["", "RRR"], trams=["rossio", "santa_justa"], bonuses=[["action"], []], turn=1)).play("bonus")
    assert table.facts()["bonuses"] == [["action"], ["seats"]]


def test_a_bonus_is_had_once(side):
    assert side(position(hands=["RRR"], trams=["santa_justa", "rossio"], bonuses=[["action"], []])).refuses("bonus")
    assert "bonus" in side(position(hands=["BBB"], trams=["gloria", "rossio"], bonuses=[["action", "seats", "bell"], []])).legal()


def test_third_action_in_the_same_turn(side):
    table = side(position(hands=["RRRBGY"], trams=["santa_justa", "rossio"])).play("bonus", "move B", "step conceicao", "move G", "step se")
    assert table.player() == -1
    table.draw(4).end_turn()
    assert table.hand(0) == "RRRRY"  # three tickets for the bonus, four from the pile
    table.play("move R", "step comercio", "halt", "move R", "step se", "halt")
    assert table.player() == 0  # three actions in every turn from now on


def test_third_action_bought_with_the_second(side):
    table = side(position(hands=["RRRBG"], trams=["rossio", "rossio"])).play("move B", "step santa_justa", "halt", "bonus")
    assert table.legal() == {"move G", "end"}
    table.play("move G", "step conceicao")
    assert table.player() == -1


def test_seats_at_once(side):
    table = side(position(hands=["YYYRRR"], trams=["bica", "rossio"], aboard=["RR", ""], waiting={"chiado": "R"}, bonuses=[["action"], []]))
    table.play("bonus", "pay", "move R", "step chiado", "halt", "board")
    assert table.aboard(0) == "RRR"


def test_bell_at_once(side):
    table = side(position(hands=["GGGRR"], trams=["lavra", "rossio"], waiting={"rato": "R"}, bonuses=[["action"], []]))
    table.play("bonus", "move R", "step rato", "halt")
    assert "ring3" in table.legal()


def test_free_move_at_once(side):
    table = side(position(hands=["BBBR"], trams=["rossio", "rossio"])).play("move R", "step gloria", "halt", "bonus")
    assert table.legal() == {"free rossio", "free carmo", "free rato", "end"}
