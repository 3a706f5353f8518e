"""Every game as an OpenSpiel game: `import wattman.engine.interop.openspiel` registers `python_wattman_trambahn` and so on.

    import pyspiel
    import wattman.engine.interop.openspiel

    game = pyspiel.load_game("python_wattman_lisbon(players=3)")

Parameters are the game's options. Needs `pip install wattman[openspiel]`.

Numbers: decisions have the same ids as here. OpenSpiel counts chance outcomes from 0, so a chance outcome's id there is the one here less
`num_distinct_actions()`. Texts of actions, players, chance probabilities and returns are the same.

Information state strings have perfect recall: all that the player saw, in order. Observation strings and tensors are the table as he sees
it. There is no information state tensor, and no split into public and private observations.

A state that `resample_from_infostate` has dealt begins at that moment: its history is empty, and its other players' information state
strings stand for what they would know. It can be copied, pickled and serialised like any other. OpenSpiel's C++ search does not resample
games written in Python; its Python search (`open_spiel.python.algorithms.ismcts`) does.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from wattman.engine import game as engine
from wattman.engine.games import game_class, names

PREFIX = "python_wattman_"


class WattmanGame(pyspiel.Game):
    """A game of Wattman's; `engine` is the one of the engine."""

    KIND: type[engine.Game]
    TYPE: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.engine = self.KIND(**(params or {}))
        most = self.engine.max_return()
        info = pyspiel.GameInfo(
            num_distinct_actions=self.engine.num_distinct_actions(),
            max_chance_outcomes=self.engine.max_chance_outcomes(),
            num_players=self.engine.num_players(),
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if self.TYPE.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
            max_game_length=self.engine.max_game_length(),
        )
        super().__init__(self.TYPE, info, params or {})

    def new_initial_state(self) -> WattmanState:
        return WattmanState(self)

    def __reduce__(self) -> tuple:
        return load_game, (self.engine.name, dict(self.get_parameters()))

    def max_chance_nodes_in_history(self) -> int:
        return self.engine.max_game_length()

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> WattmanObserver | None:
        """An observer; None for the kinds that there are not."""
        if params:
            raise ValueError(f"observers of {self.engine.name} have no parameters; given: {dict(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return WattmanObserver(self.engine, kind.perfect_recall)


class WattmanState(pyspiel.State):
    """A state; `engine` is the one of the engine, with the truth in it.

    OpenSpiel copies and serialises this class by its attributes and its history.
    """

    def __init__(self, game: WattmanGame) -> None:
        super().__init__(game)
        self.engine = game.engine.new_initial_state()

    @property
    def _first_outcome(self) -> int:
        return self.engine.game.num_distinct_actions()

    def current_player(self) -> int:
        return self.engine.current_player()  # OpenSpiel's numbers for chance and the end

    def is_terminal(self) -> bool:
        return self.engine.is_terminal()

    def _legal_actions(self, player: int) -> list[int]:
        return self.engine.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        first = self._first_outcome
        return sorted((event - first, p) for event, p in self.engine.chance_outcomes())

    def _apply_action(self, action: int) -> None:
        self.engine.apply_action(action + self._first_outcome if self.engine.is_chance_node() else action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.engine.action_to_string(action + self._first_outcome if player == pyspiel.PlayerId.CHANCE else action)

    def returns(self) -> list[float]:
        return self.engine.returns()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> WattmanState:
        """A state dealt from what `player` knows, each possible one with its probability."""
        other = self.get_game().new_initial_state()
        other.engine = self.engine.resample_from_infostate(player, sampler)
        return other

    def __str__(self) -> str:
        return str(self.engine)


class WattmanObserver:
    """What a player sees of a state, in OpenSpiel's form of an observer (`open_spiel.python.observation`).

    Attributes
    ----------
    tensor : array (observation_size,) of float32, or None
        None with perfect recall.
    dict : dict
        The tensor under the name of `observation`.
    """

    def __init__(self, game: engine.Game, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        self.tensor = None if perfect_recall else np.zeros(game.observation_tensor_shape(), np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: WattmanState, player: int) -> None:
        if self.tensor is not None:
            self.tensor[:] = state.engine.observation_tensor(player)

    def string_from(self, state: WattmanState, player: int) -> str:
        if self.perfect_recall:
            return state.engine.information_state_string(player)
        return json.dumps(state.engine.to_dict(player), ensure_ascii=False)


def register(name: str) -> type[WattmanGame]:
    """Enter a game into OpenSpiel's list."""
    kind = game_class(name)
    players = kind.OPTIONS["players"].choices or ()
    game_type = pyspiel.GameType(
        short_name=PREFIX + name,
        long_name=f"Wattman {kind.TITLE or name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if min(players) > 1 else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={key: option.default for key, option in kind.OPTIONS.items()},
    )
    made = type(f"{kind.__name__}Game", (WattmanGame,), {"KIND": kind, "TYPE": game_type, "__doc__": f"{kind.TITLE} in OpenSpiel."})
    pyspiel.register_game(game_type, made)
    return made


def load_game(name: str, params: dict[str, Any]) -> pyspiel.Game:
    """A game by Wattman's name for it; what `pyspiel.load_game(PREFIX + name, params)` gives."""
    return pyspiel.load_game(PREFIX + name, params)


GAMES = {name: register(name) for name in names()}
