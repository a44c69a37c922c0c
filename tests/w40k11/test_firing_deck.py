"""The Firing Deck: passengers lend their weapons to the transport that shoots."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.w40k11.shooting_phase import may_shoot
from sandtable.systems.w40k11.state import Battle11
from w40k11.carriers import AT, RHINO
from w40k11.table import (
    TROOPER,
    asked,
    cites,
    give,
    gun,
    judge,
    kinds,
    named,
    offered,
    row,
    sheet,
    situation,
    unit,
    until,
)

rule = pytest.mark.rule
RIFLES = sheet(gun(name="rifle"), gun("one shot", name="rocket"), name="Rifleman")


def deck(*abilities: str, gap: float = 20, step: str = "shoot_units", active: str = "red", **more: Any) -> Battle11:
    """A Rhino with a Firing Deck for two and three passengers."""
    wagon = {**RHINO, "weapons": [gun(name="cannon")], "abilities": list(abilities or ("firing deck 2",))}
    reds = unit("Reds", "red", RIFLES, off=3, embarked="Rhino")
    rhino, foes = unit("Rhino", "red", wagon, [AT]), unit("Foes", "blue", TROOPER, row(3, (12.5 + gap, 8), (0, 1.5)))
    spares = unit("Spares", "red", sheet(gun(range=48), name="Spare"), [(2, 28)])
    return situation([reds, rhino, foes, spares], step=step, active=active, **more)


def picked(*args: Any, **more: Any) -> Battle11:
    b = deck(*args, **more)
    give(b, "shoot_with", "Rhino")
    return b


def rifles(*numbers: int) -> list[str]:
    return [f"Reds {n}: rifle" for n in numbers]


@rule("w40k11.unit.firing_deck", check=1)
def test_as_many_models_as_the_deck_has_places_lend_one_weapon_each() -> None:
    b = picked()
    assert [bool(judge(b, "firing_deck", rifles(*n))) for n in ((1, 2), (1, 2, 3))] == [True, False]
    give(b, "firing_deck", rifles(1, 3))
    until(b, "shoot")
    assert sorted(r.label for r in asked(b, "shoot").rows if "rifle" in r.label or "cannon" in r.label) != []
    assert sum(r.count for r in asked(b, "shoot").rows) == 3


@rule("w40k11.unit.firing_deck", check=2)
@rule("w40k11.weapon.one_shot", check=4)
def test_weapons_with_one_shot_are_not_lent() -> None:
    assert offered(picked(), "firing_deck") == rifles(1, 2, 3)


@rule("w40k11.unit.firing_deck", check=3)
@pytest.mark.parametrize(("gap", "lent"), [(24, True), (24.01, False)])
def test_shots_are_measured_from_the_transport(gap: float, lent: bool) -> None:
    b = picked(gap=gap)
    assert ("firing_deck" in kinds(b)) is lent


@rule("w40k11.unit.firing_deck", check=4)
def test_who_is_aboard_does_not_shoot_any_more_this_turn() -> None:
    b = picked()
    before = named(b, "Reds").shot
    give(b, "firing_deck", rifles(1))
    assert (before, named(b, "Reds").shot) == (False, True)
    b.set_unit(named(b, "Reds"), embarked=-1)
    b.place_models(named(b, "Reds").models, 0)
    assert "w40k11.shoot.phase" in cites(may_shoot(b, named(b, "Reds")))
