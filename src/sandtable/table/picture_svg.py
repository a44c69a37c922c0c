"""The SVG back end: the display list as text, without scripts, links or anything from outside."""

from __future__ import annotations

from html import escape

from sandtable.table.picture_marks import Circle, Drawing, Ink, Line, Mark, Place, Polygon, Text, clean
from sandtable.table.picture_style import FONTS


def to_svg(drawing: Drawing) -> str:
    """The drawing as an SVG document."""
    w, h = _number(drawing.width), _number(drawing.height)
    fonts = ", ".join(f"'{f}'" if " " in f else f for f in FONTS)
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img" '
        f'font-family="{fonts}" stroke-linejoin="round">',
        f"<title>{_text(drawing.title or 'Table')}</title>",
    ]
    if drawing.caption:
        head.append(f"<desc>{_text(drawing.caption)}</desc>")
    head.append(f'<rect width="{w}" height="{h}" fill="{drawing.paper}"/>')
    t = drawing.table
    # The name of the cut must be no other picture's on the same web page, so it says where the cut is.
    name = f"table-{t.right - t.left:.0f}-{t.bottom - t.top:.0f}-{t.top:.0f}"
    head += [
        f'<clipPath id="{name}"><rect x="{_number(t.left)}" y="{_number(t.top)}" '
        f'width="{_number(t.right - t.left)}" height="{_number(t.bottom - t.top)}"/></clipPath>',
        f'<g clip-path="url(#{name})">',
        *(_mark(m) for m in drawing.on_table),
        "</g>",
    ]
    return "\n".join([*head, *(_mark(m) for m in drawing.marks), "</svg>", ""])


def _text(text: str) -> str:
    return escape(clean(text), quote=True)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _points(points: tuple[Place, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _ink(ink: Ink) -> str:
    out = f'fill="{ink.fill or "none"}"'
    if ink.line:
        out += f' stroke="{ink.line}" stroke-width="{_number(ink.width)}"'
        if ink.dash:
            out += f' stroke-dasharray="{" ".join(_number(d) for d in ink.dash)}"'
        if ink.cap != "butt":
            out += f' stroke-linecap="{ink.cap}"'
    if ink.opacity < 1:
        out += f' opacity="{_number(ink.opacity)}"'
    return out


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _closed(name: str, attributes: str, tip: str) -> str:
    if tip:
        return f"<{name} {attributes}><title>{_text(tip)}</title></{name}>"
    return f"<{name} {attributes}/>"


def _mark(mark: Mark) -> str:
    if isinstance(mark, Circle):
        where = f'cx="{_number(mark.x)}" cy="{_number(mark.y)}" r="{_number(mark.radius)}"'
        return _closed("circle", f"{where} {_ink(mark.ink)}{_class(mark.kind)}", mark.tip)
    if isinstance(mark, Polygon):
        return _closed("polygon", f'points="{_points(mark.points)}" {_ink(mark.ink)}{_class(mark.kind)}', mark.tip)
    if isinstance(mark, Line):
        return f'<polyline points="{_points(mark.points)}" {_ink(mark.ink)}{_class(mark.kind)}/>'
    return _line_of_text(mark)


def _line_of_text(mark: Text) -> str:
    out = (
        f'<text x="{_number(mark.x)}" y="{_number(mark.y)}" dy="0.35em" font-size="{_number(mark.size)}" '
        f'fill="{mark.colour}"'
    )
    if mark.align != "start":
        out += f' text-anchor="{mark.align}"'
    if mark.bold:
        out += ' font-weight="600"'
    if mark.halo:
        out += f' stroke="{mark.halo}" stroke-width="3" paint-order="stroke"'
    return f"{out}{_class(mark.kind)}>{_text(mark.text)}</text>"
