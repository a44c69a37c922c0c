"""Who can use an ability at a moment, and on whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from sandtable.armies.effects import (
    HAS_MOMENT,
    Allow,
    AnyEffect,
    Characteristic,
    Cost,
    Critical,
    Damage,
    FeelNoPain,
    Invulnerable,
    Modify,
    Reroll,
    WeaponAbility,
    Within,
)
from sandtable.battle import GONE
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.conditions import about_attack, hold_for_attack, hold_for_unit, of_keywords, read
from sandtable.forty.effects.index import ABILITY, numbered, referred
from sandtable.forty.effects.limits import is_done, is_left
from sandtable.forty.effects.occasions import Occasion, Use, abilities_at, at_moment, branches, is_optional
from sandtable.forty.effects.reach import models_that_reach, use_reaches
from sandtable.forty.effects.words import AttackMade, Deeds, Words, deed_name
from sandtable.forty.state import Unit, World40
from sandtable.kit.seeing import visible
from sandtable.table.grid import steps

AT_ONCE: Final = (*HAS_MOMENT, Cost)
"""What is done and over; everything else lasts until its `until`."""
ON_ATTACKS: Final = (Reroll, Modify, Critical, WeaponAbility, FeelNoPain, Invulnerable, Damage)
LEAVES: Final = ("into_reserves", "redeploy")
"""Permissions that are used at once."""
FIGHT_NEAR: Final = steps(8)
"""Nobody further away than that gets into a fight by piling in and consolidating."""
OF_THE_ARMY: Final = ("army", "enemy", "enemies", "target")
OF_THE_UNIT: Final = (
    "moved",
    "moved_over",
    "charged",
    "select_to_shoot",
    "shot",
    "select_to_fight",
    "killed",
    "slew",
)
"""Moments that belong to the unit that acts."""
SUFFERED: Final = ("wounded", "bereaved")
"""Moments of those whom enemies have attacked."""
AFTER_ATTACKS: Final = ("shot", "killed", "slew", *SUFFERED)
"""Moments at which conditions about an attack mean the attacks that have just been made."""
OF_THE_FALLEN: Final = ("death_phase_end", "slain")
"""Moments of those who have fallen, or are about to."""
OFF_TABLE: Final = ("movement", "targeted", "battle_start", "death_phase_end")
"""Moments at which a bearer need not be on the battlefield to help itself."""


# --- Who uses it ------------------------------------------------------------------------------------------------------


def uses_at(w: World40, player: int, occasion: Occasion, *, optional: bool) -> Iterator[Use]:
    """What a player can, or must, use at a moment."""
    for number in abilities_at(w, player, occasion.at):
        ability = w.setup.data.abilities[number]
        if is_optional(ability, occasion.at) != optional:
            continue
        for bearer in users(w, number, occasion):
            for branch in branches(ability, occasion.at):
                use = Use(number, bearer, branch)
                if is_left(w, use, occasion) and can_matter(w, use, occasion):
                    yield use


def users(w: World40, number: int, occasion: Occasion) -> list[int]:
    """The units that use an ability at a moment; [-1] for what an army does as a whole."""
    ability = w.setup.data.abilities[number]
    effects = at_moment(ability, occasion.at) or [x for x in enumerate(ability.effects) if x[1].at == occasion.at]
    if occasion.at in OF_THE_FALLEN:
        fallen = [m for m in ability.models if m in occasion.fallen]
        return list(dict.fromkeys(int(w.state.models.unit[m]) for m in fallen))
    alive = w.system.seam(Words).bearing(w, ability)
    if not alive:
        return []
    if ability.unit < 0 and all(e.who in OF_THE_ARMY and not e.within for _, e in effects):
        return [-1] if _somebody_may(w, alive, effects) else []
    units = list(dict.fromkeys(int(w.state.models.unit[m]) for m in alive))
    on_itself = all(e.who in ("model", "unit", "led") for _, e in effects)
    if occasion.at not in OFF_TABLE or not on_itself:
        units = [u for u in units if any(m in ability.models for m in map(int, w.on_table(w.unit(u))))]
    if occasion.at in OF_THE_UNIT or (occasion.at in (*SUFFERED, "targeted") and on_itself):
        units = [u for u in units if u == occasion.unit]
    if occasion.at == "enemy_moved":
        units = [u for u in units if any(_near(w, ability, u, occasion.unit, e.within) for _, e in effects)]
    return [u for u in units if all(hold_for_unit(w, e.bearer, _as_moved(w.unit(u), occasion)) for _, e in effects)]


def _as_moved(unit: Unit, occasion: Occasion) -> Unit:
    """A unit as it has just moved: what it did before in the turn is not asked when a move has ended."""
    return msgspec.structs.replace(unit, moved=occasion.move) if occasion.move else unit


def _somebody_may(w: World40, alive: Sequence[int], effects: Sequence[tuple[int, AnyEffect]]) -> bool:
    """Whether a unit on the battlefield is one that the whole army needs for what it does; most needs none."""
    needed = {e.bearer for _, e in effects if e.bearer}
    units = dict.fromkeys(int(w.state.models.unit[m]) for m in alive) if needed else ()
    here = [u for u in map(w.unit, units) if w.is_on_table(u)]
    return all(any(hold_for_unit(w, conditions, u) for u in here) for conditions in needed)


def _near(w: World40, ability: Ability, one: int, other: int, far: Within) -> bool:
    return w.is_on_table(w.unit(other)) and use_reaches(w, ability, w.unit(one), w.unit(other), far)


def can_matter(w: World40, use: Use, occasion: Occasion) -> bool:
    """Whether a use would do anything: one of the things that are done at once, or else one that lasts."""
    ability = w.setup.data.abilities[use.ability]
    effects = at_moment(ability, occasion.at, use.branch)
    done = [(j, e) for j, e in effects if is_at_once(e)]
    if not done and use.bearer >= 0 and w.option("windows") != "all" and _comes_to_nothing(w, use.bearer, occasion.at):
        return False
    return any(candidates(w, ability, e, use.bearer, occasion) for _, e in done or effects)


def _comes_to_nothing(w: World40, bearer: int, at: str) -> bool:
    """Whether what lasts for a while cannot matter: far from any fight, or on the table when it is about arriving."""
    unit = w.unit(bearer)
    if at == "fight":
        near = w.system.seam(Words).within
        return not any(w.is_on_table(e) and near(w, unit, e, FIGHT_NEAR) for e in w.enemies_of(unit.player))
    return at == "movement" and not unit.reserve and w.is_on_table(unit)


def is_at_once(effect: AnyEffect) -> bool:
    """Whether an effect is done and over."""
    return isinstance(effect, AT_ONCE) or (isinstance(effect, Allow) and effect.what in LEAVES)


# --- On whom ----------------------------------------------------------------------------------------------------------


def candidates(
    w: World40, source: Ability | DetachmentStratagem, effect: AnyEffect, bearer: int, occasion: Occasion
) -> list[Unit]:
    """The units that an effect would work on, or of which one is chosen."""
    found = [u for u in _named(w, source, effect, bearer, occasion) if fits(w, effect, u, occasion, source.name)]
    if is_at_once(effect):
        found = [u for u in found if not is_done(w, source, effect, u.id, occasion)]
    if not effect.nearest or bearer < 0:
        return found
    far = {u.id: w.distance(w.unit(bearer), u) for u in found}
    return [u for u in found if far[u.id] == min(far.values())]


def _named(
    w: World40, source: Ability | DetachmentStratagem, effect: AnyEffect, bearer: int, occasion: Occasion
) -> Sequence[Unit]:
    """The units that `who` names."""
    player = source.player
    match effect.who:
        case "model" | "unit":
            return [w.unit(bearer)]
        case "led":
            return [w.unit(bearer)] if w.system.seam(Words).led(w, w.unit(bearer)) else []
        case "army":
            return [u for u in w.units_of(player) if any(w.state.models.place[m] != GONE for m in u.models)]
        case "friends" | "friend":
            near = [u for u in w.friends_of(player) if _in_reach(w, source, u, effect, bearer)]
            return [u for u in near if occasion.at not in (*SUFFERED, "targeted") or u.id == occasion.unit]
        case "enemies" | "enemy":
            near = [u for u in w.enemies_of(player) if _in_reach(w, source, u, effect, bearer)]
            return [u for u in near if occasion.at != "targeted" or u.id == occasion.unit]
        case "everyone":
            return [u for u in w.units() if _is_around(w, source, u, effect, bearer, occasion)]
        case _:
            return [w.unit(t) for t in _struck(source, effect, occasion) if w.is_on_table(w.unit(t))]


def _struck(source: Ability | DetachmentStratagem, effect: AnyEffect, occasion: Occasion) -> Sequence[int]:
    """Who was hit, moved over or destroyed; with `own` only those whom a bearer itself hit."""
    if not effect.own or not isinstance(source, Ability):
        return occasion.targets
    return [t for t in occasion.targets if any((t, m) in occasion.hitters for m in source.models)]


def _in_reach(w: World40, source: Ability | DetachmentStratagem, unit: Unit, effect: AnyEffect, bearer: int) -> bool:
    if not w.is_on_table(unit):
        return False
    return not effect.within or unit.id == bearer or use_reaches(w, source, w.unit(bearer), unit, effect.within)


def _is_around(
    w: World40, source: Ability | DetachmentStratagem, unit: Unit, effect: AnyEffect, bearer: int, occasion: Occasion
) -> bool:
    """Whether a unit is within reach of who fell, or of the bearer; who fell is no part of it any more."""
    wounds = w.state.models.wounds
    others = [m for m in map(int, w.on_table(unit)) if m not in occasion.fallen and wounds[m] > 0]
    if not occasion.fallen:
        return bool(others) and _in_reach(w, source, unit, effect, bearer)
    return bool(others) and bool(models_that_reach(w, others, occasion.fallen, effect.within).any())


def fits(w: World40, effect: AnyEffect, unit: Unit, occasion: Occasion, name: str = "") -> bool:
    """Whether a unit has the keywords, and the conditions hold that are judged now."""
    if effect.only and not w.system.seam(Words).has_keyword(w, unit, effect.only):
        return False
    if effect.fresh and is_lasting(w, unit, name):
        return False
    if effect.visible and occasion.unit >= 0 and not visible(w, w.unit(occasion.unit), unit).any():
        return False
    if occasion.at in AFTER_ATTACKS and not _on_attacks_to_come(effect) and not _fits_attacks(w, effect, occasion):
        return False
    if not is_at_once(effect):
        return hold_for_unit(w, of_keywords(effect.when), unit)
    return hold_for_unit(w, effect.when, unit) and is_useful(w, effect, unit)


def is_lasting(w: World40, unit: Unit, name: str) -> bool:
    """Whether something lasts on a unit that an ability of a name set off."""
    found = [e for e in w.state.effects if e.kind == ABILITY and e.unit == unit.id]
    return any(numbered(w.setup.data, referred(w.setup.data, str(e.value))[0]).name == name for e in found)


def is_useful(w: World40, effect: AnyEffect, unit: Unit) -> bool:
    """Whether something that is done at once would change anything for a unit."""
    deed = w.system.seam(Deeds).by_name.get(deed_name(effect))
    return deed is None or deed.is_useful(w, effect, unit)


def _on_attacks_to_come(effect: AnyEffect) -> bool:
    """Whether an effect changes attacks, so that its conditions mean those, not the ones that have been made."""
    return isinstance(effect, ON_ATTACKS) or (isinstance(effect, Characteristic) and bool(effect.weapons))


def _fits_attacks(w: World40, effect: AnyEffect, occasion: Occasion) -> bool:
    """Conditions about the attacks that have just been made."""
    rest, has = [], w.system.seam(Words).model_has_keyword
    for text in effect.when:
        condition = read(text)
        if occasion.at in ("killed", "slew") and condition.name == "target_keyword":
            words = condition.value.split("/")
            if any(has(w, m, word) for m in occasion.fallen for word in words) != condition.wanted:
                return False
        else:
            rest.append(text)
    suffered = occasion.at in SUFFERED
    attacker, target = (occasion.by, occasion.unit) if suffered else (occasion.unit, max((*occasion.targets, -1)))
    if target < 0:
        return not about_attack(effect.when)
    return hold_for_attack(w, tuple(rest), AttackMade(attacker, target, occasion.melee, suffered=suffered))
