"""Kill a server again and again while it is played on, and look what is left: `make kills`."""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from server.live import PATIENCE, Battle, Client, Server

MOST_BETWEEN = 12
"""Answers that are accepted at most before the next kill..."""
LONGEST = 0.1
"""...and seconds that pass then."""


class Stubborn(threading.Thread):
    """A client that plays a seat whatever happens: it connects again, and sends again what was not confirmed."""

    def __init__(self, server: Server, battle: Battle, player: int) -> None:
        super().__init__(daemon=True)
        self.server, self.battle, self.player = server, battle, player
        self.accepted: list[tuple[int, str]] = []
        """What the server said would be kept."""
        self.unsure: dict[str, Any] | None = None
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
        with Client(self.server, token=self.battle.tokens[self.player]) as seat:
            assert seat.welcome["say"] == "welcome", seat.welcome
            if self.unsure is not None:
                self._send(seat, self.unsure)
            while not self.done.is_set():
                if seat.now["result"] is not None:
                    self.over = True
                    return
                if not seat.open:
                    seat.hear()
                    continue
                asked = seat.open[0]
                answer = plain(asked)
                verdict = seat.ask("check", decision=asked["id"], answer=answer).get("verdict")
                if verdict is None or not verdict["ok"]:
                    told = seat.ask("default", decision=asked["id"])
                    if told["say"] == "refused":
                        continue
                    answer = told["ideas"][0]["answer"]
                self._send(seat, {"decision": asked["id"], "answer": answer, "nonce": f"n{asked['id']}"})

    def _send(self, seat: Client, answer: dict[str, Any]) -> None:
        self.unsure = answer
        told = seat.ask("answer", **answer)
        # Sent again, it may be accepted again; it is never refused once it was accepted.
        assert told["say"] == "accepted", (answer, told)
        self.accepted.append((answer["decision"], answer["nonce"]))
        self.unsure = None
        if not told["again"]:
            seat.hear_until(lambda heard: "open" in heard)


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


def play_and_kill(server: Server, kills: int, seed: int, battles: int = 2) -> int:
    """Play some battles, kill the server at random moments, and look what is left; gives how much was accepted."""
    with server:
        return _play_and_kill(server, kills, random.Random(seed), battles)


def _play_and_kill(server: Server, kills: int, rng: random.Random, battles: int) -> int:
    tables = [begin(server, rng) for _ in range(battles)]
    over: list[list[Stubborn]] = []
    for _ in range(kills):
        for place, table in enumerate(tables):
            if any(player.over for player in table):
                # There must be something to lose.
                over.append(table)
                tables[place] = begin(server, rng)
        wanted = accepted(tables) + rng.randrange(1, MOST_BETWEEN)
        wait_for(lambda: accepted(tables) >= wanted, tables)  # noqa: B023
        time.sleep(rng.random() * LONGEST)
        server.kill()
        server.start()
    # Nobody is stuck: every battle goes on after the last kill, unless it is over.
    for table in tables:
        before = accepted([table])
        wait_for(lambda: accepted([table]) > before + 1, [table])  # noqa: B023
    for table in tables:
        for player in table:
            player.done.set()
    server.kill()
    for table in [*over, *tables]:
        for player in table:
            player.join(PATIENCE)
            if player.trouble is not None:
                raise player.trouble
    server.start()
    for table in [*over, *tables]:
        look_at(table[0].battle, table)
    return accepted([*over, *tables])


def begin(server: Server, rng: random.Random) -> list[Stubborn]:
    """A new battle and who plays it."""
    battle = server.begin(made_up=True, seed=rng.randrange(1 << 30), seats=["mine", "mine"])
    players = [Stubborn(server, battle, player) for player in (0, 1)]
    for player in players:
        player.start()
    return players


def accepted(tables: list[list[Stubborn]]) -> int:
    """How many answers the server said it would keep."""
    return sum(len(player.accepted) for table in tables for player in table)


def wait_for(done: Callable[[], bool], tables: list[list[Stubborn]]) -> None:
    """Wait for something to happen, unless all battles are over."""
    end = time.monotonic() + PATIENCE
    while not done() and not all(any(player.over for player in table) for table in tables):
        for trouble in (player.trouble for table in tables for player in table):
            if trouble is not None:
                raise trouble
        assert time.monotonic() < end, "the battle is stuck"
        time.sleep(0.005)


def look_at(battle: Battle, players: list[Stubborn]) -> None:
    """Every answer that was accepted is in the battle, once."""
    with battle.server.watch(battle=battle.id) as watcher:
        told = watcher.ask("events", since=0)
        answered = [event["decision"] for event in told["events"] if event["event"] == "answered"]
    assert len(set(answered)) == len(answered)
    for player in players:
        missing = {decision for decision, _ in player.accepted} - set(answered)
        assert not missing, f"lost: {missing} of {len(answered)}"


def main() -> None:
    began, kills = time.monotonic(), int(os.environ.get("SANDTABLE_KILLS", "10"))
    with tempfile.TemporaryDirectory() as folder:
        kept = play_and_kill(Server(Path(folder)), kills, seed=1, battles=6)
    print(json.dumps({"kills": kills, "accepted": kept, "lost": 0, "seconds": round(time.monotonic() - began)}))


if __name__ == "__main__":
    main()
