"""Attacks, powers and Morale of 8th edition, small enough for paper, each with its arithmetic.

They go the whole way: units in words, enlisted and compiled by the edition, solved exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from sandtable import odds
from sandtable.attack.chances import at_least
from sandtable.attack.volley import dice
from sandtable.odds.setting import Setting

F = Fraction
EIGHTH = Setting("w40k8")
GUN = "profile: 1 x A1 BS3+ S4 AP0 D1"
MARINE = "profile: 1 x T4 Sv3+ W1"
BARE = "profile: 1 x T4 Sv7+ W1"


class Case(NamedTuple):
    name: str
    arithmetic: str
    found: Callable[[], float | Fraction]
    expected: Fraction


def slain(attacker: str, target: str, *mods: str) -> float:
    """The chance that shooting leaves nothing of a target."""
    return odds.into(attacker, target, odds.shooting(*mods), EIGHTH).destroyed


def struck(attacker: str, target: str, *mods: str) -> float:
    return odds.into(attacker, target, odds.melee(*mods), EIGHTH).destroyed


def hits(attacker: str, target: str) -> float:
    found = odds.into(attacker, target, odds.shooting(weapons=["lascannon"]), EIGHTH)
    return next(s.mean for s in found.stages if s.name == "hits")


def smite(deny: str = "") -> odds.Answer:
    return odds.power("weirdboy", "panel: militia", "smite", deny, EIGHTH)


def works_denied() -> Fraction:
    """A test of r is undone by more than r."""
    ways = {total: 6 - abs(7 - total) for total in range(2, 13)}
    return sum((F(ways[r], 36) * F(sum(ways[t] for t in range(2, r + 1)), 36) for r in range(5, 13)), F(0))


CASES = [
    Case("hit 3+, wound 4+, save 3+", "2/3 * 1/2 * 1/3", lambda: slain(GUN, MARINE), F(1, 9)),
    Case(
        "AP -1 takes one off the save",
        "2/3 * 1/2 * 1/2",
        lambda: slain("profile: 1 x A1 BS3+ S4 AP-1 D1", MARINE),
        F(1, 6),
    ),
    Case(
        "no lucky six: 5+ with -2 to hit never hits",
        "a bare 6 comes to 4",
        lambda: slain("profile: 1 x A1 BS5+ S4 AP0 D1", BARE, "hit-2"),
        F(0),
    ),
    Case(
        "5+ with -1 to hit hits on a bare 6",
        "1/6 * 1/2",
        lambda: slain("profile: 1 x A1 BS5+ S4 AP0 D1", BARE, "hit-1"),
        F(1, 12),
    ),
    Case("no cap: 3+ with +2 to hit fails on a bare 1 alone", "5/6 * 1/2", lambda: slain(GUN, BARE, "hit+2"), F(5, 12)),
    Case(
        "two modifiers of the same kind add up: +2 and -1",
        "hits on a bare 2 and more: 5/6 * 1/2",
        lambda: slain(GUN, BARE, "hit+2", "hit-1"),
        F(5, 12),
    ),
    Case(
        "failed hits are re-rolled by the bare face: with -1 a bare 3 misses and stays",
        "(1/2 + 2/6 * 1/2) * 1/2",
        lambda: slain(GUN, BARE, "hit-1", "reroll-hits"),
        F(1, 3),
    ),
    Case(
        "any hits may be re-rolled, so a bare 3 that misses is",
        "(1/2 + 3/6 * 1/2) * 1/2",
        lambda: slain(GUN, BARE, "hit-1", "reroll-any-hits"),
        F(3, 8),
    ),
    Case(
        "ones are re-rolled, and hit no easier",
        "(1/2 + 1/6 * 1/2) * 1/2",
        lambda: slain(GUN, BARE, "hit-1", "reroll-hit-ones"),
        F(7, 24),
    ),
    Case(
        "twice the Toughness wounds on 2+",
        "2/3 * 5/6",
        lambda: slain("profile: 1 x A1 BS3+ S8 AP0 D1", BARE),
        F(5, 9),
    ),
    Case(
        "half the Toughness wounds on 6+",
        "2/3 * 1/6",
        lambda: slain("profile: 1 x A1 BS3+ S4 AP0 D1", "profile: 1 x T8 Sv7+ W1"),
        F(1, 9),
    ),
    Case("cover makes 3+ against AP 0 a 2+", "2/3 * 1/2 * 1/6", lambda: slain(GUN, MARINE, "cover"), F(1, 18)),
    Case(
        "cover on a 2+ still fails on a bare 1",
        "2/3 * 1/2 * 1/6",
        lambda: slain(GUN, "profile: 1 x T4 Sv2+ W1", "cover"),
        F(1, 18),
    ),
    Case(
        "cover does nothing for an invulnerable save",
        "2/3 * 5/6 * 1/2",
        lambda: slain("profile: 1 x A1 BS3+ S8 AP-5 D1", "profile: 1 x T4 Sv3+ W1 4++", "cover"),
        F(5, 18),
    ),
    Case(
        "Rapid Fire at half range: two shots",
        "1 - (1 - 1/9) squared",
        lambda: slain("profile: 1 x A1 BS3+ S4 AP0 D1 [rapid fire]", MARINE, "half-range"),
        F(17, 81),
    ),
    Case(
        "Heavy weapons on the move hit one worse",
        "1/2 * 1/2 * 1/3",
        lambda: slain("profile: 1 x A1 BS3+ S4 AP0 D1 [heavy]", MARINE, "moved"),
        F(1, 12),
    ),
    Case(
        "Overwatch hits on a 6, whatever is added",
        "1/6 * 1/2",
        lambda: slain("profile: 1 x A1 BS2+ S4 AP0 D1", BARE, "overwatch", "hit+2"),
        F(1, 12),
    ),
    Case(
        "Disgustingly Resilient keeps a wound on 5+",
        "2/3 * 1/2 * 2/3",
        lambda: slain(GUN, "profile: 1 x T4 Sv7+ W1 5+++"),
        F(2, 9),
    ),
    Case(
        "D3 damage on two wounds",
        "2/3 * 1/2 * 2/3",
        lambda: slain("profile: 1 x A1 BS3+ S4 AP0 DD3", "profile: 1 x T4 Sv7+ W2"),
        F(2, 9),
    ),
    Case(
        "what is left of the damage is lost with the model",
        "one hit of 6 never slays two",
        lambda: slain("profile: 1 x A1 BS3+ S4 AP0 D6", "profile: 2 x T4 Sv7+ W1"),
        F(0),
    ),
    Case(
        "a model strikes with its own Strength",
        "1/2 * 1/3 against T5",
        lambda: struck("profile: 1 x A1 WS4+ S4 AP0 D1", "profile: 1 x T5 Sv7+ W1"),
        F(1, 6),
    ),
    Case(
        "a chart makes a hurt Predator hit on 4+",
        "of one lascannon: 1/2",
        lambda: hits("predator with lascannon, 5 wounds left", "trukk"),
        F(1, 2),
    ),
    Case(
        "a charge that needs 12, and one die of it may be thrown again",
        "1/36 + 10/36 * 1/6",
        lambda: at_least(dice("2D6"), 12, reroll="one"),
        F(2, 27),
    ),
    Case(
        "four of ten with Leadership 7 are slain: a 4, 5 or 6 makes 1, 2 or 3 flee",
        "(1 + 2 + 3) / 6",
        lambda: odds.morale("panel: militia", 4, setting=EIGHTH).mean_fled,
        F(1),
    ),
    Case("Smite is manifested on 5+", "1 - 6/36", lambda: smite().manifested, F(5, 6)),  # type: ignore[attr-defined]
    Case(
        "Smite: D3 from 5 to 10, D6 on 11 and 12",
        "27/36 * 2 + 3/36 * 7/2",
        lambda: smite().mean_damage,  # type: ignore[attr-defined]
        F(27, 36) * 2 + F(3, 36) * F(7, 2),
    ),
    Case(
        "Smite that a Librarian may deny",
        "for each test r from 5 on, the chance that 2D6 do not exceed it",
        lambda: smite("librarian").works,  # type: ignore[attr-defined]
        works_denied(),
    ),
]
