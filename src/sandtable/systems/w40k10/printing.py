"""What players see of a unit and of the score, as 10th edition prints it, and what short accounts list."""

from __future__ import annotations

from functools import partial
from typing import Final

from sandtable.battle.system import Mark
from sandtable.forty.briefly import Brevity
from sandtable.forty.cards import Printing, badge, deeds, points, profile, weapon
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, NORMAL

DONE: Final = {ADVANCE: "Advanced", FALL_BACK: "Fell Back", NORMAL: "moved"}


BADGE: Final = partial(
    badge,
    shocked=Mark("shocked", "Battle-shocked", "w40k10.command.battleshock_oc"),
    charged=Mark("charged", "charged this turn", "w40k10.charge.bonus"),
    moves={
        ADVANCE: Mark("advanced", "Advanced this turn", "w40k10.move.advance_limits"),
        FALL_BACK: Mark("fell back", "Fell Back this turn", "w40k10.move.fall_back_limits"),
    },
)
PRINTING: Final = Printing(
    partial(profile, invulnerable="inv"), weapon, partial(deeds, shocked="Battle-shocked", moves=DONE), points, BADGE
)
BREVITY: Final = Brevity(
    left_out=frozenset(("battle_shocked",)),
    moves={"w40k10.move.normal": "move", "w40k10.move.advance": "Advance", "w40k10.move.fall_back": "Fall Back"},
)
