"""What a psychic power does, and how a unit stands the Morale phase, without a battle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import product
from typing import Final

from sandtable.attack.chances import at_least
from sandtable.attack.solver import solve
from sandtable.attack.volley import FACES, dice
from sandtable.errors import UserError
from sandtable.forty.odds.circumstances import meant_by
from sandtable.forty.odds.matchups import Cast, Force, Nerve
from sandtable.forty.odds.meeting import FAR, meet, valued
from sandtable.forty.odds.mortal import mortal_wounds
from sandtable.systems.w40k8 import morale, psychic
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.characteristics import number_of
from sandtable.systems.w40k8.datasheet import Power
from sandtable.systems.w40k8.dice import amount
from sandtable.systems.w40k8.meeting import MEETING, powers_of
from sandtable.systems.w40k8.mortal import bodies_of
from sandtable.systems.w40k8.powers import knows
from sandtable.systems.w40k8.state import Unit, World8, sheet_of

TWO: Final = "2D6"
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
    model = next(m for m in unit.models if psychic.is_psyker(b, m) and knows(b, m, power))
    own = bodies_of(b, unit, alone=model)
    perils = solve(mortal_wounds(own, amount(BOOK.perils_wounds), ("w40k8.psychic.perils",)))
    denies = denier is not None and _denies(denier, options)
    added, perilous = psychic.added(b, unit), 0.0
    test: dict[int, float] = defaultdict(float)
    for faces in product(FACES, FACES):
        danger = psychic.is_perilous(faces)
        perilous += danger / 36
        if psychic.succeeds(result := sum(faces) + added, power):
            test[result] += (1 - danger * perils.destroyed) / 36
    denied = {result: _denied(result) if denies else 0.0 for result in test}
    effects: dict[str, float] = defaultdict(float)
    for result, chance in test.items():
        effects[psychic.wounds_of(power, result)] += chance * (1 - denied[result])
    whom = valued(b, bodies_of(b, target))
    return Cast(
        power=power.name.title(),
        needed=power.charge - added,
        manifested=sum(test.values()),
        denied=sum(chance * denied[result] for result, chance in test.items()),
        perils=perilous,
        own_wounds=perilous * perils.mean_damage,
        dies=perilous * perils.destroyed,
        effects=tuple((text, chance, mortal_wounds(whom, amount(text), RULES)) for text, chance in effects.items()),
        rules=(*TEST, *(DENY if denies else ()), *RULES),
    )


def _denied(result: int) -> float:
    """The chance to throw more than a test came to."""
    found = [total for total in range(2, 13) if psychic.undoes(total, result)]
    return float(at_least(dice(TWO), min(found))) if found else 0.0


def _power(w: World8, unit: Unit, name: str) -> Power:
    known = {p.name: p for p in powers_of(w, unit)}
    if not known:
        raise UserError(f"{unit.name} has no psyker who can manifest a power.")
    found = meant_by(name, list(known)) if name else next(iter(known))
    if not found:
        raise UserError(f"{unit.name} does not know '{name[:60]}'; it knows: {', '.join(p.title() for p in known)}.")
    return known[found]


def _denies(denier: Force, options: Mapping[str, str]) -> bool:
    b, (unit, _) = meet(MEETING, denier, denier, FAR, options)
    return any(psychic.is_psyker(b, m) and psychic.has_denials_left(b, m) for m in unit.models)


# --- Morale -----------------------------------------------------------------------------------------------------------


def nerves(first: Force, second: Force, options: Mapping[str, str]) -> tuple[Nerve, Nerve]:
    """What the Morale phase asks of two units."""
    b, units = meet(MEETING, first, second, FAR, options)
    one, other = (
        Nerve(
            {int(m): number_of(b, int(m), "leadership") for m in b.on_table(unit)},
            dice("D6"),
            morale.how_many_flee,
            ("w40k8.morale.test", "w40k8.morale.flee"),
        )
        for unit in units
    )
    return one, other


# --- Charts ---------------------------------------------------------------------------------------------------------


def charts_of(force: Force, options: Mapping[str, str]) -> tuple[int, ...]:
    """The wounds left at which a unit of a single model gets worse."""
    b, (unit, _) = meet(MEETING, force, force, FAR, options)
    return tuple(row.up_to for row in sheet_of(b, unit.models[0]).chart) if len(unit.models) == 1 else ()
