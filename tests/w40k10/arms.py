"""Weapons, targets and small duels for tests of attacks.

>>> b = duel(gun(a="2"), dice={"hit": [3, 2], "wound": [4]})
>>> last(b)["hits"], alive(b, "Blues")
(1, 0)
"""

from __future__ import annotations

from typing import Any

from sandtable.battle import answers
from sandtable.battle.events import Told
from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k10.state import Battle10
from w40k10.table import TROOPER, alive, asked, give, named, situation, unit

__all__ = ["alive"]

Sheet = dict[str, Any]


def gun(
    *abilities: str,
    name: str = "gun",
    range_: int = 24,
    a: str = "1",
    bs: int = 3,
    s: int = 4,
    ap: int = 0,
    d: str = "1",
    of: str = "",
) -> Sheet:
    """A ranged weapon."""
    return {
        "name": name,
        "range": range_,
        "attacks": a,
        "skill": bs,
        "strength": s,
        "ap": ap,
        "damage": d,
        "abilities": list(abilities),
        "of": of,
    }


def blade(
    *abilities: str, name: str = "blade", a: str = "1", ws: int = 3, s: int = 4, ap: int = 0, d: str = "1", of: str = ""
) -> Sheet:
    """A melee weapon."""
    return gun(*abilities, name=name, range_=0, a=a, bs=ws, s=s, ap=ap, d=d, of=of)


def sheet(*weapons: Sheet, name: str = "Trooper", **changes: Any) -> Sheet:
    """A trooper with other weapons or characteristics."""
    return {**TROOPER, "name": name, "weapons": list(weapons), **changes}


def target(**changes: Any) -> Sheet:
    """A model without armour, with one wound."""
    return sheet(**{"name": "Target", "save": 7, "wounds": 1, **changes})


SPARE = sheet(gun(name="spare gun", range_=48), name="Spare")
"""Red has one unit more, so that the phase goes on after the first has acted."""
BYSTANDERS = [
    unit("Spares", "red", SPARE, [(2, 28)]),
    unit("Bystanders", "blue", target(name="Bystander", wounds=50), [(42, 28)]),
]


def column(count: int, x: float, y: float = 8) -> list[tuple[float, ...]]:
    """Places one above the other, with gaps of half an inch."""
    return [(x, y + 1.5 * i) for i in range(count)]


def face_off(
    weapons: Sheet | list[Sheet],
    victim: Sheet | None = None,
    *,
    shooters: int = 1,
    targets: int = 1,
    gap: float = 10,
    dice: Any = None,
    terrain: list[FeatureDoc] | None = None,
    red: Sheet | None = None,
    more: list[UnitDoc] | None = None,
    red_at: list[tuple[float, ...]] | None = None,
    blue_at: list[tuple[float, ...]] | None = None,
    flags: dict[str, Any] | None = None,
    wounds: dict[int, int] | None = None,
    **settings: Any,
) -> Battle10:
    """Reds on the left, Blues `gap` inches to the right, in the Shooting phase of red."""
    arms = weapons if isinstance(weapons, list) else [weapons]
    return situation(
        [
            unit("Reds", "red", red or sheet(*arms, name="Red"), red_at or column(shooters, 10), **(flags or {})),
            unit("Blues", "blue", victim or target(), blue_at or column(targets, 11 + gap), wounds=wounds),
            *BYSTANDERS,
            *(more or []),
        ],
        terrain,
        **{"step": "shoot_units", "dice": dice, **settings},
    )


def shoot(b: Battle10, who: str = "Reds", at: str = "Blues", *, only: tuple[str, ...] = ()) -> Battle10:
    """Fire everything, or only the first rows of some weapons, at one target."""
    give(b, "shoot_with", who)
    rows = [r.id for r in asked(b, "shoot").rows if named(b, at).id in r.targets]  # type: ignore[attr-defined]
    assert rows, f"nothing can be fired at {at}"
    give(b, "shoot", [{"weapon": weapon, "target": at} for weapon in only or rows])
    return b


def duel(weapons: Sheet | list[Sheet], victim: Sheet | None = None, **more: Any) -> Battle10:
    """The same, and Reds fire everything at Blues."""
    return shoot(face_off(weapons, victim, **more))


def melee(
    weapons: Sheet | list[Sheet],
    victim: Sheet | None = None,
    *,
    fighters: int = 1,
    targets: int = 1,
    dice: Any = None,
    red: Sheet | None = None,
    more: list[UnitDoc] | None = None,
    terrain: list[FeatureDoc] | None = None,
    flags: dict[str, Any] | None = None,
    blue_flags: dict[str, Any] | None = None,
    **settings: Any,
) -> Battle10:
    """Reds and Blues in base contact, one column against the other, and Reds are about to strike."""
    arms = weapons if isinstance(weapons, list) else [weapons]
    b = situation(
        [
            unit("Reds", "red", red or sheet(*arms, name="Red"), column(fighters, 10), **(flags or {})),
            unit("Blues", "blue", victim or target(), column(targets, 11), fought=True, **(blue_flags or {})),
            unit("Spares", "red", sheet(blade(), name="Spare"), [(30, 25)]),
            unit("Bystanders", "blue", target(name="Bystander"), [(31, 25)], fought=True),
            *(more or []),
        ],
        terrain,
        **{"step": "remaining_combats", "dice": dice, **settings},
    )
    give(b, "fight_with", "Reds")
    return b


def strike(b: Battle10, *parts: tuple[str, str, int]) -> Battle10:
    """Strike: weapon, target, number of attacks."""
    give(b, "strike", [{"weapon": w, "target": t, "count": n} for w, t, n in parts])
    return b


def outcomes(b: Battle10, kind: str = "attack") -> list[dict[str, Any]]:
    """The figures of the attacks so far."""
    return [e.data for e in b.events if isinstance(e, Told) and e.kind == kind]


def last(b: Battle10, kind: str = "attack") -> dict[str, Any]:
    """The figures of the last attack."""
    return outcomes(b, kind)[-1]


def stories(b: Battle10) -> list[str]:
    """What was told so far, as sentences."""
    return [e.text for e in b.events if isinstance(e, Told)]


def cited(b: Battle10) -> set[str]:
    """The rules that events cited so far."""
    return {r for e in b.events if isinstance(e, Told) for r in e.rules}


def can_target(b: Battle10, who: str, whom: str, weapon: str = "") -> bool:
    """Whether a unit that is asked to shoot may fire (a weapon) at another; selects it where that is still to do."""
    if asked_is(b, "shoot_with"):
        if not answers_has(b, who):
            return False
        give(b, "shoot_with", who)
    number = named(b, whom).id
    return any(number in r.targets for r in asked(b, "shoot").rows if weapon in ("", r.label))  # type: ignore[attr-defined]


def asked_is(b: Battle10, kind: str) -> bool:
    return any(d.kind == kind for d in b.decisions)


def answers_has(b: Battle10, label: str) -> bool:
    return label in answers.labels(asked(b, "shoot_with"))
