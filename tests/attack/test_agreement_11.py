"""Solver, Monte Carlo kernel and the attack sequence of 11th edition agree on random units and weapons.

With SANDTABLE_SLOW=1 (`make agree`) five hundred attacks are played.
"""

from __future__ import annotations

from collections import Counter

import pytest

from attack.chi_square import too_many_low, worst_allowed
from attack.specs import slow
from attack.specs11 import Spec, play, specs
from attack.test_agreement import p_values, rolled, solved

SPECS, PARTS = 500, 25
FEW, FEW_ROLLS, ROLLS = 20, 300, 500


def compared(found: Spec, times: int, seed: int) -> list[float]:
    """How well the kernel's dice, and those of a battle, fit what the solver says: wounds and models, each."""
    exact = solved(found.attack)
    damage: Counter[int] = Counter()
    killed: Counter[int] = Counter()
    for (lost, models), n in play(found, times, seed).items():
        damage[lost] += n
        killed[models] += n
    wounds = [damage[n] for n in range(len(exact.damage))]
    return [*rolled(found.attack, exact, seed), *p_values(exact, wounds, [killed[n] for n in range(len(exact.killed))])]


def test_attacks_of_11th_edition_are_rolled_as_the_solver_says() -> None:
    for seed, found in enumerate(specs(1, FEW)):
        assert min(compared(found, FEW_ROLLS, seed)) > worst_allowed(4 * FEW), found.attack


@slow
@pytest.mark.parametrize("part", range(PARTS))
def test_many_attacks_of_11th_edition_are_rolled_as_the_solver_says(part: int) -> None:
    values = []
    for seed, found in enumerate(specs(100 + part, SPECS // PARTS)):
        fits = compared(found, ROLLS, 1000 * part + seed)
        assert min(fits) > worst_allowed(4 * SPECS), found.attack
        values += fits
    assert not too_many_low(values), sorted(values)[:5]
