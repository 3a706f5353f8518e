"""Agents alone at the table, compared by their points in the same games."""

import json

import pytest

from wattman import load_game
from wattman.search.alone import compare_alone

SOLO = load_game("tramways", players=1)


def test_both_play_the_same_games(tmp_path):
    out = tmp_path / "alone.jsonl"
    seen = []
    result = compare_alone(SOLO, ["greedy", "random"], 8, seed=3, out=out, progress=lambda done, total: seen.append((done, total)))
    header, *rows = map(json.loads, out.read_text().splitlines())
    assert header["agents"] == ["greedy", "random"]
    assert seen == [(i + 1, 16) for i in range(16)]
    scores = {(row["game"], row["agent"]): row["score"] for row in rows}
    differences = [scores[i, 0] - scores[i, 1] for i in range(8)]
    assert result.games == 8
    assert result.difference.mean == pytest.approx(sum(differences) / 8)
    assert result.points[0].mean - result.points[1].mean == pytest.approx(result.difference.mean)
    assert result.difference.low > 0
    assert result.better == sum((x > 0) + (x == 0) / 2 for x in differences) / 8
    # Cut off in the middle of a line, it goes on to the same end; and equal agents are equal in every game.
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) // 2])
    assert compare_alone(SOLO, ["greedy", "random"], 8, seed=3, out=out) == result
    assert out.read_bytes() == whole
    same = compare_alone(SOLO, ["greedy", "greedy"], 4, seed=3, out=tmp_path / "same.jsonl")
    assert (same.difference.mean, same.better) == (0, 0.5)


def test_what_does_not_fit_is_refused(tmp_path):
    with pytest.raises(ValueError, match="needs a game for one player, and two agents"):
        compare_alone(load_game("leduc"), ["greedy", "random"], 2, out=tmp_path / "a.jsonl")
    compare_alone(SOLO, ["greedy", "random"], 1, out=tmp_path / "b.jsonl")
    with pytest.raises(ValueError, match="agents"):
        compare_alone(SOLO, ["greedy", "greedy"], 1, out=tmp_path / "b.jsonl")
