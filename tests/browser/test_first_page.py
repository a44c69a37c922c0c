"""The first page: a battle by one click, everything that can be chosen, and files that somebody brings along."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sandtable
from browser.table import PATIENCE, READY, seeded
from browser.test_lists import DROP
from server.live import Server

TURN = Path(__file__).parent / "scenarios" / "turn.yaml"
HANDED_OVER = """() => [...document.querySelectorAll("button")].find(b => b.innerText.startsWith("I am "))?.click()"""
SCENARIO = Path(__file__).parents[2] / "docs" / "scenarios" / "epica" / "cover.yaml"


def on_wish(page: Any, reply: Callable[[Any], None]) -> None:
    """Reply to whoever wants a battle to begin; which ones there are is looked up now and then at the same address."""
    page.route("**/api/battles", lambda route: reply(route) if route.request.method == "POST" else route.continue_())


def test_one_click_begins_a_battle_and_the_board_gives_hints_until_they_are_followed(first: Any) -> None:
    seeded(first, seed=3)
    first.get_by_role("button", name="Play now").click()
    hint = first.get_by_role("note")
    hint.get_by_text("one thing at a time").wait_for()
    assert ") against " in first.evaluate("document.querySelector('canvas').game.title")
    hint.get_by_role("button", name="Got it").click()
    hint.get_by_text("come closer").wait_for()
    first.get_by_role("button", name="Zoom in").click()
    hint.get_by_text("come closer").wait_for(state="detached")
    hint.get_by_role("button", name="No hints").click()
    hint.wait_for(state="detached")
    first.reload()
    first.get_by_label("The table", exact=True).wait_for()
    assert hint.count() == 0
    first.get_by_title("All battles").click()
    first.get_by_role("heading", name="Your battles").wait_for()


def test_an_address_begins_a_battle_at_once_and_only_one(first: Any) -> None:
    first.goto(f"{first.url}#play")
    first.get_by_label("The table", exact=True).wait_for()
    assert "#battle/" in first.url
    first.go_back()
    first.get_by_role("heading", name="Your battles").wait_for()
    assert first.evaluate("JSON.parse(localStorage.getItem('sandtable.seats')).length") == 1


def test_everything_that_the_server_offers_can_be_chosen(first: Any) -> None:
    armies = first.get_by_label("Your army").locator("option").all_text_contents()
    assert len(armies) > 2
    first.get_by_label("Your army").select_option(index=2)
    first.get_by_label("Mission").select_option(index=1)
    first.get_by_label("Table").select_option(index=1)
    first.get_by_label("Opponent").select_option("invited")
    first.get_by_label("Seed").fill("3")
    first.get_by_text("Options", exact=True).click()
    first.get_by_label("Everybody may watch").uncheck()
    first.get_by_role("button", name="Begin").click()
    assert "/#seat/" in first.get_by_label("Invitation").input_value()
    first.get_by_role("link", name="To the table").click()
    first.get_by_label("The table", exact=True).wait_for()
    assert armies[2].split(" (")[0] in first.evaluate("document.querySelector('canvas').game.title")


def test_what_a_system_cannot_do_yet_is_told_where_it_is_chosen(first: Any) -> None:
    rules, told = first.get_by_label("Rules"), first.get_by_text("In the making: ")
    assert told.count() == 0
    rules.select_option("epica")
    told.wait_for()
    assert rules.get_attribute("aria-describedby") == told.get_attribute("id")
    rules.select_option("w40k10")
    told.wait_for(state="detached")


def test_other_rules_leave_the_opponent_as_it_was_chosen(first: Any) -> None:
    rules, opponent = first.get_by_label("Rules"), first.get_by_label("Opponent")
    for who in ("invited", "mine", "gunline"):
        opponent.select_option(who)
        rules.select_option("w40k11")
        rules.select_option("w40k10")
        assert opponent.input_value() == who


def test_who_begins_is_told_at_the_button_that_the_table_is_set(first: Any) -> None:
    asked: list[Any] = []
    on_wish(first, asked.append)
    begin = first.get_by_role("button", name="Begin")
    begin.click()
    told = first.get_by_text("Setting the table.")
    told.wait_for()
    assert told.count() == 1
    assert told.evaluate("(told, button) => told.parentElement === button.parentElement", begin.element_handle())
    first.wait_for_function("() => document.querySelector('.big').disabled")
    while not asked:
        first.wait_for_timeout(20)
    (waiting,) = asked
    waiting.continue_()
    first.get_by_label("The table", exact=True).wait_for()


def test_a_seed_that_is_no_whole_number_is_refused_and_the_server_draws_the_table(first: Any) -> None:
    sent: list[Any] = []

    def refuse(route: Any) -> None:
        sent.append(route.request.post_data_json)
        route.fulfill(status=400, json={"error": "Not now."})

    on_wish(first, refuse)
    first.get_by_label("Rules").select_option("w40k11")
    first.get_by_label("Mission").select_option("triangulation")
    for wrong in ("12x", "1.5", "-3", "9" * 17):
        first.get_by_label("Seed").fill(wrong)
        first.get_by_role("button", name="Begin").click()
        first.get_by_role("alert").get_by_text(
            f'A seed is a whole number from 0 to 9007199254740991, not "{wrong}".'
        ).wait_for()
    assert sent == []
    first.get_by_label("Seed").fill("12")
    first.get_by_role("button", name="Begin").click()
    first.get_by_role("alert").get_by_text("Not now.").wait_for()
    assert [(wish["seed"], wish["mission"], wish.get("layout")) for wish in sent] == [(12, "triangulation", None)]


def test_where_no_battle_could_begin_at_once_everything_else_is_there(window: Any, hall: Server) -> None:
    page = window()
    page.route("**/api/battles", lambda route: route.fulfill(status=400, json={"error": "Not now."}))
    page.goto(f"{hall.address}/#play")
    page.get_by_role("alert").get_by_text("Not now.").wait_for()
    page.get_by_label("Your army").locator("option").nth(2).wait_for(state="attached")
    assert page.get_by_role("button", name="Begin").is_enabled()
    assert page.get_by_role("alert").inner_text() == "Not now."


def test_your_battles_come_with_your_move_first_are_looked_at_again_and_kept_and_others_are_watched(
    window: Any, hall: Server, tmp_path: Path
) -> None:
    two: dict[str, Any] = {"system": "epica", "made_up": True, "seats": ["mine", "mine"]}
    asked, waits, over, other = (hall.begin(**two, seed=seed) for seed in (3, 4, 5, 6))
    with over.sit(0) as one:
        one.say("concede")
        one.hear_until(lambda heard: heard.get("result") is not None)
    held = []
    for battle, mine in ((over, True), (waits, False), (asked, True)):
        with battle.sit(0) as one:
            first = 0 if battle is over else one.now["waiting"][0]["player"]
        player = first if mine else 1 - first
        held.append({"battle": battle.id, "player": player, "token": battle.tokens[player]})
    page = window()
    page.add_init_script(f"localStorage.setItem('sandtable.seats', {json.dumps(json.dumps(held))})")
    page.goto(hall.address)
    mine = page.locator("section", has=page.get_by_role("heading", name="Your battles")).get_by_role("listitem")
    mine.first.wait_for()
    assert mine.count() == 3
    assert f"#battle/{asked.id}" in mine.first.get_by_role("link").get_attribute("href")
    assert mine.filter(has_text="your move").count() == 1
    with page.expect_download() as coming:
        mine.get_by_role("button", name="Download").click()
    coming.value.save_as(tmp_path / "kept.battle")
    assert json.loads((tmp_path / "kept.battle").read_text())["system"] == "epica"
    theirs = 1 - held[1]["player"]
    with waits.sit(theirs) as one:
        while one.now["waiting"][0]["player"] == theirs:
            one.go_on()
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    mine.filter(has_text="your move").nth(1).wait_for()
    page.locator(f"a[href='#battle/{other.id}']").click()
    page.get_by_text("You are watching.").first.wait_for()


def test_of_many_battles_all_are_shown_when_they_are_asked_for(window: Any, hall: Server) -> None:
    page = window()
    battle = {
        "system": "epica",
        "plays": ["person", "person"],
        "round": 1,
        "touched": 0,
        "result": None,
        "round_name": "Turn",
    }
    many = [{**battle, "battle": f"b{n}", "title": f"Battle {n}"} for n in range(14)]
    page.route("**/api/battles", lambda route: route.fulfill(json=many))
    page.goto(hall.address)
    shown = page.get_by_role("link", name="from the beginning")
    shown.nth(11).wait_for()
    page.get_by_text("Turn 1").first.wait_for()
    assert shown.count() == 12
    page.get_by_role("button", name="Show all 14").click()
    shown.nth(13).wait_for()


def test_whoever_is_to_move_is_told_how_before_how_to_come_closer(sit: Any) -> None:
    table = sit(scenario=TURN.read_text())
    table.page.add_init_script("localStorage.setItem('sandtable.hints', '[0]')")
    table.open()
    hint = table.page.get_by_role("note")
    hint.get_by_text("come closer").wait_for()
    while table.decision["shape"] != "move":
        table.go_on()
    hint.get_by_text("Drag a model, and its whole unit comes along.").wait_for()
    hint.get_by_role("button", name="Got it").click()
    hint.get_by_text("come closer").wait_for()


def test_hints_about_moving_cards_and_taking_back_go_when_they_are_followed(sit: Any) -> None:
    table = sit(scenario=TURN.read_text())
    table.page.add_init_script("localStorage.setItem('sandtable.hints', '[0, 1]')")
    table.open()
    while table.decision["shape"] != "move":
        table.go_on()
    hint = table.page.get_by_role("note")
    hint.get_by_text("Drag a model, and its whole unit comes along.").wait_for()
    unit = table.decision["unit"]
    table.drag(table.model(unit), (0, -30))
    hint.get_by_text("Point at any unit for its card.").wait_for()
    foe = table.ask("return game.view.units.find(u => u.name === 'First Mob').id")
    table.page.keyboard.press("Escape")
    table.page.mouse.click(*table.model(foe))
    hint.get_by_text("takes an answer back").wait_for()
    table.page.keyboard.press("z")
    hint.wait_for(state="detached")


def test_tables_of_a_dataset_are_called_by_names_that_can_be_read(first: Any) -> None:
    first.get_by_label("Rules").select_option("w40k11")
    first.get_by_label("Mission").select_option("triangulation")
    tables = first.get_by_label("Table").locator("option").all_text_contents()
    assert "Purge vs Recon 03" in tables
    assert [name for name in tables if name.startswith("Bm ")] == []


def test_how_answers_are_taken_back_is_chosen_and_told_to_both(first: Any) -> None:
    first.get_by_label("Opponent").select_option("mine")
    first.get_by_text("Options", exact=True).click()
    first.get_by_label("Taking back").select_option("never")
    first.get_by_role("button", name="Begin").click()
    first.get_by_label("The table", exact=True).wait_for()
    assert first.evaluate("document.querySelector('canvas').game.takebacks") == "never"
    first.get_by_role("log").get_by_text("Taking answers back: never, what is placed stays.").wait_for()


def test_a_reading_is_chosen_by_what_it_means(first: Any) -> None:
    first.get_by_text("Options", exact=True).click()
    first.get_by_text("How unclear rules are read").click()
    first.get_by_label("Or: each of them is").check()
    first.get_by_text("(1 changed)").wait_for()
    first.get_by_role("button", name="Begin").click()
    first.get_by_label("The table", exact=True).wait_for()
    assert first.evaluate("document.querySelector('canvas').game.ground.options['modifier-cap']") == "each"


def test_rules_are_named_with_the_text_that_they_follow(first: Any) -> None:
    named = first.locator(".rules option").all_text_contents()
    assert "Warhammer 40,000, 10th edition, core rules as first published" in named


def test_a_scenario_that_is_dropped_is_played_on_and_a_battle_is_replayed(first: Any, tmp_path: Path) -> None:
    first.evaluate(DROP, ["cover.yaml", SCENARIO.read_text()])
    first.get_by_label("The table", exact=True).wait_for()
    first.go_back()
    first.get_by_role("heading", name="Your battles").wait_for()
    battle = sandtable.new("epica", seed=3)
    battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    battle.save(tmp_path / "game.battle")
    first.evaluate(DROP, ["game.battle", (tmp_path / "game.battle").read_text()])
    first.wait_for_url("**/replays/*")
    story = first.locator("#story")
    story.wait_for(state="attached")
    assert "epica" in story.text_content()
    first.get_by_role("link", name="Sandtable: to the first page").click()
    first.get_by_label("Your army").wait_for()


def test_a_file_that_does_not_belong_here_is_named_with_what_would(first: Any) -> None:
    wrong = first.get_by_role("alert")
    first.evaluate(DROP, ["diary.txt", "Today I went home early."])
    wrong.get_by_text("diary.txt: this is no army list that we can read").wait_for()
    assert wrong.inner_text().endswith("Nor is it a table, a scenario or a battle.")
    first.evaluate(DROP, ["table.yaml", "id: mine\nname: Mine\ntable: {size: [44, 60]}\n"])
    wrong.get_by_text("table.yaml").wait_for()
    assert "points" in wrong.inner_text()
    first.evaluate(DROP, ["nothing.txt", " "])
    wrong.get_by_text("nothing.txt is empty.").wait_for()


def test_a_file_that_is_dropped_on_a_battle_leaves_it_where_it_is(first: Any) -> None:
    first.get_by_role("button", name="Play now").click()
    first.wait_for_function(READY)
    first.evaluate(DROP, ["cover.yaml", SCENARIO.read_text()])
    first.get_by_role("alert").get_by_text("cover.yaml was not opened, since a battle is on this page.").wait_for()
    assert first.get_by_label("The table", exact=True).is_visible()


def test_a_table_that_is_dropped_joins_the_others(first: Any) -> None:
    text = (Path(sandtable.__file__).parent / "kit" / "layouts" / "crossroads.yaml").read_text()
    first.evaluate(DROP, ["mine.yaml", re.sub("(?m)^name: .*$", "name: My Crossing", text)])
    first.get_by_label("Table").locator("option", has_text="My Crossing (your table)").wait_for(state="attached")
    assert first.get_by_label("Table").input_value() == "own 0"
    assert first.get_by_role("article").count() == 0


#: The seat whose turn it is to look, who has it, and what the band says.
DECIDES = """(() => {
  const game = document.querySelector("canvas")?.game, band = document.querySelector("[role=status]");
  return [game?.you, game?.view.players[game.you].name, band?.innerText];
})()"""


def press_until(page: Any, done: Callable[[], bool]) -> None:
    """Whoever sits here takes usual answers."""
    end = time.monotonic() + PATIENCE / 1000
    while not done():
        assert time.monotonic() < end, "nothing comes of it"
        page.keyboard.press("Space")
        page.wait_for_timeout(150)


def test_who_sits_at_one_screen_sees_by_a_band_who_decides(first: Any) -> None:
    first.get_by_label("Rules").select_option("epica")
    first.get_by_label("Opponent").select_option("mine")
    first.get_by_label("Seed").fill("3")
    first.get_by_role("button", name="Begin").click()
    first.get_by_label("The table", exact=True).wait_for()
    first.wait_for_function("() => document.querySelector('[role=status]')?.innerText.startsWith('It is up to ')")
    before, name, band = first.evaluate(DECIDES)
    assert band == f"It is up to {name}"
    seen: list[Any] = []

    def is_the_other() -> bool:
        seen[:] = first.evaluate(DECIDES)
        return bool(seen[0] == 1 - before)

    press_until(first, is_the_other)
    _, name, said = seen
    assert (said, said == band) == (f"It is up to {name}", False)


def test_secrets_at_one_screen_wait_until_it_was_handed_over(first: Any) -> None:
    first.get_by_label("Opponent").select_option("mine")
    first.get_by_label("Seed").fill("3")
    first.get_by_role("button", name="Begin").click()
    secret, table = (
        first.get_by_role("heading", name=re.compile("^For .* alone$")),
        first.get_by_label("The table", exact=True),
    )
    secret.or_(table).wait_for()
    press_until(first, lambda: secret.count() > 0)
    assert table.count() == 0
    first.get_by_role("button", name="I am ").click()
    table.wait_for()
    assert secret.count() == 0
    prompt = "() => document.querySelector('canvas')?.game?.decision?.prompt"
    asked = first.wait_for_function(prompt).json_value()
    press_until(first, lambda: first.evaluate("!document.querySelector('canvas')?.game?.decision?.secret"))
    for _ in range(8):
        # The screen may be handed over again meanwhile; then there is no table.
        first.evaluate(HANDED_OVER)
        assert asked not in first.evaluate("document.querySelector('canvas')?.game.log.map(l => l.text).join() ?? ''")
        first.keyboard.press("Space")
        first.wait_for_timeout(200)


def held_back(page: Any, address: str) -> list[Any]:
    """The first that is posted to an address, which waits until somebody lets it go."""
    late: list[Any] = []

    def hold(route: Any) -> None:
        if route.request.method == "POST" and not late:
            late.append(route)
        else:
            route.continue_()

    page.route(address, hold)
    return late


def go_elsewhere(page: Any, late: list[Any], where: str) -> None:
    """Leave a page while it waits."""
    while not late:
        page.wait_for_timeout(20)
    page.evaluate("where => { location.hash = where; }", where)
    page.get_by_role("link", name="Sandtable").wait_for()


def come_late(page: Any, late: list[Any], address: str, **reply: Any) -> None:
    """What was held back comes now; without a reply, the server's own."""
    with page.expect_response(address):
        if reply:
            late[0].fulfill(**reply)
        else:
            late[0].continue_()
    # What came of it was done before this is heard.
    page.evaluate("fetch('/health').then(reply => reply.text())")


def test_who_goes_elsewhere_before_a_battle_is_read_stays_there(first: Any) -> None:
    first.route("**/api/dropped", lambda route: route.fulfill(json={"kind": "battle"}))
    late = held_back(first, "**/api/replays")
    first.evaluate(DROP, ["some.battle", "a battle", ""])
    go_elsewhere(first, late, "terrain")
    come_late(first, late, "**/api/replays", json={"replay": "some"})
    assert first.url.endswith("#terrain")


def test_who_goes_elsewhere_before_a_battle_is_found_is_not_fetched_back(window: Any, hall: Server) -> None:
    page = window()
    battle = hall.begin(system="epica", made_up=True, seats=["mine", "mine"])
    for start, address in {"#play": "**/api/battles", "#token/abc": "**/api/mine"}.items():
        late = held_back(page, address)
        page.goto("about:blank")
        page.goto(f"{hall.address}/{start}")
        while not late:
            page.wait_for_timeout(20)
        page.evaluate("location.hash = '#terrain'")
        with page.expect_response(address):
            late[0].fulfill(
                json={"battle": battle.id, "seats": []} if start == "#play" else [{"battle": battle.id, "player": 0}]
            )
        # What came of it was done before this is heard.
        page.evaluate("fetch('/health').then(reply => reply.text())")
        assert page.url.endswith("#terrain")
