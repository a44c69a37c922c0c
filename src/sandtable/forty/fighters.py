"""Datasheets of models with skills, Strength and Attacks of their own and weapons with types, as packs print them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.armies import Pack
from sandtable.armies import Sheet as PackSheet
from sandtable.armies.characteristics import Value
from sandtable.armies.format import ModelKind
from sandtable.forty.enlist import PrintedWeapon, keywords_of, number, range_of, transport_of
from sandtable.forty.psykers import Power, Psyker


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
