"""Army lists as files of ours: what was read from another program's export is kept, sent and played as one of these."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
import yaml

from sandtable.armies.lists import ArmyList

WIDEST: Final = 120
_BARE: Final = re.compile(r"[A-Za-z][A-Za-z0-9'_ -]*")
"""What no reader of YAML takes for anything but a word."""


class _Line(dict[str, Any]):
    """What stands in one line."""


class _Writer(yaml.SafeDumper):
    """Each loadout stands in one line, and whatever could be taken for something else in quotes."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _line(writer: yaml.SafeDumper, line: _Line) -> yaml.Node:
    return writer.represent_mapping("tag:yaml.org,2002:map", line, flow_style=True)


def _text(writer: yaml.SafeDumper, text: str) -> yaml.Node:
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style=None if _BARE.fullmatch(text) else '"')


_Writer.add_representer(_Line, _line)
_Writer.add_representer(str, _text)


def write_list(army: ArmyList) -> str:
    """The text of a file that `read_list` reads as the same list."""
    plain = msgspec.to_builtins(army)
    units = [{**unit, **_loadouts(unit)} for unit in plain.pop("units")]
    return yaml.dump({**plain, "units": units}, Dumper=_Writer, sort_keys=False, allow_unicode=True, width=WIDEST)


def _loadouts(unit: dict[str, Any]) -> dict[str, Any]:
    return {"wargear": [_Line(loadout) for loadout in unit["wargear"]]} if "wargear" in unit else {}
