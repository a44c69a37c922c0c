"""How fast exact odds are: units of the packs' army lists, with all their weapons, against each other.

The pairs are drawn by a seed and compiled by the rules system itself, from the functions of its battles. In the same
run the same attacks are rolled 10,000 times by the Monte Carlo kernel, and some of them are reckoned by a plain
formulation in icepool, a library for dice; both are told as ratios to the solver's time.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import icepool

from sandtable import systems
from sandtable.armies.lists import ready_lists
from sandtable.attack import montecarlo
from sandtable.attack.funnel import funnel
from sandtable.attack.solver import solve
from sandtable.attack.tables import faces_rerolled, sum_rerolled
from sandtable.attack.volley import NEVER, NO_SAVE, Attack, DiceSum, HitRoll, Volley, WoundKind, WoundRoll
from sandtable.attack.walk import order_of
from sandtable.attack.warm import warm_up
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Situation
from sandtable.odds.setting import Setting
from sandtable.odds.units import forces_of_list

SYSTEM = "w40k10"
LIMITS = (1000, 2000)
PAIRS = 1000
ROLLS = 10_000
RATIOS, BY_ICEPOOL = 200, 100
CLOSE = 1e-9

SHOOTING = ("half-range", "cover", "stationary")
MELEE = ("charged",)


# ---------------------------------------------------------------------- pairs from the packs


def forces() -> list[Force]:
    """Every unit of every ready army list, with the characters that lead it."""
    setting = Setting(SYSTEM)
    names = [name for limit in LIMITS for name, _ in ready_lists(SYSTEM, limit)]
    return [force for name in names for force in forces_of_list(name, setting)]


def draw(seed: int = 7, size: int = PAIRS) -> list[Attack]:
    """A unit with all the weapons that it may use at another, again and again."""
    rng = random.Random(seed)
    known = forces()
    compile_ = systems.matchups(SYSTEM).compile
    found: list[Attack] = []
    while len(found) < size:
        first, second = rng.sample(known, 2)
        melee = rng.random() < 0.4
        names = MELEE if melee else SHOOTING
        how = Situation(melee=melee, modifiers=tuple(rng.sample(names, rng.randint(0, len(names)))))
        try:
            strikes, _ = compile_(first, second, how, None, {})
        except UserError:
            # A unit without such weapons, or one that cannot reach the other.
            continue
        if strikes is not None and strikes.attack.volleys:
            found.append(strikes.attack)
    return found


# ---------------------------------------------------------------------- a plain formulation in icepool

Die = Any
State = tuple[int, tuple[int, ...]]
"""Wounds lost along the order in which models fall, and for each volley the lots of mortal wounds that wait."""


class ByIcepool:
    """Attack by attack, from state to state, as one would write it down with a library for dice."""

    def __init__(self, attack: Attack) -> None:
        order = order_of(attack)
        assert order is not None
        self.attack = attack
        self.line = [attack.target.bodies[i] for i in order]
        self.total = sum(b.wounds for b in self.line)
        self.body_at = [i for i, b in enumerate(self.line) for _ in range(b.wounds)]
        self.ends = [sum(b.wounds for b in self.line[: i + 1]) for i in range(len(self.line))]

    def damage(self) -> Die:
        """The wounds that are lost."""
        states: Die = icepool.Die([(0, (0,) * len(self.attack.volleys))])
        for place, volley in enumerate(self.attack.volleys):
            states = self.volley(volley, place, states)
        return states.map(self.suffer, star=False)

    def volley(self, volley: Volley, place: int, states: Die) -> Die:
        hit, wound = self.face(volley.hit), self.face(volley.wound)

        @lru_cache(None)
        def one_attack(state: State) -> Die:
            return hit.map(lambda face: one_hit_roll(state, face))

        def one_hit_roll(state: State, number: int) -> Die:
            face = volley.hit.face(number)
            now: Die = icepool.Die([state])
            for _ in range(face.wounds):
                now = now.map(lambda s: self.wound(s, volley.kinds[volley.automatic], place), star=False)
            if face.extra is None:
                return now.map(one_wound_roll, repeat=face.hits, star=False)
            more = self.number(face.extra) + face.hits
            return more.map(lambda hits: now.map(one_wound_roll, repeat=hits, star=False))

        @lru_cache(None)
        def one_wound_roll(state: State) -> Die:
            return wound.map(lambda number: one_face(state, volley.wound.face(number).kind))

        def one_face(state: State, kind: int) -> Die:
            return state if kind < 0 else self.wound(state, volley.kinds[kind], place)

        attacks: Die = icepool.Die([0])
        for shots in volley.shots:
            attacks = attacks + shots.weapons @ self.number(shots.each)
        after = [states]
        while len(after) <= max(attacks.outcomes()):
            after.append(after[-1].map(one_attack, star=False))
        return attacks.map(lambda n: after[n])

    def face(self, roll: HitRoll | WoundRoll) -> Die:
        if not roll.rolled:
            return icepool.Die([6])
        again = faces_rerolled(roll, self.attack.choices.reroll)
        return icepool.d6.reroll(again, depth=1) if again else icepool.d6

    def number(self, number: DiceSum) -> Die:
        total: Die = icepool.Die([0])
        for sides in number.dice:
            total = total + icepool.d(sides)
        again = [t for t in total.outcomes() if sum_rerolled(number, t, self.attack.choices)]
        if again:
            total = total.reroll(again, depth=1)
        return total.map(lambda t: max(number.least, number.plus + t, 0))

    def wound(self, state: State, kind: WoundKind, place: int) -> Die:
        lost, due = state
        if lost == self.total:
            return state
        if kind.mortal is not None:
            due = (*due[:place], due[place] + 1, *due[place + 1 :])
        if kind.damage is None:
            return icepool.Die([(lost, due)])
        body = self.line[self.body_at[lost]]
        needed = NEVER if kind.save == NO_SAVE else body.saves[kind.save]
        again = [f for f in body.save_reroll if f < needed]
        save = icepool.d6.reroll(again, depth=1) if again else icepool.d6
        end = self.ends[self.body_at[lost]]
        points = self.number(kind.damage).map(lambda n: self.kept(n, body.pain))
        hurt = points.map(lambda n: icepool.Die([(min(end, lost + n), due)]))
        return save.map(lambda f: icepool.Die([(lost, due)]) if f >= needed else hurt)

    def kept(self, points: int, pain: int) -> Die:
        """Of so many points of damage those that are not kept out."""
        return icepool.Die([points]) if pain >= NEVER else points @ icepool.coin(pain - 1, 6)

    def suffer(self, state: State) -> Die:
        """The mortal wounds that waited, point by point."""
        lost, due = state
        now: Die = icepool.Die([lost])
        for place, lots in enumerate(due):
            mortal = next((k.mortal for k in self.attack.volleys[place].kinds if k.mortal is not None), None)
            for _ in range(lots):
                assert mortal is not None
                assert mortal.spill
                now = self.one_lot(now, self.number(mortal.points))
        return now

    def one_lot(self, before: Die, points: Die) -> Die:
        return points.map(lambda n: before.map(self.point, repeat=n))

    def point(self, lost: int) -> Die:
        if lost == self.total:
            return lost
        pain = self.line[self.body_at[lost]].pain_against_mortal
        return self.kept(1, pain) + lost


# ---------------------------------------------------------------------- measuring


def timed(function: Callable[..., Any], *arguments: Any) -> float:
    """Milliseconds of processor time, so that other work on the machine does not count."""
    start = time.process_time()
    function(*arguments)
    return (time.process_time() - start) * 1000


def exact(attack: Attack) -> None:
    """The answer, with its histograms."""
    found = solve(attack)
    _ = found.damage, found.killed, found.destroyed


def compared(attack: Attack) -> float:
    """How many times as long icepool takes; it has to come to the same chances."""
    start = time.process_time()
    theirs = ByIcepool(attack).damage()
    taken = (time.process_time() - start) * 1000
    ours = solve(attack).damage
    if any(abs(float(theirs.probability(n)) - p) > CLOSE for n, p in enumerate(ours)):
        raise ValueError(f"icepool and the solver differ on {attack}")
    return taken / min(timed(exact, attack) for _ in range(3))


def fit_for_icepool(attack: Attack) -> bool:
    """Those that the plain formulation covers: models fall in a fixed order, so nobody is aimed at."""
    plain = all(k.mortal is None or (k.mortal.spill and k.mortal.held) for v in attack.volleys for k in v.kinds)
    return plain and order_of(attack) is not None


def measure() -> dict[str, dict[str, Any]]:
    """Milliseconds for 1,000 pairs: the best of three runs each, and the first one, without kept tables."""
    warm_up()
    attacks = draw()
    first = sorted(timed(exact, a) for a in attacks)
    best = sorted(min(timed(exact, a) for _ in range(3)) for a in attacks)
    some = attacks[:RATIOS]
    ratios = [timed(montecarlo.roll, a, ROLLS) / min(timed(exact, a) for _ in range(2)) for a in some]
    icepools = [compared(a) for a in [a for a in attacks if fit_for_icepool(a)][:BY_ICEPOOL]]
    funnels = [min(timed(funnel, a) for _ in range(2)) for a in some]

    def figure(value: float, what: str, limit: float | None = None) -> dict[str, Any]:
        return {"value": float(f"{value:.4g}"), "limit": limit, "what": what}

    pair = "ms for a unit with all its weapons against a unit"
    hundredth = PAIRS * 99 // 100
    times = "times as long as the exact answer"
    return {
        "exact, median": figure(statistics.median(best), pair, 0.3),
        "exact, 99th percentile": figure(best[hundredth], pair, 5.0),
        "exact, longest": figure(best[-1], pair),
        "exact, median of first runs": figure(statistics.median(first), pair),
        "exact, 99th percentile of first runs": figure(first[hundredth], pair),
        "funnel, median": figure(statistics.median(funnels), pair, 3.0),
        f"{ROLLS} rolls against exact, median": figure(statistics.median(ratios), times),
        f"{ROLLS} rolls against exact, least": figure(min(ratios), times),
        "icepool against exact, median": figure(statistics.median(icepools), times),
        "icepool against exact, least": figure(min(icepools), times),
    }


if __name__ == "__main__":
    for what, figures in measure().items():
        print(f"{what:45} {figures}")
