"""The Firing Deck: passengers lend their weapons to the transport that shoots."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from sandtable.battle import ALLOWED, ChooseSome, Option, Question, Value, Verdict, refuse
from sandtable.forty.aiming import could_fire, guns_carried
from sandtable.forty.passengers import passengers
from sandtable.forty.state import model_label
from sandtable.kit.room import models_to_place
from sandtable.rules import rule
from sandtable.systems.w40k10.state import Battle10, Unit, World10, sheet_of
from sandtable.systems.w40k10.weapons import is_hazardous


@rule("w40k10.transport.firing_deck", neutral=0)
def deck_places(w: World10, unit: Unit) -> int:
    """How many passengers may lend a weapon."""
    values = [sheet_of(w, int(m)).value("firing deck") for m in w.on_table(unit)]
    return sum(int(v) for v in values if v.isdecimal())


def deck_options(w: World10, unit: Unit, only: int = -1) -> tuple[Option, ...]:
    """The ranged weapons of passengers that have a target, as "model/weapon"."""
    if not deck_places(w, unit):
        return ()
    return tuple(
        Option(f"{m}/{item.name}", f"{model_label(w, inside, m)}: {item.name}")
        for inside in passengers(w, unit)
        for m in models_to_place(w, inside)
        for item in guns_carried(w, m)
        if could_fire(w, unit, item, only)
    )


async def man_the_deck(b: Battle10, unit: Unit, only: int = -1) -> None:
    """A transport that was picked to shoot has weapons of its passengers on top of its own."""
    options = deck_options(b, unit, only)
    if not options:
        return
    chosen = await b.ask(
        ChooseSome(
            player=unit.player,
            kind="firing_deck",
            prompt=f"Which passengers fire from {unit.name}?",
            options=options,
            most=deck_places(b, unit),
            rules=("w40k10.transport.firing_deck",),
            unit=unit.id,
        )
    )
    if chosen:
        b.set_unit(unit, lent=tuple(_loan(value) for value in chosen))


def clear_the_deck(b: Battle10, unit: Unit) -> None:
    """When the shooting is finished, what was lent goes back."""
    if unit.lent:
        b.set_unit(unit, lent=())


def _loan(value: Value) -> tuple[int, str]:
    model, _, item = str(value).partition("/")
    return int(model), item


@rule("w40k10.transport.firing_deck", neutral=ALLOWED)
def judge_deck(w: World10, d: ChooseSome, answer: tuple[Value, ...]) -> Verdict:
    """Each passenger lends one weapon."""
    models = [_loan(value)[0] for value in answer]
    if len(set(models)) == len(models):
        return ALLOWED
    return refuse("Each passenger lends one weapon only.", "w40k10.transport.firing_deck")


def default_deck(w: World10, d: ChooseSome) -> tuple[Value, ...]:
    """As many passengers as may, each with a weapon that does not endanger the transport."""
    best: dict[int, Value] = {}
    for option in d.options:
        model, name = _loan(option.value)
        safe = not any(is_hazardous(p) for item in guns_carried(w, model) if item.name == name for p in item.profiles)
        if safe and model not in best:
            best[model] = option.value
    return tuple(best.values())[: d.most]


def suggest_deck(w: World10, d: ChooseSome, rng: Random) -> Iterator[tuple[Value, ...]]:
    """Some passengers, with some weapon each."""
    picked: dict[int, Value] = {}
    for option in rng.sample(d.options, len(d.options)):
        picked.setdefault(_loan(option.value)[0], option.value)
    yield tuple(picked.values())[: d.most]


def deck_has_target(w: World10, unit: Unit) -> bool:
    """Whether a passenger could fire from the deck."""
    return bool(deck_options(w, unit))


QUESTIONS: Final[dict[str, Any]] = {
    "firing_deck": Question(judge=judge_deck, default=default_deck, suggest=suggest_deck),
}
