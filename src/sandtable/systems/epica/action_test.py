"""The action test: whether a formation does as it is told."""

from __future__ import annotations

from typing import Final

from sandtable.rules import rule
from sandtable.systems.epica.blast_markers import breaks, give_markers
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation

MARKED: Final = -1
RETAINING: Final = -1

WORDS: Final = {"sustained": "sustained fire", "double": "a double", "march": "a march", "advance": "an advance"}


async def take_test(b: EpicBattle, formation: Formation, action: str, *, retaining: bool) -> bool:
    """Roll for a formation's action; says whether it passed."""
    modifier = test_modifier(formation, retaining=retaining)
    face = b.roll_one("action test", formation.player, rules=("epica.test.roll",))
    passed = passes(face, modifier, formation.initiative)
    words = f" ({modifier:+d})" if modifier else ""
    b.tell(
        "action test",
        f"{formation.name} {'pass' if passed else 'fail'} their test for {WORDS.get(action, action)}: "
        f"{face}{words} against {formation.initiative}+.",
        "epica.test.roll",
        units=[formation.id],
        passed=passed,
        action=action,
    )
    return passed


@rule("epica.test.roll", "epica.test.no_auto_fail", "epica.initiative.value", neutral=False)
def passes(face: int, modifier: int, initiative: int) -> bool:
    """Whether a roll reaches an initiative value; no face fails by itself."""
    return face + modifier >= initiative


def test_modifier(formation: Formation, *, retaining: bool) -> int:
    """All that makes an action test harder."""
    return marker_modifier(formation) + (retain_modifier() if retaining else 0)


@rule("epica.test.modifiers", neutral=0)
def marker_modifier(formation: Formation) -> int:
    """Any number of markers counts once."""
    return MARKED if formation.markers else 0


@rule("epica.test.modifiers", "epica.retain.attempt", neutral=0)
def retain_modifier() -> int:
    """It is harder to act again before the enemy has."""
    return RETAINING


@rule("epica.test.fail", "epica.bm.failed_test", "epica.test.break_on_fail")
async def fail(b: EpicBattle, formation: Formation) -> None:
    """A failed test costs a marker, which may break the formation before it can hold."""
    await give_markers(b, formation, 1, "for failing its test", "epica.bm.failed_test")
    breaks(b, formation)


def chance(world: EpicWorld, formation: Formation, *, retaining: bool) -> float:
    """How likely a formation is to pass its action test."""
    needed = formation.initiative - test_modifier(formation, retaining=retaining)
    return max(0.0, min(6.0, 7.0 - needed)) / 6
