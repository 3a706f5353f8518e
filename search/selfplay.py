"""Self-play: records of many games in a directory, as data for training.

The directory holds `selfplay.json` (what is played), and `games-00000.jsonl`, `games-00001.jsonl`, ...: records, `PER_FILE` games each, in
the order of their numbers. Game k has a seed of its own, so with a number of simulations as the agents' budget the files are the same to
the byte, however many processes played them and however often they were stopped. A game that is done before an earlier one waits in
`ahead.jsonl`; every finished game is on the disk at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from wattman.engine.game import Game
from wattman.engine.records import Record, append
from wattman.search.agents import load_agent
from wattman.search.jobs import derived_seed, unordered
from wattman.search.linefile import seed_in
from wattman.search.noting import Cap, NotingAgent
from wattman.search.play import agent_seed, play_game

try:
    import fcntl
except ImportError:  # no such locks on Windows
    fcntl = None

FORMAT = 1
PER_FILE = 1000
DESCRIPTION = "selfplay.json"
AHEAD = "ahead.jsonl"


@dataclass(frozen=True)
class SelfplayResult:
    """What a run of self-play did.

    Attributes
    ----------
    game : str
    options : dict
    agents : list of str
        Per seat.
    seed : int
    folder : str
    games : int
        Wanted.
    done : int
        Games in the directory that are whole.
    added : int
        Of them, played by this run.
    broken : list of str
        What agents of this run failed with, and in which games; their records end where that happened.
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    game: str
    options: dict[str, Any]
    agents: list[str]
    seed: int
    folder: str
    games: int
    done: int
    added: int
    broken: list[str]
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class _Player:
    """Plays game k; picklable."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    cap: Cap | None = None  # with it, records hold what the searches found

    def __call__(self, number: int) -> tuple[int, str, str | None]:
        """The number, the record as a line, and what went wrong."""
        seed = derived_seed(self.seed, number)
        found: list[dict[str, Any] | None] = []
        agents: list[Any] = list(self.agents)
        if self.cap is not None:
            agents = [NotingAgent(self.game, spec, agent_seed(seed, seat), self.cap, found) for seat, spec in enumerate(agents)]
        result = play_game(self.game, agents, seed)
        over = result.fault is None
        record = Record(
            game=self.game.name,
            options=dict(self.game.options),
            players=list(self.agents),
            actions=result.actions,
            scores=result.scores if over else None,
            returns=result.returns if over else None,
            search=found if self.cap is not None and over else None,
        )
        fault = None if result.fault is None else f"game {number}: player {result.fault.player}: {result.fault.message}"
        return number, record.to_json(), fault


@dataclass
class _Store:
    """The files: records in order, and what is ahead of them."""

    folder: Path
    count: int = 0  # records in the files
    ahead: dict[int, str] = field(default_factory=dict)
    lines: int = 0  # in the file of what is ahead, those that are done with counted in

    def path(self, number: int) -> Path:
        return self.folder / f"games-{number // PER_FILE:05d}.jsonl"

    def load(self) -> None:
        """Find what is there. Half lines at the ends of files do not count; the next write removes them."""
        while True:
            lines = _whole_lines(self.path(self.count))
            if len(lines) > PER_FILE:
                raise ValueError(f"{self.path(self.count)}: {len(lines)} games, but no more than {PER_FILE} belong here")
            self.count += len(lines)
            if len(lines) < PER_FILE:
                break
        for line in _whole_lines(self.folder / AHEAD):
            with suppress(ValueError, TypeError, KeyError):  # a damaged line: that game is played again
                data = json.loads(line)
                self.ahead[int(data["number"])] = data["record"]
        self._flush()
        self._tidy()

    def has(self, number: int) -> bool:
        return number < self.count or number in self.ahead

    @property
    def done(self) -> int:
        return self.count + len(self.ahead)

    def add(self, number: int, record: str) -> None:
        """Keep a finished game."""
        if number != self.count:
            self._write(AHEAD, "a", {number: record})
            self.lines += 1
        self.ahead[number] = record
        self._flush()
        if self.lines > 100 + 4 * len(self.ahead):
            self._tidy()

    def _write(self, name: str, mode: str, ahead: dict[int, str]) -> None:
        with open(self.folder / name, mode, encoding="utf-8") as file:
            file.writelines(json.dumps({"number": number, "record": record}) + "\n" for number, record in ahead.items())
            file.flush()
            os.fsync(file.fileno())

    def _tidy(self) -> None:
        """Write the file of what is ahead anew, without what is done with and without what a killed process left of a line."""
        if self.ahead:
            self._write(AHEAD + ".new", "w", self.ahead)
            os.replace(self.folder / (AHEAD + ".new"), self.folder / AHEAD)
        else:
            (self.folder / AHEAD).unlink(missing_ok=True)
        self.lines = len(self.ahead)

    def _flush(self) -> None:
        """Move to the files what can go there."""
        for number in [number for number in self.ahead if number < self.count]:
            del self.ahead[number]
        while self.count in self.ahead:
            append(self.path(self.count), Record.from_json(self.ahead[self.count]))
            del self.ahead[self.count]
            self.count += 1
        if self.lines and not self.ahead:
            self._tidy()


def _whole_lines(path: Path) -> list[bytes]:
    """The lines of a file, without a last one that breaks off. (One that lacks no more than its newline is whole.)"""
    try:
        lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
    except FileNotFoundError:
        return []
    with suppress(ValueError, IndexError):
        json.loads(lines[-1])
        return lines
    return lines[:-1]


def selfplay(
    game: Game,
    folder: str | os.PathLike,
    games: int,
    agents: str | Sequence[str] = "ismcts:simulations=400",
    *,
    seed: int | None = None,
    jobs: int | None = None,
    ray: str | None = None,
    resume: bool = False,
    cap: Cap | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SelfplayResult:
    """Play games of agents and keep their records.

    Parameters
    ----------
    game : Game
    folder : path
        Made if it is not there.
    games : int
        How many it should hold in the end.
    agents : str or sequence of str
        One for all seats, or one for each.
    seed : int, optional
        Game k is decided by it and k. By default 0, or what the directory was begun with.
    jobs, ray
        Processes, or a cluster, that play: see `wattman.search.jobs.unordered`.
    resume : bool
        Go on with what is in the directory; without it a directory that holds anything is an error. More games than before may be wanted.
    cap : Cap, optional
        Keep in the records what the searches found, as training needs it, and search only a part of the decisions in full.
    progress : callable, optional
        Called with the number of games that are there and the number wanted.

    Returns
    -------
    SelfplayResult

    Raises
    ------
    ValueError
        If the agents do not fit, or the directory holds other games.
    """
    if games < 1:
        raise ValueError(f"games: {games}: must be at least 1")
    specs = [agents] * game.num_players() if isinstance(agents, str) else list(agents)
    if len(specs) == 1:
        specs *= game.num_players()
    if len(specs) != game.num_players():
        raise ValueError(f"{len(specs)} agents for {game.num_players()} seats; give one for all, or one for each")
    for spec in specs:
        load_agent(spec, game)
    folder = Path(folder)
    if resume and seed is None:
        seed = seed_in(folder / DESCRIPTION)
    player = _Player(game, tuple(specs), 0 if seed is None else seed, cap)
    added, broken, interrupted = 0, [], False
    with _claim(folder, player, resume):
        store = _Store(folder)
        store.load()
        missing = [number for number in range(games) if not store.has(number)]
        if progress:
            progress(store.done, games)
        try:
            with closing(unordered(player, missing, jobs, ray)) as new:
                for number, record, fault in new:
                    store.add(number, record)
                    added += 1
                    if fault is not None:
                        broken.append(fault)
                    if progress:
                        progress(store.done, games)
        except KeyboardInterrupt:
            interrupted = True
            store = _Store(folder)  # Ctrl-C may have come between writing and counting
            store.load()
    return SelfplayResult(game.name, dict(game.options), specs, player.seed, str(folder), games, store.done, added, broken, interrupted)


def _claim(folder: Path, player: _Player, resume: bool) -> TextIO:
    """The description of what is played, written or compared, locked while it is open."""
    wanted = {
        "selfplay": FORMAT,
        "game": player.game.name,
        "options": dict(player.game.options),
        "agents": list(player.agents),
        "seed": player.seed,
    }
    if player.cap is not None:
        wanted["cap"] = asdict(player.cap)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise ValueError(f"{folder}: this is a file; the games need a directory") from None
    path = folder / DESCRIPTION
    if not resume and any(folder.iterdir()):
        hint = "--resume goes on with it" if path.is_file() else "give another one"
        raise ValueError(f"{folder}: there is something in this directory already; {hint}")
    file = open(path, "a+", encoding="utf-8")  # noqa: SIM115 - the caller closes it
    try:
        if fcntl:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(f"{folder}: another process is writing to this directory") from None
            except OSError:
                pass  # some network file systems have no locks
        file.seek(0)
        text, line = file.read(), json.dumps(wanted, ensure_ascii=False) + "\n"
        if text == line:
            return file
        if line.startswith(text):  # new, or killed while it was written
            file.truncate(0)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
            return file
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if not isinstance(found, dict) or "selfplay" not in found:
            raise ValueError(f"{path}: this does not say what is played here")
        for key, value in json.loads(line).items():
            if found.get(key) != value:
                raise ValueError(f"{folder}: other games are played here: {key} is {json.dumps(found.get(key))}, not {json.dumps(value)}")
    except BaseException:
        file.close()
        raise
    return file
