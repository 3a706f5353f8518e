"""A review as one HTML page that needs nothing else: tables, the curve of the game, and drawings of the worst mistakes."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from wattman.cli.common import number, seat_name
from wattman.cli.review_words import lost, parts, per_turn, percent
from wattman.engine.game import Game, State
from wattman.engine.session import compact, turn_line
from wattman.search.grades import GRADES, LIMITS
from wattman.search.ismcts import game_scale
from wattman.search.review import Review, Turn

DRAWN = 6  # mistakes with a drawing
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a7300")  # told apart by the colour-blind, too (Okabe and Ito), on white
DASHES = ("", "7 3", "2 3", "9 3 2 3", "1 5")
WIDTH, HEIGHT, LEFT, LOWER = 900, 260, 46, 26

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin-bottom: .3rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; } td.text, th.text { text-align: left; }
svg, img { max-width: 100%; height: auto; } figure { margin: .6rem 0 1.5rem; } .scroll { overflow-x: auto; }
code { font: .9rem ui-monospace, monospace; } .small { color: #555; font-size: .9rem; }
.bad, .very-bad { font-weight: bold; color: #b00020; } .doubtful { color: #8a5a00; }
"""


def page(review: Review, states: Sequence[State]) -> str:
    """The whole page."""
    game = states[0].game
    record = review.record
    title = f"Review · {game.TITLE or game.name}"
    scores = " : ".join(number(score) for score in record.scores) if record.scores else "not over"
    seats = " · ".join(seat_name(seat, record.players) for seat in range(len(record.players)))
    drawn = [mistake(review, states, turn, place) for place, turn in enumerate(review.mistakes[:DRAWN], 1)]
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(seats)} · result {escape(scores)} · reviewed by <code>{escape(review.agent)}</code></p>",
        "<h2>Decisions</h2>",
        decisions(review, game),
        *([f"<h2>{'Chance to win' if review.counts == 'win' else 'Points'}</h2>", curve(review)] if review.swings else []),
        *(["<h2>Luck and skill</h2>", luck(review)] if review.balances else []),
        "<h2>Mistakes</h2>",
        "\n".join(drawn) or "<p>No turn lost enough to be called a mistake.</p>",
        "<h2>All turns</h2>",
        turns(review, states),
    ]
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def escape(text: str) -> str:
    return html.escape(text, quote=True)


def table(head: list[str], rows: list[list[str]], text: tuple[int, ...] = (0,)) -> str:
    """A table; cells are HTML. `text`: columns that are set to the left."""

    def cells(tag: str, row: list[str]) -> str:
        return "".join(f"<{tag}{' class=text' if place in text else ''}>{cell}</{tag}>" for place, cell in enumerate(row))

    body = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<div class="scroll"><table>\n<thead><tr>{cells("th", head)}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'


def decisions(review: Review, game: Game) -> str:
    rows = []
    for player in review.players:
        grades = [str(number) for number in review.summary(player)["grades"].values()]
        rows.append([escape(seat_name(player, review.record.players)), *per_turn(review, player), *grades])
    limits = ", ".join(f"{name} from {percent(limit)} %" for name, limit in zip(GRADES[1:], LIMITS, strict=True))
    what = "of the chance to win" if review.counts == "win" else f"of {2 * game_scale(game):g} points"
    note = f'<p class="small">A turn is graded by what it loses {what} against the best move: {limits}.</p>'
    return table(["player", "turns", "lost a turn", "points a turn", *GRADES], rows) + note


def luck(review: Review) -> str:
    place = 0 if review.counts == "win" else 1
    rows = [[escape(seat_name(each.player, review.record.players)), *parts(each, place)] for each in review.balances]
    note = (
        '<p class="small">Start, cards (luck of what was drawn), hidden (luck of how the cards lay that could not be seen), own skill and '
        "the others' skill add up to the result. Measured by what each position is worth if all play on by the rule of thumb: skill is "
        "what decisions gain over that.</p>"
    )
    head = ["percent" if place == 0 else "points", "start", "cards", "hidden", "own skill", "others' skill", "result"]
    return table(head, rows) + note


def curve(review: Review) -> str:
    """The value of the game for each player, event by event, as a drawing."""
    place = 0 if review.counts == "win" else 1
    swings = review.swings
    values = [[swings[0].before[p][place], *(swing.after[p][place] for swing in swings)] for p in range(len(swings[0].before))]
    low, high = (0.0, 1.0) if place == 0 else (min(map(min, values)), max(map(max, values)))
    high = high if high > low else low + 1
    last = swings[-1].end

    def x(ply: float) -> float:
        return LEFT + (WIDTH - LEFT - 10) * ply / last

    def y(value: float) -> float:
        return 10 + (HEIGHT - LOWER - 10) * (high - value) / (high - low)

    plies = [swings[0].ply, *(swing.end for swing in swings)]
    lines = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for step in range(5):
        value = low + (high - low) * step / 4
        label = f"{100 * value:.0f} %" if place == 0 else f"{value:.0f}"
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end" font-size="12">{label}</text>')
    for p, line in enumerate(values):
        points = " ".join(f"{x(ply):.1f},{y(value):.1f}" for ply, value in zip(plies, line, strict=True))
        dash = f' stroke-dasharray="{DASHES[p]}"' if DASHES[p] else ""
        lines.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[p]}" stroke-width="2"{dash}/>')
    for turn in review.mistakes:
        at = max((k for k, ply in enumerate(plies) if ply <= turn.ply), default=0)
        colour, words = COLOURS[turn.player], escape(f"turn {turn.number}: {turn.grade}, {lost(review, turn)}")
        where = f'cx="{x(turn.ply):.1f}" cy="{y(values[turn.player][at]):.1f}"'
        lines.append(f'<circle {where} r="4.5" fill="#fff" stroke="{colour}" stroke-width="2"><title>{words}</title></circle>')
    lines.append(f'<text x="{WIDTH - 10}" y="{HEIGHT - 6}" text-anchor="end" font-size="12">ply {last}</text>')
    key = []
    for p, name in enumerate(review.record.players):
        dash = f' stroke-dasharray="{DASHES[p]}"' if DASHES[p] else ""
        stroke = f'<line x1="0" x2="36" y1="6" y2="6" stroke="{COLOURS[p]}" stroke-width="2"{dash}/>'
        key.append(f'<svg width="36" height="12" aria-hidden="true">{stroke}</svg> {escape(seat_name(p, [name] * (p + 1)))}')
    caption = " &nbsp; ".join(key) + ". With all cards known, if all play on by the rule of thumb; circles: mistakes."
    alt = "What the game was worth to each player after every event"
    drawing = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{alt}">{"".join(lines)}</svg>'
    return f'<figure>{drawing}<figcaption class="small">{caption}</figcaption></figure>'


def mistake(review: Review, states: Sequence[State], turn: Turn, place: int) -> str:
    """One mistake: the table as its player saw it before his worst decision, what he did, and what would have been better."""
    worst = turn.worst
    info = states[worst.ply].info_state()
    played = turn_line(info, review.record.actions[worst.ply : turn.end])
    drawn = info.game.svg(info.to_dict())
    picture = prefixed(re.sub(r"^\s*(<\?xml.*?\?>|<!DOCTYPE[^>]*>)", "", drawn, flags=re.DOTALL).strip(), f"m{place}-")
    name = escape(seat_name(turn.player, review.record.players))
    grade = f'<span class="{turn.grade.replace(" ", "-")}">{turn.grade}</span>'
    return (
        f"<h3>{place}. {name}, turn {turn.number}: {grade}, {lost(review, turn)}</h3>\n<figure>{picture}</figure>\n"
        f"<p>Played: <code>{escape(played)}</code><br>Better: <code>{escape(turn_line(info, worst.plan))}</code><br>"
        f'<span class="small">Expected line: {escape("; ".join(worst.line))} (ply {worst.ply})</span></p>'
    )


def prefixed(svg: str, prefix: str) -> str:
    """A drawing whose ids and classes do not get in the way of another's on the same page."""
    names = set(re.findall(r'\bid="([^"]+)"', svg))
    for name in names:
        svg = svg.replace(f'id="{name}"', f'id="{prefix}{name}"').replace(f"#{name})", f"#{prefix}{name})")
        svg = svg.replace(f'href="#{name}"', f'href="#{prefix}{name}"')
    classes = {name for found in re.findall(r'\bclass="([^"]+)"', svg) for name in found.split()}
    svg = re.sub(r'\bclass="([^"]+)"', lambda found: 'class="' + " ".join(prefix + name for name in found[1].split()) + '"', svg)

    def in_style(found: re.Match) -> str:
        style = found[2]
        for name in sorted(classes, key=len, reverse=True):
            style = re.sub(rf"\.{re.escape(name)}(?![\w-])", f".{prefix}{name}", style)
        return found[1] + style + found[3]

    return re.sub(r"(<style[^>]*>)(.*?)(</style>)", in_style, svg, flags=re.DOTALL)


def turns(review: Review, states: Sequence[State]) -> str:
    """Every turn that was looked at."""
    game, rows = states[0].game, []
    for turn in review.turns:
        if not turn.decisions:
            continue
        first, worst = turn.decisions[0], turn.worst
        line = compact(game, turn.actions, states[turn.ply].to_dict(turn.player))
        better = worst.best if worst.best != worst.action else ""
        win = percent(first.win) if review.counts == "win" else f"{first.margin:.1f}"
        grade = f'<span class="{turn.grade.replace(" ", "-")}">{turn.grade}</span>'
        who = escape(seat_name(turn.player, review.record.players))
        cells = [str(turn.number), who, f"<code>{escape(line)}</code>", win, f"{percent(turn.loss)}", f"{turn.points:.1f}", grade]
        rows.append([*cells, f"<code>{escape(better)}</code>"])
    before = "win % before" if review.counts == "win" else "points before"
    head = ["turn", "player", "played", before, "lost %", "points", "grade", "better"]
    return table(head, rows, (0, 1, 2, 6, 7))
