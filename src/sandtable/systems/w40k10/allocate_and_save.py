"""The target of an attack: who takes it, saving throws and Feel No Pain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from sandtable.attack.tables import save_needed
from sandtable.attack.volley import NEVER, Body, Target, Why
from sandtable.battle.kept import PLACES, SETUP, kept
from sandtable.forty.casualties import casualty_order
from sandtable.forty.effects import saves as bodies
from sandtable.forty.effects.saves import Guard, Saves
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.state import is_attached
from sandtable.rules import rule
from sandtable.systems.w40k10 import cover, weapons
from sandtable.systems.w40k10.attack_reasons import why_armoured, why_no_pain, why_warded
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.coherency import coherency_of
from sandtable.systems.w40k10.concepts import engaged_enemies
from sandtable.systems.w40k10.datasheet import Sheet
from sandtable.systems.w40k10.shot import Batch, Shot
from sandtable.systems.w40k10.state import ALLOCATED, Unit, World10, sheet_of, weapons_of

INVULNERABLE: Final = "invulnerable"
"""Kind of effect."""


# --- The target -------------------------------------------------------------------------------------------------------


def target_of(
    w: World10, unit: Unit, target: Unit, batches: Sequence[Batch], current: int = -1, *, most: int = 0
) -> Target:
    """The target's models as attacks see them, with one class of saving throw for each batch.

    `current` is the batch that is about to be resolved; -1 for all of them together. `most` is for estimates, which
    look at the first models only; 0 for all.
    """
    kits = w.setup.data.kits
    known: dict[tuple[object, ...], Body] = {}
    cites = dict.fromkeys(("w40k10.attack.armour_save", "w40k10.attack.allocate_free"))
    guard = bodies.guard_of(w, target, _attack(unit, target, batches))
    idle = guard.idle
    hurts = _hurts(batches, current)
    pain_cites = dict.fromkeys(("w40k10.attack.feel_no_pain",))
    found = []
    # Estimates cite nothing.
    cited: Iterable[int] = () if most else (current,) if current >= 0 else range(len(batches))
    models = who_can_take(w, target)[: most or None]
    shelters = [()] * len(models) if batches and batches[0][0].melee else cover.shelters(w, unit, target, models)
    for m, shelter in zip(models, shelters, strict=True):
        key = (kits[m].sheet, m in target.leader, shelter, () if idle else guard.kind(w, m))
        if key in known:
            found.append(_alike(w, known[key], m))
            continue
        against = [saves_against(w, guard, m, batch[0]) for batch in batches]
        throws = [throw(w, target, batch[0], shelter, own, NEVER) for batch, own in zip(batches, against, strict=True)]
        for k in cited:
            cites.update(dict.fromkeys(_why_saved(w, target, m, batches[k][0], shelter, against[k], throws[k].face)))
        again: tuple[int, ...] = ()
        names: tuple[str, ...] = ()
        if not idle:
            again, names = bodies.save_reroll(w, guard, m)
            cites.update(dict.fromkeys(names))
            pain_cites.update(dict.fromkeys(bodies.pain_of(w, guard.pain, m, pain(w, m), *hurts).names))
        known[key] = body(w, target, m, throws, guard, hurts, again, names)
        found.append(known[key])
    return Target(tuple(found), keeps=True, cites=tuple(cites), pain_cites=tuple(pain_cites))


def _alike(w: World10, like: Body, model: int) -> Body:
    """A model that differs from another one only in what happened to it."""
    wounds = int(w.state.models.wounds[model])
    return msgspec.structs.replace(like, model=model, wounds=wounds, marked=must_take_it(w, model))


def _attack(unit: Unit, target: Unit, batches: Sequence[Batch]) -> AttackMade:
    """The attacks of all batches, as abilities of the target see them."""
    strength = max((batch[0].weapon.strength for batch in batches), default=0)
    first = batches[0][0] if batches else Shot(target=target.id)
    return AttackMade(unit.id, target.id, first.melee, strength=strength, toughness=first.toughness)


def _hurts(batches: Sequence[Batch], current: int) -> tuple[bool, bool]:
    """Whether the wounds, and whether the mortal wounds, come from Psychic Attacks."""
    now = batches[current : current + 1] if current >= 0 else batches
    mortal = [batch for batch in batches if weapons.devastating_wounds(batch[0].weapon)]
    return _psychic(now), _psychic(mortal)


def _psychic(batches: Sequence[Batch]) -> bool:
    return bool(batches) and all(weapons.is_psychic(batch[0].weapon) for batch in batches)


def _why_saved(
    w: World10, target: Unit, model: int, shot: Shot, shelter: tuple[str, ...], own: Saves, needed: int
) -> Iterator[str]:
    """The rules and abilities behind what a model's saving throw needs against a shot."""
    if shot.plunging:
        yield "w40k10.terrain.ruins_plunging_fire"
    if not protected(w, target, model):
        yield from own.names
    yield from _why_covered(w, target, model, shot, shelter, own, needed)
    if (given := w.effects(INVULNERABLE, target.id)) and needed != saving_throw(
        w, target, model, shot, shelter, saves=own, given=False
    ):
        yield "w40k10.attack.invulnerable"
        yield from (e.source for e in given)


def _why_covered(
    w: World10, target: Unit, model: int, shot: Shot, shelter: tuple[str, ...], own: Saves, needed: int
) -> Iterator[str]:
    """What to cite about cover: where it counts, or why it does not."""
    sources = _all_shelter(shot, shelter)
    if not sources:
        return
    if own.bare:
        yield from own.bared
    elif weapons.ignores_cover(shot.weapon):
        yield "w40k10.weapon.ignores_cover"
    elif saving_throw(w, target, model, shot, (), saves=own._replace(bare=True)) != needed:
        yield from (sources[0], "w40k10.terrain.cover")
    elif cover.too_good_for_cover(own.save, ap_that_counts(w, shot, own.ap)):
        yield "w40k10.terrain.cover_good_armour"


def _all_shelter(shot: Shot, shelter: tuple[str, ...]) -> tuple[str, ...]:
    """What gives cover: terrain and effects, and Indirect Fire at a target that is not seen."""
    return (*shelter, "w40k10.weapon.indirect_penalty") if unseen_penalty(shot) else shelter


def body(
    w: World10,
    target: Unit,
    model: int,
    throws: Sequence[Throw] = (),
    guard: Guard | None = None,
    hurts: tuple[bool, bool] = (False, False),
    again: tuple[int, ...] = (),
    again_by: tuple[str, ...] = (),
) -> Body:
    """A model as attacks see it, and mortal wounds from anywhere."""
    sheet = sheet_of(w, model)
    found = bodies.pains(w, target) if guard is None else guard.pain
    hurt = bodies.pain_of(w, found, model, pain(w, model), *hurts)
    return Body(
        model,
        int(w.state.models.wounds[model]),
        sheet.wounds,
        tuple(t.face for t in throws),
        again,
        hurt.normal,
        hurt.mortal if hurt.mortal != hurt.normal else 0,
        marked=must_take_it(w, model),
        rank=int(protected(w, target, model)),
        group=sheet.name,
        save_why=tuple(t.why for t in throws),
        save_reroll_cites=again_by,
        pain_why=why_no_pain(hurt) if hurt.names else (),
    )


@rule("w40k10.attack.allocate_free", neutral=())
def who_can_take(w: World10, target: Unit) -> tuple[int, ...]:
    """Any model of the target, seen or not, in range or not, in the order in which its owner would rather lose them."""
    game = w.state.game
    return _casualties(w, target, game.markers, game.removed)


@kept(PLACES)
def _casualties(
    w: World10, target: Unit, markers: tuple[tuple[int, int, int], ...], removed: tuple[int, ...]
) -> tuple[int, ...]:
    return casualty_order(w, target, coherency_of, engaged_enemies)


@rule("w40k10.attack.allocate_forced", neutral=False)
def must_take_it(w: World10, model: int) -> bool:
    """A model that was given an attack this phase takes the next one, too."""
    return bool(w.state.models.mark[model] & ALLOCATED)


@rule("w40k10.ability.leader_allocation", neutral=False)
def protected(w: World10, target: Unit, model: int) -> bool:
    """CHARACTER models of an Attached unit are safe while the Bodyguard stands."""
    return model in target.leader and is_attached(w, target)


@rule("w40k10.attack.feel_no_pain", neutral=NEVER)
def pain(w: World10, model: int) -> int:
    """What a wound that would be lost needs to be ignored; of several such abilities only the best is used."""
    return _own_pain(w, model)


@kept(SETUP)
def _own_pain(w: World10, model: int) -> int:
    return weapons.feel_no_pain(sheet_of(w, model))


def pain_names(w: World10, target: Unit, models: Sequence[int]) -> tuple[str, ...]:
    """The abilities whose Feel No Pain works for models outside of attacks."""
    if not (found := bodies.pains(w, target)):
        return ()
    kept = [bodies.pain_of(w, found, m, pain(w, m), False, False).names for m in models]
    return tuple(dict.fromkeys(name for names in kept for name in names))


# --- Saving throws ----------------------------------------------------------------------------------------------------


def saves_against(w: World10, guard: Guard, model: int, shot: Shot) -> Saves:
    """What decides a model's saving throw against a shot, abilities included."""
    return bodies.saves_of(w, guard, model, shot.weapon, armour_penetration(shot))


def saving_throw(
    w: World10,
    target: Unit,
    model: int,
    shot: Shot,
    shelter: tuple[str, ...],
    inv: int = NEVER,
    *,
    saves: Saves | None = None,
    given: bool = True,
) -> int:
    """The face that saves a model, by armour or by an invulnerable save, whichever is better.

    Without `given` the invulnerable saves that Stratagems give are left out.
    """
    if saves is None:
        unit = w.unit(int(w.state.models.unit[shot.model]))
        saves = saves_against(w, bodies.guard_of(w, target, _attack(unit, target, [(shot,)])), model, shot)
    return throw(w, target, shot, shelter, saves, inv, given).face


class Throw(NamedTuple):
    """A saving throw: the face that is needed, and what it is made of."""

    face: int
    why: Why


def throw(
    w: World10,
    target: Unit,
    shot: Shot,
    shelter: tuple[str, ...],
    saves: Saves,
    inv: int,
    given: bool = True,
) -> Throw:
    """The saving throw of a model whose `saves` are known."""
    shelter = _all_shelter(shot, shelter)
    covered = 0
    if not shot.melee and not saves.bare and not weapons.ignores_cover(shot.weapon):
        ap = ap_that_counts(w, shot, saves.ap)
        covered = sum(cover.cover_bonus(saves.save, ap) for _ in cover.once(shelter))
    bonus = saves.bonus + covered
    if w.option("save-cap") == "bonuses":
        bonus = min(bonus, BOOK.best_save_bonus)
    ward = min(inv, invulnerable(w, target, saves.invulnerable) if given else saves.invulnerable)
    by_armour = armour_save(saves.save, saves.ap, bonus)
    by_ward = ward - saves.bonus if ward < NEVER else NEVER
    needed = max(min(by_armour, by_ward), BOOK.lost_save + 1)
    if by_ward < by_armour:
        by = saves.ward_by if ward == saves.invulnerable else _granted(w, target, ward)
        return Throw(needed, why_warded(ward, by, saves.added))
    return Throw(needed, why_armoured(saves, covered, shot.plunging, needed))


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
    return save_needed(save, ap, bonus, best=BOOK.best_save_bonus, never=BOOK.lost_save)


def plain_save(sheet: Sheet, ap: int) -> int:
    """The face that saves a model of a datasheet when nothing else is at work."""
    return max(min(armour_save(sheet.save, ap, 0), sheet.invulnerable or NEVER), BOOK.lost_save + 1)


@rule("w40k10.attack.invulnerable", neutral=NEVER)
def invulnerable(w: World10, target: Unit, own: int) -> int:
    """The best invulnerable save of a model: `own` comes from datasheets and abilities, others from Stratagems."""
    return min(own, NEVER, *(int(e.value) for e in w.effects(INVULNERABLE, target.id)))


@rule("w40k10.terrain.ruins_plunging_fire", neutral=0)
def armour_penetration(shot: Shot) -> int:
    """The weapon's AP, one better from high up in ruins."""
    return shot.weapon.ap - (1 if shot.plunging else 0)


@rule("w40k10.weapon.indirect_penalty", neutral=0)
def unseen_penalty(shot: Shot) -> int:
    """Indirect Fire at what nobody of the unit sees: no other weapon can be aimed at it."""
    return -1 if shot.unseen else 0
