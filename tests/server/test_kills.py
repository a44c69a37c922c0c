"""A server that is killed at any moment starts again, no accepted answer is lost, and no battle is stuck.

`make kills` kills it two hundred times.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from server.kills import play_and_kill
from server.live import PATIENCE, Server

KILLS = 3


def test_a_server_that_is_killed_loses_no_accepted_answer(tmp_path: Path) -> None:
    accepted = play_and_kill(Server(tmp_path), KILLS, seed=KILLS)
    assert accepted > 0


def test_answers_given_in_secret_survive_while_they_wait_for_the_other(tmp_path: Path) -> None:
    server = Server(tmp_path).start()
    armies = ["orks-1000-horde", "space-marines-1000-gunline"]
    battle = server.begin(armies=armies, seed=5, seats=["mine", "default"], layout="crossroads")
    with battle.sit(0) as red:
        while not (red.question()["secret"] and len(red.now["waiting"]) >= 1):
            red.go_on()
    server.kill()
    server.start()
    with battle.sit(0) as red:
        # What the computer answered in secret is still there: it is asked nothing, and the battle goes on at once.
        asked = red.question()
        assert red.answer(asked, red.idea(asked))["say"] == "accepted"
        told = red.hear_until(lambda heard: any(e["event"] == "answered" for e in heard.get("events", ())))
        assert sorted(e["player"] for e in told["events"] if e["event"] == "answered") == [0, 1]
        assert all(e["secret"] for e in told["events"] if e["event"] == "answered")
    server.stop()


@pytest.mark.parametrize("signal", ["stop", "kill"])
def test_no_worker_outlives_its_server(tmp_path: Path, signal: str) -> None:
    server = Server(tmp_path).start()
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
    with battle.sit(0) as red:
        red.ask("ideas", decision=-1)
        with battle.sit(1) as blue:
            mover = red if red.open else blue
            mover.idea(mover.open[0])
    children = [int(c) for c in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()]
    assert children
    getattr(server, signal)()
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < end, "a worker is left behind"
        time.sleep(0.05)
