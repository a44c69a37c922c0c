"""Making attacks: from weapons and a target to the tables that the attack's flow resolves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

from sandtable.attack.tables import capped, hit_table, save_needed, wound_table
from sandtable.attack.volley import NEVER, Body, DiceSum, HitRoll, Mortal, Shots, Target, Volley, WoundKind, WoundRoll
from sandtable.battle import GONE, Moment
from sandtable.kit.attacks import Hooks, Roll, resolve_all
from sandtable.rules import Argument, rule
from sandtable.systems.w40k10 import cover, weapons
from sandtable.systems.w40k10.concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.dice import offer_batch_reroll
from sandtable.systems.w40k10.state import ALLOCATED, Battle10, Unit, World10, is_attached, sheet_of
from sandtable.systems.w40k10.triggers import MODEL_DESTROYED, UNIT_DESTROYED

HIT_MODIFIER: Final = "hit_modifier"
WOUND_MODIFIER: Final = "wound_modifier"
INVULNERABLE: Final = "invulnerable"
STEALTH: Final = "stealth"
"""Kinds of effects."""


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


class Batch(NamedTuple):
    """Attacks that are rolled together: one profile at one target under the same circumstances."""

    weapon: Weapon
    fires: tuple[Fire, ...]


# --- The flow ---------------------------------------------------------------------------------------------------------


@rule("w40k10.attack.sequence", "w40k10.attack.excess_damage")
async def make_attacks(b: Battle10, unit: Unit, fires: Sequence[Fire], aims: dict[int, Aim]) -> None:
    """Resolve declared attacks: one target after the other, one profile after the other, mortal wounds last."""
    for number, shots_at_it in one_target_after_the_other(fires):
        target = b.unit(number)
        if not b.is_on_table(unit):
            return
        if attacks_stand(b, target):
            await _attack(b, unit, target, aims[number], in_batches(shots_at_it))


async def _attack(b: Battle10, unit: Unit, target: Unit, aim: Aim, batches: Sequence[Batch]) -> None:
    psychic = tuple(dict.fromkeys(r for batch in batches for r in psychic_attack(batch.weapon)))
    await resolve_all(
        b,
        [partial(volley, b, unit, target, aim, batch, k) for k, batch in enumerate(batches)],
        lambda: target_of(b, unit, target, aim, batches),
        HOOKS,
        unit=unit.id,
        against=target.id,
        mortal_rules=("w40k10.attack.mortal_wounds", "w40k10.attack.mortal_timing", *psychic),
    )


@rule("w40k10.shoot.committed", "w40k10.fight.committed", neutral=False)
def attacks_stand(w: World10, target: Unit) -> bool:
    """Declared attacks are made whatever became of range and sight; only those at a unit that is gone are lost."""
    return w.is_on_table(target)


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
    return profiles.index(fire.weapon), fire.half_range, fire.plunging, fire.aim


# --- The volley -------------------------------------------------------------------------------------------------------


def volley(w: World10, unit: Unit, target: Unit, aim: Aim, batch: Batch, save_class: int) -> Volley:
    """The attacks of a batch as tables by die face."""
    weapon = batch.weapon
    first = batch.fires[0]
    damage = damage_of(weapon, first.half_range)
    kinds = [WoundKind(save_class, damage, cites=("w40k10.attack.damage",), in_turn=one_at_a_time())]
    devastating = weapons.devastating_wounds(weapon)
    if devastating:
        mortal = Mortal(damage, spill=w.option("devastating") == "spill" and spills(), held=held_back())
        kinds.append(WoundKind(save_class, None, mortal, ("w40k10.weapon.devastating_wounds",)))
    return Volley(
        name=f"{unit.name}: {len(batch.fires)} x {weapon.name} at {target.name}",
        shots=shots(weapon, batch.fires, aim),
        hit=hit_roll(w, unit, target, weapon, aim),
        wound=wound_roll(w, unit, target, weapon, aim, 1 if devastating else 0),
        kinds=tuple(kinds),
        aim=first.aim,
        aim_cites=("w40k10.weapon.precision",) if first.aim else (),
        cites=("w40k10.attack.sequence", *psychic_attack(weapon)),
        together=saves_together(),
    )


def shots(weapon: Weapon, fires: Sequence[Fire], aim: Aim) -> tuple[Shots, ...]:
    """How many attacks are made."""
    if fires[0].attacks:
        return (Shots(1, DiceSum(plus=sum(f.attacks for f in fires))),)
    extra = weapons.rapid_fire(weapon, fires[0].half_range).more(weapons.blast(weapon, aim.size))
    return (Shots(len(fires), weapons.attacks_made(weapon).more(extra)),)


@rule("w40k10.attack.damage", neutral=DiceSum(plus=1))
def damage_of(weapon: Weapon, half_range: bool) -> DiceSum:
    """What an unsaved attack inflicts."""
    return weapons.amount(weapon.damage).more(weapons.melta(weapon, half_range))


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


def hit_roll(w: World10, unit: Unit, target: Unit, weapon: Weapon, aim: Aim) -> HitRoll:
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
        needed, modifier, why = NEVER, 0, ["w40k10.strat.fire_overwatch"]
    else:
        modifiers = hit_modifiers(w, unit, target, weapon, aim)
        needed, modifier, why = skill(weapon), hit_cap(sum(v for v, _ in modifiers)), [r for _, r in modifiers]
    return hit_table(
        needed,
        modifier,
        crit=critical_hit(),
        always=critical_hit(),
        never=certain_miss(),
        lethal=lethal,
        sustained=sustained,
        cites=("w40k10.attack.hit_roll", *why),
        crit_cites=crit_cites,
    )


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


def hit_modifiers(w: World10, unit: Unit, target: Unit, weapon: Weapon, aim: Aim) -> list[tuple[int, str]]:
    """What is added to a Hit roll, and why."""
    found = [(int(e.value), e.source) for e in w.effects(HIT_MODIFIER, unit.id)]
    if not aim.melee:
        found.append((weapons.heavy(w, unit, weapon), "w40k10.weapon.heavy"))
        found.append((stealth(w, target), "w40k10.ability.stealth"))
        found.append((hampered(aim, weapon), "w40k10.shoot.bgnt_penalty"))
        found.append((unseen_penalty(aim, weapon), "w40k10.weapon.indirect_penalty"))
    return [(value, source) for value, source in found if value]


@rule("w40k10.attack.hit_modifier_cap", neutral=Argument("total"))
def hit_cap(total: int) -> int:
    """All modifiers together change a Hit roll by 1 at most."""
    return capped(total)


@rule("w40k10.ability.stealth", neutral=0)
def stealth(w: World10, target: Unit) -> int:
    """Harder to hit from afar, if every model has Stealth, or smoke covers the unit."""
    everybody = all(sheet_of(w, int(m)).has("stealth") for m in w.on_table(target))
    return -1 if everybody or w.affected(STEALTH, target.id) else 0


@rule("w40k10.shoot.bgnt_penalty", neutral=0)
def hampered(aim: Aim, weapon: Weapon) -> int:
    """Big guns are unwieldy in a melee; Pistols are not."""
    return -1 if aim.hampered and not weapons.is_pistol(weapon) else 0


@rule("w40k10.weapon.indirect_penalty", neutral=0)
def unseen_penalty(aim: Aim, weapon: Weapon) -> int:
    """Indirect fire at what nobody of the unit sees."""
    return -1 if aim.unseen and weapons.indirect(weapon) else 0


# --- The Wound roll ---------------------------------------------------------------------------------------------------


def wound_roll(w: World10, unit: Unit, target: Unit, weapon: Weapon, aim: Aim, crit_kind: int) -> WoundRoll:
    """What each face of a Wound roll gives."""
    modifiers = [(int(e.value), e.source) for e in w.effects(WOUND_MODIFIER, unit.id)]
    modifiers.append((weapons.lance(unit, weapon), "w40k10.weapon.lance"))
    modifiers = [(value, source) for value, source in modifiers if value]
    against_it = weapons.anti(w, weapon, target)
    reroll = weapons.twin_linked(weapon)
    return wound_table(
        weapons.needed_to_wound(weapon.strength, aim.toughness),
        wound_cap(sum(v for v, _ in modifiers)),
        crit=min(critical_wound(), against_it),
        always=critical_wound(),
        never=certain_failure(),
        crit_kind=crit_kind,
        reroll=reroll,
        cites=("w40k10.attack.wound_roll", "w40k10.attack.wound_table", *(r for _, r in modifiers)),
        crit_cites=("w40k10.attack.critical_wound", *(("w40k10.weapon.anti",) if against_it < NEVER else ())),
        reroll_cites=("w40k10.weapon.twin_linked",) if reroll != "none" else (),
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
    values = [sheet_of(w, m).toughness for m in models]
    return max(values, key=lambda t: (values.count(t), t), default=1)


# --- The target -------------------------------------------------------------------------------------------------------


def target_of(w: World10, unit: Unit, target: Unit, aim: Aim, batches: Sequence[Batch]) -> Target:
    """The target's models as attacks see them, with one class of saving throw for each batch."""
    kits = w.setup.data.kits
    known: dict[tuple[object, ...], tuple[int, ...]] = {}
    cites = dict.fromkeys(("w40k10.attack.armour_save", "w40k10.attack.allocate_free"))
    bodies = []
    for m in who_can_take(w, target):
        shelter = () if aim.melee else cover.sources_of_cover(w, unit, target, m)
        key = (kits[m].sheet, shelter)
        saves = known.get(key)
        if saves is None:
            saves = known[key] = tuple(saving_throw(w, target, m, batch, shelter, aim) for batch in batches)
            cites.update(dict.fromkeys(_why_covered(w, m, shelter, batches)))
        bodies.append(body(w, target, m, saves))
    return Target(tuple(bodies), keeps=True, cites=tuple(cites), pain_cites=("w40k10.attack.feel_no_pain",))


def _why_covered(w: World10, model: int, shelter: tuple[str, ...], batches: Sequence[Batch]) -> tuple[str, ...]:
    """The rules to cite for a model in cover."""
    if not shelter:
        return ()
    save = sheet_of(w, model).save
    denied = any(cover.too_good_for_cover(save, armour_penetration(batch.fires[0])) for batch in batches)
    return (*shelter[:1], "w40k10.terrain.cover", *(("w40k10.terrain.cover_good_armour",) if denied else ()))


def body(w: World10, target: Unit, model: int, saves: tuple[int, ...] = ()) -> Body:
    """A model as attacks see it."""
    sheet = sheet_of(w, model)
    return Body(
        model,
        int(w.state.models.wounds[model]),
        sheet.wounds,
        saves,
        pain=pain(w, model),
        marked=must_take_it(w, model),
        rank=protected(w, target, model),
        group=sheet.name,
    )


@rule("w40k10.attack.allocate_free", neutral=())
def who_can_take(w: World10, target: Unit) -> tuple[int, ...]:
    """Any model of the target, seen or not, in range or not, in the order in which its owner would rather lose them."""
    return w.cached(("casualties", target.id), lambda: casualty_order(w, target))


def casualty_order(w: World10, target: Unit) -> tuple[int, ...]:
    """The order in which a unit's owner would rather lose its models: the plain ones first."""
    kits = w.setup.data.kits
    value = {m: (model_has_keyword(w, m, "CHARACTER"), sheet_of(w, m).wounds, len(kits[m].weapons), -m)
             for m in map(int, w.on_table(target))}  # fmt: skip
    return tuple(sorted(value, key=lambda m: value[m]))


@rule("w40k10.attack.allocate_forced", neutral=False)
def must_take_it(w: World10, model: int) -> bool:
    """A model that was given an attack this phase takes the next one, too."""
    return bool(w.state.models.mark[model] & ALLOCATED)


@rule("w40k10.ability.leader_allocation", neutral=0)
def protected(w: World10, target: Unit, model: int) -> int:
    """CHARACTER models of an Attached unit are safe while the Bodyguard stands."""
    return 1 if model in target.leader and is_attached(w, target) else 0


@rule("w40k10.attack.feel_no_pain", neutral=NEVER)
def pain(w: World10, model: int) -> int:
    """What a wound that would be lost needs to be ignored; of several such abilities only the best is used."""
    sheet = w.setup.data.kits[model].sheet
    return w.cached(("pain", sheet), lambda: weapons.feel_no_pain(sheet_of(w, model)))


# --- Saving throws ----------------------------------------------------------------------------------------------------


def saving_throw(
    w: World10, target: Unit, model: int, batch: Batch, shelter: tuple[str, ...], aim: Aim, inv: int = NEVER
) -> int:
    """The face that saves a model, by armour or by an invulnerable save, whichever is better."""
    save, ap = sheet_of(w, model).save, armour_penetration(batch.fires[0])
    if unseen_penalty(aim, batch.weapon):
        shelter = (*shelter, "w40k10.weapon.indirect_penalty")
    bonus = 0
    if not aim.melee and not weapons.ignores_cover(batch.weapon):
        bonus = sum(cover.cover_bonus(save, ap) for _ in cover.once(shelter))
    best = min(armour_save(save, ap, bonus), inv, invulnerable(w, target, model))
    return max(best, lost_save() + 1)


@rule("w40k10.attack.armour_save", neutral=NEVER)
def armour_save(save: int, ap: int, bonus: int) -> int:
    """The face that saves by armour."""
    return save_needed(save, ap, bonus, best=best_save_bonus(), never=lost_save())


@rule("w40k10.attack.save_limits", neutral=NEVER)
def best_save_bonus() -> int:
    """All that changes a save together never makes it better than this."""
    return 1


@rule("w40k10.attack.save_limits", neutral=0)
def lost_save() -> int:
    """Up to this bare face a save is lost in every case."""
    return 1


@rule("w40k10.attack.invulnerable", neutral=NEVER)
def invulnerable(w: World10, target: Unit, model: int) -> int:
    """The best invulnerable save that a model has."""
    own = sheet_of(w, model).invulnerable or NEVER
    return min(own, NEVER, *(int(e.value) for e in w.effects(INVULNERABLE, target.id)))


@rule("w40k10.terrain.ruins_plunging_fire", neutral=0)
def armour_penetration(fire: Fire) -> int:
    """The weapon's AP, one better from high up in ruins."""
    return fire.weapon.ap - (1 if fire.plunging else 0)


# --- Hooks into the flow ----------------------------------------------------------------------------------------------


def mark_allocated(b: Battle10, model: int) -> None:
    """Remember that a model was given an attack this phase."""
    if not b.state.models.mark[model] & ALLOCATED:
        b.set_mark(model, int(b.state.models.mark[model]) | ALLOCATED)


async def destroy(b: Battle10, model: int) -> None:
    """A model is destroyed: what that sets off happens first, then it is taken off the battlefield."""
    from sandtable.systems.w40k10.mortal import deadly_demise
    from sandtable.systems.w40k10.transports import abandon

    unit = b.unit(int(b.state.models.unit[model]))
    if sheet_of(b, model).has("deadly demise"):
        await deadly_demise(b, unit, model)
    await b.window(MODEL_DESTROYED, Moment(unit.id, data={"model": model}))
    if b.state.models.place[model] == GONE:
        return
    if any(u.embarked == unit.id for u in b.units()):
        await abandon(b, unit, model)
    parts = parts_destroyed(b, unit, model)
    remove(b, model)
    for part in parts:
        b.tell("unit_destroyed", f"{_NAMES[part].format(unit.name)} is destroyed.", "w40k10.unit.destroyed",
               units=[unit.id], part=part)  # fmt: skip
        await b.window(UNIT_DESTROYED, Moment(unit.id, data={"part": part}))


_NAMES: Final = {"unit": "{}", "leader": "The Leader of {}", "bodyguard": "The Bodyguard of {}"}


@rule("w40k10.unit.destroyed")
def remove(b: Battle10, model: int) -> None:
    """Take a destroyed model off the battlefield."""
    if b.state.models.wounds[model]:
        b.set_wounds(model, 0)
    b.place_models([model], GONE)


@rule("w40k10.unit.attached_destroyed_triggers", neutral=())
def parts_destroyed(w: World10, unit: Unit, model: int) -> tuple[str, ...]:
    """What a model's loss destroys: the Leader and the Bodyguard of an Attached unit count on their own."""
    if any((m in unit.leader) == (model in unit.leader) for m in map(int, w.on_table(unit)) if m != model):
        return ()
    if not unit.leader:
        return ("unit",)
    return ("leader",) if model in unit.leader else ("bodyguard",)


async def after_roll(b: Battle10, roll: Roll) -> tuple[int, ...]:
    """The moment after a batch of dice, for Command Re-roll."""
    return await offer_batch_reroll(b, roll)


HOOKS: Final = Hooks(after_roll=after_roll, allocated=mark_allocated, destroy=destroy)


def precise_targets(w: World10, target: Unit, visible: Sequence[int]) -> tuple[int, ...]:
    """The CHARACTER models of an Attached unit that Precision can pick out among the visible ones."""
    if not is_attached(w, target):
        return ()
    return tuple(m for m in visible if model_has_keyword(w, m, "CHARACTER"))


def is_big(w: World10, unit: Unit) -> bool:
    """Whether a unit is a MONSTER or VEHICLE."""
    return has_keyword(w, unit, "MONSTER") or has_keyword(w, unit, "VEHICLE")
