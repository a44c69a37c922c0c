"""Figures from BSData catalogues, to compare ours with. The files are test input and lie outside the project."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from sandtable.armies.characteristics import Value

FOLDER = Path(__file__).parents[3] / "shared" / "bsdata" / "w40k10"
FILES = {
    "space-marines": ("Imperium - Space Marines.cat",),
    "orks": ("Orks.cat",),
    "necrons": ("Necrons.cat",),
    "tyranids": ("Library - Tyranids.cat", "Tyranids.cat"),
}
GAME = "Warhammer 40,000.gst"
POINTS = "51b2-306e-1021-d207"
NAMES = {"SV": "Sv", "LD": "Ld"}
CORE = ("Deep Strike", "Infiltrators", "Stealth", "Lone Operative", "Fights First", "Leader", "Hover")
CORE_WITH_VALUE = ("Scouts", "Deadly Demise", "Feel No Pain", "Firing Deck")
NOT_WALKED = ("Crusade", "Battle Traits", "Enhancements", "Champions", "Tank Ace", "Detachment Rules")


class Figures(NamedTuple):
    """What a catalogue says about one unit."""

    models: dict[str, list[dict[str, Value]]]
    weapons: dict[str, list[tuple[dict[str, Value], tuple[str, ...]]]]
    points: set[int]
    keywords: set[str]
    core: set[str]
    invulnerable: set[int]
    abilities: dict[str, str]
    """Texts by name."""


class Catalogue:
    """The catalogues of a faction with the game system that they refer to."""

    def __init__(self, faction: str) -> None:
        self.roots = [_read(FOLDER / name) for name in (*FILES[faction], GAME)]
        self.by_id: dict[str, ElementTree.Element] = {}
        for root in self.roots:
            for element in root.iter():
                if "id" in element.attrib:
                    self.by_id.setdefault(element.attrib["id"], element)

    def unit(self, name: str) -> Figures | None:
        """The figures of a unit, None if there is no such unit."""
        wanted = plain(name)
        for root in self.roots:
            for entry in root.iter("selectionEntry"):
                links = entry.findall("categoryLinks/categoryLink")
                if plain(entry.get("name", "")) == wanted and entry.get("type") in ("unit", "model") and links:
                    return self._figures(entry, {(link.get("name") or "").upper() for link in links})
        return None

    def _figures(self, entry: ElementTree.Element, keywords: set[str]) -> Figures:
        figures = Figures(defaultdict(list), defaultdict(list), set(), keywords, set(), set(), {})
        figures.points.update(_points(entry))
        self._walk(entry, figures, set(), 0)
        return figures

    def _walk(self, element: ElementTree.Element, figures: Figures, seen: set[str], depth: int) -> None:
        for child in element:
            if child.tag in ("entryLink", "infoLink"):
                name = child.get("name", "")
                value = next((m.get("value", "") for m in child.iter("modifier") if m.get("field") == "name"), "")
                # Further down it belongs to a piece of wargear.
                if depth < 3 and (name in CORE or (name in CORE_WITH_VALUE and value)):
                    figures.core.add(plain(f"{name} {value}".strip()).replace('"', ""))
                target = self.by_id.get(child.get("targetId", ""))
                if target is None or target.get("id", "") in seen or any(word in name for word in NOT_WALKED):
                    continue
                seen.add(target.get("id", ""))
                if target.tag == "profile":
                    _take(target, figures)
                else:
                    self._walk(target, figures, seen, depth + 1)
            elif child.tag == "profile":
                _take(child, figures)
            elif child.tag in ("selectionEntry", "selectionEntryGroup", "infoGroup"):
                figures.points.update(_points(child) if child.get("type") == "model" else ())
                self._walk(child, figures, seen, depth + 1)
            elif child.tag in ("selectionEntries", "selectionEntryGroups", "entryLinks", "infoLinks", "profiles",
                               "infoGroups"):  # fmt: skip
                self._walk(child, figures, seen, depth)


def plain(name: str) -> str:
    """A name as both sides write it alike."""
    return re.sub(
        r"\s+", " ", name.replace("➤", "").replace("’", "'").replace("‘", "'").replace("‑", "-").strip().lower()
    )


def _read(path: Path) -> ElementTree.Element:
    root = ElementTree.parse(path).getroot()
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def _points(entry: ElementTree.Element) -> set[int]:
    found = {int(float(c.get("value", "0"))) for c in entry.findall("costs/cost") if c.get("typeId") == POINTS}
    for modifier in entry.iter("modifier"):
        if modifier.get("field") == POINTS and modifier.get("type") == "set":
            found.add(int(float(modifier.get("value", "0"))))
    return found - {0}


def _take(profile: ElementTree.Element, figures: Figures) -> None:
    kind, name = profile.get("typeName", ""), plain(profile.get("name", ""))
    cells = {c.get("name", ""): (c.text or "").strip() for c in profile.iter("characteristic")}
    if kind == "Unit":
        figures.models[name].append({NAMES.get(k, k): _value(v) for k, v in cells.items()})
    elif kind in ("Ranged Weapons", "Melee Weapons"):
        words = plain(cells.pop("Keywords", "-"))
        abilities = tuple(sorted(w.strip() for w in words.split(",") if w.strip() not in ("", "-")))
        stats = {k: _value(v) for k, v in cells.items() if v != "Melee"}
        name = re.sub(r" \((melee|ranged)\)$", "", name)
        figures.weapons[name].append((stats, abilities))
    elif kind == "Abilities" and name.startswith("invulnerable save"):
        found = re.search(r"([2-6])\+", " ".join(cells.values()))
        if found:
            figures.invulnerable.add(int(found[1]))
    elif kind == "Abilities":
        figures.abilities[re.sub(r" *[\[(](aura|psychic|, )+[\])]", "", name)] = " ".join(cells.values())


def _value(text: str) -> Value:
    text = text.replace('"', "").strip()
    if text == "N/A":
        return "-"
    if text in ("20+",):
        return text
    number = text.removesuffix("+")
    return int(number) if re.fullmatch(r"-?\d+", number) else text
