"""A second Stop Requested: Portland, written from the rules alone: plain lists and texts, slow, nothing shared with the engine.

It exists so that two independent readings of the rules can be compared move by move (see ``lockstep.py``). Everything is a public
attribute. It reads the board file by itself.
"""

import tomllib
from collections import Counter
from copy import copy
from fractions import Fraction
from itertools import combinations
from pathlib import Path

DATA = Path(__file__).parent.parent / "engine/data/portland"


class Board:
    """A board file as plain data. Routes and tickets are known by their texts.

    Attributes
    ----------
    types : list of str
        Ids of the card types in file order, ``pass`` last.
    cards : Counter
    routes : dict of str to (station, station, type, length, points)
    other : dict of str to str
        The other route of a double.
    tickets : dict of str to (station, station, points)
    """

    def __init__(self, board="portland"):
        path = Path(board) if str(board).endswith(".toml") else DATA / f"{board}.toml"
        own = tomllib.loads(path.read_text(encoding="utf-8"))
        data = {}
        for part in own.get("parts", []):
            data.update(tomllib.loads((DATA / f"{part}.toml").read_text(encoding="utf-8")))
        data.update(own)
        self.cards = Counter({kind["id"]: kind["count"] for kind in data["cards"]["types"]})
        self.cards["pass"] = data["cards"]["wild"]["count"]
        self.types = list(self.cards)
        self.trains = {int(players): count for players, count in data["trains"]["players"].items()}
        self.last_round = data["trains"]["last_round"]
        self.one_of_a_double = data["trains"]["one_of_a_double"]
        self.longest_path = data["scoring"]["longest_path"]
        deal = data["deal"]
        self.hand, self.face_up, self.pass_limit = deal["hand"], deal["face_up"], deal["pass_limit"]
        self.start, self.more = ((deal[key]["offered"], deal[key]["keep"]) for key in ("start_tickets", "more_tickets"))
        self.routes, self.other = {}, {}
        entries = data["routes"]["list"]
        for entry in entries:
            ends = {entry["a"], entry["b"]}
            alike = [one for one in entries if {one["a"], one["b"]} == ends and one["type"] == entry["type"]]
            text = f"{written(entry['a'])}--{written(entry['b'])}:{entry['type']}"
            if len(alike) > 1:
                text += f"#{[one is entry for one in alike].index(True) + 1}"
            points = data["scoring"]["routes"][entry["length"] - 1] + entry.get("bonus", 0)
            for there, route in self.routes.items():
                if {route[0], route[1]} == ends:
                    self.other[text], self.other[there] = there, text
            self.routes[text] = (entry["a"], entry["b"], entry["type"], entry["length"], points)
        self.tickets = {}
        for entry in data["tickets"]["list"]:
            self.tickets[f"{written(entry['a'])}>{written(entry['b'])}"] = (entry["a"], entry["b"], entry["points"])


def written(station):
    """A station's name in the notation."""
    return station.replace(" ", "_")


def longest_trail(edges):
    """Length of the longest trail: any walk that uses each edge at most once.

    Parameters
    ----------
    edges : list of (station, station, length)
    """
    best = 0
    near = {}
    for number, (a, b, length) in enumerate(edges):
        near.setdefault(a, []).append((number, b, length))
        near.setdefault(b, []).append((number, a, length))

    def reachable(station, used):
        """Everything that could still be added from here."""
        seen, front, found = {station}, [station], set()
        while front:
            for number, there, _ in near[front.pop()]:
                if number not in used:
                    found.add(number)
                    if there not in seen:
                        seen.add(there)
                        front.append(there)
        return sum(edges[number][2] for number in found)

    def walk(station, used, walked):
        nonlocal best
        best = max(best, walked)
        if walked + reachable(station, used) <= best:
            return
        for number, there, length in near[station]:
            if number not in used:
                used.add(number)
                walk(there, used, walked + length)
                used.remove(number)

    # Odd stations first: where there are any, a longest trail often begins at one, and the bound then cuts the rest short.
    for station in sorted(near, key=lambda name: len(near[name]) % 2 == 0):
        walk(station, set(), 0)
    return best


class Reference:
    """One game of Stop Requested: Portland.

    Parameters
    ----------
    players : int
    board : str
        ``portland`` or a file.
    payment : {"shortfall", "free"}

    Attributes
    ----------
    hands : list of Counter
        By player.
    tickets : list of list of str
        By player, in the order in which they were kept.
    market : list of str
    pile, discards : Counter
    never, returned : list of str
        The ticket deck: those never offered, of unknown order, above those returned, the next one first.
    owner : dict of str to int
        Claimed routes.
    trains, points : list of int
    offer : list of str
        Tickets offered to the player who is to keep some.
    starting : list of list of str
        During the set-up, the tickets offered to each player.
    """

    def __init__(self, players=2, board="portland", payment="shortfall"):
        if payment not in ("shortfall", "free"):
            raise ValueError(payment)
        self.board = board if isinstance(board, Board) else Board(board)
        self.n = players
        self.payment = payment
        self.hands = [Counter() for _ in range(players)]
        self.tickets = [[] for _ in range(players)]
        self.market = []
        self.pile = Counter(self.board.cards)
        self.discards = Counter()
        self.never = list(self.board.tickets)
        self.returned = []
        self.owner = {}
        self.trains = [self.board.trains[players]] * players
        self.points = [0] * players
        self.offer = []
        self.starting = [[] for _ in range(players)]
        self.player = 0
        # "deal", "market", "offer": set-up; "start": keeping then; "turn", "second", "pay", "keep"; "over".
        # Chance within a turn: "blind" (a card for the player), "replace" (after a face-up card), "end" (refill), "offering".
        self.step = "deal"
        self.route = None  # being paid for
        self.second = False  # the card drawn or taken next, or just now, is the turn's second
        self.left = None  # turns left once the last round has begun
        self.skips = 0  # in a row
        self.resets = 0  # since the last decision
        self.claims = None  # what can be claimed, while nothing has happened since it was asked
        # counters, for tests only
        self.turns = self.reshuffles = self.all_resets = self.guarded = self.capped = self.one_card_turns = self.all_skips = 0
        self._go_on()

    def copy(self):
        """The same game; what is done to one does not change the other."""
        made = copy(self)
        for name in ("market", "pile", "discards", "never", "returned", "owner", "trains", "points", "offer"):
            setattr(made, name, copy(getattr(self, name)))
        for name in ("hands", "tickets", "starting"):
            setattr(made, name, [copy(part) for part in getattr(self, name)])
        return made

    # ------------------------------------------------------------------------------------------------ who, what

    def current_player(self):
        """Player to decide; -1 at a chance event, -4 at the end."""
        if self.step == "over":
            return -4
        return self.player if self.step in ("start", "turn", "second", "pay", "keep") else -1

    def chance(self):
        """Texts of the possible chance events with their probabilities; empty where nothing is random."""
        if self.step in ("offer", "offering"):
            if self.never:
                return {f"ticket {ticket}": 1 / len(self.never) for ticket in self.never}
            return {f"ticket {self.returned[0]}": 1.0}
        if self.step in ("deal", "market", "blind", "replace", "end"):
            total = self.pile.total()
            return {f"card {kind}": count / total for kind, count in self.pile.items() if count}
        return {}

    def legal(self):
        """Texts of the legal decisions; empty at a chance event and at the end."""
        if self.step == "turn":
            if self.claims is None:  # asked for the first time here
                self.claims = {f"claim {route}" for route in self.board.routes if self.claimable(route)}
            texts = {f"take {kind}" for kind in self.market} | self.claims
            if self._cards_to_draw():
                texts.add("draw")
            if self.never or self.returned:
                texts.add("tickets")
            return texts or {"skip"}
        if self.step == "second":
            texts = {f"take {kind}" for kind in self.market if kind != "pass"}
            return texts | {"draw"} if self._cards_to_draw() else texts
        if self.step == "pay":
            return set(self.ways(self.route))
        if self.step in ("start", "keep"):
            least = (self.board.start if self.step == "start" else self.board.more)[1]
            sizes = range(min(least, len(self.offer)), len(self.offer) + 1)
            return {"keep " + " ".join(kept) for size in sizes for kept in combinations(self.offer, size)}
        return set()

    def _cards_to_draw(self):
        return self.pile.total() + self.discards.total() > 0

    def is_open(self, route):
        """Whether the player on turn may claim a route, cards and trains aside."""
        other = self.owner.get(self.board.other.get(route))
        if route in self.owner or other == self.player:
            return False
        return other is None or self.n > self.board.one_of_a_double

    def claimable(self, route):
        length = self.board.routes[route][3]
        most = self.hands[self.player].total()  # only to be quick
        return length <= self.trains[self.player] and length <= most and self.is_open(route) and bool(self.ways(route))

    def ways(self, route):
        """Ways for the player on turn to pay: text to the cards paid."""
        _, _, wanted, length, _ = self.board.routes[route]
        hand = self.hands[self.player]
        accepted = [kind for kind in hand if hand[kind] and kind != "pass" and wanted in (kind, "gray")]
        ways = {}
        for kind in accepted:
            for passes in range(length):
                own = length - passes
                possible = hand[kind] >= own and hand["pass"] >= passes
                if possible and (self.payment == "free" or passes == max(0, length - hand[kind])):
                    ways[f"pay {kind}+{passes}"] = Counter({kind: own, "pass": passes})
        if hand["pass"] >= length and (self.payment == "free" or not accepted):
            ways["pay pass"] = Counter({"pass": length})
        return ways

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
        if self.current_player() >= 0:
            self.resets = 0
        if verb not in ("skip", "card", "ticket"):
            self.skips = 0
        self.claims = None
        getattr(self, f"_{verb}")(rest)
        self._go_on()

    def _card(self, kind):
        self.pile[kind] -= 1
        if self.step == "deal":
            self.hands[self.player][kind] += 1
            if self.hands[self.player].total() == self.board.hand:
                self.player += 1
        elif self.step == "blind":
            self.hands[self.player][kind] += 1
            self._drawn()
        else:
            self.market.append(kind)

    def _ticket(self, ticket):
        if self.never:
            self.never.remove(ticket)
        else:
            self.returned.remove(ticket)
        if self.step == "offer":
            self.starting[self.player].append(ticket)
            if len(self.starting[self.player]) == self.board.start[0]:
                self.player += 1
        else:
            self.offer.append(ticket)

    def _keep(self, kept):
        kept = kept.split(" ")
        self.tickets[self.player] += kept
        self.returned += [ticket for ticket in self.offer if ticket not in kept]
        self.offer = []
        if self.step == "start":
            self.player += 1
        else:
            self.step = "end"

    def _take(self, kind):
        self.market.remove(kind)
        self.hands[self.player][kind] += 1
        self.second = self.second or kind == "pass"  # a face-up pass is the turn's only card
        self.step = "replace"

    def _draw(self, _):
        self.step = "blind"

    def _drawn(self):
        """A card has been added to the hand (and replaced in the market)."""
        self.step = "end" if self.second else "second"
        self.second = True

    def _tickets(self, _):
        self.offering = min(self.board.more[0], len(self.never) + len(self.returned))
        self.step = "offering"

    def _claim(self, route):
        self.route = route
        self.step = "pay"

    def _pay(self, way):
        cards = self.ways(self.route)[f"pay {way}"]
        _, _, _, length, points = self.board.routes[self.route]
        self.hands[self.player] -= cards
        self.discards += cards
        self.owner[self.route] = self.player
        self.trains[self.player] -= length
        self.points[self.player] += points
        self.route = None
        self.step = "end"

    def _skip(self, _):
        self.skips += 1
        self.all_skips += 1
        self.step = "over" if self.skips == self.n else "end"

    # ------------------------------------------------------------------------------------------------ what happens by itself

    def _go_on(self):
        """Go on to the next decision or chance event."""
        while self._one_step():
            pass

    def _one_step(self):
        """Do one thing that needs no decision and no luck; False if there is none."""
        step = self.step
        if step == "deal":
            if self.player < self.n:
                return self._shuffle_if_empty()
            self.player, self.step = 0, "market"
        elif step == "market":
            if self._market_settled():
                self.step = "offer"
                return True
            return self._shuffle_if_empty()
        elif step == "offer":
            if self.player < self.n:
                return False
            self.player, self.step = 0, "start"
        elif step == "start":
            if self.player == self.n:
                self.player, self.step = 0, "turn"
            elif not self.offer:
                self.offer = list(self.starting[self.player])
            elif len(self.offer) == 1:
                self._keep(self.offer[0])
            else:
                return False
        elif step == "blind":
            return self._shuffle_if_empty()
        elif step == "replace":
            if not self._market_settled():
                return self._shuffle_if_empty()
            self._drawn()
        elif step == "second":
            if self.legal():
                return False
            self.one_card_turns += 1
            self.step = "end"
        elif step == "pay":
            ways = list(self.ways(self.route))
            if len(ways) > 1:
                return False
            self._pay(ways[0].removeprefix("pay "))
        elif step == "offering":
            if len(self.offer) < self.offering:
                return False
            self.step = "keep"
        elif step == "keep":
            if len(self.offer) > 1:
                return False
            self._keep(self.offer[0])
        elif step == "end":
            if not self._market_settled():
                return self._shuffle_if_empty()
            self._end_turn()
        else:
            return False
        return True

    def _shuffle_if_empty(self):
        """The discards become the pile when a card is needed and none is there."""
        if self.pile.total():
            return False
        assert self.discards.total(), "a card is needed and there is none"
        self.pile, self.discards = self.discards, Counter()
        self.reshuffles += 1
        return True

    def _market_settled(self):
        """Whether the market needs no card; discards it if it has to be replaced."""
        if len(self.market) < self.board.face_up and self._cards_to_draw():
            return False
        if self.market.count("pass") < self.board.pass_limit:
            return True
        everything = Counter(self.market) + self.pile + self.discards
        others = everything.total() - everything["pass"]
        if others < 3:
            self.guarded += 1
            return True
        if self.resets == 10:
            self.capped += 1
            return True
        self.discards.update(self.market)
        self.market = []
        self.resets += 1
        self.all_resets += 1
        return False

    def _end_turn(self):
        self.turns += 1
        if self.left is not None:
            self.left -= 1
        elif self.trains[self.player] <= self.board.last_round:
            self.left = self.n
        self.second = False
        self.player = (self.player + 1) % self.n
        self.step = "over" if self.left == 0 else "turn"

    # ------------------------------------------------------------------------------------------------ results

    def network(self, player):
        """The player's routes as (station, station, length)."""
        return [(*self.board.routes[route][:2], self.board.routes[route][3]) for route, owner in self.owner.items() if owner == player]

    def connected(self, player, a, b):
        reached, front = {a}, [a]
        while front:
            station = front.pop()
            for start, end, _ in self.network(player):
                for there in ({start, end} - {station}) if station in (start, end) else ():
                    if there not in reached:
                        reached.add(there)
                        front.append(there)
        return b in reached

    def completed(self, player):
        """How many of his tickets a player has completed."""
        return sum(self.connected(player, *self.board.tickets[ticket][:2]) for ticket in self.tickets[player])

    def trails(self):
        return [longest_trail(self.network(player)) for player in range(self.n)]

    def scores(self):
        """Points so far, by player; at the end with tickets and the longest path."""
        scores = list(self.points)
        if self.step == "over":
            trails = self.trails()
            for player in range(self.n):
                for ticket in self.tickets[player]:
                    a, b, points = self.board.tickets[ticket]
                    scores[player] += points if self.connected(player, a, b) else -points
                if trails[player] == max(trails):
                    scores[player] += self.board.longest_path
        return scores

    def returns(self):
        """+1 for the first, -1 for the last, evenly spaced; those who tie share the mean."""
        trails = self.trails()
        scores = self.scores()
        keys = [(scores[player], self.completed(player), trails[player] == max(trails)) for player in range(self.n)]
        order = sorted(keys, reverse=True)
        values = [1 - Fraction(2 * place, self.n - 1) for place in range(self.n)]
        return [float(sum(values[place] for place in range(self.n) if order[place] == key) / order.count(key)) for key in keys]

    def facts(self):
        """Where everything is, as plain data; what has no order is sorted."""
        return {
            "hands": [sorted(hand.elements()) for hand in self.hands],
            "market": sorted(self.market),
            "pile": sorted(self.pile.elements()),
            "discards": sorted(self.discards.elements()),
            "tickets": [sorted(tickets) for tickets in self.tickets],
            "never": sorted(self.never),
            "returned": list(self.returned),
            "owner": dict(sorted(self.owner.items())),
            "trains": list(self.trains),
        }

    # ------------------------------------------------------------------------------------------------ checks

    def conserved(self):
        """Check what holds in every position.

        Raises
        ------
        AssertionError
            Naming what is broken.
        """

        def check(holds, what):
            if not holds:
                raise AssertionError(f"{what}: {self!r}")

        board = self.board
        cards = self.pile + self.discards + Counter(self.market) + sum(self.hands, Counter())
        check(cards == +board.cards, "every card is in exactly one place")
        starting = [ticket for player in range(self.n) for ticket in self.starting[player] if self._yet_to_keep(player)]
        tickets = [ticket for kept in self.tickets for ticket in kept] + self.never + self.returned + starting
        tickets += self.offer if self.step != "start" else []
        check(sorted(tickets) == sorted(board.tickets), "every ticket is in exactly one place")
        check(all(count >= 0 for hand in self.hands for count in hand.values()), "no hand has less than no card")
        check(len(self.market) <= board.face_up, "a full market at most")
        for player in range(self.n):
            used = sum(length for _, _, length in self.network(player))
            check(self.trains[player] == board.trains[self.n] - used >= 0, "a train on every space claimed")
            routes = [route for route, owner in self.owner.items() if owner == player]
            check(self.points[player] == sum(board.routes[route][4] for route in routes), "points of the routes")
            check(not any(board.other.get(route) in routes for route in routes), "nobody has both routes of a double")
            if self.step in ("turn", "second", "pay", "keep", "over"):
                check(len(self.tickets[player]) >= board.start[1], "kept at the start")
        if self.n <= board.one_of_a_double:
            check(not any(board.other.get(route) in self.owner for route in self.owner), "one route of a double")
        if self.step == "turn":
            check(len(self.market) == board.face_up or not self._cards_to_draw(), "the market is full while there are cards")
            check((self.left is None) == all(trains > board.last_round for trains in self.trains), "the last round has begun or not")
        if self.current_player() == -1 and self.step not in ("offer", "offering"):
            check(self.pile.total() > 0, "the pile is never empty when a card is needed")
        check(self.turns < 1000, "a game ends")

    def _yet_to_keep(self, player):
        if self.step in ("deal", "market", "offer"):
            return True
        return self.step == "start" and player >= self.player

    def __repr__(self):
        return (
            f"<{self.step} of {self.player}, {self.n} players; hands {self.hands}; market {self.market}; pile {dict(+self.pile)}; "
            f"discards {dict(self.discards)}; tickets {self.tickets}, never {self.never}, returned {self.returned}, offer {self.offer}; "
            f"owner {self.owner}; trains {self.trains}; left {self.left}>"
        )
