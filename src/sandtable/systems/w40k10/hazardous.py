"""Hazardous weapons: tests after the attacks, and who pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import Option
from sandtable.battle.rolls import Each
from sandtable.forty.odds.backfires import Hazards
from sandtable.forty.rerolls import offer_reroll
from sandtable.forty.state import called
from sandtable.rules import rule
from sandtable.systems.w40k10.allocate_and_save import who_can_take
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.destroyed import destroy
from sandtable.systems.w40k10.mortal_wounds import bodies, inflict
from sandtable.systems.w40k10.shooting_targets import lent
from sandtable.systems.w40k10.state import Battle10, Unit, World10, weapons_of
from sandtable.systems.w40k10.weapon_abilities import is_hazardous

HAZARD_ROLL: Final = 1
HAZARD_WOUNDS: Final = 3


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
        options = [Option(m, called(b, m)) for m in victims]
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
