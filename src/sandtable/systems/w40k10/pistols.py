"""Pistols or other weapons: which models of a unit fire which, so that a declaration can be carried out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import Final

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
    alike: dict[tuple[object, ...], list[int]] = {}
    for m, rows in sorted(held.items()):
        alike.setdefault((free_hands(w, m), *rows), []).append(m)
    # Models that hold the same guns are as good as each other: only how many of them fire Pistols matters.
    kinds = list(alike.items())
    for counts in islice(product(*(range(len(models) + 1) for _, models in kinds)), MOST_TRIES):
        if _enough(needs, kinds, counts):
            return frozenset(m for (_, models), n in zip(kinds, counts, strict=True) for m in models[len(models) - n :])
    return None


def _enough(
    needs: Mapping[tuple[int, bool], int], kinds: Sequence[tuple[tuple[object, ...], list[int]]], counts: Sequence[int]
) -> bool:
    for (row, pistol), need in needs.items():
        there = 0
        for ((free, *rows), models), pistols in zip(kinds, counts, strict=True):
            there += rows.count(row) * (len(models) if free else pistols if pistol else len(models) - pistols)
        if there < need:
            return False
    return True


def free_hands(w: World10, model: int) -> bool:
    """MONSTERS and VEHICLES fire Pistols together with everything else."""
    return model_has_keyword(w, model, "MONSTER") or model_has_keyword(w, model, "VEHICLE")


def profile_named(gun: Gun, name: str) -> int:
    """The place of a profile among those of a gun."""
    return next((i for i, p in enumerate(gun.profiles) if p.name == name), 0)
