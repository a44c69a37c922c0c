"""Arming a unit: its player is asked to react, and nobody else hears of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from server.live import Battle, Client, Server

WEAK = """\
scenario: A gun that does little
system: w40k10
question: Who is asked when the Tank drives on?
table: {size: [44, 30]}
sheets:
  Tank:
    {move: 9, toughness: 10, save: 2, wounds: 12, leadership: 6, oc: 3, base: hull 4x3, height: 2, keywords: [VEHICLE]}
  Grunt:
    move: 6
    toughness: 3
    save: 6
    wounds: 1
    leadership: 8
    oc: 2
    base: 25.4mm
    height: 1.5
    keywords: [INFANTRY]
    weapons:
      - {name: popgun, range: 24, attacks: "1", skill: 5, strength: 3, ap: 0, damage: "1"}
units:
  - {name: Tank, player: red, sheet: Tank, positions: [[12, 15]]}
  - {name: Grunts, player: blue, sheet: Grunt, positions: [[28, 8], [28, 6.5], [28, 5]]}
at: {step: move_units, active: red}
state: {blue: {cp: 1}}
"""
ARMED = 'orders:\n  - {for: "react.*", offers: ["*Grunts*"], do: ask}\n'


def drive(red: Client) -> None:
    """Drive on, three inches ahead."""
    asked = red.question()
    assert red.answer(asked, asked["options"][0]["value"])["say"] == "accepted"
    red.hear_until(lambda told: "open" in told)
    asked = red.question()
    (idea,) = red.ask("towards", decision=asked["id"], x=15 * 1024, y=15 * 1024, mode="normal")["ideas"]
    assert red.answer(asked, idea["answer"])["say"] == "accepted"
    red.hear_until(lambda told: "open" in told)


def asked_after(battle: Battle, orders: str) -> list[str]:
    """What is open once the tank has driven on, where blue gave these orders before."""
    with battle.sit(0) as red, battle.sit(1) as blue:
        assert blue.ask("give_orders", text=orders)["say"] == "ordered"
        drive(red)
        return [one["kind"] for one in red.now["waiting"]]


def begin(server: Server) -> Battle:
    return server.begin(scenario=WEAK, seed=2, seats=["mine", "mine"])


def test_a_seat_is_asked_for_an_armed_unit_and_without_arming_it_is_not(server: Server) -> None:
    assert "react.unit_move_began" not in asked_after(begin(server), "")
    assert asked_after(begin(server), ARMED) == ["react.unit_move_began"]


def test_who_is_armed_no_more_is_not_asked(server: Server) -> None:
    battle = begin(server)
    with battle.sit(1) as blue:
        blue.ask("give_orders", text=ARMED)
    assert "react.unit_move_began" not in asked_after(battle, "")


def test_an_armed_unit_is_armed_after_the_server_was_killed_and_the_opponent_never_hears_of_it(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        battle = begin(server)
        with battle.sit(0) as red, battle.sit(1) as blue:
            blue.ask("give_orders", text=ARMED)
            red.ask("card", unit=0)
            heard: list[dict[str, Any]] = red.heard
        assert [told["say"] for told in heard] == ["welcome", "card"]
        server.kill()
        server.start()
        with battle.sit(0) as red:
            drive(red)
            assert [one["kind"] for one in red.now["waiting"]] == ["react.unit_move_began"]


STRONG = WEAK.replace('attacks: "1", skill: 5, strength: 3', 'attacks: "60", skill: 5, strength: 12')


def test_by_the_usual_orders_one_is_asked_when_an_enemy_begins_to_move_and_not_when_it_has(server: Server) -> None:
    battle = server.begin(scenario=STRONG, seed=2, seats=["mine", "mine"])
    with battle.sit(0) as red, battle.sit(1) as blue:
        assert blue.ask("give_orders", text="default")["say"] == "ordered"
        drive(red)
        while not blue.open or blue.open[0]["kind"] != "react.unit_move_began":
            blue.hear()
        assert blue.answer(blue.open[0], None)["say"] == "accepted"
        blue.hear_until(lambda told: told.get("kind") == "react.unit_move_ended")
        assert blue.heard[-1]["answered"]


EVERY = 'orders:\n  - {for: "react.unit_move_*", do: ask, every: true}\n'


def test_orders_that_ask_about_every_reaction_open_windows_that_are_hardly_worth_it(server: Server) -> None:
    assert asked_after(begin(server), EVERY) == ["react.unit_move_began"]
    assert "react.unit_move_began" not in asked_after(begin(server), EVERY.replace(", every: true", ""))


def test_who_sits_down_hears_which_question_offers_a_roll_again(server: Server) -> None:
    with begin(server).sit(1) as blue:
        assert blue.heard[0]["rerolls"] == "react.after_roll"
    epic = server.begin(system="epica", seats=["mine", "mine"])
    with epic.sit(0) as red:
        assert red.heard[0]["rerolls"] == ""
