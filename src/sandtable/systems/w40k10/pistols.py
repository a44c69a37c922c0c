"""Pistols or other weapons: which models of a unit fire which, so that a declaration can be carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sandtable.battle import ALLOWED, Assignment, Verdict, refuse
from sandtable.rules import rule
from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.concepts import model_has_keyword
from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.targets import Gun

MOST_TRIES: Final = 20_000
"""Ways of dealing out Pistols that are looked at; no unit has so many kinds of models that it needs more."""


@rule("w40k10.weapon.pistol_exclusive", neutral=ALLOWED)
def check_pistols(w: World10, groups: Sequence[Sequence[Gun]], answer: Sequence[Assignment]) -> Verdict:
    """A model that is neither MONSTER nor VEHICLE fires its Pistols or its other weapons."""
    if pistol_hands(w, groups, answer) is not None:
        return ALLOWED
    return refuse("A model fires either its Pistols or its other weapons.", "w40k10.weapon.pistol_exclusive")


def pistol_hands(w: World10, groups: Sequence[Sequence[Gun]], answer: Sequence[Assignment]) -> frozenset[int] | None:
    """The models that fire Pistols so that all guns of the answer can be fired; None where that is impossible."""
    needs: dict[tuple[int, bool], int] = {}
    """For each row, and whether its Pistol profile is meant, how many guns are fired."""
    for a in answer:
        gun = groups[int(a.row)][0]
        key = (int(a.row), weapons.is_pistol(gun.profiles[profile_named(gun, a.mode)]))
        needs[key] = needs.get(key, 0) + a.count
    if not any(pistol for _, pistol in needs):
        return frozenset()
    if all(pistol for _, pistol in needs):
        return frozenset(g.model for group in groups for g in group)
    held: dict[int, list[int]] = {}
    for row in dict.fromkeys(row for row, _ in needs):
        for g in groups[row]:
            held.setdefault(g.model, []).append(row)
    alike: dict[tuple[int, ...], list[int]] = {}
    for m, rows in sorted(held.items()):
        if free_hands(w, m):
            # Its guns are there for both.
            for key in needs:
                needs[key] -= rows.count(key[0])
        else:
            alike.setdefault(tuple(rows), []).append(m)
    # Models that hold the same guns are as good as each other: only how many of them fire Pistols matters.
    kinds = [Kind(models, Counter(rows)) for rows, models in alike.items()]
    counts = _deal(kinds, needs, [MOST_TRIES])
    if counts is None:
        return None
    return frozenset(m for kind, n in zip(kinds, counts, strict=True) for m in kind.models[len(kind.models) - n :])


class Kind(NamedTuple):
    """Models that hold the same guns, and how many of each row one of them holds."""

    models: list[int]
    guns: Counter[int]


def _deal(kinds: Sequence[Kind], lack: Mapping[tuple[int, bool], int], tries: list[int]) -> tuple[int, ...] | None:
    """How many models of each kind fire Pistols, as few of the first kinds as possible; None if no way was found."""
    if not kinds:
        return () if all(n <= 0 for n in lack.values()) else None
    kind, later = kinds[0], kinds[1:]
    least, most = 0, len(kind.models)
    for (row, pistol), n in lack.items():
        must = n - sum(k.guns[row] * len(k.models) for k in later)
        if must <= 0:
            continue
        if not kind.guns[row]:
            return None
        # What the later kinds cannot fire, these must.
        hands = -(-must // kind.guns[row])
        least, most = (max(least, hands), most) if pistol else (least, min(most, len(kind.models) - hands))
    for pistols in range(least, most + 1):
        tries[0] -= 1
        if tries[0] < 0:
            return None
        others = len(kind.models) - pistols
        left = {key: n - kind.guns[key[0]] * (pistols if key[1] else others) for key, n in lack.items()}
        rest = _deal(later, left, tries)
        if rest is not None:
            return (pistols, *rest)
    return None


def free_hands(w: World10, model: int) -> bool:
    """MONSTERS and VEHICLES fire Pistols together with everything else."""
    return model_has_keyword(w, model, "MONSTER") or model_has_keyword(w, model, "VEHICLE")


def profile_named(gun: Gun, name: str) -> int:
    """The place of a profile among those of a gun."""
    return next((i for i, p in enumerate(gun.profiles) if p.name == name), 0)
