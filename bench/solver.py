"""How fast exact odds are: random units against random units, as they stand on tables of 10th edition."""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

from sandtable.attack import montecarlo
from sandtable.attack.funnel import funnel
from sandtable.attack.solver import solve
from sandtable.attack.tables import Rerolls, hit_table, save_needed, wound_table
from sandtable.attack.volley import Attack, Body, Mortal, Shots, Target, Volley, WoundKind, dice

ATTACKS = 1000
ROLLS = 10_000

# (bearers, attacks, damage), how common they are
WEAPONS = (
    ((5, "2", "1"), 4),
    ((9, "2", "1"), 4),
    ((10, "1", "1"), 4),
    ((10, "3", "1"), 3),
    ((4, "4", "2"), 3),
    ((18, "2", "1"), 2),
    ((1, "D6", "1"), 2),
    ((2, "1", "D6"), 3),
    ((1, "D6+3", "3"), 1),
    ((1, "2", "D6+1"), 2),
    ((3, "D3", "2"), 2),
    ((1, "6", "2"), 2),
    ((20, "3", "1"), 1),
)
# (models, wounds, save, invulnerable save, feel no pain), how common they are
TARGETS = (
    ((5, 2, 3, 7, 7), 4),
    ((10, 2, 3, 7, 7), 4),
    ((10, 1, 5, 7, 7), 3),
    ((20, 1, 5, 7, 7), 2),
    ((20, 1, 6, 7, 6), 1),
    ((3, 3, 2, 4, 7), 3),
    ((10, 3, 2, 4, 7), 1),
    ((1, 12, 3, 7, 7), 3),
    ((1, 22, 2, 5, 7), 1),
    ((3, 6, 4, 7, 5), 1),
    ((10, 2, 3, 7, 5), 1),
)


def weapon(rng: random.Random) -> Volley:
    ((bearers, attacks, damage),) = rng.choices([w for w, _ in WEAPONS], [n for _, n in WEAPONS])
    again: list[Rerolls] = ["none", "ones", "failures"]
    hit = hit_table(
        rng.choice((2, 3, 3, 3, 4, 5)),
        rng.choice((0, 0, 0, -1, 1)),
        auto=rng.random() < 0.08,
        lethal=rng.random() < 0.15,
        sustained=rng.choice((0, 0, 0, 0, 0, 0, 1, 2, dice("D3"))),
        reroll=rng.choices(again, (6, 2, 1))[0],
    )
    devastating = rng.random() < 0.15
    wound = wound_table(
        rng.choice((2, 3, 3, 4, 4, 5, 6)),
        crit=rng.choice((6, 6, 6, 6, 5, 4)) if rng.random() < 0.3 else 6,
        crit_kind=1 if devastating else None,
        reroll=rng.choices(again, (6, 1, 2))[0],
    )
    save = rng.randrange(4)
    kinds = (WoundKind(save, dice(damage)), WoundKind(save, None, Mortal(dice(damage))))
    return Volley("any", (Shots(bearers, dice(attacks)),), hit, wound, kinds[: 2 if devastating else 1])


def unit(rng: random.Random) -> Target:
    ((models, wounds, save, better, pain),) = rng.choices([t for t, _ in TARGETS], [n for _, n in TARGETS])
    saves = tuple(save_needed(save, -ap, invulnerable=better) for ap in range(4))
    bodies = [Body(i, wounds, wounds, saves, pain=pain) for i in range(models)]
    if models > 1 and rng.random() < 0.25:
        leader = tuple(save_needed(min(save, 3), -ap, invulnerable=4) for ap in range(4))
        bodies.append(Body(models, 5, 5, leader, rank=1, group="leader"))
    if wounds > 1 and rng.random() < 0.2:
        bodies[0] = Body(0, rng.randrange(1, wounds), wounds, saves, pain=pain)
    return Target(tuple(bodies))


def random_attack(rng: random.Random) -> Attack:
    """One to three kinds of weapons of a unit at another unit."""
    volleys = tuple(weapon(rng) for _ in range(rng.choice((1, 1, 2, 2, 3))))
    most = sum(s.weapons * s.each.most for v in volleys for s in v.shots)
    return Attack(volleys, unit(rng)) if most <= 120 else random_attack(rng)


def timed(function: Any, *arguments: Any) -> float:
    start = time.perf_counter()
    function(*arguments)
    return (time.perf_counter() - start) * 1000


def both(attack: Attack) -> None:
    found = solve(attack)
    _ = found.damage, found.killed, found.destroyed


def measure() -> dict[str, dict[str, Any]]:
    """Milliseconds for 1,000 random attacks: the best of three runs each, and the first one, without kept tables."""
    rng = random.Random(7)
    attacks = [random_attack(rng) for _ in range(ATTACKS)]
    for attack in attacks[:20]:
        both(attack)
        montecarlo.roll(attack, 10)
    first = sorted(timed(both, a) for a in attacks)
    exact = sorted(min(timed(both, a) for _ in range(3)) for a in attacks)
    some = attacks[:200]
    ratios = [timed(montecarlo.roll, a, ROLLS) / min(timed(both, a) for _ in range(2)) for a in some]
    funnels = [min(timed(funnel, a) for _ in range(2)) for a in some]
    return {
        "exact, median": {"value": round(statistics.median(exact), 4), "limit": 0.3, "what": "ms an attack"},
        "exact, 99th percentile": {"value": round(exact[ATTACKS * 99 // 100], 3), "limit": 5.0, "what": "ms an attack"},
        "exact, median of first runs": {"value": round(statistics.median(first), 4), "limit": None, "what": "ms"},
        "exact, 99th percentile of first runs": {
            "value": round(first[ATTACKS * 99 // 100], 3),
            "limit": None,
            "what": "ms",
        },
        "funnel, median": {"value": round(statistics.median(funnels), 3), "limit": 3.0, "what": "ms an attack"},
        f"{ROLLS} rolls against exact, median": {
            "value": round(statistics.median(ratios), 1),
            "limit": None,
            "what": "times as long",
        },
        f"{ROLLS} rolls against exact, least": {
            "value": round(min(ratios), 2),
            "limit": None,
            "what": "times as long",
        },
    }


if __name__ == "__main__":
    for what, figures in measure().items():
        print(f"{what:45} {figures}")
