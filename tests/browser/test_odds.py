"""The odds page on a phone: a question, an answer that fits the screen, and an address that asks it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from browser.conftest import PHONE
from browser.test_first_page import come_late, go_elsewhere, held_back
from browser.test_lists import DROP
from server.live import Server


@pytest.fixture
def phone(window: Callable[..., Any], hall: Server) -> Any:
    page = window(PHONE, touch=True, is_mobile=True)
    page.goto(f"{hall.address}/#odds")
    page.get_by_role("button", name="What are the odds?").wait_for()
    return page


def test_a_phone_tells_the_odds_and_its_address_tells_them_again(phone: Any) -> None:
    phone.get_by_label("Who attacks").fill("10 boyz")
    phone.get_by_label("Whom").fill("5 intercessors")
    phone.get_by_label("In close combat").check()
    phone.get_by_role("button", name="What are the odds?").tap()
    headline = phone.locator(".headline")
    headline.wait_for()
    before = headline.inner_text()
    phone.wait_for_url("**/#odds/st1.*")
    assert "to destroy 5 Intercessors" in before
    # What each circumstance means is read without a mouse.
    phone.get_by_text("Circumstances").tap()
    first = phone.locator(".chips label").first
    first.wait_for()
    assert first.locator("input").bounding_box()["width"] >= 20, "a finger hits it"
    meaning = first.inner_text()
    assert " " in meaning and meaning != first.locator("span").get_attribute("title")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert phone.get_by_role("row").count() > 6
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    phone.reload()
    headline.wait_for()
    assert headline.inner_text() == before
    phone.wait_for_function("() => document.querySelectorAll('select')[1]?.value === 'into'")
    assert [phone.get_by_label(name).input_value() for name in ("Who attacks", "Whom")] == ["10 boyz", "5 intercessors"]
    assert phone.get_by_label("In close combat").is_checked()
    assert len(asked) == 1
    phone.get_by_label("Question").select_option("need")
    phone.get_by_role("button", name="What are the odds?").tap()
    phone.get_by_text("for 80 % to destroy 5 Intercessors").wait_for()


def test_a_charge_is_told_by_side_and_names_its_distance(phone: Any) -> None:
    phone.get_by_label("Question").select_option("assault")
    assert phone.get_by_label("Distance").get_attribute("placeholder") == '8"'
    phone.get_by_label("Who attacks").fill("10 boyz")
    phone.get_by_label("Whom").fill("5 intercessors")
    phone.get_by_role("button", name="What are the odds?").tap()
    phone.locator(".headline", has_text='over 8"').wait_for()
    assert phone.locator("table caption").all_inner_texts() == ["10 Boyz", "5 Intercessors"]
    assert "side" not in phone.get_by_role("columnheader").all_inner_texts()
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    phone.get_by_label("Question").select_option("exchange")
    assert not phone.get_by_label("Distance").is_visible()


def test_a_charge_at_the_like_has_a_table_for_each_side(phone: Any) -> None:
    phone.get_by_label("Question").select_option("assault")
    for box in ("Who attacks", "Whom"):
        phone.get_by_label(box).fill("5 intercessors")
    phone.get_by_role("button", name="What are the odds?").tap()
    phone.locator(".headline", has_text='over 8"').wait_for()
    assert phone.locator("table caption").all_inner_texts() == ["5 Intercessors"] * 2


def test_examples_are_those_of_the_rules_that_were_chosen_last(phone: Any) -> None:
    phone.wait_for_function("() => document.querySelector('input').placeholder")
    before = phone.get_by_label("Who attacks").get_attribute("placeholder")
    systems = phone.get_by_label("Rules").locator("option").evaluate_all("all => all.map(o => o.value)")
    late: list[Any] = []

    def hold(route: Any) -> None:
        late.append(route)

    phone.route(f"**/api/odds/{systems[1]}", hold)
    with phone.expect_request(f"**/api/odds/{systems[1]}"):
        phone.get_by_label("Rules").select_option(systems[1])
    phone.get_by_label("Rules").select_option(systems[0])
    phone.wait_for_function("() => document.querySelector('input').placeholder")
    with phone.expect_response(f"**/api/odds/{systems[1]}"):
        late[0].continue_()
    phone.unroute(f"**/api/odds/{systems[1]}")
    assert phone.get_by_label("Who attacks").get_attribute("placeholder") == before
    phone.get_by_label("Rules").select_option(systems[1])
    other = "before => (now => now && now !== before)(document.querySelector('input').placeholder)"
    phone.wait_for_function(other, arg=before)


def test_a_distance_of_nothing_is_refused_and_a_file_that_is_dropped_stays_out(phone: Any) -> None:
    phone.get_by_label("Who attacks").fill("10 boyz")
    phone.get_by_label("Whom").fill("5 intercessors")
    phone.get_by_label("Distance").fill("0")
    phone.get_by_role("button", name="What are the odds?").tap()
    phone.get_by_role("alert").get_by_text("A distance is above 0").wait_for()
    assert phone.evaluate(DROP, ["list.txt", "some"]) is False
    phone.get_by_role("alert").get_by_text("list.txt was not opened: drop it on the first page.").wait_for()


def test_a_unit_that_nobody_knows_is_refused_in_a_sentence(phone: Any) -> None:
    phone.get_by_label("Who attacks").fill("10 elves")
    phone.get_by_label("Whom").fill("5 intercessors")
    phone.get_by_role("button", name="What are the odds?").tap()
    refused = phone.get_by_role("alert")
    refused.wait_for()
    assert "elves" in refused.inner_text()
    assert phone.locator(".headline").count() == 0


@pytest.mark.parametrize(
    ("question", "close", "told"),
    [
        ("How many does it take?", True, "for 80 % to destroy 5 Intercessors"),
        ("A charge, from the shots before to the blows", False, "to charge home"),
        ("Where is a command point well spent?", True, "Best spent on"),
    ],
)
def test_other_questions_about_two_units_fit_a_phone_too(phone: Any, question: str, close: bool, told: str) -> None:
    phone.get_by_label("Question").select_option(label=question)
    phone.get_by_label("Who attacks").fill("10 boyz")
    phone.get_by_label("Whom").fill("5 intercessors")
    for box in phone.get_by_label("In close combat").all():
        box.set_checked(close)
    phone.get_by_role("button", name="What are the odds?").tap()
    headline = phone.locator(".headline")
    headline.wait_for()
    assert told in headline.inner_text()
    assert phone.get_by_role("row").count() > 2
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_an_old_answer_goes_when_the_next_question_is_refused(phone: Any) -> None:
    phone.get_by_label("Who attacks").fill("10 boyz")
    phone.get_by_label("Whom").fill("5 intercessors")
    phone.get_by_role("button", name="What are the odds?").tap()
    phone.locator(".headline").wait_for()
    phone.get_by_label("Whom").fill("5 elves")
    phone.get_by_role("button", name="What are the odds?").tap()
    phone.get_by_role("alert").wait_for()
    assert phone.locator(".headline").count() == 0


def test_odds_that_come_late_leave_the_address_to_who_went_elsewhere(phone: Any) -> None:
    late = held_back(phone, "**/api/odds")
    phone.get_by_label("Who attacks").fill("10 boyz")
    phone.get_by_label("Whom").fill("5 intercessors")
    phone.get_by_role("button", name="What are the odds?").tap()
    go_elsewhere(phone, late, "terrain")
    come_late(phone, late, "**/api/odds")
    assert phone.url.endswith("#terrain")


def test_a_table_of_odds_fits_a_phone(phone: Any) -> None:
    question = phone.get_by_label("Question").locator("option").filter(has_text="command point")
    question.wait_for(state="attached")
    phone.get_by_label("Question").select_option(question.get_attribute("value"))
    phone.get_by_label("Who attacks").fill("10 boyz")
    phone.get_by_label("Whom").fill("5 intercessors")
    phone.get_by_role("button", name="What are the odds?").tap()
    phone.locator(".figures td").first.wait_for()
    assert phone.locator(".wide").evaluate("e => e.scrollWidth - e.clientWidth") == 0
