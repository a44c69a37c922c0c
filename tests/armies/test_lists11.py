"""The ready lists of 11th edition: legal, named apart, and how much of them is enforced."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandtable
from sandtable import systems
from sandtable.armies import find_packs, open_pack, read_list
from sandtable.armies.effects import Characteristic, WeaponAbility
from sandtable.armies.enforcement import with_unreviewed
from sandtable.armies.kdc.corrections import corrections
from sandtable.armies.kdc.source import data
from sandtable.armies.lists import list_points, unexplained
from sandtable.armies.reports import Numbers, report_list
from sandtable.forty.effects.enforced import Enforced, why_unread
from sandtable.players import ComputerPlayer
from sandtable.systems.w40k11 import words
from sandtable.systems.w40k11.muster import problems

NOT_YET = {f"the word {word.replace('_', ' ')}" for word in words.NOT_YET}
LISTS = sorted(find_packs()["w40k11"].glob("lists/*.yaml"))
READ = ("necrons", "orks", "tyranids", "death-guard")
"""Factions whose abilities were read against print."""
SORTS = ("all", "ranged", "melee")


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_a_ready_list_is_legal_and_close_to_its_limit(path: Path) -> None:
    army = read_list(path)
    pack = open_pack(army.pack, army.faction)
    assert problems(army, pack) == []
    assert unexplained(pack, army) == []
    assert army.limit * 0.92 <= list_points(pack, army) <= army.limit


def test_every_faction_has_its_lists() -> None:
    sizes: dict[str, list[int]] = {}
    for army in map(read_list, LISTS):
        sizes.setdefault(army.faction, []).append(army.limit)
    assert sizes == {id_: [1000, 1000, 2000, 2000] if id_ in READ else [2000] for id_ in sorted(data().factions)}


def test_no_two_packs_call_a_list_the_same() -> None:
    names = [path.stem for folder in find_packs().values() for path in folder.glob("lists/*.yaml")]
    assert len(names) == len(set(names))


def enforced(faction: str) -> tuple[int, Numbers]:
    """Core abilities, and the three numbers, over the ready lists of 2,000 points of a faction."""
    record = systems.get("w40k11").seam(Enforced)
    numbers = []
    for army in map(read_list, LISTS):
        if army.faction == faction and army.limit == 2000:
            pack = open_pack(army.pack, army.faction)
            numbers.append(report_list(pack, army, lambda effect: why_unread(record, effect)))
    units = Numbers(*(sum(parts) for parts in zip(*(one.units for one in numbers), strict=True)))
    return sum(one.core for one in numbers), units


@pytest.mark.parametrize(
    ("faction", "least", "with_core"),
    [
        ("necrons", 0.80, 0.85),
        ("tyranids", 0.78, 0.85),
        ("death-guard", 0.90, 0.95),
        ("world-eaters", 0.90, 0.95),
        ("thousand-sons", 0.80, 0.85),
        ("orks", 0.80, 0.85),
    ],
)
def test_so_much_of_the_ready_lists_is_enforced_whole_and_reviewed(
    faction: str, least: float, with_core: float
) -> None:
    core, found = enforced(faction)
    assert found.share >= least
    assert (found.reviewed + core) / (found.total + core) >= with_core


@pytest.mark.parametrize("faction", (*READ, "world-eaters"))
def test_every_effect_of_a_correction_is_read_by_the_edition_or_told_to_be_missing(faction: str) -> None:
    record, file = systems.get("w40k11").seam(Enforced), corrections(faction).file
    found = [*file.abilities.items(), *file.named.items(), *(pair for m in file.missing.values() for pair in m.items())]
    unread = {key: why for key, one in found for effect in one.effects if (why := why_unread(record, effect))}
    assert {key: why for key, why in unread.items() if why not in NOT_YET} == {}


@pytest.mark.parametrize("faction", (*READ, "world-eaters"))
def test_weapons_that_abilities_name_are_on_their_datasheets(faction: str) -> None:
    sheets = open_pack("w40k11", faction).sheets()
    named = [(s, e.weapons) for s in sheets for a in s.abilities for e in a.effects if isinstance(e, Characteristic)]
    named += [(s, e.weapons) for s in sheets for a in s.abilities for e in a.effects if isinstance(e, WeaponAbility)]
    lost = [(s.id, name) for s, name in named if name and name not in {*SORTS, *(w.name for w in s.weapons)}]
    assert lost == []


def test_abilities_that_nobody_reviewed_are_played_only_where_that_is_wished() -> None:
    pack = open_pack("w40k11", "adepta-sororitas")
    abilities = [ability for sheet in pack.sheets() for ability in sheet.abilities]
    waiting = [ability.name for ability in abilities if ability.unreviewed]
    assert waiting
    assert not any(ability.effects for ability in abilities if ability.unreviewed)
    trusted = [ability for sheet in with_unreviewed(pack).sheets() for ability in sheet.abilities]
    assert [a.name for a in trusted if a.effects and a.enforced and a.name in waiting] == waiting
    armies = {"red": "adepta-sororitas-2000-strike-force", "blue": "necrons-2000-phalanx"}
    effects = []
    for value in ("reviewed", "unreviewed"):
        battle = sandtable.new("w40k11", armies=armies, seed=1, options={"abilities": value})
        effects.append(sum(len(a.effects) for a in battle.setup.data.abilities if a.player == 0))
    assert effects[0] < effects[1]


def test_a_battle_of_two_armies_of_the_dataset_is_played_to_its_end() -> None:
    armies = {"red": "necrons-1000-silver-tide", "blue": "death-guard-1000-plague-company"}
    battle = sandtable.new("w40k11", armies=armies, seed=5)
    player = ComputerPlayer("tactician")
    while battle.decisions:
        decision = battle.decisions[0]
        battle.answer(decision, player.choose(battle.view(decision.player), decision))
    assert battle.result is not None


@pytest.mark.parametrize(
    ("faction", "key"),
    [
        ("tyranids", "aerial-seeding"),
        ("tyranids", "subterranean-tunnels"),
        ("necrons", "plasmacyte"),
        ("death-guard", "malicious-calculations"),
    ],
)
def test_what_is_played_in_part_says_so_and_is_not_counted_as_enforced(faction: str, key: str) -> None:
    correction = corrections(faction).file.abilities[key]
    assert correction.effects
    assert correction.verdict.left_out


def test_grot_riggers_mend_before_battle_shock_tests() -> None:
    (heal,) = corrections("orks").file.abilities["grot-riggers"].effects
    assert heal.at == "command_start"


@pytest.mark.parametrize(("sheet", "item"), [("painboy", "Grot Orderly"), ("big-mek-in-mega-armour", "Grot Oiler")])
def test_a_grot_is_wargear_that_one_model_may_take(sheet: str, item: str) -> None:
    found = open_pack("w40k11", "orks").sheet(sheet)
    assert [ability.item for ability in found.abilities if ability.name == item] == [item]
    assert [option.count for option in found.options if option.by[0].items == (item,)] == [1]
