"""TOML files that people write: reading them with errors that name the key, and writing them.

Every error is a ValueError of one line that begins with the place (``[you].hand: ...``); whoever reads a file puts its name in front.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import BinaryIO

LIMIT = 1 << 18  # bytes; whatever is longer was not written by a person
WIDTH = 100  # columns; longer lists are wrapped

_KINDS = {bool: "true or false", int: "a whole number", float: "a number with a fraction", str: "a text", list: "a list", dict: "a table"}
_BARE = re.compile(r"[A-Za-z0-9_-]+")


# --- texts of errors ---


def one_line(text: object, limit: int = 600) -> str:
    """`text` on one line without control characters, cut off at `limit`."""
    line = " ".join("".join(c if c.isprintable() else " " if c.isspace() else "?" for c in str(text)).split())
    return line if len(line) <= limit else line[: limit - 2] + ".."


def show(value: object) -> str:
    """A value as a file would write it, short enough for an error."""
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, int) and abs(value) >= 10**15:
        text = "a number of more than 15 digits"  # str() refuses huge ones
    elif isinstance(value, list | dict):
        text = _KINDS[type(value)]
    else:
        text = str(value)
    return one_line(text, 60)


def listed(words: Iterable[object], last: str = "or") -> str:
    """``a, b or c``."""
    words = [str(word) for word in words]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


# --- reading ---


def read_text(path: str | PathLike, file: BinaryIO | None = None) -> str:
    """The text of a file (of `file`, if it is open already); ValueError if there is none that a person could have written."""
    try:
        with Path(path).open("rb") if file is None else nullcontext(file) as source:
            raw = source.read(LIMIT + 1)
    except FileNotFoundError:
        raise ValueError("no such file") from None
    except IsADirectoryError:
        raise ValueError("is a directory, not a file") from None
    except PermissionError:
        raise ValueError("may not be read (permission denied)") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot be read: {one_line(getattr(error, 'strerror', None) or error)}") from None
    if len(raw) > LIMIT:
        raise ValueError(f"is longer than {LIMIT // 1024} KiB, so it is no such file")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line}: not UTF-8 text (byte 0x{raw[error.start]:02x})") from None


def parse(text: str) -> dict:
    """TOML as plain data; ValueError with the line if it is none."""
    if len(text) > LIMIT:
        raise ValueError(f"is longer than {LIMIT // 1024} KiB, so it is no such file")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("not valid TOML: lists or tables are nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError, and int() on a number of thousands of digits
        problem = one_line(error)
        place = re.search(r" \(at line (\d+), column (\d+)\)$", problem)
        if place:
            raise ValueError(f"line {place[1]}, column {place[2]}: not valid TOML: {problem[: place.start()]}") from None
        raise ValueError(f"not valid TOML: {problem}") from None


class Section:
    """One table of a file; every look at it names its keys in errors.

    Parameters
    ----------
    data : dict
        The table as `parse` gives it.
    path : str
        ``""`` for the file itself, ``"[you]"`` for a table.
    keys : list of str, optional
        The keys allowed; ValueError if there is another. Without it, any.
    """

    def __init__(self, data: dict, path: str = "", keys: Iterable[str] | None = None):
        self.data = data
        self.path = path
        if keys is not None:
            allowed = list(keys)
            for key in data:
                if key not in allowed:
                    close = difflib.get_close_matches(key[:60], allowed, 1)
                    hint = f" (did you mean {close[0]}?)" if close else ""
                    raise ValueError(f"{self.place(key)}: unknown key{hint}; allowed: {', '.join(allowed) or 'none'}")

    def place(self, key: str) -> str:
        """How errors name a key: ``scorings``, ``[you].hand``, ``[you]`` for a table of the file itself."""
        name = one_line(key, 40) if _BARE.fullmatch(key) else show(key)
        if self.path:
            return f"{self.path}.{name}"
        return f"[{name}]" if isinstance(self.data.get(key), dict) else name

    def error(self, key: str, problem: str) -> ValueError:
        """An error about `key`, to be raised."""
        return ValueError(f"{self.place(key)}: {problem}")

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def value(self, key: str, kind: type, expected: str, default: object = None) -> object:
        """A value of the type `kind`; without a default the key must be there. `expected`: what errors say is allowed."""
        if key not in self.data:
            if default is None:
                raise self.error(key, f"missing; expected {expected}")
            return default
        value = self.data[key]
        if type(value) is not kind:
            name = _KINDS.get(type(value), "a date or time")
            told = f"{show(value)} is {name}" if not isinstance(value, list | dict) else f"is {name}"
            raise self.error(key, f"{told}; expected {expected}")
        return value

    def whole(self, key: str, low: int, high: int, default: int | None = None, what: str = "") -> int:
        """A whole number from `low` to `high`; without a default the key must be there."""
        expected = f"{what or 'a whole number'} from {low} to {high}"
        value = self.value(key, int, expected, default)
        if key in self.data and not low <= value <= high:
            raise self.error(key, f"{show(value)} is out of range; expected {expected}")
        return value

    def word(self, key: str, choices: Iterable[str], default: str | None = None) -> str:
        """One of some words."""
        choices = list(choices)
        expected = listed(show(choice) for choice in choices)
        value = self.value(key, str, expected, default)
        if key in self.data and value not in choices:
            raise self.error(key, f"{show(value)} is not allowed; expected {expected}")
        return value

    def text(self, key: str, expected: str, default: str | None = None) -> str:
        """Any text."""
        return self.value(key, str, expected, default)

    def texts(self, key: str, expected: str, default: list | None = None) -> list[str]:
        """A list of texts."""
        return self._items(key, str, expected, default)

    def wholes(self, key: str, expected: str, default: list | None = None) -> list[int]:
        """A list of whole numbers."""
        return self._items(key, int, expected, default)

    def _items(self, key: str, kind: type, expected: str, default: list | None) -> list:
        values = self.value(key, list, expected, default)
        for value in values:
            if type(value) is not kind:
                raise self.error(key, f"{show(value)} is not {_KINDS[kind]}; expected {expected}")
        return values

    def section(self, key: str, keys: Iterable[str] | None = None) -> Section:
        """A table; an empty one if it is not there."""
        data = self.value(key, dict, f"a table, written as [{key}] on a line of its own", {})
        return Section(data, f"{self.path}.{key}" if self.path else f"[{key}]", keys)


# --- writing ---


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_value(item)}" for name, item in value.items()) + "}"
    raise TypeError(f"{type(value).__name__} has no place in a TOML file")


def _line(name: str, value: object) -> str:
    return f"{_key(name)} = {_wrapped(value, len(_key(name)) + 3, '')}"


def _wrapped(value: object, used: int, indent: str) -> str:
    """A value, a long list on several lines; `used` columns stand before it on its first line."""
    text = _value(value)
    if used + len(text) <= WIDTH or not isinstance(value, list | tuple):
        return text
    deeper = indent + "    "
    if any(isinstance(item, list | tuple) for item in value):
        lines = [f"{deeper}{_wrapped(item, len(deeper), deeper)}," for item in value]
    else:
        lines = []
        for item in value:
            word = f"{_value(item)},"
            if lines and len(lines[-1]) + len(word) < WIDTH:
                lines[-1] += " " + word
            else:
                lines.append(deeper + word)
    return "\n".join(["[", *lines, indent + "]"])


def dumps(data: Mapping, comments: Mapping[str, str] | None = None) -> str:
    """Plain data (texts, numbers, truth values, lists, tables) as TOML.

    Parameters
    ----------
    data : dict
    comments : dict, optional
        Remarks by place (``"scorings"``, ``"[you]"``, ``"[you].hand"``), written behind the line.
    """
    comments = comments or {}
    lines: list[str] = []

    def remark(place: str) -> str:
        return f"  # {comments[place]}" if place in comments else ""

    def write(table: Mapping, path: str) -> None:
        for name, value in table.items():
            if not isinstance(value, Mapping):
                lines.append(_line(name, value) + remark(f"[{path}].{name}" if path else name))
        for name, value in table.items():
            if isinstance(value, Mapping):
                inner = f"{path}.{_key(name)}" if path else _key(name)
                lines.append(f"\n[{inner}]" + remark(f"[{inner}]"))
                write(value, inner)

    write(data, "")
    return "\n".join(lines).lstrip("\n") + "\n"
