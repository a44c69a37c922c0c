"""Attacks made each in turn, as a walk along the target's wounds.

Where the order in which bodies fall is fixed, all that an attack can change is how far along this order the target has
come: the state is the number of wounds lost. One wound is then a band matrix over the states (it leads a few places
on, never back), one attack a polynomial in such matrices, and a volley applies it as often as there are attacks. Only
mortal wounds that wait need a second number, the lots that wait.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from sandtable.attack.bounds import MAX_WORK, Unsolvable, check_size
from sandtable.attack.numbers import Floats, attack_chances, hit_chances, number_chances, wound_chances
from sandtable.attack.volley import NEVER, NO_SAVE, Attack, Body, Choices, DiceSum, Volley

Ints: TypeAlias = npt.NDArray[np.int64]
F = TypeVar("F", bound=Callable[..., Any])

NONE: Final = -1
FAINT: Final = 1e-25
"""Chances below this are let go: they cost as much as others, and all together do not reach the twelfth decimal."""

# Columns of the arrays that the kernels work on.

# bodies: then the saves by class
WOUNDS, PAIN, PAIN_MORTAL, AGAIN, SAVES = range(5)
# kinds of wounds; damage and points are rows of `numbers`
SAVE, DAMAGE, POINTS, SPILL, HELD = range(5)

# What the second number counts.
LOTS, FAILED_SAVES = range(2)

_ONE_LOT: Final = np.array([0.0, 1.0])


def kernel(function: F) -> F:
    """Compile a function to machine code, kept on disk between runs. Kernels here make arrays of their own."""
    return cast(F, numba.njit(cache=True, error_model="numpy")(function))


class Packed(NamedTuple):
    """The volleys of an attack as arrays."""

    attacks: Floats
    """[volley, number]: chance of so many attacks."""
    hits: Floats
    """[volley, automatic wounds, hits]: chance that an attack gives them."""
    wounds: Floats
    """[volley, kind]: chance of each kind of wound of a wound roll, the kinds of all volleys in one row."""
    automatic: Ints
    kinds: Ints
    numbers: Floats
    """[row, result]: chances of the sums of dice."""


# ---------------------------------------------------------------------- packing


class _Numbers:
    """Collects the sums of dice of an attack, each once."""

    def __init__(self, sums: str) -> None:
        self.sums = sums
        self.rows: dict[DiceSum, int] = {}

    def row(self, number: DiceSum | None) -> int:
        return NONE if number is None else self.rows.setdefault(number, len(self.rows))

    def array(self) -> Floats:
        return padded([number_chances(n, self.sums) for n in self.rows])


def padded(rows: Sequence[Floats]) -> Floats:
    """Rows of different length as one array. It is always a new one: kernels are compiled for such alone."""
    out = np.zeros((len(rows), max(map(len, rows), default=1)))
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out


def pack_bodies(bodies: Sequence[Body]) -> Ints:
    """The bodies of a line as arrays, in the order given."""
    return np.array(
        [
            (b.wounds, b.pain, b.pain_mortal or b.pain, sum(1 << f for f in b.save_reroll) if b.save_reroll else 0)
            + b.saves
            for b in bodies
        ],
        dtype=np.int64,
    )


def pack_volleys(volleys: Sequence[Volley], choices: Choices) -> Packed:
    """The tables of some volleys as arrays."""
    numbers = _Numbers(choices.sums)
    kinds: list[tuple[int, ...]] = []
    hits = [hit_chances(v.hit, choices.reroll, choices.sums) for v in volleys]
    wounds = np.zeros((len(volleys), sum(len(v.kinds) for v in volleys)))
    automatic = []
    for i, volley in enumerate(volleys):
        automatic.append(len(kinds) + volley.automatic)
        chances = wound_chances(volley.wound, choices.reroll, len(volley.kinds))
        wounds[i, len(kinds) : len(kinds) + len(volley.kinds)] = chances[:-1]
        for kind in volley.kinds:
            mortal = kind.mortal
            waits = (NONE, 0, 0) if mortal is None else (numbers.row(mortal.points), mortal.spill, mortal.held)
            kinds.append((NONE if kind.save == NO_SAVE else kind.save, numbers.row(kind.damage), *waits))
    return Packed(
        padded([attack_chances(v.shots, choices.sums) for v in volleys]),
        _stacked(hits),
        wounds,
        np.array(automatic, dtype=np.int64),
        np.array(kinds, dtype=np.int64).reshape(-1, 5),
        numbers.array(),
    )


def _stacked(tables: Sequence[Floats]) -> Floats:
    out = np.zeros((len(tables), max(t.shape[0] for t in tables), max(t.shape[1] for t in tables)))
    for i, t in enumerate(tables):
        out[i, : t.shape[0], : t.shape[1]] = t
    return out


# ---------------------------------------------------------------------- what can be walked


def used_kinds(volley: Volley) -> list[int]:
    """The kinds of wounds that the volley can give."""
    rolled = {f.kind for f in (volley.wound.faces if volley.wound.rolled else volley.wound.faces[-1:]) if f.success}
    faces = volley.hit.faces if volley.hit.rolled else volley.hit.faces[-1:]
    if any(f.wounds for f in faces):
        rolled.add(volley.automatic)
    return sorted(rolled)


def order_of(attack: Attack) -> list[int] | None:
    """The order in which the bodies of a target fall, where it is always the same; else None.

    A body that was given an attack, or was hurt, has to take the next one. So by casualty order the order is: by rank,
    then those that have to take the next attack, then the others.
    """
    bodies, choices = attack.target.bodies, attack.choices
    if choices.aim == "always" and _can_be_aimed(attack):
        return None
    save = NONE
    if choices.allocation == "best_save" and not _alike_in_saves(bodies):
        kinds = [v.kinds[k] for v in attack.volleys for k in used_kinds(v)]
        saves = sorted({k.save for k in kinds})
        if len(saves) > 1 or any(k.mortal is not None for k in kinds):
            return None
        save = saves[0] if saves else NONE
    keys = [
        (b.rank, not (b.marked or b.wounds < b.full), b.saves[save] if save != NO_SAVE else 0) for b in bodies
    ]
    return sorted(range(len(bodies)), key=keys.__getitem__)


def _can_be_aimed(attack: Attack) -> bool:
    aims = {m for v in attack.volleys for m in v.aim}
    front = min(b.rank for b in attack.target.bodies)
    return any(b.rank > front and b.model in aims for b in attack.target.bodies)


def _alike_in_saves(bodies: Sequence[Body]) -> bool:
    return all(b.saves == bodies[0].saves for b in bodies)


def lots_wait(volleys: Sequence[Volley]) -> int | None:
    """The one kind of mortal wounds that wait, as a row of the packed kinds: NONE for no such kind, None for several."""
    found: dict[tuple[DiceSum, bool], int] = {}
    first = 0
    for volley in volleys:
        if any(k.mortal is not None for k in volley.kinds):
            for kind in used_kinds(volley):
                mortal = volley.kinds[kind].mortal
                if mortal is not None and mortal.held:
                    found.setdefault((mortal.points, mortal.spill), first + kind)
        first += len(volley.kinds)
    if len(found) > 1:
        return None
    return next(iter(found.values()), NONE)


def walk(bodies: Ints, packed: Packed, lot: int, counting: int = LOTS) -> Floats:
    """The chance of each number of wounds lost; or, with FAILED_SAVES, of each number of saves failed."""
    states = int(bodies[:, WOUNDS].sum()) + 1
    tokens = packed.hits.shape[1] + packed.hits.shape[2] - 2
    counts = lot != NONE or counting == FAILED_SAVES
    attacks = len(packed.attacks) * (packed.attacks.shape[1] - 1)
    room = 1 + (attacks * tokens if counts else 0)
    band = min(states, packed.numbers.shape[1] * 2)
    if attacks * room * states * band > MAX_WORK:
        applied = packed.hits.shape[1] * packed.hits.shape[2]
        check_size("steps", attacks * applied * room * states * band, MAX_WORK)
    if packed.kinds[:, SAVE].max(initial=NONE) >= bodies.shape[1] - SAVES:
        raise Unsolvable("a volley asks for a class of saving throw that the target has not")
    return _walk(bodies, *packed, lot, counting, room, band)


# ---------------------------------------------------------------------- kernels: one wound


@kernel
def _lost(body: Ints, save: int, damage: Floats, out: Floats) -> float:
    """Fill in the chance of each number of wounds lost to damage that is not saved; the chance of the save."""
    chance = 0.0
    if save != NONE and body[SAVES + save] < NEVER:
        needed = max(1, body[SAVES + save])
        chance = (NEVER - needed) / 6
        again = 0
        for face in range(1, needed):
            again += (body[AGAIN] >> face) & 1
        chance += chance * again / 6
    _kept(damage, min(1.0, max(0, NEVER - body[PAIN]) / 6), out)
    return chance


@kernel
def _kept(damage: Floats, kept: float, out: Floats) -> None:
    """Of so many points of damage, how many are lost when each may be kept."""
    out[:] = 0.0
    if kept == 0.0:
        out[: len(damage)] = damage
        return
    row = np.zeros(len(damage))
    row[0] = 1.0
    for points in range(len(damage)):
        if points:
            for lost in range(points, 0, -1):
                row[lost] = row[lost] * kept + row[lost - 1] * (1 - kept)
            row[0] *= kept
        for lost in range(points + 1):
            out[lost] += damage[points] * row[lost]


@kernel
def _mortal_row(bodies: Ints, body_of: Ints, end_of: Ints, start: int, points: Floats, spill: bool, out: Floats) -> int:
    """The chance of each state after mortal wounds that begin at a state; returns how many places from it count."""
    last = len(body_of) - 1
    out[:] = 0.0
    now = np.zeros(len(points))
    now[0] = 1.0
    stop = last if spill or start == last else end_of[start]
    wide = min(len(points) - 1, stop - start)
    out[0] = points[0]
    for count in range(1, len(points)):
        for j in range(min(count, wide), -1, -1):
            here = 0.0
            if start + j == stop:
                here = now[j]
            else:
                here = now[j] * min(1.0, max(0, NEVER - bodies[body_of[start + j], PAIN_MORTAL]) / 6)
            if j:
                here += now[j - 1] * (1 - min(1.0, max(0, NEVER - bodies[body_of[start + j - 1], PAIN_MORTAL]) / 6))
            now[j] = here
        for j in range(min(count, wide) + 1):
            out[j] += points[count] * now[j]
    return wide + 1


@kernel
def _add_kind(
    bodies: Ints,
    body_of: Ints,
    end_of: Ints,
    kind: Ints,
    numbers: Floats,
    chance: float,
    counting: int,
    stay: Floats,
    shift: Floats,
) -> None:
    """Add what a kind of wound does, state by state: to `stay`, or to `shift` where the second number goes up."""
    last = len(body_of) - 1
    band = stay.shape[1]
    lost = np.zeros(numbers.shape[1])
    row = np.zeros(band)
    failed = np.zeros(band)
    before = NONE
    saved = 0.0
    for s in range(last):
        body, end = body_of[s], end_of[s]
        row[:] = 0.0
        failed[:] = 0.0
        if kind[DAMAGE] == NONE:
            row[0] = 1.0
        else:
            if body != before:
                saved = _lost(bodies[body], kind[SAVE], numbers[kind[DAMAGE]], lost)
                before = body
            into = failed if counting == FAILED_SAVES else row
            row[0] += saved
            for points in range(len(lost)):
                into[min(points, end - s)] += (1 - saved) * lost[points]
        if kind[POINTS] != NONE and not kind[HELD]:
            _then_mortal(bodies, body_of, end_of, s, numbers[kind[POINTS]], kind[SPILL] != 0, row)
            _then_mortal(bodies, body_of, end_of, s, numbers[kind[POINTS]], kind[SPILL] != 0, failed)
        up = shift if counting == LOTS and kind[POINTS] != NONE and kind[HELD] else stay
        for j in range(min(band, last - s + 1)):
            up[s, j] += chance * row[j]
            shift[s, j] += chance * failed[j]
    stay[last, 0] += chance


@kernel
def _then_mortal(
    bodies: Ints, body_of: Ints, end_of: Ints, start: int, points: Floats, spill: bool, row: Floats
) -> None:
    """Let mortal wounds follow at once on what a row says."""
    out = np.zeros(len(row))
    then = np.zeros(len(points))
    for j in range(len(row)):
        if row[j] > 0.0:
            wide = _mortal_row(bodies, body_of, end_of, start + j, points, spill, then)
            for i in range(wide):
                out[j + i] += row[j] * then[i]
    row[:] = out


# ---------------------------------------------------------------------- kernels: one attack


@kernel
def _apply(now: Floats, levels: int, stay: Floats, shift: Floats, counts: bool, out: Floats) -> int:
    """One wound for every state and level; returns the levels in use afterwards."""
    states = now.shape[1]
    band = stay.shape[1]
    after = levels + 1 if counts else levels
    out[:after] = 0.0
    for c in range(levels):
        for s in range(states):
            p = now[c, s]
            if p < FAINT:
                continue
            for j in range(min(band, states - s)):
                out[c, s + j] += p * stay[s, j]
            if counts and s < states - 1:
                for j in range(min(band, states - s)):
                    out[c + 1, s + j] += p * shift[s, j]
    if counts and after > 1:
        top = 0.0
        for s in range(states):
            top += out[after - 1, s]
        if top == 0.0:
            after -= 1
    return after


@kernel
def _add(out: Floats, chance: float, now: Floats, levels: int) -> None:
    for c in range(levels):
        for s in range(now.shape[1]):
            out[c, s] += chance * now[c, s]


@kernel
def _folded(hits: Floats, stay: Floats, shift: Floats) -> None:
    """Put hit roll and wound roll of attacks that give one hit at most into one matrix."""
    stay *= hits[0, 1]
    shift *= hits[0, 1]
    for s in range(len(stay)):
        stay[s, 0] += hits[0, 0]


@kernel
def _one_attack(
    hits: Floats,
    now: Floats,
    levels: int,
    by_roll: tuple[Floats, Floats, bool],
    unrolled: tuple[Floats, Floats, bool],
    spare: tuple[Floats, Floats, Floats, Floats],
) -> int:
    """One attack with all that its hit roll can give; the result is written back into `now`."""
    total, first, second, third = spare
    total[: levels + hits.shape[0] + hits.shape[1]] = 0.0
    most = levels
    first[:levels] = now[:levels]
    at_wounds = levels
    for wounds in range(hits.shape[0]):
        second[:at_wounds] = first[:at_wounds]
        at = at_wounds
        last = NONE
        for h in range(hits.shape[1]):
            if hits[wounds, h] > 0.0:
                last = h
        for h in range(last + 1):
            if hits[wounds, h] > 0.0:
                _add(total, hits[wounds, h], second, at)
                most = max(most, at)
            if h < last:
                at = _apply(second, at, by_roll[0], by_roll[1], by_roll[2], third)
                second[:at] = third[:at]
        if wounds + 1 < hits.shape[0]:
            at_wounds = _apply(first, at_wounds, unrolled[0], unrolled[1], unrolled[2], third)
            first[:at_wounds] = third[:at_wounds]
    now[:most] = total[:most]
    return most


# ---------------------------------------------------------------------- kernels: all volleys


@kernel
def _rooms(bodies: Ints) -> tuple[Ints, Ints]:
    """For each state the body whose turn it is, and the state in which that body is gone."""
    states = bodies[:, WOUNDS].sum() + 1
    body_of = np.empty(states, dtype=np.int64)
    end_of = np.empty(states, dtype=np.int64)
    s = 0
    for i in range(len(bodies)):
        end = s + bodies[i, WOUNDS]
        body_of[s:end] = i
        end_of[s:end] = end
        s = end
    body_of[s] = len(bodies)
    end_of[s] = s
    return body_of, end_of


@kernel
def _walk(
    bodies: Ints,
    attacks: Floats,
    hits: Floats,
    wounds: Floats,
    automatic: Ints,
    kinds: Ints,
    numbers: Floats,
    lot: int,
    counting: int,
    room: int,
    band: int,
) -> Floats:
    body_of, end_of = _rooms(bodies)
    states = len(body_of)
    size = room + hits.shape[1] + hits.shape[2] + 1
    now = np.zeros((size, states))
    out = np.zeros((size, states))
    spare = (
        np.empty((size, states)),
        np.empty((size, states)),
        np.empty((size, states)),
        np.empty((size, states)),
    )
    now[0, 0] = 1.0
    levels = 1
    for v in range(len(attacks)):
        stay = np.zeros((states, band))
        shift = np.zeros((states, band))
        none = 1.0
        counts = False
        for k in range(len(kinds)):
            if wounds[v, k] > 0.0:
                none -= wounds[v, k]
                _add_kind(bodies, body_of, end_of, kinds[k], numbers, wounds[v, k], counting, stay, shift)
                counts |= _is_counted(kinds[k], counting)
        none = max(0.0, none)
        for s in range(states):
            stay[s, 0] += none
        fold = hits.shape[1] == 1 and hits.shape[2] == 2
        auto_stay = np.zeros((1, 1))
        auto_shift = auto_stay
        auto_counts = False
        if hits.shape[1] > 1:
            auto_stay, auto_shift = np.zeros((states, band)), np.zeros((states, band))
            _add_kind(bodies, body_of, end_of, kinds[automatic[v]], numbers, 1.0, counting, auto_stay, auto_shift)
            auto_counts = _is_counted(kinds[automatic[v]], counting)
        if fold:
            _folded(hits[v], stay, shift)
        left = attacks[v].sum()
        out[:levels] = 0.0
        at = levels
        for number in range(attacks.shape[1]):
            if attacks[v, number] > 0.0:
                if at > levels:
                    out[levels:at] = 0.0
                    levels = at
                _add(out, attacks[v, number], now, at)
            left -= attacks[v, number]
            if number + 1 == attacks.shape[1] or left < FAINT:
                break
            if fold:
                at = _apply(now, at, stay, shift, counts, spare[0])
                now[:at] = spare[0][:at]
            else:
                at = _one_attack(
                    hits[v], now, at, (stay, shift, counts), (auto_stay, auto_shift, auto_counts), spare
                )
        now[:levels] = out[:levels]
    if counting == FAILED_SAVES:
        counted = np.zeros(levels)
        for c in range(levels):
            counted[c] = now[c].sum()
        return counted
    if lot == NONE:
        return now[0].copy()
    return _suffer(bodies, body_of, end_of, numbers[kinds[lot, POINTS]], kinds[lot, SPILL] != 0, now, levels)


@kernel
def _is_counted(kind: Ints, counting: int) -> bool:
    """Whether a kind of wound can move the second number up."""
    if counting == FAILED_SAVES:
        return kind[DAMAGE] != NONE
    return kind[POINTS] != NONE and kind[HELD] != 0


@kernel
def _suffer(
    bodies: Ints, body_of: Ints, end_of: Ints, points: Floats, spill: bool, now: Floats, levels: int
) -> Floats:
    """Inflict the lots of mortal wounds that waited, most of them first: each level joins the one below."""
    states = len(body_of)
    rows = np.zeros((states, len(points)))
    wide = np.zeros(states, dtype=np.int64)
    for s in range(states):
        wide[s] = _mortal_row(bodies, body_of, end_of, s, points, spill, rows[s])
    out = now[levels - 1].copy()
    for c in range(levels - 2, -1, -1):
        after = now[c].copy()
        for s in range(states):
            if out[s] > 0.0:
                for j in range(wide[s]):
                    after[s + j] += out[s] * rows[s, j]
        out = after
    return out
