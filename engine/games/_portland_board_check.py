"""What a board file of Stop Requested: Portland may say, and a check that lists everything that is wrong with one at once.

A place in errors is the table and, in a list, what the entry is called: ``[stations].Gresham.xy``, ``[cards].teal.count``,
``[routes].Tigard--Hillsdale:teal.length``, ``[tickets].Hillsboro>Gresham.points``; an entry that cannot be named is counted from 1:
``[routes].entry 3.a``.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable

from wattman.engine.boards import Report
from wattman.engine.tomlfile import Section, listed, show

# Caps: what the engine's arrays hold.
MAX_STATIONS = 64
MAX_ROUTES = 128
MAX_TYPES = 16  # the wild one included
MAX_TICKETS = 80
MAX_LENGTH = 9  # of a route
MAX_CARDS = 240
MAX_COPIES = 99  # of one type
MAX_TRAINS = 99
MAX_POINTS = 99  # of a route, a bonus or a ticket
MAX_HAND = 10  # dealt at the start
MAX_FACE_UP = 8
MAX_OFFERED = 3
NAME_LENGTH = 24
ID_LENGTH = 12

WILD = "pass"  # how the notation writes the wild card, whatever its id
GRAY = "gray"  # type of a route that any one type may claim
PLAYERS = ("2", "3", "4", "5")

TABLES = {  # and the keys of each
    "trains": ("basis", "players", "last_round", "one_of_a_double"),
    "scoring": ("basis", "routes", "longest_path"),
    "deal": ("basis", "hand", "face_up", "pass_limit", "start_tickets", "more_tickets"),
    "cards": ("basis", "wild", "types"),
    "stations": ("basis", "list"),
    "routes": ("basis", "list"),
    "tickets": ("basis", "list"),
}
SHARED = ("trains", "scoring", "deal")  # the shipped part "rules" has them
BASES = ("fact", "inferred", "reconstruction")
_ID = re.compile(r"[a-z][a-z0-9_]*")
_ID_RULE = f"a small letter, then small letters a-z, digits and _, at most {ID_LENGTH} characters"
_NAME = re.compile(r"[^\W_]([^\W_]|[ .'&-])*")
_NAME_RULE = f"letters, digits, single spaces and . ' & - between them, at most {NAME_LENGTH} characters"
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_RESERVED = (WILD, GRAY, "unknown")


def _good_name(name: str) -> bool:
    """Whether a station may be called so: the notation can tell where it begins and ends."""
    fit = _NAME.fullmatch(name) and (name[-1].isalnum() or name[-1] == ".") and len(name) <= NAME_LENGTH
    return bool(fit) and "  " not in name and "--" not in name


def check(data: dict) -> Report:
    """All faults and remarks of a board's tables (as `engine.boards.read` gives them)."""
    return _Check(data).report


class _Check:
    """One check. What later tests need of earlier ones is None, or left out, where it could not be read."""

    def __init__(self, data: dict):
        self.report = report = Report()
        top = report.section(data, "", ["game", "label", *TABLES])
        self.table: dict[str, Section] = {}
        if "label" in top:
            self._shown(top, "label")
        for name, keys in TABLES.items():
            if name not in top:
                hint = '; parts = ["rules"] takes it from the shipped ones' if name in SHARED else ""
                report.fault(f"[{name}]", f"missing; expected a table{hint}")
            elif report.get(top.section, name) is not None:
                self.table[name] = report.section(data[name], f"[{name}]", keys)
                self._basis(self.table[name])
        self.trains = self._trains()
        self.lengths = self._scoring()
        self.hand, self.face_up, self.offered = self._deal()
        self.copies = self._cards()  # by type; those that could not be read are None
        self.stations = self._stations()
        self.ways: dict[str, list[tuple[str, int]]] = {name: [] for name in self.stations}  # (neighbour, length)
        self._routes()
        self._reached()
        self._tickets()

    # --- small things ---

    def _basis(self, section: Section) -> None:
        if "basis" in section:
            self.report.get(section.word, "basis", BASES)

    def _whole(self, table: str, key: str, low: int, high: int) -> int | None:
        return self.report.get(self.table[table].whole, key, low, high) if table in self.table else None

    def _shown(self, section: Section, key: str) -> None:
        """A text that people see."""
        text = self.report.get(section.text, key, "a text on one line")
        if text is not None and not (text.strip() and text.isprintable() and len(text) <= 80):
            self.report.fault(section.place(key), f"{show(text)} cannot be shown; expected a text on one line, at most 80 characters")

    def _inner(self, table: str, key: str, keys: Iterable[str], required: bool = True) -> Section | None:
        """A table inside a table."""
        if table not in self.table:
            return None
        outer = self.table[table]
        if key not in outer and required:
            self.report.fault(outer.place(key), f"missing; expected {{{', '.join(f'{name} = ..' for name in keys if name != 'basis')}}}")
            return None
        found = self.report.get(outer.section, key)
        return None if found is None else self.report.section(found.data, found.path, keys)

    def _entries(self, table: str, key: str, example: str, most: int) -> list[tuple[int, dict]]:
        """(count from 1, entry) of a list's tables."""
        if table not in self.table:
            return []
        outer = self.table[table]
        values = self.report.get(outer.value, key, list, f"a list of entries like {example}") or []
        if len(values) > most:
            self.report.fault(outer.place(key), f"{len(values)} entries; at most {most} are possible")
        for count, value in enumerate(values, 1):
            if not isinstance(value, dict):
                self.report.fault(f"[{table}].entry {count}", f"{show(value)} is no entry; expected one like {example}")
        return [(count, value) for count, value in enumerate(values, 1) if isinstance(value, dict)]

    # --- the numbers of the rules ---

    def _trains(self) -> dict[int, int]:
        """Trains of each player by number of players."""
        found: dict[int, int] = {}
        section = self._inner("trains", "players", PLAYERS)
        if section is not None:
            for players in PLAYERS:
                if players in section:
                    number = self.report.get(section.whole, players, 1, MAX_TRAINS, what="trains")
                    if number is not None:
                        found[int(players)] = number
            if not section.data:
                self.report.fault(section.path, "for no number of players; expected e.g. {2 = 40, 3 = 40}")
        last = self._whole("trains", "last_round", 0, MAX_TRAINS)
        if last is not None and found and last >= min(found.values()):
            self.report.fault(
                "[trains].last_round", f"{last}; expected fewer than the {min(found.values())} trains that a player begins with"
            )
        self._whole("trains", "one_of_a_double", 0, 5)
        return found

    def _scoring(self) -> int | None:
        """How many lengths have points."""
        self._whole("scoring", "longest_path", 0, MAX_POINTS)
        if "scoring" not in self.table:
            return None
        section = self.table["scoring"]
        expected = f"points for the lengths 1, 2, .. (at most {MAX_LENGTH}), each from 0 to {MAX_POINTS}"
        points = self.report.get(section.wholes, "routes", expected)
        if points is None:
            return None
        if not 1 <= len(points) <= MAX_LENGTH or not all(0 <= number <= MAX_POINTS for number in points):
            self.report.fault(section.place("routes"), f"[{', '.join(map(show, points[:12]))}] is not allowed; expected {expected}")
            return None
        return len(points)

    def _deal(self) -> tuple[int | None, int | None, int | None]:
        """Cards dealt to a player, cards in the market, tickets offered at the start."""
        hand = self._whole("deal", "hand", 1, MAX_HAND)
        face_up = self._whole("deal", "face_up", 2, MAX_FACE_UP)
        self._whole("deal", "pass_limit", 2, face_up or MAX_FACE_UP)
        offered = {}
        for key in ("start_tickets", "more_tickets"):
            section = self._inner("deal", key, ["offered", "keep"])
            if section is not None:
                offered[key] = self.report.get(section.whole, "offered", 1, MAX_OFFERED)
                self.report.get(section.whole, "keep", 1, offered[key] or MAX_OFFERED)
        return hand, face_up, offered.get("start_tickets")

    # --- cards ---

    def _cards(self) -> dict[str, int | None]:
        """Copies of each type; WILD is one."""
        copies: dict[str, int | None] = {}
        for count, value in self._entries("cards", "types", "{id = .., label = .., count = .., colour = ..}", MAX_TYPES - 1):
            place = f"[cards].entry {count}"
            name = self.report.get(Section(value, place).text, "id", _ID_RULE)
            if name is not None and (not _ID.fullmatch(name) or len(name) > ID_LENGTH):
                self.report.fault(f"{place}.id", f"{show(name)} is not allowed; expected {_ID_RULE}")
                name = None
            elif name in _RESERVED:
                self.report.fault(f"{place}.id", f'"{name}" has a meaning of its own; no type may be called {listed(_RESERVED)}')
                name = None
            elif name in copies:
                self.report.fault(f"{place}.id", f'"{name}" is used twice')
                name = None
            section = self.report.section(value, f"[cards].{name}" if name else place, ["id", "label", "kind", "count", "colour", "basis"])
            copies[name or f"entry {count}"] = self._card(section, 1)
        if "cards" in self.table and not copies:
            self.report.fault("[cards].types", "no type of card; expected at least one")
        wild = self._inner("cards", "wild", ["id", "label", "count", "colour", "basis"])
        if wild is not None:
            copies[WILD] = self._card(wild, 0)
        if copies and None not in copies.values():
            self._enough(sum(filter(None, copies.values())))
        return copies

    def _card(self, section: Section, least: int) -> int | None:
        self._basis(section)
        self._shown(section, "label")
        if "kind" in section:
            self._shown(section, "kind")
        colour = self.report.get(section.text, "colour", 'a colour such as "#1f5fa8"')
        if colour is not None and not _COLOUR.fullmatch(colour):
            self.report.fault(section.place("colour"), f'{show(colour)} is no colour; expected one such as "#1f5fa8"')
        return self.report.get(section.whole, "count", least, MAX_COPIES, what="cards")

    def _enough(self, cards: int) -> None:
        if cards > MAX_CARDS:
            self.report.fault("[cards].types", f"{cards} cards with the passes; at most {MAX_CARDS} are possible")
        if self.trains and self.hand is not None and self.face_up is not None:
            needed = max(self.trains) * self.hand + self.face_up
            if cards < needed:
                self.report.fault("[cards].types", f"{cards} cards with the passes; dealing to {max(self.trains)} players takes {needed}")

    # --- the map ---

    def _stations(self) -> dict[str, tuple | None]:
        """Where each station is."""
        stations: dict[str, tuple | None] = {}
        spots: dict[tuple, str] = {}
        folded: dict[str, str] = {}
        for count, value in self._entries("stations", "list", "{name = .., xy = [x, y]}", MAX_STATIONS):
            place = f"[stations].entry {count}"
            name = self.report.get(Section(value, place).text, "name", _NAME_RULE)
            if name is not None and not _good_name(name):
                self.report.fault(f"{place}.name", f"{show(name)} is not allowed; expected {_NAME_RULE}")
                name = None
            elif name is not None and name.casefold() in folded:
                self.report.fault(f"{place}.name", f"{show(name)} is used twice ({folded[name.casefold()]})")
                name = None
            section = self.report.section(value, f"[stations].{name}" if name else place, ["name", "xy", "geo", "place", "basis"])
            self._basis(section)
            xy = self._pair(section, "xy", 0, 100, "[x, y], two numbers from 0 to 100 (x to the right, y down)")
            if xy is not None and spots.setdefault(xy, name or place) != (name or place):
                self.report.fault(section.place("xy"), f"lies on {spots[xy]}; every station needs a spot of its own")
            if "geo" in section:
                self._pair(section, "geo", -180, 180, "[latitude, longitude] in degrees")
            if "place" in section:
                self._shown(section, "place")
            if name is not None:
                folded[name.casefold()] = name
                stations[name] = xy
        if "stations" in self.table and len(stations) < 2 and not self.report.faults:
            self.report.fault("[stations].list", f"{len(stations)} stations; expected at least 2")
        return stations

    def _pair(self, section: Section, key: str, low: int, high: int, expected: str) -> tuple | None:
        pair = self.report.get(section.value, key, list, expected)
        if pair is None:
            return None
        if len(pair) == 2 and all(type(number) in (int, float) and low <= number <= high for number in pair):
            return tuple(pair)
        self.report.fault(section.place(key), f"[{', '.join(map(show, pair[:4]))}] is not allowed; expected {expected}")
        return None

    def _ends(self, value: dict, place: str) -> tuple[str, str] | None:
        """The two stations of a route or ticket; whatever is wrong with them is noted."""
        ends = []
        for key in "ab":
            name = self.report.get(Section(value, place).text, key, "the name of a station")
            if name is not None and name not in self.stations:
                self.report.fault(f"{place}.{key}", f"{show(name)} is no station of [stations].list")
            elif name is not None:
                ends.append(name)
        if len(ends) < 2:
            return None
        if ends[0] == ends[1]:
            self.report.fault(f"{place}.b", f"{show(ends[1])} is the station at the other end too")
            return None
        return ends[0], ends[1]

    def _routes(self) -> None:
        pairs: dict[frozenset, list[tuple[str, int | None]]] = {}
        wanted = set()
        entries = self._entries("routes", "list", "{a = .., b = .., type = .., length = ..}", MAX_ROUTES)
        for count, value in entries:
            place = f"[routes].entry {count}"
            ends = self._ends(value, place)
            kinds = [name for name in self.copies if name != WILD and not name.startswith("entry ")]
            kind = self.report.get(Section(value, place).word, "type", [*kinds, GRAY])
            if ends is not None and kind is not None:
                place = f"[routes].{ends[0]}--{ends[1]}:{kind}"
            section = self.report.section(value, place, ["a", "b", "type", "length", "bonus", "line", "basis"])
            self._basis(section)
            length = self.report.get(section.whole, "length", 1, self.lengths or MAX_LENGTH, what="spaces")
            if "bonus" in section:
                self.report.get(section.whole, "bonus", 0, MAX_POINTS, what="points")
            if "line" in section:
                self._shown(section, "line")
            wanted.add(kind)
            if length is not None and kind is not None:
                self._claimable(section, kind, length)
            if ends is not None:
                self.ways[ends[0]].append((ends[1], length or 1))
                self.ways[ends[1]].append((ends[0], length or 1))
                pairs.setdefault(frozenset(ends), []).append((place, length))
        for routes in pairs.values():
            self._double(routes)
        if "routes" in self.table and not entries and not self.report.faults:
            self.report.fault("[routes].list", "no route; expected at least one")
        if entries and GRAY not in wanted:
            for name in self.copies:
                if name not in wanted and name != WILD and not name.startswith("entry "):
                    self.report.remark(f"[cards].{name}", "no route can be claimed with cards of this type")

    def _claimable(self, section: Section, kind: str, length: int) -> None:
        """Whether there are cards and trains enough for a route."""
        kinds = [name for name in self.copies if name != WILD] if kind == GRAY else [kind]
        counts = [self.copies[name] for name in kinds]
        passes = self.copies.get(WILD)
        if passes is not None and counts and None not in counts:
            most = max(count for count in counts if count is not None)
            if length > most + passes:
                held = f"{most} cards {kind}" if kind != GRAY else f"{most} cards of the commonest type"
                self.report.fault(section.place("length"), f"{length} spaces cannot be claimed: there are {held} and {passes} passes")
        if self.trains and length > min(self.trains.values()):
            self.report.fault(section.place("length"), f"{length} spaces; a player begins with {min(self.trains.values())} trains")

    def _double(self, routes: list[tuple[str, int | None]]) -> None:
        """What holds for the routes between two stations."""
        if len(routes) > 2:
            self.report.fault(routes[2][0], f"the third of {len(routes)} routes between these stations; at most two are possible")
        elif len(routes) == 2 and None not in (routes[0][1], routes[1][1]) and routes[0][1] != routes[1][1]:
            self.report.remark(routes[1][0], f"of length {routes[1][1]}, and the other route of the double has length {routes[0][1]}")

    def _reached(self) -> None:
        if not any(self.ways.values()):
            return
        distance = self._distances(next(iter(self.stations)))
        for name in self.stations:
            if name not in distance:
                self.report.fault(f"[stations].{name}", f"no routes lead here from {next(iter(self.stations))}")

    def _distances(self, start: str) -> dict[str, int]:
        """Spaces of the shortest way from a station to each that can be reached."""
        distance: dict[str, int] = {}
        front = [(0, start)]
        while front:
            spaces, name = heapq.heappop(front)
            if name not in distance:
                distance[name] = spaces
                for neighbour, length in self.ways[name]:
                    heapq.heappush(front, (spaces + length, neighbour))
        return distance

    # --- tickets ---

    def _tickets(self) -> None:
        met: set[frozenset] = set()
        odd = []
        entries = self._entries("tickets", "list", "{a = .., b = .., points = ..}", MAX_TICKETS)
        for count, value in entries:
            place = f"[tickets].entry {count}"
            ends = self._ends(value, place)
            if ends is not None:
                place = f"[tickets].{ends[0]}>{ends[1]}"
                if frozenset(ends) in met:
                    self.report.fault(place, f"a ticket for these two stations is there already (again in entry {count})")
                met.add(frozenset(ends))
            section = self.report.section(value, place, ["a", "b", "points", "basis"])
            self._basis(section)
            points = self.report.get(section.whole, "points", 1, MAX_POINTS, what="points")
            if ends is None:
                continue
            shortest = self._distances(ends[0]).get(ends[1])
            if shortest is not None and self.trains and shortest > min(self.trains.values()):
                self.report.remark(place, f"its shortest way takes {shortest} trains, and a player begins with {min(self.trains.values())}")
            if shortest is not None and points is not None and points != shortest:
                odd.append(f"{ends[0]}>{ends[1]} ({points}, not {shortest})")
        if odd and len(odd) <= len(entries) // 4:  # else they are meant otherwise
            self.report.remark("[tickets].list", f"worth more or less than their shortest way: {', '.join(odd)}")
        if self.trains and self.offered is not None and "tickets" in self.table:
            needed = max(self.trains) * self.offered
            if len(entries) < needed:
                self.report.fault("[tickets].list", f"{len(entries)} tickets; dealing to {max(self.trains)} players takes {needed}")
