"""Attacks small enough for paper, each with its arithmetic. The solver has to come to the same fraction."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.attack.chances import advance, charge, leadership, leadership_under
from sandtable.attack.exchange import Aftermath, Armed, Contest, Exchange, Side, Strike, solve_exchange
from sandtable.attack.one_reroll import Roll, worth
from sandtable.attack.solver import Solution, solve
from sandtable.attack.tables import hit_table, save_needed, wound_table
from sandtable.attack.volley import (
    CANNOT_BE_HIT,
    NEVER,
    NO_SAVE,
    Attack,
    Body,
    Choices,
    DiceSum,
    Mortal,
    Procedure,
    Shots,
    Target,
    Volley,
    WoundFace,
    WoundKind,
    WoundRoll,
    dice,
)


class Case(NamedTuple):
    name: str
    arithmetic: str
    found: Callable[[], float | Fraction]
    expected: Fraction


# ---------------------------------------------------------------------- what cases are made of

F = Fraction

AUTO = hit_table(2, auto=True)
SURE = WoundRoll((WoundFace(0),) * 6, rolled=False)


def gun(count: int | str = 1, damage: int | str | DiceSum = 1, save: int = 0, **parts: Any) -> Volley:
    """Attacks that hit and wound for sure, but for the parts named."""
    number = damage if isinstance(damage, DiceSum) else dice(damage)
    fields: dict[str, Any] = {"hit": AUTO, "wound": SURE, "kinds": (WoundKind(save, number),), **parts}
    return Volley("gun", (Shots(1, dice(count)),), **fields)


def unit(models: int, wounds: int = 1, save: int = NEVER, **more: Any) -> Target:
    return Target(tuple(Body(i, wounds, wounds, (save,), **more) for i in range(models)))


def at(target: Target, *volleys: Volley, procedure: Procedure = Procedure.EACH_IN_TURN, **policies: Any) -> Solution:
    return solve(Attack(volleys, target, procedure, Choices(**policies)))


def devastating(points: int, *, spill: bool = True, held: bool = True, needed: int = 2, reroll: Any = "none") -> Volley:
    """Hits for sure; a 6 to wound gives mortal wounds in place of as much damage."""
    kinds = (WoundKind(0, dice(points)), WoundKind(0, None, Mortal(dice(points), spill, held)))
    return gun(wound=wound_table(needed, crit_kind=1, reroll=reroll), kinds=kinds)


def bought(target: Target, *volleys: Volley, on: tuple[Roll, ...] = ()) -> float:
    """The chance to destroy a target when one die of these rolls may be re-rolled."""
    return worth(Attack(volleys, target, choices=Choices(goal="destroy")), on)


ANY_D6 = dice("D6", reroll=(1, 2, 3, 4, 5, 6))


def twice(volley: Volley) -> Volley:
    return Volley(volley.name, (Shots(2, dice(1)),), volley.hit, volley.wound, volley.kinds)


COIN = {"hit": hit_table(4)}
MIXED = Target((Body(0, 1, 1, (6,)), Body(1, 1, 1, (2,))))
LED = Target((Body(0, 1, 1, (NEVER,)), Body(1, 2, 2, (NEVER,), rank=1)))
BATCH, POOL, SPREAD = Procedure.SORTED_BATCH, Procedure.POOLED, Procedure.SPREAD
TWO_GROUPS = Target((Body(0, 1, 1, (5,)), Body(1, 1, 1, (3,))))

INFANTRY, VEHICLE, LIGHT = (4, CANNOT_BE_HIT, 7), (CANNOT_BE_HIT, 4, 7), (7, 7, 7)
AP, AT, MW = 0, 1, 2


def stands(*saves: tuple[int, ...]) -> Target:
    return Target(tuple(Body(i, 1, 1, s) for i, s in enumerate(saves)))


def duel(*steps: tuple[Strike, ...], contest: Contest | None = None, procedure: Procedure = SPREAD) -> Aftermath:
    sides = (Side("first", unit(1), procedure), Side("second", unit(1), procedure))
    return solve_exchange(Exchange(sides, steps, contest))


def strike(side: int, volley: Volley) -> Strike:
    return Strike(side, (Armed(volley, (0,)),))


HALF = gun(1, **COIN)
NEVER_HITS = gun(1, hit=hit_table(7, crit=7, always=7))

# ---------------------------------------------------------------------- the cases

HITTING = [
    Case(
        "hit 3+, wound 4+, save 4+",
        "2/3 * 1/2 * 1/2",
        lambda: at(unit(1, save=4), gun(hit=hit_table(3), wound=wound_table(4))).destroyed,
        F(2, 3) * F(1, 2) * F(1, 2),
    ),
    Case(
        "two such attacks kill nobody",
        "(1 - 1/6) squared",
        lambda: at(unit(2, save=4), gun(2, hit=hit_table(3), wound=wound_table(4))).killed[0],
        F(5, 6) ** 2,
    ),
    Case(
        "two such attacks kill both",
        "1/6 squared",
        lambda: at(unit(2, save=4), gun(2, hit=hit_table(3), wound=wound_table(4))).killed[2],
        F(1, 6) ** 2,
    ),
    Case(
        "ones re-rolled, 3+",
        "2/3 + 1/6 * 2/3",
        lambda: at(unit(1), gun(hit=hit_table(3, reroll="ones"))).destroyed,
        F(7, 9),
    ),
    Case(
        "failures re-rolled, 4+",
        "1/2 + 1/2 * 1/2",
        lambda: at(unit(1), gun(hit=hit_table(4, reroll="failures"))).destroyed,
        F(3, 4),
    ),
    Case(
        "all but sixes re-rolled, 4+",
        "6 at once or again: 1/6 + 5/6 * 1/6; 4 or 5 only again: 5/6 * 2/6",
        lambda: at(unit(1), gun(hit=hit_table(4, reroll="all")), reroll="criticals").destroyed,
        F(1, 6) + F(5, 6) * F(1, 6) + F(5, 6) * F(2, 6),
    ),
    Case(
        "no re-roll wanted",
        "1/2",
        lambda: at(unit(1), gun(hit=hit_table(4, reroll="all")), reroll="none").destroyed,
        F(1, 2),
    ),
    Case("4+ with +1 hits on 3", "4/6", lambda: at(unit(1), gun(hit=hit_table(4, 1))).destroyed, F(4, 6)),
    Case("6+ with -1 hits on a six", "1/6", lambda: at(unit(1), gun(hit=hit_table(6, -1))).destroyed, F(1, 6)),
    Case("2+ with +1 misses on a one", "5/6", lambda: at(unit(1), gun(hit=hit_table(2, 1))).destroyed, F(5, 6)),
    Case(
        "wounds re-rolled, 5+",
        "1/3 + 2/3 * 1/3",
        lambda: at(unit(1), gun(wound=wound_table(5, reroll="failures"))).destroyed,
        F(5, 9),
    ),
]

NUMBERS = [
    Case(
        "D3 attacks of one half kill nobody",
        "1/3 * (1/2 + 1/4 + 1/8)",
        lambda: at(unit(3), gun("D3", **COIN)).killed[0],
        F(1, 3) * (F(1, 2) + F(1, 4) + F(1, 8)),
    ),
    Case("D6 attacks of one half, mean", "7/2 * 1/2", lambda: at(unit(6), gun("D6", **COIN)).mean_killed, F(7, 4)),
    Case("2D6 sure attacks at twelve", "1/36", lambda: at(unit(12), gun("2D6")).destroyed, F(1, 36)),
    Case("D3+1 sure attacks kill two", "1/3", lambda: at(unit(9), gun("D3+1")).killed[2], F(1, 3)),
    Case(
        "two weapons of D3 make four attacks",
        "1+3, 2+2, 3+1 of nine",
        lambda: at(unit(9), Volley("gun", (Shots(2, dice("D3")),), AUTO, SURE, (WoundKind(),))).killed[4],
        F(3, 9),
    ),
]

CRITICALS = [
    Case("sustained 1, two hits", "1/6", lambda: at(unit(3), gun(hit=hit_table(4, sustained=1))).killed[2], F(1, 6)),
    Case(
        "sustained 1, mean",
        "2/6 + 2 * 1/6",
        lambda: at(unit(3), gun(hit=hit_table(4, sustained=1))).mean_killed,
        F(4, 6),
    ),
    Case(
        "sustained D3, four hits",
        "1/6 * 1/3",
        lambda: at(unit(4), gun(hit=hit_table(4, sustained=dice("D3")))).destroyed,
        F(1, 18),
    ),
    Case(
        "lethal, 4+, wound 6+",
        "6: 1/6; 4 or 5: 2/6 * 1/6",
        lambda: at(unit(1), gun(hit=hit_table(4, lethal=True), wound=wound_table(6))).destroyed,
        F(1, 6) + F(2, 6) * F(1, 6),
    ),
    Case(
        "lethal and sustained 1 kill two",
        "the further hit rolls to wound: 1/6 * 1/6",
        lambda: at(unit(2), gun(hit=hit_table(4, lethal=True, sustained=1), wound=wound_table(6))).destroyed,
        F(1, 36),
    ),
    Case("criticals on 5+", "2/6", lambda: at(unit(2), gun(hit=hit_table(4, crit=5, sustained=1))).destroyed, F(2, 6)),
    Case(
        "devastating, wound 4+, save 2+",
        "6: 1/6; 4 or 5: 2/6 * 1/6",
        lambda: at(unit(1, save=2), devastating(1, needed=4)).destroyed,
        F(1, 6) + F(2, 6) * F(1, 6),
    ),
    Case("two mortal wounds spill over", "1/6", lambda: at(unit(2), devastating(2)).destroyed, F(1, 6)),
    Case(
        "or do not",
        "a 6 kills one, 2 to 5 kill one",
        lambda: at(unit(2), devastating(2, spill=False)).killed[1],
        F(5, 6),
    ),
    Case(
        "mortal wounds wait for normal damage",
        "one 6 and one of 2-5 in any order: 3 lost in the second model's place; 2 * 1/6 * 4/6",
        lambda: at(unit(3, 2), twice(devastating(3))).damage[5],
        2 * F(1, 6) * F(4, 6),
    ),
    Case(
        "at once, normal damage first: five",
        "4/6 * 1/6",
        lambda: at(unit(3, 2), twice(devastating(3, held=False))).damage[5],
        F(4, 6) * F(1, 6),
    ),
    Case(
        "at once, mortal wounds first: four, as much as two normal",
        "1/6 * 4/6 + 4/6 * 4/6",
        lambda: at(unit(3, 2), twice(devastating(3, held=False))).damage[4],
        F(1, 6) * F(4, 6) + F(4, 6) ** 2,
    ),
]

SAVES = [
    Case(
        "3+ against AP -1", "needs 4: fails 3/6", lambda: at(unit(1, save=save_needed(3, -1)), gun()).destroyed, F(3, 6)
    ),
    Case(
        "3+, invulnerable 4+, AP -3",
        "needs 4: fails 3/6",
        lambda: at(unit(1, save=save_needed(3, -3, invulnerable=4)), gun()).destroyed,
        F(3, 6),
    ),
    Case(
        "3+ with ones re-rolled",
        "2/6 - 1/6 * 4/6",
        lambda: at(unit(1, save=3, save_reroll=(1,)), gun()).destroyed,
        F(2, 9),
    ),
    Case("no save at all", "1", lambda: at(unit(1, save=2), gun(save=NO_SAVE)).destroyed, F(1)),
    Case("feel no pain 5+", "4/6", lambda: at(unit(1, pain=5), gun()).destroyed, F(4, 6)),
    Case(
        "feel no pain 5+, damage 2, two wounds",
        "(2/3) squared",
        lambda: at(unit(1, 2, pain=5), gun(1, 2)).destroyed,
        F(4, 9),
    ),
    Case(
        "feel no pain 5+, damage 3, two wounds",
        "two or three of three: 3 * 4/9 * 1/3 + 8/27",
        lambda: at(unit(1, 2, pain=5), gun(1, 3)).destroyed,
        3 * F(4, 9) * F(1, 3) + F(8, 27),
    ),
    Case(
        "another feel no pain against mortal wounds",
        "1/6 * 1/2 + 4/6 * 1",
        lambda: at(unit(1, pain_mortal=4), devastating(1)).destroyed,
        F(1, 6) * F(1, 2) + F(4, 6),
    ),
    Case(
        "two mortal wounds that spill, feel no pain 4+, kill both",
        "1/6 * 1/2 * 1/2",
        lambda: at(unit(2, pain=4), devastating(2)).destroyed,
        F(1, 6) * F(1, 4),
    ),
]

DAMAGE = [
    Case("excess is lost", "damage 3 at one wound takes one", lambda: at(unit(2), gun(1, 3)).damage[1], F(1)),
    Case("D3 at two wounds", "2 or 3", lambda: at(unit(1, 2), gun(1, "D3")).destroyed, F(2, 3)),
    Case(
        "twice D3 at three wounds",
        "3: 1/3; 1 then 2-3: 1/3 * 2/3; 2: 1/3",
        lambda: at(unit(1, 3), gun(2, "D3")).destroyed,
        F(8, 9),
    ),
    Case(
        "D6 re-rolled below the average",
        "6 at once, or after 1-3: 1/6 + 1/2 * 1/6",
        lambda: at(unit(1, 6), gun(1, dice("D6", reroll=(1, 2, 3, 4, 5, 6)))).destroyed,
        F(1, 4),
    ),
    Case(
        "D6-3, at least 1, at two wounds",
        "5 or 6",
        lambda: at(unit(1, 2), gun(1, DiceSum((6,), -3, 1))).destroyed,
        F(1, 3),
    ),
    Case(
        "damage 2 at three wounds, two models, three attacks",
        "2+1, then 2",
        lambda: at(unit(2, 3), gun(3, 2)).damage[5],
        F(1),
    ),
    Case("half of 3 at two wounds", "rounded up to 2", lambda: at(unit(1, 2), gun(1, "(3)/2")).destroyed, F(1)),
    Case("half of 1", "rounded up to 1", lambda: at(unit(2), gun(1, "(1)/2")).killed[1], F(1)),
    Case("half of a D6 at three wounds", "5 or 6", lambda: at(unit(1, 3), gun(1, "(D6)/2")).destroyed, F(1, 3)),
    Case("half of D6+1 at four wounds", "only a 6", lambda: at(unit(1, 4), gun(1, "(D6+1)/2")).destroyed, F(1, 6)),
    Case("half of a D6, and 2, at five wounds", "5, 6", lambda: at(unit(1, 5), gun(1, "(D6)/2+2")).destroyed, F(1, 3)),
    Case(
        "half of a D6, one less but at least 1, mean",
        "1, 1, 1, 1, 2, 2",
        lambda: at(unit(1, 6), gun(1, dice("(D6)/2-1", least=1))).mean_damage,
        F(8, 6),
    ),
    Case(
        "half of a D6 re-rolled below the average",
        "the bare die is looked at: 5, 6 at once, or after 1-3: 1/3 + 1/2 * 1/3",
        lambda: at(unit(1, 3), gun(1, dice("(D6)/2", reroll=(1, 2, 3, 4, 5, 6)))).destroyed,
        F(1, 2),
    ),
    Case(
        "half of a D6, feel no pain 4+, three wounds",
        "5 or 6, and three dice of 1-3: 1/3 * 1/8",
        lambda: at(unit(1, 3, pain=4), gun(1, "(D6)/2")).destroyed,
        F(1, 24),
    ),
    Case(
        "two weapons in order",
        "both of one half have to do their part at three wounds",
        lambda: at(unit(1, 3), gun(1, 1, **COIN), gun(1, 2, **COIN)).destroyed,
        F(1, 4),
    ),
]

ALLOCATION = [
    Case(
        "a hurt model first",
        "the second model has one wound left",
        lambda: at(Target((Body(0, 3, 3, (7,)), Body(1, 1, 3, (7,)))), gun()).survived[1],
        F(0),
    ),
    Case(
        "a marked model first",
        "the second model was given an attack before",
        lambda: at(Target((Body(0, 1, 1, (7,)), Body(1, 1, 1, (7,), marked=True))), gun()).survived[0],
        F(1),
    ),
    Case("a leader behind a bodyguard", "two wounds: one each", lambda: at(LED, gun(2)).damage[2], F(1)),
    Case("the leader still stands", "with one of two wounds", lambda: at(LED, gun(2)).survived[1], F(1)),
    Case(
        "6+ first, then 2+, both fall",
        "5/6 * 1/6; one that saved takes the next",
        lambda: at(MIXED, gun(2)).destroyed,
        F(5, 6) * F(1, 6),
    ),
    Case("6+ first, one falls", "5/6 * 5/6 + 1/6 * 5/6", lambda: at(MIXED, gun(2)).killed[1], F(5, 6)),
    Case(
        "the best save first, nobody falls",
        "5/6 * 5/6",
        lambda: at(MIXED, gun(2), allocation="best_save").killed[0],
        F(25, 36),
    ),
    Case(
        "worst for the attacker, mean",
        "2+ first: falls at once 1/6, then 6+: 5/6; else again 1/6: 1/6 + 1/6 * 5/6 + 5/6 * 1/6",
        lambda: at(MIXED, gun(2), allocation="worst_for_attacker").mean_killed,
        F(1, 6) + F(1, 6) * F(5, 6) + F(5, 6) * F(1, 6),
    ),
    Case(
        "aimed at the leader",
        "two wounds, both on it",
        lambda: at(LED, gun(2, aim=(1,)), aim="always").survived[1],
        F(0),
    ),
    Case(
        "not aimed at the leader",
        "its bodyguard takes it",
        lambda: at(LED, gun(1, aim=(1,)), aim="never").survived[1],
        F(1),
    ),
    Case(
        "not aimed at the leader, whichever save is best",
        "two weapons of different AP, and a bodyguard with six wounds takes both",
        lambda: at(
            Target((Body(0, 6, 6, (3, 5)), Body(1, 6, 6, (4, 4)), Body(2, 2, 2, (2, 2), rank=1))),
            gun(1, aim=(2,)),
            gun(1, save=1, aim=(2,)),
            aim="never",
            allocation="best_save",
        ).survived[2],
        F(1),
    ),
]

ONE_RE_ROLL = [
    Case(
        "three D6 that may be rolled again, 18 wounds, without the bought re-roll",
        "each 6 at once or after 1-3: (1/6 + 1/2 * 1/6) cubed",
        lambda: bought(unit(1, 18), gun(3, ANY_D6)),
        F(1, 64),
    ),
    Case(
        "three D6 that may be rolled again, 18 wounds, one bought re-roll of damage",
        "three sixes: 1/64; two, and a kept 4 or 5 that becomes a six: 3 * 1/16 * 1/3 * 1/6",
        lambda: bought(unit(1, 18), gun(3, ANY_D6), on=("damage",)),
        F(1, 64) + F(3, 16) * F(1, 3) * F(1, 6),
    ),
    Case(
        "damage that its own rule had rolled again stands",
        "6: 1/6; 1-3 once more, no further: 1/2 * 1/6; 4, 5 bought: 1/3 * 1/6",
        lambda: bought(unit(1, 6), gun(1, ANY_D6), on=("damage",)),
        F(1, 6) + F(1, 12) + F(1, 18),
    ),
    Case(
        "ones to hit that their own rule had rolled again stand",
        "4+: 1/2; 1: 1/6 * 1/2; 2, 3 bought: 1/3 * 1/2",
        lambda: bought(unit(1), gun(1, hit=hit_table(4, reroll="ones")), on=("hit",)),
        F(1, 2) + F(1, 12) + F(1, 6),
    ),
    Case(
        "a bought re-roll of half a D6 at three wounds",
        "5, 6: 1/3; else again: 2/3 * 1/3",
        lambda: bought(unit(1, 3), gun(1, "(D6)/2"), on=("damage",)),
        F(1, 3) + F(2, 9),
    ),
    Case(
        "one of two D3 attacks, both have to be 3",
        "first a 3, then 1/3 + 2/3 * 1/3; else first again a 3, and the second at once: 1/3 * 5/9 + 2/3 * 1/3 * 1/3",
        lambda: bought(unit(6), Volley("gun", (Shots(2, dice("D3")),), AUTO, SURE, (WoundKind(),)), on=("attacks",)),
        F(1, 3) * F(5, 9) + F(2, 27),
    ),
    Case(
        "a D3 and a fixed number of attacks",
        "2 and D3 at five: 1/3 + 2/3 * 1/3",
        lambda: bought(
            unit(5),
            Volley("gun", (Shots(2, dice(1)), Shots(1, dice("D3"))), AUTO, SURE, (WoundKind(),)),
            on=("attacks",),
        ),
        F(5, 9),
    ),
    Case(
        "the Damage roll behind mortal wounds is a Damage roll",
        "a 6 to wound, then a 3 at once or again: 1/6 * (1/3 + 2/3 * 1/3)",
        lambda: bought(
            unit(1, 3),
            gun(wound=wound_table(7, crit_kind=1), kinds=(WoundKind(), WoundKind(0, None, Mortal(dice("D3"))))),
            on=("damage",),
        ),
        F(1, 6) * F(5, 9),
    ),
    Case(
        "a save that its own rule had rolled again stands",
        "4+ with ones again, the other failures bought: 1/6 * 1/2 + 2/6 * 1/2 still fail",
        lambda: bought(unit(1, save=4, save_reroll=(1,)), gun(), on=("save",)),
        F(1, 12) + F(1, 6),
    ),
]

BEST = [
    Case(
        "re-rolling failures only",
        "fresh roll: (2 * 1/6 + 1) / 6 = 2/9; 6: 1/6; 4, 5 saved on 2+: 2/6 * 1/6; 1-3 again: 3/6 * 2/9",
        lambda: at(unit(1, save=2), devastating(1, needed=4, reroll="all")).destroyed,
        F(1, 6) + F(2, 6) * F(1, 6) + F(3, 6) * F(2, 9),
    ),
    Case(
        "the best re-rolls go for the critical",
        "1/6 < 2/9, so 4 and 5 are re-rolled too: 1/6 + 5/6 * 2/9",
        lambda: at(unit(1, save=2), devastating(1, needed=4, reroll="all"), reroll="optimal").destroyed,
        F(1, 6) + F(5, 6) * F(2, 9),
    ),
    Case(
        "without a save there is nothing to go for",
        "1/2 + 1/2 * 1/2",
        lambda: at(unit(1), devastating(1, needed=4, reroll="all"), reroll="optimal").destroyed,
        F(3, 4),
    ),
    Case(
        "the best re-roll of a D6 that only has to reach 2",
        "only a 1: 5/6 + 1/6 * 5/6",
        lambda: at(unit(1, 2), gun(1, dice("D6", reroll=(1, 2, 3, 4, 5, 6))), sums="optimal", goal="destroy").destroyed,
        F(35, 36),
    ),
]

OTHER_EDITIONS = [
    Case(
        "sorted: both groups fall",
        "both dice 1 or 2",
        lambda: at(TWO_GROUPS, gun(2), procedure=BATCH).destroyed,
        F(4, 36),
    ),
    Case(
        "sorted: nobody falls", "both dice 5 or 6", lambda: at(TWO_GROUPS, gun(2), procedure=BATCH).killed[0], F(4, 36)
    ),
    Case(
        "each in turn instead: both fall",
        "2/3 fail 5+, then 1/3 fail 3+: no die is sorted",
        lambda: at(TWO_GROUPS, gun(2)).destroyed,
        F(2, 9),
    ),
    Case(
        "sorted: a critical hurts one model only",
        "6: 1/6; 2-5: 4/6 * 1/6",
        lambda: at(unit(2, 2, save=2), devastating(3, spill=False), procedure=BATCH).killed[1],
        F(1, 6) + F(4, 6) * F(1, 6),
    ),
    Case(
        "pooled: most have 3+",
        "2/6 fail",
        lambda: at(
            Target((Body(0, 1, 1, (5,)), Body(1, 1, 1, (3,)), Body(2, 1, 1, (3,)))), gun(), procedure=POOL
        ).killed[1],
        F(2, 6),
    ),
    Case(
        "pooled: a tie is saved on the worse",
        "4/6 fail",
        lambda: at(TWO_GROUPS, gun(), procedure=POOL).killed[1],
        F(4, 6),
    ),
    Case(
        "pooled: three wounds on W2",
        "one dies, one is hurt",
        lambda: at(unit(3, 2), gun(3), procedure=POOL).joint[3, 1],
        F(1),
    ),
    Case(
        "pooled: the owner puts the heavy wound on the hurt model",
        "one model instead of two",
        lambda: (
            at(
                Target((Body(0, 1, 3, (7,)), Body(1, 3, 3, (7,)))),
                gun(1, 1),
                gun(1, 9),
                procedure=POOL,
                allocation="worst_for_attacker",
            ).mean_killed
        ),
        F(1),
    ),
    Case(
        "spread: two hits on three, 4+",
        "(1/2) squared",
        lambda: at(stands(*[(4,)] * 3), gun(2), procedure=SPREAD).killed[0],
        F(1, 4),
    ),
    Case(
        "spread: the fourth hit falls on the first again, 5+",
        "(1 - 1/9) * (2/3) squared",
        lambda: at(stands(*[(5,)] * 3), gun(4), procedure=SPREAD).destroyed,
        F(8, 9) * F(4, 9),
    ),
    Case(
        "spread: AP hits pass a vehicle by",
        "two hits on the infantry, 4+: (1/2) squared stand",
        lambda: at(stands(VEHICLE, INFANTRY), gun(2, save=AP), procedure=SPREAD).killed[0],
        F(1, 4),
    ),
    Case(
        "spread: AP on the light vehicle, AT on the one behind",
        "as many as possible are struck: 1 * 1/2",
        lambda: at(stands(LIGHT, VEHICLE), gun(1, save=AT), gun(1, save=AP), procedure=SPREAD).destroyed,
        F(1, 2),
    ),
    Case(
        "spread: macro-weapons hit those that stand",
        "both fall if the first fails its 4+",
        lambda: at(stands((4, 7, 7), (4, 7, 7)), gun(1), gun(1, save=MW, step=1), procedure=SPREAD).destroyed,
        F(1, 2),
    ),
]

EXCHANGES = [
    Case(
        "a blow, and one back by whoever stands",
        "1/2 * 1/2",
        lambda: duel((strike(0, HALF),), (strike(1, HALF),), procedure=Procedure.EACH_IN_TURN).destroyed(0),
        F(1, 4),
    ),
    Case(
        "both at once",
        "1/2 * 1/2",
        lambda: duel((strike(0, HALF), strike(1, HALF))).joint[(0,), (0,)],
        F(1, 4),
    ),
    Case(
        "ties until it is decided",
        "t = chance of a tie; w = (1 - t) / 2; w + t w + t^2 w + ... = w / (1 - t)",
        lambda: duel((strike(0, NEVER_HITS),), contest=Contest()).verdicts["first"],
        F(1, 2),
    ),
    Case(
        "rounds of one half against nothing, with a contest that always ties but for kills",
        "dice of one face tie always; so round after round: 1/2 + 1/4 + ... = 1",
        lambda: duel((strike(0, HALF),), contest=Contest(dice=10**6)).verdicts["first"],
        F(1),
    ),
]

SIMPLE = [
    Case("a charge of 9", "4 + 3 + 2 + 1 of 36", lambda: charge(9), F(10, 36)),
    Case("with a re-roll", "5/18 + 13/18 * 5/18", lambda: charge(9, reroll="all"), F(155, 324)),
    Case("a charge of 8.1 with +1", "needs 8: 15 of 36", lambda: charge(8.1, modifier=1), F(15, 36)),
    Case("battle-shock on 7+", "21 of 36", lambda: leadership(7), F(21, 36)),
    Case("2D6 not above 8", "26 of 36", lambda: leadership_under(8), F(26, 36)),
    Case("an advance of 4", "3 of 6; again", lambda: advance(4, reroll="all"), F(3, 4)),
]

CASES = [
    *HITTING,
    *NUMBERS,
    *CRITICALS,
    *SAVES,
    *DAMAGE,
    *ALLOCATION,
    *ONE_RE_ROLL,
    *BEST,
    *OTHER_EDITIONS,
    *EXCHANGES,
    *SIMPLE,
]
