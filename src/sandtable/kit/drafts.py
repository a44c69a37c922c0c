"""Layouts that somebody draws: read as files are, with what is wrong with them, and written as files again."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import yaml

from sandtable.battle.tables import FeatureDoc, FloorDoc, Piece, WallDoc, build_table, feature_doc
from sandtable.documents import convert, parse_document
from sandtable.kit.layouts import LayoutDoc, block, check_layout, ruin, woods
from sandtable.table.grid import STEP, steps
from sandtable.table.layout import Table

DECIMALS: Final = 4
"""Of coordinates in a file; finer than the grid."""
WIDEST: Final = 120
YOURS: Final = "Your table"


class Draft(msgspec.Struct, frozen=True):
    """A layout as it stands."""

    text: str
    """As a file."""
    layout: dict[str, Any]
    """The same as plain data."""
    problems: list[str]
    """What players would stumble over; it can be played on all the same."""


def pieces() -> tuple[Piece, ...]:
    """What tables are laid with."""
    return (
        Piece("ruin", ruin(0, 0, 8, 6, 0)),
        Piece("tall ruin", ruin(0, 0, 8, 6, 0, floors=2)),
        Piece("woods", woods(0, 0, 7, 6)),
        Piece("hill", block("hill", 0, 0, 6, 4)),
        Piece("crater", block("crater", 0, 0, 5, 5)),
        Piece("barricade", block("barricade", 0, 0, 5, 0.5)),
        Piece("debris", block("debris", 0, 0, 2, 2)),
    )


def read_draft(text: str) -> Draft:
    """A layout from its text; raises `UserError`, with the line, for what no battle could be fought on."""
    return _draft(parse_document(text, LayoutDoc, YOURS))


def draft_of(table: Table, name: str, points: tuple[int, ...]) -> Draft:
    """A table as a layout to go on from."""
    terrain = [_rounded(feature_doc(feature)) for feature in table.features]
    size = [_rounded(side / STEP) for side in (table.width, table.depth)]
    raw = {"id": name, "name": name, "points": points, "table": {"size": size, "terrain": terrain}}
    return _draft(convert(msgspec.to_builtins(raw), LayoutDoc, YOURS))


def _draft(doc: LayoutDoc) -> Draft:
    problems = check_layout(build_table(doc.table, "in"))
    plain = _plain(doc)
    return Draft(_written(plain), plain, problems)


def _plain(doc: LayoutDoc) -> dict[str, Any]:
    found: dict[str, Any] = {"id": doc.id, "name": doc.name}
    if doc.text:
        found["text"] = doc.text
    terrain = [_without_defaults(feature) for feature in doc.table.terrain]
    return {**found, "points": list(doc.points), "table": {"size": list(doc.table.size), "terrain": terrain}}


def _without_defaults(doc: FeatureDoc | WallDoc | FloorDoc) -> dict[str, Any]:
    """A part of a table as whoever writes a file would write it."""
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(type(doc)):
        value = getattr(doc, field.name)
        if value == field.default:
            continue
        parts = field.name in ("walls", "floors")
        found[field.encode_name] = (
            [_without_defaults(v) for v in value] if parts else _rounded(msgspec.to_builtins(value))
        )
    return found


def _rounded(value: Any) -> Any:
    """Plain data with numbers as they stand in files: whole ones without a point."""
    if isinstance(value, dict):
        return {key: _rounded(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(v) for v in value]
    if isinstance(value, float):
        short = next(s for n in range(DECIMALS + 1) if steps(s := round(value, n)) == steps(value) or n == DECIMALS)
        return int(short) if short == int(short) else short
    return value


class _Line(dict[str, Any]):
    """What stands in one line."""


class _Row(list[Any]):
    """Corners that stand in one line."""


class _Writer(yaml.SafeDumper):
    """Points and other short lists stand in one line, and so do walls and floors."""


def _line(writer: yaml.SafeDumper, line: _Line) -> yaml.Node:
    return writer.represent_mapping("tag:yaml.org,2002:map", line, flow_style=True)


def _row(writer: yaml.SafeDumper, row: _Row) -> yaml.Node:
    return writer.represent_sequence("tag:yaml.org,2002:seq", row, flow_style=True)


_Writer.add_representer(_Line, _line)
_Writer.add_representer(_Row, _row)


def _written(plain: dict[str, Any]) -> str:
    def short(feature: dict[str, Any]) -> dict[str, Any]:
        parts = {k: [_Line(part) for part in v] for k, v in feature.items() if k in ("walls", "floors")}
        corners = {k: _Row(v) for k, v in feature.items() if k == "outline"}
        return {**feature, **parts, **corners}

    table = plain["table"]
    doc = {**plain, "table": {**table, "terrain": [short(f) for f in table["terrain"]]}}
    return yaml.dump(doc, Dumper=_Writer, default_flow_style=None, sort_keys=False, allow_unicode=True, width=WIDEST)
