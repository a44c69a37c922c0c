"""Compact builders for situations of 8th edition, and small duels.

>>> b = shootout(gun(shots="2"), dice={"hit": [3, 2], "wound": [4], "save": [2]})
>>> alive(b, "Blues")
0
"""

from __future__ import annotations

from typing import Any

from sandtable.battle import Effect, Moves
from sandtable.battle.events import Told
from sandtable.battle.rulings import Grant
from sandtable.battle.scenario import AtDoc, Scenario, UnitDoc, open_scenario
from sandtable.battle.tables import FeatureDoc, TableDoc
from sandtable.systems.w40k8.state import Battle8, Unit
from sandtable.systems.w40k8.system import SYSTEM
from support.acting import alive, asked, give, kinds, named, rolls, told, wounds

__all__ = ["alive", "asked", "give", "kinds", "named", "rolls", "told", "wounds"]

Doc = dict[str, Any]
Spots = list[tuple[float, ...]]

INCH = "25.4mm"
"""A base of exactly 1" makes gaps easy to write down."""
TROOPER: Doc = {
    "name": "Trooper", "move": 6, "weapon_skill": 3, "ballistic_skill": 3, "strength": 4, "toughness": 4, "wounds": 1,
    "attacks": 1, "leadership": 7, "save": 3, "base": INCH, "height": 1.5, "keywords": ["INFANTRY"],
}  # fmt: skip


def gun(
    type_: str = "assault",
    *,
    name: str = "gun",
    range_: int = 24,
    shots: str = "1",
    s: str = "4",
    ap: Any = 0,
    d: str = "1",
) -> Doc:
    """A ranged weapon."""
    return {"name": name, "range": range_, "type": type_, "attacks": shots, "strength": s, "ap": ap, "damage": d}


def blade(name: str = "blade", *, s: str = "user", ap: int | None = 0, d: str = "1") -> Doc:
    """A melee weapon."""
    return {"name": name, "strength": s, "ap": ap, "damage": d}


def sheet(*weapons: Doc, name: str = "Trooper", **changes: Any) -> Doc:
    """A trooper with other weapons or characteristics."""
    return {**TROOPER, "name": name, "weapons": list(weapons), **changes}


def bare(**changes: Any) -> Doc:
    """A model without armour and weapons."""
    return sheet(**{"name": "Target", "save": 7, **changes})


def unit(
    name: str,
    player: str,
    doc: Doc,
    at: Spots | None = None,
    *,
    wounds: dict[int, int] | None = None,
    loadout: list[Any] | None = None,
    off: int = 0,
    **flags: Any,
) -> UnitDoc:
    """A unit; `off` models are not on the table; flags are fields of it."""
    return UnitDoc(
        name=name,
        player=player,
        sheet=doc,
        models=off or len(at or ()),
        positions=tuple(at or ()),
        off=bool(off),
        wounds=wounds or {},
        flags=flags,
        loadout=loadout or [],
    )


def column(count: int, x: float, y: float = 8, step: float = 1.5) -> Spots:
    """Places one above the other; by default with gaps of half an inch."""
    return [(x, y + step * i) for i in range(count)]


def document(
    units: list[UnitDoc],
    *,
    step: str,
    dice: Any = None,
    active: str = "red",
    terrain: list[FeatureDoc] | None = None,
    options: dict[str, str] | None = None,
    turns: int = 1,
    abilities: list[Doc] | None = None,
    objectives: Spots | None = None,
    state: Doc | None = None,
    size: tuple[int, int] = (44, 30),
    round_: int = 1,
    **extra: Any,
) -> Scenario:
    """A scenario at the entry of a step; dice are a list, or a queue for each kind of roll but Morale tests of 1."""
    return Scenario(
        scenario="test",
        system="w40k8",
        question="",
        table=TableDoc(size=size, terrain=tuple(terrain or ())),
        players=tuple(dict.fromkeys(["red", "blue", *(u.player for u in units)])),
        units=tuple(units),
        at=AtDoc(step=step, round=round_, active=active),
        options=options or {},
        dice={"morale": [1] * 9, **(dice if isinstance(dice, dict) else {"any": dice or []})},
        extra={"turns": turns, **({"abilities": abilities} if abilities else {}), **extra},
        objectives=tuple(objectives or ()),
        state=state or {},
    )


def situation(units: list[UnitDoc], **settings: Any) -> Battle8:
    """A battle at the entry of a step."""
    return open_scenario(document(units, **settings), SYSTEM)


def under(b: Battle8, kind: str, value: int | str, who: str = "Reds") -> Battle8:
    """The same battle with an effect on a unit, that the players agree on."""
    b.rule(Grant(Effect(kind, named(b, who).id, value, source="test")))
    return b


def stand(b: Battle8) -> Battle8:
    """Nobody moves in the Movement phases that come next."""
    while kinds(b)[:1] == ["move_with"]:
        give(b, "move_with", None)
    return b


# --- Shooting ---------------------------------------------------------------------------------------------------------

SPARES = unit("Spares", "red", sheet(gun(name="spare", range_=48), name="Spare"), [(2, 28)])
"""Red has one unit more, so that the phase goes on after the first has acted."""
BYSTANDERS = unit("Bystanders", "blue", bare(name="Bystander", wounds=9), [(42, 28)])


def range_(
    weapons: Doc | list[Doc],
    victim: Doc | None = None,
    *,
    red: Doc | None = None,
    shooters: int = 1,
    targets: int = 1,
    gap: float = 10,
    red_at: Spots | None = None,
    blue_at: Spots | None = None,
    wounds: dict[int, int] | None = None,
    loadout: list[Any] | None = None,
    more: list[UnitDoc] | None = None,
    flags: Doc | None = None,
    **settings: Any,
) -> Battle8:
    """Reds on the left, Blues `gap` inches to the right, in the Shooting phase of red."""
    arms = weapons if isinstance(weapons, list) else [weapons]
    reds = unit("Reds", "red", red or sheet(*arms, name="Red"), red_at or column(shooters, 10), **(flags or {}))
    blues = unit(
        "Blues", "blue", victim or bare(), blue_at or column(targets, 11 + gap), wounds=wounds, loadout=loadout
    )
    return situation([reds, blues, SPARES, BYSTANDERS, *(more or [])], **{"step": "shoot_units", **settings})


def shoot(b: Battle8, at: str = "Blues", *, only: tuple[str, ...] = ()) -> Battle8:
    """Reds fire everything, or only some weapons, at one target."""
    give(stand(b), "shoot_with", "Reds")
    rows = [r for r in asked(b, "shoot").rows if named(b, at).id in r.targets and (not only or r.label in only)]  # type: ignore[attr-defined]
    give(b, "shoot", [{"weapon": r.id, "target": at} for r in rows])
    return b


def shootout(weapons: Doc | list[Doc], victim: Doc | None = None, **more: Any) -> Battle8:
    """Reds fire everything at Blues."""
    return shoot(range_(weapons, victim, **more))


# --- Fighting ---------------------------------------------------------------------------------------------------------


def melee(
    weapons: Doc | list[Doc],
    victim: Doc | None = None,
    *,
    red: Doc | None = None,
    fighters: int = 1,
    targets: int = 1,
    more: list[UnitDoc] | None = None,
    flags: Doc | None = None,
    blue_flags: Doc | None = None,
    wounds: dict[int, int] | None = None,
    **settings: Any,
) -> Battle8:
    """Reds and Blues in base contact, one column against the other, and Reds are about to fight."""
    arms = weapons if isinstance(weapons, list) else [weapons]
    reds = unit("Reds", "red", red or sheet(*arms, name="Red"), column(fighters, 10), **(flags or {}))
    blues = unit(
        "Blues", "blue", victim or bare(), column(targets, 11), wounds=wounds, **{"fought": True, **(blue_flags or {})}
    )
    return situation([reds, blues, *(more or [])], **{"step": "fight_units", **settings})


def stay(b: Battle8) -> Battle8:
    """Nobody of those who fight piles in or consolidates."""
    while kinds(stand(b))[:1] in (["pile_in"], ["consolidate"]):
        d: Any = b.decisions[0]
        b.answer(d, Moves(d.modes[0].name))
    return b


def fight(b: Battle8, who: str) -> Battle8:
    """Let a unit fight, where there is a choice."""
    give(b, "fight_with", who)
    return stay(b)


def strike(b: Battle8, *blows: tuple[str, int, str] | tuple[str, int, str, str]) -> Battle8:
    """Answer who strikes whom how often: (model or weapon's bearer, count, target, weapon)."""
    raw = [{"weapon": x[0], "count": x[1], "target": x[2], **({"mode": x[3]} if len(x) > 3 else {})} for x in blows]
    give(stay(b), "strike", raw)
    return stay(b)


def strikers(b: Battle8) -> dict[str, int]:
    """Who is asked to strike, and how many attacks each row has."""
    rows: Any = asked(stay(b), "strike")
    return {row.label: row.count for row in rows.rows}


def last(b: Battle8, kind: str = "attack") -> Doc:
    """The facts of the last event of a kind."""
    return next(e.data for e in reversed(b.events) if isinstance(e, Told) and e.kind == kind)


def stories(b: Battle8, kind: str = "attack") -> list[str]:
    """The sentences of the events of a kind."""
    return [e.text for e in b.events if isinstance(e, Told) and e.kind == kind]


def squad(b: Battle8, name: str) -> Unit:
    """The unit of that name."""
    found: Unit = named(b, name)
    return found
