"""What the badge of a unit says: its system's words in short and in full, and the rule behind each."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable import systems
from sandtable.battle import Battle
from sandtable.battle.dice import KeyedDice
from sandtable.battle.system import Mark
from sandtable.page import wording
from sandtable.rules.ledger import find
from support import games

EDITIONS = {"w40k8": False, "w40k10": True, "w40k11": True}
"""Whether units are battle-shocked there."""


def begun(system: str) -> Battle[Any, Any, Any, Any]:
    rules = systems.get(system)
    assert rules.sample is not None
    return Battle(rules, *rules.sample(3, rules.settle_options({})), dice=KeyedDice(3)).start()


@pytest.mark.parametrize("system", EDITIONS)
def test_a_badge_tells_what_became_of_a_unit_and_what_it_did(system: str) -> None:
    battle = begun(system)
    unit = battle.state.units[0]
    assert wording.marks(battle, unit) == ()
    unit.charged, unit.moved = True, "advance"
    if EDITIONS[system]:
        unit.battle_shocked = True
    told = wording.marks(battle, unit)
    assert [m.text for m in told] == [*(["shocked"] if EDITIONS[system] else []), "charged", "advanced"]
    assert [m.name.casefold() for m in told][-2:] == ["charged this turn", "advanced this turn"]
    unit.moved = "fall_back"
    assert wording.marks(battle, unit)[-1].text == "fell back"
    assert all(find(m.rule).name for m in (*told, *wording.marks(battle, unit)))
    unit.moved = "normal"
    assert [m.text for m in wording.marks(battle, unit)][-1] == "charged"


@pytest.mark.parametrize("system", ["w40k8", "w40k10", "w40k11", "epica"])
def test_all_that_a_badge_says_in_a_battle_has_a_rule_behind_it(system: str) -> None:
    battle = begun(system)
    said: set[Mark] = set()
    for _ in range(120):
        games.play(battle, Random(len(battle.answers)), 1)
        said.update(mark for unit in battle.state.units for mark in wording.marks(battle, unit))
    assert said
    assert all(find(mark.rule).text for mark in said)
