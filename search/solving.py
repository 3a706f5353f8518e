"""What an ending is worth exactly: of open cards, or of what one player knows, over the worlds that are possible for him."""

from __future__ import annotations

import math
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from wattman.engine.game import CHANCE_PLAYER, Game, InfoState, State
from wattman.search.ismcts import game_defaults
from wattman.search.solver import Solver

NODES = 1 << 40  # no limit but time
WORLDS = 100
MOST_WORLDS = 5000
ALL_WORLDS = 2000  # more are not enumerated
PROOF_WORLDS = 100  # at most
FIRST = 12  # the first of them gets this part of the positions
ENTRIES = 30_000  # positions of two players in a megabyte of the solver's memory; more than needed costs time, since it comes empty
WIDE = 10_000.0  # points: no margin or score is larger
SAME = 1e-9
BY = ("win", "margin", "reward")


@dataclass(frozen=True)
class SolvedMove:
    """One legal move: proved bounds of its value, equal if it is solved.

    Attributes
    ----------
    action : str
    low, high : float
        For "win" a share of the win, for "margin" points, for "reward" what the search maximizes, in [0, 1].
    stderr : float or None
        Of a share of the win over a sample of worlds: the most that it can be, √(value (1 - value) / deals). Else None.
    """

    action: str
    low: float
    high: float
    stderr: float | None = None

    @property
    def exact(self) -> bool:
        """Whether it is solved."""
        return self.high - self.low < SAME

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"action": self.action, "low": self.low, "high": self.high, "stderr": self.stderr}


@dataclass(frozen=True)
class Solution:
    """What was proved about a decision.

    Attributes
    ----------
    game : str
    to_move : int
    by : str
        What the values are: "win", "margin" or "reward".
    method : str
        "open": all cards are known. "all": over all worlds that agree with what the player knows. "sample": over some.
    worlds : int
        How many different worlds were solved.
    nodes : int
    seconds : float
    moves : list of SolvedMove
        The best first: by what is proved at least, then at most.
    line : list of str
        Best play as far as it is proved and no chance comes: with open cards that of all players, with several worlds the rest of the own
        turn. Empty if the first move is not proved.
    """

    game: str
    to_move: int
    by: str
    method: str
    worlds: int
    nodes: int
    seconds: float
    moves: list[SolvedMove]
    line: list[str] = field(default_factory=list)

    @property
    def exact(self) -> bool:
        """Whether every move is solved."""
        return all(move.exact for move in self.moves)

    @property
    def best(self) -> list[str]:
        """The moves of which none is proved better: all equally good ones if the best move is known."""
        least = max(move.low for move in self.moves)
        return [move.action for move in self.moves if move.high >= least - SAME]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": self.game,
            "to_move": self.to_move,
            "by": self.by,
            "method": self.method,
            "exact": self.exact,
            "worlds": self.worlds,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
            "moves": [move.to_json() for move in self.moves],
            "line": list(self.line),
        }


def measure(game: Game, by: str, weights: tuple[float, float, float] | None = None) -> tuple[tuple[float, float, float], float]:
    """The weights of win share, margin and own score, and the points that count as all, for one way of valuing."""
    if by not in BY:
        raise ValueError(f"by: {by!r} is not allowed; allowed: {', '.join(BY)}")
    if by == "reward":
        return weights or game_defaults(game)[0], 0.0
    return ((1.0, 0.0, 0.0) if by == "win" else (0.0, 1.0, 0.0)), WIDE


def solve(
    position: State | InfoState,
    by: str = "win",
    seconds: float = 10.0,
    worlds: int = WORLDS,
    seed: int = 0,
    nodes: int | None = None,
    weights: tuple[float, float, float] | None = None,
) -> Solution:
    """Exact values of the moves in a position, or proved bounds if a limit is reached.

    Parameters
    ----------
    position : State or InfoState
        With a State all cards are known to all. With an InfoState the rest of the player's own decisions, up to the next event that is not
        his, is planned for all worlds at once; behind it each world is solved as if its cards lay open to all. So a value is exact if
        nobody's decision behind it hangs on what he cannot see, and else what open hands would give.
    by : str
        "win", "margin" (points), or "reward": what the search maximizes.
    seconds : float
        Limit of time.
    worlds : int
        How many worlds are dealt where they cannot be enumerated.
    seed : int
        Of these worlds.
    nodes : int, optional
        Limit of positions for each move, so that the result does not depend on the machine's speed.
    weights : (float, float, float), optional
        Of win share, margin and own score, with `by="reward"`; the game's own if left out.

    Raises
    ------
    ValueError
        If nobody is to move, or another one than the player whose knowledge it is.
    """
    start, game = time.perf_counter(), position.game
    player = position.current_player()
    if player < 0 or (isinstance(position, InfoState) and player != position.player):
        raise ValueError("solve: there is nothing to decide here" if player < 0 else f"solve: player {position.player} is not to move")
    if not 1 <= worlds <= MOST_WORLDS:
        raise ValueError(f"worlds: {worlds} is not allowed; allowed: 1 to {MOST_WORLDS}")
    solver = Solver(game, *measure(game, by, weights))
    method, every = dealt(position, worlds, seed)
    with _limited(solver, seconds):
        states, shares = [world for world, _ in every], [share for _, share in every]
        found = solver.moves(states, shares, player, nodes or NODES)
        line = solver.line(states[0], nodes or NODES) if len(every) == 1 else _plan(solver, states, shares, player, found, nodes or NODES)
    spread = {high: math.sqrt(high * (1 - high) / worlds) for _, _, high in found} if method == "sample" and by == "win" else {}
    moves = [SolvedMove(game.event_to_string(a), _shown(low, by), _shown(high, by), spread.get(high)) for a, low, high in found]
    moves.sort(key=lambda move: (-move.low, -move.high))
    return Solution(game.name, player, by, method, len(every), solver.nodes, time.perf_counter() - start, moves, line)


@contextmanager
def _limited(solver: Solver, seconds: float | None) -> Iterator[None]:
    """Ends the solver's search after so many seconds."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(max(0.0, seconds), solver.halt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _proved_best(found: list[tuple[int, float, float]]) -> list[int]:
    """The moves that are proved to be as good as any; none if that is not known yet."""
    least = max((low for _, low, _ in found), default=0.0)
    if any(high > least + SAME for _, _, high in found):
        return []
    return [action for action, low, _ in found if low >= least - SAME]


def _plan(
    solver: Solver, worlds: list[State], shares: list[float], player: int, found: list[tuple[int, float, float]], nodes: int
) -> list[str]:
    """The best own moves up to the next event that is not one's own, the same in all worlds, as far as they are proved."""
    texts = []
    while best := _proved_best(found):
        worlds = [world.clone() for world in worlds]
        texts.append(worlds[0].action_to_string(best[0]))
        for world in worlds:
            world.apply_action(best[0])
        if any(world.current_player() != player or world.legal_actions() != worlds[0].legal_actions() for world in worlds):
            break
        found = solver.moves(worlds, shares, player, nodes)
    return texts


def proved_move(
    info: InfoState, weights: tuple[float, float, float], nodes: int, seed: int, order: list[int], seconds: float | None = None
) -> list[int]:
    """The moves that are proved to be the best near the end of a game, in some worlds that agree with what a player knows.

    One world is tried first, with a small part of the positions, so that little time is lost where the end is too far. How large it is says
    in how many worlds the rest can be searched out. They are solved in two halves, and a move has to be the best in both: what holds in one
    of them only may be chance.

    Parameters
    ----------
    info : InfoState
        He is to move.
    weights : (float, float, float)
        Of win share, margin and own score.
    nodes : int
        At most so many positions in all worlds.
    seed : int
    order : list of int
        All his moves, the likely ones first.
    seconds : float, optional
        Limit of time.

    Returns
    -------
    list of int
        Equally good ones; none if nothing is proved. There may be others as good that come later in the order.
    """
    solver = Solver(info.game, *measure(info.game, "reward", weights), memory=1 + nodes // ENTRIES)
    with _limited(solver, seconds):
        return _proved(solver, info, nodes, random.Random(seed), order)


def _proved(solver: Solver, info: InfoState, nodes: int, rng: random.Random, order: list[int]) -> list[int]:
    worlds = [info.sample(rng.getrandbits(60))]
    if not solver.moves(worlds, [1.0], info.player, nodes // FIRST, order):
        return []
    number = min(PROOF_WORLDS, nodes // (solver.nodes + 1))
    worlds += [info.sample(rng.getrandbits(60)) for _ in range(number - 1)]
    best = []
    for half in (worlds[::2], worlds[1::2]):
        counted = Counter(half)
        found = solver.moves(list(counted), [count / len(half) for count in counted.values()], info.player, nodes, order)
        best.append(_proved_best(found))
    return [action for action in best[0] if action in best[1]]


def _shown(value: float, by: str) -> float:
    return round(2 * WIDE * (value - 0.5), 6) if by == "margin" else value


def dealt(position: State | InfoState, number: int, seed: int) -> tuple[str, list[tuple[State, float]]]:
    """How the worlds of a position are found ("open", "all", "sample"), and the different ones with their probabilities."""
    if isinstance(position, State):
        return "open", [(position, 1.0)]
    every = enumerated(position)
    if every is not None:
        return ("open" if len(every) == 1 else "all"), every
    rng = random.Random(seed)
    counted = Counter(position.sample(rng.getrandbits(60)) for _ in range(number))
    return "sample", [(world, count / number) for world, count in counted.items()]


def enumerated(info: InfoState) -> list[tuple[State, float]] | None:
    """All worlds that agree with what a player knows, with their probabilities; None if that is not possible or there are too many.

    Worlds are followed from the start of the game along what he saw. That gives probabilities only where everybody's decisions were seen.
    """
    game, player = info.game, info.player
    belief: dict[State, float] = {game.new_initial_state(): 1.0}
    whole = game.num_distinct_actions() + game.max_chance_outcomes()
    for text in info.events():
        label, after = game.string_to_event(text), {}
        for state, weight in belief.items():
            chance = state.current_player() == CHANCE_PLAYER
            for action, p in state.chance_outcomes() if chance else [(action, 1.0) for action in state.legal_actions()]:
                seen = state.seen(action, player)
                hidden = seen is None or (seen >= whole and seen == label)
                if not chance and state.current_player() != player and hidden and not _shows_all(state, player, label):
                    return None
                if seen == label:
                    child = state.clone()
                    child.apply_action(action)
                    after[child] = after.get(child, 0.0) + weight * p
            if len(after) > ALL_WORLDS:
                return None
        belief = after
        if not belief:
            return None
    total = sum(belief.values())
    if any(state.info_state(player) != info for state in belief):
        return None
    return [(state, weight / total) for state, weight in belief.items()]


def _shows_all(state: State, player: int, label: int) -> bool:
    """Whether one decision at most looks like this to the player, and each is seen."""
    labels = [state.seen(action, player) for action in state.legal_actions()]
    return labels.count(label) <= 1 and None not in labels
