"""Exact values of Trambahn's last turn but one, by brute force.

With nine regular scorings, and three passengers in every row but at most one, which has two, the game ends at the latest with the other
player's next passenger: wherever he puts it, it is the fourth. So all that can still happen is the rest of the searcher's own turn, which
is tried out completely, and one choice of the other player, which depends only on the colours that he holds. His hand is a random part of
the cards that the searcher cannot see (the positions have no reshuffle behind them); every composition of it counts with its probability.
He takes what is best for himself. The cards drawn in between change nothing.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod
from pathlib import Path

from wattman.engine.game import InfoState, State

FOLDER = Path(__file__).parent / "tactics"
COLOURS = "BRGY"
POINTS = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2, 9: 2, 10: 3}


def share(mine: int, his: int, my_money: int, his_money: int) -> Fraction:
    """The searcher's share of the win: more points win, then more money."""
    if (mine, my_money) == (his, his_money):
        return Fraction(1, 2)
    return Fraction((mine, my_money) > (his, his_money))


def worth(columns: list[dict], colour: str) -> int:
    """Points of a regular scoring of a colour."""
    return sum(c["tram"] * sum(POINTS[v] for v in values(c)) for c in columns if c["colour"] == colour)


def values(column: dict) -> list[int]:
    """A column's stations."""
    return [int(card[1:]) for card in column["cards"] if card != "C"]


class Ending:
    """What a player can still get out of a position of this kind.

    Parameters
    ----------
    info : InfoState
        What he knows; he is to move.
    """

    def __init__(self, info: InfoState) -> None:
        self.me = info.player
        self.hands = self.compositions(info)
        self.root = info.sample(1)  # what is hidden in it counts nowhere
        self.known: dict[State, Fraction] = {}

    def moves(self) -> dict[str, Fraction]:
        """Each legal move with the chance to win that the best play after it leaves."""
        result = {}
        for action in self.root.legal_actions():
            state = self.root.clone()
            state.apply_action(action)
            result[self.root.action_to_string(action)] = self.value(state)
        return result

    def value(self, state: State) -> Fraction:
        """The chance to win in a state of the own turn or after it."""
        if state.is_terminal():
            table = state.to_dict()
            return self.result(table, None)
        if state.current_player() != self.me:
            return self.after_turn(state)
        if state not in self.known:
            best = Fraction(-1)
            for action in state.legal_actions():
                child = state.clone()
                child.apply_action(action)
                best = max(best, self.value(child))
            self.known[state] = best
        return self.known[state]

    def after_turn(self, state: State) -> Fraction:
        """The other player puts his passenger where it is best for him."""
        state = state.clone()
        while state.is_chance_node():  # which cards are drawn changes nothing
            state.apply_action(state.chance_outcomes()[0][0])
        table = state.to_dict()
        assert state.current_player() == 1 - self.me
        assert table["scorings"] == 9
        assert all(len(row) == 3 for row in table["rows"].values())
        result = {colour: self.result(table, colour) for colour in COLOURS}
        return sum((weight * min(result[colour] for colour in held) for held, weight in self.hands.items()), Fraction(0))

    def result(self, table: dict, colour: str | None) -> Fraction:
        """The share of the win at the end of the game, after the last scoring of a colour if that is still to come."""
        points, money = [], []
        for player in table["players"]:
            points.append(player["regular"] + player["extra"])
            money.append(len(player["money"]))
            if colour is not None:
                points[-1] += worth(player["columns"], colour)
        return share(points[self.me], points[1 - self.me], money[self.me], money[1 - self.me])

    def compositions(self, info: InfoState) -> dict[str, Fraction]:
        """The colours that the other player can put a passenger into, with their probabilities over all hands that he may hold."""
        unseen = Counter(dict.fromkeys(COLOURS, 28) | {"C": 8})
        unseen.subtract(card[0] for card in seen(info.to_dict()))
        number = len(info.to_dict()["players"][1 - self.me]["hand"])
        kinds = list(unseen)
        hands: dict[str, Fraction] = {}
        for counts in product(*(range(min(number, unseen[kind]) + 1) for kind in kinds)):
            if sum(counts) == number:
                held = "".join(kind for kind, count in zip(kinds, counts, strict=True) if count)
                ways = prod(comb(unseen[kind], count) for kind, count in zip(kinds, counts, strict=True))
                held = COLOURS if "C" in held else held  # a conductor goes into any row
                hands[held] = hands.get(held, Fraction(0)) + Fraction(ways, comb(unseen.total(), number))
        assert sum(hands.values()) == 1
        return hands


def seen(view: dict) -> list[str]:
    """All cards that a player can tell."""
    cards = [*view["discard"], *(card for row in view["rows"].values() for card in row)]
    for player in view["players"]:
        cards += [*player["hand"], *player["money"], *(card for column in player["columns"] for card in column["cards"])]
    return [card for card in cards if card != "?"]


def positions() -> list[Path]:
    """The files of positions."""
    return sorted(FOLDER.glob("*.toml"))
