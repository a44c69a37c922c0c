"""Big Guns Never Tire: MONSTERS and VEHICLES shoot, and are shot at, in a combat."""

from __future__ import annotations

from sandtable.rules import rule
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.core_concepts import has_keyword
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import Unit, World10


def is_big(w: World10, unit: Unit) -> bool:
    """Whether a unit is a MONSTER or VEHICLE."""
    return has_keyword(w, unit, "MONSTER") or has_keyword(w, unit, "VEHICLE")


@rule("w40k10.shoot.bgnt_target", neutral=False)
def big_target(w: World10, enemy: Unit) -> bool:
    """MONSTERS and VEHICLES may be shot at in a combat."""
    return is_big(w, enemy)


@rule("w40k10.shoot.bgnt_shooter", neutral=False)
def shoots_engaged(w: World10, unit: Unit) -> bool:
    """MONSTERS and VEHICLES shoot while engaged."""
    return is_big(w, unit)


@rule("w40k10.shoot.bgnt_penalty", neutral=0)
def hampered(shot: Shot) -> int:
    """Big guns are unwieldy in a melee, and shots into one as well; Pistols are not."""
    return 0 if weapons.is_pistol(shot.weapon) else -shot.hampered
