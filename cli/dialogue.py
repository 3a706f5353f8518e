"""A dialogue at the terminal or through a pipe: reading what a person types, remarks, numbered choices, help."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from wattman.cli.common import console

SHORT = 30  # characters; choices up to this length stand several on a line


class Dialogue:
    """What every dialogue does in the same way."""

    def __init__(self) -> None:
        self.out: Console = console()
        self.typed = sys.stdin.isatty()

    def say(self, text: Text) -> None:
        """A remark below the prompt: broken between words on a terminal, one line in a pipe."""
        if self.out.is_terminal:
            self.out.print(Padding(text, (0, 2)))
        else:
            self.out.print("  ", text, sep="", soft_wrap=True)

    def read(self, prompt: str) -> str:
        """A line from the person; EOFError at the end of input."""
        if self.typed:
            try:
                return input(prompt)
            except EOFError:
                self.out.print()  # Ctrl-D leaves the cursor behind the prompt
                raise
        self.out.print(prompt, end="", markup=False, soft_wrap=True)
        line = sys.stdin.readline()
        if not line:
            self.out.print()
            raise EOFError
        self.out.print(line.rstrip("\n"), markup=False, soft_wrap=True)
        return line

    def choices(self, entries: list[Text]) -> None:
        """Numbered choices: a line each, or several on a line if all are short."""
        if not long(entries):
            self.out.print(Columns(entries, padding=(0, 2), column_first=False))
            return
        grid = Grid.grid()
        for entry in entries:
            grid.add_row(entry)
        self.out.print(grid)

    def glossary(self, meanings: Mapping[str, str]) -> None:
        """What may be typed, and what it means."""
        grid = Grid.grid(padding=(0, 2, 0, 2))
        for form, meaning in meanings.items():
            grid.add_row(Text(form, style="bold"), meaning)
        self.out.print(grid)


def numbered(words: list[str]) -> list[Text]:
    """Choices with the numbers that stand for them, from 1."""
    return [Text.assemble((f"{i:>3} ", "cyan"), text) for i, text in enumerate(words, 1)]


def long(entries: list[Text]) -> bool:
    """Whether choices take a line each."""
    return max((len(entry) for entry in entries), default=0) > SHORT
