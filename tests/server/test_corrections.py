"""Corrections by agreement over the wire: for what nothing enforces, and for what went wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.live import Battle, Client, Server


def begin(server: Server, *seats: str, **wish: Any) -> Battle:
    return server.begin(**{"made_up": True, "seed": 5, "seats": list(seats), **wish})


def wounds(told: dict[str, Any], model: int) -> int:
    found: int = told["view"]["models"][model][4]
    return found


def rewound(client: Client) -> dict[str, Any]:
    return client.hear_until(lambda told: told["say"] == "rewound")


SET = {"type": "set_wounds", "model": 0, "wounds": 1}
TAKEN = {"type": "set_wounds", "model": 0, "wounds": 0}


def test_against_a_computer_a_correction_holds_at_once(server: Server) -> None:
    with begin(server, "mine", "default").sit(0) as red:
        red.question()
        red.say("correct", correction=TAKEN)
        told = rewound(red)
        assert (wounds(told, 0), told["line"]) == (0, 1)
        assert told["text"].startswith("Agreed: Model 1 of ")
        ruled = [event for event in red.ask("events", since=0)["events"] if event["event"] == "ruled"]
    assert len(ruled) == 1


def test_another_person_must_agree(server: Server) -> None:
    battle = begin(server, "mine", "mine")
    with battle.sit(0) as red, battle.sit(1) as blue:
        before = wounds(red.welcome, 0)
        red.say("correct", correction=SET)
        request = blue.hear_until(lambda told: told["say"] == "asking")
        assert "wants a correction (Model 1 of " in request["text"]
        assert red.ask("consent", request=request["request"], agree=True)["code"] == "not_yours"
        assert red.ask("events", since=0)["line"] == 0
        blue.say("consent", request=request["request"], agree=True)
        assert (wounds(rewound(red), 0), before >= 1) == (1, True)
        assert wounds(rewound(blue), 0) == 1


def test_who_does_not_agree_keeps_things_as_they_are(server: Server) -> None:
    battle = begin(server, "mine", "mine")
    with battle.sit(0) as red, battle.sit(1) as blue:
        red.say("correct", correction=TAKEN)
        request = blue.hear_until(lambda told: told["say"] == "asking")["request"]
        blue.say("consent", request=request, agree=False)
        assert not red.hear_until(lambda told: told["say"] == "settled")["agreed"]
        assert red.ask("events", since=0)["line"] == 0


def test_a_modifier_for_the_phase_lies_on_the_unit(server: Server) -> None:
    with begin(server, "mine", "default").sit(0) as red:
        red.question()
        kind, _, most = red.welcome["ground"]["modifiers"][0]
        red.say("correct", correction={"type": "modifier", "kind": kind, "unit": 0, "value": most})
        (effect,) = rewound(red)["view"]["effects"]
    assert (effect["kind"], effect["unit"], effect["value"], effect["until"]) == (kind, 0, most, "phase")


@pytest.mark.parametrize(
    "correction",
    [
        {"type": "set_wounds", "model": 99_999, "wounds": 1},
        {"type": "set_wounds", "model": 0, "wounds": -1},
        {"type": "put_model", "model": 0, "x": -5, "y": 0},
        {"type": "put_model", "model": 0, "x": 1 << 62, "y": 0},
        {"type": "modifier", "kind": "invisible", "unit": 0, "value": 1},
        {"type": "modifier", "kind": "hit_modifier", "unit": 0, "value": 99},
    ],
)
def test_nonsense_is_refused_and_changes_nothing(server: Server, correction: dict[str, Any]) -> None:
    with begin(server, "mine", "default").sit(0) as red:
        assert red.ask("correct", correction=correction)["code"] == "not_possible"
        assert red.ask("events", since=0)["line"] == 0


@pytest.mark.parametrize("correction", [{"type": "settle", "winners": [0]}, {"type": "grant", "effect": {"kind": "x"}}])
def test_other_rulings_are_no_corrections(server: Server, correction: dict[str, Any]) -> None:
    with begin(server, "mine", "default").sit(0) as red:
        red.say("correct", correction=correction)
        assert red.hear_until(lambda told: told["say"] == "refused")["code"] == "malformed"


def test_a_corrected_battle_is_there_after_a_restart_and_goes_on(tmp_path: Path) -> None:
    with Server(tmp_path) as own:
        battle = begin(own, "mine", "default")
        with battle.sit(0) as red:
            red.question()
            red.say("correct", correction=TAKEN)
            line = rewound(red)["line"]
        own.kill()
        own.start()
        with battle.sit(0) as red:
            assert (wounds(red.welcome, 0), red.welcome["line"]) == (0, line)
            red.question()
            red.go_on()
