"""Trambahn in words: the notation of its events, and the entrances to its position files, its drawing and its typed turns."""

from __future__ import annotations

from wattman.engine import boards

DATA = boards.load("trambahn")
NAMES = DATA["stations"]["colours"]
COLOURS = "".join(NAMES)
CARDS = [f"{colour}{value}" for colour in COLOURS for value in range(1, 11)] + ["C"]
ORDER = {card: number for number, card in enumerate(CARDS)}
COPIES = dict(zip(CARDS, DATA["stations"]["copies"] * len(COLOURS) + [DATA["conductors"]["copies"]], strict=True))
POINTS = dict(zip(CARDS, DATA["stations"]["points"] * len(COLOURS) + [DATA["conductors"]["points"]], strict=True))
HAND = DATA["setup"]["hand"]
ROW = DATA["course"]["row"]
SCORINGS = DATA["course"]["scorings"]
EXTRA_TOUR = DATA["course"]["extra_tour"]
START_MONEY = tuple(DATA["setup"]["start_money"])
TRAMS = tuple(tram["multiplier"] for tram in DATA["trams"])
TRAM_COPIES = {tram["multiplier"]: tram["copies"] for tram in DATA["trams"]}
COST = {tram["multiplier"]: tram["cost"] for tram in DATA["trams"]}
MAX_COLUMNS = sum(TRAM_COPIES.values()) + HAND - 1  # one to a tram, and those opened in a turn
STEPS = ("deal", "passengers", "stations", "income", "trams", "draw", "over")

# In the order of the ids, which trambahn.pxd fixes.
EVENTS = [
    *(f"board {card}" for card in CARDS[:-1]),
    *(f"board C>{colour}" for colour in COLOURS),
    *(f"build {card}>{column}" for card in CARDS for column in range(MAX_COLUMNS)),
    *(f"build {card}>new" for card in CARDS[:-1]),
    *(f"build C>new{colour}" for colour in COLOURS),
    *(f"bank {card}" for card in CARDS),
    *(f"buy {tram}>{column}" for tram in TRAMS for column in range(MAX_COLUMNS)),
    "done",
    *(f"deal {card}" for card in CARDS),
    *(f"draw {card}" for card in CARDS),
    "deal ?",
    "draw ?",
    "bank ?",
]
IDS = {text: event for event, text in enumerate(EVENTS)}

# Short forms of typed turns.
HELP = """\
board Y3; build B9>0; bank R2  several moves, those of one step in any order; , or blanks will do
build B9>0 C>0                 a verb holds for all that follows it
build B8 B9>0                  several cards onto one column
build G1 G4>new, C>newB        a new column; a conductor alone needs its colour
buy 2>0, buy 2>new             a x2 tram for column 0; for the column opened on this line"""

# Why an event seen at a table is refused, by the codes of _trambahn_knowledge.pyx.
REFUSALS = {
    1: "the game is over",
    2: "it is not the time for it",
    3: "there is no such card left that could be there",
    4: "that is not what you see of it (of the other's hidden cards: 'draw ?', 'bank ?', 'deal ?'; his 'done' only where all see it)",
    5: "he can still buy a tram: first 'done'",
    6: "after the last reshuffle that card cannot be there",
    7: "there is no such event",
}

_CARD = "a card is a colour B, R, G or Y with a value 1..10 (B7), or C for a conductor"
_FORMS = {
    "board": "'board B7' (a station goes to its own row) or 'board C>R' (a conductor into the red row)",
    "build": f"'build B7>0' (onto own column 0..{MAX_COLUMNS - 1}), 'build B7>new', 'build C>0' or 'build C>newB'",
    "bank": "'bank B7' or 'bank C'",
    "buy": f"'buy 3>0' (a tram x2, x3 or x4 for own column 0..{MAX_COLUMNS - 1})",
    "done": "'done' alone",
    "deal": "'deal B7'",
    "draw": "'draw B7'",
}


def parse(text: str) -> int:
    """The id of an event written as text.

    Parameters
    ----------
    text : str
        An event as `EVENTS` writes it; blanks around it do not count.

    Returns
    -------
    int
        Its id.

    Raises
    ------
    ValueError
        If there is no such event; names the part that is wrong and what is allowed in its place.
    """
    event = IDS.get(text.strip())
    if event is not None:
        return event
    verb, _, rest = text.strip().partition(" ")
    if verb not in _FORMS:
        raise ValueError(f"{text!r}: unknown action {verb!r}; expected one of {', '.join(_FORMS)}")
    card = rest.partition(">")[0]
    if verb not in ("buy", "done") and card not in CARDS:
        raise ValueError(f"{text!r}: {card!r} is not a card; {_CARD}")
    raise ValueError(f"{text!r}: not a way to write {verb!r}; expected {_FORMS[verb]}")


# --- columns as plain data: {"colour": "B", "cards": ["B3", "C", "B7"], "tram": 3}, tram 0 if there is none ---


def column_points(column: dict, cards: int | None = None) -> int:
    """Victory points of a column's cards (of the first `cards`), before its tram multiplies them."""
    return sum(POINTS[card] for card in column["cards"][:cards])


def column_top(column: dict) -> int:
    """Value of a column's highest station, 0 if it has none."""
    return max((int(card[1:]) for card in column["cards"] if card != "C"), default=0)


def fits(card: str, column: dict) -> bool:
    """Whether a card may be put onto a column."""
    top = column_top(column)
    return top < 10 and (card == "C" or (card[0] == column["colour"] and int(card[1:]) > top))


def opening_key(card: str, colour: str) -> int:
    """Where a column sorts among those opened in a turn: by its first card, a conductor behind the ten of its declared colour."""
    return COLOURS.index(colour) * 11 + (10 if card == "C" else int(card[1:]) - 1)


def regular_score(columns: list[dict], colour: str) -> int:
    """What a regular scoring of a colour gives for these columns."""
    return sum(column_points(column) * column["tram"] for column in columns if column["colour"] == colour)


def extra_score(columns: list[dict]) -> int:
    """What these columns' Extra Tours have given."""
    return sum(column_points(column, EXTRA_TOUR) * column["tram"] for column in columns if len(column["cards"]) >= EXTRA_TOUR)


# Remarks in written position files.
COMMENTS = {
    "player": "you",
    "draw_pile": "cards; what is left over lies on the discard pile",
    "[rows]": "waiting passengers",
    "[turn]": "what happened in this turn",
    "[you]": "cards from bottom to top, ? unknown",
    "[discard]": "cards known to lie on the discard pile",
    "[supply]": "x2, x3, x4: those open, and how many are in the stack",
    "[memory]": "what you can remember besides; written by the program",
}


# --- entrances; imported when wanted, so that loading the game for a search stays quick ---


def from_file(data: dict, options: dict) -> dict:
    """A parsed position file as plain data; see `_trambahn_position.from_file`."""
    from wattman.engine.games import _trambahn_position

    return _trambahn_position.from_file(data, options)


def to_file(data: dict) -> dict:
    """Plain data as a position file's tables; see `_trambahn_position.to_file`."""
    from wattman.engine.games import _trambahn_position

    return _trambahn_position.to_file(data)


def remarks(data: dict) -> list[str]:
    """What is allowed in a position but hardly meant; see `_trambahn_checks.remarks`."""
    from wattman.engine.games import _trambahn_checks

    return _trambahn_checks.remarks(data)


def template() -> str:
    """A commented position file that loads as it is."""
    from wattman.engine.games import _trambahn_position

    return _trambahn_position.TEMPLATE


def draw(view: dict):
    """The table as a `rich.text.Text`; see `_trambahn_table.draw`."""
    from wattman.engine.games import _trambahn_table

    return _trambahn_table.draw(view)


def explain(event: str, view: dict) -> str:
    """A move or event in words; see `_trambahn_turn.explain`."""
    from wattman.engine.games import _trambahn_turn

    return _trambahn_turn.explain(event, view)


def parse_turn(line: str, view: dict) -> list[str]:
    """The events of a typed line in the engine's order; see `_trambahn_turn.parse_turn`."""
    from wattman.engine.games import _trambahn_turn

    return _trambahn_turn.parse_turn(line, view)


def sort_turn(texts: list[str], view: dict) -> list[str]:
    """Events typed in any order within each step, in the engine's order; see `_trambahn_turn.sort_turn`."""
    from wattman.engine.games import _trambahn_turn

    return _trambahn_turn.sort_turn(texts, view)
