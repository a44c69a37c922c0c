"""Advice: which weapons at which target, and in which order, for a stated aim.

Everything here works on volleys and targets alone, so that computer players, standing orders and the odds can all ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from math import prod
from typing import Final, TypeAlias

import msgspec

from sandtable.attack.bounds import Unsolvable, check_size
from sandtable.attack.solver import Solution, solve
from sandtable.attack.volley import Aim, Attack, Choices, DiceSum, Procedure, Shots, Target, Volley

Counts: TypeAlias = tuple[int, ...]

MAX_WAYS: Final = 400
"""Ways of dealing weapons to one target up to which the best split is proven; beyond, it is searched for."""
MAX_TARGETS: Final = 8
MAX_LOTS: Final = 12
MAX_ORDERED: Final = 5
"""Volleys up to which all orders are tried."""
CLOSE: Final = 1e-12
"""What is better by less than this is no better."""
ONE: Final = DiceSum(plus=1)
MATTERS: Final = 1e-9
"""By less than this one order does not differ from another."""


class Lot(msgspec.Struct, frozen=True):
    """Equal weapons that can be dealt out one by one."""

    name: str
    count: int
    at: tuple[Volley | None, ...]
    """For each target the attacks of one weapon; None where it cannot be used."""


class Goal(msgspec.Struct, frozen=True):
    """A target that weapons may be dealt to."""

    target: Target
    procedure: Procedure = Procedure.EACH_IN_TURN
    choices: Choices = Choices()
    weight: float = 1.0
    """How much the aim counts here, next to the other targets."""


class Split(msgspec.Struct, frozen=True):
    """Who fires at whom, and what that comes to."""

    counts: tuple[Counts, ...]
    """For each lot how many weapons go at each target."""
    worth: float
    by_target: tuple[float, ...]
    proven: bool
    """No other split does more; else it is the best that a search found."""


def worth_of(solution: Solution, aim: Aim) -> float:
    """How much of an aim a solved attack reaches on average."""
    match aim:
        case "destroy":
            return solution.destroyed
        case "kills":
            return solution.mean_killed
        case "damage":
            return solution.mean_damage
        case "points":
            return solution.value


def together(lots: Sequence[Lot], counts: Counts, goal: Goal, at: int) -> Attack:
    """So many weapons of each lot at one target."""
    volleys = []
    for lot, count in zip(lots, counts, strict=True):
        volley = lot.at[at]
        if count and volley is not None:
            shots = tuple(Shots(s.weapons * count, s.each) for s in volley.shots)
            volleys.append(msgspec.structs.replace(volley, shots=shots))
    return Attack(tuple(volleys), goal.target, goal.procedure, goal.choices)


# --- The best split ---------------------------------------------------------------------------------------------------


def best_split(lots: Sequence[Lot], goals: Sequence[Goal], aim: Aim = "destroy") -> Split:
    """The split of weapons over targets that reaches most of an aim on average."""
    check_size("targets", len(goals), MAX_TARGETS)
    check_size("kinds of weapons", len(lots), MAX_LOTS)
    if not goals or not lots:
        raise Unsolvable("a split needs weapons and targets")
    values = _Values(lots, goals, aim)
    if prod(lot.count + 1 for lot in lots) <= MAX_WAYS:
        return _proven(lots, goals, values)
    return _searched(lots, goals, values)


class _Values:
    """What so many weapons of each lot do to a target, reckoned once."""

    def __init__(self, lots: Sequence[Lot], goals: Sequence[Goal], aim: Aim) -> None:
        self.lots, self.goals, self.aim = lots, goals, aim
        self.known: dict[tuple[int, Counts], float] = {}

    def __call__(self, at: int, counts: Counts) -> float:
        key = at, counts
        if key not in self.known:
            self.known[key] = self._reckoned(at, counts)
        return self.known[key]

    def _reckoned(self, at: int, counts: Counts) -> float:
        if any(n and lot.at[at] is None for lot, n in zip(self.lots, counts, strict=True)):
            return float("-inf")
        if not any(counts):
            return 0.0
        goal = self.goals[at]
        return goal.weight * worth_of(solve(together(self.lots, counts, goal, at)), self.aim)


def _proven(lots: Sequence[Lot], goals: Sequence[Goal], values: Callable[[int, Counts], float]) -> Split:
    """From the last target to the first: for all weapons that can still be there, the best share for this target."""
    ways = list(product(*(range(lot.count + 1) for lot in lots)))
    best: dict[Counts, tuple[float, tuple[Counts, ...]]] = dict.fromkeys(ways, (0.0, ()))
    for at in range(len(goals) - 1, -1, -1):
        now: dict[Counts, tuple[float, tuple[Counts, ...]]] = {}
        for there in ways:
            top: tuple[float, tuple[Counts, ...]] = (float("-inf"), ())
            for given in product(*(range(n + 1) for n in there)):
                rest = tuple(n - m for n, m in zip(there, given, strict=True))
                value = values(at, given) + best[rest][0]
                # Of equal splits, most goes to the targets that were named first.
                more = value > top[0] + CLOSE
                if more or (top[1] and value >= top[0] - CLOSE and sum(given) > sum(top[1][0])):
                    top = (value, (given, *best[rest][1]))
            now[there] = top
        best = now
    value, shares = best[tuple(lot.count for lot in lots)]
    return _split(lots, shares, value, values, proven=True)


def _searched(lots: Sequence[Lot], goals: Sequence[Goal], values: Callable[[int, Counts], float]) -> Split:
    """Weapons are dealt out one by one where they do most, then moved as long as that helps."""
    shares = [[0] * len(lots) for _ in goals]
    for k, lot in enumerate(lots):
        for _ in range(lot.count):
            gains = [(_gain(values, shares, at, k), -at) for at in range(len(goals)) if lot.at[at] is not None]
            if gains:
                shares[-max(gains)[1]][k] += 1
    better = True
    while better:
        better = False
        for k, lot in enumerate(lots):
            for one, other in _moves(shares, lot, k):
                before = values(one, tuple(shares[one])) + values(other, tuple(shares[other]))
                shares[one][k] -= 1
                shares[other][k] += 1
                if values(one, tuple(shares[one])) + values(other, tuple(shares[other])) > before + CLOSE:
                    better = True
                else:
                    shares[one][k] += 1
                    shares[other][k] -= 1
    found = tuple(tuple(share) for share in shares)
    return _split(lots, found, sum(values(at, share) for at, share in enumerate(found)), values, proven=False)


def _moves(shares: Sequence[Sequence[int]], lot: Lot, k: int) -> Iterator[tuple[int, int]]:
    for one in range(len(shares)):
        for other in range(len(shares)):
            if one != other and shares[one][k] and lot.at[other] is not None:
                yield one, other


def _gain(values: Callable[[int, Counts], float], shares: Sequence[Sequence[int]], at: int, k: int) -> float:
    more = [n + (i == k) for i, n in enumerate(shares[at])]
    return values(at, tuple(more)) - values(at, tuple(shares[at]))


def _split(
    lots: Sequence[Lot],
    shares: Sequence[Counts],
    value: float,
    values: Callable[[int, Counts], float],
    *,
    proven: bool,
) -> Split:
    counts = tuple(tuple(share[k] for share in shares) for k in range(len(lots)))
    return Split(counts, value, tuple(values(at, share) for at, share in enumerate(shares)), proven)


# --- The best order ---------------------------------------------------------------------------------------------------


class Ordered(msgspec.Struct, frozen=True):
    """An attack with its volleys in the best order, and what the best and the worst order found come to."""

    attack: Attack
    worth: float
    worst: float
    proven: bool
    places: tuple[int, ...]
    """For each volley where it stood before."""
    plain: float
    """What the order as it was comes to."""

    @property
    def matters(self) -> bool:
        """Whether any order does more than another."""
        return self.worth - self.worst > MATTERS


def best_order(attack: Attack, aim: Aim = "destroy", most: int = MAX_ORDERED) -> Ordered:
    """The order of volleys that reaches most of an aim: big shots before small ones, or the other way round.

    Up to `most` volleys all orders are tried; of more, neighbours are swapped as long as that helps. Of orders that
    are equally good the first in the order given is taken.
    """
    number = len(attack.volleys)
    order = tuple(range(number))
    plain = value = worst = _in_order(attack, order, aim)
    if not order_counts(attack):
        return Ordered(attack, plain, plain, True, order, plain)
    if number <= most:
        for other in list(permutations(range(number)))[1:]:
            found = _in_order(attack, other, aim)
            worst = min(worst, found)
            if found > value + CLOSE:
                order, value = other, found
        return Ordered(_ordered(attack, order), value, worst, True, order, plain)
    better = True
    while better:
        better = False
        for i in range(number - 1):
            swapped = (*order[:i], order[i + 1], order[i], *order[i + 2 :])
            found = _in_order(attack, swapped, aim)
            worst = min(worst, found)
            if found > value + CLOSE:
                order, value, better = swapped, found, True
    return Ordered(_ordered(attack, order), value, worst, False, order, plain)


def order_counts(attack: Attack) -> bool:
    """Whether it can make a difference which volley comes first.

    It makes none where every body is like the others, and each wound that gets through takes off exactly one.
    """
    bodies = attack.target.bodies
    like = {(b.saves, b.save_reroll, b.pain, b.pain_mortal, b.rank) for b in bodies}
    if len(attack.volleys) < 2 or len(like) > 1:
        return len(attack.volleys) > 1
    kinds = [kind for volley in attack.volleys for kind in volley.kinds]
    return any(b.full > 1 for b in bodies) and any(k.damage != ONE or k.mortal is not None for k in kinds)


def _ordered(attack: Attack, order: Sequence[int]) -> Attack:
    return msgspec.structs.replace(attack, volleys=tuple(attack.volleys[i] for i in order))


def _in_order(attack: Attack, order: Sequence[int], aim: Aim) -> float:
    return worth_of(solve(_ordered(attack, order)), aim)
