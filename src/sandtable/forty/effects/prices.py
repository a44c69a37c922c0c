"""What abilities change about a Stratagem when it is used on a unit: its price, a Command point back, a second use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from sandtable.armies.effects import Allow, Allowed, Cost, GainCp
from sandtable.battle import Confirm
from sandtable.battle.kept import SETUP, kept
from sandtable.battle.rolls import Each
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.limits import is_left, spend
from sandtable.forty.effects.occasions import Occasion, Use, abilities_at, describe
from sandtable.forty.effects.targets import candidates, users
from sandtable.forty.effects.words import Deeds
from sandtable.forty.state import Battle40, World40

TARGETED: Final = "targeted"
ALL_FACES: Final = 6
SECTION: Final = ": "
"""Between the name of a Stratagem and that of a part of it that costs more."""
SHARED: Final[Allowed] = "shared_stratagem"
SPARED: Final[Allowed] = "spared_stratagem"
AGAIN: Final = (SHARED, SPARED)


class Change(NamedTuple):
    """An ability that changes the price of a Stratagem for one unit."""

    use: Use
    effect: Cost


def changes(w: World40, player: int, name: str, unit: int) -> Iterator[Change]:
    """The abilities, of either side, that change what a Stratagem costs for a unit; bearers who share a use, once."""
    found: set[tuple[int, str]] = set()
    for p in w.state.players:
        numbers = abilities_at(w, p.id, TARGETED) if w.setup.data.abilities else ()
        for number in numbers:
            ability = w.setup.data.abilities[number]
            for effect in ability.effects:
                if isinstance(effect, Cost) and effect.at == TARGETED and effect.stratagem in ("", name, whole(name)):
                    for change in _by(w, number, ability, effect, player, unit):
                        if not effect.shared or (p.id, ability.name) not in found:
                            found.add((p.id, ability.name))
                            yield change


def whole(name: str) -> str:
    """The name of a Stratagem without that of a part which costs more."""
    return name.partition(SECTION)[0]


def _by(w: World40, number: int, ability: Ability, effect: Cost, player: int, unit: int) -> Iterator[Change]:
    """One ability, if one of its bearers has it for this unit."""
    occasion = Occasion(TARGETED, unit)
    if (ability.player == player) != (effect.who != "enemies"):
        return
    for bearer in users(w, number, occasion):
        use = Use(number, bearer)
        if is_left(w, use, occasion) and any(u.id == unit for u in candidates(w, ability, effect, bearer, occasion)):
            yield Change(use, effect)
            return


def price(w: World40, player: int, name: str, cost: int, unit: int, *, optional: bool = True) -> int:
    """What a Stratagem costs for a unit, with or without what its player may decline."""
    if unit < 0 or not w.setup.data.abilities:
        return cost
    for change in changes(w, player, name, unit):
        # What an enemy may do is not known before the Stratagem is used.
        if not change.effect.optional or (optional and not _is_foes(change)):
            cost = _changed(cost, change.effect)
    return max(0, cost)


def _is_foes(change: Change) -> bool:
    """Whether an ability of the other side changes the price."""
    return change.effect.who == "enemies"


def _changed(cost: int, effect: Cost) -> int:
    return effect.to if effect.to is not None else cost + effect.add


def lowest_price(w: World40, player: int, name: str, cost: int) -> int:
    """The least that a Stratagem can cost for any unit, by flags alone."""
    if not w.setup.data.abilities:
        return max(0, cost)
    return _lowest_price(w, player, name, cost)


@kept(SETUP)
def _lowest_price(w: World40, player: int, name: str, cost: int) -> int:
    for number in abilities_at(w, player, TARGETED):
        for effect in w.setup.data.abilities[number].effects:
            if isinstance(effect, Cost) and effect.stratagem in ("", name, whole(name)):
                cost = min(cost, _changed(cost, effect))
    return max(0, cost)


async def settle_price(b: Battle40, player: int, name: str, cost: int, unit: int) -> int:
    """What a Stratagem costs now; whoever may change the price is asked, unless it could not be paid without."""
    if unit < 0 or not b.setup.data.abilities:
        return cost
    found = list(changes(b, player, name, unit))
    for i, change in enumerate(found):
        changed = _changed(cost, change.effect)
        if changed == cost or (cost <= 0 and changed < cost):
            continue
        without = _in_the_end(cost, found[i + 1 :])
        if change.effect.optional and not await _wanted(b, player, name, without, change):
            continue
        spend(b, change.use, Occasion(TARGETED, unit))
        told = f"{describe(b, change.use)}: {name} costs {max(0, changed)}CP."
        b.tell("price", told, b.system.seam(Deeds).source, units=[unit], cost=max(0, changed))
        cost = changed
    return max(0, cost)


def _in_the_end(cost: int, later: Iterable[Change]) -> int:
    """What the price comes to when everything else that may be declined is."""
    for change in later:
        if not change.effect.optional:
            cost = _changed(cost, change.effect)
    return cost


async def _wanted(b: Battle40, player: int, name: str, without: int, change: Change) -> bool:
    foes = _is_foes(change)
    if not foes and b.player(player).cp < without:
        return True
    asked = b.setup.data.abilities[change.use.ability].player if foes else player
    return await b.ask(
        Confirm(
            player=asked,
            kind="use_ability",
            prompt=f"Use {describe(b, change.use)} to make {name} {'dearer' if foes else 'cheaper'}?",
            default=True,
            rules=(b.system.seam(Deeds).source,),
            unit=change.use.bearer,
        )
    )


def give_back(b: Battle40, player: int, unit: int) -> None:
    """Abilities that give Command points back once a Stratagem was used on a unit."""
    occasion = Occasion(TARGETED, unit)
    numbers = abilities_at(b, player, TARGETED) if unit >= 0 and b.setup.data.abilities else ()
    for number in numbers:
        ability = b.setup.data.abilities[number]
        for effect in ability.effects:
            if not isinstance(effect, GainCp) or effect.at != TARGETED:
                continue
            for bearer in users(b, number, occasion):
                if any(u.id == unit for u in candidates(b, ability, effect, bearer, occasion)):
                    _roll_for_it(b, ability, effect)


def _roll_for_it(b: Battle40, ability: Ability, effect: GainCp) -> None:
    player, deeds = b.player(ability.player), b.system.seam(Deeds)
    if effect.die:
        read = Each(f"{effect.value} CP/nothing", needed=effect.die)
        face = b.roll_one(ability.name, player.id, rules=(deeds.source,), read=read)
        if not deeds.in_range(face, effect.die, ALL_FACES):
            return
    deeds.gain_points(b, player, effect.value, deeds.source)


# --- A second use in a phase ------------------------------------------------------------------------------------------


def can_be_shared(w: World40, player: int, name: str, unit: int = -1, what: Allowed = SHARED) -> bool:
    """Whether an ability lets a Stratagem be used again in a phase, on a certain unit or on any."""
    numbers = abilities_at(w, player, TARGETED) if w.setup.data.abilities else ()
    for number in numbers:
        ability = w.setup.data.abilities[number]
        meant = [e.stratagem for e in ability.effects if isinstance(e, Cost)]
        shared = any(isinstance(e, Allow) and e.what == what for e in ability.effects)
        if shared and whole(name) in meant and (unit < 0 or unit in users(w, number, Occasion(TARGETED, unit))):
            return True
    return False


def that_count(w: World40, player: int, used: Sequence[str]) -> list[str]:
    """The Stratagems that a player has used in a phase, but for the uses that keep no other unit from them.

    `used` names each of them twice: by its name, and with its unit behind an @.
    """
    left = [use for use in used if "@" not in use]
    for name, _, unit in (use.rpartition("@") for use in used if "@" in use):
        if name in left and int(unit) >= 0 and can_be_shared(w, player, name, int(unit), SPARED):
            left.remove(name)
    return left
