"""Epic: Armageddon, as the machine sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sandtable.battle.system import Ring, System
from sandtable.systems.epica import line_of_fire, watching
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.cards import card, describe, happening, keywords, marks
from sandtable.systems.epica.measuring import PREMEASURING, may_measure
from sandtable.systems.epica.moment import moment
from sandtable.systems.epica.odds import forecast
from sandtable.systems.epica.overwatch import REACTION
from sandtable.systems.epica.phases import ASKED_UNDER, HEADINGS
from sandtable.systems.epica.questions import QUESTIONS, WHY
from sandtable.systems.epica.sample import sample
from sandtable.systems.epica.scenario import NAME, check_sound, from_scenario
from sandtable.systems.epica.standing import briefing, numbers, score
from sandtable.systems.epica.state import Data, Formation, Game, Player
from sandtable.systems.epica.turn import SEGMENTS, next_segment

DEFAULT_ORDERS: Final[tuple[Mapping[str, Any], ...]] = (
    *({"for": kind, "do": "default"} for kind in ("suppress", "support", "rally")),
    watching.ORDER,
)
"""Who keeps down among equals, that all who can support do, and who rallies first is rarely worth a question."""

LACKS: Final = (
    "In the making: many of its rules are not enforced yet, most computer players hardly move, and a made-up battle "
    "lasts one turn."
)

SYSTEM: Final = System(
    id="epica",
    name=NAME,
    lacks=LACKS,
    unit="cm",
    unit_type=Formation,
    player_type=Player,
    game_type=Game,
    data_type=Data,
    segments=SEGMENTS,
    next_segment=next_segment,
    questions=QUESTIONS,
    readings=(PREMEASURING,),
    measures=may_measure,
    reactions=(REACTION,),
    why=WHY,
    scenario=from_scenario,
    sound=check_sound,
    moment=moment,
    describe=describe,
    card=card,
    happening=happening,
    score=score,
    numbers=numbers,
    called=("formation", "unit"),
    marks=marks,
    briefing=briefing,
    round_name="Turn",
    whose_turn="{round}, {player} acts",
    headings=HEADINGS,
    asked_under=ASKED_UNDER,
    forecast=forecast,
    keywords=keywords,
    default_orders=DEFAULT_ORDERS,
    sample=sample,
    sight=line_of_fire.sight,
    rings=lambda w: (
        Ring("zone of control", BOOK.zone, "enemies", "epica.zoc.no_entry"),
        Ring("formation", BOOK.coherency, "comrades", "epica.formation.coherency"),
    ),
)
