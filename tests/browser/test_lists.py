"""Army lists on the first page: dropped or pasted in any form, told first, then played with."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import DESK, PHONE, TABLET
from browser.table import ASKED, NEXT, READY
from sandtable.armies.packs import find_list
from server.live import Server
from support.exports import (
    HOST,
    LEGION,
    OF_TENTH,
    Unit,
    listforge_link,
    newrecruit_json,
    official,
    rosterizer,
    wtc_compact,
)

#: Files dropped on the page, or on what a selector finds.
DROP = """([name, text, on]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const target = on ? document.querySelector(on) : window;
  return target.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
DROP_BYTES = """([name, bytes, times]) => {
  const data = new DataTransfer();
  data.items.add(new File(Array(times).fill(new Uint8Array(bytes)), name));
  window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""
TITLE = "document.querySelector('canvas').game.title"
UNITS = "document.querySelector('canvas').game.view.units.map(u => u.name)"
EVIL = "<img src=x onerror=document.title='broken'>"


def report(page: Any, name: str) -> Any:
    """What was understood of a list, once it is told."""
    found = page.get_by_role("article", name=name)
    found.wait_for()
    return found


def play_with(page: Any, name: str) -> None:
    report(page, name).get_by_role("button", name="Play with it").click()
    page.get_by_role("status").get_by_text(f"{name} is ").wait_for()


def go_on(page: Any, answers: int) -> None:
    """Take usual answers."""
    for _ in range(answers):
        asked = page.wait_for_function(ASKED).json_value()
        page.keyboard.press(" ")
        page.wait_for_function(NEXT, arg=asked["id"])


def test_a_list_that_is_pasted_is_told_then_played_and_there_after_a_reload(first: Any) -> None:
    first.evaluate(PASTE, wtc_compact(HOST))
    told = report(first, "Host of the Silent King")
    text = told.inner_text()
    assert "Necrons, Awakened Dynasty" in text
    assert "Warhammer 40,000, 11th edition, exported by New Recruit" in text
    assert "of 2000 points, 12 units, 52 models" in text
    assert "There is no datasheet 'Nekron Warriors'; did you mean Necron Warriors?" in text
    rows = told.get_by_role("list", name="Units").get_by_role("listitem").all_inner_texts()
    assert rows[4].split("\n") == ["10", "Immortals", "140"]
    assert "11 played, 1 not reviewed and so not played, 3 left to you" in text
    told.get_by_text("What is not played as printed").click()
    told.get_by_text("Protocol Of The Hungry Void").wait_for()
    play_with(first, "Host of the Silent King")
    assert first.get_by_label("Rules").input_value() == "w40k11"
    chosen = first.get_by_label("Your army").locator("option:checked").inner_text()
    assert chosen == "Host of the Silent King (your list, 1295)"
    first.get_by_label("Seed").fill("3")
    first.get_by_role("button", name="Begin").click()
    first.get_by_label("The table", exact=True).wait_for()
    first.wait_for_function(READY)
    assert first.evaluate(TITLE).startswith("Host of the Silent King (Necrons) against ")
    go_on(first, 4)
    before = first.evaluate(UNITS)
    first.reload()
    first.wait_for_function(READY)
    assert first.evaluate(UNITS) == before
    assert "Doomsday Ark" in before
    go_on(first, 1)


def test_files_that_are_dropped_become_the_armies_of_both_sides(first: Any) -> None:
    first.evaluate(DROP, ["mine.json", newrecruit_json(LEGION), ""])
    play_with(first, "Legion of Dust")
    first.evaluate(DROP, ["theirs.json", rosterizer(LEGION._replace(name="Other Dust")), ""])
    assert report(first, "Other Dust").get_by_label("their army").is_checked()
    told = "The armies are not of the same size: yours has 305 points, theirs 1000. No ready army is nearer."
    assert first.locator(".heed").inner_text() == told
    play_with(first, "Other Dust")
    assert first.locator(".heed").count() == 0
    first.get_by_label("Opponent").select_option("mine")
    first.get_by_role("button", name="Begin").click()
    first.wait_for_function("() => document.querySelector('canvas')?.game?.title")
    assert first.evaluate(TITLE) == "Legion of Dust (Necrons) against Other Dust (Necrons)"
    first.goto(first.url.partition("#")[0])
    first.get_by_label("Rules").select_option("w40k11")
    kept = first.get_by_label("Theirs").locator("option").all_inner_texts()
    assert kept[1:3] == ["Other Dust (your list, 305)", "Legion of Dust (your list, 305)"]


def test_a_list_is_for_the_side_that_it_is_dropped_on_or_that_asked_for_it(first: Any) -> None:
    first.evaluate(DROP, ["theirs.txt", official(LEGION), "[data-side='1'] select"])
    assert report(first, "Legion of Dust").get_by_label("their army").is_checked()
    report(first, "Legion of Dust").get_by_role("button", name="Put it away").click()
    report_gone = first.get_by_role("article")
    report_gone.wait_for(state="detached")
    first.get_by_role("button", name="Paste a list for their side").click()
    box = first.get_by_role("textbox", name="Paste a list")
    assert box.evaluate("e => document.activeElement === e")
    assert box.get_attribute("placeholder") == "Paste the list of their army"
    box.fill(listforge_link(LEGION))
    first.get_by_role("button", name="Read it").click()
    assert report(first, "Legion of Dust").get_by_label("their army").is_checked()
    report(first, "Legion of Dust").get_by_label("your army").check()
    play_with(first, "Legion of Dust")
    assert first.get_by_label("Theirs").input_value() == ""
    assert first.get_by_label("Your army").input_value().startswith("own ")


def test_a_list_can_be_read_for_the_other_edition(first: Any) -> None:
    first.evaluate(PASTE, official(OF_TENTH))
    told = report(first, "Legion of Dust")
    assert "10th edition" in told.locator("header").inner_text()
    told.get_by_role("button", name="Read it for Warhammer 40,000, 11th edition").click()
    told.get_by_text("the list itself says 300 points").wait_for()
    assert "305 of 1000 points" in told.inner_text()
    play_with(first, "Legion of Dust")
    assert first.get_by_label("Rules").input_value() == "w40k11"


def test_a_list_of_ours_is_read_and_a_wrong_one_is_refused_in_a_sentence(first: Any) -> None:
    text = find_list("orks-1000-horde").read_text()
    first.get_by_role("textbox", name="Paste a list").fill(text.replace("limit: 1000", "limit: elves"))
    first.get_by_role("button", name="Read it").click()
    first.get_by_role("alert").get_by_text("Your list, line 6: limit").wait_for()
    first.evaluate(DROP, ["mine.yaml", text.replace("Green Tide", "My Own Tide"), ""])
    play_with(first, "My Own Tide")
    first.get_by_role("button", name="Begin").click()
    first.get_by_label("The table", exact=True).wait_for()
    first.wait_for_function(READY)
    assert first.evaluate(TITLE).startswith("My Own Tide (Orks) against ")


def test_an_army_that_breaks_a_rule_is_told_and_cannot_be_chosen(first: Any) -> None:
    first.evaluate(PASTE, wtc_compact(LEGION._replace(units=LEGION.units[2:])))
    told = report(first, "Legion of Dust")
    told.get_by_text("The army has no CHARACTER").wait_for()
    assert told.get_by_role("button", name="Play with it").is_disabled()


def test_names_from_a_list_are_text_and_never_markup(first: Any) -> None:
    units = (*LEGION.units, Unit(EVIL, 1, 5, ()))
    first.evaluate(PASTE, newrecruit_json(LEGION._replace(name=EVIL, units=units)))
    told = report(first, EVIL)
    assert EVIL in told.locator("h3").inner_text()
    assert EVIL in told.inner_text().partition("Not understood")[2]
    assert told.locator("img").count() == 0
    play_with(first, EVIL)
    assert first.locator("main img").count() == 0
    first.get_by_role("button", name="Begin").click()
    first.wait_for_function(READY)
    assert first.locator("img[src=x]").count() == 0
    assert "broken" not in first.title()


@pytest.mark.parametrize(
    ("name", "raw", "times", "why"),
    [
        ("list.txt", b"N\xe9crons\n", 1, "list.txt cannot be read, since it is not UTF-8 text."),
        ("list.txt", b"x" * 1025, 1024, "That is no army list: one has at most 1 MB"),
        ("list.json", b'{"roster": ', 1, "list.json: the list cannot be read"),
        ("game.battle", b'{"format": 1, "setup": {}, "entries": [', 1, "game.battle"),
    ],
)
def test_a_file_that_is_nothing_is_refused_in_a_sentence(
    first: Any, name: str, raw: bytes, times: int, why: str
) -> None:
    first.evaluate(DROP_BYTES, [name, list(raw), times])
    first.get_by_role("alert").get_by_text(why).wait_for()
    assert first.get_by_role("article").count() == 0


def test_a_file_of_windows_is_read(first: Any) -> None:
    first.evaluate(DROP_BYTES, ["list.txt", list(official(LEGION).encode("utf-16")), 1])
    report(first, "Legion of Dust")


@pytest.mark.parametrize("into", ["the page", "the box"])
def test_the_keys_that_paste_do_so(first: Any, into: str) -> None:
    first.context.grant_permissions(["clipboard-read", "clipboard-write"])
    first.evaluate("text => navigator.clipboard.writeText(text)", official(LEGION))
    box = first.get_by_role("textbox", name="Paste a list")
    (first.get_by_role("heading", name="Sandtable") if into == "the page" else box).click()
    first.keyboard.press("Control+V")
    report(first, "Legion of Dust")
    assert box.input_value() == ""


def test_what_is_pasted_into_a_field_stays_there(first: Any) -> None:
    seed = first.get_by_label("Seed")
    seed.focus()
    seed.evaluate(PASTE.replace("document.body", "document.activeElement"), "12345")
    first.wait_for_timeout(300)
    assert first.get_by_role("alert").count() == 0
    assert first.get_by_role("article").count() == 0


@pytest.mark.parametrize("size", [DESK, TABLET, PHONE], ids=["desk", "tablet", "phone"])
def test_a_report_fits_every_screen(window: Any, hall: Server, size: tuple[int, int]) -> None:
    page = window(size, touch=size != DESK)
    page.goto(hall.address)
    page.get_by_label("Your army").wait_for()
    page.evaluate(PASTE, wtc_compact(HOST._replace(name="W" * 80)))
    told = report(page, "W" * 80)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = told.locator("h3").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < size[1]
    told.get_by_role("button", name="Play with it").click()
    page.get_by_role("status").wait_for()
    shown = page.get_by_role("status").bounding_box()
    assert shown is not None
    assert 0 <= shown["y"] < size[1]
