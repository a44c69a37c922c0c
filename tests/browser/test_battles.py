"""Whole battles: to the final score, of two people with somebody who watches, and through what interrupts one."""

from __future__ import annotations

import json
import random
import re
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from browser.conftest import DESK
from browser.table import ASKED, NEXT, PATIENCE, Table, complaints, seeded
from browser.test_first_page import DROP
from browser.test_plans import MOVING, OTHERS, WALKERS, choose
from server.live import Server

SEED = 11
ARMIES = ("orks-1000-horde", "space-marines-1000-gunline")
HIDDEN = "attach"
"""A question that both players answer in secret, at one time."""


def test_one_click_leads_to_a_battle_that_is_played_to_its_final_score_and_watched_again(
    chromium: Any, hall: Server
) -> None:
    context = chromium.new_context(viewport={"width": DESK[0], "height": DESK[1]})
    page = context.new_page()
    found = complaints(page)
    page.set_default_timeout(PATIENCE)
    seeded(page, SEED)
    page.goto(hall.address)
    page.get_by_role("button", name="Play now").click()
    page.get_by_label("Pace of the story").select_option("at once")
    page.get_by_role("button", name="No hints").click()
    for _ in range(2000):
        # In one look: on a slow machine standing orders answer what was shown already.
        question = page.wait_for_function(ASKED).json_value()
        if question == "over":
            break
        page.keyboard.press("Space")
        page.wait_for_function(NEXT, arg=question["id"])
    ending = page.locator(".dock h2").inner_text()
    assert "won" in ending or "draw" in ending
    score = page.evaluate("document.querySelector('canvas').game.result.scores")
    assert [int(n) for n in re.findall(r"(\d+)\s*VP", page.locator(".scores").inner_text())] == score
    page.get_by_role("button", name="Watch it again").click()
    page.wait_for_url("**/replays/*")
    shown = "() => +document.querySelector('#line').getAttribute('aria-valuenow')"
    page.locator("#play").click()
    page.wait_for_function(f"() => ({shown})() > 2")
    page.keyboard.press("End")
    assert page.evaluate(shown) == int(page.locator("#line").get_attribute("aria-valuemax"))
    assert page.locator("#result").is_visible()
    context.close()
    assert found == []


def asked(tables: Sequence[Table]) -> tuple[Table, dict[str, Any]]:
    """Who of those at their windows is asked something, and what."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        for table in tables:
            if question := table.asked_now():
                return table, question
        tables[0].page.wait_for_timeout(20)
    raise TimeoutError("nobody is asked anything")


def take_turns(tables: Sequence[Table], most: int, until: str = "over") -> None:
    """Whoever is asked presses the space bar."""
    for _ in range(most):
        table, question = asked(tables)
        if question["kind"] in ("over", until):
            return
        table.press(question)


def test_two_play_at_two_windows_and_nobody_hears_what_a_view_hides(join: Any, hall: Server) -> None:
    battle = hall.begin(armies=ARMIES, seed=SEED, seats=["mine", "mine"], layout="crossroads")
    red, blue, watcher = (join(battle, token) for token in (*battle.tokens, ""))
    for table in (red, blue, watcher):
        table.watch()
    both = [red, blue]
    take_turns(both, 60, HIDDEN)
    question = red.decision
    assert question["secret"], question["kind"]
    leader = question["rows"][0]
    target = leader["targets"][-1]
    name = next(option["label"] for option in question["targets"] if option["value"] == target)
    red.page.get_by_role("button", name=f"All {leader['label']} at {name}").click()
    red.page.get_by_role("button", name="So be it").click()
    red.page.wait_for_function("() => !document.querySelector('canvas').game.decision")
    take_turns(both, 40)
    plan = f'"plans":[["lead",{leader["id"]},{target}]'
    assert any(plan in text for text in red.heard)
    for table in (blue, watcher):
        assert not any(plan in text or f'"row":"{leader["id"]}"' in text for text in table.heard)
    assert not any(token in text for token in battle.tokens for table in (blue, watcher) for text in table.heard)
    # All see the same table, except for what is hidden; who is asked has heard of it first.
    first, _ = asked(both)
    seen = first.ask("return JSON.stringify(game.view.models)")
    for table in (red, blue, watcher):
        table.page.wait_for_function(
            "seen => JSON.stringify(document.querySelector('canvas').game.view.models) === seen", arg=seen
        )
    assert watcher.page.get_by_role("button", name="Concede").count() == 0


def own_port() -> int:
    """A port that nobody is given while the server is gone: the system gives away others."""
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for port in random.sample(range(lowest // 2, lowest), 100):
        with suppress(OSError), socket.socket() as free:
            free.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def test_a_reload_and_a_killed_server_lose_nothing(join: Any, tmp_path: Path) -> None:
    with Server(tmp_path, "", "--port", str(own_port())) as server:
        battle = server.begin(made_up=True, seed=3, seats=["mine", "default"])
        table = join(battle, battle.tokens[0]).open()
        table.play_until("move_with")
        table.go_on()
        question, log = table.play_until("move_with"), table.ask("return game.log.length")
        table.page.reload()
        assert table.decision == question
        table.page.wait_for_function("many => document.querySelector('canvas').game.log.length >= many", arg=log)
        server.kill()
        table.page.get_by_text("The connection is gone").wait_for()
        # Who answers meanwhile has answered: it is sent when the server is there again.
        table.page.keyboard.press("2")
        server.start()
        table.page.get_by_text("The connection is gone").wait_for(state="detached")
        take_turns([table], 20)
        with server.watch(battle=battle.id) as watcher:
            told = watcher.ask("events", since=0)["events"]
        answers = [(event["decision"], event["answer"]) for event in told if event["event"] == "answered"]
        assert (question["id"], question["options"][1]["value"]) in answers
        assert len({number for number, _ in answers}) == len(answers)
        table.page.close()
    # That nobody is there is written to the console by the browser itself.
    table.complaints[:] = [line for line in table.complaints if "ERR_CONNECTION_REFUSED" not in line]


class Broken:
    """A line that loses what is said on it, breaks, and comes back when it is told to."""

    def __init__(self, table: Table) -> None:
        self.said: list[dict[str, Any]] = []
        self.lose: set[str] = set()
        """What is heard by nobody."""
        self.refuse: dict[str, int] = {}
        """What is refused, and after how many times."""
        self._held: list[str] | None = None
        table.page.route_web_socket("**/socket", self._speak)

    def heard(self, what: str) -> int:
        return sum(one["say"] == what for one in self.said)

    def cut(self, code: int) -> None:
        self._held = []
        self._server.close()
        self._route.close(code=code)

    def mend(self) -> None:
        held, self._held = self._held or [], None
        for text in held:
            self._route.send(text)

    def _speak(self, route: Any) -> None:
        route_, server = self._route, self._server = route, route.connect_to_server()

        def from_page(text: str) -> None:
            said = json.loads(text)
            what = said["say"]
            self.said.append(said)
            if self.refuse.get(what, 1) <= 0:
                refused = {"say": "refused", "code": "failed", "text": "That could not be worked out."}
                route_.send(json.dumps({**refused, "to": said["ask"]}))
            elif what not in self.lose:
                server.send(text)
            if what in self.refuse:
                self.refuse[what] -= 1

        def from_server(text: str) -> None:
            if self._held is None:
                route_.send(text)
            else:
                self._held.append(text)

        route.on_message(from_page)
        server.on_message(from_server)


def test_what_is_said_while_the_line_is_broken_is_done_once_or_not_at_all(sit: Any) -> None:
    table = sit(scenario=MOVING)
    line = Broken(table)
    table.open()
    page = table.page
    choose(table, WALKERS)
    line.lose.add("take_back")
    page.keyboard.press("z")
    while not line.heard("take_back"):
        page.wait_for_timeout(20)
    # The server could not keep something: who comes back finds it as it was before.
    line.cut(4503)
    page.get_by_role("alert").get_by_text("broke before the server replied").wait_for()
    while line.heard("hello") < 2:
        page.wait_for_timeout(20)
    before = len(line.said)
    table.drag(table.model(WALKERS), (0, -30))
    page.keyboard.press("z")
    page.get_by_role("alert").get_by_text("nothing was done").wait_for()
    page.keyboard.press(" ")
    page.get_by_role("alert").get_by_text("nobody can judge").wait_for()
    assert line.said[before:] == []
    line.mend()
    assert table.planned()["verdict"]["ok"]
    numbers = [one["ask"] for one in line.said[before:]]
    assert len(numbers) == len(set(numbers))
    assert (line.heard("take_back"), line.heard("answer")) == (1, 1)
    # What cannot be judged is no move, and nobody waits for it.
    line.refuse["check"] = 0
    page.keyboard.press("ArrowUp")
    page.get_by_role("alert").get_by_text("could not judge this").wait_for()
    assert page.locator(".dock .tick").is_disabled()
    del line.refuse["check"]
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => document.querySelector('canvas').game.plan?.verdict?.ok")
    table.go_on()
    assert line.heard("answer") == 2
    # Who is asked again, since a usual answer was refused, sees the question.
    line.refuse["answer"] = 1
    page.keyboard.press("Shift+Space")
    page.get_by_role("alert").get_by_text("could not be worked out").wait_for()
    table.wait()
    assert page.locator(".dock h2").inner_text() == table.ask("return game.decision.prompt")


ON_A_TELEPHONE = """
window.Notification = class { static permission = "granted"; constructor() { throw new TypeError("Illegal"); } };
Object.defineProperty(document, "hidden", { get: () => true });
"""


def test_a_hand_that_may_not_take_the_next_unit_up_lets_go_of_it(sit: Any) -> None:
    table = sit(scenario=MOVING)
    line = Broken(table)
    table.page.add_init_script(ON_A_TELEPHONE)
    table.open()
    choose(table, WALKERS)
    table.page.get_by_label("Plan first, then do it all").check()
    table.drag(table.model(WALKERS), (0, -30))
    before = table.planned()["ghosts"]
    line.refuse["take_back"] = 0
    table.drag(table.model(OTHERS), (0, -30))
    table.page.get_by_role("alert").get_by_text("could not be worked out").wait_for()
    assert table.ask("return [game.hand, game.wish]") == [None, None]
    ghost = table.on_screen(before[0]["x"], before[0]["y"])
    table.drag(ghost, (0, -20))
    assert table.planned()["ghosts"] != before


def test_a_moment_is_saved_as_a_scenario_and_played_on_where_it_is_dropped(sit: Any, hall: Server) -> None:
    table = sit().open()
    table.play_until("move_with")
    standing = "return game.view.models.filter(m => m[5] === 1).map(m => m.slice(0, 4).join()).sort()"
    before = table.ask(standing)
    table.page.get_by_role("button", name="Save a scenario").click()
    table.page.get_by_label("Your question about this moment").fill("Who should go first?")
    with table.page.expect_download() as saved:
        table.page.keyboard.press("Enter")
    text = Path(saved.value.path()).read_text()
    assert "question: Who should go first?" in text
    assert saved.value.suggested_filename.endswith(".yaml")
    table.page.goto(hall.address)
    table.page.get_by_label("Your army").wait_for()
    table.page.evaluate(DROP, [saved.value.suggested_filename, text])
    table.page.wait_for_url("**/#battle/*")
    assert table.decision["kind"] == "move_with"
    assert table.ask(standing) == before
    table.go_on()
    assert table.decision is not None
