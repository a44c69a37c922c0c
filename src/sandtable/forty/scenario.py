"""Scenario files of 40,000: units made up or from army lists, their abilities, the mission and its zones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from sandtable.armies import ArmyList
from sandtable.armies.characteristics import printed
from sandtable.armies.checks import rule_problems
from sandtable.armies.effects import AnyEffect
from sandtable.armies.format import Ability as PackAbility
from sandtable.armies.lists import ListUnit
from sandtable.armies.packs import find_list, is_file
from sandtable.battle import Battle, Effect, Setup, State, System, Verdict
from sandtable.battle.answers import unit_named
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.fields import check_fields
from sandtable.battle.scenario import Scenario, UnitDoc, facings, marked, player_number, set_fields
from sandtable.battle.sound import MAX_MODELS
from sandtable.battle.state import GONE
from sandtable.battle.tables import Number, build_table, check_outline
from sandtable.documents import convert
from sandtable.errors import UserError
from sandtable.forty import enlist
from sandtable.forty.attached import name_leaders
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.from_lists import stratagems_of
from sandtable.forty.mission import Missions, plan_of
from sandtable.forty.mustered import Mustered, check_mustered
from sandtable.forty.scenario_checks import check_passengers, check_places, check_powers
from sandtable.forty.setup import MOST_ROUNDS, Frame, ModelList, UnitList, build
from sandtable.forty.sheets import shape_of
from sandtable.forty.state import Battle40, Entry, Plan
from sandtable.kit.missions import MOST_CORNERS, Mission
from sandtable.table.grid import steps
from sandtable.table.layout import Point, Table

MOST_POWERS: Final = 100
SOURCE: Final = "scenario"
Outline = Annotated[tuple[tuple[Number, Number], ...], msgspec.Meta(min_length=3, max_length=MOST_CORNERS)]
Turns = Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS)]


class Power(msgspec.Struct, forbid_unknown_fields=True):
    """An ability of a unit, with its effects as packs write them."""

    unit: str
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    effects: Annotated[tuple[AnyEffect, ...], msgspec.Meta(min_length=1, max_length=20)]
    models: tuple[int, ...] = ()
    """Who of the unit bear it, by number; all if left out."""
    choose: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """So many branches of the effects are chosen each time."""


class EffectDoc(msgspec.Struct, forbid_unknown_fields=True):
    """Something that lies on a unit already, such as cover from Go to Ground."""

    kind: str
    unit: str
    value: int = 1
    source: Annotated[str, msgspec.Meta(max_length=80)] = SOURCE
    """What the account names as its reason."""
    until: Literal["phase", "turn", "battle"] = "phase"


class ZonesDoc(msgspec.Struct, forbid_unknown_fields=True):
    """The deployment zones, in inches on the table."""

    attacker: Outline
    defender: Outline


class Extra(msgspec.Struct, forbid_unknown_fields=True):
    """What only 40,000 has in a scenario file."""

    rounds: Turns | None = None
    """How many battle rounds are played; as many as the mission says, or 5."""
    turns: Turns = 0
    """How many player turns in all; 0 for as many as the rounds hold."""
    lists: dict[str, str | ArmyList] = {}
    """Army lists by player: a ready one by its name, or one written out. Their units stand where `units` says."""
    mission: str | Mission = ""
    """By its name, or written out: it brings zones, markers and what is scored."""
    zones: ZonesDoc | None = None
    abilities: Annotated[tuple[Power, ...], msgspec.Meta(max_length=MOST_POWERS)] = ()
    effects: Annotated[tuple[EffectDoc, ...], msgspec.Meta(max_length=MOST_POWERS)] = ()
    mustered: Mustered | None = None
    """In the file of a moment: what army lists brought. All of its units are written out, also the fallen."""


class Loadout(msgspec.Struct, forbid_unknown_fields=True):
    """What some models of a unit are: another datasheet, or only some weapons."""

    models: tuple[int, ...]
    """Numbers in the unit, counted from 1."""
    weapons: tuple[str, ...] | None = None
    sheet: str | dict[str, Any] | None = None


class ModelMark(NamedTuple):
    """Something that is remembered of single models."""

    bit: int
    flag: str = ""
    """A field of the unit that says it of all its models, where a file says nothing else..."""
    values: tuple[Any, ...] = ()
    """...if it has one of these values."""

    def implied(self, flags: Mapping[str, Any]) -> bool:
        """Whether the flags of a unit say it of all its models."""
        return self.flag in flags and flags[self.flag] in self.values


@dataclass(frozen=True)
class Files:
    """What an edition brings to scenario files."""

    frame: Frame
    phases: Mapping[str, str]
    """The phase that a step belongs to, for files that begin in the middle of one."""
    effects: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Kinds of effects that may lie on a unit when a file begins, each with its least and its largest value."""
    lists: enlist.Lists | None = None
    missions: Missions | None = None
    join: Callable[[Any, Sequence[tuple[Any, Any]]], None] | None = None
    """(battle, Leaders and the units of army lists that they lead): they join, or are refused."""
    hold: Callable[[Any, Any, Sequence[Any]], Verdict] | None = None
    """(world, transport, units): whether all of these have room in it together; None where that is not asked."""
    powers: Callable[[], Sequence[str]] = lambda: ()
    """The psychic powers of the book, by name."""
    words: Callable[[Any], Mapping[str, Sequence[str]]] = lambda w: {}
    """(world): the words of which fields hold one, by the names of these fields."""
    marks: Mapping[str, ModelMark] = field(default_factory=dict)
    """What is remembered of single models, by name."""


def from_scenario(system: System, doc: Scenario) -> tuple[Setup[Any], State[Any, Any, Any]]:
    """Set-up and state of a scenario file."""
    files = system.seam(Files)
    extra = convert(doc.extra, Extra, "extra")
    brought = _bring(files, doc, extra)
    setup, state = _set_up(files, doc, extra, brought)
    battle: Battle40 = Battle(system, setup, state, dice=ScriptedDice([]), record=False)
    if extra.mustered is not None:
        check_mustered(system.id, setup.data, state, extra.mustered.effects)
        state.effects = extra.mustered.effects
        _join_again(files, battle, brought)
    check_fields(battle, {"phase": tuple(dict.fromkeys(files.phases.values())), **files.words(battle)})
    check_places(battle)
    check_passengers(battle, files.hold)
    if not (brought.leaders or extra.effects or extra.abilities):
        return setup, state
    apart = [unit.models for unit in state.units]
    if brought.leaders and files.join is not None and extra.mustered is None:
        files.join(battle, [(unit_named(battle, name), unit_named(battle, led)) for name, led in brought.leaders])
    state.effects += tuple(_effect(files, battle, effect, i) for i, effect in enumerate(extra.effects))
    powers = tuple(_power(battle, power, i, apart) for i, power in enumerate(extra.abilities))
    with_powers = msgspec.structs.replace(setup.data, abilities=(*setup.data.abilities, *powers))
    return msgspec.structs.replace(setup, data=with_powers), state


def _join_again(files: Files, battle: Battle40, brought: Brought) -> None:
    """Leaders who had joined units, some of which have only them left."""
    joined = [(unit_named(battle, name), unit_named(battle, led)) for name, led in brought.leaders]
    if joined and files.join is not None:
        files.join(battle, joined)
    for leader, unit in joined:
        battle.set_unit(leader, embarked=-1)
        if unit.former:
            battle.set_unit(unit, former="")
            # Who is aboard has the name, too, and of a unit that is gone the last who had it.
            left = [m for m in unit.leader if battle.state.models.place[m] != GONE]
            name_leaders(battle, unit, left or list(unit.leader))


def of_made_up_units(files: Files, doc: Scenario) -> tuple[Setup[Any], State[Any, Any, Any]]:
    """The same for a file without army lists, abilities and effects; it needs no system."""
    return _set_up(files, doc, convert(doc.extra, Extra, "extra"), Brought())


def _set_up(files: Files, doc: Scenario, extra: Extra, brought: Brought) -> tuple[Setup[Any], State[Any, Any, Any]]:
    table = build_table(doc.table, "in")
    plan = _plan(files, extra, table)
    markers = tuple((steps(p[0]), steps(p[1]), steps(p[2]) if len(p) > 2 else 0) for p in doc.objectives)
    own = _own_units(files, doc, brought, extra.mustered)
    check_powers(own, brought.units, files.powers())
    data: dict[str, Any] = {"rounds": extra.rounds} if extra.rounds is not None else {}
    if plan is not None:
        data = {"rounds": plan.mission.rounds, "mission": plan.mission, **data}
    armies = extra.mustered or Mustered(
        _roster(files.frame, brought, own) if brought.units or plan else (),
        brought.limit,
        brought.abilities,
        brought.stratagems,
    )
    setup, state = build(
        files.frame,
        table,
        doc.players,
        [*brought.units, *own],
        files.frame.settle(doc.options),
        objectives=markers or (plan.objectives if plan else ()),
        turns=extra.turns,
        zones=_zones(extra, table) or (plan.zones if plan else ()),
        limit=armies.limit,
        roster=armies.roster,
        abilities=armies.abilities,
        stratagems=armies.stratagems,
        **data,
    )
    state.game.phase = files.phases.get(doc.at.step, "")
    for name, fields in doc.state.items():
        holder: Any = state.game if name == "game" else state.players[player_number(doc, name)]
        set_fields(holder, fields, f"state.{name}")
    return setup, state


# --- Army lists -------------------------------------------------------------------------------------------------------


class Brought(msgspec.Struct):
    """What the army lists of a file bring."""

    units: list[UnitList] = []
    entries: list[Entry] = []
    abilities: tuple[Ability, ...] = ()
    stratagems: tuple[DetachmentStratagem, ...] = ()
    leaders: list[tuple[str, str]] = []
    """Names of Leaders, and of the units of lists that they lead."""
    limit: int = 0


def _bring(files: Files, doc: Scenario, extra: Extra) -> Brought:
    brought = Brought()
    if not extra.lists:
        return brought
    if files.lists is None:
        raise UserError(f"extra.lists: {files.frame.name} cannot be played with army lists yet.")
    armies = {player: _army(files.frame, files.lists, listed, player) for player, listed in extra.lists.items()}
    for name, army in armies.items():
        player = player_number(doc, name)
        units, entries = enlist.enlist(files.lists, army, player, len(brought.units))
        first_model = sum(len(u.models) for u in brought.units)
        brought.abilities += tuple(
            enlist.abilities_brought(files.lists, army, player, units, entries, len(brought.units), first_model)
        )
        brought.stratagems += tuple(stratagems_of(army.list, army.pack, player))
        brought.units += units
        brought.entries += enlist.with_warlord(entries, first_model)
        brought.limit = max(brought.limit, army.list.limit)
    brought.units = enlist.with_own_names(brought.units, doc.players)
    docs = {(unit.player, unit.name): unit for unit in doc.units if not unit.sheet}
    for i, unit in enumerate(brought.units):
        written = docs.get((doc.players[unit.player], unit.name))
        if written is None:
            continue
        if written.loadout or written.models:
            raise UserError(f"units ({unit.name}): the army list says how many models it has, and what they carry.")
        placed = _put(files, unit, written)
        if placed.leads:
            brought.leaders.append((unit.name, placed.leads))
        brought.units[i] = placed._replace(leads="")
    return brought


def _army(frame: Frame, lists: enlist.Lists, listed: str | ArmyList, player: str) -> enlist.Army:
    where = f"extra.lists.{player}"
    if isinstance(listed, str) and is_file(listed):
        raise UserError(f"{where}: name a ready list of a pack, or write it out; a scenario opens no other files.")
    try:
        army = enlist.army_of(find_list(listed) if isinstance(listed, str) else listed)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None
    enlist.refuse_bad(frame, lists, {where: army}, [army])
    return army._replace(list=msgspec.structs.replace(army.list, units=_leaders_last(army)))


def _leaders_last(army: enlist.Army) -> tuple[ListUnit, ...]:
    """The units of a list in an order in which Leaders are counted after those whom they lead."""
    leaders = {sheet.id for sheet in army.pack.sheets() if sheet.leads}
    return tuple(sorted(army.list.units, key=lambda unit: unit.sheet in leaders))


def _own_units(files: Files, doc: Scenario, brought: Brought, mustered: Mustered | None) -> list[UnitList]:
    """Units with datasheets of the file. Leaders of units from lists join those later, and so keep their numbers."""
    sheets = {name: _sheet(files.frame, raw, f"sheets.{name}", name) for name, raw in doc.sheets.items()}
    listed = {unit.name: doc.players[unit.player] for unit in brought.units}
    each = mustered is not None and len(mustered.roster) == len(doc.units)
    own = []
    for unit in doc.units:
        if not unit.sheet and listed.get(unit.name) == unit.player:
            continue
        if unit.name in listed:
            raise UserError(f"units ({unit.name}): the army list of {listed[unit.name]} has a unit of that name.")
        if not unit.sheet:
            known = ", ".join(name for name, player in listed.items() if player == unit.player) or "none"
            raise UserError(
                f"units ({unit.name}): it needs a sheet, unless an army list of {unit.player} has a unit of that name; "
                f"units of lists are {known}."
            )
        made = _made_up(files, doc, unit, sheets)
        if made.leads and (each or made.leads in listed):
            brought.leaders.append((made.name, made.leads))
            made = made._replace(leads="")
        own.append(made)
    return own


def _roster(frame: Frame, brought: Brought, own: Sequence[UnitList]) -> tuple[Entry, ...]:
    """An entry for each unit: those of lists have theirs, others cost nothing."""
    units = [*brought.units, *(unit for unit in own if not unit.leads)]
    more = []
    for unit in units[len(brought.units) :]:
        led = tuple(i for i, other in enumerate(units) if frame.leaders is not None and _leads(unit, other))
        more.append(Entry(unit.name, models=len(unit.models), leads=led))
    return (*brought.entries, *more)


def _leads(leader: UnitList, unit: UnitList) -> bool:
    """Whether a datasheet of the file names all models of a unit among those that it can lead."""
    led = all(guard.sheet.name in m.sheet.leads for m in leader.models for guard in unit.models)
    return led and leader.player == unit.player


# --- Mission and zones ------------------------------------------------------------------------------------------------


def _plan(files: Files, extra: Extra, table: Table) -> Plan | None:
    named = extra.mission
    if not named:
        return None
    if isinstance(named, str) and is_file(named):
        raise UserError("extra.mission: name a mission, or write it out; a scenario opens no other files.")
    if files.missions is None:
        raise UserError(f"extra.mission: {files.frame.name} has no missions yet.")
    mission = named if isinstance(named, Mission) else files.missions.read(named)
    files.missions.check(mission, "extra.mission")
    return plan_of(mission, table, "extra.mission")


def _zones(extra: Extra, table: Table) -> tuple[tuple[Point, ...], ...]:
    if extra.zones is None:
        return ()
    zones = []
    for name, outline in (("attacker", extra.zones.attacker), ("defender", extra.zones.defender)):
        where = f"extra.zones.{name}"
        if any(not (0 <= steps(x) <= table.width and 0 <= steps(y) <= table.depth) for x, y in outline):
            raise UserError(f"{where}: a corner is not on the table.")
        zones.append(tuple((steps(x), steps(y)) for x, y in outline))
        check_outline(zones[-1], where)
    return tuple(zones)


# --- Abilities and effects --------------------------------------------------------------------------------------------


def _power(battle: Battle40, power: Power, number: int, apart: Sequence[tuple[int, ...]]) -> Ability:
    """An ability with those who bear it; a Leader may be named, though it has joined others."""
    where = f"extra.abilities[{number}] ({power.name})"
    unit = unit_named(battle, power.unit)
    ability = PackAbility(power.name, power.name, power.effects, power.choose)
    for problem in rule_problems(ability, printed(battle.system.id), None):
        raise UserError(f"{where}: {problem}.")
    everybody = unit.models or apart[unit.id]
    bearers = [everybody[_model_number(n, len(everybody), where)] for n in power.models]
    return Ability(power.name, SOURCE, unit.id, tuple(bearers) or everybody, unit.player, power.effects, power.choose)


def _effect(files: Files, battle: Battle40, doc: EffectDoc, number: int) -> Effect:
    where = f"extra.effects[{number}]"
    if doc.kind not in files.effects:
        raise UserError(f"{where}: there is no effect '{doc.kind}'; there are {', '.join(files.effects)}.")
    least, most = files.effects[doc.kind]
    if not least <= doc.value <= most:
        raise UserError(f"{where}: the value of {doc.kind} is {least} to {most}, not {doc.value}.")
    unit = unit_named(battle, doc.unit)
    if not unit.models:
        raise UserError(f"{where}: {unit.name} has joined another unit; name that one.")
    return Effect(doc.kind, unit.id, doc.value, source=doc.source, until="" if doc.until == "battle" else doc.until)


# --- Units ------------------------------------------------------------------------------------------------------------


def _sheet(frame: Frame, raw: Any, where: str, name: str = "") -> Any:
    return convert({"name": name, **raw} if name else raw, frame.structs.sheet, where)


def _named_sheet(frame: Frame, ref: str | dict[str, Any], sheets: dict[str, Any], where: str) -> Any:
    if isinstance(ref, dict):
        return _sheet(frame, ref, f"{where}.sheet")
    if ref not in sheets:
        raise UserError(f"{where}: no sheet '{ref}'; sheets are {', '.join(sheets) or 'none'}.")
    return sheets[ref]


def _made_up(files: Files, doc: Scenario, unit: UnitDoc, sheets: dict[str, Any]) -> UnitList:
    """A unit with a datasheet of the file."""
    where = f"units ({unit.name})"
    frame = files.frame
    plain = _named_sheet(frame, unit.sheet, sheets, where)
    count = unit.models or len(unit.positions)
    if not 1 <= count <= MAX_MODELS:
        raise UserError(f"{where}: a unit has 1 to {MAX_MODELS} models, not {count}.")
    loadouts = convert(unit.loadout, tuple[Loadout, ...], f"{where}.loadout")
    models = [ModelList(plain) for _ in range(count)]
    for loadout in loadouts:
        sheet = plain if loadout.sheet is None else _named_sheet(frame, loadout.sheet, sheets, f"{where}.loadout")
        for number in loadout.models:
            i = _model_number(number, count, f"{where}.loadout")
            models[i] = models[i]._replace(sheet=sheet, weapons=loadout.weapons)
    return _put(files, UnitList(unit.name, player_number(doc, unit.player), tuple(models)), unit)


def _put(files: Files, brought: UnitList, unit: UnitDoc) -> UnitList:
    """A unit where the file says that it stands, and as it says that it is."""
    where = f"units ({unit.name})"
    turned = facings(unit, len(brought.models), where)
    marks = _marks(files, unit, len(brought.models), where)
    models = [m._replace(facing=f, mark=k) for m, f, k in zip(brought.models, turned, marks, strict=True)]
    for number, wounds in unit.wounds.items():
        i = _model_number(number, len(models), f"{where}.wounds")
        if not 0 <= wounds <= models[i].sheet.wounds:
            raise UserError(f"{where}.wounds: a model has 0 to {models[i].sheet.wounds} wounds left, not {wounds}.")
        models[i] = models[i]._replace(wounds=wounds)
    if not unit.off:
        places = _places(unit, models, where)
        models = [m._replace(at=at) for m, at in zip(models, places, strict=True)]
    flags = dict(unit.flags)
    leads = str(flags.pop("leads", ""))
    return brought._replace(models=tuple(models), leads=leads, flags=flags)


def _marks(files: Files, unit: UnitDoc, count: int, where: str) -> list[int]:
    """The marks of each model: as the file says, or else as the flags of the unit say it of all."""
    marks = marked(unit, count, {name: mark.bit for name, mark in files.marks.items()}, where)
    for name, mark in files.marks.items():
        if name not in unit.marks and mark.implied(unit.flags):
            marks = [held | mark.bit for held in marks]
    return marks


def _model_number(number: int, count: int, where: str) -> int:
    if not 1 <= number <= count:
        raise UserError(f"{where}: models are numbered 1 to {count}, there is no {number}.")
    return number - 1


def _places(unit: UnitDoc, models: Sequence[ModelList], where: str) -> list[tuple[int, int, int]]:
    """Where the models stand: named one by one, in a line, or in ranks that go up the table."""
    n = len(models)
    if unit.positions:
        if len(unit.positions) != n:
            raise UserError(f"{where}: {n} models, but {len(unit.positions)} positions.")
        return [(steps(p[0]), steps(p[1]), steps(p[2]) if len(p) > 2 else 0) for p in unit.positions]
    if unit.line is not None:
        a, b = unit.line.start, unit.line.end
        z = steps(a[2]) if len(a) > 2 else 0
        share = [i / (n - 1) if n > 1 else 0.0 for i in range(n)]
        return [(steps(a[0] + (b[0] - a[0]) * s), steps(a[1] + (b[1] - a[1]) * s), z) for s in share]
    if unit.block is not None:
        at, columns = unit.block.at, max(1, unit.block.columns)
        widest = max(max(shape_of(m.sheet).length, shape_of(m.sheet).width) for m in models)
        pace = widest + steps(unit.block.gap)
        x, y, z = steps(at[0]), steps(at[1]), steps(at[2]) if len(at) > 2 else 0
        return [(x + i % columns * pace, y + i // columns * pace, z) for i in range(n)]
    raise UserError(f"{where}: needs positions, a line or a block; or 'off: true' for a unit that is not on the table.")
