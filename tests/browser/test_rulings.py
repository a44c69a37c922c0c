"""Rulings with a picture: two units, how far apart they are, who sees whom and what is in the way."""

from __future__ import annotations

from typing import Any

from browser.table import STEP
from browser.test_plans import MOVING, WALKERS, choose

RUIN = "{kind: ruins, rect: [25, 10, 2, 10], height: 5, walls: [{from: [26, 10], to: [26, 20], top: 5}]}"
MOMENT = MOVING.replace("table: {size: [44, 30]}", f"table: {{size: [44, 30], terrain: [{RUIN}]}}")


def test_a_refusal_that_names_two_units_shows_them(sit: Any) -> None:
    table = sit(scenario=MOMENT).open()
    choose(table, WALKERS)
    table.ask(
        "game.refuse({ok: false, reasons: [{text: 'Walkers are too far from Foes.', rules: ['w40k10.move.normal']}]})"
    )
    table.page.get_by_role("button", name="why?").click()
    picture = table.page.get_by_label("Walkers and Foes")
    picture.wait_for()
    gap = table.ask(
        "const r = m => game.baseOf(m).radius, at = m => game.view.models[m];"
        " const near = a => Math.min(...game.standing(3).map("
        "b => Math.hypot(at(a)[0] - at(b)[0], at(a)[1] - at(b)[1]) - r(a) - r(b)));"
        " return Math.min(...game.standing(argument).map(near))",
        WALKERS,
    )
    assert f"{round(gap / STEP, 1):g}″ apart" in picture.get_attribute("aria-label")
    table.page.locator("figcaption").get_by_text("models of Walkers").or_(
        table.page.locator("figcaption").get_by_text("No model of Walkers sees Foes")
    ).wait_for()
    assert picture.evaluate("c => new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size") > 20


def test_a_sentence_about_one_unit_has_no_picture(sit: Any) -> None:
    table = sit(scenario=MOMENT).open()
    assert table.ask("return game.pairIn([], 'Walkers stay.')") is None
    assert table.ask("return game.pairIn([3], 'Walkers stay.')") == [3, WALKERS]
