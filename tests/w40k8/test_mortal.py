"""Mortal wounds. What inflicts them is still to come, so that a step of the tests' own does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sandtable.battle import DONE, Battle, Step
from sandtable.battle.scenario import open_scenario
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8 import attacks
from sandtable.systems.w40k8.battle_round import end_turn
from sandtable.systems.w40k8.state import Battle8
from sandtable.systems.w40k8.system import SYSTEM
from support.acting import offered
from w40k8.table import (
    Doc,
    alive,
    asked,
    bare,
    column,
    document,
    give,
    kinds,
    named,
    rolls,
    sheet,
    unit,
    wounds,
)

rule = pytest.mark.rule


async def doom(b: Battle8) -> Step:
    """Blues suffer three mortal wounds."""
    await attacks.inflict(b, named(b, "Blues"), 3)
    return DONE


DOOMED = replace(SYSTEM, segments={"turn": (doom, end_turn)})


def doomed(blue: Doc, count: int = 4, **more: Any) -> Battle[Any, Any, Any, Any]:
    """A battle in which Blues suffer three mortal wounds."""
    settings = {name: more.pop(name) for name in ("dice", "terrain") if name in more}
    units = [
        unit("Reds", "red", bare(), [(30, 20)]),
        unit("Blues", "blue", blue, column(count, 10), **more),
        unit("Others", "blue", bare(), [(10, 20)]),
    ]
    return open_scenario(document(units, step="doom", **settings), DOOMED)


@rule("w40k8.attack.mortal", check=1)
@rule("w40k8.attack.mortal", check=2)
def test_mortal_wounds_take_no_roll_and_allow_no_save() -> None:
    b = doomed(sheet(save=2, invulnerable=3, toughness=9))
    assert (rolls(b), alive(b, "Blues")) == ([], 1)


@rule("w40k8.attack.mortal", check=3)
@rule("w40k8.cover.scope", check=4)
def test_cover_does_not_help_against_mortal_wounds() -> None:
    woods = FeatureDoc("woods", "woods", "The woods", (5.0, 5.0, 10.0, 12.0))
    b = doomed(sheet(save=2), terrain=[woods])
    assert (rolls(b), alive(b, "Blues")) == ([], 1)


@rule("w40k8.attack.mortal", check=4)
def test_the_defender_says_who_suffers_unless_somebody_is_wounded() -> None:
    veteran = [{"models": [2], "sheet": bare(name="Veteran", wounds=2)}]
    b = doomed(bare(wounds=2), count=3, loadout=veteran, wounds={3: 1})
    asked_of = (asked(b, "allocate").player, offered(b, "allocate"))
    give(b, "allocate", "Veteran 2")
    assert (asked_of, wounds(b, "Blues"), kinds(b)) == ((1, ["Target 1", "Veteran 2"]), [2], [])


@rule("w40k8.attack.mortal", check=5)
@rule("w40k8.gap.disgustingly_resilient", check=1)
def test_who_ignores_wounds_throws_a_die_for_each_mortal_wound() -> None:
    b = doomed(bare(wounds=5, abilities=["disgustingly resilient"]), dice={"feel no pain": [5, 4, 6]})
    assert (wounds(b, "Blues"), sum(len(faces) for _, faces in rolls(b))) == ([5, 5, 5, 4], 3)


@rule("w40k8.attack.allocate_wounded", check=3)
def test_mortal_wounds_go_to_the_wounded_model() -> None:
    assert wounds(doomed(bare(wounds=5), wounds={2: 4}), "Blues") == [5, 1, 5, 5]


@rule("w40k8.attack.mortal_spill", check=1)
def test_three_mortal_wounds_slay_three_models_of_one_wound() -> None:
    assert alive(doomed(bare()), "Blues") == 1


@rule("w40k8.attack.mortal_spill", check=2)
def test_three_mortal_wounds_slay_one_model_of_two_wounds_and_hurt_the_next() -> None:
    assert sorted(wounds(doomed(bare(wounds=2)), "Blues")) == [1, 2, 2]


@rule("w40k8.attack.mortal_spill", check=3)
def test_mortal_wounds_do_not_pass_to_another_unit() -> None:
    b = doomed(bare(), count=2)
    assert (alive(b, "Blues"), alive(b, "Others")) == (0, 1)
