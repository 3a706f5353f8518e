"""Tramways as people see and type it: table, picture, moves in words, whole actions on one line, a game played from the screen.

WATTMAN_GAMES sets the number of games (default 60).
"""

import random
import re
import xml.etree.ElementTree as Tree
from functools import cache
from pathlib import Path

import pytest
from knowledge import share

from wattman import load_agent, load_game
from wattman.cli.table import Table
from wattman.engine import positions
from wattman.engine.drawing import ascii_only
from wattman.engine.game import Deal
from wattman.engine.games.tramways import view as look
from wattman.engine.session import Session, follow, turn_line, whose

SVG = "{http://www.w3.org/2000/svg}"
WEIGHTS = {"pass": 0.05, "bid": 0.2, "build": 8, "move": 8, "upgrade": 4, "construct": 4, "extend": 4, "trash": 0.3, "purge": 0.3}


def choose(state, rng):
    """A decision that leads to cities with links, upgrades and buildings."""
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    return state.string_to_action(rng.choices(texts, [WEIGHTS.get(text.split()[0], 1) for text in texts])[0])


def played(players, seed, events=10**6, **options):
    """A random game, after so many events."""
    state = load_game("tramways", players=players, **options).new_initial_state()
    rng, deal = random.Random(seed), Deal(seed)
    while len(state.history()) < events and not state.is_terminal():
        state.apply_action(deal.choose(state) if state.is_chance_node() else choose(state, rng))
    return state


@cache
def tables():
    """Views of several tables, by all their players: with all tiles and without; in the set-up, within actions, at the end."""
    states = [played(players, seed, events) for players, seed, events in ((1, 1, 150), (2, 2, 260), (4, 3, 700), (5, 4, 650))]
    states += [played(2, 5, events) for events in (2, 8, 20, 10**6)]
    states += [played(3, 6, 300, expansions="base"), played(3, 7, 300, expansions="park+airports")]
    state = played(2, 8, 120)
    for _ in range(20):  # step by step through some actions
        state = state.clone()
        state.apply_action(Deal(1).choose(state) if state.is_chance_node() else choose(state, random.Random(len(state.history()))))
        states.append(state)
    return [(state, player, state.to_dict(player)) for state in states for player in range(state.game.num_players())]


# --- the table ---


def city_lines(text, view):
    """The city's lines, two a row."""
    lines = text.split("\n")
    head = next(i for i, line in enumerate(lines) if re.match(r" +0 +1 +2 ", line))
    return lines[head + 1 : head + 1 + 2 * len(view["city"])]


def test_the_table_fits_and_says_what_there_is():
    for state, player, view in tables():
        text = state.game.draw(view).plain
        assert max(map(len, text.splitlines())) <= 100
        for name in view["places"]:
            assert re.search(rf"(?<!\w){name}(?!\w)", text), name
        for kind in view["players"][player]["hand"]:
            assert re.search(rf"^   hand .*(\n {{14}}.*)*{kind}", text, re.MULTILINE)
        for kind in view["offer"]:
            assert re.search(rf"^   on offer .*(\n {{14}}.*)*{kind}", text, re.MULTILINE)
        assert f"supply {view['supply']}" in text
        if view["step"] not in ("board", "place"):
            city = "\n".join(city_lines(text, view))
            assert city.count("●") == sum(place["passengers"] for place in view["places"].values())
            assert city.count("○") + city.count("●") == sum(place["room"] for place in view["places"].values())
            for row in range(len(view["city"])):
                assert re.search(rf"^ +{row}  ", city, re.MULTILINE)
        assert ascii_only(text).isascii()


def test_rails_are_joined_as_they_lie():
    """Each link's tiles bear its owner's number, with lines to where it goes on: double ones where it is upgraded."""
    compared = 0
    for state, _, view in tables():
        lines = city_lines(state.game.draw(view).plain, view)
        size = 4 if view["layout"][1] * 5 <= 20 else 3
        for link in view["links"]:
            for one, other in zip(link["path"], link["path"][1:], strict=False):
                (row, column), (below, _) = sorted((look.square(one), look.square(other)))
                at = 5 + size * column
                assert lines[2 * row][at + 1] == str(link["owner"])
                if row == below:
                    line = lines[2 * row][at + 2 : at + size + 1]
                    assert set(line) == ({"═"} if link["upgraded"] else {"─"}), lines[2 * row]
                else:
                    assert lines[2 * row + 1][at + 1] == ("║" if link["upgraded"] else "│")
                compared += 1
    assert compared > 60


def test_nothing_hidden_is_drawn():
    """What a player sees drawn, and reads of what has happened, does not depend on what he does not know."""
    different = 0
    for state, player, view in tables():
        if state.is_terminal():
            continue
        other = state.info_state(player).sample(3)
        different += other != state
        assert other.game.draw(other.to_dict(player)).plain == state.game.draw(view).plain
        assert other.game.svg(other.to_dict(player)) == state.game.svg(view)
        for each in (state, other):
            if each.current_player() == player:
                words = [each.game.explain(each.action_to_string(action), each.to_dict(player)) for action in each.legal_actions()]
                assert words == [state.game.explain(state.action_to_string(action), view) for action in state.legal_actions()]
    assert different > 10


def test_what_is_told_has_no_hidden_card():
    """A player's log of a whole game: of others' draws only that there were some."""
    state = played(3, 11)
    session = Session.from_record(Session(state, 0).record(["a", "b", "c"]), 0)
    for seat in range(3):
        drawn = 0
        for event, text in session.seen(seat):
            view = event.before.to_dict(seat)
            (_, words), *_ = state.game.tell([(text, view)])
            if text.startswith("draw"):
                owner = event.before.to_dict()["on_turn"]
                assert (text == "draw ?") == (owner != seat)
                assert words == "draw ?" or owner == seat
                drawn += owner != seat
        assert drawn > 10


def test_the_truth_and_names_can_be_drawn():
    state, _, view = tables()[1]
    text = state.game.draw(state.to_dict()).plain
    assert "hand 0" in text
    assert "hand 1" in text
    named = state.game.draw(view | {"names": ["[bold]Ann[/]", "B" * 60]}).plain
    assert "[bold]Ann[/]" in named
    assert max(map(len, named.splitlines())) <= 100


# --- the picture ---


def test_the_picture_is_an_svg_with_every_place_and_tile():
    for state, _, view in tables():
        root = Tree.fromstring(state.game.svg(view))
        assert root.tag == f"{SVG}svg"
        texts = [element.text for element in root.iter(f"{SVG}text")]
        for name in view["places"]:
            assert name in texts or name == "S"
        assert ("Station" in texts) == ("S" in view["places"])
        for seat in range(len(view["players"])):
            tiles = sum(len(link["path"]) for link in view["links"] if link["owner"] == seat)
            parcels = sum(place["owner"] == seat for place in view["places"].values())
            assert texts.count(str(seat)) >= tiles + parcels + 1  # and his own line; other numbers may be the same
        width, height = float(root.get("width")), float(root.get("height"))
        for element in root.iter(f"{SVG}text"):
            assert 0 <= float(element.get("x")) <= width
            assert 0 <= float(element.get("y")) <= height


def test_names_are_escaped():
    state, _, view = tables()[1]
    svg = state.game.svg(view | {"names": ["<b>&", "x"]})
    assert "<b>&" not in svg
    Tree.fromstring(svg)


# --- whole actions on one line ---


def random_turns(players, seed, **options):
    """Each turn of a random game: the state before it, who made it, his decisions up to another's, or chance's."""
    session = Session.start(load_game("tramways", players=players, **options), seed)
    rng = random.Random(seed)
    while not session.state.is_terminal():
        before, player, texts, trial = session.state, session.state.current_player(), [], session.state.clone()
        while trial.current_player() == player:
            action = choose(trial, rng)
            texts.append(trial.action_to_string(action))
            trial.apply_action(action)
        yield before, player, texts
        for text in texts:
            session.play(session.state.string_to_action(text))


@pytest.mark.parametrize(("players", "expansions"), [(1, "full"), (2, "full"), (4, "full"), (2, "base"), (5, "funfair+park")])
def test_turns_can_be_typed_as_they_are_shown(players, expansions):
    """Every turn of random games: move by move, and as the line that hints and analyses show, it is carried out as it was."""
    whole, turns = 0, 0
    for seed in range(share(load_game("tramways"), 15)):
        for before, player, texts in random_turns(players, seed, expansions=expansions):
            for text in texts:
                assert before.game.parse_turn(text, before.to_dict(player)) == [text]
            line = turn_line(before.info_state(player), texts)
            again = Session(before, 1)
            again.enter(line)
            made = [before.action_to_string(action) for who, action in again.state.full_history()[len(before.history()) :] if who == player]
            if texts[-1] == "done" and made == texts[:-1]:  # taken for that of the payment, which followed by itself: the step is left open
                made.append("done")
            assert made[: len(texts)] == texts, (line, texts)
            turns += 1
            whole += " pay " in line
    assert whole > turns / 4


def test_whole_actions_are_told_on_one_line():
    """What is told of others: each action as it can be typed, which then does the same."""
    told = 0
    for seed in range(2):
        session = Session.start(load_game("tramways", players=2 + seed), seed)
        rng = random.Random(seed)
        while not session.state.is_terminal():
            count, player = len(session), session.state.current_player()
            if player < 0:
                break
            before = session.state
            while session.state.current_player() == player and not session.state.is_terminal() and len(session) < count + 60:
                session.play(choose(session.state, rng))
            events = [
                (text, event.before.to_dict(player))
                for event, text in session.seen(player, count)
                if event.player == player and whose(player, text) == (player, text)
            ]
            for line, words in before.game.tell(events)[:1]:
                assert words.startswith(line)
                if " pay " in line:
                    again = Session(before, 1)
                    again.enter(line)
                    seen = [text for text, _ in events]
                    mine = again.state.events(player)[len(before.events(player)) :]
                    paid = max(i for i, text in enumerate(mine) if text.startswith(("pay", "buy", "market")))
                    assert mine[: paid + 1] == seen[: paid + 1]
                    told += 1
    assert told > 20


# --- typed turns ---


def view_of(name):
    info = positions.load(Path(__file__).parent.parent / "examples" / f"tramways-{name}.toml")
    return info.game, info.to_dict()


@pytest.mark.parametrize(
    ("line", "events"),
    [
        ("build Ab-Fb 6.5 6.4", ["build", "from Ab", "to Fb", "lay 6.5", "lay 6.4", "join"]),
        ("build fb-ab 6.4 6.5", ["build", "from Ab", "to Fb", "lay 6.5", "lay 6.4", "join"]),
        ("BUILD Ab Fb over 6.5 6.4 pay s1 A2", ["build", "from Ab", "to Fb", "lay 6.5", "lay 6.4", "join", "pay A2", "pay s1", "done"]),
        ("build Cb-S pay s1", None),
        ("upgrade G1-W pay t20 s1", ["upgrade", "from G1", "to W", "pay s1", "pay t20", "done"]),
        ("construct C1 l pay C1 bL d3", ["construct", "at C1", "type L", "pay C1", "pay bL", "pay d3", "done"]),
        ("extend F2", ["extend", "at F2"]),
        ("add fa pay t25", ["add", "at Fa", "pay t25", "done"]),
        ("move Ab Fb0 pay bL", ["move", "at Ab", "ride Fb 0", "stop", "pay bL", "done"]),
        ("move Ab Fb pay bL s1 buy 2", ["move", "at Ab", "ride Fb 0", "stop", "pay bL", "pay s1", "done", "buy 2"]),
        ("move Ab V0 market d1 d2", ["move", "at Ab", "ride V 0", "stop", "market d1", "market d2", "done"]),
        ("money bL t20", ["money", "pay bL", "pay t20", "done"]),
        ("calm", ["calm"]),
        ("pay t20 A1", ["pay A1", "pay t20"]),
        ("bid $4; take T7", ["bid 4", "take t7"]),
        ("trash s1; purge A1; done", ["trash s1", "purge A1", "done"]),
        ("trash s1 s2", ["trash s1", "trash s2"]),
        ("ride W 1", ["ride W 1"]),
        ("", []),
    ],
)
def test_short_forms(line, events):
    game, view = view_of("two-players")
    found = game.parse_turn(line, view)
    if events is None:  # the cheapest way; which of several does not matter
        assert found[:3] == ["build", "from Cb", "to S"]
        assert found[-3:] == ["join", "pay s1", "done"]
    else:
        assert found == events


def test_cheapest_ways():
    """Fewest rails, then fewest tiles, over nothing that is taken: against trying all ways."""
    from wattman.engine.games.tramways.turn import cheapest_path, tile_cost

    for name in ("solo", "two-players"):
        _, view = view_of(name)
        city = look.city_of(view)
        taken = {**city.place_at(), **city.link_at()}
        free = [at for at in city.ground if at not in taken]
        names = list(city.places)
        rng = random.Random(1)
        for one, other in [rng.sample(names, 2) for _ in range(25)]:
            best = None
            ways = [[at] for at in free if any(look.beside(at, end) for end in city.places[one].squares)]
            while ways:
                way = ways.pop()
                cost = (sum(tile_cost(view, city, at) for at in way), len(way))
                if best is not None and cost >= best:
                    continue
                if any(look.beside(way[-1], end) for end in city.places[other].squares):
                    best = cost
                    continue
                if len(way) < 7:
                    ways += [[*way, at] for at in free if look.beside(way[-1], at) and at not in way]
            path = cheapest_path(view, one, other)
            assert (path is None) == (best is None)
            if path:
                assert (sum(tile_cost(view, city, at) for at in path), len(path)) == best


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("fly", "fly: no move; moves are: bid, fold, take, build"),
        ("build", None),
        ("build Aa", "build: between which places? for example: build Aa-Ab"),
        ("build Aa-Zz", 'build: "Zz" is no place of this city; places are: Aa Ab'),
        ("build Ab-Fb 6.5 6.4 pay", "pay: with which cards?"),
        ("upgrade G1-W 3.3", 'upgrade: "3.3" is too much'),
        ("construct C1", "construct: what, and where? for example: construct A1 R"),
        ("construct C1 X", "construct: what, and where?"),
        ("move", None),
        ("move Ab K", "move: there is no link from Ab to K"),
        ("pay zz", 'pay: "zz" is no kind of card; expected one such as s1, t7 or bR'),
        ("trash", "trash: which card? for example: trash s1"),
        ("lay", "lay: on which square?"),
        ("pass now", "pass: stands alone, without"),
        ("bid", "bid: no move"),
    ],
)
def test_what_cannot_be_read(line, told):
    game, view = view_of("two-players")
    if told is None:  # a step
        assert game.parse_turn(line, view) == [line]
        return
    with pytest.raises(ValueError) as caught:
        game.parse_turn(line, view)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_f1_may_be_a_parcel_or_the_funfair():
    """The Funfair by player 1's link reads as the parcel F1 where only to that one a link leads."""
    game, view = view_of("two-players")
    link = {"from": "Ga", "to": "F", "owner": 1, "path": ["0.0"], "upgraded": False}
    there = view | {"links": [*view["links"], link]}
    assert game.parse_turn("move Ga F1", there) == ["move", "at Ga", "ride F 1", "stop"]
    to_both = there | {"links": [*there["links"], link | {"to": "F1"}]}
    assert game.parse_turn("move Ga F:1", to_both) == ["move", "at Ga", "ride F 1", "stop"]
    assert game.parse_turn("move Ga F1:1", to_both) == ["move", "at Ga", "ride F1 1", "stop"]


def test_steps_that_follow_by_themselves_may_be_typed_or_left_out():
    """With one card for each icon the whole payment follows; the line may name it or not, and nothing else for it."""
    compared = 0
    for seed in range(6):
        for before, player, texts in random_turns(2, 40 + seed):
            if texts[0] not in ("build", "construct", "move"):
                continue
            full = Session(before, 1)
            for text in texts:
                full.play(full.state.string_to_action(text))
            seen = [text for text in full.state.events(player)[len(before.events(player)) :] if whose(player, text)[1] == text]
            own = [text for text in seen if text.split()[0] not in ("draw", "reveal")]
            if len(own) <= len(texts) or any(text in ("pass", "fold") for text in own):
                continue
            for line in ("; ".join(texts), "; ".join(own)):
                again = Session(before, 1)
                again.enter(line)
                assert again.state.info_state(player) == full.state.info_state(player), line
            wrong = own.index(next(text for text in own if text not in texts))
            if own[wrong].startswith("pay "):
                again = Session(before, 1)
                with pytest.raises(ValueError):
                    again.enter("; ".join([*own[:wrong], "pay bF", *own[wrong + 1 :]]))
                assert again.state == before
            compared += 1
            if compared > 15:
                return
    assert compared > 5


def test_a_payment_that_ends_by_itself_ends_nothing_of_the_next_player():
    """The last action of a round typed with its cards: `done` is not read as the end of the other's discards."""
    path = Path(__file__).parent.parent / "examples" / "tramways-two-players.toml"
    line = "worker d3 t20; build G1-G2 4.3 3.3 pay G1 bL s1"
    session = Session(positions.load(path).sample(0), 1)
    made = session.enter(line)
    assert session.state.current_player() == 0
    assert session.state.to_dict()["step"] == "discard"
    assert turn_line(positions.load(path), made) == line


def test_a_refused_line_names_where_it_fails():
    session = Session.start(load_game("tramways", players=1), 3)
    session.enter(session.legal()[0])
    with pytest.raises(ValueError, match=r"legal here: |legal: "):
        session.enter("take t1")
    legal = session.legal()
    with pytest.raises(ValueError) as caught:
        session.enter("pass; pass; bid 4")
    assert "bid 4" in str(caught.value)
    assert session.legal() == legal or session.decisions == 2


# --- a game from the screen ---


class Person:
    """Who answers every prompt with what the screen before it shows: by number, or typed as it is listed."""

    LISTED = r"(?:^|\s{2,})\s*(\d+) ([a-z]+(?: [\w.?$]+){0,2}?)(?=\s*\(|\s{2,}\d|\s*$)"

    def __init__(self, capsys):
        self.capsys = capsys
        self.rng = random.Random(1)
        self.typed = set()
        self.wide = 0

    def isatty(self):
        return False

    def readline(self):
        shown = self.capsys.readouterr().out
        self.wide = max(self.wide, *(len(line) for line in shown.splitlines() if not line.startswith(" player")))
        moves = re.findall(self.LISTED, shown[shown.rindex("\n   hand ") :], re.MULTILINE)
        assert moves, shown
        number, text = self.rng.choices(moves, [WEIGHTS.get(text.split()[0], 1) for _, text in moves])[0]
        self.typed.add(text.split()[0])
        return (number if self.rng.random() < 0.5 else text.strip()) + "\n"


@pytest.mark.parametrize("players", [1, 2])
def test_a_game_played_from_the_screen(players, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    game = load_game("tramways", players=players)
    person = Person(capsys)
    monkeypatch.setattr("sys.stdin", person)
    agents = {seat: load_agent("greedy", game, seat) for seat in range(players) if seat != 1 % players}
    names = ["human" if seat == 1 % players else "greedy" for seat in range(players)]
    Table(Session.start(game, 4), names, agents, 1).run()
    assert "The game is over." in capsys.readouterr().out
    assert {"take", "build", "from", "pay"} <= person.typed


def test_an_action_of_another_is_told_on_one_line(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    game = load_game("tramways", players=2)
    person = Person(capsys)
    shown = []
    monkeypatch.setattr("sys.stdin", person)
    monkeypatch.setattr(person, "readline", lambda read=person.readline: shown.append(read()) or shown[-1])
    agent = load_agent("greedy", game, 1)
    table = Table(Session.start(game, 5), ["human", "greedy"], {1: agent}, 1)
    told = []
    monkeypatch.setattr(table.out, "print", lambda *what, print=table.out.print, **how: (told.append(what), print(*what, **how))[1])
    table.run()
    lines = [str(what[0].renderable) for what in told if what and hasattr(what[0], "renderable")]
    other = " ".join(line for line in lines if line.startswith("player 1"))
    assert re.search(r"build \w+-\w+ [\d. ]+ pay \S+.*\(\d tiles?, \d+ rails?\)", other)
    assert re.search(r"move \w+ \S+.* pay .*HP", other)
    assert not re.search(r"· (from|to|lay|join|ride|stop)\b", other)


# --- analyses ---


def test_alone_one_plays_for_points(capsys, monkeypatch):
    """Nothing can be won: hints, analyses and the end speak of points, and the goal stands on the table."""
    monkeypatch.setenv("COLUMNS", "100")
    game = load_game("tramways", players=1)
    table = Table(Session.start(game, 2), ["human"], {}, 1)
    for command in ("table", "hint 0.05", "analyze 0.05"):
        table._obey(0, command)
    shown = capsys.readouterr().out
    assert "goal 25 HP" in shown
    assert re.search(r"hint: take \w+ brings -?[\d.]+ points", shown)
    assert re.search(r"first move +visits % +points +prior %", shown)
    assert "win" not in shown
    while not table.session.state.is_terminal():
        table.session.play(table.session.state.legal_actions()[-1])
    assert re.fullmatch(r"-?\d+ points\.", table._result())


def test_an_analysis_shows_whole_actions():
    """The moves of a line of play, with all that follows by itself, as one line in the analysis."""
    found = 0
    for seed in range(3):
        for before, player, texts in random_turns(2, 60 + seed):
            if texts[0] in ("build", "construct", "move"):
                (who, line, words), *_ = follow(before.info_state(player), texts)
                assert who == player
                assert line.startswith(f"{texts[0]} ")
                assert " pay " in line
                assert "(" in words
                found += 1
            if found > 20:
                return
    assert found
