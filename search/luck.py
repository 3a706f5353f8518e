"""Luck and skill of a game told apart, by one value for every moment of it.

The value v of a state is what each player gets on average if all play on by the game's rule of thumb (`wattman.search.worth`); at the end
it is the result. A game is a chain of *swings*: runs of chance events, and runs of decisions of one player. What a swing changes of v is

- all luck where chance decided: on average v does not change there;
- where a player decided, skill as far as it could be expected from what he knew: the mean change of v by these decisions over worlds dealt
  from his knowledge. The rest, how the cards lay that he could not see, is luck.

All changes of v add up to the result less the value at the start, so luck and skill of all players do, to the last digit. (Luck as a sum
of mean zero that is taken out of a result: Zinkevich et al., "Optimal unbiased estimators for evaluating agent performance", AAAI 2006.)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wattman.engine.game import CHANCE_PLAYER, State
from wattman.search.worth import results

WHAT = 2  # of each result: the share of the win and the margin

Table = list[list[float]]  # [players][win, margin]


@dataclass(frozen=True)
class Swing:
    """A run of chance events, or of one player's decisions, and what it changed.

    Attributes
    ----------
    ply, end : int
        Events of the game before it and after it.
    player : int
        Who decided; -1: chance.
    before, after : list of list of float
        The value of the state for each player: share of the win, margin in points (for one player: points).
    skill, skill_stderr : list of list of float
        What the decisions changed as far as the player could expect it, likewise.
    luck_stderr : list of list of float
        Standard error of the rest.
    """

    ply: int
    end: int
    player: int
    before: Table
    after: Table
    skill: Table
    skill_stderr: Table
    luck_stderr: Table

    @property
    def luck(self) -> np.ndarray:
        """What is not skill. Shape (players, 2)."""
        return np.array(self.after) - np.array(self.before) - np.array(self.skill)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Swing:
        """From plain data; TypeError if it is none of a swing."""
        return cls(**data)


def runs(states: Sequence[State]) -> list[tuple[int, int, int]]:
    """The swings of a game as (player, ply, end). `states`: before each event, and at last after all.

    A decision without a choice belongs to what comes before it if that is chance.
    """
    found: list[tuple[int, int, int]] = []
    for ply, state in enumerate(states[:-1]):
        who = state.current_player()
        if found and found[-1][0] == CHANCE_PLAYER and who >= 0 and len(state.legal_actions()) == 1:
            who = CHANCE_PLAYER
        if found and found[-1][0] == who:
            found[-1] = (who, found[-1][1], ply + 1)
        else:
            found.append((who, ply, ply + 1))
    return found


class Measure:
    """Values of the states of one game.

    Parameters
    ----------
    states : sequence of State
        Before each event of the game, and at last after all.
    playouts : int
        For each value.
    seed : int
    """

    def __init__(self, states: Sequence[State], playouts: int, seed: int) -> None:
        self.states = states
        self.playouts = playouts
        self.seed = seed
        self._ply = -1
        self._found = np.empty(0)  # the playouts from there, since one swing ends where the next begins

    def value(self, ply: int) -> np.ndarray:
        """The results of the playouts from a moment of the game. Shape (playouts, players, 2)."""
        if ply != self._ply:
            self._found = results(self.states[ply], self.playouts, self.seed)[:, :, :WHAT]
            self._ply = ply
        return self._found

    def swing(self, player: int, ply: int, end: int) -> Swing:
        """What happened from one moment to another."""
        before = self.value(ply)
        after = self.value(end)
        skill = np.zeros_like(before)
        if player != CHANCE_PLAYER:
            info, moves = self.states[ply].info_state(player), self.states[end].history()[ply:end]
            own = self.seed + (ply + 1) * 0x9E3779B9  # other worlds for each, so that their errors are independent
            skill = results(info, self.playouts, own, moves)[:, :, :WHAT] - results(info, self.playouts, own)[:, :, :WHAT]
        # The same playout numbers share luck, before and after; the worlds dealt from a player's knowledge are others.
        change, skill_error = _stderr(after - before), _stderr(skill)
        return Swing(
            ply,
            end,
            player,
            _table(before.mean(0)),
            _table(after.mean(0)),
            _table(skill.mean(0)),
            _table(skill_error),
            _table(np.hypot(change, skill_error)),
        )


def _stderr(values: np.ndarray) -> np.ndarray:
    return values.std(0, ddof=1) / math.sqrt(len(values)) if len(values) > 1 else np.zeros(values.shape[1:])


def _table(values: np.ndarray) -> Table:
    return [[float(x) for x in row] for row in values]


@dataclass(frozen=True)
class Balance:
    """Where one player's result comes from. All numbers are pairs: share of the win, margin in points (for one player: points).

    Attributes
    ----------
    player : int
    start : list of float
        The value before the first event.
    cards : list of float
        Luck of what chance decided.
    hidden : list of float
        Luck of how the cards lay that players could not see when they decided.
    own, others : list of float
        Skill: what his decisions gained, and what those of the others brought or cost him.
    result : list of float
        At the end: `start`, `cards`, `hidden`, `own` and `others` together.
    cards_stderr, hidden_stderr, own_stderr, luck_stderr : list of float
        Standard errors of `cards`, `hidden` and `own`, and of `cards` and `hidden` together, which is smaller: what is wrongly taken for
        the one is missing in the other.
    """

    player: int
    start: list[float]
    cards: list[float]
    hidden: list[float]
    own: list[float]
    others: list[float]
    result: list[float]
    cards_stderr: list[float]
    hidden_stderr: list[float]
    own_stderr: list[float]
    luck_stderr: list[float]

    @property
    def luck(self) -> list[float]:
        """Cards and hidden together."""
        return [a + b for a, b in zip(self.cards, self.hidden, strict=True)]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self) | {"luck": self.luck}


def balances(swings: Sequence[Swing]) -> list[Balance]:
    """Each player's balance over the swings of a game, which must be all of them."""

    def total(player: int, tables: Iterable[np.ndarray | Table]) -> list[float]:
        return [math.fsum(np.array(table)[player, k] for table in tables) for k in range(WHAT)]

    def error(player: int, tables: Sequence[Table]) -> list[float]:
        return [math.sqrt(math.fsum(table[player][k] ** 2 for table in tables)) for k in range(WHAT)]

    found = []
    for player in range(len(swings[0].before)):
        chance = [swing for swing in swings if swing.player == CHANCE_PLAYER]
        decided = [swing for swing in swings if swing.player != CHANCE_PLAYER]
        skills = [swing.skill_stderr for swing in decided]
        found.append(
            Balance(
                player=player,
                start=list(swings[0].before[player]),
                cards=total(player, [swing.luck for swing in chance]),
                hidden=total(player, [swing.luck for swing in decided]),
                own=total(player, [swing.skill for swing in decided if swing.player == player]),
                others=total(player, [swing.skill for swing in decided if swing.player != player]),
                result=list(swings[-1].after[player]),
                cards_stderr=error(player, [swing.luck_stderr for swing in chance]),
                hidden_stderr=error(player, [swing.luck_stderr for swing in decided]),
                own_stderr=error(player, [swing.skill_stderr for swing in decided if swing.player == player]),
                # The values in between cancel out: luck is the result less the start and the skill.
                luck_stderr=error(player, [swings[0].luck_stderr, *skills]),
            )
        )
    return found
