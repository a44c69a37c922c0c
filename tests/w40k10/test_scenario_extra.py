"""What only 10th edition has in scenario files: army lists, a mission, zones, abilities and effects."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from sandtable.battle.judging import run_scenario
from sandtable.battle.scenario import open_scenario, read_scenario
from sandtable.errors import UserError
from sandtable.forty.markers import markers_of
from sandtable.forty.mission import mission_of, zones_of
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.table.grid import steps

SHEET = {
    "move": 6, "toughness": 4, "save": 5, "wounds": 1, "leadership": 7, "oc": 2, "base": "32mm", "height": 1.5,
    "keywords": ["INFANTRY"],
    "weapons": [{"name": "rifle", "range": 24, "attacks": "2", "skill": 3, "strength": 4, "ap": 0, "damage": "1"}],
}  # fmt: skip
MARINES = {
    "name": "Marines", "system": "w40k10", "pack": "w40k10", "faction": "space-marines",
    "detachment": "gladius-task-force", "limit": 1000,
    "units": [
        {"sheet": "captain", "warlord": True},
        {"sheet": "hellblaster-squad", "size": 5},
        {"sheet": "scout-squad"},
    ],
}  # fmt: skip
PLACED = [
    {"name": "Hellblaster Squad", "player": "red", "line": {"from": [10, 10], "to": [18, 10]}, "wounds": {5: 1}},
    {"name": "Grunts", "player": "blue", "sheet": "Grunt", "positions": [[14, 20], [16, 20]]},
]
PAIN: dict[str, Any] = {"unit": "Grunts", "name": "Thick Skins", "effects": [{"kind": "feel_no_pain", "value": 5}]}
CAPTAIN = {"name": "Captain", "player": "red", "positions": [[14, 12]], "flags": {"leads": "Hellblaster Squad"}}
HERO = {**SHEET, "abilities": ["leader"], "leads": ["Hellblaster", "Hellblaster Sergeant"]}
TEA = {
    "id": "tea", "name": "Tea", "sizes": ["incursion"], "smallest": {"incursion": [44, 30]}, "rounds": 3,
    "attacker": [[0, 0], [60, 0], [60, 9]], "defender": [[0, 44], [60, 44], [60, 35]], "markers": [["W/2", "H/2"]],
    "scoring": [{"kind": "hold", "name": "Hold the pot", "vp": 4}],
}  # fmt: skip
SHOOTING: dict[str, Any] = {
    "units": [{**PLACED[1], "name": "Reds", "player": "red", "positions": [[14, 8]]}, PLACED[1]],
    "answers": [
        {"player": "red", "to": "shoot_with", "answer": "Reds"},
        {"player": "red", "to": "shoot", "answer": [{"weapon": "rifle", "target": "Grunts"}]},
    ],
}


class Plain(yaml.SafeDumper):
    """Writes everything out, without aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def document(**more: Any) -> str:
    doc = {
        "scenario": "extra", "system": "w40k10", "question": "?", "table": {"size": [60, 44]},
        "sheets": {"Grunt": SHEET}, "units": PLACED, "at": {"step": "shoot_units", "round": 2, "active": "red"},
        "dice": [], **more,
    }  # fmt: skip
    return yaml.dump(doc, Dumper=Plain, sort_keys=False)


def opened(**more: Any) -> Battle10:
    return open_scenario(read_scenario(document(**more), "s.yaml"), SYSTEM)


def with_lists(**more: Any) -> Battle10:
    return opened(extra={"lists": {"red": MARINES}}, **more)


def unit(b: Battle10, name: str) -> Any:
    return next(u for u in b.units() if u.name == name)


def failures(dice: dict[str, list[int]], *answers: dict[str, Any], **more: Any) -> list[str]:
    doc = {**SHOOTING, "answers": [*SHOOTING["answers"], *answers], "dice": dice, **more}
    return run_scenario(read_scenario(document(**doc), "s.yaml"), SYSTEM).failures


def test_units_of_a_list_stand_where_the_file_says_and_the_others_wait_beside_the_table() -> None:
    b = with_lists()
    squad = unit(b, "Hellblaster Squad")
    assert [tuple(b.state.models.pos[m][:2]) for m in squad.models] == [(steps(x), steps(10)) for x in range(10, 19, 2)]
    assert [int(b.state.models.wounds[m]) for m in squad.models] == [2, 2, 2, 2, 1]
    assert not b.is_on_table(unit(b, "Scout Squad"))
    assert b.is_on_table(unit(b, "Grunts"))
    assert len(b.setup.data.roster) == len(b.units())


def test_what_a_list_brings_works() -> None:
    b = with_lists()
    assert "Combat Doctrines" in {a.name for a in b.setup.data.abilities}
    assert {s.player for s in b.setup.data.stratagems} == {0}
    warlord = next(e.warlord for e in b.setup.data.roster if e.warlord >= 0)
    assert warlord in unit(b, "Captain").models


def test_a_leader_of_a_list_leads_whom_the_file_says() -> None:
    b = with_lists(units=[*PLACED, CAPTAIN])
    squad = unit(b, "Hellblaster Squad")
    assert len(b.on_table(squad)) == 6
    assert squad.leader_names == ("Captain",)
    # It keeps its own place on the roster, with its abilities and the Warlord.
    assert b.setup.data.roster[2].warlord == squad.leader[0]
    assert {a.models for a in b.setup.data.abilities if a.source == "captain"} == {squad.leader}


def test_a_leader_of_the_file_leads_a_unit_of_a_list() -> None:
    hero = {"name": "Hero", "player": "red", "sheet": "Hero", "positions": [[14, 12]]}
    sheets = {"Grunt": SHEET, "Hero": HERO}
    b = with_lists(units=[*PLACED, {**hero, "flags": {"leads": "Hellblaster Squad"}}], sheets=sheets)
    squad = unit(b, "Hellblaster Squad")
    assert squad.leader_names == ("Hero",)
    # Nobody's number was changed by it: the Captain is still the Warlord, with the Captain's abilities.
    assert b.setup.data.roster[2].warlord in unit(b, "Captain").models
    assert {a.models for a in b.setup.data.abilities if a.source == "captain"} == {unit(b, "Captain").models}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"extra": {"lists": {"red": "mine.yaml"}}}, "extra.lists.red: name a ready list of a pack, or write it out"),
        ({"extra": {"lists": {"red": "elves"}}}, "extra.lists.red: There is no army list 'elves'"),
        ({"extra": {"lists": {"green": MARINES}}}, "No player 'green'; players are red, blue"),
        ({"extra": {"lists": {"red": {**MARINES, "limit": 10}}}}, "extra.lists.red: The army .*the limit is 10"),
        ({"extra": {"lists": {"red": {**MARINES, "pack": "tin"}}}}, "extra.lists.red: No pack 'tin'"),
        ({"units": PLACED}, "it needs a sheet, unless an army list of red has .*; units of lists are none"),
        ({"extra": {"armies": {}}}, "unknown field `armies`; its fields are rounds, turns, lists,"),
    ],
)
def test_a_list_that_cannot_be_brought_is_refused(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        opened(**more)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": "Scouts"}, "an army list of red has a unit of that name; units of lists are Hellblaster Squad,"),
        ({"sheet": "Grunt"}, "the army list of red has a unit of that name"),
        ({"player": "blue"}, "the army list of red has a unit of that name"),
        ({"loadout": [{"models": [1], "weapons": []}]}, "the army list says how many models it has"),
        ({"models": 5}, "the army list says how many models it has"),
        ({"line": None, "positions": [[1, 1]]}, "5 models, but 1 positions"),
        ({"wounds": {6: 1}}, "models are numbered 1 to 5, there is no 6"),
        ({"wounds": {1: 3}}, "a model has 0 to 2 wounds left, not 3"),
        (
            {"flags": {"leads": "Scout Squad"}},
            r"units \(Hellblaster Squad\): leads: .* can lead nobody, not Scout Squad",
        ),
    ],
)
def test_a_unit_of_a_list_is_what_the_list_says(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        with_lists(units=[{**PLACED[0], **changes}, PLACED[1]])


def test_a_leader_of_a_list_leads_nobody_whom_its_datasheet_does_not_name() -> None:
    scouts = {"name": "Scout Squad", "player": "red", "line": {"from": [10, 5], "to": [18, 5]}}
    with pytest.raises(UserError, match=r"units \(Captain\): leads: .* can lead Hellblaster Squad, not Scout Squad"):
        with_lists(units=[*PLACED, scouts, {**CAPTAIN, "flags": {"leads": "Scout Squad"}}])


def test_two_leaders_lead_one_unit_only_where_the_book_lets_them() -> None:
    hero = {"name": "Hero", "player": "red", "sheet": "Hero", "positions": [[14, 14]]}
    both = [*PLACED, CAPTAIN, {**hero, "flags": {"leads": "Hellblaster Squad"}}]
    with pytest.raises(UserError, match="Hellblaster Squad has a Leader already: Captain"):
        with_lists(units=both, sheets={"Grunt": SHEET, "Hero": HERO})


def test_a_mission_brings_its_markers_zones_and_rounds() -> None:
    b = opened(extra={"mission": "supply-drop"}, units=PLACED[1:])
    mission = mission_of(b)
    assert mission is not None
    assert mission.id == "supply-drop"
    assert len(markers_of(b)) == 6
    assert zones_of(b)[0][2] == (steps(60), steps(10))
    assert b.player(0).scored == (0, 0)


def test_zones_may_be_said_without_a_mission() -> None:
    zones = {"attacker": [[0, 0], [60, 0], [60, 6]], "defender": [[0, 44], [60, 44], [60, 38]]}
    b = opened(extra={"zones": zones}, units=PLACED[1:])
    assert zones_of(b)[0] == ((0, 0), (steps(60), 0), (steps(60), steps(6)))
    assert mission_of(b) is None


@pytest.mark.parametrize(
    ("extra", "sentence"),
    [
        ({"mission": "tea.yaml"}, "extra.mission: name a mission, or write it out"),
        ({"mission": "tea"}, "There is no mission 'tea'; missions are"),
        ({"mission": {**TEA, "attacker": [[0, 0], [61, 0], [0, 9]]}}, "extra.mission: The place 61.0, 0.0 is not on"),
        ({"mission": {**TEA, "smallest": {}}}, "extra.mission: smallest: it does not say .* for incursion"),
        ({"zones": {"attacker": [[0, 0], [9, 0], [0, 6]]}}, "the field 'defender' is missing"),
        (
            {"zones": {"attacker": [[0, 0], [9, 9], [9, 0], [0, 6]], "defender": [[0, 0], [60, 0], [0, 6]]}},
            "extra.zones.attacker: .*crosses itself",
        ),
        (
            {"zones": {"attacker": [[0, 0], [61, 0], [0, 6]], "defender": [[0, 0], [60, 0], [0, 6]]}},
            "extra.zones.attacker: a corner is not on the table",
        ),
        ({"rounds": 101}, "extra, rounds: Expected `int` <= 100"),
        ({"abilities": [{**PAIN, "unit": "Nobody"}]}, "There is no unit 'Nobody'"),
        ({"abilities": [{**PAIN, "models": [3]}]}, "models are numbered 1 to 2, there is no 3"),
        ({"abilities": [{**PAIN, "choose": 1}]}, r"extra.abilities\[0\] \(Thick Skins\): a choice of 1 needs"),
        ({"abilities": [{**PAIN, "effects": []}]}, "length >= 1"),
        (
            {"abilities": [{**PAIN, "effects": [{"kind": "feel_no_pain", "value": 5, "from": 1}]}]},
            "unknown field `from`; its fields are .*value",
        ),
        ({"effects": [{"kind": "cover", "unit": "Nobody"}]}, "There is no unit 'Nobody'"),
        (
            {"effects": [{"kind": "rage", "unit": "Grunts"}]},
            r"extra.effects\[0\]: there is no effect 'rage'; there are",
        ),
        ({"effects": [{"kind": "invulnerable", "unit": "Grunts"}]}, "the value of invulnerable is 2 to 6, not 1"),
        ({"effects": [{"kind": "cover", "unit": "Grunts", "until": "tea"}]}, "until: Invalid enum value 'tea'"),
    ],
)
def test_what_cannot_be_is_refused(extra: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        opened(extra=extra, units=PLACED[1:])


def test_a_mission_may_be_written_out() -> None:
    b = opened(extra={"mission": TEA}, units=PLACED[1:])
    assert b.setup.data.rounds == 3
    assert markers_of(b) == ((steps(30), steps(22), 0),)
    # What the file says itself goes before what the mission says.
    own = opened(extra={"mission": TEA, "rounds": 2}, units=PLACED[1:], objectives=[[10, 10]])
    assert own.setup.data.rounds == 2
    assert markers_of(own) == ((steps(10), steps(10), 0),)


def test_a_mission_is_scored() -> None:
    doc = {
        "at": {"step": "score_command", "round": 2, "active": "blue"}, "extra": {"mission": TEA}, "objectives": [],
        "units": [{**PLACED[1], "positions": [[30, 22], [30, 24]]}], "until": {"told": "scored"},
        "state": {"game": {"control": [1]}}, "expect": {"players": {"blue": {"vp": 4}, "red": {"vp": 0}}},
    }  # fmt: skip
    assert run_scenario(read_scenario(document(**doc), "s.yaml"), SYSTEM).failures == []


def test_an_ability_of_a_unit_works() -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [1, 1]}
    assert failures(dice, expect={"units": {"Grunts": {"models": 0}}}) == []
    pain = {"roll": "feel no pain", "needed": 5}
    expect = {"units": {"Grunts": {"models": 1}}, "rolls": ["hit", "wound", "save", pain, pain]}
    assert failures({**dice, "feel no pain": [5, 4]}, extra={"abilities": [PAIN]}, expect=expect) == []


def test_an_ability_of_some_models_works_for_them_alone() -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [1, 1], "feel no pain": [4]}
    effect = {**PAIN["effects"][0], "who": "model"}
    extra = {"abilities": [{**PAIN, "models": [2], "effects": [effect]}]}
    first = {"player": "blue", "to": "allocate", "answer": "Grunt 2"}
    # Both attacks get through, and only the one on its bearer is rolled for.
    expect = {"units": {"Grunts": {"models": 0}}, "rolls": ["hit", "wound", "save", "feel no pain", "save"]}
    assert failures(dice, first, extra=extra, expect=expect) == []


def test_an_ability_may_be_given_to_a_leader_that_has_joined_others() -> None:
    power = {**PAIN, "unit": "Captain"}
    b = opened(extra={"lists": {"red": MARINES}, "abilities": [power]}, units=[*PLACED, CAPTAIN])
    squad = unit(b, "Hellblaster Squad")
    assert b.setup.data.abilities[-1].models == squad.leader
    b = opened(extra={"lists": {"red": MARINES}, "abilities": [{**power, "models": [1]}]}, units=[*PLACED, CAPTAIN])
    assert b.setup.data.abilities[-1].models == squad.leader
    power = {**PAIN, "unit": "Hellblaster Squad", "models": [6]}
    b = opened(extra={"lists": {"red": MARINES}, "abilities": [power]}, units=[*PLACED, CAPTAIN])
    assert b.setup.data.abilities[-1].models == squad.leader


def test_an_effect_lies_on_a_unit_already() -> None:
    dice = {"hit": [3, 3], "wound": [6, 6], "save": [4, 4]}
    assert failures(dice, expect={"units": {"Grunts": {"models": 0}}}) == []
    cover = {"kind": "cover", "unit": "Grunts"}
    assert failures(dice, extra={"effects": [cover]}, expect={"units": {"Grunts": {"models": 2}}}) == []
    fog = {"kind": "hit_modifier", "unit": "Reds", "value": -1, "source": "Fog"}
    rolled = {"roll": "hit", "needed": 4, "why": ["3+", "-1 Fog"], "outcome": "0 hits"}
    assert failures({"hit": [3, 3]}, extra={"effects": [fog]}, expect={"rolls": [rolled]}) == []


@pytest.mark.parametrize(
    ("until", "left"),
    [("phase", [1, 0, 0]), ("turn", [1, 1, 0]), ("battle", [1, 1, 1])],
    ids=["phase", "turn", "battle"],
)
def test_an_effect_ends_when_the_file_says(until: str, left: list[int]) -> None:
    effect = {"kind": "cover", "unit": "Grunts", "until": until}
    units = [{**SHOOTING["units"][0], "positions": [[50, 40]]}, PLACED[1]]
    found = []
    for stop in ({"step": "end_phase"}, {"step": "charge_phase"}, {"step": "round_begins"}):
        doc = read_scenario(document(extra={"effects": [effect]}, units=units, until=stop), "s.yaml")
        outcome = run_scenario(doc, SYSTEM)
        assert outcome.failures == []
        found.append(len(outcome.battle.state.effects))
    assert found == left


def test_an_effect_on_a_leader_that_has_joined_others_is_refused() -> None:
    extra = {"lists": {"red": MARINES}, "effects": [{"kind": "cover", "unit": "Captain"}]}
    with pytest.raises(UserError, match=r"extra.effects\[0\]: Captain has joined another unit; name that one"):
        opened(extra=extra, units=[*PLACED, CAPTAIN])
