"""Shards as a PyTorch dataset."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset

from wattman.engine.game import Game
from wattman.engine.symmetry import Symmetry
from wattman.models.tensors import Arrays, read_shard
from wattman.models.terms import has_terms

Batch = dict[str, Tensor]
"""`observation` (rows, observation), `value` (rows, 3 x players), `hidden` (rows, hidden); and for all legal actions of all rows that were
searched in full: `row` (n) in which it stands, `weight` (n) the game's own as a share of the row's, `share` (n) of the visits. Of the terms
of all these actions (see engine/abi.pxd): `of` (m), which of the n actions, `term` (m), `factor` (m)."""


class Shards(Dataset[Batch]):
    """Decisions from shards, or from arrays in their layout.

    Parameters
    ----------
    game : Game
    paths : sequence of paths
        Shards, all of this game.
    more : sequence of dict of arrays
        Of `wattman.models.games.play_games`: positions without a search.
    root : float
        Share of what the search expected in the values of a position that was searched in full; the rest is the game's result.
    """

    def __init__(self, game: Game, paths: Sequence[str | os.PathLike], more: Sequence[Arrays] = (), root: float = 0.0) -> None:
        parts = [read_shard(game, path) for path in paths]
        players = game.num_players()
        whole = [*parts, *more]
        self.observation = _joined([part["observation"] for part in whole], (0, game.observation_tensor_shape()[0]), np.float16)
        self.hidden = _joined([part["hidden"] for part in whole], (0, game.hidden_targets_shape()[0]), np.float16)
        values = [_with_root(part["value"], part["root"], players, root) for part in parts] + [part["value"] for part in more]
        self.value = _joined(values, (0, 3 * players), np.float32)
        self.legal = _joined([part["legal"] for part in parts], (0,), np.int32)
        self.visits = _joined([part["visits"] for part in parts], (0,), np.int32)
        self.weights = _joined([part["weights"] for part in parts], (0,), np.float16)
        self.symmetries = game.symmetries()
        self.first_term = None  # of each legal action; None: its id is its only one
        if has_terms(game):
            self.terms = _joined([part["terms"] for part in parts], (0,), np.int32)
            self.factors = _joined([part["factors"] for part in parts], (0,), np.float16)
            self.first_term = np.concatenate([[0], np.cumsum(_joined([part["term_counts"] for part in parts], (0,), np.int64))])
        counts = np.zeros(len(self.value), np.int64)
        searched = _joined([part["legal_counts"] for part in parts], (0,), np.int32)
        counts[: len(searched)] = searched
        self.start = np.concatenate([[0], np.cumsum(counts)])

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: int) -> Batch:
        """One decision, as a batch of one row."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self.batch(np.array([index]))

    def __getitems__(self, indices: Sequence[int]) -> Batch:
        """Several decisions as one batch. A `DataLoader` asks for them so; with `collate_fn=dict` it gives the batch as it is."""
        return self.batch(np.array(indices))

    def batch(self, rows: np.ndarray, symmetry: Symmetry | None = None) -> Batch:
        """Some decisions; with a symmetry renamed, as far as all their actions can be."""
        row, place = _spread(self.start, rows)
        visits = self.visits[place].astype(np.float32)
        total = np.bincount(row, visits, len(rows)).astype(np.float32)
        there = total[row] > 0
        row, place, visits = row[there], place[there], visits[there]
        if self.first_term is None:
            of, term, factor = np.arange(len(place)), self.legal[place], np.ones(len(place), np.float32)
        else:
            of, found = _spread(self.first_term, place)
            term, factor = self.terms[found], self.factors[found].astype(np.float32)
        observation, hidden = self.observation[rows].astype(np.float32), self.hidden[rows].astype(np.float32)
        if symmetry is not None:
            term = symmetry.actions[term]
            left = np.unique(row[term < 0])
            term = np.where(np.isin(row, left), self.legal[place], term)
            whole = np.setdiff1d(np.arange(len(rows)), left)
            observation[whole], hidden[whole] = observation[np.ix_(whole, symmetry.observation)], hidden[np.ix_(whole, symmetry.hidden)]
        return {
            "observation": torch.from_numpy(observation),
            "value": torch.from_numpy(self.value[rows]),
            "hidden": torch.from_numpy(hidden),
            "row": torch.from_numpy(row),
            "weight": torch.from_numpy(self.weights[place].astype(np.float32)),
            "share": torch.from_numpy(visits / total[row]),
            "of": torch.from_numpy(of),
            "term": torch.from_numpy(term.astype(np.int64)),
            "factor": torch.from_numpy(factor),
        }


def _spread(start: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Entries of several runs: of each, which of `rows` it belongs to, and its place. Run i goes from start[i] to start[i + 1]."""
    counts = start[rows + 1] - start[rows]
    row = np.repeat(np.arange(len(rows)), counts)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts) + start[rows][row]


def _with_root(value: np.ndarray, root: np.ndarray, players: int, share: float) -> np.ndarray:
    """Values with a share of what the searches expected for the mover; the others divide the rest of the win as they did."""
    value = value.copy()
    there = ~np.isnan(root[:, 0])
    if not share or players == 1 or not there.any():
        return value
    wins = (1 - share) * value[there, 0] + share * root[there, 0]
    others = value[there, 1:players] + 1e-6  # where he won alone: evenly
    value[there, 0] = wins
    value[there, 1:players] = others / others.sum(1, keepdims=True) * (1 - wins)[:, None]
    value[there, players] = (1 - share) * value[there, players] + share * root[there, 1]
    if players == 2:
        value[there, 3] = -value[there, 2]
    return value


def _joined(arrays: list[np.ndarray], shape: tuple[int, ...], kind: type) -> np.ndarray:
    return np.concatenate([array.astype(kind, copy=False) for array in arrays]) if arrays else np.zeros(shape, kind)
