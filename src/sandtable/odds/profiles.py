"""Units made up on the spot: "profile: 10 x T4 Sv3+ W2 4++ A2 BS3+ S4 AP-1 D1 [lethal hits]".

Model and weapon characteristics stand in any order. What is not named is as on the first sheet of the system's panel.
4++ is an invulnerable save, 5+++ Feel No Pain; "-1 damage", "half damage", "-1 to be hit", "-1 to be wounded" and
"stealth" make the unit harder to hurt; words in capitals are keywords, abilities of the weapon stand in square
brackets, points as "120 points". A weapon has a Range of 24 unless it is named, or a weapon skill is. Further weapons
follow after "and", with a number in front if only some models have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from sandtable.armies.characteristics import Line, Value, printed
from sandtable.armies.checks import check_faction
from sandtable.armies.effects import AnyEffect, Damage, Modify
from sandtable.armies.format import Ability, Faction, FactionFile, Header, ModelKind, Profile, Sheet, Size, Weapon
from sandtable.armies.lists import ArmyList, ListUnit
from sandtable.armies.pack import Pack
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force
from sandtable.odds.names import LONG
from sandtable.odds.setting import Setting

PACK: Final = "profile"
RANGE: Final = 24
NO_LIMIT: Final = 5000
MOST: Final = 60
MOST_WEAPONS: Final = 6
TYPE: Final = "Type"
TYPES: Final = ("assault", "heavy", "rapid fire", "pistol", "grenade")
"""What such weapons are; the first, if nothing is said."""
EXAMPLE: Final = "profile: 10 x T4 Sv3+ W2 4++ A2 BS3+ S4 AP-1 D1 [lethal hits]"
_COUNT: Final = re.compile(r"(\d+)\s*x\b\s*", re.IGNORECASE)
_POINTS: Final = re.compile(r"\b(\d+)\s*(?:points|pts|power)\b", re.IGNORECASE)
_ABILITIES: Final = re.compile(r"\[([^\]]*)\]")
_PAIN: Final = re.compile(
    r"(\d)\+(?:\+\+|\s*(?:fnp\b|feel no pain))|(?:\bfnp|feel no pain)\s*(\d)\+(?:\+\+)?", re.IGNORECASE
)
_INVULNERABLE: Final = re.compile(r"(\d)\+(?:\+|\s*inv\w*)|\binv\w*(?: save)?\s*(\d)\+", re.IGNORECASE)
_DICE: Final = re.compile(r"\d*D[36](\+\d+)?", re.IGNORECASE)
_AND: Final = re.compile(r"\s*(?:;|\s/\s|&|\band\b|\bplus\b)\s*(?![^\[]*\])", re.IGNORECASE)
_COUNTED: Final = re.compile(r"(\d*D[36](?:\+\d+)?|\d+)\s*(?:attacks|shots)\b", re.IGNORECASE)
_AP: Final = re.compile(r"\bAP\s+-\s*(?=\d)", re.IGNORECASE)
_SPELT: Final = re.compile(
    rf"(?<!(?<!P)-1 )(?<!half )\b({'|'.join(LONG)}|[tswadm]|ld|oc|sv)\s+(?=[-=:]?\d|D[36])", re.IGNORECASE
)
_TAKES: Final[tuple[tuple[re.Pattern[str], str, AnyEffect], ...]] = (
    (re.compile(r"(?<!\w)-\s*1\s*(?:to\s+)?(?:damage|dmg|D)\b", re.IGNORECASE), "-1 damage", Damage(add=-1)),
    (re.compile(r"\b(?:half|halves|halved)\s*(?:damage|dmg)\b", re.IGNORECASE), "half damage", Damage(divide=2)),
    (re.compile(r"(?<!\w)-\s*1\s*(?:to\s+)?(?:be\s+)?hit\b", re.IGNORECASE), "-1 to be hit",
     Modify("hit", -1, "suffered")),
    (re.compile(r"(?<!\w)-\s*1\s*(?:to\s+)?(?:be\s+)?wound(?:ed)?\b", re.IGNORECASE), "-1 to be wounded",
     Modify("wound", -1, "suffered")),
)  # fmt: skip
"""What makes a unit harder to hurt, and what it is called."""
_STEALTH: Final = re.compile(r"\bstealth\b", re.IGNORECASE)


class Armed(msgspec.Struct):
    """A weapon, and how many models have it."""

    count: int | None = None
    values: dict[str, Value] = msgspec.field(default_factory=dict)
    abilities: tuple[str, ...] = ()


class Read(msgspec.Struct):
    """What a text says."""

    count: int = 1
    points: int = 0
    values: dict[str, Value] = msgspec.field(default_factory=dict)
    arms: list[Armed] = msgspec.field(default_factory=list)
    keywords: list[str] = msgspec.field(default_factory=list)
    takes: dict[str, AnyEffect] = msgspec.field(default_factory=dict)
    invulnerable: int | None = None
    pain: int | None = None
    stealth: bool = False


def made_up(text: str, setting: Setting) -> Force:
    """The unit that a profile tells of."""
    said = _read(text, setting)
    template = setting.open_panel().sheets()[0]
    kind = template.models[0]
    if not 1 <= said.count <= MOST:
        raise UserError(f"A unit has 1 to {MOST} models, not {said.count}.")
    lines = printed(setting.system).weapons
    several = len(said.arms) > 1
    weapons = [_weapon(arm, lines, f"weapon {n}" if several else "weapon") for n, arm in enumerate(said.arms, 1)]
    name = _named(said)
    core = [setting.matchups.pain(said.pain)] if said.pain is not None else []
    kinds = tuple(
        ModelKind(
            name if not place else f"{name} {place + 1}"[-80:], kind.stats | said.values, kind.base, kind.height,
            number, number, carried, said.invulnerable,
        )
        for place, (number, carried) in enumerate(_carriers(said, weapons))
    )  # fmt: skip
    sheet = msgspec.structs.replace(
        template,
        id=PACK,
        name=name,
        keywords=tuple(said.keywords) or template.keywords,
        faction_keywords=(),
        core=(*core, *(("stealth",) if said.stealth else ())),
        abilities=tuple(Ability(told, told, (effect,)) for told, effect in said.takes.items()),
        weapons=tuple(weapons),
        models=kinds,
        points=(_size(said, setting),),
    )
    return _force(sheet, said, setting)


def _size(said: Read, setting: Setting) -> Size:
    return Size(said.count, power=said.points) if printed(setting.system).power else Size(said.count, said.points)


def _carriers(said: Read, weapons: Sequence[Weapon]) -> Iterable[tuple[int, tuple[str, ...]]]:
    """How many models carry what: a weapon that only some have is carried by the first of them."""
    counts = [said.count if arm.count is None else arm.count for arm in said.arms]
    steps = sorted({0, *counts, said.count})
    for low, high in pairwise(steps):
        yield high - low, tuple(w.name for w, count in zip(weapons, counts, strict=True) if count > low)


def _force(sheet: Sheet, said: Read, setting: Setting) -> Force:
    panel = setting.open_panel()
    faction: Faction = panel.factions[0]
    sheet = msgspec.structs.replace(sheet, faction_keywords=(faction.keyword,))
    file = FactionFile(faction, (sheet,))
    # Nobody has to say what it costs.
    free = printed(setting.system).power and not said.points
    priced = msgspec.structs.replace(sheet, points=(Size(said.count, power=1),)) if free else sheet
    problems = check_faction(msgspec.structs.replace(file, sheets=(priced,)), setting.system)
    if problems or not 2 <= (said.invulnerable or 6) <= 6:
        told = (
            problems[0].rpartition(": ")[2] if problems else f"an invulnerable save is 2 to 6, not {said.invulnerable}"
        )
        raise UserError(f"That profile cannot be: {told.rstrip('.')}.")
    header: Header = msgspec.structs.replace(panel.header, id=PACK)
    army = ArmyList(
        sheet.name, setting.system, PACK, faction.id, NO_LIMIT, (ListUnit(sheet.id),), faction.first_detachment
    )
    told = f"{said.count} x {sheet.name}" if said.count > 1 else sheet.name
    return Force(told, army, Pack(header, (file,)), told)


# --- Reading ----------------------------------------------------------------------------------------------------------


def _read(text: str, setting: Setting) -> Read:
    said = Read()
    first, *others = _AND.split(text)
    for place, part in enumerate((first, *others)):
        _part(part, said, setting, first=not place)
    if not said.values and not said.arms:
        raise UserError(f"A profile has characteristics, such as '{EXAMPLE}'.")
    if len(said.arms) > MOST_WEAPONS:
        raise UserError(f"A profile has up to {MOST_WEAPONS} weapons, not {len(said.arms)}.")
    said.count = max(said.count, *(arm.count or 1 for arm in said.arms), 1)
    return said


def _part(text: str, said: Read, setting: Setting, *, first: bool) -> None:
    """What stands between two "and": the models, a weapon, or both."""
    table = printed(setting.system)
    weapon = {name for line in table.weapons for name in line}
    own: dict[str, Value] = {}
    names = sorted({n for line in (*table.models, *table.weapons) for n in line}, key=lambda n: (-len(n), n))
    rest, arm = text, Armed()
    if found := _POINTS.search(rest):
        said.points, rest = int(found[1]), _cut(rest, found)
    if found := _COUNT.search(rest):
        if first:
            said.count = int(found[1])
        else:
            arm.count = int(found[1])
        rest = _cut(rest, found)
    if found := _ABILITIES.search(rest):
        arm.abilities = tuple(a.strip().lower() for a in found[1].split(",") if a.strip())
        rest = _cut(rest, found)
    rest = _defences(_SPELT.sub(_short, _AP.sub("AP-", _COUNTED.sub(r"A\1", rest))), said)
    for word in rest.replace(",", " ").split():
        name = next(
            (n for n in names if word.lower().startswith(n.lower()) and _value(word[len(n) :]) is not None), None
        )
        if name is not None:
            value = _value(word[len(name) :])
            assert value is not None
            (arm.values if name in weapon else own)[name] = value
        elif word.isupper() and word.isalpha():
            said.keywords.append(word)
        else:
            raise UserError(f"'{word}' is nothing that a profile has; a profile looks like '{EXAMPLE}'.")
    if arm.values.keys() <= {name for line in table.models for name in line}:
        own |= arm.values
    else:
        said.arms.append(_typed(arm, own) if TYPE in weapon else arm)
    said.values |= own


def _typed(arm: Armed, own: dict[str, Value]) -> Armed:
    """A weapon whose type is printed: the number behind it is that of its shots, not that of its bearer's Attacks."""
    kind = next((word for word in arm.abilities if word in TYPES), TYPES[0])
    arm.abilities = tuple(word for word in arm.abilities if word not in TYPES)
    if "Range" in arm.values or "WS" not in own:
        return Armed(arm.count, {"Range": RANGE, TYPE: f"{kind} {own.pop('A', 1)}", **arm.values}, arm.abilities)
    return Armed(arm.count, {TYPE: "melee", "S": "User", **arm.values}, arm.abilities)


def _short(found: re.Match[str]) -> str:
    """A characteristic as it is printed, whether it was spelt out or not."""
    return LONG.get(found[1].lower(), found[1])


def _defences(text: str, said: Read) -> str:
    """Take what makes a unit harder to hurt out of a text."""
    for pattern, told, effect in _TAKES:
        if found := pattern.search(text):
            said.takes[told] = effect
            text = _cut(text, found)
    if found := _STEALTH.search(text):
        said.stealth, text = True, _cut(text, found)
    if found := _PAIN.search(text):
        said.pain, text = int(found[1] or found[2]), _cut(text, found)
    if found := _INVULNERABLE.search(text):
        said.invulnerable, text = int(found[1] or found[2]), _cut(text, found)
    return text


def _cut(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"


def _value(text: str) -> Value | None:
    plain = text.lstrip("=:").rstrip('+"')
    if re.fullmatch(r"-?\d{1,6}", plain):
        return int(plain)
    bare = text.lstrip("=:")
    return bare.upper() if _DICE.fullmatch(bare) else None


def _weapon(arm: Armed, lines: tuple[Line, ...], name: str) -> Weapon:
    given = dict(arm.values)
    line = next((one for one in lines if "Range" not in one), lines[0])
    if "Range" in given or not set(given) <= set(line):
        line = next(one for one in lines if "Range" in one)
        given.setdefault("Range", RANGE)
    missing = [one for one in line if one not in given]
    if missing:
        raise UserError(f"The {name} of that profile has no {missing[0]}; wanted are {', '.join(line)}.")
    return Weapon(name, (Profile({n: given[n] for n in line}, arm.abilities),))


def _named(said: Read) -> str:
    words = [f"{name}{value}" for name, value in said.values.items()]
    words += [f"{said.invulnerable}++"] if said.invulnerable else []
    words += [f"{said.pain}+++"] if said.pain else []
    words += [*said.takes, *(["stealth"] if said.stealth else [])]
    arms = []
    for arm in said.arms:
        number = f"{arm.count} x " if arm.count is not None else ""
        arms.append(
            number + " ".join(str(value) if name == TYPE else f"{name}{value}" for name, value in arm.values.items())
        )
    return " ".join(filter(None, (*words, " and ".join(arms))))[:78]
