"""Where a unit would be out of sight of an enemy, in every system."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.api import new
from sandtable.battle.decisions import Move
from sandtable.battle.state import OFF, TABLE, new_version
from sandtable.errors import UserError
from sandtable.server.shade import shade

Moment = tuple[Any, Move, Any, Any]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a slow machine takes for it, it is told."""
    monkeypatch.setattr("sandtable.server.shade.LONGEST", 600.0)


def hiding(system: str) -> Moment:
    """The first move that can end out of an enemy's sight: battle, question, enemy, and where that is."""
    battle = new(system, seed=7)
    while True:
        asked = battle.decisions[0]
        if isinstance(asked, Move):
            view = battle.view(asked.player)
            mover = view.unit(asked.unit)
            for foe in [u for u in view.units() if view.are_enemies(u, mover) and view.is_on_table(u)]:
                if outlines := shade(battle.view(asked.player), asked, foe):
                    return battle, asked, foe, outlines
        battle.answer(asked, battle.default(asked))


def sees(battle: Any, asked: Move, foe: int, x: int, y: int) -> bool:
    """Whether an enemy would see the tallest model of the unit at a place, alone."""
    view = battle.view(asked.player)
    models = view.state.models
    tallest = max(asked.models, key=lambda m: int(view.shapes.height[view.bodies.shape[m]]))
    models.place[list(view.unit(asked.unit).models)] = OFF
    models.place[tallest] = TABLE
    models.pos[tallest] = (x, y, 0)
    view.state.version = new_version()
    return bool(view.system.sight(view, view.unit(foe), view.unit(asked.unit)).visible.any())


@pytest.mark.parametrize("system", ["w40k8", "w40k10", "w40k11", "epica"])
def test_nobody_is_seen_where_the_shade_begins(system: str) -> None:
    battle, asked, foe, outlines = hiding(system)
    corners = [corner for ring in outlines for corner in ring]
    assert not any(sees(battle, asked, foe.id, x, y) for x, y in corners[::7])


def test_nothing_is_known_of_an_enemy_that_is_not_on_the_table() -> None:
    battle, asked, foe, _ = hiding("w40k10")
    view = battle.view(asked.player)
    view.state.models.place[list(foe.models)] = OFF
    view.state.version = new_version()
    assert shade(view, asked, view.unit(foe.id)) == ()


def test_nobody_hides_from_its_own_side_nor_for_longer_than_others_can_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    battle, asked, foe, outlines = hiding("w40k10")
    view = battle.view(asked.player)
    assert shade(view, asked, view.unit(asked.unit)) == ()
    assert shade(battle.view(asked.player), asked, foe) == outlines
    monkeypatch.setattr("sandtable.server.shade.LONGEST", -1.0)
    with pytest.raises(UserError, match="too much terrain"):
        shade(battle.view(asked.player), asked, foe)
