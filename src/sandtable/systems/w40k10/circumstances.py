"""The circumstances of an attack that a question about odds can name, such as cover or a charge."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect
from sandtable.forty.odds.circumstances import (
    HALF_RANGE,
    OVERCHARGE,
    OVERWATCH,
    UNSEEN,
    Circumstance,
    effects,
    flag,
    nothing,
    rerolls,
)
from sandtable.forty.odds.matchups import Modifier
from sandtable.systems.w40k10 import melee
from sandtable.systems.w40k10.allocate_and_save import INVULNERABLE
from sandtable.systems.w40k10.cover import COVER
from sandtable.systems.w40k10.hit_and_wound import HIT_MODIFIER, STEALTH, WOUND_MODIFIER
from sandtable.systems.w40k10.state import ADVANCE, STATIONARY, Battle10, Unit
from sandtable.systems.w40k10.stratagems.cards import GROUND_SAVE


def _challenge(b: Battle10, unit: Unit, target: Unit) -> None:
    found = (Effect(melee.CHALLENGE, unit.id, m, source=EPIC) for m in melee.characters(b, unit)[:1])
    b.state.effects += tuple(found)


PLUNGING, BIG_GUNS = "plunging", "big-guns"
CHARGED: Final = ("w40k10.charge.bonus", "w40k10.weapon.lance")
EPIC: Final = "w40k10.strat.epic_challenge"
CAP: Final = ("w40k10.attack.hit_modifier_cap",)
WOUND_CAP: Final = ("w40k10.attack.wound_modifier_cap",)
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
    Circumstance(
        Modifier(
            HALF_RANGE, "all weapons are within half range", ("w40k10.weapon.rapid_fire", "w40k10.weapon.melta"),
            melee=False, also=("rapid fire", "melta", "half", "close range"),
        ),
        nothing,
    ),
    Circumstance(
        Modifier(
            "stationary", "the attacker Remained Stationary", ("w40k10.move.stationary", "w40k10.weapon.heavy"),
            melee=False, also=("heavy", "remained stationary", "remain stationary", "not moved"),
        ),
        flag("moved", STATIONARY),
    ),
    Circumstance(
        Modifier(
            "advanced", "the attacker Advanced", ("w40k10.move.advance_limits", "w40k10.weapon.assault"), melee=False,
            also=("advance", "assault"),
        ),
        flag("moved", ADVANCE),
    ),
    Circumstance(
        Modifier(
            "charged", "the attacker charged this turn", CHARGED, ranged=False,
            also=("charge", "lance", "on the charge"),
        ),
        flag("charged", True),
    ),
    Circumstance(
        Modifier(
            OVERWATCH, "the attacker fires Overwatch", ("w40k10.strat.fire_overwatch",), melee=False,
            also=("fire overwatch",),
        ),
        nothing,
    ),
    Circumstance(
        Modifier(
            UNSEEN, "nobody sees the target", ("w40k10.weapon.indirect_penalty",), melee=False,
            also=("indirect", "indirect fire", "out of sight", "no line of sight"),
        ),
        nothing,
    ),
    Circumstance(
        Modifier(PLUNGING, "the attacker fires down from ruins", ("w40k10.terrain.ruins_plunging_fire",), melee=False,
                 also=("plunging fire",)),
        nothing,
    ),
    Circumstance(
        Modifier(
            BIG_GUNS, "big guns are fired in a melee", ("w40k10.shoot.bgnt_penalty",), melee=False,
            also=("big guns never tire",),
        ),
        nothing,
    ),
    Circumstance(
        Modifier(
            OVERCHARGE, "Hazardous profiles are used too", ("w40k10.weapon.hazardous",), melee=False,
            also=("supercharge", "hazardous", "overcharged", "supercharged"),
        ),
        nothing,
    ),
    Circumstance(
        Modifier("hit+1", "+1 to hit", CAP, also=("+1 to hit", "+1 hit")),
        effects((HIT_MODIFIER, 1), rule=CAP[0], on_target=False),
    ),
    Circumstance(
        Modifier("hit-1", "-1 to hit", CAP, also=("-1 to hit", "-1 hit")),
        effects((HIT_MODIFIER, -1), rule=CAP[0], on_target=False),
    ),
    Circumstance(
        Modifier("stealth", "the target has Stealth", (HIDDEN,), melee=False),
        effects((STEALTH, 1), rule=HIDDEN, on_target=True),
    ),
    Circumstance(
        Modifier("wound+1", "+1 to wound", WOUND_CAP, also=("+1 to wound", "+1 wound")),
        effects((WOUND_MODIFIER, 1), rule=WOUND_CAP[0], on_target=False),
    ),
    Circumstance(
        Modifier("wound-1", "-1 to wound", WOUND_CAP, also=("-1 to wound", "-1 wound")),
        effects((WOUND_MODIFIER, -1), rule=WOUND_CAP[0], on_target=False),
    ),
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
