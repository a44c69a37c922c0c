"""A roll that may be made again says what it has to come to, and how likely it does."""

from __future__ import annotations

import pytest

from sandtable.battle import Moment
from sandtable.forty.picking_rerolls import rerolls


def notes(faces: tuple[int, ...], need: int, *, together: bool) -> list[str]:
    """What is noted of the rolls that may be picked."""
    data = {"roll": "charge", "faces": faces, "sum": together, "rerolled": (), "need": need}
    return [o.note for o in rerolls(Moment(data=data), lambda data, die: True)]


@pytest.mark.parametrize(("need", "note"), [(9, "9+, 28 %"), (12, "12+, 3 %"), (0, ""), (2, "")])
def test_dice_that_are_added_up_are_made_again_together(need: int, note: str) -> None:
    assert notes((1, 2), need, together=True) == [note]


def test_single_dice_each_need_the_same() -> None:
    assert notes((1, 2), 3, together=False) == ["3+, 67 %", "3+, 67 %"]
