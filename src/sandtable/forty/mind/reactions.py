"""Reactions: which of those on offer is worth its price, and what the usual ones bring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sandtable.battle import Choose, Option
from sandtable.battle.tactics import Idea
from sandtable.battle.windows import ReactionUse
from sandtable.forty.effects.offers import MAY
from sandtable.forty.mind.abilities import use_of
from sandtable.forty.mind.combat import charges
from sandtable.forty.mind.field import band_at
from sandtable.forty.mind.mind import Worth, mind_of
from sandtable.forty.mind.outlook import outlook
from sandtable.forty.mind.shots import best_shots, target_worth
from sandtable.forty.mind.style import STYLES, TACTICIAN, Style
from sandtable.forty.state import Unit, World40
from sandtable.forty.throwing import Throw
from sandtable.kit.grammar import agree, does

ON_SIXES: Final = 0.3
"""About what Overwatch does, compared with the same shots in one's own turn"""
HELPED: Final = 0.12
"""The part of a unit that a Stratagem of its detachment is worth at the right moment"""
SPARED: Final = 0.1
"""The part of a unit that cover and the like spare it when it is shot at"""
JOINING: Final = 0.6
"""What a charge in the enemy's turn counts, compared with one in the own turn"""
FIRST: Final = 0.5
"""What the blows of a unit count that strikes before it is struck"""
SCREENED: Final = 0.25
"""The part of all fire on a unit that cover spares it for a phase"""
HOLDS: Final = 50.0
"""Points from which on a unit's hold matters"""
POINT: Final = 10.0
"""Points of an army that a command point should bring"""


def react(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """The best reaction on offer, or none."""
    if not style.reacts:
        yield Idea(None, 0.0, "Command points are not spent.")
        return
    best: Idea | None = None
    for option in d.options:
        found = _worth(w, d, option)
        if found is not None and (best is None or found[0] > best.worth):
            best = Idea(option.value, *found)
    if best is not None and best.worth > 0:
        yield best
    yield Idea(None, 0.0, "Nothing on offer is worth a command point.")


def _worth(w: World40, d: Choose, option: Option) -> Worth | None:
    """What a reaction brings beyond its price; None for one that nobody knows."""
    name, use = ReactionUse.of(option.value)
    if name == MAY:
        return use_of(w, d, use)
    card = mind_of(w).cards.get(name)
    return card(w, d, use) if card is not None else _of_detachment(w, use, option.note)


def _of_detachment(w: World40, use: str, note: str) -> Worth | None:
    """A Stratagem of the detachment, "row:unit", is worth a part of the unit that it is for."""
    row, _, number = use.partition(":")
    if not row.isdecimal() or not number.isdecimal():
        return None
    unit = w.unit(int(number))
    if unit.id not in outlook(w).row:
        return None
    cost = float(note.removesuffix("CP")) if note.removesuffix("CP").isdecimal() else 1.0
    return HELPED * _points(w, unit) - POINT * cost, f"It is the right moment to help {unit.name}."


def _points(w: World40, unit: Unit) -> float:
    """What is left of a unit on the table, in points."""
    o = outlook(w)
    return float(o.field.points[o.row[unit.id]]) if unit.id in o.row else 0.0


# --- What reactions bring, for the cards of an edition ----------------------------------------------------------------


def overwatch(w: World40, unit: Unit, target: int, cost: float) -> Worth:
    """A unit shoots at an enemy in that enemy's turn."""
    gain = ON_SIXES * best_shots(w, unit, target, sparing=True).worth
    return gain - POINT * cost, f"{does(unit, 'has')} a good shot at {w.unit(target).name}."


def whom_to_watch(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """The enemy that shots out of turn are best fired at."""
    found = [(overwatch(w, w.unit(d.unit), int(o.value), 0.0), o.value) for o in d.options]
    for (worth, why), value in sorted(found, key=lambda f: (-f[0][0], f[1])):
        yield Idea(value, worth, why)


def screened(w: World40, unit: Unit, cost: float) -> Worth:
    """A unit gets under cover before it is known who shoots at it: as much as those could harm it who see it."""
    o = outlook(w)
    row = o.row.get(unit.id)
    if row is None:
        return 0.0, ""
    field, sees = o.field, mind_of(w).sees
    near = [f for f in o.foes(row).tolist() if sees(w, w.unit(o.units[f]), unit)]
    fire = sum(float(field.fire[f, band_at(float(field.far[f, row])), row]) for f in near)
    gain = SCREENED * min(fire, float(field.wounds[row])) * float(field.worth[row])
    return gain - POINT * cost, f"{does(unit, 'is')} hard to see for a while."


def thrown(w: World40, d: Choose, option: Option, name: str, wounds: float, least: float) -> Worth | None:
    """What it is worth to throw something that takes off so many wounds on average; None if that is too little."""
    used, use = ReactionUse.of(option.value)
    if used != name:
        return None
    thrower, enemy = Throw.of(use)
    left = float(w.state.models.wounds[w.on_table(w.unit(enemy))].sum())
    worth = target_worth(w, d.player).get(enemy, 0.0) * min(wounds, left)
    return (worth, f"{does(w.unit(thrower), 'throws')} grenades at {w.unit(enemy).name}.") if worth >= least else None


def rammed(w: World40, unit: Unit, enemy: int, wounds: float, suffered: float, cost: float) -> Worth:
    """A unit rams an enemy: so many wounds on average, and so many for itself."""
    o = outlook(w)
    own = float(o.field.worth[o.row[unit.id]]) if unit.id in o.row else 0.0
    gain = target_worth(w, unit.player).get(enemy, 0.0) * wounds - own * suffered
    return gain - POINT * cost, f"{does(unit, 'rams')} {w.unit(enemy).name}."


def challenged(w: World40, player: int) -> Worth:
    """A CHARACTER picks its opponents out: worth it where Command points are not short."""
    return (2.0 if w.player(player).cp > 2 else 0.0), "Their leader is within reach of ours."


def spared(w: World40, unit: Unit) -> Worth:
    """A unit that is shot at gets under cover."""
    return _points(w, unit) * SPARED, f"{does(unit, 'is')} spared losses."


def keeps_hold(w: World40, unit: Unit, worth: float) -> Worth:
    """A unit passes a test that would cost it its hold on markers."""
    return (worth if _points(w, unit) >= HOLDS else 0.0), f"{unit.name} must not lose {agree(unit, 'its')} hold."


def joins(w: World40, unit: Unit, enemy: int, cost: float) -> Worth:
    """A unit charges an enemy that has just charged."""
    found = [c for c in charges(w, unit, STYLES[TACTICIAN]) if c[1] == enemy]
    return (found[0][0] * JOINING - POINT * cost if found else 0.0), f"{does(unit, 'joins')} the melee."


def strikes_first(w: World40, unit: Unit, cost: float) -> Worth:
    """A unit fights before those who would strike it next."""
    o = outlook(w)
    row = o.row.get(unit.id)
    if row is None:
        return 0.0, ""
    foes = o.foes(row)
    near = foes[o.field.far[row, foes] <= 2.0]
    stake = max(
        (min(float(o.field.strike[row, f]), float(o.field.wounds[f])) * float(o.field.worth[f]) for f in near),
        default=0.0,
    )
    return stake * FIRST - POINT * cost, f"{does(unit, 'strikes')} before being struck."
