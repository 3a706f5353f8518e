"""What people read and type of Tramways: short forms of moves, and the entrances to drawing, words, typed turns and position files.

The modules behind are imported when wanted, so that loading the game for a search stays quick.
"""

from __future__ import annotations

HELP = """\
build Aa-K 2.3 pay s1 t13   a link with its squares and the cards that pay for it; without squares: the cheapest way
move Aa K0 Ba pay A2 t13    a passenger from Aa over player 0's link to K, then to Ba; behind it perhaps buy 2, or market d1 d2
upgrade Aa-K pay ..; construct A1 R pay ..; extend A1 pay ..; add Aa pay ..; money s2 t7; worker d3; calm d4; pass
bid 4; fold; take t7; trash s1; purge A1; done
Icons: R C L I S F destinations, =2 rails, $2 money, up upgrade, con construct, lot this parcel, w worker, pax passenger, calm less stress.
The first icon used of a card is free, each further one is a stress."""

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


def parse_turn(line: str, view: dict) -> list[str]:
    """The events of a typed line in the engine's order; see `turn.parse_turn`."""
    from wattman.engine.games.tramways import turn

    return turn.parse_turn(line, view)
