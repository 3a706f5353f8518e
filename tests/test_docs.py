"""The documentation against the program: examples in Python run, command lines parse, files load, excerpts are what the sources say."""

import doctest
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from wattman import load_agent, load_game
from wattman.cli.main import UsageError, app
from wattman.engine import positions, records
from wattman.engine.games import names
from wattman.search.bench import bench

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The fenced blocks of a language: the number of the line before each, and its text."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, found.start(2)), found[2]) for found in FENCE.finditer(text) if found[1] == language]


# --- Python ---


def run_python(page: Path) -> int:
    """Run a page's Python blocks one after the other in one namespace; returns how many there were."""
    space: dict = {"__name__": page.stem}
    found = blocks(page, "python")
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    for line, text in found:
        if ">>>" not in text:
            exec(compile("\n" * line + text, str(page), "exec"), space)
            continue
        test = doctest.DocTestParser().get_doctest(text, space, f"{page.name}, line {line + 1}", str(page), line)
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        assert not report, "".join(report)
        space = test.globs
    return len(found)


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "library.md"], ids=lambda page: page.name)
def test_python(page, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    assert run_python(page) > (20 if page.name == "library.md" else 0)


def test_python_with_other_libraries():
    for needed in ("pyspiel", "pettingzoo", "PIL", "ray"):
        pytest.importorskip(needed, reason="needs pip install -e '.[openspiel,pettingzoo,ray]'")
    assert run_python(DOCS / "other-libraries.md") == 4


def test_python_with_pytorch(tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="needs pip install -e '.[train]'").set_num_threads(1)
    monkeypatch.chdir(tmp_path)
    assert run_python(DOCS / "network.md") == 2


def test_a_wrong_result_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\n```\n\n```python\n>>> x + 1\n3\n```\n")
    with pytest.raises(AssertionError, match=r"page.md, line 6(.|\n)*Expected:\s+3\s+Got:\s+2"):
        run_python(page)


# --- commands ---


def simple_commands(line: str) -> Iterator[list[str]]:
    """The commands of a shell line: pipes taken apart, redirections and assignments left out."""
    words: list[str] = []
    tokens = shlex.shlex(line, posix=True, punctuation_chars=True)
    tokens.whitespace_split = True
    skip = False
    for token in [*tokens, ";"]:
        if set(token) <= set("|&;()"):
            while words and re.match(r"[A-Z_]+=", words[0]):
                words.pop(0)
            if words:
                yield words
            words = []
        elif set(token) <= set("<>"):
            skip = True  # what comes next is a file, or after <<< a text
        elif skip:
            skip = False
        else:
            words.append(token)


def shown_commands(page: Path) -> list[str]:
    """Every line after a `$` in a page's console blocks, those continued by a backslash joined."""
    text = "\n".join(text for _, text in blocks(page, "console")).replace("\\\n", " ")
    return [line[2:] for line in text.splitlines() if line.startswith("$ ")]


def check_wattman(words: list[str]) -> None:
    """Parse a command as the program does, without running it; UsageError or ValueError if it is wrong."""
    command, name = get_command(app), "wattman"
    while words and words[0] in getattr(command, "commands", {}):
        name, *words = words
        command = command.commands[name]
    if hasattr(command, "commands") and words and not words[0].startswith("-"):
        raise UsageError(f"No such command {words[0]!r}")
    try:
        given = command.make_context(name, list(words)).params
    except typer.Exit:  # --help and --version
        return
    game = given.get("game")
    if isinstance(game, str):
        load_game(game)
    for key in ("agent", "agents", "opponent"):
        specs = given.get(key) or []
        for spec in [specs] if isinstance(specs, str) else specs:
            load_agent(spec, load_game(game if isinstance(game, str) else "trambahn"))


def wattman_commands(page: Path) -> list[list[str]]:
    """The arguments of every call of the program on a page."""
    found = []
    for line in shown_commands(page):
        for words in simple_commands(line):
            if words[0] == "wattman":
                found.append(words[1:])
            elif words[:3] == ["python", "-m", "wattman"]:
                found.append(words[3:])
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands(page):
    for words in wattman_commands(page):
        try:
            check_wattman(words)
        except (UsageError, ValueError) as error:
            message = error.format_message() if isinstance(error, UsageError) else error
            pytest.fail(f"{page.name}: wattman {shlex.join(words)}: {message}")


def test_every_command_is_shown():
    shown = [" ".join(words) for words in wattman_commands(DOCS / "command-line.md")]
    top = get_command(app).commands
    for name, command in top.items():
        for full in [f"{name} {sub}" for sub in command.commands] if hasattr(command, "commands") else [name]:
            assert any(line.startswith(full) for line in shown), f"docs/command-line.md has no example of wattman {full}"


@pytest.mark.parametrize(
    "line",
    [
        "wattman dance",
        "wattman new dance",
        "wattman play trambahn --dance",
        "wattman play chess",
        "wattman play trambahn --seed x",
        "wattman play trambahn --opponent ismcts:dance=1",
        "wattman match trambahn greedy dance",
        "wattman analyze",
        "cat < in.txt | wattman analyze --dance x.toml > out.txt",
    ],
)
def test_a_wrong_command_is_found(line):
    with pytest.raises((UsageError, ValueError)):
        check_wattman(next(words for words in simple_commands(line) if words[0] == "wattman")[1:])


# --- files ---


def test_positions_load():
    found = [text for _, text in blocks(DOCS / "files.md", "toml") if re.search(r"^game = ", text, re.MULTILINE)]
    assert found
    for text in found:
        positions.loads(text, "files.md")


def test_json_is_what_the_program_writes():
    data = [json.loads(line) for _, text in blocks(DOCS / "files.md", "json") for line in text.splitlines() if line.startswith('{"')]
    data += [json.loads(text) for _, text in blocks(DOCS / "files.md", "json") if not text.startswith('{"')]
    seen = []
    leduc = load_game("leduc")
    for value in data:
        if "actions" in value:
            assert records.final(records.Record.from_json(json.dumps(value))).is_terminal()
            seen.append("record")
        elif "view" in value and "events" in value:
            assert list(value) == list(records.view(full_record(), 0))
            seen.append("view")
        elif "moves" in value:
            state = records.final(records.Record("leduc", leduc.options, ["a", "b"], ["deal J", "deal Q"]))
            true = load_agent("ismcts:simulations=10", leduc).analyze(state.info_state()).to_json()
            assert list(value) == list(true)
            assert list(value["moves"][0]) == list(true["moves"][0])
            seen.append("analysis")
        elif "signature" in value:
            assert list(value) == list(bench(leduc, scale=0.0001))
            seen.append("bench")
    assert {"record", "view", "analysis", "bench"} <= set(seen)


def full_record() -> records.Record:
    game = load_game("leduc")
    state = game.new_initial_state()
    for text in ("deal J", "deal Q", "raise", "fold"):
        state.apply_action(state.string_to_action(text))
    return records.Record.from_state(state, ["a", "b"])


# --- sources ---


def test_excerpts_are_in_the_sources():
    source = (ROOT / "engine" / "games" / "leduc.pyx").read_text(encoding="utf-8")
    found = blocks(DOCS / "adding-a-game.md", "cython")
    assert found
    for line, text in found:
        for part in re.split(r"^ *# \.\.\.\n", text, flags=re.MULTILINE):
            assert part.rstrip("\n") in source, f"adding-a-game.md, line {line}: this is not in leduc.pyx:\n{part}"


def test_every_game_is_named():
    text = (DOCS / "files.md").read_text(encoding="utf-8") + (DOCS / "adding-a-game.md").read_text(encoding="utf-8")
    for name in names():
        assert name in text.lower()
