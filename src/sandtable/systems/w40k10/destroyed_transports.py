"""Destroyed transports: who gets out of them, where, and at what cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sandtable.battle import GONE, Spot
from sandtable.battle.rolls import Each
from sandtable.forty.passengers import get_out, passengers
from sandtable.kit.beside import find_beside, place_beside, setting_up_beside, spots_beside
from sandtable.kit.grammar import does
from sandtable.kit.room import models_to_place
from sandtable.rules import Argument, Facts, fact, rule
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.destroyed import destroy
from sandtable.systems.w40k10.mortal_wounds import inflict
from sandtable.systems.w40k10.state import NORMAL, Battle10, Unit, World10
from sandtable.systems.w40k10.transports import DESTROYED, TRANSPORTS, room_around
from sandtable.table.grid import steps


class WRECKS(Facts):
    emergency = fact(steps(6), "w40k10.transport.emergency", neutral=steps(3))
    """The same for a unit that finds no room beside its destroyed transport."""
    hurt_in_a_wreck = fact(1, "w40k10.transport.destroyed_wounds", neutral=0)
    """Up to this face, a model that leaves a destroyed transport costs its unit a mortal wound..."""
    hurt_in_an_emergency = fact(3, "w40k10.transport.emergency", neutral=1)
    """...and up to this one in an Emergency Disembarkation."""


@rule("w40k10.transport.destroyed_disembark")
async def abandon(b: Battle10, transport: Unit, model: int) -> None:
    """A transport is about to be taken off the battlefield: its passengers get out."""
    if any(int(m) != model for m in b.on_table(transport)):
        return
    for unit in passengers(b, transport):
        await escape(b, unit, transport, model)


async def escape(b: Battle10, unit: Unit, transport: Unit, model: int) -> None:
    """One unit gets out of a destroyed transport, in an emergency as far as it can."""
    models = models_to_place(b, unit)
    reach, emergency = TRANSPORTS.disembark, False
    if spots_beside(b, room_around, unit, models, (model,), reach) is None:
        reach, emergency = WRECKS.emergency, True
    every = spots_beside(b, room_around, unit, models, (model,), reach) is not None
    saved = models if every else who_fits(b, unit, models, model, reach)
    source = "w40k10.transport.emergency" if emergency else "w40k10.transport.destroyed_disembark"
    spots: tuple[Spot, ...] | None = ()
    if saved:
        where = f"{does(transport, 'is')} destroyed: where {{does}} {{unit}} get out?"
        spots = await b.ask(place_beside(b, unit, "escape", where, (model,), reach, source, models=saved))
    get_out(b, unit, spots or ())
    how = "in an emergency " if emergency else ""
    text = f"{does(unit, 'gets')} out of {transport.name} {how}as it is destroyed."
    b.tell("escaped", text, source, units=[unit.id, transport.id])
    await lose(b, unit, [m for m in models if m not in saved])
    if saved:
        shake(b, unit)
        cites = ("w40k10.transport.destroyed_wounds",)
        rolled = saved if b.option("emergency-rolls") == "set-up" else models
        worst = worst_face(emergency)
        read = Each("mortal wound(s)", needed=worst + 1, failures=True)
        faces = b.roll(len(rolled), "destroyed transport", unit.player, rules=cites, read=read)
        await inflict(b, unit, wounds_due(faces, worst), *cites)


@rule(
    "w40k10.transport.emergency",
    "w40k10.concept.coherency_setup",
    "w40k10.concept.engagement_limit",
    neutral=Argument("models"),
)
def who_fits(w: World10, unit: Unit, models: tuple[int, ...], transport: int, reach: int) -> tuple[int, ...]:
    """As many models as can be set up, those that their player would miss most."""
    kept = tuple(sorted(models, key=lambda m: (not model_has_keyword(w, m, "CHARACTER"), m)))
    # Nobody at all always finds room, so this comes to an end.
    while find_beside(w, room_around(w, unit, tuple(sorted(kept)), (transport,), reach), (transport,), reach) is None:
        kept = kept[:-1]
    return tuple(sorted(kept))


async def lose(b: Battle10, unit: Unit, models: Sequence[int]) -> None:
    """Models that found no place are destroyed."""
    if not models:
        return
    text = f"{len(models)} models of {unit.name} find no place and are destroyed."
    b.tell("no_place", text, "w40k10.transport.emergency", units=[unit.id], models=list(models))
    # Of a unit, or of a part of it, that is lost as a whole only the last model's end is the end of it.
    if not b.is_on_table(unit):
        last = {m in unit.leader: m for m in models}
        b.place_models([m for m in models if m not in last.values()], GONE)
        models = list(last.values())
    for m in models:
        await destroy(b, m)


@rule("w40k10.transport.destroyed_effects")
def shake(b: Battle10, unit: Unit) -> None:
    """A unit that got out of a destroyed transport is Battle-shocked, and counts as having made a Normal move."""
    b.set_unit(unit, battle_shocked=True, disembarked=DESTROYED, moved=NORMAL)


@rule("w40k10.transport.destroyed_wounds", neutral=0)
def wounds_due(faces: Sequence[int], worst: int) -> int:
    """One mortal wound for each low die."""
    return sum(face <= worst for face in faces)


@rule("w40k10.transport.emergency", neutral=1)
def worst_face(emergency: bool) -> int:
    """Up to which face a die costs a mortal wound."""
    return WRECKS.hurt_in_an_emergency if emergency else WRECKS.hurt_in_a_wreck


QUESTIONS: Final[dict[str, Any]] = {"escape": setting_up_beside(room_around, may_stay=False)}
