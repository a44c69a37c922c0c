"""Play on a server for a long time, come and go, and see whether it keeps anything that it should not: `make soak`."""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import linear_regression, median
from typing import Any

from websockets.exceptions import ConnectionClosed

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sandtable import systems
from sandtable.server.protocol import TOO_FREQUENT
from server.kills import plain
from server.live import Battle, Client, Server

PLAYERS = 4
"""Threads that play, each one battle after the other."""
IDLE = 5.0
WARM = 600.0
"""Seconds in which caches may fill."""
LATELY = 120.0
"""Seconds before that moment, and before the end, of which the median counts."""
LONG = 1200.0
"""Seconds before the end over which it is told how fast memory grew."""
MAY_GROW = 1.03
"""By so much the memory of the server, and that of its workers, may grow once it is warm."""
MAY_STAY_OPEN = 3
"""Files that may be open at the end beside those of the beginning: the database, its log, what workers hold."""

NOWHERE = "http://127.0.0.1:9/nobody"
"""A webhook that nobody answers at."""


def play_some(server: Server, rng: random.Random) -> int:
    """Begin a battle, play some of it with somebody watching, and leave in one way or another."""
    opponent = rng.choice(["mine", "invited", "default", "tactician"])
    wish: dict[str, Any] = {"system": rng.choice(sorted(systems.known())), "seed": rng.randrange(1 << 30)}
    wish |= {"made_up": rng.random() < 0.8, "seats": ["mine", opponent]}
    battle = begin(server, wish, timed=rng.random() < 0.3)
    people = [player for player, token in enumerate(battle.tokens) if token]
    sitting = [*(come(partial(battle.sit, player)) for player in people), come(partial(server.watch, battle=battle.id))]
    timed, given = bool(sitting[0].welcome["clocks"]), 0
    try:
        if rng.random() < 0.3:
            assert sitting[0].ask("hook", url=NOWHERE)["say"] == "hook"
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
        rng.choice(PARTINGS)(server, battle, sitting[0])
        if timed:
            # It would go on while nobody is there.
            sitting[0].ask("concede")
    finally:
        for client in sitting:
            if rng.random() < 0.5:
                client.socket.close_socket()
            client.leave()
    return given


def begin(server: Server, wish: dict[str, Any], timed: bool) -> Battle:
    """A battle, with clocks unless too many go on by themselves already; its invitation is accepted."""
    status, told = server.post("/api/battles", wish | ({"minutes": 60, "increment": 2} if timed else {}))
    battle = server.begin(**wish) if status == 400 and timed else Battle(server, told)
    if battle.invitations[1]:
        status, claimed = server.post("/api/claim", {"invitation": battle.invitations[1]})
        assert status == 200, claimed
        battle.tokens[1] = claimed["token"]
    return battle


def come(connect: Callable[[], Client]) -> Client:
    """Somebody who connects, and waits a little if so many have come just now."""
    while (client := connect()).welcome.get("code") == TOO_FREQUENT:
        client.leave()
        time.sleep(1)
    return client


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
    return come(partial(battle.sit, 0, line=client.now["line"], since=client.now["next"]))


def take_back(server: Server, battle: Battle, seat: Client) -> None:
    seat.ask("take_back")


def give_up(server: Server, battle: Battle, seat: Client) -> None:
    """Concede, and take the journal along."""
    seat.ask("concede")
    journal = server.get(f"/api/battles/{battle.id}/journal")
    # So many of one address are turned away as are meant to be.
    assert journal[0] in (200, 429)
    if journal[0] == 200:
        assert server.fetch("/api/replays", journal[2])[0] in (201, 429)


def give_orders(server: Server, battle: Battle, seat: Client) -> None:
    seat.ask("give_orders", text="default")


def plan_ahead(server: Server, battle: Battle, seat: Client) -> None:
    """Plan what is asked now, if anything is, and what never is."""
    ahead = [{"kind": one["kind"], "unit": one["unit"], "answer": plain(one)} for one in seat.open]
    ahead.append({"kind": "never", "unit": -1, "answer": None})
    assert seat.ask("queue", answers=ahead)["left"] == len(ahead)


def stop_the_clocks(server: Server, battle: Battle, seat: Client) -> None:
    seat.ask("pause")


def send_nonsense(server: Server, battle: Battle, seat: Client) -> None:
    """Also those who are refused must not leave anything behind."""
    for text in ("{", '{"say": "dance"}', "[" * 10_000):
        seat.socket.send(text)
        seat.hear_until(lambda told: told["say"] == "refused")
    assert server.post("/api/lists", {"text": "name: [\n"})[0] == 400
    assert server.post("/api/battles", {"scenario": "system: chess\n"})[0] == 400
    with server.watch(token="made up"):
        pass


def look_things_up(server: Server, battle: Battle, seat: Client) -> None:
    seat.ask("moment")
    seat.ask("card", unit=0)
    seat.ask("events", since=0)
    assert server.get(f"/battles/{battle.id}/replay")[0] in (200, 429)
    for page in ("/", "/api/battles", "/api/systems"):
        assert server.get(page)[0] == 200


PARTINGS: tuple[Callable[[Server, Battle, Client], None], ...] = (
    take_back,
    give_up,
    give_orders,
    plan_ahead,
    stop_the_clocks,
    send_nonsense,
    look_things_up,
)


def look(server: Server) -> dict[str, Any]:
    """What the server holds now."""
    told: dict[str, Any] = json.loads(server.get("/health")[2])
    workers = [int(pid) for pid in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()]
    return told | {
        "mb": megabytes(server.pid),
        "workers": len(workers),
        "workers mb": sum(map(megabytes, workers)),
        "files": len(os.listdir(f"/proc/{server.pid}/fd")),
        "threads": len(os.listdir(f"/proc/{server.pid}/task")),
    }


def megabytes(pid: int) -> float:
    """The memory of a process; none of one that is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0.0)


def soak(folder: Path, seconds: float) -> dict[str, Any]:
    """Play for so long; gives what there was to see."""
    assert seconds >= WARM + LATELY, f"a soak takes {WARM + LATELY:.0f} seconds at least: before that caches fill"
    with Server(folder, "", "--idle", str(IDLE), "--private-hooks") as server:
        return watch(server, seconds)


def watch(server: Server, seconds: float) -> dict[str, Any]:
    before, began = look(server), time.monotonic()
    end = began + seconds
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
    seen: list[dict[str, Any]] = []
    while any(thread.is_alive() for thread in threads) and not troubles:
        time.sleep(1)
        seen.append(look(server) | {"at": time.monotonic() - began})
        if len(seen) % 60 == 0:
            print(json.dumps({"played": len(counted)} | seen[-1]), file=sys.stderr)
    for trouble in troubles:
        raise trouble
    quiet = time.monotonic() + 60
    while (after := look(server))["battles"] and time.monotonic() < quiet:
        time.sleep(0.5)
    told = {
        "seconds": round(seconds),
        "battles": len(counted),
        "answers": sum(counted),
        "once warm": amid([one for one in seen if WARM - LATELY < one["at"] <= WARM]),
        "at the end": amid([one for one in seen if seconds - LATELY < one["at"] <= seconds]),
        "mb an hour": growth([one for one in seen if seconds - LONG < one["at"] <= seconds]),
        "before": before,
        "after": after,
        "most tasks": max(one["tasks"] for one in seen),
    }
    judge(told)
    return told


def amid(seen: list[dict[str, Any]]) -> dict[str, float]:
    """What was held in the middle of some looks."""
    return {what: round(median(one[what] for one in seen), 1) for what in ("mb", "workers mb", "files", "threads")}


def growth(seen: list[dict[str, Any]]) -> dict[str, float]:
    """By how much memory grew in an hour, by a line through some looks."""
    hours = [one["at"] / 3600 for one in seen]
    return {
        what: round(linear_regression(hours, [one[what] for one in seen]).slope, 1) for what in ("mb", "workers mb")
    }


def judge(told: dict[str, Any]) -> None:
    """Refuse what grew."""
    warm, last, before, after = (told[when] for when in ("once warm", "at the end", "before", "after"))
    for what in ("mb", "workers mb"):
        assert last[what] <= warm[what] * MAY_GROW, f"memory grows: {told}"
    assert after["battles"] == after["clients"] == 0, told
    assert after["tasks"] <= before["tasks"], told
    assert after["threads"] <= max(before["threads"], warm["threads"]), told
    assert after["files"] - 3 * after["workers"] <= before["files"] + MAY_STAY_OPEN, told


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps(soak(Path(place), float(os.environ.get("SANDTABLE_SOAK", "1800")))))
