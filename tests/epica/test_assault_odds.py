"""What an assault would come to, before anybody is committed: held against assaults that are really fought."""

from __future__ import annotations

from typing import Any

import pytest

from epica.assaults import engaging
from epica.table import BRUTES, TROOPS, act, alive, area, asked, formation, give, kinds, named, row, situation, told
from sandtable.battle import Battle, questions
from sandtable.battle.dice import KeyedDice
from sandtable.battle.events import Told
from sandtable.battle.system import Outlook
from sandtable.systems.epica.state import EpicBattle
from sandtable.systems.epica.system import SYSTEM

BATTLES = 120
IDLE = [formation("Idle", "blue", at=[(110, 85)]), formation("Lazy", "red", at=[(110, 5)])]


def facing(*more: Any, reds: Any = TROOPS, blues: Any = TROOPS, gap: float = 14, **flags: Any) -> list[Any]:
    """Five stands a side."""
    return [
        formation("Reds", "red", reds, row(5, 30, 30), initiative=1),
        formation("Blues", "blue", blues, row(5, 30, 30 + gap), **flags),
        *IDLE,
        *more,
    ]


def outlook(units: list[Any], terrain: list[Any] | None = None) -> list[Outlook]:
    """What engaging the Blues comes to."""
    b = situation(units, terrain)
    act(b, "Reds", "engage")
    return questions.outlook(b, asked(b, "engage"), named(b, "Blues").id)


def won(units: list[Any], terrain: list[Any] | None = None) -> float:
    (found,) = outlook(units, terrain)
    assert found.won is not None
    return found.won


# --- Held against battles --------------------------------------------------------------------------------------------


def fought(start: EpicBattle, seed: int) -> tuple[bool, int, int]:
    """Whether the Reds win an assault with dice of their own, and how many of both sides are left then."""
    b: EpicBattle = Battle(SYSTEM, start.setup, start.state.copy(), dice=KeyedDice(seed)).start()
    give(b, "activate", "Reds")
    give(b, "action", "engage")
    give(b, "engage", "Blues")
    while "assault won" not in told(b) and "retain" not in kinds(b):
        b.answer(b.decisions[0], b.default(b.decisions[0]))
    while "allocate" in kinds(b):
        b.answer(b.decisions[0], b.default(b.decisions[0]))
    winners = [e.units[0] for e in b.events if isinstance(e, Told) and e.kind == "assault won"]
    return winners == [named(b, "Reds").id], alive(b, "Reds"), alive(b, "Blues")


@pytest.mark.parametrize(
    ("units", "terrain"),
    [
        (facing(), []),
        (facing(markers=2), [area("ruins", 28, 42, 20, 6)]),
        (facing(formation("Help", "red", at=row(3, 50, 40)), blues={**TROOPS, "armour": 3}), []),
        (facing(reds=BRUTES, broken=True), []),
    ],
    ids=["alike", "markers and cover", "support", "broken"],
)
def test_the_odds_are_those_of_battles(units: list[Any], terrain: list[Any]) -> None:
    (found,) = outlook(units, terrain)
    start = situation(units, terrain)
    played = [fought(start, seed) for seed in range(BATTLES)]
    assert found.won == pytest.approx(sum(w for w, _, _ in played) / BATTLES, abs=0.13)
    assert found.own == pytest.approx(5 - sum(r for _, r, _ in played) / BATTLES, abs=0.5)
    assert found.lost == pytest.approx(5 - sum(b for _, _, b in played) / BATTLES, abs=0.5)


# --- What they depend on ---------------------------------------------------------------------------------------------


def test_asking_twice_gives_the_same_odds() -> None:
    assert outlook(facing()) == outlook(facing())


def test_markers_make_it_easier_to_win_against_somebody() -> None:
    assert won(facing(markers=2)) > won(facing()) + 0.1


def test_supporting_fire_is_counted() -> None:
    assert won(facing(formation("Help", "red", at=row(6, 46, 40)))) > won(facing()) + 0.1


def test_cover_helps_those_who_are_charged() -> None:
    weak = {**TROOPS, "armour": 0}
    assert won(facing(blues=weak), [area("building", 28, 42, 20, 6)]) < won(facing(blues=weak)) - 0.1


def test_who_loses_while_broken_is_destroyed() -> None:
    (found,) = outlook(facing(broken=True))
    assert found.won is not None
    assert found.destroyed >= found.won
    assert found.broken == 0


def test_who_wins_breaks_what_it_does_not_destroy() -> None:
    (found,) = outlook(facing())
    assert found.won is not None
    assert found.broken + found.destroyed == pytest.approx(found.won, abs=0.05)


def test_who_cannot_be_reached_cannot_be_beaten() -> None:
    b = situation(facing(gap=50))
    act(b, "Reds", "engage")
    decision = asked(b, "engage")
    assert questions.outlook(b, decision, named(b, "Blues").id) == []
    assert questions.odds(b, decision, named(b, "Blues").id) == 0


def test_the_chance_of_a_target_is_the_chance_to_win() -> None:
    b = situation(facing())
    act(b, "Reds", "engage")
    assert questions.odds(b, asked(b, "engage"), named(b, "Blues").id) == won(facing())


def planned(name: str) -> Outlook:
    """What a charge by intent comes to, of those who shoot better than they fight."""
    b = engaging(row(5, 30, 30), row(5, 30, 44), red_sheet={**TROOPS, "cc": 6, "ff": 3})
    decision = asked(b, "charge")
    (answer,) = [idea.answer for idea in questions.ideas(b, decision) if idea.why == name]
    (found,) = questions.outlook(b, decision, answer)
    return found


def test_a_charge_is_weighed_as_it_is_planned() -> None:
    assert planned("Firefight line").lost > planned("All into contact").lost + 1


def test_a_forecast_tells_of_an_assault() -> None:
    b = situation(facing())
    assert SYSTEM.forecast is not None
    found = list(SYSTEM.forecast(b, named(b, "Reds"), named(b, "Blues")))[-1]
    assert found.startswith(f"Engaging from here: {100 * won(facing()):.0f} % to win, ")
