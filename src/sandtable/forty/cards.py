"""What players see of a unit and of the score: the datasheet with what is left of it, points and markers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from sandtable.attack.volley import dice
from sandtable.battle.cards import Card, Line, Member
from sandtable.battle.system import DeploymentZone, Mark
from sandtable.forty.markers import gaps_between, holders, markers_left
from sandtable.forty.mission import zones_of
from sandtable.forty.state import Commander, Player, Unit, World40, sheet_of, weapons_of
from sandtable.table.grid import Ints, steps, units

Figures: TypeAlias = tuple[tuple[str, str], ...]
"""Characteristics as they are printed: name and value."""


@dataclass(frozen=True)
class Printing:
    """How an edition prints datasheets, and what it says about a unit."""

    profile: Callable[[Any], Figures]
    """Of a datasheet."""
    weapon: Callable[[Any], Figures]
    """Of a weapon profile."""
    deeds: Callable[[Any], Iterable[str]]
    """(unit): what it is, and what it did this turn, in words."""
    points: Callable[[Any], str]
    """(player): what it has scored, and has to spend."""
    badge: Callable[[Any], Iterable[Mark]]
    """(unit): the same as its deeds, as short as a badge has it."""


# --- What several editions print in the same way


def profile(sheet: Any, invulnerable: str) -> Figures:
    """The characteristics of a datasheet with Leadership and Objective Control, and what its other save is called."""
    move = "-" if sheet.move is None else f'{sheet.move}"'
    out = [("M", move), ("T", f"{sheet.toughness}"), ("Sv", f"{sheet.save}+"), ("W", f"{sheet.wounds}")]
    out += [("Ld", f"{sheet.leadership}+"), ("OC", "-" if sheet.oc is None else f"{sheet.oc}")]
    return (*out, *(((invulnerable, f"{sheet.invulnerable}+"),) if sheet.invulnerable else ()))


def weapon(x: Any) -> Figures:
    """The characteristics of a weapon with a skill of its own."""
    skill = ("WS" if x.is_melee else "BS", f"{x.skill}+" if x.skill else "-")
    reach = "melee" if x.is_melee else f'{x.range}"'
    return (("", reach), ("A", x.attacks), skill, ("S", f"{x.strength}"), ("AP", f"{x.ap}"), ("D", x.damage))


def deeds(unit: Any, shocked: str, moves: Mapping[str, str]) -> Iterator[str]:
    """What became of a unit that can be battle-shocked, and what it did this turn, by the words for that."""
    if unit.battle_shocked:
        yield shocked
    if unit.moved in moves:
        yield moves[unit.moved]
    if unit.charged:
        yield "charged"


def badge(unit: Any, *, charged: Mark, moves: Mapping[str, Mark], shocked: Mark | None = None) -> Iterator[Mark]:
    """What the badge of a unit says of its state and of what it did this turn, in the words of an edition."""
    if shocked is not None and unit.battle_shocked:
        yield shocked
    if unit.charged:
        yield charged
    if unit.moved in moves:
        yield moves[unit.moved]


def points(player: Any) -> str:
    """Victory and Command points."""
    return f"{player.vp} VP, {player.cp} CP"


# --- Cards


def card(w: World40, unit: Unit) -> Card:
    """A unit's datasheets, with the models that are left."""
    printing = w.system.seam(Printing)
    models = [m for m in unit.models if m not in w.out_of_play()]
    sheets = Counter(sheet_of(w, m) for m in models)
    weapons = Counter(x for m in models for x in weapons_of(w, m))
    names = [a.name for a in w.setup.data.abilities if any(m in a.models for m in models)]
    return Card(
        unit.name,
        tuple(Line(s.name, n, printing.profile(s), s.abilities, steps(_pace(s))) for s, n in sheets.items()),
        tuple(Line(x.name, n, printing.weapon(x), x.abilities, steps(x.range)) for x, n in weapons.items()),
        tuple(dict.fromkeys(names)),
        tuple(dict.fromkeys(k for s in sheets for k in s.keywords)),
        (*_status(w, unit, models), *printing.deeds(unit)),
        tuple(_members(w, models)),
    )


def _pace(sheet: Any) -> float:
    """How far a model moves in inches; where dice say so, on average, and of a range the most."""
    return dice(f"{sheet.move or 0}".split("-")[-1]).mean


def _members(w: World40, models: list[int]) -> Iterator[Member]:
    """Who each model is: what its datasheet calls it, and what fewer than half of the unit carry."""
    carried = {m: tuple(dict.fromkeys(x.name for x in weapons_of(w, m))) for m in models}
    often = Counter(name for names in carried.values() for name in names)
    for m in models:
        yield Member(m, sheet_of(w, m).name, tuple(x for x in carried[m] if 2 * often[x] < len(models)))


def _status(w: World40, unit: Unit, models: list[int]) -> Iterator[str]:
    here = w.on_table(unit)
    if len(here):
        yield from _nearest_marker(w, here)
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


def _nearest_marker(w: World40, here: Ints) -> Iterator[str]:
    """How far it is to the nearest marker, in words that mean something without a ruler at the table's edge."""
    markers = markers_left(w)
    if markers:
        found = gaps_between(w, w.bodies, here, markers).min(axis=0)
        near = int(found.argmin())
        yield f'{units(max(0, round(found[near]))):.1f}" from marker {markers[near] + 1}'


def describe(w: World40, unit: Any) -> str:
    """One line about a unit: its models, and what it did this turn."""
    models = len(w.on_table(unit))
    return ", ".join([f"{models} model{'' if models == 1 else 's'}", *w.system.seam(Printing).deeds(unit)])


def marks(w: World40, unit: Unit) -> Iterable[Mark]:
    """What the badge of a unit says."""
    return w.system.seam(Printing).badge(unit)


def numbers(w: World40, player: Player) -> Iterator[tuple[str, int]]:
    """What the score board says of a player."""
    yield "VP", player.vp
    if isinstance(player, Commander):
        yield "CP", player.cp


def printed_keywords(w: World40, unit: Unit) -> tuple[str, ...]:
    """The keywords of a unit's models, as they are printed."""
    return tuple(dict.fromkeys(k for m in unit.models for k in sheet_of(w, m).keywords))


def wounds(w: World40, model: int) -> int:
    """What a model has when it is whole."""
    return int(sheet_of(w, model).wounds)


def points_of(w: World40, unit: Unit) -> int:
    """The points of a unit on its roster."""
    roster = w.setup.data.roster
    own: int = roster[unit.id].points if roster else 0
    return own


def zones(w: World40) -> list[DeploymentZone]:
    """The deployment zones, each with its player once that is settled."""
    attacker = w.state.game.attacker
    others = [p.id for p in w.state.players if attacker >= 0 and p.side != w.side(attacker)]
    owners = (attacker, others[0] if others else -1)
    return [DeploymentZone(outline, player) for outline, player in zip(zones_of(w), owners, strict=False)]


def score(w: World40) -> Iterator[str]:
    """The points of the players, and who holds which marker."""
    told = w.system.seam(Printing).points
    for player in w.state.players:
        yield f"{player.name}: {told(player)}"
    held = holders(w)
    for m in markers_left(w):
        yield f"Marker {m + 1}: {f'held by {w.player(held[m]).name}' if held[m] >= 0 else 'free'}"
