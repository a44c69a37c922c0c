"""The tour of battles that the referee watches, and what is doctored into one of them: it is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from referee.doctor import Record, all_dice, forgotten, longer_moves, more_points, other_control, other_faces
from referee.judgements.attacks import Attacks
from referee.judgements.closing import Closing
from referee.judgements.command import BattleShock, CommandPoints
from referee.judgements.fights import Fights
from referee.judgements.losses_told import Destroyed
from referee.judgements.moves import Moves
from referee.judgements.objectives import Control, VictoryPoints
from referee.run import edition_of, matches, play
from referee.watch import hear

SYSTEM = "w40k10"


def match(number: int) -> Any:
    return next(islice(matches(SYSTEM), number, None))


def test_the_tour_meets_every_list_mission_layout_and_player_and_half_of_it_is_bare() -> None:
    edition = edition_of(SYSTEM)
    tour = list(islice(matches(SYSTEM), 100))
    assert {m.red for m in tour} | {m.blue for m in tour} == {name for size in edition.lists() for name in size}
    assert {m.mission for m in tour} == set(edition.missions())
    assert {m.layout for m in tour} == set(edition.layouts())
    assert {p for m in tour for p in m.players} == {"random", "default", "rusher", "gunline", "tactician"}
    assert sum(m.bare for m in tour) == 50


def test_a_bare_battle_has_no_abilities_and_the_other_of_its_pair_has() -> None:
    from referee.record import begin

    bare, full = (
        begin(SYSTEM, {"red": m.red, "blue": m.blue}, m.mission, m.layout, 1, bare=m.bare) for m in map(match, (0, 1))
    )
    assert not bare.setup.data.abilities
    assert not bare.setup.data.stratagems
    assert full.setup.data.abilities
    assert bare.setup.data.sheets == full.setup.data.sheets


# --- Doctored ---------------------------------------------------------------------------------------------------------


@cache
def original() -> Record:
    """A bare battle of two armies that fight each other."""
    return play(match(12)._replace(players=("rusher", "rusher")))


@pytest.mark.parametrize(
    ("doctor", "judgement", "rule"),
    [
        (longer_moves, Moves, "w40k10.move.normal"),
        (other_faces("hit", 6, 1), Attacks, "w40k10.attack.hit_roll"),
        (other_faces("wound", 6, 1), Attacks, "w40k10.attack.wound_roll"),
        (other_faces("save", 1, 6), Attacks, "w40k10.attack.armour_save"),
        (other_faces("charge", 5, 4), Closing, "w40k10.charge.roll"),
        (all_dice("battle-shock"), BattleShock, "w40k10.command.battleshock_test"),
        (forgotten("rolled", reason="save"), Attacks, "w40k10.attack.armour_save"),
        (forgotten("wounded"), Attacks, "w40k10.attack.damage"),
        (forgotten("told", kind="unit_destroyed"), Destroyed, "w40k10.unit.attached_destroyed_triggers"),
        (forgotten("told", kind="fights"), Fights, "w40k10.fight.remaining"),
        (forgotten("told", kind="test"), BattleShock, "w40k10.command.battleshock_test"),
        (more_points("vp"), VictoryPoints, "w40k10.mission.muster"),
        (more_points("cp"), CommandPoints, "w40k10.command.gain_cp"),
        (other_control, Control, "w40k10.objective.control"),
    ],
)
def test_what_is_doctored_into_a_battle_is_found(
    doctor: Callable[[Record], Iterator[Record]], judgement: Any, rule: str
) -> None:
    tried = list(islice(doctor(original()), 6))
    assert tried, "the battle has nothing of the kind to doctor"
    found = [rules_broken(doctored, judgement) for doctored in tried]
    assert sum(rule in rules for rules in found) >= len(tried) / 2, found


def rules_broken(record: Record, judgement: Any) -> list[str]:
    """What one judgement finds in a record."""
    alone = SimpleNamespace(book=edition_of(SYSTEM).book, JUDGEMENTS=(judgement,))
    return [fault.rule for fault in hear(record, alone)[0]]
