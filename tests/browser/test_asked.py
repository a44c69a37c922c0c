"""Whoever goes on from a scenario file reads what its author wants to know, until it is put away."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import DESK, PHONE
from server.test_falls import FIRED_AT

MARKUP = FIRED_AT.replace("question: Who falls?", "question: Who of <b>them</b> falls, and why?")
NOTHING = FIRED_AT.replace("question: Who falls?", "question: What can be done from here?")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_question_of_a_file_stands_there_until_it_is_put_away(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK, scenario=MARKUP).open()
    asked = table.page.get_by_label("The question of this scenario")
    assert asked.locator("span").inner_text() == "Fired at Who of <b>them</b> falls, and why?"
    asked.get_by_role("button").click()
    asked.wait_for(state="detached")
    table.page.reload()
    table.wait()
    assert asked.count() == 0


def test_a_file_without_a_question_of_its_own_has_none(sit: Any) -> None:
    table = sit(scenario=NOTHING).open()
    assert table.ask("return [game.ground.file, game.ground.question]") == ["Fired at", ""]
    assert table.page.get_by_label("The question of this scenario").count() == 0
