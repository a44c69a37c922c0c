"""Rules with what they build on and with the scenarios that prove them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from sandtable.rules import ledger
from sandtable.rules.project import Project
from sandtable.server import proofs
from server.live import Server


def rule(server: Server, id_: str) -> dict[str, object]:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
    with battle.sit(0) as red:
        found: dict[str, object] = red.ask("rules", ids=[id_])["rules"][0]
    return found


def test_a_rule_names_those_that_it_builds_on_in_their_order(server: Server) -> None:
    assert rule(server, "w40k10.move.advance")["needs"] == [
        {"id": "w40k10.move.options_free", "name": "Options of an unengaged unit"},
        {"id": "w40k10.move.distance", "name": "Measuring a move"},
    ]


def test_a_rule_names_the_scenarios_that_prove_it(server: Server) -> None:
    assert rule(server, "epica.crossfire.save")["proofs"] == [
        {"id": "epica/crossfire", "title": "Caught between two fires"}
    ]


def test_a_scenario_that_proves_a_rule_can_be_begun(server: Server) -> None:
    status, _, body = server.get("/api/scenarios/epica/crossfire")
    assert status == 200
    battle = server.begin(scenario=json.loads(body)["text"], seats=["mine", "mine"])
    with battle.sit(0) as red:
        assert red.welcome["ground"]["system"] == "epica"


def test_there_are_no_others(server: Server) -> None:
    assert server.get("/api/scenarios/epica/nothing")[0] == 400
    assert server.get("/api/scenarios/..%2F..%2Ftests/support")[0] == 404


def test_every_window_can_be_asked_for_on_the_first_page(server: Server) -> None:
    offered = json.loads(server.get("/api/systems")[2])
    assert [system["options"][0]["values"] for system in offered] == [["matter", "all"]] * len(offered)


def test_a_rule_names_the_tests_that_prove_it_those_of_its_system_first(server: Server) -> None:
    tests = rule(server, "w40k10.concept.coherency_move")["tests"]
    assert isinstance(tests, list)
    assert {str(tested["file"]).partition("/")[0] for tested in tests} == {"tests"}
    assert tests[0]["file"].startswith("tests/w40k10/")
    assert "_" not in tests[0]["name"]
    status, _, page = server.get("/rules/w40k10.concept.coherency_move")
    assert (status, tests[0]["file"] in page.decode()) == (200, True)


def test_a_rule_names_all_that_is_beneath_it(server: Server) -> None:
    beneath_it = set(beneath(server, "w40k10.move.advance"))
    assert beneath_it > {"w40k10.move.options_free", "w40k10.move.distance"}
    assert beneath_it.issuperset(beneath(server, "w40k10.move.distance"))


def beneath(server: Server, id_: str) -> list[str]:
    found = rule(server, id_)["beneath"]
    assert isinstance(found, list)
    return found


def test_of_rules_that_build_on_each_other_none_is_beneath_the_other(server: Server) -> None:
    rows = ledger.load("epica") | ledger.load("w40k10") | ledger.load("w40k11") | ledger.load("w40k8")
    one, other = next((row, n) for row in rows.values() for n in row.needs if row.id in rows[n].needs)
    assert other not in beneath(server, one.id)
    assert one.id not in beneath(server, other)


def test_tests_are_read_once_for_all_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs._files_of_tests.cache_clear()
    read: list[Path] = []
    plain = Path.read_text

    def reading(path: Path, *how: Any) -> str:
        read.append(path)
        return plain(path, *how)

    monkeypatch.setattr(Path, "read_text", reading)
    rows = list(ledger.load("epica"))[:20]
    found = [proofs.tests_of.__wrapped__(id_) for id_ in rows]
    assert any(found)
    # Once to see which rules each names, and once more those that name one of these.
    assert max(map(read.count, read)) <= 2


def test_an_installed_package_brings_its_scenarios_along(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "sandtable"
    shutil.copytree(Project.here().root / "docs" / "scenarios", package / "scenarios")
    monkeypatch.setattr(Project, "here", lambda: Project(root=tmp_path / "elsewhere", package=package))
    assert "Caught between two fires" in proofs.text_of("epica/crossfire")
    assert proofs.tests_of.__wrapped__("epica.crossfire.save") == ()
