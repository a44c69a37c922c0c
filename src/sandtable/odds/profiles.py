"""Units made up on the spot: "profile: 10 x T4 Sv3+ W2 4++ A2 BS3+ S4 AP-1 D1 [lethal hits]".

Model and weapon characteristics stand in any order. What is not named is as on the first sheet of the system's panel.
4++ is an invulnerable save, 5+++ Feel No Pain; words in capitals are keywords, abilities of the weapon stand in square
brackets, points as "120 points". A weapon has a Range of 24 unless it is named, or a weapon skill is.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from sandtable.armies.characteristics import Line, Value, printed
from sandtable.armies.checks import check_faction
from sandtable.armies.format import Faction, FactionFile, Header, ModelKind, Profile, Sheet, Size, Weapon
from sandtable.armies.lists import ArmyList, ListUnit
from sandtable.armies.packs import Pack
from sandtable.battle.matchups import Force
from sandtable.errors import UserError
from sandtable.odds.setting import Setting

PACK: Final = "profile"
RANGE: Final = 24
NO_LIMIT: Final = 5000
MOST: Final = 60
EXAMPLE: Final = "profile: 10 x T4 Sv3+ W2 4++ A2 BS3+ S4 AP-1 D1 [lethal hits]"
_COUNT: Final = re.compile(r"(\d+)\s*x\b\s*", re.IGNORECASE)
_POINTS: Final = re.compile(r"\b(\d+)\s*(?:points|pts)\b", re.IGNORECASE)
_ABILITIES: Final = re.compile(r"\[([^\]]*)\]")
_INVULNERABLE: Final = re.compile(r"(\d)\+\+")
_PAIN: Final = re.compile(r"(\d)\+\+\+")
_DICE: Final = re.compile(r"\d*D[36](\+\d+)?", re.IGNORECASE)


class Read(msgspec.Struct):
    """What a text says."""

    count: int = 1
    points: int = 0
    values: dict[str, Value] = msgspec.field(default_factory=dict)
    keywords: list[str] = msgspec.field(default_factory=list)
    abilities: tuple[str, ...] = ()
    invulnerable: int | None = None
    pain: int | None = None


def made_up(text: str, setting: Setting) -> Force:
    """The unit that a profile tells of."""
    said = _read(text, setting)
    template = setting.open_panel().sheets()[0]
    kind = template.models[0]
    if not 1 <= said.count <= MOST:
        raise UserError(f"A unit has 1 to {MOST} models, not {said.count}.")
    table = printed(setting.system)
    model = {name for line in table.models for name in line}
    stats = kind.stats | {n: v for n, v in said.values.items() if n in model}
    weapons = _weapons(said, table.weapons, model)
    name = _named(said)
    sheet = msgspec.structs.replace(
        template,
        id=PACK,
        name=name,
        keywords=tuple(said.keywords) or template.keywords,
        faction_keywords=(),
        core=() if said.pain is None else (f"feel no pain {said.pain}+",),
        weapons=weapons,
        models=(
            ModelKind(
                name, stats, kind.base, kind.height, said.count, said.count, tuple(w.name for w in weapons),
                said.invulnerable,
            ),
        ),
        points=(Size(said.count, said.points),),
    )  # fmt: skip
    return _force(sheet, said, setting)


def _force(sheet: Sheet, said: Read, setting: Setting) -> Force:
    panel = setting.open_panel()
    faction: Faction = panel.factions[0]
    sheet = msgspec.structs.replace(sheet, faction_keywords=(faction.keyword,))
    file = FactionFile(faction, (sheet,))
    problems = check_faction(file, setting.system)
    if problems or not 2 <= (said.invulnerable or 6) <= 6:
        told = (
            problems[0].rpartition(": ")[2] if problems else f"an invulnerable save is 2 to 6, not {said.invulnerable}"
        )
        raise UserError(f"That profile cannot be: {told.rstrip('.')}.")
    header: Header = msgspec.structs.replace(panel.header, id=PACK)
    army = ArmyList(
        sheet.name, setting.system, PACK, faction.id, faction.detachments[0].id, NO_LIMIT, (ListUnit(sheet.id),)
    )
    told = f"{said.count} x {sheet.name}" if said.count > 1 else sheet.name
    return Force(told, army, Pack(header, (file,)), told)


def _read(text: str, setting: Setting) -> Read:
    said, rest = Read(), text
    table = printed(setting.system)
    names = sorted({n for line in (*table.models, *table.weapons) for n in line}, key=lambda n: (-len(n), n))
    for pattern, field in ((_POINTS, "points"), (_COUNT, "count"), (_PAIN, "pain"), (_INVULNERABLE, "invulnerable")):
        if found := pattern.search(rest):
            setattr(said, field, int(found[1]))
            rest = rest[: found.start()] + " " + rest[found.end() :]
    if found := _ABILITIES.search(rest):
        said.abilities = tuple(a.strip().lower() for a in found[1].split(",") if a.strip())
        rest = rest[: found.start()] + " " + rest[found.end() :]
    for word in rest.replace(",", " ").split():
        name = next(
            (n for n in names if word.lower().startswith(n.lower()) and _value(word[len(n) :]) is not None), None
        )
        if name is not None:
            value = _value(word[len(name) :])
            assert value is not None
            said.values[name] = value
        elif word.isupper() and word.isalpha():
            said.keywords.append(word)
        else:
            raise UserError(f"'{word}' is nothing that a profile has; a profile looks like '{EXAMPLE}'.")
    if not said.values:
        raise UserError(f"A profile has characteristics, such as '{EXAMPLE}'.")
    return said


def _value(text: str) -> Value | None:
    plain = text.lstrip("=:").rstrip('+"')
    if re.fullmatch(r"-?\d{1,6}", plain):
        return int(plain)
    bare = text.lstrip("=:")
    return bare.upper() if _DICE.fullmatch(bare) else None


def _weapons(said: Read, lines: tuple[Line, ...], model: set[str]) -> tuple[Weapon, ...]:
    given = {n: v for n, v in said.values.items() if n not in model}
    if not given:
        return ()
    line = next((one for one in lines if "Range" not in one), lines[0])
    if "Range" in given or not set(given) <= set(line):
        line = next(one for one in lines if "Range" in one)
        given.setdefault("Range", RANGE)
    missing = [name for name in line if name not in given]
    if missing:
        raise UserError(f"The weapon of that profile has no {missing[0]}; wanted are {', '.join(line)}.")
    return (Weapon("weapon", (Profile({n: given[n] for n in line}, said.abilities),)),)


def _named(said: Read) -> str:
    words = [f"{name}{value}" for name, value in said.values.items()]
    words += [f"{said.invulnerable}++"] if said.invulnerable else []
    words += [f"{said.pain}+++"] if said.pain else []
    return " ".join(words)[:80]
