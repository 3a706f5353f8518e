"""`wattman bench`."""
from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.table import Table
from tqdm import tqdm

from wattman.cli.common import AsJson, GameOptions, Players, console, game_from, print_json
from wattman.engine.games import names
from wattman.search.bench import bench as measure

HELP = """Measure the speed of a game and of the search, on one core.

The work is fixed by the seed; its signature is the same on every machine and changes only when the rules or the search do.
"""

ROWS = (
    ("ns_per_step", "ns a step of a random playout", "{:,.1f}"),
    ("steps_per_playout", "steps a playout", "{:,.1f}"),
    ("playouts_per_s", "random playouts a second", "{:,.0f}"),
    ("dealt_playouts_per_s", "random playouts of dealt worlds a second", "{:,.0f}"),
    ("simulations_per_s", "simulations a second", "{:,.0f}"),
    ("clone_ns", "ns to copy a state", "{:,.1f}"),
    ("fill_ns", "ns to deal what is hidden", "{:,.1f}"),
)


def bench(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Name of a game. Without it, all of them.", show_default=False)] = None,
    option: GameOptions = None,
    players: Players = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Decides the games that are played.")] = 1,
    as_json: AsJson = False,
) -> None:
    chosen = [game_from(game, option, players)] if game else [game_from(name, option, players) for name in names()]
    results = {}
    layout = "{desc} {percentage:3.0f} %|{bar}|"
    with tqdm(total=len(chosen), file=sys.stderr, leave=False, disable=None, dynamic_ncols=True, bar_format=layout) as bar:
        for each in chosen:
            bar.set_description_str(each.name)
            results[each.name] = measure(each, seed, progress=bar.update)
    if as_json:
        print_json(results[chosen[0].name] if game else results)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    for name in results:
        table.add_column(name, justify="right")
    for key, text, layout in ROWS:
        table.add_row(text, *(layout.format(result[key]) if result.get(key) is not None else "-" for result in results.values()))
    table.add_row("signature of the work", *(str(result.get("signature", "-")) for result in results.values()))
    console().print(table)
