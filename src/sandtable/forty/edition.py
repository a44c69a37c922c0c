"""An edition as a system: its frame, its steps, and what every edition answers in the same way."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any

from sandtable.battle import Effect, Question, System
from sandtable.battle.system import StepFlow
from sandtable.forty.briefly import brief
from sandtable.forty.cards import card, describe, printed_keywords
from sandtable.forty.effects.enforced import enforcement, left_out
from sandtable.forty.mind.tactics import TACTICS
from sandtable.forty.mission import SETUP
from sandtable.forty.moment import moment
from sandtable.forty.scenario import from_scenario
from sandtable.forty.setup import TURN, Frame
from sandtable.kit import disputes, seeing
from sandtable.kit.attack import resolving
from sandtable.kit.drafts import pieces
from sandtable.kit.layouts import find_table, layouts
from sandtable.table.layout import Table


def edition(
    frame: Frame,
    before: Iterable[StepFlow],
    turn: Iterable[StepFlow],
    *questions: Mapping[str, Question],
    settle: Callable[[Any, Effect], Coroutine[Any, Any, None]],
    table: Callable[[str], Table] = find_table,
    **more: Any,
) -> System:
    """The system of an edition, with its steps before the battle and in a turn, and the questions that it asks.

    `settle` is how players settle what they dispute, `table` finds that of a layout, and `more` are fields of `System`.
    """
    asked = {kind: question for found in questions for kind, question in found.items()}
    return System(
        id=frame.system,
        name=frame.name,
        unit="in",
        unit_type=frame.unit,
        player_type=frame.player,
        game_type=frame.game,
        data_type=frame.data,
        segments={SETUP: disputes.hearing(before, settle), TURN: disputes.hearing(turn, settle)},
        questions={**disputes.QUESTIONS, **resolving.QUESTIONS, **asked},
        readings=frame.readings,
        scenario=from_scenario,
        moment=moment,
        sound=frame.check_sound,
        layouts=layouts,
        table=table,
        sight=seeing.sight,
        pieces=pieces,
        tactics=TACTICS,
        describe=describe,
        card=card,
        brief=brief,
        keywords=printed_keywords,
        enforcement=enforcement,
        left_out=left_out,
        **more,
    )
