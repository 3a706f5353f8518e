"""Records of games: JSON Lines, one game a line.

A line is ``{"format": 1, "game", "options", "players", "actions", "scores", "returns"}``, plus an optional ``"search"``. ``options`` holds
every option of the game, the player count included; ``players`` names the agent or person on each seat; ``actions`` holds every decision
and chance outcome in order, in the game's notation, so a record is replayed without a random generator. ``scores`` and ``returns`` are
null while a game is not over. A record holds all hands: `view` gives what one player saw of it.
"""
from __future__ import annotations

import errno
import io
import json
import os
import stat
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import BinaryIO

from wattman.engine.game import Game, State
from wattman.engine.games import game_class, load_game

try:
    import fcntl
except ImportError:  # no such locks on Windows; a single writer is safe without
    fcntl = None

FORMAT = 1
_KEYS = ("format", "game", "options", "players", "actions", "scores", "returns")
_OPTIONAL = ("search",)
_OPENING = b'{"format"'  # what every line written by `append` begins with; how a half-written one is recognised
_LARGEST = 1e15  # no score comes near; beyond it, and for infinity, arithmetic on what a file says would fail
_LONGEST = 300  # characters of a move, or of a message that quotes what the file holds
_TOLERANCE = 1e-9  # scores are compared as numbers that went through text
LINE_LIMIT = 1 << 24  # bytes of a line; no game is so long


class RecordError(ValueError):
    """A record that cannot be read or does not replay; one line that names file, line and ply as far as they are known."""


@dataclass
class Record:
    """One game, finished or not.

    Attributes
    ----------
    game : str
        Name as in `load_game`.
    options : dict
        Every option of the game, defaults written out.
    players : list of str
        Agent spec or name of each seat.
    actions : list of str
        Every decision and chance outcome in order, in the game's notation.
    scores, returns : list of float or None
        Per player at the end; None if the game is not over.
    search : list of (dict or None), optional
        What a search found, one entry per decision.
    source : str
        Where the record was read ("games.jsonl: line 3"), for error messages; no part of the record.
    """

    game: str
    options: dict
    players: list[str]
    actions: list[str]
    scores: list[float] | None = None
    returns: list[float] | None = None
    search: list[dict | None] | None = None
    source: str = field(default="", compare=False, repr=False)

    @classmethod
    def from_state(cls, state: State, players: list[str]) -> Record:
        """The game that led to `state`.

        Parameters
        ----------
        state : State
            Any state that was reached from the start of a game.
        players : list of str
            Agent spec or name of each seat.

        Raises
        ------
        ValueError
            If `players` does not name every seat, or the state was dealt from a position and so has no whole history.
        """
        game = state.game
        if len(players) != game.num_players():
            raise ValueError(f"players: {len(players)} names for {game.num_players()} seats")
        again = game.new_initial_state()
        with suppress(ValueError):  # a state dealt from a position replays only by accident, and then to something else
            for action in state.history():
                again.apply_action(action)
        if again.history() != state.history() or again != state:
            raise ValueError("this game did not begin at its start but at a position, and a record needs the whole game; write a position")
        over = state.is_terminal()
        return cls(
            game=game.name,
            options=dict(game.options),
            players=[str(player) for player in players],
            actions=state.events(),
            scores=state.scores() if over else None,
            returns=state.returns() if over else None,
        )

    def to_json(self) -> str:
        """The record as one line of JSON, without the newline."""
        data = {"format": FORMAT, **{key: getattr(self, key) for key in _KEYS[1:]}}
        if self.search is not None:
            data["search"] = self.search
        return json.dumps(data, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, line: str | bytes, source: str = "") -> Record:
        """The record in one line of JSON; RecordError saying what is wrong with it. `source` is put before the message."""
        return cls(**_checked(_parsed(line, source), source), source=source)


def is_record(path: str | os.PathLike, file: io.BufferedReader | None = None) -> bool:
    """Whether a file holds records (JSON Lines) rather than a position (TOML). OSError if it cannot be read.

    Of `file`, if it is open already, nothing is taken.
    """
    with open(path, "rb") if file is None else nullcontext(file) as source:
        start = source.peek().lstrip()
    return start[:1] in (b"{", b"[") if start else Path(path).suffix in (".jsonl", ".json")


def read(path: str | os.PathLike, file: BinaryIO | None = None) -> Iterator[Record]:
    """The records of a file (of `file`, if it is open already), one by one; of a match, its games. Blank lines are skipped.

    Raises
    ------
    RecordError
        At the first line that is no record, naming file and line.
    OSError
        If the file cannot be read.
    """
    match: dict | None = None
    with open(path, "rb") if file is None else nullcontext(file) as source_file:
        for number, line in lines(source_file, os.fspath(path)):
            source = f"{os.fspath(path)}: line {number}"
            if match is not None:
                if not line.endswith(b"\n"):
                    return  # being written, or its writer was killed; whoever goes on with the match plays that deal again
                yield Record.from_json(_game_of_match(match, line, source), source)
            elif number == 1 and (match := _match(line, source)) is not None:
                continue
            elif not line.endswith(b"\n") and _is_torn(line):
                raise RecordError(f"{source}: the line breaks off in the middle; the next append to this file removes it")
            else:
                yield Record.from_json(line, source)


def lines(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, each with its number; RecordError at one of more than 16 MiB."""
    for number in count(1):
        line = file.readline(LINE_LIMIT + 1)
        if not line:
            return
        if len(line) > LINE_LIMIT:
            raise RecordError(f"{name}: line {number}: longer than {LINE_LIMIT >> 20} MiB, so this is no file of games")
        if line.strip():
            yield number, line


def pick(path: str | os.PathLike, number: int | None = None, file: BinaryIO | None = None) -> Record:
    """One record of a file, as by `read`: the one of that number, from 1, blank lines not counted; None: the last one."""
    last, games = None, 0
    if number is not None and number < 1:
        raise RecordError(f"{os.fspath(path)}: game {number}: games of a file are numbered from 1")
    for games, record in enumerate(read(path, file), 1):
        if games == number:
            return record
        last = record
    if last is None:
        raise RecordError(f"{os.fspath(path)}: the file holds no record")
    if number is not None:
        raise RecordError(f"{os.fspath(path)}: game {number}: the file holds {games} game{'s' * (games != 1)}")
    return last


def append(path: str | os.PathLike, record: Record) -> None:
    """Write a record to the end of a file, which is made if it is not there.

    The line reaches the file in one piece and is on the disk when this returns. If an earlier writer was killed within a line, that half
    line is removed first. Several processes may append to one file.

    Raises
    ------
    RecordError
        If the file is not one of records: it is left as it is.
    """
    data = (record.to_json() + "\n").encode("utf-8", "surrogatepass")
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    with open(path, "r+b", buffering=0) as file:
        if fcntl:
            with suppress(OSError):  # some network file systems have no locks
                fcntl.flock(file, fcntl.LOCK_EX)
        if file.seekable():
            _mend(file, os.fspath(path))
        view = memoryview(data)
        while view:
            view = view[file.write(view) :]
        with suppress(OSError):  # a pipe or a terminal cannot be synced
            os.fsync(file.fileno())


def check_target(path: str | os.PathLike) -> None:
    """Whether `append` will be able to write to a file: RecordError or OSError if it is clear that not. Nothing is changed."""
    if not os.path.exists(path):
        folder = os.path.dirname(path)
        if not os.path.isdir(folder or "."):
            raise FileNotFoundError(errno.ENOENT, "there is no such folder", folder)
    elif not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "may not be written", os.fspath(path))
    elif not stat.S_ISFIFO(os.stat(path).st_mode):
        with open(path, "rb") as file:
            _check_head(file.read(4096), os.fspath(path))


def load(record: Record) -> Game:
    """The game of a record, with its options; RecordError if there is none or its options are not allowed or not all there."""
    try:
        known = game_class(record.game).OPTIONS
        unknown = [name for name in record.options if name not in known]
        missing = [name for name in known if name not in record.options]
        if unknown or missing:
            name = (unknown or missing)[0]
            raise ValueError(f"options: {name!r} is {'unknown' if unknown else 'missing'}; {record.game} has: {', '.join(known)}")
        return load_game(record.game, **record.options)
    except (ValueError, OSError, RecursionError) as error:  # an option may name a file, or be nested without end
        raise RecordError(_at(record.source, _clip(str(error)))) from error


def replay(record: Record) -> Iterator[tuple[int, State]]:
    """The states of a game, each with its ply (number of events before it), from the start to the last action.

    Raises
    ------
    RecordError
        Where an action is not possible (names ply, action, and what would be), and at the end if scores or returns are not what the
        record says.
    """
    game = load(record)
    if len(record.players) != game.num_players():
        raise RecordError(_at(record.source, f"players: {len(record.players)} names, but the game has {game.num_players()} players"))
    state = game.new_initial_state()
    yield 0, state.clone()
    for ply, text in enumerate(record.actions):
        try:
            state.apply_action(state.string_to_action(text))
        except ValueError as error:
            raise RecordError(_at(record.source, f"ply {ply}: {_refusal(state, text, error)}")) from error
        yield ply + 1, state.clone()
    _check_result(record, state)


def final(record: Record) -> State:
    """The state at the end of a record, the whole of it verified as by `replay`."""
    *_, (_, state) = replay(record)
    return state


def view(record: Record, player: int) -> dict:
    """What one player saw of a game, as plain data without any hidden field.

    Returns
    -------
    dict
        ``{"format", "game", "options", "view": player, "players", "events": [text], "scores", "returns"}``. Events are written as that
        player saw them (`State.events(player)`); events of which he saw nothing are left out.
    """
    state = final(record)
    if not 0 <= player < len(record.players):
        raise ValueError(f"player {player}: players are 0 to {len(record.players) - 1}")
    return {
        "format": FORMAT,
        "game": record.game,
        "options": record.options,
        "view": player,
        "players": record.players,
        "events": state.events(player),
        "scores": record.scores,
        "returns": record.returns,
    }


# --- reading ---


def _at(source: str, message: str) -> str:
    return f"{source}: {message}" if source else message


def _unique(pairs: list[tuple[str, object]]) -> dict:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} is there twice")
    return data


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _parsed(line: str | bytes, source: str) -> object:
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise RecordError(_at(source, f"no text in UTF-8: byte {error.start + 1} of the line")) from error
    except RecursionError as error:
        raise RecordError(_at(source, "no record: brackets nested too deeply")) from error
    except json.JSONDecodeError as error:
        if text.strip() in ("{", "["):
            raise RecordError(_at(source, "a record is JSON on one line, and this goes over several")) from error
        raise RecordError(_at(source, f"no JSON: {error.msg} at character {error.pos + 1}")) from error
    except ValueError as error:  # a key twice, NaN, an endless number
        reason = "a number of too many digits" if "digits" in str(error) else _clip(str(error))
        raise RecordError(_at(source, f"no record: {reason}")) from error


def _is_numbers(value: object) -> bool:
    return isinstance(value, list) and all(type(x) in (int, float) and abs(x) < _LARGEST for x in value)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(x, str) for x in value)


_SHAPES = {
    "game": (lambda v: isinstance(v, str), "the name of a game"),
    "options": (lambda v: isinstance(v, dict), "an object of the game's options"),
    "players": (_is_texts, "a list of texts, one for each seat"),
    "actions": (_is_texts, "a list of texts"),
    "scores": (lambda v: v is None or _is_numbers(v), "a list of numbers, or null while the game is not over"),
    "returns": (lambda v: v is None or _is_numbers(v), "a list of numbers, or null while the game is not over"),
    "search": (lambda v: v is None or (isinstance(v, list) and all(x is None or isinstance(x, dict) for x in v)), "a list of objects"),
}


def _checked(data: object, source: str) -> dict:
    """The fields of a parsed line, each of its type."""
    if not isinstance(data, dict):
        raise RecordError(_at(source, "a record is a JSON object {...}"))
    if "selfplay" in data:
        raise RecordError(_at(source, "this says what is played in its directory; the records are in the files games-*.jsonl beside it"))
    if "format" not in data:
        raise RecordError(_at(source, f"no record: the key 'format' is missing; keys are: {', '.join(_KEYS)}"))
    if data["format"] is True or data["format"] != FORMAT:
        raise RecordError(_at(source, f"format: {_short(data['format'])} is unknown; this version reads format {FORMAT}"))
    if "view" in data:
        raise RecordError(_at(source, "this is what one player saw of a game, not a record of it"))
    for key in data:
        if key not in _KEYS + _OPTIONAL:
            raise RecordError(_at(source, f"unknown key {_short(key)}; keys are: {', '.join(_KEYS + _OPTIONAL)}"))
    for key in _KEYS:
        if key not in data:
            raise RecordError(_at(source, f"the key {key!r} is missing; keys are: {', '.join(_KEYS)}"))
    for key, (fits, wanted) in _SHAPES.items():
        if key in data and not fits(data[key]):
            raise RecordError(_at(source, f"{key}: {_short(data[key])} is not {wanted}"))
    return {key: data[key] for key in data if key != "format"}


def _short(value: object) -> str:
    try:
        text = ascii(value)
    except (RecursionError, ValueError):  # nested to the limit, or a number too long to write
        return "this"
    return text if len(text) <= 60 else text[:57] + "..."


def _clip(message: str) -> str:
    """A message that quotes the file, in a length that can be read."""
    return message if len(message) <= _LONGEST else message[: _LONGEST - 3] + "..."


def _refusal(state: State, text: str, error: ValueError) -> str:
    if state.is_terminal():
        return f"{_short(text)}: the game is over by then"
    if len(text) > _LONGEST:
        return f"{_short(text)} is no move"
    with suppress(ValueError):
        state.string_to_action(text)
        who = "possible here" if state.is_chance_node() else f"legal for player {state.current_player()}"
        legal = ", ".join(state.action_to_string(action) for action in state.legal_actions())
        return f"{_short(text)} is not {who}; {'possible' if state.is_chance_node() else 'legal'}: {legal}"
    return str(error)


def _check_result(record: Record, state: State) -> None:
    for name in ("scores", "returns"):
        written = getattr(record, name)
        if not state.is_terminal():
            if written is not None:
                raise RecordError(_at(record.source, f"{name}: {_short(written)} although the game is not over; it must be null"))
            continue
        true = getattr(state, name)()
        if written is None or len(written) != len(true) or any(abs(a - b) > _TOLERANCE for a, b in zip(written, true, strict=True)):
            text = "null" if written is None else _short(written)
            raise RecordError(_at(record.source, f"{name}: the record says {text}, but the game ends with {true}"))


# --- matches: their files have a first line that says who plays what, then one line a game (`wattman match --out`) ---


def _match(line: bytes, source: str) -> dict | None:
    """What the first line of a file says of a match; None if it is not one."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or "match" not in data:
        return None
    if data["match"] is True or data["match"] != FORMAT:
        raise RecordError(f"{source}: match: format {_short(data['match'])} is unknown; this version reads format {FORMAT}")
    return data


def _game_of_match(match: dict, line: bytes, source: str) -> str:
    """A game of a match as the line of a record. One that was lost by a fault is not over."""
    game = _parsed(line, source)
    try:
        record = {"format": FORMAT, "game": match["game"], "options": match["options"], "actions": game["actions"]}
        record["players"] = [match["agents"][seat] for seat in game["seats"]]
        record |= {key: game[key] if game["fault"] is None else None for key in ("scores", "returns")}
    except (TypeError, KeyError, IndexError):
        raise RecordError(f"{source}: no game of a match") from None
    return json.dumps(record)


# --- writing ---


def _is_torn(line: bytes) -> bool:
    """Whether a last line without newline is the first part of one that `append` wrote."""
    if not (line.startswith(_OPENING) or _OPENING.startswith(line)):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False


def _check_head(head: bytes, path: str) -> None:
    """RecordError if a file that begins so is not one of records."""
    if head.lstrip()[:1] not in (b"{", b"") or head.startswith((b'{"match"', b'{"selfplay"')):
        raise RecordError(f"{path}: this file does not hold records; it is left as it is")


def _mend(file: io.FileIO, path: str) -> None:
    """Go to the place where the next line begins: after the last whole line, a half one cut off."""
    end = file.seek(0, os.SEEK_END)
    if end == 0:
        return
    file.seek(0)
    _check_head(file.read(4096), path)
    start, tail = end, b""
    while start > 0 and b"\n" not in tail:
        size = min(1 << 16, start)
        start -= size
        file.seek(start)
        tail = file.read(size) + tail
    line = tail[tail.rfind(b"\n") + 1 :]
    file.seek(end)
    if not line.strip():
        return
    if _is_torn(line):
        file.truncate(end - len(line))
        file.seek(end - len(line))
    elif line.lstrip()[:1] == b"{":
        file.write(b"\n")  # whole, but its newline got lost
    else:
        raise RecordError(f"{path}: the last line is no record; the file is left as it is")


def default_path(game: str, folder: str | os.PathLike = ".") -> Path:
    """A name for a new file of records, made empty so that no other program takes it: `trambahn-1.jsonl`, `trambahn-2.jsonl`, ..."""
    number = 1
    while True:
        path = Path(folder) / f"{game}-{number}.jsonl"
        try:
            path.open("xb").close()
            return path
        except FileExistsError:
            number += 1
