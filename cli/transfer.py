"""`wattman transfer`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from wattman.cli.common import GameName, GameOptions, Players, console, game_from, writing_to
from wattman.models import weights
from wattman.models.transfer import carry_over

HELP = """Carry a trained network over to another board, number of players or other options of its game.

What it has learnt of a route, a place or a card is kept by its name; what is new begins without an opinion. Values are kept among as many \
players only. What that is worth, a match tells. `wattman train --start` goes on from such a network.

wattman transfer portland two-players.npz --out three-players.npz --players 3
"""


def transfer(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Weights of a network.", show_default=False)],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the new weights go.", show_default=False)],
    option: GameOptions = None,
    players: Players = None,
) -> None:
    loaded = game_from(game, option, players)
    found = carry_over(file, loaded)
    if out.exists():
        raise ValueError(f"{out}: there is such a file already; it is left as it is")
    with writing_to(out):
        weights.save(out, found.card, found.arrays)
    counts = [f"{total - new} of {total} {what} kept" for what, (total, new) in (("inputs", found.inputs), ("terms", found.terms)) if total]
    counts.append("values kept" if found.values else "values begin at 0")
    console().print(Text(f"{out}: {', '.join(counts)}"), soft_wrap=True)
