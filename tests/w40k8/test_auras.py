"""Aura abilities: who is inside, and who has something of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.armies.effects import Modify
from sandtable.battle import GONE
from sandtable.battle.scenario import open_scenario
from sandtable.forty.effects.at_work import at_work
from sandtable.systems.w40k8.state import Battle8
from sandtable.systems.w40k8.system import SYSTEM
from w40k8.table import Spots, document, named, sheet, unit

GIFT = {"kind": "modify", "roll": "charge", "value": 1, "who": "friends", "within": 7}


def beside_lords(
    gap: float, *, lords: int = 1, keywords: tuple[str, ...] = (), options: dict[str, str] | None = None, **gift: Any
) -> Battle8:
    """Lords with one aura, whose first stands so far to the left of the Reds."""
    lord = sheet(name="Lord", keywords=["CHARACTER", "DEATH GUARD"])
    reds = unit("Reds", "red", sheet(name="Red", keywords=["INFANTRY", *keywords]), [(20, 8)])
    places: list[Spots] = [[(19 - gap, 8)], [(19 - gap, 10)]]
    names = ["Lord", "Second"][:lords]
    some = [unit(name, "red", lord, at) for name, at in zip(names, places, strict=False)]
    blues = unit("Blues", "blue", sheet(name="Blue"), [(20, 12)])
    doc = document([reds, *some, blues], step="charge_phase", options=options)
    powers = [{"name": "Gift", "unit": name, "effects": [{**GIFT, **gift}]} for name in names]
    return open_scenario(msgspec.structs.replace(doc, extra={**doc.extra, "abilities": powers}), SYSTEM)


def worth(b: Battle8, name: str) -> int:
    """What auras add to a unit's charges."""
    return sum(a.effect.value for a in at_work(b, named(b, name), Modify))


@pytest.mark.rule("w40k8.concept.aura", check=1)
def test_the_bearer_is_inside_its_own_radius() -> None:
    b = beside_lords(7.5)
    assert (worth(b, "Lord"), worth(b, "Reds")) == (1, 0)
    assert worth(beside_lords(7), "Reds") == 1, "the exact distance is included"
    assert worth(b, "Blues") == 0


@pytest.mark.rule("w40k8.concept.aura", check=2)
def test_the_bearer_profits_only_if_it_meets_the_other_conditions() -> None:
    b = beside_lords(2, keywords=("JUMP PACK",), only=["JUMP PACK"])
    assert (worth(b, "Lord"), worth(b, "Reds")) == (0, 1)


@pytest.mark.rule("w40k8.concept.aura", check=3)
def test_a_lord_of_contagion_is_a_death_guard_model_of_his_own_gift() -> None:
    b = beside_lords(2, only=["DEATH GUARD"])
    assert (worth(b, "Lord"), worth(b, "Reds")) == (1, 0)


@pytest.mark.rule("w40k8.concept.aura")
def test_two_auras_of_one_name_work_once() -> None:
    b = beside_lords(2, lords=2)
    assert (worth(b, "Reds"), worth(b, "Lord")) == (1, 1)


@pytest.mark.rule("w40k8.sheet.abilities", check=1)
def test_an_ability_works_for_the_models_that_bear_it_and_no_others() -> None:
    b = beside_lords(2, who="unit", within=0)
    assert (worth(b, "Lord"), worth(b, "Reds")) == (1, 0)
    b.place_models(named(b, "Lord").models, GONE)
    assert worth(b, "Lord") == 0
