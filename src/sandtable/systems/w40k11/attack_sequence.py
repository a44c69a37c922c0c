"""The attack sequence (05.01, 05.02): hit rolls and wound rolls, what each face gives, and why."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from sandtable.attack.tables import capped, hit_table
from sandtable.attack.volley import NEVER, HitRoll, WoundRoll
from sandtable.forty import hits_and_wounds as shared
from sandtable.forty.effects import attack_rolls as rolls
from sandtable.forty.effects.attack_rolls import Again, Working
from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.keywords import singular
from sandtable.forty.state import is_attached
from sandtable.forty.watching import watchful
from sandtable.reasons import face
from sandtable.rules import Argument, Facts, fact, rule
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.concepts import effects_on, has_keyword
from sandtable.systems.w40k11.cover import COVERED
from sandtable.systems.w40k11.datasheet import Sheet, Weapon
from sandtable.systems.w40k11.dice import reroll_of
from sandtable.systems.w40k11.shooting_types import RULES, SNAP
from sandtable.systems.w40k11.shot import Shot
from sandtable.systems.w40k11.state import Unit, World11, sheet_of

HIT_MODIFIER = "hit_modifier"
WOUND_MODIFIER = "wound_modifier"
"""Kinds of effects."""
CALLED: Final = {"w40k11.terrain.cover_effect": "for cover", "w40k11.ability.plunging_fire": "for Plunging Fire"}


class ROLLS(Facts):
    """What the book states about hit and wound rolls."""

    critical_hit = fact(6, "w40k11.seq.critical_hit", "w40k11.seq.hit", neutral=NEVER)
    """From this bare face on a hit roll is a critical hit, and hits in every case."""
    missed = fact(1, "w40k11.seq.hit", neutral=0)
    """Up to this bare face a hit roll fails in every case."""
    critical_wound = fact(6, "w40k11.seq.critical_wound", "w40k11.seq.wound", neutral=NEVER)
    """From this bare face on a wound roll is a critical wound, and wounds in every case."""
    not_wounded = fact(1, "w40k11.seq.wound", neutral=0)
    """Up to this bare face a wound roll fails in every case."""


# --- Hit rolls --------------------------------------------------------------------------------------------------------


def hit_roll(w: World11, unit: Unit, target: Unit, shot: Shot, working: Working) -> HitRoll:
    """What each face of a hit roll gives."""
    weapon = shot.weapon
    if weapons.torrent(weapon):
        return hit_table(NEVER, auto=True, cites=("w40k11.weapon.torrent",))
    needed, modifiers = skill(shot), hit_modifiers(w, unit, target, shot, working)
    changes = ((covered_by(shot), "w40k11.terrain.cover_effect"), (-int(shot.plunging), "w40k11.ability.plunging_fire"))
    handicap, own = (RULES[shot.way],) if shot.fails else (), face(own_skill(weapon), "w40k11.seq.hit")
    need = shared.need_of(w, HITS, own, needed, modifiers, CALLED, handicap, changes)
    need = watchful(w, unit, RULES[SNAP], need) if shot.way == SNAP else need
    bare = shared.Bare(ROLLS.critical_hit, max(ROLLS.missed, shot.fails))
    again = Again() if shot.fails else reroll_of(working, "hit")
    return shared.hits(HITS, need, bare, working, again, weapons.lethal_hits(weapon), weapons.sustained_hits(weapon))


def skill(shot: Shot) -> int:
    """What a hit roll needs: BS or WS of the weapon, as cover and Plunging Fire change it."""
    return own_skill(shot.weapon) + covered_by(shot) - shot.plunging


@rule("w40k11.seq.hit", neutral=2)
def own_skill(weapon: Weapon) -> int:
    """BS or WS of the weapon."""
    return weapon.skill


@rule("w40k11.terrain.cover_effect", neutral=0)
def covered_by(shot: Shot) -> int:
    """How much worse the BS is against a unit in cover."""
    left_out = weapons.ignores_cover(shot.weapon) or weapons.unhindered(shot.weapon)
    return COVERED.worse if shot.cover and not left_out else 0


def hit_modifiers(w: World11, unit: Unit, target: Unit, shot: Shot, working: Working) -> list[tuple[int, str]]:
    """What is added to a hit roll, and why."""
    found = [(int(e.value), e.source) for e in effects_on(w, unit, HIT_MODIFIER)]
    found.append((hampered(shot), shot.hampered))
    found.append((int(shot.steady), "w40k11.weapon.heavy"))
    found += rolls.modifiers(working, "hit")
    if weapons.unhindered(shot.weapon):
        return [(value, source) for value, source in found if value > 0]
    if any(value < 0 for value, _ in found) and (steady := rolls.ignores_hit_modifiers(working)):
        return [(value, source) for value, source in found if value > 0] + [(0, name) for name in steady]
    return [(value, source) for value, source in found if value]


@rule("w40k11.mv.shoot_at_engaged", "w40k11.shoot.cq_monster_vehicle", neutral=0)
def hampered(shot: Shot) -> int:
    """Shots in a melee, and into one, are harder."""
    return -1 if shot.hampered else 0


@rule("w40k11.gap.modifier_caps", neutral=Argument("total"))
def cap(total: int) -> int:
    """All modifiers together change a hit or wound roll by 1 at most."""
    return capped(total)


def together(w: World11, modifiers: Sequence[tuple[int, str]]) -> int:
    """What modifiers come to."""
    return cap(sum(value for value, _ in modifiers))


def plain_hit_roll(w: World11, weapon: Weapon, hit_on: int, always: Working) -> HitRoll:
    """The hit roll of a weapon with what is `always` at work; it hits on `hit_on`, or by its skill."""
    if weapons.torrent(weapon):
        return hit_table(NEVER, auto=True)
    lethal, sustained = weapons.lethal_hits(weapon), weapons.sustained_hits(weapon)
    bare = shared.Bare(ROLLS.critical_hit, ROLLS.missed)
    return shared.plain_hits(w, HITS, hit_on or own_skill(weapon), bare, lethal, sustained, always)


# --- Wound rolls ------------------------------------------------------------------------------------------------------


def wound_roll(w: World11, unit: Unit, target: Unit, shot: Shot, working: Working, crit_kind: int) -> WoundRoll:
    """What each face of a wound roll gives."""
    modifiers = [(int(e.value), e.source) for e in effects_on(w, unit, WOUND_MODIFIER)]
    modifiers.append((weapons.lance(unit, shot.weapon), "w40k11.weapon.lance"))
    hit = shared.Hit(shot.weapon, toughness(w, target), partial(has_keyword, w, target), crit_kind)
    bare = shared.Bare(ROLLS.critical_wound, ROLLS.not_wounded)
    return shared.wounds(w, WOUNDS, target, hit, bare, modifiers, working)


def plain_wound_roll(w: World11, weapon: Weapon, sheet: Sheet, always: Working) -> WoundRoll:
    """The wound roll of a weapon against a datasheet with what is `always` at work."""
    weapon = weapons.in_use(weapon, (), lambda keyword: singular(keyword.upper()) in sheet.keywords)
    bare, devastating = shared.Bare(ROLLS.critical_wound, ROLLS.not_wounded), weapons.devastating_wounds(weapon)
    return shared.plain_wounds(w, WOUNDS, weapon, sheet, bare, always, devastating=devastating)


@rule("w40k11.seq.wound", neutral=2)
def needed_to_wound(strength: int, toughness: int) -> int:
    """What a hit needs to wound."""
    return by_table(strength, toughness)


@rule("w40k11.seq.wound_table", neutral=4)
def by_table(strength: int, toughness: int) -> int:
    """What Strength against Toughness needs."""
    return shared.compared(strength, toughness, (2, 3, 4, 5, 6))


@rule("w40k11.gap.mixed_toughness", "w40k11.attached.toughness", neutral=1)
def toughness(w: World11, target: Unit) -> int:
    """The highest Toughness; of an attached unit that of its bodyguard models, while there are any."""
    models: Sequence[int] = w.on_table(target).tolist()
    if is_attached(w, target):
        models = [m for m in models if m not in target.leader]
    changes = changes_of(w, target, "T")
    return max((changed(w, changes, m, "T", sheet_of(w, m).toughness) for m in models), default=1)


HITS: Final = shared.Roll(
    "hit",
    together,
    reroll_of,
    ("w40k11.seq.hit",),
    "w40k11.seq.critical_hit",
    ("w40k11.weapon.lethal_hits", "w40k11.weapon.sustained_hits"),
    "w40k11.gap.modifier_caps",
)
WOUNDS: Final = shared.Wounding(
    "wound",
    together,
    reroll_of,
    ("w40k11.seq.wound", "w40k11.seq.wound_table"),
    "w40k11.seq.critical_wound",
    ("w40k11.weapon.anti", "w40k11.weapon.twin_linked"),
    "w40k11.gap.modifier_caps",
    needed_to_wound,
    weapons.anti,
    weapons.twin_linked,
)
