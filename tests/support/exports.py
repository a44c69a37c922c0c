"""One small army as each program exports it: names and numbers alone, written by hand."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any, NamedTuple

FENCE = "+" * 47


class Unit(NamedTuple):
    """A unit as a list tells it."""

    name: str
    models: int
    points: int
    gear: tuple[str, ...]
    """Of each model."""
    warlord: bool = False
    kind: str = ""
    """What its models are called, if not like the unit."""


class Exported(NamedTuple):
    """An army as a list tells it."""

    name: str
    faction: str
    detachment: str
    units: tuple[Unit, ...]
    limit: int = 1000

    @property
    def points(self) -> int:
        return sum(unit.points for unit in self.units)


LEGION = Exported(
    "Legion of Dust",
    "Necrons",
    "Awakened Dynasty",
    (
        Unit("Overlord", 1, 90, ("Tachyon arrow", "Overlord's blade"), warlord=True),
        Unit("Plasmancer", 1, 60, ("Plasmic lance",)),
        Unit("Necron Warriors", 10, 85, ("Gauss reaper", "Close combat weapon"), kind="Necron Warrior"),
        Unit("Immortals", 5, 70, ("Gauss blaster", "Close combat weapon"), kind="Immortal"),
    ),
)
"""With the points of 11th edition."""


def priced(army: Exported, *points: int) -> Exported:
    """The same army at other points."""
    return army._replace(units=tuple(u._replace(points=p) for u, p in zip(army.units, points, strict=True)))


OF_TENTH = priced(LEGION, 85, 55, 90, 70)
"""The same units with the points of 10th edition."""
HOST = LEGION._replace(
    name="Host of the Silent King",
    limit=2000,
    units=(
        Unit("Overlord", 1, 90, ("Tachyon arrow", "Overlord's blade"), warlord=True),
        Unit("Chronomancer", 1, 65, ("Chronomancer's stave",)),
        Unit("Plasmancer", 1, 60, ("Plasmic lance",)),
        Unit("Nekron Warriors", 20, 200, ("Gauss flayer", "Close combat weapon"), kind="Necron Warrior"),
        Unit("Necron Warriors", 10, 85, ("Gauss reaper", "Close combat weapon"), kind="Necron Warrior"),
        Unit("Immortals", 10, 150, ("Gauss blaster", "Close combat weapon"), kind="Immortal"),
        Unit("Lychguard", 5, 85, ("Warscythe",), kind="Lychguard"),
        Unit("Canoptek Wraiths", 3, 110, ("Vicious claws",), kind="Canoptek Wraith"),
        Unit("Canoptek Doomstalker", 1, 140, ("Doomsday blaster", "Twin gauss flayer", "Doomstalker limbs")),
        Unit("Doomsday Ark", 1, 190, ("Doomsday cannon", "Gauss flayer array", "Armoured bulk")),
        Unit("Skorpekh Destroyers", 3, 90, ("Skorpekh hyperphase weapons",), kind="Skorpekh Destroyer"),
        Unit("Tomb Blades", 6, 150, ("Twin gauss blaster", "Close combat weapon"), kind="Tomb Blade"),
        Unit("Flayed Ones", 10, 120, ("Flayer claws",), kind="Flayed One"),
    ),
)
"""A larger one, in which a name is written wrongly."""


def wtc_compact(army: Exported) -> str:
    """New Recruit, for tournaments: a unit in a line."""
    return "\n".join([*_fenced(army), *(_line(unit, number) for number, unit in enumerate(army.units, 1))]) + "\n"


def _fenced(army: Exported) -> list[str]:
    chief = next((n for n, unit in enumerate(army.units, 1) if unit.warlord), 1)
    return [
        FENCE,
        f"+ LIST NAME: {army.name}",
        f"+ FACTION KEYWORD: {army.faction}",
        f"+ DETACHMENT: {army.detachment}",
        f"+ TOTAL ARMY POINTS: {army.points}pts",
        f"+ POINTS LIMIT: {army.limit}pts",
        "+",
        f"+ WARLORD: Char{chief}: {army.units[chief - 1].name}",
        f"+ NUMBER OF UNITS: {len(army.units)}",
        FENCE,
        "",
    ]


def _line(unit: Unit, number: int) -> str:
    head = f"Char{number}: " if unit.models == 1 else ""
    many = f"{unit.models}x " if unit.models > 1 else ""
    gear = [f"{many}{item}" for item in unit.gear] + ["Warlord"] * unit.warlord
    return f"{head}{unit.models}x {unit.name} ({unit.points} pts): {', '.join(gear)}"


def simple(army: Exported) -> str:
    """New Recruit, the plain text."""
    lines = [f"{army.faction} - {army.name} - [{army.limit} pts]", "", f"# ++ Army Roster ++ [{army.points} pts]"]
    lines += ["## Configuration", f"Detachment: {army.detachment}", "", f"## Units [{army.points} pts]"]
    for unit in army.units:
        gear = ", ".join((*unit.gear, *["Warlord"] * unit.warlord))
        if unit.models == 1:
            lines.append(f"{unit.name} [{unit.points} pts]: {gear}")
        else:
            lines += [f"{unit.name} [{unit.points} pts]:", f"• {unit.models}x {unit.kind}: {gear}"]
    return "\n".join(lines) + "\n"


def official(army: Exported) -> str:
    """The official app."""
    lines = [f"{army.name} ({army.points} Points)", "", army.faction, army.detachment, "Incursion (1,000 Points)", ""]
    for heading, alone in (("CHARACTERS", True), ("BATTLELINE", False)):
        lines += [heading, ""]
        for unit in army.units:
            if (unit.models == 1) == alone:
                lines += [f"{unit.name} ({unit.points} Points)", *_bullets(unit), ""]
    return "\n".join([*lines, "Exported with App Version: v2.0.5"]) + "\n"


def _bullets(unit: Unit) -> list[str]:
    if unit.models == 1:
        return ["  • Warlord"] * unit.warlord + [f"  • 1x {item}" for item in unit.gear]
    return [f"  • {unit.models}x {unit.kind}", *(f"     ◦ {unit.models}x {item}" for item in unit.gear)]


def listforge_text(army: Exported) -> str:
    """ListForge, as text."""
    lines = [f"{army.name} - {army.faction} - {army.detachment} ({army.points} Points)", "", ""]
    for heading, alone in (("Character:", True), ("Battleline:", False)):
        lines.append(heading)
        for unit in army.units:
            if (unit.models == 1) != alone:
                continue
            lines.append(f"{unit.name} ({unit.points} pts)")
            inner = "  " if alone else "    "
            lines += [] if alone else [f"  • {unit.models}x {unit.kind}"]
            lines += [f"{inner}• {unit.models}x {item}" if not alone else f"{inner}• {item}" for item in unit.gear]
            lines += ["  • Warlord"] * unit.warlord + [""]
    return "\n".join(lines) + "\n"


def roster(army: Exported, by: str = "https://newrecruit.eu", game: str = "Warhammer 40,000") -> dict[str, Any]:
    """A roster as New Recruit and ListForge write it in JSON."""
    chosen = {"name": army.detachment, "type": "upgrade", "number": 1}
    config = [{"name": "Configuration", "primary": True}]
    detachment = {"name": "Detachment", "type": "upgrade", "number": 1, "categories": config, "selections": [chosen]}
    force = {
        "name": "Army Roster",
        "catalogueName": f"Xenos - {army.faction}",
        "selections": [detachment, *(_selection(army, unit) for unit in army.units)],
    }
    inside = {
        "name": army.name,
        "costs": [{"name": "pts", "value": army.points}],
        "costLimits": [{"name": "pts", "value": army.limit}],
        "forces": [force],
    }
    return {"name": army.name, "generatedBy": by, "gameSystemName": game, "roster": inside}


def _selection(army: Exported, unit: Unit) -> dict[str, Any]:
    weapon = [{"name": "Ranged Weapon", "primary": False}]
    gear: list[dict[str, Any]] = [
        {"name": item, "type": "upgrade", "number": unit.models, "group": "Wargear", "categories": weapon}
        for item in unit.gear
    ]
    gear += [{"name": "Warlord", "type": "upgrade", "number": 1}] * unit.warlord
    role = {"name": "Character" if unit.models == 1 else "Battleline", "primary": True}
    told = {
        "name": unit.name,
        "categories": [{"name": f"Faction: {army.faction}", "primary": False}, role],
        "costs": [{"name": "pts", "value": unit.points}],
    }
    if unit.models == 1:
        return {**told, "type": "model", "number": 1, "selections": gear}
    models = {"name": unit.kind, "type": "model", "number": unit.models, "selections": gear}
    return {**told, "type": "unit", "number": 1, "selections": [models]}


def newrecruit_json(army: Exported, game: str = "Warhammer 40,000") -> str:
    return json.dumps(roster(army, game=game), indent=1)


def listforge_link(army: Exported) -> str:
    """ListForge, as a link to share: the roster in JSON, packed."""
    packed = gzip.compress(json.dumps(roster(army, "List Forge")).encode(), mtime=0)
    return f"https://listforge.example/listforge/{base64.b64encode(packed).decode().rstrip('=')}"


def rosterizer(army: Exported) -> str:
    def asset(kind: str, name: str, quantity: int = 1, points: int = 0, *inside: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {"item": f"{kind}§{name}", "name": name, "quantity": quantity}
        made |= {"stats": {"Points": {"value": points}}} if points else {}
        return made | ({"assets": {"included": list(inside)}} if inside else {})

    units = []
    for unit in army.units:
        gear = [asset("Weapon", item, unit.models) for item in unit.gear]
        gear += [asset("Trait", "Warlord")] * unit.warlord
        inside = gear if unit.models == 1 else [asset("Model", unit.kind, unit.models, 0, *gear)]
        units.append(asset("Unit", unit.name, 1, unit.points, *inside))
    head = [asset("Faction", army.faction), asset("Detachment", army.detachment)]
    whole = asset("Roster", "Roster", 1, army.points, *head, *units) | {"name": army.name}
    return json.dumps({"rulebook": {"name": "40kdc", "game": "Warhammer 40,000"}, "snapshot": whole})


FORMS = {
    "the official app": official,
    "New Recruit, a unit in a line": wtc_compact,
    "New Recruit, plain": simple,
    "New Recruit, JSON": newrecruit_json,
    "ListForge, text": listforge_text,
    "ListForge, a link": listforge_link,
    "Rosterizer": rosterizer,
}
