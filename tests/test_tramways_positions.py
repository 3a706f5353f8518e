"""Tramways' position files: any moment of a game as a file and back, the template and the examples, every error by its key.

WATTMAN_GAMES sets the number of games (default 60).
"""

import copy
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from commands import refused, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from knowledge import games, share
from position_fuzz import cut, mixed_up, revalued

from wattman import load_game
from wattman.engine import positions, tomlfile

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("tramways-*.toml"))
TEMPLATE = positions.template("tramways")


def refusal(text):
    with pytest.raises(positions.PositionError) as raised:
        positions.loads(text, "x")
    told = str(raised.value)
    assert told.startswith("x: ")
    assert "\n" not in told
    return told.removeprefix("x: ")


def changed(old, new, text=TEMPLATE):
    assert old in text, old
    return text.replace(old, new, 1)


# --- whole files ---


def test_the_template_is_a_position(tmp_path):
    info = positions.loads(TEMPLATE)
    assert (info.game.options["players"], info.player, info.current_player()) == (2, 0, 0)
    assert run("new", "position", "tramways").stdout == TEMPLATE
    (tmp_path / "t.toml").write_text(TEMPLATE)
    assert "fine" in run("check", tmp_path / "t.toml").stdout
    assert positions.remarks(tmp_path / "t.toml") == []


def test_what_the_template_leaves_out_can_be_written():
    text = changed('# so_far = ["build", "from Aa"]', 'so_far = ["build"]')
    text = changed('# offer = "t3 t9"', "", changed('# out = "s2 t4"', 'out = "t4"', text))
    text = changed('# expansions = "full"', 'expansions = "full"', changed('# data = "tramways"', 'data = "tramways"', text))
    info = positions.loads(text)
    assert info.to_dict()["step"] == "from"
    assert info.to_dict()["out"]["t4"] == 1
    assert all(info.action_to_string(action).startswith("from ") for action in info.legal_actions())


def test_boards_and_a_hand_are_enough():
    short = 'game = "tramways"\nboards = ["A.0", "C.1", "E.0", "H.2"]\n[you]\nhand = "A1 s1 s2 s3"\nparcels = ["A1"]\n'
    short += '[options]\nexpansions = "base"\n[players.1]\nparcels = ["A2"]\n'
    info = positions.loads(short)
    view = info.to_dict()
    assert info.current_player() == 0
    assert len(info.legal_actions()) > 1
    assert view["players"][1]["hand"] == ["A2", "s1", "s2", "s3"]  # what he was dealt, none of it played
    assert view["players"][1]["deck"] == 0 or view["players"][1]["unseen"]
    assert view["supply"] == 30
    for seed in range(3):
        assert info.sample(seed).info_state(0) == info


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path, tmp_path, monkeypatch):
    info = positions.load(path)
    assert positions.remarks(path) == []
    assert info.current_player() == info.player
    assert len(info.legal_actions()) > 1
    assert path.read_text(encoding="utf-8").startswith("# ")
    assert positions.loads(positions.dumps(info)) == info
    for seed in range(3):
        assert info.sample(seed).info_state(info.player) == info
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert "fine" in run("check", path).stdout
    assert "HP" in run("show", path, "--svg", "out.svg").stdout or (tmp_path / "out.svg").read_text().startswith("<svg")
    text = run("analyze", path, "--simulations", 1500, "--seed", 1).stdout
    assert re.search(r"^ best turn: \S", text, re.MULTILINE)
    assert re.search(r"^ +1  \w+ +\d", text, re.MULTILINE)
    words = " ".join(text[text.index("best continuation") :].split())
    # Each whole action stands on one line: no step of one beside it.
    assert re.search(r"pay \w+|\.\.", words)


def test_examples_are_for_one_two_and_four():
    assert {positions.load(file).game.num_players() for file in EXAMPLES} == {1, 2, 4}


# --- any moment of a game ---


@pytest.mark.parametrize(
    "options",
    [{"players": 1}, {"players": 2}, {"players": 2, "expansions": "base"}, {"players": 5}, {"players": 3, "expansions": "station"}],
    ids=str,
)
def test_any_moment_as_a_file_and_back(options):
    game, seen = load_game("tramways", **options), Counter()
    for seed in range(share(game, 20)):
        rng = random.Random(seed)
        for state in games(game, seed, "mover" if seed % 2 else None):
            step = state.to_dict()["step"]
            if rng.random() > max(0.03 / game.num_players(), 0.5 ** seen[step]):
                continue
            seen[step] += 1
            info = state.info_state(rng.randrange(options["players"]))
            text = positions.dumps(info)
            again = positions.loads(text)
            assert again == info, text
            assert again.to_dict() == info.to_dict()
            assert positions.dumps(again) == text
            if info.current_player() == info.player:
                assert again.legal_actions() == info.legal_actions()
    wanted = {"board", "parcel", "arrivals", "reveal", "take", "kind", "from", "pay", "discard", "draw"}
    assert wanted <= set(seen), wanted - set(seen)


def test_rare_moments_as_files_too():
    seen = Counter()
    for seed in range(30):
        game = load_game("tramways", players=1 + seed % 3)
        for state in games(game, seed, "mover"):
            step = state.to_dict()["step"]
            if step in ("to", "lay", "at", "type", "buy", "market", "ride", "bid", "place", "order", "over") and seen[step] < 3:
                seen[step] += 1
                info = state.info_state(seed % game.num_players())
                assert positions.loads(positions.dumps(info)) == info, step
        if len(seen) == 11 and min(seen.values()) > 1:
            return
    raise AssertionError(seen)


def test_a_record_at_any_ply_through_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("play", "tramways", "--seed", 3, "--opponent", "greedy", "--save", "g.jsonl", text="1\n" * 600)
    for ply in (60, 120):
        run("replay", "g.jsonl", "--ply", ply, "--view", 0, "--position", f"{ply}.toml")
        assert "fine" in run("check", f"{ply}.toml").stdout


# --- errors ---

FAULTS = [
    ("player = 0 ", "player = 3 ", "player: 3 is out of range; expected the number of your seat, from 0 to 1"),
    ("to_move = 0 ", "to_move = 2 ", "to_move: 2 is out of range; expected the number of the player who decides, from 0 to 1"),
    ('step = "kind"', 'step = "acting"', 'step: "acting" is not allowed; expected "kind", "bid", "take"'),
    ('step = "kind"', 'stepp = "kind"', "stepp: unknown key (did you mean step?)"),
    ("round = 2", "round = 7", "round: 7 is out of range"),
    ("round = 2", "round = 0", "round: 0 is out of range"),
    ("part = 1 ", "part = 3 ", "part: 3 is out of range"),
    ("left = 1 ", "left = 0 ", "left: 0 is out of range; who is to act has at least 1 action left"),
    ("order = [0, 1]", "order = [0, 0]", "order: [0, 0] is not allowed; expected the players in turn order"),
    ("order = [0, 1]", "order = [1]", "order: [1] is not allowed"),
    ('arrivals = "RICLR"', 'arrivals = "RICL"', 'arrivals: "RICL" is not allowed; expected the types of the rounds\' arrivals, 5 letters'),
    ('arrivals = "RICLR"', 'arrivals = "RICLX"', 'arrivals: "RICLX" is not allowed'),
    ('boards = ["A.0", "C.1"', 'boards = ["A.0", "A.1"', "boards: board A is there twice"),
    ('boards = ["A.0", "C.1"', 'boards = ["A.0", "Z.1"', 'boards: "Z.1" is no board; expected a letter A, B'),
    ('boards = ["A.0", "C.1"', 'boards = ["A.0"', "boards: 3 boards; expected 4 boards row by row"),
    ('"0: Aa-A1 1.1"', '"0: Aa-A1"', 'links: "0: Aa-A1": 0 squares; a link has 1 to 7'),
    ('"0: Aa-A1 1.1"', '"3: Aa-A1 1.1"', "there is no player 3"),
    ('"0: Aa-A1 1.1"', '"0: Aa-A2 1.1"', 'links: "0: Aa-A2 1.1": the parcel A2 is empty and not player 0\'s'),
    ('"0: Aa-A1 1.1"', '"0: Aa-Q 1.1"', '"Q" is no place of this city; places are: Aa Ab'),
    ('"0: Aa-A1 1.1"', '"0: Aa-A1 4.1"', 'links: "0: Aa-A1 4.1": 4.1'),
    ('"0: Aa-A1 1.1"', '"0: Aa-A1 9.99"', '"9.99" is no square of this city'),
    ('"0: Aa-A1 1.1"', '"0: Aa-A1 1.1", "0: A1-Aa 1.1"', "1.1 is taken by a link"),
    ('S = "4.3"', 'S = "14.3"', "[tiles].S: 14.3 is no square of this city"),
    ('S = "4.3"', 'S = "4.3.2"', '[tiles].S: "4.3.2" is no place for it'),
    ('S = "4.3"', 'Q = "4.3"', "[tiles].Q: unknown key"),
    ('S = "4.3"', 'V = "4.3"', "[tiles].V: one airport alone; expected both or none"),
    ("Ab = 1\n", "Ab = 9\n", "[passengers].Ab: 9 is out of range; expected at most 1 passengers"),
    ("Ab = 1\n", "Zz = 1\n", "[passengers].Zz: is no place of this city; places are: Aa Ab"),
    ("hp = 2\n", "hp = -1\n", "[you].hp: -1 is out of range"),
    ("hp = 2\n", 'hp = "two"\n', '[you].hp: "two" is a text'),
    ("stress = 1\n", "stress = 13\n", "[you].stress: 13 is out of range"),
    ("workers = 1\n", "workers = 1\nrails = 3\n", "[you].rails: 3, but the links leave 23"),
    ('hand = "A1 s1 s2 s3 t7"', 'hand = "A1 s1 ?"', '[you].hand: "?" is no kind of card'),
    (
        'hand = "A1 s1 s2 s3 t7"',
        'hand = "A1 s1 q9"',
        '[you].hand: "q9" is no kind of card; expected the cards in the hand, such as "s1 t7 d1 x2"',
    ),
    ('hand = "A1 s1 s2 s3 t7"', 'hand = "A1 s1 x2"', "[you].hand: 2 cards s1 in hand, deck and pool; every player has one at most"),
    ('hand = "A1 s1 s2 s3 t7"', 'hand = "A2 s1"', "[you].parcels: A2 is missing, but its card is with the player's cards"),
    ('hand = "A1 s1 s2 s3 t7"', 'hand = "A1 d1 x9"', "d1: 9 cards with the players, on offer and out of the game; there are 2"),
    ('hand = "A1 s1 s2 s3 t7"', 'hand = "t2 t7"', "t2: 2 cards with the players, on offer and out of the game; there are 1"),
    ('parcels = ["A1", "C1"', 'parcels = ["A1 Q", "C1"', '[you].parcels: "A1 Q": "Q" is no building; expected R, C, L or I'),
    ('parcels = ["A1", "C1"', 'parcels = ["Aa", "C1"', '[you].parcels: "Aa" is no parcel of this city; parcels are: A1 A2'),
    ('parcels = ["A1", "C1"', 'parcels = ["A1", "A2"', "[players].1.parcels: A2 belongs to player 0 already"),
    ('parcels = ["A1", "C1"', 'parcels = ["A1", "C2", "C1"', "[you].parcels: too many; every player has 4"),
    (
        "deck = 3  ",
        "deck = 4  ",
        "[players].1.unseen: 6 cards are unseen; expected as many as ? in his hand (3) and cards in his deck (4) together",
    ),
    ("[players.1]", "[players.0]", "[players].0: that is your own seat; write it as [you]"),
    ("[players.1]", "[players.7]", '[players]."7": no such seat; the players are 0 and 1'),
    ("players = 2", "players = 6", "[options]: option players: '6' is not allowed"),
    ('# expansions = "full"', 'expansions = "zoo"', "[options]: option expansions: 'zoo' is not allowed"),
    ('# data = "tramways"', 'data = "usa"', "[options]: "),
    ("[tiles]", "[auction]\nhigh = 3\n[tiles]", '[auction]: belongs to the step "bid", but the step is "kind"; leave it out'),
    ('# so_far = ["build", "from Aa"]', 'so_far = ["build", "from K"]', 'so_far: "from K"'),
    ('# so_far = ["build", "from Aa"]', 'so_far = ["reveal t1"]', 'so_far: "reveal t1" is not possible here'),
    ('# so_far = ["build", "from Aa"]', "supply = 99", "supply: 99"),
]


@pytest.mark.parametrize(("old", "new", "expected"), FAULTS, ids=[f"{new[:34]!r}" for _, new, _ in FAULTS])
def test_faults_are_named_by_their_key(old, new, expected):
    told = refusal(changed(old, new))
    assert expected in told, told


def test_a_refused_file_at_the_command_line(tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text(changed("round = 2", "round = 9"))
    found = run("check", file, status=2).stdout.split("\n")
    assert "1 fault" in found[0]
    assert "round: 9 is out of range" in found[1]
    for command in ("analyze", "show"):
        told = refused(command, file)
        assert "bad.toml" in told
        assert "round: 9 is out of range" in told


def test_cards_and_links_have_room(monkeypatch):
    """Files that ask for more cards or links than any game has are refused before the engine's arrays are full."""
    state = next(state for state in games(load_game("tramways", players=5), 1) if state.to_dict()["step"] == "kind")
    file = tomlfile.parse(positions.dumps(state.info_state(0)))
    seen = " ".join([file["you"]["hand"], *(player["hand"] for player in file["players"].values())]).split()
    more = [f"t{number}" for number in range(1, 26) if f"t{number}" not in seen]
    for count in (10, 12):
        many = copy.deepcopy(file)
        many["you"]["hand"] += " " + " ".join(more[:count])
        if count == 10:
            assert positions.loads(tomlfile.dumps(many)).to_dict()["players"][0]["hand"]
        else:
            assert refusal(tomlfile.dumps(many)) == "[you].hand: 20 cards in hand, deck and pool; with those that can still come at most 48"
    late = next(state for state in games(state.game, 2, "builder") if state.to_dict()["round"] == 6 and state.to_dict()["step"] == "kind")
    file = tomlfile.parse(positions.dumps(late.info_state(0)))
    monkeypatch.setattr("wattman.engine.games.tramways.position.MOST_LINKS", 90 + len(file["links"]) - 1)
    told = refusal(tomlfile.dumps(file | {"round": 1}))
    assert told == f"links: {len(file['links'])} links in round 1; nobody can have built so many"


# --- whatever stands in a file ---


def only_an_error_or_a_position(text):
    try:
        info = positions.loads(text, "f.toml")
    except positions.PositionError as error:
        message = str(error)
        assert message.startswith("f.toml: ")
        assert message.isprintable()
        assert len(message) < 900
        return False
    view = info.to_dict()
    info.game.draw(view)
    info.game.svg(view)
    assert positions.loads(positions.dumps(info)) == info
    state, rng = info.sample(1), random.Random(1)
    # What is hidden is as it was, and the game can be played on.
    assert state.info_state(info.player) == info
    for _ in range(80):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        assert legal
        state.apply_action(rng.choice(legal))
    return True


def texts():
    yield TEMPLATE
    yield from (path.read_text() for path in EXAMPLES)
    wanted = {"board", "place", "bid", "take", "pay", "lay", "ride", "buy", "market", "discard", "draw", "reveal"}
    for state in games(load_game("tramways", players=3), 5, "mover"):
        step = state.to_dict()["step"]
        if step in wanted:
            wanted.remove(step)
            yield positions.dumps(state.info_state(len(wanted) % 3))


TEXTS = list(texts())
EXAMPLE_COUNT = 40 if share(load_game("tramways"), 15) == 1 else 400
FUZZ = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=EXAMPLE_COUNT, derandomize=True
)
SCRAPS = ["A1", "s1", "t7", "S", '"0: Aa-K 2.3",']
WORDS = ["A1", "s1 s2 s3 x3", "? ? ?", "d1 x2 d2", "t1 t2 t3 t4 t5 t6", "RCLIR", "2.3", "2.3v", "kind", "bid", "take", "buy", "market"]
WORDS += ["discard", "draw", "reveal", "over", "board", "place", "base", "full", "park", "bF bS bR", "Aa", "K", "F"]
PARTS = ["0: Aa-K 2.3", "A1", "A2 RR", "A.0", "B.1", "build", "from Aa", "bid 3", "K 0", "1: K-F 3.3 3.4 upgraded"]


@FUZZ
@given(cut(TEXTS, SCRAPS))
def test_mutated_texts(text):
    only_an_error_or_a_position(text)


@FUZZ
@given(mixed_up(TEXTS))
def test_mixed_up_lines(text):
    only_an_error_or_a_position(text)


@FUZZ
@given(
    revalued(
        TEXTS, st.sampled_from(WORDS), st.lists(st.integers(0, 5), max_size=6), st.lists(st.sampled_from(PARTS), max_size=6)
    )
)
def test_other_values(text):
    only_an_error_or_a_position(text)
