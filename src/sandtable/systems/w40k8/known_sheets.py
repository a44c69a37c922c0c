"""The datasheet that the book prints, and what its example tells of other units.

`known_sheets.yaml` has them, and what had to be made up, as scenario files write datasheets and weapons.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sandtable.documents import read_document
from sandtable.rules import Facts, fact

KNOWN: Final[dict[str, Any]] = read_document(Path(__file__).with_suffix(".yaml"), dict[str, Any])
MADE_UP: Final[dict[str, Any]] = KNOWN["made_up"]
WEAPONS: Final[dict[str, Any]] = KNOWN["weapons"]
NAMED: Final = tuple(WEAPONS[name] for name in ("plague knife", "plague sword", "power fist", "bolt rifle"))


class SHEETS(Facts):
    """Datasheets and weapons."""

    lord = fact(
        KNOWN["lord"],
        "w40k8.lord.profile",
        "w40k8.lord.keywords",
        "w40k8.lord.plaguereaper",
        "w40k8.lord.disgustingly_resilient",
        "w40k8.lord.cataphractii_save",
        "w40k8.gap.lord_power_rating",
        neutral=MADE_UP,
    )
    """The Lord of Contagion; his Power Rating and role are not in the book."""
    marine = fact(KNOWN["marine"], "w40k8.units.plague_marines", "w40k8.gap.datasheets", neutral=MADE_UP)
    """A Plague Marine."""
    champion = fact(KNOWN["champion"], "w40k8.units.plague_marines", neutral=MADE_UP)
    """The Champion of his unit."""
    intercessor = fact(KNOWN["intercessor"], "w40k8.units.intercessors", "w40k8.gap.datasheets", neutral=MADE_UP)
    """An Intercessor."""
    sergeant = fact(KNOWN["sergeant"], "w40k8.units.intercessors", neutral=MADE_UP)
    """The model with the highest Leadership of his unit."""
    plaguecaster = fact(KNOWN["plaguecaster"], "w40k8.units.plaguecaster", "w40k8.gap.datasheets", neutral=MADE_UP)
    """A psyker of the Death Guard."""
    boltgun = fact(WEAPONS["boltgun"], "w40k8.units.example_weapons", neutral={})
    krak_grenade = fact(WEAPONS["krak grenade"], "w40k8.units.example_weapons", neutral={})
    other_weapons = fact(NAMED, "w40k8.gap.example_weapons", neutral=())
    """Weapons of the example of which the book gives no more than the name."""
    invented = fact(KNOWN["invented"], "w40k8.gap.datasheets", "w40k8.gap.example_weapons", neutral={})
    """What of these sheets and weapons is not in the book."""
