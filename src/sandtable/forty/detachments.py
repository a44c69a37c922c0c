"""Stratagems of detachments: when each can be used, on which unit, and what it then does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from sandtable.armies.effects import (
    Allow,
    AnyEffect,
    Characteristic,
    Critical,
    Damage,
    FeelNoPain,
    Invulnerable,
    Modify,
    Reroll,
    WeaponAbility,
)
from sandtable.battle import Moment, Option, Reaction, Value
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.ability import DetachmentStratagem
from sandtable.forty.effects.at_work import set_off
from sandtable.forty.effects.deeds import carry_out
from sandtable.forty.effects.index import number_of_stratagem
from sandtable.forty.effects.lasting import attacks_of
from sandtable.forty.effects.moments import FIGHT, MOVEMENT, SHOOTING
from sandtable.forty.effects.occasions import Cause, Occasion
from sandtable.forty.effects.reach import reaches
from sandtable.forty.effects.targets import fits, is_at_once, is_useful
from sandtable.forty.effects.words import Deeds, Words
from sandtable.forty.moments import (
    ATTACKS_MADE,
    PHASE_BEGAN,
    TARGETS_SELECTED,
    UNIT_MOVE_ENDED,
    UNIT_SELECTED_TO_FIGHT,
    UNIT_TO_MOVE,
    UNIT_TO_SHOOT,
)
from sandtable.forty.odds.sparing import hurts_much, spares_much
from sandtable.forty.state import Battle40, Unit, World40, sheet_of
from sandtable.forty.stratagems import Cards, Stratagem, Turn, usable_on, use

NAME: Final = "Stratagem"
THEIRS: Final = "opponent_"
"""Stands before a phase that must be an opponent's."""

AT: Final = MappingProxyType({"enemy_moved": UNIT_MOVE_ENDED, "wounded": ATTACKS_MADE})
"""Effects that are done at a moment, and the trigger that brings it."""
TRIGGERS: Final = (
    PHASE_BEGAN,
    TARGETS_SELECTED,
    ATTACKS_MADE,
    UNIT_MOVE_ENDED,
    UNIT_SELECTED_TO_FIGHT,
    UNIT_TO_MOVE,
    UNIT_TO_SHOOT,
)
OWN: Final = MappingProxyType({MOVEMENT: UNIT_TO_MOVE, SHOOTING: UNIT_TO_SHOOT, FIGHT: UNIT_SELECTED_TO_FIGHT})
"""When Stratagems for what a unit does itself are used, by phase; in others when the phase begins."""


@dataclass(frozen=True)
class Detachments:
    """What an edition says about the Stratagems of detachments."""

    cards: Cards
    category: str
    """The category of all of them, as packs tell none."""
    rule: str
    """The rule that all of them cite."""
    phases: tuple[str, ...]
    """All phases of a turn."""
    ready: Mapping[str, Callable[[World40, Any], object]]
    """For triggers at which units are picked to act: (world, unit), may it act?"""


def card(detachments: Detachments, s: DetachmentStratagem) -> Stratagem:
    """A detachment's Stratagem as a card like the core ones."""
    phases = detachments.phases if "any" in s.phases else tuple(p.removeprefix(THEIRS) for p in s.phases)
    theirs = tuple(p.removeprefix(THEIRS) for p in s.phases if p.startswith(THEIRS))
    return Stratagem(s.name, s.cp, detachments.category, detachments.rule, phases, Turn(s.turn), theirs=theirs)


def triggers_of(detachments: Detachments, s: DetachmentStratagem) -> tuple[str, ...]:
    """When a Stratagem is offered: at the moment that its effects name, under attack, or when its unit acts."""
    named = dict.fromkeys(AT[e.at] for e in s.effects if e.at in AT)
    if named:
        return tuple(named)
    if s.effects and all(protects(e) for e in s.effects):
        return (TARGETS_SELECTED,)
    return tuple(dict.fromkeys(OWN.get(phase, PHASE_BEGAN) for phase in card(detachments, s).phases))


def protects(effect: AnyEffect) -> bool:
    """Whether an effect is for a unit that is attacked."""
    if isinstance(effect, FeelNoPain | Invulnerable | Damage):
        return True
    if isinstance(effect, Allow):
        return effect.what in ("fight_when_destroyed", "shoot_when_destroyed")
    return isinstance(effect, Reroll | Modify | Critical | Characteristic) and effect.attacks == "suffered"


# --- On whom ----------------------------------------------------------------------------------------------------------


def waiting(w: World40, player: int, trigger: str) -> tuple[tuple[int, Stratagem], ...]:
    """The Stratagems of a player that are used at a trigger; looked up once for the whole battle."""
    if not w.setup.data.stratagems:
        return ()
    return _by_trigger(w).get((player, trigger), ())


@kept(SETUP)
def _by_trigger(w: World40) -> dict[tuple[int, str], tuple[tuple[int, Stratagem], ...]]:
    found: dict[tuple[int, str], list[tuple[int, Stratagem]]] = {}
    detachments = w.system.seam(Detachments)
    for row, s in enumerate(w.setup.data.stratagems):
        for trigger in triggers_of(detachments, s) if s.effects else ():
            found.setdefault((s.player, trigger), []).append((row, card(detachments, s)))
    return {key: tuple(rows) for key, rows in found.items()}


def units_for(w: World40, player: int, trigger: str, moment: Moment) -> Sequence[Unit]:
    """The units of a player that a trigger is about."""
    match trigger:
        case "targets_selected":
            return [u for t in moment.data["targets"] if (u := w.unit(t)).player == player]
        case "attacks_made":
            return [u for t in moment.data["hurt"] if (u := w.unit(t)).player == player]
        case "unit_selected_to_fight":
            return [u for u in (w.unit(moment.unit),) if u.player == player]
        case "unit_move_ended":
            enemy = (
                w.side(w.unit(moment.unit).player) != w.side(player)
                and moment.data["move"] in w.system.seam(Deeds).moves
            )
            return [u for u in w.units_of(player) if enemy]
    ready = w.system.seam(Detachments).ready.get(trigger)
    return [u for u in w.units_of(player) if ready is None or ready(w, u)]


def targets(w: World40, player: int, trigger: str, moment: Moment, row: int, stratagem: Stratagem) -> Iterator[Unit]:
    """The units that a Stratagem can be used on now."""
    s, has, cards = w.setup.data.stratagems[row], w.system.seam(Words).has_keyword, w.system.seam(Detachments).cards
    for unit in units_for(w, player, trigger, moment):
        if not w.is_on_table(unit) or (s.needs and not has(w, unit, s.needs)):
            continue
        if not cards.may_affect(w, player, stratagem, unit) or not usable_on(w, cards, player, stratagem, unit.id):
            continue
        if any(_works(w, e, unit, trigger, moment) for e in s.effects):
            yield unit


def _works(w: World40, effect: AnyEffect, unit: Unit, trigger: str, moment: Moment) -> bool:
    """Whether one effect of a Stratagem would do something for a unit."""
    if not is_at_once(effect):
        return _matters(w, effect, unit)
    near = reaches(w, unit, w.unit(moment.unit), effect.within)
    return near and fits(w, effect, unit, _occasion(effect, unit, moment)) and is_useful(w, effect, unit)


def _matters(w: World40, effect: AnyEffect, unit: Unit) -> bool:
    """Leave out what cannot matter: weapons that nobody of the unit has, and fighting on after having fought."""
    if isinstance(effect, Allow) and effect.what == "fight_when_destroyed":
        return not unit.fought
    if isinstance(effect, WeaponAbility | Characteristic) and effect.weapons in ("ranged", "melee"):
        return any(
            x.is_melee == (effect.weapons == "melee") for m in w.on_table(unit) for x in sheet_of(w, int(m)).weapons
        )
    return True


def _occasion(effect: AnyEffect, unit: Unit, moment: Moment) -> Occasion:
    if effect.at == "wounded":
        return Occasion("wounded", unit.id, by=moment.unit, melee=bool(moment.data["melee"]))
    return Occasion(effect.at, moment.unit)


# --- Whether it is worth it -------------------------------------------------------------------------------------------


def is_worth_it(b: Battle40, player: int, trigger: str, moment: Moment, use_: Value) -> bool:
    """A Stratagem against attacks is offered where it spares enough of what they would cost."""
    if trigger != TARGETS_SELECTED:
        return True
    row, target = _read(use_)
    s, unit, victim = b.setup.data.stratagems[row], b.unit(moment.unit), b.unit(target)
    shots = [shot for shot in moment.data["shots"] if shot.target == target]
    if any(isinstance(e, Allow) for e in s.effects):
        return hurts_much(b, unit, victim, shots)
    number = number_of_stratagem(b.setup.data, row)
    effects = [set_off(number, j, target, "phase") for j in range(len(s.effects))]
    return spares_much(b, unit, victim, shots, effects)


# --- The reactions ----------------------------------------------------------------------------------------------------


async def _carry_out(b: Battle40, row: int, unit: Unit, moment: Moment) -> None:
    s, rule = b.setup.data.stratagems[row], b.system.seam(Detachments).rule
    number = number_of_stratagem(b.setup.data, row)
    for j, effect in enumerate(s.effects):
        if is_at_once(effect):
            occasion = _occasion(effect, unit, moment) if effect.at else Occasion("", unit.id)
            await carry_out(b, Cause(number, s, unit.id, occasion, s.until), [(j, effect)])
        else:
            # A die on something that lasts is rolled when it matters.
            until = attacks_of(moment.unit) if s.until == "attacks" else s.until
            b.add_effect(set_off(number, j, unit.id, until, rule))


def reactions(detachments: Detachments) -> tuple[Reaction, ...]:
    """All Stratagems of detachments, trigger by trigger."""
    return tuple(_reaction(detachments, trigger) for trigger in TRIGGERS)


def _value(row: int, unit: int) -> str:
    """How an option names the use of a Stratagem on a unit."""
    return f"{row}:{unit}"


def _read(value: Value) -> tuple[int, int]:
    row, unit = str(value).split(":")
    return int(row), int(unit)


def _reaction(detachments: Detachments, trigger: str) -> Reaction:
    cards = detachments.cards

    def guard(b: Battle40, player: int, moment: Moment) -> bool:
        found = waiting(b, player, trigger)
        phase = b.state.game.phase
        return bool(found) and any(phase in s.phases and cards.usable(b, player, s) for _, s in found)

    def uses(b: Battle40, player: int, moment: Moment) -> list[Option]:
        return [
            Option(_value(row, unit.id), f"{stratagem.name} for {unit.name}", f"{stratagem.cost}CP", unit=unit.id)
            for row, stratagem in waiting(b, player, trigger)
            if cards.usable(b, player, stratagem)
            for unit in targets(b, player, trigger, moment, row, stratagem)
        ]

    async def flow(b: Battle40, player: int, moment: Moment, value: Value) -> None:
        row, unit = _read(value)
        if await use(b, cards, player, card(detachments, b.setup.data.stratagems[row]), unit):
            await _carry_out(b, row, b.unit(unit), moment)

    def worth(b: Battle40, player: int, moment: Moment, value: Value) -> bool:
        return is_worth_it(b, player, trigger, moment, value)

    return Reaction(NAME, trigger, flow, guard, uses, worth, rules=(detachments.rule,))
