"""Rolls outside of attacks, such as charges, Advances and tests: what abilities add to them and roll again."""

from __future__ import annotations

from sandtable.armies.effects import Modify, Reroll
from sandtable.battle import Confirm
from sandtable.battle.rolls import SHOWN, AnyReading
from sandtable.forty.effects.at_work import at_work, outside_attacks
from sandtable.forty.effects.attack_rolls import best_of, none_at_all
from sandtable.forty.effects.characteristics import names
from sandtable.forty.effects.permissions import allows
from sandtable.forty.rerolls import offer_reroll
from sandtable.forty.state import Battle40, Unit, World40


def added(w: World40, unit: Unit, *rolls: str) -> tuple[int, tuple[str, ...]]:
    """What abilities add to a roll of a unit, and which; the roll may go by several names."""
    if none_at_all(w):
        return 0, ()
    found = outside_attacks(a for a in at_work(w, unit, Modify) if a.effect.roll in rolls)
    if found and ("advance" in rolls or "charge" in rolls) and allows(w, unit, "ignore_move_modifiers"):
        found = tuple(a for a in found if a.effect.value > 0)
    return sum(a.effect.value for a in found), names(found)


async def own_reroll(
    b: Battle40,
    unit: Unit,
    rolls: tuple[str, ...],
    kind: str,
    faces: tuple[int, ...],
    *,
    need: int,
    source: str,
    read: AnyReading = SHOWN,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Let a unit's player roll again by an ability: the dice that count, and which of them were rolled again.

    `need` is the sum of the dice that is enough; nothing is asked once it is reached.
    """
    if none_at_all(b):
        return faces, ()
    again = best_of(outside_attacks(a for a in at_work(b, unit, Reroll) if a.effect.roll in rolls))
    enough = sum(faces) >= need
    places = tuple(i for i, face in enumerate(faces) if again.faces != "ones" or face == 1)
    if again.faces == "none" or not places or (enough and (again.faces == "failures" or not _ask_always(b))):
        return faces, ()
    shown = " + ".join(map(str, faces))
    wanted = await b.ask(
        Confirm(
            player=unit.player,
            kind="reroll_roll",
            prompt=f"{again.names[0]}: roll the {shown} of the {kind} roll of {unit.name} again?",
            default=not enough,
            rules=(source,),
            unit=unit.id,
        )
    )
    if not wanted:
        return faces, ()
    cites, by = (source, *again.names), ", ".join(again.names)
    return b.roll_again(faces, places, kind, unit.player, rules=cites, read=read, by=by), places


def _ask_always(w: World40) -> bool:
    return w.setup.options.get("windows") == "all"


async def sum_rolled(
    b: Battle40, unit: Unit, kind: str, dice: int, read: AnyReading, source: str, *, enough: int, need: int = 0
) -> tuple[int, ...]:
    """Roll dice whose sum counts, and let the player roll them again, by an ability of the unit or otherwise.

    Of an ability nothing is asked once the sum is `enough`; `need` is what others are told of.
    """
    faces = b.roll(dice, kind, unit.player, rules=(source,), read=read)
    faces, spent = await own_reroll(b, unit, (kind,), kind, faces, need=enough, source=source, read=read)
    return await offer_reroll(b, unit, kind, faces, sum_=True, need=need, read=read, rerolled=spent)
