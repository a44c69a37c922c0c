"""Army lists in any form: which system they are for, what is understood, and what becomes of them."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from sandtable.armies.imported import MOST, MOST_DETACHMENTS, MOST_GEAR, MOST_UNITS, decoded
from sandtable.armies.lists import ArmyList, ListUnit, Loadout, draw_lists, read_list, uneven
from sandtable.armies.packs import find_list
from sandtable.armies.told import rows
from sandtable.armies.written import write_list
from sandtable.brought import Text, is_ours, problems_of, read_brought, read_together, report_of, with_exports
from sandtable.cli.main import main
from sandtable.documents import parse_document
from sandtable.errors import UserError
from support.exports import (
    FORMS,
    HOST,
    LEGION,
    OF_TENTH,
    Exported,
    Unit,
    newrecruit_json,
    official,
    roster,
    wtc_compact,
)

OURS = find_list("orks-1000-horde")


# --- Forms ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_an_army_is_the_same_in_whatever_form_it_comes(form: str) -> None:
    found = read_brought(FORMS[form](LEGION), "a list").list
    army = found.army
    assert (army.name, army.system, army.faction, army.detachment) == (
        "Legion of Dust", "w40k11", "necrons", "awakened-dynasty",
    )  # fmt: skip
    assert [(row.name, row.models, row.cost) for row in rows(found.pack, army)] == [
        ("Overlord", 1, 90), ("Plasmancer", 1, 60), ("Necron Warriors", 10, 85), ("Immortals", 5, 70),
    ]  # fmt: skip
    carried = [(one.count, sorted(one.carry)) for one in army.units[2].wargear]
    assert carried == [(10, ["Close combat weapon", "Gauss reaper"])]
    assert [unit.warlord for unit in army.units] == [True, False, False, False]
    assert problems_of(army) == []


def test_a_list_of_ours_is_told_like_any_other() -> None:
    found, others = read_brought(OURS.read_text(), "a list")
    assert found.army == read_list(OURS)
    assert (found.source, found.doubts, others) == ("", (), ())
    assert found.understood[0] == "Green Tide: Orks, War Horde; read as a list of ours."
    assert found.understood[-1] == "7 units, 990 points of 1000."


def test_power_is_counted_where_armies_are_measured_by_it() -> None:
    found = read_brought(find_list("orks-40-green-tide").read_text(), "a list").list
    assert " Power of " in found.understood[-1]


def test_a_list_of_ours_may_be_written_as_json() -> None:
    plain = msgspec.json.encode(read_list(OURS)).decode()
    assert read_brought(plain, "a list").list.army == read_list(OURS)


@pytest.mark.parametrize(
    "text",
    [
        "system: w40k10\n",
        "name: x\nfaction: orks\nunits: []\n",
        '"system": w40k10\nunits: []\n',
        '{"system": "w40k10"}',
    ],
)
def test_a_text_with_our_fields_is_meant_to_be_ours(text: str) -> None:
    assert is_ours(text)


@pytest.mark.parametrize(
    "text",
    [
        *(form(LEGION) for form in FORMS.values()),
        *("", "hello", "name: x\nfaction: orks\n", "System: w40k10\n", "  system: w40k10\n"),
        *("{", '{"name": 1}', "[" * 9000),
    ],
)
def test_other_texts_are_not(text: str) -> None:
    assert not is_ours(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("system: w40k10\nname: [\n", "A list, line 3: not valid YAML"),
        ("system: w40k99\n" + OURS.read_text().replace("system: w40k10\n", ""), "A list: the list is for 'w40k99'"),
        (OURS.read_text().replace("pack: w40k10", "pack: w40k99"), "A list: No pack 'w40k99'"),
        (OURS.read_text().replace("limit: 1000", "limit: many"), "A list, line 6: limit"),
    ],
)
def test_a_list_of_ours_that_is_wrong_is_refused_with_its_line(text: str, why: str) -> None:
    with pytest.raises(UserError) as refused:
        read_brought(text, "A list")
    assert str(refused.value).startswith(why)


# --- Which system -----------------------------------------------------------------------------------------------------


def test_exports_are_read_for_systems_that_count_points() -> None:
    assert with_exports() == ["w40k10", "w40k11"]


def test_a_list_is_for_the_system_that_adds_its_points_up_as_it_does() -> None:
    assert read_brought(official(LEGION), "x").list.army.system == "w40k11"
    assert read_brought(official(OF_TENTH), "x").list.army.system == "w40k10"


def test_or_else_for_the_one_that_lacks_fewer_of_its_units() -> None:
    # Nobody has the one, and only one of them the other.
    more = (Unit("Canoptek Circle", 1, 1, ()), Unit("Hexmark Destroyer", 1, 75, ("Enmitic disintegrator pistols",)))
    odd = LEGION._replace(units=(*LEGION.units, *more))
    found, others = read_brought(wtc_compact(odd), "x")
    assert (found.army.system, found.missing, others) == ("w40k11", 1, ("w40k10",))


def test_a_system_that_the_list_names_comes_before_all_that_speaks_for_others() -> None:
    tenth = newrecruit_json(LEGION, "Warhammer 40,000 10th Edition")
    found, others = read_brought(tenth, "x")
    assert (found.army.system, others) == ("w40k10", ("w40k11",))
    assert read_brought(newrecruit_json(LEGION), "x").list.army.system == "w40k11"


def test_who_wants_a_system_gets_it() -> None:
    found, others = read_brought(official(LEGION), "x", "w40k10")
    assert (found.army.system, others) == ("w40k10", ("w40k11",))


def test_of_systems_that_know_a_list_equally_well_it_is_the_latest() -> None:
    even = Exported("Few", "Necrons", "Awakened Dynasty", (LEGION.units[3],))
    assert read_brought(wtc_compact(even), "x").list.army.system == "w40k11"


def test_a_system_that_somebody_chose_is_the_one_wherever_the_list_can_be_read_for_it() -> None:
    for text in (official(LEGION), wtc_compact(LEGION), newrecruit_json(LEGION, "Warhammer 40,000 11th Edition")):
        found, others = read_brought(text, "x", rather="w40k10")
        assert (found.army.system, others) == ("w40k10", ("w40k11",))
        assert not any("cannot be read" in doubt for doubt in found.doubts)


def test_where_it_cannot_be_it_is_said_what_is_taken_instead() -> None:
    votann = Exported("X", "Leagues of Votann", "Needgaard Oathband", (Unit("Hearthkyn Warriors", 10, 100, ()),))
    found = read_brought(wtc_compact(votann), "x", rather="w40k10").list
    assert found.army.system == "w40k11"
    assert found.doubts[0] == (
        "It cannot be read for Warhammer 40,000, 10th edition (the pack w40k10 has no faction 'leagues-of-votann'; "
        "it has Space Marines, Orks, Necrons, Tyranids), so it is read for Warhammer 40,000, 11th edition."
    )
    found = read_brought(wtc_compact(LEGION), "x", rather="epica").list
    assert found.doubts[0].startswith("It cannot be read for Epic: Armageddon (other programs write no lists for that)")


@pytest.mark.parametrize("system", ["w40k8", "epica"])
def test_exports_are_refused_for_systems_that_none_is_written_for(system: str) -> None:
    with pytest.raises(UserError, match=f"are read for w40k10 and w40k11, not for {system}"):
        read_brought(official(LEGION), "x", system)


def test_a_list_of_ours_is_refused_for_another_system_than_its_own() -> None:
    with pytest.raises(UserError, match="A list: the list is for w40k10, and this is a battle of w40k11"):
        read_brought(OURS.read_text(), "A list", "w40k11")


def test_a_faction_that_the_wanted_system_lacks_is_refused_with_those_that_it_has() -> None:
    votann = Exported("X", "Leagues of Votann", "Needgaard Oathband", (Unit("Hearthkyn Warriors", 10, 100, ()),))
    assert read_brought(wtc_compact(votann), "x").others == ()
    with pytest.raises(UserError, match=r"has no faction .*; it has Space Marines, Orks"):
        read_brought(wtc_compact(votann), "x", "w40k10")


def test_a_list_of_another_game_is_told_as_a_doubt() -> None:
    found = read_brought(newrecruit_json(LEGION, "Kill Team"), "x").list
    assert found.doubts[0] == "The list says that it is for 'Kill Team'; it is read for Warhammer 40,000, 11th edition."
    assert not any("it is for" in line for line in read_brought(newrecruit_json(LEGION), "x").list.doubts)


def test_two_lists_that_meet_are_read_for_one_system() -> None:
    both = read_together([Text(official(LEGION), "a"), Text(official(OF_TENTH), "b")])
    assert len({one.list.army.system for one in both}) == 1
    ours = read_together([Text(official(LEGION), "a"), Text(OURS.read_text(), "b")])
    assert [one.list.army.system for one in ours] == ["w40k10", "w40k10"]


# --- What becomes of it -----------------------------------------------------------------------------------------------


def test_three_numbers_say_what_of_a_list_is_enforced() -> None:
    found = report_of(read_brought(official(LEGION), "x").list)
    assert (found.units.total, found.core) == (sum(found.units), 2)
    assert {line.state for line in found.lines} <= {"in part", "unreviewed", "left"}


def test_what_keeps_an_army_from_being_played_is_told_once() -> None:
    leaderless = LEGION._replace(units=LEGION.units[2:])
    problems = problems_of(read_brought(wtc_compact(leaderless), "x", "w40k11").list.army)
    assert len(problems) == len(set(problems)) == 2
    assert problems[0].startswith("The army has no CHARACTER")


def test_a_near_miss_is_suggested_by_name() -> None:
    found = read_brought(wtc_compact(HOST), "x").list
    assert (
        "There is no datasheet 'Nekron Warriors'; did you mean Necron Warriors? The unit is left out." in found.doubts
    )
    assert found.missing == 1


@pytest.mark.parametrize("name", sorted(path.stem for path in OURS.parent.glob("*.yaml")))
def test_what_was_read_is_written_as_the_same_list(name: str) -> None:
    army = read_list(find_list(name))
    assert parse_document(write_list(army), ArmyList, name) == army


@pytest.mark.parametrize(
    "name",
    [
        *("12", "1e5", "-", "null", "yes", "0x10", ".5", "- a", "a: b", "a #b", "[x]", "{x}", "'a'", '"a"', "*x", "&x"),
        *("!x", "%x", "@x", "né", "<b>x</b>", "a\\b", "...", "---", "2026-01-01", "~", "=", "a, b", "x" * 80),
    ],
)
def test_a_name_that_looks_like_something_else_stays_a_name(name: str) -> None:
    unit = ListUnit("boyz", name=name, wargear=(Loadout(name, (name, name)),), models={name: 3}, attached_to=name)
    army = ArmyList(name, "w40k10", "w40k10", "orks", 1000, (unit,), note=name)
    assert parse_document(write_list(army), ArmyList, "x") == army


def test_a_damaged_export_is_refused_or_becomes_a_list_that_can_be_written_and_read() -> None:
    dice = random.Random(7)
    signs = ("\0", "{", "]", '"', "-1", "9" * 30, "•", "null", ":", "\n", "? ", "\u202e", "\x1b[2J", "é", "<i>")
    texts = [form(LEGION) for form in FORMS.values()]
    for _ in range(60):
        text = dice.choice(texts)
        for _ in range(dice.randint(1, 5)):
            start = dice.randrange(len(text))
            text = text[:start] + dice.choice(signs) + text[start + dice.randint(0, 30) :]
        with suppress(UserError):
            army = read_brought(text, "x").list.army
            assert parse_document(write_list(army), ArmyList, "x") == army


# --- Bounds -----------------------------------------------------------------------------------------------------------


def crowd(units: int) -> str:
    return wtc_compact(LEGION._replace(units=(*LEGION.units[:1], *[LEGION.units[3]] * (units - 1))))


def test_a_list_has_so_many_units_and_no_more() -> None:
    # As many as can be read are cut to as many as an army has.
    assert len(read_brought(crowd(MOST_UNITS), "x", "w40k11").list.army.units) == 100
    with pytest.raises(UserError, match=f"names {MOST_UNITS + 1} units; no army has more than {MOST_UNITS}"):
        read_brought(crowd(MOST_UNITS + 1), "x", "w40k11")


def test_a_list_has_so_much_wargear_and_no_more() -> None:
    with pytest.raises(UserError, match=f"names {MOST_GEAR + 1} pieces of wargear"):
        read_brought(_roster_with_gear(MOST_GEAR + 1), "x", "w40k11")
    assert read_brought(_roster_with_gear(MOST_GEAR), "x", "w40k11").list.army.units


def _roster_with_gear(pieces: int) -> str:
    told = roster(LEGION)
    units = told["roster"]["forces"][0]["selections"]
    overlord = next(one for one in units if one["name"] == "Overlord")
    others = sum(_gear(one) for one in units if one is not overlord and one["name"] != "Detachment")
    first = overlord["selections"][0]
    overlord["selections"] = [first] * (pieces - others)
    return json.dumps(told)


def _gear(unit: dict[str, object]) -> int:
    """Pieces that a unit names: those of its models count for the unit, too."""
    inside = unit["selections"]
    assert isinstance(inside, list)
    return sum(2 * len(one["selections"]) if one["type"] == "model" else 1 for one in inside)


def test_a_list_has_so_many_detachments_and_no_more() -> None:
    told = roster(LEGION)
    detachment = told["roster"]["forces"][0]["selections"][0]
    chosen = detachment["selections"][0]
    detachment["selections"] = [chosen] * (MOST_DETACHMENTS + 1)
    with pytest.raises(UserError, match=f"names {MOST_DETACHMENTS + 1} detachments"):
        read_brought(json.dumps(told), "x")
    detachment["selections"] = [chosen] * MOST_DETACHMENTS
    assert read_brought(json.dumps(told), "x").list.army.detachment == "awakened-dynasty"


@pytest.mark.parametrize("raw", [b"abc \xe9", b"\xff\xfea", b"\x80"])
def test_bytes_that_are_no_text_are_refused(raw: bytes) -> None:
    with pytest.raises(UserError, match=r"list\.txt is not UTF-8 text: see its byte"):
        decoded(raw, "list.txt")


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16"])
def test_texts_of_other_systems_are_read(code: str) -> None:
    assert decoded("né\r\n".encode(code), "x") == "né\r\n"


def test_a_file_has_so_many_bytes_and_no_more() -> None:
    assert len(decoded(b"x" * MOST, "x")) == MOST
    with pytest.raises(UserError, match="at most 1 MB"):
        decoded(b"x" * (MOST + 1), "x")


# --- At the command line ----------------------------------------------------------------------------------------------


def test_a_battle_follows_its_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "list.txt"
    file.write_text(official(LEGION), "utf-16")
    assert main(["battle", "--red", str(file), "--blue", str(file), "--players", "default,default", "--seed", "1"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Legion of Dust: Necrons, Awakened Dynasty; read as gw.\n")
    assert "Warhammer 40,000, 11th edition, seed 1" in told


def test_a_ready_list_says_for_which_system_the_other_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "list.txt"
    file.write_text(official(LEGION), "utf-8")
    wish = ["battle", "--red", str(file), "--blue", "orks-1000-horde", "--players", "default,default", "--seed", "1"]
    assert main(wish) == 0
    assert "Warhammer 40,000, 10th edition, seed 1" in capsys.readouterr().out


def test_a_report_follows_its_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "list.txt"
    file.write_text(official(OF_TENTH), "utf-8")
    assert main(["army", "report", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["units"]["unreviewed"] == 0
    assert main(["army", "report", str(file), "--json", "--system", "w40k11"]) == 0
    assert json.loads(capsys.readouterr().out)["list"]["understood"][-1].endswith(
        "305 points of 1000; the list says 300."
    )


# --- Opponents by chance ----------------------------------------------------------------------------------------------


def test_who_is_drawn_has_an_army_of_the_same_size() -> None:
    drawn = [draw_lists("w40k10", seed, 2000) for seed in range(8)]
    assert {read_list(find_list(name)).limit for pair in drawn for name in pair} == {2000}
    assert draw_lists("w40k10", 3, 1234) == draw_lists("w40k10", 3)


@pytest.mark.parametrize(("cost", "size"), [(595, 1000), (1234, 1000), (1500, 2000), (1600, 2000), (9000, 2000)])
def test_who_is_drawn_has_an_army_of_the_nearest_size(cost: int, size: int) -> None:
    drawn = [draw_lists("w40k11", seed, cost) for seed in range(8)]
    assert {read_list(find_list(name)).limit for pair in drawn for name in pair} == {size}


def test_armies_that_differ_by_more_than_a_quarter_are_told_of() -> None:
    told = uneven({"red": 595, "blue": 985}, "points")
    assert told == "The armies are not of the same size: red has 595 points, blue 985."
    assert uneven({"red": 1250, "blue": 1000}, "points") == ""
    assert uneven({"red": 100, "blue": 60}, "Power").endswith(": red has 100 Power, blue 60.")


def test_who_brings_one_list_to_the_command_line_meets_a_ready_one_of_its_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "list.txt"
    file.write_text(official(LEGION._replace(limit=2000)), "utf-8")
    assert main(["battle", "--blue", str(file), "--seed", "3", "--players", "default,default", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["uneven"].endswith("blue 305.")
    assert found["armies"][0].startswith(read_list(find_list(draw_lists("w40k11", 3, 305)[0])).name)


def test_armies_of_different_sizes_are_told_of_before_they_fight(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "list.txt"
    file.write_text(official(LEGION._replace(limit=2000)), "utf-8")
    arguments = ["battle", "--red", str(file), "--blue", "orks-1000-dreads", "--seed", "1"]
    assert main([*arguments, "--players", "default,default"]) == 0
    lines = capsys.readouterr().out.splitlines()
    begins = lines.index("Warhammer 40,000, 11th edition, seed 1")
    assert lines[begins + 2] == "The armies are not of the same size: red has 305 points, blue 960."


def test_lists_of_packs_are_of_the_battle_size_that_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["battle", "--red", "orks-1000-horde", "--blue", "necrons-2000-gunline", "--seed", "1"]) == 2
    assert "Both armies must be of one battle size, not 1000 and 2000 points" in capsys.readouterr().err
