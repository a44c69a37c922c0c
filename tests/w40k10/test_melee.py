"""Making melee attacks."""

from __future__ import annotations

from typing import Any

import pytest

from w40k10.arms import blade, column, gun, last, melee, outcomes, sheet, stories, strike, target
from w40k10.table import (
    HERO,
    alive,
    asked,
    default,
    feature,
    give,
    kinds,
    named,
    offered,
    refused_by,
    rolls,
    situation,
    told,
    unit,
)

OTHERS = unit("Others", "blue", target(name="Other"), [(9, 8)], fought=True)
"""On the other side of the first of the Reds, in base contact."""


# --- Weapons ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.fight.select_weapon", check=1)
def test_a_model_strikes_with_one_melee_weapon() -> None:
    b = melee([blade(name="sword", a="2"), blade(name="axe")], dice={"hit": [1]})
    refused_by(b, "strike", [{"weapon": w, "target": "Blues"} for w in ("sword", "axe")], "w40k10.fight.select_weapon")
    strike(b, ("axe", "Blues", 1))
    assert last(b)["attacks"] == 1


@pytest.mark.rule("w40k10.fight.select_weapon", check=2)
def test_a_weapon_with_two_profiles_uses_one_of_them() -> None:
    arms = [blade(name="strike", of="hammer", a="2"), blade(name="sweep", of="hammer", a="6")]
    b = melee(arms, dice={"hit": [1] * 6})
    both = [{"weapon": "strike", "target": "Blues"}, {"weapon": "sweep", "target": "Blues"}]
    refused_by(b, "strike", both, "w40k10.fight.select_weapon")
    strike(b, ("sweep", "Blues", 6))
    assert last(b)["attacks"] == 6


@pytest.mark.rule("w40k10.fight.select_weapon", check=3)
@pytest.mark.rule("w40k10.fight.split_attacks", check=2)
@pytest.mark.rule("w40k10.fight.select_targets", check=2)
def test_weapons_and_targets_are_declared_before_the_first_die() -> None:
    b = melee(blade(a="2"), more=[OTHERS], dice={"hit": [1, 1]})
    assert not rolls(b)
    strike(b, ("blade", "Blues", 1), ("blade", "Others", 1))
    assert [o["attacks"] for o in outcomes(b)] == [1, 1]
    assert [d.unit for d in b.decisions] == [named(b, "Spares").id], "nothing else is asked of the Reds"


@pytest.mark.rule("w40k10.fight.select_weapon", check=1)
def test_every_model_that_can_fight_does() -> None:
    b = melee(blade(a="2"), fighters=2, targets=2, dice={"hit": [1] * 4})
    refused_by(b, "strike", [{"weapon": "blade", "target": "Blues", "count": 2}], "w40k10.fight.select_weapon")
    strike(b, ("blade", "Blues", 4))
    assert last(b)["attacks"] == 4


def test_who_strikes_with_what_is_dealt_out_so_that_it_works() -> None:
    """Only the first model has an axe: if it is to strike with that, the sword is for the other."""
    loadout = [{"models": [1], "weapons": ["sword", "axe"]}, {"models": [2], "weapons": ["sword"]}]
    reds = unit(
        "More Reds", "red", sheet(blade(name="sword"), blade(name="axe"), name="R"), column(2, 20, 20), loadout=loadout
    )
    b = situation(
        [reds, unit("Blues", "blue", target(), column(2, 21, 20), fought=True)],
        step="remaining_combats",
        dice={"hit": [1, 1]},
    )
    strike(b, ("sword", "Blues", 1), ("axe", "Blues", 1))
    assert len(outcomes(b)) == 2


@pytest.mark.rule("w40k10.fight.attack_count", check=1)
def test_a_model_makes_as_many_attacks_as_its_weapon_has() -> None:
    b = melee(blade(a="4"), dice={"hit": [1] * 4})
    refused_by(b, "strike", [{"weapon": "blade", "target": "Blues", "count": 3}], "w40k10.fight.attack_count")
    strike(b, ("blade", "Blues", 4))
    assert rolls(b) == [("hit", (1, 1, 1, 1))]


def test_a_random_number_of_melee_attacks_is_rolled_for_each_model() -> None:
    b = melee(blade(a="D3"), fighters=2, targets=2, dice={"attacks": [1, 6], "hit": [1] * 4})
    strike(b, ("blade", "Blues", 2))
    assert last(b)["attacks"] == 4


@pytest.mark.rule("w40k10.fight.split_attacks", check=1)
def test_where_the_number_of_attacks_is_rolled_each_weapon_goes_to_one_target_as_a_whole() -> None:
    # A base behind the Reds is touched by both of them.
    others = unit("Others", "blue", target(name="Other", base="50.8mm"), [(8.7, 8.75)], fought=True)
    b = melee(blade(a="D3"), fighters=2, targets=2, more=[others], dice={"attacks": [6, 4], "hit": [1] * 5})
    (one,) = asked(b, "strike").rows  # type: ignore[attr-defined]
    assert one.count == 2, "two weapons, not their attacks"
    strike(b, ("blade", "Blues", 1), ("blade", "Others", 1))
    assert [o["attacks"] for o in outcomes(b)] == [3, 2]


@pytest.mark.rule("w40k10.datasheet.weapon_profile", check=2)
def test_a_ranged_weapon_is_not_used_in_the_fight_phase() -> None:
    assert "gun" not in offered(melee([blade(), gun()]), "strike")


@pytest.mark.rule("w40k10.fight.select_weapon", check=1)
@pytest.mark.rule("w40k10.weapon.extra_attacks", check=1)
@pytest.mark.rule("w40k10.weapon.extra_attacks", check=3)
def test_extra_attacks_come_on_top() -> None:
    arms = [blade(name="sword", a="4"), blade("extra attacks", name="claws", a="2")]
    b = melee(arms, dice={"hit": [1] * 6})
    refused_by(b, "strike", [{"weapon": "claws", "target": "Blues"}], "w40k10.fight.select_weapon")
    strike(b, ("sword", "Blues", 4), ("claws", "Blues", 2))
    assert [o["attacks"] for o in outcomes(b)] == [4, 2]


@pytest.mark.rule("w40k10.fight.select_weapon", check=1)
def test_who_has_nothing_but_extra_attacks_strikes_with_those_alone() -> None:
    b = melee(blade("extra attacks", name="claws", a="2"), dice={"hit": [1] * 2})
    strike(b, ("claws", "Blues", 2))
    assert last(b)["attacks"] == 2


# --- Targets ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.fight.select_targets", check=1)
def test_a_second_rank_strikes_whom_its_comrade_touches() -> None:
    """The second Red touches the first, who touches Blues; Others are within reach of the first only."""
    others = unit("Others", "blue", target(name="Other"), [(11, 6.6)], fought=True)
    b = situation(
        [
            unit("Reds", "red", sheet(blade(), name="Red"), [(10, 8), (9, 8)]),
            unit("Blues", "blue", target(), [(11, 8)], fought=True),
            others,
        ],
        step="remaining_combats",
    )
    give(b, "pile_in", {"mode": "pile_in"})
    rows = asked(b, "strike").rows  # type: ignore[attr-defined]
    blues, others_id = named(b, "Blues").id, named(b, "Others").id
    assert sorted(r.targets for r in rows) == sorted([(blues,), (blues, others_id)])
    both = [{"weapon": r.id, "target": "Others", "count": 1} for r in rows]
    refused_by(b, "strike", both, "w40k10.fight.select_targets")


@pytest.mark.rule("w40k10.fight.select_targets", check=3)
def test_melee_attacks_need_no_sight() -> None:
    wall = feature("ruins", (10.4, 5, 0.2, 6), 5, solid=True)
    b = melee(blade(), terrain=[wall], dice={"hit": [3], "wound": [4]})
    strike(b, ("blade", "Blues", 1))
    assert alive(b, "Blues") == 0


@pytest.mark.rule("w40k10.fight.split_attacks", check=1)
def test_the_attacks_of_one_weapon_are_divided() -> None:
    b = melee(blade(a="4"), more=[OTHERS], dice={"hit": [1] * 4})
    strike(b, ("blade", "Blues", 3), ("blade", "Others", 1))
    assert [o["attacks"] for o in outcomes(b)] == [3, 1]


@pytest.mark.rule("w40k10.fight.no_targets", check=1)
def test_a_unit_without_targets_makes_no_attacks_but_may_consolidate() -> None:
    b = situation(
        [
            unit("Reds", "red", sheet(blade(), name="Red"), [(10, 8)], charged=True, fight_eligible=True),
            unit("Blues", "blue", target(), [(15, 8)]),
        ],
        step="fights_first",
        objectives=[(12, 8)],
    )
    give(b, "pile_in", {"mode": "pile_in"})
    assert "no_targets" in told(b)
    assert not outcomes(b) and kinds(b) == ["consolidate"]


@pytest.mark.parametrize(
    ("armed", "why"), [((), "Reds have nothing to strike with."), ((blade(),), "Reds have nobody to strike.")]
)
def test_who_has_no_weapon_for_it_has_nothing_to_strike_with(armed: tuple[Any, ...], why: str) -> None:
    far = 12 if not armed else 15
    b = situation(
        [
            unit("Reds", "red", sheet(*armed, name="Red"), [(10, 8)], charged=True, fight_eligible=True),
            unit("Blues", "blue", target(), [(far, 8)]),
        ],
        step="fights_first",
    )
    if b.decisions[0].kind == "pile_in":
        give(b, "pile_in", {"mode": "pile_in"})
    assert why in stories(b)


# --- Order ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.fight.resolve_order", check=1)
def test_attacks_at_the_second_target_wait_for_all_at_the_first() -> None:
    arms = [blade(name="sword", a="2"), blade("extra attacks", name="claws")]
    b = melee(arms, target(wounds=9), more=[OTHERS], dice={"hit": [1] * 3})
    strike(b, ("sword", "Blues", 1), ("sword", "Others", 1), ("claws", "Blues", 1))
    assert [s.split(" at ")[1].split(",")[0] for s in stories(b) if " x " in s] == ["Blues", "Blues", "Others"]


@pytest.mark.rule("w40k10.fight.resolve_order", check=2)
def test_attacks_with_one_profile_are_resolved_back_to_back() -> None:
    """The Lord's sword has Precision by Epic Challenge and is rolled apart, but the axe does not come in between."""
    arms = [blade(name="sword"), blade(name="axe", s=8)]
    armed = [{"models": [1], "weapons": ["sword"]}, {"models": [2], "weapons": ["axe"]}]
    b = situation(
        [
            unit("Reds", "red", sheet(*arms, name="Red"), column(2, 10), loadout=armed),
            unit("Lord", "red", {**HERO, "weapons": arms[:1], "leads": ["Red"]}, [(10, 11)], leads="Reds"),
            unit("Blues", "blue", target(), column(2, 11), fought=True),
            unit("Hero", "blue", {**HERO, "leads": ["Target"]}, [(11, 11)], leads="Blues"),
        ],
        step="remaining_combats",
        cp=(1, 0),
        dice={"hit": [1] * 3},
    )
    (challenge,) = asked(b, "react.unit_selected_to_fight").options  # type: ignore[attr-defined]
    give(b, "react.unit_selected_to_fight", challenge.value)
    strike(b, ("sword", "Blues", 1), ("axe", "Blues", 1), ("sword (2)", "Blues", 1))
    names = [s.split(" x ")[1].split(" at ")[0] for s in stories(b) if " x " in s]
    assert names == ["sword", "sword", "axe"]


@pytest.mark.rule("w40k10.fight.committed", check=1)
def test_attacks_go_on_against_models_out_of_reach() -> None:
    b = melee([blade(a="2"), blade("extra attacks", name="claws")], targets=3, dice={"hit": [3] * 3, "wound": [4] * 3})
    strike(b, ("blade", "Blues", 2), ("claws", "Blues", 1))
    assert alive(b, "Blues") == 0


@pytest.mark.rule("w40k10.fight.committed", check=2)
def test_attacks_at_a_destroyed_unit_are_lost() -> None:
    arms = [blade(a="2"), blade("extra attacks", name="claws")]
    b = melee(arms, more=[OTHERS], dice={"hit": [3, 3], "wound": [4, 4]})
    strike(b, ("blade", "Blues", 2), ("claws", "Blues", 1))
    assert len(outcomes(b)) == 1 and alive(b, "Others") == 1


@pytest.mark.rule("w40k10.ability.stealth", check=3)
def test_stealth_does_not_help_in_melee() -> None:
    b = melee(blade(), target(abilities=["stealth"]), dice={"hit": [3], "wound": [1]})
    strike(b, ("blade", "Blues", 1))
    assert last(b)["hits"] == 1


def test_the_default_strikes_with_what_does_most() -> None:
    b = melee(
        [blade(name="feeble", a="1", s=1), blade(name="mighty", a="3", s=8, ap=-3)],
        target(save=3, wounds=3),
        dice={"hit": [1] * 3},
    )
    default(b, "strike")
    assert any("mighty" in s for s in stories(b)) and not any("feeble" in s for s in stories(b))
