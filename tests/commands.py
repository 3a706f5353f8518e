"""Running commands for the tests: in this process, or at a pseudo-terminal."""
import os
import select
import signal
import struct
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wattman.cli.main import app

try:
    import fcntl
    import pty
    import termios
except ImportError:  # Windows
    pty = None

COMMAND = [sys.executable, "-m", "wattman"]


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


class Terminal:
    """A command at a pseudo-terminal."""

    def __init__(self, *args):
        if pty is None:
            pytest.skip("there are no pseudo-terminals here")
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

    def status(self, interrupt: bool = False) -> int:
        """Read to the end and return the exit status; with `interrupt`, press Ctrl-C first.

        A Ctrl-C between two reads of the keyboard is noticed only at the next key: a person would press it again, and so does this.
        """
        end, press = time.monotonic() + 30, time.monotonic() if interrupt else float("inf")
        while time.monotonic() < end:
            if time.monotonic() >= press:
                self.send("\x03")
                press += 5
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    break
        else:
            os.kill(self.pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
