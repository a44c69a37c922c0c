"""Taking back, and standing orders."""

from __future__ import annotations

from pathlib import Path

from browser.test_plans import MOVING
from sandtable.server.taken_back import MOST_KEPT
from server.live import Battle, Client, Server
from server.test_playing import asked, catch_up


def two(server: Server, takebacks: str = "agreed", armies: bool = True) -> Battle:
    """A battle that begins with choices before any dice; the roll-offs come later."""
    lists = ["orks-1000-horde", "space-marines-1000-gunline"]
    wish = {"armies": lists, "layout": "crossroads"} if armies else {"made_up": True}
    return server.begin(seed=5, seats=["mine", "mine"], takebacks=takebacks, **wish)


def play_until_both_answered(red: Client, blue: Client) -> Client:
    """Play until one has answered after the other; gives who answered first."""
    first = red if 0 in asked(red) else blue
    other = blue if first is red else red
    while True:
        mover = red if 0 in asked(red) else blue
        mover.go_on()
        catch_up(red, blue)
        if mover is other:
            return first


def test_an_answer_is_taken_back_freely_while_nothing_was_learnt(server: Server) -> None:
    battle = two(server, armies=False)
    with battle.sit(0) as red, battle.sit(1) as blue:
        mover, other = (red, blue) if red.open else (blue, red)
        question = mover.open[0]
        assert (question["shape"], question["kind"]) == ("choose", "move_with")
        assert mover.answer(question, question["options"][0]["value"])["say"] == "accepted"
        mover.hear_until(lambda told: "open" in told)
        mover.say("take_back")
        told = other.hear_until(lambda heard: heard["say"] == "rewound")
        assert told["line"] == 1
        again = mover.hear_until(lambda heard: heard["say"] == "rewound")["open"][0]
        assert again["options"] == question["options"]
        assert again["id"] != question["id"]
        assert mover.answer(question, question["options"][0]["value"], "old")["code"] == "not_open"
        # Who was away when it happened cannot go on from the old line.
        with battle.sit(0, line=0, since=3) as late:
            assert late.welcome["say"] == "welcome"


def test_once_another_player_answered_all_must_agree(server: Server) -> None:
    battle = two(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        first = play_until_both_answered(red, blue)
        other = blue if first is red else red
        first.say("take_back")
        request = other.hear_until(lambda told: told["say"] == "asking")
        assert "wants to take an answer back" in request["text"]
        assert first.ask("consent", request=request["request"], agree=True)["code"] == "not_yours"
        other.say("consent", request=request["request"], agree=True)
        assert first.hear_until(lambda told: told["say"] == "settled")["agreed"]
        assert first.hear_until(lambda told: told["say"] == "rewound")["line"] == 1


def test_who_does_not_agree_keeps_the_battle_as_it_is(server: Server) -> None:
    battle = two(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        first = play_until_both_answered(red, blue)
        other = blue if first is red else red
        first.say("take_back")
        request = other.hear_until(lambda told: told["say"] == "asking")["request"]
        other.say("consent", request=request, agree=False)
        assert not first.hear_until(lambda told: told["say"] == "settled")["agreed"]
        assert first.ask("events", since=0)["line"] == 0
        assert other.ask("consent", request=request, agree=True)["code"] == "not_open"


def test_a_request_ends_when_the_battle_goes_on(server: Server) -> None:
    battle = two(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        first = play_until_both_answered(red, blue)
        first.say("take_back")
        request = first.hear_until(lambda told: told["say"] == "asking")["request"]
        (red if 0 in asked(red) else blue).go_on()
        other = blue if first is red else red
        assert other.ask("consent", request=request, agree=True)["code"] == "not_open"
        assert [told["agreed"] for told in other.heard if told["say"] == "settled"] == [False]


def test_a_request_that_makes_way_for_another_says_so(server: Server) -> None:
    battle = two(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        first = play_until_both_answered(red, blue)
        other = blue if first is red else red
        for _ in range(2):
            first.say("take_back")
            other.hear_until(lambda told: told["say"] == "asking")
        (settled,) = [told for told in other.heard if told["say"] == "settled"]
        assert (settled["agreed"], settled["text"]) == (False, "Something else is asked for now.")


def test_until_dice_means_that_nobody_is_asked(server: Server) -> None:
    battle = two(server, "until-dice")
    with battle.sit(0) as red, battle.sit(1) as blue:
        first = play_until_both_answered(red, blue)
        assert first.ask("take_back")["code"] == "not_agreed"


def test_for_purists_a_choice_can_be_made_again_and_what_is_placed_stays(server: Server) -> None:
    battle = server.begin(scenario=MOVING, seats=["mine", "default"], takebacks="never")
    with battle.sit(0) as red:
        assert red.welcome["takebacks"] == "never"
        question = red.question()
        red.answer(question, 1)
        red.hear_until(lambda told: "open" in told)
        red.say("take_back")
        again = red.hear_until(lambda told: told["say"] == "rewound")["open"][0]
        red.answer(again, 1)
        red.hear_until(lambda told: "open" in told)
        move = red.question()
        where = {"x": 14 * 1024, "y": 12 * 1024, "shape": "keep", "mode": "normal", "ends": []}
        moved = red.ask("towards", decision=move["id"], **where)["ideas"][0]["answer"]
        assert red.answer(move, moved)["say"] == "accepted"
        refused = red.ask("take_back")
        assert refused["code"] == "not_agreed"
        assert refused["text"] == "That cannot be taken back: what is placed stays in this battle."


def test_for_practice_answers_are_taken_back_without_asking(server: Server) -> None:
    battle = two(server, "free")
    with battle.sit(0) as red, battle.sit(1) as blue:
        first = play_until_both_answered(red, blue)
        first.say("take_back")
        assert first.hear_until(lambda told: told["say"] == "rewound")["line"] == 1


def test_a_computer_player_does_not_agree(server: Server) -> None:
    battle = server.begin(made_up=True, seed=5, seats=["mine", "default"])
    with battle.sit(0) as red:
        red.go_on()
        while "rolled" not in [event["event"] for told in red.heard for event in told.get("events", ())]:
            red.go_on()
        assert red.ask("take_back")["code"] == "not_agreed"


def test_who_has_answered_nothing_has_nothing_to_take_back(server: Server) -> None:
    with two(server).sit(0) as red:
        assert red.ask("take_back")["code"] == "not_possible"


def roll_something(red: Client, blue: Client) -> str:
    """Play until dice were rolled; gives the sentence of the first roll."""
    while True:
        mover = red if 0 in asked(red) else blue
        mover.go_on()
        catch_up(red, blue)
        said = dict(mover.now["said"])
        rolled = [n for n, event in enumerate(mover.now["events"], mover.now["first"]) if event["event"] == "rolled"]
        if rolled:
            return str(said[rolled[0]])


def test_dice_that_were_taken_back_are_burnt_and_stay_in_the_log(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        battle = two(server, "free", armies=False)
        with battle.sit(0) as red, battle.sit(1) as blue:
            rolled = roll_something(red, blue)
            red.say("take_back")
            told = blue.hear_until(lambda heard: heard["say"] == "rewound")
            name = red.welcome["seats"][0]["name"]
            assert told["text"].startswith(
                f"{name} took an answer back. These dice are burnt, and will not fall again:"
            )
            assert rolled in told["text"]
            log = said(blue)
            assert log[told["next"] - 1] == told["text"]
            # What follows, and another server, change nothing in it.
            red.hear_until(lambda heard: heard["say"] == "rewound")
            (red if 0 in asked(red) else blue).go_on()
            assert said(blue)[told["next"] - 1] == told["text"]
        server.kill()
        server.start()
        with battle.sit(1) as again:
            assert said(again)[told["next"] - 1] == told["text"]


def test_of_very_many_take_backs_at_one_place_the_newest_are_told_and_the_others_counted(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        battle = two(server, "free", armies=False)
        with battle.sit(0) as red, battle.sit(1) as blue:
            roll_something(red, blue)
            for n in range(MOST_KEPT + 3):
                if n:
                    mover = red if red.open else blue
                    mover.go_on()
                    catch_up(red, blue)
                red.say("take_back")
                for who in (red, blue):
                    place = who.hear_until(lambda heard: heard["say"] == "rewound")["next"] - 1
            log = said(blue)[place].split("\n")
            assert log[0] == "Before that, answers were taken back here 3 times more."
            assert len(log) == 1 + MOST_KEPT
            assert all("took an answer back" in line for line in log[1:])
            told = said(blue)
        server.kill()
        server.start()
        with battle.sit(1) as again:
            assert said(again) == told


def said(client: Client) -> dict[int, str]:
    """The sentences of the whole log, by the number of their event."""
    return dict(client.ask("events", since=0)["said"])


def test_what_was_withdrawn_before_anything_was_learnt_is_told_to_nobody_else(server: Server) -> None:
    battle = two(server, armies=False)
    with battle.sit(0) as red, battle.sit(1) as blue, server.watch(battle=battle.id) as watcher:
        mover, other = (red, blue) if red.open else (blue, red)
        question = mover.open[0]
        mover.answer(question, question["options"][0]["value"])
        mover.say("take_back")
        told = {who: who.hear_until(lambda heard: heard["say"] == "rewound") for who in (mover, other, watcher)}
        assert told[mover]["text"].endswith("took an answer back.")
        assert told[other]["text"] == told[watcher]["text"] == ""
        assert not [text for text in said(other).values() if "took an answer back" in text]


# ------------------------------------------------------------------------------------------ standing orders


def test_standing_orders_answer_for_a_seat_until_they_end(server: Server) -> None:
    battle = two(server, armies=False)
    with battle.sit(0) as red, battle.sit(1) as blue:
        mover = red if red.open else blue
        told = mover.ask("give_orders", text='orders: [{for: "*", do: default, stop: {uses: 3}}]')
        assert told["say"] == "ordered"
        other = blue if mover is red else red
        while not (notes := [heard for heard in mover.heard if heard["say"] == "noted"]) or notes[-1]["answered"]:
            told = mover.hear()
            if "waiting" in told and asked(mover) == [1 - mover.welcome["you"]]:
                catch_up(mover, other)
                other.go_on()
        assert [note["answered"] for note in notes] == [True, True, True, False]
        assert "used 3 times" in notes[-1]["text"]
        other.ask("events", since=0)
        assert not [heard for heard in other.heard if heard["say"] == "noted"]
    with battle.sit(0 if mover is red else 1) as later:
        assert "uses: 3" in later.welcome["orders"]


def test_orders_that_leave_a_question_say_so(server: Server) -> None:
    with server.begin(made_up=True, seed=3, seats=["mine", "default"]).sit() as red:
        question = red.question()
        red.say("give_orders", text='orders: [{for: "*", do: ask}]')
        assert red.hear_until(lambda told: told["say"] == "left")["decision"] == question["id"]


def test_orders_that_make_no_sense_are_refused(server: Server) -> None:
    with two(server, armies=False).sit(0) as red:
        assert red.ask("give_orders", text="orders: [{for: x, do: dance}]")["code"] == "malformed"
        assert red.ask("give_orders", text="{" * 10_000)["code"] == "malformed"
        refused = red.ask("give_orders", text="orders: [{for: move_wiht, do: default}]")
        assert refused["code"] == "malformed"
        assert "did you mean 'move_with'" in refused["text"]
        for text in ("orders: [{for: move_with, do: ask}]", "orders: [{for: react.*, do: pass}]", "default", ""):
            assert red.ask("give_orders", text=text)["say"] == "ordered"
