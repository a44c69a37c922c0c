"""11th edition answers the same questions: flow, chances by dice and exact chances come from the same tables."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandtable import odds
from sandtable.errors import UserError
from sandtable.odds.answers import Answer
from sandtable.odds.setting import Setting

ELEVENTH = Setting("w40k11")
WARRIORS, BOYZ = "10 necron warriors", "10 boyz"

QUESTIONS: dict[str, Callable[[], Answer]] = {
    "into": lambda: odds.into(WARRIORS, BOYZ, setting=ELEVENTH),
    "need": lambda: odds.need(WARRIORS, BOYZ, most=3, setting=ELEVENTH),
    "targets": lambda: odds.targets(WARRIORS, ["trukk", BOYZ], setting=ELEVENTH),
    "weapons": lambda: odds.weapons(WARRIORS, (), ["trukk"], setting=ELEVENTH),
    "leader": lambda: odds.leader("10 necron warriors with royal warden", BOYZ, odds.shooting(), ELEVENTH),
    "exchange": lambda: odds.exchange(BOYZ, WARRIORS, setting=ELEVENTH),
    "split": lambda: odds.split(WARRIORS, ["trukk", BOYZ], setting=ELEVENTH),
    "sweep": lambda: odds.sweep(WARRIORS, BOYZ, "S", (3, 4, 5), setting=ELEVENTH),
    "charge": lambda: odds.rolls(BOYZ, 9.0, ELEVENTH),
    "survive": lambda: odds.survive(WARRIORS, [BOYZ], odds.melee(), ELEVENTH),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_answered_by_the_rules_of_11th_edition(name: str) -> None:
    answer = QUESTIONS[name]()
    assert answer.table()
    assert answer.assumptions.edition.startswith("Warhammer 40,000, 11th edition")
    assert all(rule.startswith("w40k11.") or "." not in rule for rule in answer.assumptions.rules)


@pytest.mark.parametrize(("distance", "needed"), [(7.0, 7), (7.1, 8), (12.0, 12)])
def test_a_charge_roll_covers_the_whole_distance(distance: float, needed: int) -> None:
    assert odds.rolls(BOYZ, distance, ELEVENTH).named("charge").needed == needed


def test_what_a_single_re_roll_is_worth_is_not_reckoned_for_sorted_saves() -> None:
    with pytest.raises(UserError, match="only weighed where attacks are made each in turn"):
        odds.command_point(WARRIORS, "trukk", setting=ELEVENTH)
