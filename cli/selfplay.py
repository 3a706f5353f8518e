"""`wattman selfplay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from wattman.cli.common import AsJson, GameName, GameOptions, Players, Seed, chosen_seed, console, game_from, print_json, writing_to
from wattman.cli.jobs import Ray, Workers, bar
from wattman.cli.stopping import EXIT_INTERRUPT, stop_like_ctrl_c
from wattman.models.tensors import write_shards
from wattman.search.noting import Cap
from wattman.search.selfplay import DESCRIPTION
from wattman.search.selfplay import selfplay as run

HELP = """Let an agent play against itself, and keep the games as records.

The directory gets files of records, 1000 games each, in the order of their numbers; `wattman replay` shows them. A finished game is \
never lost, whenever the command is stopped. With a number of simulations as the budget the games depend on the seed alone.

wattman selfplay trambahn --games 1000 --out games --agent ismcts:simulations=200 --jobs 2

With --tensors there is also an .npz file of arrays for each file of records (docs/network.md), made again if it is lost.
"""


def selfplay(
    game: GameName,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Games that the directory holds in the end.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the games go; made if it is not there.", show_default=False)],
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SPEC",
            help="Who plays, ismcts:simulations=400 by default; one for all seats, or one for each. `wattman agents` lists them.",
            show_default=False,
        ),
    ] = None,
    option: GameOptions = None,
    players: Players = None,
    jobs: Workers = None,
    ray: Ray = None,
    seed: Seed = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the games in the directory, if there are any.")] = False,
    tensors: Annotated[
        bool, typer.Option("--tensors", help="Keep what the searches found, and write arrays for training beside the records.")
    ] = False,
    full: Annotated[float, typer.Option(metavar="SHARE", help="With --tensors: share of decisions with all simulations.")] = Cap.full,
    quick: Annotated[int, typer.Option(metavar="N", help="With --tensors: simulations of the other decisions.")] = Cap.quick,
    as_json: AsJson = False,
) -> None:
    loaded = game_from(game, option, players)
    seed = chosen_seed(seed, resume, out / DESCRIPTION)
    cap = Cap(full, quick) if tensors else None
    stop_like_ctrl_c()
    with writing_to(out), bar("games") as progress:

        def report(done: int, total: int) -> None:
            progress.total, progress.n = total, done
            progress.update(0)

        spec = agent or "ismcts:simulations=400"
        result = run(loaded, out, games, spec, seed=seed, jobs=jobs, ray=ray, resume=resume, cap=cap, progress=report)
    if tensors:
        with writing_to(out):
            write_shards(loaded, out)
    if as_json:
        print_json(result.to_json())
    else:
        console().print(Text(f"{result.done:,} of {games:,} games in {out} ({result.added:,} new) · seed {seed}"), soft_wrap=True)
    if result.interrupted:
        console(stderr=True).print(Text("wattman: interrupted; the same command with --resume goes on"), soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPT)
    if result.broken:
        more = f" and {len(result.broken) - 1} more" if len(result.broken) > 1 else ""
        first = " ".join(result.broken[0].split())
        raise ValueError(f"agents failed, and {len(result.broken)} of the new games broke off: {first}{more}")
