"""Models that shoot or fight once more when they are destroyed.

The die is rolled when a model falls. It acts once its attackers are done, or at the latest when the phase ends, and is
then removed for good.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.armies.effects import Allowed
from sandtable.battle import GONE, TABLE, Effect, Moment, Option, Reaction, Value
from sandtable.battle.acting import Gone
from sandtable.battle.rolls import Each
from sandtable.forty.effects.at_work import changes_model
from sandtable.forty.effects.moments import FIGHT
from sandtable.forty.effects.permissions import allowances
from sandtable.forty.effects.words import Deeds
from sandtable.forty.moments import ATTACKS_MADE, MODEL_DESTROYED, PHASE_ENDED
from sandtable.forty.state import Battle40, Unit, World40, model_label
from sandtable.table.moves import Code, may_end, obstacles

SHOOT: Final[Allowed] = "shoot_when_destroyed"
FIGHT_ON: Final[Allowed] = "fight_when_destroyed"
ALL_FACES: Final = 6
WAITS: Final = "last_stand"
"""Kind of effect: a destroyed model, in its value, will act once more."""


# --- A model falls ----------------------------------------------------------------------------------------------------


def what_it_may(w: World40, unit: Unit, moment: Moment) -> list[tuple[Allowed, int, str]]:
    """What a falling model may still do: the permission, the die it needs, and the ability's name.

    Where an edition tells of a model that no attack destroyed it, it did not fall in melee.
    """
    model, attacked = int(moment.data["model"]), bool(moment.data.get("attack", True))
    found = []
    for what in (FIGHT_ON, SHOOT):
        if what not in w.system.seam(Deeds).last_stand:  # this edition does not play it, and says so in its report
            continue
        if what == FIGHT_ON and (w.state.game.phase != FIGHT or unit.fought):
            continue
        for active in allowances(w, unit, what):
            in_time = "melee" not in active.effect.when or (attacked and w.state.game.phase == FIGHT)
            if in_time and changes_model(w, active, model):
                found.append((what, active.effect.die, active.name))
                break
    return found


def _falls(b: Battle40, player: int, moment: Moment) -> bool:
    if not b.setup.data.abilities and not b.state.effects:
        return False
    unit = b.unit(moment.unit)
    return unit.player == player and moment.data["model"] not in unit.last_stand


def _ways(b: Battle40, player: int, moment: Moment) -> list[Option]:
    return [Option(what, name) for what, _, name in what_it_may(b, b.unit(moment.unit), moment)[:1]]


async def _roll(b: Battle40, player: int, moment: Moment, value: Value) -> None:
    unit, model, deeds = b.unit(moment.unit), int(moment.data["model"]), b.system.seam(Deeds)
    for what, die, name in what_it_may(b, unit, moment)[:1]:
        read = Each("it fights on/it does not" if what == FIGHT_ON else "it shoots/it does not", needed=die)
        if die and not deeds.in_range(b.roll_one(name, player, rules=(deeds.source,), read=read), die, ALL_FACES):
            continue
        b.add_effect(Effect(WAITS, unit.id, model, condition=what, source=deeds.source, until="phase"))
        act = "fight" if what == FIGHT_ON else "shoot"
        b.tell("last_stand", f"{name}: {model_label(b, unit, model)} will still {act}.", deeds.source, units=[unit.id])


# --- It acts once more ------------------------------------------------------------------------------------------------


def _anybody(b: Battle40, player: int, moment: Moment) -> bool:
    effects = b.state.effects
    return bool(effects) and any(e.kind == WAITS and b.unit(e.unit).player == player for e in effects)


def _who(b: Battle40, player: int, moment: Moment) -> list[Option]:
    waiting = [e for e in b.state.effects if e.kind == WAITS and b.unit(e.unit).player == player]
    return [Option(f"{u}:{what}", b.unit(u).name) for u, what in dict.fromkeys((e.unit, e.condition) for e in waiting)]


async def _act(b: Battle40, player: int, moment: Moment, value: Value) -> None:
    """The destroyed models of a unit act together, and are removed."""
    number, what = str(value).split(":")
    unit = b.unit(int(number))
    mine = [e for e in b.state.effects if e.kind == WAITS and e.unit == unit.id and e.condition == what]
    b.end_effects(lambda e: e in mine)
    models = [m for m in (int(e.value) for e in mine) if has_room(b, m)]
    if not models:
        return
    b.place_models(models, TABLE)
    b.set_unit(unit, last_stand=tuple(models))
    try:
        await b.system.seam(Deeds).last_stand[what](b, unit)
    except Gone:
        lie_down(b, unit)
        raise
    lie_down(b, unit)


def has_room(w: World40, model: int) -> bool:
    """Whether the place where a model fell is still free."""
    if w.state.models.place[model] != GONE:
        return False
    blocks = obstacles(len(w.state.models.place), w.terrain, end_block=np.asarray(w.state.models.place == TABLE))
    spot = np.array([[*w.state.models.pos[model], w.state.models.facing[model]]], dtype=np.int64)
    return bool(may_end(w.bodies, w.shapes, w.terrain, model, spot, blocks)[0, 0] == Code.OK)


def lie_down(b: Battle40, unit: Unit) -> None:
    """The models are removed for good."""
    here = [m for m in unit.last_stand if b.state.models.place[m] == TABLE]
    b.set_unit(unit, last_stand=())
    b.place_models(here, GONE)


def reactions(deeds: Deeds) -> tuple[Reaction, ...]:
    """What happens when a model falls, and when it acts once more."""
    rules = (deeds.source,)
    return (
        Reaction("Last stand", MODEL_DESTROYED, _roll, _falls, _ways, mandatory=True, rules=rules),
        *(
            Reaction("Last stand", trigger, _act, _anybody, _who, mandatory=True, rules=rules)
            for trigger in (ATTACKS_MADE, PHASE_ENDED)
        ),
    )
