"""The built-in pack of 8th edition: complete, open about what it leaves out, and with lists that can be played."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from sandtable.armies import Pack, Sheet, check_list, find_packs, not_enforced, open_pack, read_list, share
from sandtable.armies.lists import list_power, unit_power
from sandtable.battle.tables import TableDoc, build_table
from sandtable.forty.effects.enforced import Enforced, why_unread
from sandtable.forty.enlist import Army
from sandtable.systems.w40k8.enlist import assemble
from sandtable.systems.w40k8.system import SYSTEM

FACTIONS = ("death-guard", "space-marines", "orks", "necrons", "tyranids")
SIZES = (40, 60, 100)
SLACK = 3


@cache
def pack() -> Pack:
    return open_pack("w40k8")


def test_a_checkout_finds_its_pack_without_an_installation() -> None:
    assert (find_packs()["w40k8"] / "pack.yaml").is_file()


def test_every_faction_has_a_dozen_datasheets() -> None:
    assert tuple(f.id for f in pack().factions) == FACTIONS
    assert [id_ for id_ in FACTIONS if len(pack().sheets(id_)) < 12] == []


@pytest.mark.parametrize("faction", FACTIONS)
def test_a_faction_has_every_kind_of_unit(faction: str) -> None:
    sheets = pack().sheets(faction)
    keywords = [set(sheet.keywords) for sheet in sheets]
    for wanted in ("CHARACTER", "INFANTRY", "FLY"):
        assert any(wanted in has for has in keywords), wanted
    assert any(has & {"VEHICLE", "MONSTER"} for has in keywords)
    assert any(kind.chart for sheet in sheets for kind in sheet.models)
    assert {"hq", "troops", "elites", "fast attack", "heavy support"} <= {sheet.role for sheet in sheets}


def test_psykers_flyers_and_transports_are_where_the_armies_have_them() -> None:
    def having(what: Callable[[Sheet], object]) -> set[str]:
        return {id_ for id_ in FACTIONS if any(map(what, pack().sheets(id_)))}

    assert having(lambda sheet: sheet.psyker) == {*FACTIONS} - {"necrons"}
    assert having(lambda sheet: "-" in str(sheet.models[0].stats["M"])) == {"space-marines", "orks", "necrons"}
    assert having(lambda sheet: sheet.transport) == {*FACTIONS} - {"tyranids"}


def test_keywords_agree_with_the_rest_of_the_sheet() -> None:
    for sheet in pack().sheets():
        assert ("TRANSPORT" in sheet.keywords) == (sheet.transport is not None), sheet.id
        assert (sheet.role == "hq") <= ("CHARACTER" in sheet.keywords), sheet.id
        assert ("-" in str(sheet.models[0].stats["M"])) <= (sheet.role == "flyer"), sheet.id


def test_all_rows_of_a_chart_name_the_same_characteristics() -> None:
    """Only one row is in force at a time, so that what it does not name is whole again."""
    for sheet in pack().sheets():
        for kind in sheet.models:
            assert len({tuple(row.stats) for row in kind.chart}) <= 1, sheet.id
            assert len(kind.chart) in (0, 2), sheet.id


def test_what_is_left_to_the_players_is_told() -> None:
    told = share(pack())
    assert told.whole + told.in_part > 0
    assert len(not_enforced(pack())) == told.in_part + told.none


PLAYED = 0.85
"""So much of what units of the ready lists can do is enforced, at least."""


def test_most_of_what_the_ready_lists_can_do_is_enforced() -> None:
    enforced = SYSTEM.seam(Enforced)
    total = whole = 0
    for path in lists():
        army = Army(read_list(path), pack())
        setup, state = assemble({"red": army, "blue": army}, build_table(TableDoc((48, 48)), "in"), {})
        for unit in (u for u in state.units if u.player == 0):
            own = {a.name: a for a in setup.data.abilities if not set(a.models).isdisjoint(unit.models)}
            core = {name for m in unit.models for name in setup.data.sheets[setup.data.kits[m].sheet].abilities}
            played = [a for a in own.values() if a.effects and not a.left_out]
            total += len(own) + len(core)
            whole += sum(not any(why_unread(enforced, e) for e in a.effects) for a in played)
            whole += sum(name.startswith(enforced.core or ()) for name in core)
    assert whole / total >= PLAYED


def lists() -> list[Path]:
    return list(pack().lists)


@pytest.mark.parametrize("path", lists(), ids=lambda path: path.stem)
def test_a_ready_list_is_in_order(path: Path) -> None:
    army = read_list(path)
    assert check_list(pack(), army) == []
    assert army.limit - SLACK <= list_power(pack(), army) <= army.limit
    assert all(unit_power(pack(), unit) for unit in army.units)
    assert sum(unit.warlord for unit in army.units) == 1
    assert path.stem.startswith(f"{army.faction}-{army.limit}-")


def test_every_faction_has_a_list_of_each_size() -> None:
    found = {(army.faction, army.limit) for army in map(read_list, lists())}
    assert found == {(faction, size) for faction in FACTIONS for size in SIZES}
