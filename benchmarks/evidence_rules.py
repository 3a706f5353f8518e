"""How each game is played beside its reference, for `evidence.py rules`: rows of policies and variants, numbers of players and options."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # here, not under main: the worker processes need it too

import lisbon_reference  # noqa: E402
import portland_reference  # noqa: E402
import trambahn_reference  # noqa: E402
import tramways_reference  # noqa: E402
from lockstep import POLICIES, lockstep  # noqa: E402

CHECKED = 10  # in one game of so many the reference checks its own invariants too, which takes as long again
MIXED = "mixed"  # the players follow different policies
SMALL = str(ROOT / "tests" / "boards" / "portland_small.toml")


@dataclass(frozen=True)
class Beside:
    """A game beside its reference.

    Attributes
    ----------
    variant : str
        Column heading of what `variants` are.
    variants : tuple of str
    options : callable
        ``options(variant, seed)``: a game's options.
    reference : callable
        ``reference(options)``: a fresh reference.
    sources : tuple of str
        Files that matter besides those of all games.
    counts : dict of str to str
        What the reference has counted, by what it is called here: attributes, or keys of its `events`.
    """

    variant: str
    variants: tuple[str, ...]
    options: Callable[[str, int], dict[str, Any]]
    reference: Callable[[dict[str, Any]], Any]
    sources: tuple[str, ...]
    counts: dict[str, str]


def _portland_options(variant: str, seed: int) -> dict[str, Any]:
    board = SMALL if variant == "small" else variant
    return {"players": 2 + seed % 4, "board": board, "payment": ("shortfall", "free")[seed // 4 % 2]}


def _tramways_options(variant: str, seed: int) -> dict[str, Any]:
    some = ("station", "stock_exchange+park", "funfair+airports", "park+airports", "station+funfair")
    return {"players": 1 + seed % 5, "expansions": some[seed // 5 % len(some)] if variant == "some" else variant}


GAMES = {
    "trambahn": Beside(
        variant="halving",
        variants=("on_empty", "on_need"),
        options=lambda variant, seed: {"halving": variant},
        reference=lambda options: trambahn_reference.Reference(**options),
        sources=("engine/games/trambahn*", "engine/games/_trambahn*", "tests/trambahn*"),
        counts={},
    ),
    "lisbon": Beside(
        variant="rules",
        variants=("english", "german"),
        options=lambda variant, seed: {"players": 2 + seed % 3, "rules": variant},
        reference=lambda options: lisbon_reference.Reference(**options),
        sources=("engine/games/lisbon*", "engine/games/_lisbon*", "engine/data/lisbon/*", "tests/lisbon*"),
        counts={},
    ),
    "portland": Beside(
        variant="board",
        variants=("portland", "small"),
        options=_portland_options,
        reference=lambda options: portland_reference.Reference(**options),
        sources=("engine/games/portland*", "engine/games/_portland*", "engine/data/portland/*", "tests/portland*", "tests/boards/*"),
        counts={
            "turns": "turns",
            "reshuffles": "reshuffles",
            "market resets": "all_resets",
            "three passes left, too few other cards": "guarded",
            "three passes left, ten resets": "capped",
            "turns with one card": "one_card_turns",
            "skips": "all_skips",
        },
    ),
    "tramways": Beside(
        variant="expansions",
        variants=("full", "base", "some"),
        options=_tramways_options,
        reference=lambda options: tramways_reference.Reference(**options),
        sources=("engine/games/tramways/*.p[xy][dx]", "engine/games/_tramways*", "engine/data/tramways/*", "tests/tramways*"),
        counts={
            "bids": "bid",
            "bids paid with cards": "bid with cards",
            "links": "build",
            "upgraded": "upgrade",
            "buildings": "construct",
            "trips": "move",
            "flights": "flights",
            "trips to the Funfair": "to F",
            "Station cards": "station card",
            "development cards": "market",
            "discards": "discard",
        },
    ),
}


def policies(game: str) -> tuple[str, ...]:
    """The rows of a game's table."""
    return (*POLICIES[game], MIXED)


def one(game: str, policy: str, variant: str, seed: int) -> tuple[int, dict[str, int]]:
    """One whole game; steps compared and rare events. Raises what `lockstep` does."""
    beside = GAMES[game]
    options = beside.options(variant, seed)
    reference = beside.reference(options)
    chosen: Any = policy
    if policy == MIXED:
        players = options.get("players", 2)
        rng, names = random.Random(seed), list(POLICIES[game])
        chosen = [POLICIES[game][name] for name in (rng.sample(names, players) if players <= len(names) else rng.choices(names, k=players))]
    sides = lockstep(game, reference, chosen, seed, conserved=seed % CHECKED == 0, **options)
    events = getattr(reference, "events", {})
    return len(sides.actions), {
        name: events[counter] if counter in events else getattr(reference, counter, 0) for name, counter in beside.counts.items()
    }
