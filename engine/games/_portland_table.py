"""Stop Requested: Portland's table as people see it at the terminal: the map, the market, the players, one's hand and tickets."""

from __future__ import annotations

from rich.text import Text

from wattman.engine.drawing import Piece, ends, join, table, text
from wattman.engine.games import _portland_map
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
    parts = [*_head(view), *_portland_map.lines(view), "", *_market(view), "", *_players(view)]
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
        return _result(view)
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


def _result(view: dict) -> str:
    """The end: `score` holds the routes' points only, so what tickets and the longest path bring is in the players' lines."""
    return "the game is over"


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
    rows: list[list[Piece]] = [_ticket(view, seat, ticket) for ticket in held]
    rows += [[text(("offered: ", "strong"), row[0]), *row[1:]] for row in (_ticket(view, seat, ticket) for ticket in offered)]
    lines = _titled("tickets", table(rows, right={1}))
    for line in lines:
        line.truncate(WIDTH, overflow="ellipsis")
    return lines


def _ticket(view: dict, seat: int, ticket: str) -> list[Piece]:
    board = board_of(view)
    entry = board.tickets[board.ticket_numbers[ticket]]
    spaces, routes = remaining(view, seat, ticket)
    player = view["players"][seat]
    if not spaces:
        told: list[Piece] = [("completed", "green")]
    elif spaces >= FAR:
        told = [("cannot be completed any more", "alert")]
    else:
        short = spaces > player["trains"]
        told = [(f"needs {spaces}" + (" trains, too many" if short else ""), "alert" if short else ""), ": "]
        for number in sorted(routes, key=lambda number: payable(view, number, player["hand"])):
            route, missing = board.routes[number], payable(view, number, player["hand"])
            told += [route.text, (f" {route.length - missing}/{route.length}  ", "green" if not missing else "faint")]
    return [ticket, str(entry.points), text(*told)]
