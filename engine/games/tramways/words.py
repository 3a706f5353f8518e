"""What people read and type of Tramways: short forms of moves, and the entrances to drawing, words, typed turns and position files.

The modules behind are imported when wanted, so that loading the game for a search stays quick.
"""

from __future__ import annotations

HELP = """\
build Aa-K 2.3 1.3 pay s1 t13  a link over these squares, paid with these cards; without squares over the fewest rails
move Aa K0 Ba1 pay A2 t13      from Aa by player 0's link to K, by player 1's to Ba; without a number by your own, or the only one
upgrade Aa-K pay d2 s1         your link from Aa to K
construct A1 R pay A1 s2 bR    a Residence on your parcel A1
extend A1, add Aa              a second place, a passenger; behind it pay and cards
buy 2, market d1 d2            at the end of a trip: points, cards; may stand behind the payment
money s2 t7, worker d3, calm d4  with these cards
bid 4, fold, take t7, pass     auction; nothing
trash s1; purge A1; done       discards from your hand, from your pool
icons of cards                 R C L I S F destinations; =2 rails; $2 money; up upgrade; con construct; lot this parcel; w worker; pax \
passenger; calm less stress. The first one used of a card is free, each further one is a stress"""

# Remarks in written position files.
COMMENTS = {
    "player": "you",
    "[you]": "hand, deck and pool are cards by their kinds",
    "boards": "row by row: letter and quarter turns clockwise",
}


def from_file(data: dict, options: dict) -> dict:
    """A parsed position file as plain data; see `position.from_file`."""
    from wattman.engine.games.tramways import position

    return position.from_file(data, options)


def to_file(data: dict) -> dict:
    """Plain data as a position file's tables; see `position.to_file`."""
    from wattman.engine.games.tramways import position

    return position.to_file(data)


def remarks(data: dict) -> list[str]:
    """What is allowed in a position but hardly meant; see `position.remarks`."""
    from wattman.engine.games.tramways import position

    return position.remarks(data)


def template() -> str:
    """A commented position file that loads as it is."""
    from wattman.engine.games.tramways import position

    return position.TEMPLATE


def draw(view: dict):
    """The table as a `rich.text.Text`; see `table.draw`."""
    from wattman.engine.games.tramways import table

    return table.draw(view)


def svg(view: dict) -> str:
    """The table as a picture; see `svg.draw`."""
    from wattman.engine.games.tramways import svg as picture

    return picture.draw(view)


def explain(event: str, view: dict) -> str:
    """A move or event in words; see `turn.explain`."""
    from wattman.engine.games.tramways import turn

    return turn.explain(event, view)


def tell(events: list[tuple[str, dict]]) -> list[tuple[str, str]]:
    """What happened, whole actions on one line; see `told.tell`."""
    from wattman.engine.games.tramways import told

    return told.tell(events)


def parse_turn(line: str, view: dict) -> list[str]:
    """The events of a typed line in the engine's order; see `turn.parse_turn`."""
    from wattman.engine.games.tramways import turn

    return turn.parse_turn(line, view)
