"""A match on disk: JSON Lines, first a line that says which match it is, then one line a game, the games of a deal together."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from wattman.engine.records import LINE_LIMIT
from wattman.search.matchgame import Match, MatchGame

try:
    import fcntl
except ImportError:  # no such locks on Windows
    fcntl = None

FORMAT = 1


def _line(data: dict[str, Any]) -> bytes:
    return (json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "surrogatepass")


class MatchFile:
    """The file of a match, open for adding to it.

    A deal is written in one piece and is on the disk when `add` returns. What a killed process left of a deal is cut off on opening.

    Parameters
    ----------
    path : path
    match : Match
        What is played. Only the number of games may differ from what the file was begun with.
    resume : bool
        Go on with the file if it is there; without it that is an error.

    Attributes
    ----------
    deals : list of list of MatchGame
        The whole deals that were in the file.
    """

    def __init__(self, path: str | os.PathLike, match: Match, resume: bool) -> None:
        self.path = Path(path)
        self.match = match
        self.deals: list[list[MatchGame]] = []
        header = {"match": FORMAT, **description(match)}
        if self.path.is_dir():
            raise ValueError(f"{self.path}: this is a directory; a match needs a file")
        try:
            self._file: BinaryIO = open(self.path, "r+b" if resume else "x+b", buffering=0)  # noqa: SIM115 - see close
        except FileExistsError:
            raise ValueError(f"{self.path}: there is such a file already; --resume goes on with it") from None
        except FileNotFoundError:
            self._file = open(self.path, "x+b", buffering=0)  # noqa: SIM115
        try:
            self._lock()
            end = self._read(header)
            self._file.truncate(end)
            self._file.seek(end)
            if end == 0:
                self._write(_line(header))
        except BaseException:
            self._file.close()
            raise

    def add(self, games: Sequence[MatchGame]) -> None:
        """Write the games of one deal."""
        self._write(b"".join(_line(game.to_json()) for game in games))

    def close(self) -> None:
        self._file.close()

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]
        with suppress(OSError):  # not everything that can be written to can be synced
            os.fsync(self._file.fileno())

    def _lock(self) -> None:
        if fcntl:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(f"{self.path}: another process is writing to this file") from None
            except OSError:
                pass  # some network file systems have no locks

    def _read(self, header: dict[str, Any]) -> int:
        """Fill `deals`; the place in the file where the next deal belongs, 0 if even the first line is missing."""
        first = self._file.readline(LINE_LIMIT)
        if not first.endswith(b"\n") and _line(header).startswith(first):
            return 0  # an empty file, or killed at its very start
        found = _parsed(first)
        if not isinstance(found, dict) or "match" not in found:
            raise ValueError(f"{self.path}: this file does not hold a match; it is left as it is")
        for key, value in _parsed(_line(header)).items():
            if found.get(key) != value:
                raise ValueError(f"{self.path}: this is another match: its {key} is {_short(found.get(key))}, not {_short(value)}")
        end, place, deal, known = len(first), len(first), [], set()
        for number, line in enumerate(_lines(self._file), 2):
            place += len(line)
            game = self._game(line, number)
            if game is None:
                break
            if deal and game.deal != deal[0].deal:
                raise ValueError(f"{self.path}: line {number}: the games of deal {deal[0].deal} are not all there")
            deal.append(game)
            expected = self.match.games_of(game.deal)
            if game.deal in known or game.number != len(deal) - 1 or tuple(game.seats) != expected[game.number]:
                raise ValueError(f"{self.path}: line {number}: game {game.number} of deal {game.deal} does not belong here")
            if len(deal) == len(expected):
                self.deals.append(deal)
                known.add(game.deal)
                deal, end = [], place
        return end

    def _game(self, line: bytes, number: int) -> MatchGame | None:
        """The game in a line, None if its end is missing."""
        if not line.endswith(b"\n"):
            return None
        try:
            return MatchGame.from_json(_parsed(line), self.match.game.num_players())
        except ValueError as error:
            raise ValueError(f"{self.path}: line {number}: {error}") from None


def description(match: Match) -> dict[str, Any]:
    """What makes a match this one: everything that decides its games but their number."""
    return {"game": match.game.name, "options": dict(match.game.options), "agents": match.names, "seed": match.seed}


def seed_in(path: str | os.PathLike) -> int | None:
    """The seed of the match in a file, None if there is none to be found."""
    with suppress(OSError), open(path, "rb") as file:
        found = _parsed(file.readline(LINE_LIMIT))
        if isinstance(found, dict) and type(found.get("seed")) is int:
            return found["seed"]
    return None


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines from here on."""
    with open(os.dup(file.fileno()), "rb") as again:  # buffered; the copy has the same place in the file
        while line := again.readline(LINE_LIMIT):
            yield line


def _parsed(line: bytes) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(line.decode("utf-8", "surrogatepass"))
    return None


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
