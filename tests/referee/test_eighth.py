"""8th edition under the referee: whole battles in which nothing is found, and faults planted in one, which are."""

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
    far_from,
    forgotten,
    leaps,
    lesser_figures,
    longer_moves,
    more_points,
    nobody,
    other_control,
    other_faces,
    shots_at_friends,
    told,
    with_item,
)
from referee.judgements8.attacks import Attacks8, Losses8
from referee.judgements8.charges import Charges8
from referee.judgements8.fights import Fights8
from referee.judgements8.moves import Moves8
from referee.judgements8.psychic import Morale8, Psychic8
from referee.judgements8.shooting import Shooting8
from referee.judgements8.turns import Missions8, OnlyWar8, SettingUp8, Turns8
from referee.run import edition_of, judge, matches, play, tell
from referee.watch import hear

SYSTEM = "w40k8"
THREE = (0, 15, 28)
"""Battles of the tour that every run of the tests plays; `make referee SYSTEM=w40k8` plays a hundred."""
TRIED = 4
"""So many times each fault is planted; it is found in most of them..."""
A_WHILE = 400
"""...so many items later at the latest."""


def match(number: int) -> Any:
    return next(islice(matches(SYSTEM), number, None))


@pytest.mark.parametrize("number", THREE)
def test_a_battle_gives_the_referee_nothing_to_say(number: int) -> None:
    finding = judge(match(number))
    assert not finding.faults, "\n".join(tell(finding))
    assert finding.looks["volleys"] > 10
    assert finding.looks["paths"] > 50


def test_the_tour_meets_every_list_mission_layout_and_player_and_half_of_it_is_bare() -> None:
    edition = edition_of(SYSTEM)
    tour = list(islice(matches(SYSTEM), 100))
    assert {m.red for m in tour} | {m.blue for m in tour} == {name for size in edition.lists() for name in size}
    assert {m.mission for m in tour} == set(edition.missions())
    assert {m.layout for m in tour} == set(edition.layouts())
    assert {p for m in tour for p in m.players} == {"random", "default", "rusher", "gunline", "tactician"}
    assert sum(m.bare for m in tour) == 50


# --- Doctored ---------------------------------------------------------------------------------------------------------


@cache
def original() -> Record:
    """A bare battle of two armies with psykers that fight each other for the markers of Only War."""
    lists = {"red": "death-guard-60-walking-pox", "blue": "space-marines-60-demi-company"}
    return play(match(24)._replace(**lists, mission="only-war", players=("rusher", "tactician"), bare=True))


def fewer(record: Record, x: Record) -> Record | None:
    """One of those who should flee stays."""
    models = x["data"]["models"]
    return {"data": {**x["data"], "models": models[1:]}}


def richer(record: Record, x: Record) -> Record:
    """A point too many is scored."""
    return {"data": {**x["data"], "vp": x["data"]["vp"] + 1}}


def double_ones(record: Record) -> Iterator[Record]:
    """Psychic tests of two ones that nothing came of."""
    for i, x in enumerate(record["items"]):
        if x["event"] == "rolled" and x["reason"] == "psychic test" and x["faces"] not in ([1, 1], [6, 6]):
            yield with_item(record, i, {**x, "faces": [1, 1]})


def hurts_another(record: Record) -> Iterator[Record]:
    """Models that keep their last wound and stay."""
    for i, x in enumerate(record["items"]):
        if x["event"] == "placed" and x["place"] == 3 and record["items"][i - 1]["event"] == "wounded":
            yield with_item(record, i)


@pytest.mark.parametrize(
    ("doctor", "judgement", "rule"),
    [
        (longer_moves, Moves8, "w40k8.move.distance"),
        (leaps, Moves8, "w40k8.concept.coherency"),
        (all_dice("advance"), Moves8, "w40k8.move.advance"),
        (other_faces("hit", 6, 1), Attacks8, "w40k8.attack.hit"),
        (other_faces("wound", 6, 1), Attacks8, "w40k8.attack.wound"),
        (lesser_figures("hits"), Attacks8, "w40k8.attack.hit"),
        (lesser_figures("wounds"), Attacks8, "w40k8.attack.wound"),
        (lesser_figures("unsaved"), Attacks8, "w40k8.attack.save"),
        (lesser_figures("damage"), Losses8, "w40k8.attack.damage"),
        (hurts_another, Losses8, "w40k8.attack.damage"),
        (other_faces("charge", 5, 1), Charges8, "w40k8.charge.roll"),
        (told("charge_declared", far_from), Charges8, "w40k8.charge.targets"),
        (told("charge_declared", nobody), Charges8, "w40k8.charge.targets"),
        (told("charged", nobody), Fights8, "w40k8.fight.charged_targets"),
        (forgotten("told", kind="fights"), Fights8, "w40k8.fight.eligible w40k8.fight.alternate"),
        (shots_at_friends, Shooting8, "w40k8.shoot.targets"),
        (double_ones, Psychic8, "w40k8.psychic.perils"),
        (all_dice("smite"), Psychic8, "w40k8.psychic.smite"),
        (all_dice("deny the witch"), Psychic8, "w40k8.psychic.deny"),
        (all_dice("morale"), Morale8, "w40k8.morale.test"),
        (told("fled", fewer), Morale8, "w40k8.morale.flee"),
        (forgotten("told", kind="phase"), Turns8, "w40k8.round.phases"),
        (deployed_elsewhere, SettingUp8, "w40k8.onlywar.deploy_distance"),
        (more_points("vp"), OnlyWar8, "w40k8.onlywar.points_win"),
        (told("scored", richer), OnlyWar8, "w40k8.onlywar.slay_and_secure"),
        (other_control, OnlyWar8, "w40k8.onlywar.control"),
    ],
)
def test_what_is_doctored_into_a_battle_is_found(
    doctor: Callable[[Record], Iterator[Record]], judgement: Any, rule: str
) -> None:
    planted = list(doctor(original()))
    tried = [cut(record) for record in planted[len(planted) // 3 :][:TRIED]]
    assert tried, "the battle has nothing of the kind to doctor"
    found = [rules_broken(doctored, judgement) for doctored in tried]
    # Without one of the fights another rule may seem broken first: which one depends on who else had to fight.
    any_of = set(rule.split())
    assert sum(not any_of.isdisjoint(rules) for rules in found) >= len(tried) / 2, found


def cut(record: Record) -> Record:
    """A doctored record up to a while after the first item that was changed."""
    before, after = original()["items"], record["items"]
    place = next(i for i, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)
    return {**record, "items": after[: place + A_WHILE]}


def rules_broken(record: Record, judgement: Any) -> list[str]:
    """What one judgement finds in a record."""
    alone = SimpleNamespace(book=edition_of(SYSTEM).book, JUDGEMENTS=(judgement,))
    return [fault.rule for fault in hear(record, alone)[0]]


@pytest.mark.parametrize("mission", ["cut-off-the-head", "supply-drop"])
def test_points_that_a_mission_does_not_give_are_found(mission: str) -> None:
    record = play(match(24)._replace(mission=mission, players=("rusher", "tactician"), bare=True))
    assert rules_broken(record, Missions8) == []
    # Two ways of scoring may follow each other, and the second says what both come to.
    richer_by_one = islice(more_points("vp")(record), 3)
    assert any("w40k8.battle.mission" in rules_broken(doctored, Missions8) for doctored in richer_by_one)
