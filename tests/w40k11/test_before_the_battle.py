"""Before the battle: formations, deployment, Infiltrators, Scouts, and what reserves are worth at the end."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.battle import GONE
from sandtable.battle.questions import check
from sandtable.battle.state import new_version
from sandtable.forty.state import Entry
from sandtable.systems.w40k11.state import Battle11
from sandtable.table.grid import steps
from w40k11.carriers import RHINO, is_aboard
from w40k11.table import (
    HERO,
    INCH,
    TANK,
    TROOPER,
    asked,
    cites,
    give,
    judge,
    kinds,
    named,
    offered,
    places,
    play,
    power,
    rolls,
    row,
    situation,
    told,
    unit,
    until,
)

rule = pytest.mark.rule
PLANE: dict[str, Any] = {**TANK, "name": "Plane", "keywords": ["VEHICLE", "FLY", "AIRCRAFT"], "base": INCH}
WALL: dict[str, Any] = {**TANK, "name": "Wall", "move": None, "keywords": ["FORTIFICATION"], "base": INCH}
TAXI: dict[str, Any] = {**RHINO, "name": "Taxi", "keywords": [*RHINO["keywords"], "DEDICATED TRANSPORT"]}
SPY: dict[str, Any] = {**TROOPER, "name": "Spy", "abilities": ["infiltrators"]}
RANGER: dict[str, Any] = {**TROOPER, "name": "Ranger", "abilities": ["scouts 6"]}
LATER: dict[str, Any] = {**TROOPER, "name": "Later", "abilities": ["after deployment"]}


def off(name: str, player: str = "red", doc: Any = TROOPER, count: int = 1, **flags: Any) -> Any:
    """A unit that is not on the battlefield."""
    return unit(name, player, doc, off=count, **flags)


def before(*units: Any, step: str, first: int = 0, **more: Any) -> Battle11:
    """A battle before its first round; red is the Attacker, and has the strip 10" deep at the bottom."""
    game = {"attacker": 0, "first": first}
    return situation(list(units), step=step, mission="only-war", size=(60, 44), round_=0, game=game, **more)


def said(b: Battle11, kind: str, answer: Any) -> set[str]:
    """What is cited against an answer; nothing where it is allowed."""
    verdict = judge(b, kind, answer)
    return set() if verdict else cites(verdict) | {"refused"}


def aboard(name: str, transport: str) -> dict[str, str]:
    return {"weapon": name, "target": transport}


def waiting(*names: str) -> list[dict[str, str]]:
    return [{"weapon": name, "target": "Strategic reserves"} for name in names]


def worth(b: Battle11, *points: int, limit: int = 2000) -> Battle11:
    """The battle, with the points of its units."""
    roster = tuple(Entry("test", points=p) for p in points)
    b.setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, roster=roster, limit=limit))
    b.state.version = b.state.stamp = new_version()
    return b


BLUE = off("Blues", "blue")


# --- Formations -------------------------------------------------------------------------------------------------------


@rule("w40k11.transport.start_embarked", check=1)
def test_who_starts_embarked_is_declared_with_the_formations() -> None:
    b = before(off("Reds"), off("Rhino", doc=RHINO), BLUE, step="declare_transports")
    give(b, "start_embarked", [aboard("Reds", "Rhino")])
    give(b, "reserves", [])
    give(b, "reserves", [])
    assert (is_aboard(b), named(b, "Reds").reserve, told(b)) == (True, "", ["embarked"])


@rule("w40k11.transport.start_embarked", check=2)
def test_who_starts_embarked_is_not_set_up() -> None:
    b = before(off("Rhino", doc=RHINO), off("Reds", embarked="Rhino"), off("More"), BLUE, step="deploy_armies")
    assert offered(b, "deploy_with") == ["More", "Rhino"]


@rule("w40k11.gap.battle_formations", check=1)
def test_transports_come_before_reserves_in_secret_and_all_is_revealed_together() -> None:
    b = before(off("Reds"), off("Rhino", doc=RHINO), BLUE, step="declare_transports")
    assert (kinds(b), asked(b, "start_embarked").secret) == (["start_embarked"], True)
    give(b, "start_embarked", [])
    assert ([d.player for d in b.decisions], asked(b, "reserves").secret) == ([0, 1], True)
    give(b, "reserves", waiting("Reds"))
    assert (named(b, "Reds").reserve, kinds(b)) == ("", ["reserves"])
    give(b, "reserves", waiting("Blues"))
    assert (named(b, "Reds").reserve, named(b, "Blues").reserve) == ("strategic", "strategic")


@rule("w40k11.gap.battle_formations", check=1)
def test_who_is_noted_as_embarked_is_not_in_reserves_and_who_is_left_behind_neither() -> None:
    units = [off("Reds"), off("Rhino", doc=RHINO), off("Taxi", doc=TAXI), BLUE]
    b = before(*units, step="declare_transports")
    give(b, "start_embarked", [aboard("Reds", "Rhino")])
    give(b, "reserves", waiting("Taxi"))
    give(b, "reserves", [])
    assert ([named(b, n).reserve for n in ("Reds", "Rhino", "Taxi")], "reserves" in told(b)) == (["", "", ""], False)


@rule("w40k11.gap.battle_formations", check=2)
def test_aircraft_are_noted_as_reserves() -> None:
    b = before(off("Plane", doc=PLANE), off("Reds"), BLUE, step="declare_reserves")
    assert [r.label for r in asked(b, "reserves").rows] == ["Reds"]
    give(b, "reserves", [])
    give(b, "reserves", [])
    assert (named(b, "Plane").reserve, named(b, "Reds").reserve) == ("strategic", "")


@rule("w40k11.gap.dedicated_transport", check=1)
def test_a_dedicated_transport_without_passengers_counts_as_destroyed() -> None:
    def left(*plans: dict[str, str]) -> bool:
        b = before(off("Reds"), off("Taxi", doc=TAXI), BLUE, step="declare_transports")
        give(b, "start_embarked", list(plans))
        give(b, "reserves", [])
        give(b, "reserves", [])
        return bool(b.state.models.place[named(b, "Taxi").models[0]] == GONE)

    assert [left(), left(aboard("Reds", "Taxi"))] == [True, False]


@rule("w40k11.gap.fortifications", check=1)
@rule("w40k11.reserves.placing", check=1)
def test_fortifications_are_not_put_into_reserves() -> None:
    b = before(off("Wall", doc=WALL), off("Reds"), BLUE, step="declare_reserves")
    assert [r.label for r in asked(b, "reserves").rows] == ["Reds"]


@rule("w40k11.reserves.placing", check=2)
def test_deep_strike_units_are_put_into_strategic_reserves_too() -> None:
    b = before(off("Divers", doc={**TROOPER, "abilities": ["deep strike"]}), off("Reds"), BLUE, step="declare_reserves")
    give(b, "reserves", waiting("Divers"))
    give(b, "reserves", [])
    assert [named(b, n).reserve for n in ("Divers", "Reds")] == ["strategic", ""]


LIMIT = {"refused", "w40k11.reserves.limit"}


@rule("w40k11.reserves.limit", check=1)
def test_at_two_thousand_points_the_limit_is_a_thousand() -> None:
    def found(points: int) -> set[str]:
        b = worth(before(off("Reds"), off("More"), BLUE, step="declare_reserves"), points, 500, 0)
        return said(b, "reserves", waiting("Reds", "More"))

    assert [found(500), found(501)] == [set(), LIMIT]


@rule("w40k11.reserves.limit", check=2)
def test_passengers_of_a_transport_in_reserves_count() -> None:
    def found(points: int) -> set[str]:
        b = before(off("Reds"), off("Rhino", doc=RHINO), BLUE, step="declare_transports")
        give(b, "start_embarked", [aboard("Reds", "Rhino")])
        return said(worth(b, points, 500, 0), "reserves", waiting("Rhino"))

    assert [found(500), found(501)] == [set(), LIMIT]


@rule("w40k11.reserves.limit", check=3)
def test_the_share_is_of_the_battle_size() -> None:
    def found(limit: int) -> set[str]:
        b = worth(before(off("Reds"), off("More"), BLUE, step="declare_reserves"), 900, 100, 0, limit=limit)
        return said(b, "reserves", waiting("Reds"))

    assert [found(2000), found(1799)] == [set(), LIMIT]


@rule("w40k11.aircraft.deploy", check=1)
def test_aircraft_are_never_deployed() -> None:
    b = before(off("Plane", doc=PLANE), off("Reds"), off("More"), BLUE, step="declare_reserves")
    give(b, "reserves", [])
    give(b, "reserves", [])
    assert (offered(b, "deploy_with"), named(b, "Plane").reserve) == (["More", "Reds"], "strategic")


@rule("w40k11.aircraft.deploy", check=2)
def test_the_points_of_aircraft_count_towards_the_limit() -> None:
    def found(points: int) -> set[str]:
        b = worth(before(off("Plane", doc=PLANE), off("Reds"), BLUE, step="declare_reserves"), points, 500, 0)
        return said(b, "reserves", waiting("Reds"))

    assert [found(500), found(501)] == [set(), LIMIT]


# --- Deployment -------------------------------------------------------------------------------------------------------


@rule("w40k11.gap.deployment", check=1)
def test_the_winner_of_a_roll_off_attacks_and_deploys_first_in_its_zone() -> None:
    units = [off(f"{side} {n}", side) for side in ("red", "blue") for n in (1, 2)]
    b = situation(units, step="attacker_and_defender", mission="only-war", size=(60, 44), round_=0,
                  dice={"roll-off": [2, 5, 6, 1]})  # fmt: skip
    give(b, "reserves", [])
    give(b, "reserves", [])
    order = []
    for x in (10, 20, 30, 40):
        order.append(b.decisions[0].player)
        while b.decisions[0].kind != "deploy":
            b.answer(b.decisions[0], b.default(b.decisions[0]))
        at = [[x, 9.5]] if b.decisions[0].player == 1 else [[x, 34.5]]
        outside = [[x, 9.6]] if b.decisions[0].player == 1 else [[x, 34.4]]
        assert said(b, "deploy", outside) == {"refused", "w40k11.gap.deployment"}
        give(b, "deploy", at)
    assert (order, b.state.game.attacker) == ([1, 0, 1, 0], 1)


@rule("w40k11.gap.deployment", check=2)
def test_who_is_set_up_after_both_armies_comes_after_infiltrators_by_a_roll_off() -> None:
    units = [off("Late red", doc=LATER), off("Spies", doc=SPY), off("Blues", "blue"), off("Late blue", "blue", LATER)]
    b = before(*units, step="deploy_armies", dice={"roll-off": [1, 6, 5, 2]})
    order = []
    for x, y in ((10, 5), (10, 40), (20, 40), (20, 5)):
        order.append(b.unit(b.decisions[0].unit).name)
        give(b, "deploy", [[x, y]])
    assert order == ["Spies", "Blues", "Late blue", "Late red"]


@rule("w40k11.gap.deployment", check=2)
def test_one_roll_off_says_who_begins_with_late_units_and_players_take_turns() -> None:
    late = [off(f"{side} {n}", side, LATER) for side in ("red", "blue") for n in (1, 2)]
    here = [unit("Reds", "red", TROOPER, [(50, 5)]), unit("Blues", "blue", TROOPER, [(50, 40)])]
    b = before(*late, *here, step="deploy_late_units", dice={"roll-off": [1, 6]})
    order = []
    for x in (10, 20, 30):
        until(b, "deploy")
        order.append(b.decisions[0].player)
        give(b, "deploy", [[x, (5, 40)[b.decisions[0].player]]])
    assert (order, b.decisions[0].player, rolls(b)) == ([1, 0, 1], 0, [("roll-off", (1,)), ("roll-off", (6,))])


@rule("w40k11.gap.deployment", check=2)
def test_there_is_no_roll_off_where_one_player_alone_has_late_units() -> None:
    here = [unit("Reds", "red", TROOPER, [(50, 5)]), unit("Blues", "blue", TROOPER, [(50, 40)])]
    b = before(off("Late", "blue", LATER), *here, step="deploy_late_units")
    assert (kinds(b), rolls(b)) == (["deploy"], [])


INFILTRATE = {"refused", "w40k11.unit.infiltrators"}


def spies(*others: Any) -> Battle11:
    return before(off("Spies", doc=SPY), *others, step="deploy_armies")


@rule("w40k11.unit.infiltrators", check=1)
def test_infiltrators_keep_more_than_eight_inches_from_the_zone_of_the_opponent() -> None:
    b = spies(unit("Blues", "blue", TROOPER, [(50, 40)]))
    assert (said(b, "deploy", [[10, 25.5]]), said(b, "deploy", [[10, 25.49]])) == (INFILTRATE, set())


@rule("w40k11.unit.infiltrators", check=2)
def test_infiltrators_keep_away_from_enemies_as_well() -> None:
    b = spies(unit("Blues", "blue", TROOPER, [(19, 20)]))
    far_from_both, near_the_enemy, near_the_zone = [[9.9, 20]], [[10, 20]], [[9.9, 26]]
    found = [said(b, "deploy", at) for at in (far_from_both, near_the_enemy, near_the_zone)]
    assert found == [set(), INFILTRATE, INFILTRATE]


# --- Scouts -----------------------------------------------------------------------------------------------------------


FAR = unit("Blues", "blue", TROOPER, [(50, 40)])


def scouting(*units: Any, **more: Any) -> Battle11:
    return before(*units, step="pre_battle_abilities", **more)


def scout_of(*units: Any, name: str = "Reds") -> Battle11:
    """A unit makes its scout move."""
    b = scouting(*units)
    give(b, "pre_battle", name)
    return b


@rule("w40k11.unit.scouts", check=1)
def test_scouts_in_reserves_may_be_set_up_in_their_zone() -> None:
    units = [off("Reds", doc=RANGER, reserve="strategic"), off("Others", reserve="strategic"), FAR]
    assert offered(scouting(*units), "pre_battle") == ["Reds"]
    b = scout_of(*units)
    assert said(b, "scout_set_up", [[10, 9.6]]) == {"refused", "w40k11.gap.deployment"}
    give(b, "scout_set_up", [[10, 9.5]])
    assert (places(b, "Reds"), named(b, "Reds").reserve, named(b, "Others").reserve) == (
        [(10, 9.5, 0)],
        "",
        "strategic",
    )


@rule("w40k11.unit.scouts", check=2)
def test_a_unit_that_is_partly_outside_its_zone_makes_no_scout_move() -> None:
    inside = unit("Reds", "red", RANGER, [(10, 9.5), (12, 9.5)])
    partly = unit("Others", "red", RANGER, [(30, 9.5), (32, 9.6)])
    b = scouting(inside, partly, FAR)
    assert offered(b, "pre_battle") == ["Reds"]
    give(b, "pre_battle", "Reds")
    give(b, "scout_move", {"mode": "scout"})
    assert "pre_battle" not in kinds(b)


@rule("w40k11.unit.scouts", check=2)
def test_nobody_scouts_without_deployment_zones() -> None:
    b = situation([unit("Reds", "red", RANGER, [(10, 5)]), FAR], step="pre_battle_abilities", size=(60, 44), round_=0)
    assert "pre_battle" not in kinds(b)


@rule("w40k11.unit.scouts", check=3)
def test_one_passenger_without_scouts_stops_the_move_of_the_transport() -> None:
    def moves(*riders: Any, doc: Any = TAXI) -> bool:
        taxi = unit("Taxi", "red", doc, [(10, 5)])
        return "pre_battle" in kinds(scouting(taxi, *riders, FAR))

    ranger, trooper = off("Rangers", doc=RANGER, embarked="Taxi"), off("Troopers", embarked="Taxi")
    assert [moves(ranger), moves(ranger, trooper), moves(ranger, doc=RHINO)] == [True, False, False]


def far(units: list[Any], *to: float, name: str = "Reds") -> list[bool]:
    """Whether the unit, at 10" in its zone, may scout so far up."""
    b = scout_of(*units, FAR, name=name)
    count = len(asked(b, "scout_move").models)
    ends = [[[10 + 2 * k, 5 + up] for k in range(count)] for up in to]
    return [bool(judge(b, "scout_move", {"mode": "scout", "to": end})) for end in ends]


@rule("w40k11.unit.scout_move", check=3)
def test_a_transport_scouts_as_far_as_its_passengers() -> None:
    units = [unit("Taxi", "red", TAXI, [(10, 5)]), off("Rangers", doc=RANGER, embarked="Taxi")]
    assert far(units, 6, 6.01, name="Taxi") == [True, False]


@rule("w40k11.weapon.duplicates", check=3)
@rule("w40k11.unit.scout_move", check=3)
def test_a_unit_scouts_as_far_as_its_slowest_model_can() -> None:
    fast = {**RANGER, "name": "Fast", "abilities": ["scouts 8"]}
    chief = {**HERO, "leads": ["Fast"], "abilities": ["leader", "scouts 6"]}
    units = [unit("Reds", "red", fast, [(10, 5), (12, 5)]), unit("Hero", "red", chief, [(14, 5)], leads="Reds")]
    assert (far(units, 6, 6.01), far(units[:1], 8, 8.01)) == ([True, False], [True, False])


@rule("w40k11.unit.scout_move", check=1)
def test_a_scout_move_ends_more_than_eight_inches_from_enemies() -> None:
    b = scout_of(unit("Reds", "red", RANGER, [(10, 9)]), unit("Blues", "blue", TROOPER, [(10, 23)]))
    cited = {"refused", "w40k11.unit.scout_move"}
    near, far = ({"mode": "scout", "to": [[10, y]]} for y in (14, 13.99))
    assert (said(b, "scout_move", near), said(b, "scout_move", far)) == (cited, set())


@rule("w40k11.unit.scout_move", check=2)
def test_nobody_embarks_after_a_scout_move() -> None:
    b = scout_of(unit("Reds", "red", RANGER, [(10, 5)]), unit("Rhino", "red", RHINO, [(14, 5)]), FAR)
    assert said(b, "scout_move", {"mode": "scout", "onto": "Rhino"}) == {"refused", "w40k11.transport.embark"}
    assert said(b, "scout_move", {"mode": "scout", "to": [[10, 6]]}) == set()


@rule("w40k11.unit.scout_move", check=3)
def test_a_scout_move_ends_in_coherency_and_goes_as_far_as_the_ability_says() -> None:
    b = scout_of(unit("Reds", "red", RANGER, row(2, (10, 5))), FAR)
    apart, too_far, good = (
        {"mode": "scout", "to": to} for to in ([[10, 11], None], [[10, 11.1], [11.5, 11]], [[10, 11], [11.5, 11]])
    )
    assert "w40k11.move.ending" in said(b, "scout_move", apart)
    assert "w40k11.unit.scout_move" in said(b, "scout_move", too_far)
    assert said(b, "scout_move", good) == set()


@rule("w40k11.weapon.duplicates", check=3)
@pytest.mark.parametrize(("numbers", "far"), [(("6", "8"), 6), (("8", "8"), 8)])
def test_of_several_distances_of_scouts_the_least_counts(numbers: tuple[str, str], far: int) -> None:
    one, others = ({**RANGER, "name": f"Ranger {n}", "abilities": [f"scouts {n}"]} for n in numbers)
    b = scout_of(unit("Reds", "red", others, row(6, (10, 5)), loadout=[{"models": [3], "sheet": one}]), FAR)
    assert asked(b, "scout_move").modes[0].allowance == steps(far)  # type: ignore[attr-defined]


@rule("w40k11.faq.scout_embark", check=1)
@rule("w40k11.transport.embark", check=4)
def test_embarking_becomes_possible_once_the_first_round_has_begun() -> None:
    units = [unit("Reds", "red", RANGER, [(10, 5)]), unit("Rhino", "red", RHINO, [(14, 5)]), FAR]
    b = scout_of(*units)
    assert said(b, "scout_move", {"mode": "scout", "onto": "Rhino"}) == {"refused", "w40k11.transport.embark"}
    later = situation(units, size=(60, 44))
    give(later, "move_with", "Reds")
    assert said(later, "move", {"mode": "normal", "onto": "Rhino"}) == set()


@rule("w40k11.gap.pre_battle", check=1)
@pytest.mark.parametrize("first", [0, 1])
def test_players_take_turns_with_pre_battle_abilities(first: int) -> None:
    reds = [unit(f"Red {k}", "red", RANGER, [(10 + 5 * k, 5)]) for k in (1, 2)]
    blues = [unit(f"Blue {k}", "blue", RANGER, [(10 + 5 * k, 40)]) for k in (1, 2)]
    b, order = scouting(*reds, *blues, first=first), []
    while b.state.round == 0:
        d = b.decisions[0]
        order += [d.player] if d.kind == "scout_move" else []
        b.answer(d, b.default(d))
    assert order == [first, 1 - first, first, 1 - first]


def played(b: Battle11, passing: int = -1) -> list[tuple[str, int]]:
    """What is asked, and of whom, until the battle begins; one player passes."""
    order = []
    while b.state.round == 0:
        d = b.decisions[0]
        order.append((d.kind, d.player))
        b.answer(d, None if order[-1] == ("pre_battle", passing) else b.default(d))
    return order


def patrols(*numbers: int) -> list[Any]:
    """Scouts of both sides."""
    sides = (("red", 5), ("blue", 40))
    return [unit(f"{side} {k}", side, RANGER, [(10 + 5 * k, y)]) for side, y in sides for k in numbers]


def omen(name: str, bearer: str = "red 1") -> dict[str, Any]:
    """An ability that may be used at this moment."""
    chance = {"kind": "modify", "roll": "hit", "value": 1, "at": "battle_start", "optional": True, "until": "battle"}
    return {**power(bearer, **chance), "name": name}


SCOUTED = [[("pre_battle", player), ("scout_move", player)] for player in (0, 1)]


@rule("w40k11.gap.pre_battle", check=1)
def test_who_passes_gives_up_its_scout_moves_and_the_other_goes_on() -> None:
    assert played(scouting(*patrols(1, 2)), 0) == [("pre_battle", 0), *SCOUTED[1], *SCOUTED[1]]


@rule("w40k11.gap.pre_battle", check=1)
def test_an_ability_takes_a_turn_and_nobody_loses_its_scout_move_by_it() -> None:
    b = scouting(*patrols(1), abilities=[omen("Omen")])
    play(b, "Ability: Omen")
    give(b, "use_ability", "yes")
    assert played(b) == [*SCOUTED[1], *SCOUTED[0]]


@rule("w40k11.gap.pre_battle", check=1)
def test_who_has_two_abilities_and_no_scouts_resolves_both() -> None:
    b = scouting(unit("Reds", "red", TROOPER, [(10, 5)]), FAR, abilities=[omen("Omen", "Reds"), omen("Sign", "Reds")])
    play(b, "Ability: Omen")
    give(b, "use_ability", "yes")
    assert [d.prompt for d in b.decisions] == ["Use Sign (Reds)?"]


# --- The end ----------------------------------------------------------------------------------------------------------


def at_the_end(*units: Any) -> Battle11:
    b = situation([unit("Base", "red", TROOPER, [(5, 5)]), unit("Foes", "blue", TROOPER, [(40, 25)]), *units],
                  mission="only-war", size=(60, 44), step="end_of_turn", round_=5, active="blue")  # fmt: skip
    while b.decisions:
        d = b.decisions[0]
        b.answer(d, None if check(b, d, None) else b.default(d))
    return b


def lost(b: Battle11, name: str) -> bool:
    return all(b.state.models.place[m] == GONE for m in named(b, name).models)


@rule("w40k11.gap.reserves_at_end", check=1)
def test_repositioned_units_in_reserves_count_as_destroyed_at_the_end() -> None:
    b = at_the_end(off("Reds", reserve="strategic", repositioned=True))
    assert (b.result is not None, lost(b, "Reds"), lost(b, "Base")) == (True, True, False)


@rule("w40k11.gap.reserves_at_end", check=2)
def test_aircraft_that_had_to_leave_do_not() -> None:
    came = off("Plane", doc=PLANE, reserve="strategic", ingressed=True)
    b = at_the_end(came, off("Reds", reserve="strategic", repositioned=True))
    assert (lost(b, "Plane"), lost(b, "Reds")) == (False, True)
