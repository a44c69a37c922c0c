"""Making attacks: from weapons and a target to the tables that the attack's flow resolves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec

from sandtable.attack.volley import NEVER, DiceSum, Mortal, Shots, Target, Volley, WoundKind
from sandtable.battle import TABLE, Confirm, Moment, Question
from sandtable.forty.effects import attack_rolls as rolls
from sandtable.forty.effects import saves as bodies
from sandtable.forty.effects.weapons import Changes, armed_against, changes_to_weapons
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.moments import ATTACKS_MADE
from sandtable.forty.state import is_attached
from sandtable.kit.attack.defenders import Outcome
from sandtable.kit.attack.resolving import resolve_all
from sandtable.kit.attack.rolling import Hooks, Roll
from sandtable.rules import Argument, rule
from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.attack_reasons import why_damage, why_so_many
from sandtable.systems.w40k10.concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.destroyed import destroy
from sandtable.systems.w40k10.dice import offer_batch_reroll, reroll_of
from sandtable.systems.w40k10.hit_and_wound import at_last, hit_roll, wound_roll
from sandtable.systems.w40k10.saves import as_seen, target_of
from sandtable.systems.w40k10.state import ALLOCATED, Battle10, Unit, World10, sheet_of
from sandtable.systems.w40k10.visibility import visible

LETHAL: Final = "lethal_hits"
"""The question whether Lethal Hits are used, in battles where that is optional."""


class Fire(NamedTuple):
    """One weapon of one model at one target, with what was true when targets were selected."""

    model: int
    weapon: Weapon
    target: int
    half_range: bool = False
    plunging: bool = False
    """Plunging Fire improves its AP."""
    aim: tuple[int, ...] = ()
    """CHARACTER models of the target that Precision can pick out."""
    attacks: int = 0
    """How many of the weapon's attacks, where they are split; 0 for all."""
    by: tuple[str, ...] = ()
    """Abilities that changed the weapon."""
    own: tuple[tuple[int, int], ...] = ()
    """Effects of abilities on its rolls that are not the same for all models of the unit."""
    blind: bool = False
    """The model fires Indirect Fire at what it does not see itself, and its battle holds that against it."""


class Aim(NamedTuple):
    """What is fixed about a target when it is selected."""

    target: int
    size: int
    toughness: int
    unseen: bool = False
    """Nobody of the attacking unit sees any of it."""
    hampered: bool = False
    """Big Guns Never Tire: the shooter or the target is an engaged MONSTER or VEHICLE."""
    melee: bool = False
    overwatch: bool = False
    attached: bool = False
    """An Attached unit, whose Bodyguard's Toughness counts until all attacks of the unit are resolved."""


class Batch(NamedTuple):
    """Attacks that are rolled together: one profile at one target under the same circumstances."""

    weapon: Weapon
    fires: tuple[Fire, ...]


# --- The flow ---------------------------------------------------------------------------------------------------------


@rule("w40k10.attack.sequence", "w40k10.attack.excess_damage", "w40k10.shoot.committed", "w40k10.fight.committed")
async def make_attacks(b: Battle10, unit: Unit, fires: Sequence[Fire], aims: dict[int, Aim]) -> None:
    """Resolve declared attacks: one target after the other, one profile after the other, mortal wounds last."""
    outcomes: dict[int, tuple[Outcome, ...]] = {}
    for number, shots_at_it in one_target_after_the_other(fires):
        target = b.unit(number)
        if attacks_stand(b, unit, target):
            batches = batches_of(b, unit, target, aims[number], shots_at_it)
            batches = await settle_lethal(b, unit, target, batches)
            outcomes[number] = await _attack(b, unit, target, aims[number], batches)
    await _after_attacks(b, unit, outcomes, aims)


async def _after_attacks(
    b: Battle10, unit: Unit, outcomes: dict[int, tuple[Outcome, ...]], aims: dict[int, Aim]
) -> None:
    """What lasted for the attacks of a unit ends, and whatever their result sets off happens."""
    b.end_effects(lambda e: e.until == attacks_of(unit.id))
    if outcomes:
        await b.window(ATTACKS_MADE, Moment(unit.id, data=_results(outcomes, aims)))


def attacks_of(unit: int) -> str:
    """The end of effects that last until a unit has finished its attacks."""
    return f"attacks of {unit}"


def _results(outcomes: dict[int, tuple[Outcome, ...]], aims: dict[int, Aim]) -> dict[str, Any]:
    """What all attacks of a unit came to."""
    return {
        "melee": any(aims[t].melee for t in outcomes),
        "hit": tuple(t for t, found in outcomes.items() if any(o.hits for o in found)),
        "hurt": tuple(t for t, found in outcomes.items() if any(o.damage for o in found)),
        "destroyed": tuple(m for found in outcomes.values() for o in found for m in o.destroyed),
    }


async def _attack(b: Battle10, unit: Unit, target: Unit, aim: Aim, batches: Sequence[Batch]) -> tuple[Outcome, ...]:
    psychic = tuple(dict.fromkeys(r for batch in batches for r in psychic_attack(batch.weapon)))

    def compiled(k: int, batch: Batch) -> tuple[Volley, Callable[[], Target]]:
        shot = volley(b, unit, target, at_last(b, target, aim), batch, k)
        return shot, partial(target_of, b, unit, target, aim, batches, k)

    return await resolve_all(
        b,
        (partial(compiled, k, left) for k, batch in enumerate(batches) if (left := by_the_living(b, batch)).fires),
        HOOKS,
        unit=unit.id,
        against=target.id,
        mortal_rules=("w40k10.attack.mortal_wounds", "w40k10.attack.mortal_timing", *psychic),
    )


@rule("w40k10.unit.destroyed", neutral=Argument("batch"))
def by_the_living(w: World10, batch: Batch) -> Batch:
    """The attacks of a batch when its turn comes, without those of models that fell after they were declared."""
    return Batch(batch.weapon, tuple(f for f in batch.fires if w.state.models.place[f.model] == TABLE))


async def settle_lethal(b: Battle10, unit: Unit, target: Unit, batches: tuple[Batch, ...]) -> tuple[Batch, ...]:
    """Where Lethal Hits are optional, ask whether they are used with weapons whose Wound roll could do more."""
    if b.option("lethal") == "always":
        return batches
    settled = list(batches)
    for number, batch in enumerate(batches):
        weapon = batch.weapon
        more = weapons.devastating_wounds(weapon) or weapons.anti(b, weapon, target) < NEVER
        if weapons.lethal_hits(weapon) and (more or b.option("windows") == "all"):
            use = await b.ask(
                Confirm(
                    player=unit.player,
                    kind=LETHAL,
                    prompt=f"Do Critical Hits with {weapon.name} wound {target.name} by themselves?",
                    rules=("w40k10.weapon.lethal_hits",),
                    unit=unit.id,
                )
            )
            if not use:
                rest = tuple(a for a in weapon.abilities if not a.startswith("lethal hits"))
                settled[number] = Batch(msgspec.structs.replace(weapon, abilities=rest), batch.fires)
    return tuple(settled)


@rule("w40k10.shoot.committed", "w40k10.fight.committed", neutral=False)
def attacks_stand(w: World10, unit: Unit, target: Unit) -> bool:
    """Declared attacks are made whatever became of range and sight; they are lost only if one of the two is gone."""
    return w.is_on_table(unit) and w.is_on_table(target)


def one_target_after_the_other(fires: Sequence[Fire]) -> Iterator[tuple[int, list[Fire]]]:
    """The attacks at each target, in the order in which targets were first named."""
    targets = list(dict.fromkeys(f.target for f in fires))
    ordered = sorted(fires, key=lambda f: place_of_target(targets, f.target))
    for target, group in groupby(ordered, key=lambda f: f.target):
        yield target, list(group)


@rule("w40k10.shoot.target_order", "w40k10.fight.resolve_order", neutral=0)
def place_of_target(targets: Sequence[int], target: int) -> int:
    """All attacks at one target come before those at the next."""
    return targets.index(target)


def batches_of(w: World10, unit: Unit, target: Unit, aim: Aim, fires: Sequence[Fire]) -> tuple[Batch, ...]:
    """The attacks of a unit at one target, with what abilities change about weapons, in batches."""
    if rolls.none_at_all(w):
        return in_batches(fires)
    made, suffered = changes_to_weapons(w, unit), changes_to_weapons(w, target, "suffered")
    own = rolls.by_models(w, unit)
    if not made and not suffered and not own:
        return in_batches(fires)
    return in_batches([_changed(w, unit, target, aim, f, made, suffered, own) for f in fires])


def _changed(
    w: World10, unit: Unit, target: Unit, aim: Aim, fire: Fire, made: Changes, suffered: Changes, own: Changes
) -> Fire:
    attack = attack_made(unit, target, aim, fire)
    weapon, by = armed_against(w, attack, fire.weapon, made, suffered)
    picked = fire.aim
    if not picked and weapons.precision(weapon):
        picked = precise_targets(w, unit, target, fire.model)
    return fire._replace(weapon=weapon, by=by, aim=picked, own=rolls.likeness_of(w, attack, own))


def attack_made(unit: Unit, target: Unit, aim: Aim, fire: Fire) -> AttackMade:
    """An attack, as conditions of abilities see it."""
    return AttackMade(unit.id, target.id, aim.melee, fire.model, fire.half_range, fire.weapon.strength, aim.toughness)


def in_batches(fires: Sequence[Fire]) -> tuple[Batch, ...]:
    """Attacks of one profile back to back; only what is alike in everything is rolled together."""
    profiles: list[Weapon] = []
    for f in fires:
        if f.weapon not in profiles:
            profiles.append(f.weapon)
    groups: dict[tuple[object, ...], list[Fire]] = {}
    for f in sorted(fires, key=lambda f: place_of_profile(profiles, f.weapon)):
        groups.setdefault(likeness(profiles, f), []).append(f)
    return tuple(Batch(group[0].weapon, tuple(group)) for group in groups.values())


@rule("w40k10.shoot.profile_order", "w40k10.fight.resolve_order", neutral=0)
def place_of_profile(profiles: Sequence[Weapon], weapon: Weapon) -> int:
    """All attacks with one profile come before those with another."""
    return profiles.index(weapon)


@rule("w40k10.attack.fast_dice", neutral=())
def likeness(profiles: Sequence[Weapon], fire: Fire) -> tuple[object, ...]:
    """What has to be the same for attacks that are rolled together."""
    return profiles.index(fire.weapon), fire.half_range, fire.plunging, fire.aim, fire.own, fire.blind


# --- The volley -------------------------------------------------------------------------------------------------------


def volley(w: World10, unit: Unit, target: Unit, aim: Aim, batch: Batch, save_class: int) -> Volley:
    """The attacks of a batch as tables by die face."""
    weapon = batch.weapon
    first = batch.fires[0]
    aim = as_seen(aim, first)
    attack = attack_made(unit, target, aim, first)
    working = rolls.working(w, attack)
    again = reroll_of(working, "damage")
    full = rolls.with_reroll(damage_of(weapon, first.half_range), again.faces)
    damage, less = bodies.reduced(w, target, full, attack, partial(raised, w, first))
    melta = weapons.melta(weapon, first.half_range)
    melted = ("w40k10.weapon.melta",) if melta != weapons.NOTHING else ()
    damage_cites = ("w40k10.attack.damage", *melted, *again.names, *less)
    why = why_damage(weapon.damage, melta, damage, less) if damage.dice else ()
    kinds = [WoundKind(save_class, damage, None, damage_cites, one_at_a_time(), why, again.names)]
    devastating = weapons.devastating_wounds(weapon)
    if devastating:
        points = full if w.option("melta-devastating") == "raised" else damage_of(weapon, half_range=False)
        mortal = Mortal(points, spill=w.option("devastating") == "spill" and spills(), held=held_back())
        why = why_damage(weapon.damage, melta if points is full else weapons.NOTHING, points) if points.dice else ()
        kinds.append(WoundKind(save_class, None, mortal, ("w40k10.weapon.devastating_wounds",), why=why))
    return Volley(
        name=f"{unit.name}: {len(batch.fires)} x {weapon.name} at {target.name}",
        shots=shots(weapon, batch.fires, aim),
        hit=hit_roll(w, unit, target, weapon, aim, working),
        wound=wound_roll(w, unit, target, weapon, aim, working, 1 if devastating else 0),
        kinds=tuple(kinds),
        aim=first.aim,
        aim_cites=("w40k10.weapon.precision",) if first.aim else (),
        cites=("w40k10.attack.sequence", *more_attacks(weapon, first, aim), *psychic_attack(weapon), *first.by),
        together=saves_together(),
    )


def shots(weapon: Weapon, fires: Sequence[Fire], aim: Aim) -> tuple[Shots, ...]:
    """How many attacks are made."""
    if fires[0].attacks:
        return (Shots(1, DiceSum(plus=sum(f.attacks for f in fires))),)
    rapid, blast = weapons.rapid_fire(weapon, fires[0].half_range), weapons.blast(weapon, aim.size)
    each = weapons.attacks_made(weapon)
    why = why_so_many(each, rapid, blast)
    return (Shots(len(fires), each.more(rapid.more(blast)), why),)


def more_attacks(weapon: Weapon, fire: Fire, aim: Aim) -> tuple[str, ...]:
    """The rules that add to a weapon's attacks."""
    rapid = weapons.rapid_fire(weapon, fire.half_range) != weapons.NOTHING
    blasts = weapons.blast(weapon, aim.size) != weapons.NOTHING
    return (("w40k10.weapon.rapid_fire",) if rapid else ()) + (("w40k10.weapon.blast_attacks",) if blasts else ())


@rule("w40k10.attack.damage", neutral=DiceSum(plus=1))
def damage_of(weapon: Weapon, half_range: bool) -> DiceSum:
    """What an unsaved attack inflicts."""
    return weapons.amount(weapon.damage).more(weapons.melta(weapon, half_range))


def raised(w: World10, fire: Fire) -> int:
    """How much more damage an attack inflicts than the weapon's profile says, by abilities and by Melta."""
    printed = [p.damage for p in sheet_of(w, fire.model).weapons if p.name == fire.weapon.name]
    before = weapons.amount(printed[0] if printed else fire.weapon.damage)
    return damage_of(fire.weapon, fire.half_range).plus - before.plus


@rule("w40k10.attack.fast_saves", neutral=False)
def saves_together() -> bool:
    """Saves are rolled together where everybody needs the same and nothing depends on the order."""
    return True


@rule("w40k10.attack.fast_random_damage", neutral=False)
def one_at_a_time() -> bool:
    """Attacks with random Damage are resolved one at a time."""
    return True


@rule("w40k10.attack.mortal_spill", neutral=False)
def spills() -> bool:
    """Mortal wounds beyond what destroys a model go on to the next."""
    return True


@rule("w40k10.attack.mortal_timing", neutral=False)
def held_back() -> bool:
    """Mortal wounds of attacks wait for all normal damage of the unit on that target."""
    return True


@rule("w40k10.ability.psychic", neutral=())
def psychic_attack(weapon: Weapon) -> tuple[str, ...]:
    """What marks an attack as a Psychic Attack."""
    return ("w40k10.ability.psychic",) if weapons.is_psychic(weapon) else ()


# --- Hooks into the flow ----------------------------------------------------------------------------------------------


def mark_allocated(b: Battle10, model: int) -> None:
    """Remember that a model was given an attack this phase."""
    if not b.state.models.mark[model] & ALLOCATED:
        b.set_mark(model, int(b.state.models.mark[model]) | ALLOCATED)


async def after_roll(b: Battle10, roll: Roll) -> tuple[int, ...]:
    """The moment after a batch of dice, for Command Re-roll."""
    return await offer_batch_reroll(b, roll)


HOOKS: Final = Hooks(after_roll=after_roll, allocated=mark_allocated, destroy=destroy)


@rule("w40k10.weapon.precision", neutral=())
def precise_targets(w: World10, unit: Unit, target: Unit, model: int) -> tuple[int, ...]:
    """The CHARACTER models of an Attached unit that Precision can pick out: those that the attacking model sees."""
    if not is_attached(w, target):
        return ()
    seen = visible(w, unit, target)[w.on_table(unit).tolist().index(model)]
    return tuple(m for m in w.on_table(target)[seen].tolist() if model_has_keyword(w, m, "CHARACTER"))


def is_big(w: World10, unit: Unit) -> bool:
    """Whether a unit is a MONSTER or VEHICLE."""
    return has_keyword(w, unit, "MONSTER") or has_keyword(w, unit, "VEHICLE")


QUESTIONS: Final = {LETHAL: Question(default=lambda w, d: True)}
