"""Abilities that a player may use: which of them now, which later, and on whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from sandtable.armies.effects import Allow, AnyEffect, BattleShock, Characteristic, Invulnerable, Mark, WeaponAbility
from sandtable.battle import Choose
from sandtable.battle.tactics import Idea
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.conditions import read
from sandtable.forty.effects.limits import limit_of
from sandtable.forty.effects.occasions import at_moment, branches, read_offer, read_use
from sandtable.forty.effects.offers import costs_nothing
from sandtable.forty.effects.words import Words
from sandtable.forty.mind.force import arsenal
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.mind.outlook import HURRY, Outlook, band_of, outlook
from sandtable.forty.mind.shots import target_worth
from sandtable.forty.mind.stakes import stakes
from sandtable.forty.mind.style import TACTICIAN, Style
from sandtable.forty.state import World40
from sandtable.table.grid import Bools, Floats, Ints

ALWAYS: Final = 1.0
"""The worth of what can be used again and again: more than nothing"""
WORTH_IT: Final = 0.3
"""The part of an army that should have something of what it can do only once"""
IN_VAIN: Final = 4
"""From this battle round on what has not been used helps less and less"""
CHARGE: Final = 8.0
"""Inches that a charge is likely to make"""
SHOCKED: Final = 0.4
"""How many of the enemies that hold markers a test costs their hold"""
IN_COMMAND: Final = ("command", "command_start", "any_command", "any_command_start")
"""Moments of the Command phase, at which what works for a turn is used"""
LITTLE: Final = 0.1
"""The part of a unit that gains from what is good for everybody a little"""


def use_of(w: World40, d: Choose, value: str) -> tuple[float, str]:
    """What the use of an ability is worth now, and why; 0 where it should wait."""
    at, _, use = read_offer(value)
    carried = w.setup.data.abilities[use.ability]
    effects = [e for _, e in at_moment(carried, at, use.branch)]
    name = use.branch or carried.name
    if not costs_nothing(effects):
        return 0.0, ""
    limit = limit_of(carried, at, use.branch)
    if limit is None or limit.once != "battle" or at not in IN_COMMAND:
        return ALWAYS, f"{name} costs nothing."
    share = _share_of_army(w, d.player, carried, effects)
    # Where there are others to use later, nothing is lost.
    sole = len(branches(carried, at)) == 1 and w.state.round < IN_VAIN
    least = WORTH_IT if sole else LITTLE * WORTH_IT
    return (100.0 * share if share >= least else 0.0), f"Now {name} does most."


def _share_of_army(w: World40, player: int, carried: Ability, effects: list[AnyEffect]) -> float:
    """The part of an army, by points, that gains from some effects."""
    o = outlook(w)
    mine = np.flatnonzero(o.field.side == w.side(player))
    if not len(mine) or len(mine) == len(o.units):
        return 0.0
    given = effects + [e for mark in effects if isinstance(mark, Mark) for e in carried.effects if _after(e, mark)]
    ready = _readiness(w, o, mine)
    gains = sum((_who_gains(ready, e) for e in given), np.zeros(len(mine)))
    own = float((np.minimum(1.0, gains) * o.field.points[mine]).sum() / max(1.0, o.field.points[mine].sum()))
    if any(isinstance(e, BattleShock) and e.who == "enemies" for e in given):
        return own + SHOCKED * _held_by_enemies(w, player)
    return own


def _after(effect: AnyEffect, mark: Mark) -> bool:
    """Whether an effect works on those who have a mark."""
    return any((c.name, c.value, c.wanted) == ("marked", mark.name, True) for c in map(read, effect.when))


class Readiness(NamedTuple):
    """How the units of a side stand to the enemy, a row each."""

    beyond: Floats
    """Inches to the nearest enemy that a Normal move leaves; below 0 within it"""
    blades: Floats
    """How much of what it does each does in melee, from 0 to 1"""
    engaged: Bools


def _readiness(w: World40, o: Outlook, mine: Ints) -> Readiness:
    foes = o.foes(int(mine[0]))
    return Readiness(
        o.field.far[np.ix_(mine, foes)].min(axis=1) - o.field.move[mine],
        np.array([_blades(o, int(i)) for i in mine]),
        np.array([bool(mind_of(w).engaged(w, w.unit(o.units[int(i)]))) for i in mine], dtype=np.bool_),
    )


def _who_gains(ready: Readiness, effect: AnyEffect) -> Floats:
    """How much each unit of a side gains from an effect in the turn to come, from 0 to 1."""
    beyond, blades, engaged = ready
    match effect:
        case Allow(what="advance_and_charge"):
            return np.where(~engaged & (beyond >= 2.0) & (beyond <= HURRY + CHARGE), blades, 0.0)
        case Allow(what="fall_back_and_shoot" | "fall_back_and_charge"):
            return np.where(engaged, 0.5, 0.0)
        case Allow(what="advance_and_shoot"):
            return np.where(engaged, 0.0, LITTLE * (1.0 - blades))
        case Characteristic(weapons="melee") | WeaponAbility(weapons="melee"):
            return np.where(beyond <= CHARGE, 0.5 * blades, 0.0)
        case Invulnerable():
            return np.where(beyond <= CHARGE, 0.2, 0.0)
    return np.zeros(len(blades))


def _blades(o: Outlook, i: int) -> float:
    """How much of what a unit does it does in melee."""
    foes = o.foes(i)
    blows = float((np.minimum(o.field.strike[i, foes], o.field.wounds[foes]) * o.field.worth[foes]).mean())
    return blows / max(0.1, blows + float(o.field.salvo[i]))


def _held_by_enemies(w: World40, player: int) -> float:
    """The part of the stakes that enemies hold and are about to score."""
    at_stake, control = stakes(w, player), w.state.game.control
    if not control or w.state.active == player or at_stake.markers.sum() <= 0:
        return 0.0
    theirs = [m for m, who in enumerate(control) if who >= 0 and w.side(who) != w.side(player)]
    return float(at_stake.markers[theirs].sum() / at_stake.markers.sum())


# --- On whom ----------------------------------------------------------------------------------------------------------


def on_whom(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """Enemies that everybody is about to shoot at and to charge."""
    if style.name != TACTICIAN or d.about.get("kind") != "mark":
        return
    o, worth = outlook(w), target_worth(w, d.player)
    mine = np.flatnonzero(o.field.side == w.side(d.player))
    found = []
    for option in d.options:
        row = o.row.get(int(option.value))
        if row is None or o.field.side[row] == w.side(d.player):
            continue
        wounds = float(
            o.field.fire[mine, band_of(np.maximum(0.0, o.field.far[mine, row] - o.field.move[mine])), row].sum()
        )
        wounds += float(o.field.strike[mine, row][o.field.far[mine, row] <= o.field.move[mine] + CHARGE].sum())
        found.append((min(wounds, float(o.field.wounds[row])) * worth.get(int(option.value), 0.0), int(option.value)))
    if found:
        best, unit = max(found, key=lambda f: (f[0], -f[1]))
        yield Idea(unit, best, f"Most can be done to {w.unit(unit).name}.")


def which_branch(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """What works against most of the enemy's points."""
    if style.name != TACTICIAN:
        return
    found = []
    for option in d.options:
        use = read_use(str(option.value))
        carried = w.setup.data.abilities[use.ability]
        marks = [e for e in carried.effects if isinstance(e, Mark) and e.branch == use.branch]
        words = {
            word
            for mark in marks
            for e in carried.effects
            if _after(e, mark)
            for c in map(read, e.when)
            if c.name == "target_keyword"
            for word in c.value.split("/")
        }
        found.append((_points_with(w, d.player, words), option.value, use.branch))
    best, value, name = max(found, key=lambda f: f[0])
    if best > 0:
        yield Idea(value, best, f"{name} works against most of them.")


def _points_with(w: World40, player: int, words: set[str]) -> float:
    """The points of enemy units that have one of some keywords."""
    data, has_keyword = arsenal(w), w.system.seam(Words).has_keyword
    theirs = [u for u in w.state.units if w.side(u.player) != w.side(player)]
    return float(sum(data.points[list(u.models)].sum() for u in theirs if has_keyword(w, u, words)))
