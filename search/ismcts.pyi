from typing import Any, NamedTuple

from wattman.engine.game import Game, InfoState, State
from wattman.search.evaluator import Evaluator

class RootEdge(NamedTuple):
    action: int
    visits: int
    total: float
    prior: float
    win: float
    margin: float
    fresh: int
    ends: int

class Search:
    """One search: its own trees, worlds and random numbers; nothing is shared between two."""

    game: Game
    info: InfoState
    options: dict[str, Any]
    seed: int
    def __init__(
        self,
        info: InfoState,
        options: dict[str, Any],
        seed: int,
        memory: int,
        world: State | None = None,
        evaluator: Evaluator | None = None,
        only: list[int] | None = None,
    ) -> None: ...
    def run(self, n: int, budget: int = 0) -> bool: ...
    def advance(self, info: InfoState, action: int, turn: bool) -> bool: ...
    @property
    def simulations(self) -> int: ...
    @property
    def worlds(self) -> int: ...
    @property
    def events(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def memory_used(self) -> int: ...
    def root(self) -> list[RootEdge]: ...
    def line(self, action: int, length: int = 20, least: int = 2) -> list[str]: ...

def fingerprint(info: InfoState, seed: int) -> int: ...
def game_defaults(game: Game) -> tuple[tuple[float, float, float], int]: ...
def game_scale(game: Game) -> float: ...
