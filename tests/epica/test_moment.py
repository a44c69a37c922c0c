"""A moment that is written down as a scenario file."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
import yaml

from sandtable import systems
from sandtable.api import new
from sandtable.battle.scenario import open_scenario, read_scenario
from sandtable.errors import UserError
from sandtable.systems.epica.datasheet import weapon
from sandtable.systems.epica.library import LIBRARY, SheetDoc, read_sheet, read_weapon
from sandtable.systems.epica.moment import moment, sheet_doc, weapon_line
from sandtable.systems.epica.state import EpicBattle, sheet
from sandtable.table.grid import TURN


def again(battle: EpicBattle) -> EpicBattle:
    """The battle that the written moment gives."""
    text = yaml.safe_dump(moment(battle), sort_keys=False)
    return open_scenario(read_scenario(text, "moment.yaml"), systems.get("epica"))


@pytest.mark.parametrize("answers", [1, 6, 12, 20])
def test_a_moment_opens_with_the_same_stands_and_the_same_question(answers: int) -> None:
    battle: EpicBattle = new("epica", seed=4)
    for _ in range(answers):
        battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    while battle.decisions[0].kind not in ("activate", "retain"):
        battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    # Stands of a formation may face different ways.
    battle.state.models.facing[:] = np.arange(len(battle.state.models.facing)) % TURN
    opened = again(battle)
    assert [d.kind for d in opened.decisions] == [d.kind for d in battle.decisions]
    assert [o.label for o in opened.decisions[0].options] == [o.label for o in battle.decisions[0].options]
    assert _standing(opened) == _standing(battle)
    assert opened.state.players == battle.state.players
    assert opened.state.game == battle.state.game


def _standing(battle: EpicBattle) -> list[object]:
    """For each formation that is left: where which stands are, and what is said of it."""
    return [
        (
            f.name,
            [
                (sheet(battle, int(m)).name, *battle.state.models.pos[m].tolist(), int(battle.state.models.facing[m]))
                for m in battle.on_table(f)
            ],
            [f.initiative, f.markers, f.broken, f.acted, f.action, f.overwatch],
        )
        for f in battle.units()
        if battle.is_on_table(f)
    ]


@pytest.mark.parametrize("name", LIBRARY)
def test_a_datasheet_is_written_as_it_is_read(name: str) -> None:
    assert read_sheet(name, msgspec.convert(sheet_doc(LIBRARY[name]), SheetDoc)) == LIBRARY[name]


@pytest.mark.parametrize("fire", ["AP4+ and Small Arms", "D3x AP5+/AT6+", "2x MW4+", "Assault"])
def test_every_kind_of_weapon_is_written_as_it_is_read(fire: str) -> None:
    one = weapon("Gun", 0 if fire == "Assault" else 30, fire, 2)
    assert read_weapon(weapon_line(one)) == one


def test_nothing_is_remembered_of_single_stands() -> None:
    doc = moment(new("epica", seed=4))
    doc["units"][0]["marks"] = {"moved": [1]}
    with pytest.raises(UserError, match=r"marks: there is no 'moved'; there are none"):
        open_scenario(read_scenario(yaml.safe_dump(doc), "moment.yaml"), systems.get("epica"))
