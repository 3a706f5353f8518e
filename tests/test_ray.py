"""Games on a Ray cluster: a real one on this machine. The records do not depend on how many play them, nor on workers that die."""

import logging
import math
import os
import signal
from pathlib import Path

import pytest
from commands import refused, run

from wattman import load_game
from wattman.search import rayjobs
from wattman.search.jobs import WorkerDied, unordered
from wattman.search.match import run_match
from wattman.search.selfplay import selfplay

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
ray = pytest.importorskip("ray", reason="needs Ray: pip install -e '.[ray]'")

AGENT = "ismcts:simulations=40"
GAMES = 8


@pytest.fixture(scope="module")
def cluster():
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def game():
    return load_game("trambahn")


@pytest.fixture(scope="module")
def alone(game, tmp_path_factory):
    """What one process without Ray writes."""
    folder = tmp_path_factory.mktemp("alone") / "games"
    selfplay(game, folder, GAMES, AGENT, seed=5)
    return contents(folder)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def busy_workers():
    """Processes of the cluster that this process has started, at work now."""
    parents, found = {}, []
    for entry in Path("/proc").iterdir():
        try:
            number = int(entry.name)
            parents[number] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            title = (entry / "cmdline").read_bytes()
        except (ValueError, OSError):
            continue
        if title.startswith(b"ray::_do"):  # Ray's name for what a worker does
            found.append(number)

    def is_ours(number):
        while number in parents and number != os.getpid():
            number = parents[number]
        return number == os.getpid()

    return [number for number in found if is_ours(number)]


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_any_number_of_workers_writes_the_same_records(cluster, game, alone, jobs, tmp_path):
    result = selfplay(game, tmp_path / "games", GAMES, AGENT, seed=5, ray="auto", jobs=jobs)
    assert (result.done, result.added, result.broken) == (GAMES, GAMES, [])
    assert contents(tmp_path / "games") == alone


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the worker to kill in /proc, which only Linux has")
def test_games_of_a_killed_worker_are_played_again(cluster, game, alone, tmp_path):
    killed = []

    def kill_one(done, total):
        if done >= 2 and not killed and (workers := busy_workers()):
            os.kill(workers[0], signal.SIGKILL)
            killed.append(workers[0])

    result = selfplay(game, tmp_path / "games", GAMES, AGENT, seed=5, ray="auto", jobs=2, progress=kill_one)
    assert killed
    assert (result.done, result.broken) == (GAMES, [])
    assert contents(tmp_path / "games") == alone


def test_matches_are_the_same(cluster, tmp_path):
    leduc, agents = load_game("leduc"), ["greedy", "random"]
    plain = run_match(leduc, agents, 20, seed=3)
    shared = run_match(leduc, agents, 20, seed=3, ray="auto", out=tmp_path / "match.jsonl")
    assert shared.games == 20
    assert (shared.wins, shared.win_rate, shared.margins) == (plain.wins, plain.win_rate, plain.margins)


def test_commands(cluster, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ray_too = ("--seed", 1, "--ray", "auto")
    assert "3 of 3 games" in run("selfplay", "leduc", "--games", 3, "--out", "games", "--agent", "greedy", *ray_too).stdout
    assert "4 games" in run("match", "leduc", "greedy", "random", "--games", 4, "--jobs", 2, *ray_too).stdout


def test_errors_of_the_work_come_through(cluster, monkeypatch):
    assert sorted(unordered(math.sqrt, [1, 4, 9], ray="auto")) == [1, 2, 3]
    with pytest.raises(ValueError, match=r"math domain error|nonnegative"):
        list(unordered(math.sqrt, [4, -1], ray="auto"))
    with pytest.raises(ValueError, match="jobs: 0: must be at least 1"):
        list(unordered(math.sqrt, [4], 0, "auto"))
    monkeypatch.setattr(rayjobs, "__version__", "99")
    with pytest.raises(ValueError, match=r"this cluster has Wattman .*, not 99 as here"):
        list(unordered(math.sqrt, [4], ray="auto"))


def test_work_that_kills_every_worker_ends(cluster, monkeypatch):
    monkeypatch.setattr(rayjobs, "RETRIES", 0)
    with pytest.raises(WorkerDied, match="were lost 1 times"):
        list(unordered(os._exit, [1], ray="auto"))


def test_no_cluster(tmp_path, monkeypatch):
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", no_cluster)
    monkeypatch.chdir(tmp_path)
    command = ("match", "leduc", "greedy", "random", "--games", 2, "--ray", "auto")
    assert refused(*command).startswith("wattman: no Ray cluster at 'auto': Could not find any running Ray instance")
    assert refused(*command[:-1], "127.0.0.1:1").startswith("wattman: no Ray cluster at '127.0.0.1:1': [Errno")
    monkeypatch.setattr(rayjobs, "_import", lambda: rayjobs_without_ray())
    assert "pip install 'wattman[ray]'" in refused(*command)


def no_cluster(**options):
    raise ConnectionError("Could not find any running Ray instance. Please specify the one to connect to.")


def rayjobs_without_ray():
    raise ValueError("work on a Ray cluster needs Ray: pip install 'wattman[ray]'")
