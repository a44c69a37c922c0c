"""What the dataset does not tell about the size of models: heights, outlines of hulls, bases that are missing.

Figures are ours, measured roughly on the models or taken from ones of the same chassis, to half an inch. Nobody prints
them; they decide what a model hides and how wide it stands.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sandtable.armies.kdc.source import Json


class Body(NamedTuple):
    """Length, width and height of a model that stands on no base, or on one that says little about it."""

    length: float
    width: float
    height: float


RHINO, LAND_RAIDER, CHIMERA = Body(4.5, 3, 2.6), Body(7, 4, 3.5), Body(4.6, 3.2, 2.8)
LEMAN_RUSS, DORN, BANEBLADE = Body(4.6, 3.8, 3), Body(6, 4.5, 3.5), Body(8.5, 6, 4.5)
TAUROX, GOLIATH, ACASTUS = Body(4.5, 3, 3), Body(5, 3.5, 2.8), Body(7, 6, 11)
TIDEWALL = Body(8, 3, 3)
FALLBACK = Body(5, 3.5, 3)
"""For a hull that no table knows."""

CHASSIS: Final = {
    "rhino": RHINO, "razorback": RHINO, "predator": RHINO, "vindicator": RHINO, "whirlwind": RHINO, "immolator": RHINO,
    "castigator": RHINO, "exorcist": Body(4.5, 3, 3.5), "land-raider": LAND_RAIDER, "leman-russ": LEMAN_RUSS,
    "rogal-dorn": DORN, "chimera": CHIMERA, "taurox": TAUROX, "goliath": GOLIATH, "acastus": ACASTUS,
    "skorpius": Body(6, 3.5, 3.5), "tidewall": TIDEWALL, "thunderhawk": Body(20, 20, 8),
}  # fmt: skip
"""By words in the id of a unit: what stands on the same chassis is as large."""

BODIES: Final = {
    "drop-pod": Body(4, 4, 6), "hammerfall-bunker": Body(6, 6, 3), "astraeus": Body(9, 6.5, 5),
    "invader-atv": Body(4, 2.5, 2), "revenant-titan": Body(6, 6, 10), "phantom-titan": Body(10, 10, 18),
    "stormsword": BANEBLADE, "hellhammer": BANEBLADE, "stormlord": BANEBLADE, "doomhammer": BANEBLADE,
    "banesword": BANEBLADE, "banehammer": BANEBLADE, "shadowsword": BANEBLADE, "baneblade": BANEBLADE,
    "cyclops-demolition-vehicle": Body(2, 1.5, 1), "aegis-defence-line": Body(10, 1.5, 1.5),
    "deathstrike": CHIMERA._replace(height=4), "wyvern": CHIMERA, "hellhound": CHIMERA, "manticore": CHIMERA,
    "basilisk": CHIMERA, "hydra": CHIMERA, "centaur-rsv": Body(3.5, 2.5, 2), "hippogriff-afv": Body(4, 2.5, 2.5),
    "commissar-graves": LEMAN_RUSS, "feculent-gnarlmaw": Body(3.5, 3.5, 6), "skull-altar": Body(6.5, 6.5, 4),
    "noctilith-crown": Body(7, 7, 6), "khorne-lord-of-skulls": Body(7, 6.5, 8),
    "plagueburst-crawler": Body(5, 4.5, 3.5),
    "miasmic-malignifier": Body(6, 6, 5), "hekaton-land-fortress": Body(7.5, 4.5, 4), "sagitaur": Body(4.5, 3, 2.5),
    "seraptek-heavy-construct": Body(9, 8, 8), "convergence-of-dominion": Body(2.5, 2.5, 5),
    "triarch-stalker": Body(4.5, 4.5, 4.5), "gargantuan-squiggoth": Body(9, 6, 8), "battlewagon": Body(7, 4.5, 4),
    "gunwagon": Body(7, 4.5, 4), "stompa": Body(7, 6, 9), "biged-bossbunka": Body(6, 6, 5), "trukk": Body(5.5, 3.5, 3),
    "mek-gunz": Body(3.5, 2.5, 2.5), "hierophant": Body(9, 7, 10), "sporocyst": Body(4, 4, 5), "manta": Body(24, 24, 6),
    "harridan": Body(10, 8, 9),
}  # fmt: skip
"""Hulls and stands of their own, by the id of the unit."""

SMALL_STAND, LARGE_STAND, LARGEST_STAND = "32mm", "60mm", "120x92mm"
HEAVY: Final = 10
"""Flying stands that the dataset names by size only; it calls large what riders and light craft stand on and what
bears a craft of ten wounds or more, for which the largest stand that is sold comes closest to its outline."""
NO_BASE: Final = {
    "wardens-of-ultramar": "32mm", "land-speeder": "hull 4.5x3", "vow-sworn-crusader-squad": "32mm",
    "captain-on-bike": "90x52mm", "kaius-konorius": "40mm", "clanblade": "90x52mm", "dragon-knights": "90x52mm",
    "leystalker": "90x52mm", "stonesinger": "90x52mm", "overlord-amonhotekh": "40mm", "ardmob-boyz": "32mm",
    "wartrakks": "90x52mm", "frenzied-reavers-jakhals": "28mm",
}  # fmt: skip
"""Units whose base is missing, also on their models: that of models of the same kind."""

INCH: Final = 25.4
MOST: Final = 24.0
BY_BASE: Final = ((26, 1.4), (29, 1.5), (33, 1.7), (41, 2.0), (51, 2.3), (61, 2.8), (81, 3.5), (91, 4.0), (131, 4.5))
"""How tall a model is that stands on a base of at most so many millimetres..."""
TALLEST: Final = 7.0
"""...and on a larger one."""
MOUNTED, SWARM, WALKER = 2.2, 0.8, 1.25
"""Riders on long bases, swarms, and what walkers and monsters have more than others on their base (a factor)."""


def base_of(unit: Json, model: Json | None) -> tuple[str, bool]:
    """The base of a kind of model as our format writes it, and whether the dataset told it."""
    own = (model or {}).get("base_size_mm") or {}
    for found in (own, unit.get("base_size_mm") or {}):
        told = _told(found)
        if told:
            return told, True
    id_ = unit["id"]
    stand = own or unit.get("base_size_mm") or {}
    if stand.get("shape") == "flying-base":
        heavy = unit["profiles"][0]["W"] >= HEAVY
        return SMALL_STAND if stand.get("size") == "small" else LARGEST_STAND if heavy else LARGE_STAND, False
    if id_ in NO_BASE:
        return NO_BASE[id_], False
    body = body_of(id_)
    return f"hull {body.length:g}x{body.width:g}", False


def _told(base: Json) -> str:
    """A base in millimetres, where its shape is told."""
    if base.get("shape") == "round" and base.get("diameter"):
        return f"{base['diameter']:g}mm"
    if base.get("shape") == "oval" and base.get("length") and base.get("width"):
        long, wide = sorted((base["length"], base["width"]), reverse=True)
        return f"{long:g}x{wide:g}mm"
    return ""


def body_of(id_: str) -> Body:
    """The size of a hull: its own, or that of its chassis."""
    for name in (id_, *(id_[place + 1 :] for place, sign in enumerate(id_) if sign == "-")):
        if name in BODIES:
            return BODIES[name]
    return next((body for word, body in CHASSIS.items() if word in id_), FALLBACK)


def height_of(unit: Json, base: str) -> float:
    """How tall a model is."""
    keywords = {word.lower() for word in unit["keywords"]}
    if base.startswith("hull"):
        return body_of(unit["id"]).height
    sizes = [float(size) for size in base.removesuffix("mm").split("x")]
    if "swarm" in keywords:
        return SWARM
    if "mounted" in keywords and len(sizes) == 2 and sizes[0] < 100:
        return MOUNTED
    height = next((tall for most, tall in BY_BASE if max(sizes) < most), TALLEST)
    if keywords & {"walker", "monster"} and max(sizes) >= 50:
        height *= WALKER
    return round(min(MOST, height), 1)
