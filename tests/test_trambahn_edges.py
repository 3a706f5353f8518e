"""Trambahn: what the rules leave to be decided, and the fine print of the notation, asked of the reference and of the engine."""

import pytest
from trambahn_reference import POINTS
from trambahn_tables import EngineTable, ReferenceTable, position

THEIRS = "Y1 Y2 Y3 Y4 Y5 Y6"
BOTH = pytest.mark.parametrize("halving", ["on_empty", "on_need"])


@pytest.fixture(params=[ReferenceTable, EngineTable], ids=["reference", "engine"])
def table(request):
    """Makes a table on one of the two sides from the parts of a position; the other player's hand is ``THEIRS`` if not given."""

    def make(hand, theirs=THEIRS, **parts):
        return request.param(position(hands=(hand, theirs), **parts))

    return make


def evenly(verb, cards):
    """Chance outcomes of a pile of different cards."""
    cards = cards.split()
    return {f"{verb} {card}": pytest.approx(1 / len(cards), abs=1e-15) for card in cards}


# ---------------------------------------------------------------------------------------------------- passengers


def test_first_passenger_is_compulsory(table):
    t = table("B7 B7 C R10 Y2 Y2")
    assert t.legal() == {"board B7", "board C>B", "board C>R", "board C>G", "board C>Y", "board R10", "board Y2"}
    t.play("board B7")
    assert t.legal() == {"board B7", "board C>B", "board C>R", "board C>G", "board C>Y", "board R10", "board Y2", "done"}


def test_two_passengers_are_the_most(table):
    t = table("B7 B8 C R10 Y2 Y2").play("board B7", "board B8")
    assert not any(text.startswith("board") for text in t.legal())
    assert "build C>newB" in t.legal()


def test_single_card_is_shown_and_ends_the_step(table):
    t = table("R2")
    assert t.legal() == {"board R2"}
    t.play("board R2")
    assert t.player() == -1


def test_four_conductors_score_the_row(table):
    t = table("C R1 R2 R3 R4 R5", rows={"R": "C C C"}, columns=(["R 8 x2"], []))
    t.play("board C>R")
    assert (t.scores(), t.scorings(), t.rows()["R"]) == ([4, 0], 1, [])


def test_tenth_scoring_by_the_second_passenger(table):
    t = table("R1 B1 Y7 Y8 Y9 Y10", scorings=9, rows={"B": "B2 B3 B4"}, money=(9, 5), columns=(["B 7 x2"], []))
    t.play("board R1", "board B1")
    assert t.player() == -4
    assert (t.scores(), t.returns()) == ([4, 0], [1, -1])
    assert t.refuses("done", "build Y7>new", "bank Y7", "draw Y7", "board Y7")
    assert len(t.hand(0)) == 4
    assert t.money(0) == 9


def test_ninth_and_tenth_scoring_in_one_turn(table):
    t = table("G1 B1 Y7 Y8 Y9 Y10", scorings=8, rows={"B": "B2 B3 B4", "G": "G2 G3 G4"}, columns=(["B 7 x2"], ["G 10 x2"]))
    t.play("board B1")
    assert (t.scores(), t.scorings(), t.player()) == ([4, 0], 9, 0)
    t.play("board G1")
    assert (t.scores(), t.scorings(), t.player()) == ([4, 6], 10, -4)
    assert t.returns() == [-1, 1]


def test_second_player_may_end_the_game_and_lose_it(table):
    t = table("R1 R2", turn=1, theirs="B1 B2", scorings=9, rows={"B": "B3 B4 B5"}, columns=(["B 7 x2"], []))
    t.play("board B1")
    assert t.player() == -4
    assert t.returns() == [1, -1]


def test_returns_are_plain_at_unequal_scores(table):
    t = table("B1 B2", scorings=9, rows={"B": "B3 B4 B5"}, points=[3, 4], money=(9, 0))
    t.play("board B1")
    assert t.returns() == [-1, 1]  # the money decides a tie and nothing else


@pytest.mark.parametrize("number", range(1, 11))
def test_victory_points_of_each_value(table, number):
    t = table("B5 R1", rows={"B": "B6 C C"}, columns=([f"B {number} x2"], []))
    t.play("board B5")
    assert t.scores() == [2 * POINTS[number], 0]


@pytest.mark.parametrize(("tram", "points"), [(2, 10), (3, 15), (4, 20)])
def test_multipliers(table, tram, points):
    t = table("B5 R1", rows={"B": "B6 C C"}, columns=([f"B 3 8 9 x{tram}"], []), fill="RGY")
    t.play("board B5")
    assert t.scores() == [points, 0]


# ---------------------------------------------------------------------------------------------------- stations


def test_new_column_is_a_free_choice(table):
    t = table("Y1 B5", columns=(["B 3 x2", "B 4 x2"], [])).play("board Y1", "done")
    assert t.legal() == {"build B5>0", "build B5>1", "build B5>new", "done"}


def test_column_number_never_decreases(table):
    t = table("Y1 B5 R5 C", columns=(["B 3 x2", "R 4 x2"], [])).play("board Y1", "done", "build R5>1")
    assert t.legal() == {"build B5>new", "build C>1", "build C>newB", "build C>newR", "build C>newG", "build C>newY", "done"}
    assert t.refuses("build B5>0", "build C>0")


def test_new_columns_open_in_card_order(table):
    t = table("Y1 R5 B3 R4 C G1").play("board Y1", "done", "build R5>new")
    assert t.legal() == {"build C>0", "build C>newR", "build C>newG", "build C>newY", "build G1>new", "done"}
    assert t.refuses("build B3>new", "build R4>new", "build C>newB", "build R4>0")


def test_equal_first_cards_may_open_one_after_the_other(table):
    t = table("Y1 R5 R5 R5 C C").play("board Y1", "done", "build R5>new")
    assert "build R5>new" in t.legal()
    t.play("build R5>new", "build C>newR", "build C>newR")
    assert t.columns(0) == ["R 5", "R 5", "R C", "R C"]
    assert t.legal() == {"build R5>3", "done"}  # no further new column: the third R5 sorts before a conductor declared red


def test_conductor_sorts_after_the_ten_of_its_colour(table):
    t = table("Y1 C C R10 G1 B10").play("board Y1", "done", "build C>newR")
    assert t.legal() == {"build C>0", "build R10>0", "build C>newR", "build C>newG", "build C>newY", "build G1>new", "done"}


def test_ten_then_conductor_of_the_same_colour(table):
    t = table("Y1 C R10").play("board Y1", "done", "build R10>new")
    assert t.legal() == {"build C>newR", "build C>newG", "build C>newY", "done"}


def test_opened_column_can_be_built_on_until_the_next(table):
    t = table("Y1 R5 R7 R9 G1 C", columns=(["R 1 x2"], [])).play("board Y1", "done", "build R5>new")
    assert {"build R7>1", "build R9>1", "build C>1"} <= t.legal()
    assert t.refuses("build R7>0")
    t.play("build R7>1", "build G1>new")
    assert t.refuses("build R9>1", "build C>1")
    assert "build C>2" in t.legal()


def test_building_on_an_old_column_does_not_bind_the_first_new_one(table):
    t = table("Y1 R5 B2", columns=(["R 1 x2"], [])).play("board Y1", "done", "build R5>0")
    assert t.legal() == {"build B2>new", "done"}


def test_stations_that_fit_nowhere_any_more_are_passed_over(table):
    t = table("Y1 Y5 B1").play("board Y1", "done", "build Y5>new")
    assert t.legal() == {"bank B1", "done"}


def test_conductor_is_transparent(table):
    t = table("Y1 G5 G4", columns=(["G 4 C C x2"], [])).play("board Y1", "done")
    assert t.legal() == {"build G5>0", "build G5>new", "build G4>new", "done"}


def test_column_of_conductors_only(table):
    t = table("Y1 C C R1 R2", rows={"R": "R7 R8 R9"}, money=(5, 0), theirs="R3 Y2 Y3 Y4 Y5 Y6")
    t.play("board Y1", "done", "build C>newR", "build C>0", "done", "done", "buy 2>0")
    t.end_turn().play("board R3")
    assert t.columns(0) == ["R C C x2"]
    assert (t.scores(), t.scorings()) == ([0, 0], 1)
    t.end_turn()
    t.play("board R2", "done", "build R1>0")
    assert t.columns(0) == ["R C C 1 x2"]


def test_declared_colour_counts_not_the_row_of_another(table):
    t = table("B1 Y7", rows={"B": "B2 B3 B4", "R": "R2 R3 R4"}, columns=(["R C 7 x2"], []), theirs="R1 Y1")
    t.play("board B1")
    assert t.scores() == [0, 0]
    t.end_turn().play("board R1")
    assert t.scores() == [4, 0]


def test_two_extra_tours_in_one_turn(table):
    t = table("Y1 B8 R8 C C C", columns=(["B 1 2 3 4 5 6 7 x2", "R C 2 3 4 5 6 9 x2"], []), scorings=9)
    t.play("board Y1", "done", "build B8>0")
    assert t.scores() == [20, 0]
    t.play("build C>1")
    assert t.scores() == [34, 0]
    t.play("build C>1", "build C>1")
    assert (t.scores(), t.scorings(), t.player()) == ([34, 0], 9, 0)


def test_extra_tour_is_for_the_owner_and_that_column_only(table):
    t = table("Y1 B9", columns=(["B 1 2 3 4 5 6 7 x2", "B 10 x2"], ["B 8 9 10 x2"])).play("board Y1", "done", "build B9>0")
    assert t.scores() == [20, 0]


def test_more_new_columns_than_can_be_paid_for(table):
    t = table("Y1 B9 R9 G9 C C", money=(0, 0)).play(
        "board Y1", "done", "build B9>new", "build R9>new", "build G9>new", "build C>newG", "build C>newY"
    )
    assert t.player() == -1  # nothing left to bank or to pay with
    assert t.columns(0) == []
    assert t.money(0) == 5


# ---------------------------------------------------------------------------------------------------- income, trams, clean-up


def test_income_goes_in_card_order(table):
    t = table("Y1 B9 R3 R3 R2 C").play("board Y1", "done", "done")
    assert t.legal() == {"bank B9", "bank R2", "bank R3", "bank C", "done"}
    t.play("bank R3")
    assert t.legal() == {"bank R3", "bank C", "done"}
    assert t.refuses("bank B9", "bank R2")
    t.play("bank R3", "bank C")
    assert t.player() == -1  # only lower cards are left: `done` is passed over
    assert t.money(0) == 3


def test_empty_hand_passes_over_stations_and_income(table):
    t = table("R1 R2").play("board R1", "board R2")
    assert t.player() == -1
    t = table("Y1 B1", money=(5, 0)).play("board Y1", "done", "build B1>new")
    assert t.legal() == {"buy 2>0", "done"}


@pytest.mark.parametrize(("money", "trams"), [(4, ""), (5, "2"), (9, "2"), (10, "2 3"), (14, "2 3"), (15, "2 3 4"), (30, "2 3 4")])
def test_prices(table, money, trams):
    t = table("Y1 B1", money=(money, 0), open=[2, 3, 4], fill="RG").play("board Y1", "done", "build B1>new")
    if trams:
        assert t.legal() == {f"buy {tram}>0" for tram in trams.split()} | {"done"}
        t.play(f"buy {trams[-1]}>0")
        assert t.money(0) == money - 5 * (int(trams[-1]) - 1)
    assert t.player() == -1


def test_trams_need_a_column_without_one(table):
    t = table("Y1 B1", money=(30, 0), columns=(["B 5 x2"], [])).play("board Y1", "done", "done", "bank B1")
    assert t.player() == -1  # money enough, but nothing to put a tram on


def test_trams_in_column_order_and_renumbering(table):
    t = table("Y1 R5 R7 R9 R10 G1", money=(12, 0), columns=(["B 1 x2"], []))
    t.play("board Y1", "done", "build R5>new", "build R7>new", "build R9>new", "done", "done")
    assert t.legal() == {"buy 2>1", "buy 2>2", "buy 2>3", "done"}
    t.play("buy 2>2")
    assert t.legal() == {"buy 2>3", "done"}
    assert t.refuses("buy 2>1", "buy 2>0", "buy 2>2")
    t.play("done")
    assert t.columns(0) == ["B 1 x2", "R 7 x2"]
    assert t.money(0) == 9
    t.end_turn().play("board Y1").end_turn().play("board G1", "done")
    assert {"build R10>1", "build R10>new"} == {text for text in t.legal() if "R10" in text}


def test_passed_over_after_the_last_purchase(table):
    t = table("Y1 R5 R7", money=(9, 0)).play("board Y1", "done", "build R5>new", "build R7>new", "buy 2>0")
    assert t.player() == -1
    assert t.columns(0) == ["R 5 x2"]
    assert t.money(0) == 5


def test_supply_is_not_refilled_within_the_turn(table):
    t = table("Y1 B1 R1 G1 G2", money=(20, 0)).play("board Y1", "done", "build B1>new", "build R1>new", "build G1>new", "build G2>new")
    t.play("buy 2>0", "buy 2>1", "buy 2>2")
    assert t.player() == -1  # five notes left and horses in the stack, but none is open
    assert t.supply() == ([], [2, 4, 7])
    t.draw(1)
    assert t.supply() == ([], [2, 4, 7])
    t.end_turn()
    assert t.supply() == ([2, 2, 3], [0, 3, 7])


def test_stack_runs_out(table):
    t = table("B10 B10 B1 Y9", theirs="Y8 B2", money=(15, 40), open=[4], fill="RGY")
    assert t.supply() == ([4], [0, 0, 0])
    t.play("board Y9", "done", "build B1>new", "done", "done", "buy 4>0").end_turn()
    assert t.supply() == ([], [0, 0, 0])
    t.play("board Y8", "done", "build B2>new")
    assert t.player() == -1  # no tram is left to buy; the column goes to the money pile
    assert t.money(1) == 41


def test_payment_and_halving_take_from_the_top(table):
    t = table("R1 Y1 G1 C R3 R4", money=("B1 B2 B3 B4 B5 B6", "Y2 Y3"), draw="R2", theirs="R5 R6 R7 R8 R9 R10", park=True, open=[2, 4, 4])
    t.play("board R1", "done", "build Y1>new", "done", "bank G1", "bank C", "buy 2>0")
    assert t.chance() == {"draw R2": 1}
    t.play("draw R2")
    # paid: C G1 B6 B5 B4; then the halves B3 and Y3
    assert t.chance() == evenly("draw", "B3 B4 B5 B6 G1 C Y3")
    assert (t.money(0), t.money(1)) == (2, 1)


def test_abandoned_columns_lie_on_the_income(table):
    t = table("R1 Y5 G3 G4 C B2", money=("B1", 0), draw="R2", park=True)
    t.play("board R1", "done", "build G3>new", "build G4>0", "build Y5>new", "done", "bank B2", "bank C")
    assert t.money(0) == 6
    t.play("draw R2")
    assert t.chance() == evenly("draw", "G3 G4 Y5")
    t.play("draw G3", "draw G4", "draw Y5")
    # empty again: of B1 B2 C (bottom to top) the half is one card
    assert t.chance() == {"draw C": 1}


def test_abandoned_columns_go_by_number_each_in_order_of_play(table):
    t = table("R1 B3 B9 C Y5", money=("", 0), draw="R2", park=True)
    t.play("board R1", "done", "build B3>new", "build C>0", "build B9>0", "build Y5>new")
    t.play("draw R2")
    assert t.chance() == evenly("draw", "B9 Y5")


# ---------------------------------------------------------------------------------------------------- the draw pile


def test_held_cards_are_not_drawn(table):
    t = table("B1 B2 B3 B4 B5 B6").play("board B1").to_draw().draw(1)
    assert t.player() == 1
    assert len(t.hand(0)) == 6


def test_on_need_waits_for_the_next_draw(table):
    t = table("B1 R1 R2 R3 R4", theirs="Y1 Y2 Y3 Y4 Y5 G7", money=(7, 1), draw="G1 G2", discard=30, park=True, halving="on_need")
    t.play("board B1").to_draw().draw(2)
    assert t.player() == 1
    assert (t.piles(), t.money(0), t.money(1)) == ((0, 30), 7, 1)
    new = len(t.columns(1))
    t.play("board Y1", "done", "build Y2>new", f"build Y3>{new}", f"build Y4>{new}").to_draw()
    # the abandoned column is in the money pile when it is halved, and the halving is done before the draw is shown
    assert (t.piles(), t.money(0), t.money(1)) == ((35, 0), 4, 2)


def test_on_need_in_the_middle_of_drawing(table):
    t = table("B1 R1 R2 R3", money=(9, 6), draw="G1 G2", discard=31, park=True, halving="on_need")
    t.play("board B1").to_draw().draw(2)
    assert (t.piles(), t.money(0), t.money(1)) == ((38, 0), 5, 3)


def test_pile_that_empties_again_halves_again(table):
    t = table("R1", money=("B1 B2 B3 B4", ""), draw="G1", discard="G2", park=True).play("board R1", "draw G1")
    assert (t.chance(), t.money(0)) == (evenly("draw", "B3 B4 G2"), 2)
    t.play("draw G2", "draw B3", "draw B4")
    assert (t.chance(), t.money(0)) == ({"draw B2": 1}, 1)
    t.play("draw B2")
    assert (t.player(), t.money(0), t.piles()) == (1, 1, (0, 0))  # one note is not halved; five cards must do
    assert len(t.hand(0)) == 5


def test_on_need_does_not_halve_for_an_empty_discard(table):
    t = table("R1", money=("B1 B2 B3 B4", ""), draw="G1", discard="G2", park=True, halving="on_need").play("board R1", "draw G1")
    assert (t.chance(), t.money(0)) == (evenly("draw", "B3 B4 G2"), 2)
    t.play("draw G2", "draw B3", "draw B4")
    assert (t.player(), t.money(0), t.piles()) == (1, 2, (0, 0))
    assert len(t.hand(0)) == 4


def test_on_empty_halves_at_once_even_without_a_discard(table):
    t = table("R1 R2 R3 R4 R5 R6", money=("B1 B2 B3", "B4"), draw="G1", park=True).play("board R1").to_draw().draw(1)
    assert (t.player(), t.piles(), t.money(0), t.money(1)) == (1, (1, 0), 2, 1)
    t.play("board Y1").to_draw()
    assert t.chance() == {"draw B3": 1}


@BOTH
def test_both_piles_empty_ends_the_drawing(table, halving):
    t = table("R1 R2 R3 R4 R5 R6", money=(9, 8), draw="", park=True, halving=halving).play("board R1").to_draw()
    assert (t.player(), t.piles(), t.money(0), t.money(1)) == (1, (0, 0), 9, 8)
    assert len(t.hand(0)) == 5


@BOTH
def test_later_draw_that_finds_a_discard_halves(table, halving):
    t = table("R1 R2 R3 R4 R5 R6", rows={"R": "R7 R8 R9"}, money=("G1 G2 G3", "G4 G5"), draw="", park=True, halving=halving)
    t.play("board R1").to_draw()
    assert (t.money(0), t.money(1)) == (2, 1)
    assert t.chance() == evenly("draw", "R1 R7 R8 R9 G3 G5")


@BOTH
def test_rounding_of_the_half(table, halving):
    for before, after in ((0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (12, 6), (15, 8)):
        t = table("R1 R2", money=(before, 1), draw="G1", discard=9, park=True, halving=halving).play("board R1").to_draw().draw(1)
        assert (t.money(0), t.money(1)) == (after, 1)
        assert t.piles() == (9 + before - after, 0)


def test_empty_hand_only_draws(table):
    t = table("R1", rows={"R": "R7 R8 R9"}, theirs="", money=("G1 G2 G3", "G4 G5"), draw="", park=True).play("board R1")
    assert t.chance() == evenly("draw", "R1 R7 R8 R9 G3 G5")
    t.draw(6)
    assert (t.money(0), t.money(1)) == (1, 1)
    # the second player has nothing to decide: his first event is a draw
    assert t.chance() == {"draw G2": 1}
    t.draw(1)
    assert (t.player(), t.hand(1), t.piles()) == (0, ["G2"], (0, 0))


def test_player_without_anything_to_do_is_passed_over(table):
    t = table("R1 R2", theirs="", money=(3, 2), draw="", park=True).play("board R1", "done", "done", "done")
    assert t.player() == 0
    assert t.legal() == {"board R2"}
    assert t.scorings() == 0


@BOTH
@pytest.mark.parametrize(("points", "money", "returns"), [([5, 4], (3, 9), [1, -1]), ([5, 5], (3, 2), [1, -1]), ([5, 5], (2, 2), [0, 0])])
def test_no_cards_to_play_with_ends_the_game(table, halving, points, money, returns):
    t = table("R1", theirs="", money=money, points=points, draw="", park=True, halving=halving).play("board R1")
    assert t.player() == -4
    assert t.scores() == points
    assert t.returns() == returns


def test_draw_probabilities_count_copies(table):
    t = table("R1 R2", draw="B2 B2 B2 G1", park=True).play("board R1").to_draw()
    assert t.chance() == {"draw B2": pytest.approx(3 / 4), "draw G1": pytest.approx(1 / 4)}
    t.play("draw B2")
    assert t.chance() == {"draw B2": pytest.approx(2 / 3), "draw G1": pytest.approx(1 / 3)}
