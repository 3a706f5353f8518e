"""Stop Requested: Portland's board as data: stations, routes, tickets, cards and the numbers of the rules, read from a board file.

Board files are described in docs/portland-board.md; `engine/boards.py` reads them and `_portland_board_check.py` says what is wrong with
them and how large they can be. Stations, routes, card types and tickets are numbers in file order everywhere; the wild card, `pass`, is
the last type.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from wattman.engine import boards
from wattman.engine.games._portland_board_check import TABLES, WILD, check
from wattman.engine.tomlfile import listed

__all__ = ["ANY", "TABLES", "WILD", "Board", "CardType", "Offer", "Route", "Station", "Ticket", "check", "load_board", "summary"]
ANY = -1  # type of a gray route: any one type


@dataclass(frozen=True)
class Station:
    """A station. `xy`: from 0 to 100, x to the right, y down; `place`: the real one, for a reader."""

    name: str
    xy: tuple[float, float]
    place: str = ""

    @property
    def text(self) -> str:
        """How the notation writes it."""
        return self.name.replace(" ", "_")


@dataclass(frozen=True)
class CardType:
    """A type of train car cards. `colour`: as SVG has it, `#rrggbb`."""

    id: str  # as the notation writes it
    label: str
    count: int
    colour: str


@dataclass(frozen=True)
class Route:
    """A route between two stations. `type`: of the cards that claim it, or ANY; `other`: the other route of a double, or -1."""

    text: str  # in the notation
    a: int
    b: int
    type: int
    length: int
    bonus: int  # points for claiming it, besides those for its length
    other: int
    line: str = ""  # which line it is, for a reader


@dataclass(frozen=True)
class Ticket:
    """A destination ticket."""

    text: str  # in the notation
    a: int
    b: int
    points: int


@dataclass(frozen=True)
class Offer:
    """How many tickets are offered, and how many of them are kept at least."""

    offered: int
    keep: int


@dataclass(frozen=True)
class Board:
    """A board with its cards and tickets; made by `load_board`, free of faults."""

    name: str  # as the option `board` has it
    label: str
    stations: tuple[Station, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    types: tuple[CardType, ...]  # the wild one last
    trains: dict[int, int]  # of each player, by number of players; the board is for these
    last_round: int  # a turn that ends with so many trains or fewer brings the last round
    one_of_a_double: int  # with so many players or fewer, one route of a double closes the other
    route_points: tuple[int, ...]  # by length; [0] is 0
    longest_path: int  # points of the bonus
    hand: int  # cards dealt to each player
    face_up: int  # cards in the market
    pass_limit: int  # so many face-up passes, and the market is discarded
    start_tickets: Offer
    more_tickets: Offer

    @property
    def wild(self) -> int:
        """The type of the wild card."""
        return len(self.types) - 1

    @property
    def cards(self) -> int:
        """How many train car cards there are."""
        return sum(kind.count for kind in self.types)

    def points(self, route: int) -> int:
        """Points for claiming a route, its bonus included."""
        return self.route_points[self.routes[route].length] + self.routes[route].bonus

    @cached_property
    def ways(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """(route, station at its other end) of each station."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.stations]
        for i, route in enumerate(self.routes):
            found[route.a].append((i, route.b))
            found[route.b].append((i, route.a))
        return tuple(map(tuple, found))

    @cached_property
    def type_numbers(self) -> dict[str, int]:
        return {kind.id: i for i, kind in enumerate(self.types)}

    @cached_property
    def route_numbers(self) -> dict[str, int]:
        return {route.text: i for i, route in enumerate(self.routes)}

    @cached_property
    def ticket_numbers(self) -> dict[str, int]:
        return {ticket.text: i for i, ticket in enumerate(self.tickets)}


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
    data, source = boards.read("portland", board)
    check(data).insist(source)
    made = _board(data, board)
    if players is not None and players not in made.trains:
        allowed = listed(sorted(made.trains))
        raise ValueError(f"{source}: [trains].players: the board is for {allowed} players, not for {players}")
    return made


def summary(data: dict) -> str:
    """What a board is, in one line, of data without faults."""
    board = _board(data, "")
    doubles = sum(route.other >= 0 for route in board.routes) // 2
    double = "double" if doubles == 1 else "doubles"
    spaces = sum(route.length for route in board.routes)
    return (
        f"{board.label}: for {listed(sorted(board.trains))} players; {len(board.stations)} stations, "
        f"{len(board.routes)} routes ({doubles} {double}, {spaces} spaces), {len(board.tickets)} tickets, "
        f"{board.cards} cards of {len(board.types) - 1} types and passes"
    )


def _routes(entries: list[dict], station: dict[str, int], kind: dict[str, int]) -> tuple[Route, ...]:
    """The routes in file order, each with its text: two of one pair and type are told apart by `#1` and `#2`."""

    def written(entry: dict) -> str:
        a, b = (entry[end].replace(" ", "_") for end in "ab")
        return f"{a}--{b}:{entry['type']}"

    def same(entry: dict) -> tuple:
        return frozenset((entry["a"], entry["b"])), entry["type"]

    alike = Counter(map(same, entries))
    met: Counter = Counter()
    pairs: dict[frozenset, list[int]] = {}
    for i, entry in enumerate(entries):
        pairs.setdefault(frozenset((entry["a"], entry["b"])), []).append(i)
    routes = []
    for i, entry in enumerate(entries):
        met[same(entry)] += 1
        mark = f"#{met[same(entry)]}" if alike[same(entry)] > 1 else ""
        others = [j for j in pairs[frozenset((entry["a"], entry["b"]))] if j != i]
        routes.append(
            Route(
                written(entry) + mark,
                station[entry["a"]],
                station[entry["b"]],
                kind.get(entry["type"], ANY),
                entry["length"],
                entry.get("bonus", 0),
                others[0] if others else -1,
                entry.get("line", ""),
            )
        )
    return tuple(routes)


def _board(data: dict, name: str) -> Board:
    """The board of a file's tables, which have no faults."""
    stations = tuple(
        Station(entry["name"], (float(entry["xy"][0]), float(entry["xy"][1])), entry.get("place", "")) for entry in data["stations"]["list"]
    )
    wild = data["cards"]["wild"]
    types = tuple(CardType(entry["id"], entry["label"], entry["count"], entry["colour"]) for entry in data["cards"]["types"])
    types += (CardType(WILD, wild["label"], wild["count"], wild["colour"]),)
    number = {station.name: i for i, station in enumerate(stations)}
    tickets = tuple(
        Ticket(
            f"{stations[number[entry['a']]].text}>{stations[number[entry['b']]].text}",
            number[entry["a"]],
            number[entry["b"]],
            entry["points"],
        )
        for entry in data["tickets"]["list"]
    )
    deal, scoring, trains = data["deal"], data["scoring"], data["trains"]
    return Board(
        name=name,
        label=data.get("label", name),
        stations=stations,
        routes=_routes(data["routes"]["list"], number, {kind.id: i for i, kind in enumerate(types[:-1])}),
        tickets=tickets,
        types=types,
        trains={int(players): count for players, count in trains["players"].items()},
        last_round=trains["last_round"],
        one_of_a_double=trains["one_of_a_double"],
        route_points=(0, *scoring["routes"]),
        longest_path=scoring["longest_path"],
        hand=deal["hand"],
        face_up=deal["face_up"],
        pass_limit=deal["pass_limit"],
        start_tickets=Offer(deal["start_tickets"]["offered"], deal["start_tickets"]["keep"]),
        more_tickets=Offer(deal["more_tickets"]["offered"], deal["more_tickets"]["keep"]),
    )
