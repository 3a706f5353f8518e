"""What the others may hold, as one player knows it: the chances of each card, from worlds dealt from his knowledge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from wattman.engine.game import InfoState

WORLDS = 400
UNKNOWN = "?"


@dataclass(frozen=True)
class Holding:
    """One kind of card in one hidden place of another player.

    Attributes
    ----------
    player : int
    place : str
        As `to_dict()["players"]` calls it: ``hand``, ``tickets``.
    card : str
    chance : float
        That he has at least one.
    expected : float
        How many he has on average.
    known : int
        How many of them the observer knows of.
    """

    player: int
    place: str
    card: str
    chance: float
    expected: float
    known: int

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return dict(self.__dict__)


def holdings(info: InfoState, worlds: int = WORLDS, seed: int = 0) -> list[Holding]:
    """What the other players may hold, by player and place, the likeliest first.

    Parameters
    ----------
    info : InfoState
    worlds : int
        How many worlds are dealt; the standard error of a chance p is √(p (1 - p) / worlds).
    seed : int

    Returns
    -------
    list of Holding
        Of every place of which something is hidden.
    """
    known = _places(info.to_dict())
    chances: dict[tuple[int, str], Counter] = {}
    sums: dict[tuple[int, str], Counter] = {}
    for number in range(worlds):
        for key, cards in _places(info.sample(seed + number).to_dict()).items():
            if key[0] != info.player and cards != known.get(key):
                chances.setdefault(key, Counter()).update(cards.keys())
                sums.setdefault(key, Counter()).update(cards)
    found = [
        Holding(player, place, card, count / worlds, sums[player, place][card] / worlds, known.get((player, place), Counter())[card])
        for (player, place), counts in chances.items()
        for card, count in counts.items()
    ]
    order = {key: number for number, key in enumerate(chances)}
    return sorted(found, key=lambda each: (each.player, order[each.player, each.place], -each.chance, -each.expected, each.card))


def _places(table: dict) -> dict[tuple[int, str], Counter]:
    """The cards in each place of each player."""
    places = {}
    for player, seat in enumerate(table.get("players", [])):
        for place, value in seat.items():
            if (cards := _cards(value)) is not None:
                places[player, place] = cards
    for player, card in enumerate(table.get("cards", []) if "players" not in table else []):  # one card a player
        places[player, "hand"] = Counter([card] if card not in ("", UNKNOWN) else [])
    return places


def _cards(value: object) -> Counter | None:
    """Cards written as a list, as a text of letters or as numbers by kind; None if it is something else."""
    if isinstance(value, dict) and all(isinstance(count, int) for count in value.values()):
        return Counter({card: count for card, count in value.items() if card != UNKNOWN and count})
    if isinstance(value, str):
        return Counter(value.replace(UNKNOWN, ""))
    if isinstance(value, list) and all(isinstance(card, str) for card in value):
        return Counter(card for card in value if card != UNKNOWN)
    return None
