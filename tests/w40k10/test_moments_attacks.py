"""Abilities around attacks: before them, after them, and by those who fall to them."""

from __future__ import annotations

from sandtable.battle import GONE
from sandtable.forty.effects.at_work import is_marked
from sandtable.systems.w40k10.movement_phase import characteristics
from sandtable.systems.w40k10.objectives import level_of_control
from sandtable.systems.w40k10.state import Battle10
from w40k10.powers import Place, at, called, clash, volleys
from w40k10.table import asked, default, give, kinds, offered, rolls, told
from w40k10.test_moments_command import fell, use_now, used

BOYZ = at("boyz", 24)


def shoot(b: Battle10, who: str, at_: str) -> None:
    """Fire everything at one unit."""
    give(b, "shoot_with", who)
    if kinds(b) == ["react.unit_selected_to_shoot"]:
        b.answer(b.decisions[0], None)
    declare(b, at_)


def declare(b: Battle10, at_: str) -> None:
    number = called(b, at_).id
    rows = [r for r in asked(b, "shoot").rows if number in r.targets]  # type: ignore[attr-defined]
    give(b, "shoot", [{"weapon": r.id, "target": at_} for r in rows])


def settle(b: Battle10, *until: str) -> None:
    """Defaults, until one of these questions is open."""
    for _ in range(100):
        if not b.decisions or kinds(b)[0] in until:
            return
        default(b, kinds(b)[0])


# --- Selected to shoot, or to fight -----------------------------------------------------------------------------------


def test_intercessors_may_fire_their_bolt_rifles_twice_as_much() -> None:
    b = clash([at("intercessor-squad", 10)], [BOYZ], dice={"any": [1] * 60})
    b.start()
    give(b, "shoot_with", "Intercessor Squad")
    before = volleys(b, "Intercessor Squad", "Boyz", "bolt rifle")[0].shots[0].each.plus
    assert b.default(asked(b, "react.unit_selected_to_shoot")) is not None, "it costs nothing"
    use_now(b, "unit_selected_to_shoot", "Target Elimination")
    assert volleys(b, "Intercessor Squad", "Boyz", "bolt rifle")[0].shots[0].each.plus == before + 2
    assert kinds(b) == ["shoot"], "once used, it is not offered again"


def test_a_power_trip_has_three_results_of_one_die() -> None:
    def trip(face: int) -> Battle10:
        b = clash(
            [at("killa-kans", 10)],
            [at("intercessor-squad", 24)],
            dice={"Shooty Power Trip": [face, 2], "any": [1] * 60},
        )
        b.start()
        give(b, "shoot_with", "Killa Kans")
        use_now(b, "unit_selected_to_shoot", "Shooty Power Trip")
        settle(b, "shoot")
        return b

    def hurt(b: Battle10) -> int:
        return 15 - int(sum(b.state.models.wounds[list(called(b, "Killa Kans").models)]))

    def gun(b: Battle10) -> tuple[int, int]:
        weapon = next(w.name for w in b.setup.data.sheets[0].weapons if not w.is_melee)
        (found,) = volleys(b, "Killa Kans", "Intercessor Squad", weapon)
        return found.shots[0].each.plus, len([f for f in range(1, 7) if found.wound.face(f).success])

    bad, strong, fast = trip(2), trip(4), trip(5)
    assert (hurt(bad), hurt(strong), hurt(fast)) == (1, 0, 0), "a D3 of 1"
    assert gun(fast)[0] == gun(bad)[0] + 1
    assert gun(strong)[0] == gun(bad)[0] and gun(strong)[1] >= gun(bad)[1]


def test_a_plasmacyte_works_once_in_a_battle_when_its_unit_fights() -> None:
    carries = {"model": "Skorpekh Destroyer", "carry": ["skorpekh hyperphase weapons", "plasmacyte"]}
    b = clash(
        [at("skorpekh-destroyers", 10, wargear=[carries])],
        [at("boyz", 12)],
        step="remaining_combats",
        dice={"any": [1] * 80},
    )
    called(b, "Skorpekh Destroyers").charged = True
    b.start()
    settle(b, "react.unit_selected_to_fight")
    use_now(b, "unit_selected_to_fight", "Plasmacyte")
    (found,) = volleys(b, "Skorpekh Destroyers", "Boyz", "skorpekh hyperphase weapons")[:1]
    assert "w40k10.weapon.devastating_wounds" in found.all_cites
    assert any(s.startswith("battle|") for s in b.player(0).spent)


def test_a_finest_hour_is_offered_only_near_a_fight() -> None:
    far = clash([at("captain", 10)], [at("boyz", 40)], step="fight_phase", dice={"any": [1] * 80})
    far.start()
    assert far.state.game.phase != "fight", "nobody was asked"
    near = clash([at("captain", 10)], [at("boyz", 11.6)], step="fight_phase", dice={"any": [1] * 80})
    near.start()
    use_now(near, "phase_began", "Finest Hour")
    weapon = next(w.name for w in near.setup.data.sheets[0].weapons if w.is_melee)
    (found,) = volleys(near, "Captain", "Boyz", weapon)
    assert "Finest Hour" in found.all_cites


def test_bladeguard_choose_one_of_two_for_each_fight_phase() -> None:
    b = clash([at("bladeguard-veteran-squad", 10)], [at("boyz", 11.6)], step="fight_phase", dice={"any": [1] * 80})
    b.start()
    assert len(offered(b, "react.phase_began")) == 2
    use_now(b, "phase_began", "Swords of the Imperium")
    assert "react.phase_began" not in kinds(b)
    (found,) = volleys(b, "Bladeguard Veteran Squad", "Boyz", "master-crafted power weapon")[:1]
    assert found.hit.reroll == (1,)


def test_warriors_must_choose_one_of_two() -> None:
    b = clash(
        [at("tyranid-warriors-with-melee-bio-weapons", 10)],
        [at("boyz", 11.8)],
        step="fight_phase",
        dice={"any": [1] * 80},
    )
    b.start()
    assert offered(b, "ability_branch") == ["Aggression Imperative", "Bioregeneration"]
    give(b, "ability_branch", "Bioregeneration")
    assert used(b) == ["Adaptive Instincts"]


# --- Having shot ------------------------------------------------------------------------------------------------------


def test_barbgaunts_slow_an_infantry_unit_that_they_hit() -> None:
    b = clash([at("barbgaunts", 10)], [at("boyz", 24), at("deff-dread", 24, 30)], dice={"any": [6] * 300})
    b.start()
    shoot(b, "Barbgaunts", "Boyz")
    settle(b, "charge_with", "react.phase_began")
    boyz = called(b, "Boyz")
    assert characteristics(b, boyz)[boyz.models[0]] == 4, "6 inches, and 2 less"
    assert {e.until for e in b.state.effects if e.unit == boyz.id} == {"turn of 1"}


def test_a_unit_that_was_missed_is_not_marked() -> None:
    def exocrine(face: int) -> bool:
        b = clash([at("exocrine", 10), at("termagants", 10, 30)], [BOYZ], dice={"hit": [face] * 12, "any": [2] * 60})
        b.start()
        shoot(b, "Exocrine", "Boyz")
        settle(b, "shoot_with")
        return is_marked(b, called(b, "Boyz"), "symbiotic_target")

    assert exocrine(6) and not exocrine(1)


def test_a_scream_shakes_a_unit_that_was_hit_with_a_penalty() -> None:
    b = clash(
        [at("screamer-killer", 10), at("termagants", 10, 30)],
        [at("intercessor-squad", 20)],
        dice={"battle-shock": [3, 3], "attacks": [1] * 6, "hit": [6] * 12, "any": [1] * 60},
    )
    b.start()
    shoot(b, "Screamer-Killer", "Intercessor Squad")
    settle(b, "shoot_with")
    assert called(b, "Intercessor Squad").battle_shocked, "6 less 1 against 6+"


# --- Having killed ----------------------------------------------------------------------------------------------------


def last_one(b: Battle10, unit: str) -> None:
    """Only the first model of a unit is left."""
    fell(b, unit, len(called(b, unit).models) - 1)


def strike(b: Battle10, who: str) -> None:
    settle(b, "fight_with", "strike")
    if kinds(b) == ["fight_with"]:
        give(b, "fight_with", who)
    settle(b, "strike")
    default(b, "strike")


def hunt(prey: Place) -> Battle10:
    b = clash(
        [at("lictor", 10)], [prey, at("nobz", 40)], step="remaining_combats", dice={"save": [1] * 20, "any": [6] * 99}
    )
    name = b.units()[1].name
    b.state.models.wounds[called(b, name).models[0]] = 1
    last_one(b, name)
    called(b, "Lictor").charged = True
    called(b, name).fought = True
    b.start()
    strike(b, "Lictor")
    return b


def test_a_lictor_feeds_on_characters() -> None:
    b = hunt(at("warboss", 12))
    assert used(b) == ["Feeder Tendrils"] and b.player(0).extra_cp == 1
    assert used(hunt(at("boyz", 12))) == []


def test_an_apothecary_holds_ground_once_its_unit_has_killed_in_melee() -> None:
    b = clash(
        [at("apothecary-biologis", 10)],
        [at("boyz", 11.6), at("nobz", 40)],
        step="remaining_combats",
        objectives=[(12.5, 9)],
        dice={"save": [1] * 20, "any": [6] * 99},
    )
    last_one(b, "Boyz")
    called(b, "Apothecary Biologis").charged = True
    called(b, "Boyz").fought = True
    b.start()
    assert level_of_control(b, 0, 0) < 9
    strike(b, "Apothecary Biologis")
    assert used(b) == ["Vivispectrum"] and level_of_control(b, 0, 0) == 9


def test_a_haruspex_frightens_those_who_watch_it_feed_but_not_with_its_guns() -> None:
    def feast(*, melee: bool) -> Battle10:
        b = clash(
            [at("haruspex", 10, 20), at("termagants", 10, 40)],
            [at("boyz", 13 if melee else 20, 20), at("nobz", 16, 20), at("gretchin", 50)],
            step="remaining_combats" if melee else "shoot_units",
            dice={"battle-shock": [1, 1] * 4, "save": [1] * 20, "any": [6] * 99},
        )
        last_one(b, "Boyz")
        called(b, "Boyz").fought = called(b, "Nobz").fought = True
        called(b, "Haruspex").charged = melee
        b.start()
        if melee:
            strike(b, "Haruspex")
        else:
            shoot(b, "Haruspex", "Boyz")
        settle(b, "react.attacks_made", "shoot_with", "consolidate", "react.test_failed")
        return b

    seen = feast(melee=True)
    assert not seen.is_on_table(called(seen, "Boyz"))
    assert called(seen, "Nobz").battle_shocked and not called(seen, "Gretchin").battle_shocked
    shot = feast(melee=False)
    assert not shot.is_on_table(called(shot, "Boyz")) and not called(shot, "Nobz").battle_shocked


# --- Having been hurt -------------------------------------------------------------------------------------------------


def test_a_ghost_ark_repairs_warriors_that_were_hurt_once_in_a_turn() -> None:
    b = clash(
        [at("intercessor-squad", 10), at("intercessor-squad", 10, 20, name="Second")],
        [at("necron-warriors", 24, 8), at("ghost-ark", 28, 8)],
        dice={"reanimation": [1] * 4, "save": [1] * 3 + [6] * 40, "any": [6] * 99},
    )
    b.start()
    shoot(b, "Intercessor Squad", "Necron Warriors")
    settle(b, "react.attacks_made")
    use_now(b, "attacks_made", "Repair Barge")
    settle(b, "shoot_with", "react.attacks_made")
    assert "returned" in told(b)
    assert any(s.startswith("turn|") for s in b.player(1).spent)


# --- Falling ----------------------------------------------------------------------------------------------------------


def hellblasters(face: int) -> Battle10:
    b = clash(
        [at("boyz", 20), at("nobz", 10, 30)],
        [at("hellblaster-squad", 24), at("intercessor-squad", 40)],
        dice={"For the Chapter!": [face] * 9, "hit": [6] * 40, "wound": [6] * 40, "save": [1] * 40, "any": [6] * 99},
    )
    fell(b, "Hellblaster Squad", 4)
    b.state.models.wounds[called(b, "Hellblaster Squad").models[0]] = 1
    b.start()
    shoot(b, "Boyz", "Hellblaster Squad")
    return b


def test_a_hellblaster_that_falls_shoots_once_more() -> None:
    b = hellblasters(3)
    d = asked(b, "shoot")
    assert d.player == 1 and d.unit == called(b, "Hellblaster Squad").id
    default(b, "shoot")
    settle(b, "shoot_with", "charge_with", "react.phase_began", "ability_target")
    assert len(b.on_table(called(b, "Boyz"))) < 10
    assert all(b.state.models.place[m] == GONE for m in called(b, "Hellblaster Squad").models)
    assert called(b, "Hellblaster Squad").last_stand == ()


def test_the_last_shot_of_a_hellblaster_is_not_hazardous() -> None:
    b = hellblasters(3)
    rows = asked(b, "shoot").rows  # type: ignore[attr-defined]
    row = next(r for r in rows if r.label == "plasma incinerator")
    hot = next(mode for mode in row.modes if "supercharge" in mode)
    give(b, "shoot", [{"weapon": row.id, "target": "Boyz", "mode": hot}])
    settle(b, "shoot_with", "charge_with", "react.phase_began", "ability_target")
    assert not any(reason == "hazardous" for reason, _ in rolls(b)) and len(b.on_table(called(b, "Boyz"))) < 10


def test_a_hellblaster_that_rolls_badly_does_not() -> None:
    b = hellblasters(2)
    assert ("For the Chapter!", (2,)) in rolls(b) and kinds(b) != ["shoot"]
    assert len(b.on_table(called(b, "Boyz"))) == 10


def test_a_prime_that_falls_before_it_fought_strikes_back() -> None:
    def prime(face: int, *, fought: bool = False) -> Battle10:
        b = clash(
            [at("nobz", 10)],
            [at("winged-tyranid-prime", 12), at("termagants", 40)],
            step="remaining_combats",
            dice={"Death Blow": [face], "hit": [6] * 60, "wound": [6] * 60, "save": [1] * 60, "any": [4] * 99},
        )
        called(b, "Nobz").charged = True
        called(b, "Winged Tyranid Prime").fought = fought
        b.state.models.wounds[called(b, "Winged Tyranid Prime").models[0]] = 1
        b.set_game(forced=called(b, "Nobz").id)
        b.start()
        settle(b, "strike")
        default(b, "strike")
        return b

    back = prime(4)
    assert asked(back, "strike").player == 1
    default(back, "strike")
    settle(back, "fight_with", "move_with")
    assert any(e == ("Death Blow", (4,)) for e in rolls(back))
    assert len(back.on_table(called(back, "Nobz"))) < 5
    assert not back.is_on_table(called(back, "Winged Tyranid Prime"))
    assert "strike" not in kinds(prime(3))
    assert ("Death Blow", (4,)) not in rolls(prime(4, fought=True))
