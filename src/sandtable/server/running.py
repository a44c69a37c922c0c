"""Running the server: one process with an event loop, threads for engine and database, and workers beside it."""

from __future__ import annotations

import gc
import logging
import re
import socket
import sys
from collections.abc import Callable, Collection
from typing import Any, Final

import uvicorn

from sandtable import kernels
from sandtable.errors import UserError
from sandtable.server import limits, memory
from sandtable.server.app import create_app
from sandtable.server.hall import IDLE, Hall
from sandtable.server.store.store import Store
from sandtable.server.thinking import Thinking

SWITCH: Final = 0.0005
COLLECTING: Final = (20_000, 5, 5)
"""When circles of objects that nobody holds are looked for: young, older, all. Commands begin with far larger numbers,
for they end soon; a server would keep for hours what every request leaves behind."""
FAREWELL: Final = 5
"""Seconds that connections have to end when the server stops."""


KEPT: Final = re.compile(r"^/replays/[^/?]+")
UNNAMED: Final = "/replays/..."


def run(
    host: str,
    port: int,
    database: str,
    workers: int,
    ready: Callable[[str], None],
    *,
    begins_per_minute: int = limits.BEGINS_PER_MINUTE,
    idle: float = IDLE,
    private_hooks: bool = False,
    names: Collection[str] = (),
    forget: float = 0.0,
    warm: bool = True,
    verbose: bool = False,
) -> None:
    """Serve until somebody ends it; `ready` hears the address when battles can be played."""
    memory.keep_together()
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(levelname)s %(message)s")
    store = Store(database)
    try:
        bound = _bind(host, port)
    except UserError:
        store.close()
        raise
    number = bound.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    kernels.engage()
    # The event loop gets its turn soon, also while the engine is busy.
    sys.setswitchinterval(SWITCH)
    gc.set_threshold(*COLLECTING)
    _open_more()
    address = f"http://{shown}:{number}"
    app = create_app(
        lambda: Hall(store, Thinking(workers), idle, private_hooks, warm=warm, forget=forget),
        lambda: ready(address),
        begins_per_minute,
        [name.casefold() for name in names] if limits.is_own(host) else None,
    )
    uvicorn.Server(configured(app, verbose=verbose)).run(sockets=[bound])


class Discreet(logging.Filter):
    """Leaves out of the log of requests what only who sent a file knows: the name under which its replay is kept."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(KEPT.sub(UNNAMED, one) if isinstance(one, str) else one for one in record.args)
        return True


DISCREET: Final = Discreet()
"""One for all: a log that has it already does not take it twice."""


def configured(app: Any, *, verbose: bool = False, **more: Any) -> uvicorn.Config:
    """How every server listens and replies, with nothing that lets one client cost the others much."""
    config = uvicorn.Config(
        app,
        http=limits.Brisk,
        ws=limits.Patient,
        ws_max_size=limits.MAX_FRAME,
        # A thousand bytes may inflate to a million, before anything counts them and while everybody waits.
        ws_per_message_deflate=False,
        log_level="info" if verbose else "warning",
        # Addresses and times of everybody's requests are nobody's business, unless somebody looks for a fault.
        access_log=verbose,
        server_header=False,
        timeout_graceful_shutdown=FAREWELL,
        **more,
    )
    logging.getLogger("uvicorn.access").addFilter(DISCREET)
    return config


def _open_more() -> None:
    """Let as many connections be open as the machine allows; usually a process begins with far fewer."""
    try:
        import resource
    except ImportError:
        return  # not on this system
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.OPEN_FILES if hard == resource.RLIM_INFINITY else min(limits.OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit it: what the system itself would keep for a client that does not read is bounded, too.
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.MAX_IN_SYSTEM)
    try:
        bound.bind((host, port))
        bound.listen()  # who comes as soon as the address is told waits a moment instead of being refused
    except OSError as error:
        bound.close()
        raise UserError(f"Nobody can listen at {host}, port {port}: {error.strerror or error}.") from None
    bound.set_inheritable(False)
    return bound
