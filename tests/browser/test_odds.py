"""The odds page on a phone: a question, an answer that fits the screen, and an address that asks it again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browser.conftest import PHONE
from browser.table import complaints
from server.live import Server


@pytest.fixture
def phone(chromium: Any, hall: Server) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True)
    page = context.new_page()
    heard = complaints(page)
    page.goto(f"{hall.address}/#odds")
    page.get_by_role("button", name="What are the odds?").wait_for()
    yield page
    context.close()
    assert [line for line in heard if "status of 400" not in line] == []


def test_a_phone_tells_the_odds_and_its_address_tells_them_again(phone: Any) -> None:
    phone.get_by_label("Who attacks").fill("10 boyz")
    phone.get_by_label("Whom").fill("5 intercessors")
    phone.get_by_label("In close combat").check()
    phone.get_by_role("button", name="What are the odds?").tap()
    headline = phone.locator(".headline")
    headline.wait_for()
    before = headline.inner_text()
    assert "to destroy 5 Intercessors" in before
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert phone.get_by_role("row").count() > 6
    assert "#odds/st1." in phone.url
    phone.reload()
    headline.wait_for()
    assert headline.inner_text() == before


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
