"""The ten kinds of actions of Tramways, for the reference: what can be done and paid (`_can_...`), and doing it, decision by decision."""

from collections import Counter
from dataclasses import dataclass

from tramways_city import TYPES, around, parsed, written
from tramways_payments import ANY_TWO, most_rails, payments
from tramways_trips import Trip, can_end, can_stop, rides

KINDS_OF_ACTION = ["build", "upgrade", "construct", "extend", "move", "add", "money", "worker", "calm", "pass"]


@dataclass
class Link:
    """A finished link; `ends` in terminal order."""

    ends: tuple
    owner: int
    squares: list
    upgraded: bool = False


class Actions:
    """The part of ``tramways_reference.Reference`` that is about actions; it has the attributes described there."""

    def _action(self, player):
        self._player_on_turn = player
        possible = {kind: option for kind in KINDS_OF_ACTION if (option := getattr(self, f"_can_{kind}")(player))}
        text = yield from self._decide(player, possible)
        self.events[text] += 1
        yield from getattr(self, f"_{text}")(player, possible[text])

    def _room(self, player):
        """How much stress a player can still take."""
        return self.data["stress"]["most"] - self.stress[player]

    def _add_stress(self, player, amount):
        self.stress[player] = min(max(0, self.stress[player] + amount), self.data["stress"]["most"])

    def _pays(self, player, price):
        """The payments of a price that a player can make."""
        return payments(self.data, self.hands[player], price, self._room(player))

    def _payable(self, player, price):
        return any(most_rails(self.data, self.hands[player], needs, self._room(player)) >= rails for rails, needs in price)

    def _pay(self, player, ways):
        """Name the cards of one of several payments (sorted tuples of kinds with their stress); it is made at once."""
        named = ()
        while True:
            begun = [way for way in ways if way[: len(named)] == named]
            options = list(dict.fromkeys(f"pay {way[len(named)]}" for way in begun if len(way) > len(named)))
            if not options:
                break
            if named in begun:
                options.append("done")
            text = yield from self._decide(player, options)
            if text == "done":
                break
            named += (text.split()[1],)
        self.hands[player] -= Counter(named)
        self.pools[player] += Counter(named)
        self._add_stress(player, ways[named])
        self.events["stress"] += ways[named]
        return named

    # --- terminals and links

    def is_empty_parcel(self, terminal):
        return terminal[1:].isdigit() and terminal not in self.built

    def type_of(self, terminal):
        """The icon that a terminal is delivered to with; None if it has none (X, K, V, W, F, empty parcels)."""
        if terminal in self.built:
            return self.built[terminal][0]
        return "S" if terminal == "S" else self.city.printed.get(terminal)

    def capacity(self, terminal):
        """Places for passengers."""
        if terminal in self.built:
            return self.built[terminal][1]
        if terminal == "S":
            return self.data["expansions"]["station"]["passengers"]
        return len(self.city.terminals[terminal]) if terminal in self.city.printed else 0

    def in_order(self, one, other):
        names = list(self.city.terminals)
        return (one, other) if names.index(one) < names.index(other) else (other, one)

    def _link_price(self, ends, rails, first=()):
        """Price of a link between two ends: `first` (sets of icons), rails and the icons of G3."""
        if "F" in ends:
            return [(rails, [*first, *ANY_TWO]), (rails, [*first, {"F"}])]
        icons = {f"lot {end}" if self.is_empty_parcel(end) else self.type_of(end) for end in ends} - {None}
        return [(rails, [*first, icons])] if icons else []

    def _settle(self, terminal, most):
        """Passengers from the supply to a terminal, `most` at most."""
        number = min(most, self.supply)
        self.passengers[terminal] += number
        self.supply -= number

    # --- build

    def _ends(self, player):
        """Terminals at which a player's link may end, in order."""
        return [name for name in self.city.terminals if not self.is_empty_parcel(name) or self.owner.get(name) == player]

    def _can_build(self, player):
        """Pairs of ends between which a link can be built and paid: -> most rails that can be paid."""
        if self.workers[player] < self.data["links"]["workers"]:
            return {}
        ends, pairs = self._ends(player), {}
        mine = {link.ends for link in self.links if link.owner == player}
        budgets = {}
        for number, one in enumerate(ends):
            for other in ends[number + 1 :]:
                price = self._link_price((one, other), 0)
                key = repr([sorted(map(sorted, needs)) for _, needs in price])
                if key not in budgets:
                    hand, room = self.hands[player], self._room(player)
                    budgets[key] = max((most_rails(self.data, hand, needs, room) for _, needs in price), default=-1)
                if (one, other) not in mine and budgets[key] > 0:
                    pairs[one, other] = budgets[key]
        track = set(self.city.ground) - self.city.taken - {square for link in self.links for square in link.squares}
        most = min(self.data["track"]["longest"], self.rails[player])
        found = {}
        for one in ends:
            others = {other: rails for (first, other), rails in pairs.items() if first == one}
            if others:
                reach = self._cheapest(self.city.beside(one), track, most)
                for other, rails in others.items():
                    if min((reach[square] for square in self.city.beside(other) if square in reach), default=rails + 1) <= rails:
                        found[one, other] = rails
        return found

    def _tile_cost(self, square):
        return self.data["track"][{".": "empty", "~": "water", "^": "mountain"}[self.city.ground[square]]]

    def _cheapest(self, starts, track, most):
        """The fewest rails for a path over `track` of at most `most` tiles from one of `starts` to each square, both counted.

        A path that takes the fewest rails never needs a square twice, so nothing has to see to that here.
        """
        best, edge = {}, {square: self._tile_cost(square) for square in starts if square in track}
        for _ in range(most):
            best |= edge
            further = {}
            for square, cost in edge.items():
                for beyond in around(square):
                    if beyond in track:
                        total = cost + self._tile_cost(beyond)
                        if total < min(best.get(beyond, 99), further.get(beyond, 99)):
                            further[beyond] = total
            edge = further
        return best

    def _build(self, player, pairs):
        ends = yield from self._choose_pair(player, pairs)
        rails = pairs[ends]
        goal = self.city.beside(ends[1])
        path, near = [], self.city.beside(ends[0])
        while True:
            laid = {square for link in self.links for square in link.squares} | set(path)
            track = set(self.city.ground) - self.city.taken - laid
            most = min(self.data["track"]["longest"], self.rails[player]) - len(path)
            left = rails - sum(map(self._tile_cost, path))
            options = []
            for square in near:
                if square in track and most:
                    reach = self._cheapest([square], track, most)
                    if min((reach[end] for end in goal if end in reach), default=left + 1) <= left:
                        options.append(f"lay {written(square)}")
            if path and path[-1] in goal:
                options.append("join")
            text = yield from self._decide(player, options)
            if text == "join":
                break
            path.append(parsed(text.split()[1]))
            near = around(path[-1])
        yield from self._pay(player, self._pays(player, self._link_price(ends, sum(map(self._tile_cost, path)))))
        first_to_station = "S" in ends and not any("S" in link.ends for link in self.links if link.owner == player)
        self.workers[player] -= self.data["links"]["workers"]
        self.rails[player] -= len(path)
        self.links.append(Link(ends, player, path))
        if first_to_station and self.stock["bS"]:
            self._take_card(player, "bS")
            self.events["station card"] += 1

    def _choose_pair(self, player, pairs):
        """`from` and `to`: one of several pairs of ends."""
        one = yield from self._choose(player, "from", [one for one, _ in pairs])
        other = yield from self._choose(player, "to", [other for first, other in pairs if first == one])
        return one, other

    def _choose(self, player, verb, names):
        """One of several names."""
        return (yield from self._decide(player, dict.fromkeys(f"{verb} {name}" for name in names))).split()[1]

    def _take_card(self, player, kind):
        self.stock[kind] -= 1
        self.hands[player][kind] += 1

    # --- upgrade

    def _can_upgrade(self, player):
        prices = {link.ends: self._link_price(link.ends, 0, [{"up"}]) for link in self.links if link.owner == player and not link.upgraded}
        return {ends: price for ends, price in prices.items() if self._payable(player, price)}

    def _upgrade(self, player, prices):
        ends = yield from self._choose_pair(player, prices)
        yield from self._pay(player, self._pays(player, prices[ends]))
        next(link for link in self.links if link.ends == ends and link.owner == player).upgraded = True

    # --- construct, extend, add

    def _can_construct(self, player):
        """Price of each building that can be constructed, by (parcel, type)."""
        found = {}
        for parcel in self.city.parcels():
            for letter in TYPES if self.is_empty_parcel(parcel) and self.owner.get(parcel) == player else ():
                price = [(0, [{"con"}, {f"lot {parcel}"}, {letter}])]
                if self.stock[f"b{letter}"] and self._payable(player, price):
                    found[parcel, letter] = price
        return found

    def _construct(self, player, prices):
        parcel = yield from self._choose(player, "at", [parcel for parcel, _ in prices])
        letter = yield from self._choose(player, "type", [letter for other, letter in prices if other == parcel])
        yield from self._pay(player, self._pays(player, prices[parcel, letter]))
        self.built[parcel] = [letter, 1]
        self._take_card(player, f"b{letter}")
        self._settle(parcel, 1)
        self.hp[player] += self.data["construction"]["hp"]

    def _can_extend(self, player):
        prices = {
            parcel: [(0, [{"up", "con"}, {letter}])]
            for parcel in self.city.parcels()
            if parcel in self.built
            for letter, places in [self.built[parcel]]
            if places == 1 and self.owner.get(parcel) == player
        }
        return {parcel: price for parcel, price in prices.items() if self._payable(player, price)}

    def _extend(self, player, prices):
        parcel = yield from self._choose(player, "at", prices)
        yield from self._pay(player, self._pays(player, prices[parcel]))
        self.built[parcel][1] = 2
        self.hp[player] += self.data["construction"]["extension_hp"]

    def _can_add(self, player):
        if not self.supply or not self._payable(player, [(0, [{"pax"}])]):
            return []
        return [name for name in self.city.terminals if self.passengers[name] < self.capacity(name)]

    def _add(self, player, names):
        name = yield from self._choose(player, "at", names)
        yield from self._pay(player, self._pays(player, [(0, [{"pax"}])]))
        self._settle(name, 1)

    # --- move

    def _can_move(self, player):
        """Origins of trips that can be made and paid, each with the places where they may end."""
        room, hand = self._room(player), self.hands[player]
        payable = {letter for letter in [*TYPES, "S"] if most_rails(self.data, hand, [{"strip"}, {letter}], room) >= 0}
        finals = {name for name in self.city.terminals if self.type_of(name) in payable}
        if "F" in self.city.tiles and self._payable(player, self._funfair_price()):
            finals.add("F")
        origins = [name for name in self.city.terminals if self.passengers[name]]
        return {name: finals for name in origins if can_end(self, Trip(name, {name}), player, finals)}

    @staticmethod
    def _funfair_price():
        return [(0, [{"strip"}, *ANY_TWO]), (0, [{"strip"}, {"F"}])]

    def _move(self, player, origins):
        origin = yield from self._choose(player, "at", origins)
        trip, finals = Trip(origin, {origin}), origins[origin]
        while True:
            further = {text: longer for text, longer in rides(self, trip, player).items() if can_end(self, longer, player, finals)}
            text = yield from self._decide(player, [*further, *(["stop"] if can_stop(self, trip, finals) else [])])
            if text == "stop":
                break
            trip = further[text]
        price = self._funfair_price() if trip.at == "F" else [(0, [{"strip"}, {self.type_of(trip.at)}])]
        yield from self._pay(player, self._pays(player, price))
        self.events[f"to {self.type_of(trip.at) or 'F'}"] += 1
        self.events["flights"] += trip.entered >= {"V", "W"}
        self._leave(origin, trip.at)
        for link in trip.links:
            self.hp[link.owner] += self.data["track"]["upgraded_hp"] if link.upgraded else self.data["links"]["hp"]
        for _ in range(trip.parks):
            self._add_stress(player, self.data["expansions"]["park"]["stress"])
        yield from self._bonus(player, trip)
        for amount, owner in trip.money:
            self.coins[player] += amount
            assert self.coins[player] >= 0
            if owner is not None:
                self.coins[owner] -= amount

    def _leave(self, origin, final):
        self.passengers[origin] -= 1
        if final == "S" and self.passengers["S"] < self.capacity("S"):
            self.passengers["S"] += 1
        else:
            self.supply += 1

    def _bonus(self, player, trip):
        data, letter = self.data, self.type_of(trip.at)
        purse = self.coins[player] + trip.lowest()  # the most that can be spent now
        if letter == "R":
            self._add_stress(player, data["residence"]["stress"])
        elif letter == "I":
            self._add_stress(player, data["industry"]["stress"])
            self.workers[player] += data["industry"]["workers"]
        elif letter == "L" or trip.at == "F":
            terms = data["leisure"] if letter == "L" else data["expansions"]["funfair"]
            most = min(terms["most"], purse // terms["price"])
            bought = int((yield from self._decide(player, [f"buy {number}" for number in range(most + 1)])).split()[1])
            self.coins[player] -= bought * terms["price"]
            self.hp[player] += bought
        elif letter == "C":
            kinds, price = self.data.families["development"], data["commerce"]["price"]
            first = 0
            for number in range(data["commerce"]["most"]):
                options = [f"market {kind}" for kind in kinds[first:] if self.stock[kind] and purse >= price * (number + 1)]
                text = yield from self._decide(player, [*options, "done"])
                if text == "done":
                    break
                kind = text.split()[1]
                first = kinds.index(kind)
                self._take_card(player, kind)
                self.coins[player] -= price
                self.events["market"] += 1

    # --- money, worker, calm, pass

    def _can_money(self, player):
        return self._some(player, lambda kind: self.data.worth(kind, "m"))

    def _money(self, player, ways):
        named = yield from self._pay(player, dict.fromkeys(ways, 0))
        self.coins[player] += sum(self.data.worth(kind, "m") for kind in named)

    def _can_worker(self, player):
        return self._some(player, lambda kind: "w" in self.data.icons[kind])

    def _worker(self, player, ways):
        self.workers[player] += len((yield from self._pay(player, dict.fromkeys(ways, 0))))

    def _can_calm(self, player):
        return [way for way in self._some(player, lambda kind: "calm" in self.data.icons[kind]) if len(way) <= self.stress[player]]

    def _calm(self, player, ways):
        named = yield from self._pay(player, dict.fromkeys(ways, 0))
        self._add_stress(player, -len(named))

    def _can_pass(self, player):
        return True

    def _pass(self, player, _):
        return
        yield
