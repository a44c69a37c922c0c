"""Desperate Escape: models that are lost while their unit Falls Back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sandtable.attack.volley import FACES
from sandtable.battle import ChooseSome, Move, Moves, Option, Question, Reason
from sandtable.battle.rolls import Each
from sandtable.battle.verdict import Fact
from sandtable.forty.casualties import casualty_order
from sandtable.forty.effects.permissions import allows
from sandtable.forty.rerolls import offer_reroll
from sandtable.forty.state import model_label
from sandtable.kit.asking import some_of
from sandtable.kit.grammar import counted, does
from sandtable.kit.sweeps import across_enemies
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.battle_shock import escapes_in_panic
from sandtable.systems.w40k10.coherency import coherency_of
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.destroyed import destroy
from sandtable.systems.w40k10.dice import in_range
from sandtable.systems.w40k10.engagement_range import engaged_enemies
from sandtable.systems.w40k10.moving_models import Passage
from sandtable.systems.w40k10.state import FALL_BACK, Battle10, Unit, World10

RULE: Final = "w40k10.move.desperate_escape_test"


class ESCAPE(Facts):
    lost_in_escape = fact(2, "w40k10.move.desperate_escape_test", neutral=0)
    """Up to this face, a Desperate Escape test costs a model."""


@rule("w40k10.move.desperate_escape_trigger", neutral=())
def who_escapes(w: World10, unit: Unit, moves: Moves) -> tuple[int, ...]:
    """The models for which a Desperate Escape test is taken: those that will cross enemy models, but for TITANIC ones;
    every model of a Battle-shocked unit."""
    if allows(w, unit, "no_falling_back_losses"):
        return ()
    if escapes_in_panic(unit):
        spared = ("FLY", "TITANIC") if w.option("desperate-escape") == "fly-exempt" else ()
        return tuple(int(m) for m in w.on_table(unit) if not any(model_has_keyword(w, int(m), k) for k in spared))
    return tuple(
        m for m in across_enemies(w, Passage(unit.id, FALL_BACK), moves) if not model_has_keyword(w, m, "TITANIC")
    )


def notes(w: World10, d: Move, answer: Moves) -> Iterator[Reason]:
    """What a Fall Back move asks for, before it is made."""
    tested = who_escapes(w, w.unit(d.unit), answer) if answer.mode == FALL_BACK else ()
    if tested:
        tests, most = len(tested), ESCAPE.lost_in_escape
        text = f"{counted(tests, 'Desperate Escape test')}: a roll of {most} or less destroys a model."
        facts: dict[str, Fact] = {"tests": tests, "models_lost": round(tests * most / len(FACES), 2)}
        yield Reason(text, ("w40k10.move.desperate_escape_trigger", RULE), facts, tested)


async def desperate_escape(b: Battle10, unit: Unit, moves: Moves) -> tuple[int, ...]:
    """Take the tests, before any model moves; returns the models that may cross enemy models."""
    tested = who_escapes(b, unit, moves)
    crossing = tuple(across_enemies(b, Passage(unit.id, FALL_BACK), moves))
    if tested:
        need = ESCAPE.lost_in_escape + 1
        read = Each("model(s) lost", needed=need, failures=True)
        faces = b.roll(len(tested), "desperate escape", unit.player, rules=(RULE,), read=read)
        faces = await offer_reroll(b, unit, "desperate escape", faces, sum_=False, need=need, read=read)
        await lose_to_escape(b, unit, faces)
    return crossing


@rule("w40k10.move.desperate_escape_test")
async def lose_to_escape(b: Battle10, unit: Unit, faces: tuple[int, ...]) -> None:
    """Each 1 or 2 destroys a model that the unit's player picks."""
    models = [int(m) for m in b.on_table(unit)]
    lost = min(sum(in_range(f, 1, ESCAPE.lost_in_escape) for f in faces), len(models))
    if not lost:
        return
    chosen: tuple[Any, ...] = tuple(models)
    what = f"{counted(lost, 'model')} in a desperate escape"
    if lost < len(models):
        options = [Option(m, model_label(b, unit, m)) for m in models]
        prompt = f"{{unit}} {{loses}} {what}: which?"
        asked = some_of(unit, "escape_losses", prompt, options, RULE, least=lost, most=lost, deed="Remove")
        chosen = await b.ask(asked)
    b.tell("desperate_escape", f"{does(unit, 'loses')} {what}.", RULE, units=[unit.id])
    for m in chosen:
        await destroy(b, int(m))
    b.go_on()


def default_escape_losses(w: World10, d: ChooseSome) -> tuple[int, ...]:
    """The models that the unit would rather lose."""
    return casualty_order(w, w.unit(d.unit), coherency_of, engaged_enemies)[: d.least]


QUESTIONS: Final = {"escape_losses": Question(default=default_escape_losses), "move": Question(notes=notes)}
