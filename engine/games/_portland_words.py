"""What people read and type of Portland: short forms of moves, and the entrances to drawing, words, typed turns and position files.

The modules behind are imported when wanted, so that loading the game for a search stays quick.
"""

from __future__ import annotations

HELP = """\
take red blue           two face-up cards; draw 2: two from the pile; take red; draw: one of each
claim gate jade green   a route by the beginnings of its stations' names, and its type where there are two
claim gate jade pay fx+1   and how to pay for it, where there is a choice: one pass, the rest fx
keep 1 3                of the tickets offered by their places in the list; keep all; keep gresham: by a station"""

# Remarks in written position files.
COMMENTS = {
    "player": "you",
    "draw_pile": "cards",
    "[you]": "your hand, and your tickets",
    "[tickets]": "the ticket deck: those never offered, and those returned, the next one first",
    "[memory]": "what you can remember besides; written by the program",
}


def from_file(data: dict, options: dict) -> dict:
    """A parsed position file as plain data; see `_portland_position.from_file`."""
    from wattman.engine.games import _portland_position

    return _portland_position.from_file(data, options)


def to_file(data: dict) -> dict:
    """Plain data as a position file's tables; see `_portland_position.to_file`."""
    from wattman.engine.games import _portland_position

    return _portland_position.to_file(data)


def remarks(data: dict) -> list[str]:
    """What is allowed in a position but hardly meant; see `_portland_position.remarks`."""
    from wattman.engine.games import _portland_position

    return _portland_position.remarks(data)


def template() -> str:
    """A commented position file that loads as it is."""
    from wattman.engine.games import _portland_position

    return _portland_position.TEMPLATE


def draw(view: dict):
    """The table as a `rich.text.Text`; see `_portland_table.draw`."""
    from wattman.engine.games import _portland_table

    return _portland_table.draw(view)


def svg(view: dict) -> str:
    """The table as a picture; see `_portland_svg.draw`."""
    from wattman.engine.games import _portland_svg

    return _portland_svg.draw(view)


def explain(event: str, view: dict) -> str:
    """A move or event in words; see `_portland_turn.explain`."""
    from wattman.engine.games import _portland_turn

    return _portland_turn.explain(event, view)


def parse_turn(line: str, view: dict) -> list[str]:
    """The events of a typed line in the engine's order; see `_portland_turn.parse_turn`."""
    from wattman.engine.games import _portland_turn

    return _portland_turn.parse_turn(line, view)
