"""Making attacks: from weapons and a target to the tables that the attack's flow resolves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec

from sandtable.armies.effects import Allowed
from sandtable.attack.tables import capped, hit_table, succeeds, wound_table
from sandtable.attack.volley import (
    FACES,
    NEVER,
    DiceSum,
    HitRoll,
    Mortal,
    Shots,
    Volley,
    Why,
    WoundKind,
    WoundRoll,
)
from sandtable.battle import TABLE, Confirm, Moment, Question
from sandtable.kit.attacks import Hooks, Outcome, Roll, resolve_all
from sandtable.reasons import face
from sandtable.rules import Argument, rule
from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.abilities import bodies, rolls
from sandtable.systems.w40k10.abilities.armed import Changes, armed_against, changes_to_weapons
from sandtable.systems.w40k10.abilities.characteristics import changed, changes_of, names
from sandtable.systems.w40k10.abilities.conditions import AttackMade
from sandtable.systems.w40k10.abilities.core import granted_by, has_core
from sandtable.systems.w40k10.abilities.permissions import allowances, allows
from sandtable.systems.w40k10.abilities.rolls import Working
from sandtable.systems.w40k10.attack_reasons import why_damage, why_needed, why_so_many
from sandtable.systems.w40k10.concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.destroyed import destroy
from sandtable.systems.w40k10.dice import offer_batch_reroll
from sandtable.systems.w40k10.saves import as_seen, target_of, unseen_penalty
from sandtable.systems.w40k10.state import ALLOCATED, Battle10, Unit, World10, is_attached, sheet_of
from sandtable.systems.w40k10.triggers import ATTACKS_MADE
from sandtable.systems.w40k10.visibility import visible

OVERWATCH_HIT: Final = 5
OVERWATCH_5: Final[Allowed] = "overwatch_5"
BLIND_MISS: Final = 3
"""Up to this bare face Indirect Fire misses, in battles with that option."""
HIT_MODIFIER: Final = "hit_modifier"
WOUND_MODIFIER: Final = "wound_modifier"
STEALTH: Final = "stealth"
"""Kinds of effects."""
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
    at = [-1]

    def compiled(k: int, batch: Batch) -> Volley:
        at[0] = k
        return volley(b, unit, target, at_last(b, target, aim), batch, k)

    def in_turn() -> Iterator[Callable[[], Volley]]:
        for k, batch in enumerate(batches):
            if (left := by_the_living(b, batch)).fires:
                yield partial(compiled, k, left)

    return await resolve_all(
        b,
        in_turn(),
        lambda: target_of(b, unit, target, aim, batches, at[0]),
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
    again = rolls.again(working, "damage")
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


# --- The Hit roll -----------------------------------------------------------------------------------------------------


def hit_roll(w: World10, unit: Unit, target: Unit, weapon: Weapon, aim: Aim, working: Working) -> HitRoll:
    """What each face of a Hit roll gives."""
    if weapons.torrent(weapon):
        return hit_table(NEVER, auto=True, cites=("w40k10.weapon.torrent",))
    crit_cites: tuple[str, ...] = ("w40k10.attack.critical_hit",)
    lethal, sustained = weapons.lethal_hits(weapon), weapons.sustained_hits(weapon)
    if lethal:
        crit_cites = (*crit_cites, "w40k10.weapon.lethal_hits")
    if sustained != weapons.NOTHING:
        crit_cites = (*crit_cites, "w40k10.weapon.sustained_hits")
    if only_sixes(aim):
        better = names(allowances(w, unit, OVERWATCH_5))
        needed, modifier, why = overwatch_need(w, unit), 0, ["w40k10.strat.fire_overwatch", *better]
        parts: Why = (face(min(needed, critical_hit()), why[-1], ", ".join(("Overwatch", *better))),)
    else:
        modifiers = hit_modifiers(w, unit, target, weapon, aim, working)
        needed, modifier, why = skill(weapon), together(w, modifiers, hit_cap), [r for _, r in modifiers]
        parts = why_needed(
            face(needed, "w40k10.attack.hit_roll"), modifiers, modifier, "w40k10.attack.hit_modifier_cap"
        )
    again = rolls.again(working, "hit")
    crit = critical_hit()
    by: tuple[str, ...] = ()
    missed = BLIND_MISS if blind(w, aim, weapon) else certain_miss()
    if working.criticals and not only_sixes(aim):
        lowest = next(f for f in FACES if succeeds(f, needed, modifier, always=crit, never=missed) or f == 6)
        crit, by = rolls.critical(working, "hit", crit, lowest)
    return hit_table(
        needed,
        modifier,
        crit=crit,
        always=critical_hit(),
        never=missed,
        lethal=lethal,
        sustained=sustained,
        reroll=again.faces,
        cites=("w40k10.attack.hit_roll", *why),
        crit_cites=(*crit_cites, *by),
        reroll_cites=again.names,
        why=parts,
    )


@rule("w40k10.attack.hit_modifier_cap", "w40k10.attack.wound_modifier_cap", neutral=0)
def together(w: World10, modifiers: Sequence[tuple[int, str]], cap: Callable[[int], int]) -> int:
    """What modifiers come to: their sum within the cap, or each of them, as the battle's option says."""
    values = [value for value, _ in modifiers]
    return cap(sum(values)) if w.option("modifier-cap") == "sum" else sum(cap(value) for value in values)


def blind(w: World10, aim: Aim, weapon: Weapon) -> bool:
    """Whether low Hit rolls of Indirect Fire miss in every case, as the battle's option may say."""
    return w.option("indirect") == "misses-to-3" and unseen_penalty(aim) < 0


@rule("w40k10.attack.hit_roll", neutral=2)
def skill(weapon: Weapon) -> int:
    """What a Hit roll needs: Ballistic or Weapon Skill of the weapon."""
    return weapon.skill


@rule("w40k10.attack.critical_hit", "w40k10.dice.unmodified", neutral=NEVER)
def critical_hit() -> int:
    """From this bare face on a Hit roll is a Critical Hit, and hits in every case."""
    return 6


@rule("w40k10.attack.critical_hit", neutral=0)
def certain_miss() -> int:
    """Up to this bare face a Hit roll misses in every case."""
    return 1


@rule("w40k10.strat.fire_overwatch", neutral=False)
def only_sixes(aim: Aim) -> bool:
    """Whether only unmodified sixes hit."""
    return aim.overwatch


def overwatch_need(w: World10, unit: Unit) -> int:
    """The bare face that hits in Overwatch beside a six, for units with an ability that says so."""
    return OVERWATCH_HIT if allows(w, unit, OVERWATCH_5) else NEVER


def hit_modifiers(
    w: World10, unit: Unit, target: Unit, weapon: Weapon, aim: Aim, working: Working
) -> list[tuple[int, str]]:
    """What is added to a Hit roll, and why."""
    found = [(int(e.value), e.source) for e in w.effects(HIT_MODIFIER, unit.id)]
    hidden = 0
    if not aim.melee:
        found.append((weapons.heavy(unit, weapon), "w40k10.weapon.heavy"))
        found += [(hidden, "w40k10.ability.stealth")] if (hidden := stealth(w, target)) else []
        found.append((hampered(aim, weapon), "w40k10.shoot.bgnt_penalty"))
        found.append((unseen_penalty(aim), "w40k10.weapon.indirect_penalty"))
    found += rolls.modifiers(working, "hit")
    if any(value < 0 for value, _ in found) and (steady := rolls.ignores_hit_modifiers(working)):
        return [(value, source) for value, source in found if value > 0] + [(0, name) for name in steady]
    given = [(0, source) for source in sources_of_stealth(w, target)] if hidden else []
    return [(value, source) for value, source in found if value] + given


@rule("w40k10.attack.hit_modifier_cap", neutral=Argument("total"))
def hit_cap(total: int) -> int:
    """All modifiers together change a Hit roll by 1 at most."""
    return capped(total)


@rule("w40k10.ability.stealth", neutral=0)
def stealth(w: World10, target: Unit) -> int:
    """Harder to hit from afar, if every model has Stealth, or smoke covers the unit."""
    everybody = all(has_core(w, target, int(m), "stealth") for m in w.on_table(target))
    return -1 if everybody or w.affected(STEALTH, target.id) else 0


def sources_of_stealth(w: World10, target: Unit) -> tuple[str, ...]:
    """What gives Stealth to a unit beside its datasheets: Stratagems and abilities."""
    smoke = [e.source for e in w.effects(STEALTH, target.id)]
    granted = [name for m in w.on_table(target) for name in granted_by(w, target, int(m), "stealth")]
    return tuple(dict.fromkeys((*smoke, *granted)))


@rule("w40k10.shoot.bgnt_penalty", neutral=0)
def hampered(aim: Aim, weapon: Weapon) -> int:
    """Big guns are unwieldy in a melee; Pistols are not."""
    return -1 if aim.hampered and not weapons.is_pistol(weapon) else 0


# --- The Wound roll ---------------------------------------------------------------------------------------------------


def wound_roll(
    w: World10, unit: Unit, target: Unit, weapon: Weapon, aim: Aim, working: Working, crit_kind: int
) -> WoundRoll:
    """What each face of a Wound roll gives."""
    modifiers = [(int(e.value), e.source) for e in w.effects(WOUND_MODIFIER, unit.id)]
    modifiers.append((weapons.lance(unit, weapon), "w40k10.weapon.lance"))
    modifiers += rolls.modifiers(working, "wound")
    modifiers = [(value, source) for value, source in modifiers if value]
    against_it = weapons.anti(w, weapon, target)
    twin = weapons.twin_linked(weapon)
    reroll = rolls.again(working, "wound", twin)
    needed, modifier = weapons.needed_to_wound(weapon.strength, aim.toughness), together(w, modifiers, wound_cap)
    base = face(needed, "w40k10.attack.wound_table", f"S{weapon.strength} against T{aim.toughness}")
    crit = min(critical_wound(), against_it)
    by: tuple[str, ...] = ()
    if working.criticals:
        lowest = next(f for f in FACES if succeeds(f, needed, modifier, never=certain_failure()) or f == 6)
        crit, by = rolls.critical(working, "wound", crit, lowest)
    return wound_table(
        needed,
        modifier,
        crit=crit,
        always=critical_wound(),
        never=certain_failure(),
        crit_kind=crit_kind,
        reroll=reroll.faces,
        cites=(
            "w40k10.attack.wound_roll",
            "w40k10.attack.wound_table",
            *(r for _, r in modifiers),
            *names(changes_of(w, target, "T")),
        ),
        crit_cites=("w40k10.attack.critical_wound", *(("w40k10.weapon.anti",) if against_it < NEVER else ()), *by),
        reroll_cites=(*(("w40k10.weapon.twin_linked",) if twin != "none" else ()), *reroll.names),
        why=why_needed(base, modifiers, modifier, "w40k10.attack.wound_modifier_cap"),
    )


@rule("w40k10.attack.critical_wound", neutral=NEVER)
def critical_wound() -> int:
    """From this bare face on a Wound roll is a Critical Wound, and wounds in every case."""
    return 6


@rule("w40k10.attack.critical_wound", neutral=0)
def certain_failure() -> int:
    """Up to this bare face a Wound roll fails in every case."""
    return 1


@rule("w40k10.attack.wound_modifier_cap", neutral=Argument("total"))
def wound_cap(total: int) -> int:
    """All modifiers together change a Wound roll by 1 at most."""
    return capped(total)


@rule("w40k10.ability.leader_toughness", neutral=1)
def toughness(w: World10, target: Unit) -> int:
    """The Bodyguard's Toughness, while there is one; in a mixed unit that of most models, the higher one in a tie."""
    models = [int(m) for m in w.on_table(target)]
    if is_attached(w, target):
        models = [m for m in models if m not in target.leader]
    changes = changes_of(w, target, "T")
    values = [changed(w, changes, m, "T", sheet_of(w, m).toughness) for m in models]
    return max(values, key=lambda t: (values.count(t), t), default=1)


@rule("w40k10.ability.leader_toughness", neutral=Argument("aim"))
def at_last(w: World10, target: Unit, aim: Aim) -> Aim:
    """A target when its turn comes: only an Attached unit keeps the Toughness that it was selected with."""
    return aim if aim.attached else aim._replace(toughness=toughness(w, target))


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
