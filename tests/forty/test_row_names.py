"""Which weapons stand apart in a question and what they are called, and where the usual shots go."""

from __future__ import annotations

from typing import Any

from sandtable.battle import Assign, Assignment
from sandtable.battle.answers import read
from sandtable.forty.row_names import row_names
from w40k10.table import RIFLE, TROOPER, give, named, situation, unit

SERGEANT: dict[str, Any] = {**TROOPER, "name": "Sergeant"}


def aiming(reds: list[tuple[float, float]], weapons: list[Any], **more: Any) -> tuple[Any, Assign]:
    """A battle at the question what Reds shoot at: Near 22 inches ahead of the first of them, Far on the other side."""
    blues = [unit("Near", "blue", TROOPER, [(10, 32)]), unit("Far", "blue", TROOPER, [(10, 60), (12, 60), (14, 60)])]
    b = situation([unit("Reds", "red", {**TROOPER, "weapons": weapons}, reds, **more), *blues], step="shoot_units",
                  size=(44, 90))  # fmt: skip
    give(b, "shoot_with", "Reds")
    asked = b.decisions[0]
    assert isinstance(asked, Assign)
    return b, asked


def test_rows_of_one_weapon_are_told_apart_by_whose_they_are() -> None:
    _, asked = aiming([(10, 10), (10, 38)], [RIFLE])
    assert [row.label for row in asked.rows] == ["rifle of Trooper 1", "rifle of Trooper 2"]
    assert [row.id for row in asked.rows] == ["0", "1"]


def test_a_row_that_stands_alone_has_the_name_of_its_weapon() -> None:
    _, asked = aiming([(10, 10), (12, 10)], [RIFLE])
    assert [(row.label, row.count) for row in asked.rows] == [("rifle", 2)]


def test_files_still_name_rows_by_the_bare_name_and_a_number() -> None:
    b, asked = aiming([(10, 10), (10, 38)], [RIFLE])
    near, far = named(b, "Near").id, named(b, "Far").id
    raw = [{"weapon": "rifle", "target": "Near"}, {"weapon": "rifle (2)", "target": "Far"}]
    assert read(b, asked, raw) == (Assignment("0", near, 1), Assignment("1", far, 1))


def test_copies_of_a_weapon_are_counted_in_words() -> None:
    b, _ = aiming([(10, 10)], [RIFLE])
    assert row_names(b, [("gun", [0]), ("gun 2", [0]), ("gun 3", [0]), ("mark 9", [0])]) == [
        "gun", "gun, second", "gun, third", "mark 9",
    ]  # fmt: skip


def test_a_number_that_is_too_long_to_be_read_is_a_part_of_the_name() -> None:
    b, _ = aiming([(10, 10)], [RIFLE])
    name = "gun " + "9" * 5000
    assert row_names(b, [("gun", [0]), (name, [0])]) == ["gun", name]


def test_guns_that_cannot_be_fired_at_the_best_target_are_fired_at_another() -> None:
    """One trooper has only Far in reach, which loses less than Near by all the others."""
    b, asked = aiming([(10, 10), (12, 10), (14, 10), (30, 55)], [RIFLE])
    fired = {a.row: b.unit(int(a.target)).name for a in b.default(asked)}
    assert sorted(fired.values()) == ["Far", "Near"]
    assert len(fired) == len(asked.rows)
