"""Pooled saves: all wounds of all volleys are saved on one number, then the owner removes casualties.

The save is the most common one of the unit, the worse on a tie, and does not change while casualties fall. So wounds
taken in the order in which they came are the same as attacks made each in turn against a unit of that save. Only where
the owner may pick which wound goes next do they have to be counted first.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TypeAlias

import msgspec

from sandtable.attack.bounds import MAX_STATES, Unsolvable, check_size, check_work
from sandtable.attack.goals import reached
from sandtable.attack.numbers import (
    attack_chances,
    hit_chances,
    lost_chances,
    number_chances,
    save_chance,
    wound_chances,
)
from sandtable.attack.procedures import as_one
from sandtable.attack.volley import NEVER, NO_SAVE, Attack, DiceSum, Procedure, Volley

Left: TypeAlias = tuple[int, ...]
Counts: TypeAlias = tuple[int, ...]
Pool: TypeAlias = dict[Counts, float]
Worth: TypeAlias = tuple[float, dict[Left, float]]


def in_turn(attack: Attack) -> Attack:
    """The same as attacks made each in turn."""
    return msgspec.structs.replace(attack, target=as_one(attack.target), procedure=Procedure.EACH_IN_TURN)


# ---------------------------------------------------------------------- the owner picks the order of the wounds


def resolve_worst(attack: Attack) -> dict[Left, float]:
    """The chance of each final state, when the owner puts the unsaved wounds where they do least."""
    plain = in_turn(attack)
    kinds = [k for v in attack.volleys for k in v.kinds]
    if any(k.mortal is not None for k in kinds):
        raise Unsolvable("mortal wounds have no place in a pool of wounds")
    damages = list(dict.fromkeys(k.damage for k in kinds if k.damage is not None))
    pool: Pool = {(0,) * len(damages): 1.0}
    for volley in attack.volleys:
        pool = _joined(pool, _unsaved(plain, volley, damages))
    owner = _Owner(plain, damages)
    out: dict[Left, float] = defaultdict(float)
    for counts, p in pool.items():
        for left, q in owner.worth(counts, tuple(b.wounds for b in plain.target.bodies))[1].items():
            out[left] += p * q
    return dict(out)


def _joined(a: Pool, b: Pool) -> Pool:
    check_work(len(a) * len(b) * 1000)
    out: Pool = defaultdict(float)
    for x, p in a.items():
        for y, q in b.items():
            out[tuple(i + j for i, j in zip(x, y, strict=True))] += p * q
    return dict(out)


def _unsaved(attack: Attack, volley: Volley, damages: list[DiceSum]) -> Pool:
    """How many unsaved wounds of each damage a volley gives."""
    body = attack.target.bodies[0]
    choices = attack.choices
    none = (0,) * len(damages)

    def wound(kind: int) -> Pool:
        found = volley.kinds[kind]
        if found.damage is None:
            return {none: 1.0}
        needed = NEVER if found.save == NO_SAVE else body.saves[found.save]
        saved = save_chance(needed, body.save_reroll)
        one = tuple(int(d == found.damage) for d in damages)
        return {none: saved, one: 1 - saved}

    rolled: Pool = defaultdict(float)
    chances = wound_chances(volley.wound, choices.reroll, len(volley.kinds))
    rolled[none] += float(chances[-1])
    for kind in range(len(volley.kinds)):
        for counts, p in wound(kind).items():
            rolled[counts] += p * float(chances[kind])
    one: Pool = defaultdict(float)
    hits = hit_chances(volley.hit, choices.reroll, choices.sums)
    by_wounds: Pool = {none: 1.0}
    for w in range(hits.shape[0]):
        by_hits = by_wounds
        for h in range(hits.shape[1]):
            for counts, p in by_hits.items():
                one[counts] += p * float(hits[w, h])
            by_hits = _joined(by_hits, rolled)
        by_wounds = _joined(by_wounds, wound(volley.automatic))
    attacks = attack_chances(volley.shots, choices.sums)
    out: Pool = {none: float(attacks[-1])}
    for number in range(len(attacks) - 2, -1, -1):
        out = _joined(out, {c: p for c, p in one.items() if p})
        out[none] = out.get(none, 0.0) + float(attacks[number])
    return out


class _Owner:
    """Puts unsaved wounds on bodies, one after the other, weighing which is next and on whom."""

    def __init__(self, attack: Attack, damages: list[DiceSum]) -> None:
        self.attack = attack
        self.bodies = attack.target.bodies
        self.damages = [number_chances(d, attack.choices.sums) for d in damages]
        self.known: dict[tuple[Counts, Left], Worth] = {}

    def worth(self, counts: Counts, left: Left) -> Worth:
        if not any(counts) or not any(left):
            return reached(self.attack, left), {left: 1.0}
        found = self.known.get((counts, left))
        if found is None:
            tries = [self._put(counts, left, kind, i) for kind, n in enumerate(counts) if n for i in self._takers(left)]
            found = min(tries, key=lambda worth: worth[0])
            self.known[counts, left] = found
            check_size("situations", len(self.known), MAX_STATES)
        return found

    def _put(self, counts: Counts, left: Left, kind: int, i: int) -> Worth:
        fewer = tuple(n - (k == kind) for k, n in enumerate(counts))
        goal = 0.0
        states: dict[Left, float] = defaultdict(float)
        for lost, p in self._losses(kind, i, left[i]).items():
            after = self.worth(fewer, (*left[:i], left[i] - lost, *left[i + 1 :]))
            goal += p * after[0]
            for end, q in after[1].items():
                states[end] += p * q
        return goal, dict(states)

    def _losses(self, kind: int, i: int, left: int) -> dict[int, float]:
        out: dict[int, float] = defaultdict(float)
        for points, p in enumerate(self.damages[kind]):
            for n, q in enumerate(lost_chances(points, self.bodies[i].pain, left)):
                if p * q:
                    out[n] += float(p) * q
        return out

    def _takers(self, left: Left) -> list[int]:
        """Bodies that may take the next wound, of equal ones the first; a hurt one has to."""
        front = min(b.rank for b, x in zip(self.bodies, left, strict=True) if x)
        stand = [i for i, b in enumerate(self.bodies) if left[i] and b.rank == front]
        found = [i for i in stand if left[i] < self.bodies[i].full] or stand
        alike = {}
        for i in reversed(found):
            b = self.bodies[i]
            alike[b.full, b.pain, b.value, b.group, left[i]] = i
        return sorted(alike.values())
