"""Piling in, consolidating and Heroic Interventions of 8th edition."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.scenario import UnitDoc
from sandtable.systems.w40k8.state import Battle8
from support.acting import default, judge, places, refused_by
from w40k8.table import Spots, asked, bare, blade, give, gun, kinds, named, rolls, sheet, situation, told, unit

FLYER = sheet(name="Red", keywords=["INFANTRY", "FLY"])


def piling(
    red_at: Spots,
    blue_at: Spots,
    *,
    red: Any = None,
    more: list[UnitDoc] | None = None,
    **flags: Any,
) -> Battle8:
    """Reds, who charged Blues, are about to pile in."""
    reds = unit("Reds", "red", red or sheet(name="Red"), red_at, charged=True, targets=[1], **flags)
    return situation([reds, unit("Blues", "blue", bare(), blue_at), *(more or [])], step="fight_units")


def to(*spots: tuple[float, ...] | None) -> dict[str, Any]:
    """A move that takes the models straight to places."""
    return {"to": [None if s is None else list(s) for s in spots]}


# --- Piling in --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k8.fight.pile_in", check=1)
def test_a_model_piles_in_up_to_three_inches() -> None:
    b = piling([(10, 10)], [(15, 10)])
    assert judge(b, "pile_in", to((13, 10)))
    refused_by(b, "pile_in", to((13.01, 10)), "w40k8.fight.pile_in")


@pytest.mark.rule("w40k8.fight.pile_in", check=1)
def test_each_model_may_stay() -> None:
    b = piling([(10, 10), (10, 11.5)], [(13, 10)])
    assert judge(b, "pile_in", to(None, (11, 11)))
    give(b, "pile_in", to())
    assert places(b, "Reds") == [(10.0, 10.0, 0.0), (10.0, 11.5, 0.0)]
    assert "pile_in" not in told(b)


@pytest.mark.rule("w40k8.fight.pile_in", check=2)
def test_a_model_ends_nearer_to_the_enemy_model_that_was_nearest_before_it_moved() -> None:
    b = piling([(10, 10)], [(13, 10), (10, 13.5)])
    refused_by(b, "pile_in", to((10, 11.5)), "w40k8.fight.pile_in")
    assert judge(b, "pile_in", to((10.5, 11)))


@pytest.mark.rule("w40k8.fight.pile_in", check=2)
def test_one_of_several_that_does_not_get_nearer_is_one_too_many() -> None:
    b = piling([(10, 10), (10, 11.5)], [(13, 10)])
    refused_by(b, "pile_in", to((11, 10), (9.9, 11.5)), "w40k8.fight.pile_in")
    assert judge(b, "pile_in", to((11, 10), (10.1, 11.5)))


@pytest.mark.rule("w40k8.fight.pile_in", check=3)
def test_a_model_in_base_contact_does_not_move() -> None:
    b = piling([(12, 10), (11, 12)], [(13, 10)])
    refused_by(b, "pile_in", to((12.02, 10.2)), "w40k8.fight.pile_in")
    assert judge(b, "pile_in", to(None, (12, 11.2)))


@pytest.mark.rule("w40k8.fight.pile_in", check=4)
def test_it_may_end_beside_units_that_were_not_charged() -> None:
    others = unit("Others", "blue", bare(), [(11.5, 12.2)])
    b = piling([(10, 10)], [(12.5, 10)], more=[others])
    assert judge(b, "pile_in", to((11.2, 11)))


@pytest.mark.rule("w40k8.fight.pile_in", check=5)
def test_it_need_not_end_near_anybody() -> None:
    b = piling([(10, 10)], [(20, 10)])
    give(b, "pile_in", to((10.5, 10)))
    assert places(b, "Reds") == [(10.5, 10.0, 0.0)]


@pytest.mark.rule("w40k8.fight.pile_in", check=6)
@pytest.mark.rule("w40k8.concept.coherency", check=6)
def test_the_unit_ends_together() -> None:
    b = piling([(10, 10), (10, 12)], [(14, 10)])
    refused_by(b, "pile_in", to((12.3, 10)), "w40k8.concept.coherency")
    assert judge(b, "pile_in", to((12.2, 10)))


@pytest.mark.rule("w40k8.fight.pile_in", check=7)
@pytest.mark.rule("w40k8.move.through_models", check=1)
@pytest.mark.rule("w40k8.move.through_models", check=5)
@pytest.mark.rule("w40k8.move.fly", check=1)
@pytest.mark.rule("w40k8.move.fly", check=6)
def test_nobody_moves_through_enemies_unless_they_fly() -> None:
    behind = to((12.3, 10.5))
    at: tuple[Spots, Spots] = [(10, 10)], [(11.2, 10.3), (11.6, 11.6)]
    refused_by(piling(*at), "pile_in", behind, "w40k8.move.through_models")
    assert judge(piling(*at, red=FLYER), "pile_in", behind)


@pytest.mark.rule("w40k8.fight.pile_in", check=7)
@pytest.mark.rule("w40k8.move.through_models", check=2)
@pytest.mark.rule("w40k8.move.fly", check=1)
def test_nobody_moves_through_friends_or_comrades() -> None:
    friends = unit("Friends", "red", sheet(name="Friend"), [(11.2, 10)])
    refused_by(piling([(10, 10)], [(14, 10)], more=[friends]), "pile_in", to((12.4, 10)), "w40k8.move.through_models")
    assert judge(piling([(10, 10)], [(14, 10)], more=[friends], red=FLYER), "pile_in", to((12.4, 10)))
    refused_by(piling([(10, 10), (11.2, 10)], [(14, 10)]), "pile_in", to((12.4, 10)), "w40k8.move.through_models")
    assert judge(piling([(10, 10), (11.2, 10)], [(14, 10)], red=FLYER), "pile_in", to((12.4, 10)))


@pytest.mark.rule("w40k8.move.through_models", check=4)
def test_nobody_ends_on_top_of_others() -> None:
    refused_by(piling([(10, 10)], [(12, 10)]), "pile_in", to((11.2, 10)), "w40k8.move.through_models")
    refused_by(piling([(10, 10)], [(12, 10)], red=FLYER), "pile_in", to((11.2, 10)), "w40k8.move.through_models")


def test_a_pile_in_that_is_found_goes_to_the_enemy() -> None:
    b = piling([(10, 10), (10, 11.2), (8.8, 10)], [(13, 10), (13, 11.2)])
    default(b, "pile_in")
    assert all(x > 10 for x, _, _ in places(b, "Reds")[:2])


# --- Consolidating ----------------------------------------------------------------------------------------------------


def consolidating(red_at: Spots, blue_at: Spots, *more: UnitDoc) -> Battle8:
    """Reds have fought without a hit, and are about to consolidate."""
    reds = unit("Reds", "red", sheet(blade(), name="Red"), red_at)
    blues = unit("Blues", "blue", bare(wounds=9), blue_at, fought=True)
    b = situation([reds, blues, *more], step="fight_units", dice={"hit": [1] * len(red_at)})
    give(b, "pile_in", {})
    while kinds(b)[0] not in ("consolidate", "fight_with"):
        b.answer(b.decisions[0], b.default(b.decisions[0]))
    return b


@pytest.mark.rule("w40k8.fight.consolidate", check=1)
def test_a_consolidation_is_three_inches_at_most_and_nearer_to_the_nearest() -> None:
    b = consolidating([(10, 10), (8.5, 10)], [(11.5, 10)])
    assert judge(b, "consolidate", to(None, (9, 10.9)))
    refused_by(b, "consolidate", to((9.9, 10.1)), "w40k8.fight.consolidate")
    far = consolidating([(10, 10), (8, 10)], [(11.5, 10)], unit("Others", "blue", bare(), [(30, 10)]))
    refused_by(far, "consolidate", {"paths": {2: [[8.5, 11.9], [10.5, 11.2]]}}, "w40k8.fight.consolidate")
    assert judge(far, "consolidate", {"paths": {2: [[8.5, 11.2], [9.5, 11.2]]}})


@pytest.mark.rule("w40k8.fight.consolidate", check=2)
def test_it_may_lead_to_units_that_were_not_fought() -> None:
    b = consolidating([(10, 10)], [(11.9, 10)], unit("Others", "blue", bare(), [(10.8, 12.3)]))
    assert judge(b, "consolidate", to((10.7, 10.6)))


@pytest.mark.rule("w40k8.fight.consolidate", check=3)
def test_it_may_be_made_when_all_opponents_are_slain() -> None:
    reds = unit("Reds", "red", sheet(blade(d="9"), name="Red"), [(10, 10)])
    blues = unit("Blues", "blue", bare(), [(11.2, 10)], fought=True)
    others = unit("Others", "blue", bare(), [(20, 10)])
    b = situation([reds, blues, others], step="fight_units", dice={"hit": [6], "wound": [6], "save": [1]})
    give(b, "pile_in", {})
    default(b, "strike")
    assert len(b.on_table(named(b, "Blues"))) == 0
    assert judge(b, "consolidate", to((13, 10)))
    refused_by(b, "consolidate", to((13.01, 10)), "w40k8.fight.consolidate")


@pytest.mark.rule("w40k8.fight.consolidate", check=4)
def test_no_attacks_follow_from_it() -> None:
    b = consolidating([(10, 10)], [(11.9, 10)], unit("Others", "blue", bare(), [(10.8, 12.3)], fought=True))
    before = rolls(b)
    give(b, "consolidate", to((10.7, 10.6)))
    assert rolls(b) == before
    assert kinds(b) == []


@pytest.mark.rule("w40k8.fight.consolidate", check=5)
def test_the_unit_ends_its_consolidation_together() -> None:
    b = consolidating([(10, 10), (10, 12)], [(11.8, 10)], unit("Others", "blue", bare(), [(10, 17)]))
    refused_by(b, "consolidate", to(None, (10.5, 13.1)), "w40k8.concept.coherency")


@pytest.mark.rule("w40k8.fight.consolidate", check=6)
def test_one_model_moves_nearer_to_the_nearest_enemy() -> None:
    b = consolidating([(10, 10), (10, 11.5)], [(11.5, 10)])
    give(b, "consolidate", to(None, (10.3, 11.3)))
    assert places(b, "Reds") == [(10.0, 10.0, 0.0), (10.3, 11.3, 0.0)]
    assert "consolidate" in told(b)


# --- Heroic Interventions ---------------------------------------------------------------------------------------------

HERO = sheet(name="Hero", keywords=["INFANTRY", "CHARACTER"])


def intervening(gap: float = 2, *, doc: Any = HERO, player: str = "blue", charged: bool = False) -> Battle8:
    """After red's last charge, with a hero so many inches from Reds."""
    reds = unit("Reds", "red", sheet(name="Red"), [(10, 10)], charged=charged)
    hero = unit("Hero", player, doc, [(11 + gap, 10)])
    far = [unit("Foes", "blue", bare(name="Foe"), [(10, 25)]), unit("Friends", "red", bare(name="Friend"), [(40, 25)])]
    return situation([reds, hero, *far], step="heroic_interventions")


def stepping(gap: float = 2) -> Battle8:
    """The same, with the hero about to move."""
    b = intervening(gap)
    give(b, "intervene_with", "Hero")
    return b


@pytest.mark.rule("w40k8.charge.heroic", check=1)
@pytest.mark.rule("w40k8.charge.heroic", check=6)
def test_heroes_intervene_after_the_last_charge_and_before_any_fight_also_if_nobody_charged() -> None:
    b = intervening()
    assert kinds(b) == ["intervene_with"]
    assert b.state.game.phase == "charge"
    give(b, "intervene_with", "Hero")
    give(b, "heroic_move", to((12.9, 10)))
    assert "intervened" in told(b)
    assert "fights" not in told(b)[: told(b).index("intervened")]


@pytest.mark.rule("w40k8.charge.heroic", check=2)
def test_only_characters_of_the_other_player_intervene() -> None:
    assert kinds(intervening()) == ["intervene_with"]
    assert "intervene_with" not in kinds(intervening(doc=bare(name="Squad")))
    assert "intervene_with" not in kinds(intervening(player="red"))


@pytest.mark.rule("w40k8.charge.heroic", check=3)
def test_a_hero_intervenes_from_exactly_three_inches() -> None:
    assert kinds(intervening(3)) == ["intervene_with"]
    assert "intervene_with" not in kinds(intervening(3.01))


@pytest.mark.rule("w40k8.charge.heroic", check=4)
def test_a_heroic_move_is_three_inches_at_most_and_ends_nearer_to_the_nearest_enemy() -> None:
    b = stepping()
    refused_by(b, "heroic_move", to((13, 10.5)), "w40k8.charge.heroic")
    assert judge(b, "heroic_move", to((12.9, 10.5)))
    refused_by(b, "heroic_move", {"paths": {1: [[12.5, 11.5], [11.2, 10.8]]}}, "w40k8.charge.heroic")
    assert judge(b, "heroic_move", {"paths": {1: [[12.5, 11.3], [11.2, 10.8]]}})


@pytest.mark.rule("w40k8.charge.heroic", check=4)
def test_a_hero_in_base_contact_cannot_get_nearer() -> None:
    refused_by(stepping(0), "heroic_move", to((11.02, 10.2)), "w40k8.charge.heroic")
    assert judge(stepping(0), "heroic_move", {})


@pytest.mark.rule("w40k8.charge.heroic", check=5)
@pytest.mark.parametrize("x", [11.2, 12.5])
def test_it_may_end_near_the_enemy_and_need_not(x: float) -> None:
    b = stepping()
    give(b, "heroic_move", to((x, 10)))
    assert places(b, "Hero") == [(x, 10.0, 0.0)]


@pytest.mark.rule("w40k8.charge.heroic", check=7)
def test_it_provokes_no_overwatch() -> None:
    reds = unit("Reds", "red", sheet(gun(), name="Red"), [(10, 10)])
    b = situation([reds, unit("Hero", "blue", HERO, [(13, 10)])], step="heroic_interventions")
    give(b, "intervene_with", "Hero")
    give(b, "heroic_move", to((12.5, 10)))
    assert rolls(b) == []
    assert "overwatch" not in " ".join([*told(b), *kinds(b)])


@pytest.mark.rule("w40k8.charge.heroic", check=8)
def test_a_hero_that_intervened_has_not_charged() -> None:
    b = stepping()
    give(b, "heroic_move", to((11.2, 10)))
    assert not named(b, "Hero").charged
    assert asked(b, "pile_in").unit == named(b, "Reds").id
