"""What a psychic power does, and how a unit stands the Morale phase, without a battle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, partial
from itertools import product
from typing import Final

from sandtable.attack.solver import solve
from sandtable.attack.volley import FACES
from sandtable.battle import GONE, TABLE
from sandtable.battle.state import new_version
from sandtable.errors import UserError
from sandtable.forty.effects.other_rolls import added, reroll_of
from sandtable.forty.odds.circumstances import meant_by
from sandtable.forty.odds.matchups import Cast, Force, Nerve
from sandtable.forty.odds.meeting import FAR, meet, valued
from sandtable.forty.odds.mortal import mortal_wounds
from sandtable.systems.w40k8 import morale, psychic
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.datasheet import Power
from sandtable.systems.w40k8.dice import amount
from sandtable.systems.w40k8.meeting import MEETING, powers_of
from sandtable.systems.w40k8.mortal import bodies_of
from sandtable.systems.w40k8.powers import knows
from sandtable.systems.w40k8.state import Battle8, Unit, World8, sheet_of

NERVE: Final = ("w40k8.morale.test", "w40k8.morale.flee")
RULES: Final = ("w40k8.psychic.smite", "w40k8.psychic.smite_strong", "w40k8.attack.mortal")
DENY: Final = ("w40k8.psychic.deny", "w40k8.psychic.deny_once")
TEST: Final = ("w40k8.psychic.test", "w40k8.psychic.perils", "w40k8.psychic.perils_death")


# --- A psychic power --------------------------------------------------------------------------------------------------


def cast(
    by: Force, at: Force, name: str, denier: Force | None, distance: float | None, options: Mapping[str, str]
) -> Cast:
    """A psyker tries a power on a unit: the test, Perils, an enemy who denies it, and what is left of it."""
    b, (unit, target) = meet(MEETING, by, at, FAR if distance is None else distance, options)
    power = _power(b, unit, name)
    if distance is not None and distance > power.range:
        raise UserError(f'{power.name.title()} reaches {power.range}", not {distance:g}".')
    if power.ability:
        raise UserError(f"{power.name.title()} deals no mortal wounds by itself; what it does is not in numbers here.")
    model = next(m for m in unit.models if psychic.is_psyker(b, m) and knows(b, m, power))
    own = bodies_of(b, unit, alone=model)
    perils = solve(mortal_wounds(own, amount(BOOK.perils_wounds), ("w40k8.psychic.perils",)))
    more, perilous = psychic.added_to_test(b, unit), 0.0
    test: dict[int, float] = defaultdict(float)
    for faces, chance in _tests(b, unit, power).items():
        danger = psychic.is_perilous(faces)
        perilous += danger * chance
        if psychic.succeeds(result := sum(faces) + more, power):
            test[result] += (1 - danger * perils.destroyed) * chance
    against = None if denier is None else _denial(denier, by, options)
    denied = {result: 0.0 if against is None else _denied(against, result) for result in test}
    effects: dict[str, float] = defaultdict(float)
    for result, chance in test.items():
        effects[psychic.wounds_of(power, result)] += chance * (1 - denied[result])
    whom = valued(b, bodies_of(b, target))
    return Cast(
        power=power.name.title(),
        needed=power.charge - more,
        manifested=sum(test.values()),
        denied=sum(chance * denied[result] for result, chance in test.items()),
        perils=perilous,
        own_wounds=perilous * perils.mean_damage,
        dies=perilous * perils.destroyed,
        effects=tuple((text, chance, mortal_wounds(whom, amount(text), RULES)) for text, chance in effects.items()),
        rules=(*TEST, *(() if against is None else DENY), *RULES),
    )


def _tests(w: World8, unit: Unit, power: Power) -> dict[tuple[int, ...], float]:
    """The dice of a test as they stand in the end: made again where that is allowed, and it failed."""
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for faces in product(FACES, FACES):
        again = sum(faces) < power.charge and psychic.may_reroll(w, unit, faces, power)
        thrown = list(product(FACES, FACES)) if again else [faces]
        for now in thrown:
            found[now] += 1 / 36 / len(thrown)
    return found


def _denial(denier: Force, by: Force, options: Mapping[str, str]) -> int | None:
    """What a psyker adds to the dice by which it denies a power; None if it cannot."""
    b, (unit, caster) = meet(MEETING, denier, by, FAR, options)
    able = any(psychic.is_psyker(b, m) and psychic.has_denials_left(b, m) for m in unit.models)
    return added(b, unit, "deny", against=[caster.id])[0] if able else None


def _denied(more: int, result: int) -> float:
    """The chance to throw more than a test came to."""
    return sum(psychic.undoes(sum(faces) + more, result) for faces in product(FACES, FACES)) / 36


def _power(w: World8, unit: Unit, name: str) -> Power:
    known = {p.name: p for p in powers_of(w, unit)}
    if not known:
        raise UserError(f"{unit.name} has no psyker who can manifest a power.")
    found = meant_by(name, list(known)) if name else next(iter(known))
    if not found:
        raise UserError(f"{unit.name} does not know '{name[:60]}'; it knows: {', '.join(p.title() for p in known)}.")
    return known[found]


# --- Morale -----------------------------------------------------------------------------------------------------------


def nerves(first: Force, second: Force, options: Mapping[str, str]) -> tuple[Nerve, Nerve]:
    """What the Morale phase asks of two units."""
    b, units = meet(MEETING, first, second, FAR, options)
    one, other = (Nerve(tuple(map(int, b.on_table(unit))), cache(partial(_fleeing, b, unit)), NERVE) for unit in units)
    return one, other


def _fleeing(b: Battle8, unit: Unit, left: tuple[int, ...], slain: int) -> dict[int, float]:
    for m in unit.models:
        b.state.models.place[m] = TABLE if m in left else GONE
    unit.slain = slain
    b.state.version = b.state.stamp = new_version()
    if not morale.has_to_test(b, unit):
        return {0: 1.0}
    most, again = morale.leadership(b, unit), reroll_of(b, unit, "morale")
    found: dict[int, float] = defaultdict(float)
    for face in FACES:
        flee = morale.how_many_flee(slain + face, most)
        thrown = (
            FACES if flee and (again.faces in ("failures", "all") or (again.faces == "ones" and face == 1)) else (face,)
        )
        for now in thrown:
            found[min(len(left), morale.how_many_flee(slain + now, most))] += 1 / 6 / len(thrown)
    return found


# --- Charts ---------------------------------------------------------------------------------------------------------


def charts_of(force: Force, options: Mapping[str, str]) -> tuple[int, ...]:
    """The wounds left at which a unit of a single model gets worse."""
    b, (unit, _) = meet(MEETING, force, force, FAR, options)
    return tuple(row.up_to for row in sheet_of(b, unit.models[0]).chart) if len(unit.models) == 1 else ()
