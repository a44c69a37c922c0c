"""11th edition under the referee: whole battles in which nothing is found, and faults planted in one, which are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from referee.doctor import (
    Record,
    all_dice,
    deployed_elsewhere,
    forgotten,
    leaps,
    lesser_figures,
    longer_moves,
    more_points,
    other_control,
    shots_at_friends,
)

pytest.importorskip("wh40kdc", reason="the armies of 11th edition are in the package wh40kdc")

from referee.judgements11.combat import Charges11, Fights11
from referee.judgements11.moves import Moves11
from referee.judgements11.setting_up import SettingUp11
from referee.judgements11.shooting import Attacks11, Shooting11
from referee.judgements11.turns import CommandPoints11, Control11, Shock11, Turns11, VictoryPoints11
from referee.run import edition_of, judge, matches, play, tell
from referee.watch import hear

SYSTEM = "w40k11"
TWO = (0, 3)
"""Battles of the tour that every run of the tests plays; `make referee SYSTEM=w40k11` plays a hundred."""
TRIED = 4
"""So many times each fault is planted; it is found in most of them..."""
A_WHILE = 400
"""...so many items later at the latest."""


def match(number: int) -> Any:
    return next(islice(matches(SYSTEM), number, None))


@pytest.mark.parametrize("number", TWO)
def test_a_battle_gives_the_referee_nothing_to_say(number: int) -> None:
    finding = judge(match(number))
    assert not finding.faults, "\n".join(tell(finding))
    assert finding.looks["volleys"] > 10
    assert finding.looks["paths"] > 50


@cache
def original() -> Record:
    """A bare battle of two armies that meet in the middle."""
    return play(match(0)._replace(mission="only-war", players=("rusher", "tactician"), bare=True))


@pytest.mark.parametrize(
    ("doctor", "judgement", "rule"),
    [
        (longer_moves, Moves11, "w40k11.movephase.normal"),
        (leaps, Moves11, "w40k11.coherency.definition"),
        (lesser_figures("unsaved"), Attacks11, "w40k11.seq.save"),
        (all_dice("charge"), Charges11, "w40k11.charge.sequence"),
        (forgotten("told", kind="fights"), Fights11, "w40k11.fight.eligible"),
        (shots_at_friends, Shooting11, "w40k11.attack.targets_shooting"),
        (all_dice("battle-shock"), Shock11, "w40k11.concept.battleshock_roll"),
        (forgotten("told", kind="phase"), Turns11, "w40k11.round.turn"),
        (deployed_elsewhere, SettingUp11, "w40k11.gap.deployment"),
        (more_points("vp"), VictoryPoints11, "w40k11.gap.mission"),
        (more_points("cp"), CommandPoints11, "w40k11.command.gain_cp"),
        (other_control, Control11, "w40k11.objective.level_of_control"),
    ],
)
def test_what_is_doctored_into_a_battle_is_found(
    doctor: Callable[[Record], Iterator[Record]], judgement: Any, rule: str
) -> None:
    planted = list(doctor(original()))
    tried = [cut(record) for record in planted[len(planted) // 3 :][:TRIED]]
    assert tried, "the battle has nothing of the kind to doctor"
    found = [rules_broken(doctored, judgement) for doctored in tried]
    assert sum(rule in rules for rules in found) >= len(tried) / 2, found


def cut(record: Record) -> Record:
    """A doctored record up to a while after the first item that was changed."""
    before, after = original()["items"], record["items"]
    place = next(i for i, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)
    return {**record, "items": after[: place + A_WHILE]}


def rules_broken(record: Record, judgement: Any) -> list[str]:
    """What one judgement finds in a record."""
    alone = SimpleNamespace(book=edition_of(SYSTEM).book, JUDGEMENTS=(judgement,))
    return [fault.rule for fault in hear(record, alone)[0]]
