"""Who falls first, and what was planned ahead: the server keeps both, whoever is there and whenever it is killed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable.battle.decisions import Choose, Option
from sandtable.server.falls import victim
from sandtable.server.seats import Place
from sandtable.server.store.records import Addition, Kept, NewSeat, Saved, Status
from sandtable.server.store.store import Store
from server.live import Client, Server

FIRED_AT = """\
scenario: Fired at
system: w40k10
question: Who falls?
table: {size: [44, 30], terrain: [{kind: ruins, rect: [24, 9, 6, 4], height: 5}]}
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
    weapons: [{name: rifle, range: 36, attacks: "40", skill: 2, strength: 12, ap: 0, damage: "1"}]
  Brute:
    {move: 6, toughness: 3, save: 6, wounds: 1, leadership: 7, oc: 2, base: 32mm, height: 1.5, keywords: [INFANTRY]}
units:
  - {name: Gunners, player: red, sheet: Gunner, positions: [[8, 15]]}
  - {name: Brutes, player: blue, sheet: Brute, positions: [[22, 15], [22, 13], [25, 11]]}
  - {name: Others, player: blue, sheet: Brute, positions: [[40, 3]]}
at: {step: shoot_units, active: red}
"""
GUNNERS, BRUTES = 0, 1


def fire(red: Client) -> None:
    """Shoot at the Brutes."""
    asked = red.question()
    assert asked["kind"] == "shoot_with"
    red.answer(asked, GUNNERS)
    red.hear_until(lambda told: bool(told.get("open")))
    shots = [{"row": row["id"], "target": BRUTES, "count": row["count"]} for row in red.open[0]["rows"]]
    assert red.answer(red.open[0], shots)["say"] == "accepted"
    red.hear_until(lambda told: "open" in told)


def fallen(client: Client) -> list[int]:
    """Models that were given an attack, in their order."""
    events = client.ask("events", since=0)["events"]
    return [e["answer"] for e in events if e["event"] == "answered" and e["player"] == 1]


def test_those_fall_first_whom_a_player_put_first_who_is_not_there(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        battle = server.begin(scenario=FIRED_AT, seed=3, seats=["mine", "mine"])
        with battle.sit(1) as blue:
            first, second, third = blue.welcome["view"]["units"][BRUTES]["models"]
            order = [third, first, second]
            kept = [{"unit": BRUTES, "models": order}]
            assert blue.ask("fall", fall={"unit": BRUTES, "models": order})["falls"] == kept
        server.kill()
        server.start()
        with battle.sit(0) as red:
            fire(red)
            red.hear_until(lambda told: any(e["event"] == "answered" for e in told.get("events", ())))
            assert fallen(red)[0] == third
        with battle.sit(1) as blue:
            assert blue.welcome["falls"] == kept
            assert blue.ask("fall", fall={"unit": BRUTES, "models": []})["falls"] == []


def test_who_said_so_is_asked_where_that_costs_what_another_would_not(tmp_path: Path) -> None:
    """The one in the middle joins the others, and those differ from each other by the cover that they have."""
    together = FIRED_AT.replace("[25, 11]", "[24.5, 11]").replace("[24, 9, 6, 4]", "[23.5, 9, 6, 4]")
    with Server(tmp_path) as server:
        battle = server.begin(scenario=together, seed=3, seats=["mine", "mine"])
        with battle.sit(1) as blue, battle.sit(0) as red:
            first, second, third = blue.welcome["view"]["units"][BRUTES]["models"]
            blue.ask("fall", fall={"unit": BRUTES, "models": [second, third, first]})
            fire(red)
            blue.hear_until(lambda told: told["say"] == "left")
            asked = blue.question()
            assert asked["kind"] == "allocate" and fallen(red) == []
            assert blue.answer(asked, third)["say"] == "accepted"


@pytest.mark.parametrize(
    "fall",
    [
        {"unit": GUNNERS, "models": []},
        {"unit": 99, "models": [1]},
        {"unit": BRUTES, "models": [1, 1]},
        {"unit": BRUTES, "models": [0]},
    ],
)
def test_only_own_models_are_put_in_order_and_each_once(server: Server, fall: dict[str, Any]) -> None:
    battle = server.begin(scenario=FIRED_AT, seed=3, seats=["mine", "mine"])
    with battle.sit(1) as blue:
        assert blue.ask("fall", fall=fall)["code"] == "not_possible"


class Squad:
    """A unit, as far as it matters."""

    def __init__(self, name: str, *models: int) -> None:
        self.name, self.models = name, models


def question(*options: Option) -> Choose:
    return Choose(id=1, player=0, kind="allocate", prompt="Who?", rules=(), unit=1, options=options)


def test_a_question_about_units_is_not_one_about_who_falls() -> None:
    units = [Squad("Reds", 1), Squad("Blues", 0, 2)]
    order = {1: (2, 0)}
    assert victim(question(Option(0, "model 1"), Option(2, "model 2")), units, order) == 2
    assert victim(question(Option(0, "Reds"), Option(2, "model 2")), units, order) is None
    assert victim(question(Option(0, "model 1"), Option(7, "model 2")), units, order) is None
    assert victim(question(Option(0, "model 1")), units, {0: (0,)}) is None


def test_what_is_left_of_a_plan_is_stored_with_the_answer_that_was_taken_from_it(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/battles.db")
    status = Status(1, (0,), None)
    saved = Saved("b", "Two", "w40k10", b"{}", "agreed", True, [b"[]"], [], [])
    store.begin(saved, [NewSeat(0, "person")], "w", status, {0: Place(queue=b"two")})
    store.add([Addition("b", 1, b"[]", status, Kept(0, "a:1", 1, b"0"), queue=b"one")])
    found = store.load("b")
    assert found is not None
    assert (found.seats[0].place.queue, [kept.nonce for kept in found.answers]) == (b"one", ["a:1"])
    store.close()
