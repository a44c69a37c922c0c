"""Play on a server for a long time, come and go, and see whether it keeps anything that it should not: `make soak`."""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from server.kills import plain
from server.live import Battle, Client, Server

PLAYERS = 4
"""Threads that play, each one battle after the other."""
IDLE = 5.0
MAY_GROW = 1.1
"""By so much the memory may grow from the second third of the time to the last."""


def play_some(server: Server, rng: random.Random) -> int:
    """Begin a battle, play some of it with somebody watching, and leave in one way or another."""
    opponent = rng.choice(["mine", "mine", "default"])
    battle = server.begin(made_up=True, seed=rng.randrange(1 << 30), seats=["mine", opponent])
    sitting = [battle.sit(0), *([battle.sit(1)] if opponent == "mine" else []), server.watch(battle=battle.id)]
    given = 0
    try:
        for _ in range(rng.randrange(2, 25)):
            mover = next((client for client in sitting[:-1] if client.now["open"]), None)
            if mover is None:
                sitting[0].hear()
                continue
            given += move(mover)
            for client in sitting:
                while client.now["next"] < mover.now["next"]:
                    client.hear()
            if rng.random() < 0.1:
                sitting[0] = come_again(battle, sitting[0])
            if sitting[0].now["result"] is not None:
                break
        if rng.random() < 0.3:
            sitting[0].ask("take_back")
    finally:
        for client in sitting:
            if rng.random() < 0.5:
                client.socket.close_socket()
            client.leave()
    return given


def move(mover: Client) -> int:
    asked = mover.now["open"][0]
    answer = plain(asked)
    if not mover.ask("check", decision=asked["id"], answer=answer)["verdict"]["ok"]:
        answer = mover.idea(asked)
    assert mover.answer(asked, answer)["say"] == "accepted"
    mover.hear_until(lambda told: "open" in told)
    return 1


def come_again(battle: Battle, client: Client) -> Client:
    client.socket.close_socket()
    client.leave()
    return battle.sit(0, line=client.now["line"], since=client.now["next"])


def look(server: Server) -> dict[str, Any]:
    """What the server holds now."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    told: dict[str, Any] = json.loads(server.get("/health")[2])
    return told | {"mb": kilobytes / 1024, "files": len(os.listdir(f"/proc/{server.pid}/fd"))}


def soak(folder: Path, seconds: float) -> dict[str, Any]:
    """Play for so long; gives what there was to see."""
    with Server(folder, "", "--idle", str(IDLE)) as server:
        return watch(server, seconds)


def watch(server: Server, seconds: float) -> dict[str, Any]:
    before, end = look(server), time.monotonic() + seconds
    counted: list[int] = []
    troubles: list[BaseException] = []

    def keep_playing(seed: int) -> None:
        rng = random.Random(seed)
        try:
            while time.monotonic() < end:
                with suppress(ConnectionClosed):
                    counted.append(play_some(server, rng))
        except BaseException as error:
            troubles.append(error)

    threads = [threading.Thread(target=keep_playing, args=(seed,), daemon=True) for seed in range(PLAYERS)]
    for thread in threads:
        thread.start()
    seen = []
    while any(thread.is_alive() for thread in threads):
        time.sleep(1)
        seen.append(look(server))
    for trouble in troubles:
        raise trouble
    quiet = time.monotonic() + 60
    while (after := look(server))["battles"] and time.monotonic() < quiet:
        time.sleep(0.5)
    third = len(seen) // 3
    middle, last = (max(one["mb"] for one in part) for part in (seen[third : 2 * third], seen[2 * third :]))
    assert last <= middle * MAY_GROW, f"memory grows: {middle:.0f} MB, then {last:.0f} MB"
    assert after["battles"] == after["clients"] == 0
    assert after["tasks"] <= before["tasks"], (before, after)
    return {
        "seconds": round(seconds),
        "battles": len(counted),
        "answers": sum(counted),
        "mb": {"second third": round(middle), "last third": round(last)},
        "tasks": {"before": before["tasks"], "most": max(s["tasks"] for s in seen), "after": after["tasks"]},
        "files": {"before": before["files"], "after": after["files"]},
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps(soak(Path(place), float(os.environ.get("SANDTABLE_SOAK", "1800")))))
