"""What missions count: objectives by their part, what a turn changed, who was destroyed, and the limits of it all."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import questions
from sandtable.battle.events import Told
from sandtable.errors import UserError
from sandtable.systems.w40k11.state import Battle11
from w40k10 import table as tenth
from w40k11 import table
from w40k11.table import FOE, TROOPER, blade, feature, give, gun, mission, sheet, situation, unit

PLAIN: dict[str, Any] = {**TROOPER, "weapons": []}
HOME, ABROAD, CENTRE, AWAY = (10, 3), (10, 27), (22, 15), (35, 20)
ROLES = {"roles": ["home", "home", "central", "expansion"]}
LANDS = {"territories": [[(0, 0), (44, 0), (44, 15), (0, 15)], [(0, 15), (44, 15), (44, 30), (0, 30)]]}
KILLER = sheet(gun(attacks="1", strength=9, ap=-6, damage="9"), blade(), name="Killer")


def way(kind: str, **more: Any) -> dict[str, Any]:
    """A way to score at the end of the turn."""
    return {"kind": kind, "name": kind, "vp": 1, "when": "turn", **more}


def at_the_end(
    *ways: dict[str, Any], units: list[Any], spots: Any = ((10, 10),), more: Any = None, **settings: Any
) -> Battle11:
    """The end of red's turn, in which they score in these ways."""
    doc = {**mission(*ways, spots=list(spots)), **(more or {})}
    return situation([*units, FOE], settings.pop("terrain", None), step="end_of_turn", mission=doc, **settings)


def red(b: Battle11) -> int:
    """What red has scored."""
    return b.player(0).vp


def scored(b: Battle11) -> list[str]:
    """What was told of scoring."""
    return [e.text for e in b.events if isinstance(e, Told) and e.kind in ("scored", "not_scored")]


REDS = unit("Reds", "red", PLAIN, [(10, 10)])
DEAD = unit("Blues", "blue", PLAIN, [(20, 10)], wounds={1: 0})


# --- Objectives -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "vp"),
    [
        ("all", 4),
        ("own home", 1),
        ("enemy home", 1),
        ("not own home", 3),
        ("central", 1),
        ("expansion", 1),
        ("enemy territory", 2),
        ("own territory", 1),
    ],
)
def test_objectives_count_by_their_part_and_by_whose_territory_they_lie_in(where: str, vp: int) -> None:
    spots = (HOME, ABROAD, CENTRE, AWAY)
    units = [unit(f"Red {i}", "red", PLAIN, [spot]) for i, spot in enumerate(spots)]
    b = at_the_end(way("hold", where=where), units=units, spots=spots, more={**ROLES, **LANDS})
    assert red(b) == vp


@pytest.mark.parametrize(("where", "vp"), [("enemy territory", 2), ("own territory", 1), ("own home", 1)])
def test_without_drawn_territories_a_place_belongs_to_the_nearer_zone(where: str, vp: int) -> None:
    spots = (HOME, ABROAD, CENTRE, AWAY)
    units = [unit(f"Red {i}", "red", PLAIN, [spot]) for i, spot in enumerate(spots)]
    assert red(at_the_end(way("hold", where=where), units=units, spots=spots, more=ROLES)) == vp


@pytest.mark.parametrize(("home", "vp"), [(HOME, 2), ((30, 3), 0)])
def test_a_count_may_need_the_home_objective_to_be_held(home: tuple[int, int], vp: int) -> None:
    spots = (HOME, ABROAD, CENTRE, AWAY)
    units = [unit(f"Red {i}", "red", PLAIN, [spot]) for i, spot in enumerate((home, CENTRE, AWAY))]
    counts = way("hold", where="not own home", given=["own home"])
    assert red(at_the_end(counts, units=units, spots=spots, more=ROLES)) == vp


@pytest.mark.parametrize(("before", "vp"), [(-1, 1), (1, 1), (0, 0)])
def test_an_objective_is_newly_taken_that_the_player_did_not_hold_when_the_turn_began(before: int, vp: int) -> None:
    assert red(at_the_end(way("take"), units=[REDS], game={"held_before": [before]})) == vp


def test_it_is_remembered_who_held_objectives_when_a_turn_began() -> None:
    b = situation([REDS, FOE], step="start_of_turn", mission=mission(way("take")), game={"control": [1]})
    assert (b.state.game.held_before, b.state.game.stood, b.state.game.stood_on) == ((1,), (0, 1), ((0, 0),))


# --- Destroyed units --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "game", "vp"),
    [
        ({}, {}, 1),
        ({}, {"lost_before": [1]}, 0),
        ({"of": "stood on objective"}, {"stood_on": [[1, 0]]}, 1),
        ({"of": "stood on objective"}, {"stood_on": [[2, 0]]}, 0),
        ({"of": "stood on objective", "where": "central"}, {"stood_on": [[1, 0]]}, 0),
        ({"of": "stood in area"}, {"stood_in": [[1, 0]]}, 1),
        ({"of": "stood in area"}, {}, 0),
        ({"of": "slayer on objective"}, {"slain": [[0, 1, 0, True]]}, 1),
        ({"of": "slayer on objective"}, {"slain": [[0, 1, 0, False]]}, 0),
        ({"of": "slayer on objective"}, {"slain": [[0, 1, 3, True]]}, 0),
    ],
)
def test_units_destroyed_in_this_turn_count_by_where_they_or_their_slayers_stood(more: Any, game: Any, vp: int) -> None:
    b = at_the_end(way("slay", **more), units=[REDS, DEAD], more={"roles": ["home"]}, game=game)
    assert red(b) == vp


@pytest.mark.parametrize(("tag", "vp"), [("trapped", 1), ("other", 0)])
def test_units_destroyed_count_that_began_the_turn_in_an_area_with_the_mark(tag: str, vp: int) -> None:
    game = {"stood_in": [[1, 0]], "marks": [[tag, "area", 0, 0, 0]]}
    counts = way("slay", of="stood in marked area", tag="trapped")
    terrain = [feature("ruins", (18, 8, 4, 4), 5)]
    assert red(at_the_end(counts, units=[REDS, DEAD], game=game, terrain=terrain)) == vp


def test_once_is_once_however_many_fell() -> None:
    more = unit("More", "blue", PLAIN, [(25, 10)], wounds={1: 0})
    each, one = at_the_end(way("slay"), units=[REDS, DEAD, more]), way("slay", once=True)
    assert (red(each), red(at_the_end(one, units=[REDS, DEAD, more]))) == (2, 1)


@pytest.mark.parametrize(("earlier", "vp"), [([2], 1), ([], 0)])
def test_more_have_to_fall_than_the_player_lost_in_the_turn_before(earlier: list[int], vp: int) -> None:
    lost = unit("Lost", "red", PLAIN, [(30, 10)], wounds={1: 0})
    game = {"lost_before": [2], "lost_earlier": earlier}
    assert red(at_the_end(way("slay more"), units=[REDS, DEAD, lost], game=game)) == vp


@pytest.mark.parametrize(("spot", "near"), [((10, 10), True), ((5, 20), False)])
def test_it_is_remembered_who_destroyed_whom_and_whether_on_an_objective(spot: Any, near: bool) -> None:
    units = [unit("Reds", "red", KILLER, [spot]), unit("Blues", "blue", PLAIN, [(15, 14)]), FOE]
    doc = mission(way("slay", of="slayer on objective"))
    b = situation(units, step="shoot_units", mission=doc, dice={"hit": [6], "wound": [6]})
    give(b, "shoot_with", "Reds")
    table.default(b, "shoot")
    assert b.state.game.slain == ((0, 1, 0, near),)


def test_who_came_back_is_destroyed_once_more() -> None:
    units = [unit("Reds", "red", KILLER, [(10, 10)]), unit("Blues", "blue", PLAIN, [(15, 14)]), FOE]
    doc, game = mission(way("slay", of="slayer on objective")), {"slain": [[0, 1, 0, False]], "turns": 2}
    b = situation(units, step="shoot_units", mission=doc, dice={"hit": [6], "wound": [6]}, game=game)
    give(b, "shoot_with", "Reds")
    table.default(b, "shoot")
    assert b.state.game.slain[1:] == ((0, 1, 2, True),)


# --- Where units stand ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spots", "vp"),
    [
        ([(5, 5), (40, 5), (5, 25), (40, 24)], 4),
        ([(5, 5), (40, 5), (5, 25), (25, 15)], 3),
        ([(5, 5), (40, 5), (5, 25), (22, 25)], 3),
        ([(5, 5), (6.5, 5), (5, 25), (40, 5)], 3),
    ],
)
def test_quarters_of_the_table_count_with_units_wholly_within_and_not_near_the_middle(spots: Any, vp: int) -> None:
    units = [unit(f"Red {i}", "red", PLAIN, [spot]) for i, spot in enumerate(spots)]
    assert red(at_the_end(way("quarters"), units=units)) == vp


@pytest.mark.parametrize(("y", "vp"), [(14.4, 0), (14.6, 1)])
def test_a_territory_is_clear_while_no_enemy_is_wholly_within(y: float, vp: int) -> None:
    b = at_the_end(way("clear"), units=[REDS, unit("Blues", "blue", PLAIN, [(30, y)])], more=LANDS)
    assert red(b) == vp


# --- When, and how much -----------------------------------------------------------------------------------------------


def test_of_a_group_only_the_best_scores() -> None:
    ways = [way("hold", vp=2, group="tier", name="low"), way("hold", vp=5, group="tier", name="high"), way("hold")]
    assert red(at_the_end(*ways, units=[REDS])) == 6


def test_of_equals_the_first_scores() -> None:
    ways = [way("hold", vp=2, group="tier", name="one"), way("hold", vp=2, group="tier", name="other")]
    assert scored(at_the_end(*ways, units=[REDS])) == ["red scores 2VP: one."]


@pytest.mark.parametrize(
    ("limits", "game", "told"),
    [
        ({}, {}, ["red scores 8VP: hold."]),
        ({"most_in_round": 15}, {}, ["red scores 8VP: hold."]),
        ({"most_in_round": 15}, {"tally": [1, 9, 0]}, ["red scores 6VP: hold. Beyond 15VP in a battle round no more"
                                                       " is scored."]),
        ({"most_in_round": 15}, {"tally": [1, 15, 0]}, ["red scores nothing: hold. Beyond 15VP in a battle round no"
                                                        " more is scored."]),
        ({"most_in_round": 15}, {"tally": [2, 15, 0]}, ["red scores 8VP: hold."]),
        ({"most_in_battle": 7}, {}, ["red scores 7VP: hold. Beyond 7VP in the battle no more is scored."]),
    ],
)  # fmt: skip
def test_a_mission_has_limits_for_a_round_and_for_the_battle(limits: Any, game: Any, told: list[str]) -> None:
    b = at_the_end(way("hold", vp=8), units=[REDS], more=limits, game=game)
    assert scored(b) == told


def test_what_was_scored_in_a_round_is_remembered_for_it() -> None:
    b = at_the_end(way("hold", vp=8), way("hold", vp=8), units=[REDS], more={"most_in_round": 15})
    assert (red(b), b.state.game.tally) == (15, (1, 15, 0))


@pytest.mark.parametrize(("whose", "vp"), [("everybody", 1), ("first side", 1), ("second side", 0)])
def test_each_side_may_have_ways_to_score_of_its_own(whose: str, vp: int) -> None:
    assert red(at_the_end(way("hold", by=whose), units=[REDS])) == vp


@pytest.mark.parametrize(
    ("turns", "active", "vp"),
    [("own", "red", 1), ("own", "blue", 0), ("enemy", "red", 0), ("enemy", "blue", 1), ("either", "blue", 1)],
)
def test_a_way_may_score_at_the_end_of_the_enemys_turn(turns: str, active: str, vp: int) -> None:
    assert red(at_the_end(way("hold", turns=turns), units=[REDS], active=active)) == vp


def test_an_edition_that_remembers_no_turns_refuses_such_missions() -> None:
    with pytest.raises(UserError, match=r"Test counts by how a turn began"):
        tenth.situation([tenth.unit("Reds", "red", tenth.TROOPER, [(10, 10)])], mission=mission(way("take")))


# --- Actions and their marks ------------------------------------------------------------------------------------------


def with_action(action: dict[str, Any], *ways: dict[str, Any], units: list[Any], **settings: Any) -> Battle11:
    """Red's Shooting phase in a mission with an action."""
    doc = {**mission(*ways, spots=settings.pop("spots", [(10, 10)])), "actions": [action], **settings.pop("more", {})}
    step = settings.pop("step", "shoot_units")
    return situation([*units, FOE], settings.pop("terrain", None), step=step, mission=doc, **settings)


def play_on(b: Battle11) -> None:
    """Answer plainly until red's turn is over."""
    while b.state.active == 0:
        b.answer(b.decisions[0], questions.plain(b, b.decisions[0]))


DECOY = {"name": "Decoy", "at": "objective", "where": "not own home", "controls": True, "tag": "decoyed", "limit": 9}
FOES_HERE = unit("Blues", "blue", {**PLAIN, "oc": 9}, [(10, 13.5)])
SHOOTERS = unit("Reds", "red", TROOPER, [(10, 10)])


def test_an_action_on_an_objective_marks_it_and_the_mark_scores() -> None:
    b = with_action(DECOY, way("marked", tag="decoyed", vp=3), units=[SHOOTERS])
    table.play(b, "Action: Decoy on objective 1 with Reds")
    play_on(b)
    story = [e.text for e in b.events if isinstance(e, Told) and e.kind in ("action_completed", "marked", "scored")]
    assert story == [
        "Reds complete Decoy on objective 1.",
        "Objective 1 is decoyed.",
        "red scores 3VP: marked.",
    ]


def test_an_objective_that_is_not_controlled_at_the_end_of_the_turn_is_not_marked() -> None:
    b = with_action(DECOY, way("marked", tag="decoyed"), units=[SHOOTERS, FOES_HERE])
    table.play(b, "Action: Decoy on objective 1 with Reds")
    play_on(b)
    failed = [e.text for e in b.events if isinstance(e, Told) and e.kind == "action_failed"]
    assert (failed, red(b)) == (["Decoy is not completed: Reds do not control objective 1."], 0)


@pytest.mark.parametrize(
    ("more", "marks", "labels"),
    [
        ({}, [], ["Action: Decoy on objective 1 with Reds"]),
        ({}, [["decoyed", "objective", 0, 0, 0]], []),
        ({"again": True}, [["decoyed", "objective", 0, 0, 0]], ["Action: Decoy on objective 1 with Reds"]),
        ({}, [["decoyed", "objective", 0, 1, 0]], ["Action: Decoy on objective 1 with Reds"]),
        ({"where": "central"}, [], []),
        ({"by": "second side"}, [], []),
        ({"from_round": 2}, [], []),
    ],
)
def test_an_action_says_on_what_and_by_whom_it_is_done(more: Any, marks: Any, labels: list[str]) -> None:
    b = with_action({**DECOY, **more}, units=[SHOOTERS], game={"marks": marks}, more={"roles": ["expansion"]})
    assert table.cards(b) == labels


def test_two_units_do_not_do_the_same_on_the_same_objective() -> None:
    b = with_action(DECOY, units=[SHOOTERS, unit("More", "red", TROOPER, [(10, 12)])])
    table.play(b, "Action: Decoy on objective 1 with Reds")
    assert table.cards(b) == []


RUIN = feature("ruins", (8, 8, 4, 4), 5, id="ruin")
TRAP = {"name": "Trap", "completes": "at once", "at": "area", "where": "not own zone", "tag": "trapped", "limit": 9}


def test_an_area_is_trapped_at_once_and_counts_in_the_turn_in_which_it_was() -> None:
    ways = [way("marked", tag="trapped", fresh=True), way("marked", tag="trapped", fresh=True, of="is objective", vp=3)]
    b = with_action(TRAP, *ways, units=[SHOOTERS], terrain=[RUIN])
    table.play(b, "Action: Trap on ruin with Reds")
    marks = b.state.game.marks
    play_on(b)
    assert (marks, red(b)) == ((("trapped", "area", 0, 0, 0),), 4)


def test_a_trap_of_an_earlier_turn_does_not_count_again() -> None:
    game = {"marks": [["trapped", "area", 0, 0, 0]], "turns": 2}
    b = at_the_end(way("marked", tag="trapped", fresh=True), units=[REDS], terrain=[RUIN], game=game)
    assert red(b) == 0


@pytest.mark.parametrize(("at", "vp"), [((11.8, 11.8), 0), ((14, 14), 4)])
def test_an_action_in_an_area_may_need_it_to_be_free_of_enemies(at: Any, vp: int) -> None:
    task = {"name": "Operation", "at": "area", "alone": True}
    units = [unit("Reds", "red", TROOPER, [(8.7, 8.7)]), unit("Blues", "blue", PLAIN, [at])]
    b = with_action(task, way("done", action="Operation", once=True, vp=4), units=units, terrain=[RUIN])
    table.play(b, "Action: Operation on ruin with Reds")
    play_on(b)
    assert red(b) == vp


WATCH = {
    "name": "Surveil", "completes": "at once", "at": "enemy", "within": 18, "tag": "surveilled", "lasts": "turn",
    "limit": 9,
}  # fmt: skip


@pytest.mark.parametrize(("x", "labels"), [(28.9, ["Action: Surveil on Blues with Reds"]), (29.1, [])])
def test_an_enemy_is_surveilled_that_is_near_and_seen(x: float, labels: list[str]) -> None:
    b = with_action(WATCH, units=[SHOOTERS, unit("Blues", "blue", PLAIN, [(x, 10)])])
    assert table.cards(b) == labels


def test_a_mark_of_a_turn_is_gone_with_the_next() -> None:
    b = with_action(WATCH, way("marked", tag="surveilled", once=True, vp=4), units=[
        SHOOTERS, unit("Blues", "blue", PLAIN, [(25, 10)])
    ])  # fmt: skip
    table.play(b, "Action: Surveil on Blues with Reds")
    play_on(b)
    assert (red(b), b.state.game.marks) == (4, ())


@pytest.mark.parametrize(("marks", "vp"), [([], 1), ([["decoyed", "objective", 0, 1, 0]], 0)])
def test_enemies_beside_their_own_operation_markers_do_not_count(marks: Any, vp: int) -> None:
    blues = unit("Blues", "blue", PLAIN, [(10, 12)])
    game = {"marks": [["surveilled", "unit", 1, 0, 0], *marks]}
    assert red(at_the_end(way("marked", tag="surveilled", of="unshielded"), units=[REDS, blues], game=game)) == vp


TOKENS = [["marked", "area", 0, 1, 0], ["marked", "area", 1, 1, 0]]
TWO = [RUIN, feature("ruins", (30, 8, 4, 4), 5, id="tower")]
SWEEP = {"name": "Sweep", "at": "objective", "controls": True, "again": True, "clears": "one", "leaves": 1}


def test_a_sweep_takes_one_operation_marker_off() -> None:
    b = with_action(SWEEP, units=[SHOOTERS], terrain=TWO, game={"marks": TOKENS})
    table.play(b, "Action: Sweep on objective 1 with Reds")
    table.until(b, "clear_marker")
    asked = table.offered(b, "clear_marker")
    give(b, "clear_marker", "tower")
    assert (asked, b.state.game.marks) == (["ruin", "tower"], (("marked", "area", 0, 1, 0),))


def test_it_cannot_start_while_one_is_left() -> None:
    assert table.cards(with_action(SWEEP, units=[SHOOTERS], terrain=TWO, game={"marks": TOKENS[:1]})) == []


@pytest.mark.parametrize(
    ("marks", "at", "vp"),
    [(TOKENS[:1], (20, 20), 1), (TOKENS[:1], (11, 11.5), 0), (TOKENS[1:], (20, 20), 0), (TOKENS, (20, 20), 0)],
)
def test_who_is_alone_in_the_area_of_the_last_operation_marker_scores(marks: Any, at: Any, vp: int) -> None:
    units = [unit("Reds", "red", PLAIN, [(9, 9)]), unit("Blues", "blue", PLAIN, [at])]
    assert red(at_the_end(way("alone", tokens_of="enemy"), units=units, terrain=TWO, game={"marks": marks})) == vp


@pytest.mark.parametrize(
    ("more", "vp"),
    [
        ({}, 2),
        ({"tokens_of": "enemy"}, 1),
        ({"where": "central"}, 1),
        ({"where": "expansion", "of": "controlled"}, 0),
        ({"once": True, "count": 0, "at_most": 0}, 0),
        ({"once": True, "count": 2}, 1),
    ],
)
def test_operation_markers_count_by_whose_they_are_and_where_they_lie(more: Any, vp: int) -> None:
    marks = [["m", "objective", 0, 0, 0], ["m", "objective", 1, 0, 0], ["m", "objective", 1, 1, 0]]
    spots, roles = [(10, 10), (30, 10)], {"roles": ["central", "expansion"]}
    assert red(at_the_end(way("tokens", **more), units=[REDS], spots=spots, more=roles, game={"marks": marks})) == vp


CLEAR = {"name": "Clear", "starts": "moves", "clears": "here"}
DECOYED = {"marks": [["decoyed", "objective", 0, 1, 0], ["decoyed", "objective", 1, 1, 0]]}


@pytest.mark.parametrize(("x", "left"), [(4, 0), (20, 1)])
def test_a_unit_that_ends_a_move_beside_the_enemys_markers_takes_them_off(x: float, left: int) -> None:
    units = [unit("Reds", "red", PLAIN, [(4, 10)])]
    game = {"marks": [["decoyed", "objective", 0, 1, 0]]}
    b = with_action(CLEAR, units=units, spots=[(x + 4, 10)], game=game, step="move_units")
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [2, 0]})
    assert len(b.state.game.marks) == left


@pytest.mark.parametrize("rest", ["pile_in", "consolidate"])
def test_moves_of_a_fight_take_markers_off_too(rest: str) -> None:
    reds = unit("Reds", "red", PLAIN, [(4, 10)], charged=True, could_fight=True, fought=rest == "consolidate")
    units = [reds, unit("Blues", "blue", PLAIN, [(7.9, 10)])]
    b = with_action(CLEAR, units=units, spots=[(10, 10), (30, 10)], game=DECOYED, step=f"{rest}_units")
    give(b, f"{rest}_with", "Reds")
    before = len(b.state.game.marks)
    give(b, rest, {"mode": rest, "to": [[6.6, 10]]})
    assert (before, b.state.game.marks) == (2, (("decoyed", "objective", 1, 1, 0),))


def test_markers_are_put_into_areas_before_the_first_turn() -> None:
    task = {"name": "Place", "starts": "battle", "at": "area", "where": "not own zone", "tag": "marked", "limit": 2,
            "by": "first side"}  # fmt: skip
    terrain = [*TWO, feature("ruins", (20, 20, 4, 4), 5, id="far"), feature("ruins", (20, 1, 3, 3), 5, id="near")]
    b = with_action(task, units=[REDS], terrain=terrain, step="begin_the_battle", round_=0)
    asked = table.offered(b, "place_token")
    give(b, "place_token", "tower")
    give(b, "place_token", "far")
    assert (asked, b.state.game.marks) == (
        ["far", "ruin", "tower"],
        (("marked", "area", 1, 0, 0), ("marked", "area", 2, 0, 0)),
    )


CONDEMN = {"name": "Condemn", "starts": "turn begins", "at": "enemy", "limit": 3, "tag": "condemned", "who": "threats",
           "lasts": "round of turns"}  # fmt: skip


@pytest.mark.parametrize(
    ("at", "slain"), [((30, 12), []), ((10, 12), [[2, 0, 4, False]]), ((30, 12), [[2, 0, 3, False]])]
)
def test_enemies_are_condemned_that_are_on_objectives_or_destroyed_somebody(at: Any, slain: Any) -> None:
    units = [REDS, unit("Blues", "blue", PLAIN, [at])]
    b = with_action(CONDEMN, units=units, step="start_of_turn", game={"slain": slain, "turns": 5})
    assert table.offered(b, "name_enemy") == ["Blues", "Foes"]


@pytest.mark.parametrize(("at", "slain", "unit_"), [((10, 12), [], 1), ((30, 12), [[2, 0, 4, False]], 2)])
def test_nobody_else_is_condemned_while_there_are_such_enemies(at: Any, slain: Any, unit_: int) -> None:
    units = [REDS, unit("Blues", "blue", PLAIN, [at])]
    b = with_action(CONDEMN, units=units, step="start_of_turn", game={"slain": slain, "turns": 5})
    assert b.state.game.marks == (("condemned", "unit", unit_, 0, 5),)


@pytest.mark.parametrize(("dead", "vp"), [({1: 0}, 5), ({}, 0)])
@pytest.mark.parametrize("active", ["red", "blue"])
def test_a_condemned_unit_that_leaves_the_battlefield_pays_in_either_turn(dead: Any, vp: int, active: str) -> None:
    ways = way("left", tag="condemned", once=True, turns="either", vp=5)
    game = {"marks": [["condemned", "unit", 1, 0, 0]], "stood": [0, 1, 2]}
    blues = unit("Blues", "blue", PLAIN, [(20, 10)], wounds=dead)
    assert red(at_the_end(ways, units=[REDS, blues], game=game, active=active)) == vp


@pytest.mark.parametrize(("active", "kept"), [("red", False), ("blue", True)])
def test_condemned_units_are_so_until_the_players_next_turn(active: str, kept: bool) -> None:
    game = {"marks": [["condemned", "unit", 1, 0, 0]], "turns": 2}
    b = with_action(CONDEMN, units=[REDS], step="start_of_turn", active=active, game=game)
    assert (("condemned", "unit", 1, 0, 0) in b.state.game.marks) == kept


def test_who_has_destroyed_an_enemy_may_mark_an_objective_at_the_end_of_the_turn() -> None:
    task = {"name": "Consecrate", "starts": "turn ends", "at": "objective", "tag": "consecrated", "who": "slayers"}
    ways = [way("marked", tag="consecrated", once=True, at_most=2, vp=3, group="tier"),
            way("marked", tag="consecrated", once=True, count=3, vp=6, group="tier")]  # fmt: skip
    game = {"slain": [[0, 1, 0, True]]}
    b = with_action(task, *ways, units=[REDS, DEAD], step="end_of_turn", game=game)
    give(b, "mark_objective", "objective 1")
    assert (b.state.game.marks, red(b)) == ((("consecrated", "objective", 0, 0, 0),), 3)


def test_who_has_destroyed_nobody_marks_nothing() -> None:
    task = {"name": "Consecrate", "starts": "turn ends", "at": "objective", "tag": "consecrated", "who": "slayers"}
    assert "mark_objective" not in table.kinds(with_action(task, units=[REDS, DEAD], step="end_of_turn"))


@pytest.mark.parametrize(("where", "vp"), [("all", 1), ("enemy territory", 0)])
def test_completed_actions_count_by_where_their_units_are(where: str, vp: int) -> None:
    b = with_action({**DECOY, "tag": ""}, way("done", action="Decoy", where=where), units=[SHOOTERS], more=LANDS)
    table.play(b, "Action: Decoy on objective 1 with Reds")
    play_on(b)
    assert red(b) == vp
