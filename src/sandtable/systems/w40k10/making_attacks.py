"""Making attacks: from weapons and a target to the tables that the attack's flow resolves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from sandtable.attack.volley import NEVER, Mortal, Volley, WoundKind
from sandtable.battle import TABLE, Confirm, Question
from sandtable.forty import attacks
from sandtable.forty.effects import attack_rolls as rolls
from sandtable.forty.effects.attack_rolls import Working
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.facing import unhurt
from sandtable.forty.hits_and_wounds import MELTA, Damaging, plainly_made, usual_wound
from sandtable.forty.state import is_attached
from sandtable.forty.why import why_number
from sandtable.kit.attack.defenders import Outcome
from sandtable.kit.attack.resolving import resolve_all
from sandtable.kit.seeing import seen_by
from sandtable.rules import Argument, rule
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.abilities.leader import at_last
from sandtable.systems.w40k10.abilities.psychic import psychic_attack
from sandtable.systems.w40k10.allocate_and_save import plain_save, target_of
from sandtable.systems.w40k10.core_concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.dice import reroll_of
from sandtable.systems.w40k10.fast_dice_rolling import ROLLING, alike_together
from sandtable.systems.w40k10.hit_and_wound import hit_roll, plain_hit_roll, plain_wound_roll, wound_roll
from sandtable.systems.w40k10.inflict_damage import HOOKS, damage_of
from sandtable.systems.w40k10.mortal_wounds import MORTAL
from sandtable.systems.w40k10.number_of_attacks import added_attacks, attacks_of
from sandtable.systems.w40k10.order_of_attacks import place_of_target
from sandtable.systems.w40k10.random_characteristics import rolled
from sandtable.systems.w40k10.shot import Batch, Shot
from sandtable.systems.w40k10.state import Battle10, Unit, World10

DAMAGE: Final = Damaging("w40k10.attack.damage", "w40k10.weapon.melta", damage_of, weapons.melta, rolled, reroll_of)
LETHAL: Final = "lethal_hits"
"""The question whether Lethal Hits are used, in battles where that is optional."""


# --- The flow ---------------------------------------------------------------------------------------------------------


@rule("w40k10.attack.sequence", "w40k10.attack.excess_damage", "w40k10.shoot.committed", "w40k10.fight.committed")
async def make_attacks(b: Battle10, unit: Unit, shots: Sequence[Shot]) -> None:
    """Resolve declared attacks: one target after the other, one profile after the other, mortal wounds last."""
    outcomes: dict[int, tuple[Outcome, ...]] = {}
    for number, shots_at_it in attacks.by_target(shots, place_of_target):
        target = b.unit(number)
        if attacks_stand(b, unit, target):
            batches = await settle_lethal(b, unit, target, batches_of(b, unit, target, shots_at_it))
            outcomes[number] = await _attack(b, unit, target, batches)
    await attacks.after_attacks(b, unit, shots, outcomes)


async def _attack(b: Battle10, unit: Unit, target: Unit, batches: Sequence[Batch]) -> tuple[Outcome, ...]:
    psychic = dict.fromkeys(r for batch in batches for r in psychic_attack(batch[0].weapon))
    lots = attacks.in_turn(
        batches,
        partial(by_the_living, b),
        lambda k, batch: volley(b, unit, target, (at_last(b, target, batch[0]), *batch[1:]), k),
        partial(target_of, b, unit, target, batches),
    )
    mortal = ("w40k10.attack.mortal_wounds", "w40k10.attack.mortal_timing", *psychic)
    return await resolve_all(b, lots, HOOKS, unit=unit.id, against=target.id, mortal_rules=mortal)


@rule("w40k10.unit.destroyed", neutral=Argument("batch"))
def by_the_living(w: World10, batch: Batch) -> Batch:
    """The attacks of a batch when its turn comes, without those of models that fell after they were declared."""
    return tuple(s for s in batch if w.state.models.place[s.model] == TABLE)


async def settle_lethal(b: Battle10, unit: Unit, target: Unit, batches: tuple[Batch, ...]) -> tuple[Batch, ...]:
    """Where Lethal Hits are optional, ask whether they are used with weapons whose Wound roll could do more."""
    if b.option("lethal") == "always":
        return batches
    settled = list(batches)
    for number, batch in enumerate(batches):
        weapon = batch[0].weapon
        more = weapons.devastating_wounds(weapon) or weapons.anti(weapon, partial(has_keyword, b, target)) < NEVER
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
                settled[number] = attacks.without(batch, "lethal hits")
    return tuple(settled)


@rule("w40k10.shoot.committed", "w40k10.fight.committed", neutral=False)
def attacks_stand(w: World10, unit: Unit, target: Unit) -> bool:
    """Declared attacks are made whatever became of range and sight; they are lost only if one of the two is gone."""
    return w.is_on_table(unit) and w.is_on_table(target)


def batches_of(w: World10, unit: Unit, target: Unit, shots: Sequence[Shot]) -> tuple[Batch, ...]:
    """The attacks of a unit at one target, with what abilities change about weapons, in batches."""
    return alike_together(attacks.as_changed(w, unit, target, shots, made, PRECISION))


def made(unit: Unit, shot: Shot) -> AttackMade:
    """An attack, as conditions of abilities see it."""
    return attacks.attack_made(unit, shot, shot.weapon.strength, shot.toughness)


def plain_volley(w: World10, weapon: Weapon, half_range: bool, size: int, hit_on: int, always: Working) -> Volley:
    """The tables of one weapon with what is `always` at work; it hits on `hit_on`, or by its skill."""
    number = attacks_of((Shot(target=-1, weapon=weapon, half_range=half_range, size=size),))
    hit, devastating = plain_hit_roll(w, weapon, hit_on, always), weapons.devastating_wounds(weapon)
    return plainly_made(weapon.name, number, hit, damage_of(weapon, half_range), devastating)


# --- The volley -------------------------------------------------------------------------------------------------------


def volley(w: World10, unit: Unit, target: Unit, batch: Batch, save_class: int) -> Volley:
    """The attacks of a batch as tables by die face."""
    first = batch[0]
    weapon, attack = first.weapon, made(unit, first)
    working, one_by_one = rolls.working(w, attack), ROLLING.random_damage_in_turn
    usual, full = usual_wound(w, DAMAGE, target, attack, first, working, save_class, in_turn=one_by_one)
    kinds, devastating = [usual], weapons.devastating_wounds(weapon)
    if devastating:
        points = full if w.option("melta-devastating") == "raised" else damage_of(weapon, half_range=False)
        spills = MORTAL.spill and w.option("devastating") == "spill"
        mortal = Mortal(points, spill=spills, held=MORTAL.wait)
        melta = weapons.melta(weapon, first.half_range), DAMAGE.melta_rule, MELTA
        why = why_number(weapon.damage, DAMAGE.rule, *((melta,) if points is full else ())) if points.dice else ()
        kinds.append(WoundKind(save_class, None, mortal, ("w40k10.weapon.devastating_wounds",), why=why))
    more = [by for _, by, _ in added_attacks(first)]
    return Volley(
        name=f"{unit.name}: {len(batch)} x {weapon.name} at {target.name}",
        shots=attacks_of(batch),
        hit=hit_roll(w, unit, target, first, working),
        wound=wound_roll(w, unit, target, first, working, 1 if devastating else 0),
        kinds=tuple(kinds),
        aim=first.aim,
        aim_cites=("w40k10.weapon.precision",) if first.aim else (),
        cites=("w40k10.attack.sequence", *more, *psychic_attack(weapon), *first.by),
        together=ROLLING.saves_together,
    )


@rule("w40k10.weapon.precision", neutral=())
def precise_targets(w: World10, unit: Unit, target: Unit, model: int) -> tuple[int, ...]:
    """The CHARACTER models of an Attached unit that Precision can pick out: those that the attacking model sees."""
    if not is_attached(w, target):
        return ()
    seen = w.on_table(target)[seen_by(w, unit, model, target)]
    return tuple(m for m in seen.tolist() if model_has_keyword(w, m, "CHARACTER"))


PRECISION: Final = attacks.Precision(weapons.precision, precise_targets)
PLAIN: Final = attacks.Plain(
    plain_volley, plain_wound_roll, lambda w, sheet, ap: unhurt(sheet, plain_save(sheet, ap)), weapons.is_hazardous
)
COMPILE: Final = attacks.Compile(batches_of, partial(attacks.tables_by, volley, target_of), PLAIN)
QUESTIONS: Final = {LETHAL: Question(default=lambda w, d: True)}
