"""Auras as players see them while they move."""

from __future__ import annotations

from sandtable.api import new
from sandtable.battle.system import Aura
from sandtable.table.grid import steps


def auras_of(red: str, blue: str) -> dict[str, Aura]:
    view = new("w40k10", armies={"red": red, "blue": blue}, seed=3).view(0)
    assert view.system.auras is not None
    return {aura.name: aura for aura in view.system.auras(view)}


def test_an_aura_is_told_with_its_range_its_bearers_and_whom_it_helps() -> None:
    found = auras_of("tyranids-1000-swarm", "orks-1000-horde")["Warp Field"]
    view = new("w40k10", armies={"red": "tyranids-1000-swarm", "blue": "orks-1000-horde"}, seed=3).view(0)
    assert found.far == steps(6)
    assert {view.unit(int(view.state.models.unit[m])).name for m in found.models} == {"Zoanthropes"}
    assert all(view.unit(u).player == 0 for u in found.units) and len(found.units) > 1


def test_what_a_whole_army_has_is_measured_from_those_with_the_keyword_alone() -> None:
    found = auras_of("tyranids-1000-swarm", "orks-1000-horde")["Synapse"]
    everybody = new("w40k10", armies={"red": "tyranids-1000-swarm", "blue": "orks-1000-horde"}, seed=3).view(0)
    assert 0 < len(found.models) < sum(len(u.models) for u in everybody.units_of(0))


def test_armies_without_auras_tell_none() -> None:
    assert auras_of("space-marines-1000-gunline", "orks-1000-horde") == {}
