"""Abilities at the start and the end of phases: marks, Command points, healing, models that come back, tests."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE, Effect, Refused, questions
from sandtable.battle.events import Told
from sandtable.forty.effects.at_work import is_marked, set_off
from sandtable.forty.effects.lasting import ends
from sandtable.systems.w40k10.state import Battle10
from w40k10.armies import go_on
from w40k10.powers import at, called, clash
from w40k10.table import asked, default, give, kinds, offered, rolls, told

INTERCESSORS = at("intercessor-squad", 10)
BOYZ = at("boyz", 30)
WARRIORS = at("necron-warriors", 10)


def used(b: Battle10) -> list[str]:
    """The abilities that were used, in their order."""
    return [e.data["name"] for e in b.events if isinstance(e, Told) and e.kind == "ability"]


def fell(b: Battle10, unit: str, count: int) -> None:
    """The last models of a unit are out of play before the battle goes on."""
    for m in called(b, unit).models[-count:] if count else ():
        b.state.models.place[m] = GONE
        b.state.models.wounds[m] = 0


def use_now(b: Battle10, trigger: str, name: str) -> None:
    """Take the option of an ability in a window."""
    found = [label for label in offered(b, f"react.{trigger}") if name in label]
    assert found, f"{name} is not among {offered(b, f'react.{trigger}')}"
    give(b, f"react.{trigger}", found[0])


def go_to(b: Battle10, kind: str, player: int) -> None:
    """Defaults until a player is asked a question of a kind."""
    for _ in range(200):
        if b.decisions and (b.decisions[0].kind, b.decisions[0].player) == (kind, player):
            return
        for d in b.decisions:
            b.answer(d, b.default(d))
    raise AssertionError(f"{kind} was not asked")


# --- Marks ------------------------------------------------------------------------------------------------------------


def test_the_oath_marks_one_enemy_unit_until_the_next_command_phase() -> None:
    b = clash([INTERCESSORS], [BOYZ, at("deff-dread", 40)], step="command_phase", dice=[6] * 40)
    b.start()
    assert offered(b, "ability_target") == ["Boyz", "Deff Dread"]
    give(b, "ability_target", "Deff Dread")
    assert is_marked(b, called(b, "Deff Dread"), "oath") and not is_marked(b, called(b, "Boyz"), "oath")
    assert used(b) == ["Oath of Moment"]
    b.state.active = 1
    b.end_effects(lambda e: e.until == "command of 1")
    assert is_marked(b, called(b, "Deff Dread"), "oath"), "it outlasts the opponent's Command phase"
    b.end_effects(lambda e: e.until == "command of 0")
    assert not is_marked(b, called(b, "Deff Dread"), "oath")


def test_the_oath_is_sworn_anew_in_each_own_command_phase() -> None:
    b = clash([INTERCESSORS], [BOYZ, at("deff-dread", 40)], step="command_phase", dice={"any": [3] * 200})
    b.start()
    give(b, "ability_target", "Deff Dread")
    go_on(b, "ability_target")
    give(b, "ability_target", "Boyz")
    assert b.state.round == 2 and b.state.active == 0
    assert is_marked(b, called(b, "Boyz"), "oath") and not is_marked(b, called(b, "Deff Dread"), "oath")


def test_a_doctrine_is_chosen_at_most_once_in_a_battle_and_one_at_a_time() -> None:
    b = clash([INTERCESSORS], [BOYZ], step="command_phase", dice={"any": [3] * 200})
    b.start()
    names = ["Assault Doctrine", "Devastator Doctrine", "Tactical Doctrine"]
    assert offered(b, "react.phase_began") == [f"Ability: Combat Doctrines, {n}" for n in names]
    notes = {o.label.rpartition(", ")[2]: o.note for o in asked(b, "react.phase_began").options}
    assert notes["Assault Doctrine"] == "lets units charge after Advancing"
    assert notes["Tactical Doctrine"] == "lets units shoot after Falling Back and charge after Falling Back"
    use_now(b, "phase_began", "Tactical")
    assert is_marked(b, called(b, "Intercessor Squad"), "tactical_doctrine")
    assert kinds(b) != ["react.phase_began"], "one doctrine in a Command phase"
    go_to(b, "react.phase_began", 0)
    assert b.state.round == 2
    assert not is_marked(b, called(b, "Intercessor Squad"), "tactical_doctrine")
    assert offered(b, "react.phase_began") == [f"Ability: Combat Doctrines, {n}" for n in names[:2]]


def test_a_waaagh_is_called_once_in_a_battle_for_the_whole_army() -> None:
    squads = [at("boyz", 10), at("nobz", 16)]
    b = clash(squads, [at("intercessor-squad", 40)], step="command_phase", dice={"any": [3] * 400})
    b.start()
    assert offered(b, "react.phase_began") == ["Ability: Waaagh!"]
    give(b, "react.phase_began", "Ability: Waaagh!")
    assert "red uses Waaagh!" in [e.text for e in b.events if isinstance(e, Told)], (
        "its mark is enough, without a full stop"
    )
    assert is_marked(b, called(b, "Boyz"), "waaagh") and is_marked(b, called(b, "Nobz"), "waaagh")
    assert not is_marked(b, called(b, "Intercessor Squad"), "waaagh")
    while b.state.round < 3 or b.state.active:
        assert not any("Waaagh!" in o.label for d in b.decisions for o in getattr(d, "options", ()))
        for d in b.decisions:
            b.answer(d, b.default(d))


def test_by_default_what_works_once_in_a_battle_is_never_spent() -> None:
    b = clash([at("boyz", 10)], [at("intercessor-squad", 40)], step="command_phase", dice={"any": [3] * 400})
    b.start()
    offers = 0
    while b.state.round < 4:
        waaagh = [d for d in b.decisions if d.kind == "react.phase_began"]
        assert all(b.default(d) is None for d in waaagh)
        offers += len(waaagh)
        b.answer(b.decisions[0], questions.plain(b, b.decisions[0]))
    assert offers >= 3


def test_two_friends_are_chosen_where_an_ability_names_two() -> None:
    b = clash(
        [at("neurotyrant", 10), at("termagants", 14), at("hormagaunts", 18)], [BOYZ], step="command_phase", dice=[]
    )
    b.start()
    use_now(b, "phase_began", "Synaptic Relays")
    give(b, "ability_target", "Termagants")
    assert offered(b, "ability_target") == ["Hormagaunts", "Neurotyrant"], "the same unit cannot be chosen twice"
    give(b, "ability_target", "Hormagaunts")
    marked = [e.unit for e in b.state.effects if e.kind == "ability"]
    assert marked == [called(b, "Termagants").id, called(b, "Hormagaunts").id]


# --- Command points ---------------------------------------------------------------------------------------------------


def test_a_command_point_comes_in_the_own_command_phase_and_one_in_a_round_at_most() -> None:
    b = clash(
        [at("imotekh-the-stormlord", 10)],
        [BOYZ],
        step="command_phase",
        gain=[("Imotekh the Stormlord", {"kind": "gain_cp", "at": "command"})],
        dice=[],
    )
    b.start()
    assert used(b) == ["Grand Strategist", "gained 0"]
    assert b.player(0).cp == 2, "one from the phase, one extra, and no second extra one"


def test_a_point_that_needs_a_die_and_an_objective() -> None:
    def thief(face: int, *, near: bool = True) -> int:
        place = at("gretchin", 10, 8)
        b = clash([place], [at("intercessor-squad", 40)], step="movement_phase", objectives=[(11.5, 9)], dice=[face])
        b.state.game.control = (0,) if near else (-1,)
        b.start()
        return b.player(0).cp

    assert (thief(4), thief(3), thief(4, near=False)) == (1, 0, 0)


# --- Healing and coming back ------------------------------------------------------------------------------------------


def test_grot_riggers_mend_a_wound_in_each_command_phase() -> None:
    b = clash([at("trukk", 10)], [at("intercessor-squad", 40)], step="command_phase", dice=[])
    (trukk,) = called(b, "Trukk").models
    b.state.models.wounds[trukk] = 6
    b.start()
    assert int(b.state.models.wounds[trukk]) == 7
    full = clash([at("trukk", 10)], [at("intercessor-squad", 40)], step="command_phase", dice=[])
    full.start()
    assert used(full) == []


def test_a_technomancer_heals_one_damaged_friend_nearby() -> None:
    b = clash(
        [at("technomancer", 10), at("canoptek-wraiths", 14), at("canoptek-doomstalker", 40)],
        [BOYZ],
        step="end_phase",
        dice={"Technomancer": [5]},
    )
    b.state.game.phase = "movement"
    b.state.models.wounds[called(b, "Canoptek Wraiths").models[1]] = 1
    b.state.models.wounds[called(b, "Canoptek Doomstalker").models[0]] = 1
    b.start()
    assert int(b.state.models.wounds[called(b, "Canoptek Wraiths").models[1]]) == 4, "a D3 of 3"
    assert int(b.state.models.wounds[called(b, "Canoptek Doomstalker").models[0]]) == 1, "too far away"


def reanimating(dice: list[int], lost: int, **more: Any) -> Battle10:
    b = clash([at("immortals", 10)], [BOYZ], step="end_phase", dice={"reanimation": dice}, **more)
    b.state.game.phase = "command"
    fell(b, "Immortals", lost)
    return b


def test_units_reanimate_at_the_end_of_their_command_phase() -> None:
    b = reanimating([3], 2)
    b.start()
    assert rolls(b)[-1] == ("reanimation", (3,)), "a D3 of 2"
    default(b, "return_models")
    assert len(b.on_table(called(b, "Immortals"))) == 5
    assert [int(w) for w in b.state.models.wounds[list(called(b, "Immortals").models)]] == [1] * 5


def test_wounds_mend_the_damaged_first_and_come_back_one_by_one() -> None:
    b = clash([at("skorpekh-destroyers", 10)], [BOYZ], step="end_phase", dice={"reanimation": [6]})
    b.state.game.phase = "command"
    first, _, last = called(b, "Skorpekh Destroyers").models
    fell(b, "Skorpekh Destroyers", 1)
    b.state.models.wounds[first] = 2
    b.start()
    assert int(b.state.models.wounds[first]) == 3, "one wound mends it"
    default(b, "return_models")
    assert int(b.state.models.wounds[last]) == 2, "the other two stand a model up"


def test_a_model_comes_back_in_coherency_and_away_from_fresh_enemies() -> None:
    b = reanimating([1], 1)
    b.start()
    d = asked(b, "return_models")
    (spot,) = b.default(d)
    far = type(spot)(spot.model, spot.x + 20 * 1024, spot.y, spot.z, spot.facing)
    with pytest.raises(Refused, match="coherency"):
        b.answer(d, [far])
    b.answer(d, [spot])
    assert len(b.on_table(called(b, "Immortals"))) == 5


def test_nobody_comes_back_within_engagement_range_of_an_enemy_that_the_unit_does_not_fight() -> None:
    b = clash([at("immortals", 10)], [at("boyz", 13.5)], step="end_phase", dice={"reanimation": [1]})
    b.state.game.phase = "command"
    fell(b, "Immortals", 1)
    b.start()
    d = asked(b, "return_models")
    (spot,) = b.default(d)
    x, y, z = (int(v) for v in b.state.models.pos[called(b, "Immortals").models[0]])
    close = type(spot)(spot.model, x + 1500, y, z, 0)
    with pytest.raises(Refused, match="Engagement Range"):
        b.answer(d, [close])


def lone_leader(wounds: int, bodyguard: int, dice: list[int]) -> Battle10:
    """An Overlord at the end of its Command phase, with so many wounds and so many of its five Immortals left."""
    squad = [at("immortals", 10), at("overlord", 12, leads="Immortals")]
    b = clash(squad, [BOYZ], step="end_phase", dice={"reanimation": dice})
    b.state.game.phase = "command"
    unit = called(b, "Immortals")
    for m in [m for m in unit.models if m not in unit.leader][bodyguard:]:
        b.state.models.place[m], b.state.models.wounds[m] = GONE, 0
    b.state.models.wounds[unit.leader[0]] = wounds
    b.start()
    return b


@pytest.mark.rule("w40k10.unit.attached_strength", check=4)
def test_a_destroyed_bodyguard_does_not_come_back_to_its_leader() -> None:
    with_one = lone_leader(6, 1, [5])
    default(with_one, "return_models")
    assert len(with_one.on_table(called(with_one, "Immortals"))) == 5, "a D3 of 3 beside the one that is left"
    alone = lone_leader(6, 0, [5])
    assert used(alone) == [] and rolls(alone) == []
    assert alone.on_table(called(alone, "Immortals")).tolist() == list(called(alone, "Immortals").leader)


@pytest.mark.rule("w40k10.unit.attached_strength", check=4)
def test_a_leader_left_alone_reanimates_its_own_wounds_and_no_more() -> None:
    alone = lone_leader(4, 0, [6])
    assert used(alone) == ["Reanimation Protocols"]
    unit = called(alone, "Immortals")
    assert int(alone.state.models.wounds[unit.leader[0]]) == 6, "two of three wounds were lost"
    assert alone.on_table(unit).tolist() == list(unit.leader) and "return_models" not in kinds(alone)


def test_wounds_heal_a_leader_before_anybody_comes_back() -> None:
    b = lone_leader(4, 4, [6])
    default(b, "return_models")
    unit = called(b, "Immortals")
    assert int(b.state.models.wounds[unit.leader[0]]) == 6, "two wounds heal the Leader"
    assert len(b.on_table(unit)) == 6, "the third brings an Immortal back"


def test_the_player_says_whose_wounds_reanimate_where_they_do_not_suffice_for_all() -> None:
    squad = [at("skorpekh-destroyers", 10), at("skorpekh-lord", 13, leads="Skorpekh Destroyers")]
    b = clash(squad, [BOYZ], step="end_phase", dice={"reanimation": [3]})
    b.state.game.phase = "command"
    unit = called(b, "Skorpekh Destroyers")
    first, lord = unit.models[0], unit.leader[0]
    b.state.models.wounds[first], b.state.models.wounds[lord] = 1, 2
    b.start()
    give(b, "heal", lord)
    give(b, "heal", first)
    assert (int(b.state.models.wounds[first]), int(b.state.models.wounds[lord])) == (2, 3)


def test_warriors_may_roll_their_reanimation_again() -> None:
    b = clash([WARRIORS], [BOYZ], step="end_phase", dice={"reanimation": [1, 6]})
    b.state.game.phase = "command"
    fell(b, "Necron Warriors", 4)
    b.start()
    assert b.default(asked(b, "reroll_reanimation")) is True
    give(b, "reroll_reanimation", True)
    default(b, "return_models")
    assert len(b.on_table(called(b, "Necron Warriors"))) == 10 - 4 + 3


def test_a_grot_orderly_brings_models_back_once_in_a_battle() -> None:
    carries = {"model": "Painboy", "carry": ["power klaw", "'urty syringe", "grot orderly"]}
    squad = [at("boyz", 10), at("painboy", 12, leads="Boyz", wargear=[carries])]
    b = clash(squad, [at("intercessor-squad", 40)], step="command_phase", dice={"Grot Orderly": [5]})
    for m in called(b, "Boyz").models[5:10]:
        b.state.models.place[m] = GONE
    before = len([m for m in called(b, "Boyz").models if b.state.models.place[m] != GONE])
    b.start()
    use_now(b, "phase_began", "Grot Orderly")
    while kinds(b)[0] in ("returning", "return_models"):
        default(b, kinds(b)[0])
    assert len(b.on_table(called(b, "Boyz"))) == before + 3
    assert "battle|" in str(b.player(0).spent)


def test_a_bearer_stands_up_again_at_the_end_of_the_phase() -> None:
    def fury(face: int) -> Battle10:
        b = clash(
            [at("captain", 10, enhancement="Indomitable Fury", warlord=True), at("intercessor-squad", 20)],
            [BOYZ],
            step="end_phase",
            detachments=("anvil-siege-force", None),
            dice={"Indomitable Fury": [face]},
        )
        b.state.game.phase = "shooting"
        (captain,) = called(b, "Captain").models
        b.state.models.place[captain] = GONE
        b.state.models.wounds[captain] = 0
        b.add_effect(Effect("fallen_bearer", called(b, "Captain").id, captain, until="phase"))
        b.start()
        return b

    risen = fury(2)
    (captain,) = called(risen, "Captain").models
    assert int(risen.state.models.wounds[captain]) == 5 and risen.is_on_table(called(risen, "Captain"))
    assert not fury(1).is_on_table(called(fury(1), "Captain"))


# --- Tests ------------------------------------------------------------------------------------------------------------


def test_enemies_engaged_with_terminators_take_a_test_when_the_fight_phase_begins() -> None:
    b = clash(
        [at("terminator-assault-squad", 10)],
        [at("boyz", 11.5), at("gretchin", 40)],
        step="fight_phase",
        dice={"battle-shock": [1, 1]},
    )
    b.start()
    assert called(b, "Boyz").battle_shocked and not called(b, "Gretchin").battle_shocked


def test_synapse_gives_a_third_die_against_battle_shock() -> None:
    def swarm(x: float) -> Battle10:
        b = clash(
            [at("termagants", 10), at("neurotyrant", x)], [BOYZ], step="battle_shock", dice={"battle-shock": [2, 2, 4]}
        )
        fell(b, "Termagants", 6)
        b.start()
        return b

    assert rolls(swarm(13))[0] == ("battle-shock", (2, 2, 4))
    assert rolls(swarm(40))[0] == ("battle-shock", (2, 2))


def test_shadow_in_the_warp_falls_on_every_enemy_once_in_a_battle() -> None:
    b = clash(
        [at("termagants", 10), at("neurotyrant", 13)],
        [BOYZ, at("nobz", 40)],
        step="command_phase",
        active=1,
        dice={"battle-shock": [6, 6, 1, 1]},
    )
    b.start()
    assert b.decisions[0].player == 1, "the active player is asked first, about the Waaagh!"
    default(b, "react.phase_began")
    give(b, "react.phase_began", "Ability: Shadow in the Warp")
    assert not called(b, "Boyz").battle_shocked and called(b, "Nobz").battle_shocked
    assert kinds(b) != ["react.phase_began"]


# --- Other moments ----------------------------------------------------------------------------------------------------


def test_living_lightning_strikes_as_the_shooting_phase_begins() -> None:
    b = clash(
        [at("plasmancer", 10)],
        [at("boyz", 26), at("nobz", 50)],
        step="shooting_phase",
        dice={"Living Lightning": [4, 3, 5, 6]},
    )
    b.start()
    while kinds(b) == ["allocate"]:
        default(b, "allocate")
    assert len(b.on_table(called(b, "Boyz"))) == 7 and len(b.on_table(called(b, "Nobz"))) == 5


def test_the_active_player_orders_abilities_that_get_in_each_others_way() -> None:
    b = clash(
        [at("plasmancer", 10), at("ctan-shard-of-the-void-dragon", 14)],
        [at("trukk", 22)],
        step="shooting_phase",
        dice={"Living Lightning": [1] * 4, "Matter Absorption": [2, 5]},
    )
    b.start()
    d = asked(b, "order_abilities")
    assert d.player == 0 and len(d.options) == 2  # type: ignore[attr-defined]
    b.answer(d, [1, 0])
    assert [reason for reason, _ in rolls(b)] == ["Matter Absorption"] * 2 + ["Living Lightning"]
    assert int(b.state.models.wounds[called(b, "Trukk").models[0]]) == 10 - 3


def test_a_resurrection_orb_works_at_the_end_of_any_phase() -> None:
    carries = {"model": "Overlord", "carry": ["tachyon arrow", "overlord's blade", "resurrection orb"]}
    b = clash(
        [at("immortals", 10), at("overlord", 12, leads="Immortals", wargear=[carries])],
        [BOYZ],
        step="end_phase",
        dice={"reanimation": [3]},
    )
    b.state.game.phase, b.state.round = "charge", 2
    for m in called(b, "Immortals").models[2:5]:
        b.state.models.place[m] = GONE
    b.start()
    use_now(b, "phase_ended", "Resurrection Orb")
    default(b, "return_models")
    assert len(b.on_table(called(b, "Immortals"))) == 6
    assert any(s.startswith("battle|") for s in b.player(0).spent)


def test_an_adaptation_is_chosen_before_the_battle() -> None:
    b = clash([at("termagants", 10)], [BOYZ], step="pre_battle_rules", dice=[])
    b.start()
    assert len(offered(b, "ability_branch")) == 3
    give(b, "ability_branch", "Hyper-aggression")
    termagants = called(b, "Termagants")
    assert is_marked(b, termagants, "hyper_aggression") and not is_marked(b, termagants, "hive_predators")
    assert used(b) == ["Hyper-adaptations"], "and not chosen again"


def test_effects_end_with_the_opponents_next_turn() -> None:
    b = clash([at("barbgaunts", 10)], [BOYZ], step="end_turn", dice={"any": [3] * 200})
    b.add_effect(set_off(0, 0, 1, ends(b, 0, "opponent_turn")))
    b.start()
    assert b.state.active == 1 and b.state.effects, "the own turn is over"
    while b.state.active == 1:
        default(b, kinds(b)[0])
    assert not b.state.effects


def test_a_bearer_that_is_destroyed_is_remembered_until_the_phase_ends() -> None:
    b = clash(
        [at("eradicator-squad", 10)],
        [at("captain", 22, enhancement="Indomitable Fury", warlord=True), at("intercessor-squad", 40)],
        detachments=(None, "anvil-siege-force"),
        dice={"Indomitable Fury": [2], "hit": [6] * 20, "wound": [6] * 20, "save": [1] * 20, "any": [6] * 60},
    )
    b.start()
    give(b, "shoot_with", "Eradicator Squad")
    default(b, "shoot")
    for _ in range(20):
        if b.state.game.phase != "shooting":
            break
        default(b, kinds(b)[0])
    assert "unit_destroyed" in told(b) and "returned" in told(b)
    assert b.is_on_table(called(b, "Captain"))
