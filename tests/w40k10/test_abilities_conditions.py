"""Every condition of effects: one situation in which it holds, and one in which it does not."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.armies.effects import CONDITIONS, Modify
from sandtable.battle import GONE
from sandtable.forty.effects.at_work import at_work
from sandtable.forty.effects.conditions import ABOUT_ATTACK, ABOUT_MODEL, MARKED_AT_A_MOMENT, hold_for_model, read
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.words import ELSEWHERE, WORDS
from w40k10.powers import Place, at, called, clash, needs, use, volleys

SQUAD = at("intercessor-squad", 10)
BOYZ = at("boyz", 20)
NAME = "Intercessor Squad"


def situation(condition: str, red: list[Place] | None = None, blue: list[Place] | None = None, **more: Any) -> Battle10:
    """Intercessors that hit better under a condition."""
    gain = [(NAME, {"kind": "modify", "roll": "hit", "value": 1, "when": [condition]})]
    return clash(red or [SQUAD], blue or [BOYZ], gain=[*gain, *more.pop("gain", [])], bare=True, **more)


def works(b: Battle10) -> bool:
    """Whether the condition holds, as far as it is about the unit."""
    return any(a.name == "gained 0" for a in at_work(b, called(b, NAME), Modify))


def hits_better(b: Battle10, weapon: str = "bolt rifle", target: str = "Boyz", **fire: Any) -> bool:
    """Whether it holds in an attack."""
    return needs(volleys(b, NAME, target, weapon, **fire)[0].hit) == 2


def test_every_condition_is_known() -> None:
    known = {*WORDS.conditions.unit, *WORDS.conditions.attack, *ABOUT_MODEL}
    assert known - {*CONDITIONS, MARKED_AT_A_MOMENT} == set()
    assert {*CONDITIONS} - ELSEWHERE - known == set()
    assert set(WORDS.conditions.attack) == ABOUT_ATTACK


def test_not_turns_a_condition_round() -> None:
    assert not works(situation("charged")) and works(situation("not charged"))
    assert hits_better(situation("not melee")) and not hits_better(situation("not ranged"))
    assert read("not size:20") == ("size", "20", False)


@pytest.mark.parametrize(
    ("condition", "flags"),
    [
        ("charged", {"charged": True}),
        ("stationary", {"moved": "stationary"}),
        ("advanced", {"moved": "advance"}),
        ("fell_back", {"moved": "fall_back"}),
        ("arrived", {"arrived": True}),
        ("battle_shocked", {"battle_shocked": True}),
    ],
)
def test_what_a_unit_did(condition: str, flags: dict[str, Any]) -> None:
    b = situation(condition)
    assert not works(b)
    b.set_unit(called(b, NAME), **flags)
    assert works(b)


@pytest.mark.parametrize(("condition", "losses"), [("below_half", 3), ("below_starting", 1)])
def test_how_many_are_left(condition: str, losses: int) -> None:
    b = situation(condition)
    models = called(b, NAME).models
    b.place_models(models[: losses - 1], GONE)
    assert not works(b)
    b.place_models(models[:losses], GONE)
    assert works(b)


def test_a_single_model_is_below_its_starting_strength_when_it_is_hurt() -> None:
    gain = [("Captain", {"kind": "modify", "roll": "hit", "value": 1, "when": ["below_starting"]})]
    b = clash([at("captain", 10)], [BOYZ], gain=gain, bare=True)
    captain = called(b, "Captain")
    assert not at_work(b, captain, Modify)
    b.set_wounds(captain.models[0], 4)
    assert at_work(b, captain, Modify)


@pytest.mark.parametrize("condition", ["led", "leading", "led_by:CHARACTER", "led_by:PSYKER/CHARACTER"])
def test_with_a_leader(condition: str) -> None:
    assert works(situation(condition, [SQUAD, at("captain", 11.6, leads=NAME)]))
    assert not works(situation(condition))
    gone = situation(condition, [SQUAD, at("captain", 11.6, leads=NAME)])
    gone.place_models(called(gone, NAME).leader, GONE)
    assert not works(gone)


def test_led_by_somebody_else() -> None:
    assert not works(situation("led_by:PSYKER", [SQUAD, at("captain", 11.6, leads=NAME)]))


def test_objectives() -> None:
    assert works(situation("near_objective", objectives=[(12, 9)]))
    assert not works(situation("near_objective", objectives=[(22, 9)]))
    b = situation("control_objective", objectives=[(12, 9)])
    assert not works(b), "control is settled at the end of a phase"
    b.set_game(control=(0,))
    assert works(b)
    b.set_game(control=(1,))
    assert not works(b)
    removed = situation("near_objective", objectives=[(12, 9)])
    removed.set_game(removed=(0,))
    assert not works(removed)


def test_size_and_keywords() -> None:
    assert works(situation("size:5")) and not works(situation("size:6"))
    assert works(situation("keyword:INFANTRY")) and not works(situation("keyword:VEHICLE"))
    assert works(situation("keyword:VEHICLE/BATTLELINE"))


def test_enemies() -> None:
    assert works(situation("enemy_within:9")) and not works(situation("enemy_within:8"))
    assert not works(situation("engaged"))
    assert works(situation("engaged", blue=[at("boyz", 11.5)]))


def test_marks() -> None:
    mark = (NAME, {"kind": "mark", "name": "chosen", "at": "command", "until": "turn"})
    b = situation("marked:chosen", gain=[mark])
    assert not works(b)
    use(b, "gained 1", NAME)
    assert works(b)


def test_kinds_of_models() -> None:
    assert works(situation("has_model:Intercessor Sergeant")) and not works(situation("has_model:Makari"))
    b = situation("model:Intercessor Sergeant")
    hitting = sorted(needs(v.hit) for v in volleys(b, NAME, "Boyz", "bolt rifle"))
    assert hitting == [2, 3], "the Sergeant's attacks are rolled apart"
    sergeant = called(b, NAME).models[-1]
    assert hold_for_model(b, ("model:Intercessor Sergeant",), sergeant)


# --- The attack -------------------------------------------------------------------------------------------------------


def test_ranged_and_melee() -> None:
    assert hits_better(situation("ranged")) and not hits_better(situation("ranged"), "close combat weapon")
    assert hits_better(situation("melee"), "close combat weapon") and not hits_better(situation("melee"))


def test_half_range_is_looked_at_when_targets_are_selected() -> None:
    from sandtable.systems.w40k10.shooting_phase import shot_at
    from sandtable.systems.w40k10.shooting_targets import fire

    b = situation("half_range")
    assert hits_better(b, half_range=True) and not hits_better(b)
    unit, boyz = called(b, NAME), called(b, "Boyz")
    rifle = next(x for x in b.setup.data.sheets[0].weapons if x.name == "bolt rifle")
    assert fire(b, unit, 0, unit.models[0], rifle, shot_at(b, unit, boyz)).half_range
    plain = clash([SQUAD], [BOYZ], bare=True)
    assert not fire(plain, unit, 0, unit.models[0], rifle, shot_at(plain, unit, boyz)).half_range, (
        "where it makes no difference"
    )


def test_target_within() -> None:
    assert hits_better(situation("target_within:9")) and not hits_better(situation("target_within:8"))


def test_strength_above_toughness() -> None:
    b = situation("strength_above_toughness", blue=[at("boyz", 20), at("gretchin", 24)])
    assert hits_better(b, target="Gretchin") and not hits_better(b)


def test_target_keyword() -> None:
    assert hits_better(situation("target_keyword:MONSTER/INFANTRY"))
    assert not hits_better(situation("target_keyword:MONSTER/VEHICLE"))


@pytest.mark.parametrize(("condition", "losses"), [("target_below_half", 6), ("target_below_starting", 1)])
def test_losses_of_the_target(condition: str, losses: int) -> None:
    b = situation(condition)
    assert not hits_better(b)
    b.place_models(called(b, "Boyz").models[:losses], GONE)
    assert hits_better(b)


def test_target_near_objective() -> None:
    assert hits_better(situation("target_near_objective", objectives=[(22, 9)]))
    assert not hits_better(situation("target_near_objective", objectives=[(12, 9)]))


def test_target_marked() -> None:
    mark = ("Boyz", {"kind": "mark", "name": "prey", "at": "command", "until": "turn"})
    b = situation("target_marked:prey", gain=[mark])
    assert not hits_better(b)
    use(b, "gained 1", "Boyz")
    assert hits_better(b)


def test_target_closest() -> None:
    b = situation("target_closest", blue=[at("boyz", 20), at("gretchin", 24)])
    assert hits_better(b) and not hits_better(b, target="Gretchin")


def test_target_battle_shocked() -> None:
    b = situation("target_battle_shocked")
    assert not hits_better(b)
    b.set_unit(called(b, "Boyz"), battle_shocked=True)
    assert hits_better(b)


def test_for_who_is_attacked_the_target_is_the_attacker() -> None:
    def wounds(condition: str) -> int:
        gain = [("Boyz", {"kind": "modify", "roll": "wound", "value": -1, "attacks": "suffered", "when": [condition]})]
        b = clash([SQUAD], [BOYZ], gain=gain, bare=True)
        return needs(volleys(b, NAME, "Boyz", "bolt rifle")[0].wound)

    assert wounds("target_keyword:BATTLELINE") == 6 and wounds("target_keyword:ORKS") == 5
