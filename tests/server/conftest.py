"""One server for all tests that do it no harm; whoever kills one starts their own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from server.live import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(autouse=True)
def free_loop() -> Iterator[None]:
    """A browser of other tests leaves its loop marked as the one that runs, and needs it so."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)
