"""Attacks made each in turn where decisions have to be weighed, or where no fixed order of falling bodies exists.

The sequence is reckoned from its end: for every situation and every number of attacks still to come there is one
vector, the chances of all final states, with the players' goal in its last place. Chance mixes vectors; the attacker
picks the vector with the highest goal, the defender the one with the lowest. Policies that are not weighed pick by
their rule. So one reckoning serves every mixture of policies, and agrees with the walk where both apply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from sandtable.attack.bounds import MAX_HELD, MAX_STATES, MAX_WEIGHED, Unsolvable, check_size
from sandtable.attack.goals import reached
from sandtable.attack.numbers import FACE, Floats, attack_chances, lost_chances, number_chances, save_chance, totals
from sandtable.attack.tables import faces_rerolled
from sandtable.attack.volley import NEVER, NO_SAVE, Attack, DiceSum, HitRoll, Volley, WoundKind, WoundRoll

Left: TypeAlias = tuple[int, ...]
Bodies: TypeAlias = tuple[Left, tuple[bool, ...]]
"""Wounds left of each body; and which bodies have to take the next attack although they are not hurt."""
Lot: TypeAlias = tuple[int, bool, DiceSum, int]
"""Mortal wounds that wait: the body that takes them first, whether they spill over, the points of one lot, and how many
lots. Points are rolled when they are inflicted; where a re-roll has to be weighed, when they are caused."""
State: TypeAlias = tuple[Bodies, tuple[Lot, ...]]
Then: TypeAlias = Callable[[State], Floats]

NOBODY: Final = -1
_NOTHING: Final = np.zeros(1)
ONE_POINT: Final = DiceSum(plus=1)


def resolve(attack: Attack) -> dict[Left, float]:
    """The chance of each final state."""
    return _Game(attack).resolve()


class _Game:
    def __init__(self, attack: Attack) -> None:
        self.attack = attack
        self.choices = attack.choices
        self.bodies = attack.target.bodies
        self.keeps = attack.target.keeps
        self.alike = [
            (b.full, b.saves, b.save_reroll, b.pain, b.pain_mortal, b.rank, b.value, b.group) for b in self.bodies
        ]
        self.ends: dict[Left, int] = {}
        self.finals: dict[State, Floats] = {}
        self.size = 1
        self.weighed = 0
        self.weight = 1 + len(self.bodies) // 10

    # ------------------------------------------------------------------ the whole

    def resolve(self) -> dict[Left, float]:
        # Each wound lost is a situation of its own, whatever else happens.
        least = sum(b.wounds for b in self.bodies) * sum(map(self._most_attacks, self.attack.volleys))
        check_size("wounds to weigh", least * self.weight, MAX_WEIGHED)
        start: State = ((tuple(b.wounds for b in self.bodies), self._marks_at_start()), ())
        levels = self._explore(start)
        self._name_ends(levels)
        then: Then = self._end
        for volley, states in zip(reversed(self.attack.volleys), reversed(levels), strict=True):
            then = self._volley(volley, states, then)
        value = then(start)
        found = ((left, float(value[i])) for left, i in self.ends.items())
        return {left: p for left, p in found if p > 0}

    def _marks_at_start(self) -> tuple[bool, ...]:
        return tuple(b.marked and b.wounds == b.full for b in self.bodies)

    def _explore(self, start: State) -> list[dict[State, int]]:
        """For each volley the states that it can lead through, and after how many attacks at the earliest."""
        found: list[dict[State, int]] = []
        starts = [start]
        for volley in self.attack.volleys:
            levels = dict.fromkeys(starts, 0)
            edge = list(levels)
            most = self._most_attacks(volley)
            for number in range(1, most + 1):
                ends: list[State] = []
                for state in edge:
                    self._attack(volley, state, self._recorder(ends), {})
                edge = [s for s in dict.fromkeys(ends) if s not in levels]
                levels.update(dict.fromkeys(edge, number))
                check_size("situations", len(levels), MAX_STATES)
                if not edge:
                    break
            found.append(levels)
            starts = list(levels)
            check_size("wounds to weigh", len(levels) * most // 2, MAX_WEIGHED)
        return found

    def _most_attacks(self, volley: Volley) -> int:
        return len(attack_chances(volley.shots)) - 1

    def _recorder(self, ends: list[State]) -> Then:
        def record(state: State) -> Floats:
            ends.append(state)
            return _NOTHING

        return record

    def _name_ends(self, levels: list[dict[State, int]]) -> None:
        """Give each final state its place in the vectors."""
        found: list[State] = []
        last = levels[-1] if levels else {}
        for state in last:
            self._suffer_all(state, self._recorder(found), {})
        for (left, _), _ in found:
            self.ends.setdefault(left, len(self.ends))
        self.size = len(self.ends) + 1
        self.rewards = {left: reached(self.attack, left) for left in self.ends}

    # ------------------------------------------------------------------ the end

    def _end(self, state: State) -> Floats:
        """After the last volley the mortal wounds that waited are suffered."""
        return self._suffer_all(state, self._final, self.finals)

    def _final(self, state: State) -> Floats:
        left = state[0][0]
        out = np.zeros(self.size)
        out[self.ends[left]] = 1.0
        out[-1] = self.rewards[left]
        return out

    def _suffer_all(self, state: State, then: Then, known: dict[State, Floats]) -> Floats:
        found = known.get(state)
        if found is not None:
            return found
        bodies, lots = state
        if not lots or not any(bodies[0]):
            value = then((bodies, ()))
        else:
            first, spill, points, count = lots[0]
            rest = ((first, spill, points, count - 1), *lots[1:]) if count > 1 else lots[1:]

            def on(after: State) -> Floats:
                return self._suffer_all((after[0], rest), then, known)

            value = self._sum(points, lambda n: self._mortal((bodies, ()), n, first, spill, on))
        known[state] = value
        return value

    # ------------------------------------------------------------------ a volley

    def _volley(self, volley: Volley, levels: dict[State, int], then: Then) -> Then:
        """The value of each state before a volley."""
        most = self._most_attacks(volley)
        now = {state: then(state) for state in levels}
        by_number = [now]
        for number in range(1, most + 1):
            memo: dict[tuple[int, int, State], Floats] = {}
            before = now
            early = [s for s, at in levels.items() if at <= most - number]
            now = {s: self._attack(volley, s, before.__getitem__, memo) for s in early}
            by_number.append(now)

        def value(state: State) -> Floats:
            return self._number_of_attacks(volley, lambda n: by_number[n][state])

        return value

    def _number_of_attacks(self, volley: Volley, value: Callable[[int], Floats]) -> Floats:
        if self.choices.sums != "optimal" or not any(s.each.reroll for s in volley.shots):
            chances = attack_chances(volley.shots, self.choices.sums)
            return self._mix([(float(p), value(n)) for n, p in enumerate(chances) if p])
        weapons = [s.each for s in volley.shots for _ in range(s.weapons)]
        # Each weapon's number is settled before the next one is rolled.
        most = self._most_attacks(volley)
        now = {n: value(n) for n in range(most + 1)}
        for each in reversed(weapons):
            most -= len(number_chances(each)) - 1
            now = self._one_weapon(each, now, most)
        return now[0]

    def _one_weapon(self, each: DiceSum, now: dict[int, Floats], most: int) -> dict[int, Floats]:
        """The value of each number of attacks before a weapon's own are rolled."""
        return {n: self._sum(each, lambda more, n=n: now[n + more]) for n in range(most + 1)}  # type: ignore[misc]

    # ------------------------------------------------------------------ one attack

    def _attack(self, volley: Volley, state: State, then: Then, memo: dict[tuple[int, int, State], Floats]) -> Floats:
        if not any(state[0][0]):
            return then(state)

        def face(number: int) -> Floats:
            found = volley.hit.faces[number]
            if found.extra is None:
                return self._hits(volley, found.wounds, found.hits, state, then, memo)
            return self._sum(
                found.extra, lambda more: self._hits(volley, found.wounds, found.hits + more, state, then, memo)
            )

        return self._roll(volley.hit, face)

    def _hits(
        self,
        volley: Volley,
        wounds: int,
        hits: int,
        state: State,
        then: Then,
        memo: dict[tuple[int, int, State], Floats],
    ) -> Floats:
        """Automatic wounds, then hits that roll to wound, one after the other."""
        if not wounds and not hits:
            return then(state)
        key = wounds, hits, state
        found = memo.get(key)
        if found is not None:
            return found
        fewer = (wounds - 1, hits) if wounds else (0, hits - 1)

        def on(after: State) -> Floats:
            return self._hits(volley, *fewer, after, then, memo)

        if wounds:
            value = self._wound(volley, volley.kinds[volley.automatic], state, on)
        else:
            by_kind: dict[int, Floats] = {}

            def face(number: int) -> Floats:
                kind = volley.wound.faces[number].kind
                if kind not in by_kind:
                    no = kind < 0
                    by_kind[kind] = on(state) if no else self._wound(volley, volley.kinds[kind], state, on)
                return by_kind[kind]

            value = self._roll(volley.wound, face)
        memo[key] = value
        return value

    # ------------------------------------------------------------------ dice

    def _mix(self, parts: Sequence[tuple[float, Floats]]) -> Floats:
        if self.size == 1:
            return _NOTHING
        out = np.zeros(self.size)
        for p, value in parts:
            out += p * value
        return out

    def _roll(self, roll: HitRoll | WoundRoll, face: Callable[[int], Floats]) -> Floats:
        """A die, re-rolled by policy."""
        if not roll.rolled:
            return face(5)
        values = [face(i) for i in range(6)]
        fresh = self._mix([(FACE, v) for v in values])
        if self.choices.reroll == "optimal":
            again = [f for f in roll.reroll if values[f - 1][-1] < fresh[-1]]
        else:
            again = list(faces_rerolled(roll, self.choices.reroll))
        if not again:
            return fresh
        kept = [(FACE, v) for f, v in enumerate(values, 1) if f not in again]
        return self._mix([*kept, (len(again) * FACE, fresh)])

    def _sum(self, number: DiceSum, value: Callable[[int], Floats]) -> Floats:
        """A sum of dice, re-rolled by policy."""
        if not number.reroll or self.choices.sums != "optimal":
            chances = number_chances(number, self.choices.sums)
            return self._mix([(float(p), value(n)) for n, p in enumerate(chances) if p])
        once = totals(number.dice)
        values = [(t, float(p), value(max(number.result(t), 0))) for t, p in enumerate(once) if p]
        fresh = self._mix([(p, v) for _, p, v in values])
        return self._mix([(p, fresh if t in number.reroll and v[-1] < fresh[-1] else v) for t, p, v in values])

    # ------------------------------------------------------------------ one wound

    def _wound(self, volley: Volley, kind: WoundKind, state: State, then: Then) -> Floats:
        """The attacker may aim; then the wound is given, saved and inflicted."""
        if not any(state[0][0]):
            return then(state)
        self.weighed += self.weight
        if self.weighed > MAX_WEIGHED:
            check_size("wounds to weigh", self.weighed, MAX_WEIGHED)
        best: Floats | None = None
        for aimed in self._aims(volley, state[0]):
            value = self._aimed_wound(kind, aimed, state, then)
            if best is None or value[-1] > best[-1]:
                best = value
        assert best is not None
        return best

    def _aims(self, volley: Volley, bodies: Bodies) -> list[int]:
        if not volley.aim or self.choices.aim == "never":
            return [NOBODY]
        front = self._front_rank(bodies[0])
        found = [i for i, b in enumerate(self.bodies) if bodies[0][i] and b.rank > front and b.model in volley.aim]
        if self.choices.aim == "always":
            return found[:1] or [NOBODY]
        return [NOBODY, *found]

    def _aimed_wound(self, kind: WoundKind, aimed: int, state: State, then: Then) -> Floats:
        mortal = kind.mortal

        def after_damage(now: State) -> Floats:
            if mortal is None:
                return then(now)
            if not mortal.held:
                return self._sum(mortal.points, lambda n: self._mortal(now, n, aimed, mortal.spill, then))
            if self.choices.sums == "optimal" and mortal.points.reroll:
                return self._sum(mortal.points, lambda n: wait(now, DiceSum(plus=n)))
            return wait(now, mortal.points)

        def wait(now: State, points: DiceSum) -> Floats:
            assert mortal is not None
            return then((now[0], _waiting(now[1], aimed, mortal.spill, points)))

        if kind.damage is None:
            return after_damage(state)
        takers = [aimed] if aimed != NOBODY else self._takers(state[0], kind.save)
        return self._worst([self._normal(kind, i, state, after_damage) for i in takers])

    def _worst(self, values: list[Floats]) -> Floats:
        return values[0] if len(values) == 1 else min(values, key=lambda v: float(v[-1]))

    def _normal(self, kind: WoundKind, i: int, state: State, then: Then) -> Floats:
        body = self.bodies[i]
        bodies, lots = state
        needed = NEVER if kind.save == NO_SAVE else body.saves[kind.save]
        saved = save_chance(needed, body.save_reroll)
        assert kind.damage is not None
        parts = []
        if saved > 0:
            parts.append((saved, then((self._lose(bodies, i, 0), lots))))
        if saved < 1:

            def lose(points: int) -> Floats:
                chances = lost_chances(points, body.pain, bodies[0][i])
                return self._mix([(p, then((self._lose(bodies, i, n), lots))) for n, p in enumerate(chances) if p])

            parts.append((1 - saved, self._sum(kind.damage, lose)))
        return self._mix(parts)

    def _mortal(self, state: State, points: int, first: int, spill: bool, then: Then) -> Floats:
        """Mortal wounds, point by point."""
        return self._points(state, points, first, spill, then, {})

    def _points(
        self, state: State, points: int, first: int, spill: bool, then: Then, known: dict[tuple[Bodies, int], Floats]
    ) -> Floats:
        bodies, lots = state
        if not points or not any(bodies[0]):
            return then(state)
        found = known.get((bodies, points))
        if found is not None:
            return found

        def on_body(i: int) -> Floats:
            # Those that do not spill over all go to one body.
            step = 1 if spill else points
            chances = lost_chances(step, self.bodies[i].pain_against_mortal, bodies[0][i])
            parts = []
            for n, p in enumerate(chances):
                if p:
                    after = self._lose(bodies, i, n), lots
                    value = self._points(after, points - 1, first, spill, then, known) if spill else then(after)
                    parts.append((p, value))
            return self._mix(parts)

        aimed = first != NOBODY and bodies[0][first] > 0
        takers = [first] if aimed else self._takers(bodies, NO_SAVE)
        value = self._worst([on_body(i) for i in takers])
        known[bodies, points] = value
        return value

    # ------------------------------------------------------------------ who takes it

    def _lose(self, bodies: Bodies, i: int, lost: int) -> Bodies:
        """The bodies after one was given an attack and lost wounds to it."""
        left, marks = bodies
        now = left[i] - lost
        mark = now == self.bodies[i].full and (marks[i] or self.keeps)
        return (*left[:i], now, *left[i + 1 :]), (*marks[:i], mark, *marks[i + 1 :])

    def _front_rank(self, left: Left) -> int:
        return min(b.rank for b, x in zip(self.bodies, left, strict=True) if x)

    def _takers(self, bodies: Bodies, save: int) -> list[int]:
        """The bodies that the defender's policy gives an attack to; more than one where they have to be weighed."""
        left, marks = bodies
        rank = self._front_rank(left)
        front = [i for i, b in enumerate(self.bodies) if left[i] and b.rank == rank]
        found = [i for i in front if marks[i] or left[i] < self.bodies[i].full] or front
        match self.choices.allocation:
            case "worst_for_attacker":
                return list({(self.alike[i], left[i], marks[i]): i for i in reversed(found)}.values())
            case "best_save" if save != NO_SAVE:
                return [min(found, key=lambda i: self.bodies[i].saves[save])]
        return found[:1]


def _waiting(lots: tuple[Lot, ...], first: int, spill: bool, points: DiceSum) -> tuple[Lot, ...]:
    """The lots that wait, with one more; equal ones in a row are counted together."""
    more = 1
    if spill and points.fixed:
        # Points that spill over are all one, whatever lots they came in.
        more, points = points.result(), ONE_POINT
    if not more:
        return lots
    if sum(lot[3] for lot in lots) + more > MAX_HELD:
        raise Unsolvable(f"more than {MAX_HELD} mortal wounds wait")
    if lots and lots[-1][:3] == (first, spill, points):
        return (*lots[:-1], (first, spill, points, lots[-1][3] + more))
    return (*lots, (first, spill, points, more))
