"""Pictures as SVG: a sheet that shapes and texts are put on. Texts come from files that people write, so all are escaped."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_NARROW = "iljtfrI.,:;'|()[]! "
_WIDE = "mwMWGOQ@%"


def text_width(text: str, size: float) -> float:
    """About how wide a text is, in pixels; a little more than in the fonts of `FONT`."""
    widths = {**dict.fromkeys(_NARROW, 0.34), **dict.fromkeys(_WIDE, 0.88)}
    return size * sum(widths.get(char, 0.72 if char.isupper() else 0.58) for char in text)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _attributes(values: dict) -> str:
    parts = []
    for key, value in values.items():
        if value is not None:
            parts.append(f" {key.replace('_', '-')}={quoteattr(_number(value) if isinstance(value, int | float) else value)}")
    return "".join(parts)


class Sheet:
    """A picture of a fixed size in pixels. Later shapes lie over earlier ones.

    Every method takes SVG's attributes by name (`fill`, `stroke`, `stroke_width`, `opacity`, ..).
    """

    def __init__(self, width: float, height: float, background: str, title: str = ""):
        self.width, self.height = width, height
        self._parts: list[str] = []
        if title:
            self._parts.append(f"<title>{escape(title)}</title>")
        self.rect(0, 0, width, height, fill=background)

    def _shape(self, tag: str, **attributes) -> None:
        self._parts.append(f"<{tag}{_attributes(attributes)}/>")

    def rect(self, x: float, y: float, width: float, height: float, round_: float = 0, **style) -> None:
        self._shape("rect", x=x, y=y, width=width, height=height, rx=round_ or None, **style)

    def circle(self, x: float, y: float, radius: float, **style) -> None:
        self._shape("circle", cx=x, cy=y, r=radius, **style)

    def line(self, x: float, y: float, x2: float, y2: float, **style) -> None:
        self._shape("line", x1=x, y1=y, x2=x2, y2=y2, **style)

    def polygon(self, points: Sequence[tuple[float, float]], **style) -> None:
        self._shape("polygon", points=" ".join(f"{_number(x)},{_number(y)}" for x, y in points), **style)

    def path(self, d: str, **style) -> None:
        self._shape("path", d=d, **style)

    def text(self, x: float, y: float, text: str, size: float, anchor: str = "start", fit: float | None = None, **style) -> None:
        """A line of text; `y` is its base line.

        Parameters
        ----------
        anchor : {"start", "middle", "end"}
            Which part of the text is at `x`.
        fit : float, optional
            The text takes at most so many pixels.
        """
        squeeze = fit if fit is not None and text_width(text, size) > fit else None
        attributes = _attributes(
            {
                "x": x,
                "y": y,
                "font_size": size,
                "text_anchor": anchor if anchor != "start" else None,
                "textLength": squeeze,
                "lengthAdjust": "spacingAndGlyphs" if squeeze else None,
            }
            | style
        )
        self._parts.append(f"<text{attributes}>{escape(text)}</text>")

    def __str__(self) -> str:
        size = f'width="{_number(self.width)}" height="{_number(self.height)}" viewBox="0 0 {_number(self.width)} {_number(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">'
        return "\n".join([head, *self._parts, "</svg>", ""])
