"""An example of a client: it plays a seat of a battle to the end, by nothing but the protocol (docs/protocol.md).

    python bot.py http://127.0.0.1:8000

begins a battle against the tactician and plays it. It asks the server for an idea and takes the best; a cleverer bot
looks at `view`, `events` and the options of the decision, and asks `check` whether what it wants is legal.
"""

from __future__ import annotations

import itertools
import json
import secrets
import sys
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def begin(server: str, **wish: Any) -> dict[str, Any]:
    """Begin a battle; the reply has the tokens of the seats."""
    body = json.dumps(wish).encode()
    with urlopen(Request(f"{server}/api/battles", body, {"content-type": "application/json"})) as reply:
        told: dict[str, Any] = json.load(reply)
        return told


def play(server: str, token: str) -> dict[str, Any]:
    """Play a seat until the battle is over; gives the result."""
    with connect(server.replace("http", "ws", 1) + "/socket", max_size=None) as socket:
        numbers = itertools.count(1)

        def say(what: str, **fields: Any) -> None:
            socket.send(json.dumps({"say": what, **fields}))

        say("hello", token=token)
        asked: set[int] = set()
        while True:
            heard: dict[str, Any] = json.loads(socket.recv(60))
            match heard["say"]:
                case "welcome" | "resumed" | "events" | "rewound":
                    if heard["result"] is not None:
                        return dict(heard["result"])
                    for decision in heard["open"]:
                        if decision["id"] not in asked:
                            asked.add(decision["id"])
                            say("ideas", decision=decision["id"], most=1, ask=next(numbers))
                case "ideas":
                    # A nonce makes it safe to send the same answer again after a disconnect.
                    answer, nonce = heard["ideas"][0]["answer"], secrets.token_hex(8)
                    say("answer", decision=heard["decision"], answer=answer, nonce=nonce)
                case "refused" | "farewell":
                    raise RuntimeError(heard["text"])


if __name__ == "__main__":
    battle = begin(sys.argv[1])
    mine = next(seat for seat in battle["seats"] if "token" in seat)
    print(battle["title"], "-", play(sys.argv[1], mine["token"]))
