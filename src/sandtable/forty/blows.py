"""Declaring blows in one answer, where each attack of a model has a weapon and a target of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from sandtable.attack.volley import Aim, DiceSum
from sandtable.battle import ALLOWED, Assign, Assignment, Option, Question, Row, Value, Verdict, refuse
from sandtable.battle.system import Outlook
from sandtable.forty.odds.arms import Arms
from sandtable.forty.odds.chances import advise_blows, chance_that_one_falls, outlook_of
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.state import Unit, World40, sheet_of
from sandtable.forty.weapon_words import extra_attacks
from sandtable.kit.grammar import agree


class Hand(NamedTuple):
    """Models of a unit that are alike: what they strike with, how often each, and whom they reach."""

    models: tuple[int, ...]
    weapons: tuple[Any, ...]
    attacks: int
    targets: tuple[int, ...]
    extra: bool = False
    """These attacks come beside the others, with a weapon that brings them along."""


class Blows(NamedTuple):
    """The seam: what an edition says about close combat attacks."""

    rules: tuple[str, ...]
    """Who may be struck, with what, and how attacks are divided."""
    hands: Callable[[Any, Any, Mapping[int, int]], list[Hand]]
    """(world, unit, how many attacks each model makes): the models that strike, those that are alike together."""
    count: Callable[[Hand], int]
    """(hand): how many attacks there are to assign."""
    blow: Callable[[int, Any, int, int], Any]
    """(model, weapon, target, attacks): blows of one model."""


def alike(
    w: World40,
    fighters: Mapping[int, tuple[int, ...]],
    numbers: Mapping[int, int],
    arms: Callable[[Any, int], tuple[Any, ...]],
) -> list[Hand]:
    """Models that strike, each with whom it reaches and how often it strikes (else once), those alike together.

    `arms` are the weapons that a model strikes with: (world, model). What some bring along in further attacks comes
    beside the others.
    """
    groups: dict[tuple[int, tuple[Any, ...], int, tuple[int, ...], bool], list[int]] = {}
    for model, targets in fighters.items():
        if number := numbers.get(model, 1):
            sheet, weapons = w.setup.data.kits[model].sheet, arms(w, model)
            groups.setdefault((sheet, weapons, number, targets, False), []).append(model)
            for weapon in (x for x in weapons if extra_attacks(x)):
                groups.setdefault((sheet, (weapon,), extra_attacks(weapon), targets, True), []).append(model)
    return [Hand(tuple(models), *what[1:]) for what, models in groups.items()]


def blows_to_deal(w: World40, unit: Unit, hands: Sequence[Hand], numbers: Mapping[int, int]) -> Assign:
    """The question who is struck how often, and with what."""
    blows, targets = w.system.seam(Blows), sorted({t for hand in hands for t in hand.targets})
    return Assign(
        player=unit.player,
        kind="strike",
        prompt=f"Whom {agree(unit, 'does')} {unit.name} strike?",
        rows=tuple(_row(w, i, hand, len(hands), blows.count(hand)) for i, hand in enumerate(hands)),
        targets=tuple(Option(t, w.unit(t).name) for t in targets),
        rules=blows.rules,
        unit=unit.id,
        about={"attacks": sorted(numbers.items())},
    )


def _row(w: World40, number: int, hand: Hand, rows: int, count: int) -> Row:
    name = sheet_of(w, hand.models[0]).name
    name = f"{name}, {hand.weapons[0].name}" if hand.extra else name
    modes = tuple(x.name for x in hand.weapons) if len(hand.weapons) > 1 else ()
    return Row(f"{number}", f"{name} ({number + 1})" if rows > 1 else name, count, hand.targets, modes)


def hands_in(w: World40, d: Assign) -> list[Hand]:
    """The hands behind the rows of a question."""
    return w.system.seam(Blows).hands(w, w.unit(d.unit), dict(d.about["attacks"]))


def blows_of(
    hands: Sequence[Hand], answer: Sequence[Assignment], blow: Callable[[int, Any, int, int], Any]
) -> list[Any]:
    """Which model makes which attacks at whom: the attacks of a row are dealt out model by model."""
    left = [[m for m in hand.models for _ in range(hand.attacks)] for hand in hands]
    found = []
    for a in answer:
        hand, free = hands[int(a.row)], left[int(a.row)]
        weapon = next((x for x in hand.weapons if x.name == a.mode), hand.weapons[0])
        mine, free[:] = free[: a.count], free[a.count :]
        for model in dict.fromkeys(mine):
            found.append(blow(model, weapon, int(a.target), mine.count(model)))
    return found


def default_blows(w: World40, d: Assign) -> tuple[Assignment, ...]:
    """Each row at whom, and with what, it does most on average."""
    hands = hands_in(w, d)
    return tuple(_best_way(w, d, hands, row, row.count, row.targets) for row in d.rows)


def _best_way(
    w: World40, d: Assign, hands: Sequence[Hand], row: Row, count: int, targets: Sequence[Value], mode: str = ""
) -> Assignment:
    """So much of a row at whom of these, and with what, it does most; a mode that is named is kept."""
    unit, blow = w.unit(d.unit), w.system.seam(Blows).blow

    def worth(a: Assignment) -> float:
        return mean_damage(w, unit, w.unit(int(a.target)), blows_of(hands, (a,), blow))

    modes = (mode,) if mode else row.modes or ("",)
    return max([Assignment(row.id, t, count, m) for t in targets for m in modes], key=worth)


def best_blows(
    w: World40,
    unit: Unit,
    numbers: Mapping[int, DiceSum],
    used: Callable[[int, Any], bool] = lambda model, weapon: True,
    only: int = -1,
) -> list[Any]:
    """Every model strikes with what does most, of what it uses; dice for its attacks are left to whoever throws them.

    `numbers` has the attacks of each model. With `only`, that unit alone is struck.
    """
    seam, found = w.system.seam(Blows), []
    for hand in seam.hands(w, unit, {m: n.result() if n.fixed else 1 for m, n in numbers.items()}):
        if only not in (-1, *hand.targets):
            continue
        target = w.unit(min(hand.targets) if only < 0 else only)
        arms = [hand._replace(weapons=(x,)) for x in hand.weapons if used(hand.models[0], x)]
        ways = [blows_of([arm], [Assignment("0", target.id, seam.count(arm))], seam.blow) for arm in arms]
        for blow in max(ways, key=lambda way: mean_damage(w, unit, target, way), default=[]):
            number = numbers[blow.model]
            sure = hand.extra or number.fixed
            found.append(blow if sure else msgspec.structs.replace(blow, attacks=0, number=number))
    return found


def suggest_blows(w: World40, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """Targets and weapons at random, some rows split."""
    found = []
    for r in d.rows:
        first = rng.randint(1, r.count) if rng.random() < 0.3 else r.count
        for count in (first, r.count - first):
            if count:
                found.append(Assignment(r.id, rng.choice(r.targets), count, rng.choice(r.modes) if r.modes else ""))
    yield tuple(found)


def odds_of_blows(w: World40, d: Assign, answer: tuple[Assignment, ...]) -> float | None:
    """The chance that a target of the unit's close combat attacks is destroyed."""
    return chance_that_one_falls(w, w.unit(d.unit), blows_of(hands_in(w, d), answer, w.system.seam(Blows).blow))


def outlook_of_blows(w: World40, d: Assign, answer: tuple[Assignment, ...]) -> Iterator[Outlook]:
    """What a unit's close combat attacks do to its targets."""
    yield from outlook_of(w, w.unit(d.unit), blows_of(hands_in(w, d), answer, w.system.seam(Blows).blow))


def fit_blows(w: World40, d: Assign, wanted: tuple[Assignment, ...]) -> tuple[Assignment, ...]:
    """As much of that as there are attacks, with the weapon that does most where none is named; the rest by default."""
    rows, hands = {row.id: row for row in d.rows}, hands_in(w, d)
    left, found = {row.id: row.count for row in d.rows}, []
    for a in wanted:
        if count := min(a.count, left[a.row]):
            left[a.row] -= count
            found.append(_best_way(w, d, hands, rows[a.row], count, (a.target,), a.mode))
    rest = [_best_way(w, d, hands, rows[row], count, rows[row].targets) for row, count in left.items() if count]
    return (*found, *rest)


def _blows_at(w: World40, d: Assign, target: int) -> dict[int, dict[str, list[Any]]]:
    """For each row that reaches a target what one attack of it does, with each of its weapons."""
    hands, blow = hands_in(w, d), w.system.seam(Blows).blow
    return {
        i: {mode: blows_of(hands, [Assignment(row.id, target, 1, mode)], blow) for mode in row.modes or ("",)}
        for i, row in enumerate(d.rows)
        if target in row.targets
    }


ARMS: Final = Arms(_blows_at, lambda w, d, wanted: tuple(wanted), default_blows)


def advise_strikes(w: World40, d: Assign, aim: Aim) -> tuple[Assignment, ...]:
    """The best split of a unit's close combat attacks for an aim."""
    return advise_blows(w, d, aim, ARMS)


def check_all_made(w: World40, d: Assign, answer: Sequence[Assignment], rule: str) -> Verdict:
    """Whether all attacks of every row are made; the refusal shows how they could be."""
    for row in d.rows:
        given = sum(a.count for a in answer if a.row == row.id)
        if given < row.count:
            text = f"{row.label}: {row.count} attacks are made, not only {given}."
            return refuse(text, rule, instead=default_blows(w, d), attacks=row.count)
    return ALLOWED


def dealing(judge: Callable[[Any, Any, Any], Verdict]) -> Question:
    """The question, as an edition judges its answers."""
    return Question(
        judge,
        suggest_blows,
        default_blows,
        odds=odds_of_blows,
        advise=advise_strikes,
        outlook=outlook_of_blows,
        fit=fit_blows,
    )
