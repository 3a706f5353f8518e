"""What the commands that play many games share."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from tqdm import tqdm

Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="J", min=1, max=256, help="Games played at the same time, each in a process of its own.")
]

Workers = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="J",
        min=1,
        max=100_000,
        help="Games played at the same time, each in a process of its own; 1 by default, with --ray as many as the cluster has CPUs.",
        show_default=False,
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Play on a Ray cluster: auto, HOST:PORT, ray://HOST:PORT, or local to start one here. Needs wattman\\[ray], there too.",
        show_default=False,
    ),
]


def bar(unit: str) -> tqdm:
    """A progress bar on stderr, shown on a terminal only."""
    return tqdm(total=0, unit=f" {unit}", file=sys.stderr, leave=False, disable=None, dynamic_ncols=True, smoothing=0.05)
