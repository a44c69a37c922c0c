"""The datasheet that the book prints, and what its example tells of other units; the rest of those is made up."""

from __future__ import annotations

from typing import Any, Final

from sandtable.rules import Facts, fact

GUARD: Final = ["CHAOS", "NURGLE", "HERETIC ASTARTES", "DEATH GUARD"]
MADE_UP: Final[dict[str, Any]] = {
    "name": "Made up", "move": 7, "weapon_skill": 6, "ballistic_skill": 6, "strength": 3, "toughness": 6,
    "wounds": 10, "attacks": 9, "leadership": 3, "save": 6, "base": "40mm", "height": 2.0,
}  # fmt: skip


class SHEETS(Facts):
    """Datasheets and weapons, as scenario files write them."""

    lord = fact(
        {
            "name": "Lord of Contagion", "move": 4, "weapon_skill": 2, "ballistic_skill": 2, "strength": 4,
            "toughness": 5, "wounds": 6, "attacks": 4, "leadership": 9, "save": 2, "invulnerable": 4, "power": 6,
            "role": "hq", "base": "40mm", "height": 2.0,
            "keywords": [*GUARD, "INFANTRY", "CHARACTER", "LORD OF CONTAGION"],
            "abilities": ["disgustingly resilient", "cataphractii armour", "teleport strike", "nurgle's gift"],
            "weapons": [
                {"name": "plaguereaper", "strength": "+2", "ap": -3, "damage": "3", "abilities": ["plague weapon"]},
            ],
        },
        "w40k8.lord.profile",
        "w40k8.lord.keywords",
        "w40k8.lord.plaguereaper",
        "w40k8.lord.disgustingly_resilient",
        "w40k8.lord.cataphractii_save",
        "w40k8.gap.lord_power_rating",
        neutral=MADE_UP,
    )  # fmt: skip
    """The Lord of Contagion; his Power Rating and role are not in the book."""
