"""What is assumed of a position of Portland where its file leaves it out: an average market, and discards that fit the claimed routes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from wattman.engine.games._portland_board import ANY, WILD, Board, Route


def market(board: Board, left: Counter, size: int) -> Counter:
    """Face-up cards as they come on average.

    Parameters
    ----------
    board : Board
    left : Counter
        Cards whose place is not known.
    size : int
        How many lie there.
    """
    found: Counter = Counter()
    for _ in range(size):
        possible = [kind for kind in left if left[kind] > found[kind] and (kind != WILD or found[WILD] + 1 < board.pass_limit)]
        if not possible:
            break
        # each type in proportion to what is left of it: the one that is furthest behind its share
        found[max(possible, key=lambda kind: left[kind] / (2 * found[kind] + 1))] += 1
    return found


def discards(board: Board, left: Counter, claimed: Iterable[Route], number: int) -> Counter:
    """So many discarded cards: what the claimed routes took, as far as there are cards for it.

    Parameters
    ----------
    board : Board
    left : Counter
        Cards whose place is not known.
    claimed : routes
    number : int
    """
    found: Counter = Counter()

    def add(kind: str, count: int) -> int:
        """Up to so many cards of a type; returns how many are missing."""
        count = min(count, number - found.total())
        there = max(0, min(count, left[kind] - found[kind]))
        found[kind] += there
        return count - there

    routes = sorted(claimed, key=lambda route: route.type == ANY)
    for route in routes:
        if route.type != ANY:
            add(WILD, add(board.types[route.type].id, route.length))
    for route in routes:
        if route.type == ANY:
            kinds = [kind.id for kind in board.types[:-1]]
            best = max(kinds, key=lambda kind: left[kind] - found[kind])
            add(WILD, add(best, route.length))
    while found.total() < number:
        kind = max(left, key=lambda kind: left[kind] - found[kind])
        if left[kind] <= found[kind]:
            break
        found[kind] += 1
    return +found
