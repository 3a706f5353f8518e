"""A second Lisbon Tram 28, written from the rules alone: plain counters of letters, slow, nothing shared with the engine.

It exists so that two independent readings of the rules can be compared move by move (see ``lockstep.py``). The course of the game is
one generator that stops wherever something has to be decided or drawn, so the code reads in the order in which things happen. Everything
is a public attribute, and a test may set up any position at the beginning of a decision of a turn with :meth:`Reference.from_parts`.
"""

from collections import Counter
from itertools import pairwise

from lisbon_rails import COLOURS, DEFAULT_BOARD, Rails, Traffic

SWAPS = [(colour, other) for colour in COLOURS for other in COLOURS if other != colour]  # in order


def letters(counter):
    """A counter of colours as text, in the order R Y G B."""
    return "".join([colour * counter[colour] for colour in COLOURS])


class Reference:
    """One game of Lisbon Tram 28.

    Parameters
    ----------
    players : int
    rules : {"english", "german"}
    board : str, optional
        Name of a board file.
    refill_model : {"always", "slot", "monument"}
    stall_rounds : int

    Attributes
    ----------
    trams, hands, aboard, bonuses, rows : lists by player
        Place; tickets; passengers; names of bonuses; claimed cards from left to right.
    waiting : dict of str to Counter
        Passengers at each stop.
    bag, gone : Counter
        Passengers to be drawn and passengers delivered.
    held : Counter
        Passengers that have been drawn and are not placed yet.
    pile, discard : Counter
        Tickets.
    display : list of str or None
        The cards on offer, by space.
    upcoming : str or None
        The card that lies face up on the pile.
    face_up : int
        How many cards of the pile lie face up, that one included.
    unseen : set of str
        Cards that nobody has seen.
    turn, actions_left, free_used, bell_used, drew
        Player on turn, his actions left, bonuses he has used in this turn, players who have drawn a ticket for a push in this turn.
    last_round, quiet_rounds, claimed : bool, int, bool
        Whether the end has come in sight; complete rounds in a row without a claim; whether there was a claim in this round.
    """

    def __init__(self, players=2, rules="english", board=None, refill_model="always", stall_rounds=10):
        self.rails = Rails(board or DEFAULT_BOARD[players])
        self.players = players
        self.rules = rules
        self.refill_model = refill_model
        self.stall_rounds = stall_rounds
        self.trams = [self.rails.rossio] * players
        self.hands = [Counter() for _ in range(players)]
        self.aboard = [Counter() for _ in range(players)]
        self.bonuses = [set() for _ in range(players)]
        self.rows = [[] for _ in range(players)]
        self.waiting = {stop: Counter() for stop in self.rails.stops}
        self.bag = Counter(self.rails.passengers)
        self.gone = Counter()
        self.held = Counter()
        self.pile = Counter(self.rails.tickets)
        self.discard = Counter()
        setup = self.rails.setup[str(players)]
        self.slots = [slot for slot in range(len(self.rails.refill_slot)) if slot not in setup.get("closed_spaces", [])]
        self.display = [None] * len(self.rails.refill_slot)
        self.upcoming = None
        self.face_up = setup["face_up"]
        self.unseen = set(self.rails.cards)
        self.turn = 0
        self.last_round = False
        self.quiet_rounds = 0
        self.claimed = False
        # counters, for tests only
        self.events = Counter()
        self.usable = Counter()  # tickets that can pay in the move that is going on
        self.pushing = False
        self._new_turn()
        self._start(self._whole_game())

    def _new_turn(self):
        self.actions_left = 3 if "action" in self.bonuses[self.turn] else 2
        self.free_used = False
        self.bell_used = False
        self.drew = set()

    @classmethod
    def from_parts(cls, players=2, *, hands, waiting=None, trams=None, aboard=None, bonuses=None, rows=None, **parts):
        """A game in a given position: the player on turn (`turn`, else 0) is about to decide.

        Parameters
        ----------
        players : int
        hands : list of str
            Tickets; those of players left out are empty.
        waiting : dict of str to str, optional
            Passengers at stops; the others are without.
        trams, aboard, bonuses, rows : lists by player, optional
        **parts
            Options, or further attributes. `pile` and `discard`, `bag` and `gone`: texts; if one is left out, what is nowhere else is
            there, if both are, it is in the pile or bag. `display`: cards for the spaces in use; `upcoming`, `face_up`: any cards, and as
            many as there are after so many claims, if left out. `actions_left`, `free_used`, ...

        Raises
        ------
        ValueError
            If some piece is missing or there are too many.
        """
        options = {name: parts.pop(name) for name in ("rules", "board", "refill_model", "stall_rounds") if name in parts}
        game = cls(players, **options)
        for player in range(players):
            game.hands[player] = Counter(hands[player] if player < len(hands) else "")
            game.aboard[player] = Counter((aboard or [""] * players)[player])
            game.bonuses[player] = set((bonuses or [[]] * players)[player])
            game.rows[player] = list((rows or [[]] * players)[player])
        game.trams = list(trams or game.trams)
        game.waiting = {stop: Counter((waiting or {}).get(stop, "")) for stop in game.rails.stops}
        for first, second, all_of_them in (("pile", "discard", game.tickets), ("bag", "gone", game.passengers)):
            whole, given = getattr(game, first), {name: Counter(parts.pop(name)) for name in (first, second) if name in parts}
            setattr(game, first, Counter())
            vars(game).update(given)
            rest = whole - all_of_them()
            if len(given) < 2:
                setattr(game, second if first in given else first, rest)
            if all_of_them() != whole:
                raise ValueError(f"{first}: {letters(rest)} missing, {letters(all_of_them() - whole)} too many")
        game._put_cards(parts)
        game.turn = parts.pop("turn", 0)
        game._new_turn()
        for name, part in parts.items():
            if not hasattr(game, name):
                raise TypeError(f"no such part: {name}")
            setattr(game, name, part)
        game._start(game._rest_of_game())
        game.conserved()
        return game

    def _put_cards(self, parts):
        claims = [card for row in self.rows for card in row]
        left = [card for card in self.rails.cards if card not in claims and card != parts.get("upcoming")]
        shown = parts.pop("display", None) or left[: len(self.slots)]
        for slot, card in zip(self.slots, shown, strict=True):
            self.display[slot] = card
        left = [card for card in left if card not in shown]
        self.face_up = parts.pop("face_up", max(0, self.face_up - len(self.slots) - len(claims)))
        self.upcoming = parts.pop("upcoming", None)
        if self.face_up and self.upcoming is None:
            self.upcoming = left.pop(0)
        self.last_round = not self.face_up
        self.unseen = set(left)

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
        """Play one decision or chance event.

        Raises
        ------
        ValueError
            If `text` is not possible now.
        """
        if text not in self._options:
            raise ValueError(f"{text!r} is not possible now")
        self.events[text.split()[0]] += 1
        try:
            self._player, self._options = self._course.send(text)
        except StopIteration:
            self._player, self._options = -4, ()

    # What follows is the course: it yields (player, texts) for a decision or (-1, {text: probability}), and gets back the text played.

    def _draw(self, verb, pile, refill):
        """Draw one letter of `pile`, which is refilled from `refill` when it is empty. None if there is nothing to draw."""
        if not pile.total():
            pile.update(refill)
            refill.clear()
        if not pile.total():
            return None
        text = yield -1, {f"{verb} {letter}": count / pile.total() for letter, count in pile.items() if count}
        letter = text.split()[1]
        pile[letter] -= 1
        return letter

    def _draw_passengers_to_hold(self, number):
        """Draw so many passengers, or as many as there are."""
        for _ in range(number):
            passenger = yield from self._draw("bag", self.bag, self.gone)
            if passenger:
                self.held[passenger] += 1

    def _draw_ticket(self, player):
        """One ticket for `player`; whether there was one."""
        ticket = yield from self._draw("ticket", self.pile, self.discard)
        if ticket:
            self.hands[player][ticket] += 1
        return ticket is not None

    def _draw_card(self):
        text = yield -1, {f"card {card}": 1 / len(self.unseen) for card in self.unseen}
        card = text.split()[1]
        self.unseen.remove(card)
        return card

    # ------------------------------------------------------------------------------------------------ the course of the game

    def _whole_game(self):
        for stop in self.rails.stops:
            for _ in range(self.rails.each_stop):
                passenger = yield from self._draw("bag", self.bag, self.gone)
                self.waiting[stop][passenger] += 1
        for player in range(self.players):
            for _ in range(self.rails.start_hand):
                yield from self._draw_ticket(player)
        for slot in self.slots:
            self.display[slot] = yield from self._draw_card()
            self.face_up -= 1
        if self.face_up:
            self.upcoming = yield from self._draw_card()
        self.last_round = not self.face_up
        yield from self._rest_of_game()

    def _rest_of_game(self):
        while True:
            yield from self._rest_of_turn()
            if self.turn == self.players - 1:
                self.quiet_rounds = 0 if self.claimed else self.quiet_rounds + 1
                self.claimed = False
                if self.last_round or self.quiet_rounds >= self.stall_rounds:
                    return
            self.turn = (self.turn + 1) % self.players
            self._new_turn()

    def _rest_of_turn(self):
        while self.actions_left or self._free_move_left():
            text = yield self.turn, self._turn_options()
            verb, *words = text.split()
            if verb == "end":
                break
            if verb == "free":
                self.free_used = True
                yield from self._step(words[0].split("-"))
                continue
            self.actions_left -= 1
            if verb == "move":
                yield from self._move(*words)
            elif verb == "claim":
                yield from self._claim(*words)
            elif verb == "bonus":
                yield from self._buy_bonus()
            else:
                yield from self._take_passengers(verb)
        for _ in range(self.rails.new_tickets):
            yield from self._draw_ticket(self.turn)

    def _free_move_left(self):
        """English: a free step that can still be made between the actions of this turn."""
        return self.rules == "english" and "free_move" in self.bonuses[self.turn] and not self.free_used

    def _turn_options(self):
        texts = ["end"]
        place = self.trams[self.turn]
        if self._free_move_left():
            texts += [f"free {path}" for path in self._paths()]
        if not self.actions_left:
            return texts
        if self._paths():
            texts += [f"move {colour}" for colour in COLOURS if self.hands[self.turn][colour]]
        if self._may_take_passengers(place):
            texts.append("board")
            if self.bag.total() + self.gone.total():
                texts.append("ring")
                if "bell" in self.bonuses[self.turn] and not self.bell_used:
                    texts.append("ring3")
        for card in filter(None, self.display):
            if self.rails.cards[card].monument == place and Counter(self.rails.cards[card].demand) <= self.aboard[self.turn]:
                texts += [f"claim {card} L", f"claim {card} R"] if self.rows[self.turn] else [f"claim {card}"]
        if self.rails.kind[place] == "bonus":
            colour = self.rails.colour[place]
            owned = self.rails.player_boards[self.turn][colour] in self.bonuses[self.turn]
            if not owned and self._payable(Counter({colour: 3})):
                texts.append("bonus")
        return texts

    # ------------------------------------------------------------------------------------------------ moving and pushing

    def traffic(self):
        """What stands in the way of steps."""
        return Traffic(self.rails, self.trams, lambda stop: not self.waiting[stop].total())

    def _paths(self):
        return ["-".join(path) for path in self.traffic().paths(self.turn)]

    def _move(self, colour):
        """One action: steps for tickets of one colour that were in the hand when it began."""
        self.usable = usable = Counter(self.hands[self.turn])
        free_open = self.rules == "german" and "free_move" in self.bonuses[self.turn]
        steps = paid_steps = 0
        while True:
            tickets = [("", colour, 1)] if usable[colour] else []
            if paid_steps:
                tickets += [(f" {other}", other, 3) for other in COLOURS if other != colour and usable[other] >= 3]
            options = {}
            for path in self._paths():
                for swap, ticket, number in tickets:
                    options[f"step {path}{swap}"] = (path, ticket, number)
                if free_open:
                    options[f"free {path}"] = (path, None, 0)
            if not options:
                return
            text = yield self.turn, [*options, "halt"] if steps else list(options)
            if text == "halt":
                return
            path, ticket, number = options[text]
            if ticket:
                paid_steps += 1
                usable[ticket] -= number
                self.hands[self.turn][ticket] -= number
                self.discard[ticket] += number
            else:
                free_open = False
            steps += 1
            yield from self._step(path.split("-"))

    def _step(self, path):
        """Move the tram on turn along `path`, pushing whatever stands in its way."""
        mover, traffic = self.turn, self.traffic()
        line = [self.trams[mover], *path]
        met, placed = traffic.met(line)
        places, self.pushing = {}, True
        while placed < len(met):
            if line[-1] == self.rails.rossio:
                places |= dict.fromkeys(met[placed:], self.rails.rossio)
                break
            way = yield from self._way_on(traffic, line, met, placed)
            line.append(way)
            owner = met[placed]
            met, placed = traffic.entered(way, met, placed)
            if traffic.stopping(way):
                places[owner] = way
        self.pushing = False
        self.trams[mover] = path[-1]
        for player, place in places.items():
            self.trams[player] = place
        if met:
            self.events["push"] += 1
            for player in [mover, *met]:
                if player not in self.drew and (yield from self._draw_ticket(player)):
                    self.drew.add(player)

    def _way_on(self, traffic, line, met, placed):
        """By which place the line of a push goes on: as the owner of the first tram without a place wants it, German: straight on."""
        ways = traffic.ways(line, met, placed)
        if len(ways) == 1:
            return ways[0]
        if self.rules == "german":
            return min(ways, key=lambda way: self.rails.bend(*line[-2:], way))  # of equal ones the first in the file
        text = yield met[placed], [f"shunt {way}" for way in ways]
        return text.split()[1]

    # ------------------------------------------------------------------------------------------------ passengers, paying

    def seats(self, player):
        """Seats of each colour in a player's tram."""
        return self.rails.seats["seats" in self.bonuses[player]]

    def _may_take_passengers(self, place):
        group = self.waiting.get(place, Counter())
        fits = any(self.aboard[self.turn][colour] < self.seats(self.turn) for colour in group if group[colour])
        return fits and self._payable(group)

    def _take_passengers(self, how):
        """One action: `board`, `ring` or `ring3`."""
        stop = self.trams[self.turn]
        if how == "ring":
            passenger = yield from self._draw("bag", self.bag, self.gone)
            self.waiting[stop][passenger] += 1
        elif how == "ring3":
            self.bell_used = True
            yield from self._draw_passengers_to_hold(3)
            text = yield self.turn, [f"keep {colour}" for colour in COLOURS if self.held[colour]]
            passenger = text.split()[1]
            self.held[passenger] -= 1
            self.waiting[stop][passenger] += 1
            self.bag.update(self.held)
            self.held.clear()
        group = self.waiting[stop]
        if not self._payable(group) or not (yield from self._pay(group, rung=how != "board")):
            self.events["failed"] += 1
            return
        for colour in COLOURS:
            boarding = min(group[colour], self.seats(self.turn) - self.aboard[self.turn][colour])
            group[colour] -= boarding
            self.aboard[self.turn][colour] += boarding

    def _swaps(self, due, reserved, last):
        """The swaps, `last` or later in the order, after which the rest can still be paid: pairs (stands for, three of)."""
        result = []
        for number, (colour, other) in enumerate(SWAPS):
            if number >= last and due[colour] and reserved[other] + 3 <= self.hands[self.turn][other]:
                after, more = Counter(due), Counter(reserved)
                after[colour] -= 1
                more[other] += 3
                if self._payable(after, more, number):
                    result.append((colour, other))
        return result

    def _covered(self, due, reserved):
        """Whether the hand has all that is due beside what is reserved for swaps."""
        return all(due[colour] + reserved[colour] <= self.hands[self.turn][colour] for colour in COLOURS)

    def _payable(self, due, reserved=None, last=0):
        """Whether `due` can be paid with the hand, with swaps that are `last` or later in the order."""
        reserved = reserved or Counter()
        return self._covered(due, reserved) or bool(self._swaps(due, reserved, last))

    def _pay(self, price, rung=False):
        """Pay `price` with any swaps. False if it was declined, which is possible only after a ring."""
        due, reserved, last = Counter(price), Counter(), 0
        while True:
            options = [f"swap {colour}<{other}" for colour, other in self._swaps(due, reserved, last)]
            if not options and not rung:
                break
            if self._covered(due, reserved):
                options.append("pay")
            if rung:
                options.append("decline")
            text = yield self.turn, options
            if text == "decline":
                return False
            if text == "pay":
                break
            colour, other = text.split()[1].split("<")
            due[colour] -= 1
            reserved[other] += 3
            last = SWAPS.index((colour, other))
        self.hands[self.turn] -= due + reserved
        self.discard += due + reserved
        return True

    def _buy_bonus(self):
        colour = self.rails.colour[self.trams[self.turn]]
        yield from self._pay(Counter({colour: 3}))
        bonus = self.rails.player_boards[self.turn][colour]
        self.bonuses[self.turn].add(bonus)
        if bonus == "action":
            self.actions_left += 1

    # ------------------------------------------------------------------------------------------------ monuments

    def _claim(self, card, side="R"):
        self.claimed = True
        demand = Counter(self.rails.cards[card].demand)
        self.aboard[self.turn] -= demand
        self.gone += demand
        slot = self.display.index(card)
        self.display[slot] = None
        if side == "L":
            self.rows[self.turn].insert(0, card)
        else:
            self.rows[self.turn].append(card)
        symbol = {"always": True, "slot": self.rails.refill_slot[slot]}
        symbol["monument"] = self.rails.refill_monument[self.rails.cards[card].monument]
        if symbol[self.refill_model]:
            yield from self._refill()
        if self.upcoming:
            self.display[slot], self.upcoming = self.upcoming, None
            self.face_up -= 1
            if self.face_up:
                self.upcoming = yield from self._draw_card()
            else:
                self.last_round = True
        elif self.unseen:
            self.display[slot] = yield from self._draw_card()

    def _right_neighbour(self):
        return (self.turn - 1) % self.players

    def _refill(self):
        """New passengers for an empty stop of the right neighbour's choice."""
        empty = [stop for stop in self.rails.stops if not self.waiting[stop].total() and stop not in self.trams]
        if not empty:
            return
        yield from self._draw_passengers_to_hold(self.rails.each_stop)
        if not self.held.total():
            return
        stop = empty[0]
        if len(empty) > 1:
            text = yield self._right_neighbour(), [f"place {stop}" for stop in empty]
            stop = text.split()[1]
        self.waiting[stop].update(self.held)
        self.held.clear()

    # ------------------------------------------------------------------------------------------------ results

    def connections(self, player):
        """Complete tickets between the cards of `player`."""
        row = [self.rails.cards[card] for card in self.rows[player]]
        return sum(len(left.right & right.left) for left, right in pairwise(row))

    def scores(self):
        """Points so far, by player: cards and connections."""
        return [sum(self.rails.cards[card].points for card in self.rows[p]) + self.connections(p) for p in range(self.players)]

    def ranking(self):
        """Players from first to last: points, then connections, then passengers aboard, then the later in the order of play."""
        scores = self.scores()
        return sorted(range(self.players), key=lambda p: (scores[p], self.connections(p), self.aboard[p].total(), p), reverse=True)

    def returns(self):
        """+1 for the first, -1 for the last, evenly spaced between."""
        ranking = self.ranking()
        return [1 - 2 * ranking.index(player) / (self.players - 1) for player in range(self.players)]

    # ------------------------------------------------------------------------------------------------ checks

    def tickets(self):
        """Every ticket on the table, counted by colour."""
        return sum(self.hands, self.pile + self.discard)

    def passengers(self):
        """Every passenger on the table, counted by colour."""
        return sum([*self.waiting.values(), *self.aboard], self.bag + self.gone + self.held)

    def cards(self):
        """Every monument card on the table, sorted."""
        shown = [*self.display, self.upcoming, *(card for row in self.rows for card in row)]
        return sorted([*self.unseen, *(card for card in shown if card)])

    def facts(self):
        """Where everything is, as plain data; what has no order of its own is sorted. Not the trams while a push is being decided."""
        trams = {} if self.pushing else {"trams": list(self.trams)}
        return trams | {
            "hands": [letters(hand) for hand in self.hands],
            "aboard": [letters(seats) for seats in self.aboard],
            "bonuses": [sorted(bonuses) for bonuses in self.bonuses],
            "rows": [list(row) for row in self.rows],
            "waiting": {stop: letters(group) for stop, group in self.waiting.items()},
            "bag": letters(self.bag),
            "gone": letters(self.gone),
            "pile": letters(self.pile),
            "discard": letters(self.discard),
            "display": [card or "" for card in self.display],
            "upcoming": self.upcoming or "",
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
                raise AssertionError(f"{what}: {self!r}")

        counters = [self.bag, self.gone, self.held, self.pile, self.discard, *self.hands, *self.aboard, *self.waiting.values()]
        check(all(number >= 0 for counter in counters for number in counter.values()), "nothing is negative")
        check(self.tickets() == self.rails.tickets, "all tickets, each in one place")
        check(self.passengers() == self.rails.passengers, "all passengers, each in one place")
        check(self.cards() == sorted(self.rails.cards), "all cards, each in one place")
        on_the_way = [place for place in self.trams if place != self.rails.rossio]
        check(len(on_the_way) == len(set(on_the_way)), "one tram at a place")
        for player in range(self.players):
            check(max(self.aboard[player].values(), default=0) <= self.seats(player), "a seat for everyone aboard")
        check(0 <= self.actions_left <= 3, "at most three actions")
        check(self.last_round or self.face_up > 0, "the last face-up card brings the last round")

    def __repr__(self):
        return f"<turn of {self.turn}, {self.actions_left} actions left; {self.facts()}>"
