"""Tramways' table as people see it at the terminal: the city with rails and passengers, the players, cards on offer, one's hand."""

from __future__ import annotations

from itertools import pairwise

from rich.text import Text

from wattman.engine.drawing import Piece, clip, ends, join, table, text
from wattman.engine.games.tramways import view as look
from wattman.engine.games.tramways.view import STYLES, TYPE_STYLES, City, Place, Square

WIDTH = 98
_GROUND = {".": "·", "~": "~", "^": "^"}
_GROUND_STYLES = {".": "faint", "~": "#4f9fdf", "^": "#b08050"}
STEPS = {
    "bid": "to bid or fold",
    "take": "to take a card",
    "kind": "to act",
    "from": "to say from where",
    "to": "to say to where",
    "lay": "to lay rails",
    "at": "to say where",
    "type": "to say which type",
    "ride": "to move a passenger",
    "pay": "to pay with cards",
    "buy": "to buy happiness points",
    "market": "to buy cards",
    "discard": "to discard",
    "draw": "to draw cards",
}


def draw(view: dict) -> Text:
    """The table.

    Parameters
    ----------
    view : dict
        Plain data of a player's knowledge, or of the truth (``player`` -1, drawn with all hands open). A key ``names`` may name the
        players, by seat.

    Returns
    -------
    rich.text.Text
        Lines of at most 100 columns.
    """
    parts = [*_head(view), "", *_map(view), "", *_players(view), "", *_common(view)]
    for seat in [view["player"]] if view["player"] >= 0 else range(len(view["players"])):
        parts += ["", *_hand(view, seat)]
    return join(parts)


# --- what is going on ---


def headline(view: dict) -> str:
    """What is going on, in words."""
    step = view["step"]
    if step == "over":
        return "the game is over"
    rounds = look.data_of(view).numbers["course"]["rounds"]
    if step in ("board", "place", "parcel", "order", "arrivals"):
        return "the game is being set up"
    head = f"round {view['round']} of {rounds} · "
    if step == "reveal":
        return head + "auction cards are revealed"
    who = look.player_name(view, view["on_turn"])
    if step == "bid":
        auction = view["auction"]
        high = f", high bid {auction['high']} of player {auction['bidder']}" if auction["high"] else ""
        return f"{head}{who} {STEPS[step]}{high}"
    if step == "kind":
        number = "first" if view["lap"] == 0 else "second"
        left = f", {view['left']} actions left" if view["left"] > 1 else ""
        return f"{head}{number} part · {who} {STEPS[step]}{left}"
    return f"{head}{who} {STEPS.get(step, step)}"


def _head(view: dict) -> list[Text]:
    left = text(" ", (headline(view), "strong"))
    arrivals = [text(" arrivals "), *_arrivals(view)] if view["arrivals"] else []
    goal = f" · goal {look.data_of(view).numbers['solo']['goal']} HP" if len(view["players"]) == 1 else ""
    right = text(*arrivals, f" · supply {view['supply']}{goal} ")
    lines = [ends(left, right, WIDTH)] if left.cell_len + right.cell_len + 2 <= WIDTH else [left, ends("", right, WIDTH)]
    return lines + _progress(view)


def _arrivals(view: dict) -> list[Piece]:
    pieces: list[Piece] = []
    for number, letter in enumerate(view["arrivals"], 1):
        style = TYPE_STYLES[letter] if number >= view["round"] else "faint"
        pieces += [(f"[{letter}]" if number == view["round"] else letter, style), " "]
    return pieces[:-1]


def _progress(view: dict) -> list[Text]:
    """How far the action has come, in words."""
    action = view["action"]
    if not action["kind"]:
        return []
    parts = [action["kind"]]
    parts += [f"{word} {action[word]}" for word in ("from", "to", "type") if action[word] and (word != "to" or not action["rides"])]
    if action["path"]:
        parts.append("over " + " ".join(action["path"]))
    if action["rides"]:
        parts.append("by " + ", ".join(f"{there} (link of player {owner})" for there, owner in action["rides"]))
    if action["named"]:
        parts.append("paying " + " ".join(action["named"]))
    return [text("   ", (", ".join(parts), "faint"))] if len(parts) > 1 else []


# --- the city ---


def _map(view: dict) -> list[Text]:
    """The city, two lines a row: on the first what a square is, on the second passengers, and rails that go on downwards."""
    city = look.city_of(view)
    size = 4 if city.columns <= 20 else 3
    margin = 5
    head = text(" " * margin, ("".join(str(column).ljust(size) for column in range(city.columns)), "faint"))
    head.rstrip()
    lines = [head]
    squares = _Squares(view, city, size)
    for row in range(city.rows):
        upper, lower = text((f" {row:>2}  ", "faint")), text(" " * margin)
        for column in range(city.columns):
            above, below = squares.cell((row, column))
            upper.append_text(above)
            lower.append_text(below)
        lower.rstrip()
        upper.rstrip()
        lines += [upper, lower]
    return lines


class _Squares:
    """Draws squares, `size` columns wide and two lines high."""

    def __init__(self, view: dict, city: City, size: int):
        self.view, self.city, self.size = view, city, size
        self.place_at, self.link_at = city.place_at(), city.link_at()
        self.joined: dict[Square, set[Square]] = {}  # squares that a rail goes on to
        for link, path in zip(view["links"], city.paths, strict=True):
            first, last = (city.places[link[end]].squares for end in ("from", "to"))
            for here, there in pairwise(path):
                self._join(here, there)
            for here, targets in ((path[0], first), (path[-1], last)):
                for there in [there for there in targets if look.beside(here, there)][:1]:
                    self._join(here, there)
        self.planned = {look.square(text) for text in view["action"]["path"]}

    def _join(self, a: Square, b: Square) -> None:
        self.joined.setdefault(a, set()).add(b)
        self.joined.setdefault(b, set()).add(a)

    def cell(self, at: Square) -> tuple[Text, Text]:
        if at in self.place_at:
            return self._place(at, self.place_at[at])
        if at in self.link_at:
            return self._rail(at, self.view["links"][self.link_at[at]])
        if at in self.planned:
            return self._line((" +", "strong"), text()), self._line(text(), text())
        sign = self.city.ground.get(at, " ")
        return self._line((f" {_GROUND.get(sign, ' ')}", _GROUND_STYLES.get(sign, "")), text()), self._line(text(), text())

    def _line(self, *pieces: Piece) -> Text:
        line = text(*pieces)
        line.append(" " * max(0, self.size - line.cell_len))
        return line

    def _rail(self, at: Square, link: dict) -> tuple[Text, Text]:
        row, column = at
        style = STYLES[link["owner"]]
        goes = self.joined.get(at, set())
        across, down = ("═", "║") if link["upgraded"] else ("─", "│")
        left = across if (row, column - 1) in goes else " "
        right = across * (self.size - 2) if (row, column + 1) in goes else ""
        below = f" {down}" if (row + 1, column) in goes else ""
        return self._line((f"{left}{link['owner']}{right}", style)), self._line((below, style))

    def _place(self, at: Square, place: Place) -> tuple[Text, Text]:
        name_style = STYLES[place.owner] if place.owner >= 0 else TYPE_STYLES.get(place.type, "strong")
        if not place.type and not place.parcel:  # the tiles where nobody waits
            name_style = "bold #8fbf3f" if place.name == "K" else "bold"
        first = self._line((f" {place.name}", name_style))
        if place.parcel and not place.type:
            owner = str(place.owner) if place.owner >= 0 else " "
            return first, self._line((f"({owner})", name_style))
        here, each = place.waiting(place.squares.index(at))
        people = "●" * here + "○" * (each - here)
        return first, self._line((f"{place.type}", TYPE_STYLES.get(place.type, "")), people) if place.type else self._line(text())


# --- players ---


def _players(view: dict) -> list[Text]:
    heads = ("", "", "", "HP", "$", "stress", "workers", "rails", "hand", "deck", "parcels", "pool")
    rows: list[list[Piece]] = [[(head, "faint") for head in heads]]
    order = [seat for seat in view["order"] if seat >= 0] or list(range(len(view["players"])))
    most = look.data_of(view).numbers["stress"]["most"]
    for position, seat in enumerate(order, 1):
        player = view["players"][seat]
        mark = "->" if seat == view["on_turn"] and view["step"] not in ("over", "reveal", "board", "place", "parcel", "order") else "  "
        track = "●" * player["stress"] + "○" * (most - player["stress"])
        numbers = (player["hp"], player["money"], f"{player['stress']:>2} {track}", player["workers"], player["rails"])
        parcels = [name + place["type"] * place["room"] for name, place in view["places"].items() if place["owner"] == seat]
        rows.append(
            [
                f" {mark}",
                f"{position}.",
                (f"{seat} {clip(look.player_name(view, seat), 14)}", STYLES[seat]),
                *map(str, numbers),
                str(len(player["hand"])),
                str(player["deck"]),
                " ".join(parcels),
                "",
            ]
        )
    lines = table([row[:-1] for row in rows], gap=2, right={3, 4, 6, 7, 8, 9})
    for seat in order:
        lines += _open_cards(view, seat)
    return lines


def _open_cards(view: dict, seat: int) -> list[Text]:
    """What all know of a player's cards: his pool, and of his hand those that he gained openly."""
    player = view["players"][seat]
    parts: list[tuple[str, str]] = []
    if seat != view["player"] and view["player"] >= 0:
        if player["hand"]:
            parts.append(("holds", look.holding(view, player)))
    elif player["unseen"]:
        parts.append(("deck", look.short(view, player["unseen"])))
    if player["pool"]:
        parts.append(("pool", look.short(view, player["pool"])))
    lines = []
    for title, words in parts:
        lines += _wrapped(text("   ", (f"{seat} ", STYLES[seat]), (title.ljust(6), "faint")), words.split(" "), 12)
    return lines


def _wrapped(head: Text, words: list[str], indent: int) -> list[Text]:
    """Words behind a head, on as many lines as they need."""
    lines = [head]
    for word in words:
        if lines[-1].cell_len + len(word) + 1 > WIDTH:
            lines.append(text(" " * indent))
        lines[-1].append(word + " ")
    for line in lines:
        line.rstrip()
    return lines


# --- what is for all ---


def _common(view: dict) -> list[Text]:
    stacks, development = look.stacks(view)
    lines = []
    if view["offer"]:
        lines += _titled("on offer", [look.card_text(view, kind, count) for kind, count in look.by_kind(view, view["offer"])])
    if stacks:
        lines += _titled("buildings", [look.card_text(view, kind, count) for kind, count in stacks])
    if development:
        lines += _titled("Commerce", [look.card_text(view, kind, count) for kind, count in development])
    if view["out"]:
        lines += _wrapped(
            text("   ", ("out".ljust(11), "faint")),
            look.short(view, [kind for kind, count in view["out"].items() for _ in range(count)]).split(" "),
            14,
        )
    return lines


def _titled(title: str, words: list[str], indent: int = 14) -> list[Text]:
    lines = [text("   ", (title.ljust(indent - 3), "faint"))]
    for word in words:
        gap = "  " if lines[-1].cell_len > indent else ""
        if lines[-1].cell_len + len(gap) + len(word) > WIDTH:
            lines.append(text(" " * indent))
            gap = ""
        lines[-1].append(gap + word)
    return lines


def _hand(view: dict, seat: int) -> list[Text]:
    player = view["players"][seat]
    title = "hand" if view["player"] >= 0 else f"hand {seat}"
    cards = [look.card_text(view, kind, count) for kind, count in look.by_kind(view, player["hand"])]
    return _titled(title, cards or ["no cards"])
