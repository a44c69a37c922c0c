"""What the words of abilities mean in this edition: their conditions, moments and deeds."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import Final

from sandtable.armies.effects import BattleShock
from sandtable.battle import Moves, Verdict
from sandtable.forty.aiming import guns_of
from sandtable.forty.effects import deeds, vocabulary
from sandtable.forty.effects.characteristics import bounds
from sandtable.forty.effects.enforced import Enforced
from sandtable.forty.effects.extra_moves import MOVE, SURGE, ExtraMoves
from sandtable.forty.effects.leaving import INTO_RESERVES, REDEPLOY
from sandtable.forty.effects.moments import MOMENTS
from sandtable.forty.effects.occasions import Cause
from sandtable.forty.effects.words import Deed, Deeds, Words
from sandtable.forty.markers import controls
from sandtable.kit.flags import enemy_units
from sandtable.kit.way import Way
from sandtable.systems.w40k10.abilities import auras, datasheet_abilities
from sandtable.systems.w40k10.abilities.deadly_demise import may_go_off
from sandtable.systems.w40k10.abilities.leader import toughness
from sandtable.systems.w40k10.aircraft import is_aircraft
from sandtable.systems.w40k10.battle_shock import battle_shock_test
from sandtable.systems.w40k10.command_phase import gain_extra
from sandtable.systems.w40k10.core_concepts import has_any_keyword, model_has_keyword, within
from sandtable.systems.w40k10.dice import in_range, value_of, who_orders
from sandtable.systems.w40k10.engagement_range import ENGAGEMENT, engaged_enemies, is_engaged
from sandtable.systems.w40k10.melee_attacks import fight_with, may_attack
from sandtable.systems.w40k10.mortal_wounds import inflict
from sandtable.systems.w40k10.moving_models import Passage, can_move, judge_paths
from sandtable.systems.w40k10.shooting_phase import shoot
from sandtable.systems.w40k10.shooting_targets import may_be_target
from sandtable.systems.w40k10.starting_strength import below_half, below_starting
from sandtable.systems.w40k10.state import MOVES, Battle10, Unit, World10
from sandtable.systems.w40k10.transports import no_embarking
from sandtable.systems.w40k10.weapon_abilities import is_extra

GRANTED: Final = ("stealth", "lone operative", "fights first", "scouts", "deep strike", "infiltrators", "deadly demise")
"""Core abilities that can be granted during a battle."""
WEAPON_ABILITIES: Final = (
    "assault", "rapid fire", "ignores cover", "twin-linked", "pistol", "torrent", "lethal hits", "lance",
    "indirect fire", "precision", "blast", "melta", "heavy", "hazardous", "devastating wounds", "sustained hits",
    "extra attacks", "psychic", "one shot", "anti-",
)  # fmt: skip
BEFORE_TARGETS: Final = ("assault", "pistol", "indirect fire", "extra attacks", "hazardous")
"""Weapon abilities that count before a target is known."""


LEAST: Final = MappingProxyType({"M": 0, "T": 1, "Sv": 2, "Ld": 2, "OC": 0, "S": 1, "BS": 2, "WS": 2, "Range": 0})
MOST: Final = MappingProxyType({"AP": 0, "Sv": 7})


def may_go(w: World10, unit: Unit) -> bool:
    """Whether a unit may make an additional move: on the battlefield, free, and able to move."""
    if not w.is_on_table(unit) or is_engaged(w, unit) or is_aircraft(w, unit):
        return False
    return any(can_move(w, int(m)) for m in w.on_table(unit))


def is_prey(w: World10, enemy: Unit) -> bool:
    """A surge goes for nobody in the air."""
    return not is_aircraft(w, enemy)


def extra_way(w: World10, unit: Unit, mode: str) -> Passage:
    """A surge may end engaged, other moves not even pass by."""
    return Passage(unit.id, mode, () if mode == SURGE else enemy_units(w, unit.player))


def judge_extra(w: World10, moves: Moves, way: Way, far: int) -> Verdict:
    """As for any other move, with a distance of its own."""
    assert isinstance(way, Passage), "units of one edition move by its book"
    return judge_paths(w, moves, way, lambda _: far)


async def _test_nerve(b: Battle10, cause: Cause, effect: BattleShock, unit: Unit) -> None:
    await battle_shock_test(b, unit, effect.modifier, by=cause.name)


async def _fight_on(b: Battle10, unit: Unit) -> None:
    if may_attack(b, unit):
        await fight_with(b, unit)


async def _shoot_on(b: Battle10, unit: Unit) -> None:
    if any(g.anything for g in guns_of(b, unit)):
        await shoot(b, unit)


WORDS: Final = Words(
    source="w40k10.datasheet.abilities",
    conditions=vocabulary.with_strength(below_half, below_starting, is_engaged, controls),
    has_keyword=has_any_keyword,
    model_has_keyword=model_has_keyword,
    within=within,
    linked=lambda w, one, other: w.linked(one, other, ENGAGEMENT.range),
    links=lambda w, models, others: w.links(models, others, ENGAGEMENT.range),
    bearing=datasheet_abilities.bearing,
    is_damaged=datasheet_abilities.is_damaged,
    in_aura=auras.in_aura,
    same=auras.same_aura,
    limits=partial(bounds, LEAST, MOST),
    fixed_attacks=is_extra,
    may_target=may_be_target,
)
DEEDS: Final = Deeds(
    source=WORDS.source,
    moments=MOMENTS,
    moves=MOVES,
    in_combat_with=engaged_enemies,
    orders=who_orders,
    sequencing="w40k10.dice.sequencing",
    by_name=MappingProxyType(
        {
            **deeds.DEEDS,
            "move": MOVE,
            "battle_shock": Deed(_test_nerve, deeds.on_the_table),
            "into_reserves": INTO_RESERVES,
            "redeploy": REDEPLOY,
        }
    ),
    gain_points=gain_extra,
    inflict=inflict,
    may_go_off=may_go_off,
    in_range=in_range,
    value_of=value_of,
    toughness=toughness,
    last_stand=MappingProxyType({"fight_when_destroyed": _fight_on, "shoot_when_destroyed": _shoot_on}),
)
EXTRA_MOVES: Final = ExtraMoves(may_go, is_prey, extra_way, no_embarking, judge_extra)
ELSEWHERE: Final = frozenset(
    ("morale", "psychic", "deny", "lend_leadership", "everyone", "turn_start", "slain", "fight_end", "next_turn",
     "next_shooting", "shoot", "in_cover", "in_phase", "manifested", "next_psychic", "target_closest_visible",
     "pass_morale", "pass_for_wounds", "stay_on_6", "be_charged", "be_struck", "strike", "pile_in_6",
     "move_and_fire_heavy", "advance_and_fire_assault", "shoot_twice", "fight_early",
     "target_in_cover", "move_through_smaller", "move_through_all_but_titanic", "move_over_4",
     "charge_through_terrain", "command_start", "any_command_start", "bereaved", "weak_enemy_within",
     "halved_enemy_within", "formations", "skip_battle_shock", "target_near_open_objective", "round", "own",
     "spared_stratagem")
)  # fmt: skip
"""Words that abilities of other editions use."""
ENFORCED: Final = Enforced(WEAPON_ABILITIES, BEFORE_TARGETS, GRANTED, without=ELSEWHERE)
