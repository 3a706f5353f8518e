"""Stop Requested: Portland's table as people see it at the terminal: the map, the market, the players, one's hand and tickets."""

from __future__ import annotations

from rich.text import Text

from wattman.engine.drawing import Piece, ends, join, table, text
from wattman.engine.games import _portland_map
from wattman.engine.games._portland_board import ANY
from wattman.engine.games._portland_view import (
    FAR,
    STYLES,
    board_of,
    in_order,
    longest,
    name,
    payable,
    remaining,
    style_of,
    unknown,
)

WIDTH = 98


def draw(view: dict) -> Text:
    """The table.

    Parameters
    ----------
    view : dict
        Plain data of a player's knowledge, or of the truth (``player`` -1, drawn with all hands and tickets open). A key ``names`` may name
        the players, by seat.

    Returns
    -------
    rich.text.Text
        Lines of at most 100 columns.
    """
    parts = [*_head(view), *_portland_map.lines(view), "", *_market(view), "", *_players(view), *_routes(view)]
    if view["step"] == "over":
        parts += ["", *_result(view)]
    for seat in [view["player"]] if view["player"] >= 0 else range(len(view["players"])):
        parts += ["", *_hand(view, seat), *_tickets(view, seat)]
    return join(parts)


def card(view: dict, kind: str, count: int = 1) -> tuple[str, str]:
    """Cards of a type in its colour."""
    return (kind if count == 1 else f"{kind} {count}"), style_of(board_of(view), kind)


# --- parts ---


def _head(view: dict) -> list[Text]:
    left = text(" ", (headline(view), "strong"))
    right = f"draw pile {view['draw_pile']} · discards {sum(view['discards'].values())} · tickets {_deck(view)} "
    if left.cell_len + len(right) + 2 > WIDTH:
        return [left, ends("", (right, "faint"), WIDTH)]
    return [ends(left, (right, "faint"), WIDTH)]


def _deck(view: dict) -> int:
    return view["tickets_left"] + len(view["returned"])


def headline(view: dict) -> str:
    """What is going on, in words."""
    step, who = view["step"], name(view, view["on_turn"])
    turns = view["turns_left"]
    last = f" (last round: {turns} more {'turn' if turns == 1 else 'turns'})" if turns else ""
    if step == "over":
        return "the game is over"
    if step in ("deal", "deal tickets") or (step == "refill" and view["after"] == "tickets"):
        return "the cards are being dealt"
    told = {
        "choose": "which of the first tickets to keep",
        "turn": "to move",
        "second": "a second card",
        "keep": "which tickets to keep",
        "pay": f"how to pay for {view['claiming']}",
        "offer": "draws tickets",
        "refill": "the market is filled up",
    }.get(step, "draws a card")
    return f"{who}{' ' if step == 'turn' else ': '}{told}{last}"


def _cards(view: dict, cards: dict[str, int], size: int, gap: str = "   ") -> list[Text]:
    """Cards by type, on as many lines of `size` columns as they need."""
    lines: list[Text] = []
    for kind, count in in_order(view, cards):
        piece = text(card(view, kind, count), gap)
        if not lines or lines[-1].cell_len + piece.cell_len > size + len(gap):
            lines.append(text())
        lines[-1] = text(lines[-1], piece)
    for line in lines:
        line.rstrip()
    return lines


def _titled(title: str, lines: list[Text], none: str = "") -> list[Text]:
    """Lines with a title before the first one."""
    lines = lines or ([text((none, "faint"))] if none else [])
    return [text("   ", (title.ljust(10) if not i else " " * 10, "faint"), line) for i, line in enumerate(lines)]


def _market(view: dict) -> list[Text]:
    room = WIDTH - 13
    return _titled("market", _cards(view, view["market"], room), "empty") + _titled("discards", _cards(view, view["discards"], room, "  "))


def _players(view: dict) -> list[Text]:
    heads = ("", "", "points", "trains", "longest", "tickets", "cards", "unknown", "known")
    rows: list[list[Piece]] = [[(head, "faint") for head in heads]]
    taken = 59 + max(len(name(view, seat)) for seat in range(len(view["players"])))  # by the other columns
    for line in range(len(view["players"])):
        seat = (max(view["player"], 0) + line) % len(view["players"])
        player = view["players"][seat]
        known: list[Text] = []
        if seat not in (view["player"], -1) and view["player"] >= 0:
            known = _cards(view, player["hand"], max(14, WIDTH - taken), " ")
        mark = "->" if seat == view["on_turn"] and view["step"] != "over" else "  "
        numbers = (player["score"], player["trains"], longest(view, seat), player["tickets_held"], player["cards"])
        who = (f"{seat} {name(view, seat)}", STYLES[seat])
        hidden = str(unknown(player)) if seat != view["player"] and view["player"] >= 0 else ""
        rows.append([f" {mark}", who, *map(str, numbers), hidden, known[0] if known else ""])
        rows += [[*[""] * (len(heads) - 1), more] for more in known[1:]]
    return table(rows, right={2, 3, 4, 5, 6, 7})


def _routes(view: dict) -> list[Text]:
    """Each player's routes, with the type where the stations alone do not tell which one it is."""
    board, lines = board_of(view), []
    for seat, player in enumerate(view["players"]):
        title = f"routes {seat}"
        for route_ in sorted(player["routes"], key=lambda route_: board.route_numbers[route_]):
            route = board.routes[board.route_numbers[route_]]
            piece = route.text if route.other >= 0 else route.text.partition(":")[0]
            if title or lines[-1].cell_len + len(piece) + 2 > WIDTH:
                lines.append(text("   ", (title.ljust(10), STYLES[seat])))
                title = ""
            lines[-1] = text(lines[-1], piece, "  ")
    for line in lines:
        line.rstrip()
    return ["", *lines] if lines else []


def _result(view: dict) -> list[Text]:
    """The final scores; without those of tickets that the viewer does not know."""
    board = board_of(view)
    paths = [longest(view, seat) for seat in range(len(view["players"]))]
    rows: list[list[Piece]] = [[(head, "faint") for head in ("   ", "", "routes", "tickets", "failed", "longest path", "points")]]
    for seat, player in enumerate(view["players"]):
        values = {True: 0, False: 0}
        for ticket in player["tickets"]:
            values[remaining(view, seat, ticket)[0] == 0] += board.tickets[board.ticket_numbers[ticket]].points
        bonus = board.longest_path if paths[seat] == max(paths) else 0
        told: list[Piece] = ["?"] * 2 + [f"+{bonus}", "?"]
        if len(player["tickets"]) == player["tickets_held"]:
            total = player["score"] + values[True] - values[False] + bonus
            told = [f"+{values[True]}", f"-{values[False]}", f"+{bonus}", (str(total), "strong")]
        rows.append(["   ", (f"{seat} {name(view, seat)}", STYLES[seat]), str(player["score"]), *told])
    return table(rows, right={2, 3, 4, 5, 6})


def _hand(view: dict, seat: int) -> list[Text]:
    whose = "hand" if seat == view["player"] else f"hand {seat}"
    return _titled(whose, _cards(view, view["players"][seat]["hand"], WIDTH - 13), "no cards")


def _tickets(view: dict, seat: int) -> list[Text]:
    """Tickets, the dearest first: what they need, and routes of a cheapest way with the cards there are for them."""
    player, board = view["players"][seat], board_of(view)
    held = sorted(player["tickets"], key=lambda text: -board.tickets[board.ticket_numbers[text]].points)
    offered = [ticket for ticket in (view["offer"] if seat == view["on_turn"] else []) if ticket != "?"]
    if not player["tickets"]:
        offered += [ticket for ticket in player["offered"] if ticket != "?"]
    named: list[tuple[str, Piece]] = [(ticket, ticket) for ticket in held]
    named += [(ticket, text(("offered: ", "strong"), ticket)) for ticket in offered]
    heads = table([[shown, *_ticket(view, seat, ticket)] for ticket, shown in named], right={1})
    lines: list[Text] = []
    for (ticket, _), head in zip(named, heads, strict=True):
        way = [text("  ")]
        spaces, routes = remaining(view, seat, ticket)
        for piece in _steps(view, routes, player["hand"]) if spaces <= player["trains"] and view["step"] != "over" else []:
            if way[-1].cell_len + piece.cell_len > WIDTH - 12:
                way.append(text("    "))
            way[-1] = text(way[-1], piece)
        for line in way:
            line.rstrip()
        lines += [head, *(way if way[0].plain else [])]
    return _titled("tickets", lines)


def _ticket(view: dict, seat: int, ticket: str) -> list[Piece]:
    """A ticket's points, and how many trains it needs."""
    board = board_of(view)
    spaces, _ = remaining(view, seat, ticket)
    points = str(board.tickets[board.ticket_numbers[ticket]].points)
    if not spaces:
        return [points, ("completed", "green")]
    if view["step"] == "over":
        return [points, ("failed", "alert")]
    if spaces >= FAR:
        return [points, ("cannot be completed any more", "alert")]
    if spaces > view["players"][seat]["trains"]:
        return [points, (f"needs {spaces} trains, too many", "alert")]
    return [points, f"needs {spaces}:"]


def _steps(view: dict, routes: list[int], hand: dict[str, int]) -> list[Text]:
    """The routes of a way with the cards there are for each: ``Kenton -yellow 2/2- Killingsworth -gray 0/3- Pearl_District``."""
    board, found, here = board_of(view), [], -1
    for place, number in enumerate(routes):
        route = board.routes[number]
        if here not in (route.a, route.b):  # the next piece of the way, behind routes that are there already
            following = board.routes[routes[place + 1]] if place + 1 < len(routes) else route
            here = route.b if route.a in (following.a, following.b) and following is not route else route.a
            found.append(text(("  " if found else "") + board.stations[here].text + " "))
        here = route.a + route.b - here
        missing = payable(view, number, hand)
        kind = "gray" if route.type == ANY else board.types[route.type].id
        cards = (f"-{kind} {route.length - missing}/{route.length}-", "green" if not missing else "faint")
        found.append(text(cards, f" {board.stations[here].text} "))
    return found
