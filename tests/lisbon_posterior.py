"""What a player of Lisbon Tram 28 can conclude about the others' tickets, by listing every possible world: slow, and from the rules alone.

A *world* says which tickets the others hold; the pile has the rest. At the start of a game it is certain. Then every event keeps the
worlds in which it can happen, times the chance that it happens there: a draw takes any ticket of the pile alike, and a ticket that somebody
pays is any ticket of his hand alike. Who rings could pay the group as it was; that is remembered until he rings again, or pays after having
drawn. That he fails afterwards says nothing, since he may have declined. Nothing here uses the engine.
"""

from collections import Counter, defaultdict

from lisbon_rails import COLOURS
from lisbon_reference import letters

RINGS = ("ring", "ring3")


class TooMany(Exception):
    """More worlds than anyone wants to list."""


class Posterior:
    """The worlds that are possible for an observer of a game of the reference, with their probabilities.

    A world is a tuple with an entry for each player: his tickets (the observer's: None), and whether he could have paid when he rang.

    Parameters
    ----------
    reference : Reference
        At the very start; it is read for what all can see and for the observer's own hand, and for nothing else.
    observer : int
    limit : int
        Most worlds to list; beyond it `TooMany` is raised.
    forgetful : bool
        Whether a ring is forgotten as said above; else it is remembered for ever.
    """

    def __init__(self, reference, observer, limit=20_000, forgetful=True):
        self.reference = reference
        self.observer = observer
        self.limit = limit
        self.forgetful = forgetful
        self.reshuffles = 0
        self.drawn_since_ring = [0] * reference.players
        start = tuple(None if player == observer else ("", True) for player in range(reference.players))
        self._worlds = {start: 1.0}

    def apply(self, text):
        """Play an event on the reference, and take from it what the observer sees of it."""
        game = self.reference
        before = [Counter(hand) for hand in game.hands]
        discarded, group = game.discard.total(), Counter(game.waiting.get(game.trams[game.turn], {}))
        known = game.rails.tickets - game.hands[self.observer] - game.discard  # where the others' tickets and the pile are
        verb = text.split()[0]
        game.apply(text)
        if verb in RINGS and game.turn != self.observer:
            self._ring(group)
        for player, hand in enumerate(before):
            drawn, paid = game.hands[player] - hand, hand - game.hands[player]
            if drawn:
                self._draw(player, drawn, known)
            elif paid and player != self.observer:
                self._pay(player, paid)
            discarded += paid.total()
        if game.discard.total() < discarded:  # it has become the new pile
            self.reshuffles += 1

    def worlds(self, rings=True):
        """The worlds with their probabilities: {hands of the others as a tuple of texts: probability}; without what rings tell if asked."""
        result = defaultdict(float)
        for world, p in self._worlds.items():
            if not rings or all(entry is None or entry[1] for entry in world):
                result[tuple(entry[0] for entry in world if entry)] += p
        total = sum(result.values())
        return {hands: p / total for hands, p in result.items()}

    def _step(self, becomes):
        """Replaces each world by what `becomes` makes of it: [(world, chance)]."""
        result = defaultdict(float)
        for world, p in self._worlds.items():
            for after, chance in becomes(world):
                if chance > 0:
                    result[after] += p * chance
        if len(result) > self.limit:
            raise TooMany(len(result))
        total = sum(result.values())
        self._worlds = {world: p / total for world, p in result.items()}

    @staticmethod
    def _with(world, player, **new):
        tickets, able = world[player]
        return (*world[:player], (new.get("tickets", tickets), new.get("able", able)), *world[player + 1 :])

    def _draw(self, player, drawn, known):
        """One ticket from the pile; `drawn` is looked at only if it is the observer's."""

        def becomes(world):
            pile = known.copy()
            for entry in world:
                pile.subtract(entry[0] if entry else "")
            if player == self.observer:
                return [(world, pile[letters(drawn)] / pile.total())]
            tickets = world[player][0]
            return [
                (self._with(world, player, tickets=letters(Counter(tickets + colour))), pile[colour] / pile.total()) for colour in COLOURS
            ]

        self.drawn_since_ring[player] += 1
        self._step(becomes)

    def _pay(self, player, paid):
        if self.forgetful and self.drawn_since_ring[player]:
            self._step(lambda world: [(self._with(world, player, able=True), 1.0)])

        def becomes(world):
            hand, chance = Counter(world[player][0]), 1.0
            for colour in letters(paid):
                chance *= hand[colour] / hand.total()
                hand[colour] -= 1
            return [(self._with(world, player, tickets=letters(hand)), chance)]

        self._step(becomes)

    def _ring(self, group):
        player = self.reference.turn
        self.drawn_since_ring[player] = 0

        def becomes(world):
            able = can_pay(Counter(world[player][0]), group) and (self.forgetful or world[player][1])
            return [(self._with(world, player, able=able), 1.0)]

        self._step(becomes)


def can_pay(hand, group):
    """Whether a hand can pay a group: what is missing is made good by threes that are left over."""
    missing = sum((group - hand).values())
    return missing <= sum(number // 3 for number in (hand - group).values())
