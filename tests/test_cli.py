"""The command line: what a person types and reads, what programs read, and that nothing ends in a traceback."""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import wattman
from wattman.cli.main import app
from wattman.engine import positions, records
from wattman.engine.games import names

COMMAND = [sys.executable, "-m", "wattman.cli.main"]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


def run(*args, text: str = "", status: int = 0):
    """Run a command with `text` as its input."""
    result = CliRunner().invoke(app, [str(arg) for arg in args], input=text)
    assert result.exit_code == status, (result.output, result.exception)
    assert "Traceback" not in result.output
    return result


def refused(*args, text: str = "") -> str:
    """The one line on stderr of a command that is refused."""
    result = run(*args, text=text, status=2)
    assert result.stdout == ""
    assert result.stderr.startswith("wattman: ")
    assert len(result.stderr.splitlines()) == 1
    return result.stderr.strip()


def finished(name: str, seed: int = 1) -> Path:
    """A file with one game."""
    run("play", name, "--seed", seed, "--opponent", "random", "--save", "game.jsonl", text="1\n" * 600)
    return Path("game.jsonl")


# --- help, lists, errors ---


def test_version():
    assert run("--version").stdout == f"wattman {wattman.__version__}\n"


@pytest.mark.parametrize("command", ["", "games", "agents", "play", "analyze", "replay", "new", "new position", "bench"])
def test_help(command):
    text = run(*command.split(), "--help").stdout
    assert "Usage: wattman" in text
    assert text == run(*command.split(), "-h").stdout


def test_no_command_is_help():
    assert run().stdout == run("--help").stdout


def test_games():
    text = run("games").stdout
    for name in names():
        assert name in text
    for game in json.loads(run("games", "--json").stdout):
        assert list(game) == ["game", "title", "options"]
        for option in game["options"].values():
            assert list(option) == ["default", "choices", "help"]
        assert game["options"]["players"]["default"] in game["options"]["players"]["choices"]


def test_agents():
    text = run("agents").stdout
    for name in ("random", "greedy", "ismcts", "simulations"):
        assert name in text
    kinds = {kind["agent"]: kind for kind in json.loads(run("agents", "--json").stdout)}
    assert set(kinds["ismcts"]) == {"agent", "help", "parameters"}
    assert set(kinds["ismcts"]["parameters"]["time"]) == {"type", "default", "allowed", "help"}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("dance", "No such command 'dance'"),
        ("games --dance", "--dance"),
        ("play", "which game?"),
        ("play chess", "no game 'chess'; games are: "),
        ("play leduc --option depth=3", "unknown option 'depth'; options are: players"),
        ("play leduc --option depth", "expected KEY=VALUE"),
        ("play leduc --players 3", "option players: '3' is not allowed; allowed: 2"),
        ("play leduc --players 2 --option players=2", "given twice"),
        ("play leduc --seat 2", "--seat 2: seats are 0 to 1"),
        ("play leduc --opponent dance", "no agent 'dance'"),
        ("play leduc --opponent random --opponent random", "--opponent is given 2 times"),
        ("play leduc --seed x", "--seed"),
        ("play leduc --game 1", "--game: needs --load"),
        ("play --load nothing.jsonl", "nothing.jsonl: No such file"),
        ("replay nothing.jsonl", "nothing.jsonl: No such file"),
        ("replay .", ".: Is a directory"),
        ("analyze nothing.toml", "nothing.toml: No such file"),
        ("new position chess", "no game 'chess'"),
        ("new", "Missing command"),
        ("bench chess", "no game 'chess'"),
    ],
)
def test_errors_are_one_line(args, message):
    assert message in refused(*args.split())


@pytest.mark.parametrize("data", [b"", b"\n", b"{", b"\xff\xfe", b"[]", b"{}", b'{"format": 1}', b"x = 1", b"game = 3", b"\x00" * 50])
@pytest.mark.parametrize("command", [["replay"], ["analyze", "--simulations", "10"], ["play", "--load"]])
@pytest.mark.parametrize("suffix", ["jsonl", "toml"])
def test_bad_files(command, data, suffix):
    Path(f"bad.{suffix}").write_bytes(data)
    assert f"bad.{suffix}" in refused(*command, f"bad.{suffix}")


# --- play ---


@pytest.mark.parametrize("name", names())
def test_a_game_by_numbers(name):
    text = run("play", name, "--seed", 5, "--opponent", "greedy", "--save", "game.jsonl", text="1\n" * 600).stdout
    assert "The game is over." in text
    assert "\x1b" not in text
    record = records.pick("game.jsonl")
    assert record.players == ["human", "greedy"]
    assert records.final(record).is_terminal()
    assert os.listdir() == ["game.jsonl"]


def test_the_same_seed_is_the_same_game():
    for path in ("a.jsonl", "b.jsonl"):
        run("play", "leduc", "--seed", 5, "--opponent", "ismcts:simulations=50", "--save", path, text="2\n" * 20)
    assert Path("a.jsonl").read_text() == Path("b.jsonl").read_text()


def test_end_of_input_saves_and_load_goes_on():
    text = run("play", "leduc", "--seed", 5, "--opponent", "random", text="raise").stdout
    path = re.search(r"go on with: wattman play --load (\S+)", text)[1]
    before = records.pick(path)
    assert "raise" in before.actions
    assert before.scores is None
    text = run("play", "--load", path, "--save", path, "--seed", 1, text="call\n" * 5).stdout
    assert "The game is over." in text
    after = records.pick(path)
    assert after.actions[: len(before.actions)] == before.actions
    assert after.players == before.players
    assert records.pick(path, 1) == before


def test_nothing_to_save():
    assert "saved" not in run("play", "leduc", text="quit\n").stdout
    assert "saved" not in run("play", "leduc", text="").stdout
    assert os.listdir() == []


def test_saving_never_overwrites():
    Path("leduc-1.jsonl").write_text("my notes")
    run("play", "leduc", "--opponent", "random", "--seed", 5, text="call\nsave leduc-1.jsonl\nquit\n")
    assert Path("leduc-1.jsonl").read_text() == "my notes"
    assert records.pick("leduc-2.jsonl").actions


def test_save_twice_then_quit_saves_no_third_time():
    run("play", "leduc", "--opponent", "random", "--seed", 5, text="save a.jsonl\ncall\nsave a.jsonl\nquit\n")
    assert os.listdir() == ["a.jsonl"]
    assert len(list(records.read("a.jsonl"))) == 2


@pytest.mark.parametrize("name", names())
def test_undo_keeps_chance(name):
    """However often a person takes back and tries again, the same decisions give the same game."""
    plain = "1\n" * 600
    wavering = "1\nundo\n" * 3 + "1\n1\nundo\nundo turn\n" + plain
    for path, text in (("plain.jsonl", plain), ("wavering.jsonl", wavering)):
        run("play", name, "--seed", 9, "--opponent", "greedy", "--save", path, text=text)
    assert records.pick("plain.jsonl") == records.pick("wavering.jsonl")


def test_commands_and_slips():
    lines = ["help", "moves", "table", "hint 0.05", "analyze 0.05", "undo", "undo everything", "99", "0", "dance", "save", "hint x", ""]
    text = run("play", "leduc", "--seed", 5, text="\n".join([*lines, "quit"])).stdout
    for part in (
        "take back your last decision",
        "hint: ",
        "best continuation",
        "you have not decided anything yet",
        "expected undo or undo turn",
        "99: the moves are numbered from 1 to 2",
        "0: the moves are numbered from 1 to 2",
        "legal here: call, raise",
        "to which file?",
        "is no number of seconds",
    ):
        assert part in text, part


def test_bytes_that_are_no_text():
    result = subprocess.run([*COMMAND, "play", "leduc"], input=b"\xff\xfe\n\x00\nquit\n", capture_output=True, timeout=60)
    assert result.returncode == 0, result.stderr
    assert b"Traceback" not in result.stderr


def test_a_terminal_without_the_characters():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    command = [*COMMAND, "play", "trambahn", "--seed", "1"]
    result = subprocess.run(command, input=b"quit\n", capture_output=True, timeout=60, env=environment)
    assert result.returncode == 0, result.stderr
    assert b"board" in result.stdout


def test_several_people_see_only_their_hand():
    moves = "call\ncall\ncall\nraise\nfold\n"
    text = run("play", "leduc", "--seed", 3, "--seat", 0, "--seat", 1, text=moves).stdout
    first, second = text.split("player 1's turn")[:2]
    assert "['K', '?']" in first
    assert "['?', 'J']" in second.split("player 0's turn")[0]
    assert "['K', 'J']" not in text.split("The game is over")[0].rsplit("player 0 [", 1)[0]


def test_second_seat_and_title():
    text = run("play", "leduc", "--seed", 3, "--seat", 1, "--opponent", "greedy", text="").stdout
    assert text.startswith("Leduc poker · player 0 (greedy) · player 1 is you · seed 3")


def test_a_whole_turn_of_trambahn():
    lines = "board 1\nboard ZZ\nend\nhint 0.05\n"
    text = run("play", "trambahn", "--seed", 3, "--opponent", "greedy", text=lines).stdout
    assert "'ZZ' is not a card" in text
    turn = re.search(r"whole turn: (.*)", text)[1]
    text = run("play", "trambahn", "--seed", 3, "--opponent", "greedy", "--save", "t.jsonl", text=f"{turn}\nend\nsave mid.jsonl\n").stdout
    record = records.pick("mid.jsonl")
    assert "player 1 (greedy): board" in text
    for card in re.findall(r"[BRGY]\d+", turn):
        assert any(card in action for action in record.actions if not action.startswith(("deal", "draw")))


def test_a_game_from_a_position():
    path = finished("trambahn")
    run("replay", path, "--ply", 100, "--view", 0, "--position", "p.toml")
    text = run("play", "--load", "p.toml", "--opponent", "greedy", "--seed", 2, text="1\n1\nsave q.toml\n1\n").stdout
    assert "saved to q.toml" in text
    assert positions.load("q.toml").player == 0
    saved = re.search(r"go on with: wattman play --load (\S+)", text)[1]
    assert saved.endswith(".toml")
    assert "The game is over" in run("play", "--load", saved, "--opponent", "greedy", "--seed", 2, text="1\n" * 600).stdout


def test_an_opponent_that_fails(monkeypatch):
    from wattman.search.agents import RandomAgent

    monkeypatch.setattr(RandomAgent, "choose", lambda self, info: 1 // 0)
    result = run("play", "leduc", "--opponent", "random", text="call\n", status=2)
    assert "player 1 (random) failed: ZeroDivisionError" in result.stderr
    assert "saved to leduc-1.jsonl" in result.stdout
    monkeypatch.setattr(RandomAgent, "choose", lambda self, info: 999)
    result = run("play", "leduc", "--opponent", "random", text="call\n", status=2)
    assert "player 1 (random) failed: IllegalMove" in result.stderr


# --- replay, analyze, new position, bench ---


@pytest.mark.parametrize("name", names())
def test_replay(name):
    path = finished(name)
    state = records.final(records.pick(path))
    data = json.loads(run("replay", path, "--json").stdout)
    assert list(data) == ["game", "options", "players", "events", "scores", "returns"]
    assert [event["event"] for event in data["events"]] == state.events()
    listing = run("replay", path).stdout
    for text in state.events():
        assert text in listing
    for player in range(2):
        view = json.loads(run("replay", path, "--view", player, "--json").stdout)
        assert view == records.view(records.pick(path), player)
        listing = run("replay", path, "--view", player).stdout
        hidden = {text for text in state.events() if text.startswith("deal")} - set(state.events(player))
        assert not any(re.search(rf": {re.escape(text)}$", listing, re.MULTILINE) for text in hidden)
    table = json.loads(run("replay", path, "--ply", 3, "--json").stdout)
    assert list(table) == ["game", "ply", "view", "to_move", "legal", "table"]
    run("replay", path, "--ply", 3)
    assert "plies 0 to" in refused("replay", path, "--ply", 10**6)
    assert "players are 0 to 1" in refused("replay", path, "--view", 2)
    assert "game 2: the file holds 1 game" in refused("replay", path, "--game", 2)


def test_any_ply_as_a_position():
    path = finished("trambahn")
    states = [state for _, state in records.replay(records.pick(path))]
    for ply in range(0, len(states), 9):
        for player in range(2):
            text = run("replay", path, "--ply", ply, "--view", player, "--position", "-").stdout
            assert positions.loads(text) == states[ply].info_state(player)
    run("replay", path, "--ply", 60, "--position", "p.toml")
    assert "there is such a file already" in refused("replay", path, "--ply", 60, "--position", "p.toml")


ANALYSIS = ["game", "to_move", "simulations", "seconds", "worlds", "moves"]
MOVE = ["action", "visits", "win", "win_stderr", "margin", "prior", "pv"]


@pytest.mark.parametrize("name", names())
def test_analyze(name):
    path = finished(name)
    ply = len(records.pick(path).actions) // 2
    states = [state for _, state in records.replay(records.pick(path))]
    ply = next(ply for ply in range(ply, -1, -1) if len(states[ply].legal_actions()) > 1 and states[ply].current_player() >= 0)
    data = json.loads(run("analyze", path, "--ply", ply, "--simulations", 200, "--seed", 1, "--json").stdout)
    assert list(data) == ANALYSIS
    assert all(list(move) == MOVE for move in data["moves"])
    assert {move["action"] for move in data["moves"]} == {states[ply].action_to_string(a) for a in states[ply].legal_actions()}
    again = json.loads(run("analyze", path, "--ply", ply, "--simulations", 200, "--seed", 1, "--json").stdout)
    assert again["moves"] == data["moves"]
    text = run("analyze", path, "--ply", ply, "--simulations", 200, "--threads", 2).stdout
    assert "best continuation" in text
    assert "best turn: " in text
    other = 1 - states[ply].current_player()
    assert f"player {other} is not to move here" in refused("analyze", path, "--ply", ply, "--player", other)
    assert "does not search" in refused("analyze", path, "--ply", ply, "--agent", "greedy", "--json")
    assert "given twice" in refused("analyze", path, "--ply", ply, "--agent", "ismcts:time=1", "--time", 2)


def test_the_template_can_be_analyzed():
    Path("t.toml").write_text(run("new", "position", "trambahn").stdout)
    data = json.loads(run("analyze", "t.toml", "--simulations", 100, "--json").stdout)
    assert data["game"] == "trambahn"
    assert "is for records" in refused("analyze", "t.toml", "--ply", 3)


def test_bench_keys(monkeypatch):
    from wattman.cli import bench
    from wattman.search.bench import bench as measure

    monkeypatch.setattr(bench, "measure", lambda game, seed: measure(game, seed, 0.001))
    keys = {"ns_per_step", "steps_per_playout", "playouts_per_s", "simulations_per_s", "clone_ns", "fill_ns", "signature"}
    result = json.loads(run("bench", "leduc", "--json").stdout)
    assert keys <= set(result)
    every = json.loads(run("bench", "--json").stdout)
    assert set(every) == set(names())
    assert every["leduc"]["signature"] == result["signature"]
    assert "signature" in run("bench").stdout


# --- pipes, signals, terminals ---


def test_a_reader_that_goes_away():
    finished("trambahn")
    process = subprocess.Popen([*COMMAND, "replay", "game.jsonl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    error = process.stderr.read()
    process.wait(60)
    assert error == b""


def test_a_game_whose_reader_goes_away_is_saved():
    pipe = subprocess.PIPE
    process = subprocess.Popen([*COMMAND, "play", "leduc", "--opponent", "random", "--seed", "5"], stdin=pipe, stdout=pipe, stderr=pipe)
    process.stdin.write(b"call\n")
    process.stdin.flush()
    shown = b""
    while shown.count(b"quit] > ") < 2:
        shown += os.read(process.stdout.fileno(), 65536)
    process.stdout.close()
    process.stdin.write(b"help\nhelp\n")
    process.stdin.close()
    error = process.stderr.read()
    process.wait(60)
    assert error == b""
    assert records.pick("leduc-1.jsonl").actions


def test_a_finished_game_outlives_a_bad_file_name():
    Path("notes").write_text("my notes")
    result = run("play", "leduc", "--opponent", "random", "--seed", 5, "--save", "notes", text="1\n" * 9, status=2)
    assert "does not hold records" in result.stderr
    assert records.final(records.pick("leduc-1.jsonl")).is_terminal()
    assert Path("notes").read_text() == "my notes"


class Terminal:
    """A command at a pseudo-terminal."""

    def __init__(self, *args):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
            os.execv(COMMAND[0], [*COMMAND, *(str(arg) for arg in args)])
        self.text = ""

    def until(self, part: str, seconds: float = 30) -> None:
        """Read until the screen has shown `part` since the last call."""
        start, end = len(self.text), time.monotonic() + seconds
        while part not in self.text[start:]:
            assert time.monotonic() < end, self.text
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    break
        assert part in self.text[start:], self.text

    def send(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def status(self) -> int:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    break
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_ctrl_c_at_the_prompt_saves():
    terminal = Terminal("play", "leduc", "--opponent", "random", "--seed", 5)
    terminal.until("quit] > ")
    terminal.send("call\n")
    terminal.until("quit] > ")
    terminal.send("\x03")
    assert terminal.status() == 130
    assert "saved to leduc-1.jsonl" in terminal.text
    assert "Traceback" not in terminal.text
    assert "call" in records.pick("leduc-1.jsonl").actions


def test_ctrl_c_while_the_opponent_thinks_saves():
    terminal = Terminal("play", "trambahn", "--opponent", "ismcts:time=60", "--seed", 5)
    terminal.until("quit] > ")
    terminal.send("1\n")
    terminal.until("quit] > ")
    terminal.send("end\n")
    terminal.until("thinks")
    time.sleep(0.5)
    terminal.send("\x03")
    assert terminal.status() == 130
    assert "saved to trambahn-1.jsonl" in terminal.text
    assert "Traceback" not in terminal.text


def test_ctrl_c_ends_an_analysis_with_what_it_has():
    Path("t.toml").write_text(run("new", "position", "trambahn").stdout)
    terminal = Terminal("analyze", "t.toml", "--time", 60)
    terminal.until("simulations")
    time.sleep(0.5)
    terminal.send("\x03")
    assert terminal.status() == 0
    assert "stopped early" in terminal.text
    assert "best turn" in terminal.text


def test_terminated_from_outside_saves():
    pipe = subprocess.PIPE
    process = subprocess.Popen([*COMMAND, "play", "leduc", "--opponent", "random", "--seed", "5"], stdin=pipe, stdout=pipe, stderr=pipe)
    process.stdin.write(b"call\n")
    process.stdin.flush()
    shown = b""
    while shown.count(b"quit] > ") < 2:
        shown += os.read(process.stdout.fileno(), 65536)
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error == b""
    assert records.pick("leduc-1.jsonl").actions


def test_the_screen_is_passed_on():
    terminal = Terminal("play", "leduc", "--seat", 0, "--seat", 1, "--seed", 3)
    terminal.until("Pass the screen to player 0")
    assert "'K'" not in terminal.text
    terminal.send("\n")
    terminal.until("quit] > ")
    terminal.send("call\n")
    terminal.until("Pass the screen to player 1")
    assert "\x1b[3J" in terminal.text
    terminal.send("\n")
    terminal.until("quit] > ")
    terminal.send("quit\n")
    assert terminal.status() == 0


def test_replay_step_by_step():
    finished("leduc")
    terminal = Terminal("replay", "game.jsonl")
    for answer in ("\n", "b\n", "2\n", "q\n"):
        terminal.until("q: quit] > ")
        terminal.send(answer)
    assert terminal.status() == 0
    assert "Traceback" not in terminal.text
