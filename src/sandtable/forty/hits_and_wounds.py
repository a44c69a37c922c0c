"""Hit and wound rolls of weapons with a skill and a Strength of their own, as tables, and what wounds do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from sandtable.attack.tables import Rerolls, hit_table, wound_table
from sandtable.attack.volley import NEVER, DiceSum, HitRoll, Mortal, Shots, Volley, Why, WoundKind, WoundRoll
from sandtable.forty.effects import attack_rolls as rolls
from sandtable.forty.effects.attack_rolls import NOTHING, Again, Working
from sandtable.forty.effects.characteristics import changes_of, names
from sandtable.forty.effects.saves import reduced
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.keywords import singular
from sandtable.forty.shot import Shot
from sandtable.forty.state import Unit, World40, sheet_of
from sandtable.forty.why import NO_NAMES, is_capped, why_needed, why_number
from sandtable.reasons import Part, face, part

NO_MORE: Final = DiceSum()
ANY_WOUND: Final = wound_table(NEVER)
NO_REROLL: Final[Rerolls] = "none"
MELTA: Final = "Melta"
Modifiers: TypeAlias = Sequence[tuple[int, str]]
"""What is added to a roll, and why."""


class Bare(msgspec.Struct, frozen=True, gc=False):
    """The bare faces that decide a roll, whatever is added to it."""

    critical: int
    """From this one on it is critical, and succeeds..."""
    failed: int
    """...and up to this one it fails."""


@dataclass(frozen=True)
class Roll:
    """What an edition says about its hit rolls, or about its wound rolls."""

    kind: str
    """What abilities call it: hit or wound."""
    together: Callable[[Any, Modifiers], int]
    """(world, modifiers): what they come to."""
    again: Callable[[Working, str, Rerolls], Again]
    """(what abilities do, kind, what the weapon itself allows): the best re-roll."""
    rules: tuple[str, ...]
    """What every face cites..."""
    critical: str
    """...what a critical one does..."""
    better: tuple[str, str]
    """...and what it does for a weapon: that has Lethal or Sustained Hits, or that is Anti or Twin-linked."""
    cap: str
    """What limits modifiers."""

    def cites(self, modifiers: Modifiers, together: int) -> tuple[str, ...]:
        """The rules that add to a roll, and what limits them where it does."""
        return (*[rule for _, rule in modifiers], *((self.cap,) if is_capped(modifiers, together) else ()))


class Need(msgspec.Struct, frozen=True):
    """What a roll needs, what is added to it, and why."""

    face: int
    modifier: int = 0
    cites: tuple[str, ...] = ()
    why: Why = ()


def need_of(
    w: World40,
    roll: Roll,
    base: Part,
    needed: int,
    modifiers: Modifiers,
    called: Mapping[str, str] = NO_NAMES,
    by: tuple[str, ...] = (),
    worse: Modifiers = (),
) -> Need:
    """What a roll needs with what is added to it.

    `called` is what players call what has no name of its own, and `by` are rules that what it needs is changed by. How
    much `worse` than at its base something is, or below 0 better, is told where it is.
    """
    modifier = roll.together(w, modifiers)
    first, *rest = why_needed(base, modifiers, modifier, roll.cap, called)
    changed = [(value, rule) for value, rule in worse if value]
    how = [part(f"{'worse' if n > 0 else 'better'} by {abs(n)}", rule, called.get(rule, "")) for n, rule in changed]
    cites = (*by, *[rule for _, rule in changed], *roll.cites(modifiers, modifier))
    return Need(needed, modifier, cites, (first, *how, *rest))


# --- The hit roll -----------------------------------------------------------------------------------------------------


def hits(roll: Roll, need: Need, bare: Bare, found: Working, again: Again, lethal: bool, sustained: DiceSum) -> HitRoll:
    """The table of a hit roll; `found` is what abilities do to make it critical."""
    crit, by = rolls.critical(
        found, roll.kind, bare.critical, need.face, need.modifier, always=bare.critical, never=bare.failed
    )
    wounding, more = roll.better
    return hit_table(
        need.face,
        need.modifier,
        crit=crit,
        always=bare.critical,
        never=bare.failed,
        lethal=lethal,
        sustained=sustained,
        reroll=again.faces,
        cites=(*roll.rules, *need.cites),
        crit_cites=(
            roll.critical,
            *((wounding,) if lethal else ()),
            *((more,) if sustained != NO_MORE else ()),
            *by,
        ),
        reroll_cites=again.names,
        why=need.why,
    )


def plain_hits(
    w: World40, roll: Roll, needed: int, bare: Bare, lethal: bool, sustained: DiceSum, always: Working
) -> HitRoll:
    """The table of a hit roll when nothing but what is `always` at work counts."""
    usual = 0, bare.critical, NO_REROLL
    modifier, crit, again = usual if always is NOTHING else _constant(w, roll, always, bare, needed, *usual[1:])
    return hit_table(
        needed,
        modifier,
        crit=crit,
        always=bare.critical,
        never=bare.failed,
        lethal=lethal,
        sustained=sustained,
        reroll=again,
    )


# --- The wound roll ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wounding(Roll):
    """What an edition says about its wound rolls, and about weapons that wound."""

    needed: Callable[[int, int], int]
    """(Strength, Toughness): the face that wounds."""
    anti: Callable[[Any, Callable[[str], bool]], int]
    """(profile, whether the target has a keyword): from which bare face on it wounds its prey critically."""
    twin: Callable[[Any], Rerolls]
    """(profile): which wound rolls it lets be rolled again."""


class Hit(msgspec.Struct, frozen=True, gc=False):
    """A hit that is about to wound."""

    weapon: Any
    toughness: int
    is_a: Callable[[str], bool]
    """Whether the target has a keyword."""
    kind: int
    """The kind of wound that a critical one is."""


@lru_cache(maxsize=4096)
def compared(strength: int, toughness: int, faces: tuple[int, int, int, int, int]) -> int:
    """One of five faces: for a Strength that is twice the Toughness, greater, equal, less, or half of it."""
    twice, greater, equal, less, half = faces
    if strength >= 2 * toughness:
        return twice
    if strength > toughness:
        return greater
    if strength == toughness:
        return equal
    return half if 2 * strength <= toughness else less


def wounds(
    w: World40, roll: Wounding, target: Unit, hit: Hit, bare: Bare, modifiers: Modifiers, found: Working
) -> WoundRoll:
    """The table of a wound roll."""
    strength, weapon = hit.weapon.strength, hit.weapon
    needed, prey, own = roll.needed(strength, hit.toughness), roll.anti(weapon, hit.is_a), roll.twin(weapon)
    added = [(value, source) for value, source in (*modifiers, *rolls.modifiers(found, roll.kind)) if value]
    modifier, again = roll.together(w, added), roll.again(found, roll.kind, own)
    base = face(needed, roll.rules[-1], f"S{strength} against T{hit.toughness}")
    usual, (anti, twin) = min(bare.critical, prey), roll.better
    crit, by = rolls.critical(found, roll.kind, usual, needed, modifier, always=bare.critical, never=bare.failed)
    return wound_table(
        needed,
        modifier,
        crit=crit,
        always=bare.critical,
        never=bare.failed,
        crit_kind=hit.kind,
        reroll=again.faces,
        cites=(*roll.rules, *roll.cites(added, modifier), *names(changes_of(w, target, "T"))),
        crit_cites=(roll.critical, *((anti,) if prey < NEVER else ()), *by),
        reroll_cites=(*((twin,) if own != "none" else ()), *again.names),
        why=why_needed(base, added, modifier, roll.cap),
    )


def plain_wounds(
    w: World40, roll: Wounding, weapon: Any, sheet: Any, bare: Bare, always: Working, *, devastating: bool
) -> WoundRoll:
    """The table of a wound roll against a datasheet when nothing but what is `always` at work counts."""
    needed = roll.needed(weapon.strength, sheet.toughness)
    anti = roll.anti(weapon, lambda keyword: singular(keyword) in sheet.keywords)
    usual = 0, min(bare.critical, anti), roll.twin(weapon)
    modifier, crit, again = usual if always is NOTHING else _constant(w, roll, always, bare, needed, *usual[1:])
    return wound_table(
        needed,
        modifier,
        crit=crit,
        always=bare.critical,
        never=bare.failed,
        crit_kind=int(devastating),
        reroll=again,
    )


def _constant(
    w: World40, roll: Roll, always: Working, bare: Bare, needed: int, usual: int, own: Rerolls
) -> tuple[int, int, Rerolls]:
    """What is always at work on a roll: what is added to it, from where on it is critical, re-rolls."""
    modifier = roll.together(w, rolls.modifiers(always, roll.kind))
    crit, _ = rolls.critical(always, roll.kind, usual, needed, modifier, always=bare.critical, never=bare.failed)
    return modifier, crit, roll.again(always, roll.kind, own).faces


# --- What wounds do ---------------------------------------------------------------------------------------------------


class Damaging(NamedTuple):
    """What an edition says about what a wound inflicts."""

    rule: str
    """What gives a weapon its Damage..."""
    melta_rule: str
    """...and what adds Melta to it."""
    damage: Callable[[Any, bool], DiceSum]
    """(profile, within half range): what an attack inflicts, with Melta..."""
    melta: Callable[[Any, bool], DiceSum]
    """...and how much of it is Melta."""
    amount: Callable[[str], DiceSum]
    """A Damage as it is printed."""
    again: Callable[[Working, str], Again]
    """(what abilities do, kind): the best re-roll."""


def usual_wound(
    w: World40,
    damaging: Damaging,
    target: Unit,
    attack: AttackMade,
    shot: Shot,
    found: Working,
    save_class: int,
    *,
    in_turn: bool,
) -> tuple[WoundKind, DiceSum]:
    """A wound that can be saved: what it inflicts, and why: by the weapon, by Melta, and by what takes some off it.

    With it comes the damage before anything is taken off.
    """
    weapon, half_range, rule = shot.weapon, shot.half_range, damaging.rule
    again = damaging.again(found, "damage")
    full = rolls.with_reroll(damaging.damage(weapon, half_range), again.faces)
    melta = damaging.melta(weapon, half_range), damaging.melta_rule, MELTA
    damage, less = reduced(w, target, full, attack, partial(raised, w, damaging, shot))
    cites = (rule, damaging.melta_rule) if melta[0] != NO_MORE else (rule,)
    changed = tuple([part(f"{damage} by", name) for name in less])
    why = why_number(weapon.damage, rule, melta, less=changed) if damage.dice else ()
    return WoundKind(save_class, damage, None, (*cites, *again.names, *less), in_turn, why, again.names), full


def raised(w: World40, damaging: Damaging, shot: Shot) -> int:
    """How much more damage an attack inflicts than the weapon's profile says, by abilities and by Melta."""
    return damaging.damage(shot.weapon, shot.half_range).plus - damaging.amount(printed_damage(w, shot)).plus


def printed_damage(w: World40, shot: Shot) -> str:
    """The Damage of a weapon as the datasheet of its bearer has it."""
    printed = [p.damage for p in sheet_of(w, shot.model).weapons if p.name == shot.weapon.name]
    return str(printed[0] if printed else shot.weapon.damage)


def plainly_made(name: str, number: tuple[Shots, ...], hit: HitRoll, damage: DiceSum, devastating: bool) -> Volley:
    """The tables of one weapon for plans; with `devastating` a critical wound becomes mortal wounds."""
    kinds = [WoundKind(0, damage)]
    if devastating:
        kinds.append(WoundKind(0, None, Mortal(damage, spill=False)))
    return Volley(name, number, hit, ANY_WOUND, tuple(kinds))
