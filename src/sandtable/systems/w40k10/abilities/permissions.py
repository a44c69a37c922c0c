"""What abilities allow against the rules, and what they forbid."""

from __future__ import annotations

from sandtable.armies.effects import Allow, Allowed, Forbid, Forbidden
from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.systems.w40k10.abilities.standing import Active, changes_model, standing
from sandtable.systems.w40k10.state import Unit, World10


def allowances(w: World10, unit: Unit, what: Allowed) -> tuple[Active[Allow], ...]:
    """The abilities that allow something to a unit now."""
    return tuple(a for a in standing(w, unit, Allow) if a.effect.what == what)


def allows(w: World10, unit: Unit, what: Allowed) -> bool:
    """Whether an ability allows something to a unit, or to its only model, that the rules forbid otherwise."""
    return any(a.effect.what == what for a in standing(w, unit, Allow))


def allows_model(w: World10, unit: Unit, model: int, what: Allowed) -> bool:
    """The same for one model of a unit."""
    return any(a.effect.what == what and changes_model(w, a, model) for a in standing(w, unit, Allow))


def not_forbidden(w: World10, unit: Unit, what: Forbidden, doing: str) -> Verdict:
    """Whether no ability forbids something to a unit; `doing` ends the sentence "the unit cannot ..."."""
    for active in standing(w, unit, Forbid):
        if active.effect.what == what:
            return refuse(f"{active.name}: {unit.name} cannot {doing}.", "w40k10.datasheet.abilities")
    return ALLOWED


def barriers(w: World10, unit: Unit) -> list[tuple[Unit, float]]:
    """Enemies that keep a unit of Reserves away, and how far in inches from where it would arrive."""
    found = []
    for number, carried in enumerate(w.setup.data.abilities):
        if w.side(carried.player) == w.side(unit.player):
            continue
        for effect in carried.effects:
            if isinstance(effect, Forbid) and effect.what == "arrive_within":
                found += [(w.unit(bearer), float(effect.within)) for bearer in _bearers(w, number)]
    return found


def _bearers(w: World10, ability: int) -> list[int]:
    """The units on the table in which bearers of an ability are left."""
    owner, here = w.state.models.unit, w.setup.data.abilities[ability].models
    units = dict.fromkeys(int(owner[m]) for m in here)
    return [u for u in units if any(int(m) in here for m in w.on_table(w.unit(u)))]
