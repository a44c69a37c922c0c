"""The circumstances of an attack that a question about odds can name, such as cover or a charge."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect
from sandtable.forty.odds.circumstances import (
    OVERCHARGE,
    UNSEEN,
    Circumstance,
    added,
    advanced,
    charged,
    declared,
    effects,
    flag,
    half_range,
    overwatch,
    rerolls,
)
from sandtable.forty.odds.matchups import Modifier
from sandtable.systems.w40k10 import melee_attacks
from sandtable.systems.w40k10.abilities.stealth import STEALTH
from sandtable.systems.w40k10.allocate_and_save import INVULNERABLE
from sandtable.systems.w40k10.hit_and_wound import HIT_MODIFIER, WOUND_MODIFIER
from sandtable.systems.w40k10.state import ADVANCE, STATIONARY, Battle10, Unit
from sandtable.systems.w40k10.stratagems.using_stratagems import GROUND_SAVE
from sandtable.systems.w40k10.terrain.benefit_of_cover import COVER


def _challenge(b: Battle10, unit: Unit, target: Unit) -> None:
    found = (Effect(melee_attacks.CHALLENGE, unit.id, m, source=EPIC) for m in melee_attacks.characters(b, unit)[:1])
    b.state.effects += tuple(found)


PLUNGING, BIG_GUNS = "plunging", "big-guns"
EPIC: Final = "w40k10.strat.epic_challenge"
GROUND: Final = "w40k10.strat.go_to_ground"
HIDDEN: Final = "w40k10.ability.stealth"
SMOKE: Final = "w40k10.strat.smokescreen"
IN_COVER: Final = "w40k10.terrain.cover"

CIRCUMSTANCES: Final = (
    Circumstance(
        Modifier(
            "cover", "the target has the Benefit of Cover", (IN_COVER,), melee=False,
            also=("benefit of cover", "in cover", "light cover"),
        ),
        effects((COVER, 1), rule=IN_COVER, on_target=True),
    ),
    half_range("w40k10.weapon.rapid_fire", "w40k10.weapon.melta", also=("melta",)),
    Circumstance(
        Modifier(
            "stationary", "the attacker Remained Stationary", ("w40k10.move.stationary", "w40k10.weapon.heavy"),
            melee=False, also=("heavy", "remained stationary", "remain stationary", "not moved"),
        ),
        flag("moved", STATIONARY),
    ),
    advanced(ADVANCE, "w40k10.move.advance_limits", "w40k10.weapon.assault"),
    charged(flag("charged", True), "w40k10.charge.bonus", "w40k10.weapon.lance", also=("lance",)),
    overwatch("w40k10.strat.fire_overwatch"),
    declared(
        UNSEEN, "nobody sees the target", "w40k10.weapon.indirect_penalty",
        also=("indirect", "indirect fire", "out of sight", "no line of sight"),
    ),
    declared(
        PLUNGING, "the attacker fires down from ruins", "w40k10.terrain.ruins_plunging_fire", also=("plunging fire",)
    ),
    declared(BIG_GUNS, "big guns are fired in a melee", "w40k10.shoot.bgnt_penalty", also=("big guns never tire",)),
    declared(
        OVERCHARGE, "Hazardous profiles are used too", "w40k10.weapon.hazardous",
        also=("supercharge", "hazardous", "overcharged", "supercharged"),
    ),
    *added("hit", HIT_MODIFIER, "w40k10.attack.hit_modifier_cap", (1, -1)),
    Circumstance(
        Modifier("stealth", "the target has Stealth", (HIDDEN,), melee=False),
        effects((STEALTH, 1), rule=HIDDEN, on_target=True),
    ),
    *added("wound", WOUND_MODIFIER, "w40k10.attack.wound_modifier_cap", (1, -1)),
    *rerolls("w40k10.dice.reroll"),
    Circumstance(
        Modifier(
            "go-to-ground", "the target Goes to Ground", (GROUND,),
            melee=False, price=1, by_target=True, needs=("INFANTRY",),
        ),
        effects((INVULNERABLE, GROUND_SAVE), (COVER, 1), rule=GROUND, on_target=True),
    ),
    Circumstance(
        Modifier(
            "smokescreen", "smoke hides the target", (SMOKE,),
            melee=False, price=1, by_target=True, needs=("SMOKE",), also=("smoke",),
        ),
        effects((STEALTH, 1), (COVER, 1), rule=SMOKE, on_target=True),
    ),
    Circumstance(
        Modifier(
            "epic-challenge", "a CHARACTER issues an Epic Challenge", (EPIC,),
            ranged=False, price=1, needs=("CHARACTER",),
        ),
        _challenge,
    ),
)  # fmt: skip
