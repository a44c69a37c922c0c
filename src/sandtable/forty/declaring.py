"""Declaring shots in one answer: rows of equal guns, who of them fires, and what could be declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from sandtable.battle import ALLOWED, Assign, Assignment, Option, Row, Verdict, refuse
from sandtable.forty.aiming import Gun, aiming_of, guns_of, why_no_target, why_not_at, why_not_fired_at
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.row_names import row_names
from sandtable.forty.shot import Shot
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.grammar import agree, does

MOST_TRIES: Final = 20_000
"""Ways of dealing out sorts of weapons that are looked at; no unit has so many kinds of models that it needs more."""


# --- The question -----------------------------------------------------------------------------------------------------


def declaration(w: World40, unit: Unit, only: int = -1, *, overwatch: bool = False) -> Assign:
    """The question which weapon is fired at which unit; with `only`, at that unit alone."""
    aiming = aiming_of(w)
    groups = rows_of(guns_of(w, unit, only))
    names = row_names(w, [(group[0].item, [gun.model for gun in group]) for group in groups])
    targets = sorted({t for group in groups for ts in group[0].targets for t in ts})
    return Assign(
        player=unit.player,
        kind="shoot",
        prompt=f"What {agree(unit, 'does')} {unit.name} shoot at?",
        rows=tuple(_row(i, names[i], group, aiming.count) for i, group in enumerate(groups)),
        targets=tuple(Option(t, w.unit(t).name) for t in targets),
        rules=(aiming.rules.targets, *aiming.rules.declared),
        unit=unit.id,
        about={"only": only, "overwatch": overwatch},
    )


def rows_of(guns: Sequence[Gun]) -> list[list[Gun]]:
    """Guns of the same kind that may be fired at the same targets, together."""
    groups: dict[tuple[object, ...], list[Gun]] = {}
    for gun in guns:
        if gun.anything:
            groups.setdefault((gun.item, gun.kind, gun.targets), []).append(gun)
    return list(groups.values())


def rows_in(w: World40, d: Assign) -> list[list[Gun]]:
    """The guns behind the rows of a question."""
    return rows_of(guns_of(w, w.unit(d.unit), int(d.about["only"])))


def _row(number: int, label: str, group: Sequence[Gun], count: Callable[[Sequence[Gun]], int]) -> Row:
    first = group[0]
    targets = tuple(sorted({t for ts in first.targets for t in ts}))
    modes = tuple(p.name for p in first.profiles) if len(first.profiles) > 1 else ()
    return Row(f"{number}", label, count(group), targets, modes, tuple(dict.fromkeys(gun.model for gun in group)))


def profile_named(gun: Gun, name: str) -> int:
    """The place of a profile among those of a gun."""
    return next((i for i, p in enumerate(gun.profiles) if p.name == name), 0)


# --- The answer -------------------------------------------------------------------------------------------------------


def judge_shots(w: World40, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Whether every weapon has a target that its profile may be fired at, and all can be fired together."""
    groups = rows_in(w, d)
    for a in answer:
        gun = groups[int(a.row)][0]
        k = profile_named(gun, a.mode)
        if a.target not in gun.targets[k]:
            text = f"{gun.profiles[k].name} cannot be fired at {w.unit(int(a.target)).name}."
            return refuse(text, aiming_of(w).rules.targets)
    return aiming_of(w).together(w, w.unit(d.unit), groups, answer)


def why_target(w: World40, d: Assign, enemy: int) -> Verdict:
    """Why a unit is, or is not, among the targets."""
    return _why_only(w, d, enemy) and why_not_at(w, w.unit(d.unit), w.unit(enemy))


def why_gun(w: World40, d: Assign, wanted: Assignment) -> Verdict:
    """Why a weapon cannot be fired at a unit, whatever others can."""
    gun, unit, enemy = rows_in(w, d)[int(wanted.row)][0], w.unit(d.unit), w.unit(int(wanted.target))
    refused = _why_only(w, d, enemy.id) and why_no_target(w, unit, enemy)
    return refused and why_not_fired_at(w, unit, gun.profiles, enemy)


def _why_only(w: World40, d: Assign, enemy: int) -> Verdict:
    """Whether this is the unit that all attacks go at, if there is one."""
    only = int(d.about["only"])
    if only in (-1, enemy):
        return ALLOWED
    return refuse(f"All attacks go at {w.unit(only).name}.", aiming_of(w).rules.only)


# --- Who fires --------------------------------------------------------------------------------------------------------


def shots_of(
    w: World40, unit: Any, guns: Sequence[Gun], answer: Sequence[Assignment], *, overwatch: bool = False
) -> list[Any]:
    """Which model fires what at whom: of equal guns those that are nearest to the target."""
    aiming = aiming_of(w)
    groups = rows_of(guns)
    sorts = who_fires_which(w, groups, answer)
    spent: set[tuple[int, int]] = set()
    shots: list[Any] = []
    at = {t: aiming.shot_at(w, unit, w.unit(t), overwatch) for t in dict.fromkeys(int(a.target) for a in answer)}
    for a in answer:
        row, target = int(a.row), w.unit(int(a.target))
        group = groups[row]
        profile = group[0].profiles[profile_named(group[0], a.mode)]
        far = w.distances(unit, target).min(axis=1)
        sort = aiming.sort(profile)
        free = [
            i
            for i, g in enumerate(group)
            if (row, i) not in spent and (sorts is None or sorts.get(g.model) == sort or aiming.free_hands(w, g.model))
        ]
        for i in sorted(free, key=lambda i: (far[group[i].row], i))[: a.count]:
            spent.add((row, i))
            shots.append(aiming.fire(w, unit, group[i].row, group[i].model, profile, at[target.id]))
    return shots


def who_fires_which(w: World40, groups: Sequence[Sequence[Gun]], answer: Sequence[Assignment]) -> dict[int, str] | None:
    """The sort of weapons that each model fires so that all guns of the answer can be; None where they cannot."""
    aiming = aiming_of(w)
    needs: dict[tuple[int, str], int] = {}
    """For each row, and the sort of the profile that is meant, how many guns are fired."""
    for a in answer:
        gun = groups[int(a.row)][0]
        key = (int(a.row), aiming.sort(gun.profiles[profile_named(gun, a.mode)]))
        needs[key] = needs.get(key, 0) + a.count
    sorts = sorted({sort for _, sort in needs})
    if len(sorts) <= 1:
        return dict.fromkeys([g.model for group in groups for g in group], *sorts)
    held: dict[int, list[int]] = {}
    for row in dict.fromkeys(row for row, _ in needs):
        for g in groups[row]:
            held.setdefault(g.model, []).append(row)
    alike: dict[tuple[int, ...], list[int]] = {}
    for m, rows in sorted(held.items()):
        if aiming.free_hands(w, m):
            # Its guns are there for all.
            for key in needs:
                needs[key] -= rows.count(key[0])
        else:
            alike.setdefault(tuple(rows), []).append(m)
    # Models that hold the same guns are as good as each other: only how many of them fire which sort matters.
    kinds = [_Kind(models, Counter(rows)) for rows, models in alike.items()]
    counts = _deal(kinds, needs, sorts, [MOST_TRIES])
    if counts is None:
        return None
    return {
        m: sort
        for kind, split in zip(kinds, counts, strict=True)
        for m, sort in zip(kind.models, (s for s, n in zip(sorts, split, strict=True) for _ in range(n)), strict=True)
    }


class _Kind(NamedTuple):
    """Models that hold the same guns, and how many of each row one of them holds."""

    models: list[int]
    guns: Counter[int]


def _deal(
    kinds: Sequence[_Kind], lack: Mapping[tuple[int, str], int], sorts: Sequence[str], tries: list[int]
) -> tuple[tuple[int, ...], ...] | None:
    """How many models of each kind fire which sort, as many of the first kinds as possible the first; None if no way
    was found."""
    if not kinds:
        return () if all(n <= 0 for n in lack.values()) else None
    kind, later = kinds[0], kinds[1:]
    least = dict.fromkeys(sorts, 0)
    for (row, sort), n in lack.items():
        must = n - sum(k.guns[row] * len(k.models) for k in later)
        if must <= 0:
            continue
        if not kind.guns[row]:
            return None
        # What the later kinds cannot fire, these must.
        least[sort] = max(least[sort], -(-must // kind.guns[row]))
    for split in _splits(len(kind.models), tuple(least.values())):
        tries[0] -= 1
        if tries[0] < 0:
            return None
        firing = dict(zip(sorts, split, strict=True))
        left = {(row, sort): n - kind.guns[row] * firing[sort] for (row, sort), n in lack.items()}
        rest = _deal(later, left, sorts, tries)
        if rest is not None:
            return (split, *rest)
    return None


def _splits(total: int, least: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways to divide a number into parts that are at least so large each, with large first parts first."""
    if len(least) == 1:
        if total >= least[0]:
            yield (total,)
        return
    for first in range(total - sum(least[1:]), least[0] - 1, -1):
        for rest in _splits(total - first, least[1:]):
            yield (first, *rest)


# --- What could be declared -------------------------------------------------------------------------------------------


def default_shots(w: World40, d: Assign) -> tuple[Assignment, ...]:
    """Everything that can be fired at one target: the one that loses most wounds. Profiles are safe ones.

    Guns that cannot be fired at it are fired at what loses most wounds by them.
    """
    found = _at_one_target(w, d, ())
    while len({a.target for a in found}) < len(d.targets):
        further = _at_one_target(w, d, found)
        if len(further) == len(found):
            break
        found = further
    return found


def _at_one_target(w: World40, d: Assign, kept: tuple[Assignment, ...]) -> tuple[Assignment, ...]:
    """What is kept, and all other guns that can be fired at one target beside it: at the one that loses most wounds."""
    unit, used = w.unit(d.unit), {a.row for a in kept}
    guns = guns_of(w, unit, int(d.about["only"]))
    left = [row for row in d.rows if row.id not in used]
    best: tuple[float, tuple[Assignment, ...]] = (0.0 if kept else -1.0, kept)
    for option in d.targets if left else ():
        modes = [(*safe_profiles(w, d, row), *row.modes, "")[0] for row in left]
        wanted = [Assignment(row.id, option.value, row.count, mode) for row, mode in zip(left, modes, strict=True)]
        answer = as_far_as_legal(w, d, (*kept, *wanted))
        shots = shots_of(w, unit, guns, answer[len(kept) :], overwatch=bool(d.about["overwatch"]))
        score = mean_damage(w, unit, w.unit(int(option.value)), shots)
        if score > best[0]:
            best = (score, answer)
    return best[1]


def safe_profiles(w: World40, d: Assign, row: Row) -> tuple[str, ...]:
    """The profiles of a row that do not endanger their bearer, as they are named in the question."""
    gun, endangers = rows_in(w, d)[int(row.id)][0], aiming_of(w).endangers
    return tuple(p.name for p in gun.profiles if not endangers(p)) if row.modes else ()


def as_far_as_legal(w: World40, d: Assign, wanted: Sequence[Assignment]) -> tuple[Assignment, ...]:
    """As much of the assignments as can be made together, taken one after the other."""
    together, unit = aiming_of(w).together, w.unit(d.unit)
    kept: tuple[Assignment, ...] = ()
    groups = rows_in(w, d)
    for a in wanted:
        gun = groups[int(a.row)][0]
        if a.target not in gun.targets[profile_named(gun, a.mode)]:
            continue
        # Fewer guns are never harder to fire together: look for the most by halves.
        count, most = 0, a.count
        wish = most
        while count < most:
            if together(w, unit, groups, (*kept, _with(a, wish))):
                count = wish
            else:
                most = wish - 1
            wish = (count + most + 1) // 2
        if count:
            kept = (*kept, _with(a, count))
    return kept


def _with(a: Assignment, count: int) -> Assignment:
    return Assignment(a.row, a.target, count, a.mode)


def suggest_shots(w: World40, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """All at one target, in some order of weapons; then weapons here and there."""
    targets = [o.value for o in d.targets]
    rng.shuffle(targets)
    if rng.random() < 0.8:
        for target in targets[:3]:
            rows = rng.sample(d.rows, len(d.rows))
            wanted = [Assignment(r.id, target, r.count, rng.choice(r.modes) if r.modes else "") for r in rows]
            yield as_far_as_legal(w, d, wanted)
    wanted = []
    for r in rng.sample(d.rows, len(d.rows)):
        split = rng.randint(0, r.count)
        for count in (split, r.count - split):
            if count:
                wanted.append(Assignment(r.id, rng.choice(r.targets), count, rng.choice(r.modes) if r.modes else ""))
    yield as_far_as_legal(w, d, wanted)


def spend_single_shots(b: Battle40, unit: Unit, shots: Sequence[Shot], is_single: Callable[[Any], bool]) -> None:
    """Weapons with a single shot in a battle are emptied."""
    if spent := tuple([(s.model, s.weapon.item) for s in shots if is_single(s.weapon)]):
        b.set_unit(unit, emptied=(*unit.emptied, *spent))


def tell_shots(b: Battle40, unit: Unit, shots: Sequence[Shot], *rules: str, **more: Any) -> None:
    """Tell at whom a unit shoots."""
    targets = tuple(dict.fromkeys(s.target for s in shots))
    names = ", ".join(b.unit(t).name for t in targets)
    b.tell("shoots", f"{does(unit, 'shoots')} at {names}.", *rules, units=[unit.id, *targets], **more)
