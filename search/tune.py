"""Searching for better parameters of an agent: successive halving over random candidates, then a check on fresh deals.

Candidates are drawn at random (Bergstra and Bengio, "Random search for hyper-parameter optimization", JMLR 13, 2012). All play the same
deals against the same opponent; after each round the better half goes on, and its results so far count on (successive halving: Karnin,
Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013; Jamieson and Talwalkar, "Non-stochastic best arm
identification and hyperparameter optimization", AISTATS 2016). Every round has about the same number of games, so that the most are
played by those among which it is hard to tell. The number of all games is fixed beforehand.

The best of many looks better than it is. So the one that is left plays the agent as it is on deals that nobody has played before, and that
result alone says whether it is better.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from wattman.engine.game import Game
from wattman.search.agents import load_agent, read_spec, write_spec
from wattman.search.jobs import derived_seed, unordered
from wattman.search.linefile import LineFile, parsed
from wattman.search.matchgame import Match
from wattman.search.options import complete
from wattman.search.ranges import Range
from wattman.search.statistics import share_of

FORMAT = 1
CANDIDATES = 16
GAMES = 1000
CHECKED = 1 / 3  # of all games, for the check
SIMULATIONS = 200  # a decision, for agents whose text has no budget
PARAMETERS = ("c", "sharpness", "uniform")
RACE, CHECK = 1, 2  # parts of the seed

Progress = Callable[[int, int, Callable[[], "TuneResult"]], None]


@dataclass(frozen=True)
class Candidate:
    """One set of parameters, and how it did.

    Attributes
    ----------
    parameters : dict
        Those that are searched. Empty: the agent as it is.
    spec : str
        The agent with them.
    rounds : int
        In how many it has played.
    games : int
    win_rate : float or None
        Mean share of the win. None without games, as below.
    ci95 : (float, float) or None
        Its 95 % interval, over deals.
    margin : float or None
        Mean difference in points to the best other.
    """

    parameters: dict[str, Any]
    spec: str
    rounds: int = 0
    games: int = 0
    win_rate: float | None = None
    ci95: tuple[float, float] | None = None
    margin: float | None = None


@dataclass(frozen=True)
class TuneResult:
    """What a search for parameters has found so far.

    Attributes
    ----------
    game : str
    options : dict
    agent : str
        As it is, with its budget.
    against : str
        The opponent of all candidates.
    parameters : dict
        What is searched: name to [least, most], or to the choices.
    seed : int
    rounds, of : int
        Rounds that are over, and how many there are before the check.
    games : int
        Played so far, the check's counted in.
    candidates : list of Candidate
        The best first: those of the latest round, by win rate. If the opponent is another agent, the agent as it is stands among them.
        After selection the intervals of those at the top lie too high.
    best : Candidate or None
        Who is left after the last round. None before, and if that is the agent as it is, or lost more than it won against that.
    check : Candidate or None
        The same one, with its games on fresh deals against the agent as it is. None before it has played any.
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    game: str
    options: dict[str, Any]
    agent: str
    against: str
    parameters: dict[str, list[Any]]
    seed: int
    rounds: int
    of: int
    games: int
    candidates: list[Candidate]
    best: Candidate | None = None
    check: Candidate | None = None
    interrupted: bool = False

    @property
    def better(self) -> bool:
        """Whether the check, played to its end, shows that the best one beats the agent as it is."""
        return not self.interrupted and self.check is not None and self.check.ci95 is not None and self.check.ci95[0] > 0.5

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {**asdict(self), "better": self.better}


@dataclass(frozen=True)
class Plan:
    """Everything that is decided before the first game.

    Attributes
    ----------
    game : Game
    agent, against : str
    ranges : tuple of Range
        Of the parameters that are searched.
    candidates : tuple of tuple
        Their values. The agent as it is, if it takes part, has none.
    rounds : tuple of int
        Per round, how many deals each of its candidates has played by its end.
    checked : int
        Deals of the check.
    seed : int
    """

    game: Game
    agent: str
    against: str
    ranges: tuple[Range, ...]
    candidates: tuple[tuple[Any, ...], ...]
    rounds: tuple[int, ...]
    checked: int
    seed: int

    def parameters(self, candidate: int) -> dict[str, Any]:
        """What makes a candidate."""
        return {each.parameter.name: value for each, value in zip(self.ranges, self.candidates[candidate], strict=False)}

    def spec(self, candidate: int) -> str:
        """The text of a candidate."""
        kind, given = read_spec(self.agent, self.game)
        return write_spec(kind, {**given, **self.parameters(candidate)})

    def alive(self, turn: int) -> int:
        """How many candidates play in a round, from 0."""
        return _alive(len(self.candidates), turn)

    @property
    def deals(self) -> int:
        """Deals to play, each counted as often as it is played."""
        begun = (0, *self.rounds)
        return self.checked + sum((end - begun[turn]) * self.alive(turn) for turn, end in enumerate(self.rounds))

    @property
    def games_a_deal(self) -> int:
        return len(Match(self.game, (self.agent, self.against), 0).games_of(0))

    def header(self) -> dict[str, Any]:
        """The first line of a file: everything that decides the games."""
        return {
            "tune": FORMAT,
            "game": self.game.name,
            "options": dict(self.game.options),
            "agent": self.agent,
            "against": self.against,
            "seed": self.seed,
            "candidates": [self.parameters(candidate) for candidate in range(len(self.candidates))],
            "deals": [*self.rounds, self.checked],
        }

    def play(self, item: tuple[int, int, bool]) -> dict[str, Any]:
        """Play a deal: candidate, deal, and whether it is one of the check. Returns a line of the file."""
        candidate, deal, check = item
        match = Match(
            self.game, (self.spec(candidate), self.agent if check else self.against), derived_seed(self.seed, CHECK if check else RACE)
        )
        games = match.play(deal)
        for game in games:
            if game.fault is not None:
                raise ValueError(f"{match.names[game.seats[game.fault.player]]} failed in a game: {game.fault.message}")
        score = sum(game.shares()[0] for game in games) / len(games)
        margin = sum(game.points()[0][1] for game in games) / len(games)
        return {"candidate": candidate, "deal": deal, "check": check, "score": float(score), "margin": float(margin)}


def _alive(candidates: int, turn: int) -> int:
    return math.ceil(candidates / 2**turn)


@dataclass
class Scores:
    """What has been played: per candidate and deal, the share of the win and the margin."""

    plan: Plan
    race: dict[int, dict[int, tuple[float, float]]] = field(default_factory=dict)
    check: dict[int, tuple[float, float]] = field(default_factory=dict)

    def add(self, row: dict[str, Any]) -> None:
        """Count a line of the file."""
        into = self.check if row["check"] else self.race.setdefault(row["candidate"], {})
        into[row["deal"]] = (row["score"], row["margin"])

    def alive(self, turn: int) -> list[int]:
        """The candidates of a round, the best so far first. The rounds before it are over; the one after the last has one candidate."""
        found = list(range(len(self.plan.candidates)))
        for before in range(turn):
            found.sort(key=lambda candidate: self._rank(candidate, self.plan.rounds[before]))
            found = found[: self.plan.alive(before + 1)]
        return found

    def _rank(self, candidate: int, deals: int) -> tuple[float, float, int]:
        """By the share of the win over so many deals; equals by points."""
        score, margin = np.mean([self.race[candidate][deal] for deal in range(deals)], axis=0)
        return -round(float(score), 9), -round(float(margin), 9), candidate

    def missing(self, turn: int) -> list[tuple[int, int, bool]]:
        """What has still to be played in a round; after the last one, in the check."""
        if turn == len(self.plan.rounds):
            best = self.best()
            return [] if best is None else [(best, deal, True) for deal in range(self.plan.checked) if deal not in self.check]
        alive = sorted(self.alive(turn))
        deals = range(self.plan.rounds[turn])
        return [(candidate, deal, False) for deal in deals for candidate in alive if deal not in self.race.get(candidate, {})]

    def over(self) -> int:
        """How many rounds are over."""
        turn = 0
        while turn < len(self.plan.rounds) and not self.missing(turn):
            turn += 1
        return turn

    def best(self) -> int | None:
        """Who is left after the last round; None if that is the agent as it is, or lost more than it won against it."""
        (best,) = self.alive(len(self.plan.rounds))
        share = -self._rank(best, self.plan.rounds[-1])[0]
        if not self.plan.candidates[best] or (self.plan.against == self.plan.agent and share < 0.5):
            return None
        return best

    def result(self, interrupted: bool = False) -> TuneResult:
        """How it stands."""
        plan, over = self.plan, self.over()
        played = [set(self.alive(turn)) for turn in range(min(over + 1, len(plan.rounds)))]
        rows = [self._row(each, sum(each in those for those in played), self.race.get(each, {})) for each in range(len(plan.candidates))]
        best = self.best() if over == len(plan.rounds) else None
        return TuneResult(
            game=plan.game.name,
            options=dict(plan.game.options),
            agent=plan.agent,
            against=plan.against,
            parameters={each.parameter.name: each.values() for each in plan.ranges},
            seed=plan.seed,
            rounds=over,
            of=len(plan.rounds),
            games=plan.games_a_deal * (sum(map(len, self.race.values())) + len(self.check)),
            candidates=sorted(rows, key=lambda row: (-row.rounds, -(row.win_rate or 0), -(row.margin or 0))),
            best=None if best is None else rows[best],
            check=None if best is None or not self.check else self._row(best, 0, self.check),
            interrupted=interrupted,
        )

    def _row(self, candidate: int, rounds: int, scores: dict[int, tuple[float, float]]) -> Candidate:
        parameters, spec = self.plan.parameters(candidate), self.plan.spec(candidate)
        if not scores:
            return Candidate(parameters, spec)
        games = self.plan.games_a_deal
        shares, margins = np.array([scores[deal] for deal in sorted(scores)]).T
        rate = share_of(shares, games)
        return Candidate(parameters, spec, rounds, games * len(shares), rate.mean, (rate.low, rate.high), float(margins.mean()))


def plan(
    game: Game,
    agent: str = "ismcts",
    against: str | None = None,
    parameters: Sequence[str] = PARAMETERS,
    games: int = GAMES,
    candidates: int = CANDIDATES,
    simulations: int = SIMULATIONS,
    seed: int = 0,
) -> Plan:
    """Draw the candidates and share out the games of a search for better parameters.

    Parameters
    ----------
    game : Game
    agent : str
        Whose parameters are searched.
    against : str, optional
        The opponent of all candidates; by default the agent as it is.
    parameters : sequence of str
        Names, or names with ranges: "c=0.1..1". See `wattman.search.ranges`.
    games : int
        At most so many, the check counted in.
    candidates : int
        How many are drawn; fewer if there are no more.
    simulations : int
        The budget of agents whose texts have none.
    seed : int
        Decides the candidates, the deals and the agents.

    Raises
    ------
    ValueError
        If something of that is not possible, or the games are too few.
    """
    if candidates < 1:
        raise ValueError(f"candidates: {candidates}: must be at least 1")
    agent = _with_budget(agent, simulations, game)
    against = agent if against is None else _with_budget(against, simulations, game)
    for spec in (agent, against):
        load_agent(spec, game)
    kind, given = read_spec(agent, game)
    ranges = tuple(Range.read(text, kind.parameters, kind.name) for text in parameters)
    names = [each.parameter.name for each in ranges]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"parameters: {', '.join(names) or 'none'}: give at least one, and each once")
    default = complete(kind.parameters, given, game)
    drawn = _draw(ranges, candidates, derived_seed(seed), tuple(default[name] for name in names))
    found = (*drawn, ()) if against != agent else drawn
    rounds = max(1, math.ceil(math.log2(len(found))))
    deals = games // len(Match(game, (agent, against), 0).games_of(0))
    each = int((1 - CHECKED) * deals) // rounds  # deals a round
    if each < len(found):
        least = math.ceil(rounds * len(found) / (1 - CHECKED)) * len(Match(game, (agent, against), 0).games_of(0))
        raise ValueError(f"games: {games} are too few for {len(found)} candidates: at least {least}")
    ends = tuple(int(end) for end in np.cumsum([each // _alive(len(found), turn) for turn in range(rounds)]))
    result = Plan(game, agent, against, ranges, found, ends, 0, seed)
    for candidate in range(len(found)):
        load_agent(result.spec(candidate), game)  # errors now rather than in a game
    return Plan(game, agent, against, ranges, found, ends, deals - result.deals, seed)


def _with_budget(spec: str, simulations: int, game: Game) -> str:
    kind, given = read_spec(spec, game)
    if any(each.name == "simulations" for each in kind.parameters) and not given.keys() & {"time", "simulations"}:
        given["simulations"] = str(simulations)
    return write_spec(kind, given)


def _draw(ranges: tuple[Range, ...], count: int, seed: int, default: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """So many different sets of values, none of them the default; fewer if there are no more."""
    rng = random.Random(seed)
    found: dict[tuple[Any, ...], None] = {}
    for _ in range(100 * count):
        values = tuple(each.draw(rng) for each in ranges)
        if values != default:
            found.setdefault(values)
        if len(found) == count:
            break
    return tuple(found)


def tune(
    plan: Plan, *, jobs: int = 1, out: str | os.PathLike | None = None, resume: bool = False, progress: Progress | None = None
) -> TuneResult:
    """Search for better parameters.

    Parameters
    ----------
    plan : Plan
        From `plan`. With simulations as budgets it decides the result, whatever the number of jobs.
    jobs : int
        Processes. See `wattman.search.jobs.unordered` for what a script needs to use more than one.
    out : path, optional
        Write every deal to this file.
    resume : bool
        Go on with `out` if it is there, rather than refuse to overwrite it.
    progress : callable, optional
        Called after each deal with the number of deals done, the number to do, and a function that gives the result so far.

    Returns
    -------
    TuneResult
        After Ctrl-C: of what was played until then, marked as `interrupted`.

    Raises
    ------
    ValueError
        If `out` is there already or holds something else, or an agent fails in a game.
    """
    scores, interrupted = Scores(plan), False
    file = None if out is None else LineFile(out, plan.header(), resume)
    done = 0
    try:
        if file:
            done = _read(file, scores)
        for turn in range(len(plan.rounds) + 1):
            missing = scores.missing(turn)
            with closing(unordered(plan.play, missing, jobs if len(missing) > 1 else 1)) as new:
                for row in new:
                    if file:
                        file.add([row])
                    scores.add(row)
                    done += 1
                    if progress:
                        progress(done, plan.deals, scores.result)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if file:
            file.close()
    if interrupted and out is not None:  # Ctrl-C may have come between writing and counting: what is in the file counts
        scores = Scores(plan)
        with closing(LineFile(out, plan.header(), resume=True)) as file:
            _read(file, scores)
    return scores.result(interrupted)


def _belongs(row: Any, plan: Plan) -> bool:
    """Whether a line of a file is one of this search."""
    kinds = {"candidate": int, "deal": int, "check": bool, "score": float, "margin": float}
    if not isinstance(row, dict) or any(type(row.get(key)) is not kind for key, kind in kinds.items()):
        return False
    deals = plan.checked if row["check"] else plan.rounds[-1]
    return 0 <= row["candidate"] < len(plan.candidates) and 0 <= row["deal"] < deals and 0 <= row["score"] <= 1


def _read(file: LineFile, scores: Scores) -> int:
    """Count what is in a file, and how many deals that is; go on behind its last whole line."""
    end, done = file.first, 0
    for number, line, place in file.lines():
        row = parsed(line)
        if not _belongs(row, scores.plan):
            raise ValueError(f"{file.path}: line {number}: not a deal of this search")
        scores.add(row)
        end, done = place, done + 1
    file.cut(end)
    return done
