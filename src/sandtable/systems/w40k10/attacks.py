"""Making attacks: from weapons and a target to the tables that the attack's flow resolves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from sandtable.attack.tables import capped, hit_table, save_needed, wound_table
from sandtable.attack.volley import (
    NEVER,
    Body,
    DiceSum,
    HitRoll,
    Mortal,
    Shots,
    Target,
    Volley,
    WoundKind,
    WoundRoll,
    dice,
)
from sandtable.battle import GONE
from sandtable.kit.attacks import Hooks, Roll, resolve_all
from sandtable.rules import rule
from sandtable.systems.w40k10 import cover, weapons
from sandtable.systems.w40k10.concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.dice import offer_batch_reroll
from sandtable.systems.w40k10.state import ALLOCATED, Battle10, Unit, World10, is_attached, sheet_of

HIT_MODIFIER: Final = "hit_modifier"
WOUND_MODIFIER: Final = "wound_modifier"
INVULNERABLE: Final = "invulnerable"
STEALTH: Final = "stealth"
BEST_SAVE_BONUS: Final = 1


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


@rule(
    "w40k10.attack.sequence", "w40k10.attack.excess_damage", "w40k10.attack.fast_random_damage", "w40k10.attack.damage"
)
async def make_attacks(b: Battle10, unit: Unit, fires: Sequence[Fire], aims: dict[int, Aim]) -> None:
    """Resolve declared attacks: one target after the other, one profile after the other, mortal wounds last."""
    for target in one_target_after_the_other(fires):
        batches = in_batches([f for f in fires if f.target == target])
        await _attack(b, unit, b.unit(target), aims[target], batches)
        b.go_on()


async def _attack(b: Battle10, unit: Unit, target: Unit, aim: Aim, batches: Sequence[Batch]) -> None:
    await resolve_all(
        b,
        [partial(volley, b, unit, target, aim, batch, k) for k, batch in enumerate(batches)],
        lambda: target_of(b, unit, target, aim, batches),
        HOOKS,
        unit=unit.id,
        against=target.id,
        mortal_rules=("w40k10.attack.mortal_wounds", "w40k10.attack.mortal_timing"),
    )


@rule("w40k10.shoot.target_order", "w40k10.fight.resolve_order", neutral=())
def one_target_after_the_other(fires: Sequence[Fire]) -> tuple[int, ...]:
    """Targets in the order in which they were first named."""
    return tuple(dict.fromkeys(f.target for f in fires))


@rule("w40k10.shoot.profile_order", "w40k10.attack.fast_dice", neutral=())
def in_batches(fires: Sequence[Fire]) -> tuple[Batch, ...]:
    """Attacks of one profile back to back; only what is alike in everything is rolled together."""
    profiles = dict.fromkeys((f.weapon, f.half_range, f.plunging, f.aim) for f in fires)
    ordered = sorted(profiles, key=lambda key: [f.weapon for f in fires].index(key[0]))
    return tuple(
        Batch(key[0], tuple(f for f in fires if (f.weapon, f.half_range, f.plunging, f.aim) == key)) for key in ordered
    )


# --- The volley -------------------------------------------------------------------------------------------------------


def volley(w: World10, unit: Unit, target: Unit, aim: Aim, batch: Batch, save_class: int) -> Volley:
    """The attacks of a batch as tables by die face."""
    weapon = batch.weapon
    first = batch.fires[0]
    damage = damage_of(weapon, first.half_range)
    normal = WoundKind(save_class, damage, cites=("w40k10.attack.damage",))
    kinds = [normal]
    devastating = weapons.devastating_wounds(weapon)
    if devastating:
        spill = w.option("devastating") == "spill"
        mortal = Mortal(damage, spill=spill, held=True)
        kinds.append(WoundKind(save_class, None, mortal, ("w40k10.weapon.devastating_wounds",)))
    return Volley(
        name=f"{unit.name}: {len(batch.fires)} x {weapon.name} at {target.name}",
        shots=shots(weapon, batch.fires, aim),
        hit=hit_roll(w, unit, target, weapon, aim),
        wound=wound_roll(w, unit, target, weapon, aim, 1 if devastating else 0),
        kinds=tuple(kinds),
        aim=first.aim,
        aim_cites=("w40k10.weapon.precision",) if first.aim else (),
        cites=("w40k10.attack.sequence",),
    )


@rule("w40k10.shoot.attack_count", "w40k10.fight.attack_count", "w40k10.datasheet.random_other", neutral=())
def shots(weapon: Weapon, fires: Sequence[Fire], aim: Aim) -> tuple[Shots, ...]:
    """How many attacks each weapon makes; a random number is rolled for each of them."""
    if any(f.attacks for f in fires):
        return (Shots(1, DiceSum(plus=sum(f.attacks for f in fires))),)
    extra = weapons.rapid_fire(weapon, fires[0].half_range).more(weapons.blast(weapon, aim.size))
    return (Shots(len(fires), dice(weapon.attacks).more(extra)),)


def damage_of(weapon: Weapon, half_range: bool) -> DiceSum:
    """What an unsaved attack inflicts."""
    return dice(weapon.damage).more(weapons.melta(weapon, half_range))


@rule("w40k10.attack.hit_roll", "w40k10.attack.critical_hit")
def hit_roll(w: World10, unit: Unit, target: Unit, weapon: Weapon, aim: Aim) -> HitRoll:
    """What each face of a Hit roll gives."""
    modifiers = hit_modifiers(w, unit, target, weapon, aim)
    crit_cites: tuple[str, ...] = ("w40k10.attack.critical_hit",)
    if weapons.lethal_hits(weapon):
        crit_cites = (*crit_cites, "w40k10.weapon.lethal_hits")
    if weapon.has("sustained hits"):
        crit_cites = (*crit_cites, "w40k10.weapon.sustained_hits")
    overwatch = only_sixes(aim)
    auto = weapons.torrent(weapon)
    return hit_table(
        NEVER if overwatch else weapon.skill,
        0 if overwatch else hit_cap([v for v, _ in modifiers]),
        auto=auto,
        lethal=weapons.lethal_hits(weapon),
        sustained=weapons.sustained_hits(weapon),
        cites=("w40k10.weapon.torrent",) if auto else ("w40k10.attack.hit_roll", *(r for _, r in modifiers)),
        crit_cites=crit_cites,
    )


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


@rule("w40k10.attack.hit_modifier_cap", neutral=-1)
def hit_cap(modifiers: Sequence[int]) -> int:
    """All modifiers together change a Hit roll by 1 at most."""
    return capped(modifiers)


@rule("w40k10.ability.stealth", neutral=0)
def stealth(w: World10, target: Unit) -> int:
    """Harder to hit from afar, if every model has Stealth, or smoke covers the unit."""
    everybody = all(sheet_of(w, int(m)).has("stealth") for m in w.on_table(target))
    return -1 if w.affected(STEALTH, target.id) or everybody else 0


@rule("w40k10.shoot.bgnt_penalty", neutral=0)
def hampered(aim: Aim, weapon: Weapon) -> int:
    """Big guns are unwieldy in a melee; Pistols are not."""
    return -1 if aim.hampered and not weapons.is_pistol(weapon) else 0


@rule("w40k10.weapon.indirect_penalty", neutral=0)
def unseen_penalty(aim: Aim, weapon: Weapon) -> int:
    """Indirect fire at what nobody of the unit sees."""
    return -1 if aim.unseen and weapons.indirect(weapon) else 0


@rule("w40k10.attack.wound_roll", "w40k10.attack.critical_wound")
def wound_roll(w: World10, unit: Unit, target: Unit, weapon: Weapon, aim: Aim, crit_kind: int) -> WoundRoll:
    """What each face of a Wound roll gives."""
    modifiers = [(int(e.value), e.source) for e in w.effects(WOUND_MODIFIER, unit.id)]
    modifiers.append((weapons.lance(unit, weapon), "w40k10.weapon.lance"))
    modifiers = [(value, source) for value, source in modifiers if value]
    crit = weapons.critical_wound(w, weapon, target)
    reroll = weapons.twin_linked(weapon)
    return wound_table(
        weapons.wound_needed(weapon.strength, aim.toughness),
        wound_cap([v for v, _ in modifiers]),
        crit=crit,
        crit_kind=crit_kind,
        reroll=reroll,
        cites=("w40k10.attack.wound_roll", "w40k10.attack.wound_table", *(r for _, r in modifiers)),
        crit_cites=("w40k10.weapon.anti",) if crit < weapons.CRITICAL else ("w40k10.attack.critical_wound",),
        reroll_cites=("w40k10.weapon.twin_linked",) if reroll != "none" else (),
    )


@rule("w40k10.attack.wound_modifier_cap", neutral=-1)
def wound_cap(modifiers: Sequence[int]) -> int:
    """All modifiers together change a Wound roll by 1 at most."""
    return capped(modifiers)


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
    bodies = []
    for m in casualty_order(w, target):
        sheet = sheet_of(w, m)
        saves = tuple(needed_save(w, unit, target, aim, m, batch) for batch in batches)
        bodies.append(
            Body(
                m,
                int(w.state.models.wounds[m]),
                sheet.wounds,
                saves,
                pain=pain(w, m),
                marked=must_take_it(w, m),
                rank=protected(w, target, m),
                group=sheet.name,
            )
        )
    cites = ("w40k10.attack.armour_save", "w40k10.attack.allocate_free")
    return Target(tuple(bodies), keeps=True, cites=cites, pain_cites=("w40k10.attack.feel_no_pain",))


def casualty_order(w: World10, target: Unit) -> list[int]:
    """The order in which a unit's owner would rather lose its models: the plain ones first."""
    return sorted(
        (int(m) for m in w.on_table(target)),
        key=lambda m: (
            model_has_keyword(w, m, "CHARACTER"),
            sheet_of(w, m).wounds,
            len(w.setup.data.kits[m].weapons),
            -m,
        ),
    )


@rule("w40k10.attack.allocate_forced", neutral=False)
def must_take_it(w: World10, model: int) -> bool:
    """A model that was given an attack this phase takes the next one, too."""
    return bool(w.state.models.mark[model] & ALLOCATED)


@rule("w40k10.ability.leader_allocation", neutral=0)
def protected(w: World10, target: Unit, model: int) -> int:
    """CHARACTER models of an Attached unit are safe while the Bodyguard stands."""
    return 1 if model in target.leader and is_attached(w, target) else 0


@rule("w40k10.attack.armour_save", "w40k10.attack.save_limits", neutral=NEVER)
def needed_save(w: World10, unit: Unit, target: Unit, aim: Aim, model: int, batch: Batch) -> int:
    """The face that saves, by armour or by the invulnerable save, whichever is better."""
    sheet = sheet_of(w, model)
    ap = armour_penetration(batch.fires[0])
    bonus = 0
    if (
        not aim.melee
        and not weapons.ignores_cover(batch.weapon)
        and in_cover(w, unit, target, aim, model, batch.weapon)
    ):
        bonus = cover.cover_bonus(sheet.save, ap)
    return save_needed(sheet.save, ap, bonus, invulnerable=invulnerable(w, target, model), best=BEST_SAVE_BONUS)


@rule("w40k10.terrain.ruins_plunging_fire", neutral=0)
def armour_penetration(fire: Fire) -> int:
    """The weapon's AP, one better from high up in ruins."""
    return fire.weapon.ap - (1 if fire.plunging else 0)


def in_cover(w: World10, unit: Unit, target: Unit, aim: Aim, model: int, weapon: Weapon) -> bool:
    """Whether a model has the Benefit of Cover against a ranged attack."""
    return bool(unseen_penalty(aim, weapon)) or bool(cover.cover_rules(w, unit, target, model))


@rule("w40k10.attack.invulnerable", neutral=NEVER)
def invulnerable(w: World10, target: Unit, model: int) -> int:
    """The best invulnerable save that a model has."""
    own = sheet_of(w, model).invulnerable or NEVER
    return min(own, *(int(e.value) for e in w.effects(INVULNERABLE, target.id)), NEVER)


@rule("w40k10.attack.feel_no_pain", neutral=NEVER)
def pain(w: World10, model: int) -> int:
    """What a wound that would be lost needs to be ignored; of several such abilities only the best is used."""
    return weapons.feel_no_pain(sheet_of(w, model).abilities)


# --- Hooks into the flow ----------------------------------------------------------------------------------------------


def mark_allocated(b: Battle10, model: int) -> None:
    """Remember that a model was given an attack this phase."""
    if not b.state.models.mark[model] & ALLOCATED:
        b.set_mark(model, int(b.state.models.mark[model]) | ALLOCATED)


async def destroy(b: Battle10, model: int) -> None:
    """A model is destroyed: what that sets off happens first, then it is taken off the battlefield."""
    from sandtable.systems.w40k10.mortal import deadly_demise

    unit = b.unit(int(b.state.models.unit[model]))
    if sheet_of(b, model).has("deadly demise"):
        await deadly_demise(b, unit, model)
    remove(b, unit, model)


@rule("w40k10.unit.destroyed")
def remove(b: Battle10, unit: Unit, model: int) -> None:
    """Take a destroyed model off the battlefield, and say when its unit is no more."""
    if b.state.models.place[model] == GONE:
        return
    was_attached = is_attached(b, unit)
    b.set_wounds(model, 0)
    b.place_models([model], GONE)
    for part in parts_destroyed(b, unit, model, was_attached):
        b.tell(
            "unit_destroyed",
            f"{part} is destroyed.",
            "w40k10.unit.destroyed",
            units=[unit.id],
        )


@rule("w40k10.unit.attached_destroyed_triggers", neutral=())
def parts_destroyed(w: World10, unit: Unit, model: int, was_attached: bool) -> tuple[str, ...]:
    """Which units a model's loss destroys: the Leader and the Bodyguard of an Attached unit count on their own."""
    alive = [int(m) for m in w.on_table(unit)]
    if unit.leader:
        mates = [m for m in alive if (m in unit.leader) == (model in unit.leader)]
        if mates:
            return ()
        kind = "the Leader" if model in unit.leader else "the Bodyguard"
        return (f"{unit.name} ({kind})" if was_attached else unit.name,)
    return () if alive else (unit.name,)


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
