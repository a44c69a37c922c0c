"""Lines that break at the wrong moment, die without a word or are refused, and logs that tell much at one place."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from browser.table import Table
from browser.test_late import wait_for
from server.live import Battle, Client, Server, until

TWO = {"system": "w40k10", "made_up": True, "seed": 1, "seats": ["mine", "mine"], "takebacks": "free"}
#: Until all that was said before is replied to.
SAID = "() => document.querySelector('canvas').game.ask({say: 'card', unit: 0}).then(() => true)"
NUMBERS = "return game.log.map(line => line.id)"


class Line:
    """A line that somebody may listen to, change, cut, or let die: then nothing passes, and nothing is closed."""

    def __init__(self, table: Table) -> None:
        self.dead = False
        self.lines = 0
        """So often the page has come to the server."""
        self.said: list[dict[str, Any]] = []
        self.told: Callable[[int, dict[str, Any]], dict[str, Any] | None] = lambda line, told: told
        """What becomes of a message of the server; nothing for one that is lost."""
        table.page.route_web_socket("**/socket", self._speak)

    def cut(self) -> None:
        self._route.close(code=1011)

    def tell(self, told: dict[str, Any]) -> None:
        self._route.send(json.dumps(told))

    def heard(self, what: str) -> list[dict[str, Any]]:
        return [one for one in self.said if one["say"] == what]

    def _speak(self, route: Any) -> None:
        self._route, server = route, route.connect_to_server()
        self.lines += 1
        number, lost = self.lines, self.dead

        def passes() -> bool:
            """What once was dead never says anything again."""
            nonlocal lost
            lost = lost or self.dead
            return not lost

        def from_page(text: str) -> None:
            self.said.append(json.loads(text))
            if passes():
                server.send(text)

        def from_server(text: str) -> None:
            told = self.told(number, json.loads(text))
            if told is not None and passes():
                route.send(json.dumps(told))

        route.on_message(from_page)
        server.on_message(from_server)


def until_page(table: Table, done: Callable[[], bool]) -> None:
    """Wait for what a line hears: the page has to be looked at meanwhile."""

    def so() -> bool:
        table.page.wait_for_timeout(20)
        return done()

    until(so)


def go_on(red: Client, blue: Client) -> Client:
    """Answer what is asked; gives who did."""
    mover, other = (red, blue) if red.now["waiting"][0]["player"] == 0 else (blue, red)
    mover.go_on()
    other.hear_until(lambda told: "open" in told)
    return mover


def test_a_hundred_sentences_at_one_place_of_the_log_are_all_told(join: Any, hall: Server) -> None:
    battle = hall.begin(**TWO)
    with battle.sit(0) as red, battle.sit(1) as blue:
        for _ in range(8):
            go_on(red, blue)
    table = join(battle, battle.tokens[0])
    line = Line(table)
    places: list[int] = []

    def tell_much(_: int, told: dict[str, Any]) -> dict[str, Any]:
        if told["say"] == "events" and told.get("to"):
            kinds = [event["event"] for event in told["events"]]
            # The next event has a line of its own.
            places.append(next(n for n, kind in enumerate(kinds) if kind != "answered" and kinds[n + 1] == "told"))
            said = "\n".join(f"Burnt, number {n}." for n in range(120))
            told["said"] = [*(one for one in told["said"] if one[0] != places[0]), [places[0], said]]
        return told

    line.told = tell_much
    table.watch()
    table.page.get_by_text("Burnt, number 119.").wait_for(state="attached")
    numbers = table.ask(NUMBERS)
    assert len(set(numbers)) == len(numbers)
    assert numbers == sorted(numbers)
    # A sentence about what is taken back next comes after all of them.
    assert all(number < places[0] + 0.5 for number in numbers if number < places[0] + 1)


def test_a_line_that_breaks_before_the_story_has_come_tells_it_once(join: Any, hall: Server) -> None:
    battle = hall.begin(**TWO)
    with battle.sit(0) as red, battle.sit(1) as blue:
        for _ in range(8):
            mover = go_on(red, blue)
        table = join(battle, battle.tokens[0])
        line = Line(table)
        lost: list[int] = []

        def lose_the_story(number: int, told: dict[str, Any]) -> dict[str, Any] | None:
            if number == 1 and told["say"] == "events" and told.get("to"):
                lost.append(told["to"])
                return None
            return told

        line.told = lose_the_story
        table.watch()
        until_page(table, lambda: bool(lost))
        assert mover.ask("take_back")["say"] == "done"
        line.cut()
        # What was not replied to is said again, and who comes back to a changed past asks anew.
        until_page(table, lambda: len(line.heard("events")) == 3)
        wait_for(table, "game.online && game.log.length")
        table.page.wait_for_function(SAID)
        numbers = table.ask(NUMBERS)
        assert len(set(numbers)) == len(numbers)
        go_on(red, blue)
        table.page.wait_for_function("n => document.querySelector('canvas').game.log.length > n", arg=len(numbers))


def test_what_happens_after_a_take_back_is_told_once_though_the_story_comes_late(join: Any, hall: Server) -> None:
    battle = hall.begin(**TWO)
    with battle.sit(0) as red, battle.sit(1) as blue:
        for _ in range(8):
            mover = go_on(red, blue)
        table = join(battle, battle.tokens[0])
        line = Line(table)
        late: list[dict[str, Any]] = []

        def late_story(_: int, told: dict[str, Any]) -> dict[str, Any] | None:
            if told["say"] == "events" and told.get("to") and not late:
                late.append(told)
                return None
            return told

        line.told = late_story
        table.watch()
        until_page(table, lambda: bool(late))
        assert mover.ask("take_back")["say"] == "done"
        (blue if mover is red else red).hear_until(lambda told: told["say"] == "rewound")
        go_on(red, blue)
        with hall.watch(battle=battle.id) as watcher:
            now = watcher.ask("events", since=0)
        wait_for(table, "game.log.length && !game.telling")
        table.page.wait_for_function(SAID)
        line.tell({**now, "to": late[0]["to"]})
        table.page.wait_for_function("() => document.querySelector('canvas').game.log[0].id < 1")
        numbers = table.ask(NUMBERS)
        assert len(set(numbers)) == len(numbers)


def test_a_line_that_died_without_a_word_is_noticed_and_the_answer_counts_once(sit: Any) -> None:
    table = sit()
    line = Line(table)
    page = table.page
    page.clock.install()
    table.open()
    asked = table.decision
    # As long as nothing is said, the server is asked for a word now and then, and whatever it says will do.
    for times in (2, 3):
        page.clock.fast_forward(30_000)
        until_page(table, lambda times=times: len(line.heard("hello")) == times)
        page.wait_for_function(SAID)
    assert (line.lines, table.ask("return [game.online, game.note]")) == (1, [True, ""])
    line.dead = True
    page.keyboard.press(" ")
    until_page(table, lambda: len(line.heard("answer")) == 1)
    page.clock.fast_forward(30_000)
    until_page(table, lambda: len(line.heard("hello")) == 4)
    assert table.ask("return [game.online, game.busy]") == [True, True]
    page.clock.fast_forward(40_000)
    page.get_by_text("Nothing is heard from the server. Trying again.").wait_for()
    # The next line dies as well, before it has said a word.
    page.clock.fast_forward(10_000)
    until_page(table, lambda: line.lines == 2)
    line.dead = False
    page.clock.fast_forward(120_000)
    page.clock.fast_forward(10_000)
    wait_for(table, "game.online")
    page.wait_for_function("before => document.querySelector('canvas').game.decision?.id !== before", arg=asked["id"])
    answers = line.heard("answer")
    assert len({one["nonce"] for one in answers if one["decision"] == asked["id"]}) == 1
    assert line.lines == 3


def test_who_is_turned_away_reads_why_and_comes_in_once_there_is_room(join: Any, hall: Server) -> None:
    battle: Battle = hall.begin(**TWO)
    with ExitStack() as leaving:
        others = [leaving.enter_context(battle.sit(0)) for _ in range(8)]
        page = join(battle, battle.tokens[0]).page
        page.goto(f"{hall.address}/#battle/{battle.id}")
        page.get_by_text("8 are connected there already; close one of them first. Trying again.").wait_for()
        others[0].leave()
        page.get_by_label("The table", exact=True).wait_for()
