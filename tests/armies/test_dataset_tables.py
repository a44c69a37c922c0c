"""Layouts and missions of the 40kdc dataset, as documents of ours."""

from __future__ import annotations

from collections import Counter

import pytest

import sandtable
from sandtable.armies.kdc.source import data
from sandtable.errors import UserError
from sandtable.forty.dataset_layouts import any_table, dataset_layouts, dataset_table, table_doc
from sandtable.forty.dataset_missions import dataset_missions, dataset_patterns, read_card
from sandtable.kit.missions import Score
from sandtable.players import ComputerPlayer
from sandtable.systems.w40k11.mission import read_mission
from sandtable.systems.w40k11.terrain import DENSE, EXPOSED, LIGHT, category_of
from sandtable.table.layout import Table

SIZES = ("incursion", "strike force")
ARMIES = {"red": "necrons-1000-silver-tide", "blue": "death-guard-1000-plague-company"}


def test_every_layout_is_a_table_that_nothing_lies_off() -> None:
    assert len(dataset_layouts()) == 46
    for name in dataset_layouts():
        table = dataset_table(name)
        assert (table.width, table.depth) == (60 * 1024, 44 * 1024)
        corners = [corner for feature in table.features for corner in feature.outline]
        slack = 64
        assert all(-slack <= x <= table.width + slack and -slack <= y <= table.depth + slack for x, y in corners)
        assert max(len(feature.outline) for feature in table.features) <= 32
        assert {feature.kind for feature in table.features} <= {"ruins", "barricade", "crater"}


def test_what_stands_in_an_area_gives_it_walls_and_height() -> None:
    first = table_doc("bm-assets-vs-assets-01").terrain[0]
    assert (first.kind, first.height, bool(first.walls)) == ("ruins", 5.0, True)


def test_areas_are_dense_light_or_exposed_as_the_heaviest_thing_in_them() -> None:
    kinds = Counter(category_of(area.kind) for name in dataset_layouts() for area in table_doc(name).terrain)
    assert kinds == {DENSE: 552, LIGHT: 180, EXPOSED: 5}


def test_what_stands_in_an_area_without_walls_of_its_own_is_walled_in() -> None:
    areas = {area.id: area for area in table_doc("kotc-colosseum").terrain}
    ruin, wall = areas["ruin-inner-nw"], areas["colosseum-wall-ne"]
    assert (ruin.kind, len(ruin.walls), {part.top for part in ruin.walls}) == ("ruins", 6, {3})
    assert (wall.height, len(wall.walls)) == (6, len(wall.outline))


def test_every_mission_has_zones_markers_and_something_that_scores() -> None:
    assert len(dataset_missions()) == 25
    for name in dataset_missions():
        card = read_card(name, SIZES)
        assert card.mission.scoring
        assert 4 <= len(card.mission.markers) <= 6
        assert card.lacks
        assert all(lack in card.mission.text for lack in card.lacks)


def test_a_mission_can_be_fought_on_any_pattern_or_layout() -> None:
    for where in (*dataset_patterns(), *dataset_layouts()):
        mission = read_mission(f"punishment@{where}")
        assert len(mission.attacker) >= 3
        assert len(mission.markers) >= 4


def test_a_card_is_scored_as_far_as_we_have_words_for_it() -> None:
    card = read_card("inescapable-dominion", SIZES)
    assert card.mission.scoring == (
        Score("hold some", "Inescapable Dominion 1", 4, "turn", count=3, most=4),
        Score("hold some", "Inescapable Dominion 2", 5, "command", count=2, from_round=2, most=5),
        Score("hold more", "Inescapable Dominion 3", 4, "command", from_round=2, most=4),
        Score("hold some", "Inescapable Dominion 4", 5, "battle", "enemy zone", most=5),
    )


def test_zones_are_moved_to_where_they_lie() -> None:
    mission = read_card("punishment@tipping-point", SIZES).mission
    assert {x for x, _ in mission.attacker} == {40.0, 48.0, 60.0}
    assert {x for x, _ in mission.defender} == {0.0, 12.0, 20.0}


@pytest.mark.parametrize("name", ["nowhere", "bm-nowhere-01", ""])
def test_a_layout_that_there_is_not_is_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(UserError, match="bm-take-vs-take-01"):
        any_table(name)


def test_our_own_layouts_are_found_too() -> None:
    assert isinstance(any_table("crossroads"), Table)
    assert isinstance(any_table("random-7"), Table)


def test_a_mission_on_a_pattern_that_there_is_not_is_refused() -> None:
    with pytest.raises(UserError, match="dawn-of-war"):
        read_mission("punishment@nowhere")


def test_a_battle_begins_on_a_layout_with_its_mission_and_is_drawn() -> None:
    for layout in dataset_layouts():
        matchup = next(one.get("mission_matchup_id") for one in data().raw["terrain_layouts"] if one["id"] == layout)
        ways = [one["mission_id"] for one in data().raw["mission_matchups"] if one["id"] == matchup]
        mission = f"{(ways or ['punishment'])[0]}@{layout}"
        battle = sandtable.new("w40k11", armies=ARMIES, mission=mission, layout=layout, seed=1)
        assert battle.svg().startswith("<svg")


def test_a_battle_on_a_layout_of_the_dataset_is_played_to_its_end() -> None:
    battle = sandtable.new("w40k11", armies=ARMIES, mission="outmanoeuvre", layout="bm-take-vs-take-01", seed=5)
    player = ComputerPlayer("tactician")
    while battle.decisions:
        decision = battle.decisions[0]
        battle.answer(decision, player.choose(battle.view(decision.player), decision))
    assert battle.result is not None
