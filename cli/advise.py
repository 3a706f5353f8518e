"""`wattman advise`."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated

import typer

from wattman.cli.common import GameOptions, Players, Seed, chosen_seed, game_from
from wattman.cli.helper import Helper
from wattman.cli.stopping import EXIT_INTERRUPT, stop_like_ctrl_c
from wattman.engine import positions, records
from wattman.engine.companion import Companion
from wattman.search.agents import load_agent

HELP = """Follow a real game with real cards: you type what you see, and get the best move and what the others may hold.

Enter your own cards and everybody's open moves, in notation or by the numbers that are offered; what cannot have happened is refused.
Type help during the game for all commands.

wattman advise trambahn --seat 1

wattman advise --load my-game.jsonl
"""


def advise(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Name of a game; needless with --load.", show_default=False)] = None,
    option: GameOptions = None,
    players: Players = None,
    seat: Annotated[int, typer.Option(metavar="P", help="Your seat, from 0.")] = 0,
    name: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Names of the seats, from seat 0 on; repeatable.", show_default=False)
    ] = None,
    agent: Annotated[str, typer.Option(metavar="SPEC", help="Who thinks; `wattman agents` lists the parameters.")] = "ismcts:time=5",
    load: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Go on with a saved game, with what `wattman replay --view P --json` wrote, or from a position."),
    ] = None,
    seed: Seed = None,
) -> None:
    companion = begin(game, option, players, seat, name, load)
    searcher = load_agent(agent, companion.game, chosen_seed(seed))
    if not searcher.searches:
        raise ValueError(f"--agent {agent}: it does not search, so it has no advice; take one that does, e.g. ismcts:time=5")
    helper = Helper(companion, searcher)
    stop_like_ctrl_c()
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (editing and history of what is typed)
    try:
        helper.run()
    except EOFError:
        pass
    except KeyboardInterrupt:
        helper.out.print()
        raise typer.Exit(EXIT_INTERRUPT) from None
    finally:  # also after a fault of the program
        helper.rescue()


def begin(
    game: str | None, option: list[str] | None, players: int | None, seat: int, name: list[str] | None, load: Path | None
) -> Companion:
    """The game to follow."""
    if load is not None:
        if game is not None or option or players is not None or name:
            raise ValueError(f"--load {load}: the file says which game it is; GAME, --option, --players and --name cannot change it")
        return Companion.load(load) if records.is_record(load) else Companion(positions.load(load))
    if game is None:
        raise ValueError("which game? `wattman games` lists them; for example: wattman advise trambahn")
    loaded = game_from(game, option, players)
    if not 0 <= seat < loaded.num_players():
        raise ValueError(f"--seat {seat}: seats are 0 to {loaded.num_players() - 1}")
    names = [*(name or []), *[""] * loaded.num_players()][: max(loaded.num_players(), len(name or []))]
    return Companion.begin(loaded, seat, names)
