"""Tuning: it finds what is there to be found, claims nothing else, keeps to its budget, and can be stopped and gone on with."""

import json
import math
import os
import random
import signal
import subprocess
import time
from collections import Counter

import numpy as np
import pytest
from commands import COMMAND, refused, run

from wattman import load_agent, load_game
from wattman.search import tune as search
from wattman.search.agents import AGENTS, read_spec, write_spec
from wattman.search.defaults import own_defaults
from wattman.search.options import SEARCH
from wattman.search.ranges import BUDGETS, RANGES, Range
from wattman.search.tune import Plan, Scores, plan, tune

LEDUC, TRAMBAHN = load_game("leduc"), load_game("trambahn")
SMALL = {"agent": "flat:simulations=4", "games": 120, "candidates": 4, "seed": 5}


def small(**changes):
    return plan(LEDUC, **{**SMALL, **changes})


# --- what is drawn ---


def test_every_parameter_of_a_search_can_be_searched():
    for name, kind in AGENTS.items():
        for parameter in kind.parameters:
            if parameter.name in BUDGETS or parameter.name == "temperature":
                continue
            if parameter.name == "net":  # a file
                with pytest.raises(ValueError, match="no 'net' that can be searched"):
                    Range.read("net", kind.parameters, name)
                continue
            found = Range.read(parameter.name, kind.parameters, name)
            rng = random.Random(1)
            values = [found.draw(rng) for _ in range(300)]
            assert all(parameter.parse(str(value)) == value for value in values)
            assert len(set(values)) > (1 if found.parameter.choices or found.parameter.kind in (bool, int) else 100)
            if found.values()[0] is not False and not parameter.choices:
                assert found.least <= min(values) <= max(values) <= found.most
    assert set(RANGES) <= {parameter.name for kind in AGENTS.values() for parameter in kind.parameters}


def test_numbers_are_drawn_evenly_on_their_scale():
    rng = random.Random(2)
    log = Range.read("c=0.01..1", SEARCH, "ismcts")
    assert 0.45 < np.mean([log.draw(rng) < 0.1 for _ in range(2000)]) < 0.55
    even = Range.read("uniform=0..0.4", SEARCH, "ismcts")
    assert 0.45 < np.mean([even.draw(rng) < 0.2 for _ in range(2000)]) < 0.55
    whole = Range.read("cutoff=3..5", SEARCH, "ismcts")
    assert set(Counter(whole.draw(rng) for _ in range(200))) == {3, 4, 5}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("depth", "ismcts has no 'depth' that can be searched; it has reuse, prove, temperature, loss, select, c, "),
        ("simulations", "no 'simulations'"),
        ("c=1", "expected c=LOW..HIGH, e.g. c=0.1..1"),
        ("c=x..1", "expected c=LOW..HIGH"),
        ("c=-1..1", "must be a number at least 0"),
        ("c=2..1", "the lower end comes first"),
        ("cutoff=1.5..3", "must be a whole number"),
        ("select=puct..bias", "select has no range, it is puct or bias"),
        ("temperature", "temperature has no range of its own; give one"),
    ],
)
def test_bad_ranges(text, words):
    with pytest.raises(ValueError, match=r"^parameters: ") as error:
        plan(LEDUC, parameters=[text])
    assert words in str(error.value)


def test_candidates():
    found = plan(LEDUC, "ismcts:c=0.5,threads=2", parameters=["c", "playout"], games=2000, candidates=20, seed=3)
    assert len(set(found.candidates)) == 20
    for number, (c, playout) in enumerate(found.candidates):
        assert 0.05 <= c <= 2
        assert found.spec(number) == f"ismcts:c={c},threads=2,simulations=200,playout={playout}"
    assert found.candidates == plan(LEDUC, "ismcts", parameters=["c", "playout"], games=2000, candidates=20, seed=3).candidates
    assert found.candidates != plan(LEDUC, "ismcts", parameters=["c", "playout"], games=2000, candidates=20, seed=4).candidates


def test_the_agent_as_it_is_takes_part_if_the_opponent_is_another():
    assert () not in small().candidates
    assert small(against="greedy").candidates.count(()) == 1
    assert len(small(against="greedy").candidates) == 5
    assert small(against="flat:simulations=4").candidates == small().candidates
    assert plan(LEDUC, "flat", "flat", games=500, candidates=4).against == "flat:simulations=200"


def test_there_may_be_fewer_candidates_than_asked_for():
    assert plan(LEDUC, parameters=["playout"], games=100).candidates == (("random",),)
    both = plan(LEDUC, parameters=["playout", "common"], games=100).candidates
    assert len(both) == 3
    assert ("game", True) not in both


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"games": 10}, "games: 10 are too few for 4 candidates: at least 24"),
        ({"candidates": 0}, "candidates: 0: must be at least 1"),
        ({"parameters": []}, "give at least one"),
        ({"parameters": ["c", "c=0.1..1"]}, "each once"),
        ({"agent": "greedy"}, "greedy has no 'c' that can be searched; it has none"),
        ({"agent": "dance"}, "no agent 'dance'"),
        ({"against": "dance"}, "no agent 'dance'"),
        ({"parameters": ["win", "margin=0..1"], "agent": "flat:score=0"}, None),
    ],
)
def test_bad_plans(changes, words):
    if words is None:
        assert small(**changes)
        return
    with pytest.raises(ValueError) as error:
        small(**changes)
    assert words in str(error.value)


def test_texts_of_agents():
    for spec in ("greedy", "ismcts:simulations=5,paranoid=yes", "level:2"):
        kind, given = read_spec(spec)
        again = write_spec(kind, given)
        assert load_agent(again, LEDUC).__dict__.keys() == load_agent(spec, LEDUC).__dict__.keys()
    assert write_spec(AGENTS["ismcts"], {"c": 0.1, "common": False}) == "ismcts:c=0.1,common=no"


# --- the rounds ---


@pytest.mark.parametrize("candidates", [1, 2, 3, 5, 8, 16, 21])
@pytest.mark.parametrize("games", [480, 1001])
def test_the_budget_is_kept(candidates, games):
    found = small(candidates=candidates, games=games)
    assert games - 2 < 2 * found.deals <= games
    assert found.checked >= found.deals // 3
    begun = (0, *found.rounds)
    costs = [(end - begun[turn]) * found.alive(turn) for turn, end in enumerate(found.rounds)]
    assert min(costs) > 0
    assert max(costs) - min(costs) <= candidates
    assert found.alive(len(found.rounds)) == 1


def test_the_better_half_goes_on():
    found = Plan(LEDUC, "flat:simulations=4", "flat:simulations=4", small().ranges, tuple((c,) for c in range(1, 6)), (2, 4, 8), 9, 0)
    scores = Scores(found)
    quality = {0: 0.2, 1: 0.9, 2: 0.4, 3: 0.9, 4: 0.7}
    turns = []
    while (turn := scores.over()) < 3:
        missing = scores.missing(turn)
        turns.append({candidate for candidate, _, _ in missing})
        for candidate, deal, check in missing:
            assert not check
            scores.add({"candidate": candidate, "deal": deal, "check": False, "score": quality[candidate], "margin": candidate})
    assert turns == [{0, 1, 2, 3, 4}, {1, 3, 4}, {1, 3}]
    assert scores.best() == 3  # equal to 1 by share, better by points
    assert scores.missing(3) == [(3, deal, True) for deal in range(9)]
    result = scores.result()
    assert [row.parameters["c"] for row in result.candidates] == [4, 2, 5, 3, 1]
    assert [row.rounds for row in result.candidates] == [3, 3, 2, 1, 1]
    assert [row.games for row in result.candidates] == [16, 16, 8, 4, 4]
    assert result.check is None
    assert not result.better
    for deal in range(9):
        scores.add({"candidate": 3, "deal": deal, "check": True, "score": 1.0, "margin": 1.0})
    assert scores.result().check.win_rate == 1
    assert scores.result().better


def test_fresh_deals_for_the_check():
    found = small()
    race = {found.play((0, deal, False))["margin"] for deal in range(20)}
    check = found.play((0, 0, True)), found.play((0, 0, False))
    assert check[0] != {**check[1], "check": True} or len(race) == 1
    seeds = []

    class Spy:
        def __init__(self, game, agents, seed):
            seeds.append(seed)
            raise RuntimeError

    original, search.Match = search.Match, Spy
    try:
        for item in ((0, 0, False), (1, 5, False), (0, 0, True)):
            with pytest.raises(RuntimeError):
                found.play(item)
    finally:
        search.Match = original
    assert seeds[0] == seeds[1] != seeds[2]  # all candidates have the same deals, and the check has others


# --- what it finds ---


def test_it_finds_what_is_there():
    """A choice among all moves alike plays far worse than one of the best: the temperature that is found must be low."""
    found = plan(TRAMBAHN, "flat:simulations=20,loss=1,temperature=3", None, ["temperature=0.05..5"], 36, 4, seed=3)
    result = tune(found)
    assert result.best.parameters["temperature"] < 1
    assert result.check.win_rate > 0.8
    assert result.better
    assert result.games == 2 * found.deals <= 36


def test_it_claims_nothing_that_is_not_there():
    """`strength` has no effect under puct, so all candidates are the agent as it is."""
    claimed = 0
    for seed in range(12):
        result = tune(plan(LEDUC, "flat:simulations=4", None, ["strength"], 120, 4, seed=seed))
        assert all(row.ci95[0] < 0.5 < row.ci95[1] for row in result.candidates if row.rounds == 1)
        claimed += result.better
    assert claimed <= 2


def test_against_another_agent():
    result = tune(small(against="random"))
    assert [row.parameters for row in result.candidates].count({}) == 1
    assert result.against == "random"
    if result.best is None:
        assert result.candidates[0].parameters == {}
        assert result.check is None
    else:
        assert result.check.parameters == result.best.parameters


def test_games_with_faults_are_no_result(monkeypatch):
    def broken(self, info):
        raise RuntimeError("out of order")

    found = small()
    monkeypatch.setattr(search.load_agent("flat:simulations=4", LEDUC).__class__, "choose", broken)
    with pytest.raises(ValueError, match=r"flat:.* failed in a game: RuntimeError: out of order"):
        tune(found)


# --- stopping and going on ---


def test_jobs_change_nothing():
    assert tune(small(), jobs=2) == tune(small())


def test_going_on_from_any_place(tmp_path):
    path = tmp_path / "file"
    whole = tune(small(), out=path)
    data = path.read_bytes()
    rng = np.random.default_rng(1)
    for cut in [0, 1, data.index(b"\n"), data.index(b"\n") + 1, len(data) - 1, len(data), *rng.integers(0, len(data), 6)]:
        path.write_bytes(data[:cut])
        assert tune(small(), out=path, resume=True) == whole
        assert path.read_bytes() == data


def test_progress():
    seen = []
    found = small(against="random")
    tune(found, progress=lambda done, total, so_far: seen.append((done, total, so_far())))
    assert [done for done, _, _ in seen] == list(range(1, len(seen) + 1))
    assert {total for _, total, _ in seen} == {found.deals}
    assert [so_far.games for _, _, so_far in seen] == [2 * done for done, _, _ in seen]
    assert [so_far.rounds for _, _, so_far in seen] == sorted(so_far.rounds for _, _, so_far in seen)


def test_another_search_is_left_alone(tmp_path):
    path = tmp_path / "file"
    tune(small(), out=path)
    data = path.read_bytes()
    with pytest.raises(ValueError, match="there is such a file already; --resume"):
        tune(small(), out=path)
    for changes, words in (
        ({"seed": 6}, "its seed is 5, not 6"),
        ({"games": 240}, "its deals is"),
        ({"against": "greedy"}, "its against is"),
    ):
        with pytest.raises(ValueError, match=f"this is another tune: {words}"):
            tune(small(**changes), out=path, resume=True)
    path.write_bytes(data + b'{"candidate": 9, "deal": 0, "check": false, "score": 1.0, "margin": 0.0}\n')
    with pytest.raises(ValueError, match="not a deal of this search"):
        tune(small(), out=path, resume=True)
    assert path.read_bytes().startswith(data)


# --- the command ---

ARGUMENTS = ["tune", "leduc", "--agent", "flat", "--simulations", 4, "--games", 120, "--candidates", 4, "--seed", 5]


def test_command(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    text = run(*ARGUMENTS, "--parameters", "c, sharpness=0.2..1.5").stdout
    assert text.startswith("Leduc poker · flat:simulations=4 against flat:simulations=4 · ")
    assert text.count("c=") >= 4
    assert "check on fresh deals: " in text or "no candidate did better" in text
    data = json.loads(run(*ARGUMENTS, "--json").stdout)
    assert data == json.loads(json.dumps(tune(small()).to_json()))
    assert data["parameters"]["c"] == [0.05, 2]
    assert "--resume: needs --out" in refused(*ARGUMENTS, "--resume")
    assert "no 'dance'" in refused(*ARGUMENTS, "--parameters", "dance")


@pytest.fixture(scope="module")
def undisturbed():
    return json.loads(json.dumps(tune(plan(TRAMBAHN, "flat:simulations=2", games=24, candidates=3, seed=5)).to_json()))


@pytest.mark.parametrize("stop", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_a_stopped_search_goes_on(tmp_path, stop, undisturbed):
    path = tmp_path / "file"
    command = ["tune", "trambahn", "--agent", "flat", "--simulations", "2", "--games", "24", "--candidates", "3", "--seed", "5"]
    process = subprocess.Popen([*COMMAND, *command, "--out", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ)
    end = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") > 3):
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(getattr(signal, stop))
    out, err = process.communicate()
    if stop != "SIGKILL":
        assert process.returncode == 130
        assert b"--resume goes on" in err
        assert b"rounds are over" in out
    data = json.loads(run(*command, "--out", path, "--resume", "--json").stdout)
    assert data == undisturbed


def test_a_result_can_be_made_a_default(monkeypatch):
    from wattman.search import defaults

    monkeypatch.setitem(defaults.GAMES, "leduc", {"c": 0.123})
    assert own_defaults("leduc") == {"c": 0.123}
    assert load_agent("ismcts", LEDUC).options["c"] == 0.123
    assert math.isclose(load_agent("ismcts", TRAMBAHN).options["c"], next(each.default for each in SEARCH if each.name == "c"))
