"""Readings: where the ledger's notes name another reading of a rule, a battle may choose; `readings.json` has them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sandtable.forty.readings import readings_in

READINGS: Final = readings_in(Path(__file__).parent)
