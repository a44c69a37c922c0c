"""Making attacks (04): identical attacks are gathered and resolved, one target after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec

from sandtable.attack.volley import DiceSum, Mortal, Procedure, Shots, Volley, WoundKind
from sandtable.forty import attacks
from sandtable.forty.effects import attack_rolls as rolls
from sandtable.forty.effects.attack_rolls import Working
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.facing import unhurt
from sandtable.forty.hits_and_wounds import Damaging, plainly_made, usual_wound
from sandtable.forty.rerolls import offer_batch_reroll
from sandtable.forty.why import why_number
from sandtable.kit.attack.defenders import Outcome
from sandtable.kit.attack.resolving import resolve_all
from sandtable.kit.attack.rolling import Hooks
from sandtable.kit.seeing import seen_by
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.attack_sequence import hit_roll, plain_hit_roll, plain_wound_roll, toughness, wound_roll
from sandtable.systems.w40k11.concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k11.datasheet import Weapon
from sandtable.systems.w40k11.destroyed import bury, destroy, fall
from sandtable.systems.w40k11.dice import reroll_of
from sandtable.systems.w40k11.saves_and_damage import plain_save, target_of
from sandtable.systems.w40k11.shot import Batch, Shot
from sandtable.systems.w40k11.state import Battle11, Unit, World11


class ATTACKS(Facts):
    """What the book states about resolving attacks."""

    devastation_spills = fact(False, "w40k11.weapon.devastating_wounds", neutral=True)
    """Mortal wounds of one critical wound stay on one model."""
    mortal_wounds_wait = fact(True, "w40k11.mortal.after_normal", neutral=False)
    """Mortal wounds of attacks wait for all normal damage of the unit on that target."""
    procedure = fact(
        Procedure.SORTED_BATCH,
        "w40k11.seq.groups",
        "w40k11.seq.alloc_order",
        "w40k11.seq.damage",
        neutral=Procedure.EACH_IN_TURN,
    )
    """Saves of a batch are sorted, and taken from the lowest up over the groups of the target."""


# --- The flow ---------------------------------------------------------------------------------------------------------


@rule(
    "w40k11.attack.steps",
    "w40k11.attack.resolve_order",
    "w40k11.seq.simultaneous",
    "w40k11.seq.excess_damage",
    "w40k11.gap.target_lost",
)
async def make_attacks(b: Battle11, unit: Unit, shots: Sequence[Shot]) -> None:
    """Resolve declared attacks: all at one unit before the next is begun, batch after batch, mortal wounds last.

    They are made whatever became of range and sight, and do nothing to who is gone.
    """
    outcomes: dict[int, tuple[Outcome, ...]] = {}
    batches: dict[int, tuple[Batch, ...]] = {}
    before = b.state.game.down
    b.set_game(down=())
    for number, shots_at_it in attacks.by_target(shots, place_of_target):
        target = b.unit(number)
        batches[number] = batches_of(b, unit, target, shots_at_it)
        outcomes[number] = await _attack(b, unit, target, batches[number])
    await bury(b, before)
    await attacks.after_attacks(b, unit, shots, outcomes, batches)


async def _attack(b: Battle11, unit: Unit, target: Unit, batches: Sequence[Batch]) -> tuple[Outcome, ...]:
    lots = attacks.in_turn(
        batches,
        lambda batch: batch,
        lambda k, batch: volley(b, unit, target, batch, k),
        partial(target_of, b, unit, target, batches),
    )
    mortal = ("w40k11.mortal.selection", "w40k11.mortal.after_normal")
    return await resolve_all(
        b, lots, FALLING, unit=unit.id, against=target.id, mortal_rules=mortal, procedure=ATTACKS.procedure
    )


@rule("w40k11.attack.resolve_order", neutral=0)
def place_of_target(targets: Sequence[int], target: int) -> int:
    """All attacks at one target come before those at the next."""
    return targets.index(target)


def batches_of(w: World11, unit: Unit, target: Unit, shots: Sequence[Shot]) -> tuple[Batch, ...]:
    """The attacks of a unit at one target, with what abilities change about weapons, in batches."""
    is_a = partial(has_keyword, w, target)
    found = []
    for shot in attacks.as_changed(w, unit, target, shots, partial(made, w), PRECISION):
        weapon = weapons.in_use(shot.weapon, unit.picked, is_a)
        used = shot if weapon is shot.weapon else msgspec.structs.replace(shot, weapon=weapon)
        found.append(used if used is shot else PRECISION.aimed(w, unit, target, used))
    return attacks.in_batches(found, likeness)


def made(w: World11, unit: Unit, shot: Shot) -> AttackMade:
    """An attack, as conditions of abilities see it."""
    return attacks.attack_made(unit, shot, shot.weapon.strength, toughness(w, w.unit(shot.target)))


@rule("w40k11.attack.identical", neutral=())
def likeness(shot: Shot) -> tuple[object, ...]:
    """What has to be the same for identical attacks: values and abilities of the weapon, and what affects it."""
    x = shot.weapon
    values = (x.skill, x.strength, x.ap, x.damage, x.abilities)
    how = (shot.half_range, shot.cover, shot.plunging, shot.hampered, shot.steady, shot.fails)
    return values, how, shot.aim, shot.own, shot.unseen


def plain_volley(w: World11, weapon: Weapon, half_range: bool, size: int, hit_on: int, always: Working) -> Volley:
    """The tables of one weapon with what is `always` at work; it hits on `hit_on`, or by its skill."""
    weapon = weapons.in_use(weapon, (), lambda keyword: False)
    number = number_of_attacks((Shot(target=-1, weapon=weapon, half_range=half_range, size=size),))
    hit, devastating = plain_hit_roll(w, weapon, hit_on, always), weapons.devastating_wounds(weapon)
    return plainly_made(weapon.name, number, hit, damage_of(weapon, half_range), devastating)


# --- The volley -------------------------------------------------------------------------------------------------------


def volley(w: World11, unit: Unit, target: Unit, batch: Batch, save_class: int) -> Volley:
    """The attacks of a batch as tables by die face."""
    first = batch[0]
    weapon, attack = first.weapon, made(w, unit, first)
    working = rolls.working(w, attack)
    usual, full = usual_wound(w, DAMAGE, target, attack, first, working, save_class, in_turn=True)
    kinds = [usual]
    names, devastating = " and ".join(dict.fromkeys(s.weapon.name for s in batch)), weapons.devastating_wounds(weapon)
    if devastating:
        mortal = Mortal(full, spill=ATTACKS.devastation_spills, held=ATTACKS.mortal_wounds_wait)
        kinds.append(WoundKind(save_class, None, mortal, ("w40k11.weapon.devastating_wounds",)))
    return Volley(
        name=f"{unit.name}: {len(batch)} x {names} at {target.name}",
        shots=number_of_attacks(batch),
        hit=hit_roll(w, unit, target, first, working),
        wound=wound_roll(w, unit, target, first, working, 1 if devastating else 0),
        kinds=tuple(kinds),
        may_roll=weapons.lethal_hits(weapon),
        aim=first.aim,
        aim_cites=("w40k11.weapon.precision",) if first.aim else (),
        cites=("w40k11.attack.resolve_order", *(by for _, by, _ in added_attacks(first)), *first.by),
    )


def number_of_attacks(batch: Batch) -> tuple[Shots, ...]:
    """How many attack dice are gathered: those of equal weapons together."""
    counted = Counter((s.weapon.attacks, s.attacks, s.half_range, s.split) for s in batch)
    like = {(s.weapon.attacks, s.attacks, s.half_range, s.split): s for s in batch}
    return tuple(_dice_of(like[key], count) for key, count in counted.items())


def _dice_of(shot: Shot, count: int) -> Shots:
    each = DiceSum(plus=shot.attacks) if shot.attacks else weapons.attacks_made(shot.weapon)
    more = added_attacks(shot)
    why = why_number(str(each), "w40k11.attack.dice_number", *more)
    for number, _, _ in more:
        each = each.more(number)
    return Shots(count, each, why)


def added_attacks(shot: Shot) -> list[tuple[DiceSum, str, str]]:
    """What adds to a weapon's attack dice: how much, by which rule, and what players call it."""
    rapid, blast = weapons.rapid_fire(shot.weapon, shot.half_range), weapons.blast(shot.weapon, shot.size)
    cleave = weapons.cleave(shot.weapon, shot.size, shot.split)
    found = (
        (rapid, "w40k11.weapon.rapid_fire", "Rapid Fire"),
        (blast, "w40k11.weapon.blast", "Blast"),
        (cleave, "w40k11.weapon.cleave", "Cleave"),
    )
    return [one for one in found if one[0] != weapons.NOTHING]


@rule("w40k11.seq.damage", neutral=DiceSum(plus=1))
def damage_of(weapon: Weapon, half_range: bool) -> DiceSum:
    """What an attack that is not saved inflicts."""
    return weapons.amount(weapon.damage).more(weapons.melta(weapon, half_range))


DAMAGE: Final = Damaging(
    "w40k11.seq.damage", "w40k11.weapon.melta", damage_of, weapons.melta, weapons.amount, reroll_of
)
HOOKS: Final = Hooks(after_roll=offer_batch_reroll, destroy=destroy)
FALLING: Final = Hooks(after_roll=offer_batch_reroll, destroy=fall)


@rule("w40k11.weapon.precision", neutral=())
def precise_targets(w: World11, unit: Unit, target: Unit, model: int) -> tuple[int, ...]:
    """The CHARACTER models of a unit that Precision can pick out: those that the attacking model sees."""
    seen = w.on_table(target)[seen_by(w, unit, model, target)]
    return tuple(m for m in seen.tolist() if model_has_keyword(w, m, "CHARACTER"))


PRECISION: Final = attacks.Precision(weapons.precision, precise_targets)
PLAIN: Final = attacks.Plain(
    plain_volley, plain_wound_roll, lambda w, sheet, ap: unhurt(sheet, plain_save(sheet, ap)), weapons.is_hazardous
)
COMPILE: Final = attacks.Compile(
    batches_of, partial(attacks.tables_by, volley, target_of), PLAIN, lambda: ATTACKS.procedure
)
