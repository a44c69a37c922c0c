"""What the words of abilities mean in this edition: their conditions, moments and deeds."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import Final

from sandtable.armies.effects import BattleShock, MortalWounds
from sandtable.battle import Moves, Verdict
from sandtable.forty.effects import deeds, vocabulary
from sandtable.forty.effects.characteristics import bounds
from sandtable.forty.effects.enforced import Enforced
from sandtable.forty.effects.extra_moves import ExtraMoves
from sandtable.forty.effects.leaving import INTO_RESERVES, REDEPLOY
from sandtable.forty.effects.moments import IN_COMMAND, MOMENTS, SET_UP, TURN_STARTS, WITH_COMMAND_START
from sandtable.forty.effects.occasions import Cause
from sandtable.forty.effects.words import Deed, Deeds, Words
from sandtable.forty.markers import markers_near
from sandtable.forty.moments import COMMAND_ABILITIES, PHASE_BEGAN, TURN_BEGAN, UNIT_SET_UP
from sandtable.kit.way import Way
from sandtable.systems.w40k11 import abilities, command_phase, strength, surge
from sandtable.systems.w40k11.active_player import act, player_of_the_turn
from sandtable.systems.w40k11.attack_sequence import toughness
from sandtable.systems.w40k11.battle_shock import battle_shock_roll
from sandtable.systems.w40k11.concepts import has_any_keyword, model_has_keyword, within
from sandtable.systems.w40k11.deadly_demise import may_go_off
from sandtable.systems.w40k11.destroyed import is_destroyed
from sandtable.systems.w40k11.dice import in_range, value_of
from sandtable.systems.w40k11.engagement import ENGAGEMENT, engaged_enemies, is_engaged
from sandtable.systems.w40k11.melee import fight_with
from sandtable.systems.w40k11.mortal_wounds import inflict
from sandtable.systems.w40k11.moving import carry, judge_paths, no_embarking, passage
from sandtable.systems.w40k11.objectives import is_controlling
from sandtable.systems.w40k11.select_targets import may_be_target
from sandtable.systems.w40k11.state import MOVES, Battle11, Unit, World11
from sandtable.systems.w40k11.terrain import can_move

GRANTED: Final = ("stealth", "lone operative", "fights first", "scouts", "deep strike", "infiltrators", "deadly demise")
"""Core abilities that can be granted during a battle."""
WEAPON_ABILITIES: Final = (
    "assault", "rapid fire", "ignores cover", "twin-linked", "pistol", "close-quarters", "torrent", "lethal hits",
    "lance", "indirect fire", "precision", "blast", "melta", "heavy", "hazardous", "devastating wounds",
    "sustained hits", "extra attacks", "psychic", "one shot", "cleave", "anti-",
)  # fmt: skip
BEFORE_TARGETS: Final = ("assault", "pistol", "close-quarters", "indirect fire", "extra attacks", "hazardous")
"""Weapon abilities that count before a target is known."""
LEAST: Final = MappingProxyType({"M": 0, "T": 1, "Sv": 2, "Ld": 2, "OC": 0, "S": 1, "BS": 2, "WS": 2, "Range": 0})
MOST: Final = MappingProxyType({"AP": 0, "Sv": 7})


def controls(w: World11, unit: Unit) -> bool:
    """Whether a unit controls an objective."""
    return any(is_controlling(w, unit, m) for m in markers_near(w, unit))


def may_go(w: World11, unit: Unit) -> bool:
    """Whether a unit may make an additional move: on the battlefield, unengaged, and able to move."""
    free = w.is_on_table(unit) and not is_engaged(w, unit) and bool(surge.may_stir(w, unit))
    return free and any(can_move(w, int(m)) for m in w.on_table(unit))


def judge_extra(w: World11, moves: Moves, way: Way, far: int) -> Verdict:
    """As for any other move, with a distance of its own."""
    return judge_paths(w, moves, way, lambda _: far)


async def _hurt(b: Battle11, cause: Cause, effect: MortalWounds, unit: Unit) -> None:
    points, psychic = await deeds.mortal_wounds(b, cause, effect, unit), abilities.is_psychic(cause.name)
    await inflict(b, unit, points, WORDS.source, by=cause.bearer, psychic=psychic)


async def _test_nerve(b: Battle11, cause: Cause, effect: BattleShock, unit: Unit) -> None:
    await battle_shock_roll(b, unit, effect.modifier, by=cause.name)


WORDS: Final = Words(
    source="w40k11.datasheet.abilities",
    conditions=vocabulary.with_strength(strength.below_half, strength.below_starting, is_engaged, controls),
    has_keyword=has_any_keyword,
    model_has_keyword=model_has_keyword,
    within=within,
    linked=lambda w, one, other: w.linked(one, other, ENGAGEMENT.range),
    links=lambda w, models, others: w.links(models, others, ENGAGEMENT.range),
    bearing=abilities.bearing,
    is_damaged=abilities.is_damaged,
    in_aura=abilities.in_aura,
    same=abilities.same_aura,
    limits=partial(bounds, LEAST, MOST),
    may_target=may_be_target,
    led=abilities.leads,
)
DEEDS: Final = Deeds(
    source=WORDS.source,
    moments=MappingProxyType(
        {
            **MOMENTS,
            PHASE_BEGAN: WITH_COMMAND_START,
            COMMAND_ABILITIES: IN_COMMAND,
            TURN_BEGAN: TURN_STARTS,
            UNIT_SET_UP: SET_UP,
        }
    ),
    moves=MOVES,
    in_combat_with=engaged_enemies,
    orders=player_of_the_turn,
    sequencing="w40k11.gap.sequencing",
    by_name=MappingProxyType(
        {
            **deeds.DEEDS,
            "move": Deed(surge.move_again, surge.can_go),
            "battle_shock": Deed(_test_nerve, deeds.on_the_table),
            "mortal_wounds": Deed(_hurt, deeds.on_the_table),
            "into_reserves": INTO_RESERVES,
            "redeploy": REDEPLOY,
        }
    ),
    gain_points=command_phase.gain_extra,
    inflict=inflict,
    may_go_off=may_go_off,
    in_range=in_range,
    value_of=value_of,
    is_destroyed=is_destroyed,
    toughness=toughness,
    last_stand=MappingProxyType({"fight_when_destroyed": lambda b, unit: act(b, unit, fight_with(b, unit))}),
)
EXTRA_MOVES: Final = ExtraMoves(may_go, lambda w, enemy: True, passage, no_embarking, judge_extra, carry)
NOT_YET: Final = frozenset(
    ("disembark_after_advance", "shoot_when_destroyed", "pile_in_6", "next_psychic", "next_shooting")
)
"""Words of abilities that no rule here reads so far; take one off with the code that does."""
ENFORCED: Final = Enforced(WEAPON_ABILITIES, BEFORE_TARGETS, GRANTED, without=NOT_YET)
