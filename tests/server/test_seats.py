"""Seats and their secrets: who has a token has the seat, and nobody else learns of it, or of what a view hides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandtable import systems
from sandtable.server.seats import fingerprint, new_secret
from server.kills import plain
from server.live import Battle, Client, Server
from server.test_playing import asked, catch_up

SEED = 9_876_543_210
HIDDEN = "attach"
"""A question that both players answer in secret, at one time."""


def test_an_invitation_is_worth_one_seat_once(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "invited"])
    with battle.sit(0) as red:
        assert [seat["taken"] for seat in red.welcome["seats"]] == [True, False]
        status, claimed = server.post("/api/claim", {"invitation": battle.invitations[1]})
        assert (status, claimed["player"]) == (200, 1)
        assert [seat["taken"] for seat in red.hear_until(lambda told: told["say"] == "seats")["seats"]] == [True, True]
    with Client(server, token=claimed["token"]) as blue:
        assert blue.welcome["you"] == 1
    status, refused = server.post("/api/claim", {"invitation": battle.invitations[1]})
    assert (status, refused["error"].partition(",")[0]) == (404, "Somebody has taken that seat already")
    with Client(server, token=battle.invitations[1]) as late:
        assert late.welcome["say"] == "farewell"


def test_who_brings_a_token_claims_again_when_the_reply_was_lost(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "invited"])
    wanted = {"invitation": battle.invitations[1], "token": new_secret()}
    for _ in range(2):
        status, claimed = server.post("/api/claim", wanted)
        assert (status, claimed["player"], claimed["token"]) == (200, 1, wanted["token"])
    assert server.post("/api/claim", {**wanted, "token": new_secret()})[0] == 404
    assert server.post("/api/claim", {"invitation": battle.invitations[1]})[0] == 404
    with Client(server, token=wanted["token"]) as blue:
        assert blue.welcome["you"] == 1
    other = server.begin(made_up=True, seed=3, seats=["mine", "invited"])
    taken = {"invitation": other.invitations[1], "token": wanted["token"]}
    status, told = server.post("/api/claim", taken)
    assert (status, told["error"]) == (400, "That token is in use already; make up another one.")
    for token in ("short", new_secret() + "\n", "ä" * 43, "x" * 101):
        assert server.post("/api/claim", {"invitation": other.invitations[1], "token": token})[0] == 400
    assert server.post("/api/claim", {"invitation": other.invitations[1], "token": new_secret()})[0] == 200


def test_who_invited_finds_by_their_token_that_the_seat_is_free_until_it_is_taken(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "invited"])
    mine = {"tokens": [battle.tokens[0]]}
    assert [entry["free"] for entry in server.post("/api/mine", mine)[1]] == [[1]]
    server.post("/api/claim", {"invitation": battle.invitations[1]})
    assert [entry["free"] for entry in server.post("/api/mine", mine)[1]] == [[]]


def test_whoever_holds_tokens_finds_their_battles_those_first_that_wait_for_them(server: Server) -> None:
    battles = [server.begin(made_up=True, seed=seed, seats=["mine", "mine"]) for seed in (3, 4)]
    with battles[0].sit(0) as red:
        mover = asked(red)[0]
    tokens = [battles[0].tokens[1 - mover], battles[1].tokens[0], battles[1].tokens[1], "made up"]
    status, mine = server.post("/api/mine", {"tokens": tokens})
    assert status == 200
    assert {entry["battle"] for entry in mine} == {b.id for b in battles}
    assert [entry["your_move"] for entry in mine] == [True, False, False]


def test_a_battle_that_is_not_listed_is_watched_by_invitation_only(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"], listed=False)
    assert battle.id not in server.get("/api/battles")[2].decode()
    with server.watch(battle=battle.id) as stranger:
        assert stranger.welcome["code"] == 4403
    assert server.get(f"/battles/{battle.id}/replay")[0] == 404
    with server.watch(token=battle.watch) as friend:
        assert friend.welcome["you"] == -1
    assert server.get(f"/battles/{battle.id}/replay", authorization=f"Bearer {battle.watch}")[0] == 200


def test_a_token_opens_its_own_battle_only(server: Server) -> None:
    one, other = (server.begin(made_up=True, seed=3, seats=["mine", "mine"]) for _ in range(2))
    with Client(server, token=one.tokens[0], battle=other.id) as mistaken:
        assert mistaken.welcome["code"] == 4403


def test_neither_log_nor_database_holds_a_secret(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "invited"])
    claimed = server.post("/api/claim", {"invitation": battle.invitations[1]})[1]["token"]
    with battle.sit(0) as red, Client(server, token="a wrong token"), Client(server, token=claimed):
        red.socket.send("{" + battle.tokens[0])
        red.hear()
        server.post("/api/mine", {"tokens": [battle.tokens[0]], "oops": 1})
        server.get(f"/battles/{battle.id}/replay", authorization=f"Bearer {battle.tokens[0]}")
    written = b"".join(path.read_bytes() for path in server.folder.glob("battles.db*"))
    assert fingerprint(battle.tokens[0]).encode() in written
    for secret in (battle.tokens[0], battle.invitations[1], claimed, battle.watch):
        assert secret.encode() not in written
        assert secret not in server.log.read_text()


def test_only_who_runs_the_server_can_read_its_file(server: Server) -> None:
    found = list(server.folder.glob("battles.db*"))
    assert {"battles.db", "battles.db-wal", "battles.db-shm"} <= {path.name for path in found}
    assert not [path.name for path in found if path.stat().st_mode & 0o077]


# ------------------------------------------------------------------------------------------ what a view hides


def with_secrets(server: Server) -> Battle:
    armies = ["orks-1000-horde", "space-marines-1000-gunline"]
    return server.begin(armies=armies, seed=SEED, seats=["mine", "mine"], layout="crossroads")


def play_to_the_secret(red: Client, blue: Client) -> None:
    while not any(waiting["kind"] == HIDDEN for waiting in red.now["waiting"]):
        (red if 0 in asked(red) else blue).go_on()
        catch_up(red, blue)


def test_what_is_decided_in_secret_is_on_no_other_wire(server: Server) -> None:
    battle = with_secrets(server)
    with battle.sit(0) as red, battle.sit(1) as blue, server.watch(battle=battle.id) as watcher:
        play_to_the_secret(red, blue)
        question = red.open[0]
        leader = question["rows"][0]
        plan = [{"row": leader["id"], "target": leader["targets"][-1], "count": 1, "mode": ""}]
        assert red.answer(question, plan)["say"] == "accepted"
        # The other has not answered yet: that this one has is all there is to see.
        told = blue.hear_until(lambda heard: "waiting" in heard)
        assert [waiting["player"] for waiting in told["waiting"]] == [1]
        assert told["events"] == []
        blue.go_on()
        catch_up(red, blue, watcher)
        secret = f'"plans":[["lead",{leader["id"]},{leader["targets"][-1]}]'
        assert any(secret in text for text in red.raw)
        late = [battle.sit(1), server.watch(battle=battle.id)]
        for client in (blue, watcher, *late):
            client.ask("events", since=0)
            client.ask("card", unit=int(leader["id"]))
            assert not any(secret in text for text in client.raw)
            assert not any(f'"row":"{leader["id"]}"' in text for text in client.raw)
            assert hidden_plans(client, 0)
            assert not [event for event in put_into_words(client) if event.get("secret") and event["player"] == 0]
        assert [event for event in put_into_words(red) if event.get("secret")]
        for client in late:
            client.leave()


def put_into_words(client: Client) -> list[dict[str, Any]]:
    """The events that a client got a sentence for."""
    return [
        heard["events"][number - heard["first"]]
        for heard in client.heard
        for number, said in heard.get("said", ())
        if said
    ]


def hidden_plans(client: Client, player: int) -> bool:
    """Whether all that a client was told of a player's plans is that there are some."""
    told = [
        event["fields"]["plans"]
        for heard in client.heard
        for event in heard.get("events", ())
        if event["event"] == "changed" and event["what"] == "player" and event["id"] == player
        if "plans" in event["fields"]
    ]
    told += [heard["view"]["players"][player]["plans"] for heard in client.heard if "view" in heard]
    return bool(told) and not any(told)


SOME = 30
"""Answers in which every system has asked about what is written down in secret, if it does."""


@pytest.mark.parametrize("system", sorted(systems.known()))
def test_in_every_system_each_hears_what_is_theirs_and_nothing_else(server: Server, system: str) -> None:
    battle = server.begin(system=system, seed=SEED, seats=["mine", "mine"])
    with battle.sit(0) as red, battle.sit(1) as blue, server.watch(battle=battle.id) as watcher:
        written = 0
        for _ in range(SOME):
            mover = red if red.open else blue
            asked_now = mover.open[0]
            plan = a_plan(mover, asked_now)
            written += bool(plan) and asked_now["secret"]
            mover.answer(asked_now, plan if plan is not None else mover.idea(asked_now))
            mover.hear_until(lambda told: "open" in told)
            catch_up(red, blue, watcher)
        late = [battle.sit(0), battle.sit(1), server.watch(battle=battle.id), server.watch(token=battle.watch)]
        for client in (red, blue, watcher, *late):
            client.ask("events", since=0)
            client.ask("moment")
            client.ask("recap", since=0)
        hidden, whose = systems.get(system).secrets, owners(red.welcome["view"])
        assert bool(written) == bool(hidden)
        for client, player in zip((red, blue, watcher, *late), (0, 1, -1, 0, 1, -1, -1), strict=True):
            assert [told for told in client.heard if not is_for(player, told, hidden, whose)] == []
            client.leave()


def a_plan(client: Client, question: dict[str, Any]) -> Any:
    """The first thing that can be written down, or an answer without a thought; None where neither is legal."""
    rows = question.get("rows") or () if question["secret"] else ()
    plans: list[Any] = [
        [{"row": row["id"], "target": target, "count": 1, "mode": ""}] for row in rows for target in row["targets"]
    ]
    for plan in (*plans, plain(question)):
        if plan is not None and client.ask("check", decision=question["id"], answer=plan)["verdict"]["ok"]:
            return plan
    return None


def is_for(player: int, told: dict[str, Any], hidden: frozenset[tuple[str, str]], whose: dict[Any, int]) -> bool:
    """Whether a message holds nothing but what a seat may know."""
    mine = {question["player"] for question in told.get("open", ())} <= {player}
    view, events = told.get("view"), told.get("events", ())
    known = [e["answer"] for e in events if e["event"] == "answered" and e.get("secret") and e["player"] != player]
    for kind, name in hidden:
        shown = view[f"{kind}s"] if isinstance(view, dict) else []
        known += [one[name] for one in shown if whose[kind, one["id"]] != player]
        changed = [e for e in events if e["event"] == "changed" and e["what"] == kind]
        known += [e["fields"].get(name) for e in changed if whose[kind, e["id"]] != player]
    return mine and not any(known)


def owners(view: dict[str, Any]) -> dict[Any, int]:
    """Who owns each player's and each unit's fields."""
    units = {("unit", unit["id"]): unit["player"] for unit in view["units"]}
    return units | {("player", one["id"]): one["id"] for one in view["players"]}


def test_nobody_learns_the_seed_of_a_battle_that_is_not_over(server: Server) -> None:
    battle = with_secrets(server)
    with battle.sit(0) as red, server.watch(battle=battle.id) as watcher:
        red.ask("events", since=0)
        told = "".join([*red.raw, *watcher.raw, server.get("/api/battles")[2].decode()])
        assert str(SEED) not in told
        status, _, page = server.get(f"/battles/{battle.id}/replay")
        assert (status, str(SEED).encode() in page) == (200, False)
        status, _, refusal = server.get(f"/api/battles/{battle.id}/journal")
        assert (status, str(SEED).encode() in refusal) == (400, False)
        red.say("concede")
        watcher.hear_until(lambda heard: heard.get("result") is not None)
    status, _, journal = server.get(f"/api/battles/{battle.id}/journal")
    assert (status, json.loads(journal)["seed"]) == (200, SEED)


def test_who_says_hello_again_hears_at_once_that_the_line_holds(server: Server) -> None:
    battle = server.begin(made_up=True, seed=5, seats=["mine", "mine"])
    for client in (battle.sit(0), server.watch(battle=battle.id)):
        with client:
            replied = client.ask("hello")
            assert (replied["say"], replied["code"]) == ("refused", "malformed")
            assert client.ask("card", unit=0)["say"] == "card"


def test_lists_call_a_round_as_its_system_does(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"], system="epica")
    listed = {found["battle"]: found for found in json.loads(server.get("/api/battles")[2])}
    assert listed[battle.id]["round_name"] == "Turn"
