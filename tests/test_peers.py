"""The comparison with OpenSpiel: it says what it needs, the positions are the same in both, and its cheap parts run."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "peers.py"


@pytest.fixture(scope="module")
def peers():
    sys.path.insert(0, str(SCRIPT.parent))
    yield importlib.import_module("peers")
    sys.path.remove(str(SCRIPT.parent))


@pytest.fixture(scope="module")
def pyspiel():
    return pytest.importorskip("pyspiel")


def test_open_spiel_missing(peers, monkeypatch, capsys):
    monkeypatch.setattr(peers, "pyspiel", None)
    monkeypatch.setattr(sys, "argv", ["peers.py"])
    assert peers.main() == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "wattman[peers]" in error


def test_same_decisions(peers, pyspiel):
    for text in peers.DECISIONS.values():
        peers.same_decision(peers.wattman_leduc(text), peers.openspiel_leduc(text))
    with pytest.raises(RuntimeError, match="differ"):
        peers.same_decision(peers.wattman_leduc("deal Q, deal K"), peers.openspiel_leduc("deal Q, deal K, raise"))


def test_leduc_is_the_same_game(peers, pyspiel):
    """Every line of play: who moves, what is legal, the chances of each rank, the chips won."""
    ends = 0

    def walk(ours, theirs):
        nonlocal ends
        assert ours.is_terminal() == theirs.is_terminal()
        if ours.is_terminal():
            assert ours.returns() == theirs.returns()
            ends += 1
            return
        assert ours.is_chance_node() == theirs.is_chance_node()
        if ours.is_chance_node():
            ranks = {}
            for action, p in theirs.chance_outcomes():
                ranks.setdefault(action // 2, []).append((action, p))
            outcomes = sorted(ours.chance_outcomes())
            assert [p for _, p in outcomes] == pytest.approx([sum(p for _, p in ranks[rank]) for rank in sorted(ranks)])
            pairs = [(event, ranks["JQK".index(ours.action_to_string(event)[-1])][0][0]) for event, _ in outcomes]
        else:
            peers.same_decision(ours, theirs)
            pairs = [(action, theirs.string_to_action(ours.action_to_string(action).capitalize())) for action in ours.legal_actions()]
        for event, action in pairs:
            mine, other = ours.clone(), theirs.clone()
            mine.apply_action(event)
            other.apply_action(action)
            walk(mine, other)

    walk(peers.wattman.load_game("leduc").new_initial_state(), pyspiel.load_game("leduc_poker").new_initial_state())
    assert ends > 1000


@pytest.mark.parametrize("part", ["playouts", "clones", "threads"])
def test_runs(pyspiel, part):
    command = [sys.executable, SCRIPT, "--only", part, "--repeats", "1", "--scale", "0.001"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "| --- |" in text
    result = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout)
    assert result[part]
    assert len(result["load"]) == 2
