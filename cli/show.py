"""`wattman show`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from wattman.cli.analyze import knowledge
from wattman.cli.common import AsJson, GameNumber, console, drawn, print_json
from wattman.cli.files import write_new

HELP = """Show the table of a position, or of a record at one ply, as one player sees it: at the terminal, or as a picture.

wattman show examples/trambahn-midgame.toml --svg table.svg
"""


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A position or a record.", show_default=False)],
    svg: Annotated[
        Path | None, typer.Option(metavar="OUT.svg", help="Write a picture (SVG), for any browser; - for stdout.", show_default=False)
    ] = None,
    game: GameNumber = None,
    ply: Annotated[
        int | None, typer.Option(metavar="N", help="After so many events of a record; by default at its last decision.", show_default=False)
    ] = None,
    player: Annotated[int | None, typer.Option(metavar="P", help="Whose view of a record; by default who is to move.")] = None,
    as_json: AsJson = False,
) -> None:
    info = knowledge(file, game, ply, player)
    view = info.to_dict()
    if as_json:
        print_json(view)
    elif svg is None:
        console().print(drawn(info.game, view))
    elif str(svg) == "-":
        typer.echo(info.game.svg(view), nl=False)
    else:
        write_new(svg, info.game.svg(view))
        console(stderr=True).print(Text(f"wrote {svg}"), soft_wrap=True)
