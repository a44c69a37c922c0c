"""What players see of a unit and of the score, as 11th edition prints it, and what short accounts list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sandtable.forty.briefly import Brevity
from sandtable.forty.cards import Figures, Printing
from sandtable.systems.w40k11.datasheet import Sheet, Weapon
from sandtable.systems.w40k11.state import ADVANCE, FALL_BACK, NORMAL, Player, Unit

DONE: Final = {ADVANCE: "Advanced", FALL_BACK: "fell back", NORMAL: "moved"}


def profile(s: Sheet) -> Figures:
    """A datasheet's line of characteristics."""
    move = "-" if s.move is None else f'{s.move}"'
    out = [("M", move), ("T", f"{s.toughness}"), ("Sv", f"{s.save}+"), ("W", f"{s.wounds}")]
    out += [("Ld", f"{s.leadership}+"), ("OC", "-" if s.oc is None else f"{s.oc}")]
    return (*out, *((("InSv", f"{s.invulnerable}+"),) if s.invulnerable else ()))


def weapon(x: Weapon) -> Figures:
    """A weapon's."""
    skill = ("WS" if x.is_melee else "BS", f"{x.skill}+" if x.skill else "-")
    reach = "melee" if x.is_melee else f'{x.range}"'
    return (("", reach), ("A", x.attacks), skill, ("S", f"{x.strength}"), ("AP", f"{x.ap}"), ("D", x.damage))


def deeds(unit: Unit) -> Iterator[str]:
    """What became of a unit, and what it did this turn."""
    if unit.battle_shocked:
        yield "battle-shocked"
    if unit.moved in DONE:
        yield DONE[unit.moved]
    if unit.charged:
        yield "charged"


def points(player: Player) -> str:
    """Victory and Command points."""
    return f"{player.vp} VP, {player.cp} CP"


PRINTING: Final = Printing(profile, weapon, deeds, points)
BREVITY: Final = Brevity(
    left_out=frozenset(("battle_shocked",)),
    moves={
        "w40k11.movephase.normal": "move",
        "w40k11.movephase.advance": "Advance",
        "w40k11.movephase.fall_back": "fall back",
        "w40k11.movephase.desperate_escape": "escape",
    },
)
