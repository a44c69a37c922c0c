"""The datasheet that the book prints, and what its example tells of other units; the rest of those is made up."""

from __future__ import annotations

from typing import Any, Final

from sandtable.rules import Facts, fact

GUARD: Final = ["CHAOS", "NURGLE", "HERETIC ASTARTES", "DEATH GUARD"]
MADE_UP: Final[dict[str, Any]] = {
    "name": "Made up", "move": 7, "weapon_skill": 6, "ballistic_skill": 6, "strength": 3, "toughness": 6,
    "wounds": 10, "attacks": 9, "leadership": 3, "save": 6, "base": "40mm", "height": 2.0,
    "keywords": ["BEAST"], "abilities": [], "power": 1,
    "weapons": [{"name": "claws", "strength": "1", "ap": 0, "damage": "1"}],
}  # fmt: skip

BOLTGUN: Final[dict[str, Any]] = {
    "name": "boltgun", "range": 24, "type": "rapid fire", "attacks": "1", "strength": "4", "ap": 0, "damage": "1",
}  # fmt: skip
KNIFE: Final[dict[str, Any]] = {"name": "plague knife", "strength": "user", "ap": 0, "damage": "1"}
KRAK: Final[dict[str, Any]] = {
    "name": "krak grenade", "range": 6, "type": "grenade", "attacks": "1", "strength": "6", "ap": -1, "damage": "D3",
}  # fmt: skip
SWORD: Final[dict[str, Any]] = {**KNIFE, "name": "plague sword"}
FIST: Final[dict[str, Any]] = {"name": "power fist", "strength": "x2", "ap": -3, "damage": "D3"}
RIFLE: Final[dict[str, Any]] = {**BOLTGUN, "name": "bolt rifle", "range": 30, "ap": -1}
MARINE: Final[dict[str, Any]] = {
    "name": "Plague Marine", "move": 5, "weapon_skill": 3, "ballistic_skill": 3, "strength": 4, "toughness": 5,
    "wounds": 1, "attacks": 1, "leadership": 7, "save": 3, "base": "32mm", "height": 1.5,
    "keywords": [*GUARD, "INFANTRY"], "weapons": [BOLTGUN, KNIFE], "abilities": ["disgustingly resilient"],
}  # fmt: skip
INTERCESSOR: Final[dict[str, Any]] = {
    **MARINE, "name": "Intercessor", "move": 6, "toughness": 4, "wounds": 2, "attacks": 2, "abilities": [],
    "keywords": ["INFANTRY"], "weapons": [RIFLE],
}  # fmt: skip

PLAGUECASTER: Final[dict[str, Any]] = {
    **MARINE, "name": "Malignant Plaguecaster", "wounds": 4, "attacks": 3, "leadership": 8,
    "keywords": [*GUARD, "INFANTRY", "CHARACTER", "PSYKER"], "weapons": [KNIFE], "psyker": {"casts": 2, "denies": 1},
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

    marine = fact(MARINE, "w40k8.units.plague_marines", "w40k8.gap.datasheets", neutral=MADE_UP)
    """A Plague Marine."""
    champion = fact(
        {**MARINE, "name": "Plague Champion", "attacks": 2, "leadership": 8, "weapons": [KRAK, SWORD, FIST]},
        "w40k8.units.plague_marines",
        neutral=MADE_UP,
    )
    """The Champion of his unit."""
    intercessor = fact(INTERCESSOR, "w40k8.units.intercessors", "w40k8.gap.datasheets", neutral=MADE_UP)
    """An Intercessor."""
    sergeant = fact(
        {**INTERCESSOR, "name": "Intercessor Sergeant", "leadership": 8}, "w40k8.units.intercessors", neutral=MADE_UP
    )
    """The model with the highest Leadership of his unit."""
    plaguecaster = fact(PLAGUECASTER, "w40k8.units.plaguecaster", "w40k8.gap.datasheets", neutral=MADE_UP)
    """A psyker of the Death Guard."""
    boltgun = fact(BOLTGUN, "w40k8.units.example_weapons", neutral={})
    krak_grenade = fact(KRAK, "w40k8.units.example_weapons", neutral={})
    other_weapons = fact((KNIFE, SWORD, FIST, RIFLE), "w40k8.gap.example_weapons", neutral=())
    """Weapons of the example of which the book gives no more than the name."""
    invented = fact(
        {
            "Lord of Contagion": ("power", "role", "base", "height"),
            "Plague Marine": ("strength", "toughness", "leadership", "save", "base", "height"),
            "Plague Champion": ("strength", "toughness", "save", "base", "height"),
            "Intercessor": ("move", "weapon_skill", "ballistic_skill", "strength", "attacks", "leadership", "base"),
            "Malignant Plaguecaster": ("strength", "toughness", "wounds", "attacks", "leadership", "save", "psyker"),
            "boltgun": ("range",),
            "krak grenade": ("range", "type", "attacks"),
            "plague knife": ("strength", "ap", "damage"),
            "plague sword": ("strength", "ap", "damage"),
            "power fist": ("strength", "ap", "damage"),
            "bolt rifle": ("range", "type", "attacks", "strength", "ap", "damage"),
        },
        "w40k8.gap.datasheets",
        "w40k8.gap.example_weapons",
        neutral={},
    )
    """What of these sheets and weapons is not in the book."""
