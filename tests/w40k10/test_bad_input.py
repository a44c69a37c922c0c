"""Files of strangers in 10th edition: bounded, and refused in a sentence before anything is played."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.battle import Assignment, journal
from sandtable.cli.main import main
from sandtable.errors import UserError
from sandtable.kit.dice import read_amount
from sandtable.systems.w40k10.mission import FOLDER, read_mission
from w40k10.table import TROOPER, named, row, situation, unit

SUPPLIES = (FOLDER / "supply-drop.yaml").read_text(encoding="utf-8")


def sheet(**weapon: Any) -> dict[str, Any]:
    """A trooper whose only weapon has these characteristics."""
    rifle = {"name": "rifle", "range": 24, "attacks": "2", "skill": 3, "strength": 4, "ap": 0, "damage": "1"}
    return {**TROOPER, "name": "Trooper", "weapons": [{**rifle, **weapon}]}


@pytest.mark.rule("w40k10.datasheet.contents", check=1)
@pytest.mark.parametrize(
    ("weapon", "sentence"),
    [
        ({"attacks": "9999999"}, 'Trooper, rifle: attacks is a number, or dice such as "D6+1", not 9999999.'),
        ({"attacks": "999999999D6"}, "attacks is a number, or dice such as \"D6+1\", not '999999999D6'."),
        ({"attacks": "x"}, "attacks is a number, or dice such as \"D6+1\", not 'x'."),
        ({"attacks": "61"}, "attacks is a number"),
        ({"attacks": ""}, "attacks is a number"),
        ({"attacks": "9" * 5000}, "attacks is a number"),
        ({"damage": "D7"}, "damage is a number"),
        ({"skill": 1}, 'skill is 2 to 7, or "-", not 1.'),
        ({"strength": 41}, "strength is 1 to 40, not 41."),
        ({"ap": 1}, "ap is -10 to 0, not 1."),
        ({"range": 241}, "range is 1 to 240, not 241."),
        ({"abilities": ["melta 1000000"]}, "there is no weapon ability 'melta 1000000'; there are anti-"),
        ({"abilities": ["sustained hits 99999D6"]}, "there is no weapon ability"),
        ({"spin": 3}, "sheet, weapons[0]: Object contains unknown field `spin`; its fields are name, attacks, damage,"),
    ],
)
def test_a_weapon_that_no_datasheet_prints_is_refused(weapon: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError) as caught:
        situation([unit("Reds", "red", sheet(**weapon), [(10, 10)])])
    assert sentence in str(caught.value)


@pytest.mark.rule("w40k10.datasheet.contents", check=1)
@pytest.mark.parametrize("attacks", ["60", "12D6+12", "D3", "0"])
def test_the_most_that_a_weapon_may_have_is_played(attacks: str) -> None:
    assert situation([unit("Reds", "red", sheet(attacks=attacks, skill=0), [(10, 10)])]).decisions


@pytest.mark.rule("w40k10.datasheet.contents", check=1)
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"move": "fast"}, "Trooper: move is a number, dice"),
        ({"move": 100_000}, "Trooper: move is a number, dice"),
        ({"toughness": 31}, "toughness is 1 to 30, not 31."),
        ({"wounds": 101}, "wounds is 1 to 100, not 101."),
        ({"height": 25}, "height is 0.2 to 24, not 25"),
        ({"invulnerable": 1}, "invulnerable is 2 to 6, not 1, or 0 for none."),
        ({"abilities": ["leader", "flight"]}, "there is no core ability 'flight'; there are deep strike, "),
        ({"abilities": ["deadly demise 99999D6"]}, "there is no core ability"),
        ({"base": "9999mm"}, "a base measures"),
        ({"transport": {"capacity": 0, "carries": ["INFANTRY"]}}, "a transport has room for 1 to 60 models, not 0."),
        ({"transport": {"capacity": 61, "carries": ["INFANTRY"]}}, "a transport has room for 1 to 60 models, not 61."),
        ({"speed": 6}, "Object contains unknown field `speed`; its fields are name, move, toughness, save, wounds,"),
    ],
)
def test_a_datasheet_that_nobody_prints_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError) as caught:
        situation([unit("Reds", "red", {**sheet(), **change}, [(10, 10)])])
    assert sentence in str(caught.value)


@pytest.mark.rule("w40k10.datasheet.contents", check=1)
def test_a_model_that_never_moves_is_played() -> None:
    assert situation([unit("Reds", "red", {**sheet(), "move": None}, [(10, 10)])]).decisions


@pytest.mark.rule("w40k10.datasheet.contents", check=1)
@pytest.mark.parametrize("capacity", [1, 60])
def test_the_least_and_the_most_room_of_a_transport_are_played(capacity: int) -> None:
    carrier = {**sheet(), "transport": {"capacity": capacity, "carries": ["INFANTRY"]}}
    assert situation([unit("Reds", "red", carrier, [(10, 10)])]).decisions


@pytest.mark.parametrize(("text", "amount"), [("99", (0, 6, 99)), ("99D6+99", (99, 6, 99)), ("D3", (1, 3, 0))])
def test_an_amount_is_read_up_to_its_bound(text: str, amount: tuple[int, int, int]) -> None:
    assert read_amount(text) == amount


@pytest.mark.parametrize("text", ["100", "100D6", "D6+100", "", "D4", "9" * 10_000])
def test_an_amount_beyond_it_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="An amount is a number up to 99 or dice"):
        read_amount(text)


# --- Missions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[[0, 0], [W, 0]", "[[0, 0], [10000000, 0]", "m.yaml, line 9: attacker[1][0]: Expected `float` <= 240.0."),
        ("[[0, 0], [W, 0]", "[[0, 0], [200, 0]", 'The place 200.0, 0.0 is not on the battlefield of 60" x 44".'),
        ("[[0, 0], [W, 0]", "[[0, 0], [W+1, 0]", "m.yaml: The place W+1, 0.0 is not on the battlefield"),
        ("[[0, 0], [W, 0]", "[[0, 0], [W/0, 0]", "m.yaml: A place on a mission's map is a number, or such as 'W/2'"),
        ("[[0, 0], [W, 0]", "[[0, 0], [W-99999, 0]", "A place on a mission's map is a number"),
        ("[[10, H/2],", "[[61, H/2],", "m.yaml: The place 61.0, H/2 is not on the battlefield"),
        ("[W, H/2-12], [0, H/2-12]]", "[W, 0], [0, 0]]", "m.yaml: attacker: the outline has no area."),
        ("[W, H/2-12], [0, H/2-12]]", "[0, H/2-12], [20, H/2-12]]", "m.yaml: attacker: the outline crosses itself."),
        ("[W, 0], [W, H/2-12], [0, H/2-12]]", "]", "m.yaml, line 9: attacker: Expected `array` of length >= 3."),
        ("vp: 5", "vp: 1000000", "m.yaml, line 13: scoring[0].vp: Expected `int` <= 100."),
        ("  incursion: [60, 44]\n", "", "m.yaml: smallest: it does not say how large the battlefield is at least for"),
        ("incursion: [60, 44]", "incursion: [999, 44]", "m.yaml, line 5: smallest[...][0]: Expected `int` <= 240."),
        ("markers:", "rounds: 1000\nmarkers:", "m.yaml, line 11: rounds: Expected `int` <= 20."),
        ("markers:", "placed: 7\nmarkers:", "m.yaml, line 11: placed: Expected `int` <= 6."),
        ("name: Supply Drop", "name: !!bool x", "m.yaml, line 2, column 7: YAML tags (!!bool) are not allowed here"),
        ("name: Supply Drop", "name: A\nname: B", "m.yaml, line 3, column 1: 'name' stands twice; the first"),
    ],
)  # fmt: skip
def test_a_mission_that_cannot_be_played_is_refused_at_once(
    old: str, new: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], lists: tuple[str, str]
) -> None:
    assert old in SUPPLIES
    file = tmp_path / "m.yaml"
    file.write_text(SUPPLIES.replace(old, new, 1), encoding="utf-8")
    save = tmp_path / "saved"
    began = time.process_time()
    assert main(["battle", "--red", lists[0], "--blue", lists[1], "--mission", str(file), "--save", str(save)]) == 2
    assert time.process_time() - began < 8, "it hangs"
    said = capsys.readouterr()
    assert said.err.startswith(f"Error: {file}")
    assert sentence in said.err
    assert said.out == ""
    assert not save.exists()


@pytest.fixture(scope="module")
def lists() -> tuple[str, str]:
    from sandtable.armies.lists import draw_lists

    return draw_lists("w40k10", 1)


def test_the_missions_that_come_along_are_within_the_bounds(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(SUPPLIES, encoding="utf-8")
    assert read_mission(tmp_path / "m.yaml") == read_mission("supply-drop")


# --- Layouts, packs, journals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("!!bool x", "l.yaml, line 1, column 1: YAML tags (!!bool)"),
        ("{id: x, name: X, points: [0x" + "F" * 999 + "], table: {size: [60, 44]}}", "the number 0xFFFF"),
        (
            "{id: x, name: X, points: [1000], table: {size: [10000000, 44]}}",
            "l.yaml: table.size: a table is up to 1000",
        ),
    ],
)
def test_a_layout_that_cannot_be_played_is_refused(
    text: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], lists: tuple[str, str]
) -> None:
    file = tmp_path / "l.yaml"
    file.write_text(text, encoding="utf-8")
    assert main(["battle", "--red", lists[0], "--blue", lists[1], "--layout", str(file)]) == 2
    assert sentence in capsys.readouterr().err


def test_a_folder_that_is_no_pack_is_not_searched_through(capsys: pytest.CaptureFixture[str]) -> None:
    began = time.process_time()
    assert main(["odds", "into", "5 hellblasters", "5 terminators", "--pack", "/"]) == 2
    assert "Cannot read /pack.yaml: No such file or directory." in capsys.readouterr().err
    assert time.process_time() - began < 8, "it hangs"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["sheets"][0]["weapons"][0].update(attacks="9999999"), "attacks is a number"),
        (lambda d: d["kits"][0].update(sheet=99), "a datasheet that is not there"),
        (lambda d: d["kits"][0].update(weapons=[99]), "a weapon that is not there"),
        (lambda d: d.update(objectives=[[10**9, 0, 0]]), "a marker or a zone that is not on the table"),
        (lambda d: d.update(zones=[[[0, 0], [10**9, 0], [0, 1]]]), "a marker or a zone that is not on the table"),
        (lambda d: d.update(rounds=10**6), "at most 100 rounds"),
    ],
)
def test_a_battle_file_with_what_no_battle_can_have_is_refused(change: Any, words: str, tmp_path: Path) -> None:
    b = sandtable.new("w40k10", seed=1)
    raw = msgspec.json.decode(journal.write(b))
    change(raw["setup"]["data"])
    (tmp_path / "b").write_bytes(msgspec.json.encode(raw))
    with pytest.raises(UserError, match=f"^{tmp_path}/b: The set-up in this battle file does not fit .*{words}"):
        sandtable.load(tmp_path / "b")


def test_a_weapon_that_does_not_reach_says_so_although_another_does() -> None:
    """The mortar reaches somebody else, so that it is there to be assigned."""
    rifle = {"name": "rifle", "range": 24, "attacks": "2", "skill": 3, "strength": 4, "ap": 0, "damage": "1"}
    armed = {**TROOPER, "name": "Trooper", "weapons": [rifle, {**rifle, "name": "mortar", "range": 12}]}
    b = situation(
        [
            unit("Reds", "red", armed, [(10, 5)]),
            unit("Near", "blue", TROOPER, [(10, 12)]),
            unit("Far", "blue", TROOPER, [(18, 25)]),
        ],
        step="shoot_units",
    )
    b.answer(b.decisions[0], 0)
    far = named(b, "Far").id
    rows = {r.label: r.id for r in b.decisions[0].rows}
    verdict = b.check(b.decisions[0], (Assignment(rows["mortar"], far, 1),))
    assert str(verdict).startswith("Far is out of range of mortar.")
    assert verdict.reasons[0].rules == ("w40k10.shoot.range",)
    assert b.check(b.decisions[0], (Assignment(rows["rifle"], far, 1),))


def test_models_to_allocate_to_are_numbered_within_their_unit() -> None:
    boss = {**TROOPER, "name": "Boss", "save": 2, "wounds": 3}
    units = [unit("Reds", "red", sheet(attacks="6", strength=10, ap=-1), [(10, 5)])]
    units.append(
        unit("Blues", "blue", TROOPER, row(3, (10, 12)), loadout=[{"models": [3], "sheet": boss}], wounds={1: 0})
    )
    b = situation(units, step="shoot_units", dice={"any": [6] * 40})
    while b.decisions and b.decisions[0].kind != "allocate":
        b.answer(b.decisions[0], b.default(b.decisions[0]))
    assert [o.label for o in b.decisions[0].options] == ["Trooper 2", "Boss 3"]


def test_flags_take_lists_as_a_file_writes_them() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(2, (10, 10)), emptied=[[0, "rifle"]])])
    assert b.unit(0).emptied == ((0, "rifle"),)
