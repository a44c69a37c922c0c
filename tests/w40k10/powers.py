"""Battles with datasheets of the pack and their abilities, set up at any moment.

>>> b = clash([at("eradicator-squad", 10)], [at("deff-dread", 20)])
>>> len(b.units())
2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.armies.effects import AnyEffect
from sandtable.attack.volley import Target, Volley
from sandtable.battle import TABLE, Battle
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.scenario import find_step
from sandtable.battle.state import new_version
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.at_work import set_off
from sandtable.forty.effects.index import ABILITY
from sandtable.forty.enlist import Army
from sandtable.forty.sheets import shape_of
from sandtable.systems.w40k10.allocate_and_save import target_of
from sandtable.systems.w40k10.enlist import assemble
from sandtable.systems.w40k10.formations import attach
from sandtable.systems.w40k10.making_attacks import batches_of, volley
from sandtable.systems.w40k10.melee_attacks import blow_at
from sandtable.systems.w40k10.scenario import PHASE_OF_STEP
from sandtable.systems.w40k10.shooting_phase import shot_at
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import Battle10, Unit, sheet_of, weapons_of
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.table.grid import STEP, steps
from w40k10.armies import DETACHMENTS, OPEN_FIELD, army, pack

Place = tuple[dict[str, Any], float, float, str]


def at(sheet: str, x: float, y: float = 8, *, leads: str = "", **listed: Any) -> Place:
    """A unit of a list, in a column whose first model stands there; `leads` names the unit that it is attached to."""
    return {"sheet": sheet, **listed}, x, y, leads


def faction_of(places: Sequence[Place]) -> str:
    return pack().faction_of(places[0][0]["sheet"])


def clash(
    red: Sequence[Place],
    blue: Sequence[Place],
    *,
    step: str = "shoot_units",
    dice: Any = None,
    gain: Sequence[tuple[str, dict[str, Any]]] = (),
    detachments: tuple[str | None, str | None] = (None, None),
    objectives: Sequence[tuple[float, float]] = (),
    options: dict[str, str] | None = None,
    bare: bool = False,
    damaged: int = 0,
    active: int = 0,
    cp: tuple[int, int] = (0, 0),
) -> Battle10:
    """Units of both armies on an open field, before the first question; `gain` gives further effects to units.

    `bare` leaves out what the pack gives, so that only what is gained works; with `damaged`, only while a model has so
    many wounds left.
    """
    armies = {
        name: Army(
            army(*(p[0] for p in places), faction=faction, detachment=detachment or DETACHMENTS[faction]), pack()
        )
        for name, places, detachment in zip(("red", "blue"), (red, blue), detachments, strict=True)
        for faction in [faction_of(places)]
    }
    markers = [(steps(x), steps(y), 0) for x, y in objectives]
    setup, state = assemble(armies, OPEN_FIELD, SYSTEM.settle_options(options or {}), objectives=markers)
    names = {u.name: u for u in state.units}
    own = tuple(
        Ability(
            f"gained {i}",
            "test",
            names[unit].id,
            names[unit].models,
            names[unit].player,
            (effect_of(effect),),
            wounds=damaged,
        )
        for i, (unit, effect) in enumerate(gain)
    )
    data = msgspec.structs.replace(setup.data, abilities=own if bare else (*setup.data.abilities, *own))
    b: Battle10 = Battle(SYSTEM, msgspec.structs.replace(setup, data=data), state, dice=ScriptedDice(dice or []))
    for unit, (_, x, y, leads) in zip(list(b.units()), (*red, *blue), strict=True):
        models = unit.models
        if leads:
            attach(b, unit, b.unit(names[leads].id))
        for i, m in enumerate(models):
            pace = shape_of(sheet_of(b, m)).width / STEP + 0.3
            state.models.pos[m] = (steps(x), steps(y + i * pace), 0)
            state.models.place[m] = TABLE
    state.segment, state.step = find_step(SYSTEM, step, "step")
    state.round, state.active, state.game.phase = 1, active, PHASE_OF_STEP.get(step, "")
    state.game.control = (-1,) * len(markers)
    for player, points in zip(state.players, cp, strict=True):
        player.cp = points
    state.version = state.stamp = new_version()
    return b


def effect_of(raw: dict[str, Any]) -> AnyEffect:
    """An effect, as packs write it."""
    return msgspec.convert(raw, AnyEffect)  # type: ignore[arg-type]


def called(b: Battle10, name: str) -> Unit:
    """The unit of that name."""
    return next(u for u in b.units() if u.name == name)


def use(b: Battle10, ability: str, *whom: str, number: int = 0, until: str = "turn") -> None:
    """Set an effect of an ability off, as if its moment had come: on units, or without names on the whole army."""
    data = b.setup.data
    every = [a.name for a in data.abilities] + [s.name for s in data.stratagems]
    for unit in [called(b, name).id for name in whom] or [-1]:
        b.add_effect(set_off(every.index(ability), number, unit, until))
    assert any(e.kind == ABILITY for e in b.state.effects)


def shots(b: Battle10, unit: str, target: str, weapon: str, *, overwatch: bool = False, **more: Any) -> list[Shot]:
    """A weapon of everybody in a unit that carries it, at a target."""
    one, other = called(b, unit), called(b, target)
    return [
        msgspec.structs.replace(
            blow_at(b, other) if x.is_melee else shot_at(b, one, other, overwatch=overwatch), model=m, weapon=x, **more
        )
        for m in map(int, b.on_table(one))
        for x in weapons_of(b, m)
        if weapon in (x.name, x.item)
    ]


def volleys(b: Battle10, unit: str, target: str, weapon: str, **more: Any) -> list[Volley]:
    """The tables of an attack, a volley for each batch."""
    one, other = called(b, unit), called(b, target)
    batches = batches_of(b, one, other, shots(b, unit, target, weapon, **more))
    return [volley(b, one, other, batch, k) for k, batch in enumerate(batches)]


def bodies(b: Battle10, unit: str, target: str, weapon: str) -> Target:
    """The target's models, as a weapon of a unit meets them."""
    one, other = called(b, unit), called(b, target)
    return target_of(b, one, other, batches_of(b, one, other, shots(b, unit, target, weapon)))


def needs(roll: Any) -> int:
    """The lowest face of a Hit or Wound roll that succeeds."""
    return next(f for f in range(1, 7) if roll.face(f).success)


def criticals(roll: Any) -> int:
    """The lowest face of a roll that is critical."""
    return next((f for f in range(1, 7) if roll.face(f).critical), 7)
