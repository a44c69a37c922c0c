"""Healing models: wounds that they regain, and Reanimation, which brings destroyed ones back."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.armies.effects import Modify, Reroll
from sandtable.battle import Confirm, Option
from sandtable.forty.effects.at_work import at_work
from sandtable.forty.effects.characteristics import names
from sandtable.forty.effects.returning import set_up, to_reanimate, who_returns
from sandtable.forty.effects.words import Deeds
from sandtable.forty.state import Battle40, Unit, World40, model_label, sheet_of
from sandtable.kit.dice import parts_of, read_amount, read_as
from sandtable.kit.grammar import counted, does


def damaged(w: World40, unit: Unit, models: Sequence[int] = ()) -> list[int]:
    """The models of a unit on the table that have lost wounds; of some models only, where any are named."""
    here = [int(m) for m in w.on_table(unit) if not models or int(m) in models]
    return [m for m in here if int(w.state.models.wounds[m]) < sheet_of(w, m).wounds]


def can_heal(w: World40, unit: Unit) -> bool:
    """Whether anybody in a unit has lost wounds."""
    return bool(damaged(w, unit))


async def heal(b: Battle40, unit: Unit, points: int, name: str, models: Sequence[int] = ()) -> None:
    """One model regains lost wounds."""
    hurt, source = damaged(b, unit, models), b.system.seam(Deeds).source
    options = [Option(m, model_label(b, unit, m)) for m in hurt]
    chosen = await b.choose(
        unit.player, "heal", f"{name}: which model of {unit.name} is healed?", options, rules=(source,), unit=unit.id
    )
    if chosen is not None:
        mend(b, unit, int(chosen), points, name)


def mend(b: Battle40, unit: Unit, model: int, points: int, name: str) -> int:
    """A model regains wounds, at most those that it lost; returns how many are left over."""
    most, now = sheet_of(b, model).wounds, int(b.state.models.wounds[model])
    gained: int = min(points, most - now)
    if gained > 0:
        b.set_wounds(model, now + gained)
        b.tell(
            "healed",
            f"{name}: {model_label(b, unit, model)} regains {gained} wound{'' if gained == 1 else 's'}.",
            b.system.seam(Deeds).source,
            units=[unit.id],
            wounds=gained,
        )
    return points - gained


async def reanimate(b: Battle40, unit: Unit, text: int | str, name: str) -> None:
    """Wound by wound: a damaged model is healed, or else a destroyed one comes back with one wound."""
    points = await _reanimation_roll(b, unit, text, name)
    while points and (hurt := damaged(b, unit)):
        lost = sum(sheet_of(b, m).wounds - int(b.state.models.wounds[m]) for m in hurt)
        if points < lost and len(hurt) > 1:
            await heal(b, unit, 1, name)
            points -= 1
        else:
            points = mend(b, unit, hurt[0], points, name)
    dead, wounds = to_reanimate(b, unit), dict[int, int]()
    while points and dead:
        full = {sheet_of(b, m).wounds for m in dead}
        # Who comes back decides how many wounds are left for others, unless all have as many.
        for m in await who_returns(b, unit, dead, -(-points // max(full)) if len(full) == 1 else 1, name):
            wounds[m] = min(points, sheet_of(b, m).wounds)
            points -= wounds[m]
            dead.remove(m)
    if wounds:
        await set_up(b, unit, wounds, name)


async def _reanimation_roll(b: Battle40, unit: Unit, text: int | str, name: str) -> int:
    deeds, amount = b.system.seam(Deeds), read_amount(text)
    source, value_of = deeds.source, deeds.value_of
    added = [a for a in at_work(b, unit, Modify) if a.effect.roll == "reanimation"]
    more, cites = sum(a.effect.value for a in added), (source, *names(added))
    read = read_as(amount, "wound(s)", more, *parts_of(more, names(added)))
    faces = b.roll(amount.dice, "reanimation", unit.player, rules=cites, read=read)
    again = [a for a in at_work(b, unit, Reroll) if a.effect.roll == "reanimation"]
    if again and faces:
        yes = await b.ask(
            Confirm(
                player=unit.player,
                kind="reroll_reanimation",
                prompt=f"{again[0].name}: re-roll {value_of(amount, faces)} for {unit.name}?",
                rules=(source,),
                unit=unit.id,
                # The lower half is worth another try.
                default=2 * value_of(amount, faces) <= amount.dice * amount.sides + amount.plus,
            )
        )
        if yes:
            cites, by = (*cites, *names(again)), again[0].name
            places = range(len(faces))
            faces = b.roll_again(faces, places, "reanimation", unit.player, rules=cites, read=read, by=by)
    points = max(0, value_of(amount, faces) + more)
    b.tell(
        "reanimates",
        f"{name}: {does(unit, 'reanimates')} {counted(points, 'wound')}.",
        source,
        units=[unit.id],
        wounds=points,
    )
    return points
