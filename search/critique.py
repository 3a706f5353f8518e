"""The decisions of a game looked at again: what each lost against the best move, from what its player knew.

A quick search looks at every decision. Where it would have played otherwise, its move and the one played are compared by themselves: both
get equally many visits, meet the same worlds with the same draws, and only their difference counts. Where something seems to be lost, a
deeper search looks for the best move once more, with other random numbers, and the comparison is made again, as deep. So a loss is not the
best of many noisy figures less another one, but measured apart from how the better move was found.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from wattman.engine.game import InfoState
from wattman.search.agents import SearchAgent
from wattman.search.grades import LIMITS, counts, grade, share_of_points
from wattman.search.root import RootSearch

DEEPER = 8  # times as many simulations where something seems to be lost
ROOTS = 8  # independent searches, whose spread gives the errors


@dataclass(frozen=True)
class Decision:
    """One decision of a game, looked at again.

    Attributes
    ----------
    ply : int
        Events of the game before it, chance counted in.
    player : int
    action : str
        What he did.
    best : str
        What the search would have done: the same where no move is found better.
    plan : list of str
        The rest of his turn with `best`, as the search expects it.
    line : list of str
        How it goes on from there, `plan` included, as the player would see it.
    win, margin : float
        His chance to win and his expected lead in points (for one player: points) with the best move, from what he knew.
    loss, loss_stderr : float
        What `action` loses against `best`, with its standard error: as a share of the win, or of what counts instead (see `counts`).
    points, points_stderr : float
        What it loses in points.
    grade : str
        See `wattman.search.grades`.
    simulations : int
        Spent on it.
    """

    ply: int
    player: int
    action: str
    best: str
    plan: list[str]
    line: list[str]
    win: float
    margin: float
    loss: float
    loss_stderr: float
    points: float
    points_stderr: float
    grade: str
    simulations: int

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Decision:
        """From plain data; TypeError if it is none of a decision."""
        return cls(**data)


def criticize(
    agent: SearchAgent, info: InfoState, action: int, ply: int, seed: int, simulations: int | None = None, seconds: float | None = None
) -> Decision:
    """Looks at one decision again.

    Parameters
    ----------
    agent : SearchAgent
        Whose search it is; its budget does not count.
    info : InfoState
        What the player knew; he was to move and had a choice.
    action : int
        What he did.
    ply : int
    seed : int
    simulations : int, optional
        Of the first look, and of each move in the first comparison.
    seconds : float, optional
        Of the first look; as many simulations as it makes are those of the comparison then.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C came in between.
    """
    spent = 0

    def search(number: int | None, step: int, only: list[int] | None = None) -> RootSearch:
        nonlocal spent
        threads = min(ROOTS, agent.parameters["threads"])
        root = RootSearch(
            info,
            agent.options,
            seed + step,
            roots=ROOTS if only else threads,
            threads=threads,
            memory=agent.parameters["memory"],
            evaluator=agent.evaluator,
            only=only,
        )
        root.run(number, seconds if number is None else None, halt=agent.halt)
        if root.interrupted:
            raise KeyboardInterrupt
        spent += root.simulations
        return root

    root = search(simulations, 0)
    simulations = root.simulations
    best, lost = root.best(), Difference()
    if best != action:
        lost = difference(search(2 * simulations, 1, [best, action]), best, action)
        if lost.seems(counts(info.game)):
            root = search(DEEPER * simulations, 2)
            best, lost = root.best(), Difference()
            if best != action:
                lost = difference(search(2 * DEEPER * simulations, 3, [best, action]), best, action)
    if lost.reward <= 0 or best == action:  # no better than what was played
        best, lost = action, Difference(win_stderr=lost.win_stderr, margin_stderr=lost.margin_stderr)
    return _decision(info, root, action, best, lost, ply, spent)


@dataclass(frozen=True)
class Difference:
    """How much better one move is than another: means over independent searches, with standard errors."""

    win: float = 0.0
    win_stderr: float = 0.0
    margin: float = 0.0
    margin_stderr: float = 0.0
    reward: float = 0.0

    def seems(self, what: str) -> bool:
        """Whether enough seems to be lost to look deeper: as much as a grade below "best", or it may be as much and the error is large."""
        return self.reward > 0 if what == "points" else self.win + self.win_stderr >= LIMITS[0] and self.reward > 0


def difference(root: RootSearch, better: int, worse: int) -> Difference:
    """What a search of two moves found between them."""
    rows = []
    for search in root.searches:
        edges = {edge.action: edge for edge in search.root()}
        one, two = edges[better], edges[worse]
        if one.fresh and two.fresh:
            rows.append(
                (
                    one.win / one.fresh - two.win / two.fresh,
                    one.margin / one.fresh - two.margin / two.fresh,
                    one.total / one.visits - two.total / two.visits,
                )
            )
    win, margin, reward = ([row[k] for row in rows] for k in range(3))
    return Difference(statistics.fmean(win), _stderr(win), statistics.fmean(margin), _stderr(margin), statistics.fmean(reward))


def _stderr(values: Sequence[float]) -> float:
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def own_part(info: InfoState, line: list[str]) -> list[str]:
    """The decisions of the player with which a line of play begins, up to the first event that is not his."""
    state, own = info.sample(0), []
    for text in line:
        if state.current_player() != info.player:
            break
        state.apply_action(state.string_to_action(text))  # his own moves are legal in every world
        own.append(text)
    return own


def _decision(info: InfoState, root: RootSearch, action: int, best: int, lost: Difference, ply: int, spent: int) -> Decision:
    game = info.game
    top = root.moves()[0]
    lead = max(root.searches, key=lambda search: next(edge.visits for edge in search.root() if edge.action == best))
    line = lead.line(best)
    if counts(game) == "win":
        loss, loss_stderr = lost.win, lost.win_stderr
    else:
        loss, loss_stderr = share_of_points(game, lost.margin), share_of_points(game, lost.margin_stderr)
    loss = max(0.0, loss)
    fresh = max(1, top.fresh)
    return Decision(
        ply=ply,
        player=info.player,
        action=info.action_to_string(action),
        best=info.action_to_string(best),
        plan=own_part(info, line),
        line=line,
        win=round(top.wins / fresh, 5),
        margin=round(top.margins / fresh, 3),
        loss=round(loss, 5),
        loss_stderr=round(loss_stderr, 5),
        points=round(lost.margin, 3),
        points_stderr=round(lost.margin_stderr, 3),
        grade=grade(loss, loss_stderr),
        simulations=spent,
    )
