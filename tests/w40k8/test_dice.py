"""Dice of 8th edition: roll-offs, halving, and Command re-rolls of every roll."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Battle
from sandtable.battle.scenario import UnitDoc
from sandtable.systems.w40k8.attacks import HIT
from sandtable.systems.w40k8.dice import amount
from sandtable.systems.w40k8.known_sheets import SHEETS
from sandtable.systems.w40k8.state import Battle8
from support.acting import offered
from w40k8.table import (
    Doc,
    alive,
    asked,
    bare,
    blade,
    give,
    gun,
    kinds,
    melee,
    named,
    range_,
    rolls,
    sheet,
    shoot,
    situation,
    told,
    under,
    unit,
    wounds,
)
from w40k8.test_before_the_battle import prepare

rule = pytest.mark.rule
WINDOW = "react.after_roll"
ALL = {"windows": "all"}


# --- Roll-offs --------------------------------------------------------------------------------------------------------


def rolled_off(*faces: int) -> tuple[int, list[tuple[int, ...]]]:
    """Who wins a roll-off with these dice, and the dice that were thrown for it."""
    b = prepare(step="primary_objective", dice={"roll-off": list(faces)})
    return b.state.game.roller, [thrown for kind, thrown in rolls(b) if kind == "roll-off"]


@rule("w40k8.dice.roll_off", check=1)
def test_the_higher_face_wins_a_roll_off() -> None:
    assert (rolled_off(3, 2)[0], rolled_off(2, 3)[0]) == (0, 1)


@rule("w40k8.dice.roll_off", check=2)
def test_after_a_tie_both_players_throw_again() -> None:
    assert rolled_off(4, 4, 1, 6) == (1, [(4,), (4,), (1,), (6,)])


@rule("w40k8.dice.roll_off", check=3)
def test_ties_are_thrown_again_until_somebody_wins() -> None:
    winner, thrown = rolled_off(*[5, 5] * 6, 1, 2)
    assert (winner, len(thrown)) == (1, 14)


# --- Halving ----------------------------------------------------------------------------------------------------------

SPARE = unit("Spare", "red", bare(name="Spare"), [(2, 28)])
FAR = unit("Blues", "blue", bare(), [(42, 28)])


def advanced(face: int, *again: int, abilities: list[Doc] | None = None, left: int = 0) -> Battle8:
    """A Lord of Contagion, whose die for an Advance is halved, Advances."""
    lord = unit("Lord", "red", SHEETS.lord, [(10, 10)])
    b = situation(
        [lord, SPARE, FAR],
        step="movement_phase",
        dice={"advance": [face, *again]},
        abilities=abilities,
        state={"red": {"rerolls": left}},
        options=ALL,
    )
    give(b, "move_with", "Lord")
    give(b, "move", {"mode": "advance"})
    return b


@rule("w40k8.dice.halving", check=1)
def test_a_five_that_is_halved_is_a_three() -> None:
    assert [named(advanced(face), "Lord").advance for face in (5, 4, 1)] == [3, 2, 1]


@rule("w40k8.dice.halving", check=2)
def test_what_is_added_to_a_d3_is_added_after_halving() -> None:
    assert [amount("D3+1").of((face,)) for face in (5, 2, 1)] == [4, 2, 2]


@rule("w40k8.dice.halving", check=3)
def test_what_is_taken_off_a_halved_roll_is_taken_off_after_halving() -> None:
    slow = [{"name": "Slow", "unit": "Lord", "effects": [{"kind": "modify", "roll": "advance", "value": -1}]}]
    assert [named(advanced(face, abilities=slow), "Lord").advance for face in (4, 6, 1)] == [1, 2, 0]


@rule("w40k8.dice.halving", check=4)
@rule("w40k8.onlywar.command_reroll_use", check=6)
def test_a_re_roll_replaces_the_face_before_it_is_halved() -> None:
    b = advanced(1, 6, left=1)
    use(b)
    assert (named(b, "Lord").advance, rolls(b)) == (3, [("advance", (1,)), ("advance", (6,))])


# --- Command re-rolls -------------------------------------------------------------------------------------------------


def use(b: Battle8, label: str = "") -> Battle8:
    """A Command re-roll is used on the first die that is offered, or on one of this name."""
    d: Any = asked(b, WINDOW)
    b.answer(d, next(o.value for o in d.options if label in o.label))
    return b


def with_rerolls(units: list[UnitDoc], step: str, dice: dict[str, list[int]], left: int = 1, **more: Any) -> Battle8:
    """Both players have Command re-rolls left, and are asked about every roll."""
    state = {"red": {"rerolls": left}, "blue": {"rerolls": left}, **more.pop("state", {})}
    return situation(units, step=step, dice=dice, state=state, options=ALL, **more)


@rule("w40k8.dice.reroll", check=3)
@rule("w40k8.onlywar.command_reroll_use", check=2)
def test_the_other_die_of_a_psychic_test_keeps_its_face() -> None:
    witch = unit("Witch", "red", sheet(name="Witch", keywords=["PSYKER"], psyker={}), [(10, 10)])
    b = with_rerolls(
        [witch, unit("Blues", "blue", bare(), [(20, 10)])], "manifest_powers", {"psychic test": [1, 3, 2], "smite": [1]}
    )
    give(b, "manifest", "Witch: Smite")
    use(b, "the 1 of")
    assert (rolls(b)[1], told(b)[0]) == (("psychic test", (2,)), "manifested")


@rule("w40k8.onlywar.command_reroll_use", check=5)
def test_the_enemy_throws_a_die_of_its_denial_again() -> None:
    witches = [
        unit(name, player, sheet(name=name, keywords=["PSYKER"], psyker={}), at)
        for name, player, at in (("Witch", "red", [(10, 10)]), ("Warden", "blue", [(20, 10)]))
    ]
    b = with_rerolls([*witches, FAR], "manifest_powers", {"psychic test": [3, 3], "deny the witch": [2, 2, 5]})
    give(b, "manifest", "Witch: Smite")
    give(b, WINDOW, None)
    give(b, "deny_with", "Warden")
    asks = asked(b, WINDOW).player
    use(b)
    assert (asks, told(b)[:2]) == (1, ["manifested", "denied"])


@rule("w40k8.onlywar.command_reroll_use", check=5)
def test_a_morale_test_is_thrown_again() -> None:
    reds = unit("Reds", "red", bare(name="Red"), [(10, 10), (11.5, 10)], slain=4)
    b = with_rerolls([reds, FAR], "test_units", {"morale": [6, 1]})
    use(b)
    assert ([kind for kind in told(b) if "morale" in kind], alive(b, "Reds")) == (["morale_passed"], 2)


@rule("w40k8.onlywar.command_reroll_use", check=5)
def test_a_die_for_the_gift_of_a_lord_is_thrown_again() -> None:
    lord = unit("Lord", "red", SHEETS.lord, [(10, 10)])
    blues = unit("Blues", "blue", bare(wounds=3), [(11.5, 10)])
    b = with_rerolls([lord, SPARE, blues], "nurgles_gift", {"nurgle's gift": [3, 4]})
    use(b)
    assert wounds(b, "Blues") == [2]


@rule("w40k8.onlywar.command_reroll_use", check=2)
@rule("w40k8.onlywar.command_reroll_use", check=3)
@rule("w40k8.onlywar.command_reroll_use", check=4)
def test_each_die_of_a_sum_is_thrown_again_once() -> None:
    dice = {"hit": [6], "wound": [6], "damage": [1, 2, 3, 4]}
    b = range_(gun(d="2D6"), bare(wounds=20), dice=dice, state={"red": {"rerolls": 3}}, options=ALL)
    shoot(b)
    give(b, WINDOW, None)
    give(b, WINDOW, None)
    first = [label.split(": ")[1] for label in offered(b, WINDOW)]
    use(b, "the 1 of")
    second = [label.split(": ")[1] for label in offered(b, WINDOW)]
    use(b)
    assert (first, second) == (["the 1 of the damage roll", "the 2 of the damage roll"], ["the 2 of the damage roll"])
    assert (wounds(b, "Blues"), kinds(b), b.player(0).rerolls) == ([20 - 3 - 4], ["shoot_with"], 1)


@rule("w40k8.onlywar.command_reroll_use", check=4)
def test_two_dice_of_one_batch_are_thrown_again() -> None:
    dice = {"hit": [1, 2, 6, 6], "wound": [6, 6]}
    b = range_(gun(shots="2"), bare(wounds=20), dice=dice, state={"red": {"rerolls": 2}}, options=ALL)
    shoot(b)
    use(use(b))
    assert (rolls(b)[-1], wounds(b, "Blues")) == (("wound", (6, 6)), [18])


def test_only_what_may_help_is_offered_without_being_asked_for() -> None:
    reds = unit("Reds", "red", bare(name="Red"), [(10, 10), (11.5, 10)], slain=4)
    b: Battle[Any, Any, Any, Any] = situation(
        [reds, FAR], step="test_units", dice={"morale": [3]}, state={"red": {"rerolls": 1}}
    )
    failed = situation([reds, FAR], step="test_units", dice={"morale": [6]}, state={"red": {"rerolls": 1}})
    assert (kinds(b), kinds(failed)) == ([], [WINDOW])


@rule("w40k8.attack.natural_one", check=7)
def test_a_one_fails_attacks_and_nothing_else() -> None:
    foe = unit("Blues", "blue", bare(wounds=9), [(15, 10), (15, 11.5)], slain=1, declared=True)
    weapons = [gun(name="gun", shots="2", range_=6, d="D3"), blade()]
    witch = sheet(*weapons, name="Witch", ballistic_skill=2, keywords=["PSYKER"], psyker={})
    reds = unit("Witch", "red", witch, [(10, 10)])
    dice = {"psychic test": [1, 4], "smite": [1], "hit": [1, 6], "wound": [6], "damage": [1], "charge": [1, 3]}
    b = under(situation([reds, foe], step="manifest_powers", dice={**dice, "morale": [1]}), HIT, 1, "Witch")
    give(b, "manifest", "Witch: Smite")
    give(b, "shoot_with", "Witch")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    give(b, "charge_with", "Witch")
    reached = asked(b, "charge_move").about["far"] / 1024
    after_shooting = 18 - sum(wounds(b, "Blues"))
    give(b, "charge_move", {"mode": "fail"})
    assert (after_shooting, reached, told(b)[-1]) == (1 + 1, 4, "morale_passed")


def test_a_blow_with_random_attacks_may_be_thrown_again() -> None:
    b = melee(blade(), bare(wounds=9), red=sheet(blade(), name="Red", attacks="D6"), dice={"attacks": [1, 5]},
              state={"red": {"rerolls": 1}})  # fmt: skip
    use(b)
    assert asked(b, "strike").rows[0].count == 5  # type: ignore[attr-defined]
