"""What the commands share: options of games, consoles, progress, and words for seats."""
from __future__ import annotations

import json
import os
import random
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text
from tqdm import tqdm

from wattman.engine.game import Game
from wattman.engine.games import load_game, names
from wattman.search.linefile import seed_in

WIDTH = 100  # of what is written to a file or a pipe

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; `wattman games` lists them.", show_default=False)]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option of the game, repeatable; `wattman games` lists them."),
]
Players = Annotated[int | None, typer.Option("--players", metavar="N", help="Number of players, short for --option players=N.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Decides all that is random. Without it, another one each time.")]
GameNumber = Annotated[
    int | None, typer.Option("--game", metavar="K", help="Which game of the file, from 1; the last one by default.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text for people.")]


def game_from(name: str, options: list[str] | None, players: int | None) -> Game:
    """The game that the command line asks for."""
    values: dict[str, object] = {}
    for text in options or []:
        key, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--option {text!r}: expected KEY=VALUE, e.g. --option players=2")
        if key.strip() in values:
            raise ValueError(f"--option {text!r}: {key.strip()} is given twice")
        values[key.strip()] = value.strip()
    if players is not None:
        if "players" in values:
            raise ValueError("--players: the number of players is given twice")
        values["players"] = players
    if name not in names():
        load_game(name)  # raises: a stranger's first slip is better answered by what games there are than by its options
    return load_game(name, **values)


def chosen_seed(seed: int | None, resume: bool = False, file: Path | None = None) -> int:
    """The seed that was asked for; without one, that of the file to go on with, or any."""
    if resume and file is None:
        raise ValueError("--resume: needs --out, the file to go on with")
    if seed is None and resume and file is not None:
        seed = seed_in(file)
    return random.randrange(1_000_000) if seed is None else seed


def console(stderr: bool = False) -> Console:
    """A console for people: as wide as the terminal, coloured only there."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else WIDTH
    return Console(stderr=stderr, highlight=False, width=width)


def print_json(data: object) -> None:
    """Plain data as JSON on stdout."""
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False))


@contextmanager
def writing_to(path: Path):
    """An error in writing (the disk is full, ..) that does not tell where it happened tells this path."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def seat_name(player: int, names: list[str] | None = None, you: int | None = None) -> str:
    """How a player is called on the screen."""
    if player == you:
        return "you"
    name = names[player] if names else ""
    return f"player {player}" + (f" ({name})" if name and name != "human" else "")


def number(value: float) -> str:
    """A score without needless decimals."""
    return f"{value:g}"


def drawn(game: Game, view: dict) -> object:
    """The table as something to print. What a game draws as text is taken as it is, without rich's markup."""
    picture = game.draw(view)
    return Text(picture) if isinstance(picture, str) else picture


@contextmanager
def progress(seconds: float | None, simulations: int | None, text: str):
    """A progress bar on stderr for a search; gives the callback that `Agent.analyze` takes. Shown on a terminal only."""
    by_time = seconds is not None
    total = seconds if by_time else simulations
    layout = "{desc} {percentage:3.0f} %|{bar}| {postfix}"
    with tqdm(total=total, desc=text, file=sys.stderr, leave=False, disable=None, bar_format=layout, dynamic_ncols=True) as bar:

        def report(done: int, spent: float, snapshot) -> None:
            bar.n = min(spent if by_time else done, total)
            best = snapshot.moves[0] if snapshot.moves else None
            win = "" if best is None or best.win is None else f" {100 * best.win:.1f} %"
            bar.set_postfix_str(f"{done:,} simulations" + (f", best: {best.action}{win}" if best else ""))

        yield report
