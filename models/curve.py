"""The strength of a training's iterations as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wattman.engine.svg import Sheet
from wattman.search.statistics import elo

if TYPE_CHECKING:
    from wattman.models.loop import Iteration

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 90, 50, 50
ELO, PLAIN = "#1f5fa8", "#c0562a"


def curve(title: str, rows: Sequence[Iteration]) -> str:
    """An SVG picture: Elo against the first network (left axis), and the win rate against the search without one, with what
    it is in Elo (right axis)."""
    sheet = Sheet(WIDTH, HEIGHT, "white", f"{title}: strength by iteration")
    most = max([row.elo for row in rows] + [100.0]) * 1.1
    last = max(len(rows) - 1, 1)

    def x(i: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * i / last

    def y(share: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    sheet.text(LEFT, 28, f"{title}: strength by iteration", 16)
    for share in (0, 0.25, 0.5, 0.75, 1):
        sheet.line(LEFT, y(share), WIDTH - RIGHT, y(share), stroke="#dddddd")
        sheet.text(LEFT - 6, y(share) + 4, f"{most * share:.0f}", 11, anchor="end", fill=ELO)
        difference = f" ({elo(share):+.0f})" if 0 < share < 1 else ""
        sheet.text(WIDTH - RIGHT + 6, y(share) + 4, f"{100 * share:.0f} %{difference}", 11, fill=PLAIN)
    for i in range(0, len(rows), max(1, len(rows) // 12)):
        sheet.text(x(i), HEIGHT - BOTTOM + 18, str(i), 11, anchor="middle")
    for colour, values in ((ELO, [row.elo / most for row in rows]), (PLAIN, [row.plain for row in rows])):
        points = [(x(i), y(value)) for i, value in enumerate(values) if value is not None]
        if len(points) > 1:
            sheet.path("M" + " L".join(f"{a:.1f} {b:.1f}" for a, b in points), stroke=colour, stroke_width=2, fill="none")
        for (a, b), row in zip(points, rows, strict=False):
            sheet.circle(a, b, 4, fill=colour if row.accepted else "white", stroke=colour)
    sheet.text(LEFT, HEIGHT - 10, "Elo against the first network", 12, fill=ELO)
    sheet.text(WIDTH - RIGHT, HEIGHT - 10, "win rate (Elo) against the search without a network", 12, anchor="end", fill=PLAIN)
    return str(sheet)
