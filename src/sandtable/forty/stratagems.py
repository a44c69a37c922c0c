"""The frame of Stratagems: what stands on a card, whether it can be used, on whom, and how a use is offered and paid.

A Stratagem is a `Reaction`: it waits for its trigger, asks whether it can matter by looking at flags, then offers one
option for each unit that it can be used on. What limits a use is the edition's, and comes in by `Cards`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from sandtable.battle import ALLOWED, Effect, Moment, Option, Reaction, Value, Verdict, refuse
from sandtable.battle.windows import as_option
from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.effects.moments import SHOOTING
from sandtable.forty.effects.prices import give_back, lowest_price, price, settle_price
from sandtable.forty.effects.words import Words
from sandtable.forty.markers import markers_near, near_models
from sandtable.forty.moments import TARGETS_SELECTED
from sandtable.forty.odds.sparing import spares_much
from sandtable.forty.passengers import aboard
from sandtable.forty.state import Battle40, Unit, World40, sheet_of

CardEffect: TypeAlias = Callable[[Any, int, Moment, Value], Coroutine[Any, Any, None]]
"""(battle, player, moment, value of the option): what the Stratagem does, once it is paid."""


class Turn(StrEnum):
    """Whose turn it has to be."""

    OWN = "own"
    OPPONENTS = "opponent"
    EITHER = "either"


class Stratagem(NamedTuple):
    """What stands on the card."""

    name: str
    cost: int
    category: str
    rule: str
    phases: tuple[str, ...]
    """In which phases it can be used..."""
    turn: Turn = Turn.EITHER
    """...and in whose turn."""
    once_per_turn: bool = False
    theirs: tuple[str, ...] = ()
    """Phases in which it can only be used in an opponent's turn."""
    on_shocked: bool = False
    """Whether it can be used on a Battle-shocked unit."""


@dataclass(frozen=True)
class Cards:
    """What an edition says about the use of Stratagems."""

    checks: tuple[Callable[[Any, int, Stratagem], Verdict], ...]
    """(world, player, stratagem): could it be used now, whatever its target?"""
    left_for: Callable[[Any, int, Stratagem, int], Verdict]
    """(world, player, stratagem, unit): is a use left for this unit? -1 for none."""
    may_affect: Callable[[Any, int, Stratagem, Any], Verdict]
    """(world, player, stratagem, unit): may it be used on this unit?"""
    pay: Callable[[Any, int, Stratagem, int, int], None]
    """(battle, player, stratagem, Command points, unit): take the points, and remember the use."""

    def usable(self, w: World40, player: int, stratagem: Stratagem) -> Verdict:
        """Whether a player could use a Stratagem now, whatever its target."""
        verdict = ALLOWED
        for check in self.checks:
            verdict = check(w, player, stratagem)
            if not verdict.ok:
                break
        return verdict


# --- Services for the questions of an edition -------------------------------------------------------------------------


def is_its_turn(w: World40, player: int, stratagem: Stratagem) -> bool:
    """Whether this is the phase and the turn that a card names."""
    phase = w.state.game.phase
    if phase not in stratagem.phases:
        return False
    turn = Turn.OPPONENTS if phase in stratagem.theirs else stratagem.turn
    return turn is Turn.EITHER or (w.side(player) == w.side(w.state.active)) == (turn is Turn.OWN)


# Windows ask for these again and again, and mostly for the same.


@lru_cache(maxsize=1024)
def not_now(stratagem: Stratagem, *rules: str) -> Verdict:
    """A refusal: it is another phase, or another's turn."""
    return refuse(f"This is not the moment for {stratagem.name}.", *rules)


def is_its_moment(w: World40, player: int, stratagem: Stratagem, rule: str) -> Verdict:
    """Whether this is the phase and the turn that a card names, or else a refusal."""
    return ALLOWED if is_its_turn(w, player, stratagem) else not_now(stratagem, rule, stratagem.rule)


@lru_cache(maxsize=512)
def too_dear(name: str, cost: int, player: str, cp: int, rule: str) -> Verdict:
    """A refusal: the player has too few Command points."""
    return refuse(f"{name} costs {cost}CP, and {player} has {cp}.", rule, cost=cost, cp=cp)


def affordable(w: World40, player: int, stratagem: Stratagem, rule: str) -> Verdict:
    """Whether a player has the Command points for a Stratagem, at the lowest price that abilities make."""
    p, cost = w.player(player), lowest_price(w, player, stratagem.name, stratagem.cost)
    return ALLOWED if p.cp >= cost else too_dear(stratagem.name, cost, p.name, p.cp, rule)


def remember_use(b: Battle40, player: int, stratagem: Stratagem, cost: int, unit: int) -> None:
    """Take Command points, and write the use down for this phase and turn."""
    p = b.player(player)
    b.set_player(
        p,
        cp=p.cp - cost,
        used=(*p.used, stratagem.name, used_on(stratagem, unit)),
        used_this_turn=(*p.used_this_turn, stratagem.name),
    )


def used_on(stratagem: Stratagem, unit: int) -> str:
    """How a player's `used` names a use on a unit."""
    return f"{stratagem.name}@{unit}"


# --- A use ------------------------------------------------------------------------------------------------------------


def usable_on(w: World40, cards: Cards, player: int, stratagem: Stratagem, unit: int) -> bool:
    """Whether a player can use a Stratagem for a unit: its price there, and a use that is left for it."""
    if price(w, player, stratagem.name, stratagem.cost, unit) > w.player(player).cp:
        return False
    return bool(cards.left_for(w, player, stratagem, unit))


async def use(b: Battle40, cards: Cards, player: int, stratagem: Stratagem, unit: int) -> bool:
    """Use a Stratagem, for a unit or with -1 for none: settle the price, pay, and tell it; False if it is too dear."""
    cost = await settle_price(b, player, stratagem.name, stratagem.cost, unit)
    if cost > b.player(player).cp:
        text = f"{b.player(player).name} cannot pay {cost}CP for {stratagem.name}, which is not used."
        b.tell("too_dear", text, stratagem.rule, units=[unit] if unit >= 0 else [], name=stratagem.name)
        return False
    cards.pay(b, player, stratagem, cost, unit)
    whom = f" for {b.unit(unit).name}" if unit >= 0 else ""
    b.tell(
        "stratagem",
        f"{b.player(player).name} uses {stratagem.name} ({cost}CP){whom}.",
        stratagem.rule,
        units=[unit] if unit >= 0 else [],
        name=stratagem.name,
    )
    give_back(b, player, unit)
    return True


def for_the_phase(b: Battle40, stratagem: Stratagem, kind: str, unit: int, value: int | str = 0) -> None:
    """What a Stratagem gives a unit until the end of the phase."""
    b.add_effect(Effect(kind, unit, value, source=stratagem.rule, until="phase"))


# --- How it is offered ------------------------------------------------------------------------------------------------


def the_unit_itself(_b: Battle40, _player: int, _moment: Moment, value: Value) -> int:
    """The unit whose number the option has."""
    return int(value)


def the_acting_unit(_b: Battle40, _player: int, moment: Moment, _value: Value) -> int:
    """The unit that the moment is about."""
    return moment.unit


def offer_the_acting_unit(b: Battle40, player: int, moment: Moment) -> list[Option]:
    """One option: the unit that the moment is about."""
    unit = b.unit(moment.unit)
    return [Option(unit.id, unit.name)]


def own_units(b: Battle40, player: int, may: Callable[[Any, Any], object]) -> list[Option]:
    """One option for each unit of a player of which something is true: (battle, unit)."""
    return [Option(u.id, u.name) for u in b.units_of(player) if may(b, u)]


def own(may: Callable[[Any, Any], object]) -> Callable[[Any, int, Moment], list[Option]]:
    """The same, as what a reaction asks for its targets."""
    return lambda b, player, moment: own_units(b, player, may)


def in_phase(phase: str) -> Callable[[Any, int, Moment], bool]:
    """For moments that a phase brings: whether it is this one."""
    return lambda b, player, moment: bool(moment.data["phase"] == phase)


def an_enemy_acts(b: Battle40, player: int, moment: Moment) -> bool:
    """Whether the moment is about an enemy."""
    return b.side(b.unit(moment.unit).player) != b.side(player)


def under_fire(b: Battle40, player: int, moment: Moment) -> bool:
    """Whether an enemy shoots, and it is the Shooting phase."""
    return b.state.game.phase == SHOOTING and an_enemy_acts(b, player, moment)


def targets_with(b: Battle40, player: int, moment: Moment, keyword: str) -> list[Option]:
    """A player's units with a keyword among those that have just been selected as targets."""
    units, has = [b.unit(t) for t in moment.data["targets"]], b.system.seam(Words).has_keyword
    return [Option(u.id, u.name) for u in units if u.player == player and has(b, u, (keyword,))]


def ones_own_acts(b: Battle40, player: int, moment: Moment) -> bool:
    """Whether the moment is about a unit of the player's own."""
    return int(b.unit(moment.unit).player) == player


def has_a_hold(b: Battle40, _player: int, _moment: Moment, unit: Value) -> bool:
    """Whether a unit counts at an objective marker, to hold it or to keep an enemy from that, or is armed."""
    return int(unit) in b.armed or counts_at_a_marker(b, b.unit(int(unit)))


def counts_at_a_marker(w: World40, unit: Unit) -> bool:
    """Whether a unit near an objective marker has any Objective Control there, or would have without Battle-shock."""
    near, changes = {m for k in markers_near(w, unit) for m in near_models(w, k)}, changes_of(w, unit, "OC")
    printed = [(m, sheet_of(w, m).oc) for m in unit.models if m in near]
    # A dash takes no part, whatever would raise it.
    return any(changed(w, changes, m, "OC", oc) > 0 for m, oc in printed if oc is not None)


def reaction(
    cards: Cards,
    stratagem: Stratagem,
    trigger: str,
    effect: CardEffect,
    targets: Callable[[Any, int, Moment], Sequence[Option]],
    *,
    when: Callable[[Any, int, Moment], bool] | None = None,
    worth: Callable[[Any, int, Moment, Value], bool] | None = None,
    for_unit: Callable[[Any, int, Moment, Value], int] = the_unit_itself,
) -> Reaction:
    """A Stratagem that waits for a trigger.

    `when` looks at flags only; `targets` offers one option for each way of using it, by default with the number of the
    unit as its value (else `for_unit` says which of the player's units it is for, -1 for none).
    """

    def guard(b: Battle40, player: int, moment: Moment) -> bool:
        return cards.usable(b, player, stratagem).ok and (when is None or when(b, player, moment))

    def uses(b: Battle40, player: int, moment: Moment) -> list[Option]:
        found = []
        for option in targets(b, player, moment):
            unit = for_unit(b, player, moment, option.value)
            if usable_on(b, cards, player, stratagem, unit) and (
                unit < 0 or cards.may_affect(b, player, stratagem, b.unit(unit))
            ):
                cost = f"{price(b, player, stratagem.name, stratagem.cost, unit)}CP"
                note = f"{option.note}, {cost}" if option.note else cost
                found.append(Option(option.value, option.label, note, option.rolls, unit))
        return found

    async def flow(b: Battle40, player: int, moment: Moment, value: Value) -> None:
        if await use(b, cards, player, stratagem, for_unit(b, player, moment, value)):
            await effect(b, player, moment, value)

    return Reaction(stratagem.name, trigger, flow, guard, uses, worth, rules=(stratagem.rule,))


def shelter(
    cards: Cards,
    stratagem: Stratagem,
    targets: Callable[[Any, int, Moment], Sequence[Option]],
    effects: Callable[[int], Sequence[Effect]],
) -> Reaction:
    """A Stratagem for a unit that has just been selected as a target of shots; `effects` says what it gives to one."""

    async def take_shelter(b: Battle40, _player: int, _moment: Moment, unit: Value) -> None:
        for effect in effects(int(unit)):
            b.add_effect(effect)

    def spares_enough(b: Battle40, _player: int, moment: Moment, unit: Value) -> bool:
        target = b.unit(int(unit))
        if target.id in b.armed:
            return True
        shots = [s for s in moment.data["shots"] if s.target == target.id]
        return spares_much(b, b.unit(moment.unit), target, shots, effects(target.id))

    return reaction(
        cards,
        stratagem,
        TARGETS_SELECTED,
        effect=take_shelter,
        targets=targets,
        when=under_fire,
        worth=spares_enough,
    )


class Chosen(NamedTuple):
    """A unit that acts next, nobody any more, or a Stratagem that was used in between."""

    unit: Any
    used: bool = False


async def unit_or_stratagem(
    b: Battle40,
    kind: str,
    prompt: str,
    units: Sequence[Unit],
    trigger: str,
    *,
    player: int | None = None,
    optional: bool = True,
    rules: tuple[str, ...] = (),
) -> Chosen:
    """Let a player, by default the active one, choose the unit that acts next, or use what waits for the trigger."""
    player = b.state.active if player is None else player
    beside = offered_beside(b, player, trigger)
    options = (*(Option(u.id, u.name) for u in units), *(option for _, _, option in beside))
    choice = await b.choose(player, kind, prompt, options, optional=optional, rules=rules, about=aboard(units))
    for reaction_, use_, option in beside:
        if option.value == choice:
            await reaction_.flow(b, player, Moment(), use_)
            return Chosen(None, used=True)
    return Chosen(None if choice is None else b.unit(int(choice)))


def offered_beside(b: Battle40, player: int, trigger: str) -> list[tuple[Reaction, Value, Option]]:
    """What else can be done in one's own phase: offered beside the units that act in it, so that it needs no window."""
    moment = Moment()
    return [
        (reaction_, use_.value, as_option(reaction_, use_))
        for reaction_ in b.system.by_trigger.get(trigger, ())
        if reaction_.guard(b, player, moment)
        for use_ in reaction_.uses(b, player, moment)
    ]
