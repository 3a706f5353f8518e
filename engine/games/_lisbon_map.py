"""Lisbon Tram 28's map for a terminal: rails as dots, every place with its id, who waits there and which trams stand there."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from rich.text import Text

from wattman.engine.drawing import STYLES, Piece, text, width
from wattman.engine.games._lisbon_board import BONUS, COLOURS, MONUMENT, ROSSIO, STOP, Board, Place
from wattman.engine.games._lisbon_view import COLOUR_OF, board_of, shown_cards, tram
from wattman.engine.layout import place_labels, spread

WIDTH = 98  # columns
_CROWDED = 0.6  # how much more room the city gets than the suburbs
_LONGEST = 6  # columns of an end that hold a label away from the edge

LEGEND = "● passengers wait  ○ empty, run through  ▲ monument with a card  △ without  ◆ bonus  [0] tram"


def lines(view: dict) -> list[Text]:
    """The map as lines of at most `WIDTH` columns, with a legend."""
    board = board_of(view)
    sheet = _Sheet(_height(board))
    spots, corners = _layout(board)
    for a, b, _ in board.rails:
        sheet.dots(spots[a], spots[b])
    for place, (x, y), (left, top) in zip(board.places, spots, corners, strict=True):
        sheet.put(x, y, _mark(view, place))
        label = _label(view, place)
        # A label to the left of its place ends beside it, however long it is.
        sheet.put(left if left > x - 2 or top != y else x - 1 - sum(map(width, label)), top, *label)
    return [*sheet.lines(), text(("   " + LEGEND, "faint"))]


class _Sheet:
    """Characters with styles, by row and column."""

    def __init__(self, height: int):
        self.rows = [[(" ", "")] * WIDTH for _ in range(height)]

    def put(self, x: int, y: int, *pieces: Piece) -> None:
        """Text from a place on; what would stand beyond the edges is moved in."""
        x = max(0, min(x, WIDTH - sum(map(width, pieces))))
        for piece in pieces:
            string, style = piece if isinstance(piece, tuple) else (piece, "")
            for char in string:
                if x < WIDTH:
                    self.rows[y][x] = (char, style)
                x += 1

    def dots(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        (x, y), (x2, y2) = start, end
        steps = max(abs(x2 - x), 2 * abs(y2 - y), 1)  # a row is as high as two columns are wide
        for i in range(1, steps):
            self.put(round(x + (x2 - x) * i / steps), round(y + (y2 - y) * i / steps), ("·", "faint"))

    def lines(self) -> list[Text]:
        made = []
        for row in self.rows:
            line = Text(no_wrap=True, end="")
            for style, run in groupby(row, key=itemgetter(1)):
                line.append("".join(char for char, _ in run), STYLES.get(style, style) or None)
            line.rstrip()
            made.append(line)
        return made


def _mark(view: dict, place: Place) -> tuple[str, str]:
    if place.kind == ROSSIO:
        return "■", "strong"
    if place.kind == BONUS:
        return "◆", COLOUR_OF[COLOURS[place.colour]]
    if place.kind == MONUMENT:
        return ("▲", "strong") if shown_cards(view, place.id) else ("△", "faint")
    return ("●", "") if view["stops"].get(place.id) else ("○", "faint")


def _label(view: dict, place: Place) -> list[Piece]:
    waiting = view["stops"].get(place.id, "")
    faint = (place.kind == STOP and not waiting) or (place.kind == MONUMENT and not shown_cards(view, place.id))
    pieces: list[Piece] = [(place.id, "faint" if faint else "")]
    if place.kind == BONUS:
        pieces += [" ", (COLOURS[place.colour], COLOUR_OF[COLOURS[place.colour]])]
    if waiting:
        pieces += [" ", *((colour, COLOUR_OF[colour]) for colour in waiting)]
    return pieces + [tram(view, seat) for seat, player in enumerate(view["players"]) if player["tram"] == place.id]


def _height(board: Board) -> int:
    return 26 + max(0, len(board.places) - 27) // 4


def _layout(board: Board) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Column and row of each place, and of its label's left end. They stay while passengers and trams come and go."""
    height = _height(board)
    points = spread([place.xy for place in board.places], _CROWDED)
    spots = [(round(_LONGEST / 2 + x * (WIDTH - 1 - _LONGEST)), round(y * (height - 1))) for x, y in points]
    # Behind the id: passengers, the bonus's colour, trams; and a blank, so that labels do not touch.
    more = {STOP: 1 + board.each_stop + 4, MONUMENT: 4, BONUS: 6, ROSSIO: 3 * max(board.setups) + 1}
    labels = place_labels(
        tuple((x, y, x + 1, y + 1) for x, y in spots),
        tuple((len(place.id) + more[place.kind], 1) for place in board.places),
        tuple((spots[a][0] + 0.5, spots[a][1] + 0.5, spots[b][0] + 0.5, spots[b][1] + 0.5) for a, b, _ in board.rails),
        (0, 0, WIDTH, height),
        (1, 0),
    )
    return spots, [(round(x), min(max(round(y), 0), height - 1)) for x, y in labels]
