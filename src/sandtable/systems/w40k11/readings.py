"""Readings: where the ledger's notes name another reading of a rule, a battle may choose. None is open yet."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Reading

READINGS: Final[tuple[Reading, ...]] = ()
