"""Agents alone at the table, each in the same games, compared by their points. A part of benchmarks/evidence.py."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wattman import load_game
from wattman.search.jobs import derived_seed, unordered
from wattman.search.play import play_game
from wattman.search.statistics import mean_of, t_quantile


@dataclass(frozen=True)
class Task:
    """One game of one agent; all agents play the games of the same numbers."""

    game: str
    agent: str
    number: int
    seed: int


def play(task: Task) -> tuple[Task, float, float]:
    """Play it: the task, the final score, and the seconds of thinking."""
    result = play_game(load_game(task.game, players=1), [task.agent], derived_seed(task.seed, task.number))
    if result.fault is not None:
        raise RuntimeError(f"{task}: {result.fault.message}")
    return task, result.scores[0], result.seconds[0]


def results(game: str, agents: Sequence[str], games: int, seed: int, jobs: int, path: Path) -> Iterator[dict[tuple[str, int], tuple]]:
    """What is done so far, by agent and number: score and seconds. Once at the beginning, then after each game."""
    data = path.read_bytes() if path.exists() else b""
    path.write_bytes(data[: data.rfind(b"\n") + 1])  # without half a line
    done = {}
    for line in path.read_text().splitlines():
        note = json.loads(line)
        done[note["agent"], note["number"]] = note["score"], note["seconds"]
    yield done
    missing = [Task(game, agent, i, seed) for i in range(games) for agent in agents if (agent, i) not in done]
    with open(path, "a") as file, closing(unordered(play, missing, jobs)) as played:
        for task, score, seconds in played:
            file.write(json.dumps({"agent": task.agent, "number": task.number, "score": score, "seconds": seconds}) + "\n")
            file.flush()
            done[task.agent, task.number] = score, seconds
            yield done


def ratio_of(values: Sequence[float], base: Sequence[float]) -> tuple[float, float]:
    """The ratio of two means over the same games, and half of its 95 % interval (Cochran, "Sampling Techniques", 1977, 6.5)."""
    a, b = np.asarray(values, float), np.asarray(base, float)
    ratio = float(a.mean() / b.mean())
    if len(a) < 2:
        return ratio, math.inf
    return ratio, t_quantile(len(a) - 1) * float((a - ratio * b).std(ddof=1)) / math.sqrt(len(a)) / abs(float(b.mean()))


def table(agents: Sequence[str], done: dict[tuple[str, int], tuple]) -> str:
    """Markdown; each agent against the last one, over the games that all have played."""
    common = sorted(set.intersection(*({number for name, number in done if name == agent} for agent in agents)))
    lines = ["| agent alone | games | points, 95 % | least | most | points in % of the last row's, 95 % | seconds a game |",
             "| --- | ---: | --- | ---: | ---: | --- | ---: |"]  # fmt: skip
    points = {agent: [done[agent, number][0] for number in common] for agent in agents}
    for agent in agents if common else ():
        own, base = points[agent], points[agents[-1]]
        mean, (ratio, half) = mean_of(own), ratio_of(own, base)
        seconds = sum(done[agent, number][1] for number in common) / len(common)
        share = "100" if agent == agents[-1] else f"{100 * ratio:.0f} ({100 * (ratio - half):.0f} to {100 * (ratio + half):.0f})"
        cells = [f"`{agent}`", str(len(common)), f"{mean.mean:.1f} ({mean.low:.1f} to {mean.high:.1f})"]
        cells += [f"{min(own):.0f}", f"{max(own):.0f}", share, f"{seconds:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
