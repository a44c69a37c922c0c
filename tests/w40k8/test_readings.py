"""Options of a battle of 8th edition: other readings of single rules, each with both of its values."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.enlist import FRAME
from sandtable.systems.w40k8.known_sheets import SHEETS
from sandtable.systems.w40k8.state import Battle8
from support.acting import judge
from w40k8.table import (
    Doc,
    alive,
    asked,
    bare,
    give,
    gun,
    kinds,
    rolls,
    sheet,
    shoot,
    shootout,
    situation,
    unit,
    wounds,
)
from w40k8.table import range_ as shooting
from w40k8.test_auras import beside_lords, worth

rule = pytest.mark.rule
FAR = unit("Blues", "blue", bare(), [(42, 28)])
FAR2 = unit("Bystanders", "blue", bare(name="Bystander"), [(42, 28)])
OTHERS = unit("Others", "red", bare(name="Other"), [(2, 28)])


def values(name: str) -> list[dict[str, str]]:
    """The options of a battle for each value of a reading."""
    (reading,) = [r for r in FRAME.readings if r.name == name]
    return [{name: value} for value in reading.values]


@rule("w40k8.concept.coherency")
def test_a_unit_stands_as_one_group_or_each_model_beside_another() -> None:
    pairs = {"mode": "normal", "to": [None, None, [10, 15], [11.5, 15]]}
    alone = {"mode": "normal", "to": [None, None, None, [11.5, 16]]}
    found = []
    for options in values("coherency"):
        reds = unit("Reds", "red", bare(name="Red"), [(10, 10), (11.5, 10), (10, 12), (11.5, 12)])
        b = situation([reds, OTHERS, FAR], step="move_units", options=options)
        give(b, "move_with", "Reds")
        found.append((judge(b, "move", pairs).ok, judge(b, "move", alone).ok))
    assert found == [(False, False), (True, False)]


@rule("w40k8.move.terrain")
def test_height_is_distance_or_free() -> None:
    block = FeatureDoc("block", "block", "", (11, 6, 6, 8), height=3, solid=True)
    way = {"mode": "normal", "paths": {1: [{"do": "go", "to": to} for to in ([10.4, 10], [10.4, 10, 3], [14, 10, 3])]}}
    found = []
    for options in values("climbing"):
        reds = unit("Reds", "red", bare(name="Red"), [(10, 10)])
        b = situation([reds, OTHERS, FAR], step="move_units", terrain=[block], options=options)
        give(b, "move_with", "Reds")
        found.append(judge(b, "move", way).ok)
    assert found == [False, True]


@rule("w40k8.cover.bonus")
def test_cover_comes_from_any_terrain_or_from_one_feature() -> None:
    woods = [FeatureDoc("woods", f"woods{i}", "", (20, y, 2, 1.4)) for i, y in enumerate((7.3, 8.8))]
    one = [FeatureDoc("woods", "woods", "", (19, 6, 4, 8)), FeatureDoc("woods", "other", "", (30, 20, 2, 2))]
    dice = {"hit": [6], "wound": [6], "save": [3]}

    def saved(terrain: list[FeatureDoc], options: dict[str, str]) -> int:
        return alive(shootout(gun(), bare(save=4), targets=2, terrain=terrain, options=options, dice=dice), "Blues")

    assert [(saved(woods, o), saved(one, o)) for o in values("cover")] == [(2, 2), (1, 2)]


@rule("w40k8.cover.bonus")
def test_cover_is_looked_at_for_each_save_or_once_for_all_shots() -> None:
    woods, dice = FeatureDoc("woods", "woods", "", (22, 5, 4, 6)), {"hit": [6, 6], "wound": [6, 6], "save": [3, 3]}

    def left(options: dict[str, str]) -> int:
        other = [{"models": [2], "sheet": sheet(save=4, name="Last")}]
        reds = unit("Reds", "red", sheet(gun(shots="2"), name="Red"), [(10, 8)])
        blues = unit("Blues", "blue", sheet(save=4, name="Target"), [(21, 8), (23.5, 8)], loadout=other)
        b = situation([reds, OTHERS, blues, FAR2], step="shoot_units", terrain=[woods], dice=dice, options=options)
        give(shoot(b), "allocate", "Target 1")
        return alive(b, "Blues")

    assert [left(o) for o in values("cover-moment")] == [1, 0]


@rule("w40k8.concept.aura")
@pytest.mark.parametrize(("value", "added"), [("once", 1), ("each", 2)])
def test_auras_of_one_name_work_once_or_add_up(value: str, added: int) -> None:
    b = beside_lords(2, lords=2, options={"auras": value})
    assert worth(b, "Reds") == added


@rule("w40k8.move.fly")
def test_who_can_fly_does_so_in_every_move_or_in_the_movement_phase_alone() -> None:
    flyer, over = sheet(name="Red", keywords=["FLY"]), {"mode": "charge", "to": [[16, 10]]}
    found = []
    for options in values("fly"):
        units = [unit("Reds", "red", flyer, [(10, 10)]), unit("Friends", "red", bare(name="Friend"), [(13, 10)])]
        units.append(unit("Blues", "blue", bare(), [(17, 10)]))
        b = situation(units, step="charge_phase", dice={"charge": [6, 6]}, options=options)
        give(b, "charge_with", "Reds")
        here = situation(units, step="move_units", options=options)
        give(here, "move_with", "Reds")
        found.append((judge(b, "charge_move", over).ok, judge(here, "move", {"mode": "normal", "to": [[14.9, 10]]}).ok))
    assert found == [(True, True), (False, True)]


@rule("w40k8.move.through_models")
def test_no_move_leads_through_models_or_those_after_the_movement_phase_do() -> None:
    found = []
    for options in values("through-models"):
        units = [unit("Reds", "red", sheet(name="Red"), [(10, 10)])]
        units += [unit("Friends", "red", bare(name="Friend"), [(13, 10)]), unit("Blues", "blue", bare(), [(17, 10)])]
        b = situation(units, step="charge_phase", dice={"charge": [6, 6]}, options=options)
        give(b, "charge_with", "Reds")
        here = situation(units, step="move_units", options=options)
        give(here, "move_with", "Reds")
        over = judge(b, "charge_move", {"mode": "charge", "to": [[16, 10]]}).ok
        found.append((over, judge(here, "move", {"mode": "normal", "to": [[14.9, 10]]}).ok))
    assert found == [(False, False), (True, False)]


@rule("w40k8.move.minimum")
def test_an_advance_adds_to_how_far_a_flyer_may_get_or_to_both_numbers() -> None:
    plane, found = sheet(name="Plane", move="20-30", keywords=["VEHICLE", "FLY"]), []
    for options in values("flyers-advance"):
        b = situation([unit("Reds", "red", plane, [(5, 10)]), OTHERS, FAR], step="move_units", options=options,
                      dice={"advance": [6]})  # fmt: skip
        give(b, "move_with", "Reds")
        give(b, "move", {"mode": "advance"})
        ends = (25.99, 10), (30.99, 10), (31, 10), (41, 10)
        found.append([judge(b, "complete_move", {"mode": "advance", "to": [list(end)]}).ok for end in ends])
    assert found == [[True] * 4, [False, False, True, True]]


@rule("w40k8.psychic.perils_death")
def test_a_burst_is_thrown_for_each_unit_or_once() -> None:
    witch = sheet(name="Witch", keywords=["PSYKER"], psyker={})
    found = []
    for options in values("perils-burst"):
        units = [unit("Witch", "red", witch, [(10, 10)])]
        units += [unit(name, "blue", bare(name=name, wounds=9), [at]) for name, at in (("A", (13, 10)), ("B", (7, 10)))]
        dice = {"psychic test": [6, 6], "perils": [1, 3, 5]}
        b = situation(units, step="manifest_powers", dice=dice, options=options)
        give(b, "manifest", "Witch: Smite")
        give(b, "perils_order", ["A", "B"])
        found.append((wounds(b, "A"), wounds(b, "B")))
    assert found == [([7], [6]), ([7], [7])]


@rule("w40k8.lord.nurgles_gift")
def test_two_lords_throw_one_die_or_one_each() -> None:
    lords = [unit(f"Lord {i}", "red", SHEETS.lord, [(10, 10 + 2 * i)]) for i in range(2)]
    foe = unit("Foe", "blue", bare(name="Foe", wounds=9), [(11.5, 11)])
    found = []
    for options in values("nurgles-gift"):
        b = situation([*lords, OTHERS, foe], step="nurgles_gift", dice={"nurgle's gift": [4, 5]}, options=options)
        found.append((wounds(b, "Foe"), len(rolls(b))))
    assert found == [([8], 1), ([7], 2)]


@rule("w40k8.onlywar.command_reroll_use")
@pytest.mark.parametrize(("value", "asks"), [("own-dice", ["shoot_with"]), ("any-dice", ["react.after_roll"])])
def test_a_command_reroll_is_for_own_dice_or_for_any(value: str, asks: list[str]) -> None:
    options = {"command-rerolls": value, "windows": "all"}
    b = shooting(gun(), dice={"hit": [1, 1]}, state={"blue": {"rerolls": 1}}, options=options)
    assert kinds(shoot(b)) == asks


@rule("w40k8.onlywar.wipe_out")
@pytest.mark.parametrize(("value", "over"), [("all-models", False), ("on-the-battlefield", True)])
def test_reserves_keep_an_army_in_the_battle_or_do_not(value: str, over: bool) -> None:
    late = unit("Late", "blue", bare(), off=1, reserve="teleport strike")
    reds = unit("Reds", "red", sheet(gun(), name="Red"), [(10, 10)])
    b: Battle8 = situation(
        [reds, OTHERS, unit("Blues", "blue", bare(), [(20, 10)]), late],
        step="shoot_units",
        dice={"hit": [6], "wound": [6]},
        mission="only-war",
        options={"wiped-out": value},
        state={"game": {"underdog": 0}},
    )
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert (b.result is not None and b.result.winners == (0,) and b.result.reason == "an army is wiped out") is over


# --- Weapons with several profiles ------------------------------------------------------------------------------------

PLASMA: list[Doc] = [
    {**gun("rapid fire", name="plasma gun, standard", s="7", ap=-3), "of": "plasma gun"},
    {**gun("rapid fire", name="plasma gun, supercharge", s="8", ap=-3, d="2"), "of": "plasma gun"},
]


def test_one_profile_is_chosen_for_each_shot() -> None:
    dice = {"hit": [6, 6], "wound": [6, 6]}
    b = shooting(PLASMA, bare(wounds=9), shooters=2, gap=20, dice=dice)
    give(b, "shoot_with", "Reds")
    (row,) = asked(b, "shoot").rows  # type: ignore[attr-defined]
    both: Any = [
        {"weapon": row.id, "target": "Blues", "count": 1, "mode": mode}
        for mode in ("plasma gun, standard", "plasma gun, supercharge")
    ]
    assert (row.count, judge(b, "shoot", [{**both[0], "count": 2}, both[1]]).ok) == (2, False)
    give(b, "shoot", both)
    assert wounds(b, "Blues") == [9 - 1 - 2]
