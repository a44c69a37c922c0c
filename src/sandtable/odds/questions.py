"""The questions of list builders about one unit and another; each is a function that gives an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import repeat
from typing import NamedTuple

from sandtable.armies.lists import ArmyList
from sandtable.attack import series
from sandtable.attack.assume import assumptions, cites
from sandtable.attack.bounds import Unsolvable
from sandtable.attack.funnel import Stage, funnel
from sandtable.attack.potential import potential
from sandtable.attack.volley import Attack
from sandtable.battle.matchups import Force, Situation, Strikes
from sandtable.errors import UserError
from sandtable.odds.answers import Assumptions, Noted
from sandtable.odds.bounds import share, whole_number
from sandtable.odds.links import asked
from sandtable.odds.outcome import Difference, Outcome, half_gone
from sandtable.odds.results import Choice, Needed, Survival
from sandtable.odds.setting import PLAIN, Setting
from sandtable.odds.units import find_force, forces_of_list, without_leaders

MAX_UNITS = 30
"""So many units of a kind are tried for a wanted chance."""
MAX_TARGETS = 24
MAX_NAME = 80

SHOOTING = Situation()


def shooting(
    *modifiers: str, distance: float | None = None, weapons: Iterable[str] = (), uses: Iterable[str] = ()
) -> Situation:
    """An attack from afar under these modifiers, with these abilities and stratagems at work."""
    return Situation(False, distance, modifiers, tuple(weapons), tuple(uses))


def melee(*modifiers: str, weapons: Iterable[str] = (), uses: Iterable[str] = ()) -> Situation:
    """An attack in close combat under these modifiers, with these abilities and stratagems at work."""
    return Situation(True, None, modifiers, tuple(weapons), tuple(uses))


# --- What all questions share -----------------------------------------------------------------------------------------


class Case(NamedTuple):
    """One unit's attacks on another, compiled."""

    attacker: Force
    target: Force
    how: Situation
    strikes: Strikes
    attack: Attack
    """With the policies of the setting."""


def case_of(attacker: str | Force, target: str | Force, how: Situation, setting: Setting) -> Case:
    """Compile the attacks of one unit on another."""
    one, other = find_force(attacker, setting), find_force(target, setting)
    check_modifiers(how, setting)
    there, _ = setting.matchups.compile(one, other, how, None, setting.options)
    assert there is not None
    return Case(one, other, how, there, setting.decide(there.attack))


def check_modifiers(how: Situation, setting: Setting) -> None:
    """Refuse modifiers that do not exist, or that have no bearing on this kind of attack."""
    known = {m.name: m for m in setting.matchups.modifiers}
    fits = [m.name for m in known.values() if (m.melee if how.melee else m.ranged)]
    kind = "in close combat" if how.melee else "from afar"
    for name in how.modifiers:
        if name not in known:
            close = get_close_matches(name, known, n=2)
            meant = f" Did you mean {' or '.join(map(repr, close))}?" if close else f" There are: {', '.join(known)}."
            raise UserError(f"There is no modifier '{name}'.{meant}")
        if name not in fits:
            raise UserError(f"'{name}' has no bearing on attacks {kind}; these have: {', '.join(fits)}.")


def assumed(setting: Setting, cases: Sequence[Case], *notes: str) -> Assumptions:
    """What the answers to some cases rest on."""
    rules = setting.rules
    known = {m.name: m for m in setting.matchups.modifiers}
    forces = {f.name: f for case in cases for f in (case.attacker, case.target)}.values()
    noted = [Noted(known[name].text, known[name].rules) for case in cases for name in case.how.modifiers]
    noted += [Noted(fact) for case in cases for fact in case.strikes.facts]
    return Assumptions(
        edition=f"{rules.name}, core rules as first published",
        options=readings(setting, [rule for case in cases for rule in cites(case.attack)]),
        units=tuple(f"{f.name} ({f.points} points)" for f in forces),
        circumstances=tuple(dict.fromkeys(noted)),
        policies=tuple(dict.fromkeys(text for case in cases for text in assumptions(case.attack))),
        rules=tuple(dict.fromkeys(rule for case in cases for rule in cites(case.attack))),
        left_out=tuple(dict.fromkeys(name for case in cases for name in case.strikes.left_out)),
        notes=notes,
    )


def readings(setting: Setting, cited: Sequence[str]) -> dict[str, str]:
    """The readings that were chosen, and those of rules that are behind the answer."""
    settled = setting.rules.settle_options(setting.options)
    wanted = {r.name for r in setting.rules.readings if r.rule in cited or r.name in setting.options}
    return {name: value for name, value in settled.items() if name in wanted}


def outcome_of(case: Case, assumptions_: Assumptions, name: str = "") -> Outcome:
    """What a case comes to."""
    states = series.after(case.attack, series.whole(case.attack.target))
    target = case.attack.target
    return Outcome(
        assumptions=assumptions_,
        attacker=name or case.attacker.name,
        target=case.target.name,
        points=case.attacker.points,
        target_points=case.target.points,
        models=len(target.bodies),
        wounds=sum(b.wounds for b in target.bodies),
        killed=tuple(series.killed(states).tolist()),
        damage=tuple(series.damage(states, target).tolist()),
        below_half=half_gone(states, target),
        value=series.value(states, target),
        potential=potential(case.attack),
        stages=_stages(case.attack),
        attacks=(case.attack,),
    )


def _stages(attack: Attack) -> tuple[Stage, ...]:
    try:
        return funnel(attack).stages
    except Unsolvable:
        # With re-rolls that are weighed there is no single funnel.
        return ()


# --- 1: this unit into that unit --------------------------------------------------------------------------------------


@asked
def into(attacker: str | Force, target: str | Force, how: Situation = SHOOTING, setting: Setting = PLAIN) -> Outcome:
    """All attacks of one unit on another: the chance to destroy it, models killed, points returned.

    >>> answer = into("10 hellblasters", "5 terminators")
    >>> answer.models
    5
    """
    case = case_of(attacker, target, how, setting)
    return outcome_of(case, assumed(setting, [case]))


@asked
def combine(
    attackers: Sequence[str | Force], target: str | Force, how: Situation = SHOOTING, setting: Setting = PLAIN
) -> Outcome:
    """Several units on one target, one after the other."""
    if not attackers:
        raise UserError("Name at least one unit that attacks.")
    whole_number("Units that attack", len(attackers), 1, MAX_UNITS)
    first, *others = [into(attacker, target, how, setting) for attacker in attackers]
    return first.combine(*others) if others else first


# --- 2: how many ------------------------------------------------------------------------------------------------------


@asked
def need(
    attacker: str | Force,
    target: str | Force,
    wanted: float = 0.8,
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
    *,
    most: int = 12,
) -> Needed:
    """How many such units it takes for a chance to destroy the target."""
    share("The wanted chance", wanted)
    whole_number("The most units that are tried", most, 1, MAX_UNITS)
    case = case_of(attacker, target, how, setting)
    chances: list[float] = []
    for states in series.steps(repeat(case.attack, most)):
        chances.append(min(1.0, series.destroyed(states)))
        # A few more than needed, so that the curve shows what one unit more would bring.
        if sum(p >= wanted for p in chances) == 3:
            break
    note = "the units attack one after the other, all in the same way"
    return Needed(
        assumptions=assumed(setting, [case], note),
        attacker=case.attacker.name,
        target=case.target.name,
        points=case.attacker.points,
        wanted=wanted,
        chances=tuple(chances),
    )


# --- 3: which target --------------------------------------------------------------------------------------------------


@asked
def targets(
    attacker: str | Force, among: Sequence[str | Force], how: Situation = SHOOTING, setting: Setting = PLAIN
) -> Choice:
    """Which of several targets a unit should take: points returned, chance to destroy, damage wasted."""
    whole_number("The number of targets", len(among), 1, MAX_TARGETS)
    cases = [case_of(attacker, target, how, setting) for target in among]
    found = tuple(outcome_of(case, assumed(setting, [case])) for case in cases)
    return Choice(assumptions=assumed(setting, cases), attacker=cases[0].attacker.name, outcomes=found)


# --- 5: with and without ----------------------------------------------------------------------------------------------


@asked
def compare(
    one: str | Force,
    other: str | Force,
    target: str | Force,
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
    *,
    names: tuple[str, str] = ("", ""),
) -> Difference:
    """Two units on the same target: is the leader, the enhancement or the upgrade worth its points?"""
    if any(len(name) > MAX_NAME or not name.isprintable() for name in names):
        raise UserError(f"The names of the two are printed in up to {MAX_NAME} letters.")
    first, second = into(one, target, how, setting), into(other, target, how, setting)
    return first.compare(second, *names)


@asked
def leader(
    unit: str | Force,
    target: str | Force,
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
    *,
    without: str | Force = "",
) -> Difference:
    """A unit with its Leaders and alone, or against another one: is the Leader or the upgrade worth its points?"""
    force = find_force(unit, setting)
    if without:
        return compare(find_force(without, setting), force, target, how, setting)
    if len(force.army.units) == 1:
        raise UserError(f"{force.name} has no Leader; say '... led by ...', or name the other unit with --without.")
    names = "without", f"with {force.army.units[1].name or force.name.rpartition('led by ')[2]}"
    return compare(without_leaders(force), force, target, how, setting, names=names)


# --- 8: how long does it live -----------------------------------------------------------------------------------------


@asked
def survive(
    unit: str | Force,
    attackers: Sequence[str | Force],
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
    *,
    times: int = 1,
) -> Survival:
    """How long a unit lives when these units attack it one after the other, all of them so many times."""
    whole_number("How often they attack", times, 1, MAX_UNITS)
    if not attackers:
        raise UserError("Name at least one unit that attacks.")
    cases = [case_of(attacker, unit, how, setting) for attacker in attackers]
    whole_number("All attacks together", len(cases) * times, 1, series.MAX_SERIES)
    alive, left = list[float](), list[float]()
    for states in series.steps([case.attack for case in cases] * times):
        alive.append(max(0.0, 1 - series.destroyed(states)))
        left.append(sum(p * sum(x > 0 for x in state) for state, p in states.items()))
    return Survival(
        assumptions=assumed(setting, cases, "the attacks come one after the other, and nobody heals in between"),
        unit=cases[0].target.name,
        models=len(cases[0].attack.target.bodies),
        attackers=tuple(case.attacker.short for case in cases) * times,
        alive=tuple(alive),
        left=tuple(left),
    )


@asked
def survive_list(
    unit: str | Force, enemy: str | ArmyList, how: Situation = SHOOTING, setting: Setting = PLAIN
) -> Survival:
    """Whether a unit lives through the attacks of a whole army list, the dearest units first."""
    able = []
    for force in sorted(forces_of_list(enemy, setting), key=lambda f: -f.points):
        try:
            case_of(force, unit, how, setting)
        except UserError:
            # A unit without a weapon for it does not attack.
            continue
        able.append(force)
    if not able:
        name = enemy if isinstance(enemy, str) else enemy.name
        raise UserError(f"No unit of {name} has a weapon to use on {find_force(unit, setting).name} that way.")
    return survive(unit, able, how, setting)
