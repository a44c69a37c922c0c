"""Firing Deck (24.14): passengers lend their weapons to the transport that shoots."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import ALLOWED, ChooseSome, Question, Value, Verdict
from sandtable.forty.aiming import Item
from sandtable.forty.firing_deck import borrowed, default_loans, manning, one_weapon_each, suggest_loans
from sandtable.forty.passengers import passengers
from sandtable.forty.weapon_words import fires_once
from sandtable.rules import rule
from sandtable.systems.w40k11.battle_round import SHOOTING
from sandtable.systems.w40k11.state import Battle11, Unit, World11, sheet_of

RULE: Final = "w40k11.unit.firing_deck"


@rule("w40k11.unit.firing_deck", neutral=0)
def deck_places(w: World11, unit: Unit) -> int:
    """How many passengers may lend a weapon: in its player's Shooting phase, and in no other."""
    if (w.state.game.phase, w.state.active) != (SHOOTING, unit.player):
        return 0
    values = [sheet_of(w, int(m)).value("firing deck") for m in w.on_table(unit)]
    return sum(int(v) for v in values if v.isdecimal())


@rule("w40k11.unit.firing_deck", "w40k11.weapon.one_shot", neutral=True)
def may_lend(w: World11, unit: Unit, item: Item) -> bool:
    """Who has been selected to shoot lends nothing, and nobody lends a [ONE SHOT] weapon."""
    return not unit.shot and not any(fires_once(p) for p in item.profiles)


@rule("w40k11.unit.firing_deck", neutral=())
def lent(w: World11, unit: Unit) -> tuple[Item, ...]:
    """The weapons that a transport has from its passengers while it shoots."""
    return borrowed(w, unit)


@rule("w40k11.unit.firing_deck")
def fall_silent(b: Battle11, transport: Unit) -> None:
    """Who is aboard does not shoot any more this turn."""
    for unit in passengers(b, transport):
        b.set_unit(unit, shot=True)


@rule("w40k11.unit.firing_deck", neutral=ALLOWED)
def judge_deck(w: World11, d: ChooseSome, answer: tuple[Value, ...]) -> Verdict:
    """Each passenger lends one weapon."""
    return one_weapon_each(w, d, answer, RULE)


REACTIONS: Final = (manning(deck_places, RULE, fall_silent),)
QUESTIONS: Final[dict[str, Any]] = {
    "firing_deck": Question(judge=judge_deck, default=default_loans, suggest=suggest_loans)
}
