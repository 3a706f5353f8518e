"""Tramways' turns as people type and read them.

`parse_turn` reads a line such as ``build Aa-K 2.3 pay s1 t13``, `explain` says what a move costs and brings. Both know a game only through
a view (`to_dict`); whether a move is legal the engine decides.
"""

from __future__ import annotations

import heapq
from contextlib import suppress

from wattman.engine.games._tramways_board_check import TILES
from wattman.engine.games.tramways import view as look
from wattman.engine.games.tramways.view import WORDS, City, Square
from wattman.engine.tomlfile import show

GROUND_WORDS = {".": "empty", "~": "water", "^": "mountain"}
PAYING = ("build", "upgrade", "construct", "extend", "move", "add")
ALONE = ("fold", "pass", "join", "stop", "done")
SINGLE = ("bid", "take", "from", "to", "at", "type", "buy")  # a word and one thing
SEVERAL = ("lay", "pay", "market", "trash", "purge")  # a word and things, each an event of its own
GAINS = ("money", "worker", "calm")


# --- in words ---


def explain(event: str, view: dict) -> str:
    """A move or event in words: its notation, and in brackets what it costs or brings.

    Parameters
    ----------
    event : str
        The notation of an event, or of what an onlooker sees of one.
    view : dict
        Plain data of the state before it.
    """
    note = ""
    with suppress(ValueError, KeyError, IndexError, StopIteration):  # an event that is not of this moment: nothing to say about it
        verb, _, what = event.partition(" ")
        note = _NOTES.get(verb, lambda view, what: "")(view, what)
    return f"{event} ({note})" if note else event


def _note_card(view: dict, kind: str) -> str:
    return " ".join(look.shown_icon(icon) for icon in look.icons_of(view, kind))


def _note_board(view: dict, what: str) -> str:
    row, column = divmod(len(view["boards"]), view["layout"][1])
    return f"row {row}, column {column}; {what.partition('.')[2]} quarter turns clockwise"


def _note_tile(view: dict, where: str) -> str:
    expansions = view["options"]["expansions"]
    in_play = [tile for tile, expansion in TILES.items() if expansions == "full" or expansion in expansions.split("+")]
    return WORDS[in_play[view["dealt"]]] + (", upright" if where.endswith("v") else "")


def _note_parcel(view: dict, kind: str) -> str:
    return f"{_note_card(view, kind)}; player {view['dealt'] // look.data_of(view).numbers['hand']['parcels']}"


def _note_market(view: dict, kind: str) -> str:
    return f"{_note_card(view, kind)}; ${look.data_of(view).numbers['commerce']['price']}"


def _note_bid(view: dict, bid: str) -> str:
    coins = view["players"][view["on_turn"]]["money"]
    return f"${min(coins, int(bid))} and cards" if int(bid) > coins else f"leaves ${coins - int(bid)}"


def _note_place(view: dict, name: str) -> str:
    place = look.city_of(view).places[name]
    if name in WORDS:
        waiting = f", {place.passengers} waiting" if name == "S" else ""
        return WORDS[name] + waiting
    if not place.type:
        return "parcel"
    return f"{look.data_of(view).types[place.type][0]}, {place.passengers} of {place.room} waiting"


def _note_type(view: dict, letter: str) -> str:
    return f"{look.data_of(view).types[letter][0]}, {view['stock'][f'b{letter}']} left"


def _note_lay(view: dict, text: str) -> str:
    cost = tile_cost(view, look.city_of(view), look.square(text))
    ground = look.city_of(view).ground[look.square(text)]
    return "" if ground == "." else f"{GROUND_WORDS[ground]}, {cost} rails"


def _note_join(view: dict, what: str) -> str:
    city, path = look.city_of(view), view["action"]["path"]
    return f"{len(path)} tile{'s' * (len(path) > 1)}, {sum(tile_cost(view, city, look.square(text)) for text in path)} rails"


def _note_ride(view: dict, what: str) -> str:
    there, owner = what.split(" ")
    link = look.link_between(view, view["action"]["here"], there, int(owner))
    return "; ".join(_link_notes(view, link, there)) if link else ""


def _link_notes(view: dict, link: dict, there: str) -> list[str]:
    data, mine = look.data_of(view), link["owner"] == view["on_turn"]
    money = len(link["path"]) * data.numbers["links"]["money"]
    hp = data.numbers["track"]["upgraded_hp"] if link["upgraded"] else data.numbers["links"]["hp"]
    whose = "own link" if mine else f"link of player {link['owner']}"
    notes = [f"{whose}: {hp} HP{'' if mine else ' for him'}, {'+' if mine else '-'}${money}"]
    if there == "X":
        notes.append(f"+${data.numbers['expansions']['stock_exchange']['money']}")
    if there == "K":
        notes.append(f"stress {data.numbers['expansions']['park']['stress']}")
    if there in ("V", "W"):
        notes.append(f"flight, +${data.numbers['expansions']['airports']['money']}")
    return notes


def _note_stop(view: dict, what: str) -> str:
    return "; ".join(trip_notes(view, view["action"]["from"], view["action"]["rides"]))


def trip_notes(view: dict, origin: str, rides: list[tuple[str, int]]) -> list[str]:
    """What a whole trip brings the mover: where it ends, points on links, coins."""
    data, mover = look.data_of(view), view["on_turn"]
    here, money, hp, others = origin, 0, 0, 0
    for there, owner in rides:
        link = look.link_between(view, here, there, owner)
        worth = data.numbers["track"]["upgraded_hp"] if link["upgraded"] else data.numbers["links"]["hp"]
        tiles = len(link["path"]) * data.numbers["links"]["money"]
        hp, others = (hp + worth, others) if owner == mover else (hp, others + worth)
        money += tiles if owner == mover else -tiles
        money += data.numbers["expansions"]["stock_exchange"]["money"] if there == "X" else 0
        money += data.numbers["expansions"]["airports"]["money"] if there in ("V", "W") else 0
        here = {"V": "W", "W": "V"}.get(there, there)
    place = look.city_of(view).places[here]
    goal = WORDS[here] if here in WORDS else data.types[place.type][0]
    return [goal, f"{hp} HP" + (f", {others} for others" if others else ""), f"{'+' if money >= 0 else '-'}${abs(money)}"]


def _note_buy(view: dict, number: str) -> str:
    numbers = look.data_of(view).numbers
    price = numbers["expansions"]["funfair"]["price"] if view["action"]["to"] == "F" else numbers["leisure"]["price"]
    return f"${int(number) * price}" if int(number) else ""


def _note_discard(view: dict, kind: str) -> str:
    return f"{_note_card(view, kind)}; out of the game"


_NOTES = {
    **dict.fromkeys(("take", "reveal", "draw", "pay"), _note_card),
    **dict.fromkeys(("from", "to", "at"), _note_place),
    **dict.fromkeys(("trash", "purge"), _note_discard),
    "board": _note_board,
    "place": _note_tile,
    "parcel": _note_parcel,
    "order": lambda view, player: "in the turn order",
    "arrivals": lambda view, letter: f"{look.data_of(view).types[letter][0]}, round {len(view['arrivals']) + 1}",
    "market": _note_market,
    "bid": _note_bid,
    "type": _note_type,
    "lay": _note_lay,
    "join": _note_join,
    "ride": _note_ride,
    "stop": _note_stop,
    "buy": _note_buy,
}


# --- rails ---


def tile_cost(view: dict, city: City, at: Square) -> int:
    """Rails that a tile on a square takes."""
    return look.data_of(view).numbers["track"][GROUND_WORDS[city.ground[at]]]


def cheapest_path(view: dict, one: str, other: str) -> list[Square] | None:
    """A way for a link that takes the fewest rails, then the fewest tiles; None if there is none."""
    city = look.city_of(view)
    taken, most = {**city.place_at(), **city.link_at()}, look.data_of(view).numbers["track"]["longest"]
    free = [at for at in city.ground if at not in taken]
    goal = city.places[other].squares
    front = [(tile_cost(view, city, at), 1, [at]) for at in free if any(look.beside(at, end) for end in city.places[one].squares)]
    heapq.heapify(front)
    best: dict[tuple[Square, int], int] = {}
    while front:
        cost, tiles, path = heapq.heappop(front)
        if any(look.beside(path[-1], end) for end in goal):
            return path
        if tiles == most or best.get((path[-1], tiles), 10**6) <= cost:
            continue
        best[path[-1], tiles] = cost
        for at in free:
            if look.beside(path[-1], at) and at not in path:
                heapq.heappush(front, (cost + tile_cost(view, city, at), tiles + 1, [*path, at]))
    return None


# --- typed turns ---


def parse_turn(line: str, view: dict) -> list[str]:
    """The events of a typed line.

    Raises
    ------
    ValueError
        Naming the part that cannot be read, and what is allowed.
    """
    found: list[str] = []
    for part in line.split(";"):
        words = part.split()
        if words:
            found += _Part(view).read(words)
    return found


class _Part:
    """Reads one part of a typed line, a whole action or a piece of one."""

    def __init__(self, view: dict):
        self.view, self.data = view, look.data_of(view)
        self.city = look.city_of(view)
        self.names = {name.casefold(): name for name in self.city.places}

    def read(self, words: list[str]) -> list[str]:
        verb, rest = words[0].lower(), words[1:]
        if verb in ALONE:
            return [verb] if not rest else self._wrong(verb, f"stands alone, without {show(' '.join(rest))}")
        if verb in PAYING:
            return self._action(verb, rest) if rest else [verb]
        if verb in GAINS:
            return [verb, *self._pay(rest)] if rest else [verb]
        if verb == "ride":
            return [f"ride {' '.join(rest)}"] if len(rest) == 2 else self._rides(rest, self.view["action"]["here"])
        if verb in ("from", "to", "at"):
            return [f"{verb} {self._place(verb, ' '.join(rest))}"]
        if verb in ("pay", "trash", "purge", "market"):
            cards = [self._card(verb, word) for word in rest] or self._wrong(verb, "which card? for example: " + f"{verb} s1")
            return [f"{verb} {card}" for card in self._in_order(cards)] if verb == "pay" else [f"{verb} {card}" for card in cards]
        if verb == "take":
            return [f"take {self._card(verb, ' '.join(rest))}"]
        if verb == "type" and len(rest) == 1:
            return [f"type {rest[0].upper()}"]
        if verb == "lay":
            return [f"lay {word}" for word in rest] or self._wrong("lay", "on which square? for example: lay 3.4")
        if verb in ("bid", "buy") and len(rest) == 1:
            return [f"{verb} {rest[0].removeprefix('$')}"]
        if verb in ("board", "place", "parcel", "order", "arrivals", "reveal", "draw"):  # not typed here, but a real table shows them
            return [" ".join(words)]
        moves = "bid, fold, take, build, upgrade, construct, extend, move, add, money, worker, calm, pass, trash, purge, done"
        return self._wrong(words[0], f"no move; moves are: {moves}")

    @staticmethod
    def _wrong(word: str, problem: str):
        raise ValueError(f"{word}: {problem}")

    # --- whole actions ---

    def _action(self, verb: str, words: list[str]) -> list[str]:
        lower = [word.lower() for word in words]
        cut = next((place for place, word in enumerate(lower) if word in ("pay", "buy", "market")), len(words))
        what, behind = words[:cut], words[cut:]
        events = [verb, *getattr(self, f"_{verb}")(what)]
        while behind:
            end = next((place for place, word in enumerate(behind) if place and word.lower() in ("pay", "buy", "market")), len(behind))
            first, things = behind[0].lower(), behind[1:end]
            if first == "pay":
                events += self._pay(things)
            elif first == "buy":
                events += self.read(["buy", *things])
            else:
                events += [*self.read(["market", *things]), "done"]
            behind = behind[end:]
        return events

    def _pay(self, words: list[str]) -> list[str]:
        if not words:
            self._wrong("pay", "with which cards? for example: pay s1 t7")
        return [*(f"pay {card}" for card in self._in_order([self._card("pay", word) for word in words])), "done"]

    def _in_order(self, cards: list[str]) -> list[str]:
        return sorted(cards, key=self.data.kind_numbers.get)

    def _ends(self, verb: str, words: list[str]) -> tuple[str, str, bool, list[str]]:
        """Both ends in order, whether they were named the other way round, and what is left."""
        parts = words[0].split("-") if "-" in words[0] else words[:2]
        rest = words[1:] if "-" in words[0] else words[2:]
        if len(parts) != 2 or not all(parts):
            self._wrong(verb, f"between which places? for example: {verb} {' '.join(list(self.city.places)[:2]).replace(' ', '-')}")
        one, other = (self._place(verb, part) for part in parts)
        order = list(self.city.places)
        turned = order.index(one) > order.index(other)
        return (other, one, True, rest) if turned else (one, other, False, rest)

    def _build(self, words: list[str]) -> list[str]:
        one, other, turned, squares = self._ends("build", words)
        if squares and squares[0].lower() in ("over", "by"):
            squares = squares[1:]
        if squares:
            path = squares[::-1] if turned else squares
        else:
            found = cheapest_path(self.view, one, other)
            if found is None:
                self._wrong("build", f"there is no room for a link between {one} and {other}")
            path = [f"{row}.{column}" for row, column in found]
        return [f"from {one}", f"to {other}", *(f"lay {square}" for square in path), "join"]

    def _upgrade(self, words: list[str]) -> list[str]:
        one, other, _, rest = self._ends("upgrade", words)
        if rest:
            self._wrong("upgrade", f"{show(' '.join(rest))} is too much; expected two places, then perhaps pay and cards")
        return [f"from {one}", f"to {other}"]

    def _construct(self, words: list[str]) -> list[str]:
        if len(words) != 2 or words[1].upper() not in self.data.types:
            self._wrong("construct", "what, and where? for example: construct A1 R")
        return [f"at {self._place('construct', words[0])}", f"type {words[1].upper()}"]

    def _extend(self, words: list[str]) -> list[str]:
        return [f"at {self._place('extend', ' '.join(words))}"]

    def _add(self, words: list[str]) -> list[str]:
        return [f"at {self._place('add', ' '.join(words))}"]

    def _move(self, words: list[str]) -> list[str]:
        if not words:
            self._wrong("move", "from where, and where to? for example: move Aa K0 Ba1")
        origin = self._place("move", words[0])
        return [f"at {origin}", *self._rides(words[1:], origin), "stop"]

    def _rides(self, words: list[str], here: str) -> list[str]:
        events = []
        for word in words:
            there, owner = self._ride(word, here)
            events.append(f"ride {there} {owner}")
            here = {"V": "W", "W": "V"}.get(there, there)
        return events

    def _ride(self, word: str, here: str) -> tuple[str, int]:
        """The next place and whose link leads there: ``Ba1`` or ``Ba:1``, or ``Ba`` where that says enough. F1 may be a parcel or the
        Funfair by player 1's link: the one to which there is a link."""
        links = [({link["from"], link["to"]} - {here}, link["owner"]) for link in self.view["links"] if here in (link["from"], link["to"])]
        found = {(name, owner) for ends, owner in links for name in ends}
        name, digit = word[:-1].removesuffix(":"), word[-1]
        by_owner = name.casefold() in self.names and digit.isdecimal()
        if by_owner and (self.names[name.casefold()], int(digit)) in found:
            return self.names[name.casefold()], int(digit)
        if word.casefold() not in self.names and by_owner:  # perhaps a link that is built on the same line
            return self.names[name.casefold()], int(digit)
        there = self._place("move", word)
        owners = sorted(owner for name, owner in found if name == there)
        if self.view["on_turn"] in owners:
            return there, self.view["on_turn"]
        if len(owners) > 1:
            self._wrong("move", f"whose link from {here} to {there}? {' or '.join(f'{there}:{owner}' for owner in owners)}")
        return (there, owners[0]) if owners else self._wrong("move", f"there is no link from {here} to {there}")

    # --- words ---

    def _place(self, verb: str, word: str) -> str:
        if word.casefold() not in self.names:
            self._wrong(verb, f"{show(word)} is no place of this city; places are: {' '.join(self.city.places)}")
        return self.names[word.casefold()]

    def _card(self, verb: str, word: str) -> str:
        kind = look.kind_named(self.data, word)
        return kind or self._wrong(verb, f"{show(word)} is no kind of card; expected one such as s1, t7 or bR")
