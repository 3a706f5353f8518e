"""What a data file of Tramways may say, and a check that lists everything that is wrong with one at once.

A place in errors is the table and, in the larger ones, what the entry is called: ``[leisure].price``, ``[boards].C.rows``,
``[cards.auction].t7.icons``, ``[setup].3.layout``.
"""

from __future__ import annotations

import re
from collections import Counter

from wattman.engine.boards import Report
from wattman.engine.tomlfile import Section, listed, show

# Caps: what the engine's arrays hold.
MAX_BOARDS = 12
MAX_IN_PLAY = 10  # boards of one city
MIN_SIZE, MAX_SIZE = 3, 5  # squares along a board's edge
MAX_PARCELS = 3  # of a board
MAX_ICONS = 6  # of a card, the magnetic strip not counted
MAX_COPIES = 20
MAX_KINDS = 96
MAX_STRESS = 15

TYPES = ("R", "C", "L", "I")
DESTINATIONS = (*TYPES, "S", "F")
RAILS = {"r1": 1, "r2": 2, "r3": 3}
MONEY = {"m1": 1, "m2": 2, "m3": 3, "m5": 5}
ICONS = (*DESTINATIONS, *RAILS, *MONEY, "up", "con", "lot", "w", "pax", "calm")
FAMILIES = ("parcels", "buildings", "starters", "development", "auction")
BUILDING_CARDS = ("bR", "bC", "bL", "bI", "bS", "bF")
NAMED = {"starters": ("s", 5), "development": ("d", 8), "auction": ("t", 60)}  # how the kinds are called, and how many there can be
TILES = {"S": "station", "X": "stock_exchange", "K": "park", "F": "funfair", "V": "airports", "W": "airports"}
EXPANSIONS = ("station", "stock_exchange", "park", "funfair", "airports")
PLAYERS = ("1", "2", "3", "4", "5")
LETTERS = "ABCDEFGHIJKL"
GROUND = {".": "empty", "~": "water", "^": "mountain"}
BASES = ("fact", "inferred", "reconstruction")

NUMBERS: dict[str, dict[str, tuple[int, int]]] = {  # tables of whole numbers, with the least and the greatest of each
    "course": {"rounds": (1, 6), "auction_rounds": (0, 6), "arrivals": (1, 10), "free_discards": (0, 9)},
    "start": {"money": (0, 99), "workers": (0, 20), "rails": (1, 40), "passengers": (0, 60)},
    "hand": {"parcels": (0, 8), "limit": (1, 12)},
    "links": {"hp": (0, 9), "workers": (0, 3), "money": (0, 9)},
    "track": {"empty": (1, 5), "water": (1, 5), "mountain": (1, 5), "longest": (1, 7), "upgraded_hp": (0, 9)},
    "trips": {"longest": (1, 8)},
    "industry": {"stress": (-9, 9), "workers": (0, 9)},
    "residence": {"stress": (-9, 9)},
    "leisure": {"price": (1, 20), "most": (0, 20)},
    "commerce": {"price": (0, 20), "most": (0, 4)},
    "construction": {"hp": (0, 20), "extension_hp": (0, 20)},
    "stress": {"most": (1, MAX_STRESS), "high": (1, MAX_STRESS), "high_hp": (-9, 0)},
    "administration": {"fee": (0, 20), "most": (0, 5)},
    "auction": {"highest": (1, 60)},
    "solo": {"goal": (1, 200)},
}
LISTS = {"course": ("actions", "first_stress"), "stress": ("penalty",)}
EFFECTS: dict[str, dict[str, tuple[int, int]]] = {  # of the expansions
    "station": {"passengers": (1, 2)},
    "stock_exchange": {"money": (0, 20)},
    "park": {"stress": (-9, 0)},
    "funfair": {"price": (1, 20), "most": (0, 20)},
    "airports": {"money": (0, 20)},
}
SETUP = {"buildings": (0, MAX_COPIES), "stations": (0, MAX_COPIES), "offer": (1, 5), "development": (0, MAX_COPIES)}
TABLES = (*NUMBERS, "setup", "types", "boards", "cards", "expansions", "tiles")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def check(data: dict) -> Report:
    """All faults and remarks of a file's tables (as `engine.boards.read` gives them)."""
    return _Check(data).report


class _Check:
    """One check. What later tests need of earlier ones is left out where it could not be read."""

    def __init__(self, data: dict):
        self.report = report = Report()
        self.top = report.section(data, "", ["game", "label", *TABLES])
        if "label" in self.top:
            self._shown(self.top, "label")
        self.number: dict[tuple[str, str], int] = {}  # what the tables of NUMBERS say
        for table, ranges in NUMBERS.items():
            self._numbers(table, ranges)
        self.parcels: dict[str, list[str]] = {}  # by board
        self.unread: set[str] = set()  # boards whose squares could not be read
        self._boards()
        self.copies: dict[str, Counter] = {}  # of the kinds of each family
        self._cards()
        self._types()
        self._effects()
        self._tiles()
        self._setup()

    # --- small things ---

    def _table(self, name: str, keys: list[str]) -> Section | None:
        """A table of the file itself, without the key `basis`, which is looked at here."""
        if name not in self.top:
            self.report.fault(f"[{name}]", "missing; expected a table (the shipped file has all)")
            return None
        if self.report.get(self.top.section, name) is None:
            return None
        section = self.report.section(self.top.data[name], f"[{name}]", ["basis", *keys])
        self._basis(section)
        return section

    def _entry(self, outer: Section, key: str, keys: list[str], example: str) -> Section | None:
        """A table inside a table, called `key`, that has to be there."""
        value = self.report.get(outer.value, key, dict, f"a table like {example}")
        if value is None:
            return None
        section = self.report.section(value, f"{outer.path}.{key}", [*keys, "basis"])
        self._basis(section)
        return section

    def _basis(self, section: Section) -> None:
        if "basis" in section:
            self.report.get(section.word, "basis", BASES)

    def _shown(self, section: Section, key: str) -> None:
        """A text that people see."""
        text = self.report.get(section.text, key, "a text on one line")
        if text is not None and not (text.strip() and text.isprintable() and len(text) <= 80):
            self.report.fault(section.place(key), f"{show(text)} cannot be shown; expected a text on one line, at most 80 characters")

    def _list(self, section: Section, key: str, count: int | None, low: int, high: int, what: str) -> list[int] | None:
        """A list of `count` whole numbers."""
        expected = f"{what}, {'each' if count is None else f'{count} whole numbers, each'} from {low} to {high}"
        values = self.report.get(section.wholes, key, expected)
        if values is None:
            return None
        if (count is not None and len(values) != count) or not all(low <= value <= high for value in values):
            self.report.fault(section.place(key), f"[{', '.join(map(show, values[:16]))}] is not allowed; expected {expected}")
            return None
        return values

    # --- numbers ---

    def _numbers(self, table: str, ranges: dict[str, tuple[int, int]]) -> None:
        section = self._table(table, [*ranges, *LISTS.get(table, ())])
        if section is None:
            return
        for key, (low, high) in ranges.items():
            value = self.report.get(section.whole, key, low, high)
            if value is not None:
                self.number[table, key] = value
        if table == "course":
            self._list(section, "actions", 2, 1, 3, "actions in a row, first and second time")
            rounds = self.number.get((table, "rounds"))
            if rounds is not None:
                self._list(section, "first_stress", rounds, 0, 9, "stress of the first player by round")
                for key, limit, why in (
                    ("auction_rounds", rounds, f"there are {rounds} rounds"),
                    ("arrivals", None, f"after each of {rounds} rounds but the last a tile is needed"),
                ):
                    value = self.number.get((table, key))
                    if value is not None and ((limit is not None and value > limit) or (limit is None and 4 * value < rounds - 1)):
                        self.report.fault(section.place(key), f"{value} does not fit; {why}")
        if table == "stress" and (most := self.number.get((table, "most"))) is not None:
            self._list(section, "penalty", most + 1, 0, 99, f"HP lost by stress 0 to {most}")
            high = self.number.get((table, "high"))
            if high is not None and high > most:
                self.report.fault(section.place("high"), f"{high} is never reached; expected at most {most}, as [stress].most says")

    # --- boards ---

    def _boards(self) -> None:
        section = self._table("boards", list(LETTERS))
        if section is None:
            return
        size = None
        for letter in section.data:
            if letter not in LETTERS:
                continue
            board = self._entry(section, letter, ["rows", "types"], '{rows = ["^~...", ..], types = {a = "R"}}')
            self.unread.add(letter)
            if board is None:
                continue
            rows = self.report.get(board.texts, "rows", f"texts of equal length, as many as they are long ({MIN_SIZE} to {MAX_SIZE})")
            if rows is None:
                continue
            size = size or len(rows)
            if self._square(board, rows, size):
                self.parcels[letter] = self._places(board, rows)
                self.unread.remove(letter)

    def _square(self, board: Section, rows: list[str], size: int) -> bool:
        """Whether the rows are a square of the size of the first board, of signs that are known."""
        place = board.place("rows")
        if not MIN_SIZE <= len(rows) <= MAX_SIZE:
            self.report.fault(place, f"{len(rows)} rows; expected {MIN_SIZE} to {MAX_SIZE}")
            return False
        if len(rows) != size:
            self.report.fault(place, f"{len(rows)} rows; expected {size}, as on the first board")
            return False
        for count, row in enumerate(rows, 1):
            if len(row) != size:
                self.report.fault(place, f"row {count}, {show(row)}, has {len(row)} squares; expected {size}")
                return False
            strange = [sign for sign in row if sign not in ".~^ab123"]
            if strange:
                squares = ". (empty), ~ (water), ^ (mountain), a or b (building), 1 to 3 (parcel)"
                self.report.fault(place, f"row {count}: {show(strange[0])} is no square; expected {squares}")
                return False
        return True

    def _places(self, board: Section, rows: list[str]) -> list[str]:
        """Checks a board's buildings and types; gives its parcels."""
        squares: dict[str, list[tuple[int, int]]] = {}
        for row, text in enumerate(rows):
            for column, sign in enumerate(text):
                if sign not in GROUND:
                    squares.setdefault(sign, []).append((row, column))
        for sign, found in squares.items():
            if sign.isdigit() and len(found) > 1:
                self.report.fault(board.place("rows"), f"parcel {sign} is on {len(found)} squares; expected one")
            elif len(found) > 2 or (len(found) == 2 and sum(abs(x - y) for x, y in zip(*found, strict=True)) != 1):
                self.report.fault(board.place("rows"), f"building {sign}: {len(found)} squares; expected one, or two that share an edge")
        buildings = sorted(sign for sign in squares if not sign.isdigit())
        types = self.report.get(board.value, "types", dict, f"the type of each building, such as {{a = {show(TYPES[0])}}}")
        if types is not None:
            inner = self.report.section(types, board.place("types"), buildings)
            for letter in buildings:
                self.report.get(inner.word, letter, TYPES)
        letter = board.path.rpartition(".")[2]
        return [letter + sign for sign in sorted(squares) if sign.isdigit()]

    # --- cards ---

    def _cards(self) -> None:
        cards = self._table("cards", list(FAMILIES))
        if cards is None:
            return
        for family in FAMILIES:
            if family not in cards:
                self.report.fault(f"[cards.{family}]", "missing; expected a table (the shipped file has all)")
                continue
            if self.report.get(cards.value, family, dict, f"a table, written as [cards.{family}] on a line of its own") is None:
                continue
            section = Section(cards.data[family], f"[cards.{family}]")
            self._basis(section)
            self._family(section, family)
        total = sum(map(len, self.copies.values()))
        if total > MAX_KINDS:
            self.report.fault("[cards]", f"{total} kinds of cards; at most {MAX_KINDS} are possible")

    def _family(self, section: Section, family: str) -> None:
        names = [name for name in section.data if name != "basis"]
        if family in ("parcels", "buildings"):
            wanted = [parcel for board in self.parcels.values() for parcel in board] if family == "parcels" else list(BUILDING_CARDS)
            owner = "a parcel of [boards]" if family == "parcels" else f"a building card ({listed(BUILDING_CARDS)})"
            names = [name for name in names if name in wanted]
            for name in section.data:
                if name not in (*wanted, "basis") and not (family == "parcels" and name[:1] in self.unread):
                    self.report.fault(section.place(name), f"is not {owner}")
            for name in wanted:
                if name not in section:
                    self.report.fault(section.place(name), f"missing; expected a card for {owner}" if family == "parcels" else "missing")
        else:
            letter, most = NAMED[family]
            if not 1 <= len(names) <= most:
                self.report.fault(section.path, f"{len(names)} kinds; expected {letter}1 to at most {letter}{most}")
            wanted = [f"{letter}{count}" for count in range(1, len(names) + 1)]
            for name, right in zip(names, wanted, strict=True):
                if name != right:
                    self.report.fault(section.place(name), f"expected {right}: kinds are called {letter}1, {letter}2, .. in this order")
        found = self.copies[family] = Counter()
        for name in names:
            card = self._entry(section, name, ["copies", "icons"], "{copies = 1, icons = [..]}")
            if card is None:
                continue
            low, high = (1, 1) if family == "parcels" else (0 if family == "buildings" else 1, MAX_COPIES)
            copies = self.report.get(card.whole, "copies", low, high)
            self._icons(card, family)
            if copies is not None:
                found[name] = copies

    def _icons(self, card: Section, family: str) -> None:
        expected = f"1 to {MAX_ICONS} of {' '.join(ICONS)}"
        icons = self.report.get(card.texts, "icons", expected)
        if icons is None:
            return
        place = card.place("icons")
        strange = [icon for icon in icons if icon not in ICONS]
        twice = [icon for icon, count in Counter(icons).items() if count > 1]
        if strange:
            self.report.fault(place, f"{show(strange[0])} is no icon; expected {expected}")
        elif not 1 <= len(icons) <= MAX_ICONS:
            self.report.fault(place, f"{len(icons)} icons; expected {expected}")
        elif twice:
            self.report.fault(place, f'"{twice[0]}" is there twice; a card has an icon once')
        elif sum(icon in RAILS for icon in icons) > 1:
            self.report.fault(place, f"a card has at most one of {listed(RAILS)}")
        elif sum(icon in MONEY for icon in icons) > 1:
            self.report.fault(place, f"a card has at most one of {listed(MONEY)}")
        elif ("lot" in icons) != (family == "parcels"):
            self.report.fault(place, '"lot" is missing; a parcel card has it' if family == "parcels" else '"lot" is on parcel cards only')

    # --- types, expansions ---

    def _types(self) -> None:
        section = self._table("types", list(TYPES))
        for letter in TYPES if section is not None else ():
            entry = self._entry(section, letter, ["name", "colour"], '{name = "Residence", colour = "#3f9b4f"}')
            if entry is None:
                continue
            self._shown(entry, "name")
            colour = self.report.get(entry.text, "colour", 'a colour such as "#3f9b4f"')
            if colour is not None and not _COLOUR.fullmatch(colour):
                self.report.fault(entry.place("colour"), f'{show(colour)} is no colour; expected one such as "#3f9b4f"')

    def _effects(self) -> None:
        section = self._table("expansions", list(EXPANSIONS))
        for name in EXPANSIONS if section is not None else ():
            ranges = EFFECTS[name]
            entry = self._entry(section, name, list(ranges), "{" + ", ".join(f"{key} = .." for key in ranges) + "}")
            for key, (low, high) in ranges.items() if entry is not None else ():
                self.report.get(entry.whole, key, low, high)

    def _tiles(self) -> None:
        section = self._table("tiles", list(TILES))
        for tile, expansion in TILES.items() if section is not None else ():
            entry = self._entry(section, tile, ["squares", "expansion"], f'{{squares = 1, expansion = "{expansion}"}}')
            if entry is not None:
                self.report.get(entry.whole, "squares", 1, 1 if tile == "K" else 2)
                self.report.get(entry.word, "expansion", [expansion])

    # --- what depends on the number of players ---

    def _setup(self) -> None:
        section = self._table("setup", list(PLAYERS))
        for players in PLAYERS if section is not None else ():
            entry = self._entry(
                section, players, ["layout", *SETUP], "{layout = [2, 2], buildings = 1, stations = 1, offer = 2, development = 1}"
            )
            if entry is None:
                continue
            values = {key: self.report.get(entry.whole, key, low, high) for key, (low, high) in SETUP.items()}
            self._enough_cards(entry, values)
            if int(players) > 1 and values["offer"] not in (None, int(players)):
                self.report.fault(entry.place("offer"), f"{values['offer']} does not fit; expected {players}, a card for each player")
            layout = self._list(entry, "layout", 2, 1, MAX_IN_PLAY, "rows and columns of boards")
            if layout is not None:
                self._enough_boards(entry, int(players), layout[0] * layout[1])
            starters = self.copies.get("starters", Counter())
            short = [name for name, copies in starters.items() if copies < int(players)]
            if short and players == PLAYERS[-1]:
                self.report.fault(
                    f"[cards.starters].{short[0]}.copies", f"{starters[short[0]]}; expected {players}, one for each of {players} players"
                )

    def _enough_cards(self, entry: Section, values: dict[str, int | None]) -> None:
        """Whether there are as many copies of the cards as the set-up takes."""
        for key, family, names in (
            ("buildings", "buildings", BUILDING_CARDS[:4]),
            ("stations", "buildings", ("bS",)),
            ("development", "development", tuple(self.copies.get("development", ()))),
        ):
            copies = [self.copies.get(family, {}).get(name) for name in names]
            if values[key] is not None and copies and None not in copies and values[key] > min(copies):
                name = names[copies.index(min(copies))]
                self.report.fault(entry.place(key), f"{values[key]}, but [cards.{family}].{name} has {min(copies)} copies")
        cards, rounds = self.copies.get("auction", Counter()).total(), self.number.get(("course", "auction_rounds"))
        if cards and rounds is not None and values["offer"] is not None and values["offer"] * rounds > cards:
            self.report.fault(
                entry.place("offer"), f"{values['offer']} cards in each of {rounds} rounds, but [cards.auction] has {cards} altogether"
            )

    def _enough_boards(self, entry: Section, players: int, boards: int) -> None:
        place = entry.place("layout")
        if boards > MAX_IN_PLAY:
            self.report.fault(place, f"{boards} boards; at most {MAX_IN_PLAY} are possible")
        elif self.parcels and boards > len(self.parcels) + len(self.unread):
            self.report.fault(place, f"{boards} boards, but [boards] has {len(self.parcels)}")
        elif self.parcels and not self.unread and (each := self.number.get(("hand", "parcels"))) is not None:
            least = sum(sorted(map(len, self.parcels.values()))[:boards])  # with the boards that have the fewest
            if least < each * players:
                self.report.fault(
                    place, f"{boards} boards can have only {least} parcels; {players} players get {each} each, as [hand].parcels says"
                )
