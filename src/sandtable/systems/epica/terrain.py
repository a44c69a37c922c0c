"""Terrain: how it acts on movement, what cover it gives, and what blocks a line of fire.

A unit is in a feature when the middle of its base is. Impassable terrain may not be touched by any part of the base.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np

from sandtable.battle.decisions import Path
from sandtable.battle.kept import PLACES, kept
from sandtable.battle.rolls import Each
from sandtable.battle.state import GONE
from sandtable.battle.verdict import ALLOWED, Reason, Verdict, refuse
from sandtable.kit.grammar import counted
from sandtable.kit.moving import Measure, legs_of, travelled
from sandtable.rules import Facts, fact, rule
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.datasheet import Sheet
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation, formation_of, label, sheet, stands
from sandtable.table.crossing import areas_under, entries, keeps_to
from sandtable.table.grid import Bools, units

FREE, DANGEROUS, IMPASSABLE = "no effect", "dangerous", "impassable"

FACES: Final = 6
SAFE: Final = Each("safe/lost", needed=2)
SAFE_OR_AGAIN: Final = Each("safe/to be rolled again", needed=2)
OVER_GROUND: Final = Measure(rise=False)


class Effects(NamedTuple):
    """A row of the terrain table."""

    infantry: str = FREE
    vehicles: str = FREE
    war_engines: str = FREE
    cover_save: int = 0
    """For infantry; 0 for none"""
    tall: bool = False
    """Blocks lines of fire, and hides vehicles that stand in it"""
    deep: bool = True
    """May be seen into, and out of, for a short way"""
    fortified: bool = False

    def on(self, unit: Sheet) -> str:
        """The effect on a unit's movement."""
        return self.infantry if unit.is_infantry else self.vehicles


OPEN: Final = Effects()


class TERRAIN(Facts):
    """The terrain table, by kinds."""

    building = fact(Effects(FREE, IMPASSABLE, IMPASSABLE, 4, tall=True), "epica.terrain.building", neutral=OPEN)
    cliff = fact(Effects(IMPASSABLE, IMPASSABLE, IMPASSABLE), "epica.terrain.cliff", neutral=OPEN)
    fortification = fact(
        Effects(FREE, IMPASSABLE, IMPASSABLE, 3, tall=True, fortified=True), "epica.terrain.fortification", neutral=OPEN
    )
    emplacement = fact(
        Effects(FREE, FREE, IMPASSABLE, 3, tall=True, fortified=True), "epica.terrain.fortification", neutral=OPEN
    )
    """A fortification that was made for vehicles."""
    jungle = fact(Effects(FREE, IMPASSABLE, DANGEROUS, 4, tall=True), "epica.terrain.jungle", neutral=OPEN)
    marsh = fact(Effects(DANGEROUS, DANGEROUS, DANGEROUS, 6), "epica.terrain.marsh", neutral=OPEN)
    open = fact(OPEN, "epica.terrain.open", neutral=Effects(DANGEROUS, DANGEROUS, DANGEROUS, 6))
    """Open ground has no row of its own: it does nothing."""
    river = fact(Effects(DANGEROUS, IMPASSABLE, FREE, 6), "epica.terrain.river", neutral=OPEN)
    road = fact(OPEN, "epica.terrain.open", neutral=Effects(DANGEROUS, DANGEROUS, DANGEROUS, 6))
    ruins = fact(Effects(FREE, DANGEROUS, DANGEROUS, 4, tall=True), "epica.terrain.ruins", neutral=OPEN)
    scrub = fact(Effects(FREE, FREE, FREE, 6), "epica.terrain.scrub", neutral=OPEN)
    wood = fact(Effects(FREE, DANGEROUS, DANGEROUS, 5, tall=True), "epica.terrain.wood", neutral=OPEN)
    hill = fact(Effects(tall=True, deep=False), "epica.terrain.hill", neutral=OPEN)
    """A slope is open ground, but it stands in the way of sight."""


KINDS: Final = tuple(name for name in vars(TERRAIN) if not name.startswith("_"))
GROUND: Final = ("hill", "road", "open")
"""Kinds that give no cover by themselves."""


@rule("epica.terrain.agreement", neutral=OPEN)
def effects_of(kind: str) -> Effects:
    """The row of the terrain table that a feature belongs to."""
    found: Effects = getattr(TERRAIN, kind, TERRAIN.open)
    return found


@kept(PLACES)
def under(world: EpicWorld) -> Bools:
    """Which features each stand is in, [stand, feature]."""
    found: Bools = areas_under(world.state.models.pos, world.terrain.outline, world.terrain.corners)
    return found


def kinds_at(world: EpicWorld, stand: int) -> list[str]:
    """The kinds of terrain that a stand is in."""
    features = world.table.features
    return [features[f].kind for f in np.flatnonzero(under(world)[stand])]


def impassable(world: EpicWorld, unit: Sheet) -> Bools:
    """Which features a unit may not touch, [feature]."""
    blocked = [terrain_class(effects_of(f.kind), unit) == IMPASSABLE for f in world.table.features]
    return np.array(blocked, dtype=np.bool_)


@rule("epica.terrain.classes", "epica.special.light_vehicles", neutral=FREE)
def terrain_class(effects: Effects, unit: Sheet) -> str:
    """What a kind of terrain does to a unit that moves into it."""
    return effects.on(unit)


# --- Roads -----------------------------------------------------------------------------------------------------------


def roads(world: EpicWorld) -> Bools:
    return np.array([f.kind == "road" for f in world.table.features], dtype=np.bool_)


def keeps_to_road(world: EpicWorld, path: Path) -> bool:
    """Whether a stand is on a road all along its path."""
    terrain, here = world.terrain, world.state.models.pos[path.model]
    return bool(keeps_to(int(here[0]), int(here[1]), legs_of(path), terrain.outline, terrain.corners, roads(world)))


@rule("epica.terrain.road", neutral=0)
def road_bonus(world: EpicWorld, path: Path) -> int:
    """The grid steps that a road adds to a move that is made on it from beginning to end."""
    return BOOK.road_bonus if keeps_to_road(world, path) else 0


@rule("epica.terrain.road_march", neutral=ALLOWED)
def may_road_march(world: EpicWorld, formation: Formation) -> Verdict:
    """Whether a formation may declare a road march: all of it must be on a road."""
    there = under(world) & roads(world)
    for stand in stands(world, formation):
        if not there[stand].any():
            return refuse(
                f"{formation.name} has a unit off the road, so it cannot make a road march.", "epica.terrain.road_march"
            )
    return ALLOWED


@rule("epica.terrain.road_march", neutral=ALLOWED)
def stays_on_road(world: EpicWorld, paths: Iterable[Path]) -> Verdict:
    """Whether a move of a road march keeps every unit on the road."""
    if all(keeps_to_road(world, path) for path in paths):
        return ALLOWED
    return refuse("On a road march no unit may leave the road.", "epica.terrain.road_march")


# --- Dangerous terrain -----------------------------------------------------------------------------------------------


def dangers(world: EpicWorld, path: Path) -> list[str]:
    """The features that a stand tests for on its path: dangerous ones that it starts in, and each time it enters."""
    terrain, here = world.terrain, world.state.models.pos[path.model]
    unit = sheet(world, path.model)
    features = world.table.features
    found = entries(int(here[0]), int(here[1]), legs_of(path), terrain.outline, terrain.corners)
    return [
        features[f].name or features[f].id
        for f in np.repeat(np.arange(len(features)), found)
        if terrain_class(effects_of(features[f].kind), unit) == DANGEROUS
    ]


@rule("epica.terrain.cautious", neutral=False)
def is_cautious(world: EpicWorld, path: Path) -> bool:
    """Whether a move is slow enough to be a cautious one; nobody is hurt by caution, so such a move always is."""
    return travelled(world, path, OVER_GROUND) <= BOOK.cautious + 0.5


@rule("epica.terrain.dangerous_test")
def test_dangers(b: EpicBattle, due: list[tuple[int, list[str], bool]]) -> None:
    """Roll for every stand that went through dangerous terrain: (stand, features, cautious). A 1 destroys it."""
    lost: list[int] = []
    for stand, features, cautious in due:
        owner = formation_of(b, stand)
        for feature in features:
            if stand in lost:
                break
            read = SAFE_OR_AGAIN if cautious else SAFE
            face = b.roll_one("dangerous terrain", owner.player, rules=("epica.terrain.dangerous_test",), read=read)
            if face == 1 and cautious:
                cites = ("epica.terrain.cautious",)
                face = b.roll_one("dangerous terrain again", owner.player, rules=cites, read=SAFE)
            if face == 1:
                lost.append(stand)
                b.tell(
                    "lost to terrain",
                    f"{label(b, stand)} is lost in {feature}.",
                    "epica.terrain.dangerous_test",
                    units=[owner.id],
                    stand=stand,
                )
    b.place_models(lost, GONE)


def danger_notes(world: EpicWorld, paths: Iterable[Path]) -> Iterator[Reason]:
    """What a move through dangerous terrain asks for: tests, those that caution lets roll again, and likely losses."""
    found = [(p.model, len(features), is_cautious(world, p)) for p in paths if (features := dangers(world, p))]
    if not found:
        return
    tests = sum(number for _, number, _ in found)
    calm = sum(number for _, number, cautious in found if cautious)
    lost = sum(1 - (1 - chance_of_loss(cautious=cautious)) ** number for _, number, cautious in found)
    careful = sum(1 - (1 - chance_of_loss(cautious=True)) ** number for _, number, _ in found)
    far = units(BOOK.cautious)
    said = [f"{counted(tests, 'test')} for dangerous terrain: a 1 destroys the unit."]
    if calm:
        said.append(f"{calm if calm < tests else 'Each'} of them may roll again, as the unit moves {far:g} cm at most.")
    if calm < tests:
        said.append(f"Moves of {far:g} cm at most would be cautious, and roll again.")
    facts = {
        "tests": tests,
        "cautious": calm,
        "units_lost": round(lost, 2),
        "units_lost_with_caution": round(careful, 2),
    }
    yield Reason(
        " ".join(said),
        ("epica.terrain.dangerous_test", "epica.terrain.cautious"),
        dict(facts),
        tuple(stand for stand, _, _ in found),
    )


def chance_of_loss(*, cautious: bool) -> float:
    """The chance that a test destroys a unit."""
    return 1 / FACES**2 if cautious else 1 / FACES
