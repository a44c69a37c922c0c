"""The PNG back end: the display list drawn with matplotlib, which is only loaded here."""

from __future__ import annotations

import logging
import warnings
from os import PathLike
from typing import TYPE_CHECKING, Any

from sandtable.table.picture_marks import Circle, Drawing, Ink, Line, Mark, Polygon, clean
from sandtable.table.picture_style import FONTS

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

DPI = 72.0
"""Points per inch: with it one pixel of the page is one point, matplotlib's unit of line widths and font sizes."""


def to_png(drawing: Drawing, path: str | PathLike[str], scale: float) -> None:
    """Write the drawing as a PNG file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    figure = Figure(figsize=(drawing.width / DPI, drawing.height / DPI), dpi=DPI * scale, facecolor=drawing.paper)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, drawing.width)
    axes.set_ylim(drawing.height, 0)
    font = _font()
    t = drawing.table
    edge = Rectangle((t.left, t.top), t.right - t.left, t.bottom - t.top, transform=axes.transData)
    for order, mark in enumerate((*drawing.on_table, *drawing.marks)):
        artist = _draw(axes, mark, order, font)
        if order < len(drawing.on_table):
            artist.set_clip_path(edge)
    with warnings.catch_warnings():
        # A name in a script that the font lacks shows boxes; that is no reason to fail.
        warnings.simplefilter("ignore")
        figure.savefig(path, format="png", dpi=DPI * scale, facecolor=drawing.paper)


def _font() -> str:
    """The first of our fonts that this machine has; matplotlib always brings DejaVu Sans."""
    from matplotlib import font_manager

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    known = {entry.name for entry in font_manager.fontManager.ttflist}
    return next((f for f in (*FONTS, "Inter", "Liberation Sans", "DejaVu Sans") if f in known), "DejaVu Sans")


def _style(ink: Ink) -> dict[str, Any]:
    style: dict[str, Any] = {
        "facecolor": ink.fill or "none",
        "edgecolor": ink.line or "none",
        "linewidth": ink.width if ink.line else 0.0,
        "alpha": ink.opacity if ink.opacity < 1 else None,
        "joinstyle": "round",
    }
    if ink.line and ink.dash:
        style["linestyle"] = (0, tuple(d / max(ink.width, 0.01) for d in ink.dash))
    return style


def _draw(axes: Axes, mark: Mark, order: int, font: str) -> Artist:
    from matplotlib import patches
    from matplotlib.lines import Line2D
    from matplotlib.patheffects import withStroke

    if isinstance(mark, Circle):
        return axes.add_patch(patches.Circle((mark.x, mark.y), mark.radius, zorder=order, **_style(mark.ink)))
    if isinstance(mark, Polygon):
        return axes.add_patch(patches.Polygon(list(mark.points), closed=True, zorder=order, **_style(mark.ink)))
    if isinstance(mark, Line):
        ink = mark.ink
        line = Line2D(
            [x for x, _ in mark.points],
            [y for _, y in mark.points],
            color=ink.line or "none",
            linewidth=ink.width,
            alpha=ink.opacity if ink.opacity < 1 else None,
            zorder=order,
        )
        line.set_solid_capstyle("round" if ink.cap == "round" else "butt")
        line.set_solid_joinstyle("round")
        if ink.dash:
            line.set_linestyle((0, tuple(d / max(ink.width, 0.01) for d in ink.dash)))
        return axes.add_line(line)
    return axes.text(
        mark.x,
        mark.y,
        clean(mark.text),
        fontsize=mark.size,
        color=mark.colour,
        ha={"start": "left", "middle": "center", "end": "right"}[mark.align],
        va="center_baseline",
        fontweight="semibold" if mark.bold else "normal",
        fontfamily=font,
        # A name with dollar signs is not a formula.
        parse_math=False,
        zorder=order,
        path_effects=[withStroke(linewidth=3, foreground=mark.halo)] if mark.halo else None,
    )
