"""Characters in the Shooting phase: only the nearest visible enemy unit is picked out of the crowd."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.known_sheets import SHEETS
from sandtable.systems.w40k8.state import Battle8
from w40k8.table import (
    Doc,
    asked,
    bare,
    blade,
    column,
    give,
    gun,
    kinds,
    named,
    rolls,
    sheet,
    situation,
    strikers,
    unit,
    wounds,
)

rule = pytest.mark.rule
HERO: Doc = bare(name="Hero", wounds=5, keywords=["INFANTRY", "CHARACTER"])
CROWD: Doc = bare(name="Guard", wounds=3)
WALL = FeatureDoc("wall", "wall", "The wall", (6.0, 13.0, 8.0, 0.2), height=8, solid=True)
RIFLE = gun(range_=24)


def hero(gap: float = 14, doc: Doc | None = None, name: str = "Hero", **more: Any) -> UnitDoc:
    """A blue Character so far to the right of Reds."""
    return unit(name, "blue", doc or HERO, [(11 + gap, 8)], **more)


def guard(gap: float = 9, name: str = "Guard") -> UnitDoc:
    """A blue unit so far behind Reds, where it hides nobody else."""
    return unit(name, "blue", CROWD, [(10, 9 + gap)])


def shooting(*units: UnitDoc, reds: int = 1, weapon: Doc | None = None, **settings: Any) -> Battle8:
    """Reds at x = 10 are about to shoot at these."""
    red = unit("Reds", "red", sheet(weapon or RIFLE, name="Red"), column(reds, 10, step=4))
    return situation([red, *units], **{"step": "shoot_units", **settings})


def targets(b: Battle8) -> dict[str, int]:
    """Whom the weapons of Reds may be fired at, and how many of them at each."""
    give(b, "shoot_with", "Reds")
    rows: Any = asked(b, "shoot")
    found: dict[str, int] = {}
    for row in rows.rows:
        for target in row.targets:
            found[b.unit(target).name] = found.get(b.unit(target).name, 0) + row.count
    return found


@rule("w40k8.shoot.character", check=1)
def test_a_character_behind_another_visible_unit_is_no_target() -> None:
    alone = targets(shooting(hero(), guard(14.01)))
    assert (alone, targets(shooting(hero(), guard(13.9)))) == ({"Hero": 1, "Guard": 1}, {"Guard": 1})


@rule("w40k8.shoot.character", check=2)
def test_the_nearest_unit_is_found_for_each_shooting_model() -> None:
    beside = unit("Guard", "blue", CROWD, [(25.5, 26)])
    b = shooting(hero(), beside, reds=2, weapon=gun(range_=48))
    first, second = targets(b), targets(shooting(hero(), beside, reds=5, weapon=gun(range_=48)))
    assert (first, second) == ({"Hero": 2, "Guard": 2}, {"Hero": 3, "Guard": 5})


@rule("w40k8.shoot.character", check=3)
def test_units_that_the_shooter_does_not_see_protect_nobody() -> None:
    found = [targets(shooting(hero(), guard(), terrain=terrain)) for terrain in ([], [WALL])]
    assert found == [{"Guard": 1}, {"Hero": 1}]


@rule("w40k8.shoot.character", check=4)
def test_a_nearer_unit_protects_even_if_it_cannot_be_shot_itself() -> None:
    friend = unit("Friend", "red", bare(name="Friend"), [(11.4, 18)])
    more = unit("More", "blue", CROWD, [(25, 20)])
    with_friends_at_hand = targets(shooting(hero(), guard(), more, friend))
    # Of this unit the near model is hidden, and the one that is seen is too far away.
    spread = unit("Guard", "blue", CROWD, [(10, 18), (30, 18)])
    out_of_range = targets(shooting(hero(), spread, more, terrain=[WALL], weapon=gun(range_=20)))
    assert (with_friends_at_hand, out_of_range) == ({"More": 1}, {"More": 1})


@rule("w40k8.shoot.character", check=5)
def test_of_two_characters_only_the_nearer_is_a_target() -> None:
    champion = unit("Champion", "blue", HERO, [(10, 21)])
    far = unit("Guard", "blue", CROWD, [(30, 20)])
    assert targets(shooting(hero(), champion, far)) == {"Champion": 1, "Guard": 1}


@rule("w40k8.shoot.character", check=6)
def test_overwatch_is_not_bound_by_it() -> None:
    reds = unit("Reds", "red", sheet(blade(), name="Red", wounds=5, keywords=["CHARACTER"]), [(10, 8)])
    more = unit("Screen", "red", bare(name="Screen"), [(17, 13)])
    blues = unit("Blues", "blue", sheet(gun(), name="Blue"), [(17, 8)])
    units = [reds, more, blues]
    b = situation(units, step="charge_phase", dice={"charge": [1, 1], "hit": [6], "wound": [1]})
    give(b, "charge_with", "Reds")
    give(b, "overwatch", True)
    give(b, "shoot", [{"weapon": "gun", "target": "Reds"}])
    fired = [kind for kind, _ in rolls(b)]
    theirs = situation(units, step="shoot_units", active="blue")
    rows: Any = asked(theirs, "shoot_with")
    assert (fired, [o.label for o in rows.options]) == (["hit", "wound", "charge"], ["Blues"])
    give(theirs, "shoot_with", "Blues")
    assert [r.targets for r in asked(theirs, "shoot").rows] == [(named(theirs, "Screen").id,)]  # type: ignore[attr-defined]


@rule("w40k8.shoot.character", check=7)
def test_smite_goes_to_the_nearest_and_blows_to_whom_they_reach() -> None:
    witch = unit("Witch", "red", sheet(RIFLE, name="Witch", keywords=["PSYKER"], psyker={}), [(10, 8)])
    b = situation([witch, hero(3), guard(5)], step="manifest_powers", dice={"psychic test": [3, 3], "smite": [1]})
    give(b, "manifest", "Witch: Smite")
    units = [
        unit("Reds", "red", sheet(blade(), name="Red"), [(10, 8)]),
        unit("Hero", "blue", HERO, [(11.4, 8)], fought=True),
        unit("Guard", "blue", CROWD, [(10, 9)], fought=True),
    ]
    fight: Any = situation(units, step="fight_units")
    strikers(fight)
    struck = [fight.unit(t.value).name for t in asked(fight, "strike").targets]  # type: ignore[attr-defined]
    shot = targets(shooting(hero(), guard()))
    assert (wounds(b, "Hero"), struck, shot) == ([4], ["Hero", "Guard"], {"Guard": 1})


@rule("w40k8.shoot.character", check=1)
def test_a_unit_with_others_beside_a_character_is_not_picked_out() -> None:
    both = unit("Hero", "blue", CROWD, [(25, 8), (26.5, 8)], loadout=[{"models": [1], "sheet": HERO}])
    assert targets(shooting(both, guard())) == {"Hero": 1, "Guard": 1}


@rule("w40k8.gap.closest_tie", check=2)
def test_a_character_as_near_as_another_unit_is_a_target() -> None:
    beside = unit("Guard", "blue", CROWD, [(10, 23)])
    found = [targets(shooting(hero(gap), beside)) for gap in (14, 14.01)]
    assert found == [{"Hero": 1, "Guard": 1}, {"Guard": 1}]


@rule("w40k8.shoot.character_large", check=1)
@rule("w40k8.shoot.character_large", check=2)
def test_a_character_with_ten_wounds_is_shot_like_anybody() -> None:
    found = [targets(shooting(hero(doc={**HERO, "wounds": w}), guard())) for w in (9, 10)]
    assert found == [{"Guard": 1}, {"Hero": 1, "Guard": 1}]


@rule("w40k8.shoot.character_large", check=3)
def test_the_characteristic_counts_and_not_the_wounds_that_are_left() -> None:
    hurt = [hero(doc={**HERO, "wounds": w}, wounds={1: 2}) for w in (9, 10)]
    assert [targets(shooting(one, guard())) for one in hurt] == [{"Guard": 1}, {"Hero": 1, "Guard": 1}]


@rule("w40k8.lord.profile", check=4)
def test_the_lord_of_contagion_is_protected() -> None:
    lord = unit("Lord", "blue", SHEETS.lord, [(25, 8)])
    b = shooting(lord, guard())
    assert (targets(b), kinds(b)) == ({"Guard": 1}, ["shoot"])
