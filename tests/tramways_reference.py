"""A second Tramways, written from the rules alone: counters, lists and dicts, slow, nothing shared with the engine.

It exists so that two independent readings of the rules can be compared move by move (see ``lockstep.py``). The course of the game is
one generator that stops wherever something has to be decided or drawn, so the code reads in the order in which things happen. A decision
with one possible answer is made at once. A test may set up any position at the beginning of an action with :meth:`Reference.from_parts`.
"""

from collections import Counter

from tramways_actions import Actions, Link
from tramways_city import EXPANSION_TILES, FILE, TILES, TYPES, City, parsed, read_data, written


class Reference(Actions):
    """One game of Tramways.

    Parameters
    ----------
    players : int
    expansions : str
        ``full``, ``base``, or names joined by ``+``.
    data : str, optional
        Path of a data file.

    Attributes
    ----------
    city : City
    coins, hp, stress, workers, rails : lists of int by player
        `rails`: tiles left.
    hands, decks, pools : lists of Counter by player
        Cards by kind.
    out : Counter
        Cards out of the game.
    owner : dict of str to int
        Of each parcel that has one.
    built : dict of str to [type, places]
        Buildings on parcels.
    passengers : dict of str to int
    supply : int
    links : list of Link
    stock : Counter
        Building cards and development cards that can be had.
    reserve : Counter
        Auction cards that nobody has seen.
    offer : list of str
        Auction cards to be taken.
    arrivals, type_tiles : list of str, Counter
        Types of the rounds, and tiles not drawn.
    round, order : int, list of int
    """

    def __init__(self, players=2, expansions="full", data=FILE):
        self.file, self.data = data, read_data(str(data))
        self.players = players
        names = {"full": list(EXPANSION_TILES), "base": []}.get(expansions, expansions.split("+"))
        self.tiles_in_play = [tile for tile in TILES for name in names if tile in EXPANSION_TILES[name]]
        self.station = "station" in names
        self.setup = self.data["setup"][str(players)]
        start = self.data["start"]
        self.coins = [start["money"]] * players
        self.workers = [start["workers"]] * players
        self.rails = [start["rails"]] * players
        self.hp = [0] * players
        self.stress = [0] * players
        self.hands = [Counter(self.data.families["starters"]) for _ in range(players)]
        self.decks = [Counter() for _ in range(players)]
        self.pools = [Counter() for _ in range(players)]
        self.out = Counter()
        self.owner, self.built, self.passengers, self.links = {}, {}, {}, []
        self.supply = start["passengers"]
        self.stock = Counter({f"b{letter}": self.setup["buildings"] for letter in TYPES})
        self.stock.update(dict.fromkeys(self.data.families["development"], self.setup["development"]))
        self.reserve = self.data.copies("auction")
        self.offer = []
        self.arrivals = []
        self.type_tiles = Counter(dict.fromkeys(TYPES, self.data["course"]["arrivals"]))
        self.round = 0
        self.order = []
        self.city = City(self.data, self.setup["layout"], [])
        self.over = False
        self.events = Counter()  # what has happened, for tests only
        self._start(self._whole_game())

    @classmethod
    def from_parts(cls, players=2, *, boards, tiles=None, **parts):
        """A game in a given position, at the beginning of an action.

        Parameters
        ----------
        players : int
        boards : list of (str, int)
            Letter and quarter turns, row by row.
        tiles : dict of str to list of squares, optional
        **parts
            `expansions`, `data`; `links`: list of (ends, owner, squares) or (ends, owner, squares, True); any attribute by name. Hands,
            decks and pools are lists of texts with spaces; players left out have none. `turn`: (player, 0 or 1, left): who is to act, in
            the first or second part of the actions, and how many actions in a row he has left; the first player's first if left out.
        """
        given = {name: parts.pop(name) for name in ("expansions", "data") if name in parts}
        game = cls(players, **given)
        game.round, game.order = 1, list(range(players))
        game.city = City(game.data, game.setup["layout"], boards, tiles)
        if "S" in (tiles or {}):
            game._add_station_cards()
            game.supply += game.data["expansions"]["station"]["passengers"]
        for name in ("hands", "decks", "pools"):
            setattr(game, name, [Counter(text.split()) for text in parts.pop(name, [])])
            getattr(game, name).extend(Counter() for _ in range(players - len(getattr(game, name))))
        for ends, owner, squares, *upgraded in parts.pop("links", []):
            squares = [parsed(square) for square in squares.split()]
            game.links.append(Link(game.in_order(*ends.split("-")), owner, squares, bool(upgraded)))
            game.rails[owner] -= len(squares)
        game.passengers = dict.fromkeys(game.city.terminals, 0)
        game.passengers.update(parts.pop("passengers", {}))
        game.supply = parts.pop("supply", game.supply - sum(game.passengers.values()))
        game.arrivals = list("RCLIR")
        turn = parts.pop("turn", None)
        for name, part in parts.items():
            if not hasattr(game, name):
                raise TypeError(f"no such part: {name}")
            setattr(game, name, part)
        game.began = turn or (game.order[0], 0, 1)
        game._start(game._rest_of_game(*game.began))
        return game

    # ------------------------------------------------------------------------------------------------ the outside

    def _start(self, course):
        self._course = course
        self._player, self._options = next(course)

    def current_player(self):
        """Player to decide; -1 at a chance event, -4 at the end."""
        return self._player

    def legal(self):
        """Texts of the legal decisions; empty at a chance event and at the end."""
        return set(self._options) if self._player >= 0 else set()

    def chance(self):
        """Texts of the possible chance events with their probabilities; empty where nothing is random."""
        return dict(self._options) if self._player == -1 else {}

    def apply(self, text):
        """Carry out a decision or chance event, and everything that follows of itself."""
        assert text in self._options, f"{text} is not possible; possible: {sorted(self._options)}"
        self._player, self._options = self._course.send(text)

    def _decide(self, player, options):
        """A decision: the text chosen. With one possible answer nobody is asked."""
        options = list(options)
        assert options, "a decision without an answer"
        if len(options) == 1:
            return options[0]
        return (yield player, options)

    @staticmethod
    def _draw(counter, verb):
        """A chance event that takes one thing from a Counter: the thing."""
        total = counter.total()
        text = yield -1, {f"{verb} {thing}": count / total for thing, count in counter.items() if count}
        thing = text.split()[1]
        counter[thing] -= 1
        return thing

    # ------------------------------------------------------------------------------------------------ the course of the game

    def _whole_game(self):
        yield from self._build_city()
        yield from self._deal()
        self.round = 1
        yield from self._rounds()
        yield -4, []

    def _rest_of_game(self, player, part, left):
        """From an action of a player to the end."""
        in_a_row = self.data["course"]["actions"]
        turns = [player] * left + [other for other in self.order[self.order.index(player) + 1 :] for _ in range(in_a_row[part])]
        if part == 0:
            turns += [other for other in self.order for _ in range(in_a_row[1])]
        for other in turns:
            yield from self._action(other)
        if (yield from self._end_of_round()):
            yield from self._rounds()
        yield -4, []

    def _build_city(self):
        rows, columns = self.setup["layout"]
        boards = []
        for _ in range(rows * columns):
            left = [letter for letter in self.data["boards"] if letter not in [board for board, _ in boards]]
            text = yield -1, {f"board {letter}.{turns}": 1 / (4 * len(left)) for letter in left for turns in range(4)}
            letter, turns = text.split()[1].split(".")
            boards.append((letter, int(turns)))
            self.city = City(self.data, self.setup["layout"], boards)
        for tile in self.tiles_in_play:
            places = self.city.places(tile) if tile != "W" or "V" in self.city.tiles else {}
            if places:
                text = yield -1, dict.fromkeys(places, 1 / len(places))
                self.city.add_tile(tile, places[text])
        self.passengers = dict.fromkeys(self.city.terminals, 0)
        for name, squares in self.city.terminals.items():
            if name in self.city.printed:
                self._settle(name, len(squares))
        if "S" in self.city.tiles:
            self._add_station_cards()
            self.supply += self.data["expansions"]["station"]["passengers"]
            self._settle("S", self.data["expansions"]["station"]["passengers"])

    def _add_station_cards(self):
        self.stock["bS"] = self.setup["stations"]

    def _deal(self):
        parcels = Counter(self.city.parcels())
        for player in range(self.players):
            for _ in range(self.data["hand"]["parcels"]):
                parcel = yield from self._draw(parcels, "parcel")
                self.hands[player][parcel] += 1
                self.owner[parcel] = player
        unplaced, self.order = Counter(map(str, range(self.players))), []
        while unplaced.total() > 1:
            self.order.append(int((yield from self._draw(unplaced, "order"))))
        self.order += map(int, unplaced.elements())
        for _ in range(self.data["course"]["rounds"] - 1):
            self.arrivals.append((yield from self._draw(self.type_tiles, "arrivals")))

    def _rounds(self):
        """Rounds until the end."""
        course = self.data["course"]
        while True:
            if self.round <= course["auction_rounds"]:
                while len(self.offer) < self.setup["offer"]:
                    self.offer.append((yield from self._draw(self.reserve, "reveal")))
            if self.players > 1:
                yield from self._auction()
            self._add_stress(self.order[0], course["first_stress"][self.round - 1])
            for player in self.order if self.round <= course["auction_rounds"] else []:
                card = (yield from self._decide(player, sorted({f"take {card}" for card in self.offer}))).split()[1]
                self.offer.remove(card)
                self.hands[player][card] += 1
            self.out.update(self.offer)
            self.offer = []
            for in_a_row in course["actions"]:
                for player in self.order:
                    for _ in range(in_a_row):
                        yield from self._action(player)
            if not (yield from self._end_of_round()):
                return

    # ------------------------------------------------------------------------------------------------ auction

    def _auction(self):
        places = [None] * self.players
        folded, high, bidder = [], 0, None
        turn = 0
        while len(folded) < self.players - (bidder is not None):
            player = self.order[turn % self.players]
            turn += 1
            if player in folded or player == bidder:
                continue
            purse = self.coins[player] + sum(self.data.worth(kind, "m") * count for kind, count in self.hands[player].items())
            bids = [f"bid {bid}" for bid in range(high + 1, min(purse, self.data["auction"]["highest"]) + 1)]
            text = yield from self._decide(player, [*bids, "fold"])
            if text == "fold":
                folded.append(player)
                places[self.players - len(folded)] = player
            else:
                high, bidder = int(text.split()[1]), player
                self.events["bid"] += 1
                yield from self._pay_bid(player, high)
        if bidder is not None:
            places[0] = bidder
            self.order = places

    def _pay_bid(self, player, bid):
        rest = max(0, bid - self.coins[player])
        self.coins[player] -= bid - rest
        if rest:
            self.events["bid with cards"] += 1
            ways = [kinds for kinds in self._some(player, lambda kind: self.data.worth(kind, "m")) if self._just_enough(kinds, rest)]
            yield from self._pay(player, dict.fromkeys(ways, 0))

    def _just_enough(self, kinds, rest):
        """Whether the money of the cards is enough, and without any of them would not be."""
        values = [self.data.worth(kind, "m") for kind in kinds]
        return sum(values) >= rest and all(sum(values) - value < rest for value in values)

    def _some(self, player, wanted):
        """All ways to choose one or more cards of the hand of kinds that are `wanted`: sorted tuples."""
        ways = [()]
        for kind in self.data.kinds:
            if wanted(kind):
                ways = [(*way, *[kind] * count) for way in ways for count in range(self.hands[player][kind] + 1)]
        return [way for way in ways if way]

    # ------------------------------------------------------------------------------------------------ the end of a round

    def _end_of_round(self):
        """Whether another round follows."""
        terms = self.data["stress"]
        for player in range(self.players):
            if self.stress[player] >= terms["high"]:
                self.hp[player] = max(0, self.hp[player] + terms["high_hp"])
                self.events["high stress"] += 1
        if self.round == self.data["course"]["rounds"]:
            self.over = True
            return False
        self._arrive(self.arrivals[self.round - 1])
        for player in self.order:
            yield from self._discards(player)
        for player in self.order:
            yield from self._refill(player)
        self.round += 1
        return True

    def _arrive(self, letter):
        for name in ["S"] * ("S" in self.city.tiles) + [name for name in self.city.terminals if self.type_of(name) == letter]:
            self._settle(name, self.capacity(name) - self.passengers[name])

    def _discards(self, player):
        terms, free = self.data["administration"], self.data["course"]["free_discards"]
        first = 0
        choices = [("trash", self.hands[player], kind) for kind in self.data.kinds]
        choices += [("purge", self.pools[player], kind) for kind in self.data.kinds]
        for number in range(terms["most"]):
            options = {}
            if number < free or self.coins[player] >= terms["fee"]:
                options = {f"{verb} {kind}": place for place, (verb, pile, kind) in enumerate(choices) if place >= first and pile[kind]}
            text = yield from self._decide(player, [*options, "done"])
            if text == "done":
                return
            first = options[text]
            _, pile, kind = choices[first]
            pile[kind] -= 1
            self.out[kind] += 1
            self.coins[player] -= terms["fee"] if number >= free else 0
            self.events["discard"] += 1

    def _refill(self, player):
        while self.hands[player].total() < self.data["hand"]["limit"]:
            if not self.decks[player].total():
                self.decks[player], self.pools[player] = self.pools[player], Counter()
            if not self.decks[player].total():
                return
            self.hands[player][(yield from self._draw(self.decks[player], "draw"))] += 1

    # ------------------------------------------------------------------------------------------------ results

    def scores(self):
        """HP so far, by player; at the end the final scores."""
        penalty = self.data["stress"]["penalty"]
        return [hp - penalty[stress] if self.over else hp for hp, stress in zip(self.hp, self.stress, strict=True)]

    def ranking(self):
        """Players from first to last."""
        scores = self.scores()
        return sorted(range(self.players), key=lambda p: (-scores[p], self.stress[p], -self.coins[p], self.order.index(p)))

    def returns(self):
        """+1 for the first, -1 for the last, evenly spaced between; solo the score itself."""
        if self.players == 1:
            return [float(self.scores()[0])]
        ranking = self.ranking()
        return [1 - 2 * ranking.index(player) / (self.players - 1) for player in range(self.players)]

    # ------------------------------------------------------------------------------------------------ checks

    def all_cards(self):
        """Every card on the table, counted by kind."""
        return sum([*self.hands, *self.decks, *self.pools, Counter(self.offer)], self.out + self.stock + self.reserve)

    def facts(self):
        """Where everything is, as plain data; what has no order of its own is sorted. During the set-up as much as there is of it."""
        found = {
            "boards": [f"{letter}.{turns}" for letter, turns in self.city.boards],
            "tiles": {tile: [written(square) for square in squares] for tile, squares in self.city.tiles.items()},
            "owner": dict(sorted(self.owner.items())),
        }
        if self.passengers:
            found |= {"passengers": {name: number for name, number in self.passengers.items() if number}, "supply": self.supply}
        if len(self.order) == self.players:
            found |= {"order": list(self.order), "arrivals": list(self.arrivals)}
        if not self.round:
            return found
        return found | {
            "round": self.round,
            **{name: list(getattr(self, name)) for name in ("coins", "hp", "stress", "workers", "rails")},
            **{name: [sorted(cards.elements()) for cards in getattr(self, name)] for name in ("hands", "decks", "pools")},
            "links": sorted(["-".join(link.ends), link.owner, sorted(map(written, link.squares)), link.upgraded] for link in self.links),
            "built": {name: list(building) for name, building in sorted(self.built.items())},
            "stock": {kind: number for kind, number in sorted(self.stock.items()) if number},
            "offer": sorted(self.offer),
            "out": sorted(self.out.elements()),
        }

    def conserved(self):
        """Check what holds in every position.

        Raises
        ------
        AssertionError
            Naming what is broken.
        """

        def check(holds, what):
            if not holds:
                raise AssertionError(f"{what}: {self.facts()}")

        piles = [*self.hands, *self.decks, *self.pools, self.out, self.stock, self.reserve, self.passengers]
        check(all(number >= 0 for pile in piles for number in pile.values()), "nothing is negative")
        if self.arrivals:  # after the deal
            self._cards = getattr(self, "_cards", None) or self.all_cards()
            check(self.all_cards() == self._cards, "all cards, each in one place")
            check(sorted(self.order) == list(range(self.players)), "everybody has a place in the order")
            passengers = self.data["start"]["passengers"] + self.data["expansions"]["station"]["passengers"] * ("S" in self.city.tiles)
            check(self.supply + sum(self.passengers.values()) == passengers, "all passengers")
        check(all(number <= self.capacity(name) for name, number in self.passengers.items()), "a place for everybody")
        for player in range(self.players):
            laid = [square for link in self.links if link.owner == player for square in link.squares]
            check(self.rails[player] + len(laid) == self.data["start"]["rails"], "all rail tiles")
            check(min(self.coins[player], self.workers[player], self.hp[player], self.rails[player]) >= 0, "nothing is owed")
            check(0 <= self.stress[player] <= self.data["stress"]["most"], "stress on its track")
        squares = [square for link in self.links for square in link.squares]
        check(len(squares) == len(set(squares)) and not set(squares) & self.city.taken, "a square for each tile")
        check(len({(link.ends, link.owner) for link in self.links}) == len(self.links), "one link of each owner between two ends")

    def __repr__(self):
        return f"<round {self.round}; {self.facts()}>"
