"""Each of the twelve shapes is answered in the browser: with mouse and keys, and by finger."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import DESK, TABLET
from browser.hands import Hand, in_sight
from browser.table import NEXT, PATIENCE, ROUND_TRIP, STEP, Table
from server.live import Battle, Server

SERVED = Path(__file__).parents[1] / "support" / "served"
"""A game that asks one question of each shape."""
SHAPES = (
    *("choose", "choose_some", "assign", "split", "order", "place"),
    *("move", "template", "flight_path", "number", "confirm", "plot"),
)
SPEARS, BOWS, SCOUTS, WOLVES, BEARS = range(5)
NUMBER = 900_001
"""Of a question that the server knows nothing of."""
OPTIONS = [{"value": f"o{i}", "label": label, "note": ""} for i, label in enumerate(("first", "second", "third"))]
PLAIN = {"id": NUMBER, "player": 0, "kind": "tried", "prompt": "What now?", "rules": [], "about": {}, "secret": False}


def asked(shape: str, **more: Any) -> dict[str, Any]:
    return {**PLAIN, "unit": -1, "shape": shape, **more}


ROWS = [
    {"id": "guns", "label": "guns", "count": 4, "targets": ["a", "b"], "modes": []},
    {"id": "hooks", "label": "hooks", "count": 1, "targets": ["b"], "modes": []},
]
TARGETS = [{"value": v, "label": f"target {v}", "note": ""} for v in ("a", "b")]


def pretend(table: Table, decision: dict[str, Any], answers: list[Any], usual: Any = None) -> None:
    """Put a question into the first message of the server, judge its answers kindly, and keep the one that is given."""
    ideas = [] if usual is None else [{"answer": usual, "said": "as usual", "why": ""}]

    def speak(route: Any) -> None:
        server = route.connect_to_server()

        def from_page(text: str) -> None:
            said = json.loads(text)
            if said.get("decision") != NUMBER:
                server.send(text)
                return
            reply: dict[str, Any] = {"say": "ideas", "decision": NUMBER, "ideas": ideas}
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


def test_dice_that_may_be_rolled_again_lie_there_as_dice_with_the_failed_ones_first(sit: Any) -> None:
    table, answers = sit(), []
    dice = [{"value": i, "label": face, "note": ""} for i, face in enumerate(("5", "2", "6", "1"))]
    about = {"roll": "wound", "bad": [1, 3], "better": []}
    pretend(
        table, asked("choose_some", kind="reroll", deed="Re-roll", options=dice, least=0, most=4, about=about), answers
    )
    table.open()
    shown = table.page.locator(".dock .options button")
    told = [shown.nth(i).locator(".face").get_attribute("title") for i in range(4)]
    assert told == ["2, failed", "1, failed", "5, good", "6, good"]
    assert shown.locator(".die.good").count() == 2
    table.page.keyboard.press("1")
    assert table.page.locator(".dock .options").get_by_role("img", name="1, failed").count() == 1
    table.page.keyboard.press("Enter")
    assert given(table, answers) == [1]


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that can play a game of twelve questions, too."""
    with Server(tmp_path_factory.mktemp("shapes"), path=str(SERVED)) as running:
        yield running


class Answers:
    """Whoever answers twelve questions, each wrongly at first, where that can be done."""

    def __init__(self, hand: Hand) -> None:
        self.hand, self.page = hand, hand.table.page
        self.dock = self.page.locator(".dock")

    def give(self, shape: str) -> None:
        asked = self.hand.table.decision
        assert asked is not None
        assert asked["shape"] == shape
        getattr(self, shape)()
        self.page.wait_for_function(NEXT, arg=asked["id"])

    def button(self, name: str) -> Any:
        return self.dock.get_by_role("button", name=name)

    def push(self, *names: str) -> None:
        for name in names:
            self.hand.push(self.button(name), name)

    def pick(self, *keys: str) -> None:
        """Options by their numbers."""
        for key in keys:
            self.hand.press(key, self.dock.locator(".options button").nth(int(key) - 1), key)

    def commit(self) -> None:
        self.hand.commit("commit")

    def told(self, sentence: str) -> None:
        self.dock.get_by_text(sentence).wait_for()

    def stands(self) -> None:
        """The space bar does not give the usual answer instead of what is wrong or unfinished."""
        self.button("Not ready").wait_for()
        asked = self.hand.table.decision
        assert asked is not None
        self.page.keyboard.press(" ")
        self.page.wait_for_function(ROUND_TRIP)
        now = self.hand.table.decision
        assert now is not None
        assert now["id"] == asked["id"]

    def told_there(self, sentence: str, x: float, y: float) -> None:
        """What is wrong stands beside what was moved."""
        self.told(sentence)
        assert self.hand.table.told_at() == near(x, y)

    def sketched(self, what: str, count: int) -> None:
        """Until so much is drawn of what is being answered."""
        drawn = f"count => document.querySelector('canvas').game.sketch.{what}.length === count"
        self.page.wait_for_function(drawn, arg=count)

    def choose(self) -> None:
        self.hand.point_at(WOLVES, "not one of them")
        self.told("Wolves is not one of the options of 'Who leads?': Spears, Bows.")
        self.hand.point_at(BOWS, "choose")

    def choose_some(self) -> None:
        self.told("Pick at least one.")
        self.pick("2")
        self.button("Take along").wait_for()
        self.pick("3")
        self.button("Take along (2)").wait_for()
        self.commit()
        self.told("Nobody carries a torch beside a flag.")
        self.pick("2", "1")
        self.hand.accept("what was picked")

    def assign(self) -> None:
        self.hand.point_at(BEARS, "aim")
        self.told("Some bow is kept on the Wolves.")
        self.stands()
        assert self.button("Attack").is_disabled()
        self.hand.press("Escape", self.button("Clear"), "aim at nobody")
        self.button("Attack nobody").wait_for()
        self.hand.point_at(WOLVES, "aim")
        # What was wrong before stands there until it is known that it is so no more.
        self.dock.get_by_text("Some bow is kept on the Wolves.").wait_for(state="detached")
        self.push("More bows at Bears")
        self.hand.accept("what was aimed")

    def split(self) -> None:
        self.push("All the rest: Spears")
        self.told("1 of 5 left to give")
        self.stands()
        self.push("More: Bows")
        self.commit()
        self.told("The Bows want more than one arrow.")
        self.push("Fewer: Spears", "More: Bows")
        self.commit()

    def order(self) -> None:
        self.commit()
        self.told("The Scouts never march last.")
        if self.hand.finger:
            self.push("Earlier: Scouts")
        else:
            grip, over = (in_sight(self.button(f"Drag {name}")) for name in ("Scouts", "Bows"))
            assert grip and over
            self.hand.table.drag(grip, (0, over[1] - grip[1]))
        self.dock.locator("li").nth(1).get_by_text("Scouts").wait_for()
        self.commit()

    def place(self) -> None:
        self.hand.point(14, 4, "set up")
        self.told("They would be seen there.")
        assert self.button("Set up").is_disabled()
        self.hand.point(5, 4, "set up")
        assert self.hand.table.planned()["verdict"]["ok"]
        self.commit()

    def move(self) -> None:
        self.hand.drag(SPEARS, (0, 7), "move")
        self.told("Nobody crosses the brook.")
        # Buttons stay where they are once it is known what may be done instead.
        assert self.hand.table.planned()["verdict"]["ok"]
        self.hand.press("Escape", self.button("Cancel"), "cancel")
        self.hand.table.page.wait_for_function("() => !document.querySelector('canvas').game.plan")
        self.hand.drag(SPEARS, (0, 3), "move")
        assert self.hand.table.planned()["verdict"]["ok"]
        self.commit()

    def template(self) -> None:
        self.hand.point(20, 20, "lay")
        self.told("1 of 2")
        self.stands()
        self.hand.point(22, 20, "lay")
        self.told("Fog does not lie on fog.")
        self.stands()
        self.hand.point(34, 20, "lay")
        self.dock.get_by_text("Fog does not lie on fog.").wait_for(state="detached")
        self.hand.move((20, 20), (31, 20), "move the first")
        self.told_there("Fog does not lie on fog.", 31, 20)
        self.hand.move((31, 20), (20, 20), "move it back")
        self.dock.get_by_text("Fog does not lie on fog.").wait_for(state="detached")
        self.sketched("circles", 2)
        self.commit()

    def flight_path(self) -> None:
        self.hand.point(2, 22, "begin")
        self.told("Tap the end of each leg.")
        self.stands()
        self.hand.point(20, 22, "leg")
        self.told_there("The hawk flies two legs at least.", 20, 22)
        self.hand.move((0, 22), (0, 18), "begin elsewhere")
        self.told_there("The hawk flies two legs at least.", 0, 18)
        self.push("One leg back", "One leg back")
        self.hand.point(2, 18, "begin")
        self.hand.point(20, 18, "leg")
        self.hand.point(30, 25, "leg")
        self.sketched("legs", 3)
        self.commit()

    def number(self) -> None:
        for _ in range(2):
            self.hand.press("ArrowUp", self.button("One more"), "one more")
        self.commit()
        self.told("Torches burn in pairs.")
        self.hand.press("ArrowUp", self.button("One more"), "one more")
        self.button("Take 4").wait_for()
        self.commit()

    def confirm(self) -> None:
        self.hand.press("y", self.button("Yes"), "yes")

    def plot(self) -> None:
        self.told("Nobody else sees this.")
        self.hand.press("3", self.button("Turn 3"), "turn")
        self.hand.point(10, 14, "plot")
        self.told("The trap is on the right.")
        self.stands()
        assert self.button("Write it down").is_disabled()
        self.push("Take the last one back")
        self.hand.point(30, 14, "plot")
        self.hand.point(34, 14, "plot")
        self.hand.move((30, 14), (10, 14), "move the first")
        self.told_there("The trap is on the right.", 10, 14)
        self.hand.move((10, 14), (30, 14), "move it back")
        self.push("Take the last one back")
        self.sketched("points", 1)
        self.commit()


@pytest.mark.parametrize(("size", "finger"), [(DESK, False), (TABLET, True)], ids=["mouse", "touch"])
def test_each_shape_is_refused_what_is_wrong_and_answered(
    join: Any, asker: Server, size: tuple[int, int], finger: bool
) -> None:
    battle = asker.begin(system="twelve", made_up=True, seed=1, seats=["mine", "default"])
    table = join(battle, battle.tokens[0], size, touch=finger).open()
    answers = Answers(Hand(table, finger=finger))
    for shape in SHAPES:
        answers.give(shape)
    answers.told("You won: the scouts are sent.")
    given = written(battle)
    place, move, laid, flight, plotted = (given.pop(s) for s in ("place", "move", "template", "flight_path", "plot"))
    shots = {(shot["row"], shot["target"]): shot["count"] for shot in given.pop("assign")}
    assert shots == {("bows", WOLVES): 2, ("bows", BEARS): 1, ("knives", WOLVES): 1}
    assert given == {
        "choose": BOWS,
        "choose_some": ["flag", "rope"],
        "split": [[SPEARS, 3], [BOWS, 2]],
        "order": [SPEARS, SCOUTS, BOWS],
        "number": 4,
        "confirm": True,
    }
    assert middle(place) == near(5, 4)
    assert middle([path["legs"][-1] for path in move["paths"]]) == near(12, 11)
    assert [middle([one]) for one in laid] == [near(20, 20), near(34, 20)]
    assert (flight["x"], flight["facing"], len(flight["legs"])) == (0, 0, 2)
    assert flight["legs"][0]["length"] == pytest.approx(20 * STEP, abs=STEP / 4)
    assert (middle(plotted), [one["turn"] for one in plotted]) == (near(30, 14), [3])


def near(x: float, y: float) -> Any:
    """A place in inches, as exactly as a hand points at it."""
    return pytest.approx((x, y), abs=0.25)


def middle(places: list[dict[str, int]]) -> tuple[float, float]:
    """Of some places, in inches."""
    return tuple(sum(place[axis] for place in places) / len(places) / STEP for axis in "xy")


def written(battle: Battle) -> dict[str, Any]:
    """What was answered to each question, as the server keeps it."""
    bearer = {"authorization": f"Bearer {battle.tokens[0]}"}
    status, _, journal = battle.server.get(f"/api/battles/{battle.id}/journal", **bearer)
    assert status == 200
    return {entry["kind"]: entry["answer"] for entry in json.loads(journal)["entries"] if entry["type"] == "a"}


ROLL = """
const line = { id: 1e6, kind: "rolled", text: "Charge: 2", player: 0, rules: [], faces: [2], sides: 6, units: [],
  needed: 4, facts: [] };
game.orders = argument; game.log = [...game.log, line]; game.dice = line;
"""
AGAIN = [{"value": "Command Re-roll/0", "label": "Command Re-roll: roll it again", "note": "1 CP"}]


def rolled(table: Table, answers: list[Any], orders: str) -> None:
    """A roll was made, and may be made again; from then on time passes only as the test says."""
    pretend(table, asked("choose", options=AGAIN, optional=True) | {"kind": "react.roll", "id": NUMBER}, answers)
    clock = table.page.clock
    clock.install()
    table.open()
    # Time can only be stopped ahead of it, however long that takes to say.
    clock.pause_at(table.page.evaluate("Date.now() + 60_000"))
    table.ask(ROLL, orders)
    clock.run_for(100)  # dice are put where they are in nobody's way
    table.page.locator(".tray").get_by_role("button", name="Command Re-roll").wait_for()


def given(table: Table, answers: list[Any]) -> Any:
    """The one answer, once it has come."""
    end = time.monotonic() + PATIENCE / 1000
    while not answers:
        assert time.monotonic() < end, "nothing is answered"
        table.page.wait_for_timeout(20)
    (answer,) = answers
    return answer


def idle(table: Table, milliseconds: int, answers: list[Any]) -> None:
    """So much time passes, and nothing is answered by itself."""
    table.page.clock.fast_forward(milliseconds)
    # What the page has sent is heard before it says this.
    assert table.ask("return game.busy") is False
    assert answers == []


def test_a_roll_is_made_again_by_a_button_beside_the_die(sit: Any) -> None:
    table, answers = sit(made_up=True), list[Any]()
    rolled(table, answers, "")
    idle(table, 10_000, answers)
    table.page.locator(".tray").get_by_role("button", name="Command Re-roll").click()
    assert given(table, answers) == "Command Re-roll/0"


def test_a_roll_that_nobody_wants_again_is_left_after_a_short_time(sit: Any) -> None:
    table, answers = sit(made_up=True), list[Any]()
    rolled(table, answers, "default")
    table.page.get_by_text("The roll stands in four seconds").wait_for()
    table.page.locator(".dock").get_by_text("passes by itself in four seconds").wait_for()
    idle(table, 3800, answers)
    # Whoever moves the mouse has as long again.
    table.page.mouse.move(300, 300)
    table.page.mouse.move(320, 310)
    idle(table, 3900, answers)
    table.page.clock.fast_forward(200)
    assert given(table, answers) is None


def test_who_does_anything_meanwhile_has_time_and_answers_by_key(sit: Any) -> None:
    table, answers = sit(made_up=True), list[Any]()
    rolled(table, answers, "default")
    table.page.get_by_text("The roll stands in four seconds").wait_for()
    table.page.keyboard.press("v")
    # What the tool says stands above the table, and dice on it.
    tray, said = table.page.locator(".tray").bounding_box(), table.page.get_by_text("that looks").bounding_box()
    assert said["y"] + said["height"] <= tray["y"]
    idle(table, 10_000, answers)
    table.page.keyboard.press("1")
    assert given(table, answers) == "Command Re-roll/0"
