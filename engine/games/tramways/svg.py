"""Tramways' table as a picture: the city with terrain, buildings, rails and passengers, the players, cards on offer and one's hand."""

from __future__ import annotations

from wattman.engine.games.tramways import view as look
from wattman.engine.games.tramways.table import headline
from wattman.engine.games.tramways.view import PAINTS, City, Place, Square
from wattman.engine.svg import Sheet, text_width

INK = "#22313a"
PALE = "#5d6b72"
PAPER = "#f7f3e8"
WHITE = "#ffffff"
GROUND = {".": "#e4ebd6", "~": "#a9d0ee", "^": "#cdb08a"}
TILES = {"S": "#8a8f98", "X": "#c9b458", "K": "#79b84a", "F": "#c77dba", "V": "#9fb3c8", "W": "#9fb3c8"}
NAMES = {"S": "Station", "X": "Exchange", "K": "Park", "F": "Funfair", "V": "Airport", "W": "Airport"}
LEGEND = (
    "Green Residence, blue Commerce, red Leisure, yellow Industry. Discs are passengers, rings free places. Dashed parcels are empty.",
    "Rails have their owner's colour and number, a light line within an upgraded link. Parcels bear their owner's number.",
)
_LEFT, _TOP = 40, 104
_CARD = (92, 104)
_ICONS = {"w": "worker", "pax": "passenger", "con": "construct", "up": "upgrade", "calm": "calm", "lot": "parcel"}


def draw(view: dict) -> str:
    """The table as an SVG picture of plain data (`to_dict`)."""
    city = look.city_of(view)
    size = 64 if city.columns <= 15 else 50
    width = max(city.columns * size + 2 * _LEFT, 1080)
    bottom = _TOP + city.rows * size
    seats = len(view["players"])
    hands = [view["player"]] if view["player"] >= 0 else list(range(seats))
    per_line = int((width - 60) // (_CARD[0] + 10))
    hand_lines = [max(1, -(-len(view["players"][seat]["hand"]) // per_line)) for seat in hands]
    height = bottom + 68 + 62 * seats + 30 + 150 + sum(30 + line * (_CARD[1] + 8) for line in hand_lines)
    title = f"{look.data_of(view).label}: {headline(view)}"
    sheet = Sheet(width, height, PAPER, title)
    sheet.text(30, 38, headline(view), 24, fit=width - 60, fill=INK, font_weight="bold")
    _arrivals(sheet, view, 30, 64)
    _City(sheet, view, city, size).draw()
    for line, words in enumerate(LEGEND):
        sheet.text(30, bottom + 26 + 18 * line, words, 13, fit=width - 60, fill=PALE)
    top = bottom + 62
    for line, seat in enumerate(seat for seat in (view["order"] or range(seats)) if seat >= 0):
        _player(sheet, view, seat, line, top + 62 * line, width)
    top += 62 * seats + 24
    _stacks(sheet, view, top, width)
    top += 150
    for seat, lines in zip(hands, hand_lines, strict=True):
        whose = "your hand" if view["player"] >= 0 else f"hand of player {seat}"
        sheet.text(30, top, whose, 15, fill=PALE, font_weight="bold")
        for i, kind in enumerate(card for card in view["players"][seat]["hand"] if card != look.UNKNOWN):
            x, y = 30 + (i % per_line) * (_CARD[0] + 10), top + 10 + (i // per_line) * (_CARD[1] + 8)
            _card(sheet, view, kind, x, y)
        top += 30 + lines * (_CARD[1] + 8)
    return str(sheet)


def _arrivals(sheet: Sheet, view: dict, x: float, y: float) -> None:
    """The types of the rounds' arrivals; that of this round has a frame."""
    if not view["arrivals"]:
        return
    sheet.text(x, y, "arrivals after rounds 1, 2, ..", 14, fill=PALE)
    for number, letter in enumerate(view["arrivals"], 1):
        left = x + 170 + 34 * number
        paint = look.data_of(view).types[letter][1]
        edge = {"stroke": INK, "stroke_width": 3} if number == view["round"] else {"stroke": PALE, "stroke_width": 1}
        sheet.rect(left, y - 15, 24, 22, 4, fill=paint, opacity=1 if number >= view["round"] else 0.35, **edge)
        sheet.text(left + 12, y + 1, letter, 15, "middle", fill=WHITE, font_weight="bold")
    sheet.text(x + 170 + 34 * (len(view["arrivals"]) + 1) + 10, y, f"passengers in the supply: {view['supply']}", 14, fill=PALE)


# --- the city ---


class _City:
    def __init__(self, sheet: Sheet, view: dict, city: City, size: int):
        self.sheet, self.view, self.city, self.size = sheet, view, city, size

    def corner(self, at: Square) -> tuple[float, float]:
        return _LEFT + at[1] * self.size, _TOP + at[0] * self.size

    def middle(self, at: Square) -> tuple[float, float]:
        x, y = self.corner(at)
        return x + self.size / 2, y + self.size / 2

    def draw(self) -> None:
        self._ground()
        for place in self.city.places.values():
            self._place(place)
        for link, path in zip(self.view["links"], self.city.paths, strict=True):
            self._link(link, path)
        self._planned()

    def _ground(self) -> None:
        size = self.size
        for at, sign in {**dict.fromkeys(self.city.place_at(), "."), **self.city.ground}.items():
            x, y = self.corner(at)
            self.sheet.rect(x, y, size, size, fill=GROUND[sign], stroke="#ffffff", stroke_width=1)
            if sign == "~":
                for dy in (0.35, 0.62):
                    start, step = f"{x + size * 0.2:.1f} {y + size * dy:.1f}", size * 0.15
                    wave = f"M{start} q{step:.1f} -{step * 0.8:.1f} {2 * step:.1f} 0 t{2 * step:.1f} 0"
                    self.sheet.path(wave, fill="none", stroke="#6fa9d6", stroke_width=2)
            if sign == "^":
                peak = [(x + size * a, y + size * b) for a, b in ((0.18, 0.75), (0.45, 0.28), (0.6, 0.52), (0.68, 0.42), (0.85, 0.75))]
                self.sheet.polygon(peak, fill="#9c7b52", stroke="#7d6040", stroke_width=1)
        for row in range(0, self.city.rows, self.city.size):
            for column in range(0, self.city.columns, self.city.size):
                if (row, column) in self.city.ground:
                    x, y = self.corner((row, column))
                    edge = self.city.size * size
                    self.sheet.rect(x, y, edge, edge, fill="none", stroke=PALE, stroke_width=2)
        for row in range(self.city.rows):
            self.sheet.text(_LEFT - 8, self.middle((row, 0))[1] + 5, str(row), 13, "end", fill=PALE)
        for column in range(self.city.columns):
            self.sheet.text(self.middle((0, column))[0], _TOP - 5, str(column), 13, "middle", fill=PALE)

    def _place(self, place: Place) -> None:
        size = self.size
        corners = [self.corner(at) for at in place.squares]
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        width = max(x for x, _ in corners) + size - left
        height = max(y for _, y in corners) + size - top
        empty = place.parcel and not place.type
        own = PAINTS[place.owner] if place.owner >= 0 else PALE
        if place.name in TILES:
            paint = TILES[place.name]
        else:
            paint = "#f4efdf" if empty else look.data_of(self.view).types[place.type][1]
        edge = {"stroke": own if place.parcel else INK, "stroke_width": 4 if place.parcel else 2}
        self.sheet.rect(left + 4, top + 4, width - 8, height - 8, 7, fill=paint, stroke_dasharray="6 4" if empty else None, **edge)
        ink = INK if empty or place.name in ("X", "K") else WHITE
        name = NAMES.get(place.name, place.name)
        letters = min(15.0, (width - 14) / text_width(name, 1))
        self.sheet.text(left + width / 2, top + 20, name, letters, "middle", fill=ink, font_weight="bold")
        if place.name in NAMES and len(place.squares) == 1:
            self.sheet.text(left + width / 2, top + height - 12, place.name, 15, "middle", fill=ink)
        elif place.name in ("X", "F", "W"):
            self.sheet.text(left + width / 2, top + height / 2 + 14, place.name, 16, "middle", fill=ink)
        if place.parcel and place.owner >= 0:
            self._badge(left + size - 13, top + size - 13, place.owner, 8)
        self._passengers(place)

    def _badge(self, x: float, y: float, seat: int, radius: float) -> None:
        self.sheet.circle(x, y, radius, fill=PAINTS[seat], stroke=WHITE, stroke_width=1.5)
        self.sheet.text(x, y + radius * 0.5, str(seat), radius * 1.5, "middle", fill=WHITE, font_weight="bold")

    def _passengers(self, place: Place) -> None:
        radius = self.size * 0.11
        for number, at in enumerate(place.squares):
            x, y = self.middle(at)
            here, each = place.waiting(number)
            for spot in range(each):
                cx = x + (spot - (each - 1) / 2) * radius * 2.4
                cy = y + self.size * 0.13
                fill = WHITE if spot < here else "none"
                self.sheet.circle(cx, cy, radius, fill=fill, stroke=INK if spot < here else WHITE, stroke_width=2)

    def _link(self, link: dict, path: list[Square]) -> None:
        """A link's tiles, and the short ends that lead to its buildings."""
        if not path:
            return
        paint, size = PAINTS[link["owner"]], self.size
        points = [self.middle(at) for at in path]
        for end, at, where in ((link["from"], path[0], 0), (link["to"], path[-1], len(points) + 1)):
            squares = self.city.places[end].squares
            near = next((other for other in squares if look.beside(at, other)), None)
            if near is not None:
                x, y = self.middle(at)
                dx, dy = near[1] - at[1], near[0] - at[0]
                points.insert(where, (x + dx * size * 0.56, y + dy * size * 0.56))
        line = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.sheet.path(line, fill="none", stroke=WHITE, stroke_width=13, stroke_linejoin="round", stroke_linecap="round", opacity=0.9)
        self.sheet.path(line, fill="none", stroke=paint, stroke_width=9, stroke_linejoin="round", stroke_linecap="round")
        if link["upgraded"]:
            self.sheet.path(line, fill="none", stroke=WHITE, stroke_width=2.4, stroke_linejoin="round")
        for at in path:
            self._badge(*self.middle(at), link["owner"], size * 0.14)

    def _planned(self) -> None:
        """Tiles of a link that is being laid, not paid for yet."""
        for text in self.view["action"]["path"]:
            x, y = self.middle(look.square(text))
            self.sheet.circle(x, y, self.size * 0.2, fill="none", stroke=INK, stroke_width=3, stroke_dasharray="4 3")


# --- players, stacks, cards ---


def _player(sheet: Sheet, view: dict, seat: int, line: int, y: float, width: float) -> None:
    player = view["players"][seat]
    moving = seat == view["on_turn"] and view["step"] != "over"
    edge = {"stroke": INK, "stroke_width": 3} if moving else {"stroke": "#cfd8cd", "stroke_width": 1.5}
    sheet.rect(30, y, width - 60, 54, 10, fill=WHITE if seat == view["player"] else "#fbf9f2", **edge)
    sheet.circle(62, y + 27, 17, fill=PAINTS[seat], stroke=INK, stroke_width=1.8)
    sheet.text(62, y + 33.5, str(seat), 18, "middle", fill=WHITE, font_weight="bold")
    sheet.text(92, y + 27, look.player_name(view, seat), 17, fit=150, fill=INK, font_weight="bold")
    sheet.text(92, y + 45, f"place {line + 1}", 13, fill=PALE)
    x = 250.0
    for words, number in (
        ("HP", player["hp"]),
        ("$", player["money"]),
        ("workers", player["workers"]),
        ("rails", player["rails"]),
        ("hand", len(player["hand"])),
        ("deck", player["deck"]),
    ):
        sheet.text(x, y + 27, str(number), 20, fill=INK, font_weight="bold")
        sheet.text(x, y + 45, words, 13, fill=PALE)
        x += 62
    most = look.data_of(view).numbers["stress"]["most"]
    for step in range(1, most + 1):
        filled = step <= player["stress"]
        fill = "#c8382e" if filled and step >= look.data_of(view).numbers["stress"]["high"] else "#e8a33d" if filled else "none"
        sheet.rect(x + (step - 1) * 14, y + 12, 11, 16, 2, fill=fill, stroke=PALE, stroke_width=1)
    sheet.text(x, y + 45, f"stress {player['stress']} of {most}", 13, fill=PALE)
    x += most * 14 + 16
    room = width - 46 - x
    if player["pool"]:
        sheet.text(x, y + 23, f"pool {look.short(view, player['pool'])}", 13, fit=room, fill=INK)
    if seat != view["player"] and view["player"] >= 0 and player["hand"]:
        sheet.text(x, y + 43, f"holds {look.holding(view, player)}", 13, fit=room, fill=PALE)


def _stacks(sheet: Sheet, view: dict, top: float, width: float) -> None:
    """Auction cards on offer, building cards and development cards, each with how many there are."""
    x = 30.0
    groups = (
        ("on offer", look.by_kind(view, view["offer"])),
        ("building cards", look.stacks(view)[0]),
        ("Commerce", look.stacks(view)[1]),
    )
    step = min(_CARD[0] + 8, (width - 140) / max(sum(len(cards) for _, cards in groups), 1))
    for title, cards in groups:
        if not cards:
            continue
        sheet.text(x, top, title, 15, fill=PALE, font_weight="bold")
        for kind, count in cards:
            _card(sheet, view, kind, x, top + 10, count)
            x += step
        x += 30


def _card(sheet: Sheet, view: dict, kind: str, x: float, y: float, count: int = 1) -> None:
    """A card with its icons as words, destinations as coloured squares."""
    width, height = _CARD
    sheet.rect(x, y, width, height, 8, fill=WHITE, stroke=INK, stroke_width=1.6)
    sheet.text(x + 8, y + 18, kind, 15, fill=INK, font_weight="bold")
    if count > 1:
        sheet.text(x + width - 8, y + 18, f"x{count}", 14, "end", fill=PALE, font_weight="bold")
    types = look.data_of(view).types
    left, line = x + 8.0, y + 30
    words = []
    for icon in look.icons_of(view, kind):
        if icon in "RCLISF":
            paint = types[icon][1] if icon in types else TILES[icon]
            sheet.rect(left, line, 22, 20, 4, fill=paint)
            sheet.text(left + 11, line + 15.5, icon, 15, "middle", fill=WHITE, font_weight="bold")
            left += 26
        elif icon[0] == "r" and icon[1:].isdigit():
            words.append(f"{icon[1]} rail{'s' if icon != 'r1' else ''}")
        elif icon[0] == "m" and icon[1:].isdigit():
            words.append(f"${icon[1]}")
        else:
            words.append(_ICONS[icon])
    line += 38 if left > x + 8 else 14
    for word in words:
        sheet.text(x + 8, line, word, 13, fit=width - 16, fill=INK)
        line += 15.5
