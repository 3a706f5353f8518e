"""Tramways: the data file, and what a check says about faulty ones."""

import copy
from collections import Counter
from pathlib import Path

import pytest

from wattman.engine import boards, tomlfile
from wattman.engine.checking import check_file
from wattman.engine.games import _tramways_board as tramways
from wattman.engine.games import _tramways_board_check as caps


def tables():
    return copy.deepcopy(boards.read("tramways", "tramways")[0])


# --- what is shipped ---


def test_the_reconstruction_has_no_fault_and_nothing_odd():
    report = tramways.check(tables())
    assert (report.faults, report.remarks) == ([], [])
    data = tramways.load_data()
    assert Counter(kind.family for kind in data.kinds) == {"parcels": 25, "buildings": 6, "starters": 3, "development": 4, "auction": 25}
    copies = Counter()
    for kind in data.kinds:
        copies[kind.family] += kind.copies
    assert copies == {"parcels": 25, "buildings": 20, "starters": 15, "development": 20, "auction": 25}  # 16 + 4 Station cards
    assert [board.letter for board in data.boards] == list("ABCDEFGHIJKL")
    assert data.squares == {"S": 2, "X": 2, "K": 1, "F": 2, "V": 1, "W": 2}


def test_figures_that_are_facts():
    data = tramways.load_data()
    number = data.numbers
    assert (number["course"]["rounds"], number["course"]["actions"], number["course"]["first_stress"]) == (6, [1, 2], [1, 1, 1, 1, 1, 2])
    assert (number["start"]["money"], number["start"]["workers"], number["start"]["rails"], number["start"]["passengers"]) == (3, 2, 24, 30)
    assert [data.setup[players].stations for players in range(1, 6)] == [1, 2, 2, 3, 4]
    assert [data.setup[players].buildings for players in range(1, 6)] == [1, 2, 2, 3, 4]
    assert [rows * columns for rows, columns in (data.setup[players].layout for players in range(2, 6))] == [4, 6, 8, 10]
    assert (number["expansions"]["stock_exchange"]["money"], number["expansions"]["airports"]["money"]) == (5, 5)
    assert (number["expansions"]["park"]["stress"], number["expansions"]["funfair"]["price"]) == (-1, 2)
    assert len(data.kinds[data.kind_numbers["bS"]].icons) == 3


def test_every_table_has_its_basis():
    data = boards.load("tramways/tramways")
    for name in caps.TABLES:
        for table in data[name].values() if name == "cards" else [data[name]]:
            assert table["basis"] in caps.BASES, name


def test_the_shipped_file_says_what_it_is():
    text = (Path(boards.__file__).parent / "data/tramways/tramways.toml").read_text(encoding="utf-8")
    head = text.split("game = ")[0]
    for words in (
        "A RECONSTRUCTION",
        "No public source has the base game's",
        "card list or its prices",
        "wattman check FILE",
        "owns the game",
    ):
        assert words in " ".join(head.replace("#", "").split()), words


def test_summary():
    assert tramways.summary(tables()) == "Tramways (reconstruction): 12 boards with 25 parcels, 105 cards of 63 kinds"


# --- a file of one's own ---


def test_a_file_of_ones_own(tmp_path):
    data = tables()
    data["label"] = "My box"
    data["cards"]["auction"]["t7"]["icons"] = ["R", "r3", "m5"]
    data["leisure"]["price"] = 4
    path = tmp_path / "mine.toml"
    path.write_text(tomlfile.dumps(data), encoding="utf-8")
    report = check_file(path)
    assert (report.kind, report.game, report.faults) == ("board", "tramways", [])
    assert report.summary.startswith("My box: 12 boards")
    made = tramways.load_data(str(path))
    assert made.kinds[made.kind_numbers["t7"]].icons == ("R", "r3", "m5")
    assert made.numbers["leisure"]["price"] == 4


def test_an_error_names_the_file_and_how_many_more_there_are(tmp_path):
    data = tables()
    data["leisure"]["price"] = "three"
    data["auction"]["highest"] = 0
    path = tmp_path / "mine.toml"
    path.write_text(tomlfile.dumps(data), encoding="utf-8")
    with pytest.raises(
        ValueError, match=r'mine.toml: \[leisure\].price: "three" is a text; expected .* from 1 to 20 \(and 1 more; .*check'
    ):
        tramways.load_data(str(path))
    with pytest.raises(ValueError, match="nowhere: no such board; expected tramways or the path of a file"):
        tramways.load_data("nowhere")


# --- faults ---

FAULTS = []


def planted(told):
    """A function that spoils the tables so that there is one fault, `told`, or one that begins so."""

    def note(spoil):
        FAULTS.append(pytest.param(spoil, told, id=spoil.__name__))
        return spoil

    return note


def put(*path):
    """A fault that is one value in another's place: the table, the keys, the value."""

    def spoil(data):
        *keys, last, value = path
        for key in keys:
            data = data[key]
        data[last] = value

    spoil.__name__ = "-".join(str(key) for key in path[:-1])
    return spoil


@planted("[leisure]: missing; expected a table")
def no_table(data):
    del data["leisure"]


@planted("[prices]: unknown key; allowed: game, label, course")
def unknown_table(data):
    data["prices"] = {}


@planted("[course].round: unknown key (did you mean rounds?)")
def unknown_key(data):
    data["course"]["round"] = 6


@planted("[course].arrivals: missing; expected a whole number from 1 to 10")
def no_number(data):
    del data["course"]["arrivals"]


planted('[course].rounds: "six" is a text; expected a whole number from 1 to 6')(put("course", "rounds", "six"))
planted("[course].actions: [1] is not allowed; expected actions in a row, first and second time, 2 whole numbers")(
    put("course", "actions", [1])
)
planted("[course].first_stress: [1, 1] is not allowed; expected stress of the first player by round, 6 whole numbers")(
    put("course", "first_stress", [1, 1])
)
planted("[course].arrivals: 1 does not fit; after each of 6 rounds")(put("course", "arrivals", 1))
planted("[start].passengers: 61 is out of range; expected a whole number from 0 to 60")(put("start", "passengers", 61))
planted("[stress].penalty: [0, 1] is not allowed; expected HP lost by stress 0 to 12, 13 whole numbers")(put("stress", "penalty", [0, 1]))
planted("[stress].high: 13 is never reached; expected at most 12")(put("stress", "high", 13))
planted('[leisure].basis: "guess" is not allowed; expected "fact", "inferred" or "reconstruction"')(put("leisure", "basis", "guess"))
planted("[track].longest: 8 is out of range; expected a whole number from 1 to 7")(put("track", "longest", 8))
planted('label: "" cannot be shown')(put("label", ""))


@planted('[boards].C.rows: row 2: "x" is no square; expected . (empty), ~ (water)')
def strange_square(data):
    data["boards"]["C"]["rows"][1] = "ax..~"


@planted('[boards].C.rows: row 2, "a...", has 4 squares; expected 5')
def short_row(data):
    data["boards"]["C"]["rows"][1] = "a..."


@planted("[boards].C.rows: 4 rows; expected 5, as on the first board")
def few_rows(data):
    data["boards"]["C"]["rows"].pop()


@planted("[boards].C.rows: building a: 2 squares; expected one, or two that share an edge")
def torn_building(data):
    data["boards"]["C"]["rows"][0] = "..bba"


@planted("[boards].C.rows: parcel 1 is on 2 squares; expected one")
def parcel_twice(data):
    data["boards"]["C"]["rows"][0] = "1.bb^"


@planted('[boards].C.types.b: missing; expected "R", "C", "L" or "I"')
def no_type(data):
    del data["boards"]["C"]["types"]["b"]


planted('[boards].C.types.a: "S" is not allowed; expected "R", "C", "L" or "I"')(put("boards", "C", "types", "a", "S"))
planted("[boards].C.types.c: unknown key; allowed: a, b")(put("boards", "C", "types", "c", "R"))
planted("[boards].M: unknown key; allowed: basis, A, B")(put("boards", "M", {"rows": [], "types": {}}))


@planted("[cards.parcels].C1: missing; expected a card for a parcel of [boards]")
def no_parcel_card(data):
    del data["cards"]["parcels"]["C1"]


planted("[cards.parcels].C3: is not a parcel of [boards]")(put("cards", "parcels", "C3", {"copies": 1, "icons": ["lot"]}))
planted("[cards.parcels].C1.copies: 2 is out of range; expected a whole number from 1 to 1")(put("cards", "parcels", "C1", "copies", 2))
planted('[cards.parcels].C1.icons: "lot" is missing; a parcel card has it')(put("cards", "parcels", "C1", "icons", ["r1"]))
planted('[cards.auction].t7.icons: "lot" is on parcel cards only')(put("cards", "auction", "t7", "icons", ["lot"]))
planted('[cards.auction].t7.icons: "r4" is no icon; expected 1 to 6 of R C L I S F r1 r2')(put("cards", "auction", "t7", "icons", ["r4"]))
planted('[cards.auction].t7.icons: "R" is there twice; a card has an icon once')(put("cards", "auction", "t7", "icons", ["R", "R"]))
planted("[cards.auction].t7.icons: a card has at most one of r1, r2 or r3")(put("cards", "auction", "t7", "icons", ["r1", "r2"]))
planted("[cards.auction].t7.icons: a card has at most one of m1, m2, m3 or m5")(put("cards", "auction", "t7", "icons", ["m1", "m5"]))
planted("[cards.auction].t7.icons: 0 icons; expected 1 to 6")(put("cards", "auction", "t7", "icons", []))
planted("[cards.buildings].bX: is not a building card")(put("cards", "buildings", "bX", {"copies": 1, "icons": ["R"]}))
planted("[cards.development].d9: expected d5: kinds are called d1, d2, .. in this order")(
    put("cards", "development", "d9", {"copies": 5, "icons": ["R"]})
)


@planted("[cards.buildings].bF: missing")
def no_building_card(data):
    del data["cards"]["buildings"]["bF"]


planted("[cards.starters].s1.copies: 4; expected 5, one for each of 5 players")(put("cards", "starters", "s1", "copies", 4))
planted("[setup].5.buildings: 4, but [cards.buildings].bR has 3 copies")(put("cards", "buildings", "bR", "copies", 3))
planted("[setup].5.stations: 4, but [cards.buildings].bS has 3 copies")(put("cards", "buildings", "bS", "copies", 3))
planted("[setup].5.development: 5, but [cards.development].d1 has 4 copies")(put("cards", "development", "d1", "copies", 4))


@planted("[setup].5.offer: 5 cards in each of 5 rounds, but [cards.auction] has 24 altogether")
def few_auction_cards(data):
    del data["cards"]["auction"]["t25"]


planted("[setup].3.offer: 2 does not fit; expected 3, a card for each player")(put("setup", "3", "offer", 2))
planted("[setup].3.layout: 1 boards can have only 2 parcels; 3 players get 4 each")(put("setup", "3", "layout", [1, 1]))
planted("[setup].3.layout: 12 boards; at most 10 are possible")(put("setup", "3", "layout", [3, 4]))
planted("[setup].3.layout: [0, 4] is not allowed; expected rows and columns of boards")(put("setup", "3", "layout", [0, 4]))


@planted("[setup].4: missing; expected a table like {layout")
def no_setup(data):
    del data["setup"]["4"]


@planted("[types].R: missing; expected a table like")
def no_type_name(data):
    del data["types"]["R"]


planted('[types].R.colour: "green" is no colour; expected one such as "#3f9b4f"')(put("types", "R", "colour", "green"))
planted("[expansions].park.stress: 1 is out of range; expected a whole number from -9 to 0")(put("expansions", "park", "stress", 1))
planted("[expansions].zoo: unknown key")(put("expansions", "zoo", {}))
planted("[tiles].K.squares: 2 is out of range; expected a whole number from 1 to 1")(put("tiles", "K", "squares", 2))
planted('[tiles].F.expansion: "park" is not allowed; expected "funfair"')(put("tiles", "F", "expansion", "park"))


@pytest.mark.parametrize(("spoil", "told"), FAULTS)
def test_planted_fault(spoil, told):
    data = tables()
    spoil(data)
    faults = tramways.check(data).faults
    assert [fault for fault in faults if fault.startswith(told)], faults
    assert len(faults) == 1, faults


def replaced(table, path, value):
    """A copy of nested tables with another value at one place; the rest is shared."""
    return table | {path[0]: value if len(path) == 1 else replaced(table[path[0]], path[1:], value)}


@pytest.mark.parametrize("junk", [3, "x", [], {}])
def test_junk_anywhere_is_a_fault_and_never_an_exception(junk):
    """Values of the file in turn replaced by something of another type; of the cards and boards some will do."""
    whole = tables()

    def places(value, path=()):
        yield path, value
        for key, inner in list(value.items())[:9] if isinstance(value, dict) else ():
            yield from places(inner, (*path, key))

    for path, value in places(whole):
        if path and path != ("game",) and path[-1] != "basis" and type(value) is not type(junk):
            assert tramways.check(replaced(whole, path, junk)).faults, path
