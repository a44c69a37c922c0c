"""What is worth firing overwatch at, by its kind and range: who lies in wait fires once."""

from __future__ import annotations

from collections import Counter
from typing import Final

from sandtable.battle.decisions import Choose, Value
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.battle.system import Stake
from sandtable.battle.windows import ReactionUse
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.cards import TYPES
from sandtable.systems.epica.movement import MOVE_COMPLETED
from sandtable.systems.epica.odds import Chances, chances, usual_fire
from sandtable.systems.epica.state import EpicWorld, Formation, sheet, size, stands
from sandtable.table.grid import STEP, steps

ACTION: Final = "overwatch"
LIKELY: Final = 0.5
"""With this chance a unit is lost..."""
BREAKS: Final = 0.25
"""...or with this one the formation breaks, or is destroyed: then it is worth firing."""
ASKED_AGAIN: Final = 0.1
"""So much better the chance must be, or so much larger the formation, before a player is asked again in a turn."""
CLOSE: Final = steps(30)


@kept(EVERYTHING)
def fire(world: EpicWorld, decision: Choose, use: Value) -> Chances:
    """What one use of overwatch comes to: asked for its chance, and for what holding fire gives away."""
    formation, mover = world.unit(int(ReactionUse.of(use).use)), world.unit(decision.unit)
    return chances(world, formation, mover, usual_fire(world, formation, mover, ACTION), ACTION)


def chance(world: EpicWorld, decision: Choose, answer: Value | None) -> float | None:
    """The chance that a unit is lost."""
    return None if answer is None else fire(world, decision, answer).any


def stake(world: EpicWorld, decision: Choose) -> Stake:
    """Each formation that moves is a target of its own, which has gone nowhere by moving once more."""
    return Stake(f"{decision.unit}", float(size(world, world.unit(decision.unit))))


def matters(world: EpicWorld, decision: Choose, answer: Value | None) -> tuple[str, ...]:
    """What is given away by holding fire, as kind and range of the target."""
    if answer is not None:
        return ()
    mover = world.unit(decision.unit)
    worth = [o.value for o in decision.options if is_worth_it(fire(world, decision, o.value))]
    watchers = (world.unit(int(ReactionUse.of(use).use)) for use in worth)
    return tuple(dict.fromkeys(f"{kind_of(world, mover)} {range_of(world, w, mover)}" for w in watchers))


def is_worth_it(found: Chances) -> bool:
    """Whether shots do enough."""
    return found.any >= LIKELY or found.broken + found.destroyed >= BREAKS


def kind_of(world: EpicWorld, formation: Formation) -> str:
    """What most of a formation is."""
    return TYPES[Counter(sheet(world, s).type for s in stands(world, formation)).most_common(1)[0][0]].lower()


def range_of(world: EpicWorld, formation: Formation, mover: Formation) -> str:
    """How near a formation has come: as far as assaults are fought, or as most shots go."""
    far = world.distance(formation, mover)
    if far <= BOOK.assault_reach:
        return f"within {BOOK.assault_reach // STEP} cm"
    return f"within {CLOSE // STEP} cm" if far <= CLOSE else f"beyond {CLOSE // STEP} cm"


ORDER: Final = {"for": f"react.{MOVE_COMPLETED}", "do": "ask", "if": ["*"], "better": ASKED_AGAIN, "else": "pass"}
