"""The tour of battles that the referee watches, and what is doctored into one of them: it is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

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
Record = dict[str, Any]


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


def with_item(record: Record, place: int, *items: dict[str, Any]) -> Record:
    """The record with one item replaced, or left out."""
    return {**record, "items": [*record["items"][:place], *items, *record["items"][place + 1 :]]}


def rolls(record: Record, reason: str) -> Iterator[tuple[int, dict[str, Any]]]:
    return ((i, x) for i, x in enumerate(record["items"]) if x["event"] == "rolled" and x["reason"] == reason)


def other_faces(reason: str, was: int, face: int) -> Callable[[Record], Iterator[Record]]:
    """Dice that show another face than was acted on."""

    def doctor(record: Record) -> Iterator[Record]:
        for i, x in rolls(record, reason):
            if was in x["faces"] and not x.get("again"):
                yield with_item(record, i, {**x, "faces": [face if f == was else f for f in x["faces"]]})

    return doctor


def longer_moves(record: Record) -> Iterator[Record]:
    """Models that go a good deal further than they say."""
    items = record["items"]
    for i, x in enumerate(items):
        if (
            x["event"] == "answered"
            and x["kind"] == "move"
            and x["answer"]["mode"] == "normal"
            and x["answer"]["paths"]
        ):
            path = x["answer"]["paths"][0]
            last = path["legs"][-1]
            there = {**last, "x": last["x"] + 12 * 1024}
            paths = [{**path, "legs": [*path["legs"], there, last]}, *x["answer"]["paths"][1:]]
            yield with_item(record, i, {**x, "answer": {**x["answer"], "paths": paths}})


def all_dice(reason: str) -> Callable[[Record], Iterator[Record]]:
    """Dice that all show a 1, or all a 6: one of the two is not what was acted on."""

    def doctor(record: Record) -> Iterator[Record]:
        for i, x in rolls(record, reason):
            for face in (1, 6):
                yield with_item(record, i, {**x, "faces": [face] * len(x["faces"])})

    return doctor


def forgotten(event: str, **fields: Any) -> Callable[[Record], Iterator[Record]]:
    """Something that is left out of the story."""

    def doctor(record: Record) -> Iterator[Record]:
        for i, x in enumerate(record["items"]):
            if x["event"] == event and all(x.get(name) == value for name, value in fields.items()):
                yield with_item(record, i)

    return doctor


def more_points(field: str) -> Callable[[Record], Iterator[Record]]:
    """Points that nobody has earned."""

    def doctor(record: Record) -> Iterator[Record]:
        for i, x in enumerate(record["items"]):
            if x["event"] == "changed" and x["what"] == "player" and x["fields"].get(field):
                yield with_item(record, i, {**x, "fields": {**x["fields"], field: x["fields"][field] + 1}})

    return doctor


def other_control(record: Record) -> Iterator[Record]:
    """Markers that the wrong player controls."""
    for i, x in enumerate(record["items"]):
        if x["event"] == "changed" and x["what"] == "game" and "control" in x["fields"]:
            yield with_item(record, i, {**x, "fields": {"control": [-1 - c for c in x["fields"]["control"]]}})


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
