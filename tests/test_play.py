"""`wattman play`: at a pipe and at a terminal, one person and several, stopped in every way."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from commands import COMMAND, Terminal, finished, refused, run

from wattman.engine import positions, records
from wattman.engine.games import names


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


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


def test_levels():
    text = run("play", "leduc", "--seed", 5, "--level", 2, text="call").stdout
    assert "player 1 (level:2)" in text
    path = re.search(r"go on with: wattman play --load (\S+)", text)[1]
    assert records.pick(path).players == ["human", "level:2"]
    assert "player 1 (level:2)" in run("play", "--load", path, text="call\n" * 5).stdout
    assert run("play", "leduc", "--seed", 5, "--opponent", "level:2", text="call").stdout.split()[:9] == text.split()[:9]
    assert "--level: the others are given by --opponent already" in refused("play", "leduc", "--level", 2, "--opponent", "greedy")
    for level in (0, 6):
        assert "--level" in refused("play", "leduc", "--level", level)


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
    lines += ["1; 2", "1 end", "call; 1", "save nowhere/a.jsonl", "hint -1"]
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
        "a number stands alone",
        "nowhere/a.jsonl: No such file or directory",
        "'x' is no number of seconds to think",
        "'-1' is no number of seconds to think",
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


def test_remarks_on_a_position():
    Path("p.toml").write_text(run("new", "position", "trambahn").stdout.replace('"B6", ', ""))
    expected = run("analyze", "p.toml", "--simulations", 10).stderr
    assert expected.startswith("note: ")
    assert run("play", "--load", "p.toml").stderr == expected
    assert "--game is for records" in run("play", "--load", "p.toml", "--game", 1, status=2).stderr


def test_an_opponent_that_fails(monkeypatch):
    from wattman.search.agents import RandomAgent

    monkeypatch.setattr(RandomAgent, "choose", lambda self, info: 1 // 0)
    result = run("play", "leduc", "--opponent", "random", text="call\n", status=2)
    assert "player 1 (random) failed: ZeroDivisionError" in result.stderr
    assert "saved to leduc-1.jsonl" in result.stdout
    monkeypatch.setattr(RandomAgent, "choose", lambda self, info: 999)
    result = run("play", "leduc", "--opponent", "random", text="call\n", status=2)
    assert "player 1 (random) failed: IllegalMove" in result.stderr


# --- pipes, signals, terminals ---


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


def test_a_file_that_cannot_be_written_is_refused_before_the_game():
    Path("notes").write_text("my notes")
    run("match", "leduc", "greedy", "random", "--games", 2, "--out", "match.jsonl")
    run("selfplay", "leduc", "--agent", "random", "--games", 1, "--out", "games")
    Path("p.toml").write_text(run("new", "position", "trambahn").stdout)
    for path, message in (
        ("", "--save: expected the name of a file"),
        (".", "--save: expected the name of a file"),
        ("games", "games: Is a directory"),
        ("nowhere/a.jsonl", "nowhere: there is no such folder"),
        ("notes", "notes: this file does not hold records"),
        ("p.toml", "p.toml: this file does not hold records"),
        ("match.jsonl", "match.jsonl: this file does not hold records"),
        ("games/selfplay.json", "games/selfplay.json: this file does not hold records"),
    ):
        assert message in refused("play", "leduc", "--save", path)
    assert "--save games/games-00000.jsonl: there is such a file already" in refused(
        "play", "--load", "p.toml", "--save", "games/games-00000.jsonl"
    )
    assert Path("notes").read_text() == "my notes"
    assert "notes: this is a file; the games need a directory" in refused("selfplay", "leduc", "--games", 1, "--out", "notes")


def test_a_finished_game_outlives_a_bad_file_name(monkeypatch):
    monkeypatch.setattr(records, "check_target", lambda path: None)  # as if it turned bad during the game
    Path("notes").write_text("my notes")
    result = run("play", "leduc", "--opponent", "random", "--seed", 5, "--save", "notes", text="1\n" * 9, status=2)
    assert "does not hold records" in result.stderr
    assert records.final(records.pick("leduc-1.jsonl")).is_terminal()
    assert Path("notes").read_text() == "my notes"


def test_a_game_is_saved_elsewhere_if_it_cannot_be_here(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for load in ([], ["--load", tmp_path / "p.toml"]):
        (tmp_path / "p.toml").write_text(run("new", "position", "trambahn").stdout)
        (tmp_path / "gone").mkdir()
        monkeypatch.chdir(tmp_path / "gone")
        (tmp_path / "gone").rmdir()
        text = run("play", *(load or ["trambahn"]), "--opponent", "greedy", text="1\n1\n").stdout
        saved = re.search(r"go on with: wattman play --load (\S+)", text)[1]
        assert saved.startswith(str(tmp_path))
        assert Path(saved).read_text()


def test_ctrl_c_at_the_prompt_saves():
    terminal = Terminal("play", "leduc", "--opponent", "random", "--seed", 5)
    terminal.until("quit] > ")
    terminal.send("call\n")
    terminal.until("quit] > ")
    assert terminal.status(interrupt=True) == 130
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
    assert terminal.status(interrupt=True) == 130
    assert "saved to trambahn-1.jsonl" in terminal.text
    assert "Traceback" not in terminal.text


@pytest.mark.parametrize("background", [False, True])
def test_terminated_from_outside_saves(background):
    """Also in the background of a shell without job control, which has its programs ignore Ctrl-C."""
    pipe = subprocess.PIPE
    command = [*COMMAND, "play", "leduc", "--opponent", "random", "--seed", "5"]
    ignore = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    if background:
        command = [sys.executable, "-c", ignore, *command]
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
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


def test_what_one_typed_is_not_there_for_the_next():
    terminal = Terminal("play", "leduc", "--seat", 0, "--seat", 1, "--seed", 3)
    terminal.until("Pass the screen to player 0")
    terminal.send("\n")
    terminal.until("quit] > ")
    terminal.send("secret\n")
    terminal.until("quit] > ")
    terminal.send("call\n")
    terminal.until("Pass the screen to player 1")
    start = len(terminal.text)
    terminal.send("\x1b[A\x1b[A\n")
    terminal.until("quit] > ")
    terminal.send("quit\n")
    assert terminal.status() == 0
    assert "secret" not in terminal.text[start:]


def test_end_of_input_at_the_prompt_ends_its_line():
    terminal = Terminal("play", "leduc", "--opponent", "random", "--seed", 5)
    terminal.until("quit] > ")
    terminal.send("call\n")
    terminal.until("quit] > ")
    terminal.send("\x04")
    assert terminal.status() == 0
    assert re.search(r"\n\s*saved to leduc-1.jsonl", terminal.text)
