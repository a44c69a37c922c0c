"""Units that keep objective markers for their army when they have gone."""

from __future__ import annotations

from sandtable.forty.effects.permissions import allows
from sandtable.forty.effects.words import Words
from sandtable.forty.markers import markers_near
from sandtable.forty.state import Battle40


def secure_markers(b: Battle40) -> None:
    """At the end of its Command phase a player's units secure the markers that they hold."""
    if not b.setup.data.abilities:
        return
    player, control, words = b.state.active, b.state.game.control, b.system.seam(Words)
    before = b.state.game.secured or (-1,) * len(control)
    kept = list(before)
    for unit in b.units_of(player):
        if b.is_on_table(unit) and allows(b, unit, "hold_objectives"):
            for marker in markers_near(b, unit):
                if marker < len(control) and control[marker] == player:
                    kept[marker] = player
    if tuple(kept) != before:
        b.set_game(secured=tuple(kept))
        names = ", ".join(str(m + 1) for m, p in enumerate(kept) if p != before[m])
        b.tell("secured", f"{b.player(player).name} secures objective {names}.", words.source)
