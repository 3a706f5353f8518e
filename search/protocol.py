"""Wattman for other programs: requests and answers as JSON, one a line (docs/protocol.md).

A `Server` reads requests and writes answers. Every request stands for itself: it brings the game and what a player knows along, so the
server keeps nothing between two. Searches run one after the other in a thread of their own; everything else is answered at once, while one
runs. Whatever is wrong in a line is answered with an error and ends nothing.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from wattman import __version__
from wattman.engine import positions
from wattman.engine.companion import Companion
from wattman.engine.game import Game, InfoState, State
from wattman.engine.games import game_class, load_game, names
from wattman.search.agents import AGENTS, Agent, load_agent
from wattman.search.analysis import Analysis
from wattman.search.beliefs import WORLDS, holdings

PROTOCOL = 1
LINE_LIMIT = 1 << 20  # bytes of a request
WAITING = 1000  # searches that may wait for their turn
ID_LIMIT = 200  # characters of an id
DEFAULT_AGENT = "ismcts"

KNOWLEDGE = ("game", "options", "player", "events", "actions", "position")  # the fields that say what a player knows
METHODS = {
    "hello": (),
    "table": ("game", "options", "actions", "since"),
    "know": KNOWLEDGE,
    "rivals": (*KNOWLEDGE, "worlds", "seed"),
    "choose": (*KNOWLEDGE, "agent", "limits", "seed"),
    "analyze": (*KNOWLEDGE, "agent", "limits", "seed", "stream"),
    "cancel": ("target",),
    "quit": (),
}
LIMITS = {"time": (int, float), "simulations": (int,), "threads": (int,)}


class RequestError(ValueError):
    """What is wrong with a request, and in which of its fields."""

    def __init__(self, where: str | None, message: str) -> None:
        super().__init__(message)
        self.where = where


@dataclass
class _Job:
    """A search that runs or waits."""

    id: int | str
    work: Callable[[_Job], dict[str, Any]]
    halt: threading.Event = field(default_factory=threading.Event)


class Server:
    """Answers the requests of one client.

    Parameters
    ----------
    source, sink : binary files
        Where requests come from and answers go to.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._writing = threading.Lock()
        self._jobs: dict[int | str, _Job] = {}
        self._changing = threading.Lock()  # of _jobs
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._broken = threading.Event()  # nobody reads the answers any more

    def run(self) -> None:
        """Answer until ``quit``, or until the input ends and all its searches are done."""
        worker = threading.Thread(target=self._search, daemon=True)
        worker.start()
        for line in self._lines():
            if self._broken.is_set() or (line is not None and not self._obey(line)):
                with self._changing:
                    for job in self._jobs.values():
                        job.halt.set()
                break
        self._queue.put(None)
        worker.join()
        if self._broken.is_set():
            raise BrokenPipeError

    # --- lines ---

    def _lines(self):
        """The lines of the input; None for one that is too long, which has been answered."""
        while line := self._source.readline(LINE_LIMIT + 1):
            if len(line) > LINE_LIMIT and not line.endswith(b"\n"):
                while (rest := self._source.readline(LINE_LIMIT)) and not rest.endswith(b"\n"):
                    pass
                self._fail(None, None, f"the line is longer than {LINE_LIMIT} bytes")
                yield None
            elif line.strip():
                yield line

    def _send(self, data: dict[str, Any]) -> None:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n"
        try:
            with self._writing:
                self._sink.write(text.encode("utf-8", errors="replace"))
                self._sink.flush()
        except (OSError, ValueError):
            self._broken.set()

    def _fail(self, identity: int | str | None, where: str | None, message: str) -> None:
        self._send({"id": identity, "error": {"field": where, "message": " ".join(message.split())}})

    # --- requests ---

    def _obey(self, line: bytes) -> bool:
        """Answer one request, or have it answered; False if it is the last one."""
        identity: int | str | None = None
        try:
            request = _parsed(line)
            identity = _identity(request)
            method = _text(request, "method")
            if method not in METHODS:
                raise RequestError("method", f"no method {method!r}; methods: {', '.join(METHODS)}")
            for key in request:
                if key not in ("id", "method", *METHODS[method]):
                    allowed = ", ".join(METHODS[method]) or "none"
                    raise RequestError(key, f"{method} has no such field; its fields besides id and method: {allowed}")
            with self._changing:
                if identity in self._jobs:
                    raise RequestError("id", f"a request {json.dumps(identity)} is not answered yet")
            if method in ("choose", "analyze"):
                self._put(_Job(identity, self._searching(method, request)))
                return True
            if method == "cancel":
                self._cancel(identity, request.get("target"))
                return True
            answer = getattr(self, f"_{method}")(request)
            self._send({"id": identity, "result": answer})
            return method != "quit"
        except RequestError as error:
            self._fail(identity, error.where, str(error))
        except Exception as error:  # a fault of ours must not end the client's session
            self._fail(identity, None, f"internal error: {type(error).__name__}: {error}")
        return True

    def _put(self, job: _Job) -> None:
        with self._changing:
            if len(self._jobs) >= WAITING:
                raise RequestError(None, f"{WAITING} searches are waiting already")
            self._jobs[job.id] = job
        self._queue.put(job)

    def _search(self) -> None:
        """Carry out the searches, one after the other."""
        while (job := self._queue.get()) is not None:
            try:
                answer = {"id": job.id, "result": job.work(job)}
            except RequestError as error:
                answer = {"id": job.id, "error": {"field": error.where, "message": str(error)}}
            except Exception as error:
                answer = {"id": job.id, "error": {"field": None, "message": f"internal error: {type(error).__name__}: {error}"}}
            with self._changing:
                del self._jobs[job.id]
            self._send(answer)

    # --- methods ---

    def _hello(self, request: dict[str, Any]) -> dict[str, Any]:
        games = [
            {"game": name, "options": {key: {"default": o.default, "choices": o.choices} for key, o in game_class(name).OPTIONS.items()}}
            for name in names()
        ]
        return {"name": "wattman", "version": __version__, "protocol": PROTOCOL, "games": games, "agents": list(AGENTS)}

    def _quit(self, request: dict[str, Any]) -> dict[str, Any]:
        return {}

    def _cancel(self, identity: int | str, target: Any) -> None:
        if isinstance(target, bool) or not isinstance(target, int | str):
            raise RequestError("target", "expected the id of a search, a whole number or a text")
        with self._changing:
            job = self._jobs.get(target)
        self._send({"id": identity, "result": {"cancelled": job is not None}})  # before what the search then answers
        if job is not None:
            job.halt.set()

    def _table(self, request: dict[str, Any]) -> dict[str, Any]:
        """The whole truth, for who holds it."""
        state, since = _played(_game(request), request), request.get("since", 0)
        if not isinstance(since, int) or isinstance(since, bool) or since < 0:
            raise RequestError("since", f"expected a number of events, got {json.dumps(since)}")
        mover = state.current_player()
        answer: dict[str, Any] = {
            "to_move": mover,
            "legal": [state.action_to_string(action) for action in state.legal_actions()] if mover >= 0 else [],
            "outcomes": [[state.action_to_string(a), p] for a, p in state.chance_outcomes()] if state.is_chance_node() else [],
            "seen": [state.events(player, since) for player in range(state.game.num_players())],
            "scores": state.scores(),
            "returns": state.returns() if state.is_terminal() else None,
        }
        return answer

    def _know(self, request: dict[str, Any]) -> dict[str, Any]:
        info = _info(request)
        mover = info.current_player()
        return {
            "player": info.player,
            "to_move": mover,
            "legal": [info.action_to_string(action) for action in info.legal_actions()] if mover == info.player else [],
            "possible": Companion(info).possible(),
            "scores": info.scores(),
            "table": info.to_dict(),
        }

    def _rivals(self, request: dict[str, Any]) -> dict[str, Any]:
        worlds = _whole(request, "worlds", WORLDS, 1, 100_000)
        found = holdings(_info(request), worlds, _whole(request, "seed", 0, 0, 2**63 - 1))
        return {"worlds": worlds, "holdings": [each.to_json() for each in found]}

    def _searching(self, method: str, request: dict[str, Any]) -> Callable[[_Job], dict[str, Any]]:
        """What `choose` or `analyze` will do; the request is checked now."""
        info = _info(request)
        if info.current_player() != info.player:
            raise RequestError("player", f"player {info.player} is not to move here")
        agent = _agent(request, info.game)
        stream = request.get("stream", False)
        if not isinstance(stream, bool):
            raise RequestError("stream", f"expected true or false, got {json.dumps(stream)}")
        if method == "analyze" and not agent.searches:
            raise RequestError("agent", f"{agent.spec} does not search, so there is nothing to report")

        def choose(job: _Job) -> dict[str, Any]:
            agent.halt = job.halt
            action = agent.choose(info)
            return {"action": info.action_to_string(action), "cancelled": job.halt.is_set()}

        def analyze(job: _Job) -> dict[str, Any]:
            def report(done: int, seconds: float, snapshot: Analysis) -> None:
                self._send({"id": job.id, "progress": snapshot.to_json()})

            agent.halt = job.halt
            analysis = agent.analyze(info, report if stream else None)
            return analysis.to_json() | {"cancelled": job.halt.is_set()}

        return choose if method == "choose" else analyze


# --- reading requests ---


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise RequestError(None, "the line is no UTF-8 text") from None
    except RecursionError:
        raise RequestError(None, "the line is nested too deeply") from None
    except ValueError as error:
        raise RequestError(None, f"the line is no JSON: {error}") from None
    if not isinstance(request, dict):
        raise RequestError(None, "expected an object with an id and a method")
    return request


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _identity(request: dict[str, Any]) -> int | str:
    identity = request.get("id")
    if isinstance(identity, bool) or not isinstance(identity, int | str) or len(str(identity)) > ID_LIMIT:
        raise RequestError("id", f"expected a whole number or a text of at most {ID_LIMIT} characters, the request's name in its answers")
    return identity


def _text(request: dict[str, Any], key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str):
        raise RequestError(key, "missing" if key not in request else f"expected a text, got {json.dumps(value)[:100]}")
    return value


def _texts(request: dict[str, Any], key: str) -> list[str]:
    value = request[key]
    if not isinstance(value, list):
        raise RequestError(key, "expected a list of texts")
    for place, text in enumerate(value):
        if not isinstance(text, str):
            raise RequestError(f"{key}[{place}]", f"expected a text, got {json.dumps(text)[:100]}")
    return value


def _whole(request: dict[str, Any], key: str, default: int, least: int, most: int) -> int:
    value = request.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise RequestError(key, f"expected a whole number from {least} to {most}, got {json.dumps(value)[:100]}")
    return value


def _game(request: dict[str, Any]) -> Game:
    options = request.get("options", {})
    if not isinstance(options, dict):
        raise RequestError("options", "expected an object")
    for key, value in options.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise RequestError(f"options.{key}", f"expected a text or a number, got {json.dumps(value)[:100]}")
    name = _text(request, "game")
    if name not in names():
        raise RequestError("game", f"no game {name!r}; games: {', '.join(names())}")
    try:
        return load_game(name, **options)
    except (ValueError, OSError) as error:
        raise RequestError("options", str(error)) from None


def _played(game: Game, request: dict[str, Any]) -> State:
    """The state after the actions of a request."""
    state = game.new_initial_state()
    for place, text in enumerate(_texts(request, "actions") if "actions" in request else []):
        try:
            state.apply_action(state.string_to_action(text))
        except ValueError as error:
            raise RequestError(f"actions[{place}]", str(error)) from None
    return state


def _info(request: dict[str, Any]) -> InfoState:
    """What a player knows: from a position, from what he saw, or from all that happened."""
    given = [key for key in ("position", "events", "actions") if key in request]
    if len(given) > 1:
        raise RequestError(given[1], f"{given[0]} says already what is known")
    if given == ["position"]:
        for key in ("game", "options", "player"):
            if key in request:
                raise RequestError(key, "the position says that")
        try:
            return positions.loads(_text(request, "position"), "position")
        except ValueError as error:
            raise RequestError("position", str(error)) from None
    game = _game(request)
    state = _played(game, request)
    player = request.get("player", state.current_player() if given == ["actions"] else None)
    if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < game.num_players():
        wrong = "missing" if player is None else f"{json.dumps(player)[:100]} is no player"
        raise RequestError("player", f"{wrong}; players are 0 to {game.num_players() - 1}")
    info = state.info_state(player)
    for place, text in enumerate(_texts(request, "events") if "events" in request else []):
        try:
            info.admit(text)
        except ValueError as error:
            raise RequestError(f"events[{place}]", str(error)) from None
    return info


def _agent(request: dict[str, Any], game: Game) -> Agent:
    spec = _text(request, "agent") if "agent" in request else DEFAULT_AGENT
    limits = request.get("limits", {})
    if not isinstance(limits, dict):
        raise RequestError("limits", "expected an object")
    parts = []
    for key, value in limits.items():
        if key not in LIMITS:
            raise RequestError(f"limits.{key}", f"no such limit; limits: {', '.join(LIMITS)}")
        if isinstance(value, bool) or not isinstance(value, LIMITS[key]):
            raise RequestError(f"limits.{key}", f"expected a number, got {json.dumps(value)[:100]}")
        parts.append(f"{key}={value}")
    seed = _whole(request, "seed", 0, 0, 2**63 - 1)
    try:
        return load_agent(_limited(spec, parts), game, seed)
    except ValueError as error:
        raise RequestError(_blamed(spec, parts, game), str(error)) from None


def _limited(spec: str, parts: list[str]) -> str:
    """The agent's text with the limits, which are parameters like others."""
    return spec + ("," if ":" in spec else ":") + ",".join(parts) if parts else spec


def _blamed(spec: str, parts: list[str], game: Game) -> str:
    """The field that makes the agent impossible: the first limit with which it cannot be made, though it can without."""
    for blamed, tried in [("agent", []), *((f"limits.{part.split('=')[0]}", [part]) for part in parts)]:
        try:
            load_agent(_limited(spec, tried), game, 0)
        except ValueError:
            return blamed
    return "limits"
