"""What a psychic power does without a battle: the test, what it costs the psyker, and an enemy who denies it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from sandtable.attack.solver import solve
from sandtable.attack.volley import FACES, Cites, DiceSum, Target
from sandtable.errors import UserError
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.odds.circumstances import meant_by
from sandtable.forty.odds.matchups import Cast, Force
from sandtable.forty.odds.meeting import FAR, Meeting, meet, valued
from sandtable.forty.odds.mortal import mortal_wounds
from sandtable.forty.psykers import Power
from sandtable.forty.state import World40
from sandtable.kit.grammar import agree, does


class Casting(NamedTuple):
    """What an edition says about psykers who cast with two dice."""

    powers: Callable[[Any, Any], Iterable[Power]]
    """(world, unit): the powers that its psykers know, or may know."""
    caster: Callable[[Any, Any, Power], int]
    """(world, unit, power): the model that tries it."""
    added: Callable[[Any, Any], int]
    """(world, unit): what is added to a test."""
    may_reroll: Callable[[Any, Any, Sequence[int], Power], bool]
    """(world, unit, faces, power): whether the test may be made again."""
    is_perilous: Callable[[Sequence[int]], bool]
    """(faces): whether the psyker suffers..."""
    perils: Callable[[], DiceSum]
    """...so many mortal wounds."""
    succeeds: Callable[[int, Power], bool]
    """(result, power): whether it is manifested."""
    wounds: Callable[[Power, int], str]
    """(power, result): the mortal wounds that it deals..."""
    amount: Callable[[str], DiceSum]
    """...as dice."""
    can_deny: Callable[[Any, int], object]
    """(world, model): whether it can deny a power..."""
    undoes: Callable[[int, int], bool]
    """...(what it threw, result)."""
    bodies: Callable[[Any, Any, int], Target]
    """(world, unit, model): the unit as mortal wounds meet it, or one model of it; -1 for all."""
    tested: Cites
    """The rules of the test..."""
    denied: Cites
    """...of denying..."""
    dealt: Cites
    """...and of what is dealt."""


def cast(
    m: Meeting,
    c: Casting,
    by: Force,
    at: Force,
    name: str,
    denier: Force | None,
    distance: float | None,
    options: Mapping[str, str],
) -> Cast:
    """A psyker tries a power on a unit: the test, what it costs, an enemy who denies it, and what is left of it."""
    b, (unit, target) = meet(m, by, at, FAR if distance is None else distance, options)
    power = _power(c, b, unit, name)
    if distance is not None and distance > power.range:
        raise UserError(f'{power.name.title()} reaches {power.range}", not {distance:g}".')
    if power.ability:
        raise UserError(f"{power.name.title()} deals no mortal wounds by itself; what it does is not in numbers here.")
    own = c.bodies(b, unit, c.caster(b, unit, power))
    perils = solve(mortal_wounds(own, c.perils(), c.tested))
    more, perilous = c.added(b, unit), 0.0
    test: dict[int, float] = defaultdict(float)
    for faces, chance in _tests(c, b, unit, power).items():
        danger = c.is_perilous(faces)
        perilous += danger * chance
        if c.succeeds(result := sum(faces) + more, power):
            test[result] += (1 - danger * perils.destroyed) * chance
    against = None if denier is None else _denial(m, c, denier, by, options)
    denied = {result: 0.0 if against is None else _denied(c, against, result) for result in test}
    effects: dict[str, float] = defaultdict(float)
    for result, chance in test.items():
        effects[c.wounds(power, result)] += chance * (1 - denied[result])
    whom = valued(b, c.bodies(b, target, -1))
    return Cast(
        power=power.name.title(),
        needed=power.charge - more,
        manifested=sum(test.values()),
        denied=sum(chance * denied[result] for result, chance in test.items()),
        perils=perilous,
        own_wounds=perilous * perils.mean_damage,
        dies=perilous * perils.destroyed,
        effects=tuple((text, chance, mortal_wounds(whom, c.amount(text), c.dealt)) for text, chance in effects.items()),
        rules=(*c.tested, *(() if against is None else c.denied), *c.dealt),
    )


def _tests(c: Casting, w: World40, unit: Any, power: Power) -> dict[tuple[int, ...], float]:
    """The dice of a test as they stand in the end: made again where that is allowed, and it failed."""
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for faces in product(FACES, FACES):
        again = sum(faces) < power.charge and c.may_reroll(w, unit, faces, power)
        thrown = list(product(FACES, FACES)) if again else [faces]
        for now in thrown:
            found[now] += 1 / 36 / len(thrown)
    return found


def _denial(m: Meeting, c: Casting, denier: Force, by: Force, options: Mapping[str, str]) -> int | None:
    """What a psyker adds to the dice by which it denies a power; None if it cannot."""
    b, (unit, caster) = meet(m, denier, by, FAR, options)
    able = any(c.can_deny(b, model) for model in unit.models)
    return added(b, unit, "deny", against=[caster.id])[0] if able else None


def _denied(c: Casting, more: int, result: int) -> float:
    """The chance to throw enough against what a test came to."""
    return sum(c.undoes(sum(faces) + more, result) for faces in product(FACES, FACES)) / 36


def _power(c: Casting, w: World40, unit: Any, name: str) -> Power:
    known = {p.name: p for p in c.powers(w, unit)}
    if not known:
        raise UserError(f"{does(unit, 'has')} no psyker who can manifest a power.")
    found = meant_by(name, list(known)) if name else next(iter(known))
    if not found:
        what = f"{agree(unit, 'it')} {agree(unit, 'knows')}: {', '.join(p.title() for p in known)}"
        raise UserError(f"{does(unit, 'does')} not know '{name[:60]}'; {what}.")
    return known[found]
