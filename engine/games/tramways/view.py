"""What plain data of Tramways says (`to_dict`): the city, its links, what cards show, for drawing, words, typed turns and position files.

Everything here is worked out from what the view's player may see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from wattman.engine import boards
from wattman.engine.drawing import clip
from wattman.engine.games._tramways_board import Data, load_data

# The colours of the five players, for pictures and screens; no type of building has one of them.
PAINTS = ("#e8731c", "#d6417f", "#1e8f6b", "#6a4fc0", "#4a4a4a")
STYLES = ("bold #ff8f3f", "bold #ff6fa8", "bold #3fc79b", "bold #a48bff", "bold #b0b0b0")
TYPE_STYLES = {"R": "bold #5fbf6f", "C": "bold #6fa4ef", "L": "bold #ff7f6f", "I": "bold #e0b020", "S": "bold"}
WORDS = {"S": "Station", "X": "Stock Exchange", "K": "Park", "F": "Funfair", "V": "small Airport", "W": "large Airport"}
UNKNOWN = "?"
Square = tuple[int, int]


@lru_cache(maxsize=8)
def _shipped(name: str) -> Data:
    return load_data(name)


def data_of(view: dict) -> Data:
    """The boards, cards and numbers that are played with."""
    name = view["options"]["data"]
    return load_data(name) if boards.is_path(name) else _shipped(name)


def player_name(view: dict, seat: int) -> str:
    """What a player is called: his name, or "You" and "Player" with the number of his seat."""
    names = view.get("names")
    if names:
        return clip(names[seat], 20)
    return f"You (player {seat})" if seat == view["player"] else f"Player {seat}"


# --- the city ---


@dataclass
class Place:
    """A building, a parcel or a special tile.

    Attributes
    ----------
    name : str
        As the notation has it.
    squares : list of (row, column)
    type : str
        The letter of the type of building, S for the Station; "" without one.
    room, passengers : int
        Places for passengers, and how many of them wait there.
    owner : int
        Of a parcel; -1 for nobody.
    """

    name: str
    squares: list[Square]
    type: str
    room: int
    passengers: int
    owner: int

    @property
    def parcel(self) -> bool:
        return self.name[1:].isdigit()

    def waiting(self, number: int) -> tuple[int, int]:
        """Passengers on one of its squares, and places there: two squares share alike."""
        each = self.room // len(self.squares)
        return min(max(self.passengers - number * each, 0), each), each


@dataclass
class City:
    """What lies where. `ground`: ``.~^`` by square, of the squares without a place; `places`: in order."""

    rows: int
    columns: int
    size: int  # of a board
    ground: dict[Square, str]
    places: dict[str, Place]
    paths: list[list[Square]]  # of each link of the view, from its first end to its second

    def place_at(self) -> dict[Square, Place]:
        return {square: place for place in self.places.values() for square in place.squares}

    def link_at(self) -> dict[Square, int]:
        """The number of the link, in the order of the view, that has a tile on a square."""
        return {square: number for number, path in enumerate(self.paths) for square in path}


def square(text: str) -> Square:
    """``3.4`` as row and column."""
    row, _, column = text.partition(".")
    return int(row), int(column)


def beside(a: Square, b: Square) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def city_of(view: dict) -> City:
    """The city of a view; while it is being laid out, as much as there is of it."""
    size = len(data_of(view).boards[0].rows)
    ground = {(row, column): sign for row, signs in enumerate(view["city"]) for column, sign in enumerate(signs) if sign in ".~^"}
    places = {
        name: Place(
            name,
            [square(text) for text in entry["squares"]],
            "S" if name == "S" else entry["type"],
            entry["room"],
            entry["passengers"],
            -1 if entry["owner"] is None else entry["owner"],
        )
        for name, entry in view["places"].items()
    }
    paths = [[square(text) for text in link["path"]] for link in view["links"]]
    return City(view["layout"][0] * size, view["layout"][1] * size, size, ground, places, paths)


# --- links and trips ---


def link_between(view: dict, one: str, other: str, owner: int) -> dict | None:
    """A player's link between two places."""
    return next((link for link in view["links"] if {link["from"], link["to"]} == {one, other} and link["owner"] == owner), None)


# --- cards ---


def icons_of(view: dict, kind: str) -> tuple[str, ...]:
    data = data_of(view)
    return data.kinds[data.kind_numbers[kind]].icons


def shown_icon(icon: str) -> str:
    """An icon as screens write it: money as $2, rails as =2."""
    if icon[0] in "rm" and icon[1:].isdigit():
        return f"{'=' if icon[0] == 'r' else '$'}{icon[1:]}"
    return icon


def card_text(view: dict, kind: str, count: int = 1) -> str:
    """A card with its icons: ``t7 [R =3 w $3]``."""
    icons = " ".join(shown_icon(icon) for icon in icons_of(view, kind))
    return f"{kind}{f' x{count}' if count > 1 else ''} [{icons}]"


def kind_named(data: Data, word: str) -> str | None:
    """The kind of card that a word means: capitals count where two differ in nothing else (the parcel card D1, the development card d1)."""
    if word in data.kind_numbers:
        return word
    alike = [kind for kind in data.kind_numbers if kind.casefold() == word.casefold()]
    return alike[0] if len(alike) == 1 else None


def by_kind(view: dict, cards: Iterable[str]) -> list[tuple[str, int]]:
    """Cards counted, in the order of the kinds; unknown ones left out."""
    counts, order = Counter(cards), data_of(view).kind_numbers
    return sorted(((kind, count) for kind, count in counts.items() if kind != UNKNOWN), key=lambda pair: order[pair[0]])


def short(view: dict, cards: Iterable[str]) -> str:
    """Cards in short: ``A1 s1 d1 x2``."""
    return " ".join(kind if count == 1 else f"{kind} x{count}" for kind, count in by_kind(view, cards))


def hidden(player: dict) -> int:
    """How many cards of a hand are not known."""
    return player["hand"].count(UNKNOWN)


def stacks(view: dict) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Building cards and development cards that can still be had, with how many there are."""
    left = [(kind, count) for kind, count in view["stock"].items() if count]
    return [pair for pair in left if pair[0].startswith("b")], [pair for pair in left if not pair[0].startswith("b")]


def holding(view: dict, player: dict) -> str:
    """What is known of a rival's hand: cards, and how many of which others."""
    known, cards, unseen = short(view, player["hand"]), short(view, player["unseen"]), hidden(player)
    rest = "" if not unseen else cards if unseen == len(player["unseen"]) else f"{unseen} of: {cards}"
    return " + ".join(part for part in (known, rest) if part)
