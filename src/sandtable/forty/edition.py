"""An edition as a system: its frame, its steps, and what every edition answers in the same way.

`Files` is the one seam that no edition does without. What else it answers it does as soon as it brings the seam for it.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any, TypeAlias

from sandtable.battle import Effect, Question, System, Verdict
from sandtable.battle.system import DeploymentZone, StepFlow
from sandtable.forty.attacks import Compile
from sandtable.forty.briefing import briefing
from sandtable.forty.briefly import Brevity, brief
from sandtable.forty.cards import (
    Printing,
    card,
    describe,
    marks,
    numbers,
    points_of,
    printed_keywords,
    score,
    wounds,
    zones,
)
from sandtable.forty.counts import Scoring
from sandtable.forty.effects.enforced import Enforced, enforcement, left_out
from sandtable.forty.effects.shown import auras
from sandtable.forty.effects.words import Words
from sandtable.forty.happening import happening
from sandtable.forty.markers import Control, pictured
from sandtable.forty.mind.mind import Mind
from sandtable.forty.mind.tactics import TACTICS
from sandtable.forty.mission import SETUP
from sandtable.forty.moment import moment
from sandtable.forty.odds.forecast import BlowsAt, forecast, no_blows
from sandtable.forty.reminders import reminders
from sandtable.forty.scenario import Files, from_scenario
from sandtable.forty.setup import TURN, Frame
from sandtable.forty.state import ADVANCE, FALL_BACK, NORMAL
from sandtable.kit import disputes
from sandtable.kit.attack import resolving
from sandtable.kit.drafts import pieces
from sandtable.kit.layouts import find_table, layouts
from sandtable.kit.seeing import Seeing, noticed
from sandtable.table.layout import Table

May: TypeAlias = "Callable[[Any, Any], Verdict]"
"""(world, unit)"""


def why(
    eligible: Callable[[Any, Any], Verdict], may_make: Callable[[Any, Any, str], Verdict], **others: May
) -> dict[str, Callable[[Any, int], Verdict]]:
    """What a unit may do, by name, for "why can this unit not charge?".

    `eligible` tells whether it may be selected to move, and `may_make` whether a kind of move is open to it.
    """

    def asked(may: May) -> Callable[[Any, int], Verdict]:
        return lambda w, unit: may(w, w.unit(unit))

    def moving(move: str) -> May:
        return lambda w, unit: eligible(w, unit) and may_make(w, unit, move)

    moves = {"move": moving(NORMAL), "advance": moving(ADVANCE), "fall_back": moving(FALL_BACK)}
    return {name: asked(may) for name, may in {**moves, **others}.items()}


def joined(*questions: Mapping[str, Question]) -> dict[str, Question]:
    """All questions by their kind; several parts may each know something of one, but no two say it differently."""
    found: dict[str, dict[str, Any]] = {}
    for part in questions:
        for kind, question in part.items():
            known = found.setdefault(kind, {})
            said = {f.name: getattr(question, f.name) for f in fields(question)}
            for name, value in said.items():
                if value and known.setdefault(name, value) != value:
                    raise ValueError(f"'{kind}' is told '{name}' twice, and not the same")
    return {kind: Question(**known) for kind, known in found.items()}


def edition(
    frame: Frame,
    before: Iterable[StepFlow],
    turn: Iterable[StepFlow],
    *questions: Mapping[str, Question],
    settle: Callable[[Any, Effect], Coroutine[Any, Any, None]],
    blows: BlowsAt = no_blows,
    default_orders: tuple[Mapping[str, Any], ...] = (),
    table: Callable[[str], Table] = find_table,
    zones: Callable[[Any], list[DeploymentZone]] = zones,
    seams: tuple[object, ...],
    **more: Any,
) -> System:
    """The system of an edition, with its steps before the battle and in a turn, and the questions that it asks.

    `settle` is how players settle what they dispute, `blows` what a unit would strike another with, `table` finds that
    of a layout, `zones` are those of deployment, and `more` are fields of `System`. A service whose seam is not among
    the `seams` is left out. Beside an edition's own `default_orders` stands the one about re-rolls.
    """
    services: dict[type[Any], dict[str, Any]] = {
        Printing: {
            "describe": describe,
            "card": card,
            "marks": marks,
            "numbers": numbers,
            "score": score,
            "wounds": wounds,
        },
        Brevity: {"brief": brief},
        Seeing: {"sight": noticed},
        Control: {"objectives": pictured},
        Compile: {"forecast": partial(forecast, blows)},
        Enforced: {"enforcement": enforcement, "left_out": left_out, "reminders": reminders},
        Mind: {"tactics": TACTICS},
        Words: {"auras": auras},
        Scoring: {"briefing": briefing},
    }
    brought = {name: service for seam in seams for name, service in services.get(type(seam), {}).items()}
    files = next(seam for seam in seams if isinstance(seam, Files))
    return System(
        id=frame.system,
        name=frame.name,
        unit="in",
        unit_type=frame.structs.unit,
        player_type=frame.structs.player,
        game_type=frame.structs.game,
        data_type=frame.structs.data,
        segments={SETUP: disputes.hearing(before, settle), TURN: disputes.hearing(turn, settle)},
        questions=joined(disputes.QUESTIONS, resolving.QUESTIONS, *questions),
        readings=frame.readings,
        scenario=from_scenario,
        moment=moment,
        sound=frame.check_sound,
        layouts=layouts,
        table=table,
        pieces=pieces,
        happening=happening,
        points=points_of,
        zones=zones,
        keywords=printed_keywords,
        modifiers=files.effects,
        model_marks=tuple(files.marks),
        default_orders=(*default_orders, resolving.USUAL_REROLLS),
        seams=seams,
        **brought,
        **more,
    )
