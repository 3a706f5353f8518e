"""`wattman review`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wattman.cli.common import AsJson, GameNumber, Seed, chosen_seed, console, number, print_json, seat_name
from wattman.cli.files import contents, write_new
from wattman.cli.jobs import bar
from wattman.cli.review_html import page
from wattman.cli.review_words import lost, parts, per_turn
from wattman.cli.stopping import EXIT_INTERRUPT, stop_like_ctrl_c
from wattman.engine import positions
from wattman.engine.records import Record
from wattman.engine.session import turn_line
from wattman.search.grades import GRADES
from wattman.search.review import SIMULATIONS, Review, Reviewer, Turn

HELP = """Review a recorded game: what each decision lost, the mistakes worst first, and luck apart from skill.

Every decision is looked at from what its player knew then. A quick search comes first, a deeper one where something seems to be lost.
"""
SHOWN = 5


def review(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="Records or a match; - for standard input.", show_default=False)],
    player: Annotated[
        list[int] | None, typer.Option(metavar="P", help="Whose decisions, repeatable; by default everybody's.", show_default=False)
    ] = None,
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0.001, help="Of the first look, for each turn.", show_default=False)
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help=f"Of the first look, for each decision ({SIMULATIONS}); as many playouts tell luck from skill.",
            show_default=False,
        ),
    ] = None,
    agent: Annotated[str, typer.Option(metavar="SPEC", help="Whose search; `wattman agents` lists the parameters.")] = "ismcts",
    html: Annotated[
        Path | None, typer.Option(metavar="OUT.html", help="Write a page with the curve and the worst mistakes drawn.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep what is found in this file, so that nothing gets lost.", show_default=False)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the review in the file, if it is there.")] = False,
    seed: Seed = None,
    game: GameNumber = None,
    every: Annotated[bool, typer.Option("--all", help=f"Show all mistakes, not only the worst {SHOWN}.")] = False,
    as_json: AsJson = False,
) -> None:
    if time is not None and simulations is not None:
        raise ValueError("--time, --simulations: only one of them can be the budget")
    if html is not None and html.exists():
        raise ValueError(f"{html}: there is such a file already; it is left as it is")
    seed = chosen_seed(seed, resume, out)
    record = recorded(file, game)
    stop_like_ctrl_c()
    reviewer = Reviewer(record, player, agent, simulations, time, seed=seed, out=out, resume=resume)
    with bar("steps") as shown:

        def report(done: int, total: int, so_far: Review) -> None:
            shown.total, shown.n = total, done
            found = so_far.mistakes
            if found:
                shown.set_postfix_str(f"{len(found)} mistakes, worst: {lost(so_far, found[0])}", refresh=False)
            shown.update(0)

        result = reviewer.run(report if not shown.disable else None)
    if html is not None and result.complete:
        write_new(html, page(result, reviewer.states))
        console(stderr=True).print(Text(f"wrote {html}"), soft_wrap=True)
    if as_json:
        print_json(result.to_json())
    else:
        show(console(), reviewer, result, None if every else SHOWN)
    if not result.complete:
        looked = sum(len(turn.decisions) for turn in result.turns)
        hint = "; the same command with --resume goes on" if out else ""
        console(stderr=True).print(Text(f"wattman: interrupted after {looked} of {result.decided} decisions{hint}"), soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPT)


def recorded(file: Path, game: int | None) -> Record:
    """The game to review."""
    try:
        found = contents(file, game)
    except positions.PositionError:
        raise ValueError(f"{file}: this file does not hold games; they are JSON, each on one line") from None
    if not isinstance(found, Record):
        raise ValueError(f"{file}: this is a position, no game; wattman analyze {file} looks into it")
    return found


def show(out: Console, reviewer: Reviewer, review: Review, shown: int | None) -> None:
    """The review for people."""
    record = review.record
    scores = " : ".join(number(score) for score in record.scores) if record.scores else "not over"
    out.print(Text(f"{reviewer.game.TITLE or record.game} · {scores} · {review.agent}", style="bold"), soft_wrap=True)
    out.print(decisions_table(review))
    if review.balances:
        out.print(luck_table(review))
    elif not reviewer.states[-1].is_terminal():
        out.print(" The game is not over: luck and skill would tell what is still hidden.", style="dim")
    mistakes = review.mistakes
    if not mistakes:
        out.print(" No turn lost enough to be called a mistake.")
    for place, turn in enumerate(mistakes[:shown], 1):
        out.print(Text.assemble((f" {place}. ", "bold"), *mistake(reviewer, review, turn)), soft_wrap=True)
    if shown is not None and len(mistakes) > shown:
        out.print(f"    and {len(mistakes) - shown} more", style="dim")


def decisions_table(review: Review) -> Table:
    """What each player's turns lost."""
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 1))
    table.add_column("player", overflow="fold")
    for heading in ("turns", "lost a turn", "points", *GRADES):
        table.add_column(heading, justify="right", no_wrap=True)
    for player in review.players:
        grades = [str(number or "-") for number in review.summary(player)["grades"].values()]
        table.add_row(Text(seat_name(player, review.record.players)), *per_turn(review, player), *grades)
    return table


def luck_table(review: Review) -> Table:
    """Where the results come from."""
    place = 0 if review.counts == "win" else 1
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 1))
    table.add_column("win %" if place == 0 else "points", overflow="fold")
    for heading in ("start", "cards", "hidden", "own skill", "others", "result"):
        table.add_column(heading, justify="right", no_wrap=True)
    for balance in review.balances:
        table.add_row(Text(seat_name(balance.player, review.record.players)), *parts(balance, place))
    return table


def mistake(reviewer: Reviewer, review: Review, turn: Turn) -> list[str | tuple[str, str]]:
    """One mistake in words: who, when, what it lost, what he did and what would have been better."""
    played, better = in_lines(reviewer, turn)
    return [
        f"{seat_name(turn.player, review.record.players)}, turn {turn.number}: ",
        (turn.grade, "bold"),
        f", {lost(review, turn)} (ply {turn.worst.ply})\n",
        f"    played: {played}\n    better: ",
        (better, "bold"),
    ]


def in_lines(reviewer: Reviewer, turn: Turn) -> tuple[str, str]:
    """What was played from the worst decision of a turn on, and what would have been better, each as one line to type."""
    worst = turn.worst
    info = reviewer.states[worst.ply].info_state()
    return turn_line(info, reviewer.record.actions[worst.ply : turn.end]), turn_line(info, worst.plan)
