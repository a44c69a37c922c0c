"""The armies of the 40kdc dataset: what is there, what is read, what is filled in, and what passes the gate."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest

from sandtable.armies import find_packs, open_pack
from sandtable.armies.characteristics import is_one_of, printed
from sandtable.armies.checks import check_faction
from sandtable.armies.format import Faction, Sheet
from sandtable.armies.kdc import factions, source
from sandtable.armies.kdc.corrections import Correction, Corrections, File, corrections, digest_of
from sandtable.armies.kdc.factions import compile_faction
from sandtable.armies.kdc.gate import REASONS, reasons
from sandtable.armies.kdc.judging import judged
from sandtable.armies.kdc.kinds import Unmapped
from sandtable.armies.kdc.mapping import mapped
from sandtable.armies.kdc.source import Json, data
from sandtable.armies.kdc.units import borne, is_core, is_fielded

COUNTS = {
    "units": 1096,
    "abilities": 3920,
    "weapons": 3365,
    "detachments": 484,
    "enhancements": 1667,
    "stratagems": 2213,
    "missions": 25,
    "mission_cards": 43,
    "terrain_layouts": 46,
    "terrain_templates": 86,
    "deployment_patterns": 7,
    "factions": 35,
}
FAILED = {
    "moment": 301, "grant": 254, "notes": 141, "disputed": 56, "aura": 56, "keyword": 42, "refund": 24,
    "fall_back": 23, "whose": 21, "empty": 17, "stratagem": 14, "armour": 3, "leadership": 5,
}  # fmt: skip


def compiled(faction: str) -> factions.Compiled:
    return compile_faction(data(), faction, corrections(faction), all_units=True)


def test_the_dataset_is_the_one_that_was_measured() -> None:
    assert version("wh40kdc") == "1.4.5"
    assert {part: len(data().raw[part]) for part in COUNTS} == COUNTS


def test_the_pack_names_every_faction_of_the_dataset() -> None:
    pack = open_pack("w40k11")
    assert pack.parts is not None
    assert list(pack.parts) == list(data().factions)


def test_every_unit_loads_with_profiles_weapons_and_a_base() -> None:
    units = 0
    for id_ in data().units:
        file, _ = compiled(id_)
        assert check_faction(file, "w40k11") == []
        units += len(file.sheets)
    assert units == COUNTS["units"]


def test_what_is_compiled_reads_as_a_document_of_a_pack() -> None:
    for id_ in ("necrons", "tau-empire", "ultramarines"):
        file, _ = compiled(id_)
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(file.faction), type=Faction) == file.faction
        for sheet in file.sheets:
            assert msgspec.msgpack.decode(msgspec.msgpack.encode(sheet), type=Sheet) == sheet


def test_a_datasheet_has_the_figures_of_the_dataset() -> None:
    sheet = open_pack("w40k11", "necrons").sheet("necron-warriors")
    assert sheet is not None
    (kind,) = sheet.models
    assert kind.stats == {"M": 5, "T": 4, "Sv": 4, "W": 1, "Ld": 7, "OC": 2}
    assert (kind.base, kind.min, kind.max, kind.equipment) == ("32mm", 10, 20, ("Close combat weapon", "Gauss flayer"))
    assert [(size.models, size.points) for size in sheet.points] == [(10, 85), (20, 190)]
    flayer = sheet.weapon("Gauss flayer")
    assert flayer is not None
    assert flayer.profiles[0].stats == {"Range": 24, "A": 1, "BS": 4, "S": 4, "AP": 0, "D": 1}
    assert flayer.profiles[0].abilities == ("lethal hits", "rapid fire 1")


def test_ids_are_keys_together_with_their_faction_only() -> None:
    rhinos = [open_pack("w40k11", faction).sheet("chaos-rhino") for faction in ("death-guard", "world-eaters")]
    assert [sheet.faction_keywords for sheet in rhinos if sheet] == [("DEATH GUARD",), ("WORLD EATERS",)]


def test_the_third_ark_costs_more() -> None:
    sheet = open_pack("w40k11", "necrons").sheet("doomsday-ark")
    assert sheet is not None
    assert [(size.copy, size.points) for size in sheet.points] == [(1, 210), (3, 230)]


def test_a_chapter_has_its_own_and_all_that_belong_to_nobody() -> None:
    ultramarines = {sheet.id for sheet in open_pack("w40k11", "ultramarines").sheets()}
    assert {"intercessor-squad", "roboute-guilliman"} <= ultramarines
    assert not {"mephiston", "ragnar-blackmane", "azrael"} & ultramarines


def test_core_abilities_come_by_name_and_number() -> None:
    pack = open_pack("w40k11", "necrons")
    ark, deathmarks, overlord = (pack.sheet(id_) for id_ in ("doomsday-ark", "deathmarks", "overlord"))
    assert ark and deathmarks and overlord
    assert (ark.core, deathmarks.core, overlord.core) == (("deadly demise d3",), ("deep strike",), ("leader",))


def test_wargear_without_an_entry_is_left_to_the_players() -> None:
    for sheet in open_pack("w40k11", "necrons").sheets():
        for ability in sheet.abilities:
            assert ability.effects or not ability.enforced
            assert ability.text


def test_a_faction_is_compiled_once_and_read_from_what_was_kept_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    factions.faction_file.cache_clear()
    first = factions.faction_file("necrons")
    monkeypatch.setattr(factions, "compile_faction", None)
    factions.faction_file.cache_clear()
    assert factions.faction_file("necrons") == first
    assert (len(first.file.sheets), len(list(tmp_path.rglob("kdc/*")))) == (52, 1)


def test_a_damaged_kept_faction_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    factions.faction_file.cache_clear()
    first = factions.faction_file("necrons")
    (kept,) = tmp_path.rglob("kdc/*")
    kept.write_bytes(kept.read_bytes()[:-40] + b"x" * 40)
    factions.faction_file.cache_clear()
    assert factions.faction_file("necrons") == first


def test_without_the_package_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "PACKAGE", "wh40kdc_is_not_here")
    source.folder.cache_clear()
    try:
        with pytest.raises(source.UserError, match="pip install"):
            source.folder()
    finally:
        source.folder.cache_clear()


# --- The gate ---------------------------------------------------------------------------------------------------------


def test_the_gate_finds_what_was_measured() -> None:
    found = dict.fromkeys(REASONS, 0)
    for units in data().units.values():
        for unit in units:
            for ability in borne(data(), unit):
                for reason in reasons(ability) if not is_core(ability) else ():
                    found[reason.check] += 1
    assert found == FAILED


def entry(effect: Json, **more: object) -> Json:
    return {
        "ability_id": "x",
        "name": "X",
        "ability_type": "unit",
        "effect": effect,
        "scope": {"duration": "permanent", "range": "unit"},
        **more,
    }


PLUS_ONE = {"type": "roll-modifier", "target": "unit", "modifier": {"roll": "hit", "operation": "add", "value": 1}}
MORTALS = {"type": "mortal-wounds", "target": "enemy-within-aura", "modifier": {"count": "d3"}}


@pytest.mark.parametrize(
    ("check", "ability"),
    [
        ("moment", entry({"type": "cp-gain", "target": "self", "modifier": {"amount": 1}})),
        ("grant", entry({"type": "ability-grant", "target": "unit", "modifier": {"ability_id": "something-special"}})),
        ("notes", entry(PLUS_ONE, community_notes="[APPROX] the rest")),
        ("disputed", entry(PLUS_ONE, disputed=True)),
        ("aura", entry({**PLUS_ONE, "target": "friendly-within-aura"})),
        ("keyword", entry({"type": "conditional", "effect": PLUS_ONE,
                           "condition": {"type": "target-has-keyword", "parameters": {"keyword": "A"}}})),
        ("refund", entry({"type": "cp-refund", "target": "self", "modifier": {"amount": 1}},
                         scope={"duration": "one-use", "range": "unit"})),
        ("fall_back", entry({"type": "fallback-and-act", "target": "unit", "modifier": {}})),
        ("whose", entry({"type": "roll-modifier", "target": "unit",
                         "modifier": {"roll": "hit", "operation": "subtract", "value": 1}})),
        ("empty", entry({"type": "stat-modifier", "target": "unit", "modifier": {}})),
        ("stratagem", entry({"type": "cp-refund", "target": "self",
                             "modifier": {"stratagem": "fire-overwatch-or-heroic"}})),
        ("leadership", entry({"type": "leadership-modifier", "target": "unit",
                              "modifier": {"operation": "add", "value": 1}})),
        ("armour", entry({"type": "stat-modifier", "target": "unit",
                          "modifier": {"stat": "AP", "operation": "add", "value": 1}})),
    ],
)  # fmt: skip
def test_the_gate_stops_each_kind_of_loss(check: str, ability: Json) -> None:
    assert [reason.check for reason in reasons(ability)] == [check]
    verdict = judged(ability, "X", Corrections(File()), None)
    assert (verdict.effects, verdict.unreviewed) == ((), ())
    assert REASONS[check] in verdict.text


def test_what_passes_is_compiled_and_not_reviewed() -> None:
    verdict = judged(entry(PLUS_ONE), "X", Corrections(File()), None)
    assert (verdict.enforced, len(verdict.unreviewed)) == (False, 1)


def test_an_entry_is_compiled_whole_or_not_at_all() -> None:
    (effect,) = mapped(entry(PLUS_ONE))
    assert msgspec.to_builtins(effect)["kind"] == "modify"
    with pytest.raises(Unmapped):
        mapped(entry({"type": "sequence", "steps": [PLUS_ONE, {"type": "unit-division", "target": "unit"}]}))


def test_conditions_around_an_effect_and_in_it_must_all_hold() -> None:
    near = {"type": "within-range-of-objective", "parameters": {"subject": "target"}}
    change = {"roll": "hit", "operation": "add", "value": 1, "attack_type": "ranged"}
    effect = {"type": "conditional", "condition": near, "effect": {**PLUS_ONE, "modifier": change}}
    (found,) = mapped(entry(effect))
    assert found.when == ("target_near_objective", "ranged")


# --- Corrections ------------------------------------------------------------------------------------------------------


def test_a_correction_replaces_an_entry_until_its_source_changes() -> None:
    ability = entry(PLUS_ONE, source_digest="0123456789abcdef")
    ours = Corrections(File({"x": Correction("Ours.", mapped(entry(PLUS_ONE)), digest=digest_of(ability))}))
    assert judged(ability, "X", ours, None).enforced
    newer = {**ability, "source_digest": "fedcba9876543210"}
    assert not judged(newer, "X", ours, None).enforced
    assert ours.stale == {"x": "fedcba987654"}


def test_no_correction_of_ours_is_stale_or_for_nobody() -> None:
    for id_ in data().factions:
        ours = corrections(id_)
        compile_faction(data(), id_, ours, all_units=True)
        assert ours.stale == {}
        known = data().abilities.get(id_, {}) | data().common_abilities
        assert [key for key in ours.file.abilities if key.split("/")[-1] not in known] == []
        units = {unit["id"]: {one["ability_id"] for one in borne(data(), unit)} for unit in data().units.get(id_, ())}
        assert [unit for unit, ids in ours.file.not_printed.items() if not units[unit].issuperset(ids)] == []
        fielded = {
            one["ability_id"] for unit in data().units.get(id_, ()) if is_fielded(unit) for one in borne(data(), unit)
        }
        of_units = [key for key in ours.file.abilities if known[key.split("/")[-1]]["ability_type"] == "unit"]
        assert [key for key in of_units if key.split("/")[-1] not in fielded] == []
        assert [unit for unit in (*ours.file.missing, *ours.brackets) if unit not in units] == []


def test_every_word_of_the_dataset_is_known_by_name() -> None:
    table, known = printed("w40k11"), data()
    sheets = [s for id_ in known.units for s in open_pack("w40k11", id_).sheets()]
    words = {a for s in sheets for w in s.weapons for p in w.profiles for a in p.abilities}
    assert sorted(word for word in words if not is_one_of(word, table.weapon_abilities)) == []
    assert sorted({word for s in sheets for word in s.core if not is_one_of(word, table.core)}) == []


def test_the_page_about_the_armies_is_up_to_date() -> None:
    docs = Path(__file__).parents[2] / "docs"
    sys.path.insert(0, str(docs))
    try:
        page = import_module("build_armies11").armies_page()
    finally:
        sys.path.remove(str(docs))
    assert page == (docs / "armies11.md").read_text("utf-8"), "run docs/build_armies11.py"


def test_lists_of_the_pack_are_found() -> None:
    assert find_packs()["w40k11"].is_dir()
