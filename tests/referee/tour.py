"""What a tour of battles goes over, whatever the edition: players, ready lists, missions and layouts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import sandtable

SOURCE = Path(sandtable.__file__).parent
PLAYERS = (
    ("tactician", "tactician"),
    ("random", "random"),
    ("rusher", "tactician"),
    ("gunline", "rusher"),
    ("random", "tactician"),
    ("rusher", "rusher"),
    ("default", "random"),
)
CURIOUS = (("windows", "all"),)
"""Options under which players are also asked about what would change nothing."""


@cache
def ready_lists(ledger: str) -> tuple[tuple[str, ...], ...]:
    """The ready lists of an edition, those of one size together."""
    found: dict[str, list[str]] = {}
    for name in _names(SOURCE.parents[1] / "packs" / ledger / f"sandtable_pack_{ledger}" / "lists"):
        size = next(part for part in name.split("-") if part.isdigit())
        found.setdefault(size, []).append(name)
    return tuple(tuple(found[size]) for size in sorted(found, key=int))


@cache
def own_missions(ledger: str) -> tuple[str, ...]:
    """The missions that an edition has as documents."""
    return _names(SOURCE / "systems" / ledger / "missions")


@cache
def layouts() -> tuple[str, ...]:
    """The layouts of the project."""
    return _names(SOURCE / "kit" / "layouts")


def _names(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))
