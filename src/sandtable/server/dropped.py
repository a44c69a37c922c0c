"""Files that somebody drops on the page: what they are meant to be, right or wrong, is told by what stands in them.

A mistake in a scenario is one in a scenario, wherever it was sent: who reads that kind of file says what is wrong.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final, Literal, TypeAlias

import msgspec

from sandtable.armies.lists import ArmyList
from sandtable.battle import journal
from sandtable.battle.journal import Journal
from sandtable.battle.scenario import Scenario, read_scenario
from sandtable.errors import UserError
from sandtable.kit.drafts import read_draft

Kind: TypeAlias = Literal["battle", "scenario", "table", "army list"]

SCENARIO: Final = "The scenario"
BATTLE: Final = "The file"
"""What refusals call them."""
_LISTS: Final = frozenset(ArmyList.__struct_encode_fields__)
_OF_BATTLES: Final = frozenset(Journal.__struct_encode_fields__) - _LISTS - {"version", "seed"}
_OF_SCENARIOS: Final = frozenset(Scenario.__struct_encode_fields__) - _LISTS - {"table", "options", "seed"}
_OF_LISTS: Final = _LISTS - frozenset(Scenario.__struct_encode_fields__) - {"name"}
_OF_TABLES: Final = frozenset({"id", "points", "text"})
_ENOUGH: Final = 2
"""So many fields that no other file has make it one of a kind..."""
_TELLING: Final = frozenset({"scenario", "question"})
"""...or one of these."""
_FIELD: Final = re.compile(r"^[\"']?([a-z_]+)[\"']?[ \t]*:", re.MULTILINE)
_SIGN: Final = re.compile(r'"((?:[^"\\]++|\\.)*+)("[ \t\r\n]*+:)?|[{}\[\]]', re.DOTALL)
"""A text, also one that never ends: to look for its end again from each quote in it would take for ever."""
_PAGE: Final = re.compile(r"\ufeff?\s*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_STORY: Final = '<script type="application/json" id="story">'
"""What every page that replays a battle has, and hardly another."""
_LOOKED_AT: Final = 200_000
"""Signs of a damaged file that are looked at."""
_WHERE_TO: Final[dict[Kind, str]] = {
    "battle": "drop it on the first page to watch it",
    "scenario": "drop it on the first page to play on from it",
    "table": "drop it on the first page, or open it where tables are drawn",
    "army list": "drop it on the first page, or paste it there",
}


def meant(text: str) -> Kind:
    """What a file is meant to be; whatever is nothing else may be an army list of another program."""
    fields = _fields(text)
    if len(fields & _OF_BATTLES) >= _ENOUGH:
        return "battle"
    if len(fields & _OF_SCENARIOS) >= _ENOUGH or fields & _TELLING or fields >= {"table", "units"}:
        return "scenario"
    return "table" if "table" in fields and fields & _OF_TABLES else "army list"


def refuse_page(text: str) -> None:
    """Refuse a web page; one that we wrote shows a battle, and is not the battle's file."""
    if not _PAGE.match(text):
        return
    if _STORY in text:
        raise UserError(
            "That is a page that replays a battle: any browser opens it by itself. To watch the battle here, drop its "
            "file, which ends in .battle."
        )
    raise UserError("That is a web page; army lists, tables, scenarios and battles are text files.")


def demand(kind: Kind, text: str) -> None:
    """Refuse a file that is meant to be of another kind: with what is wrong with it, or with where it belongs."""
    refuse_page(text)
    other = meant(text)
    # Where nothing tells, it is what it was taken for.
    if other == kind or (other == "army list" and len(_fields(text) & _OF_LISTS) < _ENOUGH):
        return
    if other == "battle":
        journal.read(text.encode(), BATTLE)
    elif other == "scenario":
        read_scenario(text, SCENARIO)
    elif other == "table":
        read_draft(text)
    raise UserError(f"That is {_a(other)}, and not {_a(kind)}: {_WHERE_TO[other]}.")


def _a(kind: Kind) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _fields(text: str) -> frozenset[str]:
    """The outermost fields of a document, as far as it can be read."""
    if text.lstrip()[:1] != "{":
        return frozenset(_FIELD.findall(text))
    try:
        found = msgspec.json.decode(text)
        return frozenset(found) if isinstance(found, dict) else frozenset()
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return _fields_of_damaged(text)


def _fields_of_damaged(text: str) -> frozenset[str]:
    fields, depth = set(), 0
    for sign in islice(_SIGN.finditer(text), _LOOKED_AT):
        if sign[0] in "{[":
            depth += 1
        elif sign[0] in "}]":
            depth -= 1
        elif depth == 1 and sign[2]:
            fields.add(sign[1])
    return frozenset(fields)
