"""Lisbon Tram 28 as people read and type it: the drawn table, the picture, moves in words, typed turns."""

import random
import re
import xml.etree.ElementTree as tree
from pathlib import Path

import pytest
from lisbon_views import played
from rich.console import Console

from wattman import load_game
from wattman.engine import positions
from wattman.engine.drawing import ascii_only
from wattman.engine.games import _lisbon_map, _lisbon_svg, _lisbon_turn
from wattman.engine.games import _lisbon_view as views
from wattman.engine.session import Session, compact, follow

EXAMPLES = Path(__file__).parent.parent / "examples"
TABLES = [("side_23", 2), ("side_23", 3), ("side_4", 4), ("side_23_18", 3), ("side_4_18", 4)]


def info_of(name):
    return positions.load(EXAMPLES / f"lisbon-{name}.toml")


def view_of(name, **changes):
    return info_of(name).to_dict() | changes


def drawn(name, **changes):
    return load_game("lisbon").draw(view_of(name, **changes)).plain


# --- the table ---


def test_every_line_fits_the_terminal():
    for players in (2, 3, 4):
        for number, state in enumerate(played(players, 700, players=players)):
            if number % 100 == 0 or state.is_terminal():
                for view in (state.to_dict(), state.to_dict(number % players)):
                    lines = state.game.draw(view).plain.split("\n")
                    assert max(map(len, lines)) <= 100
                    assert all(line.isprintable() for line in lines)


def test_the_map_names_all_who_are_there():
    text = drawn("midgame")
    for part in ("conceicao YYG", "chiado YB[0]", "martim_moniz RGG[1]", "alcantara GGB[2]", "santa_justa R", "gloria B", "rossio"):
        assert part in text
    assert re.search(r"▲ ?·?carmo|carmo ?·?▲", text)
    assert re.search(r"△ ?·?ajuda|ajuda ?·?△", text)
    assert re.search(r"○ ?·?cais_sodre|cais_sodre ?·?○|cais_sodre", text)
    assert "●" in text


def test_the_table_says_whose_turn_it_is_and_what_one_lacks():
    text = drawn("midgame")
    assert text.startswith(" You (player 0) to move: 2 actions left")
    assert re.search(r"carmo_2 +Convento do Carmo +1 +RGB +RY\|YG +all aboard", text)
    assert re.search(r"castelo_1 .* RRGG +RB\|G +lacks RG", text)
    assert re.search(r"ajuda_2 .* next · 9 to the last round", text)
    assert re.search(r"\[1\] +Player 1 +Blue +2 VP +hand 7 +aboard RR-- ---- ---- BB--\n +has seats +can buy +Y bell", text)
    assert "(B carmo_1 3 RB)" in text
    assert text.endswith("hand R  YYY  GG  B")
    assert "all aboard: claim it" in drawn("last-round")
    assert "2 actions left (last round)" in drawn("last-round")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"step": "keep", "turn": {"drawn": "RYB"}}, "You (player 0) to move: which of RYB stays?"),
        ({"step": "place", "to_move": 2, "turn": {"drawn": "RYB"}}, "Player 2 to move: at which stop do RYB wait?"),
        ({"step": "shunt", "turn": {"pushed": [1, 2], "placed": 1, "end": "bica"}}, "Player 2 to move: pushed, which way from bica?"),
        ({"step": "moving", "turn": {"move": ["B", "paid", ""]}}, "You (player 0) to move: a step with Blue tickets"),
        (
            {"step": "paying", "turn": {"purpose": "group", "need": "R", "pay": "YYY"}},
            "You (player 0) to move: paying R for the passengers, YYY for the rest",
        ),
        ({"step": "paying", "turn": {"purpose": "bonus", "need": "RRR", "pay": ""}}, "You (player 0) to move: paying RRR for a bonus"),
        ({"step": "ticket"}, "You (player 0): tickets are drawn"),
        ({"step": "refill"}, "You (player 0): passengers are drawn"),
        ({"step": "next card"}, "You (player 0): cards are drawn"),
        ({"step": "setup bag"}, "the game is being set up"),
        ({"actions": 1}, "You (player 0) to move: 1 action left"),
        ({"step": "over"}, "the game is over: You (player 0) win, 3 : 2 : 0"),
        ({"names": ["Ann", "Bob", "Eve"]}, "Ann to move: 2 actions left"),
    ],
)
def test_headlines(changes, expected):
    first = drawn("midgame", **changes).split("\n")[0]
    assert first.strip().startswith(expected)


def test_a_tie_is_named_as_one():
    """12 points each after the worse claim; player 0 has as many tickets and more passengers aboard."""
    view = view_of("last-round", step="over")
    mine = view["players"][1]
    view["players"][1] = mine | {"row": ["castelo_1", *mine["row"]], "aboard": "Y"}
    board = views.board_of(view)
    assert [(views.points(board, player["row"]), views.tickets(board, player["row"])) for player in view["players"]] == [(12, 2), (12, 2)]
    assert load_game("lisbon").draw(view).plain.startswith(" the game is over: Player 0 wins, 12 : 12 by the tie-break")
    view["players"][0] = view["players"][0] | {"aboard": ""}
    assert load_game("lisbon").draw(view).plain.startswith(" the game is over: You (player 1) win, 12 : 12 by the tie-break")


def test_ranking_is_that_of_the_rules():
    for seed in range(6):
        *_, last = played(seed, players=2 + seed % 3)
        returns = last.returns()
        order = views.ranking(last.to_dict())
        assert sorted(range(len(returns)), key=lambda seat: -returns[seat]) == order


def test_points_are_those_of_the_rules():
    for seed in range(3):
        for number, state in enumerate(played(seed, 900, players=4)):
            if number % 50 == 0:
                view = state.to_dict()
                board = views.board_of(view)
                assert [views.points(board, player["row"]) for player in view["players"]] == state.scores()


def test_only_the_viewers_hand_is_shown():
    state = next(state for number, state in enumerate(played(3, 400, players=3)) if number == 300)
    other = state.clone()
    for seat in range(3):
        text = state.game.draw(state.to_dict(seat)).plain
        lines = text.split("\n")
        assert [line for line in lines if line.startswith("   hand")] == lines[-1:]
        assert state.game.draw(other.info_state(seat).to_dict()).plain == text
    assert sum("hand of player" in line for line in state.game.draw(state.to_dict()).plain.split("\n")) == 3


def test_colour_backs_up_letters_only():
    table = load_game("lisbon").draw(view_of("midgame"))
    console = Console(width=100, no_color=True, force_terminal=True, legacy_windows=False)
    with console.capture() as captured:
        console.print(table)
    assert "castelo_1" in captured.get()
    plain = ascii_only(table.plain)
    assert plain.isascii()
    for part in ("conceicao YYG", "lacks RG", "hand R  YYY  GG  B"):
        assert part in plain


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_labels_of_the_map_cover_nothing(board, players):
    made = views.loaded(board)
    spots, corners = _lisbon_map._layout(made)
    assert len(set(spots)) == len(spots)
    widths = [len(place.id) + {"stop": 8, "monument": 4, "bonus": 6, "rossio": 3 * players + 1}[place.kind] for place in made.places]
    cells = [{(x + i, y) for i in range(width)} for (x, y), width in zip(corners, widths, strict=True)]
    for i, taken in enumerate(cells):
        assert not taken & set(spots)
        assert not any(taken & other for other in cells[:i])
        assert all(0 <= x < _lisbon_map.WIDTH for x, _ in taken)


# --- the picture ---


def crosses(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_labels_of_the_picture_cover_nothing(board, players):
    count = 0
    for number, state in enumerate(played(7, 500, board=board, players=players)):
        if number % 60 == 59:
            view = state.to_dict()
            spots = _lisbon_svg.spots_of(views.board_of(view), view)
            for i, spot in enumerate(spots):
                assert not any(crosses(spot.label, other.label) for other in spots[:i])
                assert not any(crosses(spot.label, other.anchor) for other in spots if other is not spot)
                assert spot.label[0] >= 0
                assert spot.label[2] <= _lisbon_svg.WIDTH
            count += 1
    assert count >= 2


def texts(picture):
    return [text for text in tree.fromstring(picture).itertext() if text.strip()]


@pytest.mark.parametrize("name", ["opening", "midgame", "push", "bell", "last-round"])
def test_the_picture_shows_what_the_table_shows(name):
    view = view_of(name)
    said = texts(load_game("lisbon").svg(view))
    board = views.board_of(view)
    for place in board.places:
        assert place.id in said
    for card in [*filter(None, view["display"]), *filter(None, [view["next_card"]])]:
        assert card in said
    hand = view["players"][view["player"]]["hand"]
    assert said[-len(hand) :] == list(hand)
    waiting = "".join(view["stops"].values()) + "".join(player["aboard"] for player in view["players"])
    for colour in "RYGB":
        assert said.count(colour) >= waiting.count(colour)


def test_the_picture_of_another_players_view_has_no_hand_of_mine():
    state = next(state for number, state in enumerate(played(3, 400, players=3)) if number == 300)
    changed = state.info_state(1).sample(5)
    assert state.game.svg(state.to_dict(1)) == state.game.svg(changed.to_dict(1))


def test_names_are_only_text():
    view = view_of("midgame", names=["<b>", "[red]x", "a & b"])
    assert "<b>" in texts(load_game("lisbon").svg(view))
    assert "[red]x" in load_game("lisbon").draw(view).plain


# --- moves in words ---


def words(name, event, **changes):
    return load_game("lisbon").explain(event, view_of(name, **changes))


PUSHED = {"pushed": [1, 2], "placed": 0, "end": "conceicao"}


@pytest.mark.parametrize(
    ("name", "event", "expected"),
    [
        ("push", "step conceicao", "pushes Blue, RYG wait there"),
        ("push", "step chiado", "pushes Light Blue, YBB wait there"),
        ("push", "first step conceicao R", "pushes Blue, pays R, RYG wait there"),
        ("push", "step conceicao Y", "pushes Blue, pays YYY, RYG wait there"),
        ("push", "step conceicao for G", "pushes Blue, pays G, RYG wait there"),
        ("push", "step conceicao-chiado", "pushes Blue and Light Blue, YBB wait there"),
        ("push", "step castelo", "card castelo_2"),
        ("midgame", "step bica", "seats for YYY"),
        ("midgame", "step rossio", ""),
        ("midgame", "step sao_bento", ""),
        ("midgame", "free carmo", "card carmo_2"),
        ("midgame", "board", "picks up 2: YB"),
        ("midgame", "board for YB", "picks up 2: YB"),
        ("midgame", "ring", "one more joins YB, then all or nobody"),
        ("midgame", "ring3", "one of three joins YB, then all or nobody"),
        ("bell", "pay", "picks up 3: RBB"),
        ("bell", "paid RBYYY", "picks up 3: RBB"),
        ("bell", "swap B<Y", "YYY for B"),
        ("bell", "decline", "nobody boards, the action is lost"),
        ("last-round", "claim castelo_1 L", "2 VP and 1 from tickets: 12 in all"),
        ("last-round", "claim castelo_1 R", "2 VP and 2 from tickets: 13 in all"),
        ("midgame", "claim carmo_2 R", "1 VP and 1 from tickets: 5 in all"),
        ("midgame", "keep R", "a Red passenger stays, the others go back"),
        ("midgame", "halt", ""),
        ("midgame", "ticket ?", "a ticket unseen"),
        ("midgame", "ticket B", "a Blue ticket"),
        ("midgame", "bag G", "a Green passenger"),
        ("midgame", "end", ""),
        ("midgame", "move R", ""),
        ("midgame", "card se_2", ""),
    ],
)
def test_explain(name, event, expected):
    assert words(name, event) == event + (f" ({expected})" if expected else "")


def test_explain_inside_actions():
    push = {"step": "shunt", "turn": PUSHED}
    assert words("push", "shunt chiado", **push) == "shunt chiado (Blue is pushed towards chiado)"
    view = view_of("push", **push) | {"player": 1}
    assert load_game("lisbon").explain("shunt chiado", view) == "shunt chiado (Blue (you) is pushed towards chiado)"
    assert words("midgame", "place rato", turn={"drawn": "RYB"}) == "place rato (RYB wait there)"
    full = view_of("midgame")
    full["players"][0] = full["players"][0] | {"aboard": "RGBBYY"}
    assert load_game("lisbon").explain("board", full) == "board (picks up nobody, YB stay)"
    full["players"][0] = full["players"][0] | {"aboard": "RGBB"}
    assert load_game("lisbon").explain("board", full) == "board (picks up 1: Y, B stays)"
    bonus = view_of("midgame", turn={"purpose": "bonus"})
    bonus["players"][0] = bonus["players"][0] | {"tram": "bica"}
    for event in ("bonus", "pay", "bonus for YYY"):
        assert load_game("lisbon").explain(event, bonus) == f"{event} (seats, for YYY)"


def test_everything_that_happens_can_be_told():
    """Whatever an onlooker or the mover sees of an event, telling it in words keeps its notation and does not fail."""
    for rules in ("english", "german"):
        before = None
        for state in played(11, 900, players=3, rules=rules):
            if before is not None:
                for seat in range(3):
                    for event in state.events(seat)[len(before.events(seat)) :]:
                        assert state.game.explain(event, before.to_dict(seat)).startswith(event)
            before = state


# --- typed turns ---


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        ("midgame", "move R carmo", ["move R", "step carmo"]),
        ("midgame", "MOVE r Carmo", ["move R", "step carmo"]),
        ("midgame", "move R; step carmo; halt", ["move R", "step carmo", "halt"]),
        ("midgame", "move G bica chiado; board", ["move G", "step bica", "step chiado", "board"]),
        ("midgame", "move G, step carmo gloria, done", ["move G", "step carmo", "step gloria", "halt"]),
        ("midgame", "move G carmo gloria Y rossio", ["move G", "step carmo", "step gloria Y", "step rossio"]),
        ("midgame", "move G carmo gloria YYY", ["move G", "step carmo", "step gloria Y"]),
        ("midgame", "board; move R carmo; end", ["board", "move R", "step carmo", "end"]),
        ("midgame", "move G conceicao se YYY", ["move G", "step conceicao", "step se Y"]),
        ("midgame", "ring; swap B<Y R < G; pay", ["ring", "swap B<Y", "swap R<G", "pay"]),
        ("midgame", "keep b", ["keep B"]),
        ("midgame", "place rato", ["place rato"]),
        ("midgame", "push carmo", ["shunt carmo"]),
        ("midgame", "move R carmo; claim carmo l", ["move R", "step carmo", "claim carmo_2 L"]),
        ("midgame", "move R carmo claim carmo_2 R", ["move R", "step carmo", "claim carmo_2 R"]),
        ("last-round", "claim R", ["claim castelo_1 R"]),
        ("last-round", "move B se", ["move B", "step portas_do_sol-se"]),
        ("last-round", "move R martim_moniz castelo se", ["move R", "step martim_moniz", "step castelo", "step portas_do_sol-se"]),
        ("last-round", "step portas_do_sol-se", ["step portas_do_sol-se"]),
        ("midgame", "free bica; bonus", ["free bica", "bonus"]),
        ("midgame", "bag R Y", ["bag R", "bag Y"]),
        ("midgame", "", []),
    ],
)
def test_parse_turn(name, line, expected):
    assert load_game("lisbon").parse_turn(line, view_of(name)) == expected


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        ("midgame", "fly", '"fly": expected one of move, step, free, board'),
        ("midgame", "move", "move: with tickets of which colour? write for example move R "),
        ("midgame", "move carmo", "move: with tickets of which colour?"),
        ("midgame", "move R castle", 'step "castle": "castle" is no place; did you mean castelo?'),
        ("midgame", "move R rossio", "step rossio: one step leads from chiado to carmo, bica or conceicao"),
        ("midgame", "move G carmo; step carmo", "step carmo: the tram is there already"),
        (
            "midgame",
            "move R conceicao; step cais_sodre",
            "step cais_sodre: nobody waits at cais_sodre, so trams do not stop there",
        ),
        ("midgame", "step", "step: where to? one step leads from chiado to "),
        ("midgame", "board all", 'board "all": nothing comes behind board'),
        ("midgame", "claim carmo L", "claim carmo_2: it is claimed at carmo, and the tram is at chiado"),
        ("midgame", "move Y conceicao se; claim se L", "claim se_1: YY lacks aboard"),
        ("midgame", "move R carmo; board", "board: nobody waits at carmo"),
        ("midgame", "move B conceicao; board; board", "board: nobody waits at conceicao"),
        ("opening", "move R martim_moniz; board", "board: RRG to pay, and the hand has RYGB; three of a colour stand for any one"),
        (
            "opening",
            "move R martim_moniz castelo martim_moniz",
            "step martim_moniz: no R is left to pay it, the hand has YGB; a step costs",
        ),
        ("midgame", "move Y carmo gloria B", "step gloria: 3 B to pay, the hand has RYYGGB"),
        ("opening", "move R rato", "step rato: one step leads from rossio to"),
        ("opening", "bonus", "bonus: rossio is no bonus stop; they are santa_justa, bica, lavra or gloria"),
        ("opening", "move R gloria; bonus", "bonus: BBB to pay, and the hand has RYGB"),
        (
            "midgame",
            "move R carmo; claim carmo",
            "claim carmo_2: at which end of your row? claim carmo_2 L (left) or claim carmo_2 R (right)",
        ),
        ("midgame", "claim ajuda L", "claim ajuda: no card of it is on display; on display: carmo_2, castelo_1"),
        ("midgame", "claim chiado L", "claim chiado: it is no monument"),
        ("midgame", "claim x", 'claim "x": no such card'),
        ("midgame", "claim carmo castelo L", 'claim "carmo castelo": one card at a time'),
        ("midgame", "swap RY", 'swap "RY": write swap R<Y for three yellow in place of one red'),
        ("midgame", "keep", "keep: which colour? write for example keep R"),
        ("midgame", "place", "place: at which place? write one"),
        ("midgame", "shunt xy", 'shunt "xy": no such place'),
    ],
)
def test_parse_turn_refuses(name, line, expected):
    with pytest.raises(ValueError) as raised:
        load_game("lisbon").parse_turn(line, view_of(name))
    assert str(raised.value).startswith(expected)


def test_a_landing_place_that_can_be_reached_in_two_ways():
    view = view_of("midgame")
    view["stops"] = view["stops"] | {"rato": "", "martim_moniz": "", "graca": ""}
    view["players"][0] = view["players"][0] | {"tram": "aqueduto"}
    turn = _lisbon_turn.Turn(view)
    assert turn.path("step", "gloria") == "rato-gloria"
    assert turn.path("step", "rato-gloria") == "rato-gloria"
    found = {path[-1]: path for path in turn.runs()}
    assert found["sao_bento"] == ["rato", "sao_bento"]


def test_steps_of_a_view_are_those_of_the_engine():
    """Where no tram is in the way, the paths that a typed turn knows are the engine's."""
    count = 0
    for state in played(5, 1500, players=2):
        if state.current_player() < 0:
            continue
        moves = [text for text in map(state.action_to_string, state.legal_actions()) if re.fullmatch(r"step \S+", text)]
        view = state.to_dict(state.current_player())
        trams = {player["tram"] for player in view["players"]}
        if moves and len(trams) == 2:
            known = {"step " + "-".join(path) for path in _lisbon_turn.Turn(view).runs()}
            assert set(moves) <= known
            assert all(trams & set(text.split()[1].split("-")) for text in known - set(moves))
            count += 1
    assert count > 30


def test_a_typed_turn_is_played():
    session = Session.from_info(info_of("midgame"), 3)
    assert session.enter("board; move R carmo; end") == ["board", "move R", "step carmo"]  # the turn is over by itself
    assert session.state.current_player() == 1
    assert session.state.to_dict()["players"][0]["tram"] == "carmo"
    assert session.state.to_dict()["players"][0]["aboard"] == "RYGBB"


def test_a_typed_turn_goes_on_behind_the_bell():
    session = Session.from_info(info_of("midgame"), 3)
    done = session.enter("ring; decline; move G carmo")
    assert done[:2] == ["ring", "decline"]
    assert session.state.to_dict()["players"][0]["tram"] == "carmo"
    group = session.state.to_dict()["stops"]["chiado"]
    assert len(group) == 3


def test_what_comes_after_the_bell_is_only_seen_by_ringing():
    """A line whose later part is not possible is carried out up to where the passenger came."""
    session = Session.from_info(info_of("midgame"), 3)
    with pytest.raises(ValueError, match=r"^carried out: ring\. But then keep R; decline: 'keep R' is not legal here"):
        session.enter("ring; keep R; decline")
    assert session.state.to_dict()["stops"]["chiado"] != "YB"
    assert session.enter("end")


def test_a_push_waits_for_the_owner():
    session = Session.from_info(info_of("push"), 1)
    with pytest.raises(ValueError, match=r"^carried out: move R; step conceicao\. But then board: first player 1 has to decide$"):
        session.enter("move R conceicao; board")
    assert session.state.current_player() == 1
    ways = session.legal()
    assert len(ways) >= 2
    assert all(way.startswith("shunt ") for way in ways)


def test_a_turn_in_short_form_reads_back():
    rng = random.Random(4)
    for seed in range(3):
        for state in played(seed, 1200, players=3):
            seat = state.current_player()
            if seat < 0 or state.to_dict()["step"] != "turn" or rng.random() < 0.5:
                continue
            trial, moves = state.clone(), []
            while trial.current_player() == seat and len(moves) < 8:
                moves.append(rng.choice(trial.legal_actions()))
                trial.apply_action(moves[-1])
            told = [state.action_to_string(move) for move in moves]
            assert state.game.parse_turn("; ".join(told), state.to_dict(seat)) == told
            line = compact(state.game, told, state.to_dict(seat))
            assert state.game.parse_turn(line, state.to_dict(seat)) == told


def test_a_line_of_play_in_words():
    line = follow(info_of("push"), ["move R", "step conceicao", "shunt chiado", "shunt carmo"])
    assert [player for player, _, _ in line][:3] == [0, 0, 1]
    assert line[1][2] == "step conceicao (pushes Blue, RYG wait there)"
    assert line[2][2] == "shunt chiado (Blue is pushed towards chiado)"
