"""Lisbon Tram 28's table as a picture: the map with everyone on it, the cards on display, the players and one's own hand."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from wattman.engine.games._lisbon_board import BONUS, COLOURS, MONUMENT, ROSSIO, STOP, Board, Place
from wattman.engine.games._lisbon_table import headline
from wattman.engine.games._lisbon_view import (
    BONUS_WORDS,
    board_of,
    demand,
    in_order,
    lacking,
    name,
    points,
    seats,
    shown_cards,
    tickets,
    unlocks,
)
from wattman.engine.layout import Box, place_labels, spread
from wattman.engine.svg import Sheet, text_width

WIDTH = 1400
_MAP = (30, 60, 1370, 800)  # left, top, right, bottom
_CROWDED = 0.55
_LABEL = 15  # size of a place's name
_FIGURE = (14, 23)  # a passenger
_CARD = (216, 150)

INK = "#22313a"
PALE = "#8a969c"
PAPER = "#f7f3e8"
LAND = "#e9efe6"
WHITE = "#ffffff"
RAIL = "#9aa5a8"
PAINTS = {"R": "#d7263d", "Y": "#f4b400", "G": "#2e9e4f", "B": "#2464d8", "?": "#b8b8b8"}
ON_PAINT = {"R": WHITE, "Y": "#3a2c00", "G": WHITE, "B": WHITE, "?": WHITE}  # letters on them
TRAMS = {"pink": "#e0569b", "blue": "#1d3f8f", "light_blue": "#35a7dc", "yellow": "#e0a800"}
OTHER_TRAMS = ("#7a4fb5", "#507a3a", "#a6552b", "#444444")  # of boards with other names


LEGEND = (
    "Large circle: passengers wait; small: nobody, trams run through. Triangle: monument; with a cone for each card on display. "
    "Red dashes: rails that are not joined."
)


def draw(view: dict) -> str:
    """The table as an SVG picture of plain data (`to_dict`)."""
    board = board_of(view)
    players = len(view["players"])
    height = _MAP[3] + 46 + _CARD[1] + 40 + 86 * players + 80
    sheet = Sheet(WIDTH, height, PAPER, f"Lisbon Tram 28: {headline(view)}")
    sheet.text(30, 38, headline(view), 24, fill=INK, font_weight="bold")
    _draw_map(sheet, board, view)
    sheet.text(30, _MAP[3] + 26, LEGEND, 13, fit=WIDTH - 60, fill="#5d6b72")
    top = _MAP[3] + 46
    _draw_display(sheet, board, view, top)
    _draw_players(sheet, board, view, top + _CARD[1] + 40)
    return str(sheet)


# --- small things ---


def _passenger(sheet: Sheet, x: float, y: float, colour: str) -> None:
    """A figure whose left upper corner is at (x, y), with its letter."""
    width, height = _FIGURE
    middle, paint = x + width / 2, PAINTS[colour]
    sheet.path(f"M{x + 1:.1f} {y + height:.1f} v-6 a{width / 2 - 1:.1f} 7 0 0 1 {width - 2} 0 v6 z", fill=paint, stroke=INK, stroke_width=1)
    sheet.circle(middle, y + 5.5, 5, fill=paint, stroke=INK, stroke_width=1)
    sheet.text(middle, y + height - 2, colour, 8.5, "middle", fill=ON_PAINT[colour], font_weight="bold")


def _passengers(sheet: Sheet, x: float, y: float, colours: str) -> float:
    """Figures side by side; returns where they end."""
    for colour in colours:
        _passenger(sheet, x, y, colour)
        x += _FIGURE[0] + 2
    return x


def _tram_paint(board: Board, seat: int) -> str:
    return TRAMS.get(board.player_boards[seat].id, OTHER_TRAMS[seat])


def _tram(sheet: Sheet, x: float, y: float, board: Board, seat: int) -> None:
    """A tram with its player's number, its middle at (x, y)."""
    sheet.line(x - 4, y - 16, x + 5, y - 11, stroke=INK, stroke_width=2)
    sheet.rect(x - 17, y - 12, 34, 22, 5, fill=_tram_paint(board, seat), stroke=INK, stroke_width=2)
    for left in (x - 13.5, x + 7.5):
        sheet.rect(left, y - 8.5, 6, 7, 1, fill=WHITE, stroke=INK, stroke_width=0.8)
    sheet.circle(x - 9, y + 11, 3.2, fill=INK)
    sheet.circle(x + 9, y + 11, 3.2, fill=INK)
    sheet.text(x, y + 5.5, str(seat), 17, "middle", fill=WHITE, font_weight="bold", stroke=INK, stroke_width=2.5, paint_order="stroke")


def _half_tickets(sheet: Sheet, x: float, top: float, colours: tuple[int, ...], left: bool, radius: float) -> None:
    """Half-tickets on the left or right edge of a card, at `x`; each colour has its own height, so that those of two cards meet."""
    for colour in colours:
        letter, y = COLOURS[colour], top + (2 * colour + 1) * (radius + 1)
        half = f"M{x:.1f} {y - radius:.1f} a{radius} {radius} 0 0 {int(left)} 0 {2 * radius} z"
        sheet.path(half, fill=PAINTS[letter], stroke=INK, stroke_width=1)
        at = x + (0.45 if left else -0.45) * radius
        sheet.text(at, y + 0.33 * radius, letter, 0.9 * radius, "middle", fill=ON_PAINT[letter], font_weight="bold")


# --- the map ---


@dataclass(frozen=True)
class Spot:
    """A place on the map: where it is, who stands there, and the box of its label."""

    place: Place
    x: float
    y: float
    trams: list[int]
    cones: int
    anchor: Box  # the place with its trams and cones
    label: Box


def spots_of(board: Board, view: dict) -> list[Spot]:
    """All places as they are drawn."""
    left, top, right, bottom = _MAP
    at = [
        (left + 60 + x * (right - left - 120), top + 34 + y * (bottom - top - 68))
        for x, y in spread([p.xy for p in board.places], _CROWDED)
    ]
    trams = [[seat for seat, player in enumerate(view["players"]) if player["tram"] == place.id] for place in board.places]
    cones = [len(shown_cards(view, place.id)) for place in board.places]
    anchors = [_anchor(x, y, len(here), cone) for (x, y), here, cone in zip(at, trams, cones, strict=True)]
    sizes = []
    for place in board.places:
        waiting = len(view["stops"].get(place.id, ""))
        figures = waiting * (_FIGURE[0] + 2)
        sizes.append((max(text_width(place.id, _LABEL), figures) + 2, _LABEL + 3 + (_FIGURE[1] + 3 if waiting else 0)))
    segments = tuple((*at[a], *at[b]) for a, b, _ in board.rails)
    corners = place_labels(tuple(anchors), tuple(sizes), segments, _MAP, (4, 2))
    labels = [(x, y, x + width, y + height) for (x, y), (width, height) in zip(corners, sizes, strict=True)]
    return [Spot(place, *at[i], trams[i], cones[i], anchors[i], labels[i]) for i, place in enumerate(board.places)]


def _draw_map(sheet: Sheet, board: Board, view: dict) -> None:
    left, top, right, bottom = _MAP
    sheet.rect(left - 14, top - 8, right - left + 28, bottom - top + 16, 14, fill=LAND, stroke="#cfd8cd")
    spots = spots_of(board, view)
    for a, b, _ in board.rails:
        rail = (spots[a].x, spots[a].y, spots[b].x, spots[b].y)
        sheet.line(*rail, stroke=RAIL, stroke_width=7, stroke_linecap="round")
        sheet.line(*rail, stroke=LAND, stroke_width=2.2, stroke_dasharray="2 5")
    for a, b, c in sorted(board.no_turn):
        if a < c:
            _draw_ban(sheet, *((spots[i].x, spots[i].y) for i in (a, b, c)))
    for spot in spots:
        _draw_place(sheet, view, spot)
    for spot in spots:
        for i, seat in enumerate(spot.trams):
            _tram(sheet, spot.x + (i - (len(spot.trams) - 1) / 2) * 38, spot.y - 22, board, seat)
        _draw_label(sheet, view, spot)


def _anchor(x: float, y: float, trams: int, cones: int) -> Box:
    half = max(15, 19 * trams)
    return (x - half, y - (40 if trams else 15), max(x + half, x + 10 + 12 * cones), y + 15)


def _draw_place(sheet: Sheet, view: dict, spot: Spot) -> None:
    place, x, y, cones = spot.place, spot.x, spot.y, spot.cones
    if place.kind == ROSSIO:
        sheet.rect(x - 15, y - 15, 30, 30, 5, fill=INK)
        sheet.rect(x - 9, y - 9, 18, 18, 3, fill=PAPER)
    elif place.kind == BONUS:
        colour = COLOURS[place.colour]
        sheet.circle(x, y, 13, fill=PAINTS[colour], stroke=INK, stroke_width=2.5)
        sheet.text(x, y + 5.5, colour, 15, "middle", fill=ON_PAINT[colour], font_weight="bold")
    elif place.kind == MONUMENT:
        sheet.polygon([(x - 14, y + 11), (x, y - 14), (x + 14, y + 11)], fill=INK if cones else "#c3ccc8", stroke=INK, stroke_width=1.5)
        for i in range(cones):
            left = x + 10 + 12 * i
            sheet.polygon([(left, y + 11), (left + 6, y - 8), (left + 12, y + 11)], fill="#ff7a1a", stroke=INK, stroke_width=1.2)
    else:
        waiting = view["stops"].get(place.id, "")
        sheet.circle(x, y, 11 if waiting else 6, fill=WHITE, stroke=INK if waiting else PALE, stroke_width=3 if waiting else 2)


def _draw_label(sheet: Sheet, view: dict, spot: Spot) -> None:
    left, top, right, _ = spot.label
    waiting = view["stops"].get(spot.place.id, "")
    faint = spot.place.kind == STOP and not waiting
    flush = right <= (spot.anchor[0] + spot.anchor[2]) / 2  # to the left of its place: it ends there
    style = {"fill": PALE if faint else INK, "font_weight": "bold"}
    halo = {"stroke": LAND, "stroke_width": 4, "paint_order": "stroke", "stroke_linejoin": "round"}
    x, anchor = (right, "end") if flush else (left, "start")
    sheet.text(x, top + _LABEL - 2, spot.place.id, _LABEL, anchor, right - left, **style, **halo)
    figures = len(waiting) * (_FIGURE[0] + 2)
    _passengers(sheet, right - figures if flush else left, top + _LABEL + 4, waiting)


def _draw_ban(sheet: Sheet, a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> None:
    """A small red arc between two rails of a place that are not joined."""
    radius = 21.0
    ends = []
    for x, y in (a, c):
        far = hypot(x - b[0], y - b[1]) or 1
        ends.append((b[0] + (x - b[0]) / far * radius, b[1] + (y - b[1]) / far * radius))
    (x, y), (x2, y2) = ends
    turn = (x - b[0]) * (y2 - b[1]) - (y - b[1]) * (x2 - b[0])
    sheet.path(
        f"M{x:.1f} {y:.1f} A{radius} {radius} 0 0 {int(turn > 0)} {x2:.1f} {y2:.1f}",
        fill="none",
        stroke="#b3261e",
        stroke_width=2,
        stroke_dasharray="3 3",
    )


# --- cards ---


def _draw_display(sheet: Sheet, board: Board, view: dict, top: float) -> None:
    viewer = view["players"][view["player"]] if view["player"] >= 0 else None
    x = 30.0
    shown = [card for card in view["display"] if card]
    for card in shown:
        _draw_card(sheet, board, card, x, top, viewer)
        x += _CARD[0] + 18
    if view["next_card"]:
        _draw_card(sheet, board, view["next_card"], x, top, None)
        sheet.rect(x, top, *_CARD, 10, fill=PAPER, opacity=0.55)
        sheet.text(
            x + _CARD[0] / 2, top + _CARD[1] - 10, f"next · {view['face_up']} to the last round", 13, "middle", _CARD[0] - 20, fill=INK
        )


def _draw_card(sheet: Sheet, board: Board, card: str, x: float, y: float, viewer: dict | None) -> None:
    data = board.cards[board.card_numbers[card]]
    width, height = _CARD
    sheet.rect(x, y, width, height, 10, fill=WHITE, stroke=INK, stroke_width=2)
    sheet.text(x + 14, y + 24, board.places[data.monument].label, 15, fit=width - 66, fill=INK, font_weight="bold")
    sheet.text(x + 14, y + 42, card, 13, fit=width - 66, fill="#5d6b72")
    sheet.circle(x + width - 26, y + 26, 17, fill=INK)
    sheet.text(x + width - 26, y + 33, str(data.vp), 20, "middle", fill=WHITE, font_weight="bold")
    wanted = demand(board, card)
    _passengers(sheet, x + width / 2 - len(wanted) * (_FIGURE[0] + 2) / 2, y + 60, wanted)
    _half_tickets(sheet, x, y + 48, data.left, True, 11)
    _half_tickets(sheet, x + width, y + 48, data.right, False, 11)
    if viewer is None:
        return
    missing = lacking(wanted, viewer["aboard"])
    if missing:
        end = x + 34 + text_width("you lack", 13)
        sheet.text(x + 30, y + height - 18, "you lack", 13, fill="#5d6b72")
        _passengers(sheet, end + 2, y + height - 34, missing)
    else:
        here = viewer["tram"] == board.places[data.monument].id
        sheet.text(
            x + width / 2,
            y + height - 16,
            "all aboard: claim it" if here else "all aboard",
            15,
            "middle",
            fill="#1d7a3a",
            font_weight="bold",
        )


# --- players ---


def _draw_players(sheet: Sheet, board: Board, view: dict, top: float) -> None:
    count = len(view["players"])
    for line in range(count):
        seat = (view["player"] + 1 + line) % count
        _draw_player(sheet, board, view, seat, top + 86 * line)
    viewer = view["players"][view["player"]] if view["player"] >= 0 else None
    if viewer:
        _draw_hand(sheet, in_order(viewer["hand"]), top + 86 * count + 8)


def _draw_player(sheet: Sheet, board: Board, view: dict, seat: int, y: float) -> None:
    player = view["players"][seat]
    mine, moving = seat == view["player"], seat == view["to_move"]
    sheet.rect(
        30, y, WIDTH - 60, 76, 10, fill=WHITE if mine else "#fbf9f2", stroke=INK if moving else "#cfd8cd", stroke_width=3 if moving else 1.5
    )
    _tram(sheet, 62, y + 40, board, seat)
    sheet.text(92, y + 26, name(view, seat), 16, fit=150, fill=INK, font_weight="bold")
    joined = tickets(board, player["row"])
    score = f"{points(board, player['row'])} VP" + (f" ({joined} from tickets)" if joined else "")
    sheet.text(92, y + 46, score, 14, fit=160, fill=INK)
    sheet.text(92, y + 65, f"hand {len(player['hand'])}", 14, fill=INK)
    x = 262.0
    limit = seats(board, player)
    for colour in COLOURS:
        there = player["aboard"].count(colour)
        for i in range(limit):
            column, row = (i % 2, i // 2) if limit > 2 else (i, 0)
            at = (x + column * 19, y + 10 + row * 29 + (14 if limit <= 2 else 0))
            if i < there:
                _passenger(sheet, at[0], at[1], colour)
            else:
                sheet.rect(at[0], at[1], *_FIGURE, 4, fill="none", stroke=PAINTS[colour], stroke_width=1.6, stroke_dasharray="3 2")
        x += 50
    x += 6
    for colour, bonus in unlocks(board, seat).items():
        owned = bonus in player["bonuses"]
        sheet.circle(x + 14, y + 26, 13, fill=PAINTS[colour] if owned else WHITE, stroke=PAINTS[colour], stroke_width=3)
        sheet.text(x + 14, y + 31.5, "✓" if owned else colour, 15, "middle", fill=ON_PAINT[colour] if owned else INK, font_weight="bold")
        sheet.text(
            x + 14, y + 60, BONUS_WORDS[bonus], 13, "middle", fill=INK if owned else "#5d6b72", font_weight="bold" if owned else None
        )
        x += 70
    _draw_row(sheet, board, player["row"], x + 14, y + 5, WIDTH - 44 - x - 14)


def _draw_row(sheet: Sheet, board: Board, row: list[str], x: float, y: float, room: float) -> None:
    """Claimed cards side by side; a long row's cards are narrower. A complete ticket is a whole circle with a thick edge."""
    if not row:
        return
    width, radius = min(112.0, room / len(row)), 7.0
    before: tuple[int, ...] = ()
    for card in row:
        data = board.cards[board.card_numbers[card]]
        sheet.rect(x, y, width, 66, 6, fill="#f1f4f0", stroke=INK, stroke_width=1.2)
        sheet.text(x + width / 2, y + 28, card.rpartition("_")[0] or card, 12, "middle", width - 24, fill=INK)
        sheet.text(x + width / 2, y + 50, f"{data.vp} VP", 13, "middle", width - 24, fill=INK, font_weight="bold")
        x += width
        _half_tickets(sheet, x, y + 1, data.right, False, radius)
    x -= width * len(row)
    for card in row:  # over the edges of all cards
        data = board.cards[board.card_numbers[card]]
        _half_tickets(sheet, x, y + 1, data.left, True, radius)
        for colour in set(before) & set(data.left):
            sheet.circle(x, y + 1 + (2 * colour + 1) * (radius + 1), radius + 0.5, fill="none", stroke=INK, stroke_width=2.5)
        before = data.right
        x += width


def _draw_hand(sheet: Sheet, hand: str, y: float) -> None:
    sheet.text(30, y + 38, "your hand", 16, fill=INK, font_weight="bold")
    x, step = 130.0, min(46.0, (WIDTH - 190) / max(len(hand), 1))
    for i, colour in enumerate(hand):
        x += 12 if i and hand[i - 1] != colour else 0
        sheet.rect(x, y, 40, 58, 6, fill=PAINTS[colour], stroke=INK, stroke_width=1.5)
        sheet.text(x + 20, y + 38, colour, 24, "middle", fill=ON_PAINT[colour], font_weight="bold")
        x += step
