"""The Firing Deck: passengers lend their weapons to the transport that shoots."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import ALLOWED, ChooseSome, Question, Value, Verdict
from sandtable.forty.firing_deck import default_loans, loans_to, manning, one_weapon_each, suggest_loans
from sandtable.forty.passengers import passengers
from sandtable.rules import rule
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.state import Unit, World10, sheet_of


@rule("w40k10.transport.firing_deck", neutral=0)
def deck_places(w: World10, unit: Unit) -> int:
    """How many passengers may lend a weapon."""
    values = [sheet_of(w, int(m)).value("firing deck") for m in w.on_table(unit)]
    return sum(int(v) for v in values if v.isdecimal())


def deck_has_target(w: World10, unit: Unit, only: int = -1) -> bool:
    """Whether a passenger could fire from the deck, at one unit `only` or at any."""
    return bool(deck_places(w, unit)) and bool(loans_to(w, unit, only))


def on_deck(w: World10, unit: Unit, only: int) -> list[tuple[Weapon, ...]]:
    """The profiles of weapons that passengers could lend for shots at one unit, one of each of them."""
    if not passengers(w, unit):
        return []
    loans = {loan.model: loan.item.profiles for loan in loans_to(w, unit, only)}
    return list(loans.values())[: deck_places(w, unit)]


@rule("w40k10.transport.firing_deck", neutral=ALLOWED)
def judge_deck(w: World10, d: ChooseSome, answer: tuple[Value, ...]) -> Verdict:
    """Each passenger lends one weapon."""
    return one_weapon_each(w, d, answer, "w40k10.transport.firing_deck")


REACTIONS: Final = (manning(deck_places, "w40k10.transport.firing_deck"),)
QUESTIONS: Final[dict[str, Any]] = {
    "firing_deck": Question(judge=judge_deck, default=default_loans, suggest=suggest_loans)
}
