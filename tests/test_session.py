"""Games as people play them: typed lines, steps in any order, undo that shows no other card."""
import random

import pytest

import wattman
from wattman.engine.game import Deal
from wattman.engine.games import names
from wattman.engine.records import Record
from wattman.engine.session import Session, compact, follow


def random_moves(session: Session, count: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        if session.state.is_terminal():
            return
        session.play(rng.choice(session.state.legal_actions()))


@pytest.mark.parametrize("name", names())
def test_chance_is_that_of_a_deal(name):
    session = Session.start(wattman.load_game(name), 11)
    random_moves(session, 10**9, 1)
    state = wattman.load_game(name).new_initial_state()
    for action in session.state.history():
        if state.is_chance_node():
            assert Deal(11).choose(state) == action
        state.apply_action(action)
    assert state.is_terminal()


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("kind", ["new", "record", "info"])
def test_undo_keeps_chance(name, kind):
    """After an undo the same decisions give the same game, and other decisions get the same cards as far as they draw them."""
    for seed in range(5):
        session = Session.start(wattman.load_game(name), seed)
        random_moves(session, 3 if name == "leduc" else 40, seed)
        if session.state.is_terminal():
            continue
        if kind == "record":
            session = Session.from_record(session.record(["a", "b"]), 99)
        elif kind == "info":
            session = Session.from_info(session.state.info_state(), 99)
        random_moves(session, 2 if name == "leduc" else 30, seed + 1)
        end, length = session.state, len(session)
        history = end.history()
        mover = end.full_history()[-1][0]
        mover = mover if mover >= 0 else 0
        while session.undo(mover):
            pass
        replayed = [action for who, action in end.full_history()[len(session.state.history()) :] if who >= 0]
        assert replayed
        for action in replayed:
            session.play(action)
        assert session.state == end
        assert session.state.history() == history
        assert len(session) == length


def test_undo_after_loading_draws_what_was_drawn():
    """A record's cards come again after an undo, also where other moves are made."""
    state = wattman.load_game("leduc").new_initial_state()
    for text in ("deal J", "deal Q", "call", "call", "flop J", "call"):
        state.apply_action(state.string_to_action(text))
    record = Record.from_state(state, ["a", "b"])
    for seed in range(20):
        session = Session.from_record(record, seed)
        assert session.undo(0)
        assert session.undo(0)
        assert not session.undo(0)
        session.enter("raise")
        session.enter("call")
        assert session.state.events()[-1] == "flop J"


def test_undo_of_a_turn():
    session = Session.start(wattman.load_game("leduc"), 5)
    start = session.state
    for text in ("raise", "call", "raise"):
        session.enter(text)
    assert session.undo(0, turn=True)
    assert session.state.events()[-1].startswith("flop")
    assert session.undo(0, turn=True)
    assert session.state == start
    assert not session.undo(0, turn=True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "nothing to do"),
        ("fold", "'fold' is not legal here; legal: call, raise"),
        ("dance", "'dance' is no event of Leduc poker.*; legal here: call, raise"),
        ("deal J", "'deal J' is not legal here"),
        ("raise; raise", "'raise' is not possible: the turn is over by then"),
        ("end", "the turn cannot end here; legal: call, raise"),
    ],
)
def test_a_refused_line_changes_nothing(line, message):
    session = Session.start(wattman.load_game("leduc"), 5)
    before = session.state
    with pytest.raises(ValueError, match=message):
        session.enter(line)
    assert session.state == before
    assert session.decisions == 0


def test_the_end():
    session = Session.start(wattman.load_game("leduc"), 5)
    session.enter(" RAISE ")
    session.enter("fold")
    with pytest.raises(ValueError, match="the game is over"):
        session.enter("call")


@pytest.mark.parametrize("name", names())
def test_seen_is_what_the_state_says(name):
    session = Session.start(wattman.load_game(name), 4)
    random_moves(session, 30, 4)
    for observer in [None, *range(session.game.num_players())]:
        assert [text for _, text in session.seen(observer)] == session.state.events(observer)
        assert session.seen(observer, len(session)) == []


# --- Trambahn: turns ---


@pytest.fixture
def trambahn() -> Session:
    """A first turn with R6 R10 G1 Y7 Y9 C in hand."""
    state = wattman.load_game("trambahn").new_initial_state()
    cards = ["B2"] * 3 + ["B3"] * 3 + ["B4"] * 3 + ["B5"] * 3  # player 0's money
    cards += ["B6"] * 3 + ["B7"] * 3 + ["B8"] * 3 + ["B9"] * 3 + ["R2"] * 3  # player 1's
    cards += ["R6", "R10", "G1", "Y7", "Y9", "C", "G2", "G3", "G4", "G5", "G6", "G7"]
    for card in cards:
        state.apply_action(state.string_to_action(f"deal {card}"))
    return Session(state, 3)


def decisions(session: Session) -> list[str]:
    return [session.state.action_to_string(action) for who, action in session.state.full_history() if who == 0]


def test_a_whole_turn_on_one_line(trambahn):
    trambahn.enter("board G1; build Y7>new Y9>0 R6>new R10>1; bank C; buy 2>0 2>1; end")
    # Columns of one turn are opened in the order of their cards, and the trams follow their columns.
    assert decisions(trambahn) == [
        *("board G1", "done", "build R6>new", "build R10>0", "build Y7>new", "build Y9>1", "done", "bank C", "buy 2>0", "buy 2>1"),
    ]
    assert trambahn.state.current_player() == 1


def test_steps_in_between_end_by_themselves(trambahn):
    trambahn.enter("board G1")
    trambahn.enter("bank C Y9")
    assert decisions(trambahn) == ["board G1", "done", "done", "bank Y9", "bank C"]
    assert trambahn.legal() == ["done"] or trambahn.state.current_player() == 1


def test_a_step_typed_move_by_move_in_any_order(trambahn):
    trambahn.enter("board G1; done")
    trambahn.enter("bank Y9")
    trambahn.enter("bank R6")
    trambahn.enter("bank Y7")
    assert decisions(trambahn)[-3:] == ["bank R6", "bank Y7", "bank Y9"]
    assert trambahn.undo(0)
    assert decisions(trambahn)[-2:] == ["bank R6", "bank Y7"]


def test_columns_opened_move_by_move_in_any_order(trambahn):
    trambahn.enter("board G1; done")
    trambahn.enter("build Y7>new")
    trambahn.enter("build R6>new")
    trambahn.enter("build R10>0")
    assert decisions(trambahn)[-3:] == ["build R6>new", "build R10>0", "build Y7>new"]


def test_a_bad_move_undoes_the_whole_line(trambahn):
    before = trambahn.state
    for line in ("board G1; build R10>new R6>0", "board G1; build B1>new", "board G1; end; board Y7", "build R6>new", "board G1; buy 4>0"):
        with pytest.raises(ValueError):
            trambahn.enter(line)
        assert trambahn.state == before
        assert trambahn.decisions == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("board G1; build Y7>new R6>new; buy 4>0", "buy 4>0: no x4 is open"),
        ("board G1; build Y7>new R6>new; buy 2>0 4>1", "buy 4>1: no x4 is open"),
        ("board G1; build Y7>new R6>new R10>0", r"build R10>0: column 0 \(Yellow\) takes Yellow above 7"),
        ("board G1; build Y7>new; build R6>new Y9>1", r"build Y9>1: column 1 \(Red\) takes Red above 6"),
        ("board G1; build Y7>new R6>new; buy 2>0 2>0", "buy 2>0: column 0 has its tram"),
        ("board G1; build Y7>new R6>new; buy 2>2", "buy 2>2: no column 2"),
    ],
)
def test_errors_name_the_columns_as_typed(trambahn, line, message):
    """Sorting opens R6's column before that of Y7; whoever typed them the other way round reads his own numbers."""
    with pytest.raises(ValueError, match=f"^{message}"):
        trambahn.enter(line)


def test_a_line_read_back(trambahn):
    """What `compact` writes, `enter` carries out."""
    info = trambahn.state.info_state()
    trambahn.enter("board G1; build Y7>new Y9>0; bank R6 C; buy 2>0; end")
    moves = decisions(trambahn)
    line = compact(trambahn.game, moves, info.to_dict())
    assert line == "board G1; build Y7>new Y9>0; bank R6 C; buy 2>0; end"
    assert [player for player, _, _ in follow(info, moves)] == [0] * len(moves)
    trambahn.undo(0, turn=True)
    trambahn.enter(line)
    assert decisions(trambahn) == moves
