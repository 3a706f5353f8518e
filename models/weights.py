"""Files of weights: what a trained network is on the disk, and which one a game gets.

A file is a `.npz` of float16 arrays, at most 2 MB:

| array | shape | what |
| --- | --- | --- |
| `layerK.weight`, `layerK.bias` | (inputs, width), (width,) | hidden layer K, from 0; rectified |
| `policy.weight`, `policy.bias` | (terms, width), (terms,) | a number for each term of actions; without them there is no policy |
| `policy.base` | (1,) | the power of the game's own weights that these logits correct; 0 if it is not there |
| `value.weight`, `value.bias` | (width, 3 x players), (3 x players,) | by seat from the observer on: logits of wins, margins, scores |
| `hidden.weight`, `hidden.bias` | (width, hidden), (hidden,) | what is hidden from the observer; not used in the search |
| `card` | a text | JSON, see `Card` |

Margins and scores are in units of the game's `scale`, the points that count as all of a margin in rewards.
"""

from __future__ import annotations

import io
import json
import os
import shlex
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from wattman.engine.game import Game
from wattman.models.evaluator import NetEvaluator
from wattman.models.npz import read_npz

FORMAT = 1
VALUES = 3  # numbers per player: win share, margin, own score
LARGEST = 2_000_000  # bytes of a file
SHIPPED = Path(__file__).parent / "weights"

Names = dict[str, list[str]]
"""Of what a network reads and of what its policy tells: `observation` and `terms`."""


@dataclass(frozen=True)
class Card:
    """What a network is for, and where it comes from.

    Attributes
    ----------
    game : str
    options : dict
        All options of the game: the network plays no other.
    layout : int
        Version of the observation's layout.
    search : dict
        Search parameters that measured best with it. They are its defaults.
    default : bool
        Whether it measured better than the search without it, so that `net=auto` takes it.
    notes : dict
        For people: how it was trained (data, hours, command), and what was measured.
    names : dict
        What its inputs and terms are, see `names_of`; the board's file may have been changed since. Older files have none.
    """

    game: str
    options: dict[str, Any]
    layout: int
    search: dict[str, Any] = field(default_factory=dict)
    default: bool = False
    notes: dict[str, Any] = field(default_factory=dict)
    names: Names = field(default_factory=dict)


def names_of(game: Game) -> Names:
    """Of the inputs of a network for this game, and of its policy's terms."""
    return {"observation": game.observation_names(), "terms": game.term_names()}


def card_for(game: Game, **more: Any) -> Card:
    """A card of a network for this game."""
    return Card(game.name, dict(game.options), game.LAYOUT, names=names_of(game), **more)


def save(path: str | os.PathLike, card: Card, arrays: dict[str, np.ndarray]) -> None:
    """Write a file of weights, in one piece; ValueError if they do not fit into float16 or the file would be too large."""
    with np.errstate(over="ignore"):  # what is too large is found below
        arrays = {name: np.asarray(array, np.float16) for name, array in arrays.items()}
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise ValueError(f"{name}: numbers beyond float16")
    text = json.dumps({"weights": FORMAT, **asdict(card)}, ensure_ascii=False)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, card=np.array(text), **arrays)
    if buffer.tell() > LARGEST:
        raise ValueError(f"{path}: {buffer.tell()} bytes; weights may have {LARGEST}")
    temporary = Path(f"{path}.new")
    temporary.write_bytes(buffer.getvalue())
    os.replace(temporary, path)


def load(path: str | os.PathLike) -> tuple[Card, dict[str, np.ndarray]]:
    """The card and the arrays of a file; ValueError that says what is wrong with it."""
    try:
        arrays = read_npz(path)
        data = json.loads(str(arrays.pop("card")[()]))
        if (version := data.pop("weights")) == FORMAT:
            card = Card(**data)
            if set(card.names) not in (set(), {"observation", "terms"}) or "players" not in card.options:
                raise KeyError
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{path}: this is no file of weights") from None
    if version != FORMAT:
        raise ValueError(f"{path}: weights of another version of Wattman")
    return card, arrays


def misfit(card: Card, game: Game) -> str | None:
    """Why a network is not for this game, None if it is."""
    if card.game != game.name:
        return f"it is for {card.game}, not for {game.name}"
    for name, value in game.options.items():
        if card.options.get(name) != value:
            return f"it is for {name}={card.options.get(name)}, not for {name}={value}"
    if card.layout != game.LAYOUT:
        return f"it was made for layout {card.layout} of the observation, and this is layout {game.LAYOUT}; it must be trained anew"
    if card.names and card.names != (now := names_of(game)):
        pairs = [(a, b) for what in now for a, b in zip_longest(card.names[what], now[what]) if a != b]
        return f"the board or data file has changed since: it was made for {pairs[0][0]!r}, where there is {pairs[0][1]!r} now"
    return None


def akin(card: Card, game: Game) -> bool:
    """Whether a network can be carried over to the game (`wattman.models.transfer`), if it does not fit as it is."""
    return card.game == game.name and card.layout == game.LAYOUT


def _how_to_carry_over(path: str | os.PathLike, game: Game) -> str:
    """The command that makes a network for the game of one for other options."""
    usual = type(game)(players=game.num_players()).options
    others = [f" --option {shlex.quote(f'{name}={value}')}" for name, value in game.options.items() if value != usual[name]]
    return f"wattman transfer {game.name} {shlex.quote(str(path))} --out NEW.npz --players {game.num_players()}{''.join(others)}"


def evaluator(path: str | os.PathLike, game: Game) -> NetEvaluator:
    """The network of a file, ready for the search; ValueError with the reason if it does not fit the game."""
    card, arrays = load(path)
    if reason := misfit(card, game):
        more = f"; to carry it over: {_how_to_carry_over(path, game)}" if akin(card, game) else ""
        raise ValueError(f"{path}: {reason}{more}")
    try:
        return NetEvaluator(game, arrays, card.search)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def shipped(game: Game) -> Path | None:
    """The file of the network that comes with Wattman for this game and its options, None if there is none."""
    for path in sorted(SHIPPED.glob(f"{game.name}*.npz")):
        if misfit(_card(str(path), path.stat().st_mtime_ns), game) is None:
            return path
    return None


def find(game: Game, net: str) -> NetEvaluator | None:
    """What `net=` asks for: `none`, `auto` (the shipped network, if it measured better), `shipped`, or a file."""
    if net == "none":
        return None
    if net not in ("auto", "shipped"):
        try:
            stamp = os.stat(net).st_mtime_ns
        except OSError:
            raise ValueError(f"net={net}: no such file; expected none, auto, shipped, or a file of weights") from None
        return _loaded(net, stamp, game)
    path = shipped(game)
    if path is None:
        if net == "shipped":
            raise ValueError(f"net=shipped: no network comes with Wattman for {game!r}")
        return None
    if net == "auto" and not _card(str(path), path.stat().st_mtime_ns).default:
        return None
    return _loaded(str(path), 0, game)


@lru_cache(maxsize=64)
def _card(path: str, stamp: int) -> Card:
    return load(path)[0]


@lru_cache(maxsize=16)
def _loaded(path: str, stamp: int, game: Game) -> NetEvaluator:
    return evaluator(path, game)
