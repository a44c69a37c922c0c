"""The Hit roll and the Wound roll of an attack: what each face gives, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

from sandtable.armies.effects import Allowed
from sandtable.attack.tables import capped, hit_table
from sandtable.attack.volley import NEVER, HitRoll, WoundRoll
from sandtable.forty import hits_and_wounds as shared
from sandtable.forty.effects import attack_rolls as rolls
from sandtable.forty.effects.attack_rolls import NOTHING, Working
from sandtable.forty.effects.characteristics import names
from sandtable.forty.effects.permissions import allowances, allows
from sandtable.reasons import face
from sandtable.rules import Argument, Facts, fact, rule
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.abilities.stealth import sources_of_stealth, stealth
from sandtable.systems.w40k10.big_guns_never_tire import hampered
from sandtable.systems.w40k10.core_concepts import has_keyword
from sandtable.systems.w40k10.datasheet import Sheet, Weapon
from sandtable.systems.w40k10.dice import reroll_of
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.weapon_abilities import unseen_penalty

OVERWATCH_HIT: Final = 5
OVERWATCH_5: Final[Allowed] = "overwatch_5"
BLIND_MISS: Final = 3
"""Up to this bare face Indirect Fire misses, in battles with that option."""
HIT_MODIFIER: Final = "hit_modifier"
WOUND_MODIFIER: Final = "wound_modifier"
NAMES: Final = MappingProxyType(
    {"w40k10.shoot.bgnt_penalty": "big guns in a melee", "w40k10.weapon.indirect_penalty": "Indirect Fire"}
)
"""What players call what changes a roll, where the id of the rule does not say it."""


class ROLLS(Facts):
    critical_hit = fact(6, "w40k10.attack.critical_hit", "w40k10.dice.unmodified", neutral=NEVER)
    """From this bare face on a Hit roll is a Critical Hit, and hits in every case."""
    missed = fact(1, "w40k10.attack.critical_hit", neutral=0)
    """Up to this bare face a Hit roll misses in every case."""
    critical_wound = fact(6, "w40k10.attack.critical_wound", neutral=NEVER)
    """From this bare face on a Wound roll is a Critical Wound, and wounds in every case."""
    not_wounded = fact(1, "w40k10.attack.critical_wound", neutral=0)
    """Up to this bare face a Wound roll fails in every case."""


# --- The Hit roll -----------------------------------------------------------------------------------------------------


def hit_roll(w: World10, unit: Unit, target: Unit, shot: Shot, working: Working) -> HitRoll:
    """What each face of a Hit roll gives."""
    weapon = shot.weapon
    if weapons.torrent(weapon):
        return hit_table(NEVER, auto=True, cites=("w40k10.weapon.torrent",))
    bare = shared.Bare(ROLLS.critical_hit, BLIND_MISS if blind(w, shot) else ROLLS.missed)
    if only_sixes(shot):
        better = names(allowances(w, unit, OVERWATCH_5))
        needed, why = overwatch_need(w, unit), ("w40k10.strat.fire_overwatch", *better)
        parts = (face(min(needed, ROLLS.critical_hit), why[-1], ", ".join(("Overwatch", *better))),)
        need, criticals = shared.Need(needed, 0, why, parts), NOTHING
    else:
        needed, modifiers = skill(weapon), hit_modifiers(w, unit, target, shot, working)
        need = shared.need_of(w, HITS, face(needed, "w40k10.attack.hit_roll"), needed, modifiers, NAMES)
        criticals = working
    again = reroll_of(working, "hit")
    return shared.hits(HITS, need, bare, criticals, again, weapons.lethal_hits(weapon), weapons.sustained_hits(weapon))


def plain_hit_roll(w: World10, weapon: Weapon, hit_on: int, always: Working) -> HitRoll:
    """The Hit roll of a weapon with what is `always` at work; it hits on `hit_on`, or by its skill."""
    if weapons.torrent(weapon):
        return hit_table(NEVER, auto=True)
    lethal, sustained = weapons.lethal_hits(weapon), weapons.sustained_hits(weapon)
    bare = shared.Bare(ROLLS.critical_hit, ROLLS.missed)
    return shared.plain_hits(w, HITS, hit_on or skill(weapon), bare, lethal, sustained, always)


@rule("w40k10.attack.hit_modifier_cap", "w40k10.attack.wound_modifier_cap", neutral=0)
def together(w: World10, modifiers: Sequence[tuple[int, str]], cap: Callable[[int], int]) -> int:
    """What modifiers come to: their sum within the cap, or each of them, as the battle's option says."""
    values = [value for value, _ in modifiers]
    return cap(sum(values)) if w.option("modifier-cap") == "sum" else sum(cap(value) for value in values)


def blind(w: World10, shot: Shot) -> bool:
    """Whether low Hit rolls of Indirect Fire miss in every case, as the battle's option may say."""
    return w.option("indirect") == "misses-to-3" and unseen_penalty(shot) < 0


@rule("w40k10.attack.hit_roll", neutral=2)
def skill(weapon: Weapon) -> int:
    """What a Hit roll needs: Ballistic or Weapon Skill of the weapon."""
    return weapon.skill


@rule("w40k10.strat.fire_overwatch", neutral=False)
def only_sixes(shot: Shot) -> bool:
    """Whether only unmodified sixes hit."""
    return shot.overwatch


def overwatch_need(w: World10, unit: Unit) -> int:
    """The bare face that hits in Overwatch beside a six, for units with an ability that says so."""
    return OVERWATCH_HIT if allows(w, unit, OVERWATCH_5) else NEVER


def hit_modifiers(w: World10, unit: Unit, target: Unit, shot: Shot, working: Working) -> list[tuple[int, str]]:
    """What is added to a Hit roll, and why."""
    found = [(int(e.value), e.source) for e in w.effects(HIT_MODIFIER, unit.id)]
    hidden = 0
    if not shot.melee:
        found.append((weapons.heavy(unit, shot.weapon), "w40k10.weapon.heavy"))
        found += [(hidden, "w40k10.ability.stealth")] if (hidden := stealth(w, target)) else []
        found.append((hampered(shot), "w40k10.shoot.bgnt_penalty"))
        found.append((unseen_penalty(shot), "w40k10.weapon.indirect_penalty"))
    found += rolls.modifiers(working, "hit")
    if any(value < 0 for value, _ in found) and (steady := rolls.ignores_hit_modifiers(working)):
        return [(value, source) for value, source in found if value > 0] + [(0, name) for name in steady]
    given = [(0, source) for source in sources_of_stealth(w, target)] if hidden else []
    return [(value, source) for value, source in found if value] + given


@rule("w40k10.attack.hit_modifier_cap", neutral=Argument("total"))
def hit_cap(total: int) -> int:
    """All modifiers together change a Hit roll by 1 at most."""
    return capped(total)


# --- The Wound roll ---------------------------------------------------------------------------------------------------


def wound_roll(w: World10, unit: Unit, target: Unit, shot: Shot, working: Working, crit_kind: int) -> WoundRoll:
    """What each face of a Wound roll gives."""
    modifiers = [(int(e.value), e.source) for e in w.effects(WOUND_MODIFIER, unit.id)]
    modifiers.append((weapons.lance(unit, shot.weapon), "w40k10.weapon.lance"))
    hit = shared.Hit(shot.weapon, shot.toughness, partial(has_keyword, w, target), crit_kind)
    bare = shared.Bare(ROLLS.critical_wound, ROLLS.not_wounded)
    return shared.wounds(w, WOUNDS, target, hit, bare, modifiers, working)


def plain_wound_roll(w: World10, weapon: Weapon, sheet: Sheet, always: Working) -> WoundRoll:
    """The Wound roll of a weapon against a datasheet with what is `always` at work."""
    bare, devastating = shared.Bare(ROLLS.critical_wound, ROLLS.not_wounded), weapons.devastating_wounds(weapon)
    return shared.plain_wounds(w, WOUNDS, weapon, sheet, bare, always, devastating=devastating)


@rule("w40k10.attack.wound_modifier_cap", neutral=Argument("total"))
def wound_cap(total: int) -> int:
    """All modifiers together change a Wound roll by 1 at most."""
    return capped(total)


@rule("w40k10.attack.wound_roll", neutral=2)
def needed_to_wound(strength: int, toughness: int) -> int:
    """What a hit needs to wound."""
    return by_table(strength, toughness)


@rule("w40k10.attack.wound_table", neutral=4)
def by_table(strength: int, toughness: int) -> int:
    """What Strength against Toughness needs."""
    return shared.compared(strength, toughness, (2, 3, 4, 5, 6))


HITS: Final = shared.Roll(
    "hit",
    partial(together, cap=hit_cap),
    reroll_of,
    ("w40k10.attack.hit_roll",),
    "w40k10.attack.critical_hit",
    ("w40k10.weapon.lethal_hits", "w40k10.weapon.sustained_hits"),
    "w40k10.attack.hit_modifier_cap",
)
WOUNDS: Final = shared.Wounding(
    "wound",
    partial(together, cap=wound_cap),
    reroll_of,
    ("w40k10.attack.wound_roll", "w40k10.attack.wound_table"),
    "w40k10.attack.critical_wound",
    ("w40k10.weapon.anti", "w40k10.weapon.twin_linked"),
    "w40k10.attack.wound_modifier_cap",
    needed_to_wound,
    weapons.anti,
    weapons.twin_linked,
)
