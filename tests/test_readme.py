"""What the documentation shows really runs."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

from sandtable import systems
from sandtable.battle.judging import run_scenario
from sandtable.battle.scenario import read_scenario

ROOT = Path(__file__).parents[1]
needs_w40k10 = pytest.mark.skipif("w40k10" not in systems.known(), reason="w40k10 cannot be played yet")


@needs_w40k10
@pytest.mark.parametrize("name", ["README.md", "docs/python.md"])
def test_the_examples_in_the_documents_run(name: str) -> None:
    tried = doctest.testfile(str(ROOT / name), module_relative=False)
    assert tried.attempted > 5
    assert tried.failed == 0


@needs_w40k10
@pytest.mark.parametrize(("number", "system"), [(0, "w40k10"), (1, "w40k8"), (2, "w40k11")])
def test_the_scenarios_in_the_documentation_come_true(number: int, system: str) -> None:
    text = (ROOT / "docs" / "scenarios.md").read_text()
    example = re.findall(r"```yaml\n(scenario: .*?)```", text, re.DOTALL)[number]
    outcome = run_scenario(read_scenario(example, "docs/scenarios.md"), systems.get(system))
    assert outcome.failures == []


@needs_w40k10
def test_the_rule_in_the_guide_is_the_one_in_the_code() -> None:
    from sandtable.systems.w40k10 import movement_phase

    source = inspect.getsource(movement_phase.open_to_free)
    assert source in (ROOT / "CONTRIBUTING.md").read_text()


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
)
def test_links_between_the_documents_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text()
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if not link.startswith("https://")]
    made = {"docs/picture.svg", "docs/scenarios/README.md"}
    for link in links:
        target = (ROOT / name).parent / link
        assert target.exists() or str(target.relative_to(ROOT)) in made, f"{name}: {link}"


def seams_of_the_guide() -> list[tuple[str, str]]:
    """The seams that the guide lists, each with where it says that it stands: a file, or a folder of files."""
    rows = [
        line.split("|")[1] for line in (ROOT / "CONTRIBUTING.md").read_text().splitlines() if line.startswith("| `")
    ]
    return [
        (name, place)
        for row in rows
        for names, place in re.findall(r"((?:`\w+`(?:, )?)+) \(`([\w/.]+)`\)", row)
        for name in re.findall(r"`(\w+)`", names)
    ]


@pytest.mark.parametrize(("name", "place"), seams_of_the_guide())
def test_a_seam_stands_where_the_guide_says(name: str, place: str) -> None:
    where = ROOT / "src" / "sandtable" / place
    files = [where] if where.is_file() else sorted(where.glob("*.py"))
    assert [path.name for path in files if re.search(rf"^class {name}\b", path.read_text(), re.M)] != []


def test_the_guide_lists_every_seam_that_shared_code_asks_a_system_for() -> None:
    shared = [path for room in ("kit", "forty") for path in (ROOT / "src" / "sandtable" / room).rglob("*.py")]
    asked = {name for path in shared for name in re.findall(r"\.seam\((\w+)\)", path.read_text())}
    assert sorted(asked - {name for name, _ in seams_of_the_guide()}) == []
