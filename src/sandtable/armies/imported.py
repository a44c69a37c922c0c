"""Texts of other programs as rosters, by the importers of the 40kdc dataset: bounded before anybody reads them."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from functools import cache
from typing import Any, Final

from sandtable.armies.kdc.names import cut
from sandtable.errors import UserError, plain, short

MOST: Final = 1 << 20
"""Bytes of a list, and of one that was packed."""
MOST_LINES, LONGEST_LINE = 4_000, 4_000
MOST_DEPTH: Final = 60
SHOWN: Final = 60
PACKED: Final = "H4sIA"
_MARKER: Final = "/listforge/"

Json = dict[str, Any]


def _bounded(text: str, where: str) -> str:
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


@cache
def _dataset() -> Any:
    """The dataset as its own importers look things up in it; making it takes half a second."""
    from wh40kdc.data.dataset import Dataset

    return Dataset.embedded()


def read_roster(text: str, where: str) -> Json:
    """A list as the importers understand it; refuses what is none, or too large to be one."""
    text = _bounded(text, where)
    from wh40kdc.imports import try_import_roster

    if text[0] in "{[" and _is_deep(text):
        raise UserError(f"{where}: the list is nested too deeply.")
    try:
        found = try_import_roster(text, _dataset())
    except Exception as error:
        raise UserError(f"{where}: the list cannot be read ({type(error).__name__}).") from None
    if not found.get("ok"):
        known = "the official app, New Recruit, ListForge or Rosterizer"
        raise UserError(
            f"{where}: this is no army list that we can read: an export of {known}, or a YAML file of ours is wanted. "
            f"({short(str(found.get('message') or ''), SHOWN)})"
        )
    return as_dict(found.get("roster"))


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
