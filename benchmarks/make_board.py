"""Writes benchmarks/board36.toml: a made-up board the size of the best-known one of the family, for figures of speed.

36 cities, 100 routes (22 doubles), 8 colours of 12 cards and 14 wild ones, 30 tickets. The seed is fixed: the file does not change.

    python benchmarks/make_board.py > benchmarks/board36.toml
"""

import heapq
import math
import random

CITIES, DOUBLES, GRAY, TICKETS = 36, 22, 44, 30
LENGTHS = {1: 9, 2: 24, 3: 18, 4: 12, 5: 8, 6: 7}  # pairs of cities with routes of each length, shortest lines first
PAIRS = sum(LENGTHS.values())
COLOURS = {
    "red": "#c8102e",
    "orange": "#d15f27",
    "yellow": "#ffc72c",
    "green": "#00843d",
    "blue": "#1f5fa8",
    "purple": "#c77dba",
    "black": "#3b3b3b",
    "white": "#d9d9d9",
}


def crosses(a, b, c, d):
    """Whether the lines a-b and c-d cross anywhere but at a common end."""
    if {a, b} & {c, d}:
        return False

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def cities(rng):
    """Spots on a jittered grid of nine by four."""
    return [
        (round(6 + 11 * column + rng.uniform(-4, 4)), round(8 + 16 * row + rng.uniform(-6, 6))) for column in range(9) for row in range(4)
    ]


def pairs(spots):
    """The shortest lines between cities that cross no shorter one."""
    lines = sorted((math.dist(spots[i], spots[j]), i, j) for i in range(CITIES) for j in range(i))
    chosen = []
    for _, i, j in lines:
        if not any(crosses(spots[i], spots[j], spots[k], spots[m]) for k, m in chosen):
            chosen.append((j, i))
    return chosen[:PAIRS]


def distances(start, routes):
    ways = {}
    for a, b, _, length in routes:
        ways.setdefault(a, []).append((b, length))
        ways.setdefault(b, []).append((a, length))
    found, front = {}, [(0, start)]
    while front:
        spaces, city = heapq.heappop(front)
        if city not in found:
            found[city] = spaces
            for near, length in ways[city]:
                heapq.heappush(front, (spaces + length, near))
    return found


def main():
    rng = random.Random(36)
    spots = cities(rng)
    lines = pairs(spots)
    length = dict(zip(lines, (spaces for spaces, count in LENGTHS.items() for _ in range(count)), strict=True))
    doubled = set(sorted(lines, key=lambda line: (length[line], rng.random()))[:DOUBLES])
    spaces = [line for line in lines for _ in range(2 if line in doubled else 1)]
    gray = set(sorted(range(len(spaces)), key=lambda i: (length[spaces[i]] > 3, rng.random()))[:GRAY])
    used = dict.fromkeys(COLOURS, 0)
    routes = []
    for i, line in enumerate(spaces):
        colour = "gray"
        if i not in gray:
            colour = min(used, key=lambda name: (used[name], rng.random()))
            used[colour] += length[line]
        routes.append((*line, colour, length[line]))
    reach = {city: distances(city, routes) for city in range(CITIES)}
    far = [(reach[i][j], i, j) for i in range(CITIES) for j in range(i) if 4 <= reach[i][j] <= 22]
    tickets = sorted(rng.sample(far, TICKETS))
    print("# A made-up board for figures of speed, written by benchmarks/make_board.py.")
    print('game = "portland"\nlabel = "36 cities, 100 routes"\nparts = ["rules"]\n')
    print("[trains]\nplayers = {2 = 45, 3 = 45, 4 = 45, 5 = 45}\nlast_round = 2\none_of_a_double = 3\n")
    print('[cards]\nwild = {label = "wild", count = 14, colour = "#f4f1e8"}\ntypes = [')
    for name, colour in COLOURS.items():
        print(f'    {{id = "{name}", label = "{name}", count = 12, colour = "{colour}"}},')
    print("]\n\n[stations]\nlist = [")
    for i, (x, y) in enumerate(spots):
        print(f'    {{name = "City {i}", xy = [{x}, {y}]}},')
    print("]\n\n[routes]\nlist = [")
    for a, b, colour, spaces in routes:
        print(f'    {{a = "City {a}", b = "City {b}", type = "{colour}", length = {spaces}}},')
    print("]\n\n[tickets]\nlist = [")
    for points, a, b in tickets:
        print(f'    {{a = "City {a}", b = "City {b}", points = {points}}},')
    print("]")


if __name__ == "__main__":
    main()
