"""Positions of Tramways for tests: set up once, asked alike of the reference and of the engine.

The city of ``boards/tramways_small.toml``, with all tiles (the Station has two squares, and so on)::

       0 1 2 3 4   5 6 7 8 9
    0  2 . . . 1   . . . b .    A1, A2; Bb Leisure
    1  . X X . .   . . . . .
    2  . . . . K   . a . . .    Ba Industry
    3  . V . a .   . S S . .    Aa Residence
    4  b . . . .   . ^ . ~ 1    Ab Commerce; B1

    5  . . . F F   . . . . .
    6  . ~ ~ . .   . . . . .
    7  a . ^ ^ 1   a . W W .    Ca Commerce, C1; Da Industry
    8  . . . . .   . . . . .
    9  . . b . .   . . b . 1    Cb Industry; Db Residence, D1
"""

import tempfile
from collections import Counter
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest
from tramways_actions import KINDS_OF_ACTION
from tramways_city import EXPANSION_TILES, FILE, TYPES, parsed, written
from tramways_reference import Reference

from wattman import load_game

SMALL = Path(__file__).parent / "boards/tramways_small.toml"
BOARDS = [("A", 0), ("B", 0), ("C", 0), ("D", 0)]
PLACES = {"S": "3.6 3.7", "X": "1.1 1.2", "K": "2.4", "F": "5.3 5.4", "V": "3.1", "W": "7.7 7.8"}
BUILDING_KINDS = ("bR", "bC", "bL", "bI", "bS")
NUMBERS = {"coins": "money", "hp": "hp", "stress": "stress", "workers": "workers", "rails": "rails"}
NO_ACTION = {
    **dict.fromkeys(("kind", "from", "to", "type", "here"), ""),
    **dict.fromkeys(("cost", "budget", "bought", "last", "discards"), 0),
    **{name: [] for name in ("path", "rides", "named")},
    "purging": False,
}
EXPANSIONS = {"S": "station", "X": "stock_exchange", "K": "park", "F": "funfair", "V": "airports"}


def position(players=2, *, tiles="", **parts):
    """What makes a reference in a position of the small city with the special tiles `tiles`; see :meth:`Reference.from_parts`.

    Parcels that are not named in `owner` have none. What is a list by player may be shorter: the rest is as in the beginning, except that
    a player without cards gets one, D1: whoever can only pass is not asked, and the game would run on.
    """
    hands = parts.pop("hands", [])
    parts["hands"] = [cards or "D1" for cards in hands + [""] * (players - len(hands))]
    squares = {tile: [parsed(square) for square in PLACES[tile].split()] for tile in tiles}
    names = [name for tile, name in EXPANSIONS.items() if tile in tiles]
    for name, usual in (("coins", 3), ("workers", 2), ("hp", 0), ("stress", 0)):
        if name in parts:
            parts[name] = parts[name] + [usual] * (players - len(parts[name]))
    given = {"boards": BOARDS, "tiles": squares, "expansions": "+".join(names) or "base", "data": SMALL} | parts

    def make():
        game = Reference.from_parts(players, **deepcopy(given))
        game.conserved()
        return game

    return make


@cache
def variant(*changes):
    """Path of a data file like `SMALL` with other numbers: ``variant("rails = 24", "rails = 1")``."""
    text = SMALL.read_text(encoding="utf-8")
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert text.count(f"\n{old}\n") == 1, old
        text = text.replace(f"\n{old}\n", f"\n{new}\n")
    path = Path(tempfile.mkdtemp(prefix="wattman-")) / "variant.toml"
    path.write_text(text, encoding="utf-8")
    return path


class ReferenceTable:
    """A position on the reference's side. `make`: what makes it, so that it can be made again for trying something out."""

    def __init__(self, make, played=()):
        self.make = make
        self.game = make()
        self.played = []
        self.play(*played)

    @classmethod
    def start(cls, players=2, expansions="base", data=SMALL):
        """The beginning of a game."""
        return cls(lambda: Reference(players, expansions, data))

    def player(self):
        return self.game.current_player()

    def legal(self):
        return self.game.legal()

    def chance(self):
        return self.game.chance()

    def _apply(self, text):
        self.game.apply(text)
        self.game.conserved()

    def scores(self):
        return self.game.scores()

    def returns(self):
        return self.game.returns()

    def facts(self):
        return self.game.facts()

    # what follows uses only the above, for both sides

    def copy(self, *more):
        """The same table again, after `more` decisions."""
        return type(self)(self.make, [*self.played, *more])

    def apply(self, text):
        self._apply(text)
        self.played.append(text)

    def play(self, *texts):
        """Play `texts`, each of which must be possible."""
        for text in texts:
            possible = self.chance() if self.player() == -1 else self.legal()
            assert text in possible, f"{text!r} should be possible, there are {sorted(possible)}"
            self.apply(text)
        return self

    def draw(self, number=1000):
        """Let chance happen, `number` times at most: always the first outcome in the order of the texts."""
        while number and self.player() == -1:
            self.apply(min(self.chance()))
            number -= 1
        return self

    def act(self, *steps):
        """A whole action. Steps that the game made of itself, because nothing else was possible, are passed over.

        What has been done must be tested behind it: a step that is not allowed is passed over as well.
        """
        for step in steps:
            if step in self.legal():
                self.apply(step)
        return self

    def paid(self, pay, *steps):
        """A whole action: its steps, then the payment `pay`. These cards, and no others, must lie in the pool behind it."""
        mover = self.player()
        pool = self.facts()["pools"][mover]
        self.act(*steps, *[f"pay {card}" for card in pay.split()])
        if self.has("pay"):
            self.play("done")
        assert sorted([*pool, *pay.split()]) == self.facts()["pools"][mover], f"{pay} was not what was paid"
        return self

    def build(self, ends, path, pay):
        """A whole action that builds a link: ``build("Aa-K", "2.3", "s1 s3")``."""
        one, other = ends.split("-")
        return self.paid(pay, "build", f"from {one}", f"to {other}", *[f"lay {square}" for square in path.split()], "join")

    def upgrade(self, ends, pay):
        one, other = ends.split("-")
        return self.paid(pay, "upgrade", f"from {one}", f"to {other}")

    def move(self, origin, route, pay):
        """``move("Aa", "K0 Ba1", "s1 s3")``: from Aa over a link of player 0 to K, over one of player 1 to Ba."""
        return self.paid(pay, "move", f"at {origin}", *[f"ride {ride[:-1]} {ride[-1]}" for ride in route.split()], "stop")

    def payments(self, *steps):
        """All payments that may be made after `steps` of a whole action, each as words of kinds."""
        mover, found = self.player(), set()
        pool = Counter(self.facts()["pools"][mover])

        def follow(table):
            if table.has("pay"):
                for text in table.legal():
                    follow(table.copy(text))
            else:
                paid = Counter(table.facts()["pools"][mover]) - pool
                found.add(" ".join(sorted(paid.elements())))

        follow(self.copy().act(*steps))
        return found

    def numbers(self, player=0):
        """HP, coins, stress and workers of a player."""
        return tuple(self.facts()[name][player] for name in ("hp", "coins", "stress", "workers"))

    def hand(self, player=0):
        return " ".join(self.facts()["hands"][player])

    def link(self, ends, owner=0):
        """The squares of a link, sorted, and ``+`` if it is upgraded."""
        for names, whose, squares, upgraded in self.facts()["links"]:
            if (names, whose) == (ends, owner):
                return " ".join([*squares, *["+"] * upgraded])
        return None

    def has(self, verb):
        """The legal decisions that begin with `verb`, sorted, without it; in one text."""
        return " ".join(sorted(text.partition(" ")[2] or text for text in self.legal() if text.split()[0] == verb))

    def kinds(self):
        """The kinds of actions that are possible."""
        return " ".join(kind for kind in KINDS_OF_ACTION if kind in self.legal())


# ---------------------------------------------------------------------------------------------------- the engine


@cache
def loaded(**options):
    """The engine's game with these options: it is never changed, so one serves for all tests."""
    return load_game("tramways", **options)


def options(game):
    """The options of a reference as the engine takes them."""
    names = [name for name, tiles in EXPANSION_TILES.items() if set(tiles) & set(game.tiles_in_play)]
    data = "tramways" if game.file == FILE else str(game.file)
    return {"players": game.players, "expansions": "+".join(names) or "base", "data": data}


def position_data(game):
    """A reference at the beginning of an action as the engine's plain data, for one who knows everything."""
    player, part, left = game.began
    facts = game.facts()
    places = {
        name: {
            "squares": [written(square) for square in squares],
            "type": game.built[name][0] if name in game.built else game.city.printed.get(name, ""),
            "owner": game.owner.get(name),
            "room": game.capacity(name),
            "passengers": game.passengers[name],
        }
        for name, squares in game.city.terminals.items()
    }
    kinds = [*BUILDING_KINDS, *game.data.families["development"]]
    return {
        "player": player,
        "step": "kind",
        "on_turn": player,
        "round": game.round,
        "lap": part,
        "left": left,
        "turn": game.order.index(player),
        "dealt": 0,
        **{name: facts[name] for name in ("order", "boards", "offer", "supply")},
        "arrivals": "".join(game.arrivals),
        "type_tiles": {letter: game.type_tiles[letter] for letter in TYPES},
        "places": places,
        "links": [
            {
                "from": link.ends[0],
                "to": link.ends[1],
                "owner": link.owner,
                "path": list(map(written, link.squares)),
                "upgraded": link.upgraded,
            }
            for link in game.links
        ],
        "reserve": dict(game.reserve),
        "stock": {kind: game.stock[kind] for kind in kinds},
        "auction": {"high": 0, "bidder": None, "folded": [], "free": 0, "new_order": [None] * game.players},
        "action": NO_ACTION,
        "players": [
            {
                **{name: facts[other][seat] for name, other in (("hp", "hp"), ("money", "coins"), ("stress", "stress"))},
                **{name: facts[name][seat] for name in ("workers", "rails")},
                "hand": list(game.hands[seat].elements()),
                "deck": game.decks[seat].total(),
                "unseen": list(game.decks[seat].elements()),
                "pool": list(game.pools[seat].elements()),
            }
            for seat in range(game.players)
        ],
    }


def facts(table, out=None):
    """``Reference.facts()`` from the engine's description of a table; `out`: cards that count as out of the game from the start."""
    players, places = table["players"], table["places"]
    named, path = table["action"]["named"], table["action"]["path"]

    def cards(seat, name):
        more = named if name == "hand" and seat == table["on_turn"] else []
        return sorted([*players[seat][name], *more])

    def number(seat, name):
        laid = len(path) if name == "rails" and seat == table["on_turn"] else 0  # off the stock while the action goes on
        return players[seat][name] + laid

    gone = Counter(table["out"])
    gone.subtract(out or {})
    seats = range(len(players))
    return {
        "round": table["round"],
        "order": table["order"],
        "arrivals": list(table["arrivals"]),
        "boards": table["boards"],
        "tiles": {name: place["squares"] for name, place in places.items() if len(name) == 1},
        **{name: [number(seat, other) for seat in seats] for name, other in NUMBERS.items()},
        **{name: [cards(seat, other) for seat in seats] for name, other in (("hands", "hand"), ("decks", "unseen"), ("pools", "pool"))},
        "passengers": {name: place["passengers"] for name, place in places.items() if place["passengers"]},
        "supply": table["supply"],
        "links": sorted([f"{link['from']}-{link['to']}", link["owner"], sorted(link["path"]), link["upgraded"]] for link in table["links"]),
        "owner": dict(sorted((name, place["owner"]) for name, place in places.items() if place["owner"] is not None)),
        "built": {name: [place["type"], place["room"]] for name, place in sorted(places.items()) if name[1:].isdigit() and place["type"]},
        "stock": {kind: number for kind, number in sorted(table["stock"].items()) if number},
        "offer": sorted(table["offer"]),
        "out": sorted(gone.elements()),
    }


class EngineTable(ReferenceTable):
    """A position on the engine's side."""

    def __init__(self, make, played=()):
        self.make = make
        game = make()
        self.played = []
        if hasattr(game, "began"):
            self.state = loaded(**options(game)).info_from_dict(position_data(game)).sample(0)
        else:
            self.state = loaded(**options(game)).new_initial_state()
        self.out = self.state.to_dict()["out"] if hasattr(game, "began") else {}
        self.play(*played)

    def player(self):
        return self.state.current_player()

    def legal(self):
        return {self.state.action_to_string(action) for action in self.state.legal_actions()} if self.player() >= 0 else set()

    def chance(self):
        if not self.state.is_chance_node():
            return {}
        return {self.state.action_to_string(action): probability for action, probability in self.state.chance_outcomes()}

    def _apply(self, text):
        self.state.apply_action(self.state.string_to_action(text))

    def copy(self, *more):
        new = type(self).__new__(type(self))
        new.make, new.played, new.state, new.out = self.make, list(self.played), self.state.clone(), self.out
        return new.play(*more)

    def scores(self):
        return list(self.state.scores())

    def returns(self):
        return list(self.state.returns())

    def facts(self):
        return facts(self.state.to_dict(), self.out)


SIDES = [pytest.param(ReferenceTable, id="reference"), pytest.param(EngineTable, id="engine")]
