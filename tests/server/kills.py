"""Kill a server again and again while it is played on, and look what is left: `make kills`."""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from websockets.exceptions import WebSocketException

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from server.live import PATIENCE, Battle, Client, Server

MOST_BETWEEN = 12
"""Answers that are accepted at most before the next kill..."""
LONGEST = 0.1
"""...and seconds that pass then."""
LOOK = 10
"""After so many kills every battle that is not over must have gone on."""
SELDOM = 0.15
"""How often somebody does what is their habit."""
HOUR = 3600


class Habits(NamedTuple):
    """What a player does beside giving answers."""

    takes_back: bool = False
    """Takes an answer back now and then: nobody else is at the table who gives answers of their own."""
    plans: bool = False
    """Has the server give an answer that was planned, now and then."""
    dawdles: bool = False
    """Gives what is asked in secret only when the server was killed once since."""
    most: int = 0
    """Gives the battle up after so many answers; 0 for never."""


PLAIN = Habits()


class Stubborn(threading.Thread):
    """A client that plays a seat whatever happens: it connects again, and sends again what was not confirmed."""

    def __init__(self, server: Server, token: str, rng: random.Random, habits: Habits = PLAIN) -> None:
        super().__init__(daemon=True)
        self.server, self.token, self.habits = server, token, habits
        self._rng = random.Random(rng.random())
        self.accepted: list[int] = []
        """Questions whose answers the server said would be kept..."""
        self.taken_back: list[int] = []
        """...and those whose answers it said were taken back."""
        self.given = 0
        """How many answers were accepted; it only grows."""
        self.planned = 0
        self.held = 0
        """Secrets that were given while that of the other had waited over a kill."""
        self.unsure: dict[str, Any] | None = None
        self._line: int | None = None
        """The line that an answer is being taken back on."""
        self._since: dict[int, str] = {}
        """Where the server was when a secret was asked for."""
        self.hurry = threading.Event()
        """While it is set, nobody dawdles."""
        self.done = threading.Event()
        self.over = False
        self.trouble: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.done.is_set() and not self.over:
                try:
                    self._play()
                except (OSError, WebSocketException, EOFError, TimeoutError):
                    # Also in the middle of shaking hands the server may be gone.
                    time.sleep(0.02)
        except BaseException as error:
            self.trouble = error

    def _play(self) -> None:
        with Client(self.server, token=self.token) as seat:
            assert seat.welcome["say"] == "welcome", seat.welcome
            self._settle(seat)
            while not self.done.is_set():
                if seat.now["result"] is not None:
                    self.over = True
                    return
                if not seat.open:
                    seat.hear()
                elif self._waits(seat, seat.open[0]):
                    time.sleep(0.02)
                else:
                    self._do_something(seat, seat.open[0])

    def _settle(self, seat: Client) -> None:
        """Find out what became of what was under way when the server was killed."""
        if self._line is not None:
            self._note_take_back(seat)
        if self.unsure is not None:
            self._send(seat, self.unsure)
        if seat.welcome["queued"] and seat.open:
            self._hear_of_plan(seat, seat.open[0])

    def _waits(self, seat: Client, asked: dict[str, Any]) -> bool:
        """Whether a secret is kept until the server was killed."""
        if not (asked["secret"] and self.habits.dawdles):
            return False
        waits = self._since.setdefault(asked["id"], self.server.address) == self.server.address
        self.held += not waits and len(seat.now["waiting"]) == 1
        return waits and not self.hurry.is_set()

    def _do_something(self, seat: Client, asked: dict[str, Any]) -> None:
        answer = plain(asked)
        verdict = seat.ask("check", decision=asked["id"], answer=answer).get("verdict")
        if verdict is None or not verdict["ok"]:
            told = seat.ask("default", decision=asked["id"])
            if told["say"] == "refused":
                return
            answer = told["ideas"][0]["answer"]
        if self.habits.plans and self._rng.random() < SELDOM:
            told = seat.ask("queue", answers=[{"kind": asked["kind"], "unit": asked["unit"], "answer": answer}])
            assert told["say"] == "queue", told
            self._hear_of_plan(seat, asked)
            return
        self._send(seat, {"decision": asked["id"], "answer": answer, "nonce": f"n{asked['id']}"})
        if self.habits.takes_back and not asked["secret"] and self._rng.random() < SELDOM:
            self._line = seat.now["line"]
            seat.ask("take_back")
            self._note_take_back(seat)
        if 0 < self.habits.most <= self.given:
            seat.say("concede")
            seat.hear_until(lambda heard: heard.get("result") is not None)

    def _send(self, seat: Client, answer: dict[str, Any]) -> None:
        self.unsure = answer
        told = seat.ask("answer", **answer)
        # Sent again, it may be accepted again; it is never refused once it was accepted.
        assert told["say"] == "accepted", (answer, told)
        self._count(answer["decision"])
        self.unsure = None
        if not told["again"]:
            seat.hear_until(lambda heard: "open" in heard)

    def _count(self, decision: int) -> None:
        self.accepted.append(decision)
        self.given += 1

    def _note_take_back(self, seat: Client) -> None:
        """The last answer was taken back if the battle stands on another line."""
        before, self._line = self._line, None
        if seat.now["line"] != before:
            self.taken_back.append(self.accepted.pop())

    def _hear_of_plan(self, seat: Client, asked: dict[str, Any]) -> None:
        """Until the plan was carried out, or given up."""
        while asked["id"] in [one["id"] for one in seat.open]:
            told = seat.hear()
            if told["say"] == "queue" and told["text"]:
                return
        self._count(asked["id"])
        self.planned += 1


def plain(asked: dict[str, Any]) -> Any:
    """An answer without a thought, which no worker is needed for; often it is legal."""
    match asked["shape"]:
        case "choose":
            return asked["options"][0]["value"]
        case "move":
            return {"mode": asked["modes"][0]["name"], "paths": []}
        case "assign" | "choose_some":
            return []
        case "confirm":
            return False
        case "number":
            return asked["least"]
        case "order":
            return [option["value"] for option in asked["options"]]
    return None


class Table(NamedTuple):
    """A battle that is played."""

    what: str
    battle: Battle
    players: list[Stubborn]
    begin: Beginning

    @property
    def over(self) -> bool:
        return any(player.over for player in self.players)

    @property
    def given(self) -> int:
        """How many answers of people the server said it would keep."""
        return sum(player.given for player in self.players)


Beginning = Callable[[Server, random.Random], Table]


def sit_down(
    server: Server, rng: random.Random, what: str, begin: Beginning, habits: Sequence[Habits], **wish: Any
) -> Table:
    """Begin a battle, and have somebody play each seat that has habits."""
    battle = server.begin(seed=rng.randrange(1 << 30), **wish)
    for player, invitation in enumerate(battle.invitations):
        if invitation:
            status, claimed = server.post("/api/claim", {"invitation": invitation})
            assert status == 200, claimed
            battle.tokens[player] = claimed["token"]
    players = [Stubborn(server, token, rng, own) for token, own in zip(battle.tokens, habits, strict=False)]
    for one in players:
        one.start()
    return Table(what, battle, players, begin)


MINE = {"made_up": True, "seats": ["mine", "mine"]}
READY = {"armies": ["orks-1000-horde", "space-marines-1000-gunline"], "layout": "crossroads", "seats": ["mine", "mine"]}


def two_people(server: Server, rng: random.Random) -> Table:
    return sit_down(server, rng, "two people", two_people, [PLAIN] * 2, **MINE)


def with_clocks(server: Server, rng: random.Random) -> Table:
    return sit_down(server, rng, "with clocks", with_clocks, [PLAIN] * 2, **MINE, minutes=HOUR / 60)


def by_invitation(server: Server, rng: random.Random) -> Table:
    wish = {"system": "epica", "made_up": True, "seats": ["mine", "invited"]}
    return sit_down(server, rng, "by invitation", by_invitation, [PLAIN] * 2, **wish)


def against_a_computer(server: Server, rng: random.Random) -> Table:
    wish = {"made_up": True, "seats": ["mine", "tactician"], "takebacks": "free"}
    return sit_down(server, rng, "against a computer, with take-backs", against_a_computer, [Habits(True)], **wish)


def against_orders(server: Server, rng: random.Random) -> Table:
    """Nobody is at the other seat."""
    table = sit_down(server, rng, "against standing orders", against_orders, [PLAIN], **MINE)
    with table.battle.sit(1) as other:
        assert other.ask("give_orders", text='orders: [{for: "*", do: default}]')["say"] == "ordered"
    return table


def with_plans(server: Server, rng: random.Random) -> Table:
    return sit_down(server, rng, "with plans", with_plans, [Habits(plans=True)] * 2, **MINE)


def with_secrets(server: Server, rng: random.Random) -> Table:
    habits = [Habits(most=10), Habits(dawdles=True)]
    return sit_down(server, rng, "with secrets, given up soon", with_secrets, habits, **READY)


MIXED = (with_clocks, by_invitation, against_a_computer, against_orders, with_plans, with_secrets)


def play_and_kill(
    server: Server, kills: int, seed: int, beginnings: Sequence[Beginning] = (two_people, two_people)
) -> dict[str, Any]:
    """Play some battles, kill the server at random moments, and look what is left; gives what was done."""
    with server:
        return _play_and_kill(server, kills, random.Random(seed), beginnings)


def _play_and_kill(server: Server, kills: int, rng: random.Random, beginnings: Sequence[Beginning]) -> dict[str, Any]:
    tables = [begin(server, rng) for begin in beginnings]
    over: list[Table] = []
    looks = 0
    for number in range(1, kills + 1):
        for place, table in enumerate(tables):
            if table.over:
                # There must be something to lose.
                over.append(table)
                tables[place] = table.begin(server, rng)
        wanted = accepted(tables) + rng.randrange(1, MOST_BETWEEN)
        wait_for(lambda: accepted(tables) >= wanted, tables)  # noqa: B023
        time.sleep(rng.random() * LONGEST)
        server.kill()
        server.start()
        # Nobody is stuck: now and then, and after the last kill, every battle goes on.
        if number % LOOK == 0 or number == kills:
            looks += 1
            for table in tables:
                go_on(table)
    for table in tables:
        for player in table.players:
            player.done.set()
    server.kill()
    for table in [*over, *tables]:
        for player in table.players:
            player.join(PATIENCE)
            if player.trouble is not None:
                raise player.trouble
    server.start()
    for table in [*over, *tables]:
        look_at(table)
    everybody = [player for table in [*over, *tables] for player in table.players]
    return {
        "kills": kills,
        "battles": Counter(table.what for table in [*over, *tables]),
        "accepted": sum(player.given for player in everybody),
        "taken back": sum(len(player.taken_back) for player in everybody),
        "planned": sum(player.planned for player in everybody),
        "secrets over a kill": sum(player.held for player in everybody),
        "looks that all go on": looks,
        "lost": 0,
    }


def go_on(table: Table) -> None:
    """Wait until a battle has gone on, or is over."""
    before = table.given
    for player in table.players:
        player.hurry.set()
    wait_for(lambda: table.given > before + 1, [table])
    for player in table.players:
        player.hurry.clear()


def accepted(tables: list[Table]) -> int:
    """How many answers the server said it would keep."""
    return sum(table.given for table in tables)


def wait_for(done: Callable[[], bool], tables: list[Table]) -> None:
    """Wait for something to happen, unless all battles are over."""
    end = time.monotonic() + PATIENCE
    while not done() and not all(table.over for table in tables):
        for trouble in (player.trouble for table in tables for player in table.players):
            if trouble is not None:
                raise trouble
        assert time.monotonic() < end, f"stuck: {[table.what for table in tables]}"
        time.sleep(0.005)


def look_at(table: Table) -> None:
    """Every answer that was accepted is in the battle, once, and none that was taken back."""
    with table.battle.server.watch(battle=table.battle.id) as watcher:
        told = watcher.ask("events", since=0)
        answered = [event["decision"] for event in told["events"] if event["event"] == "answered"]
        left = [clock["left"] for clock in watcher.welcome["clocks"]]
    assert len(set(answered)) == len(answered)
    for player in table.players:
        missing = set(player.accepted) - set(answered)
        assert not missing, f"lost: {missing} of {len(answered)} ({table.what})"
        back = set(player.taken_back) & set(answered)
        assert not back, f"not taken back: {back} ({table.what})"
    # Nobody gets time back by a kill.
    assert not left or 0 < min(left) <= max(left) <= HOUR, left


def main() -> None:
    began, kills = time.monotonic(), int(os.environ.get("SANDTABLE_KILLS", "10"))
    with tempfile.TemporaryDirectory() as folder:
        told = play_and_kill(Server(Path(folder)), kills, seed=1, beginnings=MIXED)
    print(json.dumps(told | {"seconds": round(time.monotonic() - began)}))
    for habit in ("taken back", "planned", "secrets over a kill"):
        assert told[habit] or kills < 3 * LOOK, f"nothing was {habit}"


if __name__ == "__main__":
    main()
