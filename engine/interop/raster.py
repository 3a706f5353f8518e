"""A game's drawing as pixels: what a terminal would show. Needs Pillow, for the shapes of letters."""

from __future__ import annotations

import io
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

from wattman.engine.drawing import WIDEST, ascii_only

CELL = (16, 8)  # pixels of a letter: height, width
ROWS = 60  # lines of a picture, unless a drawing has more
FONTS = ("DejaVuSansMono.ttf", "LiberationMono-Regular.ttf", "Menlo.ttc", "consola.ttf")
BACK = np.array(SVG_EXPORT_THEME.background_color, np.float32)


@lru_cache
def font() -> tuple[ImageFont.FreeTypeFont | ImageFont.ImageFont, bool]:
    """A font, and whether it has more than ASCII: one of even width if the system has it, else Pillow's own."""
    for name in FONTS:
        try:
            return ImageFont.truetype(name, 13), True
        except OSError:
            continue
    return ImageFont.load_default(12), False


@lru_cache(maxsize=4096)
def glyph(char: str) -> np.ndarray:
    """How much of each pixel of a cell a letter covers. Shape (height, width), in [0, 1]."""
    face, full = font()
    image = Image.new("L", (CELL[1], CELL[0]))
    ImageDraw.Draw(image).text((CELL[1] / 2, 12), char if full else ascii_only(char), 255, face, anchor="ms")
    return np.asarray(image, np.float32) / 255


def colour(style: Style | None) -> np.ndarray:
    """The colour of letters."""
    known = style is not None and style.color is not None
    front = np.array(style.color.get_truecolor(SVG_EXPORT_THEME) if known else SVG_EXPORT_THEME.foreground_color, np.float32)
    return (front + BACK) / 2 if style is not None and style.dim else front


def picture(drawing: RenderableType) -> np.ndarray:
    """A drawing (from `Game.draw`) as pixels.

    Returns
    -------
    array (height, width, 3) of uint8
        Of the same size for all drawings of up to `ROWS` lines.
    """
    console = Console(
        file=io.StringIO(), width=WIDEST, color_system="truecolor", force_terminal=True, highlight=False, legacy_windows=False
    )
    lines = console.render_lines(Text(drawing) if isinstance(drawing, str) else drawing, pad=False)
    height, width = CELL
    sheet = np.empty((max(ROWS, len(lines)) * height, WIDEST * width, 3), np.float32)
    sheet[:] = BACK
    for row, line in enumerate(lines):
        column = 0
        for segment in line:
            front = colour(segment.style)
            for char in segment.text:
                if char.isprintable() and char != " " and column < WIDEST:
                    cell = sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]
                    cell += glyph(char)[..., None] * (front - BACK)
                column += cell_len(char)
    return sheet.astype(np.uint8)
