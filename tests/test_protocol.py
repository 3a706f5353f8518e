"""`wattman serve --stdio`: the examples of docs/protocol.md, and a server that nothing ends."""

import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from commands import COMMAND, refused

from wattman import load_game
from wattman.engine import positions
from wattman.search import protocol

ROOT = Path(__file__).parent.parent
EXAMPLES = re.findall(r"^```text\n(.*?)^```$", (ROOT / "docs" / "protocol.md").read_text(), re.MULTILINE | re.DOTALL)


class Talk:
    """A server in this process, at the other end of two pipes."""

    def __init__(self):
        (self._read, write), (read, self._write) = os.pipe(), os.pipe()
        self.answers, self.requests = os.fdopen(self._read, "rb"), os.fdopen(self._write, "wb")
        self.thread = threading.Thread(target=self._serve, args=(read, write), daemon=True)
        self.thread.start()

    @staticmethod
    def _serve(read, write):
        with os.fdopen(read, "rb") as source, os.fdopen(write, "wb") as sink:
            protocol.Server(source, sink).run()

    def send(self, request):
        line = request if isinstance(request, bytes) else json.dumps(request).encode()
        self.requests.write(line + b"\n")
        self.requests.flush()

    def receive(self):
        return json.loads(self.answers.readline())

    def ask(self, request):
        """The answer to a request, other answers and progress left out."""
        self.send(request)
        while True:
            answer = self.receive()
            if answer["id"] == request["id"] and "progress" not in answer:
                return answer

    def close(self):
        self.requests.close()
        self.thread.join(30)
        assert not self.thread.is_alive()
        return [json.loads(line) for line in self.answers]


@pytest.fixture
def talk():
    return Talk()


KING = {"game": "leduc", "player": 0, "events": ["deal K", "deal ?"]}


def alike(expected, found):
    """Whether an answer is what the example shows."""
    if expected == "...":
        return True
    if isinstance(expected, dict):
        return isinstance(found, dict) and list(expected) == list(found) and all(alike(expected[key], found[key]) for key in expected)
    return expected == found


@pytest.mark.parametrize("text", EXAMPLES, ids=[re.findall(r'"method": "(\w+)"', text)[-1] for text in EXAMPLES])
def test_examples(talk, text):
    for line in text.splitlines():
        if line.startswith("> "):
            talk.send(line[2:].encode())
            continue
        expected, found = json.loads(line[2:]), talk.receive()
        while "progress" in found and "progress" not in expected:
            found = talk.receive()
        assert alike(expected, found), found
    assert talk.close() == []


def test_the_examples_show_all_methods():
    assert set(re.findall(r'"method": "(\w+)"', "".join(EXAMPLES))) == {*protocol.METHODS, "dance"}
    assert not alike({"id": 1, "result": {"action": "raise"}}, {"id": 1, "result": {"action": "call"}})


def test_a_position(talk):
    text = (ROOT / "examples" / "trambahn-midgame.toml").read_text()
    result = talk.ask({"id": 1, "method": "know", "position": text})["result"]
    info = positions.loads(text)
    assert result["legal"] == [info.action_to_string(action) for action in info.legal_actions()]
    found = talk.ask({"id": 2, "method": "analyze", "position": text, "limits": {"simulations": 100}})["result"]
    assert sum(move["visits"] for move in found["moves"]) == 100
    assert talk.ask({"id": 3, "method": "know", "position": "game = 1"})["error"]["field"] == "position"
    assert talk.ask({"id": 4, "method": "know", "position": text, "game": "leduc"})["error"]["field"] == "game"


def test_actions_tell_no_more_than_what_was_seen(talk):
    """The search gets the player's knowledge: another hand behind it changes nothing."""
    answers = [
        talk.ask({"id": 1, "method": "analyze", "game": "leduc", "actions": ["deal K", card], "limits": {"simulations": 200}})["result"]
        for card in ("deal J", "deal Q")
    ]
    for answer in answers:
        answer["seconds"] = 0
    assert answers[0] == answers[1]


WRONG = [
    (b"", None),
    (b"{", None),
    (b"[]", None),
    (b"null", None),
    (b"\xff\xfe", None),
    (b'{"id": NaN, "method": "hello"}', None),
    (b"[" * 100_000, None),
    (b'{"id": ' + b"9" * 10_000 + b"}", None),
    (b"{}", "id"),
    (b'{"id": true, "method": "hello"}', "id"),
    (b'{"id": 1.5, "method": "hello"}', "id"),
    (b'{"id": [1], "method": "hello"}', "id"),
    ({"id": "x" * 201, "method": "hello"}, "id"),
    ({"id": 1}, "method"),
    ({"id": 1, "method": ["hello"]}, "method"),
    ({"id": 1, "method": "_queue"}, "method"),
    ({"id": 1, "method": "hello", "extra": 1}, "extra"),
    ({"id": 1, "method": "know"}, "game"),
    ({"id": 1, "method": "know", "game": "chess", "player": 0}, "game"),
    ({"id": 1, "method": "know", "game": "leduc", "options": {"players": 3}, "player": 0}, "options"),
    ({"id": 1, "method": "know", "game": "lisbon", "options": {"board": "\ud800/nowhere\0"}, "player": 0}, "options"),
    ({"id": 1, "method": "know", "game": "leduc", "options": {"players": [2]}, "player": 0}, "options.players"),
    ({"id": 1, "method": "know", "game": "leduc"}, "player"),
    ({"id": 1, "method": "know", "game": "leduc", "player": 2}, "player"),
    ({"id": 1, "method": "know", "game": "leduc", "player": 0, "events": "deal K"}, "events"),
    ({"id": 1, "method": "know", "game": "leduc", "player": 0, "events": ["deal K", 1]}, "events[1]"),
    ({"id": 1, "method": "know", "game": "leduc", "player": 0, "events": ["fold"]}, "events[0]"),
    ({"id": 1, "method": "know", "game": "leduc", "player": 0, "events": [], "actions": []}, "actions"),
    ({"id": 1, "method": "choose", "game": "leduc", "actions": ["deal K", "deal J", "fold"]}, "actions[2]"),
    ({"id": 1, "method": "choose", **KING, "agent": "dance"}, "agent"),
    ({"id": 1, "method": "analyze", **KING, "agent": "greedy"}, "agent"),
    ({"id": 1, "method": "analyze", **KING, "limits": {"depth": 1}}, "limits.depth"),
    ({"id": 1, "method": "analyze", **KING, "limits": {"simulations": 1.5}}, "limits.simulations"),
    ({"id": 1, "method": "analyze", **KING, "limits": {"simulations": -1}}, "limits.simulations"),
    ({"id": 1, "method": "analyze", **KING, "agent": "ismcts:c=1", "limits": {"threads": 2, "time": -1}}, "limits.time"),
    ({"id": 1, "method": "choose", **KING, "agent": "ismcts:c=often", "limits": {"time": 1}}, "agent"),
    ({"id": 1, "method": "analyze", **KING, "stream": "yes"}, "stream"),
    ({"id": 1, "method": "analyze", **KING, "seed": -1}, "seed"),
    ({"id": 1, "method": "rivals", **KING, "worlds": 0}, "worlds"),
    ({"id": 1, "method": "table", "game": "leduc", "since": -1}, "since"),
    ({"id": 1, "method": "cancel"}, "target"),
    ({"id": 1, "method": "cancel", "target": {"a": 1}}, "target"),
]


def test_errors_name_the_field(talk):
    for line, where in WRONG:
        talk.send(line)
        if line:  # a blank line is none
            answer = talk.receive()
            assert list(answer) == ["id", "error"], answer
            assert answer["error"]["field"] == where, answer
            assert answer["error"]["message"]
            assert "internal" not in answer["error"]["message"], answer
    assert talk.ask({"id": 2, "method": "hello"})["result"]["name"] == "wattman"
    assert talk.close() == []


def test_a_line_that_is_too_long(talk):
    threading.Thread(target=talk.send, args=(b'{"id": 1, "method": "' + b"x" * (3 * protocol.LINE_LIMIT) + b'"}',)).start()
    answer = talk.receive()
    assert (answer["id"], answer["error"]["message"]) == (None, f"the line is longer than {protocol.LINE_LIMIT} bytes")
    assert "result" in talk.ask({"id": 2, "method": "hello"})


def test_random_garbage(talk):
    """Requests with parts cut out, doubled or exchanged: each line gets exactly one answer, and the server lives."""
    rng = random.Random(1)
    start = [json.dumps(request).encode() for request, _ in WRONG if isinstance(request, dict)]
    number = 0
    for _ in range(300):
        line = bytearray(rng.choice(start))
        for _ in range(rng.randrange(1, 4)):
            a, b = sorted(rng.randrange(len(line) + 1) for _ in range(2))
            line[a:b] = rng.choice([b"", line[a:b] * 2, bytes([rng.randrange(256)]), b'"', b"{", b"9"]) if b - a < 30 else b""
        line = bytes(line).replace(b"\n", b" ").replace(b"\r", b" ")
        if line.strip():
            talk.send(line)
            number += 1
            talk.receive()
    assert "result" in talk.ask({"id": "end", "method": "hello"})
    assert talk.close() == []


def test_interleaved(talk):
    """Quick requests are answered while a search runs; searches keep their order; the same id cannot be used twice at a time."""
    for number in range(3):
        talk.send({"id": number, "method": "analyze", **KING, "limits": {"time": 0.3}})
    talk.send({"id": 1, "method": "hello"})
    assert talk.receive()["error"] == {"field": "id", "message": "a request 1 is not answered yet"}
    assert "result" in talk.ask({"id": "quick", "method": "know", **KING})
    assert [talk.receive()["id"] for _ in range(3)] == [0, 1, 2]
    assert "result" in talk.ask({"id": 1, "method": "choose", **KING, "agent": "greedy"})


def test_cancel(talk):
    talk.send({"id": 1, "method": "choose", **KING, "limits": {"time": 600}})
    talk.send({"id": 2, "method": "analyze", **KING, "limits": {"time": 600, "threads": 2}})
    time.sleep(0.3)
    start = time.monotonic()
    for number in (2, 1):
        talk.send({"id": f"stop {number}", "method": "cancel", "target": number})
    answers = {answer["id"]: answer for answer in (talk.receive() for _ in range(4))}
    assert time.monotonic() - start < 10
    assert answers[1]["result"]["action"] in ("call", "raise")
    assert answers[1]["result"]["cancelled"]
    assert answers[2]["result"]["cancelled"]
    assert answers[2]["result"]["simulations"] < 10_000_000
    assert not talk.ask({"id": 3, "method": "cancel", "target": "nobody"})["result"]["cancelled"]


def test_quit_ends_searches(talk):
    talk.send({"id": 1, "method": "analyze", **KING, "limits": {"time": 600}})
    talk.send({"id": 2, "method": "quit"})
    assert {answer["id"] for answer in talk.close()} == {1, 2}


def test_the_end_of_the_input_finishes_searches():
    lines = [{"id": n, "method": "choose", **KING, "limits": {"simulations": 50}} for n in range(3)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run([*COMMAND, "serve", "--stdio"], input=text, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [0, 1, 2]


def test_a_client_that_goes_away():
    process = subprocess.Popen([*COMMAND, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    for _ in range(3):
        process.stdin.write(b'{"id": 1, "method": "hello"}\n')
    process.stdin.close()
    assert process.wait(60) == 1
    assert process.stderr.read() == b""


def test_without_stdio():
    assert "--stdio is missing" in refused("serve")


@pytest.mark.parametrize(("game", "games"), [("leduc", 2), ("portland", 1), ("tramways", 1)])
def test_a_match_between_two_processes(game, games):
    command = [sys.executable, str(ROOT / "examples" / "two_programs.py"), game, "greedy", "random", "--games", str(games), "--seed", "5"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    results = re.findall(r"greedy ([+-]\d+)", done.stdout)
    assert len(results) == games + 1
    assert sum(map(int, results[:-1])) == int(results[-1])
    assert "in all: greedy " in done.stdout


def test_a_player_is_told_what_he_saw(talk):
    """What `table` hands out event by event is what `State.events` says."""
    game, rng, actions = load_game("trambahn"), random.Random(2), []
    state, seen = game.new_initial_state(), [[], []]
    for number in range(80):
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        actions.append(state.action_to_string(action))
        now = talk.ask({"id": number, "method": "table", "game": "trambahn", "actions": actions, "since": number})["result"]
        for mine, news in zip(seen, now["seen"], strict=True):
            mine += news
        assert now["to_move"] == state.current_player()
        assert len(now["outcomes"] or now["legal"]) == len(state.legal_actions())
    assert seen == [state.events(player) for player in range(2)]
