"""The closed set of questions that a battle can ask.

Players, browser and agents implement each shape once. `kind` says what is being asked in the words of the system
("shoot", "allocate"); the shape says what an answer looks like. One answer serves one thought: a whole unit is moved,
or all its weapons are aimed, in a single answer. Positions are grid steps, facings are steps of 1/4096 turn.
"""

from __future__ import annotations

import reprlib
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from sandtable.battle.verdict import ALLOWED, Verdict, refuse

A = TypeVar("A")

MAX_NUMBER: Final = 1 << 40
MAX_WORD: Final = 200
MAX_ITEMS: Final = 2000
"""Most rows, items or models that an answer may hold."""
MAX_LEGS: Final = 64
"""Most legs of one path."""
MAX_COORDINATE: Final = 1 << 20
MOST_NAMED: Final = 20
"""Options that a refusal names."""

# Bounds that every answer from outside is held to before anything looks at it.
Int: TypeAlias = Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Word: TypeAlias = Annotated[str, Meta(max_length=MAX_WORD)]
Value: TypeAlias = Int | Word


class Option(msgspec.Struct, frozen=True, gc=False):
    """Something that can be chosen."""

    value: Value
    label: str
    note: str = ""
    rolls: bool = False
    """Whether dice are rolled as soon as it is chosen, so that nobody should choose it by a slip of the hand."""
    unit: int = -1
    """Who does it, or whom it is done for, where its value does not say so."""


class Decision(msgspec.Struct, Generic[A], kw_only=True, frozen=True, tag_field="shape"):
    """A question to one player."""

    player: int
    kind: str
    prompt: str
    rules: tuple[str, ...] = ()
    unit: int = -1
    """The unit that it is about, if any."""
    about: dict[str, Any] = {}
    """What the system needs to judge an answer, as plain data."""
    secret: bool = False
    """The answer stays hidden from the others."""
    id: int = -1
    """Given by the machine; counts the questions of the battle."""


class Choose(Decision[Value | None], kw_only=True, frozen=True, tag="choose"):
    """Pick one option, or none where that is allowed."""

    options: tuple[Option, ...]
    optional: bool = False


class ChooseSome(Decision[tuple[Value, ...]], kw_only=True, frozen=True, tag="choose_some"):
    """Pick from `least` to `most` different options."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = MAX_ITEMS
    deed: str = ""
    """What is done to or by those that are picked, as a button says it."""


class Row(msgspec.Struct, frozen=True, gc=False):
    """Some equal things to be assigned, such as five boltguns."""

    id: str
    label: str
    count: int
    targets: tuple[Value, ...]
    """Which targets these may be put on."""
    modes: tuple[str, ...] = ()
    """Profiles to pick from, if there are several."""
    models: tuple[int, ...] = ()
    """Whose these are, where that can be seen on the table."""


class Assignment(msgspec.Struct, frozen=True, gc=False):
    """`count` things of a row put on a target."""

    row: Word
    target: Value
    count: Int
    mode: Word = ""


class Assign(Decision[tuple[Assignment, ...]], kw_only=True, frozen=True, tag="assign"):
    """Put things, such as weapons, on targets; the order of the answer is the order of resolution."""

    rows: tuple[Row, ...]
    targets: tuple[Option, ...]
    everything: bool = False
    """Nothing may be left over."""


class Split(Decision[tuple[tuple[Value, int], ...]], kw_only=True, frozen=True, tag="split"):
    """Divide a number of equal things among options."""

    options: tuple[Option, ...]
    total: int
    most_each: int = MAX_ITEMS


class Order(Decision[tuple[Value, ...]], kw_only=True, frozen=True, tag="order"):
    """Put all items into an order."""

    options: tuple[Option, ...]


class Spot(msgspec.Struct, frozen=True, gc=False):
    """Where a model stands."""

    model: Int
    x: Int
    y: Int
    z: Int = 0
    facing: Int = 0


class Place(Decision[tuple[Spot, ...] | None], kw_only=True, frozen=True, tag="place"):
    """Set models up on the table."""

    models: tuple[int, ...]
    area: tuple[tuple[int, int], ...] = ()
    """Outline that every base must be wholly within, if any."""
    optional: bool = False


class Leg(msgspec.Struct, frozen=True, gc=False):
    """One part of a path: go straight to a place, turn on the spot, or climb; the values hold at its end."""

    do: Word
    """"go", "turn" or "climb"."""
    x: Int
    y: Int
    z: Int = 0
    facing: Int = 0


class Path(msgspec.Struct, frozen=True, gc=False):
    """How one model goes."""

    model: Int
    legs: Annotated[tuple[Leg, ...], Meta(max_length=MAX_LEGS)]


class Mode(msgspec.Struct, frozen=True, gc=False):
    """A way of moving that is open to the unit."""

    name: str
    label: str
    allowance: int
    """How far the fastest model may go, in grid steps."""
    slowest: int = 0
    """How far the slowest may go, where not all go equally far."""
    more: str = ""
    """What is added once it is chosen, as players say it: "D6"."""
    later: bool = False
    """Whether it is answered without paths: where the models go is asked for once it was chosen, mostly after dice."""


class Moves(msgspec.Struct, frozen=True, gc=False):
    """A unit's move: the way of moving, and a path for every model that goes anywhere."""

    mode: Word
    paths: Annotated[tuple[Path, ...], Meta(max_length=MAX_ITEMS)] = ()
    onto: Int = -1
    """The transport that the unit embarks in at the end of the move, if any."""


class Move(Decision[Moves], kw_only=True, frozen=True, tag="move"):
    """Move all models of a unit in one answer."""

    models: tuple[int, ...]
    modes: tuple[Mode, ...]

    def label_of(self, mode: str) -> str:
        """What players call a way of moving."""
        return next((m.label for m in self.modes if m.name == mode), mode)


class Laid(msgspec.Struct, frozen=True):
    """Where a template lies."""

    template: Word
    x: Int
    y: Int
    facing: Int = 0


class Template(Decision[tuple[Laid, ...]], kw_only=True, frozen=True, tag="template"):
    """Lay templates on the table."""

    templates: tuple[str, ...]


class FlightLeg(msgspec.Struct, frozen=True):
    """A straight flight, and the turn at the end of it."""

    length: Int
    turn: Int


class Flight(msgspec.Struct, frozen=True):
    """A flight over the table from a point on its edge."""

    x: Int
    y: Int
    facing: Int
    legs: Annotated[tuple[FlightLeg, ...], Meta(max_length=MAX_LEGS)]


class FlightPath(Decision[Flight | None], kw_only=True, frozen=True, tag="flight_path"):
    """Fly along straight legs with turns between them."""

    shortest_leg: int
    widest_turn: int
    optional: bool = False


class Number(Decision[int], kw_only=True, frozen=True, tag="number"):
    """Name a number."""

    least: int
    most: int


class Confirm(Decision[bool], kw_only=True, frozen=True, tag="confirm"):
    """Yes or no."""

    default: bool = False


class Plotted(msgspec.Struct, frozen=True):
    """A place on the table and a turn of the game."""

    x: Int
    y: Int
    turn: Int


class Plot(Decision[tuple[Plotted, ...]], kw_only=True, frozen=True, tag="plot"):
    """Write down places and turns in secret."""

    most: int
    last_turn: int
    secret: bool = True


AnyDecision: TypeAlias = (
    Choose | ChooseSome | Assign | Split | Order | Place | Move | Template | FlightPath | Number | Confirm | Plot
)

_FEW: Final = Meta(max_length=MAX_ITEMS)

#: The type of an answer, by shape; also the source of the JSON schemas.
ANSWERS: Final[dict[type[Any], Any]] = {
    Choose: Value | None,
    ChooseSome: Annotated[tuple[Value, ...], _FEW],
    Assign: Annotated[tuple[Assignment, ...], _FEW],
    Split: Annotated[tuple[tuple[Value, Int], ...], _FEW],
    Order: Annotated[tuple[Value, ...], _FEW],
    Place: Annotated[tuple[Spot, ...], _FEW] | None,
    Move: Moves,
    Template: Annotated[tuple[Laid, ...], _FEW],
    FlightPath: Flight | None,
    Number: Int,
    Confirm: bool,
    Plot: Annotated[tuple[Plotted, ...], _FEW],
}


#: Answers that are what they should be without any conversion.
_PLAIN: Final[dict[type[Any], tuple[type[Any], ...]]] = {
    Choose: (int, str, type(None)),
    Number: (int,),
    Confirm: (bool,),
}


def schemas() -> dict[str, dict[str, Any]]:
    """JSON schemas of every decision and of its answer, by shape."""
    out = {}
    for decision, answer in ANSWERS.items():
        name = decision.__struct_config__.tag
        out[name] = {"decision": msgspec.json.schema(decision), "answer": msgspec.json.schema(answer)}
    return out


def read_answer(decision: Decision[Any], raw: Any) -> Any:
    """Bring an answer from outside into its type; raises msgspec.ValidationError where it does not fit."""
    shape = type(decision)
    if shape in _PLAIN and type(raw) in _PLAIN[shape] and _within_bounds(raw):
        return raw
    kind = ANSWERS[shape]
    if isinstance(raw, float | set | frozenset) or (isinstance(raw, str) and type(decision) in (Number, Confirm)):
        raise msgspec.ValidationError(f"Expected an answer for '{decision.kind}', got {reprlib.repr(raw)}")
    return msgspec.convert(msgspec.to_builtins(raw), kind, strict=True)


def _within_bounds(raw: int | str | None) -> bool:
    if isinstance(raw, str):
        return len(raw) <= MAX_WORD
    return raw is None or -MAX_NUMBER <= raw <= MAX_NUMBER


def check_shape(decision: Decision[Any], answer: Any) -> Verdict:
    """What can be said of a typed answer without knowing the state."""
    match decision:
        case Choose():
            if answer is None:
                return ALLOWED if decision.optional else refuse("One of the options must be chosen.", *decision.rules)
            return _known(decision, (answer,))
        case ChooseSome():
            if not decision.least <= len(answer) <= decision.most:
                return refuse(
                    f"Choose {_range(decision.least, min(decision.most, len(decision.options)))}, not {len(answer)}.",
                    *decision.rules,
                )
            return _distinct(decision, answer) and _known(decision, answer)
        case Order():
            if len(answer) != len(decision.options):
                return refuse(f"The order must name all {len(decision.options)} items.", *decision.rules)
            return _distinct(decision, answer) and _known(decision, answer)
        case Split():
            return _check_split(decision, answer)
        case Assign():
            return _check_assign(decision, answer)
        case Number():
            if not decision.least <= answer <= decision.most:
                return refuse(f"The number must be from {decision.least} to {decision.most}.", *decision.rules)
            return ALLOWED
        case Confirm():
            return ALLOWED
        case Place():
            if answer is None:
                return ALLOWED if decision.optional else refuse("The models must be set up.", *decision.rules)
            named = tuple(s.model for s in answer)
            return _models(decision, decision.models, named, all_of_them=True) and _bounded(answer)
        case Move():
            return _check_move(decision, answer)
        case Template():
            if tuple(sorted(t.template for t in answer)) != tuple(sorted(decision.templates)):
                return refuse(f"Lay exactly these templates: {', '.join(decision.templates)}.", *decision.rules)
            return _bounded(answer)
        case FlightPath():
            return _check_flight(decision, answer)
        case Plot():
            if len(answer) > decision.most:
                return refuse(f"At most {decision.most} places may be plotted.", *decision.rules)
            if any(not 1 <= p.turn <= decision.last_turn for p in answer):
                return refuse(f"Turns run from 1 to {decision.last_turn}.", *decision.rules)
            return _bounded(answer)
    raise TypeError(f"unknown decision {decision!r}")


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"from {least} to {most}"


def _known(decision: Any, answer: tuple[Value, ...]) -> Verdict:
    values = {o.value for o in decision.options}
    for value in answer:
        if value not in values:
            return not_offered(decision, repr(value))
    return ALLOWED


def not_offered(decision: Any, what: str) -> Verdict:
    """The refusal of something that is not among the options; it says what is."""
    offered = f"{named(decision.options)}{', or pass' if getattr(decision, 'optional', False) else ''}"
    return refuse(f"{what} is not one of the options of '{decision.prompt}': {offered}.", *decision.rules)


def named(options: tuple[Option, ...]) -> str:
    """Options by name, the first of many."""
    more = f" and {len(options) - MOST_NAMED} more" if len(options) > MOST_NAMED else ""
    return f"{', '.join(o.label for o in options[:MOST_NAMED])}{more}"


def _distinct(decision: Decision[Any], answer: tuple[Value, ...]) -> Verdict:
    if len(set(answer)) != len(answer):
        return refuse("Each option can be named only once.", *decision.rules)
    return ALLOWED


def _check_split(decision: Split, answer: tuple[tuple[Value, int], ...]) -> Verdict:
    shares = [n for _, n in answer]
    if sum(shares) != decision.total or any(not 0 <= n <= decision.most_each for n in shares):
        return refuse(
            f"The shares must add up to {decision.total}, each from 0 to {min(decision.most_each, decision.total)}.",
            *decision.rules,
        )
    values = tuple(v for v, _ in answer)
    return _distinct(decision, values) and _known(decision, values)


def _check_assign(decision: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    rows = {r.id: r for r in decision.rows}
    used = dict.fromkeys(rows, 0)
    for a in answer:
        row = rows.get(a.row)
        if row is None:
            known = ", ".join(f"{r.id} ({r.label})" for r in decision.rows[:MOST_NAMED])
            return refuse(f"There is no row {a.row!r} to assign; there are {known}.", *decision.rules)
        if a.target not in row.targets:
            names = ", ".join(o.label for o in decision.targets if o.value in row.targets) or "nothing"
            return refuse(f"{row.label} cannot be put on that target, only on {names}.", *decision.rules)
        if row.modes and a.mode not in row.modes:
            return refuse(f"{row.label} needs one of these profiles: {', '.join(row.modes)}.", *decision.rules)
        if a.count < 1:
            return refuse(f"{row.label}: the number must be at least 1.", *decision.rules)
        used[a.row] += a.count
        if used[a.row] > row.count:
            there = "is" if row.count == 1 else "are"
            return refuse(f"{row.label}: there {there} only {row.count}.", *decision.rules)
    if decision.everything and any(used[r.id] < r.count for r in decision.rows):
        return refuse("Everything must be assigned.", *decision.rules)
    return ALLOWED


def _models(decision: Decision[Any], mine: tuple[int, ...], named: tuple[int, ...], *, all_of_them: bool) -> Verdict:
    if len(set(named)) != len(named):
        return refuse("Each model can be named only once.", *decision.rules)
    strangers = set(named) - set(mine)
    if strangers:
        return refuse(f"The model with id {min(strangers)} is not among those asked for.", *decision.rules)
    if all_of_them and len(named) != len(mine):
        return refuse(f"All {len(mine)} models must be named, not {len(named)}.", *decision.rules)
    return ALLOWED


def _bounded(items: Any) -> Verdict:
    for item in items:
        if abs(item.x) > MAX_COORDINATE or abs(item.y) > MAX_COORDINATE or abs(getattr(item, "z", 0)) > MAX_COORDINATE:
            return refuse("That place is far off any table.")
        if not 0 <= getattr(item, "facing", 0) < 4096:
            return refuse("A facing is a number from 0 to 4095.")
    return ALLOWED


def _check_move(decision: Move, answer: Moves) -> Verdict:
    if answer.mode not in {m.name for m in decision.modes}:
        return refuse(f"{answer.mode!r} is not open to this unit: {_names(decision.modes)}.", *decision.rules)
    for path in answer.paths:
        if not 1 <= len(path.legs) <= MAX_LEGS:
            return refuse(f"A path has 1 to {MAX_LEGS} legs.", *decision.rules)
        if any(leg.do not in ("go", "turn", "climb") for leg in path.legs):
            return refuse("A leg is 'go', 'turn' or 'climb'.", *decision.rules)
        verdict = _bounded(path.legs)
        if not verdict:
            return verdict
    return _models(decision, decision.models, tuple(p.model for p in answer.paths), all_of_them=False)


def _names(modes: tuple[Mode, ...]) -> str:
    return ", ".join(m.name for m in modes) or "no way of moving is"


def _check_flight(decision: FlightPath, answer: Flight | None) -> Verdict:
    if answer is None:
        return ALLOWED if decision.optional else refuse("A flight path is needed.", *decision.rules)
    if not 1 <= len(answer.legs) <= MAX_LEGS:
        return refuse(f"A flight has 1 to {MAX_LEGS} legs.", *decision.rules)
    if any(not decision.shortest_leg <= leg.length <= MAX_COORDINATE for leg in answer.legs):
        return refuse("A leg of this flight is too short.", *decision.rules)
    if any(abs(leg.turn) > decision.widest_turn for leg in answer.legs):
        return refuse("A turn of this flight is too sharp.", *decision.rules)
    return _bounded((answer,))


def default_answer(decision: Decision[Any]) -> Any:
    """The plainest answer that the shape itself allows; a system knows better for its own kinds."""
    match decision:
        case Choose():
            return None if decision.optional else decision.options[0].value
        case ChooseSome():
            return tuple(o.value for o in decision.options[: decision.least])
        case Order():
            return tuple(o.value for o in decision.options)
        case Split():
            return _even_split(decision)
        case Assign():
            return tuple(
                Assignment(r.id, r.targets[0], r.count, r.modes[0] if r.modes else "")
                for r in decision.rows
                if r.targets
            )
        case Number():
            return decision.least
        case Confirm():
            return decision.default
        case Move():
            return Moves(decision.modes[0].name)
        case FlightPath() if decision.optional:
            return None
        case Place() if decision.optional:
            return None
        case Plot():
            return ()
    raise LookupError(f"'{decision.kind}' has no default of its own")


def _even_split(decision: Split) -> tuple[tuple[Value, int], ...]:
    left, shares = decision.total, []
    for option in decision.options:
        share = min(left, decision.most_each)
        shares.append((option.value, share))
        left -= share
    return tuple(shares)
