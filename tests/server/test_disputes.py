"""What players argue about, in the file of a moment: their question, distances, and what was refused."""

from __future__ import annotations

from typing import Any

from browser.test_plans import MOVING
from sandtable.api import check_scenario
from sandtable.battle.scenario import read_scenario
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
