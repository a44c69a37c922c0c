"""Moments of battles that were played, as scenario files: who may have them, and what they tell."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable import systems
from sandtable.battle import journal
from sandtable.battle.scenario import open_scenario, read_scenario
from sandtable.errors import UserError
from sandtable.server import limits, moments
from sandtable.server.catalogue import MAX_SCENARIO
from sandtable.server.protocol import ShowMoment
from server.live import Server


def frames(page: bytes) -> list[dict[str, Any]]:
    """The frames of a replay page."""
    found = re.search(r'id="story">(.*?)</script>', page.decode(), re.DOTALL)
    assert found
    told: list[dict[str, Any]] = json.loads(found[1])["frames"]
    return told


def test_the_last_moment_of_a_running_battle_is_the_one_that_a_spectator_is_told(server: Server) -> None:
    battle = server.begin(seed=3, seats=["mine", "default"])
    with battle.sit(0) as red, server.watch(battle=battle.id) as watcher:
        while red.question()["kind"] != "move_with":
            red.go_on()
        live = watcher.ask("moment")
        last = frames(server.get(f"/battles/{battle.id}/replay")[2])[-1]["e"]
        status, headers, text = server.get(f"/battles/{battle.id}/moment?at={last}")
    assert (status, text.decode()) == (200, live["text"])
    assert headers["content-disposition"] == f'attachment; filename="{live["name"]}"'
    assert headers["content-type"].startswith("text/yaml")
    assert server.begin(scenario=text.decode(), seats=["mine", "mine"]).title


def test_a_moment_of_a_running_battle_tells_no_secrets(server: Server) -> None:
    battle = server.begin(seed=3, seats=["mine", "mine"])
    address = f"/battles/{battle.id}/moment?at=0"
    status, _, text = server.get(address)
    assert status == 200
    assert "seed" not in text.decode()
    assert "plans" not in text.decode()
    # A seat gets no more than everybody does.
    assert {server.get(address, authorization=f"Bearer {token}")[2] for token in battle.tokens} == {text}


def test_only_who_may_watch_a_battle_gets_its_moments(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, listed=False, seats=["mine", "mine"])
    address = f"/battles/{battle.id}/moment?at=0"
    assert server.get(address)[0] == 404
    assert server.get(address, authorization="Bearer another")[0] == 404
    assert server.get(address, authorization=f"Bearer {battle.watch}")[0] == 200
    assert server.get("/battles/none/moment?at=0")[0] == 404


@pytest.mark.parametrize("query", ["", "?at=", "?at=-1", "?at=x", "?at=1.5", "?at=9999999999", "?at=%D9%A1"])
def test_a_moment_that_is_no_number_is_refused_in_a_sentence(server: Server, query: str) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
    status, _, told = server.get(f"/battles/{battle.id}/moment{query}")
    assert (status, json.loads(told)["error"].startswith("Say which moment")) == (400, True)


def test_a_moment_that_a_battle_has_not_come_to_is_refused(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
    status, _, told = server.get(f"/battles/{battle.id}/moment?at=99999")
    assert (status, "has no moment 99999: it has come to " in json.loads(told)["error"]) == (400, True)


def test_a_moment_of_a_file_that_somebody_sent(server: Server, tmp_path: Path) -> None:
    battle = sandtable.new("epica", seed=3)
    for _ in range(6):
        battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    battle.save(tmp_path / "game.battle")
    _, told = server.post("/api/replays", (tmp_path / "game.battle").read_bytes())
    address = f"/replays/{told['replay']}"
    last = frames(server.get(address)[2])[-1]["e"]
    status, _, text = server.get(f"{address}/moment?at={last}")
    again = open_scenario(read_scenario(text.decode(), "moment.yaml"), systems.get("epica"))
    assert (status, [d.kind for d in again.decisions]) == (200, [d.kind for d in battle.decisions])
    assert server.get("/replays/another/moment?at=0")[0] == 404


def test_who_asks_for_too_many_moments_waits(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        said = [server.get("/replays/another/moment?at=0")[0] for _ in range(int(limits.REPLAYS_AT_ONCE) + 10)]
    assert (said[0], said[-1]) == (404, 429)


def test_the_end_of_a_battle_is_called_after_the_battle() -> None:
    battle = sandtable.new("epica", seed=3)
    battle.concede(0)
    found = moments.at(journal.read(journal.write(battle), "The battle"), len(battle.events))
    assert found.name == f"round-{battle.state.round}-after-the-battle.yaml"
    assert found.text.startswith(f"scenario: Turn {battle.state.round}, after the battle\n")


def test_a_battle_that_no_longer_plays_the_same_gives_no_moments() -> None:
    battle = sandtable.new("epica", seed=3)
    battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    written = json.loads(journal.write(battle))
    written["entries"][0]["digest"] = "0" * 16
    with pytest.raises(UserError, match="plays the same only up to step 0"):
        moments.at(journal.read(json.dumps(written).encode(), "The battle"), 0)


def saved_by_blue(server: Server) -> str:
    """The file of a moment in blue's own Movement phase."""
    battle = server.begin(seed=3, seats=["default", "mine"])
    with battle.sit(1) as blue:
        while blue.question()["kind"] != "move_with":
            blue.go_on()
        text: str = blue.ask("moment")["text"]
    return text


def test_who_plays_on_from_a_moment_has_the_seat_of_who_saved_it(server: Server) -> None:
    text = saved_by_blue(server)
    taken = [bool(token) for token in server.begin(scenario=text).tokens]
    assert (read_scenario(text, "it").at.seat, taken) == ("blue", [False, True])


def test_a_scenario_without_a_seat_is_played_by_whose_turn_it_is(server: Server) -> None:
    plain = saved_by_blue(server).replace(", seat: blue", "").replace("active: blue", "active: red")
    assert [bool(token) for token in server.begin(scenario=plain).tokens] == [True, False]


def test_a_question_with_a_character_that_nobody_sees_makes_a_file_that_can_be_read() -> None:
    battle = sandtable.new("w40k10", seed=1)
    said = ShowMoment(question="why\a does it\x1b stand there?")
    assert read_scenario(moments.write(battle.view(0), None, said), "it").question == "why does it stand there?"


def test_the_largest_moment_is_one_that_the_server_takes() -> None:
    armies = {"red": "agents-of-the-imperium-2000-strike-force", "blue": "adeptus-astartes-2000-strike-force"}
    battle = sandtable.new("w40k11", armies=armies, seed=3)
    assert 2 * len(moments.write(battle.view(0))) < MAX_SCENARIO
