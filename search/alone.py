"""Two agents, each alone at the table, in the same games: compared by their points. The match of games for one player."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from wattman.engine.game import Game
from wattman.search.jobs import derived_seed, unordered
from wattman.search.linefile import LineFile
from wattman.search.play import play_game
from wattman.search.statistics import Estimate, mean_of


@dataclass(frozen=True)
class AloneResult:
    """What came of it.

    Attributes
    ----------
    games : int
        That both have played.
    points : list of Estimate
        Of each agent.
    difference : Estimate
        Points of the first agent less those of the second in the same game.
    better : float
        Share of the games in which the first agent has more points; half for equal ones.
    """

    games: int
    points: list[Estimate]
    difference: Estimate
    better: float


@dataclass(frozen=True)
class _Play:
    """Plays one game of one agent; picklable."""

    game: Game
    agents: tuple[str, ...]
    seed: int

    def __call__(self, item: tuple[int, int]) -> tuple[int, int, float]:
        number, agent = item
        result = play_game(self.game, [self.agents[agent]], derived_seed(self.seed, number))
        if result.fault is not None:
            raise ValueError(f"game {number}: {self.agents[agent]}: {result.fault.message}")
        return number, agent, result.scores[0]


def compare_alone(
    game: Game,
    agents: Sequence[str],
    games: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    out: str | os.PathLike,
    progress: Callable[[int, int], None] | None = None,
) -> AloneResult:
    """Let two agents play the same games, with the same luck as far as they draw from the same piles.

    Parameters
    ----------
    game : Game
        For one player.
    agents : sequence of str
        Two.
    games, seed, jobs : int
        As in `wattman.search.match.run_match`.
    out : path
        A line for each game; if it is there, what it lacks is played.
    progress : callable, optional
        Called with the number of games done and the number to do, each agent's counted.

    Raises
    ------
    ValueError
        If an agent fails, or `out` holds other games.
    """
    if game.num_players() != 1 or len(agents) != 2:
        raise ValueError("compare_alone: needs a game for one player, and two agents")
    play = _Play(game, tuple(agents), seed)
    header = {"alone": 1, "game": game.name, "options": dict(game.options), "agents": list(agents), "seed": seed}
    done: dict[tuple[int, int], float] = {}
    with closing(LineFile(out, header, True)) as file:
        end = file.first
        for _, line, place in file.lines():
            row = json.loads(line)
            done[row["game"], row["agent"]] = row["score"]
            end = place
        file.cut(end)
        missing = [(number, agent) for number in range(games) for agent in range(2) if (number, agent) not in done]
        with closing(unordered(play, missing, jobs)) as played:
            for number, agent, score in played:
                file.add([{"game": number, "agent": agent, "score": score}])
                done[number, agent] = score
                if progress is not None:
                    progress(len(done), 2 * games)
    return _result([[done[number, agent] for number in range(games)] for agent in range(2)])


def _result(points: list[list[float]]) -> AloneResult:
    differences = [a - b for a, b in zip(*points, strict=True)]
    better = sum((difference > 0) + (difference == 0) / 2 for difference in differences) / len(differences)
    return AloneResult(len(differences), [mean_of(row) for row in points], mean_of(differences), better)
