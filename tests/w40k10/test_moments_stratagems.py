"""Stratagems of detachments, and abilities that change what Stratagems cost."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE, Moment
from sandtable.battle.events import Told
from sandtable.forty.detachments import triggers_of
from sandtable.forty.effects.at_work import is_marked
from sandtable.forty.effects.occasions import describe
from sandtable.forty.effects.offers import uses_now
from sandtable.forty.effects.prices import lowest_price, price
from sandtable.forty.moments import ATTACKS_MADE, TARGETS_SELECTED, UNIT_MOVE_ENDED, UNIT_TO_MOVE
from sandtable.forty.stratagems import usable_on
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.stratagems.core_stratagems import DETACHMENTS
from sandtable.systems.w40k10.stratagems.using_stratagems import CARDS, HEROIC_INTERVENTION, RAPID_INGRESS
from w40k10.powers import at, bodies, called, clash, use, volleys
from w40k10.table import asked, default, give, kinds, offered, rolls
from w40k10.test_moments_attacks import settle, shoot
from w40k10.test_moments_command import use_now

INTERCESSORS = at("intercessor-squad", 10)
BOYZ = at("boyz", 24)


def stratagems(b: Battle10) -> list[str]:
    """What was told about Stratagems."""
    return [e.text for e in b.events if isinstance(e, Told) and e.kind == "stratagem"]


def offers(b: Battle10, kind: str, name: str) -> list[str]:
    """The options of an open question that a Stratagem has."""
    return [label for label in offered(b, kind) if name in label] if kinds(b) == [kind] else []


# --- When and on whom -------------------------------------------------------------------------------------------------


def test_each_stratagem_of_the_pack_has_its_moment() -> None:
    b = clash([INTERCESSORS], [BOYZ])
    known = {s.name: triggers_of(DETACHMENTS, s) for s in b.setup.data.stratagems}
    assert known["Armour of Contempt"] == (TARGETS_SELECTED,)
    assert known["Squad Tactics"] == (UNIT_MOVE_ENDED,)
    assert known["'Ere We Go"] == (UNIT_TO_MOVE,)
    necrons = clash([at("immortals", 10)], [BOYZ])
    protocols = {s.name: triggers_of(DETACHMENTS, s) for s in necrons.setup.data.stratagems}
    assert protocols["Protocol of the Undying Legions"] == (ATTACKS_MADE,)


def test_storm_of_fire_is_offered_beside_the_units_and_paid() -> None:
    b = clash([INTERCESSORS, at("land-raider", 10, 30)], [BOYZ], dice={"any": [1] * 60}, cp=(1, 0))
    b.start()
    assert offers(b, "shoot_with", "Storm of Fire")
    assert not isinstance(b.default(asked(b, "shoot_with")), str), "no default spends Command points"
    give(b, "shoot_with", "Stratagem: Storm of Fire for Intercessor Squad")
    assert b.player(0).cp == 0 and "Storm of Fire" in b.player(0).used
    (found,) = volleys(b, "Intercessor Squad", "Boyz", "bolt rifle")
    assert "Storm of Fire" in " ".join(found.all_cites) or "w40k10.weapon.ignores_cover" in str(found)
    assert not offers(b, "shoot_with", "Storm of Fire"), "once in a phase, and no CP are left"


def test_its_effects_end_with_the_phase_and_with_a_turn_where_the_card_says_so() -> None:
    b = clash([INTERCESSORS], [BOYZ], dice={"any": [1] * 60}, cp=(1, 0))
    b.start()
    give(b, "shoot_with", "Stratagem: Storm of Fire for Intercessor Squad")
    assert {e.until for e in b.state.effects} == {"phase"}
    orks = clash([at("boyz", 10)], [at("intercessor-squad", 40)], step="move_units", dice={"advance": [1]}, cp=(1, 0))
    orks.start()
    give(orks, "move_with", "Stratagem: 'Ere We Go for Boyz")
    assert {e.until for e in orks.state.effects} == {"turn"}
    give(orks, "move_with", "Boyz")
    give(orks, "move", {"mode": "advance"})
    assert called(orks, "Boyz").advance == 3, "a 1, and 2 more"


def test_without_command_points_or_in_the_wrong_turn_nothing_is_offered() -> None:
    poor = clash([INTERCESSORS], [BOYZ], dice={"any": [1] * 60})
    poor.start()
    assert not offers(poor, "shoot_with", "Storm of Fire")
    theirs = clash([at("boyz", 20)], [at("intercessor-squad", 10)], dice={"any": [1] * 60}, cp=(0, 1))
    theirs.start()
    assert not offers(theirs, "shoot_with", "Storm of Fire")


def test_a_battle_shocked_unit_gets_no_stratagem() -> None:
    b = clash([INTERCESSORS, at("land-raider", 10, 30)], [BOYZ], dice={"any": [1] * 60}, cp=(1, 0))
    called(b, "Intercessor Squad").battle_shocked = True
    b.start()
    assert offers(b, "shoot_with", "Storm of Fire") == ["Stratagem: Storm of Fire for Land Raider"]


def test_armour_of_contempt_is_offered_to_those_whom_much_is_fired_at() -> None:
    b = clash(
        [at("eradicator-squad", 20), at("eradicator-squad", 20, 30, name="Second")],
        [at("intercessor-squad", 24)],
        dice={"any": [6] * 99, "save": [4] * 20},
        cp=(0, 1),
        gain=[("Intercessor Squad", {"kind": "invulnerable", "value": 6})],
    )
    b.start()
    give(b, "shoot_with", "Eradicator Squad")
    default(b, "shoot")
    assert "react.targets_selected" not in kinds(b), "with or without it, melta burns through"
    b = clash(
        [at("immortals", 14), at("immortals", 20, 30, name="Second")],
        [at("terminator-squad", 24)],
        dice={"any": [6] * 99, "save": [2] * 20},
        cp=(0, 1),
        options={"windows": "all"},
    )
    b.start()
    shoot(b, "Immortals", "Terminator Squad")
    settle(b, "react.targets_selected")
    before = [body.saves for body in _saves(b)]
    use_now(b, "targets_selected", "Armour of Contempt")
    after = [body.saves for body in _saves(b)]
    assert after < before, "attacks are one worse in AP"


def test_a_stratagem_against_attacks_is_offered_where_it_spares_enough() -> None:
    def fired_at(sheet: str) -> list[str]:
        b = clash([at(sheet, 10), at("scout-squad", 10, 30)], [at("boyz", 22)], dice={"any": [2] * 99}, cp=(0, 1))
        b.start()
        give(b, "shoot_with", b.units()[0].name)
        settle(b, "shoot")
        default(b, "shoot")
        return offered(b, "react.targets_selected") if kinds(b) == ["react.targets_selected"] else []

    assert "Stratagem: 'Ard as Nails for Boyz" in fired_at("hellblaster-squad")
    assert not fired_at("captain")


def _saves(b: Battle10) -> Any:
    return bodies(b, "Immortals", "Terminator Squad", "gauss blaster").bodies


def test_protocol_of_the_undying_legions_reanimates_after_the_attacks() -> None:
    b = clash(
        [INTERCESSORS, at("intercessor-squad", 10, 30, name="Second")],
        [at("necron-warriors", 24)],
        dice={"reanimation": [3] * 4, "save": [1] * 4 + [6] * 40, "any": [6] * 99},
        cp=(0, 1),
    )
    b.start()
    shoot(b, "Intercessor Squad", "Necron Warriors")
    settle(b, "react.attacks_made")
    alive = len(b.on_table(called(b, "Necron Warriors")))
    use_now(b, "attacks_made", "Undying Legions")
    settle(b, "shoot_with")
    assert len(b.on_table(called(b, "Necron Warriors"))) == alive + 2
    assert b.player(1).cp == 0


def test_squad_tactics_let_a_unit_move_when_an_enemy_has() -> None:
    b = clash(
        [at("boyz", 10)], [at("intercessor-squad", 22)], step="move_units", dice={"Squad Tactics": [4]}, cp=(0, 1)
    )
    b.start()
    give(b, "move_with", "Boyz")
    give(b, "move", {"mode": "normal", "by": [5, 0]})
    settle(b, "react.unit_move_ended")
    use_now(b, "unit_move_ended", "Squad Tactics")
    assert asked(b, "extra_move").modes[0].allowance == 4 * 1024  # type: ignore[attr-defined]


def test_models_fight_on_when_they_fall() -> None:
    b = clash(
        [at("bladeguard-veteran-squad", 10)],
        [at("boyz", 11.8), at("nobz", 40)],
        step="remaining_combats",
        dice={"hit": [6] * 60, "wound": [6] * 60, "save": [1] * 60, "any": [6] * 99},
        cp=(0, 2),
    )
    b.set_game(forced=called(b, "Bladeguard Veteran Squad").id)
    b.start()
    settle(b, "strike")
    default(b, "strike")
    settle(b, "react.targets_selected")
    use_now(b, "targets_selected", "Orks Is Never Beaten")
    settle(b, "strike")
    d = asked(b, "strike")
    assert d.player == 1 and called(b, "Boyz").last_stand
    default(b, "strike")
    settle(b, "fight_with", "strike", "pile_in")
    assert not called(b, "Boyz").last_stand


# --- Only at their own step -------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.strat.insane_bravery", check=4)
def test_insane_bravery_is_for_the_battle_shock_step_and_not_for_tests_that_an_ability_forces_before_it() -> None:
    b = clash(
        [at("boyz", 30)],
        [at("termagants", 10), at("neurotyrant", 13)],
        step="command_phase",
        dice={"battle-shock": [1, 1, 1, 2]},
        cp=(1, 0),
        objectives=[(32, 9)],
    )
    for m in called(b, "Boyz").models[4:]:
        b.state.models.place[m] = GONE
    b.start()
    default(b, "react.phase_began")
    give(b, "react.phase_began", "Ability: Shadow in the Warp")
    assert rolls(b) == [("battle-shock", (1, 1)), ("battle-shock", (1, 2))], "nothing was asked after the first test"
    assert asked(b, "react.test_failed").player == 0
    give(b, "react.test_failed", "Insane Bravery: Boyz")
    assert not called(b, "Boyz").battle_shocked


def boyz_under_fire(active: int) -> list[str]:
    """What Orks may use under fire from Hellblasters: in their own Shooting phase from those who fall."""
    b = clash(
        [at("boyz", 14)],
        [at("hellblaster-squad", 24)],
        dice={"hit": [6] * 99, "wound": [6] * 99, "save": [1] * 99, "any": [6] * 99},
        cp=(1, 0),
        options={"windows": "all"},
        active=active,
    )
    b.start()
    while "Hellblaster Squad shoots at Boyz." not in [e.text for e in b.events if isinstance(e, Told)]:
        b.answer(b.decisions[0], None if kinds(b)[0].startswith("react") else b.default(b.decisions[0]))
    return [label for d in b.decisions if d.player == 0 for label in offered(b, d.kind)]


@pytest.mark.rule("w40k10.strat.when_target", check=1)
def test_what_belongs_to_the_opponents_shooting_phase_is_not_used_in_ones_own() -> None:
    assert "Stratagem: 'Ard as Nails for Boyz" in boyz_under_fire(active=1)
    assert "Stratagem: 'Ard as Nails for Boyz" not in boyz_under_fire(active=0)


def moving_twice(kind: str, dice: Any = None) -> Battle10:
    """Termagants make a Normal move and, by an ability, another or a surge."""
    b = clash(
        [at("termagants", 10)],
        [at("intercessor-squad", 22)],
        step="move_units",
        dice=dice or {"any": [1] * 99},
        cp=(0, 5),
        gain=[("Termagants", {"kind": "move", "distance": 2, "type": kind, "at": "moved"})],
        options={"windows": "all"},
    )
    b.start()
    give(b, "move_with", "Termagants")
    give(b, "move", {"mode": "normal", "by": [1, 0]})
    default(b, "react.unit_move_began")
    give(b, "extra_move", {"mode": kind, "by": [1, 0]})
    return b


@pytest.mark.rule("w40k10.strat.when_target", check=1)
def test_overwatch_and_squad_tactics_answer_a_normal_move_but_no_surge() -> None:
    surged = moving_twice("surge")
    assert offered(surged, "react.unit_move_ended") == [
        "Fire Overwatch: Intercessor Squad",
        "Stratagem: Squad Tactics for Intercessor Squad",
    ]
    default(surged, "react.unit_move_ended")
    assert kinds(surged) == ["shoot_with"], "only the Normal move is answered"
    moved = moving_twice("normal")
    assert offered(moved, "react.unit_move_began") == ["Fire Overwatch: Intercessor Squad"]
    default(moved, "react.unit_move_began")
    default(moved, "react.unit_move_ended")
    default(moved, "react.unit_move_ended")
    assert kinds(moved) == ["shoot_with"], "both are"


def test_those_who_are_left_make_an_additional_move_when_overwatch_met_it_as_it_began() -> None:
    b = moving_twice("normal", {"hit": [6] * 3 + [1] * 40, "wound": [6] * 3, "save": [1] * 3, "any": [1] * 99})
    before = {m: int(b.state.models.pos[m, 0]) for m in called(b, "Termagants").models}
    give(b, "react.unit_move_began", "Fire Overwatch: Intercessor Squad")
    settle(b, "react.unit_move_ended")
    left = b.on_table(called(b, "Termagants"))
    assert len(left) == 7
    assert [int(b.state.models.pos[m, 0]) - before[int(m)] for m in left] == [1024] * 7


@pytest.mark.rule("w40k10.strat.when_target", check=1)
def test_abilities_that_answer_an_enemy_move_do_not_answer_a_surge() -> None:
    b = clash([at("termagants", 10)], [at("intercessor-squad", 17)], step="move_units", active=1)
    intercessors = called(b, "Intercessor Squad").id

    def answered(move: str) -> list[str]:
        moment = Moment(intercessors, data={"move": move})
        return [describe(b, use) for _, use in uses_now(b, 0, UNIT_MOVE_ENDED, moment, optional=True)]

    assert [answered(move) for move in ("normal", "advance", "fall_back")] == [["Skulking Horrors (Termagants)"]] * 3
    assert [answered(move) for move in ("surge", "charge")] == [[], []]


def test_armour_of_contempt_lasts_until_its_attackers_are_done() -> None:
    b = clash(
        [at("immortals", 14), at("immortals", 20, 30, name="Second")],
        [at("terminator-squad", 24)],
        dice={"any": [1] * 99},
        cp=(0, 1),
        options={"windows": "all"},
    )
    b.start()
    shoot(b, "Immortals", "Terminator Squad")
    settle(b, "react.targets_selected")
    before = [body.saves for body in _saves(b)]
    use_now(b, "targets_selected", "Armour of Contempt")
    settle(b, "shoot_with")
    assert kinds(b) == ["shoot_with"] and b.state.game.phase == "shooting"
    assert [body.saves for body in _saves(b)] == before


# --- Prices -----------------------------------------------------------------------------------------------------------


def test_a_captain_makes_a_stratagem_cheaper_once_in_a_round() -> None:
    b = clash(
        [INTERCESSORS, at("captain", 12, leads="Intercessor Squad"), at("land-raider", 10, 30)],
        [BOYZ],
        dice={"any": [1] * 60},
        cp=(1, 0),
    )
    b.start()
    give(b, "shoot_with", "Stratagem: Storm of Fire for Intercessor Squad")
    d = asked(b, "use_ability")
    assert "Rites of Battle" in d.prompt and b.default(d) is True
    give(b, "use_ability", True)
    assert b.player(0).cp == 1 and "(0CP)" in stratagems(b)[-1]
    assert price(b, 0, "Fire Overwatch", 1, called(b, "Intercessor Squad").id) == 1, "not twice in a round"


def test_the_price_may_be_paid_in_full() -> None:
    b = clash([INTERCESSORS, at("captain", 12, leads="Intercessor Squad")], [BOYZ], dice={"any": [1] * 60}, cp=(1, 0))
    b.start()
    give(b, "shoot_with", "Stratagem: Storm of Fire for Intercessor Squad")
    give(b, "use_ability", False)
    assert b.player(0).cp == 0
    assert price(b, 0, "Fire Overwatch", 1, called(b, "Intercessor Squad").id) == 0, "and is still there"


def test_with_a_captain_a_stratagem_can_be_used_without_command_points() -> None:
    b = clash([INTERCESSORS, at("captain", 12, leads="Intercessor Squad")], [BOYZ], dice={"any": [1] * 60})
    b.start()
    assert lowest_price(b, 0, "Storm of Fire", 1) == 0
    give(b, "shoot_with", "Stratagem: Storm of Fire for Intercessor Squad")
    assert "use_ability" not in kinds(b) and b.player(0).cp == 0 and "(0CP)" in stratagems(b)[-1]


def test_the_swarmlord_makes_enemies_pay_more_nearby() -> None:
    b = clash([INTERCESSORS, at("land-raider", 50, 30)], [at("the-swarmlord", 20)], dice=[])
    near, far = called(b, "Intercessor Squad").id, called(b, "Land Raider").id
    assert (price(b, 0, "Storm of Fire", 1, near), price(b, 0, "Storm of Fire", 1, far)) == (2, 1)
    assert price(b, 1, "Rapid Regeneration", 1, called(b, "The Swarmlord").id) == 1, "not its own side"


def test_what_could_not_be_paid_without_the_captain_is_not_asked_about() -> None:
    """One Command point would pay for it, but the Swarmlord makes it two: the Captain must help."""
    b = clash(
        [INTERCESSORS, at("captain", 12, leads="Intercessor Squad"), at("land-raider", 10, 30)],
        [at("the-swarmlord", 20)],
        dice={"any": [1] * 60},
        cp=(1, 0),
    )
    b.start()
    give(b, "shoot_with", "Stratagem: Storm of Fire for Intercessor Squad")
    assert "use_ability" not in kinds(b)
    assert b.player(0).cp == 0 and "(1CP)" in stratagems(b)[-1]


def test_a_beastboss_intervenes_for_nothing() -> None:
    b = clash([at("beastboss-on-squigosaur", 10), at("nobz", 20)], [at("intercessor-squad", 40)], dice=[])
    boss, nobz = called(b, "Beastboss on Squigosaur").id, called(b, "Nobz").id
    assert price(b, 0, "Heroic Intervention", 2, boss) == 0
    assert price(b, 0, "Heroic Intervention", 2, nobz) == 2
    assert usable_on(b, CARDS, 0, HEROIC_INTERVENTION, boss) and not usable_on(b, CARDS, 0, HEROIC_INTERVENTION, nobz)


def intervening(b: Battle10, charger: str, charged: str) -> list[str]:
    """Let a unit charge another; who may intervene then."""
    give(b, "charge_with", charger)
    give(b, "charge_targets", [charged])
    settle(b, "react.unit_move_ended", "charge_with", "fight_with")
    return offers(b, "react.unit_move_ended", "Heroic")


@pytest.mark.rule("w40k10.strat.once_per_phase", check=1)
def test_a_beastboss_may_intervene_where_others_have_and_nobody_where_it_has() -> None:
    def charged(first: str) -> Battle10:
        b = clash(
            [at("intercessor-squad", 10, 10), at("intercessor-squad", 10, 22, name="Second")],
            [at("boyz", 18, 6), at("boyz", 18, 22, name="More Boyz"), at("nobz", 21, 8),
             at("beastboss-on-squigosaur", 21.8, 19), at("nobz", 21, 26, name="More Nobz")],
            step="charge_phase", cp=(0, 6), dice={"charge": [5, 5, 1, 1, 5, 5], "any": [1] * 50},
        )  # fmt: skip
        b.start()
        assert f"Heroic Intervention: {first}" in intervening(b, "Intercessor Squad", "Boyz")
        give(b, "react.unit_move_ended", f"Heroic Intervention: {first}")
        settle(b, "charge_with")
        return b

    boss = "Beastboss on Squigosaur"
    assert intervening(charged("Nobz"), "Second", "More Boyz") == [f"Heroic Intervention: {boss}"]
    assert intervening(charged(boss), "Second", "More Boyz") == [], "neither the boss again nor More Nobz"


def test_one_stratagem_alone_may_be_free() -> None:
    b = clash([at("lictor", 10)], [at("intercessor-squad", 40)], dice=[])
    lictor = called(b, "Lictor").id
    assert (price(b, 0, RAPID_INGRESS.name, 1, lictor), price(b, 0, "Fire Overwatch", 1, lictor)) == (0, 1)


def test_a_comms_array_may_give_a_command_point_back() -> None:
    def array(face: int) -> int:
        carries = ["bolt pistol", "marksman bolt carbine", "close combat weapon", "infiltrator comms array"]
        b = clash(
            [at("infiltrator-squad", 10, wargear=[{"model": "Infiltrator", "carry": carries}])],
            [BOYZ],
            dice={"Infiltrator Comms Array": [face], "any": [1] * 60},
            cp=(1, 0),
        )
        b.start()
        give(b, "shoot_with", "Stratagem: Storm of Fire for Infiltrator Squad")
        assert rolls(b)[0] == ("Infiltrator Comms Array", (face,))
        return b.player(0).cp

    assert (array(5), array(4)) == (1, 0)


def test_an_orbital_array_works_for_friends_nearby() -> None:
    def paid(x: float) -> list[str]:
        carries = ["storm bolter", "storm bolter", "armoured hull", "orbital comms array"]
        b = clash(
            [INTERCESSORS, at("impulsor", x, wargear=[{"model": "Impulsor", "carry": carries}])],
            [BOYZ],
            dice={"Orbital Comms Array": [5], "any": [1] * 60},
            cp=(1, 0),
        )
        b.start()
        give(b, "shoot_with", "Stratagem: Storm of Fire for Intercessor Squad")
        return [reason for reason, _ in rolls(b)]

    assert (paid(16), paid(40)) == (["Orbital Comms Array"], [])


def test_a_doctrine_strengthens_a_stratagem() -> None:
    def under(doctrine: bool) -> int:
        b = clash([INTERCESSORS], [BOYZ], dice={"any": [1] * 60}, cp=(1, 0))
        if doctrine:
            use(b, "Combat Doctrines", number=0, until="command of 0")
            assert is_marked(b, called(b, "Intercessor Squad"), "devastator_doctrine")
        b.start()
        give(b, "shoot_with", "Stratagem: Storm of Fire for Intercessor Squad")
        return bodies(b, "Intercessor Squad", "Boyz", "bolt rifle").bodies[0].saves[0]

    assert under(True) == under(False) + 1


def test_units_without_the_keyword_are_no_target() -> None:
    b = clash(
        [at("trukk", 10), at("boyz", 10, 30)], [at("intercessor-squad", 40)], step="move_units", dice=[], cp=(1, 0)
    )
    b.start()
    assert offers(b, "move_with", "'Ere We Go") == ["Stratagem: 'Ere We Go for Boyz"]
