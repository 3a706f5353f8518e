"""Stop Requested: Portland's map for a terminal: stations with their names, routes as dots, claimed ones as their player's number."""

from __future__ import annotations

from functools import lru_cache

from rich.text import Text

from wattman.engine.drawing import STYLES as COMMON
from wattman.engine.drawing import text
from wattman.engine.games._portland_board import ANY, Board
from wattman.engine.games._portland_layout import roomy
from wattman.engine.games._portland_view import STYLES, board_of, closed, loaded, owners, style_of
from wattman.engine.layout import place_labels

WIDTH = 98  # columns
LEGEND = "· open route, in the colour of its cards   0 1 2 .. claimed by that player   * on your tickets"

_MARGIN = 4  # columns at both sides that hold labels


def lines(view: dict) -> list[Text]:
    """The map as lines of at most `WIDTH` columns, with a legend."""
    board = board_of(view)
    spots, corners = _layout(view["options"]["board"])
    sheet = [[(" ", "")] * WIDTH for _ in range(_height(board))]
    for cells, marks in _ways(board, view, spots):
        for i, (x, y) in enumerate(cells):
            sheet[y][x] = marks[i % len(marks)]
    wanted = _ticket_ends(board, view)
    for i, ((x, y), (left, top), station) in enumerate(zip(spots, corners, board.stations, strict=True)):
        for j, char in enumerate(station.name):
            sheet[top][left + j] = (char, "bold" if i in wanted else "")
        sheet[y][x] = ("*", "bold") if i in wanted else ("o", "")
    made = []
    for row in sheet:
        line = Text(no_wrap=True, end="")
        for char, style in row:
            line.append(char, style or None)
        line.rstrip()
        made.append(line)
    return [*made, text(("   " + LEGEND, "faint"))]


def _ways(board: Board, view: dict, spots: tuple[tuple[int, int], ...]) -> list:
    """(cells, signs to repeat on them) of each pair of stations that routes join; claimed ones last, over the others."""
    owner = owners(view)
    shut = set.intersection(*(closed(view, seat) for seat in range(len(view["players"])))) - set(owner)
    found = []
    for i, route in enumerate(board.routes):
        if 0 <= route.other < i:
            continue  # drawn with the first one of the double
        marks = []
        for number in [i, route.other] if route.other >= 0 else [i]:
            if number in owner:
                marks.append((str(owner[number]), STYLES[owner[number]]))
            elif number not in shut:
                kind = board.routes[number].type
                marks.append(("·", COMMON["faint"] if kind == ANY else style_of(board, board.types[kind].id)))
        claimed = any(mark[0] != "·" for mark in marks)
        found.append((claimed, _cells(spots[route.a], spots[route.b]), marks))
    return [(cells, marks) for _, cells, marks in sorted(found, key=lambda entry: entry[0])]


def _cells(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """The cells between two others; a row is as high as two columns are wide."""
    (x, y), (x2, y2) = start, end
    steps = max(abs(x2 - x), abs(y2 - y), 1)
    cells = [(round(x + (x2 - x) * i / steps), round(y + (y2 - y) * i / steps)) for i in range(1, steps)]
    return cells[::2] if abs(x2 - x) > 2 * abs(y2 - y) and len(cells) > 4 else cells


def _ticket_ends(board: Board, view: dict) -> set[int]:
    """The stations on the viewer's tickets, and on those offered to him."""
    seat = view["player"]
    if seat < 0:
        return set()
    player = view["players"][seat]
    held = [*player["tickets"], *(player["offered"] if not player["chosen"] else []), *(view["offer"] if seat == view["on_turn"] else [])]
    tickets = [board.tickets[board.ticket_numbers[text]] for text in held if text != "?"]
    return {end for ticket in tickets for end in (ticket.a, ticket.b)}


def _height(board: Board) -> int:
    return min(44, max(20, len(board.stations) - 4))


@lru_cache(maxsize=8)
def _layout(name: str) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Column and row of each station, and of the left end of its name."""
    board = loaded(name)
    height = _height(board)
    points = roomy(board, WIDTH - 1 - 2 * _MARGIN, 2 * (height - 1), even=True)
    spots = tuple((round(_MARGIN + x), round(y / 2)) for x, y in points)
    labels = place_labels(
        tuple((x, y, x + 1, y + 1) for x, y in spots),
        tuple((len(station.name), 1) for station in board.stations),
        tuple((spots[r.a][0] + 0.5, spots[r.a][1] + 0.5, spots[r.b][0] + 0.5, spots[r.b][1] + 0.5) for r in board.routes),
        (0, 0, WIDTH, height),
        (1, 0),
    )
    corners = []
    for (x, y), station in zip(labels, board.stations, strict=True):
        corners.append((min(max(round(x), 0), WIDTH - len(station.name)), min(max(round(y), 0), height - 1)))
    return spots, tuple(corners)
