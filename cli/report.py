"""An analysis as people read it."""
from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from wattman.engine.game import InfoState
from wattman.engine.session import PASS, follow, turn_line
from wattman.search.analysis import Analysis, MoveReport

SHOWN = 12  # moves, unless all are asked for
NARROW = 80  # columns; with fewer the continuations stand below the table instead of in it,
TINY = 60  # and with fewer than these the shares are left out
ROOM = 70  # columns besides the moves, for their continuations to stand there


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.1f}"


def win_text(report: MoveReport) -> str:
    """Win probability in percent with its standard error."""
    if report.win is None:
        return "-"
    return percent(report.win) + (f" ± {percent(report.win_stderr)}" if report.win_stderr is not None else "")


def points(report: MoveReport) -> str:
    """What a player who is alone may expect."""
    return "-" if report.margin is None else f"{report.margin:.1f}"


def show(out: Console, info: InfoState, analysis: Analysis, shown: int | None = SHOWN) -> None:
    """The table of moves, and the best line of the whole turn."""
    out.print(headline(info, analysis), soft_wrap=True)
    moves = analysis.moves[:shown]
    words = [in_words(info, report.pv) for report in moves]
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 1))
    table.add_column("#", justify="right")
    table.add_column("first move", no_wrap=True)
    worth = ["points"] if info.game.num_players() == 1 else ["win %", "margin"]  # alone there is nothing to win
    columns = ["visits %", *worth, "prior %"] if out.width >= TINY else worth
    for heading in columns:
        table.add_column(heading, justify="right", no_wrap=True)
    beside = out.width >= NARROW and out.width - max((len(report.action) for report in moves), default=0) >= ROOM
    if beside:
        table.add_column("best continuation", overflow="fold")
    for place, report in enumerate(moves, 1):
        cells = {
            "visits %": percent(report.visits / analysis.simulations) if analysis.simulations else "-",
            "win %": win_text(report),
            "margin": signed(report.margin),
            "points": points(report),
            "prior %": percent(report.prior),
        }
        row = [Text(report.action, style="bold" if place == 1 else ""), *(cells[heading] for heading in columns)]
        table.add_row(str(place), *row, *([Text(words[place - 1])] if beside else []))
    out.print(table)
    if not beside and any(words):
        out.print(Text(" # best continuation", style="bold"))
        for place, text in enumerate(words, 1):
            out.print(Padding(Text(f"{place} {text or '-'}"), (0, 1)))
    if len(analysis.moves) > len(moves):
        out.print(f"   and {len(analysis.moves) - len(moves)} more", style="dim")
    if analysis.proved:
        out.print(Text(f" proved with open cards behind your turn: nothing is better than {' · '.join(analysis.proved)}"), soft_wrap=True)
    if moves:
        out.print(Text.assemble(" best turn: ", (turn_line(info, moves[0].pv or [moves[0].action]), "bold")), soft_wrap=True)


def headline(info: InfoState, analysis: Analysis) -> Text:
    """What was searched, and how much."""
    text = (
        f" {info.game.TITLE or info.game.name} · player {analysis.to_move} to move · {analysis.simulations:,} simulations "
        f"in {analysis.seconds:.1f} s over {analysis.worlds:,} possible worlds"
    )
    return Text(text + (" · stopped early" if analysis.interrupted else ""))


def in_words(info: InfoState, pv: list[str]) -> str:
    """What the first move of a line brings and what follows it, up to the end of the turn; then the others' answer."""
    parts, last = [], info.player
    for place, (player, text, words) in enumerate(follow(info, pv)):
        if place == 0:  # the first move stands beside this
            rest = words.removeprefix(pv[0]).strip()
            parts += [rest.strip("()") if text == pv[0] else rest] if rest else []
        elif text == PASS:
            continue
        elif player not in (None, -1, last):
            parts.append(f"player {player}: {words}")
            last = player
        else:
            parts.append(words)
    return ", ".join(parts)
