"""A server that really runs, in a process of its own, and clients that talk to it over real sockets."""

from __future__ import annotations

import atexit
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import IO, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec
from websockets.sync.client import ClientConnection, connect

from sandtable.server.protocol import AnyFromServer

HEARD = msgspec.json.Decoder(AnyFromServer)
"""Made here, once: clients in several threads must not make it at one time."""
PATIENCE = 60.0
"""Seconds after which something that should happen will not: other tests may have the machine to themselves."""


class Server:
    """A server process. It can be killed, and started again on what it left; `path` leads to more of its modules."""

    def __init__(self, folder: Path, database: str = "", *options: str, path: str = "") -> None:
        self.folder = folder
        known = (path, os.environ.get("PYTHONPATH", ""))
        self._environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, known))}
        self._options = options
        self.database = database or f"sqlite:///{folder}/battles.db"
        self.log = folder / "server.log"
        self._process: subprocess.Popen[str] | None = None
        self.address = ""
        # A test that fails leaves nobody behind.
        atexit.register(self.kill)

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop() if kind is None else self.kill()

    def start(self) -> Server:
        command = [sys.executable, "-m", "sandtable.cli.main", "serve", "--port", "0", "--verbose", "--cold"]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--workers", "1", "--begins", "100000", "--database", self.database, *self._options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self.folder,
                env=self._environment,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("Sandtable is at "), self.log.read_text()
        self.address = line.split()[3]
        # Requests are told there, too: a pipe that nobody empties stops who writes to it.
        Thread(target=_empty, args=(self._process.stdout,), daemon=True).start()
        until(lambda: self.get("/health")[0] == 200)
        return self

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """What a power cut does to a process: it does not get to say anything."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(PATIENCE)

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        return self._fetch(Request(self.address + path, headers=headers))

    def post(self, path: str, content: Any, **headers: str) -> tuple[int, Any]:
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        status, _, body = self._fetch(
            Request(self.address + path, data, {"content-type": "application/json", **headers})
        )
        return status, json.loads(body)

    def fetch(self, path: str, data: bytes) -> tuple[int, dict[str, str], bytes]:
        """What comes of sending a file."""
        return self._fetch(Request(self.address + path, data, {"content-type": "application/octet-stream"}))

    def _fetch(self, request: Request) -> tuple[int, dict[str, str], bytes]:
        try:
            with urlopen(request, timeout=PATIENCE) as reply:
                return reply.status, dict(reply.headers), reply.read()
        except HTTPError as error:
            with error:
                return error.code, dict(error.headers), error.read()
        except OSError:
            return 0, {}, b""

    def begin(self, **wish: Any) -> Battle:
        status, told = self.post("/api/battles", wish)
        assert status == 201, told
        return Battle(self, told)

    def watch(self, **hello: Any) -> Client:
        return Client(self, **hello)


class Battle:
    """A battle that began, with its secrets."""

    def __init__(self, server: Server, told: dict[str, Any]) -> None:
        self.server = server
        self.id = str(told["battle"])
        self.title = str(told["title"])
        self.watch = str(told["watch"])
        self.tokens = [seat.get("token", "") for seat in told["seats"]]
        self.invitations = [seat.get("invitation", "") for seat in told["seats"]]

    def sit(self, player: int = 0, **hello: Any) -> Client:
        return Client(self.server, token=self.tokens[player], **hello)


class Client:
    """Somebody who is connected. What is heard is kept; `now` is the last message that told where things stand."""

    def __init__(self, server: Server, **hello: Any) -> None:
        address = server.address.replace("http", "ws", 1)
        self._leaving = ExitStack()
        opened = connect(f"{address}/socket", max_size=None, open_timeout=PATIENCE)
        self.socket: ClientConnection = self._leaving.enter_context(opened)
        self.heard: list[dict[str, Any]] = []
        self.now: dict[str, Any] = {}
        self.raw: list[str] = []
        self._numbers = itertools.count(1)
        self.say("hello", **hello)
        self.welcome = self.hear()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.leave()

    def leave(self) -> None:
        with suppress(OSError):
            self._leaving.close()

    def say(self, what: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"say": what, **fields}))

    def hear(self) -> dict[str, Any]:
        """The next message."""
        text = self.socket.recv(PATIENCE)
        # Whatever is heard is what the documentation says.
        HEARD.decode(text)
        told: dict[str, Any] = json.loads(text)
        self.heard.append(told)
        self.raw.append(str(text))
        if "open" in told:
            self.now = told
        return told

    def hear_until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message that is the wanted one."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            told = self.hear()
            if wanted(told):
                return told
        raise TimeoutError

    def ask(self, what: str, **fields: Any) -> dict[str, Any]:
        """Say something, and hear what is replied."""
        number = next(self._numbers)
        self.say(what, ask=number, **fields)
        return self.hear_until(lambda told: told.get("to") == number)

    @property
    def open(self) -> list[dict[str, Any]]:
        return list(self.now["open"])

    def question(self) -> dict[str, Any]:
        """The question that this seat is asked, once it is."""
        while not self.open:
            self.hear()
        return self.open[0]

    def idea(self, decision: dict[str, Any]) -> Any:
        """A legal answer."""
        return self.ask("default", decision=decision["id"])["ideas"][0]["answer"]

    def answer(self, decision: dict[str, Any], answer: Any, nonce: str = "") -> dict[str, Any]:
        nonce = nonce or f"{decision['id']}"
        return self.ask("answer", decision=decision["id"], answer=answer, nonce=nonce)

    def go_on(self) -> dict[str, Any]:
        """Answer what is asked with the answer that one key gives, and hear what comes of it."""
        asked = self.question()
        told = self.answer(asked, self.idea(asked))
        assert told["say"] == "accepted", told
        self.hear_until(lambda heard: "open" in heard)
        return told


def _empty(pipe: IO[str]) -> None:
    """Read what nobody wants to know, to its end."""
    with pipe:
        for _ in pipe:
            pass


def until(done: Callable[[], bool]) -> None:
    """Wait for something to become so."""
    end = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)
