"""What abilities allow against the rules, and what they forbid."""

from __future__ import annotations

from typing import Any

from sandtable.armies.effects import Allow, Allowed, Forbid, Forbidden
from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.at_work import Active, applies, at_work, changes_model
from sandtable.forty.effects.words import AttackMade, Words
from sandtable.forty.placing import too_near
from sandtable.forty.state import Unit, World40
from sandtable.kit.grammar import does
from sandtable.table.grid import Ints, steps
from sandtable.table.measure import distances
from sandtable.table.shapes import Bodies


def allowances(w: World40, unit: Unit, what: Allowed) -> tuple[Active[Allow], ...]:
    """The abilities that allow something to a unit now."""
    return tuple(a for a in at_work(w, unit, Allow) if a.effect.what == what)


def allows(w: World40, unit: Unit, what: Allowed) -> bool:
    """Whether an ability allows something to a unit, or to its only model, that the rules forbid otherwise."""
    return any(a.effect.what == what for a in at_work(w, unit, Allow))


def allows_model(w: World40, unit: Unit, model: int, what: Allowed) -> bool:
    """The same for one model of a unit."""
    return any(a.effect.what == what and changes_model(w, a, model) for a in at_work(w, unit, Allow))


@kept(SETUP)
def who_always_may(w: World40, what: Allowed) -> frozenset[int]:
    """The models whom an ability of their own allows something whatever happens."""
    always = (Allow(who="model", what=what), Allow(what=what))
    return frozenset(m for a in w.setup.data.abilities for e in a.effects if e in always for m in a.models)


def not_forbidden(w: World40, unit: Unit, what: Forbidden, doing: str) -> Verdict:
    """Whether no ability forbids something to a unit; `doing` ends the sentence "the unit cannot ..."."""
    for active in at_work(w, unit, Forbid):
        if active.effect.what == what:
            return refuse(f"{active.name}: {unit.name} cannot {doing}.", w.system.seam(Words).source)
    return ALLOWED


def approached(w: World40, unit: Unit) -> tuple[int, ...]:
    """The enemy units to which an ability lets a unit that arrives by Deep Strike come closer."""
    found = allowances(w, unit, "arrive_at_6")
    enemies = w.enemies_of(unit.player) if found else ()
    return tuple(e.id for e in enemies if any(applies(w, a, AttackMade(unit.id, e.id, melee=False)) for a in found))


def is_forbidden(w: World40, unit: Unit, what: Forbidden) -> bool:
    """Whether an ability forbids something to a unit."""
    return any(active.effect.what == what for active in at_work(w, unit, Forbid))


def is_barred(w: World40, attacker: Unit, target: Unit, made: Forbidden, suffered: Forbidden) -> bool:
    """Whether an ability keeps a unit from turning against another one: its own, or one of the other."""
    attack = AttackMade(attacker.id, target.id, melee=True)
    own = (a for a in at_work(w, attacker, Forbid) if a.effect.what == made)
    if any(applies(w, a, attack) for a in own):
        return True
    theirs = (a for a in at_work(w, target, Forbid) if a.effect.what == suffered)
    return any(applies(w, a, attack._replace(suffered=True)) for a in theirs)


def barriers(w: World40, unit: Unit) -> list[tuple[Any, float]]:
    """Enemies that keep a unit of Reserves away, and how far in inches from where it would arrive."""
    found = []
    for number, ability in enumerate(w.setup.data.abilities):
        if w.side(ability.player) == w.side(unit.player):
            continue
        for effect in ability.effects:
            if isinstance(effect, Forbid) and effect.what == "arrive_within":
                found += [(w.unit(bearer), float(effect.within)) for bearer in _bearers(w, number)]
    return found


def check_barriers(w: World40, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """Whether no ability of the enemy keeps Reserves further away than that."""
    for enemy, inches in barriers(w, unit):
        if float(distances(bodies, w.shapes, models, w.on_table(enemy)).min()) <= steps(inches):
            text, source = f'{does(enemy, "keeps")} Reserves more than {inches:g}" away', w.system.seam(Words).source
            return too_near(w, text, bodies, models, (enemy,), steps(inches), source, flat=False)
    return ALLOWED


def _bearers(w: World40, ability: int) -> list[int]:
    """The units on the table in which bearers of an ability are left."""
    owner, here = w.state.models.unit, w.setup.data.abilities[ability].models
    units = dict.fromkeys(int(owner[m]) for m in here)
    return [u for u in units if any(int(m) in here for m in w.on_table(w.unit(u)))]
