"""What the commands that play many games share."""

from __future__ import annotations

import contextlib
import signal
import sys
from typing import Annotated

import typer
from tqdm import tqdm

Jobs = Annotated[int, typer.Option("--jobs", "-j", metavar="J", min=1, help="Games played at the same time, each in a process of its own.")]
EXIT_INTERRUPT = 130


def stop_like_ctrl_c() -> None:
    """Being told to end (by `kill`, or as the terminal closes) is the same as Ctrl-C: what is there is shown and kept."""

    def stop(*_: object) -> None:  # not by raising SIGINT: a shell has programs in the background ignore that
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) != signal.SIG_IGN:  # as under nohup
            with contextlib.suppress(ValueError):  # not in the main thread
                signal.signal(getattr(signal, name), stop)


def bar(unit: str) -> tqdm:
    """A progress bar on stderr, shown on a terminal only."""
    return tqdm(total=0, unit=f" {unit}", file=sys.stderr, leave=False, disable=None, dynamic_ncols=True, smoothing=0.05)
