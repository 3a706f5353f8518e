"""Stop Requested: Portland's table as a picture: the board with everyone's trains, the market, the players, one's hand and tickets."""

from __future__ import annotations

from functools import lru_cache
from math import hypot

from wattman.engine.games._portland_board import ANY, Board
from wattman.engine.games._portland_layout import roomy, shape
from wattman.engine.games._portland_table import headline
from wattman.engine.games._portland_view import (
    FAR,
    PAINTS,
    board_of,
    closed,
    in_order,
    loaded,
    longest,
    name,
    owners,
    remaining,
    unknown,
    written,
)
from wattman.engine.layout import Point, place_labels
from wattman.engine.svg import Sheet, text_width

WIDTH = 1560
_MAP = (30, 60, 1530)  # left, top, right
_EDGE = 46  # around the outermost stations
_LABEL = 14  # size of a station's name
_STATION = 9  # radius
_APART = 16  # between the middle lines of a double
_SPACE = 11  # width of a space
_CAR = (34, 17)  # a train: greatest length, width
_CARD = (72, 96)

INK = "#22313a"
PALE = "#5d6b72"
PAPER = "#f7f3e8"
LAND = "#e9efe6"
WHITE = "#ffffff"
GRAY = "#aab2b5"
DONE = "#1d7a3a"
LOST = "#b3261e"

LEGEND = (
    "Spaces have the colour of the cards that claim them, gray ones of any one type. Trains have their player's colour and number; "
    "faint routes are closed. Letters mark the ends of your tickets."
)


def draw(view: dict) -> str:
    """The table as an SVG picture of plain data (`to_dict`)."""
    board = board_of(view)
    bottom = _MAP[1] + _height(board)
    players = len(view["players"])
    tickets = view["players"][view["player"]]["tickets"] if view["player"] >= 0 else []
    height = bottom + 56 + _CARD[1] + 30 + 62 * players + (26 * ((len(tickets) + 1) // 2) + 16 if tickets else 0) + 20
    sheet = Sheet(WIDTH, height, PAPER, f"{board.label}: {headline(view)}")
    sheet.text(30, 38, headline(view), 24, fit=WIDTH - 60, fill=INK, font_weight="bold")
    _draw_map(sheet, board, view)
    sheet.text(30, bottom + 26, LEGEND, 13, fit=WIDTH - 60, fill=PALE)
    top = bottom + 44
    _draw_cards(sheet, board, view, top)
    top += _CARD[1] + 42
    for line in range(players):
        _draw_player(sheet, board, view, (max(view["player"], 0) + line) % players, top + 62 * line)
    _draw_tickets(sheet, board, view, tickets, top + 62 * players + 14)
    return str(sheet)


# --- the map ---


def _height(board: Board) -> int:
    """The map's height: as wide and high as the board's own coordinates."""
    return round(min(1300, max(400, (_MAP[2] - _MAP[0]) * shape(board))))


@lru_cache(maxsize=8)
def _layout(name: str) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """Where each station is, and the left upper corner of its label."""
    board = loaded(name)
    left, top, right = _MAP
    bottom = top + _height(board)
    points = roomy(board, right - left - 2 * _EDGE - 40, bottom - top - 2 * _EDGE)
    spots = tuple((left + _EDGE + 20 + x, top + _EDGE + y) for x, y in points)
    around = tuple((x - _STATION - 3, y - _STATION - 3, x + _STATION + 3, y + _STATION + 3) for x, y in spots)
    sizes = tuple((text_width(station.name, _LABEL) + 4, _LABEL + 3) for station in board.stations)
    segments = []
    for i in range(len(board.routes)):
        (x, y), (x2, y2) = line_of(board, spots, i)
        nx, ny = _across(x, y, x2, y2)
        half = _CAR[1] / 2
        segments += [(x + side * nx, y + side * ny, x2 + side * nx, y2 + side * ny) for side in (-half, 0, half)]
    return spots, place_labels(around, sizes, tuple(segments), (left, top, right, bottom), (2, 1))


def _across(x: float, y: float, x2: float, y2: float) -> Point:
    """The direction across a line, of length 1."""
    far = hypot(x2 - x, y2 - y) or 1
    return (y - y2) / far, (x2 - x) / far


def line_of(board: Board, spots: tuple[Point, ...], number: int) -> tuple[Point, Point]:
    """Both ends of a route's middle line; the routes of a double lie beside each other."""
    route = board.routes[number]
    a, b = min(route.a, route.b), max(route.a, route.b)  # one direction for both of a double
    (x, y), (x2, y2) = spots[a], spots[b]
    if route.other >= 0:
        nx, ny = _across(x, y, x2, y2)
        aside = _APART / 2 if number < route.other else -_APART / 2
        x, y, x2, y2 = x + aside * nx, y + aside * ny, x2 + aside * nx, y2 + aside * ny
    return (x, y), (x2, y2)


def spaces(line: tuple[Point, Point], length: int) -> tuple[list[Point], float]:
    """The middles of a route's spaces, and how long each is."""
    (x, y), (x2, y2) = line
    far = hypot(x2 - x, y2 - y) or 1
    start = _STATION + 4
    room = max(far - 2 * start, 6 * length)
    step = room / length
    first = (far - room) / 2 + step / 2
    return [(x + (x2 - x) * (first + i * step) / far, y + (y2 - y) * (first + i * step) / far) for i in range(length)], step - 3


def _draw_map(sheet: Sheet, board: Board, view: dict) -> None:
    left, top, right = _MAP
    sheet.rect(left - 14, top - 8, right - left + 28, _height(board) + 16, 14, fill=LAND, stroke="#cfd8cd")
    spots, corners = _layout(view["options"]["board"])
    owner = owners(view)
    shut = set.intersection(*(closed(view, seat) for seat in range(len(view["players"])))) - set(owner)
    for i in range(len(board.routes)):
        _draw_route(sheet, board, i, line_of(board, spots, i), i in shut)
    for i, seat in owner.items():  # above all routes: near a station they lie over each other
        _draw_trains(sheet, board, i, line_of(board, spots, i), seat)
    marks = _marks(board, view)
    for i, (x, y) in enumerate(spots):
        ends = [letter for letter, a, b in marks if i in (a, b)]
        sheet.circle(x, y, _STATION, fill="#ffe9a8" if ends else WHITE, stroke=INK, stroke_width=3 if ends else 2.2)
        if ends:
            size = 12 if len(ends) == 1 else 9
            sheet.text(x, y + size / 3 + 0.5, "".join(ends), size, "middle", 2 * _STATION - 2, fill=INK, font_weight="bold")
    for station, corner in zip(board.stations, corners, strict=True):
        halo = {"stroke": LAND, "stroke_width": 4, "paint_order": "stroke", "stroke_linejoin": "round"}
        sheet.text(corner[0] + 2, corner[1] + _LABEL - 1, station.name, _LABEL, fill=INK, font_weight="bold", **halo)


def _draw_route(sheet: Sheet, board: Board, number: int, line: tuple[Point, Point], shut: bool) -> None:
    route = board.routes[number]
    middles, long = spaces(line, route.length)
    dx, dy = direction(line)
    paint = GRAY if route.type == ANY else board.types[route.type].colour
    for middle in middles:
        _box(sheet, middle, (dx, dy), long, _SPACE, fill=paint, stroke=PALE, stroke_width=0.7, opacity=0.3 if shut else None)
    if route.bonus:
        at = middles[len(middles) // 2]
        sheet.text(at[0] + 12 * dy + 6, at[1] - 12 * dx - 4, f"+{route.bonus}", 14, "middle", fill=paint, font_weight="bold")


def _draw_trains(sheet: Sheet, board: Board, number: int, line: tuple[Point, Point], seat: int) -> None:
    middles, long = spaces(line, board.routes[number].length)
    for x, y in middles:
        _box(sheet, (x, y), direction(line), min(long + 1, _CAR[0]), _CAR[1], fill=PAINTS[seat], stroke=INK, stroke_width=1.6)
        sheet.text(x, y + 4.2, str(seat), 12, "middle", fill=WHITE, font_weight="bold")


def direction(line: tuple[Point, Point]) -> Point:
    """The direction of a line, of length 1."""
    (x, y), (x2, y2) = line
    far = hypot(x2 - x, y2 - y) or 1
    return (x2 - x) / far, (y2 - y) / far


def _box(sheet: Sheet, middle: Point, along: Point, length: float, width: float, **style) -> None:
    """A rectangle along a direction."""
    (x, y), (dx, dy) = middle, along
    corners = [
        (x + u * dx * length / 2 - v * dy * width / 2, y + u * dy * length / 2 + v * dx * width / 2)
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    sheet.polygon(corners, stroke_linejoin="round", **style)


def _marks(board: Board, view: dict) -> list[tuple[str, int, int]]:
    """A letter for each of the viewer's tickets, and the stations where it stands."""
    if view["player"] < 0:
        return []
    held = view["players"][view["player"]]["tickets"]
    tickets = [board.tickets[board.ticket_numbers[text]] for text in held]
    return [(_letter(i), ticket.a, ticket.b) for i, ticket in enumerate(tickets)]


def _letter(number: int) -> str:
    return chr(ord("A") + number % 26)


# --- cards ---


def _draw_cards(sheet: Sheet, board: Board, view: dict, top: float) -> None:
    """The market, the piles, and the viewer's hand."""
    sheet.text(30, top + 16, "market", 15, fill=PALE, font_weight="bold")
    x = 30.0
    for kind, count in in_order(view, view["market"]):
        for _ in range(count):
            _draw_card(sheet, board, kind, x, top + 24)
            x += _CARD[0] + 8
    x += 10
    discards = sum(view["discards"].values())
    for words, number in (("draw pile", view["draw_pile"]), ("discards", discards), ("tickets", _deck(view))):
        sheet.rect(x, top + 24, _CARD[0], _CARD[1] - 10, 8, fill="#dfe5dc", stroke=PALE, stroke_width=1.5, stroke_dasharray="5 4")
        sheet.text(x + _CARD[0] / 2, top + 72, str(number), 24, "middle", fill=INK, font_weight="bold")
        sheet.text(x + _CARD[0] / 2, top + 96, words, 13, "middle", fill=PALE)
        x += _CARD[0] + 8
    if view["player"] < 0:
        return
    x += 22
    sheet.text(x, top + 16, "your hand", 15, fill=PALE, font_weight="bold")
    hand = in_order(view, view["players"][view["player"]]["hand"])
    room = WIDTH - 30 - x
    step = min(_CARD[0] + 8, (room - _CARD[0]) / max(len(hand) - 1, 1))
    for kind, count in hand:
        _draw_card(sheet, board, kind, x, top + 24, count)
        x += step


def _deck(view: dict) -> int:
    return view["tickets_left"] + len(view["returned"])


def _draw_card(sheet: Sheet, board: Board, kind: str, x: float, y: float, count: int = 0) -> None:
    colour = board.types[board.type_numbers[kind]].colour
    width, height = _CARD[0], _CARD[1] - 10
    dark = _dark(colour)
    sheet.rect(x, y, width, height, 8, fill=colour, stroke=INK, stroke_width=2)
    sheet.rect(x + 5, y + 5, width - 10, height - 10, 5, fill="none", stroke=WHITE if dark else INK, stroke_width=1, opacity=0.6)
    ink = WHITE if dark else INK
    sheet.text(x + width / 2, y + height - 14, kind, 15, "middle", width - 14, fill=ink, font_weight="bold")
    if count:
        sheet.text(x + width / 2, y + 44, f"{count}", 32, "middle", fill=ink, font_weight="bold")


def _dark(colour: str) -> bool:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 150


# --- players and tickets ---


def _draw_player(sheet: Sheet, board: Board, view: dict, seat: int, y: float) -> None:
    player = view["players"][seat]
    moving = seat == view["on_turn"] and view["step"] != "over"
    edge = {"stroke": INK, "stroke_width": 3} if moving else {"stroke": "#cfd8cd", "stroke_width": 1.5}
    sheet.rect(30, y, WIDTH - 60, 54, 10, fill=WHITE if seat == view["player"] else "#fbf9f2", **edge)
    _box(sheet, (62, y + 27), (1, 0), 38, 24, fill=PAINTS[seat], stroke=INK, stroke_width=1.8)
    sheet.text(62, y + 33.5, str(seat), 18, "middle", fill=WHITE, font_weight="bold")
    sheet.text(96, y + 34, name(view, seat), 18, fit=190, fill=INK, font_weight="bold")
    x = 300.0
    for words, number in (
        ("points", player["score"]),
        ("trains", player["trains"]),
        ("cards", player["cards"]),
        ("tickets", player["tickets_held"]),
        ("longest path", longest(view, seat)),
    ):
        sheet.text(x, y + 27, str(number), 20, fill=INK, font_weight="bold")
        sheet.text(x, y + 45, words, 13, fill=PALE)
        x += 96 if words != "longest path" else 120
    if seat == view["player"]:
        return
    known, rest = written(view, player["hand"]), unknown(player)
    words = " + ".join([*([known] if known else []), *([f"{rest} unknown"] if rest and known else [])])
    if words:
        sheet.text(x, y + 34, f"holds {words}", 15, fit=WIDTH - 50 - x, fill=INK)


def _draw_tickets(sheet: Sheet, board: Board, view: dict, tickets: list[str], top: float) -> None:
    for i, text in enumerate(tickets):
        ticket = board.tickets[board.ticket_numbers[text]]
        x, y = 40 + (i % 2) * (WIDTH / 2 - 20), top + 26 * (i // 2)
        sheet.circle(x + 6, y + 10, 10, fill="#ffe9a8", stroke=INK, stroke_width=1.5)
        sheet.text(x + 6, y + 14.5, _letter(i), 13, "middle", fill=INK, font_weight="bold")
        ends = f"{board.stations[ticket.a].name} - {board.stations[ticket.b].name}"
        sheet.text(x + 26, y + 16, ends, 16, fit=330, fill=INK, font_weight="bold")
        spaces_left, _ = remaining(view, view["player"], text)
        short = spaces_left > view["players"][view["player"]]["trains"]
        told = "completed" if not spaces_left else "cannot be completed" if spaces_left >= FAR else f"{spaces_left} trains missing"
        colour = DONE if not spaces_left else LOST if short else PALE
        sheet.text(x + 370, y + 16, f"{ticket.points} points", 15, fill=INK)
        sheet.text(x + 460, y + 16, told, 15, fill=colour, font_weight="bold" if not spaces_left or short else None)
