"""What plain data of Stop Requested: Portland says (`to_dict`): networks, ways to complete tickets, who is in whose way.

For drawing, words, typed turns and position files. Everything here is worked out from what the view's player may see.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from functools import lru_cache

from wattman.engine.drawing import clip
from wattman.engine.games._portland_board import ANY, WILD, Board, load_board
from wattman.engine.games._portland_trail import longest_path

FAR = 10**6  # a way that is closed
# The colours of the five sets of trains, for screens and pictures; the dark ones are lighter than the wood.
PAINTS = ("#2f6fdb", "#d7263d", "#2e9e4f", "#e0a800", "#444444")
STYLES = ("bold #5f87ff", "bold #ff5f5f", "bold #5fd75f", "bold #ffd700", "bold #d787ff")


@lru_cache(maxsize=8)
def loaded(board: str) -> Board:
    """A board by name or path, read once."""
    return load_board(board)


def board_of(view: dict) -> Board:
    """The board that is played on."""
    return loaded(view["options"]["board"])


def name(view: dict, seat: int) -> str:
    """What a player is called: his name, or "You" and "Player" with the number of his seat."""
    names = view.get("names")
    if names:
        return clip(names[seat], 24)
    return f"You (player {seat})" if seat == view["player"] else f"Player {seat}"


def style_of(board: Board, kind: str) -> str:
    """A card type's colour as a terminal style that can be read on black and on white."""
    colour = board.types[board.type_numbers[kind]].colour
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    light = (0.299 * red + 0.587 * green + 0.114 * blue) / 255
    if light < 0.4:  # towards white
        share = (0.4 - light) / (1 - light)
        red, green, blue = (round(part + (255 - part) * share) for part in (red, green, blue))
    elif light > 0.65:  # towards black
        red, green, blue = (round(part * 0.65 / light) for part in (red, green, blue))
    return f"#{red:02x}{green:02x}{blue:02x}"


# --- routes ---


def owners(view: dict) -> dict[int, int]:
    """Who has each claimed route."""
    numbers = board_of(view).route_numbers
    return {numbers[route]: seat for seat, player in enumerate(view["players"]) for route in player["routes"]}


def closed(view: dict, seat: int) -> set[int]:
    """Routes that a player can no longer claim, whatever cards and trains he has; his own are not among them."""
    board, owner = board_of(view), owners(view)
    found = {route for route in owner if owner[route] != seat}
    for route in owner:
        other = board.routes[route].other
        if other >= 0 and other not in owner and (owner[route] == seat or len(view["players"]) <= board.one_of_a_double):
            found.add(other)
    return found


def open_routes(view: dict, seat: int) -> list[int]:
    """Routes that a player may still claim, cards and trains aside."""
    shut, own = closed(view, seat), {route for route, owner in owners(view).items() if owner == seat}
    return [route for route in range(len(board_of(view).routes)) if route not in shut and route not in own]


def costs(view: dict, seat: int, without: Iterable[int] = (), with_: Iterable[int] = ()) -> list[int]:
    """Trains that each route would still cost a player on his way: 0 if it is his, FAR if he cannot claim it.

    `without`: routes that he cannot claim either; `with_`: routes taken as his.
    """
    shut = closed(view, seat) | set(without)
    own = {route for route, owner in owners(view).items() if owner == seat} | set(with_)
    return [0 if i in own else FAR if i in shut else route.length for i, route in enumerate(board_of(view).routes)]


# --- ways ---


def cheapest(board: Board, cost: list[int], start: int) -> tuple[list[int], list[int]]:
    """Cost of the cheapest way from a station to each, and the route by which it comes there (-1: none)."""
    best, by = [FAR] * len(board.stations), [-1] * len(board.stations)
    best[start] = 0
    front = [(0, start)]
    while front:
        spent, station = heapq.heappop(front)
        if spent > best[station]:
            continue
        for route, there in board.ways[station]:
            if spent + cost[route] < best[there]:
                best[there], by[there] = spent + cost[route], route
                heapq.heappush(front, (best[there], there))
    return best, by


def way(board: Board, cost: list[int], a: int, b: int) -> tuple[int, list[int]]:
    """Cost of the cheapest way between two stations, and the routes on it that are still to be claimed, from `a` on; FAR: there is none."""
    best, by = cheapest(board, cost, a)
    if best[b] >= FAR:
        return FAR, []
    missing, station = [], b
    while station != a:
        route = by[station]
        if cost[route]:
            missing.append(route)
        station = board.routes[route].a if board.routes[route].b == station else board.routes[route].b
    return best[b], missing[::-1]


def remaining(view: dict, seat: int, ticket: str) -> tuple[int, list[int]]:
    """Trains that a ticket still needs, and the routes of a cheapest way; FAR if it cannot be completed any more."""
    board = board_of(view)
    entry = board.tickets[board.ticket_numbers[ticket]]
    return way(board, costs(view, seat), entry.a, entry.b)


def parts(view: dict, seat: int) -> list[set[int]]:
    """The connected parts of a player's network, as sets of stations, the largest first."""
    board, found = board_of(view), []
    for text in view["players"][seat]["routes"]:
        route = board.routes[board.route_numbers[text]]
        joined = {route.a, route.b}
        for part in [part for part in found if part & joined]:
            found.remove(part)
            joined |= part
        found.append(joined)
    return sorted(found, key=len, reverse=True)


# --- what a route is good for ---


def helps(view: dict, seat: int, route: int, tickets: Iterable[str]) -> list[tuple[str, int]]:
    """Tickets that a route brings nearer to their completion, with the trains that they need after it."""
    board = board_of(view)
    before, after = costs(view, seat), costs(view, seat, with_=[route])
    found = []
    for text in tickets:
        ticket = board.tickets[board.ticket_numbers[text]]
        then = way(board, after, ticket.a, ticket.b)[0]
        if then < way(board, before, ticket.a, ticket.b)[0]:
            found.append((text, then))
    return found


def blocks(view: dict, seat: int, route: int) -> list[tuple[int, str, str, int, int]]:
    """Players whose parts of their networks a route lies between, if a way round is longer.

    Returns
    -------
    list of (player, station, station, trains now, trains without the route)
        The stations are ends of the route; FAR if there would be no way.
    """
    board = board_of(view)
    gone = [route]
    other = board.routes[route].other
    if other >= 0 and len(view["players"]) <= board.one_of_a_double:
        gone.append(other)
    a, b = board.routes[route].a, board.routes[route].b
    found = []
    for rival in range(len(view["players"])):
        if rival == seat or route in closed(view, rival):
            continue
        mine = [next((part for part in parts(view, rival) if end in part), None) for end in (a, b)]
        if mine[0] is None or mine[1] is None or mine[0] is mine[1]:
            continue
        now = way(board, costs(view, rival), a, b)[0]
        then = way(board, costs(view, rival, without=gone), a, b)[0]
        if then > now + 1:
            found.append((rival, board.stations[a].name, board.stations[b].name, now, then))
    return found


# --- cards ---


def payable(view: dict, route: int, hand: dict[str, int]) -> int:
    """Cards that are missing from a hand for a route: 0 if it can be paid."""
    board = board_of(view)
    entry = board.routes[route]
    kinds = [kind.id for kind in board.types[:-1]] if entry.type == ANY else [board.types[entry.type].id]
    most = max(hand.get(kind, 0) for kind in kinds) + hand.get(WILD, 0)
    return max(0, entry.length - most)


def in_order(view: dict, cards: dict[str, int]) -> list[tuple[str, int]]:
    """Cards by type in the board's order."""
    return [(kind.id, cards[kind.id]) for kind in board_of(view).types if cards.get(kind.id)]


def written(view: dict, cards: dict[str, int]) -> str:
    """Cards as people write them: ``red 3 teal pass 2``."""
    return " ".join(kind if count == 1 else f"{kind} {count}" for kind, count in in_order(view, cards))


def unknown(player: dict) -> int:
    """Cards of a hand that are not known."""
    return player["cards"] - sum(player["hand"].values())


# --- the end ---


def longest(view: dict, seat: int) -> int:
    """Length of a player's longest path: routes joined end to end, each used once."""
    board = board_of(view)
    routes = [board.routes[board.route_numbers[text]] for text in view["players"][seat]["routes"]]
    return longest_path([(route.a, route.b, route.length) for route in routes])
