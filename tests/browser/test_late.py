"""What comes late: replies about a question that was answered meanwhile, hands that hold something, lost lines."""

from __future__ import annotations

import json
from typing import Any

from browser.table import DRAWN, ROUND_TRIP, STEP, Table
from browser.test_plans import MOVING, OTHERS, WALKERS, choose, shelve
from server.live import Server
from server.test_falls import BRUTES, FIRED_AT, GUNNERS


class Line:
    """A line on which replies to some messages wait until somebody lets them go, and which can be cut."""

    def __init__(self, table: Table) -> None:
        self.kept: set[str] = set()
        """What is said in the messages whose replies wait."""
        self.lines = 0
        """So often the page has come to the server."""
        self._asks: set[int] = set()
        self._waiting: list[str] = []
        table.page.route_web_socket("**/socket", self._speak)

    def let_go(self) -> None:
        waiting, self._waiting = self._waiting, []
        self.kept.clear()
        for text in waiting:
            self._route.send(text)

    def cut(self) -> None:
        self._route.close(code=1011)

    def _speak(self, route: Any) -> None:
        self.lines += 1
        self._route, self._server = route, route.connect_to_server()
        route.on_message(self._from_page)
        self._server.on_message(self._from_server)

    def _from_page(self, text: str) -> None:
        said = json.loads(text)
        if said["say"] in self.kept:
            self._asks.add(said["ask"])
        self._server.send(text)

    def _from_server(self, text: str) -> None:
        if json.loads(text).get("to") in self._asks and self.kept:
            self._waiting.append(text)
        else:
            self._route.send(text)


def wait_for(table: Table, told: str, argument: Any = None) -> None:
    """Until something is so in the game."""
    table.page.wait_for_function(f"argument => (game => {told})(document.querySelector('canvas').game)", arg=argument)


def test_ideas_and_the_usual_answer_that_come_late_are_for_the_question_they_were_asked_about(sit: Any) -> None:
    table = sit(scenario=MOVING)
    line = Line(table)
    table.open()
    first = table.play_until("move_with")
    line.kept = {"ideas"}
    table.page.keyboard.press("i")
    table.page.mouse.click(*table.model(OTHERS))
    wait_for(table, "game.decision?.kind === 'move' && game.actor")
    line.let_go()
    table.page.wait_for_function(ROUND_TRIP)
    assert table.page.locator(".dock .idea").count() == 0
    # The space bar waits for the usual answer, and whoever plans meanwhile does not mean it any more.
    line.kept = {"default"}
    table.answer_by(lambda: table.page.keyboard.press("z"))
    table.page.mouse.click(*table.model(OTHERS))
    wait_for(table, "game.decision?.kind === 'move' && game.actor")
    move = table.decision
    assert move is not None
    assert first["id"] != move["id"]
    table.page.keyboard.press(" ")
    table.page.locator(".dock .space[aria-busy=true]").get_by_text("As soon as it is known").wait_for()
    table.drag(table.model(OTHERS), (0, -30))
    plan = table.planned()
    line.let_go()
    wait_for(table, "game.usual")
    table.page.wait_for_function(ROUND_TRIP)
    assert table.decision == move
    assert table.planned()["ghosts"] == plan["ghosts"]
    assert table.page.locator(".dock .space[aria-busy=true]").count() == 0


def test_the_best_split_that_comes_late_changes_no_other_aim_and_cards_are_those_of_now(sit: Any) -> None:
    table = sit(scenario=FIRED_AT)
    line = Line(table)
    table.open()
    shoot = table.play_until("shoot")
    others = next(t["value"] for t in shoot["targets"] if t["value"] != BRUTES)
    aimed = "return [[...game.pointed], game.pointers.length]"
    line.kept = {"advise", "sight", "card"}
    table.page.keyboard.press("b")
    table.page.mouse.click(*table.model(others))
    table.ask("void game.show(argument[0]); void game.look(argument[0], argument[1])", [GUNNERS, others])
    table.ask("void game.show(argument)", BRUTES)
    assert table.ask("return game.card") is None, "that of another unit"
    line.let_go()
    table.page.wait_for_function(ROUND_TRIP)
    assert table.ask(aimed) == [[others], 1]
    assert table.ask("return game.sight") is None
    wait_for(table, "game.card?.name === 'Brutes'")
    assert sum(one["count"] for one in table.ask("return game.card.models")) == 3
    line.kept = {"advise"}
    table.page.keyboard.press("b")
    table.page.mouse.click(*table.model(BRUTES))
    wait_for(table, "game.pointed.has(argument)", BRUTES)
    table.answer_by(lambda: table.page.keyboard.press("Enter"))
    line.let_go()
    table.page.wait_for_function(ROUND_TRIP)
    assert table.ask(aimed) == [[], 0]
    table.ask("void game.show(argument)", BRUTES)
    wait_for(table, "game.selected === argument && game.card && !game.card.models?.length", BRUTES)


def test_whoever_is_asked_meanwhile_has_nothing_of_what_a_hand_holds_or_a_ring_offers(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, OTHERS)
    stay = "return game.answer({ mode: game.decision.modes.find(m => !m.allowance).name, paths: [] })"
    table.page.mouse.click(*table.model(OTHERS), button="right")
    table.page.get_by_role("menu", name="Others").wait_for()
    table.ask(stay)
    wait_for(table, "game.decision?.kind === 'move_with'")
    table.page.get_by_role("menu").wait_for(state="detached")
    choose(table, WALKERS)
    start = table.model(WALKERS)
    table.drag(start, (0, -30), drop=False)
    wait_for(table, "game.plan")
    table.ask(stay)
    table.play_until("move_with")
    table.ask("return game.answer(argument)", 0)
    wait_for(table, "game.decision?.kind === 'move' && game.actor")
    table.page.mouse.move(start[0] + 40, start[1])
    table.page.mouse.up()
    table.ask(DRAWN)
    assert table.ask("return game.plan") is None


def test_a_tool_that_asks_for_a_unit_answers_nothing_with_it(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    asked = table.play_until("move_with")
    for key in ("v", "r"):
        table.ask("return game.show(-1)")
        table.page.keyboard.press(key)
        table.page.mouse.click(*table.model(OTHERS))
        wait_for(table, "game.selected === argument", OTHERS)
        table.page.keyboard.press(key)
    table.page.keyboard.press("v")
    table.page.mouse.click(*table.model(WALKERS))
    wait_for(table, "game.sight")
    table.page.wait_for_function(ROUND_TRIP)
    assert table.decision == asked


def test_after_a_lost_line_plans_stay_and_requests_are_those_of_now_and_a_left_battle_is_left(
    sit: Any, hall: Server
) -> None:
    table = sit(scenario=MOVING)
    line = Line(table)
    table.page.clock.install()
    table.open()
    choose(table, OTHERS)
    table.page.get_by_label("Plan first, then do it all").check()
    table.drag(table.model(OTHERS), (0, -30))
    table.planned()
    shelve(table, 1)
    table.ask("game.said({ say: 'asking', request: 9, player: 1, text: 'Blue wants a pause.' })")
    table.page.get_by_text("Blue wants a pause.").wait_for()
    line.cut()
    wait_for(table, "!game.online")
    table.page.clock.fast_forward(10_000)
    wait_for(table, "game.online")
    assert table.page.get_by_text("Blue wants a pause.").count() == 0
    # What the server holds is said anew, and nothing is done for that.
    table.ask("game.said({ say: 'queue', left: 0, text: '', back: [] })")
    assert table.ask("return game.intents.map(i => i.unit)") == [OTHERS]
    line.cut()
    wait_for(table, "!game.online")
    before = line.lines
    table.page.goto(f"{hall.address}/#/")
    table.page.get_by_label("Your army").wait_for()
    table.page.clock.fast_forward(10_000)
    table.page.evaluate("fetch('/health').then(() => true)")
    assert line.lines == before


def advance(table: Table) -> None:
    """Stage an advance of the Others, farther than they go without one."""
    table.page.keyboard.press("a")
    wait_for(table, "game.areas.some(a => a.chance < 1)")
    table.page.mouse.click(*table.on_screen(21 * STEP, 5 * STEP))
    assert table.planned()["answer"]["mode"] == "advance"
    wait_for(table, "game.plan.goal")


def test_where_somebody_wants_to_go_after_a_roll_is_forgotten_unless_dice_are_rolled(sit: Any) -> None:
    table = sit(scenario=MOVING + "dice: {advance: [6]}\n", takebacks="free").open()
    choose(table, OTHERS)
    advance(table)
    table.answer_by(lambda: table.page.keyboard.press("z"))
    table.page.wait_for_function(ROUND_TRIP)
    choosing = table.decision
    assert choosing is not None
    assert choosing["kind"] == "move_with", "nobody chooses it again by themselves"
    # A planned advance stays one, whatever is chosen next.
    choose(table, OTHERS)
    table.page.get_by_label("Plan first, then do it all").check()
    advance(table)
    shelve(table, 1)
    choose(table, OTHERS)
    wait_for(table, "game.areas.length")
    assert table.ask("return [game.plan, game.wish]") == [None, None]
    assert [a["answer"]["mode"] for a in table.ask("return game.intents[0].answers.slice(1)")] == ["advance"]
    # Once the dice are rolled, the unit is where it was wanted.
    table.page.keyboard.press("t")
    advance(table)
    table.answer_by(lambda: table.page.keyboard.press("Enter"))
    assert table.decision["unit"] == OTHERS
    moved = table.planned()
    assert moved["verdict"]["ok"]
    assert max(g["x"] for g in moved["ghosts"]) > 20 * STEP
