"""What a player of Trambahn can conclude about the hidden cards, by listing every possible world: slow, and written from the rules alone.

A *world* says where every card lies that the observer may not know. The prior is uniform over the physical cards; then every event that the
observer sees keeps the worlds in which it can happen, times the chance that it happens there: a draw takes any card of the draw pile
alike, a card that the other player shows is any card of his hand alike, the cards that he puts on his money pile in one income step are
any so many cards of his hand alike, and they lie there in card order. Nothing here uses the engine.
"""

from collections import Counter, defaultdict
from itertools import product
from math import comb
from typing import NamedTuple

COLOURS = "BRGY"
ORDER = {card: i for i, card in enumerate([f"{colour}{value}" for colour in COLOURS for value in range(1, 11)] + ["C"])}
COPIES = {card: 8 if card == "C" else 2 if card[1:] in ("1", "10") else 3 for card in ORDER}
COST = {"2": 5, "3": 10, "4": 15}
CHANCE = -1


class TooMany(Exception):
    """More worlds than anyone wants to list."""


class World(NamedTuple):
    """Where the cards lie. `hand`: the other player's; hand and deck are sorted, money runs from bottom to top, the discard by arrival."""

    hand: tuple
    money: tuple
    discard: tuple
    deck: tuple


def in_order(cards):
    return tuple(sorted(cards, key=ORDER.__getitem__))


def without(cards, card):
    i = cards.index(card)
    return cards[:i] + cards[i + 1 :]


def swapped(pair, i, value):
    return (value, pair[1]) if i == 0 else (pair[0], value)


def one_of(cards):
    """Every different card with its chance to be the one drawn."""
    return [(card, count / len(cards)) for card, count in Counter(cards).items()]


def subsets(cards, n):
    """Every different choice of n of these sorted cards: (chosen, left over, its chance)."""
    kinds = Counter(cards)
    for counts in product(*(range(min(n, have) + 1) for have in kinds.values())):
        if sum(counts) == n:
            ways = 1
            for have, count in zip(kinds.values(), counts, strict=True):
                ways *= comb(have, count)
            chosen = tuple(card for card, count in zip(kinds, counts, strict=True) for _ in range(count))
            left = tuple(card for (card, have), count in zip(kinds.items(), counts, strict=True) for _ in range(have - count))
            yield chosen, left, ways / comb(len(cards), n)


class Posterior:
    """The worlds that are possible for an observer, with their probabilities.

    Parameters
    ----------
    table : dict
        What lies on the table, as `InfoState.to_dict()` has it, at a time when no other card had ever been seen.
    limit : int
        Most worlds to list; beyond it `TooMany` is raised.
    """

    def __init__(self, table, limit=100_000):
        self.observer = table["player"]
        self.other = 1 - self.observer
        self.limit = limit
        self.halve_on_need = table["options"]["halving"] == "on_need"
        self.reshuffles = 0
        self.turn = table["to_move"]
        self.rows = {colour: list(cards) for colour, cards in table["rows"].items()}
        self.columns = [[[list(column["cards"]), column["tram"]] for column in player["columns"]] for player in table["players"]]
        self.cleaned_up = False  # whether the turn's clean-up has begun
        self.put_down = 0  # cards that the other player has put on his money pile in this step
        self.worlds = self._prior(table)

    # --- the prior ---

    def _prior(self, table):
        """Every assignment of the cards that do not lie open to the places marked "?", and the rest to the draw pile."""
        hidden = table["players"][self.other]["hand"]
        money = tuple(tuple(player["money"]) for player in table["players"])
        discard = tuple(table["discard"])
        open_cards = Counter([*table["players"][self.observer]["hand"], *money[0], *money[1], *discard])
        open_cards.update(card for columns in self.columns for cards, _ in columns for card in cards)
        open_cards.update(card for row in self.rows.values() for card in row)
        rest = [card for card, copies in COPIES.items() for _ in range(copies - open_cards[card])]
        self.worlds = {World((), money, discard, tuple(rest)): 1.0}
        for player in range(2):
            for i, place in enumerate(money[player]):
                if place == "?":
                    self._step(lambda w, player=player, i=i: self._dealt(w, lambda card: self._put_money(w, player, i, card)))
        for i, place in enumerate(discard):
            if place == "?":
                self._step(lambda w, i=i: self._dealt(w, lambda card: w._replace(discard=(*w.discard[:i], card, *w.discard[i + 1 :]))))
        for _ in hidden:
            self._step(self._other_draws)
        return self.worlds

    @staticmethod
    def _dealt(world, with_card):
        """`world` with one card of the draw pile put elsewhere."""
        return [(with_card(card)._replace(deck=without(world.deck, card)), chance) for card, chance in one_of(world.deck)]

    @staticmethod
    def _put_money(world, player, i, card):
        pile = world.money[player]
        return world._replace(money=swapped(world.money, player, (*pile[:i], card, *pile[i + 1 :])))

    def _step(self, becomes):
        """Replaces each world by what `becomes` makes of it: [(world, chance)]."""
        result = defaultdict(float)
        for world, p in self.worlds.items():
            for after, chance in becomes(world):
                result[after] += p * chance
        if len(result) > self.limit:
            raise TooMany(len(result))
        total = sum(result.values())
        if not total:
            raise ValueError("no world is left")
        self.worlds = {world: p / total for world, p in result.items()}

    # --- events ---

    def see(self, player, text):
        """One event as the observer sees it; `player` did it (-1: chance)."""
        verb, _, what = text.partition(" ")
        card, _, place = what.partition(">")
        if text != "bank ?":
            self.decides(player)
        if verb == "draw":
            self._draw(card)
        elif text == "bank ?":
            self.put_down += 1
        elif verb == "bank":
            self._add_money(player, [card])
        elif verb == "buy":
            self.columns[player][int(place)][1] = int(card)
            self._step(lambda w: [(self._paid(w, player, COST[card]), 1.0)])
        elif verb in ("board", "build"):
            if player == self.other:
                self._step(lambda w: [(w._replace(hand=without(w.hand, card)), w.hand.count(card) / len(w.hand))] if card in w.hand else [])
            if verb == "board":
                self._board(card, place or card[0])
            elif place.startswith("new"):
                self.columns[player].append([[card], 0])
            else:
                self.columns[player][int(place)][0].append(card)

    def decides(self, player):
        """The observer sees that `player` is to decide (-1: that a card is drawn), so all before that is done."""
        self._put_down()
        if player == CHANCE or player != self.turn:
            self._clean_up()
        if player not in (CHANCE, self.turn) or (player == self.turn and self.cleaned_up):
            self.turn, self.cleaned_up = player, False
        if player == CHANCE and not self._cards_in_deck():
            self._reshuffle()

    def _board(self, card, colour):
        row = self.rows[colour]
        row.append(card)
        if len(row) == 4:
            cards = tuple(row)
            row.clear()
            self._step(lambda w: [(w._replace(discard=w.discard + cards), 1.0)])

    def _put_down(self):
        n, p = self.put_down, self.other
        self.put_down = 0
        if n:
            self._step(
                lambda w: [(self._with_money(w, p, chosen)._replace(hand=left), chance) for chosen, left, chance in subsets(w.hand, n)]
            )

    @staticmethod
    def _with_money(world, player, cards):
        return world._replace(money=swapped(world.money, player, world.money[player] + tuple(cards)))

    def _add_money(self, player, cards):
        self._step(lambda w: [(self._with_money(w, player, cards), 1.0)])

    @staticmethod
    def _paid(world, player, n):
        pile = world.money[player]
        left = len(pile) - n
        return world._replace(money=swapped(world.money, player, pile[:left]), discard=world.discard + pile[left:][::-1])

    def _clean_up(self):
        if self.cleaned_up:
            return
        self.cleaned_up = True
        columns = self.columns[self.turn]
        for cards, tram in columns:
            if not tram:
                self._add_money(self.turn, cards)
        self.columns[self.turn] = [column for column in columns if column[1]]

    def _other_draws(self, world):
        return self._dealt(world, lambda card: world._replace(hand=in_order((*world.hand, card))))

    def _draw(self, card):
        if card == "?":
            self._step(self._other_draws)
        else:
            self._step(lambda w: [(w._replace(deck=without(w.deck, card)), w.deck.count(card) / len(w.deck))] if card in w.deck else [])
        if not self._cards_in_deck() and not self.halve_on_need:
            self._reshuffle()

    def _cards_in_deck(self):
        return len(next(iter(self.worlds)).deck)

    def _reshuffle(self):
        for player in range(2):
            self._step(lambda w, player=player: [(self._paid(w, player, len(w.money[player]) // 2), 1.0)])
        if next(iter(self.worlds)).discard:
            self.reshuffles += 1
            self._step(lambda w: [(w._replace(deck=in_order(w.discard), discard=()), 1.0)])
