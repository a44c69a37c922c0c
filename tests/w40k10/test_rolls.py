"""Every roll says what it needed, why, and what came of it; and what it says is what happened."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from sandtable.battle import Battle, questions
from sandtable.battle.dice import KeyedDice
from sandtable.battle.events import AnyEvent, Rolled, Told
from sandtable.battle.rolls import SHOWN, Apart, Each, Total, sentence
from sandtable.systems.w40k10.dice import roll_off
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.system import SYSTEM
from w40k10.arms import blade, duel, face_off, gun, melee, sheet, shoot, strike, target
from w40k10.battles import matches, start
from w40k10.powers import at, clash
from w40k10.table import TROOPER, default, feature, give, row, situation, unit
from w40k10.test_moments_command import fell

TOUGH = target(wounds=50, save=4)
BESIDE = unit("Beside", "blue", target(name="N", wounds=9), [(22, 10)])


def sentences(b: Battle10, *reasons: str) -> list[str]:
    """What was told of these kinds of rolls, or of all."""
    rolled = [e for e in b.events if isinstance(e, Rolled)]
    return [sentence(e) for e in rolled if not reasons or e.reason in reasons]


# --- Attacks ----------------------------------------------------------------------------------------------------------


def test_hit_wound_and_save_say_what_they_need_and_what_came_of_it() -> None:
    dice = {"hit": [6, 4, 3, 5, 4], "wound": [4, 4, 4, 1, 1], "save": [4, 1, 1]}
    b = duel(gun("heavy", a="5", bs=4), TOUGH, flags={"moved": "stationary"}, dice=dice)
    assert sentences(b) == [
        "hit 3+ (4+, +1 Heavy): 6 4 3 5 4, 5 hits",
        "wound 4+ (S4 against T4): 4 4 4 1 1, 3 wounds",
        "save 4+: 4 1 1, 1 saved",
    ]
    why = next(e for e in b.events if isinstance(e, Rolled)).why
    assert [p.source for p in why] == ["w40k10.attack.hit_roll", "w40k10.weapon.heavy"]


def hits(*abilities: str, dice: list[int], victim: Any = None, **more: Any) -> str:
    arm = gun(*abilities, a=str(len(dice)), bs=more.pop("bs", 4))
    return sentences(duel(arm, victim or TOUGH, dice={"hit": dice, "any": [1] * 99}, **more), "hit")[0]


def test_a_penalty_is_named() -> None:
    hidden = {**TOUGH, "abilities": ["stealth"]}
    assert hits(dice=[5, 4], victim=hidden) == "hit 5+ (4+, -1 Stealth): 5 4, 1 hit"
    both = hits("heavy", dice=[4, 3], victim=hidden, flags={"moved": "stationary"})
    assert both == "hit 4+ (4+, +1 Heavy, -1 Stealth): 4 3, 1 hit"


def test_a_six_that_always_hits_and_a_one_that_never_does_are_said() -> None:
    hidden = {**TOUGH, "abilities": ["stealth"]}
    assert hits(dice=[6, 5], bs=6, victim=hidden) == "hit 6+ (6+, -1 Stealth, 6 always succeeds): 6 5, 1 hit"
    steady = hits("heavy", dice=[1, 2], bs=2, flags={"moved": "stationary"})
    assert steady == "hit 2+ (2+, +1 Heavy, 1 always fails): 1 2, 1 hit"


def test_the_cap_of_modifiers_is_said_where_it_matters() -> None:
    gain = [("Boyz", {"kind": "modify", "roll": "hit", "value": 1})] * 2
    b = clash([at("boyz", 10)], [at("intercessor-squad", 16)], gain=gain, bare=True, dice={"any": [3] * 99})
    b.start()
    shoot(b, "Boyz", "Intercessor Squad")
    assert sentences(b, "hit")[0].startswith("hit 4+ (5+, +1 gained 0, +1 gained 1, +1 at most): 3 3")


def test_criticals_are_counted_where_they_do_more() -> None:
    assert hits("sustained hits 1", dice=[6, 4, 1]) == "hit 4+: 6 4 1, 3 hits, 1 critical"
    assert hits("lethal hits", dice=[6, 4, 1]) == "hit 4+: 6 4 1, 2 hits, 1 critical (Lethal Hits)"
    assert hits(dice=[6, 4, 1]) == "hit 4+: 6 4 1, 2 hits"


def test_what_wounds_without_a_roll_is_named_beside_the_rolls_of_the_others() -> None:
    b = duel(gun("lethal hits", "sustained hits 1", a="2"), TOUGH, dice={"hit": [6, 3], "any": [1] * 9})
    assert sentences(b, "wound") == ["wound 4+ (S4 against T4): 1 1, 0 wounds, 1 more by Lethal Hits"]


def test_further_hits_are_rolled_and_told() -> None:
    b = duel(gun("sustained hits d3", a="2"), TOUGH, dice={"hit": [6, 1], "extra hits": [5], "any": [1] * 9})
    assert sentences(b, "hit", "extra hits") == ["hit 3+: 6 1, 1 hit, 1 critical", "extra hits D3: 5, 3 hits more"]


def test_anti_and_twin_linked_are_named_with_what_they_do() -> None:
    dice = {"hit": [3, 3], "wound": [1, 4, 5], "any": [1] * 9}
    b = duel(gun("twin-linked", "anti-infantry 4+", a="2", s=2), TOUGH, dice=dice)
    assert sentences(b, "wound") == [
        "wound 4+ (6+ S2 against T4, critical 4+ Anti): 1 4, 1 wound",
        "wound 4+ (6+ S2 against T4, critical 4+ Anti), 1 again (Twin linked): 5, 2 wounds",
    ]


def test_lance_is_named() -> None:
    b = melee(blade("lance", a="2"), TOUGH, flags={"charged": True}, dice={"hit": [3, 3], "any": [3] * 9})
    strike(b, ("blade", "Blues", 2))
    assert sentences(b, "wound") == ["wound 3+ (4+ S4 against T4, +1 Lance): 3 3, 2 wounds"]


def test_a_command_reroll_is_named_and_counts_all_dice_that_stand() -> None:
    dice = {"hit": [3, 1, 4], "any": [1] * 9}
    b = duel(gun(a="2", s=9, d="6"), TOUGH, dice=dice, cp=(1, 0), options={"windows": "all"})
    give(b, "react.after_roll", next(o.label for o in b.decisions[0].options if "1 of the hit" in o.label))  # type: ignore[attr-defined]
    assert sentences(b, "hit") == ["hit 3+: 3 1, 1 hit", "hit 3+, 1 again (Command Re-roll): 4, 2 hits"]


def test_the_number_of_attacks_says_what_blast_and_rapid_fire_add() -> None:
    arm = gun("blast", "rapid fire 1", a="D3+1")
    b = duel(arm, TOUGH, targets=6, shooters=2, gap=5, dice={"attacks": [5, 1], "any": [1] * 99})
    assert sentences(b, "attacks") == ["attacks 2 x D3+1 (+1 Rapid Fire, +1 Blast): 5 1, 10 attacks"]


def test_damage_says_what_melta_adds() -> None:
    dice = {"hit": [3], "wound": [4], "damage": [5]}
    b = duel(gun("melta 2", d="D6", ap=-6), TOUGH, gap=5, dice=dice)
    assert sentences(b, "damage") == ["damage D6 (+2 Melta): 5, 7 damage"]


def saves(victim: Any, *, ap: int = 0, terrain: Any = None, **more: Any) -> str:
    dice = {"hit": [3], "wound": [6], "save": [4], "any": [1] * 9}
    return sentences(duel(gun(ap=ap), victim, terrain=terrain, dice=dice, **more), "save")[0]


def test_a_save_says_whether_it_is_armour_or_an_invulnerable_save() -> None:
    assert saves(target(save=3, wounds=9), ap=-1) == "save 4+ (3+, AP -1): 4, 1 saved"
    assert saves(target(save=3, invulnerable=4, wounds=9), ap=-2) == "save 4+ (invulnerable): 4, 1 saved"
    assert saves(target(save=3, invulnerable=5, wounds=9), ap=-2) == "save 5+ (3+, AP -2): 4, 0 saved"


def test_a_save_says_that_cover_helps() -> None:
    woods = [feature("woods", (18, 6, 6, 8), 4)]
    assert saves(target(save=4, wounds=9), ap=-1, terrain=woods) == "save 4+ (4+, AP -1, +1 cover): 4, 1 saved"
    assert saves(target(save=3, wounds=9), terrain=woods) == "save 3+: 4, 1 saved", "too good for cover against AP 0"


def test_feel_no_pain_is_told() -> None:
    victim = target(wounds=9, abilities=["feel no pain 5+"])
    b = duel(gun(d="3"), victim, dice={"hit": [3], "wound": [4], "feel no pain": [5, 4, 1]})
    assert sentences(b, "feel no pain") == ["feel no pain 5+: 5 4 1, 1 ignored"]


def test_an_ability_behind_a_save_or_feel_no_pain_is_named() -> None:
    gain = [
        ("Boyz", {"kind": "invulnerable", "value": 4}),
        ("Boyz", {"kind": "feel_no_pain", "value": 6}),
    ]
    b = clash(
        [at("intercessor-squad", 10)],
        [at("boyz", 18)],
        gain=gain,
        bare=True,
        dice={"save": [3] * 30, "feel no pain": [3] * 30, "any": [6] * 99},
    )
    b.start()
    shoot(b, "Intercessor Squad", "Boyz", only=("bolt rifle",))
    default(b, "allocate")
    assert sentences(b, "save")[0] == "save 4+ (invulnerable by gained 0): 3, 0 saved"
    assert sentences(b, "feel no pain")[0] == "feel no pain 6+ (gained 1): 3, 0 ignored"


# --- Other rolls ------------------------------------------------------------------------------------------------------


def charge(dice: list[int], terrain: Any = None, **more: Any) -> list[str]:
    reds, blues = unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(17.5, 10)])
    b = situation([reds, blues], terrain, step="charge_phase", dice={"charge": dice}, **more)
    give(b, "charge_with", "Reds")
    return sentences(b, "charge")


def test_a_charge_says_what_the_distance_asks_for() -> None:
    assert charge([4, 2]) == ["charge needs 6: 4 + 2 = 6, far enough"]
    assert charge([4, 1]) == ["charge needs 6: 4 + 1 = 5, too short"]
    hill = [feature("hill", (15.7, 8.5, 0.6, 3), 4, solid=True)]
    assert charge([4, 4], hill) == ["charge needs 8: 4 + 4 = 8, far enough"], (
        "there is no room at 6, and a way around at 8"
    )
    assert charge([6, 6], [feature("hill", (14, 0, 1, 30), 6, solid=True)]) == [
        "charge: 6 + 6 = 12, no way to all targets was found for any roll"
    ]
    fence = [feature("barricade", (15.5, 8, 0.6, 4), 1, solid=True)]
    assert charge([4, 1], fence) == ["charge needs 5: 4 + 1 = 5, far enough"], "across a barricade 2 inches are enough"


def test_an_advance_says_how_far() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)])], dice={"advance": [4]})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    assert sentences(b) == ["advance: 4, 4 inches more"]


def test_a_battle_shock_test_says_what_leadership_asks_for() -> None:
    foe = unit("Blues", "blue", TROOPER, [(40, 20)])
    for dice, words in (([3, 3], "3 + 3 = 6, passed"), ([3, 2], "3 + 2 = 5, failed")):
        reds = unit("Reds", "red", TROOPER, row(2, (10, 10)), strength=5)
        b = situation([reds, foe], step="battle_shock", dice={"battle-shock": dice})
        assert sentences(b) == [f"battle-shock needs 6: {words}"]


def test_a_battle_shock_test_names_what_changes_it() -> None:
    gain = [("Boyz", {"kind": "modify", "roll": "battle_shock", "value": 1})]
    b = clash([at("boyz", 10)], [at("captain", 40)], step="battle_shock", dice=[3, 2], gain=gain, bare=True)
    fell(b, "Boyz", 8)
    b.start()
    assert sentences(b) == ["battle-shock needs 7 (+1 gained 0): 3 + 2 makes 6, failed"]


def test_desperate_escapes_and_hazards_say_what_is_lost() -> None:
    reds = unit("Reds", "red", TROOPER, row(3, (10, 10)))
    blues = unit("Blues", "blue", TROOPER, row(3, (10, 11.5)))
    b = situation([reds, blues], dice={"desperate escape": [3, 2, 1]})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "fall_back", "by": [0, 4.2]})
    assert sentences(b) == ["desperate escape 3+: 3 2 1, 2 models lost"]
    b = duel(gun("hazardous"), shooters=2, dice={"hit": [1, 1], "hazardous": [2, 1]})
    assert sentences(b, "hazardous") == ["hazardous 2+: 2 1, 1 failed"]


@pytest.mark.parametrize(("face", "words"), [(6, "it goes off"), (5, "nothing happens")])
def test_a_deadly_demise_says_whether_it_goes_off(face: int, words: str) -> None:
    dice = {"hit": [3], "wound": [4], "deadly demise": [face], "any": [5]}
    b = duel(gun(), target(abilities=["deadly demise d3"]), more=[BESIDE], dice=dice)
    assert sentences(b, "deadly demise") == [f"deadly demise 6+: {face}, {words}"]


def test_a_deadly_demise_says_how_many_mortal_wounds() -> None:
    dice = {"hit": [3], "wound": [4], "deadly demise": [6], "deadly demise wounds": [5]}
    b = duel(gun(), target(abilities=["deadly demise d3"]), more=[BESIDE], dice=dice)
    assert sentences(b, "deadly demise wounds") == ["deadly demise wounds D3: 5, 3 mortal wounds"]


def test_grenades_say_how_many_mortal_wounds() -> None:
    red = sheet(gun(), name="Red", keywords=["INFANTRY", "GRENADES"])
    b = face_off(gun(), target(wounds=9), gap=5, red=red, cp=(1, 0), dice={"grenade": [4, 4, 3, 1, 1, 1]})
    give(b, "shoot_with", "Grenade: Reds at Blues")
    assert sentences(b) == ["grenade 4+: 4 4 3 1 1 1, 2 mortal wounds"]


def test_overwatch_says_that_only_sixes_hit() -> None:
    movers = unit("Movers", "red", target(name="Mover", wounds=9), [(10, 10)])
    b = situation(
        [movers, unit("Blues", "blue", sheet(gun("heavy", a="3", bs=2), name="Blue"), [(20, 10)])],
        cp=(0, 1),
        options={"windows": "all"},
        dice={"hit": [5, 6, 4], "any": [1] * 9},
    )
    give(b, "move_with", "Movers")
    give(b, "move", {"mode": "normal", "by": [0, 1]})
    give(b, "react.unit_move_began", "Fire Overwatch: Blues")
    default(b, "shoot")
    assert sentences(b, "hit") == ["hit 6+ (Overwatch): 5 6 4, 1 hit"]


def test_a_roll_off_says_that_the_highest_wins() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)])], dice={"roll-off": [4, 2]})
    assert roll_off(b) == 0
    assert sentences(b) == ["roll-off (the highest wins): 4", "roll-off (the highest wins): 2"]


def test_a_reroll_by_an_ability_is_named() -> None:
    b = clash([at("captain-in-terminator-armour", 10)], [at("boyz", 19)], step="charge_units", dice=[1, 2, 5, 5])
    for u in b.units():
        b.set_unit(u, near=True)
    b.start()
    give(b, "charge_with", b.units()[0].name)
    give(b, "reroll_roll", True)
    first, again = sentences(b, "charge")
    assert first == "charge needs 7: 1 + 2 = 3, too short"
    assert again == "charge needs 7, 1 2 again (Unstoppable Valour): 5 + 5 = 10, far enough"


def test_a_reanimation_that_is_rolled_again_is_told() -> None:
    b = clash([at("necron-warriors", 10)], [at("boyz", 40)], step="end_phase", dice={"reanimation": [1, 6]})
    b.state.game.phase = "command"
    fell(b, "Necron Warriors", 4)
    b.start()
    give(b, "reroll_reanimation", True)
    assert [s.partition(" (")[0] for s in sentences(b)] == ["reanimation D3: 1, 1 wound", "reanimation D3, 1 again"]
    assert sentences(b)[1].endswith("): 6, 3 wounds")


# --- Whole battles ----------------------------------------------------------------------------------------------------


class Reader:
    """Reads every roll of a battle again, from the faces alone."""

    def __init__(self) -> None:
        self.hits = self.dice_to_wound = self.wounds = -1
        self.seen: set[str] = set()

    def hear(self, event: AnyEvent) -> None:
        match event:
            case Rolled():
                self.read(event)
            case Told(kind="attack"):
                self.compare(event)

    def read(self, roll: Rolled) -> None:
        self.seen.add(roll.reason)
        dice = roll.standing or roll.faces
        assert roll.read != SHOWN, f"nothing is known about the roll '{roll.reason}'"
        assert all(1 <= f <= roll.sides for f in dice)
        if isinstance(roll.read, Total):
            assert roll.total is not None and roll.result == roll.total
            if roll.needed:
                assert roll.made == int(roll.total >= roll.needed)
        elif isinstance(roll.read, Apart):
            assert roll.made == len([1 for f, n in zip(dice, roll.read.needs, strict=True) if f >= n])
        elif roll.noun:
            top = roll.read.up_to if isinstance(roll.read, Each) and roll.read.up_to else 6
            assert roll.made == len([f for f in dice if roll.needed <= f <= top])
        if roll.reason == "hit":
            self.hits, self.wounds = roll.result, -1
        elif roll.reason == "extra hits":
            self.hits += roll.result
        elif roll.reason == "wound":
            self.dice_to_wound, self.wounds = len(dice), roll.result

    def compare(self, told: Told) -> None:
        """What the rolls said is what the attack came to; hits that wound by themselves are not rolled for."""
        if self.hits >= 0:
            assert told.data["hits"] == self.hits, told.text
            if self.wounds >= 0:
                assert told.data["wounds"] == self.wounds + self.hits - self.dice_to_wound, told.text
        self.hits = self.wounds = -1


@pytest.mark.parametrize("number", [0, 3, 8])
def test_every_roll_of_a_battle_says_what_happened(number: int) -> None:
    setup, state = start(next(islice(matches(), number, None)))
    battle: Battle[Any, Any, Any, Any] = Battle(SYSTEM, setup, state, dice=KeyedDice(number), record=False).start()
    rng, reader = Random(number), Reader()
    while battle.decisions:
        decision = battle.decisions[0]
        battle.answer(decision, next(questions.suggest(battle, decision, rng)))
    for event in battle.events:
        reader.hear(event)
    assert {"hit", "wound", "save", "advance", "roll-off"} <= reader.seen
