"""Random battles with abilities and Stratagems of the pack stand every proof of the discipline."""

from __future__ import annotations

from itertools import islice

import pytest

from sandtable.battle import Moment
from sandtable.forty.effects.offers import reactions
from sandtable.systems.w40k10.words import DEEDS
from support.discipline import Findings
from w40k10.battles import matches, referee
from w40k10.powers import at, clash

EVERY = 17
COMMON = {"react.phase_began", "ability_target", "return_models", "react.attacks_made", "react.phase_ended"}


@pytest.mark.parametrize("first", [0, 12, 24])
def test_random_battles_with_abilities_stand_every_proof(first: int) -> None:
    found = Findings()
    for match in islice(matches((1000,)), first, first + 1):
        found.add(referee(match, EVERY))
    assert not found.faults, found.examples
    assert found.asked.keys() & COMMON


def test_a_window_opens_only_for_moments_that_somebody_waits_for() -> None:
    b = clash([at("intercessor-squad", 10)], [at("boyz", 30)], dice=[])
    guards = [r.guard for r in reactions(DEEDS) if r.trigger == "unit_selected_to_fight"]
    assert not any(guard(b, 0, Moment(0)) for guard in guards), "no ability waits for it"
    guards = [r.guard for r in reactions(DEEDS) if r.trigger == "unit_selected_to_shoot"]
    assert all(guard(b, 0, Moment(0)) for guard in guards)
