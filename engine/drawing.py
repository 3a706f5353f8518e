"""What drawings of the games' tables share: text with colour marks, frames, columns that line up.

Drawings are `rich.text.Text`: colour only backs up what letters and signs say, so that they read the same without it and piped. They are
built of plain pieces and never of markup, since names that people choose may hold brackets.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console, RenderableType
from rich.text import Text

WIDTH = 78  # columns of a usual frame: fits a terminal of 80
WIDEST = 100  # no drawing is wider

# Bright ones: plain blue can hardly be read on black, plain yellow on white is no worse.
STYLES = {
    "Blue": "bright_blue",
    "Red": "bright_red",
    "Green": "green",
    "Yellow": "yellow",
    "faint": "dim",
    "strong": "bold",
    "alert": "bold magenta",
}

_PLAIN = str.maketrans("┌┐└┘─│●○·×→", "++++-|*.-x>")

Piece = str | tuple[str, str] | Text


def text(*pieces: Piece) -> Text:
    """One line of pieces: plain texts, ``(text, style)`` with a name of `STYLES`, or lines made before."""
    line = Text(no_wrap=True, end="")
    for piece in pieces:
        if isinstance(piece, tuple):
            line.append(piece[0], STYLES.get(piece[1], piece[1]) or None)
        else:
            line.append(piece)
    return line


def width(line: Piece) -> int:
    """Terminal columns that a line takes."""
    return cell_len(line[0]) if isinstance(line, tuple) else line.cell_len if isinstance(line, Text) else cell_len(line)


def pad(line: Piece, size: int, right: bool = False) -> Text:
    """The line filled up with blanks to `size` terminal columns, in front of it with `right`."""
    blanks = " " * max(0, size - width(line))
    return text(blanks, line) if right else text(line, blanks)


def table(rows: Sequence[Sequence[Piece]], gap: int = 2, right: Iterable[int] = ()) -> list[Text]:
    """Rows of cells as lines in which the cells stand below each other.

    Parameters
    ----------
    rows : list of lists of pieces
    gap : int
        Blanks between cells.
    right : set of int
        Cells (by number) that stand at the right edge of their column.
    """
    right = set(right)
    sizes = [max(width(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows), default=0))]
    lines = []
    for row in rows:
        cells: list[Piece] = []
        for i, cell in enumerate(row):
            last = i + 1 == len(row)
            cells += [cell if last and i not in right else pad(cell, sizes[i], i in right), "" if last else " " * gap]
        line = text(*cells)
        line.rstrip()
        lines.append(line)
    return lines


def ends(left: Piece, right: Piece, size: int = WIDTH) -> Text:
    """A line with something at each end."""
    return text(left, " " * max(2, size - width(left) - width(right)), right)


def frame(title: Piece, lines: Sequence[Piece], size: int = WIDTH) -> list[Text]:
    """Lines in a box with a title in its upper edge; wider than `size` if a line needs it."""
    size = max([size, width(title) + 6, *(width(line) + 4 for line in lines)])
    top = text("┌ ", title, " ", "─" * (size - width(title) - 4), "┐")
    return [top, *(text("│ ", pad(line, size - 4), " │") for line in lines), text("└", "─" * (size - 2), "┘")]


def join(lines: Iterable[Piece]) -> Text:
    """Lines below each other as one text, ready to print; none is wrapped."""
    lines = [text(line) if not isinstance(line, Text) else line for line in lines]
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def clip(name: str, size: int) -> str:
    """A name that fits `size` terminal columns, on one line."""
    name = " ".join("".join(c if c.isprintable() else " " for c in str(name)).split())
    return name if cell_len(name) <= size else set_cell_size(name, size - 2) + ".."


def ascii_only(drawing: str) -> str:
    """A drawing's plain text for terminals and files that cannot show the signs beyond ASCII."""
    return drawing.translate(_PLAIN).encode("ascii", "replace").decode()


def to_svg(drawing: RenderableType, title: str) -> str:
    """What a terminal would show as an SVG picture that needs no file from elsewhere."""
    console = Console(record=True, width=WIDEST, file=io.StringIO(), force_terminal=True, highlight=False)
    console.print(Text(drawing) if isinstance(drawing, str) else drawing)
    # Rich names fonts to be fetched from the internet; any font of even width will do.
    return re.sub(r"\s*@font-face \{[^}]*\}", "", console.export_svg(title=title, unique_id="drawing"))
