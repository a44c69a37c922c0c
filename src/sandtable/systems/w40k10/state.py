"""What a battle of 10th edition keeps: units, players, and where the turn stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from sandtable.battle import AnyPlayer, AnyUnit, Battle, Setup, State, World
from sandtable.battle.answers import number_in_unit
from sandtable.systems.w40k10.abilities.carried import Carried, DetachmentStratagem
from sandtable.systems.w40k10.datasheet import Sheet, Weapon
from sandtable.systems.w40k10.mission_doc import Mission

STATIONARY: Final = "stationary"
NORMAL: Final = "normal"
ADVANCE: Final = "advance"
FALL_BACK: Final = "fall_back"
MOVES: Final = (NORMAL, ADVANCE, FALL_BACK)

MOST_NAMED: Final = 4
"""So many models are named in a sentence."""

# Bits of a model's mark.
ALLOCATED: Final = 1
"""Attacks were allocated to it this phase."""


class Unit(AnyUnit):
    """A unit on its way through the battle. `leader` holds the models of an attached Leader."""

    strength: int = 1
    """Starting Strength of the Bodyguard, or of the unit itself."""
    leader: tuple[int, ...] = ()
    leader_strength: int = 0
    leader_names: tuple[str, ...] = ()
    """For each model of `leader` the name of the unit that it came from."""
    former: str = ""
    """What the unit was called while its Bodyguard stood, once only the Leader is left."""
    battle_shocked: bool = False
    tested: bool = False
    """Took its Battle-shock test this Command phase."""
    moved: str = ""
    """The move it made this turn; empty when it has not been selected to move."""
    advance: int = 0
    """Inches that its Advance roll adds."""
    rolled_move: int = 0
    """Inches of a random Move characteristic, rolled when the unit was selected to move."""
    shot: bool = False
    near: bool = False
    """An enemy was within 12" when this Charge phase began."""
    declared: bool = False
    """Declared a charge this phase."""
    charged: bool = False
    """Made a Charge move this turn."""
    intervened: bool = False
    """Its Charge move came from Heroic Intervention: no Charge bonus."""
    fight_eligible: bool = False
    """Was eligible to fight when this Fight phase began."""
    fought: bool = False
    reserve: str = ""
    """The rule under which it is in Reserves, "deep strike" or "strategic"; empty for a unit that is not."""
    arrived: bool = False
    """Arrived from Reserves this turn."""
    held_back: bool = False
    """Was to arrive this turn, and stays in Reserves."""
    embarked: int = -1
    """The transport that it is in."""
    disembarked: str = ""
    """How it got out of a transport this turn: "before" or "after" its move, by its "ramp", or "destroyed" with it."""
    stays_aboard: bool = False
    """Could have disembarked this turn, and stayed in its transport."""
    lent: tuple[tuple[int, str], ...] = ()
    """While it shoots from its Firing Deck: which passengers lend it which weapons."""
    emptied: tuple[tuple[int, str], ...] = ()
    """Models and their weapons with a single shot in a battle, once that was fired."""
    hover: bool = False
    """An AIRCRAFT in Hover mode, which is none for the whole battle."""
    due: bool = False
    """An AIRCRAFT that left the battlefield, and arrives again in its player's next turn."""
    no_room: bool = False
    """There was no room to deploy it."""
    scouted: bool = False
    """Made its Scouts move, or gave it up."""
    last_stand: tuple[int, ...] = ()
    """Destroyed models that stand once more, only to shoot or to fight."""


class Player(AnyPlayer):
    cp: int = 0
    extra_cp: int = 0
    """Command points gained this round other than at the start of a Command phase."""
    vp: int = 0
    used: tuple[str, ...] = ()
    """Stratagems used this phase."""
    used_this_turn: tuple[str, ...] = ()
    """Stratagems used this turn, by either player's clock."""
    plans: tuple[tuple[str, int, int], ...] | None = ()
    """Battle formations that were written down and not yet revealed: what, which unit, with which."""
    scored: tuple[int, ...] = ()
    """VP so far for each way of scoring that the mission has."""
    spent: tuple[str, ...] = ()
    """Abilities that can be used only so often, and were: "battle|which", or with round, turn or phase before it."""


class Game(msgspec.Struct):
    phase: str = ""
    """command, movement, shooting, charge or fight"""
    first: int = 0
    """Who has the first turn of every battle round."""
    turns: int = 0
    """Player turns completed."""
    selecting: int = -1
    """Who selects the next unit to fight; -1 for the player who selects first."""
    forced: int = -1
    """The unit that must fight next."""
    control: tuple[int, ...] = ()
    """For each objective marker the player who controls it, -1 while it is contested."""
    attacker: int = -1
    """Who is the Attacker; -1 before that is determined."""
    chooser: int = -1
    """Whose turn it is to place a marker or to deploy a unit; -1 for nobody yet."""
    markers: tuple[tuple[int, int, int], ...] = ()
    """Where the players placed objective markers, in missions that let them."""
    removed: tuple[int, ...] = ()
    """Objective markers that were taken off the battlefield."""
    wish: int = -1
    """Which of the missions that players wished for was picked; -1 where they agreed on one."""
    fallen: tuple[int, ...] = ()
    """Destroyed units that have been scored, in missions that count them."""
    secured: tuple[int, ...] = ()
    """For each objective marker the player who keeps it without models near it, -1 for nobody."""


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
    """What the armies brought."""

    sheets: tuple[Sheet, ...]
    kits: tuple[Kit, ...]
    """For each model."""
    objectives: tuple[tuple[int, int, int], ...] = ()
    rounds: int = 5
    turns: int = 0
    """How many player turns are played in all; 0 for as many as the rounds hold."""
    roster: tuple[Entry, ...] = ()
    """For each unit; empty where no army list was mustered."""
    mission: Mission | None = None
    limit: int = 0
    """Points of each army at this battle size."""
    zones: tuple[tuple[tuple[int, int], ...], ...] = ()
    """Outlines of the deployment zones: the Attacker's, the Defender's."""
    wishes: tuple[Plan, ...] = ()
    """Where the players do not agree on a mission: those that they wish for, of which one is picked."""
    abilities: tuple[Carried, ...] = ()
    """Abilities of datasheets, factions, detachments and enhancements, beside the core ones that sheets name."""
    stratagems: tuple[DetachmentStratagem, ...] = ()
    """The Stratagems of the detachments."""


Battle10: TypeAlias = Battle[Unit, Player, Game, Data]
World10: TypeAlias = World[Unit, Player, Game, Data]
State10: TypeAlias = State[Unit, Player, Game]
Setup10: TypeAlias = Setup[Data]


def sheet_of(w: World10, model: int) -> Sheet:
    """The datasheet of a model."""
    data = w.setup.data
    return data.sheets[data.kits[model].sheet]


def called(w: World10, model: int) -> str:
    """A model as players call it: what it is, and its number in its unit where that has several."""
    name = sheet_of(w, model).name
    several = len(w.unit(int(w.state.models.unit[model])).models) > 1
    return f"{name} {number_in_unit(w, model)}" if several else name


def called_all(w: World10, models: Sequence[int]) -> str:
    """Models as players call them; of more than four the first three, and how many more."""
    names = [called(w, m) for m in models]
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[: MOST_NAMED - 1])} and {len(names) - MOST_NAMED + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def mission_of(w: World10) -> Mission | None:
    """The mission that is played."""
    data, wish = w.setup.data, w.state.game.wish
    return data.mission if wish < 0 else data.wishes[wish].mission


def zones_of(w: World10) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The deployment zones: the Attacker's, the Defender's."""
    data, wish = w.setup.data, w.state.game.wish
    return data.zones if wish < 0 else data.wishes[wish].zones


def markers_of(w: World10) -> tuple[tuple[int, int, int], ...]:
    """Where the objective markers lie."""
    data, game = w.setup.data, w.state.game
    return game.markers or (data.objectives if game.wish < 0 else data.wishes[game.wish].objectives)


def weapons_of(w: World10, model: int) -> list[Weapon]:
    """The weapon profiles that a model carries."""
    kit = w.setup.data.kits[model]
    sheet = w.setup.data.sheets[kit.sheet]
    return [sheet.weapons[i] for i in kit.weapons]


def is_attached(w: World10, unit: Unit) -> bool:
    """Whether a Leader and Bodyguard models are both still in the unit."""
    if not unit.leader:
        return False
    alive = set(w.on_table(unit).tolist())
    return bool(alive.intersection(unit.leader)) and bool(alive.difference(unit.leader))
