import numpy as np

from wattman.engine.game import InfoState, State

def worth(position: State | InfoState, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]: ...
