"""How players speak of units: how many of them, what they have lost already, in which order the words come."""

from __future__ import annotations

import re
from typing import Final

from sandtable.forty.odds.matchups import Losses

MOST: Final = 30
"""So many units are named at once."""
_NUMBERS: Final = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_ARTICLE: Final = re.compile(r"(?:all|an?|the|my|your|our|their|his|her|some)\s+", re.IGNORECASE)
_GROUP: Final = r"(?:squads?|units?|mobs?|broods?|packs?|teams?|groups?)"
_OF: Final = re.compile(rf"{_GROUP}\s+of\s+", re.IGNORECASE)
_MEN: Final = re.compile(r"(\d{1,3})[\s-]*(?:man|men|strong|models?(?: of)?)\s+", re.IGNORECASE)
_BEHIND: Final = re.compile(r"(\D.*?)\s*(?:\bx\s*(\d{1,3})|\((\d{1,3})(?:\s*models?)?\))", re.IGNORECASE)
_SEVERAL: Final = re.compile(rf"(\d{{1,4}})\s*(?:[x×*]|times|{_GROUP}\s+of)\s*(\d+\s*x?\s*[^\d\sx].*)", re.IGNORECASE)
_GROUPS: Final = re.compile(rf"(\d{{1,4}})\s*{_GROUP}\s+of\s+(\D.*)", re.IGNORECASE)
_COUNT: Final = re.compile(r"(\d+)\s*(?:x\s+|x?\s+|x(?=[a-z]{2}))(.+)", re.IGNORECASE)
_LEFT: Final = r"left|remaining|still alive|alive"
_LOST: Final = r"lost|gone|dead|down|killed|destroyed|already lost|already gone|missing"
_LOSSES: Final = re.compile(
    rf"(?P<unit>.+?)(?:\s*[,;]|\s+with|\s+at|\s+down to|\s+already|\s+having)*\s*\(?\s*(?P<number>\d{{1,4}})\s*"
    rf"(?P<what>wounds?|hp|w|models?)?\s+(?:(?P<left>{_LEFT})|(?P<lost>{_LOST}))\s*\)?",
    re.IGNORECASE,
)
_HAS_LOST: Final = re.compile(
    r"(?P<unit>.+?)\s*,?\s+(?:(?:that|which|who)\s+)?(?:(?:has|have)\s+)?(?:already\s+)?(?:lost|missing)\s+"
    r"(?P<number>\d{1,4})\s*(?P<what>wounds?|hp|models?)",
    re.IGNORECASE,
)
_HALF: Final = re.compile(
    r"(?P<unit>.+?)\s*,?\s+(?:(?:at|on|with|down to)\s+)?half\s+(?:dead|gone|lost|(?:its )?wounds|health|hp|left)",
    re.IGNORECASE,
)
_ON: Final = re.compile(r"(?P<unit>.+?)\s*,?\s+(?:on|down to)\s+(?P<number>\d{1,4})\s*(?:wounds?|hp|w)", re.IGNORECASE)


def plain(text: str) -> str:
    """Words without articles and the like: "a squad of ten hellblasters" are "10 hellblasters"."""
    out = " ".join(text.split())
    for pattern in (_ARTICLE, _ARTICLE, _OF):
        if found := pattern.match(out):
            out = out[found.end() :]
    first, _, rest = out.partition(" ")
    if first.lower() in _NUMBERS and rest:
        out = f"{_NUMBERS.index(first.lower()) + 1} {rest}"
    if found := _MEN.match(out):
        out = f"{found[1]} {out[found.end() :]}"
    if (behind := _BEHIND.fullmatch(out)) and not out.lower().startswith(("profile", "panel")):
        out = f"{behind[2] or behind[3]} {behind[1]}"
    return out


def counted(text: str) -> tuple[int | None, str]:
    """How many models are named, and the name."""
    found = _COUNT.fullmatch(text.strip())
    return (int(found[1]), found[2].strip()) if found else (None, text.strip())


def several(text: str) -> tuple[int, str]:
    """How many units are named, and one of them: "2 x 5 hellblasters" are two units of five."""
    out = plain(text)
    found = _SEVERAL.fullmatch(out) or _GROUPS.fullmatch(out)
    return (int(found[1]), plain(found[2])) if found else (1, out)


def losses(text: str) -> tuple[str, Losses | None]:
    """A unit, and what it has lost already: "land raider with 6 wounds left", "10 boyz, 3 lost"."""
    if found := _ON.fullmatch(text):
        return found["unit"].strip(), Losses(int(found["number"]), "wounds", left=True)
    if found := _HALF.fullmatch(text):
        return found["unit"].strip(), Losses(0, "half")
    found = _LOSSES.fullmatch(text) or _HAS_LOST.fullmatch(text)
    if found is None:
        return text, None
    what = (found["what"] or "").lower()
    kind = "models" if what.startswith("m") else "wounds" if what else ""
    left = "left" in found.re.groupindex and found["left"] is not None
    return found["unit"].strip(), Losses(int(found["number"]), kind, left=left)
