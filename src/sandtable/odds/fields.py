"""Questions about a field of units: weapon options over a panel of targets, and one army list against another."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.armies.lists import ArmyList
from sandtable.attack.solver import solve
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Situation, currency
from sandtable.odds.bounds import whole_number
from sandtable.odds.cases import Case, assumed, case_of, proper
from sandtable.odds.links import asked
from sandtable.odds.questions import SHOOTING, melee, shooting
from sandtable.odds.results import Grid, Lists
from sandtable.odds.setting import PLAIN, Setting
from sandtable.odds.units import find_force, forces_of_list, open_list, panel_forces, variants

MAX_CELLS = 1600


@asked
def weapons(
    unit: str | Force,
    options: Sequence[str | Force] = (),
    against: Sequence[str | Force] = (),
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
) -> Grid:
    """Which weapon option does most per point, over a panel of targets.

    Without `options` these are the options of the unit's own datasheet; without `against` the system's own panel.
    """
    force = find_force(unit, setting)
    if options:
        others = [find_force(option, setting) for option in options]
        named = [(other.name, other) for other in (force, *others)]
    else:
        named = variants(force)
    title = f"{force.short}: {_per(setting)}"
    return _without_twins(_grid(title, named, _field(against, setting), (how,), setting))


def _without_twins(found: Grid) -> Grid:
    """Options that change nothing against any target are no choice."""
    kept = [i for i, row in enumerate(found.returned) if not i or row != found.returned[0]]
    return msgspec.structs.replace(
        found,
        attackers=tuple(found.attackers[i] for i in kept),
        points=tuple(found.points[i] for i in kept),
        destroyed=tuple(found.destroyed[i] for i in kept),
        returned=tuple(found.returned[i] for i in kept),
    )


@asked
def grid(
    attackers: Sequence[str | Force],
    against: Sequence[str | Force] = (),
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
) -> Grid:
    """Several attackers against several targets, or against the system's panel."""
    forces = [find_force(attacker, setting) for attacker in attackers]
    return _grid(_per(setting).capitalize(), _named(forces), _field(against, setting), (how,), setting)


@asked
def lists(
    mine: str | ArmyList, theirs: str | ArmyList, how: Situation | None = None, setting: Setting = PLAIN
) -> Lists:
    """One army list against another, both ways: what can I not kill, what kills me?

    Without `how` each unit attacks in the way, from afar or in close combat, that destroys more points.
    """
    ways = (shooting(), melee()) if how is None else (how,)
    ours, others = _named(forces_of_list(mine, setting)), _named(forces_of_list(theirs, setting))
    names = open_list(mine, setting)[0].name, open_list(theirs, setting)[0].name
    there = _grid(f"{names[0]} on {names[1]}", ours, [f for _, f in others], ways, setting, [n for n, _ in others])
    back = _grid(f"{names[1]} on {names[0]}", others, [f for _, f in ours], ways, setting, [n for n, _ in ours])
    return Lists(assumptions=there.assumptions, mine=names[0], theirs=names[1], there=there, back=back)


def _per(setting: Setting) -> str:
    cost = currency(setting.system)
    return f"{cost} destroyed per {cost.removesuffix('s')}"


def _field(against: Sequence[str | Force], setting: Setting) -> list[Force]:
    return [find_force(target, setting) for target in against] or list(panel_forces(setting))


def _named(forces: Sequence[Force]) -> list[tuple[str, Force]]:
    """Short names that are all different."""
    names = [force.short for force in forces]
    return [
        (f"{name} ({names[: i + 1].count(name)})" if names.count(name) > 1 else name, force)
        for i, (name, force) in enumerate(zip(names, forces, strict=True))
    ]


def _grid(
    title: str,
    attackers: Sequence[tuple[str, Force]],
    field: Sequence[Force],
    ways: Sequence[Situation],
    setting: Setting,
    names: Sequence[str] = (),
) -> Grid:
    whole_number("Attackers", len(attackers), 1, 60)
    whole_number("Targets", len(field), 1, 60)
    whole_number("Pairs of attackers and targets", len(attackers) * len(field), 1, MAX_CELLS)
    ways = [proper(how, setting) for how in ways]
    cases: list[Case] = []
    destroyed, returned = list[tuple[float, ...]](), list[tuple[float, ...]]()
    for _, force in attackers:
        found = [_best(force, target, ways, setting, cases) for target in field]
        destroyed.append(tuple(chance for chance, _ in found))
        returned.append(tuple(value / force.points if force.points else 0.0 for _, value in found))
    if not cases:
        raise UserError(f"None of {', '.join(name for name, _ in attackers)} has a weapon that can be used that way.")
    choice = f"each unit attacks from afar or in close combat, whichever destroys more {currency(setting.system)}"
    assumptions = assumed(setting, cases, *((choice,) if len(ways) > 1 else ()))
    named = tuple(names) or tuple(target.short for target in field)
    # Of whole lists the wargear is in the list; here it would hide the rest.
    brief = len(ways) > 1
    units = [f"{force.short if brief else force.name} ({force.price})" for _, force in attackers]
    if field[0].pack is setting.open_panel():
        units.append(f"the panel of {len(field)} typical targets")
    else:
        units += [f"{f.short if brief else f.name} ({f.price})" for f in field]
    return Grid(
        assumptions=msgspec.structs.replace(assumptions, units=tuple(dict.fromkeys(units))),
        title=title,
        attackers=tuple(name for name, _ in attackers),
        points=tuple(force.points for _, force in attackers),
        targets=named,
        destroyed=tuple(destroyed),
        returned=tuple(returned),
    )


def _best(
    force: Force, target: Force, ways: Sequence[Situation], setting: Setting, cases: list[Case]
) -> tuple[float, float]:
    """The chance to destroy, and the mean points destroyed, in the way that destroys more points."""
    best = (0.0, 0.0)
    for how in ways:
        try:
            case = case_of(force, target, how, setting, quick=True)
        except UserError:
            # Without a weapon for it, a unit does nothing that way.
            continue
        cases.append(case)
        found = solve(case.attack)
        if found.value > best[1]:
            best = (found.destroyed, found.value)
    return best
