"""Hold expected damage of 11th edition against the calculator that comes with the dataset of its armies.

    python bench/cruncher.py --pairs 2000 --seed 4011

Each pair is a profile of a weapon and one of a unit, both drawn at random, at long or at short range. Whoever is hit
has wounds enough, so that nobody is overkilled; the calculator does not know overkill. A difference is told with its
reason where the calculator leaves out a rule; whatever has none is a fault, and the command fails.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from sandtable.armies.kdc.names import keyword
from sandtable.armies.kdc.source import data
from sandtable.armies.kdc.weapons import weapon_of
from sandtable.attack.mean import mean_against
from sandtable.battle.scenario import AtDoc, Scenario, UnitDoc, open_scenario
from sandtable.battle.tables import TableDoc
from sandtable.forty.attacks import compiled
from sandtable.systems.w40k11.shot import Shot
from sandtable.systems.w40k11.system import SYSTEM

NEAR = 1e-9
LARGE = 5
"""Fewer models make no difference to such weapons."""
WOUNDS = 100
"""No damage of a single attack is more."""
NUMBERLESS = "[BLAST] without a number adds no attacks in the calculator, which takes it up with a number only"
SEVERAL = "of several [ANTI] abilities the calculator takes the first, and a player the one that helps"
STRANGE = {
    "cleave": "[CLEAVE] adds attacks against larger units, and the calculator does not know it",
    "conversion": "[CONVERSION] is not played: the rules of the game do not define it",
}


class Pair(NamedTuple):
    """A weapon against a target, and what both sides reckon."""

    weapon: str
    profile: int
    unit: str
    short: bool
    ours: float
    theirs: float
    reason: str
    """Why they may differ; empty where they must not."""

    @property
    def agree(self) -> bool:
        return abs(self.ours - self.theirs) <= NEAR * max(1.0, abs(self.theirs))


def drawn(pairs: int, seed: int) -> Iterator[Pair]:
    """So many pairs of weapon and target."""
    from wh40kdc.cruncher.engine import crunch
    from wh40kdc.data import Dataset

    known, dataset, draw = data().raw, Dataset.embedded(), random.Random(seed)
    found = 0
    while found < pairs:
        weapon, unit = draw.choice(known["weapons"]), draw.choice(known["units"])
        profile, short = draw.randrange(len(weapon["profiles"])), draw.random() < 0.5
        stats, body = weapon["profiles"][profile], unit["profiles"][0]
        if not body.get("W") or not body.get("T"):
            continue
        size = (unit.get("model_count") or {}).get("min") or 1
        tall = {**unit, "profiles": [{**body, "W": WOUNDS}]}
        asked = {
            "attacker": {"weapon": weapon, "profileIndex": profile},
            "target": {"unit": tall, "profileIndex": 0, "modelCount": size},
            "modelsFiring": 1,
            "buffs": [],
            "context": {"withinHalfRange": short},
        }
        try:
            theirs = next(s["expected"] for s in crunch(asked, dataset)["stages"] if s["name"] == "damage")
        except ValueError:  # a weapon that may not be fired at such a target, or that has no skill
            continue
        found += 1
        ours = expected(weapon, profile, unit, size, short=short)
        yield Pair(weapon["id"], profile, unit["id"], short, ours, theirs, why(stats, size))


def expected(weapon: dict[str, Any], profile: int, unit: dict[str, Any], size: int, *, short: bool) -> float:
    """The wounds that one weapon takes off a target on average, by our tables."""
    read, body = weapon_of(weapon, "weapon").profiles[profile], unit["profiles"][0]
    stats, melee = read.stats, "Range" not in read.stats
    skill = stats["WS" if melee else "BS"]
    words = [keyword(word) for word in (*unit["keywords"], *unit["faction_keywords"])]
    # Of several abilities of one name a player picks one: here the first, and so one that counts against the target.
    picked = sorted(read.abilities, key=lambda a: a.startswith("anti-") and not _meant(a, words))
    arms = {
        "name": "weapon", "attacks": str(stats["A"]), "skill": skill if isinstance(skill, int) else 0,
        "strength": stats["S"], "ap": stats["AP"], "damage": str(stats["D"]), "abilities": picked,
    }  # fmt: skip
    if not melee:
        arms["range"] = stats["Range"]
    save = body.get("invuln_sv_melee" if melee else "invuln_sv_ranged") or body.get("invuln_sv")
    plain = {"move": 6, "leadership": 7, "oc": 1, "base": "32mm", "height": 1.5}
    red = {**plain, "name": "Red", "toughness": 4, "save": 3, "wounds": 1, "keywords": ["INFANTRY"], "weapons": [arms]}
    blue = {
        **plain, "name": "Blue", "toughness": body["T"], "save": body["Sv"], "wounds": WOUNDS, "keywords": words,
        "weapons": [], **({"invulnerable": save} if save else {}),
    }  # fmt: skip
    doc = Scenario(
        scenario="a weapon and a target",
        system=SYSTEM.id,
        question="",
        table=TableDoc(size=(44, 30)),
        units=(
            UnitDoc(name="Reds", player="red", sheet=red, models=1, positions=((10, 10),)),
            UnitDoc(name="Blues", player="blue", sheet=blue, models=1, positions=((20, 10),)),
        ),
        at=AtDoc(step="shoot_units", round=1, active="red"),
        players=("red", "blue"),
        dice=[],
    )
    b = open_scenario(doc, SYSTEM)
    own = b.setup.data.sheets[b.setup.data.kits[0].sheet].weapons[0]
    shot = Shot(model=0, weapon=own, target=1, melee=melee, size=size, half_range=short)
    found = compiled(b, b.unit(0), b.unit(1), [shot])
    return sum(mean_against(volley, found.target.bodies[0]) for volley in found.volleys)


def _meant(ability: str, words: list[str]) -> bool:
    """Whether an [ANTI] ability is meant for a target with these keywords."""
    named = ability.removeprefix("anti-").rsplit(" ", 1)[0]
    return any(word.strip().upper() in words for word in named.split("/"))


def why(profile: dict[str, Any], size: int) -> str:
    """The rule that the calculator leaves out, if the profile has one."""
    words = [one["keyword_id"] for one in profile.get("keywords") or ()]
    if any(one["keyword_id"] == "blast" and not one.get("parameters") for one in profile.get("keywords") or ()):
        return NUMBERLESS if size >= LARGE else ""
    if words.count("anti") > 1:
        return SEVERAL
    return next((reason for word, reason in STRANGE.items() if word in words), "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=4011)
    asked = parser.parse_args()
    pairs = list(drawn(asked.pairs, asked.seed))
    apart = [pair for pair in pairs if not pair.agree]
    print(f"{len(pairs) - len(apart)} of {len(pairs)} pairs agree.")
    for reason, number in Counter(pair.reason for pair in apart if pair.reason).most_common():
        print(f"{number} differ: {reason}.")
    faults = [pair for pair in apart if not pair.reason]
    for pair in faults[:20]:
        print(f"FAULT {pair.weapon} ({pair.profile}) at {pair.unit}: {pair.ours:.4f}, not {pair.theirs:.4f}")
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()
