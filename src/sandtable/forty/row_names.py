"""What rows of weapons are called: by the weapon, and by whose it is where others of that name stand apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.forty.state import World40, called_all, sheet_of

ORDINALS: Final = {"2": "second", "3": "third", "4": "fourth", "5": "fifth", "6": "sixth"}


def row_names(w: World40, rows: Sequence[tuple[str, Sequence[int]]]) -> list[str]:
    """A name for each row, which is a weapon and the models that have it; no number that reads like a count."""
    names = [name for name, _ in rows]
    found: list[str] = []
    for name, models in rows:
        apart = [others for other, others in rows if other == name]
        called = _copy(name, names) + (f" of {_whose(w, models, apart)}" if len(apart) > 1 else "")
        while called in found:
            called += ", again"
        found.append(called)
    return found


def _copy(name: str, names: Sequence[str]) -> str:
    """Lists number what a model has several times; a number behind the name would read like a count."""
    base, _, number = name.rpartition(" ")
    # Somebody's file may have any number there, also one that is too long to be read.
    return f"{base}, {ORDINALS[number]}" if base in names and number in ORDINALS else name


def _whose(w: World40, models: Sequence[int], apart: Sequence[Sequence[int]]) -> str:
    """By what they are where no other row has any of these; else by who they are."""
    own = sheet_of(w, models[0]).name
    kinds = [{sheet_of(w, m).name for m in row} for row in apart]
    if sum(own in names for names in kinds) == 1 and all(sheet_of(w, m).name == own for m in models):
        return str(own)
    return called_all(w, sorted(set(models)))
