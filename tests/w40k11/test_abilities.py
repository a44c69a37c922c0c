"""What abilities of armies do in 11th edition: tests for each kind of effect that it reads in its own way."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.forty.effects.other_rolls import added
from sandtable.forty.effects.saves import pain_of, pains
from sandtable.systems.w40k11.charge_phase import able_to_charge
from sandtable.systems.w40k11.cover import in_cover
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import face_off, last, shoot
from w40k11.carriers import get_out, inside
from w40k11.table import (
    TANK,
    TARGET,
    TROOPER,
    Doc,
    cards,
    feature,
    give,
    gun,
    judge,
    kinds,
    named,
    play,
    power,
    rolls,
    sheet,
    situation,
    told,
    unit,
    until,
)

FOES = unit("Foes", "blue", TARGET, [(42, 28)])
ON: Doc = {"mode": "normal", "by": [6, 0]}


def able(b: Battle11, kind: str, answer: Any) -> bool:
    """Whether an answer is allowed."""
    return bool(judge(b, kind, answer))


# --- Moving -----------------------------------------------------------------------------------------------------------


def walk(*effects: Doc, enemy: Doc = TARGET, mover: Doc = TROOPER, terrain: Any = None, **flags: Any) -> Battle11:
    """Reds about to move, with an enemy 2" in front of them, or something else there."""
    foes = [] if terrain else [unit("Wall", "blue", enemy, [(13.5, 10)])]
    b = situation(
        [unit("Reds", "red", mover, [(10, 10)], **flags), *foes, FOES],
        terrain,
        abilities=[{"unit": "Reds", "name": "Gift", "effects": list(effects)}] if effects else [],
    )
    give(b, "move_with", "Reds")
    return b


def through(what: str, **more: Any) -> bool:
    """Whether Reds may move 8" straight on, past an enemy, with a permission."""
    fast = {**TROOPER, "move": 10}
    return able(walk({"kind": "allow", "what": what}, mover=fast, **more), "move", {"mode": "normal", "by": [8, 0]})


def test_who_may_move_through_models_passes_an_enemy_and_does_not_end_beside_it() -> None:
    fast = {**TROOPER, "move": 10}
    assert not able(walk(mover=fast), "move", {"mode": "normal", "by": [8, 0]})
    assert through("move_through_models")
    b = walk({"kind": "allow", "what": "move_through_models"}, mover=fast)
    assert not able(b, "move", {"mode": "normal", "by": [6, 0]})


@pytest.mark.parametrize(
    ("what", "infantry", "monster", "titan"),
    [
        ("move_through_models", True, True, True),
        ("move_through_all_but_titanic", True, True, False),
        ("move_through_smaller", True, False, False),
        ("move_over_4", False, False, False),
    ],
)
def test_permissions_say_which_models_may_be_passed(what: str, infantry: bool, monster: bool, titan: bool) -> None:
    kinds_ = (["INFANTRY"], ["MONSTER"], ["MONSTER", "TITANIC"])
    assert [through(what, enemy={**TARGET, "keywords": k}) for k in kinds_] == [infantry, monster, titan]


@pytest.mark.parametrize(("what", "low", "high"), [("move_over_4", True, False), ("move_through_terrain", True, True)])
def test_permissions_say_which_terrain_may_be_passed(what: str, low: bool, high: bool) -> None:
    def passes(height: float, *effects: Doc) -> bool:
        block = [feature("hill", (12, 8, 1, 4), height, solid=True)]
        tank = {**TANK, "base": "25.4mm"}
        return able(walk(*effects, mover=tank, terrain=block), "move", {"mode": "normal", "by": [8, 0]})

    assert [passes(3.9), passes(5)] == [False, False]
    allow = {"kind": "allow", "what": what}
    assert [passes(3.9, allow), passes(5, allow)] == [low, high]


def test_a_permission_for_one_model_does_not_carry_the_others() -> None:
    gift = {"kind": "allow", "what": "move_through_models", "who": "model"}
    fast = {**TROOPER, "move": 10}
    b = situation(
        [
            unit("Reds", "red", fast, [(10, 10), (10, 12)]),
            unit("Wall", "blue", {**TARGET, "base": "76.2mm"}, [(14, 11)]),
            FOES,
        ],
        abilities=[{"unit": "Reds", "name": "Gift", "models": [1], "effects": [gift]}],
    )
    give(b, "move_with", "Reds")
    assert not able(b, "move", {"mode": "normal", "by": [9, 0]})


def advance(*effects: Doc, dice: Doc | None = None) -> Battle11:
    b = walk(*effects, terrain=[feature("obstacle", (30, 20, 1, 1), 1)])
    give(b, "move", {"mode": "advance"})
    return b


def test_an_advance_of_6_takes_no_roll() -> None:
    b = advance({"kind": "allow", "what": "advance_6"})
    assert rolls(b) == []
    assert able(b, "complete_move", {"mode": "advance", "by": [12, 0]})
    assert not able(b, "complete_move", {"mode": "advance", "by": [12.1, 0]})


def test_an_advance_of_6_has_nothing_added_that_changes_rolls() -> None:
    more = {"kind": "modify", "roll": "advance", "value": 2}
    b = advance({"kind": "allow", "what": "advance_6"}, more)
    assert able(b, "complete_move", {"mode": "advance", "by": [12, 0]})
    assert not able(b, "complete_move", {"mode": "advance", "by": [12.1, 0]})


def test_who_passes_every_desperate_escape_rolls_no_hazards() -> None:
    def escape(*effects: Doc) -> list[str]:
        b = situation(
            [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TARGET, [(11.5, 10)]), FOES],
            abilities=[{"unit": "Reds", "name": "Gift", "effects": list(effects)}] if effects else [],
            dice={"hazard": [3], "battle-shock": [6, 6]},
        )
        give(b, "move_with", "Reds")
        give(b, "move", {"mode": "desperate"})
        return [name for name, _ in rolls(b)]

    assert escape() == ["hazard"]
    assert escape({"kind": "allow", "what": "no_falling_back_losses"}) == []


# --- Transports -------------------------------------------------------------------------------------------------------


RAMP: Doc = power("Rhino", kind="allow", what="disembark_and_charge", who="model")


@pytest.mark.parametrize(("abilities", "charges"), [([], False), ([RAMP], True)])
def test_a_ramp_lets_passengers_charge_after_a_normal_move(abilities: list[Doc], charges: bool) -> None:
    foes = unit("Foes", "blue", TROOPER, [(18, 10)])
    b = inside(foes, rhino={"moved": "normal"}, abilities=abilities)
    get_out(b, "rapid", [[13, 10], [13, 11.5]])
    assert bool(able_to_charge(b, named(b, "Reds"))) == charges


def test_a_ramp_opens_no_door_after_an_advance() -> None:
    b = inside(rhino={"moved": "advance"}, abilities=[RAMP])
    give(b, "move_with", "Reds")
    assert kinds(b) == ["move_with"]


# --- Conditions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "words", "hidden"), [(3, "MOB", True), (3.1, "MOB", False), (3, "GUARD", False)])
def test_a_friend_with_all_the_keywords_near_gives_a_condition(gap: float, words: str, hidden: bool) -> None:
    b = situation(
        [
            unit("Prince", "red", sheet(name="Prince"), [(10, 10)]),
            unit("Mob", "red", {**TROOPER, "keywords": ["INFANTRY", words]}, [(10, 9 - gap)]),
            unit("Blues", "blue", TROOPER, [(30, 10)]),
        ],
        step="shoot_units",
        active="blue",
        abilities=[power("Prince", kind="grant", ability="lone operative", when=["friend_within:3,INFANTRY,MOB"])],
    )
    give(b, "shoot_with", "Blues")
    seen = {t for r in b.decisions[0].rows for t in r.targets}  # type: ignore[attr-defined]
    assert (named(b, "Prince").id not in seen) == hidden


# --- Moments and limits -----------------------------------------------------------------------------------------------


SQUIG: Doc = {
    "kind": "mortal_wounds", "amount": 1, "who": "enemy", "within": 12, "visible": True, "at": "moved",
    "bearer": ["not advanced", "not fell_back"], "once": "battle", "optional": True,
}  # fmt: skip


def squigs(mode: str = "normal", **more: Any) -> Battle11:
    """A unit of two with squigs that has moved near its target."""
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(10, 10), (10, 11.5)]),
            unit("Blues", "blue", {**TARGET, "wounds": 9}, [(25, 10)]),
            unit("Others", "red", TROOPER, [(2, 2)]),
        ],
        abilities=[{"unit": "Reds", "name": "Squig", "effects": [{**SQUIG, **more}]}],
        dice={"advance": [1]},
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": mode, **({} if mode == "advance" else {"by": [4, 0]})})
    if mode == "advance":
        give(b, "complete_move", {"mode": mode, "by": [4, 0]})
    return b


def uses(b: Battle11, turns: int = 3) -> int:
    """How often it is offered, and used, in so many turns of its player."""
    count = 0
    for _ in range(turns):
        if cards(b):
            play(b, "Ability: Squig")
            count += 1
        until(b, "move_with", player=1)
        until(b, "move_with", player=0)
        give(b, "move_with", "Reds")
        give(b, "move", {"mode": "normal", "by": [0, 0.5]})
    return count


@pytest.mark.parametrize(("limit", "times"), [({}, 1), ({"uses": 2}, 2), ({"per": 1}, 2), ({"per": 2}, 1)])
def test_an_ability_has_as_many_uses_as_it_says_or_one_for_so_many_models(limit: Doc, times: int) -> None:
    assert uses(squigs(**limit)) == times


def test_what_follows_a_normal_move_does_not_follow_an_advance() -> None:
    assert cards(squigs("advance")) == []
    assert cards(squigs()) == ["Ability: Squig (Reds)"]


def scavengers(dice: list[int], *, shocked: bool = False, held: tuple[int, ...] = (0, 0)) -> Battle11:
    """Two units near a marker each at the start of the Movement phase."""
    grots = {"kind": "gain_cp", "dice": "marker", "die": 4, "at": "movement", "once": "turn", "shared": True,
             "when": ["not battle_shocked"]}  # fmt: skip
    return situation(
        [
            unit("Grots", "red", TROOPER, [(10, 10)], battle_shocked=shocked),
            unit("More", "red", TROOPER, [(20, 10)]),
            FOES,
        ],
        step="movement_phase",
        objectives=[(10, 12), (20, 12), (30, 12)],
        game={"control": [*held, 0]},
        abilities=[{"unit": name, "name": "Thieves", "effects": [grots]} for name in ("Grots", "More")],
        dice={"Thieves": dice},
    )


@pytest.mark.parametrize(("dice", "points"), [([3, 4], 1), ([4, 4], 1), ([3, 3], 0)])
def test_a_die_for_each_marker_brings_one_point_if_one_of_them_is_good(dice: list[int], points: int) -> None:
    b = scavengers(dice)
    assert rolls(b) == [("Thieves", tuple(dice))]
    assert b.player(0).cp == points


@pytest.mark.parametrize("more", [{"shocked": True}, {"held": (1, 0)}])
def test_markers_of_others_and_of_who_is_shocked_bring_no_die(more: Doc) -> None:
    b = scavengers([4], **more)
    assert rolls(b) == [("Thieves", (4,))]
    assert kinds(b) == ["move_with"]
    assert not [text for text in told(b) if "Thieves (Grots)" in text]


# --- Attacks ----------------------------------------------------------------------------------------------------------


def test_what_one_model_of_a_unit_has_by_its_keyword_the_others_do_not() -> None:
    chief = {**TARGET, "name": "Chief", "keywords": ["INFANTRY", "CHARACTER"], "abilities": ["leader"]}
    guards = [
        unit("Guard", "blue", {**TARGET, "wounds": 2}, [(21, 8), (21, 9.5)]),
        unit("Chief", "blue", {**chief, "wounds": 4, "leads": ["Target"]}, [(23, 8)], leads="Guard"),
    ]
    gift = power("Guard", kind="feel_no_pain", value=5, when=["led", "model_keyword:CHARACTER"])
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), *guards], abilities=[gift])
    guard = named(b, "Guard")
    found = pains(b, guard)
    assert [pain_of(b, found, m, 7, psychic=False, psychic_mortal=False).normal for m in guard.models] == [7, 7, 5]


def charging(*effects: Doc) -> bool:
    """Whether Reds may charge straight through a wall at Blues behind it."""
    b = situation(
        [unit("Reds", "red", TANK, [(10, 10)]), unit("Blues", "blue", TARGET, [(20, 10)])],
        [feature("hill", (14, 5, 1, 10), 6, solid=True)],
        step="charge_units",
        abilities=[{"unit": "Reds", "name": "Gift", "effects": list(effects)}] if effects else [],
        dice={"charge": [6, 6]},
    )
    give(b, "charge_with", "Reds")
    return able(b, "charge_move", {"mode": "charge", "by": [7, 0]})


def test_a_charge_through_terrain_needs_a_permission_of_its_own() -> None:
    words = ("move_through_terrain", "charge_through_terrain")
    assert [charging({"kind": "allow", "what": what}) for what in words] == [False, True]


def volleys(*effects: Doc, **more: Any) -> Battle11:
    """Reds and Others, who have the same ability, have shot at Blues one after the other and hit."""
    doc = sheet(gun(attacks="1"))
    b = situation(
        [
            unit("Reds", "red", doc, [(10, 10)]),
            unit("Others", "red", doc, [(10, 13)]),
            unit("Third", "red", doc, [(10, 16)]),
            unit("Blues", "blue", {**TARGET, "wounds": 9, **more}, [(20, 10)]),
        ],
        step="shoot_units",
        abilities=[{"unit": name, "name": "Gift", "effects": list(effects)} for name in ("Reds", "Others")],
        dice={"hit": [6] * 3, "wound": [1] * 3},
    )
    shoot(b, "Reds")
    return shoot(b, "Others")


@pytest.mark.parametrize(("what", "has"), [("cover", False), ("charge", True)])
def test_who_was_hit_by_what_takes_cover_away_has_none(what: str, has: bool) -> None:
    b = volleys(
        {"kind": "forbid", "what": what, "who": "target", "at": "shot", "until": "phase"}, abilities=["stealth"]
    )
    assert in_cover(b, named(b, "Third"), 0, named(b, "Blues")) == has


@pytest.mark.parametrize(("fresh", "less"), [(True, -2), (False, -4)])
def test_what_takes_only_fresh_targets_does_not_add_up(fresh: bool, less: int) -> None:
    slow = {"value": -2, "who": "target", "at": "shot", "until": "opponent_turn", "fresh": fresh}
    b = volleys({"kind": "modify", "roll": "advance", **slow}, {"kind": "modify", "roll": "charge", **slow})
    assert [added(b, named(b, "Blues"), roll)[0] for roll in ("advance", "charge")] == [less, less]


@pytest.mark.parametrize(
    ("skill", "face", "successful", "criticals"),
    [(5, 5, True, 1), (5, 4, True, 0), (6, 5, True, 0), (6, 5, False, 1), (6, 6, True, 1), (3, 4, True, 0)],
)
def test_a_5_that_must_be_successful_is_critical_only_if_it_hits(
    skill: int, face: int, successful: bool, criticals: int
) -> None:
    five = power("Reds", kind="critical", roll="hit", value=5, successful=successful)
    b = face_off([gun(attacks="1", skill=skill)], abilities=[five], dice={"hit": [face], "wound": [1]})
    assert last(shoot(b))["criticals"] == criticals


def test_a_last_stand_that_this_edition_does_not_play_is_none() -> None:
    killer = gun(attacks="1", skill=2, strength=9, ap=-6, damage="9")
    shots = power("Blues", kind="allow", what="shoot_when_destroyed")
    b = shoot(
        face_off(killer, {**TARGET, "wounds": 1}, dice={"hit": [6], "wound": [6], "save": [1]}, abilities=[shots])
    )
    assert (len(b.on_table(named(b, "Blues"))), "last_stand" in told(b)) == (0, False)
