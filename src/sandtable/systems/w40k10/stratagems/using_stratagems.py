"""Using Stratagems: what they cost, when and how often they are used, and for whom."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.forty.effects.prices import can_be_shared, lowest_price
from sandtable.forty.stratagems import Cards, Stratagem, is_its_turn, not_now, remember_use, too_dear, used_on
from sandtable.rules import rule
from sandtable.systems.w40k10.battle_shock import may_affect
from sandtable.systems.w40k10.state import Battle10, World10
from sandtable.systems.w40k10.stratagems.cards import CORE


@rule("w40k10.strat.categories", neutral="")
def category_of(name: str) -> str:
    """The category of a Core Stratagem."""
    return next(s.category for s in CORE if s.name == name)


@rule("w40k10.strat.use", neutral=ALLOWED)
def can_pay(w: World10, player: int, stratagem: Stratagem) -> Verdict:
    """A Stratagem needs its Command points."""
    cp, cost = w.player(player).cp, lowest_price(w, player, stratagem.name, stratagem.cost)
    if cp >= cost:
        return ALLOWED
    return too_dear(stratagem.name, cost, w.player(player).name, cp, "w40k10.strat.use")


@rule("w40k10.strat.once_per_phase", neutral=ALLOWED)
def not_used_yet(w: World10, player: int, stratagem: Stratagem, unit: int = -1) -> Verdict:
    """A player uses the same Stratagem only once in a phase, but for a unit with an ability that had no part in it."""
    p = w.player(player)
    if stratagem.name not in p.used:
        return ALLOWED
    if used_on(stratagem, unit) not in p.used and can_be_shared(w, player, stratagem.name, unit):
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
    if is_its_turn(w, player, stratagem):
        return ALLOWED
    return not_now(stratagem, "w40k10.strat.when_target", stratagem.rule)


def usable(w: World10, player: int, stratagem: Stratagem) -> Verdict:
    """Whether a player could use a Stratagem now, whatever its target."""
    # Nothing is asked as often, so the verdicts are read without a call for each.
    verdict = in_its_moment(w, player, stratagem)
    if verdict.ok:
        verdict = can_pay(w, player, stratagem)
    if verdict.ok:
        verdict = not_used_yet(w, player, stratagem)
    return not_used_this_turn(w, player, stratagem) if verdict.ok else verdict


@rule("w40k10.strat.use")
def pay(b: Battle10, player: int, stratagem: Stratagem, cost: int, unit: int) -> None:
    """Take the Command points, and remember the use."""
    remember_use(b, player, stratagem, cost, unit)


CARDS: Final = Cards(usable, not_used_yet, may_affect, pay)
