"""Command re-rolls of the Underdog."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Rolled
from sandtable.systems.w40k8.attacks import HIT
from sandtable.systems.w40k8.state import Battle8
from sandtable.table.grid import steps
from support.acting import offered
from w40k8.table import alive, asked, bare, blade, give, gun, kinds, range_, rolls, sheet, shoot, situation, under, unit

rule = pytest.mark.rule
WINDOW = "react.after_roll"
ALL = {"windows": "all"}


def charging(dice: list[int], left: int = 1) -> Battle8:
    """Reds charge Blues, 6" away."""
    reds = unit("Reds", "red", sheet(blade(), name="Red"), [(10, 10)])
    blues = unit("Blues", "blue", bare(), [(17, 10)])
    state = {"red": {"rerolls": left}}
    b = situation([reds, blues], step="charge_phase", dice={"charge": dice}, state=state, options=ALL)
    give(b, "charge_with", "Reds")
    return b


def first_option(b: Battle8) -> Any:
    """The first re-roll that is offered."""
    return asked(b, WINDOW).options[0].value  # type: ignore[attr-defined]


@rule("w40k8.onlywar.command_reroll_use", check=1)
def test_a_command_reroll_works_once() -> None:
    b = charging([1, 1, 6])
    b.answer(asked(b, WINDOW), first_option(b))
    assert (b.player(0).rerolls, WINDOW in kinds(b)) == (0, False)


@rule("w40k8.onlywar.command_reroll_use", check=2)
def test_it_throws_one_die_of_a_sum_again() -> None:
    b = charging([2, 3, 6])
    b.answer(asked(b, WINDOW), first_option(b))
    assert (rolls(b)[-1][1], asked(b, "charge_move").about["far"]) == ((6,), steps(6 + 3))


@rule("w40k8.onlywar.command_reroll_use", check=3)
def test_no_die_is_thrown_a_third_time() -> None:
    b = charging([2, 3, 1], left=2)
    b.answer(asked(b, WINDOW), first_option(b))
    assert [label.split(":")[-1].strip() for label in offered(b, WINDOW)] == ["the 3 of the charge roll"]


@rule("w40k8.onlywar.command_reroll_use", check=4)
def test_several_are_used_in_one_phase_on_different_dice() -> None:
    b = charging([2, 3, 1, 6], left=2)
    b.answer(asked(b, WINDOW), first_option(b))
    b.answer(asked(b, WINDOW), first_option(b))
    assert (asked(b, "charge_move").about["far"], b.player(0).rerolls) == (steps(1 + 6), 0)


@rule("w40k8.onlywar.command_reroll_use", check=5)
def test_it_works_on_own_dice_in_either_turn() -> None:
    dice = {"hit": [6], "wound": [6], "save": [1, 6]}
    b = range_(gun(), bare(save=3), dice=dice, state={"blue": {"rerolls": 1}}, options=ALL)
    shoot(b)
    before, player = [kind for kind, _ in rolls(b)], asked(b, WINDOW).player
    b.answer(asked(b, WINDOW), first_option(b))
    assert (before, player, alive(b, "Blues")) == (["hit", "wound", "save"], 1, 1)


@rule("w40k8.onlywar.command_reroll_use", check=6)
def test_it_comes_before_modifiers() -> None:
    dice = {"hit": [3, 4], "wound": [1]}
    b = under(range_(gun(), dice=dice, state={"red": {"rerolls": 1}}, options=ALL), HIT, -1)
    shoot(b)
    b.answer(asked(b, WINDOW), first_option(b))
    needed = [e.needed for e in b.events if isinstance(e, Rolled) and e.reason == "hit"]
    assert (rolls(b), needed) == ([("hit", (3,)), ("hit", (4,)), ("wound", (1,))], [4, 4])
