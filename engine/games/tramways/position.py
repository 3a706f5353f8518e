"""Tramways' position files: a person's layout to plain data and back. The layout is described by `TEMPLATE`.

Plain data is what ``Game.info_from_dict`` takes (see `data.pyx`): everything filled in. In the middle of an action a file says how it has
gone so far (`so_far`), and that is played from its beginning, so that no file can say anything that the rules do not allow.
"""

from __future__ import annotations

from collections import Counter

from wattman.engine.games.tramways import view as look
from wattman.engine.games.tramways.city import Reader as CityReader
from wattman.engine.games.tramways.notation import TYPES
from wattman.engine.games.tramways.view import UNKNOWN, data_of
from wattman.engine.tomlfile import Section, listed, show

STEPS = ("kind", "bid", "take", "discard", "buy", "market", "over")
CHANCE = ("board", "place", "parcel", "order", "arrivals", "reveal", "draw")
SETUP = CHANCE[:5]
WITHIN = ("from", "to", "lay", "at", "type", "ride", "pay")  # an action that is not paid for yet: told by `so_far`
NUMBERS = {"hp": 999, "money": 999, "workers": 250}  # of a player, and the most that is sensible
USUAL = {"hp": 0, "money": 3, "workers": 2}
MOST_CARDS, MOST_LINKS = 48, 108  # of a player, of all players: what the engine has room for (state.pxd)
_TOP = [
    *("game", "player", "to_move", "step", "so_far", "round", "part", "left", "dealt", "order", "arrivals", "boards", "links", "supply"),
    *("offer", "out", "options", "tiles", "passengers", "auction", "bonus", "discards", "you", "players"),
]
_YOU = ["hp", "money", "stress", "workers", "rails", "hand", "deck", "pool", "parcels", "shown", "shuffles"]
_OTHER = ["hp", "money", "stress", "workers", "rails", "hand", "deck", "unseen", "pool", "parcels", "shuffles"]
NO_ACTION = {
    **dict.fromkeys(("kind", "from", "to", "type", "here"), ""),
    **dict.fromkeys(("cost", "budget", "bought", "last", "discards"), 0),
    **{name: [] for name in ("path", "rides", "named")},
    "purging": False,
}


def from_file(data: dict, options: dict) -> dict:
    """A parsed position file as plain data.

    Parameters
    ----------
    data : dict
        The whole file as tomllib gives it.
    options : dict
        The game's options, defaults filled in.

    Raises
    ------
    ValueError
        At the first problem: one line that names the key, what is wrong and what is allowed.
    """
    return _Reader(data, options).finished()


def remarks(data: dict) -> list[str]:
    """What was assumed where the file says nothing."""
    return list(data.get("assumed", []))


class _Reader:
    """Reads one file."""

    def __init__(self, data: dict, options: dict):
        self.options, self.n = options, options["players"]
        self.data = data_of({"options": options})
        self.numbers = self.data.numbers
        self.notes: list[str] = []
        top = self.top = Section(data, "", _TOP)
        self.player = top.whole("player", 0, self.n - 1, 0, "the number of your seat,")
        self.so_far = top.texts("so_far", 'how the action has gone so far, such as ["build", "from Aa"]', [])
        self.step = top.word("step", [*STEPS, *CHANCE], "kind")
        self.early = self.step in SETUP
        self.on_turn = top.whole("to_move", 0, self.n - 1, self.player, "the number of the player who decides,")
        self.round = top.whole("round", 0 if self.early else 1, self.numbers["course"]["rounds"], 0 if self.early else 1)
        self.order = self._order()
        self.sides = self._sides()
        self.city = CityReader(top, self.data, options, self.early, self.step, self.sides)
        self.plain = self._plain()

    # --- the course of the game ---

    def _order(self) -> list[int]:
        expected = f"the players in turn order, such as [{', '.join(map(str, range(self.n)))}]"
        order = self.top.wholes("order", expected, [] if self.early else list(range(self.n)))
        if len(set(order)) != len(order) or not set(order) <= set(range(self.n)) or (len(order) < self.n and not self.early):
            raise self.top.error("order", f"[{', '.join(map(show, order[:9]))}] is not allowed; expected {expected}")
        if "order" not in self.top and self.n > 1 and not self.early:
            self.notes.append(f"order: left out; assumed: {' '.join(map(str, order))}")
        return order

    def _sides(self) -> list[Section]:
        """The table of each player, by seat."""
        others = self.top.section("players")
        for key in others.data:
            if not key.isdecimal() or int(key[:3]) >= self.n or key != str(int(key[:3])):
                raise ValueError(f"[players].{show(key)}: no such seat; the players are {listed(range(self.n), 'and')}")
            if int(key) == self.player:
                raise ValueError(f"[players].{key}: that is your own seat; write it as [you]")
        sides = [others.section(str(seat), _OTHER) for seat in range(self.n)]
        sides[self.player] = self.top.section("you", _YOU)
        return sides

    def _plain(self) -> dict:
        top, course = self.top, self.numbers["course"]
        part = top.whole("part", 1, 2, 1, "1 (one action each) or 2 (two each), a whole number")
        most = max(course["actions"])
        places, links = self.city.places, self.city.links
        players = [self._player(seat, section) for seat, section in enumerate(self.sides)]
        deciding = self.step in STEPS or self.step == "draw"
        arrivals = self._arrivals()
        stock, reserve = self._piles(players)
        self._room(players, stock)
        plain = {
            "game": "tramways",
            "options": dict(self.options),
            "player": self.player,
            "to_move": -4 if self.step == "over" else self.on_turn if self.step in STEPS else -1,
            "step": self.step,
            "on_turn": self.on_turn,
            "round": self.round,
            "lap": part - 1,
            "left": top.whole(
                "left", 0, most, course["actions"][part - 1] if self.step == "kind" else 0, "actions that the mover has left,"
            ),
            "turn": self.order.index(self.on_turn) if deciding and self.step != "over" and self.on_turn in self.order else 0,
            "dealt": top.whole("dealt", 0, 20, 0),
            "order": self.order,
            "arrivals": arrivals,
            "type_tiles": {letter: course["arrivals"] - arrivals.count(letter) for letter in TYPES},
            "layout": list(self.data.setup[self.n].layout),
            "boards": self.city.boards,
            "places": places,
            "links": links,
            "offer": self._cards(top, "offer", "the auction cards face up") if "offer" in top else [],
            "reserve": reserve,
            "stock": stock,
            "supply": self._supply(),
            "auction": self._auction(),
            "action": self._action(),
            "players": players,
            "memory": {
                "known": [self._known(seat) for seat in range(self.n)],
                "shuffles": [section.whole("shuffles", 0, 60000, 0) for section in self.sides],
            },
        }
        if self.step == "kind" and plain["left"] == 0:
            raise top.error("left", "0 is out of range; who is to act has at least 1 action left")
        return plain

    def _arrivals(self) -> str:
        most = self.numbers["course"]["rounds"] - 1
        expected = f'the types of the rounds\' arrivals, {most} letters such as "{("RCLI" * 3)[:most]}"'
        text = "".join(self.top.text("arrivals", expected, "" if self.early else ("RCLI" * 3)[:most]).split()).upper()
        if not set(text) <= set(TYPES) or len(text) > most or (len(text) < most and not self.early):
            raise self.top.error("arrivals", f"{show(text)} is not allowed; expected {expected}")
        if "arrivals" not in self.top and not self.early:
            self.notes.append(f"arrivals: left out; assumed: {text}")
        each = self.numbers["course"]["arrivals"]
        for letter in TYPES:
            if text.count(letter) > each:
                raise self.top.error("arrivals", f"{letter} is there {text.count(letter)} times; there are {each} tiles of each type")
        return text

    # --- players ---

    def _player(self, seat: int, section: Section) -> dict:
        mine = seat == self.player
        stress, start = self.numbers["stress"]["most"], self.numbers["start"]
        usual = USUAL | {"money": start["money"], "workers": start["workers"]}
        found = {key: section.whole(key, 0, most, 0 if self.early else usual[key]) for key, most in NUMBERS.items()}
        found["stress"] = section.whole("stress", 0, stress, 0)
        laid = sum(len(link["path"]) for link in self.city.links if link["owner"] == seat)
        left = start["rails"] - laid
        if left < 0:
            raise self.top.error("links", f"player {seat} has {laid} tiles in them; there are {start['rails']}")
        found["rails"] = section.whole("rails", 0, start["rails"], 0 if self.step in SETUP[:3] else left)
        if found["rails"] != left and not self.early:
            raise section.error("rails", f"{found['rails']}, but the links leave {left}; one of them is wrong, or leave it out")
        hand = self._cards(section, "hand", "the cards in the hand", unknown=not mine)
        pool = self._cards(section, "pool", "the cards in the pool")
        if mine:
            unseen = self._cards(section, "deck", "the cards of your deck, in any order")
        else:
            hand, unseen = self._hidden(seat, section, hand, pool)
        count = len(unseen) - hand.count(UNKNOWN)
        for key, cards in (("hand", hand), ("pool", pool), ("deck" if mine else "unseen", unseen)):
            if len(cards) > 44:
                raise section.error(key, f"{len(cards)} cards; nobody has so many")
        self._his(section, seat, hand + unseen + pool)
        return found | {"hand": hand, "deck": count, "unseen": unseen, "pool": pool}

    def _his(self, section: Section, seat: int, cards: list[str]) -> None:
        """Starters and parcel cards stay with the player who was dealt them."""
        for kind, count in Counter(cards).items():
            family = None if kind == UNKNOWN else self.data.kinds[self.data.kind_numbers[kind]].family
            if family == "parcels" and self.city.places.get(kind, {"owner": -1})["owner"] != seat and not self.early:
                raise section.error("parcels", f"{kind} is missing, but its card is with the player's cards")
            if family in ("parcels", "starters") and count > 1:
                raise section.error("hand", f"{count} cards {kind} in hand, deck and pool; every player has one at most")

    def _room(self, players: list[dict], stock: dict[str, int]) -> None:
        """Cards and links that the engine has room for: those that there are, and those that can still come."""
        course = self.numbers["course"]
        rounds = course["rounds"] - max(self.round, 1) + 1
        development = sum(count for kind, count in stock.items() if not kind.startswith("b"))
        for seat, (section, player) in enumerate(zip(self.sides, players, strict=True)):
            cards = len(player["hand"]) + player["deck"] + len(player["pool"])
            empty = sum(place["owner"] == seat and not place["type"] for place in self.city.places.values())
            if cards + min(rounds, course["auction_rounds"]) + development + empty + 1 > MOST_CARDS:
                raise section.error("hand", f"{cards} cards in hand, deck and pool; with those that can still come at most {MOST_CARDS}")
        links = self.city.links
        if len(links) + rounds * sum(course["actions"]) * self.n > MOST_LINKS:
            raise self.top.error("links", f"{len(links)} links in round {self.round}; nobody can have built so many")

    def _hidden(self, seat: int, section: Section, hand: list[str], pool: list[str]) -> tuple[list[str], list[str]]:
        """A rival's hand with "?" for what is hidden, and the cards that are hidden there or in his deck."""
        hidden = hand.count(UNKNOWN)
        if "unseen" in section:
            unseen = self._cards(section, "unseen", "the cards of which you do not know whether they are in his hand or in his deck")
        else:
            parcels = [name for name, place in self.city.places.items() if place["owner"] == seat]
            built = [f"b{self.city.places[name]['type']}" for name in parcels if self.city.places[name]["type"]]
            all_his = (
                Counter([kind.text for kind in self.data.kinds if kind.family == "starters"] + parcels + built)
                if not self.early
                else Counter()
            )
            unseen = sorted((all_his - Counter(pool) - Counter(hand)).elements(), key=self.data.kind_numbers.get)
            if "hand" not in section and unseen:
                hand = [UNKNOWN] * min(len(unseen), self.numbers["hand"]["limit"])
                hidden = len(hand)
                self.notes.append(f"{section.path}.hand: left out; assumed: {hidden} cards")
            if unseen and (hidden or "deck" in section):
                self.notes.append(f"{section.path}.unseen: left out; assumed: {look.short({'options': self.options}, unseen)}")
            if not hidden and "deck" not in section:
                unseen = []
        deck = section.whole("deck", 0, 99, max(0, len(unseen) - hidden), "the number of cards in his deck,")
        if len(unseen) != deck + hidden:
            raise section.error(
                "unseen" if "unseen" in section or "deck" not in section else "deck",
                f"{len(unseen)} cards are unseen; expected as many as ? in his hand ({hidden}) and cards in his deck ({deck}) together",
            )
        return hand, unseen

    def _known(self, seat: int) -> list[str]:
        """Cards of a player's hand of which all know; of rivals the engine takes what their hands say."""
        if seat != self.player:
            return []
        section = self.sides[seat]
        shown = self._cards(section, "shown", "those of your cards of which all know that you have them in hand")
        more = Counter(shown) - Counter(self._cards(section, "hand", "your cards"))
        if more:
            raise section.error("shown", f"{next(iter(more))} is not in your hand")
        return shown

    def _cards(self, section: Section, key: str, what: str, unknown: bool = False) -> list[str]:
        """Cards from a text such as ``s1 A2 d1 x2``, in the order of the kinds, unknown ones last."""
        expected = f'{what}, such as "s1 t7 d1 x2"{" with ? for hidden ones" if unknown else ""}'
        found: list[str] = []
        for word in section.text(key, expected, "").replace(",", " ").split():
            times = word[1:] if word[0] in "xX*" and word[1:].isdecimal() else ""
            if times and found:
                if not 1 <= int(times[:4]) <= 44:
                    raise section.error(key, f"{show(word)} is out of range; expected x1 to x44")
                found += [found[-1]] * (int(times) - 1)
            elif word == UNKNOWN and unknown:
                found.append(UNKNOWN)
            elif kind := look.kind_named(self.data, word):
                found.append(kind)
            else:
                raise section.error(key, f"{show(word)} is no kind of card; expected {expected}")
        number = self.data.kind_numbers
        return sorted(found, key=lambda kind: number.get(kind, len(number)))

    # --- what is left of cards and passengers ---

    def _piles(self, players: list[dict]) -> tuple[dict[str, int], dict[str, int]]:
        """Building and development cards that can be had, and auction cards that nobody has seen."""
        setup, top = self.data.setup[self.n], self.top
        seen = Counter(self._cards(top, "out", "the cards that are out of the game"))
        seen.update(self._cards(top, "offer", "the auction cards face up") if "offer" in top else [])
        for player in players:
            seen.update(kind for kind in player["hand"] + player["unseen"] + player["pool"] if kind != UNKNOWN)
        built = Counter(place["type"] for name, place in self.city.places.items() if name[1:].isdigit() and place["type"])
        stock, reserve = {}, {}
        for kind in self.data.kinds:
            number, left = seen[kind.text], None
            if kind.family == "buildings":
                letter, here = kind.text[1], 0
                if letter in TYPES:
                    here = setup.buildings
                    left = stock[kind.text] = here - built[letter]
                elif letter == "S" and "S" in self.city.places and self.step not in ("board", "place"):
                    here = setup.stations
                    owners = {link["owner"] for link in self.city.links if "S" in (link["from"], link["to"])}
                    left = stock[kind.text] = max(0, here - len(owners))
                elif letter == "S":
                    left = stock[kind.text] = 0
                if left is not None and left < 0:
                    raise ValueError(f"[players]: {built[letter]} buildings of type {letter}; there are {here}")
            elif kind.family == "development":
                left = stock[kind.text] = setup.development - number
            elif kind.family == "auction":
                left = reserve[kind.text] = kind.copies - number
            if left is not None and left < 0:
                raise ValueError(f"{kind.text}: {number} cards with the players, on offer and out of the game; there are {number + left}")
        return stock, {kind: left for kind, left in reserve.items() if left}

    def _supply(self) -> int:
        """Passengers in the supply: it follows from the others, but in the set-up."""
        extra = self.numbers["expansions"]["station"]["passengers"] if "S" in self.city.places else 0
        whole = self.numbers["start"]["passengers"] + extra
        left = whole - sum(place["passengers"] for place in self.city.places.values())
        if left < 0:
            raise ValueError(f"[passengers]: {whole - left} in all; there are {whole}")
        if self.step in ("board", "place"):
            return self.top.whole("supply", 0, 99, 0)
        if self.top.whole("supply", 0, 99, left, "passengers,") != left:
            raise self.top.error(
                "supply", f"{self.top.data['supply']}, but {left} are not in the city; one of them is wrong, or leave it out"
            )
        return left

    # --- what is going on ---

    def _auction(self) -> dict:
        if self.step != "bid":
            if "auction" in self.top:
                raise self.top.error("auction", f'belongs to the step "bid", but the step is {show(self.step)}; leave it out')
            return {"high": 0, "bidder": None, "folded": [], "free": 0, "new_order": [None] * self.n}
        if self.n < 2:
            raise self.top.error("step", '"bid": there is no auction with one player')
        section = self.top.section("auction", ["high", "bidder", "folded"])
        high = section.whole("high", 0, self.numbers["auction"]["highest"], 0)
        bidder = section.whole("bidder", 0, self.n - 1, what="the number of the player who bids most,") if high else None
        folded = section.wholes("folded", "the players who have folded, in that order", [])
        if len(set(folded)) != len(folded) or not set(folded) <= set(range(self.n)) or len(folded) >= self.n:
            raise section.error(
                "folded", f"[{', '.join(map(show, folded[:9]))}] is not allowed; expected players who have folded, in that order"
            )
        if self.on_turn in folded or self.on_turn == bidder or bidder in folded:
            raise section.error(
                "folded", f"player {self.on_turn} cannot be asked here; expected one who has neither folded nor the high bid"
            )
        order: list[int | None] = [None] * self.n
        for place, seat in enumerate(folded):
            order[self.n - 1 - place] = seat
        return {"high": high, "bidder": bidder, "folded": sorted(folded), "free": self.n - len(folded), "new_order": order}

    def _action(self) -> dict:
        action = dict(NO_ACTION)
        if self.step == "discard":
            section = self.top.section("discards", ["count", "last", "purging"])
            action["discards"] = section.whole("count", 0, max(0, self.numbers["administration"]["most"] - 1), 0)
            last = section.text("last", "the kind of card discarded last", "")
            if last and last not in self.data.kind_numbers:
                raise section.error("last", f"{show(last)} is no kind of card; expected one such as s1")
            action["last"] = self.data.kind_numbers.get(last, 0)
            action["purging"] = section.value("purging", bool, "true or false", False) if "purging" in section else False
        if self.step in ("buy", "market"):
            action |= self._bonus()
        return action

    def _bonus(self) -> dict:
        """What is bought at the end of a trip that is paid for."""
        section = self.top.section("bonus", ["from", "to", "rides", "budget", "bought", "last"])
        origin = self.city.place(section, "from")
        here, rides = origin, []
        for text in section.texts("rides", 'the links of the trip, such as ["K 0", "Ba 1"]'):
            there, _, owner = text.partition(" ")
            if not owner.isdecimal() or look.link_between({"links": self.city.links}, here, there, int(owner[:3])) is None:
                raise section.error("rides", f"{show(text)}: there is no such link from {here}")
            rides.append([there, int(owner)])
            here = {"V": "W", "W": "V"}.get(there, there) if {"V", "W"} <= self.city.places.keys() else there
        wanted = ("L", "F") if self.step == "buy" else ("C",)
        if not 1 <= len(rides) <= self.numbers["trips"]["longest"] or (self.city.places[here]["type"] or here) not in wanted:
            raise section.error(
                "rides", f"expected a trip that ends at {'a Leisure or the Funfair' if self.step == 'buy' else 'a Commerce'}"
            )
        if section.text("to", "where the trip ends", here) != here:
            raise section.error("to", f"the trip ends at {here}")
        money = self.sides[self.on_turn].whole("money", 0, NUMBERS["money"], USUAL["money"])
        most, kinds = self.numbers["commerce"]["most"], [kind.text for kind in self.data.kinds if kind.family == "development"]
        return {
            "kind": "move",
            "from": origin,
            "to": here,
            "here": here,
            "rides": rides,
            "budget": section.whole("budget", 0, money, money, "coins that may be spent,"),
            "bought": section.whole("bought", 0, max(0, most - 1), 0, "cards bought already,"),
            "last": section.whole("last", 0, len(kinds) - 1, 0),
        }

    def finished(self) -> dict:
        """The plain data, the action so far played."""
        from wattman.engine.games import load_game

        game = load_game("tramways", **{key: self.options[key] for key in ("players", "expansions", "data")})
        info = game.info_from_dict(self.plain)
        if self.so_far and self.step not in ("kind", "bid"):
            raise self.top.error("so_far", f'belongs to the steps "kind" and "bid", but the step is {show(self.step)}; leave it out')
        for text in self.so_far:
            if info.game.event_to_string(game.string_to_event(text)).split(" ")[0] in CHANCE or info.current_player() != self.on_turn:
                raise self.top.error("so_far", f"{show(text)} is not possible here")
            try:
                info.admit(text)
            except ValueError as error:
                raise self.top.error("so_far", f"{show(text)}: {error}") from None
        self._possible(info)
        return game.info_to_dict(info) | {"assumed": self.notes} if self.so_far else self.plain | {"assumed": self.notes}

    def _possible(self, info) -> None:
        """Something can happen next."""
        if self.step == "over":
            return
        world = info.sample(0)
        if world.is_chance_node():
            if not world.chance_outcomes():
                raise self.top.error("step", f"{show(self.step)}: there is nothing to be drawn")
        elif info.current_player() == self.player and not info.legal_actions():
            raise self.top.error("step", f"{show(self.step)}: player {self.player} can do nothing here")


# --- writing ---


def to_file(data: dict) -> dict:
    """Plain data as a position file's tables."""
    from wattman.engine.games.tramways import writing

    return writing.tables(data)


TEMPLATE = """\
# A position of Tramways: what one player knows at one moment. Change it to what lies on your table, then: wattman analyze FILE
# Boards, links and what you hold are enough to start; most else may be left out, and is then assumed.
# Cards are written by their kinds, with a number behind: "s1 A2 d1 x2"; a ? is a card of another's hand that you do not know.
game = "tramways"
player = 0                # your seat; the players are numbered from 0
to_move = 0               # who decides
step = "kind"             # kind: an action is to be chosen; bid: the auction; take: an auction card; discard: administration
# so_far = ["build", "from Aa"]  # an action that has begun
round = 2
part = 1                  # of the round's actions: 1 (one each) or 2 (two each)
left = 1                  # actions that who is to move has left, this one included
order = [0, 1]            # players in turn order
arrivals = "RICLR"        # types of the round tiles, from round 1 on
boards = ["A.0", "C.1", "E.0", "H.2"]  # row by row: letter, and quarter turns clockwise
# Links: the owner, both ends, the squares from the first end to the second, and perhaps "upgraded".
links = ["0: Aa-A1 1.1", "1: Ab-A2 3.4"]
# offer = "t3 t9"         # auction cards face up
# out = "s2 t4"           # cards that have left the game

[options]
players = 2
# expansions = "full"     # or base, or names joined by +: station stock_exchange park funfair airports
# data = "tramways"       # or the path of a file of your own, with other boards, cards and numbers

[tiles]                   # special tiles: the left or upper square, "v" behind it if two squares stand upright
S = "4.3"

[passengers]              # where they wait
Aa = 2
Ab = 1
Ca = 1
Cb = 2
S = 2

[you]
hp = 2
money = 4
stress = 1
workers = 1
hand = "A1 s1 s2 s3 t7"
deck = "C1"               # in any order
pool = "E2 H1"
parcels = ["A1", "C1", "E2", "H1"]  # "D1 R": with a Residence; "D1 RR": with two places

[players.1]
hp = 1
money = 2
workers = 1
hand = "t2 ? ? ?"         # a card that you know, and three that you do not
deck = 3                  # cards in the deck
unseen = "A2 C2 E1 s1 s2 s3"  # those of his cards that are in his deck or hidden in his hand
pool = "H2"
parcels = ["A2", "C2", "E1", "H2"]
"""
