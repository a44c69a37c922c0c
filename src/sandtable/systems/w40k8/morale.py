"""The Morale phase: units that lost models this turn test, and some of those left may flee."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import AGAIN, DONE, GONE, ChooseSome, Question, Step
from sandtable.battle.decisions import Value
from sandtable.battle.rolls import Total
from sandtable.forty.effects.nerve import beaten_into_line, lent_leadership, who_stays
from sandtable.forty.effects.permissions import allows
from sandtable.forty.endings import Endings
from sandtable.forty.single_dice import roll
from sandtable.forty.state import called_each
from sandtable.kit.asking import pick_unit, some_of
from sandtable.kit.grammar import agree, counted, does
from sandtable.kit.ideas import which_unit
from sandtable.reasons import Part
from sandtable.rules import rule
from sandtable.systems.w40k8.attacks import inflict, who_can_take
from sandtable.systems.w40k8.datasheet import number_of
from sandtable.systems.w40k8.dice import throw
from sandtable.systems.w40k8.only_war import end_if_wiped_out
from sandtable.systems.w40k8.state import Battle8, Unit, World8

ABILITIES: Final = "w40k8.sheet.abilities"


@rule("w40k8.morale.phase")
async def test_units(b: Battle8) -> Step:
    """All units of the active player that have to test do so in any order, then those of the others."""
    for player in (b.player(b.state.active), *b.opponents(b.state.active)):
        prompt, rule_ = "Which unit takes its Morale test next?", "w40k8.morale.phase"
        unit = await pick_unit(b, player.id, "test_morale", prompt, has_to_test, rule_, optional=False)
        if unit is not None:
            b.set_unit(unit, tested=True)
            await take_test(b, unit)
            return AGAIN
    return DONE


@rule("w40k8.morale.phase", neutral=False)
def has_to_test(w: World8, unit: Unit) -> bool:
    """A unit tests once if models of it were slain this turn, and any are left on the battlefield."""
    return unit.slain > 0 and not unit.tested and w.is_on_table(unit) and not allows(w, unit, "pass_morale")


@rule("w40k8.morale.test", "w40k8.morale.flee")
async def take_test(b: Battle8, unit: Unit) -> None:
    """One die and the models slain this turn, against the Leadership of the unit."""
    source, most = "w40k8.morale.test", leadership(b, unit)
    why = (Part(f"+{unit.slain}", "slain", source), Part(f"up to {most}", "Leadership", source))
    read = Total("", why, plus=unit.slain)

    def value(faces: Sequence[int]) -> int:
        return -how_many_flee(unit.slain + sum(faces), most)

    faces = await roll(b, unit, 1, "morale", source, read=read, value=value, enough=lambda f: not value(f))
    result = unit.slain + sum(faces)
    count = how_many_flee(result, most)
    if not count:
        b.tell("morale_passed", f"{does(unit, 'stands')} firm.", source, units=[unit.id], total=result)
        return
    if await beaten_into_line(b, unit, count, ABILITIES, throw, inflict):
        return
    text = f"{does(unit, 'fails')} {agree(unit, 'its')} Morale test by {count}."
    b.tell("morale_failed", text, source, units=[unit.id], total=result)
    if stay := await who_stays(b, unit, count, ABILITIES):
        b.tell("stayed", f"{counted(stay, 'model')} of {unit.name} stay.", source, units=[unit.id])
    if stay < count:
        await flee(b, unit, count - stay)


@rule("w40k8.morale.test", "w40k8.sheet.profile", neutral=0)
def leadership(w: World8, unit: Unit) -> int:
    """The highest Leadership of the models that are left, or what others lend it."""
    return max([own_leadership(w, unit), *lent_leadership(w, unit, lambda u: own_leadership(w, u))])


def own_leadership(w: World8, unit: Unit) -> int:
    """The highest Leadership of the models of a unit that are on the table."""
    return max((number_of(w, int(m), "leadership") for m in w.on_table(unit)), default=0)


@rule("w40k8.morale.test", "w40k8.morale.flee", neutral=0)
def how_many_flee(result: int, most: int) -> int:
    """One model for each point above the Leadership."""
    return max(0, result - most)


@rule("w40k8.morale.flee")
async def flee(b: Battle8, unit: Unit, count: int) -> None:
    """So many models that their player picks flee; they are gone, but not slain."""
    models = [int(m) for m in b.on_table(unit)]
    if count < len(models):
        prompt, options = f"{counted(count, 'model')} of {{unit}} will flee. Which?", called_each(b, models)
        asked = some_of(unit, "flee", prompt, options, "w40k8.morale.flee", least=count, most=count, deed="Remove")
        models = [int(m) for m in await b.ask(asked)]
    for model in models:
        await b.system.seam(Endings).abandon(b, unit, model)
        b.place_models([model], GONE)
    b.set_unit(unit, fled=(*unit.fled, *models))
    who = f"{counted(len(models), 'model')} of {unit.name} {'flees' if len(models) == 1 else 'flee'}."
    b.tell("fled", who, "w40k8.morale.flee", "w40k8.gap.fled_models", units=[unit.id], models=models)
    end_if_wiped_out(b)


def who_flees(w: World8, d: ChooseSome) -> tuple[Value, ...]:
    """Those with the fewest wounds left, and of them those whom their player would rather lose."""
    order = who_can_take(w, w.unit(d.unit))
    return tuple(sorted(order, key=lambda m: int(w.state.models.wounds[m]))[: d.most])


QUESTIONS: Final = {"test_morale": which_unit(0.0), "flee": Question(default=who_flees)}
