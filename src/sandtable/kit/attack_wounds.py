"""From attacks to wounds: the number of attacks, hit rolls and wound rolls, each in one batch of dice."""

from __future__ import annotations

from sandtable.attack.volley import NO_WOUND, Volley, Why, WoundKind
from sandtable.battle.decisions import Number
from sandtable.kit.attack_run import Run
from sandtable.kit.grammar import counted


async def roll_to_hit(run: Run, volley: Volley) -> list[int | None]:
    """The hits, in the order of the attacks: None for one that needs a wound roll, else a kind of wound."""
    run.cite(volley.cites)
    run.attacks = await _number_of_attacks(run, volley)
    roll = volley.hit
    faces = (
        await run.attacker.stage("hit", roll, run.attacks, _stake(run, volley)) if roll.rolled else (6,) * run.attacks
    )
    run.cite(roll.cites)
    sums = [e for f in faces if (e := roll.faces[f - 1].extra) is not None]
    extra = iter(await run.attacker.numbers("extra hits", sums, roll.cites) if sums else ())
    slots: list[int | None] = []
    for f in faces:
        face = roll.faces[f - 1]
        if face.wounds:
            slots += [volley.automatic] * face.wounds
        hits = face.hits if face.extra is None else face.hits + next(extra)
        if hits:
            slots += [None] * hits
        if face.critical:
            run.criticals += 1
        if face.cites and face.success:
            run.cite(face.cites)
    run.hits = len(slots)
    return slots


async def _number_of_attacks(run: Run, volley: Volley) -> int:
    if all(s.each.fixed for s in volley.shots):
        return sum(s.weapons * max(0, s.each.result()) for s in volley.shots)
    each = [s.each for s in volley.shots for _ in range(s.weapons)]
    return sum(max(0, n) for n in await run.attacker.numbers("attacks", each, volley.cites, _why_so_many(volley)))


def _why_so_many(volley: Volley) -> Why:
    """What the attacks of each weapon are made of, where all weapons are alike."""
    return volley.shots[0].why if len(volley.shots) == 1 else ()


async def roll_to_wound(run: Run, volley: Volley, slots: list[int | None]) -> list[WoundKind]:
    """The wounds, in the order of the attacks."""
    if not slots:
        return []
    if volley.may_roll:
        slots = await _rolled_instead(run, volley, slots)
    roll = volley.wound
    rolls = slots.count(None)
    faces = iter(await run.attacker.stage("wound", roll, rolls, _stake(run, volley)) if roll.rolled else (6,) * rolls)
    if rolls:
        run.cite(roll.cites)
    wounds = []
    for slot in slots:
        if slot is not None:
            wounds.append(volley.kinds[slot])
            continue
        face = roll.faces[next(faces) - 1]
        if face.kind != NO_WOUND:
            run.cite(face.cites)
            wounds.append(volley.kinds[face.kind])
    for wound in wounds:
        run.cite(wound.cites)
    run.wounds = len(wounds)
    return wounds


async def _rolled_instead(run: Run, volley: Volley, slots: list[int | None]) -> list[int | None]:
    """Let the attacker roll to wound for hits that would wound by themselves; asked where a roll could do more."""
    sure = len(slots) - slots.count(None)
    more = any(f.success and f.kind != volley.automatic for f in volley.wound.faces)
    if not sure or not (more or run.standing.asks_always):
        return slots
    number = await run.b.ask(
        Number(
            player=run.attacker.player,
            kind="roll_to_wound",
            prompt=f"{volley.name}: {counted(sure, 'hit')} may wound without a roll. For how many is it rolled?",
            rules=volley.hit.cites,
            unit=run.unit,
            least=0,
            most=sure,
        )
    )
    out = list(slots)
    for place in [i for i, slot in enumerate(slots) if slot is not None][:number]:
        out[place] = None
    return out


def _stake(run: Run, volley: Volley) -> float:
    """How many wounds hang on one attack, where somebody looks at it."""
    if not run.hooks.watches:
        return 1.0
    return max((k.damage.mean for k in volley.kinds if k.damage is not None), default=1.0)
