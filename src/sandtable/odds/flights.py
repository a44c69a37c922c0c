"""The Morale phase: who flees after losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sandtable.attack import series
from sandtable.attack.volley import Target
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Losses, Nerve, Situation, currency
from sandtable.odds.answers import Assumptions
from sandtable.odds.bounds import whole_number
from sandtable.odds.cases import Case, assumed, case_of, readings
from sandtable.odds.links import asked
from sandtable.odds.questions import MAX_UNITS, SHOOTING
from sandtable.odds.results_phase import Morale
from sandtable.odds.setting import PLAIN, Setting
from sandtable.odds.units import find_force, find_forces, size_of


def fled(nerve: Nerve, target: Target, states: dict[tuple[int, ...], float]) -> float:
    """How many models flee on average, when a unit may be left like this."""
    return sum(p * sum(n * q for n, q in _after(nerve, target, left).items()) for left, p in states.items())


def _after(nerve: Nerve, target: Target, left: Sequence[int]) -> Mapping[int, float]:
    stand = tuple(b.model for b, x in zip(target.bodies, left, strict=True) if x)
    return nerve.fleeing(stand, len(left) - len(stand)) if stand else {0: 1.0}


# --- 15: a Morale phase -----------------------------------------------------------------------------------------------


@asked
def morale(
    unit: str | Force,
    lost: int = 0,
    attackers: Sequence[str | Force] = (),
    how: Situation = SHOOTING,
    setting: Setting = PLAIN,
) -> Morale:
    """How a unit stands the Morale phase of a turn in which it lost models, or in which these units attacked it."""
    force = find_force(unit, setting)
    nerves = setting.matchups.nerves
    if nerves is None:
        raise UserError(f"Nobody flees in {setting.rules.name}: it has no Morale phase.")
    if bool(lost) == bool(attackers):
        raise UserError("Say either how many models were slain, or who attacks.")
    if attackers:
        return _attacked(force, attackers, how, setting)
    size = size_of(force)
    whole_number("Models slain", lost, 1, size - 1)
    nerve, _ = nerves(replace(force, losses=Losses(lost, "models")), force, setting.options)
    found = nerve.fleeing(nerve.models, lost)
    slain = tuple(float(n == lost) for n in range(size + 1))
    return Morale(
        assumptions=Assumptions(
            edition=f"{setting.rules.name}, core rules as first published",
            options=readings(setting, nerve.rules),
            units=(f"{force.name} ({force.price})",),
            rules=nerve.rules,
            notes=("the first to fall are those whom their player would rather lose",),
            cost=currency(setting.system),
        ),
        unit=force.name,
        models=size,
        attackers=(),
        slain=slain,
        gone=tuple(found.get(n - lost, 0.0) for n in range(size + 1)),
        firm=found.get(0, 0.0),
    )


def _attacked(force: Force, attackers: Sequence[str | Force], how: Situation, setting: Setting) -> Morale:
    cases: list[Case] = [case_of(attacker, force, how, setting) for attacker in find_forces(attackers, setting)]
    whole_number("Units that attack", len(cases), 1, MAX_UNITS)
    nerves = setting.matchups.nerves
    assert nerves is not None
    _, nerve = nerves(cases[0].attacker, force, setting.options)
    target = cases[0].attack.target
    states = series.series([case.attack for case in cases])[-1]
    size = len(target.bodies)
    slain, gone, firm = [0.0] * (size + 1), [0.0] * (size + 1), 0.0
    for left, p in states.items():
        dead = sum(not x for x in left)
        slain[dead] += p
        for n, q in _after(nerve, target, left).items():
            gone[dead + n] += p * q
            firm += p * q * (n == 0)
    note = "models that were slain in this turn by others are not counted"
    return Morale(
        assumptions=assumed(setting, cases, note, rules=nerve.rules),
        unit=force.name,
        models=size,
        attackers=tuple(case.attacker.short for case in cases),
        slain=tuple(slain),
        gone=tuple(gone),
        firm=firm,
    )
