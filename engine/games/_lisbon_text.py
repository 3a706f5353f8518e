"""Lisbon Tram 28 in words: the notation of its events for a loaded board; the entrances to its positions, drawings and typed turns."""

from __future__ import annotations

from wattman.engine.games._lisbon_board import COLOURS, Board
from wattman.engine.tomlfile import listed

FIXED = [
    *(f"move {colour}" for colour in COLOURS),
    *("board", "ring", "ring3", "bonus", "end", "halt", "pay", "decline"),
    *(f"swap {x}<{d}" for x in COLOURS for d in COLOURS if d != x),
    *(f"keep {colour}" for colour in COLOURS),
]
PAYMENTS = ("board for ", "bonus for ", "paid ")  # what others see of a payment
REFUSALS = {
    1: "the game is over",
    2: "it is not possible now",
    3: "there are not enough such tickets that this player could have",
    4: "this is not seen by others",
    5: "the tram cannot take this step",
    6: "these tickets do not pay for it, not even with three of one colour for one of another",
    7: "there is no such event",
    8: "this is how others see it; a player's own moves are named in full",
}

# Short forms of typed turns.
HELP = """\
move R chiado carmo     steps paid with red tickets; the landing places will do, stops that are run through need not be named
move R chiado Y         this step is paid with three yellow instead (also YYY)
board, ring, ring3      pick up; ring the bell first, once or with the bonus. swap R<Y: three yellow stand for one red
claim carmo L           claim the card at Carmo and put it at the left (L) or right (R) end of your row
bonus, free chiado      buy the bonus here; your free move
end                     end the turn. Payments and moves that you leave are ended by themselves"""

VERBS = (
    "move R, step PLACE-PLACE, step PLACE Y, halt, free PLACE, board, ring, ring3, keep R, swap R<Y, pay, decline, claim CARD, "
    "claim CARD L, bonus, end, shunt PLACE, place STOP, bag R, ticket R, card CARD"
)


class Notation:
    """All events of a board in the order of their ids, payments seen by others apart.

    Parameters
    ----------
    board : Board
    paths : list of list of int
        The places of each path.
    """

    def __init__(self, board: Board, paths: list[list[int]]):
        places = [place.id for place in board.places]
        cards = [card.id for card in board.cards]
        ways = ["-".join(places[i] for i in path) for path in paths]
        self.digit = board.tickets_each_colour + 1
        self.names = [
            *FIXED,
            *(f"claim {card}{side}" for card in cards for side in ("", " L", " R")),
            *(f"shunt {place}" for place in places),
            *(f"place {places[stop]}" for stop in board.stops),
            *(f"free {way}" for way in ways),
            *(f"step {way}" for way in ways),
            *(f"step {way} {colour}" for way in ways for colour in COLOURS),
            *(f"bag {colour}" for colour in COLOURS),
            *(f"ticket {colour}" for colour in COLOURS),
            *(f"card {card}" for card in cards),
            *(f"first step {way} {colour}" for way in ways for colour in COLOURS),
            *(f"first free {way}" for way in ways),
            *(f"step {way} for {colour}" for way in ways for colour in COLOURS),
            "ticket ?",
        ]
        self.number = {name: i for i, name in enumerate(self.names)}
        self.payments = self.digit**4  # ids of each kind of payment
        self.events = len(self.names) + len(PAYMENTS) * self.payments

    def first(self, name: str) -> int:
        """The id of the first event whose text begins so."""
        return next(i for i, text in enumerate(self.names) if text.startswith(name))

    def text(self, event: int) -> str:
        if 0 <= event < len(self.names):
            return self.names[event]
        if not 0 <= event < self.events:
            raise ValueError(f"id {event} is no event; ids run from 0 to {self.events - 1}")
        kind, number = divmod(event - len(self.names), self.payments)
        counts = []
        for _ in COLOURS:
            number, count = divmod(number, self.digit)
            counts.append(count)
        return PAYMENTS[kind] + ("".join(colour * n for colour, n in zip(COLOURS, reversed(counts), strict=True)) or "nothing")

    def event(self, text: str) -> int:
        words = " ".join(text.split())
        if words in self.number:
            return self.number[words]
        for kind, start in enumerate(PAYMENTS):
            letters = words.removeprefix(start)
            if letters != words and (letters == "nothing" or letters == "".join(c * letters.count(c) for c in COLOURS)):
                number = 0
                for colour in COLOURS:
                    number = number * self.digit + letters.count(colour)
                    if letters.count(colour) >= self.digit:
                        raise ValueError(f"{text!r}: there are only {self.digit - 1} tickets of a colour")
                return len(self.names) + kind * self.payments + number
        raise ValueError(f"{text!r} is no event of Lisbon Tram 28{self._reason(words)}")

    def _reason(self, words: str) -> str:
        """What is wrong with a text, as far as it can be told."""
        verb, _, rest = words.partition(" ")
        known = [name.partition(" ")[2] for name in self.names if name.startswith(verb + " ")]
        if rest and known:
            if verb in ("step", "free") and words not in self.number:
                return ": no tram can run along this path, or it is misspelt; a path is the places entered, joined by -"
            options = sorted({name.split(" ")[0] for name in known})
            return f"; {verb} takes one of {listed(options)}"
        return f"; events: {VERBS}"


# Remarks in written position files.
COMMENTS = {
    "player": "you",
    "actions": "left in this turn",
    "drew": "players who have drawn a ticket for a push in this turn",
    "[turn]": "what is going on inside an action",
    "[stops]": "who waits where",
    "[display].next": "face up on the pile",
    "[you].row": "from left to right",
    "[passengers]": "delivered since the bag was last refilled; the rest is in the bag",
    "[tickets]": "the rest is in the pile",
    "[memory]": "what you can remember besides; written by the program",
}


# --- entrances; imported when wanted, so that loading the game for a search stays quick ---


def from_file(data: dict, options: dict) -> dict:
    """A parsed position file as plain data; see `_lisbon_position.from_file`."""
    from wattman.engine.games import _lisbon_position

    return _lisbon_position.from_file(data, options)


def to_file(data: dict) -> dict:
    """Plain data as a position file's tables; see `_lisbon_position.to_file`."""
    from wattman.engine.games import _lisbon_position

    return _lisbon_position.to_file(data)


def remarks(data: dict) -> list[str]:
    """What is allowed in a position but hardly meant; see `_lisbon_checks.remarks`."""
    from wattman.engine.games import _lisbon_checks

    return _lisbon_checks.remarks(data)


def template() -> str:
    """A commented position file that loads as it is."""
    from wattman.engine.games import _lisbon_position

    return _lisbon_position.TEMPLATE


def draw(view: dict):
    """The table as a `rich.text.Text`; see `_lisbon_table.draw`."""
    from wattman.engine.games import _lisbon_table

    return _lisbon_table.draw(view)


def svg(view: dict) -> str:
    """The table as a picture; see `_lisbon_svg.draw`."""
    from wattman.engine.games import _lisbon_svg

    return _lisbon_svg.draw(view)


def explain(event: str, view: dict) -> str:
    """A move or event in words; see `_lisbon_turn.explain`."""
    from wattman.engine.games import _lisbon_turn

    return _lisbon_turn.explain(event, view)


def parse_turn(line: str, view: dict) -> list[str]:
    """The events of a typed line; see `_lisbon_turn.parse_turn`."""
    from wattman.engine.games import _lisbon_turn

    return _lisbon_turn.parse_turn(line, view)
