"""The `crunch` of the wh40kdc package and our solver agree on expected values wherever both model a rule.

Where they differ, the tests below name the difference; docs/odds-evidence.md explains each.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from wh40kdc.cruncher import crunch
from wh40kdc.data.dataset import Dataset

from attack import forty_kdc as kdc
from attack.forty_kdc import Circumstances, Json
from sandtable.attack.funnel import funnel
from sandtable.attack.solver import solve
from sandtable.attack.volley import NEVER, Procedure, dice

PAIRS = 2500
CLOSE = 1e-9
BY_HAND: Json = {"kind": "manual", "label": "by hand"}
SUBSETS = {"ones": "ones", "failures": "all-failures"}


@cache
def dataset() -> Dataset:
    return Dataset.embedded()


@cache
def weapons() -> list[tuple[Json, int]]:
    """Every profile of every weapon, as (weapon, number of the profile)."""
    return [(w, i) for w in (view.raw for view in dataset().weapons.all) for i in range(len(w["profiles"]))]


@cache
def units() -> list[Json]:
    return [view.raw for view in dataset().units.all if len(view.raw["profiles"]) == 1]


def crunched(weapon: Json, number: int, unit: Json, at: Circumstances, *more: Json) -> dict[str, float]:
    """The stages of `crunch` by name."""
    buffs: list[Json] = list(more)
    if at.cover:
        buffs.append({"type": "cover"})
    if at.to_hit:
        buffs.append({"type": "hit-mod", "value": at.to_hit})
    if at.to_wound:
        buffs.append({"type": "wound-mod", "value": at.to_wound})
    for roll, again in (("hit", at.reroll_hits), ("wound", at.reroll_wounds), ("save", at.reroll_saves)):
        if again != "none":
            buffs.append({"type": "reroll", "roll": roll, "subset": SUBSETS[again]})
    if at.pain < NEVER:
        buffs.append({"type": "feel-no-pain", "threshold": at.pain})
    if at.invulnerable < NEVER:
        buffs.append({"type": "invulnerable-save", "threshold": at.invulnerable})
    found = crunch(
        {
            "attacker": {"weapon": weapon, "profileIndex": number},
            "target": {"unit": unit, "profileIndex": 0, "modelCount": at.models},
            "modelsFiring": at.firing,
            "buffs": [{"source": BY_HAND, "contribution": c} for c in buffs],
            "context": {"withinHalfRange": at.half_range, "attackerStationary": at.stationary},
        },
        dataset(),
    )
    return {stage["name"]: float(stage["expected"]) for stage in found["stages"]}


def stages(profile: Json, unit: Json, at: Circumstances) -> dict[str, float]:
    """The same stages of our funnel, against models that never run out of wounds."""
    attack = kdc.attack(profile, kdc.wall(profile, unit, at), unit, at)
    found = funnel(msgspec.structs.replace(attack, procedure=Procedure.EACH_IN_TURN))
    assert found.unsaved is not None
    out = {s.name: s.mean for s in (found.attacks, found.hits, found.wounds, found.unsaved)}
    if most_damage(attack.volleys[0], at) <= 40:
        one = kdc.attack(profile, kdc.wall(profile, unit, at, bodies=1), unit, at)
        out["after-fnp"] = solve(one).mean_damage
    return out


def most_damage(volley: Any, at: Circumstances) -> int:
    hits = max(f.hits + f.wounds + (f.extra.most if f.extra else 0) for f in volley.hit.faces)
    return at.firing * int(volley.shots[0].each.most) * hits * int(volley.kinds[0].damage.most)


# ---------------------------------------------------------------------- what is known to differ


def differs(profile: Json, unit: Json, at: Circumstances) -> str:
    """Why the two must differ on a pair, in a word; "" where they must not."""
    keywords = kdc.keywords_of(unit)
    found = kdc.abilities(profile, keywords)
    if "cleave" in found and at.models >= 5:
        return "cleave"
    if "blast" in found and "value" not in found["blast"][0] and at.models >= 5:
        return "plain blast"
    antis = found.get("anti", [])
    if len(antis) > 1 and antis[0]["target_keyword"].lower() not in keywords and kdc.anti(found, keywords) < 6:
        return "several anti abilities"
    if len(antis) > 1 and int(antis[0]["threshold"]) > kdc.anti(found, keywords):
        return "several anti abilities"
    to_hit = at.to_hit or ("heavy" in found and at.stationary)
    again = at.reroll_wounds == "failures" or "twin-linked" in found
    if (at.reroll_hits == "failures" and to_hit) or (again and at.to_wound):
        return "failures are told by the bare face"
    return ""


def pairs(seed: int, size: int) -> Iterator[tuple[Json, int, Json, Circumstances]]:
    rng = random.Random(seed)
    found = 0
    while found < size:
        weapon, number = rng.choice(weapons())
        unit = rng.choice(units())
        profile = weapon["profiles"][number]
        if "target_restrictions" in profile:
            continue
        at = Circumstances(
            firing=rng.choice((1, 1, 1, 2, 5)),
            models=rng.randint(1, 12),
            half_range=rng.random() < 0.5,
            stationary=rng.random() < 0.3,
            cover=rng.random() < 0.3,
            to_hit=rng.choice((-1, 0, 0, 1)),
            to_wound=rng.choice((-1, 0, 0, 1)),
            reroll_hits=rng.choice(("none", "none", "ones", "failures")),
            reroll_wounds=rng.choice(("none", "none", "ones", "failures")),
            reroll_saves=rng.choice(("none", "none", "none", "ones", "failures")),
            pain=rng.choice((NEVER, NEVER, 6, 5, 4)),
            invulnerable=rng.choice((NEVER, NEVER, 6, 5, 4)),
        )
        if at.firing * dice(profile["stats"]["A"]).most > 60:
            continue
        found += 1
        yield weapon, number, unit, at


def test_expected_values_agree_wherever_both_model_the_rule() -> None:
    why: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    for weapon, number, unit, at in pairs(11, PAIRS):
        profile = weapon["profiles"][number]
        cause = differs(profile, unit, at)
        why[cause] += 1
        theirs, ours = crunched(weapon, number, unit, at), stages(profile, unit, at)
        same = {name: abs(ours[name] - theirs[name]) < CLOSE * max(1.0, ours[name]) for name in ours}
        if not cause:
            assert all(same.values()), (profile, unit["id"], at, ours, theirs)
            compared.update(list(ours))
        elif cause in ("cleave", "plain blast"):
            assert not same["attacks"], (profile, unit["id"], at)
    assert compared["wounds"] > 0.65 * PAIRS
    assert compared["after-fnp"] > 0.4 * PAIRS
    assert why["cleave"] + why["plain blast"] > 20


def test_every_weapon_ability_that_both_model_was_met() -> None:
    met: Counter[str] = Counter()
    for weapon, number, unit, at in pairs(11, PAIRS):
        profile = weapon["profiles"][number]
        if not differs(profile, unit, at):
            met.update(list(kdc.abilities(profile, kdc.keywords_of(unit))))
    for ability in (
        "anti",
        "devastating-wounds",
        "heavy",
        "ignores-cover",
        "lethal-hits",
        "melta",
        "rapid-fire",
        "sustained-hits",
        "torrent",
        "twin-linked",
    ):
        assert met[ability] >= 20, ability


# ---------------------------------------------------------------------- the differences, one by one


def gun(**more: Any) -> Json:
    stats = {"A": 4, "BS": 3, "S": 4, "AP": 0, "D": 1, **more.pop("stats", {})}
    refs = [{"keyword_id": k.replace("_", "-"), **({"parameters": v} if v else {})} for k, v in more.pop("with_", [])]
    profile = {"name": "gun", "range": more.pop("range", 24), "stats": stats, "keywords": refs}
    return {"id": "gun", "name": "gun", "profiles": [profile]}


def unit(**more: Any) -> Json:
    words = more.pop("keywords", ["Infantry"])
    return {"id": "unit", "keywords": words, "profiles": [{"T": 4, "Sv": 4, "W": 1, **more}]}


def both(weapon: Json, target: Json, at: Circumstances, *buffs: Json) -> tuple[dict[str, float], dict[str, float]]:
    return crunched(weapon, 0, target, at, *buffs), stages(weapon["profiles"][0], target, at)


def test_a_plain_blast_counts_for_nothing_there() -> None:
    theirs, ours = both(gun(with_=[("blast", None)]), unit(), Circumstances(models=11))
    assert (theirs["attacks"], ours["attacks"]) == (4, 6)
    theirs, ours = both(gun(with_=[("blast", {"value": 2})]), unit(), Circumstances(models=11))
    assert theirs["attacks"] == ours["attacks"] == 8


def test_cleave_is_not_known_there() -> None:
    sword = gun(with_=[("cleave", {"value": 2})], range="Melee", stats={"WS": 3})
    theirs, ours = both(sword, unit(), Circumstances(models=11))
    assert (theirs["attacks"], ours["attacks"]) == (4, 8)


def test_of_several_anti_abilities_only_the_first_is_looked_at_there() -> None:
    antis = [
        ("anti", {"target_keyword": "Vehicle", "threshold": 4}),
        ("anti", {"target_keyword": "Infantry", "threshold": 2}),
    ]
    at = Circumstances()
    theirs, ours = both(gun(with_=antis, stats={"S": 2}), unit(), at)
    hits = 4 * 2 / 3
    assert theirs["wounds"] == pytest.approx(hits * 1 / 6)
    assert ours["wounds"] == pytest.approx(hits * 5 / 6)
    theirs, ours = both(gun(with_=antis[::-1], stats={"S": 2}), unit(), at)
    assert theirs["wounds"] == pytest.approx(ours["wounds"])


def test_two_feel_no_pains_are_both_rolled_there() -> None:
    weapon = gun(with_=[("devastating-wounds", None)], stats={"D": 3, "A": 1})
    at = Circumstances(pain=5)
    theirs = crunched(weapon, 0, unit(), at, {"type": "feel-no-pain", "threshold": 4, "scope": "mortal"})
    ours = stages(weapon["profiles"][0], unit(), msgspec.structs.replace(at, pain_mortal=4))
    critical = 2 / 3 * 1 / 6 * 3
    plain = 2 / 3 * 1 / 3 * 1 / 2 * 3 * 2 / 3
    assert theirs["after-fnp"] == pytest.approx(plain + critical * 2 / 3 * 1 / 2)
    assert ours["after-fnp"] == pytest.approx(plain + critical * 1 / 2)


def test_damage_is_reduced_on_the_average_there() -> None:
    """D3 less 1, at least 1: the results are 1, 1, 2, and not 2 less 1."""
    weapon = gun(stats={"D": "D3", "A": 1})
    theirs = crunched(weapon, 0, unit(), Circumstances(), {"type": "damage-reduction", "value": 1})
    unsaved = 2 / 3 * 1 / 2 * 1 / 2
    assert theirs["damage"] == pytest.approx(unsaved * 1)
    volley = kdc.volley(weapon["profiles"][0], unit(), Circumstances())
    less = msgspec.structs.replace(volley.kinds[0], damage=dice("D3-1", least=1))
    attack = kdc.attack(
        weapon["profiles"][0], kdc.wall(weapon["profiles"][0], unit(), Circumstances(), 1), unit(), Circumstances()
    )
    ours = solve(msgspec.structs.replace(attack, volleys=(msgspec.structs.replace(volley, kinds=(less,)),)))
    assert ours.mean_damage == pytest.approx(unsaved * 4 / 3)


def test_save_modifiers_have_no_limit_there() -> None:
    weapon = gun(stats={"A": 1})
    theirs = crunched(weapon, 0, unit(), Circumstances(), {"type": "save-mod", "value": 2})
    assert theirs["unsaved"] == pytest.approx(2 / 3 * 1 / 2 * 1 / 6)


def test_excess_damage_is_not_lost_there() -> None:
    weapon = gun(stats={"A": 6, "D": 3})
    at = Circumstances(models=10)
    theirs = crunched(weapon, 0, unit(W=2), at)
    profile = weapon["profiles"][0]
    ours = solve(kdc.attack(profile, kdc.squad(profile, unit(W=2), at), unit(W=2), at))
    unsaved = 6 * 2 / 3 * 1 / 2 * 1 / 2
    assert theirs["models-killed"] == pytest.approx(unsaved * 3 / 2)
    assert ours.mean_killed == pytest.approx(unsaved)


def test_the_number_of_models_caps_the_average_there_and_each_case_here() -> None:
    weapon = gun(stats={"A": 4})
    at = Circumstances(models=1)
    theirs = crunched(weapon, 0, unit(), at)
    profile = weapon["profiles"][0]
    ours = solve(kdc.attack(profile, kdc.squad(profile, unit(), at), unit(), at))
    assert theirs["models-killed"] == pytest.approx(4 / 6)
    assert ours.mean_killed == pytest.approx(1 - (5 / 6) ** 4)


def test_models_killed_are_never_more_here() -> None:
    met = 0
    for weapon, number, target, at in pairs(12, 400):
        profile = weapon["profiles"][number]
        if differs(profile, target, at) or target["profiles"][0]["W"] > 40:
            continue
        found = solve(kdc.attack(profile, kdc.squad(profile, target, at), target, at))
        assert found.mean_killed <= crunched(weapon, number, target, at)["models-killed"] + CLOSE
        met += 1
    assert met > 250
