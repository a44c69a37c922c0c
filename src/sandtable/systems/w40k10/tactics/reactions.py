"""Command points: which reactions are worth one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sandtable.battle import Choose, Value
from sandtable.battle.tactics import Idea
from sandtable.forty.effects.offers import MAY
from sandtable.forty.mind.combat import charges
from sandtable.forty.mind.outlook import outlook
from sandtable.forty.mind.shots import best_shots
from sandtable.forty.mind.style import STYLES, TACTICIAN, Style
from sandtable.kit.grammar import does
from sandtable.systems.w40k10 import stratagems as cards
from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.tactics.abilities import use_of

ON_SIXES: Final = 0.3
"""About what Overwatch does, compared with the same shots in one's own turn"""
HELPED: Final = 0.12
"""The part of a unit that a Stratagem of its detachment is worth at the right moment"""
POINT: Final = 10.0
"""Points of an army that a command point should bring"""


def react(w: World10, d: Choose, style: Style) -> Iterator[Idea]:
    """The best reaction on offer, or none."""
    if not style.reacts:
        yield Idea(None, 0.0, "Command points are not spent.")
        return
    best: tuple[float, Value, str] | None = None
    for option in d.options:
        name, _, use = str(option.value).partition("/")
        found = use_of(w, d, use) if name == MAY else _worth(w, d, name, use) or _of_detachment(w, use, option.note)
        if found is not None and (best is None or found[0] > best[0]):
            best = (found[0], option.value, found[1])
    if best is not None and best[0] > 0:
        yield Idea(best[1], best[0], best[2])
    yield Idea(None, 0.0, "Nothing on offer is worth a command point.")


def _worth(w: World10, d: Choose, name: str, use: str) -> tuple[float, str] | None:
    """What a reaction brings beyond its cost, and why; None for one that is not known here."""
    o = outlook(w)
    if name == cards.COMMAND_REROLL.name:
        return 15.0, "Much hangs on this roll."
    if name in (cards.GO_TO_GROUND.name, cards.SMOKESCREEN.name):
        unit = w.unit(int(use))
        return float(
            o.field.points[o.row[unit.id]]
        ) * 0.1 if unit.id in o.row else 0.0, f"{does(unit, 'is')} spared losses."
    if name == cards.FIRE_OVERWATCH.name:
        unit = w.unit(int(use))
        gain = ON_SIXES * best_shots(w, unit, d.unit, sparing=True).worth
        return gain - POINT, f"{does(unit, 'has')} a good shot at {w.unit(d.unit).name}."
    if name == cards.INSANE_BRAVERY.name:
        unit = w.unit(int(use))
        held = unit.id in o.row and float(o.field.points[o.row[unit.id]]) >= 50
        return (12.0 if held else 0.0), f"{unit.name} must not lose its hold."
    if name == cards.EPIC_CHALLENGE.name:
        return 2.0 if w.player(d.player).cp > 2 else 0.0, "Their leader is within reach of ours."
    if name == cards.TANK_SHOCK.name:
        return 8.0, "The ram costs them some wounds."
    if name in (cards.HEROIC_INTERVENTION.name, cards.COUNTER_OFFENSIVE.name):
        return _into_melee(w, d, name, int(use))
    return None


def _of_detachment(w: World10, use: str, note: str) -> tuple[float, str] | None:
    """A Stratagem of the detachment, "row:unit", is worth a part of the unit that it is for."""
    row, _, number = use.partition(":")
    if not row.isdecimal() or not number.isdecimal():
        return None
    o, unit = outlook(w), w.unit(int(number))
    if unit.id not in o.row:
        return None
    cost = float(note.removesuffix("CP")) if note.removesuffix("CP").isdecimal() else 1.0
    return HELPED * float(o.field.points[o.row[unit.id]]) - POINT * cost, f"It is the right moment to help {unit.name}."


def _into_melee(w: World10, d: Choose, name: str, number: int) -> tuple[float, str]:
    unit, o = w.unit(number), outlook(w)
    if name == cards.HEROIC_INTERVENTION.name:
        found = [c for c in charges(w, unit, STYLES[TACTICIAN]) if c[1] == d.unit]
        return (found[0][0] * 0.6 - 2 * POINT if found else 0.0), f"{does(unit, 'joins')} the melee."
    row = o.row.get(number)
    if row is None:
        return 0.0, ""
    foes = o.foes(row)
    near = foes[o.field.far[row, foes] <= 2.0]
    stake = max(
        (min(float(o.field.strike[row, f]), float(o.field.wounds[f])) * float(o.field.worth[f]) for f in near),
        default=0.0,
    )
    return stake * 0.5 - 2 * POINT, f"{does(unit, 'strikes')} before being struck."
