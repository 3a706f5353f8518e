"""A whole game reviewed: every decision looked at again, grouped into turns, the mistakes worst first, luck told apart from skill."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wattman.engine import records
from wattman.engine.game import CHANCE_PLAYER, State
from wattman.engine.records import Record
from wattman.search.agents import SearchAgent, load_agent
from wattman.search.critique import Decision, criticize
from wattman.search.grades import GRADES, counts, grade
from wattman.search.linefile import LineFile, parsed
from wattman.search.luck import Balance, Measure, Swing, balances, runs

FORMAT = 1
SIMULATIONS = 1000  # of the first look at a decision
PLAYOUTS = 1000  # for each value, where luck is told from skill and the budget is time

Progress = Callable[[int, int, "Review"], None]


@dataclass(frozen=True)
class Turn:
    """The decisions of one player between two of others', as people count moves.

    Attributes
    ----------
    number : int
        From 1, over all players.
    player : int
    ply, end : int
        Events of the game before its first decision, and after its last.
    actions : list of str
        Everything that he did in it.
    decisions : list of Decision
        Where he had a choice and that was looked at.
    """

    number: int
    player: int
    ply: int
    end: int
    actions: list[str]
    decisions: list[Decision]

    @property
    def loss(self) -> float:
        """What the turn lost: the sum over its decisions, each against the best that was still possible."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def loss_stderr(self) -> float:
        return sum(decision.loss_stderr**2 for decision in self.decisions if decision.loss) ** 0.5

    @property
    def points(self) -> float:
        """The same in points."""
        return sum(decision.points for decision in self.decisions)

    @property
    def points_stderr(self) -> float:
        return sum(decision.points_stderr**2 for decision in self.decisions if decision.points) ** 0.5

    @property
    def grade(self) -> str:
        """That of its whole loss, and no better than that of its worst decision."""
        worst = max(GRADES.index(decision.grade) for decision in self.decisions) if self.decisions else 0
        return GRADES[max(worst, GRADES.index(grade(self.loss, self.loss_stderr)))]

    @property
    def worst(self) -> Decision | None:
        """The decision that lost most."""
        return max(self.decisions, key=lambda decision: (decision.loss, decision.points), default=None)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "number": self.number,
            "player": self.player,
            "ply": self.ply,
            "end": self.end,
            "actions": list(self.actions),
            "loss": self.loss,
            "loss_stderr": self.loss_stderr,
            "points": self.points,
            "points_stderr": self.points_stderr,
            "grade": self.grade,
            "decisions": [decision.to_json() for decision in self.decisions],
        }


@dataclass
class Review:
    """What was found out about a game.

    Attributes
    ----------
    record : Record
    counts : str
        What losses are measured in, see `wattman.search.grades.counts`.
    players : list of int
        Whose decisions are looked at.
    agent : str
        Whose search it is.
    turns : list of Turn
        Of all players; those of `players` with their decisions.
    swings : list of Swing
        What changed the value of the game. Empty for a game that is not over: they would tell what is still hidden.
    decided : int
        Decisions that there are to look at.
    complete : bool
        Whether all that there is to do was done.
    """

    record: Record
    counts: str
    players: list[int]
    agent: str
    turns: list[Turn]
    swings: list[Swing] = field(default_factory=list)
    decided: int = 0
    complete: bool = False

    def of(self, player: int) -> list[Turn]:
        """One player's turns in which something was looked at."""
        return [turn for turn in self.turns if turn.player == player and turn.decisions]

    @property
    def mistakes(self) -> list[Turn]:
        """Turns that are graded worse than "good", the worst first."""
        found = [turn for turn in self.turns if GRADES.index(turn.grade) >= 2]
        return sorted(found, key=lambda turn: (-turn.loss, -turn.points))

    @property
    def balances(self) -> list[Balance]:
        """Each player's luck and skill; none before all swings are there."""
        return balances(self.swings) if self.complete and self.swings else []

    def summary(self, player: int) -> dict[str, Any]:
        """One player's decisions in numbers."""
        turns = self.of(player)
        decisions = [decision for turn in turns for decision in turn.decisions]
        grades = Counter(turn.grade for turn in turns)
        return {
            "player": player,
            "name": self.record.players[player],
            "turns": len(turns),
            "decisions": len(decisions),
            "loss": sum(turn.loss for turn in turns),
            "loss_per_turn": sum(turn.loss for turn in turns) / len(turns) if turns else 0.0,
            "loss_per_decision": sum(turn.loss for turn in turns) / len(decisions) if decisions else 0.0,
            "points": sum(turn.points for turn in turns),
            "points_per_turn": sum(turn.points for turn in turns) / len(turns) if turns else 0.0,
            "grades": {name: grades[name] for name in GRADES},
        }

    def _curve(self) -> list[dict[str, Any]]:
        start = [{"ply": swing.ply, "player": None, "values": swing.before} for swing in self.swings[:1]]
        return start + [{"ply": swing.end, "player": swing.player, "values": swing.after} for swing in self.swings]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": self.record.game,
            "options": self.record.options,
            "players": self.record.players,
            "scores": self.record.scores,
            "agent": self.agent,
            "counts": self.counts,
            "complete": self.complete,
            "summary": [self.summary(player) for player in self.players],
            "luck": [balance.to_json() for balance in self.balances],
            "mistakes": [turn.number for turn in self.mistakes],
            "turns": [turn.to_json() for turn in self.turns],
            "curve": self._curve(),
        }


class Reviewer:
    """Looks at a game, decision by decision.

    Parameters
    ----------
    record : Record
        Any, finished or not.
    players : sequence of int, optional
        Whose decisions; all by default.
    agent : str
        A searching agent, whose search is used; its own budget does not count.
    simulations, seconds : int, float, optional
        Of the first look: so many simulations a decision, or so many seconds a turn.
    playouts : int, optional
        For each value where luck is told from skill; as many as `simulations` by default.
    seed : int
    out : path, optional
        Keep what is found in this file, so that one can go on.
    resume : bool
        Go on with the file if it is there.

    Raises
    ------
    ValueError
        For a record that does not replay, an agent that does not search, a player who is not there, or a file of another review.
    """

    def __init__(
        self,
        record: Record,
        players: Sequence[int] | None = None,
        agent: str = "ismcts",
        simulations: int | None = None,
        seconds: float | None = None,
        playouts: int | None = None,
        seed: int = 0,
        out: Path | None = None,
        resume: bool = False,
    ) -> None:
        self.record = record
        self.states = [state for _, state in records.replay(record)]
        self.game = self.states[0].game
        seats = range(self.game.num_players())
        self.players = list(seats) if players is None else list(players)
        for player in self.players:
            if player not in seats:
                raise ValueError(f"player {player}: players are 0 to {len(seats) - 1}")
        searcher = load_agent(agent, self.game, seed)
        if not isinstance(searcher, SearchAgent) or searcher.FIXED:
            raise ValueError(f"agent {agent!r}: a review needs ismcts, with any parameters, e.g. ismcts:c=0.5")
        self.agent = searcher
        self.simulations = SIMULATIONS if simulations is None and seconds is None else simulations
        self.seconds = seconds
        self.seed = seed
        self.history = self.states[-1].full_history()
        self.bounds = turns(self.states)
        self.measure = Measure(self.states, playouts or self.simulations or PLAYOUTS, seed)
        self.runs = runs(self.states) if self.states[-1].is_terminal() and self.history else []
        self.decisions: dict[int, Decision] = {}
        self.swings: dict[int, Swing] = {}
        self.file = None if out is None else LineFile(out, self._header(), resume)
        if self.file:
            self._read(self.file)

    def _header(self) -> dict[str, Any]:
        game = hashlib.sha256("\n".join([repr(sorted(self.record.options.items())), *self.record.actions]).encode()).hexdigest()
        return {
            "review": FORMAT,
            "game": self.record.game,
            "record": game,
            "agent": self.agent.spec,
            "simulations": self.simulations,
            "seconds": self.seconds,
            "playouts": self.measure.playouts,
            "seed": self.seed,
        }

    def _read(self, file: LineFile) -> None:
        end = file.first
        for number, line, place in file.lines():
            try:
                row = parsed(line)
                if "decision" in row:
                    decision = Decision.from_json(row["decision"])
                    self.decisions[decision.ply] = decision
                else:
                    swing = Swing.from_json(row["swing"])
                    self.swings[swing.ply] = swing
            except (TypeError, KeyError):
                file.close()
                raise ValueError(f"{file.path}: line {number}: this is no line of a review") from None
            end = place
        file.cut(end)

    @property
    def todo(self) -> list[int]:
        """Plies of the decisions to look at: those of the players where there was a choice."""
        return [
            ply for ply, state in enumerate(self.states[:-1]) if state.current_player() in self.players and len(state.legal_actions()) > 1
        ]

    def run(self, progress: Progress | None = None) -> Review:
        """Do what is not done yet. After Ctrl-C, what was found until then, not `complete`."""
        todo = self.todo
        steps = len(todo) + len(self.runs)
        complete = True

        def report() -> None:
            if progress:
                progress(sum(ply in self.decisions for ply in todo) + len(self.swings), steps, self.review(len(todo), False))

        try:
            for kind, row in self._steps(todo):
                (self.decisions if kind == "decision" else self.swings)[row.ply] = row
                if self.file:
                    self.file.add([{kind: row.to_json()}])
                report()
        except KeyboardInterrupt:
            complete = False
        finally:
            if self.file:
                self.file.close()
        return self.review(len(todo), complete)

    def _steps(self, todo: list[int]) -> Iterator[tuple[str, Decision | Swing]]:
        shares = Counter(turn.ply for turn in self.bounds for ply in todo if turn.ply <= ply < turn.end)
        first = {ply: turn.ply for turn in self.bounds for ply in range(turn.ply, turn.end)}
        for ply in todo:
            if ply not in self.decisions:
                info, action = self.states[ply].info_state(), self.history[ply][1]
                seconds = None if self.seconds is None else self.seconds / shares[first[ply]]
                yield "decision", criticize(self.agent, info, action, ply, self.seed, self.simulations, seconds)
        for player, ply, end in self.runs:
            if ply not in self.swings:
                yield "swing", self.measure.swing(player, ply, end)

    def review(self, decided: int, complete: bool) -> Review:
        """What was found so far."""
        found = [
            Turn(
                turn.number,
                turn.player,
                turn.ply,
                turn.end,
                turn.actions,
                [self.decisions[ply] for ply in range(turn.ply, turn.end) if ply in self.decisions and turn.player in self.players],
            )
            for turn in self.bounds
        ]
        swings = [self.swings[ply] for _, ply, _ in self.runs if ply in self.swings]
        whole = complete and len(swings) == len(self.runs)
        return Review(self.record, counts(self.game), self.players, self.agent.spec, found, swings, decided, whole)


def turns(states: Sequence[State]) -> list[Turn]:
    """The turns of a game, without anything looked at: a player's decisions up to one of another's.

    Chance in between is part of it; with one player alone it ends a turn.
    """
    found: list[Turn] = []
    alone = states[0].game.num_players() == 1
    last, parted = None, True
    for ply, state in enumerate(states[:-1]):
        who = state.current_player()
        if who == CHANCE_PLAYER:
            parted = parted or alone
            continue
        text = state.action_to_string(states[ply + 1].history()[ply])
        if who == last and not parted:
            turn = found.pop()
            found.append(Turn(turn.number, who, turn.ply, ply + 1, [*turn.actions, text], []))
        else:
            found.append(Turn(len(found) + 1, who, ply, ply + 1, [text], []))
        last, parted = who, False
    return found


def review(record: Record, progress: Progress | None = None, **options: Any) -> Review:
    """Review a game: see `Reviewer` for the options."""
    return Reviewer(record, **options).run(progress)
