"""Stop Requested: Portland as people see and type it: table, picture, moves in words, short forms, a game played from the screen."""

import random
import re
import xml.etree.ElementTree as Tree

import pytest
from portland_tables import SMALL

from wattman import load_agent, load_game
from wattman.cli.table import Table
from wattman.engine.drawing import ascii_only
from wattman.engine.game import Deal
from wattman.engine.games import _portland_view as look
from wattman.engine.games._portland_layout import roomy
from wattman.engine.games._portland_svg import line_of, spaces
from wattman.engine.session import Session

SVG = "{http://www.w3.org/2000/svg}"


def played(players, events, seed, board="portland", **options):
    """A game after so many events, at a turn's beginning."""
    state = load_game("portland", players=players, board=board, **options).new_initial_state()
    rng, deal = random.Random(seed), Deal(seed)
    while len(state.history()) < events or (not state.is_terminal() and state.to_dict()["step"] != "turn"):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.apply_action(deal.choose(state))
            continue
        legal = state.legal_actions()
        claims = [action for action in legal if state.action_to_string(action).startswith("claim")]
        state.apply_action(rng.choice(claims or legal))
    return state


@pytest.fixture(scope="module")
def tables():
    """Views of several tables, by all their players."""
    states = [played(2, 90, 1), played(3, 200, 2), played(5, 500, 3), played(3, 60, 4, SMALL), played(2, 10**6, 5, SMALL)]
    return [(state, player, state.to_dict(player)) for state in states for player in range(state.game.num_players())]


# --- the table ---


def test_the_table_fits_and_says_what_there_is(tables):
    for state, player, view in tables:
        text = state.game.draw(view).plain
        assert max(map(len, text.splitlines())) <= 100
        board = look.board_of(view)
        for station in board.stations:
            assert station.name in text
        for ticket in view["players"][player]["tickets"]:
            assert ticket in text
        for seat, each in enumerate(view["players"]):
            listed = re.search(rf"^   routes {seat} (.*\n(?: {{13}}.*\n)*)", text, re.MULTILINE)
            assert len(listed[1].split() if listed else []) == len(each["routes"])
        for kind, count in view["players"][player]["hand"].items():
            assert re.search(rf"hand .*\b{kind}{f' {count}' if count > 1 else ''}\b", text)
        for number in (view["draw_pile"], sum(view["discards"].values())):
            assert str(number) in text
        assert ascii_only(text).isascii()


def test_nothing_hidden_is_drawn(tables):
    """What a player sees drawn does not depend on what he does not know."""
    for state, player, view in tables:
        if state.is_terminal():
            continue
        other = state.info_state(player).sample(3)
        assert other != state
        assert other.game.draw(other.to_dict(player)).plain == state.game.draw(view).plain
        assert other.game.svg(other.to_dict(player)) == state.game.svg(view)


def test_the_truth_and_names_can_be_drawn(tables):
    state, _, view = tables[0]
    assert "hand 0" in state.game.draw(state.to_dict()).plain
    assert "hand 1" in state.game.draw(state.to_dict()).plain
    named = state.game.draw(view | {"names": ["[bold]Ann[/]", "B" * 60]}).plain
    assert "[bold]Ann[/]" in named
    assert max(map(len, named.splitlines())) <= 100


def test_needs_of_tickets():
    """Trains that a ticket needs: along own routes nothing, none along others', and by a way round if one is closed."""
    game = load_game("portland", players=2, board=SMALL)
    side = {"trains": 0, "score": 0, "cards": 3, "hand": {}, "tickets_held": 2, "tickets": [], "routes": []}
    view = {"options": dict(game.options), "player": 0, "players": [dict(side), dict(side)]}
    assert look.remaining(view, 0, "West>New_Town") == (
        4,
        [game.notation.board.route_numbers[text] for text in ("West--Old_Town:blue", "Old_Town--New_Town:white")],
    )
    view["players"][0]["routes"] = ["West--Old_Town:blue"]
    assert look.remaining(view, 0, "West>New_Town")[0] == 1
    view["players"][1]["routes"] = ["Old_Town--New_Town:gray"]  # closes the other one, too
    assert look.remaining(view, 0, "West>New_Town")[0] == 4  # by North Gate: 2 + 2
    assert look.remaining(view, 1, "West>New_Town")[0] == 6  # by North Gate, too: 4 + 2
    view["players"][1]["routes"] += ["North_Gate--New_Town:gray", "Old_Town--South:gray"]
    assert look.remaining(view, 0, "West>New_Town")[0] >= look.FAR
    assert look.longest(view, 0) == 3
    assert look.longest(view, 1) == 5


def test_the_end_is_laid_open():
    """The last table has everybody's final score, from the truth; a player's own view only his."""
    for seed in range(4):
        state = played(2 + seed, 10**6, 20 + seed, SMALL)
        text = state.game.draw(state.to_dict()).plain
        rows = re.findall(r"^ +(\d) Player \d +(\d+) +\+(\d+) +-(\d+) +\+(\d+) +(-?\d+)$", text, re.MULTILINE)
        assert [float(row[-1]) for row in rows] == state.scores()
        assert all(int(a) + int(b) - int(c) + int(d) == int(e) for _, a, b, c, d, e in rows)
        own = state.game.draw(state.to_dict(0)).plain
        assert f" {state.scores()[0]:.0f}\n" in own
        assert re.search(r"^ +1 Player 1 +\d+ +\? +\? +\+\d+ +\?$", own, re.MULTILINE)


# --- the picture ---


def test_the_picture_is_an_svg_with_every_station_and_train(tables):
    for state, _, view in tables:
        root = Tree.fromstring(state.game.svg(view))
        assert root.tag == f"{SVG}svg"
        texts = [element.text for element in root.iter(f"{SVG}text")]
        board = look.board_of(view)
        for station in board.stations:
            assert station.name in texts
        for seat, player in enumerate(view["players"]):
            trains = sum(board.routes[board.route_numbers[route]].length for route in player["routes"])
            # his trains on the board, and his own line; other numbers of that size may be the same
            assert texts.count(str(seat)) >= trains + 1
        polygons = len(list(root.iter(f"{SVG}polygon")))
        claimed = sum(board.routes[board.route_numbers[route]].length for player in view["players"] for route in player["routes"])
        assert polygons == sum(route.length for route in board.routes) + claimed + len(view["players"])


def test_doubles_lie_side_by_side():
    board = look.loaded("portland")
    spots = tuple(roomy(board, 1400, 1000))
    for i, route in enumerate(board.routes):
        (x, y), (x2, y2) = line_of(board, spots, i)
        middles, long = spaces(((x, y), (x2, y2)), route.length)
        assert len(middles) == route.length
        assert long > 8
        if route.other > i:
            (u, v), (u2, v2) = line_of(board, spots, route.other)
            assert (u - x, v - y) == pytest.approx((u2 - x2, v2 - y2))  # parallel
            assert ((u - x) ** 2 + (v - y) ** 2) ** 0.5 == pytest.approx(16)


def test_names_are_escaped():
    state = played(2, 40, 1)
    svg = state.game.svg(state.to_dict(0) | {"names": ["<b>&", "x"]})
    assert "<b>&" not in svg
    Tree.fromstring(svg)


# --- in words ---


def small_view(**changes):
    game = load_game("portland", players=2, board=SMALL)
    side = {"trains": 9, "score": 0, "cards": 3, "hand": {}, "tickets_held": 2, "tickets": [], "routes": [], "offered": [], "chosen": []}
    view = {"options": dict(game.options), "player": 0, "on_turn": 0, "step": "turn", "tickets_left": 4, "returned": ["?"], "offer": []}
    view["players"] = [side | {"hand": {"red": 1}, "tickets": ["West>New_Town", "East>South"]}, side | changes.pop("rival", {})]
    return game, view | changes


def test_what_a_move_is_for():
    game, view = small_view()
    assert game.explain("claim West--Old_Town:blue", view) == "claim West--Old_Town:blue (3 spaces, 4 points; for West>New_Town: 1 to go)"
    assert game.explain("claim South--East:gray", view) == "claim South--East:gray (4 spaces, 7 points; completes East>South)"
    assert game.explain("claim North_Gate--Old_Town:red#1", view) == "claim North_Gate--Old_Town:red#1 (2 spaces, 2 points)"
    assert game.explain("take red", view).startswith("take red (2 then")
    assert game.explain("tickets", view) == "tickets (3 of 5, keep at least 1)"
    assert (
        game.explain("keep North_Gate>East West>New_Town", view)
        == "keep North_Gate>East West>New_Town (5 points, 5 to go; 4 points, 4 to go)"
    )
    assert game.explain("draw", view) == "draw"
    assert game.explain("skip", view) == "skip (nothing else is possible)"
    assert game.explain("no such move", view) == "no such move"
    refill = view | {"step": "refill", "resets": 0, "draw_pile": 9, "market": {"red": 1, "pass": 3}, "discards": {"blue": 2, "pass": 1}}
    assert game.explain("card green", refill) == "card green (3 passes: the market is replaced)"
    assert game.explain("card pass", refill) == "card pass (4 passes: the market is replaced)"
    few = refill | {"discards": {"blue": 1}}
    assert game.explain("card pass, left", few) == "card pass, left (4 passes, and too few other cards: the market stays)"
    assert game.explain("card pass, reset", few) == "card pass, reset (4 passes: the market is replaced)"
    assert game.explain("card red", refill | {"market": {"red": 1, "blue": 1, "pass": 2}}) == "card red"


def test_whom_a_move_blocks():
    game, view = small_view(rival={"routes": ["North_Gate--New_Town:gray", "West--Old_Town:blue"]})
    text = game.explain("claim Old_Town--New_Town:white", view)
    assert (
        text.endswith("blocks player 1 between Old Town and New Town: 2 instead of 1)") or "blocks" not in text
    )  # one train more is no block
    text = game.explain("claim Old_Town--South:gray", view)
    assert "blocks" not in text  # he is not at South
    game, view = small_view(rival={"routes": ["New_Town--East:blue", "West--Old_Town:blue"]})
    text = game.explain("claim Old_Town--New_Town:gray", view)
    assert "blocks player 1 between Old Town and New Town: 4 instead of 1" in text


def test_what_another_players_claim_means():
    game, view = small_view(on_turn=1)
    text = game.explain("claim West--Old_Town:blue, pay blue+1", view)
    assert text == "claim West--Old_Town:blue, pay blue+1 (3 spaces, 4 points; in your way: West>New_Town needs 6 instead of 4)"
    assert "red" not in game.explain("take blue", view).replace("take blue", "")  # nothing of one's own hand, or of his


# --- typed turns ---


@pytest.mark.parametrize(
    ("line", "events"),
    [
        ("take red", ["take red"]),
        ("take red blue", ["take red", "take blue"]),
        ("T re", ["take red"]),
        ("take red; draw", ["take red", "draw"]),
        ("draw 2", ["draw", "draw"]),
        ("draw draw", ["draw", "draw"]),
        ("claim West--Old_Town:blue", ["claim West--Old_Town:blue"]),
        ("claim west old", ["claim West--Old_Town:blue"]),
        ("c old west", ["claim West--Old_Town:blue"]),
        ("claim new east green", ["claim New_Town--East:green"]),
        ("claim north old red#2", ["claim Old_Town--North_Gate:red#2"]),
        ("claim north old #1 pay pass", ["claim North_Gate--Old_Town:red#1", "pay pass"]),
        ("claim gate old #2 with red+1", ["claim Old_Town--North_Gate:red#2", "pay red+1"]),
        ("pay red", ["pay red+0"]),
        ("tickets", ["tickets"]),
        ("skip", ["skip"]),
        ("keep 1 3", ["keep North_Gate>East West>New_Town"]),
        ("keep 3 1", ["keep North_Gate>East West>New_Town"]),
        ("keep all", ["keep North_Gate>East East>South West>New_Town"]),
        ("keep gate new", ["keep North_Gate>East West>New_Town"]),
        ("", []),
    ],
)
def test_short_forms(line, events):
    game, view = small_view(offer=["North_Gate>East", "East>South", "West>New_Town"])
    assert game.parse_turn(line, view) == events


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("take", "take: which card?"),
        ("take pink", '"pink" is no type of card; types are: red, blue, green, white, pass'),
        ("draw 3", 'draw: "3"; expected draw or draw 2'),
        ("claim", "claim: which route? for example: claim North_Gate--Old_Town:red#1"),
        ("claim north old", "claim north old: which one? North_Gate--Old_Town:red#1, Old_Town--North_Gate:red#2"),
        ("claim north", "claim north: no route is called so"),
        ("claim west old green", "no route is called so"),
        ("keep", "keep: which ones? 1 North_Gate>East, 2 East>South"),
        ("keep 4", "keep 4: the tickets are numbered from 1"),
        ("keep east", "keep east: which one; offered are"),
        ("keep West>Old_Town", "that ticket is not offered"),
        ("pay", "pay: how?"),
        ("fly", "fly: no move; moves are: take, draw, claim, pay, tickets, keep, skip"),
    ],
)
def test_what_cannot_be_read(line, told):
    game, view = small_view(offer=["North_Gate>East", "East>South", "West>New_Town"])
    with pytest.raises(ValueError) as caught:
        game.parse_turn(line, view)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_taken_routes_are_called_so():
    game, view = small_view(rival={"routes": ["West--Old_Town:blue"]})
    with pytest.raises(ValueError, match="claim west old: West--Old_Town:blue is taken or closed"):
        game.parse_turn("claim west old", view)


def test_a_whole_turn_on_one_line():
    session = Session.start(load_game("portland", players=2), 3)
    for _ in range(2):
        session.enter("keep all")
    assert session.enter("draw 2") == ["draw", "draw"]
    assert session.state.current_player() == 1
    first = next(kind for kind in session.state.to_dict()["market"] if kind != "pass")
    assert session.enter(f"take {first}; draw") == [f"take {first}", "draw"]
    assert session.state.current_player() == 0
    with pytest.raises(ValueError, match="not legal here"):
        session.enter("skip")


class Person:
    """Who answers every prompt with what the screen before it shows: by number, or typed as it is listed."""

    LISTED = r"(?:^|\s{2,})\s*(\d+) ((?:take|draw|claim|keep|pay|tickets|skip)[^\n(]*?)(?=\s*\(|\s{2,}\d|\s*$)"

    def __init__(self, capsys):
        self.capsys = capsys
        self.rng = random.Random(1)
        self.typed = []

    def isatty(self):
        return False

    def readline(self):
        shown = self.capsys.readouterr().out
        moves = re.findall(self.LISTED, shown[shown.rindex("\n   tickets ") :], re.MULTILINE)
        assert moves, shown
        claims = [move for move in moves if move[1].startswith("claim")]
        number, text = self.rng.choice(claims or moves)
        self.typed.append(text.split()[0])
        return (number if self.rng.random() < 0.5 else text.strip()) + "\n"


def test_a_game_played_from_the_screen(capsys, monkeypatch):
    game = load_game("portland", players=3, board=SMALL, payment="free")
    person = Person(capsys)
    monkeypatch.setattr("sys.stdin", person)
    agents = {seat: load_agent("random", game, seat) for seat in (0, 2)}
    Table(Session.start(game, 4), ["random", "human", "random"], agents, 1).run()
    assert "The game is over." in capsys.readouterr().out
    assert {"keep", "take", "claim", "pay"} <= set(person.typed)
