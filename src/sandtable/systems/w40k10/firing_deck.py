"""The Firing Deck: passengers lend their weapons to the transport that shoots."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import ALLOWED, ChooseSome, Moment, Option, Question, Reaction, Value, Verdict, refuse
from sandtable.forty.firing_deck import default_loans, lend, loans_meant, loans_to, suggest_loans
from sandtable.forty.moments import UNIT_ABOUT_TO_SHOOT
from sandtable.rules import rule
from sandtable.systems.w40k10.state import Battle10, Unit, World10, sheet_of


@rule("w40k10.transport.firing_deck", neutral=0)
def deck_places(w: World10, unit: Unit) -> int:
    """How many passengers may lend a weapon."""
    values = [sheet_of(w, int(m)).value("firing deck") for m in w.on_table(unit)]
    return sum(int(v) for v in values if v.isdecimal())


def deck_has_target(w: World10, unit: Unit) -> bool:
    """Whether a passenger could fire from the deck."""
    return bool(deck_places(w, unit)) and bool(loans_to(w, unit))


@rule("w40k10.transport.firing_deck", neutral=ALLOWED)
def judge_deck(w: World10, d: ChooseSome, answer: tuple[Value, ...]) -> Verdict:
    """Each passenger lends one weapon."""
    models = [loan.model for loan in loans_meant(w, d, answer)]
    if len(set(models)) == len(models):
        return ALLOWED
    return refuse("Each passenger lends one weapon only.", "w40k10.transport.firing_deck")


# --- The reaction -----------------------------------------------------------------------------------------------------


def has_a_deck(b: Battle10, player: int, moment: Moment) -> bool:
    """Whether the unit that is about to shoot is the player's, and has a Firing Deck."""
    return b.unit(moment.unit).player == player and bool(deck_places(b, b.unit(moment.unit)))


def who_mans_it(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """The transport, if anybody in it has a target."""
    unit = b.unit(moment.unit)
    return [Option(unit.id, unit.name)] if loans_to(b, unit, int(moment.data["only"])) else []


async def man_the_deck(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    """A transport that was picked to shoot has weapons of its passengers on top of its own."""
    unit = b.unit(moment.unit)
    await lend(b, unit, int(moment.data["only"]), deck_places(b, unit), ("w40k10.transport.firing_deck",))


REACTIONS: Final = (
    Reaction(
        "Firing Deck",
        UNIT_ABOUT_TO_SHOOT,
        flow=man_the_deck,
        guard=has_a_deck,
        uses=who_mans_it,
        mandatory=True,
        rules=("w40k10.transport.firing_deck",),
    ),
)
QUESTIONS: Final[dict[str, Any]] = {
    "firing_deck": Question(judge=judge_deck, default=default_loans, suggest=suggest_loans),
}
