"""Charges by what is meant, and by pointing; where units may end in an assault and after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from epica.assaults import engaging
from epica.table import TROOPS, area, asked, default, give, named, places, row, stand
from sandtable.battle import questions
from sandtable.battle.decisions import Move, Moves, Spot
from sandtable.battle.system import Goal
from sandtable.kit.moving import after
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.movement import rows_of
from sandtable.systems.epica.state import EpicBattle
from sandtable.table.grid import STEP, TOUCHING, Floats, steps
from sandtable.table.measure import gaps

SHOTS: dict[str, Any] = {**TROOPS, "cc": 6, "ff": 3}


def near(b: EpicBattle, moves: Moves) -> Floats:
    """How far each of the Reds would be from the nearest of the Blues."""
    red, blue = rows_of(named(b, "Reds").models), rows_of(named(b, "Blues").models)
    found: Floats = gaps(after(b, moves), b.shapes, red, blue).min(axis=1)
    return found


def meant(b: EpicBattle, name: str) -> Moves:
    found = [idea.answer for idea in questions.ideas(b, asked(b, "charge")) if idea.why == name]
    return found[0]  # type: ignore[no-any-return]


def charging(**more: Any) -> EpicBattle:
    return engaging(row(4, 30, 30), row(4, 30, 45), **more)


def test_a_charge_is_offered_by_what_is_meant() -> None:
    b = charging()
    assert asked(b, "charge").about["intents"] == ["All into contact", "Firefight line", "Mixed"]


def test_all_into_contact_touch_the_enemy() -> None:
    b = charging(red_sheet=SHOTS)
    assert (near(b, meant(b, "All into contact")) <= TOUCHING).all()


def test_a_firefight_line_is_near_enough_and_out_of_the_zones() -> None:
    b = charging()
    far = near(b, meant(b, "Firefight line"))
    assert (far <= BOOK.assault_reach).all()
    assert (far > BOOK.zone).all()


def test_in_a_mixed_charge_each_fights_as_it_does_best() -> None:
    b = engaging(row(4, 30, 30), row(4, 30, 47), red_sheet=SHOTS, loadout=[TROOPS, TROOPS])
    far = near(b, meant(b, "Mixed"))
    assert (far[:2] <= TOUCHING).all()
    assert (far[2:] > BOOK.zone).all()
    assert (far[2:] <= BOOK.assault_reach).all()


def test_every_idea_by_its_name_is_legal() -> None:
    b = charging(red_sheet=SHOTS, loadout=[TROOPS, TROOPS])
    decision = asked(b, "charge")
    assert [questions.check(b, decision, meant(b, name)).ok for name in decision.about["intents"]] == [True] * 3


def test_by_itself_a_charge_brings_everybody_into_the_fight() -> None:
    b = charging()
    default(b, "charge")
    assert (near(b, Moves("charge")) <= BOOK.assault_reach).all()


def test_who_reaches_nobody_stays_by_itself() -> None:
    b = engaging(row(4, 30, 10), row(4, 30, 80))
    assert not b.default(asked(b, "charge")).paths


# --- Pointing --------------------------------------------------------------------------------------------------------


def pointed(b: EpicBattle, kind: str, x: float, y: float, *ends: Spot) -> Moves:
    return questions.towards(b, asked(b, kind), Goal(steps(x), steps(y), ends=ends))  # type: ignore[no-any-return]


def test_who_points_at_the_enemy_gets_into_contact() -> None:
    b = charging()
    assert (near(b, pointed(b, "charge", 34.5, 45)) <= TOUCHING).any()


def test_who_points_at_open_ground_gets_there_in_a_charge() -> None:
    b = charging()
    decision = asked(b, "charge")
    x, y = questions.middle_after(b, decision, pointed(b, "charge", 34.5, 34))
    assert (x / STEP, y / STEP) == pytest.approx((34.5, 34), abs=1)


def fought(b: EpicBattle) -> EpicBattle:
    """The Reds have come up for a firefight, and the Blues may counter charge."""
    give(b, "charge", {"by": [0, 5]})
    return b


def test_who_points_in_a_counter_charge_sends_the_units_that_were_taken() -> None:
    b = fought(engaging(row(3, 30, 30), row(3, 30, 46)))
    one = stand(b, "Blues", 2)
    x, y, _ = (int(v) for v in b.state.models.pos[one])
    moves = pointed(b, "counter-charge", 33, 42, Spot(one, x, y - steps(4)))
    assert [path.model for path in moves.paths] == [one]


@pytest.mark.parametrize(("kind", "far"), [("charge", 15), ("counter-charge", 5)])
def test_the_reach_in_an_assault_is_that_of_the_move(kind: str, far: int) -> None:
    b = engaging(row(3, 30, 30), row(3, 30, 46))
    decision = {"charge": asked(b, "charge")}
    give(b, "charge", {"by": [0, 5]})
    decision["counter-charge"] = asked(b, "counter-charge")
    found = questions.reach(b, decision[kind], kind)
    assert found[0].far / STEP == pytest.approx(far, abs=0.1)
    assert found[0].outlines


def won(**more: Any) -> EpicBattle:
    dice = {"firefight": [6] * 3 + [1] * 8, "save": [1] * 3, "result": [1] * 4}
    b = engaging(row(3, 30, 30), row(8, 26, 50), dice=dice, **more)
    give(b, "charge", {"by": [0, 5]})
    give(b, "counter-charge", {})
    return b


def test_a_withdrawal_goes_where_it_is_pointed_at_through_zones() -> None:
    b = won()
    while "allocate" in [d.kind for d in b.decisions]:
        default(b, "allocate")
    decision = asked(b, "withdraw")
    assert isinstance(decision, Move)
    x0, y0 = (int(v) for v in np.mean(b.state.models.pos[list(decision.models), :2], axis=0))
    moves = pointed(b, "withdraw", x0 / STEP, y0 / STEP + 10)
    assert questions.middle_after(b, decision, moves)[1] == pytest.approx(y0 + steps(10), abs=STEP)
    assert questions.reach(b, decision, "withdraw")[0].far / STEP == pytest.approx(15, abs=0.1)


def test_a_consolidation_reaches_five_centimetres_and_goes_where_it_is_pointed_at() -> None:
    b = won(terrain=[area("hill", 100, 80, 4, 4)])
    while "consolidate" not in [d.kind for d in b.decisions]:
        default(b, b.decisions[0].kind)
    decision = asked(b, "consolidate")
    assert questions.reach(b, decision, "consolidate")[0].far / STEP == pytest.approx(5, abs=0.1)
    y = places(b, "Reds")[0][1]
    assert questions.middle_after(b, decision, pointed(b, "consolidate", 33, y - 4))[1] < steps(y - 3)
