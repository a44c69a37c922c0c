"""Advice for a unit that attacks: its weapons dealt over its targets so that a stated aim is reached best.

The attacks are the same tables that the battle resolves, and the split is worked out exactly. Of weapons of a row that
do not stand alike, such as some within half range, all are taken for what most of them are. Nobody counts on Precision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Final, NamedTuple

import msgspec

from sandtable.attack import advice
from sandtable.attack.bounds import Unsolvable
from sandtable.attack.mean import mean_of
from sandtable.attack.volley import Aim as Purpose
from sandtable.attack.volley import Shots, Target, Volley
from sandtable.battle import Assign, Assignment, Row
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.forty.aiming import Gun, aiming_of, guns_of
from sandtable.forty.attacks import Compile, compiled_batches
from sandtable.forty.declaring import as_far_as_legal, default_shots, rows_of, shots_of
from sandtable.forty.mind.force import arsenal
from sandtable.forty.odds.arms import Arms
from sandtable.forty.shot import Shot
from sandtable.forty.state import Unit, World40

MOST_TARGETS: Final = 3
"""Targets that are weighed against each other: those that lose most on average."""
MOST_ROWS: Final = 6
MOST_WAYS: Final = 64
"""Ways of dealing weapons to one target up to which they are dealt one by one; beyond, row by row."""
MOST_ATTACKS: Final = 120
"""Attacks on one target, with the highest dice, up to which a quick answer can be had."""
MOST_IN_ORDER: Final = 3
"""Rows at one target up to which their order is looked at too."""


class Advised(NamedTuple):
    """The best use of a unit's weapons, and how much of the aim it reaches on average."""

    answer: tuple[Assignment, ...]
    worth: float
    proven: bool


class Fired(NamedTuple):
    """A row of weapons at one target."""

    row: int
    mode: str
    batch: tuple[Shot, ...]


class Option(NamedTuple):
    """A target with all that can be fired at it."""

    unit: int
    whom: Target
    fired: dict[int, Fired]
    each: dict[int, Volley]
    """For each row the attacks of one weapon."""
    mean: float


def advise(w: World40, d: Assign, aim: Purpose, arms: Arms) -> tuple[Assignment, ...]:
    """The best split for an aim; where that is too much to work out, the plain answer."""
    found = best_split(w, d, aim, arms=arms)
    return arms.plain(w, d) if found is None else found.answer


def advise_shots(w: World40, d: Assign, aim: Purpose) -> tuple[Assignment, ...]:
    """The best split of guns for an aim."""
    return advise(w, d, aim, GUNS)


def best_split(
    w: World40,
    d: Assign,
    aim: Purpose,
    weights: Mapping[int, float] | None = None,
    *,
    by_rows: bool = False,
    arms: Arms | None = None,
) -> Advised | None:
    """The best split, if it can be worked out.

    `weights` name the targets to look at, and how much the aim counts at each; else all count the same. With `by_rows`,
    rows are not divided: that is quicker. Without `arms`, guns are dealt out.
    """
    weighed = tuple(sorted(weights.items())) if weights else tuple((int(o.value), 1.0) for o in d.targets)
    only, overwatch = d.about.get("only", -1), d.about.get("overwatch", False)
    return _best_split(w, d, only, overwatch, aim, weighed, by_rows, arms or GUNS)


@kept(EVERYTHING)
def _best_split(
    w: World40,
    d: Assign,
    only: int,
    overwatch: bool,
    aim: Purpose,
    weighed: tuple[tuple[int, float], ...],
    by_rows: bool,
    arms: Arms,
) -> Advised | None:
    weights = dict(weighed)
    if not d.rows or len(d.rows) > MOST_ROWS:
        return None
    options = [option_of(w, d, target, arms) for target in weights]
    options.sort(key=lambda o: (-o.mean * weights[o.unit], o.unit))
    together = fired_together(w, d, options, arms)
    options, others = options[:MOST_TARGETS], options[MOST_TARGETS:]
    by_rows = by_rows or prod(n + 1 for n in together.values()) > MOST_WAYS
    lots = [_lot(d.rows[r], r, n, options, by_rows) for r, n in together.items()]
    goals = [advice.Goal(o.whom, weight=weights[o.unit]) for o in options]
    if any(_most_attacks(lots, k) > MOST_ATTACKS for k in range(len(goals))):
        return None
    try:
        split = advice.best_split(lots, goals, aim)
        shares = [_in_order(lots, split, goals[k], k, aim, by_rows) for k in range(len(goals))]
    except Unsolvable:
        return None
    rows = list(together)
    answer = [
        _assignment(d, options[k], rows[lot], together[rows[lot]] if by_rows else split.counts[lot][k])
        for k, share in enumerate(shares)
        for lot in share
    ]
    # What reaches none of these targets is fired at another one.
    for lot, r in enumerate(rows):
        other = next((o for o in others if r in o.fired), None)
        if other is not None and not any(split.counts[lot]):
            answer.append(_assignment(d, other, r, together[r]))
    judge = w.system.questions[d.kind].judge
    if not answer or (judge is not None and not judge(w, d, tuple(answer))):
        return None
    return Advised(tuple(answer), split.worth, split.proven)


def _assignment(d: Assign, option: Option, row: int, count: int) -> Assignment:
    return Assignment(d.rows[row].id, option.unit, count, option.fired[row].mode)


# --- What can be dealt out --------------------------------------------------------------------------------------------


def option_of(w: World40, d: Assign, target: int, arms: Arms) -> Option:
    """All rows that can be used at a target, each with its best profile."""
    unit, enemy = w.unit(d.unit), w.unit(target)
    fired = {
        r: _best_profile(w, unit, enemy, [_fired(w, unit, enemy, r, mode, shots) for mode, shots in modes.items()])
        for r, modes in arms.at(w, d, target).items()
    }
    _, volleys, plain, _ = compiled_batches(w, unit, enemy, [f.batch for f in fired.values()])
    whom = _valued(w, plain)
    each = {r: _times(v, 1) for r, v in zip(fired, volleys, strict=True)}
    mean = mean_of([_times(v, d.rows[r].count) for r, v in each.items()], whom)
    return Option(target, whom, fired, each, mean)


def _fired(w: World40, unit: Unit, enemy: Unit, row: int, mode: str, shots: Sequence[Shot]) -> Fired:
    return Fired(row, mode, max(w.system.seam(Compile).batches(w, unit, enemy, shots), key=len))


def _best_profile(w: World40, unit: Unit, enemy: Unit, found: Sequence[Fired]) -> Fired:
    if len(found) == 1:
        return found[0]

    def mean(fired: Fired) -> float:
        _, volleys, whom, _ = compiled_batches(w, unit, enemy, [fired.batch])
        return mean_of(volleys, whom)

    return max(found, key=mean)


def _valued(w: World40, target: Target) -> Target:
    """The target with what its models cost."""
    points = arsenal(w).points
    bodies = tuple(msgspec.structs.replace(b, value=float(points[b.model])) for b in target.bodies)
    return msgspec.structs.replace(target, bodies=bodies)


def _times(v: Volley, count: int) -> Volley:
    return msgspec.structs.replace(v, shots=tuple(Shots(count, s.each) for s in v.shots))


def fired_together(w: World40, d: Assign, options: Sequence[Option], arms: Arms) -> dict[int, int]:
    """How much of each row can be used: of Pistols and other guns of a model, those that do more."""
    wanted = []
    for r in range(len(d.rows)):
        means = [(mean_of([_times(o.each[r], d.rows[r].count)], o.whom), o) for o in options if r in o.each]
        if means:
            best, option = max(means, key=lambda found: found[0])
            wanted.append((best, _assignment(d, option, r, d.rows[r].count)))
    wanted.sort(key=lambda found: (-found[0], int(found[1].row)))
    kept = {int(a.row): a.count for a in arms.together(w, d, [a for _, a in wanted])}
    return dict(sorted(kept.items()))


# --- Guns -------------------------------------------------------------------------------------------------------------


def _guns_at(w: World40, d: Assign, target: int) -> dict[int, dict[str, list[Shot]]]:
    """The shots of all guns of a row, with each safe profile: those that do not stand alike are not all the same."""
    unit = w.unit(d.unit)
    guns = guns_of(w, unit, int(d.about["only"]))
    found: dict[int, dict[str, list[Shot]]] = {}
    for r, group in enumerate(rows_of(guns)):
        for k in _safe_profiles(w, group[0], target):
            row = d.rows[r]
            mode = row.modes[k] if row.modes else ""
            wanted = [Assignment(row.id, target, row.count, mode)]
            shots = shots_of(w, unit, guns, wanted, overwatch=bool(d.about["overwatch"]))
            found.setdefault(r, {})[mode] = shots
    return found


def _safe_profiles(w: World40, gun: Gun, target: int) -> list[int]:
    """The profiles that may be fired at a target; those that endanger the bearer only where there is no other."""
    found = [k for k, targets in enumerate(gun.targets) if target in targets]
    return [k for k in found if not aiming_of(w).endangers(gun.profiles[k])] or found


GUNS: Final = Arms(_guns_at, as_far_as_legal, default_shots)


# --- Lots and their order ---------------------------------------------------------------------------------------------


def _lot(row: Row, number: int, count: int, options: Sequence[Option], by_rows: bool) -> advice.Lot:
    share = count if by_rows else 1
    at = tuple(_times(o.each[number], share) if number in o.each else None for o in options)
    return advice.Lot(row.label, 1 if by_rows else count, at)


def _most_attacks(lots: Sequence[advice.Lot], at: int) -> int:
    return sum(lot.count * s.weapons * s.each.most for lot in lots for v in lot.at[at : at + 1] if v for s in v.shots)


def _in_order(
    lots: Sequence[advice.Lot], split: advice.Split, goal: advice.Goal, at: int, aim: Purpose, quick: bool
) -> list[int]:
    """The lots that go at a target, in the order in which they do most."""
    share = [lot for lot in range(len(lots)) if split.counts[lot][at]]
    if quick or not 1 < len(share) <= MOST_IN_ORDER:
        return share
    attack = advice.together(lots, tuple(split.counts[lot][at] for lot in range(len(lots))), goal, at)
    ordered = advice.best_order(attack, aim).attack.volleys
    return sorted(share, key=lambda lot: ordered.index(attack.volleys[share.index(lot)]))
