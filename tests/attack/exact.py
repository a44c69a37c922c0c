"""A slow and plain reckoning of an attack, attack by attack, to hold the kernel and the flow against.

It follows the wording of the rules and shares nothing with them but the structs.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import (
    NEVER,
    NO_SAVE,
    Attack,
    Body,
    Choices,
    DiceSum,
    Mortal,
    Shots,
    Target,
    Volley,
    WoundKind,
    dice,
)

# (wounds left of each body, marks of each body, mortal wounds that wait as (points, first body, spill))
State = tuple[tuple[int, ...], tuple[bool, ...], tuple[tuple[int, int, bool], ...]]
Chances = dict[State, float]


def outcomes(attack: Attack) -> dict[tuple[int, int], float]:
    """The chance of each (wounds lost, models killed)."""
    bodies = attack.target.bodies
    start: State = (tuple(b.wounds for b in bodies), tuple(b.marked for b in bodies), ())
    now: Chances = {start: 1.0}
    for volley in attack.volleys:
        for shots in volley.shots:
            for _ in range(shots.weapons):
                now = _weapon(attack, volley, shots.each, now)
    found: dict[tuple[int, int], float] = defaultdict(float)
    for state, p in now.items():
        after: Chances = {state: p}
        for due in state[2]:
            after = _then(after, lambda s, due=due: _mortal(attack, s, *due))  # type: ignore[misc]
        for (left, _, _), q in after.items():
            lost = sum(b.wounds - x for b, x in zip(bodies, left, strict=True))
            found[lost, sum(x == 0 for x in left)] += q
    return dict(found)


def _then(now: Chances, step: object) -> Chances:
    out: Chances = defaultdict(float)
    for state, p in now.items():
        for after, q in step(state):  # type: ignore[operator]
            out[after] += p * q
    return out


def _weapon(attack: Attack, volley: Volley, each: DiceSum, now: Chances) -> Chances:
    out: Chances = defaultdict(float)
    counts = number(each, attack.choices)
    made = 0
    for n in sorted(counts):
        while made < n:
            now = _then(now, lambda s: _attack(attack, volley, s))
            made += 1
        for state, p in now.items():
            out[state] += p * counts[n]
    return out


def number(value: DiceSum, choices: Choices) -> dict[int, float]:
    """The chance of each result of a sum of dice."""
    out: dict[int, float] = defaultdict(float)
    for rolled in itertools.product(*(range(1, sides + 1) for sides in value.dice)):
        p = 1 / math.prod(value.dice)
        total = sum(rolled)
        if choices.sums != "none" and total in value.reroll and total < sum((s + 1) / 2 for s in value.dice):
            for second in itertools.product(*(range(1, sides + 1) for sides in value.dice)):
                out[_settled(value, sum(second))] += p / math.prod(value.dice)
        else:
            out[_settled(value, total)] += p
    return dict(out)


def _settled(value: DiceSum, total: int) -> int:
    return max(value.least, math.ceil((value.plus + total) / value.divide))


def _faces(again: Sequence[int]) -> list[float]:
    return [(0 if f in again else 1 / 6) + len(again) / 36 for f in range(1, 7)]


def _again(roll: object, policy: str) -> list[int]:
    faces, allowed = roll.faces, roll.reroll  # type: ignore[attr-defined]
    if policy == "failures":
        return [f for f in allowed if not faces[f - 1].success]
    return [f for f in allowed if not faces[f - 1].critical] if policy == "criticals" else []


def _attack(attack: Attack, volley: Volley, state: State) -> Iterator[tuple[State, float]]:
    chances = _faces(_again(volley.hit, attack.choices.reroll)) if volley.hit.rolled else [0, 0, 0, 0, 0, 1]
    for face, p in zip(volley.hit.faces, chances, strict=True):
        if not p:
            continue
        extras = number(face.extra, attack.choices) if face.extra else {0: 1.0}
        for extra, q in extras.items():
            now: Chances = {state: p * q}
            for _ in range(face.wounds):
                now = _then(now, lambda s: _wound(attack, volley, volley.kinds[volley.automatic], s))
            for _ in range(face.hits + extra):
                now = _then(now, lambda s: _hit(attack, volley, s))
            yield from now.items()


def _hit(attack: Attack, volley: Volley, state: State) -> Iterator[tuple[State, float]]:
    chances = _faces(_again(volley.wound, attack.choices.reroll)) if volley.wound.rolled else [0, 0, 0, 0, 0, 1]
    for face, p in zip(volley.wound.faces, chances, strict=True):
        if face.kind < 0:
            yield state, p
        else:
            for after, q in _wound(attack, volley, volley.kinds[face.kind], state):
                yield after, p * q


def _wound(attack: Attack, volley: Volley, kind: WoundKind, state: State) -> Iterator[tuple[State, float]]:
    left = state[0]
    if not any(left):
        yield state, 1.0
        return
    aimed = _aimed(attack, volley, left)
    now: Chances = {state: 1.0}
    if kind.damage is not None:
        now = _then(now, lambda s: _normal(attack, kind, aimed, s))
    if kind.mortal is not None:
        for points, p in number(kind.mortal.points, attack.choices).items():
            for s, q in now.items():
                if kind.mortal.held:
                    yield (s[0], s[1], (*s[2], (points, aimed, kind.mortal.spill))), p * q
                else:
                    for after, r in _mortal(attack, s, points, aimed, kind.mortal.spill):
                        yield after, p * q * r
    else:
        yield from now.items()


def _aimed(attack: Attack, volley: Volley, left: Sequence[int]) -> int:
    bodies = attack.target.bodies
    if attack.choices.aim == "always":
        for i, b in enumerate(bodies):
            if (
                left[i]
                and b.model in volley.aim
                and any(x and c.rank < b.rank for x, c in zip(left, bodies, strict=True))
            ):
                return i
    return -1


def _who(attack: Attack, left: Sequence[int], marks: Sequence[bool], save: int) -> int:
    bodies = attack.target.bodies
    rank = min(b.rank for b, x in zip(bodies, left, strict=True) if x)
    open_to = [i for i, b in enumerate(bodies) if left[i] and b.rank == rank]
    forced = [i for i in open_to if left[i] < bodies[i].full or marks[i]]
    found = forced or open_to
    if attack.choices.allocation == "best_save" and save >= 0:
        return min(found, key=lambda i: bodies[i].saves[save])
    return found[0]


def _mark(attack: Attack, marks: tuple[bool, ...], body: int) -> tuple[bool, ...]:
    return tuple(m or (i == body and attack.target.keeps) for i, m in enumerate(marks))


def _normal(attack: Attack, kind: WoundKind, aimed: int, state: State) -> Iterator[tuple[State, float]]:
    left, marks, due = state
    i = aimed if aimed >= 0 else _who(attack, left, marks, kind.save)
    body = attack.target.bodies[i]
    marks = _mark(attack, marks, i)
    needed = NEVER if kind.save == NO_SAVE else body.saves[kind.save]
    again = [f for f in body.save_reroll if f < needed]
    saved = sum(_faces(again)[needed - 1 :]) if needed < NEVER else 0.0
    yield (left, marks, due), saved
    assert kind.damage is not None
    for points, p in number(kind.damage, attack.choices).items():
        for after, q in _lose(left[i], points, body.pain).items():
            yield ((*left[:i], after, *left[i + 1 :]), marks, due), (1 - saved) * p * q


def _lose(left: int, points: int, pain: int) -> dict[int, float]:
    now = {left: 1.0}
    kept = max(0, NEVER - pain) / 6
    for _ in range(points):
        after: dict[int, float] = defaultdict(float)
        for x, p in now.items():
            after[x] += p * (kept if x else 1)
            if x:
                after[x - 1] += p * (1 - kept)
        now = dict(after)
    return now


def _mortal(attack: Attack, state: State, points: int, first: int, spill: bool) -> Iterator[tuple[State, float]]:
    left, marks, due = state
    if not points or not any(left):
        yield state, 1.0
        return
    i = first if first >= 0 and left[first] else _who(attack, left, marks, -1)
    body = attack.target.bodies[i]
    marks = _mark(attack, marks, i)
    for after, p in _lose(left[i], 1, body.pain_mortal or body.pain).items():
        hurt = ((*left[:i], after, *left[i + 1 :]), marks, due)
        if not spill and after == 0:
            yield hurt, p
            continue
        for end, q in _mortal(attack, hurt, points - 1, first if spill else i, spill):
            yield end, p * q


# ---------------------------------------------------------------------- chi-square


def fits(counts: dict[tuple[int, int], int], chances: dict[tuple[int, int], float]) -> bool:
    """Whether counts agree with chances; a true one is refused once in a few hundred thousand times."""
    rolls = sum(counts.values())
    if any(n and chances.get(what, 0.0) < 1e-12 for what, n in counts.items()):
        return False
    statistic, bins = 0.0, 0
    rest_seen, rest_expected = 0.0, 0.0
    for what, p in chances.items():
        if p * rolls < 8:
            rest_seen += counts.get(what, 0)
            rest_expected += p * rolls
        else:
            statistic += (counts.get(what, 0) - p * rolls) ** 2 / (p * rolls)
            bins += 1
    if rest_expected >= 8:
        statistic += (rest_seen - rest_expected) ** 2 / rest_expected
        bins += 1
    free = bins - 1
    if free < 1:
        return True
    # Wilson and Hilferty: the cube root of chi-square is nearly normal.
    spread = math.sqrt(2 / (9 * free))
    return ((statistic / free) ** (1 / 3) - (1 - 2 / (9 * free))) / spread < 4.5


def marginal(chances: dict[tuple[int, int], float], which: int) -> dict[tuple[int, int], float]:
    """The chances of wounds lost (0) or models killed (1) alone."""
    out: dict[tuple[int, int], float] = defaultdict(float)
    for what, p in chances.items():
        out[what[which], 0] += p
    return dict(out)


# ---------------------------------------------------------------------- attacks to try


def bodies(count: int, wounds: int, *saves: int, pain: int = NEVER, first: int = 0) -> tuple[Body, ...]:
    return tuple(Body(first + i, wounds, wounds, saves, pain=pain) for i in range(count))


BOLTER = Volley("bolter", (Shots(2, dice(2)),), hit_table(3), wound_table(4), (WoundKind(),))
STORM = Volley(
    "storm",
    (Shots(3, dice(1)),),
    hit_table(3, -1, lethal=True, sustained=dice("D3"), reroll="ones"),
    wound_table(4, crit=5, crit_kind=1, reroll="failures"),
    (WoundKind(0, dice(2)), WoundKind(0, None, Mortal(dice(2)))),
)
TWIN = Volley(
    "twin",
    (Shots(4, dice(1)),),
    hit_table(3, sustained=1, reroll="all"),
    wound_table(4, crit_kind=1, reroll="all"),
    (WoundKind(0, dice(1)), WoundKind(0, None, Mortal(dice(2)))),
)
MELTA = Volley(
    "melta",
    (Shots(2, dice("D3")),),
    hit_table(4, reroll="all"),
    wound_table(3),
    (WoundKind(1, dice("D3", reroll=(1, 2, 3))),),
)
FLAMER = Volley("flamer", (Shots(1, dice("D6")),), hit_table(4, auto=True), wound_table(5), (WoundKind(),))
SNIPER = Volley(
    "sniper",
    (Shots(3, dice(1)),),
    hit_table(2),
    wound_table(3, crit_kind=1),
    (WoundKind(0, dice(1)), WoundKind(0, dice("D3"), Mortal(dice("D3"), held=False))),
)
PRECISE = Volley(
    "precise",
    (Shots(4, dice(1)),),
    hit_table(3),
    wound_table(3, crit_kind=1),
    (WoundKind(0, dice(1)), WoundKind(0, None, Mortal(dice(2)))),
    aim=(3,),
)

LED = Target((*bodies(2, 1, 4, 5), Body(2, 1, 2, (3, 4), rank=0), Body(3, 4, 4, (3, 4), pain=5, rank=1, group="hero")))

SPECS: dict[str, Attack] = {
    "plain": Attack((BOLTER,), Target(bodies(3, 2, 3))),
    "every critical": Attack((STORM,), Target(bodies(4, 2, 4, pain=5))),
    "criticals sought": Attack((TWIN,), Target(bodies(4, 2, 4)), choices=Choices(reroll="criticals")),
    "failures only": Attack((TWIN,), Target(bodies(4, 2, 4))),
    "random damage": Attack((MELTA,), Target(bodies(3, 3, 3, 6, pain=6))),
    "automatic hits": Attack((FLAMER, BOLTER), Target(bodies(4, 1, 5))),
    "mortal wounds at once": Attack((SNIPER,), Target(bodies(3, 2, 4, pain=5), keeps=False)),
    "a led unit": Attack((BOLTER, STORM), LED),
    "a leader aimed at": Attack((PRECISE, BOLTER), LED, choices=Choices(aim="always")),
    "one hurt, one marked": Attack(
        (BOLTER, MELTA),
        Target((Body(0, 3, 3, (3, 5)), Body(1, 1, 3, (3, 5)), Body(2, 3, 3, (3, 5), (1,), marked=True))),
    ),
}
