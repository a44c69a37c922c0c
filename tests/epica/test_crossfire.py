"""Crossfire."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import (
    MILITIA,
    TANK,
    TROOPS,
    act,
    alive,
    area,
    destroy,
    fire,
    formation,
    give,
    kinds,
    named,
    rolls,
    row,
    settle,
    shoot_at,
    situation,
    stand,
    stay,
)
from sandtable.battle.events import Told
from sandtable.systems.epica.crossfire import find_crossfire
from sandtable.systems.epica.state import EpicBattle

rule = pytest.mark.rule
OW = "react.move_completed"


def pass_shoot(b: EpicBattle) -> None:
    if "shoot-at" in kinds(b):
        give(b, "shoot-at", None)


def between(
    far: tuple[float, float] = (30, 50),
    target: list[tuple[float, float]] | None = None,
    dice: dict[str, list[int]] | None = None,
    terrain: list[Any] | None = None,
    sheet: dict[str, Any] = TROOPS,
    armour: int = 5,
    **flags: Any,
) -> EpicBattle:
    """The Blues between the Reds below and their friends above."""
    return situation(
        [
            formation("Reds", "red", TANK, [(30, 10)]),
            formation("Friends", "red", sheet, [far], acted=True, **flags),
            formation("Blues", "blue", {**TROOPS, "armour": armour}, target or [(27, 30), (33, 30)]),
            formation("Others", "blue", at=row(3, 5, 85)),
        ],
        terrain,
        dice=dice,
    )


def caught(b: EpicBattle) -> bool:
    return find_crossfire(b, named(b, "Reds"), named(b, "Blues")) is not None


@rule("epica.crossfire.line", check=(1, 3))
def test_a_line_of_45_cm_between_two_units_is_a_crossfire() -> None:
    assert caught(between((30, 57)))
    assert not caught(between((30, 57.1)))


@rule("epica.crossfire.line", check=(2, 4))
def test_the_line_has_to_cross_the_target_and_end_in_another_formation() -> None:
    assert not caught(between((10, 50)))
    assert caught(between(target=[(30, 30)]))
    assert not caught(between(target=[(32, 30)]))
    b = situation([
        formation("Reds", "red", TANK, [(30, 10), (30, 50)]), formation("Blues", "blue", at=[(27, 30), (33, 30)]),
    ])  # fmt: skip
    assert not caught(b)
    b = between(sheet=MILITIA)
    reds = named(b, "Reds")
    assert find_crossfire(b, reds, named(b, "Blues")) is not None


@rule("epica.crossfire.friend_line_of_fire", check=(1, 2, 3))
def test_the_far_end_needs_to_see_the_target_but_no_weapon() -> None:
    assert not caught(between(terrain=[area("building", 20, 38, 20, 4, 6)]))
    assert caught(between(sheet=MILITIA))


@rule("epica.crossfire.line", check=2)
@rule("epica.crossfire.excluded", check=(1, 2))
@rule("epica.broken.limits", check=2)
def test_broken_and_marching_formations_make_no_crossfire() -> None:
    assert not caught(between(broken=True))
    assert not caught(between(action="march"))
    assert caught(between(action="double"))


@rule("epica.action.march", check=3)
@rule("epica.crossfire.excluded", check=2)
@pytest.mark.parametrize(("action", "moves", "crossfire"), [("march", 3, False), ("advance", 1, True)])
def test_whoever_has_marched_makes_no_crossfire_for_the_rest_of_the_turn(
    action: str, moves: int, crossfire: bool
) -> None:
    b = situation(
        [
            formation("Friends", "red", at=[(30, 50)]),
            formation("Reds", "red", TANK, [(30, 10)]),
            formation("Blues", "blue", at=[(27, 30), (33, 30)]),
        ]
    )
    act(b, "Friends", action)
    stay(b, *["move"] * moves)
    pass_shoot(b)
    assert caught(b) is crossfire


@rule("epica.crossfire.line", check=4)
@rule("epica.crossfire.several", check=1)
def test_the_line_is_told_by_the_stands_at_its_ends() -> None:
    b = situation(
        [
            formation("Reds", "red", TANK, [(60, 10), (57, 10), (30, 10)]),
            formation("Gone", "red", at=[(30, 48)]),
            formation("Friends", "red", at=[(60, 50), (30, 50), (33, 50)]),
            formation("Blues", "blue", at=[(27, 30), (33, 30)]),
        ]
    )
    destroy(b, "Gone")
    found = find_crossfire(b, named(b, "Reds"), named(b, "Blues"))
    assert found == (stand(b, "Reds", 3), stand(b, "Friends", 2))


def shot(b: EpicBattle) -> None:
    act(b, "Reds", "sustained")
    shoot_at(b, "Blues")
    fire(b)


@rule("epica.crossfire.save", check=(1, 3))
def test_saves_are_one_worse_in_a_crossfire() -> None:
    b = between(dice={"hit": [6], "save": [5]})
    shot(b)
    assert alive(b, "Blues") == 1
    b = between((10, 50), dice={"hit": [6], "save": [5]})
    shot(b)
    assert alive(b, "Blues") == 2
    b = between(dice={"hit": [6]}, armour=6)
    shot(b)
    assert alive(b, "Blues") == 1
    assert rolls(b, "save") == []


@rule("epica.crossfire.save", check=2)
def test_cover_saves_suffer_too() -> None:
    ruins = [area("ruins", 22, 27, 16, 6)]
    for face, left_over in ((4, 1), (5, 2)):
        b = between(dice={"hit": [6], "save": [face]}, terrain=ruins)
        shot(b)
        assert alive(b, "Blues") == left_over


@rule("epica.crossfire.save", check=4)
@rule("epica.terrain.fortification", check=(2, 3))
@rule("epica.crossfire.marker", check=3)
def test_fortifications_cancel_the_save_modifier_but_not_the_marker() -> None:
    walls = [area("fortification", 20, 27, 20, 6)]
    b = between(dice={"hit": [6], "save": [3]}, terrain=walls)
    shot(b)
    assert alive(b, "Blues") == 2
    b = between(target=row(6, 22, 30), dice={"hit": [6], "save": [2]}, terrain=walls)
    shot(b)
    assert named(b, "Blues").markers == 3


@rule("epica.crossfire.marker", check=1)
def test_without_a_loss_there_is_no_extra_marker() -> None:
    b = between(target=row(4, 25, 30), dice={"hit": [1]})
    shot(b)
    assert named(b, "Blues").markers == 1


@rule("epica.crossfire.marker", check=1)
def test_without_a_loss_a_broken_formation_in_a_crossfire_pays_one_unit_only() -> None:
    b = between(target=row(4, 25, 30), dice={"hit": [1]})
    b.set_unit(named(b, "Blues"), broken=True)
    shot(b)
    assert alive(b, "Blues") == 3


@rule("epica.shoot.procedure", check=1)
@rule("epica.crossfire.marker", check=(1, 2))
@rule("epica.crossfire.save", check=3)
@pytest.mark.parametrize(
    ("far", "hit", "save", "markers", "lost"),
    [
        ((30, 50), 6, [5], [1, 2], 1),
        ((30, 50), 1, [], [1], 0),
        ((10, 50), 6, [5], [1], 0),
        ((10, 50), 6, [4], [1, 1], 1),
    ],
)
def test_an_attack_says_whether_it_is_a_crossfire_and_counts_it(
    far: tuple[float, float], hit: int, save: list[int], markers: list[int], lost: int
) -> None:
    b = between(far, target=row(6, 22, 30), dice={"hit": [hit], "save": save})
    crossfire = caught(b)
    shot(b)
    (told_of,) = [e for e in b.events if isinstance(e, Told) and e.kind == "shooting"]
    ends = [stand(b, "Reds", 1), stand(b, "Friends", 1)]
    assert told_of.text == f"Reds shoot at Blues{', who are caught in a crossfire' * crossfire}."
    assert told_of.rules == ("epica.shoot.procedure", *["epica.crossfire.line"] * crossfire)
    assert told_of.data["crossfire"] == ends * crossfire
    assert [e.data["count"] for e in b.events if isinstance(e, Told) and e.kind == "markers"] == markers
    assert 6 - alive(b, "Blues") == lost


@rule("epica.crossfire.marker", check=2)
@rule("epica.shoot.break_check", check=2)
def test_three_losses_in_a_crossfire_give_five_markers_and_break_the_warband() -> None:
    b = situation(
        [
            formation("Raiders", "red", {**TANK, "weapons": ["Twin Heavy Bolter 30cm AP4+"]}, row(3, 27, 10)),
            formation("Friends", "red", at=[(30, 45)], acted=True),
            formation("Warband", "blue", {**TROOPS, "armour": 6}, row(8, 20, 30)),
        ],
        dice={"hit": [3, 3, 3]},
    )
    act(b, "Raiders", "sustained")
    shoot_at(b, "Warband")
    fire(b)
    assert alive(b, "Warband") == 5
    assert named(b, "Warband").broken
    counts = [e.data["count"] for e in b.events if getattr(e, "kind", "") == "markers"]
    assert sum(counts) == 5


@rule("epica.crossfire.several", check=1)
def test_each_of_two_formations_may_claim_the_crossfire() -> None:
    b = situation(
        [
            formation("Reds", "red", TANK, [(30, 10)]),
            formation("Friends", "red", TANK, [(30, 50)]),
            formation("Blues", "blue", MILITIA, row(9, 18, 30)),
        ],
        dice={"hit": [6, 6]},
    )
    act(b, "Reds", "sustained")
    shoot_at(b, "Blues")
    fire(b)
    assert named(b, "Blues").markers == 3
    act(b, "Friends", "sustained")
    shoot_at(b, "Blues")
    fire(b)
    assert named(b, "Blues").markers == 6


@rule("epica.broken.markers_become_hits", check=5)
def test_the_crossfire_marker_is_a_hit_on_a_broken_formation() -> None:
    b = between(target=row(8, 19, 30), dice={"hit": [6], "save": [1]})
    b.set_unit(named(b, "Blues"), broken=True)
    shot(b)
    assert alive(b, "Blues") == 4


@rule("epica.crossfire.not_in_assault", check=2)
def test_overwatch_fire_at_chargers_may_claim_a_crossfire_and_their_assault_may_not() -> None:
    b = situation(
        [
            formation("Reds", "red", {**TROOPS, "armour": 6}, row(5, 20, 30)),
            formation("Watch", "blue", at=row(4, 20, 48), overwatch=True),
            formation("Behind", "blue", at=row(2, 25, 12), acted=True),
        ],
        dice={"hit": [6, 1, 1, 1], "firefight": [1] * 4 + [6, 1, 1, 1], "save": [6], "result": [6, 6, 1, 1]},
    )
    act(b, "Reds", "engage")
    give(b, "engage", "Watch")
    give(b, "charge", {"by": [0, 3]})
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert (alive(b, "Reds"), named(b, "Reds").markers, rolls(b, "save")) == (4, 3, [])
    stay(b, "counter-charge")
    settle(b)
    assert (alive(b, "Reds"), rolls(b, "save")) == (4, [(6,)])
