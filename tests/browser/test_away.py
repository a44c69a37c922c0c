"""Battles by correspondence in the browser: a recap, orders, webhooks, clocks, and seats that are carried along."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from browser import qr
from browser.conftest import DESK, PHONE
from browser.table import Table
from server.live import Battle, Server

TWO = {"system": "epica", "made_up": True, "seed": 3, "seats": ["mine", "mine"]}


@pytest.fixture
def visit(chromium: Any, hall: Server) -> Iterator[Any]:
    """Come to a seat of a battle, as often as one likes."""
    tables: list[Table] = []

    def come(battle: Battle, player: int = 0, size: tuple[int, int] = DESK) -> Table:
        tables.append(Table(chromium, hall.address, battle.id, battle.tokens[player], size, player=player))
        return tables[-1]

    yield come
    for table in tables:
        table.close()
    assert [line for table in tables for line in table.complaints] == []


def code(page: Any, label: str) -> str:
    """What a camera reads."""
    picture = page.get_by_label(label)
    picture.wait_for()
    wide = int(picture.get_attribute("viewBox").split()[2])
    squares = re.findall(r"M(\d+) (\d+)h", picture.locator("path").get_attribute("d"))
    return qr.read({(int(x) - 4, int(y) - 4) for x, y in squares}, wide - 8)


def test_who_comes_back_reads_what_happened_and_sees_it_again_on_the_board(visit: Any, hall: Server) -> None:
    battle = hall.begin(**TWO)
    with battle.sit(0) as one:
        player = one.now["waiting"][0]["player"]
    first = visit(battle, 1 - player).watch()
    before = first.ask("return game.log.length")
    assert first.page.get_by_label("Since you were here").count() == 0
    first.close()
    with battle.sit(player) as other:
        while other.now["waiting"][0]["player"] == player:
            other.go_on()
    back = visit(battle, 1 - player).watch()
    recap = back.page.get_by_label("Since you were here")
    recap.wait_for()
    assert recap.get_by_role("listitem").count() > 0
    shown = back.ask("return [JSON.stringify(game.view), game.log.length]")
    recap.get_by_role("button", name="Show it on the board").click()
    recap.wait_for(state="detached")
    assert back.ask("return game.note") == ""
    back.page.wait_for_function("() => !document.querySelector('canvas').game.telling")
    assert back.ask("return [JSON.stringify(game.view), game.log.length]") == shown
    assert shown[1] > before


def test_orders_and_an_address_are_kept_and_a_hostile_one_is_refused(visit: Any, hall: Server) -> None:
    battle = hall.begin(**TWO)
    table = visit(battle).watch()
    page = table.page
    page.keyboard.press("w")
    page.get_by_label("Standing orders").wait_for(state="attached")
    page.get_by_text("In your own words").click()
    page.get_by_label("Standing orders").fill('orders:\n  - {for: "react.*", do: pass}\n')
    page.get_by_role("button", name="Give these orders").click()
    page.get_by_role("button", name="None").wait_for()
    page.get_by_label("Web address to call").fill("http://192.168.0.1/")
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("alert").get_by_text("public internet").wait_for()
    page.reload()
    page.wait_for_function("() => document.querySelector('canvas')?.game?.ready")
    assert table.ask("return [game.orders.includes('pass'), game.hook]") == [True, ""]


def test_a_seat_is_carried_to_another_device_by_its_code(visit: Any, window: Any, hall: Server) -> None:
    battle = hall.begin(**TWO)
    table = visit(battle, 1).watch()
    table.page.keyboard.press("w")
    table.page.get_by_role("button", name="Show the link to my seat").click()
    link = code(table.page, "The way to this seat")
    assert link == f"{hall.address}/#token/{battle.tokens[1]}"
    tablet = window(PHONE)
    tablet.goto(link)
    tablet.wait_for_function("() => document.querySelector('canvas')?.game?.you === 1")
    assert "token" not in tablet.url


def test_an_invitation_is_at_hand_until_somebody_takes_the_seat(first: Any, window: Any, hall: Server) -> None:
    first.get_by_label("Opponent").select_option("invited")
    first.get_by_role("button", name="Begin").click()
    link = first.get_by_label("Invitation").input_value()
    assert code(first, "The link as a code") == link
    first.get_by_role("link", name="To the table").click()
    first.get_by_text("Nobody sits for").wait_for()
    first.get_by_role("button", name="Invite somebody").click()
    assert first.get_by_label("Invitation").input_value() == code(first, "The link as a code") == link
    battle = first.url.rpartition("/")[2]
    first.goto(f"{hall.address}/#/")
    first.get_by_text("a seat is free").wait_for()
    first.get_by_role("button", name="Invite", exact=True).click()
    assert first.get_by_label("Invitation").input_value() == link
    first.get_by_role("link", name="To the table").click()
    first.get_by_text("Nobody sits for").wait_for()
    watcher, friend = window(), window()
    heard: list[str] = []
    watcher.on("websocket", lambda wire: wire.on("framereceived", lambda text: heard.append(str(text))))
    watcher.goto(f"{hall.address}/#battle/{battle}")
    watcher.get_by_text("You are watching.").first.wait_for()
    assert watcher.get_by_text("Nobody sits for").count() == 0
    assert link.rpartition("/")[2] not in "".join(heard) + watcher.content()
    friend.goto(link)
    friend.wait_for_function("() => document.querySelector('canvas')?.game?.you === 1")
    first.get_by_text("Nobody sits for").wait_for(state="detached")
    assert first.evaluate("localStorage['sandtable.invitations']") == "[]"


def test_clocks_stand_beside_the_players_and_count_on(visit: Any, hall: Server) -> None:
    battle = hall.begin(**TWO, minutes=30)
    page = visit(battle).watch().page
    clocks = page.get_by_role("timer")
    assert clocks.count() == 2
    before = clocks.all_inner_texts()
    counted = "before => [...document.querySelectorAll('[role=timer]')].some((t, i) => t.innerText !== before[i])"
    page.wait_for_function(counted, arg=before)
