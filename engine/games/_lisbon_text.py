"""Lisbon Tram 28's notation: events as text and back, for a loaded board."""

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
