"""Mortal wounds, Deadly Demise and Hazardous weapons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.attack.volley import Target, dice
from sandtable.battle import Option, Order
from sandtable.battle.rolls import Each
from sandtable.forty.effects.core_abilities import core_values
from sandtable.forty.odds.backfires import Hazards
from sandtable.forty.rerolls import offer_reroll
from sandtable.kit.attack.defenders import Due
from sandtable.kit.attack.resolving import suffer
from sandtable.kit.attack.rolling import by_sums
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k10.abilities import has_core
from sandtable.systems.w40k10.attacks import HOOKS
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import model_has_keyword, units_of_both_armies
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.destroyed import destroy
from sandtable.systems.w40k10.saves import body, pain_names, who_can_take
from sandtable.systems.w40k10.state import Battle10, Unit, World10, sheet_of, weapons_of
from sandtable.systems.w40k10.targets import lent
from sandtable.systems.w40k10.weapons import is_hazardous
from sandtable.table.grid import steps
from sandtable.table.measure import distances

DEMISE_RANGE: Final = steps(6)
DEMISE_ROLL: Final = 6
HAZARD_ROLL: Final = 1
HAZARD_WOUNDS: Final = 3
GOES_OFF: Final = Each("it goes off/nothing happens", needed=DEMISE_ROLL)


@rule("w40k10.attack.mortal_wounds")
async def inflict(b: Battle10, unit: Unit, points: int, *rules: str, first: int = -1, by: int = -1) -> None:
    """Let a unit suffer mortal wounds; `first` is a model that takes them before all others."""
    if points > 0:
        due = Due(points, spill=BOOK.mortal_wounds_spill, first=first)
        cites = ("w40k10.attack.mortal_wounds", *rules)
        await suffer(b, [due], lambda: bodies(b, unit), HOOKS, against=unit.id, unit=by, rules=cites)


def bodies(w: World10, unit: Unit) -> Target:
    """A unit's models where no save helps."""
    models = who_can_take(w, unit)
    found = tuple(body(w, unit, m) for m in models)
    pain_cites = ("w40k10.attack.feel_no_pain", *pain_names(w, unit, models))
    return Target(found, keeps=True, cites=("w40k10.attack.mortal_wounds",), pain_cites=pain_cites)


@rule("w40k10.attack.deadly_demise")
async def deadly_demise(b: Battle10, unit: Unit, model: int) -> None:
    """A model may blow up when it is destroyed: on a 6 every unit close by suffers."""
    name = "w40k10.attack.deadly_demise"
    if b.roll_one("deadly demise", unit.player, rules=(name,), read=GOES_OFF) < DEMISE_ROLL:
        return
    # The model that blows up is as good as gone: none of the mortal wounds goes to it.
    b.set_wounds(model, 0)
    amount = dice(core_values(b, unit, model, "deadly demise")[0])
    read = by_sums("mortal wound(s)", (amount,), ())
    near = units_near(b, model)
    b.tell(
        "deadly_demise",
        f"{does(unit, 'goes')} down with a Deadly Demise.",
        name,
        units=[unit.id, *(u.id for u in near)],
    )
    order = await order_of(b, near)
    for victim in order:
        points = amount.of(b.roll(len(amount.dice), "deadly demise wounds", unit.player, rules=(name,), read=read))
        await inflict(b, victim, points, name, by=unit.id)


def units_near(w: World10, model: int) -> list[Unit]:
    """Units with a model within 6" of a model that is about to be removed, its own included if others are left."""
    here = np.array([model], dtype=np.int64)
    near = []
    for u in units_of_both_armies(w):
        own = u.id == int(w.state.models.unit[model])
        if own and w.option("deadly-demise") == "others":
            continue
        models = np.array([m for m in w.on_table(u) if m != model], dtype=np.int64)
        if len(models) and float(distances(w.bodies, w.shapes, here, models).min()) <= DEMISE_RANGE:
            near.append(u)
    return near


async def order_of(b: Battle10, units: Sequence[Unit]) -> list[Unit]:
    """The active player orders what happens at the same time, where that can make a difference."""
    if len(units) < 2 or not (may_go_off(b, units) or b.option("windows") == "all"):
        return list(units)
    order = await b.ask(
        Order(
            player=b.state.active,
            kind="order_units",
            prompt="In which order are these units hit?",
            options=tuple(Option(u.id, u.name) for u in units),
            rules=("w40k10.dice.sequencing",),
        )
    )
    return [b.unit(int(u)) for u in order]


def may_go_off(w: World10, units: Sequence[Unit]) -> bool:
    """Whether one of the units has a Deadly Demise of its own."""
    return any(has_core(w, u, int(m), "deadly demise") for u in units for m in w.on_table(u))


# --- Hazardous --------------------------------------------------------------------------------------------------------


async def hazardous_tests(b: Battle10, unit: Unit, used: Sequence[Weapon]) -> None:
    """After all attacks of a unit, one test for each Hazardous weapon that it used."""
    count = tests_due(used)
    if not count or not b.is_on_table(unit):
        return
    name = "w40k10.weapon.hazardous"
    read = Each("failed", needed=HAZARD_ROLL + 1, failures=True)
    faces = b.roll(count, "hazardous", unit.player, rules=(name,), read=read)
    faces = await offer_reroll(b, unit, "hazardous", faces, sum_=False, need=HAZARD_ROLL + 1, read=read)
    for _ in range(sum(1 for f in faces if f <= HAZARD_ROLL)):
        victims = [m for m in who_can_take(b, unit) if may_pay(b, m)]
        options = [Option(m, f"{sheet_of(b, m).name} {m}") for m in victims]
        chosen = await b.choose(
            unit.player,
            "hazard",
            f"Which model of {unit.name} pays for its Hazardous weapon?",
            options,
            rules=(name,),
            unit=unit.id,
        )
        if chosen is None:
            return
        await backfire(b, unit, int(chosen))


@rule("w40k10.weapon.hazardous", neutral=0)
def tests_due(used: Sequence[Weapon]) -> int:
    """How many Hazardous tests are due."""
    return sum(1 for weapon in used if is_hazardous(weapon))


@rule("w40k10.weapon.hazardous", neutral=True)
def may_pay(w: World10, model: int) -> bool:
    """Whether a model is equipped with a Hazardous weapon."""
    borrowed = [p for item in lent(w, w.unit(int(w.state.models.unit[model]))) for p in item.profiles]
    return any(is_hazardous(x) for x in (*weapons_of(w, model), *borrowed))


async def backfire(b: Battle10, unit: Unit, model: int) -> None:
    """The picked model is destroyed, or suffers mortal wounds instead."""
    name = "w40k10.weapon.hazardous"
    if suffers_instead(b, model):
        await inflict(b, unit, HAZARD_WOUNDS, name, "w40k10.weapon.hazardous_character", first=model)
        return
    b.tell("backfire", f"A Hazardous weapon of {unit.name} destroys its bearer.", name, units=[unit.id])
    await destroy(b, model)


@rule("w40k10.weapon.hazardous_character", neutral=False)
def suffers_instead(w: World10, model: int) -> bool:
    """CHARACTERS, MONSTERS and VEHICLES suffer mortal wounds and are not destroyed outright."""
    return any(model_has_keyword(w, model, k) for k in ("CHARACTER", "MONSTER", "VEHICLE"))


HAZARDS: Final = Hazards(
    name="Hazardous",
    fails=HAZARD_ROLL,
    wounds=HAZARD_WOUNDS,
    tests=tests_due,
    pays=may_pay,
    hurt_only=suffers_instead,
    bodies=bodies,
    rules=("w40k10.weapon.hazardous", "w40k10.weapon.hazardous_character"),
)
