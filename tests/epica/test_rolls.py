"""Every roll says what it needed, why, and what came of it."""

from __future__ import annotations

from random import Random

import pytest

from epica.table import TROOPS, formation, named, row, situation
from sandtable.api import new
from sandtable.battle import questions
from sandtable.battle.events import Rolled
from sandtable.battle.rolls import SHOWN, Apart, Each, Reading, sentence
from sandtable.systems.epica.action_test import read_test, reasons_of
from sandtable.systems.epica.assault import roll_attacks
from sandtable.systems.epica.end_phase import rally_reasons
from sandtable.systems.epica.hits import roll_saves
from sandtable.systems.epica.result import roll_result
from sandtable.systems.epica.shooting import read_shots
from sandtable.systems.epica.state import EpicBattle


def told(b: EpicBattle) -> list[str]:
    return [sentence(e) for e in b.events if isinstance(e, Rolled)]


def read(reading: Reading, *faces: int, reason: str = "test") -> str:
    return sentence(Rolled(0, reason, faces, 6, (), reading))


def test_an_action_test_names_markers_and_retaining() -> None:
    b = situation([formation("Reds", "red", at=row(3, 10, 10), markers=2, initiative=2)])
    reds = named(b, "Reds")
    retaining = read_test(reds, reasons_of(reds, retaining=True))
    assert read(retaining, 4) == "test 4+ (2+, -1 blast markers, -1 retaining): 4, passed"
    assert read(read_test(reds, reasons_of(reds, retaining=False)), 2) == "test 3+ (2+, -1 blast markers): 2, failed"


def test_a_rally_names_what_makes_it_harder() -> None:
    reds = formation("Reds", "red", at=row(3, 10, 10), broken=True, initiative=1)
    b = situation([reds, formation("Blues", "blue", at=row(3, 10, 30))])
    one = named(b, "Reds")
    assert read(read_test(one, rally_reasons(b, one)), 4) == "test 4+ (1+, -2 broken, -1 enemies near): 4, passed"


@pytest.mark.parametrize(
    ("value", "action", "in_cover", "needed", "text"),
    [
        (5, "advance", False, 5, "hit 5+: 6 4, 1 hit"),
        (5, "sustained", False, 4, "hit 4+ (5+, +1 sustained): 6 4, 2 hits"),
        (5, "double", True, 7, "hit 6+ (5+, -1 double, -1 cover, 6, then 4+): 6 4, 1 to be rolled again"),
        (2, "sustained", False, 1, "hit 2+ (2+, +1 sustained): 6 4, 2 hits"),
    ],
)
def test_shots_name_the_action_and_cover(value: int, action: str, in_cover: bool, needed: int, text: str) -> None:
    assert read(read_shots(value, action, needed, in_cover=in_cover), 6, 4, reason="hit") == text


def test_a_save_says_whether_it_is_armour_and_what_crossfire_takes_off() -> None:
    b = situation([formation("Reds", "red", at=row(2, 10, 10))], dice={"save": [5, 6]})
    roll_saves(b, {0: 1}, "AP", cover=True)
    roll_saves(b, {0: 1}, "AP", cover=True, modifier=lambda _: -1)
    assert told(b) == ["save 5+ (armour): 5, 1 saved", "save 6+ (5+ armour, -1 crossfire): 6, 1 saved"]


def test_attacks_in_an_assault_are_read_by_the_value_of_each_stand() -> None:
    mixed = [TROOPS, {**TROOPS, "cc": 6}]
    reds = formation("Reds", "red", at=[(10, 10), (13, 10)], loadout=mixed)
    b = situation([reds, formation("Blues", "blue", at=[(10, 12), (13, 12)])], dice={"close combat": [4, 5]})
    roll_attacks(b, [0], [1])
    assert told(b) == ["close combat: 4+ 4; 6+ 5, 1 hit"]


def test_of_two_dice_the_higher_counts() -> None:
    b = situation([formation("Reds", "red", at=row(2, 10, 10))], dice={"result": [2, 5]})
    assert roll_result(b, 0) == 5
    assert told(b) == ["result (the higher counts): 2 5, 5 before anything is added"]


def test_every_roll_of_a_battle_says_what_happened() -> None:
    kinds = set()
    for seed in range(3):
        battle, rng = new("epica", seed=seed), Random(seed)
        while battle.decisions:
            decision = battle.decisions[0]
            battle.answer(decision, next(questions.suggest(battle, decision, rng)))
        for roll in (e for e in battle.events if isinstance(e, Rolled)):
            kinds.add(roll.reason)
            assert roll.read != SHOWN, roll.reason
            if isinstance(roll.read, Each):
                assert roll.made == len([f for f in roll.faces if f >= roll.needed])
            elif isinstance(roll.read, Apart):
                assert roll.made == len([1 for f, n in zip(roll.faces, roll.read.needs, strict=True) if f >= n])
    assert {"strategy", "action test", "save", "rally"} <= kinds
