"""Weapons, targets and small duels for tests of attacks.

>>> b = duel(gun(attacks="2"), dice={"hit": [3, 2], "wound": [4]})
>>> last(b)["hits"], alive(b, "Blues")
(1, 0)
"""

from __future__ import annotations

from typing import Any

from sandtable.battle import Effect
from sandtable.battle.events import Told
from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k11.state import Battle11
from w40k11 import table
from w40k11.table import TARGET, Doc, Spots, alive, asked, give, named, sheet, situation, unit

__all__ = ["alive"]


def gun(*abilities: str, name: str = "gun", **changes: Any) -> Doc:
    """A ranged weapon with one attack."""
    return table.gun(*abilities, name=name, **{"attacks": "1", **changes})


def blade(*abilities: str, name: str = "blade", **changes: Any) -> Doc:
    """A melee weapon with one attack."""
    return table.blade(*abilities, name=name, **{"attacks": "1", **changes})


def target(**changes: Any) -> Doc:
    """A model without armour, with one wound."""
    return {**TARGET, **changes}


def character(**changes: Any) -> Doc:
    """A CHARACTER without armour who leads targets."""
    lead: Doc = {"name": "Chief", "keywords": ["INFANTRY", "CHARACTER"], "abilities": ["leader"], "leads": ["Target"]}
    return target(**{**lead, **changes})


def column(count: int, x: float, y: float = 8) -> Spots:
    """Places one above the other, with gaps of half an inch."""
    return [(x, y + 1.5 * i) for i in range(count)]


SPARES = unit("Spares", "red", sheet(gun(name="spare gun", range=48), name="Spare"), [(2, 28)])
"""Red has one unit more, so that the phase goes on after the first has acted"""
BYSTANDERS = unit("Bystanders", "blue", target(name="Bystander", wounds=50), [(42, 28)])


def face_off(
    weapons: Doc | list[Doc],
    victim: Doc | None = None,
    *,
    shooters: int = 1,
    targets: int = 1,
    gap: float = 10,
    dice: Any = None,
    terrain: list[FeatureDoc] | None = None,
    more: list[UnitDoc] | None = None,
    red_at: Spots | None = None,
    blue_at: Spots | None = None,
    red: Doc | None = None,
    flags: Doc | None = None,
    wounds: dict[int, int] | None = None,
    loadout: list[Any] | None = None,
    kinds: list[Any] | None = None,
    **settings: Any,
) -> Battle11:
    """Reds on the left, Blues `gap` inches to the right, in the Shooting phase of red.

    `loadout` is what some of the Reds carry, `kinds` are other datasheets of some of the Blues.
    """
    arms = weapons if isinstance(weapons, list) else [weapons]
    reds = red or sheet(*arms, name="Red")
    return situation(
        [
            unit("Reds", "red", reds, red_at or column(shooters, 10), loadout=loadout, **(flags or {})),
            unit(
                "Blues", "blue", victim or target(), blue_at or column(targets, 11 + gap), wounds=wounds, loadout=kinds
            ),
            SPARES,
            BYSTANDERS,
            *(more or []),
        ],
        terrain,
        **{"step": "shoot_units", "dice": dice, **settings},
    )


def shoot(b: Battle11, who: str = "Reds", at: str = "Blues") -> Battle11:
    """Fire everything at one target."""
    give(b, "shoot_with", who)
    return fire(b, at)


def fire(b: Battle11, at: str = "Blues") -> Battle11:
    """The same with a unit that was selected already."""
    number = named(b, at).id
    rows = [r for r in asked(b, "shoot").rows if number in r.targets]  # type: ignore[attr-defined]
    give(b, "shoot", [{"weapon": r.id, "target": at} for r in rows])
    return b


def duel(weapons: Doc | list[Doc], victim: Doc | None = None, **more: Any) -> Battle11:
    """Reds fire everything at Blues."""
    return shoot(face_off(weapons, victim, **more))


def melee(
    weapons: Doc | list[Doc],
    victim: Doc | None = None,
    *,
    fighters: int = 1,
    targets: int = 1,
    dice: Any = None,
    more: list[UnitDoc] | None = None,
    flags: Doc | None = None,
    red_at: Spots | None = None,
    blue_at: Spots | None = None,
    **settings: Any,
) -> Battle11:
    """Reds and Blues in base contact, one column against the other, and Reds are about to strike."""
    arms = weapons if isinstance(weapons, list) else [weapons]
    on = {"engaged_before": True}
    off = {"fought": True, "engaged_before": True}
    blues = unit("Blues", "blue", victim or target(), blue_at or column(targets, 11), **off)
    reds = unit("Reds", "red", sheet(*arms, name="Red"), red_at or column(fighters, 10), **on, **(flags or {}))
    spares = unit("Spares", "red", sheet(blade(), name="Spare"), [(30, 25)], **on)
    bystanders = unit("Bystanders", "blue", target(name="Bystander"), [(31, 25)], **off)
    units = [reds, blues, spares, bystanders, *(more or [])]
    b = situation(units, **{"step": "fight_units", "dice": dice, **settings})
    if table.kinds(b) == ["fight_with"]:
        give(b, "fight_with", "Reds")
    return b


def strike(b: Battle11, *parts: tuple[str, str, int]) -> Battle11:
    """Strike: weapon, target, number of attacks."""
    give(b, "strike", [{"weapon": w, "target": t, "count": n} for w, t, n in parts])
    return b


def changed(b: Battle11, kind: str, *values: int, whom: str = "Reds") -> Battle11:
    """Put modifiers on a unit."""
    for value in values:
        b.add_effect(Effect(kind, named(b, whom).id, value, until="turn"))
    return b


def outcomes(b: Battle11, kind: str = "attack") -> list[Doc]:
    """The figures of the attacks so far."""
    return [e.data for e in b.events if isinstance(e, Told) and e.kind == kind]


def last(b: Battle11, kind: str = "attack") -> Doc:
    """The figures of the last attack."""
    return outcomes(b, kind)[-1]


def hurt(b: Battle11, name: str = "Blues") -> list[int]:
    """Wounds left of all models of a unit, 0 for the fallen."""
    return [int(b.state.models.wounds[m]) for m in named(b, name).models]


def done(b: Battle11) -> bool:
    """Whether the attacks are over, and nothing is asked of Reds or Blues."""
    return bool(b.decisions) and not {d.unit for d in b.decisions} & {named(b, name).id for name in ("Reds", "Blues")}
