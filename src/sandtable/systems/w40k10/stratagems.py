"""Stratagems: the cards, paying for them, how often, on whom.

A Stratagem is a `Reaction`: it waits for its trigger, asks whether it can matter by looking at flags, then offers one
option for each unit that it can be used on. `reaction` builds one with the common restrictions.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from sandtable.battle import ALLOWED, Moment, Option, Reaction, Value, Verdict, refuse
from sandtable.forty.effects.prices import can_be_shared, give_back, lowest_price, price, settle_price
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k10.state import Battle10, Unit, World10

BATTLE_TACTIC: Final = "Battle Tactic"
EPIC_DEED: Final = "Epic Deed"
STRATEGIC_PLOY: Final = "Strategic Ploy"
WARGEAR: Final = "Wargear"

OWN_TURN: Final = "own"
OPPONENTS_TURN: Final = "opponent"
EITHER_TURN: Final = "either"

Effect10: TypeAlias = Callable[[Battle10, int, Moment, Value], Coroutine[Any, Any, None]]
"""(battle, player, moment, value of the option): what the Stratagem does, once it is paid."""


class Stratagem(NamedTuple):
    """What stands on the card."""

    name: str
    cost: int
    category: str
    rule: str
    phases: tuple[str, ...]
    """In which phases it can be used..."""
    turn: str = EITHER_TURN
    """...and in whose turn."""
    once_per_turn: bool = False
    theirs: tuple[str, ...] = ()
    """Phases in which it can only be used in an opponent's turn."""
    on_shocked: bool = False
    """Whether it can be used on a Battle-shocked unit."""


INSANE_BRAVERY: Final = Stratagem(
    "Insane Bravery", 1, EPIC_DEED, "w40k10.strat.insane_bravery", ("command",), OWN_TURN, on_shocked=True
)
COUNTER_OFFENSIVE: Final = Stratagem(
    "Counter-offensive", 2, STRATEGIC_PLOY, "w40k10.strat.counter_offensive", ("fight",)
)
HEROIC_INTERVENTION: Final = Stratagem(
    "Heroic Intervention", 2, STRATEGIC_PLOY, "w40k10.strat.heroic_intervention", ("charge",), OPPONENTS_TURN
)
TANK_SHOCK: Final = Stratagem("Tank Shock", 1, STRATEGIC_PLOY, "w40k10.strat.tank_shock", ("charge",), OWN_TURN)
COMMAND_REROLL: Final = Stratagem(
    "Command Re-roll",
    1,
    BATTLE_TACTIC,
    "w40k10.strat.command_reroll",
    ("command", "movement", "shooting", "charge", "fight"),
)
EPIC_CHALLENGE: Final = Stratagem("Epic Challenge", 1, EPIC_DEED, "w40k10.strat.epic_challenge", ("fight",))
GRENADE: Final = Stratagem("Grenade", 1, WARGEAR, "w40k10.strat.grenade", ("shooting",), OWN_TURN)
RAPID_INGRESS: Final = Stratagem(
    "Rapid Ingress", 1, STRATEGIC_PLOY, "w40k10.strat.rapid_ingress", ("movement",), OPPONENTS_TURN
)
FIRE_OVERWATCH: Final = Stratagem(
    "Fire Overwatch",
    1,
    STRATEGIC_PLOY,
    "w40k10.strat.fire_overwatch",
    ("movement", "charge"),
    OPPONENTS_TURN,
    once_per_turn=True,
)
GO_TO_GROUND: Final = Stratagem(
    "Go to Ground", 1, BATTLE_TACTIC, "w40k10.strat.go_to_ground", ("shooting",), OPPONENTS_TURN
)
SMOKESCREEN: Final = Stratagem("Smokescreen", 1, WARGEAR, "w40k10.strat.smokescreen", ("shooting",), OPPONENTS_TURN)

CORE: Final = (
    COMMAND_REROLL,
    COUNTER_OFFENSIVE,
    EPIC_CHALLENGE,
    INSANE_BRAVERY,
    GRENADE,
    TANK_SHOCK,
    RAPID_INGRESS,
    FIRE_OVERWATCH,
    GO_TO_GROUND,
    SMOKESCREEN,
    HEROIC_INTERVENTION,
)


@rule("w40k10.strat.categories", neutral="")
def category_of(name: str) -> str:
    """The category of a Core Stratagem."""
    return next(s.category for s in CORE if s.name == name)


# Windows ask for these again and again, and mostly for the same.


@cache
def _not_now(stratagem: Stratagem) -> Verdict:
    return refuse(f"This is not the moment for {stratagem.name}.", "w40k10.strat.when_target", stratagem.rule)


@lru_cache(maxsize=512)
def _too_dear(name: str, cost: int, player: str, cp: int) -> Verdict:
    return refuse(f"{name} costs {cost}CP, and {player} has {cp}.", "w40k10.strat.use", cost=cost, cp=cp)


# --- Whether it can be used -------------------------------------------------------------------------------------------


@rule("w40k10.strat.use", neutral=ALLOWED)
def can_pay(w: World10, player: int, stratagem: Stratagem) -> Verdict:
    """A Stratagem needs its Command points."""
    cp, cost = w.player(player).cp, lowest_price(w, player, stratagem.name, stratagem.cost)
    if cp >= cost:
        return ALLOWED
    return _too_dear(stratagem.name, cost, w.player(player).name, cp)


@rule("w40k10.strat.once_per_phase", neutral=ALLOWED)
def not_used_yet(w: World10, player: int, stratagem: Stratagem, unit: int = -1) -> Verdict:
    """A player uses the same Stratagem only once in a phase, but for a unit with an ability that had no part in it."""
    p = w.player(player)
    if stratagem.name not in p.used:
        return ALLOWED
    if f"{stratagem.name}@{unit}" not in p.used and can_be_shared(w, player, stratagem.name, unit):
        return ALLOWED
    return refuse(f"{p.name} has used {stratagem.name} in this phase already.", "w40k10.strat.once_per_phase")


@rule("w40k10.strat.fire_overwatch", neutral=ALLOWED)
def not_used_this_turn(w: World10, player: int, stratagem: Stratagem) -> Verdict:
    """Some Stratagems are used only once in a turn."""
    p = w.player(player)
    if stratagem.once_per_turn and stratagem.name in p.used_this_turn:
        return refuse(f"{p.name} has used {stratagem.name} in this turn already.", stratagem.rule)
    return ALLOWED


@rule("w40k10.strat.when_target", neutral=ALLOWED)
def in_its_moment(w: World10, player: int, stratagem: Stratagem) -> Verdict:
    """Each Stratagem has its phases and its turn."""
    if w.state.game.phase not in stratagem.phases:
        return _not_now(stratagem)
    turn = OPPONENTS_TURN if w.state.game.phase in stratagem.theirs else stratagem.turn
    if turn == EITHER_TURN:
        return ALLOWED
    own = w.side(player) == w.side(w.state.active)
    return ALLOWED if own == (turn == OWN_TURN) else _not_now(stratagem)


@rule("w40k10.command.battleshock_stratagems", neutral=ALLOWED)
def may_affect(w: World10, player: int, stratagem: Stratagem, unit: Unit) -> Verdict:
    """Nobody uses Stratagems for a Battle-shocked unit of their own, but for the one that steadies it."""
    if unit.battle_shocked and unit.player == player and not stratagem.on_shocked:
        return refuse(
            f"{does(unit, 'is')} Battle-shocked: no Stratagem can be used for this unit.",
            "w40k10.command.battleshock_stratagems",
        )
    return ALLOWED


def usable(w: World10, player: int, stratagem: Stratagem) -> Verdict:
    """Whether a player could use a Stratagem now, whatever its target."""
    # Nothing is asked as often, so the verdicts are read without a call for each.
    verdict = in_its_moment(w, player, stratagem)
    if verdict.ok:
        verdict = can_pay(w, player, stratagem)
    if verdict.ok:
        verdict = not_used_yet(w, player, stratagem)
    return not_used_this_turn(w, player, stratagem) if verdict.ok else verdict


def usable_on(w: World10, player: int, stratagem: Stratagem, unit: int) -> bool:
    """Whether a player can use a Stratagem for a unit: its price there, and a use that is left for it."""
    if price(w, player, stratagem.name, stratagem.cost, unit) > w.player(player).cp:
        return False
    return bool(not_used_yet(w, player, stratagem, unit))


async def use(b: Battle10, player: int, stratagem: Stratagem, unit: int) -> None:
    """Use a Stratagem, for a unit or with -1 for none: settle the price, pay, and tell it."""
    cost = await settle_price(b, player, stratagem.name, stratagem.cost, unit)
    pay(b, player, stratagem, cost, unit)
    whom = f" for {b.unit(unit).name}" if unit >= 0 else ""
    b.tell(
        "stratagem",
        f"{b.player(player).name} uses {stratagem.name} ({cost}CP){whom}.",
        stratagem.rule,
        units=[unit] if unit >= 0 else [],
        name=stratagem.name,
    )
    give_back(b, player, unit)


@rule("w40k10.strat.use")
def pay(b: Battle10, player: int, stratagem: Stratagem, cost: int, unit: int) -> None:
    """Take the Command points, and remember the use."""
    p = b.player(player)
    b.set_player(
        p,
        cp=p.cp - cost,
        used=(*p.used, stratagem.name, f"{stratagem.name}@{unit}"),
        used_this_turn=(*p.used_this_turn, stratagem.name),
    )


def _unit_itself(_b: Battle10, _player: int, _moment: Moment, value: Value) -> int:
    return int(value)


def reaction(
    stratagem: Stratagem,
    trigger: str,
    *,
    effect: Effect10,
    targets: Callable[[Battle10, int, Moment], Sequence[Option]],
    when: Callable[[Battle10, int, Moment], bool] | None = None,
    worth: Callable[[Battle10, int, Moment, Value], bool] | None = None,
    for_unit: Callable[[Battle10, int, Moment, Value], int] = _unit_itself,
) -> Reaction:
    """A Stratagem that waits for a trigger.

    `when` looks at flags only; `targets` offers one option for each way of using it, by default with the number of the
    unit as its value (else `for_unit` says which of the player's units it is for, -1 for none).
    """

    def guard(b: Battle10, player: int, moment: Moment) -> bool:
        return usable(b, player, stratagem).ok and (when is None or when(b, player, moment))

    def uses(b: Battle10, player: int, moment: Moment) -> list[Option]:
        found = []
        for option in targets(b, player, moment):
            unit = for_unit(b, player, moment, option.value)
            if usable_on(b, player, stratagem, unit) and _in_their_senses(b, player, stratagem, unit):
                found.append(option)
        return found

    async def flow(b: Battle10, player: int, moment: Moment, value: Value) -> None:
        await use(b, player, stratagem, for_unit(b, player, moment, value))
        await effect(b, player, moment, value)

    return Reaction(stratagem.name, trigger, flow, guard, uses, worth, rules=(stratagem.rule,))


def offered_beside(b: Battle10, player: int, trigger: str) -> list[tuple[Reaction, Value, Option]]:
    """What else can be done in one's own phase: offered beside the units that act in it, so that it needs no window."""
    moment = Moment()
    return [
        (reaction_, use_.value, Option(f"{reaction_.name}/{use_.value}", f"{reaction_.name}: {use_.label}", use_.note))
        for reaction_ in b.system.by_trigger.get(trigger, ())
        if reaction_.guard(b, player, moment)
        for use_ in reaction_.uses(b, player, moment)
    ]


def _in_their_senses(b: Battle10, player: int, stratagem: Stratagem, unit: int) -> bool:
    return unit < 0 or bool(may_affect(b, player, stratagem, b.unit(unit)))
