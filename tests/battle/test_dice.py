"""The dice: written down, fair, never the same twice, and scripted where a test wants them so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.battle.dice import KeyedDice, ScriptedDice, derived_seed, draw, key, mix
from sandtable.errors import UserError

FOUR_BILLION = 1 << 32


def roll(dice: KeyedDice | ScriptedDice, answers: int, count: int, reason: str = "hit", counter: int = 0) -> list[int]:
    return list(dice.roll(answers, counter, count, 6, reason)[0])


def test_the_generator_is_splitmix64_as_published() -> None:
    # The first outputs of splitmix64 for the seeds 0 and 1234567, from its reference implementation.
    golden = 0x9E3779B97F4A7C15
    assert [mix(i * golden & (2**64 - 1)) for i in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
    assert [mix((1234567 + i * golden) & (2**64 - 1)) for i in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize(
    ("seed", "epoch", "answers", "faces"),
    [
        (7, 0, 0, [2, 2, 6, 3, 4, 2, 3, 6, 5, 1, 3, 6]),
        (7, 0, 1, [6, 2, 5, 3, 3, 5, 2, 2, 4, 1, 4, 6]),
        (7, 1, 1, [5, 2, 5, 6, 4, 3, 1, 5, 4, 3, 3, 5]),
        (8, 0, 0, [5, 2, 2, 3, 3, 6, 6, 5, 4, 2, 1, 4]),
    ],
)
def test_the_same_key_gives_the_same_dice_for_ever(seed: int, epoch: int, answers: int, faces: list[int]) -> None:
    assert roll(KeyedDice(seed, ((0, epoch),)), answers, 12) == faces


def test_keys_are_written_down() -> None:
    assert key(7, 0, 0) == 0x9C01479161BC5D78
    assert derived_seed(7, 1) == 0xD428F663D4F72E1E


def test_dice_rolled_one_by_one_are_the_dice_rolled_together() -> None:
    dice = KeyedDice(3)
    together, end = dice.roll(5, 0, 10, 6, "hit")
    one_by_one, counter = [], 0
    for _ in range(10):
        (face,), counter = dice.roll(5, counter, 1, 6, "another reason")
        one_by_one.append(face)
    assert (tuple(one_by_one), counter) == (together, end)


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20])
def test_faces_are_fair(sides: int) -> None:
    """Chi-squared over 60,000 dice; the bound is far beyond what fair dice reach."""
    count = 60_000
    faces, _ = KeyedDice(11).roll(0, 0, count, sides, "hit")
    tally = [faces.count(f) for f in range(1, sides + 1)]
    assert sum(tally) == count
    expected = count / sides
    assert sum((n - expected) ** 2 / expected for n in tally) < 3 * sides + 20


def test_the_first_die_after_each_answer_is_fair_too() -> None:
    dice = KeyedDice(5)
    faces = [roll(dice, answers, 1)[0] for answers in range(12_000)]
    assert all(abs(faces.count(f) - 2000) < 200 for f in range(1, 7))


def test_a_value_beyond_the_last_whole_multiple_is_drawn_again() -> None:
    # With so many sides, a value of the upper half of the range is rejected about every other time.
    sides = FOUR_BILLION // 2 + 1
    counters = [draw(key(1, 0, i), 0, sides)[1] for i in range(200)]
    assert set(counters) > {1, 2, 3}
    assert all(1 <= draw(key(1, 0, i), 0, sides)[0] <= sides for i in range(200))


def test_an_epoch_holds_from_its_answer_on() -> None:
    dice = KeyedDice(7, ((0, 0), (10, 1), (20, 4)))
    assert [dice.epoch(n) for n in (0, 9, 10, 19, 20, 500)] == [0, 0, 1, 1, 4, 4]
    plain = KeyedDice(7)
    assert roll(dice, 9, 20) == roll(plain, 9, 20)
    assert roll(dice, 10, 20) != roll(plain, 10, 20)


def test_burnt_dice_never_come_back() -> None:
    dice = KeyedDice(7)
    seen = {tuple(roll(dice, 12, 20))}
    for back_to in (11, 8, 11, 3, 11):
        dice = dice.burn(back_to)
        assert roll(dice, back_to, 20) is not None
        fresh = tuple(roll(dice, 12, 20))
        assert fresh not in seen
        seen.add(fresh)


def test_burning_keeps_the_dice_that_are_still_on_the_table() -> None:
    dice = KeyedDice(7)
    assert roll(dice.burn(5), 5, 20) == roll(dice, 5, 20)
    assert roll(dice.burn(5), 6, 20) != roll(dice, 6, 20)


@given(st.integers(0, 2**63), st.integers(0, 2**40))
def test_a_forks_seed_tells_nothing_of_its_parents(seed: int, branch: int) -> None:
    child = derived_seed(seed, branch)
    assert 0 <= child < 1 << 64
    assert child != seed
    assert child != derived_seed(seed, branch + 1)


def test_scripted_dice_come_in_the_order_written() -> None:
    dice = ScriptedDice([1, 2, 3, 4])
    assert roll(dice, 0, 2) == [1, 2]
    assert roll(dice, 1, 2) == [3, 4]
    assert dice.left() == {}


def test_each_kind_of_roll_has_a_queue_and_the_rest_share_one() -> None:
    dice = ScriptedDice({"hit": [6, 6], "save": [1], "any": [3, 4]})
    assert roll(dice, 0, 1, "save") == [1]
    assert roll(dice, 1, 2, "hit") == [6, 6]
    assert roll(dice, 2, 1, "charge") == [3]
    assert dice.left() == {"any": 1}


def test_a_script_that_runs_out_says_for_which_roll() -> None:
    dice = ScriptedDice({"hit": [6]})
    with pytest.raises(UserError, match=r"no dice left for the roll 'hit' of 2D6: the queue 'hit' holds 1 and 0"):
        roll(dice, 0, 2)
    with pytest.raises(UserError, match=r"no dice left for the roll 'save' of 1D6: the queue 'any' holds 0"):
        roll(dice, 0, 1, "save")


def test_a_face_that_the_die_does_not_have_is_refused() -> None:
    with pytest.raises(UserError, match=r"gives \[7\] for 'hit', but a D6 shows 1 to 6"):
        roll(ScriptedDice([7]), 0, 1)
    with pytest.raises(UserError, match="a D3 shows 1 to 3"):
        ScriptedDice([4]).roll(0, 0, 1, 3, "damage")


def test_going_back_puts_scripted_dice_back() -> None:
    dice = ScriptedDice([1, 2, 3, 4, 5, 6])
    assert roll(dice, 1, 2) == [1, 2]
    assert roll(dice, 2, 2) == [3, 4]
    assert roll(dice, 3, 1) == [5]
    # Back to before the second roll; this time it is one die, so the third roll starts earlier than before.
    assert roll(dice, 2, 1) == [3]
    assert roll(dice, 3, 2) == [4, 5]
    # Back to the very beginning, on a course that rolls at other moments.
    dice.put_back(0)
    assert roll(dice, 4, 1) == [1]
    assert roll(dice, 5, 1) == [2]
    assert dice.left() == {"any": 4}


def test_a_refused_roll_uses_no_scripted_dice() -> None:
    dice = ScriptedDice([1, 2])
    with pytest.raises(UserError):
        roll(dice, 0, 3)
    assert roll(dice, 0, 2) == [1, 2]
