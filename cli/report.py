"""An analysis as people read it."""
from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from wattman.engine.game import InfoState
from wattman.engine.session import PASS, compact, follow
from wattman.search.analysis import Analysis, MoveReport

SHOWN = 12  # moves, unless all are asked for


def turn_line(info: InfoState, report: MoveReport) -> str:
    """The observer's whole turn as the search expects it, as one line to type."""
    turn = []
    for text, (player, _) in zip(report.pv, follow(info, report.pv), strict=True):
        if player != info.player:
            break
        turn.append(text)
    return compact(info.game, turn or [report.action], info.to_dict())


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.1f}"


def win_text(report: MoveReport) -> str:
    """Win probability in percent with its standard error."""
    if report.win is None:
        return "-"
    return percent(report.win) + (f" ± {percent(report.win_stderr)}" if report.win_stderr is not None else "")


def show(out: Console, info: InfoState, analysis: Analysis, shown: int | None = SHOWN) -> None:
    """The table of moves, and the best line of the whole turn."""
    out.print(headline(info, analysis), soft_wrap=True)
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 1))
    table.add_column("#", justify="right")
    table.add_column("first move", no_wrap=True)
    for heading in ("visits %", "win %", "margin", "prior %"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("best continuation", overflow="fold")
    moves = analysis.moves[:shown]
    for place, report in enumerate(moves, 1):
        share = percent(report.visits / analysis.simulations) if analysis.simulations else "-"
        table.add_row(
            str(place),
            Text(report.action, style="bold" if place == 1 else ""),
            share,
            win_text(report),
            signed(report.margin),
            percent(report.prior),
            Text(in_words(info, report.pv)),
        )
    out.print(table)
    if len(analysis.moves) > len(moves):
        out.print(f"   and {len(analysis.moves) - len(moves)} more", style="dim")
    if moves:
        out.print(Text.assemble(" best turn: ", (turn_line(info, moves[0]), "bold")), soft_wrap=True)


def headline(info: InfoState, analysis: Analysis) -> Text:
    """What was searched, and how much."""
    text = (
        f" {info.game.TITLE or info.game.name} · player {analysis.to_move} to move · {analysis.simulations:,} simulations "
        f"in {analysis.seconds:.1f} s over {analysis.worlds:,} possible worlds"
    )
    return Text(text + (" · stopped early" if analysis.interrupted else ""))


def in_words(info: InfoState, pv: list[str]) -> str:
    """What follows the first move of a line, up to the end of the turn; then the others' answer."""
    parts, last = [], info.player
    for text, (player, words) in list(zip(pv, follow(info, pv), strict=True))[1:]:
        if text == PASS:
            continue
        if player not in (None, -1, last):
            parts.append(f"player {player}: {words}")
            last = player
        else:
            parts.append(words)
    return ", ".join(parts)
