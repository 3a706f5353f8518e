"""Lisbon Tram 28: monuments, new passengers, the end and the result, worked examples asked of the reference and of the engine."""

from collections import Counter

import pytest
from lisbon_tables import SIDES, position


@pytest.fixture(params=SIDES)
def side(request):
    """One of the two sides; ``side(position(...))`` is a table."""
    return request.param


MONUMENTS = ["torre_belem", "jeronimos", "ajuda", "estrela", "sao_bento", "carmo", "comercio", "se", "castelo", "sao_vicente", "aqueduto"]
CARMO = ["carmo_1", "se_2", "ajuda_1"]  # carmo_1 wants RYYGG, worth 3


def at_carmo(aboard="RYYGG", **parts):
    """Player 0 on turn at Carmo with passengers; three cards are on display, Carmo's first."""
    return position(**{"trams": ["carmo", "rossio"], "display": CARMO, "aboard": [aboard, ""]} | parts)


# ---------------------------------------------------------------------------------------------------- claiming


def test_first_card_has_no_side(side):
    table = side(at_carmo())
    assert table.has("claim") == {"carmo_1"}
    table.play("claim carmo_1")
    assert table.scores() == [3, 0]
    assert table.facts()["rows"] == [["carmo_1"], []]
    assert (table.aboard(0), table.facts()["gone"]) == ("", "RYYGG")


def test_exactly_the_passengers_shown(side):
    table = side(at_carmo("RRYYYGGG", bonuses=[["seats"], []])).play("claim carmo_1")
    assert (table.aboard(0), table.facts()["gone"]) == ("RYG", "RYYGG")


@pytest.mark.parametrize("aboard", ["RYGG", "YYGG", "RRYGGBB", ""])
def test_not_with_a_passenger_too_few(side, aboard):
    assert side(at_carmo(aboard)).refuses("claim carmo_1", "claim carmo_1 L", "claim carmo_1 R")


def test_only_at_the_monument_and_only_cards_on_display(side):
    assert side(at_carmo(trams=["castelo", "rossio"])).refuses("claim carmo_1")
    assert side(at_carmo("RGB", display=["carmo_2", "se_1", "ajuda_1"])).legal() == {"claim carmo_2", "end"}
    assert side(at_carmo("RRGG", trams=["castelo", "rossio"], upcoming="castelo_1")).refuses("claim castelo_1")


def test_later_cards_go_left_or_right(side):
    table = side(at_carmo(rows=[["castelo_1"], []]))
    assert table.has("claim") == {"carmo_1 L", "carmo_1 R"}
    assert table.refuses("claim carmo_1")
    table.play("claim carmo_1 L")
    assert table.facts()["rows"][0] == ["carmo_1", "castelo_1"]
    assert table.scores() == [3 + 2 + 2, 0]  # red and blue meet
    table = side(at_carmo(rows=[["castelo_1"], []])).play("claim carmo_1 R")
    assert table.facts()["rows"][0] == ["castelo_1", "carmo_1"]
    assert table.scores() == [3 + 2, 0]  # green meets blue


def test_connections_on_both_sides(side):
    table = side(at_carmo(rows=[["castelo_1", "ajuda_2"], []]))  # 2 and 3 points; green meets blue
    assert table.scores() == [5, 0]
    table.play("claim carmo_1 L")
    assert table.scores() == [5 + 3 + 2, 0]
    table = side(at_carmo(rows=[["torre_belem_1", "ajuda_1", "jeronimos_1"], ["se_1"]], display=["carmo_1", "se_2", "castelo_1"]))
    assert table.scores() == [4 + 1 + 4 + 4, 2]  # yellow meets yellow; red does not meet green


def test_two_cards_of_one_monument(side):
    table = side(at_carmo("RRYYGGB", display=["carmo_1", "se_2", "carmo_2"]))
    assert table.has("claim") == {"carmo_1", "carmo_2"}
    table.play("claim carmo_2")
    assert table.facts()["rows"][0] == ["carmo_2"]
    while table.player() != 0:
        table.draw() if table.player() == -1 else table.play(min(table.legal()))
    assert table.has("claim") == set()  # one green passenger left
    assert table.aboard(0) == "RYYG"


def test_one_card_an_action(side):
    table = side(at_carmo("RRYYGGGB", bonuses=[["seats"], []], display=["carmo_1", "se_2", "carmo_2"])).play("claim carmo_1").draw()
    assert table.facts()["rows"][0] == ["carmo_1"]
    table.play("claim carmo_2 L").draw()
    assert table.player() == -1  # and that were both actions
    assert set(table.chance()) <= {f"ticket {colour}" for colour in "RYGB"}


def test_next_card_takes_the_free_space(side):
    table = side(at_carmo(upcoming="carmo_2", face_up=9)).play("claim carmo_1")
    assert table.facts()["display"] == ["", "carmo_2", "se_2", "ajuda_1"]
    assert table.facts()["upcoming"] == ""
    assert len(table.chance()) == 22 - 4  # cards nobody has seen
    assert table.chance()["card castelo_1"] == pytest.approx(1 / 18)
    table.play("card castelo_1")
    assert table.facts()["upcoming"] == "castelo_1"
    assert table.player() == 0
    assert table.refuses("claim carmo_2")  # its passengers are gone


def test_new_card_of_the_same_place_in_the_next_action(side):
    table = side(at_carmo("RRYYGGB", upcoming="carmo_2", bonuses=[["seats"], []])).play("claim carmo_1").draw()
    assert table.has("claim") == set()
    table = side(at_carmo("RRYYGGGB", upcoming="carmo_2", bonuses=[["seats"], []])).play("claim carmo_1").draw()
    assert table.has("claim") == {"carmo_2 L", "carmo_2 R"}
    table.play("claim carmo_2 R")
    assert table.facts()["rows"][0] == ["carmo_1", "carmo_2"]
    assert table.scores() == [3 + 1 + 1, 0]  # red meets red


# ---------------------------------------------------------------------------------------------------- new passengers


def test_right_neighbour_places_three_passengers(side):
    table = side(at_carmo(waiting={"chiado": "", "rato": "", "belem": ""})).play("claim carmo_1")
    assert set(table.chance()) == {"bag R", "bag Y", "bag G", "bag B"}
    table.play("bag B", "bag R", "bag B")
    assert (table.player(), table.legal()) == (1, {"place chiado", "place rato", "place belem"})
    assert table.facts()["display"][1] == ""  # the next card comes afterwards
    table.play("place rato")
    assert (table.waiting("rato"), table.waiting("chiado")) == ("RBB", "")
    assert table.player() == -1
    table.draw()
    assert table.player() == 0


@pytest.mark.parametrize(("players", "turn", "neighbour"), [(3, 0, 2), (3, 1, 0), (3, 2, 1), (4, 0, 3), (4, 3, 2)])
def test_who_the_right_neighbour_is(side, players, turn, neighbour):
    trams, aboard = ["rossio"] * players, [""] * players
    trams[turn], aboard[turn] = "carmo", "RYYGG"
    display = [*CARMO, "castelo_1"]
    start = position(players, trams=trams, aboard=aboard, display=display, turn=turn, waiting={"chiado": "", "rato": ""})
    table = side(start).play("claim carmo_1").draw(3)
    assert (table.player(), table.legal()) == (neighbour, {"place chiado", "place rato"})


def test_one_empty_stop_needs_no_decision(side):
    table = side(at_carmo(waiting={"chiado": ""})).play("claim carmo_1", "bag B", "bag R", "bag B")
    assert table.waiting("chiado") == "RBB"
    assert {text.split()[0] for text in table.chance()} == {"card"}


def test_no_empty_stop_no_passengers(side):
    table = side(at_carmo()).play("claim carmo_1")
    assert {text.split()[0] for text in table.chance()} == {"card"}


def test_a_stop_with_a_tram_is_not_empty(side):
    table = side(at_carmo(waiting={"chiado": "", "rato": ""}, trams=["carmo", "rato"])).play("claim carmo_1").draw(3)
    assert len(table.waiting("chiado")) == 3
    table = side(at_carmo(waiting={"rato": ""}, trams=["carmo", "rato"])).play("claim carmo_1")
    assert {text.split()[0] for text in table.chance()} == {"card"}


def test_the_stop_is_a_stopping_place_again_at_once(side):
    table = side(at_carmo(hands=["R"], waiting={"chiado": ""})).play("claim carmo_1").draw(4).play("move R")
    assert table.has("step") == {"gloria", "chiado"}


def test_delivered_passengers_may_come_back_at_once(side):
    everyone = {"graca": "RRRYYYGGGBBB", "santos": "RRRYYYGGGBBB", "belem": "RRRYYYGGGBBB", "rato": "RRRYYYGGGBBB", "alcantara": "RRYGBBB"}
    table = side(at_carmo(waiting=everyone, others="")).play("claim carmo_1")
    assert table.chance() == pytest.approx({"bag R": 1 / 5, "bag Y": 2 / 5, "bag G": 2 / 5})
    assert table.facts()["gone"] == ""
    table.play("bag R", "bag Y", "bag Y")
    assert table.facts()["bag"] == "GG"
    table.play("place chiado")
    assert table.waiting("chiado") == "RYY"


def test_bag_is_refilled_between_the_three(side):
    stops = {"graca": "RRRYYYGGGBBB", "santos": "RRRYYYGGGBBB", "belem": "RRRYYYGGGBBB", "rato": "RRRYYYGGGBBB", "alcantara": "RRGG"}
    start = position(trams=["se", "rossio"], aboard=["RYG", "YYBB"], waiting=stops, others="", display=["se_2", "carmo_1", "ajuda_1"])
    table = side(start).play("claim se_2")
    assert table.chance() == {"bag B": 1}
    table.play("bag B")
    assert table.chance() == pytest.approx({"bag R": 1 / 3, "bag Y": 1 / 3, "bag G": 1 / 3})
    table.play("bag R", "bag G", "place chiado")
    assert (table.waiting("chiado"), table.facts()["bag"], table.facts()["gone"]) == ("RGB", "Y", "")


def test_refill_model_monument(side):
    waiting = {"chiado": "", "rato": ""}
    table = side(at_carmo(refill_model="monument", waiting=waiting)).play("claim carmo_1")
    assert {text.split()[0] for text in table.chance()} == {"card"}  # Carmo has no symbol
    castelo = {"trams": ["castelo", "rossio"], "display": ["castelo_1", "se_1", "se_2"]}
    table = side(at_carmo("RRGG", refill_model="monument", waiting=waiting, **castelo)).play("claim castelo_1")
    assert {text.split()[0] for text in table.chance()} == {"bag"}


def test_refill_model_slot(side):
    table = side(at_carmo(refill_model="slot", waiting={"chiado": ""})).play("claim carmo_1")
    assert {text.split()[0] for text in table.chance()} == {"bag"}


def test_tram_may_be_pushed_onto_a_stop_filled_in_this_turn(side):
    table = side(at_carmo(hands=["R"], waiting={"chiado": ""}, trams=["carmo", "conceicao"])).play("claim carmo_1").draw(4)
    table.play("move R", "step chiado")
    assert table.at(0) == "chiado"


# ---------------------------------------------------------------------------------------------------- the end


def endgame(side, turn=0, players=2, **parts):
    """The last face-up card lies on the pile, and the player on turn can claim."""
    trams, aboard = ["rossio"] * players, [""] * players
    trams[turn], aboard[turn] = "carmo", "RYYGG"
    display = CARMO if players == 2 else [*CARMO, "castelo_1"]
    return side(position(players, trams=trams, aboard=aboard, display=display, turn=turn, upcoming="carmo_2", face_up=1, **parts))


def test_last_face_up_card_brings_the_last_round(side):
    table = endgame(side).play("claim carmo_1")
    assert table.facts()["display"] == ["", "carmo_2", "se_2", "ajuda_1"]
    assert table.facts()["upcoming"] == ""
    assert table.player() == 0  # no further card becomes visible
    table.end_turn()
    assert table.player() == 1  # the round is completed
    table.play("end").draw(3)
    assert table.player() == -1
    table.draw()
    assert table.player() == -4
    assert len(table.hand(0)) == len(table.hand(1)) == 4  # the last turn draws too
    assert table.returns() == [1, -1]


def test_last_player_of_the_round_ends_it_with_his_turn(side):
    table = endgame(side, turn=1).play("claim carmo_1", "end").draw(4)
    assert table.player() == -4
    assert table.scores() == [0, 3]
    assert table.returns() == [-1, 1]


def test_three_players_complete_the_round(side):
    table = endgame(side, turn=1, players=3).play("claim carmo_1", "end").draw(4)
    assert table.player() == 2
    table.play("end").draw(4)
    assert table.player() == -4


def test_claims_in_the_last_round_draw_from_the_face_down_pile(side):
    table = side(position(trams=["carmo", "rossio"], aboard=["RYYGG", ""], display=CARMO, face_up=0)).play("claim carmo_1")
    assert len(table.chance()) == 22 - 3
    table.play("card comercio_1")
    assert table.facts()["display"] == ["", "comercio_1", "se_2", "ajuda_1"]
    assert table.facts()["upcoming"] == ""
    assert table.player() == 0
    table.end_turn().end_turn()
    assert table.player() == -4


def test_with_no_card_left_the_space_stays_empty(side):
    numbered = [f"{name}_{number}" for name in MONUMENTS for number in (1, 2) if f"{name}_{number}" not in CARMO]
    others, more = numbered[:9], numbered[9:]
    start = position(trams=["carmo", "rossio"], aboard=["RYYGG", ""], display=CARMO, rows=[others, more], face_up=0)
    table = side(start).play("claim carmo_1 R")
    assert table.player() == 0
    assert table.facts()["display"] == ["", "", "se_2", "ajuda_1"]


def test_game_stalls_after_rounds_without_a_claim(side):
    table = side(position(stall_rounds=3, hands=["R", "B"]))
    for _ in range(2):
        table.end_turn().end_turn()
    assert table.player() == 0
    table.end_turn()
    assert table.player() == 1
    table.end_turn()
    assert table.player() == -4
    assert table.returns() == [-1, 1]  # nobody has anything: the later in the order


def test_a_claim_starts_the_count_anew(side):
    table = side(at_carmo(stall_rounds=2, quiet_rounds=1)).play("claim carmo_1").draw().end_turn().end_turn()
    assert table.player() == 0
    for _ in range(4):
        assert table.player() >= 0
        table.end_turn()
    assert table.player() == -4


def test_stall_is_checked_at_the_end_of_a_round(side):
    table = side(position(3, stall_rounds=1, turn=1)).end_turn()
    assert table.player() == 2
    table.end_turn()
    assert table.player() == -4


# ---------------------------------------------------------------------------------------------------- results


def finished(side, players=2, **parts):
    """The game is over after this turn; the display has cards that `rows` does not need."""
    display = ["aqueduto_1", "aqueduto_2", "estrela_2", "estrela_1"][: 3 if players == 2 else 4]
    return side(position(players, turn=players - 1, face_up=0, display=display, **parts)).end_turn()


def test_points_decide(side):
    table = finished(side, rows=[["torre_belem_1"], ["sao_bento_1"]], aboard=["", "RRBB"])
    assert table.scores() == [4, 3]
    assert table.returns() == [1, -1]


def test_tie_goes_to_more_connections(side):
    # carmo_1, castelo_1: 3 + 2 and two tickets; against 4 + 3 without any
    table = finished(side, rows=[["carmo_1", "castelo_1"], ["torre_belem_1", "ajuda_2"]], aboard=["", "RRBB"])
    assert table.scores() == [7, 7]
    assert table.returns() == [1, -1]


def test_then_to_more_passengers_aboard(side):
    table = finished(side, rows=[["torre_belem_1"], ["jeronimos_1"]], aboard=["RB", "R"])
    assert table.scores() == [4, 4]
    assert table.returns() == [1, -1]


def test_then_to_the_one_farther_from_the_start_player(side):
    table = finished(side, rows=[["torre_belem_1"], ["jeronimos_1"]], aboard=["R", "G"])
    assert table.returns() == [-1, 1]


def test_returns_are_evenly_spaced(side):
    rows = [["se_2"], ["torre_belem_1"], ["sao_bento_2"]]
    assert finished(side, 3, rows=rows).returns() == pytest.approx([-1, 1, 0])
    rows = [["se_2"], ["torre_belem_1"], ["sao_bento_2"], ["ajuda_2"]]
    assert finished(side, 4, rows=rows).returns() == pytest.approx([-1, 1, -1 / 3, 1 / 3])


def test_ties_among_several(side):
    rows = [["torre_belem_1"], ["jeronimos_1"], ["ajuda_1"]]
    assert finished(side, 3, rows=rows, aboard=["R", "B", "R"]).returns() == pytest.approx([-1, 0, 1])
    assert finished(side, 3, rows=rows, aboard=["RR", "BB", "R"]).returns() == pytest.approx([0, 1, -1])


def test_scores_of_all_cards_in_a_row(side):
    table = side(position(rows=[["estrela_1", "jeronimos_2", "se_1"], []], display=CARMO))
    # Y to RG: none; YG to YG: two
    assert table.scores() == [3 + 2 + 2 + 2, 0]
    assert Counter(table.facts()["rows"][0]) == Counter(["estrela_1", "jeronimos_2", "se_1"])
