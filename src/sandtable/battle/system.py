"""What a rules system brings to the machine."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from sandtable.battle.decisions import Option, Row, Spot, Value
from sandtable.battle.state import GONE
from sandtable.battle.verdict import Reason, Verdict
from sandtable.errors import UserError

if TYPE_CHECKING:
    from random import Random

    from sandtable.battle.cards import Card
    from sandtable.battle.events import Told
    from sandtable.battle.machine import Battle
    from sandtable.battle.setup import Setup
    from sandtable.battle.state import AnyPlayer, AnyUnit, State
    from sandtable.battle.tables import Piece
    from sandtable.battle.tactics import Tactics
    from sandtable.battle.world import World
    from sandtable.table.layout import Table
    from sandtable.table.picture import Objective
    from sandtable.table.sight import Sight

    AnyBattle: TypeAlias = Battle[Any, Any, Any, Any]
    AnyWorld: TypeAlias = World[Any, Any, Any, Any]


T = TypeVar("T")


class Step(enum.Enum):
    """What one turn of a step's loop answers."""

    AGAIN = "again"
    DONE = "done"


AGAIN: Final = Step.AGAIN
DONE: Final = Step.DONE

Flow: TypeAlias = "Coroutine[Any, Any, Any]"
StepFlow: TypeAlias = "Callable[[Any], Coroutine[Any, Any, Step]]"


@dataclass(frozen=True)
class Goal:
    """Where a player points: a place that a unit is to be brought to, or as near to it as it may."""

    x: int
    y: int
    shape: str = "keep"
    """The formation, by the names that `table.arrange` has for them."""
    mode: str = ""
    """The way of moving; empty for the plain one."""
    ends: tuple[Spot, ...] = ()
    """Where each of the models is wanted, if that was said; models that are left out stay."""


class Reach(msgspec.Struct, frozen=True):
    """Where the models of a unit may end a move."""

    far: int
    """How long the way may be, in grid steps."""
    chance: float
    """The chance that it may be so long; 1 where nothing is rolled for it."""
    outlines: tuple[tuple[tuple[int, int], ...], ...]
    """Outlines of the middles of bases, in grid steps; they overlap, and holes run clockwise."""
    models: tuple[int, ...] = ()
    """For each outline whose it is; others of the unit are near them."""
    needs: str = ""
    """What has to be rolled for it, where a single die decides, as players say it: "4+"."""


class Outlook(msgspec.Struct, frozen=True):
    """What attacks at a target do to it."""

    target: int
    lost: float
    """Models lost on average..."""
    of: int
    """...of so many."""
    damage: float
    """Wounds lost on average."""
    destroyed: float
    """The chance that nothing is left."""
    broken: float = 0.0
    """The chance that what is left breaks, where units do."""
    won: float | None = None
    """The chance to win, where it is an assault that somebody wins..."""
    margin: float = 0.0
    """...by so much on average, below 0 for losing it..."""
    own: float = 0.0
    """...and the models of the own side that it costs on average."""


class Ring(msgspec.Struct, frozen=True):
    """A distance that players look at while they move: drawn around models, and a magnet for those who want it."""

    name: str
    far: int
    around: Literal["enemies", "comrades", "objectives"]
    """Whether one keeps out of it around enemies or objective markers, or within it of the own unit."""
    rule: str = ""
    """That says so."""
    spread: int = -1
    """No two of a unit may be further apart than this; below 0: no matter."""
    up: int = -1
    """Who is so near may be so far above or below; below 0: however far."""
    in_space: bool = False
    """Whether it is measured in space, and reaches less far over the ground to who is above or below."""
    crowd: int = 0
    """From so many models of a unit on, each has two others so near; 0: one is always enough."""
    one_group: bool = True
    """Whether those who are so near to each other have to be one group."""
    kinds: tuple[str, ...] = ()
    """The questions in which it takes the place of all others around the same; none for one that holds elsewhere.

    Where such a question says `gap` about itself, the distance is that for once."""


class Briefing(msgspec.Struct, frozen=True):
    """What a battle is about, for who sits down at it."""

    name: str
    """Of the mission."""
    text: str
    """What it is like, in a sentence or two."""
    rounds: int
    """How many there are; 0 where that is not settled."""
    scoring: tuple[str, ...]
    """Each way to score, in a sentence."""


class Aura(msgspec.Struct, frozen=True):
    """A distance from models within which their friends are helped: a magnet for those who move there."""

    name: str
    far: int
    models: tuple[int, ...]
    """Whose it is."""
    units: tuple[int, ...]
    """Whom it can help."""


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the badge of a unit says beside its name."""

    text: str
    """In a word or two."""
    name: str = ""
    """The same in full; empty where the badge does not shorten it."""
    rule: str = ""
    """That says what it means."""

    @property
    def whole(self) -> str:
        """The same in full, wherever that stands."""
        return self.name or self.text


class Stake(NamedTuple):
    """What a question is about, for who is not to be asked the same or less twice."""

    among: str = ""
    """Only questions of which this is the same are held against each other."""
    worth: float = 0.0
    """How much is at stake, in whatever measure."""


@dataclass(frozen=True)
class Question:
    """What a system knows about one kind of decision. All of these are pure: they change and roll nothing."""

    judge: Callable[[Any, Any, Any], Verdict] | None = None
    """(world, decision, answer): is this answer legal? Beyond what the shape alone can say."""
    suggest: Callable[[Any, Any, Random], Iterator[Any]] | None = None
    """(world, decision, rng): legal or likely legal answers, good ones first."""
    default: Callable[[Any, Any], Any] | None = None
    """(world, decision): a legal answer that a player would accept without thinking."""
    named: Callable[[Any, Any], Iterator[tuple[str, Any]]] | None = None
    """(world, decision): answers by what is meant with them, such as "all into contact"; likely legal."""
    settled: bool = False
    """Players expect that answer, whatever the tactics advise: the safe profile of a gun, say."""
    why_unit: Callable[[Any, Any, int], Verdict] | None = None
    """(world, decision, unit): why a unit is, or is not, among the options."""
    why_row: Callable[[Any, Any, Any], Verdict] | None = None
    """(world, decision, assignment): why what stands in a row cannot be put on a target, though others may be."""
    why_mode: Callable[[Any, Any, str], Verdict] | None = None
    """(world, decision, mode): why a way of moving is not open to a unit."""
    odds: Callable[[Any, Any, Any], float | None] | None = None
    """(world, decision, answer): the chance that it does what it is for."""
    meant: str = ""
    """What that is the chance of, in words that can follow it: "to destroy a target"."""
    notes: Callable[[Any, Any, Any], Iterable[Reason]] | None = None
    """(world, decision, answer): what a legal answer brings with it, for who thinks about it."""
    matters: Callable[[Any, Any, Any], Iterable[str]] | None = None
    """(world, decision, answer): what a player might want another answer for than this one, in a word or two each."""
    stake: Callable[[Any, Any], Stake] | None = None
    """(world, decision): what it is about, to hold such questions against each other."""
    advise: Callable[[Any, Any, Any], Any] | None = None
    """(world, decision, aim): the answer that reaches most of an `Aim` on average; None for no idea."""
    towards: Callable[[Any, Any, Goal], Iterator[Any]] | None = None
    """(world, decision, goal): answers that bring the unit to a place, or near it; likely legal, good ones first."""
    reach: Callable[[Any, Any, str], Iterable[Reach]] | None = None
    """(world, decision, mode): where the models of the unit may end, the certain area first."""
    outlook: Callable[[Any, Any, Any], Iterable[Outlook]] | None = None
    """(world, decision, answer): what an answer does to each of its targets on average."""
    safe_modes: Callable[[Any, Any, Row], tuple[str, ...]] | None = None
    """(world, decision, row): in which modes a row does no harm to who uses it; in others only who says so does."""
    fit: Callable[[Any, Any, Any], Any] | None = None
    """(world, decision, answer): what is legal and nearest to an answer that wants too much, or not all it has to."""


@dataclass(frozen=True)
class Reaction:
    """Something that happens, or may be done, when a trigger fires."""

    name: str
    trigger: str
    flow: Callable[[Any, int, Any, Value], Flow]
    """(battle, player, moment, use): carry it out."""
    guard: Callable[[Any, int, Any], bool]
    """(battle, player, moment): can it matter at all? Looks at flags and numbers only, never at geometry."""
    uses: Callable[[Any, int, Any], Sequence[Option]]
    """(battle, player, moment): the ways of using it, one option each; empty when there is none."""
    worth: Callable[[Any, int, Any, Value], bool] | None = None
    """(battle, player, moment, use): whether that use would change anything; not asked for with windows=all.

    A unit that its player armed is worth it in any case; so is every use at a trigger that its player awaits."""
    mandatory: bool = False
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """A battle option: a named choice between readings or wordings of a rule."""

    name: str
    values: tuple[str, ...]
    """The default comes first."""
    text: str
    rule: str = ""


class LeftOut(NamedTuple):
    """An ability, or a part of one, that a system does not enforce."""

    players: tuple[int, ...]
    """Whose armies have it."""
    where: str
    """Id of the datasheet, faction or detachment."""
    name: str
    what: str
    whole: bool
    """The whole ability, not only a part."""
    called: str = ""
    """The datasheet, faction or detachment by its name; for what one model was given, the datasheet of its bearer."""
    stratagem: bool = False
    gist: str = ""
    """What players apply, in our own words; empty where nothing is known of it but its name."""


class Gists(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of abilities."""

    gists: dict[str, str] = {}
    """What players apply, by the name of the ability, where that is known."""


class ByHand(Gists, frozen=True):
    """Abilities that nothing enforces, so that the player who has them applies them."""

    player: int
    called: str
    """Whose they are by its name: a datasheet, the faction, the detachment."""
    abilities: tuple[str, ...]
    """By their names."""


class Reminder(ByHand, frozen=True):
    """Such abilities at a phase in which they can matter, told to all."""

    when: str
    """In words: in this phase, before the battle, or whenever it applies, where nothing tells when it matters."""


class DeploymentZone(NamedTuple):
    """Where an army is set up."""

    outline: tuple[tuple[int, int], ...]
    player: int = -1
    """Whose it is, once that is settled."""


class Brief(NamedTuple):
    """How a short account tells something: under a heading, in one line with others of the same phase."""

    heading: str = ""
    """Without one it is left out."""
    item: str = ""
    """What is listed under the heading; by default the first unit that it is about."""
    verb: str = ""
    """What the unit does in the attacks that follow, as it is said of one: "shoots"."""
    key: str = ""
    """Of items with one key only the last is told, when the turn ends."""


@dataclass(frozen=True)
class System:
    """A rules system, as the machine and everybody above it see it."""

    id: str
    name: str
    unit: str
    """Unit of length: "in" or "cm"."""
    unit_type: type[Any]
    player_type: type[Any]
    game_type: type[Any]
    """If it has a `phase`, that is the name of the phase as tables and accounts tell it."""
    data_type: type[Any]
    segments: Mapping[str, tuple[StepFlow, ...]]
    """Tuples of steps by name."""
    next_segment: Callable[[Any], str | None]
    """(battle): what comes after a segment, with round and turn set; None when nothing does."""
    lacks: str = ""
    """What it cannot do yet, in a sentence for whoever chooses it; empty where it is whole."""
    questions: Mapping[str, Question] = field(default_factory=dict)
    reactions: tuple[Reaction, ...] = ()
    readings: tuple[Reading, ...] = ()
    orders: Callable[[Any], int] | None = None
    """(battle): who orders what falls due at one time; by default the active player."""
    goes_on: Callable[[Any, int], bool] | None = None
    """(world, unit): whether an acting unit can go on; by default while any of its models is in play."""
    secrets: frozenset[tuple[str, str]] = frozenset()
    """("unit" or "player", field) pairs that only their owner sees; masked as None."""
    why: Mapping[str, Callable[[Any, int], Verdict]] = field(default_factory=dict)
    """What a unit may do, by name: (world, unit) -> verdict, for "why can this unit not charge?"."""
    scenario: Callable[[System, Any], tuple[Setup[Any], State[Any, Any, Any]]] | None = None
    """(this system, document): set-up and state of a scenario file."""
    sound: Callable[[Any, Any], None] | None = None
    """(set-up, state): refuses, with an exception, a start from a file that no battle of the system can have."""
    moment: Callable[[Any], Mapping[str, Any]] | None = None
    """(world): this moment as a scenario file holds it."""
    describe: Callable[[Any, AnyUnit], str] | None = None
    """(world, unit): one line about a unit, for terminals and pictures."""
    strength: Callable[[Any, Any], int] | None = None
    """(world, unit): how many models it has when it is whole; by default all that ever belonged to it."""
    brief: Callable[[Any, Told], Brief | None] | None = None
    """(world, what is told): how a short account tells it; None for as a sentence of its own."""
    card: Callable[[Any, Any], Card] | None = None
    """(world, unit): its datasheet, with what is left of it."""
    happening: Callable[[Any, str, Moment], str] | None = None
    """(world, trigger, moment): what has just happened when players may react to it, in a few words."""
    score: Callable[[Any], Iterable[str]] | None = None
    """(world): how the battle stands, in lines."""
    briefing: Callable[[Any], Briefing | None] | None = None
    """(world): the mission and how one scores; None where there is none, or none yet."""
    numbers: Callable[[Any, Any], Iterable[tuple[str, int]]] | None = None
    """(world, player): what the score board says of a player, by its label; first what the battle is won by."""
    called: tuple[str, str] = ("unit", "model")
    """What players call a unit of theirs, and one of its models."""
    marks: Callable[[Any, Any], Iterable[Mark]] | None = None
    """(world, unit): what the unit's badge says; where it is short of room, the first three."""
    round_name: str = "Round"
    """What the book calls a round of the battle, in which everybody acts."""
    whose_turn: str = "{round}, turn of {player}"
    """How a heading says who acts in which round."""
    headings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The headings of the book with the rules of a phase; by default those that begin with its name."""
    asked_under: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The headings with the rules behind a kind of question, where a phase has many."""
    forecast: Callable[[Any, Any, Any], Iterable[str]] | None = None
    """(world, unit, target): what the unit's attacks at another would do now, in sentences."""
    sample: Callable[[int, dict[str, str]], tuple[Setup[Any], State[Any, Any, Any]]] | None = None
    """(seed, options): a ready battle with made-up armies, for trying the system out and for tests."""
    build: Callable[..., tuple[Setup[Any], State[Any, Any, Any]]] | None = None
    """(armies by player's name, mission, layout, options): a battle with army lists, at its first step."""
    objectives: Callable[[Any], Sequence[Objective]] | None = None
    """(world): the markers that are fought over, for pictures."""
    zones: Callable[[Any], Sequence[DeploymentZone]] | None = None
    """(world): where the armies are set up, for pages and browsers."""
    sight: Callable[[Any, Any, Any], Sight] | None = None
    """(world, unit, target): who of a unit sees whom of another, and what is in the way, for people who ask."""
    measures: Callable[[Any, Any, str], Verdict] | None = None
    """(world, question or None, what): whether a player who is asked this may be told what takes a tape to find out.

    What that is goes by what clients ask for: "reach", "chance", "outlook" or "odds"; empty for any distance.
    Without a word everything may be measured at any time.
    """
    rings: Callable[[Any], Sequence[Ring]] | None = None
    """(world): distances that players look at while they move."""
    auras: Callable[[Any], Iterable[Aura]] | None = None
    """(world): what helps friends within a distance."""
    wounds: Callable[[Any, int], int] | None = None
    """(world, model): how many wounds a model has when it is whole; one where a system does not say."""
    points: Callable[[Any, Any], int] | None = None
    """(world, unit): what a unit cost its army list; 0 for one that came with none."""
    enforcement: Callable[[Any, int], tuple[int, int]] | None = None
    """(world, player): how many abilities of the army are not enforced, of how many."""
    left_out: Callable[[Any], Sequence[LeftOut]] | None = None
    """(world): the abilities, or parts of them, that are not enforced and that the players apply themselves."""
    reminders: Callable[[Any], Sequence[Reminder]] | None = None
    """(world): those of them that can matter in the phase that it is, as long as somebody who has them is left."""
    modifiers: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Effects that players may agree on for a unit until a phase ends: each with its least and its largest value."""
    model_marks: tuple[str, ...] = ()
    """What scenario files may say of single models of a unit."""
    missions: Callable[[], Sequence[str]] | None = None
    """The missions that come with the system, by name."""
    layouts: Callable[[], Sequence[str]] | None = None
    """The terrain layouts that come with it."""
    grounds: Callable[[], Sequence[tuple[str, str, str]]] | None = None
    """More missions by name, of data beside the system, each with a layout that it is meant for, and its name."""
    mission_called: Callable[[str], str] | None = None
    """(name of one of those missions): what it is called."""
    table: Callable[[str], Table] | None = None
    """(layout): its table; of one that comes with the system by its name, otherwise from a file."""
    pieces: Callable[[], Sequence[Piece]] | None = None
    """Terrain that tables are laid with, for who draws one."""
    keywords: Callable[[Any, Any], Collection[str]] | None = None
    """(world, unit): the keywords of a unit, for standing orders and accounts."""
    default_orders: tuple[Mapping[str, Any], ...] = ()
    """Standing orders that most players would give, as an orders file has them."""
    after_roll: str = ""
    """The trigger at which players may have a roll made again, if there is one."""
    tactics: Tactics | None = None
    """What the computer players know; without it they take defaults."""
    seams: tuple[object, ...] = ()
    """What it hands to shared services, one record of each kind."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_seams", {type(record): record for record in self.seams})
        table: dict[str, list[Reaction]] = {}
        for reaction in self.reactions:
            table.setdefault(reaction.trigger, []).append(reaction)
        object.__setattr__(self, "by_trigger", {t: tuple(rs) for t, rs in table.items()})

    by_trigger: Mapping[str, tuple[Reaction, ...]] = field(init=False, default_factory=dict)
    _seams: Mapping[type[Any], Any] = field(init=False, default_factory=dict, repr=False)

    @property
    def edition(self) -> str:
        """Its name, briefly: of a game with several editions, the edition alone."""
        return self.name.rpartition(", ")[2]

    def seam(self, kind: type[T]) -> T:
        """What the system hands to the shared service that asks for a record of this kind."""
        try:
            record: T = self._seams[kind]
        except KeyError:
            raise LookupError(f"{self.name} brings no {kind.__name__}.") from None
        return record

    def can_go_on(self, world: AnyWorld, unit: int) -> bool:
        """Whether an acting unit can go on."""
        if self.goes_on is not None:
            return self.goes_on(world, unit)
        place = world.state.models.place
        return any(place[m] != GONE for m in world.state.units[unit].models)

    def settle_options(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value; unknown names and values are refused."""
        return settle(self.name, self.readings, chosen)


WINDOWS: Final = Reading(
    "windows",
    ("matter", "all"),
    "A window for reactions opens only where it can matter, or wherever the rules allow one.",
)


def settle(system: str, readings: Iterable[Reading], chosen: Mapping[str, str]) -> dict[str, str]:
    """Every option of a system with its value; unknown names and values are refused."""
    known = {r.name: r for r in (*readings, WINDOWS)}
    for name, value in chosen.items():
        if name not in known:
            raise UserError(f"{system} has no option '{name}'; it has: {', '.join(sorted(known))}.")
        if value not in known[name].values:
            raise UserError(f"Option '{name}' can be {' or '.join(known[name].values)}, not '{value}'.")
    return {name: chosen.get(name, r.values[0]) for name, r in sorted(known.items())}


class Moment(msgspec.Struct, frozen=True):
    """What a trigger is about."""

    unit: int = -1
    """Who is acting."""
    target: int = -1
    data: dict[str, Any] = {}
    about: dict[str, Any] = {}
    """What those who are asked are told of it beside the unit, in plain numbers and words."""


def player_of(world: AnyWorld, unit: int) -> AnyPlayer:
    """The player who commands a unit."""
    player: AnyPlayer = world.state.players[world.state.units[unit].player]
    return player
