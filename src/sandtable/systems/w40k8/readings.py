"""Options: where a battle may choose between readings."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Reading

READINGS: Final = (
    Reading(
        "disgustingly-resilient",
        ("on", "off"),
        "Whether models that are Disgustingly Resilient keep wounds on a 5+; the book only names the ability.",
        "w40k8.gap.disgustingly_resilient",
    ),
)
