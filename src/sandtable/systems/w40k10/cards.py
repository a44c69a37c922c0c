"""What players see of a unit and of the score: the datasheet with what is left of it, points and markers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from sandtable.battle.cards import Card, Line
from sandtable.battle.system import DeploymentZone
from sandtable.forty.markers import markers_of, on_the_table
from sandtable.forty.mission import zones_of
from sandtable.systems.w40k10.datasheet import Sheet, Weapon
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, NORMAL, Unit, World10, sheet_of, weapons_of
from sandtable.table.grid import units

DONE: Final = {ADVANCE: "Advanced", FALL_BACK: "Fell Back", NORMAL: "moved"}


def card(w: World10, unit: Unit) -> Card:
    """A unit's datasheets, with the models that are left."""
    models = [m for m in unit.models if m not in w.out_of_play()]
    sheets = Counter(sheet_of(w, m) for m in models)
    weapons = Counter(weapon for m in models for weapon in weapons_of(w, m))
    names = [a.name for a in w.setup.data.abilities if any(m in a.models for m in models)]
    return Card(
        unit.name,
        tuple(Line(s.name, n, _profile(s), s.abilities) for s, n in sheets.items()),
        tuple(Line(x.name, n, _figures(x), x.abilities) for x, n in weapons.items()),
        tuple(dict.fromkeys(names)),
        tuple(dict.fromkeys(k for s in sheets for k in s.keywords)),
        tuple(_status(w, unit, models)),
    )


def _profile(s: Sheet) -> tuple[tuple[str, str], ...]:
    move = "-" if s.move is None else f'{s.move}"'
    figures = [("M", move), ("T", f"{s.toughness}"), ("Sv", f"{s.save}+"), ("W", f"{s.wounds}")]
    figures += [("Ld", f"{s.leadership}+"), ("OC", f"{s.oc}")]
    return (*figures, *((("inv", f"{s.invulnerable}+"),) if s.invulnerable else ()))


def _figures(x: Weapon) -> tuple[tuple[str, str], ...]:
    skill = ("WS" if x.is_melee else "BS", f"{x.skill}+" if x.skill else "-")
    reach = "melee" if x.is_melee else f'{x.range}"'
    return (("", reach), ("A", x.attacks), skill, ("S", f"{x.strength}"), ("AP", f"{x.ap}"), ("D", x.damage))


def _status(w: World10, unit: Unit, models: list[int]) -> Iterator[str]:
    here = w.on_table(unit)
    if len(here):
        x, y, _ = w.bodies.pos[here].sum(axis=0) // len(here)
        yield f"around {units(int(x)):.1f}, {units(int(y)):.1f}"
    elif unit.embarked >= 0:
        yield f"embarked in {w.unit(unit.embarked).name}"
    elif models:
        yield "not on the table"
    else:
        yield "destroyed"
    for m in models:
        lost = sheet_of(w, m).wounds - int(w.state.models.wounds[m])
        if lost > 0:
            yield f"{sheet_of(w, m).name} has lost {lost} of {sheet_of(w, m).wounds} wounds"
    if unit.battle_shocked:
        yield "Battle-shocked"
    if unit.moved in DONE:
        yield DONE[unit.moved]
    if unit.charged:
        yield "charged"


def zones(w: World10) -> list[DeploymentZone]:
    """The deployment zones, each with its player once that is settled."""
    attacker = w.state.game.attacker
    others = [p.id for p in w.state.players if attacker >= 0 and p.side != w.side(attacker)]
    owners = (attacker, others[0] if others else -1)
    return [DeploymentZone(outline, player) for outline, player in zip(zones_of(w), owners, strict=False)]


def score(w: World10) -> Iterator[str]:
    """Victory and Command points, and who holds which marker."""
    for player in w.state.players:
        yield f"{player.name}: {player.vp} VP, {player.cp} CP"
    held = w.state.game.control or (-1,) * len(markers_of(w))
    for number, (x, y, _) in enumerate(markers_of(w)):
        if (x, y) in {(ox, oy) for ox, oy, _ in on_the_table(w)}:
            who = w.player(held[number]).name if held[number] >= 0 else "nobody"
            yield f"Marker {number + 1} at {units(x):.1f}, {units(y):.1f}: {who}"
