"""Write the reference of the protocol into `protocol.md`, and its schemas beside it: part of `make docs`."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from sandtable.battle.rulings import Modifier, PutModel, SetWounds
from sandtable.battle.system import Aura, Briefing, ByHand, Mark, Outlook, Reach, Reminder, Ring
from sandtable.battle.verdict import Reason, Verdict
from sandtable.server import protocol
from sandtable.server.schemas import schemas

DOCS: Final = Path(__file__).parent
PAGE: Final = DOCS / "protocol.md"
SCHEMAS: Final = DOCS / "protocol.schema.json"
MARK: Final = "<!-- From here on written by `make docs` from the types in src/sandtable/server/protocol/. -->"

PARTS: Final = (
    protocol.Shown,
    protocol.Board,
    Mark,
    protocol.Waiting,
    protocol.AtTable,
    protocol.Ground,
    protocol.Idea,
    protocol.Rule,
    protocol.Switch,
    protocol.Need,
    protocol.Proved,
    protocol.Tested,
    protocol.Seen,
    Reach,
    Outlook,
    Ring,
    Briefing,
    Aura,
    ByHand,
    Reminder,
    SetWounds,
    PutModel,
    Modifier,
    Verdict,
    Reason,
)
"""Parts that are explained; those of decisions, events and terrain stand in the schemas alone."""
LISTS: Final = (protocol.ReadList, protocol.ListRead, protocol.UnitRead, protocol.Counted, protocol.LeftRead)
"""What a request with an army list carries, and its reply."""
COMMON: Final = ("say", "ask", "to")
"""Fields that every message has, or may have."""
FEW: Final = 4
WORDS: Final = {
    "object": "object",
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "yes or no",
    "null": "null",
}


def write_protocol() -> None:
    """Bring both files up to date."""
    by_hand = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    PAGE.write_text(f"{by_hand}{MARK}\n\n{reference()}", encoding="utf-8")
    SCHEMAS.write_text(schema_text(), encoding="utf-8")


def schema_text() -> str:
    return json.dumps(schemas(), indent=1) + "\n"


def reference() -> str:
    """Every message in words."""
    parts: dict[str, Any] = schemas()["parts"]
    lines: list[str] = []
    for heading, union in (("What a client says", "from_client"), ("What the server says", "from_server")):
        lines += [f"### {heading}", ""]
        if union == "from_server":
            lines += _where_it_stands()
        for one in schemas()[union]["anyOf"]:
            name = one["$ref"].rpartition("/")[2]
            lines += _message(getattr(protocol, name), parts[name])
    lines += ["### Parts of messages", ""]
    for part in PARTS:
        lines += _entry(f"**{part.__name__}**", part, parts[part.__name__], ())
    lines += ["### Army lists", "", "`POST /api/lists` takes a ReadList, and replies with a ListRead.", ""]
    for part in LISTS:
        lines += _entry(f"**{part.__name__}**", part, parts[part.__name__], ())
    return "\n".join(lines).rstrip() + "\n"


def _where_it_stands() -> list[str]:
    """The fields that several messages share."""
    schema = schemas()["parts"][protocol.Happened.__name__]
    shared = schema | {
        "description": "Four messages, `welcome`, `resumed`, `events` and `rewound`, tell where it stands:"
    }
    return _entry("**Where a battle stands.**", protocol.Now, shared, ("first", "events", "said"))


def _message(kind: type[Any], schema: dict[str, Any]) -> list[str]:
    known = protocol.Now.__struct_fields__ if issubclass(kind, protocol.Now) else ()
    more = " With where the battle stands, and:" if known else ""
    return _entry(f"**`{schema['properties']['say']['enum'][0]}`**", kind, schema, known, more)


def _entry(title: str, kind: type[Any], schema: dict[str, Any], known: tuple[str, ...], more: str = "") -> list[str]:
    said = " ".join(str(schema.get("description", "")).split())
    told = _told(kind)
    needed = schema.get("required", ())
    fields = [
        f"- `{name}`{'' if name in needed else ' (may be left out)'}: {_type(field)}{told.get(name, '')}"
        for name, field in schema["properties"].items()
        if name not in (*COMMON, *known)
    ]
    return [f"{title} {said}{more}", "", *fields, *([""] if fields else [])]


def _type(field: dict[str, Any]) -> str:
    """A type in a word or two."""
    if "$ref" in field:
        return str(field["$ref"].rpartition("/")[2])
    if "anyOf" in field:
        kinds = list(dict.fromkeys(_type(one) for one in field["anyOf"]))
        if len(kinds) <= FEW:
            return " or ".join(kinds)
        tag = field.get("discriminator", {}).get("propertyName", "")
        return {"shape": "decision", "event": "event"}.get(tag, "one of several")
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if field.get("type") == "array":
        inner = field.get("items")
        return f"list of {_type(inner)}" if isinstance(inner, dict) and inner else "list"
    return WORDS.get(str(field.get("type")), "anything")


def _told(kind: type[Any]) -> dict[str, str]:
    """What the sources say about each field, under it."""
    found: dict[str, str] = {}
    for owner in [one for one in reversed(kind.__mro__) if one.__module__.startswith("sandtable.")]:
        body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in pairwise(body.body):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                    found[name] = f". {' '.join(words.split())}"
    return found
