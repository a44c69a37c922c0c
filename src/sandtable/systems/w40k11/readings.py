"""Readings: where the ledger's notes name another reading of a rule, a battle may choose; and what armies may do."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Reading
from sandtable.forty.enlist import ABILITIES, REVIEWED, UNREVIEWED

READINGS: Final[tuple[Reading, ...]] = (
    Reading(
        ABILITIES,
        (REVIEWED, UNREVIEWED),
        "Only abilities that were held against the printed rule are played, or also those that were compiled from the "
        "dataset and held against nothing.",
    ),
)
