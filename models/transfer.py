"""Carrying a network over to other options of its game: another board, another number of players, other expansions.

What a network has learnt of an input or of a term of actions is kept by the name of it (`Game.observation_names`, `Game.term_names`):

- *Inputs and policy terms* with the same name keep their weights; those with a new name begin with 0.
- The inputs of a *seat that was not there* get the weights of the nearest one that was, if that was an opponent's. With more opponents than
  before, each one's weights are made less by as much, so that together they weigh what they did. Whether somebody sits there was always so
  and tells nothing; the input for the number of players gets what the number then had.
- *Values* are kept among as many players, and else 0: what they say is of another table. Search parameters that make use of them go too.
- *Hidden targets*, which are learnt beside and never read, begin with 0.

To the options that it has a network is carried over as it is.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wattman.engine.game import Game
from wattman.engine.games import load_game
from wattman.models import weights
from wattman.models.evaluator import NetEvaluator
from wattman.models.weights import Card, Names

NEW = -1  # instead of the row that is kept
OF_VALUES = ("net_value", "cutoff", "over", "views")  # search parameters that make use of values
PRESENT = "present"  # whether somebody sits there
_SEAT = re.compile(r"seat (\d+) (.+)")


@dataclass(frozen=True)
class Carried:
    """A network that has been carried over.

    Attributes
    ----------
    card : Card
        For the game that it is for now; never a default of it.
    arrays : dict of arrays
        As `wattman.models.weights` describes them.
    inputs, terms : (int, int)
        How many there are, and how many of them are new and begin with 0. Without a policy there are no terms.
    values : bool
        Whether values were kept.
    digest : str
        Of the file that it came from.
    """

    card: Card
    arrays: dict[str, np.ndarray]
    inputs: tuple[int, int]
    terms: tuple[int, int]
    values: bool
    digest: str

    @property
    def widths(self) -> list[int]:
        return widths(self.arrays)


def widths(arrays: dict[str, np.ndarray]) -> list[int]:
    """Of a network's hidden layers."""
    return [len(arrays[name]) for name in sorted(arrays) if re.fullmatch(r"layer\d\.bias", name)]


def carry_over(path: str | os.PathLike, game: Game) -> Carried:
    """The network of a file, for a game with other options or the same.

    Raises
    ------
    ValueError
        One line that begins with the path: it is for another game, for another layout of the observation, or does not fit its own game.
    """
    card, arrays = weights.load(path)
    reason = weights.misfit(card, game)
    try:
        if reason and not weights.akin(card, game):
            raise ValueError(reason)
        players, now = int(card.options["players"]), game.num_players()
        names, own = card.names or weights.names_of(load_game(card.game, **card.options)), weights.names_of(game)
        found = carry(arrays, names, players, game)
        NetEvaluator(game, found, {})  # raises if anything is missing or has another shape
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    search, notes = card.search, card.notes
    if players != now:
        search = {name: value for name, value in search.items() if name not in OF_VALUES} | {"net_value": 0}
    if reason:
        notes = {"carried over from": {"options": card.options, "notes": notes}}
    terms = rows(names["terms"], own["terms"]) if "policy.weight" in found else np.empty(0)
    return Carried(
        card=weights.card_for(game, search=search, notes=notes),
        arrays=found,
        inputs=_count(rows(names["observation"], own["observation"], players, now)),
        terms=_count(terms),
        values=players == now,
        digest=hashlib.sha256(Path(path).read_bytes()).hexdigest(),
    )


def carry(arrays: dict[str, np.ndarray], names: Names, players: int, game: Game) -> dict[str, np.ndarray]:
    """The arrays of a network of `game`, from those of a network for other options.

    Parameters
    ----------
    arrays : dict of arrays
        As `wattman.models.weights` describes them.
    names : Names
        Of the game that they are for (`weights.names_of`).
    players : int
        Of the game that they are for.
    game : Game

    Raises
    ------
    ValueError
        If arrays and names do not go together, or nothing of the network could be used.
    """
    own, now, found = weights.names_of(game), game.num_players(), dict(arrays)
    for array, what in (("layer0.weight", "observation"), ("policy.weight", "terms"), ("policy.bias", "terms")):
        if array in arrays and len(arrays[array]) != len(names[what]):
            told = f"{array}: {len(arrays[array])} rows, but the game that it is for has {len(names[what])}"
            raise ValueError(f"{told}; its board or data file has changed since")
    if "policy.weight" not in arrays and players != now:
        raise ValueError(f"it has values only, and those for {players} players say nothing about {now}")
    if not widths(arrays) or "layer0.weight" not in arrays:
        raise ValueError("it has no hidden layer")
    found["layer0.weight"] = _kept(arrays["layer0.weight"], rows(names["observation"], own["observation"], players, now))
    if now > players > 1:
        opponents = [bool(seat) and 0 < int(seat[1]) < now and seat[2] != PRESENT for seat in map(_SEAT.fullmatch, own["observation"])]
        found["layer0.weight"][opponents] *= (players - 1) / (now - 1)
    for array in ("policy.weight", "policy.bias"):
        if array in arrays:
            found[array] = _kept(arrays[array], rows(names["terms"], own["terms"]))
    empty = {}
    if players != now:
        empty["value"] = weights.VALUES * now
    if players != now or names != own or "hidden.weight" not in arrays:
        empty["hidden"] = game.hidden_targets_shape()[0]
    for head, size in empty.items():
        found[f"{head}.weight"], found[f"{head}.bias"] = np.zeros((widths(arrays)[-1], size), np.float32), np.zeros(size, np.float32)
    return found


def rows(names: list[str], own: list[str], players: int = 0, now: int = 0) -> np.ndarray:
    """For each of the names `own` the row that it gets of those with `names`, or NEW. `players`, `now`: of both games, if seats count."""
    at = {name: i for i, name in enumerate(names)}
    found = []
    for name in own:
        seat = _SEAT.fullmatch(name)
        if seat and players <= int(seat[1]) < now:
            name = f"seat {players - 1} {seat[2]}" if players > 1 and seat[2] != PRESENT else ""
        elif name == f"{now} players":
            name = f"{players} players"
        found.append(at.get(name, NEW))
    return np.array(found, np.int64)


def _kept(array: np.ndarray, rows: np.ndarray) -> np.ndarray:
    found = array[np.maximum(rows, 0)]
    found[rows == NEW] = 0
    return found


def _count(rows: np.ndarray) -> tuple[int, int]:
    return len(rows), int((rows == NEW).sum())
