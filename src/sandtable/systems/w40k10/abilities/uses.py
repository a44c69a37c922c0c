"""Uses of abilities: which can be used at a moment, by whom, on whom, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sandtable.armies.effects import (
    Allow,
    AnyEffect,
    BattleShock,
    Characteristic,
    Cost,
    Critical,
    Damage,
    FeelNoPain,
    GainCp,
    Heal,
    Invulnerable,
    Modify,
    MortalWounds,
    Move,
    Reanimate,
    Reroll,
    ReturnModels,
    WeaponAbility,
    Within,
)
from sandtable.battle import GONE
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.conditions import hold_for_attack, hold_for_unit, read
from sandtable.forty.effects.index import numbered
from sandtable.forty.effects.reach import use_reaches
from sandtable.forty.effects.words import AttackMade, Words
from sandtable.forty.state import is_led
from sandtable.systems.w40k10.concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k10.state import Battle10, Unit, World10

AT_ONCE: Final = (GainCp, Cost, MortalWounds, Heal, Reanimate, ReturnModels, Move, BattleShock)
"""What is done and over; everything else lasts until its `until`."""
ON_ATTACKS: Final = (Reroll, Modify, Critical, WeaponAbility, FeelNoPain, Invulnerable, Damage)
LEAVES: Final = ("into_reserves", "redeploy")
"""Permissions that are used at once."""
FIGHT_NEAR: Final = ("enemy_within:8",)
"""Nobody further away gets into a fight by Piling In and Consolidating."""
OF_THE_ARMY: Final = ("army", "enemy", "enemies", "target")
OF_THE_UNIT: Final = (
    "moved",
    "moved_over",
    "charged",
    "select_to_shoot",
    "shot",
    "select_to_fight",
    "killed",
)
"""Moments that belong to the unit that acts."""
AFTER_ATTACKS: Final = ("shot", "killed", "wounded")
"""Moments at which conditions about an attack mean the attacks that have just been made."""
OFF_TABLE: Final = ("movement", "targeted", "battle_start", "death_phase_end")
"""Moments at which a bearer need not be on the battlefield to help itself."""


class Occasion(NamedTuple):
    """A moment, and what it is about."""

    at: str
    unit: int = -1
    """The unit that acts; for `wounded` the one that was hurt, for `enemy_moved` the enemy."""
    by: int = -1
    """The unit that attacked, where somebody was hurt."""
    targets: tuple[int, ...] = ()
    """The enemy units that were hit, moved over or destroyed."""
    melee: bool = False
    fallen: tuple[int, ...] = ()
    """The models that were destroyed."""


class Use(NamedTuple):
    """One way of using an ability at a moment."""

    ability: int
    bearer: int
    """The unit that uses it; -1 for a rule that the whole army uses together."""
    branch: str = ""

    @property
    def value(self) -> str:
        return f"{self.ability}:{self.bearer}:{self.branch}"


def read_use(value: str) -> Use:
    """A use from the value of its option."""
    ability, bearer, branch = value.split(":", 2)
    return Use(int(ability), int(bearer), branch)


# --- The index --------------------------------------------------------------------------------------------------------


def abilities_at(w: World10, player: int, at: str) -> tuple[int, ...]:
    """The numbers of the abilities of a player that wait for a moment; looked up once for the whole battle."""
    return w.fixed("abilities at moments", lambda: _by_moment(w)).get((player, at), ())


def _by_moment(w: World10) -> dict[tuple[int, str], tuple[int, ...]]:
    found: dict[tuple[int, str], list[int]] = {}
    for number, carried in enumerate(w.setup.data.abilities):
        for at in dict.fromkeys(e.at for e in carried.effects if e.at):
            found.setdefault((carried.player, at), []).append(number)
    return {key: tuple(numbers) for key, numbers in found.items()}


def at_moment(carried: Ability, at: str, branch: str = "") -> list[tuple[int, AnyEffect]]:
    """The effects of an ability at a moment with their numbers: those of a branch, and those that belong to all."""
    return [(j, e) for j, e in enumerate(carried.effects) if e.at == at and e.branch in ("", branch)]


def is_optional(carried: Ability, at: str) -> bool:
    """Whether its player may decline the ability at a moment; what offers branches is asked about in any case."""
    return any(e.at == at and e.optional for e in carried.effects)


def branches(carried: Ability, at: str) -> list[str]:
    """The branches that an ability offers at a moment; one without a name where it offers none."""
    return list(dict.fromkeys(e.branch for e in carried.effects if e.at == at and e.branch)) or [""]


# --- How often --------------------------------------------------------------------------------------------------------


def limit_of(carried: Ability, at: str, branch: str) -> AnyEffect | None:
    """The effect that limits how often the ability is used."""
    return next((e for _, e in at_moment(carried, at, branch) if e.once), None)


def _key(w: World10, use: Use, at: str) -> tuple[str, int]:
    """What is counted for a limited use, and how many uses there are."""
    carried = w.setup.data.abilities[use.ability]
    limit = limit_of(carried, at, use.branch)
    if limit is None:
        return "", 0
    which = carried.name if limit.shared else f"{use.ability}@{use.bearer}"
    return f"{limit.once}|{which}/{use.branch}", pieces(w, carried) if carried.item and not limit.shared else 1


def pieces(w: World10, carried: Ability) -> int:
    """How many pieces of wargear give an ability: each of them can be used so often."""
    roster = w.setup.data.roster
    if not roster or carried.unit < 0:
        return len(carried.models)
    return sum(items.count(carried.item) for items in roster[carried.unit].wargear)


def is_left(w: World10, use: Use, occasion: Occasion) -> bool:
    """Whether an ability has uses left, and was not used at this very moment."""
    carried = w.setup.data.abilities[use.ability]
    spent = w.player(carried.player).spent
    key, most = _key(w, use, occasion.at)
    if key and spent.count(key) >= most:
        return False
    return spent.count(_now(use, occasion)) < max(1, carried.choose)


def _now(use: Use, occasion: Occasion) -> str:
    """What stands for a use at this very moment; Stratagems come and go, so that no moment is like another."""
    if occasion.at == "targeted":
        return ""
    return f"phase|{use.ability}@{use.bearer}@{occasion.at}@{occasion.unit}@{occasion.by}"


def spend(b: Battle10, use: Use, occasion: Occasion) -> None:
    """Remember a use."""
    player = b.player(b.setup.data.abilities[use.ability].player)
    key, _ = _key(b, use, occasion.at)
    more = tuple(k for k in (key, _now(use, occasion)) if k)
    if more:
        b.set_player(player, spent=(*player.spent, *more))


# --- Who uses it ------------------------------------------------------------------------------------------------------


def uses_at(w: World10, player: int, occasion: Occasion, *, optional: bool) -> Iterator[Use]:
    """What a player can, or must, use at a moment."""
    for number in abilities_at(w, player, occasion.at):
        carried = w.setup.data.abilities[number]
        if is_optional(carried, occasion.at) != optional:
            continue
        for bearer in users(w, number, occasion):
            for branch in branches(carried, occasion.at):
                use = Use(number, bearer, branch)
                if is_left(w, use, occasion) and can_matter(w, use, occasion):
                    yield use


def users(w: World10, ability: int, occasion: Occasion) -> list[int]:
    """The units that use an ability at a moment; [-1] for what an army does as a whole."""
    carried = w.setup.data.abilities[ability]
    effects = at_moment(carried, occasion.at) or [x for x in enumerate(carried.effects) if x[1].at == occasion.at]
    if occasion.at == "death_phase_end":
        fallen = [m for m in carried.models if m in occasion.fallen]
        return list(dict.fromkeys(int(w.state.models.unit[m]) for m in fallen))
    alive = w.system.seam(Words).bearing(w, carried)
    if not alive:
        return []
    if carried.unit < 0 and all(e.who in OF_THE_ARMY and not e.within for _, e in effects):
        return [-1]
    units = list(dict.fromkeys(int(w.state.models.unit[m]) for m in alive))
    on_itself = all(e.who in ("model", "unit", "led") for _, e in effects)
    if occasion.at not in OFF_TABLE or not on_itself:
        units = [u for u in units if any(m in carried.models for m in map(int, w.on_table(w.unit(u))))]
    if occasion.at in OF_THE_UNIT or (occasion.at in ("wounded", "targeted") and on_itself):
        units = [u for u in units if u == occasion.unit]
    if occasion.at == "enemy_moved":
        units = [u for u in units if any(_near(w, carried, u, occasion.unit, e.within) for _, e in effects)]
    return [u for u in units if all(hold_for_unit(w, e.bearer, w.unit(u)) for _, e in effects)]


def _near(w: World10, carried: Ability, one: int, other: int, far: Within) -> bool:
    return w.is_on_table(w.unit(other)) and use_reaches(w, carried, w.unit(one), w.unit(other), far)


def can_matter(w: World10, use: Use, occasion: Occasion) -> bool:
    """Whether a use would do anything: one of the things that are done at once, or else one that lasts."""
    carried = w.setup.data.abilities[use.ability]
    effects = at_moment(carried, occasion.at, use.branch)
    done = [(j, e) for j, e in effects if is_at_once(e)]
    if not done and use.bearer >= 0 and w.option("windows") != "all" and _comes_to_nothing(w, use.bearer, occasion.at):
        return False
    return any(candidates(w, carried, e, use.bearer, occasion) for _, e in done or effects)


def _comes_to_nothing(w: World10, bearer: int, at: str) -> bool:
    """Whether what lasts for a while cannot matter: far from any fight, or on the table when it is about arriving."""
    unit = w.unit(bearer)
    if at == "fight":
        return not hold_for_unit(w, FIGHT_NEAR, unit)
    return at == "movement" and not unit.reserve and w.is_on_table(unit)


def is_at_once(effect: AnyEffect) -> bool:
    """Whether an effect is done and over."""
    return isinstance(effect, AT_ONCE) or (isinstance(effect, Allow) and effect.what in LEAVES)


# --- On whom ----------------------------------------------------------------------------------------------------------


def candidates(
    w: World10, source: Ability | DetachmentStratagem, effect: AnyEffect, bearer: int, occasion: Occasion
) -> list[Unit]:
    """The units that an effect would work on, or of which one is chosen."""
    return [u for u in _named(w, source, effect, bearer, occasion) if fits(w, effect, u, occasion)]


def _named(
    w: World10, source: Ability | DetachmentStratagem, effect: AnyEffect, bearer: int, occasion: Occasion
) -> Sequence[Unit]:
    """The units that `who` names."""
    player = source.player
    match effect.who:
        case "model" | "unit":
            return [w.unit(bearer)]
        case "led":
            return [w.unit(bearer)] if is_led(w, w.unit(bearer)) else []
        case "army":
            return [u for u in w.units_of(player) if any(w.state.models.place[m] != GONE for m in u.models)]
        case "friends" | "friend":
            near = [u for u in w.friends_of(player) if _in_reach(w, source, u, effect, bearer)]
            return [u for u in near if occasion.at not in ("wounded", "targeted") or u.id == occasion.unit]
        case "enemies" | "enemy":
            near = [u for u in w.enemies_of(player) if _in_reach(w, source, u, effect, bearer)]
            return [u for u in near if occasion.at != "targeted" or u.id == occasion.unit]
        case _:
            return [w.unit(t) for t in occasion.targets if w.is_on_table(w.unit(t))]


def _in_reach(w: World10, source: Ability | DetachmentStratagem, unit: Unit, effect: AnyEffect, bearer: int) -> bool:
    if not w.is_on_table(unit):
        return False
    return not effect.within or unit.id == bearer or use_reaches(w, source, w.unit(bearer), unit, effect.within)


def fits(w: World10, effect: AnyEffect, unit: Unit, occasion: Occasion) -> bool:
    """Whether a unit has the keywords, and the conditions hold that are judged now."""
    if effect.only and not any(has_keyword(w, unit, word) for word in effect.only):
        return False
    if occasion.at in AFTER_ATTACKS and not _on_attacks_to_come(effect) and not _fits_attacks(w, effect, occasion):
        return False
    if not is_at_once(effect):
        return True
    from sandtable.systems.w40k10.abilities.doing import is_useful

    return hold_for_unit(w, effect.when, unit) and is_useful(w, effect, unit)


def _on_attacks_to_come(effect: AnyEffect) -> bool:
    """Whether an effect changes attacks, so that its conditions mean those, not the ones that have been made."""
    return isinstance(effect, ON_ATTACKS) or (isinstance(effect, Characteristic) and bool(effect.weapons))


def _fits_attacks(w: World10, effect: AnyEffect, occasion: Occasion) -> bool:
    """Conditions about the attacks that have just been made."""
    rest = []
    for text in effect.when:
        condition = read(text)
        if occasion.at == "killed" and condition.name == "target_keyword":
            words = condition.value.split("/")
            if any(model_has_keyword(w, m, word) for m in occasion.fallen for word in words) != condition.wanted:
                return False
        else:
            rest.append(text)
    suffered = occasion.at == "wounded"
    attacker, target = (occasion.by, occasion.unit) if suffered else (occasion.unit, max((*occasion.targets, -1)))
    if target < 0:
        return not effect.when
    return hold_for_attack(w, tuple(rest), AttackMade(attacker, target, occasion.melee, suffered=suffered))


def unread_at_moment(effect: AnyEffect) -> str:
    """What of an effect no moment carries out; empty where all of it is."""
    if isinstance(effect, Cost) and effect.at != "targeted":
        return "prices of Stratagems that change for a while"
    if isinstance(effect, Allow) and effect.what in LEAVES and not effect.at:
        return "leaving the battlefield at no moment"
    if isinstance(effect, Allow) and effect.what == "shared_stratagem" and effect.at != "targeted":
        return "another use of a Stratagem for a while"
    shared = isinstance(effect, Allow) and effect.what == "shared_stratagem"
    if effect.at == "targeted" and not isinstance(effect, Cost | GainCp) and not shared:
        return "what happens when a Stratagem is used on a unit"
    if effect.at == "death_phase_end" and not (isinstance(effect, ReturnModels) and effect.who == "model"):
        return "what happens once the bearer has fallen"
    return ""


def describe(w: World10, use: Use) -> str:
    """A use in words."""
    carried = numbered(w.setup.data, use.ability)
    what = f"{carried.name}, {use.branch}" if use.branch else carried.name
    return f"{what} ({w.unit(use.bearer).name})" if use.bearer >= 0 else what
