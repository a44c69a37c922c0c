"""Random attacks of 11th edition: small units with weapons of every sort at groups of models, in a real battle."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from sandtable.attack.volley import Attack, Choices
from sandtable.battle import AGAIN, DONE, TABLE, Battle, Effect, Setup, State, Step
from sandtable.battle.dice import KeyedDice
from sandtable.forty.attacks import compiled
from sandtable.systems.w40k11.attack_sequence import HIT_MODIFIER, WOUND_MODIFIER
from sandtable.systems.w40k11.making_attacks import make_attacks
from sandtable.systems.w40k11.shot import Shot
from sandtable.systems.w40k11.state import Battle11, weapons_of
from sandtable.systems.w40k11.system import SYSTEM
from w40k11.arms import column, gun, target
from w40k11.table import sheet, situation, unit

REDS, BLUES = 0, 1
ABILITIES = (
    "rapid fire 1", "blast", "melta 2", "torrent", "lethal hits", "sustained hits 1", "twin-linked", "psychic",
    "anti-infantry 4+", "devastating wounds", "precision", "lethal hits: vehicle", "cleave 1",
)  # fmt: skip


class Spec(NamedTuple):
    """A battle at the moment of an attack, and the attack as the solver takes it."""

    start: Battle11
    shots: list[Shot]
    attack: Attack


def specs(seed: int, size: int) -> list[Spec]:
    """So many random attacks."""
    rng = random.Random(f"11th {seed}")
    return [_spec(rng) for _ in range(size)]


def _spec(rng: random.Random) -> Spec:
    arms = [_weapon(rng, name) for name in ("first", "second")[: rng.randint(1, 2)]]
    blue, count = _target(rng, "Target"), rng.randint(1, 4)
    # Of one Toughness: a battle looks at it anew for each batch, when those with the highest may be gone.
    same = {"toughness": blue["toughness"]}
    kinds = [{"models": [1], "sheet": {**_target(rng, "Other"), **same}}] if rng.random() < 0.6 else []
    b = situation(
        [
            unit("Reds", "red", sheet(*arms, name="Red"), column(rng.randint(1, 3), 10)),
            unit("Blues", "blue", blue, column(count, 18), loadout=kinds),
            # The battle goes on when all Blues are destroyed.
            unit("Others", "blue", target(), column(1, 40)),
        ],
        step="shoot_units",
    )
    added = ((HIT_MODIFIER, (-1, 1)), (WOUND_MODIFIER, (-1, 1)))
    b.state.effects += tuple(
        Effect(kind, REDS, rng.choice(values), source="test") for kind, values in added if rng.random() < 0.3
    )
    cover, near, size = rng.random() < 0.3, rng.random() < 0.5, len(b.on_table(b.unit(BLUES)))
    shots = [
        Shot(model=m, weapon=weapon, target=BLUES, half_range=near, cover=cover, size=size)
        for m in map(int, b.on_table(b.unit(REDS)))
        for weapon in weapons_of(b, m)
    ]
    found = compiled(b, b.unit(REDS), b.unit(BLUES), shots)
    return Spec(b, shots, found.attack(Choices(aim="always")))


def _weapon(rng: random.Random, name: str) -> dict[str, Any]:
    words = [word for word in ABILITIES if rng.random() < 0.15]
    return gun(
        *words,
        name=name,
        attacks=rng.choice(("1", "2", "D3")),
        skill=rng.randint(2, 6),
        strength=rng.randint(2, 9),
        ap=rng.randint(-3, 0),
        damage=rng.choice(("1", "1", "2", "3", "D3")),
    )


def _target(rng: random.Random, name: str) -> dict[str, Any]:
    return target(
        name=name,
        toughness=rng.randint(2, 8),
        save=rng.randint(2, 7),
        wounds=rng.randint(1, 4),
        invulnerable=rng.choice((0, 0, 0, 4, 5, 6)),
        keywords=["INFANTRY", *(["CHARACTER"] if name == "Other" and rng.random() < 0.4 else [])],
        abilities=["feel no pain 5+"] if rng.random() < 0.25 else [],
    )


def play(found: Spec, times: int, seed: int) -> Counter[tuple[int, int]]:
    """Wounds lost and models destroyed in many such attacks, as a battle of 11th edition resolves them."""
    seen: Counter[tuple[int, int]] = Counter()
    start = found.start.state
    models = [x.model for x in found.attack.target.bodies]
    whole = [int(start.models.wounds[m]) for m in models]
    left = times

    async def step(b: Battle11) -> Step:
        nonlocal left
        for m, wounds in zip(models, whole, strict=True):
            b.set_wounds(m, wounds)
        b.place_models(models, TABLE)
        await make_attacks(b, b.unit(REDS), found.shots)
        now = [int(b.state.models.wounds[m]) for m in models]
        seen[sum(whole) - sum(now), now.count(0)] += 1
        b.events.clear()
        left -= 1
        return AGAIN if left else DONE

    system = replace(SYSTEM, segments={"setup": (step,)}, next_segment=lambda b: None)
    setup: Setup[Any] = msgspec.structs.replace(found.start.setup, system="w40k11")
    copy = start.copy()
    state = State(copy.models, copy.units, copy.players, copy.game, effects=copy.effects, round=1)
    b: Battle11 = Battle(system, setup, state, dice=KeyedDice(seed)).start()
    while b.decisions:
        (d,) = b.decisions
        b.answer(d, b.default(d))
    return seen
