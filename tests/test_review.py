"""Reviews: luck and skill add up, nothing is judged by what its player could not know, files go on, the page holds everything."""

import json
import random
import re
import threading
import time
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from commands import refused, run
from knowledge import LOADED, title

from wattman import load_agent, load_game
from wattman.engine.game import Deal
from wattman.engine.records import Record, append
from wattman.search.critique import criticize, difference
from wattman.search.grades import CLEAR, GRADES, LIMITS, counts, grade
from wattman.search.luck import runs
from wattman.search.options import for_game
from wattman.search.review import Reviewer, turns
from wattman.search.root import RootSearch
from wattman.search.worth import results, worth

ROOT = Path(__file__).parent.parent


def greedy_game(game, seed, random_share=0.2, names=None):
    """A game of the rule of thumb with some random moves."""
    rng, deal, state, agent = random.Random(seed), Deal(seed), game.new_initial_state(), load_agent("greedy", game, seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(deal.choose(state))
        else:
            legal = state.legal_actions()
            state.apply_action(rng.choice(legal) if rng.random() < random_share else agent.choose(state.info_state()))
    return Record.from_state(state, names or ["greedy"] * game.num_players())


# --- playouts one by one ---


@pytest.mark.parametrize("game", LOADED, ids=title)
def test_results(game):
    state, deal = game.new_initial_state(), Deal(3)
    while state.is_chance_node():
        state.apply_action(deal.choose(state))
    info, moves = state.info_state(), state.legal_actions()
    plain = results(info, 20, 5)
    assert plain.shape == (20, game.num_players(), 3)
    assert np.array_equal(plain, results(info, 20, 5))
    assert np.allclose(worth(info, 20, 5)[0], plain.mean(0))
    after = state.clone()
    after.apply_action(moves[0])
    assert np.array_equal(results(state, 20, 5, moves[:1]), results(after, 20, 5))
    impossible = next(action for action in range(game.num_distinct_actions()) if action not in moves)
    assert np.array_equal(results(state, 20, 5, [impossible, moves[0]]), results(state, 20, 5))


def test_the_end_is_worth_the_result():
    record = greedy_game(load_game("trambahn"), 1)
    states = Reviewer(record, []).states
    values = results(states[-1], 3, 1)
    assert np.array_equal(values[0], states[-1].values())
    assert np.array_equal(values, np.array([values[0]] * 3))


# --- comparing moves ---


def test_only_some_moves():
    game = load_game("trambahn")
    states = Reviewer(greedy_game(game, 2), []).states
    info = next(state.info_state() for state in states[60:] if state.current_player() >= 0 and len(state.legal_actions()) > 3)
    agent = load_agent("ismcts", game, 1)
    legal, options = info.legal_actions(), for_game(game, agent.options)
    root = RootSearch(info, options, 1, roots=2, only=[legal[2], legal[0]])
    root.run(100)
    assert sorted((move.action, move.visits) for move in root.moves()) == [(legal[0], 50), (legal[2], 50)]
    same = difference(root, legal[0], legal[0])
    assert (same.win, same.margin, same.reward) == (0, 0, 0)
    one, two = difference(root, legal[0], legal[2]), difference(root, legal[2], legal[0])
    assert (one.win, one.margin) == (-two.win, -two.margin)
    for wrong in ([], [legal[0], legal[0]], [-1]):
        with pytest.raises(ValueError, match="these must be different legal actions"):
            RootSearch(info, options, 1, only=wrong)


def test_grades():
    assert [grade(loss, 0.0) for loss in (0.0, *LIMITS)] == list(GRADES)
    assert grade(0.2, 0.2 / CLEAR * 1.01) == "good"  # not clear of its error
    assert grade(0.2, 0.2 / CLEAR * 0.99) == "very bad"
    assert counts(load_game("trambahn")) == "win"
    assert counts(load_game("leduc")) == "points"
    assert counts(load_game("tramways", players=1)) == "points"


# --- turns ---


@pytest.mark.parametrize("game", LOADED, ids=title)
def test_turns(game):
    states = Reviewer(greedy_game(game, 4), []).states
    found = turns(states)
    decided = [(ply, state.current_player()) for ply, state in enumerate(states[:-1]) if state.current_player() >= 0]
    inside = [(ply, turn.player) for turn in found for ply in range(turn.ply, turn.end) if states[ply].current_player() >= 0]
    assert inside == decided
    assert sum(len(turn.actions) for turn in found) == len(decided)
    assert [turn.number for turn in found] == list(range(1, len(found) + 1))
    if game.num_players() > 1:
        assert all(one.player != two.player for one, two in pairwise(found))
    swings = runs(states)
    assert [swing[1] for swing in swings] == [0, *(swing[2] for swing in swings[:-1])]
    assert swings[-1][2] == len(states) - 1


# --- luck and skill ---


@pytest.mark.parametrize("game", LOADED, ids=title)
def test_luck_and_skill_add_up(game):
    record = greedy_game(game, 5)
    review = Reviewer(record, [], playouts=3, seed=1).run()
    assert review.complete
    final = Reviewer(record, []).states[-1].values()
    for balance in review.balances:
        for k in range(2):
            whole = balance.start[k] + balance.cards[k] + balance.hidden[k] + balance.own[k] + balance.others[k]
            assert whole == pytest.approx(balance.result[k], abs=1e-9)
            assert balance.result[k] == final[balance.player, k]
    if game.num_players() > 1:  # what one wins of the win another loses
        for part in ("cards", "hidden"):
            assert sum(getattr(balance, part)[0] for balance in review.balances) == pytest.approx(0, abs=1e-9)


def test_luck_of_chance_alone_has_mean_zero():
    """Of many deals the first one's luck averages out: the value before it is the mean of those after it."""
    game = load_game("leduc")
    start, n = game.new_initial_state(), 4000
    whole = results(start, n, 1)[:, 0, 1]
    rng, total = random.Random(2), []
    for _ in range(300):
        state = start.clone()
        while state.is_chance_node():
            state.apply_action(state.sample_chance(rng.getrandbits(60)))
        total.append(results(state, 40, rng.getrandbits(40))[:, 0, 1].mean())
    error = (np.var(total) / len(total) + whole.var() / n) ** 0.5
    assert abs(np.mean(total) - whole.mean()) < 4 * error


def test_a_blunder_is_negative_skill():
    """With the king, folding to a raise costs chips that calling would win, whatever the other holds; that is no bad luck."""
    game = load_game("leduc")
    state = game.new_initial_state()
    for text in ("deal K", "deal J", "call", "raise", "fold"):
        state.apply_action(state.string_to_action(text))
    review = Reviewer(Record.from_state(state, ["a", "b"]), playouts=1000, simulations=1000).run()
    fold = next(swing for swing in review.swings if state.events()[swing.ply] == "fold")
    assert fold.skill[0][1] < -1 - 3 * fold.skill_stderr[0][1]
    worst = review.mistakes[0]
    assert (worst.player, worst.worst.action) == (0, "fold")
    assert worst.grade in ("bad", "very bad")
    assert worst.points > 1


# --- what a player knew ---


def test_the_truth_does_not_matter():
    """The same decision, with other cards in the other's hand, is judged the same to the last digit."""
    game, reviews = load_game("leduc"), []
    for card in "JQ":
        state = game.new_initial_state()
        for text in ("deal K", f"deal {card}", "call", "raise", "fold"):
            state.apply_action(state.string_to_action(text))
        found = Reviewer(Record.from_state(state, ["a", "b"]), [0], simulations=200, playouts=20).run()
        reviews.append([decision.to_json() for turn in found.turns for decision in turn.decisions])
    assert len(reviews[0]) == 2
    assert reviews[0] == reviews[1]


def test_in_a_larger_game_too():
    """A world dealt from what the player knew is as good as the truth."""
    game = load_game("portland", players=2)
    states = Reviewer(greedy_game(game, 6), []).states
    agent = load_agent("ismcts", game, 1)
    checked = 0
    for state in states[40::60]:
        if state.current_player() >= 0 and len(state.legal_actions()) > 1:
            info = state.info_state()
            other = info.sample(1).info_state(info.player)
            action = info.legal_actions()[0]
            found = [criticize(agent, each, action, 0, 3, simulations=40).to_json() for each in (info, other)]
            assert found[0] == found[1]
            checked += 1
    assert checked >= 2


def test_a_game_that_is_not_over_tells_no_luck():
    record = greedy_game(load_game("trambahn"), 7)
    record = Record(record.game, record.options, record.players, record.actions[:120])
    review = Reviewer(record, [1], simulations=10).run()
    assert review.complete
    assert not review.swings
    assert not review.balances
    assert review.of(1)
    assert not review.of(0)


# --- going on ---


def test_resume(tmp_path):
    record = greedy_game(load_game("leduc"), 8)
    whole = Reviewer(record, simulations=50, playouts=20, out=tmp_path / "whole", seed=3).run()
    lines = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    for keep in range(1, len(lines) + 1):
        part = tmp_path / f"part{keep}"
        part.write_bytes(b"".join(lines[:keep]) + lines[min(keep, len(lines) - 1)][:7])  # half a line, as of a killed process
        again = Reviewer(record, simulations=50, playouts=20, out=part, resume=True, seed=3).run()
        assert again.to_json() == whole.to_json()
        assert part.read_bytes() == (tmp_path / "whole").read_bytes()
    with pytest.raises(ValueError, match="this is another review: its seed is 3, not 4"):
        Reviewer(record, simulations=50, playouts=20, out=tmp_path / "whole", resume=True, seed=4)
    with pytest.raises(ValueError, match="--resume goes on with it"):
        Reviewer(record, simulations=50, playouts=20, out=tmp_path / "whole", seed=3)
    (tmp_path / "bad").write_bytes(lines[0] + b'{"decision": {"ply": 3}}\n')
    with pytest.raises(ValueError, match="line 2: this is no line of a review"):
        Reviewer(record, simulations=50, playouts=20, out=tmp_path / "bad", resume=True, seed=3)


def test_interrupted():
    """What was found before Ctrl-C is there."""
    reviewer = Reviewer(greedy_game(load_game("trambahn"), 9), simulations=10, playouts=1)
    done = []

    def progress(number, total, so_far):
        done.append((number, total))
        if number == 5:
            raise KeyboardInterrupt

    review = reviewer.run(progress)
    assert not review.complete
    assert sum(len(turn.decisions) for turn in review.turns) == 5
    assert done[-1] == (5, len(reviewer.todo) + len(reviewer.runs))
    assert review.balances == []
    reviewer.agent.halt = threading.Event()
    reviewer.agent.halt.set()  # as Ctrl-C within a search
    assert sum(len(turn.decisions) for turn in reviewer.run().turns) == 5


# --- the command and its page ---


class Page(HTMLParser):
    """Checks that tags are closed in order and nothing is loaded from elsewhere."""

    EMPTY = {"meta", "br", "link", "img", "hr"}

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.count = [], [], {}
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        for name, value in attributes:
            assert name not in ("src", "srcset")
            assert name not in ("href", "xlink:href") or value.startswith("#")
            if name == "id":
                self.ids.append(value)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", ["trambahn", "lisbon", "portland", "tramways"])
def test_command(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    record = greedy_game(load_game(name), 11, 0.5, names=["<b>&", "greedy"])
    record = Record(record.game, record.options, record.players, record.actions, record.scores, record.returns)
    append("game.jsonl", record)
    args = ["review", "game.jsonl", "--simulations", 8, "--seed", 1, "--player", 0, "--out", "found.jsonl", "--resume"]
    text = run(*args, "--html", "page.html").stdout
    assert "player 0 (<b>&)" in text
    assert "own skill" in text
    page = Path("page.html").read_text(encoding="utf-8")
    shown = Page(page)
    assert len(set(shown.ids)) == len(shown.ids)
    assert "<b>&<" not in page
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    data = json.loads(run(*args, "--json").stdout)
    assert data["complete"]
    assert [row["player"] for row in data["summary"]] == [0]
    assert all(turn["player"] == 0 for turn in data["turns"] if turn["decisions"])
    drawn = len(re.findall("<figure>", page))
    assert drawn == 1 + min(len(data["mistakes"]), 6)
    if data["mistakes"]:
        assert " 1. player 0" in text
        worst = max(turn["loss"] for turn in data["turns"])
        assert next(turn for turn in data["turns"] if turn["number"] == data["mistakes"][0])["loss"] == worst
    assert "page.html: there is such a file already" in refused(*args, "--html", "page.html")


def test_solo(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    append("game.jsonl", greedy_game(load_game("tramways", players=1), 12, 0.5))
    text = run("review", "game.jsonl", "--simulations", 10, "--seed", 1, "--html", "page.html").stdout
    assert re.search(r"points +start +cards", text)
    Page(Path("page.html").read_text(encoding="utf-8"))


def test_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    append("game.jsonl", greedy_game(load_game("leduc"), 8))
    start = time.perf_counter()
    data = json.loads(run("review", "game.jsonl", "--time", 0.05, "--json").stdout)
    assert time.perf_counter() - start < 60
    assert all(decision["simulations"] > 0 for turn in data["turns"] for decision in turn["decisions"])


def test_refusals(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    append("game.jsonl", greedy_game(load_game("leduc"), 8))
    assert "player 2: players are 0 to 1" in refused("review", "game.jsonl", "--player", 2)
    assert "only one of them can be the budget" in refused("review", "game.jsonl", "--time", 1, "--simulations", 1)
    assert "a review needs ismcts" in refused("review", "game.jsonl", "--agent", "greedy")
    assert "a review needs ismcts" in refused("review", "game.jsonl", "--agent", "flat")
    assert "--resume: needs --out" in refused("review", "game.jsonl", "--resume")
    assert "No such file" in refused("review", "nothing.jsonl")
    assert "this is a position, no game" in refused("review", ROOT / "examples" / "trambahn-midgame.toml")
    Path("broken.jsonl").write_text(Path("game.jsonl").read_text().replace("deal", "steal", 1))
    assert "broken.jsonl: line 1: ply 0" in refused("review", "broken.jsonl")
