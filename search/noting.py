"""Self-play that keeps what the searches found: visits of the moves, and what they expect."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from wattman.engine.game import Game, InfoState
from wattman.search.agents import Agent, SearchAgent, load_agent, read_spec, write_spec
from wattman.search.ismcts import fingerprint


@dataclass(frozen=True)
class Cap:
    """Playout-cap randomization (Wu, "Accelerating self-play learning in Go", 2019): most searches are quick and not learnt from.

    Attributes
    ----------
    full : float
        Share of the decisions that get all simulations, and are kept.
    quick : int
        Simulations of the others, which are made without exploration.
    """

    full: float = 0.25
    quick: int = 50

    def __post_init__(self) -> None:
        if not 0 < self.full <= 1:
            raise ValueError(f"full: {self.full:g}: must be more than 0 and at most 1")
        if self.quick < 1:
            raise ValueError(f"quick: {self.quick}: must be at least 1")


class NotingAgent(Agent):
    """An agent that notes in `found` what it found at each decision: a dict, or None where there was no full search.

    An entry holds `visits` (by the move's notation), and the root's mean `win` and `margin` for the player to move.
    """

    def __init__(self, game: Game, spec: str, seed: int, cap: Cap, found: list[dict[str, Any] | None]) -> None:
        super().__init__(game, spec, seed)
        self.cap = cap
        self.found = found
        self._full = load_agent(spec, game, seed)
        self._quick = self._full
        if isinstance(self._full, SearchAgent) and cap.full < 1:
            kind, given = read_spec(spec)
            given = {name: value for name, value in given.items() if name not in ("time", "noise")} | {"simulations": str(cap.quick)}
            self._quick = load_agent(write_spec(kind, given), game, seed)

    def new_game(self, seed: int) -> None:
        super().new_game(seed)
        self._full.new_game(seed)
        self._quick.new_game(seed)

    def choose(self, info: InfoState) -> int:
        full = random.Random(fingerprint(info, self.seed ^ 0xCA9)).random() < self.cap.full
        agent = self._full if full else self._quick
        action = agent.choose(info)
        self.interrupted = agent.interrupted
        root = agent.last_root(info) if full and isinstance(agent, SearchAgent) else None
        if root is None:
            self.found.append(None)
        else:
            moves = root.moves()
            fresh = max(sum(move.fresh for move in moves), 1)
            self.found.append(
                {
                    "visits": {info.action_to_string(move.action): move.visits for move in moves},
                    "win": round(sum(move.wins for move in moves) / fresh, 4),
                    "margin": round(sum(move.margins for move in moves) / fresh, 2),
                }
            )
        return action
