"""A real server with the built page, and a real browser; where one of them is missing, a sentence says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from browser import chromium as browsers
from browser.table import PATIENCE, Table, complaints
from sandtable.server import pages
from server.live import Battle, Server

DESK, TABLET, PHONE = (1280, 720), (1024, 768), (390, 844)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser."""
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install playwright")
    if browsers.path() is None:
        pytest.skip("There is no Chromium here; Debian's package is called chromium.")
    if not (pages.STATIC / pages.FIRST).is_file():
        pytest.skip("The browser table is not built; say `make page`, which needs Node 20.")
    with browsers.running() as browser:
        yield browser


@pytest.fixture(scope="session")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server."""
    with Server(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture
def window(chromium: Any) -> Iterator[Callable[..., Any]]:
    """A window of somebody who was never here: `window(PHONE, touch=True)`. It may complain of refusals alone."""
    contexts: list[Any] = []
    found: list[list[str]] = []

    def open_one(size: tuple[int, int] = DESK, *, touch: bool = False, **how: Any) -> Any:
        contexts.append(chromium.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=touch, **how))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        found.append(complaints(page))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [line for heard in found for line in heard if "status of 400" not in line] == []


@pytest.fixture
def first(window: Callable[..., Any], hall: Server) -> Any:
    """The first page as somebody sees it who was never here."""
    page = window()
    # What comes after the list of battles is the first that keeps the page busy.
    with page.expect_response("**/api/battles"):
        page.goto(hall.address)
    page.get_by_label("Your army").wait_for()
    return page


@pytest.fixture
def join(chromium: Any) -> Iterator[Any]:
    """A window at a battle: `join(battle, token)`. No window may complain on its console."""
    tables: list[Table] = []

    def at(battle: Battle, token: str, size: tuple[int, int] = DESK, **how: Any) -> Table:
        tables.append(Table(chromium, battle.server.address, battle.id, token, size, **how))
        return tables[-1]

    yield at
    for table in tables:
        table.close()
    assert [line for table in tables for line in table.complaints] == []


@pytest.fixture(scope="session")
def moments(hall: Server) -> Callable[..., str]:
    """Scenario files of the moment at which a kind of question is first asked in a battle; each is played to once."""
    found: dict[str, str] = {}

    def moment(kind: str, **wish: Any) -> str:
        named = json.dumps([kind, wish], sort_keys=True)
        if named not in found:
            with hall.begin(**wish).sit() as red:
                while red.question()["kind"] != kind:
                    red.go_on()
                found[named] = red.ask("moment")["text"]
        return found[named]

    return moment


@pytest.fixture
def sit(join: Any, hall: Server, moments: Callable[..., str]) -> Any:
    """Sit down at a new battle in a window of some size: `sit(seed=3)`; `at` the first question of a kind."""

    def begin(size: tuple[int, int] = DESK, *, touch: bool = False, delay: int = 0, at: str = "", **wish: Any) -> Table:
        wanted = {"seed": 3, "seats": ["mine", "default"], **wish}
        if at:
            wanted = {"scenario": moments(at, **wanted), "seed": wanted["seed"], "seats": wanted["seats"]}
        battle = hall.begin(**wanted)
        return join(battle, battle.tokens[0], size, touch=touch, delay=delay)

    return begin
