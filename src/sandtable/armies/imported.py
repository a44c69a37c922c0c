"""Texts of other programs as rosters, by the importers of the 40kdc dataset: bounded before anybody reads them."""

from __future__ import annotations

import base64
import binascii
import codecs
import json
import re
import zlib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

from sandtable.armies.faction_names import faction_id
from sandtable.armies.kdc.names import cut
from sandtable.errors import UserError, plain

MOST: Final = 1 << 20
"""Bytes of a list, and of one that was packed."""
MOST_LINES, LONGEST_LINE = 4_000, 4_000
MOST_DEPTH: Final = 60
MOST_DETACHMENTS, MOST_UNITS, MOST_GEAR = 50, 300, 1_000
PROGRAMS: Final = "the official app, New Recruit, ListForge or Rosterizer"
SHOWN: Final = 60
PACKED: Final = "H4sIA"
_MARKER: Final = "/listforge/"
_GAME: Final = re.compile(r'"gameSystemName"\s*:\s*"([^"\\]{1,200})"')

Json = dict[str, Any]


def decoded(raw: bytes, where: str) -> str:
    """The text of a file: UTF-8, or what Windows calls Unicode; refuses what is neither."""
    if len(raw) > MOST:
        raise UserError(f"{where}: an army list has at most {MOST >> 20} MB.")
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{where} is not UTF-8 text: see its byte {error.start + 1}.") from None


def bounded(text: str, where: str) -> str:
    """The text, unpacked where it is packed; refuses what is too large to be an army list."""
    text = text.replace("\0", "").strip().lstrip("\ufeff")
    if not text:
        raise UserError(f"{where}: the list is empty.")
    if len(text) > MOST:
        raise UserError(f"{where}: an army list has at most {MOST >> 20} MB.")
    segment = (
        text.split(_MARKER, 1)[-1] if _MARKER in text else text.rsplit("/", 1)[-1] if text.startswith("http") else text
    )
    if segment.startswith(PACKED) and not any(sign.isspace() for sign in segment):
        return _unpacked(segment, where)
    if text[0] not in "{[" and (text.count("\n") > MOST_LINES or any(len(x) > LONGEST_LINE for x in text.splitlines())):
        raise UserError(f"{where}: an army list has at most {MOST_LINES} lines of at most {LONGEST_LINE} characters.")
    return text


def _unpacked(segment: str, where: str) -> str:
    """A packed list; no more of it is unpacked than a list can have."""
    try:
        packed = base64.b64decode(segment + "=" * (-len(segment) % 4))
        worker = zlib.decompressobj(wbits=31)
        raw = worker.decompress(packed, MOST + 1)
    except (ValueError, binascii.Error, zlib.error):
        raise UserError(f"{where}: the packed list is damaged.") from None
    if len(raw) > MOST:
        raise UserError(f"{where}: an army list has at most {MOST >> 20} MB.")
    return raw.decode("utf-8", "replace")


def _is_deep(text: str) -> bool:
    """Whether brackets stand deeper in each other than in any list; those in texts count, too, which does no harm."""
    depth = 0
    for sign in re.findall(r"[\[\]{}]", text):
        depth += 1 if sign in "[{" else -1
        if depth > MOST_DEPTH:
            return True
    return False


LONGEST_HEAD: Final = 200
"""Characters of a line that tells where a list begins, or what a unit costs."""
_COST: Final = re.compile(r"[\[(]\s?\d[\d,.' ]{0,9}(?:pts?|points?)\b", re.IGNORECASE)
_ALL: Final = re.compile(r"\(\s?\d[\d,.' ]{0,9}points?\s?\)\s?$", re.IGNORECASE)
_FENCE: Final = re.compile(r"\+\s?FACTION KEYWORD:", re.IGNORECASE)
_TITLE: Final = re.compile(r" - \[\s?\d[\d,.]{0,9}\s?pts?\b[^\]]*\]\s?$", re.IGNORECASE)
_SIZE: Final = re.compile(r"(?:Combat Patrol|Incursion|Strike Force|Onslaught)\s?\(", re.IGNORECASE)
_FOOT: Final = "exported with app version"
_TALLEST_HEAD: Final = 8


def first_list(text: str) -> tuple[str, int]:
    """The first of the lists in a text, and the line in which a second one begins; 0 where there is one alone."""
    if text[0] in "{[":
        return _first_document(text)
    lines, seen = text.splitlines(), set[str]()
    short_ones = [line if len(line) <= LONGEST_HEAD else "" for line in lines]
    costs = [i for i, line in enumerate(short_ones) if _costs(line)]
    for number, line in enumerate(short_ones):
        kind = _head(line)
        if not kind:
            continue
        begin = _begin(short_ones, number, kind)
        if kind in seen or (costs and costs[0] < begin <= costs[-1]):
            return "\n".join(lines[:begin]), begin + 1
        seen.update({kind} - {_FOOT})
    return text, 0


def _costs(line: str) -> bool:
    """Whether a line says what something costs, outside of a summary."""
    return not line.startswith("+") and _COST.search(line) is not None


def _head(line: str) -> str:
    """The kind of a line of which a list has one near its beginning, or at its end; empty for others."""
    if line.lower().startswith(_FOOT):
        return _FOOT
    if _FENCE.match(line):
        return "fence"
    if _TITLE.search(line):
        return "title"
    if _ALL.search(line):
        return "size" if _SIZE.match(line) else "dashes" if line.count(" - ") > 1 else ""
    return ""


def _begin(lines: list[str], number: int, kind: str) -> int:
    """The line with which a list begins, of which the line that tells its kind is given."""
    if kind == _FOOT:
        return next((i for i in range(number + 1, len(lines)) if lines[i].strip()), len(lines))
    if kind == "size":
        above = range(number - 1, max(-1, number - _TALLEST_HEAD), -1)
        return next((i for i in above if _costs(lines[i])), number)
    while kind == "fence" and number and lines[number - 1].startswith("+"):
        number -= 1
    return number


def _first_document(text: str) -> tuple[str, int]:
    """The same for what programs write for each other."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return text, 0
    rest = text[end:].lstrip()
    if not (rest.startswith(("{", "[")) or any(_costs(line[:LONGEST_HEAD]) for line in rest.splitlines())):
        return text, 0
    return text[:end], text[: len(text) - len(rest)].count("\n") + 1


def game_of(text: str) -> str:
    """What an export calls the game that it is for; empty where it does not say."""
    found = _GAME.search(text)
    return said(found[1]) if found else ""


@cache
def dataset() -> Any:
    """The dataset as its own importers look things up in it; making it takes half a second."""
    from wh40kdc.data.dataset import Dataset

    return Dataset.embedded()


def parent_of(faction: str) -> str:
    """The id of the faction that this one is a chapter of; empty for most."""
    found = dataset().factions.get(faction)
    return str(found.raw.get("parent_faction_id") or "") if found else ""


class Roster(NamedTuple):
    """A list as the importers understand it."""

    told: Json
    second: int
    """The line in which a second list begins, which is left out; 0 where there is none."""


def read_roster(text: str, where: str) -> Roster:
    """A list that another program exported; refuses what is none, or too large to be one."""
    above = text[: len(text) - len(text.lstrip())].count("\n")
    text, second = first_list(bounded(text, where))
    if text[0] in "{[" and _is_deep(text):
        raise UserError(f"{where}: the list is nested too deeply.")
    try:
        form, parsed = _parsed(text)
    except Exception as error:
        raise UserError(f"{where}: the list cannot be read ({type(error).__name__}).") from None
    if not form:
        wanted = f"an export of {PROGRAMS}, or a YAML file as Sandtable writes it is wanted"
        raise UserError(f"{where}: this is no army list that we can read: {wanted}.")
    for what, number, most in _amounts(parsed):
        if number > most:
            raise UserError(f"{where}: the list names {number} {what}; no army has more than {most}.")
    from wh40kdc.imports import resolve

    try:
        # The importers take any part of a name for it: with them, Space Marines are those of Chaos.
        parsed["faction_raw_name"] = faction_id(told := said(parsed.get("faction_raw_name") or ""), dataset().factions)
        found = {"faction": told, **as_dict(resolve(parsed, dataset(), form))}
        return Roster(found, above + second if second else 0)
    except Exception as error:
        raise UserError(f"{where}: the list cannot be read ({type(error).__name__}).") from None


def _parsed(text: str) -> tuple[str, Json]:
    """The form of a list, empty if it has none that is known, and what stands in it by its own names."""
    from wh40kdc.imports import ADAPTERS

    raw = json.loads(text) if text[0] in "{[" else text
    adapter = next((one for one in ADAPTERS if one.matches(raw)), None)
    return (adapter.id, as_dict(adapter.parse(raw))) if adapter else ("", {})


def _amounts(parsed: Json) -> Iterator[tuple[str, int, int]]:
    """How much there is to look up, which takes milliseconds for each name that nobody knows."""
    units = dicts(parsed.get("units"))
    groups = [group for unit in units for group in dicts(unit.get("loadout_groups"))]
    yield "detachments", len(parsed.get("detachment_raw_names") or ()), MOST_DETACHMENTS
    yield "units", len(units), MOST_UNITS
    yield "pieces of wargear", sum(len(dicts(one.get("wargear"))) for one in (*units, *groups)), MOST_GEAR


def as_dict(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def dicts(value: Any) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def called(ref: Any) -> str:
    """What a list calls something."""
    return said(as_dict(ref).get("raw_name") or as_dict(ref).get("id") or "?")


def said(value: Any) -> str:
    """A text of a list without signs that nobody sees; halves of signs are among them, which no file can hold."""
    return cut(plain(str(value)))
