"""The server over real sockets: how soon answers are accepted while many play, and how soon a move is judged."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect

from sandtable.errors import UserError

BATTLES: Final = 50
SECONDS: Final = 12.0
PAUSE: Final = (0.2, 0.8)
"""Seconds that a scripted player thinks, from and to."""
CHECKS: Final = 60
LISTS: Final = ("space-marines-2000-gunline", "orks-2000-horde")


def measure() -> dict[str, dict[str, Any]]:
    with _running() as address:
        answers, playing = asyncio.run(_play(address))
        checks = asyncio.run(_drag(address))
    answers.sort()
    late = answers[int(len(answers) * 0.95)] * 1000
    many = f"{playing} battles of two scripted players who think {PAUSE[0]} to {PAUSE[1]} s"
    return {
        "server_answer_ms": {
            "value": late,
            "limit": 150,
            "what": f"95% of answers are stored and confirmed within this; {many}; {len(answers)} answers",
        },
        "server_check_ms": {
            "value": statistics.median(checks) * 1000,
            "limit": 50,
            "what": "a move of a unit is judged while it is dragged, 2,000 points a side, median, over the socket",
        },
    }


@contextmanager
def _running() -> Iterator[str]:
    """A server in a process of its own; gives its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "sandtable.cli.main", "serve", "--port", "0", "--workers", "1"]
        database = ["--database", f"sqlite:///{folder}/battles.db", "--begins", "1000"]
        with subprocess.Popen([*command, *database], stdout=subprocess.PIPE, text=True, cwd=folder) as process:
            try:
                assert process.stdout is not None
                address = process.stdout.readline().split()[3]
                time.sleep(0.2)
                yield address
            finally:
                process.terminate()


def _begin(address: str, **wish: Any) -> list[str]:
    body = json.dumps({"seats": ["mine", "mine"], **wish}).encode()
    with urlopen(Request(f"{address}/api/battles", body, {"content-type": "application/json"})) as reply:
        return [seat["token"] for seat in json.load(reply)["seats"]]


async def _play(address: str) -> tuple[list[float], int]:
    """Play many battles for a while; gives how long each answer took, and how many were played until the end."""
    took: list[float] = []
    battles = [_begin(address, made_up=True, seed=seed) for seed in range(BATTLES)]
    # What works beside the server warms up first, this one last; and on a busy machine it takes a while to begin.
    with urlopen(f"{address}/api/odds/w40k10"):
        pass
    end = time.monotonic() + SECONDS
    players = [_player(address, token, end, random.Random(token), took) for tokens in battles for token in tokens]
    stayed = await asyncio.gather(*players)
    playing = sum(all(stayed[place : place + 2]) for place in range(0, len(stayed), 2))
    if playing < BATTLES:
        raise UserError(f"Only {playing} of {BATTLES} battles were played to the end of the measurement.")
    return took, playing


async def _player(address: str, token: str, end: float, rng: random.Random, took: list[float]) -> bool:
    """Play a seat; says whether it still played at the end."""
    async with connect(address.replace("http", "ws", 1) + "/socket", max_size=None) as socket:
        await _say(socket, "hello", token=token)
        now = json.loads(await socket.recv())
        numbers = itertools.count(1)
        while time.monotonic() < end and now.get("result") is None:
            if not now["open"]:
                try:
                    told = json.loads(await asyncio.wait_for(socket.recv(), max(0.1, end - time.monotonic())))
                except TimeoutError:
                    break
                now = told if "open" in told else now
                continue
            await asyncio.sleep(rng.uniform(*PAUSE))
            asked = now["open"][0]
            number, answer = next(numbers), _plain(asked)
            while True:
                began = time.perf_counter()
                await _say(socket, "answer", decision=asked["id"], answer=answer, nonce=str(number), ask=number)
                while (told := json.loads(await socket.recv())).get("to") != number:
                    now = told if "open" in told else now
                took.append(time.perf_counter() - began)
                if told["say"] != "refused":
                    break
                # Who is refused plays on with the usual answer: nobody leaves before the end.
                number, answer = next(numbers), await _usual(socket, asked["id"], next(numbers))
            while "open" not in (told := json.loads(await socket.recv())):
                pass
            now = told
        return now.get("result") is None


def _plain(asked: dict[str, Any]) -> Any:
    """An answer without a thought."""
    match asked["shape"]:
        case "choose":
            return asked["options"][0]["value"]
        case "move":
            return {"mode": asked["modes"][0]["name"], "paths": []}
        case "confirm":
            return False
        case "number":
            return asked["least"]
    return []


async def _drag(address: str) -> list[float]:
    """Set two large armies up, then ask about one move after the other."""
    tokens = _begin(address, armies=LISTS, layout="crossroads", seed=3)
    url = address.replace("http", "ws", 1) + "/socket"
    async with connect(url, max_size=None) as red, connect(url, max_size=None) as blue:
        now = {}
        for player, (socket, token) in enumerate(zip((red, blue), tokens, strict=True)):
            await _say(socket, "hello", token=token)
            now[player] = json.loads(await socket.recv())
        while True:
            player = now[0]["waiting"][0]["player"]
            socket = (red, blue)[player]
            asked = now[player]["open"][0]
            if asked["shape"] == "move" and len(asked["models"]) >= 10:
                return await _checks(socket, asked, now[player])
            await _answer(socket, asked)
            for other, listening in enumerate((red, blue)):
                while "open" not in (told := json.loads(await listening.recv())):
                    pass
                now[other] = told


async def _usual(socket: ClientConnection, decision: int, number: int) -> Any:
    """The answer that one key gives."""
    await _say(socket, "default", decision=decision, ask=number)
    while (told := json.loads(await socket.recv())).get("to") != number:
        pass
    return told["ideas"][0]["answer"]


async def _answer(socket: ClientConnection, asked: dict[str, Any]) -> None:
    """Give the answer that one key gives."""
    if asked["shape"] == "choose" and asked["kind"] == "move_with":
        answer = asked["options"][0]["value"]
    else:
        answer = await _usual(socket, asked["id"], 1)
    await _say(socket, "answer", decision=asked["id"], answer=answer, nonce=f"n{asked['id']}")


async def _checks(socket: ClientConnection, asked: dict[str, Any], now: dict[str, Any]) -> list[float]:
    """How long it takes to judge a whole unit that goes a little further each time."""
    await _say(socket, "ideas", decision=asked["id"], most=1, ask=2)
    while (told := json.loads(await socket.recv())).get("to") != 2:
        pass
    found = told["ideas"][0]["answer"]
    took = []
    for number in range(100, 100 + CHECKS):
        for path in found["paths"]:
            for leg in path["legs"]:
                leg["x"] += 3
        began = time.perf_counter()
        await _say(socket, "check", decision=asked["id"], answer=found, ask=number)
        while json.loads(await socket.recv()).get("to") != number:
            pass
        took.append(time.perf_counter() - began)
        await asyncio.sleep(0.03)
    return took


async def _say(socket: ClientConnection, what: str, **fields: Any) -> None:
    await socket.send(json.dumps({"say": what, **fields}))


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
