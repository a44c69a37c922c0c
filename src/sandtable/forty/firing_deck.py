"""Passengers that lend their weapons to the transport that shoots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from sandtable.battle import ALLOWED, ChooseSome, Moment, Option, Reaction, Value, Verdict, refuse
from sandtable.forty.aiming import Item, aiming_of, could_fire, guns_carried
from sandtable.forty.moments import UNIT_ABOUT_TO_SHOOT
from sandtable.forty.passengers import passengers
from sandtable.forty.state import Battle40, Unit, World40, model_label
from sandtable.kit.room import models_to_place


class Loan(NamedTuple):
    """A weapon that a passenger could lend."""

    model: int
    item: Item
    label: str


def loans_to(w: World40, unit: Unit, only: int = -1) -> list[Loan]:
    """The ranged weapons of passengers that would have a target."""
    return [
        Loan(m, item, f"{model_label(w, inside, m)}: {item.name}")
        for inside in passengers(w, unit)
        for m in models_to_place(w, inside)
        for item in guns_carried(w, m)
        if aiming_of(w).lends(w, inside, item) and could_fire(w, unit, item, only)
    ]


def borrowed(w: World40, unit: Unit) -> tuple[Item, ...]:
    """The weapons that a transport has from its passengers while it shoots."""
    return tuple(item for model, name in unit.lent for item in guns_carried(w, model) if item.name == name)


async def lend(
    b: Battle40,
    unit: Unit,
    only: int,
    places: int,
    rules: tuple[str, ...],
    then: Callable[[Any, Any], None] = lambda b, unit: None,
) -> None:
    """A transport that was picked to shoot has weapons of its passengers on top of its own."""
    loans = loans_to(b, unit, only)
    chosen = await b.ask(
        ChooseSome(
            player=unit.player,
            kind="firing_deck",
            deed="Fire",
            prompt=f"Which passengers fire from {unit.name}?",
            options=tuple(Option(i, loan.label) for i, loan in enumerate(loans)),
            most=places,
            rules=rules,
            unit=unit.id,
            about={"only": only},
        )
    )
    if chosen:
        b.set_unit(unit, lent=tuple((loans[int(i)].model, loans[int(i)].item.name) for i in chosen))
        then(b, unit)


def manning(
    places: Callable[[Any, Any], int], rule: str, then: Callable[[Any, Any], None] = lambda b, unit: None
) -> Reaction:
    """Passengers lend their weapons whenever their transport is about to shoot; `places` says how many may.

    `then` is what lending means for who is aboard: (battle, transport).
    """

    def has_places(b: Battle40, player: int, moment: Moment) -> bool:
        unit = b.unit(moment.unit)
        return unit.player == player and bool(places(b, unit))

    def who_mans_it(b: Battle40, _player: int, moment: Moment) -> list[Option]:
        unit = b.unit(moment.unit)
        return [Option(unit.id, unit.name)] if loans_to(b, unit, int(moment.data["only"])) else []

    async def man_it(b: Battle40, _player: int, moment: Moment, _use: Value) -> None:
        unit = b.unit(moment.unit)
        await lend(b, unit, int(moment.data["only"]), places(b, unit), (rule,), then)

    return Reaction(
        "Firing Deck",
        UNIT_ABOUT_TO_SHOOT,
        flow=man_it,
        guard=has_places,
        uses=who_mans_it,
        mandatory=True,
        rules=(rule,),
    )


def give_back(b: Battle40, unit: Unit) -> None:
    """When the shooting is finished, what was lent goes back."""
    if unit.lent:
        b.set_unit(unit, lent=())


def loans_meant(w: World40, d: ChooseSome, answer: tuple[Value, ...]) -> list[Loan]:
    """What an answer lends."""
    loans = loans_to(w, w.unit(d.unit), int(d.about["only"]))
    return [loans[int(i)] for i in answer]


def one_weapon_each(w: World40, d: ChooseSome, answer: tuple[Value, ...], rule: str) -> Verdict:
    """Whether each passenger lends one weapon."""
    models = [loan.model for loan in loans_meant(w, d, answer)]
    if len(set(models)) == len(models):
        return ALLOWED
    return refuse("Each passenger lends one weapon only.", rule)


def default_loans(w: World40, d: ChooseSome) -> tuple[Value, ...]:
    """As many passengers as may, each with a weapon that does not endanger the transport."""
    endangers = aiming_of(w).endangers
    return _one_each(w, d, range(len(d.options)), lambda loan: not any(endangers(p) for p in loan.item.profiles))


def suggest_loans(w: World40, d: ChooseSome, rng: Random) -> Iterator[tuple[Value, ...]]:
    """Some passengers, with some weapon each."""
    yield _one_each(w, d, rng.sample(range(len(d.options)), len(d.options)), lambda loan: True)


def _one_each(w: World40, d: ChooseSome, order: range | list[int], fits: Callable[[Loan], bool]) -> tuple[Value, ...]:
    loans = loans_to(w, w.unit(d.unit), int(d.about["only"]))
    picked: dict[int, Value] = {}
    for i in order:
        if fits(loans[i]):
            picked.setdefault(loans[i].model, i)
    return tuple(picked.values())[: d.most]
