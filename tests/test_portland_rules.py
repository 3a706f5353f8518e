"""Stop Requested: Portland: worked examples of cards and the market, each asked of the reference and of the engine.

Routes, tickets and the end of the game are in test_portland_claims.py.
"""

from collections import Counter

import pytest
from lockstep import POLICIES, alone
from portland_reference import Board, Reference
from portland_tables import SIDES, SMALL, cards, opening, triangle


@pytest.fixture(params=SIDES)
def side(request):
    """One of the two sides."""
    return request.param


# --- set-up ---


def test_01_order_of_the_set_up(side):
    table = side(3, "portland", "shortfall")
    assert table.chance() == pytest.approx({f"card {kind}": count / 110 for kind, count in Board().cards.items()})
    for player in range(3):
        table.chances("card", cards("blue red green teal"), 4)
        assert table.hand(player) == Counter(["blue", "red", "green", "teal"])
        assert table.market() == []
    assert table.chance()["card blue"] == pytest.approx(11 / 98)
    table.chances("card", cards("wes fx fx fx fx"), 5)
    assert table.market() == ["fx"] * 4 + ["wes"]
    assert table.chance() == pytest.approx({f"ticket {ticket}": 1 / 30 for ticket in Board().tickets})
    offers = [list(Board().tickets)[3 * player : 3 * player + 3] for player in range(3)]
    for offer in offers:
        table.chances("ticket", offer, 3)
    for player, (a, b, c) in enumerate(offers):
        assert table.player() == player
        assert table.legal() == {f"keep {a} {b}", f"keep {a} {c}", f"keep {b} {c}", f"keep {a} {b} {c}"}
        table.play(f"keep {a} {c}")
    assert table.player() == 0
    assert table.facts()["tickets"] == [sorted([a, c]) for a, _, c in offers]
    assert table.facts()["returned"] == [b for _, b, _ in offers]
    assert table.scores() == [0, 0, 0]


@pytest.mark.parametrize(("players", "trains"), [(2, 40), (3, 40), (4, 45), (5, 45)])
def test_02_trains(side, players, trains):
    assert side.start(players=players).facts()["trains"] == [trains] * players


def test_03_at_the_start_two_tickets_at_least(side):
    table = side(2, "portland", "shortfall")
    table.chances("card", [], 13)
    table.chances("ticket", ["Hillsboro>Gresham", "OHSU>PDX", "Tigard>Hollywood"], 6)
    assert table.refuses("keep OHSU>PDX", "keep OHSU>PDX Hillsboro>Gresham", "take teal", "draw")
    table.play("keep Hillsboro>Gresham Tigard>Hollywood")
    assert table.facts()["tickets"][0] == ["Hillsboro>Gresham", "Tigard>Hollywood"]


def test_04_three_passes_in_the_first_market(side):
    table = side(2, "portland", "shortfall")
    table.chances("card", [], 8)
    table.play("card pass", "card pass", "card pass")
    assert table.market() == ["pass"] * 3  # never between two cards of one refill
    table.play("card red", "card blue")
    assert table.market() == []
    assert table.piles() == (110 - 13, 5)
    table.play("card pass", "card red", "card pass", "card red", "card pass")
    assert table.market() == []
    assert table.piles() == (110 - 18, 10)
    table.play("card pass", "card red", "card pass", "card red", "card red")
    assert table.market() == ["pass", "pass", "red", "red", "red"]
    assert table.chance()["ticket OHSU>PDX"] == pytest.approx(1 / 30)


# --- drawing ---


def test_05_two_blind_draws(side):
    table = side.start(["teal 4", "fx 4"], "blue 5")
    assert table.others() == {"take blue", "draw", "tickets"}
    table.play("draw", "card wes")
    assert table.player() == 0
    assert table.legal() == {"take blue", "draw"}
    table.play("draw", "card tram")
    assert table.player() == 1
    assert table.hand(0) == Counter(["teal"] * 4 + ["wes", "tram"])
    assert table.market() == ["blue"] * 5


def test_06_a_face_up_card_is_replaced_at_once(side):
    table = side.start(["teal 4"], "blue 2 red 2 wes")
    assert table.others() == {"take blue", "take red", "take wes", "draw", "tickets"}  # one for equal cards
    table.play("take wes")
    assert table.player() == -1
    assert table.market() == ["blue", "blue", "red", "red"]
    table.play("card orange")
    assert table.legal() == {"take blue", "take red", "take orange", "draw"}
    table.play("take orange", "card green")
    assert table.player() == 1
    assert table.market() == ["blue", "blue", "green", "red", "red"]
    assert table.hand(0) == Counter(["teal"] * 4 + ["wes", "orange"])


def test_07_a_face_up_pass_is_the_only_card(side):
    table = side.start(["teal 4"], "pass blue 4")
    table.play("take pass", "card red")
    assert table.player() == 1
    assert table.hand(0)["pass"] == 1


def test_08_no_face_up_pass_as_the_second_card(side):
    table = side.start(["teal 4"], "blue 5")
    table.play("take blue", "card pass")
    assert table.legal() == {"take blue", "draw"}
    assert table.refuses("take pass")


def test_09_nor_after_a_blind_first_card(side):
    table = side.start(["teal 4"], "blue 3 pass 2")
    assert "take pass" in table.legal()
    table.play("draw", "card red")
    assert table.legal() == {"take blue", "draw"}


def test_10_a_blind_pass_counts_as_one_card(side):
    table = side.start(["teal 4"], "blue 5")
    table.play("draw", "card pass")
    assert table.legal() == {"take blue", "draw"}
    table.play("draw", "card pass")
    assert table.hand(0)["pass"] == 2
    assert table.player() == 1


def test_11_a_second_card_from_a_reset_market(side):
    table = side.start(["teal 4"], "red blue 2 pass 2")
    table.play("take red", "card pass")
    assert table.market() == []
    assert table.piles()[1] == 5
    table.play("card wes", "card wes", "card pass", "card fx", "card fx")
    assert table.legal() == {"take wes", "take fx", "draw"}
    table.play("take fx", "card fx")
    assert table.player() == 1


def test_12_a_reset_behind_the_second_card(side):
    table = side.start(["teal 4"], "red 2 blue pass 2")
    table.play("draw", "card red", "take red", "card pass")
    assert table.player() == -1
    table.play("card blue", "card blue", "card blue", "card green", "card pass")
    assert table.player() == 1
    assert table.market() == ["blue", "blue", "blue", "green", "pass"]


def test_13_a_hand_has_no_limit(side):
    table = side.start(["teal 4"], "blue 5")
    for _ in range(12):
        table.idle()
    assert table.hand(0).total() == 4 + 12
    assert table.legal() >= {"draw", "take blue", "tickets"}


# --- piles that run out ---


@pytest.fixture
def scarce(tmp_path):
    """A maker of boards with three stations and few cards."""
    return lambda hand, **counts: triangle(tmp_path, hand, **counts)


ROUTE = "North_Gate--East:red"


def test_14_discards_are_shuffled_when_a_card_is_needed(side, scarce):
    """Lazily: an empty pile stays empty until somebody needs a card."""
    table = opening(side(2, scarce(2, red=6, blue=6, passes=0), "shortfall"), ["red 2", "blue 2"], "blue 4 red")
    assert table.piles() == (3, 0)
    table.play(f"claim {ROUTE}")
    assert table.piles() == (3, 2)
    table.play("draw", "card red", "draw", "card red")
    table.play("draw", "card red")
    assert table.piles() == (0, 2)
    assert table.player() == 0
    assert table.legal() == {"take blue", "take red", "draw"}
    table.play("draw")
    assert table.chance() == {"card red": 1}
    assert table.piles() == (2, 0)
    table.play("card red")
    assert table.piles() == (1, 0)


def test_15_nothing_left_to_draw_blind(side, scarce):
    """Face-up cards may be taken when pile and discards are empty; then the market shrinks, and a turn may end with one card."""
    table = opening(side(2, scarce(1, red=3, blue=4, passes=0), "shortfall"), ["red", "blue"], "blue 3 red 2")
    assert table.piles() == (0, 0)
    assert table.legal() == {"take blue", "take red", "tickets"}
    table.play("take blue")
    assert table.market() == ["blue", "blue", "red", "red"]
    assert table.legal() == {"take blue", "take red"}
    table.play("take blue")
    assert table.player() == 1
    table.play("take blue", "take red")
    table.play("take red")
    assert table.market() == []
    assert table.player() == 1  # nothing to take or to draw as the second card: the turn ends by itself
    assert table.legal() == {"tickets"}


def test_16_a_claim_brings_cards_back(side, scarce):
    """The market is filled up at the end of any turn."""
    table = opening(side(2, scarce(2, red=5, blue=4, passes=0), "shortfall"), ["red 2", "blue 2"], "blue 2 red 3")
    table.play("take red", "take red", "take blue", "take blue")
    assert table.market() == ["red"]
    assert table.player() == 0
    table.play(f"claim {ROUTE}")
    assert table.player() == -1
    assert table.chance() == {"card red": 1}
    table.play("card red", "card red")
    assert table.market() == ["red"] * 3
    assert table.piles() == (0, 0)
    assert table.player() == 1


def test_17_three_passes_stay_if_no_better_market_is_possible(side, scarce):
    board = scarce(2, red=3, blue=2, passes=5)
    table = opening(side(2, board, "shortfall"), ["red 2", "blue 2"], "pass 3 red pass")
    assert table.market() == ["pass"] * 4 + ["red"]
    assert table.player() == 0
    table.play("take pass", "card pass")
    assert table.market() == ["pass"] * 4 + ["red"]
    assert table.player() == 1
    assert table.piles() == (0, 0)


def test_18_three_other_cards_are_enough_for_a_reset(side, scarce):
    """Two in the market and one in the pile: with three that are no passes a market with two passes is possible."""
    table = side(2, scarce(2, red=3, blue=4, passes=5), "shortfall")
    table.play(*("card " + card for card in cards("red 2 blue 2 pass 3 red blue")))
    assert table.market() == []
    assert table.piles() == (3, 5)
    table.play("card blue", "card pass", "card pass")
    assert table.piles() == (5, 0)  # two cards are still needed
    assert table.chance() == pytest.approx({"card pass": 3 / 5, "card red": 1 / 5, "card blue": 1 / 5})
    table.play("card red", "card blue")
    assert table.market() == ["blue", "blue", "pass", "pass", "red"]
    assert table.piles() == (3, 0)


def test_19_two_other_cards_are_not(side, scarce):
    table = side(2, scarce(2, red=3, blue=3, passes=5), "shortfall")
    table.play(*("card " + card for card in cards("red 2 blue 2 pass 3 red blue")))
    assert table.market() == ["blue", "pass", "pass", "pass", "red"]
    assert table.piles() == (2, 0)


def test_20_ten_resets_at_most(side, scarce):
    table = side(2, scarce(1, red=5, passes=5), "shortfall")
    table.play("card red", "card red", *("card " + card for card in cards("pass 3 red 2")))
    assert table.market() == []
    resets = 1
    while "ticket" not in next(iter(table.chance())):
        table.play("card pass" if "card pass" in table.chance() else "card red")
        resets += table.market() == []
    assert resets == 10
    assert table.market().count("pass") >= 3
    table.settle()
    assert table.market() == ["pass", "pass", "pass", "red", "red"]
    table.play("draw", "card pass", "draw", "card pass")  # the end of a turn is another occasion
    assert table.market() == []
    assert table.piles() == (1, 5)


def test_21_a_lone_pass_may_be_the_first_card(side, scarce):
    table = opening(side(2, scarce(1, red=5, passes=2), "shortfall"), ["red", "red"], "red 3 pass 2")
    table.play("take red", "take red", "take red")
    assert table.market() == ["pass", "pass"]
    assert table.player() == 0  # a pass is no second card, and there is no other: the turn has ended
    assert "take pass" in table.legal()
    table.play("take pass")
    assert table.market() == ["pass"]
    assert table.player() == 1
    assert "take pass" in table.legal()


def test_22_the_small_board_is_fit_for_this():
    """Resets, markets that cannot be reset, turns with one card, skips and stalemates: tests on the small board meet them all."""
    met = Counter()
    for seed in range(12):
        game = Reference(2 + seed % 4, SMALL)
        alone(game, POLICIES["portland"]["hoarder" if seed % 2 else "uniform"], seed)
        met += Counter(
            resets=game.all_resets,
            guarded=game.guarded,
            capped=game.capped,
            one=game.one_card_turns,
            skips=game.all_skips,
            stalemates=game.skips == game.n,
            shuffles=game.reshuffles,
        )
    assert len(met) == 7, met
