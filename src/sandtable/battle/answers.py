"""Answers in words: how scenario files and people at a terminal write them, and how they are read back.

Units are named by name, models by their number in the unit counted from 1, places in the system's unit of length. A
model keeps its number when others are gone.
"""

from __future__ import annotations

import re
import reprlib
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from sandtable.battle.decisions import (
    Assign,
    Assignment,
    Choose,
    ChooseSome,
    Confirm,
    Decision,
    Flight,
    FlightLeg,
    FlightPath,
    Laid,
    Leg,
    Move,
    Moves,
    Number,
    Option,
    Order,
    Path,
    Place,
    Plot,
    Plotted,
    Row,
    Split,
    Spot,
    Template,
    Value,
    named,
)
from sandtable.battle.questions import stands_for_unit
from sandtable.errors import UserError
from sandtable.table.grid import facing as facing_steps
from sandtable.table.grid import steps, units

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

PASS = "pass"
Raw: TypeAlias = Any
NUMBERED: Final = re.compile(r"(.+?) \(?([1-9])\)?")
"""The second weapon of a name, as files write it"""


def unit_named(world: AnyWorld, name: str) -> Any:
    """The unit of that name."""
    found = [u for u in world.state.units if u.name == name]
    # Units of some systems change their names; they are still known by the one they had.
    found = found or [u for u in world.state.units if getattr(u, "former", "") == name]
    if not found:
        raise UserError(f"There is no unit '{name}'; units are {', '.join(u.name for u in world.state.units)}.")
    return found[0]


def labels(decision: Decision[Any]) -> set[str]:
    """What a decision offers, as labels."""
    offered: tuple[Any, ...] = ()
    if isinstance(decision, Choose | ChooseSome | Order | Split):
        offered = decision.options
    elif isinstance(decision, Assign):
        offered = (*decision.targets, *decision.rows)
    elif isinstance(decision, Move):
        offered = decision.modes
    return {o.label for o in offered} | {str(o.name) for o in offered if hasattr(o, "name")}


def read(world: AnyWorld, decision: Decision[Any], raw: Raw) -> Any:
    """An answer in words, as the typed answer."""
    try:
        match decision:
            case Choose():
                return None if raw in (None, PASS) else _value(world, decision.options, raw)
            case ChooseSome() | Order():
                return tuple(_value(world, decision.options, r) for r in raw)
            case Split():
                return tuple((_value(world, decision.options, k), int(n)) for k, n in raw.items())
            case Assign():
                return tuple(_assignment(world, decision, r) for r in raw)
            case Number():
                return int(raw)
            case Confirm():
                return _yes_or_no(raw)
            case Place():
                return None if raw in (None, PASS) else _spots(decision, raw)
            case Move():
                return _moves(world, decision, raw)
            case Template():
                return tuple(Laid(str(t["template"]), *_xy(t["at"]), _facing(t)) for t in raw)
            case FlightPath():
                return None if raw in (None, PASS) else _flight(raw)
            case Plot():
                return tuple(Plotted(*_xy(p["at"]), int(p["turn"])) for p in raw)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
        said = f"cannot read {reprlib.repr(raw)} as an answer to '{decision.prompt}'"
        raise UserError(f"{said}: {_asked_for(decision)}.") from None
    raise TypeError(f"unknown decision {decision!r}")


def _asked_for(decision: Decision[Any]) -> str:
    """What an answer looks like, for whoever wrote something else."""
    match decision:
        case Choose() | ChooseSome() | Order():
            what = "an option is" if isinstance(decision, Choose) else "a list of options is"
            return f"{what} asked for, of {named(decision.options)}"
        case Split():
            return f"how many on each is asked for, as {{NAME: {decision.total}}}, of {named(decision.options)}"
        case Assign():
            return f"what at whom is asked for, as [{{weapon: NAME, target: NAME}}], at {named(decision.targets)}"
        case Number():
            return f"a number from {decision.least} to {decision.most} is asked for"
        case Confirm():
            return "yes or no is asked for"
        case Place():
            return f"a place for each of its {len(decision.models)} models is asked for, as [[x, y], ...]"
        case Move():
            modes = ", ".join(m.name for m in decision.modes)
            return f"a move is asked for, such as {{mode: {decision.modes[0].name}, by: [x, y]}}; modes are {modes}"
        case Template():
            return "where each template lies is asked for, as [{template: NAME, at: [x, y]}, ...]"
        case FlightPath():
            return "a flight is asked for, as {at: [x, y], facing: degrees, legs: [{length: l, turn: degrees}, ...]}"
    return "places are asked for, as [{at: [x, y], turn: n}, ...]"


def _yes_or_no(raw: Raw) -> bool:
    if raw in (True, "yes", "y", "true"):
        return True
    if raw in (False, "no", "n", "false"):
        return False
    raise ValueError(raw)


def number_in_unit(world: AnyWorld, model: int) -> int:
    """How people count models: within their unit from 1, Leaders after the others, also once some are gone."""
    number: int = world.state.units[int(world.state.models.unit[model])].models.index(model) + 1
    return number


def _model(world: AnyWorld, decision: Move, number: Raw) -> int:
    """A model by its number in the unit."""
    numbers = {number_in_unit(world, m): m for m in decision.models}
    if int(number) not in numbers:
        asked = ", ".join(map(str, sorted(numbers)))
        raise UserError(f"'{decision.prompt}' is about the models {asked} of the unit, not {number}.")
    return numbers[int(number)]


def _value(world: AnyWorld, options: tuple[Option, ...], raw: Raw) -> Value:
    for option in options:
        if raw in (option.label, option.value):
            return option.value
    if not isinstance(raw, str):
        return int(raw)
    bearer: int | None = next((u.id for u in world.state.units if u.name == raw), None)
    starts = [o for o in options if o.label.casefold().startswith(raw.casefold())]
    # Where units are chosen from, a unit's own name means that unit, though others may begin with it.
    if bearer is not None and (not starts or any(stands_for_unit(world, o) for o in options)):
        return bearer
    return starts[0].value if len(starts) == 1 else raw


def _assignment(world: AnyWorld, decision: Assign, raw: Raw) -> Assignment:
    wanted = str(raw["weapon"])
    row = _row_named(decision, wanted)
    if row is None:
        raise UserError(f"no weapon '{wanted}' to assign; there are {', '.join(r.label for r in decision.rows)}.")
    mode = str(raw.get("mode", row.modes[0] if row.modes else ""))
    return Assignment(row.id, _value(world, decision.targets, raw["target"]), int(raw.get("count", row.count)), mode)


def _row_named(decision: Assign, wanted: str) -> Row | None:
    """A row by its id or its name; also by the bare name, with a number for the second of that name: "pistol (2)"."""
    for row in decision.rows:
        if wanted in (row.id, row.label):
            return row
    name, number = (match[1], int(match[2] or 1)) if (match := NUMBERED.fullmatch(wanted)) else (wanted, 1)
    alike = [r for r in decision.rows if r.label == name or r.label.startswith((f"{name} of ", f"{name}, "))]
    return alike[number - 1] if 1 <= number <= len(alike) else None


def _spots(decision: Place, raw: Raw) -> tuple[Spot, ...]:
    return tuple(Spot(m, *_xyz(where), _facing(where)) for m, where in zip(decision.models, raw, strict=True))


def _moves(world: AnyWorld, decision: Move, raw: Raw) -> Moves:
    onto = unit_named(world, raw["onto"]).id if "onto" in raw else -1
    pos, turned = world.state.models.pos, world.state.models.facing
    paths = []
    if "by" in raw:
        dx, dy = _xy(raw["by"])
        chosen = [_model(world, decision, i) for i in raw["models"]] if "models" in raw else decision.models
        for m in chosen:
            x, y, z = (int(v) for v in pos[m])
            paths.append(Path(m, (Leg("go", x + dx, y + dy, z, int(turned[m])),)))
    places = raw.get("to", ())
    if len(places) > len(decision.models):
        told = f"there are {len(decision.models)} models, not {len(places)}"
        raise UserError(f"cannot read {reprlib.repr(raw)} as an answer to '{decision.prompt}': {told}.")
    for m, where in zip(decision.models, places, strict=False):
        if where is not None:
            paths.append(Path(m, (Leg("go", *_xyz(where), int(turned[m])),)))
    for number, legs in raw.get("paths", {}).items():
        m = _model(world, decision, number)
        paths.append(Path(m, _legs(legs, int(turned[m]))))
    mode = str(raw["mode"]) if "mode" in raw else _mode_meant(decision, bool(paths))
    return Moves(mode, tuple(paths), onto)


def _mode_meant(decision: Move, goes: bool) -> str:
    """Who names no way of moving means the first, or where models go somewhere, the first that lets them."""
    modes = decision.modes
    return next((m.name for m in modes if m.allowance or not goes), modes[0].name)


def _legs(raw: Raw, turned: int) -> tuple[Leg, ...]:
    legs: list[Leg] = []
    for leg in raw:
        if isinstance(leg, dict):
            turned = facing_steps(float(leg["facing"])) if "facing" in leg else turned
            legs.append(Leg(str(leg.get("do", "go")), *_xyz(leg["to"]), turned))
        else:
            legs.append(Leg("go", *_xyz(leg), turned))
    return tuple(legs)


def _flight(raw: Raw) -> Flight:
    legs = tuple(
        FlightLeg(steps(float(leg["length"])), facing_signed(float(leg.get("turn", 0)))) for leg in raw["legs"]
    )
    return Flight(*_xy(raw["at"]), _facing(raw), legs)


def facing_signed(degrees: float) -> int:
    """A turn to the left (positive) or right, as facing steps."""
    return facing_steps(degrees) if degrees >= 0 else -facing_steps(-degrees)


def _xy(raw: Raw) -> tuple[int, int]:
    return steps(float(raw[0])), steps(float(raw[1]))


def _xyz(raw: Raw) -> tuple[int, int, int]:
    where = raw["at"] if isinstance(raw, dict) else raw
    return (*_xy(where), steps(float(where[2])) if len(where) > 2 else 0)


def _facing(raw: Raw) -> int:
    return facing_steps(float(raw["facing"])) if isinstance(raw, dict) and "facing" in raw else 0


def describe(world: AnyWorld, decision: Decision[Any], answer: Any) -> str:
    """An answer as a person would say it."""
    match decision:
        case Choose():
            return PASS if answer is None else _label(decision.options, answer)
        case ChooseSome() | Order():
            return ", ".join(_label(decision.options, v) for v in answer) or "nothing"
        case Split():
            return ", ".join(f"{n} on {_label(decision.options, v)}" for v, n in answer if n)
        case Assign():
            rows = {r.id: r.label for r in decision.rows}
            # What is written down in secret is about whole units, each of which is there once.
            said = "{1}: {2}" if decision.secret else "{0} x {1} at {2}"
            each = (said.format(a.count, rows[a.row], _label(decision.targets, a.target)) for a in answer)
            return "; ".join(each) or "nothing"
        case Confirm():
            return "yes" if answer else "no"
        case Move():
            mode, moved = decision.label_of(answer.mode), len(answer.paths)
            return f"{mode}, {moved} of {len(decision.models)} models" if moved and len(decision.models) > 1 else mode
        case Place():
            if answer is None:
                return PASS
            if not answer:
                return "nothing"
            x, y = (sum(v) / len(answer) for v in zip(*((s.x, s.y) for s in answer), strict=True))
            return f"around {units(round(x)):.1f}, {units(round(y)):.1f}"
        case Plot():
            return "; ".join(f"at {units(p.x):.1f}, {units(p.y):.1f}" for p in answer) or "nothing"
    return str(answer)


def _label(options: tuple[Option, ...], value: Value) -> str:
    return next((o.label for o in options if o.value == value), str(value))
