"""Self-play data, training and the loop; with PyTorch only."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from commands import refused, run

from wattman import load_game
from wattman.cli.stopping import ctrl_c_later
from wattman.engine.records import read
from wattman.models import weights
from wattman.models.tensors import about, pack, read_shard, unpack, write_shards
from wattman.models.terms import describe
from wattman.search.ismcts import game_scale
from wattman.search.match import run_match
from wattman.search.noting import Cap
from wattman.search.selfplay import selfplay

LEDUC = load_game("leduc")
TRAMBAHN = load_game("trambahn")
SOLO = load_game("tramways", players=1)  # its actions have terms


# --- data; without PyTorch ---


def test_packing_loses_nothing():
    rng = np.random.default_rng(1)
    rows = (rng.integers(0, 9, (20, 37)) * (rng.random((20, 37)) < 0.3) / 8).astype(np.float32)
    assert np.array_equal(unpack(*pack(rows), 37), rows)


@pytest.mark.parametrize("game", [LEDUC, TRAMBAHN, SOLO], ids=lambda game: game.name)
def test_shards_say_what_the_records_say(game, tmp_path):
    selfplay(game, tmp_path, 3, "ismcts:simulations=20", seed=1, cap=Cap(0.5, 5))
    (path,) = write_shards(game, tmp_path)
    arrays = read_shard(game, path)
    records = list(read(tmp_path / "games-00000.jsonl"))
    ends = np.cumsum(arrays["legal_counts"])
    term_ends = np.cumsum([0, *arrays.get("term_counts", ())])
    searched = 0
    rows = range(0, len(arrays["ply"]), 1 if game is LEDUC else 23)
    for row in rows:
        record = records[arrays["game"][row]]
        state = game.new_initial_state()
        for text in record.actions[: arrays["ply"][row]]:
            state.apply_action(state.string_to_action(text))
        player = state.current_player()
        assert player == arrays["player"][row]
        assert arrays["observation"][row] == pytest.approx(state.observation_tensor(player), abs=1e-3)
        assert arrays["hidden"][row] == pytest.approx(state.hidden_targets(player), abs=1e-3)
        places = slice(ends[row] - arrays["legal_counts"][row], ends[row])
        assert list(arrays["legal"][places]) == state.legal_actions()
        found = describe(state)
        assert arrays["weights"][places] == pytest.approx(found["weights"], rel=1e-2, abs=1e-6)
        if game is SOLO:
            run = slice(term_ends[places.start], term_ends[places.stop])
            assert np.array_equal(arrays["terms"][run], found["terms"])
            assert arrays["factors"][run] == pytest.approx(found["factors"], rel=1e-3)
        else:
            assert "terms" not in arrays
        decision = sum(1 for who, _ in state.full_history() if who >= 0)
        entry = record.search[decision]
        if entry is None:
            assert not arrays["visits"][places].any()
            assert np.isnan(arrays["root"][row]).all()
        else:
            searched += 1
            assert sum(entry["visits"].values()) == arrays["visits"][places].sum() > 0
            assert arrays["root"][row] == pytest.approx([entry["win"], entry["margin"]], rel=1e-4, abs=1e-3)
        n = game.num_players()
        assert arrays["value"][row, 2 * n :] == pytest.approx(np.roll(record.scores, -player))
        assert arrays["value"][row, :n].sum() == pytest.approx(1)
    assert 0.2 < searched / len(rows) < 0.8


def test_shards_are_the_same_again(tmp_path):
    selfplay(LEDUC, tmp_path, 20, "ismcts:simulations=8", seed=1, cap=Cap())
    (path,) = write_shards(LEDUC, tmp_path)
    whole = path.read_bytes()
    assert write_shards(LEDUC, tmp_path) == [path]
    path.unlink()
    write_shards(LEDUC, tmp_path)
    assert path.read_bytes() == whole
    path.write_bytes(whole[:1000])  # killed while writing, or damaged
    write_shards(LEDUC, tmp_path)
    assert path.read_bytes() == whole
    selfplay(LEDUC, tmp_path, 25, "ismcts:simulations=8", seed=1, cap=Cap(), resume=True)
    write_shards(LEDUC, tmp_path)
    assert about(path)["games"] == 25


def test_command(tmp_path):
    out = tmp_path / "games"
    run("selfplay", "leduc", "--games", 4, "--out", out, "--tensors", "--full", 1, "--seed", 1)
    assert sorted(path.name for path in out.iterdir()) == ["games-00000.jsonl", "games-00000.npz", "selfplay.json"]
    assert "cap is" in refused("selfplay", "leduc", "--games", 4, "--out", out, "--seed", 1, "--tensors", "--resume")
    assert "full: 2: must be more than 0" in refused("selfplay", "leduc", "--games", 4, "--out", tmp_path / "b", "--tensors", "--full", 2)
    with pytest.raises(ValueError, match="game is 'leduc', not 'trambahn'"):
        read_shard(TRAMBAHN, out / "games-00000.npz")


# --- training ---


@pytest.fixture
def torch():
    module = pytest.importorskip("torch")
    module.set_num_threads(1)
    return module


def test_native_evaluation_agrees_with_pytorch(torch, tmp_path):
    with torch.no_grad():
        _agree(torch, tmp_path)


def _agree(torch, tmp_path):
    from wattman.models.network import Network

    shipped = [(path, load_game(*[weights.load(path)[0].game], **weights.load(path)[0].options)) for path in weights.SHIPPED.glob("*.npz")]
    torch.manual_seed(1)
    for game in (LEDUC, TRAMBAHN, SOLO, load_game("portland")):
        network = Network(game, [24, 16])
        for parameter in network.parameters():
            torch.nn.init.normal_(parameter, std=0.2)
        weights.save(tmp_path / f"{game.name}.npz", weights.card_for(game), network.arrays())
        shipped.append((tmp_path / f"{game.name}.npz", game))
    for path, game in shipped:
        network = Network.from_arrays(game, weights.load(path)[1])
        net = weights.evaluator(path, game)
        state, rng = game.new_initial_state(), np.random.default_rng(1)
        number = 0
        while not state.is_terminal():
            player = state.current_player()
            if player >= 0:
                number += 1
                x = network(torch.from_numpy(state.observation_tensor(player))[None])
                wins, points = network.values(x)
                found = np.roll(net.values(state, player), -player, axis=0)
                n = game.num_players()
                assert found[:, 0] == pytest.approx(wins[0].exp().detach().numpy(), abs=1e-4)
                scale = game_scale(game)
                assert found[:, 1] / scale == pytest.approx(points[0, :n].detach().numpy(), abs=1e-4)
                if network.policy is not None:
                    found = describe(state)
                    n = len(found["legal"])
                    actions = {
                        "weight": torch.from_numpy(found["weights"]),
                        "term": torch.from_numpy(found["terms"]).long(),
                        "factor": torch.from_numpy(found["factors"]),
                        "of": torch.arange(n).repeat_interleave(torch.from_numpy(found["term_counts"])),
                    }
                    shares = torch.softmax(network.logits(x, torch.zeros(n, dtype=torch.long), actions), 0)
                    assert list(net.policy(state).values()) == pytest.approx(shares.tolist(), abs=1e-4)
            state.apply_action(int(rng.choice(state.legal_actions())))
        assert number


KILLS = 5 if "WATTMAN_GAMES" in os.environ else 2  # a process needs seconds to begin
SMALL = {"games": 30, "simulations": 30, "quick": 10, "unsearched": 300, "match": 10, "hidden": [16, 16], "rate": 3e-3, "batch": 256}


def test_iterations(torch, tmp_path):
    from wattman.models.loop import Settings, Training

    training = Training(LEDUC, tmp_path / "a", Settings(**SMALL), 5, resume=False)
    stages = set()
    rows = [training.iterate(lambda what, done, total, words: stages.add(what)) for _ in range(2)]
    assert [row.number for row in rows] == [0, 1]
    assert rows == training.done()
    assert rows[0].gate is None
    assert rows[0].accepted
    assert rows[1].accepted == (rows[1].gate > 0.5)
    assert {"iteration 0: self-play", "iteration 1: training", "iteration 1: match with the last network"} <= stages
    assert weights.evaluator(training.best(), LEDUC)
    with pytest.raises(ValueError, match="there is something in this directory already"):
        Training(LEDUC, tmp_path / "a", Settings(**SMALL), 5, resume=False)
    with pytest.raises(ValueError, match="another training: games is 30, not 31"):
        Training(LEDUC, tmp_path / "a", Settings(**SMALL | {"games": 31}), 5, resume=True)


def test_alone_at_the_table(torch, tmp_path):
    """In a game for one player networks are compared by their points in the same games."""
    from wattman.models.loop import Settings, Training

    settings = {"games": 2, "simulations": 8, "quick": 4, "unsearched": 5, "match": 2, "hidden": [16], "batch": 64}
    training = Training(SOLO, tmp_path / "a", Settings(**settings), 5, resume=False)
    rows = [training.iterate(lambda what, done, total, words: None) for _ in range(2)]
    assert rows[1].gate in (0, 0.25, 0.5, 0.75, 1)
    assert weights.evaluator(training.best(), SOLO)


def test_killed_again_and_again(torch, tmp_path):
    """Whenever the process is killed, the same command ends in the same shards and networks, to the byte, as one that was left alone."""
    command = ["train", "leduc", "--iterations", 2, "--games", 40, "--simulations", 40, "--bootstrap", 4001, "--unsearched", 300]
    command += ["--match", 10, "--width", "16,16", "--seed", 7]
    run(*command, "--out", tmp_path / "whole")
    dice = random.Random(3)
    argv = [sys.executable, "-m", "wattman", *map(str, command), "--out", str(tmp_path / "killed"), "--resume"]
    kills = 0
    deadline = time.monotonic() + 90
    while kills < KILLS and time.monotonic() < deadline:
        process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(dice.uniform(1.5, 4))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            continue
        assert process.returncode == 0, process.stderr.read()
        break
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    assert kills > 0
    for pattern in ("games-*.npz", "net.npz"):
        whole, killed = (sorted(Path(tmp_path / name).rglob(pattern)) for name in ("whole", "killed"))
        assert len(whole) == len(killed) == 2
        for one, other in zip(whole, killed, strict=True):
            assert one.read_bytes() == other.read_bytes(), other
    for number in range(2):
        done = json.loads((tmp_path / "killed" / f"iteration-{number:03d}" / "done.json").read_text())
        assert done["number"] == number
    weights.evaluator(tmp_path / "killed" / "iteration-001" / "net.npz", LEDUC)


def test_learning_works(torch, tmp_path):
    """A small network learns Leduc poker from self-play: its policy alone beats its untrained self and greedy, at chips."""
    from wattman.models.dataset import Shards
    from wattman.models.network import Network
    from wattman.models.training import Plan, train

    selfplay(LEDUC, tmp_path / "games", 600, "ismcts:simulations=120", seed=1, cap=Cap(1.0, 1))
    data = Shards(LEDUC, write_shards(LEDUC, tmp_path / "games"))
    torch.manual_seed(1)
    network = Network(LEDUC, [32, 32])
    weights.save(tmp_path / "untrained.npz", weights.card_for(LEDUC), network.arrays())
    losses = train(network, LEDUC, data, Plan(400, 256, 5e-3), 1)
    assert losses.policy < 0.25
    weights.save(tmp_path / "trained.npz", weights.card_for(LEDUC), network.arrays())
    trained = f"ismcts:simulations=1,net={tmp_path / 'trained.npz'},temperature=0"
    for other in (f"ismcts:simulations=1,net={tmp_path / 'untrained.npz'}", "greedy"):
        result = run_match(LEDUC, [trained, other], 600, seed=2)
        assert result.margins_ci95[0][0] > 0, (other, result.margins, result.margins_ci95)


def test_the_command_draws_a_curve(torch, tmp_path):
    out = tmp_path / "t"
    command = ["train", "leduc", "--out", out, "--iterations", 2, "--games", 8, "--simulations", 10, "--unsearched", 50]
    command += ["--bootstrap", 0, "--match", 4]
    text = run(*command, "--width", "8", "--seed", 1).stdout
    assert "iteration 1: loss" in text
    assert "the best network is" in text
    svg = (out / "strength.svg").read_text()
    assert svg.startswith("<svg")
    assert "Elo against the first network" in svg
    assert run(*command, "--width", "8", "--resume").stdout.count("iteration 0: loss") == 0
    assert "--width 7" in refused("train", "leduc", "--out", tmp_path / "u", "--width", "7")
    assert "no parameter 'speed'" in refused("train", "leduc", "--out", tmp_path / "u", "--search", "speed=1")


WRONG = [
    ("--passes", "inf", "--passes: 'inf' is not at most 1000"),
    ("--width", "4104,8", "--width 4104,8: expected one to four multiples of 8, at most 4096"),
    ("--width", "2048,2048", "--width 2048,2048: 8.5 MB of weights; a file may have 2"),
    ("--search", "net_value=0,time=1", "time is not for this option: simulations are the budget"),
    ("--search", "simulations=3", "simulations is not for this option: --simulations says how many"),
    ("--search", "net=a.npz", "net is not for this option"),
    ("--search", "x", "'x' is not NAME=VALUE"),
]


@pytest.mark.parametrize(("option", "value", "reason"), WRONG)
def test_what_cannot_work_is_refused_before_anything_is_played(torch, tmp_path, option, value, reason):
    assert reason in refused("train", "leduc", "--out", tmp_path / "out", option, value)
    assert not (tmp_path / "out").exists()


def test_damaged_files(torch, tmp_path):
    """What can be made again is made again; for the rest one line names the file."""
    out, second = tmp_path / "t", tmp_path / "t" / "iteration-001"
    command = ["train", "leduc", "--out", out, "--games", 4, "--simulations", 5, "--match", 2, "--width", "8", "--seed", 1]
    assert "0 iterations in " in run(*command, "--hours", 0).stdout
    text = run(*command, "--iterations", 2, "--resume").stdout
    assert re.search(r"% \(Elo [+-].+\) against the search without", text)
    end = [*command, "--iterations", 2, "--resume"]
    net, shard = second / "net.npz", out / "iteration-000" / "games" / "games-00000.npz"
    whole, arrays = net.read_bytes(), shard.read_bytes()

    (second / "done.json").unlink()
    net.unlink()
    shard.write_bytes(arrays[:500])
    run(*end)
    assert shard.read_bytes() == arrays
    assert net.read_bytes() == whole
    for name in ("iteration-000/start.npz", "iteration-000/net.npz", "iteration-000/done.json", "train.json"):
        path = out / name
        kept = path.read_bytes()
        (second / "done.json").unlink(missing_ok=True)
        net.unlink(missing_ok=True)
        path.write_bytes(kept[:20])
        message = refused(*end)
        assert str(path) in message
        path.write_bytes(kept)
    run(*end)
    assert net.read_bytes() == whole


def test_ctrl_c_waits_for_the_end_of_an_import():
    steps, before = [], signal.getsignal(signal.SIGINT)

    def importing() -> None:
        with ctrl_c_later():
            signal.raise_signal(signal.SIGINT)
            steps.append("whole")

    with pytest.raises(KeyboardInterrupt):
        importing()
    assert steps == ["whole"]
    assert signal.getsignal(signal.SIGINT) is before
    with ctrl_c_later():
        pass


def test_a_full_disk_is_told_with_its_place(tmp_path):
    resource = pytest.importorskip("resource")

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    argv = [sys.executable, "-m", "wattman", "selfplay", "leduc", "--games", "50", "--agent", "ismcts:simulations=5", "--tensors", "--out"]
    done = subprocess.run([*argv, str(tmp_path / "full")], preexec_fn=little, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"wattman: {tmp_path / 'full'}: ")
    assert len(done.stderr.splitlines()) == 1
    subprocess.run([*argv, str(tmp_path / "full"), "--resume", "--json"], check=True, stdout=subprocess.DEVNULL)


def test_a_shard_that_is_damaged_inside_is_refused(tmp_path):
    selfplay(LEDUC, tmp_path, 30, "ismcts:simulations=8", seed=1, cap=Cap())
    (path,) = write_shards(LEDUC, tmp_path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"games-00000\.npz: damaged; if it is deleted it can be made again"):
        read_shard(LEDUC, path)
    path.write_bytes(data[:100])
    with pytest.raises(ValueError, match="this is no shard, or it is damaged"):
        read_shard(LEDUC, path)


@pytest.mark.parametrize("workers", [0, 1])
def test_pytorch_loads_whole_batches(torch, tmp_path, workers):
    from torch.utils.data import DataLoader

    from wattman.models.dataset import Shards

    selfplay(SOLO, tmp_path, 1, "ismcts:simulations=4", seed=1, cap=Cap(0.5, 2))
    shards = Shards(SOLO, write_shards(SOLO, tmp_path))
    seen = 0
    for batch in DataLoader(shards, batch_size=16, collate_fn=dict, num_workers=workers):
        rows = np.arange(seen, min(seen + 16, len(shards)))
        assert all(torch.equal(batch[name], tensor) for name, tensor in shards.batch(rows).items())
        seen += len(rows)
    assert seen == len(shards)


def test_a_device_that_is_not_there_is_refused_at_once(torch, tmp_path):
    names = ["nothing", "meta:x"] + ([] if torch.cuda.is_available() else ["cuda"])
    for name in names:
        assert f"--device {name}: " in refused("train", "leduc", "--out", tmp_path / "out", "--device", name)
    assert not (tmp_path / "out").exists()


def test_tensorboard_that_is_not_installed_is_refused_before_anything_is_written(torch, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    assert "--tensorboard: " in refused("train", "leduc", "--out", tmp_path / "out", "--tensorboard")
    assert not (tmp_path / "out").exists()


def test_values_take_what_the_searches_expected(torch, tmp_path):
    from wattman.models.dataset import Shards

    selfplay(LEDUC, tmp_path, 10, "ismcts:simulations=20", seed=1, cap=Cap(0.5, 5))
    paths = write_shards(LEDUC, tmp_path)
    results, mixed, arrays = Shards(LEDUC, paths).value, Shards(LEDUC, paths, root=0.25).value, read_shard(LEDUC, paths[0])
    searched = ~np.isnan(arrays["root"][:, 0])
    assert 0 < searched.sum() < len(searched)
    assert np.array_equal(results[~searched], mixed[~searched])
    assert mixed[searched][:, [0, 2]] == pytest.approx(0.75 * results[searched][:, [0, 2]] + 0.25 * arrays["root"][searched])
    assert mixed[:, :2].sum(1) == pytest.approx(np.ones(len(mixed)))
    assert mixed[:, 3] == pytest.approx(-mixed[:, 2])


def test_batches_are_renamed(torch, tmp_path):
    """Under a symmetry decisions about passengers change their colours with all that belongs to them; the others stay."""
    from wattman.models.dataset import Shards

    selfplay(TRAMBAHN, tmp_path, 1, "ismcts:simulations=10", seed=1, cap=Cap(1.0, 5))
    data = Shards(TRAMBAHN, write_shards(TRAMBAHN, tmp_path))
    rows = np.arange(len(data))
    plain, symmetry = data.batch(rows), data.symmetries[7]
    renamed = data.batch(rows, symmetry)
    changed = 0
    for row in rows:
        mine = (plain["row"] == row).numpy()
        before, after = plain["term"].numpy()[mine], renamed["term"].numpy()[mine]
        whole = (symmetry.actions[before] >= 0).all()
        changed += whole
        assert np.array_equal(after, symmetry.actions[before] if whole else before)
        seen = plain["observation"][row].numpy()
        assert np.array_equal(renamed["observation"][row].numpy(), seen[symmetry.observation] if whole else seen)
    assert 10 < changed < len(rows)
    assert all(torch.equal(plain[name], renamed[name]) for name in ("value", "row", "share", "weight", "of", "factor"))
