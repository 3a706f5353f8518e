"""Tramways' data and city for the reference: read from the file alone, plain lists and dicts, nothing shared with the engine."""

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent.parent / "engine/data/tramways/tramways.toml"
TILES = "SXKFVW"  # in order
EXPANSION_TILES = {"station": "S", "stock_exchange": "X", "park": "K", "funfair": "F", "airports": "VW"}
TYPES = "RCLI"


class Data:
    """What a data file says. `icons`: of each kind of card, with the strip; the lot of parcel A1 is ``lot A1``; `kinds`: in file order."""

    def __init__(self, text):
        tables = tomllib.loads(text)
        for table in tables.values():
            if isinstance(table, dict):
                table.pop("basis", None)
                for inner in table.values():
                    if isinstance(inner, dict):
                        inner.pop("basis", None)
        self.tables = tables
        self.families = {family: list(cards) for family, cards in tables["cards"].items()}
        self.cards = {kind: card for cards in tables["cards"].values() for kind, card in cards.items()}
        self.kinds = list(self.cards)
        self.icons = {
            kind: [f"lot {kind}" if icon == "lot" else icon for icon in self.cards[kind]["icons"]] + ["strip"] for kind in self.kinds
        }
        self._worth = {
            letter: {kind: int(icon[1]) for kind in self.kinds for icon in self.icons[kind] if icon[0] == letter and icon[1:].isdigit()}
            for letter in "rm"
        }
        self.size = len(next(iter(tables["boards"].values()))["rows"])

    def __getitem__(self, table):
        return self.tables[table]

    def worth(self, kind, letter):
        """The number in a card's icon `letter` + digit (r: rails, m: money); 0 without such an icon."""
        return self._worth[letter].get(kind, 0)

    def copies(self, family):
        """All cards of a family."""
        return Counter({kind: self.cards[kind]["copies"] for kind in self.families[family]})


@cache
def read_data(path):
    return Data(Path(path).read_text(encoding="utf-8"))


def turned(rows, quarters):
    """A board's rows after some quarter turns clockwise."""
    for _ in range(quarters):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
    return rows


def around(square):
    """The squares next to one; some may lie outside the city."""
    row, column = square
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def written(square):
    return f"{square[0]}.{square[1]}"


def parsed(text):
    row, column = text.split(".")
    return int(row), int(column)


class City:
    """Boards side by side, and the special tiles on them.

    Attributes
    ----------
    ground : dict of square to str
        ``.`` empty, ``~`` water, ``^`` mountain; for a building or parcel its sign.
    board_at : dict of square to (row, column)
        Where in the layout the square's board lies.
    terminals : dict of str to list of squares
        In terminal order.
    printed : dict of str to str
        The type of each printed building.
    """

    def __init__(self, data, layout, boards, tiles=None):
        """`boards`: (letter, quarter turns), row by row, perhaps not all yet; `tiles`: squares by tile."""
        self.data, self.layout, self.boards = data, layout, list(boards)
        self.ground, self.board_at, self.printed = {}, {}, {}
        found = {}
        for number, (letter, quarters) in enumerate(self.boards):
            place = divmod(number, layout[1])
            entry = data["boards"][letter]
            for row, signs in enumerate(turned(entry["rows"], quarters)):
                for column, sign in enumerate(signs):
                    square = (place[0] * data.size + row, place[1] * data.size + column)
                    self.ground[square], self.board_at[square] = sign, place
                    if sign not in ".~^":
                        found.setdefault(letter + sign, []).append(square)
                    if sign.isalpha():
                        self.printed[letter + sign] = entry["types"][sign]
        letters = list(data["boards"])
        ordered = sorted(found, key=lambda name: (letters.index(name[0]), name[1].isdigit(), name[1]))
        self.terminals = {name: sorted(found[name]) for name in ordered}
        self.taken = {square for squares in found.values() for square in squares}
        self.tiles = {}
        for tile in TILES:
            if tile in (tiles or {}):
                self.add_tile(tile, tiles[tile])

    def add_tile(self, tile, squares):
        self.tiles[tile] = self.terminals[tile] = list(squares)
        self.taken.update(squares)

    def parcels(self):
        return [name for name in self.terminals if name[1:].isdigit()]

    def beside(self, terminal):
        """Squares of the city next to a terminal, without its own."""
        own = self.terminals[terminal]
        return {square for one in own for square in around(one) if square in self.ground and square not in own}

    # ------------------------------------------------------------------------------------------------ placing special tiles

    def places(self, tile):
        """Where `tile` may lie: text of the chance event -> squares."""
        result = {}
        for row, column in sorted(self.ground):
            shapes = {f"place {row}.{column}": [(row, column)]}
            if self.data["tiles"][tile]["squares"] == 2:
                shapes = {
                    f"place {row}.{column}": [(row, column), (row, column + 1)],
                    f"place {row}.{column}v": [(row, column), (row + 1, column)],
                }
            result |= {text: squares for text, squares in shapes.items() if self.fits(tile, squares)}
        if tile == "V":
            result = {text: squares for text, squares in result.items() if self._leaves_room_for_w(squares)}
        return result

    def _leaves_room_for_w(self, squares):
        self.tiles["V"] = squares
        fresh = set(squares) - self.taken
        self.taken |= fresh
        room = any(self.places("W"))
        self.taken -= fresh
        del self.tiles["V"]
        return room

    def fits(self, tile, squares):
        """Whether a special tile may lie on these squares."""
        if not all(square in self.ground and square not in self.taken for square in squares):
            return False
        near = {square for one in squares for square in around(one)}
        boards = {self.board_at[square] for square in squares}
        if tile in "SFVW" and any(self.ground[square] == "~" for square in squares):
            return False
        if tile != "K" and any(self.ground.get(square, "").isdigit() for square in near):
            return False
        if tile == "K" and not all(square in self.ground and square not in self.taken for square in near - set(squares)):
            return False
        if near & set(self.tiles.get("K", [])):
            return False
        if tile == "F" and boards & {self.board_at[square] for square in self.tiles.get("S", [])}:
            return False
        if tile in "VW" and len(boards) > 1:
            return False
        if tile == "W":
            board, other = boards.pop(), self.board_at[self.tiles["V"][0]]
            if board == other or board in around(other):
                return False
        return True
