"""Where the stations of a board of Portland lie on a picture or a terminal: with more room downtown, and without new crossings."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from wattman.engine.games._portland_board import Board
from wattman.engine.layout import Point, spread

_AMOUNTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)


def shape(board: Board) -> float:
    """The map's height by its width, by the board's own coordinates."""
    x, y = ([station.xy[axis] for station in board.stations] for axis in (0, 1))
    return (max(y) - min(y)) / ((max(x) - min(x)) or 1)


def roomy(board: Board, width: float, height: float, even: bool = False) -> list[Point]:
    """The stations on a sheet, spread out where they are crowded.

    Parameters
    ----------
    board : Board
    width, height : float
        Of the sheet, in units that are as wide as high.
    even : bool
        As even as possible without lines that cross and did not before; else so that the shortest spaces, the least distance between a
        line and a station, and that between stations are as large as possible together.

    Returns
    -------
    list of (x, y)
        From (0, 0) to (width, height).
    """
    places = [station.xy for station in board.stations]
    lines = sorted({(min(route.a, route.b), max(route.a, route.b), route.length) for route in board.routes})
    choices = [[(x * width, y * height) for x, y in spread(places, amount)] for amount in _AMOUNTS]
    fewest = _crossings(choices[0], lines)
    choices = [points for points in choices if _crossings(points, lines) <= fewest]
    return choices[-1] if even else max(choices, key=lambda points: _room(points, lines))


def _crossings(points: Sequence[Point], lines: Sequence[tuple[int, int, int]]) -> int:
    count = 0
    for i, (a, b, _) in enumerate(lines):
        for c, d, _ in lines[:i]:
            if not {a, b} & {c, d} and _cross(points[a], points[b], points[c], points[d]):
                count += 1
    return count


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def _room(points: Sequence[Point], lines: Sequence[tuple[int, int, int]]) -> float:
    """What is tightest: a space, a station beside a line, or two stations."""
    space = min(_far(points[a], points[b]) / length for a, b, length in lines)
    beside = min(_off(points[i], points[a], points[b]) for a, b, _ in lines for i in range(len(points)) if i not in (a, b))
    apart = min(_far(points[i], points[j]) for i in range(len(points)) for j in range(i))
    return min(1.5 * space, beside, 0.8 * apart)


def _far(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _off(point: Point, a: Point, b: Point) -> float:
    """Distance of a point from the line between two others."""
    along, up = b[0] - a[0], b[1] - a[1]
    share = ((point[0] - a[0]) * along + (point[1] - a[1]) * up) / ((along * along + up * up) or 1)
    share = min(1.0, max(0.0, share))
    return hypot(point[0] - a[0] - share * along, point[1] - a[1] - share * up)
