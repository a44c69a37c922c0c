"""Measuring before a charge or a shooting attack is declared, and what players may agree on about it."""

from __future__ import annotations

import pytest

from epica.table import act, asked, formation, give, row, situation, stay
from sandtable.systems.epica.measuring import may_measure
from sandtable.systems.epica.state import EpicBattle

rule = pytest.mark.rule
ONLY_DECLARED = {"premeasuring": "after-declaring"}
JOBS = ("reach", "chance", "outlook", "odds", "")


def facing(options: dict[str, str] | None = None) -> EpicBattle:
    """The Reds are about to act, 20 cm from the Blues."""
    units = [formation("Reds", "red", at=row(3, 30, 30)), formation("Blues", "blue", at=row(3, 30, 51))]
    return situation(units, options=options)


def measured(b: EpicBattle) -> set[str]:
    """What may be told to the Reds now."""
    d = next((d for d in b.decisions if d.player == 0), None)
    return {what or "anything" for what in JOBS if may_measure(b, d, what)}


@rule("epica.concept.premeasuring", check=1)
def test_without_an_agreement_anything_is_measured_at_any_time() -> None:
    b = facing()
    assert measured(b) == {"reach", "chance", "outlook", "odds", "anything"}
    assert may_measure(b, None, "")


@rule("epica.concept.premeasuring", check=2)
def test_where_it_is_agreed_on_nobody_measures_before_shots_are_declared() -> None:
    b = facing(ONLY_DECLARED)
    assert "before a charge or a shooting attack is declared" in str(may_measure(b, None, "odds"))
    assert asked(b, "action") and measured(b) == {"chance"}, "of the action test"
    give(b, "action", "advance")
    assert asked(b, "move") and measured(b) == {"reach"}, "how far the formation itself goes"
    stay(b, "move")
    assert asked(b, "shoot-at") and measured(b) == set()
    give(b, "shoot-at", "Blues")
    assert asked(b, "aim") and measured(b) == {"reach", "chance", "outlook", "odds", "anything"}


@rule("epica.concept.premeasuring", check=2)
def test_a_charge_is_measured_once_it_is_declared() -> None:
    b = facing(ONLY_DECLARED)
    act(b, "Reds", "engage")
    if [d.kind for d in b.decisions] == ["engage"]:
        assert measured(b) == set()
        give(b, "engage", "Blues")
    assert asked(b, "charge") and "odds" in measured(b)
