"""Questions about two units that meet: one strikes, the other strikes back; or one charges through Overwatch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import msgspec

from sandtable.attack.chances import at_least
from sandtable.attack.exchange import MANY, Armed, Joint, Side, Strike, solve_exchange
from sandtable.attack.exchange import Exchange as Fought
from sandtable.attack.volley import Body, Target, Volley
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Losses, Situation, Strikes
from sandtable.odds.bounds import whole_number
from sandtable.odds.cases import AIMS, Case, assumed, in_order, proper
from sandtable.odds.flights import fled
from sandtable.odds.links import asked
from sandtable.odds.names import does
from sandtable.odds.questions import melee, shooting
from sandtable.odds.results import Exchange
from sandtable.odds.results_phase import Assault
from sandtable.odds.setting import PLAIN, Setting
from sandtable.odds.units import find_force

Move: TypeAlias = tuple[int, Situation, str]
"""Which side attacks, how, and what that is called."""


class Clash(NamedTuple):
    """Attacks of two units on each other, ready to be reckoned."""

    sides: tuple[Side, Side]
    steps: tuple[tuple[Strike, ...], ...]
    cases: tuple[Case, ...]
    notes: tuple[str, ...]


# --- 9: the exchange --------------------------------------------------------------------------------------------------


@asked
def exchange(
    first: str | Force,
    second: str | Force,
    how: Situation | None = None,
    back: Situation | None = None,
    setting: Setting = PLAIN,
    *,
    before: Situation | None = None,
    overwatch: Situation | None = None,
    rounds: int = 1,
) -> Exchange:
    """One unit attacks, the other strikes back with what is left.

    `before` lets the first shoot first, `overwatch` lets the second shoot before it is struck. Without `how` the first
    charges into close combat.
    """
    whole_number("Rounds", rounds, 1, 5)
    how = melee("charged") if how is None else how
    back = melee() if back is None else back
    one, other = find_force(first, setting), find_force(second, setting)
    moves: list[Move] = []
    if before is not None:
        moves.append((0, before, f"shots of {one.short}"))
    if overwatch is not None:
        moves.append((1, overwatch, f"Overwatch of {other.short}"))
    for _ in range(rounds):
        moves += [(0, how, f"attacks of {one.short}"), (1, back, f"attacks of what is left of {other.short}")]
    clash = _clash(one, other, moves, setting)
    fought = solve_exchange(Fought(clash.sides, clash.steps))
    names = tuple(text for _, _, text in moves)
    return Exchange(
        assumptions=assumed(setting, clash.cases, f"first {', then '.join(names)}", *clash.notes),
        names=(one.name, other.name),
        points=(one.points, other.points),
        models=_models(clash),
        killed=(_killed(fought.joint, clash, 0), _killed(fought.joint, clash, 1)),
        destroyed=(fought.destroyed(0), fought.destroyed(1)),
        lost=(_lost(fought.joint, clash, 0), _lost(fought.joint, clash, 1)),
        steps=names,
    )


def _clash(one: Force, other: Force, moves: Sequence[Move], setting: Setting) -> Clash:
    by_wounds = [_by_wounds(one, other, side, way, setting) for side, way, _ in moves]
    first, second = (
        _side(name, [c for found, (s, _, _) in zip(by_wounds, moves, strict=True) if s != side for c, _ in found])
        for side, name in enumerate((one.short, other.short))
    )
    shift = [0, 0]
    steps: list[tuple[Strike, ...]] = []
    for found, (side, _, _) in zip(by_wounds, moves, strict=True):
        weapons: list[Armed] = []
        for case, left in found:
            weapons += _armed(case, shift[1 - side], left)
            shift[1 - side] += _classes(case.strikes)
        steps.append((Strike(side, tuple(weapons)),))
    cases = tuple(found[0][0] for found in by_wounds)
    notes = ["weapons are chosen once, and a unit that has lost models keeps its rules"]
    if any(len(found) > 1 for found in by_wounds):
        notes.append("whoever has a chart strikes with what it says for the wounds that are left")
    if any(case.strikes.backfire for case in cases):
        notes.append("what units lose by their own weapons is not in these numbers")
    return Clash((first, second), tuple(steps), cases, tuple(notes))


def _struck(one: Force, other: Force, side: int, how: Situation, setting: Setting) -> Case:
    """The attacks of a side, with models numbered as for both."""
    how = proper(how, setting)
    there, back = (how, None) if side == 0 else (None, how)
    strikes = setting.matchups.compile(one, other, there, back, setting.options)[side]
    assert strikes is not None
    pair = (one, other) if side == 0 else (other, one)
    return in_order(Case(*pair, how, strikes, setting.decide(strikes.attack)), setting, AIMS[setting.goal])


def _by_wounds(
    one: Force, other: Force, side: int, how: Situation, setting: Setting
) -> list[tuple[Case, tuple[int, int]]]:
    """The attacks of a side, and with how many wounds left they are made: more than one where it has a chart."""
    charts = sorted(setting.matchups.charts((one, other)[side], setting.options), reverse=True)
    found = [(_struck(one, other, side, how, setting), (1, MANY))]
    for most in charts:
        hurt = replace((one, other)[side], losses=Losses(most, "wounds", left=True))
        pair = (hurt, other) if side == 0 else (one, hurt)
        found[-1] = (found[-1][0], (most + 1, found[-1][1][1]))
        found.append((_struck(*pair, side, how, setting), (1, most)))
    return found


def _armed(case: Case, shift: int, left: tuple[int, int]) -> list[Armed]:
    return [
        Armed(_shifted(volley, shift), bearers, left)
        for volley, bearers in zip(case.strikes.single, case.strikes.bearers, strict=True)
    ]


def _classes(strikes: Strikes) -> int:
    return len(strikes.attack.target.bodies[0].saves)


def _side(name: str, struck: Sequence[Case]) -> Side:
    """A side with the classes of saving throw of everything that strikes it, one after the other."""
    first = struck[0].attack
    bodies: list[Body] = []
    for i, body in enumerate(first.target.bodies):
        saves = tuple(save for case in struck for save in case.attack.target.bodies[i].saves)
        bodies.append(msgspec.structs.replace(body, saves=saves))
    target: Target = msgspec.structs.replace(first.target, bodies=tuple(bodies))
    return Side(name, target, first.procedure, first.choices)


def _shifted(volley: Volley, by: int) -> Volley:
    kinds = tuple(msgspec.structs.replace(k, save=k.save + by if k.save >= 0 else k.save) for k in volley.kinds)
    return msgspec.structs.replace(volley, kinds=kinds)


def _models(clash: Clash) -> tuple[int, int]:
    return len(clash.sides[0].target.bodies), len(clash.sides[1].target.bodies)


def _killed(joint: dict[Joint, float], clash: Clash, side: int) -> tuple[float, ...]:
    """The chance that a side lost 0, 1, 2... models."""
    found = [0.0] * (_models(clash)[side] + 1)
    for state, p in joint.items():
        found[sum(not x for x in state[side])] += p
    return tuple(found)


def _lost(joint: dict[Joint, float], clash: Clash, side: int) -> float:
    """What a side loses on average."""
    bodies = clash.sides[side].target.bodies
    return sum(p * sum(b.value for b, x in zip(bodies, s[side], strict=True) if not x) for s, p in joint.items())


# --- 14: a charge through Overwatch -----------------------------------------------------------------------------------


@asked
def assault(
    first: str | Force,
    second: str | Force,
    distance: float = 8.0,
    setting: Setting = PLAIN,
    *,
    shoot: bool = False,
    overwatch: bool = True,
) -> Assault:
    """One unit charges another over a distance: Overwatch, the roll, both sides' blows, and who flees in the end.

    With `shoot` it shoots before, from as far away.
    """
    one, other = find_force(first, setting), find_force(second, setting)
    test = next(t for t in setting.matchups.tests(one, distance, setting.options) if t.name == "charge")
    chance = float(at_least(test.number, test.needed, reroll=test.reroll if test.free else "none"))
    again = float(at_least(test.number, test.needed, reroll=test.reroll))
    if not chance:
        raise UserError(f'No charge over {distance:g}" can be made: {one.name} would need {test.needed} on the dice.')
    before = [(0, shooting(distance=distance), f"shots of {one.short}")] if shoot else []
    before += [(1, shooting("overwatch", distance=distance), f"Overwatch of {other.short}")] if overwatch else []
    moves: list[Move] = [move for move in before if _can(one, other, move, setting)]
    silent = overwatch and not any(side for side, _, _ in moves)
    start = len(moves)
    moves.append((0, melee("charged"), f"blows of {one.short}"))
    struck_back = (1, melee(), f"blows of what is left of {other.short}")
    moves += [struck_back] if _can(one, other, struck_back, setting) else []
    clash = _clash(one, other, moves, setting)
    fired = solve_exchange(Fought(clash.sides, clash.steps[:start])).joint
    fought = solve_exchange(Fought(clash.sides, clash.steps)).joint
    joint: dict[Joint, float] = defaultdict(float)
    for state, p in fired.items():
        joint[state] += (1 - chance) * p
    for state, p in fought.items():
        joint[state] += chance * p
    home = chance * sum(p for state, p in fired.items() if any(state[0]))
    nerves = setting.matchups.nerves
    notes = [*clash.notes, "who falls to Overwatch does not make the way longer, and everybody finds room to fight"]
    notes += [f"{does(other.short, 'has')} nothing to fire Overwatch with"] if silent else []
    flight = None if nerves is None else nerves(one, other, setting.options)
    return Assault(
        assumptions=assumed(setting, clash.cases, *notes, rules=(*test.rules, *(flight[0].rules if flight else ()))),
        names=(one.name, other.name),
        points=(one.points, other.points),
        models=_models(clash),
        distance=distance,
        needed=test.needed,
        chance=chance,
        again=again,
        home=home,
        fired=(_mean(fired, 0), _mean(fired, 1)),
        killed=(_killed(joint, clash, 0), _killed(joint, clash, 1)),
        made=(_killed(fought, clash, 0), _killed(fought, clash, 1)),
        lost=(_lost(joint, clash, 0), _lost(joint, clash, 1)),
        fled=None if flight is None else (
            fled(flight[0], clash.sides[0].target, _of(joint, 0)), fled(flight[1], clash.sides[1].target, _of(joint, 1))
        ),
        steps=tuple(text for _, _, text in moves),
        before=start,
    )  # fmt: skip


def _can(one: Force, other: Force, move: Move, setting: Setting) -> bool:
    """Whether a side has anything to attack with in that way."""
    try:
        _struck(one, other, move[0], move[1], setting)
    except UserError:
        return False
    return True


def _of(joint: dict[Joint, float], side: int) -> dict[tuple[int, ...], float]:
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for state, p in joint.items():
        found[state[side]] += p
    return found


def _mean(joint: dict[Joint, float], side: int) -> float:
    return sum(p * sum(not x for x in state[side]) for state, p in joint.items())
