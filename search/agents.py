"""Agents by text: `random`, `greedy`, `ismcts:time=1`, `pimc:simulations=2000,threads=2`, and the scripts of a game.

An agent chooses a move from what one player knows. Anything with a method `choose(info) -> int` will do as one, see `wattman.search.play`.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from wattman.engine.game import Game, InfoState
from wattman.search import levels
from wattman.search.analysis import Analysis
from wattman.search.guides import evaluator
from wattman.search.ismcts import fingerprint
from wattman.search.options import BUDGET, CHOICE, GUIDE, SEARCH, WORLDS, Parameter, complete, for_game, without
from wattman.search.root import Progress, RootSearch
from wattman.search.solving import proved_move

TURN_SHARE = 0.4  # of what is left of a turn's time, for its next decision, and then at most for a proof
DEFAULT_TIME = 1.0
NEAR = 40  # events from a decision to the end of the game, on average of the simulations, below which a proof is tried
PROOF = 64  # positions searched for it, at most so many times the simulations
LEAST_NODES = 2000


class Agent:
    """Chooses moves for whoever is to move.

    Parameters
    ----------
    game : Game
    spec : str
        The text it was made from.
    seed : int
        The same seed and knowledge give the same move, if the budget is no time.
    """

    searches = False  # whether it can `analyze`

    def __init__(self, game: Game, spec: str, seed: int) -> None:
        self.game = game
        self.spec = spec
        self.seed = seed
        self.interrupted = False  # whether Ctrl-C or `halt` cut the last decision short
        self.halt: threading.Event | None = None  # when another thread sets it, the search ends with what it has

    def new_game(self, seed: int) -> None:
        """Forget the last game. `seed` replaces the agent's."""
        self.seed = seed
        self.interrupted = False

    def choose(self, info: InfoState) -> int:
        """A legal action of the player who knows `info` and is to move."""
        raise NotImplementedError

    def analyze(self, info: InfoState, progress: Progress | None = None) -> Analysis:
        """What it thinks of every move; ValueError for agents that do not search."""
        raise ValueError(f"agent {self.spec!r} does not search, so there is nothing to report; take one that does, e.g. ismcts:time=1")

    def __repr__(self) -> str:
        return f"load_agent({self.spec!r}, {self.game!r}, seed={self.seed})"


class RandomAgent(Agent):
    """Every legal move is equally likely."""

    def choose(self, info: InfoState) -> int:
        return random.Random(fingerprint(info, self.seed)).choice(info.legal_actions())


class GreedyAgent(Agent):
    """The move of greatest weight, without looking ahead."""

    def choose(self, info: InfoState) -> int:
        weights = info.weights()
        most = max(weights.values())
        best = [action for action, weight in weights.items() if weight == most]
        return best[0] if len(best) == 1 else random.Random(fingerprint(info, self.seed)).choice(best)


class ScriptAgent(Agent):
    """One of the game's own ways to play (`Game.SCRIPTS`), without looking ahead."""

    def choose(self, info: InfoState) -> int:
        return info.scripted(self.spec.strip())


class SearchAgent(Agent):
    """Information-set Monte Carlo tree search, and the base of what searches otherwise."""

    FIXED: ClassVar[dict[str, Any]] = {}  # search options that are no parameters of this kind
    searches = True

    def __init__(self, game: Game, spec: str, seed: int, parameters: dict[str, Any]) -> None:
        super().__init__(game, spec, seed)
        self.parameters = parameters
        self.options = {p.name: parameters[p.name] for p in (*SEARCH, *GUIDE) if p.name in parameters} | self.FIXED
        self.evaluator = evaluator(game, parameters.get("net", "none"))
        for_game(game, self.options)  # errors now rather than at the first move
        self._clock = TurnClock()
        self._root: RootSearch | None = None  # the last decision's, with its trees
        self._action = -1  # what was chosen there

    @property
    def seconds(self) -> float | None:
        """Time for a turn, None if simulations alone are the budget."""
        if self.parameters["time"] is None and self.parameters["simulations"] is None:
            return DEFAULT_TIME
        return self.parameters["time"]

    def new_game(self, seed: int) -> None:
        super().new_game(seed)
        self._clock = TurnClock()
        self._root = None

    def choose(self, info: InfoState) -> int:
        self.interrupted = False
        legal = info.legal_actions()
        left = self._clock.start(info, self.seconds)
        began = time.perf_counter()
        action = legal[0]
        if len(legal) > 1:
            root = self._continued(info) or self._new_root(info)
            settle = self.parameters["settle"] and not self.parameters["temperature"]  # the choice is among all good moves then
            root.run(self.parameters["simulations"], None if left is None else TURN_SHARE * left, settle=settle, halt=self.halt)
            self.interrupted = root.interrupted
            action = self._pick(info, root)
            if not self.parameters["temperature"]:
                rest = None if left is None else TURN_SHARE * (left - (time.perf_counter() - began))
                best = self._proved(info, root, rest)
                action = action if not best or action in best else max(best, key=lambda each: info.weights()[each])
            self._root, self._action = root, action
        self._clock.stop(info, action, time.perf_counter() - began)
        return action

    def last_root(self, info: InfoState) -> RootSearch | None:
        """The search behind the last decision, if that was made with this knowledge and there was a choice."""
        return self._root if self._root is not None and self._root.info is info else None

    def analyze(self, info: InfoState, progress: Progress | None = None) -> Analysis:
        """What it thinks of every move, with all of its budget for this one decision."""
        self.interrupted = False
        root = self._new_root(info, analysis=True)
        root.run(self.parameters["simulations"], self.seconds, progress, halt=self.halt)
        self.interrupted = root.interrupted
        best = self._proved(info, root, self.seconds)
        return root.analysis().with_proof([info.action_to_string(action) for action in best])

    def _pick(self, info: InfoState, root: RootSearch) -> int:
        """The best move, or one that is not much worse."""
        temperature = self.parameters["temperature"]
        moves = [move for move in root.moves() if move.visits]
        best = moves[0]
        if not temperature:
            return best.action
        least = best.total / best.visits - self.parameters["loss"]
        good = [move for move in moves if move.total / move.visits >= least]
        weights = [(move.visits / best.visits) ** (1 / temperature) for move in good]
        return random.Random(fingerprint(info, ~self.seed)).choices(good, weights)[0].action

    def _proved(self, info: InfoState, root: RootSearch, seconds: float | None) -> list[int]:
        """The moves that are proved the best, if the end is so near that the search has met it everywhere."""
        if not self.parameters.get("prove") or self.interrupted or root.events_ahead > NEAR:
            return []
        options = for_game(info.game, self.options)
        weights = (options["win"], options["margin"], options["score"])
        nodes = max(LEAST_NODES, PROOF * root.simulations)
        return proved_move(info, weights, nodes, fingerprint(info, self.seed), [move.action for move in root.moves()], seconds)

    def _continued(self, info: InfoState) -> RootSearch | None:
        """The last decision's search, moved on to this one with its trees, if they can be kept."""
        root, reuse = self._root, self.parameters.get("reuse", "no")
        self._root = None
        if root is None or root.interrupted or reuse == "no" or not root.advance(info, self._action, reuse == "turn"):
            return None
        return root

    def _new_root(self, info: InfoState, analysis: bool = False) -> RootSearch:
        threads = self.parameters["threads"]
        roots = max(self.parameters["roots"], threads) if analysis else threads
        return RootSearch(info, self.options, self.seed, roots, threads, self.parameters["memory"], evaluator=self.evaluator)


class FlatAgent(SearchAgent):
    """A bandit over the root's moves: no tree below it, the playout policy moves for everybody."""

    FIXED = {"trees": "none", "draws": "open", "hands": "mixed", "expand": 2}
    PARAMETERS = (*without(BUDGET, "reuse", "prove"), *CHOICE, *without(SEARCH, *FIXED))


class PimcAgent(SearchAgent):
    """Perfect-information Monte Carlo: some worlds are dealt, each is searched as if everybody saw everything, and the visits are added.

    The classical way with hidden cards (Ginsberg, "GIB: Imperfect information in a computationally challenging game", JAIR 2001), kept as
    a yardstick. It takes it that it will know later what it does not know now (strategy fusion; Frank and Basin, "Search in games with
    incomplete information", Artificial Intelligence 1998).
    """

    FIXED = {"hands": "mixed", "belief": 1}  # in one world each hand is known, and all worlds are searched alike
    PARAMETERS = (*without(BUDGET, "roots", "reuse", "prove"), WORLDS, *CHOICE, *without(SEARCH, *FIXED))

    def _new_root(self, info: InfoState, analysis: bool = False) -> RootSearch:
        worlds = min(self.parameters["worlds"], self.parameters["simulations"] or self.parameters["worlds"])
        return RootSearch(info, self.options, self.seed, worlds, self.parameters["threads"], self.parameters["memory"], fixed=True)


def _level(game: Game, spec: str, seed: int, parameters: dict[str, Any]) -> Agent:
    agent = load_agent(levels.level(game.name, parameters["n"]), game, seed)
    agent.spec = spec
    return agent


class TurnClock:
    """Tells how much of a turn's time is left.

    A decision belongs to the turn of the one before if the observer has seen nothing since but that one and, perhaps, what chance decided.
    """

    def __init__(self) -> None:
        self._seen: list[str] | None = None  # all that he will have seen if the turn goes on
        self._left = 0.0

    def start(self, info: InfoState, seconds: float | None) -> float | None:
        """Seconds left for the turn in which this decision lies; None if time is no budget."""
        if seconds is None:
            return None
        if not self._goes_on(info):
            self._left = seconds
        return max(self._left, 0.0)

    def stop(self, info: InfoState, action: int, spent: float) -> None:
        """The decision has been made."""
        self._left -= spent
        self._seen = [*info.events(), info.action_to_string(action)]

    def _goes_on(self, info: InfoState) -> bool:
        events = info.events()
        if self._seen is None or events[: len(self._seen)] != self._seen:
            return False
        actions, outcomes = info.game.num_distinct_actions(), info.game.max_chance_outcomes()
        return all(actions <= info.string_to_action(text) < actions + outcomes for text in events[len(self._seen) :])


@dataclass(frozen=True)
class AgentKind:
    """One kind of agent: its name, a line of help, its parameters, and what makes one."""

    name: str
    help: str
    parameters: tuple[Parameter, ...]
    make: Callable[[Game, str, int, dict[str, Any]], Agent]


AGENTS = {
    kind.name: kind
    for kind in (
        AgentKind("random", "any legal move", (), lambda game, spec, seed, parameters: RandomAgent(game, spec, seed)),
        AgentKind("greedy", "the game's rule of thumb, no search", (), lambda game, spec, seed, parameters: GreedyAgent(game, spec, seed)),
        AgentKind("ismcts", "tree search over what the others may hold", (*BUDGET, *CHOICE, *SEARCH, *GUIDE), SearchAgent),
        AgentKind("pimc", "tree search with open hands, in several worlds that it deals; a yardstick", PimcAgent.PARAMETERS, PimcAgent),
        AgentKind("flat", "playouts after each move, without a tree; a yardstick", FlatAgent.PARAMETERS, FlatAgent),
        AgentKind(
            "level",
            "how strong: level:1 is for beginners, level:5 the best",
            (Parameter("n", int, levels.DEFAULT, "the level", least=1, most=levels.MOST),),
            _level,
        ),
    )
}


def scripts(kind: type[Game]) -> dict[str, AgentKind]:
    """The agents that one game has besides those of all games."""

    def make(game: Game, spec: str, seed: int, parameters: dict[str, Any]) -> Agent:
        return ScriptAgent(game, spec, seed)

    return {name: AgentKind(name, text, (), make) for name, text in kind.SCRIPTS.items()}


def read_spec(spec: str, game: Game | None = None) -> tuple[AgentKind, dict[str, str]]:
    """The kind of agent in a text, and the parameters as they stand there; ValueError as in `load_agent`. `game`: its own agents, too."""
    name, _, rest = spec.partition(":")
    kinds = AGENTS if game is None else AGENTS | scripts(type(game))
    kind = kinds.get(name.strip())
    if kind is None:
        raise ValueError(f"no agent {name.strip()!r}; agents: {', '.join(kinds)}")
    given: dict[str, str] = {}
    for part in rest.split(",") if rest.strip() else []:
        key, equals, value = part.partition("=")
        if not equals and len(kind.parameters) == 1:
            key, equals, value = kind.parameters[0].name, "=", part
        key = key.strip()
        if not equals:
            raise ValueError(f"agent {spec!r}: {part.strip()!r} is not NAME=VALUE")
        if key in given:
            raise ValueError(f"agent {spec!r}: {key} is given twice")
        given[key] = value.strip()
    return kind, given


def write_spec(kind: AgentKind, given: Mapping[str, object]) -> str:
    """The text of an agent with these parameters."""
    texts = [f"{name}={('no', 'yes')[value] if isinstance(value, bool) else value}" for name, value in given.items()]
    return kind.name + (":" + ",".join(texts) if texts else "")


def load_agent(spec: str, game: Game, seed: int = 0) -> Agent:
    """An agent from its text.

    Parameters
    ----------
    spec : str
        A kind, and parameters after a colon: `ismcts:simulations=2000,threads=2`. Where there is one parameter only, its name may be left
        out: `level:3`.
    game : Game
    seed : int

    Raises
    ------
    ValueError
        For an unknown kind or parameter, or a value that is not allowed; it lists what exists.
    """
    kind, given = read_spec(spec, game)
    try:
        return kind.make(game, spec, seed, complete(kind.parameters, given, game))
    except ValueError as error:
        raise ValueError(f"agent {spec!r}: {error}") from None
