"""Questions about what to do: spend a command point, charge, split fire, change a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast

import msgspec

from sandtable.armies.format import Stratagem
from sandtable.attack.advice import Goal, Lot, best_order, best_split, together, worth_of
from sandtable.attack.one_reroll import ATTACKER, Roll, worth
from sandtable.attack.solver import solve
from sandtable.attack.volley import Aim, Attack, Volley
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Modifier, Situation
from sandtable.kit.grammar import titled
from sandtable.odds.bounds import whole_number
from sandtable.odds.cases import Case, assumed, case_of, told_weapons
from sandtable.odds.changes import INVULNERABLE, side_of, stat_named, stat_of, with_stat
from sandtable.odds.links import asked
from sandtable.odds.names import does
from sandtable.odds.outcome import Outcome
from sandtable.odds.questions import SHOOTING, into
from sandtable.odds.results import CommandPoint, Share, SplitFire, Sweep, Use
from sandtable.odds.setting import PLAIN, Setting
from sandtable.odds.units import find_force

GOALS: Final = {"destroy": "destroy", "kills": "models", "damage": "damage", "points": "value"}
"""The solver's word for each aim."""
MAX_SWEEP: Final = 60
MODELS, DISTANCE = "models", "distance"


def checked_aim(aim: str) -> Aim:
    """An aim by its name."""
    if aim not in GOALS:
        raise UserError(f"An aim is destroy, kills, damage or points, not '{aim}'.")
    return cast(Aim, aim)


# --- 6: a command point -----------------------------------------------------------------------------------------------


@asked
def command_point(
    attacker: str | Force,
    target: str | Force,
    aim: str = "destroy",
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
) -> CommandPoint:
    """What a command point is worth in an attack: on which die, or for which stratagem, for either side."""
    wanted = checked_aim(aim)
    case = case_of(attacker, target, how, setting, aim=wanted)
    # Who falls first must not depend on the dice here, so nobody is picked out.
    open_fire = msgspec.structs.replace(case.attack, choices=msgspec.structs.replace(case.attack.choices, aim="never"))
    case = case._replace(attack=open_fire)
    attack = _with_goal(case.attack, wanted)
    system = setting.matchups
    before = worth(attack)
    uses: list[Use] = []
    allowed: tuple[Roll, ...] = tuple(roll for roll in ATTACKER if roll in system.rerolled)
    if system.reroll_price:
        for roll in allowed:
            uses.append(Use(f"a re-roll of one {roll} roll", system.reroll_price, before, worth(attack, (roll,))))
        name = "a re-roll kept for the die where it does most"
        uses.append(Use(name, system.reroll_price, before, worth(attack, allowed)))
        spared = worth(attack, ("save",))
        uses.append(Use("a re-roll of one save", system.reroll_price, before, spared, by_target=True))
    for modifier in system.modifiers:
        if modifier.price and modifier.name not in how.modifiers and _fits(modifier, case, how):
            changed = msgspec.structs.replace(how, modifiers=(*how.modifiers, modifier.name))
            after = worth(_with_goal(case_of(case.attacker, case.target, changed, setting, aim=wanted).attack, wanted))
            name = titled(modifier.name.replace("-", " "))
            uses.append(Use(name, modifier.rules, before, after, modifier.by_target, modifier.price))
    for stratagem, by_target in _stratagems(case, how):
        changed = msgspec.structs.replace(how, uses=(*how.uses, stratagem.name))
        after = worth(_with_goal(case_of(case.attacker, case.target, changed, setting, aim=wanted).attack, wanted))
        if abs(after - before) > 1e-9:
            uses.append(Use(stratagem.name, (), before, after, by_target, max(1, stratagem.cp)))
    ordered = tuple(sorted(uses, key=lambda use: -use.gain))
    return CommandPoint(
        assumptions=assumed(
            setting,
            [case],
            "attacks are rolled one at a time, and whoever has the re-roll knows the dice so far",
            "mortal wounds are inflicted at once",
        ),
        attacker=case.attacker.name,
        target=case.target.name,
        aim=wanted,
        uses=ordered,
        spent=system.spent,
    )


def _with_goal(attack: Attack, aim: Aim) -> Attack:
    return msgspec.structs.replace(
        attack, choices=msgspec.structs.replace(attack.choices, goal=GOALS[aim], aim="never")
    )


def _stratagems(case: Case, how: Situation) -> list[tuple[Stratagem, bool]]:
    """The stratagems of both detachments that can be used now, and whether the target's player uses them."""
    phase = "fight" if how.melee else "shooting"
    found = []
    for force, by_target in ((case.attacker, False), (case.target, True)):
        detachment = force.pack.detachment(force.army.faction, force.army.detachment)
        for stratagem in detachment.stratagems if detachment else ():
            now = stratagem.is_for(phase, own=not by_target)
            if now and stratagem.effects and _has_one_of(force, stratagem.needs):
                found.append((stratagem, by_target))
    return found


def _has_one_of(force: Force, keywords: Sequence[str]) -> bool:
    sheets = [force.pack.sheet(unit.sheet) for unit in force.army.units]
    own = {k for s in sheets if s for k in (*s.keywords, *s.faction_keywords)}
    own |= {k for s in sheets if s for kind in s.models for k in kind.keywords}
    return not keywords or bool(own.intersection(keywords))


def _fits(modifier: Modifier, case: Case, how: Situation) -> bool:
    if not (modifier.melee if how.melee else modifier.ranged):
        return False
    force = case.target if modifier.by_target else case.attacker
    return _has_one_of(force, modifier.needs)


# --- 10: split and order ----------------------------------------------------------------------------------------------


@asked
def split(
    attacker: str | Force,
    among: Sequence[str | Force],
    aim: str = "destroy",
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
) -> SplitFire:
    """Which weapons at which target; for a single target, in which order."""
    wanted = checked_aim(aim)
    whole_number("The number of targets", len(among), 1, 6)
    cases = _same_weapons([case_of(attacker, target, how, setting, ordered=False) for target in among], how, setting)
    names = tuple(case.target.name for case in cases)
    if len(cases) == 1:
        return _order(cases[0], wanted, names, setting)
    lots = _lots(cases)
    goals = [Goal(case.attack.target, case.attack.procedure, case.attack.choices) for case in cases]
    found = best_split(lots, goals, wanted)
    shares = _added_up(
        [
            Share(lot.name, names[t], count)
            for lot, counts in zip(lots, found.counts, strict=True)
            for t, count in enumerate(counts)
            if count
        ]
    )
    everything = tuple(lot.count for lot in lots)
    alone = tuple(worth_of(solve(together(lots, everything, goal, t)), wanted) for t, goal in enumerate(goals))
    note = "no other split does more" if found.proven else "found by a search: another split may do a little more"
    return SplitFire(
        assumptions=assumed(setting, cases, note),
        attacker=cases[0].attacker.name,
        aim=wanted,
        targets=names,
        shares=shares,
        worth=found.worth,
        by_target=found.by_target,
        alone=alone,
        proven=found.proven,
    )


def _same_weapons(cases: list[Case], how: Situation, setting: Setting) -> list[Case]:
    """Against every target the weapons that the unit would use on the one where they do most."""
    strongest = max(cases, key=lambda case: solve(case.attack).mean_damage)
    chosen = tuple(dict.fromkeys(strongest.strikes.weapons))
    fixed = msgspec.structs.replace(how, weapons=chosen)
    return [case_of(case.attacker, case.target, fixed, setting, ordered=False) for case in cases]


def _lots(cases: Sequence[Case]) -> list[Lot]:
    """Equal weapons, with what one of them does to each target."""
    keys = dict.fromkeys(
        pair for case in cases for pair in zip(case.strikes.weapons, case.strikes.bearers, strict=True)
    )
    lots = []
    for name, bearers in keys:
        at: list[Volley | None] = []
        for case in cases:
            pairs = list(zip(case.strikes.weapons, case.strikes.bearers, strict=True))
            at.append(case.strikes.single[pairs.index((name, bearers))] if (name, bearers) in pairs else None)
        lots.append(Lot(name, len(bearers), tuple(at)))
    return lots


def _added_up(shares: Sequence[Share]) -> tuple[Share, ...]:
    """Copies of a weapon that one model carries ("lascannon 2") count with the first of them."""
    names = {share.weapon for share in shares}
    found: dict[tuple[str, str], int] = {}
    for share in shares:
        plain = share.weapon.rstrip("0123456789 ")
        key = (plain if plain in names else share.weapon, share.target)
        found[key] = found.get(key, 0) + share.count
    return tuple(Share(weapon, target, count) for (weapon, target), count in found.items())


def _order(case: Case, aim: Aim, names: tuple[str, ...], setting: Setting) -> SplitFire:
    found = best_order(case.attack, aim)
    weapons = told_weapons(case)
    order = tuple(dict.fromkeys(weapons[i] for i in found.places))
    shares = _added_up(
        [Share(name, names[0], len(bearers)) for name, bearers in zip(weapons, case.strikes.bearers, strict=True)]
    )
    note = "no other order does more" if found.proven else "found by a search: another order may do a little more"
    return SplitFire(
        assumptions=assumed(setting, [case], note),
        attacker=case.attacker.name,
        aim=aim,
        targets=names,
        shares=shares,
        worth=found.worth,
        by_target=(found.worth,),
        alone=(found.worth,),
        order=order,
        worst_order=found.worst,
        proven=found.proven,
    )


# --- 11: break points -------------------------------------------------------------------------------------------------


@asked
def sweep(
    attacker: str | Force,
    target: str | Force,
    what: str,
    values: Sequence[int] = (),
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
) -> Sweep:
    """One number changed step by step: a weapon's of the attacker, a model's of the target, models, or the distance."""
    one, other = find_force(attacker, setting), find_force(target, setting)
    what = stat_named(what, setting.system)
    now = _now(one, other, what, how)
    steps = tuple(values) or _around(one, what, now)
    whole_number("Steps of a sweep", len(steps), 2, MAX_SWEEP)
    found: list[Outcome | None] = []
    for value in steps:
        try:
            found.append(into(*_changed(one, other, what, value, how), setting))
        except UserError:
            # Out of range, nothing is fired; every other mistake is the asker's.
            if what != DISTANCE:
                raise
            found.append(None)
    if not any(found):
        raise UserError(f"{does(one.name, 'has')} nothing to fire at {other.name} at any of these distances.")
    case = case_of(one, other, how, setting)
    return Sweep(
        assumptions=assumed(setting, [case], f"everything but {what} stays as it is"),
        attacker=one.name,
        target=other.name,
        what=what,
        values=steps,
        now=now,
        destroyed=tuple(o.destroyed if o else 0.0 for o in found),
        killed=tuple(o.mean_killed if o else 0.0 for o in found),
        damage=tuple(o.mean_damage if o else 0.0 for o in found),
    )


def _now(one: Force, other: Force, what: str, how: Situation) -> int | None:
    if what == MODELS:
        return one.army.units[0].size
    if what == DISTANCE:
        return None if how.distance is None else round(how.distance)
    side = side_of(what, one.army.system)
    return stat_of(other, what) if side == "model" else stat_of(one, what, how.weapons)


def _around(one: Force, what: str, now: int | None) -> tuple[int, ...]:
    """Values worth a look, where none are given."""
    if what == MODELS:
        sheet = one.pack.sheet(one.army.units[0].sheet)
        assert sheet is not None
        least, most = sheet.sizes
        return tuple(range(least, most + 1))
    if what == DISTANCE:
        return tuple(range(1, 49))
    ranges = {"S": (1, 16), "T": (1, 14), "W": (1, 12), "Sv": (2, 7), "AP": (-5, 0), "BS": (2, 6), "WS": (2, 6),
              "A": (1, 12), "D": (1, 6), INVULNERABLE: (2, 7)}  # fmt: skip
    low, high = ranges.get(what, ((now or 4) - 3, (now or 4) + 3))
    return tuple(range(low, high + 1))


def _changed(one: Force, other: Force, what: str, value: int, how: Situation) -> tuple[Force, Force, Situation]:
    if what == DISTANCE:
        return one, other, msgspec.structs.replace(how, distance=float(value))
    if what == MODELS:
        unit = msgspec.structs.replace(one.army.units[0], size=value)
        army = msgspec.structs.replace(one.army, units=(unit, *one.army.units[1:]))
        return replace(one, army=army), other, how
    if side_of(what, one.army.system) == "model":
        return one, with_stat(other, what, value), how
    return with_stat(one, what, value, how.weapons), other, how
