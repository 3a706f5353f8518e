"""Matches between agents: duplicate deals, fair seatings, results with intervals.

Every deal is played in several games that share its luck, so that each agent holds the cards of each seat (`wattman.search.seatings`).
All statistics are over deals (`wattman.search.statistics`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wattman.engine.game import Game
from wattman.search.jobs import unordered
from wattman.search.matchfile import MatchFile
from wattman.search.matchgame import Maker, Match, MatchGame
from wattman.search.ratings import Ratings, ratings
from wattman.search.sprt import Sprt
from wattman.search.statistics import elo, mean_of, share_of

Interval = tuple[float, float]


@dataclass(frozen=True)
class MatchResult:
    """How a match stands. Lists with one entry per agent are in the order in which the agents were given.

    Attributes
    ----------
    agents : list of str
    games, deals : int
        Played so far.
    wins : list of int
        Games won alone; for an agent on several seats, by any of them.
    win_rate : list of float or None
        Mean share of the win, a win shared by k seats counting 1/k for each. None before the first deal, likewise below.
    ci95 : list of (float, float) or None
        Its 95 % interval, over deals.
    elo : list of float or None
        `wattman.search.statistics.elo` of the win rate; infinite for 0 and 1.
    elo_ci95 : list of (float, float) or None
        The interval of the win rate in Elo.
    mean_scores : list of float or None
        Points, over games without a fault; None if there are none.
    ties : list of int
        Games in which the agent shared the win with another.
    margins : list of float or None
        Mean difference in points to the best other agent, over games without a fault.
    margins_ci95 : list of (float, float) or None
    seconds_per_decision : list of float or None
        Thinking time, forced decisions counted in.
    faults : list of int
        Games lost by a crash, an illegal move or a decision that took too long.
    fault_reports : list of dict
        The first ones: ``{"deal", "number", "agent", "kind", "message"}``.
    sprt : Sprt or None
        The sequential test, if one was asked for. If it ended the match, intervals are biased: it stops when luck is high.
    ratings : Ratings or None
        Of more than two agents, if asked for.
    game : str
    options : dict
    seed : int
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    agents: list[str]
    games: int
    deals: int
    wins: list[int]
    win_rate: list[float | None]
    ci95: list[Interval | None]
    elo: list[float | None]
    elo_ci95: list[Interval | None]
    mean_scores: list[float | None]
    ties: list[int]
    margins: list[float | None]
    margins_ci95: list[Interval | None]
    seconds_per_decision: list[float | None]
    faults: list[int]
    fault_reports: list[dict[str, Any]]
    game: str
    options: dict[str, Any]
    seed: int
    sprt: Sprt | None = None
    ratings: Ratings | None = None
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """As plain data. Infinite numbers are None: an `elo` of a win rate of 0 or 1, an end of an interval that has none."""
        names = ("agents", "games", "deals", "wins", "win_rate", "ci95", "elo", "elo_ci95", "mean_scores", "ties", "margins")
        more = ("margins_ci95", "seconds_per_decision", "faults", "fault_reports", "game", "options", "seed", "interrupted")
        data = {name: _finite(getattr(self, name)) for name in names + more}
        for name in ("sprt", "ratings"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name).to_json()
        return data


def _finite(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


FAULTS_SHOWN = 100
Progress = Callable[[int, int, Callable[[], MatchResult]], None]


@dataclass
class Tally:
    """What counts of the deals played, and the result so far.

    Attributes
    ----------
    match : Match
    rows : dict
        Per deal an array (agents, `COLUMNS`): sums over its games.
    """

    match: Match
    rows: dict[int, np.ndarray] = field(default_factory=dict)
    reports: list[dict[str, Any]] = field(default_factory=list)
    beaten: dict[int, np.ndarray] = field(default_factory=dict)

    COLUMNS = ("games", "share", "wins", "ties", "clean", "score", "margin", "seconds", "decisions", "faults")

    def add(self, games: Sequence[MatchGame]) -> None:
        """Count the games of one deal."""
        agents = len(self.match.agents)
        row = np.zeros((agents, len(self.COLUMNS)))
        beaten = np.zeros((agents, agents))
        for game in games:
            shares, points = game.shares(), game.points()
            for agent, share in shares.items():
                won, tied = share > 1 - 1e-9, 1e-9 < share < 1 - 1e-9
                score, margin = points.get(agent, (0.0, 0.0))
                row[agent, :7] += (1, share, won, tied, agent in points, score, margin)
                for other in shares:
                    if other != agent:
                        beaten[agent, other] += share
            for agent, seconds, decisions in zip(game.seats, game.seconds, game.decisions, strict=True):
                row[agent, 7:9] += (seconds, decisions)
            if game.fault is not None:
                agent = game.seats[game.fault.player]
                row[agent, 9] += 1
                report = {"deal": game.deal, "number": game.number, "agent": agent}
                self.reports.append({**report, "kind": game.fault.kind, "message": game.fault.message})
        self.rows[games[0].deal] = row
        self.beaten[games[0].deal] = beaten

    def score(self, deal: int) -> float:
        """The first agent's mean share of the win over the games of a deal."""
        return float(self.rows[deal][0, 1] / self.rows[deal][0, 0])

    def result(self, last: int | None = None, sprt: Sprt | None = None, rated: bool = False, interrupted: bool = False) -> MatchResult:
        """The result of the deals up to and with `last`; None: of all."""
        deals = sorted(deal for deal in self.rows if last is None or deal <= last)
        agents = len(self.match.agents)
        table = np.array([self.rows[deal] for deal in deals]).reshape(len(deals), agents, len(self.COLUMNS))
        games, share, wins, ties, clean, score, margin, seconds, decisions, faults = np.moveaxis(table, 2, 0)

        def per_agent(make: Callable[[int], Any], there: np.ndarray) -> list[Any]:
            return [make(agent) if there[:, agent].sum() else None for agent in range(agents)]

        def ratio(above: np.ndarray, below: np.ndarray) -> list[float | None]:
            return per_agent(lambda agent: float(above[:, agent].sum() / below[:, agent].sum()), below)

        rates = per_agent(lambda agent: share_of(share[:, agent] / games[:, agent], int(games[0, agent])), games)
        leads = per_agent(lambda agent: mean_of((margin[:, agent] / np.maximum(clean[:, agent], 1))[clean[:, agent] > 0]), clean)
        parties = self.match.parties
        reports = [report for report in self.reports if last is None or report["deal"] <= last]
        reports.sort(key=lambda report: (report["deal"], report["number"]))
        return MatchResult(
            agents=self.match.names,
            games=len(deals) * len(self.match.games_of(0)),
            deals=len(deals),
            wins=[int(number) for number in wins.sum(0)],
            win_rate=[rate and rate.mean for rate in rates],
            ci95=[rate and (rate.low, rate.high) for rate in rates],
            elo=[rate and elo(rate.mean, parties) for rate in rates],
            elo_ci95=[rate and (elo(rate.low, parties), elo(rate.high, parties)) for rate in rates],
            mean_scores=ratio(score, clean),
            ties=[int(number) for number in ties.sum(0)],
            margins=[lead and lead.mean for lead in leads],
            margins_ci95=[lead and (lead.low, lead.high) for lead in leads],
            seconds_per_decision=ratio(seconds, decisions),
            faults=[int(number) for number in faults.sum(0)],
            fault_reports=reports[:FAULTS_SHOWN],
            game=self.match.game.name,
            options=dict(self.match.game.options),
            seed=self.match.seed,
            sprt=sprt,
            ratings=ratings(np.array([self.beaten[deal] for deal in deals]), self.match.seed) if rated and deals else None,
            interrupted=interrupted,
        )


def run_match(
    game: Game,
    agents: Sequence[str | Maker],
    games: int = 100,
    *,
    seed: int = 0,
    jobs: int | None = None,
    ray: str | None = None,
    out: str | os.PathLike | None = None,
    resume: bool = False,
    sprt: tuple[float, float] | None = None,
    rated: bool = False,
    limit: float | None = 60.0,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match.

    Parameters
    ----------
    game : Game
    agents : sequence
        Texts such as "ismcts:time=1"; or makers of agents of another kind, called with the game and a seed. See `wattman.search.seatings`
        for how many there may be.
    games : int
        At least so many; only whole deals are played.
    seed : int
        Decides deals and agents. With simulations as budgets the same seed gives the same games, whatever the number of jobs.
    jobs, ray
        Processes, or a cluster, that play. See `wattman.search.jobs.unordered` for what a script needs to use more than one process.
    out : path, optional
        Write every game to this file (`wattman.search.matchfile`).
    resume : bool
        Go on with `out` if it is there, rather than refuse to overwrite it.
    sprt : (float, float), optional
        Stop as soon as the test of these two differences in Elo has an answer (`wattman.search.sprt`), at `games` at the latest. For two
        agents.
    rated : bool
        Fit ratings too (`wattman.search.ratings`); for more than two agents.
    limit : float or None
        As in `play_game`.
    progress : callable, optional
        Called after each deal with the number of deals done, the number to do, and a function that gives the result so far.

    Returns
    -------
    MatchResult
        After Ctrl-C: of what was played until then, marked as `interrupted`.

    Raises
    ------
    ValueError
        If the agents do not fit the game, or `out` is there already or holds another match.
    """
    match = Match(game, tuple(agents), seed, limit)
    if games < 1:
        raise ValueError(f"games: {games}: must be at least 1")
    if sprt is not None and len(match.agents) != 2:
        raise ValueError(f"sprt: the test compares two agents, not {len(match.agents)}")
    test = Sprt(*sprt) if sprt is not None else None
    if rated:
        Ratings.check(len(match.agents))
    deals = -(-games // len(match.games_of(0)))
    tally = Tally(match)
    interrupted = False
    tested = 0  # deals that the test has seen; it takes them in their order, or what it finds would depend on the number of jobs

    def stopped() -> bool:
        nonlocal tested
        while test is not None and test.decision is None and tested < deals and tested in tally.rows:
            test.add(tally.score(tested))
            tested += 1
        return test is not None and test.decision is not None

    def result() -> MatchResult:
        return tally.result(tested - 1 if stopped() else deals - 1, test, rated, interrupted)

    file = None if out is None else MatchFile(out, match, resume)
    try:
        for played in file.deals if file else ():
            tally.add(played)
        missing = [deal for deal in range(deals) if deal not in tally.rows]
        if progress:
            progress(deals - len(missing), deals, result)
        if missing and not stopped():
            with closing(unordered(match.play, missing, jobs, ray)) as new:
                for number, played in enumerate(new, deals - len(missing) + 1):
                    if file:
                        file.add(played)
                    tally.add(played)
                    if progress:
                        progress(number, deals, result)
                    if stopped():
                        break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if file:
            file.close()
    if interrupted and out is not None:  # Ctrl-C may have come between writing and counting: what is in the file counts
        with closing(MatchFile(out, match, resume=True)) as file:
            tally, tested = Tally(match), 0
            test = Sprt(*sprt) if sprt is not None else None
            for played in file.deals:
                tally.add(played)
    return result()
