"""Each of the twelve shapes is answered in the browser: by pointing, by keys, or both."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from browser.table import STEP, Table

NUMBER = 900_001
"""Of a question that the server knows nothing of."""
OPTIONS = [{"value": f"o{i}", "label": label, "note": ""} for i, label in enumerate(("first", "second", "third"))]
PLAIN = {"id": NUMBER, "player": 0, "kind": "tried", "prompt": "What now?", "rules": [], "about": {}, "secret": False}

Act = Callable[[Table], None]


def asked(shape: str, **more: Any) -> dict[str, Any]:
    return {**PLAIN, "unit": -1, "shape": shape, **more}


def press(*keys: str) -> Act:
    def act(table: Table) -> None:
        for key in keys:
            table.page.keyboard.press(key)

    return act


def tap(*places: tuple[int, int], then: str = "Enter") -> Act:
    def act(table: Table) -> None:
        for x, y in places:
            table.page.mouse.click(*table.on_screen(x * STEP, y * STEP))
        table.page.wait_for_timeout(150)
        table.page.keyboard.press(then)

    return act


def move_down(table: Table) -> None:
    unit = table.ask("return game.decision.unit")
    table.drag(table.model(unit), (0, 20))
    table.planned()
    table.page.keyboard.press("Enter")


ROWS = [
    {"id": "guns", "label": "guns", "count": 4, "targets": ["a", "b"], "modes": []},
    {"id": "hooks", "label": "hooks", "count": 1, "targets": ["b"], "modes": []},
]
TARGETS = [{"value": v, "label": f"target {v}", "note": ""} for v in ("a", "b")]


def split_fire(table: Table) -> None:
    table.page.keyboard.press("1")
    table.page.get_by_role("button", name="More guns at target b").click()
    table.page.get_by_role("button", name="So be it").click()


def reorder(table: Table) -> None:
    table.page.get_by_role("button", name="Earlier: third").click()
    table.page.keyboard.press("Escape")
    table.page.get_by_role("button", name="In this order").click()


def share(table: Table) -> None:
    table.page.keyboard.press("1")
    table.page.get_by_role("button", name="All the rest: third").click()
    table.page.get_by_role("button", name="So be it").click()


def plot_for_the_third_turn(table: Table) -> None:
    press("3")(table)
    tap((12, 12))(table)


CASES: dict[str, tuple[dict[str, Any], Act, Callable[[Any], bool]]] = {
    "choose": (asked("choose", options=OPTIONS, optional=True), press("2"), lambda a: a == "o1"),
    "choose_some": (
        asked("choose_some", options=OPTIONS, least=1, most=2),
        press("1", "3", "Enter"),
        lambda a: a == ["o0", "o2"],
    ),
    "assign": (
        asked("assign", rows=ROWS, targets=TARGETS, everything=False),
        split_fire,
        lambda a: {(x["row"], x["target"]): x["count"] for x in a} == {("guns", "a"): 3, ("guns", "b"): 1},
    ),
    "split": (
        asked("split", options=OPTIONS, total=5, most_each=5),
        share,
        lambda a: a == [["o0", 1], ["o2", 4]],
    ),
    "order": (asked("order", options=OPTIONS), reorder, lambda a: a == ["o0", "o2", "o1"]),
    "number": (asked("number", least=1, most=40), press("ArrowUp", "ArrowUp", "Enter"), lambda a: a == 3),
    "confirm": (asked("confirm", default=False), press("y"), lambda a: a is True),
    "template": (
        asked("template", templates=["blast", "blast"]),
        tap((20, 20), (30, 22)),
        lambda a: [t["template"] for t in a] == ["blast", "blast"] and abs(a[1]["x"] - 30 * STEP) < STEP,
    ),
    "flight_path": (
        asked("flight_path", shortest_leg=10 * STEP, widest_turn=512, optional=True),
        tap((2, 20), (20, 20), (26, 26)),
        lambda a: a["x"] == 0 and len(a["legs"]) == 2 and abs(a["legs"][0]["turn"]) <= 512,
    ),
    "plot": (
        asked("plot", most=2, last_turn=4, secret=True),
        plot_for_the_third_turn,
        lambda a: [p["turn"] for p in a] == [3],
    ),
}


def pretend(table: Table, decision: dict[str, Any], answers: list[Any]) -> None:
    """Put a question into the first message of the server, judge its answers kindly, and keep the one that is given."""

    def speak(route: Any) -> None:
        server = route.connect_to_server()

        def from_page(text: str) -> None:
            said = json.loads(text)
            if said.get("decision") != NUMBER:
                server.send(text)
                return
            reply: dict[str, Any] = {"say": "ideas", "decision": NUMBER, "ideas": []}
            if said["say"] == "check":
                reply = {"say": "judged", "verdict": {"ok": True, "reasons": [], "instead": None}}
            elif said["say"] == "chance":
                reply = {"say": "chance", "chance": None}
            elif said["say"] == "answer":
                answers.append(said["answer"])
                reply = {"say": "accepted", "decision": NUMBER, "nonce": said["nonce"], "again": False}
            elif said["say"] in ("outlook", "reach"):
                reply = {"say": said["say"], "decision": NUMBER, "outlooks": [], "answers": [], "areas": [], "mode": ""}
            route.send(json.dumps({**reply, "to": said.get("ask", 0)}))

        def from_server(text: str) -> None:
            told = json.loads(text)
            if told["say"] == "welcome":
                told["open"] = [decision]
            route.send(json.dumps(told))

        route.on_message(from_page)
        server.on_message(from_server)

    table.page.route_web_socket("**/socket", speak)


@pytest.mark.parametrize("shape", CASES)
def test_a_question_of_each_shape_is_answered(sit: Any, shape: str) -> None:
    decision, act, fits = CASES[shape]
    table = sit(made_up=True)
    answers: list[Any] = []
    pretend(table, decision, answers)
    table.open()
    act(table)
    for _ in range(100):
        if answers:
            break
        table.page.wait_for_timeout(50)
    assert len(answers) == 1
    assert fits(answers[0]), answers[0]


PICKED: dict[str, tuple[str, Any]] = {
    "choose_some": ("2", ["o1"]),
    "assign": ("2", [{"row": "guns", "target": "b", "count": 4}, {"row": "hooks", "target": "b", "count": 1}]),
}


@pytest.mark.parametrize("shape", PICKED)
def test_the_space_bar_takes_what_a_hand_has_picked(sit: Any, shape: str) -> None:
    table, answers = sit(made_up=True), list[Any]()
    key, wanted = PICKED[shape]
    pretend(table, CASES[shape][0], answers)
    table.open()
    table.page.keyboard.press(key)
    table.page.wait_for_function("() => document.querySelector('.space').textContent.includes('As planned')")
    table.page.keyboard.press(" ")
    table.page.wait_for_timeout(500)
    (given,) = answers
    bare = [{k: v for k, v in a.items() if k != "mode"} if isinstance(a, dict) else a for a in given]
    assert bare == wanted


def test_a_unit_is_moved_and_one_is_set_up(sit: Any) -> None:
    table = sit().open()
    place = table.play_until("deploy")
    xs, ys = zip(*place["area"], strict=True)
    table.page.mouse.click(*table.on_screen(sum(xs) / len(xs), (min(ys) + max(ys)) / 2))
    assert len(table.planned()["ghosts"]) == len(place["models"])
    table.go_on("Enter" if table.planned()["verdict"]["ok"] else " ")
    table.play_until("move")
    move_down(table)
    table.wait()


ROLL = """
const line = { id: 1e6, kind: "rolled", text: "Charge: 2", player: 0, rules: [], faces: [2], sides: 6, units: [],
  needed: 4, facts: [] };
game.orders = argument; game.log = [...game.log, line]; game.dice = line;
"""
AGAIN = [{"value": "Command Re-roll/0", "label": "Command Re-roll: roll it again", "note": "1 CP"}]


def rolled(table: Table, answers: list[Any], orders: str) -> None:
    """A roll was made, and may be made again."""
    pretend(table, asked("choose", options=AGAIN, optional=True) | {"kind": "react.roll", "id": NUMBER}, answers)
    table.open()
    table.ask(ROLL, orders)


def test_a_roll_is_made_again_by_a_button_beside_the_die(sit: Any) -> None:
    table, answers = sit(), list[Any]()
    rolled(table, answers, "")
    table.page.wait_for_timeout(4500)
    assert answers == [], "who wants to be asked about everything has time"
    table.page.locator(".tray").get_by_role("button", name="Command Re-roll").click()
    table.page.wait_for_timeout(300)
    assert answers == ["Command Re-roll/0"]


def test_a_roll_that_nobody_wants_again_is_left_after_a_short_time(sit: Any) -> None:
    table, answers = sit(), list[Any]()
    rolled(table, answers, "default")
    table.page.wait_for_timeout(2000)
    assert answers == []
    table.page.wait_for_timeout(3000)
    assert answers == [None]


def test_who_does_anything_meanwhile_has_time_and_answers_by_key(sit: Any) -> None:
    table, answers = sit(), list[Any]()
    rolled(table, answers, "default")
    table.page.keyboard.press("l")
    table.page.wait_for_timeout(4500)
    assert answers == []
    table.page.keyboard.press("1")
    table.page.wait_for_timeout(300)
    assert answers == ["Command Re-roll/0"]


def test_who_picks_some_is_told_by_the_button_what_happens_to_them(sit: Any) -> None:
    table, answers = sit(made_up=True), list[Any]()
    pretend(table, asked("choose_some", options=OPTIONS, least=1, most=3, deed="Charge"), answers)
    table.open()
    deeds = table.page.locator(".dock .deeds")
    deeds.get_by_text("Pick at least one.").wait_for()
    assert deeds.get_by_role("button").count() == 0
    table.page.keyboard.press("1")
    deeds.get_by_role("button", name="Charge", exact=False).wait_for()
    table.page.keyboard.press("2")
    deeds.get_by_role("button", name="Charge (2)").wait_for()
