"""Whole units on their way to a place, around what is in the way."""

from __future__ import annotations

import numpy as np

from sandtable.battle import Moves
from sandtable.battle.questions import judge
from sandtable.battle.tables import FeatureDoc
from sandtable.forty.mind.mind import mind_of
from sandtable.kit.detours import detour, ways_to
from sandtable.kit.one_by_one import one_by_one
from sandtable.kit.way import Way
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import STEP, steps
from w40k8 import table as older
from w40k10.table import TROOPER, asked, give, named, row, situation, unit


def ready(*, barred: bool) -> tuple[Battle10, Way]:
    """Reds that are asked for their move, with Blues in their way or far off."""
    there = row(3, (15, 13.5), (0, 1.5)) if barred else [(40, 28)]
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 13.5), (0, 1.4))), unit("Blues", "blue", TROOPER, there)])
    give(b, "move_with", "Reds")
    return b, mind_of(b).way(b, named(b, "Reds"), "normal")


def test_without_anything_in_the_way_a_unit_goes_straight() -> None:
    b, way = ready(barred=False)
    d = asked(b, "move")
    moves = next(ways_to(b, way, d.models, np.array([15.0, 15.0]), lambda m: steps(6)))
    assert judge(b, d, moves)
    ends = [path.legs[-1] for path in moves.paths]
    assert abs(sum(leg.x for leg in ends) / len(ends) / STEP - 15.0) < 0.1
    assert all(len(path.legs) == 1 for path in moves.paths)


def test_around_a_line_of_enemies_a_unit_goes_as_far_as_its_move_takes_it() -> None:
    b, way = ready(barred=True)
    d, goal = asked(b, "move"), np.array([20.0, 15.0])
    movers = np.array(d.models)
    place = detour(b, way, movers, goal, steps(6))
    assert place is not None
    assert abs(place[1] - 15.0) > 2.0, "towards one end of the line"
    legal = [m for m in ways_to(b, way, d.models, np.array([15.0, 15.0]), lambda m: steps(6), goal) if judge(b, d, m)]
    assert legal and all(m.paths for m in legal)
    end = np.array([(path.legs[-1].x, path.legs[-1].y) for path in legal[-1].paths]).mean(axis=0) / STEP
    assert float(np.hypot(*(end - place))) < 1.5


def test_who_cannot_move_goes_nowhere() -> None:
    b, way = ready(barred=False)
    d = asked(b, "move")
    assert list(ways_to(b, way, d.models, np.array([15.0, 15.0]), lambda m: 0)) == []


def test_no_detour_leads_away_from_the_goal() -> None:
    b, way = ready(barred=False)
    d = asked(b, "move")
    here = b.bodies.pos[list(d.models), :2].mean(axis=0) / STEP
    assert detour(b, way, np.array(d.models), here, steps(6)) is None
    assert isinstance(b.default(d), Moves)


def test_models_in_each_others_way_go_around_a_thing_one_after_another() -> None:
    post = FeatureDoc("block", "post", "", (13.4, 10.3, 0.5, 0.5), height=9, solid=True)
    ranks = [(10 + 1.1 * k, 10 + 1.1 * m) for k in range(3) for m in range(2)]
    reds, blues = (
        older.unit("Reds", "red", older.bare(name="Red"), ranks),
        older.unit("Blues", "blue", older.bare(), [(42, 28)]),
    )
    b = older.situation([reds, blues], step="move_units", terrain=[post])
    give(b, "move_with", "Reds")
    d, way = asked(b, "move"), mind_of(b).way(b, named(b, "Reds"), "normal")
    found = list(ways_to(b, way, d.models, np.array([16.0, 10.55]), lambda m: steps(6)))
    straight, around = found[:2]
    assert [judge(b, d, moves).ok for moves in (straight, around)] == [False, True]
    assert len(around.paths) == len(ranks) and max(len(path.legs) for path in around.paths) > 1


def hemmed_in(part: float) -> tuple[Moves | None, bool]:
    """Reds who go one by one through a gap in a wall that is too narrow for two; whether that is legal."""
    wall = [FeatureDoc("block", f"wall {y}", "", (13.0, y, 0.5, 7.3), height=9, solid=True) for y in (2, 11)]
    ranks = [(9.1 + 1.1 * k, 7.95 + 1.1 * m) for k in range(3) for m in range(5)]
    reds, blues = (
        older.unit("Reds", "red", older.bare(name="Red"), ranks),
        older.unit("Blues", "blue", older.bare(), [(42, 28)]),
    )
    b = older.situation([reds, blues], step="move_units", terrain=wall)
    give(b, "move_with", "Reds")
    d, way = asked(b, "move"), mind_of(b).way(b, named(b, "Reds"), "normal")
    assert not any(
        judge(b, d, moves) for moves in ways_to(b, way, d.models, np.array([16.0, 10.0]), lambda m: steps(6))
    )
    moves = one_by_one(b, way, d.models, np.array([16.0, 10.0]), lambda m: steps(6), part)
    return moves, moves is not None and judge(b, d, moves).ok


def test_through_a_gap_that_is_too_narrow_for_a_unit_its_models_go_one_by_one() -> None:
    moves, legal = hemmed_in(1.0)
    assert moves is not None and legal
    through = [path for path in moves.paths if path.legs[-1].x > steps(13.5)]
    assert len(through) >= 2


def test_the_foremost_of_those_who_go_one_by_one_wait_for_the_others() -> None:
    far = [
        max(path.legs[-1].x for path in moves.paths) for moves, legal in map(hemmed_in, (1.0, 0.6)) if moves and legal
    ]
    assert len(far) == 2 and far[1] < far[0]
