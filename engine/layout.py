"""Maps on a small sheet: spreading crowded places out, and labels that cover neither each other nor the places."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Segment = tuple[float, float, float, float]  # x, y of both ends

_SWEEPS = 12
_TRIES = 20


def spread(points: Sequence[Point], amount: float = 0.5) -> list[Point]:
    """Points with more room where they are crowded.

    Parameters
    ----------
    points : list of (x, y)
    amount : float
        From 0 (as they are) to 1 (evenly by rank): left stays left and above stays above.

    Returns
    -------
    list of (x, y)
        From 0 to 1 in both directions.
    """
    axes = []
    for axis in (0, 1):
        values = [point[axis] for point in points]
        low, size = min(values), (max(values) - min(values)) or 1
        ranks = {value: rank for rank, value in enumerate(sorted(set(values)))}
        most = max(len(ranks) - 1, 1)
        axes.append([(1 - amount) * (value - low) / size + amount * ranks[value] / most for value in values])
    return list(zip(*axes, strict=True))


@lru_cache(maxsize=64)
def place_labels(
    anchors: tuple[Box, ...], sizes: tuple[Point, ...], segments: tuple[Segment, ...], sheet: Box, gap: Point = (0, 0)
) -> tuple[Point, ...]:
    """Where labels go: beside their anchors, clear of each other and of all anchors, and of lines as far as can be.

    Parameters
    ----------
    anchors : boxes
        What is labelled.
    sizes : (width, height) of each label
    segments : lines that labels should not cover
    sheet : box
        What is outside is not seen.
    gap : (x, y)
        Between an anchor and its label.

    Returns
    -------
    tuple of (x, y)
        The left upper corner of each label. The same arguments give the same places.
    """
    choices = [_candidates(anchor, size, gap) for anchor, size in zip(anchors, sizes, strict=True)]
    alone = []  # the cost of each choice by itself
    for label, boxes in enumerate(choices):
        costs = []
        for rank, box in enumerate(boxes):
            cost = 0.05 * rank + 20 * _outside(box, sheet)
            cost += sum(8 * _overlap(box, anchor) for other, anchor in enumerate(anchors) if other != label)
            cost += sum(_covered(box, segment) for segment in segments)
            costs.append(cost)
        alone.append(costs)
    clashes = _clashes(choices)
    dice = random.Random(1)
    best: list[int] = []
    least = float("inf")
    for attempt in range(_TRIES):
        chosen = [dice.randrange(len(c)) if attempt else min(range(len(c)), key=c.__getitem__) for c in alone]
        total = _improve(chosen, alone, clashes)
        if total < least - 1e-9:
            best, least = chosen, total
    return tuple(choices[label][i][:2] for label, i in enumerate(best))


def _clashes(choices: list[list[Box]]) -> list[list[list[tuple[int, int, float]]]]:
    """For each choice of each label the choices of others that it overlaps: (label, choice, cost)."""
    flat = sorted((box, label, i) for label, boxes in enumerate(choices) for i, box in enumerate(boxes))
    found: list[list[list[tuple[int, int, float]]]] = [[[] for _ in boxes] for boxes in choices]
    for place, (box, label, i) in enumerate(flat):
        for other, second, j in flat[place + 1 :]:
            if other[0] >= box[2]:
                break  # sorted by the left edge: the others lie further right
            if second != label and (shared := _overlap(box, other)):
                found[label][i].append((second, j, 10 * shared))
                found[second][j].append((label, i, 10 * shared))
    return found


def _improve(chosen: list[int], alone: list[list[float]], clashes: list[list[list[tuple[int, int, float]]]]) -> float:
    """Move one label after the other to its best place until none gets better; returns the cost of all."""

    def cost(label: int, i: int) -> float:
        return alone[label][i] + sum(clash for other, j, clash in clashes[label][i] if chosen[other] == j)

    for _ in range(_SWEEPS):
        moved = False
        for label, own in enumerate(alone):
            now = cost(label, chosen[label])
            for i, least in enumerate(own):
                if least < now - 1e-9 and (there := cost(label, i)) < now - 1e-9:
                    now, chosen[label], moved = there, i, True
        if not moved:
            break
    return sum(cost(label, i) for label, i in enumerate(chosen))


def _candidates(anchor: Box, size: Point, gap: Point) -> list[Box]:
    """Places for a label, the most readable first."""
    left, top, right, bottom = anchor
    (width, height), (gx, gy) = size, gap
    middle, centre = (top + bottom - height) / 2, (left + right - width) / 2
    corners = [
        (right + gx, middle),
        (left - gx - width, middle),
        (centre, bottom + gy),
        (centre, top - gy - height),
        (right + gx, bottom + gy),
        (right + gx, top - gy - height),
        (left - gx - width, bottom + gy),
        (left - gx - width, top - gy - height),
        (left, bottom + gy),
        (left, top - gy - height),
        (right - width, bottom + gy),
        (right - width, top - gy - height),
    ]
    return [(x, y, x + width, y + height) for x, y in corners]


def _overlap(a: Box, b: Box) -> float:
    """The area that two boxes share, by the area of the smaller; 0 to 1."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 1e-9 or height <= 1e-9:
        return 0.0
    least = min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]))
    return 0.2 + width * height / least


def _outside(box: Box, sheet: Box) -> float:
    """How much of a box is off the sheet, in its widths and heights."""
    across = max(0.0, sheet[0] - box[0]) + max(0.0, box[2] - sheet[2])
    down = max(0.0, sheet[1] - box[1]) + max(0.0, box[3] - sheet[3])
    return across / (box[2] - box[0]) + down / (box[3] - box[1])


def _covered(box: Box, segment: Segment) -> float:
    """How much of a line a box covers, by the box's width and height together; Liang-Barsky clipping."""
    x, y, x2, y2 = segment
    dx, dy = x2 - x, y2 - y
    enter, leave = 0.0, 1.0
    for step, low, high, at in ((dx, box[0], box[2], x), (dy, box[1], box[3], y)):
        if abs(step) < 1e-12:
            if not low < at < high:
                return 0.0
            continue
        first, second = sorted(((low - at) / step, (high - at) / step))
        enter, leave = max(enter, first), min(leave, second)
    if leave <= enter:
        return 0.0
    return 0.3 + (leave - enter) * (abs(dx) + abs(dy)) / (box[2] - box[0] + box[3] - box[1])
