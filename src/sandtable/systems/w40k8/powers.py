"""Psychic powers: which there are, and which psyker knows them."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Moment, Option, Question, Reaction, Value, Verdict, refuse
from sandtable.forty.psykers import Power, Psyker
from sandtable.forty.state import called
from sandtable.kit.asking import some_of
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.state import Battle8, World8, sheet_of, unit_of

GENERATE: Final = "w40k8.psychic.generate"


def powers_of(w: World8) -> list[Power]:
    """The powers of this battle: that of the book, and those that datasheets describe."""
    described = {p.name: p for sheet in w.setup.data.sheets if sheet.psyker for p in sheet.psyker.described}
    return [BOOK.smite, *(described[name] for name in sorted(described))]


def psyker(w: World8, model: int) -> Psyker:
    """What the datasheet says of a psyker, or leaves to the book."""
    return sheet_of(w, model).psyker or Psyker()


@rule("w40k8.psychic.powers", "w40k8.gap.psychic_powers", neutral=ALLOWED)
def knows(w: World8, model: int, power: Power) -> Verdict:
    """A psyker knows the powers that its datasheet names, Smite if it names none, and those that it generated."""
    own = psyker(w, model).powers or (BOOK.smite.name,)
    if power.name in own or (model, power.name) in unit_of(w, model).generated:
        return ALLOWED
    return refuse(f"{called(w, model)} does not know {power.name.title()}.", "w40k8.psychic.powers")


# --- Before the battle ------------------------------------------------------------------------------------------------


@rule("w40k8.psychic.generate", neutral=())
def open_to(w: World8, model: int) -> tuple[str, ...]:
    """The powers among which a psyker that generates some finds them."""
    own = psyker(w, model)
    return tuple(sorted(p.name for p in own.described if own.more and not knows(w, model, p)))


def who_generates(w: World8, player: int, moment: Moment) -> list[Option]:
    """The units with psykers whose powers are generated before the battle, by their names."""
    found = [u for u in w.units_of(player) if not u.generated and any(open_to(w, m) for m in u.models)]
    return [Option(u.name, u.name) for u in found]


@rule("w40k8.psychic.generate")
async def generate(b: Battle8, player: int, moment: Moment, use: Value) -> None:
    """The psykers of a unit get powers to their number, which their player picks; they are theirs for the battle."""
    unit = next(u for u in b.units_of(player) if u.name == use)
    for m in (m for m in unit.models if open_to(b, m)):
        names = open_to(b, m)
        count = min(psyker(b, m).more, len(names))
        prompt, options = f"Which powers does {called(b, m)} know?", [Option(name, name.title()) for name in names]
        chosen = await b.ask(some_of(unit, "generate_powers", prompt, options, GENERATE, least=count, most=count))
        b.set_unit(unit, generated=(*unit.generated, *((m, str(name)) for name in chosen)))
        text = f"{called(b, m)} knows {' and '.join(str(name).title() for name in chosen)}."
        b.tell("powers_generated", text, GENERATE, units=[unit.id], powers=list(chosen))


GENERATION: Final = Reaction(
    "Psychic powers", "before_deployment", generate, lambda w, p, m: bool(who_generates(w, p, m)), who_generates,
    mandatory=True, rules=(GENERATE,),
)  # fmt: skip
QUESTIONS: Final = {"generate_powers": Question(default=lambda w, d: tuple(o.value for o in d.options[: d.most]))}
