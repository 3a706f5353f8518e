from typing import Any

import numpy as np

from wattman.engine.game import Game, State
from wattman.search.evaluator import Evaluator

class NetEvaluator(Evaluator):
    """A network for one game."""

    game: Game
    def __init__(self, game: Game, arrays: dict[str, np.ndarray], search: dict[str, Any]) -> None: ...
    def policy(self, state: State) -> dict[int, float]: ...
    def values(self, state: State, player: int, repeat: int = 1) -> np.ndarray: ...
