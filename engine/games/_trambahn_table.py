"""Trambahn's table as people see it at the terminal."""

from __future__ import annotations

from rich.text import Text

from wattman.engine.drawing import WIDTH, clip, ends, frame, join, pad, table, text
from wattman.engine.games._trambahn_text import (
    COLOURS,
    COST,
    EXTRA_TOUR,
    NAMES,
    ORDER,
    ROW,
    SCORINGS,
    TRAMS,
    column_points,
    column_top,
    regular_score,
)

_LOW = 12  # cards in the draw pile: what two turns can draw, so money may be halved before one can spend it again
_FAR = 4  # cards missing to an Extra Tour from which on it is worth a word
_LEFT = 47  # where the second half of the middle begins


def draw(view: dict) -> Text:
    """The table, the viewer's side below.

    Parameters
    ----------
    view : dict
        Plain data of a player's knowledge, or of the truth (``player`` -1, drawn with both hands open and player 0 below). A key ``names``
        may name the players, by seat.

    Returns
    -------
    rich.text.Text
        Lines of at most 100 columns.
    """
    below = view["player"] if view["player"] in (0, 1) else 0
    upper, lower = _sides(view, below)
    return join([_head(view), *_hand(view, 1 - below), *upper, *_middle(view, below), *lower, *_hand(view, below)])


def name(view: dict, seat: int) -> str:
    """What a player is called: his name, or "You" and "Opponent" with the number of his seat."""
    names = view.get("names")
    if names:
        return clip(names[seat], 24)
    if view["player"] not in (0, 1):
        return f"Player {seat}"
    return f"You (player {seat})" if seat == view["player"] else f"Opponent (player {seat})"


def card(name: str) -> tuple[str, str]:
    """A card with its colour."""
    return name, "strong" if name == "C" else NAMES.get(name[0], "faint")


# --- parts ---


def _head(view: dict) -> Text:
    step, mover = view["step"], view["on_turn"]
    if step == "over":
        now = _result(view)
    elif step == "deal":
        now = "the cards are being dealt"
    elif step == "draw":
        now = f"{name(view, mover)}: drawing cards"
    else:
        now = f"{name(view, mover)} to move: {step}"
        if step == "passengers" and view["turn"]["boarded"]:
            now += " (1 played)"
    return ends(text(" ", (now, "strong")), f"scoring {view['scorings']} of {SCORINGS} ")


def _result(view: dict) -> str:
    points = [player["regular"] + player["extra"] for player in view["players"]]
    money = [len(player["money"]) for player in view["players"]]
    results = list(zip(points, money, strict=True))
    if results[0] == results[1]:
        return "the game is over: a draw"
    winner = name(view, results.index(max(results)))
    verb = "win" if winner.startswith("You") else "wins"
    by = f"{max(points)} : {min(points)}" if points[0] != points[1] else f"the larger money pile, {max(money)} : {min(money)}"
    return f"the game is over: {winner} {verb} by {by}"


def _sides(view: dict, below: int) -> list[list[Text]]:
    """Both players' columns, the upper one's first, in frames of one width with what else everyone knows of them."""
    titles, rows = [], []
    for seat in (1 - below, below):
        player = view["players"][seat]
        points = f"{player['regular'] + player['extra']} points"
        if player["extra"]:
            points += f" ({player['extra']} from Extra Tours)"
        titles.append(text((name(view, seat), "strong"), f" ─ {points} ─ money {len(player['money'])} ─ hand {len(player['hand'])}"))
        rows.append([_column(number, column) for number, column in enumerate(player["columns"])])
    lines = table(rows[0] + rows[1], right={4, 6})  # together, so that both line up
    parts = [lines[: len(rows[0])], lines[len(rows[0]) :]]
    size = max([WIDTH, *(line.cell_len + 4 for line in lines), *(title.cell_len + 6 for title in titles)])
    return [frame(title, part or [text(("no columns", "faint"))], size) for title, part in zip(titles, parts, strict=True)]


def _column(number: int, column: dict) -> list:
    colour, points = NAMES[column["colour"]], column_points(column)
    cards = " ".join("C" if card == "C" else card[1:] for card in column["cards"])
    tram = f"x{column['tram']}" if column["tram"] else "--"
    return [f"{number}", (colour, colour), (cards, colour), tram, f"{points} VP", "->", f"{points * column['tram']}", _hint(column)]


def _hint(column: dict) -> tuple[str, str]:
    count, top = len(column["cards"]), column_top(column)
    if not column["tram"]:
        return "no tram yet", "alert"
    if count >= EXTRA_TOUR:
        return "Extra Tour done" + (", complete" if top == 10 else ""), "faint"
    if top == 10:
        return "complete", "faint"
    missing = EXTRA_TOUR - count
    if missing > _FAR or missing - (10 - top) > 2:  # more conductors would be needed than one can hope for
        return "", "faint"
    return f"{missing} more {'card' if missing == 1 else 'cards'} to an Extra Tour", "alert" if missing < 3 else "faint"


def _middle(view: dict, below: int) -> list[Text]:
    """Rows with what a scoring would give now; trams and piles beside them."""
    me, other = ("you", "opp") if view["player"] in (0, 1) else (" p0", "p1")
    rows = [[("waiting", "faint"), "", ("scores", "faint"), (f"{me} : {other}", "faint"), ""]]
    for colour in COLOURS:
        waiting = view["rows"][colour]
        dots = "●" * len(waiting) + "○" * (ROW - len(waiting))
        cards = " ".join("C" if card == "C" else card[1:] for card in waiting)
        gains = [regular_score(view["players"][seat]["columns"], colour) for seat in (below, 1 - below)]
        mark = ("<- next", "alert") if len(waiting) == ROW - 1 else ""
        rows.append([(NAMES[colour], NAMES[colour]), (dots, NAMES[colour]), cards, f"{gains[0]:3} : {gains[1]}", mark])
    left = [text("   ", line) for line in table(rows)]
    right = table(_market(view))
    size = max(_LEFT, max(line.cell_len for line in left) + 3)
    return [text(pad(line, size), more) for line, more in zip(left, right, strict=True)] + _warning(view, below)


def _market(view: dict) -> list[list]:
    """The five lines about trams and piles."""
    supply = sorted(view["supply"])
    stack = [tram for tram, count in zip(TRAMS, view["stack"], strict=True) for _ in range(count)]
    then = " ".join(f"x{tram}" for tram in stack[:4]) + (f" .. ({len(stack)})" if len(stack) > 4 else "")
    times = view["reshuffles"]
    reshuffled = "" if not times else ", reshuffled once" if times == 1 else f", reshuffled {times} times"
    return [
        [("trams", "faint"), " ".join(f"x{tram}".ljust(3) for tram in supply) or "none open"],
        [("cost", "faint"), " ".join(str(COST[tram]).ljust(3) for tram in supply)],
        [("then", "faint"), then or "the stack is empty"],
        [("draw pile", "faint"), f"{view['draw_pile']}"],
        [("discards", "faint"), f"{len(view['discard'])}{reshuffled}"],
    ]


def _warning(view: dict, below: int) -> list[Text]:
    """What both players lose soon."""
    money = [len(view["players"][seat]["money"]) for seat in (below, 1 - below)]
    if view["draw_pile"] > _LOW or view["step"] in ("deal", "over") or not any(pile // 2 for pile in money):
        return []
    me, other = ("you", "the opponent") if view["player"] in (0, 1) else ("player 0", "player 1")
    return [
        text(
            (
                "   when the draw pile runs out, "
                + f"{me} lose{'' if me == 'you' else 's'} {money[0] // 2} money and {other} {money[1] // 2}",
                "alert",
            )
        )
    ]


def _hand(view: dict, seat: int) -> list[Text]:
    """A hand, as far as its cards are known."""
    cards = view["players"][seat]["hand"]
    if all(name == "?" for name in cards):
        return []
    pieces = []
    for name in sorted(cards, key=lambda name: ORDER.get(name, len(ORDER))):
        pieces += ["  ", card(name)]
    return [text("   ", ("hand ", "faint"), *pieces)]
