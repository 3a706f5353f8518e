"""A second Trambahn, written from the rules alone: plain lists of card names, slow, nothing shared with the engine.

It exists so that two independent readings of the rules can be compared move by move (see ``lockstep.py``). Everything is a
public attribute, and a test may set up any position with :meth:`Reference.from_parts`.
"""

from collections import Counter
from itertools import pairwise

COLOURS = "BRGY"
VALUES = range(1, 11)
POINTS = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2, 9: 2, 10: 3}
COST = {2: 5, 3: 10, 4: 15}
CARD_ORDER = [f"{colour}{value}" for colour in COLOURS for value in VALUES] + ["C"]
DECK = Counter({card: 8 if card == "C" else 2 if card[1:] in ("1", "10") else 3 for card in CARD_ORDER})
TRAMS = [2] * 5 + [3] * 4 + [4] * 7
DEALS = ["money 0"] * 12 + ["money 1"] * 15 + ["hand 0"] * 6 + ["hand 1"] * 6


def value(card):
    """Value of a station card, 1..10."""
    return int(card[1:])


def first_card_rank(card, colour):
    """Where a column sorts that was opened with `card`: a conductor comes right after the ten of its declared colour."""
    return COLOURS.index(colour), 11 if card == "C" else value(card)


class Column:
    """One column: a colour, its cards in the order they were placed, and a tramway's multiplier (0: none)."""

    def __init__(self, colour, cards=(), tram=0):
        self.colour = colour
        self.cards = list(cards)
        self.tram = tram

    @classmethod
    def parse(cls, text):
        """Column from text such as ``R 3 C 7 8 x3``."""
        colour, *words = text.split()
        tram = int(words.pop()[1:]) if words and words[-1].startswith("x") else 0
        return cls(colour, [word if word == "C" else colour + word for word in words], tram)

    def __str__(self):
        words = [self.colour] + ["C" if card == "C" else card[1:] for card in self.cards]
        return " ".join(words + ([f"x{self.tram}"] if self.tram else []))

    def stations(self):
        return [card for card in self.cards if card != "C"]

    def fits(self, card):
        """Whether `card` may be appended: own colour, above the last station, never after a 10."""
        stations = self.stations()
        if stations and value(stations[-1]) == 10:
            return False
        if card == "C":
            return True
        return card[0] == self.colour and (not stations or value(card) > value(stations[-1]))

    def score(self):
        """Victory points of the cards times the tramway (0 while there is none)."""
        return sum(POINTS[value(card)] for card in self.stations()) * self.tram


class Reference:
    """One game of Trambahn.

    Parameters
    ----------
    halving : {"on_empty", "on_need"}
        When an empty draw pile makes both players lose half their money: at the instant it becomes empty, or when a card is
        wanted and none is there.

    Attributes
    ----------
    hands, money, columns, points : lists by player
        Money runs from bottom to top. Columns are :class:`Column` objects in the order they were opened.
    draw : Counter
    discard : list of str
    rows : dict of str to list of str
    open, stack : list of int
        The trams for sale, and those to come, next one first.
    step : {"deal", "passengers", "stations", "income", "trams", "draw", "over"}
    boarded, lowest, opened, banked, bought
        What happened in this turn: passengers played, lowest column still open for building, ``(first card, colour)`` of the
        column opened last, the card banked last, highest column bought for.
    """

    def __init__(self, halving="on_empty"):
        if halving not in ("on_empty", "on_need"):
            raise ValueError(halving)
        self.halving = halving
        self.hands = [[], []]
        self.money = [[], []]
        self.columns = [[], []]
        self.points = [0, 0]
        self.draw = Counter(DECK)
        self.discard = []
        self.rows = {colour: [] for colour in COLOURS}
        self.open = TRAMS[:3]
        self.stack = TRAMS[3:]
        self.scorings = 0
        self.turn = 0
        self.step = "deal"
        self.dealt = 0
        # counters, for the checks and for tests only
        self.turns = 0
        self.passengers = 0
        self.reshuffles = 0
        self.extra_tours = 0
        self.trams_this_turn = 0
        self.scored_this_turn = []
        self.contrived = False
        self._new_turn_marks()

    def _new_turn_marks(self):
        self.boarded = 0
        self.lowest = 0
        self.opened = None
        self.banked = None
        self.bought = -1
        self.trams_this_turn = 0
        self.scored_this_turn = []

    @classmethod
    def from_parts(cls, halving="on_empty", **parts):
        """A game in a given position; `parts` are attributes, columns may be texts, `draw` any iterable of cards.

        Cards in no given zone are in the draw pile, unless `draw` is given. Such a game counts as contrived.
        """
        game = cls(halving)
        game.contrived = True
        game.step = "passengers"
        for name, part in parts.items():
            if not hasattr(game, name):
                raise TypeError(f"no such part: {name}")
            setattr(game, name, part)
        game.hands = [list(hand) for hand in game.hands]
        game.money = [list(pile) for pile in game.money]
        game.discard = list(game.discard)
        game.rows = {colour: list(game.rows.get(colour, ())) for colour in COLOURS}
        game.columns = [[Column.parse(column) if isinstance(column, str) else column for column in side] for side in game.columns]
        if "draw" in parts:
            game.draw = Counter(game.draw)
        else:
            game.draw = Counter()
            game.draw = DECK - game.cards()
        if game.cards() != DECK:
            raise ValueError(f"not the 120 cards: missing {DECK - game.cards()}, too many {game.cards() - DECK}")
        game.passengers = 4 * game.scorings + sum(map(len, game.rows.values()))
        game._pass_over()
        return game

    # ------------------------------------------------------------------------------------------------ who, what

    def current_player(self):
        """Player to decide; -1 at a chance event, -4 at the end."""
        if self.step == "over":
            return -4
        return -1 if self.step in ("deal", "draw") else self.turn

    def chance(self):
        """Texts of the possible chance events with their probabilities; empty where nothing is random."""
        if self.step not in ("deal", "draw"):
            return {}
        total = sum(self.draw.values())
        return {f"{self.step} {card}": count / total for card, count in self.draw.items() if count}

    def legal(self):
        """Texts of the legal decisions; empty at a chance event and at the end."""
        if self.current_player() < 0:
            return set()
        return {"passengers": self._boards, "stations": self._builds, "income": self._banks, "trams": self._buys}[self.step]()

    def _boards(self):
        texts = set()
        for card in self.hands[self.turn]:
            if card == "C":
                texts |= {f"board C>{colour}" for colour in COLOURS}
            else:
                texts.add(f"board {card}")
        if self.boarded:
            texts.add("done")
        return texts

    def _builds(self):
        texts = {"done"}
        for card in self.hands[self.turn]:
            for number, column in enumerate(self.columns[self.turn]):
                if number >= self.lowest and column.fits(card):
                    texts.add(f"build {card}>{number}")
            for colour in COLOURS if card == "C" else card[0]:
                if self.opened is None or first_card_rank(card, colour) >= first_card_rank(*self.opened):
                    texts.add(f"build C>new{colour}" if card == "C" else f"build {card}>new")
        return texts

    def _banks(self):
        texts = {"done"}
        for card in self.hands[self.turn]:
            if self.banked is None or CARD_ORDER.index(card) >= CARD_ORDER.index(self.banked):
                texts.add(f"bank {card}")
        return texts

    def _buys(self):
        texts = {"done"}
        for number, column in enumerate(self.columns[self.turn]):
            if number > self.bought and not column.tram:
                texts |= {f"buy {tram}>{number}" for tram in self.open if COST[tram] <= len(self.money[self.turn])}
        return texts

    # ------------------------------------------------------------------------------------------------ acting

    def apply(self, text):
        """Play one decision or chance event.

        Raises
        ------
        ValueError
            If `text` is not possible now.
        """
        if text not in (self.chance() or self.legal()):
            raise ValueError(f"{text!r} is not possible now")
        verb, _, rest = text.partition(" ")
        what, _, where = rest.partition(">")
        if verb == "done":
            self._next_step()
        else:
            {"deal": self._deal, "draw": self._draw, "board": self._board, "build": self._build, "bank": self._bank, "buy": self._buy}[
                verb
            ](what, where)
        self._pass_over()

    def _deal(self, card, _):
        zone, player = DEALS[self.dealt].split()
        self.draw[card] -= 1
        (self.money if zone == "money" else self.hands)[int(player)].append(card)
        self.dealt += 1
        if self.dealt == len(DEALS):
            self.step = "passengers"

    def _draw(self, card, _):
        self.draw[card] -= 1
        self.hands[self.turn].append(card)
        if self.halving == "on_empty" and not self.draw.total():
            self._halve_and_reshuffle()

    def _board(self, card, where):
        colour = where or card[0]
        self.hands[self.turn].remove(card)
        self.rows[colour].append(card)
        self.boarded += 1
        self.passengers += 1
        if len(self.rows[colour]) == 4:
            self._score(colour)

    def _score(self, colour):
        for player in (0, 1):
            self.points[player] += sum(column.score() for column in self.columns[player] if column.colour == colour)
        self.discard += self.rows[colour]
        self.rows[colour] = []
        self.scorings += 1
        self.scored_this_turn.append(colour)
        if self.scorings == 10:
            self.step = "over"

    def _build(self, card, where):
        columns = self.columns[self.turn]
        if where.startswith("new"):
            colour = where[3:] or card[0]
            columns.append(Column(colour))
            self.opened = (card, colour)
            number = len(columns) - 1
        else:
            number = int(where)
        self.hands[self.turn].remove(card)
        self.lowest = number
        columns[number].cards.append(card)
        if len(columns[number].cards) == 8:
            self.points[self.turn] += columns[number].score()
            self.extra_tours += 1

    def _bank(self, card, _):
        self.hands[self.turn].remove(card)
        self.money[self.turn].append(card)
        self.banked = card

    def _buy(self, tram, number):
        tram, number = int(tram), int(number)
        self.open.remove(tram)
        self.columns[self.turn][number].tram = tram
        self.bought = number
        self.trams_this_turn += 1
        for _ in range(COST[tram]):
            self.discard.append(self.money[self.turn].pop())

    # ------------------------------------------------------------------------------------------------ what happens by itself

    def _next_step(self):
        order = ["passengers", "stations", "income", "trams", "draw"]
        self.step = order[order.index(self.step) + 1]
        if self.step == "draw":
            for column in self.columns[self.turn]:
                if not column.tram:
                    self.money[self.turn] += column.cards
            self.columns[self.turn] = [column for column in self.columns[self.turn] if column.tram]

    def _pass_over(self):
        """Go on to the next thing that has to be decided or drawn."""
        while self.step not in ("deal", "over"):
            if self.step == "passengers":
                if self.hands[self.turn] and self.boarded < 2:
                    return
                self._next_step()
            elif self.step == "draw":
                if self._card_wanted_and_there():
                    return
                self._end_turn()
            else:
                if self.legal() != {"done"}:
                    return
                self._next_step()

    def _card_wanted_and_there(self):
        if len(self.hands[self.turn]) >= 6:
            return False
        if not self.draw.total() and self.discard:
            self._halve_and_reshuffle()
        return self.draw.total() > 0

    def _halve_and_reshuffle(self):
        for pile in self.money:
            for _ in range(len(pile) // 2):
                self.discard.append(pile.pop())
        self.draw = Counter(self.discard)
        self.discard = []
        self.reshuffles += 1

    def _end_turn(self):
        while len(self.open) < 3 and self.stack:
            self.open.append(self.stack.pop(0))
        self.turns += 1
        if not self.hands[0] and not self.hands[1] and not self.draw.total() and not self.discard:
            self.step = "over"
            return
        self.turn = 1 - self.turn
        self.step = "passengers"
        self._new_turn_marks()

    # ------------------------------------------------------------------------------------------------ results

    def scores(self):
        """Points so far, by player."""
        return list(self.points)

    def returns(self):
        """+1 for the winner, -1 for the loser; equal points are decided by the larger money pile, else 0 for both."""
        mine, other = ((self.points[player], len(self.money[player])) for player in (0, 1))
        return [1.0, -1.0] if mine > other else [-1.0, 1.0] if mine < other else [0.0, 0.0]

    def facts(self):
        """Where every card and tram is, as plain data: piles without an order of their own are sorted."""
        return {
            "step": self.step,
            "scorings": self.scorings,
            "rows": {colour: sorted(row) for colour, row in self.rows.items()},
            "open": sorted(self.open),
            "stack": [self.stack.count(tram) for tram in COST],
            "draw": sorted(self.draw.elements()),
            "discard": sorted(self.discard),
            "hands": [sorted(hand) for hand in self.hands],
            "money": [list(pile) for pile in self.money],
            "columns": [[str(column) for column in side] for side in self.columns],
        }

    # ------------------------------------------------------------------------------------------------ checks

    def cards(self):
        """Every card on the table, counted."""
        zones = [self.draw.elements(), self.discard, *self.hands, *self.money, *self.rows.values()]
        zones += [column.cards for side in self.columns for column in side]
        return Counter(card for zone in zones for card in zone)

    def conserved(self):
        """Check what holds in every position and, if the game was played from its start, what holds in every game.

        Raises
        ------
        AssertionError
            Naming what is broken.
        """

        def check(holds, what):
            if not holds:
                raise AssertionError(f"{what}: {self!r}")

        check(self.cards() == DECK, "120 cards, each in exactly one place")
        on_columns = [column.tram for side in self.columns for column in side if column.tram]
        check(sorted(on_columns + self.open + self.stack) == TRAMS, "16 trams")
        check(self.stack == TRAMS[len(TRAMS) - len(self.stack) :], "the stack is sorted and taken from the top")
        check(len(self.open) <= 3, "at most three trams open")
        for colour, row in self.rows.items():
            check(len(row) <= 3, "at most three wait in a row")
            check(all(card[0] in ("C", colour) for card in row), "passengers stand in the row of their colour")
        for column in (column for side in self.columns for column in side):
            stations = column.stations()
            check(all(card[0] == column.colour for card in stations), "a column has one colour")
            check(all(value(a) < value(b) for a, b in pairwise(stations)), "a column ascends")
            check(not any(value(card) == 10 for card in stations) or column.cards[-1] == stations[-1], "a 10 completes")
            check(1 <= len(column.cards) <= 18, "a column has 1 to 18 cards")
        check(all(len(hand) <= 6 for hand in self.hands), "a hand holds at most six")
        check((self.scorings < 10) or self.step == "over", "the game ends with the tenth scoring")
        check(len(self.scored_this_turn) == len(set(self.scored_this_turn)) <= 2, "a turn scores a colour once, two at most")
        check(self.passengers == 4 * self.scorings + sum(map(len, self.rows.values())), "passengers are scored or waiting")
        if not self.contrived:
            self._check_reachable(check, on_columns)

    def _check_reachable(self, check, on_columns):
        tramless = [[column for column in side if not column.tram] for side in self.columns]
        check(not tramless[1 - self.turn], "the other player's columns have trams")
        if self.step not in ("stations", "income", "trams"):
            check(not tramless[self.turn], "whenever a scoring can happen, every column has a tram")
        check(sum(len(column.cards) for column in tramless[self.turn]) <= 5, "at most five cards in tramless columns")
        check(len(on_columns) <= 16, "at most 16 columns with a tram")
        check(self.trams_this_turn <= 3, "at most three trams a turn")
        if self.turns == 0:
            check(self.trams_this_turn <= 2, "the start player cannot buy three trams at once")
        if self.step not in ("deal", "over"):
            check(len(self.hands[1 - self.turn]) == 6, "six cards in hand between turns")
            check(
                len(self.open) + self.trams_this_turn == min(3, len(self.open) + self.trams_this_turn + len(self.stack)), "supply of three"
            )
            if self.halving == "on_empty":
                check(self.draw.total() > 0, "the draw pile is never seen empty")
        if self.step == "over":
            check(self.scorings == 10, "a game ends with the tenth scoring")
            check(40 <= self.passengers <= 49, "40 to 49 passengers in a game")
            check(20 <= self.turns + 1 <= 49, "20 to 49 turns in a game")

    def __repr__(self):
        columns = [[str(column) for column in side] for side in self.columns]
        return (
            f"<{self.step} of {self.turn}; hands {self.hands}; money {self.money}; columns {columns}; rows {self.rows}; "
            f"open {self.open} stack {self.stack}; draw {sorted(self.draw.elements())}; discard {self.discard}; "
            f"scorings {self.scorings}; points {self.points}>"
        )
