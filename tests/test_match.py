"""Matches: fair seatings, shared luck, results that do not depend on processes or on being stopped, agents that fail."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from wattman import load_game
from wattman.cli.main import app
from wattman.engine import records
from wattman.engine.games import game_class, names
from wattman.search import jobs
from wattman.search.agents import GreedyAgent, RandomAgent
from wattman.search.match import Tally, run_match
from wattman.search.matchgame import Match, MatchGame
from wattman.search.play import Fault
from wattman.search.ratings import ratings
from wattman.search.seatings import seatings

LEDUC = load_game("leduc")
KEYS = ["agents", "games", "deals", "wins", "win_rate", "ci95", "elo", "elo_ci95", "mean_scores"]
COMMAND = [sys.executable, "-m", "wattman"]


def comparable(result):
    """The result without what the machine's speed decides."""
    data = result.to_json()
    del data["seconds_per_decision"]
    return data


def games_in(path):
    """The games of a file, sorted, without what the machine's speed decides."""
    games = [json.loads(line) for line in Path(path).read_text().splitlines()[1:]]
    for game in games:
        del game["seconds"]
    return sorted(games, key=lambda game: (game["deal"], game["number"]))


# --- who sits where ---


@pytest.mark.parametrize(
    ("agents", "seats", "games"), [(2, 2, 2), (3, 3, 6), (4, 4, 4), (5, 5, 5), (2, 3, 6), (2, 5, 10), (3, 2, 6), (4, 3, 24)]
)
def test_every_agent_has_every_seat_alike(agents, seats, games):
    for deal in range(3):
        found = seatings(agents, seats, deal)
        assert len(found) == len(set(found)) == games
        assert len({count for seat in range(seats) for count in Counter(game[seat] for game in found).values()}) == 1
        assert all(len(game) == seats and len(set(game)) > 1 for game in found)


def test_neighbours_change_from_deal_to_deal():
    after = Counter((a, b) for deal in range(6) for game in seatings(4, 4, deal) for a, b in pairwise([*game, game[0]]))
    assert len(after) == 12
    assert len(set(after.values())) == 1


@pytest.mark.parametrize(("agents", "seats", "text"), [(1, 2, "at least two agents"), (2, 1, "two players"), (3, 4, "give 2, or 4")])
def test_agents_that_do_not_fit(agents, seats, text):
    with pytest.raises(ValueError, match=text):
        seatings(agents, seats)


def judged(seats, returns, fault=None):
    return MatchGame(0, 0, seats, list(returns), returns, [0.0] * len(seats), [1] * len(seats), [], fault)


def test_the_share_of_the_win():
    assert judged([1, 0], [1, -1]).shares() == {0: 0, 1: 1}
    assert judged([0, 1], [0, 0]).shares() == {0: 0.5, 1: 0.5}
    assert judged([0, 1, 1, 1], [0.5, 0.5, -1, -1]).shares() == {0: 0.5, 1: 0.5}
    assert judged([0, 1, 1, 1], [-1, 0.5, 0.5, -1]).shares() == {0: 0, 1: 1}
    assert judged([0, 1, 1, 1], [1, 2, 3, 4], Fault(2, "crash", "")).shares() == {0: 1, 1: 0}
    assert judged([0, 1, 2], [1, 2, 3], Fault(2, "crash", "")).shares() == {0: 0.5, 1: 0.5, 2: 0}


def test_points():
    assert judged([0, 1, 1], [3, 5, 1]).points() == {0: (3, -2), 1: (3, 2)}
    assert judged([0, 1], [3, 5], Fault(0, "crash", "")).points() == {}


# --- results ---


def test_keys():
    result = run_match(LEDUC, ["greedy", "random"], 21, seed=3)
    data = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert list(data)[: len(KEYS)] == KEYS
    assert data["agents"] == ["greedy", "random"]
    assert (data["games"], data["deals"]) == (22, 11)
    for key in ("wins", "win_rate", "ci95", "elo", "elo_ci95", "mean_scores", "ties", "margins", "margins_ci95", "faults"):
        assert len(data[key]) == 2
    assert sum(data["wins"]) + data["ties"][0] == 22
    assert data["ties"][0] == data["ties"][1]
    assert sum(data["win_rate"]) == pytest.approx(1)
    assert data["win_rate"][0] == pytest.approx((data["wins"][0] + data["ties"][0] / 2) / 22)
    assert data["ci95"][0][0] <= data["win_rate"][0] <= data["ci95"][0][1]
    assert data["ci95"][0][0] == pytest.approx(1 - data["ci95"][1][1])
    assert data["margins"][0] == pytest.approx(data["mean_scores"][0] - data["mean_scores"][1])


def test_a_clean_sweep_has_no_elo_but_a_bound():
    result = run_match(load_game("trambahn"), ["greedy", "random"], 20, seed=3)
    data = result.to_json()
    assert result.elo == [math.inf, -math.inf]
    assert data["elo"] == [None, None]
    assert data["elo_ci95"][0][1] is None
    assert data["elo_ci95"][0][0] > 0


def test_games_of_a_deal_share_its_cards_but_not_the_agents_thoughts():
    match = Match(LEDUC, ("random", "random"), 5)
    different = 0
    for deal in range(20):
        one, two = match.play(deal)
        assert one.actions[:2] == two.actions[:2]
        different += one.actions != two.actions
        assert one.seats == two.seats[::-1]
    assert different > 5
    assert len({tuple(match.play(deal)[0].actions[:2]) for deal in range(20)}) > 4


def test_three_agents_meet_in_pairs():
    result = run_match(LEDUC, ["greedy", "random", "random"], 1, seed=1)
    assert (result.games, result.deals) == (6, 1)
    assert sum(rate for rate in result.win_rate) == pytest.approx(1.5)


@pytest.mark.parametrize("name", [name for name in names() if max(game_class(name).OPTIONS["players"].choices) > 2])
def test_more_than_two_players(name):
    game = load_game(name, players=3)
    for agents in (["greedy", "random"], ["greedy", "random", "random"]):
        result = run_match(game, agents, 6, seed=1)
        assert (result.games, result.deals) == (6, 1)
        assert sum(result.win_rate) == pytest.approx(1)


def test_intervals_of_real_matches_of_equal_agents():
    match = Match(LEDUC, ("random", "random"), 11)
    deals = [match.play(deal) for deal in range(200 * 20)]
    covered = 0
    for first in range(0, len(deals), 20):
        tally = Tally(match)
        for deal in deals[first : first + 20]:
            tally.add(deal)
        low, high = tally.result().ci95[0]
        covered += low <= 0.5 <= high
    assert 180 <= covered <= 198


def test_the_number_of_processes_does_not_matter(tmp_path):
    agents = ["ismcts:simulations=8", "random"]
    one = run_match(LEDUC, agents, 60, seed=2, out=tmp_path / "one")
    two = run_match(LEDUC, agents, 60, seed=2, jobs=2, out=tmp_path / "two")
    assert comparable(one) == comparable(two)
    assert games_in(tmp_path / "one") == games_in(tmp_path / "two")
    other = run_match(LEDUC, agents, 60, seed=3)
    assert other.mean_scores != one.mean_scores


def test_bad_arguments(tmp_path):
    for arguments, text in (
        ({"games": 0}, "at least 1"),
        ({"jobs": 0}, "at least 1"),
        ({"sprt": (10, 0)}, "smaller one first"),
        ({"rated": True}, "three or more"),
    ):
        with pytest.raises(ValueError, match=text):
            run_match(LEDUC, ["random", "random"], **arguments)
    with pytest.raises(ValueError, match="compares two agents"):
        run_match(LEDUC, ["random"] * 3, sprt=(0, 10))
    with pytest.raises(ValueError, match="no agent 'dance'"):
        run_match(LEDUC, ["random", "dance"])
    with pytest.raises(OSError, match="no such folder"):
        run_match(LEDUC, ["random", "random"], out=tmp_path / "no such folder" / "file")


# --- agents that fail ---


class Crashes:
    """Crashes at its second decision."""

    def __init__(self, game, seed):
        self.decisions = 0

    def choose(self, info):
        self.decisions += 1
        if self.decisions == 2:
            raise RuntimeError("out\nof order")
        return info.legal_actions()[0]


class Cheats(GreedyAgent):
    """Makes no legal move if it begins."""

    def __init__(self, game, seed):
        super().__init__(game, "cheats", seed)

    def choose(self, info):
        return 99 if info.player == 0 else super().choose(info)


def cannot_be_made(game, seed):
    raise RuntimeError("no licence")


def sleeps(game, seed):
    class Sleeps:
        def choose(self, info):
            time.sleep(30)

    return Sleeps()


def test_a_crash_loses_only_that_game():
    result = run_match(LEDUC, [Crashes, "random"], 60, seed=1)
    assert result.agents == ["Crashes", "random"]
    assert 0 < result.faults[0] < 60
    assert result.faults[1] == 0
    assert len(result.fault_reports) == result.faults[0]
    assert result.fault_reports[0]["kind"] == "crash"
    assert result.fault_reports[0]["agent"] == 0
    assert "out\nof order" in result.fault_reports[0]["message"]
    assert result.wins[1] >= result.faults[0]
    assert result.deals == 30


def test_an_illegal_move_loses_only_that_game():
    result = run_match(LEDUC, ["greedy", Cheats], 40, seed=1, jobs=2)
    assert result.faults == [0, 20]
    assert {report["kind"] for report in result.fault_reports} == {"illegal move"}
    assert result.wins[0] >= 20


def test_an_agent_that_cannot_be_made_loses_all():
    result = run_match(LEDUC, [cannot_be_made, "random"], 10, seed=1)
    assert result.win_rate == [0, 1]
    assert result.faults == [10, 0]
    assert "no licence" in result.fault_reports[0]["message"]
    assert result.mean_scores == result.margins == [None, None]


def test_an_endless_agent_loses():
    assert run_match(LEDUC, ["random", sleeps], 2, seed=1, limit=0.1).faults == [0, 2]


def dies(number):
    os._exit(7)


def test_a_process_that_dies_is_no_hang():
    with pytest.raises(jobs.WorkerDied, match="ended unexpectedly"):
        list(jobs.unordered(dies, range(3), 2))


def fails(number):
    raise KeyError(number)


def test_errors_come_through():
    with pytest.raises(KeyError):
        list(jobs.unordered(fails, range(3), 2))


# --- stopping early ---


def test_the_sequential_test_ends_a_match(tmp_path):
    game = load_game("trambahn")
    result = run_match(game, ["greedy", "random"], 400, seed=1, sprt=(0, 100), out=tmp_path / "file")
    assert result.sprt.decision == "H1"
    assert result.deals == result.sprt.deals < 50
    assert result.to_json()["sprt"]["decision"] == "H1"
    size = (tmp_path / "file").stat().st_size
    again = run_match(game, ["greedy", "random"], 400, seed=1, sprt=(0, 100), out=tmp_path / "file", resume=True)
    assert again == result
    assert (tmp_path / "file").stat().st_size == size
    two = run_match(game, ["greedy", "random"], 400, seed=1, sprt=(0, 100), jobs=2)
    assert comparable(two) == comparable(result)
    worse = run_match(game, ["random", "greedy"], 400, seed=1, sprt=(0, 100))
    assert worse.sprt.decision == "H0"
    open_end = run_match(LEDUC, ["random", "random"], 4, seed=1, sprt=(0, 10))
    assert open_end.sprt.decision is None
    assert open_end.deals == open_end.sprt.deals == 2


@pytest.mark.parametrize("processes", [1, 2])
def test_ctrl_c_loses_nothing(tmp_path, processes):
    path = tmp_path / "file"

    def progress(done, total, result):
        if done == 7:
            raise KeyboardInterrupt

    stopped = run_match(LEDUC, ["greedy", "random"], 60, seed=2, jobs=processes, out=path, progress=progress)
    assert stopped.interrupted
    assert stopped.deals == 7
    assert len(games_in(path)) == 14
    resumed = run_match(LEDUC, ["greedy", "random"], 60, seed=2, out=path, resume=True)
    whole = run_match(LEDUC, ["greedy", "random"], 60, seed=2, out=tmp_path / "whole")
    assert comparable(resumed) == comparable(whole)
    assert games_in(path) == games_in(tmp_path / "whole")


def test_before_the_first_deal():
    def progress(done, total, result):
        raise KeyboardInterrupt

    result = run_match(LEDUC, ["greedy", "random"], 60, progress=progress)
    assert (result.deals, result.win_rate, result.mean_scores) == (0, [None, None], [None, None])
    assert json.loads(json.dumps(result.to_json()))["elo_ci95"] == [None, None]


# --- files ---


def test_a_file_cut_anywhere_is_mended(tmp_path):
    path = tmp_path / "file"
    whole = run_match(LEDUC, ["greedy", "random"], 12, seed=2, out=path)
    data, games = path.read_bytes(), games_in(path)
    rng = np.random.default_rng(1)
    for cut in [0, 1, 30, data.index(b"\n"), data.index(b"\n") + 1, len(data) - 1, *rng.integers(0, len(data), 15)]:
        path.write_bytes(data[:cut])
        assert comparable(run_match(LEDUC, ["greedy", "random"], 12, seed=2, out=path, resume=True)) == comparable(whole)
        assert games_in(path) == games


def test_a_match_can_be_made_longer(tmp_path):
    path = tmp_path / "file"
    run_match(LEDUC, ["greedy", "random"], 10, seed=2, out=path)
    longer = run_match(LEDUC, ["greedy", "random"], 30, seed=2, out=path, resume=True)
    assert comparable(longer) == comparable(run_match(LEDUC, ["greedy", "random"], 30, seed=2))
    shorter = run_match(LEDUC, ["greedy", "random"], 10, seed=2, out=path, resume=True)
    assert shorter.games == 10


def test_a_file_with_another_match_is_left_alone(tmp_path):
    path = tmp_path / "file"
    run_match(LEDUC, ["greedy", "random"], 4, seed=2, out=path)
    data = path.read_bytes()
    with pytest.raises(ValueError, match="there is such a file already; --resume"):
        run_match(LEDUC, ["greedy", "random"], 4, seed=2, out=path)
    for agents, seed, text in ((["greedy", "greedy"], 2, "its agents is"), (["greedy", "random"], 3, "its seed is 2, not 3")):
        with pytest.raises(ValueError, match=f"another match: {text}"):
            run_match(LEDUC, agents, 4, seed=seed, out=path, resume=True)
    with pytest.raises(ValueError, match="its game is"):
        run_match(load_game("trambahn"), ["greedy", "random"], 4, seed=2, out=path, resume=True)
    assert path.read_bytes() == data


@pytest.mark.parametrize("text", ["my notes", "my notes\n", "{}\n", '{"match": 1}\n', "[" * 100000 + "\n"])
def test_other_files_are_left_alone(tmp_path, text):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(ValueError, match="file: this"):
        run_match(LEDUC, ["greedy", "random"], 4, seed=2, out=path, resume=True)
    assert path.read_text() == text


def test_damage_is_named(tmp_path):
    path = tmp_path / "file"
    run_match(LEDUC, ["greedy", "random"], 6, seed=2, out=path)
    lines = path.read_text().splitlines(keepends=True)
    for change, text in (
        (lambda line: "x\n", "line 3: not a JSON object"),
        (lambda line: line.replace('"seats"', '"chairs"'), "line 3: not a game of a match"),
        (lambda line: line.replace('"scores": [', '"scores": [1, '), "line 3: scores is not a list of 2 numbers"),
        (lambda line: line.replace('"number": 1', '"number": 0'), "line 3: game 0 of deal 0 does not belong here"),
        (lambda line: line.replace('"deal": 0', '"deal": 9'), "line 3: the games of deal 0 are not all there"),
    ):
        damaged = lines[:2] + [change(lines[2])] + lines[3:]
        path.write_text("".join(damaged))
        with pytest.raises(ValueError, match=text):
            run_match(LEDUC, ["greedy", "random"], 6, seed=2, out=path, resume=True)
    path.write_text("".join(lines + lines[1:3]))
    with pytest.raises(ValueError, match="line 8: game 0 of deal 0 does not belong here"):
        run_match(LEDUC, ["greedy", "random"], 6, seed=2, out=path, resume=True)


def test_two_writers_are_one_too_many(tmp_path):
    path = tmp_path / "file"

    def progress(done, total, result):
        if done == 1:
            with pytest.raises(ValueError, match="another process is writing"):
                run_match(LEDUC, ["greedy", "random"], 6, seed=2, out=path, resume=True)

    run_match(LEDUC, ["greedy", "random"], 6, seed=2, out=path, progress=progress)


def test_a_killed_match_goes_on(tmp_path):
    path = tmp_path / "file"
    command = ["match", "trambahn", "greedy", "ismcts:simulations=2", "--games", "30", "--seed", "4", "--out", str(path)]
    process = subprocess.Popen([*COMMAND, *command, "--jobs", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") > 4):
        assert time.monotonic() < end
        time.sleep(0.02)
    process.kill()
    process.communicate()
    kept = path.read_bytes().count(b"\n") - 1
    assert kept >= 4
    result = run("match", *command[1:], "--resume", "--json")
    assert json.loads(result.stdout)["games"] == 30
    run_match(load_game("trambahn"), ["greedy", "ismcts:simulations=2"], 30, seed=4, out=tmp_path / "whole")
    assert games_in(path) == games_in(tmp_path / "whole")


# --- ratings ---


def test_ratings():
    pytest.importorskip("choix")
    rng = np.random.default_rng(1)
    true = np.array([200.0, 0, -200])
    beaten = np.zeros((300, 3, 3))
    for deal in beaten:
        for a in range(3):
            for b in range(a):
                deal[a, b] = rng.binomial(2, 1 / (1 + 10 ** ((true[b] - true[a]) / 400)))
                deal[b, a] = 2 - deal[a, b]
    found = ratings(beaten, 1)
    assert sum(found.elo) == pytest.approx(0, abs=1e-6)
    assert found.elo == pytest.approx(true, abs=40)
    for (low, high), elo in zip(found.ci95, found.elo, strict=True):
        assert elo - 50 < low < elo < high < elo + 50
    assert ratings(beaten, 1) == found
    result = run_match(LEDUC, ["greedy", "random", "random"], 12, seed=1, rated=True)
    assert set(result.to_json()["ratings"]) == {"elo", "ci95"}


def test_ratings_without_the_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "choix", None)
    assert "pip install 'wattman[ratings]'" in refused("match", "leduc", "greedy", "random", "random", "--ratings")


# --- the command ---


def run(*args, status=0):
    result = CliRunner().invoke(app, [str(arg) for arg in args])
    assert result.exit_code == status, (result.output, result.exception)
    assert "Traceback" not in result.output
    return result


def refused(*args):
    """The one line on stderr of a command that is refused."""
    result = run(*args, status=2)
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


def test_command(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    text = run("match", "leduc", "greedy", "ismcts:simulations=5", "--games", 20, "--seed", 3, "--sprt", -50, 400).stdout
    assert text.startswith("Leduc poker · ")
    assert "games · seed 3" in text
    assert "ismcts:simulations=5" in text
    assert "test of -50 against 400 Elo" in text or "test accepted" in text or "test rejected" in text
    path = tmp_path / "m.jsonl"
    first = json.loads(run("match", "leduc", "greedy", "random", "--games", 20, "--out", path, "--json").stdout)
    assert list(first)[: len(KEYS)] == KEYS
    again = json.loads(run("match", "leduc", "greedy", "random", "--games", 20, "--out", path, "--json", "--resume").stdout)
    assert again == first
    assert "Usage: wattman match" in run("match", "--help").stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("match", "Missing argument 'GAME'"),
        ("match leduc", "Missing argument"),
        ("match leduc greedy", "at least two agents"),
        ("match leduc greedy dance", "no agent 'dance'"),
        ("match chess greedy random", "no game 'chess'"),
        ("match leduc greedy random --games 0", "--games"),
        ("match leduc greedy random --jobs 0", "--jobs"),
        ("match leduc greedy random --sprt 5 0", "the smaller one first"),
        ("match leduc greedy random --sprt 5", "--sprt"),
        ("match leduc greedy random --resume", "needs --out"),
        ("match leduc greedy random --ratings", "three or more"),
        ("match leduc greedy random --out no/such/folder", "No such file"),
        ("match leduc greedy random --out .", "."),
    ],
)
def test_errors_are_one_line(args, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in refused(*args.split())


def test_faults_are_shown(monkeypatch):
    monkeypatch.setattr(RandomAgent, "choose", lambda self, info: 1 // 0)
    text = run("match", "leduc", "greedy", "random", "--games", 20, "--seed", 3).stdout
    assert "20 games lost by a fault" in text
    assert "random: crash: ZeroDivisionError" in text
    assert "and 15 more" in text


def test_the_games_of_a_match_are_shown_like_records(tmp_path):
    path = tmp_path / "m.jsonl"
    run("match", "leduc", "greedy", "random", "--games", 4, "--seed", 3, "--out", path)
    games = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    for number, game in enumerate(games, 1):
        shown = json.loads(run("replay", path, "--game", number, "--json").stdout)
        assert [event["event"] for event in shown["events"]] == game["actions"]
        assert shown["players"] == [("greedy", "random")[agent] for agent in game["seats"]]
        assert shown["returns"] == game["returns"]
    assert json.loads(run("replay", path, "--json").stdout) == shown
    assert json.loads(run("analyze", path, "--simulations", 10, "--json").stdout)["game"] == "leduc"
    assert "game 5: the file holds 4 games" in refused("replay", path, "--game", 5)
    with path.open("a") as file:
        file.write('{"deal": 2, "numb')  # killed while writing
    assert json.loads(run("replay", path, "--json").stdout) == shown
    with pytest.raises(ValueError, match="does not hold records"):
        records.append(path, records.pick(path))
    with path.open("a") as file:
        file.write("\n")
    assert "m.jsonl: line 6: no JSON: " in refused("replay", path)
    path.write_text(path.read_text().splitlines()[0] + "\n{}\n")
    assert "m.jsonl: line 2: no game of a match" in refused("replay", path)
    path.write_text(path.read_text().replace('"match": 1', '"match": 2'))
    assert "this version reads format 1" in refused("replay", path)


def test_a_game_lost_by_a_fault_is_shown_as_one_that_is_not_over(tmp_path):
    path = tmp_path / "m.jsonl"
    run_match(LEDUC, ["random", Cheats], 2, seed=1, out=path)
    faults = [json.loads(line)["fault"] for line in path.read_text().splitlines()[1:]]
    assert sum(fault is not None for fault in faults) == 1
    number = next(number for number, fault in enumerate(faults, 1) if fault)
    shown = json.loads(run("replay", path, "--game", number, "--json").stdout)
    assert shown["players"] == ["Cheats", "random"]
    assert shown["scores"] is None


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_from_outside(tmp_path, how):
    path = tmp_path / "m.jsonl"
    command = [
        *COMMAND,
        "match",
        "trambahn",
        "greedy",
        "ismcts:simulations=20",
        "--games",
        "9999",
        "--jobs",
        "2",
        "--out",
        str(path),
        "--json",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    end = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") > 2):
        assert time.monotonic() < end
        time.sleep(0.05)
    os.killpg(process.pid, how) if how == signal.SIGINT else process.send_signal(how)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(out)["interrupted"] is True
    assert json.loads(out)["games"] == len(games_in(path)) >= 2
    assert error.decode().count("\n") == 1
    assert b"interrupted after" in error
