"""What one player can know at a table of Stop Requested: Portland, by listing every world that he cannot rule out.

Slow and obvious: one list of worlds for the cards and one for the tickets (neither tells anything of the other), each world with its
probability, brought forward event by event beside a :class:`portland_reference.Reference` that plays the truth. Only what the observer
sees of an event is used of it. Fit for tiny boards.

What a world's probability is. Chance counts with its probabilities. A player's choices count for nothing, except for what they show: cards
paid are first those that everybody knows him to hold; the others are a random handful of his unknown ones. By the option ``shortfall``
passes are paid only by who has no further card of the type, and passes alone only by who has no card that the route accepts. A skip
shows that nothing could be claimed; a market with too many passes that is replaced, or left, shows how many other cards there are.
"""

from collections import Counter
from itertools import combinations
from math import comb, prod


class TooMany(Exception):
    """More worlds than the limit."""


def rest(cards, fewer):
    """A multiset (sorted pairs) less some cards."""
    counts = Counter(dict(cards))
    counts.subtract(fewer)
    return packed(counts)


def packed(counts):
    return tuple(sorted((kind, count) for kind, count in counts.items() if count))


class Posterior:
    """All worlds of one observer.

    Parameters
    ----------
    reference : Reference
        The truth, at the beginning of the game. It is played by `play`.
    observer : int
    what : {"cards", "tickets"}
        Of which all worlds are listed.
    limit : int
        Most worlds.

    Attributes
    ----------
    cards : dict of (hands, pile) to probability
        `hands`: by player, the cards that the observer does not know him to have; his own are all known. Multisets are sorted tuples of
        pairs.
    known : list of Counter
        By player, the cards that the observer knows him to have.
    tickets : dict of (held, never, returned) to probability
        `held`: by player a frozenset; `never`: a frozenset; `returned`: a tuple, top first.
    """

    def __init__(self, reference, observer, what, limit=20000):
        self.truth = reference
        self.observer = observer
        self.what = what
        self.limit = limit
        n = reference.n
        self.known = [Counter() for _ in range(n)]
        self.cards = {(((),) * n, packed(reference.pile)): 1.0}
        self.tickets = {((frozenset(),) * n, frozenset(reference.never), (), ()): 1.0}

    # --- asking ---

    def hands(self):
        """Distribution of the hands of all players and the pile."""
        result = Counter()
        for (hands, pile), p in self.cards.items():
            whole = tuple(packed(Counter(dict(hand)) + self.known[player]) for player, hand in enumerate(hands))
            result[whole, pile] += p
        return result

    def held(self):
        """Distribution of (tickets of all players, never offered, returned); tickets on offer or not yet chosen of are left out."""
        result = Counter()
        for (held, never, returned, _), p in self.tickets.items():
            result[held, never, returned] += p
        return result

    def true_hands(self):
        return tuple(map(packed, self.truth.hands)), packed(self.truth.pile)

    # --- going on ---

    def play(self, text):
        """Play an event of the truth, and what the observer sees of it."""
        before, truth = self.truth.copy(), self.truth
        truth.apply(text)
        verb, _, name = text.partition(" ")
        if self.what == "tickets":
            if verb == "ticket":
                self._ticket(before, name)
            if sum(map(len, truth.tickets)) > sum(map(len, before.tickets)):
                self._kept(before)
            return
        if verb == "card":
            self._card(before, name)
        elif verb == "take":
            self.known[before.player][name] += 1
        elif verb == "skip":
            self._filter(lambda hands, pile: self._stuck(before, hands))
        if len(truth.owner) > len(before.owner):
            self._paid(before)
        self._market(before)  # a pile that was shuffled anew has not been drawn from yet, so the market's check tells the same before it
        if truth.reshuffles > before.reshuffles:
            self._new_pile()

    def _settle(self, attribute, worlds):
        total = sum(worlds.values())
        assert total > 0, "the observer has ruled out the truth"
        if len(worlds) > self.limit:
            raise TooMany(len(worlds))
        setattr(self, attribute, {world: p / total for world, p in worlds.items() if p})

    def _filter(self, fits):
        self._settle("cards", Counter({(hands, pile): p for (hands, pile), p in self.cards.items() if fits(hands, pile)}))

    def _card(self, before, kind):
        hidden = before.step in ("deal", "blind") and before.player != self.observer
        worlds = Counter()
        for (hands, pile), p in self.cards.items():
            total = sum(count for _, count in pile)
            for drawn, count in pile:
                if hidden:
                    more = list(hands)
                    more[before.player] = packed(Counter(dict(hands[before.player])) + Counter([drawn]))
                    worlds[tuple(more), rest(pile, [drawn])] += p * count / total
                elif drawn == kind:
                    worlds[hands, rest(pile, [drawn])] += p * count / total
        self._settle("cards", worlds)
        if before.step in ("deal", "blind") and before.player == self.observer:
            self.known[self.observer][kind] += 1

    def _paid(self, before):
        player = before.player
        route = next(route for route in self.truth.owner if route not in before.owner)
        wanted = before.board.routes[route][2]
        paid = before.hands[player] - self.truth.hands[player]
        shown = paid & self.known[player]  # known ones first
        self.known[player] -= shown
        others = paid - shown
        worlds = Counter()
        for (hands, pile), p in self.cards.items():
            hand = Counter(dict(hands[player]))
            weight = prod(comb(hand[kind], count) for kind, count in others.items()) / comb(hand.total(), others.total())
            left = hand - others + self.known[player]
            if before.payment == "shortfall" and paid["pass"]:
                kinds = [kind for kind in paid if kind != "pass"]
                if not kinds:
                    kinds = [kind for kind in before.board.types if kind != "pass" and wanted in (kind, "gray")]
                weight *= not any(left[kind] for kind in kinds)
            more = list(hands)
            more[player] = rest(hands[player], others)
            worlds[tuple(more), pile] += p * weight
        self._settle("cards", worlds)

    def _stuck(self, before, hands):
        """Whether the player who skipped could have claimed nothing in this world."""
        game = before.copy()
        game.hands[game.player] = Counter(dict(hands[game.player])) + self.known[game.player]
        return not any(game.claimable(route) for route in game.board.routes)

    # --- the market ---

    def _new_pile(self):
        """The discards, which all have seen, are the pile. With two players the old pile was empty, so the hands are known."""
        worlds = Counter()
        for (hands, _), p in self.cards.items():
            worlds[hands, packed(self.truth.pile)] += p
        if self.truth.n == 2:
            assert len(worlds) == 1
            self.known = [Counter(hand) for hand in self.truth.hands]
            worlds = Counter({(((),) * 2, packed(self.truth.pile)): 1.0})
        self._settle("cards", worlds)

    def _market(self, before):
        """What a market with too many passes shows."""
        truth, board = self.truth, self.truth.board
        reset, left = truth.all_resets > before.all_resets, truth.guarded > before.guarded
        if not (reset or left):
            return
        assert truth.all_resets - before.all_resets + (left and not reset) == 1, "one check an event"
        hidden = board.cards.total() - board.cards["pass"]  # that are no passes
        need = 3

        def others(hands):
            held = sum((Counter(dict(hand)) + known for hand, known in zip(hands, self.known, strict=True)), Counter())
            return hidden - (held.total() - held["pass"])

        self._filter(lambda hands, pile: (others(hands) >= need) == reset)

    # --- tickets ---

    def _ticket(self, before, ticket):
        """`ticket` goes to the player on turn; the observer sees it only if that is he."""
        mine = before.player == self.observer
        worlds = Counter()
        for (held, never, returned, offer), p in self.tickets.items():
            for drawn in never or returned[:1]:
                if not mine or drawn == ticket:
                    there = (never - {drawn}, returned) if never else (never, returned[1:])
                    worlds[held, *there, (*offer, (before.player, drawn))] += p / len(never or returned[:1])
        self._settle("tickets", worlds)

    def _kept(self, before):
        """One player has kept some of the tickets offered to him (at the start each in his turn)."""
        player = before.player
        kept = [ticket for ticket in self.truth.tickets[player] if ticket not in before.tickets[player]]
        worlds = Counter()
        for (held, never, returned, offer), p in self.tickets.items():
            own = [ticket for owner, ticket in offer if owner == player]
            choices = list(combinations(own, len(kept)))
            for chosen in choices:
                if player != self.observer or set(chosen) == set(kept):
                    more = list(held)
                    more[player] = held[player] | set(chosen)
                    back = tuple(ticket for ticket in own if ticket not in chosen)
                    later = tuple(pair for pair in offer if pair[0] != player)
                    worlds[tuple(more), never, returned + back, later] += p / len(choices)
        self._settle("tickets", worlds)
