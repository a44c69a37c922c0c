"""Psychic powers: the test, Perils, an enemy who denies it, and what it does."""

from __future__ import annotations

from collections import defaultdict

from sandtable.attack import series
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Cast, Force, currency
from sandtable.odds.answers import Assumptions
from sandtable.odds.cases import readings
from sandtable.odds.links import asked
from sandtable.odds.names import does
from sandtable.odds.results_phase import Psychic
from sandtable.odds.setting import PLAIN, Setting
from sandtable.odds.units import find_force

# --- 13: a psychic power ----------------------------------------------------------------------------------------------


@asked
def power(
    psyker: str | Force,
    target: str | Force,
    name: str = "",
    deny: str | Force = "",
    setting: Setting = PLAIN,
    *,
    distance: float | None = None,
) -> Psychic:
    """A psyker tries a power on a unit, and another one, who is near enough, may try to deny it."""
    cast = setting.matchups.cast
    if cast is None:
        raise UserError(f"Nobody casts powers in {setting.rules.name}.")
    by, at = find_force(psyker, setting), find_force(target, setting)
    denier = find_force(deny, setting) if deny else None
    found = cast(by, at, name, denier, distance, setting.options)
    states = _states(found)
    whom = found.effects[0][2].target
    units = {f.name: f for f in (by, at, *((denier,) if denier else ()))}.values()
    notes = ["the target is the nearest enemy that the psyker sees" + _near(distance)]
    notes += [f"{does(denier.short, 'tries')} to deny it"] if denier else ["nobody tries to deny it"]
    notes += ["what a psyker who dies of Perils does to those around is not in these numbers"]
    return Psychic(
        assumptions=Assumptions(
            edition=f"{setting.rules.name}, core rules as first published",
            options=readings(setting, found.rules),
            units=tuple(f"{f.name} ({f.price})" for f in units),
            rules=found.rules,
            notes=tuple(notes),
            cost=currency(setting.system),
        ),
        psyker=by.name,
        target=at.name,
        power=found.power,
        needed=found.needed,
        manifested=found.manifested,
        denied=found.denied,
        works=sum(chance for _, chance, _ in found.effects),
        perils=found.perils,
        dies=found.dies,
        own_wounds=found.own_wounds,
        dealt=tuple((text, chance) for text, chance, _ in found.effects),
        models=len(whom.bodies),
        wounds=sum(b.wounds for b in whom.bodies),
        killed=tuple(series.killed(states).tolist()),
        damage=tuple(series.damage(states, whom).tolist()),
        value=series.value(states, whom),
    )


def _near(distance: float | None) -> str:
    return "" if distance is None else f', {distance:g}" away'


def _states(found: Cast) -> series.States:
    """What is left of the target, whatever became of the power."""
    whole = series.whole(found.effects[0][2].target)
    states: dict[tuple[int, ...], float] = defaultdict(float)
    for _, chance, attack in found.effects:
        for left, p in series.after(attack, whole).items():
            states[left] += chance * p
    for left in whole:
        states[left] += 1 - sum(chance for _, chance, _ in found.effects)
    return dict(states)
