"""What the commands that play many games share."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from tqdm import tqdm

Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="J", min=1, max=256, help="Games played at the same time, each in a process of its own.")
]


def bar(unit: str) -> tqdm:
    """A progress bar on stderr, shown on a terminal only."""
    return tqdm(total=0, unit=f" {unit}", file=sys.stderr, leave=False, disable=None, dynamic_ncols=True, smoothing=0.05)
