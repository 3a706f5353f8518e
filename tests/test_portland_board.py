"""Stop Requested: Portland: boards as data, and what a check says about faulty ones."""

import copy
import random
import re
import subprocess
import sys
import textwrap
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from wattman import load_game
from wattman.engine import boards, positions, tomlfile
from wattman.engine.games import _portland_board_check as caps
from wattman.engine.games._portland_board import ANY, check, load_board, summary

ROOT = Path(__file__).parent.parent
SMALL = ROOT / "tests/boards/portland_small.toml"
LARGE = ROOT / "benchmarks/board36.toml"


def tables(board="portland"):
    return copy.deepcopy(boards.read("portland", str(board))[0])


# --- the boards that are there ---


def test_the_reconstruction():
    board = load_board("portland")
    assert (len(board.stations), len(board.routes), len(board.tickets)) == (40, 100, 30)
    assert board.cards == 110
    assert {kind.id: kind.count for kind in board.types} == {
        "blue": 14,
        "red": 13,
        "green": 8,
        "yellow": 6,
        "orange": 6,
        "streetcar": 7,
        "wes": 4,
        "tram": 1,
        "teal": 26,
        "fx": 11,
        "pass": 14,
    }
    assert Counter(route.length for route in board.routes) == {1: 11, 2: 36, 3: 29, 4: 11, 5: 6, 6: 7}
    assert sum(route.other >= 0 for route in board.routes) == 40
    assert sum(ticket.points for ticket in board.tickets) == 367
    assert board.trains == {2: 40, 3: 40, 4: 45, 5: 45}
    assert board.route_points == (0, 1, 2, 4, 7, 10, 15)
    tram = board.route_numbers["OHSU--South_Waterfront:tram"]
    assert board.points(tram) == 6
    assert check(tables()).remarks == []


def test_what_the_rules_name():
    """Routes, tickets and cards that the game's rules name."""
    board = load_board("portland")
    for text, length in [
        ("Parkrose--PDX:red", 3),
        ("NW_23rd--Goose_Hollow:gray", 2),
        ("Killingsworth--St_Johns:teal", 4),
        ("OHSU--South_Waterfront:tram", 1),
    ]:
        assert board.routes[board.route_numbers[text]].length == length
    assert board.routes[board.route_numbers["NW_23rd--Goose_Hollow:gray"]].type == ANY
    assert {"Hillsboro>Gresham", "Expo_Center>Milwaukie"} <= set(board.ticket_numbers)
    assert (board.hand, board.face_up, board.pass_limit) == (4, 5, 3)
    assert (board.start_tickets.offered, board.start_tickets.keep, board.more_tickets.offered, board.more_tickets.keep) == (3, 2, 3, 1)
    assert board.last_round == 2
    assert board.one_of_a_double == 3
    assert board.longest_path == 10


def test_equal_routes_are_numbered():
    board = load_board(str(SMALL))
    assert [route.text for route in board.routes[:2]] == ["North_Gate--Old_Town:red#1", "Old_Town--North_Gate:red#2"]
    assert (board.routes[0].other, board.routes[1].other) == (1, 0)
    assert board.routes[3].text == "Old_Town--New_Town:white"  # another type: no number
    assert board.types[-1].id == "pass"


def test_every_entry_has_its_basis():
    for name in ("portland", "rules"):
        for table, content in boards.load(f"portland/{name}").items():
            if isinstance(content, dict):
                assert content["basis"] in caps.BASES, (name, table)


def test_the_large_board_is_what_its_script_writes():
    made = subprocess.run([sys.executable, str(ROOT / "benchmarks/make_board.py")], capture_output=True, text=True, check=True)
    assert made.stdout == LARGE.read_text(encoding="utf-8")
    board = load_board(str(LARGE))
    assert (len(board.stations), len(board.routes), len(board.types), board.cards, len(board.tickets)) == (36, 100, 9, 110, 30)


@pytest.mark.parametrize("board", ["portland", SMALL, LARGE], ids=["portland", "small", "large"])
def test_summary(board):
    text = summary(tables(board))
    assert "\n" not in text
    assert "2, 3, 4 or 5 players" in text


def test_a_board_of_the_largest_size():
    data = tables(SMALL)
    data["stations"]["list"] = [{"name": f"S{i}", "xy": [i, i % 7]} for i in range(caps.MAX_STATIONS)]
    line = [{"a": f"S{i}", "b": f"S{i + 1}", "type": "gray", "length": 1} for i in range(caps.MAX_STATIONS - 1)]
    data["routes"]["list"] = (line + line + [{"a": "S0", "b": f"S{i}", "type": "gray", "length": 2} for i in (9, 20)])[: caps.MAX_ROUTES]
    data["tickets"]["list"] = [{"a": f"S{i % 60}", "b": f"S{i % 60 + 1 + i // 60}", "points": 3} for i in range(caps.MAX_TICKETS)]
    data["cards"]["types"] = [{"id": f"t{i}", "label": "T", "count": 9, "colour": "#000000"} for i in range(caps.MAX_TYPES - 1)]
    assert len(data["routes"]["list"]) == caps.MAX_ROUTES
    assert check(data).faults == []
    for table, key, entry, told in [
        ("stations", "list", {"name": "X", "xy": [99, 99]}, "65 entries; at most 64"),
        ("routes", "list", {"a": "S1", "b": "S9", "type": "gray", "length": 1}, "129 entries; at most 128"),
        ("tickets", "list", {"a": "S1", "b": "S9", "points": 1}, "81 entries; at most 80"),
        ("cards", "types", {"id": "x", "label": "X", "count": 1, "colour": "#000000"}, "16 entries; at most 15"),
    ]:
        more = copy.deepcopy(data)
        more[table][key].append(entry)
        assert any(f"[{table}].{key}: {told}" in fault for fault in check(more).faults)


def test_a_game_on_the_largest_board(tmp_path):
    """All that there is room for: a chessboard of stations with doubles, 15 types of 14 cards, 30 passes, 80 tickets."""
    rng = random.Random(1)
    names = [f"Stop Number {i}" for i in range(caps.MAX_STATIONS)]
    pairs = [(i, i + 1) for i in range(64) if i % 8 < 7] + [(i, i + 8) for i in range(56)]
    pairs += pairs[: caps.MAX_ROUTES - len(pairs)]
    types = [f"kind{i}" for i in range(caps.MAX_TYPES - 1)]
    data = tables("portland")
    data["trains"] = {"players": {"5": 6}, "last_round": 2, "one_of_a_double": 3}
    data["cards"]["wild"]["count"] = 30
    data["cards"]["types"] = [{"id": kind, "label": kind, "count": 14, "colour": "#123456"} for kind in types]
    data["stations"] = {"list": [{"name": name, "xy": [5 + 12 * (i % 8), 5 + 12 * (i // 8)]} for i, name in enumerate(names)]}
    data["routes"] = {"list": [{"a": names[a], "b": names[b], "type": rng.choice([*types, "gray"]), "length": 1} for a, b in pairs]}
    ends = rng.sample([(a, b) for a in range(64) for b in range(a)], caps.MAX_TICKETS)
    data["tickets"] = {"list": [{"a": names[a], "b": names[b], "points": 9} for a, b in ends]}
    path = tmp_path / "largest.toml"
    path.write_text(tomlfile.dumps(data), encoding="utf-8")
    assert check(data).faults == []
    state = load_game("portland", players=5, board=str(path)).new_initial_state()
    while not state.is_terminal():
        if rng.random() < 0.01:
            info = state.info_state(rng.randrange(5))
            world = info.sample(rng.randrange(99))
            assert world.info_state(info.player) == info
            assert positions.loads(positions.dumps(info)) == info
        chance = dict(state.chance_outcomes()) if state.is_chance_node() else {}
        state.apply_action(rng.choice(list(chance) or state.legal_actions()))
    assert all(name in state.game.svg(state.to_dict(0)) for name in names)
    assert max(map(len, state.game.draw(state.to_dict(0)).plain.splitlines())) <= 100


# --- faults ---


def station(data, name):
    return next(entry for entry in data["stations"]["list"] if entry["name"] == name)


def ways(data, *names):
    """Routes at these stations."""
    return [entry for entry in data["routes"]["list"] if entry["a"] in names or entry["b"] in names]


def cut_off(data):
    """No route to Gresham."""
    for entry in ways(data, "Gresham"):
        data["routes"]["list"].remove(entry)


def third_route(data):
    data["routes"]["list"].append({"a": "Willow Creek", "b": "Hillsboro", "type": "gray", "length": 5})


FAULTS = {  # what is done to the board, and what is said of it
    "unknown table": (lambda d: d.update(tiles={}), "[tiles]: unknown key (did you mean"),
    "missing table": (lambda d: d.pop("routes"), "[routes]: missing; expected a table"),
    "missing shared table": (lambda d: d.pop("deal"), '[deal]: missing; expected a table; parts = ["rules"]'),
    "a table that is none": (lambda d: d.update(trains=40), "trains: 40 is a whole number; expected a table"),
    "unknown key": (lambda d: d["deal"].update(faceup=5), "[deal].faceup: unknown key (did you mean face_up?)"),
    "unknown key of an entry": (lambda d: station(d, "Gresham").update(x=5), "[stations].Gresham.x: unknown key (did you mean xy?)"),
    "basis": (lambda d: d["routes"].update(basis="guess"), '[routes].basis: "guess" is not allowed; expected "fact", "inferred" or'),
    "label": (lambda d: d.update(label="a\nb"), "label: "),
    "too few trains": (lambda d: d["trains"]["players"].update({"2": 0}), "[trains].players.2: 0 is out of range; expected trains from 1"),
    "a sixth player": (lambda d: d["trains"]["players"].update({"6": 40}), "[trains].players.6: unknown key"),
    "nobody": (lambda d: d["trains"].update(players={}), "[trains].players: for no number of players"),
    "last round at once": (lambda d: d["trains"].update(last_round=40), "[trains].last_round: 40; expected fewer than the 40 trains"),
    "points": (lambda d: d["scoring"].update(routes=[1, 2, 400]), "[scoring].routes: [1, 2, 400] is not allowed; expected points for"),
    "no points for 6": (lambda d: d["scoring"]["routes"].pop(), "[routes].Hillsboro--Beaverton:fx.length: 6 is out of range; expected"),
    "pass limit": (lambda d: d["deal"].update(pass_limit=6), "[deal].pass_limit: 6 is out of range; expected a whole number from 2 to 5"),
    "keeping more than offered": (
        lambda d: d["deal"]["more_tickets"].update(offered=1, keep=2),
        "[deal].more_tickets.keep: 2 is out of range; expected a whole number from 1 to 1",
    ),
    "four tickets": (lambda d: d["deal"]["start_tickets"].update(offered=4), "[deal].start_tickets.offered: 4 is out of range"),
    "no offer": (lambda d: d["deal"].pop("start_tickets"), "[deal].start_tickets: missing; expected {offered = .., keep = ..}"),
    "a type called pass": (
        lambda d: d["cards"]["types"][9].update(id="pass"),
        '[cards].entry 10.id: "pass" has a meaning of its own; no type may be called pass, gray or unknown',
    ),
    "a type called gray": (lambda d: d["cards"]["types"][9].update(id="gray"), '[cards].entry 10.id: "gray" has a meaning of its own'),
    "a type with a sign": (
        lambda d: d["cards"]["types"][9].update(id="fx+2"),
        '[cards].entry 10.id: "fx+2" is not allowed; expected a small',
    ),
    "a type twice": (lambda d: d["cards"]["types"][9].update(id="teal"), '[cards].entry 10.id: "teal" is used twice'),
    "no copies": (lambda d: d["cards"]["types"][8].update(count=0), "[cards].teal.count: 0 is out of range; expected cards from 1"),
    "colour": (lambda d: d["cards"]["types"][8].update(colour="teal"), '[cards].teal.colour: "teal" is no colour; expected one such as'),
    "no wild": (lambda d: d["cards"].pop("wild"), "[cards].wild: missing; expected {id = .., label = .., count = .., colour = ..}"),
    "too many cards": (
        lambda d: d["cards"]["types"][0].update(count=99, label="x") or d["cards"]["types"][1].update(count=90),
        "cards with the passes; at most 240",
    ),
    "too few cards": (
        lambda d: d["deal"].update(hand=10, face_up=8) or d["cards"].update(types=d["cards"]["types"][:4]),
        "[cards].types: 55 cards with the passes; dealing to 5 players takes 58",
    ),
    "no xy": (lambda d: station(d, "Gresham").pop("xy"), "[stations].Gresham.xy: missing; expected [x, y], two numbers from 0 to 100"),
    "off the map": (lambda d: station(d, "Gresham").update(xy=[101, 5]), "[stations].Gresham.xy: [101, 5] is not allowed"),
    "on another": (lambda d: station(d, "Gresham").update(xy=[80, 7]), "[stations].Gresham.xy: lies on PDX"),
    "a name with --": (lambda d: station(d, "PDX").update(name="PD--X"), '.name: "PD--X" is not allowed; expected letters'),
    "a name with _": (lambda d: station(d, "PDX").update(name="P_DX"), '.name: "P_DX" is not allowed'),
    "a name with >": (lambda d: station(d, "PDX").update(name="P>DX"), '.name: "P>DX" is not allowed'),
    "a name with :": (lambda d: station(d, "PDX").update(name="P:DX"), '.name: "P:DX" is not allowed'),
    "a long name": (lambda d: station(d, "PDX").update(name="P" * 25), "is not allowed; expected letters"),
    "a name twice": (lambda d: station(d, "PDX").update(name="KENTON"), '.name: "KENTON" is used twice (Kenton)'),
    "no station of a route": (
        lambda d: d["routes"]["list"][3].update(b="Sunst"),
        '[routes].entry 4.b: "Sunst" is no station of [stations].list',
    ),
    "a route to itself": (
        lambda d: d["routes"]["list"][3].update(b="Hillsboro"),
        '[routes].entry 4.b: "Hillsboro" is the station at the other',
    ),
    "no type of a route": (
        lambda d: d["routes"]["list"][3].update(type="pink"),
        '[routes].entry 4.type: "pink" is not allowed; expected "blue"',
    ),
    "a route of passes": (lambda d: d["routes"]["list"][3].update(type="pass"), '[routes].entry 4.type: "pass" is not allowed'),
    "length 0": (lambda d: d["routes"]["list"][3].update(length=0), "[routes].Hillsboro--Sunset:teal.length: 0 is out of range"),
    "too long to claim": (
        lambda d: d["scoring"].update(routes=[1] * 9) or d["cards"]["wild"].update(count=0) or d["routes"]["list"][9].update(length=6),
        "[routes].Beaverton--Washington Square:wes.length: 6 spaces cannot be claimed: there are 4 cards wes and 0 passes",
    ),
    "few trains": (
        lambda d: d["trains"]["players"].update({"2": 5}),
        "[routes].Hillsboro--Beaverton:fx.length: 6 spaces; a player begins with 5",
    ),
    "a third route": (third_route, "[routes].Willow Creek--Hillsboro:gray: the third of 3 routes between these stations"),
    "cut off": (cut_off, "[stations].Gresham: no routes lead here from Hillsboro"),
    "bonus": (lambda d: d["routes"]["list"][3].update(bonus=-5), "[routes].Hillsboro--Sunset:teal.bonus: -5 is out of range"),
    "no station of a ticket": (lambda d: d["tickets"]["list"][0].update(a="Nowhere"), '[tickets].entry 1.a: "Nowhere" is no station'),
    "a ticket to itself": (lambda d: d["tickets"]["list"][0].update(b="Killingsworth"), "[tickets].entry 1.b: "),
    "a ticket twice": (
        lambda d: d["tickets"]["list"].append({"a": "Gresham", "b": "Hillsboro", "points": 23}),
        "[tickets].Gresham>Hillsboro: a ticket for these two stations is there already (again in entry 31)",
    ),
    "points of a ticket": (
        lambda d: d["tickets"]["list"][0].update(points="6"),
        '[tickets].Killingsworth>Goose Hollow.points: "6" is a text',
    ),
    "few tickets": (
        lambda d: d["tickets"].update(list=d["tickets"]["list"][:14]),
        "[tickets].list: 14 tickets; dealing to 5 players takes 15",
    ),
    "no entry": (
        lambda d: d["routes"]["list"].insert(0, ["Hillsboro", "Sunset"]),
        "[routes].entry 1: a list is no entry; expected one like",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named(name):
    damage, expected = FAULTS[name]
    data = tables()
    damage(data)
    faults = check(data).faults
    assert any(expected in fault for fault in faults), faults
    assert all("\n" not in fault and len(fault) < 400 for fault in faults)


def test_many_faults_at_once():
    """Every fault that leaves the others' places as they are is found beside them."""
    together = ["unknown key", "basis", "points", "pass limit", "colour", "off the map", "length 0", "bonus", "points of a ticket"]
    data = tables()
    for name in together:
        FAULTS[name][0](data)
    faults = check(data).faults
    for name in together:
        assert any(FAULTS[name][1] in fault for fault in faults), name


def test_remarks():
    data = tables()
    data["routes"]["list"][1]["length"] = 4
    data["tickets"]["list"][0]["points"] = 7
    data["cards"]["types"].append({"id": "bike", "label": "Bike", "count": 3, "colour": "#123456"})
    report = check(data)
    assert report.faults == []
    assert "[routes].Hillsboro--Willow Creek:red: of length 4, and the other route of the double has length 5" in report.remarks
    assert any("worth more or less than their shortest way: Killingsworth>Goose Hollow (7, not 6)" in remark for remark in report.remarks)
    small = tables(SMALL)
    for entry in small["routes"]["list"]:
        entry["type"] = "red"
        entry["length"] = 1
    assert "[cards].white: no route can be claimed with cards of this type" in check(small).remarks


# --- files ---


def test_a_users_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(SMALL.read_text(encoding="utf-8"), encoding="utf-8")
    assert load_board(str(file)).routes == load_board(str(SMALL)).routes


def test_errors_of_files(tmp_path):
    file = tmp_path / "mine.toml"
    text = SMALL.read_text(encoding="utf-8")
    file.write_text(text.replace("count = 5", "count = 0").replace('type = "green"', 'type = "pink"'), encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"mine\.toml: \[cards\]\.red\.count: 0 is out of range.* \(and 1 more; `wattman check` lists them\)$"
    ):
        load_board(str(file))
    file.write_text(text.replace("players = {2 = 9, 3 = 8, 4 = 8, 5 = 7}", "players = {2 = 9}"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"mine\.toml: \[trains\]\.players: the board is for 2 players, not for 3"):
        load_board(str(file), 3)
    with pytest.raises(ValueError, match=r"^usa: no such board; expected portland or the path of a file that ends in \.toml"):
        load_board("usa")
    with pytest.raises(ValueError, match="side_23"):
        load_board("side_23")


# --- the page about boards of one's own ---

PAGE = (ROOT / "docs/portland-board.md").read_text(encoding="utf-8")


def test_the_pages_example_is_what_it_says(tmp_path):
    file = tmp_path / "tiny.toml"
    file.write_text(re.search(r"(?ms)^```toml\n(.*?)^```", PAGE)[1], encoding="utf-8")
    data = tables(file)
    assert check(data) == boards.Report()
    assert f"\n     {summary(data)}\n" in PAGE


def test_the_pages_numbers_are_those_of_the_rules():
    shown = tomllib.loads(textwrap.dedent(re.search(r"(?ms)^   ```toml\n(.*?)^   ```", PAGE)[1]))
    rules = boards.load("portland/rules")
    assert shown == {name: {key: value for key, value in table.items() if key != "basis"} for name, table in rules.items()}
