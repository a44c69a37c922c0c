"""Saves and damage (05.03, 05.04): who takes attacks in which order, save rolls, Feel No Pain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from sandtable.attack.tables import save_needed
from sandtable.attack.volley import NEVER, Target
from sandtable.forty.casualties import casualty_order
from sandtable.forty.effects.saves import Guard, Saves, guard_of, saves_of
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.facing import Facing, Throw, faced, own_pain, psychic_hurts, why_ignoring
from sandtable.forty.why import Limit, SaveRules, limits_of_save, why_armoured, why_warded
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.coherency import coherency_of
from sandtable.systems.w40k11.concepts import model_has_keyword
from sandtable.systems.w40k11.datasheet import Sheet, Weapon
from sandtable.systems.w40k11.engagement import engaged_enemies
from sandtable.systems.w40k11.shot import NO_WEAPON, Batch, Shot
from sandtable.systems.w40k11.state import Unit, World11, sheet_of

SAVE: Final = "w40k11.seq.save"
RULES: Final = SaveRules(SAVE, SAVE, SAVE, limits="w40k11.gap.modifier_caps", lost=SAVE)


class SAVES(Facts):
    """What the book states about saves."""

    best_bonus = fact(1, "w40k11.gap.modifier_caps", neutral=NEVER)
    """All that changes a save together never makes it better than this."""
    lost = fact(1, "w40k11.seq.save", neutral=0)
    """Up to this bare face a save is lost in every case."""


def target_of(
    w: World11, unit: Unit, target: Unit, batches: Sequence[Batch], current: int = -1, *, most: int = 0
) -> Target:
    """The target's models as attacks see them, with one class of saving throw for each batch.

    `current` is the batch that is about to be resolved; -1 for all of them together. `most` is for estimates, which
    look at the first models only; 0 for all.
    """
    shots = [batch[0] for batch in batches]
    guard = guard_of(w, target, _attack(unit, target, shots))
    models = who_can_take(w, target)[: most or None]

    def throws(m: int) -> list[Throw]:
        return [throw(saves_of(w, guard, m, shot.weapon, shot.weapon.ap)) for shot in shots]

    kinds = [rank(w, target, m) for m in models]
    hurts = psychic_hurts(shots, current, weapons.devastating_wounds, weapons.is_psychic)
    alike = partial(group, w, guard, shots[-1].weapon if shots else NO_WEAPON)
    return faced(w, FACING, target, models, guard, throws, kinds, hurts, alike)


def _attack(unit: Unit, target: Unit, shots: Sequence[Shot]) -> AttackMade:
    """All attacks, as abilities of the target see them."""
    strength = max((shot.weapon.strength for shot in shots), default=0)
    return AttackMade(unit.id, target.id, bool(shots) and shots[0].melee, strength=strength)


# --- Who takes attacks ------------------------------------------------------------------------------------------------


def who_can_take(w: World11, target: Unit) -> tuple[int, ...]:
    """Any model of the target, in the order in which its owner would rather lose them."""
    return casualty_order(w, target, coherency_of, engaged_enemies)


@rule("w40k11.seq.alloc_order", "w40k11.mortal.selection", neutral=0)
def rank(w: World11, target: Unit, model: int) -> int:
    """No CHARACTER goes before a model that is none."""
    return int(model_has_keyword(w, model, "CHARACTER"))


@rule("w40k11.seq.groups", neutral=())
def group(w: World11, guard: Guard, weapon: Weapon, model: int) -> tuple[int, ...]:
    """What models other than CHARACTERS have in common that take attacks together: W, Sv and InSv."""
    own = saves_of(w, guard, model, weapon, weapon.ap)
    return sheet_of(w, model).wounds, own.save, own.invulnerable


@rule("w40k11.unit.feel_no_pain", neutral=NEVER)
def pain(w: World11, model: int) -> int:
    """What a wound that would be lost needs to be kept."""
    return own_pain(w, model)


FACING: Final = Facing(
    who_can_take,
    pain,
    keeps=False,
    cites=("w40k11.seq.save", "w40k11.seq.alloc_order"),
    pain_cites=partial(why_ignoring, "w40k11.unit.feel_no_pain"),
    rank=rank,
)


# --- Save rolls -------------------------------------------------------------------------------------------------------


def throw(saves: Saves) -> Throw:
    """The save of a model: both its saves are tried on one die."""
    by_armour, by_ward = armour_save(saves.save, saves.ap, saves.bonus), invulnerable(saves)
    least = SAVES.lost + 1
    limit = Limit(max(min(by_armour, by_ward), least), least)
    if by_ward < by_armour:
        why = why_warded(RULES, saves.invulnerable, saves.ward_by, limit, saves.bonus, saves.added)
    else:
        why = why_armoured(RULES, saves, 0, limit)
    return Throw(limit.needed, why, (*saves.names, *limits_of_save(RULES, why)))


@rule("w40k11.seq.save", neutral=NEVER)
def armour_save(save: int, ap: int, bonus: int) -> int:
    """The face that saves by Sv, after the AP."""
    return save_needed(save, ap, bonus, best=SAVES.best_bonus, never=SAVES.lost)


@rule("w40k11.seq.save", "w40k11.gap.multiple_saves", "w40k11.datasheet.profile", neutral=NEVER)
def invulnerable(saves: Saves) -> int:
    """The face that saves by InSv, whatever the AP."""
    return saves.invulnerable - min(saves.bonus, SAVES.best_bonus) if saves.invulnerable < NEVER else NEVER


def plain_save(sheet: Sheet, ap: int) -> int:
    """The face that saves a model of a datasheet when nothing else is at work."""
    return max(min(armour_save(sheet.save, ap, 0), sheet.invulnerable or NEVER), SAVES.lost + 1)
