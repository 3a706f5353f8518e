"""The notation of Tramways: texts of all events and labels, in the order of their numbers.

Two kinds of events would have the same text: the type of a building that is constructed and the drawing of the types of arrivals. The first
is `type R`, as people type it; the second is `arrivals R`.
"""

from __future__ import annotations

from wattman.engine.games._tramways_board import Data

TYPES = "RCLI"
TILES = "SXKFVW"
KINDS = ("build", "upgrade", "construct", "extend", "move", "add", "money", "worker", "calm", "pass")


def terminals(data: Data) -> list[str]:
    """Names of all places in order: of each board the buildings before the parcels, then the special tiles."""
    names = []
    for board in data.boards:
        signs = sorted({sign for row in board.rows for sign in row if sign not in ".~^"}, key=lambda sign: (sign.isdigit(), sign))
        names += [board.letter + sign for sign in signs]
    return names + list(TILES)


class Notation:
    """Texts of events by number, and numbers by text.

    Attributes
    ----------
    decisions, outcomes : int
        How many there are; what follows are labels.
    first : dict of str to int
        The number with which each group of events begins.
    kinds, places, boards : list of str
        Names of the kinds of cards, of the terminals and of the boards, by number.
    columns : int
        Of squares.
    """

    def __init__(self, data: Data, players: int, rows: int, columns: int, highest_buy: int):
        places = terminals(data)
        squares = [f"{row}.{column}" for row in range(rows) for column in range(columns)]
        kinds = [kind.text for kind in data.kinds]
        auction = [kind.text for kind in data.kinds if kind.family == "auction"]
        development = [kind.text for kind in data.kinds if kind.family == "development"]
        parcels = [kind.text for kind in data.kinds if kind.family == "parcels"]
        seats = range(players)
        self.kinds, self.places, self.columns = kinds, places, columns
        self.boards = [board.letter for board in data.boards]
        self.texts: list[str] = []
        self.first: dict[str, int] = {}
        self._add("bid", [f"bid {n}" for n in range(1, data.numbers["auction"]["highest"] + 1)])
        self._add("fold", ["fold"])
        self._add("take", [f"take {kind}" for kind in auction])
        self._add("kind", KINDS)
        for word in ("from", "to"):
            self._add(word, [f"{word} {place}" for place in places])
        self._add("lay", [f"lay {square}" for square in squares])
        self._add("join", ["join"])
        self._add("at", [f"at {place}" for place in places])
        self._add("type", [f"type {letter}" for letter in TYPES])
        self._add("ride", [f"ride {place} {owner}" for place in places for owner in seats])
        self._add("stop", ["stop"])
        self._add("pay", [f"pay {kind}" for kind in kinds])
        self._add("done", ["done"])
        self._add("buy", [f"buy {n}" for n in range(highest_buy + 1)])
        self._add("market", [f"market {kind}" for kind in development])
        for word in ("trash", "purge"):
            self._add(word, [f"{word} {kind}" for kind in kinds])
        self.decisions = len(self.texts)
        self._add("board", [f"board {board.letter}.{turns}" for board in data.boards for turns in range(4)])
        self._add("place", [f"place {square}{down}" for square in squares for down in ("", "v")])
        self._add("parcel", [f"parcel {kind}" for kind in parcels])
        self._add("order", [f"order {player}" for player in seats])
        self._add("arrivals", [f"arrivals {letter}" for letter in TYPES])
        self._add("reveal", [f"reveal {kind}" for kind in auction])
        self._add("draw", [f"draw {kind}" for kind in kinds])
        self.outcomes = len(self.texts) - self.decisions
        self._add("draw_unseen", ["draw ?"])
        first = ["fold", "pass", "done", *(f"take {kind}" for kind in auction)]  # with what another's decisions can begin
        self._add("by", [f"{player}: {text}" for player in seats for text in first])
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def _add(self, name: str, texts) -> None:
        self.first[name] = len(self.texts)
        self.texts += texts

    def square(self, number: int) -> str:
        return f"{number // self.columns}.{number % self.columns}"

    def text(self, event: int) -> str:
        if not 0 <= event < len(self.texts):
            raise ValueError(f"{event} is no event of tramways; they are 0 to {len(self.texts) - 1}")
        return self.texts[event]

    def event(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            raise ValueError(_refusal(text, self.texts))
        return number


def _refusal(text: str, texts: list[str]) -> str:
    """Why a text is no event: the word is unknown, or what stands behind it."""
    word = text.partition(" ")[0]
    alike = [known for known in texts if known.partition(" ")[0] == word]
    if not alike:
        words = sorted({known.partition(" ")[0] for known in texts if ":" not in known})
        return f"{text!r} is no event of tramways; events begin with {', '.join(words)}"
    if alike == [word]:
        return f"{text!r} is no event of tramways; expected {word} alone"
    return f"{text!r} is no event of tramways; expected e.g. {alike[0]!r}"
