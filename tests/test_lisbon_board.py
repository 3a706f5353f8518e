"""Lisbon's boards: what is shipped, every planted fault named by its key, and a check that survives anything."""

import copy
import json
import random
import re
import textwrap
from pathlib import Path

import pytest
from commands import refused, run

from wattman import load_game
from wattman.engine import boards, tomlfile
from wattman.engine.games import _lisbon_board as lisbon
from wattman.engine.games import _lisbon_board_check as limits

SHIPPED = ["side_23", "side_23_18", "side_4", "side_4_18"]


@pytest.fixture
def data():
    return copy.deepcopy(boards.read("lisbon", "side_23")[0])


def entry(data, table, name):
    return next(item for item in data[table]["list"] if item["id"] == name)


def faults(data):
    return lisbon.check(data).faults


# --- what is shipped ---


def test_shipped_boards_have_no_fault_and_nothing_odd():
    assert boards.shipped("lisbon") == SHIPPED
    for name in SHIPPED:
        report = lisbon.check(boards.read("lisbon", name)[0])
        assert (report.faults, report.remarks) == ([], [])


@pytest.mark.parametrize("name", SHIPPED)
def test_figures_of_the_box(name):
    board = lisbon.load_board(name)
    assert (board.tickets_each_colour * 4, board.passengers_each_colour * 4, len(board.cards)) == (108, 60, 22)
    assert (board.start_hand, board.end_of_turn, board.each_stop, board.start_seats, board.bonus_seats) == (5, 4, 3, 2, 4)
    seats = board.player_boards[0]
    assert seats.id == "pink"
    assert seats.bonus[lisbon.COLOURS.index("Y")] == lisbon.SEATS
    assert len(board.stops) == (14 if "_4" in name else 11)
    assert sum(place.kind == lisbon.MONUMENT for place in board.places) == (18 if name.endswith("18") else 11)
    assert [board.places[i].colour for i in board.bonus_stops] == [0, 1, 2, 3]
    for colour in range(4):  # no colour is worth more than another
        assert sum(card.demand[colour] for card in board.cards) == 22
        assert sum(colour in card.left for card in board.cards) == sum(colour in card.right for card in board.cards) == 8
    carmo, castelo = (board.cards[board.card_numbers[name]] for name in ("carmo_1", "castelo_1"))
    assert (carmo.vp, castelo.vp) == (3, 2)
    assert len(set(carmo.right) & set(castelo.left)) == 2


def test_set_up_by_number_of_players():
    setups = lisbon.load_board("side_23").setups | lisbon.load_board("side_4").setups
    assert {n: (s.face_up, s.spaces, s.claims_to_trigger) for n, s in setups.items()} == {
        2: (12, (1, 2, 3), 9),
        3: (15, (0, 1, 2, 3), 11),
        4: (18, (0, 1, 2, 3), 14),
    }
    assert [lisbon.default_board(n) for n in (2, 3, 4)] == ["side_23", "side_23", "side_4"]


def test_the_variant_splits_rails_and_keeps_everything_else():
    for side in ("side_23", "side_4"):
        few, many = lisbon.load_board(side), lisbon.load_board(f"{side}_18")
        extra = {place.id for place in many.places} - {place.id for place in few.places}
        assert len(extra) == len(many.rails) - len(few.rails) == 7
        for name in extra:
            assert len(many.neighbours[many.place_numbers[name]]) == 2
        assert [(c.vp, c.demand, c.left, c.right) for c in few.cards] == [(c.vp, c.demand, c.left, c.right) for c in many.cards]
        assert len(few.no_turn) == len(many.no_turn)


def test_neighbours_and_turns_go_both_ways():
    board = lisbon.load_board("side_4")
    number = board.place_numbers
    assert board.neighbours[number["conceicao"]] == tuple(sorted(number[name] for name in ("se", "santa_justa", "chiado", "comercio")))
    assert all(a in board.neighbours[b] for a, near in enumerate(board.neighbours) for b in near)
    assert (number["bica"], number["chiado"], number["cais_sodre"]) in board.no_turn
    assert (number["cais_sodre"], number["chiado"], number["bica"]) in board.no_turn


# --- planted faults ---

PLANTED = []


def planted(*expected):
    """A fault, with the beginnings of the lines that must tell of it; nothing else may be told."""

    def note(plant):
        PLANTED.append(pytest.param(plant, expected, id=plant.__name__))
        return plant

    return note


@planted('[rails].way 1.places: "chiadoo" is no place; did you mean chiado?')
def unknown_place_in_a_way(data):
    data["rails"]["ways"][0]["places"].append("chiadoo")


@planted('[rails].no_turn 1: "xyz" is no place')
def unknown_place_in_a_turn(data):
    data["rails"]["no_turn"][0][0] = "xyz"


@planted("[rails].no_turn 9: no rail joins rossio and belem")
def turn_without_rails(data):
    data["rails"]["no_turn"].append(["carmo", "rossio", "belem"])
    data["rails"]["ways"].append({"line": "x", "places": ["carmo", "rossio"]})


@planted("[rails].no_turn 9: comercio-conceicao-chiado is there twice")
def turn_twice(data):
    data["rails"]["no_turn"].append(["comercio", "conceicao", "chiado"])


@planted("[rails].way 17.places: the rail belem-alcantara is there twice")
def rail_twice(data):
    data["rails"]["ways"].append({"line": "x", "places": ["belem", "alcantara"]})


@planted("[rails].way 17.places: a rail from belem to itself")
def rail_to_itself(data):
    data["rails"]["ways"].append({"line": "x", "places": ["belem", "belem"]})


@planted("[rails].way 17.places: only belem; expected two places or more")
def way_of_one(data):
    data["rails"]["ways"].append({"line": "x", "places": ["belem"]})


@planted("[places].farol: no rails lead here from rossio")
def unreachable_place(data):
    data["places"]["list"].append({"id": "farol", "kind": "stop", "label": "Farol", "xy": [1, 1]})


@planted("[places].rossio: 7 rails meet here; at most 6 are possible")
def too_many_rails(data):
    data["rails"]["ways"] += [{"places": ["rossio", name]} for name in ("belem", "ajuda", "se")]


@planted('[places].belem.id: "belem" is used twice')
def place_twice(data):
    data["places"]["list"].append({"id": "belem", "kind": "stop", "label": "Other", "xy": [1, 1]})


@planted('[places].entry 28.id: "Cais-2" is not allowed; expected a small letter')
def characters_of_the_notation(data):
    data["places"]["list"].append({"id": "Cais-2", "kind": "monument", "label": "Cais", "xy": [1, 1]})


@planted('[places].carmo.kind: "monumnt" is not allowed; expected "rossio"', "[cards].carmo_1.monument", "[cards].carmo_2.monument")
def unknown_kind(data):
    entry(data, "places", "carmo")["kind"] = "monumnt"


@planted("[places].carmo.xy: [14, 101] is not allowed; expected [x, y]")
def off_the_map(data):
    entry(data, "places", "carmo")["xy"] = [14, 101]


@planted("[places].belem.xy: lies on jeronimos")
def one_spot_for_two(data):
    entry(data, "places", "belem")["xy"] = list(entry(data, "places", "jeronimos")["xy"])


@planted('[places].belem.label: "Santos" is the label of santos already')
def one_label_for_two(data):
    entry(data, "places", "belem")["label"] = "Santos"


@planted('[places].santos.label: "\\n" cannot be shown')
def label_that_cannot_be_shown(data):
    entry(data, "places", "santos")["label"] = "\n"


@planted("[places].santos.colour: only bonus stops have a colour")
def colour_of_a_stop(data):
    entry(data, "places", "santos")["colour"] = "R"


@planted('[places].lavra.colour: missing; expected "R", "Y", "G" or "B"')
def bonus_stop_without_colour(data):
    del entry(data, "places", "lavra")["colour"]


@planted("[places].lavra.colour: R is the colour of santa_justa already")
def colour_of_two_bonus_stops(data):
    entry(data, "places", "lavra")["colour"] = "R"


@planted('[places].list: 2 places of kind "rossio"; expected one')
def two_rossios(data):
    entry(data, "places", "santos")["kind"] = "rossio"


@planted("[passengers].each_colour: 11 stops need 33 passengers at the start; there are 32")
def too_few_passengers(data):
    data["passengers"]["each_colour"] = 8


@planted('[cards].se_1.monument: "sea" is no place; monuments are: torre_belem')
def card_without_monument(data):
    entry(data, "cards", "se_1")["monument"] = "sea"


@planted('[cards].se_1.monument: "chiado" is a place of kind "stop"')
def card_for_a_stop(data):
    entry(data, "cards", "se_1")["monument"] = "chiado"


@planted('[cards].se_1.id: "se_1" is used twice')
def card_twice(data):
    entry(data, "cards", "se_2")["id"] = "se_1"


@planted('[cards].se_1.demand: "RRRRRY" wants 5 R; no tram can carry more than 4 of a colour')
def demand_that_no_tram_can_carry(data):
    entry(data, "cards", "se_1")["demand"] = "RRRRRY"


@planted('[cards].se_1.demand: "RPb" has "P" and "b"; expected the passengers to deliver as letters of RYGB')
def demand_in_other_letters(data):
    entry(data, "cards", "se_1")["demand"] = "RPb"


@planted('[cards].se_1.left: "RGR" has R more than once')
def colour_twice_on_an_edge(data):
    entry(data, "cards", "se_1")["left"] = "RGR"


@planted("[cards].se_1.vp: 21 is out of range; expected points from 0 to 20")
def too_many_points(data):
    entry(data, "cards", "se_1")["vp"] = 21


@planted("[cards].se_1.value: unknown key; allowed: id, basis, monument", "[cards].se_1.vp: missing")
def unknown_key(data):
    entry(data, "cards", "se_1")["value"] = entry(data, "cards", "se_1").pop("vp")


@planted("[cards].list: 33 entries; at most 32 are possible")
def too_many_cards(data):
    data["cards"]["list"] += [entry(data, "cards", "se_1") | {"id": f"more_{i}"} for i in range(11)]


@planted("[player_boards].pink.action: Y unlocks seats already")
def colour_twice_on_a_player_board(data):
    entry(data, "player_boards", "pink")["action"] = "Y"


@planted("[player_boards].blue: pairs colours and bonuses as pink does")
def player_boards_alike(data):
    entry(data, "player_boards", "blue").update(entry(data, "player_boards", "pink") | {"id": "blue"})


@planted("[player_boards].list: 2 boards; [setup] is for up to 3 players")
def too_few_player_boards(data):
    del data["player_boards"]["list"][2:]


@planted("[seats].with_bonus: 1 is less than [seats].start")
def fewer_seats_after_the_bonus(data):
    data["seats"]["with_bonus"] = 1


@planted("[tickets].start_hand: 20 for each of 3 players; there are 48 tickets")
def too_few_tickets(data):
    data["tickets"] |= {"each_colour": 12, "start_hand": 20}


@planted("[setup].3.face_up: 23 cards face up; [cards].list has 22")
def too_many_face_up(data):
    data["setup"]["3"]["face_up"] = 23


@planted("[setup].3.face_up: 4 cards; 4 are displayed, and at least one more lies face up")
def too_few_face_up(data):
    data["setup"]["3"]["face_up"] = 4


@planted("[setup].2.closed_spaces: [4] is not allowed; expected each of the spaces 0 to 3 at most once, and not all")
def closed_space_that_is_not_there(data):
    data["setup"]["2"]["closed_spaces"] = [4]


@planted("[setup].5: unknown key; allowed: basis, 2, 3, 4")
def five_players(data):
    data["setup"]["5"] = {"face_up": 20}


@planted("[setup]: for no number of players")
def no_players(data):
    data["setup"] = {"basis": "fact"}


@planted("[display].refill_symbols: [true, 1] is not allowed; expected true or false for each")
def symbols_that_are_numbers(data):
    data["display"]["refill_symbols"] = [True, 1]


@planted('[seats]: missing; expected a table; parts = ["box"] takes it from the shipped ones')
def missing_table(data):
    del data["seats"]


@planted('[rails].basis: "guess" is not allowed; expected "fact", "inferred" or "reconstruction"')
def basis_that_is_none(data):
    data["rails"]["basis"] = "guess"


@planted("place: unknown key (did you mean places?); allowed: game, label, setup")
def unknown_table(data):
    data["place"] = 3


@pytest.mark.parametrize(("plant", "expected"), PLANTED)
def test_planted_fault(data, plant, expected):
    plant(data)
    told = faults(data)
    assert len(told) == len(expected), told
    for line, beginning in zip(sorted(told), sorted(expected), strict=True):
        assert line.startswith(beginning), told
        assert "\n" not in line


def test_all_faults_at_once(data):
    apart = [unknown_place_in_a_way, colour_twice_on_an_edge, off_the_map, too_many_points, closed_space_that_is_not_there, missing_table]
    for plant in apart:
        plant(data)
    assert len(faults(data)) == len(apart)


def test_dead_ends_are_allowed_and_told(data):
    """The real line 28 ends somewhere: a board with a dead end can be played, but its owner may have forgotten a rail."""
    next(way for way in data["rails"]["ways"] if way["places"][0] == "graca")["places"].pop(0)
    report = lisbon.check(data)
    assert report.faults == []
    assert report.remarks == [
        "[places].sao_vicente: a dead end (only portas_do_sol is next): no tram can be pushed on from here",
        "[places].graca: a dead end (only martim_moniz is next): no tram can be pushed on from here",
    ]


def test_remarks(data):
    data["rails"]["no_turn"] += [["martim_moniz", "graca", "sao_vicente"]]
    data["cards"]["list"] = [card for card in data["cards"]["list"] if card["monument"] != "se"]
    report = lisbon.check(data)
    assert report.faults == []
    assert report.remarks == [
        "[places].graca: who comes from martim_moniz cannot go on: [rails].no_turn bans every way",
        "[places].graca: who comes from sao_vicente cannot go on: [rails].no_turn bans every way",
        "[places].se: no card shows this monument",
        "[cards].list: 20 cards; in the box are 22",
    ]


def test_bans_that_cut_the_map_when_stops_are_empty(data):
    """Jerónimos can then be left for Torre de Belém alone, and that has a ban of its own."""
    data["rails"]["no_turn"] += [["jeronimos", "belem", "alcantara"]]
    data["rails"]["ways"] = [way for way in data["rails"]["ways"] if way["places"] != ["torre_belem", "ajuda"]]
    remarks = lisbon.check(data).remarks
    assert any(line.startswith("[places].jeronimos: with all tram stops empty, [rails].no_turn leaves no way to ") for line in remarks)


def test_anything_can_be_checked(data):
    """Whatever stands at whatever place of the file, the check tells of it and does not fall over."""
    dice = random.Random(5)
    odd = [0, -1, 10**30, 2.5, "", "x\ny", "carmo", True, [], ["carmo"], [[]], {}, {"id": 3}, [{"id": "carmo"}], "R" * 500]

    def places(node, path=()):
        items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, item in items:
            yield (*path, key)
            yield from places(item, (*path, key))

    everywhere = list(places(data))
    assert len(everywhere) > 500
    for path in dice.sample(everywhere, 120):
        broken = copy.deepcopy(data)
        node = broken
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = dice.choice(odd)
        report = lisbon.check(broken)
        assert all(isinstance(line, str) and "\n" not in line for line in report.faults)
        if not report.faults:
            lisbon.summary(broken)


# --- reading ---


def write(path, data, parts=()):
    """A board file; TOML's arrays of tables are written inline."""
    path.write_text(tomlfile.dumps({"game": "lisbon", **({"parts": list(parts)} if parts else {}), **data}), encoding="utf-8")
    return path


def test_a_file_of_ones_own(data, tmp_path):
    shared = {key: data.pop(key) for key in ("cards", "tickets", "passengers", "seats")}
    shared["cards"]["list"][0]["vp"] = 5
    (tmp_path / "mine.toml").write_text(tomlfile.dumps(shared), encoding="utf-8")
    del data["player_boards"]
    file = write(tmp_path / "b.toml", data, ["box", "mine.toml"])
    with pytest.raises(ValueError, match=r'b\.toml: parts: "mine\.toml": \[tickets\] is in a part named before already'):
        lisbon.load_board(str(file))
    for key in ("tickets", "passengers", "seats"):
        del shared[key]
    (tmp_path / "mine.toml").write_text(tomlfile.dumps(shared), encoding="utf-8")
    board = lisbon.load_board(str(file))
    assert board.cards[0].vp == 5
    assert board.name == str(file)
    data["tickets"] = {"each_colour": 20, "start_hand": 4, "end_of_turn": 4}  # a table of the file's own replaces the part's
    assert lisbon.load_board(str(write(file, data, ["box", "mine.toml"]))).tickets_each_colour == 20


@pytest.mark.parametrize(
    ("board", "error"),
    [
        ("side_5", "side_5: no such board; expected side_23, side_23_18, side_4, side_4_18 or the path of a file that ends in .toml"),
        ("cards", "cards: no such board; expected side_23"),
        ("nowhere/side_23", "nowhere/side_23: no such file"),
        ("side.toml", "side.toml: no such file"),
    ],
)
def test_no_such_board(board, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError) as raised:
        lisbon.load_board(board)
    assert str(raised.value).startswith(error)


def test_errors_of_reading(tmp_path):
    file = tmp_path / "b.toml"
    for text, error in [
        ('game = "lisbon"\nparts = ["bxo"]\n', 'parts: "bxo": no such part; expected names of shared tables (box, cards, cards_18)'),
        ('game = "trambahn"\n', 'game: "trambahn" is not allowed; expected "lisbon"'),
        ("[places]\n", 'game: missing; expected "lisbon"'),
        ("game = \n", "line 1, column 8: not valid TOML"),
        ('game = "lisbon"\nparts = ["none.toml"]\n', 'parts: "none.toml": no such file'),
    ]:
        file.write_text(text)
        with pytest.raises(ValueError) as raised:
            lisbon.load_board(str(file))
        assert str(raised.value).startswith(f"{file}: {error}")
        assert "\n" not in str(raised.value)


def test_loading_tells_the_first_fault_and_how_many_more(data, tmp_path):
    colour_twice_on_an_edge(data)
    off_the_map(data)
    file = write(tmp_path / "b.toml", data)
    with pytest.raises(ValueError) as raised:
        lisbon.load_board(str(file))
    assert str(raised.value).startswith(f"{file}: [places].carmo.xy: [14, 101]")
    assert str(raised.value).endswith("(and 1 more; `wattman check` lists them)")


def test_number_of_players():
    with pytest.raises(ValueError, match=r"side_4: \[setup\]: the board is for 4 players, not for 2"):
        lisbon.load_board("side_4", 2)
    with pytest.raises(ValueError, match=r"side_23: \[setup\]: the board is for 2 or 3 players, not for 4"):
        lisbon.load_board("side_23", 4)


# --- the command ---


def test_check_a_board(data, tmp_path):
    file = write(tmp_path / "b.toml", data)
    out = run("check", file).stdout
    assert f"{file}: a board of Lisbon" in out
    assert "fine" in out
    assert "27 places (11 stops, 11 monuments, 4 bonus stops, Rossio), 35 rails, 22 cards" in out
    data["cards"]["list"].pop()
    assert "  note: [cards].list: 21 cards; in the box are 22" in run("check", write(file, data)).stdout
    colour_twice_on_an_edge(data)
    off_the_map(data)
    out = run("check", write(file, data), status=2).stdout
    assert "2 faults" in out
    assert "  [places].carmo.xy: [14, 101] is not allowed" in out
    assert "  [cards].se_1.left: " in out


def test_check_as_json(data, tmp_path):
    colour_twice_on_an_edge(data)
    file = write(tmp_path / "b.toml", data)
    told = json.loads(run("check", file, "--json", status=2).stdout)
    assert told | {"faults": 0} == {
        "fine": False,
        "file": str(file),
        "kind": "board",
        "game": "lisbon",
        "summary": "",
        "faults": 0,
        "remarks": [],
    }
    assert told["faults"] == lisbon.check(data).faults


def test_check_what_is_no_board(tmp_path):
    file = tmp_path / "b.toml"
    file.write_text('game = "lisbon"\nparts = ["bxo"]\n')
    assert '  parts: "bxo": no such part' in run("check", file, status=2).stdout
    file.write_text('game = "chess"\n')
    assert '  game: "chess" is not allowed; expected ' in run("check", file, status=2).stdout
    file.write_text("game = [\n")
    assert "not valid TOML" in run("check", file, status=2).stdout
    assert refused("check", tmp_path / "none.toml") == f"wattman: {tmp_path / 'none.toml'}: No such file or directory"


def test_check_positions_and_records(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    position = run("new", "position", "trambahn").stdout
    file = tmp_path / "p.toml"
    file.write_text(position)
    assert "a position of Trambahn: fine" in run("check", file).stdout
    file.write_text(position.replace('"B6", "B9"', '"B6", "B11"'))
    out = run("check", file, status=2).stdout
    assert 'a position of Trambahn: 1 fault\n  [you].hand: "B11" is no card' in out
    run("play", "leduc", "--seed", 1, "--opponent", "random", "--save", "game.jsonl", text="call\n" * 9)
    assert "a record of Leduc poker: fine\n  1 game of Leduc poker" in run("check", "game.jsonl").stdout
    good = (tmp_path / "game.jsonl").read_text()
    (tmp_path / "game.jsonl").write_text(good.replace('"deal ', '"dael ', 1) + good)
    assert "1 fault\n  line 1: " in run("check", "game.jsonl", status=2).stdout


# --- games on a board ---


def test_a_bad_board_is_refused_in_one_line(data, tmp_path):
    colour_twice_on_an_edge(data)
    off_the_map(data)
    file = write(tmp_path / "b.toml", data)
    told = refused("play", "lisbon", "--option", f"board={file}", "--players", 3)
    assert told.startswith(f"wattman: {file}: [places].carmo.xy: [14, 101] is not allowed")
    assert told.endswith("(and 1 more; `wattman check` lists them)")
    assert "no such board; expected side_23" in refused("play", "lisbon", "--option", "board=side_5")
    assert "the board is for 2 or 3 players, not for 4" in refused("play", "lisbon", "--option", "board=side_23", "--players", 4)


def test_the_board_follows_the_players_and_is_written_out():
    for players, name in ((2, "side_23"), (3, "side_23"), (4, "side_4")):
        assert load_game("lisbon", players=players).options["board"] == name
    assert load_game("lisbon", board="side_23_18").options["board"] == "side_23_18"


def test_a_game_on_a_board_of_ones_own(tmp_path, monkeypatch):
    """From typed turns over a record to a position, a check and a picture."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.toml").write_text(page_blocks("toml")[0], encoding="utf-8")
    typed = "1\n" * 12
    out = run("play", "lisbon", "--option", "board=tiny.toml", "--players", 3, "--opponent", "random", "--seed", 2, text=typed).stdout
    assert "castelo" in out
    assert "a record of Lisbon Tram 28: fine" in run("check", "lisbon-1.jsonl").stdout
    run("replay", "lisbon-1.jsonl", "--view", 1, "--ply", 30, "--position", "p.toml")
    assert 'board = "tiny.toml"' in (tmp_path / "p.toml").read_text()
    assert "a position of Lisbon Tram 28: fine" in run("check", "p.toml").stdout
    run("show", "p.toml", "--svg", "p.svg")
    assert ">castelo<" in (tmp_path / "p.svg").read_text()


# --- the docs page for owners ---

PAGE = Path(__file__).parent.parent / "docs" / "lisbon-board.md"


def page_blocks(language):
    text = textwrap.dedent(re.sub(r"(?m)^   (?=\S|  )", "", PAGE.read_text(encoding="utf-8")))
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", text)


def test_the_example_is_a_board_and_its_check_is_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example = page_blocks("toml")[0]
    (tmp_path / "tiny.toml").write_text(example, encoding="utf-8")
    shown = next(text for text in page_blocks("console") if text.startswith("$ wattman check tiny.toml"))
    assert run("check", "tiny.toml").stdout == shown.split("\n", 1)[1]
    assert sorted(lisbon.load_board("tiny.toml").setups) == [2, 3]


def test_the_other_tables_of_the_page_are_those_of_the_box():
    box = boards.load("lisbon/box")
    shown = [tomlfile.parse(text) for text in page_blocks("toml")[1:]]
    assert set().union(*shown) == {"player_boards", "tickets", "passengers", "seats"}
    for tables in shown:
        for name, table in tables.items():
            assert table == {key: value for key, value in box[name].items() if key != "basis"}


def test_the_page_names_the_limits():
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    for limit in (
        f"at most {limits.ID_LENGTH} characters",
        f"at most {limits.LABEL_LENGTH}",
        f"1 to {limits.STOPS} stops, at most {limits.PLACES} places with at most {limits.WAYS} rails each",
        f"at most {limits.CARDS} cards of 0 to {limits.POINTS} points",
    ):
        assert limit in text
