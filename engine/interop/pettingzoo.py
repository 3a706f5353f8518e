"""Every game as a PettingZoo environment in which the agents move one after the other (AEC).

    from wattman.engine.interop import pettingzoo

    env = pettingzoo.env("lisbon", players=3, render_mode="ansi")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

Agents are `player_0`, `player_1`, ...; who moves next is the game's affair (`agent_selection`), and one may move several times in a row.
Chance is played by the environment, from the seed of `reset`. The rewards are the results at the end of the game (`State.returns`), and 0
before. Needs `pip install wattman[pettingzoo]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from rich.console import Console

from wattman.engine.game import Deal, Game, InfoState
from wattman.engine.games import load_game

COLUMNS = 100  # of a table as text


class WattmanEnv(AECEnv):
    """A game as an environment, without PettingZoo's checks.

    Parameters
    ----------
    game : str or Game
        Its name, or a loaded one.
    render_mode : {"ansi", "rgb_array", "human"}, optional
        What `render` gives: the table as text, as pixels, or printed; as the agent that moves sees it, at the end as it is.
    **options
        The game's options, as in `load_game`.

    Attributes
    ----------
    game : Game
    engine : State
        The truth: the game in progress.

    Notes
    -----
    An observation is a dict: `observation` is `State.observation_tensor` of the agent, float32; `action_mask` has a 1 (int8) for each legal
    action, and nothing but zeros for an agent that is not to move. The mask is in `infos` too.
    """

    def __init__(self, game: str | Game = "trambahn", render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        modes = ["ansi", "rgb_array", "human"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode: {render_mode!r} is not allowed; allowed: {', '.join(modes)}, or None")
        if isinstance(game, Game) and options:
            raise ValueError(f"options are for a game's name; this one is loaded: {game!r}")
        self.game = game if isinstance(game, Game) else load_game(game, **options)
        self.render_mode = render_mode
        self.metadata = {"name": f"wattman_{self.game.name}_v0", "render_modes": modes, "is_parallelizable": False, "render_fps": 1}
        self.possible_agents = [f"player_{player}" for player in range(self.game.num_players())]
        actions = self.game.num_distinct_actions()
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-np.inf, np.inf, tuple(self.game.observation_tensor_shape()), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._random = np.random.default_rng()
        self.agents = []

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. With a seed this and all later games are decided by it; `options` has no meaning here."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._deal = Deal(int(self._random.integers(2**63)))
        self.engine = self.game.new_initial_state()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: int | None) -> None:
        """Play the action of the agent to move, and the chance after it; ValueError if it is not legal."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.engine.apply_action(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()
        self._deads_step_first()

    def _go_on(self) -> None:
        """Chance, and then whose turn it is."""
        while self.engine.is_chance_node():
            self.engine.apply_action(self._deal.choose(self.engine))
        if self.engine.is_terminal():
            self.rewards = dict(zip(self.agents, self.engine.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.engine.current_player()]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> np.ndarray:
        mask = np.zeros(self.game.num_distinct_actions(), np.int8)
        if self.possible_agents.index(agent) == self.engine.current_player() and not self.terminations.get(agent, True):
            mask[self.engine.legal_actions()] = 1
        return mask

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        tensor = self.engine.observation_tensor(self.possible_agents.index(agent))
        return {"observation": tensor, "action_mask": self._mask(agent)}

    def info_state(self, agent: str) -> InfoState:
        """What an agent knows: what Wattman's own agents choose from (`load_agent(...).choose(info)`)."""
        return self.engine.info_state(self.possible_agents.index(agent))

    def render(self) -> str | np.ndarray | None:
        if self.render_mode is None:
            return None
        drawing = self.game.draw(self._view())
        if self.render_mode == "rgb_array":
            from wattman.engine.interop.raster import picture  # not at the top: only pictures need Pillow

            return picture(drawing)
        console = Console(width=COLUMNS, highlight=False)
        if self.render_mode == "human":
            console.print(drawing, markup=False)
            return None
        with console.capture() as text:
            console.print(drawing, markup=False)
        return text.get()

    def _view(self) -> dict[str, Any]:
        player = self.engine.current_player()
        return self.engine.to_dict(None if player < 0 else player)

    def close(self) -> None:
        """Nothing is open."""


raw_env = WattmanEnv


def env(game: str | Game = "trambahn", render_mode: str | None = None, **options: Any) -> AECEnv:
    """The same with PettingZoo's checks: an illegal action ends the game with a reward of -1, calls must come in order.

    Parameters as for `WattmanEnv`.
    """
    checked = wrappers.TerminateIllegalWrapper(WattmanEnv(game, render_mode, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


__all__ = ["WattmanEnv", "env", "raw_env"]
