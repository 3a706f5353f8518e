"""`wattman play`."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from wattman.cli.common import GameNumber, GameOptions, Players, Seed, chosen_seed, console, game_from
from wattman.cli.files import contents
from wattman.cli.stopping import EXIT_INTERRUPT, stop_like_ctrl_c
from wattman.cli.table import OpponentError, Table
from wattman.engine import records
from wattman.engine.game import Game
from wattman.engine.records import Record
from wattman.engine.session import Session
from wattman.search.agents import Agent, load_agent
from wattman.search.levels import MOST
from wattman.search.play import agent_seed

HELP = """Play a game at the terminal.

Moves are typed by their number or in their notation; a whole turn fits on one line. Type help during the game for all commands. When you
stop, by quit, Ctrl-C or the end of the input, an unfinished game is saved in the current directory; --load goes on with it.

wattman play trambahn --level 2

wattman play trambahn --opponent ismcts:time=3 --seat 1
"""
HUMAN = "human"
DEFAULT_OPPONENT = "ismcts:time=1"


def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Name of a game; needless with --load.", show_default=False)] = None,
    option: GameOptions = None,
    players: Players = None,
    seat: Annotated[
        list[int] | None,
        typer.Option(metavar="P", help="Your seat, from 0; 0 by default. Repeat it for several people at this screen.", show_default=False),
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SPEC",
            help=f"Who plays the other seats, {DEFAULT_OPPONENT} by default; one for all, or one for each. `wattman agents` lists them.",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=MOST,
            help=f"How strong the others are, 1 to {MOST}; the same as --opponent level:N.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = None,
    load: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Go on with a saved game (a record), or from a position, whose hidden part the seed deals."),
    ] = None,
    number: GameNumber = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the finished game to the end of this file, as a record.")] = None,
) -> None:
    seed = chosen_seed(seed)
    if level is not None:
        if opponent:
            raise ValueError("--level: the others are given by --opponent already")
        opponent = [f"level:{level}"]
    session, names, complete = begin(game, option, players, load, number, seed)
    seats = people(seat, names, session.game)
    specs, agents = others(session.game, seats, names, opponent, seed)
    if save is not None:
        check_save(save, complete)
    table = Table(session, specs, agents, seed, complete)
    stop_like_ctrl_c()
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (editing and history of what is typed)
    status = 0
    try:
        table.run()
    except EOFError:
        pass
    except KeyboardInterrupt:
        status = EXIT_INTERRUPT
        table.out.print()
    except (BrokenPipeError, SystemExit):  # nobody reads the screen any more; rich ends the program then
        table.rescue(quiet=True)
        raise
    except OpponentError as error:
        status = 2
        console(stderr=True).print(Text(f"wattman: {' '.join(str(error).split())}"), soft_wrap=True)
    end(table, save)
    if status:
        raise typer.Exit(status)


def check_save(path: Path, complete: bool) -> None:
    """Refuse a file now that could not be written after the game."""
    if str(path) in ("", "."):
        raise ValueError("--save: expected the name of a file")
    records.check_target(path)
    if not complete and path.exists():
        raise ValueError(f"--save {path}: there is such a file already, and a game that began at a position is saved in a new one")


def end(table: Table, save: Path | None) -> None:
    """Save what is to be saved."""
    if not table.session.state.is_terminal():
        path = table.rescue()
        if path is not None:
            table.out.print(Text(f"  go on with: wattman play --load {path}"), soft_wrap=True)
    elif save is not None:
        try:
            table.save(save)
        except (ValueError, OSError):
            if table.complete:  # the game is worth more than its file's name
                table.save(records.default_path(table.session.game.name))
            raise
    elif table.typed and sys.stdout.isatty() and table.complete and len(table.session) != table.saved:
        offer(table)


def offer(table: Table) -> None:
    """Ask where to save a finished game."""
    while True:
        try:
            answer = input("Save the game to a file? [name, or Enter for no] > ").strip()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            return table.save(Path(answer)) if answer else None
        except (ValueError, OSError) as error:
            table.say(Text(str(error), style="red"))


def begin(
    game: str | None, option: list[str] | None, players: int | None, load: Path | None, number: int | None, seed: int
) -> tuple[Session, list[str], bool]:
    """The game to play, the names that a record gives its seats, and whether the game is there from its start."""
    if load is None:
        if number is not None:
            raise ValueError("--game: needs --load")
        if game is None:
            raise ValueError("which game? `wattman games` lists them; for example: wattman play trambahn")
        loaded = game_from(game, option, players)
        return Session.start(loaded, seed), [HUMAN] + [""] * (loaded.num_players() - 1), True
    if option or players is not None:
        raise ValueError(f"--load {load}: the file says which game it is, --option and --players cannot change it")
    found = contents(load, number)
    if isinstance(found, Record):
        session, names, complete = Session.from_record(found, seed), list(found.players), True
    else:
        session, complete = Session.from_info(found, seed), False
        names = [HUMAN if seat == found.player else "" for seat in range(found.game.num_players())]
    if game is not None and game != session.game.name:
        raise ValueError(f"--load {load}: this is a game of {session.game.name}, not of {game}")
    return session, names, complete


def people(seat: list[int] | None, names: list[str], game: Game) -> list[int]:
    """The seats of people at this screen."""
    for each in seat or []:
        if not 0 <= each < game.num_players():
            raise ValueError(f"--seat {each}: seats are 0 to {game.num_players() - 1}")
    return sorted(set(seat or [place for place, name in enumerate(names) if name == HUMAN] or [0]))


def others(game: Game, seats: list[int], names: list[str], opponent: list[str] | None, seed: int) -> tuple[list[str], dict[int, Agent]]:
    """The names of all seats for a record, and the agents of those that no person has."""
    free = [seat for seat in range(game.num_players()) if seat not in seats]
    specs = dict.fromkeys(free, DEFAULT_OPPONENT)
    if opponent and len(opponent) not in (1, len(free)):
        raise ValueError(f"--opponent is given {len(opponent)} times; give one for all, or one for each of the {len(free)} other seats")
    if opponent:
        specs.update(zip(free, opponent if len(opponent) > 1 else opponent * len(free), strict=True))
    else:
        for place in free:
            if names[place] not in ("", HUMAN):
                with contextlib.suppress(ValueError):  # somebody's name
                    load_agent(names[place], game, 0)
                    specs[place] = names[place]
    agents = {place: load_agent(spec, game, agent_seed(seed, place)) for place, spec in specs.items()}
    return [specs.get(place, HUMAN) for place in range(game.num_players())], agents
