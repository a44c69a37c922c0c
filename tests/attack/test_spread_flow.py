"""Epic's own flow of hits agrees with the solver's spread of hits."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from attack.chi_square import p_value, too_many_low, worst_allowed
from attack.specs import UNROLLED, slow
from epica.table import BUGGY, TANK, TROOPS, formation, row, situation
from sandtable.attack.solver import solve
from sandtable.attack.tables import hit_table
from sandtable.attack.volley import (
    CANNOT_BE_HIT,
    NO_SAVE,
    Attack,
    Body,
    Procedure,
    Shots,
    Target,
    Volley,
    WoundKind,
    dice,
)
from sandtable.battle import TABLE
from sandtable.battle.dice import KeyedDice
from sandtable.systems.epica.hits import Hits, can_be_hit
from sandtable.systems.epica.shooting import resolve_hits

SPECS, ROLLS, PARTS = 500, 20_000, 25
FEW, FEW_ROLLS = 15, 400

KINDS = {"INF": TROOPS, "AV": TANK, "LV": BUGGY}
CLASSES = {"AP": 0, "AT": 1, "MW": NO_SAVE}


def spec(rng: random.Random) -> tuple[list[str], dict[str, int], dict[str, tuple[int, int]]]:
    """Stands front to back, armour by type, and for each kind of fire the shots and what they need to hit."""
    stands = [rng.choice(list(KINDS)) for _ in range(rng.randint(1, 5))]
    armour = {kind: rng.randint(3, 6) for kind in KINDS}
    fire = {kind: (rng.randint(1, 4), rng.randint(3, 6)) for kind in CLASSES if rng.random() < 0.6}
    return stands, armour, fire or {"AP": (3, 4)}


def exactly(stands: list[str], armour: dict[str, int], fire: dict[str, tuple[int, int]]) -> list[float]:
    def saves(kind: str) -> tuple[int, ...]:
        return tuple(armour[kind] if can_be_hit(kind, fire_kind) else CANNOT_BE_HIT for fire_kind in ("AP", "AT"))

    volleys = tuple(
        Volley(
            kind,
            (Shots(shots, dice(1)),),
            hit_table(needed, crit=7, always=7),
            UNROLLED,
            (WoundKind(CLASSES[kind], dice(1)),),
            step=int(kind == "MW"),
        )
        for kind, (shots, needed) in fire.items()
    )
    target = Target(tuple(Body(i, 1, 1, saves(kind)) for i, kind in enumerate(stands)))
    return list(solve(Attack(volleys, target, Procedure.SPREAD)).killed)


def in_a_battle(
    stands: list[str], armour: dict[str, int], fire: dict[str, tuple[int, int]], times: int, seed: int
) -> list[int]:
    """How often so many stands were lost."""
    sheets = [{**KINDS[kind], "armour": armour[kind]} for kind in stands]
    # A column, so that nobody is as close to the enemy as another.
    targets = [formation(f"Blue {i}", "blue", sheet, at=[(30, 40 + 4 * i)]) for i, sheet in enumerate(sheets)]
    b = situation([formation("Reds", "red", at=row(1, 30, 10)), *targets])
    b.dice = KeyedDice(seed)
    shooter, first = b.unit(0), b.unit(1)
    members = list(range(1, 1 + len(stands)))
    for other in [b.unit(i) for i in members[1:]]:
        b.join(other.models, first)
    seen: Counter[int] = Counter()
    for _ in range(times):
        b.place_models(members, TABLE)
        pools = []
        for kind, (shots, needed) in fire.items():
            number = sum(face >= needed for face in b.roll(shots, "hit", 0))
            pools.append(
                Hits(
                    kind, number, tuple(m for m, type_ in zip(members, stands, strict=True) if can_be_hit(type_, kind))
                )
            )
        seen[len(finished(resolve_hits(b, shooter, first, pools, crossfire=False)))] += 1
        b.events.clear()
    return [seen[n] for n in range(len(stands) + 1)]


def finished(flow: Any) -> list[int]:
    """What a flow comes to that asks nobody."""
    with pytest.raises(StopIteration) as end:
        flow.send(None)
    found: list[int] = end.value.value
    return found


def agree(rng: random.Random, specs: int, rolls: int, family: int) -> None:
    values = []
    for seed in range(specs):
        drawn = spec(rng)
        values.append(p_value(in_a_battle(*drawn, rolls, seed), exactly(*drawn)))
        assert values[-1] > worst_allowed(family), drawn
    assert not too_many_low(values), sorted(values)[:5]


def test_epic_rolls_what_the_solver_says() -> None:
    agree(random.Random("few"), FEW, FEW_ROLLS, FEW)


@slow
@pytest.mark.parametrize("part", range(PARTS))
def test_epic_rolls_what_the_solver_says_of_many_attacks(part: int) -> None:
    agree(random.Random(f"many {part}"), SPECS // PARTS, ROLLS, SPECS)
