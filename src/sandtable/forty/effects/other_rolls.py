"""Rolls outside of attacks, such as charges, Advances and tests: what abilities add to them and roll again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from sandtable.armies.effects import Modify, Reroll
from sandtable.battle import ChooseSome, Confirm, Option, Question, Value
from sandtable.battle.rolls import SHOWN, AnyReading, Total
from sandtable.forty.effects.at_work import Active, applies, at_work, outside_attacks
from sandtable.forty.effects.attack_rolls import Again, best_of, none_at_all
from sandtable.forty.effects.characteristics import names
from sandtable.forty.effects.conditions import about_attack
from sandtable.forty.effects.permissions import allows
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.rerolls import offer_reroll
from sandtable.forty.state import Battle40, Unit, World40

MOST_DICE: Final = 3
"""So many dice of one sum are rolled again at most."""


def added(w: World40, unit: Unit, *rolls: str, against: Sequence[int] = ()) -> tuple[int, tuple[str, ...]]:
    """What abilities add to a roll of a unit, and which; the roll may go by several names.

    Where it is made `against` others, an effect that depends on them works if one of them is meant.
    """
    if none_at_all(w):
        return 0, ()
    found = outside_attacks(a for a in at_work(w, unit, Modify) if a.effect.roll in rolls and _made(a))
    found += tuple(_against(w, unit, rolls, against))
    if found and ("advance" in rolls or "charge" in rolls) and allows(w, unit, "ignore_move_modifiers"):
        found = tuple(a for a in found if a.effect.value > 0)
    return sum(a.effect.value for a in found), names(found)


def reroll_of(w: World40, unit: Unit, *rolls: str) -> Again:
    """Which faces of a roll abilities of a unit let be rolled again, and which abilities."""
    return best_of(outside_attacks(a for a in at_work(w, unit, Reroll) if a.effect.roll in rolls))


def _made(active: Active[Modify]) -> bool:
    return active.effect.attacks == "made"


def _against(w: World40, unit: Unit, rolls: Sequence[str], targets: Sequence[int]) -> Iterator[Active[Modify]]:
    """What depends on whom a roll is made against, of the unit's own abilities and of theirs."""
    whom = [AttackMade(unit.id, t, melee=True) for t in targets]
    for a in at_work(w, unit, Modify) if targets else ():
        depends = not a.effect.at and about_attack(a.effect.when)
        if a.effect.roll in rolls and _made(a) and depends and any(applies(w, a, one) for one in whom):
            yield a
    for one in whom:
        theirs = at_work(w, w.unit(one.target), Modify)
        meant = [a for a in theirs if a.effect.roll in rolls and not _made(a)]
        yield from (a for a in meant if applies(w, a, one._replace(suffered=True)))


async def own_reroll(
    b: Battle40,
    unit: Unit,
    rolls: tuple[str, ...],
    kind: str,
    faces: tuple[int, ...],
    enough: bool,
    *,
    source: str,
    read: AnyReading = SHOWN,
    apart: bool = False,
    fails: bool | None = None,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Let a unit's player roll again by an ability: the dice that count, and which of them were rolled again.

    Nothing is asked where they are `enough`, so that no other roll would do better. A roll that is less than that
    `fails`, unless that is told. Dice that may be rolled again `apart` are picked one by one.
    """
    if none_at_all(b):
        return faces, ()
    again = reroll_of(b, unit, *rolls)
    places = tuple(i for i, face in enumerate(faces) if again.faces != "ones" or face == 1)
    fails = not enough if fails is None else fails
    if again.faces == "none" or not places or (again.faces == "failures" and not fails):
        return faces, ()
    if enough and not _ask_always(b):
        return faces, ()
    shown = " + ".join(map(str, faces))
    cites, by = (source, *again.names), ", ".join(again.names)
    if apart and len(places) > 1:
        chosen = await b.ask(
            ChooseSome(
                player=unit.player,
                kind="reroll_dice",
                deed="Re-roll",
                prompt=f"{again.names[0]}: which dice of the {shown} of the {kind} roll of {unit.name} roll again?",
                options=tuple(Option(i, str(faces[i])) for i in places),
                rules=(source,),
                unit=unit.id,
                about={"faces": list(faces), "need": _needed(read)},
            )
        )
        places = tuple(sorted(map(int, chosen)))
        dice = b.roll_again(faces, places, kind, unit.player, rules=cites, read=read, by=by) if places else faces
        return dice, places
    wanted = await b.ask(
        Confirm(
            player=unit.player,
            kind="reroll_roll",
            prompt=f"{again.names[0]}: roll the {shown} of the {kind} roll of {unit.name} again?",
            default=fails,
            rules=(source,),
            unit=unit.id,
        )
    )
    if not wanted:
        return faces, ()
    return b.roll_again(faces, places, kind, unit.player, rules=cites, read=read, by=by), places


def _needed(read: AnyReading) -> int:
    """What the dice of a sum have to come to."""
    return read.needed - read.plus if isinstance(read, Total) else 0


def dice_worth_rolling(w: World40, d: ChooseSome) -> tuple[Value, ...]:
    """The dice with which a sum is most likely to be enough; none where it is."""
    faces, need = list(d.about["faces"]), int(d.about["need"])
    if sum(faces) >= need:
        return ()
    lowest = sorted((int(o.value) for o in d.options), key=lambda i: faces[i])
    tries = [tuple(lowest[: n + 1]) for n in range(len(lowest))]
    return max(tries, key=lambda some: _chance(len(some), need - sum(f for i, f in enumerate(faces) if i not in some)))


def _chance(dice: int, need: int) -> int:
    """How many of the ways in which dice can fall come to so much, out of as many as the most dice have."""
    enough = sum(sum(roll) >= need for roll in product(range(1, 7), repeat=dice))
    return int(enough * 6 ** (MOST_DICE - dice))


def _ask_always(w: World40) -> bool:
    return w.setup.options.get("windows") == "all"


async def sum_rolled(
    b: Battle40,
    unit: Unit,
    kind: str,
    dice: int,
    read: AnyReading,
    source: str,
    *,
    enough: int,
    need: int | None = None,
    poor: int | None = None,
) -> tuple[int, ...]:
    """Roll dice whose sum counts, and let the player roll them again, by an ability of the unit or otherwise.

    Of an ability nothing is asked once the sum is `enough`; less than `need` is a failure, and others are told of it.
    Where nothing is needed, less than `poor` is what one usually rolls again.
    """
    faces = b.roll(dice, kind, unit.player, rules=(source,), read=read)
    least = poor if need is None else need
    come, fails = sum(faces), None if least is None else sum(faces) < least
    faces, spent = await own_reroll(
        b, unit, (kind,), kind, faces, come >= enough, source=source, read=read, fails=fails
    )
    return await offer_reroll(b, unit, kind, faces, sum_=True, need=need or 0, read=read, rerolled=spent)


QUESTIONS: Final[dict[str, Question]] = {"reroll_dice": Question(default=dice_worth_rolling)}
