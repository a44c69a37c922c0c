"""Files that were dropped on the page: what is wrong is told of what they are meant to be."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import sandtable
from sandtable.battle import journal
from sandtable.page import write_page
from sandtable.server.dropped import meant
from server.live import Server
from support.exports import FORMS, LEGION

SCENARIO = (Path(__file__).parents[1] / "browser" / "scenarios" / "turn.yaml").read_text()
TABLE = "id: mine\nname: Mine\npoints: [1000]\ntable: {size: [44, 60]}\n"
LIST = "name: Mine\nsystem: w40k10\npack: necrons\nfaction: necrons\nlimit: 1000\nunits: []\n"
BATTLE = journal.write(sandtable.new("epica", seed=3)).decode()


def without(text: str, field: str) -> str:
    """A file of which a line, or a field, is missing."""
    return "\n".join(line for line in text.splitlines() if not line.startswith(f"{field}:"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (SCENARIO, "scenario"),
        (without(without(SCENARIO, "question"), "at"), "scenario"),
        ("question: Who?\nunits: [\n", "scenario"),
        ("system: w40k10\ntable: {size: [44, 30]}\nunits: []\n", "scenario"),
        (TABLE, "table"),
        (without(TABLE, "points"), "table"),
        (LIST, "army list"),
        (without(LIST, "system"), "army list"),
        ("A poem", "army list"),
        (BATTLE, "battle"),
        (BATTLE[: len(BATTLE) // 2], "battle"),
        (BATTLE.replace('"entries"', '"entry"'), "battle"),
    ],
)
def test_a_file_tells_what_it_is_meant_to_be(text: str, kind: str) -> None:
    assert meant(text) == kind


@pytest.mark.parametrize("quote", ['\\"', '"\\\n', '""', '":'])
def test_a_damaged_file_of_quotes_is_looked_at_once(quote: str) -> None:
    begun = time.process_time()
    assert meant('{"scenario": 1, ' + quote * 40_000) == "scenario"
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("form", FORMS)
def test_lists_of_other_programs_are_army_lists(form: str) -> None:
    assert meant(FORMS[form](LEGION)) == "army list"


def test_the_server_sorts_files_of_any_kind_and_form(server: Server) -> None:
    damaged = b"\xff\xfe\x00{"
    files = [(SCENARIO, "scenario"), (TABLE, "table"), (LIST, "army list"), (BATTLE, "battle"), (damaged, "army list")]
    for file, kind in files:
        status, _, told = server.fetch("/api/dropped", file if isinstance(file, bytes) else file.encode())
        assert (status, json.loads(told)) == (200, {"kind": kind})


def sent(server: Server, path: str, text: str) -> str:
    """What is said of a file that was sent somewhere."""
    if path == "/api/replays":
        status, _, body = server.fetch(path, text.encode())
        told = json.loads(body)
    else:
        body_of = {"/api/lists": {"text": text}, "/api/battles": {"scenario": text}}
        status, told = server.post(path, body_of.get(path, {"system": "w40k10", "text": text}))
    assert status == 400, told
    return str(told["error"])


PATHS = ["/api/lists", "/api/battles", "/api/layouts", "/api/replays"]


@pytest.mark.parametrize("path", PATHS)
def test_a_broken_scenario_is_called_a_scenario_wherever_it_was_sent(server: Server, path: str) -> None:
    broken = without(SCENARIO, "at")
    assert sent(server, path, broken).startswith("The scenario")
    assert "at" in sent(server, path, broken)


@pytest.mark.parametrize("path", PATHS)
def test_a_broken_battle_is_called_a_battle_file(server: Server, path: str) -> None:
    assert sent(server, path, BATTLE[: len(BATTLE) // 2]).startswith("The file is not a battle file")


@pytest.mark.parametrize("path", PATHS)
def test_a_broken_table_is_called_a_table(server: Server, path: str) -> None:
    assert sent(server, path, TABLE.replace("[44, 60]", "[44]")).startswith("Your table")


def test_a_whole_file_of_another_kind_is_told_where_it_belongs(server: Server) -> None:
    belongs = "That is a scenario, and not an army list: drop it on the first page to play on from it."
    assert sent(server, "/api/lists", SCENARIO) == belongs
    assert sent(server, "/api/battles", LIST).startswith("That is an army list, and not a scenario")
    assert sent(server, "/api/battles", "system: chess\n").startswith("The scenario")


def test_a_page_that_replays_a_battle_is_told_from_the_file_of_the_battle(server: Server, tmp_path: Path) -> None:
    write_page(journal.read(BATTLE.encode(), "x"), tmp_path / "battle.html")
    page = (tmp_path / "battle.html").read_text()
    status, _, told = server.fetch("/api/dropped", page.encode())
    why = json.loads(told)["error"]
    assert (status, why.startswith("That is a page that replays a battle")) == (400, True)
    assert why.endswith("drop its file, which ends in .battle.")
    assert [sent(server, path, page) for path in PATHS] == [why] * len(PATHS)
    other = "<!DOCTYPE html><title>x</title>"
    assert sent(server, "/api/lists", other).startswith("That is a web page")
