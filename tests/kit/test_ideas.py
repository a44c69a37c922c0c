"""Ideas for moves: where to go, who goes next, and ways out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.battle import ALLOWED, Choose, Moves, Option, Verdict, refuse
from sandtable.kit.ideas import find_way_out, middle_of, places_to_go, wander, which_unit
from sandtable.systems.w40k10.moving_models import Passage, passage
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import steps
from w40k10.table import TROOPER, named, row, situation, unit


def two(*, blues: tuple[float, float] = (30, 10), **more: Any) -> Battle10:
    return situation([unit("Reds", "red", TROOPER, row(3, (10, 10))), unit("Blues", "blue", TROOPER, [blues])], **more)


def test_places_lie_around_a_unit_and_those_ahead_come_first() -> None:
    b = two()
    reds = named(b, "Reds")
    x, y = middle_of(b, reds)
    assert (x, y) == (steps(11.5), steps(10))
    towards, away = (places_to_go(b, reds, steps(6), away=away) for away in (False, True))
    assert len(towards) == len(set(towards)) == 16
    assert towards[0] == (x + steps(6), y) and away[0] == (x - steps(6), y)


def test_a_way_out_is_the_first_move_that_is_accepted() -> None:
    b = two(blues=(10, 8.5))
    reds = named(b, "Reds")
    way = passage(b, reds, "fall_back", None)
    tried: list[Moves] = []

    def accept(moves: Moves) -> Verdict:
        tried.append(moves)
        return ALLOWED if len(tried) > 2 else refuse("Not yet.")

    found = find_way_out(b, way, lambda _: steps(6), accept)
    assert found is not None and found == tried[2] and found.mode == "fall_back"
    assert [path.model for path in found.paths] == sorted(path.model for path in found.paths)
    assert find_way_out(b, way, lambda _: steps(6), lambda moves: refuse("Never.")) is None


def test_wandering_units_go_no_further_than_they_may_and_like_the_places_that_are_wanted() -> None:
    b = two()
    way, goal = Passage(0, "normal"), (steps(12), steps(20))
    found = [m for seed in range(10) for m in wander(b, way, (0, 1, 2), lambda m: steps(6), [goal], Random(seed))]
    assert len(found) > 20
    assert max(way.length(b, path) for moves in found for path in moves.paths) <= steps(6) + 1
    ahead = [m for m in found if m.paths and sum(p.legs[-1].y for p in m.paths) > steps(12) * len(m.paths)]
    assert len(ahead) > len(found) / 3
    assert list(wander(b, way, (0, 1, 2), lambda m: 0, [goal], Random(1))) == []


def test_who_is_next_is_the_first_or_any_or_nobody() -> None:
    b = two()
    question = which_unit(1.0, lambda w, u: refuse(f"Not {u.name}."))
    options = (Option(0, "Reds"), Option(1, "Blues"))
    asked = Choose(player=0, kind="next", prompt="Who?", options=options, optional=True)
    assert question.default is not None and question.suggest is not None and question.why_unit is not None
    assert question.default(b, asked) == 0
    assert next(iter(question.suggest(b, asked, Random(1)))) is None
    assert str(question.why_unit(b, asked, 1)) == "Not Blues."
    assert which_unit(0.0).why_unit is None


@pytest.mark.parametrize("optional", [False, True])
def test_nobody_is_an_idea_only_where_that_is_open(optional: bool) -> None:
    b = two()
    asked = Choose(player=0, kind="next", prompt="Who?", options=(Option(0, "Reds"),), optional=optional)
    suggest = which_unit(1.0).suggest
    assert suggest is not None
    assert (None in list(suggest(b, asked, Random(1)))) == optional
