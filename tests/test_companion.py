"""Following a real game: what one player sees of self-play games goes through the companion, which never gets a hidden card.

WATTMAN_GAMES=3000 replays 50 games for each game and number of players (default: one, and two of the quick ones).
"""

import json
import random

import pytest
from commands import refused, run
from knowledge import GAMES as BUDGET
from knowledge import games as styled
from test_contract import GAMES
from typer.testing import CliRunner

from wattman import load_game
from wattman.cli.main import app
from wattman.engine import positions, records
from wattman.engine.companion import Companion
from wattman.search.agents import load_agent
from wattman.search.beliefs import holdings
from wattman.search.worth import worth

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.num_players()}")
EACH = max(1, BUDGET // 60)


def self_play(game, seed):
    """The states of a game: of the rule of thumb against itself, or in the styles that strain what is known."""
    if seed % 2:
        yield from styled(game, seed)
        return
    rng, state, agent = random.Random(seed), game.new_initial_state(), load_agent("greedy", game, seed)
    yield state
    while not state.is_terminal():
        state.apply_action(state.sample_chance(rng.random) if state.is_chance_node() else agent.choose(state.info_state()))
        yield state


@each_game
def test_whole_games_from_every_seat(game):
    """Every event is taken; the truth agrees with what is known then, and so does every world that is dealt from it."""
    tried = 0
    for seed in range(EACH if game.num_players() > 2 else max(EACH, 2)):
        rng = random.Random(seed)
        companions = [Companion.begin(game, player) for player in range(game.num_players())]
        ahead = [companion.events() for companion in companions]  # entered by themselves; they must be what happens
        steps = 0
        for state in self_play(game, seed):
            for player, companion in enumerate(companions):
                for event in state.events(player, steps):
                    if ahead[player]:
                        assert event == ahead[player].pop(0)
                        continue
                    if rng.random() < 0.01:
                        tried += impossible_is_refused(companion, rng)
                    ahead[player] = companion.see(event)
                if not ahead[player] and (state.current_player() == player or state.is_terminal()):
                    if companion.info.current_player() != state.current_player():
                        # Another one's turn ended unseen: he decided so, or could do nothing more, which his hidden cards tell.
                        assert companion.info.current_player() in range(game.num_players())
                        again = Companion(companion.info)
                        assert again.may_be_asked()
                        again.asked()
                        assert again.info == state.info_state(player)
                        continue
                    assert companion.info == state.info_state(player)
                    if rng.random() < 0.02:
                        assert companion.info.sample(rng.getrandbits(60)).info_state(player) == companion.info
            steps = len(state.history())
        for player, companion in enumerate(companions):
            assert companion.events() == state.events(player)
            assert companion.possible() == []
    assert tried or game.name == "leduc"


@each_game
def test_worlds_at_any_moment(game):
    """Also between two events of which one follows from the other, a world can be dealt, and somebody can do something in it."""
    steps, player = 0, 3 % game.num_players()
    companion = Companion.begin(game, player)
    ahead = companion.events()
    for state in self_play(game, 41):
        for event in state.events(player, steps):
            if ahead:
                ahead.pop(0)
                continue
            ahead = companion.see(event)
            world = companion.info.sample(0)
            assert world.legal_actions() or world.is_terminal()
        steps = len(state.history())
    assert steps > 3


def impossible_is_refused(companion, rng):
    """Whether something that cannot come was tried; it is refused with a reason, and nothing changes."""
    possible, before = set(companion.possible()), companion.info.clone()
    game, entries = companion.game, len(companion.entries)
    wrong = game.event_to_string(rng.randrange(game.num_distinct_actions() + game.max_chance_outcomes()))
    if wrong in possible:
        return 0
    with pytest.raises(ValueError, match="cannot have happened: "):
        companion.see(wrong)
    assert companion.info == before
    assert len(companion.entries) == entries
    return 1


@each_game
def test_what_happens_is_among_what_is_offered(game):
    """What is seen whole always; what is seen in part nearly always, since only some worlds are looked at."""
    offered, parts = 0, 0
    for state in self_play(game, 3):
        if random.Random(len(state.history())).random() < 0.95 and game.name != "leduc":
            continue
        if state.is_terminal():
            continue
        after = state.clone()
        after.apply_action(state.legal_actions()[0])
        for player in range(game.num_players()):
            companion = Companion(state.info_state(player))
            news = after.events(player)[len(state.events(player)) :]
            if not news or companion._settled:
                continue
            whole = game.string_to_event(news[0]) < game.num_distinct_actions() + game.max_chance_outcomes()
            assert not whole or news[0] in companion.possible()
            parts += not whole
            offered += not whole and news[0] in companion.possible()
    assert offered >= 0.8 * parts


def test_leduc_by_hand():
    game = load_game("leduc")
    companion = Companion.begin(game, 1, ["Ann", "Bea"])
    assert companion.events() == ["deal ?"]  # Ann's card enters itself
    assert companion.possible() == ["deal J", "deal Q", "deal K"]
    assert companion.enter("q") == ["deal Q"]
    assert companion.enter("raise; CALL") == ["raise", "call"]
    with pytest.raises(ValueError, match=r"'flop X' is nothing that could be seen here; possible: flop J, flop Q, flop K"):
        companion.enter("flop X")
    companion.enter("flop Q")
    with pytest.raises(ValueError, match=r"it is not possible here; possible: call, raise"):
        companion.enter("fold")
    with pytest.raises(ValueError, match=r"not possible here.*; nothing of the line is taken, though it fits up to 'call'"):
        companion.enter("call; flop Q")
    assert not companion.may_be_asked()
    assert companion.events() == ["deal ?", "deal Q", "raise", "call", "flop Q"]
    companion.enter("call")
    assert set(companion.possible()) == {"raise", "call, shown J", "call, shown K"}
    # Both queens lie open to Bea: two jacks and two kings are left.
    chances = {each.card: each.chance for each in holdings(companion.info, 2000)}
    assert chances == pytest.approx({"J": 0.5, "K": 0.5}, abs=0.05)
    companion.enter("call, shown k")
    assert companion.info.scores() == [-3, 3]
    assert holdings(companion.info) == []
    with pytest.raises(ValueError, match="the game is over"):
        companion.enter("call")


def test_undo_and_correct():
    companion = Companion.begin(load_game("leduc"), 0)
    for line in ("K", "raise", "call", "flop J", "call"):
        companion.enter(line)
    end = companion.info.clone()
    assert companion.undo()
    assert companion.possible() == ["call", "raise"]
    assert not companion.undo(9)
    companion.enter("call")
    assert companion.info == end
    companion.correct(4, "flop Q")
    assert companion.info.to_dict()["public"] == "Q"
    assert companion.undo(2)
    companion.enter("flop K")
    before = companion.info.clone()
    companion.correct(2, "call")
    with pytest.raises(ValueError, match=r"entry 4 \(flop K\) does not fit behind that: 'flop K' cannot have happened"):
        companion.correct(3, "raise")
    companion.correct(2, "raise")
    with pytest.raises(ValueError, match="entries are numbered from 1 to 4"):
        companion.correct(5, "call")
    assert companion.info == before


def test_a_turn_of_trambahn_in_short():
    companion = Companion.begin(load_game("trambahn"), 1)
    companion.enter("G8 R4 y9 C Y4 B3")
    assert companion.info.to_dict()["players"][1]["hand"] == ["B3", "R4", "G8", "Y4", "Y9", "C"]
    assert companion.enter("board B7; end") == ["board B7", "done", "draw ?"]
    companion.enter("board G8 C>B; build B3>new Y9>new; end")
    with pytest.raises(ValueError, match=r"'draw B6' cannot have happened: .*, though it fits up to 'draw B5'"):
        companion.enter("draw B1 B2 B4 B5 B6")  # one too many
    companion.enter("draw B1 B2 B4 B5")
    assert companion.info.current_player() == 0
    state = companion.info.sample(1)
    assert state.info_state(1) == companion.info


def test_saved_as_a_view(tmp_path):
    game = load_game("trambahn")
    for state in self_play(game, 1):
        if len(state.history()) == 150:
            break
    record = records.Record.from_state(state, ["Ann", "Bea"])
    view = records.view(record, 1)
    companion = Companion.from_json(json.dumps(view))
    assert companion.events()[: len(view["events"])] == view["events"]
    path = tmp_path / "seen.jsonl"
    path.write_text(companion.to_json())
    again = Companion.load(path)
    assert (again.info, again.events(), again.players) == (companion.info, companion.events(), ["Ann", "Bea"])
    for change, message in [
        ({"events": ["deal ?"] * 27 + ["deal B1"] * 3}, "event 27: 'deal B1' cannot have happened: 'deal \\?' is what had to come"),
        ({"view": 2}, "players are 0 to 1"),
        ({"events": [1]}, "lists of texts"),
        ({"game": "chess"}, "chess"),
        ({"extra": 1}, "this is no view"),
    ]:
        with pytest.raises(ValueError, match=message):
            Companion.from_json(json.dumps(view | change))


def test_from_a_position():
    info = positions.load("examples/trambahn-midgame.toml")
    companion = Companion(info)
    companion.enter("board Y4; end")
    with pytest.raises(ValueError, match="write a position"):
        companion.to_json()
    assert positions.loads(positions.dumps(companion.info)) == companion.info


def test_worth_of_the_truth_and_of_what_is_known():
    game = load_game("leduc")
    state = game.new_initial_state()
    for text in ("deal K", "deal J", "raise", "call", "flop K", "call", "call"):
        state.apply_action(state.string_to_action(text))
    means, errors = worth(state, 10, 1)
    assert means.tolist() == state.values().tolist()
    assert errors.max() == 0
    state = game.new_initial_state()
    means, errors = worth(state, 4000, 1)
    assert means[:, 0].sum() == pytest.approx(1)
    assert abs(means[0, 1]) < 0.5
    assert 0.02 < errors[0, 1] < 0.2
    with pytest.raises(ValueError, match="at least one"):
        worth(state, 0, 1)


# --- the command ---


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def advise(*args, lines):
    return run("advise", *args, text="\n".join(lines) + "\n").stdout


def test_a_game_at_the_terminal(folder):
    lines = ["1", "help", "best", "raise", "rivals", "best", "raise", "log", "undo", "call", "undo 99", "5"]
    lines += ["correct 2 call", "save mine.jsonl", "quit"]
    text = advise("leduc", "--name", "Ann", "--name", "Bea", "--agent", "ismcts:simulations=200", "--seed", 1, lines=lines)
    for part in (
        "you (seat 0) · Bea",
        "noted: deal J · deal ?",
        "best turn: ",
        "Bea, hand: Q ",
        "To win (and margin), if all play by rule of thumb from here: you (seat 0) ",
        "   3  raise",
        "undo: there are 3 entries",
        "5: what may come is numbered from 1 to 3",
        "saved to mine.jsonl",
    ):
        assert part in text
    assert "go on with" not in text
    text = advise("--load", "mine.jsonl", lines=["log", "undo", "best x"])
    assert "   2  call" in text
    assert "'x' is no number of seconds to think" in text
    assert "wattman advise --load leduc-seen-1.jsonl" in text


def test_whatever_happens_it_is_saved(folder, monkeypatch):
    monkeypatch.setattr("wattman.cli.helper.worth", None)
    result = CliRunner().invoke(app, ["advise", "leduc"], input="K\nraise\nbest\n")
    assert isinstance(result.exception, TypeError)
    assert "go on with: wattman advise --load leduc-seen-1.jsonl" in result.stdout
    assert "deal K" in (folder / "leduc-seen-1.jsonl").read_text()


@pytest.mark.parametrize(
    ("game", "lines", "parts"),
    [
        ("lisbon", ["R Y B"], ["bag R (a Red passenger at martim_moniz)", "bag R (a Red passenger at graca)"]),
        ("tramways", ["board E.0 K.0"], ["board A.0 (row 0, column 0; 0 quarter", "board A.0 (row 1, column 0; 0 quarter"]),
        ("tramways", ["board E.0 K.0 A.3 I.0", "place 4.9v"], ["place 0.4 (Station)", "(Stock Exchange)"]),
    ],
)
def test_what_to_enter_when_a_game_is_set_up(folder, game, lines, parts):
    text = advise(game, lines=[*lines, "quit"])
    for part in parts:
        assert part in text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "which game?"),
        (["leduc", "--seat", 2], "seats are 0 to 1"),
        (["leduc", "--name", "A", "--name", "B", "--name", "C"], "3 names for 2 seats"),
        (["leduc", "--agent", "greedy"], "it does not search"),
        (["leduc", "--load", "x"], "the file says which game it is"),
        (["--load", "x.jsonl"], "x.jsonl: No such file"),
    ],
)
def test_refusals(folder, args, message):
    assert message in refused("advise", *args)
