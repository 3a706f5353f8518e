"""What a board file of Lisbon Tram 28 may say, and a check that lists everything that is wrong with one at once.

A place in errors is the table and, in a list, the entry's id: ``[places].carmo.xy``; an entry without a usable id is counted from 1:
``[places].entry 3.id``.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable

from wattman.engine.boards import Report
from wattman.engine.tomlfile import Section, listed, show

COLOURS = "RYGB"
COLOUR_NAMES = ("Red", "Yellow", "Green", "Blue")
ROSSIO, MONUMENT, BONUS, STOP = KINDS = ("rossio", "monument", "bonus", "stop")
BONUSES = ("seats", "action", "free_move", "bell")  # as player boards in a file name them

# Caps: what the engine's arrays and the terminal's columns hold.
PLACES = 48
STOPS = 20
WAYS = 6  # rails that meet at a place
CARDS = 32
POINTS = 20  # of one card
SPACES = 6
TICKETS = 60  # of each colour
PASSENGERS = 30
SEATS = 6
ID_LENGTH = 24
LABEL_LENGTH = 32

TABLES = {  # and the keys of each; "list" and "ways" hold entries
    "setup": ("basis", "2", "3", "4"),
    "display": ("basis", "refill_symbols"),
    "places": ("basis", "list"),
    "rails": ("basis", "ways", "no_turn"),
    "cards": ("basis", "list"),
    "tickets": ("basis", "each_colour", "start_hand", "end_of_turn"),
    "passengers": ("basis", "each_colour", "each_stop"),
    "seats": ("basis", "start", "with_bonus"),
    "player_boards": ("basis", "list"),
}
SHARED = {"cards": "cards", "tickets": "box", "passengers": "box", "seats": "box", "player_boards": "box"}  # shipped parts that have it
BASES = ("fact", "inferred", "reconstruction")
_ID = re.compile(r"[a-z][a-z0-9_]*")
_ID_RULE = f"a small letter, then small letters a-z, digits and _, at most {ID_LENGTH} characters"


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
            self._label(top)
        for name, keys in TABLES.items():
            if name not in top:
                hint = f'; parts = ["{SHARED[name]}"] takes it from the shipped ones' if name in SHARED else ""
                report.fault(f"[{name}]", f"missing; expected a table{hint}")
            elif report.get(top.section, name) is not None:
                self.table[name] = report.section(data[name], f"[{name}]", keys)
                self._basis(self.table[name])
        self.kind: dict[str, str] = {}  # of each place
        self.near: dict[str, set[str]] = {}
        self.turns: set[tuple[str, str, str]] = set()
        self.per_colour = self._whole("passengers", "each_colour", 1, PASSENGERS)
        self.per_stop = self._whole("passengers", "each_stop", 1, 9)
        self.seats = self._seats()
        self.boards = self._player_boards()
        self._places()
        self._rails()
        self._no_turn()
        self._ways_on()
        self.cards = self._cards()
        spaces = self._display()
        self.players = self._setup(spaces)
        self._tickets()

    # --- small things ---

    def _whole(self, table: str, key: str, low: int, high: int) -> int | None:
        return self.report.get(self.table[table].whole, key, low, high) if table in self.table else None

    def _basis(self, section: Section) -> None:
        if "basis" in section:
            self.report.get(section.word, "basis", BASES)

    def _label(self, section: Section) -> None:
        text = self.report.get(section.text, "label", "a text")
        if text is not None and not (text.strip() and text.isprintable()):
            self.report.fault(section.place("label"), f"{show(text)} cannot be shown; expected a text on one line")
        elif text is not None and section.path and len(text) > LABEL_LENGTH:
            self.report.fault(section.place("label"), f"{show(text)} is longer than {LABEL_LENGTH} characters")

    def _entries(self, table: str, keys: Iterable[str], most: int) -> list[tuple[str, Section]]:
        """(id, entry) of each entry of a list; without a good id of its own, which is noted, an entry is called ``entry 3``."""
        if table not in self.table:
            return []
        found: list[tuple[str, Section]] = []
        outer = self.table[table]
        values = self.report.get(outer.value, "list", list, "a list of entries like {id = ..}") or []
        if len(values) > most:
            self.report.fault(outer.place("list"), f"{len(values)} entries; at most {most} are possible")
        for count, value in enumerate(values, 1):
            place = f"[{table}].entry {count}"
            if not isinstance(value, dict):
                self.report.fault(place, f"{show(value)} is no entry; expected one like {{id = ..}}")
                continue
            name = self.report.get(Section(value, place).text, "id", _ID_RULE)
            if name is not None and (not _ID.fullmatch(name) or len(name) > ID_LENGTH):
                self.report.fault(f"{place}.id", f"{show(name)} is not allowed; expected {_ID_RULE}")
                name = None
            elif name is not None and name in (known for known, _ in found):
                self.report.fault(f"[{table}].{name}.id", f'"{name}" is used twice (again by entry {count})')
                name = None
            section = self.report.section(value, f"[{table}].{name}" if name else place, ["id", "basis", *keys])
            self._basis(section)
            found.append((name or f"entry {count}", section))
        return found

    def _letters(self, section: Section, key: str, what: str, once: bool) -> str | None:
        """A text of colour letters."""
        text = self.report.get(section.text, key, f"{what} as letters of {COLOURS}")
        if text is None:
            return None
        wrong = sorted(set(text) - set(COLOURS))
        if wrong:
            self.report.fault(
                section.place(key), f"{show(text)} has {listed(map(show, wrong), 'and')}; expected {what} as letters of {COLOURS}"
            )
            return None
        twice = [colour for colour in COLOURS if text.count(colour) > 1]
        if once and twice:
            self.report.fault(
                section.place(key), f"{show(text)} has {listed(twice, 'and')} more than once; expected each colour at most once"
            )
        return text

    # --- the box ---

    def _seats(self) -> int | None:
        start = self._whole("seats", "start", 1, SEATS)
        most = self._whole("seats", "with_bonus", 1, SEATS)
        if start is not None and most is not None and most < start:
            self.report.fault("[seats].with_bonus", f"{most} is less than [seats].start, which is {start}")
            return None
        return most

    def _player_boards(self) -> int:
        """How many there are."""
        pairings: dict[tuple, str] = {}
        entries = self._entries("player_boards", ["label", *BONUSES], 4)
        for name, section in entries:
            if "label" in section:
                self._label(section)
            unlocks = tuple(self.report.get(section.word, bonus, COLOURS) for bonus in BONUSES)
            for colour in COLOURS:
                doubled = [bonus for bonus, unlock in zip(BONUSES, unlocks, strict=True) if unlock == colour]
                if len(doubled) > 1:
                    self.report.fault(section.place(doubled[1]), f"{colour} unlocks {doubled[0]} already; each colour unlocks one bonus")
            if None not in unlocks and unlocks in pairings:
                self.report.fault(
                    section.path, f"pairs colours and bonuses as {pairings[unlocks]} does; each board has pairings of its own"
                )
            pairings.setdefault(unlocks, name)
        return len(entries)

    def _tickets(self) -> None:
        each = self._whole("tickets", "each_colour", 1, TICKETS)
        hand = self._whole("tickets", "start_hand", 0, 20)
        self._whole("tickets", "end_of_turn", 1, 10)
        if each is not None and hand is not None and hand * max(self.players, default=0) > each * len(COLOURS):
            self.report.fault(
                "[tickets].start_hand", f"{hand} for each of {max(self.players)} players; there are {each * len(COLOURS)} tickets"
            )

    # --- the map ---

    def _places(self) -> None:
        at: dict[tuple, str] = {}
        labels: dict[str, str] = {}
        colours: dict[str, str] = {}
        kinds: list[str | None] = []
        entries = self._entries("places", ["kind", "label", "xy", "colour", "refill_symbol"], PLACES)
        for name, section in entries:
            kind = self.report.get(section.word, "kind", KINDS)
            kinds.append(kind)
            if _ID.fullmatch(name):
                self.kind[name] = kind or ""
            if self.report.get(section.text, "label", "what people call the place") is not None:
                self._label(section)
                label = section.data["label"]
                if labels.setdefault(label, name) != name:
                    self.report.fault(section.place("label"), f"{show(label)} is the label of {labels[label]} already")
            xy = self._xy(section)
            if xy is not None and at.setdefault(xy, name) != name:
                self.report.fault(section.place("xy"), f"lies on {at[xy]}; every place needs a spot of its own")
            if kind == BONUS:
                colour = self.report.get(section.word, "colour", COLOURS)
                if colour is not None and colours.setdefault(colour, name) != name:
                    self.report.fault(
                        section.place("colour"), f"{colour} is the colour of {colours[colour]} already; each colour has one bonus stop"
                    )
            elif kind is not None and "colour" in section:
                self.report.fault(section.place("colour"), "only bonus stops have a colour")
            if "refill_symbol" in section:
                self.report.get(section.value, "refill_symbol", bool, "true or false")
                if kind not in (MONUMENT, None):
                    self.report.fault(section.place("refill_symbol"), "only monuments have one")
        self._kinds(kinds)

    def _xy(self, section: Section) -> tuple | None:
        expected = "[x, y], two numbers from 0 to 100 (x to the right, y down)"
        xy = self.report.get(section.value, "xy", list, expected)
        if xy is None:
            return None
        if len(xy) == 2 and all(type(number) in (int, float) and 0 <= number <= 100 for number in xy):
            return tuple(xy)
        self.report.fault(section.place("xy"), f"[{', '.join(map(show, xy[:4]))}] is not allowed; expected {expected}")
        return None

    def _kinds(self, kinds: list[str | None]) -> None:
        """Are there as many places of each kind as there must be?"""
        if not kinds or None in kinds:
            return
        count = Counter(kinds)
        place = "[places].list"
        if count[ROSSIO] != 1:
            self.report.fault(place, f'{count[ROSSIO]} places of kind "rossio"; expected one, where all trams start')
        if count[BONUS] != len(COLOURS):
            self.report.fault(place, f'{count[BONUS]} places of kind "bonus"; expected {len(COLOURS)}, one for each colour')
        if not 1 <= count[STOP] <= STOPS:
            self.report.fault(place, f'{count[STOP]} places of kind "stop"; expected 1 to {STOPS}')
        if not count[MONUMENT]:
            self.report.fault(place, 'no place of kind "monument"')
        if self.per_colour is not None and self.per_stop is not None and count[STOP] * self.per_stop > self.per_colour * len(COLOURS):
            needed = f"{count[STOP]} stops need {count[STOP] * self.per_stop} passengers at the start"
            self.report.fault("[passengers].each_colour", f"{needed}; there are {self.per_colour * len(COLOURS)}")

    def _known(self, name: object, place: str) -> bool:
        """Whether a rail may name this place; notes it if not."""
        if not isinstance(name, str) or name not in self.kind:
            close = difflib.get_close_matches(name[:60], self.kind, 1) if isinstance(name, str) else []
            hint = f"did you mean {close[0]}?" if close else "places are those of [places].list"
            self.report.fault(place, f"{show(name)} is no place; {hint}")
            return False
        return True

    def _rails(self) -> None:
        self.near = {name: set() for name in self.kind}
        if "rails" not in self.table:
            return
        ways = self.report.get(self.table["rails"].value, "ways", list, "a list of entries like {line = .., places = [..]}") or []
        for count, way in enumerate(ways, 1):
            place = f"[rails].way {count}"
            if not isinstance(way, dict):
                self.report.fault(place, f'{show(way)} is no way; expected {{line = "28E", places = ["a", "b", ..]}}')
                continue
            section = self.report.section(way, place, ["line", "places", "basis"])
            self._basis(section)
            if "line" in section:
                self.report.get(section.text, "line", "a text")
            names = self.report.get(section.texts, "places", "a list of ids, in the order in which the rails join them") or []
            if len(names) == 1:
                self.report.fault(section.place("places"), f"only {names[0]}; expected two places or more")
            good = [self._known(name, section.place("places")) for name in names]
            for i in range(len(names) - 1):
                if good[i] and good[i + 1]:
                    self._rail(names[i], names[i + 1], section.place("places"))
        for name, near in self.near.items():
            if len(near) > WAYS:
                self.report.fault(f"[places].{name}", f"{len(near)} rails meet here; at most {WAYS} are possible")

    def _rail(self, a: str, b: str, place: str) -> None:
        if a == b:
            self.report.fault(place, f"a rail from {a} to itself")
        elif b in self.near[a]:
            self.report.fault(place, f"the rail {a}-{b} is there twice; name each once, also where two lines share it")
        self.near[a].add(b)
        self.near[b].add(a)

    def _no_turn(self) -> None:
        if "no_turn" not in self.table.get("rails", {}):
            return
        rails = self.table["rails"]
        for count, turn in enumerate(self.report.get(rails.value, "no_turn", list, "a list of [from, by way of, to]") or [], 1):
            place = f"[rails].no_turn {count}"
            if not (isinstance(turn, list) and len(turn) == 3):
                self.report.fault(place, f"{show(turn)} is not allowed; expected three ids [from, by way of, to]")
                continue
            known = [self._known(name, place) for name in turn]
            if not all(known):
                continue
            start, middle, end = turn
            if start == end:
                self.report.fault(place, f"from {start} back to it; turning back is never allowed anyway")
                continue
            for name in (start, end):
                if name not in self.near[middle]:
                    self.report.fault(place, f"no rail joins {middle} and {name}")
            if (start, middle, end) in self.turns:
                self.report.fault(place, f"{start}-{middle}-{end} is there twice; each holds in both directions")
            self.turns |= {(start, middle, end), (end, middle, start)}

    def _ways_on(self) -> None:
        """Can every place be reached, and does it go on from there?"""
        if not self.kind or not any(self.near.values()):
            return
        start = next((name for name, kind in self.kind.items() if kind == ROSSIO), next(iter(self.kind)))
        reached = self._reached(start)
        for name in self.kind:
            if name not in reached:
                self.report.fault(f"[places].{name}", f"no rails lead here from {start}")
            elif len(self.near[name]) == 1:
                self.report.remark(
                    f"[places].{name}", f"a dead end (only {next(iter(self.near[name]))} is next): no tram can be pushed on from here"
                )
            else:
                for before in sorted(self.near[name]):
                    if all((before, name, after) in self.turns for after in self.near[name] - {before}):
                        self.report.remark(f"[places].{name}", f"who comes from {before} cannot go on: [rails].no_turn bans every way")
        if len(reached) == len(self.kind):
            self._when_empty()

    def _reached(self, start: str) -> set[str]:
        reached, front = {start}, [start]
        while front:
            for name in self.near[front.pop()] - reached:
                reached.add(name)
                front.append(name)
        return reached

    def _when_empty(self) -> None:
        """With every tram stop empty, what can still be reached? A tram may then stop at the other places only."""
        fixed = [name for name, kind in self.kind.items() if kind != STOP]
        for start in fixed:
            seen: set[tuple[str, str]] = set()  # (came from, at); "" where a tram has stopped and may leave either way
            front = [("", start)]
            while front:
                before, name = front.pop()
                for after in self.near[name] - {before}:
                    if before and (before, name, after) in self.turns:
                        continue
                    move = (name if self.kind[after] == STOP else "", after)
                    if move not in seen:
                        seen.add(move)
                        front.append(move)
            missing = [name for name in fixed if name != start and ("", name) not in seen]
            if missing:
                self.report.remark(
                    f"[places].{start}", f"with all tram stops empty, [rails].no_turn leaves no way to {listed(missing, 'and')}"
                )

    # --- cards ---

    def _cards(self) -> int:
        """How many there are."""
        entries = self._entries("cards", ["monument", "vp", "demand", "left", "right"], CARDS)
        wanted = set()
        for _, section in entries:
            monument = self.report.get(section.text, "monument", "the id of a monument")
            wanted.add(monument)
            if monument is not None and self.kind and self.kind.get(monument, "") != MONUMENT:
                told = "is no place" if monument not in self.kind else f"is a place of kind {show(self.kind[monument])}"
                allowed = ", ".join(name for name, kind in self.kind.items() if kind == MONUMENT) or "none"
                self.report.fault(section.place("monument"), f"{show(monument)} {told}; monuments are: {allowed}")
            self.report.get(section.whole, "vp", 0, POINTS, what="points")
            self._demand(section)
            for edge in ("left", "right"):
                self._letters(section, edge, "the half-tickets on that edge", once=True)
        for name, kind in self.kind.items():
            if kind == MONUMENT and entries and name not in wanted:
                self.report.remark(f"[places].{name}", "no card shows this monument")
        if entries and len(entries) != 22:
            self.report.remark("[cards].list", f"{len(entries)} cards; in the box are 22")
        return len(entries)

    def _demand(self, section: Section) -> None:
        demand = self._letters(section, "demand", "the passengers to deliver", once=False)
        if demand == "":
            self.report.fault(section.place("demand"), "empty; expected the passengers to deliver, e.g. RRGB")
        for colour in COLOURS if demand else "":
            most = min((limit for limit in (self.seats, self.per_colour) if limit is not None), default=None)
            if most is not None and demand.count(colour) > most:
                self.report.fault(
                    section.place("demand"),
                    f"{show(demand)} wants {demand.count(colour)} {colour}; no tram can carry more than {most} of a colour",
                )

    # --- set-up ---

    def _display(self) -> int | None:
        """How many display spaces there are."""
        if "display" not in self.table:
            return None
        section = self.table["display"]
        expected = f"true or false for each of 1 to {SPACES} display spaces"
        symbols = self.report.get(section.value, "refill_symbols", list, expected)
        if symbols is None:
            return None
        if not 1 <= len(symbols) <= SPACES or any(type(symbol) is not bool for symbol in symbols):
            self.report.fault(section.place("refill_symbols"), f"[{', '.join(map(show, symbols[:8]))}] is not allowed; expected {expected}")
            return None
        return len(symbols)

    def _setup(self, spaces: int | None) -> list[int]:
        """The numbers of players that the board is for."""
        if "setup" not in self.table:
            return []
        outer = self.table["setup"]
        players = [n for n in (2, 3, 4) if str(n) in outer]
        if not players:
            self.report.fault("[setup]", "for no number of players; expected a line such as 3 = {face_up = 15}")
        if "player_boards" in self.table and self.boards < max(players, default=0):
            self.report.fault("[player_boards].list", f"{self.boards} boards; [setup] is for up to {max(players)} players")
        for n in players:
            if self.report.get(outer.section, str(n)) is None:
                continue
            section = self.report.section(outer.data[str(n)], f"[setup].{n}", ["basis", "face_up", "closed_spaces"])
            self._basis(section)
            face_up = self.report.get(section.whole, "face_up", 1, CARDS)
            closed = self.report.get(section.wholes, "closed_spaces", "a list of display spaces, the first being 0", [])
            if closed is None or spaces is None:
                continue
            if len(set(closed)) != len(closed) or any(not 0 <= space < spaces for space in closed) or len(closed) == spaces:
                allowed = f"each of the spaces 0 to {spaces - 1} at most once, and not all"
                self.report.fault(section.place("closed_spaces"), f"{closed} is not allowed; expected {allowed}")
                continue
            if face_up is not None and face_up <= spaces - len(closed):
                self.report.fault(
                    section.place("face_up"), f"{face_up} cards; {spaces - len(closed)} are displayed, and at least one more lies face up"
                )
            if face_up is not None and self.cards and face_up > self.cards:
                self.report.fault(section.place("face_up"), f"{face_up} cards face up; [cards].list has {self.cards}")
        return players
