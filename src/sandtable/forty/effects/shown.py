"""Auras as players see them while they move: how far, from whom, and whom they help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sandtable.armies.effects import AnyEffect
from sandtable.battle.system import Aura
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.words import Words
from sandtable.forty.state import World40
from sandtable.table.grid import steps

KEYWORD: Final = "model_keyword:"


def auras(w: World40) -> Iterator[Aura]:
    """The auras that help friends within a distance, each once."""
    words, seen = w.system.seam(Words), set[Aura]()
    for source in w.setup.data.abilities:
        for effect in source.effects:
            if effect.who != "friends" or isinstance(effect.within, str) or effect.within <= 0:
                continue
            helped = [
                u.id for u in w.friends_of(source.player) if not effect.only or words.has_keyword(w, u, effect.only)
            ]
            found = Aura(source.name, steps(effect.within), _bearers(w, words, source, effect), tuple(helped))
            if found.models and found not in seen:
                seen.add(found)
                yield found


def _bearers(w: World40, words: Words, source: Ability, effect: AnyEffect) -> tuple[int, ...]:
    """Whom it is measured from; what a whole army bears tells nobody where to go."""
    keywords = [word.removeprefix(KEYWORD) for word in effect.bearer if word.startswith(KEYWORD)]
    if source.unit < 0 and not keywords:
        return ()
    return tuple(m for m in source.models if all(words.model_has_keyword(w, m, keyword) for keyword in keywords))
