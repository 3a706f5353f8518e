"""Position files: what they mean, and every kind of error. Any other text: test_positions_fuzz.py."""

import os
import random
import tomllib
from collections import Counter

import pytest
from trambahn_files import BASE, COLUMNS, EXAMPLES, HAND, changed, played, refusal

from wattman.engine import positions, tomlfile
from wattman.engine.positions import PositionError
from wattman.engine.session import Session

# ---------------------------------------------------------------------------------------------------- what a file means


def test_a_position_is_what_one_player_knows():
    info = positions.loads(BASE)
    assert info.player == info.current_player() == 0
    assert [info.action_to_string(action) for action in info.legal_actions()] == [
        *("board B6", "board B9", "board R2", "board G8", "board G10"),
        *("board C>B", "board C>R", "board C>G", "board C>Y"),
    ]
    view = info.to_dict()
    assert view["rows"] == {"B": ["B2", "C"], "R": [], "G": ["G4"], "Y": ["Y9", "Y1"]}
    assert view["supply"] == [2, 3, 3]
    assert view["stack"] == [0, 2, 7]
    assert view["discard"] == ["?"] * 28
    assert view["players"][1]["hand"] == ["?"] * 6
    assert view["players"][0]["columns"][0] == {"colour": "B", "cards": ["B2", "B4", "B5"], "tram": 2}
    assert info.scores() == [4, 6]
    state = info.sample(0)
    assert state.info_state(0) == info
    assert state.to_dict()["players"][0]["hand"] == view["players"][0]["hand"]


def test_defaults():
    short = changed(("player = 0\n", ""), ('step = "passengers"\n', ""), ("draw_pile = 52\n", ""))
    assert positions.loads(short) == positions.loads(BASE)
    _, data = positions.plain(short)
    assert data["draw_pile"] == 52  # 120 - 31 in hands, money, rows and columns - 8 passengers - 20 paid


def test_known_cards_may_be_written():
    text = changed(("money = 5", 'money = ["?*3", "R1", "y2"]'), ("[opponent]", '[opponent]\nhand = ["B3", "?*5"]'))
    _, data = positions.plain(text + '[discard]\nseen = ["B1", "?", "R9"]\n')
    assert data["players"][0]["money"] == ["?", "?", "?", "R1", "Y2"]
    assert data["players"][1]["hand"] == ["B3"] + ["?"] * 5
    assert data["discard"] == ["B1", "?", "R9"] + ["?"] * 25


def test_extra_tours_are_told_from_regular_points():
    long_line = changed(('"B 2 4 5 x2"', '"B 2 4 C 5 7 C 8 10 x2"'), ("score = 4", "score = 30"), ("draw_pile = 52", "draw_pile = 47"))
    _, data = positions.plain(long_line)
    assert (data["players"][0]["regular"], data["players"][0]["extra"]) == (10, 20)  # (1+1+1+2+2+3) x 2
    assert positions.plain(long_line.replace("score = 30", "regular = 10"))[1] == data
    assert positions.plain(long_line.replace("score = 30", "regular = 10\nextra = 20"))[1] == data


def test_in_the_middle_of_a_turn():
    building = changed(
        ('"passengers"', '"stations"'), (HAND, 'hand = ["Y7"]'), ('"G 3 6 x2"', '"G 3 6 x2", "B 6", "Y C 3"'), ("draw_pile = 52\n", "")
    )
    _, data = positions.plain(building)
    assert (data["turn"]["column"], data["turn"]["opened"]) == (3, "CY")
    info = positions.loads(building)
    assert [info.action_to_string(action) for action in info.legal_actions()] == ["build Y7>3", "done"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path):
    info = positions.load(path)
    assert positions.remarks(path) == []
    assert len(info.legal_actions()) > 1
    for seed in range(20):
        assert info.sample(seed).info_state(info.player) == info
    assert positions.loads(positions.dumps(info)) == info


def test_there_are_examples():
    assert len(EXAMPLES) >= 6
    assert {"trambahn-midgame", "trambahn-endgame", "trambahn-extra-tour"} <= {path.stem for path in EXAMPLES}


def test_template_loads(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(positions.template("trambahn"))
    assert positions.load(path).current_player() == 0
    assert positions.remarks(path) == []


def test_template_names_every_key():
    text = positions.template("trambahn")
    for key in ("player", "to_move", "step", "scorings", "reshuffles", "draw_pile", "halving", "boarded", "column", "opened", "banked"):
        assert f"{key} = " in text
    for key in ("bought", "hand", "money", "columns", "score", "regular", "extra", "seen", "open", "stack"):
        assert f"{key} = " in text


def test_template_of_no_game():
    with pytest.raises(ValueError, match=r"no game 'trambahm'; games with position files are: .*trambahn"):
        positions.template("trambahm")
    with pytest.raises(ValueError, match=r"leduc has no position files; games with position files are: .*trambahn"):
        positions.template("leduc")


# ---------------------------------------------------------------------------------------------------- round trip


@pytest.mark.parametrize(("seed", "halving", "greedy"), [(1, "on_empty", True), (2, "on_need", True), (3, "on_empty", False)])
def test_every_ply_can_be_written_out(seed, halving, greedy):
    for state in played(seed, halving, greedy):
        for player in (0, 1):
            info = state.info_state(player)
            text = positions.dumps(info)
            again = positions.loads(text)
            assert again == info
            assert positions.dumps(again) == text
            assert max(map(len, text.split("\n"))) <= tomlfile.WIDTH + 40  # remarks behind lines come on top


def test_a_file_without_memory_agrees_with_the_table():
    """What a person could write of a position: the table, without what only the program remembers."""
    for number, state in enumerate(played(4)):
        if number % 5 == 0:
            info = state.info_state(number // 5 % 2)
            data = tomllib.loads(positions.dumps(info))
            data.pop("memory", None)
            view, again = info.to_dict(), positions.loads(tomlfile.dumps(data)).to_dict()
            assert again == view


# ---------------------------------------------------------------------------------------------------- files and TOML


def test_files_that_are_none(tmp_path):
    def message(path):
        with pytest.raises(PositionError) as caught:
            positions.load(path)
        return str(caught.value)

    assert message(tmp_path / "no.toml") == f"{tmp_path}/no.toml: no such file"
    assert message(tmp_path) == f"{tmp_path}: is a directory, not a file"
    (tmp_path / "latin.toml").write_bytes(b'game = "trambahn"\n# Gr\xfcn\n')
    assert message(tmp_path / "latin.toml").endswith("latin.toml: line 2: not UTF-8 text (byte 0xfc)")
    (tmp_path / "huge.toml").write_text("#" * 300_000)
    assert message(tmp_path / "huge.toml").endswith("huge.toml: is longer than 256 KiB, so it is no such file")
    assert "cannot be read" in message("a\0b.toml")
    (tmp_path / "bom.toml").write_text("\ufeff" + BASE, encoding="utf-8")
    assert positions.load(tmp_path / "bom.toml") == positions.loads(BASE)
    if hasattr(os, "getuid") and os.getuid():  # root may read everything, and Windows has other rights
        (tmp_path / "shut.toml").write_text(BASE)
        (tmp_path / "shut.toml").chmod(0)
        assert "permission denied" in message(tmp_path / "shut.toml")


def test_names_with_control_characters_stay_on_one_line(tmp_path):
    with pytest.raises(PositionError) as caught:
        positions.load(tmp_path / "a\nb\x1b[31m.toml")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "game: missing; expected"),
        ('game = "trambahn"\nscorings 2\n', "line 2, column 10: not valid TOML"),
        ('game = "trambahn', "not valid TOML"),
        ('game = "trambahn"\ngame = "trambahn"\n', "not valid TOML: Cannot overwrite a value"),
        ("a = " + "[" * 5000, "not valid TOML"),
        ("scorings = " + "9" * 5000, "not valid TOML"),
        ("#" * 300_000, "is longer than 256 KiB"),
        ('game = "trambahm"', 'game: "trambahm" is not allowed; expected "'),
        ("game = 3", "game: 3 is a whole number; expected "),
        ('game = ["trambahn"]', "game: is a list; expected "),
        ('game = "leduc"', 'game: "leduc" is not allowed; expected '),
        ('game = "trambahn"\noptions = 3', "options: 3 is a whole number; expected a table"),
        ('game = "trambahn"\n[options]\nspeed = 1', "[options].speed: unknown key; allowed: players, halving"),
        ('game = "trambahn"\n[options]\nself = 1', "[options].self: unknown key"),
        (
            'game = "trambahn"\n[options]\nhalving = "never"',
            "[options]: option halving: 'never' is not allowed; allowed: on_empty, on_need",
        ),
        ('game = "trambahn"\n[options]\nhalving = []', "[options].halving: expected a word or a number"),
        ('game = "trambahn"\n[options]\nplayers = 3', "[options]: option players: '3' is not allowed; allowed: 2"),
        ('game = "trambahn"\n[options]\nplayers = 0x' + "f" * 6000, "[options]: "),
    ],
)
def test_text_that_is_no_position(text, expected):
    assert expected in refusal(text)


# ---------------------------------------------------------------------------------------------------- what Trambahn refuses

STATIONS = (('"passengers"', '"stations"'), (HAND, 'hand = ["B6"]'))
INCOME = (('"passengers"', '"income"'), (HAND, 'hand = ["B6"]'))


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        # keys and types
        ([("player = 0", "players = 0")], "players: unknown key (did you mean player?); allowed: game, player, to_move"),
        ([("[you]", "[yuo]")], "[yuo]: unknown key (did you mean you?); allowed: "),
        (
            [("score = 4", "scores = 4")],
            "[you].scores: unknown key (did you mean score?); allowed: hand, money, columns, score, regular, extra",
        ),
        ([("score = 4", '"a\\nb" = 4')], '[you]."a\\nb": unknown key'),
        ([("player = 0", "player = 2")], "player: 2 is out of range; expected the number of your seat, from 0 to 1"),
        ([("player = 0", "player = true")], "player: true is true or false; expected the number of your seat, from 0 to 1"),
        ([("player = 0", "player = 0.0")], "player: 0.0 is a number with a fraction; expected"),
        ([("player = 0", "player = 1979-05-27")], "player: 1979-05-27 is a date or time; expected"),
        ([("player = 0", 'player = "0"')], 'player: "0" is a text; expected'),
        ([("player = 0", "player = [0]")], "player: is a list; expected"),
        (
            [("player = 0", "player = 0\nto_move = -1")],
            "to_move: -1 is out of range; expected the number of the player on turn, from 0 to 1",
        ),
        ([('"passengers"', '"boarding"')], 'step: "boarding" is not allowed; expected "deal", "passengers", "stations"'),
        ([("scorings = 2\n", "")], "scorings: missing; expected the number of regular scorings so far, from 0 to 10"),
        ([("scorings = 2", "scorings = 11")], "scorings: 11 is out of range"),
        ([("scorings = 2", "scorings = 0x" + "f" * 5000)], "scorings: a number of more than 15 digits is out of range"),
        ([("scorings = 2", "scorings = 10")], 'scorings: 10, which ends the game, but the step is "passengers"'),
        ([('"passengers"', '"over"')], 'step: "over" after 2 scorings; a game ends with the tenth'),
        (
            [("draw_pile = 52", "draw_pile = -1")],
            "draw_pile: -1 is out of range; expected the number of cards in the draw pile, from 0 to 120",
        ),
        ([("draw_pile = 52", "reshuffles = 1")], "draw_pile: missing; expected the number of cards in the draw pile, from 0 to 120"),
        (
            [("draw_pile = 52", "draw_pile = 90")],
            "draw_pile: 90 cards, but 40 of 120 lie in hands, money piles, rows and columns; expected at most 80",
        ),
        ([("draw_pile = 52\n", ""), ("money = 8", "money = 70")], "draw_pile: missing; it cannot be worked out (it would be -10)"),
        (
            [("money = 8", "money = 100")],
            "[you].money, [opponent].money: 132 cards lie in hands, money piles, rows and columns; there are 120",
        ),
        ([("money = 8", "money = 200")], "[opponent].money: 200 is out of range"),
        ([("money = 8\n", "")], "[opponent].money: missing; expected the number of cards in the money pile"),
        ([("money = 8", "money = {}")], "[opponent].money: is a table; expected"),
        ([("money = 8", "money = [5]")], "[opponent].money: 5 is not a text; expected"),
        ([("money = 8", 'money = ["?*0999"]')], '[opponent].money: "?*0999" is no card'),
        ([("money = 8", 'money = ["?*121"]')], "[opponent].money: more than 120 cards"),
        ([("money = 8", 'money = ["?*100", "?*100"]')], "[opponent].money: more than 120 cards"),
        # cards
        ([('"B6"', '"B11"')], '[you].hand: "B11" is no card; values run from 1 to 10 (B1..B10), C is the conductor'),
        ([('"B6"', '"R0"')], '[you].hand: "R0" is no card; values run from 1 to 10 (R1..R10), C is the conductor'),
        (
            [('"B6"', '"X3"')],
            '[you].hand: "X3" is no card; a card is a colour B, R, G or Y with a value 1..10 (B7), or C for the conductor',
        ),
        ([('"B6"', '""')], '[you].hand: "" is no card'),
        ([('"B6"', '"\\u001b[2J"')], "[you].hand: "),
        ([('"B6"', '"?"')], '[you].hand: "?": you know your own hand; write the card'),
        ([(HAND + "\n", "")], "[you].hand: missing; expected a list of your cards"),
        ([(HAND, "hand = 6")], "[you].hand: 6 is a whole number; expected a list of your cards"),
        ([(HAND, "hand = []")], "[you].hand: empty, but a passenger is to be played"),
        ([('"B6",', '"B6", "B7",')], "[you].hand: more than 6 cards"),
        ([("[opponent]", "[opponent]\nhand = 7")], "[opponent].hand: 7 is out of range; expected a number of cards from 0 to 6"),
        ([("[opponent]", '[opponent]\nhand = ["?*7"]')], "[opponent].hand: more than 6 cards"),
        ([('"B6"', '"Y1"'), ('"C"]\nmoney', '"Y1"]\nmoney')], "[rows].Y: 3 cards Y1 ([you].hand and [rows].Y); there are 2"),
        (
            [("[opponent]", '[discard]\nseen = ["B5", "B5", "B5"]\n[opponent]')],
            "[discard].seen: 4 cards B5 ([you].columns and [discard].seen); there are 3",
        ),
        ([("[opponent]", '[discard]\nseen = ["?*29"]\n[opponent]')], "[discard].seen: 29 cards, but the discard pile has 28"),
        ([("[opponent]", "[discard]\nseen = 3\n[opponent]")], "[discard].seen: 3 is a whole number; expected a list of cards"),
        # rows
        ([('Y = ["Y9", "Y1"]', 'Y = ["Y9", "Y1", "C", "C"]')], "[rows].Y: 4 passengers wait; at most 3 can"),
        ([('Y = ["Y9", "Y1"]', 'Y = ["Y9", "R1"]')], '[rows].Y: "R1" waits in the Red row; here only Y1..Y10 and C'),
        ([('Y = ["Y9", "Y1"]', 'Y = ["?"]')], '[rows].Y: "?": waiting passengers lie open'),
        ([('Y = ["Y9", "Y1"]', "P = []")], "[rows].P: unknown key; allowed: B, R, G, Y"),
        # columns
        ([('"B 2 4 5 x2"', '"P 2 4 5 x2"')], '[you].columns: "P 2 4 5 x2": begins with no colour; a column is written "R 3 C 7 8 x3"'),
        ([('"B 2 4 5 x2"', '""')], '[you].columns: "": begins with no colour'),
        ([('"B 2 4 5 x2"', '"B x2"')], '[you].columns: "B x2": has no card'),
        ([('"B 2 4 5 x2"', '"B 2 4 11 x2"')], '[you].columns: "B 2 4 11 x2": "11" is neither a value 1..10 nor C'),
        ([('"B 2 4 5 x2"', '"B 2 4 R5 x2"')], '[you].columns: "B 2 4 R5 x2": "R5" is neither a value 1..10 nor C'),
        ([('"B 2 4 5 x2"', '"B 2 5 4 x2"')], '[you].columns: "B 2 5 4 x2": 4 does not fit behind 5; values ascend in a column'),
        ([('"B 2 4 5 x2"', '"B 2 2 x2"')], '[you].columns: "B 2 2 x2": 2 does not fit behind 2'),
        ([('"B 2 4 5 x2"', '"B 2 10 C x2"')], '[you].columns: "B 2 10 C x2": "C" lies behind the 10; a 10 completes a column'),
        ([('"B 2 4 5 x2"', '"B 2 4 5 x5"')], '[you].columns: "B 2 4 5 x5": "x5" is no tram; trams are x2, x3 and x4'),
        ([('"B 2 4 5 x2"', '"B 2 4 x2 5"')], '[you].columns: "B 2 4 x2 5": the tram x2 comes last'),
        ([('"B 2 4 5 x2"', '"B 1 2 3 4 5 6 7 8"')], '[you].columns: "B 1 2 3 4 5 6 7 8": 8 cards without a tram'),
        ([('"B 2 4 5 x2"', "3")], "[you].columns: 3 is not a text; expected a list of columns"),
        ([('"R 1 3 4 x2"', '"R 1 3 4"')], '[opponent].columns: "R 1 3 4" has no tram; only the player on turn can have such columns'),
        ([('"G 3 6 x2"', '"G 3 6"')], '[you].columns: "G 3 6" has no tram; the step "passengers" has no such columns'),
        (
            [*STATIONS, ('"B 2 4 5 x2"', '"B 2 4 5"')],
            '"B 2 4 5" has no tram, so it was opened in this turn; a column with a tram cannot come after it',
        ),
        (
            [*STATIONS, (COLUMNS, 'columns = ["B 2 4 5 x2", "G 3", "B 6"]')],
            "columns without a tram are listed in the order of their first cards",
        ),
        (
            [*STATIONS, (COLUMNS, 'columns = ["B 2 4 5 x2", "G 1 2 3 4 6"]')],
            "5 cards in columns without a tram and 1 in hand; together at most 5",
        ),
        # points
        ([("score = 4", "score = 4\nregular = 4")], "[you].regular: given beside score"),
        ([("score = 4", "regular = 4\nextra = 8")], "[you].extra: 8 points of Extra Tours, but no column has 8 cards; expected 0"),
        ([("score = 4", "score = -4")], "[you].score: -4 is out of range"),
        # trams
        ([('"B 2 4 5 x2"', '"B 2 4 5 x4"')], "columns: a tram x4 cannot be among the first 4 bought; the stack is 5 x2, 4 x3, 7 x4"),
        (
            [(COLUMNS, 'columns = ["B 2 x3", "B 4 x3", "B 5 x3", "G 3 x3", "G 6 x3"]')],
            "columns: 5 trams x3 on the columns of both; there are 5 x2, 4 x3, 7 x4",
        ),
        ([("[opponent]", "[supply]\nopen = [2, 3, 5]\n[opponent]")], "[supply].open: 5 is no tram; trams are 2, 3 and 4"),
        ([("[opponent]", "[supply]\nopen = [2, 3, 3, 3]\n[opponent]")], "[supply].open: 4 trams; at most three are open"),
        ([("[opponent]", '[supply]\nopen = ["x2"]\n[opponent]')], '[supply].open: "x2" is not a whole number'),
        ([("[opponent]", "[supply]\nstack = [1, 2]\n[opponent]")], "[supply].stack: expected three numbers"),
        (
            [("[opponent]", "[supply]\nstack = [1, 3, 7]\n[opponent]")],
            "[supply]: the stack is sorted with x2 on top, so its last 11 trams are 0 x2, 4 x3 and 7 x4",
        ),
        (
            [("[opponent]", "[supply]\nopen = [3, 3, 3]\nstack = [0, 2, 7]\n[opponent]")],
            "[supply]: 4 trams x2 on columns, open and in the stack; there are 5",
        ),
        (
            [("[opponent]", "[supply]\nopen = [3, 3, 3]\n[opponent]")],
            "[supply]: the stack is sorted with x2 on top, so its last 9 trams are 0 x2, 2 x3 and 7 x4",
        ),
        (
            [("[opponent]", "[supply]\nopen = [2, 3]\nstack = [0, 3, 7]\n[opponent]")],
            '[supply]: 2 open and 10 in the stack; before the step "trams"',
        ),
        # the turn
        (
            [("[you]", "[turn]\nboarded = 2\n[you]")],
            "[turn].boarded: 2 is out of range; expected the number of passengers played in this turn, from 0 to 1",
        ),
        ([("[you]", "[turn]\nboarded = 1\n[you]")], "[you].hand: 6 cards after 1 passenger; expected at most 5"),
        (
            [("[you]", '[turn]\nbanked = "R3"\n[you]')],
            '[turn].banked: belongs to the step "income", but the step is "passengers"; leave it out',
        ),
        ([("[you]", "[turn]\nbought = 1\n[you]")], '[turn].bought: belongs to the step "trams"'),
        ([("[you]", "[turn]\ndealt = 3\n[you]")], '[turn].dealt: belongs to the step "deal"'),
        ([("[you]", '[turn]\nopened = "B2"\n[you]')], '[turn].opened: belongs to the step "stations" or "income"'),
        ([*STATIONS, ("[you]", '[turn]\nopened = "B2"\n[you]')], '[turn].opened: "B2", but no own column is without a tram; leave it out'),
        (
            [*STATIONS, ("[you]", "[turn]\ncolumn = 2\n[you]")],
            "[turn].column: 2 is out of range; expected the number of an own column (from 0), from 0 to 1",
        ),
        (
            [*STATIONS, ('"G 3 6 x2"', '"G 3 6"'), ("[you]", '[turn]\nopened = "B3"\n[you]')],
            '[turn].opened: "B3", but the last column begins with "G3"; expected that',
        ),
        (
            [*STATIONS, ('"G 3 6 x2"', '"G 3 6"'), ("[you]", "[turn]\ncolumn = 0\n[you]")],
            "[turn].column: 0, but column 1 was opened in this turn",
        ),
        ([*INCOME, ("[you]", '[turn]\nbanked = "R11"\n[you]')], '[turn].banked: "R11" is no card'),
        ([*INCOME, ("[you]", '[turn]\nbanked = "?"\n[you]')], '[turn].banked: "?": you know what you banked; write the card'),
        ([*INCOME, ("[you]", '[turn]\nbanked = "R1"\n[you]')], 'step: "income" needs a hand card not below the last one banked'),
        (
            [('"passengers"', '"trams"')],
            '[you].hand: 6 cards in the step "trams"; at least one was played as a passenger, expected at most 5',
        ),
        (
            [('"passengers"', '"trams"'), (HAND, "hand = []")],
            'step: "trams" needs an own column without a tram and the money for an open one',
        ),
        ([('"passengers"', '"stations"'), (HAND, "hand = []")], 'step: "stations" needs a hand card that may still be built'),
        (
            [('"passengers"', '"trams"'), (HAND, "hand = []"), ("[you]", "[turn]\nbought = 0\n[you]")],
            "[supply].open: three trams are open after a purchase",
        ),
        (
            [
                ('"passengers"', '"trams"'),
                (HAND, "hand = []"),
                ('"G 3 6 x2"', '"G 3 6"'),
                ("[you]", "[turn]\nbought = 1\n[supply]\nopen = [2, 2]\nstack = [0, 4, 7]\n[you]"),
            ],
            "[turn].bought: column 1 has no tram",
        ),
        ([('"passengers"', '"draw"')], 'step: "draw" with 6 cards in hand and 52 in the draw pile; expected fewer than 6 and at least 1'),
        ([('"passengers"', '"deal"')], "[turn].dealt: missing; expected the number of cards dealt so far, from 0 to 38"),
        ([('"passengers"', '"deal"'), ("[you]", "[turn]\ndealt = 5\n[you]")], "[you].hand: 6 cards when 5 of 39 are dealt; expected 0"),
        # memory
        ([("[you]", "[memory]\nfoo = 1\n[you]")], "[memory].foo: unknown key"),
        ([("[you]", "memory = 3\n[you]")], "unknown key"),
    ],
)
def test_what_a_position_cannot_be(edits, expected):
    assert expected in refusal(changed(*edits))


def test_remarks(tmp_path):
    def remarks(*edits):
        path = tmp_path / "p.toml"
        path.write_text(changed(*edits))
        return positions.remarks(path)

    assert remarks() == []
    assert remarks(("draw_pile = 52", "draw_pile = 50")) == [
        "draw_pile: 50 leaves 30 discards; before the first reshuffle they are 4 for each scoring and the payments for trams, here 28,"
        " so that draw_pile = 52"
    ]
    assert "a hand is filled up to 6" in remarks(('"B6", ', ""), ("draw_pile = 52", "draw_pile = 53"))[0]
    assert (
        "[you].money: 1; player 0 began with 12 and has paid 10 for trams"
        in remarks(("money = 5", "money = 1"), ("draw_pile = 52\n", ""))[0]
    )
    assert "before the first one" in remarks(("scorings = 2", "scorings = 0"), ("draw_pile = 52\n", ""))[0]


@pytest.mark.parametrize("told", ['["B5", "B6", "Y6", "?*3"]', '["B5", "B6", "R3", "R5", "Y6", "C"]'])
def test_the_others_hand_may_be_told_after_a_reshuffle(told):
    """Worlds hold these cards; play goes on from one; and events bring the knowledge forward, told cards first."""
    text = (EXAMPLES[0].parent / "trambahn-endgame.toml").read_text()
    info = positions.loads(text.replace("[opponent]\nhand = 6", f"[opponent]\nhand = {told}"))
    assert positions.loads(positions.dumps(info)) == info
    known = [card for card in info.to_dict()["players"][1]["hand"] if card != "?"]
    assert len(known) in (3, 6)
    for seed in range(50):
        hand = info.sample(seed).to_dict()["players"][1]["hand"]
        assert not Counter(known) - Counter(hand)
    session = Session.from_info(info, 1)
    rng = random.Random(1)
    while not session.state.is_terminal():
        session.state.info_state().sample(1)
        session.play(rng.choice(session.state.legal_actions()))
    for text in ["board B2", "done", "done", "done", "draw R9", "board B5", "board B6"]:
        if info.current_player() != -4:
            info.admit(text)
    left = info.to_dict()["players"][1]["hand"]
    assert [card for card in left if card != "?"] == known[2:]
    with pytest.raises(ValueError):
        info.clone().admit("build B6>3")
    info.sample(1)
