"""Rules with what they build on and with the scenarios that prove them."""

from __future__ import annotations

import json

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
