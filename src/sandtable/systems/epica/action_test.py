"""The action test: whether a formation does as it is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle.rolls import Each
from sandtable.reasons import face, modifier
from sandtable.rules import rule
from sandtable.systems.epica.blast_markers import breaks, give_markers
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation, size

WORDS: Final = {"sustained": "sustained fire", "double": "a double", "march": "a march", "advance": "an advance"}


async def take_test(b: EpicBattle, formation: Formation, action: str, *, retaining: bool) -> bool:
    """Roll for a formation's action; says whether it passed."""
    changed = test_modifier(formation, retaining=retaining)
    read = read_test(formation, reasons_of(formation, retaining=retaining))
    rolled = b.roll_one("action test", formation.player, rules=("epica.test.roll",), read=read)
    passed = passes(rolled, changed, formation.initiative)
    words = f" ({changed:+d})" if changed else ""
    b.tell(
        "action test",
        f"{formation.name} {'pass' if passed else 'fail'} their test for {WORDS.get(action, action)}: "
        f"{rolled}{words} against {formation.initiative}+.",
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


def read_test(formation: Formation, reasons: Sequence[tuple[int, str]]) -> Each:
    """How the die of a test against a formation's initiative is read."""
    found = [(value, name) for value, name in reasons if value]
    why = (face(formation.initiative, "epica.initiative.value"), *(modifier(v, "epica.test.roll", n) for v, n in found))
    return Each("passed/failed", why, max(1, formation.initiative - sum(value for value, _ in found)))


def reasons_of(formation: Formation, *, retaining: bool) -> list[tuple[int, str]]:
    """What makes an action test harder, and what it is called."""
    return [(marker_modifier(formation), "blast markers"), (BOOK.test_to_retain if retaining else 0, "retaining")]


def breakdown(world: EpicWorld, formation: Formation, *, retaining: bool) -> str:
    """What an action test needs, what makes it harder, and how likely it is passed."""
    harder = [f"{value:+d} {name}" for value, name in reasons_of(formation, retaining=retaining) if value]
    odds = chance(world, formation, retaining=retaining)
    return f"{', '.join((f'{formation.initiative}+', *harder))}: {100 * odds:.0f} %"


def price(world: EpicWorld, formation: Formation) -> str:
    """What a failed action test does to a formation."""
    left = size(world, formation)
    if formation.markers + 1 >= left:
        return "a failed test costs a blast marker, which breaks it"
    return "a failed test costs a blast marker, and leaves only a hold: one move, or shooting, or regrouping"


def test_modifier(formation: Formation, *, retaining: bool) -> int:
    """All that makes an action test harder."""
    return sum(value for value, _ in reasons_of(formation, retaining=retaining))


@rule("epica.test.modifiers", "epica.bm.effects", neutral=0)
def marker_modifier(formation: Formation) -> int:
    """Any number of markers counts once."""
    return BOOK.test_with_markers if formation.markers else 0


@rule("epica.test.fail", "epica.bm.failed_test", "epica.test.break_on_fail")
async def fail(b: EpicBattle, formation: Formation) -> None:
    """A failed test costs a marker, which may break the formation before it can hold."""
    await give_markers(b, formation, 1, "for failing their test", "epica.bm.failed_test")
    breaks(b, formation)


def chance(world: EpicWorld, formation: Formation, *, retaining: bool) -> float:
    """How likely a formation is to pass its action test."""
    needed = formation.initiative - test_modifier(formation, retaining=retaining)
    return max(0.0, min(6.0, 7.0 - needed)) / 6
