"""Setting a battle up: army lists, Leaders, loadouts, and the sample battle."""

from __future__ import annotations

import numpy as np
import pytest

from sandtable.battle import TABLE, World
from sandtable.errors import UserError
from sandtable.systems.w40k10.sample import sample
from sandtable.systems.w40k10.state import sheet_of, weapons_of
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.table.measure import on_table, overlaps
from w40k10.table import HERO, TROOPER, feature, give, named, offered, row, situation, unit

REDS = unit("Reds", "red", TROOPER, row(3, (10, 10)))
LEADER = unit("Hero", "red", HERO, [(10, 12)], leads="Reds")


@pytest.mark.rule("w40k10.ability.leader_one_unit", check=1)
@pytest.mark.rule("w40k10.ability.leader_one_unit", check=2)
def test_a_leader_and_its_bodyguard_are_one_unit() -> None:
    b = situation([REDS, LEADER, unit("Others", "red", TROOPER, [(20, 10)])])
    assert offered(b, "move_with") == ["Others", "Reds"]
    assert len(named(b, "Reds").models) == 4
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [0, 3]})
    assert np.array_equal(b.state.models.pos[:4, 1], np.array([13, 13, 13, 15]) * 1024)


@pytest.mark.rule("w40k10.ability.leader_one_unit", check=3)
def test_a_leader_whose_bodyguard_is_gone_goes_on_alone() -> None:
    b = situation([REDS, LEADER])
    b.place_models([0, 1, 2], 3)
    assert [sheet_of(b, int(m)).name for m in b.on_table(named(b, "Reds"))] == ["Hero"]


@pytest.mark.rule("w40k10.ability.leader_attach", check=1)
def test_a_leader_joins_only_units_on_its_datasheet() -> None:
    stranger = unit("Reds", "red", {**TROOPER, "name": "Stranger"}, row(3, (10, 10)))
    with pytest.raises(UserError, match="can lead Trooper, not Stranger"):
        situation([stranger, LEADER])
    with pytest.raises(UserError, match="no Leader"):
        situation([REDS, unit("Two", "red", TROOPER, [(10, 12)], leads="Reds")])
    mixed = unit("Pair", "red", HERO, row(2, (10, 12)), leads="Reds", loadout=[{"models": [2], "sheet": TROOPER}])
    with pytest.raises(UserError, match="no Leader"):
        situation([REDS, mixed])
    foes = unit("Blues", "blue", TROOPER, row(3, (10, 20)))
    with pytest.raises(UserError, match="no such unit"):
        situation([REDS, foes, unit("Hero", "red", HERO, [(10, 12)], leads="Blues")])


@pytest.mark.rule("w40k10.ability.leader_attach", check=2)
def test_a_second_leader_is_refused() -> None:
    with pytest.raises(UserError, match="has a Leader already"):
        situation([REDS, LEADER, unit("Rival", "red", HERO, [(12, 12)], leads="Reds")])


@pytest.mark.rule("w40k10.ability.leader_attach", check=3)
@pytest.mark.rule("w40k10.ability.leader_attach", check=1)
def test_attaching_is_voluntary() -> None:
    b = situation([REDS, unit("Hero", "red", HERO, [(10, 12)])])
    assert offered(b, "move_with") == ["Hero", "Reds"]
    with pytest.raises(UserError, match="no such unit"):
        situation([REDS, unit("Hero", "red", HERO, [(10, 12)], leads="Nobody")])


@pytest.mark.rule("w40k10.concept.unit", check=1)
def test_a_unit_has_models() -> None:
    from sandtable.forty.setup import UnitList
    from sandtable.systems.w40k10.core_concepts import check_unit

    with pytest.raises(UserError, match="at least one model"):
        check_unit(UnitList("Ghosts", 0, ()))


def test_models_of_one_unit_carry_what_the_list_says() -> None:
    b = situation(
        [
            unit(
                "Reds",
                "red",
                TROOPER,
                row(3, (10, 10)),
                loadout=[
                    {"models": [1], "weapons": ["rifle"]},
                    {"models": [3], "sheet": {**TROOPER, "name": "Sergeant", "wounds": 3}, "weapons": ["blade"]},
                ],
            )
        ]
    )
    assert [[x.name for x in weapons_of(b, m)] for m in range(3)] == [["rifle"], ["rifle", "blade"], ["blade"]]
    assert list(b.state.models.wounds[:3]) == [2, 2, 3]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"loadout": [{"models": [1], "weapons": ["spoon"]}]}, "no weapon 'spoon'"),
        ({"loadout": [{"models": [9]}]}, "numbered 1 to 3"),
        ({"loadout": ["everything"]}, "loadout"),
        ({"wounds": {1: 7}}, "0 to 2 wounds"),
        ({"luck": 3}, "there is no 'luck'; there are strength, leader_strength, former"),
        ({"battle_shocked": 1}, "flags.battle_shocked: Expected `bool`, got `int`"),
    ],
)
def test_a_wrong_army_list_is_refused_with_a_reason(change: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        situation([unit("Reds", "red", TROOPER, row(3, (10, 10)), **change)])  # type: ignore[arg-type]


def test_a_model_without_wounds_is_gone() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10)), wounds={2: 0})])
    assert list(b.on_table(named(b, "Reds"))) == [0, 2]


@pytest.mark.rule("w40k10.terrain.hill_stacking", check=1)
@pytest.mark.rule("w40k10.terrain.hill_stacking", check=2)
def test_terrain_stands_on_the_ground_or_wholly_on_a_hill() -> None:
    hill = feature("hill", (10, 10, 6, 6), 2, solid=True)
    situation([REDS], [hill, feature("debris", (11, 11, 2, 2), 1, base=2, solid=True)])
    for rect in ((15, 11, 2, 2), (30, 11, 2, 2)):
        with pytest.raises(UserError, match="wholly on a hill"):
            situation([REDS], [hill, feature("debris", rect, 1, base=2, solid=True)])
    for below in (feature("hill", (10, 10, 6, 6), 2), feature("debris", (10, 10, 6, 6), 2, solid=True)):
        with pytest.raises(UserError, match="wholly on a hill"):
            situation([REDS], [below, feature("debris", (11, 11, 2, 2), 1, base=2, solid=True)])


@pytest.mark.rule("w40k10.terrain.hill_stacking", check=1)
def test_terrain_stands_on_one_of_several_hills() -> None:
    hills = [feature("hill", (x, 10, 6, 6), 2, solid=True) for x in (10, 30)]
    b = situation([REDS], [*hills, feature("debris", (31, 11, 2, 2), 1, base=2, solid=True)])
    assert len(b.table.features) == 3


@pytest.mark.parametrize("seed", range(3))
def test_the_sample_is_deployed_on_the_table_and_nobody_stands_on_anybody(seed: int) -> None:
    setup, state = sample(seed, {})
    w = World(SYSTEM, setup, state)
    models = np.flatnonzero(state.models.place == TABLE)
    assert len(models) == len(setup.shape_of)
    for i in models:
        assert on_table(w.bodies, w.shapes, int(i), w.terrain.size)
        assert not any(overlaps(w.bodies, w.shapes, int(i), int(j)) for j in models if j > i)
    assert max(len(u.models) for u in state.units) == 20
    assert min(len(u.models) for u in state.units) == 1
    assert any(u.leader for u in state.units)


def test_a_battle_knows_what_is_played_and_where() -> None:
    import sandtable

    lists = {"red": "orks-1000-horde", "blue": "necrons-1000-legion"}
    agreed = sandtable.new("w40k10", armies=lists, mission="hold-the-line", layout="crossroads", seed=1)
    assert agreed.setup.scene == "Hold the Line on crossroads"
    two = sandtable.new("w40k10", armies=lists, mission="hold-the-line,only-war", layout="crossroads", seed=1)
    assert two.setup.scene == "Hold the Line or Only War on crossroads"
