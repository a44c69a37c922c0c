"""Pictures of answers, as SVG and PNG."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sandtable import charts
from sandtable.odds.answers import Answer

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def to_svg(answer: Answer) -> str:
    """The picture of an answer as SVG."""
    return charts.to_svg(_drawing(answer), answer.headline, answer.link)


def to_png(answer: Answer) -> bytes:
    """The picture of an answer as PNG, 1200 by 675."""
    return charts.to_png(_drawing(answer), answer.headline, answer.link)


def _drawing(answer: Answer) -> Callable[[], Figure]:
    return lambda: draw(answer)


def draw(answer: Answer) -> Figure:
    """The picture of an answer."""
    from sandtable.odds import pictures_editions, pictures_field, pictures_phase, pictures_plan, pictures_unit

    for module in (pictures_unit, pictures_field, pictures_plan, pictures_phase, pictures_editions):
        for kind, picture in module.PICTURES.items():
            if isinstance(answer, kind):
                drawn: Figure = picture(answer)
                return drawn
    raise TypeError(f"there is no picture of a {type(answer).__name__}")
