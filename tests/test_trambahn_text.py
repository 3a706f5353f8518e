"""Trambahn as people read and type it: the drawn table, moves in words, turns typed in any order."""

import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from wattman import load_game
from wattman.engine import drawing, positions
from wattman.engine.games import _trambahn_text as texts

POSITION = """\
game = "trambahn"
scorings = 4
draw_pile = 36
[rows]
B = ["B2", "C"]
R = ["R1", "R1", "R5"]
Y = ["Y9"]
[you]
hand = ["B9", "B10", "R2", "G10", "Y3", "C"]
money = 9
columns = ["B 2 5 6 8 x2", "G 7 9 x2"]
score = 28
[opponent]
money = 7
columns = ["R 3 C 7 8 x3", "Y 1 2 4 x2"]
score = 31
"""

TABLE = """\
 You (player 0) to move: passengers                           scoring 4 of 10
┌ Opponent (player 1) ─ 31 points ─ money 7 ─ hand 6 ────────────────────────┐
│ 0  Red     3 C 7 8  x3  5 VP  ->  15  4 more cards to an Extra Tour        │
│ 1  Yellow  1 2 4    x2  3 VP  ->   6                                       │
└────────────────────────────────────────────────────────────────────────────┘
   waiting        scores  you : opp            trams      x2  x2  x3
   Blue     ●●○○  2 C      10 : 0              cost       5   5   10
   Red      ●●●○  1 1 5     0 : 15   <- next   then       x3 x3 x4 x4 .. (9)
   Green    ○○○○            8 : 0              draw pile  36
   Yellow   ●○○○  9         0 : 6              discards   37
┌ You (player 0) ─ 28 points ─ money 9 ─ hand 6 ─────────────────────────────┐
│ 0  Blue    2 5 6 8  x2  5 VP  ->  10  4 more cards to an Extra Tour        │
│ 1  Green   7 9      x2  4 VP  ->   8                                       │
└────────────────────────────────────────────────────────────────────────────┘
   hand   B9  B10  R2  G10  Y3  C"""


def view_of(*edits):
    """The view of `POSITION`, some of its texts replaced."""
    text = POSITION
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    _, view = positions.plain(text)
    return view


def lines(view):
    return [line.rstrip() for line in texts.draw(view).plain.split("\n")]


# ---------------------------------------------------------------------------------------------------- the table


def test_table():
    assert lines(view_of()) == TABLE.split("\n")


def test_the_game_draws_itself():
    info = positions.loads(POSITION)
    assert info.game.draw(info.to_dict()).plain == texts.draw(view_of()).plain


def test_the_table_is_the_same_piped_and_in_colour():
    drawn = texts.draw(view_of())
    plain, coloured = io.StringIO(), io.StringIO()
    Console(file=plain, width=40).print(drawn, soft_wrap=True)
    Console(file=coloured, width=100, force_terminal=True, color_system="standard", no_color=False).print(drawn)
    assert [line.rstrip() for line in plain.getvalue().rstrip("\n").split("\n")] == TABLE.split("\n")
    assert "\x1b[" in coloured.getvalue()
    assert Console(file=io.StringIO()).render_str(coloured.getvalue()) is not None


def test_the_table_without_signs_beyond_ascii():
    drawn = drawing.ascii_only(texts.draw(view_of()).plain)
    assert drawn.isascii()
    assert "| 0  Red     3 C 7 8  x3  5 VP  ->  15" in drawn
    assert "Red      ***.  1 1 5" in drawn


def test_names_hold_no_markup():
    view = view_of() | {"names": ["Ann [bold]", "Wattman, level 4"]}
    assert "Ann [bold] to move: passengers" in lines(view)[0]
    assert lines(view)[1].startswith("┌ Wattman, level 4 ─ 31 points")
    long = view_of() | {"names": ["A" * 500, "B\nB\x1b[0m"]}
    assert max(map(len, lines(long))) <= drawing.WIDTH
    assert texts.draw(long).plain.replace("\n", "").isprintable()


def test_columns_of_every_kind():
    columns = '["B C C C 1 2 3 4 5 6 7 8 9 10 x2", "R 2 3 C 4 5 6 8 x2", "R 2 x2", "G 7 10 x3", "Y 3 C"]'
    view = view_of(
        ('["B 2 5 6 8 x2", "G 7 9 x2"]', columns),
        ('hand = ["B9", "B10", "R2", "G10", "Y3", "C"]', 'hand = ["G9"]'),
        ("scorings", 'step = "trams"\nscorings'),
        ("draw_pile = 36", "draw_pile = 6"),
        ("score = 28", "score = 60"),
    )
    drawn = " ".join(texts.draw(view).plain.split())
    assert "You (player 0) ─ 60 points (10 from Extra Tours) ─ money 9 ─ hand 1" in drawn
    assert "x2 15 VP -> 30 Extra Tour done, complete" in drawn
    assert "1 Red 2 3 C 4 5 6 8 x2 7 VP -> 14 1 more card to an Extra Tour" in drawn
    assert "3 Green 7 10 x3 5 VP -> 15 complete" in drawn
    assert "4 Yellow 3 C -- 1 VP -> 0 no tram yet" in drawn
    assert "when the draw pile runs out, you lose 4 money and the opponent 3" in drawn


def test_heads():
    assert (
        "the game is over: You (player 0) win by 118 : 31"
        in lines(view_of(("scorings = 4", 'scorings = 10\nstep = "over"'), ("score = 28", "score = 118")))[0]
    )
    tie = view_of(("scorings = 4", 'scorings = 10\nstep = "over"'), ("score = 28", "score = 31"))
    assert "You (player 0) win by the larger money pile, 9 : 7" in lines(tie)[0]
    even = view_of(
        ("scorings = 4", 'scorings = 10\nstep = "over"'),
        ("score = 28", "score = 31"),
        ("money = 9", "money = 7"),
        ("draw_pile = 36", "draw_pile = 38"),
    )
    assert "the game is over: a draw" in lines(even)[0]
    played = view_of(("[rows]", "[turn]\nboarded = 1\n[rows]"), ('"B9", ', ""))
    assert "passengers (1 played)" in lines(played)[0]


def games(count, seed=0):
    """States of random games, one after the other."""
    for number in range(count):
        rng = random.Random(seed + number)
        state = load_game("trambahn").new_initial_state()
        while not state.is_terminal():
            yield state
            if state.is_chance_node():
                state.apply_action(state.sample_chance(rng.random))
            else:
                weights = state.info_state().weights()
                state.apply_action(rng.choices(list(weights), list(weights.values()))[0])
        yield state


def test_nothing_hidden_is_drawn():
    """Two worlds that look the same to a player are drawn the same."""
    for number, state in enumerate(games(2)):
        if number % 7 == 0:
            for player in (0, 1):
                drawn = texts.draw(state.to_dict(player)).plain
                other = state.info_state(player).sample(number)
                assert texts.draw(other.to_dict(player)).plain == drawn
                assert max(map(len, drawn.split("\n"))) <= drawing.WIDEST
            assert texts.draw(state.to_dict()).plain.count("\n   hand ") == sum(
                bool(player["hand"]) for player in state.to_dict()["players"]
            )


# ---------------------------------------------------------------------------------------------------- moves in words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ("board R2", "board R2 (scores Red: you 0, opponent 15)"),
        ("board C>R", "board C>R (scores Red: you 0, opponent 15)"),
        ("board B9", "board B9"),
        ("build B9>0", "build B9>0"),
        ("draw ?", "draw ? (a card unseen)"),
        ("bank ?", "bank ? (a card face down)"),
        ("no event", "no event"),
    ],
)
def test_explain_passengers(event, words):
    assert texts.explain(event, view_of()) == words
    assert load_game("trambahn").explain(event, view_of()) == words


def test_explain_other_steps():
    stations = view_of(
        ("scorings = 4", 'step = "stations"\nscorings = 4'), ("draw_pile = 36", "draw_pile = 35"), ('"G10", "Y3", "C"]', '"C"]'),
        ('"B 2 5 6 8 x2"', '"B 1 2 3 5 6 7 8 x2"'),
    )  # fmt: skip
    assert texts.explain("build B9>0", stations) == "build B9>0 (Extra Tour: +22)"
    assert texts.explain("build B10>0", stations) == "build B10>0 (Extra Tour: +24, completes the column)"
    assert texts.explain("build R2>new", stations) == "build R2>new (opens a Red column, number 2)"
    assert texts.explain("build C>newG", stations) == "build C>newG (opens a Green column, number 2)"
    assert texts.explain("done", stations) == "done (build no more)"
    trams = view_of(
        ("scorings = 4", 'step = "trams"\nscorings = 4'),
        ('hand = ["B9", "B10", "R2", "G10", "Y3", "C"]', "hand = []"),
        ('"G 7 9 x2"', '"G 7 9"'),
    )
    assert texts.explain("buy 2>1", trams) == "buy 2>1 (costs 5; Green is then 4 VP x2 = 8)"
    last = view_of(("scorings = 4", "scorings = 9"), ("draw_pile = 36", "draw_pile = 20"))
    assert texts.explain("board R2", last) == "board R2 (scores Red: you 0, opponent 15, the last scoring)"


# ---------------------------------------------------------------------------------------------------- typed turns


@pytest.mark.parametrize(
    ("line", "events"),
    [
        ("", []),
        ("board Y3", ["board Y3"]),
        ("  BOARD y3 ", ["board Y3"]),
        ("board R2 B9", ["board R2", "board B9"]),
        ("board B9 R2", ["board B9", "board R2"]),  # passengers stay in the order typed: the first may score
        ("board c>r, y3", ["board C>R", "board Y3"]),
        ("board Y3; board C > B", ["board Y3", "board C>B"]),
        ("done", ["done"]),
        ("board Y3; build B9>0 C>0; bank R2", ["board Y3", "done", "build B9>0", "build C>0", "done", "bank R2"]),
        ("board Y3; build B9 C>0; bank R2", ["board Y3", "done", "build B9>0", "build C>0", "done", "bank R2"]),
        ("board Y3; build G10>1 B9>0 B10>0", ["board Y3", "done", "build B9>0", "build B10>0", "build G10>1"]),
        ("board Y3; bank C R2 B10 B9", ["board Y3", "done", "done", "bank B9", "bank B10", "bank R2", "bank C"]),
        # New columns are opened in the order of their first cards, and get their numbers by it.
        ("board Y3; build G10>new B9>new", ["board Y3", "done", "build B9>new", "build G10>new"]),
        ("board Y3; build R2>new B9>new C>2", ["board Y3", "done", "build B9>new", "build R2>new", "build C>3"]),
        ("board Y3; build R2>new C>newB B9>3", ["board Y3", "done", "build C>newB", "build B9>2", "build R2>new"]),
        ("board Y3; build C>newB B9>new", ["board Y3", "done", "build B9>new", "build C>newB"]),
        ("board Y3; build C R2>new", ["board Y3", "done", "build C>newR", "build R2>2"]),
        ("board Y3; build R2 C>newR", ["board Y3", "done", "build R2>new", "build C>2"]),
        ("board Y3; build B9 B10>new", ["board Y3", "done", "build B9>new", "build B10>2"]),
        ("board Y3; build R2>new B9>new; buy 2>2", ["board Y3", "done", "build B9>new", "build R2>new", "done", "done", "buy 2>3"]),
        ("board Y3; build R2>new B9>new; bank G10; buy x2>3 2>2",
            ["board Y3", "done", "build B9>new", "build R2>new", "done", "bank G10", "done", "buy 2>2", "buy 2>3"]),
        ("board Y3; build R2>new; buy 2>new", ["board Y3", "done", "build R2>new", "done", "done", "buy 2>2"]),
        # Steps that pass by themselves need no `done`.
        ("board Y3 R2; done; build B9>0", ["board Y3", "board R2", "build B9>0"]),
        ("board Y3 R2; done; done; bank C", ["board Y3", "board R2", "done", "bank C"]),
        ("board Y3 R2; build B9 C B10>0 G10>1; done", ["board Y3", "board R2", "build B9>0", "build C>0", "build B10>0", "build G10>1"]),
        ("board Y3 R2; done", ["board Y3", "board R2", "done"]),  # to the letter: the second card has ended the passengers step
        ("board Y3; done", ["board Y3", "done"]),
        ("board Y3; end", ["board Y3", "done", "done", "done"]),
        ("board Y3 R2; bank B9 B10 G10 C; end", ["board Y3", "board R2", "done", "bank B9", "bank B10", "bank G10", "bank C"]),
        ("board Y3; build R2>new; end", ["board Y3", "done", "build R2>new", "done", "done", "done"]),
    ],
)  # fmt: skip
def test_typed_turns(line, events):
    info = positions.loads(POSITION)
    assert info.game.parse_turn(line, info.to_dict()) == events
    state = info.sample(0)
    for event in events:
        if line != "done":
            state.apply_action(state.string_to_action(event))


def test_sort_turn():
    assert texts.sort_turn(["board Y3", "build R2>new", "build B9>0"], view_of()) == ["board Y3", "done", "build B9>0", "build R2>new"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bord Y3", "'bord': expected one of board, build, bank, buy, done (ends the step) and end (ends the turn)"),
        ("Y3", "'Y3': expected one of board"),
        ("board", "board: which? write for example board B7 or board C>R"),
        ("board; build B9>0", "board: which?"),
        ("board B11", "'B11' is not a card; a card is a colour B, R, G or Y with a value 1..10, or C"),
        ("board ?", "'?' is not a card"),
        ("board C", "board 'C': into which row? write C>B, C>R, C>G or C>Y"),
        ("board C>P", "into which row?"),
        ("board Y3>R", "a station goes to the row of its own colour; write board Y3"),
        ("board Y4", "board Y4: no Y4 left in hand to play as a passenger; there is B9 B10 R2 G10 Y3 C"),
        ("board Y3 Y3", "board Y3: no Y3 left in hand"),
        ("board Y3 R2 B9", "the passengers step is over, this is the stations step; a turn goes passengers (board), stations (build)"),
        ("build B9>0", "build B9>0: a turn begins with 1 or 2 passengers (board)"),
        ("bank B9", "bank B9: a turn begins with 1 or 2 passengers (board)"),
        ("end", "end: a turn begins with 1 or 2 passengers (board)"),
        ("board Y3; build B9", "build B9: onto which column? write B9>0 (an own column) or B9>new"),
        ("board Y3; build B9>x", "onto which column?"),
        ("board Y3; build B9>7", "build B9>7: no column 7; own columns are numbered 0 to 1, >new opens one"),
        ("board Y3; build B9>100", "onto which column?"),
        ("board Y3; build R2>0", "build R2>0: column 0 (Blue) takes Blue above 8 and conductors"),
        ("board Y3; build B10 B9>0", "build B9>0: column 0 (Blue) is complete"),
        ("board Y3; build B9>newR", "a Blue card opens a Blue column; write B9>new"),
        ("board Y3; build C>new", "build C>new: of which colour? write C>newB, C>newR, C>newG or C>newY"),
        ("board Y3; build B9 R2>new", "build B9 R2>new: a column has one colour"),
        ("board Y3; bank B9>0", "nothing comes behind the card"),
        ("board Y3; bank R2; build B9>0", "the stations step is over, this is the income step"),
        ("board Y3; build R2>new; buy 5>2", "trams are 2, 3 and 4"),
        ("board Y3; build R2>new; buy 2", "for which column?"),
        ("board Y3; build R2>new; buy 4>2", "buy 4>2: no x4 is open; open: x2, x3"),
        ("board Y3; build R2>new; buy 3>2", "buy 3>2: a x3 costs 10, there is 9 money"),
        ("board Y3; build R2>new; buy 2>0", "buy 2>0: column 0 has its tram (x2) already"),
        ("board Y3; build R2>new; buy 2>3", "buy 2>3: no column 3; own columns are numbered 0 to 2"),
        ("board Y3; buy 2>0", "no tram can be bought; it takes an own column without one and the money (x2 5, x3 10, x4 15; there is 9)"),
        ("board Y3; build R2>new B9>new; buy 2>new", "buy 2>new: 2 columns are opened on this line; write the column's number"),
        ("board Y3; buy 2>new", "buy 2>new: no columns are opened on this line"),
        ("board Y3; build R2>new; bank B9; buy 2>2; bank B10", "the turn is over by then"),
    ],
)  # fmt: skip
def test_lines_that_make_no_sense(line, expected):
    with pytest.raises(ValueError) as caught:
        texts.parse_turn(line, view_of())
    assert expected in str(caught.value)


def test_another_players_turn_as_it_is_seen():
    view = view_of(("scorings", "to_move = 1\nscorings"))
    line = "board B3; build R10>0 Y6>new; bank ?*2; buy 2>2; draw ?*4"
    events = texts.parse_turn(line, view)
    assert events == ["board B3", "done", "build R10>0", "build Y6>new", "bank ?", "bank ?", "buy 2>2", *["draw ?"] * 4]
    info = positions.loads(POSITION.replace("scorings", "to_move = 1\nscorings"))
    for event in events:
        info.admit(event)
    assert texts.parse_turn("board B3; build Y6>new; end", view)[-2:] == ["build Y6>new", "done"]


def turns(count, seed):
    """Turns of random games: the state before the first event, the events, and whether the game ended with them."""
    for number in range(count):
        rng = random.Random(seed + number)
        state = load_game("trambahn").new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance(rng.random))
                continue
            start, events = state.clone(), []
            while state.current_player() == start.current_player():
                weights = state.info_state().weights()
                action = rng.choices(list(weights), [weight**0.5 for weight in weights.values()])[0]
                events.append(state.action_to_string(action))
                state.apply_action(action)
            yield start, events, state.is_terminal()


def as_typed(events, first, rng):
    """A turn's events in an order in which a person might have typed them; columns opened in it are numbered as they come."""
    steps = {verb: [event for event in events if event.startswith(verb)] for verb in ("board", "bank", "buy")}
    queues = {}  # cards by column, in the order in which they must come
    for event in events:
        if event.startswith("build"):
            number = first + sum(queue[0].count("new") for queue in queues.values()) if ">new" in event else int(event.split(">")[1])
            queues.setdefault(number, []).append(event)
    slots = [number for number, queue in queues.items() for _ in queue]
    rng.shuffle(slots)
    typed, builds = {}, []
    for number in slots:
        event = queues[number].pop(0)
        if ">new" in event:
            typed[number] = first + len(typed)
            builds.append(event)
        else:
            builds.append(f"{event.split('>')[0]}>{typed.get(number, number)}")
    buys = [f"{event.split('>')[0]}>{typed.get(int(event.split('>')[1]), event.split('>')[1])}" for event in steps["buy"]]
    rng.shuffle(steps["bank"])
    rng.shuffle(buys)
    return "; ".join(steps["board"] + builds + steps["bank"] + buys)


def test_any_turn_in_any_order():
    """Turns of random games, typed in mixed order, come out as the engine had them."""
    rng = random.Random(5)
    count = same = 0
    for start, events, over in turns(25, seed=50):
        view = start.to_dict(start.current_player())
        assert texts.parse_turn("; ".join(events), view) == events
        line = as_typed(events, len(view["players"][view["on_turn"]]["columns"]), rng)
        got = texts.parse_turn(line if over else line + "; end", view)
        count += 1
        same += got == events
        if got != events:  # two columns opened with equal cards: either may be called the first
            opened = [event for event in events if ">new" in event]
            assert len(set(opened)) < len(opened), (line, events, got)
            for event in got:
                start.apply_action(start.string_to_action(event))
    assert count > 500
    assert same > 0.95 * count


WORDS = [
    *(
        "board",
        "build",
        "bank",
        "buy",
        "done",
        "end",
        "draw",
        "deal",
        "Y3",
        "B9>0",
        "B9",
        "C",
        "C>R",
        "C>new",
        "C>newB",
        "R2>new",
        "2>2",
        "3>new",
        ">",
        ";",
    ),
    *(",", "?", "?*2", "B10>2", "×", "x2>3", "\x00", "é"),
]


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(WORDS)))
def test_any_line_is_read_or_refused(words):
    try:
        events = texts.parse_turn(" ".join(words), view_of())
    except ValueError as error:
        events, message = [], str(error)
    else:
        message = ""
    assert message.isprintable()
    assert all(event in texts.IDS for event in events)
