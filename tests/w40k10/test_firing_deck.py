"""The Firing Deck: passengers lend their weapons to the transport that shoots."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.w40k10.state import Battle10
from w40k10.arms import gun, last, sheet
from w40k10.carriers import AT, RHINO, RIFLES
from w40k10.table import (
    alive,
    give,
    judge,
    kinds,
    named,
    offered,
    refused_by,
    row,
    situation,
    unit,
    wounds,
)


def deck(
    *,
    own: list[dict[str, Any]] | None = None,
    reds: dict[str, Any] = RIFLES,
    moved: str = "",
    gap: float = 20,
    abilities: tuple[str, ...] = ("firing deck 2",),
    dice: dict[str, list[int]] | None = None,
) -> Battle10:
    """A Rhino with a Firing Deck, about to shoot at Foes."""
    wagon = {**RHINO, "weapons": own if own is not None else [gun(name="cannon")], "abilities": list(abilities)}
    victim = sheet(name="Foe", save=7, wounds=1)
    return situation(
        [
            unit("Reds", "red", reds, off=3, embarked="Rhino"),
            unit("Rhino", "red", wagon, [AT], moved=moved),
            unit("Foes", "blue", victim, row(5, (12.5 + gap, 6), (0, 1.5))),
            unit("Spares", "red", sheet(gun(name="spare gun", range_=48), name="Spare"), [(2, 28)]),
        ],
        step="shoot_units",
        dice=dice,
    )


def lend(b: Battle10, *values: str) -> Battle10:
    """The Rhino is picked to shoot, and passengers lend it weapons: "1/rifle" is the first model's."""
    give(b, "shoot_with", "Rhino")
    give(b, "firing_deck", [_name(b, v) for v in values])
    return b


def _name(b: Battle10, value: str) -> str:
    number, weapon = value.split("/")
    return f"Reds {number}: {weapon}"


@pytest.mark.rule("w40k10.transport.firing_deck", check=1)
def test_no_more_passengers_fire_than_the_deck_has_places() -> None:
    b = deck()
    give(b, "shoot_with", "Rhino")
    assert not judge(b, "firing_deck", [_name(b, f"{n}/rifle") for n in (1, 2, 3)])
    assert judge(b, "firing_deck", [_name(b, f"{n}/rifle") for n in (1, 2)])


@pytest.mark.rule("w40k10.transport.firing_deck", check=1)
def test_nobody_fires_from_a_transport_without_a_firing_deck() -> None:
    b = deck(abilities=())
    give(b, "shoot_with", "Rhino")
    assert offered(b, "shoot") == ["Foes", "cannon"]


@pytest.mark.rule("w40k10.transport.firing_deck", check=2)
def test_each_passenger_lends_one_weapon() -> None:
    b = deck()
    give(b, "shoot_with", "Rhino")
    refused_by(b, "firing_deck", [_name(b, "1/rifle"), _name(b, "1/launcher")], "w40k10.transport.firing_deck")


@pytest.mark.rule("w40k10.transport.firing_deck", check=3)
def test_the_transport_makes_the_attacks_and_range_is_measured_from_it() -> None:
    b = lend(deck(gap=20, dice={"hit": [6, 6, 6], "wound": [6, 6, 6]}), "1/rifle", "2/launcher")
    assert offered(b, "shoot") == ["Foes", "cannon", "launcher", "rifle"]
    give(b, "shoot", [{"weapon": "rifle", "target": "Foes"}, {"weapon": "launcher", "target": "Foes"}])
    assert alive(b, "Foes") == 3
    assert named(b, "Rhino").lent == ()
    b = deck(gap=26)
    give(b, "shoot_with", "Rhino")
    assert offered(b, "firing_deck") == [f"Reds {n}: launcher" for n in (1, 2, 3)]


@pytest.mark.rule("w40k10.transport.firing_deck", check=4)
def test_after_an_advance_only_assault_weapons_are_lent() -> None:
    rifles = sheet(gun(name="rifle"), gun("assault", name="carbine"), name="Rifleman")
    b = deck(own=[gun("assault", name="cannon")], reds=rifles, moved="advance")
    give(b, "shoot_with", "Rhino")
    assert offered(b, "firing_deck") == [f"Reds {n}: carbine" for n in (1, 2, 3)]


@pytest.mark.rule("w40k10.transport.firing_deck", check=5)
def test_lent_weapons_do_not_make_a_transport_that_advanced_eligible() -> None:
    rifles = sheet(gun("assault", name="carbine"), name="Rifleman")
    assert not deck(reds=rifles, moved="advance").why_not("shoot", 1)
    b = deck(own=[], reds=rifles)
    assert b.why_not("shoot", 1)


@pytest.mark.rule("w40k10.transport.firing_deck", check=6)
def test_heavy_looks_at_the_transport() -> None:
    for moved, hits in (("stationary", 1), ("normal", 0)):
        rifles = sheet(gun("heavy", name="rifle", bs=4), name="Rifleman")
        b = lend(deck(reds=rifles, moved=moved, dice={"hit": [3], "wound": [1]}), "1/rifle")
        give(b, "shoot", [{"weapon": "rifle", "target": "Foes"}])
        assert last(b)["hits"] == hits


@pytest.mark.rule("w40k10.transport.firing_deck", check=7)
def test_a_lent_hazardous_weapon_endangers_the_transport() -> None:
    rifles = sheet(gun("hazardous", name="rifle"), name="Rifleman")
    b = lend(deck(reds=rifles, dice={"hit": [1], "hazardous": [1]}), "1/rifle")
    give(b, "shoot", [{"weapon": "rifle", "target": "Foes"}])
    assert wounds(b, "Rhino") == [9]


@pytest.mark.rule("w40k10.transport.firing_deck", check=8)
def test_melee_weapons_are_not_lent() -> None:
    b = deck()
    give(b, "shoot_with", "Rhino")
    assert {o.split(": ")[1] for o in offered(b, "firing_deck")} == {"rifle", "launcher"}


@pytest.mark.rule("w40k10.transport.firing_deck", check=1)
@pytest.mark.rule("w40k10.strat.fire_overwatch", check=1)
@pytest.mark.parametrize("windows", ["matter", "all"])
@pytest.mark.parametrize(("abilities", "asked_for"), [(["firing deck 2"], True), ([], False)])
def test_a_transport_without_guns_fires_overwatch_from_its_deck(
    abilities: list[str], asked_for: bool, windows: str
) -> None:
    flamers = {**RIFLES, "weapons": [gun("torrent", name="flamer", a="D6")]}
    b = situation(
        [
            unit("Reds", "red", flamers, off=3, embarked="Rhino"),
            unit("Rhino", "red", {**RHINO, "weapons": [], "abilities": abilities}, [AT]),
            unit("Foes", "blue", sheet(name="Foe", save=7, wounds=1), row(2, (24, 6), (0, 1.5))),
        ],
        active="blue",
        cp=(1, 0),
        options={"windows": windows},
    )
    give(b, "move_with", "Foes")
    give(b, "move", {"mode": "normal", "by": [0, 2]})
    assert ("react.unit_move_began" in kinds(b)) == asked_for
