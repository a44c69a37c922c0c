"""Attacks each in turn: every wound is given to a model, saved and inflicted before the next.

Where nothing can depend on it, the saves of several wounds are rolled in one batch, and that batch is then walked
through in the same order; so the result is that of one attack at a time.
"""

from __future__ import annotations

from sandtable.attack.volley import NEVER, Body, Volley, WoundKind
from sandtable.kit.attack_damage import give, inflict, points_of, suffer_one
from sandtable.kit.attack_outcome import Due
from sandtable.kit.attack_run import Run
from sandtable.kit.attack_target import needed, why_saved


async def walk(run: Run, volley: Volley, wounds: list[WoundKind]) -> None:
    """Go through the wounds one by one, in the order of the attacks."""
    place = 0
    while place < len(wounds) and run.standing.somebody():
        batch = _fast(run, volley, wounds[place:])
        saved = await _save_together(run, batch) if len(batch) > 1 else [None]
        for wound, save in zip(batch, saved, strict=True):
            await _one_wound(run, volley, wound, save)
        place += len(batch)


def _fast(run: Run, volley: Volley, wounds: list[WoundKind]) -> list[WoundKind]:
    """The next wounds whose saves can be rolled together: never those with random damage, or that may be aimed."""
    plain = 0
    most = 0
    for wound in wounds:
        if volley.aim or not volley.together or wound.mortal is not None or wound.damage is None:
            break
        if wound.in_turn and not wound.damage.fixed:
            break
        plain += 1
        most = max(most, wound.damage.most)
    return wounds[: min(plain, run.standing.sure(most))] if plain > 1 else wounds[:1]


async def _save_together(run: Run, batch: list[WoundKind]) -> list[bool | None]:
    """Save dice of wounds that meet equal bodies; None for a wound that nothing can save."""
    standing = run.standing
    body = standing.candidates(standing.alive())[0]
    faces = [needed(body, wound) for wound in batch]
    rolled = [n for n in faces if n < NEVER]
    stake = max((w.damage.mean for w in batch if w.damage is not None), default=1.0) if run.hooks.watches else 1.0
    run.after_roll()
    why = why_saved(body, batch[0])
    cites = standing.target.cites
    by = body.save_reroll_cites
    made = iter(await run.defender.checks("save", rolled, body.save_reroll, cites, stake, body.model, why, by))
    return [next(made) if n < NEVER else None for n in faces]


async def _one_wound(run: Run, volley: Volley, wound: WoundKind, save: bool | None) -> None:
    """Allocate, save and inflict one wound; `save` is known where it was rolled in a batch."""
    standing = run.standing
    if not standing.somebody():
        return
    aimed = await _aim(run, volley) if volley.aim else None
    if wound.damage is not None:
        body = aimed or await standing.choose("an attack")
        if body is None:
            return
        give(run, body)
        run.cite(standing.target.cites)
        if save is None:
            save = await _save(run, body, wound)
        if not save:
            run.unsaved += 1
            points = await points_of(run, wound.damage, wound.cites, wound.why, wound.reroll_cites)
            await inflict(run, body, points, body.pain)
    if wound.mortal is not None:
        points = await points_of(run, wound.mortal.points, wound.cites, wound.why)
        due = Due(points, wound.mortal.spill, aimed.model if aimed is not None else -1)
        if wound.mortal.held:
            run.mortal.append(due)
        else:
            await suffer_one(run, due)


async def _aim(run: Run, volley: Volley) -> Body | None:
    """Let the attacker direct the wound at a body that others protect."""
    run.standing.look_again()
    alive = run.standing.alive()
    front = run.standing.front(alive)
    offered = [x for x in alive if x.model in volley.aim and x.rank > front[0].rank]
    return await run.aim(volley, "Direct this attack at", offered)


async def _save(run: Run, body: Body, wound: WoundKind) -> bool:
    face = needed(body, wound)
    if face >= NEVER:
        return False
    stake = wound.damage.mean if run.hooks.watches and wound.damage is not None else 1.0
    run.after_roll()
    cites = run.standing.target.cites
    why = why_saved(body, wound)
    by = body.save_reroll_cites
    return (await run.defender.checks("save", [face], body.save_reroll, cites, stake, body.model, why, by))[0]
