"""Games between agents. This is the one place where an agent is asked for a move, and where it is handed what it may know."""

from __future__ import annotations

import operator
import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from wattman.engine.game import Deal, Game, InfoState, State
from wattman.search.agents import Agent, load_agent


class Chooser(Protocol):
    """What an agent must have. `new_game(seed)` is called before each game if it is there."""

    def choose(self, info: InfoState) -> int: ...


class AgentError(Exception):
    """An agent failed: it crashed, took too long, or answered with no legal move."""

    def __init__(self, player: int, kind: str, message: str) -> None:
        super().__init__(f"player {player}: {message}")
        self.player = player
        self.kind = kind
        self.message = message


class IllegalMove(AgentError):
    """An agent's answer was no legal action."""


@dataclass(frozen=True)
class Fault:
    """Why an agent lost a game before its end.

    Attributes
    ----------
    player : int
    kind : str
        `crash`, `illegal move` or `too slow`.
    message : str
    """

    player: int
    kind: str
    message: str


@dataclass(frozen=True)
class GameResult:
    """One game.

    Attributes
    ----------
    seed : int
        Of the deal and of the agents.
    actions : list of str
        Every decision and chance outcome, in order.
    scores : list of float
        Points at the end, per player.
    returns : list of float
        As `State.returns()`; after a fault -1 for that player, and the others share the win.
    seconds : list of float
        Thinking time per player.
    decisions : list of int
        Decisions per player, forced ones included.
    fault : Fault or None
    """

    seed: int
    actions: list[str]
    scores: list[float]
    returns: list[float]
    seconds: list[float] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)
    fault: Fault | None = None


def decide(agent: Chooser, state: State) -> int:
    """The agent's move for the player who is to move.

    The agent gets that player's `InfoState` and nothing else, and its answer is checked.

    Raises
    ------
    IllegalMove
        If the answer is no legal action. Errors of the agent itself come through as they are.
    """
    player = state.current_player()
    if player < 0:
        raise ValueError("decide: nobody is to move here")
    answer: Any = agent.choose(state.info_state(player))
    try:
        action = operator.index(answer)
    except TypeError:
        raise IllegalMove(player, "illegal move", f"answered {answer!r}, which is no action id") from None
    legal = state.legal_actions()
    if isinstance(answer, bool) or action not in legal:
        ids = ", ".join(f"{action} ({state.action_to_string(action)})" for action in legal)
        raise IllegalMove(player, "illegal move", f"answered {answer!r}; legal: {ids}")
    return action


class _Guard:
    """Asks an agent in a thread of its own, so that one that never answers cannot hold up the game. Such a thread is left behind."""

    def __init__(self, agent: Chooser, limit: float) -> None:
        self.agent = agent
        self.limit = limit
        self._questions: queue.SimpleQueue[InfoState | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while (info := self._questions.get()) is not None:
            try:
                self._answers.put((self.agent.choose(info), None))
            except BaseException as error:  # whatever it is, it is the agent's fault
                self._answers.put((None, error))

    def choose(self, info: InfoState) -> int:
        self._questions.put(info)
        try:
            answer, error = self._answers.get(timeout=self.limit)
        except queue.Empty:
            raise AgentError(info.player, "too slow", f"no answer within {self.limit:g} seconds") from None
        if error is not None:
            raise AgentError(info.player, "crash", f"{type(error).__name__}: {error}") from error
        return answer

    def close(self) -> None:
        self._questions.put(None)


def play_game(game: Game, agents: Sequence[Chooser | str], seed: int, limit: float | None = 60.0) -> GameResult:
    """Play one game to its end.

    Parameters
    ----------
    game : Game
    agents : sequence
        One per seat: agents, or their texts. Each is told to begin a new game with a seed of its own, drawn from `seed`.
    seed : int
        Decides every chance event through `Deal(seed)`, and the agents' seeds.
    limit : float or None
        Seconds an agent of another kind than Wattman's own may take for a decision; None: for ever. (Ours keep to their budgets.)

    Returns
    -------
    GameResult
        An agent that crashes, answers with an illegal move or is too slow loses this game; that is reported as its `fault`.
    """
    if len(agents) != game.num_players():
        raise ValueError(f"{game.name} with {game.num_players()} players: {len(agents)} agents given")
    seats: list[Any] = [
        load_agent(agent, game, agent_seed(seed, seat)) if isinstance(agent, str) else agent for seat, agent in enumerate(agents)
    ]
    guards = [seat if isinstance(seat, Agent) or limit is None else _Guard(seat, limit) for seat in seats]
    state = game.new_initial_state()
    deal = Deal(seed)
    seconds = [0.0] * len(seats)
    decisions = [0] * len(seats)
    fault = None
    player = 0
    try:
        for player, seat in enumerate(seats):
            if callable(getattr(seat, "new_game", None)):
                seat.new_game(agent_seed(seed, player))
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(deal.choose(state))
                continue
            player = state.current_player()
            start = time.perf_counter()
            action = decide(guards[player], state)
            seconds[player] += time.perf_counter() - start
            decisions[player] += 1
            state.apply_action(action)
            if getattr(seats[player], "interrupted", False) is True:
                raise KeyboardInterrupt  # it answered, but the person wants to stop
    except AgentError as error:
        fault = Fault(error.player, error.kind, error.message)
    except Exception as error:  # likewise
        fault = Fault(player, "crash", f"{type(error).__name__}: {error}")
    finally:
        for guard in guards:
            if isinstance(guard, _Guard):
                guard.close()
    returns = state.returns()
    if fault is not None:
        returns = [1 / (len(seats) - 1) if len(seats) > 1 else 0.0] * len(seats)
        returns[fault.player] = -1.0
    return GameResult(seed, state.events(), state.scores(), returns, seconds, decisions, fault)


def agent_seed(seed: int, seat: int) -> int:
    """The seed of the agent in a seat, from the game's: the same agent in another seat thinks other random thoughts."""
    return (seed * 0x9E3779B97F4A7C15 + (seat + 1) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
