"""Readings: where the ledger's notes name another reading of a rule, or a later wording, a battle may choose.

An edition has them in its folder, as a document. The first value of each is what the ledger says.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from sandtable.battle import Reading


def readings_in(folder: Path) -> tuple[Reading, ...]:
    """The readings of an edition, by its folder; in JSON, which questions about odds read faster than YAML."""
    return msgspec.json.decode((folder / "readings.json").read_bytes(), type=tuple[Reading, ...])
