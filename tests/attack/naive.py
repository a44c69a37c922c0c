"""Slow and plain reckonings of the other procedures: all that the dice can show is gone through.

They follow the wording of the rules and share nothing with the solver but the structs.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from attack.exact import _again, _faces, _lose, number
from sandtable.attack.volley import NEVER, NO_SAVE, Attack, Body, Volley, WoundKind

Left = tuple[int, ...]
Chances = dict[Left, float]


def wounds(attack: Attack, volley: Volley) -> dict[tuple[int, ...], float]:
    """The chance of each sequence of kinds of wounds that a volley gives, in the order of the attacks."""
    choices = attack.choices
    hit = _faces(_again(volley.hit, choices.reroll)) if volley.hit.rolled else [0, 0, 0, 0, 0, 1]
    roll = _faces(_again(volley.wound, choices.reroll)) if volley.wound.rolled else [0, 0, 0, 0, 0, 1]

    def rolled(now: dict[tuple[int, ...], float]) -> dict[tuple[int, ...], float]:
        out: dict[tuple[int, ...], float] = defaultdict(float)
        for found, p in now.items():
            for face, q in zip(volley.wound.faces, roll, strict=True):
                out[found + ((face.kind,) if face.kind >= 0 else ())] += p * q
        return out

    one: dict[tuple[int, ...], float] = defaultdict(float)
    for face, p in zip(volley.hit.faces, hit, strict=True):
        for extra, q in (number(face.extra, choices) if face.extra else {0: 1.0}).items():
            now = {(volley.automatic,) * face.wounds: p * q}
            for _ in range(face.hits + extra):
                now = rolled(now)
            for found, r in now.items():
                one[found] += r
    total: dict[tuple[int, ...], float] = {(): 1.0}
    for shots in volley.shots:
        for _ in range(shots.weapons):
            after: dict[tuple[int, ...], float] = defaultdict(float)
            for n, p in number(shots.each, choices).items():
                now = dict(total)
                for _ in range(n):
                    step: dict[tuple[int, ...], float] = defaultdict(float)
                    for a, q in now.items():
                        for b, r in one.items():
                            step[a + b] += q * r
                    now = step
                for found, q in now.items():
                    after[found] += p * q
            total = after
    return {found: p for found, p in total.items() if p}


def _lost(attack: Attack, left: Left, i: int, kind: WoundKind) -> Iterator[tuple[Left, float]]:
    assert kind.damage is not None
    for points, p in number(kind.damage, attack.choices).items():
        for after, q in _lose(left[i], points, attack.target.bodies[i].pain).items():
            yield (*left[:i], after, *left[i + 1 :]), p * q


# ---------------------------------------------------------------------- sorted batches


def sorted_batch(attack: Attack) -> Chances:
    bodies = attack.target.bodies
    now: dict[tuple[Left, tuple[WoundKind, ...]], float] = {(tuple(b.wounds for b in bodies), ()): 1.0}
    for volley in attack.volleys:
        after: dict[tuple[Left, tuple[WoundKind, ...]], float] = defaultdict(float)
        for (left, due), p in now.items():
            order = declared(attack, volley, left)
            known: dict[int, Chances] = {}
            for found, q in wounds(attack, volley).items():
                kinds = [volley.kinds[k] for k in found]
                saved = [k for k in kinds if k.damage is not None]
                more = tuple(k for k in kinds if k.mortal is not None)
                if len(saved) not in known:
                    known[len(saved)] = _batch(attack, left, order, saved)
                for end, r in known[len(saved)].items():
                    after[end, due + more] += p * q * r
        now = after
    out: Chances = defaultdict(float)
    for (left, due), p in now.items():
        states: Chances = {left: p}
        for kind in due:
            states = _devastated(attack, kind, states)
        for end, q in states.items():
            out[end] += q
    return dict(out)


def declared(attack: Attack, volley: Volley, left: Left) -> list[list[int]]:
    """Groups in the order in which they take the dice."""
    bodies = attack.target.bodies
    groups: list[list[int]] = []
    for i, b in enumerate(bodies):
        mine = [g for g in groups if not b.rank and not bodies[g[0]].rank and _shape(bodies[g[0]]) == _shape(b)]
        if mine:
            mine[0].append(i)
        else:
            groups.append([i])
    groups = [stand for g in groups if (stand := [i for i in g if left[i]])]
    hurt = [any(left[i] < bodies[i].full for i in g) for g in groups]
    first = [g for g, h in zip(groups, hurt, strict=True) if h and not bodies[g[0]].rank]
    second = [g for g, h in zip(groups, hurt, strict=True) if not h and not bodies[g[0]].rank]
    heroes = [g for g in groups if bodies[g[0]].rank]
    heroes.sort(key=lambda g: (bodies[g[0]].rank, left[g[0]] >= bodies[g[0]].full))
    order = [*first, *second, *heroes]
    if attack.choices.aim == "always":
        aimed = [g for g in heroes if bodies[g[0]].model in volley.aim][:1]
        order = aimed + [g for g in order if g not in aimed]
    return order


def _shape(body: Body) -> tuple[int, tuple[int, ...]]:
    return body.full, body.saves


def _batch(attack: Attack, left: Left, order: list[list[int]], saved: Sequence[WoundKind]) -> Chances:
    bodies = attack.target.bodies
    faces = _faces(bodies[0].save_reroll)
    out: Chances = defaultdict(float)
    for thrown in itertools.combinations_with_replacement(range(1, 7), len(saved)):
        # Sorted dice, and in how many orders they can have been thrown.
        p = float(math.factorial(len(thrown)))
        for face, count in Counter(thrown).items():
            p *= faces[face - 1] ** count / math.factorial(count)
        now: Chances = {left: p}
        for face in thrown:
            after: Chances = defaultdict(float)
            for state, q in now.items():
                current = next((g for g in order if any(state[i] for i in g)), None)
                if current is None:
                    after[state] += q
                    continue
                stand = [i for i in current if state[i]]
                i = next((i for i in stand if state[i] < bodies[i].full), stand[0])
                kind = saved[0]
                needed = NEVER if kind.save == NO_SAVE else bodies[i].saves[kind.save]
                if face >= needed:
                    after[state] += q
                    continue
                for end, r in _lost(attack, state, i, kind):
                    after[end] += q * r
            now = after
        for state, q in now.items():
            out[state] += q
    return out


def _devastated(attack: Attack, kind: WoundKind, states: Chances) -> Chances:
    bodies = attack.target.bodies
    assert kind.mortal is not None
    out: Chances = defaultdict(float)
    for left, p in states.items():
        for points, q in number(kind.mortal.points, attack.choices).items():
            now: dict[tuple[Left, int], float] = {(left, -1): p * q}
            for _ in range(points):
                after: dict[tuple[Left, int], float] = defaultdict(float)
                for (state, only), r in now.items():
                    stand = [i for i in range(len(bodies)) if state[i]]
                    if not stand or (only >= 0 and not state[only]):
                        after[state, only] += r
                        continue
                    i = only
                    if only < 0:
                        rank = min(bodies[i].rank for i in stand)
                        front = [i for i in stand if bodies[i].rank == rank]
                        i = next((i for i in front if state[i] < bodies[i].full), front[0])
                    for x, s in _lose(state[i], 1, bodies[i].pain_against_mortal).items():
                        after[(*state[:i], x, *state[i + 1 :]), only if kind.mortal.spill else i] += r * s
                now = after
            for (state, _), r in now.items():
                out[state] += r
    return out


# ---------------------------------------------------------------------- pooled


def pooled(attack: Attack) -> Chances:
    """All wounds are saved on the most common save; then they are put on models, hurt ones first."""
    bodies = attack.target.bodies
    now: Chances = {tuple(b.wounds for b in bodies): 1.0}
    for volley in attack.volleys:
        after: Chances = defaultdict(float)
        for found, p in wounds(attack, volley).items():
            states = {left: p * q for left, q in now.items()}
            for kind in (volley.kinds[k] for k in found):
                states = _saved_and_put(attack, kind, states)
            for left, q in states.items():
                after[left] += q
        now = after
    return dict(now)


def common(bodies: Sequence[Body], save: int) -> int:
    counts = Counter(b.saves[save] for b in bodies)
    return max(needed for needed in counts if counts[needed] == max(counts.values()))


def _saved_and_put(attack: Attack, kind: WoundKind, states: Chances) -> Chances:
    bodies = attack.target.bodies
    needed = NEVER if kind.save == NO_SAVE else common(bodies, kind.save)
    saved = sum(_faces([f for f in bodies[0].save_reroll if f < needed])[needed - 1 :]) if needed < NEVER else 0.0
    out: Chances = defaultdict(float)
    for left, p in states.items():
        out[left] += p * saved
        stand = [i for i, x in enumerate(left) if x]
        if not stand:
            out[left] += p * (1 - saved)
            continue
        i = next((i for i in stand if left[i] < bodies[i].full), stand[0])
        for end, q in _lost(attack, left, i, kind):
            out[end] += p * (1 - saved) * q
    return out


# ---------------------------------------------------------------------- spread


def spread(attack: Attack) -> Chances:
    """Hits one to each front to back, then all save, then those are removed that failed."""
    bodies = attack.target.bodies
    now: Chances = {tuple(b.wounds for b in bodies): 1.0}
    for step in sorted({v.step for v in attack.volleys}):
        hits: dict[tuple[tuple[int, int], ...], float] = {(): 1.0}
        volleys = [v for v in attack.volleys if v.step == step]
        for number_of, volley in enumerate(volleys):
            more: dict[tuple[tuple[int, int], ...], float] = defaultdict(float)
            for a, p in hits.items():
                for found, q in wounds(attack, volley).items():
                    more[a + tuple((number_of, k) for k in found)] += p * q
            hits = more
        after: Chances = defaultdict(float)
        for left, p in now.items():
            for found, q in hits.items():
                kinds = [volleys[v].kinds[k] for v, k in found]
                for end, r in _dealt_and_saved(attack, left, kinds, volleys).items():
                    after[end] += p * q * r
        now = after
    return dict(now)


def _dealt_and_saved(attack: Attack, left: Left, kinds: list[WoundKind], volleys: Sequence[Volley]) -> Chances:
    bodies = attack.target.bodies
    classes = list(dict.fromkeys((k.save, k.damage) for v in volleys for k in v.kinds))
    best: list[tuple[int, WoundKind]] = []
    struck = -1
    for order in itertools.permutations(classes):
        given: list[tuple[int, WoundKind]] = []
        load: Counter[int] = Counter()
        for kind in sorted(kinds, key=lambda k: order.index((k.save, k.damage))):
            open_to = [i for i, b in enumerate(bodies) if left[i] and (kind.save == NO_SAVE or b.saves[kind.save] != 0)]
            if open_to:
                i = min(open_to, key=lambda i: (load[i] // bodies[i].full, i))
                load[i] += 1
                given.append((i, kind))
        if len(load) > struck:
            best, struck = given, len(load)
    now: Chances = {left: 1.0}
    for i, kind in best:
        needed = NEVER if kind.save == NO_SAVE else bodies[i].saves[kind.save]
        saved = sum(_faces([f for f in bodies[i].save_reroll if f < needed])[needed - 1 :]) if needed < NEVER else 0.0
        after: Chances = defaultdict(float)
        for state, p in now.items():
            after[state] += p * saved
            assert kind.damage is not None
            for points, q in number(kind.damage, attack.choices).items():
                after[(*state[:i], max(0, state[i] - points), *state[i + 1 :])] += p * (1 - saved) * q
        now = after
    return now
