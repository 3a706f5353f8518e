"""Draws the pictures of the README and the pages: runs the commands below in a terminal and writes what they show as SVG.

    python docs/pictures.py
"""

import io
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from wattman.engine import positions

ROOT = Path(__file__).parent.parent
WIDTH = 100
PICTURES = {
    "play": (["play", "--load", "examples/trambahn-midgame.toml", "--seed", "7"], "hint\n", 60),
    "analyze": (["analyze", "examples/trambahn-midgame.toml", "--simulations", "20000", "--seed", "1"], "", 60),
    "review": (["review", "examples/trambahn-game.jsonl", "--seed", "1"], "", 600),
}
TABLES = {  # pictures of the table
    "lisbon": "examples/lisbon-push.toml",
    "portland": "examples/portland-two-players.toml",
    "tramways": "examples/tramways-two-players.toml",
}


def shown(arguments: list[str], typed: str, seconds: float) -> str:
    """What a command shows on a terminal, with its colours."""
    main, other = pty.openpty()
    environment = os.environ | {"COLUMNS": str(WIDTH), "LINES": "60", "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "wattman", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=other, stderr=subprocess.DEVNULL, cwd=ROOT, env=environment)
    os.close(other)
    process.stdin.write(typed.encode())
    process.stdin.close()
    output = b""
    while select.select([main], [], [], seconds)[0]:
        try:
            part = os.read(main, 65536)
        except OSError:  # the terminal's other end is closed
            break
        if not part:
            break
        output += part
    process.wait(seconds)
    return output.decode().replace("\r\n", "\n")


def main() -> None:
    for name, (arguments, typed, seconds) in PICTURES.items():
        text = shown(arguments, typed, seconds)
        console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
        console.print(Text.from_ansi(text.rstrip()))
        path = ROOT / "docs" / f"{name}.svg"
        console.save_svg(str(path), title=" ".join(["wattman", *arguments]))
        print(path)
    for name, position in TABLES.items():
        info = positions.load(ROOT / position)
        path = ROOT / "docs" / f"{name}.svg"
        path.write_text(info.game.svg(info.to_dict()), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
