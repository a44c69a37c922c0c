"""Whoever picks a psychic power sees how likely it is to be manifested, and who would try it."""

from __future__ import annotations

import pytest

from sandtable.battle import Choose, questions
from sandtable.systems.w40k8.state import Battle8
from w40k8.table import asked, squad, under
from w40k8.test_psychic import GAZE, blue, phase, red, witch

BOTH = witch(casts=2, powers=["smite", "gaze"], described=[GAZE])


def picked(b: Battle8) -> Choose:
    found = asked(b, "manifest")
    assert isinstance(found, Choose)
    return found


def chances(b: Battle8) -> dict[str, float | None]:
    """The chance of each power, by its label."""
    d = picked(b)
    return {o.label: questions.odds(b, d, o.value) for o in d.options}


def test_each_power_has_the_chance_of_its_test() -> None:
    found = chances(phase(red(doc=BOTH), blue()))
    assert found == {"Witch: Smite": pytest.approx(30 / 36), "Witch: Gaze": pytest.approx(21 / 36)}


def test_a_test_that_may_be_made_again_is_likelier() -> None:
    again = under(phase(red(), blue()), "reroll_psychic", "failures", "Witch")
    assert chances(again) == {"Witch: Smite": pytest.approx(30 / 36 + 6 / 36 * 30 / 36)}


def test_what_is_added_to_a_test_counts() -> None:
    assert chances(under(phase(red(), blue()), "psychic", 1, "Witch")) == {"Witch: Smite": pytest.approx(33 / 36)}


def test_who_tries_nothing_has_no_chance() -> None:
    b = phase(red(), blue())
    assert questions.odds(b, picked(b), None) is None


def test_the_option_names_the_psyker_and_what_the_power_needs() -> None:
    b = phase(red(), blue())
    assert [(o.unit, o.note) for o in picked(b).options] == [(squad(b, "Witch").id, "warp charge 5")]
