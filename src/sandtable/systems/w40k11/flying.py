"""Flying models (21.03): taking to the skies."""

from __future__ import annotations

from sandtable.kit.asking import agreed
from sandtable.kit.grammar import agree
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.concepts import model_has_keyword
from sandtable.systems.w40k11.state import Battle11, Unit, World11, sheet_of
from sandtable.table.grid import steps


class FLYING(Facts):
    """What the book states about flying."""

    cost = fact(steps(2), "w40k11.fly.take_to_skies", neutral=0)
    """How much shorter a move is that takes to the skies."""


@rule("w40k11.fly.take_to_skies", neutral=False)
def may_take_to_skies(w: World11, unit: Unit) -> bool:
    """A unit all of whose models can FLY may, in a Normal, Advance, Fall-back or charge move."""
    return all(model_has_keyword(w, m, "FLY") for m in w.on_table(unit).tolist())


@rule("w40k11.fly.take_to_skies")
async def take_to_the_skies(b: Battle11, unit: Unit) -> None:
    """Before it moves, or after its charge roll, the player of a unit that can FLY says whether it takes off."""
    if may_take_to_skies(b, unit):
        prompt, rule_ = f"{agree(unit, 'Does')} {unit.name} take to the skies?", "w40k11.fly.take_to_skies"
        b.set_unit(unit, skies=await agreed(b, unit, "skies", prompt, rule_, default=hovers(b, unit)))


@rule("w40k11.fly.take_to_skies", neutral=False)
def passes_everything(skies: bool) -> bool:
    """In the skies models pass all models and all terrain."""
    return skies


@rule("w40k11.fly.take_to_skies", neutral=True)
def measures_height(skies: bool) -> bool:
    """In the skies height costs nothing."""
    return not skies


def taken_off(w: World11, unit: Unit, far: int) -> int:
    """How far a move goes, with what taking to the skies costs."""
    return max(0, far - FLYING.cost) if unit.skies and not hovers(w, unit) else far


@rule("w40k11.fly.hover", neutral=False)
def hovers(w: World11, unit: Unit) -> bool:
    """Units with Hover lose nothing by taking to the skies."""
    return all(sheet_of(w, m).has("hover") for m in w.on_table(unit).tolist())
