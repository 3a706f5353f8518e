"""Trambahn: worked examples, each asked of the reference and of the engine. The edge cases are in test_trambahn_edges.py."""

from collections import Counter

import pytest
from trambahn_reference import CARD_ORDER, DECK
from trambahn_tables import EngineTable, ReferenceTable, position


@pytest.fixture(params=[ReferenceTable, EngineTable], ids=["reference", "engine"])
def side(request):
    """One of the two sides; ``side(position(...))`` is a table, ``side.start()`` the beginning."""
    return request.param


def deal(side, hands):
    """A table after the deal, with these hands; the money is what comes first among the other cards."""
    cards = [card for hand in hands for card in hand.split()]
    others = sorted((DECK - Counter(cards)).elements())
    return side.start().play(*(f"deal {card}" for card in others[:27] + cards))


def test_01_rulebook_scoring(side):
    table = side(
        position(
            hands=("B4 R1 R2 R3 R4 R5", "G1 G2 G3 G4 G5 G6"),
            rows={"B": "B1 B2 B9"},
            columns=(["B 1 2 5 6 x3"], ["B C 2 3 4 7 x2", "B 3 5 8 10 x2"]),
        )
    )
    drawn, discarded = table.piles()
    columns = table.columns(0), table.columns(1)
    table.play("board B4")
    assert table.scores() == [12, 24]
    assert table.rows()["B"] == []
    assert table.piles() == (drawn, discarded + 4)
    assert (table.columns(0), table.columns(1)) == columns
    assert table.scorings() == 1


def test_02_rulebook_conductor_passenger(side):
    table = side(position(hands=("C R1 G1 G2 G3 G4", "B1 B2 B3 B4 B5 B6"), rows={"R": "R7 R8"}, columns=(["R 2 3 x2"], []), discard="B9 C"))
    table.play("board C>R")
    assert table.rows()["R"] == ["R7", "R8", "C"]
    assert table.scorings() == 0
    table.play("board R1")
    assert table.scores() == [4, 0]
    assert table.rows()["R"] == []
    assert table.scorings() == 1
    assert table.piles()[1] == 6


def test_03_same_colour_twice_over_the_edge(side):
    table = side(position(hands=("R1 R9 G1 G2 G3 G4", "B1 B2 B3 B4 B5 B6"), rows={"R": "R7 R8 C"}, scorings=4, columns=(["R 2 3 x2"], [])))
    table.play("board R1", "board R9")
    assert table.scorings() == 5
    assert table.scores() == [4, 0]
    assert table.piles()[1] == 4
    assert table.rows()["R"] == ["R9"]


def test_04_double_scoring(side):
    table = side(
        position(
            hands=("B1 G1 R1 R2 R3 R4", "R5 R6 R7 R8 R9 R10"),
            rows={"B": "B5 B6 B7", "G": "G2 G3 C"},
            scorings=5,
            columns=(["B 2 4 x2"], ["G 7 8 9 x4"]),
        )
    )
    table.play("board B1")
    assert table.scores() == [4, 0]
    assert table.scorings() == 6
    table.play("board G1")
    assert table.scores() == [4, 24]
    assert table.scorings() == 7


def test_05_end_in_step_1(side):
    table = side(
        position(
            hands=("Y8 Y9 R1 R2 R3 R4", "R5 R6 R7 R8 R9 R10"),
            rows={"Y": "Y8 Y9 C"},
            scorings=9,
            columns=(["Y 1 2 3 4 5 6 7 x4"], []),
            points=[10, 41],
            money=(4, 6),
            fill="BG",
        )
    )
    drawn, discarded = table.piles()
    table.play("board Y9")
    assert table.player() == -4
    assert table.legal() == set()
    assert table.scores() == [42, 41]
    assert table.returns() == [1, -1]
    assert table.scorings() == 10
    assert table.hand(0) == ["R1", "R2", "R3", "R4", "Y8"]
    assert table.columns(0) == ["Y 1 2 3 4 5 6 7 x4"]
    assert table.piles() == (drawn, discarded + 4)
    assert [table.money(player) for player in (0, 1)] == [4, 6]


@pytest.mark.parametrize("equal", ["G7", "G9", "G4"])
def test_06_strictly_ascending(side, equal):
    table = side(position(hands=(f"B1 G10 C G3 {equal} R10", "G1 B2 B3 B4 B5 B6"), rows={"G": "G5 G6 C"}, columns=(["G 4 7 9 x2"], [])))
    table.play("board B1", "done")
    assert {text for text in table.legal() if text.endswith(">0")} == {"build G10>0", "build C>0"}
    assert {"build G3>new", f"build {equal}>new"} <= table.legal()
    assert table.refuses("build G3>0", f"build {equal}>0", "build R10>0")
    table.play("build G10>0")
    assert table.refuses("build C>0", "build G3>0", f"build {equal}>0", "build G10>0")
    table.end_turn().play("board G1")
    assert table.scores() == [16, 0]


def test_07_rulebook_building(side):
    table = side(position(hands=("B1 C R6 R6 R7 Y1", "R1 B2 B3 B4 B5 B6"), rows={"R": "R8 R9 C"}, columns=(["R 2 3 5 x3"], [])))
    table.play("board B1", "done", "build C>0", "build R6>0")
    assert table.columns(0)[0] == "R 2 3 5 C 6 x3"
    assert table.refuses("build R6>0")
    assert "build R7>0" in table.legal()
    table.end_turn().play("board R1")
    assert table.scores() == [12, 0]


def test_08_extra_tour_once(side):
    table = side(
        position(hands=("R1 B8 B9 G1 G2 G3", "B1 Y2 Y3 Y4 Y5 Y6"), rows={"B": "B8 C C"}, scorings=3, columns=(["B 1 2 3 4 5 6 7 x2"], []))
    )
    table.play("board R1", "done", "build B8>0")
    assert table.scores() == [20, 0]
    table.play("build B9>0")
    assert table.scores() == [20, 0]
    assert table.scorings() == 3
    table.end_turn().play("board B1")
    assert table.scores() == [44, 0]
    assert table.scorings() == 4


def test_09_conductors_count_for_eight(side):
    def table():
        return side(position(hands=("R1 C C B10 G1 G2", "B1 Y2 Y3 Y4 Y5 Y6"), columns=(["B 2 3 5 8 9 x4"], []))).play("board R1", "done")

    late = table().play("build C>0", "build C>0")
    assert late.scores() == [0, 0]
    late.play("build B10>0")
    assert late.scores() == [40, 0]
    assert late.refuses("build G1>0")
    early = table().play("build B10>0")
    assert early.scores() == [0, 0]
    assert early.refuses("build C>0")


def test_10_order_matters(side):
    def table():
        return side(position(hands=("R1 C B10 G1 G2 G3", "B1 Y2 Y3 Y4 Y5 Y6"), columns=(["B 1 2 3 4 5 6 7 x4"], []))).play(
            "board R1", "done"
        )

    first = table().play("build C>0")
    assert first.scores() == [32, 0]
    first.play("build B10>0")
    assert first.scores() == [32, 0]
    other = table().play("build B10>0")
    assert other.scores() == [44, 0]
    assert other.refuses("build C>0")


def test_11_rulebook_purchase(side):
    table = side(position(hands=("R1 B1 G1 Y1 Y2 Y3", "B1 Y2 Y3 Y4 Y5 Y6"), money=(17, 3), open=[2, 2, 3]))
    assert table.supply() == ([2, 2, 3], [0, 3, 7])
    table.play("board R1", "done", "build B1>new", "build G1>new", "done", "done")
    assert table.legal() == {"buy 2>0", "buy 2>1", "buy 3>0", "buy 3>1", "done"}
    discarded = table.piles()[1]
    table.play("buy 3>0")
    assert table.money(0) == 7
    assert table.refuses("buy 3>1", "buy 2>0", "buy 3>0")
    table.play("buy 2>1")
    assert table.money(0) == 2
    assert table.piles()[1] == discarded + 15
    assert table.supply() == ([2], [0, 3, 7])
    table.end_turn()
    assert table.supply() == ([2, 3, 3], [0, 1, 7])
    assert table.columns(0) == ["B 1 x3", "G 1 x2"]


def test_12_income_before_purchase(side):
    table = side(position(hands=("R1 B1 G1 Y1 Y2 Y3", "B1 Y2 Y3 Y4 Y5 Y6"), money=(3, 3)))
    table.play("board R1", "done", "build B1>new", "done")
    assert table.refuses("buy 2>0")
    table.play("bank Y1", "bank Y2")
    assert table.money(0) == 5
    table.play("done", "buy 2>0")
    assert table.money(0) == 0
    table.end_turn()
    assert table.columns(0) == ["B 1 x2"]


def test_13_abandoned_column(side):
    table = side(position(hands=("R1 G3 G5 G6 Y2 Y3", "B1 Y2 Y3 Y4 Y5 Y6"), money=(4, 3)))
    table.play("board R1", "done", "build G3>new", "build G5>0", "build G6>0", "done")
    assert table.legal() == {"bank Y2", "bank Y3", "done"}
    table.play("done")  # four notes do not buy a tram, and the three cards come too late: no purchase is offered
    assert table.player() == -1
    assert table.money(0) == 7
    assert table.columns(0) == []
    assert table.hand(0) == ["Y2", "Y3"]
    table.draw(4)
    assert len(table.hand(0)) == 6
    assert table.player() == 1


def test_14_pile_runs_out_mid_draw(side):
    table = side(position(hands=("B1 R1 R2 R3", "Y1 Y2 Y3 Y4 Y5 Y6"), money=(9, 6), draw="G1 G2", discard=31, park=True))
    table.play("board B1").to_draw()
    assert table.piles() == (2, 31)
    table.draw(1)
    assert (table.piles(), table.money(0), table.money(1)) == ((1, 31), 9, 6)
    table.draw(1)
    assert len(table.hand(0)) == 5
    assert table.piles() == (38, 0)
    assert (table.money(0), table.money(1)) == (5, 3)
    table.draw(1)
    assert table.piles() == (37, 0)
    assert len(table.hand(0)) == 6
    assert table.player() == 1


def test_15_pile_runs_out_exactly(side):
    table = side(position(hands=("B1 R1 R2 R3 R4", "Y1 Y2 Y3 Y4 Y5 Y6"), money=(7, 1), draw="G1 G2", discard=30, park=True))
    table.play("board B1").to_draw().draw(2)
    assert len(table.hand(0)) == 6
    assert (table.money(0), table.money(1)) == (4, 1)
    assert table.piles() == (33, 0)
    assert table.player() == 1


def test_16_empty_scoring(side):
    table = side(
        position(hands=("G1 R1 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5 Y6"), rows={"G": "G7 G8 G9"}, scorings=2, columns=(["B 1 2 x2"], ["R 9 x2"]))
    )
    table.play("board G1")
    assert table.scores() == [0, 0]
    assert table.scorings() == 3
    assert table.piles()[1] == 4


@pytest.mark.parametrize(("money", "returns"), [((7, 5), [1, -1]), ((5, 7), [-1, 1]), ((6, 6), [0, 0])])
def test_17_tie(side, money, returns):
    table = side(
        position(hands=("G1 R1 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5 Y6"), rows={"G": "G7 G8 G9"}, scorings=9, points=[118, 118], money=money)
    )
    table.play("board G1")
    assert table.player() == -4
    assert table.scores() == [118, 118]
    assert table.returns() == returns


def test_18_setup_counts(side):
    table = deal(side, ("B1 R1 G1 Y1 C C", "B2 R2 G2 Y2 C C"))
    assert table.piles() == (81, 0)
    assert (table.money(0), table.money(1)) == (12, 15)
    assert (table.hand(0), table.hand(1)) == (["B1", "R1", "G1", "Y1", "C", "C"], ["B2", "R2", "G2", "Y2", "C", "C"])
    assert table.supply() == ([2, 2, 2], [2, 4, 7])
    assert all(row == [] for row in table.rows().values())
    assert table.scorings() == 0
    assert table.scores() == [0, 0]
    assert table.player() == 0


def test_19_first_turn_limit(side):
    table = deal(side, ("B1 R1 G1 Y1 C C", "B2 R2 G2 Y2 C C"))
    table.play("board B1", "done", "build R1>new", "build G1>new", "build Y1>new", "done", "bank C", "bank C")
    assert table.money(0) == 14
    table.play("buy 2>0", "buy 2>1")
    assert table.player() == -1  # four notes left: a third horse is not even offered
    assert table.money(0) == 4 + 1
    while table.player() == -1:
        table.draw(1)
    assert table.supply() == ([2, 2, 2], [0, 4, 7])
    table.play("board B2", "done", "build R2>new", "build G2>new", "build Y2>new", "done", "done")
    table.play("buy 2>0", "buy 2>1", "buy 2>2")
    assert table.money(1) == 0
    assert table.columns(1) == ["R 2 x2", "G 2 x2", "Y 2 x2"]
    assert table.supply() == ([], [0, 4, 7])
    table.end_turn()
    assert table.supply() == ([3, 3, 3], [0, 1, 7])


def test_first_deal_is_the_deck(side):
    table = side.start()
    assert table.player() == -1
    assert table.chance() == {f"deal {card}": pytest.approx(DECK[card] / 120, abs=1e-15) for card in CARD_ORDER}
    table.play("deal C")
    assert table.chance()["deal C"] == pytest.approx(7 / 119, abs=1e-15)
    table.play("deal B1", "deal B1")
    assert "deal B1" not in table.chance()
    assert table.refuses("deal B1", "draw B2", "board B1", "done")


def test_deal_order(side):
    table = side.start()
    counts = []
    for _ in range(39):
        counts.append((table.money(0), table.money(1), len(table.hand(0)), len(table.hand(1))))
        table.draw(1)
    assert counts[11:14] == [(11, 0, 0, 0), (12, 0, 0, 0), (12, 1, 0, 0)]
    assert counts[26:29] == [(12, 14, 0, 0), (12, 15, 0, 0), (12, 15, 1, 0)]
    assert counts[32:35] == [(12, 15, 5, 0), (12, 15, 6, 0), (12, 15, 6, 1)]
    assert table.player() == 0
