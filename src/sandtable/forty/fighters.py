"""Datasheets of models with skills, Strength and Attacks of their own and weapons with types, as packs print them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from sandtable.armies import Pack
from sandtable.armies import Sheet as PackSheet
from sandtable.armies.characteristics import Line, Printed, Value
from sandtable.armies.format import ModelKind
from sandtable.attack.volley import dice
from sandtable.battle.kept import SETUP, kept
from sandtable.errors import UserError
from sandtable.forty import sheets
from sandtable.forty.cards import Figures
from sandtable.forty.enlist import PrintedWeapon, keywords_of, number, range_of, transport_of
from sandtable.forty.psykers import Power, Psyker, problem_of_psyker
from sandtable.forty.state import World40

MELEE: Final = "melee"
USER: Final = "user"
MODEL: Final = (
    "move", "weapon_skill", "ballistic_skill", "strength", "toughness", "wounds", "attacks", "leadership", "save",
)  # fmt: skip
"""What datasheets here call the characteristics of a model, in the order in which they are printed."""
WEAPON: Final = ("type", "strength", "ap", "damage")
"""Those of a weapon; a ranged one has its range before them."""

Dash: TypeAlias = None
"""A characteristic that is printed as a dash, and never changes."""
Same: TypeAlias = msgspec.UnsetType


class Weapon(sheets.Weapon, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon profile: how it is used, and how hard it strikes in whose hands."""

    type: str = MELEE
    attacks: str = ""
    """The number behind the type; a melee weapon has none, since its bearer's Attacks count."""
    strength: str
    """A number, or "user", "+2" or "x2" for what it makes of its bearer's Strength."""
    ap: int | Dash = None
    """0 or below."""


class Row(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A row of a chart: what the characteristics in it are for a model with no more than so many wounds left."""

    up_to: int
    move: int | str | Dash | Same = msgspec.UNSET
    weapon_skill: int | Dash | Same = msgspec.UNSET
    ballistic_skill: int | Dash | Same = msgspec.UNSET
    strength: int | Same = msgspec.UNSET
    toughness: int | Same = msgspec.UNSET
    attacks: int | str | Same = msgspec.UNSET
    leadership: int | Same = msgspec.UNSET
    save: int | Same = msgspec.UNSET

    def __post_init__(self) -> None:
        sheets.read_dash(self)


class Sheet(sheets.Sheet, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """A datasheet with skills, Strength and Attacks of the model itself."""

    weapon_skill: int | Dash
    ballistic_skill: int | Dash
    strength: int
    attacks: int | str
    chart: tuple[Row, ...] = ()
    """What changes as wounds are lost."""
    weapons: tuple[Weapon, ...] = ()
    power: int = 0
    """Its unit's Power Rating."""
    role: str = ""
    """The battlefield role, which nothing here asks for."""
    psyker: Psyker | None = None


def check_printed(sheet: Sheet, table: Printed, problem_of_type: Callable[[Weapon], str]) -> None:
    """Refuse a datasheet that no model can be played from."""
    (line,) = table.models
    sheets.check_profile(sheet, MODEL, line)
    check_chart(sheet, MODEL, line)
    sheets.check_words(sheet, table)
    sheets.check_weapons(sheet, WEAPON, table, problem_of_type)
    if sheet.psyker is not None and (problem := problem_of_psyker(sheet.psyker, sheet.keywords)):
        raise UserError(f"{sheet.name}, psyker: {problem}.")


def check_chart(sheet: Sheet, names: Sequence[str], line: Line) -> None:
    """Refuse a chart with a row that could not be printed, or that never counts."""
    for row in sheet.chart:
        values = [getattr(sheet if getattr(row, name, msgspec.UNSET) is msgspec.UNSET else row, name) for name in names]
        problem = sheets.problem_of_line(names, values, line.values())
        if not 0 < row.up_to <= sheet.wounds or [x.up_to for x in sheet.chart].count(row.up_to) > 1:
            problem = f"the rows of a chart are for different numbers of wounds left, of 1 to {sheet.wounds}"
        if problem:
            raise UserError(f"{sheet.name}, chart, up to {row.up_to}: {problem}.")


def fields_of(pack: Pack, sheet: PackSheet, kind: ModelKind, names: Mapping[str, str]) -> dict[str, Any]:
    """The profile of one kind of model as fields of a sheet, without its weapons and its chart.

    `names` has what fields call the characteristics that packs print.
    """
    return {
        "name": kind.name,
        **characteristics(kind.stats, names),
        "base": kind.base,
        "height": kind.height,
        "keywords": keywords_of(sheet, kind),
        "invulnerable": kind.invulnerable or 0,
        "abilities": tuple(sheet.core),
        "transport": transport_of(sheet),
        "role": sheet.role,
        "psyker": psyker_of(pack, sheet),
    }


def characteristics(stats: Mapping[str, Value], names: Mapping[str, str]) -> dict[str, Any]:
    """Those of a model, or of a row of its chart; None for a dash."""
    return {names[name]: None if value == "-" else value for name, value in stats.items()}


def weapon_fields(listed: PrintedWeapon) -> dict[str, Any]:
    """The profile of a weapon as fields; its type has a number behind it, such as "rapid fire 1"."""
    stats = listed.profile.stats
    kind, _, attacks = str(stats["Type"]).lower().rpartition(" ")
    return {
        "name": listed.name,
        "type": kind or attacks,
        "attacks": attacks.upper() if kind else "",
        "damage": str(stats["D"]),
        "range": range_of(listed.profile),
        "abilities": listed.profile.abilities,
        "of": listed.of,
        "strength": str(stats["S"]).lower(),
        "ap": None if stats["AP"] == "-" else number(stats["AP"]),
    }


def psyker_of(pack: Pack, sheet: PackSheet) -> Psyker | None:
    """What a datasheet says of a psyker, with the powers of its faction that are played."""
    if sheet.psyker is None:
        return None
    faction = pack.faction(pack.faction_of(sheet.id))
    told = [p for p in faction.powers if p.enforced and not p.left_out] if faction else []
    discipline = tuple(Power(p.name.lower(), p.charge, 0, "0", ability=True) for p in told)
    known = tuple(name.lower() for name in sheet.psyker.powers)
    return Psyker(sheet.psyker.casts, sheet.psyker.denies, known, sheet.psyker.more, discipline)


# --- How they are printed ---------------------------------------------------------------------------------------------


def profile(s: Sheet) -> Figures:
    """The nine characteristics of a model."""
    skills = ("WS", _roll(s.weapon_skill)), ("BS", _roll(s.ballistic_skill))
    body = ("S", f"{s.strength}"), ("T", f"{s.toughness}"), ("W", f"{s.wounds}"), ("A", f"{s.attacks}")
    found = ("M", "-" if s.move is None else f'{s.move}"'), *skills, *body, ("Ld", f"{s.leadership}")
    return (*found, ("Sv", _roll(s.save)), *((("Inv", _roll(s.invulnerable)),) if s.invulnerable else ()))


def figures_of(x: Weapon) -> Figures:
    """The characteristics of a weapon."""
    reach, kind = "Melee" if x.is_melee else f'{x.range}"', f"{x.type.title()} {x.attacks}".strip()
    ap = "-" if x.ap is None else f"{x.ap}"
    return (("Range", reach), ("Type", kind), ("S", x.strength.title()), ("AP", ap), ("D", x.damage))


def _roll(needed: int | None) -> str:
    return "-" if needed is None else f"{needed}+"


# --- In somebody's hands, for those who make plans --------------------------------------------------------------------


@kept(SETUP)
def in_hands(w: World40, weapon: Weapon, strength: int, attacks: str) -> Weapon:
    """A weapon with numbers for its Strength and, in close combat, its attacks."""
    number = attacks if weapon.is_melee else weapon.attacks
    return msgspec.structs.replace(weapon, strength=f"{strength}", attacks=number)


def pace(sheet: Sheet) -> float:
    """How far models of a datasheet move; a random Move by its average."""
    return dice(f"{sheet.move or 0}".split("-")[-1]).mean
