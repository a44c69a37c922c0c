"""A reaction on offer says what it costs, and which unit would react, so that players can point at it."""

from __future__ import annotations

import pytest

from sandtable.battle import Choose, Option
from sandtable.systems import get
from support.acting import AnyBattle, asked, default, give, kinds, named
from support.situations import INCH, Doc, opened, row, unit

GUN = {"name": "gun", "range": 24, "attacks": "2", "skill": 3, "strength": 8, "ap": -3, "damage": "1"}
LINE: Doc = {
    "name": "Grunt", "move": 6, "toughness": 4, "save": 7, "wounds": 1, "leadership": 6, "oc": 1, "base": INCH,
    "height": 1.5, "keywords": ["INFANTRY"], "weapons": [GUN],
}  # fmt: skip
WINDOWS = [("w40k10", "react.unit_move_ended"), ("w40k11", "react.phase_ended")]


def offered(system: str, window: str) -> tuple[AnyBattle, dict[str, Option]]:
    """What two units of blue may do after red has moved, by its label."""
    b = opened(
        get(system),
        [
            unit("Reds", "red", LINE, row(3, (10, 15))),
            unit("Blues", "blue", LINE, [(22, 15)]),
            unit("Others", "blue", LINE, [(22, 20)]),
        ],
        cp=(0, 3),
        options={"windows": "all"},
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [1, 0]})
    while window not in kinds(b):
        b.answer(b.decisions[0], None)
    found = asked(b, window)
    assert isinstance(found, Choose)
    return b, {o.label: o for o in found.options}


@pytest.mark.parametrize(("system", "window"), WINDOWS)
@pytest.mark.parametrize("name", ["Blues", "Others"])
def test_a_reaction_names_the_unit_that_reacts(system: str, window: str, name: str) -> None:
    b, found = offered(system, window)
    assert found[f"Fire Overwatch: {name}"].unit == named(b, name).id


@pytest.mark.parametrize(("system", "window"), WINDOWS)
def test_a_reaction_says_what_it_costs(system: str, window: str) -> None:
    _, found = offered(system, window)
    assert {o.note for o in found.values()} == {"1CP"}


def test_what_was_noted_of_a_use_stays_beside_its_price() -> None:
    tank = {**LINE, "name": "Tank", "toughness": 10, "keywords": ["VEHICLE"], "save": 2, "wounds": 9}
    b = opened(
        get("w40k11"),
        [unit("Tank", "red", tank, [(10, 15)]), unit("Blues", "blue", LINE, [(14, 15)])],
        step="charge_units",
        cp=(3, 0),
        dice={"charge": [6, 6]},
    )
    give(b, "charge_with", "Tank")
    default(b, "charge_move")
    impact = asked(b, "react.unit_move_ended")
    assert isinstance(impact, Choose)
    assert [o.note for o in impact.options] == ["10 dice, 1CP"]
