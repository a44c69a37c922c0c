"""Hazard rolls (06.03)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.attack.volley import FACES
from sandtable.battle import Reason
from sandtable.battle.rolls import Each
from sandtable.battle.verdict import Fact
from sandtable.forty.passengers import living
from sandtable.forty.rerolls import offer_reroll
from sandtable.kit.grammar import counted
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.mortal_wounds import inflict
from sandtable.systems.w40k11.moving import is_big
from sandtable.systems.w40k11.state import Battle11, Unit, World11


class HAZARD(Facts):
    """What the book states about hazard rolls."""

    fails = fact(2, "w40k11.hazard.roll", neutral=0)
    """Up to this face a hazard roll fails."""
    wounds = fact(1, "w40k11.hazard.roll", neutral=0)
    """The mortal wounds of each failure..."""
    big_wounds = fact(3, "w40k11.hazard.roll", neutral=0)
    """...and where all models are MONSTERS or VEHICLES."""


@rule("w40k11.hazard.roll", "w40k11.weapon.hazardous")
async def hazard_rolls(b: Battle11, unit: Unit, count: int, source: str) -> None:
    """So many hazard rolls for a unit, all at once; each failure costs it mortal wounds."""
    if not count or not living(b, unit):
        return
    safe = HAZARD.fails + 1
    read = Each("failed", needed=safe, failures=True)
    faces = b.roll(count, "hazard", unit.player, rules=("w40k11.hazard.roll", source), read=read)
    faces = await offer_reroll(b, unit, "hazard", faces, sum_=False, need=safe, read=read)
    failed = sum(face <= HAZARD.fails for face in faces)
    await inflict(b, unit, failed * wounds_of_each(b, unit), "w40k11.hazard.roll", source)


def expected_hazards(w: World11, unit: Unit, models: Sequence[int], source: str) -> Reason:
    """What a hazard roll for each of some models may cost, for who thinks about it."""
    rolls, each = len(models), wounds_of_each(w, unit)
    costs = f"a roll of {HAZARD.fails} or less costs the unit {counted(each, 'mortal wound')}"
    facts: dict[str, Fact] = {"rolls": rolls, "mortal_wounds": round(rolls * each * HAZARD.fails / len(FACES), 2)}
    return Reason(f"{counted(rolls, 'hazard roll')}: {costs}.", (source, "w40k11.hazard.roll"), facts, tuple(models))


def wounds_of_each(w: World11, unit: Unit) -> int:
    """What each failure costs a unit."""
    return HAZARD.big_wounds if all(is_big(w, m) for m in living(w, unit)) else HAZARD.wounds
