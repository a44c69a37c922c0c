"""What all questions share: one unit's attacks on another, compiled, and all that such an answer rests on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple, TypeVar

import msgspec

from sandtable.attack import series
from sandtable.attack.advice import MAX_ORDERED, best_order
from sandtable.attack.assume import assumptions, cites
from sandtable.attack.bounds import Unsolvable
from sandtable.attack.funnel import Stage, funnel
from sandtable.attack.potential import potential
from sandtable.attack.volley import Aim, Attack, Cites
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Modifier, Situation, Strikes, currency
from sandtable.odds.answers import Assumptions, Noted
from sandtable.odds.outcome import Outcome, fates_of, half_gone
from sandtable.odds.setting import Setting
from sandtable.odds.units import find_force

T = TypeVar("T")

AIMS: Final[dict[str, Aim]] = {"damage": "damage", "models": "kills", "destroy": "destroy", "value": "points"}
"""What each goal of the solver is called as an aim."""
MOST_OF: Final = {"damage": "most wounds", "kills": "most models", "destroy": "most chance to destroy",
                  "points": "most points"}  # fmt: skip
FEW: Final = 2
"""Of so many pairs of units the order of weapons is told; of more, only that it was chosen."""
QUICK: Final = 3
"""In a field of many pairs the orders of so many weapons are all tried."""


class Case(NamedTuple):
    """One unit's attacks on another, compiled."""

    attacker: Force
    target: Force
    how: Situation
    strikes: Strikes
    attack: Attack
    """With the policies of the setting, and the weapons in the order in which they are used."""
    notes: tuple[str, ...] = ()
    """What was decided about the order of weapons."""


def case_of(
    attacker: str | Force,
    target: str | Force,
    how: Situation,
    setting: Setting,
    *,
    aim: Aim | None = None,
    quick: bool = False,
    ordered: bool = True,
) -> Case:
    """Compile the attacks of one unit on another; the weapons are used in the order that is best for an aim."""
    one, other = find_force(attacker, setting), find_force(target, setting)
    how = proper(how, setting)
    there, _ = setting.matchups.compile(one, other, how, None, setting.options)
    assert there is not None
    case = Case(one, other, how, there, setting.decide(there.attack))
    if not ordered:
        return case
    return in_order(case, setting, aim or AIMS[setting.goal], QUICK if quick else MAX_ORDERED)


def in_order(case: Case, setting: Setting, aim: Aim, most: int = MAX_ORDERED) -> Case:
    """The case with its weapons in the best order, or in the order that the question names."""
    number = len(case.attack.volleys)
    if setting.order == "named" or number < 2:
        named = [*case.how.weapons]
        places = sorted(range(number), key=lambda i: _place(named, case.strikes.weapons[i]))
        told = f"weapons are used in this order: {_then(case, places)}"
        return _placed(case, places, (told,) if number > 1 else ())
    if case.attack.choices.weighed:
        told = f"weapons are used in the order of the datasheet: {_then(case, range(number))}"
        return case._replace(notes=(told,))
    found = best_order(case.attack, aim, most)
    if not found.matters:
        return case
    best = "in the order that does" if found.proven else "in an order, found by a search, that does"
    return _placed(case, found.places, (f"weapons are used {best} {MOST_OF[aim]}: {_then(case, found.places)}",))


def _place(named: Sequence[str], weapon: str) -> int:
    """Where a weapon stands among those named; a profile with its weapon."""
    there = weapon.lower()
    return next(
        (i for i, name in enumerate(named) if there == name.lower() or there.startswith(f"{name.lower()},")), len(named)
    )


def _then(case: Case, places: Sequence[int]) -> str:
    """Weapons one after the other; copies of one that a model carries count with the first."""
    names = [told_weapons(case)[i] for i in places]
    return ", then ".join(name for i, name in enumerate(names) if not i or name != names[i - 1])


def told_weapons(case: Case) -> list[str]:
    """For each volley its weapon, with the model that bears it where others of that name differ."""
    strikes = case.strikes
    plain = [_without_number(strikes.weapons, weapon) for weapon in strikes.weapons]
    users = {name: {u for n, u in zip(plain, strikes.users, strict=True) if n == name} for name in plain}
    return [
        name if len(users[name]) == 1 else f"{name} of {user}" for name, user in zip(plain, strikes.users, strict=True)
    ]


def _without_number(weapons: Sequence[str], weapon: str) -> str:
    """The second of two equal weapons on a model is "lascannon 2"."""
    plain = weapon.rstrip("0123456789 ")
    return plain if plain in weapons else weapon


def _placed(case: Case, places: Sequence[int], notes: tuple[str, ...]) -> Case:
    def sorted_(each: Sequence[T]) -> tuple[T, ...]:
        return tuple(each[i] for i in places)

    s = case.strikes
    strikes = msgspec.structs.replace(
        s,
        attack=msgspec.structs.replace(s.attack, volleys=sorted_(s.attack.volleys)),
        single=sorted_(s.single),
        bearers=sorted_(s.bearers),
        weapons=sorted_(s.weapons),
        users=sorted_(s.users),
    )
    attack = msgspec.structs.replace(case.attack, volleys=sorted_(case.attack.volleys))
    return case._replace(strikes=strikes, attack=attack, notes=notes)


# --- Modifiers --------------------------------------------------------------------------------------------------------


def proper(how: Situation, setting: Setting) -> Situation:
    """The situation with its modifiers by their own names; refuses those that do not exist, or have no bearing here."""
    known = {m.name: m for m in setting.matchups.modifiers}
    fits = [m.name for m in known.values() if (m.melee if how.melee else m.ranged)]
    kind = "in close combat" if how.melee else "from afar"
    names = tuple(dict.fromkeys(modifier_named(name, setting).name for name in how.modifiers))
    for name in names:
        if name not in fits:
            raise UserError(f"'{name}' has no bearing on attacks {kind}; these have: {', '.join(fits)}.")
    return how if names == how.modifiers else msgspec.structs.replace(how, modifiers=names)


def modifier_named(name: str, setting: Setting) -> Modifier:
    """A modifier by its name, or by another that players have for it."""
    known = setting.matchups.modifiers
    names = {_folded(other): m for m in known for other in (m.name, *m.also)}
    if _folded(name) in names:
        return names[_folded(name)]
    close = list(dict.fromkeys(names[n] for n in get_close_matches(_folded(name), names, n=3)))[:2]
    meant = " or ".join(f"'{m.name}' ({m.text})" for m in close)
    there = f" There are: {', '.join(m.name for m in known)}. Abilities and Stratagems are none: they are named apart."
    hint = f" Did you mean {meant}?" if close else there
    raise UserError(f"There is no modifier '{name[:60]}'.{hint}")


def _folded(name: str) -> str:
    """A name without case, hyphens and the like; but a sign before a number counts."""
    plain = name.lower().replace("re-roll", "reroll")
    for sign, word in (("+", "plus"), ("-", "minus")):
        plain = re.sub(rf"[{sign}]\s*1\b", f" {word}1 ", plain)
    return " ".join(re.split(r"[\s_-]+", plain)).strip()


# --- What an answer rests on ------------------------------------------------------------------------------------------


def assumed(setting: Setting, cases: Sequence[Case], *notes: str, rules: Cites = ()) -> Assumptions:
    """What the answers to some cases rest on; `rules` are those that are behind them beside the tables."""
    cited = tuple(dict.fromkeys((*(rule for case in cases for rule in cites(case.attack)), *rules)))
    known = {m.name: m for m in setting.matchups.modifiers}
    forces = {f.name: f for case in cases for f in (case.attacker, case.target)}.values()
    # Where both sides attack, each circumstance says whose it is.
    both = {case.attacker.name for case in cases} & {case.target.name for case in cases}
    whose = {case.attacker.name: f" ({case.attacker.name})" if both else "" for case in cases}
    noted = [
        Noted(f"{known[name].text}{whose[case.attacker.name]}", known[name].rules)
        for case in cases
        for name in case.how.modifiers
    ]
    noted += [Noted(fact) for case in cases for fact in case.strikes.facts]
    return Assumptions(
        edition=f"{setting.rules.name}, core rules as first published",
        options=readings(setting, cited),
        units=tuple(f"{f.name} ({f.price})" for f in forces),
        circumstances=tuple(dict.fromkeys(noted)),
        policies=tuple(dict.fromkeys(text for case in cases for text in assumptions(case.attack))),
        rules=cited,
        left_out=tuple(dict.fromkeys(name for case in cases for name in case.strikes.left_out)),
        notes=(*_orders(cases), *dict.fromkeys(note for case in cases for note in _own_losses(case)), *notes),
        cost=currency(setting.system),
    )


def _orders(cases: Sequence[Case]) -> tuple[str, ...]:
    """What was decided about the order of weapons; of many units only that it was."""
    found = tuple(dict.fromkeys(note for case in cases for note in case.notes))
    few = len(found) <= 1 or len({(case.attacker.name, case.target.name) for case in cases}) <= FEW
    return found if few else ("each unit uses its weapons in the order that does most",)


def _own_losses(case: Case) -> tuple[str, ...]:
    """What the attacks cost the attacker itself: told beside the answer, not part of it."""
    lost = case.strikes.backfire
    return () if lost is None else (f"own losses of {case.attacker.short} after these attacks: {lost}",)


def readings(setting: Setting, cited: Sequence[str]) -> dict[str, str]:
    """The readings that were chosen, and those of rules that are behind the answer."""
    settled = setting.rules.settle_options(setting.options)
    wanted = {r.name for r in setting.rules.readings if r.rule in cited or r.name in setting.options}
    return {name: value for name, value in settled.items() if name in wanted}


def outcome_of(case: Case, assumptions_: Assumptions, name: str = "") -> Outcome:
    """What a case comes to."""
    states = series.after(case.attack, series.whole(case.attack.target))
    target = case.attack.target
    return Outcome(
        assumptions=assumptions_,
        attacker=name or case.attacker.name,
        target=case.target.name,
        points=case.attacker.points,
        target_points=case.target.points,
        models=len(target.bodies),
        wounds=sum(b.wounds for b in target.bodies),
        killed=tuple(series.killed(states).tolist()),
        damage=tuple(series.damage(states, target).tolist()),
        below_half=half_gone(states, target, case.strikes.strength),
        value=series.value(states, target),
        potential=potential(case.attack),
        stages=_stages(case.attack),
        fates=fates_of(states, target),
        order=case.strikes.weapons,
        backfires=() if case.strikes.backfire is None else (case.strikes.backfire,),
        strength=case.strikes.strength,
        attacks=(case.attack,),
    )


def _stages(attack: Attack) -> tuple[Stage, ...]:
    try:
        return funnel(attack).stages
    except Unsolvable:
        # With re-rolls that are weighed there is no single funnel.
        return ()
