"""What plans know of abilities: the average of a weapon with those that always work is that of the attack itself."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.forty.effects.constant import always
from sandtable.forty.mind.force import arsenal
from sandtable.forty.odds.estimate import mean_damage
from sandtable.systems.w40k10.state import Battle10
from w40k10.powers import at, called, clash, shots

REROLL = {"kind": "reroll", "roll": "hit", "faces": "ones"}
ALWAYS: list[dict[str, Any]] = [
    REROLL,
    {"kind": "reroll", "roll": "wound", "faces": "failures", "when": ["ranged"]},
    {"kind": "modify", "roll": "wound", "value": 1},
    {"kind": "critical", "roll": "wound", "value": 4},
    {"kind": "weapon_ability", "weapons": "ranged", "ability": "sustained hits 1"},
    {"kind": "characteristic", "name": "S", "add": 1, "weapons": "ranged"},
]
NOT_ALWAYS: list[dict[str, Any]] = [
    {**REROLL, "when": ["target_keyword:MONSTER"]},
    {**REROLL, "when": ["charged"]},
    {**REROLL, "attacks": "suffered"},
    {**REROLL, "who": "friends", "within": 6.0},
]


def battle(effect: dict[str, Any] | None) -> Battle10:
    gain = [] if effect is None else [("Intercessor Squad", effect)]
    return clash([at("intercessor-squad", 10)], [at("boyz", 20)], bare=True, gain=gain)


def planned(b: Battle10) -> float:
    """What plans think that one bolt rifle does to Boyz."""
    known = arsenal(b)
    who, whom = called(b, "Intercessor Squad").models[-1], called(b, "Boyz").models[-1]
    return float(known.fire[known.kind[who], 1, known.sheet[whom]])


def attacked(b: Battle10) -> float:
    """What it does when it is fired."""
    squad = called(b, "Intercessor Squad")
    mine = [s for s in shots(b, squad.name, "Boyz", "bolt rifle") if s.model == squad.models[-1]]
    return mean_damage(b, squad, called(b, "Boyz"), mine)


@pytest.mark.parametrize("effect", ALWAYS, ids=["hit again", "wound again", "wound", "critical", "word", "strength"])
def test_plans_know_what_always_works(effect: dict[str, Any]) -> None:
    b, plain = battle(effect), battle(None)
    assert planned(plain) == pytest.approx(attacked(plain))
    assert planned(b) == pytest.approx(attacked(b))
    assert planned(b) > planned(plain)


@pytest.mark.parametrize("effect", NOT_ALWAYS, ids=["target", "unit", "suffered", "aura"])
def test_plans_leave_out_what_depends_on_the_moment(effect: dict[str, Any]) -> None:
    b = battle(effect)
    assert not always(b, called(b, "Intercessor Squad").models[-1])
    assert planned(b) == planned(battle(None))


def test_what_is_for_melee_helps_nobody_who_shoots() -> None:
    b = battle({**REROLL, "when": ["melee"]})
    assert always(b, called(b, "Intercessor Squad").models[-1])
    assert planned(b) == planned(battle(None))
