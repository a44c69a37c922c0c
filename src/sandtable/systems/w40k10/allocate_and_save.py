"""The target of an attack: who takes it, saving throws and Feel No Pain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from sandtable.attack.tables import save_needed
from sandtable.attack.volley import NEVER, Target
from sandtable.forty.casualties import casualty_order
from sandtable.forty.covering import shelters as shelters_of
from sandtable.forty.effects.saves import Saves, guard_of, saves_of
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.facing import Facing, Throw, faced, psychic_hurts, why_ignoring
from sandtable.forty.why import Limit, SaveRules, limits_of_save, why_armoured, why_warded
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.abilities.feel_no_pain import pain
from sandtable.systems.w40k10.abilities.leader import protected
from sandtable.systems.w40k10.coherency import coherency_of
from sandtable.systems.w40k10.datasheet import Sheet
from sandtable.systems.w40k10.engagement_range import engaged_enemies
from sandtable.systems.w40k10.shot import Batch, Shot
from sandtable.systems.w40k10.state import ALLOCATED, Unit, World10, weapons_of
from sandtable.systems.w40k10.terrain import benefit_of_cover
from sandtable.systems.w40k10.weapon_abilities import unseen_penalty

INVULNERABLE: Final = "invulnerable"
"""Kind of effect."""
RULES: Final = SaveRules(
    "w40k10.attack.armour_save",
    "w40k10.attack.invulnerable",
    "w40k10.terrain.cover",
    limits="w40k10.attack.save_limits",
    lost="w40k10.attack.save_limits",
)


class SAVES(Facts):
    best_save_bonus = fact(1, "w40k10.attack.save_limits", neutral=NEVER)
    """All that changes a save together never makes it better than this."""
    lost_save = fact(1, "w40k10.attack.save_limits", neutral=0)
    """Up to this bare face a save is lost in every case."""


# --- The target -------------------------------------------------------------------------------------------------------


def target_of(
    w: World10, unit: Unit, target: Unit, batches: Sequence[Batch], current: int = -1, *, most: int = 0
) -> Target:
    """The target's models as attacks see them, with one class of saving throw for each batch.

    `current` is the batch that is about to be resolved; -1 for all of them together. `most` is for estimates, which
    look at the first models only and cite nothing; 0 for all.
    """
    shots = [batch[0] for batch in batches]
    guard = guard_of(w, target, _attack(unit, target, shots))
    models = who_can_take(w, target)[: most or None]
    hurts = psychic_hurts(shots, current, weapons.devastating_wounds, weapons.is_psychic)
    melee = bool(shots) and shots[0].melee
    shelters = dict.fromkeys(models, ()) if melee else shelters_of(w, unit, target, models)

    def throws(m: int) -> list[Throw]:
        found = []
        for k, shot in enumerate(shots):
            own = saves_of(w, guard, m, shot.weapon, armour_penetration(shot))
            one = throw(w, target, shot, shelters[m], own)
            cited = not most and current in (-1, k)
            found.append(one._replace(cites=tuple(_cites(w, target, m, shot, shelters[m], own, one))) if cited else one)
        return found

    kinds = [(m in target.leader, shelters[m]) for m in models]
    return faced(w, FACING, target, models, guard, throws, kinds, hurts)


def _attack(unit: Unit, target: Unit, shots: Sequence[Shot]) -> AttackMade:
    """All attacks, as abilities of the target see them."""
    strength = max((shot.weapon.strength for shot in shots), default=0)
    first = shots[0] if shots else Shot(target=target.id)
    return AttackMade(unit.id, target.id, first.melee, strength=strength, toughness=first.toughness)


def _cites(
    w: World10, target: Unit, model: int, shot: Shot, shelter: tuple[str, ...], own: Saves, one: Throw
) -> Iterator[str]:
    """The rules and abilities behind what `one` saving throw of a model needs against a shot."""
    needed = one.face
    if shot.plunging:
        yield "w40k10.terrain.ruins_plunging_fire"
    if not protected(w, target, model):
        yield from own.names
        yield from limits_of_save(RULES, one.why)
    if sources := _all_shelter(shot, shelter):
        if own.bare:
            yield from own.bared
        elif weapons.ignores_cover(shot.weapon):
            yield "w40k10.weapon.ignores_cover"
        elif throw(w, target, shot, (), own._replace(bare=True)).face != needed:
            yield from (sources[0], "w40k10.terrain.cover")
        elif benefit_of_cover.too_good_for_cover(own.save, ap_that_counts(w, shot, own.ap)):
            yield "w40k10.terrain.cover_good_armour"
    given = w.effects(INVULNERABLE, target.id)
    if given and throw(w, target, shot, shelter, own, given=False).face != needed:
        yield from ("w40k10.attack.invulnerable", *(e.source for e in given))


def _all_shelter(shot: Shot, shelter: tuple[str, ...]) -> tuple[str, ...]:
    """What gives cover: terrain and effects, and Indirect Fire at a target that is not seen."""
    return (*shelter, "w40k10.weapon.indirect_penalty") if unseen_penalty(shot) else shelter


@rule("w40k10.attack.allocate_free", neutral=())
def who_can_take(w: World10, target: Unit) -> tuple[int, ...]:
    """Any model of the target, seen or not, in range or not, in the order in which its owner would rather lose them."""
    return casualty_order(w, target, coherency_of, engaged_enemies)


@rule("w40k10.attack.allocate_forced", neutral=False)
def must_take_it(w: World10, model: int) -> bool:
    """A model that was given an attack this phase takes the next one, too."""
    return bool(w.state.models.mark[model] & ALLOCATED)


FACING: Final = Facing(
    who_can_take,
    pain,
    keeps=True,
    cites=("w40k10.attack.armour_save", "w40k10.attack.allocate_free"),
    pain_cites=partial(why_ignoring, "w40k10.attack.feel_no_pain"),
    marked=must_take_it,
    rank=protected,
)


# --- Saving throws ----------------------------------------------------------------------------------------------------


def throw(w: World10, target: Unit, shot: Shot, shelter: tuple[str, ...], saves: Saves, *, given: bool = True) -> Throw:
    """The saving throw of a model, by armour or by an invulnerable save, whichever is better.

    Without `given` the invulnerable saves that Stratagems give are left out.
    """
    shelter = _all_shelter(shot, shelter)
    covered = 0
    if not shot.melee and not saves.bare and not weapons.ignores_cover(shot.weapon):
        ap = ap_that_counts(w, shot, saves.ap)
        covered = sum(benefit_of_cover.cover_bonus(saves.save, ap) for _ in benefit_of_cover.once(shelter))
    bonus = saves.bonus + covered
    if w.option("save-cap") == "bonuses":
        bonus = min(bonus, SAVES.best_save_bonus)
    ward = invulnerable(w, target, saves.invulnerable) if given else saves.invulnerable
    by_armour = armour_save(saves.save, saves.ap, bonus)
    by_ward = ward - min(saves.bonus, SAVES.best_save_bonus) if ward < NEVER else NEVER
    least = SAVES.lost_save + 1
    limit = Limit(max(min(by_armour, by_ward), least), least)
    if by_ward < by_armour:
        by = saves.ward_by if ward == saves.invulnerable else _granted(w, target, ward)
        return Throw(limit.needed, why_warded(RULES, ward, by, limit, saves.bonus, saves.added))
    return Throw(limit.needed, why_armoured(RULES, saves, covered, limit, ("Plunging Fire",) if shot.plunging else ()))


def _granted(w: World10, target: Unit, ward: int) -> str:
    """The Stratagem that an invulnerable save comes from, if it is one."""
    return next((e.source for e in w.effects(INVULNERABLE, target.id) if int(e.value) == ward), "")


def ap_that_counts(w: World10, shot: Shot, ap: int) -> int:
    """The AP that is held against a good save in cover: with all improvements, or as printed."""
    if w.option("cover-ap") == "improved":
        return ap
    return next((x.ap for x in weapons_of(w, shot.model) if x.name == shot.weapon.name), shot.weapon.ap)


@rule("w40k10.attack.armour_save", neutral=NEVER)
def armour_save(save: int, ap: int, bonus: int) -> int:
    """The face that saves by armour."""
    return save_needed(save, ap, bonus, best=SAVES.best_save_bonus, never=SAVES.lost_save)


def plain_save(sheet: Sheet, ap: int) -> int:
    """The face that saves a model of a datasheet when nothing else is at work."""
    return max(min(armour_save(sheet.save, ap, 0), sheet.invulnerable or NEVER), SAVES.lost_save + 1)


@rule("w40k10.attack.invulnerable", neutral=NEVER)
def invulnerable(w: World10, target: Unit, own: int) -> int:
    """The best invulnerable save of a model: `own` comes from datasheets and abilities, others from Stratagems."""
    return min(own, NEVER, *(int(e.value) for e in w.effects(INVULNERABLE, target.id)))


@rule("w40k10.terrain.ruins_plunging_fire", neutral=0)
def armour_penetration(shot: Shot) -> int:
    """The weapon's AP, one better from high up in ruins."""
    return shot.weapon.ap - (1 if shot.plunging else 0)
