"""Army lists that people paste: understood by name, bounded, and told before they are played."""

from __future__ import annotations

import base64
import gzip
import json
import random
import time
from contextlib import suppress
from pathlib import Path

import pytest

import sandtable
from sandtable.armies.faction_names import faction_id
from sandtable.armies.imported import MOST, dataset, first_list, read_roster
from sandtable.armies.lists import sheet_in
from sandtable.armies.pasted import Pasted, is_pasted, read_pasted
from sandtable.cli.main import main
from sandtable.errors import UserError
from sandtable.systems.w40k11.muster import problems

SAMPLES = Path(__file__).parents[2].parent / "shared" / "bsdata" / "lists"
FENCE = "+++++++++++++++++++++++++++++++++++++++++++++++"


def compact(faction: str, detachment: str, *units: str, warlord: str = "Char1: Warboss") -> str:
    """A list as a program for tournaments writes it."""
    head = f"""{FENCE}
+ LIST NAME: Ours
+ FACTION KEYWORD: {faction}
+ DETACHMENT: {detachment}
+ TOTAL ARMY POINTS: 400pts
+ POINTS LIMIT: 1000pts
+
+ WARLORD: {warlord}
+ NUMBER OF UNITS: {len(units)}
{FENCE}

"""
    return head + "\n".join(units)


WARBOSS = "Char1: 1x Warboss (75 pts): Kombi-weapon, Power klaw, Warlord"
BOYZ = "10x Boyz (80 pts): 9x Slugga, 9x Choppa, 1x Slugga, 1x Big choppa"
ORKS = compact("Orks", "War Horde", WARBOSS, BOYZ)
HOUNDS = compact("Chaos Knights", "Houndpack Lance",
    "Char1: 1x War Dog Karnivore (140 pts): Slaughterclaw, Reaper chaintalon, Warlord",
    "1x War Dog Executioner (150 pts): 2x War Dog autocannon", warlord="Char1: War Dog Karnivore")  # fmt: skip


def test_a_list_of_another_program_becomes_one_of_ours() -> None:
    found = read_pasted(compact("Necrons", "Awakened Dynasty",
        "Char1: 1x Overlord (90 pts): Tachyon arrow, Overlord's blade, Warlord",
        "10x Necron Warriors (85 pts): 10x Gauss reaper, 10x Close combat weapon", warlord="Char1: Overlord"),
        "w40k11", "a list")  # fmt: skip
    army = found.army
    assert (army.faction, army.detachment, army.limit) == ("necrons", "awakened-dynasty", 1000)
    overlord, warriors = army.units
    assert (overlord.sheet, overlord.warlord, warriors.sheet, warriors.size) == (
        "overlord",
        True,
        "necron-warriors",
        10,
    )
    (loadout,) = warriors.wargear
    assert (loadout.count, sorted(loadout.carry)) == (10, ["Close combat weapon", "Gauss reaper"])
    assert found.understood[0].startswith("Ours: Necrons, Awakened Dynasty")
    assert found.understood[-1].startswith("2 units, 175 points of 1000")


def test_who_leads_whom_is_read_where_a_list_tells() -> None:
    text = compact(
        "Necrons",
        "Awakened Dynasty",
        "Char1: 1x Plasmancer (60 pts): Plasmic lance",
        "Char2: 1x Overlord (90 pts): Tachyon arrow, Overlord's blade, Warlord",
        "5x Immortals (70 pts): 5x Gauss blaster, 5x Close combat weapon",
        warlord="Char2: Overlord",
    )
    found = read_pasted(text, "w40k11", "a list")
    assert [unit.attached_to for unit in found.army.units] == ["Immortals", None, None]
    assert "The list does not say whom it leads: Overlord. It fights on its own." in found.doubts


def test_the_same_reader_serves_10th_edition() -> None:
    found = read_pasted(ORKS, "w40k10", "a list")
    assert (found.pack.header.id, found.army.faction) == ("w40k10", "orks")
    assert [unit.sheet for unit in found.army.units] == ["warboss", "boyz"]


def headed(*faction: str) -> str:
    """A list as the official app writes it, with what it says of its faction."""
    lines = ("Ours (145 Points)", "", *faction, "Gladius Task Force", "Incursion (1000 Points)", "", "CHARACTERS", "",
        "Captain (80 Points)", "  • Warlord", "  • 1x Bolt pistol", "", "BATTLELINE", "",
        "Intercessor Squad (80 Points)", "  • 5x Intercessor", "",
        "Exported with App Version: v1.17.1 (1), Data Version: v486")  # fmt: skip
    return "\n".join(lines)


def test_every_faction_is_found_by_all_of_its_names() -> None:
    for one in dataset().factions:
        names = {one.id, one.name, *(one.raw.get("aliases") or ())}
        names |= {name.replace("’", sign) for name in names for sign in ("'", "", "`")}
        for name in {*names, *(name.upper() for name in names), *(name.lower() for name in names)}:
            assert faction_id(name, dataset().factions) == one.id, name


@pytest.mark.parametrize(
    ("name", "faction"),
    [
        ("Space Marines", "adeptus-astartes"),
        ("Imperial Agents", "agents-of-the-imperium"),
        ("Imperial Guard", "astra-militarum"),
        ("Craftworlds", "aeldari"),
        ("Dark Eldar", "drukhari"),
        ("Heretic Astartes", "chaos-space-marines"),
        ("Tau", "tau-empire"),
        ("Tyranid", "tyranids"),
        ("Custodes", "adeptus-custodes"),
        ("Xenos - Necrons", "necrons"),
        ("Imperium - Adeptus Astartes - Blood Angels", "blood-angels"),
        ("Black Legion aka Chaos Space Marines", "chaos-space-marines"),
        # What several may be called, or all of a side, is nobody's.
        ("Knights", ""),
        ("Guard", ""),
        ("Marines", ""),
        ("Imperium", ""),
        ("Chaos", ""),
        ("?", ""),
    ],
)
def test_part_of_a_name_makes_no_other_faction_of_it(name: str, faction: str) -> None:
    assert faction_id(name, dataset().factions) == faction


def test_space_marines_are_not_those_of_chaos() -> None:
    assert read_roster(headed("Space Marines"), "x").told["faction_id"] == "adeptus-astartes"
    for system, faction in (("w40k10", "space-marines"), ("w40k11", "adeptus-astartes")):
        army = read_pasted(headed("Space Marines"), system, "x").army
        assert (army.faction, [unit.sheet for unit in army.units]) == (faction, ["captain", "intercessor-squad"])


def test_a_name_that_is_nobodys_leaves_the_faction_to_the_units() -> None:
    assert read_roster(headed("Marines"), "x").told["faction_id"] == "adeptus-astartes"


def test_a_chapter_without_datasheets_is_read_as_what_it_is_a_chapter_of() -> None:
    found = read_pasted(headed("Space Marines", "Ultramarines"), "w40k10", "x")
    assert (found.army.faction, len(found.army.units)) == ("space-marines", 2)
    assert "Ultramarines have no datasheets of their own here: they are read as Space Marines." in found.doubts
    assert read_pasted(headed("Space Marines", "Ultramarines"), "w40k11", "x").army.faction == "ultramarines"


def test_a_sheet_that_is_missing_is_told_in_a_sentence_with_the_nearest_name() -> None:
    found = read_pasted(compact("Orks", "War Horde", WARBOSS, BOYZ, "5x Burna Boyyz (60 pts): 5x Burna"), "w40k10", "x")
    assert [unit.sheet for unit in found.army.units] == ["warboss", "boyz"]
    (told,) = [line for line in found.doubts if "Burna Boyyz" in line]
    assert told.startswith("There is no datasheet 'Burna Boyyz'")
    assert told.endswith("The unit is left out.")


def test_a_near_miss_is_suggested_by_name() -> None:
    found = read_pasted(compact("Orks", "War Hoard", WARBOSS, BOYZ), "w40k10", "x")
    assert "There is no detachment 'War Hoard'; did you mean War Horde?" in found.doubts


def test_a_detachment_with_and_in_its_name_counts_once() -> None:
    (name,) = {
        one.name
        for one in read_pasted(_knights(), "w40k11", "x").pack.factions[0].detachments
        if one.id == "houndpack-lance"
    }
    assert name == "Houndpack Lance"


def _knights() -> str:
    karnivore = "Char1: 1x War Dog Karnivore (150 pts): Reaper chaintalon, Slaughterclaw, Warlord"
    return compact("Chaos Knights", "Houndpack Lance", karnivore, warlord="Char1: War Dog Karnivore")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "hello",
        "{}",
        "[1, 2]",
        '{"roster": {"forces": "no"}}',
        "[" * 5000 + "]" * 5000,
        '{"a":' * 3000 + "1" + "}" * 3000,
        "x" * (MOST + 10),
        "\n" * 10 + "a\n" * 9000,
        "H4sIA" + "A" * 50,
        base64.b64encode(gzip.compress(b"0" * (MOST * 8), mtime=0)).decode(),
        base64.b64encode(gzip.compress(b'{"roster": 7}', mtime=0)).decode(),
        "\0\0\0",
        json.dumps({"source": {"format": "x"}, "units": [1, {"ref": 3}], "diagnostics": 0, "faction_id": "necrons"}),
        json.dumps({"source": {"format": "x"}, "units": {}, "diagnostics": 0, "faction_id": ["necrons"]}),
    ],
)
def test_what_is_no_list_is_refused_in_a_sentence(text: str) -> None:
    for system in ("w40k10", "w40k11"):
        with pytest.raises(UserError):
            read_pasted(text, system, "what was pasted")


def test_a_damaged_list_is_read_or_refused_in_a_sentence() -> None:
    dice, signs = random.Random(11), ("\0", "{", "]", '"', "-1", "9" * 30, "•", "null", ":", "\n", "x " * 40)
    for _ in range(60):
        text = dice.choice((ORKS, _knights()))
        for _ in range(dice.randint(1, 6)):
            start = dice.randrange(len(text))
            text = text[:start] + dice.choice(signs) + text[start + dice.randint(0, 60) :]
        with suppress(UserError):
            found = read_pasted(text, dice.choice(("w40k10", "w40k11")), "what was pasted")
            assert found.army.units


def test_numbers_that_no_unit_has_are_bounded() -> None:
    found = read_pasted(compact("Orks", "War Horde", WARBOSS, "999999x Boyz (80 pts): 999999x Choppa"), "w40k10", "x")
    assert all(unit.size is None or unit.size <= 60 for unit in found.army.units)
    assert all(len(one.carry) <= 12 for unit in found.army.units for one in unit.wargear)


def test_more_models_than_any_unit_has_are_told() -> None:
    listed = compact(
        "Orks", "War Horde", WARBOSS, "61x Boyz (80 pts): 61x Choppa", "9999999x Gretchin (40 pts): Choppa"
    )
    found = read_pasted(listed, "w40k11", "x")
    assert [unit.size for unit in found.army.units][1:] == [20, 20]
    assert "Boyz: 61 models are listed; 20 are taken, of 10 to 20." in found.doubts
    assert any(doubt.startswith("Gretchin: more than 1000000 models are listed; ") for doubt in found.doubts)


def test_more_units_than_an_army_can_have_are_told() -> None:
    found = read_pasted(compact("Orks", "War Horde", WARBOSS, *[BOYZ] * 103), "w40k11", "x")
    assert len(found.army.units) == 100
    assert "The list has 104 units; an army has at most 100, so the first 100 are taken." in found.doubts


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample lists are not here")
def test_a_second_warlord_is_told() -> None:
    text = (SAMPLES / "cd-daemonic-incursion/input.listforge-text.txt").read_text()
    found = read_pasted(text.replace("Blade of blood", "Blade of blood\n  • Warlord"), "w40k11", "x")
    assert [unit.sheet for unit in found.army.units if unit.warlord] == ["great-unclean-one"]
    several = "An army has one Warlord, the list names several (Great Unclean One, Bloodmaster): the first is taken."
    assert several in found.doubts


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample lists are not here")
def test_signs_that_nobody_sees_do_not_come_into_a_battle() -> None:
    """With half of a sign a battle was played to its end, and then no file of it could be written."""
    text = (SAMPLES / "chaos-knights-houndpack/input.newrecruit-json.json").read_text()
    text = text.replace("Dog Kill God", r"Dog \ud83d\u202eKill\u001b God").replace("Nurglings", r"Nurg\ud83dlings")
    found = read_pasted(text, "w40k11", "x")
    assert found.army.name == "Dog Kill God"
    assert "There is no datasheet 'Nurg lings'. The unit is left out." in found.doubts


def test_a_file_that_is_none_of_ours_is_a_pasted_list(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "a.yaml", tmp_path / "a.txt"
    ours.touch()
    theirs.touch()
    assert [is_pasted(str(name)) for name in (ours, theirs, "-", "orks-1000-horde")] == [False, True, True, False]


def test_a_battle_is_played_with_it_and_tells_first_what_it_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "list.txt"
    file.write_text(ORKS, "utf-8")
    assert main(["battle", "-s", "w40k10", "--red", str(file), "--blue", "orks-1000-speed", "--seed", "3"]) == 0
    assert capsys.readouterr().out.startswith("Ours: Orks, War Horde; read as newrecruit-wtc-compact.\n")


def test_the_report_of_a_list_counts_three_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "list.txt"
    file.write_text(_knights(), "utf-8")
    assert main(["army", "report", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["units"]) == {"reviewed", "unreviewed", "left", "share"}
    assert found["list"]["understood"][0].startswith("Ours: Chaos Knights")


def test_the_report_of_a_faction_lists_what_is_left_by_unit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["army", "report", "orks", "--system", "w40k10"]) == 0
    assert "left to the players" in capsys.readouterr().out


def test_factions_are_found_by_their_printed_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["army", "report", "T'au Empire"]) == 0
    assert capsys.readouterr().out.startswith("T'au Empire\n")


def test_what_is_neither_a_list_nor_a_faction_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["army", "report", "squats"]) == 2
    assert "no faction of w40k11" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "system", "meant"),
    [
        ("necrns", "w40k11", "'necrons'"),
        ("Tau Empir", "w40k11", "'tau-empire'"),
        ("orkz", "w40k8", "'orks'"),
        ("necrons-2000-phalnx", "w40k11", "'necrons-2000-phalanx'"),
    ],
)
def test_a_misspelt_faction_or_list_is_answered_with_near_ones(
    wrong: str, system: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["army", "report", wrong, "--system", system]) == 2
    assert f"Did you mean {meant}" in capsys.readouterr().err


def test_a_name_that_is_like_no_faction_is_answered_without_a_guess(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["army", "report", "xyzzy"]) == 2
    assert "Did you mean" not in capsys.readouterr().err


def test_a_list_file_that_cannot_be_read_is_not_taken_for_a_faction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["army", "report", "nowhere.yaml"]) == 2
    assert "faction" not in capsys.readouterr().err


# --- Two lists in one text --------------------------------------------------------------------------------------------

APP = """My army (155 points)

Orks
War Horde
Incursion (1000 points)

CHARACTERS

Warboss (75 points)
  • Warlord
  • 1x Kombi-weapon
  • 1x Power klaw

BATTLELINE

Boyz (80 points)
  • 9x Boy
     ◦ 9x Choppa
     ◦ 9x Slugga
  • 1x Boss Nob
     ◦ 1x Big choppa
     ◦ 1x Slugga
"""
FOOT = "\nExported with App Version: v1.23.1 (1), Data Version: v503\n"
MARKED = """Orks - Ours - [155 pts]

# ++ Army Roster ++ [155 pts]
## Configuration
Battle Size: Incursion (1000 Point limit)
Detachment: War Horde

## Characters [155 pts]
Warboss [75 pts]: Warlord, Kombi-weapon, Power klaw
Boyz [80 pts]:
• 10x Boy: Choppa, Slugga
"""
DASHED = """Ours - Orks - War Horde (155 Points)

Character:
Warboss (75 pts)
  • Warlord
  • Kombi-weapon
  • Power klaw

Battleline:
Boyz (80 pts)
  • 10x Boy
    • 10x Choppa
    • 10x Slugga
"""
PROGRAM = json.dumps({"name": "Ours", "note": "a list of a program"}, indent=1)
EVERY_KIND = [ORKS, APP, APP + FOOT, MARKED, DASHED]
SECOND = "A second list begins in line {} and is left out; give it in a file of its own."


@pytest.mark.parametrize("text", EVERY_KIND)
def test_one_list_is_read_whole(text: str) -> None:
    found = read_pasted(text, "w40k11", "a list")
    assert [unit.sheet for unit in found.army.units] == ["warboss", "boyz"]
    assert "second list" not in " ".join(found.doubts)


@pytest.mark.parametrize("second", [HOUNDS, *EVERY_KIND])
@pytest.mark.parametrize("first", EVERY_KIND)
def test_of_two_lists_the_first_is_taken_and_the_second_told(first: str, second: str) -> None:
    found = read_pasted(first + "\n\n" + second, "w40k11", "a list")
    assert [unit.sheet for unit in found.army.units] == ["warboss", "boyz"]
    assert found.doubts[0] == SECOND.format(first.count("\n") + 3)


def test_lines_are_counted_as_in_the_file() -> None:
    assert read_pasted("\n\n\n" + APP + APP, "w40k11", "a list").doubts[0] == SECOND.format(3 + APP.count("\n") + 1)


@pytest.mark.parametrize("rest", [PROGRAM, APP])
def test_the_second_list_of_a_program_is_told_too(rest: str) -> None:
    assert first_list(f"{PROGRAM}\n{rest}") == (PROGRAM, PROGRAM.count("\n") + 2)


@pytest.mark.parametrize("rest", ["", "\n", "}", "\nregards"])
def test_what_follows_it_and_is_no_list_is_none(rest: str) -> None:
    assert first_list(PROGRAM + rest) == (PROGRAM + rest, 0)


def test_a_summary_above_what_the_app_wrote_belongs_to_it() -> None:
    text = f"{FENCE}\n+ FACTION KEYWORD: Orks\n+ DETACHMENT: War Horde\n{FENCE}\n{APP}"
    assert first_list(text) == (text, 0)


def test_many_heads_and_feet_are_looked_through_quickly() -> None:
    text = "Exported with App Version\n" * 3_000 + "a - " * 900 + "(1 points)"
    began = time.process_time()
    assert first_list(text) == (text, 0)
    assert time.process_time() - began < 8, "it hangs"


# --- Samples ----------------------------------------------------------------------------------------------------------


def sample(path: str) -> Pasted:
    file = SAMPLES / path
    if not file.is_file():
        pytest.skip(f"the sample lists are not here: {file}")
    return read_pasted(file.read_text("utf-8"), "w40k11", file.name)


@pytest.mark.parametrize(
    ("path", "faction", "units"),
    [
        ("cd-daemonic-incursion/input.listforge-text.txt", "chaos-daemons", 5),
        ("chaos-knights-houndpack/input.newrecruit-json.json", "chaos-knights", 3),
        ("chaos-knights-houndpack/input.newrecruit-simple.txt", "chaos-knights", 3),
        ("chaos-knights-houndpack/input.newrecruit-wtc-compact.txt", "chaos-knights", 3),
        ("chaos-knights-houndpack/input.newrecruit-wtc-full.txt", "chaos-knights", 3),
        ("chaos-knights-houndpack/input.rosterizer.json", "chaos-knights", 3),
        ("gk-banishers/input.json", "grey-knights", 3),
        ("sm-dual-detachment/input.newrecruit-json.json", "adeptus-astartes", 2),
        ("sm-dual-detachment/input.rosterizer.json", "adeptus-astartes", 2),
    ],
)
def test_samples_of_all_formats_are_read(path: str, faction: str, units: int) -> None:
    found = sample(path)
    assert (found.army.faction, len(found.army.units)) == (faction, units)


def test_an_army_of_two_detachments_has_the_rules_of_both() -> None:
    army = sample("sm-dual-detachment/input.rosterizer.json").army
    assert (army.detachment, army.more_detachments) == ("1st-company-task-force", ("librarius-conclave",))


def test_a_loadout_that_no_option_explains_is_told_and_not_refused() -> None:
    found = sample("cd-daemonic-incursion/input.listforge-text.txt")
    assert any("It is played as it is." in line for line in found.doubts)


def test_a_detachment_makes_characters_of_those_who_need_to_be() -> None:
    found = read_pasted(HOUNDS, "w40k11", "a list")
    chief, other = found.army.units
    sheets = [sheet_in(found.pack, found.army, unit) for unit in (chief, other)]
    assert ["CHARACTER" in sheet.keywords for sheet in sheets if sheet] == [True, False]
    assert ["BATTLELINE" in sheet.keywords for sheet in sheets if sheet] == [True, True]
    assert problems(found.army, found.pack) == []
    battle = sandtable.new("w40k11", armies={"red": found.army, "blue": "necrons-1000-silver-tide"}, seed=1)
    assert battle.decisions
