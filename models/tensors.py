"""Shards: self-play records as arrays, for training. docs/network.md describes every array.

A shard is made from a file of records by replaying it, and from nothing else: the same records give the same bytes, and a shard that was
lost is made again. Observations are mostly zero, so of each row there is one bit per number, and the numbers that are not zero.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from wattman.engine.game import Game
from wattman.engine.records import Record, read
from wattman.models.npz import DAMAGED, read_npz
from wattman.models.terms import describe, has_terms

FORMAT = 2

TERMS = {"term_counts": np.uint8, "terms": np.int32, "factors": np.float16}  # where a game has them

Arrays = dict[str, np.ndarray]


def pack(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows as bits of what is not zero, uint8 (rows, width / 8 rounded up), and these numbers, float16 (all)."""
    there = rows != 0
    return np.packbits(there, axis=1), rows[there].astype(np.float16)


def unpack(bits: np.ndarray, numbers: np.ndarray, width: int) -> np.ndarray:
    """What was packed, float16 (rows, width)."""
    there = np.unpackbits(bits, axis=1, count=width).astype(bool)
    rows = np.zeros(there.shape, np.float16)
    rows[there] = numbers
    return rows


def rows_of(game: Game, record: Record) -> list[dict[str, Any]]:
    """The decisions with a choice of a finished game, as its players saw them."""
    state = game.new_initial_state()
    rows: list[dict[str, Any]] = []
    decision = 0
    for ply, text in enumerate(record.actions):
        player = state.current_player()
        if player >= 0:
            entry = record.search[decision] if record.search is not None else None
            decision += 1
            actions = describe(state)
            legal = actions["legal"].tolist()
            if len(legal) > 1:
                visits = [0] * len(legal)
                if entry is not None:
                    found = {state.string_to_action(move): count for move, count in entry["visits"].items()}
                    visits = [found.get(action, 0) for action in legal]
                rows.append(
                    {
                        "ply": ply,
                        "player": player,
                        "observation": state.observation_tensor(player),
                        "hidden": state.hidden_targets(player),
                        **actions,
                        "visits": visits,
                        "root": (np.nan, np.nan) if entry is None else (entry["win"], entry["margin"]),
                    }
                )
        state.apply_action(state.string_to_action(text))
    ends = state.values()
    for row in rows:  # by seat from the viewer on: win shares, then margins, then scores
        row["value"] = np.roll(ends, -row["player"], axis=0).T.reshape(-1)
    return rows


def shard(game: Game, records: Iterable[Record]) -> Arrays:
    """The arrays of finished games; others are left out."""
    rows: list[dict[str, Any]] = []
    games = 0
    for number, record in enumerate(records):
        games = number + 1
        if record.scores is not None:
            rows += [{"game": number, **row} for row in rows_of(game, record)]

    def column(name: str, kind: type, shape: tuple[int, ...] = ()) -> np.ndarray:
        return np.array([row[name] for row in rows], kind).reshape(len(rows), *shape)

    def every(name: str, kind: type) -> np.ndarray:
        return np.concatenate([row[name] for row in rows] or [[]]).astype(kind)

    bits, numbers = pack(column("observation", np.float32, (game.observation_tensor_shape()[0],)))
    hidden_bits, hidden = pack(column("hidden", np.float32, (game.hidden_targets_shape()[0],)))
    about = {"tensors": FORMAT, "game": game.name, "options": dict(game.options), "layout": game.LAYOUT, "games": games}
    return {
        "about": np.array(json.dumps(about, ensure_ascii=False)),
        "game": column("game", np.int32),
        "ply": column("ply", np.int32),
        "player": column("player", np.int8),
        "observation_bits": bits,
        "observation": numbers,
        "hidden_bits": hidden_bits,
        "hidden": hidden,
        "legal_counts": np.array([len(row["legal"]) for row in rows], np.int32),
        "legal": every("legal", np.int32),
        "visits": np.array([count for row in rows for count in row["visits"]], np.int32),
        "weights": every("weights", np.float16),
        **({name: every(name, kind) for name, kind in TERMS.items()} if has_terms(game) else {}),
        "root": column("root", np.float32, (2,)),
        "value": column("value", np.float32, (3 * game.num_players(),)),
    }


def write_shards(game: Game, folder: str | os.PathLike) -> list[Path]:
    """Make the shards of a directory of self-play, beside its files of records; those that are there and whole are left as they are."""
    paths = []
    for source in sorted(Path(folder).glob("games-*.jsonl")):
        records = list(read(source))
        path = source.with_suffix(".npz")
        paths.append(path)
        said = about(path)
        if said.get("tensors") == FORMAT and said.get("games") == len(records):
            continue
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **shard(game, records))
        temporary = path.with_suffix(".npz.new")
        temporary.write_bytes(buffer.getvalue())
        os.replace(temporary, path)
    return paths


def about(path: str | os.PathLike) -> dict[str, Any]:
    """What a shard says of itself; {} if it cannot be read."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return json.loads(str(file["about"][()]))
    except DAMAGED:
        return {}


def read_shard(game: Game, path: str | os.PathLike) -> Arrays:
    """The arrays of a shard, observations and hidden targets unpacked to float16; ValueError if it is for something else or damaged."""
    said = about(path)
    if not said:
        raise ValueError(f"{path}: this is no shard, or it is damaged")
    for name, wanted in (("tensors", FORMAT), ("game", game.name), ("options", dict(game.options)), ("layout", game.LAYOUT)):
        if said.get(name) != wanted:
            raise ValueError(f"{path}: {name} is {said.get(name)!r}, not {wanted!r}")
    try:
        arrays = read_npz(path)
        del arrays["about"]
        arrays["observation"] = unpack(arrays.pop("observation_bits"), arrays["observation"], game.observation_tensor_shape()[0])
        arrays["hidden"] = unpack(arrays.pop("hidden_bits"), arrays["hidden"], game.hidden_targets_shape()[0])
    except DAMAGED:
        raise ValueError(f"{path}: damaged; if it is deleted it can be made again of the records") from None
    return arrays
