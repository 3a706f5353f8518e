"""Lisbon Tram 28's table as people see it at the terminal: the map, the cards on display, the players and one's own hand."""

from __future__ import annotations

from rich.text import Text

from wattman.engine.drawing import Piece, ends, join, table, text
from wattman.engine.games import _lisbon_map
from wattman.engine.games._lisbon_board import COLOURS, Board
from wattman.engine.games._lisbon_view import (
    BONUS_WORDS,
    COLOUR_OF,
    board_of,
    demand,
    in_order,
    lacking,
    moving_tram,
    name,
    points,
    ranking,
    seats,
    tickets,
    tram,
    unlocks,
)

WIDTH = 98


def draw(view: dict) -> Text:
    """The table.

    Parameters
    ----------
    view : dict
        Plain data of a player's knowledge, or of the truth (``player`` -1, drawn with all hands open). A key ``names`` may name the
        players, by seat.

    Returns
    -------
    rich.text.Text
        Lines of at most 100 columns.
    """
    return join([_head(view), *_lisbon_map.lines(view), "", *_display(view), "", *_players(view), *_hands(view)])


def letters(colours: str, gap: str = "") -> list[Piece]:
    """Passengers or tickets in their colours."""
    pieces: list[Piece] = []
    for place, letter in enumerate(colours):
        if gap and place and letter != colours[place - 1]:
            pieces.append(gap)
        pieces.append((letter, COLOUR_OF.get(letter, "faint")))
    return pieces


# --- parts ---


def _head(view: dict) -> Text:
    right = f"tickets {view['ticket_pile']}, {len(view['discard'])} discarded · bag {len(view['bag'])} "
    return ends(text(" ", (headline(view), "strong")), (right, "faint"), WIDTH)


def headline(view: dict) -> str:
    """What is going on, in words."""
    step, turn, who = view["step"], view["turn"], name(view, view["on_turn"])
    last = " (last round)" if view["last_round"] else ""
    if step == "over":
        return _result(view)
    if step.startswith("setup"):
        return "the game is being set up"
    if step == "shunt":
        seat, at = moving_tram(view)
        return f"{name(view, seat)} to move: pushed, which way from {at}?"
    if step == "place":
        return f"{name(view, view['to_move'])} to move: at which stop do {turn['drawn']} wait?"
    if step == "paying":
        what = "a bonus" if turn["purpose"] == "bonus" else "the passengers"
        swaps = f", {turn['pay']} for the rest" if turn["pay"] else ""
        return f"{who} to move: paying {turn['need'] or 'nothing'} for {what}{swaps}"
    if step == "keep":
        return f"{who} to move: which of {turn['drawn']} stays?"
    if step == "moving":
        return f"{who} to move: a step with {COLOUR_OF[turn['move'][0]]} tickets{last}"
    if step == "turn":
        count = view["actions"]
        free = view["options"]["rules"] == "english" and "free_move" in view["players"][view["on_turn"]]["bonuses"]
        left = f"{count} action{'s' * (count != 1)} left" + (" and a free move" if free and "free_move" not in view["used"] else "")
        return f"{who} to move: {left}{last}"
    return f"{who}: {'tickets' if 'ticket' in step else 'cards' if 'card' in step else 'passengers'} are drawn{last}"


def _result(view: dict) -> str:
    board, order = board_of(view), ranking(view)
    result = [points(board, view["players"][seat]["row"]) for seat in order]
    winner = name(view, order[0])
    verb = "win" if winner.startswith("You") else "wins"
    return f"the game is over: {winner} {verb}, {' : '.join(map(str, result))}" + (" by the tie-break" if result[0] == result[1] else "")


def _display(view: dict) -> list[Text]:
    """The cards on offer, with what the viewer lacks for each; then the next card."""
    board = board_of(view)
    viewer = view["players"][view["player"]] if view["player"] >= 0 else None
    rows: list[list[Piece]] = [[("card", "faint"), ("at", "faint"), ("VP", "faint"), ("wants", "faint"), ("half-tickets", "faint"), ""]]
    for card in view["display"]:
        if card:
            rows.append([*_card(board, card), _note(board, card, viewer)])
    if view["next_card"]:
        rows.append([*_card(board, view["next_card"]), (f"next · {view['face_up']} to the last round", "faint")])
    return [text("   ", line) for line in table(rows, right=[2])]


def _card(board: Board, card: str) -> list[Piece]:
    data = board.cards[board.card_numbers[card]]
    left, right = ("".join(COLOURS[colour] for colour in edge) for edge in (data.left, data.right))
    edges = text(*letters(left.rjust(2)), "|", *letters(right))
    return [card, (board.places[data.monument].label, "faint"), str(data.vp), text(*letters(demand(board, card))), edges]


def _note(board: Board, card: str, viewer: dict | None) -> Piece:
    if viewer is None:
        return ""
    missing = lacking(demand(board, card), viewer["aboard"])
    if missing:
        return text(("lacks ", "faint"), *letters(missing))
    monument = board.places[board.cards[board.card_numbers[card]].monument].id
    return ("all aboard: claim it", "alert") if viewer["tram"] == monument else ("all aboard", "alert")


def _players(view: dict) -> list[Text]:
    """A few lines for each player in the order of turns, the viewer last."""
    board = board_of(view)
    count = len(view["players"])
    order = [(view["player"] + 1 + i) % count for i in range(count)]  # the truth (-1) begins with player 0
    rows = []
    for seat in order:
        player = view["players"][seat]
        limit, joined = seats(board, player), tickets(board, player["row"])
        aboard: list[Piece] = []
        for colour in COLOURS:
            there = player["aboard"].count(colour)
            aboard += [" ", *letters(colour * there), ("-" * (limit - there), "faint")]
        rows.append(
            [
                tram(view, seat),
                (name(view, seat), "strong"),
                (board.player_boards[seat].label, "faint"),
                f"{points(board, player['row'])} VP" + (f" ({joined} from tickets)" if joined else ""),
                f"hand {len(player['hand'])}",
                text(("aboard", "faint"), *aboard),
            ]
        )
    lines = []
    for seat, line in zip(order, table(rows), strict=True):
        player = view["players"][seat]
        lines.append(text(" ", line))
        lines.append(text("      ", *_bonuses(board, seat, player)))
        lines += [text("      ", part) for part in _row(board, player["row"])]
    return lines


def _bonuses(board: Board, seat: int, player: dict) -> list[Piece]:
    """What he has, and what he can buy with which colour."""
    has = [BONUS_WORDS[bonus] for bonus in BONUS_WORDS if bonus in player["bonuses"]]
    pieces: list[Piece] = [("has ", "faint"), (", ".join(has), "strong"), "   "] if has else []
    open_ones = [(colour, bonus) for colour, bonus in unlocks(board, seat).items() if bonus not in player["bonuses"]]
    pieces += [("can buy  ", "faint")] if open_ones else []
    for colour, bonus in open_ones:
        pieces += [(colour, COLOUR_OF[colour]), (f" {BONUS_WORDS[bonus]}   ", "faint")]
    return pieces


def _row(board: Board, cards: list[str]) -> list[Text]:
    """Claimed cards, their half-tickets where they meet; a long row on several lines."""
    lines = [text()]
    for card in cards:
        data = board.cards[board.card_numbers[card]]
        left, right = ("".join(COLOURS[colour] for colour in edge) for edge in (data.left, data.right))
        piece = text(("(", "faint"), *letters(left), f" {card} {data.vp} ", *letters(right), (")", "faint"))
        if lines[-1].cell_len + piece.cell_len > WIDTH - 6:
            lines.append(text())
        lines[-1] = text(lines[-1], piece)
    return lines if cards else []


def _hands(view: dict) -> list[Text]:
    """The hands that are known, the viewer's last."""
    lines = []
    for seat, player in enumerate(view["players"]):
        hand = player["hand"]
        if not hand.strip("?"):
            continue
        whose = ("hand " if seat == view["player"] else f"hand of player {seat} ", "faint")
        lines.append((seat == view["player"], text("   ", whose, *letters(in_order(hand), "  "))))
    return [line for _, line in sorted(lines, key=lambda pair: pair[0])]
