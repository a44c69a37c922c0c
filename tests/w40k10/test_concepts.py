"""Core concepts: keywords, Engagement Range, measuring, strength of units."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Assignment
from sandtable.battle.events import Wounded
from sandtable.errors import UserError
from sandtable.forty.markers import markers_of
from sandtable.systems.w40k10.abilities.deadly_demise import units_near
from sandtable.systems.w40k10.core_concepts import (
    distance,
    has_any_keyword,
    has_keyword,
    is_friendly,
    model_has_keyword,
    within,
)
from sandtable.systems.w40k10.engagement_range import engaged, is_engaged
from sandtable.systems.w40k10.leadership_tests import best_leadership
from sandtable.systems.w40k10.starting_strength import below_half, starting_strength
from sandtable.systems.w40k10.state import Battle10, sheet_of
from sandtable.table.grid import STEP, steps
from w40k10.armies import CAPTAIN, INTERCESSORS, army, battle, broken, go_on
from w40k10.arms import duel, gun, target
from w40k10.table import (
    HERO,
    TANK,
    TROOPER,
    alive,
    asked,
    cites,
    default,
    feature,
    give,
    judge,
    named,
    row,
    situation,
    unit,
    wounds,
)


def pair(gap: float, z: float = 0, **second: object) -> Battle10:
    """Two enemies on 1" bases, this far apart."""
    return situation([unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(11 + gap, 10, z)])])


@pytest.mark.rule("w40k10.concept.engagement_range", check=1)
def test_exactly_one_inch_is_within_engagement_range() -> None:
    b = pair(1.0)
    assert engaged(b, named(b, "Reds"), named(b, "Blues"))


@pytest.mark.rule("w40k10.concept.engagement_range", check=2)
@pytest.mark.rule("w40k10.concept.engagement_range", check=1)
def test_a_little_more_than_an_inch_is_not() -> None:
    b, near = pair(1.1), pair(1.0)
    assert not engaged(b, named(b, "Reds"), named(b, "Blues"))
    assert engaged(near, named(near, "Reds"), named(near, "Blues"))


@pytest.mark.rule("w40k10.concept.engagement_range", check=3)
def test_five_inches_higher_is_engaged_and_a_little_more_is_not() -> None:
    low, high = pair(0.5, 5.0), pair(0.5, 5.1)
    assert is_engaged(low, named(low, "Reds"))
    assert not is_engaged(high, named(high, "Reds"))


@pytest.mark.rule("w40k10.concept.engagement_range", check=4)
def test_one_pair_of_models_engages_both_units() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(5, (10, 10))), unit("Blues", "blue", TROOPER, row(5, (17.9, 10)))])
    assert is_engaged(b, named(b, "Reds"))
    assert is_engaged(b, named(b, "Blues"))


@pytest.mark.rule("w40k10.concept.engagement_range", check=5)
def test_friends_are_never_engaged_with_each_other() -> None:
    b = situation(
        [
            unit("One", "red", TROOPER, [(10, 10)]),
            unit("Two", "red", TROOPER, [(11.2, 10)]),
            unit("Foe", "blue", TROOPER, [(12.4, 10)]),
        ]
    )
    assert not engaged(b, named(b, "One"), named(b, "Two"))
    assert engaged(b, named(b, "Two"), named(b, "Foe"))


@pytest.mark.rule("w40k10.concept.keywords", check=1)
def test_a_keyword_reaches_only_those_who_have_it() -> None:
    b = situation([unit("Tank", "red", TANK, [(10, 10)]), unit("Reds", "red", TROOPER, [(20, 10)])])
    assert has_keyword(b, named(b, "Tank"), "VEHICLE")
    assert not has_keyword(b, named(b, "Reds"), "VEHICLE")


@pytest.mark.rule("w40k10.concept.keywords", check=1)
def test_one_of_several_keywords_is_enough_where_any_of_them_is_meant() -> None:
    b = situation([unit("Tank", "red", TANK, [(10, 10)]), unit("Reds", "red", TROOPER, [(20, 10)])])
    assert has_any_keyword(b, named(b, "Tank"), ("MONSTER", "VEHICLES"))
    assert not has_any_keyword(b, named(b, "Reds"), ("MONSTER", "VEHICLES"))


@pytest.mark.rule("w40k10.concept.keywords", check=2)
def test_singular_and_plural_are_one_keyword() -> None:
    b = situation([unit("Reds", "red", {**TROOPER, "keywords": ["GRENADES", "INFANTRY"]}, [(20, 10)])])
    reds = named(b, "Reds")
    assert has_keyword(b, reds, "GRENADE")
    assert has_keyword(b, reds, "GRENADES")
    assert model_has_keyword(b, 0, "Grenade")


@pytest.mark.rule("w40k10.concept.keywords", check=3)
def test_a_faction_keyword_works_like_any_other() -> None:
    b = situation([unit("Reds", "red", {**TROOPER, "keywords": ["INFANTRY", "WARDENS"]}, [(20, 10)])])
    assert has_keyword(b, named(b, "Reds"), "WARDENS")


def test_a_unit_has_the_keywords_of_any_of_its_models_until_they_are_gone() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10))), unit("Hero", "red", HERO, [(10, 12)], leads="Reds")])
    reds = named(b, "Reds")
    assert has_keyword(b, reds, "CHARACTER")
    b.place_models(list(reds.leader), 3)
    assert not has_keyword(b, reds, "CHARACTER")


# --- Measuring --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.concept.measuring", check=1)
def test_distances_run_from_base_edge_to_base_edge() -> None:
    b = pair(7.0)
    assert distance(b, named(b, "Reds"), named(b, "Blues")) == 7 * STEP


@pytest.mark.rule("w40k10.concept.measuring", check=2)
def test_a_hull_is_measured_to_its_nearest_point() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), unit("Tank", "blue", TANK, [(20, 10)])])
    assert distance(b, named(b, "Reds"), named(b, "Tank")) == pytest.approx(7.5 * STEP, abs=2)


@pytest.mark.rule("w40k10.concept.measuring", check=4)
def test_heights_count_in_a_distance() -> None:
    b = pair(3.0, 4.0)
    assert distance(b, named(b, "Reds"), named(b, "Blues")) == 5 * STEP


@pytest.mark.rule("w40k10.concept.measuring", check=5)
def test_the_distance_of_units_is_that_of_their_nearest_models() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10))), unit("Blues", "blue", TROOPER, row(3, (20, 10)))])
    assert distance(b, named(b, "Reds"), named(b, "Blues")) == 6 * STEP


@pytest.mark.rule("w40k10.concept.measuring", check=3)
def test_measuring_changes_nothing() -> None:
    b = pair(3.0)
    before = len(b.events)
    assert distance(b, named(b, "Reds"), named(b, "Blues")) == 3 * STEP
    assert len(b.events) == before


@pytest.mark.rule("w40k10.concept.within", check=1)
@pytest.mark.rule("w40k10.concept.within", check=2)
@pytest.mark.rule("w40k10.concept.within", check=3)
@pytest.mark.rule("w40k10.concept.within", check=4)
def test_within_includes_the_exact_distance() -> None:
    exact, over = pair(1.0), pair(1.01)
    assert within(exact, named(exact, "Reds"), named(exact, "Blues"), steps(1))
    assert not within(over, named(over, "Reds"), named(over, "Blues"), steps(1))
    nine = pair(9.0)
    assert within(nine, named(nine, "Reds"), named(nine, "Blues"), steps(9))


# --- Strength ---------------------------------------------------------------------------------------------------------


def squad(alive_: int, strength: int, **more: object) -> Battle10:
    return situation([unit("Reds", "red", TROOPER, row(alive_, (10, 10)), strength=strength)])


@pytest.mark.rule("w40k10.unit.starting_strength", check=1)
def test_starting_strength_stays_whatever_is_lost() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(10, (5, 10)))])
    b.place_models([0, 1, 2, 3], 3)
    assert starting_strength(b, named(b, "Reds")) == 10
    assert alive(b, "Reds") == 6


@pytest.mark.rule("w40k10.unit.below_half_multi", check=1)
@pytest.mark.rule("w40k10.unit.below_half_multi", check=2)
@pytest.mark.rule("w40k10.unit.below_half_multi", check=3)
@pytest.mark.parametrize(
    ("left", "of", "below"), [(5, 10, False), (4, 10, True), (3, 5, False), (2, 5, True), (1, 3, True)]
)
def test_a_unit_counts_its_models(left: int, of: int, below: bool) -> None:
    b = squad(left, of)
    assert below_half(b, named(b, "Reds")) == below


@pytest.mark.rule("w40k10.unit.below_half_multi", check=4)
def test_wounds_of_survivors_do_not_matter() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)], strength=2, wounds={1: 1})])
    assert not below_half(b, named(b, "Reds"))
    gone = situation([unit("Reds", "red", TROOPER, [(10, 10)], strength=3, wounds={1: 2})])
    assert below_half(gone, named(gone, "Reds"))


@pytest.mark.rule("w40k10.unit.below_half_single", check=1)
@pytest.mark.rule("w40k10.unit.below_half_single", check=2)
@pytest.mark.rule("w40k10.unit.below_half_single", check=3)
@pytest.mark.parametrize(("wounds", "left", "below"), [(10, 5, False), (10, 4, True), (5, 3, False), (5, 2, True)])
def test_a_single_model_counts_its_wounds(wounds: int, left: int, below: bool) -> None:
    b = situation([unit("Big", "red", {**TANK, "wounds": wounds}, [(10, 10)], wounds={1: left})])
    assert below_half(b, named(b, "Big")) == below


@pytest.mark.rule("w40k10.unit.below_half_single", check=1)
def test_a_single_model_that_is_not_on_the_battlefield_is_not_below_half_strength() -> None:
    b = situation([unit("Big", "red", TANK, off=1), unit("Reds", "red", TROOPER, [(10, 10)])])
    assert not below_half(b, named(b, "Big"))


@pytest.mark.rule("w40k10.unit.attached_strength", check=1)
@pytest.mark.rule("w40k10.unit.attached_strength", check=2)
def test_an_attached_unit_adds_both_parts_until_one_is_gone() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(5, (10, 10))),
            unit("Hero", "red", HERO, [(10, 12)], leads="Reds", wounds={1: 2}),
        ]
    )
    reds = named(b, "Reds")
    assert starting_strength(b, reds) == 6
    b.place_models([m for m in reds.models if m not in reds.leader], 3)
    assert starting_strength(b, reds) == 1
    assert below_half(b, reds)


@pytest.mark.rule("w40k10.unit.attached_strength", check=3)
def test_without_its_leader_a_bodyguard_counts_its_own_strength() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(10, (5, 10))), unit("Hero", "red", HERO, [(10, 12)], leads="Reds")])
    reds = named(b, "Reds")
    b.place_models([0, 1, 2, 3, 4, *reds.leader], 3)
    assert starting_strength(b, reds) == 10
    assert not below_half(b, reds)


@pytest.mark.rule("w40k10.datasheet.profile", check=2)
def test_the_best_leadership_is_the_lowest() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10))), unit("Hero", "red", HERO, [(10, 12)], leads="Reds")])
    assert best_leadership(b, named(b, "Reds")) == 5


@pytest.mark.rule("w40k10.datasheet.contents", check=1)
def test_a_datasheet_without_keywords_is_refused() -> None:
    with pytest.raises(UserError, match="keywords"):
        situation([unit("Reds", "red", {**TROOPER, "keywords": []}, [(10, 10)])])


@pytest.mark.rule("w40k10.datasheet.contents", check=1)
@pytest.mark.parametrize(
    ("field", "below", "least", "most", "above"),
    [
        ("toughness", 0, 1, 30, 31),
        ("save", 1, 2, 7, 8),
        ("wounds", 0, 1, 100, 101),
        ("leadership", 1, 2, 12, 13),
        ("oc", -1, 0, 30, 31),
        ("height", 0.1, 0.2, 24, 24.1),
        ("invulnerable", 1, 2, 6, 7),
    ],
)
def test_a_profile_that_no_model_could_have_is_refused(
    field: str, below: float, least: float, most: float, above: float
) -> None:
    for value in (least, most):
        situation([unit("Reds", "red", {**TROOPER, field: value}, [(10, 10)])])
    for value in (below, above):
        with pytest.raises(UserError, match=f"{field} is {least} to {most}, not {value}"):
            situation([unit("Reds", "red", {**TROOPER, field: value}, [(10, 10)])])


@pytest.mark.rule("w40k10.datasheet.profile", check=1)
@pytest.mark.parametrize("field", ["move", "toughness", "save", "wounds", "leadership", "oc"])
def test_a_profile_needs_its_six_characteristics(field: str) -> None:
    whole = {**TROOPER, "leadership": 7}
    sheet = {k: v for k, v in whole.items() if k != field}
    with pytest.raises(UserError, match=field):
        situation([unit("Reds", "red", sheet, [(10, 10)])])
    b = situation([unit("Reds", "red", whole, [(10, 10)])])
    assert best_leadership(b, named(b, "Reds")) == 7, "with all six it can be played"


# --- Friends and enemies, wholly within, summaries --------------------------------------------------------------------


@pytest.mark.rule("w40k10.concept.friendly_enemy", check=1)
def test_a_rule_for_units_reaches_both_armies() -> None:
    b = situation(
        [
            unit("Bomb", "red", {**TROOPER, "abilities": ["deadly demise 1"]}, [(10, 10)]),
            unit("Reds", "red", TROOPER, [(12, 10)]),
            unit("Blues", "blue", TROOPER, [(8, 10)]),
            unit("Far", "blue", TROOPER, [(30, 10)]),
        ]
    )
    assert [u.name for u in units_near(b, 0)] == ["Reds", "Blues"]


@pytest.mark.rule("w40k10.concept.friendly_enemy", check=2)
def test_a_unit_is_friendly_to_itself() -> None:
    b = pair(1.0)
    reds, blues = named(b, "Reds"), named(b, "Blues")
    assert is_friendly(b, reds, reds)
    assert not is_friendly(b, reds, blues)


@pytest.mark.rule("w40k10.concept.unit", check=2)
def test_a_unit_has_models_of_one_datasheet_but_for_its_leader() -> None:
    odd = {**INTERCESSORS, "wargear": [{"model": "Boy", "carry": ["slugga"]}]}
    assert broken(army(CAPTAIN, odd)) == {"w40k10.datasheet.composition"}
    b = battle(red=({**CAPTAIN, "attached_to": "Intercessor Squad"}, INTERCESSORS))
    go_on(b, "deploy_with")
    squad = next(u for u in b.units_of(0) if u.leader)
    bodyguard = {sheet_of(b, m).name for m in squad.models if m not in squad.leader}
    assert len(squad.models) == 6
    assert {sheet_of(b, m).name for m in squad.leader} == {"Captain"}
    assert "Captain" not in bodyguard


@pytest.mark.rule("w40k10.concept.summary_precedence", check=1)
def test_the_full_rule_counts_and_not_its_summary() -> None:
    """Reserves of 240 points in an army of 480: fine at 1,000 points, though more than a quarter of the army."""
    squads = [{"sheet": "intercessor-squad", "name": f"Squad {i}"} for i in range(5)]
    b = battle(red=[CAPTAIN, *squads])
    for d in b.decisions:
        b.answer(d, ())
    d = asked(b, "reserves")
    rows = [r.id for r in d.rows if r.label.startswith("Squad")]  # type: ignore[attr-defined]
    assert b.check(d, tuple(Assignment(r, "strategic", 1) for r in rows[:3]))
    assert not b.check(d, tuple(Assignment(r, "strategic", 1) for r in rows[:4]))


@pytest.mark.rule("w40k10.concept.summary_precedence", check=2)
def test_hints_bind_nobody() -> None:
    """A model may stand where it would wobble, and a marker that somebody walks across stays where it is."""
    hill = feature("hill", (10, 5, 4, 10), 2, solid=True)
    units = [unit("Reds", "red", TROOPER, [(14.5, 10)]), unit("Blues", "blue", TROOPER, [(40, 25)])]
    b = situation(units, [hill], objectives=[(17, 10)])
    give(b, "move_with", "Reds")

    def on_top(x: float) -> dict[str, Any]:
        return {"mode": "normal", "paths": {1: [{"do": "climb", "to": (14.5, 10, 2)}, (x, 10, 2)]}}

    assert judge(b, "move", on_top(13.49)), "on the brink"
    assert cites(judge(b, "move", on_top(13.6))) == {"w40k10.terrain.hill_move"}
    give(b, "move", {"mode": "normal", "to": [(20, 10)]})
    assert markers_of(b) == ((steps(17), steps(10), 0),)


@pytest.mark.rule("w40k10.datasheet.profile", check=3)
def test_a_model_without_wounds_left_is_destroyed() -> None:
    b = duel(gun(a="3"), target(wounds=2), targets=2, dice={"hit": [6, 6, 6], "wound": [6, 6, 6]})
    assert alive(b, "Blues") == 1
    assert wounds(b, "Blues") == [1]
    other, hit = named(b, "Blues").models
    hurt = [(e.model, e.wounds) for e in b.events if isinstance(e, Wounded)]
    assert hurt == [(hit, 1), (hit, 0), (other, 1)], "each loss is told once"


@pytest.mark.rule("w40k10.datasheet.profile", check=3)
@pytest.mark.rule("w40k10.unit.destroyed", check=1)
def test_a_model_that_is_destroyed_whatever_its_wounds_has_none_left() -> None:
    """A desperate escape costs a model with both of its wounds."""
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(2, (10, 10)), battle_shocked=True),
            unit("Blues", "blue", TROOPER, [(10, 11)]),
        ],
        dice={"desperate escape": [1, 6]},
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "fall_back", "by": (0, -5)})
    default(b, "escape_losses")
    assert alive(b, "Reds") == 1
    assert sorted(int(b.state.models.wounds[m]) for m in named(b, "Reds").models) == [0, 2]
