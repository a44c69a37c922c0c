"""What players see of a unit and of the score, as 11th edition prints it, and what short accounts list."""

from __future__ import annotations

from functools import partial
from typing import Final

from sandtable.battle.system import Mark
from sandtable.forty.briefly import Brevity
from sandtable.forty.cards import Printing, badge, deeds, points, profile, weapon
from sandtable.systems.w40k11.state import ADVANCE, FALL_BACK, NORMAL

DONE: Final = {ADVANCE: "Advanced", FALL_BACK: "fell back", NORMAL: "moved"}


BADGE: Final = partial(
    badge,
    shocked=Mark("shocked", "battle-shocked", "w40k11.concept.battleshocked"),
    charged=Mark("charged", "charged this turn", "w40k11.charge.fights_first"),
    moves={
        ADVANCE: Mark("advanced", "Advanced this turn", "w40k11.movephase.advance"),
        FALL_BACK: Mark("fell back", "fell back this turn", "w40k11.movephase.fall_back"),
    },
)
PRINTING: Final = Printing(
    partial(profile, invulnerable="InSv"), weapon, partial(deeds, shocked="battle-shocked", moves=DONE), points, BADGE
)
BREVITY: Final = Brevity(
    left_out=frozenset(("battle_shocked",)),
    moves={
        "w40k11.movephase.normal": "move",
        "w40k11.movephase.advance": "Advance",
        "w40k11.movephase.fall_back": "fall back",
        "w40k11.movephase.desperate_escape": "escape",
    },
)
