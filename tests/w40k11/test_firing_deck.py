"""The Firing Deck: passengers lend their weapons to the transport that shoots."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.w40k11.attack_sequence import HIT_MODIFIER
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import changed, last
from w40k11.carriers import AT, RHINO
from w40k11.table import (
    TROOPER,
    alive,
    asked,
    default,
    feature,
    give,
    gun,
    judge,
    kinds,
    offered,
    play,
    row,
    sheet,
    situation,
    unit,
)

rule = pytest.mark.rule
RIFLES = sheet(gun(name="rifle"), gun("one shot", name="rocket"), name="Rifleman")


def deck(
    *abilities: str,
    gap: float = 20,
    step: str = "shoot_units",
    active: str = "red",
    guns: Any = RIFLES,
    weapon: Any = None,
    terrain: Any = None,
    hurt: int = 12,
    shot: bool = False,
    far: Any = (),
    **more: Any,
) -> Battle11:
    """A Rhino with a Firing Deck for two and three passengers."""
    wagon = {**RHINO, "weapons": [weapon or gun(name="cannon")], "abilities": list(abilities or ("firing deck 2",))}
    reds = unit("Reds", "red", guns, off=3, embarked="Rhino", shot=shot)
    rhino = unit("Rhino", "red", wagon, [AT], wounds={1: hurt})
    foes = unit("Foes", "blue", TROOPER, row(3, (12.5 + gap, 8), (0, 1.5)))
    spares = unit("Spares", "red", sheet(gun(range=48), name="Spare"), [(2, 28)])
    return situation([reds, rhino, foes, spares, *far], terrain, step=step, active=active, **more)


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
    assert sorted((r.label, r.count) for r in asked(b, "shoot").rows) == [("cannon", 1), ("rifle", 2)]


@rule("w40k11.unit.firing_deck", check=1)
def test_without_a_firing_deck_nobody_lends_anything() -> None:
    assert kinds(picked("deep strike")) == ["shoot"]


@rule("w40k11.unit.firing_deck", check=1)
def test_who_was_selected_to_shoot_in_this_phase_lends_nothing() -> None:
    assert [kinds(picked(shot=shot)) for shot in (True, False)] == [["shoot"], ["firing_deck"]]


@rule("w40k11.unit.firing_deck", check=2)
@rule("w40k11.weapon.one_shot", check=4)
def test_weapons_with_one_shot_are_not_lent() -> None:
    assert offered(picked(), "firing_deck") == rifles(1, 2, 3)


@rule("w40k11.unit.firing_deck", check=2)
def test_a_weapon_one_of_whose_profiles_fires_once_is_not_lent() -> None:
    both = [gun("one shot", name="launcher, krak", of="launcher"), gun(name="launcher, frag", of="launcher")]
    assert offered(picked(guns=sheet(gun(), *both, name="Rifleman")), "firing_deck") == rifles(1, 2, 3)


@rule("w40k11.unit.firing_deck", check=3)
@pytest.mark.parametrize(("gap", "lent"), [(24, True), (24.01, False)])
def test_shots_are_measured_from_the_transport(gap: float, lent: bool) -> None:
    b = picked(gap=gap)
    assert ("firing_deck" in kinds(b)) is lent


@rule("w40k11.unit.firing_deck", check=3)
@pytest.mark.parametrize(("low", "asked_for"), [(0, ["shoot"]), (16, ["firing_deck"])])
def test_shots_are_seen_from_the_transport(low: float, asked_for: list[str]) -> None:
    block = [feature("hill", (20, low, 2, 14), 8, solid=True)]
    b = picked(terrain=block, weapon=gun(name="cannon", range=48), far=[unit("Far", "blue", TROOPER, [(42, 28)])])
    assert kinds(b) == asked_for


@rule("w40k11.unit.firing_deck", check=3)
@pytest.mark.parametrize(("penalties", "hits"), [((), 1), ((-1,), 0)])
def test_penalties_of_the_transport_apply(penalties: tuple[int, ...], hits: int) -> None:
    rifle = sheet(gun(attacks="1"), name="Rifleman")
    b = changed(picked(guns=rifle, dice={"hit": [3], "wound": [1]}), HIT_MODIFIER, *penalties, whom="Rhino")
    give(b, "firing_deck", rifles(1))
    give(b, "shoot", [{"weapon": "rifle", "target": "Foes"}])
    assert last(b)["hits"] == hits


@rule("w40k11.unit.firing_deck", check=4)
@pytest.mark.parametrize(("lent", "left"), [((1,), ["Spares"]), ((), ["Reds", "Spares"])])
def test_who_lent_a_weapon_does_not_shoot_this_turn_even_if_it_gets_out(lent: tuple[int, ...], left: list[str]) -> None:
    blast, dice = gun("hazardous", name="cannon", attacks="1"), {"hit": [1, 1, 1], "hazard": [1, 6, 6, 6]}
    b = picked(weapon=blast, hurt=1, dice=dice)
    give(b, "firing_deck", rifles(*lent))
    give(b, "shoot", [{"weapon": "cannon", "target": "Foes"}])
    default(b, "escape")
    assert (alive(b, "Reds"), offered(b, "shoot_with")) == (3, left)


@rule("w40k11.unit.firing_deck", check=5)
def test_nobody_fires_from_the_deck_in_overwatch() -> None:
    b = deck(gap=10, step="move_units", active="blue", cp=(1, 0), options={"windows": "all"})
    give(b, "move_with", "Foes")
    give(b, "move", {"mode": "normal"})
    play(b, "Fire Overwatch")
    assert [r.label for r in asked(b, "shoot").rows] == ["cannon"]
