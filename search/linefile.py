"""Results on disk while they are made: JSON Lines, first a line that says what they are of. One can go on with what is in such a file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from wattman.engine.records import LINE_LIMIT

try:
    import fcntl
except ImportError:  # no such locks on Windows
    fcntl = None


class LineFile:
    """A file of lines, open for adding to it.

    Parameters
    ----------
    path : path
    header : dict
        The first line: what the results are of. Its first key tells this kind of file from others.
    resume : bool
        Go on with the file if it is there; without it that is an error.

    Raises
    ------
    ValueError
        If the file is there and may not be gone on with, is another process's, or has another header.
    """

    def __init__(self, path: str | os.PathLike, header: dict[str, Any], resume: bool) -> None:
        self.path = Path(path)
        if self.path.is_dir():
            raise ValueError(f"{self.path}: this is a directory; a {next(iter(header))} needs a file")
        try:
            self._file: BinaryIO = open(self.path, "r+b" if resume else "x+b", buffering=0)  # noqa: SIM115 - see close
        except FileExistsError:
            raise ValueError(f"{self.path}: there is such a file already; --resume goes on with it") from None
        except FileNotFoundError:
            self._file = open(self.path, "x+b", buffering=0)  # noqa: SIM115
        try:
            self._lock()
            self.first = self._check(header)  # where the lines after the header begin
            if self.first == 0:
                self.cut(0)
                self._write(_line(header))
                self.first = self._file.tell()
        except BaseException:
            self._file.close()
            raise

    def lines(self) -> Iterator[tuple[int, bytes, int]]:
        """The whole lines after the first: number, from 1 for the file's first, text, and where in the file it ends.

        What a killed process left of a line is left out.
        """
        place = self.first
        self._file.seek(place)
        with open(os.dup(self._file.fileno()), "rb") as again:  # buffered; the copy has the same place in the file
            number = 2
            while (line := again.readline(LINE_LIMIT)).endswith(b"\n"):
                place += len(line)
                yield number, line, place
                number += 1

    def cut(self, end: int) -> None:
        """Go on writing at this place; what stands behind it is removed."""
        self._file.truncate(end)
        self._file.seek(end)

    def add(self, rows: Iterable[dict[str, Any]]) -> None:
        """Write lines in one piece. They are on the disk when this returns."""
        self._write(b"".join(_line(row) for row in rows))

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

    def _check(self, header: dict[str, Any]) -> int:
        """Compare the first line; where it ends, 0 if it is missing."""
        noun = next(iter(header))
        first = self._file.readline(LINE_LIMIT)
        if not first.endswith(b"\n") and _line(header).startswith(first):
            return 0  # an empty file, or killed at its very start
        found = parsed(first)
        if not isinstance(found, dict) or noun not in found:
            raise ValueError(f"{self.path}: this file does not hold a {noun}; it is left as it is")
        for key, value in parsed(_line(header)).items():
            if found.get(key) != value:
                raise ValueError(f"{self.path}: this is another {noun}: its {key} is {_short(found.get(key))}, not {_short(value)}")
        return len(first)


def seed_in(path: str | os.PathLike) -> int | None:
    """The seed in a file's first line, None if there is none to be found."""
    with suppress(OSError), open(path, "rb") as file:
        found = parsed(file.readline(LINE_LIMIT))
        if isinstance(found, dict) and type(found.get("seed")) is int:
            return found["seed"]
    return None


def parsed(line: bytes) -> Any:
    """What a line holds, None if it is no JSON."""
    with suppress(ValueError, RecursionError):
        return json.loads(line.decode("utf-8", "surrogatepass"))
    return None


def _line(data: dict[str, Any]) -> bytes:
    return (json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "surrogatepass")


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
