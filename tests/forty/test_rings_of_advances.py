"""Where an Advance may lead, and how likely: as abilities and armour have it."""

from __future__ import annotations

import pytest

from sandtable.battle import questions
from sandtable.battle.scenario import open_scenario, read_scenario
from sandtable.systems.w40k8.system import SYSTEM as EIGHTH
from sandtable.systems.w40k10.system import SYSTEM as TENTH
from sandtable.systems.w40k11.system import SYSTEM as ELEVENTH

SYSTEMS = {system.id: system for system in (EIGHTH, TENTH, ELEVENTH)}
NEW = "{move: 6, toughness: 4, save: 3, wounds: 2, leadership: 6, oc: 2, base: 32mm, height: 1.5, keywords: [INFANTRY]}"
OLD = (
    "{move: 6, weapon_skill: 3, ballistic_skill: 3, strength: 4, toughness: 4, wounds: 2, attacks: 1, leadership: 6, "
    "save: 3, base: 32mm, height: 1.5, keywords: [INFANTRY], abilities: [ABILITY]}"
)
DOC = """\
scenario: Somebody in a hurry
system: SYSTEM
question: How far?
table: {size: [44, 30]}
sheets: {Runner: SHEET}
units:
  - {name: Reds, player: red, sheet: Runner, positions: [[10, 5]]}
  - {name: Blues, player: blue, sheet: Runner, positions: [[40, 27]]}
extra: {abilities: [EFFECT]}
at: {step: move_units, active: red}
"""


def rings(system: str, effect: str = "", ability: str = "") -> list[tuple[int, int, str]]:
    """How far each ring of an Advance is beyond a Normal move, with how many faces of six, and what players say."""
    sheet = OLD.replace("ABILITY", ability) if system == "w40k8" else NEW
    gain = f"{{unit: Reds, name: Speed, effects: [{effect}]}}" if effect else ""
    text = DOC.replace("SYSTEM", system).replace("SHEET", sheet).replace("EFFECT", gain)
    b = open_scenario(read_scenario(text, "test"), SYSTEMS[system])
    b.answer(b.decisions[0], 0)
    found = questions.reach(b, b.decisions[0], "advance")
    return [(area.far // 1024 - 6, round(6 * area.chance), area.needs) for area in found]


@pytest.mark.parametrize("system", list(SYSTEMS))
def test_what_is_added_to_an_advance_widens_its_rings(system: str) -> None:
    sure, faces = [(0, 6, ""), (1, 6, "")], [(2, 5, "2+"), (3, 4, "3+"), (4, 3, "4+"), (5, 2, "5+"), (6, 1, "6+")]
    assert rings(system) == sure + faces
    further = [(more + 1, count, needs) for more, count, needs in faces]
    assert rings(system, "{kind: modify, roll: advance, value: 1}") == [*sure, (2, 6, ""), *further]


@pytest.mark.parametrize("system", list(SYSTEMS))
def test_an_advance_without_a_roll_is_certain(system: str) -> None:
    assert rings(system, "{kind: allow, what: advance_6}") == [(more, 6, "") for more in range(7)]


def test_armour_that_halves_the_die_leads_half_as_far() -> None:
    assert rings("w40k8", ability="cataphractii armour") == [(0, 6, ""), (1, 6, ""), (2, 4, "3+"), (3, 2, "5+")]
