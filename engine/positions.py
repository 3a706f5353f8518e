"""Position files: what one player knows at one moment of a game, as TOML written by people or by `dumps`.

The keys `game` and ``[options]`` are the same for all games; the rest is each game's own layout, described by its docs page and
`template`. A game's module gives the layout through its `text_module`:

- ``from_file(data, options) -> dict``: the parsed file as the plain data that ``Game.info_from_dict`` takes; ValueError if it is wrong
- ``to_file(data) -> dict``: plain data as the file's tables
- ``remarks(data) -> list[str]`` (optional): what is allowed in plain data but hardly meant
- ``COMMENTS`` (optional): remarks by place for written files, as in `tomlfile.dumps`

A game without one reads and writes its plain data as it is.
"""

from __future__ import annotations

import sys
from os import PathLike
from typing import BinaryIO

from wattman.engine import tomlfile
from wattman.engine.game import Game, InfoState
from wattman.engine.games import game_class, load_game, names


class PositionError(ValueError):
    """A position file that cannot be read: one line that names the file, the key, what is wrong and what is allowed."""


def loads(text: str, source: str = "<text>") -> InfoState:
    """What a player knows, from the text of a position file.

    Parameters
    ----------
    text : str
        TOML.
    source : str
        What errors call it, e.g. the file's name.

    Raises
    ------
    PositionError
        ``source: [key].path: what is wrong; what is allowed``.
    """
    return _guarded(source, lambda: _info(*_plain(tomlfile.parse(text))))


def load(path: str | PathLike, file: BinaryIO | None = None) -> InfoState:
    """What a player knows, from a position file (from `file`, if it is open already); PositionError if it cannot be read."""
    return _guarded(_name(path), lambda: _info(*_plain(tomlfile.parse(tomlfile.read_text(path, file)))))


def plain(text: str, source: str = "<text>") -> tuple[Game, dict]:
    """The game of a position file's text and the plain data that ``Game.info_from_dict`` takes; PositionError if it cannot be read."""
    return _guarded(source, lambda: _plain(tomlfile.parse(text)))


def remarks(path: str | PathLike, file: BinaryIO | None = None) -> list[str]:
    """Things in a position file that are allowed but that no real game gets to: most likely slips. PositionError as `load`."""

    def look() -> list[str]:
        game, data = _plain(tomlfile.parse(tomlfile.read_text(path, file)))
        find = getattr(_layout(game), "remarks", None)
        return find(data) if find else []

    return _guarded(_name(path), look)


def dumps(info: InfoState) -> str:
    """A position file's text that `loads` turns into an equal InfoState; ValueError if the game has no position files."""
    game = info.game
    data = {"game": game.name, "options": dict(game.options)} | game.info_to_dict(info)
    layout = _layout(game)
    table = layout.to_file(data) if hasattr(layout, "to_file") else data
    head = f"# {game.TITLE or game.name}: what player {info.player} knows.\n"
    return head + tomlfile.dumps(table, getattr(layout, "COMMENTS", None))


def games() -> list[str]:
    """Names of the games that have position files, sorted."""
    return [name for name in names() if game_class(name).info_from_dict is not Game.info_from_dict]


def template(game_name: str) -> str:
    """A commented position file of a game to start from; it loads as it is. ValueError if there is no such game or it has none."""
    if game_name not in games():
        wrong = f"{game_name} has no position files" if game_name in names() else f"no game {game_name!r}"
        raise ValueError(f"{wrong}; games with position files are: {', '.join(games())}")
    return load_game(game_name).template()


# --- inside ---


def _guarded(source, act):
    try:
        return act()
    except PositionError:
        raise
    except (ValueError, OverflowError) as error:
        raise PositionError(f"{source}: {tomlfile.one_line(error)}") from error


def _name(path) -> str:
    return tomlfile.one_line(path, 200) or '""'


def _layout(game: Game):
    """The game's module of texts, or None."""
    return getattr(sys.modules[type(game).__module__], "text_module", None)


def _plain(data: dict) -> tuple[Game, dict]:
    top = tomlfile.Section(data)
    name = top.word("game", games())
    kind = game_class(name)
    options = top.section("options", kind.OPTIONS)
    for key, value in options.data.items():
        if not isinstance(value, str | int | float):
            raise options.error(key, "expected a word or a number")
    try:
        game = load_game(name, **options.data)
    except ValueError as error:
        raise ValueError(f"[options]: {error}") from None
    layout = _layout(game)
    return game, layout.from_file(data, dict(game.options)) if hasattr(layout, "from_file") else data


def _info(game: Game, data: dict) -> InfoState:
    return game.info_from_dict(data)
