"""What a person at the terminal can say beside answers: look at the table, ask why, save, take back, leave."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

from sandtable.battle import cards
from sandtable.battle.decisions import Decision
from sandtable.battle.rulings import Correction, Modifier, PutModel, SetWounds
from sandtable.battle.state import TABLE
from sandtable.errors import UserError
from sandtable.files import write_whole
from sandtable.players.base import AnyView, Concede, Correct, Leave, Save, TakeBack
from sandtable.table.grid import steps, units

H = TypeVar("H")

_LENGTH: Final = r"\d{1,3}(?:\.\d{1,3})?"
_MODEL: Final = re.compile(
    rf"(?P<unit>.+) (?P<model>\d{{1,3}}) "
    rf"(?:wounds (?P<wounds>\d{{1,4}})|at (?P<x>{_LENGTH}) (?P<y>{_LENGTH})(?: (?P<z>{_LENGTH}))?)"
)
_MODIFIER: Final = re.compile(r"(?P<whom>.+) (?P<value>[-+]?\d{1,2})")

HELP: Final = """\
Press Enter to accept the default. Otherwise answer with the number or the
beginning of the name of an option, or in words:
  several options  first, second          (none: nothing)
  shares           2 on first, 1 on second
  weapons          all at NAME; or 3 x WEAPON at NAME; WEAPON at NAME
  a move           to marker 2; advance towards Boyz, as far as I may;
                   behind the ruin; to 20 14 in a line; by 3 4 (as they stand)
  setting up       at 20 14; behind the ruin; near marker 1
  anything else    as in a scenario file: {mode: normal, paths: {1: [[20, 14]]}}
Commands:
  map              the table as text
  score            points, and who holds which marker
  units            the units on the table
  unit NAME        its datasheet, and what is left of it
  odds A at B      what the attacks of A would do to B from here
  ?  or  why       the rules behind the question or the last refusal
  why UNIT         whether a unit may do what is asked about now, and why not
  why ACT UNIT     the same for another act
  svg FILE         write a picture of the table
  save FILE        write the battle, to go on later with --resume FILE
  correct UNIT 3 wounds 1
                   model 3 of a unit has so many wounds now, if all agree; also
                   'correct UNIT 3 at 20 14' as high up as it stands, or 'at
                   20 14 3' that high above the ground, and modifiers for the
                   phase, as 'correct UNIT MODIFIER 1': for what nothing enforces
  undo             take your last answer back; once dice were rolled, or another
                   player answered, the others must agree
  concede          give the battle up
  quit             leave the table"""


def obey(view: AnyView, decision: Decision[Any], line: str, rules: tuple[str, ...]) -> Iterable[str] | None:
    """The lines that a command answers with; None if the line is no command. `rules` are those in question."""
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    match word.casefold():
        case "?" | "why" if not rest:
            return explain(rules)
        case "help" if not rest:
            return HELP.splitlines()
        case "map" if not rest:
            return draw(view)
        case "score" if not rest:
            return _needs(view.system.score, view, "tell the score")(view)
        case "units" if not rest:
            return [describe_unit(view, unit) for unit in view.units() if unit.models]
        case "unit":
            return show_unit(view, rest)
        case "odds":
            return odds(view, rest)
        case "why":
            return why(view, decision, rest)
        case "svg":
            return picture(view, decision, rest)
        case "correct":
            raise Correct(correction(view, rest))
        case "save":
            if not rest:
                raise UserError("Say which file to write, for example: save game.battle")
            raise Save(_path(rest))
        case "undo" if not rest:
            raise TakeBack
        case "concede" if not rest:
            raise Concede
        case "quit" | "exit" if not rest:
            raise Leave
    return None


def explain(rules: tuple[str, ...]) -> Iterator[str]:
    """Rules in the ledger's words."""
    from sandtable.rules.ledger import find

    if not rules:
        yield "No rule is cited here."
    for rule_id in rules:
        try:
            row = find(rule_id)
        except UserError:
            yield f"{rule_id}: not in the ledger."
            continue
        yield f"{row.id}  {row.name} ({row.where})"
        yield f"  {' '.join(row.text.split())}"
        if row.note:
            yield f"  Note: {' '.join(row.note.split())}"


def draw(view: AnyView) -> Iterator[str]:
    """The table as text, with what its signs mean."""
    from sandtable.table.picture_text import text_map

    shown = view.picture()
    rows = text_map(shown)
    yield f"┌{'─' * len(rows[0])}┐"
    for row in rows:
        yield f"│{''.join(cell.sign for cell in row)}│"
    yield f"└{'─' * len(rows[0])}┘"
    letters = ", ".join(f"{name[:1].lower()} {name}" for name in shown.sides)
    yield f"{letters} (capitals: three models or more), numbers: markers, shaded: terrain"
    size = f"{units(view.table.width):g} x {units(view.table.depth):g} {view.system.unit}"
    yield f"{size}; 0 0 is the bottom left corner."


def show_unit(view: AnyView, name: str) -> Iterator[str]:
    """A unit's card."""
    if not name:
        raise UserError("Say which unit, for example: unit Boyz")
    unit = unit_like(view, name)
    yield f"{unit.name} ({view.player(unit.player).name})"
    make = view.system.card
    if make is None:
        yield describe_unit(view, unit)
        return
    for line in cards.lines(make(view, unit)):
        yield f"  {line}"


def odds(view: AnyView, rest: str) -> Iterable[str]:
    """What one unit would do to another."""
    one, at, other = rest.partition(" at ")
    if not at:
        raise UserError("Say who attacks whom, for example: odds Intercessors at Boyz")
    tell = _needs(view.system.forecast, view, "tell odds here")
    return tell(view, unit_like(view, one.strip()), unit_like(view, other.strip()))


def why(view: AnyView, decision: Decision[Any], rest: str) -> Iterator[str]:
    """Whether a unit may do something, and if not, why; without an act, about what is being asked."""
    acts = sorted(view.system.why)
    if not acts:
        raise UserError(f"{view.system.name} cannot say what units may do.")
    act, _, name = rest.partition(" ")
    if act in acts and name:
        asked, wanted = [act], name.strip()
    else:
        now = [a for a in acts if decision.kind.startswith(a)]
        asked, wanted = now or acts, rest
    unit = unit_like(view, wanted)
    for act in asked:
        yield f"{unit.name}, {act.replace('_', ' ')}: {view.why_not(act, unit.id)}"


def picture(view: AnyView, decision: Decision[Any], name: str) -> Iterator[str]:
    """Write a picture of the table."""
    if not name:
        raise UserError("Say which file to write, for example: svg table.svg")
    highlight = [decision.unit] if decision.unit >= 0 else []
    write_whole(_path(name), view.svg(title=decision.prompt, highlight=highlight))
    yield f"Wrote {name}."


def _path(name: str) -> Path:
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise UserError(f"'{name}' begins with the home of somebody who has none here; name another file.") from None


def _needs(hook: H | None, view: AnyView, what: str) -> H:
    if hook is None:
        raise UserError(f"{view.system.name} cannot {what}.")
    return hook


def describe_unit(view: Any, unit: Any) -> str:
    """A unit in one line."""
    alive = len(view.on_table(unit))
    count = f"{alive} of {len(unit.models)} models on the table"
    more = view.system.describe(view, unit) if view.system.describe else ""
    return f"{unit.name} ({view.player(unit.player).name}): {count}" + (f". {more}" if more else "")


def correction(view: AnyView, said: str) -> Correction:
    """What a player wants corrected, in words."""
    model = _MODEL.fullmatch(said)
    if model is not None:
        unit = unit_like(view, model["unit"])
        number = int(model["model"])
        if not 1 <= number <= len(unit.models):
            raise UserError(f"{unit.name} has models 1 to {len(unit.models)}, not {number}.")
        row = unit.models[number - 1]
        if model["wounds"]:
            return SetWounds(row, int(model["wounds"]))
        return _put(view, row, model["x"], model["y"], model["z"])
    known = list(view.system.modifiers)
    if modifier := _MODIFIER.fullmatch(said):
        whom = modifier["whom"]
        for kind in known:
            if whom.casefold().replace(" ", "_").endswith(f"_{kind}"):
                return Modifier(kind, unit_like(view, whom[: -len(kind) - 1]).id, int(modifier["value"]))
    more = f", or 'correct UNIT MODIFIER 1' with one of {', '.join(known)}" if known else ""
    raise UserError(f"Say 'correct UNIT 3 wounds 1' or 'correct UNIT 3 at 20 14' (and a height){more}.")


def _put(view: AnyView, row: int, x: str, y: str, z: str | None) -> PutModel:
    """A model at a place; it stays on its floor, unless another height is said."""
    models = view.state.models
    stands = models.place[row] == TABLE
    height = steps(float(z)) if z else int(models.pos[row][2]) if stands else 0
    return PutModel(row, steps(float(x)), steps(float(y)), height, int(models.facing[row]))


def unit_like(view: Any, name: str) -> Any:
    """The unit of that name, or the only one whose name begins so."""
    wanted = name.casefold()
    exact = [u for u in view.state.units if u.name.casefold() == wanted]
    found = exact or [u for u in view.state.units if u.name.casefold().startswith(wanted)]
    if len(found) != 1:
        which = ", ".join(u.name for u in found or view.state.units)
        raise UserError(f"'{name}' could be {which}." if found else f"There is no unit '{name}'; units are {which}.")
    return found[0]
