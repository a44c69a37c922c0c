"""The attack sequence: from weapons and a target to the tables by which hits, wounds, saves and damage are rolled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import msgspec

from sandtable.armies.effects import Modify
from sandtable.attack.tables import hit_table, save_needed, wound_table
from sandtable.attack.volley import NEVER, Body, DiceSum, HitRoll, Shots, Target, Volley, WoundKind, WoundRoll
from sandtable.battle import GONE, Moment
from sandtable.forty import attacks as shared
from sandtable.forty import weapon_words as words
from sandtable.forty.attacks import Compile, after_attacks, as_changed, attack_made, by_target, in_batches, in_turn
from sandtable.forty.casualties import casualty_order
from sandtable.forty.effects.at_work import changes_model
from sandtable.forty.effects.attack_rolls import Again, Working, best_among, lying_on, with_rerolls, working
from sandtable.forty.effects.characteristics import alike, of_each
from sandtable.forty.effects.edges import Edge, edges, kinds_of, penetrations, with_edges
from sandtable.forty.effects.occasions import falls_hard
from sandtable.forty.effects.saves import Guard, Saves, guard_of, wards_of
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.endings import Endings
from sandtable.forty.facing import Facing, Throw, faced, without_saves
from sandtable.forty.fighters import Sheet, Weapon
from sandtable.forty.hits_and_wounds import compared
from sandtable.forty.moments import MODEL_DESTROYED
from sandtable.forty.overheating import Heat, burn, heat_of
from sandtable.forty.passengers import living
from sandtable.forty.rerolls import offer_batch_reroll
from sandtable.forty.weapon_words import PIERCES_COVER, Added
from sandtable.forty.why import Limit, SaveRules, limits_of_save, why_armoured, why_needed, why_warded
from sandtable.kit.attack.defenders import Due, Outcome
from sandtable.kit.attack.resolving import resolve_all, suffer
from sandtable.kit.attack.rolling import Hooks
from sandtable.kit.grammar import does
from sandtable.reasons import face, modifier
from sandtable.rules import Argument, rule
from sandtable.systems.w40k8 import cover, weapons
from sandtable.systems.w40k8.abilities import plagued
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import close_enemies, together
from sandtable.systems.w40k8.datasheet import HEAVY, number_of, strength_of, value_of
from sandtable.systems.w40k8.dice import amount, open_to_reroll, total
from sandtable.systems.w40k8.only_war import end_if_wiped_out
from sandtable.systems.w40k8.state import Battle8, Unit, World8, sheet_of, unit_of
from sandtable.systems.w40k8.warlord import tenacity
from sandtable.systems.w40k8.weapons import Batch, Shot

# Kinds of effects on a unit.
HIT: Final = "hit"
"""Added to its hit rolls"""
WOUND: Final = "wound"
SAVE: Final = "save"
"""Added to its saving throws by armour"""
AP: Final = "ap"
"""Added to the Armour Penetration of its weapons"""
REROLL_HITS: Final = "reroll_hits"
"""Which of its hit rolls may be made again: ones, failures or all"""
REROLL_WOUNDS: Final = "reroll_wounds"
INVULNERABLE: Final = "invulnerable"
"""An invulnerable save beside that of its datasheet"""
RULES: Final = SaveRules(
    "w40k8.attack.save", "w40k8.attack.invulnerable", "w40k8.cover.bonus", limits="", lost="w40k8.attack.natural_one"
)


@rule("w40k8.attack.sequence", "w40k8.attack.excess", "w40k8.fight.resolve")
async def make_attacks(b: Battle8, unit: Unit, shots: Sequence[Shot]) -> None:
    """Resolve declared attacks: all at one target before those at the next."""
    outcomes, heat = {}, Heat(offer_batch_reroll)
    for number, at_it in by_target(shots, place_of_target):
        outcomes[number] = await _attack(b, unit, b.unit(number), at_it, heat)
    await burn(b, unit, heat, FACING, HOOKS, "w40k8.sheet.abilities")
    await after_attacks(b, unit, shots, outcomes)


async def _attack(b: Battle8, unit: Unit, target: Unit, shots: Sequence[Shot], heat: Heat) -> tuple[Outcome, ...]:
    batches = batches_of(b, unit, target, shots)

    def fired(k: int, batch: Batch) -> Volley:
        word = heat_of(batch[0].weapon.abilities)
        parts = to_hit(b, batch[0], working(b, attack_made(unit, batch[0])))[1] if word else ()
        heat.expect(batch[0].model, word, BOOK.failing_face - sum_of(parts))
        return volley(b, unit, target, batch)

    lots = in_turn(batches, partial(still_made, b, target), fired, lambda k: target_of(b, unit, target, batches[k][:1]))
    hooks = replace(hooks_for(b, target, shots), after_roll=heat.after_roll)
    return await resolve_all(b, lots, hooks, unit=unit.id, against=target.id)


@rule("w40k8.fight.split", "w40k8.shoot.declare", neutral=0)
def place_of_target(targets: Sequence[int], target: int) -> int:
    """All attacks at one target come before those at the next."""
    return targets.index(target)


@rule("w40k8.gap.target_gone", neutral=())
def still_made(w: World8, target: Unit, batch: Batch) -> Batch:
    """Announced attacks are made whatever became of range and sight; they are lost with the last of the target."""
    return batch if w.is_on_table(target) else ()


@rule("w40k8.attack.fast_dice", neutral=())
def likeness(w: World8, shot: Shot) -> tuple[object, ...]:
    """What has to be the same for attacks that are rolled together."""
    strength = strength_of(w, shot.model, shot.weapon)
    alone = shot.model if heat_of(shot.weapon.abilities) else None
    return shot.weapon, shot.half_range, skill(w, shot), strength, hit_modifiers(w, shot), alone, shot.own


def batches_of(w: World8, unit: Unit, target: Unit, shots: Sequence[Shot]) -> tuple[Batch, ...]:
    """Which shots of a unit at one target are rolled together."""
    return in_batches(as_changed(w, unit, target, shots, attack_made), partial(likeness, w))


def tables_of(
    w: World8, unit: Unit, target: Unit, batches: Sequence[Sequence[Shot]], most: int = 0
) -> tuple[tuple[Volley, ...], Target]:
    """What attacks would do, for whoever wants to know: each batch has a class of saving throw of its own."""
    volleys = shared.volleys_of(batches, partial(volley, w, unit, target))
    return volleys, target_of(w, unit, target, [batch[0] for batch in batches], most)


COMPILE: Final = Compile(batches_of, tables_of)


def volley(w: World8, unit: Unit, target: Unit, shots: Sequence[Shot], save_class: int = 0) -> Volley:
    """Attacks that are rolled together, as tables by die face."""
    first = shots[0]
    found = working(w, attack_made(unit, first))
    usual = WoundKind(save_class, None, None, ("w40k8.attack.damage",), BOOK.one_at_a_time)
    return Volley(
        name=f"{unit.name}: {len(shots)} x {first.weapon.name} at {target.name}",
        shots=number_of_attacks(shots),
        hit=hit_roll(w, unit, first, found),
        wound=wound_roll(w, unit, target, first, found),
        kinds=kinds_of(edges_of(w, unit, first, found), save_class, usual),
        cites=("w40k8.attack.sequence",),
    )


def edges_of(w: World8, unit: Unit, shot: Shot, found: Working) -> tuple[Edge, ...]:
    """What the wounds of an attack can do: more with a good wound roll, for some weapons."""
    weapon = shot.weapon
    ap, added = armour_penetration(w, unit, weapon), sum_of(added_to_wound(w, unit, shot, found))
    return edges(weapon.abilities, ap, damage_of(weapon), added)


def number_of_attacks(shots: Sequence[Shot]) -> tuple[Shots, ...]:
    """How many attacks are made: blows that were dealt out, or what each weapon fires."""
    each = amount(words.rolls_for_each(shots[0].weapon))
    if shots[0].melee:
        dealt = Shots(sum(s.attacks for s in shots), each)
        return (dealt, *(Shots(1, s.number.multiplied(each.most)) for s in shots if s.number is not None))
    return (Shots(len(shots), weapons.shots_of(shots[0].weapon, half_range=shots[0].half_range)),)


@rule("w40k8.attack.damage", "w40k8.stat.random_other", neutral=DiceSum(plus=1))
def damage_of(weapon: Weapon) -> DiceSum:
    """What an unsaved attack inflicts."""
    return amount(weapon.damage)


def hit_roll(w: World8, unit: Unit, shot: Shot, found: Working) -> HitRoll:
    """The hit roll, by the bare face of the die."""
    if words.hits_by_itself(shot.weapon):
        return hit_table(NEVER, auto=True, cites=("w40k8.sheet.abilities",))
    needed, parts = to_hit(w, shot, found)
    added = sum_of(parts)
    source = "w40k8.fight.resolve" if shot.melee else "w40k8.attack.hit"
    best, further = words.many_hits(shot.weapon)
    roll = hit_table(
        needed,
        added,
        crit=max(BOOK.failing_face + 1, min(NEVER, best - added)) if further else NEVER,
        sustained=DiceSum(plus=further),
        always=NEVER,
        never=BOOK.failing_face,
        cites=(source, "w40k8.charge.overwatch_six") if shot.overwatch else (source,),
        never_cites=("w40k8.attack.natural_one",),
        why=why_needed(face(needed, source), parts),
    )
    again = rerolls(w, unit, REROLL_HITS, words.again_by(found, "hit", shot.weapon))
    roll = with_rerolls(roll, open_to_reroll(again.faces, needed), again.names)
    return words.with_more_rolls(roll, shot.weapon, needed, added, roll.reroll)


def to_hit(w: World8, shot: Shot, found: Working) -> tuple[int, Added]:
    """What a hit roll needs, and what is added to it."""
    usual = skill(w, shot), (*hit_modifiers(w, shot), *words.added_by(w, found, "hit", shot))
    return words.in_any_case(shot.weapon, in_overwatch(shot, usual))


def sum_of(parts: Added) -> int:
    """What all that is added to a roll comes to."""
    return total(value for value, _ in parts)


@rule("w40k8.charge.overwatch_six", neutral=Argument("usual"))
def in_overwatch(shot: Shot, usual: tuple[int, Added]) -> tuple[int, Added]:
    """What a hit roll needs, and what is added to it: in Overwatch a 6, and nothing."""
    return (6, ()) if shot.overwatch else usual


def skill(w: World8, shot: Shot) -> int:
    """What a hit roll needs."""
    return (weapon_skill(w, shot.model) if shot.melee else ballistic_skill(w, shot.model)) or NEVER


@rule("w40k8.attack.hit", "w40k8.dice.threshold", neutral=2)
def ballistic_skill(w: World8, model: int) -> int | None:
    """What a model needs to hit by shooting; None if it cannot shoot."""
    return value_of(w, model, "ballistic_skill")


@rule("w40k8.fight.resolve", neutral=2)
def weapon_skill(w: World8, model: int) -> int | None:
    """What a model needs to hit in close combat; None if it cannot fight."""
    return value_of(w, model, "weapon_skill")


def hit_modifiers(w: World8, shot: Shot) -> Added:
    """What effects and moving add to a hit roll."""
    unit, weapon = unit_of(w, shot.model), shot.weapon
    moving = (weapons.on_the_run(w, unit, weapon), "on the run"), (weapons.on_the_move(w, shot.model, weapon), HEAVY)
    return (*lying_on(w, HIT, unit), *(part for part in moving if part[0]))


@rule("w40k8.dice.reroll", neutral=Again())
def rerolls(w: World8, unit: Unit, kind: str, by_abilities: Iterable[tuple[str, str]] = ()) -> Again:
    """Which rolls of a unit may be made again, and why: of several rules the one that allows most."""
    return best_among([*by_abilities, *((str(e.value), e.source) for e in w.effects(kind, unit.id))])


def wound_roll(w: World8, unit: Unit, target: Unit, shot: Shot, found: Working) -> WoundRoll:
    """The wound roll, by the bare face of the die."""
    strength, tough = strength_of(w, shot.model, shot.weapon), toughness(w, target)
    needed = words.poisoned(w, shot.weapon, target, to_wound(strength, tough))
    parts = added_to_wound(w, unit, shot, found)
    added = sum_of(parts)
    roll = wound_table(
        needed,
        added,
        crit=NEVER,
        always=NEVER,
        never=BOOK.failing_face,
        cites=("w40k8.attack.wound", "w40k8.attack.wound_table"),
        never_cites=("w40k8.attack.natural_one",),
        why=why_needed(face(needed, "w40k8.attack.wound_table", f"S{strength} against T{tough}"), parts),
    )
    weapon, ap = shot.weapon, armour_penetration(w, unit, shot.weapon)
    roll = with_edges(roll, edges_of(w, unit, shot, found), weapon.abilities, ap, damage_of(weapon), added)
    again = rerolls(w, unit, REROLL_WOUNDS, [*words.again_by(found, "wound", weapon), *plagued(weapon)])
    return with_rerolls(roll, open_to_reroll(again.faces, needed), again.names)


def added_to_wound(w: World8, unit: Unit, shot: Shot, found: Working) -> Added:
    """What is added to a wound roll."""
    return (*lying_on(w, WOUND, unit), *words.added_by(w, found, "wound", shot))


@rule("w40k8.attack.wound", "w40k8.attack.wound_table", neutral=4)
def to_wound(strength: int, tough: int) -> int:
    """What a wound roll needs, by Strength and Toughness."""
    return compared(strength, tough, (2, 3, 4, 5, 6))


@rule("w40k8.gap.mixed_toughness", neutral=1)
def toughness(w: World8, target: Unit) -> int:
    """The Toughness of most models of a unit; of two that are as common the higher."""
    values = of_each(w, target, lambda w, m: number_of(w, m, "toughness"))
    return max(values, key=lambda t: (values.count(t), t))


def target_of(w: World8, unit: Unit, target: Unit, shots: Sequence[Shot], most: int = 0) -> Target:
    """The target's models as attacks see them, with a saving throw against each of them; 0 for all models."""
    made = [(s, attack_made(unit, s)) for s in shots]
    guards = [guard_of(w, target, attack) for _, attack in made] or [Guard(AttackMade(unit.id, target.id, False))]
    against = [
        (ap, 0 if PIERCES_COVER in s.weapon.abilities else cover.bonus_against(w, target, melee=s.melee), guard)
        for (s, attack), guard in zip(made, guards, strict=False)
        for ap in penetrations(edges_of(w, unit, s, working(w, attack)))
    ]
    models = who_can_take(w, target)[: most or None]
    kinds = alike(w, target, models)
    return faced(
        w, FACING, target, models, guards[0], lambda m: [saving_throw(w, target, m, *one) for one in against], kinds
    )


def ignoring(bodies: Sequence[Body]) -> tuple[str, ...]:
    """The rules by which some of these may keep wounds from being lost."""
    rules = ["w40k8.gap.disgustingly_resilient"] if any(x.pain < NEVER for x in bodies) else []
    return (*rules, *(["w40k8.warlord.tenacious_survivor"] if any(x.more_pain for x in bodies) else []))


@rule("w40k8.attack.allocate", neutral=())
def who_can_take(w: World8, target: Unit) -> tuple[int, ...]:
    """Any model of the target, seen or not, in range or not; those first whom its owner would rather lose."""
    return casualty_order(w, target, together, close_enemies, cover.who_is_in)


@rule("w40k8.attack.allocate_wounded", neutral=0)
def binding(wounds: int) -> int:
    """With fewer wounds left than this a model has to take the next attack: any that it has lost binds."""
    return wounds


@rule("w40k8.attack.save", "w40k8.stat.dash", neutral=0)
def armour_penetration(w: World8, unit: Unit, weapon: Weapon) -> int:
    """What an attack takes off a saving throw by armour; a dash takes nothing, and stays a dash."""
    return 0 if weapon.ap is None else weapon.ap + total(int(e.value) for e in w.effects(AP, unit.id))


def saving_throw(w: World8, target: Unit, model: int, ap: int, covered: int, guard: Guard) -> Throw:
    """The bare face that saves a model, by armour or by an invulnerable save, and what it is made of."""
    save = number_of(w, model, "save")
    by_abilities = [a for a in guard.rolls if isinstance(a.effect, Modify) and changes_model(w, a, model)]
    parts = (*((a.effect.value, a.name) for a in by_abilities), *lying_on(w, SAVE, target))
    added = total([covered, sum_of(parts)])
    given = min(wards_of(w, guard, model), default=NEVER)
    armour, ward = armour_save(save, ap, added), invulnerable(w, target, model, given)
    least = BOOK.failing_face + 1
    limit = Limit(min(NEVER, max(min(armour, ward), least)), least)
    if ward < armour:
        why = why_warded(RULES, ward, "", limit)
    else:
        more = tuple(modifier(*part) for part in parts)
        why = why_armoured(RULES, Saves(save, ap, ward, added - covered, added=more), covered, limit)
    return Throw(limit.needed, why, limits_of_save(RULES, why))


@rule("w40k8.attack.save", neutral=NEVER)
def armour_save(save: int, ap: int, added: int) -> int:
    """The bare face that saves by armour; nothing limits what is added."""
    return save_needed(save, ap, added, best=NEVER, never=BOOK.failing_face)


@rule("w40k8.attack.invulnerable", neutral=NEVER)
def invulnerable(w: World8, target: Unit, model: int, given: int) -> int:
    """The best invulnerable save of a model, its own or given, which no Armour Penetration and no cover changes."""
    own = sheet_of(w, model).invulnerable or NEVER
    return min(own, given, *(int(e.value) for e in w.effects(INVULNERABLE, target.id)), NEVER)


@rule("w40k8.gap.disgustingly_resilient", neutral=NEVER)
def resilience(w: World8, sheet: Sheet) -> int:
    """The face that keeps a wound from being lost."""
    used = w.option("disgustingly-resilient") == "on" and sheet.has("disgustingly resilient")
    return BOOK.resilient if used else NEVER


@rule("w40k8.attack.damage")
async def slay(b: Battle8, model: int) -> None:
    """A model without wounds is slain: it is taken off the table at once, and counts for Morale."""
    unit, harmed = unit_of(b, model), False
    if falls_hard(b, unit):
        # Whom it takes along falls at the same time.
        before = b.state.game.unjudged
        b.set_game(unjudged=True)
        harmed = await b.window(MODEL_DESTROYED, Moment(unit.id, data={"model": model}), unbroken=True)
        b.set_game(unjudged=before)
    await b.system.seam(Endings).abandon(b, unit, model)
    b.place_models([model], GONE)
    b.set_unit(unit, slain=unit.slain + 1)
    if not living(b, unit):
        b.tell("unit_slain", f"{does(unit, 'is')} slain to the last.", "w40k8.attack.damage", units=[unit.id])
    end_if_wiped_out(b)
    if harmed:
        b.go_on()


@rule("w40k8.attack.mortal", "w40k8.cover.scope", "w40k8.psychic.perils")
async def inflict(b: Battle8, unit: Unit, points: int, *rules: str, by: int = -1, alone: int = -1) -> None:
    """Let a unit suffer mortal wounds, at once; those that are one model's `alone` go to nobody else."""
    due = Due(points, spill=BOOK.spills if alone < 0 else False, first=alone)
    await suffer(b, [due], partial(without_saves, b, FACING, unit), HOOKS, against=unit.id, unit=by, rules=rules)


FACING: Final = Facing(
    who_can_take,
    lambda w, model: resilience(w, sheet_of(w, model)),
    keeps=False,
    cites=("w40k8.attack.save", "w40k8.attack.allocate", "w40k8.attack.allocate_wounded"),
    pain_cites=ignoring,
    full=binding,
    more_pain=tenacity,
)
HOOKS: Final = Hooks(after_roll=offer_batch_reroll, destroy=slay)


@rule("w40k8.cover.bonus", "w40k8.stat.degrading", neutral=HOOKS)
def hooks_for(w: World8, target: Unit, shots: Sequence[Shot]) -> Hooks:
    """Saves by a chart are looked up for each saving throw, and cover is where losses can bring it."""
    if any(row.save is not msgspec.UNSET for m in w.on_table(target) for row in sheet_of(w, m).chart):
        return replace(HOOKS, anew="wounds")
    once = w.option("cover-moment") == "each-volley"
    return HOOKS if once or shots[0].melee or cover.is_settled(w, target) else replace(HOOKS, anew="losses")
