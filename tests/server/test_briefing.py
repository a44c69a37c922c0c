"""What a battle is about, over the wire: the mission, how long it lasts, how one scores, and which picks roll dice."""

from __future__ import annotations

import pytest

from sandtable.forty.dataset_missions import dataset_grounds
from server.live import Server

ARMIES = {
    "w40k10": ["space-marines-1000-assault", "tyranids-1000-swarm"],
    "w40k11": ["orks-1000-dreads", "necrons-1000-silver-tide"],
}
ONE_FOE = """\
scenario: One foe
system: {system}
question: Who charges?
table: {{size: [44, 30]}}
sheets:
  Brute:
    {{move: 6, toughness: 5, save: 4, wounds: 2, leadership: 7, oc: 2, base: 32mm, height: 1.5, keywords: [INFANTRY]}}
units:
  - {{name: Near, player: red, sheet: Brute, positions: [[20, 15]]}}
  - {{name: Between, player: red, sheet: Brute, positions: [[30, 15]]}}
  - {{name: Foes, player: blue, sheet: Brute, positions: [[25, 15]]}}
  - {{name: Others, player: blue, sheet: Brute, positions: [[39, 15]]}}
at: {{step: charge_phase, active: red}}
"""


@pytest.mark.parametrize("system", ARMIES)
def test_who_sits_down_is_told_the_mission_and_how_one_scores(server: Server, system: str) -> None:
    battle = server.begin(system=system, armies=ARMIES[system], mission="only-war", seats=["mine", "default"])
    with battle.sit(0) as red:
        mission = red.welcome["board"]["mission"]
    assert (mission["name"], mission["rounds"]) == ("Only War", 5)
    assert mission["scoring"][0].startswith("Capture and Control: 1 VP for each marker that you control")


def test_of_two_cards_it_is_told_by_name_who_scores_by_which(server: Server) -> None:
    mission = next(name for name, _ in dataset_grounds() if name.startswith("triangulation@"))
    wish = {"armies": ["necrons-2000-phalanx", "orks-2000-stompers"], "mission": mission, "seats": ["mine", "default"]}
    with server.begin(system="w40k11", **wish).sit(0) as red:
        told = red.welcome["board"]["mission"]["text"]
    assert told.startswith("Red scores by Triangulation, blue by ")


def test_a_battle_without_a_mission_tells_of_none(server: Server) -> None:
    with server.begin(made_up=True, seats=["mine", "default"]).sit(0) as red:
        assert red.welcome["board"]["mission"] is None


@pytest.mark.parametrize(("system", "rolls"), [("w40k10", [True, False]), ("w40k11", [True, True])])
def test_a_charge_whose_dice_are_next_is_marked_as_one(server: Server, system: str, rolls: list[bool]) -> None:
    """In 10th edition nobody is asked about a single target; in 11th the roll comes before the targets."""
    battle = server.begin(scenario=ONE_FOE.format(system=system), seats=["mine", "default"])
    with battle.sit(0) as red:
        while red.question()["kind"] != "charge_with":
            red.go_on()
        options = red.question()["options"]
    assert [(o["label"], o["rolls"]) for o in options] == list(zip(["Near", "Between"], rolls, strict=True))


def test_who_sits_down_is_told_how_long_it_lasts_and_what_its_rounds_are_called(server: Server) -> None:
    battle = server.begin(system="epica", made_up=True, seed=3, seats=["mine", "default"])
    with battle.sit(0) as marines:
        board = marines.welcome["board"]
    assert (board["round_name"], board["mission"]["rounds"]) == ("Turn", 1)
    assert board["mission"]["text"] == "The battle lasts 1 turn."
    assert board["mission"]["scoring"] == [board["score"][-1]]
