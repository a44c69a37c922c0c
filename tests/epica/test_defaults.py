"""What one key answers: what a sensible player would do."""

from __future__ import annotations

from typing import Any

import pytest

from epica.assaults import engaging
from epica.table import (
    BRUTES,
    TANK,
    TROOPS,
    act,
    alive,
    area,
    asked,
    default,
    formation,
    give,
    kinds,
    named,
    places,
    row,
    shoot_at,
    situation,
)
from sandtable.battle.decisions import Assignment
from sandtable.battle.questions import check
from sandtable.systems.epica.cover import is_in_cover
from sandtable.systems.epica.state import EpicBattle

# --- Shooting --------------------------------------------------------------------------------------------------------


def shooting(*blues: Any, terrain: list[Any] | None = None, sheet: Any = TROOPS) -> EpicBattle:
    """Reds on sustained fire, 20 cm from who is there."""
    b = situation([formation("Reds", "red", sheet, row(4, 30, 30)), *blues], terrain)
    act(b, "Reds", "sustained")
    return b


def chosen(b: EpicBattle) -> str:
    return b.unit(b.default(asked(b, "shoot-at"))).name


def test_shots_go_where_most_is_lost() -> None:
    soft, hard = formation("Soft", "blue", at=row(4, 30, 52)), formation("Hard", "blue", TANK, row(4, 30, 46))
    assert chosen(shooting(hard, soft)) == "Soft"


def test_shots_go_where_they_break_somebody() -> None:
    calm, shaken = (
        formation("Calm", "blue", at=row(4, 30, 50)),
        formation("Shaken", "blue", at=row(4, 30, 53), markers=3),
    )
    assert chosen(shooting(calm, shaken)) == "Shaken"


def test_who_can_only_frighten_somebody_does() -> None:
    assert chosen(shooting(formation("Far", "blue", {**TANK, "armour": 1}, row(1, 30, 50)))) == "Far"


def aimed(b: EpicBattle) -> tuple[Assignment, ...]:
    shoot_at(b, "Blues")
    found: tuple[Assignment, ...] = b.default(asked(b, "aim"))
    return found


def modes(b: EpicBattle) -> dict[str, int]:
    """How many weapons are fired as what."""
    found: dict[str, int] = {}
    for a in aimed(b):
        found[a.mode] = found.get(a.mode, 0) + a.count
    return found


GUNS = {**TROOPS, "weapons": ["Twin 30cm AP5+/AT5+"]}


@pytest.mark.parametrize(
    ("infantry", "tanks", "fired"),
    [(4, 0, {"AP": 4}), (0, 4, {"AT": 4}), (6, 1, {"AP": 4}), (1, 4, {"AP": 2, "AT": 2})],
    ids=["infantry", "tanks", "hardly a tank", "both"],
)
def test_weapons_are_split_between_infantry_and_tanks(infantry: int, tanks: int, fired: dict[str, int]) -> None:
    sheets = [TROOPS] * infantry + [TANK] * tanks
    blues = formation("Blues", "blue", TROOPS, row(len(sheets), 24, 50), loadout=sheets)
    assert modes(shooting(blues, sheet=GUNS)) == fired


def test_shots_go_at_those_in_the_open_where_cover_helps_most() -> None:
    wood = area("building", 22, 46, 12, 10)
    b = shooting(formation("Blues", "blue", {**TROOPS, "armour": 0}, row(6, 23, 50)), terrain=[wood])
    assert {a.target for a in aimed(b)} == {"open"}


def test_shots_go_at_those_in_cover_where_hardly_anybody_is_in_the_open() -> None:
    scrub = area("scrub", 10, 46, 26, 10)
    hard, soft = {**TROOPS, "armour": 2}, {**TROOPS, "armour": 0}
    b = shooting(formation("Blues", "blue", soft, row(6, 21, 50), loadout=[soft] * 5 + [hard]), terrain=[scrub])
    assert {a.target for a in aimed(b)} == {"cover"}


# --- Holding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markers", "away", "part"),
    [(0, 20, "shoot"), (3, 20, "regroup"), (0, 55, "regroup")],
    ids=["somebody is near", "many markers", "nobody is near"],
)
def test_who_holds_shoots_or_regroups(markers: int, away: int, part: str) -> None:
    reds = formation("Reds", "red", at=row(5, 30, 30), markers=markers)
    blues = formation("Blues", "blue", at=row(3, 30, 30 + away))
    b = situation([reds, blues], dice={"action test": [1]})
    act(b, "Reds", "advance")
    assert b.default(asked(b, "hold")) == part


# --- Withdrawing -----------------------------------------------------------------------------------------------------


def fleeing(reds: Any, blues: Any, terrain: list[Any] | None = None) -> EpicBattle:
    """Reds that have broken and withdraw."""
    return situation([reds, formation("Rest", "red", at=[(100, 10)]), blues], terrain)


def broken(at: list[tuple[float, float]], sheet: Any = TROOPS) -> Any:
    return formation("Reds", "red", sheet, at, broken=True, flees=True)


def withdrawn(b: EpicBattle) -> int:
    """How many are left after the usual withdrawal."""
    while "withdraw" in kinds(b):
        decision = asked(b, "withdraw")
        assert check(b, decision, b.default(decision))
        default(b, "withdraw")
    return alive(b, "Reds")


def test_who_withdraws_goes_where_nobody_is_lost() -> None:
    assert withdrawn(fleeing(broken(row(4, 40, 40)), formation("Blues", "blue", at=row(4, 40, 46)))) == 4


def test_who_withdraws_from_enemies_on_two_sides_slips_out_between_them() -> None:
    blues = formation("Blues", "blue", at=[*row(4, 40, 50), *row(4, 40, 30)])
    assert withdrawn(fleeing(broken(row(4, 40, 40)), blues)) == 4


def test_who_withdraws_to_safety_in_one_move_stays_there() -> None:
    b = fleeing(broken(row(4, 40, 40)), formation("Blues", "blue", at=row(4, 40, 52)))
    default(b, "withdraw")
    before = places(b, "Reds")
    default(b, "withdraw")
    assert places(b, "Reds") == before


def test_who_withdraws_goes_no_further_than_safety() -> None:
    b = fleeing(broken(row(4, 40, 40)), formation("Blues", "blue", at=row(4, 40, 52)))
    default(b, "withdraw")
    assert 33 < places(b, "Reds")[0][1] < 36


def test_who_withdraws_does_not_leave_the_table() -> None:
    b = fleeing(broken(row(4, 3, 3)), formation("Blues", "blue", at=row(4, 3, 12)))
    assert withdrawn(b) == 4


# --- Assaults --------------------------------------------------------------------------------------------------------


def test_a_counter_charge_brings_units_into_the_fight() -> None:
    b = engaging(row(3, 30, 30), [(30, 45), (30, 48.5), (30, 52)], blue_sheet=BRUTES)
    give(b, "charge", {"by": [0, 5]})
    decision = asked(b, "counter-charge")
    assert b.default(decision).paths
    assert check(b, decision, b.default(decision))


def test_who_fights_better_from_afar_does_not_counter_charge() -> None:
    shots = {**TROOPS, "cc": 6, "ff": 3}
    b = engaging(row(3, 30, 30), row(3, 30, 45), blue_sheet=shots)
    give(b, "charge", {"by": [0, 5]})
    assert not b.default(asked(b, "counter-charge")).paths


def test_the_nearest_enemy_is_engaged() -> None:
    far, near = formation("Far", "blue", at=row(3, 30, 60)), formation("Near", "blue", at=row(3, 60, 35))
    b = situation([formation("Reds", "red", at=row(3, 50, 30)), far, near])
    act(b, "Reds", "engage")
    assert b.default(asked(b, "engage")) == named(b, "Near").id


def consolidating(terrain: list[Any] | None = None) -> EpicBattle:
    """Reds that have won a firefight."""
    b = engaging(row(3, 30, 30), row(1, 33, 50), terrain=terrain, dice={"firefight": [6, 6, 6, 1], "save": [1, 1, 1]})
    give(b, "charge", {"by": [0, 5]})
    give(b, "counter-charge", {})
    return b


def test_who_has_won_goes_into_cover_that_is_near() -> None:
    b = consolidating([area("wood", 24, 39, 24, 4)])
    default(b, "consolidate")
    assert [is_in_cover(b, m) for m in named(b, "Reds").models] == [True] * 3


def test_who_has_won_in_the_open_stays() -> None:
    b = consolidating()
    assert not b.default(asked(b, "consolidate")).paths
