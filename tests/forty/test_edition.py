"""An edition is a system from its first step on, and answers more with every seam that it brings."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import DONE, Effect, Question, Step, System
from sandtable.forty.briefly import Brevity
from sandtable.forty.cards import Printing
from sandtable.forty.edition import edition, joined
from sandtable.systems import get
from sandtable.systems.w40k8.enlist import FRAME
from sandtable.systems.w40k8.system import FILES, PRINTING

LATER = (
    "describe", "card", "score", "marks", "numbers", "brief", "sight", "objectives", "forecast",
    "enforcement", "left_out", "tactics",
)  # fmt: skip
"""What an edition answers only by a seam of its own."""


async def begin(b: Any) -> Step:
    return DONE


async def settle(b: Any, dispute: Effect) -> None: ...


def beginning(*seams: object) -> System:
    """An edition with a single step."""
    return edition(FRAME, (), (begin,), settle=settle, next_segment=lambda b: None, seams=(FILES, *seams))


def answers(system: System) -> list[str]:
    return [name for name in LATER if getattr(system, name) is not None]


def test_an_edition_needs_nothing_but_its_files_to_be_a_system() -> None:
    assert (beginning().id, answers(beginning())) == ("w40k8", [])


@pytest.mark.parametrize(
    ("seam", "more"),
    [(PRINTING, ["describe", "card", "score", "marks", "numbers"]), (Brevity(), ["brief"])],
    ids=["Printing", "Brevity"],
)
def test_each_seam_brings_what_is_answered_by_it(seam: Printing | Brevity, more: list[str]) -> None:
    assert answers(beginning(seam)) == more


@pytest.mark.parametrize("system", ["w40k8", "w40k10", "w40k11"])
def test_an_edition_that_is_complete_answers_everything(system: str) -> None:
    assert answers(get(system)) == list(LATER)


def plain(w: Any, d: Any) -> Any: ...


def likely(w: Any, d: Any, answer: Any) -> float:
    return 1.0


def test_several_parts_may_each_know_something_of_a_question() -> None:
    found = joined({"react": Question(odds=likely)}, {"react": Question(default=plain)})
    assert found == {"react": Question(default=plain, odds=likely)}


def test_no_two_parts_say_different_things_of_a_question() -> None:
    with pytest.raises(ValueError, match="'react' is told 'default' twice"):
        joined({"react": Question(default=plain)}, {"react": Question(default=likely)})


def test_two_parts_may_say_the_same() -> None:
    assert joined(*[{"react": Question(default=plain)}] * 2) == {"react": Question(default=plain)}
