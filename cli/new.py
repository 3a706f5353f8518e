"""`wattman new`."""
from __future__ import annotations

import typer

from wattman.cli.common import GameName
from wattman.engine import positions

app = typer.Typer(help="Print a new file to start from.")


@app.callback()
def new() -> None:
    """Print a new file to start from."""


@app.command("position")
def position(game: GameName) -> None:
    """Print a commented position file: what one player knows at one moment of a game.

    Write it to a file, change it to what lies on your table, and ask for the best move:

    wattman new position trambahn > mine.toml

    wattman analyze mine.toml
    """
    typer.echo(positions.template(game), nl=False)
