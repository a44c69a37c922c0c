"""The first page: a battle by one click, everything that can be chosen, and files that somebody brings along."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import sandtable
from browser.test_lists import DROP

SCENARIO = Path(__file__).parents[2] / "docs" / "scenarios" / "epica" / "cover.yaml"


def test_one_click_begins_a_battle_and_the_board_gives_hints_until_they_are_followed(first: Any) -> None:
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


def test_who_begins_is_told_at_the_button_that_the_table_is_set(first: Any) -> None:
    asked: list[Any] = []

    def hold(route: Any) -> None:
        asked.append(route)

    first.route("**/api/battles", hold)
    begin = first.get_by_role("button", name="Begin")
    begin.click()
    told = first.get_by_text("Setting the table.")
    told.wait_for()
    assert told.count() == 1
    assert told.evaluate("(told, button) => told.parentElement === button.parentElement", begin.element_handle())
    first.wait_for_function("() => document.querySelector('.big').disabled")
    (waiting,) = asked
    waiting.continue_()
    first.get_by_label("The table", exact=True).wait_for()


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
    first.evaluate(DROP, ["nothing.txt", " "])
    wrong.get_by_text("nothing.txt is empty.").wait_for()


def test_a_file_that_is_dropped_on_a_battle_leaves_it_where_it_is(first: Any) -> None:
    first.get_by_role("button", name="Play now").click()
    first.get_by_label("The table", exact=True).wait_for()
    first.evaluate(DROP, ["cover.yaml", SCENARIO.read_text()])
    first.get_by_role("alert").get_by_text("cover.yaml was not opened, since a battle is on this page.").wait_for()
    assert first.get_by_label("The table", exact=True).is_visible()


def test_a_table_that_is_dropped_joins_the_others(first: Any) -> None:
    text = (Path(sandtable.__file__).parent / "kit" / "layouts" / "crossroads.yaml").read_text()
    first.evaluate(DROP, ["mine.yaml", re.sub("(?m)^name: .*$", "name: My Crossing", text)])
    first.get_by_label("Table").locator("option", has_text="My Crossing (your table)").wait_for(state="attached")
    assert first.get_by_label("Table").input_value() == "own 0"
    assert first.get_by_role("article").count() == 0


def test_who_sits_at_one_screen_sees_by_a_band_who_decides(first: Any) -> None:
    first.get_by_label("Rules").select_option("epica")
    first.get_by_label("Opponent").select_option("mine")
    first.get_by_role("button", name="Begin").click()
    first.get_by_label("The table", exact=True).wait_for()
    shown = "[document.querySelector('canvas')?.game?.you, document.querySelector('[role=status]')?.innerText]"
    first.wait_for_function("() => document.querySelector('[role=status]')?.innerText.startsWith('It is up to ')")
    before, band = first.evaluate(shown)
    name = first.evaluate("(game => game.view.players[game.you].name)(document.querySelector('canvas').game)")
    assert band == f"It is up to {name}"
    other = [1 - before, False]
    for _ in range(300):
        you, said = first.evaluate(shown)
        if [you, said == band] == other:
            break
        first.keyboard.press("Space")
        first.wait_for_timeout(150)
    assert [you, said == band] == other


def test_secrets_at_one_screen_wait_until_it_was_handed_over(first: Any) -> None:
    first.get_by_label("Opponent").select_option("mine")
    first.get_by_label("Seed").fill("3")
    first.get_by_role("button", name="Begin").click()
    secret, table = (
        first.get_by_role("heading", name=re.compile("^For .* alone$")),
        first.get_by_label("The table", exact=True),
    )
    secret.or_(table).wait_for()
    for _ in range(150):
        if secret.count():
            break
        first.keyboard.press("Space")
        first.wait_for_timeout(300)
    assert table.count() == 0
    first.get_by_role("button", name="I am ").click()
    table.wait_for()
    assert secret.count() == 0
    prompt = "() => document.querySelector('canvas')?.game?.decision?.prompt"
    asked = first.wait_for_function(prompt).json_value()
    for _ in range(300):
        if first.evaluate("!document.querySelector('canvas')?.game?.decision?.secret"):
            break
        first.keyboard.press("Space")
        first.wait_for_timeout(200)
    for _ in range(8):
        for button in first.get_by_role("button", name="I am ").all():
            button.click()
        # The screen may be handed over again meanwhile; then there is no table.
        assert asked not in first.evaluate("document.querySelector('canvas')?.game.log.map(l => l.text).join() ?? ''")
        first.keyboard.press("Space")
        first.wait_for_timeout(200)
