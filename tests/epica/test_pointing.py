"""Where a player points, a formation goes, around what is in its way."""

from __future__ import annotations

from epica.table import act, area, asked, formation, row, situation
from sandtable.battle.questions import check
from sandtable.battle.system import Goal
from sandtable.systems.epica.suggest import move_towards
from sandtable.table.grid import steps


def reached(x: float, y: float, terrain: list[object]) -> list[tuple[float, float, int]]:
    """How far from a place the middle of the formation ends, for each legal way; and the legs of the longest path."""
    b = situation([formation("Reds", "red", at=row(3, 30, 30)), formation("Blues", "blue", at=[(110, 80)])], terrain)  # type: ignore[arg-type]
    act(b, "Reds", "advance")
    decision = asked(b, "move")
    found = []
    for moves in move_towards(b, decision, Goal(steps(x), steps(y))):
        if check(b, decision, moves) and moves.paths:
            ends = [(p.legs[-1].x / 1024, p.legs[-1].y / 1024) for p in moves.paths]
            mx, my = (sum(e[k] for e in ends) / len(ends) for k in (0, 1))
            found.append((mx, my, max(len(p.legs) for p in moves.paths)))
    return found


def test_a_formation_goes_where_it_is_pointed_at() -> None:
    (x, y, legs), *_ = reached(33, 40, [])
    assert abs(x - 33) < 1
    assert abs(y - 40) < 1
    assert legs == 1


def test_a_formation_goes_as_far_as_it_gets() -> None:
    (x, y, _), *_ = reached(33, 80, [])
    assert abs(x - 33) < 1
    assert 44 < y < 45.1


def test_a_formation_goes_around_a_cliff() -> None:
    ways = reached(33, 42, [area("cliff", 29, 34, 6, 2)])
    assert any(legs > 1 and y > 38 for _, y, legs in ways)
