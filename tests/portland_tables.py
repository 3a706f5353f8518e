"""Tables of Stop Requested: Portland for worked examples: dealt as the example wants, played alike on the reference and on the engine.

Chance is explicit, so any hand can be dealt: an example says which cards come, and what it does not say is filled in by a rule.
"""

import copy
import functools
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from lockstep import FACTS
from portland_reference import Board, Reference

from wattman import load_game
from wattman.engine import tomlfile

SMALL = str(Path(__file__).parent / "boards/portland_small.toml")


@functools.cache
def parsed(path):
    return tomllib.loads(Path(path).read_text(encoding="utf-8"))


def variant(folder, change, base=SMALL):
    """Path of a board file like `base`, changed: ``change(data)`` edits its tables."""
    data = copy.deepcopy(parsed(base))
    change(data)
    path = Path(folder) / f"board{len(list(Path(folder).iterdir()))}.toml"
    path.write_text(tomlfile.dumps(data), encoding="utf-8")
    return str(path)


def cards(text):
    """Card types of a text such as ``red 3 pass``."""
    found = []
    for word in text.split():
        if word.isdigit():
            found += [found[-1]] * (int(word) - 1)
        else:
            found.append(word)
    return found


def triangle(folder, hand, types=("red", "red", "red"), length=2, trains=9, face_up=5, limit=3, **counts):
    """Path of a board with three stations, three routes of these types, and three tickets, one of them for each player.

    Parameters
    ----------
    folder : path
    hand : int
        Cards dealt to each player.
    types : sequence of str
        Of the routes North Gate--East, East--South, North Gate--South.
    length, trains, face_up, limit : int
        `limit`: passes that make a new market.
    **counts
        Cards of each type; `passes` of the wild one.
    """

    def change(data):
        data["deal"].update(hand=hand, face_up=face_up, pass_limit=min(limit, face_up), start_tickets={"offered": 1, "keep": 1})
        data["trains"] = {"players": {"2": trains, "3": trains}, "last_round": 2, "one_of_a_double": 3}
        data["cards"]["wild"]["count"] = counts.pop("passes")
        data["cards"]["types"] = [{"id": kind, "label": kind, "count": count, "colour": "#123456"} for kind, count in counts.items()]
        data["stations"]["list"] = data["stations"]["list"][:3]
        names = [station["name"] for station in data["stations"]["list"]]
        ends = [(names[0], names[1]), (names[1], names[2]), (names[0], names[2])]
        data["routes"]["list"] = [{"a": a, "b": b, "type": kind, "length": length} for (a, b), kind in zip(ends, types, strict=True)]
        data["tickets"]["list"] = [{"a": a, "b": b, "points": 2} for a, b in ends]
        if sum(counts.values()) + data["cards"]["wild"]["count"] < 3 * hand + face_up:
            del data["trains"]["players"]["3"]

    return variant(folder, change)


def opening(table, hands, market):
    """Deal on such a board; every player's only ticket is kept by itself."""
    for hand in hands:
        table.play(*(f"card {card}" for card in cards(hand)))
    table.play(*(f"card {card}" for card in cards(market)))
    return table.settle()


class Table:
    """What examples say and ask; subclasses know one side."""

    def __init__(self, players, board, payment):
        raise NotImplementedError

    @classmethod
    def start(cls, hands=(), market="", tickets=(), *, players=2, board="portland", payment="shortfall", keep=None):
        """A game after its set-up, player 0 to move.

        Parameters
        ----------
        hands : list of str
            Opening hands; what is missing is filled in.
        market : str
            The first face-up cards, in order.
        tickets : list of list of str
            Tickets offered to each player; what is missing is filled in.
        keep : list of list of str, optional
            Tickets kept; all, if left out.
        """
        table = cls(players, board, payment)
        rules = Board(board)
        for player in range(players):
            hand = cards(hands[player]) if player < len(hands) else []
            table.chances("card", hand, rules.hand)
        table.chances("card", cards(market), rules.face_up)
        while table.player() == -1 and next(iter(table.chance())).startswith("card"):
            table.fill()
        wanted = [ticket for player in range(players) for ticket in (tickets[player] if player < len(tickets) else [])]
        offered = []
        for player in range(players):
            own = list(tickets[player]) if player < len(tickets) else []
            while len(own) < rules.start[0]:
                own.append(next(ticket for ticket in rules.tickets if ticket not in offered + own + wanted))
            table.chances("ticket", own, rules.start[0])
            offered += own
        for player in range(players):
            kept = keep[player] if keep else offered[rules.start[0] * player : rules.start[0] * (player + 1)]
            table.play("keep " + " ".join(kept))
        return table

    # --- going on ---

    def play(self, *texts):
        for text in texts:
            self.apply(text)
        return self

    def fill(self):
        """One chance event that no example cares for: the commonest card, but no pass while there is another; the first ticket."""
        chance = self.chance()
        self.apply(min(chance, key=lambda text: (text == "card pass", -chance[text] if text.startswith("card") else 0, text)))

    def settle(self):
        """Chance events until there is something to decide."""
        while self.player() == -1:
            self.fill()
        return self

    def chances(self, verb, wanted, number):
        """So many chance events, the first of them as wanted."""
        for i in range(number):
            if i < len(wanted):
                self.apply(f"{verb} {wanted[i]}")
            else:
                self.fill()

    def idle(self):
        """The player on turn draws two cards that no example cares for."""
        player = self.player()
        for _ in range(2):
            if self.player() == player:
                self.apply("draw")
                self.settle()
        return self

    def finish(self):
        """Everybody draws until the game is over."""
        while self.player() != -4:
            self.idle()
        return self

    def until(self, player):
        """Others draw until it is this player's turn."""
        for _ in range(5):
            if self.player() != player:
                self.idle()
        if self.player() != player:
            raise ValueError(f"player {player} does not come to move")
        return self

    def give(self, player, text):
        """Blind draws until the player has drawn these cards and it is his turn again."""
        wanted = cards(text)
        while wanted:
            self.until(player)
            for _ in range(2):
                self.apply("draw")
                if wanted:
                    self.apply(f"card {wanted.pop()}")
                else:
                    self.fill()
        self.settle()
        return self.until(player)

    def claim(self, player, route, with_=""):
        """Give the player these cards, all of one type, and let him claim with them."""
        self.give(player, with_)
        self.apply(f"claim {route}")
        if self.pays():
            self.apply(f"pay {with_.split()[0]}+0")
        return self.settle()

    # --- asking ---

    def claims(self):
        """Routes that can be claimed now."""
        return {text.removeprefix("claim ") for text in self.legal() if text.startswith("claim")}

    def others(self):
        """What can be done now but claiming."""
        return {text for text in self.legal() if not text.startswith("claim")}

    def pays(self):
        return {text.removeprefix("pay ") for text in self.legal() if text.startswith("pay ")}

    def hand(self, player):
        return Counter(self.facts()["hands"][player])

    def market(self):
        return self.facts()["market"]

    def piles(self):
        """Cards in the draw pile and among the discards."""
        return len(self.facts()["pile"]), len(self.facts()["discards"])

    def refuses(self, *texts):
        """Whether none of these can be played, and trying changes nothing."""
        before = self.facts()
        for text in texts:
            try:
                self.apply(text)
            except ValueError:
                continue
            return False
        return self.facts() == before


class ReferenceTable(Table):
    def __init__(self, players, board, payment):
        self.game = Reference(players, board, payment)

    def player(self):
        return self.game.current_player()

    def legal(self):
        return self.game.legal()

    def chance(self):
        return self.game.chance()

    def apply(self, text):
        self.game.apply(text)
        self.game.conserved()

    def scores(self):
        return self.game.scores()

    def returns(self):
        return self.game.returns()

    def facts(self):
        return self.game.facts()


class EngineTable(Table):
    def __init__(self, players, board, payment):
        self.state = load_game("portland", players=players, board=board, payment=payment).new_initial_state()

    def player(self):
        return self.state.current_player()

    def legal(self):
        return set() if self.player() < 0 else {self.state.action_to_string(action) for action in self.state.legal_actions()}

    def chance(self):
        return {self.state.action_to_string(action): p for action, p in self.state.chance_outcomes()} if self.player() == -1 else {}

    def apply(self, text):
        action = self.state.string_to_action(text)
        if action not in (
            [action for action, _ in self.state.chance_outcomes()] if self.state.is_chance_node() else self.state.legal_actions()
        ):
            raise ValueError(f"{text!r} is not possible now")
        self.state.apply_action(action)

    def scores(self):
        return list(self.state.scores())

    def returns(self):
        return list(self.state.returns())

    def facts(self):
        return FACTS["portland"](self.state.to_dict())


SIDES = [pytest.param(ReferenceTable, id="reference"), pytest.param(EngineTable, id="engine")]
