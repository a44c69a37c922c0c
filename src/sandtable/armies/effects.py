"""The vocabulary of effects: what army rules, abilities, wargear and enhancements change, as data.

Every effect has a `kind` with its own fields, and these fields that all share:

| field    | meaning |
|----------|---------|
| who      | `model` the bearer; `unit` its unit; `led` its unit, while it leads one; `army`; `friends` / `friend` all / a chosen one of the friendly units within `within` inches; `enemies` / `enemy` likewise; `everyone` all units there, of both sides; `target` the enemy unit that the bearer's unit just attacked, charged or moved over |
| within   | inches for friends and enemies, `engagement` for Engagement Range; 0 for the whole table |
| wholly   | all of their bases have to be within |
| only     | keywords, in upper case: the effect works on units that have one of them |
| when     | conditions (see CONDITIONS) on the unit that the effect works on and on its attack, which must all hold; "not " before one turns it round |
| bearer   | the same, on the unit that the effect comes from; `model` and `model_keyword` say from which of its models `within` is measured |
| at       | the moment when something is done; empty for an effect that lasts |
| until    | how long what was done at a moment lasts; empty for at once |
| once     | at most once in a phase, turn, round or battle for each bearer |
| shared   | the limit of `once` counts for all bearers in the army together |
| uses     | so often instead of once... |
| per      | ...for each so many models that the unit began the battle with |
| die      | a D6 must show this or more... |
| up_to    | ...and this at most |
| optional | its player may decline |
| visible  | only units that the bearer's unit sees are chosen |
| nearest  | only the nearest of these units is chosen |
| fresh    | only units on which nothing of an ability of this name lasts are chosen; of what is done at once, those to which no ability of this name did it at this moment: several bearers count as one |
| own      | of those that were hit only those that the bearer itself hit, not the others of its unit |
| branch   | where an ability offers a choice: effects with the same branch belong together |

The effects of one ability at one moment are one use of it: taken or declined together, with one die for all of them
(one for each unit where `who` names several, but one for `everyone`). AP is 0 or below, so that a better one is lower.

| kind           | fields | what it does |
|----------------|--------|--------------|
| reroll         | roll, faces, attacks | re-roll ones, failures, or any result |
| modify         | roll, value, attacks | add to a roll |
| critical       | roll, value, successful, attacks | hit or wound rolls that show `value` or more are critical, or only those that are `successful` anyway; or every `success` |
| characteristic | name, add or to or divide or multiply (no dice), least, weapons, attacks | change a characteristic of models, or of their weapons; what is taken away from it leaves `least` |
| weapon_ability | ability, weapons | weapons gain an ability |
| feel_no_pain   | value, against | a wound is not lost on a D6 of `value` |
| invulnerable   | value, against | an invulnerable save |
| damage         | add, divide, to | change the damage of an attack that is allocated to a model |
| grant          | ability | a core ability of the system, or "benefit of cover" |
| allow          | what | something the rules forbid otherwise (see Allowed) |
| forbid         | what | something the rules allow otherwise (see Forbidden) |
| gain_cp        | value, dice | command points; with dice for each `marker`, if a die for one of the objectives shows `die` that the player controls and a unit with this ability, not Battle-shocked, is near |
| cost           | add or to, stratagem | change the price of a stratagem used on the unit; empty for any |
| mortal_wounds  | amount, dice, above | for each of `dice` dice that shows `die`, or more than the characteristic `above` of who suffers, `amount` mortal wounds; "model" is a die for each model, "victim" one for each model of the unit that suffers |
| heal           | amount | a model regains lost wounds |
| reanimate      | amount | wound by wound: a damaged model is healed, or else a destroyed one comes back with one |
| return_models  | amount, wounds, each | destroyed models come back; with who `model`, the bearer itself, once; with `each`, every one for which a die shows `die` |
| move           | distance, type | an additional move; a `surge` goes towards the closest enemy, into engagement too |
| battle_shock   | modifier | the units take a Battle-shock test |
| lend_leadership | by | units may use the Leadership of the bearer's unit, or its number of models, as theirs |
| led_like       | unit or by | whoever can lead a unit of that datasheet, by its id, can lead this one, too; or those Leaders can |
| mark           | name | marks units, or the army, for conditions `marked:name` and `target_marked:name` |

`attacks` tells which attacks are meant: those that the units make, or those that they suffer.
"""  # noqa: E501

from __future__ import annotations

import re
from typing import Annotated, Final, Literal, TypeAlias, Union

import msgspec

Text: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Small: TypeAlias = Annotated[int, msgspec.Meta(ge=-20, le=20)]
Face: TypeAlias = Annotated[int, msgspec.Meta(ge=2, le=6)]
Amount: TypeAlias = (
    Annotated[int, msgspec.Meta(ge=1, le=20)] | Annotated[str, msgspec.Meta(pattern=r"^\d?D[36](\+\d)?$")]
)
Inches: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=100)]
Within: TypeAlias = Inches | Literal["engagement"]

Who: TypeAlias = Literal["model", "unit", "led", "army", "friends", "friend", "enemies", "enemy", "everyone", "target"]
Roll: TypeAlias = Literal[
    "hit",
    "wound",
    "save",
    "damage",
    "charge",
    "advance",
    "leadership",
    "battle_shock",
    "morale",
    "psychic",
    "deny",
    "reanimation",
]
Attacks: TypeAlias = Literal["made", "suffered"]
Weapons: TypeAlias = Text
"""all, ranged, melee, the name of a weapon, with a 2 behind it for a second one, or an ability that weapons have;
behind " but not " stands an ability of weapons that are not meant: "melee but not extra attacks" """
SPARED: Final = " but not "
Moment: TypeAlias = Literal[
    "",
    "turn_start",  # start of its player's turn
    "command",  # its player's Command phase: in its step for that, or else when it begins
    "command_start",  # start of it, where it has such a step
    "command_end",
    "any_command",  # either player's
    "any_command_start",
    "movement",  # start of its player's Movement phase
    "movement_end",
    "moved",  # the unit ended a move
    "moved_over",  # the unit moved over an enemy unit
    "enemy_moved",  # an enemy unit ended a move within `within`
    "shooting",  # start of its player's Shooting phase
    "select_to_shoot",
    "shot",  # the unit has shot
    "wounded",  # an enemy unit resolved its attacks, and the unit lost wounds
    "bereaved",  # the same, and models of the unit were destroyed
    "charged",  # the unit ended a Charge move
    "fight",  # start of the Fight phase
    "fight_end",
    "select_to_fight",
    "killed",  # the unit destroyed an enemy unit
    "slew",  # the unit destroyed an enemy model: once for each
    "manifested",  # a psyker of the unit manifested the power that the ability is
    "slain",  # a bearer is slain, before it is taken off the table
    "death_phase_end",  # end of the phase in which the bearer was destroyed
    "phase_end",  # end of any phase
    "opponent_turn_end",
    "targeted",  # a stratagem is used on a unit that `who` names
    "formations",  # the players declare their battle formations
    "battle_start",
]
Until: TypeAlias = Literal[
    "", "phase", "turn", "opponent_turn", "next_turn", "next_psychic", "next_shooting", "command", "battle"
]
"""`command`, `next_psychic`, `next_shooting`: until its player's next phase of that name; `next_turn`: until the next
turn of its player; `opponent_turn`: until the opponent's next turn ends."""

Allowed: TypeAlias = Literal[
    "advance_and_shoot", "advance_and_charge", "fall_back_and_shoot", "fall_back_and_charge",
    "disembark_and_charge",  # after its transport moved
    "disembark_after_advance",
    "shoot_when_destroyed", "fight_when_destroyed",
    "ignore_hit_modifiers", "ignore_move_modifiers",
    "move_through_models", "move_through_terrain",
    "move_through_smaller",  # through models that are no MONSTERS or VEHICLES
    "move_through_all_but_titanic",
    "move_over_4",  # through terrain up to 4" high
    "charge_through_terrain",
    "hold_objectives",  # a marker stays controlled when the unit leaves
    "into_reserves",  # leaves the table for Strategic Reserves
    "redeploy",  # leaves the table and is set up again at once, as with Deep Strike
    "arrive_round_one",
    "arrive_at_6",  # Deep Strike more than 6" from enemies, those whom the conditions mean, instead of 8" or 9"
    "extra_battle_shock_die",
    "shared_stratagem",  # may be used although it was used on another unit in the phase
    "spared_stratagem",  # a use on the unit keeps no other unit from it
    "overwatch_5",
    "no_falling_back_losses",  # no Desperate Escape tests
    "second_leader",
    "pass_morale",  # takes no Morale tests
    "pass_for_wounds",  # a failed one is passed for D3 mortal wounds
    "stay_on_6",  # a model that would flee stays on a 6
    "move_and_fire_heavy",  # Heavy weapons are not worse for having moved
    "advance_and_fire_assault",  # nor Assault weapons for having Advanced
    "pile_in_6",  # piles in and consolidates up to 6"
    "advance_6",  # an Advance is 6", without a roll
    "shoot_twice",
]  # fmt: skip
Forbidden: TypeAlias = Literal[
    "shoot", "charge", "fall_back", "cover", "overwatch_at_unit", "reroll_saves", "warlord", "another_warlord",
    "be_charged", "be_struck",  # by whom the conditions mean
    "strike",  # whom the conditions mean
    "fight_early",  # before all others have fought
    "skip_battle_shock",  # takes the test of the Battle-shock step whatever its strength
    "arrive_within",  # from Reserves, closer to the bearer than `within`
]  # fmt: skip

CONDITIONS: Final = {
    # the attack
    "ranged": "", "melee": "", "half_range": "", "target_within": "number", "strength_above_toughness": "",
    # the unit itself
    "charged": "", "stationary": "", "advanced": "", "fell_back": "", "arrived": "",
    "below_half": "", "below_starting": "", "battle_shocked": "", "leading": "", "led": "", "led_by": "text",
    "near_objective": "", "control_objective": "", "size": "number", "keyword": "text", "marked": "text",
    "engaged": "", "in_cover": "", "in_phase": "text", "own_turn": "", "enemy_within": "near",
    "weak_enemy_within": "number", "halved_enemy_within": "number", "round": "number",
    "friend_within": "near", "model": "text", "model_keyword": "text", "has_model": "text",
    # the unit that is attacked, or that attacks it
    "target_keyword": "text", "target_below_half": "", "target_below_starting": "", "target_near_objective": "",
    "target_marked": "text", "target_closest": "", "target_closest_visible": "", "target_near_open_objective": "",
    "target_battle_shocked": "", "target_in_cover": "",
}  # fmt: skip
"""Names, and what stands behind them after a colon.

A number is a least one, "size:20" for 20 or more models, "round:2" from the second battle round on; a distance for
target_within, and for weak_enemy_within and halved_enemy_within, which mean enemies below their Starting Strength or
half of it. Behind the distance of friend_within and enemy_within stand the keywords that the other unit needs, all of
them: "friend_within:3,ORKS,MOB".
target_near_open_objective is near one that the attacker's player does not control. Texts may offer alternatives:
"target_keyword:MONSTER/VEHICLE". `model` is the kind of model that would be changed, `model_keyword` one of its own
keywords, `has_model` a kind that its unit still holds. A mark on the army is a mark on each of its units.
"""

_NEAR = re.compile(r"\d{1,2}(,[^a-z,]+)*")
_CONDITION = re.compile(r"(?P<no>not )?(?P<name>[a-z_]+)(?::(?P<value>.+))?")


class Effect(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """What all effects share; the table above explains the fields."""

    who: Who = "unit"
    within: Within = 0.0
    wholly: bool = False
    only: tuple[Text, ...] = ()
    when: tuple[Text, ...] = ()
    bearer: tuple[Text, ...] = ()
    at: Moment = ""
    until: Until = ""
    once: Literal["", "phase", "turn", "round", "battle"] = ""
    shared: bool = False
    uses: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    per: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    die: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    up_to: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    optional: bool = False
    visible: bool = False
    nearest: bool = False
    fresh: bool = False
    own: bool = False
    branch: Annotated[str, msgspec.Meta(max_length=80)] = ""


class Reroll(Effect, frozen=True, tag="reroll"):
    roll: Roll
    faces: Literal["ones", "failures", "all"] = "all"
    attacks: Attacks = "made"


class Modify(Effect, frozen=True, tag="modify"):
    roll: Roll
    value: Small
    attacks: Attacks = "made"


class Critical(Effect, frozen=True, tag="critical"):
    roll: Literal["hit", "wound"]
    value: Face | Literal["success"]
    successful: bool = False
    attacks: Attacks = "made"


class Characteristic(Effect, frozen=True, tag="characteristic"):
    name: Text
    add: Small | Annotated[str, msgspec.Meta(pattern=r"^D[36]$")] = 0
    to: Small | None = None
    divide: Literal[1, 2] = 1
    multiply: Literal[1, 2, 3] = 1
    least: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    weapons: Annotated[str, msgspec.Meta(max_length=80)] = ""
    attacks: Attacks = "made"


class WeaponAbility(Effect, frozen=True, tag="weapon_ability"):
    ability: Text
    weapons: Weapons = "all"


class FeelNoPain(Effect, frozen=True, tag="feel_no_pain"):
    value: Face
    against: Literal["all", "mortal", "psychic"] = "all"


class Invulnerable(Effect, frozen=True, tag="invulnerable"):
    value: Face
    against: Literal["all", "ranged", "melee"] = "all"


class Damage(Effect, frozen=True, tag="damage"):
    add: Annotated[int, msgspec.Meta(ge=-10, le=0)] = 0
    divide: Literal[1, 2] = 1
    to: Literal[0, 1] | None = None


class Grant(Effect, frozen=True, tag="grant"):
    ability: Text


class Allow(Effect, frozen=True, tag="allow"):
    what: Allowed


class Forbid(Effect, frozen=True, tag="forbid"):
    what: Forbidden


class GainCp(Effect, frozen=True, tag="gain_cp"):
    value: Annotated[int, msgspec.Meta(ge=1, le=6)] = 1
    dice: Literal[1, "marker"] = 1


class Cost(Effect, frozen=True, tag="cost"):
    add: Annotated[int, msgspec.Meta(ge=-3, le=3)] = 0
    to: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    stratagem: Annotated[str, msgspec.Meta(max_length=80)] = ""


class MortalWounds(Effect, frozen=True, tag="mortal_wounds"):
    amount: Amount
    dice: Annotated[int, msgspec.Meta(ge=1, le=20)] | Literal["model", "victim"] = 1
    above: Literal["", "T"] = ""


class Heal(Effect, frozen=True, tag="heal"):
    amount: Amount


class Reanimate(Effect, frozen=True, tag="reanimate"):
    amount: Amount


class ReturnModels(Effect, frozen=True, tag="return_models"):
    amount: Amount = 1
    wounds: Annotated[int, msgspec.Meta(ge=1, le=20)] | Annotated[str, msgspec.Meta(pattern=r"^(full|D[36])$")] = "full"
    each: bool = False


class Move(Effect, frozen=True, tag="move"):
    distance: Amount
    type: Literal["normal", "surge"] = "normal"


class BattleShock(Effect, frozen=True, tag="battle_shock"):
    modifier: Small = 0


class LendLeadership(Effect, frozen=True, tag="lend_leadership"):
    by: Literal["leadership", "size"] = "leadership"


class LedLike(Effect, frozen=True, tag="led_like"):
    unit: Annotated[str, msgspec.Meta(max_length=80)] = ""
    by: tuple[Text, ...] = ()


class Mark(Effect, frozen=True, tag="mark"):
    name: Annotated[str, msgspec.Meta(pattern=r"^[a-z_]{1,40}$")]


AnyEffect: TypeAlias = Union[  # noqa: UP007 (msgspec reads the members)
    Reroll, Modify, Critical, Characteristic, WeaponAbility, FeelNoPain, Invulnerable, Damage, Grant, Allow, Forbid,
    GainCp, Cost, MortalWounds, Heal, Reanimate, ReturnModels, Move, BattleShock, LendLeadership, LedLike, Mark,
]  # fmt: skip

NEEDS_RANGE: Final = ("friends", "friend", "enemies", "enemy", "everyone")
HAS_MOMENT: Final = (GainCp, MortalWounds, Heal, Reanimate, ReturnModels, Move, BattleShock)
"""What is done, not what lasts: these need a moment."""


def problem_of_condition(text: str) -> str:
    """What is wrong with a condition; empty if nothing is."""
    found = _CONDITION.fullmatch(text)
    if found is None or found["name"] not in CONDITIONS:
        return f"no such condition: '{text}'"
    needs, value = CONDITIONS[found["name"]], found["value"] or ""
    if needs == "number" and not (value.isascii() and value.isdigit() and len(value) <= 3):
        return f"'{text}': '{found['name']}:' needs a number"
    if needs == "near" and not _NEAR.fullmatch(value):
        return f"'{text}': '{found['name']}:' needs a distance and keywords in upper case behind commas"
    if bool(value) != bool(needs):
        return f"'{text}': '{found['name']}' " + ("needs a name after a colon" if needs else "stands alone")
    return ""


def _ways_to_change(effect: Characteristic) -> int:
    return bool(effect.add) + (effect.to is not None) + (effect.divide > 1) + (effect.multiply > 1)


def problem_of_effect(effect: AnyEffect) -> str:
    """What is wrong with an effect, beyond the types of its fields; empty if nothing is."""
    for condition in effect.when + effect.bearer:
        if problem := problem_of_condition(condition):
            return problem
    for keyword in effect.only:
        if keyword != keyword.upper():
            return f"'only' holds keywords in upper case, not '{keyword}'"
    if effect.within and effect.who not in NEEDS_RANGE and effect.at != "enemy_moved":
        return f"'within' is for friends and enemies, not for '{effect.who}'"
    if effect.wholly and (
        effect.who not in ("friends", "enemies") or effect.at or not isinstance(effect.within, float)
    ):
        return "'wholly' is for what lasts on friends and enemies within inches"
    if isinstance(effect, Forbid) and effect.what == "arrive_within" and not isinstance(effect.within, float):
        return f"'arrive_within' needs inches, not 'within: {effect.within}'"
    if isinstance(effect, HAS_MOMENT) and not effect.at:
        return f"a '{effect.__struct_config__.tag}' is done at a moment: 'at' is missing"
    if effect.up_to and not 1 <= effect.die <= effect.up_to:
        return f"'up_to: {effect.up_to}' needs a 'die' that is not larger"
    if effect.own and (effect.who, effect.at) != ("target", "shot"):
        return "'own' is for a 'target' that was hit, 'at: shot'"
    if effect.shared and not effect.once:
        return "'shared' goes with 'once'"
    if (effect.uses > 1 or effect.per) and not effect.once:
        return "'uses' and 'per' go with 'once'"
    if isinstance(effect, GainCp) and effect.dice == "marker" and not effect.die:
        return "a die for each marker needs a 'die' that it has to show"
    if effect.until and not effect.at:
        return "'until' goes with a moment: 'at' is missing"
    if isinstance(effect, Characteristic) and _ways_to_change(effect) != 1:
        return "a characteristic needs one of 'add', 'to', 'divide' and 'multiply'"
    if isinstance(effect, LedLike) and bool(effect.unit) == bool(effect.by):
        return "'led_like' needs either 'unit' or 'by'"
    if isinstance(effect, Cost) and bool(effect.add) == (effect.to is not None):
        return "a cost needs either 'add' or 'to'"
    if isinstance(effect, Damage) and not effect.add and effect.divide == 1 and effect.to is None:
        return "a damage effect needs 'add', 'divide' or 'to'"
    return ""
