"""A review's figures as the terminal and the page show them."""

from __future__ import annotations

from wattman.search.luck import Balance
from wattman.search.review import Review, Turn


def percent(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f}"


def per_turn(review: Review, player: int) -> list[str]:
    """What a player's turns lost on average: of the chance to win, and in points."""
    row = review.summary(player)
    win = f"{percent(row['loss_per_turn'], 2)} %" if review.counts == "win" else "-"
    return [str(row["turns"]), win, f"{row['points_per_turn']:.2f}"]


def lost(review: Review, turn: Turn) -> str:
    """What a turn lost, with its errors: of the chance to win, where that is what counts, and in points."""
    points = f"{-turn.points:+.1f} ± {turn.points_stderr:.1f} points"
    return points if review.counts == "points" else f"-{percent(turn.loss)} ± {percent(turn.loss_stderr)} %, {points}"


def parts(balance: Balance, place: int) -> list[str]:
    """A player's balance of the win (place 0, in percent) or of points (1): start, cards, hidden, own skill, others, result."""
    factor = 1 if place else 100

    def change(values: list[float], errors: list[float] | None = None) -> str:
        return f"{factor * values[place]:+.1f}" + (f" ± {factor * errors[place]:.1f}" if errors else "")

    return [
        f"{factor * balance.start[place]:.1f}",
        change(balance.cards, balance.cards_stderr),
        change(balance.hidden, balance.hidden_stderr),
        change(balance.own, balance.own_stderr),
        change(balance.others),
        f"{factor * balance.result[place]:.1f}",
    ]
