"""Tramways' boards, cards and numbers as data, read from a file; docs/tramways-data.md describes such files.

`engine/boards.py` reads them and `_tramways_board_check.py` says what is wrong with them and how large they can be. Card kinds, boards and
tiles are numbers in file order everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wattman.engine import boards
from wattman.engine.games._tramways_board_check import EXPANSIONS, FAMILIES, NUMBERS, PLAYERS, TABLES, check

__all__ = ["EXPANSIONS", "TABLES", "CardKind", "CityBoard", "Data", "Setup", "check", "load_data", "summary"]


@dataclass(frozen=True)
class CardKind:
    """A kind of cards. `icons`: as the file writes them, without the magnetic strip that every card has."""

    text: str  # in the notation
    family: str  # parcels, buildings, starters, development or auction
    copies: int
    icons: tuple[str, ...]


@dataclass(frozen=True)
class CityBoard:
    """One of the boards that a city is made of. `rows`: ``.~^ab123``; `types`: of its printed buildings, by letter."""

    letter: str
    rows: tuple[str, ...]
    types: dict[str, str]


@dataclass(frozen=True)
class Setup:
    """What depends on the number of players: rows and columns of boards, and numbers of cards."""

    layout: tuple[int, int]
    buildings: int  # cards of each type
    stations: int
    offer: int  # auction cards face up in a round
    development: int  # cards of each kind


@dataclass(frozen=True)
class Data:
    """A file of Tramways without faults; made by `load_data`.

    Attributes
    ----------
    name : str
        As the option `data` has it.
    label : str
    numbers : dict of str to dict
        The tables of plain numbers as they stand in the file: ``numbers["leisure"]["price"]``.
    boards : tuple of CityBoard
    kinds : tuple of CardKind
        In file order: parcel cards, building cards, starters, development cards, auction cards.
    setup : dict of int to Setup
        By number of players.
    squares : dict of str to int
        Of each special tile.
    types : dict of str to (str, str)
        Name and colour (``#rrggbb``) of each type of building, by its letter.
    """

    name: str
    label: str
    numbers: dict[str, dict]
    boards: tuple[CityBoard, ...]
    kinds: tuple[CardKind, ...]
    setup: dict[int, Setup]
    squares: dict[str, int]
    types: dict[str, tuple[str, str]]

    @cached_property
    def kind_numbers(self) -> dict[str, int]:
        return {kind.text: i for i, kind in enumerate(self.kinds)}


def load_data(name: str = "tramways") -> Data:
    """The data by name or path.

    Raises
    ------
    ValueError
        One line: the file, the key, what is wrong and what is allowed.
    """
    data, source = boards.read("tramways", name)
    check(data).insist(source)
    return _made(data, name)


def summary(data: dict) -> str:
    """What a file is, in one line, of tables without faults."""
    made = _made(data, "")
    parcels = sum(kind.family == "parcels" for kind in made.kinds)
    cards = sum(kind.copies for kind in made.kinds)
    return f"{made.label}: {len(made.boards)} boards with {parcels} parcels, {cards} cards of {len(made.kinds)} kinds"


def _made(data: dict, name: str) -> Data:
    """The data of a file's tables, which have no faults."""
    kinds = [
        CardKind(text, family, entry["copies"], tuple(entry["icons"]))
        for family in FAMILIES
        for text, entry in data["cards"][family].items()
        if text != "basis"
    ]
    setup = {}
    for players in PLAYERS:
        entry = data["setup"][players]
        setup[int(players)] = Setup(tuple(entry["layout"]), *(entry[key] for key in ("buildings", "stations", "offer", "development")))
    return Data(
        name=name,
        label=data.get("label", name),
        numbers={table: data[table] for table in (*NUMBERS, "expansions")},
        boards=tuple(
            CityBoard(letter, tuple(entry["rows"]), dict(entry["types"])) for letter, entry in data["boards"].items() if letter != "basis"
        ),
        kinds=tuple(kinds),
        setup=setup,
        squares={tile: entry["squares"] for tile, entry in data["tiles"].items() if tile != "basis"},
        types={letter: (entry["name"], entry["colour"]) for letter, entry in data["types"].items() if letter != "basis"},
    )
