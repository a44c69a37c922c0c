"""What abilities come to, wherever they are played: characteristics, weapon abilities, re-rolls, conditions, offers."""

from __future__ import annotations

import pytest

from sandtable.armies.effects import CONDITIONS, Characteristic, Mark, Modify, Reroll
from sandtable.forty.effects.at_work import Active, one_aura
from sandtable.forty.effects.attack_rolls import best_of
from sandtable.forty.effects.characteristics import settle, settle_dice
from sandtable.forty.effects.conditions import ABOUT_ATTACK, about_attack, about_model, depend_only_on, read, sort_out
from sandtable.forty.effects.from_lists import raises_wounds
from sandtable.forty.effects.index import is_constant
from sandtable.forty.effects.occasions import Offer, Use, read_offer, read_use
from sandtable.forty.effects.vocabulary import ATTACK, BY_LOSSES, BY_PLACE, UNIT
from sandtable.forty.effects.weapons import with_abilities
from sandtable.forty.effects.words import deed_name

NO_LIMITS = (-99, 99)


def change(**what: object) -> Characteristic:
    return Characteristic(name="S", **what)  # type: ignore[arg-type]


def test_a_characteristic_is_set_then_divided_and_rounded_up_then_added_to() -> None:
    assert settle(NO_LIMITS, 3, [change(add=1), change(divide=2)]) == 3
    assert settle(NO_LIMITS, 3, [change(add=1), change(divide=2), change(to=9)]) == 6


def test_no_change_goes_beyond_the_limits_of_the_edition() -> None:
    assert settle((2, 6), 3, [change(add=-5)]) == 2
    assert settle((2, 6), 3, [change(add=5)]) == 6


@pytest.mark.parametrize(
    ("text", "changes", "result"),
    [("2", {"add": -3}, "1"), ("D6", {"add": 1}, "D6+1"), ("3", {"divide": 2}, "2"), ("D6", {"divide": 2}, "(D6)/2")],
)
def test_numbers_with_dice_change_like_others_and_never_fall_below_one(
    text: str, changes: dict[str, int], result: str
) -> None:
    assert settle_dice(text, [change(**changes)]) == result


def test_of_a_weapon_ability_with_two_numbers_the_better_is_used() -> None:
    assert with_abilities(("rapid fire 1",), ["rapid fire 2"]) == ("rapid fire 2",)
    assert with_abilities(("rapid fire 2",), ["rapid fire 1"]) == ("rapid fire 2",)
    assert with_abilities(("sustained hits 1",), ["sustained hits D3"]) == ("sustained hits D3",)
    assert with_abilities(("lance",), ["lance", "heavy"]) == ("lance", "heavy")


def test_the_best_of_several_rerolls_is_used_and_named() -> None:
    ones, failures = Reroll(roll="hit", faces="ones"), Reroll(roll="hit", faces="failures")
    found = [Active(0, ones, 0, "Aim"), Active(1, failures, 0, "Oath")]
    assert best_of(found) == ("failures", ("Oath",))
    assert best_of(found, "failures") == ("failures", ()), "what the weapon has itself needs no ability"


def test_every_condition_is_about_a_unit_an_attack_or_a_model() -> None:
    assert set(ATTACK) < ABOUT_ATTACK < set(CONDITIONS)
    assert BY_LOSSES < BY_PLACE < set(UNIT)
    sorted_out = sort_out(("not charged", "melee", "model:Boss Nob"))
    assert [[c.name for c in found] for found in sorted_out] == [["charged"], ["melee"], ["model"]]
    assert read("not size:10") == ("size", "10", False)
    assert about_attack(("melee",)) and not about_attack(("charged",))
    assert about_model(("target_within:6",)) and not about_model(("melee",))


def test_what_hangs_on_losses_alone_says_so() -> None:
    assert depend_only_on(BY_LOSSES, ("led", "melee"), marks=False)
    assert not depend_only_on(BY_LOSSES, ("enemy_within:6",), marks=True)
    assert depend_only_on(BY_LOSSES, ("marked:prey",), marks=True) and not depend_only_on(
        BY_LOSSES, ("marked:prey",), marks=False
    )


def test_uses_and_offers_are_read_as_they_were_written() -> None:
    use = Use(3, 7, "Hunt: them")
    assert read_use(use.value) == use
    assert read_offer(Offer("shot", 4, use).value) == ("shot", 4, use)


def test_constant_effects_need_no_moment_and_no_choice() -> None:
    assert is_constant(change(add=1)) and not is_constant(change(add=1, at="command", until="turn"))
    assert not is_constant(Mark(name="prey", optional=True))


def test_what_many_give_to_one_counts_once_and_what_a_unit_has_itself_adds_up() -> None:
    aura, own = Modify(roll="hit", value=1, who="friends", within=6), Modify(roll="hit", value=1)
    assert one_aura("Banner", aura) == one_aura("Banner", aura) is not None
    assert one_aura("Banner", aura) != one_aura("Flag", aura)
    assert one_aura("Banner", own) is None


def test_wounds_are_raised_for_the_whole_battle_or_not_at_all() -> None:
    more = Characteristic(name="W", add=1, who="model")
    assert raises_wounds(more) and not raises_wounds(Characteristic(name="W", add=1, who="model", when=("led",)))
    assert deed_name(more) == "characteristic"
