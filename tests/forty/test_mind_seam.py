"""What an edition tells its computer players is all that they know of it: other words, other plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

from sandtable.battle import Choose, Option, World
from sandtable.battle.state import new_version
from sandtable.battle.tactics import Idea
from sandtable.forty.mind import force, screens
from sandtable.forty.mind.force import arsenal
from sandtable.forty.mind.mind import BESIDES, PISTOL, SHOOT, STRIKE, Arm, Mind, mind_of
from sandtable.forty.mind.outlook import outlook, reach_chance
from sandtable.forty.mind.plan import plan
from sandtable.forty.mind.stakes import stakes
from sandtable.forty.mind.style import Style
from sandtable.forty.mind.tactics import TACTICS
from sandtable.systems.w40k10.state import Battle10
from w40k10.table import TROOPER, row, situation, unit


def otherwise(b: Battle10, **told: Any) -> Any:
    """The same table in an edition that says something else about itself."""
    seams = tuple(replace(s, **told) if isinstance(s, Mind) else s for s in b.system.seams)
    state = b.state.copy()
    state.version = state.stamp = new_version()
    return World(replace(b.system, seams=seams), b.setup, state)


@pytest.fixture
def battle() -> Battle10:
    return situation(
        [
            unit("Guns", "red", TROOPER, row(5, (6, 11), (0, 1.5))),
            unit("Screen", "red", TROOPER, row(5, (14, 12), (0, 1.5))),
            unit("Brutes", "blue", TROOPER, row(5, (24, 12), (0, 1.5))),
        ],
        objectives=[(19, 15)],
    )


def test_how_far_a_charge_goes_is_the_editions(battle: Battle10) -> None:
    gaps = np.array([0.0, 6.0, 7.0, 7.5, 13.0, 40.0])
    assert reach_chance(outlook(battle), gaps).tolist() == [1.0, 30 / 36, 26 / 36, 21 / 36, 1 / 36, 0.0]
    fixed = otherwise(battle, charge=np.array([1.0] * 7 + [0.0]))
    assert reach_chance(outlook(fixed), gaps).tolist() == [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]


def left_of_charges(w: Any, place: tuple[float, float]) -> float:
    """What is left of the charge of the Brutes at the Guns, if these stood at a place."""
    o = outlook(w)
    return float(screens.stopped(o.field, o.row[0], np.array([o.row[2]]), np.array([place]))[0, 0])


def test_a_screen_is_as_broad_as_the_edition_keeps_chargers_from_it(battle: Battle10) -> None:
    place = (8.0, 21.5)
    assert left_of_charges(battle, place) == screens.SCREENED
    assert left_of_charges(otherwise(battle, berth=-2.0), place) == 1.0


def test_who_passes_everybody_is_stopped_by_no_screen(battle: Battle10) -> None:
    assert left_of_charges(battle, (8.0, 15.0)) == screens.SCREENED
    assert left_of_charges(otherwise(battle, passes=lambda w, u: True), (8.0, 15.0)) == 1.0


def test_what_holds_a_marker_is_the_editions(battle: Battle10) -> None:
    assert outlook(battle).hold.tolist() == [10.0, 10.0, 10.0]
    heads = otherwise(battle, hold=lambda sheet: 1.0, unnerved=lambda w: (1,))
    assert outlook(heads).hold.tolist() == [5.0, 0.0, 5.0]


def test_nobody_is_sent_to_a_marker_who_counts_for_nothing_there(battle: Battle10) -> None:
    assert 1 in plan(battle, 0).goals
    assert plan(otherwise(battle, unnerved=lambda w: (0, 1)), 0).goals == {}


def test_how_near_to_a_marker_counts_is_the_editions(battle: Battle10) -> None:
    assert stakes(battle, 0).near == 3.8
    assert stakes(otherwise(battle, near_marker=3.0), 0).near == 3.0


def test_a_model_fires_its_pistols_or_the_rest_and_strikes_with_the_best_and_what_comes_besides(
    battle: Battle10, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets = len(battle.setup.data.sheets)

    def carrying(*arms: tuple[str, str, float]) -> Any:
        def arm(w: Any, sheet: int, number: int, effects: tuple[Any, ...]) -> Arm:
            item, use, wounds = arms[number]
            return Arm(item, use, np.full((10 if use in (SHOOT, PISTOL) else 1, sheets), wounds))

        monkeypatch.setattr(force, "arm_of", arm)
        w = otherwise(battle)
        kits = tuple(type(kit)(kit.sheet, tuple(range(len(arms)))) for kit in w.setup.data.kits)
        w.setup = replace_data(w.setup, kits)
        return arsenal(w)

    assert carrying(("a", SHOOT, 1.0), ("b", SHOOT, 2.0), ("c", PISTOL, 2.5)).fire[0, 0, 0] == 3.0
    assert carrying(("a", SHOOT, 1.0), ("a", SHOOT, 2.0), ("c", PISTOL, 2.5)).fire[0, 0, 0] == 2.5
    assert carrying(("a", STRIKE, 1.0), ("b", STRIKE, 2.0), ("c", BESIDES, 0.5)).strike[0, 0] == 2.5


def replace_data(setup: Any, kits: tuple[Any, ...]) -> Any:
    """A set-up whose models carry something else."""
    return msgspec.structs.replace(setup, data=msgspec.structs.replace(setup.data, kits=kits))


def test_questions_of_its_own_are_thought_about_as_the_edition_says(battle: Battle10) -> None:
    def cast(w: Any, d: Choose, style: Style) -> Iterator[Idea]:
        yield Idea(d.options[-1].value, 1.0, f"The {style.name} likes it.")

    question = Choose(player=0, kind="cast", prompt="", options=(Option("smite", "Smite"), Option("hex", "Hex")))
    assert list(TACTICS.ideas(battle, question, "tactician")) == []
    own = otherwise(battle, thinkers={"cast": cast})
    assert list(TACTICS.ideas(own, question, "tactician")) == [Idea("hex", 1.0, "The tactician likes it.")]


def test_the_best_card_is_played_by_what_the_edition_says_it_brings(battle: Battle10) -> None:
    offered = (Option("Fortune/1", ""), Option("Haste/2", ""), Option("Unknown/3", ""))
    question = Choose(player=0, kind="react.after_roll", prompt="", options=offered, optional=True)
    rich = otherwise(battle, cards={"Fortune": lambda w, d, use: (3.0, use), "Haste": lambda w, d, use: (5.0, use)})
    assert [i.answer for i in TACTICS.ideas(rich, question, "tactician")] == ["Haste/2", None]
    poor = otherwise(battle, cards={"Fortune": lambda w, d, use: (-3.0, use)})
    assert [i.answer for i in TACTICS.ideas(poor, question, "tactician")] == [None]
    assert [i.answer for i in TACTICS.ideas(rich, question, "rusher")] == [None], "it spends nothing"


def test_every_edition_with_tactics_says_what_it_is_thought_about_by(battle: Battle10) -> None:
    assert battle.system.tactics is TACTICS
    assert mind_of(battle) is battle.system.seam(Mind)
