"""What a single re-roll is worth, such as players buy for a command point: used on the best die, or held for a better.

The attacks are reckoned from the last to the first, one at a time. For every number of wounds that the target can have
lost there are two values: with the re-roll still at hand, and without. Where a die has fallen, the one who owns the
re-roll takes the higher of keeping the die and rolling it again. Mortal wounds are inflicted at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

from sandtable.attack.bounds import MAX_ATTACKS, Unsolvable, check_attack, check_size
from sandtable.attack.goals import reached
from sandtable.attack.numbers import (
    FACE,
    Floats,
    attack_chances,
    lost_chances,
    number_chances,
    save_chance,
    totals,
)
from sandtable.attack.tables import faces_rerolled, sum_rerolled
from sandtable.attack.volley import FACES, NEVER, NO_SAVE, Attack, DiceSum, HitFace, Procedure, Volley, WoundKind
from sandtable.attack.walk import order_of
from sandtable.attack.walk_kernels import Ints

Roll: TypeAlias = Literal["attacks", "hit", "wound", "damage", "save"]
"""The roll that the re-roll may be used on; a save is the defender's."""

MAX_STEPS: Final = 60_000
"""Attacks times wounds of the target that are weighed: a few seconds."""
ATTACKER: Final[tuple[Roll, ...]] = ("attacks", "hit", "wound", "damage")


class Pair(NamedTuple):
    """For each number of wounds lost: the goal reached in the end, with the re-roll still at hand, and without."""

    held: Floats
    spent: Floats


def worth(attack: Attack, rolls: Sequence[Roll] = ()) -> float:
    """The mean of the attack's goal when one die of these rolls may be re-rolled; without any, as it is."""
    check_attack(attack)
    if attack.procedure is not Procedure.EACH_IN_TURN or attack.choices.weighed:
        raise Unsolvable("a single re-roll is only weighed where attacks are made each in turn, by fixed policies")
    order = order_of(attack)
    if order is None:
        raise Unsolvable("a single re-roll is only weighed where models fall in a fixed order")
    most = sum(len(attack_chances(v.shots)) - 1 for v in attack.volleys)
    check_size("attacks", most, MAX_ATTACKS)
    check_size("steps", most * sum(b.wounds for b in attack.target.bodies), MAX_STEPS)
    return _Reckoning(attack, order, frozenset(rolls)).value()


class _Reckoning:
    def __init__(self, attack: Attack, order: Sequence[int], rolls: frozenset[str]) -> None:
        self.attack, self.choices, self.rolls = attack, attack.choices, rolls
        bodies = [attack.target.bodies[i] for i in order]
        self.at = [(body, left) for body in bodies for left in range(body.wounds, 0, -1)]
        """For each number of wounds lost the body that takes the next attack, and what it has left."""
        self.size = len(self.at) + 1
        lefts = [b.wounds for b in attack.target.bodies]
        rewards = [reached(attack, lefts)]
        for place in order:
            for _ in range(attack.target.bodies[place].wounds):
                lefts[place] -= 1
                rewards.append(reached(attack, lefts))
        self.rewards = np.array(rewards)
        self.saves: dict[tuple[int, bool], Floats] = {}
        self.losses: dict[tuple[int, bool], tuple[Floats, Ints]] = {}

    def value(self) -> float:
        now = Pair(self.rewards, self.rewards)
        for volley in reversed(self.attack.volleys):
            now = self._volley(volley, now)
        return float(now.held[0])

    # ------------------------------------------------------------------ attacks

    def _volley(self, volley: Volley, then: Pair) -> Pair:
        chances = attack_chances(volley.shots, self.choices.sums)
        by_number = [then]
        for _ in range(len(chances) - 1):
            by_number.append(self._attack(volley, by_number[-1]))
        if "attacks" not in self.rolls or all(s.each.fixed for s in volley.shots):
            held, spent = (np.array([getattr(p, at) for p in by_number]) for at in Pair._fields)
            return Pair(_mixed(chances, held), _mixed(chances, spent))
        # One weapon rolls after the other: from the last back, what each number of attacks so far is worth.
        for shots in reversed(volley.shots):
            for _ in range(shots.weapons):
                more = max(0, shots.each.result(sum(shots.each.dice)))
                by_number = [
                    self._sum(shots.each, by_number[so_far:], "attacks") for so_far in range(len(by_number) - more)
                ]
        return by_number[0]

    def _sum(self, number: DiceSum, by_result: Sequence[Pair], roll: Roll) -> Pair:
        """A sum of dice whose results lead to these values; its own rule may have it rolled again, or the bought one.

        No die is re-rolled twice, so a sum that its own rule had rolled again stands, and the other way round.
        """
        held, spent, fresh = np.zeros(self.size), np.zeros(self.size), Pair(np.zeros(self.size), np.zeros(self.size))
        once = [(total, p, by_result[max(0, number.result(total))]) for total, p in enumerate(totals(number.dice)) if p]
        for _, p, pair in once:
            fresh = Pair(fresh.held + p * pair.held, fresh.spent + p * pair.spent)
        buys = roll in self.rolls and not number.fixed
        for total, p, pair in once:
            if sum_rerolled(number, total, self.choices):
                held, spent = held + p * fresh.held, spent + p * fresh.spent
            else:
                held = held + p * (np.maximum(pair.held, fresh.spent) if buys else pair.held)
                spent = spent + p * pair.spent
        return Pair(held, spent)

    def _attack(self, volley: Volley, then: Pair) -> Pair:
        known: dict[tuple[int, int, DiceSum | None], Pair] = {}
        by_face = []
        for face in volley.hit.faces if volley.hit.rolled else volley.hit.faces[-1:]:
            key = face.hits, face.wounds, face.extra
            if key not in known:
                known[key] = self._hit(volley, face, then)
            by_face.append(known[key])
        if not volley.hit.rolled:
            return by_face[-1]
        return self._die(by_face, faces_rerolled(volley.hit, self.choices.reroll), "hit" in self.rolls)

    def _die(self, by_face: Sequence[Pair], free: Sequence[int], buys: bool) -> Pair:
        """A D6 whose faces lead to these values; `free` faces are re-rolled by a rule of their own."""
        again = Pair(np.mean([p.held for p in by_face], axis=0), np.mean([p.spent for p in by_face], axis=0))
        held, spent = np.zeros(self.size), np.zeros(self.size)
        for face, pair in zip(FACES, by_face, strict=True):
            if face in free:
                # No die is re-rolled twice.
                held, spent = held + again.held * FACE, spent + again.spent * FACE
            else:
                held = held + FACE * (np.maximum(pair.held, again.spent) if buys else pair.held)
                spent = spent + FACE * pair.spent
        return Pair(held, spent)

    def _hit(self, volley: Volley, face: HitFace, then: Pair) -> Pair:
        """What a face leads to: automatic wounds come first, then the hits. It is reckoned from the end."""
        now = then
        for _ in range(face.hits):
            now = self._wound(volley, now)
        if face.extra is None:
            return self._automatic(volley, face, now)
        held, spent = np.zeros(self.size), np.zeros(self.size)
        for p in number_chances(face.extra, self.choices.sums):
            if p:
                pair = self._automatic(volley, face, now)
                held, spent = held + p * pair.held, spent + p * pair.spent
            now = self._wound(volley, now)
        return Pair(held, spent)

    def _automatic(self, volley: Volley, face: HitFace, then: Pair) -> Pair:
        now = then
        for _ in range(face.wounds):
            now = self._wounded(volley.kinds[volley.automatic], now)
        return now

    def _wound(self, volley: Volley, then: Pair) -> Pair:
        kinds = [self._wounded(kind, then) for kind in volley.kinds]
        by_face = [kinds[f.kind] if f.success else then for f in volley.wound.faces]
        if not volley.wound.rolled:
            return by_face[-1]
        return self._die(by_face, faces_rerolled(volley.wound, self.choices.reroll), "wound" in self.rolls)

    # ------------------------------------------------------------------ saves and damage

    def _wounded(self, kind: WoundKind, then: Pair) -> Pair:
        if kind.mortal is not None:
            points = self._points(kind.mortal.points, kind.mortal.spill, then)
            if kind.damage is None:
                return points
            then = points
        assert kind.damage is not None
        hurt = self._damaged(kind.damage, then)
        saved, made = self._saved(kind.save), self._saved(kind.save, bare=True)
        held = saved * then.held + (1 - saved) * hurt.held
        spent = saved * then.spent + (1 - saved) * hurt.spent
        if "save" in self.rolls and kind.save != NO_SAVE:
            # The defender wants little of the attacker's goal. A die that was rolled again by its own rule stands.
            fresh = made * then.spent + (1 - made) * hurt.spent
            stands = np.where(made > 0, (saved - made) / np.maximum(made, FACE), 0.0)
            failed = 1 - made - stands
            held = saved * then.held + stands * (1 - made) * hurt.held + failed * np.minimum(hurt.held, fresh)
        return Pair(held, spent)

    def _saved(self, save: int, *, bare: bool = False) -> Floats:
        """For each number of wounds lost the chance that the next wound is saved, with its own re-rolls or without."""
        if (save, bare) not in self.saves:
            chances = [
                0.0 if save == NO_SAVE else save_chance(min(b.saves[save], NEVER), () if bare else b.save_reroll)
                for b, _ in self.at
            ]
            # Nobody is left at the end, and nothing changes there.
            self.saves[save, bare] = np.array([*chances, 1.0])
        return self.saves[save, bare]

    def _damaged(self, damage: DiceSum, then: Pair) -> Pair:
        most = max(0, damage.result(sum(damage.dice)))
        by_result = [Pair(self._lost(n, then.held), self._lost(n, then.spent)) for n in range(most + 1)]
        return self._sum(damage, by_result, "damage")

    def _points(self, points: DiceSum, spill: bool, then: Pair) -> Pair:
        """Mortal wounds, which no save stops."""
        by_result, now = [then], then
        for number in range(1, max(0, points.result(sum(points.dice))) + 1):
            now = Pair(self._mortal(1, now.held), self._mortal(1, now.spent))
            by_result.append(now if spill else Pair(self._mortal(number, then.held), self._mortal(number, then.spent)))
        return self._sum(points, by_result, "damage")

    def _lost(self, points: int, then: Floats) -> Floats:
        """So much damage on one model, at most what it has left."""
        return self._after(points, then, mortal=False)

    def _mortal(self, points: int, then: Floats) -> Floats:
        return self._after(points, then, mortal=True)

    def _after(self, points: int, then: Floats, *, mortal: bool) -> Floats:
        key = points, mortal
        if key not in self.losses:
            rows = [lost_chances(points, min(b.pain_against_mortal if mortal else b.pain, NEVER), left)
                    for b, left in self.at]  # fmt: skip
            band = np.zeros((self.size, max(map(len, rows), default=1)))
            for s, row in enumerate(rows):
                band[s, : len(row)] = row
            band[-1, 0] = 1.0
            where = np.arange(self.size)[:, np.newaxis] + np.arange(band.shape[1])
            self.losses[key] = band, np.minimum(where, self.size - 1)
        band, where = self.losses[key]
        return np.sum(band * then[where], axis=1)


def _mixed(chances: Floats, rows: Floats) -> Floats:
    """The mean of some rows, each with its chance."""
    return np.sum(chances[:, np.newaxis] * rows, axis=0)
