"""The command line: what people and programs read, and that nothing ends in a traceback. Playing: test_play.py."""
import json
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest
from commands import COMMAND, Terminal, finished, refused, run
from typer.main import get_command

import wattman
from wattman.cli.main import app
from wattman.engine import positions, records
from wattman.engine.games import names


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


# --- help, lists, errors ---


def test_version():
    assert run("--version").stdout == f"wattman {wattman.__version__}\n"


TOP = get_command(app).commands
COMMANDS = ["", *TOP, *(f"new {name}" for name in TOP["new"].commands)]


@pytest.mark.parametrize("command", COMMANDS)
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
    assert set(kinds["ismcts"]["parameters"]["time"]) == {"type", "default", "games", "allowed", "help"}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("dance", "No such command 'dance'; commands are: games, agents, "),
        ("games --dance", "No such option: --dance (see wattman games --help)"),
        ("analyze", "Missing argument 'FILE' (see wattman analyze --help)"),
        ("analyze a b", "(b) (see wattman analyze --help)"),
        ("play leduc --seed", "Option '--seed' requires an argument (see wattman play --help)"),
        ("match leduc greedy random --games 0", "--games: '0' is not at least 1 (see wattman match --help)"),
        ("analyze x --time y", "--time: 'y' is not a number (see wattman analyze --help)"),
        ("selfplay leduc --out x", "Missing option '--games' (see wattman selfplay --help)"),
        ("new position", "Missing argument 'GAME' (see wattman new position --help)"),
        ("play", "which game?"),
        ("play chess", "no game 'chess'; games are: "),
        ("play leduc --option depth=3", "unknown option 'depth'; options are: players"),
        ("play leduc --option depth", "expected KEY=VALUE"),
        ("play leduc --players 3", "option players: '3' is not allowed; allowed: 2"),
        ("play leduc --players 2 --option players=2", "given twice"),
        ("play leduc --seat 2", "--seat 2: seats are 0 to 1"),
        ("play leduc --opponent dance", "no agent 'dance'"),
        ("play leduc --opponent random --opponent random", "--opponent is given 2 times"),
        ("play leduc --seed x", "--seed: 'x' is not a whole number (see wattman play --help)"),
        ("play leduc --game 1", "--game: needs --load"),
        ("play --load nothing.jsonl", "nothing.jsonl: No such file"),
        ("replay nothing.jsonl", "nothing.jsonl: No such file"),
        ("replay .", ".: Is a directory"),
        ("replay /dev/zero", "/dev/zero: this file does not hold games"),
        ("analyze /dev/zero", "/dev/zero: is longer than 256 KiB, so it is no such file"),
        ("analyze nothing.toml", "nothing.toml: No such file"),
        ("new position chess", "no game 'chess'; games with position files are: "),
        ("new position leduc", "leduc has no position files"),
        ("new", "Missing command; commands are: position"),
        ("new dance", "No such command 'dance'; commands are: position"),
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


def test_a_line_without_end():
    with open("long.jsonl", "wb") as file:
        file.write(b'{"format": 1, ')
        file.truncate(1 << 30)
    for command in (["replay"], ["analyze"], ["play", "--load"]):
        assert "long.jsonl: line 1: longer than 16 MiB, so this is no file of games" in refused(*command, "long.jsonl")
    assert "does not hold a match" in refused("match", "leduc", "greedy", "random", "--out", "long.jsonl", "--resume")


def test_files_of_another_kind():
    finished("leduc")
    Path("view.json").write_text(run("replay", "game.jsonl", "--view", 0, "--json").stdout)
    assert "view.json: line 1: a record is JSON on one line, and this goes over several" in refused("replay", "view.json")
    Path("line.json").write_text(json.dumps(json.loads(Path("view.json").read_text())))
    assert "what one player saw" in refused("replay", "line.json")
    Path("t.toml").write_text(run("new", "position", "trambahn").stdout)
    assert "t.toml: this is a position, no game; wattman analyze t.toml" in refused("replay", "t.toml")
    run("selfplay", "leduc", "--agent", "random", "--games", 2, "--out", "games")
    assert "the records are in the files games-*.jsonl beside it" in refused("replay", "games/selfplay.json")


def test_pipes():
    """A file that can be read only once, also standard input."""
    finished("trambahn")
    Path("t.toml").write_text(run("new", "position", "trambahn").stdout)
    for command in (
        "cat t.toml | {} analyze /dev/stdin --simulations 10 --json",
        "{} replay game.jsonl --ply 39 --position - | {} analyze - --simulations 10 --json",
        "cat game.jsonl | {} replay - --json",
    ):
        line = command.replace("{}", shlex.join(COMMAND))
        result = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
        assert result.stderr == ""
        assert json.loads(result.stdout)["game"] == "trambahn"
    result = subprocess.run([*COMMAND, "analyze", "-"], input="game = 3", capture_output=True, text=True, timeout=60)
    assert result.stderr.startswith("wattman: standard input: game: 3 is a whole number")


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
        # The number in front of an event is the ply at which it is next.
        for number, text in enumerate(state.events(player)):
            assert re.search(rf"^ +{number}  .*: {re.escape(text)}$", listing, re.MULTILINE)
        assert f"player {player} saw plies 0 to {len(view['events'])}" in refused(
            "replay", path, "--view", player, "--ply", len(view["events"]) + 1
        )
    table = json.loads(run("replay", path, "--ply", 3, "--json").stdout)
    assert list(table) == ["game", "ply", "view", "to_move", "legal", "table"]
    run("replay", path, "--ply", 3)
    assert "plies 0 to" in refused("replay", path, "--ply", 10**6)
    assert "players are 0 to 1" in refused("replay", path, "--view", 2)
    assert "game 2: the file holds 1 game" in refused("replay", path, "--game", 2)


def test_any_ply_as_a_position():
    """With a viewer a ply counts the events that he saw: what he knows after them does not tell how many he did not see."""
    path = finished("trambahn")
    states = [state for _, state in records.replay(records.pick(path))]
    unseen = 0
    for player in range(2):
        last = {len(state.events(player)): state for state in states}
        unseen += len(states) - len(last)
        for ply in range(0, len(last), 9):
            text = run("replay", path, "--ply", ply, "--view", player, "--position", "-").stdout
            assert positions.loads(text) == last[ply].info_state(player)
    assert unseen
    for ply in range(0, len(states), 9):
        if states[ply].current_player() >= 0:
            assert positions.loads(run("replay", path, "--ply", ply, "--position", "-").stdout) == states[ply].info_state()


def test_a_ply_of_a_view_can_be_analyzed():
    path = finished("trambahn")
    states = [state for _, state in records.replay(records.pick(path))]
    for state in states[-9::-40]:
        player = state.current_player()
        if player < 0 or len(state.legal_actions()) < 2:
            continue
        ply = len(state.events(player))
        given = json.loads(run("analyze", path, "--ply", ply, "--player", player, "--simulations", 20, "--json").stdout)
        assert {move["action"] for move in given["moves"]} == {state.action_to_string(action) for action in state.legal_actions()}
    for player in range(2):
        last = [state for state in states if state.current_player() == player][-1]
        given = json.loads(run("analyze", path, "--player", player, "--simulations", 20, "--json").stdout)
        assert {move["action"] for move in given["moves"]} == {last.action_to_string(action) for action in last.legal_actions()}
    assert "player 7: players are 0 to 1" in refused("analyze", path, "--player", 7)
    run("replay", path, "--ply", 60, "--view", 0, "--position", "p.toml")
    assert "there is such a file already" in refused("replay", path, "--ply", 60, "--view", 0, "--position", "p.toml")


ANALYSIS = ["game", "to_move", "simulations", "seconds", "worlds", "proved", "moves"]
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
    seen = len(states[ply].events(other))
    assert f"player {other} is not to move here" in refused("analyze", path, "--ply", seen, "--player", other)
    assert "does not search" in refused("analyze", path, "--ply", ply, "--agent", "greedy", "--json")
    assert "does not search" in refused("analyze", path, "--ply", ply, "--agent", "greedy")
    assert "given twice" in refused("analyze", path, "--ply", ply, "--agent", "ismcts:time=1", "--time", 2)


def test_the_template_can_be_analyzed():
    Path("t.toml").write_text(run("new", "position", "trambahn").stdout)
    data = json.loads(run("analyze", "t.toml", "--simulations", 100, "--json").stdout)
    assert data["game"] == "trambahn"
    assert "is for records" in refused("analyze", "t.toml", "--ply", 3)


@pytest.mark.parametrize("width", [40, 59, 60, 79, 80, 100])
def test_analyze_at_any_width(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    Path("t.toml").write_text(run("new", "position", "trambahn").stdout)
    text = run("analyze", "t.toml", "--simulations", 200, "--seed", 1).stdout
    best = json.loads(run("analyze", "t.toml", "--simulations", 200, "--seed", 1, "--json").stdout)["moves"][0]
    text = text[text.index("to move · 200 simulations") :]
    assert re.search(rf"^ *1  {re.escape(best['action'])} .*{100 * best['win']:.1f} ±", text, re.MULTILINE)
    words = " ".join(text[text.index("best continuation") : text.index("best turn")].split())
    move = next(move for move in best["pv"][1:] if move != "done")
    assert move.split()[1] in words


def test_bench_keys(monkeypatch):
    from wattman.cli import bench
    from wattman.search.bench import bench as measure

    monkeypatch.setattr(bench, "measure", lambda game, seed, progress: measure(game, seed, 0.001, progress))
    keys = {"ns_per_step", "steps_per_playout", "playouts_per_s", "simulations_per_s", "clone_ns", "fill_ns", "signature"}
    result = json.loads(run("bench", "leduc", "--json").stdout)
    assert keys <= set(result)
    every = json.loads(run("bench", "--json").stdout)
    assert set(every) == set(names())
    assert every["leduc"]["signature"] == result["signature"]
    assert "signature" in run("bench").stdout


# --- pipes and terminals ---


def test_a_reader_that_goes_away():
    finished("trambahn")
    process = subprocess.Popen([*COMMAND, "replay", "game.jsonl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    error = process.stderr.read()
    process.wait(60)
    assert error == b""


@pytest.mark.parametrize(
    ("command", "closed", "status"), [("games", ">&-", 0), ("dance", "2>&-", 2), ("play leduc --opponent random", "<&-", 0)]
)
def test_closed_streams(command, closed, status):
    result = subprocess.run(["sh", "-c", f"{shlex.join(COMMAND)} {command} {closed}"], capture_output=True, text=True, timeout=60)
    assert result.returncode == status
    assert "Traceback" not in result.stderr


def test_ctrl_c_ends_an_analysis_with_what_it_has():
    Path("t.toml").write_text(run("new", "position", "trambahn").stdout)
    terminal = Terminal("analyze", "t.toml", "--time", 60)
    terminal.until("simulations")
    time.sleep(0.5)
    terminal.send("\x03")
    assert terminal.status() == 0
    assert "stopped early" in terminal.text
    assert "best turn" in terminal.text


def test_bench_shows_how_far_it_is_and_can_be_stopped():
    terminal = Terminal("bench", "leduc")
    terminal.until(" %|")
    assert terminal.status(interrupt=True) == 130
    assert terminal.text.rstrip().endswith("wattman: interrupted")
    assert "Traceback" not in terminal.text


@pytest.mark.parametrize("delay", [0.05, 0.3])
def test_ctrl_c_while_the_program_is_loaded(delay):
    process = subprocess.Popen([*COMMAND, "bench", "leduc"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    output, error = process.communicate(timeout=60)
    if "Exception ignored in: <function _get_module_lock" in error:
        return  # Python itself lost it: what is raised in this callback of an import it prints and forgets, at times one in hundreds
    assert output == "", error
    if process.returncode == 130:  # else Python itself had not begun
        assert error == "wattman: interrupted\n"


def test_replay_step_by_step():
    finished("leduc")
    terminal = Terminal("replay", "game.jsonl")
    for answer in ("\n", "b\n", "2\n", "back to the start\n", "x\n", "q\n"):
        terminal.until("q: quit] > ")
        terminal.send(answer)
    assert "'x': press Enter for the next decision, or type b, a number or q" in terminal.text
    assert terminal.status() == 0
    assert "Traceback" not in terminal.text
