"""What the rails of a board of Lisbon Tram 28 allow, worked out once: paths of steps, bends for pushed trams, distances.

The results are shared; nobody changes them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from wattman.engine.games._lisbon_board import Board
from wattman.engine.games._lisbon_board_check import STOP

MOST_PATHS = 4096
MOST_STEPS = 800  # from one place at the same time


@dataclass(frozen=True)
class Paths:
    """The steps that a board allows when the right stops are empty.

    A path is the places that a step enters, without the one it begins at; it goes on only through tram stops. Several places can be the
    start of one path.

    Attributes
    ----------
    paths : list of tuple of int
        Shortest first, then by the places' numbers.
    trees : list of list of (int, int, int)
        For each place the paths from it as a tree in preorder: place entered, number of the path so far, nodes of the subtree.
    most : int
        No place has more steps at the same time.
    """

    paths: list[tuple[int, ...]]
    trees: list[list[tuple[int, int, int]]]
    most: int


@lru_cache(maxsize=16)
def find_paths(board: Board) -> Paths:
    """All paths of a board; ValueError if they are too many."""
    through = [place.kind == STOP for place in board.places]
    found: set[tuple[int, ...]] = set()

    def ways(start: int, path: tuple[int, ...]) -> list[int]:
        """Where a path, begun at `start`, can be led on."""
        here = path[-1] if path else start
        before = path[-2] if len(path) > 1 else start
        if path and not through[here]:
            return []
        turns = {w for w in board.neighbours[here] if w != start and w not in path}
        return sorted(w for w in turns if not path or (before, here, w) not in board.no_turn)

    def explore(start: int, path: tuple[int, ...]) -> None:
        for place in ways(start, path):
            found.add((*path, place))
            if len(found) > MOST_PATHS:
                raise ValueError(
                    f"board {board.name!r}: [rails]: trams can run through emptied stops in more than {MOST_PATHS} ways; "
                    "leave out stops or rails, or add no_turn"
                )
            explore(start, (*path, place))

    for start in range(len(board.places)):
        explore(start, ())
    paths = sorted(found, key=lambda path: (len(path), path))
    number = {path: i for i, path in enumerate(paths)}
    trees, most = [], 0
    for start in range(len(board.places)):
        tree: list[tuple[int, int, int]] = []

        def grow(start: int, path: tuple[int, ...], tree: list[tuple[int, int, int]]) -> int:
            """Adds the subtrees below a path; how many of their landing places can be open at once."""
            count = 0
            for place in ways(start, path):
                i, longer = len(tree), (*path, place)
                tree.append((place, number[longer], 0))
                count += max(1, grow(start, longer, tree))
                tree[i] = (place, number[longer], len(tree) - i)
            return count

        most = max(most, grow(start, (), tree))
        trees.append(tree)
    if most > MOST_STEPS:
        raise ValueError(f"board {board.name!r}: [rails]: a place has up to {most} different steps; at most {MOST_STEPS} are possible")
    return Paths(paths, trees, most)


@lru_cache(maxsize=4096)
def onward(board: Board, before: int, here: int) -> list[int]:
    """Where the rails lead on at a place for one who comes from another, ascending."""
    return [w for w in board.neighbours[here] if w != before and (before, here, w) not in board.no_turn]


@lru_cache(maxsize=4096)
def by_bend(board: Board, before: int, here: int) -> list[int]:
    """The neighbours of a place from the smallest bend up for one who comes from `before`; ties in the board's order."""
    at = [tuple(map(Fraction, board.places[place].xy)) for place in (before, here)]
    ahead = (at[1][0] - at[0][0], at[1][1] - at[0][1])

    def bend(place: int) -> tuple[Fraction, int]:
        x, y = map(Fraction, board.places[place].xy)
        out = (x - at[1][0], y - at[1][1])
        along = ahead[0] * out[0] + ahead[1] * out[1]
        # The cosine of the angle, squared with its sign: exact, and falling as the bend grows.
        return -along * abs(along) / (out[0] ** 2 + out[1] ** 2), place

    return sorted(board.neighbours[here], key=bend)


@lru_cache(maxsize=16)
def distances(board: Board) -> list[list[int]]:
    """Steps between places when passengers wait at every stop."""
    result = []
    for start in range(len(board.places)):
        steps = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for place in board.neighbours[here]:
                if place not in steps:
                    steps[place] = steps[here] + 1
                    queue.append(place)
        result.append([steps[place] for place in range(len(board.places))])
    return result


def shortest_ways(board: Board) -> list[list[list[int]]]:
    """For each pair of places those that a shortest way enters, passengers at every stop.

    Of equally short ways the one through most stops: they may be empty later. Ways to one place run together where they meet.
    """
    far = distances(board)
    stops = set(board.stops)
    ways: list[list[list[int]]] = [[[] for _ in board.places] for _ in board.places]
    for goal in range(len(board.places)):
        for start in sorted(range(len(board.places)), key=lambda place: far[place][goal]):
            if start != goal:
                nearer = [place for place in board.neighbours[start] if far[place][goal] < far[start][goal]]
                options = [[place, *ways[place][goal]] for place in nearer]
                ways[start][goal] = max(options, key=lambda way: len(stops.intersection(way)))
    return ways
