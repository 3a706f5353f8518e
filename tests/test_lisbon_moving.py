"""Lisbon Tram 28: setting up and moving, worked examples asked of the reference and of the engine."""

from collections import Counter

import pytest
from lisbon_tables import SIDES, position

RINGED = {"martim_moniz", "santa_justa", "lavra", "gloria"}  # around Rossio


@pytest.fixture(params=SIDES)
def side(request):
    """One of the two sides; ``side(position(...))`` is a table, ``side.start()`` the beginning."""
    return request.param


# ---------------------------------------------------------------------------------------------------- setting up


@pytest.mark.parametrize(("players", "stops", "cards"), [(2, 11, 3), (3, 11, 4), (4, 14, 4)])
def test_setup_order(side, players, stops, cards):
    table = side.start(players)
    order = []
    while table.player() == -1:
        order.append(next(iter(table.chance())).split()[0])
        table.draw()
    assert order == ["bag"] * 3 * stops + ["ticket"] * 5 * players + ["card"] * (cards + 1)
    facts = table.facts()
    assert table.player() == 0
    assert [len(group) for group in facts["waiting"].values()] == [3] * stops
    assert [len(hand) for hand in facts["hands"]] == [5] * players
    assert len(facts["bag"]) == 60 - 3 * stops
    assert len(facts["pile"]) == 108 - 5 * players
    assert facts["trams"] == ["rossio"] * players
    assert facts["gone"] == facts["discard"] == ""
    assert [bool(card) for card in facts["display"]] == [players > 2, True, True, True]  # the first space is covered with two players
    assert facts["upcoming"]
    assert table.scores() == [0] * players


def test_setup_fills_stop_by_stop_and_hand_by_hand(side):
    table = side.start()
    table.play("bag R", "bag Y", "bag B")
    assert table.waiting("martim_moniz") == "RYB"
    table.play("bag G")
    assert table.waiting("graca") == "G"
    table.draw(29).play(*["ticket B"] * 5, *["ticket G"] * 4)
    assert (table.hand(0), table.hand(1)) == ("BBBBB", "GGGG")


def test_setup_probabilities(side):
    table = side.start()
    assert table.chance() == pytest.approx({f"bag {colour}": 1 / 4 for colour in "RYGB"})
    table.play("bag R", "bag R")
    assert table.chance() == pytest.approx({"bag R": 13 / 58, "bag Y": 15 / 58, "bag G": 15 / 58, "bag B": 15 / 58})
    table.play(*["bag R"] * 13)
    assert table.chance() == pytest.approx({"bag Y": 1 / 3, "bag G": 1 / 3, "bag B": 1 / 3})
    table.draw(18)
    assert table.chance() == pytest.approx({f"ticket {colour}": 1 / 4 for colour in "RYGB"})
    table.play("ticket Y")
    assert table.chance()["ticket Y"] == pytest.approx(26 / 107)
    table.draw(9)
    assert len(table.chance()) == 22
    assert list(table.chance().values()) == pytest.approx([1 / 22] * 22)
    table.play("card se_2")
    assert len(table.chance()) == 21
    assert table.refuses("card se_2", "end", "move Y")
    table.play("card se_1", "card carmo_2", "card ajuda_1")
    assert table.facts()["display"] == ["", "se_2", "se_1", "carmo_2"]
    assert table.facts()["upcoming"] == "ajuda_1"
    assert table.player() == 0


# ---------------------------------------------------------------------------------------------------- single steps and tickets


def test_a_ticket_of_any_colour_is_a_step(side):
    table = side(position(hands=["RB"]))
    assert table.legal() == {"move R", "move B", "end"}
    table.play("move B")
    assert table.legal() == {f"step {place}" for place in RINGED}
    assert table.hand(0) == "RB"  # the ticket goes with the step
    table.play("step gloria")
    assert (table.at(0), table.hand(0), table.facts()["discard"]) == ("gloria", "R", "B")
    assert table.legal() == {"move R", "end"}  # no further blue ticket: the action ended by itself


def test_more_steps_for_tickets_of_the_same_colour(side):
    table = side(position(hands=["RRRB"])).play("move R", "step gloria")
    assert table.legal() == {"step carmo", "step rato", "step rossio", "halt"}
    table.play("step carmo")
    assert table.legal() == {"step chiado", "step gloria", "halt"}
    table.play("halt")
    assert (table.hand(0), table.facts()["discard"]) == ("RB", "RR")
    assert table.legal() == {"move R", "move B", "end"}


def test_no_halt_where_nothing_can_be_paid(side):
    table = side(position(hands=["RRYY"])).play("move R", "step gloria", "step carmo")
    assert "halt" not in table.legal()
    assert table.legal() == {"move Y", "end"}


def test_three_for_one_in_a_move(side):
    table = side(position(hands=["RYYYGG"])).play("move R", "step gloria")
    assert table.legal() == {"step carmo Y", "step rato Y", "step rossio Y", "halt"}
    table.play("step carmo Y")
    assert (table.at(0), table.hand(0), table.facts()["discard"]) == ("carmo", "GG", "RYYY")


def test_three_for_one_several_times_and_beside_own_tickets(side):
    table = side(position(hands=["RRYYYYYYBBB"])).play("move R", "step gloria")
    assert {"step carmo", "step carmo Y", "step carmo B"} <= table.legal()
    assert "step carmo G" not in table.legal()
    table.play("step carmo Y", "step gloria Y", "step rossio B")
    assert table.legal() == {f"step {place}" for place in RINGED} | {"halt"}
    table.play("step lavra")
    assert (table.hand(0), table.facts()["discard"]) == ("", "RRYYYYYYBBB")
    assert table.legal() == {"end"}


def test_first_step_is_never_exchanged(side):
    table = side(position(hands=["RYYYYBBB"])).play("move R")
    assert table.legal() == {f"step {place}" for place in RINGED}
    assert table.refuses("step gloria Y", "step gloria B", "halt", "end")


def test_a_move_needs_a_ticket_of_its_colour(side):
    table = side(position(hands=["YYYB"]))
    assert table.has("move") == {"Y", "B"}


def test_two_moves_in_a_turn_may_have_two_colours(side):
    table = side(position(hands=["RB", "G"])).play("move R", "step gloria", "move B", "step carmo")
    assert table.player() == -1  # both actions are used: the turn has ended by itself
    table.draw(4)
    assert table.player() == 1
    assert len(table.hand(0)) == 4


# ---------------------------------------------------------------------------------------------------- rails and emptied stops


def test_emptied_stops_do_not_count(side):
    table = side(position(hands=["R"], trams=["se", "rossio"], waiting={"conceicao": "", "chiado": ""})).play("move R")
    assert table.legal() == {
        "step portas_do_sol",
        "step comercio",
        "step conceicao-santa_justa",
        "step conceicao-chiado-bica",
        "step conceicao-chiado-carmo",
    }
    table.play("step conceicao-chiado-bica")
    assert (table.at(0), table.facts()["discard"]) == ("bica", "R")


def test_a_stop_with_a_passenger_is_a_stopping_place(side):
    table = side(position(hands=["R"], trams=["se", "rossio"], waiting={"conceicao": "G", "chiado": ""})).play("move R")
    assert table.legal() == {"step portas_do_sol", "step comercio", "step conceicao"}


def test_rails_that_do_not_meet_bite_only_at_emptied_stops(side):
    table = side(position(hands=["RR"], trams=["chiado", "rossio"], waiting={"conceicao": ""})).play("move R")
    assert table.legal() == {"step conceicao-se", "step bica", "step carmo"}
    table = side(position(hands=["RR"], trams=["chiado", "rossio"])).play("move R", "step conceicao")
    assert table.legal() == {"step se", "step santa_justa", "step chiado", "step comercio", "halt"}  # from a standstill everywhere


def test_rails_that_do_not_meet_in_both_directions(side):
    table = side(position(hands=["R"], trams=["comercio", "rossio"], waiting={"conceicao": "", "chiado": ""})).play("move R")
    assert table.legal() == {"step conceicao-santa_justa", "step se", "step cais_sodre"}


def test_no_reversing_within_a_step(side):
    table = side(position(hands=["R"], trams=["jeronimos", "rossio"], waiting={"belem": "", "alcantara": "", "santos": ""})).play("move R")
    # from Belem no rail leads to Ajuda, from Alcantara none to Estrela
    assert table.legal() == {"step torre_belem", "step belem-alcantara-santos-cais_sodre"}


def test_all_stops_empty(side):
    table = side(position(hands=["R"], others="")).play("move R")
    assert table.legal() == {
        "step gloria",
        "step lavra",
        "step santa_justa",
        "step martim_moniz-castelo",
        "step martim_moniz-graca-sao_vicente",
    }


def test_a_tram_stays_at_the_stop_it_has_emptied(side):
    table = side(position(hands=["RGR"], trams=["graca", "rossio"], waiting={"graca": "G", "martim_moniz": ""})).play("board")
    assert (table.at(0), table.waiting("graca"), table.aboard(0)) == ("graca", "", "G")
    table.play("move R")
    assert table.legal() == {"step sao_vicente", "step martim_moniz-rossio"}


def test_used_bonus_stops_and_monuments_without_cards_are_stopping_places(side):
    table = side(position(hands=["RR"], trams=["rossio", "rossio"], bonuses=[["free_move"], []], display=["ajuda_1", "ajuda_2", "se_1"]))
    table.play("move R", "step gloria")
    assert {"step carmo", "halt"} <= table.legal()


# ---------------------------------------------------------------------------------------------------- the free move


def test_free_move_costs_nothing_and_is_there_once(side):
    table = side(position(hands=["RR"], bonuses=[["free_move"], []]))
    assert table.has("free") == RINGED
    table.play("free gloria")
    assert (table.at(0), table.hand(0)) == ("gloria", "RR")
    assert table.has("free") == set()
    table.play("move R", "step carmo", "halt", "move R", "step chiado")
    assert table.player() == -1


def test_free_move_is_not_offered_inside_a_move(side):
    table = side(position(hands=["RR"], bonuses=[["free_move"], []])).play("move R", "step gloria")
    assert table.has("free") == set()
    table.play("halt")
    assert table.has("free") == {"carmo", "rato", "rossio"}


def test_free_move_after_the_last_action(side):
    table = side(position(hands=["RR"], bonuses=[["free_move"], []])).play("move R", "step gloria", "halt", "move R", "step carmo")
    assert table.legal() == {"free gloria", "free chiado", "end"}
    table.play("free chiado")
    assert (table.player(), table.at(0)) == (-1, "chiado")


def test_turn_with_an_unused_free_move_has_to_be_ended(side):
    table = side(position(hands=["RR"], bonuses=[["free_move"], []])).play("move R", "step gloria", "halt", "move R", "step carmo", "end")
    assert table.player() == -1


def test_free_move_is_per_turn(side):
    table = side(position(hands=["RR", "Y"], bonuses=[["free_move"], []])).play("free gloria").end_turn().end_turn()
    assert table.player() == 0
    assert table.has("free") == {"carmo", "rato", "rossio"}


def test_free_move_runs_through_emptied_stops(side):
    table = side(position(hands=[""], bonuses=[["free_move"], []], waiting={"martim_moniz": ""}))
    assert table.legal() == {"free gloria", "free lavra", "free santa_justa", "free martim_moniz-castelo", "free martim_moniz-graca", "end"}


def test_german_free_step_belongs_to_a_move(side):
    table = side(position(hands=["RR"], rules="german", bonuses=[["free_move"], []]))
    assert table.legal() == {"move R", "end"}
    table.play("move R")
    assert table.legal() == {f"{verb} {place}" for verb in ("step", "free") for place in RINGED}
    table.play("free gloria")
    assert table.legal() == {"step carmo", "step rato", "step rossio", "halt"}
    assert table.hand(0) == "RR"
    table.play("halt")
    assert (table.hand(0), table.has("free"), table.has("move")) == ("RR", set(), {"R"})


def test_german_first_paid_step_after_the_free_one_pays_its_own_colour(side):
    table = side(position(hands=["RYYYY"], rules="german", bonuses=[["free_move"], []])).play("move R", "free gloria")
    assert table.legal() == {"step carmo", "step rato", "step rossio", "halt"}
    table.play("step carmo")
    assert table.hand(0) == "YYYY"
    assert table.has("step") == {"chiado Y", "gloria Y"}


def test_german_halt_while_the_free_step_is_open(side):
    table = side(position(hands=["R"], rules="german", bonuses=[["free_move"], []])).play("move R", "step gloria")
    assert table.legal() == {"free carmo", "free rato", "free rossio", "halt"}
    table.play("free carmo")
    assert table.legal() == {"end"}
    assert table.at(0) == "carmo"


def test_german_free_step_in_each_move(side):
    table = side(position(hands=["RY"], rules="german", bonuses=[["free_move"], []]))
    table.play("move R", "free gloria", "step carmo", "move Y", "step chiado", "free bica")
    assert (table.player(), table.at(0), table.hand(0)) == (-1, "bica", "")


def test_german_turn_ends_without_the_free_step(side):
    table = side(position(hands=["RY"], rules="german", bonuses=[["free_move"], []]))
    table.play("move R", "step gloria", "halt", "move Y", "step carmo", "halt")
    assert table.player() == -1


# ---------------------------------------------------------------------------------------------------- actions and turns


def test_three_actions_with_the_bonus(side):
    table = side(position(hands=["RYG"], bonuses=[["action"], []])).play("move R", "step gloria", "move Y", "step carmo")
    assert table.legal() == {"move G", "end"}
    table.play("move G", "step chiado")
    assert table.player() == -1


def test_actions_may_be_left_out_and_four_tickets_come_anyway(side):
    table = side(position(hands=["RR", "Y"])).play("end")
    assert {len(text.split()) for text in table.chance()} == {2}
    table.play("ticket G", "ticket G", "ticket B", "ticket Y")
    assert (table.player(), table.hand(0), table.hand(1)) == (1, "RRYGGB", "Y")


def test_end_is_shown_even_alone(side):
    assert side(position(hands=[""])).legal() == {"end"}


def test_ticket_pile_is_refilled_when_a_draw_is_due(side):
    held = Counter(dict.fromkeys("RYGB", 27)) - Counter("RRRRRYYYYY")
    table = side(position(hands=["RR", "".join(held.elements())], pile="RYY"))  # RRYYY discarded
    table.play("move R", "step gloria", "halt", "end")
    assert table.chance() == pytest.approx({"ticket R": 1 / 3, "ticket Y": 2 / 3})
    table.play("ticket R", "ticket Y", "ticket Y")
    assert table.chance() == pytest.approx({"ticket R": 1 / 2, "ticket Y": 1 / 2})
    table.play("ticket Y")
    assert table.player() == 1
    assert table.hand(0) == "RRYYY"


def test_who_finds_no_ticket_draws_none(side):
    held = Counter(dict.fromkeys("RYGB", 27)) - Counter("RRG")
    table = side(position(hands=["RR", "".join(held.elements())], pile="G")).play("move R", "step gloria", "halt", "end", "ticket G")
    assert table.chance() == {"ticket R": 1}  # a chance with one outcome is shown
    table.play("ticket R")
    assert table.player() == 1
    assert table.hand(0) == "RRG"
    table.play("end")
    assert table.player() == 0  # nothing left for him
