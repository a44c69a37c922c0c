"""The story of a battle: what a page needs to play it again, as plain data with small numbers.

It begins with the table and the armies, and goes on in frames: each is something that a watcher wants to stop at, with
the lines and dice that tell it and whatever is different from the frame before. It is told to a spectator: secrets stay
secret, and so does the seed until the battle is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from sandtable.battle import journal
from sandtable.battle.cards import Card
from sandtable.battle.decisions import Decision
from sandtable.battle.depict import looks as looks_of
from sandtable.battle.replaying import replay
from sandtable.battle.state import State, from_bytes
from sandtable.battle.world import World, conceal
from sandtable.errors import UserError
from sandtable.page import wording
from sandtable.table import picture_style as style
from sandtable.table.layout import Feature
from sandtable.table.picture_marks import grown
from sandtable.table.shapes import Shape
from sandtable.version import __version__

if TYPE_CHECKING:
    from sandtable.battle.machine import Battle

    AnyBattle: TypeAlias = Battle[Any, Any, Any, Any]

SPECTATOR: Final = -1
"""Sees what no player keeps to themselves."""

ANSWER, TOLD, ROLLED, RULED, ENDED = range(5)
"""Kinds of lines."""


Marks: TypeAlias = tuple[tuple[str, str], ...]
"""What the badge of a unit says: each in short, and in full"""
Marker: TypeAlias = tuple[int, int, int, int, str, int]
"""x, y, radius, reach, label, look of the side that holds it or -1"""


class Line(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """One line of the log."""

    kind: int
    player: int
    """Whose line it is; -1 for nobody's."""
    text: str
    """Of a roll: what was rolled, what it needed and why"""
    rules: tuple[int, ...] = ()
    """Rows of the story's rules"""
    faces: str = ""
    """A roll's dice: digits, or numbers with spaces between them where there are more than nine sides"""
    sides: int = 6
    said: str = ""
    """What was answered, or what came of a roll; the text is the question then, or what was rolled and why."""


class Frame(msgspec.Struct, omit_defaults=True):
    """A moment to stop at, and what is different from the one before. Numbers are grid steps."""

    lines: list[Line] = msgspec.field(name="l", default_factory=list)
    moved: list[list[int]] = msgspec.field(name="m", default_factory=list)
    """model, x, y, z, facing, then x and y of every corner on the way"""
    placed: list[tuple[int, int]] = msgspec.field(name="p", default_factory=list)
    """model, place"""
    wounds: list[tuple[int, int]] = msgspec.field(name="w", default_factory=list)
    """model, wounds left"""
    joined: list[tuple[int, int]] = msgspec.field(name="j", default_factory=list)
    """model, unit"""
    marks: list[tuple[int, Marks]] = msgspec.field(name="u", default_factory=list)
    """unit, what its badge says"""
    numbers: list[tuple[int, tuple[tuple[str, int], ...]]] = msgspec.field(name="s", default_factory=list)
    """player, what the score board says"""
    features: list[Ground] = msgspec.field(name="f", default_factory=list)
    """Terrain that came up"""
    objectives: list[Marker] | None = msgspec.field(name="o", default=None)
    """All markers, when one was placed, taken away, won or lost"""
    names: list[tuple[int, str, str]] = msgspec.field(name="n", default_factory=list)
    """unit, what it is called from now on, and its short label"""
    actors: tuple[tuple[int, ...], tuple[int, ...]] | None = msgspec.field(name="a", default=None)
    """Units that act, and units that they act against; holds until it changes"""
    heard: int = msgspec.field(name="e", default=0)
    """How many events of the battle have happened by then"""


class Heading(msgspec.Struct, frozen=True, array_like=True):
    """Where a frame opens a round, a turn or a phase."""

    frame: int
    round: str
    player: int
    phase: str


class Ground(msgspec.Struct, frozen=True, omit_defaults=True):
    """A terrain feature."""

    kind: str
    name: str
    outline: list[int]
    top: int
    solid: bool = False
    walls: list[list[int]] = []
    """ax, ay, bx, by, thickness"""
    floors: list[tuple[int, list[int]]] = []
    """height, outline"""


class Base(msgspec.Struct, frozen=True, array_like=True):
    """The base of a model at facing 0."""

    outline: list[int]
    """x and y of its corners; empty for a round one"""
    radius: int
    length: int
    width: int


class Story(msgspec.Struct):
    """Everything that the page shows."""

    title: str
    system: str
    version: str
    seed: int | None
    options: dict[str, str]
    size: tuple[int, int]
    unit: str
    features: list[Ground]
    kinds: dict[str, style.Ground]
    sides: tuple[style.SideStyle, ...]
    colours: dict[str, str]
    shapes: list[Base]
    models: list[tuple[int, int, int, int, int, int, int, int]]
    """shape, unit, x, y, z, facing, wounds, place"""
    units: list[tuple[str, str, int]]
    """name, short label, player"""
    called: tuple[str, str]
    """What a unit is called, and one of its models"""
    players: list[tuple[str, int]]
    """name, look of the side"""
    marks: list[Marks]
    numbers: list[tuple[tuple[str, int], ...]]
    objectives: list[Marker]
    zones: list[tuple[list[int], int]] = []
    """Outlines of the deployment zones, and the player of each or -1"""
    cards: list[Card | None] = []
    """The datasheet of each unit, as the battle began"""
    start: int = 0
    """The frame that the first turn begins with, both armies set up"""
    again: bool = True
    """Whether it can be played again up to a moment, so that a scenario file can be written of that"""
    left_out: list[str] = []
    """Abilities, or parts of them, that the system does not enforce"""
    rules: list[tuple[str, str, str, str]] = []
    headings: list[Heading] = []
    frames: list[Frame] = []
    result: dict[str, Any] | None = None


def tell(battle: AnyBattle, reasons: Mapping[int, str] = MappingProxyType({})) -> Story:
    """The story of a battle so far; `reasons` for answers, by the number of the question."""
    from sandtable.page.frames import Teller

    if not battle.start_bytes:
        raise UserError("This battle keeps no journal, as a fork does, and cannot be told from its beginning.")
    system = battle.system
    start = from_bytes(battle.start_bytes, system.unit_type, system.player_type, system.game_type)
    world: World[Any, Any, Any, Any] = World(system, battle.setup, conceal(system, start, SPECTATOR), battle.ground)
    story = _opening(battle, world)
    teller = Teller(story, world, _questions(battle), reasons)
    for event in battle.events_for(SPECTATOR):
        teller.hear(event)
    teller.close()
    return story


def _questions(battle: AnyBattle) -> dict[int, Decision[Any]]:
    """Every question of the battle by its number. They are not kept, so its journal is played again to hear them."""
    asked: dict[int, Decision[Any]] = {}
    if battle.seed is None:
        return asked  # its dice were written down beforehand, and nothing could roll them again

    def listen(again: AnyBattle, entry: journal.Entry) -> None:
        if isinstance(entry, journal.AnswerEntry) and again.decisions:
            asked[again.decisions[0].id] = again.decisions[0]

    replay(journal.read(journal.write(battle), "The battle"), battle.system, watch=listen)
    return asked


# --- The table and the armies -----------------------------------------------------------------------------------------


def _opening(battle: AnyBattle, world: World[Any, Any, Any, Any]) -> Story:
    setup, state = battle.setup, world.state
    look = looks_of(world)
    players = [(wording.name(p.name), look[p.side]) for p in state.players]
    names = [u.name for u in state.units]
    over = battle.result is not None
    kinds = [f.kind for f in (*setup.table.features, *battle.state.features)]
    return Story(
        title=" against ".join(_sides(state, setup.armies)),
        system=", ".join(filter(None, (battle.system.name, setup.scene))),
        version=__version__,
        seed=battle.seed if over else None,
        options=setup.options,
        size=(setup.table.width, setup.table.depth),
        unit=setup.table.unit,
        features=[ground(f) for f in setup.table.features],
        kinds={kind: style.ground_style(kind) for kind in kinds},
        sides=style.SIDES,
        colours={c.casefold(): getattr(style, c) for c in ("GROUND", "GRID", "FRAME", "WALL", "AMBER", "NEUTRAL")},
        shapes=[_base(s) for s in setup.shapes],
        models=_models(battle, state),
        units=list(zip(map(wording.name, names), wording.labels(names), (u.player for u in state.units), strict=True)),
        called=battle.system.called,
        players=players,
        marks=[marks(world, u) for u in state.units],
        numbers=[wording.numbers(world, p) for p in state.players],
        objectives=objectives(world),
        zones=[(flat(z.outline), z.player) for z in (battle.system.zones(battle) if battle.system.zones else ())],
        cards=[wording.card(battle.system.card(world, u)) if battle.system.card else None for u in state.units],
        again=battle.seed is not None,
        left_out=_left_out(battle),
    )


def _left_out(battle: AnyBattle) -> list[str]:
    found = battle.system.left_out(battle) if battle.system.left_out is not None else ()
    return [wording.line(f"{entry.name} ({entry.where}): {entry.what}") for entry in found]


def _sides(state: State[Any, Any, Any], armies: Sequence[str]) -> list[str]:
    """Each side by its armies, or by its players where the armies have no names."""
    sides: dict[int, list[str]] = {}
    for player, called in zip(state.players, armies or [p.name for p in state.players], strict=True):
        sides.setdefault(player.side, []).append(wording.name(called))
    return [" and ".join(names) for names in sides.values()]


def _models(battle: AnyBattle, state: State[Any, Any, Any]) -> list[tuple[int, int, int, int, int, int, int, int]]:
    m = state.models
    columns = (m.unit, m.pos[:, 0], m.pos[:, 1], m.pos[:, 2], m.facing, m.wounds, m.place)
    return list(zip(battle.setup.shape_of, *(c.tolist() for c in columns), strict=True))


def _base(shape: Shape) -> Base:
    points = [] if len(shape.core) == 1 else flat(grown(shape.core, shape.radius))
    length, width = (shape.length or 2 * shape.reach), (shape.width or 2 * shape.reach)
    return Base(points, shape.radius, length, width)


def ground(feature: Feature) -> Ground:
    """A terrain feature as the page draws it."""
    return Ground(
        feature.kind,
        wording.name(feature.name or feature.kind),
        flat(feature.outline),
        max([feature.top, *(w.top for w in feature.walls)], default=0),
        feature.solid,
        [[*w.a, *w.b, w.thickness] for w in feature.walls],
        [(f.z, flat(f.outline)) for f in sorted(feature.floors, key=lambda f: f.z)],
    )


def marks(world: World[Any, Any, Any, Any], unit: Any) -> Marks:
    """What the badge of a unit says."""
    return tuple((mark.text, mark.name) for mark in wording.marks(world, unit))


def objectives(world: World[Any, Any, Any, Any]) -> list[Marker]:
    """The markers on the table."""
    found = world.picture().objectives if world.system.objectives is not None else ()
    return [(o.x, o.y, o.radius, o.reach, wording.name(o.label), o.side) for o in found]


def flat(points: Any) -> list[int]:
    """Points as one list of whole numbers."""
    return [round(v) for point in points for v in point]
