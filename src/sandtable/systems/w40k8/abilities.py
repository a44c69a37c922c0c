"""What abilities of units and of their weapons do to the rolls of attacks."""

from __future__ import annotations

from typing import Final

from sandtable.armies.effects import (
    Allow,
    Characteristic,
    FeelNoPain,
    Forbid,
    Heal,
    Invulnerable,
    LendLeadership,
    Mark,
    Modify,
    MortalWounds,
    Reroll,
    ReturnModels,
    WeaponAbility,
)
from sandtable.attack.tables import Rerolls
from sandtable.attack.volley import FACES
from sandtable.forty.effects.attack_rolls import Working, modifiers
from sandtable.forty.effects.conditions import ABOUT_MODEL
from sandtable.forty.effects.edges import WORDS as EDGES
from sandtable.forty.effects.enforced import IN_ATTACKS, Enforced
from sandtable.forty.overheating import OVERHEATS
from sandtable.forty.weapon_words import (
    AGAIN,
    ANTI_AIR,
    AUTOMATIC,
    EXTRA,
    INDIRECT,
    MOST_EXTRA,
    ONE_SHOT,
    SNIPER,
    UNWIELDY,
    added_by_weapon,
    again_by_weapon,
)
from sandtable.rules import rule
from sandtable.systems.w40k8.auras import WORDS
from sandtable.systems.w40k8.datasheet import Weapon
from sandtable.systems.w40k8.shot import Shot
from sandtable.systems.w40k8.state import World8

PLAGUE: Final = "plague weapon"
READ: Final = ("M", "WS", "BS", "S", "T", "A", "Ld", "Sv")
"""Characteristics of models that abilities change."""
CORE: Final = ("disgustingly resilient", "cataphractii armour", "nurgle's gift", "teleport strike")
"""Abilities that sheets name and that are played."""
ENFORCED: Final = Enforced(
    weapon_abilities=(
        AUTOMATIC,
        UNWIELDY,
        PLAGUE,
        INDIRECT,
        SNIPER,
        ONE_SHOT,
        ANTI_AIR,
        *AGAIN,
        *(f"{EXTRA} {n}" for n in range(1, MOST_EXTRA + 1)),
        *(f"hits {n} on {face}" for n in range(2, MOST_EXTRA + 1) for face in FACES),
        "hits on ",
        "wounds on ",
        "rolls ",
        "another roll on ",
        "to hit +",
        *EDGES,
        OVERHEATS,
    ),
    before_targets=(EXTRA, INDIRECT, SNIPER),
    granted=(),
    kinds=(
        Reroll,
        Modify,
        Characteristic,
        WeaponAbility,
        FeelNoPain,
        Invulnerable,
        Allow,
        Forbid,
        LendLeadership,
        Mark,
        MortalWounds,
        Heal,
        ReturnModels,
    ),
    core=CORE,
    moments=(
        "turn_start",
        "movement",
        "movement_end",
        "shooting",
        "shot",
        "charged",
        "fight",
        "fight_end",
        "phase_end",
        "slain",
        "manifested",
    ),
    conditions=frozenset((*WORDS.unit, *WORDS.attack, ABOUT_MODEL)),
    rolls=("hit", "wound", "save", "charge", "advance", "morale", "psychic", "deny", "reanimation"),
    by_target=(*IN_ATTACKS, "charge", "deny"),
    model_stats=READ,
    weapon_stats=("AP", "D"),
    allowed=(
        "advance_and_shoot",
        "advance_and_charge",
        "fall_back_and_charge",
        "fall_back_and_shoot",
        "pass_morale",
        "pass_for_wounds",
        "stay_on_6",
        "move_and_fire_heavy",
        "advance_and_fire_assault",
        "advance_6",
        "pile_in_6",
    ),
    forbidden=("shoot", "charge", "strike", "be_charged", "be_struck"),
)


# --- Rolls ------------------------------------------------------------------------------------------------------------


def added_by(w: World8, found: Working, roll: str, shot: Shot) -> list[tuple[int, str]]:
    """What abilities of both units and of the weapon add to a roll."""
    own = added_by_weapon(w, shot.weapon, w.unit(shot.target)) if roll == "hit" else []
    return [*modifiers(found, roll), *own]


def again_by(found: Working, roll: str, weapon: Weapon) -> list[Rerolls]:
    """Which of these rolls they let be made again."""
    plague = plagued(weapon) if roll == "wound" else []
    return [*(a.effect.faces for a in found.rerolls if a.effect.roll == roll), *again_by_weapon(weapon, roll), *plague]


@rule("w40k8.gap.plague_weapon", neutral=())
def plagued(weapon: Weapon) -> list[Rerolls]:
    """Wound rolls of 1 with a Plague Weapon are made again."""
    return ["ones"] if PLAGUE in weapon.abilities else []
