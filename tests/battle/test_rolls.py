"""The sentence about a roll: what was needed, why, and what came of it."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.battle.events import AnyEvent, Rolled
from sandtable.battle.rolls import (
    AnyReading,
    Apart,
    ByFace,
    Each,
    ExpectedRoll,
    Reading,
    Sum,
    Total,
    as_data,
    differs,
    joined,
    needing,
    sentence,
)
from sandtable.battle.system import DONE, Step
from sandtable.reasons import Part, called, face, modifier, part
from support.games import AnyBattle, new, tiny

HEAVY = (face(4, "game.hit"), modifier(1, "game.weapon.heavy", "Heavy"))


def roll(reason: str, faces: tuple[int, ...], read: AnyReading, sides: int = 6) -> Rolled:
    return Rolled(0, reason, faces, sides, (), read)


@pytest.mark.parametrize(
    ("rolled", "text"),
    [
        (roll("hit", (6, 4, 3, 5, 4), Each("hit(s)", HEAVY, 3)), "hit 3+ (4+, +1 Heavy): 6 4 3 5 4, 5 hits"),
        (roll("hit", (3, 2), Each("hit(s)", (face(3, "x"),), 3)), "hit 3+: 3 2, 1 hit"),
        (roll("hit", (1,), Each("hit(s)", needed=7)), "hit 7+: 1, 0 hits"),
        (
            roll("save", (4, 1), Each("saved", (face(4, "x", "invulnerable"),), 4)),
            "save 4+ (invulnerable): 4 1, 1 saved",
        ),
        (roll("test", (2,), Each("passed/failed", needed=2)), "test 2+: 2, passed"),
        (roll("test", (1,), Each("passed/failed", needed=2)), "test 2+: 1, failed"),
        (roll("escape", (3, 2, 1), Each("model(s) lost", needed=3, failures=True)), "escape 3+: 3 2 1, 2 models lost"),
        (roll("spell", (4,), Each("it works/it does not", needed=3, up_to=4)), "spell 3-4: 4, it works"),
        (roll("spell", (5,), Each("it works/it does not", needed=3, up_to=4)), "spell 3-4: 5, it does not"),
        (roll("spell", (1,), Each("it works/it does not", needed=1, up_to=1)), "spell 1: 1, it works"),
        (roll("ram", (5, 5, 6), Each("wound(s)", needed=5, most=2)), "ram 5+: 5 5 6, 2 wounds"),
        (roll("fight", (4, 3, 6), Apart("hit(s)", needs=(4, 5, 4))), "fight: 4+ 4 6; 5+ 3, 2 hits"),
        (
            roll("hit", (6, 6, 3, 1), ByFace("hit(s)", (), 3, (0, 0, 1, 1, 1, 2), 6)),
            "hit 3+: 6 6 3 1, 5 hits, 2 critical",
        ),
        (
            roll("hit", (6, 3), ByFace("hit(s)", (), 3, (0, 0, 1, 1, 1, 1), 6, "Lethal Hits")),
            "hit 3+: 6 3, 2 hits, 1 critical (Lethal Hits)",
        ),
        (
            roll("hit", (5, 3), ByFace("hit(s)", (), 3, (0, 0, 1, 1, 1, 1), 6, "Lethal Hits")),
            "hit 3+: 5 3, 2 hits",
        ),
        (
            roll("wound", (1,), ByFace("wound(s)", (), 6, (0, 0, 0, 0, 0, 1), 0, "Lethal Hits", 1)),
            "wound 6+: 1, 0 wounds, 1 more by Lethal Hits",
        ),
        (roll("charge", (4, 5), Total("far enough/too short", needed=7)), "charge needs 7: 4 + 5 = 9, far enough"),
        (
            roll("charge", (4, 1), Total("far enough/too short", (modifier(2, "Rage"),), 8, plus=2)),
            "charge needs 8 (+2 Rage): 4 + 1 makes 7, too short",
        ),
        (
            roll("advance", (4,), Total("inch(es) more", (modifier(1, "Swift"),), plus=1)),
            "advance (+1 Swift): 4, 5 inches more",
        ),
        (roll("advance", (1,), Total("inch(es) more")), "advance: 1, 1 inch more"),
        (
            roll(
                "attacks",
                (5, 2),
                Total("attack(s)", (Part("2 x D3"), part("+1", "Blast")), sums=(Sum((3,), 1), Sum((3,), 1))),
            ),
            "attacks 2 x D3 (+1 Blast): 5 2, 6 attacks",
        ),
        (
            roll("damage", (5,), Total("damage", (Part("(D6)/2"),), sums=(Sum((6,), 0, 1, 2),))),
            "damage (D6)/2: 5, 3 damage",
        ),
        (
            roll("regroup", (2, 5), Total("marker(s)", (Part("the higher"),), highest=True)),
            "regroup the higher: 2 5, 5 markers",
        ),
        (roll("roll-off", (3,), Reading(why=(Part("the highest wins"),))), "roll-off (the highest wins): 3"),
        (roll("tie", (2,), Reading(), sides=2), "tie (D2): 2"),
        (roll("tie", (2,), Reading(why=(Part("who goes first"),)), sides=2), "tie (D2, who goes first): 2"),
        (roll("trait", (3,), Total("", (Part("D3"),), sums=(Sum((3,)),))), "trait D3: 3 counts as 2"),
        (roll("trait", (1,), Total("", (Part("D3"),), sums=(Sum((3,)),))), "trait D3: 1"),
        (
            Rolled(0, "hit", (5, 2), 6, (), Each("hit(s)", HEAVY, 3), (1, 1), (5, 4, 2), "Oath"),
            "hit 3+ (4+, +1 Heavy), 1 1 again (Oath): 5 2, 2 hits",
        ),
        (
            Rolled(0, "charge", (5, 2), 6, (), Total("far enough/too short", needed=8), (1, 1), (5, 2), "Rage"),
            "charge needs 8, 1 1 again (Rage): 5 + 2 = 7, too short",
        ),
    ],
)
def test_a_roll_is_told_in_a_sentence(rolled: Rolled, text: str) -> None:
    assert sentence(rolled) == text


def test_a_reroll_counts_all_dice_that_stand_not_only_the_fresh_ones() -> None:
    again = Rolled(0, "hit", (5,), 6, (), Each("hit(s)", needed=3), (1,), (4, 5, 6), "Oath")
    assert (again.made, again.result) == (3, 3)


def test_dice_that_need_the_same_are_read_together_and_others_apart() -> None:
    assert needing([4, 4], "hit(s)") == Each("hit(s)", needed=4)
    assert needing([4, 5], "hit(s)") == Apart("hit(s)", needs=(4, 5))


def test_rolls_of_one_kind_are_joined_and_others_are_not() -> None:
    one, other = roll("save", (4,), Each("saved", needed=4)), roll("save", (1, 5), Each("saved", needed=4))
    both = joined(one, other)
    assert both is not None
    assert sentence(both) == "save 4+: 4 1 5, 2 saved"
    assert joined(one, roll("save", (1,), Each("saved", needed=3))) is None
    assert joined(one, roll("hit", (1,), Each("saved", needed=4))) is None
    assert joined(one, Rolled(1, "save", (1,), 6, (), Each("saved", needed=4))) is None
    assert joined(one, Rolled(0, "save", (1,), 6, ("a rule",), Each("saved", needed=4))) is None
    assert joined(one, Rolled(0, "save", (2,), 6, (), Each("saved", needed=4), (1,), (2,))) is None
    test = roll("test", (4,), Each("passed/failed", needed=4))
    assert joined(test, test) is None
    charge = roll("charge", (4, 1), Total("inch(es)"))
    assert joined(charge, charge) is None


def test_a_source_is_called_by_the_end_of_its_id_or_by_its_own_name() -> None:
    assert called("w40k10.weapon.twin_linked") == "Twin linked"
    assert called("Hold. The. Line") == "Hold. The. Line"
    assert called("Waaagh!") == "Waaagh!"


def test_the_event_is_plain_data_and_comes_back_from_json_as_it_was() -> None:
    for read in (Each("hit(s)", HEAVY, 3), Total("damage", sums=(Sum((3,), 1),)), ByFace("hit(s)", (), 3, (0,) * 6, 5)):
        event = roll("hit", (6, 4), read)
        assert msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event


def test_a_roll_as_data_has_all_that_came_of_it() -> None:
    data = as_data(roll("hit", (6, 1), Each("hit(s)", HEAVY, 3)))
    assert (data["needed"], data["made"], data["outcome"]) == (3, 1, "1 hit")
    assert data["why"][1] == {"value": "+1", "name": "Heavy", "source": "game.weapon.heavy"}
    assert data["text"] == "hit 3+ (4+, +1 Heavy): 6 1, 1 hit"
    total = as_data(Rolled(0, "charge", (2, 2), 6, (), Total("far enough/too short", needed=5), (1, 1), (2, 2), "Rage"))
    assert (total["total"], total["again"], total["by"], total["outcome"]) == (4, (1, 1), "Rage", "too short")


@pytest.mark.parametrize(
    ("wanted", "trouble"),
    [
        (ExpectedRoll("hit", needed=3, outcome="1 hit", why=("4+", "+1 Heavy")), ""),
        (ExpectedRoll("hit", needed=4), "has needed 3, not 4"),
        (ExpectedRoll("hit", outcome="2 hits"), "has outcome '1 hit', not '2 hits'"),
        (ExpectedRoll("hit", why=("4+",)), "has why ('4+', '+1 Heavy'), not ('4+',)"),
        (ExpectedRoll("hit", total=7), "has total None, not 7"),
    ],
)
def test_a_scenario_says_what_is_not_as_it_expects(wanted: ExpectedRoll, trouble: str) -> None:
    found = differs(roll("hit", (6, 1), Each("hit(s)", HEAVY, 3)), wanted)
    assert found == (f"'hit 3+ (4+, +1 Heavy): 6 1, 1 hit' {trouble}" if trouble else "")


def test_dice_that_are_rolled_again_take_their_old_places_and_the_event_says_by_what() -> None:
    async def rolls(b: AnyBattle) -> Step:
        first = b.roll(4, "hit", 1, read=Each("hit(s)", needed=3))
        second = b.roll_again(first, [0, 2], "hit", 1, rules=("game.oath",), read=Each("hit(s)", needed=3), by="Oath")
        assert (second[1], second[3]) == (first[1], first[3])
        assert b.roll_again(second, [], "hit", 1) == second
        return DONE

    first, again = (e for e in new(system=tiny(rolls)).events if isinstance(e, Rolled))
    assert again.again == (first.faces[0], first.faces[2])
    assert again.standing == (again.faces[0], first.faces[1], again.faces[1], first.faces[3])
    assert (again.by, again.rules, again.player) == ("Oath", ("game.oath",), 1)
