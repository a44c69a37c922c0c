"""Files of strangers in 8th edition: what cannot be is refused in a sentence, before anything is played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.armies import check_list, open_pack
from sandtable.armies.lists import ArmyList, ListUnit
from sandtable.battle import journal
from sandtable.errors import UserError
from support.acting import judge
from w40k8.table import Doc, bare, blade, give, gun, named, sheet, situation, told, unit

CAR = bare(name="Car", keywords=["VEHICLE"], transport={"capacity": 2, "carries": ["INFANTRY", "VEHICLE"]})
GAZE: Doc = {"name": "gaze", "charge": 5, "range": 18, "wounds": "D3"}


def psyker(**more: Any) -> Doc:
    """A sheet of a psyker."""
    return bare(keywords=["PSYKER"], psyker=more)


def refusal(doc: Doc) -> str:
    """Why a sheet is refused."""
    with pytest.raises(UserError) as caught:
        situation([unit("Reds", "red", doc, [(10, 10)])], step="movement_phase")
    return str(caught.value)


@pytest.mark.parametrize(
    ("doc", "sentence"),
    [
        (bare(abilities=["deep strike"]), "Target: there is no core ability 'deep strike'; there are cataphractii"),
        (bare(transport={"capacity": 0, "carries": ["INFANTRY"]}), "a transport has room for 1 to 60 models, not 0."),
        (sheet({**gun(), "abilities": ["torrent"]}), "Trooper, gun: there is no weapon ability 'torrent'; there are "),
        (sheet({**blade(), "abilities": [4]}), "Expected `str`, got `int`"),
        (psyker(casts=-1), "sheet, psyker.casts: Expected `int` >= 0"),
        (psyker(denies="two"), "sheet, psyker.denies: Expected `int`, got `str`"),
        (psyker(mind=1), "Object contains unknown field `mind`; its fields are casts, denies, powers, more, described"),
        (psyker(described=[{**GAZE, "name": "Gaze"}]), "psyker: the names of powers are in lower case: 'gaze', not"),
        (psyker(powers=["gaze"]), "units (Reds).sheet.psyker.powers: nobody describes 'gaze'; there are smite."),
        (psyker(described=[{**GAZE, "wounds": "many"}]), "gaze, wounds is a number, or dice such as"),
        (psyker(described=[{**GAZE, "strong": "D7"}]), "gaze, strong is a number, or dice"),
        (psyker(described=[{**GAZE, "range": 999}]), "described[0].range: Expected `int` <= 240"),
        ({**psyker(), "keywords": ["INFANTRY"]}, "Target, psyker: it goes with the keyword PSYKER."),
    ],
)  # fmt: skip
def test_a_sheet_that_nobody_prints_is_refused(doc: Doc, sentence: str) -> None:
    assert sentence in refusal(doc)


@pytest.mark.parametrize(
    "doc",
    [
        psyker(casts=2, denies=0, powers=["smite", "gaze"], described=[{**GAZE, "strong": "D6", "above": 10}]),
        bare(abilities=["disgustingly resilient"], keywords=["Infantry"]),
        sheet({**gun(), "abilities": ["hits 2 on 6+", "melta"]}),
        CAR,
    ],
)
def test_a_sheet_that_could_be_printed_is_played(doc: Doc) -> None:
    units = [unit("Reds", "red", doc, [(10, 10)]), unit("Blues", "blue", bare(), [(30, 10)])]
    assert situation(units, step="movement_phase").decisions


# --- Where models are -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        ((50, 8), 'units (Reds): model 2, at 50, 8, is not wholly on the table of 44" x 30".'),
        ((43.6, 8), 'units (Reds): model 2, at 43.6, 8, is not wholly on the table of 44" x 30".'),
        ((40, 8, -3), 'units (Reds): model 2, at 40, 8, stands 3" below the table.'),
    ],
)
def test_models_off_the_table_are_refused(at: tuple[float, ...], sentence: str) -> None:
    with pytest.raises(UserError) as caught:
        situation([unit("Reds", "red", bare(), [(10, 10), at])], step="movement_phase")
    assert str(caught.value) == sentence


def test_a_base_may_touch_the_edge() -> None:
    assert situation(
        [unit("Reds", "red", bare(), [(43.5, 8)]), unit("Blues", "blue", bare(), [(0.5, 0.5)])], step="movement_phase"
    )


@pytest.mark.parametrize(
    ("riders", "sentence"),
    [
        (unit("Riders", "red", bare(), off=3, embarked="Car"), "Car has room for 2 models, not 3."),
        (unit("Riders", "blue", bare(), off=1, embarked="Car"), "Car is no friend of Riders."),
        (unit("Riders", "red", bare(keywords=["MONSTER"]), off=1, embarked="Car"), "Car does not carry Riders."),
        (unit("Riders", "red", bare(), off=1, embarked="Foot"), "Foot is no transport."),
    ],
)
def test_passengers_that_cannot_be_are_refused(riders: Any, sentence: str) -> None:
    units = [unit("Car", "red", CAR, [(10, 10)]), unit("Foot", "red", bare(), [(20, 10)]), riders]
    with pytest.raises(UserError) as caught:
        situation(units, step="movement_phase")
    assert f"units (Riders).flags.embarked: {sentence}" in str(caught.value)


def test_a_transport_in_a_transport_carries_nobody() -> None:
    units = [
        unit("Car", "red", CAR, [(10, 10)]),
        unit("Buggy", "red", CAR, off=1, embarked="Car"),
        unit("Riders", "red", bare(), off=1, embarked="Buggy"),
    ]
    assert situation(units[:2], step="movement_phase").decisions
    with pytest.raises(UserError) as caught:
        situation(units, step="movement_phase")
    assert str(caught.value) == "Riders: Buggy is embarked itself, and can carry nobody."


def test_a_transport_with_passengers_does_not_embark() -> None:
    units = [
        unit("Car", "red", CAR, [(10, 10)]),
        unit("Buggy", "red", {**CAR, "name": "Buggy"}, [(12, 10)]),
        unit("Empty", "red", {**CAR, "name": "Buggy"}, [(8, 10)]),
        unit("Riders", "red", bare(), off=1, embarked="Buggy"),
        unit("Blues", "blue", bare(), [(40, 10)]),
    ]
    b = situation(units, step="movement_phase")
    verdicts = []
    for name in ("Buggy", "Empty"):
        b.answer(b.decisions[0], named(b, name).id)
        verdicts.append(judge(b, "move", {"mode": "normal", "onto": "Car"}))
        give(b, "move", {"mode": "stationary"})
    assert ("Buggy carries Riders, and cannot be carried." in str(verdicts[0]), verdicts[1].ok) == (True, True)


def test_a_list_with_a_transport_in_a_transport_is_refused() -> None:
    pack = open_pack("w40k8")
    carrier = next(s for s in pack.sheets() if s.transport is not None)
    rides = ("One", None), ("Two", "One"), ("Three", "Two")
    units = tuple(ListUnit(carrier.id, name=name, embarked_in=inside) for name, inside in rides)
    nested = ArmyList("Nested", "w40k8", "w40k8", pack.faction_of(carrier.id), 60, units)
    found = [str(problem) for problem in check_list(pack, nested)]
    assert ["Two is embarked itself, and can carry nobody" in text for text in found if "Three" in text] == [True]


# --- Journals ---------------------------------------------------------------------------------------------------------


def test_a_battle_file_from_before_an_option_is_played_by_its_default(tmp_path: Path) -> None:
    battle = sandtable.new("w40k8", seed=1)
    raw = msgspec.json.decode(journal.write(battle))
    del raw["setup"]["options"]["fly"]
    (tmp_path / "b").write_bytes(msgspec.json.encode(raw))
    assert sandtable.load(tmp_path / "b").setup.options == battle.setup.options


def test_a_battle_file_with_an_option_that_there_is_not_is_refused(tmp_path: Path) -> None:
    raw = msgspec.json.decode(journal.write(sandtable.new("w40k8", seed=1)))
    raw["setup"]["options"]["tea"] = "hot"
    (tmp_path / "b").write_bytes(msgspec.json.encode(raw))
    with pytest.raises(UserError) as caught:
        sandtable.load(tmp_path / "b")
    assert "has no option 'tea'; it has: " in str(caught.value)


# --- No place ---------------------------------------------------------------------------------------------------------


def test_passengers_without_a_place_are_slain_as_one_unit() -> None:
    """A plane crashes in a ring of friends that leaves no room beside it."""
    hold = {"capacity": 3, "carries": ["INFANTRY"]}
    plane = sheet(name="Plane", move="27-60", keywords=["FLY"], transport=hold, base="hull 4x4")
    ring = [(x, y) for x in range(14, 31) for y in range(7, 24) if max(abs(x - 22), abs(y - 15)) > 2.5]
    units = [
        unit("Reds", "red", plane, [(22, 15)]),
        unit("Riders", "red", sheet(name="Rider"), off=3, embarked="Reds"),
        unit("Crowd", "red", bare(name="Crowd"), ring),
        unit("Blues", "blue", bare(), [(43, 29)]),
    ]
    b = situation(units, step="movement_phase")
    b.answer(b.decisions[0], named(b, "Reds").id)
    assert (told(b).count("no_place"), told(b).count("unit_slain")) == (3, 2)
