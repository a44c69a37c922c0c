"""Charges of large units at several targets that can be made for sure, because their ends were chosen first.

A brute force is too slow for more than a few models. Here a coherent formation that reaches every target grows at
random, and the models start from where they can just get to their places in it. The search need not find the same
formation, but it has to find one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Final

from sandtable.battle import Leg, Moves, Path
from sandtable.battle.scenario import UnitDoc
from sandtable.systems.w40k10.state import Battle10, Unit
from w40k10.charging import meets_conditions
from w40k10.table import TROOPER, named, situation, unit

Spot = tuple[float, float]

SIZE: Final = (60.0, 44.0)
STEP: Final = 1024
BASES: Final = ("25mm", "28mm", "32mm", "40mm")
LARGE: Final = 7
"""A unit of so many models needs two neighbours for each."""
HAIR: Final = 0.01
"""What is kept away from every limit, since places are rounded to the grid"""


@dataclass(frozen=True)
class Planted:
    """A charge that can be made."""

    number: int
    battle: Battle10
    unit: Unit
    targets: list[Unit]
    far: int
    moves: Moves


def planted(number: int) -> Planted:
    """The charge of a number."""
    rng = Random(104729 * number + 5)
    while True:
        plan = _Plan(rng)
        for _ in range(150):
            found = plan.draw(number)
            if found is not None:
                return found


class _Plan:
    """How many charge how many, and how far off; what remains is drawn again until it fits."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.count, self.targets = rng.choice((3, 5, 6, 7, 7, 8, 8, 9, 10, 10, 12)), rng.choice((1, 2, 2, 2, 3, 3))
        self.tight, self.apart, self.far = rng.random() < 0.5, rng.choice((4, 7, 10)), rng.randint(3, 10)
        self.base, self.foe = rng.choice(BASES), rng.choice(BASES)
        self.r, self.fr = float(self.base[:-2]) / 50.8, float(self.foe[:-2]) / 50.8

    def draw(self, number: int) -> Planted | None:
        blues = self._targets()
        ends = self._ends(blues)
        starts = self._starts(blues, ends)
        if not starts:
            return None
        order = self.rng.sample(range(self.count), self.count)
        sheet = {**TROOPER, "base": self.base, "weapons": [], "keywords": self._keywords()}
        units: list[UnitDoc] = [unit("Reds", "red", sheet, [starts[k] for k in order])]
        foe = {**TROOPER, "base": self.foe, "weapons": []}
        units += [unit(f"Blues {k}", "blue", foe, list(group)) for k, group in enumerate(blues)]
        b = situation(units, step="charge_phase", size=SIZE)
        reds, targets = named(b, "Reds"), [named(b, f"Blues {k}") for k in range(len(blues))]
        goals = [(round(ends[k][0] * STEP), round(ends[k][1] * STEP)) for k in order]
        models = [int(m) for m in b.on_table(reds)]
        paths = (Path(m, (Leg("go", x, y, 0, 0),)) for m, (x, y) in zip(models, goals, strict=True))
        moves = Moves("charge", tuple(paths))
        far = self.far * STEP
        return Planted(number, b, reds, targets, far, moves) if meets_conditions(b, reds, targets, far, moves) else None

    def _keywords(self) -> list[str]:
        return ["INFANTRY", "FLY"] if self.rng.random() < 0.1 else ["INFANTRY"]

    def _near(self, spot: Spot, reach: float) -> Spot:
        return spot[0] + self.rng.uniform(-reach, reach), spot[1] + self.rng.uniform(-reach, reach)

    def _targets(self) -> list[list[Spot]]:
        """Targets of one to three models each, not too far from each other."""
        groups: list[list[Spot]] = []
        taken: list[Spot] = []
        for _ in range(self.targets):
            first = self._near(groups[-1][0], self.apart) if groups else (30.0, 22.0)
            if any(math.dist(first, f) < 2 * self.fr + 0.1 for f in taken):
                continue
            groups.append([first])
            taken.append(first)
            for _ in range(self.rng.randint(0, 2)):
                spot = self._near(groups[-1][-1], 2.0)
                if all(math.dist(spot, f) > 2 * self.fr + 0.1 for f in taken):
                    groups[-1].append(spot)
                    taken.append(spot)
        return groups

    def _ends(self, blues: list[list[Spot]]) -> list[Spot]:
        """A formation that grows from the first target to the others; none where it does not get there."""
        need, taken = 2 if self.count >= LARGE else 1, [f for group in blues for f in group]
        ends, waiting = list[Spot](), list(blues)
        while len(ends) < self.count:
            spots = [self._beside(blues[0], ends) for _ in range(self.rng.choice((10, 60)))]
            free = [
                s
                for s in spots
                if all(math.dist(s, f) > self.r + self.fr + 0.002 for f in taken)
                and all(math.dist(s, e) > 2 * self.r + 0.002 for e in ends)
                and self._links(s, ends) >= min(need, len(ends))
            ]
            if not free:
                return []
            goal = waiting[0] if waiting else [self.rng.choice(free)]
            ends.append(min(free, key=lambda s: min(math.dist(s, g) for g in goal)))
            waiting = [g for g in waiting if min(math.dist(ends[-1], f) for f in g) > self.r + self.fr + 1 - HAIR]
        return [] if waiting else ends

    def _beside(self, first: list[Spot], ends: list[Spot]) -> Spot:
        """A place within reach of the first target, or of somebody in place."""
        rng, angle = self.rng, self.rng.uniform(0, 2 * math.pi)
        x, y = rng.choice(ends or first)
        away = 2 * self.r + rng.uniform(HAIR, 2 - HAIR) if ends else self.r + self.fr + rng.uniform(0.002, 1 - HAIR)
        return x + away * math.cos(angle), y + away * math.sin(angle)

    def _links(self, spot: Spot, others: list[Spot]) -> int:
        return sum(math.dist(spot, o) <= 2 * self.r + 2 - HAIR for o in others)

    def _starts(self, blues: list[list[Spot]], ends: list[Spot]) -> list[Spot]:
        """Where the models start: each near another, out of the enemy's reach, and about as far off as they may go."""
        rng, taken = self.rng, [f for group in blues for f in group]
        back, spread = rng.uniform(0, 2 * math.pi), rng.choice((0.3, 0.6, 1.0))
        starts = list[Spot]()
        for x, y in ends:
            for _ in range(200):
                angle = back + rng.uniform(-spread, spread)
                away = self.far * rng.uniform(0.9 if self.tight else 0.3, 0.999)
                spot = (
                    round((x + away * math.cos(angle)) * STEP) / STEP,
                    round((y + away * math.sin(angle)) * STEP) / STEP,
                )
                inside = self.r < spot[0] < SIZE[0] - self.r and self.r < spot[1] < SIZE[1] - self.r
                free = all(math.dist(spot, f) > self.r + self.fr + 1 + HAIR for f in taken)
                clear = all(math.dist(spot, s) > 2 * self.r + HAIR for s in starts)
                if inside and free and clear and (not starts or self._links(spot, starts)):
                    starts.append(spot)
                    break
            else:
                return []
        return starts
