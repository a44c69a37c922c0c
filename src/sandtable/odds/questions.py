"""The questions of list builders about one unit and another; each is a function that gives an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat

import msgspec

from sandtable.armies.lists import ArmyList
from sandtable.attack import series
from sandtable.attack.chances import at_least
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Situation
from sandtable.odds.bounds import share, whole_number
from sandtable.odds.cases import Case, assumed, case_of, modifier_named, outcome_of
from sandtable.odds.links import asked
from sandtable.odds.names import does
from sandtable.odds.outcome import Difference, Outcome
from sandtable.odds.results import Choice, Needed, Survival
from sandtable.odds.setting import PLAIN, Setting
from sandtable.odds.units import find_force, find_forces, forces_of_list, model_and_unit, without_leaders

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


# --- 1: this unit into that unit --------------------------------------------------------------------------------------


@asked
def into(
    attacker: str | Force,
    target: str | Force,
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
    *,
    who: str = "",
) -> Outcome:
    """All attacks of one unit on another: the chance to destroy it, models killed, points returned.

    `who` asks about one kind of model in the target, such as its Leader; so does "captain in 5 intercessors".

    >>> answer = into("10 hellblasters", "5 terminators")
    >>> answer.models
    5
    """
    return combine([attacker], target, how, setting, who=who)


@asked
def combine(
    attackers: Sequence[str | Force],
    target: str | Force,
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
    *,
    who: str = "",
) -> Outcome:
    """Several units on one target, one after the other."""
    if not attackers:
        raise UserError("Name at least one unit that attacks.")
    named, unit = model_and_unit(target, setting) if isinstance(target, str) and not who else (who, target)
    forces, against = find_forces(attackers, setting), find_force(unit, setting)
    whole_number("Units that attack", len(forces), 1, MAX_UNITS)
    cases = [case_of(force, against, how, setting) for force in forces]
    first, *others = [outcome_of(case, assumed(setting, [case])) for case in cases]
    found = first.combine(*others) if others else first
    return found.about(named) if named else found


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
    wanted = share("The wanted chance", wanted)
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
        other = "say '... led by ...', or name another unit to compare with"
        raise UserError(f"{does(force.name, 'has')} no Leader; {other}.")
    leads = force.name.removeprefix(without_leaders(force).name).removeprefix(", led by ").removeprefix(", beside ")
    names = "without", f"with {force.army.units[1].name or leads}"
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
    cases = [case_of(attacker, unit, how, setting) for attacker in find_forces(attackers, setting)]
    names = tuple(case.attacker.short for case in cases)
    note = "the attacks come one after the other, and nobody heals in between"
    return _survival(cases * times, names * times, [1.0] * (len(cases) * times), setting, note)


@asked
def survive_list(
    unit: str | Force,
    enemy: str | ArmyList,
    how: Situation | None = None,
    setting: Setting = PLAIN,
    *,
    then: Situation | None = None,
) -> Survival:
    """Whether a unit lives through a turn of a whole army list, the dearest units first.

    All of them attack as `how` says, and after that as `then` says; without a word they shoot, and then charge. Where
    `how` names a distance, only weapons that reach so far are fired, and a charge is made with the chance of its roll.
    """
    if how is None and then is None:
        how, then = SHOOTING, melee("charged")
    forces = sorted(forces_of_list(enemy, setting), key=lambda f: -f.points)
    cases, names, chances = list[Case](), list[str](), list[float]()
    for way in (way for way in (how, then) if way is not None):
        for force in forces:
            try:
                case = case_of(force, unit, way, setting)
            except UserError:
                # A unit without a weapon for it does not attack.
                continue
            far = how.distance if how is not None and way.melee else None
            chance = 1.0 if far is None else _reaches(force, far, setting)
            if chance:
                does = (" fights" if way.melee else " shoots") if how is not None and then is not None else ""
                cases.append(case)
                names.append(f"{force.short}{does}" + (f" ({100 * chance:.0f} %)" if chance < 1 else ""))
                chances.append(chance)
    if not cases:
        name = enemy if isinstance(enemy, str) else enemy.name
        raise UserError(f"No unit of {name} has a weapon to use on {find_force(unit, setting).name} that way.")
    notes = ["the attacks come one after the other, and nobody heals in between"]
    if any(case.how.melee for case in cases):
        far = how.distance if how is not None and not how.melee else None
        notes.append(
            "everybody who can fight finds room to"
            if far is None
            else f'everybody who can fight charges from {far:g}" away, with the chance in brackets, and finds room'
        )
    if any(case.how.melee for case in cases) != any(not case.how.melee for case in cases):
        notes.append("close combat alone is counted" if cases[0].how.melee else "shooting alone is counted")
    return _survival(cases, names, chances, setting, *notes)


def both_ways(how: Situation, setting: Setting = PLAIN) -> tuple[Situation, Situation]:
    """The same circumstances for shooting and for the charge that follows, each as far as they bear on it."""
    named = [modifier_named(name, setting) for name in how.modifiers]
    afar = tuple(m.name for m in named if m.ranged)
    close = tuple(dict.fromkeys((*(m.name for m in named if m.melee), "charged")))
    return (
        msgspec.structs.replace(how, melee=False, modifiers=afar),
        msgspec.structs.replace(how, melee=True, distance=None, modifiers=close),
    )


def _reaches(force: Force, distance: float, setting: Setting) -> float:
    """The chance that a unit charges an enemy so far away."""
    test = next(t for t in setting.matchups.tests(force, distance, setting.options) if t.name == "charge")
    return float(at_least(test.number, test.needed, reroll=test.reroll if test.free else "none"))


def _survival(
    cases: Sequence[Case], names: Sequence[str], chances: Sequence[float], setting: Setting, *notes: str
) -> Survival:
    whole_number("All attacks together", len(cases), 1, series.MAX_SERIES)
    alive, left, wounds = list[float](), list[float](), list[float]()
    for states in series.steps([case.attack for case in cases], chances):
        alive.append(max(0.0, 1 - series.destroyed(states)))
        left.append(sum(p * sum(x > 0 for x in state) for state, p in states.items()))
        wounds.append(sum(p * sum(state) for state, p in states.items()))
    return Survival(
        assumptions=assumed(setting, cases, *notes),
        unit=cases[0].target.name,
        models=len(cases[0].attack.target.bodies),
        attackers=tuple(names),
        alive=tuple(alive),
        left=tuple(left),
        wounds=sum(body.wounds for body in cases[0].attack.target.bodies),
        wounds_left=tuple(wounds),
    )
