"""What players argue about, in the file of a moment: their question, distances, and what was refused."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

import sandtable
from browser.test_plans import MOVING
from sandtable.api import check_scenario
from sandtable.battle.answers import read
from sandtable.battle.decisions import Laid, Option, Order, Place, Spot, Template
from sandtable.battle.scenario import read_scenario
from sandtable.server import disputes
from server.live import Client, Server

FOES, WALKERS = 3, 1
FAR = [{"do": "go", "x": 30 * 1024, "y": 14 * 1024, "z": 0, "facing": 0}]


def tried(red: Client, **more: Any) -> str:
    """A move of thirty inches, which is refused, and the file of the moment."""
    red.answer(red.question(), WALKERS)
    red.hear_until(lambda told: "open" in told)
    move = red.question()
    answer = {"mode": "normal", "paths": [{"model": 1, "legs": FAR}]}
    assert red.answer(move, answer)["say"] == "refused"
    told = red.ask("moment", decision=move["id"], refused=answer, chosen="move_with", units=[WALKERS, FOES], **more)
    return str(told["text"])


def test_the_question_of_its_author_stands_in_the_file(server: Server) -> None:
    with server.begin(scenario=MOVING, seats=["mine", "default"]).sit(0) as red:
        text = red.ask("moment", question="May they go\nround the Carrier?")["text"]
    assert read_scenario(text, "it").question == "May they go round the Carrier?"


def test_who_asks_nothing_gets_the_file_as_it_was(server: Server) -> None:
    with server.begin(scenario=MOVING, seats=["mine", "default"]).sit(0) as red:
        text = red.ask("moment")["text"]
    assert text.startswith("scenario:")


def test_distances_are_written_out(server: Server) -> None:
    with server.begin(scenario=MOVING, seats=["mine", "default"]).sit(0) as red:
        text = red.ask("moment", units=[WALKERS, FOES, 99])["text"]
    assert text.splitlines()[0] == "# Walkers to Foes: 24.76 in, at the nearest"


def test_what_was_refused_is_in_the_file_and_is_refused_again(server: Server) -> None:
    with server.begin(scenario=MOVING, seats=["mine", "default"]).sit(0) as red:
        text = tried(red)
    document = read_scenario(text, "it")
    assert [answer.to for answer in document.answers] == ["move_with", "move"]
    assert document.answers[1].refused
    assert check_scenario(document, "it").failures == []
    assert "# Refused: " in text


def test_a_refusal_that_the_file_does_not_come_to_is_told_in_words_alone(server: Server) -> None:
    with server.begin(scenario=MOVING, seats=["mine", "default"]).sit(0) as red:
        red.answer(red.question(), WALKERS)
        red.hear_until(lambda told: "open" in told)
        answer = {"mode": "normal", "paths": [{"model": 1, "legs": FAR}]}
        text = red.ask("moment", decision=red.question()["id"], refused=answer, chosen="charge_with")["text"]
    assert read_scenario(text, "it").answers == ()
    assert "# Refused: " in text


SHOOTING = """\
scenario: Who shoots whom?
system: w40k10
question: Which guns reach?
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
      - {name: pistol, range: 6, attacks: "1", skill: 3, strength: 4, ap: 0, damage: "1"}
      - {name: rifle, range: 30, attacks: "1", skill: 3, strength: 4, ap: 0, damage: "1"}
units:
  - {name: Reds, player: red, sheet: Gunner, positions: [[10, 10], [10, 12]]}
  - {name: Blues, player: blue, sheet: Gunner, positions: [[20, 10], [20, 12]]}
at: {step: shoot_units, active: red}
"""


def refused(red: Client, answer: Any, chosen: str = "") -> list[Any]:
    """The answers of the file in which an answer to the open question is refused; they come to the same there."""
    asked = red.question()
    assert red.answer(asked, answer)["say"] == "refused"
    text = str(red.ask("moment", decision=asked["id"], refused=answer, chosen=chosen)["text"])
    document = read_scenario(text, "it")
    assert check_scenario(document, "it").failures == []
    return [(written.to, written.answer, bool(written.refused)) for written in document.answers]


def test_a_choice_that_was_refused_is_in_the_file_by_its_name(server: Server) -> None:
    with server.begin(scenario=MOVING, seats=["mine", "default"]).sit(0) as red:
        assert refused(red, FOES) == [("move_with", "Foes", True)]


def test_targets_that_were_refused_are_in_the_file(server: Server) -> None:
    with server.begin(scenario=SHOOTING, seats=["mine", "default"]).sit(0) as red:
        chosen = red.question()["kind"]
        red.answer(red.question(), 0)
        red.hear_until(lambda told: "open" in told)
        row, target = next((r["id"], r["targets"][0]) for r in red.question()["rows"])
        said = refused(red, [{"row": row, "target": target, "count": 99}], chosen)
    assert [to for to, *_ in said] == [chosen, "shoot"]
    assert said[1][1:] == ([{"weapon": row, "target": "Blues", "count": 99}], True)


ARMIES = {"red": "necrons-1000-silver-tide", "blue": "death-guard-1000-plague-company"}
WHO: dict[str, Any] = {"id": 1, "player": 0, "prompt": "What now?", "unit": WALKERS}
WALKING = Place(kind="deploy", models=(1, 2, 3), **WHO)
LAYING = Template(kind="barrage", templates=("blast", "flame"), **WHO)
ORDERING = Order(kind="groups", options=(Option("b", "second"), Option("a", "first")), **WHO)


@pytest.mark.parametrize(
    ("decision", "answer"),
    [
        (WALKING, tuple(Spot(m, 1000 * m + 1, 2001, 7, 333) for m in (1, 2, 3))),
        (LAYING, (Laid("flame", 1, 2, 1024), Laid("blast", 5000, 777, 0))),
        (ORDERING, ("a", "b")),
    ],
    ids=["places", "templates", "an order"],
)
def test_answers_are_written_so_that_they_are_read_as_they_were(decision: Any, answer: Any) -> None:
    battle = sandtable.new("w40k11", armies=ARMIES, seed=3)
    words = disputes.in_words(battle.view(0), decision, answer)
    assert read(battle, decision, yaml.safe_load(yaml.safe_dump(words))) == answer


def test_what_no_file_can_say_is_not_written() -> None:
    battle = sandtable.new("w40k11", armies=ARMIES, seed=3)
    assert disputes.in_words(battle.view(0), WALKING, (Spot(1, 0, 0, 0, 0),)) is None
