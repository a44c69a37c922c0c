"""The circumstances of an attack that a question about odds can name, such as cover or a charge."""

from __future__ import annotations

from typing import Final

from sandtable.forty.odds import circumstances as usual
from sandtable.forty.odds.circumstances import OVERCHARGE, Circumstance, declared, effects, flag
from sandtable.forty.odds.matchups import Modifier
from sandtable.systems.w40k11.attack_sequence import HIT_MODIFIER, WOUND_MODIFIER
from sandtable.systems.w40k11.cover import COVER
from sandtable.systems.w40k11.state import ADVANCE

PLUNGING, ENGAGED = "plunging", "engaged"
IN_COVER: Final = "w40k11.terrain.cover"

CIRCUMSTANCES: Final = (
    Circumstance(
        Modifier(
            "cover", "the target has cover", (IN_COVER, "w40k11.terrain.cover_effect"), melee=False,
            also=("benefit of cover", "in cover"),
        ),
        effects((COVER, 1), rule=IN_COVER, on_target=True),
    ),
    usual.half_range("w40k11.weapon.rapid_fire", "w40k11.weapon.melta", also=("melta",)),
    usual.advanced(ADVANCE, "w40k11.shoot.assault", "w40k11.weapon.assault"),
    usual.charged(flag("charged", True), "w40k11.charge.move", "w40k11.weapon.lance", also=("lance",)),
    declared(PLUNGING, "the attacker fires down from above", "w40k11.ability.plunging_fire", also=("plunging fire",)),
    declared(
        ENGAGED, "big guns are fired in a melee, or into one", "w40k11.mv.shoot_at_engaged", also=("big guns",)
    ),
    declared(
        OVERCHARGE, "Hazardous profiles are used too", "w40k11.weapon.hazardous",
        also=("supercharge", "hazardous", "overcharged", "supercharged"),
    ),
    *usual.added("hit", HIT_MODIFIER, "w40k11.gap.modifier_caps", (1, -1)),
    *usual.added("wound", WOUND_MODIFIER, "w40k11.gap.modifier_caps", (1, -1)),
    *usual.rerolls("w40k11.gap.rerolls"),
)  # fmt: skip
