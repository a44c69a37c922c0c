"""What all charts share: the sheet with its headline, the box with the assumptions, and how they are written.

A sheet is 1200 by 675 points, the size that chats show whole, and its large print can still be read on a phone.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT, DPI = 12.0, 6.75, 100
PAPER, PANEL, LINE = "#fbf9f4", "#f1ebdd", "#d8cfbb"
TEXT, QUIET = "#2d2a26", "#6f675b"
FIRST, SECOND, THIRD = "#2f6db3", "#c8502b", "#2e8b6f"
FIRST_PALE, SECOND_PALE = "#a9c4e4", "#eab8a4"
AMBER: Final = "#b07a00"

HEADLINE, SUB, LABEL, SMALL = 24, 15, 16, 13
BOX_SIZES: Final = (11.0, 10.0, 9.0, 8.5)
"""Sizes of print in the box: the first that fits is taken."""
BOX_LINES: Final = 4
LEFT, RIGHT = 0.045, 0.965
ROOM: Final = RIGHT - LEFT


FONTS: Final = "'DejaVu Sans', Verdana, 'Bitstream Vera Sans', sans-serif"
"""The widths are those of the first; the second has the same."""
STYLE: Final[dict[Any, Any]] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    # Text stays text: it can be searched, read aloud and zoomed, and the file is small.
    "svg.fonttype": "none",
    # A dollar in a name is a dollar.
    "text.parse_math": False,
    # The same drawing gives the same bytes.
    "svg.hashsalt": "sandtable",
}


def to_svg(draw: Callable[[], Figure], title: str, source: str = "") -> str:
    """A drawing as SVG; `source` is where it comes from, for programs that read the file."""
    out = io.StringIO()
    _write(draw, out, "svg", {"Date": None, "Title": title, "Source": source or None})
    return out.getvalue().replace("'DejaVu Sans'", FONTS)


def to_png(draw: Callable[[], Figure], title: str, source: str = "") -> bytes:
    """A drawing as PNG, 1200 by 675."""
    out = io.BytesIO()
    _write(draw, out, "png", {"Title": title, "Source": source or None})
    return out.getvalue()


def _write(draw: Callable[[], Figure], out: io.StringIO | io.BytesIO, kind: str, metadata: dict[str, Any]) -> None:
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        draw().savefig(out, format=kind, dpi=DPI, facecolor=PAPER, metadata=metadata)


def sheet(headline: str, sub: str, assumptions: Sequence[str]) -> tuple[Figure, float, float]:
    """An empty sheet; and between which heights, from below, the drawing has room."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI, facecolor=PAPER)
    size, lines = _fitted(headline[:1].upper() + headline[1:])
    pace = size * 1.22 / 72 / HEIGHT
    for i, line in enumerate(lines):
        figure.text(LEFT, 0.965 - i * pace, line, fontsize=size, fontweight="bold", color=TEXT, va="top")
    under = 0.965 - len(lines) * pace - 0.012
    small, told = _fitted_sub(sub)
    pace = small * 1.22 / 72 / HEIGHT
    for i, line in enumerate(told):
        figure.text(LEFT, under - i * pace, line, fontsize=small, color=QUIET, va="top")
    return figure, _box(figure, assumptions), under - 0.06 - (len(told) - 1) * pace


def _fitted(headline: str) -> tuple[int, list[str]]:
    for size in (HEADLINE, 21, 18):
        lines = wrap(headline, size, ROOM, bold=True)
        if len(lines) <= 2:
            return size, lines
    return 15, wrap(headline, 15, ROOM, bold=True)[:3]


def _fitted_sub(text: str) -> tuple[float, list[str]]:
    lines = wrap(text, SUB, ROOM)
    return (SUB, lines) if len(lines) == 1 else (SMALL, wrap(text, SMALL, ROOM))


def wrap(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """A text in lines that are no wider than this share of the sheet."""
    out, taken = [""], 0.0
    space = _width("n n", bold) - 2 * _width("n", bold)
    # A number and its percent sign belong together.
    for word in text.replace(" %", "\u00a0%").split(" "):
        wide = _width(word, bold) * size
        if out[-1] and taken + space * size + wide > width:
            out.append(word)
            taken = wide
        else:
            out[-1] = f"{out[-1]} {word}".strip()
            taken += wide + (space * size if taken else 0.0)
    return out


@lru_cache(8192)
def _width(word: str, bold: bool) -> float:
    """The width of a word in print of size 1, as a share of the sheet."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family="DejaVu Sans", size=100, weight="bold" if bold else "normal")
    width, _, _ = text_to_path.get_text_width_height_descent(word, font, ismath=False)
    return float(width) / 100 / 72 / WIDTH


def _box(figure: Figure, assumptions: Sequence[str]) -> float:
    """Draw the box with the assumptions at the foot; returns the height of its upper edge."""
    from matplotlib.patches import FancyBboxPatch

    text = " ".join(assumptions)
    # Small print comes out a little wider than its measure.
    room = 0.95 * ROOM
    size = next((s for s in BOX_SIZES if len(wrap(text, s, room)) <= BOX_LINES), BOX_SIZES[-1])
    lines = wrap(text, size, room)
    if len(lines) > BOX_LINES + 2:
        lines = [*lines[: BOX_LINES + 1], f"{lines[BOX_LINES + 1][:100].rstrip()} ... (all of it in the JSON)"]
    pace = size * 1.36 / 72 / HEIGHT
    height = len(lines) * pace + 0.022
    figure.add_artist(
        FancyBboxPatch(
            (LEFT - 0.012, 0.018), RIGHT - LEFT + 0.024, height, boxstyle="round,pad=0,rounding_size=0.008",
            facecolor=PANEL, edgecolor=LINE, linewidth=1, transform=figure.transFigure, mutation_aspect=WIDTH / HEIGHT,
        )
    )  # fmt: skip
    for i, line in enumerate(lines):
        figure.text(LEFT, 0.018 + height - 0.011 - i * pace, line, fontsize=size, color=QUIET, va="top")
    return 0.018 + height


def axes(figure: Figure, left: float, bottom: float, right: float, top: float) -> Axes:
    """A plain plot between these edges, in shares of the sheet."""
    found = figure.add_axes((left, bottom, right - left, top - bottom))
    found.set_facecolor(PAPER)
    for name, spine in found.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(LINE)
    found.tick_params(colors=TEXT, labelsize=LABEL, length=0, pad=6)
    return found


def percent_axis(plot: Axes, top: float = 1.0) -> None:
    """Chances on the upright axis."""
    step = 0.25 if top > 0.55 else 0.1 if top > 0.2 else 0.05 if top > 0.1 else 0.02
    ticks = [i * step for i in range(int(top / step + 1e-9) + 1)]
    plot.set_ylim(0, top)
    plot.set_yticks(ticks, [f"{100 * t:.0f} %" for t in ticks])
    plot.grid(axis="y", color=LINE, linewidth=0.8)
    plot.set_axisbelow(True)


def label(plot: Axes, x: str = "", y: str = "") -> None:
    """What the axes show."""
    plot.set_xlabel(x, fontsize=LABEL, color=TEXT, labelpad=6)
    plot.set_ylabel(y, fontsize=LABEL, color=TEXT, labelpad=6)


def title(plot: Axes, text: str) -> None:
    """A heading over a plot, at its left edge."""
    plot.set_title(text, fontsize=LABEL, color=TEXT, loc="left", fontweight="bold", pad=12)


def shortened(text: str, letters: int) -> str:
    """A text that fits, with its end left out where it must be."""
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "…"


def wrapped(text: str, letters: int, lines: int = 2) -> str:
    """A name on several short lines."""
    return "\n".join(textwrap.wrap(text, letters, max_lines=lines, placeholder="…", break_long_words=False))


def thinned(number: int, most: int) -> Sequence[int]:
    """Places for ticks, so that no more than `most` of them are named."""
    step = max(1, -(-number // most))
    return range(0, number, step)
