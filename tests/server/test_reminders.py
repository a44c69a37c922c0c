"""What is left to the players, over the wire: all of it when one sits down, and what matters when its phase comes."""

from __future__ import annotations

from typing import Any

from server.live import Battle, Client, Server

WISH = {"system": "w40k11", "armies": ["orks-1000-dreads", "necrons-1000-silver-tide"], "seed": 3}


def begin(server: Server, *seats: str) -> Battle:
    return server.begin(**WISH, seats=list(seats))


def board(client: Client) -> dict[str, Any]:
    """The last board that was told."""
    found: dict[str, Any] = [told["board"] for told in client.heard if told.get("board")][-1]
    return found


def play_to(client: Client, kind: str) -> None:
    while client.question()["kind"] != kind:
        client.go_on()


def test_who_sits_down_hears_by_unit_what_nothing_enforces(server: Server) -> None:
    with begin(server, "mine", "default").sit(0) as red:
        found = red.welcome["ground"]["by_hand"]
    assert {"player": 0, "called": "Gretchin", "abilities": ["Downtrodden"]} in found
    gist = 'The enemy must be visible, and no Lone Operative beyond 12".'
    named = "Living Lightning (in part)"
    assert {"player": 1, "called": "Plasmancer", "abilities": [named], "gists": {named: gist}} in found


def test_the_board_tells_both_players_what_is_left_in_the_phase(server: Server) -> None:
    battle = begin(server, "mine", "default")
    with battle.sit(0) as red:
        assert board(red)["reminders"] == []
        play_to(red, "shoot_with")
        now = board(red)
        with server.watch(battle=battle.id) as watcher:
            assert board(watcher)["reminders"] == now["reminders"]
    mine = {one["called"]: one for one in now["reminders"] if one["player"] == 0}
    theirs = [one["called"] for one in now["reminders"] if one["player"] == 1]
    assert mine["Killa Kans"] == {
        "player": 0,
        "called": "Killa Kans",
        "abilities": ["Spiteful Power Trip"],
        "when": "in this phase",
    }
    assert (now["phase"], "Overlord" in theirs) == ("shooting", True)


def test_the_story_reminds_with_the_event_that_begins_a_phase(server: Server) -> None:
    battle = begin(server, "mine", "default")
    with battle.sit(0) as red:
        play_to(red, "shoot_with")
        told = red.ask("events", since=0)
        with battle.sit(0) as again:
            assert again.ask("events", since=0)["said"] == told["said"]
    said = dict(map(tuple, told["said"]))
    phases = {e["data"]["phase"]: said.get(i) for i, e in enumerate(told["events"]) if e.get("kind") == "phase"}
    assert phases["shooting"].startswith(
        "Not enforced here, for red to play by hand in this phase: Killa Kans - Spiteful Power Trip"
    )
    assert "whenever it applies: Gretchin - Downtrodden." in phases["command"]


def test_what_was_taken_back_is_told_anew_on_the_new_line(server: Server) -> None:
    with begin(server, "mine", "default").sit(0) as red:
        play_to(red, "move_with")
        red.go_on()
        red.question()
        before = red.ask("events", since=0)["said"]
        red.say("take_back")
        red.hear_until(lambda heard: heard["say"] == "rewound")
        after = red.ask("events", since=0)["said"]
    assert [text for _, text in after if text.startswith("Not enforced here, ")] == [
        text for _, text in before if text.startswith("Not enforced here, ")
    ]


def test_systems_without_such_abilities_tell_nothing(server: Server) -> None:
    with server.begin(system="epica", made_up=True, seed=3, seats=["mine", "default"]).sit(0) as red:
        assert (red.welcome["ground"]["by_hand"], red.welcome["board"]["reminders"]) == ([], [])
