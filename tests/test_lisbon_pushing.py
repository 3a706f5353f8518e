"""Lisbon Tram 28: trams in the way, worked examples asked of the reference and of the engine."""

from collections import Counter

import pytest
from lisbon_tables import SIDES, position


@pytest.fixture(params=SIDES)
def side(request):
    """One of the two sides; ``side(position(...))`` is a table."""
    return request.param


def trams(table):
    return table.facts()["trams"]


def drawn(table):
    """Let the tickets of a push be drawn; the players who got one, in this order."""
    order = []
    while table.player() == -1:
        before = [len(table.hand(player)) for player in range(len(trams(table)))]
        table.draw()
        order += [player for player, number in enumerate(before) if len(table.hand(player)) > number]
    return order


# ---------------------------------------------------------------------------------------------------- one tram


def test_pushed_to_the_next_stopping_place(side):
    table = side(position(hands=["R"], trams=["rossio", "santa_justa"])).play("move R", "step santa_justa")
    assert drawn(table) == [0, 1]  # one way on, nothing to decide
    assert trams(table) == ["santa_justa", "conceicao"]
    assert table.facts()["discard"] == "R"


def test_pushed_on_through_an_emptied_stop(side):
    table = side(position(hands=["R"], trams=["rossio", "santa_justa"], waiting={"conceicao": "", "chiado": ""}))
    table.play("move R", "step santa_justa")
    # coming from Santa Justa no rail leads to Chiado
    assert (table.player(), table.legal()) == (1, {"shunt se", "shunt comercio"})
    table.play("shunt comercio")
    assert drawn(table) == [0, 1]
    assert trams(table) == ["santa_justa", "comercio"]


def test_owner_decides_at_a_fork(side):
    table = side(position(hands=["RR"], trams=["rossio", "gloria"])).play("move R", "step gloria")
    assert (table.player(), table.legal()) == (1, {"shunt carmo", "shunt rato"})
    table.play("shunt carmo")
    assert drawn(table) == [0, 1]
    assert trams(table) == ["gloria", "carmo"]
    assert table.player() == 0  # and the move goes on
    assert table.has("step") == {"carmo", "rato", "rossio"}


def test_decisions_at_every_fork_of_the_way(side):
    table = side(position(hands=["R"], trams=["rossio", "gloria"], waiting={"rato": ""})).play("move R", "step gloria")
    assert (table.player(), table.legal()) == (1, {"shunt carmo", "shunt rato"})
    table.play("shunt rato")
    assert (table.player(), table.legal()) == (1, {"shunt aqueduto", "shunt lavra"})  # no rail to Sao Bento from here
    table.play("shunt lavra")
    assert drawn(table) == [0, 1]
    assert trams(table) == ["gloria", "lavra"]


def test_never_back_where_the_pusher_comes_from(side):
    table = side(position(hands=["R"], trams=["carmo", "gloria"])).play("move R", "step gloria")
    assert table.legal() == {"shunt rossio", "shunt rato"}


def test_not_back_to_rossio_by_the_same_rail(side):
    table = side(position(hands=["R"], trams=["rossio", "lavra"])).play("move R", "step lavra")
    assert table.player() == -1  # straight on to Rato, without a choice
    drawn(table)
    assert trams(table) == ["lavra", "rato"]


def test_rails_that_do_not_meet_bind_pushed_trams_at_stops_with_passengers(side):
    table = side(position(hands=["R"], trams=["chiado", "conceicao"])).play("move R", "step conceicao")
    assert table.player() == -1  # from Chiado a tram at Conceicao can only go on to the cathedral
    drawn(table)
    assert trams(table) == ["conceicao", "se"]


def test_pushed_into_rossio(side):
    table = side(position(hands=["R"], trams=["conceicao", "santa_justa"])).play("move R", "step santa_justa")
    assert drawn(table) == [0, 1]
    assert trams(table) == ["santa_justa", "rossio"]


def test_trams_in_rossio_are_in_nobodys_way(side):
    table = side(position(3, ["R"], trams=["gloria", "rossio", "rossio"])).play("move R", "step rossio")
    assert trams(table) == ["rossio"] * 3
    assert table.player() == 0
    assert table.hand(0) == ""


def test_a_tram_on_an_emptied_stop_is_run_through(side):
    start = position(hands=["R"], trams=["se", "conceicao"], waiting={"conceicao": ""})
    table = side(start).play("move R")
    assert table.has("step") == {"portas_do_sol", "comercio", "conceicao-santa_justa", "conceicao-chiado"}
    table.play("step conceicao-chiado")
    assert (table.player(), table.legal()) == (1, {"shunt bica", "shunt carmo"})  # beyond the landing place
    table.play("shunt bica")
    assert drawn(table) == [0, 1]
    assert trams(table) == ["chiado", "bica"]


def test_a_tram_on_an_emptied_stop_pushed_into_rossio(side):
    table = side(position(hands=["R"], trams=["se", "conceicao"], waiting={"conceicao": ""})).play("move R", "step conceicao-santa_justa")
    assert drawn(table) == [0, 1]
    assert trams(table) == ["santa_justa", "rossio"]


def test_mover_and_pushed_both_end_in_rossio(side):
    table = side(position(hands=["R"], trams=["graca", "martim_moniz"], waiting={"martim_moniz": ""}))
    table.play("move R", "step martim_moniz-rossio")
    assert drawn(table) == [0, 1]
    assert trams(table) == ["rossio", "rossio"]


def test_a_pushed_tram_stands_on_a_stop_that_is_emptied_later_and_blocks_the_rails(side):
    table = (
        side(position(hands=["RY", "B"], trams=["comercio", "conceicao"], waiting={"conceicao": "B"}, turn=1)).play("board", "end").draw(4)
    )
    assert table.waiting("conceicao") == ""
    table.play("move R")
    assert table.has("step") == {"cais_sodre", "se", "conceicao-santa_justa"}


# ---------------------------------------------------------------------------------------------------- several trams


def test_chain(side):
    table = side(position(3, ["R"], trams=["rossio", "gloria", "carmo"])).play("move R", "step gloria")
    assert (table.player(), table.legal()) == (1, {"shunt carmo", "shunt rato"})
    table.play("shunt carmo")
    assert drawn(table) == [0, 1, 2]
    assert trams(table) == ["gloria", "carmo", "chiado"]


def test_an_owner_may_go_round_the_next_tram(side):
    table = side(position(3, ["R"], trams=["rossio", "gloria", "carmo"])).play("move R", "step gloria", "shunt rato")
    assert drawn(table) == [0, 1]
    assert trams(table) == ["gloria", "rato", "carmo"]


def test_chain_of_decisions_from_the_pusher_outwards(side):
    table = side(position(3, ["R"], trams=["carmo", "gloria", "rato"])).play("move R", "step gloria")
    assert (table.player(), table.legal()) == (1, {"shunt rossio", "shunt rato"})
    table.play("shunt rato")
    assert (table.player(), table.legal()) == (2, {"shunt aqueduto", "shunt lavra"})
    table.play("shunt aqueduto")
    assert drawn(table) == [0, 1, 2]
    assert trams(table) == ["gloria", "rato", "aqueduto"]


def test_players_are_not_drawn_in_order_of_seats(side):
    table = side(position(3, ["", "R", ""], trams=["conceicao", "carmo", "chiado"], turn=1)).play("move R", "step chiado")
    assert (table.player(), table.legal()) == (2, {"shunt bica", "shunt conceicao"})
    table.play("shunt conceicao")
    assert table.player() == -1
    assert drawn(table) == [1, 2, 0]
    assert trams(table) == ["se", "chiado", "conceicao"]


def test_the_first_tram_met_ends_nearest(side):
    start = position(3, ["R"], trams=["comercio", "santa_justa", "conceicao"], waiting={"conceicao": ""})
    table = side(start).play("move R", "step conceicao-santa_justa")
    assert drawn(table) == [0, 2, 1]
    assert trams(table) == ["santa_justa", "rossio", "rossio"]  # the line ends in Rossio for both


def test_the_second_tram_met_goes_two_places_on(side):
    start = position(3, ["R"], trams=["se", "chiado", "conceicao"], waiting={"conceicao": ""})
    table = side(start).play("move R", "step conceicao-chiado")
    assert (table.player(), table.legal()) == (2, {"shunt bica", "shunt carmo"})  # the tram that was met first
    table.play("shunt bica")
    assert drawn(table) == [0, 2, 1]
    assert trams(table) == ["chiado", "sao_bento", "bica"]


def test_stretches_belong_to_their_owners(side):
    """A tram met on an emptied stop beyond the landing place: the stretch up to the first place is the first owner's."""
    start = position(3, ["R"], trams=["carmo", "gloria", "rato"], waiting={"rato": "", "campo_ourique": ""})
    table = side(start).play("move R", "step gloria", "shunt rato")
    assert (table.player(), table.legal()) == (1, {"shunt aqueduto", "shunt lavra"})
    table.play("shunt aqueduto")
    assert drawn(table) == [0, 1, 2]
    assert trams(table) == ["gloria", "aqueduto", "estrela"]  # through the emptied stop


def test_line_may_come_back_to_rossio_by_another_rail(side):
    start = position(3, ["R"], trams=["rossio", "gloria", "rato"], waiting={"rato": ""})
    table = side(start).play("move R", "step gloria", "shunt rato", "shunt lavra")
    assert drawn(table) == [0, 1, 2]
    assert trams(table) == ["gloria", "lavra", "rossio"]


def test_illegal_where_the_line_comes_back_to_the_mover(side):
    ring = {"trams": ["alcantara", "jeronimos", "torre_belem", "ajuda"], "waiting": {"belem": ""}}
    table = side(position(4, ["R"], **ring)).play("move R")
    assert table.has("step") == {"santos"}  # round the ring by Jeronimos or by Ajuda, three trams need the place he leaves
    ring["trams"][3] = "rossio"
    table = side(position(4, ["R"], **ring)).play("move R", "step belem-jeronimos")
    drawn(table)
    assert trams(table) == ["jeronimos", "torre_belem", "ajuda", "rossio"]


def test_illegal_where_the_line_would_cross_itself(side):
    ring = {"trams": ["santos", "alcantara", "ajuda", "torre_belem"], "waiting": {"alcantara": "", "belem": ""}}
    table = side(position(4, ["R"], **ring)).play("move R")
    assert table.has("step") == {"cais_sodre", "lapa"}  # neither by Ajuda nor by Belem there is room for all three
    ring["waiting"].pop("belem")
    table = side(position(4, ["R"], **ring)).play("move R")
    assert table.has("step") == {"cais_sodre", "lapa", "alcantara-ajuda", "alcantara-belem"}
    table.play("step alcantara-ajuda")
    assert drawn(table) == [0, 1, 2, 3]
    assert trams(table) == ["ajuda", "torre_belem", "jeronimos", "belem"]


# ---------------------------------------------------------------------------------------------------- tickets for pushing


def test_one_ticket_a_turn(side):
    table = side(position(3, ["RRYY"], trams=["rossio", "santa_justa", "lavra"])).play("move R", "step santa_justa")
    assert drawn(table) == [0, 1]
    table.play("step conceicao")
    assert (table.player(), table.has("shunt")) == (1, {"se", "comercio"})
    table.play("shunt se")
    assert table.player() == 0  # both have drawn in this turn
    assert table.facts()["trams"] == ["conceicao", "se", "lavra"]


def test_only_the_new_one_draws(side):
    table = side(position(3, ["RRY"], trams=["rossio", "santa_justa", "lavra"])).play("move R", "step santa_justa")
    assert drawn(table) == [0, 1]
    table.play("step rossio", "move Y", "step lavra")
    assert drawn(table)[:1] == [2]  # not the pusher again; then the turn is over
    assert trams(table) == ["lavra", "conceicao", "rato"]


def test_other_turn_other_tickets(side):
    table = side(position(hands=["RY", "G"], trams=["rossio", "santa_justa"])).play("move R", "step santa_justa")
    assert drawn(table) == [0, 1]
    table.play("end").draw(4).play("move G", "step santa_justa")
    assert drawn(table) == [1, 0]
    assert trams(table) == ["rossio", "santa_justa"]


def test_free_moves_push_too(side):
    table = side(position(hands=["RR"], trams=["rossio", "santa_justa"], bonuses=[["free_move"], []])).play("free santa_justa")
    assert drawn(table) == [0, 1]
    assert trams(table) == ["santa_justa", "conceicao"]
    table.play("move R", "step conceicao", "shunt comercio")
    assert table.player() == 0  # no further tickets in this turn


def test_tickets_drawn_in_a_move_do_not_pay_in_it(side):
    table = side(position(hands=["R"], trams=["rossio", "santa_justa"])).play("move R", "step santa_justa", "ticket R", "ticket Y")
    assert (table.hand(0), table.hand(1)) == ("R", "Y")
    assert table.legal() == {"move R", "end"}  # the move is over, in the next action it serves
    table = side(position(hands=["RRYY"], trams=["rossio", "santa_justa"])).play("move R", "step santa_justa", "ticket Y", "ticket Y")
    assert "step conceicao" in table.legal()
    assert "step conceicao Y" not in table.legal()  # three yellow now, two when the action began


def test_tickets_drawn_for_a_free_move_pay_in_the_next_action(side):
    table = side(position(hands=[""], trams=["rossio", "santa_justa"], bonuses=[["free_move"], []]))
    table.play("free santa_justa", "ticket R", "ticket Y")
    assert table.has("move") == {"R"}


def test_own_ticket_is_discarded_before_the_push(side):
    others = Counter(dict.fromkeys("RYGB", 27)) - Counter("RRR")
    start = position(hands=["RRR", "".join(others.elements())], trams=["rossio", "santa_justa"])
    table = side(start).play("move R", "step santa_justa")
    assert table.chance() == {"ticket R": 1}  # just paid
    table.play("ticket R")
    # nothing is left for the pushed player: he has not drawn in this turn yet
    assert table.player() == 0
    table.play("step conceicao", "shunt se", "ticket R")
    assert table.player() == 0
    assert (table.hand(0), len(table.hand(1))) == ("RR", 106)


def test_pusher_who_found_no_ticket_draws_later(side):
    others = Counter(dict.fromkeys("RYGB", 27)) - Counter("YYY")
    start = position(
        hands=["YYY", "".join(others.elements())], trams=["rossio", "santa_justa"], bonuses=[["free_move"], []], waiting={"conceicao": ""}
    )
    table = side(start).play("free santa_justa", "shunt se")
    assert table.player() == 0  # no ticket for anybody
    table.play("move Y", "step conceicao-se")
    assert table.player() == 1
    table.play("shunt portas_do_sol", "ticket Y")
    assert table.hand(0) == "YYY"


# ---------------------------------------------------------------------------------------------------- German pushes


@pytest.mark.parametrize(
    ("start", "pushed", "end"),
    [
        ("rossio", "gloria", "rato"),  # hardly a bend; Carmo lies almost back
        ("carmo", "gloria", "rato"),
        ("rato", "gloria", "rossio"),
        ("carmo", "chiado", "conceicao"),
        ("bica", "chiado", "conceicao"),
        ("estrela", "sao_bento", "bica"),
    ],
)
def test_german_push_goes_straight_on(side, start, pushed, end):
    table = side(position(hands=["R"], rules="german", trams=[start, pushed])).play("move R", f"step {pushed}")
    assert drawn(table) == [0, 1]
    assert trams(table) == [pushed, end]


def test_german_push_through_an_emptied_stop(side):
    table = side(position(hands=["R"], rules="german", trams=["carmo", "gloria"], waiting={"rato": ""})).play("move R", "step gloria")
    drawn(table)
    assert trams(table) == ["gloria", "aqueduto"]


def test_german_chain(side):
    table = side(position(3, ["R"], rules="german", trams=["carmo", "gloria", "rato"])).play("move R", "step gloria")
    assert drawn(table) == [0, 1, 2]
    assert trams(table) == ["gloria", "rato", "aqueduto"]


def test_german_free_step_pushes(side):
    start = position(hands=["R"], rules="german", trams=["rossio", "gloria"], bonuses=[["free_move"], []])
    table = side(start).play("move R", "free gloria", "ticket R", "ticket B")
    assert trams(table) == ["gloria", "rato"]
    assert table.hand(0) == "RR"
    table.play("step carmo")  # with the ticket of the move; the drawn one does not serve in this action
    assert table.legal() == {"move R", "end"}
