import numpy as np

from wattman.engine.game import Game
from wattman.models.evaluator import NetEvaluator

def play_games(
    game: Game, n: int, seed: int, share: float, net: NetEvaluator | None = None, length: int = 0
) -> dict[str, np.ndarray]: ...
