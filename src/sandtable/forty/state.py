"""What a battle of 40,000 keeps in any edition: units, players, where the turn stands, and what the armies brought.

Each edition's own structs add to these what only its rules read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from sandtable.battle import AnyPlayer, AnyUnit, Battle, Option, World
from sandtable.battle.answers import number_in_unit
from sandtable.battle.fields import (
    OWN_MODEL,
    PLAYER,
    PLAYER_OR_NOBODY,
    TEXT,
    UNIT,
    UNIT_OR_NONE,
    WORD,
    Numbers,
    Words,
)
from sandtable.battle.sound import MAX_MODELS
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.fields import (
    ARM,
    COUNT,
    EACH_MARKER,
    EACH_WAY,
    INCHES,
    MARK,
    MARKER,
    POINTS,
    ROUND_AND_POINTS,
    SPOT,
    TASK,
    TURNS,
    USE,
    WISH,
    Empty,
)
from sandtable.forty.sheets import Sheet
from sandtable.kit.missions import Mission

MOST_NAMED: Final = 4
"""So many models are named in a sentence."""

STATIONARY: Final = "stationary"
NORMAL: Final = "normal"
ADVANCE: Final = "advance"
FALL_BACK: Final = "fall_back"
"""What a unit may do in its Movement phase, as answers and `moved` name it."""

Movement: TypeAlias = Annotated[str, Words((STATIONARY, NORMAL, ADVANCE, FALL_BACK))]
OwnModel: TypeAlias = Annotated[int, OWN_MODEL]
World40: TypeAlias = World[Any, Any, Any, Any]
Battle40: TypeAlias = Battle[Any, Any, Any, Any]


class Unit(AnyUnit):
    """A unit on its way through the battle. `leader` holds the models of an attached Leader."""

    strength: Annotated[int, Numbers(1, MAX_MODELS)] = 1
    """Starting Strength of the Bodyguard, or of the unit itself."""
    leader: tuple[int, ...] = ()
    leader_strength: Annotated[int, COUNT] = 0
    leader_names: tuple[str, ...] = ()
    """For each model of `leader` the name of the unit that it came from."""
    former: Annotated[str, TEXT] = ""
    """What the unit was called while its Bodyguard stood, once only the Leader is left."""
    moved: Movement = ""
    """The move it made this turn; empty when it has not been selected to move."""
    advance: Annotated[int, INCHES] = 0
    """Inches that its Advance roll adds."""
    shot: bool = False
    declared: bool = False
    """Declared a charge this phase."""
    charged: bool = False
    """Made a Charge move this turn."""
    fought: bool = False
    reserve: Annotated[str, WORD] = ""
    """The rule under which it is in Reserves, "deep strike" or "strategic"; empty for a unit that is not."""
    arrived: bool = False
    """Arrived from Reserves this turn."""
    embarked: Annotated[int, UNIT_OR_NONE] = -1
    """The transport that it is in."""
    disembarked: Annotated[str, WORD] = ""
    """How it got out of a transport this turn: "before" or "after" its move, by its "ramp", or "destroyed" with it."""
    lent: Annotated[tuple[tuple[int, str], ...], Empty("it shoots")] = ()
    """While it shoots from its Firing Deck: which passengers lend it which weapons."""
    emptied: tuple[Annotated[tuple[OwnModel, str], ARM], ...] = ()
    """Models and their weapons with a single shot in a battle, once that was fired."""
    no_room: bool = False
    """There was no room to deploy it."""
    last_stand: tuple[OwnModel, ...] = ()
    """Destroyed models that stand once more, only to shoot or to fight."""


class Player(AnyPlayer):
    """A player; each edition adds what else its rules count."""

    vp: Annotated[int, POINTS] = 0
    scored: Annotated[tuple[Annotated[int, POINTS], ...], EACH_WAY] = ()
    """VP so far for each way of scoring that the mission has."""
    plans: Annotated[tuple[tuple[str, int, int], ...] | None, Empty("formations are declared")] = ()
    """Battle formations that were written down and not yet revealed: what, which unit, with which."""
    spent: tuple[Annotated[str, USE], ...] = ()
    """Abilities that can be used only so often, and were: "battle|which", or with round, turn or phase before it."""


class Commander(Player):
    """A player with Command points and Stratagems."""

    cp: Annotated[int, POINTS] = 0
    extra_cp: Annotated[int, POINTS] = 0
    """Command points gained this round beside those that every Command phase brings."""
    used: tuple[Annotated[str, USE], ...] = ()
    """Stratagems used this phase, and on whom."""
    used_this_turn: tuple[Annotated[str, USE], ...] = ()
    """Stratagems used this turn, by either player's clock."""


class Game(msgspec.Struct):
    """Where the turn stands, and what is fought over."""

    phase: Annotated[str, WORD] = ""
    """By its name, in lower case; empty between turns"""
    first: Annotated[int, PLAYER] = 0
    """Who has the first turn of every battle round."""
    turns: Annotated[int, TURNS] = 0
    """Player turns completed."""
    control: Annotated[tuple[Annotated[int, PLAYER_OR_NOBODY], ...], EACH_MARKER] = ()
    """For each objective marker the player who controls it, -1 while it is contested."""
    attacker: Annotated[int, PLAYER_OR_NOBODY] = -1
    """Who is the Attacker; -1 before that is determined."""
    chooser: Annotated[int, PLAYER_OR_NOBODY] = -1
    """Whose turn it is to place a marker or to deploy a unit; -1 for nobody yet."""
    markers: tuple[Annotated[tuple[int, int, int], SPOT], ...] = ()
    """Where the players placed objective markers, in missions that let them."""
    removed: tuple[Annotated[int, MARKER], ...] = ()
    """Objective markers that were taken off the battlefield."""
    wish: Annotated[int, WISH] = -1
    """Which of the missions that players wished for was picked; -1 where they agreed on one."""
    fallen: tuple[Annotated[int, UNIT], ...] = ()
    """Destroyed units that have been scored, in missions that count them."""
    secured: Annotated[tuple[Annotated[int, PLAYER_OR_NOBODY], ...], EACH_MARKER] = ()
    """For each objective marker the player who keeps it without models near it, -1 for nobody."""
    selecting: Annotated[int, PLAYER_OR_NOBODY] = -1
    """Who selects the next unit to fight; -1 for the player who selects first."""


class Recall(Game):
    """What missions remember that look back at a turn, or have actions."""

    held_before: Annotated[tuple[Annotated[int, PLAYER_OR_NOBODY], ...], EACH_MARKER] = ()
    """For each objective marker who controlled it when this turn began."""
    lost_before: tuple[Annotated[int, UNIT], ...] = ()
    """Units that were destroyed when this turn began..."""
    lost_earlier: tuple[Annotated[int, UNIT], ...] = ()
    """...and when the one before it did."""
    stood: tuple[Annotated[int, UNIT], ...] = ()
    """Units that were on the battlefield when this turn began..."""
    stood_on: tuple[tuple[Annotated[int, UNIT], Annotated[int, MARKER]], ...] = ()
    """...in range of which objectives..."""
    stood_in: tuple[tuple[Annotated[int, UNIT], Annotated[int, COUNT]], ...] = ()
    """...and within which terrain areas."""
    slain: tuple[tuple[Annotated[int, UNIT], Annotated[int, UNIT], Annotated[int, TURNS], bool], ...] = ()
    """Who destroyed whom by attacks, in which turn, and whether in range of an objective."""
    marks: tuple[Annotated[tuple[str, str, int, int, int], MARK], ...] = ()
    """What actions have marked: how it is called, what and which it is, by which player, in which turn."""
    tasks: tuple[Annotated[tuple[int, int, int], TASK], ...] = ()
    """Actions of this turn: the unit, which action of the mission, and on which target."""
    deeds: tuple[Annotated[tuple[int, int, int], TASK], ...] = ()
    """Those of them that were completed."""
    tally: Annotated[tuple[Annotated[int, POINTS], ...], ROUND_AND_POINTS] = ()
    """The battle round, and how many VP each player has scored in it."""


class Kit(msgspec.Struct, frozen=True):
    """What one model is: its datasheet, and which of the sheet's weapons it carries."""

    sheet: int
    weapons: tuple[int, ...]


class Entry(msgspec.Struct, frozen=True):
    """One unit on an army's roster. Entry i is unit i, as it was before Leaders joined."""

    datasheet: str
    """The id that the pack gives it."""
    points: int = 0
    models: int = 1
    wargear: tuple[tuple[str, ...], ...] = ()
    """For each model what it carries."""
    enhancement: str = ""
    warlord: int = -1
    """The model that is the Warlord; -1 where it is not in this unit."""
    leads: tuple[int, ...] = ()
    """Units of the army that it can be attached to, as a Leader."""
    beside: tuple[int, ...] = ()
    """Leaders of the army that may lead the same unit."""
    attach: int = -1
    """What the list says: the unit to attach it to..."""
    embark: int = -1
    """...the transport that it starts in..."""
    reserves: bool = False
    """...and whether it starts in Reserves."""


class Plan(msgspec.Struct, frozen=True):
    """A mission on the table of a battle."""

    mission: Mission
    objectives: tuple[tuple[int, int, int], ...]
    zones: tuple[tuple[tuple[int, int], ...], ...]


class Data(msgspec.Struct, frozen=True):
    """What the armies brought, and what is fought over."""

    sheets: tuple[Sheet, ...]
    kits: tuple[Kit, ...]
    """For each model."""
    roster: tuple[Entry, ...] = ()
    """For each unit; empty where no army list was mustered."""
    limit: int = 0
    """Points of each army at this battle size."""
    abilities: tuple[Ability, ...] = ()
    """Abilities of datasheets, factions, detachments and enhancements, beside those that sheets name."""
    stratagems: tuple[DetachmentStratagem, ...] = ()
    """The Stratagems of the detachments."""
    objectives: tuple[tuple[int, int, int], ...] = ()
    rounds: int = 1
    turns: int = 0
    """How many player turns are played in all; 0 for as many as the rounds hold."""
    mission: Mission | None = None
    zones: tuple[tuple[tuple[int, int], ...], ...] = ()
    """Outlines of the deployment zones: the Attacker's, the Defender's."""
    wishes: tuple[Plan, ...] = ()
    """Where the players do not agree on a mission: those that they wish for, of which one is picked."""


def sheet_of(w: World40, model: int) -> Any:
    """The datasheet of a model, as the edition prints it."""
    data = w.setup.data
    return data.sheets[data.kits[model].sheet]


def weapons_of(w: World40, model: int) -> list[Any]:
    """The weapon profiles that a model carries, as the edition prints them."""
    kit = w.setup.data.kits[model]
    sheet = w.setup.data.sheets[kit.sheet]
    return [sheet.weapons[i] for i in kit.weapons]


def called(w: World40, model: int) -> str:
    """A model as players call it: what it is, and its number in its unit where that has several."""
    name = sheet_of(w, model).name
    several = len(w.unit(int(w.state.models.unit[model])).models) > 1
    return f"{name} {number_in_unit(w, model)}" if several else name


def called_all(w: World40, models: Sequence[int]) -> str:
    """Models as players call them; of more than four the first three, and how many more.

    Of those that are called the same in a row, the others have their numbers alone: a long name again and again hides
    what differs.
    """
    names, before = [], ""
    for m in models:
        name, _, number = called(w, m).rpartition(" ")
        names.append(number if name and name == before and number.isdigit() else called(w, m))
        before = name
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[: MOST_NAMED - 1])} and {len(names) - MOST_NAMED + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def called_each(w: World40, models: Iterable[int]) -> list[Option]:
    """One option for each of some models, as players call them."""
    return [Option(m, called(w, m)) for m in models]


def model_label(w: World40, unit: Unit, model: int) -> str:
    """A model by its number in the unit, counted from 1."""
    return f"{unit.name} {unit.models.index(model) + 1}"


def is_attached(w: World40, unit: Unit) -> bool:
    """Whether a Leader and Bodyguard models are both still in the unit."""
    if not unit.leader:
        return False
    alive = set(w.on_table(unit).tolist())
    return bool(alive.intersection(unit.leader)) and bool(alive.difference(unit.leader))


def is_led(w: World40, unit: Unit) -> bool:
    """The same, wherever the unit is: in a transport or in Reserves, too."""
    if not unit.leader:
        return False
    here = alive(w, unit.models)
    return any(m in unit.leader for m in here) and any(m not in unit.leader for m in here)


def alive(w: World40, models: Iterable[int]) -> list[int]:
    """Models that are not destroyed, wherever they are."""
    lost = w.out_of_play()
    return [m for m in models if m not in lost]
