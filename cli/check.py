"""`wattman check`."""
from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from wattman.cli.common import AsJson, console, print_json
from wattman.engine.checking import FileReport, check_file
from wattman.engine.games import game_class, names

HELP = """Check a file that you have written or kept: a board, a position or a record of games.

All that is wrong with a board is listed at once, each fault by its key; of a position the first fault, of records each game that does not
replay. The exit status is 0 if the file is fine and 2 if not.
"""


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A board, a position or a record.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    report = check_file(file)
    if as_json:
        print_json({"fine": not report.faults} | asdict(report))
    else:
        out = console()
        for line in lines(report):
            out.print(line, soft_wrap=True)
    if report.faults:
        raise typer.Exit(2)


def lines(report: FileReport) -> list[Text]:
    """A report for people."""
    title = game_class(report.game).TITLE if report.game in names() else report.game.title()
    kind = f"a {report.kind}" + (f" of {title}" if title else "") if report.kind else "neither a board nor a position nor a record"
    count = len(report.faults)
    verdict = f"{count} fault{'s' * (count > 1)}" if count else "fine"
    head = Text.assemble(f"{report.file}: {kind}: ", (verdict, "bold red" if count else "bold green"))
    found = [Text(f"  {fault}") for fault in report.faults] + [Text(f"  note: {remark}") for remark in report.remarks]
    return [head, *([Text(f"  {report.summary}")] if report.summary else []), *found]
