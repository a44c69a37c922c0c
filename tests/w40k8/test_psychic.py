"""The Psychic phase: who manifests what, Perils of the Warp, Deny the Witch, and Smite."""

from __future__ import annotations

import math
from typing import Any

import pytest

from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.state import Battle8
from support.acting import offered, until
from w40k8.table import (
    Doc,
    Spots,
    alive,
    asked,
    bare,
    column,
    give,
    kinds,
    rolls,
    sheet,
    situation,
    squad,
    told,
    under,
    unit,
    wounds,
)
from w40k8.test_before_the_battle import SPOTS, marked, prepare

rule = pytest.mark.rule
GAZE: Doc = {"name": "gaze", "charge": 7, "range": 12, "wounds": "2"}
WALL = FeatureDoc("wall", "wall", "The wall", (14.0, 1.0, 0.2, 28.0), height=8, solid=True)
PSYKER: Doc = {"casts": 1, "denies": 1}


def witch(name: str = "Witch", *, keywords: tuple[str, ...] = ("PSYKER",), **psyker: Any) -> Doc:
    """A psyker with five wounds, who tries one power and denies one."""
    return sheet(name=name, wounds=5, keywords=["INFANTRY", *keywords], psyker={**PSYKER, **psyker})


def red(name: str = "Witch", at: Spots | None = None, doc: Doc | None = None, **flags: Any) -> UnitDoc:
    """A red psyker, by default at (10, 10); nobody of this army charges."""
    return unit(name, "red", doc or witch(name), at or [(10, 10)], **{"declared": True, **flags})


def blue(gap: float = 8, name: str = "Blues", doc: Doc | None = None, *, y: float = 10, count: int = 1) -> UnitDoc:
    """A blue unit so far to the right of the Witch."""
    return unit(name, "blue", doc or bare(wounds=9), column(count, 11 + gap, y))


def warden(gap: float = 8, name: str = "Warden", *, y: float = 14, **psyker: Any) -> UnitDoc:
    """A blue psyker."""
    return blue(gap, name, witch(name, **psyker), y=y)


def phase(*units: UnitDoc, tests: list[int] | None = None, **more: Any) -> Battle8:
    """These units in red's Psychic phase, with dice for tests, denials, Perils and powers."""
    queues = {name: more.pop(name, []) for name in ("deny", "perils", "smite", "gaze")}
    queues["deny the witch"] = queues.pop("deny")
    return situation(list(units), step="manifest_powers", dice={"psychic test": tests or [], **queues}, **more)


def cast(b: Battle8, what: str = "Witch: Smite", deny: str | None = "nobody asks") -> Battle8:
    """A psyker tries a power; `deny` says who of the enemy denies it, where that is asked."""
    give(b, "manifest", what)
    if deny != "nobody asks":
        give(b, "deny_with", deny)
    return b


def smite(*tests: int, **more: Any) -> Battle8:
    """The Witch tries Smite at Blues 8" away."""
    return cast(phase(red(), blue(), tests=list(tests), **{"smite": [1], **more}))


def suffered(b: Battle8, who: str = "Blues") -> int:
    """The wounds that a unit of models with nine has lost."""
    return 9 * len(squad(b, who).models) - sum(wounds(b, who))


# --- The sequence -----------------------------------------------------------------------------------------------------


@rule("w40k8.psychic.sequence", check=1)
def test_a_power_is_finished_before_the_next_is_tried() -> None:
    b = phase(red(), red("Other", [(10, 20)]), blue(), warden(), tests=[3, 3], smite=[1])
    cast(b)
    during = kinds(b)
    give(b, "deny_with", None)
    assert (during, suffered(b), kinds(b)) == (["deny_with"], 1, ["manifest"])


@rule("w40k8.psychic.sequence", check=2)
def test_psykers_take_turns_as_their_player_likes() -> None:
    doc = witch(casts=2, powers=["smite", "gaze"], described=[GAZE])
    b = phase(red(doc=doc), red("Other", [(10, 20)]), blue(), tests=[1, 2] * 3)
    cast(b)
    first = offered(b, "manifest")
    cast(b, "Other: Smite")
    assert (first, offered(b, "manifest")) == (["Other: Smite", "Witch: Gaze"], ["Witch: Gaze"])
    cast(b, "Witch: Gaze")
    assert (len(rolls(b)), kinds(b)) == (3, [])


@rule("w40k8.psychic.sequence", check=3)
def test_perils_come_before_anybody_denies() -> None:
    b = cast(phase(red(), blue(), warden(), tests=[6, 6], perils=[1]))
    assert (rolls(b), kinds(b)) == ([("psychic test", (6, 6)), ("perils", (1,))], ["deny_with"])


# --- Psykers ----------------------------------------------------------------------------------------------------------


@rule("w40k8.psychic.psyker", check=1)
def test_only_psykers_manifest_and_deny() -> None:
    fake = {**witch("Fake", keywords=("CHARACTER",)), "psyker": None}
    b = phase(red(), red("Fake", [(10, 20)], fake), warden(), blue(8, "Sham", fake, y=20), tests=[3, 3])
    able = offered(b, "manifest")
    cast(b)
    assert (able, offered(b, "deny_with")) == (["Witch: Smite"], ["Warden"])


@rule("w40k8.psychic.psyker", check=2)
def test_failed_attempts_count_against_what_the_datasheet_allows() -> None:
    doc = witch(casts=2, powers=["smite", "gaze", "glare"], described=[GAZE, {**GAZE, "name": "glare"}])
    b = phase(red(doc=doc), red("Other", [(10, 20)]), blue(), tests=[1, 2] * 2)
    cast(b)
    before = offered(b, "manifest")
    cast(b, "Witch: Gaze")
    assert (len(before), offered(b, "manifest")) == (3, ["Other: Smite"])


@rule("w40k8.psychic.psyker", check=3)
@rule("w40k8.psychic.deny_once", check=3)
def test_failed_denials_count_against_what_the_datasheet_allows() -> None:
    witches = [red(), red("Other", [(10, 20)]), red("Third", [(10, 24)])]
    guards = [warden(), warden(8, "Watcher", y=20, denies=2)]
    b = phase(*witches, blue(), *guards, tests=[3, 3] * 3, deny=[1, 1] * 3, smite=[1] * 3)
    cast(b, deny="Warden")
    cast(b, "Other: Smite")
    second = offered(b, "deny_with")
    give(b, "deny_with", "Watcher")
    cast(b, "Third: Smite")
    assert (second, offered(b, "deny_with")) == (["Watcher"], ["Watcher"])
    give(b, "deny_with", "Watcher")
    assert kinds(b) == []


@rule("w40k8.psychic.psyker", check=3)
def test_a_psyker_denies_again_in_the_next_turn_of_the_enemy() -> None:
    b = phase(red(), blue(), warden(casts=0), tests=[3, 3] * 2, deny=[1, 1], smite=[1], turns=3)
    cast(b, deny="Warden")
    until(b, "manifest")
    cast(b)
    assert offered(b, "deny_with") == ["Warden"]


@rule("w40k8.psychic.psyker", check=4)
def test_powers_are_manifested_in_the_own_psychic_phase_only() -> None:
    b = phase(red(), blue(), warden(y=20), tests=[1, 2] * 2, turns=2)
    first = (asked(b, "manifest").player, offered(b, "manifest"))
    cast(b)
    until(b, "manifest")
    assert (first, asked(b, "manifest").player, offered(b, "manifest")) == ((0, ["Witch: Smite"]), 1, ["Warden: Smite"])


@rule("w40k8.psychic.psyker", check=4)
def test_a_unit_of_the_other_player_is_told_why_it_manifests_nothing() -> None:
    b = phase(red(), blue(), warden())
    refused = b.why_not("manifest", squad(b, "Warden").id)
    assert [reason.rules for reason in refused.reasons] == [("w40k8.psychic.psyker",)]
    assert b.why_not("manifest", squad(b, "Witch").id).ok


@rule("w40k8.psychic.psyker", check=5)
def test_psykers_manifest_and_deny_with_an_enemy_at_hand() -> None:
    b = phase(red(), red("Fake", [(20, 20)], sheet(name="Fake")), warden(0, y=10), tests=[3, 3])
    able = offered(b, "manifest")
    cast(b)
    assert (able, offered(b, "deny_with")) == (["Witch: Smite"], ["Warden"])


@rule("w40k8.psychic.psyker", check=6)
def test_psykers_that_are_not_on_the_battlefield_neither_manifest_nor_deny() -> None:
    away = [UnitDoc(name=name, player=of, sheet=witch(name), models=1, off=True) for name, of in ROWS]
    b = phase(red(), *away, warden(), tests=[3, 3])
    able = offered(b, "manifest")
    cast(b)
    assert (able, offered(b, "deny_with")) == (["Witch: Smite"], ["Warden"])


ROWS = [("Rider", "red"), ("Passenger", "blue")]


@rule("w40k8.psychic.powers", check=1)
def test_a_psyker_of_whom_nothing_is_said_knows_smite() -> None:
    described = sheet(name="Sage", keywords=["PSYKER"], psyker={**PSYKER, "powers": ["gaze"], "described": [GAZE]})
    b = phase(red(doc=witch(powers=[])), red("Novice", [(10, 20)], NOVICE), red("Sage", [(10, 24)], described), blue())
    assert offered(b, "manifest") == ["Novice: Smite", "Sage: Gaze", "Witch: Smite"]


NOVICE = sheet(name="Novice", keywords=["PSYKER"])


@rule("w40k8.psychic.powers", check=2)
def test_a_psyker_with_another_power_instead_cannot_smite() -> None:
    assert offered(phase(red(doc=witch(powers=["gaze"], described=[GAZE])), blue()), "manifest") == ["Witch: Gaze"]


@rule("w40k8.psychic.powers", check=3)
def test_a_power_that_others_know_cannot_be_tried() -> None:
    sage = witch("Sage", powers=["smite", "gaze"], described=[GAZE])
    b = phase(red(), red("Sage", [(10, 20)], sage), blue())
    assert offered(b, "manifest") == ["Sage: Gaze", "Sage: Smite", "Witch: Smite"]


@rule("w40k8.gap.psychic_powers", check=1)
def test_a_further_power_is_data_and_tried_apart_from_smite() -> None:
    doc = witch(casts=3, powers=["smite", "gaze"], described=[GAZE])
    b = phase(red(doc=doc), blue(), tests=[3, 3, 3, 4], smite=[1])
    cast(b)
    left = offered(b, "manifest")
    cast(b, "Witch: Gaze")
    assert (left, suffered(b), kinds(b)) == (["Witch: Gaze"], 3, [])


# --- The test ---------------------------------------------------------------------------------------------------------


@rule("w40k8.psychic.test", check=1)
def test_a_sum_equal_to_the_warp_charge_manifests_the_power() -> None:
    b = cast(phase(red(doc=witch(powers=["gaze"], described=[GAZE])), blue(), tests=[3, 4]), "Witch: Gaze")
    assert (told(b)[0], suffered(b), last_read(b)) == ("manifested", 2, (7, 1))


def last_read(b: Battle8) -> tuple[int, int]:
    """What the first roll needed, and whether it made it."""
    roll: Any = next(e for e in b.events if getattr(e, "reason", "") == "psychic test")
    return roll.needed, roll.made


@rule("w40k8.psychic.test", check=2)
def test_a_sum_one_below_fails_and_uses_the_attempt_up() -> None:
    doc = witch(powers=["gaze"], described=[GAZE])
    b = cast(phase(red(doc=doc), red("Other", [(10, 20)]), blue(), tests=[2, 4]), "Witch: Gaze")
    assert (told(b), suffered(b), offered(b, "manifest")) == (["not_manifested"], 0, ["Other: Smite"])


@rule("w40k8.psychic.test", check=3)
def test_a_six_manifests_smite_and_a_three_does_not() -> None:
    assert (suffered(smite(2, 4)), suffered(smite(2, 1))) == (1, 0)


@rule("w40k8.psychic.test", check=4)
def test_what_is_added_to_the_test_counts_for_the_power_and_for_who_denies_it() -> None:
    b = phase(red(), red("Other", [(10, 20)]), blue(), warden(denies=2), tests=[1, 3] * 2, deny=[2, 3], smite=[1])
    cast(under(b, "psychic", 1, "Witch"), deny="Warden")
    assert (told(b)[:3:2], suffered(b)) == (["manifested", "power"], 1)
    cast(b, "Other: Smite")
    assert (told(b).count("manifested"), told(b).count("not_manifested"), kinds(b)) == (1, 1, [])


@rule("w40k8.psychic.once_per_turn", check=1)
def test_a_psyker_that_failed_does_not_try_the_power_again() -> None:
    doc = witch(casts=3, powers=["smite", "gaze"], described=[GAZE])
    b = cast(phase(red(doc=doc), blue(), tests=[1, 2] * 2))
    assert offered(b, "manifest") == ["Witch: Gaze"]
    cast(b, "Witch: Gaze")
    assert kinds(b) == []


@rule("w40k8.psychic.once_per_turn", check=1)
def test_a_psyker_tries_the_power_again_in_its_next_turn() -> None:
    b = cast(phase(red(), blue(), tests=[1, 2], turns=3))
    until(b, "manifest")
    assert (b.state.game.turns, offered(b, "manifest")) == (2, ["Witch: Smite"])


@rule("w40k8.psychic.once_per_turn", check=2)
def test_a_psyker_that_was_denied_does_not_try_the_power_again() -> None:
    doc = witch(casts=2, powers=["smite", "gaze"], described=[GAZE])
    b = cast(phase(red(doc=doc), blue(), warden(), tests=[3, 3], deny=[6, 6]), deny="Warden")
    assert ("denied" in told(b), offered(b, "manifest")) == (True, ["Witch: Gaze"])


@rule("w40k8.psychic.once_per_turn", check=3)
def test_another_psyker_may_try_the_same_power() -> None:
    b = phase(red(doc=witch(casts=2)), red("Other", [(10, 20)]), blue(), tests=[1, 2, 3, 3], smite=[1])
    cast(b)
    able = offered(b, "manifest")
    cast(b, "Other: Smite")
    assert (able, suffered(b), kinds(b)) == (["Other: Smite"], 1, [])


# --- Perils of the Warp -----------------------------------------------------------------------------------------------


@rule("w40k8.psychic.perils", check=1)
def test_two_ones_are_perils() -> None:
    assert wounds(smite(1, 1, perils=[2]), "Witch") == [4]


@rule("w40k8.psychic.perils", check=2)
def test_two_sixes_are_perils() -> None:
    assert wounds(smite(6, 6, perils=[2]), "Witch") == [4]


@rule("w40k8.psychic.perils", check=3)
def test_no_other_dice_are_perils() -> None:
    others = [(2, 2), (3, 3), (4, 4), (5, 5), (1, 6), (6, 1)]
    hurt = [wounds(smite(*faces, perils=[2]), "Witch") for faces in [*others, (6, 6)]]
    assert hurt == [[5]] * len(others) + [[4]]


@rule("w40k8.psychic.perils", check=4)
def test_one_die_halved_is_the_number_of_wounds() -> None:
    assert [wounds(smite(1, 1, perils=[face]), "Witch") for face in (2, 3, 6)] == [[4], [3], [2]]


@rule("w40k8.psychic.perils", check=5)
def test_who_survives_two_sixes_has_manifested_the_power() -> None:
    b = smite(6, 6, perils=[6], smite=[4])
    assert (wounds(b, "Witch"), suffered(b)) == ([2], 4)


@rule("w40k8.psychic.perils", check=6)
@pytest.mark.parametrize("face", [1, 6])
def test_denying_is_never_perilous(face: int) -> None:
    units = [red(), red("Other", [(10, 20)]), blue(), warden(y=2)]
    b = cast(phase(*units, tests=[3, 3, 6, 6], deny=[face, face], smite=[1, 1], perils=[1]), deny="Warden")
    cast(b, "Other: Smite")
    assert (wounds(b, "Warden"), wounds(b, "Other")) == ([5], [4])


@rule("w40k8.psychic.perils", check=7)
def test_the_faces_that_stand_decide_and_not_what_is_added() -> None:
    b = under(phase(red(), blue(), tests=[1, 1, 6, 6], perils=[1], smite=[6]), "psychic", -2, "Witch")
    cast(under(b, "reroll_psychic", "failures", "Witch"))
    give(b, "reroll_psychic_test", True)
    assert (told(b).count("perils"), wounds(b, "Witch"), suffered(b)) == (1, [4], 3)


@rule("w40k8.psychic.perils", check=7)
def test_perils_that_are_rolled_again_do_no_harm() -> None:
    b = under(phase(red(), blue(), tests=[6, 6, 2, 3], smite=[1]), "reroll_psychic", "all", "Witch")
    give(cast(b), "reroll_psychic_test", True)
    assert (told(b)[0], wounds(b, "Witch")) == ("manifested", [5])


@rule("w40k8.psychic.perils", check=1)
def test_in_a_unit_of_several_the_psyker_itself_suffers() -> None:
    coven = unit("Coven", "red", bare(name="Fellow", wounds=9), column(2, 10, 10), loadout=AMONG, declared=True)
    b = cast(phase(coven, blue(), tests=[1, 1], perils=[6]), "Witch 2: Smite")
    assert wounds(b, "Coven") == [9, 2]


AMONG = [{"models": [2], "sheet": witch()}]


@rule("w40k8.psychic.perils", check=1)
def test_what_is_more_than_the_psyker_has_goes_to_no_fellow() -> None:
    among = [{"models": [1], "sheet": witch()}]
    places: Spots = [(10, 10), (10, 11.5)]
    coven = unit("Coven", "red", bare(wounds=9), places, loadout=among, wounds={1: 1}, declared=True)
    b = cast(phase(coven, blue(), tests=[1, 1], perils=[6, 1]), "Witch 1: Smite")
    assert (wounds(b, "Coven"), rolls(b)[1:3]) == ([8], [("perils", (6,)), ("perils", (1,))])


# --- Death by Perils --------------------------------------------------------------------------------------------------


def dying(*units: UnitDoc, **more: Any) -> Battle8:
    """A Witch with two wounds left dies of Perils on two sixes, among these units."""
    doomed = unit("Witch", "red", witch(), [(10, 10)], wounds={1: 2}, declared=True)
    return cast(phase(doomed, *units, tests=[6, 6], **{"perils": [3, 1, 3, 5], **more}))


def friend(gap: float, name: str = "Friends") -> UnitDoc:
    """A red unit so far above the Witch."""
    return unit(name, "red", bare(wounds=9), [(10, 11 + gap)], declared=True)


@rule("w40k8.psychic.perils_death", check=1)
def test_the_power_of_a_psyker_that_died_has_no_effect() -> None:
    b = dying(blue(8), blue(3, "Near"))
    assert (alive(b, "Witch"), suffered(b), suffered(b, "Near")) == (0, 0, 1)


@rule("w40k8.psychic.perils_death", check=2)
def test_nobody_denies_the_power_of_a_psyker_that_died() -> None:
    b = dying(blue(8), warden(8), friend(1))
    assert (kinds(b), suffered(b, "Friends")) == ([], 1)


@rule("w40k8.psychic.perils_death", check=3)
@rule("w40k8.psychic.perils_death", check=4)
def test_friends_and_enemies_suffer_each_by_a_die_of_their_own() -> None:
    b = dying(blue(3), friend(3), blue(20, "Far"))
    order = (asked(b, "perils_order").player, offered(b, "perils_order"))
    give(b, "perils_order", ["Friends", "Blues"])
    assert (order, suffered(b, "Friends"), suffered(b)) == ((0, ["Blues", "Friends"]), 1, 2)
    assert (rolls(b)[2:], kinds(b)) == ([("perils", (1,)), ("perils", (3,))], [])


@rule("w40k8.psychic.perils_death", check=5)
@rule("w40k8.psychic.perils_death", check=7)
def test_the_fellows_of_a_psyker_suffer_and_no_distance_is_measured_from_them() -> None:
    places: Spots = [(10, 10), (11.5, 10), (13, 10), (14.5, 10)]
    among = [{"models": [1], "sheet": witch()}]
    coven = unit("Coven", "red", bare(wounds=9), places, loadout=among, wounds={1: 1}, declared=True)
    b = cast(phase(coven, blue(7), tests=[6, 6], perils=[1, 3]), "Witch 1: Smite")
    assert (sum(wounds(b, "Coven")), suffered(b), kinds(b)) == (25, 0, [])


@rule("w40k8.psychic.perils_death", check=6)
def test_a_unit_exactly_six_inches_away_suffers_and_no_further_one() -> None:
    assert (suffered(dying(blue(6))), suffered(dying(blue(6.01)))) == (1, 0)


@rule("w40k8.psychic.perils_death", check=8)
def test_perils_that_leave_the_psyker_alive_harm_no_one_else() -> None:
    b = smite(1, 1, perils=[6])
    beside = cast(phase(red(), friend(1), blue(), tests=[1, 1], perils=[6]))
    assert (wounds(b, "Witch"), suffered(beside, "Friends")) == ([2], 0)
    assert suffered(dying(friend(1)), "Friends") == 1


def both_at_the_end(*perils: int, points: tuple[int, int] = (0, 0), underdog: int = 0) -> Battle8:
    """The last psyker of red and the last model of blue, in the warp's reach."""
    state = {"game": {"underdog": underdog}, "red": {"vp": points[0]}, "blue": {"vp": points[1]}}
    last = [red(wounds={1: 1}), unit("Blues", "blue", bare(), [(14, 10)])]
    return cast(phase(*last, tests=[6, 6], perils=list(perils), mission="only-war", state=state))


@rule("w40k8.gap.mutual_destruction", check=1)
def test_perils_that_slay_the_last_of_both_sides_lead_to_a_decision_by_points() -> None:
    ends = [
        both_at_the_end(1, 1, points=(4, 2)),
        both_at_the_end(1, 1, points=(2, 4)),
        both_at_the_end(1, 1, underdog=1),
    ]
    found = [b.result and (b.result.winners, b.result.victory) for b in ends]
    assert found == [((0,), "major"), ((1,), "major"), ((1,), "minor")]


@rule("w40k8.gap.mutual_destruction", check=1)
def test_perils_that_slay_the_last_of_one_side_end_the_battle_when_they_are_over() -> None:
    state = {"game": {"underdog": 0}, "red": {"vp": 4}}
    last = [red(wounds={1: 1}), unit("Blues", "blue", bare(wounds=9), [(14, 10)])]
    b = cast(phase(*last, tests=[6, 6], perils=[1, 1], mission="only-war", state=state))
    assert b.result is not None
    assert (b.result.winners, suffered(b), b.state.game.unjudged) == ((1,), 1, False)


@rule("w40k8.dice.d3", check=4)
def test_a_face_of_five_on_the_die_of_smite_is_three_mortal_wounds() -> None:
    assert [suffered(smite(3, 3, smite=[face])) for face in (5, 4)] == [3, 2]


# --- Deny the Witch ---------------------------------------------------------------------------------------------------


def denied(*deny: int, by: UnitDoc | None = None, **more: Any) -> Battle8:
    """The Witch manifests Smite with 7, and the Warden denies it."""
    units = [red(), blue(), by or warden()]
    return cast(phase(*units, tests=[3, 4], deny=list(deny), smite=[1], **more), deny="Warden")


@rule("w40k8.psychic.deny", check=1)
def test_an_equal_sum_does_not_stop_a_power() -> None:
    b = denied(3, 4)
    assert ("not_denied" in told(b), suffered(b)) == (True, 1)


@rule("w40k8.psychic.deny", check=2)
@rule("w40k8.psychic.deny", check=7)
def test_one_more_stops_a_power_and_all_that_it_does() -> None:
    b = denied(4, 4)
    assert ("denied" in told(b), suffered(b), len(rolls(b)), kinds(b)) == (True, 0, 2, [])


@rule("w40k8.psychic.deny", check=3)
def test_a_psyker_24_inches_away_denies_and_no_further_one() -> None:
    b = cast(phase(red(), blue(), warden(24, y=10), warden(24.01, "Watcher", y=10.0), tests=[3, 4], smite=[1]))
    assert (asked(b, "deny_with").player, offered(b, "deny_with")) == (1, ["Warden"])


@rule("w40k8.psychic.deny", check=4)
def test_who_denies_needs_no_line_of_sight() -> None:
    b = denied(4, 4, terrain=[WALL], by=warden(8))
    assert "denied" in told(b)


@rule("w40k8.psychic.deny", check=5)
def test_the_distance_to_the_target_does_not_matter() -> None:
    near = unit("Warden", "blue", witch("Warden"), [(4, 24)])
    b = cast(phase(red(), blue(17.5, y=2), near, tests=[3, 4], smite=[1]))
    assert offered(b, "deny_with") == ["Warden"]
    far = unit("Warden", "blue", witch("Warden"), [(36, 10)])
    b = cast(phase(red(), blue(17.5), far, tests=[3, 4], smite=[1]))
    assert (kinds(b), suffered(b)) == ([], 1)


@rule("w40k8.psychic.deny", check=6)
def test_a_failed_test_is_not_denied() -> None:
    b = phase(red(), red("Other", [(10, 20)]), blue(), warden(), tests=[1, 3, 1, 4])
    cast(b)
    after = kinds(b)
    cast(b, "Other: Smite")
    assert (after, kinds(b)) == (["manifest"], ["deny_with"])


@rule("w40k8.psychic.deny_once", check=1)
def test_after_one_attempt_nobody_else_denies_the_same_power() -> None:
    b = phase(red(), blue(), warden(), warden(8, "Watcher", y=20), tests=[3, 4], deny=[1, 1], smite=[1])
    cast(b)
    able = offered(b, "deny_with")
    give(b, "deny_with", "Warden")
    assert (able, suffered(b), kinds(b)) == (["Warden", "Watcher"], 1, [])


@rule("w40k8.psychic.deny_once", check=1)
def test_of_several_enemies_each_denies_with_its_own_psykers() -> None:
    third = unit("Third", "green", witch("Third"), [(19, 20)])
    b = cast(phase(red(), blue(), warden(), third, tests=[3, 4], deny=[1, 1], smite=[1]))
    first = (asked(b, "deny_with").player, offered(b, "deny_with"))
    give(b, "deny_with", None)
    second = (asked(b, "deny_with").player, offered(b, "deny_with"))
    give(b, "deny_with", "Third")
    assert (first, second, suffered(b), kinds(b)) == ((1, ["Warden"]), (2, ["Third"]), 1, [])


@rule("w40k8.psychic.deny_once", check=2)
def test_each_further_power_is_met_by_an_attempt_of_its_own() -> None:
    units = [red(), red("Other", [(10, 20)]), blue(), warden(denies=2)]
    b = phase(*units, tests=[3, 4] * 2, deny=[1, 1, 6, 6], smite=[1])
    cast(b, deny="Warden")
    cast(b, "Other: Smite", deny="Warden")
    assert (told(b).count("not_denied"), told(b).count("denied"), suffered(b), kinds(b)) == (1, 1, 1, [])


# --- Resolving --------------------------------------------------------------------------------------------------------


@rule("w40k8.psychic.resolve", check=1)
def test_a_power_takes_effect_if_it_succeeded_its_psyker_lives_and_nobody_denied_it() -> None:
    assert (suffered(denied(1, 1)), suffered(smite(2, 2)), suffered(dying(blue()))) == (1, 0, 0)
    assert suffered(denied(6, 6)) == 0


@rule("w40k8.psychic.resolve", check=2)
def test_no_dice_are_thrown_for_a_power_without_effect() -> None:
    ends = [denied(6, 6), smite(2, 2), dying(blue()), denied(1, 1)]
    assert [any(kind == "smite" for kind, _ in rolls(b)) for b in ends] == [False, False, False, True]


# --- Smite ------------------------------------------------------------------------------------------------------------


@rule("w40k8.psychic.smite", check=1)
def test_smite_needs_a_five() -> None:
    assert (suffered(smite(1, 3)), suffered(smite(1, 4))) == (0, 1)


@rule("w40k8.psychic.smite", check=2)
def test_smite_hits_the_nearest_visible_enemy_without_a_choice() -> None:
    b = cast(phase(red(), blue(9), blue(8, "Near", y=11), tests=[3, 3], smite=[3]))
    assert (suffered(b, "Near"), suffered(b), kinds(b)) == (2, 0, [])


@rule("w40k8.psychic.smite", check=3)
def test_a_nearer_enemy_that_cannot_be_seen_is_passed_over() -> None:
    up = unit("Up", "blue", bare(wounds=9), [(10, 20)])
    b = cast(phase(red(), blue(8), up, tests=[3, 3], smite=[3], terrain=[WALL]))
    assert (suffered(b, "Up"), suffered(b)) == (2, 0)


@rule("w40k8.psychic.smite", check=4)
@rule("w40k8.psychic.smite", check=7)
def test_smite_reaches_18_inches_and_has_no_effect_beyond() -> None:
    near = cast(phase(red(), blue(18), tests=[3, 3], smite=[1]))
    far = cast(phase(red(), blue(18.01), tests=[3, 3], smite=[1]))
    assert (suffered(near), suffered(far), told(far)[:2]) == (1, 0, ["manifested", "no_targets"])


@rule("w40k8.psychic.smite", check=5)
def test_smite_hits_a_unit_with_friends_at_hand() -> None:
    reds = unit("Reds", "red", sheet(name="Red"), [(19, 11)], declared=True)
    b = cast(phase(red(), reds, blue(8), tests=[3, 3], smite=[1], turns=1))
    assert suffered(b) == 1


@rule("w40k8.psychic.smite", check=6)
def test_smite_hits_a_character_that_is_nearest() -> None:
    hero = blue(8, "Hero", bare(name="Hero", wounds=9, keywords=["CHARACTER"]), y=11)
    b = cast(phase(red(), blue(9), hero, tests=[3, 3], smite=[1]))
    assert (suffered(b, "Hero"), suffered(b)) == (1, 0)


@rule("w40k8.psychic.smite", check=8)
def test_a_five_slays_one_intercessor_and_wounds_another() -> None:
    b = cast(phase(red(), blue(8, "Intercessors", bare(wounds=2), count=5), tests=[3, 3], smite=[5]))
    assert sorted(wounds(b, "Intercessors")) == [1, 2, 2, 2]


@rule("w40k8.gap.closest_tie", check=1)
def test_of_two_units_that_are_equally_near_the_player_of_the_psyker_chooses() -> None:
    up = unit("Up", "blue", bare(wounds=9), [(10, 19)])
    b = cast(phase(red(), blue(8), up, blue(9, "Behind", y=2), tests=[3, 3], smite=[1]))
    question = (asked(b, "power_target").player, offered(b, "power_target"))
    give(b, "power_target", "Up")
    assert (question, suffered(b, "Up"), suffered(b)) == ((0, ["Blues", "Up"]), 1, 0)


def nearly(far: float) -> tuple[float, float]:
    """A place on the grid that is so many thousandths of an inch further from the Witch than 9", or hardly less."""
    low, high = (9216 + far * 1024 / 1000 - 0.0009) ** 2, (9216 + far * 1024 / 1000) ** 2
    found = ((x, y) for y in range(1, 3000) for x in [math.isqrt(int(high) - y * y)] if low < x * x + y * y <= high)
    x, y = next(found)
    return 10 + x / 1024, 10 + y / 1024


@rule("w40k8.gap.closest_tie", check=1)
def test_a_thousandth_of_an_inch_makes_no_difference_and_more_does() -> None:
    found = []
    for far in (1, 1.001):
        other = unit("Other", "blue", bare(wounds=9), [nearly(far)])
        b = cast(phase(red(), unit("Blues", "blue", bare(wounds=9), [(10, 19)]), other, tests=[3, 3], smite=[1]))
        found.append(kinds(b))
    assert found == [["power_target"], []]


@rule("w40k8.psychic.smite_strong", check=4)
def test_a_power_of_which_no_more_is_said_deals_the_same_by_any_test() -> None:
    doc = witch(powers=["gaze"], described=[GAZE])
    b = cast(phase(red(doc=doc), blue(), tests=[6, 5]), "Witch: Gaze")
    assert suffered(b) == 2


@rule("w40k8.psychic.smite_strong", check=1)
@rule("w40k8.psychic.smite_strong", check=2)
def test_a_test_of_10_deals_d3_and_one_of_11_deals_d6() -> None:
    assert (suffered(smite(5, 5, smite=[4])), suffered(smite(6, 5, smite=[4]))) == (2, 4)


@rule("w40k8.psychic.smite_strong", check=3)
def test_a_test_of_12_deals_d6_if_the_psyker_lives() -> None:
    assert (suffered(smite(6, 6, perils=[1], smite=[5])), suffered(dying(blue(), smite=[5]))) == (5, 0)


@rule("w40k8.psychic.smite_strong", check=4)
def test_the_d6_replaces_the_d3() -> None:
    b = smite(6, 5, smite=[6, 6])
    assert (rolls(b)[1:], suffered(b)) == ([("smite", (6,))], 6)


# --- Powers that are generated ----------------------------------------------------------------------------------------


def generating(**psyker: Any) -> Battle8:
    """Armies before deployment, with a red psyker that generates powers; red picks the deployment zones."""
    gaze, hex_ = GAZE, {**GAZE, "name": "hex"}
    doc = witch(**{"more": 1, "described": [gaze, hex_], **psyker})
    units = [unit("Witch", "red", doc, off=1), unit("Blues", "blue", bare(), off=1)]
    b = prepare(units)
    marked(b, *SPOTS)
    return b


@rule("w40k8.psychic.generate", check=1)
def test_powers_are_generated_between_the_zones_and_the_first_unit() -> None:
    b = generating()
    until(b, "generate_powers")
    asks, before = offered(b, "generate_powers"), told(b)
    give(b, "generate_powers", ["Hex"])
    assert (asks, before[-1], kinds(b)) == (["Gaze", "Hex"], "zones", ["deploy"])
    assert (told(b)[-1], "deployed" in told(b)) == ("powers_generated", False)


@rule("w40k8.psychic.powers")
@rule("w40k8.psychic.generate", check=2)
def test_powers_stay_the_same_for_the_battle() -> None:
    b = generating(casts=2)
    until(b, "generate_powers")
    give(b, "generate_powers", ["Hex"])
    found = []
    for _ in range(2):
        until(b, "manifest")
        found.append(offered(b, "manifest"))
        give(b, "manifest", None)
    assert (found, told(b).count("powers_generated")) == ([["Witch: Hex", "Witch: Smite"]] * 2, 1)


@rule("w40k8.psychic.generate", check=1)
def test_only_psykers_that_generate_powers_are_asked_and_for_what_they_do_not_know() -> None:
    known = generating(powers=["smite", "gaze"], more=3)
    until(known, "generate_powers")
    nobody = generating(more=0)
    until(nobody, "deploy")
    asks: Any = asked(known, "generate_powers")
    assert (offered(known, "generate_powers"), asks.least, asks.most) == (["Hex"], 1, 1)
    assert "powers_generated" not in told(nobody)


@rule("w40k8.psychic.generate", check=1)
def test_each_psyker_of_an_army_generates_powers_and_nobody_else() -> None:
    doc = witch(more=1, described=[GAZE])
    coven = unit("Coven", "red", bare(name="Acolyte"), off=2, loadout=[{"models": [2], "sheet": doc}])
    units = [unit("Reds", "red", bare(name="Red"), off=1), coven, unit("Witch", "red", doc, off=1)]
    b = marked(prepare([*units, unit("Blues", "blue", bare(), off=1)], dice={"roll-off": [6, 1] * 3}), *SPOTS)
    until(b, "order.before_deployment")
    give(b, "order.before_deployment", ["Psychic powers (red: Witch)", "Psychic powers (red: Coven)"])
    first = asked(b, "generate_powers").unit
    give(b, "generate_powers", ["Gaze"])
    second = asked(b, "generate_powers").unit
    give(b, "generate_powers", ["Gaze"])
    known = [squad(b, name).generated for name in ("Reds", "Coven", "Witch")]
    acolyte, caster = squad(b, "Coven").models
    assert (first, second) == (squad(b, "Witch").id, squad(b, "Coven").id)
    assert (known, acolyte < caster) == ([(), ((caster, "gaze"),), ((squad(b, "Witch").models[0], "gaze"),)], True)
