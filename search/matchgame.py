"""The games of a match: how they are dealt, seated, played and judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from wattman.engine.game import Game, InfoState
from wattman.search.agents import Agent, load_agent
from wattman.search.jobs import derived_seed
from wattman.search.play import Chooser, Fault, play_game
from wattman.search.seatings import seatings

Maker = Callable[[Game, int], Chooser]
"""Makes an agent of another kind than Wattman's own, from the game and a seed."""


@dataclass(frozen=True)
class MatchGame:
    """One game of a match.

    Attributes
    ----------
    deal, number : int
        Which deal, and which game of that deal, from 0.
    seats : list of int
        The agent on each seat.
    scores, returns : list of float
        Per seat, as in `GameResult`.
    seconds : list of float
        Thinking time per seat.
    decisions : list of int
        Decisions per seat.
    actions : list of str
        Every decision and chance outcome.
    fault : Fault or None
        Its `player` is the seat.
    """

    deal: int
    number: int
    seats: list[int]
    scores: list[float]
    returns: list[float]
    seconds: list[float]
    decisions: list[int]
    actions: list[str]
    fault: Fault | None = None

    def shares(self) -> dict[int, float]:
        """Each agent's share of the win, over all its seats; the sum is 1. After a fault the other agents share it."""
        if self.fault is not None:
            winners = [seat for seat, agent in enumerate(self.seats) if agent != self.seats[self.fault.player]]
        else:
            most = max(self.returns)
            winners = [seat for seat, result in enumerate(self.returns) if result == most]
        shares = dict.fromkeys(self.seats, 0.0)
        for seat in winners:
            shares[self.seats[seat]] += 1 / len(winners)
        return shares

    def points(self) -> dict[int, tuple[float, float]]:
        """Each agent's mean score over its seats, and the margin of its best one to the best other; nothing after a fault."""
        if self.fault is not None:
            return {}
        result = {}
        for agent in set(self.seats):
            own = [score for score, who in zip(self.scores, self.seats, strict=True) if who == agent]
            others = [score for score, who in zip(self.scores, self.seats, strict=True) if who != agent]
            result[agent] = (sum(own) / len(own), max(own) - max(others))
        return result

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Any, players: int) -> MatchGame:
        """The game in plain data; ValueError if it is none."""
        if not isinstance(data, dict):
            raise ValueError("not a JSON object")
        data = dict(data)
        fault = data.pop("fault", None)
        try:
            game = cls(**data, fault=None if fault is None else Fault(**fault))
        except TypeError as error:
            raise ValueError(f"not a game of a match ({error})") from None
        for name in ("seats", "scores", "returns", "seconds", "decisions"):
            value = getattr(game, name)
            if not (isinstance(value, list) and len(value) == players and all(isinstance(each, (int, float)) for each in value)):
                raise ValueError(f"{name} is not a list of {players} numbers")
        if not (isinstance(game.deal, int) and isinstance(game.number, int)):
            raise ValueError("deal or number is not a whole number")
        if game.fault is not None and game.fault.player not in range(players):
            raise ValueError("the fault's player is none of the game")
        return game


@dataclass(frozen=True)
class Match:
    """Plays the deals of a match, each by itself: nothing depends on the other deals or on the order in which they are played.

    Attributes
    ----------
    game : Game
    agents : tuple
        Texts of agents, or makers. With processes a maker must be picklable.
    seed : int
    limit : float or None
        As in `play_game`.
    """

    game: Game
    agents: tuple[str | Maker, ...]
    seed: int
    limit: float | None = 60.0

    def __post_init__(self) -> None:
        self.games_of(0)
        for agent in self.agents:
            if isinstance(agent, str):
                load_agent(agent, self.game)  # errors now rather than in the first game

    @property
    def names(self) -> list[str]:
        """What the agents are called."""
        return [agent if isinstance(agent, str) else str(getattr(agent, "__name__", agent)) for agent in self.agents]

    def games_of(self, deal: int) -> list[tuple[int, ...]]:
        """The agents on the seats, for each game of a deal."""
        return seatings(len(self.agents), self.game.num_players(), deal)

    @property
    def parties(self) -> int:
        """How many share the win of a game: two agents do, whatever the seats; of more each one has a seat."""
        return 2 if len(self.agents) == 2 else self.game.num_players()

    def play(self, deal: int) -> list[MatchGame]:
        """All games of a deal. They share its luck; the agents' own random choices are new ones in each game."""
        games = []
        for number, seats in enumerate(self.games_of(deal)):
            made = [self._agent(agent, derived_seed(self.seed, deal, number, seat)) for seat, agent in enumerate(seats)]
            result = play_game(self.game, made, derived_seed(self.seed, deal), self.limit)
            seconds = [round(each, 4) for each in result.seconds]
            games.append(
                MatchGame(deal, number, list(seats), result.scores, result.returns, seconds, result.decisions, result.actions, result.fault)
            )
        return games

    def _agent(self, number: int, seed: int) -> Chooser:
        agent = self.agents[number]
        if isinstance(agent, str):
            return _OwnSeed(load_agent(agent, self.game, seed))
        try:
            return agent(self.game, seed)
        except Exception as error:  # like a crash at its first decision: it loses this game and no other
            return _Failed(error)


class _OwnSeed(Agent):
    """An agent that keeps its seed. A game tells its agents to begin with seeds that follow from the deal's, the same in all its games."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent.game, agent.spec, agent.seed)
        self.agent = agent

    def new_game(self, seed: int) -> None:
        """Nothing: the agent is new."""

    def choose(self, info: InfoState) -> int:
        action = self.agent.choose(info)
        self.interrupted = self.agent.interrupted
        return action


class _Failed:
    """An agent that could not be made."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def choose(self, info: InfoState) -> int:
        raise self.error
