"""What is said about models that are set up where they may not be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.battle import Reason, Verdict
from sandtable.battle.verdict import Fact
from sandtable.forty.state import Unit, World40, called, called_all
from sandtable.kit.cites import Cites, Length, cite
from sandtable.kit.room import Outline, far_from_area, strips
from sandtable.table.grid import Ints, units
from sandtable.table.measure import distances, gaps
from sandtable.table.moves import Code
from sandtable.table.shapes import Bodies


def no_room(*, edge: str, models: str, terrain: str) -> Cites:
    """What is said of a place where nobody can stand, with the rules of an edition behind it."""
    return Cites(
        {
            Code.EDGE: cite("{who} would hang over the edge of the battlefield at {place}.", edge),
            Code.END_MODEL: cite("{who} would stand on another model at {place}.", models),
            Code.END_WALL: cite("{who} would stand in a wall at {place}.", terrain),
            Code.END_SOLID: cite("{who} would stand inside a terrain feature at {place}.", terrain),
            Code.END_CEILING: cite("{who} would stand inside a floor at {place}.", terrain),
            Code.END_FLOOR: cite("{who} would have nothing to stand on at {place}.", terrain),
        },
        called_all,
    )


def outside(w: World40, bodies: Bodies, models: Sequence[int], zone: Outline) -> str:
    """Some models would stand outside a deployment zone: how far, and where the zone is."""
    far = max(far_from_area(w, bodies, m, zone) for m in models)
    corners = "; ".join(f"{units(x):g}, {units(y):g}" for x, y in zone)
    off = f"{Length(w, far)} outside the deployment zone, whose corners are {corners}"
    return f"{called_all(w, models)} would stand up to {off}."


def too_near(
    w: World40,
    text: str,
    bodies: Bodies,
    models: Ints,
    enemies: Iterable[Unit],
    limit: int,
    *rules: str,
    flat: bool = True,
) -> Verdict:
    """A refusal for models nearer than a limit to some enemies, horizontally or in space: also who, and how near."""
    model, enemy, near = _nearest(w, bodies, models, enemies, flat=flat)
    told = f"{text}: {called(w, model)} would be {Length(w, near, limit)} from {enemy.name}."
    facts: dict[str, Fact] = {"unit": enemy.id, "gap": round(units(near), 3), "limit": units(limit)}
    return Verdict(False, (Reason(told, rules, facts, (model,)),))


def far_from_edges(w: World40, unit: Unit, bodies: Bodies, astray: Sequence[int], band: int, *rules: str) -> Verdict:
    """A refusal for models that are not wholly within a strip along the edge of the table, and how far they reach."""
    along = strips(w, band)
    reach = band + max(min(far_from_area(w, bodies, m, strip) for strip in along) for m in astray)
    within = f"{unit.name} must be wholly within {Length(w, band):g} of an edge of the battlefield"
    told = f"{within}: {called_all(w, astray)} would reach up to {Length(w, reach, band)} from it."
    facts: dict[str, Fact] = {"edge": True, "gap": round(units(reach), 3), "limit": units(band)}
    return Verdict(False, (Reason(told, rules, facts, tuple(astray)),))


def how_near(w: World40, bodies: Bodies, models: Ints, enemies: Sequence[Unit]) -> str:
    """Who of some models would be set up how near to the nearest of some enemies."""
    model, enemy, near = _nearest(w, bodies, models, enemies, flat=False)
    return f"{called(w, model)} would be set up {Length(w, near)} from {enemy.name}"


def _nearest(
    w: World40, bodies: Bodies, models: Ints, enemies: Iterable[Unit], *, flat: bool
) -> tuple[int, Unit, float]:
    """Who of some models is nearest to which of some enemies, and how near."""
    measure = gaps if flat else distances
    found = [(measure(bodies, w.shapes, models, w.on_table(e)).min(axis=1), e) for e in enemies if w.is_on_table(e)]
    each, enemy = min(found, key=lambda pair: float(pair[0].min()))
    return int(models[int(each.argmin())]), enemy, max(0.0, float(each.min()))
