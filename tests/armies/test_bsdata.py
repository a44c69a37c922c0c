"""Our figures against those that a community keeps, where its files are at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from armies.bsdata import FILES, FOLDER, Catalogue, Figures, plain
from sandtable.armies import Sheet, open_pack

NOT_THERE = {"captain-sicarius"}
"""Datasheets of catalogues that we do not have."""

DELIBERATE = (
    # Its weapon ability is none of the core rules; with us it is an ability of the datasheet, openly not enforced.
    "deff-dread: dread klaw",
    # An optional model that we do not offer, an enhancement of another detachment, two names of one rule.
    "outrider-squad: abilities ['outrider escort']",
    "ctan-shard-of-the-void-dragon: abilities ['animus damper']",
    "the-swarmlord: abilities ['malign presence']",
    # They price a single model.
    "carnifexes: 2 models cost 180",
)

ELSEWHERE = ("leader", "damaged:", "transport", "attached unit", "precise")
"""What they write as abilities: it has a place of its own with us, or belongs to campaigns."""

COPIED = 8
"""So many words in the same order are no accident."""

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"the BSData catalogues are not at {FOLDER}; figures cannot be compared"
)


@cache
def catalogue(faction: str) -> Catalogue:
    return Catalogue(faction)


def differences(sheet: Sheet, theirs: Figures) -> Iterator[str]:
    """What is not the same, a line each."""
    all_models = [stats for found in theirs.models.values() for stats in found]
    for kind in sheet.models:
        named = theirs.models.get(plain(kind.name), all_models)
        if kind.stats not in named:
            yield f"{sheet.id}: {kind.name} is {kind.stats}, theirs {named}"
        if kind.invulnerable is not None and kind.invulnerable not in theirs.invulnerable:
            yield f"{sheet.id}: {kind.name} is invulnerable on {kind.invulnerable}, theirs {theirs.invulnerable}"
    if theirs.invulnerable and not any(k.invulnerable for k in sheet.models):
        yield f"{sheet.id}: there is an invulnerable save {theirs.invulnerable}"
    for weapon in sheet.weapons:
        for profile in weapon.profiles:
            suffix = "" if profile.name in (None, "melee", "ranged") else f" - {profile.name}"
            found = theirs.weapons.get(plain(weapon.name + suffix), [])
            ours = (profile.stats, tuple(sorted(profile.abilities)))
            if ours not in found:
                yield f"{sheet.id}: {weapon.name}{suffix} is {ours}, theirs {found}"
    for price in sheet.points:
        if price.points not in theirs.points:
            yield f"{sheet.id}: {price.models} models cost {price.points}, theirs {sorted(theirs.points)}"
    own = {*sheet.keywords, *(f"FACTION: {k}" for k in sheet.faction_keywords)}
    if missing := theirs.keywords - own - {sheet.name.upper()}:
        yield f"{sheet.id}: keywords {sorted(missing)} are missing"
    if extra := {*sheet.keywords} - theirs.keywords - {sheet.name.upper()}:
        yield f"{sheet.id}: keywords {sorted(extra)} are ours alone"
    ours = {plain(ability.name) for ability in sheet.abilities}
    if unknown := {name for name in theirs.abilities if not name.startswith(ELSEWHERE)} - ours:
        yield f"{sheet.id}: abilities {sorted(unknown)} are missing"
    if {*sheet.core} != theirs.core:
        yield f"{sheet.id}: core abilities are {sorted(sheet.core)}, theirs {sorted(theirs.core)}"


@pytest.mark.parametrize("faction", FILES)
def test_figures_are_those_of_the_community_data(faction: str) -> None:
    found = []
    for sheet in open_pack("w40k10").sheets(faction):
        if sheet.id in NOT_THERE:
            continue
        theirs = catalogue(faction).unit(sheet.name)
        if theirs is None:
            found.append(f"{sheet.id}: they have no '{sheet.name}'")
        else:
            found += differences(sheet, theirs)
    unexpected = [line for line in found if not line.startswith(DELIBERATE)]
    assert not unexpected, "\n".join(unexpected)


@pytest.mark.parametrize("faction", FILES)
def test_no_text_is_copied(faction: str) -> None:
    copied = []
    for sheet in open_pack("w40k10").sheets(faction):
        theirs = catalogue(faction).unit(sheet.name)
        runs = {run for text in (theirs.abilities if theirs else {}).values() for run in runs_of(text)}
        copied += [(sheet.id, a.name, run) for a in sheet.abilities for run in runs_of(a.text) if run in runs]
    assert not copied


def runs_of(text: str) -> Iterator[tuple[str, ...]]:
    """All runs of so many words in a text."""
    words = re.findall(r"[a-z0-9']+", plain(text))
    return (tuple(words[i : i + COPIED]) for i in range(len(words) - COPIED + 1))


def test_a_wrong_figure_would_be_found() -> None:
    sheet = open_pack("w40k10").sheet("intercessor-squad")
    theirs = catalogue("space-marines").unit("Intercessor Squad")
    assert sheet is not None and theirs is not None
    theirs.models["intercessor sergeant"][0]["T"] = 5
    assert any("Sergeant" in line for line in differences(sheet, theirs))
