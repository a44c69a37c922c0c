"""What the page about odds and its notebook show really runs."""

from __future__ import annotations

import doctest
import importlib.util
import json
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from sandtable import odds
from sandtable.cli.main import main

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "odds.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"\$ (sandtable odds \w+ .*?) --plot docs/(\S+)\n(.+)\n```", PAGE)
COMPARED = re.findall(r"\$ (sandtable compare .*?) --plot docs/(\S+)\n(.+)\n```", PAGE)
ALL = ("into", "need", "targets", "weapons", "leader", "cp", "exchange", "split", "sweep", "lists", "charge", "survive",
       "assault", "morale", "power")  # fmt: skip


def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_odds", DOCS / "build_odds.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_every_question_with_a_picture() -> None:
    assert [shlex.split(command)[2] for command, _, _ in COMMANDS] == list(ALL)
    for _, picture, headline in COMMANDS:
        assert (DOCS / picture).read_text(encoding="utf-8").startswith("<?xml")
        assert f"]({picture})" in PAGE
        assert headline.endswith(".")


def test_the_page_compares_editions_in_a_picture() -> None:
    ((command, picture, headline),) = COMPARED
    assert shlex.split(command)[2] == "10 boyz charge 5 intercessors"
    assert "10th edition" in (DOCS / picture).read_text(encoding="utf-8")
    assert "8th edition" in headline


@pytest.mark.parametrize("command", [command for command, _, _ in COMMANDS])
def test_the_commands_of_the_page_run(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*shlex.split(command)[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["headline"]


def test_the_python_of_the_page_runs() -> None:
    tried = doctest.testfile(str(DOCS / "odds.md"), module_relative=False)
    assert tried.attempted > 6
    assert tried.failed == 0


def test_the_link_of_the_page_opens() -> None:
    found = re.search(r"sandtable odds open (\S+)", PAGE)
    assert found is not None
    assert odds.open(found[1]).headline


def test_the_notebook_answers_six_questions_and_its_cells_run() -> None:
    stored = json.loads((DOCS / "odds-tutorial.ipynb").read_text(encoding="utf-8"))
    headings = [line for cell in stored["cells"] if cell["cell_type"] == "markdown" for line in cell["source"]]
    assert len([line for line in headings if re.match(r"## \d\. .*\?", line)]) == 6
    shown = [list(out.get("data", {})) for cell in stored["cells"] for out in cell.get("outputs", [])]
    assert sum("image/svg+xml" in kinds for kinds in shown) >= 6
    fresh = builder().run_cells(json.loads(json.dumps(stored)))
    for cell in fresh["cells"]:
        if cell["cell_type"] == "code" and not "".join(cell["source"]).startswith("from sandtable"):
            assert cell["outputs"], cell["source"]
