"""A scenario under several systems: the same dice and answers, what differs, and the rules behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.api import compare_scenario
from sandtable.battle.courses import ALLOWED, GIVEN, NOT_ASKED, REFUSED, Course, Entry, What
from sandtable.battle.dice import EndlessDice
from sandtable.battle.scenario import Scenario, read_scenario_file
from sandtable.battle.side_by_side import Row, SideBySide, align, side_by_side
from sandtable.errors import UserError

FILES = Path(__file__).parents[2] / "docs" / "scenarios"
NEW = "w40k11"


def document(name: str) -> tuple[Scenario, Path]:
    path = FILES / f"{name}.yaml"
    return read_scenario_file(path), path


def compared(name: str, *among: str, **changes: Any) -> SideBySide:
    found, path = document(name)
    return compare_scenario(msgspec.structs.replace(found, **changes), path, among or [NEW])


def rows(found: SideBySide, about: str) -> list[Row]:
    return [row for row in found.rows if row.entry.about == about]


def status(row: Row) -> list[str]:
    return [entry.status if entry else "" for entry in row.entries]


# --- Playing ----------------------------------------------------------------------------------------------------------


def test_one_system_is_compared_with_the_files_own() -> None:
    found = compared("w40k10/example-blast")
    assert [course.system for course in found.courses] == ["w40k10", NEW]
    assert [c.system for c in compared("w40k10/example-blast", NEW, "w40k10").courses] == [NEW, "w40k10"]


def test_where_nothing_differs_there_is_nothing_behind_it() -> None:
    found = compared("w40k10/example-blast")
    assert found.headline == "The same under 10th edition and 11th edition."
    assert (found.differing, found.differences) == ((), ())
    assert [row.entry.text for row in rows(found, "red rolls hit")]


def test_the_same_dice_come_to_something_else_by_another_rule() -> None:
    """In 10th edition mortal wounds of an attack go on to the next model, in 11th they do not."""
    found = compared("w40k10/devastating-wounds-come-last")
    rolled = [row for row in found.rows if row.entry.what == "roll"]
    assert rolled
    assert not any(row.differs for row in rolled)
    (brutes,) = rows(found, "Brutes in the end")
    assert [e.data["wounds"] for e in brutes.entries if e] == [[2], [3]]
    assert found.headline.endswith(
        "In the end, Brutes: 1 model, wounds 2 under 10th edition, 1 model, wounds 3 under 11th edition."
    )
    ((one, other, pairs),) = found.differences
    assert (one, other) == ("w40k10", NEW)
    assert "w40k10.attack.mortal_wounds" in {row.id for pair in pairs for row in pair.rows if row is not None}


def test_tries_of_the_file_are_tried_under_each() -> None:
    tries = rows(compared("w40k10/charge-into-contact"), "red tries charge_move")
    assert [status(row) for row in tries] == [[REFUSED, ALLOWED], [REFUSED, ALLOWED]]
    refused = tries[0].entries[0]
    assert refused is not None
    assert refused.rules == ("w40k10.charge.base_contact",)


def test_an_answer_that_is_refused_is_noted_with_its_rules_and_the_plain_one_given_instead() -> None:
    found = compared("w40k10/desperate-escape")
    (move,) = rows(found, "red answers move")
    assert status(move) == [GIVEN, REFUSED]
    refused = move.entries[1]
    assert refused is not None
    assert "w40k11.movephase.structure" in refused.rules
    (instead,) = rows(found, "red is asked move")
    assert instead.entries[0] is None
    assert instead.entry.text == "How do Reds move?: Remain stationary (instead)"
    (losses,) = rows(found, "red answers escape_losses")
    assert status(losses) == [GIVEN, NOT_ASKED]


def test_a_question_that_the_file_does_not_answer_is_marked() -> None:
    first, second = rows(compared("w40k10/flying-over-a-wall"), "red is asked skies")
    assert first.entries[0] is None
    assert first.entry.text == "Do Bikes take to the skies?: no (asked only here)"
    assert second.entry.text == "Do Jumpers take to the skies?: no (asked only here)"
    assert "w40k11.fly.take_to_skies" in first.entry.rules


def test_a_phase_is_never_beside_another_one() -> None:
    phases = rows(compared("w40k10/flying-over-a-wall"), "phase")
    assert len(phases) > 3
    assert all(len({e.text for e in row.entries if e}) == 1 for row in phases)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_dice_of_a_seed_fall_the_same_for_all(seed: int) -> None:
    """The charge is rolled after another number of questions, which would change dice that count them."""
    (charge,) = rows(compared("w40k10/charge-into-contact", dice=None, seed=seed), "red rolls charge")
    own, other = (entry.data["faces"] for entry in charge.entries if entry)
    assert own == other


def test_dice_that_run_out_are_told_of() -> None:
    assert compared("w40k10/charge-into-contact").courses[1].notes == ()
    notes = compared("w40k10/charge-into-contact", dice={}).courses[1].notes
    assert "2 for charge" in notes[0]


def test_an_option_that_only_one_has_is_left_out_with_a_note() -> None:
    """Mortal wounds that stay with one model are an option of 10th edition, and the rule of 11th."""
    found = compared("w40k10/devastating-wounds-come-last", options={"devastating": "one-model", "windows": "all"})
    assert [course.notes for course in found.courses] == [
        (),
        ("There is no option devastating=one-model here; it is left out.",),
    ]
    assert not any(row.differs for row in rows(found, "Brutes in the end"))


def test_an_option_that_not_even_its_own_system_has_is_refused() -> None:
    with pytest.raises(UserError, match="no-such"):
        compared("w40k10/example-blast", options={"no-such": "thing"})


# --- Refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "among", "said"),
    [
        ("w40k10/example-blast", ["w40k10"], "To compare takes two systems; "),
        ("w40k10/example-blast", [], "To compare takes two systems; "),
        ("w40k10/example-blast", ["w40k12"], "There is no rules system 'w40k12'"),
        ("w40k10/example-blast", ["epica"], "10th edition, which measures in other units than Epic: Armageddon."),
        (
            "w40k10/example-blast",
            ["w40k8"],
            "8th edition cannot play it: sheets.Crew has 'oc', which is not known there.",
        ),
        ("w40k10/example-scouts", [NEW], "11th edition has no step 'scouts'."),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(name: str, among: list[str], said: str) -> None:
    found, path = document(name)
    with pytest.raises(UserError) as refused:
        compare_scenario(found, path, among)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


# --- Dice -------------------------------------------------------------------------------------------------------------


def test_dice_go_on_from_a_seed_where_the_written_ones_end() -> None:
    dice = EndlessDice({"hit": [6, 5]}, 3)
    first, _ = dice.roll(0, 0, 1, 6, "hit")
    second, _ = dice.roll(1, 0, 3, 6, "hit")
    assert first == (6,)
    assert second[0] == 5
    assert all(1 <= face <= 6 for face in second)
    assert dice.fresh() == [0, 2]


def test_what_comes_of_a_kind_depends_on_no_other_kind() -> None:
    one, other = EndlessDice({}, 3), EndlessDice({}, 3)
    one.roll(0, 0, 7, 6, "hit")
    assert one.roll(1, 0, 8, 6, "save")[0] == other.roll(0, 0, 8, 6, "save")[0]
    saves, wounds = (EndlessDice({}, 3).roll(0, 0, 8, 6, kind)[0] for kind in ("save", "wound"))
    assert saves != wounds
    assert wounds != EndlessDice({}, 4).roll(0, 0, 8, 6, "wound")[0]


def test_written_dice_that_have_too_many_sides_are_not_taken() -> None:
    dice = EndlessDice({"damage": [6]}, 3)
    (face,), _ = dice.roll(0, 0, 1, 3, "damage")
    assert face <= 3
    assert dice.fresh() == [1]


# --- Rows and words ---------------------------------------------------------------------------------------------------


def entry(key: str, same: str = "", what: What = "told", **more: Any) -> Entry:
    return Entry(what=what, about=key, text=same or key, key=key, same=same, **more)


def course(system: str, *entries: Entry) -> Course:
    return Course(system, f"Game, {system}", system, entries, (), frozenset(), {})


def keys(found: list[Row]) -> list[tuple[str, ...]]:
    return [tuple(e.key if e else "-" for e in row.entries) for row in found]


def test_what_is_missing_in_one_course_leaves_a_gap() -> None:
    found = align([course("one", *map(entry, "abd")), course("two", *map(entry, "acd"))])
    assert keys(found) == [("a", "a"), ("b", "-"), ("-", "c"), ("d", "d")]
    assert [row.differs for row in found] == [False, True, True, False]


def test_three_courses_stand_beside_each_other() -> None:
    found = align(
        [course("one", *map(entry, "ab")), course("two", *map(entry, "b")), course("three", *map(entry, "ac"))]
    )
    assert keys(found) == [("a", "-", "a"), ("b", "b", "-"), ("-", "-", "c")]


def test_what_happens_once_at_another_time_is_one_row() -> None:
    found = align([course("one", *map(entry, "axyz")), course("two", *map(entry, "xyza"))])
    moved = [row for row in found if row.moved]
    assert keys(moved) == [("a", "a")]
    assert moved[0].differs
    assert not moved[0].differs_in_itself


def test_what_happens_twice_is_not_joined() -> None:
    found = align([course("one", *map(entry, "axya")), course("two", *map(entry, "xya"))])
    assert keys(found) == [("a", "-"), ("x", "x"), ("y", "y"), ("a", "a")]


def told(*courses: Course) -> str:
    return side_by_side("A name", "A question?", courses).headline


def test_the_headline_says_where_courses_part() -> None:
    asked = entry("asked", what="asked", brief="Which?", data={"player": "red"})
    units = [entry("u", n, "unit", brief=f"{n} models", data={"unit": "Reds"}) for n in "12"]
    assert told(course("one"), course("two", asked)) == (
        "The same until red is asked 'Which?' only under two. It comes to the same in the end."
    )
    assert told(course("one", units[0]), course("two", units[1])) == (
        "The same to the end, but then Reds: 1 models under one, 2 models under two."
    )


def test_the_headline_passes_over_words_and_questions_where_more_differs() -> None:
    needs = [entry("roll", str(n), "roll", data={"reason": "hit", "needs": [n]}) for n in (3, 4)]
    found = told(course("one", entry("t", "so"), needs[0]), course("two", entry("t", "thus"), needs[1]))
    assert found.startswith("Apart from words and questions, the same until the hit roll: 3+ under one, 4+ under two.")
    gone = told(course("one", needs[0]), course("two"))
    assert gone.startswith("The same until the hit roll: it is made only under one.")
