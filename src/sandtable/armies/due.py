"""When a rule matters that the players apply themselves: in which phases, and in whose turns.

A word is the name of a phase, of either player's turn; `own ` or `opponent ` before it says whose turn is meant.
`start` and `end` are the first and the last phase of a turn, `deployment` is all that comes before the first one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias

import msgspec

from sandtable.armies.effects import (
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

PHASES: Final = ("command", "movement", "psychic", "shooting", "charge", "fight", "morale")
START, END, DEPLOYMENT = "start", "end", "deployment"
OWN, OPPONENT = "own ", "opponent "
Due: TypeAlias = Annotated[
    str, msgspec.Meta(pattern=rf"^({DEPLOYMENT}|({OWN}|{OPPONENT})?({'|'.join((START, *PHASES, END))}))$")
]

MADE: Final = ("own shooting", "fight")
SUFFERED: Final = ("opponent shooting", "fight")
"""Where a unit attacks, and where it is attacked."""

MOMENTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "turn_start": ("own start",),
        **dict.fromkeys(("command", "command_start", "command_end"), ("own command",)),
        **dict.fromkeys(("any_command", "any_command_start"), ("command",)),
        **dict.fromkeys(("movement", "movement_end", "moved", "moved_over"), ("own movement",)),
        "enemy_moved": ("opponent movement",),
        **dict.fromkeys(("shooting", "select_to_shoot"), ("own shooting",)),
        **dict.fromkeys(("shot", "killed", "slew"), MADE),
        **dict.fromkeys(("wounded", "bereaved"), SUFFERED),
        "charged": ("own charge",),
        **dict.fromkeys(("fight", "fight_end", "select_to_fight"), ("fight",)),
        "manifested": ("own psychic",),
        "opponent_turn_end": ("opponent end",),
        **dict.fromkeys(("formations", "battle_start"), (DEPLOYMENT,)),
    }
)
"""For moments of the vocabulary of effects; what can come at any time is not here."""
ROLLS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        **dict.fromkeys(("hit", "wound", "damage"), MADE),
        "save": SUFFERED,
        "charge": ("own charge",),
        "advance": ("own movement",),
        **dict.fromkeys(("leadership", "battle_shock"), ("own command",)),
        "morale": ("morale",),
        "psychic": ("own psychic",),
        "deny": ("opponent psychic",),
        "reanimation": ("own start",),
    }
)
STATS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "M": ("own movement",),
        **dict.fromkeys(("T", "Sv"), SUFFERED),
        **dict.fromkeys(("A", "S", "AP", "D"), MADE),
        "BS": ("own shooting",),
        "WS": ("fight",),
    }
)
"""For what an effect changes that always works."""


def of_effects(effects: Iterable[AnyEffect]) -> tuple[str, ...]:
    """When effects matter, as far as their words tell; nothing where they do not."""
    return tuple(dict.fromkeys(word for effect in effects for word in _of_effect(effect)))


def is_due(due: Iterable[str], phase: str, *, own: bool, first: str, last: str) -> bool:
    """Whether that is now: in this phase of its player's own turn, or of another's; turns have a first and a last one.

    Before the first turn the phase is `deployment`.
    """
    whose = OWN if own else OPPONENT
    now = {phase, *((START,) if phase == first else ()), *((END,) if phase == last else ())}
    return any(word.removeprefix(whose) in now for word in due)


def turned(words: Iterable[str]) -> Iterator[str]:
    """The same, seen by the other player."""
    for word in words:
        if word.startswith(OWN):
            yield OPPONENT + word.removeprefix(OWN)
        else:
            yield OWN + word.removeprefix(OPPONENT) if word.startswith(OPPONENT) else word


def of_attacks(words: Iterable[str], kinds: Container[str]) -> Iterator[str]:
    """Without the Shooting phase where only `melee` attacks are meant, and without the Fight phase for `ranged`."""
    never = tuple(phase for kind, phase in (("melee", "shooting"), ("ranged", "fight")) if kind in kinds)
    yield from (word for word in words if not word.endswith(never))


def _of_effect(effect: AnyEffect) -> Iterable[str]:
    if effect.at:
        return MOMENTS.get(effect.at, ())
    words = _of_change(effect)
    # An effect on enemies matters when they do what it changes.
    return turned(words) if effect.who in ("enemies", "enemy") else words


def _of_change(effect: AnyEffect) -> Iterator[str]:
    """When something matters that an effect changes all the time."""
    match effect:
        case Reroll(roll=name) | Modify(roll=name) | Critical(roll=name):
            words = ROLLS.get(name, ())
        case Characteristic(name=name):
            words = STATS.get(name, ())
        case WeaponAbility():
            words = MADE
        case FeelNoPain() | Invulnerable() | Damage():
            words = SUFFERED
        case _:
            words = ()
    if words == MADE and getattr(effect, "attacks", "") == "suffered":
        words = SUFFERED
    yield from of_attacks(words, (getattr(effect, "weapons", ""), *effect.when))
