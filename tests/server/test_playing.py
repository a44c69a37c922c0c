"""Whole battles over real sockets, and what a seat can ask while it plays."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import pytest

from sandtable import systems
from sandtable.battle.scenario import open_scenario, read_scenario
from server import bot
from server.live import Battle, Client, Server

TURN = Path(__file__).parents[1] / "browser" / "scenarios" / "turn.yaml"
"""A moment of 1,000 points a side."""


def test_the_example_bot_plays_a_battle_against_the_tactician_to_its_end(server: Server) -> None:
    began = bot.begin(server.address, made_up=True, seed=11)
    result = bot.play(server.address, began["seats"][0]["token"])
    assert result["reason"]
    assert [b["result"] for b in listed(server) if b["battle"] == began["battle"]] == [result]


@pytest.mark.parametrize("system", ["w40k10", "epica"])
def test_two_people_play_with_a_spectator_of_the_same_events(server: Server, system: str) -> None:
    battle = server.begin(system=system, made_up=True, seed=3, seats=["mine", "mine"])
    with battle.sit(0) as red, battle.sit(1) as blue, server.watch(battle=battle.id) as watcher:
        for _ in range(8):
            (red if 0 in asked(red) else blue).go_on()
            catch_up(red, blue, watcher)
        assert watcher.now["next"] == red.now["next"] == blue.now["next"] > watcher.welcome["next"]
        assert watcher.open == []


def test_computer_players_play_each_other_while_one_watches(server: Server) -> None:
    battle = server.begin(system="epica", made_up=True, seed=5, seats=["default", "random"])
    with server.watch(battle=battle.id) as watcher:
        watcher.hear_until(lambda told: told.get("next", 0) > watcher.welcome["next"])
        assert watcher.welcome["you"] == -1
        assert [seat["plays"] for seat in watcher.welcome["seats"]] == ["default", "random"]


def test_a_client_that_comes_back_hears_only_what_it_missed(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
    with battle.sit(0) as red, battle.sit(1) as blue:
        line, since = red.now["line"], red.now["next"]
        red.leave()
        mover = blue if 1 in asked(blue) else battle.sit(0)
        mover.go_on()
        with battle.sit(0, line=line, since=since) as again:
            assert again.welcome["say"] == "resumed"
            assert again.welcome["first"] == since
            assert len(again.welcome["events"]) == again.welcome["next"] - since > 0
        mover.leave()


def test_a_client_of_another_line_gets_the_whole_view(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
    with battle.sit(0, line=5, since=0) as red:
        assert red.welcome["say"] == "welcome"


def test_view_and_events_give_the_view_that_follows(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
    with battle.sit(0) as red, battle.sit(1) as blue:
        models = [row[:] for row in red.welcome["view"]["models"]]
        for _ in range(10):
            (red if 0 in asked(red) else blue).go_on()
            catch_up(red, blue)
        fold(models, [event for told in red.heard for event in told.get("events", ())])
    with battle.sit(0) as later:
        assert later.welcome["view"]["models"] == models != red.welcome["view"]["models"]


def test_an_illegal_answer_is_refused_with_reasons_rules_and_a_legal_one_nearby(server: Server) -> None:
    with beginning(server).sit(0) as red:
        move = red_moves(red)
        far = [leg(model, red, 60_000) for model in move["models"]]
        told = red.answer(move, {"mode": "normal", "paths": far})
        assert (told["say"], told["code"]) == ("refused", "illegal")
        reason = told["verdict"]["reasons"][0]
        assert reason["text"]
        assert reason["rules"]
        assert reason["facts"], reason
        assert told["verdict"]["instead"] is None
        near = red.hear_until(lambda heard: heard.get("to") == told["to"])
        assert (near["say"], near["verdict"]["reasons"]) == ("judged", told["verdict"]["reasons"])
        assert red.answer(move, near["verdict"]["instead"], "instead")["say"] == "accepted"


def test_a_place_is_judged_while_it_is_being_dragged_and_nothing_is_decided(server: Server) -> None:
    with beginning(server).sit(0) as red:
        move = red_moves(red)
        stay = {"mode": "normal", "paths": []}
        assert red.ask("check", decision=move["id"], answer=red.idea(move))["verdict"]["ok"]
        far = stay | {"paths": [leg(model, red, 60_000) for model in move["models"]]}
        refused = red.ask("check", decision=move["id"], answer=far)["verdict"]
        assert (refused["ok"], refused["instead"]) == (False, None)
        assert red.ask("check", decision=move["id"], answer=far, nearest=True)["verdict"]["instead"]["paths"]
        assert [d["id"] for d in red.open] == [move["id"]]


def test_ideas_places_chances_cards_and_reasons_can_be_asked_for(server: Server) -> None:
    with beginning(server).sit(0) as red:
        move = red_moves(red)
        ideas = red.ask("ideas", decision=move["id"], most=2)["ideas"]
        assert 1 <= len(ideas) <= 2
        assert all(idea["said"] and idea["why"] for idea in ideas)
        x, y = red.welcome["view"]["models"][move["models"][0]][:2]
        (there,) = red.ask("towards", decision=move["id"], x=x + 1024, y=y)["ideas"]
        assert red.ask("check", decision=move["id"], answer=there["answer"])["verdict"]["ok"]
        assert red.ask("towards", decision=move["id"], x=x, y=y, mode="fly")["code"] == "not_possible"
        assert red.ask("chance", decision=move["id"], answer=there["answer"])["say"] == "chance"
        assert red.ask("advise", decision=move["id"], aim="kills")["ideas"] == []
        assert red.ask("card", unit=move["unit"])["card"]["name"]
        assert red.ask("why", act="shoot", unit=move["unit"])["verdict"]["ok"] in (True, False)
        enemy = next(u["id"] for u in red.welcome["view"]["units"] if u["player"] == 1)
        assert red.ask("odds", unit=move["unit"], target=enemy)["lines"]
        assert red.ask("events", since=0)["first"] == 0
        (rule,) = red.ask("rules", ids=[move["rules"][0]])["rules"]
        assert rule["id"] == move["rules"][0]
        assert all(rule[field] for field in ("name", "where", "text"))
        assert rule["edition"] == "Warhammer 40,000, 10th edition, core rules as first published"
        assert rule["dated"] == "June 2023"
        status, _, page = server.get(rule["link"])
        assert status == 200
        assert all(html.escape(rule[field]) in page.decode() for field in ("name", "where", "text", "edition", "dated"))
        assert red.ask("rules", ids=["no.such.rule"])["code"] == "not_possible"


def test_rolls_and_answers_come_with_a_sentence(server: Server) -> None:
    battle = beginning(server)
    with battle.sit(0) as red:
        while "rolled" not in [event["event"] for told in red.heard for event in told.get("events", ())]:
            red.go_on()
        told = red.ask("events", since=0)
        kinds = {number: told["events"][number]["event"] for number, _ in told["said"]}
        assert set(kinds.values()) == {"rolled", "answered"}
        assert all(said for _, said in told["said"])
        assert sorted(kinds) == [i for i, e in enumerate(told["events"]) if e["event"] in ("rolled", "answered")]


def test_a_seat_can_concede(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
    with battle.sit(0) as red, battle.sit(1) as blue:
        red.say("concede")
        told = blue.hear_until(lambda heard: heard.get("result") is not None)
        assert told["result"]["winners"] == [1]
        assert red.ask("concede")["code"] == "not_possible"


# ------------------------------------------------------------------------------------------ helpers


def asked(client: Client) -> list[int]:
    return [waiting["player"] for waiting in client.now["waiting"]]


def catch_up(*clients: Client) -> None:
    furthest = max(client.now["next"] for client in clients)
    for client in clients:
        while client.now["next"] < furthest:
            client.hear()


def listed(server: Server) -> list[dict[str, Any]]:
    return list(json.loads(server.get("/api/battles")[2]))


def beginning(server: Server) -> Battle:
    return server.begin(made_up=True, seed=3, seats=["mine", "default"])


def red_moves(red: Client) -> dict[str, Any]:
    """Play on until the seat is asked to move a unit."""
    while (decision := red.question())["shape"] != "move":
        if decision["shape"] == "choose" and decision["kind"].startswith("move"):
            assert red.answer(decision, decision["options"][0]["value"])["say"] == "accepted"
            red.hear_until(lambda heard: "open" in heard)
        else:
            red.go_on()
    return decision


def leg(model: int, client: Client, by: int) -> dict[str, Any]:
    x, y = client.welcome["view"]["models"][model][:2]
    return {"model": model, "legs": [{"do": "go", "x": x + by, "y": y}]}


def fold(models: list[list[int]], events: list[dict[str, Any]]) -> None:
    """What a client does with events, as far as models go."""
    for event in events:
        match event["event"]:
            case "moved":
                for model, pos, facing in zip(event["models"], event["pos"], event["facing"], strict=True):
                    models[model][:4] = [*pos, facing]
            case "placed":
                for model in event["models"]:
                    models[model][5] = event["place"]
            case "wounded":
                models[event["model"]][4] = event["wounds"]
            case "marked":
                models[event["model"]][6] = event["mark"]
            case "joined":
                for model in event["models"]:
                    models[model][7] = event["unit"]


def test_a_seat_is_told_where_its_unit_may_end_and_how_likely_an_advance_gets_there(server: Server) -> None:
    with beginning(server).sit(0) as red:
        move = red_moves(red)
        plain = red.ask("reach", decision=move["id"], mode="normal")["areas"]
        dashed = red.ask("reach", decision=move["id"], mode="advance")["areas"]
    assert [area["chance"] for area in plain] == [1.0]
    assert [round(6 * area["chance"]) for area in dashed] == [6, 6, 5, 4, 3, 2, 1]
    assert dashed[1]["far"] == plain[0]["far"] + 1024
    assert all(len(outline) > 3 for outline in plain[0]["outlines"])


def test_models_go_to_the_ends_that_a_client_has_in_mind(server: Server) -> None:
    with beginning(server).sit(0) as red:
        move = red_moves(red)
        rows = red.welcome["view"]["models"]
        ends = [{"model": m, "x": rows[m][0], "y": rows[m][1] + 2048, "facing": rows[m][3]} for m in move["models"]]
        x, y = sum(e["x"] for e in ends) // len(ends), sum(e["y"] for e in ends) // len(ends)
        found = red.ask("towards", decision=move["id"], x=x, y=y, mode="normal", ends=ends)["ideas"][0]["answer"]
    last = {path["model"]: path["legs"][-1] for path in found["paths"]}
    assert [(last[e["model"]]["x"], last[e["model"]]["y"]) for e in ends] == [(e["x"], e["y"]) for e in ends]


@pytest.mark.parametrize("system", ["w40k10", "w40k8", "epica"])
def test_lines_of_sight_are_told_with_what_is_in_the_way(server: Server, system: str) -> None:
    with server.begin(system=system, made_up=True, seed=3, seats=["mine", "default"]).sit(0) as red:
        units = red.welcome["view"]["units"]
        mine, theirs = (next(u["id"] for u in units if u["player"] == p and u["models"]) for p in (0, 1))
        told = red.ask("sight", unit=mine, target=theirs)
        assert told["say"] == "sight"
        assert {one["model"] for one in told["seen"]} <= set(units[mine]["models"])
        assert units[theirs]["name"] in told["text"]
        rows = red.welcome["view"]["models"]
        stood = [
            {"model": m, "x": x, "y": y, "z": z, "facing": facing}
            for m, (x, y, z, facing, _, place, *_) in enumerate(rows)
            if place == 1
        ]
        assert told == {**red.ask("sight", unit=mine, target=theirs, stood=stood), "to": told["to"]}
        # As they stood when two of them touched.
        one, other = units[mine]["models"][0], units[theirs]["models"][0]
        near = [{"model": m, "x": 10_240 + i * 1500, "y": 10_240} for i, m in enumerate((one, other))]
        then = red.ask("sight", unit=mine, target=theirs, stood=near)
        assert [(seen["model"], seen["target"], bool(seen["line"])) for seen in then["seen"]] == [(one, other, True)]
        assert red.ask("sight", unit=mine, target=theirs, stood=[{"model": 9999, "x": 0, "y": 0}])["say"] == "refused"


def test_the_rules_of_a_phase_are_a_quick_reference(server: Server) -> None:
    with beginning(server).sit(0) as red:
        rules = red.ask("reference", phase="movement")["rules"]
        assert red.ask("reference", phase="")["rules"] == []
    assert rules
    assert all(rule["where"].lower().startswith("movement") for rule in rules)


@pytest.mark.parametrize("system", sorted(systems.known()))
def test_every_system_brings_cards_phases_a_score_odds_and_a_quick_reference(server: Server, system: str) -> None:
    with server.begin(system=system, made_up=True, seed=3, seats=["mine", "default"]).sit(0) as red:
        while not (board := [told["board"] for told in red.heard if told.get("board")][-1])["phase"]:
            red.go_on()
        units = red.welcome["view"]["units"]
        mine, theirs = (next(u["id"] for u in units if u["player"] == p and u["models"]) for p in (0, 1))
        shown = red.ask("card", unit=mine)["card"]
        assert (shown["name"], bool(shown["models"]), bool(shown["weapons"])) == (units[mine]["name"], True, True)
        assert all(any(line["far"] > 1024 for line in shown[part]) for part in ("models", "weapons"))
        assert all(board["numbers"])
        assert len(board["score"]) > 1
        assert red.ask("odds", unit=mine, target=theirs)["lines"]
        kind = red.question()["kind"]
        rules = red.ask("reference", phase=board["phase"], kind=kind)["rules"]
        assert rules
        assert all(rule["id"].startswith(f"{system}.") for rule in rules)


def test_targets_to_choose_from_show_what_would_come_of_it(server: Server) -> None:
    with server.begin(system="epica", made_up=True, seed=3, seats=["mine", "default"]).sit(0) as red:
        while (asked := red.question())["kind"] != "shoot-at":
            advance = asked["kind"] == "action" and "sustained"
            red.answer(asked, advance or red.idea(asked))
            red.hear_until(lambda told: "open" in told)
        seen = red.ask("outlook", decision=asked["id"], answers=[option["value"] for option in asked["options"]])
    assert [outlook["target"] for (outlook,) in seen["outlooks"]] == [option["value"] for option in asked["options"]]
    assert all(outlook["of"] for (outlook,) in seen["outlooks"])


def test_a_moment_is_a_scenario_file_that_asks_the_same(server: Server) -> None:
    with server.begin(seed=3, seats=["mine", "default"]).sit(0) as red:
        while (asked := red.question())["kind"] != "move_with":
            red.go_on()
        told = red.ask("moment")
    again = open_scenario(read_scenario(told["text"], told["name"]), systems.get("w40k10"))
    assert told["name"] == f"round-{again.state.round}-movement.yaml"
    assert [decision.kind for decision in again.decisions] == [asked["kind"]]
    assert {o["label"] for o in asked["options"]} == {o.label for o in again.decisions[0].options}


def test_a_moment_of_every_system_is_a_scenario_file_that_a_battle_begins_from(server: Server) -> None:
    for system in sorted(systems.known()):
        with server.begin(system=system, made_up=True, seed=3, seats=["mine", "mine"]).sit(0) as red:
            told = red.ask("moment")
        assert told["say"] == "moment", told
        assert server.begin(scenario=told["text"], seats=["mine", "mine"]).title


def test_a_moment_tells_nothing_that_the_seat_may_not_know(server: Server) -> None:
    battle = server.begin(seed=3, seats=["mine", "mine"])
    with battle.sit(0) as red, battle.sit(1) as blue:
        for _ in range(4):
            (red if 0 in asked(red) else blue).go_on()
            catch_up(red, blue)
        told = blue.ask("moment")
    assert "seed" not in told["text"]
    assert "plans" not in told["text"]


def test_the_board_knows_the_score_before_each_round(server: Server) -> None:
    with server.begin(seed=3, seats=["mine", "default"]).sit(0) as red:
        while red.question()["kind"] != "move_with":
            red.go_on()
        boards = [told["board"] for told in red.heard if told.get("board")]
    assert boards[0]["rounds"] == []
    assert boards[-1]["rounds"] == [[[["VP", 0], ["CP", 0]]] * 2]


def test_what_cannot_be_fired_together_is_left_out_of_an_outlook(server: Server) -> None:
    text = TURN.read_text().replace("step: command_phase", "step: shoot_units")
    with server.begin(scenario=text, seed=2, seats=["mine", "default"]).sit() as red:
        squad = next(option for option in red.question()["options"] if option["label"].startswith("Fourth Squad"))
        red.answer(red.question(), squad["value"])
        red.hear_until(lambda told: bool(told.get("open")))
        shoot = red.question()
        target = next(near["value"] for near in shoot["targets"] if near["label"] == "Second Mob")
        able = [row for row in shoot["rows"] if target in row["targets"]]
        everything = [{"row": row["id"], "target": target, "count": row["count"], "mode": ""} for row in able]
        assert not red.ask("check", decision=shoot["id"], answer=everything)["verdict"]["ok"]
        seen = red.ask("outlook", decision=shoot["id"], answers=[everything])
        (kept,) = seen["answers"]
        assert 0 < len(kept) < len(everything)
        assert red.ask("check", decision=shoot["id"], answer=kept)["verdict"]["ok"]
        assert seen["outlooks"][0][0]["lost"] > 0


TWO_WAYS = """\
scenario: Two ways to fire
system: w40k10
question: Which profile does more?
table: {size: [44, 30]}
sheets:
  Gunner:
    move: 6
    toughness: 4
    save: 3
    wounds: 2
    leadership: 6
    oc: 2
    base: 32mm
    height: 1.5
    keywords: [INFANTRY]
    weapons:
      - {name: frag, of: launcher, range: 36, attacks: D6, skill: 3, strength: 4, ap: 0, damage: "1"}
      - {name: krak, of: launcher, range: 36, attacks: "1", skill: 3, strength: 9, ap: -3, damage: D6}
  Tank:
    {move: 9, toughness: 10, save: 2, wounds: 12, leadership: 6, oc: 3, base: hull 4x3, height: 2, keywords: [VEHICLE]}
  Grunt:
    {move: 6, toughness: 3, save: 6, wounds: 1, leadership: 8, oc: 2, base: 25.4mm, height: 1.5, keywords: [INFANTRY]}
units:
  - {name: Gunners, player: red, sheet: Gunner, positions: [[8, 15]]}
  - {name: Tank, player: blue, sheet: Tank, positions: [[22, 15]]}
  - {name: Grunts, player: blue, sheet: Grunt, positions: [[22, 8], [22, 6.5], [22, 5]]}
at: {step: shoot_units, active: red}
"""


HAZARDOUS = TWO_WAYS.replace("damage: D6}", "damage: D6, abilities: [hazardous]}")


@pytest.mark.parametrize(
    ("text", "at_the_tank"), [(TWO_WAYS, "krak"), (HAZARDOUS, "frag")], ids=["both are safe", "one is not"]
)
def test_without_a_profile_the_safe_one_is_taken_that_does_most_at_its_target(
    server: Server, text: str, at_the_tank: str
) -> None:
    with server.begin(scenario=text, seed=2, seats=["mine", "default"]).sit() as red:
        red.answer(red.question(), 0)
        red.hear_until(lambda told: bool(told.get("open")))
        shoot = red.question()
        (row,) = shoot["rows"]
        everything = [[{"row": row["id"], "target": unit, "count": row["count"], "mode": ""}] for unit in (1, 2)]
        named = [[{**everything[0][0], "mode": mode}] for mode in row["modes"]]
        told = red.ask("outlook", decision=shoot["id"], answers=[*everything, *named])
    assert [part["mode"] for (part,) in told["answers"]] == [at_the_tank, "frag", *row["modes"]]
