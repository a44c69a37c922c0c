"""Why a unit may, or may not, do something, whatever phase it is asked in."""

from __future__ import annotations

import pytest

from sandtable import systems
from sandtable.systems.w40k10.state import Battle10
from w40k10.arms import gun, sheet, target
from w40k10.table import named, situation, unit


def shooting_phase(x: float) -> tuple[Battle10, int, int]:
    """Red's Shooting phase, with Blues at so many inches from the table's edge and Reds at 10."""
    b = situation(
        [
            unit("Reds", "red", sheet(gun(), name="Red"), [(10, 8)]),
            unit("Blues", "blue", sheet(gun(), name="Blue"), [(x, 8)]),
            unit("Others", "blue", target(name="Other"), [(40, 25)]),
        ],
        step="shoot_units",
    )
    return b, named(b, "Reds").id, named(b, "Blues").id


@pytest.mark.rule("w40k10.charge.eligible", check=1)
@pytest.mark.parametrize(("x", "allowed"), [(20, True), (26, False)])
def test_before_its_phase_a_charge_depends_on_who_is_in_range_by_now(x: float, allowed: bool) -> None:
    b, reds, _ = shooting_phase(x)
    verdict = systems.get("w40k10").why["charge"](b, reds)
    assert bool(verdict) is allowed
    assert "when the Charge phase began" not in str(verdict)


def test_nobody_shoots_in_the_shooting_phase_of_others() -> None:
    b, reds, blues = shooting_phase(20)
    why = systems.get("w40k10").why["shoot"]
    assert why(b, reds)
    assert "It is not blue's Shooting phase" in str(why(b, blues))
