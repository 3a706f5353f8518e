"""Lisbon Tram 28's board as data: places, rails, cards, player boards and set-up, read from a board file.

Board files are described in docs/lisbon-board.md; `engine/boards.py` reads them and `_lisbon_board_check.py` says what is wrong with them.
Colours are numbers in the order of COLOURS everywhere; places are numbers in file order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from wattman.engine import boards, tomlfile
from wattman.engine.games._lisbon_board_check import BONUS, BONUSES, COLOURS, KINDS, MONUMENT, ROSSIO, STOP, check
from wattman.engine.games._lisbon_board_check import COLOUR_NAMES as COLOUR_NAMES  # for whoever imports this module
from wattman.engine.games._lisbon_board_check import TABLES as TABLES

SEATS, ACTION, FREE_MOVE, BELL = range(4)  # numbers of BONUSES


@dataclass(frozen=True)
class Place:
    """A node of the rails. `xy`: from 0 to 100, x to the right, y down. `colour`: of a bonus stop, else -1."""

    id: str
    label: str
    kind: str
    xy: tuple[float, float]
    colour: int = -1
    refill_symbol: bool = False  # of a monument, for refill_model=monument


@dataclass(frozen=True)
class Card:
    """A monument card. `demand`: passengers of each colour; `left`, `right`: colours of the half-tickets on that edge, ascending."""

    id: str
    monument: int  # a place
    vp: int
    demand: tuple[int, int, int, int]
    left: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True)
class PlayerBoard:
    """A player's board and tram. `bonus[k]`: the place among BONUSES of the bonus that colour k unlocks."""

    id: str
    label: str
    bonus: tuple[int, int, int, int]


@dataclass(frozen=True)
class Setup:
    """What a number of players changes. `spaces`: the display spaces in use, ascending."""

    face_up: int  # cards that lie face up at the start, the displayed ones among them
    spaces: tuple[int, ...]

    @property
    def claims_to_trigger(self) -> int:
        """Claims after which the last face-up card has been displayed."""
        return self.face_up - len(self.spaces)


@dataclass(frozen=True, eq=False)
class Board:
    """A board with its deck; made by `load_board`, free of faults."""

    name: str  # as the option `board` has it
    label: str
    places: tuple[Place, ...]
    neighbours: tuple[tuple[int, ...], ...]  # of each place, ascending
    rails: tuple[tuple[int, int, str], ...]  # place, place, line; each rail once, in file order
    no_turn: frozenset[tuple[int, int, int]]  # (from, by way of, to), both directions of each
    cards: tuple[Card, ...]
    player_boards: tuple[PlayerBoard, ...]
    setups: dict[int, Setup]  # by number of players
    refill_symbols: tuple[bool, ...]  # of the display spaces, for refill_model=slot
    tickets_each_colour: int
    start_hand: int
    end_of_turn: int  # tickets drawn
    passengers_each_colour: int
    each_stop: int  # passengers at a stop at the start, and drawn after a claim
    start_seats: int  # for each colour
    bonus_seats: int

    @cached_property
    def rossio(self) -> int:
        return next(i for i, place in enumerate(self.places) if place.kind == ROSSIO)

    @cached_property
    def stops(self) -> tuple[int, ...]:
        """Tram stops, ascending: where passengers wait."""
        return tuple(i for i, place in enumerate(self.places) if place.kind == STOP)

    @cached_property
    def bonus_stops(self) -> tuple[int, ...]:
        """The bonus stop of each colour."""
        return tuple(sorted((i for i, place in enumerate(self.places) if place.kind == BONUS), key=lambda i: self.places[i].colour))

    @cached_property
    def place_numbers(self) -> dict[str, int]:
        """Number of each place by its id."""
        return {place.id: i for i, place in enumerate(self.places)}

    @cached_property
    def card_numbers(self) -> dict[str, int]:
        """Number of each card by its id."""
        return {card.id: i for i, card in enumerate(self.cards)}


def default_board(players: int) -> str:
    """The name of the board for a number of players."""
    return "side_4" if players == 4 else "side_23"


def load_board(board: str, players: int | None = None) -> Board:
    """A board by name or path.

    Parameters
    ----------
    board : str
        The name of a board that comes with the package, or the path of a file.
    players : int, optional
        How many will play on it.

    Raises
    ------
    ValueError
        One line: the file, the key, what is wrong and what is allowed; or that the board is not for so many players.
    """
    made = _read(board) if boards.is_path(board) else _read_once(board)
    source = tomlfile.one_line(board, 200)
    if players is not None and players not in made.setups:
        allowed = " or ".join(map(str, sorted(made.setups)))
        raise ValueError(f"{source}: [setup]: the board is for {allowed} players, not for {players}")
    return made


def _read(board: str) -> Board:
    data, source = boards.read("lisbon", board)
    check(data).insist(source)
    return _board(data, board)


_read_once = lru_cache(maxsize=16)(_read)  # for what comes with the package and does not change


def summary(data: dict) -> str:
    """What a board is, in one line, of data without faults."""
    board = _board(data, "")
    count = {kind: sum(place.kind == kind for place in board.places) for kind in KINDS}
    players = " or ".join(map(str, sorted(board.setups)))
    return (
        f"{board.label}: for {players} players; {len(board.places)} places ({count[STOP]} stops, {count[MONUMENT]} monuments, "
        f"{count[BONUS]} bonus stops, Rossio), {len(board.rails)} rails, {len(board.cards)} cards"
    )


def _colours(letters: str) -> tuple[int, ...]:
    return tuple(sorted(COLOURS.index(letter) for letter in letters))


def _board(data: dict, name: str) -> Board:
    places = tuple(
        Place(
            entry["id"],
            entry["label"],
            entry["kind"],
            (float(entry["xy"][0]), float(entry["xy"][1])),
            COLOURS.index(entry["colour"]) if entry["kind"] == BONUS else -1,
            entry.get("refill_symbol", entry["kind"] == MONUMENT),
        )
        for entry in data["places"]["list"]
    )
    number = {place.id: i for i, place in enumerate(places)}
    rails = tuple(
        (number[a], number[b], way.get("line", ""))
        for way in data["rails"]["ways"]
        for a, b in zip(way["places"], way["places"][1:], strict=False)
    )
    near: list[set[int]] = [set() for _ in places]
    for a, b, _ in rails:
        near[a].add(b)
        near[b].add(a)
    turns = [tuple(number[place] for place in turn) for turn in data["rails"].get("no_turn", [])]
    symbols = tuple(data["display"]["refill_symbols"])
    setups = {}
    for players in (2, 3, 4):
        if str(players) in data["setup"]:
            entry = data["setup"][str(players)]
            closed = entry.get("closed_spaces", [])
            setups[players] = Setup(entry["face_up"], tuple(i for i in range(len(symbols)) if i not in closed))
    cards = tuple(
        Card(
            entry["id"],
            number[entry["monument"]],
            entry["vp"],
            tuple(entry["demand"].count(colour) for colour in COLOURS),
            _colours(entry["left"]),
            _colours(entry["right"]),
        )
        for entry in data["cards"]["list"]
    )
    player_boards = []
    for entry in data["player_boards"]["list"]:
        unlocks = {entry[bonus]: i for i, bonus in enumerate(BONUSES)}
        label = entry.get("label", entry["id"].replace("_", " ").title())
        player_boards.append(PlayerBoard(entry["id"], label, tuple(unlocks[colour] for colour in COLOURS)))
    return Board(
        name=name,
        label=data.get("label", name),
        places=places,
        neighbours=tuple(tuple(sorted(set_)) for set_ in near),
        rails=rails,
        no_turn=frozenset(turns) | frozenset((c, b, a) for a, b, c in turns),
        cards=cards,
        player_boards=tuple(player_boards),
        setups=setups,
        refill_symbols=symbols,
        tickets_each_colour=data["tickets"]["each_colour"],
        start_hand=data["tickets"]["start_hand"],
        end_of_turn=data["tickets"]["end_of_turn"],
        passengers_each_colour=data["passengers"]["each_colour"],
        each_stop=data["passengers"]["each_stop"],
        start_seats=data["seats"]["start"],
        bonus_seats=data["seats"]["with_bonus"],
    )
