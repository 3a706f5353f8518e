"""Self-play: the same files whatever the number of processes and however often it was stopped."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wattman import load_game
from wattman.cli.main import app
from wattman.engine import records
from wattman.search import selfplay as module
from wattman.search.agents import RandomAgent
from wattman.search.selfplay import AHEAD, DESCRIPTION, PER_FILE, selfplay

LEDUC = load_game("leduc")
COMMAND = [sys.executable, "-m", "wattman"]


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


@pytest.fixture(name="whole", scope="module")
def _whole(tmp_path_factory):
    """Thirty games without a break."""
    folder = tmp_path_factory.mktemp("whole") / "games"
    assert selfplay(LEDUC, folder, 30, "ismcts:simulations=8", seed=4).done == 30
    return contents(folder)


def test_records(whole, tmp_path):
    assert list(whole) == ["games-00000.jsonl", DESCRIPTION]
    (tmp_path / "games.jsonl").write_bytes(whole["games-00000.jsonl"])
    games = list(records.read(tmp_path / "games.jsonl"))
    assert len(games) == 30
    assert all(records.final(game).is_terminal() for game in games)
    assert games[0].players == ["ismcts:simulations=8"] * 2
    assert len({tuple(game.actions) for game in games}) > 20
    assert json.loads(whole[DESCRIPTION])["agents"] == ["ismcts:simulations=8"] * 2


def test_processes_do_not_matter(whole, tmp_path):
    result = selfplay(LEDUC, tmp_path / "games", 30, "ismcts:simulations=8", seed=4, jobs=2)
    assert (result.done, result.added, result.broken, result.interrupted) == (30, 30, [], False)
    assert contents(tmp_path / "games") == whole


@pytest.mark.parametrize("processes", [1, 2])
def test_ctrl_c_loses_nothing(whole, tmp_path, processes):
    def progress(done, total):
        assert total == 30
        if done in (7, 19):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # a directory that is not begun yet
        selfplay(LEDUC, tmp_path / "games", 30, "ismcts:simulations=8", seed=4, progress=_interrupt)
    for done in (7, 19):
        result = selfplay(LEDUC, tmp_path / "games", 30, "ismcts:simulations=8", seed=4, jobs=processes, resume=True, progress=progress)
        assert result.interrupted
        assert result.done == done
        progress = _later(progress, done)
    assert selfplay(LEDUC, tmp_path / "games", 30, "ismcts:simulations=8", resume=True).added == 11
    assert contents(tmp_path / "games") == whole


def _interrupt(done, total):
    raise KeyboardInterrupt


def _later(progress, done):
    return lambda now, total: progress(now, total) if now > done else None


def test_games_ahead_of_others(whole, tmp_path, monkeypatch):
    """Results in any order give the same files, and whatever is finished is on the disk before the next one comes."""
    folder = tmp_path / "games"
    order = [5, 0, 1, 29, 28, 2, 4, 3, 7, 6]

    def out_of_order(work, items, jobs, ray):
        there = set(items)
        for number in order:
            if number in there:
                yield work(number)
                assert number in _numbers(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "unordered", out_of_order)
    result = selfplay(LEDUC, folder, 30, "ismcts:simulations=8", seed=4)
    assert (result.done, result.added) == (10, 10)
    assert len(list(records.read(folder / "games-00000.jsonl"))) == 8
    assert (folder / AHEAD).read_text().count("\n") >= 2
    with open(folder / AHEAD, "a") as file:
        file.write('{"number": 27, "reco')
    order[:] = [9, 27]
    assert selfplay(LEDUC, folder, 30, "ismcts:simulations=8", seed=4, resume=True).done == 12
    monkeypatch.undo()
    assert selfplay(LEDUC, folder, 30, "ismcts:simulations=8", seed=4, resume=True).added == 18
    assert contents(folder) == whole


def _numbers(folder):
    """The games on the disk."""
    path = folder / "games-00000.jsonl"
    numbers = set(range(path.read_bytes().count(b"\n"))) if path.exists() else set()
    if (folder / AHEAD).exists():
        numbers |= {json.loads(line)["number"] for line in (folder / AHEAD).read_text().splitlines()}
    return numbers


def test_the_waiting_room_does_not_grow(tmp_path):
    """It is written anew now and then, although something is always in it."""
    store = module._Store(tmp_path)
    store.add(1, _line(1))
    store.add(0, _line(0))
    assert store.count == 2
    assert not (tmp_path / AHEAD).exists()
    store.add(3, _line(3))
    for number in range(2, 402, 2):
        store.add(number + 3, _line(number + 3))
        store.add(number, _line(number))
    assert store.count == 402
    assert (tmp_path / AHEAD).read_text().count("\n") < 120
    again = module._Store(tmp_path)
    again.load()
    assert (again.count, list(again.ahead)) == (402, [403])
    again.add(402, _line(402))
    assert again.count == 404
    assert not (tmp_path / AHEAD).exists()


def _line(number):
    return records.Record("leduc", {"players": 2}, ["a", "b"], [f"x{number}"]).to_json()


def test_several_files(tmp_path, monkeypatch):
    assert PER_FILE == 1000
    monkeypatch.setattr(module, "PER_FILE", 4)
    selfplay(LEDUC, tmp_path / "a", 6, "random", seed=4)
    selfplay(LEDUC, tmp_path / "a", 10, "random", seed=4, resume=True)
    selfplay(LEDUC, tmp_path / "b", 10, "random", seed=4)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert [path.name for path in sorted((tmp_path / "b").glob("*.jsonl"))] == [f"games-0000{i}.jsonl" for i in range(3)]
    assert len(list(records.read(tmp_path / "b" / "games-00002.jsonl"))) == 2


@pytest.mark.parametrize("cut", [1, 20, 300, -1])
def test_half_a_line(whole, tmp_path, cut):
    folder = tmp_path / "games"
    selfplay(LEDUC, folder, 20, "ismcts:simulations=8", seed=4)
    path = folder / "games-00000.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:9]) + lines[9][:cut])
    assert selfplay(LEDUC, folder, 30, "ismcts:simulations=8", resume=True).done == 30
    assert contents(folder) == whole


def test_a_killed_run_goes_on(tmp_path):
    folder, whole = tmp_path / "games", tmp_path / "whole"
    command = ["selfplay", "trambahn", "--games", "30", "--agent", "ismcts:simulations=2", "--seed", "4", "--out", str(folder)]
    process = subprocess.Popen([*COMMAND, *command, "--jobs", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while not (folder / "games-00000.jsonl").exists() or len(_numbers(folder)) < 4:
        assert time.monotonic() < end
        time.sleep(0.02)
    process.kill()
    process.communicate()
    kept = len(_numbers(folder))
    data = json.loads(run(*command, "--resume", "--json").stdout)
    assert data["done"] == 30
    assert data["added"] <= 30 - kept + 1
    selfplay(load_game("trambahn"), whole, 30, "ismcts:simulations=2", seed=4)
    assert contents(folder) == contents(whole)


def test_one_agent_a_seat(tmp_path):
    result = selfplay(LEDUC, tmp_path / "games", 2, ["random", "greedy"])
    assert result.agents == ["random", "greedy"]
    assert next(records.read(tmp_path / "games" / "games-00000.jsonl")).players == ["random", "greedy"]
    with pytest.raises(ValueError, match="3 agents for 2 seats"):
        selfplay(LEDUC, tmp_path / "other", 2, ["random"] * 3)


def test_other_games_are_left_alone(whole, tmp_path):
    folder = tmp_path / "games"
    selfplay(LEDUC, folder, 2, "random", seed=4)
    data = contents(folder)
    with pytest.raises(ValueError, match="--resume goes on with it"):
        selfplay(LEDUC, folder, 2, "random", seed=4)
    with pytest.raises(ValueError, match="other games are played here: seed is 4, not 5"):
        selfplay(LEDUC, folder, 2, "random", seed=5, resume=True)
    with pytest.raises(ValueError, match="other games are played here: agents is"):
        selfplay(LEDUC, folder, 2, "greedy", seed=4, resume=True)
    assert contents(folder) == data
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "notes").write_text("mine")
    with pytest.raises(ValueError, match="give another one"):
        selfplay(LEDUC, folder, 2, "random")
    (folder / DESCRIPTION).write_text("mine")
    with pytest.raises(ValueError, match="does not say what is played here"):
        selfplay(LEDUC, folder, 2, "random", resume=True)
    assert (folder / DESCRIPTION).read_text() == "mine"


def test_two_writers_are_one_too_many(tmp_path):
    def progress(done, total):
        if done == 1:
            with pytest.raises(ValueError, match="another process is writing"):
                selfplay(LEDUC, tmp_path / "games", 2, "random", resume=True)

    selfplay(LEDUC, tmp_path / "games", 2, "random", progress=progress)


def test_agents_that_fail(tmp_path, monkeypatch):
    monkeypatch.setattr(RandomAgent, "choose", lambda self, info: 1 // 0)
    result = run("selfplay", "leduc", "--games", 2, "--agent", "greedy", "--agent", "random", "--out", tmp_path / "games", status=2)
    assert "agents failed, and 2 of the new games broke off: game 0: player 1: ZeroDivisionError" in result.stderr
    games = list(records.read(tmp_path / "games" / "games-00000.jsonl"))
    assert all(game.scores is None and game.returns is None for game in games)
    assert not records.final(games[0]).is_terminal()


# --- the command ---


def run(*args, status=0):
    result = CliRunner().invoke(app, [str(arg) for arg in args])
    assert result.exit_code == status, (result.output, result.exception)
    assert "Traceback" not in result.output
    return result


def test_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "Usage: wattman selfplay" in run("selfplay", "--help").stdout
    text = run("selfplay", "leduc", "--games", 3, "--out", "d", "--agent", "random").stdout
    assert text.startswith("3 of 3 games in d (3 new) · seed ")
    data = json.loads(run("selfplay", "leduc", "--games", 5, "--out", "d", "--agent", "random", "--resume", "--json").stdout)
    assert (data["done"], data["added"], data["games"]) == (5, 2, 5)
    assert str(data["seed"]) in text
    run("replay", "d/games-00000.jsonl", "--game", 5)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("selfplay leduc --out d", "Missing option '--games'"),
        ("selfplay leduc --games 3", "Missing option '--out'"),
        ("selfplay leduc --games 0 --out d", "--games"),
        ("selfplay chess --games 3 --out d", "no game 'chess'"),
        ("selfplay leduc --games 3 --out d --agent dance", "no agent 'dance'"),
        ("selfplay leduc --games 3 --out file", "file"),
    ],
)
def test_errors_are_one_line(args, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("mine")
    result = run(*args.split(), status=2)
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert message in result.stderr
