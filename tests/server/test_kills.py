"""A server that is killed at any moment starts again, no accepted answer is lost, and no battle is stuck.

`make kills` kills it two hundred times.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from server.kills import play_and_kill
from server.live import PATIENCE, Server
from server.test_playing import catch_up

KILLS = 3


def test_a_server_that_is_killed_loses_no_accepted_answer(tmp_path: Path) -> None:
    assert play_and_kill(Server(tmp_path), KILLS, seed=KILLS)["accepted"] > 0


def test_answers_given_in_secret_survive_while_they_wait_for_the_other(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        armies = ["orks-1000-horde", "space-marines-1000-gunline"]
        battle = server.begin(armies=armies, seed=5, seats=["mine", "mine"], layout="crossroads")
        with battle.sit(0) as red, battle.sit(1) as blue:
            while red.now["waiting"][0]["kind"] != "attach":
                (red if red.open else blue).go_on()
                catch_up(red, blue)
            secret = red.open[0]
            assert red.answer(secret, [], "kept")["say"] == "accepted"
            # What came before it is not taken back in its place.
            assert red.ask("take_back")["code"] == "not_possible"
        server.kill()
        server.start()
        with battle.sit(0) as red, battle.sit(1) as blue:
            # It is not asked again, and when the other has answered, the battle goes on with both answers.
            assert red.open == []
            assert red.answer(secret, [], "kept")["again"]
            assert blue.answer(blue.open[0], [])["say"] == "accepted"
            told = red.hear_until(lambda heard: any(e["event"] == "answered" for e in heard.get("events", ())))
            both = [event for event in told["events"] if event["event"] == "answered"]
            assert [(event["player"], event["answer"]) for event in both] == [(0, []), (1, None)]


@pytest.mark.parametrize("signal", ["stop", "kill"])
def test_no_worker_outlives_its_server(tmp_path: Path, signal: str) -> None:
    server = Server(tmp_path).start()
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
    with battle.sit(0) as red, battle.sit(1) as blue:
        mover = red if red.open else blue
        mover.idea(mover.open[0])
    children = [int(c) for c in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()]
    assert children
    getattr(server, signal)()
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < end, "a worker is left behind"
        time.sleep(0.05)
