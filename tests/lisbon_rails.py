"""The board of Lisbon Tram 28 for the reference: the board file as it stands, and the ways along its rails.

Written from the rules and the layout of the board files alone; nothing here is shared with the engine. Places, cards and colours are texts.
"""

import tomllib
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

COLOURS = "RYGB"
DATA = Path(__file__).parent.parent / "engine" / "data" / "lisbon"
DEFAULT_BOARD = {2: "side_23", 3: "side_23", 4: "side_4"}


@cache
def read(name):
    """A board file, by name or by path, with the files it names as its parts, as one dictionary."""
    file = Path(name) if name.endswith(".toml") else DATA / f"{name}.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    for part in table.get("parts", []):
        table |= tomllib.loads((DATA / f"{part}.toml").read_text(encoding="utf-8"))
    return table


class Card:
    """A monument card: its monument, points, the passengers it wants and the colours of the half-tickets on its edges."""

    def __init__(self, entry):
        self.id = entry["id"]
        self.monument = entry["monument"]
        self.points = entry["vp"]
        self.demand = entry["demand"]
        self.left = set(entry["left"])
        self.right = set(entry["right"])


class Rails:
    """One side of the board with all that belongs to it.

    Attributes
    ----------
    kind : dict of str to str
        Of each place, in the order of the file: ``rossio``, ``stop``, ``monument`` or ``bonus``.
    next_to : dict of str to list of str
        Places one rail away, in the order of the file.
    no_turn : set of (str, str, str)
        From, by way of, to: rails that do not meet; both directions.
    colour : dict of str to str
        Of the bonus stops.
    player_boards : list of dict
        By player: the bonus that each colour unlocks.
    tickets, passengers : Counter
        All there are.
    setup, start_hand, new_tickets, each_stop, seats
        Set-up by number of players; tickets at the start and at the end of a turn; passengers that come to a stop; seats of each colour
        without and with the bonus.
    """

    def __init__(self, name):
        table = read(name)
        places = table["places"]["list"]
        self.name = name
        self.kind = {place["id"]: place["kind"] for place in places}
        self.xy = {place["id"]: [Fraction(str(number)) for number in place["xy"]] for place in places}
        self.colour = {place["id"]: place["colour"] for place in places if place["kind"] == "bonus"}
        self.refill_monument = {place["id"]: place.get("refill_symbol", False) for place in places if place["kind"] == "monument"}
        self.refill_slot = table["display"]["refill_symbols"]
        self.rossio = next(place for place in self.kind if self.kind[place] == "rossio")
        self.stops = [place for place in self.kind if self.kind[place] == "stop"]
        touching = {place: set() for place in self.kind}
        for way in table["rails"]["ways"]:
            for here, there in zip(way["places"], way["places"][1:], strict=False):
                touching[here].add(there)
                touching[there].add(here)
        self.next_to = {place: [other for other in self.kind if other in touching[place]] for place in self.kind}
        self.no_turn = set()
        for here, via, there in table["rails"].get("no_turn", []):
            self.no_turn |= {(here, via, there), (there, via, here)}
        self.cards = {entry["id"]: Card(entry) for entry in table["cards"]["list"]}
        self.player_boards = [
            {board[bonus]: bonus for bonus in ("seats", "action", "free_move", "bell")} for board in table["player_boards"]["list"]
        ]
        self.setup = table["setup"]
        self.tickets = Counter(dict.fromkeys(COLOURS, table["tickets"]["each_colour"]))
        self.passengers = Counter(dict.fromkeys(COLOURS, table["passengers"]["each_colour"]))
        self.start_hand = table["tickets"]["start_hand"]
        self.new_tickets = table["tickets"]["end_of_turn"]
        self.each_stop = table["passengers"]["each_stop"]
        self.seats = table["seats"]["start"], table["seats"]["with_bonus"]

    def onward(self, line):
        """Where a line of places may go on: along a rail, not back over the rail it came by, and not where rails do not meet."""
        if len(line) == 1:
            return self.next_to[line[-1]]
        before, here = line[-2:]
        return [there for there in self.next_to[here] if there != before and (before, here, there) not in self.no_turn]

    def bend(self, before, here, there):
        """How far the way turns at `here`, as a number that grows with the angle (-1 straight on, 1 back); exact."""
        (ax, ay), (bx, by), (cx, cy) = self.xy[before], self.xy[here], self.xy[there]
        ux, uy, vx, vy = bx - ax, by - ay, cx - bx, cy - by
        along = ux * vx + uy * vy
        square = along * along / ((ux * ux + uy * uy) * (vx * vx + vy * vy))  # the squared cosine of the angle
        return -square if along > 0 else square


class Traffic:
    """Which trams and passengers are where: what the ways of a tram depend on.

    Parameters
    ----------
    rails : Rails
    trams : list of str
        Place of each player's tram.
    is_empty : callable
        Whether a tram stop has no passengers.
    """

    def __init__(self, rails, trams, is_empty):
        self.rails = rails
        self.trams = trams
        self.is_empty = is_empty

    def stopping(self, place):
        """Whether a tram that comes to `place` stops there: everywhere but at tram stops without passengers."""
        return self.rails.kind[place] != "stop" or not self.is_empty(place)

    def tram_at(self, place):
        """The player whose tram stands in the way at `place`, None if there is none. Trams in Rossio are in nobody's way."""
        if place == self.rails.rossio or place not in self.trams:
            return None
        return self.trams.index(place)

    def paths(self, mover):
        """The paths of one legal step of `mover`: lists of the places entered, the landing place last."""
        return [line[1:] for line in self._lines_to_landing([self.trams[mover]]) if self.completable(line, *self.met(line))]

    def _lines_to_landing(self, line):
        for there in self.rails.onward(line):
            if there in line:
                continue
            if self.stopping(there):
                yield [*line, there]
            else:
                yield from self._lines_to_landing([*line, there])

    def met(self, line):
        """The players whose trams stand on a mover's path, nearest first, and how many of them have found their place (none)."""
        return [self.tram_at(place) for place in line[1:] if self.tram_at(place) is not None], 0

    def completable(self, line, met, placed):
        """Whether all trams met on `line`, of which the first `placed` have their places, can be put somewhere beyond its end.

        `line` begins with the place that the mover leaves and has reached at least his landing place.
        """
        if placed == len(met) or line[-1] == self.rails.rossio:
            return True
        return bool(self.ways(line, met, placed))

    def ways(self, line, met, placed):
        """The next places by which `line` can be continued so that all trams met can be put somewhere."""
        result = []
        for there in self.rails.onward(line):
            left_behind = line[0] if line[0] != self.rails.rossio else None
            if there in line[1:] or there == left_behind:
                continue
            if self.completable([*line, there], *self.entered(there, met, placed)):
                result.append(there)
        return result

    def entered(self, there, met, placed):
        """`met` and `placed` after a line has gone on to `there`: perhaps one more tram is met, and one finds its place."""
        tram = self.tram_at(there)
        return met + ([tram] if tram is not None else []), placed + (1 if self.stopping(there) else 0)
