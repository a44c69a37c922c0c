"""Pictures of a table as SVG and as PNG: both draw the same marks.

Names may come from strangers: they are drawn as text and as nothing else.
"""

from __future__ import annotations

from os import PathLike

from sandtable.table.picture import Picture
from sandtable.table.picture_page import draw
from sandtable.table.picture_png import to_png
from sandtable.table.picture_svg import to_svg


def svg(picture: Picture) -> str:
    """The picture as a self-contained SVG document."""
    return to_svg(draw(picture))


def png(picture: Picture, path: str | PathLike[str], scale: float = 2.0) -> None:
    """Write the same picture as PNG; `scale` is how many pixels of the file make one of the picture."""
    to_png(draw(picture), path, scale)
