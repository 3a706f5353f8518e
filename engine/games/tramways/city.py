"""The city in a position file: boards, special tiles, parcels, passengers and links, checked and as plain data."""

from __future__ import annotations

import re

from wattman.engine.games._tramways_board import Data
from wattman.engine.games._tramways_board_check import TILES
from wattman.engine.games.tramways.view import Square, beside, square
from wattman.engine.tomlfile import Section, show

_BOARD = re.compile(r"([A-Z])\.([0-3])")
_SQUARE = re.compile(r"\d{1,2}\.\d{1,2}")
_SPOT = re.compile(r"(\d{1,2}\.\d{1,2})(v?)")
_LINK = 'such as "0: Aa-K 2.3 1.3": the owner, both ends, the squares from the first to the second, and perhaps upgraded'


class Reader:
    """Reads the city of one file.

    Attributes
    ----------
    boards : list of str
    places : dict of str to dict
        In terminal order; as `data.pyx` describes them.
    links : list of dict
    """

    def __init__(self, top: Section, data: Data, options: dict, early: bool, step: str, sides: list[Section]):
        self.top, self.data, self.early, self.step = top, data, early, step
        wanted = options["expansions"]
        names = {"full": list(TILES.values()), "base": []}.get(wanted, wanted.split("+"))
        self.tiles = [tile for tile, expansion in TILES.items() if expansion in names]
        self.ground: dict[Square, str] = {}
        self.taken: dict[Square, str] = {}
        self.places: dict[str, dict] = {}
        self.boards = self._boards(options["players"])
        self._specials()
        self._parcels(sides)
        self._passengers()
        self.links = self._links(len(sides))

    # --- what lies there ---

    def _boards(self, players: int) -> list[str]:
        layout, size = self.data.setup[players].layout, len(self.data.boards[0].rows)
        number = layout[0] * layout[1]
        expected = f'{number} boards row by row, {layout[1]} in a row: letter and quarter turns clockwise, such as "A.1"'
        boards = self.top.texts("boards", expected, [] if self.step == "board" else None)
        if len(boards) != number and not (self.step == "board" and len(boards) < number):
            raise self.top.error("boards", f"{len(boards)} boards; expected {expected}")
        known = {board.letter: board for board in self.data.boards}
        found: dict[str, list[Square]] = {}
        letters: list[str] = []
        for place, text in enumerate(boards):
            match = _BOARD.fullmatch(text)
            if not match or match[1] not in known:
                raise self.top.error("boards", f'{show(text)} is no board; expected a letter {", ".join(known)} and 0 to 3 turns: "A.1"')
            if match[1] in letters:
                raise self.top.error("boards", f"board {match[1]} is there twice")
            letters.append(match[1])
            rows = list(known[match[1]].rows)
            for _ in range(int(match[2])):
                rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
            for row, signs in enumerate(rows):
                for column, sign in enumerate(signs):
                    at = (place // layout[1] * size + row, place % layout[1] * size + column)
                    self.ground[at] = sign
                    if sign not in ".~^":
                        found.setdefault(match[1] + sign, []).append(at)
        for board in self.data.boards:
            mine = sorted((name for name in found if name[0] == board.letter), key=lambda name: (name[1].isdigit(), name[1]))
            for name in mine:
                self._put(name, found[name], board.types.get(name[1], ""))
        return boards

    def _put(self, name: str, squares: list[Square], kind: str) -> None:
        self.taken |= dict.fromkeys(squares, name)
        self.places[name] = {
            "squares": [f"{row}.{column}" for row, column in sorted(squares)],
            "type": kind,
            "owner": None,
            "room": len(squares) if kind else self.data.numbers["expansions"]["station"]["passengers"] if name == "S" else 0,
            "passengers": 0,
        }

    def _specials(self) -> None:
        section = self.top.section("tiles", self.tiles)
        if ("V" in section) != ("W" in section) and self.step != "place":
            raise section.error("V" if "V" in section else "W", "one airport alone; expected both or none")
        for tile in self.tiles:
            if tile not in section:
                continue
            text = section.text(tile, 'its left or upper square, "v" behind it if it stands upright, such as "3.4" or "3.4v"')
            match = _SPOT.fullmatch(text)
            if not match or (match[2] and self.data.squares[tile] == 1):
                raise section.error(tile, f'{show(text)} is no place for it; expected its left or upper square, such as "3.4"')
            at = square(match[1])
            squares = [at, (at[0] + 1, at[1]) if match[2] else (at[0], at[1] + 1)][: self.data.squares[tile]]
            for one in squares:
                if one not in self.ground:
                    raise section.error(tile, f"{one[0]}.{one[1]} is no square of this city")
                if one in self.taken:
                    raise section.error(tile, f"{one[0]}.{one[1]} is taken by {self.taken[one]}")
            self._put(tile, squares, "")

    def _parcels(self, sides: list[Section]) -> None:
        """Whose the parcels are, and what stands on them."""
        expected = 'your parcels, such as ["A1", "D2 R"]: behind it the type of a building, twice if it has two places'
        for seat, section in enumerate(sides):
            for text in section.texts("parcels", expected, []):
                name, _, kind = text.partition(" ")
                if name not in self.places or not name[1:].isdigit():
                    parcels = " ".join(name for name in self.places if name[1:].isdigit())
                    raise section.error("parcels", f"{show(text)} is no parcel of this city; parcels are: {parcels or 'none'}")
                if kind and (kind[0] not in self.data.types or kind not in (kind[0], kind[0] * 2)):
                    raise section.error(
                        "parcels", f"{show(text)}: {show(kind)} is no building; expected R, C, L or I, twice with two places"
                    )
                place = self.places[name]
                if sum(other["owner"] == seat for other in self.places.values()) == self.data.numbers["hand"]["parcels"]:
                    raise section.error("parcels", f"too many; every player has {self.data.numbers['hand']['parcels']}")
                if place["owner"] is not None:
                    raise section.error("parcels", f"{name} belongs to player {place['owner']} already")
                place["owner"], place["type"], place["room"] = seat, kind[:1], len(kind)

    def _passengers(self) -> None:
        section = self.top.section("passengers")
        for name in section.data:
            if name not in self.places:
                raise section.error(name, f"is no place of this city; places are: {' '.join(self.places)}")
            room = self.places[name]["room"]
            self.places[name]["passengers"] = section.whole(name, 0, room, what=f"at most {room} passengers," if room else "no passengers,")

    def place(self, section: Section, key: str) -> str:
        """The name of a place."""
        name = section.text(key, "the name of a place, such as Aa")
        if name not in self.places:
            raise section.error(key, f"{show(name)} is no place of this city; places are: {' '.join(self.places)}")
        return name

    # --- links ---

    def _links(self, players: int) -> list[dict]:
        order = list(self.places)
        found: list[dict] = []
        for text in self.top.texts("links", f"a list of links {_LINK}", []):
            head, _, rest = text.partition(":")
            words = rest.split()
            ends = words[0].split("-") if words else []
            if not head.strip().isdecimal() or len(ends) != 2:
                raise self.top.error("links", f"{show(text)} is no link; expected one {_LINK}")
            owner = int(head.strip()[:3])
            if owner >= players:
                raise self.top.error("links", f"{show(text)}: there is no player {owner}")
            for end in ends:
                self._end(text, end, owner)
            upgraded = words[-1].casefold() == "upgraded"
            path = self._path(text, ends, words[1 : len(words) - upgraded])
            if order.index(ends[0]) > order.index(ends[1]):
                ends, path = ends[::-1], path[::-1]
            if any((link["from"], link["to"], link["owner"]) == (*ends, owner) for link in found):
                raise self.top.error("links", f"{show(text)}: player {owner} has a link between {ends[0]} and {ends[1]} already")
            found.append({"from": ends[0], "to": ends[1], "owner": owner, "path": path, "upgraded": upgraded})
        return sorted(found, key=lambda link: (order.index(link["from"]), order.index(link["to"]), link["owner"]))

    def _end(self, text: str, end: str, owner: int) -> None:
        if end not in self.places:
            raise self.top.error("links", f"{show(text)}: {show(end)} is no place of this city; places are: {' '.join(self.places)}")
        place = self.places[end]
        if end[1:].isdigit() and not place["type"] and place["owner"] != owner:
            raise self.top.error("links", f"{show(text)}: the parcel {end} is empty and not player {owner}'s")

    def _path(self, text: str, ends: list[str], squares: list[str]) -> list[str]:
        """The squares of a link, which are taken then."""
        longest = self.data.numbers["track"]["longest"]
        if not 1 <= len(squares) <= longest:
            raise self.top.error("links", f"{show(text)}: {len(squares)} squares; a link has 1 to {longest}")
        if ends[0] == ends[1]:
            raise self.top.error("links", f"{show(text)}: both ends are {ends[0]}")
        path = []
        for word in squares:
            at = square(word) if _SQUARE.fullmatch(word) else None
            if at not in self.ground:
                raise self.top.error("links", f"{show(text)}: {show(word)} is no square of this city")
            if at in self.taken:
                raise self.top.error("links", f"{show(text)}: {word} is taken by {self.taken[at]}")
            if path and not beside(path[-1], at):
                raise self.top.error("links", f"{show(text)}: {word} is not beside {path[-1][0]}.{path[-1][1]}")
            self.taken[at] = "a link"
            path.append(at)
        for end, at in zip(ends, (path[0], path[-1]), strict=True):
            if not any(beside(at, square(own)) for own in self.places[end]["squares"]):
                raise self.top.error("links", f"{show(text)}: {at[0]}.{at[1]} is not beside {end}")
        return [f"{row}.{column}" for row, column in path]
