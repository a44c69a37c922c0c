"""Everything without a mouse: long lists, setting up, templates, split fire, and whatever is in the panel."""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from typing import Any

import pytest

from browser.table import ROUND_TRIP, STEP, Table
from browser.test_plans import CARRIER, MOVING, OTHERS, WALKERS, choose
from browser.test_shapes import OPTIONS, ROWS, TARGETS, asked, given, pretend

MANY = [{"value": f"o{i}", "label": f"option {i}", "note": ""} for i in range(14)]


def keyed(table: Table, question: dict[str, Any], *keys: str) -> Any:
    """What is answered by some keys."""
    answers: list[Any] = []
    pretend(table, question, answers)
    table.open()
    for key in keys:
        table.page.keyboard.press(key)
    return given(table, answers)


#: For each shape that a hand can prepare: the question, keys that prepare an answer, and what it is then.
PREPARED: dict[str, tuple[dict[str, Any], list[str], Callable[[Any], bool]]] = {
    "choose_some": (asked("choose_some", options=OPTIONS, least=1, most=2), ["2"], lambda a: a == ["o1"]),
    "assign": (
        asked("assign", rows=ROWS, targets=TARGETS, everything=False),
        ["2"],
        lambda a: {(x["row"], x["target"]) for x in a} == {("guns", "b"), ("hooks", "b")},
    ),
    "split": (
        asked("split", options=OPTIONS, total=2, most_each=2),
        ["1", "3"],
        lambda a: a == [["o0", 1], ["o2", 1]],
    ),
    "order": (asked("order", options=OPTIONS), ["d", "Alt+ArrowDown"], lambda a: a == ["o1", "o0", "o2"]),
    "number": (asked("number", least=1, most=40), ["ArrowUp", "ArrowUp"], lambda a: a == 3),
    "number of few": (asked("number", least=2, most=6), ["ArrowRight"], lambda a: a == 3),
    "template": (asked("template", templates=["blast"]), ["c", "x"], lambda a: len(a) == 1),
    "flight_path": (
        asked("flight_path", shortest_leg=10 * STEP, widest_turn=512, optional=True),
        ["c", *["Shift+ArrowLeft"] * 14, "x", *["Shift+ArrowRight"] * 8, "x"],
        lambda a: len(a["legs"]) == 1,
    ),
    "plot": (
        asked("plot", most=2, last_turn=4, secret=True),
        ["3", "c", "x"],
        lambda a: [p["turn"] for p in a] == [3],
    ),
}
LIT = "() => document.querySelector('.space').textContent.includes('As planned')"
UNKIND = "game.check = () => Promise.resolve({ ok: false, reasons: [{ text: 'Not there.' }] });"


USUAL = "() => (game => game.usual && game.actor && !game.busy)(document.querySelector('canvas').game)"


def again(table: Table) -> None:
    """The page anew, with another question."""
    if table.page.url == "about:blank":
        table.page.goto(table.address)
    else:
        table.page.reload()
    table.wait()


def test_the_space_bar_takes_whatever_a_hand_has_prepared(sit: Any) -> None:
    """One question after the other, at the same table."""
    table, answers, question = sit(made_up=True), list[Any](), dict[str, Any]()
    pretend(table, question, answers)
    for shape, (decision, keys, fits) in PREPARED.items():
        question.clear()
        question.update(decision)
        answers.clear()
        again(table)
        assert table.decision["shape"] == decision["shape"]
        for key in keys:
            table.page.keyboard.press(key)
        table.page.wait_for_function(LIT)
        table.page.keyboard.press(" ")
        answer = given(table, answers)
        assert fits(answer), (shape, answer)


def test_a_row_keeps_the_keys_that_put_it_into_another_place(sit: Any) -> None:
    keys = ("d", *["Alt+ArrowDown"] * 2, " ")
    assert keyed(sit(made_up=True), asked("order", options=OPTIONS), *keys) == ["o1", "o2", "o0"]


def test_keys_go_to_the_row_whose_weapon_is_pressed(sit: Any) -> None:
    table, answers = sit(made_up=True), list[Any]()
    pretend(table, asked("assign", rows=ROWS, targets=TARGETS, everything=False), answers)
    table.open()
    name = table.page.locator(".dock .name").first
    name.focus()
    for key in ("Enter", "2"):
        table.page.keyboard.press(key)
    table.page.locator(".row.lit .step.on").wait_for()
    assert table.page.locator(".step.on").count() == 1, "the hooks are left as they are"


def test_what_is_wrong_is_not_answered_by_enter_nor_a_number_that_nobody_sees(sit: Any) -> None:
    table, answers, question = sit(made_up=True), list[Any](), dict[str, Any]()
    pretend(table, question, answers)
    keys = table.page.keyboard
    for shape in ("template", "flight_path", "plot"):
        decision, prepare, _ = PREPARED[shape]
        question.clear()
        question.update(decision)
        answers.clear()
        again(table)
        table.ask(UNKIND)
        for key in prepare:
            keys.press(key)
        table.page.get_by_role("alert").get_by_text("Not there.").wait_for()
        keys.press("Enter")
        table.page.wait_for_function(ROUND_TRIP)
        assert answers == [], shape
    question.clear()
    question.update(PREPARED["number of few"][0])
    again(table)
    keys.press("Enter")
    keys.press("ArrowRight")
    table.page.locator(".dock .lit").get_by_text("3").wait_for()
    keys.press("Enter")
    assert given(table, answers) == 3


@pytest.mark.parametrize(
    ("keys", "answer"),
    [(["9"], "o8"), (["0"], "o9"), (["]"] * 12 + ["Enter"], "o11"), (["[", "Enter"], "o13"), (["n"], None)],
    ids=["ninth", "tenth", "twelfth", "last", "none"],
)
def test_any_of_many_options_has_keys_and_so_has_none_of_them(sit: Any, keys: list[str], answer: str | None) -> None:
    question = asked("choose", options=MANY, optional=True)
    assert keyed(sit(made_up=True), question, *keys) == answer


def test_some_of_many_are_marked_by_keys(sit: Any) -> None:
    question = asked("choose_some", options=MANY, least=1, most=3)
    assert keyed(sit(made_up=True), question, "[", "x", "[", "[", "x", "1", "Enter") == ["o13", "o11", "o0"]


def test_a_number_is_divided_by_keys(sit: Any) -> None:
    question = asked("split", options=OPTIONS, total=4, most_each=4)
    keys = ["1", "[", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "2", "Enter"]
    assert keyed(sit(made_up=True), question, *keys) == [["o0", 1], ["o1", 1], ["o2", 2]]


def test_fire_is_split_by_keys(sit: Any) -> None:
    """All at the first target; then the first weapon is lit, and one of it goes to the second target."""
    question = asked("assign", rows=ROWS, targets=TARGETS, everything=False)
    answer = keyed(sit(made_up=True), question, "1", "ArrowDown", "]", "]", "ArrowRight", "Enter")
    assert {(a["row"], a["target"]): a["count"] for a in answer} == {("guns", "a"): 3, ("guns", "b"): 1}


def test_a_weapon_is_put_on_a_target_by_its_number(sit: Any) -> None:
    question = asked("assign", rows=ROWS, targets=TARGETS, everything=False)
    answer = keyed(sit(made_up=True), question, "1", "ArrowDown", "ArrowDown", "2", "Enter")
    assert {(a["row"], a["target"]): a["count"] for a in answer} == {("guns", "a"): 4, ("hooks", "b"): 1}


def test_a_weapon_may_be_put_on_any_of_many_targets(sit: Any) -> None:
    targets = [{"value": f"t{n}", "label": f"target {n}", "note": ""} for n in range(11)]
    rows = [{"id": "guns", "label": "guns", "count": 1, "targets": [t["value"] for t in targets], "modes": []}]
    table = sit(made_up=True)
    pretend(table, asked("assign", rows=rows, targets=targets, everything=False), [])
    table.open()
    assert table.page.get_by_role("button", name="All guns at target").count() == len(targets)
    table.page.get_by_role("button", name="All guns at target 10").click()
    table.page.get_by_role("button", name="All guns at target 10").get_by_text("K 1").wait_for()


def test_who_attacks_nobody_says_so_by_a_key(sit: Any) -> None:
    assert keyed(sit(made_up=True), asked("assign", rows=ROWS, targets=TARGETS, everything=False), "n") == []


def test_templates_are_laid_where_a_cross_points(sit: Any) -> None:
    """The first arrow brings the cross, in the middle of what is seen; the others move it."""
    question = asked("template", templates=["blast", "blast"])
    keys = ["ArrowUp", "x", *["Shift+ArrowRight"] * 2, "x", "Enter"]
    first, second = keyed(sit(made_up=True), question, *keys)
    assert (second["x"] - first["x"], second["y"]) == (6 * STEP, first["y"])


def test_a_flight_is_drawn_by_keys(sit: Any) -> None:
    question = asked("flight_path", shortest_leg=10 * STEP, widest_turn=512, optional=True)
    keys = ["c", *["Shift+ArrowLeft"] * 14, "x", *["Shift+ArrowRight"] * 8, "x", "Enter"]
    flight = keyed(sit(made_up=True), question, *keys)
    assert (flight["x"], len(flight["legs"])) == (0, 1)


def test_who_wants_no_flight_says_so_by_a_key(sit: Any) -> None:
    question = asked("flight_path", shortest_leg=10 * STEP, widest_turn=512, optional=True)
    assert keyed(sit(made_up=True), question, "n") is None


def test_a_unit_is_set_up_by_the_arrows_alone(sit: Any) -> None:
    table = sit().open()
    place = table.play_until("deploy")
    # Before it is known where it usually would be, it is looked for elsewhere.
    table.page.wait_for_function("() => document.querySelector('canvas').game.usual")
    table.page.keyboard.press("ArrowUp")
    first = table.planned()
    assert len(first["ghosts"]) == len(place["models"])
    for _ in range(3):
        table.page.keyboard.press("Shift+ArrowRight")
    moved = table.planned()
    assert moved["verdict"]["ok"]
    assert mean(moved) > mean(first) + STEP
    table.go_on("Enter")
    ends = {g["model"]: [g["x"], g["y"]] for g in moved["ghosts"]}
    assert table.ask("return argument.map(m => game.view.models[m].slice(0, 2))", list(ends)) == list(ends.values())


def mean(plan: dict[str, Any]) -> float:
    return float(sum(g["x"] for g in plan["ghosts"]) / len(plan["ghosts"]))


def test_a_unit_is_moved_by_the_arrows_alone(sit: Any) -> None:
    table = sit(at="move_with").open()
    table.play_until("move")
    table.page.keyboard.press("Shift+ArrowUp")
    assert table.planned()["longest"] > STEP / 2


def test_keys_go_into_the_panel_and_come_back(sit: Any) -> None:
    table = sit(at="move_with").open()
    table.play_until("move")
    focused = "() => !!document.activeElement.closest('.dock')"
    table.page.keyboard.press("d")
    assert table.page.evaluate(focused)
    before = table.page.evaluate("() => document.activeElement.outerHTML")
    table.page.keyboard.press("Tab")
    assert table.page.evaluate(focused)
    assert table.page.evaluate("() => document.activeElement.outerHTML") != before
    table.page.keyboard.press("Escape")
    assert not table.page.evaluate(focused)


def test_a_key_that_is_held_is_meant_once_and_what_was_clicked_keeps_no_keys(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    page, keys = table.page, table.page.keyboard
    table.play_until("move_with")
    for key, at in ((" ", "body"), ("Enter", ".dock .space")):
        page.wait_for_function(USUAL)
        page.evaluate("at => document.querySelector(at).focus()", at)
        table.answer_by(lambda key=key: keys.down(key))
        page.wait_for_function(USUAL)
        held = table.decision
        keys.down(key)
        keys.up(key)
        page.wait_for_function(ROUND_TRIP)
        assert table.decision == held
    page.evaluate("document.activeElement.blur()")
    # A mouse that has chosen something leaves the keys to the table.
    page.get_by_role("tab", name="Away").click()
    words = page.get_by_text("As text (for experts)")
    words.focus()
    keys.press(" ")
    page.get_by_label("Standing orders").wait_for()
    assert table.decision == held
    table.go_on("1")
    for choice in (page.get_by_label("Plan first, then do it all"), page.get_by_label("Pace of the story")):
        choice.click()
        if choice.evaluate("one => one.matches('select')"):
            choice.select_option("quick")
        keys.press("v")
        assert table.ask("return game.tool") == "sight"
        keys.press("v")


def test_the_mission_is_told_behind_one_key_and_one_tap(sit: Any) -> None:
    table = sit(at="move_with").open()
    table.play_until("move_with")
    told = table.ask("return game.board.mission")
    ways = table.page.get_by_role("list", name="How one scores").get_by_role("listitem")
    table.page.keyboard.press("o")
    ways.first.wait_for()
    assert ways.all_inner_texts() == told["scoring"]
    assert f"Mission: {told['name']}" in table.page.get_by_role("tabpanel").inner_text()
    table.page.keyboard.press("l")
    table.page.get_by_role("button", name=f"Round 1 of {told['rounds']}").click()
    assert ways.count() == len(told["scoring"])


def test_the_next_unit_is_turned_to_by_keys_and_a_front_is_widened(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    keys = table.page.keyboard

    def turned(unit: int) -> None:
        table.page.wait_for_function(
            "unit => (({ decision: d, actor, busy }) => d?.kind === 'move' && d.unit === unit && actor && !busy)"
            "(document.querySelector('canvas').game)",
            arg=unit,
        )

    keys.press("]")
    turned(OTHERS)
    keys.press("Tab")
    turned(CARRIER)
    keys.press("[")
    turned(OTHERS)
    keys.press("[")
    turned(WALKERS)
    keys.press("3")
    table.planned()
    for _ in range(3):
        keys.press(">")
    wide = spread(table)
    for _ in range(3):
        keys.press("<")
    assert spread(table) < wide - STEP / 2


def spread(table: Table) -> float:
    """How far apart the two are that are furthest from each other, as planned."""
    places = [(g["x"], g["y"]) for g in table.planned()["ghosts"]]
    return max(dist(a, b) for a in places for b in places)


def test_a_string_reaches_from_where_the_unit_is_to_the_point(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    table.page.keyboard.press("6")
    table.planned()
    table.page.mouse.click(*table.on_screen(13.5 * STEP, 20.5 * STEP))
    ys = sorted(g["y"] / STEP for g in table.planned()["ghosts"])
    assert table.planned()["verdict"]["ok"]
    assert ys[-1] == pytest.approx(20.5, abs=0.3)
    assert ys[0] < 16
