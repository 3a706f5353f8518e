"""Portland's position files: a person's layout to plain data and back. The layout is described by `TEMPLATE`.

Plain data is what ``Game.info_from_dict`` takes (see `_portland_dict.pyx`): seats instead of "you", cards as counts by type, everything
filled in. What a file leaves out is assumed as `_portland_assumed` says, and told by `remarks`.
"""

from __future__ import annotations

import difflib
from collections import Counter

from wattman.engine.games import _portland_assumed as assumed
from wattman.engine.games._portland_board import WILD, Board, load_board
from wattman.engine.tomlfile import Section, listed, show

STEPS = ("turn", "second", "keep", "pay", "choose", "over")
OTHER_STEPS = ("deal", "refill", "deal tickets", "draw", "draw second", "offer")  # between decisions: the program writes them
AFTER = ("", "tickets", "second", "turn")
_TOP = [
    *("game", "player", "to_move", "step", "after", "claiming", "turns_left", "skips", "resets", "market", "draw_pile", "discards"),
    *("reshuffles", "options", "you", "players", "tickets", "memory"),
]
_YOU = ["hand", "tickets", "routes", "returned", "offered", "chosen", "score", "trains"]
_OTHER = ["cards", "known", "tickets", "known_tickets", "routes", "offered", "chosen", "score", "trains"]


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
    return _Reader(data, options).plain


class _Reader:
    """Reads one file."""

    def __init__(self, data: dict, options: dict):
        self.board: Board = load_board(options["board"], options["players"])
        self.n: int = options["players"]
        self.options = options
        self.notes: list[str] = []  # what was assumed
        top = self.top = Section(data, "", _TOP)
        self.player = top.whole("player", 0, self.n - 1, 0, "the number of your seat,")
        self.step = top.word("step", [*STEPS, *OTHER_STEPS], "turn")
        mover = top.whole("to_move", 0, self.n - 1, self.player, "the number of the player on turn,")
        sides = self._sides()
        self.plain = plain = {
            "game": "portland",
            "options": dict(options),
            "player": self.player,
            "to_move": -4 if self.step == "over" else mover if self.step in STEPS else -1,
            "step": self.step,
            "on_turn": mover,
            "after": top.word("after", AFTER, "") if self.step == "refill" else "",
            "claiming": self._claiming(),
            "resets": top.whole("resets", 0, 10, 0),
            "skips": top.whole("skips", 0, self.n, 0),
            "turns_left": 0,
            "market": {},
            "draw_pile": 0,
            "discards": {},
            "reshuffles": top.whole("reshuffles", 0, 250, 0),
            "tickets_left": 0,
            "returned": [],
            "offer": [],
            "players": [self._player(seat, section) for seat, section in enumerate(sides)],
        }
        self._check_routes(sides)
        plain["turns_left"] = self._turns_left()
        self._read_cards(sides)
        self._read_tickets(sides)
        if "memory" in top:
            plain["memory"] = top.section("memory").data
        plain["assumed"] = self.notes

    # --- players ---

    def _sides(self) -> list[Section]:
        """The table of each player, by seat."""
        others = self.top.section("players")
        for key in others.data:
            if not key.isdecimal() or int(key) >= self.n:
                raise ValueError(f"[players].{key[:20]}: no such seat; the players are {listed(range(self.n), 'and')}")
            if int(key) == self.player:
                raise ValueError(f"[players].{key}: that is your own seat; write it as [you]")
        sides = [others.section(str(seat), _OTHER) for seat in range(self.n)]
        sides[self.player] = self.top.section("you", _YOU)
        return sides

    def _player(self, seat: int, section: Section) -> dict:
        routes = self._names(section, "routes", list(self.board.route_numbers), "routes", "Parkrose--PDX:red")
        tickets = self._tickets_of(section, "tickets" if seat == self.player else "known_tickets")
        if seat == self.player:
            hand = self._cards(section, "hand", "your cards")
            count, held = sum(hand.values()), len(tickets)
            if "hand" not in section and self.step in ("turn", "second", "pay"):
                self.notes.append("[you].hand: left out, so you hold no cards")
            if "tickets" not in section and self.step not in ("choose", "deal", "deal tickets"):
                raise section.error("tickets", 'missing; expected a list of your tickets such as ["Hillsboro>Gresham", "OHSU>PDX"]')
        else:
            hand = self._cards(section, "known", "those of his cards that you know")
            known = sum(hand.values())
            count = section.whole("cards", 0, self.board.cards, max(known, self.board.hand), "the number of cards in his hand,")
            if count < known:
                raise section.error("cards", f"{count}, but {known} are known; expected at least {known}")
            most = len(self.board.tickets)
            early = self.step in ("choose", "deal", "deal tickets")
            usual = 0 if early else max(self.board.start_tickets.keep, len(tickets))
            held = section.whole("tickets", 0, most, usual, "the number of tickets that he holds,")
            if held < len(tickets):
                raise section.error("tickets", f"{held}, but {len(tickets)} are known; expected at least {len(tickets)}")
        return {
            "trains": 0,
            "score": 0,
            "routes": routes,
            "cards": count,
            "hand": hand,
            "tickets_held": held,
            "tickets": tickets,
            "offered": [],
            "chosen": [],
        }

    def _names(self, section: Section, key: str, known: list[str], what: str, example: str) -> list[str]:
        """A list of routes or tickets, in any case, with spaces for _ and the ends in any order."""
        folded = {name.casefold(): name for name in known}
        for name in known:
            folded.setdefault(_turned(name).casefold(), name)
        found: list[str] = []
        for text in section.texts(key, f'a list of {what} such as ["{example}"]', []):
            name = folded.get("_".join(text.split()).casefold())
            if name is None:
                close = difflib.get_close_matches(text[:60].casefold(), folded, 1)
                hint = f"did you mean {folded[close[0]]}?" if close else f"expected one such as {known[0]}"
                raise section.error(key, f"{show(text)} is not among the board's {what}; {hint}")
            if name in found:
                raise section.error(key, f"{name} is there twice")
            found.append(name)
        return found

    def _tickets_of(self, section: Section, key: str) -> list[str]:
        return self._names(section, key, list(self.board.ticket_numbers), "tickets", "Hillsboro>Gresham")

    def _partly_known(self, section: Section, key: str) -> list[str]:
        """A list of tickets in which "?" stands for those that are not known."""
        texts = section.texts(key, 'a list of tickets, "?" where you do not know it')
        known = Section({key: [text for text in texts if text != "?"]}, section.path)
        names = iter(self._tickets_of(known, key))
        return ["?" if text == "?" else next(names) for text in texts]

    # --- routes ---

    def _claiming(self) -> str:
        if self.step != "pay":
            if "claiming" in self.top:
                raise self.top.error("claiming", f'belongs to the step "pay", but the step is {show(self.step)}; leave it out')
            return ""
        section = Section({"claiming": [self.top.text("claiming", "the route that is being paid for")]})
        return self._names(section, "claiming", list(self.board.route_numbers), "routes", "Parkrose--PDX:red")[0]

    def _check_routes(self, sides: list[Section]) -> None:
        """Each route once, and none that is closed; trains and points follow."""
        owner: dict[str, int] = {}
        for seat, player in enumerate(self.plain["players"]):
            section, trains, score = sides[seat], self.board.trains[self.n], 0
            for name in player["routes"]:
                number = self.board.route_numbers[name]
                route = self.board.routes[number]
                if name in owner:
                    raise section.error("routes", f"{name} is claimed by player {owner[name]} too")
                other = self.board.routes[route.other].text if route.other >= 0 else ""
                if other in owner and owner[other] == seat:
                    raise section.error("routes", f"{name} and {other} are a double; nobody can have both")
                if other in owner and self.n <= self.board.one_of_a_double:
                    raise section.error("routes", f"{name} was closed when player {owner[other]} claimed {other}")
                owner[name] = seat
                trains -= route.length
                score += self.board.points(number)
            if trains < 0:
                raise section.error("routes", f"these take {-trains} trains more than the {self.board.trains[self.n]} that a player has")
            for key, value in (("trains", trains), ("score", score)):
                if section.whole(key, 0, 9999, value) != value:
                    told = "points" if key == "score" else "trains left"
                    raise section.error(
                        key, f"{section.data[key]}, but the routes make it {value} {told}; one of them is wrong, or leave it out"
                    )
            player["trains"], player["score"] = trains, score

    def _turns_left(self) -> int:
        low = [seat for seat, player in enumerate(self.plain["players"]) if player["trains"] <= self.board.last_round]
        if not low:
            if self.top.whole("turns_left", 0, self.n, 0):
                raise self.top.error(
                    "turns_left", f"the last round begins when a player has at most {self.board.last_round} trains; nobody has"
                )
            return 0
        expected = f"turns that are still to come in the last round, this one included: 1 to {self.n}"
        if self.step == "over":
            return 0
        # Who has just claimed ends his turn first; then the round begins.
        if self.step == "refill":
            return self.top.whole("turns_left", 0, self.n, 0)
        if "turns_left" not in self.top:
            trains = self.plain["players"][low[0]]["trains"]
            raise self.top.error(
                "turns_left", f"missing; player {low[0]} has {trains} trains left, so the last round has begun; expected the {expected}"
            )
        return self.top.whole("turns_left", 1, self.n, what=expected + ",")

    # --- cards ---

    def _cards(self, section: Section, key: str, what: str) -> dict[str, int]:
        """Cards by type, from a text such as ``red 3 blue pass``."""
        expected = f'{what}, such as "{self.board.types[0].id} 3 {WILD}"'
        counts: dict[str, int] = {}
        last = ""
        for word in section.text(key, expected, "").replace(",", " ").split():
            if word.isdecimal() and last:
                counts[last] += int(word[:4]) - 1
                last = ""
            elif word.casefold() in self.board.type_numbers:
                last = word.casefold()
                counts[last] = counts.get(last, 0) + 1
            elif word.isdecimal():
                raise section.error(key, f"{show(word)}: a number stands behind its type of card; expected {expected}")
            else:
                types = ", ".join(self.board.type_numbers)
                raise section.error(key, f"{show(word)} is no type of card; types are: {types}")
        for kind, count in counts.items():
            most = self.board.types[self.board.type_numbers[kind]].count
            if count > most:
                raise section.error(key, f"{count} cards {kind}; there are {most}")
        return {kind: count for kind, count in counts.items() if count}

    def _read_cards(self, sides: list[Section]) -> None:
        """Market, discards and draw pile; what is left out is assumed."""
        top, plain, board = self.top, self.plain, self.board
        places: dict[str, Counter] = {}
        for seat, player in enumerate(plain["players"]):
            places[f"{sides[seat].path}.{'hand' if seat == self.player else 'known'}"] = Counter(player["hand"])
        hands = sum(player["cards"] for player in plain["players"])
        if isinstance(top.data.get("discards"), int):
            number = top.whole("discards", 0, board.cards)
        elif "discards" in top:
            places["discards"] = Counter(self._cards(top, "discards", "the discarded cards"))
            number = places["discards"].total()
        else:
            number = None
        early = self.step in ("deal", "deal tickets") or (self.step == "refill" and plain["after"] == "tickets")
        if "market" in top or self.step in OTHER_STEPS:
            places["market"] = Counter(self._cards(top, "market", "the face-up cards"))
        self._check_copies(places)
        left = Counter({kind.id: kind.count for kind in board.types})
        for there in places.values():
            left.subtract(there)
        if "market" not in places:
            room = board.cards - hands - (number or 0) - top.whole("draw_pile", 0, board.cards, 0)
            places["market"] = assumed.market(board, left, min(board.face_up, max(0, room)))
            left.subtract(places["market"])
            self.notes.append(f"market: left out; assumed: {written(board, places['market'])}")
        if places["market"].total() > board.face_up:
            raise top.error("market", f"{places['market'].total()} cards; {board.face_up} lie face up")
        rest = board.cards - hands - places["market"].total()
        if rest < 0:
            raise ValueError(f"cards: {board.cards - rest} in hands and face up; there are {board.cards}")
        if number is None:
            if "draw_pile" in top:
                number = rest - top.whole("draw_pile", 0, rest, what="the number of cards in the draw pile,")
            else:
                spent = sum(board.routes[board.route_numbers[route]].length for player in plain["players"] for route in player["routes"])
                number = 0 if early else min(spent, rest if spent <= rest else rest // 2)
            if number:
                told = f"{number} cards, what the claimed routes took" if "draw_pile" not in top else f"{number} cards, of no known types"
                self.notes.append(f"discards: left out; assumed: {told}")
        if number > rest:
            raise top.error("discards", f"{number} cards, but hands and market leave only {rest} of {board.cards}")
        if "discards" not in places:
            claimed = [board.routes[board.route_numbers[route]] for player in plain["players"] for route in player["routes"]]
            places["discards"] = assumed.discards(board, left, claimed, number)
        draw_pile = top.whole("draw_pile", 0, board.cards, rest - number, "the number of cards in the draw pile,")
        if draw_pile != rest - number:
            raise top.error(
                "draw_pile", f"{draw_pile} cards, but hands, market and discards leave {rest - number} of {board.cards}; expected that"
            )
        if self.step == "turn" and places["market"].total() < board.face_up and draw_pile + number:
            raise top.error("market", f"{places['market'].total()} cards; {board.face_up} lie face up while there are cards in the piles")
        plain["market"], plain["discards"], plain["draw_pile"] = dict(places["market"]), dict(places["discards"]), draw_pile

    def _check_copies(self, places: dict[str, Counter]) -> None:
        for kind in self.board.types:
            there = {place: cards[kind.id] for place, cards in places.items() if cards[kind.id]}
            if sum(there.values()) > kind.count:
                where = listed(there, "and")
                raise ValueError(f"{list(there)[-1]}: {sum(there.values())} cards {kind.id} ({where}); there are {kind.count}")

    # --- tickets ---

    def _read_tickets(self, sides: list[Section]) -> None:
        """Who holds what, what is on offer, and the ticket deck: those never offered, and those returned, the next one first."""
        plain, board, you = self.plain, self.board, sides[self.player]
        self._read_offers(sides)
        returned_by_you = self._tickets_of(you, "returned")
        deck = self.top.section("tickets", ["left", "returned"])
        returned = self._returned(deck, returned_by_you)
        self._once(sides, returned)
        out = sum(player["tickets_held"] + len(player["offered"]) for player in plain["players"]) + len(plain["offer"])
        left = len(board.tickets) - out - len(returned)
        if left < 0:
            raise ValueError(f"tickets: {len(board.tickets) - left} held, offered and returned; there are {len(board.tickets)}")
        if deck.whole("left", 0, len(board.tickets), left) != left:
            raise deck.error(
                "left",
                f"{deck.data['left']}, but {out} are held or offered and {len(returned)} returned of {len(board.tickets)}; expected {left}",
            )
        plain["tickets_left"], plain["returned"] = left, returned

    def _returned(self, deck: Section, by_you: list[str]) -> list[str]:
        """The returned tickets, the next one first; without a list, as few as the players' numbers of tickets allow."""
        if "returned" in deck:
            found = self._partly_known(deck, "returned")
            missing = [ticket for ticket in by_you if ticket not in found]
            if missing:
                raise deck.error("returned", f"{missing[0]} is not among them, but [you].returned says that you gave it back")
            return found
        start = self.board.start_tickets
        if self.step in ("choose", "deal", "deal tickets") or (self.step == "refill" and self.plain["after"] == "tickets"):
            return []
        found = []
        for seat, player in enumerate(self.plain["players"]):
            if seat == self.player:
                found += by_you or ["?"] * max(0, start.offered - player["tickets_held"])
            else:
                found += ["?"] * max(0, start.offered - player["tickets_held"])
        return found

    def _read_offers(self, sides: list[Section]) -> None:
        plain, you = self.plain, sides[self.player]
        mover = plain["on_turn"]
        start = self.board.start_tickets.offered
        if self.step in ("keep", "offer", "deal tickets"):
            if mover == self.player:
                plain["offer"] = self._tickets_of(you, "offered")
                if not plain["offer"] and self.step == "keep":
                    raise you.error(
                        "offered", f"missing; expected a list of the tickets offered to you, in order ({show(self.step)} is the step)"
                    )
            elif isinstance(sides[mover].data.get("offered"), list):
                plain["offer"] = self._partly_known(sides[mover], "offered")
            else:
                offered = self.board.more_tickets.offered if self.step == "keep" else 0
                plain["offer"] = ["?"] * sides[mover].whole("offered", 0, 3, offered, "the number of tickets offered to him,")
        if self.step not in ("choose", "deal tickets"):
            return
        for seat, (section, player) in enumerate(zip(sides, plain["players"], strict=True)):
            dealt = self.step == "choose" or seat < mover
            if self.step == "deal tickets" and seat == mover:
                continue  # being dealt: the offer
            if seat == self.player:
                player["offered"] = self._tickets_of(section, "offered")
                if len(player["offered"]) != (start if dealt else 0):
                    raise section.error(
                        "offered", f"{len(player['offered'])} tickets; expected the {start if dealt else 0} offered to you, in order"
                    )
            else:
                player["offered"] = ["?"] * (start if dealt else 0)
            if self.step == "choose" and seat < mover:
                player["chosen"] = (
                    section.wholes("chosen", "which of the offered ones you keep, by their places from 1") if seat == self.player else ["?"]
                )

    def _once(self, sides: list[Section], returned: list[str]) -> None:
        """No ticket in two places."""
        places: dict[str, str] = {}
        plain = self.plain
        entries = [(f"{sides[seat].path}.tickets", player["tickets"]) for seat, player in enumerate(plain["players"])]
        entries += [(f"{sides[seat].path}.offered", player["offered"]) for seat, player in enumerate(plain["players"])]
        entries += [(f"{sides[plain['on_turn']].path}.offered", plain["offer"]), ("returned", returned)]
        for place, names in entries:
            for name in names:
                if name != "?" and name in places:
                    raise ValueError(f"{place}: {name} is in {places[name]} too")
                places[name] = place


def _turned(name: str) -> str:
    """A route or ticket with its ends the other way round."""
    if ">" in name:
        a, _, b = name.partition(">")
        return f"{b}>{a}"
    ends, _, kind = name.partition(":")
    a, _, b = ends.partition("--")
    return f"{b}--{a}:{kind}"


def written(board: Board, cards: dict[str, int]) -> str:
    """Cards as a file writes them."""
    return " ".join(kind.id if cards[kind.id] == 1 else f"{kind.id} {cards[kind.id]}" for kind in board.types if cards.get(kind.id))


# --- writing ---


def to_file(data: dict) -> dict:
    """Plain data of one player's knowledge as the tables of a position file.

    Raises
    ------
    ValueError
        If `data` is the whole truth and not one player's knowledge.
    """
    if data["player"] < 0:
        raise ValueError("a position file holds what one player knows, not the whole truth")
    board = load_board(data["options"]["board"])
    table = {"game": data["game"], "player": data["player"], "to_move": data["on_turn"], "step": data["step"]}
    for key in ("after", "claiming", "turns_left", "skips", "resets"):
        if data[key]:
            table[key] = data[key]
    table["market"], table["draw_pile"] = written(board, data["market"]), data["draw_pile"]
    table["discards"], table["reshuffles"] = written(board, data["discards"]), data["reshuffles"]
    table["options"] = dict(data["options"])
    others = {}
    for seat, player in enumerate(data["players"]):
        if seat == data["player"]:
            side = table["you"] = {
                "hand": written(board, player["hand"]),
                "tickets": list(player["tickets"]),
                "routes": list(player["routes"]),
            }
        else:
            side = others[str(seat)] = {"cards": player["cards"]}
            if player["hand"]:
                side["known"] = written(board, player["hand"])
            side["tickets"] = player["tickets_held"]
            if player["tickets"]:
                side["known_tickets"] = list(player["tickets"])
            side["routes"] = list(player["routes"])
        offered = player["offered"] or (data["offer"] if seat == data["on_turn"] else [])
        if seat == data["player"] and offered:
            side["offered"] = list(offered)
        elif data["step"] in ("keep", "offer", "deal tickets") and seat == data["on_turn"] != data["player"]:
            side["offered"] = list(offered) if set(offered) - {"?"} else len(offered)
        if player["chosen"] and seat == data["player"]:
            side["chosen"] = list(player["chosen"])
    table["players"] = others
    table["tickets"] = {"left": data["tickets_left"], "returned": list(data["returned"])}
    if data.get("memory"):
        table["memory"] = data["memory"]
    return table


def remarks(data: dict) -> list[str]:
    """What was assumed because a file leaves it out, and slips to ask a person about.

    Parameters
    ----------
    data : dict
        Plain data as `from_file` gives it.
    """
    return list(data.get("assumed", []))


TEMPLATE = """\
# A position of Stop Requested: Portland: what one player knows at one moment. Change it to what lies on your table, then:
# wattman analyze FILE
# The claimed routes and your own tickets are enough to start; everything else may be left out, and is then assumed.
# Cards are written by type, with a number behind: "blue 3 red pass 2". Types: blue red green yellow orange streetcar wes tram teal fx,
# and pass for the Transit Pass.
# Routes are written as moves write them, "Parkrose--PDX:red", tickets "Hillsboro>Gresham"; the ends in any order.
game = "portland"
player = 0                # your seat; the players are numbered from 0, player 0 began the game
to_move = 0               # whose turn it is
step = "turn"             # of it: turn; second: one card is drawn; keep: tickets are offered; pay: a route is being paid for
market = "teal 2 red pass yellow"  # the face-up cards
# draw_pile = 67          # cards in it; it follows from the rest
# discards = "teal 4 green 3 red 2"  # the cards, or their number; left out: what the claimed routes took
# turns_left = 2          # once a player has two trains or fewer: turns still to come, this one included

[options]
players = 3
# board = "portland"      # or the path of a board file of your own
# payment = "shortfall"   # passes are spent only for what cards cannot cover; "free": as one likes

[you]
hand = "blue 3 red 2 pass"
tickets = ["Hillsboro>Gresham", "PSU>Parkrose"]
routes = ["Hillsboro--Willow_Creek:blue", "Parkrose--PDX:red"]
# returned = ["OHSU>PDX"] # tickets that you gave back, and that you know to be below in the deck
# offered = ["Kenton>Sellwood"]  # step keep: the tickets offered, in order
# score = 14              # if you write it (or trains), it must fit the routes: a check against slips

[players.1]
cards = 6                 # in his hand; left out: four
known = "teal 2"          # those of them that you saw him take
tickets = 2               # how many he holds; left out: two
routes = ["Killingsworth--St_Johns:teal"]

[players.2]
cards = 5
tickets = 3
routes = ["Gateway--Jade_District:green", "Goose_Hollow--PSU:gray"]

# The ticket deck. It follows from how many tickets the players hold, if nobody has drawn more:
# [tickets]
# left = 22               # that nobody has seen yet
# returned = ["?", "OHSU>PDX"]  # given back, the next one first
"""
