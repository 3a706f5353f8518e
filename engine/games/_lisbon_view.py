"""What plain data of Lisbon Tram 28 says (`to_dict`): points, seats, who lacks what. For drawing, words and typed turns."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from wattman.engine import boards
from wattman.engine.drawing import clip
from wattman.engine.games._lisbon_board import BONUSES, COLOUR_NAMES, COLOURS, Board, load_board

COLOUR_OF = dict(zip(COLOURS, COLOUR_NAMES, strict=True))  # the style of a colour letter, too
BONUS_WORDS = {"seats": "seats", "action": "action", "free_move": "free move", "bell": "bell"}
TRAM_STYLES = {"pink": "bold #ff5fd7", "blue": "bold #5f87ff", "light_blue": "bold #5fd7ff", "yellow": "bold #ffd700"}


def loaded(board: str) -> Board:
    """A board by name or path, read once."""
    return _loaded(str(Path(board).absolute()) if boards.is_path(board) else board)


_loaded = lru_cache(maxsize=8)(load_board)


def board_of(view: dict) -> Board:
    """The board that is played on."""
    return loaded(view["options"]["board"])


def name(view: dict, seat: int) -> str:
    """What a player is called: his name, or "You" and "Player" with the number of his seat."""
    names = view.get("names")
    if names:
        return clip(names[seat], 24)
    return f"You (player {seat})" if seat == view["player"] else f"Player {seat}"


def tram(view: dict, seat: int) -> tuple[str, str]:
    """A player's tram on the map, in its colour."""
    return f"[{seat}]", TRAM_STYLES.get(board_of(view).player_boards[seat].id, "bold")


def moving_tram(view: dict) -> tuple[int, str]:
    """During a push: the player whose tram is to be placed next, and the place that the line has come to."""
    turn = view["turn"]
    return turn["pushed"][turn["placed"]], turn["end"]


def shown_cards(view: dict, place: str) -> list[str]:
    """The cards on display that are claimed at a place."""
    board = board_of(view)
    return [card for card in view["display"] if card and board.places[board.cards[board.card_numbers[card]].monument].id == place]


def tickets(board: Board, row: list[str]) -> int:
    """Complete tickets in a row of claimed cards: colours that meet."""
    cards = [board.cards[board.card_numbers[card]] for card in row]
    return sum(len(set(left.right) & set(right.left)) for left, right in pairwise(cards))


def points(board: Board, row: list[str]) -> int:
    """Points of a row of claimed cards, its complete tickets included."""
    return sum(board.cards[board.card_numbers[card]].vp for card in row) + tickets(board, row)


def seats(board: Board, player: dict) -> int:
    """Seats for each colour."""
    return board.bonus_seats if "seats" in player["bonuses"] else board.start_seats


def demand(board: Board, card: str) -> str:
    """The passengers that a card wants, as letters."""
    return "".join(colour * count for colour, count in zip(COLOURS, board.cards[board.card_numbers[card]].demand, strict=True))


def lacking(wanted: str, aboard: str) -> str:
    """What of `wanted` is not aboard."""
    return in_order((Counter(wanted) - Counter(aboard)).elements())


def in_order(letters) -> str:
    """Colour letters sorted as everywhere; unknown ones last."""
    return "".join(sorted(letters, key=lambda letter: (COLOURS + "?").index(letter)))


def unlocks(board: Board, seat: int) -> dict[str, str]:
    """Which bonus each colour unlocks on a player's board."""
    return {colour: BONUSES[bonus] for colour, bonus in zip(COLOURS, board.player_boards[seat].bonus, strict=True)}


def ranking(view: dict) -> list[int]:
    """The players from first to last: by points, tickets, passengers aboard, and then who sits farther from player 0."""
    board = board_of(view)

    def result(seat: int) -> tuple:
        player = view["players"][seat]
        return points(board, player["row"]), tickets(board, player["row"]), len(player["aboard"]), seat

    return sorted(range(len(view["players"])), key=result, reverse=True)
