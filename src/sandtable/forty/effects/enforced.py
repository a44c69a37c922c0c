"""What of the armies' abilities this system does not enforce, so that the players know what they apply themselves.

A pack says of some rules, or of parts of them, that no effect expresses them. Beside those stand effects that the pack
tells and that this system does not read; the functions below decide which, effect by effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from sandtable.armies.effects import (
    Allow,
    AnyEffect,
    BattleShock,
    Characteristic,
    Cost,
    Critical,
    Damage,
    FeelNoPain,
    Forbid,
    GainCp,
    Grant,
    Heal,
    Invulnerable,
    LedLike,
    LendLeadership,
    Mark,
    Modify,
    MortalWounds,
    Move,
    Reanimate,
    Reroll,
    ReturnModels,
    WeaponAbility,
)
from sandtable.armies.enforcement import NotEnforced
from sandtable.battle.system import LeftOut
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.conditions import about_attack, read
from sandtable.forty.effects.core_abilities import COVER
from sandtable.forty.effects.from_lists import raises_wounds
from sandtable.forty.effects.prices import AGAIN
from sandtable.forty.effects.targets import AT_ONCE, LEAVES
from sandtable.forty.state import Data, World40

READ: Final = ""
NOT_READ: Final = "Not read: "
UNKNOWN: Final = ("Left to the players:", "Not reviewed:")
"""How what is said of a rule begins that only tells why it is not enforced."""
CHOSEN: Final = ("friend", "enemy", "target")
IN_ATTACKS: Final = ("hit", "wound", "save", "damage")
MODEL_STATS: Final = ("M", "T", "Sv", "Ld", "OC")
WEAPON_STATS: Final = ("A", "S", "AP", "D", "BS", "WS", "Range")
WITH_DICE: Final = ("A", "D")


@dataclass(frozen=True)
class Enforced:
    """What an edition enforces, where packs may name more."""

    weapon_abilities: tuple[str, ...]
    """Weapon abilities..."""
    before_targets: tuple[str, ...]
    """...and those of them that count before a target is known."""
    granted: tuple[str, ...] = ()
    """Core abilities that can be granted during a battle."""
    rolls: tuple[str, ...] | None = None
    """The rolls that re-rolls and modifiers are read of; None for all."""
    by_target: tuple[str, ...] = IN_ATTACKS
    """Rolls of which effects may depend on whom they are made against."""
    model_stats: tuple[str, ...] = MODEL_STATS
    """Characteristics of models that can change..."""
    weapon_stats: tuple[str, ...] = WEAPON_STATS
    """...and those of weapons."""
    allowed: tuple[str, ...] | None = None
    """What abilities can allow; None for everything."""
    forbidden: tuple[str, ...] | None = None
    """What abilities can forbid; None for everything."""
    core: tuple[str, ...] | None = None
    """Abilities that sheets name, as far as they are read; None for all."""
    moments: tuple[str, ...] | None = None
    """The moments at which abilities do something; None for all."""
    conditions: frozenset[str] | None = None
    """The conditions that are judged; None for all."""
    without: frozenset[str] = frozenset()
    """Words of the vocabulary that mean nothing in this edition, where the lists above leave everything open."""
    without_kinds: frozenset[str] = frozenset()
    """Kinds of effects that are not read."""


def _reroll(enforced: Enforced, e: AnyEffect) -> str:
    assert isinstance(e, Reroll)
    if enforced.rolls is not None and e.roll not in enforced.rolls:
        return f"re-rolls of {e.roll}"
    return (
        f"re-rolls of {e.roll} that depend on an attack" if _depends(e) and e.roll not in enforced.by_target else READ
    )


def _modify(enforced: Enforced, e: AnyEffect) -> str:
    assert isinstance(e, Modify)
    if enforced.rolls is not None and e.roll not in enforced.rolls:
        return f"modifiers of {e.roll}"
    if e.roll == "damage":
        return "modifiers of damage rolls"
    return (
        f"modifiers of {e.roll} that depend on an attack" if _depends(e) and e.roll not in enforced.by_target else READ
    )


def _depends(e: AnyEffect) -> bool:
    """Whether an effect that lasts depends on an attack."""
    return not e.at and about_attack(e.when)


def _characteristic(enforced: Enforced, e: AnyEffect) -> str:
    assert isinstance(e, Characteristic)
    if not e.weapons:
        if e.name == "W":
            return READ if raises_wounds(e) else "Wounds that change during the battle"
        if e.name not in enforced.model_stats:
            return f"changes of {e.name}"
        if e.name != "Sv" and _depends(e):
            return f"{e.name} that depends on the attack"
        return "random changes" if isinstance(e.add, str) else READ
    if e.name not in enforced.weapon_stats:
        return f"changes of {e.name}"
    if isinstance(e.add, str) and e.name not in WITH_DICE:
        return f"random changes of {e.name}"
    depends = tuple(c for c in e.when if c not in ("melee", "ranged"))
    if e.name == "A" and (e.attacks == "suffered" or about_attack(depends)):
        return "Attacks that depend on the target"
    if e.name == "Range" and about_attack(depends):
        return "Range that depends on the target"
    return READ


def _weapon_ability(enforced: Enforced, e: AnyEffect) -> str:
    assert isinstance(e, WeaponAbility)
    if not e.ability.startswith(enforced.weapon_abilities):
        return f"the weapon ability {e.ability}"
    depends = tuple(c for c in e.when if c not in ("melee", "ranged"))
    if e.ability.startswith(enforced.before_targets) and about_attack(depends):
        return f"{e.ability} that depends on the target"
    return READ


def _grant(enforced: Enforced, e: AnyEffect) -> str:
    assert isinstance(e, Grant)
    if _depends(e) and e.ability != COVER:
        return f"granting {e.ability} that depends on an attack"
    return READ if e.ability == COVER or e.ability.startswith(enforced.granted) else f"granting {e.ability}"


def _allow(enforced: Enforced, e: AnyEffect) -> str:
    assert isinstance(e, Allow)
    unknown = enforced.allowed is not None and e.what not in enforced.allowed
    return f"the permission to {e.what.replace('_', ' ')}" if unknown else READ


def _forbid(enforced: Enforced, e: AnyEffect) -> str:
    assert isinstance(e, Forbid)
    unknown = enforced.forbidden is not None and e.what not in enforced.forbidden
    return f"forbidding to {e.what.replace('_', ' ')}" if unknown else READ


def _read(enforced: Enforced, e: AnyEffect) -> str:
    return READ


KINDS: Final[Mapping[type[AnyEffect], Callable[[Enforced, AnyEffect], str]]] = MappingProxyType(
    {
        Reroll: _reroll,
        Modify: _modify,
        Critical: _read,
        Characteristic: _characteristic,
        WeaponAbility: _weapon_ability,
        FeelNoPain: _read,
        Invulnerable: _read,
        Damage: _read,
        Grant: _grant,
        Allow: _allow,
        Forbid: _forbid,
        GainCp: _read,
        Cost: _read,
        MortalWounds: _read,
        Heal: _read,
        Reanimate: _read,
        ReturnModels: _read,
        Move: _read,
        BattleShock: _read,
        LendLeadership: _read,
        LedLike: _read,
        Mark: _read,
    }
)
"""For each kind of effect what of it is not read, in a few words; empty where all of it is."""


def why_unread(enforced: Enforced, effect: AnyEffect) -> str:
    """What of an effect this system does not read; empty where it reads it."""
    if (kind := str(type(effect).__struct_config__.tag)) in enforced.without_kinds:
        return f"effects of the kind {kind.replace('_', ' ')}"
    if unknown := _unknown(enforced, effect):
        return unknown
    if not effect.at and (effect.once or effect.optional or effect.branch or effect.who in CHOSEN):
        return "a choice that belongs to no moment"
    if not effect.at and effect.die and not isinstance(effect, Allow):
        return "a roll that belongs to no moment"
    if about_attack(effect.bearer):
        return "conditions on attacks of the bearer"
    if effect.at and not effect.until and not _done_at_once(effect):
        return "a lasting change without an end"
    return unread_at_moment(effect) or KINDS[type(effect)](enforced, effect)


def _unknown(enforced: Enforced, effect: AnyEffect) -> str:
    """A moment, a condition or another word that an edition does not know; empty where it knows them all."""
    if enforced.moments is not None and effect.at and effect.at not in enforced.moments:
        return f"the moment {effect.at.replace('_', ' ')}"
    conditions = [read(text).name for text in (*effect.when, *effect.bearer)]
    if enforced.conditions is not None:
        for name in conditions:
            if name not in enforced.conditions:
                return f"the condition {name.replace('_', ' ')}"
    words = [
        "own" if effect.own else "",
        type(effect).__struct_config__.tag,
        getattr(effect, "roll", ""),
        getattr(effect, "what", ""),
    ]
    strange = enforced.without.intersection([*words, effect.at, effect.until, effect.who, *conditions])
    return f"the word {min(strange).replace('_', ' ')}" if strange else ""


def _done_at_once(effect: AnyEffect) -> bool:
    return isinstance(effect, (*AT_ONCE, Allow, Mark))


def unread_at_moment(effect: AnyEffect) -> str:
    """What of an effect no moment carries out; empty where all of it is."""
    if isinstance(effect, Cost) and effect.at != "targeted":
        return "prices of Stratagems that change for a while"
    if isinstance(effect, Allow) and effect.what in LEAVES and not effect.at:
        return "leaving the battlefield at no moment"
    shared = isinstance(effect, Allow) and effect.what in AGAIN
    if shared and effect.at != "targeted":
        return "another use of a Stratagem for a while"
    if effect.at == "targeted" and not isinstance(effect, Cost | GainCp) and not shared:
        return "what happens when a Stratagem is used on a unit"
    if effect.at == "death_phase_end" and not (isinstance(effect, ReturnModels) and effect.who == "model"):
        return "what happens once the bearer has fallen"
    return ""


# --- Of a battle ------------------------------------------------------------------------------------------------------


class Coverage(NamedTuple):
    """How much of the abilities in a battle, or in one army of it, is enforced."""

    total: int
    left: tuple[NotEnforced, ...]

    @property
    def whole(self) -> int:
        """Abilities that are left to the players as a whole."""
        return sum(entry.whole for entry in self.left)

    @property
    def share(self) -> float:
        """The share of abilities that are enforced in every part."""
        names = {(entry.where, entry.name) for entry in self.left}
        return 1.0 if not self.total else 1 - len(names) / self.total


def not_enforced(w: World40, player: int = -1) -> list[NotEnforced]:
    """What the players of a battle have to apply themselves; of one army where a player is named."""
    return list(coverage(w, player).left)


def coverage(w: World40, player: int = -1) -> Coverage:
    """How much of the abilities is enforced; the same ability of several units counts once."""
    enforced, data = w.system.seam(Enforced), w.setup.data
    rules = _distinct(data, player)
    odd = dict.fromkeys(part.entry for part in odd_parts(w) if player in (-1, part.player))
    left = dict.fromkeys([*(entry for rule in rules for entry in parts_left(enforced, data, rule)), *odd])
    return Coverage(len(rules) + len(odd), tuple(left))


def left_out(w: World40) -> list[LeftOut]:
    """What is not enforced in a battle, and whose it is."""
    found: dict[NotEnforced, list[int]] = {}
    for player in w.state.players:
        for entry in not_enforced(w, player.id):
            found.setdefault(entry, []).append(player.id)
    rules = {(rule.source, rule.name): rule for rule in _distinct(w.setup.data, -1)}
    names = {of: called(rule) for of, rule in rules.items()}
    names |= {(part.entry.where, part.entry.name): part.called for part in odd_parts(w)}
    bought = {of for of, rule in rules.items() if isinstance(rule, DetachmentStratagem)}
    return [
        LeftOut(tuple(players), *entry, names[of], of in bought, gist_of(entry.what))
        for entry, players in found.items()
        for of in ((entry.where, entry.name),)
    ]


def gist_of(what: str) -> str:
    """What players apply of a rule; empty where nothing is known of it but its name."""
    return "" if what.startswith(UNKNOWN) else what.removeprefix(NOT_READ)


def called(rule: Ability | DetachmentStratagem) -> str:
    """Whose a rule is, by its name; older files tell nothing but the id."""
    return rule.called or rule.source.replace("-", " ").capitalize()


def enforcement(w: World40, player: int) -> tuple[int, int]:
    """How many abilities of an army are not enforced in every part, and how many it has."""
    found = coverage(w, player)
    return len({(entry.where, entry.name) for entry in found.left}), found.total


def _distinct(data: Data, player: int) -> list[Ability | DetachmentStratagem]:
    every: tuple[Ability | DetachmentStratagem, ...] = (*data.abilities, *data.stratagems)
    return list({(rule.source, rule.name): rule for rule in every if player in (-1, rule.player)}.values())


class OddPart(NamedTuple):
    """Something on the datasheet of a model that is none of the system's own."""

    entry: NotEnforced
    model: int
    player: int
    called: str
    due: tuple[str, ...]


def odd_parts(w: World40) -> Iterator[OddPart]:
    """Abilities of weapons and of datasheets, model by model, that are not read."""
    enforced, data = w.system.seam(Enforced), w.setup.data
    borne = {m: ability for ability in data.abilities for m in ability.models if ability.origin == "datasheet"}
    for m, kit in enumerate(data.kits):
        sheet: Any = data.sheets[kit.sheet]
        player = w.unit(int(w.state.models.unit[m])).player
        where, name = (borne[m].source, called(borne[m])) if m in borne else (sheet.name, sheet.name)
        for weapon in (sheet.weapons[i] for i in kit.weapons):
            for ability in weapon.abilities:
                if not ability.startswith(enforced.weapon_abilities):
                    entry = NotEnforced(where, weapon.item, f"{NOT_READ}the weapon ability {ability}.", False)
                    due = ("fight",) if weapon.is_melee else ("own shooting",)
                    yield OddPart(entry, m, player, name, due)
        for ability in sheet.abilities if enforced.core is not None else ():
            if not ability.startswith(enforced.core or ()):
                entry = NotEnforced(where, ability.capitalize(), f"{NOT_READ}the ability {ability}.", True)
                yield OddPart(entry, m, player, name, ())


def _protected(data: Data, rule: Ability | DetachmentStratagem) -> Iterator[str]:
    """A Leader's damage is changed once it stands in front, not where attacks pick it out or break through to it."""
    if not isinstance(rule, Ability) or not any(isinstance(e, Damage) and e.who == "model" for e in rule.effects):
        return
    if any(data.sheets[data.kits[m].sheet].has("leader") for m in rule.models):
        yield "damage of attacks that reach a Leader while its Bodyguard stands, or in the volley that destroys it"


def parts_left(enforced: Enforced, data: Data, rule: Ability | DetachmentStratagem) -> Iterator[NotEnforced]:
    """What of a rule is left to the players; nothing of one that is enforced whole."""
    unread = list(dict.fromkeys(reason for e in rule.effects if (reason := why_unread(enforced, e))))
    whole = not rule.effects or all(why_unread(enforced, e) for e in rule.effects)
    if rule.left_out:
        yield NotEnforced(rule.source, rule.name, rule.left_out, whole)
    for reason in (*unread, *_protected(data, rule)):
        yield NotEnforced(rule.source, rule.name, f"{NOT_READ}{reason}.", whole)
