"""Fire Overwatch."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import questions
from sandtable.cli.short_account import ShortAccount
from sandtable.systems.w40k10.state import Battle10
from w40k10.arms import cited, column, gun, last, sheet, target
from w40k10.table import (
    TANK,
    alive,
    asked,
    default,
    feature,
    give,
    kinds,
    offered,
    refused_by,
    rolls,
    situation,
    unit,
    until,
)

ALL = {"windows": "all"}
REROLL = "react.after_roll"


def cp(b: Battle10, player: int = 0) -> int:
    return b.player(player).cp


MOVE = {"mode": "normal", "by": [-2, 0]}


def approach(
    weapon: Any,
    mover: Any = None,
    *,
    blue: Any = None,
    gap: float = 10,
    dice: Any = None,
    options: Any = ALL,
    more: Any = (),
    at: Any = None,
    count: int = 1,
    terrain: Any = None,
    points: tuple[int, int] = (0, 1),
    **flags: Any,
) -> Battle10:
    """Reds, on the left, are about to move; Blues, `gap` inches to the right, may fire Overwatch."""
    b = situation(
        [
            unit("Reds", "red", mover or target(name="Mover", move=6), at or column(count, 10)),
            unit("Blues", "blue", blue or sheet(weapon, name="Blue"), [(11 + gap, 8)], **flags),
            unit("Spares", "red", target(name="Spare"), [(2, 28)]),
            *more,
        ],
        terrain,
        step="move_units",
        cp=points,
        dice=dice,
        options=options,
    )
    give(b, "move_with", "Reds")
    give(b, "move", MOVE)
    return b


BEGAN = "react.unit_move_began"


def overwatch(b: Battle10, trigger: str = BEGAN) -> None:
    give(b, trigger, "Fire Overwatch: Blues")
    default(b, "shoot")


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=1)
@pytest.mark.rule("w40k10.strat.fire_overwatch", check=3)
def test_in_overwatch_only_unmodified_sixes_hit() -> None:
    b = approach(gun("heavy", a="3", bs=2), dice={"hit": [5, 6, 4], "wound": [1]}, moved="stationary")
    overwatch(b)
    assert last(b)["hits"] == 1 and cp(b, 1) == 0
    b = approach(gun(a="1"), target(name="Mover", abilities=["stealth"]), dice={"hit": [6], "wound": [1]})
    overwatch(b)
    assert last(b)["hits"] == 1
    assert "w40k10.strat.fire_overwatch" in cited(b)


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=2)
@pytest.mark.parametrize(("gap", "range_", "allowed"), [(24, 48, True), (24.1, 48, False), (20, 18, False)])
def test_the_overwatching_unit_is_within_24_inches_and_in_range(gap: float, range_: int, allowed: bool) -> None:
    assert (BEGAN in kinds(approach(gun(range_=range_), gap=gap))) is allowed


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=2)
def test_an_unseen_unit_is_no_target_of_overwatch() -> None:
    wall = feature("hill", (15, 0, 0.5, 30), 6, solid=True)
    assert BEGAN not in kinds(approach(gun(), terrain=[wall]))


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=4)
def test_torrent_still_hits_by_itself() -> None:
    b = approach(gun("torrent"), dice={"wound": [4]}, options={})
    overwatch(b)
    assert alive(b, "Reds") == 0


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=2)
def test_one_weapon_that_reaches_is_enough_for_overwatch() -> None:
    both = sheet(gun(name="carbine", range_=6), gun(name="rifle"), name="Blue")
    assert BEGAN in kinds(approach(gun(), blue=both))
    assert BEGAN not in kinds(approach(gun(), blue=sheet(gun(name="carbine", range_=6), name="Blue")))


def test_the_short_account_tells_of_it_by_its_name() -> None:
    b = approach(gun(a="3"), dice={"hit": [5, 6, 4], "wound": [1]})
    overwatch(b)
    lines: list[str] = []
    account = ShortAccount(b, lambda line: lines.append(line.plain))
    for event in b.events:
        account.tell(event)
    account.finish()
    assert any("Blues fire Overwatch at Reds: 3 attacks, 1 hit" in line for line in lines)


def charged(b: Battle10) -> list[str]:
    """Let the movement and shooting go by and Reds charge; what is asked before they move."""
    until(b, "charge_with")
    give(b, "charge_with", "Reds")
    return kinds(b)


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=5)
def test_overwatch_in_the_movement_phase_leaves_none_for_the_charge_phase() -> None:
    b = approach(gun(), dice={"hit": [1], "charge": [6, 6]}, points=(0, 5))
    overwatch(b)
    give(b, REROLL, "pass")
    assert kinds(b) == ["move_with"], "not at the end of the same move either"
    assert charged(b) == ["charge_move"]
    unused = approach(gun(), dice={"charge": [6, 6]}, points=(0, 5))
    assert charged(unused) == [BEGAN]


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=5)
def test_overwatch_comes_back_with_the_next_turn_of_the_opponent() -> None:
    b = approach(gun(), dice={"hit": [1]}, points=(0, 5))
    overwatch(b)
    until(b, "move_with", player=1)
    until(b, "move_with", player=0)
    give(b, "move_with", "Reds")
    give(b, "move", MOVE)
    assert offered(b, BEGAN) == ["Fire Overwatch: Blues"]


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=5)
@pytest.mark.rule("w40k10.strat.once_per_phase", check=2)
def test_other_stratagems_can_be_used_in_every_phase_of_a_turn() -> None:
    b = situation(
        [
            unit("Reds", "red", target(name="Runner", move=6), [(10, 8)]),
            unit("Others", "red", target(name="Charger"), [(10, 20)]),
            unit("Blues", "blue", target(), [(20, 20)]),
        ],
        step="move_units",
        cp=(2, 0),
        dice={"advance": [1, 2], "charge": [1, 1, 6, 6]},
        options=ALL,
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    give(b, REROLL, offered(b, REROLL)[0])
    until(b, "charge_with")
    give(b, "charge_with", "Others")
    give(b, REROLL, offered(b, REROLL)[0])
    assert rolls(b) == [("advance", (1,)), ("advance", (2,)), ("charge", (1, 1)), ("charge", (6, 6))]
    assert cp(b) == 0


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=6)
def test_an_engaged_unit_does_not_fire_overwatch() -> None:
    more = [unit("Brawlers", "red", target(name="Brawler"), [(22.5, 8)])]
    assert BEGAN not in kinds(approach(gun(), more=more))
    assert BEGAN not in kinds(approach(gun("pistol"), more=more)), "Pistols only at those it is engaged with"
    apart = [unit("Brawlers", "red", target(name="Brawler"), [(23.1, 8)])]
    assert BEGAN in kinds(approach(gun(), more=apart))


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=6)
@pytest.mark.parametrize(("moved", "able"), [("fall_back", False), ("normal", True)])
def test_who_could_not_shoot_in_a_shooting_phase_does_not_fire_overwatch(moved: str, able: bool) -> None:
    assert (BEGAN in kinds(approach(gun(), moved=moved))) is able


def after_charge(blue: Any, *more: Any) -> list[str]:
    """Reds charge Blues; who may fire Overwatch at them once they have."""
    b = situation(
        [unit("Reds", "red", target(name="Charger"), [(10, 8)]), unit("Blues", "blue", blue, [(16, 8)]), *more],
        step="charge_phase",
        cp=(0, 1),
        dice={"charge": [3, 3]},
        options=ALL,
    )
    give(b, "charge_with", "Reds")
    give(b, "charge_targets", ["Blues"])
    while "charge_move" not in kinds(b):
        give(b, BEGAN, "pass")
    give(b, "charge_move", {"mode": "charge", "to": [[15, 8]]})
    return [label for d in b.decisions if d.kind == "react.unit_move_ended" for label in offered(b, d.kind)]


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=7)
def test_a_charging_enemy_in_combat_is_a_target_only_by_the_exceptions() -> None:
    small = {**TANK, "base": "25.4mm", "weapons": [gun()]}
    friends = unit("Friends", "blue", sheet(gun(), name="Friend"), [(16, 14)])
    assert after_charge(sheet(gun(), name="Blue"), friends) == [], "nor do others shoot into the combat"
    assert after_charge(sheet(gun("pistol"), name="Blue"), friends) == ["Fire Overwatch: Blues"]
    assert after_charge(small, friends) == ["Fire Overwatch: Blues"]


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=8)
def test_all_attacks_of_overwatch_go_at_that_unit() -> None:
    b = approach(gun())
    give(b, BEGAN, "Fire Overwatch: Blues")
    assert offered(b, "shoot") == ["Reds", "gun"]
    refused_by(b, "shoot", [{"weapon": "gun", "target": "Spares"}], "w40k10.strat.fire_overwatch")


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=9)
def test_sustained_and_lethal_hits_work_in_overwatch() -> None:
    b = approach(
        gun("sustained hits 1", "lethal hits"), target(name="Mover", wounds=5), dice={"hit": [6], "wound": [4]}
    )
    overwatch(b)
    assert (last(b)["hits"], last(b)["wounds"]) == (2, 2)


def test_overwatch_is_not_asked_about_when_it_comes_to_nothing() -> None:
    assert BEGAN not in kinds(approach(gun(s=1), target(name="Mover", toughness=12, save=2, wounds=12), options={}))
    assert BEGAN in kinds(approach(gun(a="30", s=8), options={}))


def test_the_odds_of_overwatch_are_the_chance_to_kill_a_model() -> None:
    b = approach(gun("torrent", s=8), options={})
    d = asked(b, BEGAN)
    chance = questions.odds(b, d, d.options[0].value)  # type: ignore[attr-defined]
    assert chance is not None and 0.75 < chance < 0.9
    assert questions.odds(b, d, None) is None


def test_the_overwatching_unit_tests_its_hazardous_weapon_though_the_target_is_gone() -> None:
    b = approach(gun("torrent", "hazardous", s=8), dice={"wound": [2], "hazardous": [1]}, options={})
    overwatch(b)
    assert alive(b, "Reds") == 0 and alive(b, "Blues") == 0


def test_its_hazardous_test_is_re_rolled_though_the_target_is_gone() -> None:
    dice = {"wound": [2], "hazardous": [1, 6]}
    b = approach(gun("torrent", "hazardous", s=8), dice=dice, options={}, points=(0, 2))
    overwatch(b)
    assert alive(b, "Reds") == 0
    give(b, REROLL, offered(b, REROLL)[0])
    assert [f for k, f in rolls(b) if k == "hazardous"] == [(1,), (6,)]
    assert alive(b, "Blues") == 1, "the new result stands"


def armed(weapon: Any, *, arm: bool, **more: Any) -> list[str]:
    """What is asked when Reds move past Blues, who were armed before or not."""
    b = situation(
        [
            unit("Reds", "red", target(name="Mover", move=6), column(5, 10)),
            unit("Blues", "blue", sheet(weapon, name="Blue"), [(more.get("x", 21), 8)]),
        ],
        step="move_units",
        cp=(0, more.get("points", 1)),
        dice={"any": [1] * 20},
    )
    b.arm(1, [1] if arm else [])
    give(b, "move_with", "Reds")
    give(b, "move", MOVE)
    return kinds(b)


def test_a_unit_that_is_armed_is_asked_to_overwatch_though_it_is_hardly_worth_it() -> None:
    assert BEGAN not in armed(gun(a="1"), arm=False)
    assert BEGAN in armed(gun(a="1"), arm=True)


def test_an_armed_unit_is_not_asked_for_what_cannot_be_paid_or_is_not_allowed() -> None:
    assert BEGAN not in armed(gun(a="1"), arm=True, points=0)
    assert BEGAN not in armed(gun(a="1"), arm=True, x=40)
