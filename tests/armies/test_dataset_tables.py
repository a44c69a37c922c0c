"""Layouts and missions of the 40kdc dataset, as documents of ours."""

from __future__ import annotations

from collections import Counter

import pytest

import sandtable
from sandtable.armies.kdc.source import data
from sandtable.errors import UserError
from sandtable.forty.dataset_layouts import any_table, dataset_layouts, dataset_table, table_doc
from sandtable.forty.dataset_missions import dataset_grounds, dataset_missions, dataset_patterns, read_card
from sandtable.forty.markers import markers_of
from sandtable.kit.areas import area_at, areas_of
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


def test_upper_floors_lie_where_the_dataset_has_them_three_inches_up() -> None:
    floors = [floor for name in dataset_layouts() for area in table_doc(name).terrain for floor in area.floors]
    assert (len(floors), {floor.z for floor in floors}) == (450, {3.0})
    area = next(area for area in table_doc("bm-assets-vs-assets-01").terrain if area.id == "area-16")
    corners = [corner for wall in area.walls for corner in (wall.start, wall.end)]
    inside = [min(c[k] for c in corners) - 0.5 <= p[k] <= max(c[k] for c in corners) + 0.5 for f in area.floors
              for p in f.outline for k in (0, 1)]  # fmt: skip
    assert (len(area.floors), all(inside)) == (2, True)


def test_areas_are_dense_light_or_exposed_as_the_heaviest_thing_in_them() -> None:
    kinds = Counter(category_of(area.kind) for name in dataset_layouts() for area in table_doc(name).terrain)
    assert kinds == {DENSE: 552, LIGHT: 180, EXPOSED: 5}


def test_two_areas_that_are_one_objective_are_one_terrain_area_around_its_marker() -> None:
    linked = [name for name in dataset_layouts() if any("/" in area.id for area in table_doc(name).terrain)]
    missions = {layout: mission for mission, layout in dataset_grounds()}
    assert len(linked) == 21
    for layout in linked[::4]:
        b = sandtable.new("w40k11", armies=ARMIES, mission=missions[layout], layout=layout, seed=1)
        parts = [f for f, feature in enumerate(b.table.features) if feature.id.startswith("objective-center/")]
        assert len(parts) == 2
        assert {int(areas_of(b)[f]) for f in parts} <= {area_at(b, x, y) for x, y, _ in markers_of(b)}


def test_what_stands_in_an_area_without_walls_of_its_own_is_walled_in() -> None:
    areas = {area.id: area for area in table_doc("kotc-colosseum").terrain}
    ruin, wall = areas["ruin-inner-nw"], areas["colosseum-wall-ne"]
    assert (ruin.kind, len(ruin.walls), {part.top for part in ruin.walls}) == ("ruins", 6, {3})
    assert (wall.height, len(wall.walls)) == (6, len(wall.outline))


def test_every_mission_has_zones_markers_and_something_that_scores() -> None:
    assert len(dataset_missions()) == 25
    for name in dataset_missions():
        mission = read_card(name, SIZES).mission
        assert mission.scoring
        assert 4 <= len(mission.markers) <= 6
        assert len(mission.roles) == len(mission.markers)
        assert (mission.most_in_round, mission.most_in_battle) == (15, 45)


def test_every_award_of_every_primary_card_is_scored() -> None:
    awards = {card["id"]: len(card["awards"]) for card in data().raw["mission_cards"] if card["card_type"] == "primary"}
    cards = {name: read_card(name, SIZES) for name in dataset_missions()}
    assert {name: card.played for name, card in cards.items()} == awards
    assert sum(awards.values()) == 100
    assert {card.lacks for card in cards.values()} == {()}


def test_every_action_of_every_primary_card_is_known() -> None:
    told = {a["action_id"] for card in data().raw["mission_cards"] for a in card.get("actions") or ()}
    known = {
        a.name.lower().replace(" ", "-") for name in dataset_missions() for a in read_card(name, SIZES).mission.actions
    }
    assert told - known == {"cleanse", "plunder"}  # of secondary cards


def test_the_opponent_has_the_card_of_the_same_pair_the_other_way_round() -> None:
    one, other = read_card("punishment", SIZES), read_card("delaying-action", SIZES)
    assert (one.opponent, other.opponent) == ("delaying-action", "punishment")
    firsts = [{way.name for way in card.mission.scoring if way.by == "first side"} for card in (one, other)]
    seconds = [{way.name for way in card.mission.scoring if way.by == "second side"} for card in (one, other)]
    assert firsts == seconds[::-1]
    assert one.mission.text == "The first side scores by Punishment, the second side by Delaying Action."


def test_in_a_pair_of_the_same_disposition_both_have_the_same_card() -> None:
    card = read_card("meatgrinder", SIZES)
    assert {way.by for way in card.mission.scoring} == {"everybody"}
    assert card.mission.text == "Both players score by this card."


def test_ways_to_score_are_told_in_plain_words() -> None:
    names = [way.name for way in read_card("determined-acquisition", SIZES).mission.scoring][:3]
    assert names == [
        "Determined Acquisition, for each objective newly taken",
        "Determined Acquisition, for each objective held",
        "Determined Acquisition, for each objective held in enemy territory",
    ]


def test_an_objective_is_home_central_or_expansion_as_the_layout_says_or_by_where_it_lies() -> None:
    for where in ("bm-take-vs-take-01", "dawn-of-war"):
        assert Counter(read_card(f"meatgrinder@{where}", SIZES).mission.roles) == {
            "home": 2,
            "central": 1,
            "expansion": 2,
        }


def test_in_the_last_round_battlefield_dominance_waits_for_the_end_of_the_turn() -> None:
    ways = [way for way in read_card("battlefield-dominance", SIZES).mission.scoring if way.kind == "hold"]
    assert [(way.when, way.from_round, way.to_round) for way in ways] == [("command", 2, 4), ("turn", 5, 99)] * 2


def test_a_mission_can_be_fought_on_any_pattern_or_layout() -> None:
    for where in (*dataset_patterns(), *dataset_layouts()):
        mission = read_mission(f"punishment@{where}")
        assert len(mission.attacker) >= 3
        assert len(mission.markers) >= 4


def test_a_card_is_scored_as_it_says() -> None:
    card = read_card("inescapable-dominion", SIZES)
    called, first = "Inescapable Dominion", {"by": "first side"}
    assert card.mission.scoring[:4] == (
        Score("hold some", f"{called}, 3 or more objectives held", 4, "turn", count=3, **first),
        Score("hold some", f"{called}, 2 or more objectives held", 5, "command", count=2, from_round=2, **first),
        Score("hold more", f"{called}, more objectives held than the enemy", 4, "command", from_round=2, **first),
        Score("hold some", f"{called}, an objective held at their home", 5, "battle", "enemy home", **first),
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
