"""Stop Requested: Portland: position files: what may be left out, what errors say, and that written ones are read back."""

import random
from collections import Counter
from pathlib import Path

import pytest
from commands import run
from knowledge import GAMES
from lockstep import POLICIES
from portland_reference import Board, Reference
from portland_tables import SMALL

from wattman import load_game
from wattman.engine import positions
from wattman.engine.games import _portland_assumed as assumed
from wattman.engine.games._portland_board import load_board

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("portland-*.toml"))
SHORTEST = """
game = "portland"
[you]
tickets = ["Hillsboro>Gresham"]
routes = ["Parkrose--PDX:red"]
[players.1]
routes = ["Killingsworth--St_Johns:teal"]
"""


def test_routes_and_tickets_are_enough():
    info = positions.loads(SHORTEST)
    view = info.to_dict()
    assert info.current_player() == 0
    assert "tickets" in [info.game.event_to_string(action) for action in info.legal_actions()]
    assert [player["trains"] for player in view["players"]] == [37, 36]
    assert [player["score"] for player in view["players"]] == [4, 7]
    assert view["players"][1]["cards"] == 4
    assert sum(view["market"].values()) == 5
    assert view["discards"] == {"red": 3, "teal": 4}
    assert view["draw_pile"] == 110 - 7 - 5 - 4
    assert view["tickets_left"] + len(view["returned"]) + 1 + 2 == 30
    world = info.sample(1)
    assert world.info_state(0) == info
    assert sum(world.to_dict()["players"][1]["hand"].values()) == 4


def test_what_was_assumed_is_told(tmp_path):
    file = tmp_path / "short.toml"
    file.write_text(SHORTEST, encoding="utf-8")
    notes = positions.remarks(file)
    assert [note.split(":")[0] for note in notes] == ["[you].hand", "market", "discards"]
    out = run("check", file).stdout
    assert "fine" in out
    assert "discards: left out; assumed: 7 cards, what the claimed routes took" in out


def test_the_template_loads_as_it_is():
    info = positions.loads(positions.template("portland"))
    assert info.game.num_players() == 3
    assert info.current_player() == 0
    assert "portland" in positions.games()


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_examples(file, tmp_path, monkeypatch):
    info = positions.load(file)
    assert positions.remarks(file) == []
    assert info.current_player() == info.player
    assert len(info.legal_actions()) > 1
    for i in range(3):
        assert info.sample(i).info_state(info.player) == info
    assert positions.loads(positions.dumps(info)) == info
    monkeypatch.chdir(tmp_path)
    assert info.game.title in run("check", file).stdout if hasattr(info.game, "title") else run("check", file)
    run("show", file, "--svg", "out.svg")
    assert (tmp_path / "out.svg").read_text().startswith("<svg")
    assert "points" in run("show", file).stdout


def test_examples_are_for_two_three_and_five():
    assert {positions.load(file).game.num_players() for file in EXAMPLES} >= {2, 3, 5}


# --- ways to write things ---


def changed(old, new, base=None):
    text = positions.template("portland") if base is None else base
    assert old in text, old
    return text.replace(old, new, 1)


def test_spellings():
    plain = positions.loads(positions.template("portland"))
    for old, new in [
        ('"blue 3 red 2 pass"', '"pass, red red Blue 3"'),
        ('"Hillsboro>Gresham"', '"gresham>hillsboro"'),
        ('"Hillsboro--Willow_Creek:blue"', '"Willow Creek--Hillsboro:blue"'),
        ("to_move = 0 ", "# to_move = 0 "),
    ]:
        assert positions.loads(changed(old, new)) == plain


def test_discards_as_a_number():
    info = positions.loads(changed("# discards = ", "discards = 20 # "))
    view = info.to_dict()
    assert sum(view["discards"].values()) == 20
    assert view["draw_pile"] == 110 - 20 - 5 - 6 - 6 - 5


def test_returned_tickets_are_known_to_who_returned_them():
    info = positions.loads(changed('# returned = ["OHSU>PDX"]', 'returned = ["OHSU>PDX"]'))
    assert info.to_dict()["returned"] == ["OHSU>PDX", "?"]
    for i in range(20):
        assert info.sample(i).to_dict()["returned"][0] == "OHSU>PDX"


def test_known_cards_are_dealt():
    info = positions.loads(positions.template("portland"))
    for i in range(20):
        assert info.sample(i).to_dict()["players"][1]["hand"]["teal"] >= 2


def test_average_cards():
    board = load_board("portland")
    left = Counter({kind.id: kind.count for kind in board.types})
    for size in range(6):
        cards = assumed.market(board, left, size)
        assert cards.total() == size
        assert cards["pass"] < board.pass_limit
    only = assumed.market(board, Counter({"pass": 5, "red": 1}), 5)
    assert only == Counter({"red": 1, "pass": 2})  # never so many passes that they would be replaced
    routes = [
        board.routes[board.route_numbers[text]] for text in ("OHSU--South_Waterfront:tram", "Gateway--Gresham:blue", "OHSU--PSU:gray")
    ]
    assert assumed.discards(board, left, routes, 9) == Counter(blue=6, tram=1, teal=2)
    left["tram"] = 0  # somebody holds it: a pass was paid
    assert assumed.discards(board, left, routes, 9) == Counter({"blue": 6, "pass": 1, "teal": 2})
    assert assumed.discards(board, left, routes, 30).total() == 30


# --- errors ---

TEMPLATE = positions.template("portland")
ERRORS = {
    "seat": ("player = 0 ", "player = 3 ", "player: 3 is out of range; expected the number of your seat, from 0 to 2"),
    "mover": ("to_move = 0 ", "to_move = -1 ", "to_move: -1 is out of range"),
    "step": ('step = "turn"', 'step = "draw a card"', 'step: "draw a card" is not allowed; expected "turn", "second", "keep"'),
    "key": ("market = ", "markt = ", "markt: unknown key (did you mean market?)"),
    "key of you": ("\nhand = ", "\nhnad = ", "[you].hnad: unknown key (did you mean hand?)"),
    "key of another": ("cards = 5", "hand = 5", "[players].2.hand: unknown key"),
    "own seat": ("[players.1]", "[players.0]", "[players].0: that is your own seat; write it as [you]"),
    "no seat": ("[players.1]", "[players.7]", "[players].7: no such seat; the players are 0, 1 and 2"),
    "card": ('"blue 3 red 2 pass"', '"blue 3 pink"', '[you].hand: "pink" is no type of card; types are: blue, red'),
    "number first": ('"blue 3 red 2 pass"', '"3 blue"', '[you].hand: "3": a number stands behind its type'),
    "too many of a type": ('"blue 3 red 2 pass"', '"tram 2"', "[you].hand: 2 cards tram; there are 1"),
    "too many in all": (
        'known = "teal 2"',
        'known = "pass 6" # ',
        "market: 15 cards pass ([you].hand, [players].1.known and market); there are 14",
    ),
    "too few cards": ("cards = 6 ", "cards = 1 ", "[players].1.cards: 1, but 2 are known; expected at least 2"),
    "market": ('market = "teal 2 red pass yellow"', 'market = "teal 2 red 2 pass yellow"', "market: 6 cards; 5 lie face up"),
    "short market": ('market = "teal 2 red pass yellow"', 'market = "teal 2"', "market: 2 cards; 5 lie face up while there are cards"),
    "draw pile": ("# draw_pile = 67", "draw_pile = 99", "draw_pile: 99"),
    "both piles": (
        "# draw_pile = 67",
        "draw_pile = 67\ndiscards = 3",
        "draw_pile: 67 cards, but hands, market and discards leave 85 of 110",
    ),
    "route": (
        '"Parkrose--PDX:red"]',
        '"Parkrose--PDX:blue"]',
        '[you].routes: "Parkrose--PDX:blue" is not among the board\'s routes; did you mean',
    ),
    "route twice": (
        '"Parkrose--PDX:red"]',
        '"Parkrose--PDX:red", "PDX--Parkrose:red"]',
        "[you].routes: Parkrose--PDX:red is there twice",
    ),
    "route of two": (
        '"Killingsworth--St_Johns:teal"',
        '"Parkrose--PDX:red"',
        "[players].1.routes: Parkrose--PDX:red is claimed by player 0 too",
    ),
    "closed": (
        '"Killingsworth--St_Johns:teal"',
        '"Hillsboro--Willow_Creek:red"',
        "[players].1.routes: Hillsboro--Willow_Creek:red was closed when player 0 claimed Hillsboro--Willow_Creek:blue",
    ),
    "own double": (
        '"Parkrose--PDX:red"]',
        '"Hillsboro--Willow_Creek:red"]',
        "[you].routes: Hillsboro--Willow_Creek:red and Hillsboro--Willow_Creek:blue are a double; nobody can have both",
    ),
    "score": ("# score = 14", "score = 15", "[you].score: 15, but the routes make it 14 points; one of them is wrong"),
    "ticket": (
        '"PSU>Parkrose"',
        '"PSU>Parkross"',
        '[you].tickets: "PSU>Parkross" is not among the board\'s tickets; did you mean PSU>Parkrose?',
    ),
    "ticket twice": ('"PSU>Parkrose"', '"Hillsboro>Gresham"', "[you].tickets: Hillsboro>Gresham is there twice"),
    "no tickets": ("tickets = [", "# tickets = [", "[you].tickets: missing; expected a list of your tickets"),
    "ticket in two places": (
        '# returned = ["OHSU>PDX"]',
        'returned = ["PSU>Parkrose"]',
        "returned: PSU>Parkrose is in [you].tickets too",
    ),
    "too many tickets": ("tickets = 3\n", "tickets = 29\n", "tickets: 35 held, offered and returned; there are 30"),
    "tickets left": (
        "# [tickets]\n# left = 22               # that nobody has seen yet\n",
        "[tickets]\nleft = 22\n",
        "[tickets].left: 22, but 7 are held or offered and 2 returned of 30; expected 21",
    ),
    "no last round": ("# turns_left = 2", "turns_left = 2", "turns_left: the last round begins when a player has at most 2 trains"),
    "players": ("players = 3", "players = 6", "[options]: option players: "),
    "board": ('# board = "portland"', 'board = "usa"', "[options]: usa: no such board; expected portland"),
    "offer": ('step = "turn"', 'step = "keep"', "[you].offered: missing; expected a list of the tickets offered to you"),
    "claiming": ('step = "turn"', 'step = "pay"', "claiming: missing; expected the route that is being paid for"),
    "claiming elsewhere": ('step = "turn"', 'step = "turn"\nclaiming = "OHSU--PSU:gray"', 'claiming: belongs to the step "pay"'),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_key(name):
    old, new, told = ERRORS[name]
    base = changed('hand = "blue 3 red 2 pass"', 'hand = "blue 3 red 2 pass 8"') if name == "too many in all" else None
    with pytest.raises(positions.PositionError) as caught:
        positions.loads(changed(old, new, base), "mine.toml")
    assert str(caught.value).startswith("mine.toml: ")
    assert told in str(caught.value), str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_last_round_must_be_told():
    routes = ["Jade_District--Gresham:fx", "Gateway--Gresham:blue", "Parkrose--Gresham:teal", "NW_23rd--St_Johns:teal"]
    routes += ["Lake_Oswego--Oregon_City:teal", "Hillsboro--Beaverton:fx", "Jade_District--Lents:green", "Gateway--Parkrose:red"]
    text = changed('["Killingsworth--St_Johns:teal"]', str(routes).replace("'", '"'))
    with pytest.raises(positions.PositionError, match=r"turns_left: missing; player 1 has 1 trains left.* 1 to 3"):
        positions.loads(text)
    assert positions.loads(text.replace("# turns_left = 2", "turns_left = 2")).to_dict()["turns_left"] == 2


# --- written and read back ---


@pytest.mark.parametrize("board", ["portland", SMALL], ids=["portland", "small"])
def test_any_moment_can_be_written(board):
    steps = Counter()
    for seed in range(max(2, GAMES // (6 if board == SMALL else 30))):
        players, payment = 2 + seed % 4, ("shortfall", "free")[seed % 2]
        state = load_game("portland", players=players, board=board, payment=payment).new_initial_state()
        reference, rng = Reference(players, Board(board), payment), random.Random(seed)
        policy = POLICIES["portland"][rng.choice(list(POLICIES["portland"]))]
        while not state.is_terminal():
            if rng.random() < (0.15 if board == SMALL else 0.015):
                info = state.info_state(rng.randrange(players))
                again = positions.loads(positions.dumps(info))
                assert again == info, info.to_dict()["step"]
                assert again.information_state_string() != ""
                steps[info.to_dict()["step"]] += 1
            chance = reference.chance()
            texts = sorted(chance or reference.legal())
            text = rng.choices(texts, [chance[text] if chance else policy(text, reference) for text in texts])[0]
            state.apply_action(state.string_to_action(text))
            reference.apply(text)
    assert steps["turn"] > 0
    assert steps["second"] > 0


def test_the_whole_truth_is_no_position():
    from wattman.engine.games import _portland_position

    state = load_game("portland").new_initial_state()
    with pytest.raises(ValueError, match="not the whole truth"):
        _portland_position.to_file(state.to_dict())
