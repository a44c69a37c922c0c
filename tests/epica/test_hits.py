"""Shooting: whom hits fall on, who is saved, and what markers it leaves."""

from __future__ import annotations

import pytest

from epica.table import (
    BUGGY,
    MILITIA,
    TANK,
    TROOPS,
    act,
    alive,
    area,
    asked,
    default,
    fire,
    formation,
    give,
    left,
    named,
    offered,
    refused,
    rolls,
    row,
    shoot_at,
    situation,
    stand,
    told,
    versus,
)
from sandtable.battle.events import Told
from sandtable.systems.epica.hits import (
    Hits,
    can_be_hit,
    deal,
    deal_all,
    front_to_back,
    widest_spread,
)

rule = pytest.mark.rule


@rule("epica.shoot.allocation_types", check=(1, 2))
@rule("epica.unit.infantry", check=3)
@rule("epica.unit.armoured_vehicle", check=2)
@rule("epica.special.light_vehicles", check=(1, 2))
def test_ap_hits_fall_on_infantry_and_at_hits_on_vehicles() -> None:
    assert [k for k in ("AP", "AT", "MW") if can_be_hit("INF", k)] == ["AP", "MW"]
    assert [k for k in ("AP", "AT", "MW") if can_be_hit("AV", k)] == ["AT", "MW"]
    assert [k for k in ("AP", "AT", "MW") if can_be_hit("LV", k)] == ["AP", "AT", "MW"]
    b = versus(row(5, 10, 10), row(6, 8, 32), dice={"hit": [6] * 5, "save": [1] * 5},
               target_loadout=[TANK, TANK, TROOPS, TROOPS, TANK, TANK])  # fmt: skip
    shoot_at(b, "Blues")
    fire(b, "AP", "open")
    assert left(b, "Blues") == [1, 2, 5, 6]
    assert len(rolls(b, "save")) == 2


@rule("epica.shoot.allocation_targets", check=3)
@rule("epica.shoot.allocation_types", check=2)
@rule("epica.shoot.harmless_fire", check=(1, 2))
@rule("epica.bm.under_fire", check=2)
def test_fire_that_cannot_hurt_still_gives_its_marker() -> None:
    for mode, sheet in (("AP", TANK), ("AT", TROOPS)):
        b = versus(row(2, 10, 10), row(4, 10, 36), target_sheet=sheet, dice={"hit": [6, 6]})
        shoot_at(b, "Blues")
        fire(b, mode)
        assert named(b, "Blues").markers == 1
        assert alive(b, "Blues") == 4


@rule("epica.shoot.allocation_targets", check=(1, 2))
def test_units_out_of_range_or_sight_cannot_be_hit() -> None:
    b = versus([(10, 10)], [(10, 40), (10, 46)], sheet={**TANK, "weapons": ["Gun 30cm 3x AP5+"]},
               dice={"hit": [6, 6, 6], "save": [6, 6, 6]})  # fmt: skip
    give(b, "shoot-at", "Blues")
    fire(b)
    assert len(rolls(b, "save")) == 1
    b = versus([(10, 10)], [(10, 36), (16, 36)], terrain=[area("building", 14.5, 28, 8, 3, 5)],
               sheet={**TANK, "weapons": ["Gun 45cm 3x AP5+"]}, dice={"hit": [6, 6, 6], "save": [6, 6, 6]})  # fmt: skip
    give(b, "shoot-at", "Blues")
    fire(b)
    assert len(rolls(b, "save")) == 1


@rule("epica.shoot.allocation_order", check=1)
def test_without_anybody_to_be_close_to_units_keep_their_order() -> None:
    b = versus(row(1, 10, 10), [(10, 40), (10, 36)])
    blues = named(b, "Blues").models
    assert front_to_back(b, blues, ()) == blues
    assert front_to_back(b, blues, named(b, "Reds").models) == blues[::-1]
    assert front_to_back(b, (), named(b, "Reds").models) == ()


@rule("epica.shoot.allocation_order", check=(1, 2))
def test_the_closest_unit_of_the_right_type_is_hit_first() -> None:
    b = versus([(10, 10)], [(10, 40), (10, 34), (10, 37)], dice={"hit": [6], "save": [1]},
               target_loadout=[TROOPS, TANK, TROOPS])  # fmt: skip
    give(b, "shoot-at", "Blues")
    fire(b)
    assert left(b, "Blues") == [1, 2]


@rule("epica.shoot.allocation_order", check=3)
def test_among_equals_the_owner_chooses_who_is_hit() -> None:
    b = versus([(10, 10)], [(10, 40), (7, 36), (13, 36)], dice={"hit": [6], "save": [1]})
    give(b, "shoot-at", "Blues")
    default(b, "aim")
    assert asked(b, "allocate").player == 1
    assert offered(b, "allocate") == {stand(b, "Blues", 2), stand(b, "Blues", 3)}
    give(b, "allocate", [stand(b, "Blues", 3), stand(b, "Blues", 2)])
    assert left(b, "Blues") == [1, 2]


@rule("epica.shoot.allocation_rounds", check=(1, 2, 3))
@pytest.mark.parametrize(("hits", "dealt"), [(4, [2, 1, 1]), (7, [3, 2, 2]), (2, [1, 1, 0])])
def test_nobody_is_hit_twice_before_all_are_hit(hits: int, dealt: list[int]) -> None:
    load = dict(deal([5, 6, 7], hits))
    assert [load.get(s, 0) for s in (5, 6, 7)] == dealt


@rule("epica.shoot.allocation_rounds", check=4)
@rule("epica.shoot.saves", check=1)
def test_a_second_hit_on_a_dead_unit_is_not_passed_on() -> None:
    b = versus([(10, 10)], [(10, 34), (10, 37)], sheet={**TANK, "weapons": ["Gun 45cm 3x AP5+"]},
               dice={"hit": [6, 6, 6], "save": [1, 6, 6]})  # fmt: skip
    give(b, "shoot-at", "Blues")
    fire(b)
    assert rolls(b, "save") == [(1, 6), (6,)]
    assert left(b, "Blues") == [2]


@rule("epica.shoot.allocation_spread", check=(1, 2))
@rule("epica.special.light_vehicles", check=(6, 7))
def test_ap_and_at_hits_are_spread_over_as_many_units_as_possible() -> None:
    buggies, others = (1, 2, 3, 4), (5, 6, 7, 8)
    rank = (*buggies, *others)
    with_tanks = (Hits("AP", 4, buggies), Hits("AT", 4, rank))
    assert len(deal_all(widest_spread(with_tanks, rank), rank)) == 8
    with_infantry = (Hits("AP", 4, rank), Hits("AT", 4, buggies))
    assert [p.kind for p in widest_spread(with_infantry, rank)] == ["AT", "AP"]
    assert len(deal_all(widest_spread(with_infantry, rank), rank)) == 8


@rule("epica.shoot.allocation_spread", check=1)
def test_where_no_order_strikes_more_units_ap_hits_come_before_at_hits() -> None:
    buggy, infantry, tank = 1, 2, 3
    pools = (Hits("AP", 1, (buggy, infantry)), Hits("AT", 1, (buggy, tank)))
    rank = (buggy, infantry, tank)
    assert deal_all(widest_spread(pools, rank), rank) == {buggy: 1, tank: 1}


@rule("epica.shoot.allocation_rounds", check=1)
@rule("epica.shoot.allocation_targets", check=3)
def test_hits_of_a_kind_that_nobody_can_take_are_lost_beside_those_of_another() -> None:
    both = {**TANK, "weapons": ["Bolter 45cm AP5+", "Lascannon 45cm AT5+"]}
    b = versus([(10, 10)], [(10, 34), (10, 37)], sheet=both, dice={"hit": [6, 6], "save": [1]})
    give(b, "shoot-at", "Blues")
    give(b, "aim", [{"weapon": "Bolter 1", "target": "open", "mode": "AP"},
                    {"weapon": "Lascannon 2", "target": "open", "mode": "AT"}])  # fmt: skip
    assert rolls(b, "save") == [(1,)]
    assert left(b, "Blues") == [2]


@rule("epica.shoot.saves", check=(2, 4))
@rule("epica.datasheet.armour", check=(1, 2))
def test_each_hit_asks_for_a_save_and_without_armour_there_is_none() -> None:
    for face, lost in ((5, 0), (4, 1)):
        b = versus([(10, 10)], row(3, 10, 36), dice={"hit": [6], "save": [face]})
        give(b, "shoot-at", "Blues")
        fire(b)
        assert 3 - alive(b, "Blues") == lost
    b = versus([(10, 10)], row(3, 10, 36), target_sheet=MILITIA, dice={"hit": [6]})
    give(b, "shoot-at", "Blues")
    fire(b)
    assert alive(b, "Blues") == 2


@rule("epica.shoot.under_fire_marker", check=1)
@rule("epica.shoot.saves", check=3)
@rule("epica.shoot.casualty_markers", check=1)
@rule("epica.bm.casualty", check=1)
def test_three_boyz_fail_their_saves_and_the_warband_has_four_markers() -> None:
    b = versus(row(3, 10, 10), row(8, 4, 34), target_sheet={**TROOPS, "armour": 6},
               dice={"hit": [5, 6, 6], "save": [1, 5, 4]})  # fmt: skip
    shoot_at(b, "Blues")
    fire(b)
    blues = named(b, "Blues")
    assert (alive(b, "Blues"), blues.markers, blues.broken) == (5, 4, False)


@rule("epica.shoot.macro_order", check=(1, 2, 3))
@rule("epica.special.macro_shooting", check=1)
@rule("epica.special.macro_allocation", check=(1, 2, 3))
def test_macro_weapon_hits_come_after_the_others() -> None:
    both = {**TANK, "weapons": ["Gun 45cm AP5+", "Demolisher 30cm MW4+"]}
    b = versus([(10, 10)], [(10, 38), (10, 41), (10, 44)], sheet=both, dice={"hit": [6, 6], "save": [1]})
    give(b, "shoot-at", "Blues")
    rows = {r.label: r for r in asked(b, "aim").rows}  # type: ignore[attr-defined]
    give(b, "aim", [{"weapon": "Demolisher 2", "target": "open", "mode": "MW"},
                    {"weapon": "Gun 1", "target": "open", "mode": "AP"}])  # fmt: skip
    assert len(rows) == 2
    assert left(b, "Blues") == [3]


@rule("epica.shoot.procedure", check=(1, 2, 3))
@rule("epica.shoot.under_fire_marker", check=1)
@rule("epica.bm.under_fire", check=1)
def test_the_marker_comes_before_the_dice_and_the_break_check_last() -> None:
    b = versus(row(3, 10, 10), row(3, 10, 36), dice={"hit": [6, 6, 1], "save": [1, 1]})
    shoot_at(b, "Blues")
    fire(b)
    names = [getattr(e, "kind", getattr(e, "reason", "")) for e in b.events]
    order = [n for n in names if n in ("markers", "hit", "save", "destroyed", "broken")]
    assert order[0] == "markers"
    assert order[1] == "hit"
    assert order.index("save") < order.index("destroyed")
    assert order[-1] == "broken"


@pytest.mark.parametrize(("saves", "kind", "lost"), [([1, 6], "destroyed", 1), ([6, 6], "unharmed", 0)])
def test_what_came_of_an_attack_is_told_in_figures_also_where_it_is_nothing(
    saves: list[int], kind: str, lost: int
) -> None:
    b = versus(row(3, 10, 10), row(6, 10, 36), dice={"hit": [6, 6, 1], "save": saves})
    shoot_at(b, "Blues")
    fire(b)
    end = [e for e in b.events if isinstance(e, Told) and "to the fire" in e.text]
    assert [e.kind for e in end] == [kind]
    assert [end[0].data[name] for name in ("attacks", "hits", "lost")] == [3, 2, lost]
    assert len(end[0].data["stands"]) == lost


@rule("epica.bm.under_fire", check=3)
def test_two_attacks_give_two_markers() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(2, 10, 10)),
            formation("More", "red", at=row(2, 20, 10)),
            formation("Blues", "blue", at=row(6, 10, 36)),
        ],
        dice={"hit": [1] * 4},
    )
    for name in ("Reds", "More"):
        act(b, name, "sustained")
        shoot_at(b, "Blues")
        fire(b)
    assert named(b, "Blues").markers == 2


@rule("epica.shoot.break_check", check=(1, 2, 3))
@rule("epica.broken.threshold", check=(1, 2, 3))
@rule("epica.broken.clear_markers", check=1)
@pytest.mark.parametrize(("before", "breaks", "after"), [(2, False, 3), (3, True, 0), (5, True, 0)])
def test_as_many_markers_as_units_break_a_formation(before: int, breaks: bool, after: int) -> None:
    b = versus(row(1, 10, 10), row(4, 10, 36), dice={"hit": [1]})
    b.set_unit(named(b, "Blues"), markers=before)
    give(b, "shoot-at", "Blues")
    fire(b)
    assert (named(b, "Blues").broken, named(b, "Blues").markers) == (breaks, after)


@rule("epica.shoot.break_check", check=4)
def test_nothing_breaks_before_the_attack_is_over() -> None:
    both = {**TANK, "weapons": ["Gun 45cm AP5+", "Demolisher 30cm MW4+"]}
    b = versus([(10, 10)], [(10, 34), (10, 37), (10, 40)], sheet=both, dice={"hit": [6, 6], "save": [1]})
    b.set_unit(named(b, "Blues"), markers=1)
    give(b, "shoot-at", "Blues")
    default(b, "aim")
    assert told(b).index("broken") > max(i for i, t in enumerate(told(b)) if t == "destroyed")
    assert alive(b, "Blues") == 1


@rule("epica.broken.markers_become_hits", check=1)
@rule("epica.bm.under_fire", check=1)
def test_a_broken_formation_loses_one_unit_for_coming_under_fire_from_three() -> None:
    b = versus(row(3, 10, 10), row(5, 10, 36), dice={"hit": [1] * 3}, broken=True)
    give(b, "shoot-at", "Blues")
    fire(b)
    assert alive(b, "Blues") == 4
    assert named(b, "Blues").markers == 0


@rule("epica.broken.markers_become_hits", check=4)
@rule("epica.shoot.under_fire_marker", check=1)
def test_the_hit_for_coming_under_fire_on_a_broken_formation_comes_after_the_saves() -> None:
    b = versus([(10, 10)], [(10, 34), (10, 37)], dice={"hit": [6], "save": [6]}, broken=True)
    give(b, "shoot-at", "Blues")
    fire(b)
    names = [getattr(e, "kind", getattr(e, "reason", "")) for e in b.events]
    assert [n for n in names if n in ("hit", "save", "markers became hits")] == ["hit", "save", "markers became hits"]
    assert left(b, "Blues") == [2]


@rule("epica.broken.markers_become_hits", check=(2, 3, 4))
def test_two_kills_on_a_broken_formation_cost_five_units() -> None:
    b = versus(row(2, 10, 10), [(10, 40), (10, 37), (10, 34), (13, 34.5), (13, 37.5), (13, 40.5)],
               dice={"hit": [6, 6], "save": [1, 1]}, broken=True)  # fmt: skip
    shoot_at(b, "Blues")
    fire(b)
    assert alive(b, "Blues") == 1
    assert left(b, "Blues") == [6]


@rule("epica.broken.markers_become_hits", check=4)
def test_the_owner_of_a_broken_formation_says_who_of_the_closest_is_lost_to_a_marker() -> None:
    b = versus(row(1, 10, 10), [(9, 36), (11, 36), (10, 40)], dice={"hit": [1]}, broken=True)
    give(b, "shoot-at", "Blues")
    default(b, "aim")
    d = asked(b, "allocate")
    assert d.player == 1 and "epica.broken.markers_become_hits" in d.rules
    one, other = (o.value for o in d.options)
    b.answer(d, [other, one])
    assert left(b, "Blues") == [1, 3]


def test_refusals_say_why_a_formation_is_no_target() -> None:
    b = versus(row(1, 10, 10), row(5, 10, 36), dice={"hit": [1]})
    refused(b, "shoot-at", "Others", "epica.shoot.eligible")
    assert BUGGY["type"] == "LV"
