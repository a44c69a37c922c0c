"""Whole battles: to the final score, of two people with somebody who watches, and through what interrupts one."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from browser.conftest import DESK
from browser.table import NEXT, PATIENCE, READY, Table, complaints
from browser.test_first_page import DROP
from server.live import Server

SEED = 11
ARMIES = ("orks-1000-horde", "space-marines-1000-gunline")
HIDDEN = "attach"
"""A question that both players answer in secret, at one time."""


def seeded(wish: str | None) -> str | None:
    """A wish for a battle, with a seed."""
    return json.dumps({**json.loads(wish), "seed": SEED}) if wish else None


def test_one_click_leads_to_a_battle_that_is_played_to_its_final_score_and_watched_again(
    chromium: Any, hall: Server
) -> None:
    context = chromium.new_context(viewport={"width": DESK[0], "height": DESK[1]})
    page = context.new_page()
    found = complaints(page)
    page.set_default_timeout(PATIENCE)
    # The one click leaves the seed to chance; a test does not.
    page.route("**/api/battles", lambda route: route.continue_(post_data=seeded(route.request.post_data)))
    page.goto(hall.address)
    page.get_by_role("button", name="Play now").click()
    page.get_by_label("Pace of the story").select_option("at once")
    page.get_by_role("button", name="No hints").click()
    for _ in range(2000):
        page.wait_for_function(READY)
        asked = page.evaluate("(game => game.result ? null : game.decision.id)(document.querySelector('canvas').game)")
        if asked is None:
            break
        page.keyboard.press("Space")
        page.wait_for_function(NEXT, arg=asked)
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
    # All see the same table, except for what is hidden.
    seen = [table.ask("return JSON.stringify(game.view.models)") for table in (red, blue, watcher)]
    assert seen[0] == seen[1] == seen[2]
    assert watcher.page.get_by_role("button", name="Concede").count() == 0


def test_a_reload_and_a_killed_server_lose_nothing(join: Any, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with Server(tmp_path, "", "--port", port) as server:
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
