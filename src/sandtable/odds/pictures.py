"""Pictures of answers, as SVG and PNG."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from sandtable.odds.answers import Answer
from sandtable.odds.canvas import DPI, PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FONTS = "'DejaVu Sans', Verdana, 'Bitstream Vera Sans', sans-serif"
"""The widths are those of the first; the second has the same."""
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    # Text stays text: it can be searched, read aloud and zoomed, and the file is small.
    "svg.fonttype": "none",
    # The same answer gives the same bytes.
    "svg.hashsalt": "sandtable",
}


def to_svg(answer: Answer) -> str:
    """The picture of an answer as SVG."""
    out = io.StringIO()
    _write(answer, out, "svg")
    return out.getvalue().replace("'DejaVu Sans'", FONTS)


def to_png(answer: Answer) -> bytes:
    """The picture of an answer as PNG, 1200 by 675."""
    out = io.BytesIO()
    _write(answer, out, "png")
    return out.getvalue()


def _write(answer: Answer, out: io.StringIO | io.BytesIO, format_: str) -> None:
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        metadata = {"Date": None, "Title": answer.headline} if format_ == "svg" else {"Title": answer.headline}
        draw(answer).savefig(out, format=format_, dpi=DPI, facecolor=PAPER, metadata=metadata)


def draw(answer: Answer) -> Figure:
    """The picture of an answer."""
    from sandtable.odds import pictures_field, pictures_plan, pictures_unit

    for module in (pictures_unit, pictures_field, pictures_plan):
        for kind, picture in module.PICTURES.items():
            if isinstance(answer, kind):
                drawn: Figure = picture(answer)
                return drawn
    raise TypeError(f"there is no picture of a {type(answer).__name__}")
