"""Shooting: targets, lines of fire, suppression, aiming, rolls to hit."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import (
    BRUTES,
    MILITIA,
    TANK,
    TROOPS,
    a_sheet,
    act,
    allowed,
    area,
    asked,
    fire,
    formation,
    give,
    judge,
    kinds,
    left,
    named,
    offered,
    offered_units,
    refused,
    refused_by,
    rolls,
    row,
    shoot_at,
    shots,
    silent,
    situation,
    stand,
    versus,
)
from sandtable.errors import UserError
from sandtable.systems.epica.actions import may_activate
from sandtable.systems.epica.datasheet import Firepower, Weapon, read_firepower, weapon
from sandtable.systems.epica.hits import (
    NO_SAVE,
    modified_save,
)
from sandtable.systems.epica.line_of_fire import lines
from sandtable.systems.epica.shooting import (
    action_modifier,
    can_shoot_at,
    d3,
    in_position,
    second_roll,
    shot_hits,
    to_hit_modifier,
)

rule = pytest.mark.rule


# --- Targets ---------------------------------------------------------------------------------------------------------


@rule("epica.shoot.target_formation", check=(1, 2))
@rule("epica.shoot.eligible", check=1)
def test_all_shots_go_at_one_formation_and_units_out_of_reach_lose_theirs() -> None:
    b = situation(
        [
            formation("Reds", "red", at=[(10, 10), (14, 10), (18, 10), (22, 10), (26, 10), (30, 10)]),
            formation("Near", "blue", at=row(4, 6, 40, -1.5, 3)),
            formation("Also", "blue", at=row(4, 34, 40, 1.5, 3)),
            formation("Far", "blue", at=row(4, 60, 80)),
        ],
        dice={"hit": [1, 1]},
    )
    act(b, "Reds", "sustained")
    assert offered_units(b, "shoot-at") == {"Near", "Also"}
    refused(b, "shoot-at", "Far", "epica.shoot.eligible")
    give(b, "shoot-at", "Near")
    assert shots(b) == 2
    fire(b)
    assert (named(b, "Near").markers, named(b, "Also").markers) == (1, 0)
    assert kinds(b) == ["activate"]


@rule("epica.shoot.target_formation", check=1)
def test_a_formation_that_picks_no_target_shoots_at_nobody() -> None:
    b = versus(row(2, 10, 10), row(3, 10, 36))
    give(b, "shoot-at", None)
    assert (rolls(b, "hit"), named(b, "Blues").markers) == ([], 0)
    assert kinds(b) == ["activate"]


@rule("epica.shoot.eligible", check=2)
def test_a_weapon_out_of_range_stays_silent_while_another_fires() -> None:
    both = {**TANK, "weapons": ["Cannon 45cm AP4+/AT4+", "Bolter 30cm AP5+"]}
    b = versus([(10, 10)], row(4, 10, 50), sheet=both)
    give(b, "shoot-at", "Blues")
    assert [r.label for r in asked(b, "aim").rows] == ["Cannon 1"]  # type: ignore[attr-defined]


@rule("epica.shoot.optional", check=1)
@rule("epica.shoot.under_fire_marker", check=(1, 2))
def test_any_weapons_may_be_held_back_and_without_a_shot_there_is_no_marker() -> None:
    for fired, markers in ((0, 0), (1, 1), (3, 1)):
        b = versus([(10, 10)], row(4, 10, 32), sheet={**TROOPS, "weapons": ["3 x Gun 30cm AP5+"]},
                   dice={"hit": [1] * fired})  # fmt: skip
        give(b, "shoot-at", "Blues")
        shot = {"weapon": "Gun 1", "target": "open", "mode": "AP", "count": fired}
        give(b, "aim", [shot][:fired])
        assert named(b, "Blues").markers == markers
        assert kinds(b) == ["activate"]


@rule("epica.shoot.range", check=1)
@rule("epica.concept.range_measurement", check=(1, 3))
def test_range_is_measured_from_edge_to_edge_to_a_unit_that_is_seen() -> None:
    b = versus([(10, 10)], [(10, 42)])
    assert offered_units(b, "shoot-at") == {"Blues"}
    b = versus([(10, 10)], [(10, 42.1)])
    assert "shoot-at" not in kinds(b)
    wall = [area("building", 5, 25, 10, 4, 5)]
    b = versus([(10, 10)], [(10, 40), (17, 46)], terrain=wall)
    assert refused_by(can_shoot_at(b, named(b, "Reds"), named(b, "Blues")), "epica.shoot.range")


@rule("epica.weapon.small_arms", check=(1, 2))
@rule("epica.shoot.small_arms_cannot", check=1)
def test_small_arms_never_shoot() -> None:
    b = versus(row(3, 10, 10), row(4, 10, 20), sheet=MILITIA)
    assert "shoot-at" not in kinds(b)
    assert refused_by(can_shoot_at(b, named(b, "Reds"), named(b, "Blues")), "epica.shoot.small_arms_cannot")
    assert a_sheet(MILITIA).guns == ()


@rule("epica.weapon.assault_weapons", check=(1, 2))
def test_assault_weapons_never_shoot() -> None:
    assert a_sheet(BRUTES).guns == ()
    assert a_sheet(BRUTES).cc == 4


@rule("epica.weapon.and_modes", check=2)
@pytest.mark.parametrize("text", ["MW5+ and Small Arms", "Small Arms AND MW5+"])
def test_a_weapon_that_is_gun_and_small_arms_is_both(text: str) -> None:
    melta = weapon("Multi-melta", 30, text)
    assert melta == Weapon("Multi-melta", 1, 30, Firepower(mw=5), small_arms=True)


@rule("epica.weapon.and_modes", check=1)
@rule("epica.weapon.small_arms", check=3)
def test_a_weapon_is_all_that_its_line_says_and_small_arms_reach_15_cm() -> None:
    assert weapon("Rifles", 0, "Small Arms") == Weapon("Rifles", 1, 15, None, small_arms=True)
    assert weapon("Longrifles", 20, "Small Arms").range == 20
    assert weapon("Clubs", 0, "Assault", 2) == Weapon("Clubs", 2, 0, None, small_arms=False)
    assert weapon("Gun", 45, "AP5+/AT6+") == Weapon("Gun", 1, 45, Firepower(ap=5, at=6), small_arms=False)
    with pytest.raises(UserError, match="no firepower"):
        weapon("Stick", 10, "XX5+")


# --- Lines of fire ---------------------------------------------------------------------------------------------------


def sees(at: tuple[float, float], to: tuple[float, float], terrain: list[Any]) -> bool:
    b = situation([formation("Reds", "red", at=[at]), formation("Blues", "blue", at=[to])], terrain)
    return bool(lines(b, named(b, "Reds"), named(b, "Blues")).clear[0, 0])


@rule("epica.shoot.line_of_fire", check=(1, 3))
@rule("epica.shoot.line_of_fire_into_terrain", check=3)
@pytest.mark.parametrize("kind", ["wood", "ruins", "building", "jungle", "fortification"])
def test_what_neither_stands_in_blocks_and_who_is_in_it_is_seen(kind: str) -> None:
    across = [area(kind, 10, 20, 40, 6, 5)]
    assert not sees((30, 10), (30, 40), across)
    assert sees((30, 10), (30, 23), across)
    assert sees((30, 10), (30, 40), [area(kind, 40, 20, 10, 6, 5)])


@rule("epica.shoot.line_of_fire", check=1)
def test_a_hill_blocks_and_what_is_flat_does_not() -> None:
    assert not sees((30, 10), (30, 40), [area("hill", 10, 20, 40, 6, 5)])
    for kind in ("scrub", "marsh", "river", "cliff", "road", "open"):
        assert sees((30, 10), (30, 40), [area(kind, 10, 20, 40, 6, 5)])


@rule("epica.shoot.line_of_fire", check=2)
@rule("epica.terrain.hill", check=3)
@rule("epica.concept.line_of_sight_scale", check=1)
def test_from_a_hill_one_sees_over_what_is_lower_and_not_over_what_is_higher() -> None:
    wood = area("wood", 10, 30, 40, 4, 6)
    assert not sees((30, 10), (30, 60), [wood])
    assert not sees((30, 10), (30, 60), [wood, area("hill", 20, 0, 20, 20, 2)])
    assert sees((30, 10), (30, 60), [wood, area("hill", 20, 0, 20, 20, 20)])


@rule("epica.shoot.line_of_fire_into_terrain", check=1)
def test_a_target_10_cm_inside_a_wood_is_seen_and_one_further_in_is_not() -> None:
    wood = [area("wood", 10, 30, 40, 30, 5)]
    assert sees((30, 10), (30, 41), wood)
    assert not sees((30, 10), (30, 41.2), wood)


@rule("epica.shoot.line_of_fire_into_terrain", check=2)
def test_a_shooter_sees_out_through_10_cm() -> None:
    wood = [area("wood", 10, 30, 40, 30, 5)]
    assert sees((30, 41), (30, 10), wood)
    assert not sees((30, 41.2), (30, 10), wood)


@rule("epica.shoot.line_of_fire_into_terrain", check=4)
def test_two_units_in_one_wood_see_each_other_for_10_cm() -> None:
    wood = [area("wood", 10, 10, 60, 40, 5)]
    assert sees((20, 30), (32, 30), wood)
    assert not sees((20, 30), (32.2, 30), wood)


@rule("epica.shoot.line_of_fire_into_terrain", check=4)
@pytest.mark.parametrize("kind", ["scrub", "marsh", "hill"])
def test_low_ground_and_slopes_hide_nobody_who_is_in_them_however_far(kind: str) -> None:
    assert sees((20, 30), (45, 30), [area(kind, 10, 10, 60, 40, 5)])


@rule("epica.shoot.line_of_fire_into_terrain", check=2)
def test_a_unit_on_a_hill_sees_down_its_slope_however_long_that_is() -> None:
    assert sees((30, 30), (30, 60), [area("hill", 10, 10, 40, 40, 5)])
    assert not sees((30, 30), (30, 60), [area("wood", 10, 10, 40, 40, 5)])


@rule("epica.shoot.line_of_fire_units", check=1)
def test_units_in_between_do_not_block() -> None:
    b = situation(
        [
            formation("Reds", "red", at=[(30, 10)]),
            formation("Friends", "red", TANK, [(30, 20)]),
            formation("Foes", "blue", TANK, [(30, 28)]),
            formation("Blues", "blue", at=[(30, 36)]),
        ]
    )
    assert lines(b, named(b, "Reds"), named(b, "Blues")).clear.all()


# --- Suppression -----------------------------------------------------------------------------------------------------


@rule("epica.suppress.count", check=(1, 3))
@rule("epica.suppress.order", check=2)
@rule("epica.bm.effects", check=1)
def test_three_markers_silence_the_three_units_furthest_back() -> None:
    b = versus(row(5, 10, 22, 0, -3), row(6, 10, 40, 3), markers=3)
    give(b, "shoot-at", "Blues")
    assert shots(b) == 2
    assert silent(b) == [5, 4, 3]


@rule("epica.suppress.count", check=2)
def test_a_unit_that_cannot_reach_the_target_is_not_used_up() -> None:
    b = versus([(10, 8), (10, 12), (10, 16)], row(4, 10, 44), markers=1)
    assert in_position(b, named(b, "Reds"), named(b, "Blues")) == [stand(b, "Reds", 2), stand(b, "Reds", 3)]
    give(b, "shoot-at", "Blues")
    assert silent(b) == [2]
    assert shots(b) == 1


@rule("epica.shoot.eligible", check=1)
@rule("epica.suppress.count", check=(2, 4))
def test_one_and_the_same_unit_has_to_be_in_range_and_in_sight() -> None:
    # The first two have a hidden unit in range and see one that is too far away; only the third is in position.
    wall = [area("building", 5, 25, 10, 4, 5)]
    shooters, targets = [(10.0, 10.0), (15.0, 13.0), (20.0, 16.0)], [(10.0, 40.0), (17.0, 46.0)]
    b = versus(shooters, targets, terrain=wall)
    assert in_position(b, named(b, "Reds"), named(b, "Blues")) == [stand(b, "Reds", 3)]
    give(b, "shoot-at", "Blues")
    assert shots(b) == 1
    b = versus(shooters, targets, terrain=wall, markers=1)
    assert kinds(b) == ["activate"]


@rule("epica.suppress.count", check=4)
@rule("epica.shoot.under_fire_marker", check=2)
def test_with_everybody_suppressed_there_is_no_attack() -> None:
    b = versus(row(5, 10, 10), [(16, 41.5)], markers=3)
    assert len(in_position(b, named(b, "Reds"), named(b, "Blues"))) == 3
    assert "shoot-at" not in kinds(b)
    assert refused_by(can_shoot_at(b, named(b, "Reds"), named(b, "Blues")), "epica.suppress.count")


@rule("epica.suppress.order", check=1)
def test_the_distance_is_that_to_the_nearest_unit_of_the_target() -> None:
    # On the whole the first unit is further from the target, but its nearest unit is nearer.
    b = versus([(14, 12), (20, 14)], [(8, 32), (13, 36), (19, 38), (25, 38), (31, 38)], markers=1)
    give(b, "shoot-at", "Blues")
    assert silent(b) == [2]


@rule("epica.suppress.order", check=3)
def test_among_equals_the_owner_chooses_who_is_suppressed() -> None:
    b = versus([(15, 14), (10, 10), (20, 10)], [(10, 32), (20, 32), (15, 32)], markers=1)
    give(b, "shoot-at", "Blues")
    assert asked(b, "suppress").player == 0
    assert offered(b, "suppress") == {stand(b, "Reds", 2), stand(b, "Reds", 3)}
    give(b, "suppress", [stand(b, "Reds", 3)])
    assert shots(b) == 2
    assert silent(b) == [3]


@rule("epica.suppress.order", check=4)
@pytest.mark.parametrize(("target", "suppressed"), [("West", [3]), ("East", [1])])
def test_the_order_is_worked_out_for_each_target(target: str, suppressed: list[int]) -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(3, 40, 40), markers=1),
            formation("West", "blue", at=row(3, 20, 40)),
            formation("East", "blue", at=row(3, 60, 40)),
        ]
    )
    act(b, "Reds", "sustained")
    give(b, "shoot-at", target)
    assert silent(b) == suppressed


GUN = {**TROOPS, "weapons": ["Heavy Gun 30cm AP5+/AT6+"]}


@rule("epica.suppress.eligible", check=1)
@rule("epica.weapon.small_arms", check=3)
@pytest.mark.parametrize(("y", "ready"), [(17.0, [1, 2]), (16.9, [2])])
def test_small_arms_count_for_suppression_within_15_cm_and_guns_within_their_range(y: float, ready: list[int]) -> None:
    b = versus([(10, y), (13, 14)], [(10, 34)], loadout=[MILITIA, GUN])
    assert [m + 1 for m in in_position(b, named(b, "Reds"), named(b, "Blues"))] == ready
    b = versus([(10, y), (13, 14)], [(10, 34)], loadout=[MILITIA, GUN], markers=1)
    assert kinds(b) == ["activate"], "the gun is further back, or the only one in position"


@rule("epica.suppress.eligible", check=(1, 2))
def test_small_arms_near_the_target_can_be_suppressed_and_clubs_cannot() -> None:
    b = versus([(10, 12), (10, 15), (10, 18)], row(3, 10, 28), loadout=[MILITIA, BRUTES, TROOPS], markers=1)
    assert in_position(b, named(b, "Reds"), named(b, "Blues")) == [stand(b, "Reds", 1), stand(b, "Reds", 3)]
    give(b, "shoot-at", "Blues")
    assert silent(b) == [1]
    assert shots(b) == 1


@rule("epica.suppress.eligible", check=2)
@pytest.mark.parametrize(("markers", "open_"), [(0, ["react.move_completed"]), (1, ["consolidate"])])
def test_clubs_are_not_suppressed_even_in_contact(markers: int, open_: list[str]) -> None:
    b = situation(
        [
            formation("Reds", "red", at=[(20, 30), (24, 30)]),
            formation("Watch", "blue", at=[(20, 40), (24, 40)], loadout=[BRUTES, TROOPS], overwatch=True,
                      markers=markers),
        ],
        dice={"close combat": [6, 6, 1, 1], "save": [1, 1]},
    )  # fmt: skip
    act(b, "Reds", "engage")
    give(b, "charge", {"by": [0, 8]})
    assert kinds(b) == open_


# --- Aiming ----------------------------------------------------------------------------------------------------------


@rule("epica.weapon.count", check=(1, 2))
@rule("epica.shoot.ap_at_choice", check=(1, 2))
@rule("epica.weapon.firepower", check=1)
def test_two_launchers_of_a_unit_may_differ_but_none_fires_as_both() -> None:
    b = versus([(10, 10)], row(4, 10, 40), sheet={**TROOPS, "weapons": ["2 x Missile Launcher 45cm AP5+/AT6+"]},
               target_loadout=[TROOPS, TANK, TROOPS, TANK], dice={"hit": [1, 1]})  # fmt: skip
    give(b, "shoot-at", "Blues")
    assert shots(b) == 2
    assert not rolls(b, "hit")
    name = asked(b, "aim").rows[0].id  # type: ignore[attr-defined]
    one = {"weapon": name, "target": "open", "count": 1}
    allowed(b, "aim", [{**one, "mode": "AP"}, {**one, "mode": "AT"}])
    assert not judge(b, "aim", [{**one, "mode": "AP", "count": 2}, {**one, "mode": "AT"}]).ok
    give(b, "aim", [{**one, "mode": "AP"}, {**one, "mode": "AT"}])
    assert rolls(b, "hit") == [(1,), (1,)]


@rule("epica.weapon.firepower", check=2)
def test_a_weapon_fires_as_ap_or_as_at_and_not_as_both_in_a_turn() -> None:
    b = versus([(10, 10)], row(4, 10, 36), dice={"hit": [1]})
    give(b, "shoot-at", "Blues")
    name = asked(b, "aim").rows[0].id  # type: ignore[attr-defined]
    one = {"weapon": name, "target": "open", "count": 1}
    allowed(b, "aim", [{**one, "mode": "AT"}])
    assert not judge(b, "aim", [{**one, "mode": "AP"}, {**one, "mode": "AT"}]).ok
    give(b, "aim", [{**one, "mode": "AP"}])
    assert refused_by(may_activate(b, named(b, "Reds")), "epica.action.once")


MIXED = [(10.0, 36.0), (13.0, 36.0), (20.0, 36.0), (23.0, 36.0)]
WOOD = [area("wood", 18, 30, 12, 10)]


@rule("epica.shoot.cover_choice", check=(1, 2, 5))
def test_fire_of_a_kind_goes_all_at_cover_or_all_at_the_open() -> None:
    two = {**TROOPS, "weapons": ["2 x Launcher 45cm AP5+/AT6+"]}
    b = versus([(15, 12)], MIXED, sheet=two, terrain=WOOD, target_loadout=[TANK, TANK, TROOPS, TROOPS])
    shoot_at(b, "Blues")
    (found,) = asked(b, "aim").rows  # type: ignore[attr-defined]
    assert (set(found.targets), found.count) == ({"open", "cover"}, 2)
    one = {"weapon": found.id, "count": 1}
    refused(b, "aim", [{**one, "mode": "AP", "target": "open"}, {**one, "mode": "AP", "target": "cover"}],
            "epica.shoot.cover_choice")  # fmt: skip
    allowed(b, "aim", [{**one, "mode": "AP", "target": "cover", "count": 2}])
    allowed(b, "aim", [{**one, "mode": "AT", "target": "open"}, {**one, "mode": "AP", "target": "cover"}])


@rule("epica.shoot.cover_choice", check=(3, 4))
@rule("epica.shoot.allocation_targets", check=3)
def test_hits_go_only_where_the_fire_was_aimed() -> None:
    for aim, faces, lost in (("open", [4, 4, 4], [1, 2]), ("cover", [5, 5, 4], [3, 4])):
        b = versus(row(3, 12, 12), MIXED, terrain=WOOD, target_sheet=MILITIA,
                   dice={"hit": faces, "save": [1, 1, 1]})  # fmt: skip
        shoot_at(b, "Blues")
        fire(b, "AP", aim)
        assert [n for n in (1, 2, 3, 4) if n not in left(b, "Blues")] == lost


# --- To hit ----------------------------------------------------------------------------------------------------------


@rule("epica.shoot.to_hit", check=(1, 2))
def test_eight_shots_at_5_up_score_three_hits() -> None:
    b = versus(row(2, 10, 10), row(3, 10, 40))
    reds = named(b, "Reds")
    assert [face for face in range(1, 7) if shot_hits(b, reds, face, 4)] == [4, 5, 6]
    assert [face for face in range(1, 7) if shot_hits(b, reds, face, 6)] == [6]
    assert sum(shot_hits(b, reds, face, 5) for face in (1, 2, 2, 4, 4, 5, 6, 6)) == 3


@rule("epica.shoot.natural_one", check=(1, 2))
def test_a_1_misses_whatever_is_needed() -> None:
    b = versus(row(2, 10, 10), row(3, 10, 40))
    assert not shot_hits(b, named(b, "Reds"), 1, 1)
    assert shot_hits(b, named(b, "Reds"), 2, 1)


@rule("epica.shoot.to_hit_modifiers", check=(1, 2, 3, 4, 5, 6, 7))
@pytest.mark.parametrize(
    ("action", "cover", "modifier"),
    [
        ("advance", True, -1), ("double", False, -1), ("marshal", False, -1), ("sustained", False, 1),
        ("double", True, -2), ("sustained", True, 0), ("advance", False, 0), ("hold", False, 0),
        ("overwatch", False, 0),
    ],
)  # fmt: skip
def test_modifiers_to_hit_add_up(action: str, cover: bool, modifier: int) -> None:
    assert to_hit_modifier(action, in_cover=cover) == modifier


@rule("epica.action.double", check=2)
@rule("epica.action.sustained_fire", check=1)
def test_actions_modify_aim() -> None:
    assert (action_modifier("double"), action_modifier("sustained"), action_modifier("advance")) == (-1, 1, 0)


@rule("epica.shoot.seven_plus", check=(1, 2, 3, 4, 5))
@pytest.mark.parametrize(("needed", "second"), [(7, 4), (8, 5), (9, 6), (10, 0)])
def test_more_than_6_takes_a_6_and_a_second_roll(needed: int, second: int) -> None:
    assert second_roll(needed) == second
    for again in range(1, 7):
        b = versus(row(2, 10, 10), row(3, 10, 40), dice={"hit again": [again]})
        hit = shot_hits(b, named(b, "Reds"), 6, needed)
        assert hit == bool(second and again >= second)
        assert not shot_hits(b, named(b, "Reds"), 5, needed)


@rule("epica.shoot.seven_plus", check=6)
@rule("epica.shoot.save_modifiers", check=(2, 3, 4))
def test_a_save_of_7_or_more_fails_where_a_shot_would_be_rolled_again() -> None:
    assert modified_save(6, -1) == NO_SAVE
    assert modified_save(4, -1) == 5
    assert modified_save(4, -2) == 6
    b = versus(row(2, 10, 10), row(3, 10, 40), dice={"hit again": [4]})
    assert shot_hits(b, named(b, "Reds"), 6, 7)


@rule("epica.weapon.dice_multiplier", check=(1, 2))
def test_a_multiplier_is_read_as_it_is_printed() -> None:
    assert read_firepower("3 x AP5+") == Firepower(ap=5, dice=3)
    assert read_firepower("D3x AT5+") == Firepower(at=5, dice=1, die=3)
    assert read_firepower("d6 x MW4+") == Firepower(mw=4, dice=1, die=6)
    assert read_firepower("AP5+/AT6+") == Firepower(ap=5, at=6)
    assert read_firepower("Small Arms") is None


@rule("epica.weapon.dice_multiplier", check=(1, 2))
@pytest.mark.parametrize(("text", "number", "dice"), [("D3x AP5+", [4], 2), ("D6x AP5+", [4], 4), ("3x AP5+", [], 3)])
def test_a_multiplier_gives_the_number_of_dice_and_may_be_a_die_itself(text: str, number: list[int], dice: int) -> None:
    gun = {**TANK, "weapons": [f"Gatling 45cm {text}"]}
    b = versus([(10, 10)], row(4, 10, 36), sheet=gun, dice={"number of shots": number, "hit": [1] * dice})
    give(b, "shoot-at", "Blues")
    fire(b)
    assert rolls(b, "hit") == [(1,) * dice]
    assert sum(len(f) for f in rolls(b, "number of shots")) == len(number)


@rule("epica.dice.notation", check=1)
def test_a_d3_is_half_a_d6() -> None:
    assert [d3(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]


@rule("epica.weapon.firepower", check=3)
def test_a_weapon_rolls_one_die_unless_it_says_otherwise() -> None:
    b = versus(row(2, 10, 10), row(4, 10, 36), dice={"hit": [1, 1]})
    shoot_at(b, "Blues")
    fire(b)
    assert sum(len(f) for f in rolls(b, "hit")) == 2
