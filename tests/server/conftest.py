"""One server for all tests that do it no harm; whoever kills one starts their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.live import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running
