"""Battles by correspondence in the browser: a recap, orders, webhooks, clocks, and seats that are carried along."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from browser import qr
from browser.conftest import DESK, PHONE
from browser.table import PATIENCE, Table
from server.live import Battle, Server, until

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


class Late:
    """A line on which the rules of a phase come late, and news once more just before the whole story."""

    def __init__(self, table: Table) -> None:
        self.asked: list[str] = []
        self._late: list[str] | None = []
        table.page.route_web_socket("**/socket", self._speak)

    def go_on(self) -> None:
        late, self._late = self._late or [], None
        for text in late:
            self._server.send(text)

    def _speak(self, route: Any) -> None:
        self._route, self._server = route, route.connect_to_server()
        route.on_message(self._from_page)
        self._server.on_message(self._from_server)

    def _from_page(self, text: str) -> None:
        say = json.loads(text)["say"]
        self.asked.append(say)
        if say == "reference" and self._late is not None:
            self._late.append(text)
        else:
            self._server.send(text)

    def _from_server(self, text: str) -> None:
        told = json.loads(text)
        if told["say"] == "events" and told.get("to") and "recap" in self.asked:
            self._route.send(json.dumps({key: value for key, value in told.items() if key != "to"}))
        self._route.send(text)


def test_who_comes_back_reads_what_happened_and_sees_it_again_on_the_board(visit: Any, hall: Server) -> None:
    battle = hall.begin(**TWO)
    with battle.sit(0) as one:
        player = one.now["waiting"][0]["player"]
    first = visit(battle, 1 - player).watch()
    before = first.ask("return game.log.length")
    assert first.page.get_by_label("Since you were here").count() == 0
    first.close()
    # What happens before the server knows that somebody is gone is no news to them.
    until(lambda: json.loads(hall.get("/health")[2])["clients"] == 0)
    with battle.sit(player) as other:
        while other.now["waiting"][0]["player"] == player:
            other.go_on()
    back = visit(battle, 1 - player)
    line = Late(back)
    back.watch()
    recap = back.page.get_by_label("Since you were here")
    recap.wait_for()
    assert recap.get_by_role("listitem").count() > 0
    # A heading alone says nothing of what was done, and what is asked now is not pushed out of sight.
    lines = recap.get_by_role("listitem").all_inner_texts()
    assert any(" " in line and not line.casefold().endswith("phase") for line in lines), lines
    assert recap.bounding_box()["height"] < 180
    back.page.get_by_label("Pace of the story").select_option("every step")
    shown = back.ask("return [JSON.stringify(game.view), game.log.length]")
    # Others think already: what is asked now waits for its turn.
    back.ask("void game.reference('one', ''); void game.reference('two', '')")
    back.ask("game.log = game.log.filter(l => l.id < game.seen)")
    recap.get_by_role("button", name="Show it on the board").click()
    back.page.wait_for_timeout(100)
    assert "recap" not in line.asked
    line.go_on()
    recap.wait_for(state="detached")
    back.page.get_by_role("button", name="Show the rest at once").click()
    assert back.ask("return game.note") == ""
    back.page.wait_for_function("() => !document.querySelector('canvas').game.telling")
    assert back.ask("return [JSON.stringify(game.view), game.log.length]") == shown
    assert back.ask("return new Set(game.log.map(l => l.id)).size") == shown[1]
    assert shown[1] > before


def test_orders_and_an_address_are_kept_and_a_hostile_one_is_refused(visit: Any, hall: Server) -> None:
    battle = hall.begin(**TWO)
    table = visit(battle).watch()
    page = table.page
    page.keyboard.press("w")
    page.get_by_label("Standing orders").wait_for(state="attached")
    page.get_by_text("As text (for experts)").click()
    page.get_by_label("Standing orders").fill('orders:\n  - {for: "react.*", do: pass}\n')
    # What somebody writes stays, whatever is ordered meanwhile.
    table.ask("return game.giveOrders('default')")
    assert "react" in page.get_by_label("Standing orders").input_value()
    page.get_by_role("button", name="Give these orders").click()
    page.wait_for_function("() => document.querySelector('canvas').game.orders.includes('pass')")
    page.get_by_label("Web address to call").fill("http://192.168.0.1/")
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("alert").get_by_text("public internet").wait_for()
    # Who is told something else next is not told the reasons of what was refused.
    table.ask("game.refuse({ok: false, reasons: [{text: 'No.', rules: ['some.rule']}]})")
    page.get_by_role("button", name="why?").wait_for()
    table.ask("game.said({say: 'noted', text: 'An order ended.'})")
    page.locator(".dock .told").get_by_text("An order ended.").wait_for()
    assert page.get_by_role("button", name="why?").count() == 0
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


NO_CLIPBOARD = """
Object.defineProperty(navigator, "clipboard", { value: undefined });
window.copied = [];
document.execCommand = () => {
  const { value, selectionStart, selectionEnd } = document.activeElement;
  if (window.may) copied.push(value.slice(selectionStart, selectionEnd));
  return !!window.may;
};
"""


def test_an_invitation_is_at_hand_until_somebody_takes_the_seat(first: Any, window: Any, hall: Server) -> None:
    first.get_by_label("Opponent").select_option("invited")
    first.get_by_role("button", name="Begin").click()
    link = first.get_by_label("Invitation").input_value()
    assert code(first, "The link as a code") == link
    # The address of this page is one that leads nobody else here.
    first.get_by_text("works on this machine only").wait_for()
    first.get_by_role("link", name="To the table").click()
    first.get_by_text("Nobody sits for").wait_for()
    first.get_by_role("button", name="Invite somebody").click()
    assert first.get_by_label("Invitation").input_value() == code(first, "The link as a code") == link
    battle = first.url.rpartition("/")[2]
    first.goto(f"{hall.address}/#/")
    first.get_by_text("a seat is free").wait_for()
    first.get_by_role("button", name="Invite", exact=True).click()
    assert first.get_by_label("Invitation").input_value() == link
    # Over plain http there is no clipboard, and a browser may not let a page copy at all.
    first.evaluate(NO_CLIPBOARD)
    first.get_by_role("button", name="Copy").click()
    first.get_by_role("alert").get_by_text("copy the link by hand").wait_for()
    first.evaluate("window.may = true")
    first.get_by_role("button", name="Copy").click()
    first.get_by_role("button", name="Copied").wait_for()
    assert first.evaluate("copied") == [link]
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
    # Who follows the link again sits where they sat.
    friend.goto("about:blank")
    friend.goto(link)
    friend.wait_for_function("() => document.querySelector('canvas')?.game?.you === 1")
    first.get_by_text("Nobody sits for").wait_for(state="detached")
    assert first.evaluate("localStorage['sandtable.invitations']") == "[]"


def test_who_follows_the_invitation_again_keeps_the_orders_that_they_gave(window: Any, hall: Server) -> None:
    battle = hall.begin(**{**TWO, "seats": ["mine", "invited"]})
    friend = window()
    ready = "() => document.querySelector('canvas')?.game?.ready"
    orders = "text => document.querySelector('canvas').game.orders === text"
    for told in ("default", ""):
        friend.goto("about:blank")
        friend.goto(f"{hall.address}/#seat/{battle.invitations[1]}")
        friend.wait_for_function(ready)
        # Whatever orders the page gives by itself are kept before this is replied to.
        friend.evaluate("document.querySelector('canvas').game.ask({say: 'card', unit: 0}).then(() => 0)")
        friend.wait_for_function(orders, arg=told)
        if told:
            friend.get_by_role("tab", name="Away").click()
            friend.get_by_role("button", name="None").click()
            friend.wait_for_function(orders, arg="")


SEATS = "JSON.parse(localStorage['sandtable.seats'])"


def test_a_seat_is_claimed_once_more_with_the_same_token_where_the_reply_was_lost(chromium: Any, hall: Server) -> None:
    battle, page = hall.begin(**TWO), chromium.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(hall.address)
    old = [{"battle": f"old{n}", "player": 0, "token": f"t{n}", "over": n > 0} for n in range(600)]
    page.evaluate("seats => { localStorage['sandtable.seats'] = JSON.stringify(seats); }", old)
    sent: list[dict[str, str]] = []

    def reply(route: Any) -> None:
        sent.append(json.loads(route.request.post_data))
        if len(sent) == 1:
            route.abort()
        else:
            route.fulfill(json={"battle": battle.id, "player": 1, "token": battle.tokens[1]})

    page.route("**/api/claim", reply)
    page.goto(f"{hall.address}/#seat/some-invitation")
    page.wait_for_function("() => localStorage['sandtable.claims']?.includes('some-invitation')")
    while not sent:
        page.wait_for_timeout(20)
    page.reload()
    page.wait_for_function("() => document.querySelector('canvas')?.game?.you === 1")
    assert sent[0] == sent[1]
    assert re.fullmatch(r"[\w-]{43}", sent[0]["token"])
    kept = page.evaluate(SEATS)
    # Too many were kept: of battles that are over the oldest are forgotten, and no other.
    assert (len(kept), kept[0]["token"]) == (500, battle.tokens[1])
    assert "t0" in [seat["token"] for seat in kept]
    # Who follows the link another time asks with it again.
    assert json.loads(page.evaluate("localStorage['sandtable.claims']")) == sent[:1]
    page.close()


def test_clocks_stand_beside_the_players_and_count_on(visit: Any, hall: Server) -> None:
    battle = hall.begin(**TWO, minutes=30)
    page = visit(battle).watch().page
    clocks = page.get_by_role("timer")
    assert clocks.count() == 2
    before = clocks.all_inner_texts()
    counted = "before => [...document.querySelectorAll('[role=timer]')].some((t, i) => t.innerText !== before[i])"
    page.wait_for_function(counted, arg=before)
