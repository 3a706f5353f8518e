"""Stop Requested: Portland: worked examples of routes, tickets and the end, each asked of the reference and of the engine."""

from collections import Counter

import pytest
from portland_reference import DATA
from portland_tables import SIDES, SMALL, opening, triangle, variant

PORTLAND = str(DATA / "portland.toml")


@pytest.fixture(params=SIDES)
def side(request):
    """One of the two sides."""
    return request.param


@pytest.fixture
def board(tmp_path):
    """A maker of boards like Portland's, with few trains or other changes: ``board(trains=5)``."""

    def make(trains=None, change=None):
        def edit(data):
            if trains:
                players = {"2": trains, "3": trains, "4": trains, "5": trains}
                data["trains"] = {"players": players, "last_round": 2, "one_of_a_double": 3}
                for route in data["routes"]["list"]:
                    route["length"] = min(route["length"], trains)
            if change:
                change(data)

        return variant(tmp_path, edit, PORTLAND)

    return make


# --- what a route costs ---


def test_23_three_red_cards(side):
    table = side.start(["red 3 blue", "teal 4"], "fx 5")
    assert "Parkrose--PDX:red" in table.claims()
    table.play("claim Parkrose--PDX:red")
    assert table.player() == 1  # one way to pay: no decision
    assert table.hand(0) == Counter(blue=1)
    assert Counter(table.facts()["discards"]) == Counter(red=3)
    assert table.facts()["trains"] == [37, 40]
    assert table.scores() == [4, 0]
    assert table.facts()["owner"] == {"Parkrose--PDX:red": 0}


def test_24_two_of_any_type_for_a_gray_route(side):
    table = side.start(["red 2 fx 2", "teal 4"], "blue 5")
    table.play("claim NW_23rd--Goose_Hollow:gray")
    assert table.player() == 0
    assert table.legal() == {"pay red+0", "pay fx+0"}
    assert table.refuses("pay teal+0", "pay red+1", "pay pass", "draw")
    table.play("pay fx+0")
    assert table.hand(0) == Counter(red=2)
    assert table.player() == 1


def test_25_four_teal_cards(side):
    table = side.start(["teal 4", "red 4"], "blue 5")
    table.play("claim Killingsworth--St_Johns:teal")
    assert table.scores() == [7, 0]
    assert table.hand(0) == Counter()


def test_26_types_do_not_mix(side):
    table = side.start(["red 2 blue 2", "teal 4"], "fx 5")
    assert "Parkrose--PDX:red" not in table.claims()
    assert "Sunset--Washington_Park:blue" not in table.claims()
    assert {"Gateway--Parkrose:red", "Old_Town--Rose_Quarter:blue", "Hillsdale--OHSU:gray"} <= table.claims()
    assert not any(":teal" in route or ":fx" in route for route in table.claims())
    assert "Hillsdale--PSU:gray" not in table.claims()  # three spaces
    assert table.refuses("claim Parkrose--PDX:red", "claim Hillsdale--PSU:gray")


def test_27_passes_fill_up(side):
    table = side.start(["red 2 pass 2", "teal 4"], "fx 5")
    table.play("claim Parkrose--PDX:red")
    assert table.hand(0) == Counter({"pass": 1})
    assert Counter(table.facts()["discards"]) == Counter({"red": 2, "pass": 1})


def test_28_no_pass_where_cards_suffice(side):
    """By default a pass is spent only for what the cards of the type cannot cover, so there is one way for a type."""
    table = side.start(["red 2 blue pass 1", "teal 4"], "fx 5")
    table.play("claim NW_23rd--Goose_Hollow:gray")
    assert table.pays() == {"red+0", "blue+1"}


def test_29_free_payment(side):
    table = side.start(["red 2 pass 2", "teal 4"], "fx 5", payment="free")
    table.play("claim NW_23rd--Goose_Hollow:gray")
    assert table.pays() == {"red+0", "red+1", "pass"}
    table.play("pay red+1")
    assert table.hand(0) == Counter({"red": 1, "pass": 1})


def test_30_free_payment_of_a_coloured_route(side):
    table = side.start(["red 2 pass 2", "teal 4"], "fx 5", payment="free")
    table.give(0, "pass 2")
    table.play("claim Parkrose--PDX:red")
    assert table.pays() == {"red+1", "red+2", "pass"}
    table.play("pay pass")
    assert table.hand(0)["pass"] == 1


def test_31_passes_alone(side):
    """Only if there is no card of a type that the route accepts."""
    table = side.start(["pass 3 blue", "teal 4"], "fx 5")
    assert {"Parkrose--PDX:red", "NW_23rd--Goose_Hollow:gray"} <= table.claims()
    table.play("claim NW_23rd--Goose_Hollow:gray")
    assert table.hand(0) == Counter({"pass": 2})  # pay blue+1, the only way


def test_32_passes_alone_for_a_type_not_held(side):
    table = side.start(["pass 3 blue", "teal 4"], "fx 5")
    table.play("claim Parkrose--PDX:red")
    assert table.hand(0) == Counter(blue=1)
    assert Counter(table.facts()["discards"]) == Counter({"pass": 3})


def test_33_passes_alone_for_gray(side):
    table = side.start(["pass 4", "teal 4"], "fx 5")
    table.play("claim NW_23rd--Goose_Hollow:gray")
    assert table.hand(0) == Counter({"pass": 2})
    assert table.scores() == [2, 0]


@pytest.mark.parametrize(
    ("hand", "left"), [("tram red 3", {"red": 3}), ("pass red 3", {"red": 3}), ("tram pass red 2", {"pass": 1, "red": 2})]
)
def test_34_the_tram_scores_six(side, hand, left):
    table = side.start([hand, "teal 4"], "fx 5")
    table.play("claim OHSU--South_Waterfront:tram")
    assert table.scores() == [6, 0]
    assert table.facts()["trains"] == [39, 40]
    assert table.hand(0) == Counter(left)


def test_35_the_tram_card_pays_for_gray(side):
    table = side.start(["tram pass 2 red", "teal 4"], "fx 5")
    table.play("claim Goose_Hollow--PSU:gray")
    assert table.pays() == {"tram+0", "red+0"}
    table.play("pay tram+0")
    table.until(0)
    assert {"OHSU--South_Waterfront:tram", "NW_23rd--Goose_Hollow:gray"} <= table.claims()
    assert table.scores() == [1, 0]
    table = side.start(["tram pass 2 red", "teal 4"], "fx 5")
    table.play("claim Hillsdale--PSU:gray")
    assert table.pays() == {"tram+2", "red+2"}


def test_36_points_of_all_lengths(side):
    table = side.start(["blue 4", "teal 4"], "fx 5")
    for route, with_, points in [
        ("Old_Town--Pioneer_Square:blue", "", 1),
        ("Old_Town--Rose_Quarter:blue", "", 2),
        ("Lloyd_Center--Hollywood:blue", "blue 2", 4),
        ("Hollywood--PDX:gray", "red 4", 7),
        ("Jade_District--Gresham:fx", "fx 5", 10),
        ("Gateway--Gresham:blue", "blue 6", 15),
    ]:
        before = table.scores()[0]
        table.claim(0, route, with_)
        assert table.scores()[0] - before == points
        table.until(0)


def test_37_too_few_trains(side, board):
    table = side.start(["teal 4", "red 4"], "teal 5", board=board(trains=5))
    table.give(0, "blue wes 2")
    table.claim(0, "Gateway--Hawthorne:teal")
    table.until(0)
    assert table.hand(0)["wes"] == 2
    assert {"Old_Town--Pioneer_Square:blue", "Goose_Hollow--PSU:gray"} <= table.claims()  # one train is left
    assert "NW_23rd--Goose_Hollow:gray" not in table.claims()
    assert table.refuses("claim NW_23rd--Goose_Hollow:gray", "claim Beaverton--Washington_Square:wes")


def test_38_one_action_a_turn_anywhere(side):
    table = side.start(["red 4", "teal 4"], "fx 5")
    table.play("claim Parkrose--PDX:red")
    assert table.player() == 1
    assert "Parkrose--PDX:red" not in table.claims()
    table.play("claim Killingsworth--St_Johns:teal")
    table.give(0, "red 2")
    assert "Willow_Creek--Beaverton:red" in table.claims()  # not connected to anything of his


# --- doubles ---


@pytest.mark.parametrize("players", [2, 3])
def test_39_one_route_of_a_double(side, players):
    table = side.start(["blue 2 red 2", "red 2 blue 2", "red 2 blue 2"][:players], "fx 5", players=players)
    assert {"Old_Town--Rose_Quarter:blue", "Old_Town--Rose_Quarter:red"} <= table.claims()
    table.play("claim Old_Town--Rose_Quarter:red")
    for player in range(1, players):
        assert not any(route.startswith("Old_Town--Rose_Quarter") for route in table.claims())
        assert "Gateway--Parkrose:red" in table.claims()
        table.until((player + 1) % players)
    assert "Old_Town--Rose_Quarter:blue" not in table.claims()


@pytest.mark.parametrize("players", [4, 5])
def test_40_both_routes_of_a_double_but_not_for_one(side, players):
    table = side.start(["blue 2 red 2"] * 3, "fx 5", players=players)
    table.play("claim Old_Town--Rose_Quarter:red")
    assert "Old_Town--Rose_Quarter:blue" in table.claims()
    assert "Old_Town--Rose_Quarter:red" not in table.claims()
    table.until(0)
    assert "Old_Town--Rose_Quarter:blue" not in table.claims()
    table.until(1).play("claim Old_Town--Rose_Quarter:blue")
    assert not any(route.startswith("Old_Town--Rose_Quarter") for route in table.claims())


def test_41_equal_routes_have_numbers(side):
    table = side.start(["red 3", "red 2 blue"], "blue 3 green 2", board=SMALL)
    assert {"North_Gate--Old_Town:red#1", "Old_Town--North_Gate:red#2"} <= table.claims()
    table.play("claim Old_Town--North_Gate:red#2").settle()
    assert table.facts()["owner"] == {"Old_Town--North_Gate:red#2": 0}
    assert "North_Gate--Old_Town:red#1" not in table.claims()


# --- tickets ---


def test_42_more_tickets(side):
    start = [["Hillsboro>Gresham", "OHSU>PDX", "Tigard>Hollywood"], ["Kenton>Sellwood", "Sunset>Milwaukie", "Hillsboro>PDX"]]
    table = side.start(tickets=start, keep=[start[0][:2], start[1][1:]])
    assert table.facts()["returned"] == ["Tigard>Hollywood", "Kenton>Sellwood"]
    table.play("tickets")
    assert table.chance() == pytest.approx({f"ticket {ticket}": 1 / 24 for ticket in table.facts()["never"]})
    a, b, c = "Beaverton>Gresham", "Gateway>Milwaukie", "PSU>Parkrose"
    table.play(f"ticket {b}", f"ticket {a}", f"ticket {c}")
    assert table.legal() == {f"keep {kept}" for kept in (b, a, c, f"{b} {a}", f"{b} {c}", f"{a} {c}", f"{b} {a} {c}")}
    table.play(f"keep {a}")
    assert table.player() == 1
    assert table.facts()["returned"] == ["Tigard>Hollywood", "Kenton>Sellwood", b, c]  # in offer order
    assert table.facts()["tickets"][0] == sorted([*start[0][:2], a])


@pytest.fixture
def seven_tickets(board):
    """A board for two with seven tickets: one is left after the start."""

    def change(data):
        data["tickets"]["list"] = data["tickets"]["list"][:7]
        data["trains"] = {"players": {"2": 40}, "last_round": 2, "one_of_a_double": 3}

    return board(change=change)


MINE = ["Killingsworth>Goose_Hollow", "Pearl_District>Hawthorne", "Rose_Quarter>OMSI"]
THEIRS = ["Hillsdale>Rose_Quarter", "Hillsboro>NW_23rd", "South_Waterfront>Hollywood"]
LAST = "Gateway>Milwaukie"


def test_43_a_single_ticket_is_kept_by_itself(side, seven_tickets):
    table = side.start(board=seven_tickets, tickets=[MINE, THEIRS])
    table.play("tickets")
    assert table.chance() == {f"ticket {LAST}": 1}
    table.play(f"ticket {LAST}")
    assert table.player() == 1
    assert table.facts()["tickets"][0] == sorted([*MINE, LAST])
    assert "tickets" not in table.legal()
    assert table.refuses("tickets")


def test_44_returned_tickets_come_in_their_order(side, seven_tickets):
    table = side.start(board=seven_tickets, tickets=[MINE, THEIRS], keep=[MINE[:2], THEIRS[1:]])
    table.play("tickets", f"ticket {LAST}")
    assert table.chance() == {f"ticket {MINE[2]}": 1}
    table.play(f"ticket {MINE[2]}")
    assert table.chance() == {f"ticket {THEIRS[0]}": 1}
    table.play(f"ticket {THEIRS[0]}", f"keep {THEIRS[0]}")
    assert table.facts()["returned"] == [LAST, MINE[2]]
    table.play("tickets", f"ticket {LAST}", f"ticket {MINE[2]}")  # two are left
    assert table.legal() == {f"keep {LAST}", f"keep {MINE[2]}", f"keep {LAST} {MINE[2]}"}
    table.play(f"keep {MINE[2]}", "tickets", f"ticket {LAST}")
    assert table.player() == 1
    assert table.facts()["returned"] == []


# --- the end ---


def short(side, board, players=2, **more):
    """A table with nine trains each."""
    return side.start(["teal 4", "fx 4"][:players], "blue 5", board=board(trains=9), players=players, **more)


@pytest.mark.parametrize("players", [2, 4])
def test_45_exactly_so_many_turns_after_the_trigger(side, board, players):
    table = short(side, board, players)
    table.claim(0, "Killingsworth--St_Johns:teal")
    table.claim(0, "Hillsdale--PSU:gray", "red 3")
    assert table.facts()["trains"][0] == 2
    turns = 0
    while table.player() >= 0:
        table.idle()
        turns += 1
    assert turns == players  # each of the others, and then the first player again
    assert table.player() == -4


def test_46_three_trains_do_not_trigger(side, board):
    table = short(side, board)
    table.claim(0, "Killingsworth--St_Johns:teal")
    table.claim(0, "NW_23rd--Goose_Hollow:gray", "red 2")
    assert table.facts()["trains"][0] == 3
    for _ in range(6):
        table.idle()
    assert table.player() >= 0


def test_47_the_last_round_is_called_once(side, board):
    """A second player with few trains changes nothing; claims and tickets are possible in the last turn."""
    table = short(side, board)
    table.claim(0, "Killingsworth--St_Johns:teal")
    table.claim(1, "Jade_District--OMSI:fx")
    table.give(1, "red 3")
    table.claim(0, "Hillsdale--PSU:gray", "wes 3")
    table.play("claim Parkrose--PDX:red").settle()
    assert table.facts()["trains"] == [2, 2]
    assert table.player() == 0
    table.play("tickets").settle()
    first = min(table.legal())
    table.play(first).settle()
    assert table.player() == -4


def test_48_the_market_is_filled_after_the_last_turn(side, tmp_path):
    """Chance events come even behind the game's last turn."""
    table = side(2, triangle(tmp_path, 2, trains=4, red=5, blue=5, passes=0), "shortfall")
    opening(table, ["red 2", "blue 2"], "red 3 blue 2")
    table.play("claim North_Gate--East:red")
    assert table.facts()["trains"] == [2, 4]
    table.play("take red", "card blue", "take red", "card red")  # the claim's cards have come back
    assert table.piles() == (1, 0)
    table.play("take blue", "card red", "take red")
    assert table.player() == -4  # no card is left for the empty place
    table = side(2, triangle(tmp_path, 2, trains=4, red=6, blue=6, passes=0), "shortfall")
    opening(table, ["red 2", "blue 2"], "red 3 blue 2")
    table.play("claim North_Gate--East:red", "take red", "card blue", "take red", "card red", "take blue", "card blue", "take blue")
    assert table.chance() == {"card red": 1}
    assert table.scores() == [2, 0]  # not over yet: no tickets
    table.play("card red")
    assert table.player() == -4
    assert table.scores() == [2 - 2 + 10, -2]


@pytest.mark.parametrize("last", ["draw", "claim", "tickets"])
def test_49_any_action_in_the_last_turn(side, board, last):
    table = short(side, board)
    table.claim(0, "Killingsworth--St_Johns:teal")
    table.give(0, "orange")
    table.claim(0, "Hillsdale--PSU:gray", "wes 3")
    table.idle()
    if last == "claim":
        table.play("claim Goose_Hollow--PSU:gray", "pay orange+0")
    elif last == "tickets":
        table.play("tickets").settle()
        table.play(min(table.legal())).settle()
    else:
        table.idle()
    assert table.player() == -4


# Tickets for boards of nine trains and a few more, so that an example says which are completed. By hand: no other pair is joined.
START = [["PDX>Parkrose", "Hillsboro>Gresham", "PDX>Gresham"], ["Tigard>Tualatin", "Tigard>Lents", "Tigard>OMSI"]]


def own_tickets(data):
    """Five tickets of START that Portland has not, worth 11 each; the sixth is Portland's own, worth 23."""
    for text in START[0][:1] + START[0][2:] + START[1]:
        a, b = text.split(">")
        data["tickets"]["list"].append({"a": a, "b": b, "points": 11})


def test_50_tickets_count_at_the_end(side, board):
    table = side.start(["red 3 blue", "fx 4"], "blue 5", board=board(9, own_tickets), tickets=START, keep=[START[0], START[1][:2]])
    table.claim(0, "Parkrose--PDX:red")
    assert table.scores() == [4, 0]  # nothing for tickets before the end
    table.claim(0, "Parkrose--Gresham:teal", "teal 6")
    assert table.scores() == [19, 0]
    table.finish()
    assert table.scores() == [19 + 11 + 11 - 23 + 10, -11 - 11]  # player 0 has two of three, and the longest path
    assert table.returns() == [1, -1]


def test_51_a_path_with_a_loop(side, board):
    """A station may be passed twice, a train not; a branch that leads elsewhere is not part of the path."""
    table = side.start(["blue 4", "fx 4"], "teal 5", board=board(14, own_tickets), tickets=START, keep=[START[0][::2], START[1][:2]])
    table.claim(0, "Old_Town--Pioneer_Square:blue")
    for route in ("Old_Town--Central_Eastside", "Pioneer_Square--Central_Eastside", "Central_Eastside--Hawthorne", "Hollywood--Hawthorne"):
        table.claim(0, f"{route}:gray", "red 2")
    table.claim(0, "Central_Eastside--OMSI:streetcar", "streetcar 2")
    table.claim(1, "Jade_District--OMSI:fx")
    table.claim(1, "Jade_District--Gresham:fx", "fx 5")
    assert table.facts()["trains"] == [3, 5]
    table.claim(0, "Goose_Hollow--PSU:gray", "tram")
    table.finish()
    # Player 0: OMSI, Central Eastside, all round the loop (5), Hawthorne, Hollywood: 2 + 5 + 2 + 2 = 11, and 1 elsewhere.
    # Player 1: 4 + 5 = 9.
    assert table.scores() == [1 + 2 + 2 + 2 + 2 + 2 + 1 - 22 + 10, 7 + 10 - 22]


def test_52_equal_paths_score_both(side, board):
    table = side.start(["teal 4", "fx 4"], "blue 5", board=board(6, own_tickets), tickets=START, keep=[START[0][::2], START[1][:2]])
    table.play("claim Killingsworth--St_Johns:teal", "claim Jade_District--OMSI:fx")
    table.finish()
    assert table.scores() == [7 - 22 + 10] * 2
    assert table.returns() == [0, 0]  # equal points, tickets and paths: the win is shared


def worth(data, text, points):
    """Change what a ticket is worth."""
    for ticket in data["tickets"]["list"]:
        if text == f"{ticket['a']}>{ticket['b']}":
            ticket["points"] = points


def test_53_equal_points_more_tickets(side, board):
    """Points equal, one has completed a ticket and the other has the longest path: the ticket decides."""

    def change(data):
        own_tickets(data)
        worth(data, "PDX>Parkrose", 2)

    table = side.start(["red 3", "fx 4"], "blue 5", board=board(6, change), tickets=START, keep=[START[0][::2], START[1][:2]])
    table.play("claim Parkrose--PDX:red", "claim Jade_District--OMSI:fx")
    table.finish()
    assert table.scores() == [4 + 2 - 11, 7 - 11 - 11 + 10]
    assert table.scores() == [-5, -5]
    assert table.returns() == [1, -1]


def test_54_equal_points_and_tickets_longest_path(side, board):
    def change(data):
        own_tickets(data)
        worth(data, "Tigard>Tualatin", 2)

    table = side.start(["teal 4", "red 3"], "blue 5", board=board(6, change), tickets=START, keep=[START[0][::2], START[1][:2]])
    table.idle()
    table.play("claim Parkrose--PDX:red")
    table.give(1, "yellow 3")
    table.until(0)
    table.play("claim Killingsworth--St_Johns:teal")
    table.play("claim Kenton--Expo_Center:yellow")
    table.finish()
    assert table.scores() == [7 - 11 - 11 + 10, 4 + 4 - 2 - 11]
    assert table.returns() == [1, -1]


def test_55_ranks_of_four(side, board):
    """Evenly spaced from +1 to -1; those who tie share the mean."""
    offers = [
        ["Killingsworth>Goose_Hollow", "Pearl_District>Hawthorne", "Rose_Quarter>OMSI"],
        ["PSU>Parkrose", "NW_23rd>Jade_District", "Hillsboro>PDX"],
        ["Gateway>Milwaukie", "Washington_Park>Gateway", "Hillsboro>Gresham"],
        ["Hillsboro>NW_23rd", "South_Waterfront>Hollywood", "Expo_Center>Oregon_City"],
    ]
    table = side.start(["teal 4"], "blue 5", board=board(6), players=4, tickets=offers, keep=[offer[:2] for offer in offers])
    table.play("claim Killingsworth--St_Johns:teal")
    table.finish()
    assert table.scores() == [7 + 10 - 6 - 6, -10 - 10, -9 - 11, -8 - 8]
    assert table.returns() == pytest.approx([1, -2 / 3, -2 / 3, 1 / 3])


def test_56_all_skip_and_nobody_has_a_route(side, tmp_path):
    """Nobody can do anything: the game ends at once; all have the longest path of length 0."""
    table = side(2, triangle(tmp_path, 2, length=3, red=2, blue=6, passes=1), "shortfall")
    opening(table, ["red blue", "red blue"], "blue 4 pass")
    table.play("take blue", "take blue", "take blue", "take blue", "take pass")
    assert table.legal() == {"tickets"}
    table.play("tickets").settle()
    assert table.player() == 0
    assert table.legal() == {"skip"}
    table.play("skip")
    assert table.legal() == {"skip"}
    table.play("skip")
    assert table.player() == -4
    assert table.scores() == [10 - 2, 10 - 2 - 2]
    assert table.returns() == [1, -1]


def test_57_a_skip_counts_as_a_turn(side, tmp_path):
    """And a turn that is none begins the count of skips anew."""
    kinds = ("red", "blue", "green")
    board = triangle(tmp_path, 2, kinds, trains=4, face_up=2, red=2, blue=2, green=2, white=2, passes=0)
    table = opening(side(3, board, "shortfall"), ["red green", "red green", "blue 2"], "white 2")
    table.play("take white", "take white")
    assert table.legal() == {"skip"}
    table.play("skip")
    assert table.legal() == {"claim East--South:blue"}  # who can do something must
    table.play("claim East--South:blue").settle()
    assert table.facts()["trains"] == [4, 4, 2]  # three more turns
    table.play("take blue", "take blue")
    assert table.player() == 1
    table.play("skip")
    assert table.player() == 2
    table.play("skip")
    assert table.player() == -4
    assert table.scores() == [-2, -2, 2 - 2 + 10]
