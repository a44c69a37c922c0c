"""Epic: Armageddon, as the machine sees it."""

from __future__ import annotations

from typing import Final

from sandtable.battle.state import AnyUnit
from sandtable.battle.system import Ring, System
from sandtable.systems.epica import line_of_fire
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.overwatch import REACTION
from sandtable.systems.epica.questions import QUESTIONS, WHY
from sandtable.systems.epica.sample import sample
from sandtable.systems.epica.scenario import NAME, check_sound, from_scenario
from sandtable.systems.epica.state import Data, EpicWorld, Formation, Game, Player, size
from sandtable.systems.epica.turn import SEGMENTS, next_segment


def describe(world: EpicWorld, unit: AnyUnit) -> str:
    """A formation in one line."""
    formation = world.unit(unit.id)
    marks = [f"{formation.markers} blast markers"] if formation.markers else []
    marks += [word for word in ("broken", "overwatch", "acted") if getattr(formation, word)]
    return f"{formation.name}: {size(world, formation)} units{''.join(', ' + m for m in marks)}"


SYSTEM: Final = System(
    id="epica",
    name=NAME,
    unit="cm",
    unit_type=Formation,
    player_type=Player,
    game_type=Game,
    data_type=Data,
    segments=SEGMENTS,
    next_segment=next_segment,
    questions=QUESTIONS,
    reactions=(REACTION,),
    why=WHY,
    scenario=from_scenario,
    sound=check_sound,
    describe=describe,
    sample=sample,
    sight=line_of_fire.sight,
    rings=lambda w: (Ring("zone of control", BOOK.zone, "enemies"), Ring("formation", BOOK.coherency, "comrades")),
)
