"""Two units without a battle: what one does to the other, for questions about odds.

The units are enlisted as for a battle and stand on an empty table. All models of a unit stand on one spot, so that each
of them is as far from the enemy as the question says. Attacks are then compiled by the functions of the battle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from sandtable.armies.effects import (
    Characteristic,
    Critical,
    Damage,
    FeelNoPain,
    Grant,
    Invulnerable,
    Mark,
    Modify,
    Reroll,
    WeaponAbility,
)
from sandtable.attack.volley import Attack, DiceSum, Volley, dice
from sandtable.battle import GONE, TABLE, Battle, System
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.state import new_version
from sandtable.errors import UserError
from sandtable.forty.aiming import guns_carried
from sandtable.forty.effects.at_work import at_work
from sandtable.forty.effects.attack_rolls import best_of, looks_at_half_range
from sandtable.forty.effects.enforced import left_out
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.effects.permissions import allows
from sandtable.forty.enlist import Army
from sandtable.forty.odds.backfires import backfire
from sandtable.forty.odds.chances import attack_of
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.odds.matchups import Compiled, Force, Losses, Matchups, Situation, Strikes, Test
from sandtable.forty.sheets import shape_of
from sandtable.systems.w40k10 import melee, weapons
from sandtable.systems.w40k10.attacks import COMPILE, batches_of, volley
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.circumstances import (
    BIG_GUNS,
    CIRCUMSTANCES,
    HALF_RANGE,
    OVERCHARGE,
    OVERWATCH,
    PLUNGING,
    REROLLS,
    UNSEEN,
    meant_by,
    use,
)
from sandtable.systems.w40k10.concepts import best_leadership, starting_strength
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.enlist import assemble
from sandtable.systems.w40k10.formations import attach
from sandtable.systems.w40k10.mortal import HAZARDS
from sandtable.systems.w40k10.objectives import CONTROL
from sandtable.systems.w40k10.readings import READINGS
from sandtable.systems.w40k10.saves import who_can_take
from sandtable.systems.w40k10.setup import NAME, SYSTEM_ID
from sandtable.systems.w40k10.shooting import AIMING, free_hands, shot_at
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import NORMAL, Battle10, Data, Game, Player, Unit, sheet_of
from sandtable.systems.w40k10.stratagems import COMMAND_REROLL
from sandtable.systems.w40k10.stratagems_shooting import REROLLABLE
from sandtable.systems.w40k10.targets import fire, fits, in_range
from sandtable.systems.w40k10.visibility import presume
from sandtable.systems.w40k10.words import WORDS
from sandtable.table.grid import STEP, TURN, steps
from sandtable.table.layout import Table

FIELD: Final = Table(steps(240), steps(120), "in", ())
MIDDLE: Final = (steps(60), steps(60))
MAX_DISTANCE: Final = 120.0
FAR: Final = 12.5
"""Where the question names no distance, units stand so far apart that little depends on being near..."""
NEAR: Final = 6.0
"""...or at half the range of the shortest guns."""

ON_ATTACKS: Final = (
    Characteristic,
    Critical,
    Damage,
    FeelNoPain,
    Grant,
    Invulnerable,
    Mark,
    Modify,
    Reroll,
    WeaponAbility,
)
"""Effects that can change what attacks do."""
LEAN: Final = System(
    SYSTEM_ID,
    NAME,
    "in",
    Unit,
    Player,
    Game,
    Data,
    segments={},
    next_segment=lambda b: None,
    readings=READINGS,
    seams=(WORDS, COMPILE, AIMING, CONTROL),
)
"""The system as far as attacks are compiled by it. Nothing is played here, and all the rest would take long to load."""
PLAIN: Final = NORMAL
"""Without a word about it, a unit has moved."""


# --- The small world --------------------------------------------------------------------------------------------------


def compile_(
    first: Force, second: Force, there: Situation | None, back: Situation | None, options: Mapping[str, str]
) -> Compiled:
    """What the first does to the second, and what the second does to the first."""
    return (
        None if there is None else _strikes(first, second, there, options, back=False),
        None if back is None else _strikes(first, second, back, options, back=True),
    )


def _strikes(first: Force, second: Force, how: Situation, options: Mapping[str, str], *, back: bool) -> Strikes:
    far = _distance(how)
    b, units = _meet(first, second, 0.0 if how.melee else far, options)
    unit, target = units[::-1] if back else units
    # On one spot models would hide each other.
    presume(b, unit, target, seen=UNSEEN not in how.modifiers)
    b.state.active = target.player if OVERWATCH in how.modifiers else unit.player
    b.state.game.phase = "fight" if how.melee else "shooting"
    unit.moved = PLAIN
    for circumstance in CIRCUMSTANCES:
        if circumstance.modifier.name in how.modifiers:
            circumstance.apply(b, unit, target)
    how = msgspec.structs.replace(how, uses=tuple(use(b, unit, target, name) for name in how.uses))
    how = _with_proper_names(b, unit, how)
    by = (second if back else first).profiles
    return _melee(b, unit, target, how, by) if how.melee else _shooting(b, unit, target, how, by)


def _distance(how: Situation) -> float:
    if how.distance is None:
        return NEAR if HALF_RANGE in how.modifiers else FAR
    if not 0 < how.distance <= MAX_DISTANCE:
        raise UserError(f'A distance is above 0" and at most {MAX_DISTANCE:.0f}", not {how.distance}".')
    return how.distance


def _meet(first: Force, second: Force, far: float, options: Mapping[str, str]) -> tuple[Battle10, tuple[Unit, Unit]]:
    """Both units on an empty table, so far from each other; Leaders are with them."""
    armies = {"attacker": Army(first.army, first.pack), "target": Army(second.army, second.pack)}
    setup, state = assemble(armies, FIELD, LEAN.settle_options(options))
    b: Battle10 = Battle(LEAN, setup, state, dice=ScriptedDice([]), record=False)
    heads = (b.unit(0), b.unit(len(first.army.units)))
    for head, force in zip(heads, (first, second), strict=True):
        for number in range(1, len(force.army.units)):
            attach(b, b.unit(head.id + number), head)
        for m in head.models:
            half = shape_of(sheet_of(b, m)).length // 2
            x = MIDDLE[0] - half if head is heads[0] else MIDDLE[0] + math.floor(far * STEP) + half
            state.models.pos[m] = (x, MIDDLE[1], 0)
            state.models.facing[m] = 0 if head is heads[0] else TURN // 2
            state.models.place[m] = TABLE
    state.version = state.stamp = new_version()
    for head, force in zip(heads, (first, second), strict=True):
        if force.losses is not None:
            _lose(b, head, force.losses, force.name)
    return b, heads


def _lose(b: Battle10, unit: Unit, losses: Losses, name: str) -> None:
    """Take off what a unit has lost before the question, in the order in which its owner would rather lose it."""
    state, order = b.state.models, list(who_can_take(b, unit))
    wounds = [int(state.wounds[m]) for m in order]
    there = len(order) if losses.what == "models" else sum(wounds)
    lost = there - losses.number if losses.left else losses.number
    if losses.what == "half":
        lost = there // 2
    if not 0 <= lost < there:
        kept = "left" if losses.left else "lost"
        least, most = (1, there) if losses.left else (0, there - 1)
        raise UserError(f"{name}: {least} to {most} {losses.what} can be {kept}, not {losses.number}.")
    points = sum(wounds[:lost]) if losses.what == "models" else lost
    for m, own in zip(order, wounds, strict=True):
        state.wounds[m] = max(0, own - points)
        if own <= points:
            state.place[m] = GONE
        points -= min(own, points)
    b.state.version = b.state.stamp = new_version()


def _strikes_of(b: Battle10, unit: Unit, target: Unit, shots: Sequence[Shot], how: Situation) -> Strikes:
    """Declared attacks as everybody above reads them."""
    batches = batches_of(b, unit, target, shots)
    attack = attack_of(b, unit, target, shots)
    again = [REROLLS[name] for name in how.modifiers if name in REROLLS]
    roster = b.setup.data.roster
    share: dict[int, float] = {}
    first = 0
    for entry in roster:
        share.update(dict.fromkeys(range(first, first + entry.models), entry.points / entry.models))
        first += entry.models
    bodies = tuple(msgspec.structs.replace(body, value=share[body.model]) for body in attack.target.bodies)
    volleys = tuple(_rerolled(v, again) for v in attack.volleys)
    one = tuple(_rerolled(volley(b, unit, target, batch[:1], k), again) for k, batch in enumerate(batches))
    whom = msgspec.structs.replace(attack.target, bodies=bodies)
    return Strikes(
        Attack(volleys, whom, attack.procedure, attack.choices),
        one,
        tuple(tuple(s.model for s in batch) for batch in batches),
        tuple(batch[0].weapon.name for batch in batches),
        tuple(sheet_of(b, batch[0].model).name for batch in batches),
        _facts(how),
        _not_counted(b, how.uses),
        starting_strength(b, target),
        backfire(b, unit, HAZARDS, melee.used_weapons(shots) if how.melee else [s.weapon for s in shots], share),
    )


def _rerolled(v: Volley, again: Sequence[tuple[str, tuple[int, ...]]]) -> Volley:
    """With the re-rolls that the question grants, beside those that the weapon has."""
    hit, wound = v.hit, v.wound
    for roll, faces in again:
        if roll == "hit" and hit.rolled:
            more = tuple(sorted({*hit.reroll, *faces}))
            hit = msgspec.structs.replace(hit, reroll=more, cites=(*hit.cites, "w40k10.dice.reroll"))
        elif roll == "wound" and wound.rolled:
            more = tuple(sorted({*wound.reroll, *faces}))
            wound = msgspec.structs.replace(wound, reroll=more, cites=(*wound.cites, "w40k10.dice.reroll"))
    return msgspec.structs.replace(v, hit=hit, wound=wound)


def _not_counted(b: Battle10, at_work: Sequence[str]) -> tuple[str, ...]:
    """Abilities that are not enforced, or that work only at a moment which no question of odds comes to."""
    data = b.setup.data
    later = [c.name for c in data.abilities if any(e.at and isinstance(e, ON_ATTACKS) for e in c.effects)]
    stratagems = [s.name for s in data.stratagems]
    parts = [entry.name for entry in left_out(b) if entry.name not in stratagems]
    out = [f"{name} (at its moment)" for name in dict.fromkeys(later) if name not in at_work]
    return (*out, *(f"{name} (left to the players)" for name in dict.fromkeys(parts)))


def _facts(how: Situation) -> tuple[str, ...]:
    at_work = [f"{name} is at work" for name in how.uses]
    if how.melee:
        return ("every model fights, with the melee weapon that does most", *at_work)
    reach = "every weapon is in range" if how.distance is None else f'the units are {how.distance:g}" apart'
    half = () if how.distance is not None or HALF_RANGE in how.modifiers else ("and none within half range",)
    return (" ".join((reach, *half)), "each model fires everything it may, with the profiles that do most", *at_work)


# --- Which weapons ----------------------------------------------------------------------------------------------------


def _shooting(b: Battle10, unit: Unit, target: Unit, how: Situation, by: tuple[str, ...]) -> Strikes:
    """Each model fires everything that it may, with the profile that does most; Pistols or the rest."""
    big_guns = BIG_GUNS in how.modifiers
    at = shot_at(b, unit, target, overwatch=OVERWATCH in how.modifiers)
    at = msgspec.structs.replace(at, hampered=at.hampered or big_guns)
    known: dict[tuple[Weapon, ...], tuple[Shot, float] | None] = {}
    shots: list[Shot] = []
    for row, m in enumerate(map(int, b.on_table(unit))):
        choices: dict[bool, list[tuple[Shot, float]]] = {True: [], False: []}
        for item in guns_carried(b, m):
            best = known.get(item.profiles)
            if item.profiles not in known:
                best = known[item.profiles] = _best_profile(b, unit, target, at, how, by, row, m, item.profiles)
            if best is not None:
                shot = msgspec.structs.replace(best[0], model=m)
                choices[weapons.is_pistol(shot.weapon)].append((shot, best[1]))
        shots += _pistols_or_rest(choices, free_hands(b, m))
    if not shots:
        raise UserError(_nothing_to_use(unit.name, target.name, how))
    # What is alike stands together, so that batches come in the order of the datasheet.
    return _strikes_of(b, unit, target, shots, how)


def _best_profile(
    b: Battle10,
    unit: Unit,
    target: Unit,
    at: Shot,
    how: Situation,
    by: tuple[str, ...],
    row: int,
    model: int,
    profiles: Sequence[Weapon],
) -> tuple[Shot, float] | None:
    """The shot of one weapon that does most on average, and how much; None where it may not be fired."""
    usable = [p for p in profiles if _named(how, p) and _may_fire(b, unit, target, how, row, p)]
    if wanted := [p for p in usable if _label(p) in by]:
        usable = wanted
    elif OVERCHARGE not in how.modifiers:
        usable = [p for p in usable if not weapons.is_hazardous(p)] or usable
    best: tuple[Shot, float] | None = None
    for profile in usable:
        shot = fire(b, unit, row, model, profile, at)
        half = shot.half_range if how.distance is not None else _at_half_range(b, unit, profile, how)
        shot = msgspec.structs.replace(shot, half_range=half, plunging=PLUNGING in how.modifiers)
        mean = mean_damage(b, unit, target, [shot])
        if best is None or mean > best[1]:
            best = (shot, mean)
    return best


def _at_half_range(b: Battle10, unit: Unit, profile: Weapon, how: Situation) -> bool:
    """Where no distance is named, the question itself says whether weapons are within half range."""
    counts = weapons.has(profile, "rapid fire") or weapons.has(profile, "melta") or looks_at_half_range(b, unit)
    return counts and HALF_RANGE in how.modifiers


def _may_fire(b: Battle10, unit: Unit, target: Unit, how: Situation, row: int, profile: Weapon) -> bool:
    if not fits(b, unit, profile, target) or (UNSEEN in how.modifiers and not weapons.indirect(profile)):
        return False
    return how.distance is None or bool(np.any(in_range(b.distances(unit, target)[row], profile.range)))


def _pistols_or_rest(choices: Mapping[bool, Sequence[tuple[Shot, float]]], both: bool) -> list[Shot]:
    pistols, rest = choices[True], choices[False]
    if both:
        return [shot for shot, _ in (*rest, *pistols)]
    chosen = pistols if sum(mean for _, mean in pistols) > sum(mean for _, mean in rest) else rest
    return [shot for shot, _ in chosen]


def _melee(b: Battle10, unit: Unit, target: Unit, how: Situation, by: tuple[str, ...]) -> Strikes:
    """Every model strikes with what does most, as a battle's default has it."""
    hands = [hand for hand in melee.hands_of(b, unit) if _named(how, hand.weapon)]
    chosen = {(hand.model, hand.weapon.item) for hand in hands if _label(hand.weapon) in by}
    hands = [h for h in hands if (h.model, h.weapon.item) not in chosen or _label(h.weapon) in by]
    if not any(hand.targets for hand in hands):
        raise UserError(_nothing_to_use(unit.name, target.name, how))
    answer = melee.best_strikes(b, unit, hands)
    return _strikes_of(b, unit, target, melee.strikes(b, unit, hands, answer), how)


def _all_weapons(b: Battle10, unit: Unit, *, ranged: bool) -> list[Weapon]:
    kits, sheets = b.setup.data.kits, b.setup.data.sheets
    found = [sheets[kits[m].sheet].weapons[i] for m in unit.models for i in kits[m].weapons]
    return list(dict.fromkeys(w for w in found if w.is_melee != ranged))


def _named(how: Situation, weapon: Weapon) -> bool:
    return not how.weapons or weapon.name in how.weapons or weapon.item in how.weapons


def _label(weapon: Weapon) -> str:
    """The name of a profile alone: "supercharge"."""
    return weapon.name.removeprefix(weapon.item).lstrip(", ")


def _with_proper_names(b: Battle10, unit: Unit, how: Situation) -> Situation:
    """The situation with weapons named as on the datasheet, however they were written; refuses unknown ones."""
    there = _all_weapons(b, unit, ranged=not how.melee)
    items = list(dict.fromkeys(weapon.item for weapon in there))
    known = list(dict.fromkeys((*items, *(weapon.name for weapon in there))))
    labels = list(dict.fromkeys(label for weapon in there if (label := _label(weapon))))
    found: list[str] = []
    for name in how.weapons:
        if proper := meant_by(name, items) or meant_by(name, known):
            found.append(proper)
        elif label := meant_by(name, labels):
            found += [weapon.name for weapon in there if _label(weapon) == label]
        else:
            kind = "melee" if how.melee else "ranged"
            raise UserError(f"{unit.name} has no {kind} weapon '{name}'; it has: {', '.join(known) or 'none'}.")
    return msgspec.structs.replace(how, weapons=tuple(dict.fromkeys(found)))


def _nothing_to_use(who: str, whom: str, how: Situation) -> str:
    if how.melee:
        return f"{who} has no melee weapon to strike {whom} with."
    where = "" if how.distance is None else f' from {how.distance:g}" away'
    return f"{who} has no ranged weapon that it may fire at {whom}{where}, the way things stand; try close combat."


# --- Rolls ------------------------------------------------------------------------------------------------------------


def tests_of(force: Force, distance: float, options: Mapping[str, str]) -> tuple[Test, ...]:
    """A charge over a distance, an Advance, a Leadership test and a Battle-shock test."""
    if not 0 < distance <= MAX_DISTANCE:
        raise UserError(f'A distance is above 0" and at most {MAX_DISTANCE:.0f}", not {distance}".')
    b, (unit, _) = _meet(force, force, FAR, options)
    nerve = best_leadership(b, unit)
    two, one = dice("2D6"), dice("D6")
    three = dice("3D6") if allows(b, unit, "extra_battle_shock_die") else two
    return (
        _test(b, unit, "charge", f'charge an enemy {distance:g}" away', two, needed_to_charge(distance),
              ("w40k10.charge.roll", "w40k10.charge.conditions"), ("charge",)),
        _test(b, unit, "advance", 'Advance 4" or more', one, 4, ("w40k10.move.advance",), ("advance",)),
        _test(b, unit, "leadership", f"pass a Leadership test on {nerve}+", two, nerve,
              ("w40k10.datasheet.leadership_test",), ("leadership",)),
        _test(b, unit, "battle-shock", f"pass a Battle-shock test on {nerve}+", three, nerve,
              ("w40k10.command.battleshock_test",), ("battle_shock", "leadership")),
    )  # fmt: skip


def _test(
    b: Battle10,
    unit: Unit,
    name: str,
    text: str,
    number: DiceSum,
    needed: int,
    rules: tuple[str, ...],
    rolls: tuple[str, ...],
) -> Test:
    """A roll with what the unit's own abilities add to it and let it roll again, or else a Command Re-roll."""
    more, by = added(b, unit, *rolls)
    again = best_of([a for a in at_work(b, unit, Reroll) if a.effect.roll in rolls])
    free = again.faces in ("failures", "all")
    bought = not free and bool(REROLLABLE.intersection(rolls))
    told = f"{text}, {more:+d} to the roll" if more else text
    cites = (*rules, *by, *(again.names if free else ()), *((COMMAND_REROLL.rule,) if bought else ()))
    if free or bought:
        cites = (*cites, "w40k10.dice.reroll_sum")
    return Test(name, told, number, needed - more, "all" if free or bought else "none", cites, free)


def needed_to_charge(distance: float) -> int:
    """The Charge roll that brings a unit from this far away into Engagement Range."""
    return max(0, math.ceil((steps(distance) - BOOK.engagement.flat) / STEP))


MATCHUPS: Final = Matchups(
    rules=LEAN,
    modifiers=tuple(c.modifier for c in CIRCUMSTANCES),
    compile=compile_,
    tests=tests_of,
    panel=Path(__file__).parent / "panel",
    reroll_price=(COMMAND_REROLL.rule,),
    rerolled=("attacks", "hit", "wound", "damage"),
)
