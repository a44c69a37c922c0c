"""The computer players think about 11th edition with what its own functions answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sandtable.forty.mind import places as where
from sandtable.forty.mind.outlook import outlook
from sandtable.forty.mind.places import caution
from sandtable.forty.mind.plan import Plan, models_there
from sandtable.forty.mind.stakes import stakes
from sandtable.forty.mind.style import STYLES
from sandtable.players import ComputerPlayer
from sandtable.systems.w40k11.mind import MIND
from sandtable.systems.w40k11.state import Battle11
from sandtable.table.grid import STEP
from w40k11.table import FOE, TROOPER, Doc, gun, kinds, mission, places, sheet, situation, unit

HOLD: Doc = {"kind": "hold", "name": "Hold", "vp": 1, "when": "command", "from_round": 2}
PLAIN = sheet()
REDS = unit("Reds", "red", TROOPER, [(10, 10)])


def test_models_are_counted_at_an_objective_not_the_middles_of_units() -> None:
    units = [
        unit("Reds", "red", sheet(oc=2), [(14, 15), (16, 15), (18, 15), (20, 15)]),
        unit("Blues", "blue", sheet(), [(42, 28)]),
    ]
    b = situation(units, step="move_units", mission=mission(HOLD, spots=[(10.5, 15.0)]))
    assert MIND.present is models_there
    assert models_there(b).tolist() == [[2.0], [0.0]]


@pytest.mark.parametrize(("control", "draws"), [(-1, True), (1, True), (0, False)])
def test_who_is_needed_nowhere_follows_to_a_marker_that_is_not_ours(
    control: int, draws: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = [REDS, unit("Blues", "blue", sheet(), [(42, 28)])]
    b = situation(units, step="move_units", mission=mission(HOLD, spots=[(14, 10)]), game={"control": [control]})
    monkeypatch.setattr(where, "plan", lambda w, player: Plan({}, {0: np.zeros(1)}))
    assert bool(where.best_place(b, b.unit(0), STYLES["tactician"], 6.0).marker.max() > 0) is draws


DECOY = {"name": "Decoy", "at": "objective", "controls": True, "tag": "decoyed", "limit": 9}
PAYS = {"kind": "marked", "name": "Decoyed", "tag": "decoyed", "vp": 3, "when": "turn"}
BIG = sheet(gun(attacks="9", strength=9, ap=-6, damage="9"), name="Killer")


def answer(units: list[Any], *ways: dict[str, Any], **settings: Any) -> Any:
    """What the tactician does in a Shooting phase with an action."""
    doc = {**mission(*ways), "actions": [{**DECOY, **settings.pop("action", {})}]}
    b = situation([*units, FOE], step="shoot_units", mission=doc, game={"control": [0], **settings})
    return ComputerPlayer("tactician").choose(b.view(0), b.decisions[0])


def test_who_has_nobody_to_shoot_at_does_an_action_that_pays() -> None:
    assert answer([REDS], PAYS) == "Action/0>0>0"


def test_an_action_that_pays_nothing_is_left() -> None:
    assert answer([REDS], {**PAYS, "by": "second side"}) in (None, 0)


def test_an_action_is_not_done_for_what_is_scored_already() -> None:
    way = {**PAYS, "once": True, "kind": "tokens", "tag": ""}
    assert answer([REDS], way, marks=[["decoyed", "objective", 0, 1, 0], ["x", "objective", 0, 0, 0]]) in (None, 0)


def test_who_has_much_to_shoot_at_shoots() -> None:
    prey = unit("Prey", "blue", sheet(name="Prey", wounds=20, save=7), [(20, 10), (20, 12), (20, 14)])
    assert answer([unit("Reds", "red", BIG, [(10, 10)]), prey], {**PAYS, "vp": 0}) == 0


@pytest.mark.parametrize(("whose", "worth"), [("first side", True), ("second side", False)])
def test_a_kill_is_worth_more_to_the_side_that_scores_for_it(whose: str, worth: bool) -> None:
    slay = {"kind": "slay", "name": "Slay", "vp": 3, "when": "turn", "by": whose}
    b = situation([REDS, FOE], step="shoot_units", mission=mission(slay))
    assert ((stakes(b, 0).kill > 0), (stakes(b, 1).kill > 0)) == (worth, not worth)


def laid(style: str) -> list[tuple[float, float]]:
    """Where both players of a style lay the markers of Only War, in inches."""
    units = [unit("Reds", "red", PLAIN, off=1), unit("Blues", "blue", PLAIN, off=1)]
    b = situation(units, step="place_objectives", mission="only-war", size=(60, 44), dice={"roll-off": [2, 5, 6, 1]})
    while kinds(b) == ["place_marker"]:
        decision = b.decisions[0]
        b.answer(decision, ComputerPlayer(style).choose(b.view(decision.player), decision))
    return [(x / STEP, y / STEP) for x, y, _ in b.state.game.markers]


def test_the_tactician_lays_a_marker_at_the_back_of_each_zone_and_then_others_in_between() -> None:
    near, far, *others = laid("tactician")
    assert (near[1] < 8, far[1] > 36) == (True, True)
    assert [10 < y < 34 for _, y in others] == [True, True]


def test_others_lay_no_marker_into_a_zone_before_the_middle_is_full() -> None:
    assert [10 < y < 34 for _, y in laid("rusher")] == [True, True, True, True]


def wariness(battle_round: int, *enemies: tuple[float, float]) -> float:
    """How much more than usual danger counts for Reds, with such enemies of a zone that ends 25" from our edge."""
    units = [unit("Reds", "red", PLAIN, [(10, 4)])]
    units += [unit(f"Blues {k}", "blue", PLAIN, [spot]) for k, spot in enumerate(enemies)]
    b: Battle11 = situation(units, step="move_units", round_=battle_round, mission=mission(HOLD))
    o = outlook(b)
    return caution(b, o, o.row[0], b.unit(0))


def test_danger_counts_for_more_in_the_first_turn_of_a_battle() -> None:
    assert wariness(1, (10, 27), (20, 27)) == MIND.caution[0] > MIND.caution[1] > 1


def test_danger_counts_for_more_as_far_as_the_enemy_comes_and_for_less_while_it_stays() -> None:
    home, half, all_of_it = ((10, 27), (20, 27)), ((10, 20), (20, 27)), ((10, 20), (20, 20))
    calm, more = MIND.calm, MIND.caution[1]
    assert [wariness(2, *enemies) for enemies in (home, half, all_of_it)] == [calm, calm + (more - calm) / 2, more]


def test_danger_counts_as_usual_later_on_once_the_enemy_has_come() -> None:
    assert (wariness(4, (10, 20), (20, 20)), wariness(4, (10, 27), (20, 27))) == (1, MIND.calm)


def test_one_unit_is_set_up_at_the_marker_of_its_own_zone_and_the_next_nearer_to_another() -> None:
    units = [unit(name, "red", PLAIN, off=2) for name in ("First", "Second")]
    units.append(unit("Blues", "blue", PLAIN, off=1))
    spots = [(6.0, 2.5), (20.0, 12.0)]
    b = situation(units, step="deploy_armies", mission=mission(HOLD, spots=spots), dice={"roll-off": [6, 1, 6, 1]})
    while kinds(b)[:1] in (["deploy_with"], ["deploy"]):
        decision = b.decisions[0]
        b.answer(decision, ComputerPlayer("tactician").choose(b.view(decision.player), decision))
    nearest = [min(x for x, *_ in places(b, name)) for name in ("First", "Second")]
    assert nearest[0] < 10 < nearest[1]


@pytest.mark.parametrize("more", [{}, {"mission": mission(HOLD)}], ids=["no zones", "zones"])
def test_a_tactician_moves_also_where_a_file_has_no_zones(more: Doc) -> None:
    b = situation([REDS, FOE], step="move_units", round_=2, **more)
    mind = ComputerPlayer("tactician")
    for kind in ("move_with", "move"):
        assert kinds(b) == [kind]
        b.answer(b.decisions[0], mind.choose(b.view(0), b.decisions[0]))
    assert b.unit(0).moved
