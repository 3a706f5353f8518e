"""`wattman train`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from tqdm import tqdm

from wattman.cli.common import GameName, GameOptions, Players, Seed, chosen_seed, console, game_from, writing_to
from wattman.cli.jobs import Jobs, bar
from wattman.cli.stopping import EXIT_INTERRUPT, ctrl_c_later, stop_like_ctrl_c
from wattman.engine.game import Game
from wattman.search.statistics import elo

HELP = """Train a network by self-play, to guide the search: `ismcts:net=FILE`.

Games without a network come first; then iterations of self-play with the best network so far, training, and matches of the new network \
against the old one and against the search without. All of it is kept in the directory, and whenever the command is stopped, --resume \
goes on. Needs PyTorch: pip install 'wattman\\[train]'.

wattman train trambahn --out training --hours 2 --jobs 2

With --start the first games are guided by weights that are there already, also by those for another board or number of players:

wattman train portland --players 3 --start two-players.npz --out training
"""

SET_HERE = {  # what would be wrong among the parameters of --search, and why
    "simulations": "--simulations says how many",
    "time": "simulations are the budget, so that the seed decides all",
    "net": "it is the network that is trained",
    "noise": "self-play has its own, and matches none",
}


def train(
    game: GameName,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where all goes; made if it is not there.", show_default=False)],
    hours: Annotated[
        float | None, typer.Option(metavar="H", min=0, help="No iteration begins after so many hours.", show_default=False)
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Iterations that the directory holds in the end; 10 if no hours are given.")
    ] = None,
    option: GameOptions = None,
    players: Players = None,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Games of self-play in an iteration.")] = 200,
    simulations: Annotated[int, typer.Option(metavar="N", min=1, help="Of a full search.")] = 300,
    bootstrap: Annotated[
        int, typer.Option(metavar="N", min=0, help="Games by the playout policy from which values are learnt first.")
    ] = 0,
    unsearched: Annotated[int, typer.Option(metavar="N", min=0, help="Games without search in an iteration, for values.")] = 0,
    window: Annotated[int, typer.Option(metavar="N", min=1, help="Iterations whose games are learnt from.")] = 8,
    passes: Annotated[float, typer.Option(metavar="X", min=0.01, max=1000, help="How often each decision is learnt from.")] = 8.0,
    match: Annotated[int, typer.Option(metavar="N", min=2, help="Games of each match.")] = 60,
    width: Annotated[
        str | None,
        typer.Option(metavar="N,N", help="Widths of the network's hidden layers, multiples of 8; 64,64 by default.", show_default=False),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Weights to begin with, instead of none; those of other options are carried over, as by `wattman transfer`.",
            show_default=False,
        ),
    ] = None,
    search: Annotated[
        str, typer.Option(metavar="NAME=VALUE,..", help="Parameters of the search with the network; its card keeps them.")
    ] = "net_value=0",
    device: Annotated[str, typer.Option(metavar="NAME", help="Where PyTorch trains: cpu or cuda.")] = "cpu",
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Write files for TensorBoard too.")] = False,
    jobs: Jobs = 1,
    seed: Seed = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the training in the directory, if there is one.")] = False,
) -> None:
    loaded = game_from(game, option, players)
    try:
        with ctrl_c_later():
            import torch

            from wattman.models.curve import curve
            from wattman.models.loop import DESCRIPTION, Settings, Training
            from wattman.models.transfer import carry_over
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise ValueError("training needs PyTorch: pip install 'wattman[train]' (playing with a trained network does not)") from None
    from wattman.search.agents import load_agent

    begun = carry_over(start, loaded) if start else None
    hidden = _widths(width or "64,64") if begun is None else begun.widths
    if begun and width and _widths(width) != hidden:
        raise ValueError(f"--width {width}: the network of {start} has {','.join(map(str, hidden))}")
    if begun and bootstrap:
        raise ValueError("--bootstrap: values are learnt before all else where a training begins from nothing, not with --start")
    if begun is None:
        _check_size(loaded, hidden)
    _check_device(device)
    torch.set_num_threads(1)  # sums in one order, so that the seed decides all; networks as small as these gain little from more
    seed = chosen_seed(seed, resume, out / DESCRIPTION)
    parameters = {name.strip(): value.strip() for name, _, value in (part.partition("=") for part in search.split(",") if part)}
    if taken := [name for name in SET_HERE if name in parameters]:
        raise ValueError(f"--search {search}: {taken[0]} is not for this option: {SET_HERE[taken[0]]}")
    load_agent("ismcts:net=none" + (f",{search}" if search else ""), loaded)  # errors now
    settings = Settings(
        games=games,
        simulations=simulations,
        bootstrap=bootstrap,
        unsearched=unsearched,
        window=window,
        passes=passes,
        match=match,
        hidden=hidden,
        search=parameters,
    )
    summary = _summary_writer() if tensorboard else None  # an error before anything is written
    training = Training(loaded, out, settings, seed, jobs=jobs, device=device, resume=resume, start=begun)
    wanted = iterations if iterations is not None else (10 if hours is None else sys.maxsize)
    end = time.monotonic() + 3600 * hours if hours is not None else float("inf")
    writer = summary(str(out / "tensorboard")) if summary else None
    shown = console()
    stop_like_ctrl_c()
    try:
        with writing_to(out), bar("") as progress:
            report = _Report(progress)
            while len(training.done()) < wanted and time.monotonic() < end:
                row = training.iterate(report)
                against = "" if row.gate is None else f", {100 * row.gate:.0f} % against the last network"
                plain = "" if row.plain is None else f", {100 * row.plain:.0f} % ({_elo(row.plain)}) against the search without"
                text = f"iteration {row.number}: loss {row.losses.policy:.3f} policy, {row.losses.win:.3f} win{against}{plain}"
                progress.clear()
                shown.print(Text(f"{text}{'' if row.accepted else ' (not taken)'}, Elo {row.elo:+.0f}"), soft_wrap=True)
                if writer is not None:
                    scalars = {"loss/policy": row.losses.policy, "loss/win": row.losses.win, "elo": row.elo, "plain": row.plain}
                    for name, value in scalars.items():
                        writer.add_scalar(name, value, row.number)
                    writer.flush()
    except KeyboardInterrupt:
        console(stderr=True).print(Text("wattman: interrupted; the same command with --resume goes on"), soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPT) from None
    rows = training.done()
    picture = out / "strength.svg"
    picture.write_text(curve(loaded.TITLE or loaded.name, rows), encoding="utf-8")
    best = training.best()
    told = f"the best network is {out / best.relative_to(training.folder)}" if best else "there is no network yet"
    shown.print(Text(f"{len(rows)} iteration{'s' * (len(rows) != 1)} in {out}; {told}; picture: {picture}"), soft_wrap=True)


def _elo(share: float) -> str:
    return f"Elo {elo(share):+.0f}".replace("inf", "∞")


def _check_size(game: Game, hidden: list[int]) -> None:
    """Refuse widths whose weights would not fit into a file, now instead of after the first games."""
    import torch

    from wattman.models import weights
    from wattman.models.loop import new_network

    with torch.device("meta"):
        numbers = sum(parameter.numel() for parameter in new_network(game, hidden).parameters())
    size = 2 * numbers  # float16
    if 0.8 * size > weights.LARGEST:  # compressed they take about 0.85 of it
        told = f"{size / 1e6:.1f} MB of weights; a file may have {weights.LARGEST / 1e6:g}"
        raise ValueError(f"--width {','.join(map(str, hidden))}: {told}")


def _check_device(name: str) -> None:
    """Refuse a device that PyTorch cannot use, now instead of after the first games."""
    import torch

    try:
        torch.zeros(1, device=name)
    except (RuntimeError, AssertionError, NotImplementedError) as error:  # whichever: it depends on how PyTorch was built
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"--device {name}: PyTorch cannot use it here ({reason}); cpu always works") from None


class _Report:
    """The progress bar: what is done, with its speed."""

    def __init__(self, progress: tqdm) -> None:
        self.progress = progress
        self.what = ""

    def __call__(self, what: str, done: int, total: int, words: str) -> None:
        if what != self.what:
            self.what = what
            self.progress.set_description_str(what, refresh=False)
            self.progress.set_postfix_str(words, refresh=False)
            self.progress.unit = " batches" if what.endswith(": training") else " games"
            self.progress.reset(total)
        self.progress.total, self.progress.n = total, done
        self.progress.set_postfix_str(words, refresh=False)
        self.progress.update(0)


def _widths(text: str) -> list[int]:
    try:
        widths = [int(part) for part in text.split(",")]
    except ValueError:
        widths = []
    if not 1 <= len(widths) <= 4 or any(not 8 <= width <= 4096 or width % 8 for width in widths):
        raise ValueError(f"--width {text}: expected one to four multiples of 8, at most 4096, e.g. 128,128")
    return widths


def _summary_writer():
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ModuleNotFoundError:
        raise ValueError("--tensorboard: the package tensorboard is not installed") from None
    return SummaryWriter
