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

from websockets.exceptions import ConnectionClosed

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
                except (OSError, ConnectionClosed, EOFError, TimeoutError):
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
                told = seat.ask("default", decision=asked["id"])
                if told["say"] == "refused":
                    continue
                self._send(
                    seat, {"decision": asked["id"], "answer": told["ideas"][0]["answer"], "nonce": f"n{asked['id']}"}
                )

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
    began = [server.begin(made_up=True, seed=rng.randrange(1000), seats=["mine", "mine"]) for _ in range(battles)]
    players = [Stubborn(server, battle, player) for battle in began for player in (0, 1)]
    for player in players:
        player.start()
    for _ in range(kills):
        # Not before it has something to lose.
        wanted = sum(len(p.accepted) for p in players) + rng.randrange(1, MOST_BETWEEN)
        wait_for(lambda: sum(len(p.accepted) for p in players) >= wanted, players)  # noqa: B023
        time.sleep(rng.random() * LONGEST)
        server.kill()
        server.start()
    # Nobody is stuck: every battle goes on after the last kill, unless it is over.
    for battle in began:
        seats = [p for p in players if p.battle is battle]
        before = sum(len(p.accepted) for p in seats)
        wait_for(lambda: sum(len(p.accepted) for p in seats) > before + 1, seats)  # noqa: B023
    for player in players:
        player.done.set()
    server.kill()
    for player in players:
        player.join(PATIENCE)
        assert player.trouble is None
    server.start()
    for battle in began:
        look_at(battle, [p for p in players if p.battle is battle])
    return sum(len(p.accepted) for p in players)


def wait_for(done: Callable[[], bool], players: list[Stubborn]) -> None:
    """Wait for something to happen, unless all battles are over."""
    end = time.monotonic() + PATIENCE
    while not done() and not all(p.over for p in players):
        assert not [p.trouble for p in players if p.trouble]
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
