from collections.abc import Sequence

import numpy as np

from wattman.engine.game import InfoState, State

def results(position: State | InfoState, n: int, seed: int, moves: Sequence[int] = ()) -> np.ndarray: ...
def worth(position: State | InfoState, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]: ...
