"""Random attacks to hold reckonings against each other: small, and full of everything at once."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import msgspec
import pytest

from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import (
    CANNOT_BE_HIT,
    NO_SAVE,
    Attack,
    Body,
    Choices,
    DiceSum,
    Mortal,
    Procedure,
    Shots,
    Target,
    Volley,
    WoundFace,
    WoundKind,
    WoundRoll,
    dice,
)

slow = pytest.mark.skipif(not os.environ.get("SANDTABLE_SLOW"), reason="runs with SANDTABLE_SLOW=1")

NUMBERS = [
    dice(1),
    dice(1),
    dice(2),
    dice(3),
    dice("D3"),
    dice("D3+1"),
    dice("D3", reroll=(1, 2)),
    DiceSum((6,), -3, 1),
    dice("(D6)/2"),
    dice("(D3+1)/2+1", reroll=(1,)),
    dice("(3)/2"),
]
AGAIN = ["none", "none", "ones", "failures", "all"]


def chunk(seed: int, size: int, procedure: Procedure) -> Iterator[Attack]:
    """`size` random attacks of a procedure."""
    rng = random.Random(f"{procedure.value} {seed}")
    make = {
        Procedure.EACH_IN_TURN: in_turn,
        Procedure.SORTED_BATCH: sorted_batch,
        Procedure.POOLED: pooled,
        Procedure.SPREAD: spread,
    }[procedure]
    for _ in range(size):
        yield make(rng)


def _hit(rng: random.Random, extra: bool = True):  # type: ignore[no-untyped-def]
    return hit_table(
        rng.randint(2, 6),
        rng.randint(-1, 1),
        crit=rng.choice((5, 6, 6, 7)),
        auto=rng.random() < 0.2,
        lethal=extra and rng.random() < 0.3,
        sustained=rng.choice((0, 0, 1, dice("D3"))) if extra else 0,
        reroll=rng.choice(AGAIN),  # type: ignore[arg-type]
    )


def _shots(rng: random.Random, extra: bool) -> tuple[Shots, ...]:
    """Few attacks where each can give many hits: plain reckonings go through every single one."""
    few = [(Shots(1, dice(1)),), (Shots(2, dice(1)),)]
    return rng.choice(few[:1] if extra else [*few, (Shots(1, dice(2)),), (Shots(1, dice("D3")),)])


def _bodies(rng: random.Random, most: int, again: tuple[int, ...] | None = None, ranks: int = 1) -> tuple[Body, ...]:
    out = []
    kinds = [(rng.randint(1, 3), (rng.randint(2, 7), rng.randint(2, 7)), rng.randint(5, 7)) for _ in range(2)]
    for model in range(rng.randint(1, most)):
        full, saves, pain = rng.choice(kinds)
        out.append(
            Body(
                model,
                full if rng.random() < 0.7 else rng.randint(1, full),
                full,
                saves,
                rng.choice([(), (), (1,)]) if again is None else again,
                pain=pain,
                pain_mortal=rng.choice([0, 0, 4]),
                marked=rng.random() < 0.15,
                rank=int(rng.random() < 0.2) * ranks,
            )
        )
    return tuple(out)


def in_turn(rng: random.Random) -> Attack:
    volleys = []
    for _ in range(rng.randint(1, 2)):
        wound = wound_table(
            rng.randint(2, 6),
            crit=rng.choice((4, 5, 6, 6)),
            crit_kind=rng.choice([None, 1, 1, 2]),
            reroll=rng.choice(AGAIN),  # type: ignore[arg-type]
        )
        mortal = Mortal(rng.choice(NUMBERS), spill=rng.random() < 0.6, held=rng.random() < 0.7)
        kinds = (
            WoundKind(rng.choice((NO_SAVE, 0, 0, 1)), rng.choice(NUMBERS)),
            WoundKind(0, None, mortal),
            WoundKind(1, rng.choice(NUMBERS), mortal),
        )
        aim = rng.choice([(), (), (0,), (2,)])
        automatic = rng.choice((0, 0, 0, 1))
        hit = _hit(rng)
        many = any(f.extra is not None or f.hits > 1 for f in hit.faces)
        volleys.append(Volley("any", _shots(rng, many), hit, wound, kinds, automatic, aim=aim))
    choices = Choices(
        allocation=rng.choice(("in_order", "in_order", "best_save")),
        reroll=rng.choice(("failures", "failures", "criticals", "none")),
        sums=rng.choice(("below_average", "none")),
        aim=rng.choice(("never", "always")),
    )
    return Attack(tuple(volleys), Target(_bodies(rng, 4), keeps=rng.random() < 0.6), choices=choices)


def sorted_batch(rng: random.Random) -> Attack:
    volleys = []
    for _ in range(rng.randint(1, 2)):
        devastating = rng.random() < 0.4
        wound = wound_table(
            rng.randint(2, 6),
            crit=rng.choice((5, 6, 6)),
            crit_kind=1 if devastating else None,
            reroll=rng.choice(AGAIN),  # type: ignore[arg-type]
        )
        damage = rng.choice(NUMBERS)
        kinds = (
            WoundKind(rng.choice((NO_SAVE, 0, 0, 1)), damage),
            WoundKind(0, None, Mortal(damage, spill=rng.random() < 0.3)),
        )
        aim = rng.choice([(), (), (0,), (2,)])
        hit = _hit(rng, extra=rng.random() < 0.4)
        shots = _shots(rng, any(f.extra is not None or f.hits > 1 for f in hit.faces))
        volleys.append(Volley("any", shots, hit, wound, kinds[: 1 + devastating], aim=aim))
    choices = Choices(reroll=rng.choice(("failures", "criticals")), aim=rng.choice(("never", "always")))
    target = Target(_bodies(rng, 4, rng.choice([(), (), (1,)])))
    bodies = tuple(msgspec.structs.replace(b, marked=False) for b in target.bodies)
    return Attack(tuple(volleys), Target(bodies), Procedure.SORTED_BATCH, choices)


def _few(rng: random.Random) -> tuple[Shots, ...]:
    return rng.choice([(Shots(1, dice(1)),), (Shots(1, dice(1)),), (Shots(2, dice(1)),)])


def pooled(rng: random.Random) -> Attack:
    volleys = []
    for _ in range(rng.randint(1, 3)):
        wound = wound_table(rng.randint(2, 6), crit_kind=rng.choice([None, 1]), reroll=rng.choice(AGAIN))  # type: ignore[arg-type]
        kinds = (
            WoundKind(rng.choice((NO_SAVE, 0, 1)), rng.choice(NUMBERS)),
            WoundKind(NO_SAVE, rng.choice([dice(1), dice(9)])),
        )
        volleys.append(Volley("any", _few(rng), _hit(rng, extra=rng.random() < 0.3), wound, kinds))
    bodies = tuple(msgspec.structs.replace(b, marked=False) for b in _bodies(rng, 4, rng.choice([(), (1,)]), ranks=0))
    return Attack(tuple(volleys), Target(bodies), Procedure.POOLED)


UNROLLED = WoundRoll((WoundFace(0),) * 6, rolled=False)


def spread(rng: random.Random) -> Attack:
    volleys = []
    for _ in range(rng.randint(1, 3)):
        step = int(rng.random() < 0.3)
        kind = WoundKind(NO_SAVE if rng.random() < 0.1 else 2 if step else rng.randint(0, 1), dice(1))
        hit = hit_table(rng.randint(3, 7), crit=7, always=7, reroll=rng.choice(AGAIN))  # type: ignore[arg-type]
        volleys.append(Volley("any", (Shots(rng.randint(1, 3), dice(1)),), hit, UNROLLED, (kind,), step=step))
    kinds = []
    for _ in range(2):
        armour = rng.randint(3, 7)
        against = rng.choice([(armour, CANNOT_BE_HIT), (CANNOT_BE_HIT, armour), (armour, armour)])
        full = 1 if rng.random() < 0.85 else rng.randint(2, 3)
        kinds.append((full, (*against, rng.choice((7, 7, armour)))))
    bodies = []
    for model in range(rng.randint(1, 5)):
        full, saves = rng.choice(kinds)
        bodies.append(Body(model, full, full, saves))
    return Attack(tuple(volleys), Target(tuple(bodies)), Procedure.SPREAD)
