"""The notation of Trambahn's events: one text for every id, and back."""

COLOURS = "BRGY"
CARDS = [f"{colour}{value}" for colour in COLOURS for value in range(1, 11)] + ["C"]
MAX_COLUMNS = 21
TRAMS = (2, 3, 4)

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
